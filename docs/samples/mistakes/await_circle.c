/* SPDX-License-Identifier: MIT */
/* A mistake: a future that awaits itself. */
#include <filch.h>

static struct filch_future *self;
static struct filch_event known = FILCH_EVENT_INIT;

FILCH_TASK(int, snake)
{
	filch_event_wait(&known);
	return FILCH_AWAIT(snake, self);
}

FILCH_TASK_VOID(start)
{
	self = FILCH_GO(snake);
	filch_event_set(&known);
	filch_await(self);
}

int main(void)
{
	FILCH_RUN(start);
}
