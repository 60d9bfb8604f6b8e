/* SPDX-License-Identifier: MIT */
/*
 * Ranges and conditions as filch serve reads them: whatever they say, the bytes that
 * are sent lie within the file.
 */
#include "fuzz/fuzz.h"

#include "cmd/serve/conditions.c"
#include "cmd/serve/date.c"

/* A date that was read is written as one that means the same. */
static void check_date(struct text t)
{
	char text[DATE_LENGTH];
	int64_t seconds, again;

	if (!date_read(t, &seconds) || seconds < 0 || seconds >= INT64_C(253402300800))
		return;
	date_write(seconds, text);
	CHECK(date_read((struct text){text, DATE_LENGTH}, &again) && again == seconds);
}

/* The first byte says how large the file is, the second where the range ends and
 * something else begins. */
int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
	struct file f = {.inode = 7, .modified = INT64_C(784111777000000000)};
	struct request r = {.method = METHOD_GET};
	struct range range;
	size_t cut;
	char *data;
	int status;

	if (size < 3)
		return 0;
	f.size = input[0] < 64 ? input[0] : (uint64_t)1 << (input[0] % 60);
	cut = input[1] % (size - 1);
	data = malloc(size - 2);
	CHECK(data);
	memcpy(data, input + 2, size - 2);
	r.range = (struct text){data, cut};
	r.if_range = (struct text){input[1] & 1 ? data + cut : NULL, size - 2 - cut};
	r.if_none_match = (struct text){input[1] & 2 ? data + cut : NULL, size - 2 - cut};
	r.if_match = (struct text){input[1] & 4 ? data + cut : NULL, size - 2 - cut};
	r.if_modified_since =
		(struct text){input[1] & 8 ? data + cut : NULL, size - 2 - cut};
	status = conditions_judge(&r, &f, &range);
	CHECK(status == 200 || status == 206 || status == 304 || status == 412 ||
	      status == 416);
	if (status == 206)
		CHECK(range.size && range.first < f.size &&
		      range.size <= f.size - range.first);
	if (status == 200)
		CHECK(range.first == 0 && range.size == f.size);
	check_date((struct text){data, size - 2});
	free(data);
	return 0;
}
