"""Docstrings of public names keep numpydoc's rules; numpydoc comes with the extras ``dev`` and ``doc``."""

import inspect

import pytest

import skcostci

validate = pytest.importorskip("numpydoc.validate").validate

ELSEWHERE = {
    "EX01": "tests/test_documentation.py and tests/test_architecture.py ask for examples",
    "SA01": "a See Also where there is something to see",
    "ES01": "an extended summary where the first line does not say it all",
    "RT02": "what is returned has a name, to be spoken of",
    "SS05": "summaries are noun phrases; numpydoc takes a plural for a verb",
}
# Results are not made by hand, and what they have is under Attributes; the parameters of displays are keywords, which
# have no order, and those of their constructors' **options are shown by name.
OF_RESULTS, OF_DISPLAYS = {"PR01"}, {"PR03"}


def public_objects():
    """Public names, and the methods that the library defines."""
    for name in skcostci.__all__:
        yield name
        each = getattr(skcostci, name)
        if inspect.isclass(each):
            for base in each.__mro__:
                defined = vars(base) if base.__module__.startswith("skcostci") else {}
                yield from (f"{name}.{attribute}" for attribute in defined if is_method(attribute, defined[attribute]))


def is_method(name, value):
    """Whether this is a public method or property."""
    return not name.startswith("_") and (inspect.isfunction(value) or isinstance(value, classmethod | property))


def allowed(name):
    """The findings that are meant."""
    found = getattr(skcostci, name.split(".")[0])
    is_result = inspect.isclass(found) and not name.endswith("Display") and "." not in name
    return set(ELSEWHERE) | (OF_RESULTS if is_result else set()) | (OF_DISPLAYS if "Display" in name else set())


@pytest.mark.parametrize("name", sorted(set(public_objects())))
def test_docstrings_are_valid(name):
    found = [(code, message) for code, message in validate(f"skcostci.{name}")["errors"] if code not in allowed(name)]
    assert found == []
