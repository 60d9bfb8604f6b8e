/* SPDX-License-Identifier: MIT */
/* The programs of one back end. */
#include "bench/app/app.h"

#define DECLARE(name) extern const struct app APP_PASTE(app_, name, APP_BACK_END);
#define LIST(name) &APP_PASTE(app_, name, APP_BACK_END),

APP_EACH(DECLARE)

const struct app *const APP_PASTE(app_, table, APP_BACK_END)[] = {APP_EACH(LIST) NULL};
