"""Files of scores: labels, scores and frequencies by column name, with errors that name value and place.

Values are converted here, one by one, so that the error for an invalid value can name its line or row, its column and
the text there: pandas, Polars and pyarrow name at best the value.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from skcostci._arrays import LARGEST_EXACT, Floats, Integers
from skcostci._options import Label, WeightType
from skcostci._validation._rows import UnitOptions, check_any_weights, check_frequency_weights
from skcostci.cases._cases import Cases
from skcostci.cli._columns import Block, csv_blocks, listed, parquet_block
from skcostci.cli._decoding import ScoreFileError, called, check_encoding, check_name
from skcostci.reports._classes import ClassCases
from skcostci.statistics._compare import MOST_MODELS

PARQUET = (".parquet", ".pq")
THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}([.,]\d{3})+")
MISSING = ("", "na", "n/a", "nan", "null")


class ScoreFile(NamedTuple):
    """The contents of a file: all cases, those of each subgroup if a column names them, the number of rows left out."""

    cases: Any
    subgroups: dict[str, Any] | None
    dropped: int


class ColumnNames(NamedTuple):
    """The names of the columns to be read, by their role."""

    y_true: str
    scores: Sequence[str]
    weight: str | None = None
    by: str | None = None
    group: str | None = None
    weight_type: WeightType = "counts"
    predicted: bool = False  # the columns contain classes, of any number, rather than scores


def read_scores(
    path: str,
    roles: ColumnNames,
    *,
    pos_label: str | None = None,
    drop_missing: bool = False,
    encoding: str | None = None,
) -> ScoreFile:
    """Read columns of a CSV or Parquet file, with every value checked individually.

    Groups and subgroups are named as written: "007" and "7" are different. Only labels are converted to numbers; of
    predicted labels there may be any number.
    """
    wanted = _read(path, roles, drop_missing, encoding)
    cases, code = wanted.cases(pos_label)
    return ScoreFile(cases, None if roles.by is None else _subgroups(wanted, cases, code), wanted.dropped)


def _read(path: str, roles: ColumnNames, drop_missing: bool, encoding: str | None) -> _Reading:
    """All rows, block by block."""
    check_name(path)
    check_encoding(encoding)
    wanted = _Reading(called(path), roles)
    with _explained(path):
        for block in _blocks(path, wanted.names, encoding):
            wanted.take(block, drop_missing=drop_missing)
    return wanted


def _subgroups(wanted: _Reading, cases: Any, code: Integers) -> dict[str, Any]:
    """The cases of each subgroup; names that are numbers come first, in numerical order, then texts."""
    known, column = wanted.subgroups.labels, f"{wanted.path}, column {wanted.roles.by!r}"
    rows = {known[i]: code == i for i in np.unique(code).tolist()}
    present = sorted(rows, key=_in_order)
    if len(present) < 2:
        raise ScoreFileError(f"{column}: there is only one subgroup, {present[0]!r}.")
    return {name: cases.part(rows[name]) for name in present}


def _in_order(name: str) -> tuple[float, str]:
    """A sort key: numbers in order, then texts."""
    try:
        return _number(name), name
    except ValueError:
        return math.inf, name


class _Reading:
    """The named columns, and their values read so far."""

    def __init__(self, path: str, roles: ColumnNames) -> None:
        self.path, self.roles = path, roles
        self.classes = Numbered(as_label) if roles.predicted else Numbered(as_label, 2, "a third class")
        self.subgroups = Numbered(as_name, MOST_MODELS, f"one subgroup more than {MOST_MODELS}")
        columns: list[tuple[str | None, Callable[[object], object], object]] = [
            (roles.y_true, self.classes.__getitem__, np.int64),
            *((name, *self._judged) for name in roles.scores),
            (roles.weight, as_frequency if roles.weight_type == "counts" else as_weight, np.float64),
            (roles.group, Numbered(as_name).__getitem__, np.int64),
            (roles.by, self.subgroups.__getitem__, np.int64),
        ]
        self.columns = [(name, convert, dtype) for name, convert, dtype in columns if name is not None]
        self.parts: list[list[Any]] = [[] for _ in self.columns]
        whole = roles.weight if roles.weight_type == "counts" else None
        self.decimals = {name: Decimals(name != whole) for name, _, dtype in self.columns if dtype is np.float64}
        self.long: dict[tuple[str, float], Decimal] = {}
        self.dropped = 0

    @property
    def _judged(self) -> tuple[Callable[[Any], Any], Any]:
        """The conversion of scores or predictions, and their type."""
        return (self.classes.__getitem__, np.int64) if self.roles.predicted else (as_score, np.float64)

    @property
    def names(self) -> list[str]:
        """The names of the columns, each once."""
        return list(dict.fromkeys(name for name, *_ in self.columns))

    def take(self, block: Block, *, drop_missing: bool) -> None:
        """Check and keep some rows."""
        if drop_missing:
            block, dropped = block.without(is_missing)
            self.dropped += dropped
        for part, (name, convert, dtype) in zip(self.parts, self.columns, strict=True):
            numbers = self._with_points(block, name) if dtype is np.float64 and block.decimal_commas else block
            part.append(_each(self.path, numbers, name, convert, dtype))
            if convert is as_score:
                self._check_distinct(numbers, name)

    def _check_distinct(self, block: Block, name: str) -> None:
        """Raise for long decimals that are different but equal in float64."""
        for index, value in enumerate(block.columns[name]):
            if isinstance(value, str) and len(value) > (24 if "e" in value.lower() else 19):
                exact, number = Decimal(value.strip()), float(value)
                if self.long.setdefault((name, number), exact) != exact:
                    raise ScoreFileError(
                        f"{self.path}, {block.where(index)}, column {name!r}: {value!r} differs from an earlier score "
                        "only in digits that float64 cannot represent; round the scores, or pass ranks."
                    )

    def _with_points(self, block: Block, name: str) -> Block:
        """A column's decimals written with points; a mix of points and commas is an error."""
        values, decimals = block.columns[name], self.decimals[name]
        for index, value in enumerate(values):
            if value.count(",") + value.count(".") > 1:
                raise ScoreFileError(
                    f"{self.path}, {block.where(index)}, column {name!r}: {value!r} has separators of thousands, or is "
                    "not a number; write numbers without separators."
                )
            if not decimals.take(value, lambda index=index: block.where(index)):  # type: ignore[misc]
                written = "comma" if "," in value else "point"
                raise ScoreFileError(
                    f"{self.path}, {block.where(index)}, column {name!r}: {value!r} has a decimal {written}, unlike "
                    "earlier numbers."
                )
        if decimals.mark != ",":
            return block
        return block._replace(columns={**block.columns, name: [value.replace(",", ".", 1) for value in values]})

    def _check_decimals(self) -> None:
        """Raise for possible separators of thousands, unless other numbers show that the file has decimal commas."""
        has_commas = any(each.mark == "," and each.is_clear for each in self.decimals.values())
        for name, each in self.decimals.items():
            is_known = has_commas and each.is_fraction if each.mark == "," else not has_commas
            if each.doubtful is not None and not each.is_clear and not is_known:
                where, value = each.doubtful
                whole, part = value.strip().split(each.mark, 1)
                raise ScoreFileError(
                    f"{self.path}, {where}, column {name!r}: {value!r} may be {whole}.{part} or {whole}{part}; write "
                    "decimals with a point, and no separator of thousands."
                )

    def cases(self, pos_label: str | None) -> tuple[Any, Integers]:
        """The cases; and for each row the position of its subgroup among all names of subgroups."""
        self._check_some()
        self._check_decimals()
        roles = self.roles
        code, *columns = map(np.concatenate, self.parts)
        scored = dict(zip(roles.scores, columns, strict=False))
        sample = self._sample(columns[len(roles.scores) :])
        weights = sample["sample_weight"]
        kept = slice(None) if weights is None else np.asarray(weights) > 0
        parts = np.zeros_like(code) if roles.by is None else columns[-1][kept]
        if roles.predicted:
            labels = np.array([*self.classes.labels, None], dtype=object)[:-1]  # numpy would make numbers texts
            predicted = {name: labels[column].tolist() for name, column in scored.items()}
            return ClassCases.check(labels[code].tolist(), predicted, **sample), parts
        column = f"{self.path}, column {roles.y_true!r}"
        both, positive = _classes(column, self.classes.labels, pos_label)
        cases = Cases.check(code == positive, scored, both_classes=False, **sample)
        return replace(cases, labels=both), parts

    def _sample(self, columns: Sequence[Any]) -> UnitOptions:
        """Weights and groups, from the columns after scores or predictions."""
        roles = self.roles
        of_type = roles.weight, roles.weight_type
        weights = None if roles.weight is None else _check_total(self.path, *of_type, columns[0])
        kept = slice(None) if weights is None else weights > 0
        members = None if roles.group is None else columns[weights is not None]
        if members is not None and len(np.unique(members[kept])) < 2:
            raise ScoreFileError(f"{self.path}, column {roles.group!r}: there is only one group.")
        return {"sample_weight": weights, "weight_type": roles.weight_type, "groups": members}

    def _check_some(self) -> None:
        """Check that there are rows."""
        if not sum(map(len, self.parts[0])):
            what = "row without a missing value" if self.dropped else "row"
            raise ScoreFileError(f"{self.path}: there is a header but no {what}.")


class BadValueError(Exception):
    """The reason why a value cannot be used."""


class Decimals:
    """The decimal mark of the numbers of a column, and whether it may be a separator of thousands.

    "1,234" is ambiguous; "0,5" and "12,34" can only be decimals. Frequencies are no fractions (``is_fraction``), so
    that decimal commas elsewhere in a file do not resolve theirs.
    """

    def __init__(self, is_fraction: bool) -> None:
        self.is_fraction = is_fraction
        self.mark, self.is_clear = "", False
        self.doubtful: tuple[str, str] | None = None

    def take(self, value: str, where: Callable[[], str]) -> bool:
        """Record a number; returns False if it has the other mark."""
        mark = "," if "," in value else "." if "." in value else ""
        if not mark or (self.is_clear and mark == self.mark):
            return True
        self.mark = self.mark or mark
        if THOUSANDS.fullmatch(value.strip()) is None:
            self.is_clear = True
        elif self.doubtful is None:
            self.doubtful = where(), value
        return mark == self.mark


class Numbered(dict[Label, int]):
    """Maps a value to the number of its label: 0, 1, ... in order of first appearance."""

    def __init__(self, read: Callable[[Any], Any], most: float = math.inf, beyond: str = "") -> None:
        super().__init__()
        self.known: dict[Label, int] = {}
        self.read, self.most, self.beyond = read, most, beyond

    @property
    def labels(self) -> list[Any]:
        """The labels so far, in order of first appearance."""
        return list(self.known)

    def __missing__(self, value: object) -> int:
        label = self.read(value)
        if label not in self.known and len(self.known) == self.most:
            raise BadValueError(f"{label!r} is {self.beyond}, besides {listed(self.labels)}.")
        self[value] = self.known.setdefault(label, len(self.known))
        return self[value]


def as_name(value: object) -> str:
    """A group or a subgroup, as written."""
    return _text(value, "group")


def as_label(value: object) -> Any:
    """A label as it is compared: "1.0" is 1 and "true" is True, whatever the type of file."""
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
    """A number as read by Python, but without underscores, which are only for programs."""
    if isinstance(value, str) and "_" in value:
        raise ValueError(value)
    return float(value)


def as_score(value: object) -> float:
    """A finite number."""
    try:
        number = _number(value)
    except (TypeError, ValueError):
        _text(value, "score")
        comma = (
            " (where commas separate columns, decimals have a point)" if isinstance(value, str) and "," in value else ""
        )
        raise BadValueError(f"{value!r} is not a number{comma}.") from None
    if not math.isfinite(number):
        _text(value, "score")
        raise BadValueError(f"{value!r} is not finite.")
    if abs(number) >= LARGEST_EXACT and "e" not in str(value).lower() and Decimal(str(value).strip()) != number:
        raise BadValueError(f"{value!r} has more digits than float64 can represent; pass ranks instead.")
    return number


def as_frequency(value: object) -> float:
    """A whole number that is not negative."""
    number = as_score(value)
    if number < 0 or not number.is_integer():
        raise BadValueError(
            f"{value!r} is not a frequency (a whole number of 0 or more). Are these --weight-type importance?"
        )
    return number


def as_weight(value: object) -> float:
    """A number that is not negative."""
    number = as_score(value)
    if number < 0:
        raise BadValueError(f"{value!r} is not a weight (a number of 0 or more).")
    return number


def _text(value: object, kind: str) -> str:
    """The text of a value that is not missing."""
    if is_missing(value):
        raise BadValueError(f"the {kind} is missing (--drop-missing leaves such rows out).")
    return str(value).strip()


def is_missing(value: object) -> bool:
    """Whether a value is empty, or a text that stands for a missing value."""
    return value is None or str(value).strip().lower() in MISSING


def _each(path: str, block: Block, name: str, convert: Callable[[Any], Any], dtype: Any) -> Any:
    """Convert a column; many numbers at once, and one by one if that fails."""
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


def _check_total(path: str, name: str | None, weight_type: WeightType, weights: Floats) -> Floats:
    """Check that weights do not add up to 0, and frequencies not to too many cases."""
    try:
        (check_frequency_weights if weight_type == "counts" else check_any_weights)(weights)
    except ValueError as error:
        raise ScoreFileError(f"{path}, column {name!r}: {str(error).removeprefix('sample_weight ')}") from None
    return weights


def _classes(column: str, labels: Sequence[object], pos_label: str | None) -> tuple[tuple[Label, Label], int]:
    """The classes, the negative first, and which label is positive: ``pos_label``, or 1 of {0, 1} or {-1, 1}.

    If only one class occurs, the other is 0 or 1 if it must be, or is named after the class that occurs.
    """
    if pos_label is not None:
        try:
            positive = labels.index(as_label(pos_label))
        except (BadValueError, ValueError):
            raise ScoreFileError(f"{column}: --pos-label {pos_label!r} is not among {listed(labels)}.") from None
        other = labels[1 - positive] if len(labels) == 2 else f"not {labels[positive]}"
        return _comparable(other, labels[positive]), positive
    if not (set(labels) <= {0, 1} or set(labels) <= {-1, 1}):
        raise ScoreFileError(f"{column}: which label is positive, {' or '.join(map(repr, labels))}? Pass --pos-label.")
    negative = next((label for label in labels if label != 1), 0)
    positive = labels.index(1) if 1 in labels else -1
    return _comparable(negative, labels[positive] if 1 in labels else 1), positive


def _comparable(negative: object, positive: object) -> tuple[Label, Label]:
    """Two labels, converted to one type."""
    mixed = isinstance(negative, str) != isinstance(positive, str)
    return (str(negative), str(positive)) if mixed else (negative, positive)


def _blocks(path: str, names: Sequence[str], encoding: str | None) -> Iterator[Block]:
    """The rows, in blocks."""
    if Path(path).suffix.lower() not in PARQUET:
        return csv_blocks(path, names, encoding)
    if encoding is not None:
        raise ScoreFileError(f"{path}: --encoding is for text files, not for Parquet; leave it out.")
    return parquet_block(path, names)


@contextmanager
def _explained(path: str) -> Iterator[None]:
    """Report in one line why a file cannot be opened."""
    path = called(path)
    try:
        yield
    except FileNotFoundError:
        raise ScoreFileError(f"{path}: no such file.") from None
    except IsADirectoryError:
        raise ScoreFileError(f"{path}: this is a directory, not a file of scores.") from None
    except OSError as error:
        raise ScoreFileError(f"{path}: cannot be read ({error.strerror or error}).") from None
