# SPDX-License-Identifier: MIT
# tools/filch-gdb.py: the strands of a live process and of a core file, what they wait for and
# their backtraces; the process goes on as if nobody had looked.
set -eu
source=tests/tools/gdb/strands.c
skip() {
	echo "skipped: $1"
	exit 77
}
command -v gdb >/dev/null || skip "no gdb"
case $(uname -m) in x86_64 | aarch64) ;; *) skip "strands that are stopped cannot be shown here" ;; esac
if nm "$FILCH_BUILD/libfilch.a" 2>/dev/null | grep -qE ' __(asan|tsan)_'; then skip "a sanitizer build"; fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export FILCH_WORKERS=2 FILCH_STACK_SIZE=131072

build() { # build OUTPUT FLAGS...
	local out=$1
	shift
	"${CC:-cc}" -O2 -D_GNU_SOURCE -Iinclude "$@" "$source" "$FILCH_BUILD/libfilch.a" \
		-lhwloc -luring -lpthread -o "$out"
}
build "$work/strands" -g

# debug ARGUMENT... [-- COMMAND...]: gdb with the script; what it prints goes to $work/out.
debug() {
	local files=() commands=()
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		files+=("$1")
		shift
	done
	[ $# = 0 ] || shift
	for command in "$@"; do commands+=(-ex "$command"); done
	timeout 100 gdb -nx -batch -ex 'set debuginfod enabled off' -ex 'set width 0' -x tools/filch-gdb.py \
		"${commands[@]}" --args "${files[@]}" >"$work/out" 2>&1 || true
}
says() { # says PATTERN: somewhere in what was printed, over the ends of lines
	python3 - "$1" "$work/out" <<'PYTHON' || { cat "$work/out"; echo "missing: $1"; exit 1; }
import re
import sys
sys.exit(not re.search(sys.argv[1], open(sys.argv[2], errors="replace").read(), re.M))
PYTHON
}
at() { echo "strands.c:$(grep -n "line: $1 \*/" "$source" | cut -d: -f1)"; } # at MARK
number() { awk -v task="$1" '$4 == task && $2 ~ /^0x/ { print $1; exit }' "$work/out"; } # of a strand

debug /bin/true -- run 'filch strands'
grep -q 'exited normally' "$work/out" || skip "gdb cannot run a process here"
says '^There is no Filch in this program'

# A strand that is listed: state, task, what it waits for, where.
listed() { says "^\d+ +0x[0-9a-f]+ +$1 +$2 +$3 +$4 ?\($(at "$5")\)$"; }
all_listed() {
	listed waits joiner "joins child, strand $(number child)" joiner joiner
	listed waits child 'filch_event_wait 0x[0-9a-f]+' deeper deeper
	listed waits sleeper filch_sleep sleeper sleeper
	listed waits receiver 'filch_channel_recv 0x[0-9a-f]+' receiver receiver
	listed waits holder 'filch_event_wait 0x[0-9a-f]+' holder holder
	listed waits locker "filch_mutex_lock 0x[0-9a-f]+, held by strand $(number holder)" locker locker
	listed waits reader 'filch_read of descriptor \d+' reader reader
	listed active spinner 'worker \d, thread \d' spin spin
}
frame() { echo "#\d+ .*\b$1 \(.*\) at .*$(at "$2")\n"; } # frame FUNCTION MARK
backtraces() {
	says "^Strand \d+ .*, waits: filch_event_wait .*
  begun for child, which strand $(number joiner) has spawned and now joins
  begun for joiner, a future or a task of a group
(#\d+ .*\n)+$(frame deeper deeper)$(frame child child)"
	says "^Strand \d+ .*, waits: joins child, strand $(number child)\n.*\n(#\d+ .*\n)+$(frame joiner joiner)"
	says "^  begun for spinner, which thread \d has called by FILCH_RUN\n(#\d+ .*\n)*$(frame spin spin)$(frame spinner spinner)"
}

# Live: before there is a pool, with all strands in their places, and on to the end.
debug "$work/strands" -- 'filch strands' 'break stopped' run 'filch strands' continue \
	'filch strands' 'filch bt all' 'filch workers' 'filch pools' 'filch apply all frame' bt \
	'filch bt 999' 'filch bt nonsense' 'filch bt 0x10' 'filch bt' 'filch apply 1' 'filch apply bt' \
	'filch workers 7' 'filch frame 999' 'filch tasks 999' 'filch nonsense' 'help filch' continue
[ "$(grep -c '^There is no pool: none was started yet' "$work/out")" = 2 ]
all_listed
backtraces
says '^\d +\d +runs +\d+ +spinner +\d+ +\d+'
says '^\d +\d +(sleeps|waits for events|looks for work) +- +- '
says '^1 +0x[0-9a-f]+ +2 +8 +\d+ +7$'
says "^#0 +stopped .*\n#1 .* main .*$(at main)\$" # bt: the place is what it was
says "^There is no strand 999; see 'filch strands -all'"
says "^'nonsense' is neither the number nor the address of a strand"
says '^There is no strand at 0x10'
says '^The selected thread runs no strand; give the number'
says '^Give strands or all, and a command'
says "^There is no pool '7'; see 'filch pools'"
says '^ *filch bt \[STRAND'
says 'sum 1111134$'
if grep -q Traceback "$work/out"; then cat "$work/out" && exit 1; fi

# Many: groups.
debug "$work/strands" 300 -- 'break stopped' run continue 'filch strands' continue
says "^301 +waits +sleeper +filch_sleep +sleeper \($(at sleeper)\) +\d+\$"
says "^308 strands; 'filch strands -all' lists each"
says 'sum 1111134$'

# Without debug information of the program: names, no lines.
build "$work/plain"
debug "$work/plain" -- 'break stopped' run continue 'filch strands' continue
says '^\d+ +0x[0-9a-f]+ +waits +locker +filch_mutex_lock 0x[0-9a-f]+, held by strand \d+ +locker(__run)?$'
says '^\d+ +0x[0-9a-f]+ +waits +reader +filch_read of descriptor \d+ +reader(__run)?$'
says '^\d+ +0x[0-9a-f]+ +waits +child +filch_event_wait 0x[0-9a-f]+ +deeper$'
says 'sum 1111134$'

# Without optimisation, joins are calls through a pointer.
build "$work/slow" -g -O0
debug "$work/slow" -- 'break stopped' run continue 'filch strands' continue
all_listed
says 'sum 1111134$'

# A core file, if the kernel leaves it here.
sh -c 'cd "$1" && ulimit -c unlimited; ./strands 0 core; true' - "$work" >/dev/null 2>&1 || true
core=$(find "$work" -name 'core*' | head -n 1)
[ -n "$core" ] || { echo "no core file is left here: that part is left out" && exit 0; }
in_core() { debug "$work/strands" -- "core-file $core" "$@"; }
in_core 'filch strands' 'filch bt all' 'filch workers'
all_listed
backtraces
joiner=$(number joiner) child=$(number child)
in_core "filch bt $child -1" "filch frame $child" 'print x' up bt 'filch frame' "filch tasks $joiner" \
	"filch apply $child $joiner frame"
says "^#\d+ .*deeper .*$(at deeper)\$"
says '^\$1 = 6$'
says "$(frame child child)"
says "^0x[0-9a-f]+ +joined +child +strand $child +\{x = 6\}\$"
echo "live and core: ok"
