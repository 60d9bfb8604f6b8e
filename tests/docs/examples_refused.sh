# SPDX-License-Identifier: MIT
# Every example checks what it calls: where memory is refused now and then, it prints what it should, or
# says what is wrong and fails. None crashes, and none fails without a word.
set -eu
# Counting lines needs memory before main(), and does not check that it gets some.
! grep -q '^FILCH_COVERAGE:BOOL=ON' "$FILCH_BUILD/CMakeCache.txt" || exit 77
if grep -q '^FILCH_SANITIZE:[A-Z]*=.' "$FILCH_BUILD/CMakeCache.txt"; then
	echo "examples_refused: the memory is the sanitizer's" >&2
	exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"${CC:-gcc}" -D_GNU_SOURCE -shared -fPIC -O1 -o "$work/faults.so" tests/soak/faults.c -ldl
if ! LD_PRELOAD="$work/faults.so" "$FILCH_BUILD/example_fib" >"$work/out" 2>&1; then
	echo "examples_refused: nothing can be preloaded into programs of this build" >&2
	exit 77
fi
failed=0 refused=0
for source in examples/*.c; do
	name=$(basename "${source%.c}")
	for one_in in 2 2 3 3 5 8 20 60; do
		status=0
		(SOAK_REFUSE=$one_in LD_PRELOAD="$work/faults.so" \
			"$FILCH_BUILD/example_$name") >"$work/out" 2>"$work/err" || status=$?
		case $status in
		0) diff "tests/docs/examples/$name.txt" "$work/out" && continue ;;
		1) refused=$((refused + 1)); [ -s "$work/err" ] || [ -s "$work/out" ] && continue ;;
		134) refused=$((refused + 1)); grep -q '^filch: .*does not start' "$work/err" && continue ;;
		esac
		echo "example_$name, one in $one_in refused, ends with $status:" >&2
		cat "$work/out" "$work/err" >&2
		failed=1
	done
done
echo "examples_refused: $refused runs were refused what they needed"
[ "$refused" -gt 0 ] && exit "$failed"
