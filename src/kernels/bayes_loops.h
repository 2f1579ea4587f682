/* SPDX-License-Identifier: Apache-2.0 */
/* bayes_loops.h - `exps` and `posterior` by vectors, for a file that has said what a vector is: see vector_loops.h.
 * Here also
 *     swap_pairs     each lane with its neighbour
 *     times_2_to     v 2^k
 */

/* exp(x) for x at most 0, or a little above, or NaN, to 2 units in the last place: 2^k exp(r), k the whole number next
 * to x / log 2, which adding and subtracting 1.5 2^52 finds. |r| is at most half of log 2, and there r^14 / 14! is
 * 4e-18. The first part of log 2 has so few bits that its product with k is exact. */
INLINE V exp_(V x) {
    static const double factor[] = {
        1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
        1.0 / 720,        1.0 / 120,       1.0 / 24,       1.0 / 6,       1.0 / 2,      1,           1};
    const V round = splat(0x1.8p52);
    x = larger(splat(-746), x); /* exp is 0 from here on */
    V k = sub(fma_(x, splat(0x1.71547652b82fep+0), round), round);
    V r = fnma_(k, splat(0x1.ef35793c7673p-45), fnma_(k, splat(0x1.62e42fefa38p-1), x));
    V sum = splat(factor[0]);
#pragma GCC unroll 16
    for (size_t i = 1; i < sizeof factor / sizeof *factor; i++)
        sum = fma_(sum, r, splat(factor[i]));
    return times_2_to(sum, k);
}

/* Of two classes four (or two) rows stand in a vector, and a class's neighbour is the other. A difference of two
 * infinities is NaN, and so is all that follows. */
INLINE V posterior_of_two(V log_joint) {
    V weight = exp_(sub(log_joint, larger(log_joint, swap_pairs(log_joint))));
    return div_(weight, add(weight, swap_pairs(weight)));
}

VECTOR static void posteriors_of_two(double *out, const double *log_joint, size_t n) {
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        store(out + i, posterior_of_two(load(log_joint + i)));
    if (i < n)
        store_first(out + i, posterior_of_two(load_first(log_joint + i, n - i)), n - i);
}

VECTOR static void exps(double *x, size_t n) {
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        store(x + i, exp_(load(x + i)));
    if (i < n)
        store_first(x + i, exp_(load_first(x + i, n - i)), n - i);
}

VECTOR static void posterior(double *out, const double *log_joint, size_t K, size_t n) {
    if (K == 2) {
        posteriors_of_two(out, log_joint, 2 * n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        double most = -INFINITY;
        for (size_t k = 0; k < K; k++)
            most = log_joint[i * K + k] > most ? log_joint[i * K + k] : most;
        for (size_t k = 0; k < K; k++)
            out[i * K + k] = log_joint[i * K + k] - most;
    }
    exps(out, n * K);
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t k = 0; k < K; k++)
            sum += out[i * K + k];
        for (size_t k = 0; k < K; k++)
            out[i * K + k] /= sum;
    }
}
