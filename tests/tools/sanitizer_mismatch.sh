# SPDX-License-Identifier: MIT
# A program that was compiled with a sanitizer, and linked with a library that was not, says so once, in one line, when
# it starts; one that fits its library says nothing.
set -eu
library=$FILCH_BUILD/libfilch.a
[ -f "$library" ] || exit 77
if nm "$library" 2>/dev/null | grep -qE ' __(asan|tsan)_'; then exit 77; fi # a sanitizer build
if nm "$library" 2>/dev/null | grep -q __gcov; then exit 77; fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo 'int main(void) { return 0; }' | "$CC" -x c - -fsanitize=address -o "$work/none" 2>/dev/null || exit 77
"$work/none" || exit 77 # no such sanitizer here, or it cannot run

cat >"$work/one.c" <<'END'
#include <filch/task.h>
#include <stdio.h>
FILCH_TASK(int, twice, (int, n))
{
	return 2 * n;
}
int other(void);
int main(void)
{
	printf("%d\n", FILCH_RUN(twice, 20) + other());
	return 0;
}
END
cat >"$work/two.c" <<'END'
#include <filch/task.h>
int other(void);
int other(void)
{
	return 2;
}
END
says() { # says FLAGS...: builds and runs the program; what it says on standard error is in $work/err
	local libraries
	libraries=$(pkg-config --libs hwloc liburing 2>/dev/null || true)
	# shellcheck disable=SC2086 # a list
	"$CC" -O1 "$@" -Iinclude "$work/one.c" "$work/two.c" "$library" $libraries -lpthread -lm -o "$work/program"
	FILCH_WORKERS=1 "$work/program" >"$work/out" 2>"$work/err"
	grep -qx 42 "$work/out"
}
expect() {
	grep -q "$1" "$work/err" && [ "$(wc -l <"$work/err")" = 1 ] && return
	echo "expected one line: $1; it said:"
	cat "$work/err"
	exit 1
}
says
if [ -s "$work/err" ]; then
	echo "a program without a sanitizer says:"
	cat "$work/err"
	exit 1
fi
says -fsanitize=address
expect '^filch: the program was compiled with AddressSanitizer, its Filch library with no sanitizer: .*-DFILCH_SANITIZE=address$'
