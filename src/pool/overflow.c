/* SPDX-License-Identifier: MIT */
#include "pool/overflow.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/symbol.h"
#include "strand/worker.h"
#include "trace/urgent.h"

#define POOLS 64

static _Atomic(struct filch__stacks *) watched[POOLS];
static struct sigaction before;

/* Makes the system call itself: ThreadSanitizer's own write() takes locks, and the stack
 * may have overflowed in a function of ThreadSanitizer's that holds one of them. */
static void say(const char *text)
{
	syscall(SYS_write, STDERR_FILENO, text, strlen(text));
}

static void append(char *out, size_t size, const char *text)
{
	size_t n = strlen(out);

	while (n + 1 < size && *text)
		out[n++] = *text++;
	out[n] = '\0';
}

static bool in_guard(const void *address)
{
	for (int i = 0; i < POOLS; i++) {
		struct filch__stacks *p = load_rlx(&watched[i]); /* own thread's pool */

		for (unsigned d = 0; p && d < FILCH__DEPTHS; d++)
			if (filch__stack_of_guard(&p[d], address))
				return true;
	}
	return false;
}

/* Says which task has overflowed, in one call: the pieces of a loop may overflow on several
 * workers at once. The task's library is there, since the task runs; a function's name is
 * read from its file, which is async-signal-safe (base/symbol.c). */
static void report(uintptr_t title)
{
	char function[128], text[512] = "filch: stack overflow in task '";

	if (filch__is_function(title)) {
		filch__symbol_name(title, function, sizeof function);
		append(text, sizeof text, function);
	} else { /* leaves room for what follows */
		append(text, sizeof text - 128,
		       ((const struct filch__task *)title)->name);
	}
	append(text, sizeof text,
	       "', or in what it calls; raise FILCH_STACK_SIZE or "
	       "filch_pool_options.stack_size\n");
	say(text);
}

/* Runs on the alternate stack, and does only what is async-signal-safe. ThreadSanitizer
 * does not look at it: a task called apart (fiber/apart.h) is not ordered after the worker
 * that made its strand. */
__attribute__((no_sanitize("thread"))) static void on_fault(int signal, siginfo_t *info,
                                                            void *context)
{
	/* Unlike filch__worker_self(), this tells ThreadSanitizer nothing: see say(). */
	struct filch__strand *strand = filch__strand_self();

	if (strand && strand->stack && in_guard(info->si_addr)) {
		report(load_rlx(&strand->runs)); /* its own */
	} else if (before.sa_flags & SA_SIGINFO) {
		before.sa_sigaction(signal, info, context);
		return;
	} else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
		before.sa_handler(signal);
		return;
	}
	filch__urgent_last();
	/* From here on it is as if there were no handler: the access is retried. */
	struct sigaction none = {.sa_handler = SIG_DFL};
	sigaction(signal, &none, NULL);
	if (info->si_code <= 0)
		raise(signal); /* the signal was sent: there is no access to retry */
}

static void install(void)
{
	struct sigaction ours = {.sa_sigaction = on_fault,
	                         .sa_flags = SA_SIGINFO | SA_ONSTACK};

	sigemptyset(&ours.sa_mask);
	sigaction(SIGSEGV, &ours, &before);
}

void filch__overflow_watch(struct filch__stacks *stacks)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, install);
	for (int i = 0; i < POOLS; i++) {
		struct filch__stacks *none = NULL;

		if (cas_rlx(&watched[i], &none, stacks)) /* read by its own threads */
			return;
	}
}

void filch__overflow_unwatch(struct filch__stacks *stacks)
{
	for (int i = 0; i < POOLS; i++) {
		struct filch__stacks *ours = stacks;

		cas_rlx(&watched[i], &ours, NULL); /* its threads are gone */
	}
}
