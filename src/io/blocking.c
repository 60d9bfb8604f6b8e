/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <errno.h>
#include <filch/io.h>

#include "io/helpers.h"
#include "strand/worker.h"

struct call {
	void *(*function)(void *);
	void *argument, *result;
};

static void run(void *arg)
{
	struct call *c = arg;

	c->result = c->function(c->argument);
}

/* Runs the function on a helper, or in place if there is no pool or no helper. */
static int call(struct call *c, uint64_t deadline, bool cancellable)
{
	struct filch__worker *w = filch__worker_self();
	int err = -EAGAIN;

	if (w && w->active)
		err = filch__helpers_run(w->pool, run, c, deadline, cancellable);
	if (err == -EAGAIN) {
		run(c);
		err = 0;
	}
	return err;
}

void *filch_blocking(void *(*function)(void *), void *argument)
{
	struct call c = {function, argument, NULL};
	int err = call(&c, FILCH_NEVER, false);

	assert(!err); /* nothing can end the wait early */
	(void)err;
	return c.result;
}

int filch_blocking_until(void *(*function)(void *), void *argument, void **result,
                         uint64_t deadline)
{
	struct call c = {function, argument, NULL};
	int err = call(&c, deadline, true);

	if (!err && result)
		*result = c.result;
	return err;
}
