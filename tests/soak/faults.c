/* SPDX-License-Identifier: MIT */
/*
 * Preloaded by tools/soak: makes a program's life harder.
 *
 *   SOAK_REFUSE=N   of the program's own calls of malloc, calloc, realloc, aligned_alloc and
 *                   mmap, about one in N is refused (libraries get what they ask for)
 *   SOAK_SIGNALS=1  SIGUSR1 does nothing but interrupt: no SA_RESTART
 */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

static struct {
	uintptr_t begin, end; /* of the program's code */
	unsigned long one_in;
} refuse;

static _Thread_local uint64_t state;

static int find_program(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size;
	(void)unused;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type == PT_LOAD && p->p_flags & PF_X) {
			refuse.begin = info->dlpi_addr + p->p_vaddr;
			refuse.end = refuse.begin + p->p_memsz;
		}
	}
	return 1; /* the first is the program */
}

static void interrupt(int signal)
{
	(void)signal;
}

__attribute__((constructor)) static void begin(void)
{
	struct sigaction interrupts = {.sa_handler = interrupt};
	const char *one_in = getenv("SOAK_REFUSE");

	if (getenv("SOAK_SIGNALS"))
		sigaction(SIGUSR1, &interrupts, NULL);
	if (!one_in)
		return;
	dl_iterate_phdr(find_program, NULL);
	refuse.one_in = strtoul(one_in, NULL, 10);
}

/* A generator a thread: which call is refused depends on timing anyway. */
static bool refused(const void *caller)
{
	uintptr_t at = (uintptr_t)caller;

	if (!refuse.one_in || at < refuse.begin || at >= refuse.end)
		return false;
	if (!state)
		state = (uintptr_t)&state | 1;
	state = state * 6364136223846793005u + 1442695040888963407u;
	if ((state >> 33) % refuse.one_in)
		return false;
	errno = ENOMEM;
	return true;
}

#define REFUSE(result, failed, name, parameters, arguments)        \
	result name parameters                                     \
	{                                                          \
		static result(*real) parameters;                   \
                                                                   \
		if (refused(__builtin_return_address(0)))          \
			return failed;                             \
		if (!real)                                         \
			*(void **)&real = dlsym(RTLD_NEXT, #name); \
		return real arguments;                             \
	}

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);

/* dlsym() itself needs these two. */
void *malloc(size_t size)
{
	return refused(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	return refused(__builtin_return_address(0)) ? NULL : __libc_calloc(n, size);
}

REFUSE(void *, NULL, realloc, (void *p, size_t size), (p, size))
REFUSE(void *, NULL, aligned_alloc, (size_t align, size_t size), (align, size))
REFUSE(void *, MAP_FAILED, mmap,
       (void *at, size_t size, int protection, int flags, int fd, off_t from),
       (at, size, protection, flags, fd, from))
