/* SPDX-License-Identifier: MIT */
/*
 * For code that is written once and compiled for any kind of queue: define FILCH_QUEUE as
 * a kind (bwos_lifo, chase_lev, ...) and include this header, once for every kind. It
 * defines these macros, which follow FILCH_QUEUE when that is defined anew:
 *
 *   QUEUE, QUEUE_OWNER, QUEUE_THIEF           the three structs
 *   QUEUE_FN(put), QUEUE_FN(steal), ...       the functions
 *   QUEUE_NAME                                the kind as a string
 *   QUEUE_ID(x)                               x with the kind appended, for other names
 *
 * This header is not installed, because its macros have no prefix.
 */
#include "queue/abp.h"
#include "queue/bwos_fifo.h"
#include "queue/bwos_lifo.h"
#include "queue/chase_lev.h"
#include "queue/locked.h"
#include "queue/runq.h"

#ifndef FILCH_QUEUE
#error "define FILCH_QUEUE as the kind of queue before including queue/select.h"
#endif

#ifndef FILCH_QUEUE_SELECT_H
#define FILCH_QUEUE_SELECT_H
#define FILCH__PASTE3_(a, b, c) a##b##c
#define FILCH__PASTE3(a, b, c) FILCH__PASTE3_(a, b, c)
#define FILCH__STRING_(x) #x
#define FILCH__STRING(x) FILCH__STRING_(x)

#define QUEUE struct FILCH__PASTE3(filch_, FILCH_QUEUE, )
#define QUEUE_OWNER struct FILCH__PASTE3(filch_, FILCH_QUEUE, _owner)
#define QUEUE_THIEF struct FILCH__PASTE3(filch_, FILCH_QUEUE, _thief)
#define QUEUE_FN(f) FILCH__PASTE3(filch_, FILCH_QUEUE, _##f)
#define QUEUE_ID(x) FILCH__PASTE3(x, _, FILCH_QUEUE)
#define QUEUE_NAME FILCH__STRING(FILCH_QUEUE)
#endif
