"""What the pages say of the project is there: tests, results, public names; every public object has an example."""

import doctest
import inspect
import re
import sys
from importlib import import_module
from pathlib import Path

import pytest

import skcostci

ROOT = Path(__file__).parents[1]
if not (ROOT / "doc").is_dir():
    pytest.skip("the pages are not part of a source distribution", allow_module_level=True)

sys.path.insert(0, str(ROOT / "doc"))
fill = import_module("fill")

PAGES = fill.pages()
TEST = re.compile(r'\[test\]\((\S+/tests/\w+\.py)\s+"(\w+)"\)')
CITED = sorted({(page, *found) for page in PAGES for found in TEST.findall(page.read_text(encoding="utf-8"))})


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


def test_tests_that_are_cited_exist():
    def there(page, path, name):
        return re.search(rf"^ *def {name}\(", (page.parent / path).read_text(encoding="utf-8"), re.MULTILINE)

    assert [cited for cited in CITED if not there(*cited)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_pages_hold_what_they_are_made_from(page):
    assert page.read_text(encoding="utf-8") == fill.filled(page), "python doc/fill.py"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_pages_are_plain_markdown(page):
    text = page.read_text(encoding="utf-8")
    assert page.name == "api.md" or not re.search(r"^(```|:::)\{", text, re.MULTILINE)  # api.md is a list for the site
    assert set(re.findall(r"\{(\w+)\}`", text)) <= {"eq"}


@pytest.mark.parametrize("page", [*PAGES, *ROOT.glob("*.md")], ids=lambda page: page.stem)
def test_links_within_the_repository_lead_somewhere(page):
    outside_code = re.sub(r"^ *```.*?^ *```$|`[^`\n]*`", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    for target in re.findall(r"\]\(([^)\s#]+)[^)]*\)", outside_code):
        assert "://" in target or (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_code_that_shows_a_picture_is_followed_by_it(page):
    shown = page.read_text(encoding="utf-8").split(">>> plt.show()\n")[1:]
    pictures = [fill.PICTURE.match(part.lstrip("\n`")) for part in shown]
    assert all(pictures)
    assert len({picture[1] for picture in pictures}) == len(pictures)


def test_claims_are_cited():
    assert len({cited[1:] for cited in CITED}) > 50


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


def test_methods_have_an_example():
    """The example of a display is that of its class."""
    asked = {name: method for name, method in methods().items() if "Display" not in name}
    assert [name for name, method in asked.items() if ">>>" not in inspect.getdoc(method)] == []


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


def test_the_version_is_one_everywhere():
    version = skcostci.__version__
    assert f"version: {version}" in (ROOT / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert newest[1] == version
    assert f"skcostci (version {version})" in (ROOT / "doc" / "report.md").read_text(encoding="utf-8")
