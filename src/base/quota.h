/* SPDX-License-Identifier: MIT */
/*
 * How many processors this process may use: what the kernel lets it run on (affinity),
 * and how much time its cgroups grant it (quota), of both versions of cgroups.
 *
 * A limit holds for a cgroup and all below it, so every cgroup from the process's own up
 * to the top of what is mounted is asked, and the smallest limit counts. A cgroup that is
 * not visible from here cannot be asked. Shares and weights (cpu.weight) limit no
 * process while others are idle, and do not count.
 */
#ifndef FILCH_BASE_QUOTA_H
#define FILCH_BASE_QUOTA_H

struct filch__cpus {
	unsigned online;      /* processors that are running; at least 1 */
	unsigned affinity;    /* those that the calling thread may run on; at least 1 */
	unsigned quota;       /* the smallest quota in processors, rounded up; 0: none */
	char quota_from[512]; /* the file that sets it, as much as fits; "": none */
};

/* `root` stands before every path, for tests; normally "". A file that cannot be read or
 * is malformed sets no limit. Errors: -ENAMETOOLONG for a root of more than 255 bytes. */
int filch__cpus_read(struct filch__cpus *c, const char *root);

/* The smaller of affinity and quota. */
static inline unsigned filch__cpus_usable(const struct filch__cpus *c)
{
	return c->quota && c->quota < c->affinity ? c->quota : c->affinity;
}

#endif
