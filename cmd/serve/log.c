/* SPDX-License-Identifier: MIT */
#include "cmd/serve/log.h"

#include <errno.h>
#include <fcntl.h>
#include <filch/future.h>
#include <filch/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "cmd/serve/date.h"

#define BUFFER 65536
#define REQUEST_MOST 2048 /* characters of a request that are logged */
#define LINE_MOST (REQUEST_MOST + 256)
#define PATIENCE_NS (2 * FILCH_S) /* the time that writing the last lines may take */

static int open_file(const char *path)
{
	int fd;

	if (!strcmp(path, "-"))
		return STDOUT_FILENO;
	/* O_NONBLOCK: a FIFO without a reader is an error, instead of a wait. */
	fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK,
	          0666);
	if (fd >= 0)
		fcntl(fd, F_SETFL, O_APPEND);
	return fd < 0 ? -errno : fd;
}

int log_open(struct log *l, const char *path)
{
	*l = (struct log){.path = path, .fd = -1};
	if (!path)
		return 0;
	l->buffer = malloc(BUFFER);
	if (!l->buffer)
		return -ENOMEM;
	l->fd = open_file(path);
	if (l->fd < 0)
		free(l->buffer);
	return l->fd < 0 ? l->fd : 0;
}

void log_close(struct log *l)
{
	if (!l->path)
		return;
	if (l->fd != STDOUT_FILENO)
		close(l->fd);
	free(l->buffer);
}

/* ---- the writer ---- */

/* Errors are ignored: the server continues even if its log cannot be written. */
static void write_all(int fd, const char *data, size_t n)
{
	for (ssize_t r; n; data += r, n -= (size_t)r) {
		r = filch_write(fd, data, n);
		if (r <= 0)
			return;
	}
}

static void take_new_file(struct log *l)
{
	int fd = open_file(l->path);

	if (fd < 0) {
		fprintf(stderr,
		        "filch serve: cannot open the log '%s' again: %s; the "
		        "old one stays in use\n",
		        l->path, strerror(-fd));
		return;
	}
	if (l->fd != STDOUT_FILENO)
		filch_close(l->fd);
	l->fd = fd;
}

/* Waits for lines, and exchanges the buffers. Returns false at the end. */
static bool take_lines(struct log *l, char **spare, size_t *n, bool *reopen)
{
	char *full;

	filch_mutex_lock(&l->lock);
	while (!l->used && !l->reopen && !l->ending)
		filch_condition_wait(&l->lines, &l->lock);
	full = l->buffer;
	l->buffer = *spare;
	*spare = full;
	*n = l->used;
	*reopen = l->reopen;
	l->used = 0;
	l->reopen = false;
	filch_condition_broadcast(&l->room);
	filch_mutex_unlock(&l->lock);
	return *n || *reopen;
}

FILCH_STATIC_TASK_VOID(write_lines, (struct log *, l), (char *, spare))
{
	char *full = spare;
	bool reopen;
	size_t n;

	while (take_lines(l, &full, &n, &reopen)) {
		if (reopen)
			take_new_file(l);
		write_all(l->fd, full, n);
	}
	free(full);
}

int log_begin(struct log *l)
{
	char *spare;

	if (!l->path)
		return 0;
	spare = malloc(BUFFER);
	if (spare)
		l->writer = FILCH_GO(write_lines, l, spare);
	if (l->writer)
		return 0;
	free(spare);
	return -ENOMEM;
}

void log_end(struct log *l)
{
	if (!l->writer)
		return;
	filch_mutex_lock(&l->lock);
	l->ending = true;
	filch_condition_signal(&l->lines);
	filch_mutex_unlock(&l->lock);
	if (filch_await_until(l->writer, filch_after(PATIENCE_NS)))
		filch_future_cancel(l->writer); /* the reader of the log does not read */
	FILCH_AWAIT(write_lines, l->writer);
	filch_future_drop(l->writer);
	l->writer = NULL;
}

void log_hurry(struct log *l)
{
	filch_mutex_lock(&l->lock);
	l->hurry = true;
	filch_condition_broadcast(&l->room);
	filch_mutex_unlock(&l->lock);
}

void log_reopen(struct log *l)
{
	if (!l->path)
		return;
	filch_mutex_lock(&l->lock);
	l->reopen = true;
	filch_condition_signal(&l->lines);
	filch_mutex_unlock(&l->lock);
}

/* ---- lines ---- */

/* Copies a text. Characters that could end the line or the quotes, or that a terminal
 * obeys, are written as \xNN. */
static size_t escape(struct text t, char *out, size_t most)
{
	size_t n = 0;

	for (size_t i = 0; i < t.length && n + 4 <= most; i++) {
		unsigned char c = (unsigned char)t.at[i];

		if (c > ' ' - 1 && c < 0x7f && c != '"' && c != '\\') {
			out[n++] = (char)c;
			continue;
		}
		out[n++] = '\\';
		out[n++] = 'x';
		out[n++] = "0123456789abcdef"[c >> 4];
		out[n++] = "0123456789abcdef"[c & 15];
	}
	return n;
}

static size_t write_line(char *out, const char *peer, struct text request, int status,
                         uint64_t bytes)
{
	struct date d = date_of(time(NULL));
	int n = snprintf(out, LINE_MOST, "%s - - [%02u/%s/%04u:%02u:%02u:%02u +0000] \"",
	                 peer, d.day, date_months[d.month - 1], d.year, d.hour, d.minute,
	                 d.second);
	size_t at = (size_t)n;

	at += escape(request, out + at, REQUEST_MOST);
	n = snprintf(out + at, LINE_MOST - at, "\" %d %llu\n", status,
	             (unsigned long long)bytes);
	return at + (size_t)n;
}

void log_write(struct log *l, const char *peer, struct text request, int status,
               uint64_t bytes)
{
	if (!l->path)
		return;
	filch_mutex_lock(&l->lock);
	while (BUFFER - l->used < LINE_MOST && !l->hurry)
		filch_condition_wait(&l->room, &l->lock);
	if (BUFFER - l->used >= LINE_MOST)
		l->used += write_line(l->buffer + l->used, peer, request, status, bytes);
	filch_condition_signal(&l->lines);
	filch_mutex_unlock(&l->lock);
}
