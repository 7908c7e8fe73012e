"""What the pages say of the project is there: tests, results, public names; every public object has an example."""

import doctest
import inspect
import re
import sys
from contextlib import nullcontext
from functools import partial
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


PUBLIC = [getattr(module, name) for module in (skcostci, skcostci.results) for name in module.__all__]
CLASSES = [each for each in PUBLIC if inspect.isclass(each)]


def methods():
    """The public methods of those classes that the library itself defines, each where it is defined, once."""
    bases = {base for owner in CLASSES for base in owner.__mro__ if base.__module__.startswith("skcostci")}
    found = {f"{base.__name__}.{name}": value for base in bases for name, value in vars(base).items() if name[0] != "_"}
    plain = {name: getattr(value, "__func__", value) for name, value in found.items()}
    return {name: value for name, value in plain.items() if inspect.isfunction(value)}


def test_tests_that_are_cited_exist():
    texts = {path: path.read_text(encoding="utf-8") for path in {page.parent / path for page, path, _ in CITED}}
    there = {path: set(re.findall(r"^ *def (\w+)\(", text, re.MULTILINE)) for path, text in texts.items()}
    assert [(page.name, name) for page, path, name in CITED if name not in there[page.parent / path]] == []
    assert len({cited[1:] for cited in CITED}) > 50


def test_tests_that_ci_names_exist():
    named = re.findall(r"tests/test_\{?([\w,]+)\}?\.py", (ROOT / ".ci" / "run").read_text(encoding="utf-8"))
    names = {name for each in named for name in each.split(",")}
    assert "joints" in names
    assert "report" in names
    assert [name for name in sorted(names) if not (ROOT / "tests" / f"test_{name}.py").is_file()] == []


each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)


@each_page
def test_pages_hold_what_they_are_made_from(page):
    assert page.read_text(encoding="utf-8") == fill.filled(page), "python doc/fill.py"


@each_page
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


@each_page
def test_code_that_shows_a_picture_is_followed_by_it(page):
    shown = page.read_text(encoding="utf-8").split(">>> plt.show()\n")[1:]
    pictures = [fill.PICTURE.match(part.lstrip("\n`")) for part in shown]
    assert all(pictures)
    assert len({picture[1] for picture in pictures}) == len(pictures)


TRUTH, SCORES = np.tile([0, 1], 30), np.arange(60) % 13 + np.tile([0, 3], 30)
KIND, TABLE = np.arange(60) % 3, np.eye(3)[np.arange(60) // 2 % 3] / 2 + 1 / 6
GROUPS = np.arange(60) // 4
FOLDS = GROUPS % 5
TWO_MODELS = {"a": SCORES, "b": -SCORES}
AUC, COST = partial(skcostci.bootstrap_auc, TRUTH, SCORES), partial(skcostci.bootstrap_cost, TRUTH, SCORES)
OVR = partial(skcostci.bootstrap_auc, KIND, TABLE, multi_class="ovr")
COMPARED = partial(skcostci.compare_models, TRUTH, TWO_MODELS, groups=GROUPS)
TOGETHER = [
    *((partial(AUC, **each), None) for each in ({"groups": GROUPS, "folds": FOLDS}, {"folds": FOLDS, "max_fpr": 0.2})),
    (partial(AUC, groups=GROUPS, max_fpr=0.2), None),
    (partial(AUC, groups=GROUPS, folds=np.arange(60) % 5), "must be in one fold"),
    (partial(AUC, groups=GROUPS, sampling="full"), "whole groups are resampled"),
    (partial(AUC, folds=FOLDS, sampling="full"), "left at 'stratified' with folds"),
    *((partial(OVR, **each), None) for each in ({"groups": GROUPS}, {"folds": FOLDS})),
    (partial(OVR, max_fpr=0.2), "cannot be combined"),
    *((partial(COST, thresholds=9, folds=FOLDS, groups=each), None) for each in (None, GROUPS)),
    (partial(COST, folds=FOLDS), "thresholds chosen beforehand"),
    (partial(skcostci.bootstrap_mean, SCORES, folds=FOLDS, groups=GROUPS), None),
    (partial(skcostci.bootstrap_metric, KIND, KIND, "f1", average="macro", prevalence=0.2), "prevalence"),
    (partial(skcostci.bootstrap_metric, TRUTH, TRUTH, f1_score, prevalence=0.2), "prevalence"),
    (partial(COMPARED, "sensitivity_at_specificity", specificity=0.5), None),
    (partial(COMPARED, "fpr_at_tpr", tpr=0.5), None),
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


def test_the_reference_lists_every_public_name_once():
    listed = re.findall(r"^   (\w+)$", (ROOT / "doc" / "api.md").read_text(), re.MULTILINE)
    duality = ["cost_line", "cost_point", "roc_line", "roc_point"]
    named = [*skcostci.__all__, *skcostci.results.__all__, *duality]
    assert not set(named) - set(listed), f"Give {set(named) - set(listed)} a line in doc/api.md."
    assert sorted(listed) == sorted(named), "Names in doc/api.md are public, and there once."


def test_every_result_class_is_in_the_reference():
    source = "".join(path.read_text() for path in (ROOT / "skcostci" / "statistics").glob("*.py"))
    returned = set(re.findall(r"\) -> (\w+):", source))
    results = returned & set(re.findall(r"^class (\w+)\(.*Result.*\):", source, re.MULTILINE))
    assert len(results) > 10
    assert not results - {each.__name__ for each in CLASSES}, "enter the class in skcostci/results/_public.py"


def test_methods_have_an_example():
    """Of their own, or in their class, or one that has them from there; that of a display is of its class."""
    classes = "".join(inspect.getdoc(owner) for owner in CLASSES)
    alone = [name for name, each in methods().items() if "Display" not in name and ">>>" not in inspect.getdoc(each)]
    assert [name for name in alone if f".{name.partition('.')[2]}(" not in classes] == []


CONSTRUCTORS = "from_estimator", "from_estimators", "from_predictions", "from_cv_results", "from_comparison"


def test_constructors_of_displays_have_an_example_of_their_own():
    """Which is run with those of the modules."""
    displays = [getattr(skcostci, name) for name in skcostci.__all__ if name.endswith("Display")]
    made = [(display, name) for display in displays for name in CONSTRUCTORS if hasattr(display, name)]
    assert len(made) > 20
    for display, name in made:
        example = doctest.DocTestParser().get_examples(inspect.getdoc(getattr(display, name)))
        assert f"{display.__name__}.{name}(" in "".join(line.source for line in example)


def test_the_version_is_one_everywhere():
    version = skcostci.__version__
    assert f"version: {version}" in (ROOT / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert newest[1] == version
    assert f"skcostci (version {version})" in (ROOT / "doc" / "report.md").read_text(encoding="utf-8")
