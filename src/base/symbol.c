/* SPDX-License-Identifier: MIT */
/*
 * A signal handler may name the function in which a stack has overflowed. So everything
 * here is async-signal-safe: no memory is allocated and no lock is taken, neither here nor
 * by the C library, whose dladdr() and dl_iterate_phdr() take those of the dynamic loader.
 * System calls are made by number: a sanitizer puts its own functions in place of open()
 * and read(), and these take locks.
 *
 * All that is read comes from files, never through the address itself. So the worst that
 * an address of an unloaded library can do is to have no name.
 */
#include "base/symbol.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/mangled.h"

#define PATH_SHOWN 1024 /* a file with a longer name is not read */

/* ---- files ---- */

static int open_file(const char *path)
{
	/* O_NONBLOCK: what has this name by now may be a pipe. */
	return (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK,
	                    0);
}

static void close_file(int fd)
{
	syscall(SYS_close, fd);
}

/* Reads up to `size` bytes, and returns how many they were. */
static size_t read_at(int fd, void *out, size_t size, uint64_t offset)
{
	long n = syscall(SYS_pread64, fd, out, size, offset);

	return n > 0 ? (size_t)n : 0;
}

static bool read_all(int fd, void *out, size_t size, uint64_t offset)
{
	return read_at(fd, out, size, offset) == size;
}

/* ---- the file of an address ---- */

struct mapping {
	uint64_t start, end, offset;
	char path[PATH_SHOWN]; /* "" if it is no file, or the path is too long */
};

struct input {
	int fd;
	size_t at, n;
	char buffer[1024];
};

/* Returns the next byte, or -1 at the end. */
static int next(struct input *in)
{
	if (in->at == in->n) {
		long n = syscall(SYS_read, in->fd, in->buffer, sizeof in->buffer);

		in->at = 0;
		in->n = n > 0 ? (size_t)n : 0;
		if (!in->n)
			return -1;
	}
	return (unsigned char)in->buffer[in->at++];
}

/* Reads a hexadecimal number and the byte after it. */
static uint64_t next_number(struct input *in)
{
	uint64_t value = 0;

	for (;;) {
		int c = next(in);

		if (c >= '0' && c <= '9')
			value = value << 4 | (uint64_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			value = value << 4 | (uint64_t)(c - 'a' + 10);
		else
			return value;
	}
}

/* Reads up to the end of a line; what is not too long is in `out` then. */
static void next_path(struct input *in, char *out, size_t size)
{
	size_t n = 0;
	int c = next(in);

	while (c == ' ')
		c = next(in);
	for (; c >= 0 && c != '\n'; c = next(in))
		if (n < size)
			out[n++] = (char)c;
	out[n && n < size && out[0] == '/' ? n : 0] = '\0';
}

static void skip_field(struct input *in)
{
	for (int c = next(in); c >= 0 && c != ' ' && c != '\n';)
		c = next(in);
}

/* Reads a line of /proc/self/maps: start-end permissions offset device inode path. Returns
 * false at the end of the file. */
static bool next_mapping(struct input *in, struct mapping *m)
{
	m->start = next_number(in);
	m->end = next_number(in);
	skip_field(in);
	m->offset = next_number(in);
	skip_field(in);
	skip_field(in);
	next_path(in, m->path, sizeof m->path);
	return m->end > 0;
}

static bool find_mapping(uint64_t address, struct mapping *m)
{
	struct input in = {.fd = open_file("/proc/self/maps")};
	bool found = false;

	if (in.fd < 0)
		return false;
	/* Mappings ascend. */
	while (!found && next_mapping(&in, m) && m->start <= address)
		found = address < m->end;
	close_file(in.fd);
	return found && m->path[0];
}

/* Opens the file that is mapped. A file that was deleted or replaced since has another
 * path in the table, so that it is not found; but the program can always be read. */
static int open_mapped(const struct mapping *m)
{
	char program[PATH_SHOWN];
	int fd = open_file(m->path);
	long n;

	if (fd >= 0)
		return fd;
	n = syscall(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", program, sizeof program);
	if (n <= 0 || (size_t)n != strlen(m->path) || memcmp(program, m->path, (size_t)n))
		return -1;
	return open_file("/proc/self/exe");
}

/* ---- the symbol of a place in a file ---- */

/* Converts an offset in the file to an address as symbols have it. */
static bool to_address(int fd, const Elf64_Ehdr *e, uint64_t offset, uint64_t *address)
{
	for (unsigned i = 0; i < e->e_phnum; i++) {
		Elf64_Phdr p;

		if (!read_all(fd, &p, sizeof p, e->e_phoff + i * sizeof p))
			return false;
		if (p.p_type == PT_LOAD && p.p_flags & PF_X && offset >= p.p_offset &&
		    offset - p.p_offset < p.p_filesz) {
			*address = p.p_vaddr + (offset - p.p_offset);
			return true;
		}
	}
	return false;
}

static bool is_here(const Elf64_Sym *s, uint64_t address)
{
	unsigned type = ELF64_ST_TYPE(s->st_info);

	return (type == STT_FUNC || type == STT_GNU_IFUNC) && s->st_name && s->st_value &&
	       address >= s->st_value &&
	       (address == s->st_value || address - s->st_value < s->st_size);
}

/* Finds in a table of symbols the one of this address, and reads its name. */
static bool look_up(int fd, const Elf64_Shdr *table, const Elf64_Shdr *names,
                    uint64_t address, char *name, size_t size)
{
	Elf64_Sym some[64];

	for (uint64_t at = 0, n; at + sizeof *some <= table->sh_size; at += n) {
		n = table->sh_size - at < sizeof some ? table->sh_size - at : sizeof some;
		n = read_at(fd, some, n, table->sh_offset + at) / sizeof *some;
		if (!n)
			return false;
		for (uint64_t i = 0; i < n; i++)
			if (is_here(&some[i], address)) {
				uint64_t from = names->sh_offset + some[i].st_name;

				name[read_at(fd, name, size - 1, from)] = '\0';
				return name[0];
			}
		n *= sizeof *some;
	}
	return false;
}

/* Looks through the tables of this type: SHT_SYMTAB, with all functions, or SHT_DYNSYM,
 * with those that other files may use, which a stripped file has as well. */
static bool look_up_in(int fd, const Elf64_Ehdr *e, uint32_t type, uint64_t address,
                       char *name, size_t size)
{
	for (unsigned i = 0; i < e->e_shnum; i++) {
		Elf64_Shdr table, names;

		if (!read_all(fd, &table, sizeof table, e->e_shoff + i * sizeof table))
			return false;
		if (table.sh_type == type && table.sh_link < e->e_shnum &&
		    read_all(fd, &names, sizeof names,
		             e->e_shoff + table.sh_link * sizeof names) &&
		    look_up(fd, &table, &names, address, name, size))
			return true;
	}
	return false;
}

/* Finds the name of the function at this offset in the file. Otherwise sets *address to
 * its address as the file's tables have it, if that is known. */
static bool find_symbol(int fd, uint64_t offset, uint64_t *address, char *name,
                        size_t size)
{
	Elf64_Ehdr e;

	*address = offset;
	if (!read_all(fd, &e, sizeof e, 0) || memcmp(e.e_ident, ELFMAG, SELFMAG) != 0 ||
	    e.e_ident[EI_CLASS] != ELFCLASS64 || e.e_phentsize != sizeof(Elf64_Phdr) ||
	    !to_address(fd, &e, offset, address))
		return false;
	if (e.e_shnum && e.e_shentsize != sizeof(Elf64_Shdr))
		return false;
	return look_up_in(fd, &e, SHT_SYMTAB, *address, name, size) ||
	       look_up_in(fd, &e, SHT_DYNSYM, *address, name, size);
}

/* ---- words ---- */

static char *put(char *at, const char *end, const char *text)
{
	while (*text && at < end)
		*at++ = *text++;
	return at;
}

/* Writes "function at FILE+0xADDRESS", or without the file if there is none. */
static void describe(const char *file, uint64_t address, char *out, size_t size)
{
	char digits[2 * sizeof address + 1], *first = digits + sizeof digits - 1;
	const char *end = out + size - 1;

	*first = '\0';
	do
		*--first = "0123456789abcdef"[address & 15];
	while (address >>= 4);
	out = put(out, end, "function at ");
	out = put(out, end, file);
	out = put(out, end, file[0] ? "+0x" : "0x");
	*put(out, end, first) = '\0';
}

void filch__symbol_name(uintptr_t function, char *out, size_t size)
{
	uint64_t address = function & ~FILCH__FUNCTION, in_file;
	struct mapping m;
	char symbol[FILCH__SYMBOL_SIZE];
	bool found;
	int fd;

	if (!find_mapping(address, &m)) {
		describe("", address, out, size);
		return;
	}
	in_file = address - m.start + m.offset;
	fd = open_mapped(&m);
	found = fd >= 0 && find_symbol(fd, in_file, &in_file, symbol, sizeof symbol);
	if (fd >= 0)
		close_file(fd);
	if (found)
		filch__symbol_read(symbol, out, size);
	else
		describe(strrchr(m.path, '/') + 1, in_file, out, size);
}
