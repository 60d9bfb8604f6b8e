# SPDX-License-Identifier: MIT
# filch bench gc: every row that the suite promises is there and is JSON, with its unit; all queues mark
# the same objects; small queues overflow and more threads than processors end; wrong calls are refused. The
# suite itself checks which objects are marked.
set -eu
filch=$FILCH_BUILD/filch
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$filch" bench gc --list >"$work/list"
[ "$(wc -l <"$work/list")" = 30 ]
grep -q '^gc/tree chase_lev$' "$work/list"

"$filch" bench gc --json --quick --rounds 1 >"$work/rows"
python3 - "$work/rows" <<'PYTHON'
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
have = [(r['bench'], r['impl'], r.get('to', '-'), r['metric'], r.get('unit', '-')) for r in rows]
assert len(set(have)) == len(have), 'a row is there twice'
value = dict(zip(have, (r['value'] for r in rows)))
for r in rows:
    assert r['suite'] == 'gc' and r['value'] >= 0, r
for bench in 'lists', 'tree', 'wide', 'random', 'mixed', 'young':
    for impl in 'bwos_lifo', 'chase_lev', 'abp', 'locked', 'serial':
        assert value[bench, impl, '-', 'edges', 'M/s'] > 0, (bench, impl)
        assert value[bench, impl, '-', 'marked', ''] == value[bench, 'serial', '-', 'marked', ''] > 1000
        assert value[bench, impl, '-', 'overflowed', ''] == 0, (bench, impl)
        assert impl != 'serial' or value[bench, impl, '-', 'steals', ''] == 0, bench
    for to in 'best_other', 'serial':
        assert value[bench, 'bwos_lifo', to, 'speedup', '-'] > 0, (bench, to)
    assert sum(k[0] == bench and k[3] == 'best_other' for k in value) == 1, bench
print(len(rows), 'rows')
PYTHON

# Queues of 16 entries, five threads.
"$filch" bench gc --json --quick --rounds 1 --workers 5 --capacity 16 >"$work/rows"
python3 - "$work/rows" <<'PYTHON'
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
for bench in 'lists', 'wide', 'random', 'mixed', 'young':
    for impl in 'bwos_lifo', 'chase_lev', 'abp', 'locked':
        assert [r['value'] for r in rows if (r['bench'], r['impl'], r['metric']) ==
                (bench, impl, 'overflowed')][0] > 0, (bench, impl)
PYTHON

"$filch" bench gc --quick --rounds 1 --filter '^tree b' | grep -q 'bwos_lifo .* edges .* M/s'
"$filch" bench gc --help | grep -q '^Examples:'

# $1: what is said; then the options.
refused() {
	said=$1
	shift
	code=0
	"$filch" bench gc "$@" >"$work/out" 2>"$work/err" || code=$?
	[ "$code" = 2 ]
	grep -q -e "$said" "$work/err"
	[ ! -s "$work/out" ]
}
refused 'belongs to the suite .* not to .gc' --thieves 2
refused 'belongs to the suite .* not to .gc' --balance 10
refused 'belongs to the suite .* not to .gc' --stats
refused 'filch bench gc: .* power of two' --capacity 1000
refused 'filch bench gc: capacity is not' --capacity 8192 --block-size 16384
refused 'workers does not take .1' --workers 1
refused 'nothing matches' --filter nosuchthing
echo "every row is there"
