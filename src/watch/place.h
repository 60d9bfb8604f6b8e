/* SPDX-License-Identifier: MIT */
/*
 * The place of a watched process's socket, as filch/watch.h describes it:
 * BASE/filch-UID/PID.sock, in a directory that only its user may use.
 */
#ifndef FILCH_WATCH_PLACE_H
#define FILCH_WATCH_PLACE_H

#include <stddef.h>
#include <sys/types.h>
#include <sys/un.h>

/* Longer than the address of a socket may be, so that a name that is too long is
 * noticed. */
#define FILCH__PLACE_MAX 256

/* Returns BASE of this process. */
const char *filch__place_base(void);

/* Lists the directories that may be BASE of another process, whose environment may
 * differ. Returns how many there are; the most likely one comes first. */
#define FILCH__BASES 3
unsigned filch__place_bases(uid_t uid, char base[FILCH__BASES][FILCH__PLACE_MAX]);

/* Writes BASE/filch-UID, and adds /PID.sock unless pid is 0. */
void filch__place_name(char out[FILCH__PLACE_MAX], const char *base, uid_t uid,
                       pid_t pid);

/* Checks that this is a folder that only this user may use. Errors: those of lstat(),
 * -ENOTDIR, -EPERM. */
int filch__place_check(const char *folder, uid_t uid);

/* Makes the address of a socket of this name. Errors: -ENAMETOOLONG. */
int filch__place_address(struct sockaddr_un *out, const char *name);

#endif
