/* SPDX-License-Identifier: MIT */
#include "cmd/dupes/json.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the length of the UTF-8 character at s; 0 if it is not valid: an overlong form,
 * a surrogate, or a code above U+10FFFF. */
static size_t utf8_length(const unsigned char *s)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t n = s[0] < 0x80   ? 1
	           : s[0] < 0xc0 ? 0
	           : s[0] < 0xe0 ? 2
	           : s[0] < 0xf0 ? 3
	                         : 4;
	uint32_t code = n > 1 ? s[0] & (0x7fu >> n) : s[0];

	if (s[0] > 0xf4)
		return 0;
	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (s[i] & 0x3f);
	}
	if (n > 1 &&
	    (code < least[n] || code > 0x10ffff || (code & 0xfffff800) == 0xd800))
		return 0;
	return n;
}

/* Returns true if the whole text was UTF-8. */
static bool write_string(const unsigned char *s, FILE *to)
{
	bool valid = true;

	putc('"', to);
	while (*s) {
		size_t n = utf8_length(s);

		if (!n) {
			fputs("\\ufffd", to);
			valid = false;
			s++;
		} else if (*s < ' ' || *s == 127 || *s == '"' || *s == '\\') {
			fprintf(to, "\\u%04x", *s++);
		} else {
			fwrite(s, 1, n, to);
			s += n;
		}
	}
	putc('"', to);
	return valid;
}

void json_write_path(const char *path, FILE *to)
{
	const unsigned char *s = (const unsigned char *)path;

	fputs("{\"path\":", to);
	if (!write_string(s, to)) {
		fputs(",\"path_hex\":\"", to);
		while (*s)
			fprintf(to, "%02x", *s++);
		putc('"', to);
	}
	putc('}', to);
}
