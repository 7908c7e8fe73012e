"""Expected cost under a cost matrix: against every table there is, and where it is another cost."""

from fractions import Fraction
from itertools import product

import numpy as np
import oracles
import pytest
from numpy.testing import assert_allclose
from scipy.stats import binom
from sklearn.metrics import confusion_matrix

import skcostci as sk

PERFECT = ([0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 2, 2])
UNEQUAL = {2: [[0.0, np.sqrt(2)], [np.pi, -0.3]], 3: [[0.0, 1.7, np.e], [0.2, 0.1, np.pi], [559.125, 3.3, -1.0]]}


def cases(k, n, columns=1, seed=0):
    """Random labels and as many columns of predictions, right most of the time."""
    generator = np.random.default_rng(seed)
    truth = generator.integers(0, k, n)
    return truth, *(np.where(generator.random(n) < 0.7, truth, generator.integers(0, k, n)) for _ in range(columns))


def assert_is(result, law):
    """A result has the moments, the cdf between and at the values, and the quantiles of an enumerated law."""
    assert result.mean == pytest.approx(float(oracles.moment(law, 1)), rel=1e-12, abs=1e-13)
    assert result.standard_error == pytest.approx(float(oracles.moment(law, 2)) ** 0.5, rel=1e-9, abs=1e-12)
    values = np.array(sorted(float(value) for value in law))
    distinct = values[np.concatenate([[True], np.diff(values) > 1e-9])]
    chosen = distinct[:: max(len(distinct) // 60, 1)]
    for x in [*chosen, *(chosen + 1e-7), *(chosen - 1e-7)]:
        expected = float(oracles.cdf(law, Fraction(x) + Fraction(1, 10**10)))
        assert result.cdf(x) == pytest.approx(expected, abs=1e-13)
    for q in (0.001, 0.025, 0.2, 0.5, 0.71, 0.975, 0.9999):
        assert result.quantile(q) == pytest.approx(float(oracles.quantile(law, Fraction(q))), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(
    ("k", "n", "smoothing"),
    [(2, 1, 0), (2, 5, Fraction(3, 2)), (3, 2, Fraction(1, 10)), (3, 4, 0), (3, 4, Fraction(1, 10))],
)
def test_one_model_against_all_tables(k, n, smoothing):
    truth, guess = cases(k, n)
    table = confusion_matrix(truth, guess, labels=range(k)).ravel()
    law = oracles.pooled_law([Fraction(int(m)) + smoothing for m in table], np.ravel(UNEQUAL[k]), n)
    result = sk.bootstrap_expected_cost(truth, guess, UNEQUAL[k], labels=range(k), smoothing=float(smoothing))
    assert float(result) == pytest.approx(np.mean(np.array(UNEQUAL[k])[truth, guess]), rel=1e-12)
    assert_is(result, law)


@pytest.mark.parametrize(("k", "n", "smoothing"), [(2, 2, 0), (2, 5, Fraction(1, 10)), (3, 4, 0), (3, 2, Fraction(1))])
def test_two_models_against_all_tables(k, n, smoothing):
    truth, a, b = cases(k, n, columns=2, seed=3)
    cells = list(product(range(k), repeat=3))
    counts = [Fraction(int(sum((truth == i) & (a == j) & (b == m)))) + smoothing for i, j, m in cells]
    values = [UNEQUAL[k][i][j] - UNEQUAL[k][i][m] for i, j, m in cells]
    occupied = [i for i, count in enumerate(counts) if count]
    law = oracles.pooled_law([counts[i] for i in occupied], [values[i] for i in occupied], n)
    options = {"labels": range(k), "smoothing": float(smoothing)}
    result = sk.bootstrap_expected_cost_difference(truth, a, b, UNEQUAL[k], **options)
    assert_is(result, law)
    tiny = Fraction(1, 10**10)
    below, up_to = oracles.cdf(law, -tiny), oracles.cdf(law, tiny)
    assert_allclose(result.probabilities(), [float(p) for p in (below, up_to - below, 1 - up_to)], atol=1e-13)
    assert result.pvalue("greater", method="percentile") == pytest.approx(float(up_to), rel=1e-9, abs=1e-13)
    assert result.pvalue("less", method="percentile") == pytest.approx(float(1 - below), rel=1e-9, abs=1e-13)


def rank_limits(confidence, draws=1000):
    """The paper's ranks of the interval's ends among the sorted draws, counted from 1."""
    low = int((1 - Fraction(confidence)) / 2 * draws) + 1
    return low, draws + 1 - low


def test_the_papers_ranks():
    assert [rank_limits(c) for c in ("0.95", "0.9", "0.99")] == [(26, 975), (51, 950), (6, 995)]


def test_the_law_of_the_papers_limits_centres_on_ours():
    """Its 26th of 1,000 draws is below x with probability P(Bin(1000, F(x)) >= 26): about a half at our limit."""
    result = sk.bootstrap_expected_cost(*cases(4, 500, seed=8), np.random.default_rng(8).uniform(0, 10, (4, 4)))
    limits = result.confidence_interval(0.95, method="percentile")
    for rank, limit in zip(rank_limits("0.95"), limits, strict=True):
        assert 0.4 < binom.sf(rank - 1, 1000, result.cdf(limit)) < 0.6


@pytest.mark.parametrize(("w", "normalizer"), [(0.2, "mean"), (0.37, "max"), (0.5, "mean")])
def test_two_classes_without_smoothing_are_the_full_sampling_law_of_costs(w, normalizer):
    generator = np.random.default_rng(11)
    truth = (generator.random(60) < 0.3).astype(int)
    a, b = truth + generator.normal(size=(2, 60))
    share = truth.mean()
    costs = np.array([[0, (1 - w) / (1 - share)], [w / share, 0]])
    costs /= costs.max() if normalizer == "max" else 1
    options = {"probability_cost": w, "thresholds": 0.6, "sampling": "full", "normalizer": normalizer}
    guesses = [(score >= 0.6).astype(int) for score in (a, b)]
    one = sk.bootstrap_cost(truth, a, **options), sk.bootstrap_expected_cost(truth, guesses[0], costs, smoothing=0)
    apart = sk.bootstrap_expected_cost_difference(truth, *guesses, costs)
    two = sk.bootstrap_cost_difference(truth, a, b, **options), apart
    for theirs, ours in (one, two):
        for name in ("estimate", "mean", "standard_error"):
            assert getattr(ours, name) == pytest.approx(getattr(theirs, name), rel=1e-12)
        q = np.linspace(0.001, 0.999, 23)
        x = theirs.quantile(q)
        assert_allclose(ours.quantile(q), x, rtol=1e-12, atol=1e-14)
        assert_allclose(ours.cdf(x), theirs.cdf(x), rtol=1e-9)
        for method in ("unseen_case", "percentile", "wald"):
            assert_allclose(ours.confidence_interval(method=method), theirs.confidence_interval(method=method))
    for method in ("unseen_case", "percentile"):
        assert two[1].pvalue(method=method) == pytest.approx(two[0].pvalue(method=method), rel=1e-9)


@pytest.mark.parametrize(("n", "level", "k"), [(1, 0.9, 2), (2, 0.99, 4), (7, 0.95, 3), (40, 0.9, 4)])
def test_the_default_stays_wide_without_a_single_mistake(n, level, k):
    truth = np.arange(n) % k
    low, high = sk.bootstrap_expected_cost(truth, truth, 1 - np.eye(k), labels=range(k)).confidence_interval(level)
    assert low == 0 < high


def test_requested_collapses_warn_and_known_costs_do_not():
    without = sk.bootstrap_expected_cost(*PERFECT, 1 - np.eye(3), smoothing=0)
    with pytest.warns(sk.DegenerateLawWarning, match="interval has zero width.*method='unseen_case' is wider"):
        assert without.confidence_interval(method="percentile") == (0, 0)
    never_differ = sk.bootstrap_expected_cost_difference(PERFECT[0], *PERFECT, 1 - np.eye(3))
    assert never_differ.pvalue() == 1
    assert never_differ.probabilities() == (0, 1, 0)
    with pytest.warns(sk.DegenerateLawWarning, match="zero width"):
        assert never_differ.confidence_interval(method="percentile") == (0, 0)
    low, high = never_differ.confidence_interval()
    assert low == -high < 0
    constant = sk.bootstrap_expected_cost(*PERFECT, np.full((3, 3), 0.7))
    assert constant.confidence_interval() == pytest.approx((0.7, 0.7))


def test_a_cell_never_observed_moves_the_mean_as_documented():
    truth, guess = cases(4, 1000, seed=2)
    guess[(truth == 0) & (guess == 2)] = 0
    costs = 1.0 - np.eye(4)
    costs[0, 2] = 559125
    limits = []
    for smoothing in (0, 0.01, 0.1, 1):
        result = sk.bootstrap_expected_cost(truth, guess, costs, smoothing=smoothing)
        shifted = (1000 * result.estimate + smoothing * costs.sum()) / (1000 + 16 * smoothing)
        assert result.mean == pytest.approx(shifted, rel=1e-12)
        limits.append(result.confidence_interval())
        assert limits[-1].high >= 559125 * (1 - 0.025 ** (1 / 1000)) * 0.9  # what nobody saw cannot be excluded
    assert len(set(limits)) == 1  # smoothing is the law's
    assert result.estimate == pytest.approx(np.mean(truth != guess))


TWO = ([0, 1], [0, 1])
EYE = np.eye(2)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((*TWO, [[0, np.inf], [1, 0]]), {}, "must be finite, got inf in row 0, column 1"),
        ((*TWO, [["a", "b"], ["c", "d"]]), {}, "cost_matrix must contain real numbers"),
        (([0, 1], [0, 2], EYE), {"labels": [0, 1]}, r"y_pred contains 2, .*not among labels=\[0, 1\]"),
        ((*TWO, EYE), {"labels": [0, 0]}, r"labels must be distinct, got \[0, 0\]"),
        (([0, 1], ["a", "b"], np.eye(4)), {}, "y_true and y_pred must contain labels of one kind"),
        (([0, 1], ["a", "b"], EYE), {"labels": [0, 1]}, "y_pred contains 'a', which is not among"),
    ],
)
def test_bad_input(arguments, options, message):
    with pytest.raises(TypeError if "real numbers" in message or "one kind" in message else ValueError, match=message):
        sk.bootstrap_expected_cost(*arguments, **options)
