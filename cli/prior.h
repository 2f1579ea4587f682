/* SPDX-License-Identifier: Apache-2.0 */
/* prior.h - p(class) as the user gives it on the command line. */
#ifndef ILK_CLI_PRIOR_H
#define ILK_CLI_PRIOR_H

#include <ilk.h>

/* "CLASS=P,..." into *out, whose out->given is to be freed with prior_free. False if it is nothing like it, or if the
 * shares are not above 0 or sum to more than 1; *out is then as it was. */
bool prior_read(ilk_options *out, const char *text);
void prior_free(ilk_options *options);

/* A model could not be estimated: if that is because a class of the given prior is not there, say which one was
 * meant. */
void prior_explain(ilk_error *err, const ilk_stats *stats, const ilk_options *options);

#endif
