/* SPDX-License-Identifier: MIT */
#include "watch/text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define ROOM_FIRST 4096

static bool grow(struct filch__text *t, size_t more)
{
	size_t room = t->room ? t->room : ROOM_FIRST;
	char *at;

	while (room - t->length <= more)
		room *= 2;
	if (room == t->room)
		return true;
	at = realloc(t->at, room);
	if (!at) {
		t->failed = true;
		return false;
	}
	t->at = at;
	t->room = room;
	return true;
}

void filch__text_add(struct filch__text *t, const char *format, ...)
{
	va_list list;
	int n;

	va_start(list, format);
	n = vsnprintf(NULL, 0, format, list);
	va_end(list);
	if (n < 0 || t->failed || !grow(t, (size_t)n))
		return;
	va_start(list, format);
	vsnprintf(t->at + t->length, t->room - t->length, format, list);
	va_end(list);
	t->length += (size_t)n;
}

/* Returns the length in bytes of the character that s begins with; 0 if these bytes are not
 * UTF-8 (RFC 3629). */
static int character(const unsigned char *s)
{
	uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	int n = *s < 0x80 ? 1 : *s < 0xc0 ? 0 : *s < 0xe0 ? 2 : *s < 0xf0 ? 3 : 4;
	uint32_t value = n < 2 ? *s : *s & (0x7fu >> n);

	for (int i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		value = value << 6 | (s[i] & 0x3f);
	}
	return value < least[n] || value > 0x10ffff || value >> 11 == 0x1b || *s > 0xf7
	               ? 0
	               : n;
}

void filch__text_add_string(struct filch__text *t, const char *s)
{
	const unsigned char *at = (const unsigned char *)s;

	filch__text_add(t, "\"");
	while (*at) {
		int n = character(at);

		if (*at < ' ' || *at == '"' || *at == '\\')
			filch__text_add(t, "\\u%04x", (unsigned)*at);
		else if (n)
			filch__text_add(t, "%.*s", n, (const char *)at);
		else
			filch__text_add(t, "\\ufffd");
		at += n ? n : 1;
	}
	filch__text_add(t, "\"");
}

void filch__text_free(struct filch__text *t)
{
	free(t->at);
	*t = (struct filch__text){0};
}
