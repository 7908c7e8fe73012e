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
from contextlib import contextmanager
from decimal import Decimal
from functools import cache, partial
from importlib import import_module
from io import BytesIO, StringIO, TextIOWrapper
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from skcostci._options import Label, did_you_mean

MISSING = ("", "na", "n/a", "nan", "null")
DELIMITERS = ",;\t|"
STATED = re.compile(r'(\s*)"?sep=([^"\r\n])"?(?=[\r\n]|$)', re.IGNORECASE)  # a first line that Excel reads and writes
MARK = re.compile("[,.]")
THOUSANDS = re.compile(r"\s*([+-]?[1-9]\d{0,2})[.,](\d{3})\s*")  # 1,234 may be 1.234 or 1234
UTF = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
NO_TEXT = "save a workbook as CSV, unpack an archive, or pass its --encoding, such as cp1252 (Windows) or utf-16-le"
csv.field_size_limit(2**31 - 1)  # characters; the default limit is 131,072

Rows = list[tuple[int, Sequence[Any]]]  # the number of the line, or row, where each begins, and its values


class FileTable(NamedTuple):
    """The wanted columns, and where each row begins; decimals may have commas unless these separate columns."""

    path: str
    columns: Mapping[str, Sequence[Any]]
    unit: str
    places: Sequence[int]
    decimal_commas: bool
    n_dropped: int

    def error(self, name: str, value: object, reason: object) -> ValueError:
        """What is wrong with a value, and where it first stands."""
        place = self.places[self.columns[name].index(value)]
        return ValueError(f"{self.path}, {self.unit} {place}, column {name!r}: {reason}")

    def read(self, name: str, convert: Callable[[Any], Any]) -> list[Any]:
        """A column converted, each distinct value once."""
        known, found = cache(convert), []
        for value in self.columns[name]:
            try:
                found.append(known(value))
            except (TypeError, ValueError) as error:
                # A list, as Parquet may contain, cannot be looked up.
                reason = error if isinstance(error, ValueError) else f"{value!r} is neither a number nor a text."
                raise self.error(name, value, reason) from None
        return found

    def with_decimal_points(self, names: Sequence[str], whole: str | None) -> FileTable:
        """The same numbers written with points; a mix of marks, or one that may separate thousands, is an error.

        "1,234" is ambiguous unless "0,5" or "12,34" show how the file writes decimals; in ``whole``, counts, always.
        """
        if not self.decimal_commas:
            return self
        marked = {name: list(filter(MARK.search, self.columns[name])) for name in names}
        has_commas = any("," in each and not THOUSANDS.fullmatch(each) for each in chain(*marked.values()))
        for name, values in marked.items():
            doubtful = all(map(THOUSANDS.fullmatch, values))
            for value in values:
                if len(MARK.findall(value)) > 1:
                    reason = "has separators of thousands, or is not a number; write numbers without separators"
                    raise self.error(name, value, f"{value!r} {reason}.")
                if ("," in value) != ("," in values[0]):
                    written = "comma" if "," in value else "point"
                    raise self.error(name, value, f"{value!r} has a decimal {written}, unlike earlier numbers.")
                if doubtful and (("," in value) != has_commas or ("," in value and name == whole)):
                    way_out = "write decimals with a point, and no separator of thousands"
                    may_be = THOUSANDS.sub(r"\1.\2 or \1\2", value)
                    raise self.error(name, value, f"{value!r} may be {may_be}; {way_out}.")
        points = {name: [value.replace(",", ".") for value in self.columns[name]] for name in names}
        return self._replace(columns={**self.columns, **points})


@contextmanager
def accessed(path: str, how: str) -> Iterator[None]:
    """Raise what the system says of a file as an error of one line."""
    try:
        yield
    except OSError as error:
        raise ValueError(f"{path}: cannot be {how} ({error.strerror or error}).") from None
    except ValueError:  # a NUL, or a lone surrogate
        raise ValueError(f"{path!r} cannot be the name of a file.") from None


def read_table(path: str, names: Sequence[str], encoding: str | None, *, drop_missing: bool) -> FileTable:
    """Some columns of a file, or of standard input."""
    called = "standard input" if path == "-" else path
    is_parquet = Path(path).suffix.lower() in (".parquet", ".pq")
    if is_parquet and encoding is not None:
        raise ValueError(f"{path}: --encoding is for text files, not for Parquet; leave it out.")
    if path == "-" and sys.stdin is None:
        raise ValueError("standard input: there is none.")
    with accessed(called, "read"):
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    rows, mark = _parquet(path, names) if is_parquet else _csv(called, _text(called, data, encoding), names)
    kept = [each for each in rows if not any(map(is_missing, each[1]))] if drop_missing else rows
    if not kept:
        what = "row without a missing value" if rows else "row"
        raise ValueError(f"{called}: there is a header but no {what}.")
    places, values = zip(*kept, strict=True)
    columns = dict(zip(names, zip(*values, strict=True), strict=True))
    return FileTable(called, columns, "row" if is_parquet else "line", places, mark != ",", len(rows) - len(kept))


def _text(path: str, data: bytes, encoding: str | None) -> str:
    """The text, by a byte order mark, else in the stated encoding, else in UTF-8.

    Nothing is guessed: with a wrong guess a file might be read without an error, but with wrong letters in names.
    """
    try:
        data = gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data
        marked = next((UTF[mark] for mark in UTF if data.startswith(mark)), None)
        text = TextIOWrapper(BytesIO(data), encoding=marked or encoding or "utf-8", newline="").read()
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ValueError(f"{path}: the gzip data are damaged ({error}).") from None
    except UnicodeError:
        text = "\0"
    except (LookupError, ValueError):
        known = "such as utf-8, cp1252 or utf-16"
        raise ValueError(f"--encoding must name an encoding, {known}, got {encoding!r}.") from None
    if "\0" in text:
        raise ValueError(f"{path}: this is not {encoding or 'UTF-8'} text; {NO_TEXT}.")
    return text


def _csv(path: str, text: str, names: Sequence[str]) -> tuple[Rows, str]:
    """The named columns, and what separates them."""
    stated = STATED.match(text)
    if stated and stated[2] not in DELIMITERS:
        wanted = f"columns must be separated by one of {listed(DELIMITERS)}, got 'sep={stated[2]}'"
        raise ValueError(f"{path}, line 1: {wanted}.")
    text = stated[1] + text[stated.end() :] if stated else text
    first = re.search(r"\S[^\r\n]*", text)
    if first is None:
        raise ValueError(f"{path}: the file is empty.")
    read = partial(csv.reader, skipinitialspace=True)
    headers = {each: next(read([first[0]], delimiter=each)) for each in (stated[2] if stated else DELIMITERS)}
    found = {each: set(names) <= {name.strip() for name in header} for each, header in headers.items()}
    delimiter = max(headers, key=lambda each: (found[each], len(headers[each])))
    rows: Rows = []
    places: list[int] = []
    line = 1
    reader = read(StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        for row in reader:
            begin, line = line, reader.line_num + 1  # quoted fields may contain line breaks
            if len(row) < 2 and not "".join(row).strip():
                continue
            if not places:
                places, width = _places(path, [name.strip() for name in row], names), len(row)
            elif len(row) != width:
                raise ValueError(f"{path}, line {begin}: {len(row)} field(s) where the header has {width}.")
            else:
                rows.append((begin, [row[place] for place in places]))
    except csv.Error as error:
        raise ValueError(f"{path}, line {max(reader.line_num, 1)}: this is not CSV ({error}).") from None
    return rows, delimiter


def _places(path: str, header: Sequence[str], names: Sequence[str]) -> list[int]:
    for name in names:
        if not header.count(name):
            raise ValueError(f"{path}: there is no column {name!r}, only {listed(header)}.{did_you_mean(name, header)}")
        if header.count(name) > 1:
            raise ValueError(f"{path}: {header.count(name)} columns are named {name!r}.")
    return [header.index(name) for name in names]


def _parquet(path: str, names: Sequence[str]) -> tuple[Rows, str]:
    # Polars would take "*" in a file name for a pattern.
    for backend, as_named in (("polars", {"glob": False}), ("pandas", {})):
        try:
            import narwhals.stable.v2 as nw

            frame = nw.scan_parquet(path, backend=import_module(backend), **as_named)
            header = list(map(str, frame.collect_schema()))
            rows = frame.select(name for name in names if name in header).collect().rows()
        except ImportError:
            continue
        except Exception as error:
            # Each reader has its own errors.
            reason = (str(error).strip() or type(error).__name__).splitlines()[0]
            raise ValueError(f"{path}: this is not Parquet that can be read ({reason}).") from None
        _places(path, header, names)
        return list(enumerate(rows, 1)), ","
    raise ValueError(f"{path}: Parquet needs Polars, or pandas with pyarrow: python -m pip install polars narwhals")


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
    except (ArithmeticError, ValueError):
        return text
    if not math.isfinite(number) or "_" in text:
        return text
    if exact == exact.to_integral_value():
        return int(exact)
    return number if Decimal(repr(number)) == exact else text


def as_score(value: Any, read: dict[float, str]) -> float:
    """A finite number; raises if one ``read`` before in the column differs only in digits that float64 lacks."""
    text = as_name(value, "score")
    try:
        # Underscores are for programs: Python would read 1_000 as a number.
        number = float("" if "_" in text else value)
    except (TypeError, ValueError):
        comma = " (where commas separate columns, decimals have a point)" if "," in text else ""
        raise ValueError(f"{value!r} is not a number{comma}.") from None
    if not math.isfinite(number):
        raise ValueError(f"{value!r} is not finite.")
    other = read.setdefault(number, text)
    if other != text and Decimal(other) != Decimal(text):
        lost = f"differs from {other!r} only in digits that float64 cannot represent; round the scores, or pass ranks"
        raise ValueError(f"{value!r} {lost}.")
    return number


def as_weight(value: object, *, whole: bool) -> float:
    """A number that is not negative; a ``whole`` one if weights are numbers of cases."""
    number = as_score(value, {})
    if number < 0 or (whole and not number.is_integer()):
        kind = "frequency (a whole number of 0 or more). Are these --weight-type importance?"
        raise ValueError(f"{value!r} is not a {kind if whole else 'weight (a number of 0 or more).'}")
    return number
