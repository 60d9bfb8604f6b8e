/* SPDX-License-Identifier: MIT */
/*
 * How filch serve reads the bytes that it receives: heads, paths, bodies, ranges, dates.
 * All that was kept for fuzzing goes through the same assertions here.
 */
#include "tests/test.h"

#include <dirent.h>
#include <string.h>
#include <time.h>

#include "fuzz/request.c"

#include "cmd/serve/conditions.c"
#include "cmd/serve/date.c"
#include "cmd/serve/file.c"
#include "cmd/serve/types.c"

/* ---- heads ---- */

static int parse(const char *text, struct request *r)
{
	struct head h = {0};
	int found = head_find(&h, text, strlen(text), 8192);

	return found == REQUEST_WHOLE ? request_parse(r, text, &h) : found;
}

static void assert_text(struct text t, const char *want)
{
	assert_int_equal(t.length, strlen(want));
	assert_memory_equal(t.at, want, t.length);
}

static void heads_are_read(void **state)
{
	struct request r;

	(void)state;
	assert_int_equal(
		parse("GET /a?b HTTP/1.1\r\nhOsT: h\r\nRange:  bytes=1-2\t \r\n\r\n", &r),
		REQUEST_WHOLE);
	assert_int_equal(r.method, METHOD_GET);
	assert_int_equal(r.minor, 1);
	assert_true(r.keep && !r.chunked && !r.has_length);
	assert_text(r.line, "GET /a?b HTTP/1.1");
	assert_text(r.target, "/a?b");
	assert_text(r.host, "h");
	assert_text(r.range, "bytes=1-2");
	assert_null(r.if_match.at);
	assert_text(request_query(r.target), "?b");

	assert_int_equal(parse("HEAD / HTTP/1.0\r\nConnection: x,Keep-Alive\r\n\r\n", &r),
	                 REQUEST_WHOLE);
	assert_int_equal(r.method, METHOD_HEAD);
	assert_true(r.keep && !r.minor);
	assert_int_equal(
		parse("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 12\r\n\r\n", &r),
		REQUEST_WHOLE);
	assert_int_equal(r.method, METHOD_REFUSED);
	assert_int_equal(r.length, 12);
	assert_int_equal(
		parse("get / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", &r),
		REQUEST_WHOLE);
	assert_int_equal(r.method, METHOD_UNKNOWN);
	assert_false(r.keep);
}

static void wrong_heads_are_refused(void **state)
{
	static const struct {
		const char *text;
		int status;
	} wrong[] = {
		{"GET / HTTP/1.1\r\n\r\n", 400},
		{"GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400},
		{"GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400},
		{"GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n", 400},
		{"GET / HTTP/1.1\nHost: a\n\n", 400},
		{"GET / HTTP/1.1\r\nHost: a\rb\r\n\r\n", 400},
		{"GET /\r\n\r\n", 400},
		{"GET / HTTP/1.1x\r\nHost: a\r\n\r\n", 400},
		{"GET / HTTP/3.0\r\nHost: a\r\n\r\n", 505},
		{"(GET) / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
		{"GET / HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\n", 417},
		{"GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: x\r\n\r\n", 501},
		{"GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n"
	         "Content-Length: 0\r\n\r\n",
	         400},
		{"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n"
	         "Content-Length: 01x\r\n\r\n",
	         400},
		{"GET / HTTP/1.1\r\nHost: a\r\n", REQUEST_MORE},
		{"\r\n\r\n", REQUEST_MORE},
	};
	struct request r;

	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		if (parse(wrong[i].text, &r) != wrong[i].status)
			fail_msg("%s: %d", wrong[i].text, parse(wrong[i].text, &r));
}

static void heads_have_a_limit(void **state)
{
	static const char text[] = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
	const size_t n = sizeof text - 1;
	struct head h = {0};

	(void)state;
	assert_int_equal(head_find(&h, text, n, n), REQUEST_WHOLE);
	assert_int_equal(h.end, n);
	h = (struct head){0};
	assert_int_equal(head_find(&h, text, n, n - 1), 431);
	h = (struct head){0};
	assert_int_equal(head_find(&h, text, n, 10), 414);
	h = (struct head){0};
	assert_int_equal(head_find(&h, text, 10, 10), 414);
}

/* ---- paths ---- */

static void paths_stay_inside(void **state)
{
	static const struct {
		const char *target, *path; /* NULL: refused */
	} known[] = {
		{"/", ""},
		{"/a", "a"},
		{"/a/", "a/"},
		{"//a///b", "a/b"},
		{"/./a/./b/.", "a/b/"},
		{"/a/../b", "b"},
		{"/a/b/..", "a/"},
		{"/a/..", ""},
		{"/a%2fb%2F..%2e/c", "a/b/.../c"},
		{"/%41%7e?x", "A~"},
		{"/...", "..."},
		{"/.a", ".a"},
		{"http://h/a", "a"},
		{"http://h", ""},
		{"https://h?x/..", ""},
		{"/http://h", "http:/h"},
		{"/..", NULL},
		{"/a/../..", NULL},
		{"/a/../../b", NULL},
		{"/%2e%2e", NULL},
		{"/.%2e/", NULL},
		{"/%00", NULL},
		{"/%", NULL},
		{"/%4", NULL},
		{"/%4g", NULL},
		{"a", NULL},
		{"*", NULL},
		{"?", NULL},
		{"http:///a", NULL},
	};
	char path[64];

	(void)state;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		struct text t = {known[i].target, strlen(known[i].target)};
		int found = request_path(t, path);

		assert_int_equal(found, known[i].path ? REQUEST_WHOLE : 400);
		if (known[i].path)
			assert_string_equal(path, known[i].path);
	}
}

/* ---- bodies ---- */

static void bodies_end_where_they_end(void **state)
{
	static const struct {
		const char *text;
		int found;
		size_t used;
	} known[] = {
		{"0\r\n\r\nGET", REQUEST_WHOLE, 5},
		{"3\r\nabc\r\n0\r\n\r\n", REQUEST_WHOLE, 13},
		{"A;x=\"y\"\r\n0123456789\r\n0\r\nT: u\r\n\r\n", REQUEST_WHOLE, 32},
		{"3\r\nab", REQUEST_MORE, 5},
		{"3\r\nabcd", 400, 7},
		{"3\r\nabc\rx", 400, 8},
		{"3\nabc", 400, 2},
		{"3\rx", 400, 3},
		{"0\r\n\rx", 400, 5},
		{"\r\n", 400, 1},
		{"1000\r\n", REQUEST_MORE, 6},
		{"1001\r\n", 413, 6},
		{"1234567890123456", 400, 16},
		{"0\r\n x", 400, 4},
	};

	(void)state;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		struct request r = {.chunked = true};
		struct body b;
		size_t used;

		assert_int_equal(body_begin(&b, &r, 4096), REQUEST_MORE);
		assert_int_equal(
			body_drop(&b, known[i].text, strlen(known[i].text), &used),
			known[i].found);
		assert_int_equal(used, known[i].used);
	}
}

/* ---- ranges and dates ---- */

static void ranges_lie_within(void **state)
{
	static const struct {
		const char *text;
		int status;
		uint64_t size, first, length;
	} known[] = {
		{"bytes=0-0", 206, 10, 0, 1},     {"bytes=2-", 206, 10, 2, 8},
		{"bytes=-3", 206, 10, 7, 3},      {"bytes=-30", 206, 10, 0, 10},
		{"bytes=9-100", 206, 10, 9, 1},   {"bytes=10-", 416, 10, 0, 0},
		{"bytes=-0", 416, 10, 0, 0},      {"bytes=0-", 416, 0, 0, 0},
		{"bytes=0-1,2-3", 200, 10, 0, 0}, {"bytes=3-2", 200, 10, 0, 0},
		{"bytes", 200, 10, 0, 0},         {"bytes=", 200, 10, 0, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		struct text t = {known[i].text, strlen(known[i].text)};
		struct range range = {0, 0};

		assert_int_equal(range_read(t, known[i].size, &range), known[i].status);
		if (known[i].status != 206)
			continue;
		assert_int_equal(range.first, known[i].first);
		assert_int_equal(range.size, known[i].length);
	}
}

/* As the C library has it. */
static void dates_are_right(void **state)
{
	struct filch__random random = filch__random_seed(test_seed());

	(void)state;
	for (int i = 0; i < 10000; i++) {
		time_t t = i < 2 ? i
		                 : (time_t)(filch__random_next(&random) % 253402300800);
		char mine[DATE_LENGTH + 1] = "", theirs[64];
		int64_t back;
		struct tm tm;

		gmtime_r(&t, &tm);
		strftime(theirs, sizeof theirs, "%a, %d %b %Y %H:%M:%S GMT", &tm);
		date_write(t, mine);
		assert_string_equal(mine, theirs);
		assert_true(date_read((struct text){mine, DATE_LENGTH}, &back));
		assert_int_equal(back, t);
	}
}

static void types_go_by_the_end(void **state)
{
	(void)state;
	assert_string_equal(type_of("a/b.PNG"), "image/png");
	assert_string_equal(type_of("a.png/b"), "application/octet-stream");
	assert_string_equal(type_of("x.tar.gz"), "application/gzip");
	assert_string_equal(type_of(""), "application/octet-stream");
}

/* ---- files ---- */

/* Where there is no openat2(): nothing outside, and no links at all. */
static void steps_stay_inside(void **state)
{
	static const struct {
		const char *path;
		int error;
	} known[] = {
		{".", 0},           {"a", 0},
		{"a/", 0},          {"a/b", 0},
		{"..", EXDEV},      {"a/../a/b", EXDEV},
		{"a/none", ENOENT}, {"a/b/c", ENOTDIR},
		{"link", ELOOP},    {"link/b", ENOTDIR},
	};
	char folder[] = "/tmp/filch-test-XXXXXX";
	int root, fd;

	(void)state;
	assert_non_null(mkdtemp(folder));
	root = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(root >= 0);
	assert_int_equal(mkdirat(root, "a", 0755), 0);
	assert_int_equal(symlinkat("a", root, "link"), 0);
	assert_int_equal(mkfifoat(root, "a/b", 0644), 0); /* opened without waiting */
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		fd = file_open_by_steps(root, known[i].path);
		if (fd >= 0)
			close(fd);
		assert_int_equal(fd < 0 ? -fd : 0, known[i].error);
	}
	unlinkat(root, "a/b", 0);
	unlinkat(root, "a", AT_REMOVEDIR);
	unlinkat(root, "link", 0);
	close(root);
	rmdir(folder);
}

/* ---- what was kept for fuzzing ---- */

static void replay(const char *folder, const char *name)
{
	char path[1024], data[4096];
	size_t n;
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	f = fopen(path, "re");
	assert_non_null(f);
	n = fread(data, 1, sizeof data, f);
	fclose(f);
	LLVMFuzzerTestOneInput((const uint8_t *)data, n);
}

static void corpus_is_fine(void **state)
{
	char folder[512] = __FILE__;
	struct dirent *x;
	size_t n = 0;
	DIR *d;

	(void)state;
	for (int i = 0; i < 4; i++) /* tests/unit/cmd/serve_request.c */
		*strrchr(folder, '/') = 0;
	strcat(folder, "/fuzz/corpus/request");
	d = opendir(folder);
	assert_non_null(d);
	while ((x = readdir(d)))
		if (*x->d_name != '.') {
			replay(folder, x->d_name);
			n++;
		}
	closedir(d);
	assert_true(n >= 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(heads_are_read),
		cmocka_unit_test(wrong_heads_are_refused),
		cmocka_unit_test(heads_have_a_limit),
		cmocka_unit_test(paths_stay_inside),
		cmocka_unit_test(bodies_end_where_they_end),
		cmocka_unit_test(ranges_lie_within),
		cmocka_unit_test(dates_are_right),
		cmocka_unit_test(types_go_by_the_end),
		cmocka_unit_test(steps_stay_inside),
		cmocka_unit_test(corpus_is_fine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
