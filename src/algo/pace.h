/* SPDX-License-Identifier: MIT */
/*
 * The pace of a call: how many iterations its pieces have, judged by how long pieces
 * take, and whether the rest of the call is worth offering to other workers. See
 * README.md, "Pace".
 */
#ifndef FILCH_ALGO_PACE_H
#define FILCH_ALGO_PACE_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/atomic.h"
#include "base/clock.h"
#include "sched/warm.h"

/* How long a caller works by itself before it offers anything to other workers, and how
 * much work must then be left: a steal costs both sides some microseconds, and the
 * thief's cache has none of the data. */
#define FILCH__ALONE_US 5
#define FILCH__SHARED_US 20
/* The same while a worker is awake that has just been useful. */
#define FILCH__ALONE_WARM_US 1
#define FILCH__SHARED_WARM_US 12
/* How much work must be left for which a sleeping worker is woken. */
#define FILCH__WAKE_US 200

/* Calls that follow each other on one thread, each too short to wake a worker for. When they
 * are most of what the thread does, a worker is woken for all of them, and stays awake. */
bool filch__stream_is_dense(void);

/* A call that began at this time, in ticks, is over. */
void filch__stream_did(uint64_t start);

/* The state that all pieces of a call share. Each piece corrects it, on any worker. */
struct filch__pace {
	_Atomic(size_t) grain;   /* iterations that a piece should have; at least 1 */
	_Atomic(uint64_t) least; /* ticks: a piece that takes fewer is too small, one that
	                          * takes four times as many is too large */
};

/* Begins with pieces of `grain` iterations; each should take `least_us` or longer. */
void filch__pace_init(struct filch__pace *p, size_t grain, uint64_t least_us);

/* Corrects the pace after a piece of n iterations that took this many ticks. */
void filch__pace_learn(struct filch__pace *p, size_t n, uint64_t ticks);

/* The law by which pieces grow: returns how many iterations the next piece should have
 * after one of n iterations. That is up to 16 times as many if that piece took fewer than
 * `least` ticks, and otherwise n. */
static inline size_t filch__pace_grow(size_t n, uint64_t ticks, uint64_t least)
{
	if (ticks >= least || n > SIZE_MAX / 16)
		return n;
	return n * (ticks < least / 16 ? 16 : ticks < least / 4 ? 4 : 2);
}

/* Returns true if a caller that took this many ticks for `done` of `all` iterations
 * should offer the rest to other workers. */
static inline bool filch__pace_is_worth(size_t done, size_t all, uint64_t ticks)
{
	uint64_t us = filch__ticks_per_us(), alone, shared;
	bool warm;

	assert(done <= all);
	if (ticks < FILCH__ALONE_WARM_US * us)
		return false;
	warm = filch__stream_is_dense() || filch__is_warm();
	alone = us * (warm ? FILCH__ALONE_WARM_US : FILCH__ALONE_US);
	shared = us * (warm ? FILCH__SHARED_WARM_US : FILCH__SHARED_US);
	return ticks >= alone &&
	       (double)ticks * (double)(all - done) >= (double)shared * (double)done;
}

#endif
