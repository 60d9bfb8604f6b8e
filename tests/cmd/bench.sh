# SPDX-License-Identifier: MIT
# filch bench: every row that a suite promises is there and is JSON; wrong calls are refused with
# exit code 2 and a message that says what was wrong.
set -eu
filch=$FILCH_BUILD/filch
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# rows FILE SUITE 'bench impl to metric'...: all are in the file, which is JSON to the last line.
rows() {
	python3 - "$@" <<'PYTHON'
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
assert rows, 'no rows'
have = {(r['bench'], r['impl'], r.get('to', '-'), r['metric']) for r in rows}
for r in rows:
    assert r['suite'] == sys.argv[2], r
    assert isinstance(r['value'], (int, float)) and r['value'] >= 0, r
    assert 'to' in r or 'unit' in r, r
for want in sys.argv[3:]:
    assert tuple(want.split()) in have, 'no row ' + want
print(len(rows), 'rows of', sys.argv[2])
PYTHON
}

"$filch" bench queue --json --rounds 1 --slice-ms 2 >"$work/queue"
rows "$work/queue" queue \
	'owner bwos_lifo - throughput' 'owner ideal_fifo - put' \
	'owner bwos_lifo ideal_lifo speedup' 'owner bwos_fifo ideal_fifo speedup' \
	'owner bwos_lifo chase_lev speedup' 'owner bwos_lifo abp speedup' \
	'owner bwos_fifo runq speedup' \
	'stolen10 bwos_lifo abp speedup' 'stolen10 bwos_lifo chase_lev speedup' \
	'stolen20 bwos_lifo bwos_lifo@0 speedup' 'stolen20 bwos_fifo bwos_fifo@0 speedup' \
	'stolen20 abp - stolen' 'stolen20 abp - ok' 'stolen20 locked - empty' 'stolen20 runq - lost' \
	'stolen20 bwos_fifo - steal_p50' 'stolen20 bwos_fifo - steal_p99' \
	'spine bwos_lifo@worst bwos_lifo@best overhead' \
	'spine bwos_lifo@worst chase_lev overhead'
"$filch" bench queue --json --rounds 1 --slice-ms 2 --filter '^hz' --steal-hz 100000 \
	--thieves 2 --capacity 1024 --block-size 64 >"$work/hz"
rows "$work/hz" queue 'hz100000 bwos_lifo - steal'
"$filch" bench pool --json --rounds 1 --slice-ms 2 >"$work/pool"
rows "$work/pool" pool \
	'balance0 bwos_lifo+random - throughput' 'balance10 abp+best_of_many+prob - stolen' \
	'balance100 bwos_lifo+nearest+prob abp+nearest+prob speedup' \
	'balance100 bwos_lifo+nearest+prob bwos_lifo+nearest speedup' 'balance0 abp+nearest abp+random speedup' \
	'balance100 bwos_fifo+last runq+last speedup' 'balance10 bwos_fifo+sequential - throughput' \
	'balance10 locked+best_of_two+prob - throughput'

"$filch" bench --list >"$work/list"
grep -q '^queue/spine bwos_lifo@64$' "$work/list"
grep -q '^pool/balance10 bwos_fifo+nearest+prob$' "$work/list"
"$filch" bench queue --list --filter '^owner bwos' >"$work/list"
[ "$(wc -l <"$work/list")" = 2 ]
"$filch" bench --help | grep -q -- '--steal-hz'
"$filch" --version | grep -q '^filch [0-9]'

# refused PATTERN ARGUMENT...
refused() {
	local pattern=$1 code=0
	shift
	"$filch" "$@" >"$work/out" 2>"$work/err" || code=$?
	if [ $code != 2 ] || ! grep -q -- "$pattern" "$work/err" || [ -s "$work/out" ]; then
		echo "filch $*: exit code $code, and it said:"
		cat "$work/out" "$work/err"
		exit 1
	fi
}
refused 'no command .benhc' benhc
refused 'usage' ''
refused 'which suite' bench
refused 'not .queu' bench queu
refused 'also given: .pool' bench queue pool
refused 'unknown option' bench queue --fast
refused 'unknown option, or an option without its value' bench queue --thieves
refused 'thieves does not take .many' bench queue --thieves many
refused 'rounds does not take .0' bench queue --rounds 0
refused 'stolen does not take .150' bench queue --stolen 150
refused 'filter does not take' bench queue --filter '('
refused 'block size must be a power of two' bench queue --block-size 24
refused 'number of blocks must be a power of two' bench queue --blocks 3 --block-size 8
refused 'block size must be a power of two' bench pool --capacity 1000
"$filch" bench pool --list --capacity 512 --block-size 16 >/dev/null
refused 'hwloc cannot read the topology' bench pool --topology 'nonsense:1'
refused 'capacity is not block size times' bench queue --capacity 1024 --blocks 8 --block-size 64
refused 'thieves belongs to the suite queue' bench pool --thieves 2
refused 'workers belongs to the suite pool' bench queue --workers 2
refused 'workers does not take .1' bench pool --workers 1
refused 'one or the other' bench queue --stolen 5 --steal-hz 100
refused 'stolen does not take .0' bench queue --stolen 0
refused 'nothing matches' bench queue --filter nosuchthing
echo "wrong calls are refused"
