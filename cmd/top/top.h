/* SPDX-License-Identifier: MIT */
/* The functions that the files of filch top share. See README.md. */
#ifndef FILCH_CMD_TOP_TOP_H
#define FILCH_CMD_TOP_TOP_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/* ---- link.c: the connection to a program ---- */

struct top_link {
	int fd;
	char *line; /* as much as has arrived of the next answer */
	size_t length, room;
};

enum top_result {
	TOP_OK,
	TOP_ENDED,   /* the program has ended */
	TOP_SILENT,  /* the program does not answer in time */
	TOP_CROWDED, /* the program answers too many others already */
	TOP_WRONG,   /* the answer is not one of a Filch program, or memory ran out */
};

void link_close(struct top_link *l);

/* Asks for a snapshot. */
enum top_result link_ask(struct top_link *l);

/* Receives the answer, and waits up to wait_ms milliseconds for it. The line includes its
 * newline and is valid until the next call. */
enum top_result link_receive(struct top_link *l, int wait_ms, const char **line);

/* Parses a snapshot, and checks it as far as the page needs. Returns NULL if the line is
 * not a snapshot. */
json_t *link_parse(const char *line);

/* ---- find.c: the programs that can be looked at ---- */

/* Connects to a program. Returns 0, or the exit code after a message. */
int find_program(struct top_link *l, pid_t pid);

/* Prints a line for each program. Returns the exit code. */
int list_programs(void);

/* ---- page.c: a snapshot as text ---- */

/* The character before a heading, if page_options.marks is set. */
#define PAGE_HEADING '\1'

struct page_options {
	unsigned rows; /* the page is cut to so many lines; 0: it is not cut */
	bool marks;    /* headings begin with PAGE_HEADING */
};

/* Writes what a program does; rates are differences from the snapshot before. */
void page_write(FILE *out, const json_t *now, const json_t *before,
                const struct page_options *o);

/* Writes a name, with `?` for each control character. */
void page_name(FILE *out, const char *name);

/* ---- screen.c: the terminal ---- */

/* Returns 0, or -ENOTTY if the output is not a terminal that can be drawn on. */
int screen_open(void);
void screen_close(void);
unsigned screen_rows(void);

/* Shows a text from the top left corner on, with its lines cut to the width. */
void screen_show(const char *text);

/* ---- live.c ---- */

/* Draws on the open screen until the key q, a signal, or the end of the program. A signal
 * takes its usual effect after the screen is restored. */
enum top_result live_view(struct top_link *l, unsigned interval_ms);

#endif
