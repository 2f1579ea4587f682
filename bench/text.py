# SPDX-License-Identifier: Apache-2.0
"""Text from raw lines: `ilk train` and `ilk predict` beside scikit-learn and fastText, in the same run.

    bench/text.py ILK FOLDER [LINES]

LINES are lines of `label TAB text`; without them a corpus the size of IMDB's is made in FOLDER: 25,000 documents of two
classes, 33 MB, always the same; the word of rank r is as common as 1/r, and beyond rank 5,000 as 1/r^2, as in English
prose, where the commonest 10,000 words are 95 % of a text. Every time is that of a whole run, from the lines in their
file to a model in its own, the least of several; beside it the seconds of processors, which a busy machine distorts
less. Needs nothing; scikit-learn, the program fasttext and the Python package of that name, which need not be the same,
are timed where they are installed."""
import bisect
import importlib.util
import itertools
import os
import pickle
import random
import shutil
import subprocess
import sys
import time

RUNS = int(os.environ.get("BENCH_RUNS", "5"))

# The Python package, in a process of its own: now and then it ends training with "Encountered NaN", in some processes
# every time.
FAST_TEXT = """
import os, sys, time
import fasttext

def clocks():
    used = os.times()
    return time.perf_counter(), used.user + used.system

def timed(job):
    start = clocks()
    result = job()
    print(*(end - begin for begin, end in zip(start, clocks())))
    return result

with open(sys.argv[1], encoding="utf-8", newline="\\n") as rows:
    texts = [row.rstrip("\\n").split(" ", 1)[1] for row in rows]

def train():
    model = fasttext.train_supervised(sys.argv[1], epoch=1, dim=10, thread=2, verbose=0)
    model.save_model(sys.argv[2])
    return model

model = timed(train)
timed(lambda: model.predict(texts))
"""


def words(rng, n):
    """n different words, the first ones short."""
    made, seen = [], set()
    while len(made) < n:
        length = min(14, 2 + int(rng.expovariate(1 / (0.5 + len(made) ** 0.12))))
        word = "".join(rng.choice("etaoinshrdlucmfwypvbgkqjxz"[: rng.randint(8, 26)]) for _ in range(length))
        if word not in seen:
            seen.add(word)
            made.append(word)
    return made


def document(rng, vocabulary, cumulative, shift):
    """Sentences with capitals, commas and full stops; a class prefers some words to their neighbours."""
    text, left = [], int(rng.lognormvariate(5.24, 0.6)) + 20
    while left > 0:
        sentence = []
        for _ in range(min(left, rng.randint(4, 30))):
            at = bisect.bisect(cumulative, rng.random() * cumulative[-1])
            if at % 50 == 7 and rng.random() < 0.5:
                at = at - 7 + shift
            word = vocabulary[at]
            sentence.append(word + "," if rng.random() < 0.06 else word + "'s" if rng.random() < 0.01 else word)
        left -= len(sentence)
        text.append(" ".join(sentence).capitalize() + rng.choice(".....!?"))
    return " ".join(text)


def make_corpus(path, documents=25000, vocabulary=120000):
    rng = random.Random(1)
    vocabulary = words(rng, vocabulary)
    cumulative = list(itertools.accumulate(min(1, 5000 / (rank + 1)) / (rank + 2.7) for rank in range(len(vocabulary))))
    with open(path + ".part", "w", encoding="ascii") as out:
        for i in range(documents):
            label = i % 2
            out.write(("neg", "pos")[label] + "\t" + document(rng, vocabulary, cumulative, 3 + 8 * label) + "\n")
    os.rename(path + ".part", path)


def processors():
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def best(jobs):
    """Of each job the least seconds of several runs, and the least seconds of processors, by our clocks unless it says
    what it took by its own. All take turns, so that they have the same weather."""
    least = {name: [float("inf"), float("inf")] for name in jobs}
    for _ in range(RUNS):
        for name, job in jobs.items():
            start = time.perf_counter(), processors()
            took = job() or (time.perf_counter() - start[0], processors() - start[1])
            least[name] = [min(pair) for pair in zip(least[name], took)]
    return least


def run(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def ilk(program, folder, lines):
    model = os.path.join(folder, "text.bayes")
    train = program, "train", "--format", "lines", lines, "-o", model
    return {"train": lambda: run(*train), "train --loo none": lambda: run(*train, "--loo", "none"),
            "predict": lambda: run(program, "predict", "--format", "lines", model, lines)}


def scikit_learn(lines, folder):
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.naive_bayes import MultinomialNB

    def read():
        with open(lines, encoding="utf-8", errors="replace", newline="\n") as rows:
            return zip(*(row.rstrip("\n").split("\t", 1) for row in rows))

    def train():
        labels, texts = read()
        fitted["words"] = CountVectorizer()
        fitted["model"] = MultinomialNB().fit(fitted["words"].fit_transform(texts), labels)
        with open(os.path.join(folder, "scikit-learn.pickle"), "wb") as out:
            pickle.dump(fitted, out)

    def predict():
        _, texts = read()
        fitted["model"].predict_proba(fitted["words"].transform(texts))

    fitted = {}
    return {"train": train, "predict": predict}


def labelled_lines(lines, folder):
    """The lines as fastText wants them."""
    labelled = os.path.join(folder, "fasttext.txt")
    with open(lines, encoding="utf-8", errors="replace", newline="\n") as rows, open(
            labelled, "w", encoding="utf-8", newline="\n") as out:
        for row in rows:
            label, text = row.rstrip("\n").split("\t", 1)
            out.write("__label__" + label.replace(" ", "_") + " " + text + "\n")
    return labelled


def fast_text(lines, folder):
    """The program, as Debian has it. It writes its vectors as text, too."""
    if shutil.which("fasttext") is None:
        raise ImportError
    labelled, model = labelled_lines(lines, folder), os.path.join(folder, "fasttext")
    train = "fasttext", "supervised", "-input", labelled, "-output", model, "-epoch", "1", "-dim", "10", "-thread", "2"
    return {"train": lambda: run(*train, "-verbose", "0"),
            "predict": lambda: run("fasttext", "predict-prob", model + ".bin", labelled)}


def fast_text_package(lines, folder):
    if importlib.util.find_spec("fasttext") is None:
        raise ImportError
    labelled = labelled_lines(lines, folder)
    never = float("inf"), float("inf")
    latest = {}

    def train():
        child = subprocess.run((sys.executable, "-c", FAST_TEXT, labelled, os.path.join(folder, "package.bin")),
                               capture_output=True, text=True)
        if child.returncode != 0:
            print("  fasttext.py failed: " + (child.stderr.splitlines() or ["without a word"])[-1])
        took = [tuple(map(float, line.split())) for line in child.stdout.splitlines()]
        latest["predict"] = took[1] if len(took) == 2 else never
        return took[0] if len(took) == 2 else never

    return {"train": train, "predict": lambda: latest["predict"]}


def peak(program, folder, lines, times):
    """The most memory, in MB, that training takes from a pipe that brings the same lines so many times."""
    command = program, "train", "-q", "--format", "lines", "-", "-o", os.path.join(folder, "text.bayes")
    child = subprocess.Popen(command, stdin=subprocess.PIPE)
    with open(lines, "rb") as rows:
        for _ in range(times):
            rows.seek(0)
            for block in iter(lambda: rows.read(1 << 20), b""):
                child.stdin.write(block)
    child.stdin.close()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit("failed: " + " ".join(command))
    return usage.ru_maxrss / 1024


def main():
    program, folder = sys.argv[1:3]
    os.makedirs(folder, exist_ok=True)
    lines = sys.argv[3] if len(sys.argv) > 3 else os.path.join(folder, "text.tsv")
    if not os.path.exists(lines):
        make_corpus(lines)
    # First of all: a child's peak begins with what this program has in memory, which is little before peers are loaded.
    memory = [peak(program, folder, lines, times) for times in (1, 2, 4)]
    everybody = {"ilk": lambda: ilk(program, folder, lines), "scikit-learn": lambda: scikit_learn(lines, folder),
                 "fasttext": lambda: fast_text(lines, folder), "fasttext.py": lambda: fast_text_package(lines, folder)}
    jobs = {}
    for who, jobs_of in everybody.items():
        try:
            jobs.update({(who, name): job for name, job in jobs_of().items()})
        except ImportError:
            print(f"no {who} here")
    took = best(jobs)
    megabytes = os.path.getsize(lines) / 1e6
    print(f"text, {megabytes:.1f} MB of raw lines")
    for (who, name), (wall, cpu) in took.items():
        if who == "ilk":
            print(f"  ilk {name:19} {wall:7.3f} s ({megabytes / wall:4.0f} MB/s), of processors {cpu:7.3f} s")
            continue
        for ours in ("train", "train --loo none") if name == "train" else ("predict",):
            us = took["ilk", ours]
            print(f"  {who:12} {ours:16} {wall:7.3f} s, {wall / us[0]:5.1f} times Ilk's; of processors {cpu:7.3f} s, "
                  f"{cpu / us[1]:5.1f} times")
    print("  memory of ilk train, the same lines once, twice, four times: " + ", ".join(f"{m:.0f} MB" for m in memory))


main()
