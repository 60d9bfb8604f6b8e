/* SPDX-License-Identifier: MIT */
/*
 * Tells the runtime where the tasks of this program or shared library are: their struct
 * filch__task objects lie in a section of their own. Part of filch/task.h; nothing here
 * is for users. The constructor also says which sanitizer the program was compiled with.
 */
#ifndef FILCH_DETAIL_REGISTER_H
#define FILCH_DETAIL_REGISTER_H

#include <filch/detail/record.h>

#if defined(__SANITIZE_ADDRESS__)
#define FILCH__SANITIZER 1
#elif defined(__SANITIZE_THREAD__)
#define FILCH__SANITIZER 2
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FILCH__SANITIZER 1
#elif __has_feature(thread_sanitizer)
#define FILCH__SANITIZER 2
#endif
#endif
#ifndef FILCH__SANITIZER
#define FILCH__SANITIZER 0
#endif

#ifdef __cplusplus
extern "C" {
#endif
/* Warns, once, if the library was compiled with another sanitizer than the caller. */
void filch__compiled_with(unsigned sanitizer);
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
	filch__compiled_with(FILCH__SANITIZER);
	filch__register_tasks(__start_filch_tasks, __stop_filch_tasks, FILCH__LISTING,
	                      &filch__secret);
#ifdef FILCH_DEBUG
	filch__register_debug();
#endif
}

static __attribute__((destructor, unused)) void filch__tasks_end(void)
{
	filch__unregister_tasks(__start_filch_tasks, __stop_filch_tasks, &filch__secret);
}

#endif
