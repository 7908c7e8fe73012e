"""What the pages say of the project is there: tests, results, public names; every public object has an example."""

import doctest
import inspect
import re
from pathlib import Path

import pytest

import skcostci

ROOT = Path(__file__).parents[1]
if not (ROOT / "doc").is_dir():
    pytest.skip("the pages are not part of a source distribution", allow_module_level=True)

PAGES = sorted(path for path in (ROOT / "doc").rglob("*.md") if "_build" not in path.parts)
CITED = sorted({name for page in PAGES for name in re.findall(r"`(tests/[\w/]+\.py::\w+)`", page.read_text())})


def documented_classes():
    """The public classes, results that functions return among them."""
    public = [getattr(module, name) for module in (skcostci, skcostci.results) for name in module.__all__]
    return [each for each in public if inspect.isclass(each)]


def methods():
    """The public methods of those classes that the library itself defines, each where it is defined, once."""
    found = {}
    for owner in documented_classes():
        for base in owner.__mro__:
            for name, value in vars(base).items():
                if base.__module__.startswith("skcostci") and not name.startswith("_"):
                    function = value.__func__ if isinstance(value, classmethod | staticmethod) else value
                    if inspect.isfunction(function):
                        found[f"{base.__name__}.{name}"] = function
    return found


@pytest.mark.parametrize("cited", CITED)
def test_tests_that_are_cited_exist(cited):
    path, name = cited.split("::")
    assert re.search(rf"^ *def {name}\(", (ROOT / path).read_text(), re.MULTILINE), f"{cited} is cited but not there"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_pictures_of_a_page_have_names_of_their_own(page):
    plots = re.findall(r"^\.\. plot::\n((?:   :.*\n)*)", page.read_text(), re.MULTILINE)
    names = [re.findall(r":filename-prefix: (\w+)", options) for options in plots]
    assert len(plots) < 2 or len({*map(tuple, names)} - {()}) == len(plots)  # else each shows the last


def test_claims_are_cited():
    assert len(CITED) > 50


def test_the_reference_lists_every_public_name_once():
    listed = re.findall(r"^   (\w+)$", (ROOT / "doc" / "api.md").read_text(), re.MULTILINE)
    duality = ["cost_line", "cost_point", "roc_line", "roc_point"]
    assert sorted(listed) == sorted([*skcostci.__all__, *skcostci.results.__all__, *duality])


def test_every_result_class_is_in_the_reference():
    listed = {each.__name__ for each in documented_classes()}
    source = "".join(path.read_text() for path in (ROOT / "skcostci" / "statistics").glob("*.py"))
    returned = set(re.findall(r"\) -> (\w+):", source))
    results = {name for name in re.findall(r"^class (\w+)\(.*Result.*\):", source, re.MULTILINE) if name in returned}
    assert len(results) > 10
    assert results <= listed


@pytest.mark.parametrize("name", sorted(methods()))
def test_methods_have_an_example(name):
    if "Display" in name:
        pytest.skip("the example of a display is that of its class")
    assert ">>>" in inspect.getdoc(methods()[name]), f"{name} has no example"


MADE = [
    (name, constructor)
    for name in skcostci.__all__
    if name.endswith("Display")
    for constructor in ("from_estimator", "from_estimators", "from_predictions", "from_cv_results", "from_comparison")
    if hasattr(getattr(skcostci, name), constructor)
]


@pytest.mark.parametrize(("name", "constructor"), MADE)
def test_constructors_of_displays_have_an_example_of_their_own_that_runs(name, constructor):
    described = inspect.getdoc(getattr(getattr(skcostci, name), constructor))
    example = doctest.DocTestParser().get_doctest(described, {}, f"{name}.{constructor}", None, None)
    assert f"{name}.{constructor}(" in "".join(line.source for line in example.examples)
    assert doctest.DocTestRunner(verbose=False).run(example).failed == 0


def test_the_citation_is_of_this_version():
    lines = (ROOT / "CITATION.cff").read_text().splitlines()
    assert f"version: {skcostci.__version__}" in lines
