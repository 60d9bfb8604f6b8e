/* SPDX-License-Identifier: MIT */
/*
 * Reads as much of the names of the Itanium C++ ABI as it takes to find the identifiers.
 * Types, template arguments and operators are stepped over, token after token. A token
 * that is not understood may only make the name less exact.
 */
#include "base/mangled.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct text {
	char *at;
	const char *end; /* the last byte, kept for the terminating zero */
};

static void put(struct text *t, const char *from, size_t n)
{
	while (n-- && t->at < t->end)
		*t->at++ = *from++;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool begins(const char *p, const char *with)
{
	return strncmp(p, with, strlen(with)) == 0;
}

/* ---- tokens ---- */

/* The place in a symbol, and the constructs that are open there. */
struct cursor {
	const char *p;
	unsigned depth;
	uint64_t lambdas; /* a bit for each level: it is the parameters of a lambda */
};

/* Returns the identifier here and its length, or NULL. */
static const char *identifier(const char *p, size_t *length)
{
	*length = 0;
	while (is_digit(*p) && *length < FILCH__SYMBOL_SIZE)
		*length = *length * 10 + (size_t)(*p++ - '0');
	return *length && strnlen(p, *length) == *length ? p : NULL;
}

/* Skips a number, in base 36, and the underscore after it. */
static const char *after_number(const char *p)
{
	while (is_digit(*p) || (*p >= 'A' && *p <= 'Z'))
		p++;
	return *p == '_' ? p + 1 : p;
}

static void open_level(struct cursor *c, size_t length, bool lambda)
{
	uint64_t bit = (uint64_t)1 << (++c->depth & 63);

	c->lambdas = lambda ? c->lambdas | bit : c->lambdas & ~bit;
	c->p += length;
}

static void close_level(struct cursor *c)
{
	bool lambda = c->lambdas >> (c->depth & 63) & 1;

	c->depth -= c->depth > 0;
	c->p = lambda ? after_number(c->p + 1) : c->p + 1;
}

/* Steps over a literal of a builtin type, or into one that contains a name. */
static void step_literal(struct cursor *c)
{
	const char *end = strchr(c->p, 'E');

	if (is_digit(c->p[1]))
		c->p++; /* no literal: the next identifier is static */
	else if (begins(c->p, "L_Z"))
		open_level(c, 3, false);
	else if (c->p[1] >= 'a' && c->p[1] <= 'z' && end)
		c->p = end + 1;
	else
		open_level(c, 1, false);
}

/* Steps over one token. */
static void step(struct cursor *c)
{
	const char *p = c->p, *name;
	size_t length;

	switch (*p) {
	case 'N':
	case 'I':
	case 'J':
	case 'F':
	case 'X':
	case 'Z':
		open_level(c, 1, false);
		break;
	case 'E':
		close_level(c);
		break;
	case 'L':
		step_literal(c);
		break;
	case 'U':
		if (p[1] == 'l')
			open_level(c, 2, true);
		else
			c->p = p[1] == 't' ? after_number(p + 2) : p + 1;
		break;
	case 'S':
		c->p = p[1] >= 'a' && p[1] <= 'z' ? p + 2 : after_number(p + 1);
		break;
	case 'T':
	case 'A':
	case '_':
		c->p = is_digit(p[1]) || p[1] == '_' ? after_number(p + 1) : p + 1;
		break;
	case 'D':
		if (p[1] == 'T' || p[1] == 't')
			open_level(c, 2, false);
		else
			c->p = p[1] ? p + 2 : p + 1;
		break;
	default:
		name = is_digit(*p) ? identifier(p, &length) : NULL;
		c->p = name ? name + length : p + 1;
	}
}

/* ---- names ---- */

static const char *skip_arguments(const char *p)
{
	struct cursor c = {.p = p};

	do
		step(&c);
	while (c.depth && *c.p);
	return c.p;
}

/* Steps over what may stand before an identifier: qualifiers, substitutions, template
 * arguments, and the mark of static functions. */
static const char *skip_prefix(const char *p)
{
	for (;;)
		if (*p && strchr("NKVrROL", *p))
			p++;
		else if (begins(p, "St"))
			p += 2;
		else if (*p == 'S')
			p = after_number(p + 1);
		else if (*p == 'I')
			p = skip_arguments(p);
		else
			return p;
}

/* Writes a name, without template arguments and unnamed namespaces. Returns false if there
 * is none here. */
static bool put_name(const char *p, struct text *out)
{
	const char *const start = out->at, *name;
	const bool nested = *p == 'N';
	size_t length;

	do {
		name = identifier(skip_prefix(p), &length);
		if (!name)
			break;
		if (!begins(name, "_GLOBAL__N")) {
			put(out, "::", out->at == start ? 0 : 2);
			put(out, name, length);
		}
		p = name + length;
	} while (nested);
	return out->at != start;
}

/* Whether this name, or the function that it is local to, is one of filch.hpp's. In a
 * symbol that begins with filch, NS_ and NS0_ are filch and filch::detail. */
static bool is_ours(const char *p)
{
	while (*p == 'Z')
		p++;
	return begins(p, "N5filch") || begins(p, "NK5filch") || begins(p, "NS_") ||
	       begins(p, "NS0_");
}

/* Writes where the user's lambda is, the first function of the user's that something in
 * the symbol is local to. */
static bool put_lambda(const char *symbol, struct text *out)
{
	struct cursor c = {.p = symbol};
	struct text before = *out;

	for (; *c.p; step(&c)) {
		const char *p = c.p;

		if (*p != 'Z' || is_ours(p))
			continue;
		p += strspn(p, "Z");
		if (strstr(p, "Ul") || strstr(p, "$_"))
			put(out, "lambda in ", 10);
		else
			put(out, "function in ", 12);
		if (put_name(p, out)) {
			put(out, "()", 2);
			return true;
		}
		*out = before;
	}
	return false;
}

/* Writes the last name among the template arguments: the type of the user's function
 * object. Otherwise, as for a pointer to a function, the name of what filch.hpp has made. */
static void put_object(const char *symbol, struct text *out)
{
	const char *object = NULL, *made = "?";
	size_t length, made_length = 1;
	bool arguments = false;

	for (struct cursor c = {.p = symbol}; *c.p; step(&c)) {
		const char *name = is_digit(*c.p) ? identifier(c.p, &length) : NULL;

		if (c.depth == 1 && *c.p == 'E')
			break; /* the types of the parameters follow */
		arguments |= *c.p == 'I';
		if (c.depth > 1 && name)
			object = c.p;
		if (!arguments && name) {
			made = name;
			made_length = length;
		}
	}
	if (object) {
		put_name(object, out);
		return;
	}
	put(out, "filch::", 7);
	put(out, made, made_length);
}

void filch__symbol_read(const char *symbol, char *out, size_t size)
{
	struct text t = {out, out + size - 1};
	const char *name = begins(symbol, "_Z") ? symbol + 2 : "";

	if (!put_lambda(name, &t)) {
		if (is_ours(name))
			put_object(name, &t);
		else if (!put_name(name, &t))
			/* A compiler adds .part.0 and the like to functions that it
			 * divides. */
			put(&t, symbol, strcspn(symbol, "."));
	}
	*t.at = '\0';
}
