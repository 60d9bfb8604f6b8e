/* SPDX-License-Identifier: MIT */
/*
 * Tells the runtime where the tasks of this program or shared library are: their struct
 * filch__task objects lie in a section of their own. Part of filch/task.h; nothing here
 * is for users.
 */
#ifndef FILCH_DETAIL_REGISTER_H
#define FILCH_DETAIL_REGISTER_H

#include <filch/detail/record.h>

#ifdef __cplusplus
extern "C" {
#endif
extern const struct filch__task __start_filch_tasks[]
	__attribute__((weak, visibility("hidden")));
extern const struct filch__task __stop_filch_tasks[]
	__attribute__((weak, visibility("hidden")));
uint64_t filch__secret __attribute__((weak, visibility("hidden")));

#ifdef __cplusplus
}
#endif

/* Comes before the constructors that a program has without giving them a priority. */
static __attribute__((constructor(101), unused)) void filch__tasks_begin(void)
{
	filch__secret = filch__register_tasks(__start_filch_tasks, __stop_filch_tasks,
	                                      FILCH__LISTING);
#ifdef FILCH_DEBUG
	filch__register_debug();
#endif
}

static __attribute__((destructor, unused)) void filch__tasks_end(void)
{
	filch__unregister_tasks(__start_filch_tasks, __stop_filch_tasks);
}

#endif
