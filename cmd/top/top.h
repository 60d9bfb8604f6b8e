/* SPDX-License-Identifier: MIT */
/* What the files of filch top know of each other. See README.md. */
#ifndef FILCH_CMD_TOP_TOP_H
#define FILCH_CMD_TOP_TOP_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/* ---- link.c: the connection to a program ---- */

struct top_link {
	int fd;
	char *line; /* what has come of the next answer */
	size_t length, room;
};

enum top_result {
	TOP_OK,
	TOP_ENDED,   /* the program has */
	TOP_SILENT,  /* it does not answer in time */
	TOP_CROWDED, /* too many look at it */
	TOP_WRONG,   /* that is no answer of a Filch program, or there is no memory */
};

/* Connects to this socket, which must be this process'. Errors: -errno; -EAGAIN: it is there,
 * but does not answer. */
int link_open(struct top_link *l, const char *name, pid_t pid);
void link_close(struct top_link *l);

/* Asks for a snapshot. */
enum top_result link_ask(struct top_link *l);

/* Takes what has come of it, and waits up to so many milliseconds for the rest. The line, its
 * end included, is good until the next call. */
enum top_result link_receive(struct top_link *l, int wait_ms, const char **line);

/* A snapshot, checked as far as the page needs; NULL if it is none. */
json_t *link_parse(const char *line);

/* ---- find.c: which program ---- */

/* Both say what is wrong, and return the exit code. */
int find_program(struct top_link *l, pid_t pid);
int list_programs(void);

/* ---- page.c: a snapshot for people ---- */

/* Before a line that is a heading, if asked for. */
#define PAGE_HEADING '\1'

struct page_options {
	unsigned rows; /* what is beyond that is left out; 0: nothing is */
	bool marks;    /* headings are marked */
};

/* What a program does, at a rate since the snapshot before. */
void page_write(FILE *out, const json_t *now, const json_t *before,
                const struct page_options *o);

/* A name without what a terminal would obey. */
void page_name(FILE *out, const char *name);

/* ---- screen.c: the terminal ---- */

/* Errors: -errno: this is no terminal that can be drawn on. */
int screen_open(void);
void screen_close(void);
unsigned screen_rows(void);

/* Shows this text from the top left on, its lines cut to fit. */
void screen_show(const char *text);

/* ---- live.c ---- */

/* Draws on the open screen until a key, a signal, or the end of the program. A signal then
 * does what it would have done. */
enum top_result live_view(struct top_link *l, unsigned interval_ms);

#endif
