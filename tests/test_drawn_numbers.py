"""Every display holds what the public functions say, by any band, method or sampling, of groups and of folds."""

import numpy as np
import pytest
from matplotlib.figure import Figure
from numpy.testing import assert_allclose
from statistics_list import limits, of_folds

import skcostci as sk

RNG = np.random.default_rng(8)
Y = np.tile([0, 1, 0, 1, 0, 0], 12)
RISKS = np.clip((RNG.normal(0.4, 0.2, (2, 72)) + 0.25 * Y).round(2), 0, 1)
A, B = RISKS
TIMES = 1 + np.arange(72) % 2
GROUPS = np.arange(72) // 3
FOLDS = np.arange(72) // 24
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


COSTS = [
    {**SAMPLE},
    {**SAMPLE, "sampling": "full", "thresholds": 0.5},
    {**GROUPED},
    {**GROUPED, "thresholds": 0.5},
    {**SAMPLE, "thresholds": "probability"},
]


@pytest.mark.parametrize("band", ["pointwise", "simultaneous"])
@pytest.mark.parametrize("options", COSTS, ids=lambda options: "-".join(options))
def test_cost_curves(options, band):
    result = sk.bootstrap_cost(Y, A, probability_cost=W, **options)
    if band == "simultaneous" and not hasattr(result, "confidence_band"):
        pytest.skip("these costs have no band")
    for method in result.methods if band == "pointwise" else result.band_methods:
        display = drawn(sk.CostCurveDisplay, A, probability_cost=W, band=band, method=method, **options)
        assert_allclose(display.cost, result.estimate, rtol=1e-13)
        assert_allclose([display.low, display.high], ends(result, band, method), rtol=1e-12, err_msg=method)


@pytest.mark.parametrize("band", ["pointwise", "simultaneous"])
@pytest.mark.parametrize(
    "options", [{**COSTS[1], "thresholds": (0.5, 0.4)}, SAMPLE, GROUPED], ids=["full", "", "groups"]
)
def test_differences_of_cost_curves(options, band):
    result = sk.bootstrap_cost_difference(Y, A, B, probability_cost=W, **options)
    if band == "simultaneous" and not hasattr(result, "confidence_band"):
        pytest.skip("these differences have no band")
    for method in result.methods if band == "pointwise" else result.band_methods:
        options_of_both = {"probability_cost": W, "band": band, "method": method, **options}
        display = drawn(sk.PairedCostDifferenceDisplay, A, B, **options_of_both)
        assert_allclose(display.difference, result.estimate, atol=1e-15)
        assert_allclose([display.low, display.high], ends(result, band, method), rtol=1e-12, err_msg=method)


def test_roc_curves_at_rates_and_budgets():
    result = sk.bootstrap_roc_at_fpr(Y, A, fpr=U, **SAMPLE)
    auc = sk.bootstrap_auc(Y, A, **SAMPLE)
    for method in result.methods:
        display = drawn(sk.ROCConfidenceDisplay, A, fpr=U, method=method, **SAMPLE)
        assert_allclose([display.low, display.high], ends(result, method=method), rtol=1e-12)
        assert_allclose([display.roc_auc, *display.roc_auc_interval], [auc.estimate, *limits(auc, LEVEL)], rtol=1e-12)
    for sampling in ("stratified", "full"):
        asked = {"positive_rate": U, "sampling": sampling, **SAMPLE}
        budgets = sk.bootstrap_roc_at_positive_rate(Y, A, **asked)
        display = drawn(sk.ROCConfidenceDisplay, A, averaging="positive_rate", **asked)
        assert_allclose([display.low, display.high], ends(budgets), rtol=1e-12)
        assert_allclose([display.fpr_low, display.fpr_high], ends(budgets.fpr), rtol=1e-12)


@pytest.mark.parametrize("options", [SAMPLE, GROUPED], ids=["", "groups"])
def test_roc_curves_at_thresholds(options):
    result = sk.bootstrap_roc_at_threshold(Y, A, thresholds=CUTS, **options)
    display = drawn(sk.ROCConfidenceDisplay, A, averaging="threshold", thresholds=CUTS, **options)
    region = result.confidence_region(LEVEL)
    assert_allclose([display.band_fpr, display.band_tpr], [result.fpr.estimate, result.tpr.estimate], rtol=1e-13)
    assert_allclose([display.low, display.high], np.array(region.tpr), rtol=1e-12)
    assert_allclose([display.fpr_low, display.fpr_high], np.array(region.fpr), rtol=1e-12)
    auc = sk.bootstrap_auc(Y, A, **options)
    assert_allclose(display.roc_auc_interval, limits(auc, LEVEL), rtol=1e-12)


@pytest.mark.parametrize("options", [SAMPLE, GROUPED], ids=["", "groups"])
def test_curves_of_metrics(options):
    shown = drawn(sk.MetricThresholdDisplay, A, metrics=["f1", "kappa"], thresholds=CUTS, **options)
    for row, metric in enumerate(("f1", "kappa")):
        result = sk.bootstrap_metric(Y, A, metric, thresholds=CUTS, **options)
        assert_allclose(shown.values[row], result.estimate, rtol=1e-13)
        assert_allclose([shown.low[row], shown.high[row]], ends(result), rtol=1e-12)
    precision = drawn(sk.PrecisionRecallConfidenceDisplay, A, **options)
    result = sk.bootstrap_metric(Y, A, "precision", thresholds=precision.thresholds, **options)
    recall = sk.bootstrap_metric(Y, A, "recall", thresholds=precision.thresholds, **options)
    assert_allclose(precision.band_recall, recall.estimate, atol=1e-15)
    assert_allclose([precision.low, precision.high], ends(result), rtol=1e-12)


@pytest.mark.parametrize("options", [SAMPLE, GROUPED], ids=["", "groups"])
@pytest.mark.parametrize(
    "more", [{}, {"prevalence": 0.2}, {"standardized": True}], ids=["", "prevalence", "standardized"]
)
def test_decision_curves(options, more):
    if "groups" in options and "prevalence" in more:
        pytest.skip("groups say their own prevalence")
    risks = [0.2, 0.4]
    name = {"metric": "standardized_net_benefit" if more.pop("standardized", False) else "net_benefit"}
    standardized = {"standardized": name["metric"] != "net_benefit"}
    result = sk.bootstrap_metric(Y, A, **name, thresholds=risks, **more, **options)
    display = drawn(sk.DecisionCurveDisplay, A, thresholds=risks, **standardized, **more, **options)
    assert_allclose(display.net_benefit, result.estimate, atol=1e-14)
    assert_allclose([display.low, display.high], ends(result), rtol=1e-10)
    result = sk.bootstrap_metric_difference(Y, A, B, **name, thresholds=risks, **more, **options)
    display = drawn(sk.DecisionCurveDifferenceDisplay, A, B, thresholds=risks, **standardized, **more, **options)
    assert_allclose(display.difference, result.estimate, atol=1e-14)
    assert_allclose([display.low, display.high], ends(result), rtol=1e-10)


FOLDED = {
    sk.ROCConfidenceDisplay: ({"fpr": U}, "band_tpr", sk.bootstrap_roc_at_fpr),
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
        display = sk.ModelComparisonDisplay.from_predictions(
            Y, scores, confidence_level=LEVEL, ax=Figure().subplots(), **options
        )
        low, high = limits(comparison, LEVEL)
        at = {name: (comparison.estimate[i], low[i], high[i]) for i, name in enumerate(comparison.models)}
        shown = np.column_stack([display.estimate, display.low, display.high])
        assert_allclose([at[name] for name in display.models], shown, rtol=1e-12)
        order = -display.estimate if comparison.greater_is_better else display.estimate
        assert (np.diff(order) >= 0).all()
        assert display.best == comparison.may_be_best(LEVEL)
