"""Every display holds what the public functions say, by any band, method or sampling, of groups and of folds."""

import numpy as np
import pytest
from matplotlib.figure import Figure
from numpy.testing import assert_allclose
from statistics_list import limits, of_folds

import skcostci as sk

pytestmark = pytest.mark.usefixtures("no_layout")
RNG = np.random.default_rng(8)
Y = np.tile([0, 1, 0, 1, 0, 0], 8)
RISKS = np.clip((RNG.normal(0.4, 0.2, (2, 48)) + 0.25 * Y).round(2), 0, 1)
A, B = RISKS
TIMES = 1 + np.arange(48) % 2
GROUPS = np.arange(48) // 3
FOLDS = np.arange(48) // 16
W, U, CUTS = [0.2, 0.5, 0.7], [0.1, 0.3, 0.6], [0.3, 0.5, 0.6]
SAMPLE = {"sample_weight": TIMES}
GROUPED = {"sample_weight": TIMES, "groups": GROUPS}
LEVEL = 0.8


def ends(result, band="pointwise", method=None):
    """Its limits at the points, or its band over all of them."""
    found = result.confidence_band(LEVEL, method=method) if band == "simultaneous" else None
    return np.array(limits(result, LEVEL, method=method) if found is None else found)


def drawn(display, *scores, **options):
    return display.from_predictions(Y, *scores, confidence_level=LEVEL, ax=Figure().subplots(), **options)


COSTS = [SAMPLE, {**SAMPLE, "sampling": "full", "thresholds": 0.5}, GROUPED, {**GROUPED, "thresholds": 0.5}]
COSTS.append({**SAMPLE, "thresholds": "probability"})
by_case_and_group = pytest.mark.parametrize("options", [SAMPLE, GROUPED], ids=["", "groups"])


def assert_drawn(display, field, result, *scores, **options):
    """By each method, pointwise and, where there are bands, over all conditions."""
    for band in ("pointwise", "simultaneous")[: 1 + hasattr(result, "confidence_band")]:
        for method in result.methods if band == "pointwise" else result.band_methods:
            shown = drawn(display, *scores, probability_cost=W, band=band, method=method, **options)
            assert_allclose(getattr(shown, field), result.estimate, rtol=1e-13, atol=1e-15)
            assert_allclose([shown.low, shown.high], ends(result, band, method), rtol=1e-12, err_msg=method)


@pytest.mark.parametrize("options", COSTS, ids=lambda options: "-".join(options))
def test_cost_curves(options):
    result = sk.bootstrap_cost(Y, A, probability_cost=W, **options)
    assert_drawn(sk.CostCurveDisplay, "cost", result, A, **options)


@pytest.mark.parametrize(
    "options", [{**COSTS[1], "thresholds": (0.5, 0.4)}, SAMPLE, GROUPED], ids=["full", "", "groups"]
)
def test_differences_of_cost_curves(options):
    result = sk.bootstrap_cost_difference(Y, A, B, probability_cost=W, **options)
    assert_drawn(sk.PairedCostDifferenceDisplay, "difference", result, A, B, **options)


def test_roc_curves_at_rates_and_budgets():
    result = sk.bootstrap_roc_at_fpr(Y, A, fpr=U, **SAMPLE)
    auc = sk.bootstrap_auc(Y, A, **SAMPLE)
    for method in result.methods:
        display = drawn(sk.ROCConfidenceDisplay, A, at=U, method=method, **SAMPLE)
        assert_allclose([display.low, display.high], ends(result, method=method), rtol=1e-12)
        assert_allclose([display.roc_auc, *display.roc_auc_interval], [auc.estimate, *limits(auc, LEVEL)], rtol=1e-12)
    budgets = sk.bootstrap_roc_at_positive_rate(Y, A, positive_rate=U, **SAMPLE)
    display = drawn(sk.ROCConfidenceDisplay, A, averaging="positive_rate", at=U, **SAMPLE)
    assert_allclose([display.low, display.high], ends(budgets), rtol=1e-12)
    assert_allclose([display.fpr_low, display.fpr_high], ends(budgets.fpr), rtol=1e-12)


@by_case_and_group
def test_roc_curves_at_thresholds(options):
    result = sk.bootstrap_roc_at_threshold(Y, A, thresholds=CUTS, **options)
    display = drawn(sk.ROCConfidenceDisplay, A, averaging="threshold", at=CUTS, **options)
    region = result.confidence_region(LEVEL)
    assert_allclose([display.band_fpr, display.band_tpr], [result.fpr.estimate, result.tpr.estimate], rtol=1e-13)
    assert_allclose([display.low, display.high], np.array(region.tpr), rtol=1e-12)
    assert_allclose([display.fpr_low, display.fpr_high], np.array(region.fpr), rtol=1e-12)
    auc = sk.bootstrap_auc(Y, A, **options)
    assert_allclose(display.roc_auc_interval, limits(auc, LEVEL), rtol=1e-12)


@by_case_and_group
def test_curves_of_precision_and_recall(options):
    precision = drawn(sk.PrecisionRecallConfidenceDisplay, A, **options)
    result = sk.bootstrap_metric(Y, A, "precision", thresholds=precision.thresholds, **options)
    recall = sk.bootstrap_metric(Y, A, "recall", thresholds=precision.thresholds, **options)
    assert_allclose(precision.band_recall, recall.estimate, atol=1e-15)
    assert_allclose([precision.low, precision.high], ends(result), rtol=1e-12)


@pytest.mark.parametrize("more", [{"prevalence": 0.2, **SAMPLE}, {"standardized": True, **GROUPED}])
def test_decision_curves(more):
    name = "standardized_net_benefit" if "standardized" in more else "net_benefit"
    asked = {key: value for key, value in more.items() if key != "standardized"}
    result = sk.bootstrap_metric(Y, A, name, thresholds=[0.2, 0.4], **asked)
    display = drawn(sk.DecisionCurveDisplay, A, thresholds=[0.2, 0.4], **more)
    assert_allclose(display.net_benefit, result.estimate, atol=1e-14)
    assert_allclose([display.low, display.high], ends(result), rtol=1e-10)


FOLDED = {  # options of the display, its field, the function, and the function's own name of an option
    sk.ROCConfidenceDisplay: ({"at": U}, "band_tpr", lambda *a, at, **o: sk.bootstrap_roc_at_fpr(*a, fpr=at, **o)),
    sk.CostCurveDisplay: ({"probability_cost": W, "thresholds": 0.5}, "cost", sk.bootstrap_cost),
}


@pytest.mark.parametrize("display", FOLDED)
def test_folds_are_their_own_results_and_the_pooled_one_that_of_all(display):
    asked, field, function = FOLDED[display]
    shown = of_folds(display, Y, A, folds=FOLDS, confidence_level=LEVEL, **asked, **SAMPLE)
    result = function(Y, A, **asked, **SAMPLE)
    assert_allclose(getattr(shown.pooled, field), result.estimate, rtol=1e-13)
    assert_allclose([shown.pooled.low, shown.pooled.high], ends(result), rtol=1e-12)
    for fold in range(3):
        rows = fold == FOLDS
        if display is sk.CostCurveDisplay:
            alone = function(Y[rows], A[rows], **asked, sample_weight=TIMES[rows])
            assert_allclose(shown.cost[fold], alone.estimate, rtol=1e-13)
        else:
            area = sk.bootstrap_auc(Y[rows], A[rows], sample_weight=TIMES[rows])
            assert_allclose(shown.roc_auc[fold], area.estimate, rtol=1e-13)
    mean = of_folds(display, Y, A, folds=FOLDS, together="mean", confidence_level=LEVEL, **asked, **SAMPLE)
    parts = [function(Y[k == FOLDS], A[k == FOLDS], **asked, sample_weight=TIMES[k == FOLDS]) for k in range(3)]
    assert_allclose(getattr(mean.pooled, field), np.mean([part.estimate for part in parts], axis=0), rtol=1e-13)


@pytest.mark.parametrize("display", FOLDED)
def test_folds_are_drawn_for_the_class_asked_for(display):
    """The scores of an estimator are those of its second class; those of the first are their opposites."""
    asked, field, function = FOLDED[display]
    asked = {**asked, "thresholds": -0.5} if "thresholds" in asked else asked
    shown = of_folds(display, Y, A, folds=FOLDS, pos_label=0, confidence_level=LEVEL, **asked)
    result = function(1 - Y, -A, **asked)
    assert_allclose(getattr(shown.pooled, field), result.estimate, rtol=1e-13)
    assert_allclose([shown.pooled.low, shown.pooled.high], ends(result), rtol=1e-12)


def test_a_comparison_is_drawn_as_it_is_from_the_best_down():
    scores = {"a": A, "b": B, "mean": (A + B) / 2}
    for options in ({**SAMPLE}, {**GROUPED}, {"statistic": "cost", "probability_cost": 0.4, **SAMPLE}):
        comparison = sk.compare_models(Y, scores, **options)
        display = drawn(sk.ModelComparisonDisplay, scores, **options)
        low, high = limits(comparison, LEVEL)
        at = {name: (comparison.estimate[i], low[i], high[i]) for i, name in enumerate(comparison.models)}
        shown = np.column_stack([display.estimate, display.low, display.high])
        assert_allclose([at[name] for name in display.models], shown, rtol=1e-12)
        order = -display.estimate if comparison.greater_is_better else display.estimate
        assert (np.diff(order) >= 0).all()
        assert display.best == comparison.may_be_best(LEVEL)


def outline(band):
    """The corners of what is filled, as a set."""
    return {tuple(point) for path in band.get_paths() for point in path.vertices.round(11).tolist()}


def holds(band, x, *edges):
    """Whether a filled band runs through these limits."""
    return all({*zip(np.round(x, 11), np.round(edge, 11), strict=True)} <= outline(band) for edge in edges)


@by_case_and_group
def test_the_artists_of_a_difference_are_at_the_numbers_of_the_library(options):
    difference = sk.bootstrap_cost_difference(Y, A, B, probability_cost=W, **options)
    display = drawn(sk.PairedCostDifferenceDisplay, A, B, probability_cost=W, **options)
    assert_allclose(display.line_.get_xydata(), np.column_stack([W, difference.estimate]), atol=1e-14)
    assert holds(display.fill_between_, W, *ends(difference))
    assert_allclose(display.chance_level_.get_ydata(), 0)


def test_strips_are_where_a_model_is_significantly_cheaper():
    """Full where a is, hollow where b is; from the first to the last of the operating conditions in between."""
    better, worse = np.where(Y, RISKS + 0.2, RISKS - 0.1), 1 - RISKS
    for scores, which in (((better[0], worse[0]), 0), ((worse[0], better[0]), 1)):
        result = sk.bootstrap_cost_difference(Y, *scores, **SAMPLE)
        for band in ("pointwise", "simultaneous"):
            display = drawn(sk.PairedCostDifferenceDisplay, *scores, band=band, **SAMPLE)
            found = result.significant(LEVEL, simultaneous=True)  # whatever band is drawn
            assert len(found[which]) > 0 == len(found[1 - which])
            strips = sorted((each.get_x(), each.get_x() + each.get_width()) for each in display.stretches_)
            assert_allclose(strips, found[which], atol=1e-12)
            assert {each.get_facecolor()[3] > 0 for each in display.stretches_} == {which == 0}
            said = [text.get_text() for text in display.ax_.get_legend().get_texts()]
            assert f"{'ab'[which]} significantly cheaper (80 %, simultaneous)" in said


@by_case_and_group
def test_the_artists_of_one_model_are_at_the_numbers_of_the_library(options):
    cost = sk.bootstrap_cost(Y, A, probability_cost=W, **options)
    display = drawn(sk.CostCurveDisplay, A, probability_cost=W, **options).plot(Figure().subplots())
    assert_allclose(display.line_.get_xydata(), np.column_stack([W, cost.estimate]), rtol=1e-13)
    assert holds(display.fill_between_, W, *ends(cost))
    assert_allclose(display.chance_level_.get_xydata(), [[0, 0], [0.5, 0.5], [1, 0]])
    metrics = ["precision", "mcc"]
    shown = drawn(sk.MetricThresholdDisplay, A, metrics=metrics, thresholds=CUTS, chosen=0.5, **options)
    for name, line, band in zip(metrics, shown.line_, shown.fill_between_, strict=True):
        result = sk.bootstrap_metric(Y, A, name, thresholds=CUTS, **options)
        assert_allclose(line.get_xydata(), np.column_stack([CUTS, result.estimate]), rtol=1e-13)
        assert holds(band, CUTS, *ends(result))
    assert_allclose(shown.chosen_.get_xdata(), 0.5)
    risks = [0.2, 0.4]
    benefit = sk.bootstrap_metric(Y, A, "net_benefit", thresholds=risks, **options)
    curve = drawn(sk.DecisionCurveDisplay, A, thresholds=risks, **options)
    assert_allclose(curve.line_.get_xydata(), np.column_stack([risks, benefit.estimate]), atol=1e-14)
    assert holds(curve.fill_between_, risks, *ends(benefit))


POINTS = {  # what is held, and the results of the rates that are not
    ("tpr", 0.9): lambda y, s: {"fpr": sk.bootstrap_roc_at_tpr(y, s, tpr=0.9, **SAMPLE)},
    ("fpr", 0.2): lambda y, s: {"tpr": sk.bootstrap_roc_at_fpr(y, s, fpr=0.2, **SAMPLE)},
    ("threshold", 0.55): lambda y, s: {
        rate: getattr(sk.bootstrap_roc_at_threshold(y, s, thresholds=0.55, **SAMPLE), rate) for rate in ("tpr", "fpr")
    },
}


@pytest.mark.parametrize("held", POINTS, ids=lambda held: held[0])
def test_operating_points(held):
    display = drawn(sk.ROCConfidenceDisplay, A, operating_point=dict([held]), band=None, **SAMPLE)
    middle, ends_of_bars, bars = display.operating_point_
    at = dict(zip(("fpr", "tpr"), middle.get_xydata()[0], strict=True))
    results = POINTS[held](Y, A)
    assert at.get(held[0], held[1]) == held[1]
    assert [at[rate] for rate in results] == [float(each) for each in results.values()]
    found = [bar.get_segments()[0] for bar in bars]
    for rate, each in results.items():
        axis = ("fpr", "tpr").index(rate)
        (segment,) = [part for part in found if np.ptp(part[:, axis]) > 0]
        assert_allclose(segment[:, axis], each.confidence_interval(LEVEL), rtol=1e-12, err_msg=rate)
        assert np.ptp(segment[:, 1 - axis]) == 0
    assert len(bars) == len(results) == len(ends_of_bars) / 2


def test_operating_points_of_classes_and_of_folds():
    species = np.repeat(["a", "b", "c"], 12)
    columns = RNG.dirichlet(np.ones(3), 36)
    point = {"operating_point": {"tpr": 0.8}}
    display = sk.ROCConfidenceDisplay.from_predictions(species, columns, **point, ax=Figure().subplots())
    marked = [part.operating_point["fpr"][0] for part in display.classes]
    alone = [sk.bootstrap_roc_at_tpr(species == name, s, tpr=0.8) for name, s in zip("abc", columns.T, strict=True)]
    assert marked == [float(each) for each in alone]
    assert len({cross.lines[0].get_marker() for cross in display.operating_point_}) == 3
