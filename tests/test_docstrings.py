"""Docstrings of public names keep numpydoc's rules; numpydoc comes with the extras ``dev`` and ``doc``."""

import ast
import inspect
import re
import subprocess
import sys
from operator import attrgetter

import pytest

import skcostci

numpydoc = pytest.importorskip("numpydoc.validate")

# No more than what pandas (the first) and scikit-learn (all three, for methods) leave out when they validate their own.
EVERYWHERE = {
    "ES01": "an extended summary where the first line does not say it all",
    "EX01": "the first example stands under the summary, see below",
}
GENERAL = ("BootstrapResult", "BandedResult")  # what others have beside their own
OF_METHODS = {
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
    """The findings that are meant; the text of a result class says what returns it, in place of a section."""
    returned = {"SA01"} if name.startswith("results.") else set()
    return set(EVERYWHERE) | returned | (set(OF_METHODS) if "." in name.removeprefix("results.") else set())


def parameters(each):
    """Type and description of the parameters of a docstring, in its order."""
    return numpydoc.Validator(numpydoc.get_doc_object(each)).doc_all_parameters


def documented(each):
    """The names of the parameters that a docstring describes."""
    return list(parameters(each))


def inherited(each):
    """The fields that public base classes document: a class says where these are, and describes its own."""
    public = [getattr(skcostci.results, name) for name in skcostci.results.__all__]
    return {field for base in each.__mro__[1:] if base in public for field in documented(base)}


def misdocumented(each):
    """The fields that nobody documents, that are documented but are none, or that come in another order."""
    fields, own = list(inspect.signature(each).parameters), documented(each)
    missing = set(fields) - set(own) - inherited(each)
    return missing | {
        field for field, other in zip(own, [f for f in fields if f in own], strict=False) if field != other
    }


def found_in(name):
    """What is wrong with a docstring."""
    errors, each = numpydoc.validate(f"skcostci.{name}")["errors"], attrgetter(name)(skcostci)
    if inspect.isclass(each) and inherited(each):
        errors = [error for error in errors if error[0] != "PR01"]
        assert misdocumented(each) == set(), name
    return [(name, code, message) for code, message in errors if code not in allowed(name)]


@pytest.mark.parametrize(
    "owner", sorted({name for name in public_objects() if "." not in name.removeprefix("results.")})
)
def test_docstrings_are_valid(owner):
    """Of a function, or of a class and its methods."""
    own = {name for name in public_objects() if name == owner or name.startswith(f"{owner}.")}
    assert [error for name in sorted(own) for error in found_in(name)] == []


@pytest.mark.parametrize("name", sorted(skcostci.results.__all__))
def test_result_classes_say_what_returns_them_and_do_not_repeat_what_all_have(name):
    each, text = getattr(skcostci.results, name), " ".join(inspect.getdoc(getattr(skcostci.results, name)).split())
    if not issubclass(each, skcostci.results.BootstrapResult) or name in GENERAL:
        assert "See Also" in text or re.search(r"Returned by :(func|meth):|of a :class:", text)
        return
    base = re.search(r"(?:In addition to|It has) what every :class:`(\w+)` has", text)
    assert base, "a result class says where the fields are that all have"
    assert issubclass(each, getattr(skcostci.results, base[1]))
    assert re.search(r"Returned by :func:`|One of the rates of :class:`", text)
    assert inherited(each) & set(documented(each)) <= ({"methods"} if name == "CombinedResult" else set())


FUNCTIONS = [name for name in skcostci.__all__ if inspect.isfunction(getattr(skcostci, name))]
MAKERS = [name for name in set(public_objects()) if re.match(r"\w+Display(\.(plot|from_\w+))?$", name)]


def described(name):
    """Type and description of all that a docstring of a display describes, its attributes too."""
    document = numpydoc.get_doc_object(attrgetter(name)(skcostci))
    listed = [part for section in ("Parameters", "Attributes") for part in document[section]]
    return {each: " ".join(part.desc) for part in listed for each in part.name.split(", ")}


@pytest.mark.parametrize("name", sorted(MAKERS))
def test_displays_describe_what_they_take_and_have(name):
    assert [part for part, text in described(name).items() if not text] == []


def test_every_parameter_is_described_where_it_is_taken():
    """No description refers to that of another function; what functions share is there in full, for readers of help."""
    for name in FUNCTIONS:
        for parameter, (_, text) in parameters(getattr(skcostci, name)).items():
            assert not re.search(r"\bas (in|for|that of|those of) :(func|meth|class):", " ".join(text), re.I), parameter
    kind, text = parameters(skcostci.bootstrap_auc_difference)["folds"]
    assert kind == "array-like of shape (n_samples,), default=None"
    assert "The fold in which each case was tested" in "".join(text)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_begin_with_a_call(name):
    beginning = inspect.getdoc(getattr(skcostci, name)).splitlines()[:10]
    assert any(line.startswith(">>>") and f"{name}(" in line for line in beginning)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_defaults_are_said_as_they_are(name):
    function = getattr(skcostci, name)
    for parameter, (kind, _) in parameters(function).items():
        said = re.search(r"default=(.*)$", kind)
        if said:
            assert ast.literal_eval(said[1]) == inspect.signature(function).parameters[parameter].default, parameter


def test_the_package_can_be_imported_without_docstrings():
    done = subprocess.run(
        [sys.executable, "-OO", "-c", "from skcostci import report; print(report.__doc__)"], stdout=-1
    )
    assert done.stdout.split() == [b"None"]
