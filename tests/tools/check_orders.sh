# SPDX-License-Identifier: MIT
# tools/check-orders passes on the tree as it is, and catches each kind of planted fault.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

tools/check-orders

fresh() {
	rm -rf "$work/src"
	cp -r src "$work/src"
}

# expect NAME PATTERN: the copy must be refused with a message that matches.
expect() {
	if tools/check-orders "$work" >"$work/out"; then
		echo "not caught: $1"
		exit 1
	fi
	if ! grep -qE "$2" "$work/out"; then
		echo "caught, but not for the right reason: $1"
		cat "$work/out"
		exit 1
	fi
	echo "caught: $1"
}

fresh
printf 'static inline int f(_Atomic(int) *p)\n{\n\treturn load_acq(p);\n}\n' >>"$work/src/queue/block.h"
expect "an ordered access without a tag" 'block.h:[0-9]+: load_acq has no edge tag'

fresh
sed -i 's/return load_acq(&b->done) == b->claimed;/return load_rlx(\&b->done) == b->claimed;/' \
	"$work/src/queue/block.h"
expect "an edge that lost its acquire" 'edge B2 has only its release end'

fresh
sed -i 's/add_rel(&c.block->done/add_rlx(\&c.block->done/' "$work/src/queue/block.h"
expect "an edge that lost its release" 'edge B2 has only its acquire end'

fresh
sed -i '/^| B3 |/d' "$work/src/queue/README.md"
expect "a tag without a row" 'edge B3 has no row'

fresh
printf '| Z9 | nobody | nobody | nothing |\n' >>"$work/src/queue/README.md"
expect "a row without an access" 'row Z9, but no access names it'

fresh
sed -i 's/B4 release: pairs/B4 acquire: pairs/' "$work/src/queue/order.c"
expect "a tag on the wrong side" 'B4 acquire, but store_rel has no such side'

fresh
sed -i 's/store_sc(&q->bottom, b);/store_rel(\&q->bottom, b);/' "$work/src/queue/chase_lev.h"
expect "a store-buffering pair that was weakened" 'C3 seq_cst, but store_rel has no such side'

fresh
printf 'static inline int g(_Atomic(int) *p)\n{\n\n\treturn load_rlx(p);\n}\n' >>"$work/src/queue/block.h"
expect "a relaxed access without a reason" 'load_rlx without a word'

fresh
printf 'static inline int h(_Atomic(int) *p)\n{\n\treturn atomic_load(p);\n}\n' >>"$work/src/queue/block.h"
expect "a raw atomic operation" 'atomic_load: only src/base/atomic.h'
