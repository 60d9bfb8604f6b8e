/* SPDX-License-Identifier: MIT */
/*
 * Where a new fiber begins. There is no frame above: a zero x29 and an undefined x30 end
 * every backtrace here.
 */
#if defined(__aarch64__)
	.text
	.globl	filch__context_start
	.hidden	filch__context_start
	.type	filch__context_start, %function
filch__context_start:
	.cfi_startproc
	.cfi_undefined x30
	hint	34			// bti c
	mov	x0, x29
	mov	x29, xzr
	mov	x30, xzr
	blr	x19
	brk	#1
	.cfi_endproc
	.size	filch__context_start, . - filch__context_start
#endif
	.section .note.GNU-stack, "", %progbits
