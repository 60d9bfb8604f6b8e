# SPDX-License-Identifier: MIT
# tools/soak: runs what a build has, tells of each failure, crash and hang with how to have it again, and the
# same seed makes the same runs. Stand-ins take the place of the programs.
set -eu
for needed in cc prlimit; do command -v $needed >/dev/null || exit 77; done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# program NAME BODY: a stand-in.
program() {
	mkdir -p "$(dirname "$work/$1")"
	printf '#!/bin/sh\n%s\n' "$2" >"$work/$1"
	chmod +x "$work/$1"
}
soak() { CC=${CC:-cc} tools/soak --build "$work" --jobs 2 --patience 5 "$@"; }

code=0
soak --minutes 0.01 2>"$work/err" || code=$?
[ $code = 1 ]
grep -q 'nothing to run.*make soak' "$work/err"

program tests/stress_good 'echo seed $FILCH_SEED'
program tests/unit_skipped 'exit 77'
soak --minutes 0.02 --seed 3 >"$work/out"
grep -q '0 failed (seed 3)' "$work/out"
[ -z "$(ls "$work/soak" | grep run- || true)" ]

program tests/stress_bad 'echo "what went wrong" >&2; exit 3'
code=0
soak --minutes 0.02 --seed 3 >"$work/out" || code=$?
[ $code = 1 ]
grep -q '^FAILED: run [0-9]*, tests/stress_bad .*: ended with 3: what went wrong' "$work/out"

# The line that is printed has it again, and only it.
again=$(sed -n 's/^  again:  //p' "$work/out" | head -1)
number=$(sed -n 's/^FAILED: run \([0-9]*\),.*/\1/p' "$work/out" | head -1)
code=0
$again >"$work/out" || code=$?
[ $code = 1 ]
grep -q "^FAILED: run $number, tests/stress_bad" "$work/out"
grep -q '^soak: 1 runs of 1 programs, 1 failed' "$work/out"

rm "$work/tests/"*
program tests/stress_crash 'kill -SEGV $$'
code=0
soak --minutes 0.01 >"$work/out" || code=$?
[ $code = 1 ]
grep -q 'ended by SIGSEGV' "$work/out"

rm "$work/tests/"*
program tests/stress_hang 'while :; do sleep 1; done'
code=0
soak --minutes 0.001 --patience 1 >"$work/out" || code=$?
[ $code = 1 ]
grep -q 'hangs: not done after [0-9]* s' "$work/out"

# What an example prints is looked at.
rm "$work/tests/"*
program example_fib 'echo "fib(35) = 4"'
code=0
soak --minutes 0.02 >"$work/out" || code=$?
[ $code = 1 ]
grep -q 'prints something else' "$work/out"
echo "failures are told"
