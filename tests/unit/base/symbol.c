/* SPDX-License-Identifier: MIT */
/*
 * The name of a function, from its address: static functions, those of libraries, and what
 * has no name. A copy of this program without symbols, and one that is deleted while it
 * runs, say what they find: unit_base_symbol PART.
 */
#include "tests/test.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/symbol.h"

static __attribute__((noinline)) int hidden(int x)
{
	return x * 3 + (int)getpid();
}

__attribute__((noinline)) int visible(int x)
{
	return hidden(x) - 1;
}

static const char *name_of(uintptr_t address)
{
	static char name[128];

	filch__symbol_name(address, name, sizeof name);
	return name;
}

static void found(void **state)
{
	(void)state;
	assert_string_equal(name_of((uintptr_t)hidden), "hidden");
	assert_string_equal(name_of((uintptr_t)visible), "visible");
	assert_string_equal(name_of((uintptr_t)hidden | FILCH__FUNCTION), "hidden");
	assert_string_equal(name_of((uintptr_t)hidden + 1), "hidden");
	/* Of a library, which need not have a .symtab. */
	assert_string_equal(name_of((uintptr_t)a64l), "a64l");
}

static void cut(void **state)
{
	char name[4] = "xxx";

	(void)state;
	filch__symbol_name((uintptr_t)hidden, name, sizeof name);
	assert_string_equal(name, "hid");
	filch__symbol_name((uintptr_t)name, name, 1);
	assert_string_equal(name, "");
}

/* Addresses at which there is no function, nor anything. */
static void unknown(void **state)
{
	static int data;
	char expected[64];
	void *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)state;
	assert_string_equal(name_of(0), "function at 0x0");
	assert_string_equal(name_of(0x10), "function at 0x10");
	assert_string_equal(name_of(~FILCH__FUNCTION), "function at 0x7fffffffffffffff");
	snprintf(expected, sizeof expected, "function at %p", page);
	assert_string_equal(name_of((uintptr_t)page), expected);
	munmap(page, 4096);
	assert_string_equal(name_of((uintptr_t)page), expected);
	assert_memory_equal(name_of((uintptr_t)&data), "function at ", 12);
	assert_memory_equal(name_of((uintptr_t)&page), "function at ", 12);
}

/* The same file a second time, as if it were a library: found by where it lies in the
 * file, and after its end not at all. */
static void unloaded(void **state)
{
	int fd = open("/proc/self/exe", O_RDONLY);
	struct stat s;
	Elf64_Ehdr *e;
	Elf64_Phdr *p;
	uintptr_t at = 0;

	(void)state;
	assert_int_equal(fstat(fd, &s), 0);
	e = mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	assert_true(e != MAP_FAILED);
	p = (Elf64_Phdr *)((char *)e + e->e_phoff);
	for (int i = 0; i < e->e_phnum; i++)
		if (p[i].p_type == PT_LOAD && p[i].p_flags & PF_X)
			at = (uintptr_t)e + p[i].p_offset + (e->e_entry - p[i].p_vaddr);
	assert_string_equal(name_of(at), "_start");
	munmap(e, (size_t)s.st_size);
	assert_memory_equal(name_of(at), "function at 0x", 14);
	close(fd);
}

/* ---- copies of this program ---- */

static void copy_self(const char *to, bool stripped)
{
	int from = open("/proc/self/exe", O_RDONLY);
	int fd = open(to, O_WRONLY | O_CREAT | O_EXCL, 0755);
	Elf64_Ehdr e;
	char some[4096];
	ssize_t n;

	while ((n = read(from, some, sizeof some)) > 0)
		assert_int_equal(write(fd, some, (size_t)n), n);
	assert_int_equal(pread(from, &e, sizeof e, 0), sizeof e);
	if (stripped)
		e.e_shoff = e.e_shnum = e.e_shstrndx = 0;
	assert_int_equal(pwrite(fd, &e, sizeof e, 0), sizeof e);
	close(from);
	close(fd);
}

/* Returns what the copy of the program says. */
static const char *copy_says(const char *part, bool stripped)
{
	static char says[256];
	char path[64], command[128];
	FILE *f;

	snprintf(path, sizeof path, "/tmp/filch-symbol-%ld", (long)getpid());
	copy_self(path, stripped);
	snprintf(command, sizeof command, "%s %s", path, part);
	f = popen(command, "r");
	assert_non_null(f);
	if (!fgets(says, sizeof says, f))
		says[0] = '\0';
	assert_int_equal(pclose(f), 0);
	unlink(path);
	return says;
}

__attribute__((unused)) static void copies(void **state)
{
	char expected[64];

	(void)state;
	snprintf(expected, sizeof expected, "function at filch-symbol-%ld+0x",
	         (long)getpid());
	assert_memory_equal(copy_says("say", true), expected, strlen(expected));
	assert_string_equal(copy_says("say", false), "hidden");
	assert_string_equal(copy_says("delete", false), "hidden");
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(found),   cmocka_unit_test(cut),
		cmocka_unit_test(unknown), cmocka_unit_test(unloaded),
#ifdef __x86_64__ /* elsewhere the tests run in an emulator, which runs no copies */
		cmocka_unit_test(copies),
#endif
	};

	if (argc > 1) {
		if (!strcmp(argv[1], "delete"))
			unlink(argv[0]);
		fputs(name_of((uintptr_t)hidden), stdout);
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
