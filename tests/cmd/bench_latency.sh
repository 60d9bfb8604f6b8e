# SPDX-License-Identifier: MIT
# filch bench latency: every row that the suite promises is there and is JSON, with its unit. The suite
# itself checks the sums that its maps give.
set -eu
filch=$FILCH_BUILD/filch
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$filch" bench latency --list >"$work/list"
for ms in 1 5 10 50 100 500; do
	for impl in filch@2 blocking@2 ideal@2; do grep -q "^latency/mapreduce$ms $impl\$" "$work/list"; done
done
for part in 0 25 50 75 100; do grep -q "^latency/ratio$part filch@2\$" "$work/list"; done

"$filch" bench latency --json --quick --filter '^(mapreduce(1|50)|ratio(25|100)) ' >"$work/rows"
"$filch" bench latency --json --quick --rounds 1 --filter '^compute ' >>"$work/rows"
# Each 'bench impl to metric unit' is there; "-": none.
python3 - "$work/rows" \
	'mapreduce1 filch@2 - time s' 'mapreduce1 blocking@2 - per_value us' 'mapreduce1 ideal@2 - time s' \
	'mapreduce1 filch@2 ideal@2 overhead -' 'mapreduce1 filch@2 blocking@2 speedup -' \
	'mapreduce50 filch@2 ideal@2 overhead -' 'mapreduce50 filch@2 blocking@2 speedup -' \
	'ratio25 filch@2 ideal@2 overhead -' 'ratio100 filch@2 blocking@2 speedup -' \
	'compute filch_io - time s' 'compute filch - fib s' 'compute filch - map s' \
	'compute filch_io filch overhead -' <<'PYTHON'
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
have = [(r['bench'], r['impl'], r.get('to', '-'), r['metric'], r.get('unit') or '-') for r in rows]
assert len(set(have)) == len(have), 'a row is there twice'
value = dict(zip(have, (r['value'] for r in rows)))
for r in rows:
    assert r['suite'] == 'latency' and r['value'] > 0, r
for want in sys.argv[2:]:
    assert tuple(want.split()) in value, 'no row ' + want
# All the values wait at the same time, whatever the machine: one after the other takes 200 * 50 ms / 2.
assert value['ratio100', 'filch@2', '-', 'time', 's'] < 4, value
print(len(rows), 'rows')
PYTHON

if "$filch" bench latency --workers 2 >"$work/out" 2>"$work/err"; then exit 1; fi
grep -q 'belongs to the suite .* not to .latency' "$work/err"
echo "every row is there"
