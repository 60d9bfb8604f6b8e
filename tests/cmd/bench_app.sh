# SPDX-License-Identifier: MIT
# filch bench app: every row that the suite promises is there and is JSON; a peer that is not built is
# named; a wrong answer would end the run.
set -eu
filch=$FILCH_BUILD/filch
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# rows FILE 'bench impl to metric'...: all are in the file, which is JSON to the last line.
rows() {
	python3 - "$@" <<'PYTHON'
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
have = {(r['bench'], r['impl'], r.get('to', '-'), r['metric'].replace(' ', '_')) for r in rows}
for r in rows:
    assert r['suite'] == 'app' and r['value'] >= 0 and ('to' in r or 'unit' in r), r
for want in sys.argv[2:]:
    assert tuple(want.split()) in have, 'no row ' + want
PYTHON
}
# The same for rows of Filch with another queue, in builds that have these (FILCH_KINDS).
kind_rows() {
	[ ! -x "$FILCH_BUILD/filch-bench-chase_lev" ] || rows "$@"
}
run() { "$filch" bench app --json --quick --rounds 1 --filter "$@" 2>"$work/err"; }

# All eight, so that there is a mean.
run ' (serial|filch@[128])$' >"$work/core"
for bench in fib integrate jacobi matmul nqueens quicksort lu heat uts spawn tree1023 tree16m; do
	rows "$work/core" "$bench serial - time" "$bench filch@2 - tasks" "$bench filch@2 - steal_ratio" \
		"$bench filch@1 serial overhead" "$bench filch@2 serial speedup" "$bench filch@8 filch@2 overhead"
done
rows "$work/core" 'mean8 filch@1 serial overhead' 'mean8 filch@2 serial speedup' 'tree1023 filch@2 filch@1 overhead'
# fib by each compiler, or its name.
for compiled in fib_gcc_O2 fib_gcc_O3 fib_clang_O2 fib_clang_O3; do
	grep -q "^$compiled: left out" "$work/err" || rows "$work/core" "$compiled filch@1 serial overhead"
done

run '^quicksort ' >"$work/quicksort"
rows "$work/quicksort" 'quicksort poll@1 serial overhead'
kind_rows "$work/quicksort" \
	'quicksort eager_bwos_lifo@2 - time' 'quicksort eager_bwos_fifo@2 - time' \
	'quicksort eager_chase_lev@2 - time' 'quicksort eager_abp@2 - time' 'quicksort eager_runq@2 - time' \
	'quicksort eager_locked@2 serial speedup' 'quicksort bwos_lifo@8 - time' \
	'quicksort bwos_lifo@256 serial speedup' 'quicksort bwos_lifo@worst chase_lev@best overhead'

run '^nqueens_small ' --stats --workers 3 >"$work/small"
rows "$work/small" 'nqueens_small filch@3 - exposed'
kind_rows "$work/small" 'nqueens_small eager_abp@3 - stolen'

# One worker: each variant once, compared by its overhead.
run '^(fib|fib_small) ' --workers 1 >"$work/one"
rows "$work/one" 'fib filch@1 serial overhead' 'fib_small filch@1 serial overhead'
kind_rows "$work/one" 'fib_small eager_abp@1 serial overhead'
[ "$(grep -c '"bench":"fib","impl":"filch@1","metric":"time"' "$work/one")" = 1 ]

# Peers: their rows, or their names.
for peer in openmp libomp tbb chase_lev; do
	if [ -x "$FILCH_BUILD/filch-bench-$peer" ]; then
		[ $peer = chase_lev ] ||
			rows "$work/small" "nqueens_small $peer@3 serial speedup" "nqueens_small filch@3 $peer@3 speedup"
	else
		grep -q "^$peer: not built in; make peers" "$work/err"
	fi
done

# Curves: powers of two and the last step, each compared with the serial program, which a filter does not leave out; a
# program of the simulator as well. For people they are a table.
run '^(fib|sim_(fib|uts|loop|phases|phases_task|map|server)) filch@[13]$' --scaling --workers 3 --stats >"$work/curves"
for bench in fib sim_fib sim_uts sim_loop sim_phases sim_phases_task sim_map sim_server; do
	rows "$work/curves" "$bench serial - time" "$bench filch@1 serial speedup" "$bench filch@3 - efficiency" \
		"$bench filch@3 - stolen"
done
if grep -q 'filch@2' "$work/curves"; then exit 1; fi
[ "$(nproc)" -ge 3 ] || grep -q 'more than . workers share processors' "$work/err"
"$filch" bench app --scaling --quick --rounds 1 --filter '^fib ' --workers 2 >"$work/table"
grep -q '^app/fib: serial [0-9.e-]* s$' "$work/table"
grep -Eq '^ +2 +[0-9.]+ +[0-9.]+ +[0-9.e-]+  #*$' "$work/table"
taskset -c "$(taskset -cp $$ | sed 's/.*: \([0-9]*\).*/\1/')" "$filch" bench app --scaling --list --filter '^uts ' >"$work/list"
printf 'app/uts %s\n' serial filch@1 | cmp - "$work/list"
"$filch" bench app --scaling --list --filter '^uts ' --workers 12 >"$work/list"
printf 'app/uts %s\n' serial filch@1 filch@2 filch@4 filch@8 filch@12 | cmp - "$work/list"
if "$filch" bench queue --scaling 2>"$work/err"; then exit 1; fi
grep -q 'scaling belongs to the suite app, not to .queue' "$work/err"

"$filch" bench app --list 2>/dev/null >"$work/list"
grep -q '^app/fib filch@8$' "$work/list"
if "$filch" bench app --thieves 2 2>"$work/err"; then exit 1; fi
grep -q 'thieves belongs to the suite queue, not to .app' "$work/err"
if "$filch" bench queue --stats 2>"$work/err"; then exit 1; fi
grep -q 'stats belongs to the suite app, not to .queue' "$work/err"
echo "every row is there"
