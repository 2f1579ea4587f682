/* SPDX-License-Identifier: Apache-2.0 */
/* vector_loops.h - the kernels by vectors, for a file that has said what a vector is:
 *     V, LANES       the type and how many doubles it holds
 *     VECTOR         the attribute of a function that may use them
 *     load, store, splat, fma_ (a b + c), fnma_ (c - a b), add, sub, mul, div_, zero, sum_lanes, size_of (absolute
 *     value), larger (the second for NaN), load_first (n < LANES doubles, then zeros), store_first (no more than n),
 *     transpose (of LANES vectors)
 *     equal_groups   whose bit i tells whether p[i], i < 32, is g
 *     ROWS, WIDTH    syrk's block in registers: ROWS rows by WIDTH vectors
 *     HALVES         1: half a vector takes half the time, and fma_half is fma_ of the first half, behind which anything
 *                    may be left
 *     DEEP           columns that forward substitution solves at a time
 *
 * pack lays rows out in panels of PANEL = WIDTH × LANES columns, so that a block of S is a sum over rows of products of
 * what stands side by side; both factors come from the same panels. The vector that holds the last column ends in
 * zeros; their products are dropped. Two panels of a strip fit the first cache.
 * turn makes rows lanes: GROUP = TILE × LANES rows stand transposed, and forward substitution runs down the columns for
 * all of them at once. Lanes behind the last row repeat a row.
 * What is read once from memory, and again soon, is prefetched: the next rows by pack and shifted, the rows behind the
 * n given by scaled_distances and linear, because they are most likely scored next. A line at a time and in order: that
 * is how memory answers fastest.
 */
enum { PANEL = WIDTH * LANES, TILE = 4, GROUP = TILE * LANES, BESIDE = 4, LINE = 8 };

/* Doubles of which the first-level cache holds some times as many, and the second-level cache. */
enum { NEAR = 1 << 11, FAR = 1 << 14 };

/* The n doubles from p on, at most LANES, and zeros behind them. */
INLINE V load_up_to(const double *p, size_t n) {
    return n >= LANES ? load(p) : load_first(p, n);
}

INLINE void store_up_to(double *p, V v, size_t n) {
    if (n >= LANES)
        store(p, v);
    else
        store_first(p, v, n);
}

/* By address, because what lies ahead may lie behind the end of an array, where no pointer may point. */
INLINE uintptr_t ahead_of(const double *p, size_t n) {
    return (uintptr_t)p + n * sizeof *p;
}

INLINE void prefetch(uintptr_t at, size_t n) {
    for (size_t j = 0; j < n; j += LINE)
        __builtin_prefetch((const void *)(at + j * sizeof(double)));
}

/* What will be read next. */
typedef struct lines_ahead {
    uintptr_t at, end;
} lines_ahead;

/* Into the first-level cache too, or, where that is in use, only into the second. */
enum { TO_FIRST = 3, TO_SECOND = 2 };

INLINE void prefetch_line(lines_ahead *next, int cache) {
    if (next->at >= next->end)
        return;
    if (cache == TO_FIRST)
        __builtin_prefetch((const void *)next->at, 0, TO_FIRST);
    else
        __builtin_prefetch((const void *)next->at, 0, TO_SECOND);
    next->at += LINE * sizeof(double);
}

/* ---- syrk */

static size_t panels_of(size_t d) {
    return (d + PANEL - 1) / PANEL;
}

static size_t packed_width(size_t d) {
    return panels_of(d) * PANEL;
}

INLINE void pack_vector(double *to, double *sum, V x, const double *shift) {
    V v = sub(x, load(shift));
    store(to, v);
    store(sum, add(load(sum), v));
}

/* A strip's panels stand one behind the other. */
INLINE void pack_row(const ilk_strip *s, const double *x, size_t d) {
    double *to = s->packed + s->n * PANEL, *sum = s->sum;
    const double *shift = s->shift;
    size_t next = s->room * PANEL, j = 0;
    for (; j + PANEL <= d; j += PANEL, to += next)
        for (size_t w = 0; w < PANEL; w += LANES)
            pack_vector(to + w, sum + j + w, load(x + j + w), shift + j + w);
    for (; j < d; j += LANES, to += LANES)
        pack_vector(to, sum + j, load_up_to(x + j, d - j), shift + j);
}

VECTOR static size_t pack(ilk_strip *strip, const double *X, const uint32_t *group, size_t n, size_t d) {
    enum { AHEAD = 4 };
    for (size_t i = 0; i < n; i++) {
        ilk_strip *s = &strip[group[i]];
        prefetch(ahead_of(X, (i + AHEAD) * d), d);
        pack_row(s, X + i * d, d);
        if (++s->n == s->room)
            return i + 1;
    }
    return n;
}

/* S's block of `high` rows from i on and `wide` vectors of columns from j on += sum over n rows of a[i] b[j]: a and b
 * point at the first of these columns in panels. What lies above the diagonal, or behind the last column, is
 * dropped. `diagonal`: the last vector stands on it, and above its middle the first half is enough. For each row a line
 * of what will be packed next is prefetched, no more than memory can deliver meanwhile. */
INLINE void multiply(double *S, const double *a, const double *b, size_t n, size_t i, size_t j, size_t d, size_t high,
                     size_t wide, bool diagonal, lines_ahead *next) {
    V sum[ROWS][WIDTH];
    for (size_t r = 0; r < high; r++)
        for (size_t w = 0; w < wide; w++)
            sum[r][w] = zero();
    for (size_t at = 0; at < n; at++, a += PANEL, b += PANEL) {
        V right[WIDTH];
        prefetch_line(next, TO_SECOND);
        for (size_t w = 0; w < wide; w++)
            right[w] = load(b + w * LANES);
        for (size_t r = 0; r < high; r++) {
            V left = splat(a[r]);
            for (size_t w = 0; w < wide; w++)
                sum[r][w] = diagonal && w + 1 == wide && r < LANES / 2 ? fma_half(left, right[w], sum[r][w])
                                                                       : fma_(left, right[w], sum[r][w]);
        }
    }
    for (size_t r = 0; r < high && i + r < d; r++) {
        for (size_t w = 0; w < wide; w++) {
            size_t from = j + w * LANES, columns = i + r < from ? 0 : i + r - from + 1;
            double *to = S + (i + r) * d + from;
            if (columns >= LANES)
                store(to, add(load(to), sum[r][w]));
            else if (columns > 0)
                store_first(to, add(load_first(to, columns), sum[r][w]), columns);
        }
    }
}

/* The lower triangle's rows i … i + high - 1, `wide` vectors from column j on. */
INLINE void multiply_block(double *S, const ilk_strip *full, size_t i, size_t j, size_t d, size_t high, size_t wide,
                           lines_ahead *next) {
    size_t n = full->n;
    const double *a = full->packed + i / PANEL * n * PANEL + i % PANEL;
    const double *b = full->packed + j / PANEL * n * PANEL + j % PANEL;
    if (HALVES && j + wide * LANES == i + LANES)
        multiply(S, a, b, n, i, j, d, high, wide, true, next);
    else
        multiply(S, a, b, n, i, j, d, high, wide, false, next);
}

INLINE void multiply_rows(double *S, const ilk_strip *full, size_t i, size_t d, size_t high, lines_ahead *next) {
    size_t j = 0;
    for (; j + (WIDTH - 1) * LANES < i + high; j += PANEL)
        multiply_block(S, full, i, j, d, high, WIDTH, next);
    for (; j < i + high; j += LANES)
        multiply_block(S, full, i, j, d, high, 1, next);
}

/* Columns that are left of a whole block go in pairs; a panel has an even number. */
VECTOR static void syrk(double *S, const ilk_strip *full, size_t d, const double *next, size_t ahead) {
    lines_ahead rows = {ahead_of(next, 0), ahead_of(next, ahead)};
    size_t i = 0;
    for (; i + ROWS <= d; i += ROWS)
        multiply_rows(S, full, i, d, ROWS, &rows);
    for (; i < d; i += 2)
        multiply_rows(S, full, i, d, 2, &rows);
}

/* ---- independent columns */

enum { MARKED = 32, SPAN = 2 * LINE / LANES }; /* rows that a mark tells apart; vectors in two lines */

/* `wide` vectors from column j on, of those of MARKED rows that are marked. Their sums stay in registers: to load and
 * store them for each row would take longer than all else. Several vectors are whole; behind the last column x - shift
 * is 0. As many lines are prefetched as are read. */
INLINE void shift_columns(double *sums, const double *X, uint32_t rows, size_t j, size_t d, size_t wide,
                          lines_ahead *next) {
    double *shift = sums + j, *square = shift + ilk_padded(d), *sum = square + ilk_padded(d);
    V center[SPAN], squares[SPAN], total[SPAN];
    for (size_t w = 0; w < wide; w++) {
        center[w] = load(shift + w * LANES);
        squares[w] = load(square + w * LANES);
        total[w] = load(sum + w * LANES);
    }
    for (; rows; rows &= rows - 1) {
        const double *x = X + (size_t)__builtin_ctz(rows) * d + j;
        for (size_t at = 0; at < wide * LANES; at += LINE)
            prefetch_line(next, TO_FIRST);
        for (size_t w = 0; w < wide; w++) {
            V y = sub(wide > 1 ? load(x + w * LANES) : load_up_to(x, d - j), center[w]);
            total[w] = add(total[w], y);
            squares[w] = fma_(y, y, squares[w]);
        }
    }
    for (size_t w = 0; w < wide; w++) {
        store(square + w * LANES, squares[w]);
        store(sum + w * LANES, total[w]);
    }
}

/* Two lines of each row at a time: sums enough that none waits for its last addition, and few enough lines that
 * prefetches come at an even pace. */
INLINE void shift_rows(double *sums, const double *X, uint32_t rows, size_t d, lines_ahead *next) {
    size_t j = 0;
    for (; j + SPAN * LANES <= d; j += SPAN * LANES)
        shift_columns(sums, X, rows, j, d, SPAN, next);
    for (; j < d; j += LANES)
        shift_columns(sums, X, rows, j, d, 1, next);
}

/* The rows of one group among the next MARKED, then those of another, until none is left. */
VECTOR static void shifted(double *sums, const double *X, const uint32_t *group, size_t n, size_t d) {
    size_t size = 3 * ilk_padded(d), i = 0, most = MARKED * d > NEAR ? MARKED * d : NEAR;
    for (; i + MARKED <= n; i += MARKED) {
        lines_ahead next = {ahead_of(X, i * d + most), ahead_of(X, (i + MARKED) * d + most)};
        for (uint32_t left = UINT32_MAX; left;) {
            uint32_t g = group[i + (size_t)__builtin_ctz(left)], same = equal_groups(group + i, g);
            shift_rows(sums + g * size, X + i * d, same, d, &next);
            left &= ~same;
        }
    }
    lines_ahead none = {0, 0};
    for (; i < n; i++)
        shift_rows(sums + group[i] * size, X + i * d, 1, d, &none);
}

VECTOR static double largest(const double *x, size_t n) {
    V a = zero(), b = zero();
    size_t j = 0;
    double lanes[LANES], most = 0;
    for (; j + 2 * LANES <= n; j += 2 * LANES) {
        a = larger(size_of(load(x + j)), a);
        b = larger(size_of(load(x + j + LANES)), b);
    }
    for (; j < n; j += LANES)
        a = larger(size_of(load_up_to(x + j, n - j)), a);
    store(lanes, larger(a, b));
    for (size_t l = 0; l < LANES; l++)
        most = lanes[l] > most ? lanes[l] : most;
    return most;
}

/* Distances of BESIDE rows (fewer: the last repeated) from one mean. */
INLINE void distances_beside(double *out, size_t stride, const double *const *x, size_t d, const double *mu,
                             const double *inv_sd, lines_ahead *next) {
    V sum[BESIDE];
    for (size_t r = 0; r < BESIDE; r++)
        sum[r] = zero();
    for (size_t j = 0; j < d; j += LANES) {
        size_t left = d - j < LANES ? d - j : LANES;
        V center = load_up_to(mu + j, left), scale = load_up_to(inv_sd + j, left);
        for (size_t r = 0; r < BESIDE; r++) {
            prefetch_line(next, TO_FIRST);
            V y = mul(sub(load_up_to(x[r] + j, left), center), scale);
            sum[r] = fma_(y, y, sum[r]);
        }
    }
    for (size_t r = 0; r < BESIDE; r++)
        out[r * stride] = sum_lanes(sum[r]);
}

/* The rows from i on, and how many of the BESIDE there are. */
INLINE size_t rows_beside(const double **x, const double *X, size_t i, size_t n, size_t d) {
    for (size_t r = 0; r < BESIDE; r++)
        x[r] = X + (i + r < n ? i + r : n - 1) * d;
    return n - i < BESIDE ? n - i : BESIDE;
}

/* As many lines as the rows from i on have: of those behind all n, which are most likely scored next, or, where n rows
 * are more than caches hold, of rows a little way ahead. */
INLINE lines_ahead lines_beside(const double *X, size_t i, size_t n, size_t d) {
    size_t from = i * d + (n * d <= FAR ? n * d : NEAR);
    return (lines_ahead){ahead_of(X, from), ahead_of(X, from + BESIDE * d)};
}

VECTOR static void scaled_distances(double *out, const double *X, size_t n, size_t d, const double *mu,
                                    const double *inv_sd, size_t K) {
    for (size_t i = 0; i < n; i += BESIDE) {
        const double *x[BESIDE];
        double some[BESIDE];
        size_t rows = rows_beside(x, X, i, n, d);
        lines_ahead next = lines_beside(X, i, n, d);
        for (size_t k = 0; k < K; k++) {
            distances_beside(some, 1, x, d, mu + k * d, inv_sd + k * d, &next);
            for (size_t r = 0; r < rows; r++)
                out[(i + r) * K + k] = some[r];
        }
    }
}

VECTOR static void removed(double out[3], const double *x, const double *mu, const double *inv_sd, size_t d, double c) {
    V sum = zero(), product = splat(1), most = zero();
    double products[LANES], mosts[LANES];
    for (size_t j = 0; j < d; j += LANES) {
        V y = mul(sub(load_up_to(x + j, d - j), load_up_to(mu + j, d - j)), load_up_to(inv_sd + j, d - j));
        V square = mul(y, y), gone = mul(square, splat(c)), left = sub(splat(1), gone);
        sum = add(sum, div_(square, left));
        product = mul(product, left);
        most = larger(gone, most);
    }
    store(products, product);
    store(mosts, most);
    out[0] = sum_lanes(sum);
    out[1] = products[0];
    out[2] = mosts[0];
    for (size_t l = 1; l < LANES; l++) {
        out[1] *= products[l];
        out[2] = mosts[l] > out[2] ? mosts[l] : out[2];
    }
}

/* y't for BESIDE rows, and y'y: two t at once, because y is what takes the time. */
INLINE void products_beside(double *first, double *second, double *norm2, const double *const *x, size_t d,
                            const double *center, const double *inv_sd, const double *s, const double *t,
                            lines_ahead *next) {
    V a[BESIDE], b[BESIDE], c[BESIDE];
    for (size_t r = 0; r < BESIDE; r++)
        a[r] = b[r] = c[r] = zero();
    for (size_t j = 0; j < d; j += LANES) {
        V middle = load_up_to(center + j, d - j), scale = load_up_to(inv_sd + j, d - j);
        V u = load_up_to(s + j, d - j), v = load_up_to(t + j, d - j);
        for (size_t r = 0; r < BESIDE; r++) {
            prefetch_line(next, TO_FIRST);
            V y = mul(sub(load_up_to(x[r] + j, d - j), middle), scale);
            a[r] = fma_(y, u, a[r]);
            b[r] = fma_(y, v, b[r]);
            c[r] = fma_(y, y, c[r]);
        }
    }
    for (size_t r = 0; r < BESIDE; r++) {
        first[r] = sum_lanes(a[r]);
        second[r] = sum_lanes(b[r]);
        norm2[r] = sum_lanes(c[r]);
    }
}

VECTOR static void linear(double *out, double *norm2, const double *X, size_t n, size_t d, const double *center,
                          const double *inv_sd, const double *t, size_t K) {
    for (size_t i = 0; i < n; i += BESIDE) {
        const double *x[BESIDE];
        double first[BESIDE], second[BESIDE], norms[BESIDE];
        size_t rows = rows_beside(x, X, i, n, d);
        lines_ahead next = lines_beside(X, i, n, d);
        for (size_t k = 0; k < K; k += 2) {
            size_t other = k + 1 < K ? k + 1 : k;
            products_beside(first, second, norms, x, d, center, inv_sd, t + k * d, t + other * d, &next);
            for (size_t r = 0; r < rows; r++) {
                out[(i + r) * K + k] = first[r];
                out[(i + r) * K + other] = second[r];
                norm2[i + r] = norms[r];
            }
        }
    }
}

/* ---- distances under a full covariance */

static size_t groups_of(size_t n) {
    return (n + GROUP - 1) / GROUP;
}

/* One group more than there are: the whitened one. */
static size_t turn_size(size_t n, size_t d) {
    return (groups_of(n) + 1) * d * GROUP;
}

/* LANES rows x, of which `columns` from column j on become as many vectors. */
INLINE void turn_columns(double *to, const double *const *x, size_t j, size_t columns) {
    V v[LANES];
    for (size_t l = 0; l < LANES; l++)
        v[l] = load_up_to(x[l] + j, columns);
    transpose(v);
    for (size_t c = 0; c < columns; c++)
        store(to + (j + c) * GROUP, v[c]);
}

VECTOR static void turn(double *turned, const double *X, size_t n, size_t d) {
    for (size_t first = 0; first < groups_of(n) * GROUP; first += LANES) {
        double *to = turned + first / GROUP * GROUP * d + first % GROUP;
        const double *x[LANES];
        for (size_t l = 0; l < LANES; l++)
            x[l] = X + (first + l < n ? first + l : n - 1) * d;
        size_t j = 0;
        for (; j + LANES <= d; j += LANES)
            turn_columns(to, x, j, LANES);
        if (j < d)
            turn_columns(to, x, j, d - j);
    }
}

/* Columns i … i + deep - 1 of W = L^-1 D^-1 (X - center), for a group: what the columns before them explain is taken
 * away, then they are solved among themselves. Each step prefetches a line of what will be turned next. */
INLINE void solve(double *W, const double *turned, const ilk_whitening *whitening, size_t i, size_t deep,
                  lines_ahead *next) {
    const double *L = whitening->L;
    const size_t d = whitening->d;
    V x[DEEP][TILE];
#pragma GCC unroll 8
    for (size_t c = 0; c < deep; c++) {
        V center = splat(whitening->center[i + c]), scale = splat(whitening->inv_sd[i + c]);
        bool varies = whitening->inv_sd[i + c] > 0;
#pragma GCC unroll 8
        for (size_t t = 0; t < TILE; t++) {
            V y = mul(sub(load(turned + (i + c) * GROUP + t * LANES), center), scale);
            x[c][t] = varies ? y : zero();
        }
    }
    for (size_t j = 0; j < i; j++) {
        V w[TILE];
        prefetch_line(next, TO_SECOND);
#pragma GCC unroll 8
        for (size_t t = 0; t < TILE; t++)
            w[t] = load(W + j * GROUP + t * LANES);
#pragma GCC unroll 8
        for (size_t c = 0; c < deep; c++) {
            V l = splat(L[(i + c) * d + j]);
#pragma GCC unroll 8
            for (size_t t = 0; t < TILE; t++)
                x[c][t] = fnma_(l, w[t], x[c][t]);
        }
    }
#pragma GCC unroll 8
    for (size_t c = 0; c < deep; c++) {
        V scale = splat(whitening->inv_diagonal[i + c]);
#pragma GCC unroll 8
        for (size_t b = 0; b < c; b++) {
            V l = splat(L[(i + c) * d + i + b]);
#pragma GCC unroll 8
            for (size_t t = 0; t < TILE; t++)
                x[c][t] = fnma_(l, x[b][t], x[c][t]);
        }
#pragma GCC unroll 8
        for (size_t t = 0; t < TILE; t++) {
            x[c][t] = mul(x[c][t], scale);
            store(W + (i + c) * GROUP + t * LANES, x[c][t]);
        }
    }
}

VECTOR static void whiten(double *W, const double *turned, const ilk_whitening *w, lines_ahead ahead) {
    size_t d = w->d, i = 0;
    for (; i + DEEP <= d; i += DEEP)
        solve(W, turned, w, i, DEEP, &ahead);
    for (; i < d; i++)
        solve(W, turned, w, i, 1, &ahead);
}

/* |w - z|^2 of a group. */
VECTOR static void squares(double *out, const double *W, const double *z, size_t d) {
    V sum[TILE];
    for (size_t t = 0; t < TILE; t++)
        sum[t] = zero();
    for (size_t j = 0; j < d; j++) {
        V center = splat(z[j]);
        for (size_t t = 0; t < TILE; t++) {
            V x = sub(load(W + j * GROUP + t * LANES), center);
            sum[t] = fma_(x, x, sum[t]);
        }
    }
    for (size_t t = 0; t < TILE; t++)
        store(out + t * LANES, sum[t]);
}

VECTOR static void distances(double *out, size_t stride, double *turned, size_t n, const ilk_whitening *w,
                             const double *z, size_t K, const double *next) {
    double *W = turned + groups_of(n) * w->d * GROUP, some[GROUP];
    for (size_t first = 0; first < n; first += GROUP) {
        const lines_ahead none = {0, 0}, more = {ahead_of(next, first * w->d), ahead_of(next, (first + GROUP) * w->d)};
        whiten(W, turned + first * w->d, w, next ? more : none);
        for (size_t k = 0; k < K; k++) {
            squares(some, W, z + k * w->d, w->d);
            for (size_t r = 0; r < GROUP && first + r < n; r++)
                out[(first + r) * stride + k] = some[r];
        }
    }
}

#define ILK_KERNEL_TABLE                                                                                               \
    .pack = pack, .packed_width = packed_width, .syrk = syrk, .shifted = shifted, .largest = largest, .turn = turn,    \
    .turn_size = turn_size, .distances = distances, .scaled_distances = scaled_distances, .removed = removed,          \
    .linear = linear, .posterior = posterior, .exps = exps, .marks = marks, .census = census
