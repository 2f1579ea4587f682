/* SPDX-License-Identifier: Apache-2.0 */
/* A program of someone else, built against an installed copy. */
#include <ilk.h>
#include <stdio.h>

int main(void) {
    return puts(ilk_version()) < 0;
}
