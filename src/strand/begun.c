/* SPDX-License-Identifier: MIT */
#include "strand/begun.h"

#include "base/misuse.h"
#include "strand/names.h"

/* ThreadSanitizer sees tasks of one strand as parallel, so it must not see these
 * functions: see filch__strand_self(). */

static bool in_frames(const struct filch__strand *s, const struct filch_group *g)
{
	return (const char *)g >= s->lo && (const char *)g < s->hi;
}

__attribute__((no_sanitize("thread"))) void filch__begun_add(struct filch__strand *s,
                                                             struct filch_group *g)
{
	if (!in_frames(s, g))
		return;
	if (s->begun == g) /* a frame that was left, or a loop that forgets to wait */
		filch__begun_left(s);
	g->home = s;
	g->older = s->begun;
	s->begun = g;
	s->begun_count++;
}

/* Returns where the link to the group is, or NULL. A link on the way may lie in a frame
 * that was left and overwritten, and lead anywhere. */
__attribute__((no_sanitize("address", "thread",
                           "undefined"))) static struct filch_group **
link_to(struct filch__strand *s, const struct filch_group *g)
{
	struct filch_group **at = &s->begun;

	for (uint32_t i = 0; i < s->begun_count && *at != g; i++) {
		if (!*at || !in_frames(s, *at) || (*at)->home != s)
			return NULL;
		at = &(*at)->older;
	}
	return *at == g ? at : NULL;
}

__attribute__((no_sanitize("thread"))) static void remove_own(struct filch__strand *s,
                                                              struct filch_group *g)
{
	struct filch_group **at = link_to(s, g);

	if (!at)
		return;
	assert(s->begun_count > 0);
	*at = g->older;
	s->begun_count--;
}

__attribute__((no_sanitize("thread"))) void filch__begun_remove(struct filch__strand *s,
                                                                struct filch_group *g)
{
	struct filch__strand *home = g->home;

	if (home == s)
		remove_own(s, g);
	else if (home)
		store_rlx(&home->astray, 1); /* ordered by how home learns of the wait */
}

__attribute__((no_sanitize("thread"))) void filch__begun_left(struct filch__strand *s)
{
	if (load_rlx(&s->astray)) {       /* ordered as above */
		store_rlx(&s->astray, 0); /* a flag only */
		s->begun = NULL;
		s->begun_count = 0;
		return;
	}
	filch__begun_forgotten(s);
}

void filch__begun_forgotten(const struct filch__strand *s)
{
	uintptr_t title = load_rlx(&s->runs); /* its own */

	filch__misuse("filch_group_begin",
	              "a function returned with a group that it had begun and never "
	              "waited for, on the strand of task '%s'; call filch_group_wait on "
	              "every way out of the function that holds the group",
	              filch__title_name(title).text);
}
