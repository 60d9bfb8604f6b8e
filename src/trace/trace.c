/* SPDX-License-Identifier: MIT */
/*
 * The file: where it is, and when it is written. It is written beside its place and then
 * moved there, so that a reader never finds half of it.
 */
#include "trace/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/symbol.h"
#include "trace/json.h"
#include "trace/path.h"
#include "trace/urgent.h"

enum phase {
	UNUSED, /* no pool has been traced so far */
	OPEN,   /* there is a file beside its place */
	CLOSED, /* the file is complete, or belongs to the parent */
};

struct name {
	struct name *next;
	uintptr_t function; /* which is at this address at present; 0: none */
	char text[];
};

static struct {
	pthread_mutex_t lock; /* protects all of this */
	enum phase phase;
	bool is_child;              /* the process is the child of one that traces */
	char path[PATH_MAX];        /* absolute: the program may change its directory */
	char beside[PATH_MAX + 32]; /* the name of the file until it is complete */
	uint64_t ticks, ns;         /* when the trace began */
	struct filch__trace *live;
	struct name *names; /* of functions, and copied from unloaded libraries */
	unsigned pools;
	bool begun; /* something was written */
	int64_t lost;
	int err; /* the first error in writing; 0: none */
} file = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- the file ---- */

static int refuse(const char *path, const char *what, int err, char *why, size_t size)
{
	snprintf(why, size, "FILCH_TRACE is '%s', %s%s%s", path, what, err ? ": " : "",
	         err ? strerror(err) : "");
	return -EINVAL;
}

/* A device or a pipe must not be replaced by a file. */
static bool is_replaceable(const char *path)
{
	struct stat s;

	return stat(path, &s) || S_ISREG(s.st_mode);
}

static void at_exit(void);
static void write_now(bool last);

static int open_file(const char *path, char *why, size_t why_size)
{
	static bool registered;
	int fd, err = filch__path_expand(file.path, sizeof file.path, path);

	if (!err)
		err = filch__path_follow(file.path);
	if (err)
		return refuse(path, "but no file can be made there", err, why, why_size);
	if (!is_replaceable(file.path))
		return refuse(path, "but that is not a regular file", 0, why, why_size);
	snprintf(file.beside, sizeof file.beside, "%s.tmp-%ld", file.path,
	         (long)getpid());
	(void)unlink(file.beside); /* left by a dead process of this number */
	/* O_EXCL: in /tmp, another user could have left a link to anywhere. */
	fd = open(file.beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0)
		return refuse(path, "but no file can be made there", errno, why,
		              why_size);
	close(fd); /* programs close descriptors that they do not know */
	if (!registered && atexit(at_exit)) {
		unlink(file.beside);
		return refuse(path, "but nothing can be called at the exit", 0, why,
		              why_size);
	}
	registered = true;
	file.phase = OPEN;
	file.ticks = filch__ticks();
	file.ns = filch__now_ns();
	filch__urgent_begin(write_now);
	return 0;
}

static struct filch__trace_clock clock_now(void)
{
	struct filch__trace_clock c = {file.ticks, 1};
	uint64_t now = filch__ticks(), ns = filch__now_ns() - file.ns;

	if (now > c.ticks)
		c.ns = (double)ns / (double)(now - c.ticks);
	return c;
}

/* Adds a pool to the file; NULL adds the end of the file. */
static void append(struct filch__trace *t)
{
	struct filch__trace_clock clock = clock_now();
	FILE *f = file.err ? NULL : fopen(file.beside, "ae");
	int64_t lost = 0;
	bool bad;

	if (!f) {
		file.err = file.err ? file.err : errno;
		return;
	}
	if (t)
		lost = filch__trace_write(f, t, &clock, !file.begun);
	else
		fprintf(f,
		        "\n],\n\"displayTimeUnit\":\"ns\",\n"
		        "\"otherData\":{\"lost_events\":\"%lld\"}}\n",
		        (long long)file.lost);
	file.begun = true;
	if (lost < 0)
		file.err = (int)-lost;
	else
		file.lost += lost;
	bad = ferror(f);
	errno = EIO;
	if ((fclose(f) || bad) && !file.err) /* fclose() is called in any case */
		file.err = errno;
}

/* Adds all that is left, and moves the file to its place. */
static void complete(void)
{
	for (struct filch__trace *t = file.live; t; t = t->next)
		append(t);
	append(NULL);
	if (!file.err && rename(file.beside, file.path))
		file.err = errno;
	if (file.err) {
		unlink(file.beside);
		fprintf(stderr, "filch: the trace '%s' is not written: %s\n", file.path,
		        strerror(file.err));
	}
}

/* Writes the file as if the process ended now. It is made of a copy, so that the real end
 * comes after what has been written so far, unless this is the end. */
static void write_now(bool last)
{
	char beside[sizeof file.beside];
	int64_t lost;
	bool begun;

	pthread_mutex_lock(&file.lock);
	lost = file.lost;
	begun = file.begun;
	if (file.phase == OPEN && last) {
		complete();
		file.phase = CLOSED;
	} else if (file.phase == OPEN && !file.err) {
		strcpy(beside, file.beside);
		strcat(file.beside, "+");
		unlink(file.beside);
		file.err = filch__path_copy(beside, file.beside);
		complete();
		strcpy(file.beside, beside);
		file.lost = lost;
		file.begun = begun;
		file.err = 0;
	}
	pthread_mutex_unlock(&file.lock);
}

/* Workers may still run, and add events that no reader will see. */
static void at_exit(void)
{
	pthread_mutex_lock(&file.lock);
	if (file.phase == OPEN && !file.live && !file.begun) {
		unlink(file.beside); /* no pool was made */
	} else if (file.phase == OPEN) {
		complete();
	}
	file.phase = CLOSED;
	pthread_mutex_unlock(&file.lock);
}

/* ---- pools ---- */

static void trace_free(struct filch__trace *t)
{
	while (t->workers)
		filch__events_destroy(&t->ring[--t->workers]);
	free(t);
}

static struct filch__trace *trace_new(size_t events, uint32_t workers)
{
	struct filch__trace *t = aligned_alloc(
		FILCH_LINE, (sizeof *t + workers * sizeof *t->ring + FILCH_LINE - 1) &
				    ~(size_t)(FILCH_LINE - 1));

	if (!t)
		return NULL;
	for (t->workers = 0; t->workers < workers; t->workers++)
		if (filch__events_init(&t->ring[t->workers], events)) {
			trace_free(t);
			return NULL;
		}
	return t;
}

/* Caller of this function and the next: holds the lock. */
static void add(struct filch__trace *t)
{
	struct filch__trace **end = &file.live;

	while (*end)
		end = &(*end)->next;
	*end = t;
	t->next = NULL;
	t->pool = ++file.pools;
}

static void take_out(struct filch__trace *t)
{
	struct filch__trace **at = &file.live;

	while (*at != t)
		at = &(*at)->next;
	*at = t->next;
}

int filch__trace_begin(struct filch__trace **out, const char *path, size_t events,
                       uint32_t workers, char *why, size_t why_size)
{
	struct filch__trace *t = NULL;
	int err = 0;

	*out = NULL;
	pthread_mutex_lock(&file.lock);
	if (file.phase == UNUSED && file.is_child && !strstr(path, "%p"))
		file.phase = CLOSED; /* the parent writes there */
	if (file.phase == UNUSED)
		err = open_file(path, why, why_size);
	if (!err && file.phase == OPEN) {
		t = trace_new(events, workers);
		if (t)
			add(t);
		else
			err = -ENOMEM;
	}
	if (err == -ENOMEM)
		snprintf(why, why_size,
		         "no memory for the trace; ask for fewer events of each worker "
		         "with FILCH_TRACE_EVENTS");
	*out = t;
	pthread_mutex_unlock(&file.lock);
	return err;
}

void filch__trace_end(struct filch__trace *t)
{
	pthread_mutex_lock(&file.lock);
	if (file.phase == OPEN)
		append(t);
	take_out(t);
	pthread_mutex_unlock(&file.lock);
	trace_free(t);
}

void filch__trace_drop(struct filch__trace *t)
{
	pthread_mutex_lock(&file.lock);
	take_out(t);
	pthread_mutex_unlock(&file.lock);
	trace_free(t);
}

void filch__trace_hold(void)
{
	pthread_mutex_lock(&file.lock);
}

void filch__trace_release(void)
{
	pthread_mutex_unlock(&file.lock);
}

void filch__trace_forget(void)
{
	file.is_child = file.is_child || file.phase == OPEN;
	file.phase = file.phase == OPEN ? UNUSED : file.phase;
	file.live = NULL;
	file.pools = 0;
	file.begun = false;
	file.lost = file.err = 0;
	pthread_mutex_unlock(&file.lock); /* this thread took it before the fork */
}

/* ---- names ---- */

static bool rename_all(const char *name, const char *to)
{
	bool any = false;

	for (struct filch__trace *t = file.live; t; t = t->next)
		for (uint32_t i = 0; i < t->workers; i++)
			any |= filch__events_rename(&t->ring[i], name, to);
	return any;
}

/* Finds a copy that was kept before. */
static const char *find_name(const char *name)
{
	for (const struct name *n = file.names; n; n = n->next)
		if (!strcmp(n->text, name))
			return n->text;
	return NULL;
}

/* Returns a copy that is in no list yet, or NULL. */
static struct name *copy_of(const char *name)
{
	struct name *copy = malloc(sizeof *copy + strlen(name) + 1);

	if (copy) {
		copy->function = 0;
		strcpy(copy->text, name);
	}
	return copy;
}

static void keep_name(const char *name)
{
	static const char unknown[] = "a task of a library that is gone";
	const char *kept = find_name(name);
	struct name *copy = kept ? NULL : copy_of(name);

	if (!rename_all(name, kept ? kept : copy ? copy->text : unknown) || !copy) {
		free(copy);
		return;
	}
	copy->next = file.names;
	file.names = copy;
}

void filch__trace_keep_name(const char *name)
{
	pthread_mutex_lock(&file.lock);
	if (file.phase == OPEN && file.live)
		keep_name(name);
	pthread_mutex_unlock(&file.lock);
}

const char *filch__trace_function(uintptr_t function)
{
	struct name *n;
	char text[128];

	for (n = file.names; n; n = n->next)
		if (n->function == function)
			return n->text;
	filch__symbol_name(function, text, sizeof text);
	n = copy_of(text);
	if (!n)
		return "a function"; /* there is no memory for its name */
	n->function = function;
	n->next = file.names;
	file.names = n;
	return n->text;
}

void filch__trace_keep_functions(void)
{
	pthread_mutex_lock(&file.lock);
	if (file.phase == OPEN)
		for (struct filch__trace *t = file.live; t; t = t->next)
			for (uint32_t i = 0; i < t->workers; i++)
				filch__events_rename_functions(&t->ring[i],
				                               filch__trace_function);
	for (struct name *n = file.names; n; n = n->next)
		n->function = 0;
	pthread_mutex_unlock(&file.lock);
}
