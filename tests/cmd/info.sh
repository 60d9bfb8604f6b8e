# SPDX-License-Identifier: MIT
# filch info: says what there is and where each setting comes from, for people and as JSON; wrong
# settings and wrong calls are refused with exit code 2 and a message that says what was wrong.
set -eu
filch=$FILCH_BUILD/filch
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for name in $(env | sed -n 's/^\(FILCH_[A-Z_]*\)=.*/\1/p'); do
	unset "$name"
done

# said PATTERN: the last output has a line with it.
said() {
	if ! grep -q -- "$1" "$work/out"; then
		echo "no '$1' in:"
		cat "$work/out"
		exit 1
	fi
}

"$filch" info >"$work/out"
said '^filch [0-9]'
said '^build  *[a-z0-9_]* switch, .* sanitizer, assertions o'
said '^processors  *[0-9]* online, [0-9]* by affinity, '
said '^topology  *packages [0-9]*, NUMA nodes [0-9]*, cores [0-9]*, processing units [1-9]'
said '^stack guards  *\(marker\|protected\|none\) '
said '^workers  *[0-9]*  *default: .*affinity ([0-9]* of [0-9]* online)'
said '^policy  *nearest  *default$'
said '^stack_size  *[0-9]*[MG]  *default$'
said '^topology  *this machine  *default$'
said '^bind  *auto  *default: \(no effect: \|workers return to one of [0-9]* groups of processors each$\)'
said '^io  *auto  *default: \(uring, which the kernel allows\|helper threads for files, \)'
said '^helpers  *64  *default$'
said '^trace  *none  *default$'

# One processor is one worker, however many there are.
if taskset -c 0 true 2>/dev/null; then
	taskset -c 0 "$filch" info >"$work/out"
	said '^workers  *1  *default: affinity (1 of'
	said '^bind  *auto  *default: no effect: '
fi

FILCH_WORKERS=3 FILCH_STACK_SIZE=48K FILCH_POLICY=last FILCH_SIGNAL=RTMIN+3 FILCH_ASK=signal \
	FILCH_TOPOLOGY='package:2 core:2 pu:2' FILCH_BLOCK_STEAL=on "$filch" info >"$work/out"
said '^workers  *3  *FILCH_WORKERS$'
said '^stack_size  *48K  *FILCH_STACK_SIZE$'
said '^policy  *last  *FILCH_POLICY$'
said '^block_steal  *on  *FILCH_BLOCK_STEAL$'
said '^signal  *RTMIN+3  *FILCH_SIGNAL$'
said 'packages 2, .*cores 4, processing units 8 (synthetic)$'
FILCH_BIND=on FILCH_TOPOLOGY='package:2 core:2 pu:2' "$filch" info >"$work/out"
said '^bind  *on  *FILCH_BIND: workers are bound to one of 2 groups of processors each$'
FILCH_ASK=poll "$filch" info >"$work/out"
said '^signal  *none  *default$'

"$filch" info --json >"$work/json"
FILCH_WORKERS=7 FILCH_TOPOLOGY='pu:4' FILCH_PROBABILISTIC=on \
	"$filch" info --json >"$work/json2"
python3 - "$work/json" "$work/json2" <<'PYTHON'
import json, sys
first, second = (json.load(open(name)) for name in sys.argv[1:])
assert list(first) == ['version', 'build', 'processors', 'topology', 'stack_guards', 'settings']
assert 1 <= first['processors']['affinity'] <= first['processors']['online'], first
quota = first['processors']['quota']
usable = min(first['processors']['affinity'], quota or 1024)
s = first['settings']
assert len(s) == 15 and all(v['from'] == 'default' for v in s.values()), s
assert s['workers']['value'] == usable and 'affinity' in s['workers']['why'], s
assert s['stack_size']['value'] >= 1 << 20 and s['block_size']['value'] == 64, s
assert s['probabilistic']['value'] is False and s['block_steal']['value'] is False, s
assert s['signal']['value'] is None and s['topology']['value'] is None, s
s = second['settings']
assert s['workers'] == {'value': 7, 'from': 'FILCH_WORKERS'}, s
assert s['topology'] == {'value': 'pu:4', 'from': 'FILCH_TOPOLOGY'}, s
assert s['probabilistic'] == {'value': True, 'from': 'FILCH_PROBABILISTIC'}, s
assert second['topology']['processing_units'] == 4, second
PYTHON
"$filch" info --help >"$work/out"
said '^  FILCH_STACK_SIZE  *a size from 16K'
"$filch" --help >"$work/out"
said 'filch info'

# refused PATTERN ARGUMENT...
refused() {
	local pattern=$1 code=0
	shift
	"$filch" info "$@" >"$work/out" 2>"$work/err" || code=$?
	if [ $code != 2 ] || ! grep -q -- "$pattern" "$work/err" || [ -s "$work/out" ]; then
		echo "filch info $*: exit code $code, and it said:"
		cat "$work/out" "$work/err"
		exit 1
	fi
}
refused "does not take '--jsno'" --jsno
refused "does not take 'more'" --json more
FILCH_WORKERS=two refused "FILCH_WORKERS is 'two', but must be a number from 1 to 1024"
FILCH_POLICY=x refused "FILCH_POLICY is 'x', but must be one of: random "
FILCH_ASK=x refused "FILCH_ASK is 'x', but must be signal or poll" --json
FILCH_BIND=1 refused "FILCH_BIND is '1', but must be auto, on or off"
FILCH_TOPOLOGY=nonsense:1 refused "FILCH_TOPOLOGY is 'nonsense:1', but must be a topology that hwloc"
echo "filch info says what there is, and refuses what is wrong"
