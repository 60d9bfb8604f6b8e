/* SPDX-License-Identifier: MIT */
/* The task macros as functions, for languages that have no macros. */
#include <filch.h>
#include <filch/foreign.h>
#include <string.h>

typedef void *function(void *);

FILCH__DEFINE(FILCH__SHOWS_FIRST, static, 1, void *, foreign, (function *, f),
              (void *, argument))
{
	return f(argument);
}

_Static_assert(sizeof(FILCH_FRAME(foreign)) <= sizeof(struct filch_frame),
               "a frame has room for the record of a call");

void *filch_run(struct filch_pool *pool, void *(*f)(void *), void *argument)
{
	return FILCH_RUN_ON(pool, foreign, f, argument);
}

static struct filch__record *record_of(struct filch_frame *frame)
{
	return (struct filch__record *)(void *)frame;
}

void filch_spawn(struct filch_frame *frame, void *(*f)(void *), void *argument)
{
	foreign__spawn(record_of(frame), f, argument);
}

void *filch_join(struct filch_frame *frame)
{
	return foreign__join_at(record_of(frame));
}

int filch_group_spawn(struct filch_group *g, void *(*f)(void *), void *argument)
{
	return FILCH_GROUP_SPAWN(g, foreign, f, argument);
}

size_t filch_size_of(const char *name)
{
#define EACH(X)                                                                  \
	X(filch_case)                                                            \
	X(filch_condition)                                                       \
	X(filch_dirent)                                                          \
	X(filch_event)                                                           \
	X(filch_frame) X(filch_group) X(filch_mutex) X(filch_pool_options)       \
		X(filch_rwlock) X(filch_semaphore) X(filch_stage) X(filch_stats) \
			X(filch_tile)
#define SIZE(tag) {#tag, sizeof(struct tag)},
	static const struct {
		const char *name;
		size_t size;
	} sizes[] = {EACH(SIZE)};

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		if (!strcmp(sizes[i].name, name))
			return sizes[i].size;
	return 0;
}
