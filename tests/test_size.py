"""The package grows no larger: code lines of each room, files, classes and lines of docstrings have a most.

A table that only goes down. Whoever makes a room smaller lowers its number; whoever needs more says in the pull request
what for, and first looks for what can go. Code lines are lines that hold code: no docstrings, comments or blank lines.
"""

import ast
import tokenize
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

import skcostci

PACKAGE = Path(skcostci.__file__).parent
CODE_LINES = {
    "statistics": 6847,
    "laws": 4244,
    "displays": 2072,
    "intervals": 1996,
    "_validation": 1017,
    "cases": 956,
    "reports": 890,
    "results": 604,
    "compare": 684,
    "cli": 427,
    "planning": 368,
    "geometry": 205,
    "modules": 1874,  # the files that lie in no room
}
FILES = 126
CLASSES = 296
DOCSTRING_LINES = 9080
LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


def docstring_lines(tree):
    """The numbers of the lines of docstrings."""
    lines = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            lines.update(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    return lines


@cache
def sizes():
    """Code lines by room, and how many files, classes and lines of docstrings there are in all."""
    code, files, classes, docstrings = Counter(), 0, 0, 0
    for path in PACKAGE.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        described = docstring_lines(tree)
        with tokenize.open(path) as file:
            tokens = [token for token in tokenize.generate_tokens(file.readline) if token.type not in LAYOUT]
        lines = {line for token in tokens for line in range(token.start[0], token.end[0] + 1)} - described
        room, *inside = path.relative_to(PACKAGE).parts
        code[room if inside else "modules"] += len(lines)
        files += 1
        classes += sum(isinstance(node, ast.ClassDef) for node in ast.walk(tree))
        docstrings += len(described)
    return code, {"files": files, "classes": classes, "docstring lines": docstrings}


def test_every_room_has_a_size():
    assert set(sizes()[0]) == set(CODE_LINES), "Give a new room its number of code lines in CODE_LINES of this file."


@pytest.mark.parametrize("room", CODE_LINES)
def test_a_room_has_no_more_code_than_it_had(room):
    lines = sizes()[0][room]
    assert lines <= CODE_LINES[room], (
        f"{room} has {lines} code lines, at most {CODE_LINES[room]} are agreed: look for what can go in return."
    )


@pytest.mark.parametrize(
    ("what", "most"), [("files", FILES), ("classes", CLASSES), ("docstring lines", DOCSTRING_LINES)]
)
def test_the_package_has_no_more_than_it_had(what, most):
    count = sizes()[1][what]
    assert count <= most, f"The package has {count} {what}, at most {most} are agreed: look for what can go in return."
