/* SPDX-License-Identifier: MIT */
#include "watch/watch.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "watch/answer.h"
#include "watch/place.h"

#define STACK ((size_t)256 << 10)

static struct {
	pthread_mutex_t lock; /* held to begin and to end */
	pid_t pid;            /* of the process that answers; 0: none */
	pthread_t thread;
	char name[FILCH__PLACE_MAX];
	struct filch__answerer answerer;
} watch = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- the socket ---- */

static int fail(int err, char *why, size_t size, const char *what, const char *name)
{
	snprintf(why, size, "FILCH_WATCH is on, but %s '%s': %s", what, name,
	         strerror(-err));
	return err;
}

/* Makes the folder unless it exists, and checks it. */
static int open_folder(const char *folder, char *why, size_t size)
{
	int err = mkdir(folder, 0700) && errno != EEXIST
	                  ? -errno
	                  : filch__place_check(folder, geteuid());

	if (err == -EPERM || err == -ENOTDIR) {
		snprintf(why, size,
		         "FILCH_WATCH is on, but '%s' is no folder that only this user "
		         "may "
		         "use; remove it, or set XDG_RUNTIME_DIR to a folder of yours",
		         folder);
		return err;
	}
	return err ? fail(err, why, size, "there can be no folder", folder) : 0;
}

static int listen_at(const char *name)
{
	struct sockaddr_un address;
	int err = filch__place_address(&address, name);
	int fd = err ? err
	             : socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return err ? err : -errno;
	(void)unlink(name); /* left by a dead process of this number */
	/* The file gets the mode that the socket has before bind(): it is never open to
	 * others, not even for a moment. */
	if (fchmod(fd, 0600) || bind(fd, (struct sockaddr *)&address, sizeof address)) {
		err = -errno;
		close(fd);
		return err;
	}
	if (listen(fd, FILCH_WATCH_CLIENTS)) {
		err = -errno;
		unlink(name);
		close(fd);
		return err;
	}
	return fd;
}

static int open_socket(char *why, size_t size)
{
	char folder[FILCH__PLACE_MAX];
	int err;

	filch__place_name(folder, filch__place_base(), geteuid(), 0);
	filch__place_name(watch.name, filch__place_base(), geteuid(), getpid());
	err = open_folder(folder, why, size);
	if (err)
		return err;
	watch.answerer.listener = listen_at(watch.name);
	if (watch.answerer.listener < 0)
		return fail(watch.answerer.listener, why, size, "there can be no socket",
		            watch.name);
	return 0;
}

/* ---- the thread ---- */

static void *thread_main(void *arg)
{
	pthread_setname_np(pthread_self(), "filch-watch");
	filch__answer_all(arg);
	return NULL;
}

/* The thread blocks all signals: the program's handlers are not made for it. */
static int start_thread(void)
{
	pthread_attr_t small;
	sigset_t all, old;
	int err;

	if (pthread_attr_init(&small))
		return -ENOMEM;
	pthread_attr_setstacksize(&small, STACK);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	err = pthread_create(&watch.thread, &small, thread_main, &watch.answerer);
	if (err == EINVAL) /* the program's thread-local variables do not fit */
		err = pthread_create(&watch.thread, NULL, thread_main, &watch.answerer);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&small);
	return -err;
}

static int begin_locked(filch__describe_fn *describe, char *why, size_t size)
{
	struct filch__answerer *a = &watch.answerer;
	int err = open_socket(why, size);

	if (err)
		return err;
	a->describe = describe;
	a->stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	err = a->stop < 0 ? -errno : start_thread();
	if (!err) {
		watch.pid = getpid();
		return 0;
	}
	if (a->stop >= 0)
		close(a->stop);
	close(a->listener);
	unlink(watch.name);
	snprintf(why, size, "FILCH_WATCH is on, but there can be no thread for it: %s",
	         strerror(-err));
	return err;
}

int filch__watch_begin(filch__describe_fn *describe, char *why, size_t why_size)
{
	const char *setting = secure_getenv("FILCH_WATCH");
	int err = 0;

	if (!setting || !*setting || !strcmp(setting, "off"))
		return 0;
	if (strcmp(setting, "on")) {
		snprintf(why, why_size, "FILCH_WATCH is '%s', but must be on or off",
		         setting);
		return -EINVAL;
	}
	pthread_mutex_lock(&watch.lock);
	if (!watch.pid)
		err = begin_locked(describe, why, why_size);
	pthread_mutex_unlock(&watch.lock);
	return err;
}

/* Whether the listener is still open: programs close descriptors that they do not know,
 * and then the numbers may be those of other files. */
static bool still_ours(void)
{
	struct sockaddr_un address = {0};
	socklen_t size = sizeof address;

	return !getsockname(watch.answerer.listener, (struct sockaddr *)&address,
	                    &size) &&
	       address.sun_family == AF_UNIX && !strcmp(address.sun_path, watch.name);
}

/* Runs when the process ends, or the library is unloaded. */
static __attribute__((destructor)) void end(void)
{
	pthread_mutex_lock(&watch.lock);
	if (watch.pid == getpid() && !still_ours()) {
		unlink(watch.name); /* nothing is left that would wake the thread */
		watch.pid = 0;
	} else if (watch.pid == getpid()) {
		(void)eventfd_write(watch.answerer.stop, 1);
		pthread_join(watch.thread, NULL);
		unlink(watch.name);
		close(watch.answerer.listener);
		close(watch.answerer.stop);
		watch.pid = 0;
	}
	pthread_mutex_unlock(&watch.lock);
}

void filch__watch_forget(void)
{
	if (watch.pid && still_ours()) {
		filch__answerer_close(&watch.answerer);
		close(watch.answerer.stop);
		close(watch.answerer.listener);
	}
	watch.pid = 0;
	pthread_mutex_init(&watch.lock, NULL);
}
