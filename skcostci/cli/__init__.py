"""The command line: a report on the scores of one model or several in a file; its options are those of ``report``."""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from inspect import signature
from io import TextIOWrapper
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NoReturn, get_args

import numpy as np

from skcostci import __version__, report
from skcostci._options import Label, WeightType, visible
from skcostci.cli._table import FileTable, accessed, as_label, as_name, as_score, as_weight, listed, read_table
from skcostci.reports._blocks import FORMATS, drawn, pictures
from skcostci.reports._inquiry import Origin
from skcostci.reports._report import Report

PAGES = (".html", ".htm")
PICTURE = "skcostci-demo.png"
ABOUT = """\
How sure are you of a model's AUC, sensitivity and cost, and where is one model
cheaper than another? Intervals from bootstrap distributions in closed form,
without resampling."""
EXAMPLES = """\
examples:
  python -m skcostci compare scores.csv --y-true outcome --score model_a
  python -m skcostci compare scores.csv --y-true outcome --score model_a \\
      --score model_b --metrics roc_auc cost --cost-fn 5 --output report.html
"""
INTRODUCTION = """\
Wisconsin breast cancer data (from scikit-learn). Two models were fitted on one
half, from the texture and the smoothness of cell nuclei alone, and are judged
on the other. Suppose that one woman in ten has cancer, and that missing it
costs as much as five false alarms.
"""


def threshold(text: str) -> tuple[str, float]:
    """A threshold, after the name of a model and an equals sign if it is for that model alone."""
    name, _, number = text.rpartition("=")
    return name, float(number)


Settings = dict[str, Any]  # of an argument, or of a parser
COLUMN: Settings = {"metavar": "COLUMN"}
NUMBER: Settings = {"metavar": "NUMBER", "type": float}
SEVERAL: Settings = {"nargs": "+", "action": "extend"}
OPTIONS = {  # of ``report``, and what they mean for files
    "metrics": (SEVERAL | {"metavar": "NAME"}, "cost, mean, sensitivity_at_specificity:0.9, ..."),
    "thresholds": (SEVERAL | NUMBER | {"type": threshold}, "positive from here; or a=0.3 b=0.5"),
    "confidence_level": (NUMBER, "of all intervals"),
    "by": (COLUMN, "compare one model in these subgroups"),
    "groups": (COLUMN, "cases that belong together (a patient's)"),
    "sample_weight": (COLUMN, "how many cases each row stands for"),
    "weight_type": ({"choices": get_args(WeightType)}, "of cases, or how much each counts"),
    "pos_label": ({"metavar": "LABEL"}, "the positive label, if not 1 or true"),
    "prevalence": (NUMBER, "of positives in use (default: the file's)"),
    "cost_fn": (NUMBER, "what a missed positive costs"),
    "cost_fp": (NUMBER, "what a false alarm costs"),
}


def one_line(message: object) -> str:
    """A message without line breaks, with long values cut short."""
    return visible(" ".join(re.sub(r"(\S{100})\S{100,}", r"\1...", word) for word in str(message).split()))


class Parser(argparse.ArgumentParser):
    """A parser whose error messages are one line, and whose help cannot be lost on a full disk unnoticed."""

    def error(self, message: str) -> NoReturn:
        """Exit with status 2."""
        self.exit(2, f"{self.prog}: error: {one_line(message)}\n")

    def print_help(self, _: object = None) -> None:
        """Write to standard output."""
        _write(self.format_help())


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # Names may contain characters that a terminal cannot show, which would be an error.
            stream.reconfigure(errors="backslashreplace")
    given = (sys.argv[1:] if arguments is None else arguments) or ["--help"]
    parser = _parser()
    try:
        with warnings.catch_warnings():
            # Python's own would write names in the file unescaped.
            warnings.showwarning = _show_warning
            options = parser.parse_args(given)
            options.call = shlex.join(["python", "-m", "skcostci", *given])
            _write(options.run(options) + "\n")
    except (TypeError, ValueError) as error:
        parser.exit(2, f"{parser.prog} {given[0]}: error: {one_line(error)}\n")


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    """Print a warning in one line; a closed stream is no reason to stop."""
    with suppress(OSError):
        print(f"warning: {one_line(message)}", file=sys.stderr)


def _write(text: str) -> None:
    """Print; a closed pipe is ignored, and a full disk is an error."""
    try:
        print(visible(text), end="", flush=True)
    except OSError as error:
        # Discards the buffered rest, which Python would try to write once more when it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):  # the reader of a pipe may stop early
            raise ValueError(f"the output cannot be written ({error.strerror or error}).") from None


def _parser() -> Parser:
    name = "python -m skcostci" if Path(sys.argv[0]).name == "__main__.py" else None
    layout = partial(argparse.RawDescriptionHelpFormatter, max_help_position=30, width=80)
    shared: Settings = {"epilog": EXAMPLES, "formatter_class": layout}
    parser = Parser(prog=name, description=ABOUT, **shared)
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="command", dest="command")
    about = f"compare two models of breast cancer on held-out cases; writes {PICTURE}"
    demo = commands.add_parser("demo", help=about, description=about, **shared)
    demo.set_defaults(run=_demo, output=PICTURE, json=False)
    about = "judge one model, or compare several, or one in subgroups, by scores in a file"
    usage = "%(prog)s FILE [--y-true COLUMN] --score COLUMN [...]"
    compare = commands.add_parser("compare", help=about, description=about, usage=usage, **shared)
    compare.set_defaults(run=_compare)
    add = compare.add_argument
    add("file", metavar="FILE", help="CSV with a header, or .parquet; - is CSV from stdin")
    add("--encoding", metavar="NAME", help="of the CSV, such as cp1252 (default: utf-8)")
    add("--y-true", metavar="COLUMN", help="the labels, of two classes or more; not for mean")
    add("--score", required=True, action="append", metavar="COLUMN", help="a model's scores or classes; may repeat")
    add("--drop-missing", action="store_true", help="leave out rows with a missing value")
    add("--output", metavar="FILE", help=f"save a picture ({', '.join(FORMATS)}) or a page (.html)")
    add("--json", action="store_true", help="print the numbers as JSON")
    for name, (kind, meaning) in OPTIONS.items():
        default = signature(report).parameters[name].default
        said = f" (default: {' '.join(default) if isinstance(default, tuple) else default})"
        add(_option(name), help=meaning + said * (default is not None), default=argparse.SUPPRESS, **kind)
    for command in (demo, compare):
        command.add_argument("--overwrite", action="store_true", help="replace the file if there is one")
    return parser


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _compare(options: argparse.Namespace) -> str:
    stated = {name: getattr(options, name) for name in OPTIONS if name in options}
    columns = {name: column for name, column in stated.items() if OPTIONS[name][0] is COLUMN}
    used: dict[str, str] = {}
    truths = {} if options.y_true is None else {"y_true": options.y_true}
    if bool(truths) == ({*stated.get("metrics", ())} == {"mean"}):
        raise ValueError("--y-true is needed for all metrics but mean, which is of values alone and must not have it.")
    for name, column in [*truths.items(), *columns.items(), *(("score", each) for each in options.score)]:
        # A model that is the label column would be perfect.
        if column in used:
            raise ValueError(f"{_option(name)} {column} is already the column of {used[column]}; pass another.")
        used[column] = _option(name)
    if options.output is not None:
        _check_output(options.output, options.overwrite, options.file)
    table = read_table(options.file, list(used), options.encoding, drop_missing=options.drop_missing)
    truth, scores = _read(table, options.y_true or "", options.score, stated, columns)  # also fills stated
    if "thresholds" in stated:
        cuts = dict(stated["thresholds"])  # a number without a model's name has the name ""
        stated["thresholds"] = cuts if any(cuts) else [number for _, number in stated["thresholds"]]
    origin = Origin(table.path, options.y_true, options.call, columns.get("by"), table.n_dropped)
    return _answer(report(truth, scores, **stated), origin, options)


def _read(
    table: FileTable, y_true: str, models: Sequence[str], stated: dict[str, Any], columns: Mapping[str, str]
) -> tuple[Any, dict[str, Any]]:
    """The labels, and the scores (of three classes or more the predicted ones); ``stated`` gets the other columns."""
    truth = table.read(y_true, as_label) if y_true else []
    kind: Callable[[object], Label] = str if any(isinstance(each, str) for each in truth) else as_label
    truth = list(map(kind, truth))
    classes = list(dict.fromkeys(truth))
    weight, counted = columns.get("sample_weight"), stated.get("weight_type") != "importance"
    scored = models if len(classes) < 3 else ()
    table = table.with_decimal_points([*scored, *filter(None, [weight])], weight if counted else None)
    scores = {name: table.read(name, partial(as_score, read={})) for name in scored} or {  # read: of this column
        name: list(map(kind, table.read(name, as_label))) for name in models
    }
    # Columns whose values are mostly no labels are scores: then the truth has a third label by mistake.
    for name, labels in () if scored else scores.items():
        if 2 * len(set(labels).difference(classes)) > len(set(labels)):
            third = f"{classes[2]!r} is a third class, besides {listed(classes[:2])}, and {name!r} has no classes."
            raise table.error(y_true, table.columns[y_true][truth.index(classes[2])], third)
    as_number = partial(as_weight, whole=counted)
    for name, column in columns.items():
        stated[name] = table.read(column, as_number if column == weight else as_name)
    for name in {"by", "groups"}.intersection(columns):
        numbers = table.read(columns[name], as_label)
        # Subgroups and groups are sorted, as numbers if they are written as numbers are printed: 9.5 is before 10.
        if not any(isinstance(each, str) for each in numbers) and [*map(str, numbers)] == stated[name]:
            stated[name] = np.array(numbers, dtype=object)
    if "pos_label" in stated:
        label = kind(as_label(stated["pos_label"]))
        stated["pos_label"] = next((each for each in classes if each == label), label)  # 1 may be true in the file
    return truth or None, scores


def _answer(made: Report, origin: Origin, options: argparse.Namespace) -> str:
    """Name the source of the report, save it if an option requests it, and write it."""
    made = replace(made, inquiry=replace(made.inquiry, origin=origin))
    saved = ""
    if options.output is not None:
        suffix = Path(options.output).suffix.lower()
        page = suffix in PAGES
        _save(options.output, made.to_html().encode() if page else drawn(pictures(made), suffix[1:]), options.overwrite)
        saved = f"\n\n{'Report' if page else 'Picture'}: {options.output}"
    return json.dumps(made.to_dict(), indent=2, allow_nan=False) if options.json else f"{made}{saved}"


def _check_output(output: str, overwrite: bool, source: str = "") -> None:
    """Raise for a name under which nothing can be saved, before anything is computed."""
    folder = Path(output).parent
    if Path(output).suffix.lower() not in (*FORMATS, *PAGES):
        raise ValueError(f"--output must end in {', '.join((*FORMATS, *PAGES))}, got {output!r}.")
    if not folder.is_dir():
        raise ValueError(f"{output}: there is no folder {str(folder)!r}.")
    with accessed(output, "written"):
        target = os.path.realpath(output)  # where a link points, as by open()
        with suppress(FileNotFoundError):
            # It is no folder and writable; without O_NONBLOCK a pipe that nobody reads would be waited for.
            os.close(os.open(target, os.O_WRONLY | getattr(os, "O_NONBLOCK", 0)))
    with suppress(OSError, AttributeError):
        if os.path.samefile(target, sys.stdin.fileno() if source == "-" else source):
            raise ValueError(f"{output}: this is the file of the scores, which a report must not replace.")
    if os.path.exists(target) and not overwrite:
        raise ValueError(f"{output}: this file exists; pass --overwrite to replace it.")


def _save(output: str, content: bytes, overwrite: bool) -> None:
    """Write to a temporary file and rename it: a full disk leaves an existing file intact."""
    # Renaming onto a link would replace the link, not the file that it points to.
    target = os.path.realpath(output)
    beside = partial(TemporaryDirectory, prefix=".skcostci-", ignore_cleanup_errors=True)
    with accessed(output, "written"), beside(dir=os.path.dirname(target)) as folder:
        written = Path(folder, "report")
        with written.open("wb") as file:
            file.write(content)
            # A full disk may only be noticed when the data leave the buffers.
            file.flush()
            os.fsync(file.fileno())
        if os.path.exists(target):
            # The file may have appeared while the report was computed.
            if not overwrite:
                raise FileExistsError("File exists")
            # A new file has default permissions; those of the replaced one are kept.
            shutil.copymode(target, written)
        os.replace(written, target)


def _demo(options: argparse.Namespace) -> str:
    _check_output(PICTURE, options.overwrite)
    return INTRODUCTION + "\n" + _answer(_demo_report(), Origin("Held-out half", "diagnosis", options.call), options)


def _demo_report() -> Report:
    """The report on two models that were fitted on the other half of the cases."""
    # Only the demo fits models: imported here they do not delay other commands.
    from sklearn.datasets import load_breast_cancer
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import train_test_split

    X, y = load_breast_cancer(return_X_y=True)
    X, y = X[:, [1, 4]], np.array(["malignant", "benign"])[y]
    X_fit, X_test, y_fit, y_test = train_test_split(X, y, test_size=0.5, stratify=y, random_state=0)
    forest = RandomForestClassifier(100, min_samples_leaf=5, random_state=0)
    models = {"Logistic regression": LogisticRegression(C=1e4), "Random forest": forest}
    is_ill = y_fit == "malignant"
    scores = {name: each.fit(X_fit, is_ill).predict_proba(X_test)[:, 1] for name, each in models.items()}
    words = ("roc_auc", "sensitivity_at_specificity:0.9", "sensitivity_at_specificity:0.95", "cost")
    return report(y_test, scores, metrics=words, pos_label="malignant", prevalence=0.1, cost_fn=5)
