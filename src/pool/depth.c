/* SPDX-License-Identifier: MIT */
#include "pool/depth.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "fiber/switch.h"
#include "pool/options.h"

/* AddressSanitizer makes all frames larger, plain ones too. At its end LeakSanitizer
 * reads all stacks from end to end. */
#define TIMES (FILCH__ASAN ? 2u : 8u)
#define UNLIMITED ((uint64_t)64 << 20) /* counts as the limit where there is none */
#define SHARE 1024 /* a stack is at most this part of a limited address space */

static uint64_t limit_of(__rlimit_resource_t what)
{
	struct rlimit r;

	return getrlimit(what, &r) || r.rlim_cur == RLIM_INFINITY ? UINT64_MAX
	                                                          : r.rlim_cur;
}

/* Under vm.overcommit_memory=2 a mapping counts as memory even if it is never touched. */
static bool counts_reserved(void)
{
	int fd = open("/proc/sys/vm/overcommit_memory", O_RDONLY | O_CLOEXEC);
	char mode = 0;
	bool strict;

	if (fd < 0)
		return false;
	strict = read(fd, &mode, 1) == 1 && mode == '2';
	close(fd);
	return strict;
}

void filch__limits_read(struct filch__limits *l)
{
	l->stack = limit_of(RLIMIT_STACK);
	l->space = limit_of(RLIMIT_AS);
	l->strict = counts_reserved();
}

size_t filch__stack_size_for(const struct filch__limits *l)
{
	uint64_t size = l->stack == UINT64_MAX ? UNLIMITED : l->stack;

	size = size > FILCH__STACK_SIZE_MAX / TIMES ? FILCH__STACK_SIZE_MAX
	                                            : size * TIMES;
	if (size > l->space / SHARE)
		size = l->space / SHARE;
	if (size < FILCH__STACK_SHALLOW || l->strict)
		size = FILCH__STACK_SHALLOW;
	return (size_t)size;
}
