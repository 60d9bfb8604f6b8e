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
perl -0pi -e 's/(listed, 0\);.*?)S8 seq_cst(.*?)\tfence_sc\(\);\n/$1S8$2/s' "$work/src/strand/deque.h"
expect "a fence that lost its partner" 'edge S8 is seq_cst but has only one end'

fresh
sed -i 's/add_rel(&c->block->done/add_rlx(\&c->block->done/' "$work/src/queue/block.h"
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

fresh
sed -i '/static inline void filch__block_extend/,/^}/ s/store_rel(/store_rlx(/' "$work/src/queue/block.h"
expect "a relaxed access that kept its tag" 'store_rlx, but its comment names edge B5'

fresh
printf 'static inline void i(struct filch__block *b)\n{\n\tb->done += 1;\n}\n' >>"$work/src/queue/block.h"
expect "an atomic field used like a plain one" 'b->done is atomic, but is used without'

fresh
printf '#define SNEAK(p) load_acq(p)\n' >>"$work/src/queue/block.h"
expect "an ordered access in a macro" 'load_acq has no edge tag'

fresh
printf 'static inline int j(_Atomic(int) *p)\n{\n\n\treturn load_acq\n\t\t(p);\n}\n' >>"$work/src/queue/block.h"
expect "an ordered access over two lines" 'load_acq has no edge tag'

fresh
printf 'static inline int k(_Atomic(int) *p)\n{\n\treturn cas_weak_rel(p, 0, 1); /* B1 release */\n}\n' >>"$work/src/queue/block.h"
expect "an operation that atomic.h does not have" 'cas_weak_rel is not an operation'

fresh
printf 'static inline void l(void)\n{\n\t__asm__ volatile("mfence");\n}\n' >>"$work/src/queue/block.h"
expect "a fence in assembly" 'spells out orders and fences'

fresh
sed -i 's/pairs with the acquire in filch__ring_find()/pairs with the acquire in filch__ring_lookup()/' "$work/src/queue/order.c"
expect "a partner that is not there" 'names filch__ring_lookup\(\), which is not there'
