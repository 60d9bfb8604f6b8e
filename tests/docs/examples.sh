# SPDX-License-Identifier: MIT
# Every example runs and prints what tests/docs/examples says.
set -eu
for source in examples/*.c examples/*.cc; do
	[ -e "$source" ] || continue
	name=$(basename "${source%.*}")
	case $source in *.cc) [ -e "$FILCH_BUILD/example_$name" ] || continue ;; esac # no C++ compiler
	echo "$name"
	output=$("$FILCH_BUILD/example_$name")
	diff "tests/docs/examples/$name.txt" - <<<"$output"
done
