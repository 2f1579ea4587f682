# SPDX-License-Identifier: Apache-2.0
"""power_cases.py FOLDER: lambda and log-likelihoods of Box-Cox and Yeo-Johnson from SciPy and scikit-learn.

Lines of power.txt, read by tests/unit/test_transform.c:
    # WHAT    made-by VERSIONS
    case NAME boxcox|yeo-johnson one|shared|own LAMBDA N      then N lines "CLASS VALUE"
    at LAMBDA LOG_LIKELIHOOD ...                              some points of the curve that LAMBDA is the peak of
`one` is one class: scikit-learn's PowerTransformer and SciPy's llf. For several classes, SciPy's llf of each class is
summed (`own` variances: at one common lambda), or the pooled variance enters (`shared`), and the peak is found by
SciPy.
"""
import sys

import numpy as np
import scipy
import sklearn
from scipy import optimize, stats
from sklearn.preprocessing import PowerTransformer

FOLDER = sys.argv[1]


def llf(kind, lam, x):
    return stats.boxcox_llf(lam, x) if kind == "boxcox" else stats.yeojohnson_llf(lam, x)


def transformed(kind, lam, x):
    return stats.boxcox(x, lam) if kind == "boxcox" else stats.yeojohnson(x, lam)


def slopes(kind, lam, x):
    return (lam - 1) * (np.log(x).sum() if kind == "boxcox" else (np.sign(x) * np.log1p(np.abs(x))).sum())


def likelihood(kind, how, lam, x, y):
    if how != "shared":
        return sum(llf(kind, lam, x[y == k]) for k in np.unique(y))
    within = sum(((transformed(kind, lam, x[y == k]) - transformed(kind, lam, x[y == k]).mean()) ** 2).sum()
                 for k in np.unique(y))
    return -len(x) / 2 * np.log(within / len(x)) + slopes(kind, lam, x)


def peak(kind, how, x, y):
    if how == "one":
        method = "box-cox" if kind == "boxcox" else "yeo-johnson"
        return PowerTransformer(method=method, standardize=False).fit(x.reshape(-1, 1)).lambdas_[0]
    return optimize.minimize_scalar(lambda lam: -likelihood(kind, how, lam, x, y), bounds=(-5, 5), method="bounded",
                                    options={"xatol": 1e-9}).x


def main():
    rng = np.random.default_rng(20)
    lines = ["# lambda of PowerTransformer, llf of scipy.stats",
             f"made-by scikit-learn {sklearn.__version__}, scipy {scipy.__version__}, numpy {np.__version__}"]
    draws = {
        "lognormal": lambda n, k: rng.lognormal(1 + k, 0.5, n),
        "gamma": lambda n, k: rng.gamma(2 + k, 3, n),
        "cube": lambda n, k: (5 + k + rng.normal(0, 0.7, n)) ** 3,
        "skewed": lambda n, k: rng.gumbel(k, 2, n),
        "left": lambda n, k: 1 - rng.gamma(2 + k, 2, n),
    }
    for name, draw in draws.items():
        for kind in ("boxcox", "yeo-johnson"):
            for how in ("one", "shared", "own"):
                y = np.repeat(np.arange(1 if how == "one" else 3), 40)
                x = np.concatenate([np.round(draw(40, k), 4) for k in np.unique(y)])
                if kind == "boxcox" and x.min() <= 0:
                    continue
                lam = peak(kind, how, x, y)
                lines.append(f"case {name} {kind} {how} {lam!r} {len(x)}".replace("np.float64(", "").replace(")", ""))
                lines += [f"{k} {float(v)!r}" for k, v in zip(y, x)]
                points = [-1.5, -0.25, 0, 0.5, 2]
                lines.append("at " + " ".join(f"{p} {float(likelihood(kind, how, p, x, y))!r}" for p in points))
    with open(f"{FOLDER}/power.txt", "w", encoding="ascii") as f:
        f.write("\n".join(lines) + "\n")


main()
