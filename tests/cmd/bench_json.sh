# SPDX-License-Identifier: MIT
# filch bench json: every row is there and is JSON, with its unit; rejected lines are named; nothing is left
# in TMPDIR. The suite itself checks what was found against what was written.
set -eu
filch=$FILCH_BUILD/filch
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tmp"
export TMPDIR=$work/tmp

# fail WHAT: with what the last command has said.
fail() {
	echo "$1; it said:"
	cat "$work/out" "$work/err"
	exit 1
}

# rows 'bench impl to metric unit'...: all are in the output, once; "-": none.
rows() {
	python3 - "$work/out" "$@" <<'PYTHON'
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
have = [(r['bench'], r['impl'], r.get('to', '-'), r['metric'], r.get('unit') or '-') for r in rows]
assert len(set(have)) == len(have), 'a row is there twice'
for r in rows:
    assert r['suite'] == 'json' and r['value'] > 0, r
for want in sys.argv[2:]:
    assert tuple(want.split()) in have, 'no row ' + want
print(len(rows), 'rows')
PYTHON
}

# run BACK-END ARGUMENT...
run() {
	FILCH_IO=$1 "$filch" bench json --json --quick "${@:2}" >"$work/out" 2>"$work/err" ||
		fail "exit code $?"
	[ -z "$(ls -A "$TMPDIR")" ] || fail "something is left in TMPDIR"
}

"$filch" bench json --list >"$work/list"
for impl in filch@2 filch@1 serial thread@2; do
	for bench in parse cold; do grep -q "^json/$bench $impl\$" "$work/list"; done
done

run auto
rows 'parse filch@2 - time s' 'parse filch@1 - throughput MB/s' 'parse serial - time s' \
	'parse thread@2 - throughput MB/s' 'parse filch@2 serial speedup -' \
	'parse filch@1 serial overhead -' 'parse filch@2 thread@2 speedup -'
# Either it can be had from the disk, or it is said why not.
if ! grep -q 'cold without filch@2: the file stays in memory' "$work/err"; then
	rows 'cold filch@2 - time s' 'cold filch@2 serial speedup -' 'cold filch@1 serial overhead -'
fi
grep -q ' lines are no events:$' "$work/err" || fail "no word of rejected lines"
grep -q '^  line [0-9]*: byte [0-9]*: .* expected near ' "$work/err" || fail "no reason"
# The same file, and the same lines of it, by another way.
cp "$work/err" "$work/first"
run epoll --filter '^parse filch'
diff <(grep -v without "$work/first") "$work/err"

if [ "$(stat -f -c %T /dev/shm 2>/dev/null)" = tmpfs ]; then
	TMPDIR=/dev/shm "$filch" bench json --quick --filter cold >"$work/out" 2>"$work/err"
	grep -q 'cold without serial: the file stays in memory' "$work/err" || fail "tmpfs"
fi

# refused CODE PATTERN ARGUMENT...
refused() {
	local code=0
	"$filch" bench json "${@:3}" >"$work/out" 2>"$work/err" || code=$?
	[ "$code" = "$1" ] && grep -q -- "$2" "$work/err" && [ ! -s "$work/out" ] ||
		fail "filch bench json ${*:3}: exit code $code"
}
refused 2 'belongs to the suite' --workers 2
refused 2 'nothing matches' --filter nosuchthing
TMPDIR=$work/nowhere refused 1 'nowhere (TMPDIR can name another directory): No such file' --quick
(ulimit -f 1000 && trap '' XFSZ && refused 1 'cannot write a file of events in .*: File too large' --quick)
echo "every row is there"
