/* SPDX-License-Identifier: MIT */
/*
 * The switch on AArch64. It is inline, for the reasons that switch_x86_64.h gives.
 */
#ifndef FILCH_FIBER_SWITCH_AARCH64_H
#define FILCH_FIBER_SWITCH_AARCH64_H

#include <stdint.h>

struct filch__context {
	void *sp;
	void *pc;
	/* The assembly saves these: compilers may use them for frames, and then refuse
	 * them as clobbers. */
	void *x29;
	void *x19;
#if FILCH_KEEP_FP
	uint64_t fpcr;
#endif
};

_Static_assert(offsetof(struct filch__context, pc) == 8, "as in the assembly");
_Static_assert(offsetof(struct filch__context, x29) == 16, "as in the assembly");
_Static_assert(offsetof(struct filch__context, x19) == 24, "as in the assembly");

#if FILCH_KEEP_FP
_Static_assert(offsetof(struct filch__context, fpcr) == 32, "as in the assembly");
#define FILCH__SAVE_FP "mrs x9, fpcr\n\tstr x9, [%0, 32]\n\t"
#define FILCH__LOAD_FP "ldr x9, [%1, 32]\n\tmsr fpcr, x9\n\t"
#else
#define FILCH__SAVE_FP
#define FILCH__LOAD_FP
#endif

#ifdef __ARM_FEATURE_SVE
#define FILCH__CLOBBER_SVE                                                          \
	, "p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9", "p10", "p11", \
		"p12", "p13", "p14", "p15", "ffr"
#else
#define FILCH__CLOBBER_SVE
#endif

/* hint 36 is "bti j": the jump is indirect, and the processor may check its target. The
 * jump goes through x16, so that it may also land on "bti c". */
__attribute__((always_inline)) static inline void filch__context_switch(
	struct filch__context *from, struct filch__context *to)
{
	register struct filch__context *x0 __asm__("x0") = from;
	register struct filch__context *x1 __asm__("x1") = to;

	__asm__ volatile("adr x16, 1f\n\t"
	                 "mov x17, sp\n\t"
	                 "stp x17, x16, [%0]\n\t"
	                 "stp x29, x19, [%0, 16]\n\t" FILCH__SAVE_FP
	                 "ldp x17, x16, [%1]\n\t"
	                 "ldp x29, x19, [%1, 16]\n\t" FILCH__LOAD_FP "mov sp, x17\n\t"
	                 "br x16\n"
	                 "1:\n\t"
	                 "hint 36\n"
	                 : "+r"(x0), "+r"(x1)
	                 :
	                 : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11",
	                   "x12", "x13", "x14", "x15", "x16", "x17", "x18", "x20", "x21",
	                   "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x30", "v0",
	                   "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10",
	                   "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19",
	                   "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28",
	                   "v29", "v30", "v31", "cc", "memory" FILCH__CLOBBER_SVE);
}

/* In switch_aarch64.S: calls the function in x19 with the argument in x29. */
void filch__context_start(void);

static inline void filch__context_init(struct filch__context *c, void *lo, void *hi,
                                       void (*fn)(void *), void *arg)
{
	(void)lo;
	c->sp = (void *)((uintptr_t)hi & ~(uintptr_t)15);
	c->pc = (void *)filch__context_start;
	c->x19 = (void *)fn;
	c->x29 = arg;
#if FILCH_KEEP_FP
	__asm__("mrs %0, fpcr" : "=r"(c->fpcr));
#endif
}

#endif
