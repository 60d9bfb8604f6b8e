/* SPDX-License-Identifier: MIT */
/*
 * Where a new fiber begins. There is no frame above: a zero return address and an
 * undefined rip end every backtrace here. The file does not declare support for shadow
 * stacks, so programs with fibers run without them.
 */
#if defined(__x86_64__)
	.text
	.globl	filch__context_start
	.hidden	filch__context_start
	.type	filch__context_start, @function
filch__context_start:
	.cfi_startproc
	.cfi_undefined rip
	endbr64
	movq	%rbp, %rdi
	xorl	%ebp, %ebp
	pushq	%rbp
	pushq	%rbp
	call	*%rbx
	ud2
	.cfi_endproc
	.size	filch__context_start, . - filch__context_start
#endif
	.section .note.GNU-stack, "", @progbits
