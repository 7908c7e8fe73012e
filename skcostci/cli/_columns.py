"""Columns of CSV and Parquet files, in blocks of rows, as written in the file.

Parquet is read through narwhals, with Polars or pandas, whichever is installed. CSV is read with the standard library:
the command line then needs no further package for it, every digit is read as by Python, and errors have the line of a
row (with blank lines and quoted line breaks counted), which no reader of frames keeps.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from itertools import chain, islice
from typing import Any, NamedTuple, TextIO

from skcostci._options import Label, did_you_mean
from skcostci.cli._decoding import ScoreFileError, called, text_of

DELIMITERS = (",", ";", "\t", "|")
STATED = re.compile(r'"?sep=(?P<delimiter>[^"])"?', re.IGNORECASE)  # a first line that Excel reads and writes
BLOCK = 4096  # rows at a time: few enough to stay in the cache
LONGEST_FIELD = 2**31 - 1  # characters; the csv module's default limit is 131,072


class Block(NamedTuple):
    """Some rows of the required columns, by name, and the place of each row in the file.

    Decimals may be written with a comma if commas do not separate columns.
    """

    columns: Mapping[str, Sequence[Any]]
    where: Callable[[int], str]
    decimal_commas: bool = False

    def without(self, is_missing: Callable[[Any], bool]) -> tuple[Block, int]:
        """The rows without missing values, and the number of rows with some."""
        kept = [
            row
            for row, values in enumerate(zip(*self.columns.values(), strict=True))
            if not any(map(is_missing, values))
        ]
        dropped = len(next(iter(self.columns.values()))) - len(kept)
        if not dropped:
            return self, 0
        columns = {name: [values[row] for row in kept] for name, values in self.columns.items()}
        return Block(columns, lambda index: self.where(kept[index]), self.decimal_commas), dropped


def listed(names: Sequence[object]) -> str:
    """Names or labels for a message, at most a few of them."""
    first = ", ".join(map(repr, names[:20]))
    return f"{first}, ... ({len(names)} in all)" if len(names) > 20 else first


def csv_blocks(path: str, names: Sequence[str], encoding: str | None) -> Iterator[Block]:
    """The rows of a CSV file."""
    with text_of(path, encoding) as lines, _long_fields():
        path = called(path)
        blank, first, stated = _first_line(path, lines)
        reader = csv.reader(())
        try:
            delimiter = stated or _delimiter(first, names)
            reader = csv.reader(chain([first], lines), delimiter=delimiter, skipinitialspace=True, strict=True)
            header = [name.strip() for name in next(reader)]
            places = _places(path, header, names)
            line = blank + reader.line_num + 1
            while rows := list(islice(reader, BLOCK)):
                yield from _CSVRows(path, rows, line, len(header), delimiter != ",").block(places)
                line = blank + reader.line_num + 1
        except csv.Error as error:
            raise ScoreFileError(
                f"{path}, line {blank + max(reader.line_num, 1)}: this is not CSV ({error})."
            ) from None


@contextmanager
def _long_fields() -> Iterator[None]:
    """Allow fields of any length; the limit, which the whole process shares, is restored."""
    limit = csv.field_size_limit(LONGEST_FIELD)
    try:
        yield
    finally:
        csv.field_size_limit(limit)


def _first_line(path: str, lines: TextIO) -> tuple[int, str, str | None]:
    """The number of lines before the header, the header, and the delimiter if a line before it states one."""
    delimiter = None
    for number, line in enumerate(lines):
        if "\0" in line:
            raise ScoreFileError(f"{path}: this is not text, there are NUL bytes.")
        if delimiter is None and (stated := STATED.fullmatch(line.rstrip("\r\n"))):
            delimiter = stated["delimiter"]
            if delimiter not in DELIMITERS:
                raise ScoreFileError(
                    f"{path}, line {number + 1}: columns must be separated by one of {listed(DELIMITERS)}, got "
                    f"{line.strip()!r}."
                )
        elif line.strip():
            return number, line, delimiter
    raise ScoreFileError(f"{path}: the file is empty.")


def _delimiter(header: str, names: Sequence[str]) -> str:
    """The first delimiter that yields the named columns, or else the most columns."""

    def columns(delimiter: str) -> list[str]:
        return [name.strip() for name in next(csv.reader([header], delimiter=delimiter, skipinitialspace=True))]

    fitting = [delimiter for delimiter in DELIMITERS if set(columns(delimiter)) >= set(names)]
    return fitting[0] if fitting else max(DELIMITERS, key=lambda delimiter: len(columns(delimiter)))


def _places(path: str, header: Sequence[str], names: Sequence[str]) -> dict[str, int]:
    """The positions of the named columns."""
    for name in names:
        if name not in header:
            raise ScoreFileError(
                f"{path}: there is no column {name!r}, only {listed(header)}.{did_you_mean(name, header)}"
            )
        if header.count(name) > 1:
            raise ScoreFileError(f"{path}: {header.count(name)} columns are named {name!r}.")
    return {name: header.index(name) for name in names}


@dataclass(frozen=True)
class _CSVRows:
    """Rows of fields, including blank lines; ``line`` is where the first begins, ``width`` that of the header."""

    path: str
    rows: list[list[str]]
    line: int
    width: int
    decimal_commas: bool

    def block(self, places: Mapping[str, int]) -> Iterator[Block]:
        """The fields of the named columns, if there are any rows."""
        filled = self.rows
        if self.width == 1 or set(map(len, self.rows)) != {self.width}:
            filled = [row for row in self.rows if not _is_blank(row)]
            self._check_widths(filled)
        if filled:
            yield Block(
                {name: [row[place] for row in filled] for name, place in places.items()},
                self._where,
                self.decimal_commas,
            )

    def _check_widths(self, filled: Sequence[Sequence[str]]) -> None:
        for index, row in enumerate(filled):
            if len(row) != self.width:
                raise ScoreFileError(
                    f"{self.path}, {self._where(index)}: {len(row)} field(s) where the header has {self.width}."
                )

    def _where(self, index: int) -> str:
        """The line on which a row begins; quoted fields may contain line breaks."""
        line = self.line
        for row in self.rows:
            if not _is_blank(row):
                if index == 0:
                    break
                index -= 1
            line += 1 + sum(len((field + ".").splitlines()) - 1 for field in row)
        return f"line {line}"


def _is_blank(row: Sequence[str]) -> bool:
    """Whether a row comes from an empty line."""
    return not row or (len(row) == 1 and not row[0].strip())


def parquet_block(path: str, names: Sequence[str]) -> Iterator[Block]:
    """The rows of a Parquet file, all at once."""
    with open(path, "rb"):  # distinguishes a missing file from an invalid one
        columns = _read_parquet(path, names)
    if columns[names[0]]:
        yield Block(columns, lambda index: f"row {index + 1}")


def _read_parquet(path: str, names: Sequence[str]) -> dict[str, list[Label]]:
    """Read with Polars, or with pandas if Polars is not installed."""
    for backend, as_named in (("polars", {"glob": False}), ("pandas", {})):  # "*" in a file name is literal
        try:
            import narwhals.stable.v2 as nw

            frame = nw.scan_parquet(path, backend=import_module(backend), **as_named)
            _places(path, list(map(str, frame.collect_schema())), names)
            columns = frame.select(*names).collect()
            return {name: columns[name].to_list() for name in names}
        except (ScoreFileError, OSError):
            raise
        except ImportError:
            continue
        except Exception as error:  # each reader has its own errors
            reason = (str(error).strip() or type(error).__name__).splitlines()[0]
            raise ScoreFileError(f"{path}: this is not Parquet that can be read ({reason}).") from None
    raise ScoreFileError(f"{path}: Parquet needs Polars, or pandas with pyarrow: python -m pip install polars narwhals")
