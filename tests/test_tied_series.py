"""What two models find of tied positives: covariances by orthogonal polynomials, and how near shorter sums are."""

from functools import reduce
from itertools import islice, product

import numpy as np
import pytest
from scipy.stats import binom, multinomial

from skcostci import bootstrap_roc_difference_at_fpr
from skcostci.laws._gamma_terms import GammaTerms
from skcostci.laws._groups import Groups
from skcostci.laws._joint_moments import Ranked
from skcostci.laws._krawtchouk import Krawtchouk
from skcostci.laws._powers import next_power
from skcostci.laws._series import EXACT, FIRST, WHOLE, Series
from skcostci.laws._tied_terms import TiedTerms

RATES = [0.02, 0.1, 0.25, 0.5, 0.8, 0.97]


def group(start, size, n):
    return Groups(np.array([float(start)]), np.array([float(size)]), n)


def share(above, within, t):
    """What is found of the positives of a group, all where none is drawn in it and fewer above it."""
    return np.where(within > 0, np.clip((t - above) / np.maximum(within, 1), 0, 1), above < t)


def coefficients(groups, t, most, across):
    terms = TiedTerms(groups, np.array([[t]]), across, WHOLE).degrees
    return [term[:, 0, 0].copy() for term in islice(terms, most)]


def powers(one, most, size):
    power = np.zeros((size, size))
    power[0, 0] = 1.0
    for degree in range(1, most + 1):
        next_power(power, one, degree)
        yield power.copy()


def draws(n, cells):
    """All numbers of n draws that may be in so many cells."""
    return [each for each in product(range(n + 1), repeat=cells) if sum(each) == n]


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("t", "other"), [(1, 2), (2.4, 2.4), (4, 0.3)])
def test_terms_of_two_tied_groups_add_up_to_their_covariance(seed, t, other):
    """Negatives lie before, in or beyond a group of either model: all resamples of them."""
    rng, n = np.random.default_rng(seed), 5
    cells = rng.multinomial(n, rng.dirichlet(np.ones(9))).reshape(3, 3)
    (a, b), counts = (cells.sum(axis=1), cells.sum(axis=0)), np.array(draws(n, 9)).reshape(-1, 3, 3)
    if not (0 < a[1] < n and 0 < b[1] < n):
        cells = np.array([[1, 0, 1], [0, 1, 0], [1, 1, 0]])
        a, b = cells.sum(axis=1), cells.sum(axis=0)
    chance = multinomial.pmf(counts.reshape(-1, 9), n, cells.ravel() / n)
    found = share(*counts.sum(axis=2).T[:2], t), share(*counts.sum(axis=1).T[:2], other)
    mean_a, mean_b = (chance @ each for each in found)
    groups = group(a[0], a[1], n), group(b[0], b[1], n)
    one = np.einsum("ai,ij,bj->ab", groups[0].turned[..., 0], cells / n, groups[1].turned[..., 0])
    terms = zip(*(coefficients(each, at, n, n) for each, at in zip(groups, (t, other), strict=True)), strict=True)
    covariance = sum(x @ power @ y for (x, y), power in zip(terms, powers(one, n, n + 1), strict=True))
    assert covariance == pytest.approx(chance @ (found[0] * found[1]) - mean_a * mean_b, abs=1e-12)


@pytest.mark.parametrize(
    ("n", "start", "size", "t"),
    [
        (20, 5, 4, 7),
        (20, 5, 4, 6.3),
        (20, 0, 6, 3.4),
        (20, 14, 6, 17.4),
        (40, 12, 12, 24),
        (40, 3, 30, 8.5),
        (40, 1, 1, 2),
    ],
)
def test_squares_of_all_terms_add_up_to_the_variance(n, start, size, t):
    within = np.arange(n + 1)
    above = within[:, None]
    rest = start / (n - size)
    chance = binom.pmf(within, n, size / n) * binom.pmf(above, n - within, rest)
    found = share(above, within, t)
    variance = (chance * found**2).sum() - (chance * found).sum() ** 2
    terms = coefficients(group(start, size, n), t, n, n)
    assert sum(term @ term for term in terms) == pytest.approx(variance, rel=1e-10)


@pytest.mark.parametrize(
    ("n", "q", "most"), [(60, 0.2, 8), (60, 0.04, 12), (60, 0.9, 8), (12, 0.3, 12), (400, 0.02, 16)]
)
def test_polynomials_of_fewer_and_fewer_draws_are_orthonormal(n, q, most):
    drawn = np.arange(n + 1.0)[None]
    for fewer, table in zip(range(40), Krawtchouk(drawn, n, np.array([[q]]), most).tables, strict=False):
        left = n - fewer
        degrees = min(most, left) + 1
        np.testing.assert_allclose(table[:degrees, 0] @ table[:degrees, 0].T, np.eye(degrees), atol=1e-7)
        np.testing.assert_allclose(table[0, 0] ** 2, binom.pmf(drawn[0], left, q), atol=1e-13)


def test_symmetric_powers_of_a_product_are_the_product_of_symmetric_powers():
    x, y = np.random.default_rng(1).normal(size=(2, 2, 2))
    for of_x, of_y, of_both in zip(*(powers(each, 6, 7) for each in (x, y, x @ y)), strict=True):
        np.testing.assert_allclose(of_x @ of_y, of_both, atol=1e-12)


def test_a_symmetric_power_makes_of_powers_of_a_vector_those_of_its_product():
    one, vector = np.random.default_rng(2).normal(size=(2, 2)), np.array([0.7, -1.2])

    def monomials(v, m):
        return np.array(
            [
                np.sqrt(reduce(lambda c, i: c * (m - i) / (i + 1), range(k), 1.0)) * v[0] ** (m - k) * v[1] ** k
                for k in range(m + 1)
            ]
        )

    for m, power in enumerate(powers(one, 5, 6), 1):
        np.testing.assert_allclose(
            power[: m + 1, : m + 1] @ monomials(vector, m), monomials(one @ vector, m), atol=1e-12
        )


@pytest.mark.parametrize(
    ("n", "start", "size", "t", "most"),
    [
        (500, 100, 25, 105, 6e-4),
        (500, 100, 25, 120.5, 6e-4),
        (500, 240, 30, 250, 6e-4),
        (5000, 400, 80, 420, 2e-4),
        (500, 100, 9, 105, 8e-4),
        (500, 100, 4, 103, 8e-4),
        (500, 100, 1, 101, 8e-4),
        (500, 100, 1, 110, 8e-4),
        (500, 100, 1, 100.5, 8e-4),
    ],
)
def test_rough_terms_are_near_exact_ones(n, start, size, t, most):
    groups, at = group(start, size, n), np.array([[float(t)]])
    exact = islice(TiedTerms(groups, at, 0, WHOLE).degrees, 10)
    for one, other in zip(exact, GammaTerms(groups, at, 0, 7).degrees, strict=False):
        np.testing.assert_allclose(other, one, atol=most)


def tied(n, decimals, correlation, seed, share=0.5):
    """Scores of two models, rounded; below 0 decimals five grades."""
    rng = np.random.default_rng(seed)
    y_true = (np.arange(n) < share * n).astype(int)
    both, *alone = rng.normal(size=(3, n))
    r, rest = np.sqrt(np.abs(correlation)), np.sqrt(1 - np.abs(correlation))
    a, b = (
        part + rest * each + y_true
        for part, each in zip((r * both, np.sign(correlation) * r * both), alone, strict=True)
    )
    if decimals < 0:
        return y_true, *(np.digitize(each, [-0.5, 0.3, 1.0, 1.7]).astype(float) for each in (a, b))
    return y_true, a.round(decimals), b.round(decimals)


@pytest.mark.parametrize("decimals", [-1, 0, 1, 2])
@pytest.mark.parametrize("correlation", [-0.8, 0.0, 0.5, 0.95])
@pytest.mark.parametrize("n", [14, 40])
def test_a_series_of_all_terms_is_the_sum_over_resamples(n, correlation, decimals):
    joint = bootstrap_roc_difference_at_fpr(*tied(n, decimals, correlation, n), fpr=RATES).law.joint
    points = np.arange(len(RATES))
    summed = joint._summed(points)
    expected = [joint._exact(i) for i in points.tolist()]
    some = [i for i in points.tolist() if expected[i] is not None and np.isfinite(summed[0, i])]
    assert len(some) >= 3 or correlation == 0.95
    for i in some:
        np.testing.assert_allclose(summed[:, i], expected[i], rtol=1e-8, atol=1e-10)


def assert_good_for_intervals(sample, rates=RATES, weights=None):
    """Within .001 of a half width: half of what is wrong with the variance, in which half a pseudo-case is added."""
    joint = bootstrap_roc_difference_at_fpr(*sample, fpr=rates, sample_weight=weights).law.joint
    error = np.abs(joint.near[2] - joint.moments)[1:].sum(axis=0)
    assert np.all(error <= 2e-3 * (joint.moments[1:].sum(axis=0) + 0.5))


@pytest.mark.parametrize("decimals", [-1, 0, 1, 2])
@pytest.mark.parametrize(
    ("n", "correlation", "share"),
    [(60, 0.5, 0.5), (150, 0.9, 0.3), (400, 0.7, 0.5), (400, 0.9, 0.5), (900, 0.5, 0.7), (900, 0.95, 0.4)],
)
@pytest.mark.parametrize("seed", [1, 2])
def test_what_intervals_take_of_tied_models_is_near_what_is_exact(n, correlation, share, decimals, seed):
    assert_good_for_intervals(tied(n, decimals, correlation, seed, share))


@pytest.mark.parametrize(("decimals", "noise"), [(0, 0.1), (1, 0.03), (2, 0.1), (2, 0.01)])
@pytest.mark.parametrize("n_negative", [60, 110])
def test_so_it_is_where_they_nearly_agree(decimals, noise, n_negative):
    """At the lowest and highest ranks too."""
    rng = np.random.default_rng(3)
    y_true = np.repeat([1, 0], [60, n_negative])
    score = rng.normal(size=len(y_true)) + y_true
    others = score + noise * rng.normal(size=len(y_true))
    rates = np.append(RATES, np.array([1, 2, 3, n_negative - 1]) / n_negative)
    assert_good_for_intervals((y_true, score.round(decimals), others.round(decimals)), np.sort(rates))


def any_ties(seed):
    """A sample of any size, shape, correlation and kind of ties, rates and weights or none."""
    rng = np.random.default_rng(seed)
    n_negative, n_positive = (int(np.exp(rng.uniform(*np.log(sizes)))) for sizes in ((8, 1200), (3, 1500)))
    y_true = np.repeat([1, 0], [n_positive, n_negative])
    correlation = rng.choice([-0.9, -0.5, 0, 0.3, 0.6, 0.8, 0.9, 0.95, 0.99])
    both, shift = rng.normal(size=len(y_true)), rng.uniform(0, 2)

    def model(sign):
        alone = np.sqrt(1 - np.abs(correlation)) * rng.normal(size=len(y_true))
        score = sign * np.sqrt(np.abs(correlation)) * both + alone + shift * y_true
        kinds = {
            0: lambda: score.round(1),
            1: lambda: score.round(2),
            2: lambda: np.maximum(score, rng.uniform(-1, 1)),
            3: lambda: np.exp(score).round(0),
            4: lambda: np.digitize(score, np.sort(rng.normal(size=rng.integers(1, 8)))).astype(float),
            5: lambda: np.where(rng.random(len(score)) < 0.5, score, score.round(0)),
            6: lambda: score if rng.random() < 0.5 else np.where(np.abs(score - 1) < 0.5, 1.0, score),
        }
        return kinds[int(rng.integers(7))]()

    scores = model(1), model(np.sign(correlation) or 1)
    weights = rng.integers(1, 4, len(y_true)) if rng.random() < 0.3 else None
    return (y_true, *scores), np.sort(rng.uniform(0.005, 0.99, 6)), weights


# seeds where what was left out of rougher sums was seen to matter: few positives, low ranks, little variance left
@pytest.mark.parametrize(
    "seed", [60039, 60888, 70976, 71102, 81383, 84010, 84071, 90954, 92016, 92676, 93709, 94839, 95643]
)
def test_so_it_is_of_any_ties(seed):
    sample, rates, weights = any_ties(seed)
    assert_good_for_intervals(sample, rates, weights)


def test_a_series_is_not_done_where_its_first_terms_are_next_to_nothing():
    """Of rank 2 of 1,632 the fourth was the first that mattered, a hundredth of the variance."""
    series = Series(np.zeros((2, 1)), np.ones((2, 1)), 1e-4)
    done = [series.add(degree, np.zeros((2, 1))) for degree in range(1, FIRST + 1)]
    assert done == [False] * (FIRST - 1) + [True]


@pytest.mark.parametrize("decimals", [-1, 0, 1, 2])
@pytest.mark.parametrize(("n", "correlation"), [(350, 0.5), (900, 0.7)])
def test_standard_errors_of_tied_models_are_all_but_exact(n, correlation, decimals):
    joint = bootstrap_roc_difference_at_fpr(*tied(n, decimals, correlation, n), fpr=RATES).law.joint
    ranked = Ranked.of(joint.a, joint.b, np.arange(len(RATES)), EXACT)
    summed, settled = joint._series.summed(ranked, np.ones(len(RATES), dtype=bool))
    assert settled.all()
    np.testing.assert_allclose(joint.moments[1:], ranked.alone - 2 * summed, rtol=2e-5)


def probable(n, p):
    """Numbers of draws, and their probabilities."""
    drawn = np.arange(n + 1)
    chance = binom.pmf(drawn, n, p)
    return drawn[chance > 1e-15], chance[chance > 1e-15]


def two_grades(negatives, positives, t):
    """The variance of the difference of the hits, from cases that both models put high, only a, only b, and neither."""
    both, only_a, only_b, neither = negatives
    n, t, worth = sum(negatives), np.asarray(t)[:, None], np.array(positives, dtype=float)

    def hits(high, of_high, of_low):
        return of_high * np.minimum(t / np.maximum(high, 1), 1) + of_low * np.clip((t - high) / (n - high), 0, 1)

    sums = np.zeros((3, len(t)))
    for i, p in zip(*probable(n, only_a / n), strict=True):
        for j, q in zip(*probable(n - i, only_b / (n - only_a)), strict=True):
            if p * q > 1e-15:
                k, chance = probable(n - i - j, both / (both + neither))
                a, b = (
                    hits(k + i, worth[0] + worth[1], worth[2] + worth[3]),
                    hits(k + j, worth[0] + worth[2], worth[1] + worth[3]),
                )
                sums += p * q * np.array([((a - b) ** m) @ chance for m in range(3)])
    return sums[2] / sums[0] - (sums[1] / sums[0]) ** 2


@pytest.mark.parametrize(
    ("negatives", "positives"),
    [
        ((900, 6, 9, 3085), (700, 40, 30, 230)),
        ((2800, 8, 5, 1187), (700, 40, 30, 230)),
        ((150, 5, 5, 3840), (300, 60, 30, 610)),
    ],
)
def test_large_groups_in_which_little_changes(negatives, positives):
    """Shares vary by a thousandth at high rates: sums that leave out a ten millionth must not feel their mean."""
    y, grades = np.repeat([0, 1], [sum(negatives), sum(positives)]), np.array([[1, 1], [1, 0], [0, 1], [0, 0]])
    scores = np.repeat(np.tile(grades, (2, 1)), negatives + positives, axis=0)
    at, rates = [9, 49, 79, 94, 98], np.arange(1, 100) / 100
    joint = bootstrap_roc_difference_at_fpr(y, *scores.T, fpr=rates).law.joint
    exact = two_grades(negatives, positives, rates[at] * sum(negatives))
    assert joint.moments[1][at] == pytest.approx(exact, rel=1e-6)
    assert joint.near[2][1][at] == pytest.approx(exact, rel=1e-6)


def test_groups_with_few_negatives_beyond():
    """What one of these does is a small difference of large means."""
    rng, y = np.random.default_rng(2), np.repeat([0, 1], [20_000, 60_000])
    score = rng.normal(size=len(y)) + 0.5 * y
    a, b = (np.exp(score + 0.3 * rng.normal(size=len(y))).round(1) for _ in range(2))
    joint = bootstrap_roc_difference_at_fpr(y, a, b, fpr=[0.99, 0.998]).law.joint
    assert joint.near[2][1:].sum(axis=0) == pytest.approx(joint.moments[1:].sum(axis=0), rel=1e-5)


@pytest.mark.parametrize(("n", "decimals"), [(300, 2), (579, 3)])
def test_standard_errors_of_rates_asked_together_are_those_of_each(n, decimals):
    """Many groups of few negatives, and an atom: ranks side by side share as many values of the second function."""
    rng, y, rates = np.random.default_rng(0), np.repeat([0, 1], [n, 4 * n]), [0.33, 0.43, 0.45]
    a = rng.normal(size=len(y)) + y
    b = a + 0.3 * rng.normal(size=len(y))
    a, b = np.where(np.abs(a - 1) < 0.3, 1, a.round(decimals)), np.where(np.abs(b) < 0.4, 0, b.round(2))
    together = bootstrap_roc_difference_at_fpr(y, a, b, fpr=rates).standard_error
    each = [bootstrap_roc_difference_at_fpr(y, a, b, fpr=rate).standard_error for rate in rates]
    assert together == pytest.approx(each, rel=1e-5)
