"""The command line: judge the scores of one model, or compare those of two."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import NoReturn

import numpy as np

from skcostci import __version__, cost_minimizing_thresholds
from skcostci.cases._cases import Cases
from skcostci.cli._columns import ScoreFileError
from skcostci.cli._files import read_scores
from skcostci.cli._inquiry import Inquiry, Model, Question
from skcostci.cli._picture import FORMATS, draw_report
from skcostci.cli._report import report_on
from skcostci.cli._text import report_json, report_lines

PICTURE = "skcostci-demo.png"
INTRODUCTION = """\
Wisconsin breast cancer data (from scikit-learn). Two models were fitted on one
half, from the texture and the smoothness of cell nuclei alone, and are judged
on the other; their thresholds were chosen on the first, by cross-validation.
Suppose that one woman in ten has cancer, and that missing it costs as much as
five false alarms.

PC(+) weighs a missed cancer against a false alarm: prevalence times the cost of
a miss, over that plus the rest times the cost of an alarm. Perfect costs 0;
treating nobody as positive costs PC(+), everybody 1 - PC(+).
"""
EXAMPLE = """\
example:
  python -m skcostci compare scores.csv --y-true outcome --score model_a --score model_b \\
      --cost-fn 5 --cost-fp 1 --prevalence 0.1 --output report.png
"""


class Parser(argparse.ArgumentParser):
    """A parser that says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        """Exit with status 2."""
        self.exit(2, f"{self.prog}: error: {' '.join(message.split())}\n")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # names may hold what a terminal cannot show
    parser = _parser()
    options = parser.parse_args((sys.argv[1:] if arguments is None else arguments) or ["--help"])
    try:
        _write("\n".join(options.run(options)))
    except UsageError as error:
        parser.exit(2, f"{parser.prog} {options.command}: error: {' '.join(str(error).split())}\n")


def _write(report: str) -> None:
    """Print, unless nobody reads or there is no room."""
    try:
        print(report, flush=True)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is still buffered goes nowhere
        if not isinstance(error, BrokenPipeError):  # whoever was reading has seen enough
            raise UsageError(f"the report cannot be written ({error.strerror or error}).") from None


class UsageError(Exception):
    """What was asked for cannot be done, and why, in one line."""


def _parser() -> Parser:
    name = "python -m skcostci" if Path(sys.argv[0]).name == "__main__.py" else None
    parser = Parser(
        prog=name,
        description="How sure are you of a model's AUC, sensitivity and cost, and where is one model cheaper than "
        "another? Exact bootstrap intervals in closed form, without resampling.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="command", dest="command")
    demo = commands.add_parser("demo", help=f"compare two models on a clinical data set; writes {PICTURE}")
    demo.set_defaults(run=_demo)
    compare = commands.add_parser(
        "compare",
        help="judge one model, or compare two, whose scores are in a file",
        description="Judge one model, or compare two, on labels and scores in a CSV or Parquet file.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _add_data(compare)
    _add_question(compare)
    compare.set_defaults(run=_compare)
    return parser


def _add_data(compare: argparse.ArgumentParser) -> None:
    """The options that say where the data are and where the report goes."""
    add = compare.add_argument
    add("file", help="CSV (separated by commas, semicolons or tabs, with a header) or, named .parquet, Parquet")
    add("--y-true", required=True, metavar="COLUMN", help="the labels, of two classes")
    add(
        "--score",
        required=True,
        action="append",
        metavar="COLUMN",
        help="a model's scores, higher meaning more positive; give it twice to compare two models, first - second",
    )
    add("--pos-label", metavar="LABEL", help="the positive label; needed unless the labels are 0/1, -1/1 or false/true")
    add("--weight", metavar="COLUMN", help="how many cases each row stands for, whole numbers")
    add("--output", metavar="PICTURE", help=f"draw the report too: {', '.join(FORMATS)}")
    add("--overwrite", action="store_true", help="replace the picture if there is one")
    add("--json", action="store_true", help="print the numbers as JSON instead of a table")


def _add_question(compare: argparse.ArgumentParser) -> None:
    """The options that say what is asked of the models."""
    asked = Question()
    add = partial(compare.add_argument, type=float, metavar="NUMBER")
    add("--cost-fn", default=asked.cost_fn, help="what a missed positive costs (default: %(default)g)")
    add("--cost-fp", default=asked.cost_fp, help="what a false alarm costs (default: %(default)g)")
    add("--prevalence", help="the share of positives where the model will be used (default: that of the file)")
    add(
        "--specificity", action="append", help="report the sensitivity at this one; may be repeated (default: 0.9 0.95)"
    )
    add("--confidence-level", default=asked.confidence_level, help="of all intervals (default: %(default)g)")


def _compare(options: argparse.Namespace) -> list[str]:
    """Report on scores in a file."""
    question = Question(
        options.confidence_level,
        tuple(options.specificity or Question.specificity),
        options.prevalence,
        options.cost_fn,
        options.cost_fp,
    )
    try:
        question.check()
        _check_output(options.output, options.overwrite)
        _check_scores(options.score)
        cases = read_scores(
            options.file,
            y_true=options.y_true,
            scores=options.score,
            weight=options.weight,
            pos_label=options.pos_label,
        )
    except (ValueError, ScoreFileError) as error:
        raise UsageError(error) from None
    models = [Model(name) for name in options.score]
    return _answer(Inquiry((options.file, options.y_true), cases, models, question), options)


def _answer(asked: Inquiry, options: argparse.Namespace) -> list[str]:
    """Compute once, draw if asked to, and write."""
    report = report_on(asked)
    if options.output is not None:
        try:
            draw_report(options.output, asked)
        except OSError as error:
            raise UsageError(f"--output {options.output}: cannot be written ({error.strerror or error}).") from None
    if options.json:
        return [report_json(report)]
    return [*report_lines(report), *([] if options.output is None else ["", f"Picture: {options.output}"])]


def _check_output(output: str | None, overwrite: bool) -> None:
    """Refuse a picture that could not be saved, before anything is computed."""
    if output is None:
        return
    path = Path(output)
    if path.suffix.lower() not in FORMATS:
        raise UsageError(f"--output must end in {', '.join(FORMATS)}, got {output!r}.")
    if not path.parent.is_dir():
        raise UsageError(f"--output {output}: there is no folder {str(path.parent)!r}.")
    if path.exists() and not overwrite:
        raise UsageError(f"--output {output}: there is such a file; pass --overwrite to replace it.")


def _check_scores(scores: Sequence[str]) -> None:
    """One model or two."""
    if len(scores) > 2:
        raise UsageError(f"--score can be given once or twice, got {len(scores)} columns.")
    if len(set(scores)) < len(scores):
        raise UsageError(f"--score {scores[0]} was given twice; a comparison needs two columns.")


def _demo(options: argparse.Namespace) -> list[str]:
    """Report on the embedded example."""
    options.output, options.json = PICTURE, False
    cases, models = _demo_models()
    asked = Inquiry(("Held-out half", "diagnosis"), cases, models, Question(prevalence=0.1, cost_fn=5))
    return [INTRODUCTION, *_answer(asked, options)]


def _demo_models() -> tuple[Cases, list[Model]]:
    """The held-out half, scored by two models that were fitted on the other half."""
    from sklearn.datasets import load_breast_cancer
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_val_predict, train_test_split

    X, y = load_breast_cancer(return_X_y=True)
    X_fit, X_test, y_fit, y_test = train_test_split(X[:, [1, 4]], 1 - y, test_size=0.5, stratify=y, random_state=0)
    estimators = {
        "Logistic regression": LogisticRegression(C=1e4),
        "Random forest": RandomForestClassifier(100, min_samples_leaf=5, random_state=0),
    }
    models, scores = [], {}
    for name, estimator in estimators.items():
        unseen = cross_val_predict(estimator, X_fit, y_fit, method="predict_proba")[:, 1]
        scores[name] = estimator.fit(X_fit, y_fit).predict_proba(X_test)[:, 1]
        models.append(Model(name, partial(cost_minimizing_thresholds, y_fit, unseen)))
    return Cases.check(np.array(["benign", "malignant"])[y_test], scores, pos_label="malignant"), models
