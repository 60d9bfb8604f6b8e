/* SPDX-License-Identifier: MIT */
/* A queue by itself, without the runtime: filch_queue(3). */
#include <filch/queue/bwos_lifo.h>
#include <stdio.h>
#include <string.h>
int main(void)
{
	struct filch_bwos_lifo q;
	int err = filch_bwos_lifo_init(&q, NULL);
	if (err) {
		fprintf(stderr, "no queue: %s\n", strerror(-err));
		return 1;
	}
	struct filch_bwos_lifo_owner owner = filch_bwos_lifo_owner(&q);
	struct filch_bwos_lifo_thief thief = filch_bwos_lifo_thief(&q, 1);
	enum filch_result r = FILCH_OK;
	filch_entry a = 0, b = 0;
	for (filch_entry i = 1; i <= 100 && !r; i++)
		r = filch_bwos_lifo_put(owner, i);
	if (!r)
		r = filch_bwos_lifo_get(owner, &a);
	if (!r)
		r = filch_bwos_lifo_steal(&thief, &b);
	if (!r)
		printf("the owner got %zu, a thief took %zu\n", a, b);
	else
		fprintf(stderr, "the queue says %s\n", filch_result_name(r));
	filch_bwos_lifo_destroy(&q);
	return r != FILCH_OK;
}
