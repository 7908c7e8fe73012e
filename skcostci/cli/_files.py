"""Files of scores: labels, scores and frequencies by column name, with errors that say what stood where.

Values are converted here, by hand, because the error for a value that cannot be used names its line or row, its column
and what was written there: pandas, Polars and pyarrow say at best what they could not convert.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

import numpy as np

from skcostci._arrays import LARGEST_EXACT
from skcostci._validation import Floats, Integers, check_frequency_weights
from skcostci.cases._cases import Cases
from skcostci.cli._columns import Block, ScoreFileError, csv_blocks, listed, parquet_block
from skcostci.statistics._compare import MOST_MODELS

PARQUET = (".parquet", ".pq")
MISSING = ("", "na", "n/a", "nan", "null")


def read_scores(
    path: str, *, y_true: str, scores: Sequence[str], weight: str | None = None, pos_label: str | None = None
) -> Cases:
    """Read columns of a CSV or Parquet file, every value checked where it stands."""
    return _read(path, y_true, scores, weight, pos_label, None)[0]


def read_subgroups(
    path: str, *, y_true: str, scores: Sequence[str], by: str, weight: str | None = None, pos_label: str | None = None
) -> tuple[Cases, dict[str, Cases]]:
    """All cases, and those of each subgroup that a further column names: numbers in order, then texts."""
    cases, code, known = _read(path, y_true, scores, weight, pos_label, by)
    groups = {known[i]: code == i for i in np.unique(code).tolist()}
    column, present = f"{path}, column {by!r}", sorted(groups, key=lambda group: (isinstance(group, str), group))
    if len(present) < 2:
        raise ScoreFileError(f"{column}: there is only one subgroup, {present[0]!r}.")
    parts = {group: cases.part(groups[group]) for group in present}
    for group, part in parts.items():
        if len(set(part.positive)) < 2:
            only = cases.labels[int(part.positive[0])]
            raise ScoreFileError(f"{column}: subgroup {group!r} has cases of one class only, {only!r}.")
    return cases, {str(group): part for group, part in parts.items()}


def _read(
    path: str, y_true: str, scores: Sequence[str], weight: str | None, pos_label: str | None, by: str | None
) -> tuple[Cases, Integers, list[Any]]:
    """The cases; of each row, the place of its subgroup among the labels of all."""
    classes, groups = Classes(), Classes(MOST_MODELS, f"one subgroup more than {MOST_MODELS}")
    wanted: list[tuple[str, Callable[[Any], Any], Any]] = [
        (y_true, classes.__getitem__, np.int64),
        *((name, as_score, np.float64) for name in scores),
        *([] if weight is None else [(weight, as_frequency, np.float64)]),
        *([] if by is None else [(by, groups.__getitem__, np.int64)]),
    ]
    parts: list[list[Any]] = [[] for _ in wanted]
    with _explained(path):
        for block in _blocks(path, list(dict.fromkeys(name for name, *_ in wanted))):
            for part, (name, convert, dtype) in zip(parts, wanted, strict=True):
                part.append(_each(path, block, name, convert, dtype))
    if not parts[0]:
        raise ScoreFileError(f"{path}: there is a header but no row.")
    code, *columns = map(np.concatenate, parts)
    scored = dict(zip(scores, columns, strict=False))
    weights = None if weight is None else _check_total(path, weight, columns[len(scores)])
    kept = slice(None) if weights is None else weights > 0
    positive = _positive_class(f"{path}, column {y_true!r}", classes.labels, code[kept], pos_label)
    cases = Cases.check(code == positive, scored, sample_weight=weights)
    cases = replace(cases, labels=_comparable(classes.labels[1 - positive], classes.labels[positive]))
    return cases, np.zeros_like(code) if by is None else columns[-1][kept], groups.labels


class BadValueError(Exception):
    """Why a value cannot be used."""


class Classes(dict[Any, int]):
    """The class of each value of a column of labels: 0, 1, ..., in the order in which they turn up."""

    def __init__(self, most: int = 2, beyond: str = "a third class") -> None:
        super().__init__()
        self.labels: list[Any] = []
        self.most, self.beyond = most, beyond

    def __missing__(self, value: Any) -> int:
        label = as_label(value)
        if label not in self.labels:
            if len(self.labels) == self.most:
                raise BadValueError(f"{label!r} is {self.beyond}, besides {listed(self.labels)}.")
            self.labels.append(label)
        self[value] = self.labels.index(label)
        return self[value]


def as_label(value: Any) -> Any:
    """A label as it is compared: "1.0" is 1 and "true" is True, whatever the kind of file."""
    text = _text(value, "label")
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    try:
        number, exact = _number(text), Decimal(text)
    except (ValueError, InvalidOperation):
        return text
    if not math.isfinite(number):
        return text
    if exact == exact.to_integral_value():
        return int(exact)
    return number if Decimal(repr(number)) == exact else text


def _number(value: Any) -> float:
    """As Python reads it, but for the underscores that only a program would write."""
    if isinstance(value, str) and "_" in value:
        raise ValueError(value)
    return float(value)


def as_score(value: Any) -> float:
    """A finite number."""
    try:
        number = _number(value)
    except (TypeError, ValueError):
        _text(value, "score")
        comma = " (decimals are written with a point)" if isinstance(value, str) and "," in value else ""
        raise BadValueError(f"{value!r} is not a number{comma}.") from None
    if not math.isfinite(number):
        _text(value, "score")
        raise BadValueError(f"{value!r} is not finite.")
    if abs(number) >= LARGEST_EXACT and "e" not in str(value).lower() and Decimal(str(value).strip()) != number:
        raise BadValueError(f"{value!r} is beyond what float64 holds exactly; pass ranks instead.")
    return number


def as_frequency(value: Any) -> float:
    """A whole number that is not negative."""
    number = as_score(value)
    if number < 0 or not number.is_integer():
        raise BadValueError(f"{value!r} is not a frequency, a whole number from 0.")
    return number


def _text(value: Any, kind: str) -> str:
    """What is written, if something is."""
    text = "" if value is None else str(value).strip()
    if text.lower() in MISSING:
        raise BadValueError(f"the {kind} is missing.")
    return text


def _each(path: str, block: Block, name: str, convert: Callable[[Any], Any], dtype: Any) -> Any:
    """Convert a column; of many numbers at once, and one by one where that fails."""
    values = block.columns[name]
    try:
        if convert is not as_score:
            return np.fromiter(map(convert, values), dtype, len(values))
        numbers = np.fromiter(map(_number, values), dtype, len(values))
        if (np.abs(numbers) < LARGEST_EXACT).all():
            return numbers
    except (BadValueError, TypeError, ValueError):
        pass
    converted = []
    for index, value in enumerate(values):
        try:
            converted.append(convert(value))
        except (BadValueError, TypeError) as error:
            reason = error if isinstance(error, BadValueError) else f"{value!r} is neither a number nor a text."
            raise ScoreFileError(f"{path}, {block.where(index)}, column {name!r}: {reason}") from None
    return np.array(converted, dtype)


def _check_total(path: str, name: str, weights: Floats) -> Floats:
    """Frequencies that add up to some cases, not too many."""
    try:
        check_frequency_weights(weights)
    except ValueError as error:
        raise ScoreFileError(f"{path}, column {name!r}: {str(error).removeprefix('sample_weight ')}") from None
    return weights


def _positive_class(column: str, labels: Sequence[Any], present: Integers, pos_label: str | None) -> int:
    """Which of the two classes is positive: the one asked for, or 1 of {0, 1} or {-1, 1}."""
    found = sorted(set(np.unique(present).tolist()))
    if len(found) < 2:
        raise ScoreFileError(f"{column}: there is only one class, {labels[found[0]]!r}.")
    if pos_label is None:
        if set(labels) not in ({0, 1}, {-1, 1}):
            raise ScoreFileError(f"{column}: which is positive, {' or '.join(map(repr, labels))}? Pass --pos-label.")
        return labels.index(1)
    try:
        return labels.index(as_label(pos_label))
    except (BadValueError, ValueError):
        raise ScoreFileError(f"{column}: --pos-label {pos_label!r} is not among {listed(labels)}.") from None


def _comparable(negative: Any, positive: Any) -> tuple[Any, Any]:
    """Labels of one kind."""
    mixed = isinstance(negative, str) != isinstance(positive, str)
    return (str(negative), str(positive)) if mixed else (negative, positive)


def _blocks(path: str, names: Sequence[str]) -> Iterator[Block]:
    """The rows, some at a time."""
    return parquet_block(path, names) if Path(path).suffix.lower() in PARQUET else csv_blocks(path, names)


@contextmanager
def _explained(path: str) -> Iterator[None]:
    """Say in one line why a file cannot be opened or decoded."""
    try:
        yield
    except FileNotFoundError:
        raise ScoreFileError(f"{path}: no such file.") from None
    except IsADirectoryError:
        raise ScoreFileError(f"{path}: this is a directory, not a file of scores.") from None
    except UnicodeDecodeError:
        raise ScoreFileError(f"{path}: this is not UTF-8 text; a Parquet file must be named .parquet.") from None
    except OSError as error:
        raise ScoreFileError(f"{path}: cannot be read ({error.strerror or error}).") from None
