/* SPDX-License-Identifier: MIT */
#include "strand/root.h"

#include "base/futex.h"

_Atomic(uint32_t) filch__stuck;

void filch__root_done(struct filch__root *root)
{
	/* S4 release: pairs with the acquire in filch__root_wait(); carries the
	 * result. */
	store_rel(&root->done, 1);
	filch__futex_wake(&root->done, 1); /* uses the address only: root may be gone */
}

void filch__root_wait(struct filch__root *root)
{
	/* S4 acquire: pairs with the release in filch__root_done(); carries the
	 * result. */
	while (!load_acq(&root->done))
		filch__futex_wait(&root->done, 0);
}
