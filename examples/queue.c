#include <stdio.h>
#include "queue/bwos_lifo.h"
int main(void)
{
	struct filch_bwos_lifo q;
	filch_entry a, b;
	filch_bwos_lifo_init(&q, NULL);
	struct filch_bwos_lifo_owner owner = filch_bwos_lifo_owner(&q);
	struct filch_bwos_lifo_thief thief = filch_bwos_lifo_thief(&q, 1);
	for (filch_entry i = 1; i <= 100; i++)
		filch_bwos_lifo_put(owner, i);
	if (!filch_bwos_lifo_get(owner, &a) && !filch_bwos_lifo_steal(&thief, &b))
		printf("the owner got %zu, a thief took %zu\n", a, b);
	filch_bwos_lifo_destroy(&q);
}
