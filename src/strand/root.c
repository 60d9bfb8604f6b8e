/* SPDX-License-Identifier: MIT */
#include "strand/root.h"

#include "base/futex.h"
#include "strand/above.h"

_Atomic(uint32_t) filch__stuck;

void filch__root_done(struct filch__root *root)
{
	struct filch__worker *w = root->worker;

	/* S4 release: pairs with the acquire in filch__root_wait(); carries the result. */
	store_rel(&root->done, 1);
	if (w)
		filch__call_worker(w);
	else
		filch__futex_wake(&root->done, 1); /* the address: root may be gone */
}

void filch__root_wait(struct filch__root *root)
{
	/* S4 acquire: pairs with the release in filch__root_done(); carries the
	 * result. */
	while (!load_acq(&root->done))
		filch__futex_wait(&root->done, 0);
}
