/* SPDX-License-Identifier: MIT */
#include "base/quota.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ROOT_MOST 255

/* Files, line by line; a line longer than the buffer is left out. */

struct lines {
	int fd;
	bool skip; /* the rest of a line that was too long */
	size_t at, end;
	char buf[4096];
};

static bool lines_open(struct lines *l, const char *root, const char *path)
{
	char full[ROOT_MOST + 32];

	snprintf(full, sizeof full, "%s%s", root, path);
	l->fd = open(full, O_RDONLY | O_CLOEXEC);
	l->skip = false;
	l->at = l->end = 0;
	return l->fd >= 0;
}

/* Makes room and reads more. Returns false at the end of the file. */
static bool lines_fill(struct lines *l)
{
	ssize_t n;

	memmove(l->buf, l->buf + l->at, l->end - l->at);
	l->end -= l->at;
	l->at = 0;
	if (l->end == sizeof l->buf) {
		l->skip = true;
		l->end = 0;
	}
	n = read(l->fd, l->buf + l->end, sizeof l->buf - l->end);
	l->end += n > 0 ? (size_t)n : 0;
	return n > 0;
}

/* Returns the next line without its end, or NULL after the last. */
static char *lines_next(struct lines *l)
{
	for (;;) {
		char *line = l->buf + l->at, *end = memchr(line, '\n', l->end - l->at);

		if (!end) {
			if (!lines_fill(l))
				return NULL;
			continue;
		}
		l->at += (size_t)(end - line) + 1;
		*end = '\0';
		if (!l->skip)
			return line;
		l->skip = false;
	}
}

/* Limits */

enum version { V1, V2 };

/* Reads the first line of dir/name, without its end. */
static bool read_first(const char *dir, const char *name, char *buf, size_t size)
{
	char path[PATH_MAX];
	ssize_t n = -1;
	int fd;

	if ((size_t)snprintf(path, sizeof path, "%s/%s", dir, name) >= sizeof path)
		return false;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = read(fd, buf, size - 1);
		close(fd);
	}
	if (n <= 0)
		return false;
	buf[n] = '\0';
	buf[strcspn(buf, "\n")] = '\0';
	return true;
}

/* Takes a number off the front of *s. */
static bool take_number(const char **s, uint64_t *out)
{
	uint64_t v = 0;
	const char *p = *s;

	for (; *p >= '0' && *p <= '9'; p++) {
		if (v > UINT64_MAX / 10 - 1)
			return false;
		v = v * 10 + (uint64_t)(*p - '0');
	}
	if (p == *s)
		return false;
	*s = p;
	*out = v;
	return true;
}

static bool whole_number(const char *s, uint64_t *out)
{
	return take_number(&s, out) && !*s;
}

/* Reads a limit: `quota` microseconds of processor time per `period` microseconds.
 * Returns false if there is none. */
static bool read_limit(const char *dir, enum version v, uint64_t *quota, uint64_t *period)
{
	char text[64];
	const char *s = text;

	if (v == V2)
		return read_first(dir, "cpu.max", text, sizeof text) &&
		       take_number(&s, quota) && *s++ == ' ' && whole_number(s, period);
	return read_first(dir, "cpu.cfs_quota_us", text, sizeof text) &&
	       whole_number(text, quota) &&
	       read_first(dir, "cpu.cfs_period_us", text, sizeof text) &&
	       whole_number(text, period);
}

/* Takes the limit of the cgroup at dir into account. */
static void look(struct filch__cpus *c, const char *dir, enum version v)
{
	uint64_t quota, period, cpus;

	if (!read_limit(dir, v, &quota, &period) || !quota || !period)
		return;
	cpus = quota / period + (quota % period != 0);
	if (cpus > UINT_MAX || (c->quota && cpus >= c->quota))
		return;
	c->quota = (unsigned)cpus;
	snprintf(c->quota_from, sizeof c->quota_from, "%.480s/%s", dir,
	         v == V2 ? "cpu.max" : "cpu.cfs_quota_us");
}

/* Where the process is, and where cgroups are mounted */

struct place {
	const char *root;
	char own[2][PATH_MAX]; /* the process's cgroup by version; "": none */
};

/* Returns true if a list "a,b,c" has this word. */
static bool has_word(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (;;) {
		size_t len = strcspn(list, ",");

		if (len == n && !memcmp(list, word, n))
			return true;
		if (!list[len])
			return false;
		list += len + 1;
	}
}

/* Reads "ID:CONTROLLERS:PATH"; version 2 has the ID 0 and no controllers. */
static void place_line(struct place *p, char *line)
{
	char *controllers = strchr(line, ':'), *path;
	enum version v;

	path = controllers ? strchr(controllers + 1, ':') : NULL;
	if (!path)
		return;
	*controllers++ = '\0';
	*path++ = '\0';
	v = !strcmp(line, "0") && !*controllers ? V2 : V1;
	if (v == V2 || has_word(controllers, "cpu"))
		snprintf(p->own[v], sizeof p->own[v], "%s", path);
}

/* Returns true if `path` is `above` or below it; then *rest is what follows: "" or
 * "/...". */
static bool is_below(const char *path, const char *above, const char **rest)
{
	size_t n = strcmp(above, "/") ? strlen(above) : 0;

	if (strncmp(path, above, n) || (path[n] && path[n] != '/'))
		return false;
	*rest = strcmp(path + n, "/") ? path + n : "";
	return true;
}

/* Returns true if a path goes out of a cgroup namespace: "/..", "/../.." and so on. */
static bool goes_out(const char *path)
{
	return !strncmp(path, "/..", 3) && (!path[3] || path[3] == '/');
}

/* Returns true if a path is only made of "/..": the way up, and nothing else. */
static bool only_up(const char *path)
{
	while (goes_out(path))
		path += 3;
	return !*path;
}

/*
 * Finds the path from the top of a mount to the process's cgroup. Returns false if the
 * mount does not show that cgroup. Both paths begin at the top of the cgroup namespace. A
 * mount of what is above the namespace ("/..") shows the cgroup somewhere, under names
 * that cannot be known: then only the top itself, which is surely above it, can be asked.
 */
static bool way_down(const char *own, const char *top, const char **rest)
{
	if (is_below(own, top, rest))
		return !goes_out(*rest);
	*rest = "";
	return goes_out(top) && only_up(top);
}

/* Looks at the process's cgroup in this mount, and at all cgroups above it. */
static void climb(struct filch__cpus *c, const struct place *p, enum version v,
                  const char *top, const char *mount)
{
	char dir[PATH_MAX];
	const char *rest;
	size_t least = strlen(p->root) + strlen(mount);

	if (!*p->own[v] || !way_down(p->own[v], top, &rest) ||
	    (size_t)snprintf(dir, sizeof dir, "%s%s%s", p->root, mount, rest) >=
	            sizeof dir)
		return;
	look(c, dir, v);
	while (strlen(dir) > least) {
		*strrchr(dir, '/') = '\0';
		look(c, dir, v);
	}
}

static bool octal(char c)
{
	return c >= '0' && c <= '7';
}

/* Undoes the escapes of mountinfo, such as \040 for a blank. */
static void unescape(char *s)
{
	char *to = s;

	for (; *s; s++) {
		if (*s == '\\' && octal(s[1]) && octal(s[2]) && octal(s[3])) {
			*to++ = (char)((s[1] - '0') << 6 | (s[2] - '0') << 3 |
			               (s[3] - '0'));
			s += 3;
		} else {
			*to++ = *s;
		}
	}
	*to = '\0';
}

/* Reads "ID PARENT MAJOR:MINOR TOP MOUNT OPTIONS [FIELD...] - TYPE SOURCE OPTIONS". */
static void mount_line(struct filch__cpus *c, const struct place *p, char *line)
{
	char *field[5], *type = strstr(line, " - "), *options, *at;

	if (!type)
		return;
	*type = '\0';
	type += 3;
	for (int i = 0; i < 5; i++)
		if (!(field[i] = strtok_r(i ? NULL : line, " ", &at)))
			return;
	unescape(field[3]);
	unescape(field[4]);
	options = strrchr(type, ' ');
	if (!strncmp(type, "cgroup2 ", 8))
		climb(c, p, V2, field[3], field[4]);
	else if (!strncmp(type, "cgroup ", 7) && has_word(options + 1, "cpu"))
		climb(c, p, V1, field[3], field[4]);
}

static void read_quota(struct filch__cpus *c, const char *root)
{
	struct place place = {.root = root};
	struct lines l;
	char *line;

	if (!lines_open(&l, root, "/proc/self/cgroup"))
		return;
	while ((line = lines_next(&l)))
		place_line(&place, line);
	close(l.fd);
	if (!lines_open(&l, root, "/proc/self/mountinfo"))
		return;
	while ((line = lines_next(&l)))
		mount_line(c, &place, line);
	close(l.fd);
}

/* The mask has room for 65536 processors: the kernel refuses a mask shorter than its
 * own. */
static unsigned read_affinity(unsigned otherwise)
{
	cpu_set_t mask[64];
	int n = 0;

	if (!sched_getaffinity(0, sizeof mask, mask))
		n = CPU_COUNT_S(sizeof mask, mask);
	return n > 0 ? (unsigned)n : otherwise;
}

int filch__cpus_read(struct filch__cpus *c, const char *root)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);

	if (strlen(root) > ROOT_MOST)
		return -ENAMETOOLONG;
	*c = (struct filch__cpus){.online = online > 0 ? (unsigned)online : 1};
	c->affinity = read_affinity(c->online);
	read_quota(c, root);
	return 0;
}
