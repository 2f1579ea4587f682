# SPDX-License-Identifier: Apache-2.0
"""sklearn_cases.py FOLDER: golden files from scikit-learn. test_golden.c says what their lines mean.

Every answer is scikit-learn's own; where its definition is not ours, `note` says so and how ours was asked for the
same.
"""
import sys

import numpy as np
import sklearn
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, ComplementNB, GaussianNB, MultinomialNB

FOLDER = sys.argv[1]
CLASSES = "abc"
MADE_BY = f"scikit-learn {sklearn.__version__}, numpy {np.__version__}"


def number(x):
    return repr(float(x)).removesuffix(".0")


class Case:
    def __init__(self, name, asked, schema):
        self.name, self.lines = name, [f"# {asked}", f"made-by {MADE_BY}", f"schema {schema}"]

    def line(self, *words):
        self.lines.append(" ".join(str(w) for w in words))

    def section(self, name, rows):
        self.lines.append(f"{name} {len(rows)}")
        self.lines += rows

    def write(self):
        with open(f"{FOLDER}/{self.name}.golden", "w", encoding="ascii") as f:
            f.write("\n".join(self.lines) + "\n")


def labels(y):
    return [CLASSES[k] for k in y]


def real_rows(X, y):
    return [",".join([c] + [number(v) for v in row]) for c, row in zip(labels(y), X)]


def bag_rows(X, y):
    """Documents: each word as often as it occurs."""
    return [c + "," + " ".join(f"w{j}" for j, n in enumerate(row) for _ in range(int(n)))
            for c, row in zip(labels(y), X)]


def answers(model, X):
    """Log-posteriors in full precision: predict_proba would round them to 0 and 1."""
    return [" ".join(number(v) for v in row) for row in model._joint_log_likelihood(X)]


def finish(case, rows, X, y, T, expect, weight=None):
    case.section("train", rows(X, y))
    if weight is not None:
        case.section("weight", [number(w) for w in weight])
    case.section("test", rows(T, np.zeros(len(T), int)))
    case.section("expect", expect)
    case.write()


# ---- real columns

def reals(seed, n, d, equal=False):
    """Three classes of correlated normals, on a grid of thousandths so that the files stay short."""
    r = np.random.default_rng(seed)
    y = np.arange(n) % 3 if equal else np.concatenate([[0, 0, 0, 1, 1, 1, 2, 2, 2], r.choice(3, n - 9, p=[.5, .3, .2])])
    y = np.concatenate([np.repeat([0, 1, 2], d), y])[:n] if not equal else y
    A = r.normal(size=(3, d, d)) * .4 + np.eye(d)
    X = np.stack([A[k] @ r.normal(size=d) + r.normal(size=d) * .2 + k * np.linspace(.5, 1.5, d) for k in y])
    return np.round(X, 3), y, np.round(r.normal(size=(12, d)) * 2 + 1, 3)


def columns(d, family):
    return "y " + " ".join(f"x{j}:{family}" for j in range(d))


def gaussian_nb():
    X, y, T = reals(1, 36, 3)
    for weighted in (False, True):
        w = np.round(np.random.default_rng(2).uniform(.25, 3, len(y)), 3) if weighted else None
        m = GaussianNB(var_smoothing=0).fit(X, y, sample_weight=w)
        c = Case("sklearn_gaussian" + "_weighted" * weighted, "GaussianNB(var_smoothing=0)", columns(3, "gaussian"))
        c.line("floor 0")
        finish(c, real_rows, X, y, T, answers(m, T), w)


def lda_answers(m, T):
    """decision_function is log p(x, y) less what all classes share."""
    return [" ".join(number(v) for v in row) for row in m.decision_function(T)]


def lda():
    X, y, T = reals(3, 42, 4)
    count = np.bincount(y)
    m = LinearDiscriminantAnalysis(solver="lsqr").fit(X, y)
    c = Case("sklearn_lda", "LinearDiscriminantAnalysis(solver='lsqr')", columns(4, "gda"))
    finish(c, real_rows, X, y, T, lda_answers(m, T))

    p = np.array([.2, .5, .3])
    m = LinearDiscriminantAnalysis(solver="lsqr", priors=p).fit(X, y)
    c = Case("sklearn_lda_priors", "LinearDiscriminantAnalysis(solver='lsqr', priors=[.2, .5, .3])", columns(4, "gda"))
    c.line("note its covariance is the mean of the classes' covariances weighed by the given priors, ours by the rows:")
    c.line("note rows of class k weigh p_k n / n_k here, and the prior is theirs")
    finish(c, real_rows, X, y, T, lda_answers(m, T), (p * len(y) / count)[y])

    # Its target is the mean variance times the identity, ours the diagonal: in a table whose columns have the same
    # pooled variance within the classes they are one.
    within = X - np.stack([X[y == k].mean(0) for k in range(3)])[y]
    Z, U = X / within.std(0), T / within.std(0)
    for s in (.1, .6):
        m = LinearDiscriminantAnalysis(solver="lsqr", shrinkage=s).fit(Z, y)
        c = Case(f"sklearn_lda_shrink_{int(s * 10)}", f"LinearDiscriminantAnalysis(solver='lsqr', shrinkage={s})",
                 columns(4, "gda"))
        c.line("note columns are scaled to a pooled variance of 1, where the "
               "mean variance and the diagonal are one target")
        c.line("shrink", s)
        finish(c, real_rows, Z, y, U, lda_answers(m, U))

    # scikit-learn's OAS leaves out the terms in 2/p of Chen, Wiesel, Eldar & Hero (2010), formula 23; with them:
    within = Z - np.stack([Z[y == k].mean(0) for k in range(3)])[y]
    S, n, d = within.T @ within / len(y), len(y), Z.shape[1]
    t2, t1 = np.sum(S * S), np.trace(S) ** 2
    rho = min(1, ((1 - 2 / d) * t2 + t1) / ((n + 1 - 2 / d) * (t2 - t1 / d)))
    m = LinearDiscriminantAnalysis(solver="lsqr", shrinkage=rho).fit(Z, y)
    c = Case("sklearn_lda_oas", f"LinearDiscriminantAnalysis(solver='lsqr', shrinkage={number(rho)})",
             columns(4, "gda"))
    c.line("note the shrinkage is formula 23 of Chen, Wiesel, Eldar & Hero (2010); "
           "scikit-learn's OAS drops its terms in 2/p")
    c.line("note columns are scaled to a pooled variance of 1, where the mean variance and the diagonal are one target")
    c.line("shrink oas")
    finish(c, real_rows, Z, y, U, lda_answers(m, U))


def own_divisor(c):
    if tuple(map(int, sklearn.__version__.split(".")[:2])) < (1, 8):
        c.line("divisor n-1")


def qda():
    X, y, T = reals(4, 45, 3)
    m = QuadraticDiscriminantAnalysis().fit(X, y)
    c = Case("sklearn_qda", "QuadraticDiscriminantAnalysis()", columns(3, "qda"))
    c.line("note divides by n_k, as ours does; releases before 1.8 divided by n_k - 1")
    own_divisor(c)
    finish(c, real_rows, X, y, T, [" ".join(map(number, row)) for row in m._decision_function(T)])

    p = [.6, .3, .1]
    m = QuadraticDiscriminantAnalysis(priors=p).fit(X, y)
    c = Case("sklearn_qda_priors", f"QuadraticDiscriminantAnalysis(priors={p})", columns(3, "qda"))
    c.line("prior", *[f"{k}={v}" for k, v in zip(CLASSES, p)])
    own_divisor(c)
    finish(c, real_rows, X, y, T, [" ".join(map(number, row)) for row in m._decision_function(T)])


# ---- categories

def categorical_nb():
    r = np.random.default_rng(5)
    sizes = [3, 2, 4]
    y = np.concatenate([[0, 1, 2], r.choice(3, 37, p=[.5, .3, .2])])
    X = np.stack([np.minimum(r.poisson(.5 + .5 * y), s - 1) for s in sizes], axis=1)
    T = np.stack([r.integers(0, s, 14) for s in sizes], axis=1)

    def rows(X, y):
        return [",".join([c] + [f"v{v}" for v in row]) for c, row in zip(labels(y), X)]

    for name, alpha, weighted in (("1", 1, 0), ("05", .5, 0), ("tiny", 1e-10, 0), ("weighted", 1, 1)):
        w = np.round(r.uniform(.25, 3, len(y)), 3) if weighted else None
        m = CategoricalNB(alpha=alpha, min_categories=sizes).fit(X, y, sample_weight=w)
        c = Case(f"sklearn_categorical_{name}", f"CategoricalNB(alpha={alpha}, min_categories={sizes})",
                 columns(3, "categorical"))
        c.line("smooth", alpha)
        for j, s in enumerate(sizes):
            c.line("declare", j, *[f"v{v}" for v in range(s)])
        finish(c, rows, X, y, T, answers(m, T), w)


# ---- text

def texts():
    r = np.random.default_rng(6)
    V = 8
    y = np.concatenate([[0, 1, 2], r.choice(3, 27, p=[.4, .4, .2])])
    phi = r.dirichlet(np.full(V, .7), size=3)
    X = np.stack([r.multinomial(r.integers(2, 9), phi[k]) for k in y])
    X[:, V - 1] = 0  # a word of the dictionary that never occurs
    T = np.stack([r.multinomial(r.integers(1, 7), np.full(V, 1 / V)) for _ in range(12)])
    w = np.round(r.uniform(.25, 3, len(y)), 3)
    for family, kind in (("bernoulli", BernoulliNB), ("multinomial", MultinomialNB), ("complement", ComplementNB)):
        for name, alpha, weight in (("1", 1, None), ("05", .5, None), ("tiny", 1e-10, None), ("weighted", 1, w)):
            m = kind(alpha=alpha).fit(X, y, sample_weight=weight)
            c = Case(f"sklearn_{family}_{name}", f"{kind.__name__}(alpha={alpha})", f"y text:{family}")
            c.line("smooth", alpha)
            if family == "bernoulli" and alpha < 1e-3:
                c.line("note it takes log(1 - exp(log phi)), which loses the digits of 1 - phi where "
                       "every document has a word")
                c.line("tolerance 1e-6")
            if family == "complement":
                c.line("note it takes no prior, and neither do we")
            c.line("declare", 0, *[f"w{j}" for j in range(V)])
            finish(c, bag_rows, X, y, T, answers(m, (T > 0).astype(int) if family == "bernoulli" else T), weight)


gaussian_nb()
lda()
qda()
categorical_nb()
texts()
