# SPDX-License-Identifier: Apache-2.0
"""The same work as bench/in_memory.c, by scikit-learn: one line per job, "name<TAB>seconds", the best of five runs, or of
as many as a second has room for, as there (of what takes seconds, of three or one).

Needs numpy, scipy and scikit-learn; bench/run.sh calls it where they are found."""
import time

import numpy as np
import scipy.sparse as sp
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import CategoricalNB, GaussianNB, MultinomialNB


def best(job, runs=5):
    least, begin = float("inf"), time.perf_counter()
    while runs > 0 or time.perf_counter() - begin < 1:
        start = time.perf_counter()
        job()
        least = min(least, time.perf_counter() - start)
        runs -= 1
    return least


def report(name, model, X, y, runs=5):
    print(f"fit {name}\t{best(lambda: model.fit(X, y), runs):.4f}", flush=True)
    print(f"posterior {name}\t{best(lambda: model.predict_proba(X), runs):.4f}", flush=True)


rng = np.random.default_rng(1)
for n, d in ((1000000, 50), (100000, 500)):
    X, y = rng.normal(size=(n, d)), rng.integers(0, 2, n)
    X[y == 1] += 0.1
    shape = f"{n} x {d}"
    report(f"gda, {shape}", LinearDiscriminantAnalysis(solver="lsqr"), X, y, 1 if d > 50 else 3)
    if d == 50:
        report(f"qda, {shape}", QuadraticDiscriminantAnalysis(), X, y)
        report(f"gaussian, {shape}", GaussianNB(), X, y)
codes, y = rng.integers(0, 10, size=(1000000, 20)), rng.integers(0, 2, 1000000)
report("categorical, 1000000 x 20", CategoricalNB(), codes, y)
n, length, V = 200000, 100, 50000
ids = rng.integers(0, V, size=n * length)
bags = sp.csr_matrix((rng.integers(1, 4, n * length).astype(float), ids, np.arange(0, n * length + 1, length)),
                     shape=(n, V))
report("multinomial, 200000 x 100 of 50000", MultinomialNB(), bags, rng.integers(0, 2, n))
