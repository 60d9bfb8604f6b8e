/* SPDX-License-Identifier: MIT */
/*
 * The two structs of the runtime's lists, which some public structs hold. The functions
 * are in src/base/list.h.
 */
#ifndef FILCH_DETAIL_LIST_H
#define FILCH_DETAIL_LIST_H

/* A part of each element of a list. */
struct filch__link {
	struct filch__link *next, *prev;
};

/* A list that is all zero is empty. */
struct filch__list {
	struct filch__link *first, *last;
};

#endif
