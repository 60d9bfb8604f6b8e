/* SPDX-License-Identifier: MIT */
/*
 * Where a program that is watched has its socket: BASE/filch-UID/PID.sock, in a folder that
 * only its user may use. BASE is $XDG_RUNTIME_DIR if that is a folder of the user's, else
 * /tmp.
 */
#ifndef FILCH_WATCH_PLACE_H
#define FILCH_WATCH_PLACE_H

#include <stddef.h>
#include <sys/types.h>
#include <sys/un.h>

/* More than a socket's name may have: what is too long is found by its length. */
#define FILCH__PLACE_MAX 256

/* The folder BASE of this process; where to look for those of others: their environment may
 * have been another one. Returns how many, most likely first. */
#define FILCH__BASES 3
const char *filch__place_base(void);
unsigned filch__place_bases(uid_t uid, char base[FILCH__BASES][FILCH__PLACE_MAX]);

/* BASE/filch-UID, and /PID.sock in it unless pid is 0. */
void filch__place_name(char out[FILCH__PLACE_MAX], const char *base, uid_t uid,
                       pid_t pid);

/* Whether this is a folder that only this user may use. Errors: -ENOENT, ... of lstat(),
 * -ENOTDIR, -EPERM. */
int filch__place_check(const char *folder, uid_t uid);

/* Errors: -ENAMETOOLONG. */
int filch__place_address(struct sockaddr_un *out, const char *name);

#endif
