/* SPDX-License-Identifier: MIT */
/* The client of the echo servers, as the command calls it. */
#ifndef FILCH_BENCH_IO_CLIENT_H
#define FILCH_BENCH_IO_CLIENT_H

/* argv: a name, port or path, connections, milliseconds to warm up and to measure.
 * Returns the exit code. */
int io_client(int argc, char **argv);

#endif
