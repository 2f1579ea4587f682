# SPDX-License-Identifier: Apache-2.0
"""What README.md says of Ilk beside scikit-learn, both with their defaults, on the same data: a line for each row of its
table, and exit 1 where it is not as that says.

    bench/claims.py ILK

Needs numpy and scikit-learn."""
import os
import random
import subprocess
import sys
import tempfile

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import CategoricalNB, GaussianNB


def outcome(job):
    """What the job gives, or the name of what it raises."""
    try:
        return job()
    except Exception as error:
        return type(error).__name__


def write(folder, name, header, rows):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="ascii") as out:
        out.writelines(",".join(map(str, row)) + "\n" for row in [header, *rows])
    return path


def ilk(*command):
    """Its output: a header and a line per row."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[1:]


def accuracy(answers, labels):
    return sum(a == b for a, b in zip(answers, labels)) / len(labels)


def main(program):
    rng, shown = random.Random(1), []
    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(folder, "m.bayes")

        def ask(header, rows, new):
            ilk(program, "train", "-q", write(folder, "rows.csv", header, rows), "-o", model)
            return [line.split(",")[0] for line in ilk(program, "predict", model, write(folder, "new.csv", header, new))]

        numbers = [(rng.gauss(3 * (i % 2), 1), rng.gauss(0, 1), "ab"[i % 2]) for i in range(200)]
        X, y = np.array([row[:2] for row in numbers]), [row[2] for row in numbers]
        ours = ask(("x", "z", "y"), numbers, [(3.5, "", "")])
        theirs = [outcome(lambda: m.fit(X, y).predict([[3.5, float("nan")]]))
                  for m in (GaussianNB(), LinearDiscriminantAnalysis(), QuadraticDiscriminantAnalysis())]
        print("a number is missing:", ours, theirs)
        shown.append(ours == ["b"] and theirs == ["ValueError"] * 3)

        kinds = [(i % 3, (i // 3) % 2, "ab"[i % 3 > 0]) for i in range(60)]
        ours = ask(("p", "q", "y"), kinds, [(1, 7, "")])
        theirs = outcome(lambda: CategoricalNB().fit([row[:2] for row in kinds], [row[2] for row in kinds])
                         .predict([[1, 7]]))
        print("a new category:", ours, theirs)
        shown.append(ours == ["b"] and theirs == "IndexError")

        scales = [(rng.gauss(1e-3 * (i % 2), 1e-4), rng.gauss(0, 1e7), "ab"[i % 2]) for i in range(1000)]
        X, y = np.array([row[:2] for row in scales]), [row[2] for row in scales]
        ours = accuracy(ask(("x", "z", "y"), scales, scales), y)
        theirs = accuracy(GaussianNB().fit(X, y).predict(X), y)
        print(f"scales apart: {ours:.3f} {theirs:.3f}")
        shown.append(ours == 1 and abs(theirs - .502) < .001)
    return 0 if all(shown) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
