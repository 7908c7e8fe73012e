"""The command line: evaluate the scores of one model, or compare several models, or one in subgroups."""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import sys
import warnings
from collections.abc import Sequence
from contextlib import redirect_stdout, suppress
from functools import partial
from io import StringIO, TextIOWrapper
from pathlib import Path
from typing import NoReturn

import numpy as np

from skcostci import __version__, cost_minimizing_thresholds
from skcostci._options import WEIGHT_TYPES, visible
from skcostci._validation._arguments import FINITE
from skcostci.cases._cases import Cases
from skcostci.cli._decoding import ScoreFileError, UsageError, called
from skcostci.cli._files import ColumnNames, read_scores
from skcostci.cli._output import check_output, is_page, save
from skcostci.reports._inquiry import Cut, Inquiry, Model, Origin, ReportOptions, Subgroups
from skcostci.reports._report import report_on
from skcostci.reports._statistics import needs_threshold, requested_points
from skcostci.reports._text import FORMATS, report_lines
from skcostci.statistics._compare import MOST_MODELS

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
EXAMPLES = """\
examples:
  python -m skcostci compare scores.csv --y-true outcome --score model_a
  python -m skcostci compare scores.csv --y-true outcome --score model_a \\
      --score model_b --cost-fn 5 --prevalence 0.1 --output report.html
"""
DEMO_EXAMPLES = """\
examples:
  python -m skcostci demo
  python -m skcostci demo --overwrite
"""
SPECIFICITIES = (0.9, 0.95)
OF_SCORES = ("pos_label", "prevalence", "specificity", "metric_threshold")  # options that predicted labels lack


def one_line(message: str) -> str:
    """A message without line breaks, with long values cut short."""
    return visible(" ".join(re.sub(r"(\S{100})\S{100,}", r"\1...", word) for word in message.split()))


class Parser(argparse.ArgumentParser):
    """A parser whose error messages are one line."""

    def error(self, message: str) -> NoReturn:
        """Exit with status 2."""
        self.exit(2, f"{self.prog}: error: {one_line(message)}\n")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # names may contain characters that a terminal cannot show
    given = (sys.argv[1:] if arguments is None else arguments) or ["--help"]
    parser = _parser()
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning  # Python's would write names in the file unescaped
            options = _options(parser, given)
            options.command_line = shlex.join(["python", "-m", "skcostci", *given])
            _write("\n".join(options.run(options)) + "\n")
    except (UsageError, ScoreFileError) as error:
        parser.exit(2, f"{parser.prog} {given[0]}: error: {one_line(str(error))}\n")


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    """Print a warning in one line; a closed stream is no reason to stop."""
    with suppress(OSError):
        print(f"warning: {one_line(str(message))}", file=sys.stderr)


def _options(parser: Parser, given: Sequence[str]) -> argparse.Namespace:
    """The parsed options of the command; help is printed here, since argparse ignores a full disk."""
    helped = StringIO()
    try:
        with redirect_stdout(helped):
            return parser.parse_args(given)
    except SystemExit:
        _write(helped.getvalue())
        raise


def _write(text: str) -> None:
    """Print; a closed pipe is ignored, and a full disk is an error."""
    try:
        print(visible(text), end="", flush=True)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # discards the buffered rest
        if not isinstance(error, BrokenPipeError):  # the reader of a pipe may stop early
            raise UsageError(f"the output cannot be written ({error.strerror or error}).") from None


def _parser() -> Parser:
    name = "python -m skcostci" if Path(sys.argv[0]).name == "__main__.py" else None
    parser = Parser(
        prog=name,
        description="How sure are you of a model's AUC, sensitivity and cost, and where is one model\n"
        "cheaper than another? Intervals from bootstrap distributions in closed form,\nwithout resampling.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="command", dest="command")
    demo = commands.add_parser(
        "demo",
        help=f"compare two models on a clinical data set; writes {PICTURE}",
        description=f"Compare two models of breast cancer on held-out cases; writes\n{PICTURE} where you are.",
        epilog=DEMO_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _add_overwrite(demo)
    demo.set_defaults(run=_demo)
    compare = commands.add_parser(
        "compare",
        help="judge one model, or compare several, whose scores are in a file",
        usage="%(prog)s FILE --y-true COLUMN --score COLUMN [options]",
        description="Judge one model, or compare several, or one in subgroups, by scores in a file.",
        epilog=EXAMPLES,
        formatter_class=partial(argparse.RawDescriptionHelpFormatter, max_help_position=26, width=80),
    )
    _add_data(compare)
    _add_question(compare)
    compare.set_defaults(run=_compare)
    return parser


def _add_data(compare: argparse.ArgumentParser) -> None:
    """The options for the data and for saving the report."""
    add = compare.add_argument
    add("file", metavar="FILE", help="CSV with a header, or .parquet; - reads CSV from stdin")
    add("--encoding", metavar="NAME", help="of the CSV, such as cp1252 (default: utf-8)")
    add("--y-true", required=True, metavar="COLUMN", help="the labels, of two classes")
    add("--score", action="append", metavar="COLUMN", help="a model's scores; again for each model")
    add("--predicted", action="append", metavar="COLUMN", help="or the classes it predicts, two or more of them")
    add("--pos-label", metavar="LABEL", help="the positive label, if not 1 or true")
    add("--group", metavar="COLUMN", help="cases that belong together (a patient's)")
    add("--by", metavar="COLUMN", help="compare one model in these subgroups")
    add("--weight", metavar="COLUMN", help="how many cases each row stands for")
    kinds = "weights are counts of cases, or say how much each case counts (default: %(default)s)"
    add("--weight-type", choices=WEIGHT_TYPES, default=WEIGHT_TYPES[0], help=kinds)
    add("--drop-missing", action="store_true", help="leave out rows with a missing value")
    add("--output", metavar="FILE", help=f"save a picture ({', '.join(FORMATS)}) or a page (.html)")
    _add_overwrite(compare)
    add("--json", action="store_true", help="print the numbers as JSON")


def _add_overwrite(command: argparse.ArgumentParser) -> None:
    """The option that allows an existing file to be replaced, wherever something is saved."""
    command.add_argument("--overwrite", action="store_true", help="replace that file if there is one")


def _add_question(compare: argparse.ArgumentParser) -> None:
    """The options of the report."""
    defaults = ReportOptions(())
    add = partial(compare.add_argument, type=float, metavar="NUMBER")
    add("--cost-fn", default=defaults.cost_fn, help="what a missed positive costs (default: %(default)g)")
    add("--cost-fp", default=defaults.cost_fp, help="what a false alarm costs (default: %(default)g)")
    add("--prevalence", help="of positives in use (default: the file's)")
    add("--specificity", action="append", help="give the sensitivity here; again for more")
    add("--metric", action="append", type=str, metavar="NAME", help="f1, ppv, brier, auc:0.1, ...: again for more")
    add("--metric-threshold", action="append", help="labels are positive from this score")
    add("--confidence-level", default=defaults.confidence_level, help="of all intervals (default: %(default)g)")


def _compare(options: argparse.Namespace) -> list[str]:
    """Report on scores in a file, or on classes predicted by models."""
    if options.weight_type == "importance" and options.weight is None:
        raise UsageError("--weight-type importance needs --weight, the column of the weights.")
    if options.score is None and options.predicted is None:
        raise UsageError(
            "pass --score, the column of a model's scores, or --predicted, the column of its predicted classes."
        )
    columns = options.score or options.predicted
    condition = options.prevalence, options.cost_fn, options.cost_fp
    try:
        if options.predicted is None:
            question = ReportOptions(_words(options), _thresholds(options), options.confidence_level, *condition)
            requested_points(question)
        else:
            _refuse_with_predicted(options)
            question = ReportOptions(options.metric or (), (), options.confidence_level)
            list(map(needs_threshold, question.metrics))
        if options.output is not None:
            check_output(options.output, options.overwrite, options.file)
        _check_models(columns, options)
        _check_groups(options.group, options.by)
        _check_columns(columns, options)
        weighed = options.weight, options.by, options.group, options.weight_type, options.predicted is not None
        found = read_scores(
            options.file,
            ColumnNames(options.y_true, columns, *weighed),
            pos_label=options.pos_label,
            drop_missing=options.drop_missing,
            encoding=options.encoding,
        )
    except (TypeError, ValueError) as error:
        raise UsageError(error) from None
    subgroups = None if found.subgroups is None else Subgroups(options.by, found.subgroups)
    origin = Origin(called(options.file), options.y_true, options.command_line, found.dropped)
    return _answer(Inquiry(origin, found.cases, list(map(Model, columns)), question, subgroups), options)


def _refuse_with_predicted(options: argparse.Namespace) -> None:
    """Raise for options that are for scores only."""
    if options.score is not None:
        raise UsageError("--score and --predicted cannot be combined: pass one of them, once for each model.")
    given = [name for name in OF_SCORES if getattr(options, name) is not None]
    given += [name for name in ("cost_fn", "cost_fp") if getattr(options, name) != 1]
    if given:
        raise UsageError(f"--{given[0].replace('_', '-')} is for --score; leave it out with --predicted.")


def _words(options: argparse.Namespace) -> tuple[str, ...]:
    """The metrics; with importance weights without costs, whose thresholds are chosen on the cases."""
    specificities = options.specificity or SPECIFICITIES
    held = tuple(f"sensitivity_at_specificity:{each:.12g}" for each in specificities)
    costs = ("cost",) if options.weight_type == "counts" else ()
    return ("roc_auc", *held, *costs, *(options.metric or ()))


def _thresholds(options: argparse.Namespace) -> tuple[Cut, ...]:
    """One threshold for all models, or one per model."""
    given, models = options.metric_threshold or [], options.score
    of_labels = list(filter(needs_threshold, options.metric or ()))
    if bool(given) != bool(of_labels):
        raise UsageError(
            "--metric and --metric-threshold, the score from which labels are positive, must be given together."
        )
    if not given:
        return ()
    if len(given) not in (1, len(models)):
        raise UsageError(
            f"--metric-threshold must be given once, or once per --score, {len(models)} times, got {len(given)}."
        )
    checked = [FINITE("metric_threshold", threshold) for threshold in given]
    return (dict(zip(models, checked, strict=True)),) if len(checked) == len(models) else (checked[0],)


def _answer(inquiry: Inquiry, options: argparse.Namespace) -> list[str]:
    """Compute the report once, draw it if an option requests it, and write it."""
    try:
        report = report_on(inquiry)
        if options.output is not None:
            save(options.output, report, options.overwrite)
    except (TypeError, ValueError) as error:  # a metric without a value, a report without a picture
        raise UsageError(error) from None
    if options.json:
        return [json.dumps(report.to_dict(), indent=2, allow_nan=False)]
    saved = options.output and f"{'Report' if is_page(options.output) else 'Picture'}: {options.output}"
    return [*report_lines(report), *(["", saved] if saved else [])]


def _check_models(columns: Sequence[str], options: argparse.Namespace) -> None:
    """Check for different models, not too many; with subgroups for a single one."""
    option = "--score" if options.predicted is None else "--predicted"
    if len(columns) > MOST_MODELS:
        raise UsageError(f"{option} can be given up to {MOST_MODELS} times, got {len(columns)} columns.")
    for place, column in enumerate(columns):
        if column in columns[:place]:
            raise UsageError(f"{option} {column} was given twice; a comparison needs different columns.")
    if options.by is not None and len(columns) > 1:
        raise UsageError(f"--by compares subgroups for one model; pass {option} once, got {len(columns)} columns.")


def _check_groups(group: str | None, by: str | None) -> None:
    """Check that groups and subgroups are not combined."""
    if group is not None and by is not None:
        raise UsageError("--group and --by cannot be combined: the cases of a group may be in several subgroups.")


def _check_columns(columns: Sequence[str], options: argparse.Namespace) -> None:
    """Check that no column has two roles: a model that is the label column would be perfect."""
    given = {"--y-true": options.y_true, "--weight": options.weight, "--group": options.group, "--by": options.by}
    used: dict[str, str] = {}
    judged = "--score" if options.predicted is None else "--predicted"
    for option, column in (*given.items(), *((judged, each) for each in columns)):
        if column is not None and used.setdefault(column, option) != option:
            raise UsageError(f"{option} {column} is already the column of {used[column]}; pass another.")


def _demo(options: argparse.Namespace) -> list[str]:
    """Report on the embedded example."""
    options.output, options.json = PICTURE, False
    check_output(PICTURE, options.overwrite)
    cases, models = _demo_models()
    origin = Origin("Held-out half", "diagnosis", options.command_line)
    words = "roc_auc", *(f"sensitivity_at_specificity:{each}" for each in SPECIFICITIES), "cost"
    inquiry = Inquiry(origin, cases, models, ReportOptions(words, prevalence=0.1, cost_fn=5))
    return [INTRODUCTION, *_answer(inquiry, options)]


def _demo_models() -> tuple[Cases, list[Model]]:
    """The held-out half of the example, scored by two models that were fitted on the other half."""
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
