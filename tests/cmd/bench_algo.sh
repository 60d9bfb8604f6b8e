# SPDX-License-Identifier: MIT
# filch bench algo: every row that the suite promises is there and is JSON; a peer that is not built is
# named; a wrong answer would end the run.
set -eu
filch=$FILCH_BUILD/filch
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# rows FILE 'bench impl to metric'...: all are in the file, once, which is JSON to the last line.
rows() {
	python3 - "$@" <<'PYTHON'
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
have = [(r['bench'], r['impl'], r.get('to', '-'), r['metric']) for r in rows]
assert len(set(have)) == len(have), 'a row is there twice'
for r in rows:
    assert r['suite'] == 'algo' and r['value'] > 0 and ('to' in r or 'unit' in r), r
for want in sys.argv[2:]:
    assert tuple(want.split()) in have, 'no row ' + want
PYTHON
}
run() { "$filch" bench algo --json --quick --rounds 1 --filter "$@" 2>"$work/err"; }

"$filch" bench algo --list 2>/dev/null >"$work/list"
for bench in {for,reduce,scan}1e{3,4,5,6,7,8} sort1e{3,4,5,6,7} stable1e{6,7} skewed uniform; do
	for impl in serial filch@1 filch@2; do grep -q "^algo/$bench $impl\$" "$work/list"; done
done
for size in 3 4 5 6 7 8; do grep -q "^algo/for1e$size filch_outside@2\$" "$work/list"; done

# Filch and plain C: all of them.
run ' (serial|filch(_outside|_in_task)?@[12])$' >"$work/core"
for bench in for for_2d reduce scan scan_exclusive sort sort_generic stable stable_generic partition \
	filter min max min_generic max_generic find_first histogram pipeline copy fill; do
	rows "$work/core" "${bench}1e6 serial - time" "${bench}1e6 filch@1 serial overhead" \
		"${bench}1e6 filch@2 serial speedup"
done
rows "$work/core" 'for1e3 filch@2 serial overhead' 'sort1e3 filch@2 serial overhead' \
	'for1e3 filch_outside@2 serial overhead' 'for1e6 filch_outside@2 serial speedup' \
	'for1e8 filch_outside@2 serial speedup' 'stencil256 filch@2 serial speedup' \
	'stencil1024 filch_in_task@2 serial speedup' \
	'skewed filch@1 serial overhead' 'for1e8 filch@1 serial overhead' 'for1e8 filch@2 serial speedup'

# peer MODULE 'bench impl to metric'...: its rows, or its name.
peer() {
	local module=$1
	shift
	if [ -e "$FILCH_BUILD/filch-bench-algo-$module.so" ]; then
		rows "$work/peers" "$@"
	else
		grep -q "^$module: not built in; make peers" "$work/err"
	fi
}
run '^(for1e8|skewed|sort1e7|stable1e7|stencil256) (filch(_outside)?@3|openmp|tbb|gnu|std)' --workers 3 >"$work/peers"
peer openmp 'for1e8 filch@3 openmp_static speedup' 'for1e8 filch@3 openmp_guided speedup' \
	'skewed filch@3 openmp_dynamic speedup' 'for1e8 filch@3 best_peer speedup' \
	'for1e8 filch_outside@3 best_peer speedup' 'stencil256 filch@3 openmp speedup'
peer tbb 'for1e8 filch@3 tbb speedup' 'skewed filch@3 tbb speedup' 'sort1e7 filch@3 tbb speedup'
peer gnu 'for1e8 filch@3 gnu_parallel speedup' 'stable1e7 filch@3 gnu_parallel speedup' \
	'sort1e7 filch@3 std speedup' 'stable1e7 gnu_parallel - best_peer' 'stable1e7 filch@3 best_peer speedup'

if "$filch" bench algo --thieves 2 2>"$work/err"; then exit 1; fi
grep -q 'thieves belongs to the suite queue, not to .algo' "$work/err"
if "$filch" bench io --workers 2 2>"$work/err"; then exit 1; fi
grep -q 'workers belongs to the suite pool and to app and to algo and to gc and to envelope, not to .io' "$work/err"
echo "every row is there"
