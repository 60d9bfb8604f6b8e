/* SPDX-License-Identifier: MIT */
#include <filch/version.h>

const char *filch_version(void)
{
	return FILCH_VERSION;
}
