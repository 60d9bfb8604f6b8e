/* SPDX-License-Identifier: MIT */
/*
 * The two structs of the runtime's lists, which some public structs hold. The functions
 * are in src/base/list.h.
 */
#ifndef FILCH_DETAIL_LIST_H
#define FILCH_DETAIL_LIST_H

/* In each thing that a list holds. */
struct filch__link {
	struct filch__link *next, *prev;
};

/* All zero is an empty list. */
struct filch__list {
	struct filch__link *first, *last;
};

#endif
