"""Tables of labels and scores in CSV and Parquet files, as written; what cannot be read is named by line and column.

CSV is read with the standard library: the command line then needs no further package for it, every digit is read as by
Python, and errors have the line of a row, which no reader of frames keeps.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import math
import re
import sys
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from importlib import import_module
from io import BytesIO, StringIO, TextIOWrapper
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from skcostci._options import Label, did_you_mean

MISSING = ("", "na", "n/a", "nan", "null")
DELIMITERS = (",", ";", "\t", "|")
STATED = re.compile(r'\s*"?sep=([^"\r\n])"?(?=[\r\n]|$)', re.IGNORECASE)  # a first line that Excel reads and writes
THOUSANDS = re.compile(r"\s*[+-]?[1-9]\d{0,2}([.,]\d{3})+\s*")
MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
NO_TEXT = "save a workbook as CSV, unpack an archive, or pass its --encoding, such as cp1252 (Windows) or utf-16-le"
csv.field_size_limit(2**31 - 1)  # characters; the default limit is 131,072


class UsageError(Exception):
    """A request that cannot be fulfilled, with the reason in one line."""


class FileTable(NamedTuple):
    """The wanted columns of a file, and where each row begins; decimals may have commas if nothing else has."""

    path: str
    columns: Mapping[str, Sequence[Any]]
    unit: str
    places: Sequence[int]
    decimal_commas: bool
    n_dropped: int

    def error(self, index: int, name: str, reason: object) -> UsageError:
        """What is wrong with a value, and where it stands."""
        return UsageError(f"{self.path}, {self.unit} {self.places[index]}, column {name!r}: {reason}")

    def read(self, name: str, convert: Callable[[Any], Any]) -> list[Any]:
        """A column converted, each distinct value once."""
        known: dict[object, Any] = {}
        for index, value in enumerate(self.columns[name]):
            try:
                if value not in known:
                    known[value] = convert(value)
            except (TypeError, ValueError) as error:
                # A list, as Parquet may contain, cannot be looked up.
                reason = error if isinstance(error, ValueError) else f"{value!r} is neither a number nor a text."
                raise self.error(index, name, reason) from None
        return [known[value] for value in self.columns[name]]

    def with_decimal_points(self, fractions: Sequence[str], counts: Sequence[str]) -> FileTable:
        """The same numbers written with points; a mix of marks, or one that may separate thousands, is an error.

        "1,234" is ambiguous; "0,5" and "12,34" can only be decimals, and show how the file writes fractions.
        """
        if not self.decimal_commas:
            return self
        marks, doubtful = {}, {}
        for name in (*fractions, *counts):
            marked = [(index, value) for index, value in enumerate(self.columns[name]) if re.search("[,.]", value)]
            marks[name] = "," if marked and "," in marked[0][1] else "."
            for index, value in marked:
                if len(re.findall("[,.]", value)) > 1:
                    reason = "has separators of thousands, or is not a number; write numbers without separators"
                    raise self.error(index, name, f"{value!r} {reason}.")
                if marks[name] not in value:
                    written = "comma" if "," in value else "point"
                    raise self.error(index, name, f"{value!r} has a decimal {written}, unlike earlier numbers.")
            if marked and all(THOUSANDS.fullmatch(value) for _, value in marked):
                doubtful[name] = marked[0]
        has_commas = any(mark == "," for name, mark in marks.items() if name not in doubtful)
        for name, (index, value) in doubtful.items():
            if (name in counts or not has_commas) if marks[name] == "," else has_commas:
                whole, part = value.strip().split(marks[name])
                way_out = "write decimals with a point, and no separator of thousands"
                raise self.error(index, name, f"{value!r} may be {whole}.{part} or {whole}{part}; {way_out}.")
        points = {name: [value.replace(",", ".") for value in self.columns[name]] for name in marks}
        return self._replace(columns={**self.columns, **points})


def read_table(path: str, names: Sequence[str], encoding: str | None, *, drop_missing: bool) -> FileTable:
    """Some columns of a file, or of standard input."""
    called = "standard input" if path == "-" else path
    is_parquet = Path(path).suffix.lower() in (".parquet", ".pq")
    if is_parquet and encoding is not None:
        raise UsageError(f"{path}: --encoding is for text files, not for Parquet; leave it out.")
    if path == "-" and sys.stdin is None:
        raise UsageError("standard input: there is none.")
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as error:
        raise UsageError(f"{called}: cannot be read ({error.strerror or error}).") from None
    except ValueError:  # a NUL, or a lone surrogate
        raise UsageError(f"{path!r} cannot be the name of a file.") from None
    found = _parquet(path, names) if is_parquet else _csv(called, _text(called, data, encoding), names)
    rows, unit, decimal_commas = found
    kept = [each for each in rows if not any(map(is_missing, each[1]))] if drop_missing else rows
    if not kept:
        what = "row without a missing value" if rows else "row"
        raise UsageError(f"{called}: there is a header but no {what}.")
    places, values = zip(*kept, strict=True)
    columns = dict(zip(names, zip(*values, strict=True), strict=True))
    return FileTable(called, columns, unit, places, decimal_commas, len(rows) - len(kept))


def _text(path: str, data: bytes, encoding: str | None) -> str:
    """The text, by a byte order mark, else in the stated encoding, else in UTF-8.

    Nothing is guessed: with a wrong guess a file might be read without an error, but with wrong letters in names.
    """
    try:
        data = gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data
        marked = next((MARKS[mark] for mark in MARKS if data.startswith(mark)), None)
        text = TextIOWrapper(BytesIO(data), encoding=marked or encoding or "utf-8", newline="").read()
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise UsageError(f"{path}: the gzip data are damaged ({error}).") from None
    except UnicodeError:
        text = "\0"
    except (LookupError, ValueError):
        known = "such as utf-8, cp1252 or utf-16"
        raise UsageError(f"--encoding must name an encoding, {known}, got {encoding!r}.") from None
    if "\0" in text:
        raise UsageError(f"{path}: this is not {encoding or 'UTF-8'} text; {NO_TEXT}.")
    return text


Rows = list[tuple[int, Sequence[Any]]]  # the number of the line, or row, where each begins, and its values


def _csv(path: str, text: str, names: Sequence[str]) -> tuple[Rows, str, bool]:
    """The named columns, the unit of their places, and whether commas may mark decimals."""
    stated = STATED.match(text)
    first = re.search(r"\S[^\r\n]*", text[stated.end() :] if stated else text)
    if first is None:
        raise UsageError(f"{path}: the file is empty.")
    delimiter = stated[1] if stated else max(DELIMITERS, key=lambda each: _fit(first[0], each, names))
    if delimiter not in DELIMITERS:
        wanted = f"columns must be separated by one of {listed(DELIMITERS)}, got 'sep={delimiter}'"
        raise UsageError(f"{path}, line 1: {wanted}.")
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True, strict=True)
    rows: Rows = []
    try:
        _, header = next(islice(filled := _filled(reader), stated is not None, None))
        places = _places(path, [name.strip() for name in header], names)
        for line, row in filled:
            if len(row) != len(header):
                raise UsageError(f"{path}, line {line}: {len(row)} field(s) where the header has {len(header)}.")
            rows.append((line, [row[place] for place in places]))
    except csv.Error as error:
        raise UsageError(f"{path}, line {max(reader.line_num, 1)}: this is not CSV ({error}).") from None
    return rows, "line", delimiter != ","


def _filled(reader: Any) -> Iterator[tuple[int, list[str]]]:
    """Rows that are not blank, and the lines where they begin: quoted fields may contain line breaks."""
    line = 1
    for row in reader:
        if len(row) > 1 or (row and row[0].strip()):
            yield line, row
        line = reader.line_num + 1


def _fit(header: str, delimiter: str, names: Sequence[str]) -> tuple[bool, int]:
    """Whether a delimiter yields the named columns, and the number of columns."""
    columns = [name.strip() for name in next(csv.reader([header], delimiter=delimiter, skipinitialspace=True))]
    return set(names) <= set(columns), len(columns)


def _places(path: str, header: Sequence[str], names: Sequence[str]) -> list[int]:
    for name in names:
        if name not in header:
            only = f"only {listed(header)}.{did_you_mean(name, header)}"
            raise UsageError(f"{path}: there is no column {name!r}, {only}")
        if header.count(name) > 1:
            raise UsageError(f"{path}: {header.count(name)} columns are named {name!r}.")
    return [header.index(name) for name in names]


def _parquet(path: str, names: Sequence[str]) -> tuple[Rows, str, bool]:
    # Polars would take "*" in a file name for a pattern.
    for backend, as_named in (("polars", {"glob": False}), ("pandas", {})):
        try:
            import narwhals.stable.v2 as nw

            frame = nw.scan_parquet(path, backend=import_module(backend), **as_named)
            _places(path, list(map(str, frame.collect_schema())), names)
            return list(enumerate(frame.select(*names).collect().rows(), 1)), "row", False
        except UsageError:
            raise
        except ImportError:
            continue
        except Exception as error:
            # Each reader has its own errors.
            reason = (str(error).strip() or type(error).__name__).splitlines()[0]
            raise UsageError(f"{path}: this is not Parquet that can be read ({reason}).") from None
    raise UsageError(f"{path}: Parquet needs Polars, or pandas with pyarrow: python -m pip install polars narwhals")


def listed(names: Sequence[object]) -> str:
    """Names or labels for a message, at most a few of them."""
    first = ", ".join(map(repr, names[:20]))
    return f"{first}, ... ({len(names)} in all)" if len(names) > 20 else first


def is_missing(value: object) -> bool:
    """Whether a value is empty, or a text that stands for a missing value."""
    return value is None or str(value).strip().lower() in MISSING


def as_name(value: object, kind: str = "group") -> str:
    """A text as written: the groups "007" and "7" are different."""
    if is_missing(value):
        raise ValueError(f"the {kind} is missing (--drop-missing leaves such rows out).")
    return str(value).strip()


def as_label(value: object) -> Label:
    """A label as it is compared: "1.0" is 1 and "true" is True, whatever the type of file."""
    text = as_name(value, "label")
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    try:
        # With all digits: long ids that float64 would round to the same number stay different labels.
        exact = Decimal(text)
        number = float(exact)
    except ArithmeticError:
        return text
    if not math.isfinite(number) or "_" in text:
        return text
    if exact == exact.to_integral_value():
        return int(exact)
    return number if Decimal(repr(number)) == exact else text


def as_score(value: Any, read: dict[float, str] | None = None) -> float:
    """A finite number; of those ``read`` before in the column none differs from it in digits that float64 lacks."""
    text = as_name(value, "score")
    try:
        # Underscores are for programs: Python would read 1_000 as a number.
        number = float("" if "_" in text else value)
    except (TypeError, ValueError):
        comma = " (where commas separate columns, decimals have a point)" if "," in text else ""
        raise ValueError(f"{value!r} is not a number{comma}.") from None
    if not math.isfinite(number):
        raise ValueError(f"{value!r} is not finite.")
    other = text if read is None else read.setdefault(number, text)
    if other != text and Decimal(other) != Decimal(text):
        lost = f"differs from {other!r} only in digits that float64 cannot represent; round the scores, or pass ranks"
        raise ValueError(f"{value!r} {lost}.")
    return number


def as_weight(value: object, *, whole: bool) -> float:
    """A number that is not negative; of cases a ``whole`` one."""
    number = as_score(value)
    if number < 0 or (whole and not number.is_integer()):
        kind = "frequency (a whole number of 0 or more). Are these --weight-type importance?"
        raise ValueError(f"{value!r} is not a {kind if whole else 'weight (a number of 0 or more).'}")
    return number
