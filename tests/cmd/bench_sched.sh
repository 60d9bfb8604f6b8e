# SPDX-License-Identifier: MIT
# filch bench sched: every row that the suite promises is there and is JSON, with its unit; options of
# other suites are refused. The suite itself checks what its strands return.
set -eu
filch=$FILCH_BUILD/filch
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Builds with sanitizers have fewer strands.
"$filch" bench sched --list >"$work/list"
many=$(grep -o 'strands[0-9]*k' "$work/list")
grep -q '^sched/wake thread$' "$work/list"
[ "$("$filch" bench sched --list --filter '^switch f' | wc -l)" = 2 ]

"$filch" bench sched --json --quick --rounds 2 --filter '^(switch|strand|wake) ' >"$work/rows"
"$filch" bench sched --json --quick --filter '^(strands.*|idle|help.*) ' >>"$work/rows"
# Each 'bench impl to metric unit' is there; "-": none.
python3 - "$work/rows" \
	'switch filch@1 - time ns' 'switch fiber - time ns' 'switch thread - time ns' \
	'switch filch@1 fiber speedup -' 'switch filch@1 thread speedup -' \
	'strand filch@1 - time ns' 'strand one_by_one@1 - time ns' 'strand thread - time ns' \
	'strand filch@1 thread speedup -' \
	"$many filch@2 - resident GiB" "$many filch@2 - added GiB" "$many filch@2 - page_tables GiB" \
	'idle filch@2 - cpu %' \
	'wake filch@2 - p50 us' 'wake filch@2 - p99 us' 'wake thread - p50 us' 'wake thread - p99 us' \
	'wake filch@2 thread speedup -' \
	help{0,1ms,10ms}{,_joins}' filch@2 - p50 us' help{0,1ms,10ms}{,_joins}' filch@2 - p99 us' <<'PYTHON'
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
have = [(r['bench'], r['impl'], r.get('to', '-'), r['metric'], r.get('unit', '-')) for r in rows]
assert len(set(have)) == len(have), 'a row is there twice'
value = dict(zip(have, (r['value'] for r in rows)))
for r in rows:
    assert r['suite'] == 'sched' and r['value'] >= 0, r
    assert r['value'] > 0 or r['bench'] == 'idle', r
for want in sys.argv[2:]:
    assert tuple(want.split()) in value, 'no row ' + want
for bench in 'wake', 'help0', 'help10ms_joins':
    p50, p99 = (value[bench, 'filch@2', '-', p, 'us'] for p in ('p50', 'p99'))
    assert p50 <= p99, (bench, p50, p99)
print(len(rows), 'rows')
PYTHON

"$filch" bench sched --quick --filter '^idle ' | grep -q 'filch@2 .* cpu .* %'
for option in '--workers 2' '--thieves 2' '--stats'; do
	if "$filch" bench sched $option >"$work/out" 2>"$work/err"; then exit 1; fi
	grep -q 'belongs to the suite .* not to .sched' "$work/err"
	[ ! -s "$work/out" ]
done
if "$filch" bench sched --filter nosuchthing 2>"$work/err"; then exit 1; fi
grep -q 'nothing matches' "$work/err"
echo "every row is there"
