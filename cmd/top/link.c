/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "cmd/top/top.h"
#include "watch/place.h"
#include "watch/watch.h"

#define ANSWER_MAX ((size_t)64 << 20) /* far above 1024 workers a pool */
#define PIECE ((size_t)64 << 10)

/* Nobody else can have put their socket in its place, whatever the folder. */
static int check_peer(int fd, pid_t pid)
{
	struct ucred who;
	socklen_t size = sizeof who;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size))
		return -errno;
	return who.pid == pid ? 0 : -ECONNREFUSED;
}

int link_open(struct top_link *l, const char *name, pid_t pid)
{
	struct sockaddr_un address;
	int err = filch__place_address(&address, name);

	if (err)
		return err;
	/* A program that is stopped lets nobody in, and then connect() would wait, too. */
	*l = (struct top_link){
		.fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)};
	if (l->fd < 0)
		return -errno;
	err = connect(l->fd, (struct sockaddr *)&address, sizeof address)
	              ? -errno
	              : check_peer(l->fd, pid);
	if (err)
		close(l->fd);
	return err;
}

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
	return TOP_OK; /* whatever else is wrong, there may be an answer that says so */
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
	uint64_t end = filch__now_ns() + (uint64_t)wait_ms * 1000000;

	for (;;) {
		struct pollfd p = {.fd = l->fd, .events = POLLIN};
		uint64_t now = filch__now_ns();
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
			return strncmp(l->line, FILCH__WATCH_ERROR,
			               strlen(FILCH__WATCH_ERROR))
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
