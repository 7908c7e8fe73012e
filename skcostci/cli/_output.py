"""The file of a saved report: it is written completely or not at all, and replaces no file without permission."""

from __future__ import annotations

import errno
import os
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from skcostci.cli._decoding import STANDARD_INPUT, ScoreFileError, check_name
from skcostci.reports._report import Report
from skcostci.reports._text import FORMATS, report_html, report_picture

PAGES = (".html", ".htm")


def check_output(output: str, overwrite: bool, source: str | None = None) -> None:
    """Raise for a name under which nothing can be saved, before anything is computed."""
    suffix, folder, target = Path(output).suffix.lower(), Path(output).parent, _target(output)
    if suffix not in (*FORMATS, *PAGES):
        raise ScoreFileError(f"--output must end in {', '.join((*FORMATS, *PAGES))}, got {output!r}.")
    if not folder.is_dir():
        raise ScoreFileError(f"{output}: there is no folder {str(folder)!r}.")
    if source is not None and _is_same(source, target):
        raise ScoreFileError(f"{output}: this is the file of the scores, which a report must not replace.")
    if os.path.isdir(target):
        raise ScoreFileError(_cannot(output, OSError(errno.EISDIR, os.strerror(errno.EISDIR))))
    if os.path.exists(target):  # false for a name that is too long for the system
        _check_replaceable(output, target, overwrite)


def _check_replaceable(output: str, target: str, overwrite: bool) -> None:
    """Check an existing file: it must be a regular one, writable, and ``overwrite`` must be set."""
    if not overwrite:
        raise ScoreFileError(f"{output}: this file exists; pass --overwrite to replace it.")
    if not os.path.isfile(target):
        raise ScoreFileError(f"{output}: this is a device or a pipe, which cannot be replaced.")
    if not os.access(target, os.W_OK):  # renaming another file over it would not check this
        raise ScoreFileError(_cannot(output, OSError(errno.EACCES, os.strerror(errno.EACCES))))


def _target(output: str) -> str:
    """The target of a name: a report saved under a link is saved where the link points, as by open()."""
    check_name(output)
    return os.path.realpath(output)


def _is_same(source: str, target: str) -> bool:
    """Whether two names, or standard input and a name, are one file."""
    with suppress(OSError, AttributeError):
        read = os.fstat(sys.stdin.fileno()) if source == STANDARD_INPUT else os.stat(source)
        return os.path.samestat(read, os.stat(target))
    return False


def save(output: str, report: Report, overwrite: bool) -> None:
    """Save a page, or a picture."""
    page = is_page(output)
    content = report_html(report).encode() if page else report_picture(report, Path(output).suffix[1:].lower())
    save_content(output, content, overwrite)


def save_content(output: str, content: bytes, overwrite: bool) -> None:
    """Write to a temporary file and rename it: a full disk leaves an existing file intact."""
    target = _target(output)
    try:
        with TemporaryDirectory(prefix=".skcostci-", dir=os.path.dirname(target), ignore_cleanup_errors=True) as beside:
            _write(os.path.join(beside, os.path.basename(target)), target, content, overwrite)
    except OSError as error:
        raise ScoreFileError(_cannot(output, error)) from None


def _write(written: str, target: str, content: bytes, overwrite: bool) -> None:
    """Write everything to the disk, then rename to the final name."""
    with open(written, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    if os.path.exists(target):
        if not overwrite:  # the file may have appeared while the report was computed
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
        shutil.copymode(target, written)
    os.replace(written, target)


def _cannot(output: str, error: OSError) -> str:
    """The message for an error of the system."""
    return f"{output}: cannot be written ({error.strerror or error})."


def is_page(output: str) -> bool:
    """Whether it is a page by its name; otherwise it is a picture."""
    return Path(output).suffix.lower() in PAGES
