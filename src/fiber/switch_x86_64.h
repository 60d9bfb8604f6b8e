/* SPDX-License-Identifier: MIT */
/*
 * The switch on x86-64. It is inline, and clobbers all registers that it does not save,
 * so that the compiler saves those that are live and no others; and each place that
 * switches has an indirect jump of its own to predict. It pushes nothing, so a red zone
 * stays as it is.
 */
#ifndef FILCH_FIBER_SWITCH_X86_64_H
#define FILCH_FIBER_SWITCH_X86_64_H

#include <stdint.h>

struct filch__context {
	void *sp;
	void *pc;
	/* The assembly saves these: compilers may use them for frames, and then refuse
	 * them as clobbers. */
	void *rbp;
	void *rbx;
#if FILCH_KEEP_FP
	uint32_t mxcsr;
	uint16_t x87;
#endif
};

_Static_assert(offsetof(struct filch__context, pc) == 8, "as in the assembly");
_Static_assert(offsetof(struct filch__context, rbp) == 16, "as in the assembly");
_Static_assert(offsetof(struct filch__context, rbx) == 24, "as in the assembly");

#if FILCH_KEEP_FP
_Static_assert(offsetof(struct filch__context, mxcsr) == 32, "as in the assembly");
_Static_assert(offsetof(struct filch__context, x87) == 36, "as in the assembly");
#define FILCH__SAVE_FP "stmxcsr 32(%0)\n\tfnstcw 36(%0)\n\t"
#define FILCH__LOAD_FP "ldmxcsr 32(%1)\n\tfldcw 36(%1)\n\t"
#else
#define FILCH__SAVE_FP
#define FILCH__LOAD_FP
#endif

#ifdef __AVX512F__
#define FILCH__CLOBBER_AVX512                                                           \
	, "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23",       \
		"xmm24", "xmm25", "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", \
		"k1", "k2", "k3", "k4", "k5", "k6", "k7"
#else
#define FILCH__CLOBBER_AVX512
#endif

/* endbr64 is there because the jump is indirect, and the processor may check its target
 * (CET). */
__attribute__((always_inline)) static inline void filch__context_switch(
	struct filch__context *from, struct filch__context *to)
{
	__asm__ volatile("leaq 1f(%%rip), %%rax\n\t"
	                 "movq %%rsp, (%0)\n\t"
	                 "movq %%rax, 8(%0)\n\t"
	                 "movq %%rbp, 16(%0)\n\t"
	                 "movq %%rbx, 24(%0)\n\t" FILCH__SAVE_FP "movq (%1), %%rsp\n\t"
	                 "movq 16(%1), %%rbp\n\t"
	                 "movq 24(%1), %%rbx\n\t" FILCH__LOAD_FP "jmp *8(%1)\n"
	                 "1:\n\t"
	                 "endbr64\n"
	                 : "+D"(from), "+S"(to)
	                 :
	                 : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13",
	                   "r14", "r15", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5",
	                   "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12",
	                   "xmm13", "xmm14", "xmm15", "st", "st(1)", "st(2)", "st(3)",
	                   "st(4)", "st(5)", "st(6)", "st(7)", "cc",
	                   "memory" FILCH__CLOBBER_AVX512);
}

/* In switch_x86_64.S: calls the function in rbx with the argument in rbp. */
void filch__context_start(void);

static inline void filch__context_init(struct filch__context *c, void *lo, void *hi,
                                       void (*fn)(void *), void *arg)
{
	(void)lo;
	c->sp = (void *)((uintptr_t)hi & ~(uintptr_t)15);
	c->pc = (void *)filch__context_start;
	c->rbx = (void *)fn;
	c->rbp = arg;
#if FILCH_KEEP_FP
	__asm__("stmxcsr %0\n\tfnstcw %1" : "=m"(c->mxcsr), "=m"(c->x87));
#endif
}

#endif
