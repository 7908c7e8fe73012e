"""ROC points at fixed thresholds against published numbers, what intervals promise, and averages of given curves."""

import re

import numpy as np
import oracles
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import binom, norm
from sklearn.metrics import roc_curve
from test_cost import TIED

import skcostci as sk

UNTIED = [(1, (5, 1)), (1, (6, 8)), (1, (3, 7)), (1, (8, 4)), (0, (1, 2)), (0, (2, 6)), (0, (4, 3)), (0, (7, 5))]


def roc(labels, scores, thresholds=None, **options):
    return sk.bootstrap_roc_at_threshold(labels, scores, thresholds=thresholds, **options)


def difference(labels, a, b, thresholds_a, thresholds_b, **options):
    return sk.bootstrap_roc_difference_at_threshold(labels, a, b, thresholds=(thresholds_a, thresholds_b), **options)


def test_dominance_at_several_points_is_an_array_and_models_alike_never_dominate():
    y_true, a, b = oracles.columns(TIED)
    several, one = difference(y_true, a, b, [2, 0], [2, 3]).dominance(), difference(y_true, a, b, 2, 2).dominance()
    assert several.a.shape == several.b.shape == (2,)
    assert (several.a[0], several.b[0]) == one
    assert isinstance(one.a, float)
    assert difference(y_true, a, a, 2, 2).dominance() == (0, 0)


def test_the_papers_interval_when_none_of_ten_thousand_reaches_the_threshold():
    """Dugas & Gadoury 2009, section 5.1: [0, 4.7539e-04] at 90 %, rectangle; 0.2701 and 0.692 below."""
    labels = np.repeat([1, 0], 10_000)
    scores = np.where(labels == 1, 2.0, 0.0)
    low, high = roc(labels, scores, 1.0).confidence_region(0.9, method="agresti").fpr
    assert low == 0
    assert f"{high:.4e}" == "4.7539e-04"


@pytest.mark.filterwarnings("ignore::skcostci.DegenerateLawWarning")
def test_the_papers_wald_region_almost_never_sees_a_rare_false_positive():
    """The paper simulates 0.692 (Wald) for theta = 5 at total positive rate .2, sqrt(.9) a side; exact: 0.6921."""
    rate, n, seen = float(norm.sf(5.9513, -5, 3)), 10_000, np.arange(60)
    assert round(binom.pmf(0, n, rate), 3) == 0.270
    labels = np.repeat([1, 0], n)
    scores = np.where(labels == 1, -1.0, np.tile(np.arange(n), 2))
    low, high = roc(labels, scores, n - seen).fpr.confidence_interval(0.9**0.5, method="wald")
    fpr_side = binom.pmf(seen, n, rate)[(low <= rate) & (rate <= high)].sum()  # the k largest negatives reach n - k
    tpr, hits = float(norm.sf(5.9513, 5, 3.75)), np.arange(n + 1)
    margin = norm.ppf(0.5 + 0.9**0.5 / 2) * np.sqrt(hits / n * (1 - hits / n) / n)
    tpr_side = binom.pmf(hits, n, tpr)[np.abs(hits / n - tpr) <= margin].sum()
    assert_allclose(fpr_side * tpr_side, 0.6921, atol=2e-4)


def test_agresti_min_as_algorithm_3_prints_it():
    y_true, a, b = oracles.columns(TIED)
    low, high = difference(y_true, a, b, 2, 2).confidence_region(0.9, method="agresti").tpr
    only_a, only_b, n = 1, 1, 4  # positives (2,1), (3,3), (2,3), (0,2) at thresholds 2 and 2
    p, q = (only_a + 0.5) / (n + 2), (only_b + 0.5) / (n + 2)
    half = norm.ppf(0.5 + 0.9**0.5 / 2) * np.sqrt((p + q - (p - q) ** 2) / (n + 2))
    assert_allclose([low, high], [p - q - half, p - q + half])


def test_sides_of_the_region_have_the_root_of_its_level():
    result = roc(*oracles.columns(TIED)[:2], [1, 2, 3])
    region = result.confidence_region(0.81, method="wilson")
    for side, rate in ((region.fpr, result.fpr), (region.tpr, result.tpr)):
        assert_array_equal(side, rate.confidence_interval(0.9, method="wilson"))


def test_default_thresholds_are_the_distinct_scores_going_down():
    y_true, y_score, _ = oracles.columns(TIED)
    result = roc(y_true, y_score)
    assert_array_equal(result.thresholds, [3, 2, 1, 0])
    fpr, tpr, thresholds = roc_curve(y_true, y_score, drop_intermediate=False)
    assert_array_equal(result.thresholds, thresholds[1:])
    assert_allclose([result.fpr.estimate, result.tpr.estimate], [fpr[1:], tpr[1:]])


def test_many_scores_are_thinned_to_observed_quantiles():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=1234)
    cuts = roc(rng.integers(0, 2, 1234), scores).thresholds
    assert np.isin(cuts, scores).all()
    assert (len(cuts), cuts[0], cuts[-1]) == (101, scores.max(), scores.min())
    reached = (scores[:, None] >= cuts).sum(axis=0)
    assert_array_equal(reached[1:], np.ceil(np.arange(1, 101) * 1234 / 100))


def test_scalars_frames_and_reprs():
    y_true, a, b = oracles.columns(TIED)
    one, several = roc(y_true, a, 2), roc(y_true, a, [1, 2])
    assert isinstance(one.tpr.estimate, float)
    assert isinstance(one.thresholds, float)
    assert repr(one).startswith("ThresholdROCResult(roc_at_threshold, threshold=2, fpr=0.25 (95 % interval ")
    shown = (
        r"ThresholdROCResult\(roc_at_threshold, 2 points, threshold 1 to 2, "
        r"fpr 0.25 to 0.75 \(95 % intervals within .*\), tpr 0.75 to 0.75 \(95 % .*\)\)"
    )
    assert re.fullmatch(shown, repr(several))
    frame = difference(y_true, a, b, [1, 2], 2).to_frame(0.9)
    rates = ["statistic", "estimate", "standard_error", "low", "high", "region_low", "region_high"]
    assert list(frame) == ["threshold_a", "threshold_b", *rates, "confidence_level", "method"]
    assert frame["statistic"].tolist() == ["fpr difference"] * 2 + ["tpr difference"] * 2
    rows = several.to_frame(0.9).set_index("statistic")
    assert_array_equal(rows["low"]["tpr"], several.tpr.confidence_interval(0.9).low)
    assert_array_equal(rows["region_high"]["fpr"], several.confidence_region(0.9).fpr.high)


PAIRED, ONE, PAIR = sk.bootstrap_roc_difference_at_threshold, ([0, 1], [0, 1]), ([0, 1], [0, 1], [0, 1])


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: roc(*ONE, [1, np.nan]), "thresholds must contain numbers in .*, got nan"),
        (lambda: roc(*ONE, []), "thresholds must be a number or a non-empty vector of numbers, got shape \\(0,\\)"),
        (lambda: roc(*ONE, [[1.0]]), "thresholds must be a number or a non-empty vector of numbers, got shape .1, 1."),
        (lambda: roc(*ONE, "envelope"), "thresholds must be one of 'youden', got 'envelope'"),
        (lambda: difference(*PAIR, [1, 2], [1, 2, 3]), "thresholds must be as many for .*, got 2 and 3 of them"),
        (lambda: difference(*PAIR, 1, np.nan), "thresholds must be a number in .*, got nan"),
        (lambda: PAIRED(*PAIR, thresholds=(1, 2, 3)), "thresholds as a tuple must contain .* and of model b, got 3"),
        (lambda: PAIRED(*PAIR), "thresholds"),
        (lambda: roc(*ONE, 1).confidence_region(1), r"confidence_level must be a number in \(0, 1\), got 1"),
        (lambda: roc(*ONE, 1).confidence_region(method="bootstrap"), "method must be one of 'clop.*got 'bootstrap'"),
    ],
)
def test_what_is_refused(ask, message):
    with pytest.raises(TypeError if message == "thresholds" else ValueError, match=message):
        ask()


def test_a_million_rows():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, 1_000_000)
    scores = rng.normal(size=1_000_000) + labels
    result = roc(labels, scores, np.linspace(-2, 3, 9))
    by_quantiles, gaussian = (result.confidence_region(0.95, method=each) for each in ("percentile", "wald"))
    assert_allclose(by_quantiles.tpr, gaussian.tpr, atol=3 / 500_000)
    a, b = difference(labels, scores, rng.normal(size=1_000_000), [0.5], [0.5]).dominance()
    assert 0 <= a[0] + b[0] <= 1


CURVES = [([0.04], [0.4]), ([0.3], [0.8])]


def test_the_curves_of_figure_14():
    """By hand, on the straight lines through (0.04, 0.4) and (0.3, 0.8)."""
    assert_allclose(sk.average_roc_curves(CURVES, fpr=[0.04, 0.3]), [(0.4 + 0.8 * 0.04 / 0.3) / 2, (0.5625 + 0.8) / 2])
    assert_allclose(sk.average_roc_curves(CURVES, tpr=[0.4, 0.8]), [(0.04 + 0.15) / 2, (0.68 + 0.3) / 2])


def test_one_curve_is_its_own_average_at_either_end_of_its_steps():
    y, score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
    fpr, tpr, _ = roc_curve(y, score, drop_intermediate=False)
    assert_allclose(sk.average_roc_curves([(fpr, tpr)], fpr=fpr), [tpr[fpr == x].max() for x in fpr])
    assert_allclose(sk.average_roc_curves([(fpr, tpr)], tpr=tpr), [fpr[tpr == y].min() for y in tpr])
    curve = sk.CostCurve.from_predictions(y, score)
    assert_allclose(sk.average_roc_curves([curve], fpr=[0.125]), [0.75])
    assert isinstance(sk.average_roc_curves([curve, (fpr, tpr)], fpr=0.1), float)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"curves": CURVES}, "pass either fpr, for the vertical average"),
        ({"curves": CURVES, "fpr": 0.1, "tpr": 0.1}, "pass either fpr, for the vertical average"),
        ({"curves": [], "fpr": 0.1}, "must contain at least one curve"),
        ({"curves": [0.1], "fpr": 0.1}, r"curves\[0\] must be a pair"),
        ({"curves": [([0.3, 0.1], [0.2, 0.4])], "fpr": 0.1}, r"fpr of curves\[0\] must not fall, got 0.3"),
        ({"curves": CURVES, "fpr": 1.5}, "fpr"),
    ],
)
def test_what_is_no_curve_is_refused(options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        sk.average_roc_curves(**options)
