# SPDX-License-Identifier: MIT
# The operations that the simulator's map has are those of src/base/atomic.h, and each tells its own name.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
names() { sed -nE 's/^#define ([a-z]+_(rlx|acq_rel|acq|rel|sc))\(.*/\1/p' "$1" | sort; }
names src/base/atomic.h >"$work/ours"
names sim/map/base/atomic.h >"$work/map"
[ -s "$work/ours" ]
diff "$work/ours" "$work/map"
while read -r op; do
	[ "$op" = fence_sc ] || grep -Eq "^#define $op\(.*[A-Z]+_\(\"$op\"," sim/map/base/atomic.h ||
		{ echo "sim/map/base/atomic.h: $op does not report itself as $op"; exit 1; }
done <"$work/ours"

# Whatever the map replaces exists, and has the functions of the original.
for map in sim/map/base/*.h; do
	original=src/base/${map##*/}
	[ -f "$original" ] || { echo "$map: there is no $original"; exit 1; }
	for name in $(grep -oE '\bfilch__[a-z_]+\(' "$original" | sort -u | tr -d '('); do
		grep -q "include_next" "$map" || grep -q "$name(" "$map" ||
			{ echo "$map: $name() of $original is missing"; exit 1; }
	done
done
