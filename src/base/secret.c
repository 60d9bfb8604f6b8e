/* SPDX-License-Identifier: MIT */
#include "base/secret.h"

#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>

#include "base/clock.h"
#include "base/random.h"

/* For a kernel that refuses: it gives every program 16 random bytes, from which the C
 * library takes its own secrets. They are mixed, so that neither tells the other. */
static uint64_t second_best(void)
{
	const void *bytes = (const void *)getauxval(AT_RANDOM); /* NOLINT: an address */
	struct filch__random mix = filch__random_seed(filch__now_ns());
	uint64_t half[2] = {0, 0};

	if (bytes)
		memcpy(half, bytes, sizeof half);
	mix.state ^= filch__random_seed(half[0]).state;
	mix = filch__random_seed(filch__random_next(&mix) ^ half[1]);
	return filch__random_next(&mix);
}

uint64_t filch__secret_draw(void)
{
	uint64_t secret;

	if (getrandom(&secret, sizeof secret, GRND_NONBLOCK) != sizeof secret)
		secret = second_best();
	return secret;
}
