/* SPDX-License-Identifier: MIT */
#include "cmd/serve/conditions.h"

#include "cmd/serve/date.h"

/* ---- versions ---- */

static char *put_hex(char *out, uint64_t value)
{
	unsigned digits = 1 + (63u - (unsigned)__builtin_clzll(value | 1)) / 4;

	for (unsigned i = digits; i--;)
		*out++ = "0123456789abcdef"[value >> (4 * i) & 15];
	return out;
}

size_t etag_write(const struct file *f, char *out)
{
	char *at = out;

	*at++ = '"';
	at = put_hex(at, f->inode);
	*at++ = '-';
	at = put_hex(at, f->size);
	*at++ = '-';
	at = put_hex(at, (uint64_t)f->modified);
	*at++ = '"';
	return (size_t)(at - out);
}

static bool same(struct text t, struct text etag)
{
	return t.length == etag.length && !memcmp(t.at, etag.at, etag.length);
}

/* Returns true if the tag is in the list, or the list is "*". Weak tags ("W/...") count
 * only if `weak` is set. Our own tags have no comma, so a tag that has one cannot
 * match. */
static bool lists(struct text list, struct text etag, bool weak)
{
	struct text part;

	if (text_is(list, "*"))
		return true;
	while (text_part(&list, &part)) {
		if (weak && part.length > 2 && !memcmp(part.at, "W/", 2)) {
			part.at += 2;
			part.length -= 2;
		}
		if (same(part, etag))
			return true;
	}
	return false;
}

/* ---- ranges ---- */

/* Cuts a number off the text. Returns false if it has no digits or too many. */
static bool cut_number(struct text *t, uint64_t *value)
{
	size_t n = 0;

	for (*value = 0; n < t->length && t->at[n] >= '0' && t->at[n] <= '9'; n++) {
		if (n >= 18)
			return false;
		*value = *value * 10 + (uint64_t)(t->at[n] - '0');
	}
	t->at += n;
	t->length -= n;
	return n;
}

static bool cut_dash(struct text *t)
{
	if (!t->length || *t->at != '-')
		return false;
	t->at++;
	t->length--;
	return true;
}

/* Reads "-n": the last n bytes of the file. */
static int read_suffix(struct text t, uint64_t size, struct range *range)
{
	uint64_t n;

	if (!cut_dash(&t) || !cut_number(&t, &n) || t.length)
		return 200;
	if (!n || !size)
		return 416;
	range->size = n < size ? n : size;
	range->first = size - range->size;
	return 206;
}

int range_read(struct text t, uint64_t size, struct range *range)
{
	uint64_t first, last;

	if (t.length < 7 || strncasecmp(t.at, "bytes=", 6))
		return 200;
	t = text_trim((struct text){t.at + 6, t.length - 6});
	if (t.length && *t.at == '-')
		return read_suffix(t, size, range);
	if (!cut_number(&t, &first) || !cut_dash(&t))
		return 200;
	last = size - 1;
	if (t.length && (!cut_number(&t, &last) || t.length || last < first))
		return 200;
	if (first >= size)
		return 416;
	range->first = first;
	range->size = (last < size ? last + 1 : size) - first;
	return 206;
}

/* If-Range: the range counts only if the file is still the same version. */
static bool is_still(struct text t, struct text etag, const struct file *f)
{
	int64_t seconds;

	if (!t.at || same(t, etag))
		return true;
	return date_read(t, &seconds) && seconds == file_seconds(f);
}

/* ---- all conditions, in the order of RFC 9110, 13.2.2 ---- */

static bool is_refused(const struct request *r, struct text etag, const struct file *f)
{
	int64_t seconds;

	if (r->if_match.at)
		return !lists(r->if_match, etag, false);
	return r->if_unmodified_since.at && date_read(r->if_unmodified_since, &seconds) &&
	       file_seconds(f) > seconds;
}

static bool is_known(const struct request *r, struct text etag, const struct file *f)
{
	int64_t seconds;

	if (r->if_none_match.at)
		return lists(r->if_none_match, etag, true);
	return r->if_modified_since.at && date_read(r->if_modified_since, &seconds) &&
	       file_seconds(f) <= seconds;
}

int conditions_judge(const struct request *r, const struct file *f, struct range *range)
{
	char tag[ETAG_MOST];
	struct text etag = {tag, 0};

	*range = (struct range){0, f->size};
	if (!r->if_match.at && !r->if_unmodified_since.at && !r->if_none_match.at &&
	    !r->if_modified_since.at && !r->range.at)
		return 200;
	etag.length = etag_write(f, tag);
	if (is_refused(r, etag, f))
		return 412;
	if (is_known(r, etag, f))
		return 304;
	if (r->range.at && r->method == METHOD_GET && is_still(r->if_range, etag, f))
		return range_read(r->range, f->size, range);
	return 200;
}
