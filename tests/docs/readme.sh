# SPDX-License-Identifier: MIT
# The README opens with a program of at most 15 lines, which is examples/fib.c and runs; so do the others.
set -eu
program=$(awk '/^```c$/ { on = 1; next } /^```$/ { if (on) exit } on' README.md)
diff <(echo "$program") examples/fib.c
[ "$(wc -l <examples/fib.c)" -le 15 ]
[ "$(grep -n '^```' README.md | head -n 1 | cut -d: -f2)" = '```c' ] # the first block of all
output=$("$FILCH_BUILD/example_fib")
echo "$output"
[ "$output" = "fib(35) = 9227465" ]
grep -qF "$output" README.md
[ "$("$FILCH_BUILD/example_queue")" = "the owner got 100, a thief took 1" ]
[ "$("$FILCH_BUILD/example_group")" = "found 123456789" ]
[ "$("$FILCH_BUILD/example_echo")" = "100 of 100 clients heard their echo" ]
[ "$("$FILCH_BUILD/example_future")" = "$(printf 'the answer is 42\nnobody answers in 5 ms')" ]
[ "$("$FILCH_BUILD/example_channel")" = "6171 takes 261 steps" ]

# The second program is part of examples/echo.c.
python3 - <<'PYTHON'
import re
blocks = re.findall(r'^```c\n(.*?)^```', open('README.md').read(), re.M | re.S)
assert len(blocks) == 2 and blocks[1] in open('examples/echo.c').read(), blocks[1:]
PYTHON
for target in demo check; do
	grep -q "make $target" README.md
done
