/* SPDX-License-Identifier: MIT */
/* The side that looks: finding the sockets of other processes, and connecting to them. */
#include <dirent.h>
#include <errno.h>
#include <filch/watch.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "watch/place.h"

/* Sets *out to the effective user of a process. Returns false if /proc does not say. */
static bool owner_of(pid_t pid, uid_t *out)
{
	char path[64], line[256];
	unsigned uid;
	bool found = false;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
	f = fopen(path, "re");
	if (!f)
		return false;
	while (!found && fgets(line, sizeof line, f))
		found = sscanf(line, "Uid: %*u %u", &uid) == 1;
	fclose(f);
	if (found)
		*out = uid;
	return found;
}

/* Makes sure that process `pid` is the one that listens, even if the socket was
 * replaced. */
static int check_peer(int fd, pid_t pid)
{
	struct ucred peer;
	socklen_t size = sizeof peer;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size))
		return -errno;
	return peer.pid == pid ? 0 : -ECONNREFUSED;
}

/* Connects to the socket of this name. Returns a descriptor or a negative errno. The
 * socket is nonblocking from the start: a stopped process accepts nothing, and connect()
 * would wait. */
static int open_name(const char *name, pid_t pid)
{
	struct sockaddr_un address;
	int err = filch__place_address(&address, name);
	int fd = err ? -1
	             : socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return err ? err : -errno;
	err = connect(fd, (struct sockaddr *)&address, sizeof address)
	              ? -errno
	              : check_peer(fd, pid);
	if (!err)
		return fd;
	close(fd);
	return err;
}

int filch_watch_open(pid_t pid)
{
	char base[FILCH__BASES][FILCH__PLACE_MAX], name[FILCH__PLACE_MAX];
	uid_t uid = geteuid();
	unsigned n;

	if (pid <= 0 || (kill(pid, 0) && errno == ESRCH))
		return -ESRCH;
	if ((!owner_of(pid, &uid) && kill(pid, 0)) || (geteuid() && uid != geteuid()))
		return -EPERM;
	n = filch__place_bases(uid, base);
	for (unsigned i = 0; i < n; i++) {
		int fd;

		filch__place_name(name, base[i], uid, 0);
		if (filch__place_check(name, uid))
			continue;
		filch__place_name(name, base[i], uid, pid);
		fd = open_name(name, pid);
		if (fd >= 0 || fd == -EAGAIN)
			return fd;
	}
	return -ENOENT;
}

/* Returns the number in PID.sock, or 0. */
static pid_t pid_of(const char *file)
{
	char *end;
	long pid = strtol(file, &end, 10);

	return *file >= '1' && *file <= '9' && !strcmp(end, ".sock") && pid < 1 << 30
	               ? (pid_t)pid
	               : 0;
}

/* Whether a process listens at this socket; removes the socket of a dead process. */
static bool listens(const char *base, pid_t pid)
{
	char name[FILCH__PLACE_MAX];
	int fd;

	filch__place_name(name, base, geteuid(), pid);
	fd = open_name(name, pid);
	if (fd == -ECONNREFUSED && kill(pid, 0) && errno == ESRCH)
		unlink(name);
	if (fd >= 0)
		close(fd);
	return fd >= 0 || fd == -EAGAIN;
}

static size_t each_in(const char *base, void (*found)(pid_t pid, void *context),
                      void *context)
{
	char folder[FILCH__PLACE_MAX];
	struct dirent *e;
	size_t n = 0;
	DIR *d;

	filch__place_name(folder, base, geteuid(), 0);
	if (filch__place_check(folder, geteuid()))
		return 0;
	d = opendir(folder);
	while (d && (e = readdir(d)) != NULL) {
		pid_t pid = pid_of(e->d_name);

		if (!pid || !listens(base, pid))
			continue;
		found(pid, context);
		n++;
	}
	if (d)
		closedir(d);
	return n;
}

size_t filch_watch_each(void (*found)(pid_t pid, void *context), void *context)
{
	char base[FILCH__BASES][FILCH__PLACE_MAX];
	unsigned n = filch__place_bases(geteuid(), base);
	size_t sum = 0;

	for (unsigned i = 0; i < n; i++)
		sum += each_in(base[i], found, context);
	return sum;
}
