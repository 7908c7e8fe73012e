"""The joint bootstrap moments of two AUCs against complete enumeration, and what intervals and tests promise."""

import tracemalloc
from fractions import Fraction

import numpy as np
import oracles
import pytest
import reference_values as reference
from budget import assert_limits
from numpy.testing import assert_allclose
from scipy.stats import norm
from scipy.stats import t as student
from sklearn.datasets import load_breast_cancer
from test_auc import spread

from skcostci import DegenerateLawWarning, bootstrap_auc, bootstrap_auc_difference


def simulate(seed, m, n, decimals=None):
    rng = np.random.default_rng(seed)
    y = np.repeat([1, 0], [m, n])
    a = rng.normal(size=m + n) + y
    b = a + rng.normal(size=m + n)
    return (y, a, b) if decimals is None else (y, a.round(decimals), b.round(decimals))


def test_clinical_data_as_in_proc():
    data = load_breast_cancer()
    y, expected = (data.target == 0).astype(int), reference.PROC_PAIRED
    result = bootstrap_auc_difference(y, data.data[:, 1], data.data[:, 4])
    assert_allclose(result.confidence_interval(method="delong"), expected["interval"], atol=1e-13)
    assert_allclose(result.pvalue(method="delong"), expected["pvalue"], rtol=1e-11)
    assert_allclose(norm.isf(result.pvalue("greater", method="delong")), expected["statistic"], rtol=1e-12)
    assert_allclose(result.covariance, reference.BOOTSTRAP_COVARIANCE, rtol=1e-12)
    variance = sum(reference.PROC[name]["delong_variance"] for name in reference.PROC) - 2 * expected["covariance"]
    assert_allclose(spread(result, method="delong"), variance, rtol=1e-12)


@pytest.mark.parametrize("decimals", [None, 1, 0])
@pytest.mark.parametrize(("m", "n"), [(1, 1), (1, 40), (17, 16), (70, 230)])
def test_components_equal_the_matrix_of_pairs(m, n, decimals):
    y, a, b = simulate(m + n, m, n, decimals)
    result, won = bootstrap_auc_difference(y, a, b), (oracles.wins(y, a), oracles.wins(y, b))
    assert_allclose(result.covariance, oracles.covariance_of_pairs(*won), atol=1e-14)
    apart = won[0] - won[1]
    assert_allclose(result.standard_error**2, oracles.covariance_of_pairs(apart, apart), atol=1e-14)


def test_the_covariance_relates_to_delongs():
    y, a, b = simulate(8, 12, 31, 1)
    result, won = bootstrap_auc_difference(y, a, b), (oracles.wins(y, a), oracles.wins(y, b))
    results = bootstrap_auc(y, a), bootstrap_auc(y, b), result
    of_a, of_b, of_both = (spread(each, 0.5, method="delong") for each in results)
    joint = np.mean(won[0] * won[1]) - won[0].mean() * won[1].mean()
    expected = (1 - 1 / 12) * (1 - 1 / 31) * (of_a + of_b - of_both) / 2 + joint / (12 * 31)
    assert_allclose(result.covariance, expected, rtol=1e-10)
    assert_allclose(result.correlation * results[0].standard_error * results[1].standard_error, expected, rtol=1e-10)
    assert_allclose(result.statistic, result.estimate / result.standard_error, rtol=1e-14)


def test_models_that_nearly_agree_keep_a_precise_variance():
    """They differ in one pair of a million, far below what the two variances less twice the covariance could show."""
    score = np.arange(2000, dtype=float)
    y = (np.random.default_rng(9).permutation(2000) % 2).astype(int)
    first = np.flatnonzero((y[:-1] == 0) & (y[1:] == 1))[100]
    other = score.copy()
    other[[first, first + 1]] = other[[first + 1, first]]
    result, n = bootstrap_auc_difference(y, score, other), 1000
    share = Fraction(1, n * n)
    variance = ((n - 1) * 2 * (share / n - share**2) + share - share**2) / n**2
    assert_allclose(result.estimate, float(share), rtol=1e-14)
    assert_allclose(result.standard_error**2, float(variance), rtol=1e-12)


@pytest.mark.parametrize("method", ["wald", "delong"])
def test_gaussian_methods_collapse_with_one_warning(method):
    result = bootstrap_auc_difference([0, 0, 1, 1], [1, 2, 3, 4], [1, 2, 3, 4])
    with pytest.warns(DegenerateLawWarning, match="zero width") as caught:
        assert result.confidence_interval(method=method) == (0.0, 0.0)
    assert (len(caught), result.statistic, result.pvalue(method=method)) == (1, 0, 1)
    apart = bootstrap_auc_difference([0, 0, 1, 1], [1, 2, 3, 4], [4, 3, 2, 1])
    assert (apart.statistic, apart.pvalue(method=method)) == (np.inf, 0)


@pytest.mark.parametrize("decimals", [2, 12])
def test_memory_is_six_times_the_inputs(decimals):
    y_true, scores = np.arange(100_000) % 2, np.random.default_rng(0).normal(size=(2, 100_000)).round(decimals)
    tracemalloc.start()
    bootstrap_auc_difference(y_true, *scores).confidence_interval()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 6 * (y_true.nbytes + scores.nbytes)


DISTINCT_A = [9, 7, 12, 5, 14, 11, 3, 15, 1, 6, 2, 8, 4, 0, 10, -1, -2, -3]
DISTINCT = [1] * 8 + [0] * 10, DISTINCT_A, [8, 12, 10, 9, 13, 15, 6, 11, 5, 1, 7, 3, 2, 14, 4, 0, -1, -2]
RATED_A = [5, 4, 4, 3, 5, 5, 2, 4, 3, 5, 1, 2, 1, 3, 2, 1, 4, 1, 2, 3, 1, 2]
RATED = [1] * 10 + [0] * 12, RATED_A, [4, 4, 3, 3, 5, 5, 3, 4, 2, 5, 1, 1, 2, 3, 2, 2, 4, 1, 3, 3, 1, 4]
NESTED = ([1] * 12 + [0] * 12, [*range(12, 24), *range(12)], [*range(12, 22), -1, -2, *range(12)])


@pytest.mark.parametrize(
    ("data", "level", "limits", "pvalue"),
    [
        (DISTINCT, 0.95, (-0.287668, 0.333731), 1),
        (DISTINCT, 0.9, (-0.252456, 0.264962), 1),
        (RATED, 0.95, (-0.063958, 0.259760), 0.371505),
        (RATED, 0.99, (-0.100848, 0.330671), 0.371505),
        (NESTED, 0.95, (-0.158139, 0.572633), 0.507262),
    ],
)
def test_the_default_is_what_a_separate_program_found(data, level, limits, pvalue):
    result = bootstrap_auc_difference(*data)
    assert result.methods[0] == "extrapolated"
    assert_limits(result.confidence_interval(level), limits)
    assert_allclose(result.pvalue(), pvalue, rtol=0.01)


def test_the_default_sharpens_as_the_models_agree():
    y, a, b = simulate(4, 50, 60)
    near, far = (bootstrap_auc_difference(y, a, a + sd * (b - a)) for sd in (0.01, 1))
    assert np.ptp(near.confidence_interval()) < 0.15 * np.ptp(far.confidence_interval())
    assert np.ptp(far.confidence_interval()) < 1.15 * np.ptp(far.confidence_interval(method="delong"))
    assert np.ptp(near.confidence_interval(method="unseen_case")) > 0.1
    low, high = bootstrap_auc_difference(y, a, 2 * a).confidence_interval()
    assert_allclose([-low, high], 1 - 0.025 ** (1 / 50), rtol=0.1)  # as no case of so many says


@pytest.mark.parametrize("seed", range(2))
def test_far_out_no_pvalue_is_smaller_than_students(seed):
    """A skewness that some hundred cases show says nothing of tails of 1e-20."""
    rng = np.random.default_rng(seed)
    y, base = np.repeat([1, 0], 150), rng.normal(size=300)
    a, b = base + 2.5 * y, base * 0.3 + rng.normal(size=300) + 0.3 * y
    found = bootstrap_auc_difference(y, a, b)
    deviate = found.estimate / found.standard_error
    assert deviate > 10
    assert found.pvalue("greater") > student.sf(deviate, 298) / 2  # of a variance that differs by some hundredths
    assert_allclose(bootstrap_auc_difference(y, b, a).pvalue("less"), found.pvalue("greater"), rtol=1e-9)


def skewed(seed, turned):
    """Scores of 40 + 40 cases whose differences are skewed, one way or the other."""
    rng = np.random.default_rng(seed)
    y = np.repeat([1, 0], 40)
    a = rng.exponential(size=80) * (1 - 2 * y * turned) + y
    return y, a, a + 0.3 * rng.normal(size=80)


@pytest.mark.parametrize("seed", range(2))
def test_extrapolated_limits_are_nested_and_turned_round_at_the_estimate_and_where_the_correction_fades(seed):
    """From tails of .005 to tails of .001."""
    found = bootstrap_auc_difference(*skewed(seed, seed % 2))
    levels = np.r_[np.linspace(1e-3, 0.02, 10), 1 - 2 * np.geomspace(0.02, 1e-5, 30)]
    limits = np.array([found.confidence_interval(level) for level in levels])
    assert np.all(np.diff(limits[:, 0]) <= 0)
    assert np.all(np.diff(limits[:, 1]) >= 0)
    p = [[found.pvalue(null=end) for end in pair] for pair in limits]
    assert_allclose(p, np.where(limits == found.estimate, 1.0, 1 - levels[:, None]), rtol=1e-6)


def limits_by_hand(classes, alpha, largest=(1.0, 1.0)):
    """The widest limits with an unseen case of any class, the placements of whose cases differ by so much."""
    estimate, pairs = classes[0].mean(), [*zip(classes, largest, strict=True)]
    orders = [[pair, *pairs[:place], *pairs[place + 1 :]] for place, pair in enumerate(pairs)]
    low, high = ([limit_by_hand(estimate, order, side, alpha) for order in orders] for side in (-1, 1))
    return min(low), max(high)


def limit_by_hand(estimate, classes, side, alpha):
    """The limit with an unseen case of the first class, as the page of the method has it; each by x and its largest."""
    cells = []
    for each, most in classes:
        off = each - each.mean()
        cells.append((len(each), (off**2).mean(), (off**3).mean(), np.abs(off).max() / most))
    (n, m2, m3, far), *others = cells
    x, most = classes[0]
    reach = max(far, *(far_other - 1.5 / np.sqrt(n) for *_, far_other in others))
    tell = min((np.abs(x) > 1e-12).sum(), n / (1 + m3**2 / m2**3) ** 1.5) * (far / reach) ** 2
    u = 0.1 + 0.9 * 0.7 / (0.7 + tell)
    g = np.clip(x.mean() + side * most * reach ** (tell / (tell + 0.3)), -most, most) - x.mean()
    whole, shift = n + u, u * g / (n + u)
    spread = n * m2 + u * g**2 - whole * shift**2
    cubes = n * m3 + u * g**3 - 3 * shift * (n * m2 + u * g**2) + 2 * whole * shift**3
    thirds = sum(third / size**2 for size, _, third, _ in others)
    variance = spread / whole / (whole + u) + sum(square / size for size, square, *_ in others)
    gamma = 2 * side * (cubes / whole**3 + thirds) / variance**1.5
    parts = [(square / size, size - 1) for size, square, *_ in cells]
    freedom = variance**2 / sum(part**2 / df for part, df in parts)
    lean = 0.5 * (m3 / n**2 + thirds) / sum(part * (df + 1) / df for part, df in parts)
    z = student.isf(alpha, freedom)
    out = 2 / gamma * ((1 + gamma * (z - gamma / 6) / 6) ** 3 - 1)
    believed, doubted = student.isf([0.005, 0.001], freedom)  # between the two it is drawn to Student's, if that is out
    out += np.clip((z - believed) / (doubted - believed), 0, 1) * max(z - out, 0)
    return estimate + shift + (lean if side * lean > 0 else 0) + side * np.sqrt(variance) * out


def test_of_several_classes_only_cases_that_models_place_differently_tell():
    """Three of 20 cases of a class change places; the others differ in the columns of their classes alone."""
    rng, kind, tables = np.random.default_rng(0), np.repeat([0, 1, 2], [20, 26, 26]), []
    others = [np.r_[rng.uniform(0.5, 0.8, high), rng.uniform(0.1, 0.4, 26 - high)] for high in (18, 8)]
    for low in ([2], [0, 1]):
        first = np.r_[np.where(np.isin(np.arange(20), low), 0.09, 0.11), np.full(52, 0.1)]
        second = np.r_[(1 - first[:20]) / 2, *map(rng.permutation, others)]
        tables.append(np.column_stack([first, second, 1 - first - second]))
    placed = []
    for own, size in enumerate((20, 26, 26)):
        won = [[oracles.wins(kind == k, table[:, k]) for table in tables] for k in range(3)]
        x = (won[own][0] - won[own][1]).mean(axis=1)
        for k in {0, 1, 2} - {own}:
            x += size / sum(kind != k) * (won[k][0] - won[k][1]).mean(axis=0)[kind[kind != k] == own]
        placed.append(x / 3)
    largest = [(1 + (size + 1) / 47) / 3 for size in (20, 26, 26)]  # last of its class, and first of the 47 of another
    found = bootstrap_auc_difference(kind, *tables, multi_class="ovr").confidence_interval()
    assert_limits(found, limits_by_hand(placed, 0.025, largest))


@pytest.mark.parametrize("alpha", [0.05, 0.0055, 0.0045, 0.002, 0.0005])
@pytest.mark.parametrize("lost", [0.6, 0.9])
def test_the_smaller_class_need_not_have_shown_how_far_a_case_may_fall(lost, alpha):
    """One positive of 40 falls below most of ten negatives: less 1.5 / sqrt(10), as far is thought of a negative."""
    y, a = np.repeat([1, 0], [40, 10]), np.r_[np.arange(10, 50), np.arange(10)].astype(float)
    b = np.r_[10 * (1 - lost) - 0.5, a[1:]]
    classes = np.r_[lost, np.zeros(39)], np.where(np.arange(10) > b[0], 1 / 40, 0.0)
    limits = bootstrap_auc_difference(y, a, b).confidence_interval(1 - 2 * alpha)
    assert limits == pytest.approx(limits_by_hand(classes, alpha), abs=1e-9)


@pytest.mark.parametrize("alpha", [0.0055, 0.0045, 0.002, 0.0005])
@pytest.mark.parametrize("seed", [0, 1])
def test_far_out_the_correction_for_skewness_fades(seed, alpha):
    y, a, b = skewed(seed, seed)
    apart = oracles.wins(y, a) - oracles.wins(y, b)
    limits = bootstrap_auc_difference(y, a, b).confidence_interval(1 - 2 * alpha)
    assert limits == pytest.approx(limits_by_hand((apart.mean(axis=0), apart.mean(axis=1)), alpha), abs=1e-9)
