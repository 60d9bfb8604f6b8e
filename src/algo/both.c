/* SPDX-License-Identifier: MIT */
#include "algo/both.h"

#include <filch/for.h>
#include <filch/task.h>

#include "base/misuse.h"

struct other {
	filch__function *shown; /* first: see FILCH__SHOWS_BEHIND */
	void (*f)(void *context);
	void *context;
};

FILCH__DEFINE(FILCH__SHOWS_BEHIND, static, 0, void, call_other, (struct other *, o))
{
	o->f(o->context);
}

static void call_both(void (*one)(void *context), void *one_context, struct other *o)
{
	FILCH_SPAWN(other, call_other, o);
	one(one_context);
	FILCH_JOIN(other);
}

void filch__both_inside(filch__function *shown, void (*f)(void *part), void *one,
                        void *other)
{
	struct other o = {shown, f, other};

	if (filch__inside()) {
		call_both(f, one, &o);
	} else {
		f(one);
		f(other);
	}
}

struct both {
	void (*one)(void *context);
	void *one_context;
	struct other other;
};

static void both_inside(void *arg)
{
	struct both *b = arg;

	call_both(b->one, b->one_context, &b->other);
}

void filch_both(void (*one)(void *context), void *one_context,
                void (*other)(void *context), void *other_context)
{
	struct both b = {
		one, one_context, {(filch__function *)other, other, other_context}};

	if (!one || !other)
		filch__misuse("filch_both",
		              "there are not two functions to call; pass two");
	if (filch__inside())
		both_inside(&b);
	else
		filch__enter_pool_as((filch__function *)one, both_inside, &b);
}
