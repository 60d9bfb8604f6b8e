/* SPDX-License-Identifier: MIT */
#include "base/fork.h"

#include <pthread.h>
#include <stddef.h>

/* Held from before a fork until after it, so that no list is copied half linked. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct filch__fork *first, **last = &first;

/* Calls `before` of f and of all that follow it, the last one first. */
static void before_from(const struct filch__fork *f)
{
	if (!f)
		return;
	before_from(f->next);
	if (f->before)
		f->before();
}

static void before_fork(void)
{
	pthread_mutex_lock(&lock);
	before_from(first);
}

static void in_parent(void)
{
	for (const struct filch__fork *f = first; f; f = f->next)
		if (f->parent)
			f->parent();
	pthread_mutex_unlock(&lock);
}

static void in_child(void)
{
	for (const struct filch__fork *f = first; f; f = f->next)
		if (f->child)
			f->child();
	pthread_mutex_unlock(
		&lock); /* this thread took it in the parent, before the fork */
}

static void tell_system(void)
{
	pthread_atfork(before_fork, in_parent, in_child);
}

void filch__fork_watch(struct filch__fork *f)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, tell_system);
	pthread_mutex_lock(&lock);
	if (!f->watched) {
		f->watched = true;
		f->next = NULL;
		*last = f;
		last = &f->next;
	}
	pthread_mutex_unlock(&lock);
}
