"""The command line for predicted classes, of any number: the classification report, with intervals."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from datetime import UTC, datetime

from skcostci import __version__
from skcostci.cli._decoding import ScoreFileError, UsageError, called
from skcostci.cli._files import ColumnNames, read_predictions
from skcostci.cli._output import check_output, is_page, save_content
from skcostci.reports._class_report import ClassReport, class_report

OF_SCORES = ("pos_label", "by", "prevalence", "specificity", "metric", "metric_threshold")
COSTS = ("cost_fn", "cost_fp")


def report_on_classes(options: argparse.Namespace) -> list[str]:
    """Read the labels and predictions; the lines of the report, also written as a page where a file is named."""
    _check(options)
    columns = ColumnNames(
        options.y_true, options.predicted, options.weight, None, options.group, options.weight_type, predicted=True
    )
    try:
        found = read_predictions(options.file, columns, drop_missing=options.drop_missing, encoding=options.encoding)
        report = class_report(found.labels, found.predicted, options.confidence_level, **found.sample)
    except (TypeError, ValueError) as error:
        raise UsageError(error) from None
    if options.output is not None:
        save_content(options.output, report.to_html().encode(), options.overwrite)
    if options.json:
        return [json.dumps({**_origin(options, found.dropped), **report.to_dict()}, indent=2, allow_nan=False)]
    return list(_lines(report, options, found.dropped))


def _check(options: argparse.Namespace) -> None:
    """Raise for options that are for scores only, and for columns with two roles."""
    given = [name for name in OF_SCORES if getattr(options, name) is not None]
    given += [name for name in COSTS if getattr(options, name) != 1]
    if options.score is not None:
        raise UsageError("--score and --predicted cannot be combined: pass one of them, once for each model.")
    if given:
        raise UsageError(f"--{given[0].replace('_', '-')} is for --score; leave it out with --predicted.")
    columns = [options.y_true, *options.predicted, options.weight, options.group]
    named = [column for column in columns if column is not None]
    if twice := [column for place, column in enumerate(named) if column in named[:place]]:
        raise UsageError(
            f"column {twice[0]} was given twice; each column has one role (labels, a model, weights or groups)."
        )
    if options.output is not None:
        check_output(options.output, options.overwrite, options.file)
        if not is_page(options.output):
            raise ScoreFileError(f"--output must end in .html with --predicted, got {options.output!r}.")


def _origin(options: argparse.Namespace, dropped: int) -> dict[str, object]:
    """The source of the numbers."""
    made = {"version": __version__, "date": datetime.now(UTC).date().isoformat(), "call": options.command_line}
    return {"made": made, "source": called(options.file), "y_true": options.y_true, "n_rows_dropped": dropped}


def _lines(report: ClassReport, options: argparse.Namespace, dropped: int) -> Iterator[str]:
    """The report, and which rows were left out and where it was saved."""
    first, *rest = repr(report).splitlines()
    yield f"{called(options.file)}: {first.removeprefix('Report: ')} ({options.y_true})"
    if dropped:
        yield f"{dropped} row{'s' if dropped > 1 else ''} with missing values left out."
    yield from rest
    if options.output is not None:
        yield from ("", f"Report: {options.output}")
