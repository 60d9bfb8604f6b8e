# SPDX-License-Identifier: MIT
# filch bench io: every row that the suite promises is there and is JSON, with its unit. The suite itself
# checks what comes back: each message, each file, each count.
set -eu
filch=$FILCH_BUILD/filch
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Builds with sanitizers have fewer sleepers.
"$filch" bench io --list >"$work/list"
many=$(grep -o 'sleepers[0-9]*k' "$work/list" | head -n 1)
for n in 100 1000 10000; do
	for impl in filch@1 filch@2 epoll thread; do
		grep -q "^io/echo$n $impl\$" "$work/list"
		grep -q "^io/unixecho$n $impl\$" "$work/list"
	done
done

for filter in '^(unix)?echo100 ' '^(sleepers.*|timers|sleep1ms) ' '^files_' '^(mutex|event|channel)' \
	'^(notice|steal_nothing)'; do
	"$filch" bench io --json --quick --rounds 1 --filter "$filter" >>"$work/rows"
done
# Each 'bench impl to metric unit' is there; "-": none.
python3 - "$work/rows" \
	'echo100 filch@1 - throughput msgs/s' 'echo100 filch@2 - p50 us' 'echo100 epoll - p99 us' \
	'echo100 thread - throughput msgs/s' 'echo100 filch@1 epoll speedup -' 'echo100 filch@1 epoll overhead -' \
	'echo100 filch@2 epoll speedup -' 'echo100 filch@1 thread speedup -' \
	'unixecho100 filch@1 epoll speedup -' 'unixecho100 filch@1 epoll overhead -' \
	"$many filch - time ms" "$many filch - resident GiB" "$many filch epoll overhead -" \
	'timers filch@1 - time ns' 'sleep1ms filch@1 - p50 us' 'sleep1ms filch@1 - p99 us' 'sleep1ms thread - p99 us' \
	'files_small filch@2 - time ms' 'files_small filch@2 blocking speedup -' 'files_small filch@2 thread speedup -' \
	'files_large filch@2 - time ms' 'files_large filch@2 blocking speedup -' \
	'mutex filch@1 - time ns' 'event filch@1 - time ns' 'channel filch@1 - time ns' \
	'channel_pingpong filch@1 thread speedup -' 'channel_pingpong filch@2 thread speedup -' \
	'mutex_handover filch@1 thread speedup -' 'mutex_handover filch@2 thread speedup -' \
	'notice filch@2 - p50 us' 'notice filch@2 - p99 us' 'notice thread - p99 us' \
	'notice_short filch@1 - p50 us' 'notice_short filch@1 - p99 us' \
	'steal_nothing filch@2 quiet@2 overhead -' 'steal_nothing filch@2 - completions 1/s' <<'PYTHON'
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
have = [(r['bench'], r['impl'], r.get('to', '-'), r['metric'], r.get('unit') or '-') for r in rows]
assert len(set(have)) == len(have), 'a row is there twice'
value = dict(zip(have, (r['value'] for r in rows)))
for r in rows:
    assert r['suite'] == 'io' and r['value'] >= 0, r
    assert r['value'] > 0 or r['metric'] in ('added', 'completions'), r
for want in sys.argv[2:]:
    assert tuple(want.split()) in value, 'no row ' + want
for bench, impl, to, metric, unit in have:
    if metric == 'p50':
        assert value[bench, impl, to, metric, unit] <= value[bench, impl, to, 'p99', unit], (bench, impl)
print(len(rows), 'rows')
PYTHON

# The client by itself: wrong calls and nobody to talk to.
code=0
"$filch" bench --echo-client 1 2>"$work/err" || code=$?
[ $code = 2 ]
code=0
"$filch" bench --echo-client "$work/none" 1 1 1 >"$work/out" 2>"$work/err" || code=$?
[ $code = 1 ]
grep -q 'echo client: connect: ' "$work/err"
[ ! -s "$work/out" ]

if "$filch" bench io --thieves 2 >"$work/out" 2>"$work/err"; then exit 1; fi
grep -q 'belongs to the suite .* not to .io' "$work/err"
echo "every row is there"
