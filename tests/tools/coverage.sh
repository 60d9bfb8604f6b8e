# SPDX-License-Identifier: MIT
# tools/coverage adds up what several programs ran, names what none did, and fails below its bar.
set -eu
command -v gcc >/dev/null && command -v gcov >/dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/tools" "$work/src/part" "$work/build-coverage"
cp tools/coverage "$work/tools"
cd "$work"

code=0
tools/coverage 2>err || code=$?
[ $code = 1 ]
grep -q 'make coverage' err

cat >src/part/half.h <<'C'
static inline int half(int n)
{
	if (n % 2)
		return -1;
	return n / 2;
}
C
cat >src/part/sign.c <<'C'
#include "half.h"

int sign(int n);
int sign(int n)
{
	if (n < 0)
		return -1;
	if (n > 0)
		return half(2);
	return 0;
}
C
cat >user.c <<'C'
#include "src/part/half.h"

int sign(int n);
int main(int argc, char **argv)
{
	(void)argv;
	return argc > 3 ? half(3) + 1 : sign(argc - 2) + 1;
}
C
cd build-coverage
gcc --coverage ../src/part/sign.c ../user.c -o user
./user || exit 1
cd ..

# Of 10 lines of code, 3 have been run: of sign() the first, of half() none.
code=0
tools/coverage >out 2>err || code=$?
[ $code = 1 ]
grep -qE '^src/part +10 +7 +30\.0 %$' out || { cat out; exit 1; }
grep -q '30.0 % of the lines of src/ were run, at least 90 %' err
tools/coverage --bar 30 >out
grep -q '^src/part/half.h' out
tools/coverage --lines src/part/sign.c >out
diff - out <<'END'
src/part/sign.c:8: 	if (n > 0)
src/part/sign.c:9: 		return half(2);
src/part/sign.c:10: 	return 0;
END

# Another run adds to it: the lines of either are run now; so does another program that
# includes the same header.
(cd build-coverage && ./user x || true)
(cd build-coverage && ./user x x || true)
(cd build-coverage && ./user x x x || true)
tools/coverage --bar 100 >out
grep -qE '^src +10 +0 +100\.0 %$' out

# What is compiled, but in no program, counts as well.
printf 'int never(void);\nint never(void)\n{\n\treturn 1;\n}\n' >src/part/never.c
(cd build-coverage && gcc --coverage -c ../src/part/never.c)
tools/coverage --bar 80 >out
grep -qE '^src +12 +2 +83\.3 %$' out || { cat out; exit 1; }
echo "lines are added up"
