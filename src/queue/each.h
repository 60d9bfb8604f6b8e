/* SPDX-License-Identifier: MIT */
/*
 * Includes the file FILCH_QUEUE_EACH (a name in quotes) once for every kind of queue,
 * with FILCH_QUEUE defined as the kind; the file begins by including queue/select.h.
 */
#ifndef FILCH_QUEUE_EACH
#error "define FILCH_QUEUE_EACH as the file to include for every kind of queue"
#endif

#define FILCH_QUEUE bwos_lifo
#include FILCH_QUEUE_EACH
#undef FILCH_QUEUE

#define FILCH_QUEUE bwos_fifo
#include FILCH_QUEUE_EACH
#undef FILCH_QUEUE

#define FILCH_QUEUE chase_lev
#include FILCH_QUEUE_EACH
#undef FILCH_QUEUE

#define FILCH_QUEUE abp
#include FILCH_QUEUE_EACH
#undef FILCH_QUEUE

#define FILCH_QUEUE locked
#include FILCH_QUEUE_EACH
#undef FILCH_QUEUE

#define FILCH_QUEUE runq
#include FILCH_QUEUE_EACH
#undef FILCH_QUEUE

#undef FILCH_QUEUE_EACH
