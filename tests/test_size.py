"""The package grows no larger: code lines of each room, files, classes and lines of docstrings have a most.

A table that only goes down. Whoever makes a room smaller lowers its number; whoever needs more says in the pull request
what for, and first looks for what can go. Code lines are lines that hold code: no docstrings, comments or blank lines.
"""

import ast
import re
from collections import Counter
from functools import cache

import pytest
from test_architecture import PACKAGE, nodes

CODE_LINES = {
    "statistics": 7216,
    "laws": 4287,
    "displays": 2073,
    "intervals": 2043,
    "_validation": 1054,
    "cases": 982,
    "reports": 917,
    "results": 608,
    "compare": 702,
    "cli": 430,
    "planning": 408,
    "geometry": 205,
    "modules": 1920,  # the files that lie in no room
}
FILES = 127
CLASSES = 300
DOCSTRING_LINES = 9274


def lines_of(node):
    """The numbers of the lines on which a node stands."""
    return range(node.lineno, node.end_lineno + 1)


@cache
def sizes():
    """Code lines by room, and how many files, classes and lines of docstrings there are in all."""
    code, files, classes, docstrings = Counter(), 0, 0, 0
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        described, strings = set(), set()
        for node in nodes(path):
            classes += isinstance(node, ast.ClassDef)
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
                described.update(lines_of(node.body[0]))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and "\n" in node.value:
                strings.update(lines_of(node))  # of which lines may be blank, or begin with #
        lines = {number for number, line in enumerate(text.splitlines(), 1) if not re.match(r"\s*(#|$)", line)}
        room, *inside = path.relative_to(PACKAGE).parts
        code[room if inside else "modules"] += len((lines | strings) - described)
        files += 1
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
