"""Expected cost under a cost matrix: against every table there is, and against simulated ones."""

import warnings
from fractions import Fraction
from itertools import product

import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.stats import beta, binom
from sklearn.metrics import confusion_matrix

import skcostci as sk

PERFECT = ([0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 2, 2])
UNEQUAL = {
    2: [[0.0, np.sqrt(2)], [np.pi, -0.3]],
    3: [[0.0, 1.7, np.e], [0.2, 0.1, np.pi], [559.125, 3.3, -1.0]],
}


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


@pytest.mark.parametrize("smoothing", [0, Fraction(1, 10), Fraction(3, 2)])
@pytest.mark.parametrize(("k", "n"), [(2, 1), (2, 3), (2, 5), (3, 2), (3, 4), (3, 5)])
def test_one_model_against_all_tables(k, n, smoothing):
    truth, guess = cases(k, n)
    table = confusion_matrix(truth, guess, labels=range(k)).ravel()
    law = oracles.pooled_law([Fraction(int(m)) + smoothing for m in table], np.ravel(UNEQUAL[k]), n)
    result = sk.bootstrap_expected_cost(truth, guess, UNEQUAL[k], labels=range(k), smoothing=float(smoothing))
    assert float(result) == pytest.approx(np.mean(np.array(UNEQUAL[k])[truth, guess]), rel=1e-12)
    assert_is(result, law)


@pytest.mark.parametrize(
    ("k", "n", "smoothing"),
    [(2, 2, 0), (2, 5, 0), (2, 5, Fraction(1, 10)), (3, 2, Fraction(1, 10)), (3, 5, 0), (3, 3, Fraction(1))],
)
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


@pytest.mark.parametrize(
    ("k", "n", "costs"),
    [
        (3, 40, UNEQUAL[3]),
        (4, 200, np.random.default_rng(4).uniform(0, 10, (4, 4))),
        pytest.param(5, 1000, np.random.default_rng(5).uniform(0, 1000, (5, 5)), marks=pytest.mark.slow),
        (4, 1000, [[0, 1.5, 559125, 2.25], [0.1, 0, 3, 4], [0.7, 0.9, 0, 1], [2, 3, 2.2, 0]]),
        pytest.param(5, 300, np.random.default_rng(6).integers(-20, 20, (5, 5)), marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("pair", [False, True])
def test_simulated_tables(k, n, costs, pair):
    """100,000 tables: the cdf within 4.5 binomial standard errors, the paper's ranks around the limits likewise.

    Values are told apart to 1e-4 standard errors of the cost.
    """
    truth, a, b = cases(k, n, columns=2, seed=k)
    costs, draws = np.asarray(costs, dtype=float), 100_000
    if pair:
        result = sk.bootstrap_expected_cost_difference(truth, a, b, costs, labels=range(k), smoothing=0.1)
        values = (costs[:, :, None] - costs[:, None, :]).ravel()
        table = np.bincount(np.ravel_multi_index((truth, a, b), (k, k, k)), minlength=k**3)
    else:
        result = sk.bootstrap_expected_cost(truth, a, costs, labels=range(k))
        values, table = costs.ravel(), confusion_matrix(truth, a, labels=range(k)).ravel()
    smoothed = (table + 0.1) / (table.sum() + 0.1 * len(table))
    drawn = np.sort(np.random.default_rng(1).multinomial(n, smoothed, size=draws) @ values / n)
    step = 0.01 * result.standard_error  # which sums of values without a common step may be off
    for x in drawn[draws // 80 :: draws // 40]:
        least, most = result.cdf(x - step), result.cdf(x + step)
        share = np.searchsorted(drawn, x + 1e-9 * step, "right") / draws
        assert (
            least - 4.5 * np.sqrt(least * (1 - least) / draws) < share < most + 4.5 * np.sqrt(most * (1 - most) / draws)
        )
    for level, limit in zip(
        rank_limits("0.95", draws), result.confidence_interval(0.95, method="percentile"), strict=True
    ):
        off = int(4.5 * np.sqrt(draws * 0.025 * 0.975))
        assert drawn[level - 1 - off] - step <= limit <= drawn[level - 1 + off] + step


def test_the_law_of_the_papers_limits_centres_on_ours():
    """Its 26th of 1,000 draws is below x with probability P(Bin(1000, F(x)) >= 26): about a half at our limit."""
    result = sk.bootstrap_expected_cost(*cases(4, 500, seed=8), np.random.default_rng(8).uniform(0, 10, (4, 4)))
    low, high = result.confidence_interval(0.95, method="percentile")
    for rank, limit in ((26, low), (975, high)):
        share = result.cdf(limit)
        assert binom.sf(rank - 1, 1000, share) == pytest.approx(beta.cdf(share, rank, 1001 - rank), abs=1e-9)
        assert 0.4 < binom.sf(rank - 1, 1000, share) < 0.6


@pytest.mark.parametrize("normalizer", ["mean", "max"])
@pytest.mark.parametrize("w", [0.2, 0.37, 0.5])
def test_two_classes_without_smoothing_are_the_full_sampling_law_of_costs(w, normalizer):
    generator = np.random.default_rng(11)
    truth = (generator.random(60) < 0.3).astype(int)
    a, b = truth + generator.normal(size=(2, 60))
    share = truth.mean()
    costs = np.array([[0, (1 - w) / (1 - share)], [w / share, 0]])
    if normalizer == "max":
        costs /= costs.max()
    options = {"probability_cost": w, "thresholds": 0.6, "sampling": "full", "normalizer": normalizer}
    one = sk.bootstrap_cost(truth, a, **options)
    two = sk.bootstrap_cost_difference(truth, a, b, **options)
    guesses = [(score >= 0.6).astype(int) for score in (a, b)]
    expected = sk.bootstrap_expected_cost(truth, guesses[0], costs, smoothing=0)
    difference = sk.bootstrap_expected_cost_difference(truth, *guesses, costs)
    for theirs, ours in ((one, expected), (two, difference)):
        assert ours.estimate == pytest.approx(theirs.estimate, rel=1e-12)
        assert ours.mean == pytest.approx(theirs.mean, rel=1e-12)
        assert ours.standard_error == pytest.approx(theirs.standard_error, rel=1e-12)
        q = np.linspace(0.001, 0.999, 23)
        x = theirs.quantile(q)
        assert_allclose(ours.quantile(q), x, rtol=1e-12, atol=1e-14)
        assert_allclose(ours.cdf(x), theirs.cdf(x), rtol=1e-9)
        for method in ("unseen_case", "percentile", "wald"):
            assert_allclose(ours.confidence_interval(method=method), theirs.confidence_interval(method=method))
    for method in ("unseen_case", "percentile"):
        assert difference.pvalue(method=method) == pytest.approx(two.pvalue(method=method), rel=1e-9)


matrices = st.integers(2, 3).flatmap(
    lambda k: st.lists(
        st.lists(
            st.one_of(st.integers(-5, 9), st.floats(-3, 8).map(lambda cost: round(cost, 9))), min_size=k, max_size=k
        ),
        min_size=k,
        max_size=k,
    )
)


@st.composite
def predictions(draw, columns):
    """A cost matrix, labels for it, columns of predictions and how many cases each row stands for."""
    costs = draw(matrices)
    size = draw(st.integers(1, 8))
    column = st.lists(st.integers(0, len(costs) - 1), min_size=size, max_size=size)
    weights = draw(st.lists(st.integers(0, 3), min_size=size, max_size=size).filter(any))
    return costs, [draw(column) for _ in range(1 + columns)], weights


@given(predictions(columns=1), st.sampled_from([0.0, 0.1, 1.0]))
@settings(deadline=None, max_examples=40)
def test_weights_are_repeated_rows(sample, smoothing):
    costs, columns, weights = sample
    options = {"labels": range(len(costs)), "smoothing": smoothing}
    weighted = sk.bootstrap_expected_cost(*columns, costs, sample_weight=weights, **options)
    repeated = sk.bootstrap_expected_cost(*(np.repeat(column, weights) for column in columns), costs, **options)
    assert weighted.estimate == repeated.estimate
    assert weighted.standard_error == repeated.standard_error
    assert weighted.quantile(0.3) == repeated.quantile(0.3)
    assert weighted.cdf(repeated.mean) == repeated.cdf(repeated.mean)


@given(predictions(columns=2), st.sampled_from([0.0, 0.1]))
@settings(deadline=None, max_examples=12)
def test_swapping_the_models_flips_the_sign(sample, smoothing):
    costs, (truth, a, b), weights = sample
    options = {"labels": range(len(costs)), "smoothing": smoothing, "sample_weight": weights}
    one = sk.bootstrap_expected_cost_difference(truth, a, b, costs, **options)
    two = sk.bootstrap_expected_cost_difference(truth, b, a, costs, **options)
    assert one.estimate == pytest.approx(-two.estimate, abs=1e-13)
    assert one.mean == pytest.approx(-two.mean, abs=1e-13)
    assert_allclose(one.probabilities(), two.probabilities()[::-1], atol=1e-7)
    assert one.pvalue() == pytest.approx(two.pvalue(), abs=1e-7)
    assert one.pvalue("less") == pytest.approx(two.pvalue("greater"), abs=1e-7)


@given(predictions(columns=1), st.sampled_from(["unseen_case", "percentile", "smoothed", "wald"]))
@settings(deadline=None, max_examples=40)
def test_intervals_are_ordered_nested_and_in_range(sample, method):
    costs, columns, weights = sample
    result = sk.bootstrap_expected_cost(*columns, costs, labels=range(len(costs)), sample_weight=weights)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sk.DegenerateLawWarning)
        inner, outer = (result.confidence_interval(level, method=method) for level in (0.8, 0.95))
    tiny = 2e-4 * result.standard_error + 1e-12
    assert np.min(costs) <= outer.low <= inner.low + tiny <= inner.high + 2 * tiny <= outer.high + 3 * tiny
    assert outer.high <= np.max(costs)
    x = np.linspace(np.min(costs) - 1, np.max(costs) + 1, 50)
    assert np.all(np.diff(result.cdf(x)) >= -1e-9)
    assert result.cdf(-np.inf) == 0
    assert result.cdf(np.inf) == pytest.approx(1, abs=1e-12)


@given(n=st.integers(1, 40), level=st.sampled_from([0.9, 0.95, 0.99]), k=st.integers(2, 4))
@settings(deadline=None, max_examples=30)
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


def test_labels_and_orientation():
    truth, guess = ["dog", "cat", "cat", "fox"], ["cat", "cat", "dog", "fox"]
    costs = np.array([[0, 1, 2], [30, 0, 4], [5, 6, 0]])
    sorted_labels = sk.bootstrap_expected_cost(truth, guess, costs)
    assert sorted_labels.labels == ("cat", "dog", "fox")
    assert sorted_labels.estimate == (30 + 1) / 4
    order = [2, 0, 1]
    listed = sk.bootstrap_expected_cost(truth, guess, costs[np.ix_(order, order)], labels=["fox", "cat", "dog"])
    assert listed.estimate == sorted_labels.estimate
    assert listed.confidence_interval() == pytest.approx(sorted_labels.confidence_interval())
    missing = sk.bootstrap_expected_cost(truth[:3], guess[:3], costs, labels=["cat", "dog", "fox"])
    assert missing.estimate == 31 / 3
    assert float(missing) == sk.expected_cost_loss(
        truth[:3], guess[:3], cost_matrix=costs, labels=["cat", "dog", "fox"]
    )


def test_rows_of_no_cases_are_not_there():
    result = sk.bootstrap_expected_cost([0, 1, 2], [0, 0, 2], [[0, 1], [4, 0]], sample_weight=[1, 2, 0])
    assert result.labels == (0, 1)
    assert result.estimate == 8 / 3


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        (([0, 1], [0, 1], [[0, 1]]), {}, ValueError, r"a column per class, \[0, 1\], got shape \(1, 2\)"),
        (([0, 1], [0, 1], np.eye(3)), {}, ValueError, "pass labels"),
        (
            ([0, 1], [0, 1], [[0, 1], [2]]),
            {},
            ValueError,
            "cost_matrix must not contain sequences of different lengths",
        ),
        (([0, 1], [0, 1], [[0, np.inf], [1, 0]]), {}, ValueError, "must be finite, got inf in row 0, column 1"),
        (([0, 1], [0, 1], [["a", "b"], ["c", "d"]]), {}, TypeError, "cost_matrix must contain real numbers"),
        (
            ([0, 1], [0, 2], np.eye(2)),
            {"labels": [0, 1]},
            ValueError,
            r"y_pred contains 2, .*not among labels=\[0, 1\]",
        ),
        (([0, 1], [0, 1], np.eye(2)), {"labels": [0, 0]}, ValueError, r"labels must be distinct, got \[0, 0\]"),
        (
            ([0, 1], [0, 1], np.eye(2)),
            {"smoothing": -0.1},
            ValueError,
            r"smoothing must be a number in \[0, ",
        ),
        (([0, 1], [0, 1], np.eye(2)), {"smoothing": np.nan}, ValueError, r"smoothing must be a number in \[0, "),
        (([0, 1], [0], np.eye(2)), {}, ValueError, "y_true and y_pred must have the same length"),
        (([], [], np.eye(2)), {}, ValueError, "y_true must contain at least one case"),
        (([[0, 1]], [[0, 1]], np.eye(2)), {}, ValueError, "y_true must be one-dimensional"),
        (([0, np.nan], [0, 1], np.eye(2)), {}, ValueError, "y_true must not contain NaN"),
        (([0, 1], ["a", "b"], np.eye(4)), {}, TypeError, "y_true and y_pred must contain labels of one kind"),
        (([0, 1], ["a", "b"], np.eye(2)), {"labels": [0, 1]}, ValueError, "y_pred contains 'a', which is not among"),
        (
            ([0, 1], [0, 1], np.eye(2)),
            {"sample_weight": [0.5, 1]},
            ValueError,
            "sample_weight must contain frequencies",
        ),
        (([0, 1], [0, 1], np.eye(2)), {"sample_weight": [0, 0]}, ValueError, "at least one positive weight"),
    ],
)
def test_bad_input(arguments, options, error, message):
    with pytest.raises(error, match=message):
        sk.bootstrap_expected_cost(*arguments, **options)


def test_results_say_what_they_have():
    result = sk.bootstrap_expected_cost(*PERFECT, 1 - np.eye(3))
    with pytest.raises(ValueError, match=r"method must be one of 'unseen_case', 'percentile', .*, got 'agresti'"):
        result.confidence_interval(method="agresti")
    frame = result.to_frame()
    assert list(frame.columns)[:-3] == ["estimate", "standard_error", "low", "high"]
    assert repr(result).startswith("ExpectedCostResult(expected_cost, estimate=0, standard_error=")


@pytest.mark.filterwarnings("ignore::skcostci.DegenerateLawWarning")
def test_costs_that_are_equal_but_for_rounding_leave_no_spread():
    y, a, b = (np.repeat(labels, [3, 5, 7, 11]) for labels in ([0, 0, 1, 1], [0, 1, 0, 1], [1, 0, 0, 1]))
    for mistake in (0.3, 0.1 + 0.2):
        cost = sk.bootstrap_expected_cost(y, a, [[0.3, 0.3], [mistake, 0.3]])
        assert cost.standard_error == 0
        assert tuple(cost.confidence_interval()) == pytest.approx((0.3, 0.3), rel=1e-14)
        difference = sk.bootstrap_expected_cost_difference(y, a, b, [[0.3, 0.3], [mistake, 0.3]])
        assert (difference.estimate, difference.standard_error) == (0, 0)
        assert tuple(difference.confidence_interval()) == (0, 0)
