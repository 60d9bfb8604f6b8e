/* SPDX-License-Identifier: MIT */
#include "watch/place.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static const char temporary[] = "/tmp";

/* Returns NULL if the variable is not set, or names a folder of another user, as after
 * su(1). */
static const char *runtime_folder(void)
{
	const char *base = secure_getenv("XDG_RUNTIME_DIR");
	struct stat s;

	if (!base || *base != '/' || stat(base, &s) || !S_ISDIR(s.st_mode) ||
	    s.st_uid != geteuid())
		return NULL;
	return base;
}

const char *filch__place_base(void)
{
	const char *base = runtime_folder();

	return base ? base : temporary;
}

unsigned filch__place_bases(uid_t uid, char base[FILCH__BASES][FILCH__PLACE_MAX])
{
	const char *runtime = runtime_folder();
	unsigned n = 0;

	if (runtime)
		snprintf(base[n++], FILCH__PLACE_MAX, "%s", runtime);
	snprintf(base[n], FILCH__PLACE_MAX, "/run/user/%lu", (unsigned long)uid);
	if (!runtime || strcmp(base[0], base[n]))
		n++;
	snprintf(base[n++], FILCH__PLACE_MAX, "%s", temporary);
	return n;
}

void filch__place_name(char out[FILCH__PLACE_MAX], const char *base, uid_t uid, pid_t pid)
{
	int n = snprintf(out, FILCH__PLACE_MAX, "%s/filch-%lu", base, (unsigned long)uid);

	if (pid && n > 0 && n < FILCH__PLACE_MAX)
		snprintf(out + n, FILCH__PLACE_MAX - (size_t)n, "/%ld.sock", (long)pid);
}

int filch__place_check(const char *folder, uid_t uid)
{
	struct stat s;

	if (lstat(folder, &s))
		return -errno;
	if (!S_ISDIR(s.st_mode))
		return -ENOTDIR;
	return s.st_uid == uid && !(s.st_mode & 077) ? 0 : -EPERM;
}

int filch__place_address(struct sockaddr_un *out, const char *name)
{
	memset(out, 0, sizeof *out);
	out->sun_family = AF_UNIX;
	if (strlen(name) >= sizeof out->sun_path)
		return -ENAMETOOLONG;
	memcpy(out->sun_path, name, strlen(name));
	return 0;
}
