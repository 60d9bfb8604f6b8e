/* SPDX-License-Identifier: MIT */
/*
 * The version of the headers (FILCH_VERSION) and of the library (filch_version()); the two
 * may differ where the library is shared. Versions follow semver.org.
 */
#ifndef FILCH_VERSION_H
#define FILCH_VERSION_H

#define FILCH_VERSION_MAJOR 0
#define FILCH_VERSION_MINOR 1
#define FILCH_VERSION_PATCH 0

#define FILCH__TEXT_(x) #x
#define FILCH__TEXT(x) FILCH__TEXT_(x)
#define FILCH_VERSION                    \
	FILCH__TEXT(FILCH_VERSION_MAJOR) \
	"." FILCH__TEXT(FILCH_VERSION_MINOR) "." FILCH__TEXT(FILCH_VERSION_PATCH)

/* For comparisons: 102 is 0.1.2, 20003 is 2.0.3. */
#define FILCH_VERSION_NUMBER \
	(FILCH_VERSION_MAJOR * 10000 + FILCH_VERSION_MINOR * 100 + FILCH_VERSION_PATCH)

#ifdef __cplusplus
extern "C" {
#endif

/* The FILCH_VERSION that the library was built with: "0.1.0". */
const char *filch_version(void);

#ifdef __cplusplus
}
#endif

#endif
