#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mutants.py [FILE...]: would the tests notice? Changes one operator, constant or statement of src/families and
src/model (or of the given files) at a time, and runs the unit tests until one fails. What no test notices is printed as
    survived FILE:LINE: CODE => CHANGED CODE
    elsewhere FILE:LINE: CODE => CHANGED CODE
The first makes the exit status 1: it is in a formula, which means that the change adds, takes away or replaces
floating-point instructions, branches on their comparisons, calls of log and its like, or constants. The second is in
none by that rule - loops, indices, checks of what a file holds - and is printed only. tests/mutants.equivalent lists
mutants that nothing can notice, with the reason; these are not tried. A line of it that is no mutant any more fails.

MUTANTS=N (60) takes a sample of that size, drawn by SEED (1); MUTANTS=all takes all. JOBS (2) run at a time.
A mutant that is killed takes a bit over a second of one core, one that survives the whole of the unit tests, twice:
about two minutes. By these rates the 8200 there are take some five hours on two cores; nobody has waited for that yet.

All objects are linked into one shared library that exports everything, so that a mutant costs one compilation and one
link; objects and test programs stay, also for the next run. Tests that killed in that file before come first, then the
quick ones; each stops at its first failure; those whose symbols do not lead to the changed file are left out. A mutant
that does not compile, or compiles to the same instructions, is none. What survives is tried again under
AddressSanitizer, which sees loops that go one too far. Statements that only free something are not dropped.
"""
import collections
import concurrent.futures
import json
import os
import random
import re
import resource
import shlex
import subprocess
import sys
import threading
import time

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.join(TOP, "build", "mutants")
LISTED = os.path.join(TOP, "tests", "mutants.equivalent")
LEFT_OUT = {"test_corpus", "test_flips", "test_huge"}    # seeds of fuzzers; exhaustive; huge
FLAGS = ["-fvisibility=default", "-O1", "-g0", "-w", "-fno-diagnostics-color"]
SWAP = {"+": "-", "-": "+", "*": "/", "/": "*", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
        "&&": "||", "||": "&&", "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "++": "--", "--": "++"}
MATHS = "log|log1p|exp|expm1|sqrt|pow|fabs|floor|round|ldexp|lgamma"
TOKEN = re.compile(r"""
    (?P<skip>/\*.*?\*/|//[^\n]*|^[ \t]*\#(?:\\\n|[^\n])*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
  | (?P<name>[A-Za-z_]\w*)
  | (?P<number>0[xX][\w.+-]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[uUlLfF]*)
  | (?P<op><<=|>>=|\.\.\.|->|\+\+|--|&&|\|\||[<>=!+*/%&|^-]=|<<|>>|[-+*/%<>=!&|^~?:;,.(){}\[\]])
""", re.X | re.S | re.M)
STATEMENT = re.compile(r"^[ \t]+((?!return\b|goto\b|typedef\b|else\b|case\b|\(void\))[A-Za-z_*+(-][^\n]*;)[ \t]*$",
                       re.M)


# ---- making mutants

def number(text):
    """Another constant in its place, or None."""
    if re.fullmatch(r"\d+[uUlL]*", text):
        return re.sub(r"^\d+", "1" if text.rstrip("uUlL") == "0" else "0" if text.rstrip("uUlL") == "1"
                      else str(int(text.rstrip("uUlL")) + 1), text)
    if re.fullmatch(r"[\d.]+(?:[eE][+-]?\d+)?", text):
        return "(" + text + " * 2)"
    return None


def tokens_changed(text):
    for t in TOKEN.finditer(text):
        kind, word = t.lastgroup, t.group()
        if kind == "skip":
            continue
        new = number(word) if kind == "number" else SWAP.get(word) if kind == "op" else None
        if kind == "op" and word in "+-*/" and text[t.end()] != " ":    # unary, or a pointer: layout tells them apart
            new = "" if word == "-" else None
        if word == "!":
            new = ""
        if new is not None:
            yield t.start(), t.end(), new


def statements_dropped(text):
    skipped = [(m.start(), m.end()) for m in TOKEN.finditer(text) if m.lastgroup == "skip"]
    for m in STATEMENT.finditer(text):
        above = text[:m.start()].rstrip()
        inside = any(a <= m.start(1) < b for a, b in skipped)
        if inside or not above or above[-1] not in "{};:)/" or re.match(r"\w*free\(", m.group(1)):
            continue
        yield m.start(1), m.end(1), ";"


class Mutant:
    def __init__(self, path, text, begin, end, new):
        first, last = text.rfind("\n", 0, begin) + 1, text.find("\n", end)
        self.path, self.line = path, text.count("\n", 0, begin) + 1
        self.text = text[:begin] + new + text[end:]
        self.old = text[first:last].strip()
        self.new = (text[first:begin] + new + text[end:last]).strip()
        self.place = begin

    def __str__(self):
        return "%s:%d: %s => %s" % (self.path, self.line, self.old, self.new)

    def key(self):
        return self.path, self.old, self.new


def mutants_of(path):
    with open(os.path.join(TOP, path), encoding="utf-8") as f:
        text = f.read()
    changes = sorted(set(tokens_changed(text)) | set(statements_dropped(text)))
    return [Mutant(path, text, *c) for c in changes]


def listed():
    """What is known to be no change of behaviour: FILE: CODE => CHANGED CODE  # reason."""
    keys = set()
    with open(LISTED, encoding="utf-8") as f:
        for line in f:
            m = re.match(r"(\S+): (.*) => (.*?)  # ", line)
            if m and not line.startswith("#"):
                keys.add(m.groups())
    return keys


# ---- building

def run(command, **more):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=BUILD, **more)


def must(command, **more):
    done = run(command, **more)
    if done.returncode:
        sys.exit("mutants: %s\n%s" % (" ".join(command), done.stdout.decode(errors="replace")))


def link_line(target):
    with open(os.path.join(BUILD, "CMakeFiles", target + ".dir", "link.txt")) as f:
        return shlex.split(f.read())


def headers():
    return [os.path.join(d, f) for top in ("src", "include", "tests/unit")
            for d, _, files in os.walk(os.path.join(TOP, top)) for f in files if f.endswith(".h")]


def older(path, sources):
    return not os.path.exists(path) or os.path.getmtime(path) < max(map(os.path.getmtime, sources))


def symbols(objects):
    """Of each object: names it defines, names it asks for."""
    defined, wanted = {o: set() for o in objects}, {o: set() for o in objects}
    out = subprocess.run(["nm", "-A", *objects], stdout=subprocess.PIPE, check=True).stdout.decode()
    for line in out.splitlines():
        place, name = line.split(":", 1)
        words = name.split()
        (wanted if words[-2] == "U" else defined)[place].add(words[-1])
    return defined, wanted


class Project:
    """Objects, one shared library and the test programs, built once without a change, with `extra` flags."""

    def __init__(self, name, extra):
        self.plain, self.extra = os.path.join(BUILD, name), extra
        os.makedirs(self.plain, exist_ok=True)
        must(["cmake", "-S", TOP, "-B", BUILD, "-G", "Unix Makefiles", "-DCMAKE_BUILD_TYPE=Debug", "-DILK_FAULTS=ON",
              "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"])
        with open(os.path.join(BUILD, "compile_commands.json")) as f:
            entries = [(os.path.relpath(e["file"], TOP), shlex.split(e["command"])) for e in json.load(f)]
        self.compile = {path: self.command(c) for path, c in entries if path.startswith("src/")}
        units = {path: self.command(c) for path, c in entries if path.startswith("tests/unit/")}
        self.object = {path: os.path.join(self.plain, path.replace("/", "_") + ".o")
                       for path in {**self.compile, **units}}
        common = headers() + [os.path.join(TOP, "CMakeLists.txt"), os.path.abspath(__file__)]
        stale = [p for p in self.object if older(self.object[p], common + [os.path.join(TOP, p)])]
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            list(pool.map(lambda p: must({**self.compile, **units}[p] + ["-o", self.object[p], os.path.join(TOP, p)]),
                          stale))
        self.known = {}
        self.find_reach()
        line = link_line("ilk_shared")
        self.libraries = [w for w in line if w.startswith("-l") or w.endswith(".so") and "libilk" not in w
                          or w == "-pthread"]
        self.link(self.plain, {})
        self.tests = {}
        for path in units:
            name = os.path.basename(path)[:-2]
            if name not in LEFT_OUT:
                self.link_test(name, self.object[path])
        self.time_tests()

    def command(self, words):
        at = words.index("-o")
        kept = [w for i, w in enumerate(words[:-1]) if i not in (at, at + 1) and w != "-c" and w != "-g"]
        return kept + FLAGS + self.extra + ["-c"]

    def link(self, folder, instead):
        objects = [instead.get(p, self.object[p]) for p in self.compile]
        return run(["gcc", "-shared", *self.extra, "-Wl,-soname,libmutant.so", "-o",
                    os.path.join(folder, "libmutant.so"), *objects, *self.libraries])

    def link_test(self, name, obj):
        program = os.path.join(self.plain, name)
        cmocka = [w for w in link_line(name) if "cmocka" in w]
        must(["gcc"] + self.extra + ["-o", program, obj, os.path.join(self.plain, "libmutant.so")]
             + cmocka + self.libraries)
        self.tests[name] = program

    def find_reach(self):
        """The sources that a test's symbols lead to: a change elsewhere it cannot notice."""
        path_of = {o: p for p, o in self.object.items()}
        defined, wanted = symbols(list(path_of))
        home = {name: o for o in path_of if path_of[o].startswith("src/") for name in defined[o]}
        self.reach = {}
        for test in path_of:
            todo, seen = [test], {test}
            while todo:
                found = {home[name] for name in wanted[todo.pop()] if name in home} - seen
                seen |= found
                todo += found
            self.reach[os.path.basename(path_of[test])[:-2]] = {path_of[o] for o in seen}

    def time_tests(self):
        """The quick ones go first. All must pass without a change."""
        def seconds(name):
            began = time.monotonic()
            passed = self.passes(name, self.plain, 300)
            return time.monotonic() - began if passed else None
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            self.seconds = dict(zip(self.tests, pool.map(seconds, self.tests)))
        bad = [name for name in self.tests if self.seconds[name] is None]
        if bad:
            sys.exit("mutants: fails without any change: " + ", ".join(bad))

    def of(self, fn, path):
        """fn of the object without a change."""
        with LOCK:
            if (fn, path) not in self.known:
                self.known[fn, path] = fn(self.object[path])
            return self.known[fn, path]

    def passes(self, name, folder, limit):
        env = dict(os.environ, LD_LIBRARY_PATH=folder, LC_ALL="C", CMOCKA_MESSAGE_OUTPUT="TAP", CMOCKA_TEST_ABORT="1",
                   ASAN_OPTIONS="hard_rss_limit_mb=6000:detect_leaks=0")
        try:
            return subprocess.run([self.tests[name]], env=env, cwd=folder, timeout=limit, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                  preexec_fn=None if self.extra else bound).returncode == 0
        except subprocess.TimeoutExpired:
            return False


def bound():
    """A mutant may ask for all memory there is, and dumps no core."""
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))


# ---- running

class Judge:
    def __init__(self, plain):
        self.plain, self.careful, self.lock, self.killers = plain, None, threading.Lock(), {}
        self.building = threading.Lock()
        self.folders = [os.path.join(BUILD, "worker%d" % i) for i in range(JOBS)]
        for folder in self.folders:
            os.makedirs(folder, exist_ok=True)

    def order(self, path):
        """What has killed in this file before comes first, then the quick."""
        with self.lock:
            kills = dict(self.killers.get(path, {}))
        own = os.path.basename(path)[:-2]
        seconds = self.plain.seconds
        return sorted((t for t in seconds if path in self.plain.reach[t]),
                      key=lambda t: (-kills.get(t, 0), own not in t, seconds[t]))

    def try_in(self, folder, m):
        how, test = self.try_with(self.plain, folder, m)
        if how != "survived":
            return how, test
        formula = arithmetic(os.path.join(folder, "changed.o")) != self.plain.of(arithmetic, m.path)
        how, test = self.try_with(self.asan(), folder, m)
        return how if how != "survived" or formula else "elsewhere", test

    def asan(self):
        """Built when the first mutant survives without it."""
        with self.building:
            self.careful = self.careful or Project("asan", ["-fsanitize=address"])
            return self.careful

    def try_with(self, project, folder, m):
        source, obj = os.path.join(folder, os.path.basename(m.path)), os.path.join(folder, "changed.o")
        with open(source, "w", encoding="utf-8") as f:
            f.write(m.text)
        near = ["-iquote", os.path.join(TOP, os.path.dirname(m.path))]
        if run(project.compile[m.path] + near + ["-o", obj, source]).returncode:
            return "invalid", None
        if instructions(obj) == project.of(instructions, m.path):
            return "same", None
        if project.link(folder, {m.path: obj}).returncode:
            return "invalid", None
        for test in self.order(m.path):
            if not project.passes(test, folder, 10 + 5 * project.seconds[test]):
                with self.lock:
                    kills = self.killers.setdefault(m.path, {})
                    kills[test] = kills.get(test, 0) + 1
                return "killed", test
        return "survived", None

    def judge(self, m):
        with self.lock:
            folder = self.folders.pop()
        try:
            how, test = self.try_in(folder, m)
        finally:
            with self.lock:
                self.folders.append(folder)
        if os.environ.get("VERBOSE"):
            print(how, test or "", m, flush=True)
        return how


def instructions(obj):
    out = subprocess.run(["objcopy", "-O", "binary", "--only-section=.text*", "--only-section=.rodata*",
                          "--only-section=.data*", obj, obj + ".bin"], stderr=subprocess.DEVNULL)
    relocations = subprocess.run(["objdump", "-r", obj], stdout=subprocess.PIPE).stdout.split(b"\n", 3)[-1]
    with open(obj + ".bin", "rb") as f:
        return out.returncode, relocations, f.read()


def arithmetic(obj):
    """The floating-point instructions and how they are branched on, in no order, and the constants."""
    code = subprocess.run(["objdump", "-d", "--no-show-raw-insn", obj], stdout=subprocess.PIPE).stdout.decode()
    words, found = re.findall(r"^ +[0-9a-f]+:\t(\w+)", code, re.M), collections.Counter()
    for word, then in zip(words, words[1:] + [""]):
        if re.fullmatch(r"\w*[sp]d", word) and word not in ("movsd", "movapd", "movupd"):
            found[word, then if "comis" in word else ""] += 1
    calls = subprocess.run(["objdump", "-r", obj], stdout=subprocess.PIPE).stdout.decode()
    found.update((name, "") for name in re.findall(r"R_\S+\s+((?:%s)\b|\.LC\w+|\.rodata\.cst\S+)" % MATHS, calls))
    run(["objcopy", "-O", "binary", "--only-section=.rodata.cst8", obj, obj + ".cst"])
    with open(obj + ".cst", "rb") as f:
        return found, f.read()


def sample(all_of_them):
    wanted = os.environ.get("MUTANTS", "60")
    if wanted == "all":
        return all_of_them
    random.Random(int(os.environ.get("SEED", "1"))).shuffle(all_of_them)
    return all_of_them[:int(wanted)]


def main(paths):
    if not paths:
        paths = sorted(os.path.join("src", d, f) for d in ("families", "model")
                       for f in os.listdir(os.path.join(TOP, "src", d)) if f.endswith(".c"))
    there, known = [m for p in paths for m in mutants_of(p)], listed()
    stale = {key for key in known if key[0] in paths} - {m.key() for m in there}
    for key in sorted(stale):
        print("listed, but no mutant: %s: %s => %s" % key)
    total, chosen, count = len(there), sample(there), collections.Counter()
    judge = Judge(Project("plain", []))
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        for m, how in zip(chosen, pool.map(lambda m: "listed" if m.key() in known else judge.judge(m), chosen)):
            count[os.path.dirname(m.path), how] += 1
            if how in ("survived", "elsewhere"):
                print(how, m, flush=True)
    for folder in sorted({f for f, _ in count}):
        print("mutants of %s: %s" % (folder, ", ".join("%d %s" % (count[folder, h], h) for h in HOW)))
    failed = sum(n for (_, how), n in count.items() if how == "survived")
    print("mutants: %d of %d tried, %d survived in a formula" % (len(chosen), total, failed))
    return 1 if failed or stale else 0


HOW = ("killed", "survived", "elsewhere", "listed", "same", "invalid")
LOCK = threading.Lock()
JOBS = int(os.environ.get("JOBS", "2"))
if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
