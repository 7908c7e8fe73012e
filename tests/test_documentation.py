"""What the pages say of the project is there: tests, results, public names; every public object has an example."""

import doctest
import inspect
import re
import sys
from contextlib import nullcontext
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import f1_score

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


@pytest.mark.parametrize("example", sorted((ROOT / "doc" / "examples").glob("*.py")), ids=lambda example: example.stem)
def test_headings_of_examples_are_underlined_whole(example):
    lines = [line.removeprefix("# ") for line in example.read_text(encoding="utf-8").splitlines()]
    headings = [(title, line) for title, line in pairwise(lines) if title and re.fullmatch(r"(=|-|~){4,}", line)]
    assert [title for title, line in headings if len(line) < len(title)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_code_that_shows_a_picture_is_followed_by_it(page):
    shown = page.read_text(encoding="utf-8").split(">>> plt.show()\n")[1:]
    pictures = [fill.PICTURE.match(part.lstrip("\n`")) for part in shown]
    assert all(pictures)
    assert len({picture[1] for picture in pictures}) == len(pictures)


TRUTH, SCORES = np.tile([0, 1], 30), np.arange(60) % 13 + np.tile([0, 3], 30)
KIND, TABLE = np.arange(60) % 3, np.eye(3)[np.arange(60) // 2 % 3] / 2 + 1 / 6
GROUPS = np.arange(60) // 4
FOLDS = GROUPS % 5
TOGETHER = [
    (lambda: skcostci.bootstrap_auc(TRUTH, SCORES, groups=GROUPS, folds=FOLDS), None),
    (lambda: skcostci.bootstrap_auc(TRUTH, SCORES, groups=GROUPS, folds=np.arange(60) % 5), "must be in one fold"),
    (lambda: skcostci.bootstrap_auc(TRUTH, SCORES, groups=GROUPS, sampling="full"), "whole groups are resampled"),
    (lambda: skcostci.bootstrap_auc(TRUTH, SCORES, groups=GROUPS, max_fpr=0.2), None),
    (lambda: skcostci.bootstrap_auc(TRUTH, SCORES, folds=FOLDS, max_fpr=0.2), None),
    (lambda: skcostci.bootstrap_auc(KIND, TABLE, multi_class="ovr", groups=GROUPS), None),
    (lambda: skcostci.bootstrap_auc(KIND, TABLE, multi_class="ovr", folds=FOLDS), None),
    (lambda: skcostci.bootstrap_auc(KIND, TABLE, multi_class="ovr", max_fpr=0.2), "cannot be combined"),
    (lambda: skcostci.bootstrap_cost(TRUTH, SCORES, thresholds=9, folds=FOLDS), None),
    (lambda: skcostci.bootstrap_cost(TRUTH, SCORES, folds=FOLDS), "thresholds chosen beforehand"),
    (lambda: skcostci.bootstrap_cost(TRUTH, SCORES, thresholds=9, folds=FOLDS, groups=GROUPS), None),
    (lambda: skcostci.bootstrap_mean(SCORES, folds=FOLDS, groups=GROUPS), None),
    (lambda: skcostci.bootstrap_auc(TRUTH, SCORES, folds=FOLDS, sampling="full"), "left at 'stratified' with folds"),
    (lambda: skcostci.bootstrap_metric(KIND, KIND, "f1", average="macro", prevalence=0.2), "prevalence"),
    (lambda: skcostci.bootstrap_metric(TRUTH, TRUTH, f1_score, prevalence=0.2), "prevalence"),
    *(
        (
            lambda name=name, held=held: skcostci.compare_models(
                TRUTH, {"a": SCORES, "b": -SCORES}, name, groups=GROUPS, **{held: 0.5}
            ),
            None,
        )
        for name, held in (("sensitivity_at_specificity", "specificity"), ("fpr_at_tpr", "tpr"))
    ),
]


@pytest.mark.parametrize(("call", "refusal"), TOGETHER)
def test_what_does_not_go_together_is_refused_and_what_does_is_answered(call, refusal):
    with nullcontext() if refusal is None else pytest.raises(ValueError, match=refusal):
        assert np.isfinite(call().estimate).all()


def test_how_fast_it_is_said_to_be_is_what_the_table_says():
    """One model at a million rows, the sizes of other ratios, and milliseconds at a thousand rows."""
    text = (ROOT / "benchmarks" / "results" / "speed.md").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("| ")]
    beside = {row[0]: float(row[1]) for row in rows if " / " in row[0] and row[1] != "ratio"}
    by_size = [row for row in rows if row[1] in ("1,000", "1,000,000") and "floor" not in row[0]]
    of_one = {name: ratio for name, ratio in beside.items() if "difference" not in name and "import" not in name}
    assert max(of_one.values()) < 1
    two = [float(row[2]) for row in by_size if row[1] == "1,000,000" and ("difference" in row[0] or "opp" in row[0])]
    found = max(*two, *beside.values())
    few = [(float(row[2]), float(row[4])) for row in by_size if row[1] == "1,000"]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"up to {found:.1f} times as long" in readme
    assert sum(ratio > 1 for ratio, _ in few) > len(few) / 2
    assert "{:.0f} to {:.0f} milliseconds".format(*(f(ms for _, ms in few) for f in (min, max))) in readme


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
    """Of their own, or in their class, or one that has them from there; that of a display is of its class."""
    classes = "".join(inspect.getdoc(owner) for owner in documented_classes())
    asked = {name: method for name, method in methods().items() if "Display" not in name}
    alone = [name for name, method in asked.items() if ">>>" not in inspect.getdoc(method)]
    assert [name for name in alone if f".{name.partition('.')[2]}(" not in classes] == []


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
