/* SPDX-License-Identifier: MIT */
#include "trace/path.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int filch__path_expand(char *out, size_t size, const char *path)
{
	size_t n = 0;

	if (*path != '/') {
		if (!getcwd(out, size))
			return errno;
		n = strlen(out);
		out[n++] = '/';
	}
	for (; *path && n + 12 < size; path++)
		if (path[0] == '%' && path[1] == 'p') {
			n += (size_t)snprintf(out + n, size - n, "%ld", (long)getpid());
			path++;
		} else {
			out[n++] = *path;
		}
	out[n] = 0;
	return *path ? ENAMETOOLONG : 0;
}

int filch__path_follow(char path[PATH_MAX])
{
	char end[PATH_MAX];
	struct stat s;

	if (lstat(path, &s) || !S_ISLNK(s.st_mode))
		return 0;
	if (!realpath(path, end))
		return errno;
	strcpy(path, end);
	return 0;
}

int filch__path_copy(const char *from, const char *to)
{
	char block[4096];
	FILE *in = fopen(from, "re"), *out = in ? fopen(to, "wxe") : NULL;
	int err = out ? 0 : errno;
	size_t n;

	while (!err && (n = fread(block, 1, sizeof block, in)))
		if (fwrite(block, 1, n, out) != n)
			err = EIO;
	if (in)
		fclose(in);
	if (out && fclose(out) && !err)
		err = errno;
	return err;
}
