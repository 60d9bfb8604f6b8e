# SPDX-License-Identifier: MIT
# The model checker's command line, and that verify/run fails when it should.
set -eu
build=${FILCH_BUILD:?}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --build "$build" --target verify_litmus_mp verify_litmus_sb_sc verify_broken_race >"$work/log" 2>&1 ||
	{ cat "$work/log"; exit 1; }
mp=$build/verify/litmus/mp race=$build/verify/broken/race

# The operations that clients are compiled with are those of src/base/atomic.h, with the same orders.
names() { sed -nE 's/^#define ([a-z]+_(rlx|acq_rel|acq|rel|sc))\(.*/\1/p' "$1" | sort; }
names src/base/atomic.h >"$work/ours"
names verify/explore/map/base/atomic.h >"$work/map"
diff "$work/ours" "$work/map"
join() { sed -E ':a;/\\$/{N;s/\\\n//;ba}' "$1"; }
while read -r op; do # e.g. cas_rel: memory_order_release there, REL here
	order=$(echo "$op" | sed -E 's/^[a-z]+_//')
	long=$(echo "$order" | sed 's/rlx/relaxed/; s/acq_rel/ACQREL/; s/^acq$/acquire/; s/^rel$/release/; s/ACQREL/acq_rel/; s/^sc$/seq_cst/')
	short=$(echo "$order" | tr a-z A-Z)
	join src/base/atomic.h | grep -q "^#define $op(.*memory_order_$long"
	join verify/explore/map/base/atomic.h | grep -Eq "^#define $op\(.*(, |_)$short[,)]"
done <"$work/ours"

# Executions are counted, a failure is told with its places, and its seed brings it back.
"$mp" --exact | grep -q 'ok executions=3 .*outcomes=3'
code=0; "$race" >"$work/out" || code=$?
[ $code = 1 ]
grep -q 'data race on .* read by reader at .*race.c:[0-9]*, unordered with write by main at .*race.c:' "$work/out"
grep -q 'load_acq .*verify/broken/race.c:[0-9]' "$work/out"
seed=$(sed -n 's/^seed: //p' "$work/out")
code=0; "$race" --replay "$seed" >"$work/again" || code=$?
[ $code = 1 ]
grep -q 'FAILED after 0 executions: data race' "$work/again"

# Weakened, a litmus test fails; the wrong line weakens nothing.
line=$(grep -n store_rel verify/litmus/mp.c | head -1 | cut -d: -f1)
code=0; "$mp" --weaken "verify/litmus/mp.c:$line:store_rel" >"$work/out" || code=$?
[ $code = 1 ]
grep -q 'CHECK.*does not hold' "$work/out"
"$mp" --weaken "verify/litmus/mp.c:1" | grep -q ' ok '
sb=$build/verify/litmus/sb_sc
"$sb" | grep -q 'outcomes=3'
line=$(grep -n 'THREAD(1' verify/litmus/sb_sc.c | cut -d: -f1)
code=0; "$sb" --weaken "verify/litmus/sb_sc.c:$line:store_sc" >"$work/out" || code=$?
[ $code = 1 ]
code=0; "$sb" --weaken "verify/litmus/sb_sc.c:$line:store_sc" --replay "$(sed -n 's/^seed: //p' "$work/out")" >"$work/again" || code=$?
[ $code = 1 ]
grep -q 'FAILED after 0 executions: CHECK' "$work/again"

# Bad use.
bad() { # bad TEXT OPTION...: exits with 2 and says so
	local text=$1 code=0
	shift
	"$mp" "$@" >"$work/out" 2>&1 || code=$?
	[ $code = 2 ] && grep -q -- "$text" "$work/out"
}
bad "unknown option '--nonsense'" --nonsense
bad '--limit needs a value' --limit
bad "--preemptions needs a number, not 'x'" --preemptions x
bad '--weaken needs FILE:LINE' --weaken nothing
code=0; "$mp" --limit 1 >"$work/out" || code=$?
[ $code = 3 ]
grep -q incomplete "$work/out"

# verify/run, on a copy of the tree whose tables are changed.
mkdir "$work/tree"
cp -r verify src tools "$work/tree"
table() { printf '%s\n' "$1" >"$work/tree/verify/clients"; }
runs() { (cd "$work/tree" && verify/run --build "$build" "$@") >"$work/out" 2>&1; }
table 'quick litmus/mp 3 3 --exact'
runs --filter mp
grep -q 'holds' "$work/out"
runs --filter mp --json
grep -q '"bench": "orders", "impl": "abp", "metric": "seq_cst", "value": [1-9]' "$work/out"
grep -q '"bench": "litmus/mp", "impl": "", "metric": "executions", "value": 3' "$work/out"
table 'quick litmus/nosuchtest 3 3 --exact'
if runs --json; then exit 1; fi
grep -q 'nosuchtest: .* is not built' "$work/out"
table 'quick litmus/mp 300 3 --exact'
if runs --filter mp; then exit 1; fi
grep -q 'VACUOUS' "$work/out"
table 'quick litmus/mp 3 4 --exact'
if runs --filter mp; then exit 1; fi
grep -q 'WRONG: 3 outcomes instead of 4' "$work/out"
table 'quick broken/race 0 -'
if runs --filter race; then exit 1; fi
grep -q 'FAILED' "$work/out"
table 'broken broken/race 0 -'
runs --filter race
grep -q 'fails, as it must' "$work/out"
table 'quick litmus/mp 3 3 --exact'
: >"$work/tree/verify/twins"
if runs; then exit 1; fi
grep -q 'NO TWIN' "$work/out"
code=0; runs --filter nothing || code=$?
[ $code = 2 ]

# Without genmc, verify/genmc says so.
code=0; PATH=/usr/bin:/bin verify/genmc 2>"$work/err" || code=$?
[ $code = 2 ]
grep -q 'there is no `genmc` on PATH' "$work/err"
