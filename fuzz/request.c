/* SPDX-License-Identifier: MIT */
/*
 * Requests as filch serve reads them: the head, the path, the body. However the bytes
 * are cut into pieces, the outcome is the same; what it points at lies within them; no
 * path leads out.
 */
#include "fuzz/fuzz.h"

#include "cmd/serve/body.c"
#include "cmd/serve/request.c"

#define MOST 512 /* of a head, so that the limit is met, too */

/* A copy of exactly this size, so that reading beyond it is noticed. */
static char *copy_of(const char *data, size_t n)
{
	char *copy = malloc(n ? n : 1);

	CHECK(copy);
	memcpy(copy, data, n);
	return copy;
}

/* Piece by piece: the first of `step` bytes, then as many more each time. */
static int find_in_pieces(struct head *h, const char *data, size_t n, size_t step)
{
	int found = REQUEST_MORE;

	for (size_t have = 0; have < n && found == REQUEST_MORE;) {
		char *copy;

		have = n - have < step ? n : have + step;
		copy = copy_of(data, have);
		found = head_find(h, copy, have, MOST);
		free(copy);
	}
	return found;
}

static void check_within(struct text t, const char *data, size_t n)
{
	CHECK(!t.at || (t.at >= data && t.at + t.length <= data + n));
}

static void check_clean(struct text t, const char *data, size_t n)
{
	check_within(t, data, n);
	for (size_t i = 0; i < t.length; i++)
		CHECK(t.at[i] != '\n' && t.at[i] != 0);
}

static void check_path(struct text target)
{
	char *path = malloc(target.length + 1);
	size_t length;

	CHECK(path);
	if (request_path(target, path) == REQUEST_WHOLE) {
		length = strlen(path);
		CHECK(length <= target.length && path[0] != '/' && !strstr(path, "//"));
		for (char *at = path, *end; at < path + length; at = end + 1) {
			end = at + strcspn(at, "/");
			CHECK(!(end - at == 1 && at[0] == '.'));
			CHECK(!(end - at == 2 && at[0] == '.' && at[1] == '.'));
		}
	}
	free(path);
}

static void check_body(const struct request *r, const char *data, size_t n)
{
	struct body whole, part;
	size_t used, used_parts = 0, one;
	int found = body_begin(&whole, r, 4096), found_parts;

	if (found != REQUEST_MORE)
		return;
	part = whole;
	found = body_drop(&whole, data, n, &used);
	found_parts = REQUEST_MORE;
	while (used_parts < n && found_parts == REQUEST_MORE) {
		found_parts = body_drop(&part, data + used_parts, 1, &one);
		used_parts += one;
	}
	CHECK(used <= n && found == found_parts && used == used_parts);
	CHECK(found != REQUEST_MORE || used == n);
	CHECK(whole.total <= whole.most || found == 413);
}

static void check_request(const char *data, size_t n, const struct head *h)
{
	struct request r;
	int found = request_parse(&r, data, h);

	check_within(r.line, data, h->end);
	if (found != REQUEST_WHOLE) {
		CHECK(found == 400 || found == 417 || found == 501 || found == 505);
		return;
	}
	CHECK(r.target.at && r.target.length);
	CHECK(!r.chunked || !r.has_length);
	CHECK(r.host.at || !r.minor);
	check_clean(r.target, data, h->end);
	check_clean(r.host, data, h->end);
	check_clean(r.range, data, h->end);
	check_clean(r.if_range, data, h->end);
	check_clean(r.if_match, data, h->end);
	check_clean(r.if_none_match, data, h->end);
	check_path(r.target);
	check_body(&r, data + h->end, n - h->end);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
	struct head whole = {0}, parts = {0};
	size_t step, n = size ? size - 1 : 0;
	char *data;
	int found;

	if (!n)
		return 0;
	step = input[0] ? input[0] : 1; /* the first byte says how it is cut */
	data = copy_of((const char *)input + 1, n);
	found = head_find(&whole, data, n, MOST);
	CHECK(found == find_in_pieces(&parts, data, n, step));
	CHECK(found == REQUEST_MORE || found == REQUEST_WHOLE || found == 400 ||
	      found == 414 || found == 431);
	if (found == REQUEST_WHOLE) {
		CHECK(whole.end == parts.end && whole.begin == parts.begin);
		CHECK(whole.end <= n && whole.end <= MOST && whole.begin < whole.end);
		check_request(data, n, &whole);
	}
	free(data);
	return 0;
}
