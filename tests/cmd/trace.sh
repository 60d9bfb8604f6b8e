# SPDX-License-Identifier: MIT
# FILCH_TRACE: the file is there when a program ends, however it ends; it is what Chrome and Perfetto read, tracks
# have no gaps, and each steal's arrow joins two slices (tests/cmd/trace.py).
set -eu
program=$FILCH_BUILD/tests/unit_trace_trace
[ -x "$program" ] || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TSAN_OPTIONS="die_after_fork=0 ${TSAN_OPTIONS-}" # a child of a fork makes a pool
here=$PWD

# traced CODE FILE PROGRAM ARGUMENT...: it ends with that code, and the file is there, and nothing beside it.
traced() {
	local code=$1 file=$2 got=0
	shift 2
	FILCH_TRACE=$work/$file "$@" >"$work/out" 2>&1 || got=$?
	if [ $got != "$code" ]; then
		echo "FILCH_TRACE=$file $*: exit code $got, not $code; it said:"
		cat "$work/out"
		exit 1
	fi
	if [ -n "$(find "$work" -name '*.tmp-*')" ]; then
		echo "FILCH_TRACE=$file $*: something is left over:" "$work"/*.tmp-*
		exit 1
	fi
}
holds() { # holds FILE CHECK...
	python3 "$here/tests/cmd/trace.py" "$work/$1" "${@:2}"
}

for workers in 2 4; do
	export FILCH_WORKERS=$workers
	traced 0 steal.json "$program" steal
	holds steal.json "arrows['steal'] > 0" "names['meet'] > 0" "len(workers) == $workers" "names['searching'] > 0" \
		"victims['be_robbed'] > 0" "lost == 0" "sum(arrows.values()) == $(cat "$work/out")"
	traced 0 waits.json "$program" waits
	holds waits.json "{'receiver: a channel', 'reader: input', 'locker: a mutex', 'waiter: an event'} <= set(waits)" \
		"{'napper: a helper thread', 'all_waits: sleep', 'all_waits: a future'} <= set(waits)" \
		"names['parked'] + names['nap'] > 0" "names['lookout'] > 0" "not unfinished" "lost == 0"
	traced 0 echo.json "$FILCH_BUILD/example_echo"
	holds echo.json "names['serve'] >= 100" "waits['serve: input'] > 0"
	FILCH_TRACE_EVENTS=64 traced 0 small.json "$program" waits
	holds small.json "len(slices) <= 64 * $workers"
	FILCH_TRACE_EVENTS=64 traced 0 yields.json "$program" yields
	holds yields.json "lost > 0" "len(slices) <= 64 * $workers"
	FILCH_TRACE_EVENTS=1024 traced 0 yields.json "$program" yields
	holds yields.json "len(slices) > 900"
	FILCH_TRACE_EVENTS=64 traced 0 group.json "$program" group # the strand's beginning is overwritten
	holds group.json "lost > 0" "names['leaf'] > 20" "names['branch'] > 0" "names['...'] == 0"
	traced 3 exit.json "$program" exit
	holds exit.json "names['exits'] == 1"
	traced 0 leave.json "$program" leave
	holds leave.json "unfinished == ['sleep_long: sleep']"
done
# Functions of the user's have their own names, static ones too, and no task of the library shows up.
internal="{'line', 'plane', 'rest', 'entered', 'attend', 'fold', 'foreign', 'call_other', 'write_left', 'run_here'}"
traced 0 loops.json "$program" loops
holds loops.json "{'scale', 'tile', 'add_up', 'plain'} <= set(names)" "not $internal & set(names)"
if [ -x "$FILCH_BUILD/tests/cxx_names" ]; then
	traced 0 names.json "$FILCH_BUILD/tests/cxx_names"
	holds names.json "{'hidden', 'Square', 'lambda in user::by_lambda()', 'lambda in user::over_integers()'} <= set(names)" \
		"names['lambda in user::over_a_vector()'] > 0" "not $internal & set(names)"
fi
traced 0 channel.json "$FILCH_BUILD/example_channel"
holds channel.json "sum(waits.values()) > 0"
small=16K
if nm "$program" | grep -q ' __[at]san_'; then small=64K; fi # frames are several times as large there
FILCH_STACK_SIZE=$small traced 3 exit.json "$program" exit
holds exit.json
# LeakSanitizer does not find in a child what only threads of the parent's point to.
ASAN_OPTIONS="detect_leaks=0 ${ASAN_OPTIONS-}" traced 0 forks.json "$program" forks
holds forks.json "names['branch'] > 0"
traced 0 fork.json "$program" fork
holds fork.json "len({pool for pool, _ in workers}) == 1" "names['fib'] >= 2"
traced 0 pools.json "$program" pools
holds pools.json "workers == {(1, 0), (2, 0), (2, 1), (2, 2), (3, 0), (3, 1), (3, 2), (3, 3)}"
(cd "$work" && FILCH_TRACE=daemon.json "$program" daemon)
holds daemon.json

# %p is the process: the child of a fork has a file of its own then.
mkdir "$work/p"
traced 0 p/%p.json "$program" fork
[ "$(find "$work/p" -name '[0-9]*.json' | wc -l)" = 2 ]
for file in "$work"/p/*; do
	holds "p/${file##*/}" "names['fib'] >= 1"
done

# An older file is replaced as a whole, or not at all.
echo old >"$work/old.json"
FILCH_TRACE=$work/old.json "$program" killed >/dev/null 2>&1 || true
[ "$(cat "$work/old.json")" = old ]
rm "$work"/old.json.tmp-*
traced 0 old.json "$program" yields
holds old.json

# A link stays, and what it leads to is replaced.
ln -s old.json "$work/link.json"
traced 0 link.json "$program" steal
[ -L "$work/link.json" ]
holds old.json "arrows['steal'] > 0"

# A disk that is full at the end: a word, and no file. (Where lines are counted, that takes files, too.)
if ! grep -q '^FILCH_COVERAGE:BOOL=ON' "$FILCH_BUILD/CMakeCache.txt"; then
	code=0
	(
		trap '' XFSZ
		ulimit -f 1
		FILCH_TRACE=$work/full.json "$program" group >"$work/out" 2>"$work/err"
	) || code=$?
	[ $code = 0 ]
	grep -q "full.json' is not written: File too large" "$work/err"
	[ -z "$(find "$work" -name 'full.json*')" ]
fi

# What cannot be written is said at once.
code=0
FILCH_TRACE=/nowhere/x.json "$program" steal >"$work/out" 2>&1 || code=$?
[ $code != 0 ]
grep -q "FILCH_TRACE is '/nowhere/x.json', but no file can be made there: No such file" "$work/out"
