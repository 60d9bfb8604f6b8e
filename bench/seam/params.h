/* SPDX-License-Identifier: MIT */
/* Turns (type, name) pairs, one to eight, into a parameter list. */
#ifndef FILCH_BENCH_SEAM_PARAMS_H
#define FILCH_BENCH_SEAM_PARAMS_H

#define SEAM_PAIR(type, name) type name
#define SEAM_1(p) SEAM_PAIR p
#define SEAM_2(p, ...) SEAM_PAIR p, SEAM_1(__VA_ARGS__)
#define SEAM_3(p, ...) SEAM_PAIR p, SEAM_2(__VA_ARGS__)
#define SEAM_4(p, ...) SEAM_PAIR p, SEAM_3(__VA_ARGS__)
#define SEAM_5(p, ...) SEAM_PAIR p, SEAM_4(__VA_ARGS__)
#define SEAM_6(p, ...) SEAM_PAIR p, SEAM_5(__VA_ARGS__)
#define SEAM_7(p, ...) SEAM_PAIR p, SEAM_6(__VA_ARGS__)
#define SEAM_8(p, ...) SEAM_PAIR p, SEAM_7(__VA_ARGS__)
#define SEAM_NINTH(a, b, c, d, e, f, g, h, ninth, ...) ninth
#define SEAM_PARAMS(...)                                                                \
	SEAM_NINTH(__VA_ARGS__, SEAM_8, SEAM_7, SEAM_6, SEAM_5, SEAM_4, SEAM_3, SEAM_2, \
	           SEAM_1, )                                                            \
	(__VA_ARGS__)

/* A task that is a plain function, as with all back ends but Filch's own. */
#define TASK(type, name, ...) static type name(SEAM_PARAMS(__VA_ARGS__))
#define TASK_VOID(name, ...) static void name(SEAM_PARAMS(__VA_ARGS__))
#define TASK_DECL(type, name, ...) static type name(SEAM_PARAMS(__VA_ARGS__))
#define TASK_VOID_DECL(name, ...) static void name(SEAM_PARAMS(__VA_ARGS__))
#define CALL(fn, ...) fn(__VA_ARGS__)

#endif
