/* SPDX-License-Identifier: MIT */
/*
 * src/base/cpu.h for code that runs under the model checker: a spin loop makes one turn,
 * since one look before sleeping is as good as two hundred.
 */
#ifndef VERIFY_MAP_CPU_H
#define VERIFY_MAP_CPU_H

#include_next "base/cpu.h"

#define filch__relax() break

#endif
