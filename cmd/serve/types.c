/* SPDX-License-Identifier: MIT */
#include "cmd/serve/types.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#define UTF8 "; charset=utf-8"

static const struct {
	const char *end, *type;
} types[] = {
	{"html", "text/html" UTF8},
	{"htm", "text/html" UTF8},
	{"css", "text/css" UTF8},
	{"js", "text/javascript" UTF8},
	{"mjs", "text/javascript" UTF8},
	{"json", "application/json"},
	{"map", "application/json"},
	{"txt", "text/plain" UTF8},
	{"log", "text/plain" UTF8},
	{"c", "text/plain" UTF8},
	{"h", "text/plain" UTF8},
	{"md", "text/markdown" UTF8},
	{"csv", "text/csv" UTF8},
	{"xml", "application/xml"},
	{"xhtml", "application/xhtml+xml"},
	{"atom", "application/atom+xml"},
	{"svg", "image/svg+xml"},
	{"png", "image/png"},
	{"jpg", "image/jpeg"},
	{"jpeg", "image/jpeg"},
	{"gif", "image/gif"},
	{"webp", "image/webp"},
	{"avif", "image/avif"},
	{"bmp", "image/bmp"},
	{"ico", "image/x-icon"},
	{"tif", "image/tiff"},
	{"tiff", "image/tiff"},
	{"woff", "font/woff"},
	{"woff2", "font/woff2"},
	{"ttf", "font/ttf"},
	{"otf", "font/otf"},
	{"mp3", "audio/mpeg"},
	{"ogg", "audio/ogg"},
	{"flac", "audio/flac"},
	{"wav", "audio/wav"},
	{"mp4", "video/mp4"},
	{"webm", "video/webm"},
	{"pdf", "application/pdf"},
	{"wasm", "application/wasm"},
	{"gz", "application/gzip"},
	{"zip", "application/zip"},
	{"xz", "application/x-xz"},
	{"tar", "application/x-tar"},
};

const char *type_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *dot = strrchr(slash ? slash : path, '.');

	for (size_t i = 0; dot && i < sizeof types / sizeof *types; i++)
		if ((dot[1] | 32) == *types[i].end && !strcasecmp(dot + 1, types[i].end))
			return types[i].type;
	return "application/octet-stream";
}
