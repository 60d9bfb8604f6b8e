/* SPDX-License-Identifier: MIT */
/* Where the peers are: programs and modules that not everybody has. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench/bench.h"

bool bench_peer(const char *name, char *path, size_t size)
{
	/* As built; as installed. */
	static const char *const folders[] = {"", "/../libexec/filch"};
	char self[4096];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

	if (n < 0)
		return false;
	self[n] = 0;
	*strrchr(self, '/') = 0;
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
		int used = snprintf(path, size, "%s%s/filch-bench-%s", self, folders[i],
		                    name);

		if (used > 0 && (size_t)used < size && !access(path, R_OK))
			return true;
	}
	return false;
}

void bench_peer_missing(const char *name)
{
	fprintf(stderr,
	        "%s: not built in; make peers, in Filch's sources, installs what it "
	        "needs and builds it\n",
	        name);
}
