"""ROC points at fixed thresholds against complete enumeration and the published numbers, and what intervals promise."""

import re
import warnings
from fractions import Fraction

import numpy as np
import oracles
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import binom, binomtest, norm
from sklearn.metrics import roc_curve
from strategies import samples
from test_cost import TIED, UNEVEN, agree, columns

import skcostci as sk

UNTIED = [(1, (5, 1)), (1, (6, 8)), (1, (3, 7)), (1, (8, 4)), (0, (1, 2)), (0, (2, 6)), (0, (4, 3)), (0, (7, 5))]
DESIGNS = {"tied": TIED, "untied": UNTIED, "uneven": UNEVEN}
METHODS = sk.bootstrap_roc_at_threshold([0, 1], [0, 1]).tpr.methods
PAIRED_METHODS = sk.bootstrap_roc_difference_at_threshold([0, 1], [0, 1], [0, 1], thresholds=1).tpr.methods


def roc(labels, scores, thresholds=None, **options):
    return sk.bootstrap_roc_at_threshold(labels, scores, thresholds=thresholds, **options)


def difference(labels, a, b, thresholds_a, thresholds_b, **options):
    return sk.bootstrap_roc_difference_at_threshold(labels, a, b, thresholds=(thresholds_a, thresholds_b), **options)


@pytest.mark.parametrize("threshold", [-np.inf, 0, 2, 2.5, 4, np.inf])
@pytest.mark.parametrize("design", DESIGNS)
def test_rates_of_one_model(design, threshold):
    cases = DESIGNS[design]
    y_true, y_score, _ = columns(cases)
    result = roc(y_true, y_score, threshold)
    for label, rate in ((1, result.tpr), (0, result.fpr)):
        agree(rate, oracles.stratified_law(cases, lambda drawn, label=label: oracles.rate(drawn, label, threshold)))


@pytest.mark.parametrize("thresholds", [(2, 2), (0, 3), (2.5, 1), (4, 4), (np.inf, 2), (np.inf, -np.inf)])
@pytest.mark.parametrize("design", DESIGNS)
def test_differences_of_two_models(design, thresholds):
    cases = DESIGNS[design]
    y_true, a, b = columns(cases)
    result = difference(y_true, a, b, *thresholds)
    for label, rate in ((1, result.tpr), (0, result.fpr)):

        def gap(drawn, label=label):
            return oracles.rate(drawn, label, thresholds[0], 0) - oracles.rate(drawn, label, thresholds[1], 1)

        agree(rate, oracles.stratified_law(cases, gap))


@pytest.mark.parametrize("thresholds", [(2, 2), (0, 3), (2.5, 1), (4, 4), (np.inf, 2), (np.inf, np.inf)])
@pytest.mark.parametrize("design", DESIGNS)
def test_dominance(design, thresholds):
    cases = DESIGNS[design]
    exact = oracles.dominance(cases, *thresholds)
    result = difference(*columns(cases), *thresholds).dominance()
    assert_allclose(result, [float(p) for p in exact], atol=1e-12)


def test_dominance_at_several_points_is_an_array_and_models_alike_never_dominate():
    y_true, a, b = columns(TIED)
    several = difference(y_true, a, b, [2, 0], [2, 3]).dominance()
    one = difference(y_true, a, b, 2, 2).dominance()
    assert several.a.shape == several.b.shape == (2,)
    assert (several.a[0], several.b[0]) == (one.a, one.b)
    assert isinstance(one.a, float)
    assert difference(y_true, a, a, 2, 2).dominance() == (0, 0)


def test_the_papers_interval_when_none_of_ten_thousand_reaches_the_threshold():
    """Dugas & Gadoury 2009, section 5.1: [0, 4.7539e-04] at 90 %, rectangle; 0.2701 and 0.692 below."""
    labels = np.repeat([1, 0], 10_000)
    scores = np.where(labels == 1, 2.0, 0.0)
    low, high = roc(labels, scores, 1.0).confidence_region(0.9, method="agresti").fpr
    assert low == 0
    assert f"{high:.4e}" == "4.7539e-04"


def test_the_papers_wald_region_almost_never_sees_a_rare_false_positive():
    """The paper simulates 0.692 (Wald) for theta = 5 at total positive rate .2, sqrt(.9) a side; exact: 0.6921."""
    rate, n = float(norm.sf(5.9513, -5, 3)), 10_000
    assert round(binom.pmf(0, n, rate), 3) == 0.270
    seen = np.arange(60)
    labels = np.repeat([1, 0], n)
    scores = np.where(labels == 1, -1.0, np.tile(np.arange(n), 2))
    thresholds = n - seen  # the k largest negatives reach n - k
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sk.DegenerateLawWarning)
        low, high = roc(labels, scores, thresholds).fpr.confidence_interval(0.9**0.5, method="wald")
    fpr_side = binom.pmf(seen, n, rate)[(low <= rate) & (rate <= high)].sum()
    tpr = float(norm.sf(5.9513, 5, 3.75))
    hits = np.arange(n + 1)
    margin = norm.ppf(0.5 + 0.9**0.5 / 2) * np.sqrt(hits / n * (1 - hits / n) / n)
    tpr_side = binom.pmf(hits, n, tpr)[np.abs(hits / n - tpr) <= margin].sum()
    assert_allclose(fpr_side * tpr_side, 0.6921, atol=2e-4)


def test_agresti_min_as_algorithm_3_prints_it():
    y_true, a, b = columns(TIED)
    low, high = difference(y_true, a, b, 2, 2).confidence_region(0.9, method="agresti").tpr
    only_a, only_b, n = 1, 1, 4  # positives (2,1), (3,3), (2,3), (0,2) at thresholds 2 and 2
    p, q = (only_a + 0.5) / (n + 2), (only_b + 0.5) / (n + 2)
    half = norm.ppf(0.5 + 0.9**0.5 / 2) * np.sqrt((p + q - (p - q) ** 2) / (n + 2))
    assert_allclose([low, high], [p - q - half, p - q + half])


def test_sides_of_the_region_have_the_root_of_its_level():
    result = roc(*columns(TIED)[:2], [1, 2, 3])
    region = result.confidence_region(0.81, method="wilson")
    for side, rate in ((region.fpr, result.fpr), (region.tpr, result.tpr)):
        assert_array_equal(side, rate.confidence_interval(0.9, method="wilson"))


def test_default_methods():
    one = roc(*columns(TIED)[:2], [1, 2])
    pair = difference(*columns(TIED), [1, 2], [2, 2])
    for result, method in ((one, "clopper_pearson"), (pair, "unseen_case")):
        assert_array_equal(result.confidence_region(), result.confidence_region(method=method))
        assert_array_equal(result.tpr.confidence_interval(), result.tpr.confidence_interval(method=method))


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_default_of_a_rate_is_scipys_exact_interval(alternative):
    n = 12
    labels, scores = np.r_[np.ones(n, int), 0, 0], np.r_[np.arange(n), 3.0, 4.0]
    ours = roc(labels, scores, np.arange(n + 1) - 0.5).tpr.confidence_interval(0.9, alternative=alternative)
    for hits, limits in zip(range(n, -1, -1), np.transpose(ours), strict=True):
        theirs = binomtest(hits, n, alternative=alternative).proportion_ci(0.9, "exact")
        expected = sorted(theirs) if alternative == "two-sided" else theirs
        assert_allclose(limits, expected, atol=1e-12)


def test_default_thresholds_are_the_distinct_scores_going_down():
    y_true, y_score, _ = columns(TIED)
    result = roc(y_true, y_score)
    assert_array_equal(result.thresholds, [3, 2, 1, 0])
    fpr, tpr, thresholds = roc_curve(y_true, y_score, drop_intermediate=False)
    assert_array_equal(result.thresholds, thresholds[1:])
    assert_allclose([result.fpr.estimate, result.tpr.estimate], [fpr[1:], tpr[1:]])


def test_many_scores_are_thinned_to_observed_quantiles():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=1234)
    result = roc(rng.integers(0, 2, 1234), scores)
    assert len(result.thresholds) == 101
    assert np.isin(result.thresholds, scores).all()
    assert result.thresholds[0] == scores.max()
    assert result.thresholds[-1] == scores.min()
    reached = (scores[:, None] >= result.thresholds).sum(axis=0)
    assert_array_equal(reached[1:], np.ceil(np.arange(1, 101) * 1234 / 100))


@pytest.mark.parametrize("repeats", [1, 3, 40])
def test_weights_are_repeated_rows_bit_for_bit(repeats):
    rng = np.random.default_rng(repeats)
    labels, weights = rng.integers(0, 2, 150), rng.integers(0, repeats + 1, 150)
    a, b = rng.normal(size=150), rng.normal(size=150)
    rows = np.repeat(np.arange(150), weights)
    weighted, repeated = roc(labels, a, sample_weight=weights), roc(labels[rows], a[rows])
    pd.testing.assert_frame_equal(weighted.to_frame(), repeated.to_frame(), check_exact=True)
    weighted = difference(labels, a, b, [0, 1], [0.5, 0], sample_weight=weights)
    repeated = difference(labels[rows], a[rows], b[rows], [0, 1], [0.5, 0])
    pd.testing.assert_frame_equal(weighted.to_frame(), repeated.to_frame(), check_exact=True)
    assert_array_equal(weighted.dominance(), repeated.dominance())


@settings(max_examples=40, deadline=None)
@given(samples(), st.floats(0.3, 0.9), st.sampled_from(METHODS))
def test_rates_rise_and_levels_nest_and_only_the_order_of_scores_matters(sample, level, method):
    labels, scores = sample
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sk.DegenerateLawWarning)
        result = roc(labels, scores)
        moved = roc(labels, np.exp(scores))
        assert (np.diff(result.tpr.estimate) >= 0).all()
        assert (np.diff(result.fpr.estimate) >= 0).all()
        narrow = result.confidence_region(level, method=method)
        wide = result.confidence_region((1 + level) / 2, method=method)
        for inner, outer, same in zip(narrow, wide, moved.confidence_region(level, method=method), strict=True):
            assert (outer.low <= inner.low).all()
            assert (inner.high <= outer.high).all()
            assert_array_equal(inner, same)


def test_default_intervals_never_shrink_to_a_point_where_a_case_could_fall():
    labels, scores = [0, 0, 0, 1, 1, 1], [1, 2, 3, 4, 5, 6]
    result = roc(labels, scores, [0.5, 3.5, 6.5])
    region = result.confidence_region(0.5)
    for low, high in (*region, result.tpr.confidence_interval(0.5), result.fpr.confidence_interval(0.5)):
        assert (low < high).all()


def test_infinite_thresholds_give_points_without_a_warning():
    result = roc(*columns(TIED)[:2], [np.inf, -np.inf])
    for method in METHODS:
        region = result.confidence_region(0.9, method=method)
        assert_array_equal(region.fpr, [[0, 1], [0, 1]])
        assert_array_equal(region.tpr, [[0, 1], [0, 1]])


def test_a_collapsed_wald_interval_warns():
    result = roc([0, 0, 1, 1], [1, 2, 3, 4], 2.5)
    with pytest.warns(sk.DegenerateLawWarning, match="'wald' interval has zero width"):
        assert tuple(result.tpr.confidence_interval(method="wald")) == (1, 1)


def test_scalars_arrays_frames_and_reprs():
    y_true, a, b = columns(TIED)
    one, several = roc(y_true, a, 2), roc(y_true, a, [1, 2])
    assert isinstance(one.tpr.estimate, float)
    assert isinstance(one.thresholds, float)
    assert repr(one).startswith("ThresholdROCResult(roc_at_threshold, threshold=2, fpr=0.25 (95 % interval ")
    shown = (
        r"ThresholdROCResult\(roc_at_threshold, 2 points, threshold 1 to 2, "
        r"fpr 0.25 to 0.75 \(95 % intervals within .*\), tpr 0.75 to 0.75 \(95 % .*\)\)"
    )
    assert re.fullmatch(shown, repr(several))
    assert repr(difference(y_true, a, b, 2, 2)).startswith("ThresholdROCDifferenceResult(roc_at_threshold difference, ")
    rates = ["statistic", "estimate", "standard_error", "low", "high", "region_low", "region_high"]
    rates += ["confidence_level", "method"]
    assert list(several.to_frame()) == ["threshold", *rates]
    frame = difference(y_true, a, b, [1, 2], 2).to_frame(0.9)
    assert list(frame) == ["threshold_a", "threshold_b", *rates]
    assert_array_equal(frame["threshold_b"], [2] * 4)
    assert frame["statistic"].tolist() == ["fpr difference"] * 2 + ["tpr difference"] * 2
    rows = several.to_frame(0.9).set_index("statistic")
    assert_array_equal(rows["low"]["tpr"], several.tpr.confidence_interval(0.9).low)
    assert_array_equal(rows["region_high"]["fpr"], several.confidence_region(0.9).fpr.high)
    assert list(several.tpr.to_frame())[:-3] == ["threshold", "estimate", "standard_error", "low", "high"]
    with pytest.raises(ValueError, match="read-only"):
        several.thresholds[0] = 0


@pytest.mark.parametrize(
    ("thresholds", "message"),
    [
        ([1, np.nan], "thresholds must contain numbers in .*, got nan"),
        ([], "thresholds must be a number or a non-empty vector of numbers, got shape \\(0,\\)"),
        ([[1.0]], "thresholds must be a number or a non-empty vector of numbers, got shape \\(1, 1\\)"),
    ],
)
def test_thresholds_that_are_refused(thresholds, message):
    with pytest.raises(ValueError, match=message):
        roc([0, 1], [0, 1], thresholds)


def test_words_are_no_thresholds():
    with pytest.raises(ValueError, match="thresholds must be one of 'youden', got 'envelope'"):
        roc([0, 1], [0, 1], "envelope")


def test_pairs_that_are_refused():
    with pytest.raises(ValueError, match="thresholds must be as many for model a as for model b, got 2 and 3 of them"):
        difference([0, 1], [0, 1], [0, 1], [1, 2], [1, 2, 3])
    with pytest.raises(ValueError, match=r"thresholds must be a number in .*, got nan"):
        difference([0, 1], [0, 1], [0, 1], 1, np.nan)
    with pytest.raises(
        ValueError, match="thresholds as a tuple must contain the thresholds of model a and of model b, got 3"
    ):
        sk.bootstrap_roc_difference_at_threshold([0, 1], [0, 1], [0, 1], thresholds=(1, 2, 3))
    with pytest.raises(TypeError, match="thresholds"):
        sk.bootstrap_roc_difference_at_threshold([0, 1], [0, 1], [0, 1])


def test_levels_and_methods_that_are_refused():
    result = roc([0, 1], [0, 1], 1)
    with pytest.raises(ValueError, match=r"confidence_level must be a number in \(0, 1\), got 1"):
        result.confidence_region(1)
    with pytest.raises(ValueError, match=r"method must be one of 'clopper_pearson', .*got 'bootstrap'"):
        result.confidence_region(method="bootstrap")


def test_a_million_rows():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, 1_000_000)
    scores = rng.normal(size=1_000_000) + labels
    result = roc(labels, scores, np.linspace(-2, 3, 99))
    region = result.confidence_region(0.95, method="percentile")
    gaussian = result.confidence_region(0.95, method="wald")
    assert_allclose(region.tpr, gaussian.tpr, atol=3 / 500_000)
    a, b = difference(labels, scores, scores + rng.normal(scale=0.1, size=len(scores)), [0.5], [0.5]).dominance()
    assert 0 <= a[0] + b[0] <= 1


@pytest.mark.parametrize("method", PAIRED_METHODS)
def test_every_paired_method_answers(method):
    low, high = difference(*columns(UNTIED), [3, 4], [3, 4]).tpr.confidence_interval(0.8, method=method)
    assert (low <= high).all()
    assert Fraction(-1) <= low.min() <= high.max() <= 1
