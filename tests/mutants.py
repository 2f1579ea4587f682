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

MUTANTS=N (60) takes a sample of that size, drawn by SEED (1); MUTANTS=all takes all, MUTANTS=formulas all that are in a
formula; the others are counted as "left", among them, untried, what is in the head of a loop or in a function without
floating-point instructions. JOBS (2) run at a time. VERBOSE=1 prints every verdict. QUICK=1 leaves slow tests and
AddressSanitizer out: what then survives is to be tried again without it.

All objects are linked into one shared library that exports everything. A mutant is one compilation and a library of
that object alone, in which the test programs look first. Tests that killed in that file before come first, then the
quick ones; each stops at its first failure; those whose symbols do not lead to the changed file are left out. A mutant
that does not compile ("invalid"), or compiles to the same object ("same"), is none. What survives near an index or a
loop is tried again with the quick tests under AddressSanitizer, which sees loops that go one too far. Statements that
only free something are not dropped.

A test may take five times the processor time it takes without a change, and some seconds; what takes more is counted
as "hung", which is noticed too. Waiting, which other programs on the machine can cause, has a limit twenty times that,
and must go wrong twice.

All formulas were tried on 16 November 2026 (MUTANTS=formulas):
    src/families: 1532 killed, 9 hung, 18 survived
    src/model: 1119 killed, 4 hung, 19 survived
Those that survived have since got a test, or are listed, or their line is gone.

build/mutants/memory remembers what each test said of each changed object, so that a second run tries only what is new:
survivors with tests that are new, and files that have changed. It does not know what else in src/ has changed since;
to be sure of that, remove it.
"""
import collections
import concurrent.futures
import functools
import hashlib
import json
import math
import os
import random
import re
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
import threading

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.join(TOP, "build", "mutants")
LISTED = os.path.join(TOP, "tests", "mutants.equivalent")
LEFT_OUT = {"test_corpus", "test_flips", "test_huge"}    # seeds of fuzzers; exhaustive; huge
FLAGS = ["-fvisibility=default", "-O1", "-g0", "-w", "-fno-diagnostics-color", "-pipe", "-fmacro-prefix-map=%s/=" % TOP]
SWAP = {"+": "-", "-": "+", "*": "/", "/": "*", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
        "&&": "||", "||": "&&", "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "++": "--", "--": "++"}
MATHS = "log|log1p|exp|expm1|sqrt|pow|fabs|floor|round|ldexp|lgamma"
TOKEN = re.compile(r"""
    (?P<skip>/\*.*?\*/|//[^\n]*|^[ \t]*\#(?:\\\n|[^\n])*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
  | (?P<name>[A-Za-z_]\w*)
  | (?P<number>0[xX][\w.+-]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[uUlLfF]*)
  | (?P<op><<=|>>=|\.\.\.|->|\+\+|--|&&|\|\||[<>=!+*/%&|^-]=|<<|>>|[-+*/%<>=!&|^~?:;,.(){}\[\]])
""", re.X | re.S | re.M)
COUNTING = re.compile(r"\bfor \((?:size_t|uint32_t)[^\n;]*;[^\n;]*;[^\n;]*$", re.M)    # a loop's head: no formula
FUNCTION = re.compile(r"^(?![#/}\s])[^\n;]*?(\w+)\([^;{}]*\)\s*\{\n.*?^\}", re.M | re.S)
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
        self.counts = any(a <= begin < b for a, b in (h.span() for h in COUNTING.finditer(text, first, last)))
        self.function = next((f.group(1) for f in FUNCTION.finditer(text) if f.start() <= begin < f.end()), None)

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


def output(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode()


def must(command, **more):
    done = run(command, **more)
    if done.returncode:
        sys.exit("mutants: %s\n%s" % (" ".join(command), done.stdout.decode(errors="replace")))


def link_line(target):
    with open(os.path.join(BUILD, "CMakeFiles", target + ".dir", "link.txt")) as f:
        return shlex.split(f.read())


def read(path):
    with open(path, "rb") as f:
        return f.read()


def digest(*parts):
    """Of strings and bytes; the same wherever the project lies."""
    sha = hashlib.sha256()
    for part in parts:
        part = part.replace(TOP, "").encode() if isinstance(part, str) else part
        sha.update(b"%d " % len(part) + part)
    return sha.hexdigest()[:24]


class Memory:
    """What was found before, a line each: key, a blank, what."""

    def __init__(self, path):
        self.path, self.lock, self.known = path, threading.Lock(), {}
        if os.path.exists(path):
            with open(path, encoding="ascii") as f:
                self.known = dict(line.rstrip("\n").split(" ", 1) for line in f if line.endswith("\n"))

    def get(self, key):
        with self.lock:
            return self.known.get(key)

    def put(self, key, what):
        with self.lock, open(self.path, "a", encoding="ascii") as f:
            self.known[key] = what
            f.write("%s %s\n" % (key, what))


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

    def __init__(self, name, extra, memory, left_out):
        self.plain, self.extra, self.memory = os.path.join(BUILD, name), extra, memory
        os.makedirs(self.plain, exist_ok=True)
        must(["cmake", "-S", TOP, "-B", BUILD, "-G", "Unix Makefiles", "-DCMAKE_BUILD_TYPE=Debug", "-DILK_FAULTS=ON",
              "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"])
        with open(os.path.join(BUILD, "compile_commands.json")) as f:
            entries = {os.path.relpath(e["file"], TOP): self.command(shlex.split(e["command"])) for e in json.load(f)}
        self.compile = {p: c for p, c in entries.items() if p.startswith("src/") or p.startswith("tests/unit/")}
        self.sources = [p for p in self.compile if p.startswith("src/")]
        self.object = {p: os.path.join(self.plain, p.replace("/", "_") + ".o") for p in self.compile}
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            self.headers = dict(zip(self.compile, pool.map(self.headers_of, self.compile)))
            list(pool.map(self.renew, self.compile))
        self.find_reach()
        self.libraries = [w for w in link_line("ilk_shared") if w.startswith("-l") or w == "-pthread"
                          or w.endswith(".so") and "libilk" not in w]
        must(["gcc", "-shared", *extra, "-Wl,-soname,libmutant.so", "-o", os.path.join(self.plain, "libmutant.so"),
              *(self.object[p] for p in self.sources), *self.libraries])
        must(["ld", "-shared", "-soname", "libchanged.so", "-o", os.path.join(self.plain, "libchanged.so"),
              self.object[self.sources[0]]])    # as it is: that must change nothing
        self.tests, self.version = {}, {}
        for path in self.compile:
            name = os.path.basename(path)[:-2]
            if path.startswith("tests/") and name not in left_out:
                self.link_test(name, self.object[path])
        self.time_tests()

    def command(self, words):
        at = words.index("-o")
        kept = [w for i, w in enumerate(words[:-1]) if i not in (at, at + 1) and w != "-c" and w != "-g"]
        return kept + FLAGS + self.extra + ["-x", "c", "-c", "-"]

    def headers_of(self, path):
        """What the headers say that a file includes, ours only."""
        names = output(*self.compile[path][:-4], "-MM", os.path.join(TOP, path)).replace("\\\n", " ").split()[2:]
        return digest(*(read(os.path.join(BUILD, name)) for name in names))

    def key(self, path, text):
        return digest(*self.compile[path], self.headers[path], path, text)

    def make(self, obj, path, text):
        """Compile text as if it were that file: the object does not tell where it lies."""
        near = ["-iquote", os.path.join(TOP, os.path.dirname(path))]
        return run(self.compile[path] + near + ["-o", obj], input=b'#line 1 "%s"\n' % path.encode() + text)

    def renew(self, path):
        """The object without a change, where it is not there yet."""
        obj, text = self.object[path], read(os.path.join(TOP, path))
        key = self.key(path, text).encode()
        if os.path.exists(obj) and os.path.exists(obj + ".key") and read(obj + ".key") == key:
            return
        done = self.make(obj, path, text)
        if done.returncode:
            sys.exit("mutants: %s\n%s" % (path, done.stdout.decode(errors="replace")))
        with open(obj + ".key", "wb") as f:
            f.write(key)

    def link_test(self, name, obj):
        program = os.path.join(self.plain, name)
        cmocka = [w for w in link_line(name) if "cmocka" in w]
        must(["gcc", *self.extra, "-Wl,--no-as-needed", "-o", program, obj, os.path.join(self.plain, "libchanged.so"),
              os.path.join(self.plain, "libmutant.so"), *cmocka, *self.libraries])
        self.tests[name], self.version[name] = program, digest(read(obj))

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
        library = digest(*(read(self.object[p]) for p in self.sources))

        def seconds(name):
            key = "plain-%s-%s" % (library, self.version[name])
            if not self.memory.get(key):
                how, used = self.try_test(name, self.plain, 300)
                if how != "passed":
                    return None
                self.memory.put(key, "%.3f" % used)
            return float(self.memory.get(key))
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            self.seconds = dict(zip(self.tests, pool.map(seconds, self.tests)))
        bad = [name for name in self.tests if self.seconds[name] is None]
        if bad:
            sys.exit("mutants: fails without any change: " + ", ".join(bad))

    def try_test(self, name, libraries, limit):
        """passed, failed, hung or waited (none of them in its time), and the processor time it took."""
        env = dict(os.environ, LD_LIBRARY_PATH=libraries, LC_ALL="C", CMOCKA_MESSAGE_OUTPUT="TAP",
                   CMOCKA_TEST_ABORT="1", MALLOC_PERTURB_="165",
                   ASAN_OPTIONS="hard_rss_limit_mb=6000:detect_leaks=0:detect_odr_violation=0")
        with tempfile.TemporaryDirectory(dir=BUILD) as folder:
            test = subprocess.Popen([self.tests[name]], env=env, cwd=folder, stdin=subprocess.DEVNULL,
                                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
                                    preexec_fn=lambda: bound(limit, not self.extra))
            late = threading.Event()
            clock = threading.Timer(20 * limit, lambda: (late.set(), os.killpg(test.pid, signal.SIGKILL)))
            clock.start()
            _, status, used = os.wait4(test.pid, 0)
            clock.cancel()
            test.returncode = os.waitstatus_to_exitcode(status)
        used = used.ru_utime + used.ru_stime
        hung = test.returncode == -signal.SIGXCPU or used > limit
        return "hung" if hung else "waited" if late.is_set() else "failed" if test.returncode else "passed", used


def bound(seconds, memory):
    """A mutant may take all time and memory there is, and dumps no core. AddressSanitizer takes more on purpose."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 2))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))
    if memory:
        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))


class Changed:
    """A mutant as an object of a project. It is compiled where memory does not serve."""

    def __init__(self, project, folder, m):
        self.project, self.mutant, self.built = project, m, False
        self.object, self.libraries = os.path.join(folder, "changed.o"), folder + ":" + project.plain
        key = project.key(m.path, m.text.encode())
        if not project.memory.get(key):
            project.memory.put(key, "%s %s" % self.build())
        self.what, self.digest = project.memory.get(key).split()

    def build(self):
        """What it is - invalid, same, formula, elsewhere - and the object's digest."""
        self.built, project, path = True, self.project, self.mutant.path
        if project.make(self.object, path, self.mutant.text.encode()).returncode:
            return "invalid", "-"
        must(["ld", "-shared", "-o", os.path.join(os.path.dirname(self.object), "libchanged.so"), self.object])
        own, plain = digest(read(self.object)), digest(read(project.object[path]))
        what = "same" if own == plain else \
            "formula" if arithmetic(self.object, own) != arithmetic(project.object[path], plain) else "elsewhere"
        return what, own

    def says(self, test):
        """What the test says of it: passed, failed, hung."""
        project = self.project
        key = "%s-%s" % (self.digest, project.version[test])
        if not project.memory.get(key):
            if not self.built:
                self.build()
            limit = math.ceil(3 + 5 * project.seconds[test])
            tries = [project.try_test(test, self.libraries, limit)[0]]
            if tries[0] == "waited":
                tries.append(project.try_test(test, self.libraries, limit)[0])
            project.memory.put(key, tries[-1].replace("waited", "hung"))
        return project.memory.get(key)


# ---- running

class Judge:
    def __init__(self, formulas):
        self.memory, self.formulas = Memory(os.path.join(BUILD, "memory")), formulas
        self.plain, self.careful = Project("plain", [], self.memory, LEFT_OUT), None
        self.lock, self.building, self.killers = threading.Lock(), threading.Lock(), {}

    def order(self, project, path):
        """What has killed in this file before comes first, where it is quick, then the other quick ones."""
        with self.lock:
            kills = dict(self.killers.get(path, {}))
        own, seconds = os.path.basename(path)[:-2], self.plain.seconds
        return sorted((t for t in project.tests if path in project.reach[t] and not (QUICK and seconds[t] > SLOW)),
                      key=lambda t: (-kills.get(t, 0) / (0.02 + seconds[t]), own not in t, seconds[t]))

    def asan(self):
        """Built when the first mutant survives without it, with the quick tests."""
        with self.building:
            slow = {t for t, seconds in self.plain.seconds.items() if seconds > SLOW}
            self.careful = self.careful or Project("asan", ["-fsanitize=address"], self.memory, LEFT_OUT | slow)
            return self.careful

    def try_in(self, folder, m):
        """The verdict and the test that gave it."""
        if self.formulas and (m.counts or not computes(self.plain.object[m.path], m.function)):
            return "left", None
        changed = Changed(self.plain, folder, m)
        if changed.what in ("invalid", "same"):
            return changed.what, None
        if self.formulas and changed.what != "formula":
            return "left", None
        how, test = self.try_tests(changed)
        if how == "survived" and not QUICK and REACHES_FAR.search(m.old + m.new):
            how, test = self.try_tests(Changed(self.asan(), folder, m))
        return "elsewhere" if how == "survived" and changed.what != "formula" else how, test

    def try_tests(self, changed):
        path = changed.mutant.path
        for test in self.order(changed.project, path):
            says = changed.says(test)
            if says != "passed":
                with self.lock:
                    kills = self.killers.setdefault(path, collections.Counter())
                    kills[test] += 1
                return "killed" if says == "failed" else says, test
        return "survived", None

    def judge(self, m):
        with tempfile.TemporaryDirectory(dir=BUILD) as folder:
            how, test = self.try_in(folder, m)
        if os.environ.get("VERBOSE"):
            print("%s %s %s\n" % (how, test or "", m), end="", flush=True)
        return how


def is_arithmetic(word):
    return re.fullmatch(r"\w*[sp]d", word) and word not in ("movsd", "movapd", "movupd")


@functools.lru_cache(maxsize=None)
def computes(obj, function):
    """Has a function of the object floating-point instructions? Where it was inlined: has any?"""
    found, code = {}, output("objdump", "-d", "--no-show-raw-insn", obj)
    for name, body in re.findall(r"^[0-9a-f]+ <(\w+)[^>\n]*>:\n((?: .*\n)*)", code, re.M):
        found[name] = found.get(name, False) or any(map(is_arithmetic, re.findall(r"\t(\w+) ", body)))
    return found.get(function, any(found.values()))


@functools.lru_cache(maxsize=None)
def arithmetic(obj, _digest):
    """The floating-point instructions and how they are branched on, in no order, and the constants."""
    code = output("objdump", "-d", "-r", "--no-show-raw-insn", obj)
    words, found = re.findall(r"^ +[0-9a-f]+:\t([a-z]\w*)(?: |$)", code, re.M), collections.Counter()
    for word, then in zip(words, words[1:] + [""]):
        if is_arithmetic(word):
            found[word, then if "comis" in word else ""] += 1
    found.update((name, "") for name in re.findall(r"R_\S+\s+((?:%s)\b|\.LC\w+|\.rodata\.cst\S+)" % MATHS, code))
    return found, output("objdump", "-s", "-j", ".rodata.cst8", obj).partition("Contents")[2]


def sample(all_of_them):
    wanted = os.environ.get("MUTANTS", "60")
    if wanted in ("all", "formulas"):
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
    os.makedirs(BUILD, exist_ok=True)
    judge = Judge(os.environ.get("MUTANTS") == "formulas")
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        for m, how in zip(chosen, pool.map(lambda m: "listed" if m.key() in known else judge.judge(m), chosen)):
            count[os.path.dirname(m.path), how] += 1
            if how in ("survived", "elsewhere"):
                print("%s %s\n" % (how, m), end="", flush=True)
    for folder in sorted({f for f, _ in count}):
        print("mutants of %s: %s" % (folder, ", ".join("%d %s" % (count[folder, h], h) for h in HOW)))
    failed = sum(n for (_, how), n in count.items() if how == "survived")
    print("mutants: %d of %d tried, %d survived in a formula" % (len(chosen), total, failed))
    return 1 if failed or stale else 0


HOW = ("killed", "hung", "survived", "elsewhere", "listed", "same", "invalid", "left")
REACHES_FAR = re.compile(r"\[|\bfor\b|\bwhile\b|\w*(?:alloc|mem(?:cpy|move|set))\w*\(")
SLOW = 1.0      # seconds of a test
QUICK = bool(os.environ.get("QUICK"))
JOBS = int(os.environ.get("JOBS", "2"))
if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
