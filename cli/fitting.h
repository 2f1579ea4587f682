/* SPDX-License-Identifier: Apache-2.0 */
/* fitting.h - do the options fit the columns? Who gives one that would do nothing expects something else. */
#ifndef ILK_CLI_FITTING_H
#define ILK_CLI_FITTING_H

#include "cli.h"

/* ILK_EARG, and which option, where one was given that no column has a use for. The caller names the file. */
ilk_status fitting_check(const cli_settings *settings, const ilk_schema *schema, ilk_error *err);

#endif
