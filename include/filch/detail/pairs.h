/* SPDX-License-Identifier: MIT */
/*
 * Lists of up to eight macro arguments: the (type, name) pairs of FILCH_TASK and the
 * arguments of FILCH_SPAWN. FILCH__FOR goes through the arguments that are there,
 * FILCH__REST through the numbers of those that are not; all other macros are made of these
 * two. Part of filch/task.h; nothing here is for users.
 */
#ifndef FILCH_DETAIL_PAIRS_H
#define FILCH_DETAIL_PAIRS_H

/* clang-format off */
#define FILCH__CAT_(a, b) a##b
#define FILCH__CAT(a, b) FILCH__CAT_(a, b)
#define FILCH__NOTHING()
#define FILCH__COMMA() ,

/* The number of arguments after the first, 0 to 8; MANY for 9 to 16, which are too many. */
#define FILCH__N(x, ...) \
	FILCH__N_(x, ##__VA_ARGS__, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, \
	          8, 7, 6, 5, 4, 3, 2, 1, 0, 0)
#define FILCH__N_(x, a, b, c, d, e, f, g, h, p1, p2, p3, p4, p5, p6, p7, p8, n, ...) n
/* 1 if there are any, otherwise 0. */
#define FILCH__ANY(x, ...) \
	FILCH__N_(x, ##__VA_ARGS__, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0)
/* 1 if there are several, otherwise 0. */
#define FILCH__SEVERAL(x, ...) \
	FILCH__N_(x, ##__VA_ARGS__, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0)

/* M(x, y, i, p) for each argument p, whose number is i, with S() between them. The chain is
 * written out: gcc prints a note for each macro on the way to a user's mistake. */
#define FILCH__FOR(M, S, x, y, ...) \
	FILCH__CAT(FILCH__FOR_, FILCH__N(0, ##__VA_ARGS__))(M, S, x, y, ##__VA_ARGS__)
#define FILCH__FOR_0(M, S, x, y)
#define FILCH__FOR_1(M, S, x, y, a) M(x, y, 1, a)
#define FILCH__FOR_2(M, S, x, y, a, b) M(x, y, 1, a) S() M(x, y, 2, b)
#define FILCH__FOR_3(M, S, x, y, a, b, c) \
	M(x, y, 1, a) S() M(x, y, 2, b) S() M(x, y, 3, c)
#define FILCH__FOR_4(M, S, x, y, a, b, c, d) \
	M(x, y, 1, a) S() M(x, y, 2, b) S() M(x, y, 3, c) S() M(x, y, 4, d)
#define FILCH__FOR_5(M, S, x, y, a, b, c, d, e) \
	M(x, y, 1, a) S() M(x, y, 2, b) S() M(x, y, 3, c) S() M(x, y, 4, d) S() \
	M(x, y, 5, e)
#define FILCH__FOR_6(M, S, x, y, a, b, c, d, e, f) \
	M(x, y, 1, a) S() M(x, y, 2, b) S() M(x, y, 3, c) S() M(x, y, 4, d) S() \
	M(x, y, 5, e) S() M(x, y, 6, f)
#define FILCH__FOR_7(M, S, x, y, a, b, c, d, e, f, g) \
	M(x, y, 1, a) S() M(x, y, 2, b) S() M(x, y, 3, c) S() M(x, y, 4, d) S() \
	M(x, y, 5, e) S() M(x, y, 6, f) S() M(x, y, 7, g)
#define FILCH__FOR_8(M, S, x, y, a, b, c, d, e, f, g, h) \
	M(x, y, 1, a) S() M(x, y, 2, b) S() M(x, y, 3, c) S() M(x, y, 4, d) S() \
	M(x, y, 5, e) S() M(x, y, 6, f) S() M(x, y, 7, g) S() M(x, y, 8, h)
/* An unknown name, which the compiler prints. */
#define FILCH__FOR_MANY(...) FILCH_TASK_has_8_parameters_at_most__pass_a_struct it

/* M(x, i) for each number i up to 8 that no argument has. */
#define FILCH__REST(M, x, ...) FILCH__CAT(FILCH__REST_, FILCH__N(0, ##__VA_ARGS__))(M, x)
#define FILCH__REST_0(M, x) M(x, 1) FILCH__REST_1(M, x)
#define FILCH__REST_1(M, x) M(x, 2) FILCH__REST_2(M, x)
#define FILCH__REST_2(M, x) M(x, 3) FILCH__REST_3(M, x)
#define FILCH__REST_3(M, x) M(x, 4) FILCH__REST_4(M, x)
#define FILCH__REST_4(M, x) M(x, 5) FILCH__REST_5(M, x)
#define FILCH__REST_5(M, x) M(x, 6) FILCH__REST_6(M, x)
#define FILCH__REST_6(M, x) M(x, 7) FILCH__REST_7(M, x)
#define FILCH__REST_7(M, x) M(x, 8)
#define FILCH__REST_8(M, x)
#define FILCH__REST_MANY(M, x)

/* M(type, name) of each pair: one after the other, with commas between them, and with a
 * comma before each of them. */
#define FILCH__EACH(M, ...) FILCH__FOR(FILCH__OF, FILCH__NOTHING, M, 0, ##__VA_ARGS__)
#define FILCH__LIST(M, ...) FILCH__FOR(FILCH__OF, FILCH__COMMA, M, 0, ##__VA_ARGS__)
#define FILCH__MORE(M, ...) FILCH__FOR(FILCH__MORE_OF, FILCH__NOTHING, M, 0, ##__VA_ARGS__)
#define FILCH__OF(M, y, i, pair) M pair
#define FILCH__MORE_OF(M, y, i, pair) , M pair

#define FILCH__PARAM(type, name) type name
#define FILCH__MEMBER(type, name) type name;
#define FILCH__TYPE(type, name) type

/* The parameters of a function. */
#define FILCH__PARAMS(x, ...) \
	FILCH__CAT(FILCH__PARAMS_, FILCH__ANY(0, ##__VA_ARGS__))(__VA_ARGS__)
#define FILCH__PARAMS_0() void
#define FILCH__PARAMS_1(...) \
	FILCH__LIST(FILCH__parameters_are_in_parentheses__type_comma_name, __VA_ARGS__)
/* This is FILCH__PARAM. Without parentheses behind it, the compiler prints its name. */
#define FILCH__parameters_are_in_parentheses__type_comma_name(type, name) type name
/* clang-format on */

#endif
