/* SPDX-License-Identifier: MIT */
/*
 * The walk, level by level: all directories of a level are listed, then the system is
 * asked about their entries, in slices, so that a directory with a million files is work
 * for all workers.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <filch/io.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cmd/dupes/dupes.h"
#include "cmd/dupes/each.h"
#include "cmd/dupes/open.h"
#include "cmd/dupes/visited.h"

enum {
	LANES = 32,
	BUFFER = 32 << 10, /* bytes of entries that are read at a time */
	SLICE = 64,        /* entries that one call of a body looks at */
	PATH_ROOM = 4096
};

/* ---- calls that block when the disk is asked ---- */

struct job {
	void (*function)(void *argument);
	void *argument;
	bool slept;
};

static long times_asleep(void)
{
	struct rusage u;

	return getrusage(RUSAGE_THREAD, &u) ? 0 : u.ru_nvcsw;
}

static void *job_run(void *job)
{
	struct job *j = job;
	long before = times_asleep();

	j->function(j->argument);
	j->slept = times_asleep() != before;
	return NULL;
}

/* Calls the function in place as long as such calls do not sleep, which is cheapest; else
 * on a helper thread, so that many can sleep at a time. */
static void run_where_best(struct dupes *d, void (*function)(void *), void *argument)
{
	struct job j = {function, argument, false};

	/* Relaxed: a hint. */
	if (atomic_load_explicit(&d->cold, memory_order_relaxed))
		filch_blocking(job_run, &j);
	else
		job_run(&j);
	atomic_store_explicit(&d->cold, j.slept, memory_order_relaxed); /* as above */
}

/* ---- listing ---- */

/* A directory that is being listed. */
struct listing {
	struct dupes *d;
	uint32_t directory;
	struct directory found; /* the directory as it was found */
	char *path;             /* its path without links */
	char *shown;            /* its path as it is printed */
	int fd;                 /* -1: not open yet */
	long n;                 /* bytes in the buffer; 0: the end; or a negative error */
	char *buffer;
};

/* Opens a directory that was found before. Returns a descriptor or a negative error. */
static int open_directory(struct dupes *d, const char *path,
                          const struct directory *found)
{
	int fd = open_path(d, path, O_RDONLY | O_DIRECTORY);
	struct stat s;

	if (fd < 0)
		return fd;
	if (fstat(fd, &s) || s.st_ino != found->inode ||
	    open_device(&s) != found->device) {
		close(fd);
		return -DUPES_REPLACED;
	}
	return fd;
}

/* Fills the buffer with the next entries. */
static void list_some(void *listing)
{
	struct listing *l = listing;

	if (l->fd < 0)
		l->fd = open_directory(l->d, l->path, &l->found);
	if (l->fd < 0) {
		l->n = l->fd;
		return;
	}
	l->n = syscall(SYS_getdents64, l->fd, l->buffer, BUFFER);
	if (l->n < 0)
		l->n = -errno;
}

static bool excluded(const struct listing *l, const char *name)
{
	const struct dupes_options *o = l->d->o;

	for (size_t i = 0; i < o->excludes; i++) {
		char room[PATH_ROOM], *path = room;
		const char *subject = name;
		bool match;

		if (strchr(o->exclude[i], '/')) {
			size_t n = strlen(l->shown), m = strlen(name);
			bool slash = n && l->shown[n - 1] != '/';

			if (n + m + 2 > sizeof room && !(path = malloc(n + m + 2)))
				dupes_no_memory();
			memcpy(path, l->shown, n);
			path[n] = '/';
			memcpy(path + n + slash, name, m + 1);
			subject = path;
		}
		match = !fnmatch(o->exclude[i], subject, 0);
		if (path != room)
			free(path);
		if (match)
			return true;
	}
	return false;
}

/* Returns true if the entry may be a file or a directory, and is not excluded. */
static bool of_interest(const struct listing *l, const struct dirent64 *e)
{
	if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
		return false;
	switch (e->d_type) {
	case DT_REG:
	case DT_DIR:
	case DT_UNKNOWN:
		break;
	case DT_LNK:
		if (l->d->o->follow)
			break;
		return false;
	default:
		dupes_count(&l->d->special, 1);
		return false;
	}
	return !l->d->o->excludes || !excluded(l, e->d_name);
}

/* Puts the entries in the buffer into the catalog. */
static void list_keep(struct listing *l)
{
	struct catalog *c = &l->d->catalog;

	filch_mutex_lock(&c->lock);
	for (long at = 0; at < l->n;) {
		const struct dirent64 *e = (void *)(l->buffer + at);
		struct file *f;

		at += e->d_reclen;
		if (!of_interest(l, e))
			continue;
		f = catalog_add_file(c);
		*f = (struct file){.directory = l->directory, .stage = FILE_NAMED};
		f->name = catalog_add_name(c, e->d_name) & ((UINT64_C(1) << 56) - 1);
	}
	filch_mutex_unlock(&c->lock);
}

struct level {
	struct dupes *d;
	size_t directory; /* its first directory */
	size_t file, end; /* its files are those from `file` to `end` */
};

static void list_one(size_t i, void *scratch, void *context)
{
	struct level *level = context;
	struct dupes *d = level->d;
	struct catalog *c = &d->catalog;
	char room[PATH_ROOM], shown[PATH_ROOM];
	struct listing l = {.d = d,
	                    .directory = (uint32_t)(level->directory + i),
	                    .fd = -1,
	                    .buffer = scratch};

	if (l.directory < d->o->roots && !c->real[l.directory])
		return;
	filch_mutex_lock(&c->lock);
	l.found = c->directory[l.directory];
	l.path = catalog_path(c, l.directory, NULL, CATALOG_REAL, room, sizeof room);
	l.shown = catalog_path(c, l.directory, NULL, CATALOG_GIVEN, shown, sizeof shown);
	filch_mutex_unlock(&c->lock);
	do {
		run_where_best(d, list_some, &l);
		if (l.n < 0)
			dupes_failed(d, l.directory, NULL, (int)-l.n);
		else
			list_keep(&l);
	} while (l.n > 0);
	if (l.fd >= 0)
		close(l.fd);
	if (l.path != room)
		free(l.path);
	if (l.shown != shown)
		free(l.shown);
	dupes_count(&d->progress.directories, 1);
}

/* ---- asking about the entries that were listed ---- */

struct slice {
	struct dupes *d;
	struct file *file;
	size_t n;
};

static void look_at(struct dupes *d, struct file *f, int fd)
{
	const struct dupes_options *o = d->o;
	const char *name = catalog_name(&d->catalog, f);
	struct stat s;

	f->stage = FILE_GONE;
	if (fstatat(fd, name, &s, o->follow ? 0 : AT_SYMLINK_NOFOLLOW)) {
		dupes_failed(d, f->directory, name, errno);
		return;
	}
	f->size = (uint64_t)s.st_size;
	f->inode = s.st_ino;
	f->mtime = open_mtime(&s);
	f->device = open_device(&s);
	if (o->one_file_system && f->device != d->catalog.directory[f->directory].device)
		return;
	if (S_ISDIR(s.st_mode))
		f->stage = FILE_FOLDER;
	else if (!S_ISREG(s.st_mode))
		dupes_count(&d->special, !S_ISLNK(s.st_mode));
	else if (f->size >= o->min_size)
		f->stage = FILE_SIZED;
}

/* Looks at the files at the beginning of the slice that are in the same directory, and
 * returns how many there are. */
static size_t look_at_directory(struct dupes *d, struct file *f, size_t n)
{
	const struct catalog *c = &d->catalog;
	uint32_t directory = f->directory;
	char room[PATH_ROOM];
	char *path = catalog_path(c, directory, NULL, CATALOG_REAL, room, sizeof room);
	int fd = open_directory(d, path, &c->directory[directory]);
	size_t i = 0;

	if (fd < 0)
		dupes_failed(d, directory, NULL, -fd);
	for (; i < n && f[i].directory == directory; i++)
		if (fd < 0)
			f[i].stage = FILE_GONE;
		else
			look_at(d, &f[i], fd);
	if (fd >= 0)
		close(fd);
	if (path != room)
		free(path);
	return i;
}

static void look_at_slice(void *slice)
{
	struct slice *s = slice;

	for (size_t i = 0; i < s->n;)
		i += look_at_directory(s->d, s->file + i, s->n - i);
}

static void look_at_one(size_t i, void *scratch, void *context)
{
	struct level *l = context;
	size_t begin = l->file + i * SLICE, n = l->end - begin;
	struct slice s = {l->d, &l->d->catalog.file[begin], n < SLICE ? n : SLICE};
	uint64_t files = 0;

	(void)scratch;
	run_where_best(l->d, look_at_slice, &s);
	for (size_t k = 0; k < s.n; k++)
		files += s.file[k].stage == FILE_SIZED;
	dupes_count(&l->d->progress.files, files);
}

/* ---- level by level ---- */

/* Moves entries that are directories to the directories, drops those that are gone, and
 * closes the gaps. */
static void settle(struct catalog *c, size_t first)
{
	size_t kept = first;

	for (size_t i = first; i < c->files; i++) {
		const struct file *f = &c->file[i];

		if (f->stage == FILE_FOLDER) {
			uint32_t depth = c->directory[f->directory].depth + 1;

			*catalog_add_directory(c) = (struct directory){
				f->inode, f->name, f->device, f->directory, depth};
		} else if (f->stage == FILE_SIZED) {
			c->file[kept++] = *f;
		}
	}
	c->files = kept;
}

/* Adds the given directories. */
static void begin(struct dupes *d)
{
	struct catalog *c = &d->catalog;

	c->real = calloc(d->o->roots, sizeof *c->real);
	if (!c->real)
		dupes_no_memory();
	for (size_t i = 0; i < d->o->roots; i++) {
		struct stat s = {0};
		uint64_t name = catalog_add_name(c, d->o->root[i]);

		*catalog_add_directory(c) = (struct directory){.name = name};
		c->real[i] = realpath(d->o->root[i], NULL);
		if (c->real[i] && !stat(c->real[i], &s)) {
			;
		} else if (stat(d->o->root[i], &s)) {
			dupes_failed(d, (uint32_t)i, NULL, errno);
			free(c->real[i]);
			c->real[i] = NULL;
		} else { /* its real path is too long, or may not be used */
			free(c->real[i]);
			c->real[i] = strdup(d->o->root[i]);
			if (!c->real[i])
				dupes_no_memory();
		}
		c->directory[i].inode = s.st_ino;
		c->directory[i].device = open_device(&s);
	}
}

void dupes_walk(struct dupes *d)
{
	struct catalog *c = &d->catalog;
	struct level l = {.d = d};
	struct visited visited = {0};
	size_t lanes = d->descriptors < LANES ? d->descriptors : LANES;

	begin(d);
	if (d->o->follow)
		visited_begin(&visited, c);
	while (l.directory < c->directories) {
		size_t n = c->directories - l.directory;

		l.file = c->files;
		each(n, lanes, BUFFER, list_one, &l);
		l.directory += n;
		l.end = c->files;
		each((l.end - l.file + SLICE - 1) / SLICE, lanes, 0, look_at_one, &l);
		settle(c, l.file);
		if (d->o->follow)
			visited_drop(&visited, d, l.directory);
	}
	visited_free(&visited);
}
