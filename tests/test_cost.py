"""The bootstrap laws of costs against complete enumeration, and what their intervals promise."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import oracles
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import binom, multinomial

import skcostci as sk

TIED = [(1, (2, 1)), (1, (3, 3)), (1, (2, 3)), (1, (0, 2)), (0, (2, 0)), (0, (1, 1)), (0, (0, 2)), (0, (1, 3))]
UNEVEN = [(1, (2, 1)), (1, (3, 3)), (0, (2, 0)), (0, (1, 1)), (0, (0, 2)), (0, (3, 3))]
CONDITIONS = [Fraction(0), Fraction(1, 10), Fraction(3, 10), Fraction(1, 2), Fraction(6, 7), Fraction(1)]
LEVELS = [Fraction(k, 1000) for k in (1, 25, 50, 250, 500, 900, 975, 999)]


def columns(cases):
    labels, scores = zip(*cases, strict=True)
    return np.array(labels), *np.array(scores).T


def agree_in_law(result, law):
    """A result with one point has exactly this law."""
    mean, variance = (float(oracles.moment(law, order)) for order in (1, 2))
    assert_allclose(result.mean, mean, atol=1e-12)
    assert_allclose(result.standard_error**2, variance, atol=1e-12)
    atoms = sorted(law)
    between = [float(a + b) / 2 for a, b in pairwise(atoms)]
    for x in [*map(float, atoms), *between, -1.0, 2.0]:
        exact = oracles.cdf(law, Fraction(x) + Fraction(1, 10**12))
        assert_allclose(result.cdf(x), float(exact), atol=1e-11)
        atom = sum(p for value, p in law.items() if abs(value - Fraction(x)) < Fraction(1, 10**12))
        tails = [float(p) for p in (exact - atom, atom, 1 - exact)]
        assert_allclose(np.ravel(result.law.tails(np.array([x]))), tails, atol=1e-11)
    assert_allclose([result.quantile(float(q)) for q in LEVELS], [float(oracles.quantile(law, q)) for q in LEVELS])


def agree(result, law):
    """And its mean is the estimate."""
    agree_in_law(result, law)
    assert_allclose(result.estimate, float(oracles.moment(law, 1)), atol=1e-12)


def unit_costs(cases, w):
    """The costs that amount to w at the sample's class mix, the normalizer being 1."""
    share = Fraction(sum(label for label, _ in cases), len(cases))
    return w / share, (1 - w) / (1 - share)


@pytest.mark.parametrize("threshold", [0.0, 2, 2.5, np.inf])
@pytest.mark.parametrize("cases", [TIED, UNEVEN])
def test_cost_under_stratified_sampling(cases, threshold):
    y_true, y_score, _ = columns(cases)
    for w in CONDITIONS[cases is TIED :: 2]:
        law = oracles.stratified_law(cases, lambda drawn, w=w: oracles.normalized_cost(drawn, w, threshold))
        agree(sk.bootstrap_cost(y_true, y_score, probability_cost=float(w), thresholds=threshold), law)


@pytest.mark.parametrize("w", CONDITIONS)
@pytest.mark.parametrize("threshold", [1, 2, np.inf])
def test_cost_under_full_sampling(threshold, w):
    y_true, y_score, _ = columns(UNEVEN)
    fn, fp = unit_costs(UNEVEN, w)
    law = oracles.full_law(UNEVEN, lambda drawn: oracles.total_cost(drawn, fn, fp, threshold))
    options = {"probability_cost": float(w), "thresholds": threshold, "sampling": "full"}
    agree(sk.bootstrap_cost(y_true, y_score, **options), law)
    largest = max(fn, fp)
    scaled = {value / largest: p for value, p in law.items()}
    agree(sk.bootstrap_cost(y_true, y_score, normalizer="max", **options), scaled)


@pytest.mark.parametrize("w", CONDITIONS)
@pytest.mark.parametrize("thresholds", [(2, 1), (2, 3), (np.inf, 2)])
def test_difference_under_stratified_sampling(thresholds, w):
    y_true, a, b = columns(TIED)

    def difference(drawn):
        return oracles.normalized_cost(drawn, w, thresholds[0]) - oracles.normalized_cost(drawn, w, thresholds[1], 1)

    law = oracles.stratified_law(TIED, difference)
    result = sk.bootstrap_cost_difference(y_true, a, b, probability_cost=float(w), thresholds=thresholds)
    agree(result, law)
    agree_in_sign(result, law)


@pytest.mark.parametrize("w", CONDITIONS)
@pytest.mark.parametrize("thresholds", [(2, 1), (3, 3)])
def test_difference_under_full_sampling(thresholds, w):
    y_true, a, b = columns(UNEVEN)
    costs = unit_costs(UNEVEN, w)

    def difference(drawn):
        return oracles.total_cost(drawn, *costs, thresholds[0]) - oracles.total_cost(drawn, *costs, thresholds[1], 1)

    law = oracles.full_law(UNEVEN, difference)
    options = {"probability_cost": float(w), "thresholds": thresholds, "sampling": "full"}
    result = sk.bootstrap_cost_difference(y_true, a, b, **options)
    agree(result, law)
    agree_in_sign(result, law)


def agree_in_sign(result, law):
    """Probabilities and p-values are those of the law."""
    below, zero = sum(p for x, p in law.items() if x < 0), law.get(Fraction(0), Fraction(0))
    above = 1 - below - zero
    assert_allclose(result.probabilities(), [float(below), float(zero), float(above)], atol=1e-12)
    assert_allclose(result.pvalue("less", method="percentile"), float(above + zero), atol=1e-12)
    assert_allclose(result.pvalue("greater", method="percentile"), float(below + zero), atol=1e-12)
    assert_allclose(result.pvalue(method="percentile"), float(min(1, 2 * min(above + zero, below + zero))), atol=1e-12)


def smoothed_law(n_positive, misses, n_negative, alarms, w, pseudo):
    """The law with pseudo-cases by plain double sums."""
    draws = n_positive + int(pseudo), n_negative + int(pseudo)
    rates = (misses + pseudo / 2) / (n_positive + pseudo), (alarms + pseudo / 2) / (n_negative + pseudo)
    values = np.add.outer(w * np.arange(draws[0] + 1) / draws[0], (1 - w) * np.arange(draws[1] + 1) / draws[1]).ravel()
    masses = np.multiply.outer(*(binom.pmf(np.arange(m + 1), m, rate) for m, rate in zip(draws, rates, strict=True)))
    order = np.argsort(values)
    return values[order], np.cumsum(masses.ravel()[order])


def of_cdf(values, cdf, level):
    """The quantiles of both tails."""
    return [values[np.searchsorted(cdf, q - 1e-12)] for q in ((1 - level) / 2, (1 + level) / 2)]


def test_smoothed_is_the_law_with_pseudo_cases():
    y_true, y_score, _ = columns(TIED)
    result = sk.bootstrap_cost(y_true, y_score, probability_cost=0.3, thresholds=2)
    for level in (0.5, 0.9, 0.99):
        expected = of_cdf(*smoothed_law(4, 1, 4, 1, 0.3, 1.5), level)
        assert_allclose(result.confidence_interval(level, method="smoothed"), expected)


def test_smoothed_under_full_sampling_adds_to_each_class():
    y_true, y_score, _ = columns(UNEVEN)  # 2 positives, 4 negatives
    result = sk.bootstrap_cost(y_true, y_score, probability_cost=0.3, thresholds=2, sampling="full")
    hits, alarms = int((y_score[y_true == 1] >= 2).sum()), int((y_score[y_true == 0] >= 2).sum())
    cells = np.array([hits, 2 - hits, alarms, 4 - alarms]) + 0.75
    draws = 6 + 3
    counts = np.array([c for c in np.ndindex(*[draws + 1] * 3) if sum(c) <= draws])
    counts = np.column_stack([counts, draws - counts.sum(axis=1)])
    values = (0.3 * 3 * counts[:, 1] + 0.7 * 1.5 * counts[:, 2]) / draws
    order = np.argsort(values)
    cdf = np.cumsum(multinomial(draws, cells / cells.sum()).pmf(counts)[order])
    for level in (0.5, 0.9):
        expected = of_cdf(values[order], cdf, level)
        assert_allclose(result.confidence_interval(level, method="smoothed"), expected, atol=1e-12)


def test_agresti_adds_two_cases_a_cell():
    y_true, y_score, _ = columns(TIED)
    result = sk.bootstrap_cost(y_true, y_score, probability_cost=0.3, thresholds=2)
    missed, alarms = (1 + 2) / 8, (1 + 2) / 8
    center = 0.3 * missed + 0.7 * alarms
    spread = 1.959963984540054 * np.sqrt((0.09 * missed * (1 - missed) + 0.49 * alarms * (1 - alarms)) / 8)
    assert_allclose(result.confidence_interval(method="agresti"), [center - spread, center + spread])


def test_agresti_of_a_pair_adds_half_a_case_a_cell():
    y_true, a, b = columns(TIED)
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


def test_a_pair_has_the_margins_of_its_models():
    rng = np.random.default_rng(0)
    y_true, a, b = rng.integers(0, 2, 300), rng.normal(size=300), rng.normal(size=300)
    pair = sk.bootstrap_cost_difference(y_true, a, b, thresholds=(0.3, -0.2))
    single = [sk.bootstrap_cost(y_true, s, thresholds=t) for s, t in ((a, 0.3), (b, -0.2))]
    assert_allclose(pair.estimate, single[0].estimate - single[1].estimate, atol=1e-14)
    smooth = [law.smoothed(1.5).mean for law in (pair.law, single[0].law, single[1].law)]
    assert_allclose(smooth[0], smooth[1] - smooth[2], atol=1e-14)


def test_many_thresholds_are_counted_in_blocks():
    rng = np.random.default_rng(1)
    y_true, a, b = rng.integers(0, 2, 200), rng.normal(size=200), rng.normal(size=200)
    thresholds = rng.normal(size=600), rng.normal(size=600)
    pair = sk.bootstrap_cost_difference(y_true, a, b, probability_cost=600, thresholds=thresholds)
    w = np.linspace(0, 1, 600)
    for i in (0, 255, 256, 511, 512, 599):
        costs = [
            w[i] * np.mean(s[y_true == 1] < t[i]) + (1 - w[i]) * np.mean(s[y_true == 0] >= t[i])
            for s, t in zip((a, b), thresholds, strict=True)
        ]
        assert_allclose(pair.estimate[i], costs[0] - costs[1], atol=1e-14)


def test_the_envelope_law_equals_that_of_its_thresholds():
    rng = np.random.default_rng(2)
    y_true = rng.integers(0, 2, 200)
    y_score = rng.normal(size=200) + y_true
    envelope = sk.bootstrap_cost(y_true, y_score)
    given_thresholds = sk.bootstrap_cost(y_true, y_score, thresholds=envelope.thresholds)
    assert_array_equal(envelope.confidence_interval(method="unseen_case"), given_thresholds.confidence_interval())
    assert_allclose(envelope.estimate, sk.CostCurve.from_predictions(y_true, y_score)(envelope.probability_cost))


def test_threshold_rules():
    y_true, y_score = [0, 0, 1, 1], [0.2, 0.6, 0.4, 0.9]
    rule = sk.bootstrap_cost(y_true, y_score, probability_cost=[0.3, 0.7], thresholds="probability")
    assert_allclose(rule.thresholds, [0.7, 0.3])
    called = sk.bootstrap_cost(y_true, y_score, probability_cost=[0.3, 0.7], thresholds=lambda w: 1 - w)
    assert_array_equal(called.estimate, rule.estimate)
    pair = sk.bootstrap_cost_difference(y_true, y_score, y_score, probability_cost=0.5, thresholds=("probability", 0.9))
    assert pair.thresholds == (0.5, 0.9)


@pytest.mark.parametrize("sampling", ["stratified", "full"])
@pytest.mark.parametrize("n", [1_000, 1_000_000, 100_000_000])
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


@pytest.mark.parametrize(("p10", "p01"), [(300, 200), (3, 0), (0, 0), (1, 900)])
def test_pairs_of_middling_size_agree_with_a_plain_convolution(p10, p01):
    y_true, cells = [1, 1, 1, 0, 0, 0], [p10, p01, 1000 - p10 - p01, 40, 25, 935]
    a, b = [1, 0, 0, 1, 0, 0], [0, 1, 0, 0, 1, 0]
    result = sk.bootstrap_cost_difference(y_true, a, b, probability_cost=0.4, thresholds=0.5, sample_weight=cells)
    step = np.zeros(2001)
    step[[999, 1000, 1001]] = p10 / 1000, (1000 - p10 - p01) / 1000, p01 / 1000
    laws = []
    for up, down in ((p01, p10), (40, 25)):
        total = np.array([1.0])
        for bit in bin(1000)[2:]:
            total = np.convolve(total, total)
            if bit == "1":
                total = np.convolve(total, np.array([down, 1000 - up - down, up]) / 1000)
        laws.append(total)
    shifts = np.arange(-1000, 1001) / 1000
    values = np.add.outer(0.4 * shifts, 0.6 * shifts)
    masses = np.multiply.outer(*laws)
    for x in (-0.1, -0.02, 0.0, 0.009, 0.04, 0.2):
        assert_allclose(result.cdf(x), masses[values <= x + 1e-9].sum(), atol=1e-11)


@pytest.mark.parametrize(
    ("y_true", "y_score"),
    [
        ([0, 1], [0, 1]),
        ([0, 1], [1, 0]),
        ([0, 1, 0, 1], [5, 5, 5, 5]),
        ([0] * 50 + [1], [*range(50), 49.5]),
        ([0] * 30 + [1] * 30, [*range(60)]),
    ],
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


def test_at_an_infinite_threshold_the_point_is_the_answer():
    result = sk.bootstrap_cost([0, 0, 1, 1], [1, 2, 3, 4], probability_cost=[0, 0.3, 0.7], thresholds=np.inf)
    for method in result.methods:
        low, high = result.confidence_interval(method=method)
        assert_allclose(low, [0, 0.3, 0.7])
        assert_allclose(high, [0, 0.3, 0.7])


def test_a_collapsed_method_warns_once():
    result = sk.bootstrap_cost([0] * 5 + [1] * 5, range(10), probability_cost=[0.3, 0.5])
    with pytest.warns(sk.DegenerateLawWarning, match="'wald' interval has zero width at 2 of 2 points") as caught:
        low, high = result.confidence_interval(method="wald")
    assert len(caught) == 1
    assert_array_equal(low, high)


def test_one_sided_limits_end_at_the_bound():
    result = sk.bootstrap_cost([0, 0, 1, 1, 0, 1], [1, 4, 3, 5, 2, 2], probability_cost=0.4)
    less, greater = (result.confidence_interval(0.95, alternative=side) for side in ("less", "greater"))
    assert (less.low, greater.high) == (0, 1)
    assert_allclose([greater.low, less.high], result.confidence_interval(0.9))
    pair = sk.bootstrap_cost_difference([0, 0, 1, 1], [1, 4, 3, 5], [1, 2, 2, 2], probability_cost=0.4, thresholds=2.5)
    assert pair.confidence_interval(alternative="less").low == -1
    assert pair.confidence_interval(alternative="greater").high == 1


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
    result = sk.bootstrap_cost([0, 0, 1, 1], [1, 4, 3, 5], probability_cost=[0.2, 0.5, 0.9])
    assert result.quantile([[0.1], [0.9]]).shape == (2, 3)
    assert_array_equal(result.quantile([0.1, 0.5, 0.9])[1], result.quantile(0.5)[1])
    assert result.cdf(np.inf) == pytest.approx([1, 1, 1])
    assert result.cdf(-np.inf) == pytest.approx([0, 0, 0])
    scalar = sk.bootstrap_cost([0, 0, 1, 1], [1, 4, 3, 5], probability_cost=0.5)
    assert isinstance(scalar.cdf(0.3), float)
    assert scalar.cdf([0.1, 0.3]).shape == (2,)


def test_results_are_frozen_short_and_tabular():
    result = sk.bootstrap_cost([0, 0, 1, 1], [1, 4, 3, 5])
    with pytest.raises(AttributeError):
        result.estimate = 0
    with pytest.raises(ValueError, match="read-only"):
        result.estimate[0] = 1
    assert len(repr(result)) <= 120
    frame = result.to_frame(0.9, method="wilson")
    numbers = ["probability_cost", "threshold", "estimate", "standard_error", "low", "high"]
    assert list(frame) == [*numbers, "statistic", "confidence_level", "method"]
    assert_array_equal(frame["low"], result.confidence_interval(0.9, method="wilson").low)
    pair = sk.bootstrap_cost_difference([0, 0, 1, 1], [1, 4, 3, 5], [1, 2, 3, 4], probability_cost=0.5)
    assert list(pair.to_frame())[:3] == ["probability_cost", "threshold_a", "threshold_b"]
    assert len(pair.to_frame()) == 1


@pytest.mark.parametrize("length", [50, 82, 100, 150, 164])
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


def test_a_vector_of_one_point_broadcasts():
    one = sk.bootstrap_cost([0, 0, 1, 1], [1, 4, 3, 5], probability_cost=[0.3])
    assert one.quantile([0.1, 0.9]).shape == (2,)
    assert one.quantile([[0.1], [0.9]]).shape == (2, 1)
    with pytest.raises(ValueError, match=r"The last axis must have length 1 or 2, one per point, got \(3,\)"):
        sk.bootstrap_cost([0, 0, 1, 1], [1, 4, 3, 5], probability_cost=[0.3, 0.4]).quantile([0.1, 0.2, 0.3])


def test_unsorted_conditions_give_sorted_stretches():
    y_true = np.repeat([0, 1], 200)
    good, bad = y_true + 0.0, 1.0 - y_true
    grid = [0.5, 0.1, 0.4, 0.9, 0.6]
    result = sk.bootstrap_cost_difference(y_true, good, bad, probability_cost=grid, thresholds=0.5)
    assert_allclose(result.significant().a, [[0.1, 0.9]])


def test_billions_of_cases_and_no_more():
    labels, scores = [0, 1, 0, 1], [1, 2, 3, 4]
    huge = sk.bootstrap_cost(labels, scores, probability_cost=[0.25, 0.5, 0.75], sample_weight=[10**9] * 4)
    assert_allclose(huge.estimate, [0.125, 0.25, 0.125])
    assert float(sk.bootstrap_auc(labels, scores, sample_weight=[10**9] * 4)) == 0.75
    with pytest.raises(ValueError, match="sample_weight must add up to at most 4,000,000,000 cases, got 4,000,000,004"):
        sk.bootstrap_cost(labels, scores, sample_weight=[10**9 + 1] * 4)
    with pytest.raises(ValueError, match="sample_weight must contain at least one positive weight"):
        sk.bootstrap_auc(labels, scores, sample_weight=[0] * 4)
