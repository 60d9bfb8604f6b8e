/* SPDX-License-Identifier: MIT */
/* A mistake: a lock is taken again by who has it. */
#include <filch.h>
#include <stdio.h>

static struct filch_mutex lock = FILCH_MUTEX_INIT;
static int balance = 10;

static int read_balance(void)
{
	int b;

	filch_mutex_lock(&lock);
	b = balance;
	filch_mutex_unlock(&lock);
	return b;
}

int main(void)
{
	filch_mutex_lock(&lock);
	printf("%d\n", read_balance());
	filch_mutex_unlock(&lock);
}
