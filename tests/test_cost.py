"""Costs: their intervals by hand, at the ends of their scale, of very many cases, and where models differ."""

from fractions import Fraction
from functools import partial
from itertools import pairwise

import numpy as np
import oracles
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import binom

import skcostci as sk

TIED = [(1, (2, 1)), (1, (3, 3)), (1, (2, 3)), (1, (0, 2)), (0, (2, 0)), (0, (1, 1)), (0, (0, 2)), (0, (1, 3))]

UNEVEN = [(1, (2, 1)), (1, (3, 3)), (0, (2, 0)), (0, (1, 1)), (0, (0, 2)), (0, (3, 3))]  # a third are positive


def test_smoothed_is_the_law_with_pseudo_cases():
    """Of one miss in four and one false alarm in four, and 1.5 cases more of each class."""
    y_true, y_score, _ = oracles.columns(TIED)
    result = sk.bootstrap_cost(y_true, y_score, probability_cost=0.3, thresholds=2)
    share, mass = np.arange(6) / 5, binom.pmf(np.arange(6), 5, (1 + 0.75) / (4 + 1.5))
    values = np.add.outer(0.3 * share, 0.7 * share).ravel()
    order = np.argsort(values)
    cdf = np.cumsum(np.multiply.outer(mass, mass).ravel()[order])
    for level in (0.5, 0.9, 0.99):
        expected = [values[order][np.searchsorted(cdf, q - 1e-12)] for q in ((1 - level) / 2, (1 + level) / 2)]
        assert_allclose(result.confidence_interval(level, method="smoothed"), expected)


def agree_in_law(result, law):
    """Moments, distribution function and quantiles of a result with one point are those of an enumerated law."""
    moments = [float(oracles.moment(law, order)) for order in (1, 2)]
    assert_allclose([result.mean, result.standard_error**2], moments, atol=1e-12)
    atoms = sorted(law)
    for x in [*map(float, atoms), *(float(a + b) / 2 for a, b in pairwise(atoms)), -1.0, 2.0]:
        exact = oracles.cdf(law, Fraction(x) + Fraction(1, 10**12))
        assert_allclose(result.cdf(x), float(exact), atol=1e-11)
        atom = sum(p for value, p in law.items() if abs(value - Fraction(x)) < Fraction(1, 10**12))
        tails = [float(p) for p in (exact - atom, atom, 1 - exact)]
        assert_allclose(np.ravel(result.law.tails(np.array([x]))), tails, atol=1e-11)
    levels = [Fraction(k, 1000) for k in (1, 25, 50, 250, 500, 900, 975, 999)]
    assert_allclose([result.quantile(float(q)) for q in levels], [float(oracles.quantile(law, q)) for q in levels])


def agree(result, law):
    """And its mean is the estimate; of differences the probabilities of signs and a p-value are those of the law."""
    agree_in_law(result, law)
    assert_allclose(result.estimate, float(oracles.moment(law, 1)), atol=1e-12)
    if hasattr(result, "probabilities"):
        below, zero = sum(p for x, p in law.items() if x < 0), law.get(Fraction(0), Fraction(0))
        assert_allclose(result.probabilities(), [float(p) for p in (below, zero, 1 - below - zero)], atol=1e-12)
        if len(law) > 1:  # a difference that is known has no null but itself
            sides = {"less": 1 - below, "greater": below + zero}
            sides["two-sided"] = min(1, 2 * min(sides.values()))
            found = [result.pvalue(side, method="percentile") for side in sides]
            assert_allclose(found, [float(p) for p in sides.values()], atol=1e-12)


@pytest.mark.parametrize("w", [Fraction(0), Fraction(1)])
@pytest.mark.parametrize("sampling", ["stratified", "full"])
def test_where_one_kind_of_error_costs_nothing_the_distribution_is_that_of_all_resamples(w, sampling):
    """In between see test_enumeration."""
    full, asked = sampling == "full", {"probability_cost": float(w), "sampling": sampling}
    cases, law_of = (UNEVEN, oracles.full_law) if full else (TIED, oracles.stratified_law)

    def cost(drawn, threshold=2, model=0):
        if full:
            return oracles.total_cost(drawn, 3 * w, 3 * (1 - w) / 2, threshold, model)
        return oracles.normalized_cost(drawn, w, threshold, model)

    y_true, a, b = oracles.columns(cases)
    agree(sk.bootstrap_cost(y_true, a, thresholds=2, **asked), law_of(cases, cost))
    law = law_of(cases, lambda drawn: cost(drawn) - cost(drawn, 3, 1))
    agree(sk.bootstrap_cost_difference(y_true, a, b, thresholds=(2, 3), **asked), law)


def test_at_an_infinite_threshold_the_point_is_the_answer():
    nobody = sk.bootstrap_cost(*oracles.columns(TIED)[:2], probability_cost=[0, 0.3, 0.7], thresholds=np.inf)
    for method in nobody.methods:
        assert_allclose(nobody.confidence_interval(method=method), [[0, 0.3, 0.7]] * 2)


def test_one_sided_limits_end_at_the_bound():
    pair = sk.bootstrap_cost_difference(*oracles.columns(TIED), probability_cost=0.4, thresholds=2.5)
    single = sk.bootstrap_cost(*oracles.columns(TIED)[:2], probability_cost=0.4)
    for result, least in ((single, 0), (pair, -1)):
        less, greater = (result.confidence_interval(0.95, alternative=side) for side in ("less", "greater"))
        assert (less.low, greater.high) == (least, 1)
        assert_allclose([greater.low, less.high], result.confidence_interval(0.9))


def test_a_pair_has_the_margins_of_its_models():
    y_true, *scores = oracles.columns(TIED)
    pair = sk.bootstrap_cost_difference(y_true, *scores, thresholds=(2, 3))
    a, b = (sk.bootstrap_cost(y_true, s, thresholds=t) for s, t in zip(scores, (2, 3), strict=True))
    for of in (lambda law: law.mean, lambda law: law.smoothed(1.5).mean):
        assert_allclose(of(pair.law), of(a.law) - of(b.law), atol=1e-14)


def test_the_envelope_law_equals_that_of_its_thresholds():
    y_true, a, _ = oracles.columns(TIED)
    envelope = sk.bootstrap_cost(y_true, a)
    fixed = sk.bootstrap_cost(y_true, a, thresholds=envelope.thresholds)
    assert_array_equal(envelope.confidence_interval(method="unseen_case"), fixed.confidence_interval())
    assert_allclose(envelope.estimate, sk.CostCurve.from_predictions(y_true, a)(envelope.probability_cost))


def test_agresti_adds_two_cases_a_cell():
    y_true, y_score, _ = oracles.columns(TIED)
    result = sk.bootstrap_cost(y_true, y_score, probability_cost=0.3, thresholds=2)
    missed, alarms = (1 + 2) / 8, (1 + 2) / 8
    center = 0.3 * missed + 0.7 * alarms
    spread = 1.959963984540054 * np.sqrt((0.09 * missed * (1 - missed) + 0.49 * alarms * (1 - alarms)) / 8)
    assert_allclose(result.confidence_interval(method="agresti"), [center - spread, center + spread])


def test_agresti_of_a_pair_adds_half_a_case_a_cell():
    y_true, a, b = oracles.columns(TIED)
    result = sk.bootstrap_cost_difference(y_true, a, b, probability_cost=0.3, thresholds=(2, 3))
    # Positives: a alone reaches its threshold once, b alone never; negatives: once each. 4 cases and 2 pseudo-cases.
    counts = np.array([[1 + 0.5, 0.5], [1 + 0.5, 1 + 0.5]]) / 6
    gap, spread = counts[:, 0] - counts[:, 1], counts.sum(axis=1)
    center = -0.3 * gap[0] + 0.7 * gap[1]
    off = 1.6448536269514722 * np.sqrt((0.09 * (spread[0] - gap[0] ** 2) + 0.49 * (spread[1] - gap[1] ** 2)) / 6)
    assert_allclose(result.confidence_interval(0.9, method="agresti"), [center - off, center + off])


def test_wilson_at_a_corner_is_wilsons_interval_for_a_rate():
    # R 4.2: prop.test(3, 20, correct = FALSE)$conf.int
    y_true = [1] * 20 + [0] * 20
    y_score = [0] * 3 + [1] * 17 + [0] * 20
    result = sk.bootstrap_cost(y_true, y_score, probability_cost=1.0, thresholds=0.5)
    assert_allclose(result.confidence_interval(method="wilson"), [0.0523693, 0.3604194], atol=1e-6)


def test_threshold_rules():
    y_true, y_score = [0, 0, 1, 1], [0.2, 0.6, 0.4, 0.9]
    rule = sk.bootstrap_cost(y_true, y_score, probability_cost=[0.3, 0.7], thresholds="probability")
    assert_allclose(rule.thresholds, [0.7, 0.3])
    called = sk.bootstrap_cost(y_true, y_score, probability_cost=[0.3, 0.7], thresholds=lambda w: 1 - w)
    assert_array_equal(called.estimate, rule.estimate)
    pair = sk.bootstrap_cost_difference(y_true, y_score, y_score, probability_cost=0.5, thresholds=("probability", 0.9))
    assert pair.thresholds == (0.5, 0.9)


@pytest.mark.parametrize("sampling", ["stratified", "full"])
@pytest.mark.parametrize("n", [1_000, 100_000_000])
def test_large_samples_keep_their_precision(n, sampling):
    # One weighted row a cell: 30 % missed, 10 % false alarms. w = 1 leaves a binomial whose tails scipy knows.
    y_true, y_score, weights = [1, 1, 0, 0], [0, 1, 0, 1], [3 * n // 10, 7 * n // 10, 9 * n // 10, n // 10]
    options = {"thresholds": 0.5, "sampling": sampling, "sample_weight": weights}
    result = sk.bootstrap_cost(y_true, y_score, probability_cost=1.0, **options)
    draws, rate, scale = (n, 0.3, 1.0) if sampling == "stratified" else (2 * n, 0.15, 2.0)
    for q in (1e-9, 0.025, 0.5, 0.975):
        assert_allclose(result.quantile(q), scale * binom.ppf(q - 1e-12, draws, rate) / draws, rtol=1e-12)
    middle = round(draws * rate)
    assert_allclose(result.cdf(scale * middle / draws), binom.cdf(middle, draws, rate), atol=1e-10)
    both = sk.bootstrap_cost(y_true, y_score, probability_cost=[0.37], **options)
    for method in both.methods:
        low, high = both.confidence_interval(0.9, method=method)
        gauss = both.confidence_interval(0.9, method="wald")
        assert_allclose([low, high], gauss, atol=0.5 / np.sqrt(n) ** 1.5)


@pytest.mark.parametrize(
    ("y_true", "y_score"),
    [([0, 1], [0, 1]), ([0, 1], [1, 0]), ([0, 1, 0, 1], [5, 5, 5, 5]), ([0] * 50 + [1], [*range(50), 49.5])],
)
@pytest.mark.parametrize("sampling", ["stratified", "full"])
def test_defaults_are_wide_where_the_truth_is_not_known(y_true, y_score, sampling):
    result = sk.bootstrap_cost(y_true, y_score, probability_cost=21, sampling=sampling)
    low, high = result.confidence_interval()
    known = np.isinf(result.thresholds) if sampling == "stratified" else result.probability_cost == 0
    assert np.all(high[~known] > low[~known])
    assert np.all(np.isfinite(low) & np.isfinite(high))
    pair = sk.bootstrap_cost_difference(y_true, y_score, y_score, probability_cost=21, sampling=sampling)
    low, high = pair.confidence_interval()
    assert np.all((high > low)[~np.isinf(pair.thresholds[0])])
    assert_allclose(pair.pvalue(), 1)


def test_significant_conditions_are_the_runs_that_leave_out_zero():
    rng = np.random.default_rng(3)
    y_true = rng.integers(0, 2, 2000)
    a, b = rng.normal(size=2000) + 2 * y_true, rng.normal(size=2000) + 0.5 * y_true
    result = sk.bootstrap_cost_difference(y_true, a, b)
    check_runs(result, result.confidence_band(0.99).high)
    flipped = sk.bootstrap_cost_difference(y_true, b, a).significant(0.99)
    assert_array_equal(flipped.b, result.significant(0.99).a)
    check_runs(result, result.confidence_interval(0.99).high, simultaneous=False)
    with pytest.raises(ValueError, match=r"got 'wald'. For each condition separately pass simultaneous=False"):
        result.significant(method="wald")


def check_runs(result, high, **options):
    stretches = result.significant(0.99, **options)
    inside = np.zeros(101, dtype=bool)
    for first, last in stretches.a:
        inside |= (result.probability_cost >= first) & (result.probability_cost <= last)
    assert_array_equal(inside, high < 0)
    assert stretches.b.shape == (0, 2)
    assert len(stretches.a) >= 1
    assert not any(found.flags.writeable for found in stretches)


def test_laws_are_asked_at_any_shape():
    cases = [0, 0, 1, 1], [1, 4, 3, 5]
    result = sk.bootstrap_cost(*cases, probability_cost=[0.2, 0.5, 0.9])
    assert result.quantile([[0.1], [0.9]]).shape == (2, 3)
    assert_array_equal(result.quantile([0.1, 0.5, 0.9])[1], result.quantile(0.5)[1])
    assert_allclose([result.cdf(np.inf), result.cdf(-np.inf)], [[1] * 3, [0] * 3])
    with pytest.raises(ValueError, match=r"The last axis must have length 1 or 3, one per point, got \(2,\)"):
        result.quantile([0.1, 0.2])
    scalar, one = (sk.bootstrap_cost(*cases, probability_cost=w) for w in (0.5, [0.3]))
    assert isinstance(scalar.cdf(0.3), float)
    assert scalar.cdf([0.1, 0.3]).shape == (2,)
    assert one.quantile([0.1, 0.9]).shape == (2,)
    assert one.quantile([[0.1], [0.9]]).shape == (2, 1)


@pytest.mark.parametrize("length", [50, 82, 164])
def test_full_sampling_where_the_window_is_even(length):
    # The highest frequency of an even window stands for itself alone, however its angle is rounded.
    cells = {"sample_weight": [3, 9997, 7, 9993]}
    options = {"probability_cost": 0.3, "thresholds": 0.5, "sampling": "full"}
    result = sk.bootstrap_cost([1, 1, 0, 0], [0, 1, 1, 0], **options, **cells)
    step_fn, step_fp = 0.3 * 2 / 20000, 0.7 * 2 / 20000
    missed, alarms = np.arange(length)[:, None], np.arange(length)
    masses = binom.pmf(missed, 20000, 3 / 20000) * binom.pmf(alarms, 20000 - missed, 7 / 19997)
    for x in (0.0, 2.1e-4, 3.3e-4):
        expected = masses[step_fn * missed + step_fp * alarms <= x + 1e-12].sum()
        assert_allclose(result.cdf(x), expected, atol=1e-12)


def test_pvalues_are_never_negative_and_least_quantiles_attainable():
    options = {"probability_cost": 3 / 7, "thresholds": 0.5, "sampling": "full"}
    assert sk.bootstrap_cost_difference([1, 0], [1, 0], [0, 1], **options).pvalue(method="percentile") == 0
    least = sk.bootstrap_cost([1, 0], [0.25, 0.75], probability_cost=1 / 7, thresholds=0.75, sampling="full")
    assert least.quantile(0) == pytest.approx(2 / 7)
    large = sk.bootstrap_cost([1, 1, 0], [0, 1, 0], probability_cost=1.0, thresholds=0.5, sample_weight=[9, 10**6, 5])
    assert large.quantile(0) == 0


def test_unsorted_conditions_give_sorted_stretches():
    y_true, grid = np.repeat([0, 1], 200), [0.5, 0.1, 0.4, 0.9, 0.6]
    result = sk.bootstrap_cost_difference(y_true, y_true, 1 - y_true, probability_cost=grid, thresholds=0.5)
    assert_allclose(result.significant().a, [[0.1, 0.9]])


def test_billions_of_cases_and_no_more():
    labels, scores = [0, 1, 0, 1], [1, 2, 3, 4]
    huge = sk.bootstrap_cost(labels, scores, probability_cost=[0.25, 0.5, 0.75], sample_weight=[10**9] * 4)
    assert_allclose(huge.estimate, [0.125, 0.25, 0.125])
    assert float(sk.bootstrap_auc(labels, scores, sample_weight=[10**9] * 4)) == 0.75
    for weight, total in ((10**9 + 1, "4,000,000,004"), (1e308, "inf")):
        with pytest.raises(ValueError, match=f"sample_weight must add up to at most 4,000,000,000 cases, got {total}"):
            sk.bootstrap_cost(labels, scores, sample_weight=[weight] * 4)


@pytest.mark.parametrize("sampling", ["stratified", "full"])
def test_several_thresholds_have_the_limits_of_each(sampling):
    scores = np.round(np.sin(np.arange(30)), 1) + np.arange(30) % 2
    cost = partial(sk.bootstrap_cost, np.arange(30) % 2, scores, sampling=sampling)
    at, conditions = [0.2, 0.5, 1.2], [0.3, 0.5, 0.6]
    whole = cost(thresholds=at, probability_cost=conditions)
    each = [cost(thresholds=a, probability_cost=w) for a, w in zip(at, conditions, strict=True)]
    for method in whole.methods:
        limits = [one.confidence_interval(method=method) for one in each]
        assert_allclose(np.transpose(whole.confidence_interval(method=method)), limits, rtol=1e-12)
