# SPDX-License-Identifier: MIT
# docs/algorithms.md has every function of the algorithms' headers, and names files that exist.
set -eu
for header in for reduce scan find filter histogram sort pipeline memory; do
	grep -q "filch/$header.h" docs/algorithms.md
	for function in $(grep -ohE '^[a-z].* \*?filch_[a-z0-9_]+\(' "include/filch/$header.h" | grep -oE 'filch_[a-z0-9_]+'); do
		grep -q "\b$function\b" docs/algorithms.md || { echo "$function is not in docs/algorithms.md"; exit 1; }
	done
done
for file in $(grep -oE 'examples/[a-z0-9_]+\.cc?' docs/algorithms.md) $(grep -oE 'filch/[a-z_]+\.h' docs/algorithms.md | sed 's|^|include/|'); do
	[ -e "$file" ] || { echo "docs/algorithms.md names $file, which is not there"; exit 1; }
done
