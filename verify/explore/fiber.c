/* SPDX-License-Identifier: MIT */
#include "explore/fiber.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#define STACK_SIZE ((size_t)256 << 10)

/* makecontext() passes ints only; fibers are made one at a time. */
static struct fiber *making;
static ucontext_t maker;

/* setjmp and longjmp between stacks, after one swapcontext() to get there: no system
 * call a switch. */
static void entry(void)
{
	struct fiber *f = making;

	if (!_setjmp(f->begin))
		swapcontext(&f->first, &maker);
	f->body(f->arg);
	abort();
}

void fiber_make(struct fiber *f, void (*body)(void *), void *arg)
{
	void *stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE,
	                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (stack == MAP_FAILED || getcontext(&f->first))
		abort();
	f->body = body;
	f->arg = arg;
	f->first.uc_stack.ss_sp = stack;
	f->first.uc_stack.ss_size = STACK_SIZE;
	f->first.uc_link = NULL;
	making = f;
	makecontext(&f->first, entry, 0);
	swapcontext(&maker, &f->first);
	fiber_rewind(f);
}

void fiber_rewind(struct fiber *f)
{
	f->origin = &f->begin;
}

void fiber_switch(struct fiber *from, struct fiber *to)
{
	jmp_buf *there = to->origin ? to->origin : &to->at;

	to->origin = NULL;
	from->origin = NULL;
	if (!_setjmp(from->at))
		_longjmp(*there, 1);
}
