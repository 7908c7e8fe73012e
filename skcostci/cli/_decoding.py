"""The text of a file, unpacked by gzip and decoded if necessary; errors name other kinds of files, and what to do.

The encoding is given by a byte order mark, else by the caller; without either it is UTF-8. Nothing is guessed: with a
wrong guess a file might be read without an error, but with wrong letters in names and labels.
"""

from __future__ import annotations

import codecs
import gzip
import os
import re
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader, BytesIO, TextIOWrapper
from typing import TextIO

STANDARD_INPUT = "-"
UTF_8 = "utf-8"
HEAD = 16  # first bytes, by which kinds of files are recognized
GZIP = b"\x1f\x8b"
MARKS = {  # UTF-32 first, as its mark begins with that of UTF-16
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
UNPACK = "; unpack it first, or pack it by gzip, which is read."
KINDS = {
    rb"PAR1[\0-\x1f]": "this is Parquet, which is read from a file that is named .parquet.",
    rb"PK[\3\5]": "this is a workbook (.xlsx) or another zip archive; save the sheet as CSV, or unpack it first.",
    rb"\xd0\xcf\x11\xe0": "this is an old workbook (.xls); save the sheet as CSV.",
    rb"BZh\d1AY&SY": f"this is packed by bzip2{UNPACK}",
    rb"\xfd7zXZ\0": f"this is packed by xz{UNPACK}",
    rb"\x28\xb5\x2f\xfd": f"this is packed by zstd{UNPACK}",
    rb"\x1f\x8b": "this is packed by gzip more than once; unpack it first.",
    rb"([^\0]\0){2}": "this seems to be UTF-16 without a byte order mark; pass --encoding utf-16-le.",
    rb"(\0[^\0]){2}": "this seems to be UTF-16 without a byte order mark; pass --encoding utf-16-be.",
}


class ScoreFileError(Exception):
    """A file that cannot be used, with the reason in one line."""


class UsageError(Exception):
    """A request that cannot be fulfilled, with the reason in one line."""


def called(path: str) -> str:
    """The name of a file in reports and messages."""
    return "standard input" if path == STANDARD_INPUT else path


def check_name(path: str) -> None:
    """Raise for an impossible file name: with a NUL, or a lone surrogate."""
    try:
        with suppress(OSError):
            os.stat(path)
    except ValueError:
        raise ScoreFileError(f"{path!r} cannot be the name of a file.") from None


def check_encoding(encoding: str | None) -> None:
    """Raise for a name that is no encoding of texts."""
    try:
        TextIOWrapper(BytesIO(), encoding=encoding or UTF_8)
    except (LookupError, ValueError):
        raise ScoreFileError(
            f"--encoding must name an encoding, such as utf-8, cp1252 or utf-16, got {encoding!r}."
        ) from None


@contextmanager
def text_of(path: str, encoding: str | None = None) -> Iterator[TextIO]:
    """The text of a file, or of standard input."""
    if path == STANDARD_INPUT and sys.stdin is None:
        raise ScoreFileError("standard input: there is none.")
    source = sys.stdin.fileno() if path == STANDARD_INPUT else path
    with _explained(path, encoding), open(source, "rb", closefd=path != STANDARD_INPUT) as packed:
        data = BufferedReader(gzip.GzipFile(fileobj=packed)) if packed.peek(HEAD)[:2] == GZIP else packed
        yield TextIOWrapper(data, encoding=_encoding(called(path), data.peek(HEAD)[:HEAD], encoding), newline="")


def _encoding(path: str, head: bytes, stated: str | None) -> str:
    """The encoding of the text, by its first bytes or as stated; raises if it is no text."""
    for mark, encoding in MARKS.items():
        if head.startswith(mark):
            if stated is not None and not codecs.lookup(stated).name.startswith(encoding.removesuffix("-sig")):
                raise ScoreFileError(
                    f"{path}: the byte order mark says that this is {encoding.removesuffix('-sig')}, got --encoding "
                    f"{stated}; leave it out."
                )
            return encoding
    for kind, what in KINDS.items():
        if re.match(kind, head) and not (stated is not None and "--encoding" in what):
            raise ScoreFileError(f"{path}: {what}")
    return stated or UTF_8


@contextmanager
def _explained(path: str, encoding: str | None) -> Iterator[None]:
    """Report in one line why a text cannot be unpacked or decoded."""
    try:
        yield
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ScoreFileError(f"{called(path)}: the gzip data are damaged ({error}).") from None
    except UnicodeError:
        way_out = (
            "name its encoding with --encoding, such as --encoding cp1252 (Windows) or --encoding utf-16"
            if encoding is None
            else "--encoding must name the encoding in which the file was saved"
        )
        raise ScoreFileError(f"{called(path)}: this is not {encoding or 'UTF-8'} text; {way_out}.") from None
