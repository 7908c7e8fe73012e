"""Would a test notice? Small faults, drawn over the whole package, and which of the fast tests fail because of each.

    python benchmarks/mutations.py                        # 100 faults of seed 0: 20 minutes on two idle cores
    python benchmarks/mutations.py --seed 1 --number 20
    python benchmarks/mutations.py --list                 # only what would be tried
    python benchmarks/mutations.py --write                # and writes benchmarks/results/mutations.md

One operator, constant, sign, argument, term or branch is changed in a copy of the checkout. The room is drawn in
proportion to its code, then the kind of fault, then the place. The fast tests that come by the line run first, of these
the ones that see least of the package, then the files of tests that name the file or its functions, for what Hypothesis
or a value kept from another test hides from the trace. The first failure ends both. What survives is judged by hand, in
``mutations.toml``: equivalent (no answer changes beyond the accuracy budget, with the reason), or missed.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from queue import Queue
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
from _clock import machine

ROOT = Path(__file__).parents[1]
RESULTS = Path(__file__).parent / "results" / "mutations.md"
SWAPS: dict[type[ast.AST], str] = {
    **{ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "=="},
    **{ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in"},
    **{ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.And: "or", ast.Or: "and"},
}
NO_CODE = (ast.JoinedStr, ast.Import, ast.ImportFrom, ast.Raise, ast.AnnAssign, ast.Assert)
SECONDS = 1800  # a fault that makes the tests hang is caught
AT_ONCE = 2  # copies in which faults are tried
TRACED = "[run]\nsource = skcostci\ndynamic_context = test_function\n"
OF_A_TEST = re.compile(r"test_\w+\.test_\w+$")
Seen = Mapping[str, Mapping[int, list[str]]]  # the tests that come by each line of each file


class Fault(NamedTuple):
    """What stands between two places of a file, and what is put there."""

    path: str
    start: int
    end: int
    line: int
    kind: str
    before: str
    after: str
    within: str

    @property
    def room(self) -> str:
        return self.path.split("/")[1] if self.path.count("/") > 1 else "modules"

    @property
    def name(self) -> str:
        """By what it is known in ``mutations.toml``: lines move."""
        return f"{self.path}: {shortened(self.before)} -> {shortened(self.after)} in {self.within}"


def shortened(code: str) -> str:
    return " ".join(code.split())


def code_of(tree: ast.AST) -> Iterator[ast.AST]:
    """What is evaluated when a function runs: no annotations, imports, messages of errors or docstrings."""
    for field, value in ast.iter_fields(tree):
        if field in ("annotation", "returns", "decorator_list", "bases"):
            continue
        for node in value if isinstance(value, list) else [value]:
            if not isinstance(node, ast.AST) or (isinstance(node, NO_CODE) and getattr(node, "value", None) is None):
                continue
            if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
                continue
            yield node
            yield from code_of(node)


def faults_of(path: Path) -> Iterator[Fault]:
    """All faults that one file may get."""
    source = path.read_text(encoding="utf-8")
    starts = np.cumsum([0, *(len(line.encode()) for line in source.splitlines(keepends=True))])
    data, lines = source.encode(), [*map(shortened, source.splitlines())]

    def at(node: ast.expr) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return int(starts[node.lineno - 1] + node.col_offset), int(starts[node.end_lineno - 1] + node.end_col_offset)

    def text(node: ast.expr) -> str:
        return data[slice(*at(node))].decode()

    def fault(node: ast.expr, kind: str, after: str) -> Fault:
        return Fault(
            str(path.relative_to(ROOT)), *at(node), node.lineno, kind, text(node), after, lines[node.lineno - 1]
        )

    for node in code_of(ast.parse(source)):
        match node:
            case ast.Compare(ops=[operator], left=left, comparators=[right]) if type(operator) in SWAPS:
                yield fault(node, "comparison", f"({text(left)}) {SWAPS[type(operator)]} ({text(right)})")
            case ast.BoolOp(op=operator, values=values):
                yield fault(node, "logic", f" {SWAPS[type(operator)]} ".join(f"({text(each)})" for each in values))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yield fault(node, "logic", f"bool({text(operand)})")
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                yield fault(node, "sign", f"(+{text(operand)})")
            case ast.BinOp(op=operator, left=left, right=right) if type(operator) in SWAPS:
                yield fault(node, "operator", f"(({text(left)}) {SWAPS[type(operator)]} ({text(right)}))")
                if isinstance(operator, ast.Add | ast.Sub):
                    yield fault(node, "term", f"({text(left)})")
            case ast.IfExp(test=test, body=body, orelse=other):
                yield fault(node, "branch", f"(({text(other)}) if ({text(test)}) else ({text(body)}))")
            case ast.Constant(value=bool() as value):
                yield fault(node, "constant", str(not value))
            case ast.Constant(value=int() as value):
                yield fault(node, "constant", str(value + 1))
            case ast.Constant(value=float() as value):
                yield fault(node, "constant", repr(1.1 * value or 0.1))
            case ast.Call(args=[first, second, *_]) if text(node.func) not in ("max", "min") and not any(
                isinstance(each, ast.Starred) for each in (first, second)
            ):
                between = data[at(first)[1] : at(second)[0]].decode()
                yield fault(node, "swap", swapped(text(node), text(first), between, text(second)))
            case ast.Call(keywords=[*_, ast.keyword(arg=str() as name, value=value)]):
                given = rf",?\s*\b{name}\s*=\s*{re.escape(text(value))},?\s*\)$"
                yield fault(node, "argument", re.sub(given, ")", text(node)))


def swapped(call: str, first: str, between: str, second: str) -> str:
    """A call with its first two arguments exchanged."""
    return call.replace(f"{first}{between}{second}", f"{second}{between}{first}", 1)


def drawn(number: int, seed: int) -> list[Fault]:
    """The faults that a seed gives."""
    rng = np.random.default_rng(seed)
    rooms: dict[str, dict[str, list[Fault]]] = defaultdict(lambda: defaultdict(list))
    for path in sorted((ROOT / "skcostci").rglob("*.py")):
        for fault in faults_of(path):
            if fault.after != fault.before:
                rooms[fault.room][fault.kind].append(fault)
    sizes = np.array([sum(map(len, kinds.values())) for kinds in rooms.values()], dtype=float)
    found: dict[str, Fault] = {}
    while len(found) < number:
        kinds = list(rooms.values())[rng.choice(len(sizes), p=sizes / sizes.sum())]
        faults = list(kinds.values())[rng.integers(len(kinds))]
        fault = faults[rng.integers(len(faults))]
        found.setdefault(f"{fault.path}{fault.start}", fault)
    return list(found.values())


def tests_that_name(fault: Fault) -> list[str]:
    """The files of tests in which the changed file, or a public function that it defines, is named."""
    source = (ROOT / fault.path).read_text(encoding="utf-8")
    words = {Path(fault.path).stem.strip("_"), *re.findall(r"^(?:def|class) ([a-zA-Z]\w+)", source, re.MULTILINE)}
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(words)))})\b")
    counts = {path: len(pattern.findall(path.read_text(encoding="utf-8"))) for path in ROOT.glob("tests/test_*.py")}
    named = [path for path in sorted(counts, key=lambda path: -counts[path]) if counts[path]]
    return [str(path.relative_to(ROOT)) for path in named[:6]]


def command(copy: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """What Python does in a copy of the checkout, on one core."""
    environment = {**os.environ, "PYTHONPATH": str(copy), "OPENBLAS_NUM_THREADS": "1", **variables}
    whole = [sys.executable, "-m", *words]
    return subprocess.run(whole, cwd=copy, env=environment, capture_output=True, text=True, timeout=SECONDS)


def seen_lines(copy: Path, half: int) -> dict[str, dict[str, list[str]]]:
    """Which test functions come by which lines, by file; half of the files of tests."""
    (copy / "settings").write_text(TRACED, encoding="utf-8")
    tests = [str(path) for path in sorted(copy.glob("tests/test_*.py"))[half::2]]
    traced = ["coverage", "run", "--rcfile=settings", "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests]
    ran = command(copy, *traced)
    assert ran.returncode == 0, f"The tests have to pass before faults are tried.\n{ran.stdout}"
    command(copy, "coverage", "json", "--rcfile=settings", "--show-contexts", "-o", "seen")
    files = json.loads((copy / "seen").read_text(encoding="utf-8"))["files"]
    return {path: of_file["contexts"] for path, of_file in files.items()}


def tests_by_line(copies: list[Path]) -> Seen:
    """By file and line the tests that come by, those that come by the fewest lines first."""
    seen: dict[str, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    lines: Counter[str] = Counter()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for files in pool.map(seen_lines, copies, range(2)):
            for path, contexts in files.items():
                for line, names in contexts.items():
                    # Whatever Hypothesis calls is its own "test_function": the second run has these.
                    tests = [f"tests/{name.replace('.', '.py::')}" for name in names if OF_A_TEST.match(name)]
                    seen[path][int(line)] += tests
                    lines.update(tests)
    for by_line in seen.values():
        for tests in by_line.values():
            tests.sort(key=lines.__getitem__)
    return seen


def first_failure(copy: Path, tests: list[str]) -> str:
    """The test that fails, or nothing."""
    try:
        ran = command(copy, "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests)
    except subprocess.TimeoutExpired:
        return "hangs"
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", ran.stdout, re.MULTILINE)
    return failed[1] if failed else "" if ran.returncode in (0, 5) else f"status {ran.returncode}"


def tests_at(by_line: Mapping[int, list[str]], line: int) -> list[str]:
    """Those that come by the line or, of defaults and constants, which imports read, the next one below it."""
    return next((by_line[number] for number in sorted(by_line) if number >= line and by_line[number]), [])


def caught_by(copies: Queue[Path], seen: Seen, fault: Fault) -> str:
    """What fails with this fault, which is taken back."""
    copy = copies.get()
    path = copy / fault.path
    whole = path.read_bytes()
    path.write_bytes(whole[: fault.start] + fault.after.encode() + whole[fault.end :])
    try:
        tests, named = tests_at(seen.get(fault.path, {}), fault.line), tests_that_name(fault)
        return (tests and first_failure(copy, tests)) or (named and first_failure(copy, named)) or ""
    finally:
        path.write_bytes(whole)
        copies.put(copy)


def copied(folder: Path) -> Path:
    """A copy of what git knows of this checkout."""
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files"], capture_output=True, text=True, check=True)
    for name in listed.stdout.splitlines():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    return folder


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--number", type=int, default=100)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    faults = drawn(options.number, options.seed)
    if options.list:
        print("\n".join(f"{fault.line:4} {fault.kind:10} {fault.name}" for fault in faults))
        return
    judged = tomllib.loads((Path(__file__).parent / "mutations.toml").read_text(encoding="utf-8"))
    rows = []
    with TemporaryDirectory() as folder, ThreadPoolExecutor(AT_ONCE) as pool:
        copies, free = [copied(Path(folder) / str(number)) for number in range(AT_ONCE)], Queue[Path]()
        seen = tests_by_line(copies)
        for copy in copies:
            free.put(copy)
        for fault, test in zip(faults, pool.map(partial(caught_by, free, seen), faults), strict=True):
            verdict = f"`{test}`" if test else judged.get(fault.name, "**survives**, not judged")
            rows.append((fault, bool(test), verdict))
            print(f"{len(rows):4} {fault.line:4} {fault.name}: {verdict}", flush=True)
    if options.write:
        RESULTS.write_text(table(rows, options.seed), encoding="utf-8")


def table(rows: list[tuple[Fault, bool, str]], seed: int) -> str:
    """The committed page."""
    caught = sum(found for _, found, _ in rows)
    equivalent = sum(verdict.startswith("equivalent") for _, _, verdict in rows)
    lines = [
        f"# {len(rows)} faults of seed {seed}",
        "",
        f"`python benchmarks/mutations.py --write` on {machine('numpy', 'scipy', 'scikit-learn')}. "
        f"The fast tests catch {caught}, {equivalent} change no answer: "
        f"of those that matter {caught / (len(rows) - equivalent):.0%}.",
        "",
        "| line | kind | fault | fails, or why nothing does |",
        "| --- | --- | --- | --- |",
    ]
    for fault, _, verdict in rows:
        changed = fault.name.replace("|", "\\|").replace("`", "'")
        lines.append(f"| {fault.line} | {fault.kind} | `{changed}` | {verdict} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
