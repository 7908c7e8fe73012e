"""Docstrings of public names keep numpydoc's rules; numpydoc comes with the extras ``dev`` and ``doc``."""

import inspect
from operator import attrgetter

import pytest

import skcostci

validate = pytest.importorskip("numpydoc.validate").validate

# No more than what pandas (the first) and scikit-learn (all three, for methods) leave out when they validate their own.
EVERYWHERE = {"ES01": "an extended summary where the first line does not say it all"}
OF_METHODS = {
    "EX01": "the class has an example, and tests/test_documentation.py asks for those of methods",
    "SA01": "the class says where else to look",
}


def public_objects():
    """Public names, and the methods that the library defines."""
    for name in [*skcostci.__all__, *(f"results.{name}" for name in skcostci.results.__all__)]:
        yield name
        each = attrgetter(name)(skcostci)
        if inspect.isclass(each):
            for base in each.__mro__:
                defined = vars(base) if base.__module__.startswith("skcostci") else {}
                yield from (f"{name}.{attribute}" for attribute in defined if is_method(attribute, defined[attribute]))


def is_method(name, value):
    """Whether this is a public method or property."""
    return not name.startswith("_") and (inspect.isfunction(value) or isinstance(value, classmethod | property))


def allowed(name):
    """The findings that are meant."""
    return set(EVERYWHERE) | (set(OF_METHODS) if "." in name.removeprefix("results.") else set())


@pytest.mark.parametrize("name", sorted(set(public_objects())))
def test_docstrings_are_valid(name):
    found = [(code, message) for code, message in validate(f"skcostci.{name}")["errors"] if code not in allowed(name)]
    assert found == []
