/* SPDX-License-Identifier: MIT */
#include "bench/json/line.h"

#include <stdio.h>
#include <string.h>

#define PATHS 4000
#define LONG_EVERY 4096 /* lines */
#define LONG_FIRST 1000
#define SPOILT_EVERY 1000 /* lines, on average */

/* A line that is being made, of the event that it is to say. */
struct line {
	char *text;
	size_t size;
	struct event event;
	char path[32];
};

#define put(l, ...) ((l)->size += (size_t)sprintf((l)->text + (l)->size, __VA_ARGS__))

static void put_text(struct line *l, const char *text)
{
	size_t n = strlen(text);

	memcpy(l->text + l->size, text, n);
	l->size += n;
}

/* Words, some with escapes, at least so many bytes; counts the text without escapes. */
static void put_words(struct line *l, struct filch__random *r, size_t least)
{
	static const struct {
		const char *text;
		uint64_t size;
	} word[] = {{"basket ", 7},
	            {"the ", 4},
	            {"delivered to ", 13},
	            {"and ", 4},
	            {"\\\"gift\\\" ", 7},
	            {"caf\\u00e9 ", 6},
	            {"\\ud83d\\ude00 ", 5},
	            {"C:\\\\shop ", 8},
	            {"naïve ", 7},
	            {"\\n\\t", 2},
	            {"returned ", 9},
	            {"on time ", 8},
	            {"12,50 ", 6},
	            {"<b>new</b> ", 11},
	            {"http:\\/\\/shop ", 12},
	            {"please call ", 12}};
	size_t end = l->size + least;

	while (l->size < end) {
		size_t i = filch__random_below(r, sizeof word / sizeof *word);

		put_text(l, word[i].text);
		l->event.text += word[i].size;
	}
}

static void put_request(struct line *l, struct filch__random *r)
{
	static const char *const method[] = {"GET", "GET", "GET", "POST", "PUT"};
	static const char *const agent[] = {
		"Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
		"curl/8.9.1", "shop-app/12.4 (Android 14; \\\"Pixel 8\\\")"};
	/* Some paths are asked for more often than others. */
	uint64_t path = filch__random_below(r, 1 + filch__random_below(r, PATHS));
	uint64_t status = filch__random_below(r, 50) ? 200 : 503;

	l->event.length = (size_t)sprintf(l->path, "/shop/%u/item/%04u",
	                                  (unsigned)(path % 17), (unsigned)path);
	l->event.path = l->path;
	l->event.failed = status == 503;
	l->event.bytes = filch__random_below(r, 100000);
	l->event.latency = 100 + filch__random_below(r, 2000000);
	put(l, "\"request\":{\"method\":\"%s\",\"path\":\"%s\",\"status\":%u,",
	    method[filch__random_below(r, 5)], l->path, (unsigned)status);
	put(l, "\"bytes\":%u,\"latency\":%u.%03u,\"headers\":{\"accept\":[\"text/html\",",
	    (unsigned)l->event.bytes, (unsigned)(l->event.latency / 1000),
	    (unsigned)(l->event.latency % 1000));
	put(l, "\"*/*\"],\"agent\":\"%s\",\"keep\":true,\"range\":null}}",
	    agent[filch__random_below(r, 3)]);
}

static void put_items(struct line *l, struct filch__random *r)
{
	size_t items = filch__random_below(r, 8);

	put_text(l, ",\"items\":[");
	for (size_t i = 0; i < items; i++) {
		unsigned n = 1 + (unsigned)filch__random_below(r, 5);
		unsigned price = (unsigned)filch__random_below(r, 20000);

		put(l, "%s{\"sku\":\"%08x\",\"n\":%u,\"price\":%u,\"weight\":%.3e}",
		    i ? "," : "", (unsigned)filch__random_next(r), n, price,
		    (double)price / 7);
		l->event.spent += n * price;
	}
	put_text(l, "]");
}

static size_t note_size(struct filch__random *r, bool is_long)
{
	if (is_long)
		return 100000 + filch__random_below(r, 800000);
	return filch__random_below(r, 2) ? 40 : filch__random_below(r, 3000);
}

static void put_details(struct line *l, struct filch__random *r, bool is_long)
{
	put(l, ",\"user\":{\"id\":%u,\"name\":\"",
	    (unsigned)filch__random_below(r, 1000000));
	put_words(l, r, 10);
	put_text(l, "\",\"groups\":[1,22,333],\"at\":{\"x\":-0.25,\"y\":51.5}}");
	put_items(l, r);
	put_text(l, ",\"note\":\"");
	put_words(l, r, note_size(r, is_long));
	put_text(l, "\"");
}

static void put_event(struct line *l, struct filch__random *r, uint64_t number)
{
	bool is_long = number % LONG_EVERY == LONG_FIRST;

	put(l, "{\"id\":%llu,\"time\":\"2026-01-%02uT%02u:%02u:%02u.%03uZ\",",
	    (unsigned long long)number, 1 + (unsigned)(number >> 16) % 28,
	    (unsigned)(number >> 12) % 24, (unsigned)(number >> 6) % 60,
	    (unsigned)number % 60, (unsigned)filch__random_below(r, 1000));
	put_request(l, r);
	if (is_long || filch__random_below(r, 8)) /* else it is a short one */
		put_details(l, r, is_long);
	put_text(l, "}");
}

/* What comes over the wire when things go wrong; the summary knows only where. */
static void spoil(struct line *l, size_t how)
{
	switch (how % 3) {
	case 0: /* cut off */
		l->size -= l->size / 3;
		break;
	case 1: /* two in one */
		put_text(l, "{}");
		break;
	default: /* JSON, but no event */
		l->size = 0;
		put_text(l, "{\"request\":[\"path\",\"latency\"]}");
	}
}

size_t line_make(char *text, struct filch__random *r, struct summary *says)
{
	struct line l = {.text = text};

	put_event(&l, r, ++says->lines);
	if (filch__random_below(r, SPOILT_EVERY)) {
		summary_add(says, &l.event);
	} else {
		spoil(&l, says->rejects);
		summary_reject(says, "it was spoilt");
	}
	put_text(&l, "\n");
	return l.size;
}
