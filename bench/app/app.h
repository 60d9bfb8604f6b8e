/* SPDX-License-Identifier: MIT */
/*
 * An application benchmark: one source, compiled once for each back end into a struct app
 * of its own (app_fib_serial, app_fib_filch ...), in the subset that C and C++ share.
 * Only run() is timed; what prepare() made, finish() checks and frees.
 */
#ifndef FILCH_BENCH_APP_APP_H
#define FILCH_BENCH_APP_APP_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/seam/seam.h"

/* Where the tasks of a run are to run. */
struct app_host {
	unsigned workers;
	void *pool; /* Filch's */
};

struct app {
	const char *name;
	void *(*prepare)(size_t size);
	void (*run)(void *work, const struct app_host *host);
	uint64_t (*finish)(void *work); /* the answer, as a word to compare */
};

#define APP_EACH(X)  \
	X(fib)       \
	X(integrate) \
	X(jacobi)    \
	X(matmul)    \
	X(nqueens)   \
	X(quicksort) \
	X(lu)        \
	X(heat)      \
	X(uts)       \
	X(spawn)     \
	X(tree1023)  \
	X(tree16m)

/* All programs of a back end, in that order, then NULL. */
extern const struct app *const app_table_serial[];
extern const struct app *const app_table_count[];
extern const struct app *const app_table_filch[];
extern const struct app *const app_table_poll[];
extern const struct app *const app_table_peer[];

#ifdef __cplusplus
#define APP_EXTERN extern "C"
#else
#define APP_EXTERN
#endif

#define APP_PASTE_(a, b, c) a##b##_##c
#define APP_PASTE(a, b, c) APP_PASTE_(a, b, c)

/* Defines the program `name` from the functions prepare, run and finish. */
#define APP(name)                                                           \
	APP_EXTERN const struct app APP_PASTE(app_, name, APP_BACK_END) = { \
		#name, prepare, run, finish}

/* Memory, or the end. */
static inline void *app_alloc(size_t bytes)
{
	void *p = malloc(bytes);

	if (!p) {
		fprintf(stderr, "filch bench app: no memory (%zu bytes)\n", bytes);
		exit(1);
	}
	return p;
}

/* The finaliser of SplitMix64: well mixed numbers from consecutive ones. */
static inline uint64_t app_hash(uint64_t x)
{
	x += 0x9e3779b97f4a7c15u;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

/* From 0 up to 1. */
static inline double app_fraction(uint64_t x)
{
	return (double)(app_hash(x) >> 11) * 0x1p-53;
}

/* A word that differs if a bit of the n numbers does. */
static inline uint64_t app_digest(const double *v, size_t n)
{
	uint64_t h = 0, bits;

	for (size_t i = 0; i < n; i++) {
		memcpy(&bits, &v[i], sizeof bits);
		h = app_hash(h ^ bits);
	}
	return h;
}

#endif
