# SPDX-License-Identifier: Apache-2.0
"""A CSV of 200,000 x 50 numbers (197 MB) to a fitted GDA: Ilk's command, and pandas with scikit-learn, in one run.

The file is in the system's cache as reading it from the disk brings it there, in large pieces, and not as writing it in
small ones has left it: reading that again takes twice as long, for everybody. Each peer runs in a process of its own, so
that the peak of its memory is its own; the time of pandas is that of reading and fitting, without the imports, that of
Ilk is of the whole process. bench/run.sh calls it."""
import os
import subprocess
import sys
import time

PEER = """
import sys, time
import pandas as pd
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
start = time.perf_counter()
table = pd.read_csv(sys.argv[1])
LinearDiscriminantAnalysis(solver="lsqr").fit(table.iloc[:, :-1].to_numpy(), table["class"].to_numpy())
print(time.perf_counter() - start)
"""


def run(command):
    """Seconds by the clock, peak of memory in MB, and standard output."""
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    said = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"failed: {command}")
    return time.perf_counter() - start, usage.ru_maxrss / 1024, said


def read_from_disk(path):
    """Into the system's cache, after what writing left there."""
    with open(path, "rb", buffering=0) as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        while file.read(1 << 20):
            pass


def main():
    folder = "build/bench"
    table = f"{folder}/table.csv"
    with open(table, "wb") as out:
        subprocess.run([f"{folder}/make_csv", "200000", "50"], stdout=out, check=True)
    read_from_disk(table)
    train = ["build/ilk", "train", "--model", "gda", "--loo", "none", "-q", table, "-o", f"{folder}/table.bayes"]
    runs = [(run(train), run([sys.executable, "-c", PEER, table])) for _ in range(9)]  # in turns, in the same weather
    ours = min((r[0] for r in runs), key=lambda r: r[0])
    peer = min((r[1] for r in runs), key=lambda r: float(r[2]))
    seconds = float(peer[2])
    size = os.path.getsize(table) / 1e6
    print(f"CSV of {size:.0f} MB to a fitted GDA: Ilk {ours[0]:.3f} s, {ours[1]:.0f} MB; "
          f"pandas + scikit-learn {seconds:.3f} s, {peer[1]:.0f} MB; {seconds / ours[0]:.1f} times as fast")
    os.remove(table)


main()
