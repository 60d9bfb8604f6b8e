/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <filch/time.h>
#include <filch/watch.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cmd/top/top.h"

#define ANSWER_MAX ((size_t)64 << 20) /* far more than a pool of 1024 workers needs */
#define PIECE ((size_t)64 << 10)

void link_close(struct top_link *l)
{
	close(l->fd);
	free(l->line);
}

enum top_result link_ask(struct top_link *l)
{
	l->length = 0;
	if (send(l->fd, "\n", 1, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 && errno == EAGAIN)
		return TOP_SILENT;
	return TOP_OK; /* after any other error, an answer may say what is wrong */
}

static bool make_room(struct top_link *l)
{
	char *line;

	if (l->room - l->length > PIECE)
		return true;
	if (l->room >= ANSWER_MAX)
		return false;
	line = realloc(l->line, l->room * 2 + PIECE * 2);
	if (!line)
		return false;
	l->line = line;
	l->room = l->room * 2 + PIECE * 2;
	return true;
}

enum top_result link_receive(struct top_link *l, int wait_ms, const char **line)
{
	uint64_t end = filch_after((uint64_t)wait_ms * FILCH_MS);

	for (;;) {
		struct pollfd p = {.fd = l->fd, .events = POLLIN};
		uint64_t now = filch_now();
		int left = now < end ? (int)((end - now + 999999) / 1000000) : 0;
		ssize_t n;

		if (!make_room(l))
			return TOP_WRONG;
		if (poll(&p, 1, left) == 0)
			return TOP_SILENT;
		n = recv(l->fd, l->line + l->length, PIECE, MSG_DONTWAIT);
		if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
			return TOP_ENDED;
		l->length += n > 0 ? (size_t)n : 0;
		if (l->length && l->line[l->length - 1] == '\n') {
			l->line[l->length] = 0;
			*line = l->line;
			return strncmp(l->line, FILCH_WATCH_ERROR,
			               strlen(FILCH_WATCH_ERROR))
			               ? TOP_OK
			               : TOP_CROWDED;
		}
	}
}

json_t *link_parse(const char *line)
{
	json_t *snapshot = json_loads(line, 0, NULL);

	if (snapshot && !json_is_array(json_object_get(snapshot, "pools"))) {
		json_decref(snapshot);
		return NULL;
	}
	return snapshot;
}
