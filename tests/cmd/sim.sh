# SPDX-License-Identifier: MIT
# filch sim: rows and JSON are there, the same seed gives the same bits, one core is as fast as the work says, eight are
# faster, a trace holds together, and wrong options are refused. Without the simulator a message says so.
set -eu
filch=$FILCH_BUILD/filch
[ -x "$filch" ] || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export FILCH_WORKERS=3 # the simulated machine decides instead

if [ ! -x "$FILCH_BUILD/filch-sim" ]; then
	code=0
	"$filch" sim fib 2>"$work/err" || code=$?
	[ $code = 1 ]
	grep -q '^filch sim: filch-sim is neither beside the command nor in ../libexec/filch' "$work/err"
	exit 77
fi

said() {
	if ! grep -q -- "$1" "$work/out"; then
		echo "filch sim did not say '$1', but:"
		cat "$work/out"
		exit 1
	fi
}
sim() { "$filch" sim "$@" >"$work/out"; }

sim --help
said '^usage: filch sim PROGRAM'
sim --list
said '^  fib  .*recursion'
said '^  server '
said '^  wake_up  *[0-9]'
"$filch" --help | grep -q 'filch sim'

# The table, and what it says of places: source files, not addresses.
sim fib --size 26 --cores 1,4
said '^cores  *speedup  *efficiency '
said '^ *1  *[01]\.[0-9]'
said '^ *4  *[123]\.[0-9]'
said '^fib on 4 cores: the places that waited longest'
said ' src/[a-z]*/[a-z_]*\.[ch]:[0-9]* [a-z]'
sim fib --size 22 --cores 2,1 --top 0
if grep -q 'places' "$work/out"; then exit 1; fi
sim fib --size 22 --cores 2,3 --verbose --top 2
said '^fib on 2 cores: the lines'
said '^fib on 3 cores: the lines'

# Same seed, same bits, whatever the environment and the neighbours; another seed, another course of events.
"$filch" sim fib --size 28 --cores 8 --json >"$work/a"
SOMETHING=$(printf %500s x) "$filch" sim fib --cores=8 --json --size 28 --seed 0 >"$work/b"
"$filch" sim fib --size 28 --cores 2,8 --json | tail -1 >"$work/c"
"$filch" sim fib --size 28 --cores 8 --json --seed 7 >"$work/d"
cmp "$work/a" "$work/b"
cmp "$work/a" "$work/c"
if cmp -s "$work/a" "$work/d"; then exit 1; fi

# All programs and all switches, small. One core is as fast as the work says.
"$filch" sim fib --size 34 --cores 1,8 --json >"$work/fib"
for program in 'uts --size 5' 'loop --size 20000' 'phases --size 1' 'phases_task --size 1' 'map --size 200' \
	'server --size 500' 'burst --size 300' 'fib --size 25 --grain 10'; do
	"$filch" sim $program --cores 1,4 --json --policy random --probabilistic off --block-steal on >>"$work/rest"
done
"$filch" sim fib --size 28 --cores 4 --ask poll --json >>"$work/rest"
for bind in auto on off; do
	"$filch" sim fib --size 28 --cores 16 --bind $bind --json >>"$work/bind"
done
"$filch" sim fib --size 28 --cores 4 --topology 'package:2 core:2 pu:1' --json >"$work/far"
"$filch" sim fib --size 28 --cores 4 --topology 'package:2 core:2 pu:1' --cost far=20000 --json >"$work/farther"
python3 - "$work" <<'PYTHON'
import json, sys
def rows(name):
    return [json.loads(line) for line in open(sys.argv[1] + '/' + name)]
fib = rows('fib')
assert [r['cores'] for r in fib] == [1, 8]
assert abs(fib[0]['speedup'] - 1) < 0.02, fib[0]
assert fib[0]['steals'] == 0 and fib[0]['messages_per_steal'] is None, fib[0]
assert fib[1]['speedup'] > 6 and fib[1]['steals'] > 8 and fib[1]['asks'] > 0, fib[1]
assert abs(fib[0]['work_ns'] - fib[1]['work_ns']) < 1, fib
rest = rows('rest')
assert len(rest) == 17
for r in fib + rest:
    assert 0 < r['efficiency'] <= 1.001 and 1 <= r['busy_cores'] <= r['cores'], r
    assert (r['all_busy_ns'] is None) == (r['busy_cores'] < r['cores']), r
    assert r['counters']['stolen'] == r['steals'] and len(r['places']) <= 10, r
    assert sum(p['messages'] for p in r['places']) <= r['messages'], r
    assert [l['messages'] for l in r['lines']] == sorted((l['messages'] for l in r['lines']), reverse=True), r
    assert all('/' in p['place'] and not p['place'].startswith('/') for p in r['places']), r['places']
bind = rows('bind')
assert all(r['speedup'] > 4 for r in bind) and len({r['time_ns'] for r in bind}) == 3, bind
assert rest[-1]['signals'] == 0 and rest[-1]['steals'] > 0, rest[-1]
assert rows('far')[0]['time_ns'] < rows('farther')[0]['time_ns']
PYTHON

# Another queue, in a build that has it: every spawn is in it.
if [ -x "$FILCH_BUILD/filch-sim-chase_lev" ]; then
	sim fib --size 24 --cores 4 --json --queue chase_lev
	said '"queue": "chase_lev", .*"spawned": [1-9]'
else
	code=0
	"$filch" sim fib --size 24 --queue chase_lev 2>"$work/err" || code=$?
	[ $code = 2 ]
	grep -q '^filch sim: --queue chase_lev needs filch-sim-chase_lev' "$work/err"
fi

# A trace of the largest machine, in virtual time.
"$filch" sim fib --size 28 --cores 4,2 --top 0 --trace "$work/trace.json" >"$work/out"
python3 tests/cmd/trace.py "$work/trace.json" "len(workers) == 4" "arrows['steal'] > 0" "names['fib'] > 1"

# refused PATTERN ARGUMENT...
refused() {
	local pattern=$1 code=0
	shift
	"$filch" sim "$@" >"$work/out" 2>"$work/err" || code=$?
	if [ $code != 2 ] || ! grep -q -- "$pattern" "$work/err" || ! grep -q '^filch sim' "$work/err"; then
		echo "filch sim $*: exit code $code, and it said:"
		cat "$work/out" "$work/err"
		exit 1
	fi
}
refused 'which program? there are fib, uts,'
refused "there is no program 'fob'; there are fib" fob
refused "one program at a time, please; also given: 'uts'" fib uts
refused "unknown option, or an option without its value: '--nonsense'" fib --nonsense
refused "unknown option, or an option without its value: '--cores'" fib --cores
refused "--cores does not take '0'" fib --cores 0
refused "--cores does not take '1,1025'" fib --cores 1,1025
refused "--cores does not take '1,'" fib --cores 1,
refused "--size does not take 'x'" fib --size x
refused "fib takes a --size of up to 60, not '61'" fib --size 61
refused "--policy does not take 'x'" fib --policy x
refused "--ask does not take 'x'" fib --ask x
refused "--bind does not take 'x'" fib --bind x
refused "--queue does not take 'x'" fib --queue x
refused "--block-steal does not take 'maybe'" fib --block-steal maybe
refused "--top does not take '101'" fib --top 101
refused "'wake_up' is no cost; write NAME=NANOSECONDS" fib --cost wake_up
refused "nothing that has a cost is called 'x'" fib --cost x=1
refused "hwloc refuses the topology 'nonsense:1'" fib --topology nonsense:1 --cores 2
refused "has 4 processing units, but 8 cores" fib --topology 'package:2 core:2 pu:1' --cores 8
refused "'/nowhere/x', but no file can be made there" fib --trace /nowhere/x --cores 1 --size 15
FILCH_POLICY=x refused "FILCH_POLICY is 'x', but must be one of" fib --cores 1 --size 15
refused "does not take '--fast'" calibrate --fast

# Benchmarks, as filch bench has them, in virtual time: the same rows twice, and what takes longer is slower.
for cost in update=2 update=2 update=20; do
	sim bench queue --json --filter '^(owner|stolen10) (bwos_lifo|abp)$' --cost $cost
	mv "$work/out" "$work/bench.$cost.${n:=1}"
	n=$((n + 1))
done
cmp "$work/bench.update=2.1" "$work/bench.update=2.2"
sim bench pool --json --filter '^balance10 (bwos_lifo|locked)[+]nearest$' --workers 4 --cores 4
mv "$work/out" "$work/pool"
sim bench sched --json --quick
mv "$work/out" "$work/sched"
python3 - "$work" <<'PYTHON'
import json, sys
def value(name, bench, impl, metric):
    found = [r['value'] for r in map(json.loads, open(sys.argv[1] + '/' + name))
             if (r['bench'], r['impl'], r['metric']) == (bench, impl, metric)]
    assert len(found) == 1, (name, bench, impl, metric, found)
    return found[0]
fast = value('bench.update=2.1', 'owner', 'abp', 'throughput')
slow = value('bench.update=20.3', 'owner', 'abp', 'throughput')
assert 3 < fast / slow < 9, (fast, slow)
assert value('bench.update=2.1', 'owner', 'bwos_lifo', 'throughput') > 100
assert value('bench.update=2.1', 'stolen10', 'bwos_lifo', 'stolen') > 1
assert value('pool', 'balance10', 'bwos_lifo+nearest', 'throughput') > value('pool', 'balance10', 'locked+nearest', 'throughput')
assert value('sched', 'switch', 'filch@1', 'time') > value('sched', 'switch', 'fiber', 'time') > 0
assert value('sched', 'wake', 'filch@2', 'p50') < 5 # the caller does it itself
assert 3 < value('sched', 'wake_go', 'filch@2', 'p50') < 50
assert not [line for line in open(sys.argv[1] + '/sched') if 'thread' in line or 'strands' in line]
PYTHON
sim bench --help
said '^usage: filch sim bench queue|pool|sched'
sim bench pool --list
said '^pool/balance0 bwos_lifo+random$'
refused "name one of queue, pool and sched, not 'app'" bench app
refused "unknown, or without a value that it takes: '--nonsense'" bench pool --nonsense
refused "nothing matches the filter" bench pool --filter x

# Whatever the machine is like, what calibrate prints are options.
"$filch" sim calibrate >"$work/out" 2>"$work/err"
said '^update  *[0-9]'
options=$(sed -n 's/^filch sim PROGRAM //p' "$work/out")
[ -n "$options" ]
sim fib --size 20 --cores 2 $options
echo "filch sim simulates, and refuses what is wrong"
