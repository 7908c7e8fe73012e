"""Docstrings of public names keep numpydoc's rules; numpydoc comes with the extras ``dev`` and ``doc``."""

import ast
import inspect
import re
import subprocess
import sys
import types
from operator import attrgetter

import pytest

import skcostci

numpydoc = pytest.importorskip("numpydoc.validate")

# No more than what pandas (the first) and scikit-learn (all three, for methods) leave out when they validate their own.
EVERYWHERE = {"ES01", "EX01"}  # a summary where the first line does not say all; the first example is above, see below
GENERAL = ("BootstrapResult", "BandedResult")  # what others have beside their own
OWNERS = [*skcostci.__all__, *(f"results.{name}" for name in skcostci.results.__all__)]


def methods_of(owner):
    """The public methods and properties that the library defines, by their full names."""
    kinds = types.FunctionType | classmethod | property
    bases = [vars(base) for base in getattr(owner_of(owner), "__mro__", ()) if base.__module__.startswith("skcostci")]
    found = {name for base in bases for name, value in base.items() if isinstance(value, kinds)}
    return [f"{owner}.{name}" for name in sorted(found) if not name.startswith("_")]


def owner_of(name):
    return attrgetter(name)(skcostci)


def parameters(each):
    """Type and description of the parameters of a docstring, in its order."""
    return numpydoc.Validator(numpydoc.get_doc_object(each)).doc_all_parameters


def inherited(each):
    """The fields that public base classes document: a class says where these are, and describes its own."""
    public = [getattr(skcostci.results, name) for name in skcostci.results.__all__]
    return {field for base in each.__mro__[1:] if base in public for field in parameters(base)}


def misdocumented(each):
    """The fields that nobody documents, that are documented but are none, or that come in another order."""
    fields, own = list(inspect.signature(each).parameters), list(parameters(each))
    missing, in_order = set(fields) - set(own) - inherited(each), [field for field in own if field in fields]
    return missing | set(own) - set(fields) | ({*own} if in_order != sorted(in_order, key=fields.index) else set())


def found_in(name):
    """What is wrong with a docstring."""
    errors, each = numpydoc.validate(f"skcostci.{name}")["errors"], owner_of(name)
    if inspect.isclass(each) and inherited(each):
        errors = [error for error in errors if error[0] != "PR01"]
        assert misdocumented(each) == set(), name
    allowed = EVERYWHERE | ({"SA01"} if "." in name else set())  # a class says where else to look for its methods
    return [(name, code, message) for code, message in errors if code not in allowed]


@pytest.mark.parametrize("owner", OWNERS)
def test_docstrings_are_valid(owner):
    """Of a function, or of a class and its methods."""
    assert [error for name in (owner, *methods_of(owner)) for error in found_in(name)] == []


@pytest.mark.parametrize("name", skcostci.results.__all__)
def test_result_classes_say_what_returns_them_and_do_not_repeat_what_all_have(name):
    each = getattr(skcostci.results, name)
    text = " ".join(inspect.getdoc(each).split())
    if not issubclass(each, skcostci.results.BootstrapResult) or name in GENERAL:
        assert re.search(r"See Also|Returned by :(func|meth):|of a :class:", text)
        return
    base = re.search(r"(?:In addition to|It has) what every :class:`(\w+)` has", text)
    assert base, "a result class says where the fields are that all have"
    assert issubclass(each, getattr(skcostci.results, base[1]))
    assert re.search(r"Returned by :func:`|One of the rates of :class:`", text)
    assert inherited(each) & set(parameters(each)) <= ({"methods"} if name == "CombinedResult" else set())


FUNCTIONS = [name for name in skcostci.__all__ if inspect.isfunction(getattr(skcostci, name))]
DISPLAYS = [name for name in OWNERS if name.endswith("Display")]
MAKERS = [
    name for owner in DISPLAYS for name in (owner, *methods_of(owner)) if re.match(r"\w+(\.(plot|from_\w+))?$", name)
]


@pytest.mark.parametrize("name", MAKERS)
def test_displays_describe_what_they_take_and_have(name):
    document = numpydoc.get_doc_object(owner_of(name))
    listed = [part for section in ("Parameters", "Attributes") for part in document[section]]
    assert [part.name for part in listed if not "".join(part.desc).strip()] == []


def test_every_parameter_is_described_where_it_is_taken():
    """No description refers to that of another function; what functions share is there in full, for readers of help."""
    for name in FUNCTIONS:
        for parameter, (_, text) in parameters(getattr(skcostci, name)).items():
            assert not re.search(r"\bas (in|for|that of|those of) :(func|meth|class):", " ".join(text), re.I), parameter
    kind, text = parameters(skcostci.bootstrap_auc_difference)["folds"]
    assert kind == "array-like of shape (n_samples,), default=None"
    assert "The fold in which each case was tested" in "".join(text)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_begin_with_a_call_and_say_their_defaults(name):
    function = getattr(skcostci, name)
    beginning, taken = inspect.getdoc(function).splitlines()[:10], inspect.signature(function).parameters
    called = any(line.startswith(">>>") and f"{name}(" in line for line in beginning)
    assert called, f"the docstring of {name} shows a call in its first ten lines"
    said = {each: re.search(r"default=(.*)$", kind) for each, (kind, _) in parameters(function).items()}
    assert [each for each, found in said.items() if found and ast.literal_eval(found[1]) != taken[each].default] == []


@pytest.mark.slow  # all that it imports is compiled anew
def test_the_package_can_be_imported_without_docstrings():
    code = "from skcostci import report; print(report.__doc__)"
    assert subprocess.run([sys.executable, "-OO", "-c", code], stdout=-1).stdout.split() == [b"None"]
