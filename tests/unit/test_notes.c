/* SPDX-License-Identifier: Apache-2.0 */
/* The course notes: worked examples and formulas that test_seeds.c, test_gda.c and test_normal.c do not hold, and the
 * notes' misprints in corrected form. "003 §2" is the third document, second section. */
#include "fixtures.h"

#define TENNIS                                                                                                         \
    "Sunny,Hot,High,Weak,No\nSunny,Hot,High,Strong,No\nOvercast,Hot,High,Weak,Yes\nRain,Mild,High,Weak,Yes\n"          \
    "Rain,Cool,Normal,Weak,Yes\nRain,Cool,Normal,Strong,No\nOvercast,Cool,Normal,Strong,Yes\nSunny,Mild,High,Weak,"    \
    "No\n"                                                                                                             \
    "Sunny,Cool,Normal,Weak,Yes\nRain,Mild,Normal,Weak,Yes\nSunny,Mild,Normal,Strong,Yes\n"                            \
    "Overcast,Mild,High,Strong,Yes\nOvercast,Hot,Normal,Weak,Yes\nRain,Mild,High,Strong,No\n"

static const char *const table_columns = "Outlook:table Temperature:table Humidity:table Wind:table Play";

/* log p(x, y) of one row, given as text. */
static void joint_of(double *out, const ilk_model *m, const char *row) {
    table t = table_of(row);
    double *x = log_joints(m, &t);
    memcpy(out, x, ilk_model_classes(m) * sizeof *out);
    free(x);
    table_free(&t);
}

/* log p(x) of one row. */
static double density_of(const ilk_model *m, const char *row) {
    table t = table_of(row);
    batch b = batch_for_model(m, &t);
    double out;
    assert_ok(ilk_model_log_density(&out, m, &b.rows, &failure));
    batch_free(&b);
    table_free(&t);
    return out;
}

/* ---- 003 §1.2: the generative Bayes classifier */

static void joint_table__has_72_entries_of_which_each_class_s_sum_to_one(void **state) {
    (void)state;
    static const char *const outlook[] = {"Sunny", "Overcast", "Rain"}, *const temperature[] = {"Hot", "Mild", "Cool"};
    static const char *const humidity[] = {"High", "Normal"}, *const wind[] = {"Weak", "Strong"};
    ilk_options o = options_of(0);
    ilk_model *m = model_of(table_columns, TENNIS, &o);
    uint32_t no = ilk_model_class(m, str("No")), yes = ilk_model_class(m, str("Yes"));
    double sum[2] = {0}, joint[2];
    size_t entries = 0, seen[2] = {0};
    for (size_t i = 0; i < 36; i++) {
        char row[100];
        snprintf(row, sizeof row, "%s,%s,%s,%s,Yes\n", outlook[i % 3], temperature[i / 3 % 3], humidity[i / 9 % 2],
                 wind[i / 18]);
        joint_of(joint, m, row);
        for (uint32_t k = 0; k < 2; k++, entries++) {
            double n = k == yes ? 9 : 5, phi = exp(joint[k] - ilk_model_log_prior(m, k));
            assert_close(phi * n, round(phi * n), 1e-12); /* no day of the fourteen is like another */
            assert_true(phi * n < 1.5);
            seen[k] += phi > 0;
            sum[k] += phi;
        }
    }
    assert_int_equal(entries, 72);
    assert_true(seen[yes] == 9 && seen[no] == 5);
    assert_close(sum[yes], 1, 1e-12);
    assert_close(sum[no], 1, 1e-12);
    ilk_model_free(m);
}

static void joint_table__has_the_entries_of_the_notes(void **state) {
    (void)state;
    ilk_options o = options_of(0);
    ilk_model *m = model_of(table_columns, TENNIS, &o);
    uint32_t no = ilk_model_class(m, str("No")), yes = ilk_model_class(m, str("Yes"));
    double joint[2], p[2];
    assert_close(ilk_model_log_prior(m, yes), log(9.0 / 14), 1e-15);
    assert_close(ilk_model_log_prior(m, no), log(5.0 / 14), 1e-15);
    joint_of(joint, m, "Overcast,Hot,High,Weak,Yes\n"); /* 1/9 given Yes */
    assert_close(joint[yes], log(9.0 / 14 * 1 / 9), 1e-15);
    joint_of(joint, m, "Sunny,Hot,High,Weak,Yes\n"); /* 0/9 given Yes, 1/5 given No */
    assert_true(joint[yes] == -INFINITY);
    assert_close(joint[no], log(5.0 / 14 * 1 / 5), 1e-15);
    joint_of(joint, m, "Sunny,Cool,High,Strong,Yes\n"); /* the day that naive Bayes can decide, and the table cannot */
    assert_true(ilk_bayes(p, joint, 2) == -INFINITY && isnan(p[0]) && ilk_argmax(joint, 2) == ILK_NONE);
    ilk_model_free(m);
    o.smooth = 1; /* every one of the 36 gets one more */
    m = model_of(table_columns, TENNIS, &o);
    joint_of(joint, m, "Sunny,Cool,High,Strong,Yes\n");
    assert_close(joint[yes], log(9.0 / 14 * 1 / (9 + 36)), 1e-14);
    assert_close(joint[no], log(5.0 / 14 * 1 / (5 + 36)), 1e-14);
    ilk_model_free(m);
}

static void parameters__are_72_36_and_10(void **state) {
    (void)state;
    ilk_model *full = model_of(table_columns, TENNIS, NULL);
    assert_close(fact(full, "parameters", "", "in all", "").value, 3 * 3 * 2 * 2 * 2, 0);
    assert_close(fact(full, "parameters", "", "per class", "").value, 36, 0);
    ilk_model_free(full);
    ilk_model *naive = model_of("a:categorical b:categorical c:categorical d:categorical y", TENNIS, NULL);
    assert_close(fact(naive, "parameters", "", "per class", "").value, 3 + 3 + 2 + 2, 0);
    assert_close(fact(naive, "parameters", "", "joint table in all", "").value, 72, 0);
    ilk_model_free(naive);
}

/* 002 §naive Bayes: of 2^n messages over n words each has a probability, and the last follows from the others: 2^n - 1.
 * */
static void parameters__of_n_flags_are_2_to_the_n_less_1(void **state) {
    (void)state;
    char schema[200] = "", rows[200] = "";
    for (int n = 1; n <= 10; n++) {
        char one[32];
        snprintf(one, sizeof one, "w%d:table ", n);
        strcat(schema, one);
        char whole[220], zeros[64] = "", ones[64] = "";
        for (int i = 0; i < n; i++) {
            strcat(zeros, "0,");
            strcat(ones, "1,");
        }
        snprintf(whole, sizeof whole, "%sy", schema);
        snprintf(rows, sizeof rows, "%sa\n%sb\n", zeros, ones);
        ilk_model *m = model_of(whole, rows, NULL);
        assert_close(fact(m, "parameters", "", "per class", "").value, exp2(n), 0);
        assert_close(fact(m, "parameters", "", "free per class", "").value, exp2(n) - 1, 0);
        ilk_model_free(m);
    }
}

/* ---- 000, 001, 004: Laplace smoothing */

static const char *const neurips_mail = "1,buy price\n1,buy\n1,price now\n0,hello\n0,hello now\n";

static ilk_stats *fixed_dictionary(const char *family) {
    static const char *const dictionary[] = {"buy", "hello", "neurips", "now", "price"};
    char schema[40];
    uint32_t id;
    snprintf(schema, sizeof schema, "y mail:%s", family);
    ilk_stats *s = stats_of(schema, NULL);
    for (size_t i = 0; i < 5; i++)
        assert_ok(ilk_stats_declare(&id, s, ILK_TEXT, 0, str(dictionary[i]), &failure));
    table t = table_of(neurips_mail);
    assert_ok(try_learn(s, &t, false));
    table_free(&t);
    return s;
}

static void neurips__of_a_fixed_dictionary_is_0_over_0_and_then_1_over_n_plus_2(void **state) {
    (void)state;
    ilk_stats *s = fixed_dictionary("bernoulli");
    ilk_options o = options_of(0);
    ilk_model *m = estimated(s, &o);
    double joint[2], p[2];
    assert_true(fact(m, "phi", "mail", "neurips", "1").value == 0);
    assert_true(fact(m, "phi", "mail", "neurips", "0").value == 0);
    joint_of(joint, m, "1,buy neurips\n");
    assert_true(joint[0] == -INFINITY && joint[1] == -INFINITY); /* 0 / 0 */
    assert_true(ilk_bayes(p, joint, 2) == -INFINITY && isnan(p[1]));
    ilk_model_free(m);

    o.smooth = 1; /* the misprint of 004 §3.1 divides both by the number of y = 0; it is each class's own */
    m = estimated(s, &o);
    ilk_fact spam = fact(m, "phi", "mail", "neurips", "1"), ham = fact(m, "phi", "mail", "neurips", "0");
    assert_close(spam.value, 1.0 / (3 + 2), 1e-15);
    assert_close(ham.value, 1.0 / (2 + 2), 1e-15);
    assert_true(spam.count == 1 && spam.total == 5 && ham.count == 1 && ham.total == 4);
    joint_of(joint, m, "1,buy neurips\n");
    ilk_bayes(p, joint, 2);
    assert_close(p[0] + p[1], 1, 1e-15);
    assert_true(p[1] > p[0]);
    ilk_model_free(m);
    ilk_stats_free(s);
}

/* The multinomial event model: 0 / n tokens, then 1 / (n tokens + |V|), |V| that of the dictionary. */
static void neurips__of_the_multinomial_is_1_over_n_plus_v(void **state) {
    (void)state;
    ilk_stats *s = fixed_dictionary("multinomial");
    ilk_options o = options_of(0);
    ilk_model *m = estimated(s, &o);
    double joint[2];
    joint_of(joint, m, "1,neurips\n");
    assert_true(joint[0] == -INFINITY && joint[1] == -INFINITY);
    ilk_model_free(m);
    m = estimated(s, NULL);
    assert_close(fact(m, "phi", "mail", "neurips", "1").value, 1.0 / (5 + 5), 1e-15);
    assert_close(fact(m, "phi", "mail", "neurips", "0").value, 1.0 / (3 + 5), 1e-15);
    ilk_model_free(m);
    ilk_stats_free(s);
}

/* Integral over the simplex of 3 probabilities of f, by midpoints of a grid. `power`: f = phi_j × prod phi^count. */
static double simplex(const double *count, int times_j) {
    enum { STEPS = 400 };
    double sum = 0;
    for (int a = 0; a < STEPS; a++)
        for (int b = 0; a + b < STEPS; b++) {
            double p[3] = {(a + 1.0 / 3) / STEPS, (b + 1.0 / 3) / STEPS, 0};
            for (int half = 0; half < (a + b + 1 < STEPS ? 2 : 1); half++) { /* a cell is two triangles */
                double q[3] = {p[0] + half / 3.0 / STEPS, p[1] + half / 3.0 / STEPS, 0};
                q[2] = 1 - q[0] - q[1];
                sum += pow(q[0], count[0]) * pow(q[1], count[1]) * pow(q[2], count[2]) * (times_j < 0 ? 1 : q[times_j]);
            }
        }
    return sum;
}

/* 000 §Laplace: "under certain conditions the best estimate": the posterior mean under a uniform prior, E[phi_j | z].
 * */
static void laplace__is_the_posterior_mean_of_a_uniform_prior(void **state) {
    (void)state;
    static const char *const value[] = {"p", "q", "r"};
    const double count[] = {4, 1, 0};
    ilk_stats *s = learnt("y z:categorical", "a,p\na,p\na,p\na,p\na,q\nb,r\n");
    ilk_model *m = estimated(s, NULL);
    double all = simplex(count, -1);
    for (int j = 0; j < 3; j++) {
        assert_close(fact(m, "phi", "z", value[j], "a").value, (count[j] + 1) / (5 + 3), 1e-15);
        assert_close(fact(m, "phi", "z", value[j], "a").value, simplex(count, j) / all, 1e-4);
    }
    ilk_model_free(m);
    ilk_stats_free(s);
}

/* 003 §2.4: an outlook that is known but was never seen has P = 0 in both classes; formula (8) gives it 1 / (N + K). */
static void outlook__never_seen_is_0_over_0_unless_smoothed(void **state) {
    (void)state;
    ilk_stats *s = learnt("outlook:categorical play", "Rain,Yes\nRain,Yes\nOvercast,Yes\nRain,No\n");
    uint32_t id;
    assert_ok(ilk_stats_declare(&id, s, ILK_CATEGORY, 0, str("Sunny"), &failure));
    ilk_options o = options_of(0);
    ilk_model *m = estimated(s, &o);
    double joint[2];
    joint_of(joint, m, "Sunny,Yes\n");
    assert_true(ilk_argmax(joint, 2) == ILK_NONE);
    ilk_model_free(m);
    m = estimated(s, NULL);
    assert_close(fact(m, "phi", "outlook", "Sunny", "Yes").value, 1.0 / (3 + 3), 1e-15);
    assert_close(fact(m, "phi", "outlook", "Sunny", "No").value, 1.0 / (1 + 3), 1e-15);
    ilk_model_free(m);
    ilk_stats_free(s);
}

/* ---- 000, 002, 004: the multi-variate Bernoulli event model */

enum { WORDS = 4, MAILS = 7 };
static const char *const word[WORDS] = {"buy", "hello", "now", "price"};
static const char *const mails =
    "1,buy price buy\n1,buy now\n1,price\n1,buy hello\n0,hello\n0,hello now now\n0,price hello\n";
static const bool contains[MAILS][WORDS] = {{1, 0, 0, 1}, {1, 0, 1, 0}, {0, 0, 0, 1}, {1, 1, 0, 0},
                                            {0, 1, 0, 0}, {0, 1, 1, 0}, {0, 1, 0, 1}};
static const int spam[MAILS] = {1, 1, 1, 1, 0, 0, 0};

/* (sum of 1{x_j = 1 and y = k} + alpha) / (sum of 1{y = k} + 2 alpha) */
static double phi_by_formula(size_t j, int k, double alpha) {
    double with = 0, all = 0;
    for (size_t i = 0; i < MAILS; i++) {
        with += contains[i][j] && spam[i] == k;
        all += spam[i] == k;
    }
    return (with + alpha) / (all + 2 * alpha);
}

/* Message `bits` as text, and p(y = k) prod phi^x (1 - phi)^(1 - x). */
static double message(char *text, unsigned bits, int k, double alpha) {
    double p = k ? 4.0 / 7 : 3.0 / 7;
    strcpy(text, "1,");
    for (size_t j = 0; j < WORDS; j++) {
        bool there = bits >> j & 1;
        double phi = phi_by_formula(j, k, alpha);
        p *= there ? phi : 1 - phi;
        if (there)
            strcat(strcat(text, word[j]), " ");
    }
    return p;
}

static void bernoulli__is_its_formulas_with_and_without_smoothing(void **state) {
    (void)state;
    static const double alphas[] = {0, 1, 0.5};
    for (size_t a = 0; a < 3; a++) {
        ilk_options o = options_of(alphas[a]);
        ilk_model *m = model_of("y mail:bernoulli", mails, &o);
        char text[64];
        double joint[2], total = 0;
        for (size_t j = 0; j < WORDS; j++)
            for (int k = 0; k < 2; k++)
                assert_close(fact(m, "phi", "mail", word[j], k ? "1" : "0").value, phi_by_formula(j, k, alphas[a]),
                             1e-14);
        for (unsigned bits = 0; bits < 1u << WORDS; bits++) {
            double p[2] = {message(text, bits, 0, alphas[a]), message(text, bits, 1, alphas[a])};
            joint_of(joint, m, text);
            assert_close(exp(joint[0]), p[0], 1e-14);
            assert_close(exp(joint[1]), p[1], 1e-14);
            /* p(x) = p(x|y=1) p(y=1) + p(x|y=0) p(y=0), the denominator of Bayes' rule */
            assert_close(exp(density_of(m, text)), p[0] + p[1], 1e-14);
            total += p[0] + p[1];
            double posterior[2], most = fmax(p[0], p[1]);
            if (most == 0)
                continue;
            ilk_bayes(posterior, joint, 2);
            assert_close(posterior[1], p[1] / (p[0] + p[1]), 1e-14);
            assert_true(p[ilk_argmax(joint, 2)] >= most * (1 - 1e-14)); /* argmax p(y|x) = argmax p(x|y) p(y) */
        }
        assert_close(total, 1, 1e-14); /* all 2^4 messages together are certain */
        ilk_model_free(m);
    }
}

/* 004 §3 reads phi_{j|y=1} as the share of spam among the mails with word j; it is the share of mails with it among
 * spam. */
static void phi__is_a_share_of_the_class_and_not_of_the_word(void **state) {
    (void)state;
    ilk_options o = options_of(0);
    ilk_model *m = model_of("y mail:bernoulli", mails, &o);
    ilk_fact hello = fact(m, "phi", "mail", "hello", "1"); /* in 4 mails, one of which is spam; 1 of 4 spams */
    assert_close(hello.value, 1.0 / 4, 1e-15);
    ilk_fact price = fact(m, "phi", "mail", "price", "1"); /* in 3 mails, 2 of which are spam; 2 of 4 spams */
    assert_close(price.value, 2.0 / 4, 1e-15);
    assert_true(price.count == 2 && price.total == 4);
    ilk_model_free(m);
}

/* 003 §2.3 prints P(Yes|X) = .0053 and P(No|X) = .0206: these are P(X, C); the posterior is .2046 and .7954. */
static void tennis__0053_and_0206_are_joints(void **state) {
    (void)state;
    ilk_options o = options_of(0);
    ilk_model *m = model_of("a:categorical b:categorical c:categorical d:categorical y", TENNIS, &o);
    double joint[2], p[2];
    joint_of(joint, m, "Sunny,Cool,High,Strong,Yes\n");
    uint32_t no = ilk_model_class(m, str("No")), yes = ilk_model_class(m, str("Yes"));
    assert_close(round(exp(joint[yes]) * 1e4), 53, 0);
    assert_close(round(exp(joint[no]) * 1e4), 206, 0);
    assert_close(exp(ilk_bayes(p, joint, 2)), exp(joint[0]) + exp(joint[1]), 1e-15);
    assert_close(round(p[yes] * 1e4), 2046, 0);
    assert_close(round(p[no] * 1e4), 7954, 0);
    ilk_model_free(m);
}

/* ---- 000 §GDA: density and likelihood */

static const char *const points = "a,1,2\na,2,1\na,4,6\na,3,3\nb,5,1\nb,8,4\nb,6,2\nb,7,9\nb,9,5\n";
static const double point[9][2] = {{1, 2}, {2, 1}, {4, 6}, {3, 3}, {5, 1}, {8, 4}, {6, 2}, {7, 9}, {9, 5}};

/* phi = p(b), mu_a, mu_b, and Sigma as its two variances and the covariance. */
typedef struct gda {
    double phi, mu[2][2], v0, v1, c;
} gda;

static double log_normal2(const gda *g, int k, const double *x) {
    double u = x[0] - g->mu[k][0], w = x[1] - g->mu[k][1], det = g->v0 * g->v1 - g->c * g->c;
    double q = (g->v1 * u * u - 2 * g->c * u * w + g->v0 * w * w) / det;
    return -log(2 * M_PI) - 0.5 * log(det) - 0.5 * q; /* (2 pi)^(d/2) with d = 2; 002 prints (2 pi)^(1/2) */
}

static double likelihood(const gda *g) {
    double sum = 0;
    for (size_t i = 0; i < 9; i++)
        sum += log_normal2(g, i > 3, point[i]) + log(i > 3 ? g->phi : 1 - g->phi);
    return sum;
}

static gda gda_of(const ilk_model *m) {
    gda g = {.phi = exp(ilk_model_log_prior(m, 1))};
    for (int k = 0; k < 2; k++) {
        g.mu[k][0] = fact(m, "mu", "x", "", k ? "b" : "a").value;
        g.mu[k][1] = fact(m, "mu", "z", "", k ? "b" : "a").value;
    }
    g.v0 = fact(m, "Sigma", "x", "x", "").value;
    g.v1 = fact(m, "Sigma", "z", "z", "").value;
    g.c = fact(m, "Sigma", "x", "z", "").value;
    return g;
}

static void density__of_d_columns_has_2_pi_to_the_d_halves(void **state) {
    (void)state;
    ilk_model *m = model_of("y x:gda z:gda", points, NULL);
    gda g = gda_of(m);
    double joint[2];
    joint_of(joint, m, "a,2.5,3\n"); /* the mean of a */
    assert_close(joint[0], log(4.0 / 9) - log(2 * M_PI * sqrt(g.v0 * g.v1 - g.c * g.c)), 1e-13);
    for (size_t i = 0; i < 9; i++) {
        char row[40];
        snprintf(row, sizeof row, "a,%g,%g\n", point[i][0], point[i][1]);
        joint_of(joint, m, row);
        assert_close(joint[0], log(4.0 / 9) + log_normal2(&g, 0, point[i]), 1e-12);
        assert_close(joint[1], log(5.0 / 9) + log_normal2(&g, 1, point[i]), 1e-12);
    }
    ilk_model_free(m);
}

static void gda__log_likelihood_is_maximal_at_the_estimates(void **state) {
    (void)state;
    ilk_model *m = model_of("y x:gda z:gda", points, NULL);
    table t = table_of(points);
    batch b = batch_for_model(m, &t);
    double found;
    gda best = gda_of(m);
    assert_ok(ilk_model_log_likelihood(&found, m, &b.rows, &failure));
    assert_close(found, likelihood(&best), 1e-12);
    for (size_t i = 0; i < sizeof best / sizeof(double); i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            gda near = best;
            double values[8];
            memcpy(values, &near, sizeof values);
            double step = 1e-3 * fmax(1e-2, fabs(values[i]));
            values[i] += sign * step;
            memcpy(&near, values, sizeof near);
            assert_true(likelihood(&near) < found);
        }
    batch_free(&b);
    table_free(&t);
    ilk_model_free(m);
}

/* The discrete models: at the shares, moving probability from one value to another loses likelihood. */
static double discrete_likelihood(const double *count, const double *phi, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += count[i] > 0 ? count[i] * log(phi[i]) : 0;
    return sum;
}

static void event_models__log_likelihood_is_maximal_at_the_shares(void **state) {
    (void)state;
    static const char *const family[] = {"y mail:bernoulli", "y mail:multinomial"};
    static const double tokens[2][WORDS] = {{0, 3, 2, 1}, {4, 1, 1, 2}}, docs[2][WORDS] = {{0, 3, 1, 1}, {3, 1, 1, 2}};
    for (int f = 0; f < 2; f++) {
        ilk_options o = options_of(0);
        ilk_model *m = model_of(family[f], mails, &o);
        table t = table_of(mails);
        batch b = batch_for_model(m, &t);
        double found, direct = 3 * log(3.0 / 7) + 4 * log(4.0 / 7);
        assert_ok(ilk_model_log_likelihood(&found, m, &b.rows, &failure));
        for (int k = 0; k < 2; k++) {
            double phi[WORDS], n = k ? 4 : 3;
            for (size_t j = 0; j < WORDS; j++)
                phi[j] = fact(m, "phi", "mail", word[j], k ? "1" : "0").value;
            for (size_t j = 0; f == 0 && j < WORDS; j++) { /* each word on its own: there or not */
                double count[] = {docs[k][j], n - docs[k][j]}, at[] = {phi[j], 1 - phi[j]};
                double top = discrete_likelihood(count, at, 2), e = 1e-4;
                direct += top;
                if (phi[j] > e)
                    assert_true(discrete_likelihood(count, (double[]){phi[j] - e, 1 - phi[j] + e}, 2) < top);
                if (phi[j] < 1 - e)
                    assert_true(discrete_likelihood(count, (double[]){phi[j] + e, 1 - phi[j] - e}, 2) < top);
            }
            double top = discrete_likelihood(tokens[k], phi, WORDS), sum = 0;
            for (size_t i = 0; f == 1 && i < WORDS; i++) { /* any word's share, taken from any other's */
                sum += phi[i];
                for (size_t j = 0; j < WORDS; j++) {
                    double moved[WORDS];
                    memcpy(moved, phi, sizeof moved);
                    moved[i] += 1e-4;
                    moved[j] -= 1e-4;
                    if (i != j && phi[j] > 0)
                        assert_true(discrete_likelihood(tokens[k], moved, WORDS) < top);
                }
            }
            direct += f == 1 ? top : 0;
            if (f == 1)
                assert_close(sum, 1, 1e-15);
        }
        assert_close(found, direct, 1e-12);
        batch_free(&b);
        table_free(&t);
        ilk_model_free(m);
    }
}

/* ---- 000 §GDA and logistic regression: whose posterior is logistic */

static double second_difference(const ilk_model *m, double x) {
    double odds[3], joint[2];
    for (int i = 0; i < 3; i++) {
        char row[40];
        snprintf(row, sizeof row, "a,%.17g\n", x + i);
        joint_of(joint, m, row);
        odds[i] = joint[1] - joint[0];
    }
    return odds[0] - 2 * odds[1] + odds[2];
}

static void posterior__is_logistic_for_poisson_and_shared_variance_only(void **state) {
    (void)state;
    const char *counts = "a,1\na,2\na,0\na,3\nb,7\nb,4\nb,12\nb,8\n";
    static const char *const linear[] = {"y x:poisson", "y x:gda", "y x:gaussian-shared"};
    static const char *const curved[] = {"y x:qda", "y x:gaussian"};
    for (size_t i = 0; i < 3; i++) {
        ilk_model *m = model_of(linear[i], counts, NULL);
        double theta = fact(m, "theta", "x", "", "b").value, intercept = fact(m, "theta", "1", "", "b").value, joint[2];
        for (double x = 0; x < 20; x++)
            assert_close(second_difference(m, x), 0, 1e-12);
        joint_of(joint, m, "a,5\n"); /* 1 / (1 + exp(-theta'x)) */
        assert_close(joint[1] - joint[0], intercept + 5 * theta, 1e-12);
        ilk_model_free(m);
    }
    for (size_t i = 0; i < 2; i++) {
        ilk_model *m = model_of(curved[i], counts, NULL);
        assert_true(fabs(second_difference(m, 3)) > 1e-3);
        ilk_model_free(m);
    }
}

/* 000: p(x_i | y) = p(x_i | y, x_j), and yet p(x_i) is not p(x_i | x_j): "buy" tells of "price" because it tells of
 * spam. */
static void words__are_independent_given_the_class_only(void **state) {
    (void)state;
    const char *rows = "1,yes,yes\n1,yes,no\n1,yes,yes\n0,no,no\n0,no,no\n0,yes,no\n";
    ilk_model *m = model_of("y buy:categorical price:categorical", rows, NULL);
    double both[2], one[2], other[2], prior[2];
    joint_of(both, m, "1,yes,yes\n");
    joint_of(one, m, "1,yes,\n");
    joint_of(other, m, "1,,yes\n");
    joint_of(prior, m, "1,,\n");
    for (int k = 0; k < 2; k++)
        assert_close(both[k] - prior[k], one[k] - prior[k] + other[k] - prior[k], 1e-15);
    double pair = exp(density_of(m, "1,yes,yes\n"));
    assert_true(pair > 1.1 * exp(density_of(m, "1,yes,\n")) * exp(density_of(m, "1,,yes\n")));
    ilk_model_free(m);
}

/* 000: a living area of 890 square feet is in the third of five intervals, and p(x_j|y) is a share among those five. */
static void living_area__is_one_of_five_values(void **state) {
    (void)state;
    ilk_stats *s =
        learnt("y area:categorical/bins@400,800,1200,1600", "sold,890\nsold,1199\nsold,1200\nkept,10\nkept,1600\n");
    const ilk_transform *area = &ilk_schema_column(ilk_stats_schema(s), 1)->transform;
    assert_int_equal(ilk_transform_bin(area, 890), 3);
    assert_int_equal(ilk_transform_bin(area, 1600), 5);
    ilk_model *m = estimated(s, NULL);
    double sum = 0;
    for (size_t bin = 1; bin <= 5; bin++) {
        char name[ILK_BIN_NAME];
        ilk_transform_bin_name(name, area, bin);
        sum += fact(m, "phi", "area", name, "sold").value;
    }
    char none[ILK_BIN_NAME] = "?";
    assert_int_equal(ilk_transform_bin_name(none, area, ilk_transform_bin(area, (double)NAN)), 0);
    assert_int_equal(ilk_transform_bin_name(none, area, 6), 0);
    assert_string_equal(none, "");
    assert_close(sum, 1, 1e-15);
    assert_close(fact(m, "phi", "area", "[800,1200)", "sold").value, 3.0 / 8, 1e-15);
    assert_close(fact(m, "phi", "area", "[400,800)", "kept").value, 1.0 / 7, 1e-15);
    ilk_model_free(m);
    ilk_stats_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joint_table__has_72_entries_of_which_each_class_s_sum_to_one),
        cmocka_unit_test(joint_table__has_the_entries_of_the_notes),
        cmocka_unit_test(parameters__are_72_36_and_10),
        cmocka_unit_test(parameters__of_n_flags_are_2_to_the_n_less_1),
        cmocka_unit_test(neurips__of_a_fixed_dictionary_is_0_over_0_and_then_1_over_n_plus_2),
        cmocka_unit_test(neurips__of_the_multinomial_is_1_over_n_plus_v),
        cmocka_unit_test(laplace__is_the_posterior_mean_of_a_uniform_prior),
        cmocka_unit_test(outlook__never_seen_is_0_over_0_unless_smoothed),
        cmocka_unit_test(bernoulli__is_its_formulas_with_and_without_smoothing),
        cmocka_unit_test(phi__is_a_share_of_the_class_and_not_of_the_word),
        cmocka_unit_test(tennis__0053_and_0206_are_joints),
        cmocka_unit_test(density__of_d_columns_has_2_pi_to_the_d_halves),
        cmocka_unit_test(gda__log_likelihood_is_maximal_at_the_estimates),
        cmocka_unit_test(event_models__log_likelihood_is_maximal_at_the_shares),
        cmocka_unit_test(posterior__is_logistic_for_poisson_and_shared_variance_only),
        cmocka_unit_test(words__are_independent_given_the_class_only),
        cmocka_unit_test(living_area__is_one_of_five_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
