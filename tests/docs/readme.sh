# SPDX-License-Identifier: MIT
# The README opens with a program of at most 15 lines, which is examples/queue.c and runs.
set -eu
program=$(awk '/^```c$/ { on = 1; next } /^```$/ { if (on) exit } on' README.md)
diff <(echo "$program") examples/queue.c
[ "$(wc -l <examples/queue.c)" -le 15 ]
[ "$(grep -n '^```' README.md | head -n 1 | cut -d: -f2)" = '```c' ] # the first block of all
output=$("$FILCH_BUILD/example_queue")
echo "$output"
[ "$output" = "the owner got 100, a thief took 1" ]
grep -qF "$output" README.md
for target in demo check; do
	grep -q "make $target" README.md
done
