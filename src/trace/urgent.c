/* SPDX-License-Identifier: MIT */
#include "trace/urgent.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "base/atomic.h"

#if defined(__SANITIZE_THREAD__)
#define TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TSAN 1
#endif
#endif
#ifndef TSAN
#define TSAN 0
#endif

/* How long a process that ends waits for its trace: whoever ends may hold a lock that the
 * writer needs. */
#define PATIENCE_S 10

/* Asks for the trace; the process goes on. */
#define ASK SIGUSR2

static struct {
	void (*write)(bool last);
	sem_t wanted, done;
	_Atomic(int) last; /* the process is to end */
	pid_t pid;         /* the process that has the thread; 0: none */
} urgent;

static void wait_for(sem_t *s)
{
	while (sem_wait(s) && errno == EINTR)
		;
}

static void *writer(void *arg)
{
	(void)arg;
	for (;;) {
		bool last;

		wait_for(&urgent.wanted);
		last = load_rlx(&urgent.last); /* the semaphore carries it */
		urgent.write(last);
		if (last)
			sem_post(&urgent.done);
	}
	return NULL;
}

void filch__urgent_last(void)
{
	struct timespec until;
	int none = 0;

	/* Another thread that ends the process has asked already, if the CAS fails: then
	 * it waits, and this one waits as well, for the end. */
	if (urgent.pid != getpid())
		return;
	if (cas_rlx(&urgent.last, &none, 1)) /* the semaphore carries it */
		sem_post(&urgent.wanted);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += PATIENCE_S;
	while (sem_timedwait(&urgent.done, &until) && errno == EINTR)
		;
	sem_post(&urgent.done);
}

/* The default action follows as soon as the handler returns. */
static void on_end(int signal)
{
	struct sigaction none = {.sa_handler = SIG_DFL};
	int err = errno;

	filch__urgent_last();
	sigaction(signal, &none, NULL);
	raise(signal);
	errno = err;
}

static void on_ask(int signal)
{
	int err = errno;

	(void)signal;
	if (urgent.pid == getpid())
		sem_post(&urgent.wanted);
	errno = err;
}

/* Handles a signal that the program leaves to the system. */
static void handle(int signal, void (*handler)(int), int flags)
{
	struct sigaction old, ours = {.sa_handler = handler, .sa_flags = flags};

	sigemptyset(&ours.sa_mask);
	if (!sigaction(signal, NULL, &old) && !(old.sa_flags & SA_SIGINFO) &&
	    old.sa_handler == SIG_DFL)
		sigaction(signal, &ours, NULL);
}

static void handle_all(void)
{
	static const int ends[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT,
	                           SIGABRT, SIGBUS, SIGFPE, SIGILL};

	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		handle(ends[i], on_end, SA_ONSTACK);
	/* TSan calls handlers only when a system call of the thread has ended. */
	handle(ASK, on_ask, SA_ONSTACK | (TSAN ? 0 : SA_RESTART));
}

void filch__urgent_begin(void (*write)(bool last))
{
	pthread_t thread;
	sigset_t all, old;
	int err;

	if (TSAN && urgent.write)
		return; /* it refuses a thread like the parent's, which it takes for alive */
	urgent.write = write;
	if (sem_init(&urgent.wanted, 0, 0) || sem_init(&urgent.done, 0, 0))
		return;
	store_rlx(&urgent.last, 0); /* no thread yet */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old); /* the writer takes no signals */
	err = pthread_create(&thread, NULL, writer, NULL);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (err)
		return;
	pthread_detach(thread);
	urgent.pid = getpid();
	handle_all();
}
