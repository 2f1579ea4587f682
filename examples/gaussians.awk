# SPDX-License-Identifier: Apache-2.0
#
# gaussians.awk: points of two bivariate normals, as CSV. The generator is written out, so that every awk draws the same.
function uniform() {                       # Park & Miller's minimal standard: exact in doubles
    state = state * 16807 % 2147483647
    return state / 2147483647
}
function normal() {                        # Box & Muller
    return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform())
}
BEGIN {
    state = 20240229
    print "x1,x2,y"
    for (i = 0; i < 100000; i++) {
        y = i % 2
        a = normal(); b = normal()         # Sigma = L L', L = (1 0; .5 sqrt(1.75))
        printf "%.6f,%.6f,%d\n", 2 * y + a, y + 0.5 * a + 1.3228756555322954 * b, y
    }
}
