# SPDX-License-Identifier: MIT
# The README opens with a program of at most 15 lines, which is examples/fib.c and runs.
set -eu
program=$(awk '/^```c$/ { on = 1; next } /^```$/ { if (on) exit } on' README.md)
diff <(echo "$program") examples/fib.c
[ "$(wc -l <examples/fib.c)" -le 15 ]
[ "$(grep -n '^```' README.md | head -n 1 | cut -d: -f2)" = '```c' ] # the first block of all
output=$("$FILCH_BUILD/example_fib")
echo "$output"
[ "$output" = "fib(35) = 9227465" ]
grep -qF "$output" README.md

# The others are parts of examples.
python3 - <<'PYTHON'
import glob
import re
blocks = re.findall(r'^```c\n(.*?)^```', open('README.md').read(), re.M | re.S)
examples = [open(name).read() for name in glob.glob('examples/*.c')]
assert len(blocks) == 3, len(blocks)
for block in blocks:
    assert any(block in example for example in examples), block
PYTHON
for target in demo check; do
	grep -q "make $target" README.md
done
