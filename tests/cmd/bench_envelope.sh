# SPDX-License-Identifier: MIT
# filch bench envelope: every row that the suite promises is there and is JSON, mean and worst are those of the
# cells, people get a map, a peer that is not built is named, and a back end that fails ends the run.
set -eu
filch=$FILCH_BUILD/filch
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$filch" bench envelope --list 2>"$work/err" >"$work/list"
for kind in forout for tree treeout; do
	for gap in 0 100us 1ms 10ms; do
		for size in 1us 3us 10us 30us 100us 300us 1ms 3ms 10ms 30ms 100ms; do
			for impl in serial filch filch@1; do
				echo "envelope/${kind}_${size}_$gap $impl"
			done
		done
	done
done | sort >"$work/wanted"
grep -E ' (serial|filch(@1)?)$' "$work/list" | sort | cmp - "$work/wanted"

# Peers: a place in the cells, where they may spin, or their names.
for peer in openmp tbb; do
	if [ -x "$FILCH_BUILD/filch-bench-$peer" ]; then
		[ "$(grep -c " $peer\$" "$work/list")" = 176 ]
	else
		grep -q "^$peer: not built in; make peers" "$work/err"
		if grep -q " $peer" "$work/list"; then exit 1; fi
	fi
done
if [ -x "$FILCH_BUILD/filch-bench-openmp" ]; then
	[ "$(grep -c ' openmp_active$' "$work/list")" = 88 ]
	if grep -q 'ms openmp_active$' <(sed 's/_[0-9]*[mu]s_/_/' "$work/list"); then exit 1; fi
fi

"$filch" bench envelope --json --quick --workers 3 --filter '^[a-z]*_(10|300)us_(0|1ms) ' 2>/dev/null >"$work/rows"
python3 - "$work/rows" <<'PYTHON'
import json, math, os, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
have = {(r['bench'], r['impl'], r.get('to', '-'), r['metric']): r['value'] for r in rows}
assert len(have) == len(rows), 'a row is there twice'
for r in rows:
    assert r['suite'] == 'envelope' and r['value'] > 0 and ('to' in r or 'unit' in r), r
cells = [f'{kind}_{work}_{gap}' for kind in ('forout', 'for', 'tree', 'treeout') for work in ('10us', '300us')
         for gap in ('0', '1ms')]
others = [impl for impl in ('tbb', 'openmp') if (cells[0], impl, '-', 'time') in have]
for cell in cells:
    time = {impl: have[cell, impl, '-', 'time'] for impl in ('serial', 'filch', 'filch@1', *others)}
    spins = have.get((cell, 'openmp_active', '-', 'time'))
    assert (spins is not None) == ('openmp' in others and cell.endswith('_0')), cell
    best = min([time['serial'], *(time[impl] for impl in others), *([spins] if spins else [])])
    # One round: a median of ratios is the ratio of the medians.
    for impl, to in ('filch', best), ('filch@1', time['serial']):
        assert abs(have[cell, impl, 'best', 'overhead'] / (time[impl] / to) - 1) < 1e-3, (cell, impl)
    assert [impl for impl in (*time, 'openmp_active') if (cell, impl, '-', 'best') in have], cell
for impl in 'filch', 'filch@1':
    ratios = [have[cell, impl, 'best', 'overhead'] for cell in cells]
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    assert abs(have['mean', impl, 'best', 'overhead'] / mean - 1) < 1e-3
    assert have['mean', impl, '-', 'cells'] == len(cells)
    assert have['worst', impl, 'best', 'overhead'] == max(ratios)
    assert [have[cell, impl, 'best', 'overhead'] for cell in cells if (cell, impl, '-', 'worst') in have] == [max(ratios)]
    assert have['cpu', impl, '-', 'time'] > 0
for impl in others:
    assert have['cpu', 'filch', impl, 'overhead'] > 0
print(len(rows), 'rows of', len(cells), 'cells')
PYTHON

# A map, without colours where it is not a terminal: 4 times 4 lines of 11 numbers, twice.
"$filch" bench envelope --quick --filter '^for_10us_0 ' >"$work/map" 2>/dev/null
[ "$(grep -cE '^(for|tree)(out)? (0|100us|1ms|10ms) +([0-9.]+[ctoa]|-)( +([0-9.]+[ctoa]|-)){10}$' "$work/map")" = 32 ]
[ "$(grep -cE '^for 0 +- +- +[0-9.]+[ctoa] +-' "$work/map")" = 2 ]
[ "$(grep -c '^mean [0-9.]* over 1 cells; worst [0-9.]*: for_10us_0$' "$work/map")" = 2 ]
if grep -q "$(printf '\033')" "$work/map"; then exit 1; fi
awk 'length > 80 { exit 1 }' "$work/map"

# A back end that gives another sum, or none.
mkdir "$work/bin"
cp "$filch" "$work/bin/filch"
cat >"$work/other.py" <<'PYTHON'
import os, struct
while turn := os.read(0, 4096):
    os.write(1, struct.pack('QQ', 1, 1000))
PYTHON
printf '#!/bin/sh\nexec python3 %s\n' "$work/other.py" >"$work/bin/filch-bench-tbb"
chmod +x "$work/bin/filch-bench-tbb"
code=0
"$work/bin/filch" bench envelope --quick --filter '^for_10us_0 (serial|tbb)$' >"$work/out" 2>"$work/err" || code=$?
[ $code = 1 ]
grep -q '^filch bench envelope: for_10us_0 tbb: wrong answer$' "$work/err"
printf '#!/bin/sh\nexit 3\n' >"$work/bin/filch-bench-tbb"
code=0
"$work/bin/filch" bench envelope --quick --filter '^for_10us_0 (serial|tbb)$' >"$work/out" 2>"$work/err" || code=$?
[ $code = 1 ]
grep -q 'tbb: its program failed$' "$work/err"
if "$filch" bench envelope --envelope-turns 2>"$work/err"; then exit 1; fi
echo "every row is there"
