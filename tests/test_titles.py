"""What captions and reports call an interval method is what its record says, for all methods."""

import io
import re
from contextlib import redirect_stdout
from functools import partial

import numpy as np
import pytest
from public import BAND_TITLES, TITLES, legend_texts
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, cross_validate
from statistics_list import BELONGING, STATISTICS, parts
from test_common_laws import GIVEN

import skcostci as sk
from skcostci.__main__ import main

pytestmark = [pytest.mark.usefixtures("no_layout"), pytest.mark.filterwarnings("ignore::skcostci.DegenerateLawWarning")]
RNG = np.random.default_rng(0)
Y = np.repeat([1, 0], 12)
A, B = RNG.normal(size=(2, 24)) + 1.5 * Y
RISK_A, RISK_B = 1 / (1 + np.exp(-A)), 1 / (1 + np.exp(-B))
GROUPS = np.arange(24) // 2
CLASSES = np.arange(24) % 3
OF_CLASSES = RNG.dirichlet(np.ones(3), 24)
AT = {"probability_cost": [0.3, 0.6]}
FIXED = {**AT, "thresholds": 0.5}
CUTS = [0.0, 0.5]


def statistics_beyond_the_list():
    """Results of several classes, choices, combinations, and of groups that displays have too, by name."""
    pair = (Y, A, B)
    yield "AUC, classes", sk.bootstrap_auc(CLASSES, OF_CLASSES, multi_class="ovr")
    yield "AUCs, classes", sk.bootstrap_auc_difference(CLASSES, OF_CLASSES, OF_CLASSES[::-1], multi_class="ovo")
    yield "cost, groups", sk.bootstrap_cost(Y, A, groups=GROUPS, **FIXED)
    yield "costs, groups", sk.bootstrap_cost_difference(*pair, groups=GROUPS, **FIXED)
    yield "rates, groups", sk.bootstrap_roc_at_threshold(Y, A, thresholds=0.5, groups=GROUPS)
    yield "chosen cost", sk.bootstrap_cost(Y, A, **AT)
    yield "chosen costs", sk.bootstrap_cost_difference(*pair, **AT)
    yield "chosen rates", sk.bootstrap_roc_at_threshold(Y, A, thresholds="youden")
    yield "chosen metric", sk.bootstrap_metric(Y, A, "f1", thresholds="youden")
    yield "two samples", sk.independent_difference(sk.bootstrap_auc(Y, A), sk.bootstrap_auc(Y, B))


BEYOND = dict(statistics_beyond_the_list())


def titles_in(text):
    """The methods whose titles stand in a text behind a comma or in brackets, and not as parts of other titles."""
    plain = text
    for name, title in sorted(TITLES.items(), key=lambda each: -len(each[1])):
        plain, found = re.subn(rf"(, | or |\(){re.escape(title)}(?= or |\)|$)", r"\1", plain)
        if found:
            yield name


def written(display):
    """All that is written on a display's axes but numbers, on one line each."""
    ax = display.ax_
    texts = ax.get_title(), ax.get_xlabel(), ax.get_ylabel(), *legend_texts(ax)
    return [re.sub(r"\s+", " ", text) for text in texts]


def assert_says(display, methods):
    """The caption names exactly these methods; the picture, which a paper prints, none."""
    said = written(display)
    assert set(titles_in(display.caption)) == set(methods), display.caption
    assert ("exact bootstrap" in display.caption) == ("percentile" in methods)
    assert not set().union(*map(titles_in, said)), said


def displayed(display, cases, methods, **options):
    """A display of the default and of each other method."""
    for method in (None, *methods[1:]):
        yield display.from_predictions(*cases, method=method, **options), method or methods[0]


one, two = (Y, A), (Y, A, B)
ROC, COST, COSTS = sk.ROCConfidenceDisplay, sk.CostCurveDisplay, sk.PairedCostDifferenceDisplay
FULL, GROUPED = {**FIXED, "sampling": "full"}, {**FIXED, "groups": GROUPS}
BY_THRESHOLD, BY_BUDGET = {"averaging": "threshold", "at": 0.5}, {"averaging": "positive_rate", "at": 0.3}
metric_of = partial(sk.bootstrap_metric, Y, thresholds=0.5)
CURVES = {
    "cost": (COST, one, sk.bootstrap_cost(*one, **FIXED), FIXED),
    "chosen cost": (COST, one, BEYOND["chosen cost"], AT),
    "cost, groups": (COST, one, BEYOND["cost, groups"], GROUPED),
    "cost, full": (COST, one, sk.bootstrap_cost(*one, **FULL), FULL),
    "costs": (COSTS, two, sk.bootstrap_cost_difference(*two, **FIXED), FIXED),
    "chosen costs": (COSTS, two, BEYOND["chosen costs"], AT),
    "costs, groups": (COSTS, two, BEYOND["costs, groups"], GROUPED),
    "at rates": (ROC, one, sk.bootstrap_roc_at_fpr(*one, fpr=[0.2, 0.5]), {"at": [0.2, 0.5]}),
    "at thresholds": (ROC, one, sk.bootstrap_roc_at_threshold(*one, thresholds=0.5).tpr, BY_THRESHOLD),
    "at thresholds, groups": (ROC, one, BEYOND["rates, groups"].tpr, {**BY_THRESHOLD, "groups": GROUPS}),
    "budget": (ROC, one, sk.bootstrap_roc_at_positive_rate(*one, positive_rate=0.3), BY_BUDGET),
    "precision": (sk.PrecisionRecallConfidenceDisplay, one, metric_of(A, "precision"), {}),
    "decisions": (sk.DecisionCurveDisplay, (Y, RISK_A), metric_of(RISK_A, "net_benefit"), {"thresholds": [0.2, 0.5]}),
    "metric": (sk.MetricThresholdDisplay, one, metric_of(A, "kappa"), {"metrics": "kappa", "thresholds": CUTS}),
}


@pytest.mark.parametrize("name", CURVES)
def test_the_caption_of_every_display_names_the_method_of_its_band(name):
    display, cases, result, options = CURVES[name]
    for drawn, method in displayed(display, cases, result.methods, **options):
        assert_says(drawn, {method})


def test_every_curve_display_is_tried():
    drawn = {make for make, *_ in CURVES.values()}
    every = {getattr(sk, name) for name in sk.__all__ if name.endswith("Display")}
    assert every - drawn == {sk.ModelComparisonDisplay, sk.CalibrationConfidenceDisplay}  # below; it has one band


@pytest.mark.parametrize("name", ["cost", "chosen cost", "chosen costs", "cost, groups", "at rates", "at thresholds"])
def test_the_caption_of_a_band_for_all_points_names_it(name):
    display, cases, result, options = CURVES[name]
    for drawn, method in displayed(display, cases, result.band_methods, band="simultaneous", **options):
        assert drawn.caption.startswith("95 % confidence ")
        assert drawn.caption.endswith(f", {BAND_TITLES[method]}")
        assert any(text.endswith("(simultaneous)") for text in written(drawn))


@pytest.mark.parametrize(("display", "together"), [(sk.CostCurveDisplay, "pooled"), (sk.ROCConfidenceDisplay, "mean")])
def test_the_curves_of_folds_name_their_method(display, together):
    X = np.column_stack([A, B])
    split = KFold(2, shuffle=True, random_state=0)
    found = cross_validate(LogisticRegression(), X, Y, cv=split, return_estimator=True, return_indices=True)
    options = {"thresholds": 0.5} if display is sk.CostCurveDisplay else {}
    drawn = display.from_cv_results(found, X, Y, together=together, **options)
    of_all_folds = drawn.pooled.method
    assert of_all_folds in TITLES
    assert_says(drawn, {of_all_folds})


def test_each_class_against_the_rest_names_its_method():
    assert_says(sk.ROCConfidenceDisplay.from_predictions(CLASSES, OF_CLASSES), {"rank_beta"})


QUESTIONS = {"auc": {}, "cost": {"probability_cost": 0.3, "thresholds": 0.5}, "tpr_at_fpr": {"fpr": 0.2}}
QUESTIONS |= {name: {"thresholds": 0.5} for name in ("f1", "kappa")}


@pytest.mark.parametrize("statistic", QUESTIONS)
def test_comparisons_name_their_methods(statistic):
    models = {"a": A, "b": B}
    compared = sk.compare_models(Y, models, statistic, **QUESTIONS[statistic])
    assert_says(sk.ModelComparisonDisplay.from_comparison(compared), {compared.method})
    assert_captioned(compared, {part.methods[0] for part in compared.differences.parts})
    apart = sk.compare_groups(Y, A, np.arange(24) // 6 % 2, statistic, **QUESTIONS[statistic])
    assert_captioned(apart, {"combined"})


def assert_captioned(result, methods):
    caption = re.findall("<p>(Limits.*?)</p>", result._repr_html_().replace("&#x27;", "'"))[0]
    for name, title in TITLES.items():
        assert (f"method '{name}' ({title})" in caption) == (name in methods), caption
    assert ("exact bootstrap" in caption) == ("percentile" in methods)


OF_RESULTS = [each for each in (*STATISTICS, *BELONGING) if each.name.startswith("bootstrap")]


@pytest.mark.parametrize("statistic", OF_RESULTS, ids=str)
def test_tables_name_the_method_of_their_limits(statistic, monkeypatch):
    without = property(lambda result: lambda: np.full_like(result.estimate, 0.5))  # takes most of a table's time
    monkeypatch.setattr(sk.results.BootstrapResult, "pvalue", without)
    result = statistic.of_cases(GIVEN)
    for part in parts(result):
        assert_captioned(part, {part.methods[0]})
    if hasattr(result, "tpr") and not hasattr(result, "methods"):
        assert_captioned(result, {result.tpr.methods[0]})


@pytest.mark.parametrize("name", BEYOND)
def test_tables_of_classes_and_choices_do_too(name):
    for part in parts(BEYOND[name]):
        assert_captioned(part, {part.methods[0]})


def test_the_command_line_names_methods_by_their_titles(tmp_path, undrawn):
    lines = ["y,a,b,group", *(f"{y},{a},{b},{g}" for y, a, b, g in zip(Y, RISK_A, RISK_B, GROUPS, strict=True))]
    (tmp_path / "scores.csv").write_text("\n".join(lines))
    asked = [str(tmp_path / "scores.csv"), "--y-true", "y", "--score", "a", "--score", "b", "--metrics"]
    asked += ["roc_auc", "sensitivity_at_specificity:0.9", "cost", "f1"]
    for group in ([], ["--groups", "group"]):
        said, page = io.StringIO(), tmp_path / "report.html"
        with redirect_stdout(said):
            main(["compare", *asked, *group, "--output", str(page), "--overwrite"])
        for text in (said.getvalue(), page.read_text()):
            plain = re.sub(r"\s+", " ", text.replace("<br>", " "))
            methods = plain[plain.index("Methods, to copy") : plain.index("References")]
            titles = re.findall(r" \(([^()]+) intervals\): ", methods)
            assert titles
            assert set(titles) <= set(TITLES.values())
            assert "exact bootstrap" not in plain.lower()
