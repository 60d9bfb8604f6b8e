/* SPDX-License-Identifier: MIT */
/*
 * Lists of up to eight (type, name) pairs, as FILCH_TASK takes them, and what is made of
 * them. Included by filch/task.h; nothing here is for users.
 */
#ifndef FILCH_PAIRS_H
#define FILCH_PAIRS_H

/* clang-format off */
/* How many arguments follow the first. */
#define FILCH__N(x, ...) FILCH__N_(x, ##__VA_ARGS__, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0)
#define FILCH__N_(x, p1, p2, p3, p4, p5, p6, p7, p8, n, ...) n
#define FILCH__CAT_(a, b) a##b
#define FILCH__CAT(a, b) FILCH__CAT_(a, b)
/* M of each pair: one after the other, with commas between, with a comma before each. */
#define FILCH__EACH0(M)
#define FILCH__EACH1(M, p1) M p1
#define FILCH__EACH2(M, p1, p2) M p1 M p2
#define FILCH__EACH3(M, p1, p2, p3) M p1 M p2 M p3
#define FILCH__EACH4(M, p1, p2, p3, p4) M p1 M p2 M p3 M p4
#define FILCH__EACH5(M, p1, p2, p3, p4, p5) M p1 M p2 M p3 M p4 M p5
#define FILCH__EACH6(M, p1, p2, p3, p4, p5, p6) M p1 M p2 M p3 M p4 M p5 M p6
#define FILCH__EACH7(M, p1, p2, p3, p4, p5, p6, p7) M p1 M p2 M p3 M p4 M p5 M p6 M p7
#define FILCH__EACH8(M, p1, p2, p3, p4, p5, p6, p7, p8) M p1 M p2 M p3 M p4 M p5 M p6 M p7 M p8
#define FILCH__LIST0(M)
#define FILCH__LIST1(M, p1) M p1
#define FILCH__LIST2(M, p1, p2) M p1, M p2
#define FILCH__LIST3(M, p1, p2, p3) M p1, M p2, M p3
#define FILCH__LIST4(M, p1, p2, p3, p4) M p1, M p2, M p3, M p4
#define FILCH__LIST5(M, p1, p2, p3, p4, p5) M p1, M p2, M p3, M p4, M p5
#define FILCH__LIST6(M, p1, p2, p3, p4, p5, p6) M p1, M p2, M p3, M p4, M p5, M p6
#define FILCH__LIST7(M, p1, p2, p3, p4, p5, p6, p7) M p1, M p2, M p3, M p4, M p5, M p6, M p7
#define FILCH__LIST8(M, p1, p2, p3, p4, p5, p6, p7, p8) M p1, M p2, M p3, M p4, M p5, M p6, M p7, M p8
#define FILCH__MORE0(M)
#define FILCH__MORE1(M, p1) , M p1
#define FILCH__MORE2(M, p1, p2) , M p1, M p2
#define FILCH__MORE3(M, p1, p2, p3) , M p1, M p2, M p3
#define FILCH__MORE4(M, p1, p2, p3, p4) , M p1, M p2, M p3, M p4
#define FILCH__MORE5(M, p1, p2, p3, p4, p5) , M p1, M p2, M p3, M p4, M p5
#define FILCH__MORE6(M, p1, p2, p3, p4, p5, p6) , M p1, M p2, M p3, M p4, M p5, M p6
#define FILCH__MORE7(M, p1, p2, p3, p4, p5, p6, p7) , M p1, M p2, M p3, M p4, M p5, M p6, M p7
#define FILCH__MORE8(M, p1, p2, p3, p4, p5, p6, p7, p8) , M p1, M p2, M p3, M p4, M p5, M p6, M p7, M p8

/* For task or variable n: declarations of its eight values. Those that are not there are
 * chars. */
#define FILCH__VALUES0(n) \
	extern char n##__1; \
	extern char n##__2; \
	extern char n##__3; \
	extern char n##__4; \
	extern char n##__5; \
	extern char n##__6; \
	extern char n##__7; \
	extern char n##__8
#define FILCH__VALUES1(n, p1) \
	extern FILCH__TYPE p1 n##__1; \
	extern char n##__2; \
	extern char n##__3; \
	extern char n##__4; \
	extern char n##__5; \
	extern char n##__6; \
	extern char n##__7; \
	extern char n##__8
#define FILCH__VALUES2(n, p1, p2) \
	extern FILCH__TYPE p1 n##__1; \
	extern FILCH__TYPE p2 n##__2; \
	extern char n##__3; \
	extern char n##__4; \
	extern char n##__5; \
	extern char n##__6; \
	extern char n##__7; \
	extern char n##__8
#define FILCH__VALUES3(n, p1, p2, p3) \
	extern FILCH__TYPE p1 n##__1; \
	extern FILCH__TYPE p2 n##__2; \
	extern FILCH__TYPE p3 n##__3; \
	extern char n##__4; \
	extern char n##__5; \
	extern char n##__6; \
	extern char n##__7; \
	extern char n##__8
#define FILCH__VALUES4(n, p1, p2, p3, p4) \
	extern FILCH__TYPE p1 n##__1; \
	extern FILCH__TYPE p2 n##__2; \
	extern FILCH__TYPE p3 n##__3; \
	extern FILCH__TYPE p4 n##__4; \
	extern char n##__5; \
	extern char n##__6; \
	extern char n##__7; \
	extern char n##__8
#define FILCH__VALUES5(n, p1, p2, p3, p4, p5) \
	extern FILCH__TYPE p1 n##__1; \
	extern FILCH__TYPE p2 n##__2; \
	extern FILCH__TYPE p3 n##__3; \
	extern FILCH__TYPE p4 n##__4; \
	extern FILCH__TYPE p5 n##__5; \
	extern char n##__6; \
	extern char n##__7; \
	extern char n##__8
#define FILCH__VALUES6(n, p1, p2, p3, p4, p5, p6) \
	extern FILCH__TYPE p1 n##__1; \
	extern FILCH__TYPE p2 n##__2; \
	extern FILCH__TYPE p3 n##__3; \
	extern FILCH__TYPE p4 n##__4; \
	extern FILCH__TYPE p5 n##__5; \
	extern FILCH__TYPE p6 n##__6; \
	extern char n##__7; \
	extern char n##__8
#define FILCH__VALUES7(n, p1, p2, p3, p4, p5, p6, p7) \
	extern FILCH__TYPE p1 n##__1; \
	extern FILCH__TYPE p2 n##__2; \
	extern FILCH__TYPE p3 n##__3; \
	extern FILCH__TYPE p4 n##__4; \
	extern FILCH__TYPE p5 n##__5; \
	extern FILCH__TYPE p6 n##__6; \
	extern FILCH__TYPE p7 n##__7; \
	extern char n##__8
#define FILCH__VALUES8(n, p1, p2, p3, p4, p5, p6, p7, p8) \
	extern FILCH__TYPE p1 n##__1; \
	extern FILCH__TYPE p2 n##__2; \
	extern FILCH__TYPE p3 n##__3; \
	extern FILCH__TYPE p4 n##__4; \
	extern FILCH__TYPE p5 n##__5; \
	extern FILCH__TYPE p6 n##__6; \
	extern FILCH__TYPE p7 n##__7; \
	extern FILCH__TYPE p8 n##__8
#define FILCH__LOCALS0(n, task) \
	FILCH__UNUSED char n##__1 = 0; \
	FILCH__UNUSED char n##__2 = 0; \
	FILCH__UNUSED char n##__3 = 0; \
	FILCH__UNUSED char n##__4 = 0; \
	FILCH__UNUSED char n##__5 = 0; \
	FILCH__UNUSED char n##__6 = 0; \
	FILCH__UNUSED char n##__7 = 0; \
	FILCH__UNUSED char n##__8 = 0
#define FILCH__LOCALS1(n, task, p1) \
	__typeof__(task##__1) n##__1 = p1; \
	FILCH__UNUSED char n##__2 = 0; \
	FILCH__UNUSED char n##__3 = 0; \
	FILCH__UNUSED char n##__4 = 0; \
	FILCH__UNUSED char n##__5 = 0; \
	FILCH__UNUSED char n##__6 = 0; \
	FILCH__UNUSED char n##__7 = 0; \
	FILCH__UNUSED char n##__8 = 0
#define FILCH__LOCALS2(n, task, p1, p2) \
	__typeof__(task##__1) n##__1 = p1; \
	__typeof__(task##__2) n##__2 = p2; \
	FILCH__UNUSED char n##__3 = 0; \
	FILCH__UNUSED char n##__4 = 0; \
	FILCH__UNUSED char n##__5 = 0; \
	FILCH__UNUSED char n##__6 = 0; \
	FILCH__UNUSED char n##__7 = 0; \
	FILCH__UNUSED char n##__8 = 0
#define FILCH__LOCALS3(n, task, p1, p2, p3) \
	__typeof__(task##__1) n##__1 = p1; \
	__typeof__(task##__2) n##__2 = p2; \
	__typeof__(task##__3) n##__3 = p3; \
	FILCH__UNUSED char n##__4 = 0; \
	FILCH__UNUSED char n##__5 = 0; \
	FILCH__UNUSED char n##__6 = 0; \
	FILCH__UNUSED char n##__7 = 0; \
	FILCH__UNUSED char n##__8 = 0
#define FILCH__LOCALS4(n, task, p1, p2, p3, p4) \
	__typeof__(task##__1) n##__1 = p1; \
	__typeof__(task##__2) n##__2 = p2; \
	__typeof__(task##__3) n##__3 = p3; \
	__typeof__(task##__4) n##__4 = p4; \
	FILCH__UNUSED char n##__5 = 0; \
	FILCH__UNUSED char n##__6 = 0; \
	FILCH__UNUSED char n##__7 = 0; \
	FILCH__UNUSED char n##__8 = 0
#define FILCH__LOCALS5(n, task, p1, p2, p3, p4, p5) \
	__typeof__(task##__1) n##__1 = p1; \
	__typeof__(task##__2) n##__2 = p2; \
	__typeof__(task##__3) n##__3 = p3; \
	__typeof__(task##__4) n##__4 = p4; \
	__typeof__(task##__5) n##__5 = p5; \
	FILCH__UNUSED char n##__6 = 0; \
	FILCH__UNUSED char n##__7 = 0; \
	FILCH__UNUSED char n##__8 = 0
#define FILCH__LOCALS6(n, task, p1, p2, p3, p4, p5, p6) \
	__typeof__(task##__1) n##__1 = p1; \
	__typeof__(task##__2) n##__2 = p2; \
	__typeof__(task##__3) n##__3 = p3; \
	__typeof__(task##__4) n##__4 = p4; \
	__typeof__(task##__5) n##__5 = p5; \
	__typeof__(task##__6) n##__6 = p6; \
	FILCH__UNUSED char n##__7 = 0; \
	FILCH__UNUSED char n##__8 = 0
#define FILCH__LOCALS7(n, task, p1, p2, p3, p4, p5, p6, p7) \
	__typeof__(task##__1) n##__1 = p1; \
	__typeof__(task##__2) n##__2 = p2; \
	__typeof__(task##__3) n##__3 = p3; \
	__typeof__(task##__4) n##__4 = p4; \
	__typeof__(task##__5) n##__5 = p5; \
	__typeof__(task##__6) n##__6 = p6; \
	__typeof__(task##__7) n##__7 = p7; \
	FILCH__UNUSED char n##__8 = 0
#define FILCH__LOCALS8(n, task, p1, p2, p3, p4, p5, p6, p7, p8) \
	__typeof__(task##__1) n##__1 = p1; \
	__typeof__(task##__2) n##__2 = p2; \
	__typeof__(task##__3) n##__3 = p3; \
	__typeof__(task##__4) n##__4 = p4; \
	__typeof__(task##__5) n##__5 = p5; \
	__typeof__(task##__6) n##__6 = p6; \
	__typeof__(task##__7) n##__7 = p7; \
	__typeof__(task##__8) n##__8 = p8
#define FILCH__NAMED0(n)
#define FILCH__NAMED1(n, p1) , n##__1
#define FILCH__NAMED2(n, p1, p2) , n##__1, n##__2
#define FILCH__NAMED3(n, p1, p2, p3) , n##__1, n##__2, n##__3
#define FILCH__NAMED4(n, p1, p2, p3, p4) , n##__1, n##__2, n##__3, n##__4
#define FILCH__NAMED5(n, p1, p2, p3, p4, p5) , n##__1, n##__2, n##__3, n##__4, n##__5
#define FILCH__NAMED6(n, p1, p2, p3, p4, p5, p6) , n##__1, n##__2, n##__3, n##__4, n##__5, n##__6
#define FILCH__NAMED7(n, p1, p2, p3, p4, p5, p6, p7) , n##__1, n##__2, n##__3, n##__4, n##__5, n##__6, n##__7
#define FILCH__NAMED8(n, p1, p2, p3, p4, p5, p6, p7, p8) , n##__1, n##__2, n##__3, n##__4, n##__5, n##__6, n##__7, n##__8
#define FILCH__FILL0 , char filch__1, char filch__2, char filch__3, char filch__4, char filch__5, char filch__6, char filch__7, char filch__8
#define FILCH__FILL1 , char filch__2, char filch__3, char filch__4, char filch__5, char filch__6, char filch__7, char filch__8
#define FILCH__FILL2 , char filch__3, char filch__4, char filch__5, char filch__6, char filch__7, char filch__8
#define FILCH__FILL3 , char filch__4, char filch__5, char filch__6, char filch__7, char filch__8
#define FILCH__FILL4 , char filch__5, char filch__6, char filch__7, char filch__8
#define FILCH__FILL5 , char filch__6, char filch__7, char filch__8
#define FILCH__FILL6 , char filch__7, char filch__8
#define FILCH__FILL7 , char filch__8
#define FILCH__FILL8
#define FILCH__DROP0 (void)filch__1; (void)filch__2; (void)filch__3; (void)filch__4; (void)filch__5; (void)filch__6; (void)filch__7; (void)filch__8;
#define FILCH__DROP1 (void)filch__2; (void)filch__3; (void)filch__4; (void)filch__5; (void)filch__6; (void)filch__7; (void)filch__8;
#define FILCH__DROP2 (void)filch__3; (void)filch__4; (void)filch__5; (void)filch__6; (void)filch__7; (void)filch__8;
#define FILCH__DROP3 (void)filch__4; (void)filch__5; (void)filch__6; (void)filch__7; (void)filch__8;
#define FILCH__DROP4 (void)filch__5; (void)filch__6; (void)filch__7; (void)filch__8;
#define FILCH__DROP5 (void)filch__6; (void)filch__7; (void)filch__8;
#define FILCH__DROP6 (void)filch__7; (void)filch__8;
#define FILCH__DROP7 (void)filch__8;
#define FILCH__DROP8

#define FILCH__EACH(M, ...) FILCH__CAT(FILCH__EACH, FILCH__N(0, ##__VA_ARGS__))(M, ##__VA_ARGS__)
#define FILCH__LIST(M, ...) FILCH__CAT(FILCH__LIST, FILCH__N(0, ##__VA_ARGS__))(M, ##__VA_ARGS__)
#define FILCH__MORE(M, ...) FILCH__CAT(FILCH__MORE, FILCH__N(0, ##__VA_ARGS__))(M, ##__VA_ARGS__)

#define FILCH__VALUES(n, ...) FILCH__CAT(FILCH__VALUES, FILCH__N(0, ##__VA_ARGS__))(n, ##__VA_ARGS__)
#define FILCH__LOCALS(n, task, ...) \
	FILCH__CAT(FILCH__LOCALS, FILCH__N(0, ##__VA_ARGS__))(n, task, ##__VA_ARGS__)
#define FILCH__NAMED(n, ...) FILCH__CAT(FILCH__NAMED, FILCH__N(0, ##__VA_ARGS__))(n, ##__VA_ARGS__)
#define FILCH__FILL(x, ...) FILCH__CAT(FILCH__FILL, FILCH__N(0, ##__VA_ARGS__))
#define FILCH__DROP(x, ...) FILCH__CAT(FILCH__DROP, FILCH__N(0, ##__VA_ARGS__))
#define FILCH__PARAMS(x, ...) \
	FILCH__CAT(FILCH__PARAMS, FILCH__N(0, ##__VA_ARGS__))(FILCH__PARAM, ##__VA_ARGS__)
#define FILCH__PARAMS0(M) void
#define FILCH__PARAMS1 FILCH__LIST1
#define FILCH__PARAMS2 FILCH__LIST2
#define FILCH__PARAMS3 FILCH__LIST3
#define FILCH__PARAMS4 FILCH__LIST4
#define FILCH__PARAMS5 FILCH__LIST5
#define FILCH__PARAMS6 FILCH__LIST6
#define FILCH__PARAMS7 FILCH__LIST7
#define FILCH__PARAMS8 FILCH__LIST8

#define FILCH__PARAM(type, name) type name
#define FILCH__MEMBER(type, name) type name;
#define FILCH__TYPE(type, name) type
/* clang-format on */

#endif
