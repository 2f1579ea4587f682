/* SPDX-License-Identifier: Apache-2.0 */
/* vector_loops.h - the kernels by vectors, for a file that has said what a vector is:
 *     V, LANES       the type and how many doubles it holds
 *     VECTOR         the attribute of a function that may use them
 *     load, store, splat, fma_, add, sub, mul, zero, sum_lanes, size_of (absolute value), larger (the second for NaN)
 *     ROWS, WIDTH    syrk's block in registers: ROWS rows by WIDTH vectors
 *
 * syrk packs X into panels of PANEL = WIDTH × LANES columns, zeros behind the last, so that a block of S is a sum over
 * rows of products of what stands side by side; both factors come from the same panels. It goes through the rows in
 * strips that leave two panels in the first cache.
 * whiten turns rows into lanes: LANES × TILE rows at a time stand transposed, and forward substitution runs down the
 * columns for all of them at once.
 */
enum { PANEL = WIDTH * LANES, STRIP = 128, TILE = 4, GROUP = TILE * LANES };

/* ---- syrk */

static size_t panels_of(size_t d) {
    return (d + PANEL - 1) / PANEL;
}

static size_t syrk_scratch(size_t n, size_t d) {
    (void)n;
    return STRIP * panels_of(d) * PANEL;
}

static void pack(double *packed, const double *X, size_t rows, size_t d) {
    for (size_t p = 0; p < panels_of(d); p++) {
        size_t first = p * PANEL, columns = d - first < PANEL ? d - first : PANEL;
        for (size_t r = 0; r < rows; r++) {
            double *to = packed + (p * rows + r) * PANEL;
            for (size_t j = 0; j < columns; j++)
                to[j] = X[r * d + first + j];
            for (size_t j = columns; j < PANEL; j++)
                to[j] = 0;
        }
    }
}

/* block[ROWS × PANEL] = sum over the strip of a[i] b[j]: a points at ROWS columns of a panel, b at a whole one. */
VECTOR static void multiply(double *block, const double *a, const double *b, size_t rows) {
    V sum[ROWS][WIDTH];
    for (size_t i = 0; i < ROWS; i++)
        for (size_t w = 0; w < WIDTH; w++)
            sum[i][w] = zero();
    for (size_t r = 0; r < rows; r++, a += PANEL, b += PANEL) {
        V right[WIDTH];
        for (size_t w = 0; w < WIDTH; w++)
            right[w] = load(b + w * LANES);
        for (size_t i = 0; i < ROWS; i++) {
            V left = splat(a[i]);
            for (size_t w = 0; w < WIDTH; w++)
                sum[i][w] = fma_(left, right[w], sum[i][w]);
        }
    }
    for (size_t i = 0; i < ROWS; i++)
        for (size_t w = 0; w < WIDTH; w++)
            store(block + i * PANEL + w * LANES, sum[i][w]);
}

/* Add what of a block lies in the lower triangle, from row i and column j of S on. */
static void add_block(double *S, const double *block, size_t i, size_t j, size_t d) {
    for (size_t r = 0; r < ROWS && i + r < d; r++) {
        size_t last = i + r < j ? 0 : i + r - j + 1, columns = last < PANEL ? last : PANEL;
        for (size_t c = 0; c < columns; c++)
            S[(i + r) * d + j + c] += block[r * PANEL + c];
    }
}

VECTOR static void syrk(double *S, const double *X, size_t n, size_t d, double *packed) {
    double block[ROWS * PANEL];
    for (size_t done = 0; done < n; done += STRIP) {
        size_t rows = n - done < STRIP ? n - done : STRIP;
        pack(packed, X + done * d, rows, d);
        for (size_t i = 0; i < d; i += ROWS) {
            const double *a = packed + i / PANEL * rows * PANEL + i % PANEL;
            for (size_t p = 0; p * PANEL <= i + ROWS - 1 && p < panels_of(d); p++) {
                multiply(block, a, packed + p * rows * PANEL, rows);
                add_block(S, block, i, p * PANEL, d);
            }
        }
    }
}

/* ---- whiten */

static size_t whiten_scratch(size_t d) {
    return d * GROUP;
}

/* One group of rows, transposed: T[i][GROUP]. */
VECTOR static void substitute(double *T, const double *L, const double *inv_diagonal, size_t d) {
    for (size_t i = 0; i < d; i++) {
        V x[TILE], scale = splat(inv_diagonal[i]);
        for (size_t t = 0; t < TILE; t++)
            x[t] = load(T + i * GROUP + t * LANES);
        for (size_t j = 0; j < i; j++) {
            V l = splat(-L[i * d + j]);
            for (size_t t = 0; t < TILE; t++)
                x[t] = fma_(l, load(T + j * GROUP + t * LANES), x[t]);
        }
        for (size_t t = 0; t < TILE; t++)
            store(T + i * GROUP + t * LANES, mul(x[t], scale));
    }
}

VECTOR static void whiten(double *X, const double *L, const double *inv_diagonal, size_t n, size_t d, double *T) {
    for (size_t done = 0; done < n; done += GROUP) {
        size_t rows = n - done < GROUP ? n - done : GROUP;
        double *x = X + done * d;
        for (size_t j = 0; j < d; j++) {
            for (size_t r = 0; r < rows; r++)
                T[j * GROUP + r] = x[r * d + j];
            for (size_t r = rows; r < GROUP; r++)
                T[j * GROUP + r] = 0;
        }
        substitute(T, L, inv_diagonal, d);
        for (size_t r = 0; r < rows; r++)
            for (size_t j = 0; j < d; j++)
                x[r * d + j] = T[j * GROUP + r];
    }
}

/* ---- sums over rows, and over columns */

VECTOR static void add_rows(double *sum, const double *X, size_t n, size_t d) {
    size_t j = 0;
    for (; j + 2 * LANES <= d; j += 2 * LANES) {
        V a = load(sum + j), b = load(sum + j + LANES);
        for (size_t i = 0; i < n; i++) {
            a = add(a, load(X + i * d + j));
            b = add(b, load(X + i * d + j + LANES));
        }
        store(sum + j, a);
        store(sum + j + LANES, b);
    }
    for (; j < d; j++)
        for (size_t i = 0; i < n; i++)
            sum[j] += X[i * d + j];
}

VECTOR static void center_rows(double *X, const double *mean, double *rest, size_t n, size_t d) {
    for (size_t i = 0; i < n; i++) {
        double *x = X + i * d;
        size_t j = 0;
        for (; j + LANES <= d; j += LANES) {
            V v = sub(load(x + j), load(mean + j));
            store(x + j, v);
            store(rest + j, add(load(rest + j), v));
        }
        for (; j < d; j++) {
            x[j] -= mean[j];
            rest[j] += x[j];
        }
    }
}

VECTOR static void largest(double *most, const double *X, size_t n, size_t d) {
    size_t j = 0;
    for (; j + LANES <= d; j += LANES) {
        V m = load(most + j);
        for (size_t i = 0; i < n; i++)
            m = larger(size_of(load(X + i * d + j)), m);
        store(most + j, m);
    }
    for (; j < d; j++) {
        for (size_t i = 0; i < n; i++) {
            double x = X[i * d + j], size = x < 0 ? -x : x;
            most[j] = size > most[j] ? size : most[j];
        }
    }
}

VECTOR static void square_rows(double *square, const double *X, size_t n, size_t d) {
    for (size_t i = 0; i < n; i++) {
        const double *x = X + i * d;
        size_t j = 0;
        for (; j + LANES <= d; j += LANES)
            store(square + j, fma_(load(x + j), load(x + j), load(square + j)));
        for (; j < d; j++)
            square[j] += x[j] * x[j];
    }
}

VECTOR static double dot(const double *a, const double *b, size_t d) {
    V s = zero(), t = zero();
    size_t j = 0;
    for (; j + 2 * LANES <= d; j += 2 * LANES) {
        s = fma_(load(a + j), load(b + j), s);
        t = fma_(load(a + j + LANES), load(b + j + LANES), t);
    }
    double sum = sum_lanes(add(s, t));
    for (; j < d; j++)
        sum += a[j] * b[j];
    return sum;
}

VECTOR static double distance2(const double *a, const double *b, size_t d) {
    V s = zero(), t = zero();
    size_t j = 0;
    for (; j + 2 * LANES <= d; j += 2 * LANES) {
        V u = sub(load(a + j), load(b + j)), v = sub(load(a + j + LANES), load(b + j + LANES));
        s = fma_(u, u, s);
        t = fma_(v, v, t);
    }
    double sum = sum_lanes(add(s, t));
    for (; j < d; j++)
        sum += (a[j] - b[j]) * (a[j] - b[j]);
    return sum;
}

VECTOR static double scaled_distance2(const double *x, const double *mu, const double *inv_variance, size_t d) {
    V s = zero(), t = zero();
    size_t j = 0;
    for (; j + 2 * LANES <= d; j += 2 * LANES) {
        V u = sub(load(x + j), load(mu + j)), v = sub(load(x + j + LANES), load(mu + j + LANES));
        s = fma_(mul(u, u), load(inv_variance + j), s);
        t = fma_(mul(v, v), load(inv_variance + j + LANES), t);
    }
    double sum = sum_lanes(add(s, t));
    for (; j < d; j++)
        sum += (x[j] - mu[j]) * (x[j] - mu[j]) * inv_variance[j];
    return sum;
}

#define ILK_KERNEL_TABLE                                                                                               \
    .syrk = syrk, .syrk_scratch = syrk_scratch, .whiten = whiten, .whiten_scratch = whiten_scratch,                    \
    .add_rows = add_rows, .center_rows = center_rows, .largest = largest, .square_rows = square_rows,                  \
    .scaled_distance2 = scaled_distance2, .dot = dot, .distance2 = distance2
