"""Docstrings of public names keep numpydoc's rules; numpydoc comes with the extras ``dev`` and ``doc``."""

import inspect
from operator import attrgetter

import pytest

import skcostci

numpydoc = pytest.importorskip("numpydoc.validate")

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


def documented(each):
    """The parameters that a docstring describes, in its order."""
    return list(numpydoc.Validator(numpydoc.get_doc_object(each)).doc_all_parameters)


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


@pytest.mark.parametrize("name", sorted(set(public_objects())))
def test_docstrings_are_valid(name):
    errors, each = numpydoc.validate(f"skcostci.{name}")["errors"], attrgetter(name)(skcostci)
    if inspect.isclass(each) and inherited(each):
        errors = [error for error in errors if error[0] != "PR01"]
        assert misdocumented(each) == set()
    assert [(code, message) for code, message in errors if code not in allowed(name)] == []


@pytest.mark.parametrize("name", sorted(skcostci.results.__all__))
def test_what_a_base_class_documents_is_not_documented_again(name):
    each = getattr(skcostci.results, name)
    bases = [getattr(skcostci.results, base) for base in ("BootstrapResult", "BandedResult")]
    again = {field for base in bases if each is not base and issubclass(each, base) for field in documented(base)}
    own = {"estimate"} | ({"methods"} if name == "CombinedResult" else set())  # of which there is more to say
    assert again & set(documented(each)) <= own
    assert not again or "Beside what every :class:`" in inspect.getdoc(each)
