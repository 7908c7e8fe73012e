"""Cortes and Mohri's moments against counted orderings and cuts and exact arithmetic, and their intervals."""

from fractions import Fraction
from math import comb, inf

import numpy as np
import oracles
import pytest
from budget import assert_standard_errors
from numpy.testing import assert_allclose
from scipy.stats import binom, norm

from skcostci import auc_from_error_count

METHODS = auc_from_error_count(1, 2, 2).methods


def lost(result):
    """1 - E[AUC] as the law has it, before it is taken from 1."""
    return result.law.moments(np.array([result.law.n_errors]))[0][0]


def summed(k, m, n):
    """1 - E[AUC] and the variance by sums over the number x of false positives, in whole numbers."""
    weight = first = second = ranks = 0
    for x in range(max(0, k - m), min(k, n) + 1):
        missed, above = k - x, m - k + 2 * x
        orderings = comb(above, x) * comb(m + n - above, missed)
        offset = x * m + missed * n
        weight += orderings
        first += orderings * offset
        second += orderings * offset**2
        ranks += orderings * (x * (m - missed) * (m - missed + x + 1) + missed * (n - x) * (n - x + missed + 1))
    mean = Fraction(first, 2 * m * n * weight)
    return mean, Fraction(second, (2 * m * n) ** 2 * weight) - mean**2 + Fraction(ranks, 12 * (m * n) ** 2 * weight)


@pytest.mark.parametrize(("m", "n"), [(1, 1), (1, 4), (2, 2), (3, 2), (2, 5), (5, 1), (4, 4), (5, 5)])
def test_moments_equal_counted_orderings_and_cuts(m, n):
    for k in range(m + n + 1):
        law, result = oracles.error_count_law(k, m, n), auc_from_error_count(k, m, n)
        mean, variance = (oracles.moment(law, order) for order in (1, 2))
        assert_allclose(result.estimate, float(mean), atol=1e-15)
        assert_allclose(result.standard_error**2, float(variance), rtol=1e-13, atol=1e-17)
        assert (mean, variance) == (1 - summed(k, m, n)[0], summed(k, m, n)[1])


HUNDREDS = [(510, 500, 505), *((1000, 300, k) for k in (299, 300, 301, 650, 1000))]  # of one size: mass at both ends
HUNDREDS += [(300, 1000, 1200), (40, 3000, 41), (1, 1000, 500)]
MILLIONS = [(20_000, 3_000, 500), (10**6, 10**6, 1), (10**6, 10**6, 300), (500_000, 1_500_000, 400)]


@pytest.mark.parametrize(("m", "n", "k"), HUNDREDS + MILLIONS)
def test_moments_equal_sums_of_whole_numbers(m, n, k):
    """But for the rounding of logarithms of factorials."""
    few, (mean, variance) = m < 2000, summed(k, m, n)
    result, mirrored = auc_from_error_count(k, m, n), auc_from_error_count(m + n - k, m, n)
    assert_allclose(lost(result), float(mean), rtol=1e-11 if few else 1e-8)
    if few:
        assert_allclose(result.standard_error**2, float(variance), rtol=1e-10)
    assert_standard_errors(result.standard_error, float(variance) ** 0.5)
    assert_allclose(mirrored.estimate, float(mean), rtol=1e-8)
    assert_allclose(mirrored.standard_error, result.standard_error, rtol=1e-8)


def test_the_whole_range_of_error_counts_is_continuous_and_mirrored():
    each = [auc_from_error_count(k, 30, 110) for k in range(141)]
    estimates, errors = np.array([[one.estimate, one.standard_error] for one in each]).T
    assert np.all(np.diff(estimates) < 0)
    assert (estimates[0], estimates[-1], errors[0], errors[-1]) == (1, 0, 0, 0)
    assert_allclose(estimates, 1 - estimates[::-1], atol=1e-14)
    assert_allclose(errors, errors[::-1], rtol=1e-12, atol=1e-15)
    assert errors.argmax() in (30, 110)


def test_constant_risk_forms_follow_the_theorem():
    m, n, k0, level = 60, 45, 13, 0.9
    each = 1 - np.sqrt(level)
    for method, reach in (("chebyshev", 1 / (2 * np.sqrt(each))), ("gaussian", norm.isf(each / 2) / 2)):
        reach *= np.sqrt(m + n)
        inside = [auc_from_error_count(k, m, n) for k in range(m + n + 1) if abs(k - k0) <= reach]
        low = min(r.estimate - r.standard_error / np.sqrt(each) for r in inside)
        high = max(r.estimate + r.standard_error / np.sqrt(each) for r in inside)
        interval = auc_from_error_count(k0, m, n).confidence_interval(level, method=method)
        assert_allclose(interval, (max(low, 0), min(high, 1)), rtol=1e-12)


@pytest.mark.parametrize(("m", "n", "k0", "level"), [(60, 45, 13, 0.9), (250, 40, 8, 0.8)])
def test_varying_risk_forms_run_the_risk_asked_for(m, n, k0, level):
    """With the least risk each number of errors admits: in all the level's, for the exponential form no more."""
    result = auc_from_error_count(k0, m, n)
    share = binom.pmf(np.arange(m + n + 1), m + n, (k0 + 0.5) / (m + n + 1))
    each = [auc_from_error_count(k, m, n) for k in range(m + n + 1)]

    def risk(low, high):
        room = [min(r.estimate - low, high - r.estimate) for r in each]
        return share @ [1 if x <= 0 else min(1, (r.standard_error / x) ** 2) for r, x in zip(each, room, strict=True)]

    half = result.estimate - result.confidence_interval(level).low
    assert_allclose(risk(result.estimate - half, result.estimate + half), 1 - level, rtol=1e-3)  # interpolated
    low, high = result.confidence_interval(level, method="exponential")
    assert risk(low if low > 0 else -inf, high if high < 1 else inf) <= (1 - level) * (1 + 1e-3)


@pytest.mark.parametrize(
    ("m", "n", "k0", "expected"),
    [
        (100, 100, 0, [(0.982, 1), (0.914, 1), (0.856, 1), (0.671, 1)]),
        (100, 100, 20, [(0.819, 0.981), (0.809, 0.981), (0.725, 1), (0.554, 1)]),
        (250, 250, 100, [(0.733, 0.867), (0.729, 0.867), (0.679, 0.908), (0.581, 0.979)]),
        (120, 80, 30, [(0.719, 0.951), (0.707, 0.944), (0.602, 1), (0.327, 1)]),
    ],
)
def test_forms_from_the_shortest_to_the_longest(m, n, k0, expected):
    """An independent implementation's values, to three digits."""
    result = auc_from_error_count(k0, m, n)
    intervals = [result.confidence_interval(method=method) for method in METHODS]
    assert METHODS == ("optimal", "exponential", "gaussian", "chebyshev")
    assert_allclose(intervals, expected, atol=6e-4)


def test_the_exponential_form_is_the_shortest_of_its_kind():
    """Lower limits by a search over 6,001 rates."""
    for counts, low in (((3, 10, 20), 0.61189), ((1, 5, 5), 0.53304)):
        found = auc_from_error_count(*counts).confidence_interval(0.8, method="exponential")
        assert_allclose(found.low, low, atol=2e-4)


def test_the_estimate_is_not_consistent():
    """At a true AUC of .95 from two normal classes, the error rate is .122 and the estimate tends to .878."""
    error = norm.sf(norm.ppf(0.95) / np.sqrt(2))
    result = auc_from_error_count(round(error * 2 * 10**5), 10**5, 10**5)
    assert_allclose(result.estimate, 0.878, atol=1e-3)
    assert result.confidence_interval(0.999).high < 0.9


@pytest.mark.parametrize(
    ("counts", "options", "message"),
    [
        ((6, 2, 3), {}, r"n_errors must be a whole number in \[0, 5\], got 6"),
        ((1, 5, 10**400), {}, r"n_negative must be a whole number in \[1, 4000000000\], got 1000"),
        ((0, 0, 3), {}, r"n_positive must be a whole number in \[1, 4000000000\], got 0"),
        ((0, 3, 2.5), {}, r"n_negative must be a whole number in \[1, 4000000000\], got 2\.5"),
        ((20, 100, 100), {"error_rate": (0.06, 0.16)}, "needs error_confidence"),
        ((20, 100, 100), {"error_confidence": 0.9}, "needs error_confidence"),
        ((20, 100, 100), {"error_rate": (0.2, 0.3), "error_confidence": 0.9}, "contain the observed rate, 0.1"),
        ((20, 100, 100), {"error_rate": 0.1, "error_confidence": 0.9}, "must be two limits"),
        ((20, 100, 100), {"error_rate": (0.06, 0.16), "error_confidence": 1.0}, "error_confidence"),
    ],
)
def test_hostile_counts_and_intervals_of_error_rates_are_named(counts, options, message):
    with pytest.raises(TypeError if 2.5 in counts else ValueError, match=message):
        auc_from_error_count(*counts, **options)
    with pytest.raises(ValueError, match="method must be one of 'optimal'"):
        auc_from_error_count(1, 3, 3).confidence_interval(method="wald")


@pytest.mark.parametrize(("k", "m", "n"), [(0, 5, 5), (3, 10, 10), (20, 100, 100), (24, 4, 20)])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.filterwarnings("ignore::skcostci.DegenerateLawWarning")  # at a level of nothing, of no errors at all
def test_every_level_gives_numbers_in_order(k, m, n, method):
    result = auc_from_error_count(k, m, n)
    levels = (1e-300, 1e-17, 0.5, 0.95, 1 - 1e-9, np.nextafter(1, 0))
    low, high = np.array([result.confidence_interval(level, method=method) for level in levels]).T
    assert np.all(np.diff(low) <= 1e-12)
    assert np.all(np.diff(high) >= -1e-12)
    assert np.all((low >= 0) & (low <= result.estimate + 1e-15) & (result.estimate - 1e-15 <= high) & (high <= 1))
    mirrored = auc_from_error_count(m + n - k, n, m).confidence_interval(0.5, method=method)
    assert_allclose((1 - mirrored.high, 1 - mirrored.low), (low[2], high[2]), atol=2e-4)
    low, high = result.confidence_interval(0.9, method=method)
    assert result.confidence_interval(0.9, method=method, alternative="less") == (0, high)
    assert result.confidence_interval(0.9, method=method, alternative="greater") == (low, 1)


def test_a_thousand_million_cases():
    """Few errors are independent, each a swap of neighbours at the cut; many need the sums around the likeliest x."""
    few = auc_from_error_count(1000, 5 * 10**8, 5 * 10**8)
    assert_allclose(1 - few.estimate, 1000 / 10**9, rtol=1e-9)
    low, high = few.confidence_interval()
    assert 0.9999 < low < few.estimate < high < 1
    many, smaller = auc_from_error_count(3 * 10**8, 2 * 10**8, 8 * 10**8), auc_from_error_count(3000, 2000, 8000)
    assert_allclose(many.estimate, 0.5, atol=1e-8)
    assert_standard_errors(many.standard_error * np.sqrt(10**5), smaller.standard_error)


@pytest.mark.parametrize("method", METHODS)
def test_limits_of_many_errors_that_are_counted_in_groups_go_on_as_those_of_fewer(method):
    """At one error rate, half widths shrink with the root of the size past where groups begin, at 1,025 numbers."""
    shrunk = []
    for times in (1, 2, 4, 8, 16):
        limits = auc_from_error_count(200 * times, 700 * times, 900 * times).confidence_interval(method=method)
        shrunk.append(np.ptp(limits) / 2 * np.sqrt(times))
    steps = np.abs(np.diff(shrunk)) / shrunk[-1]
    assert (np.diff(steps) <= 2e-3).all()
    assert steps[-1] < 0.02


def test_an_error_rate_with_an_interval_of_its_own():
    """Theorem 1: the extremes over the numbers of errors in it, at the rest of the confidence."""
    given = auc_from_error_count(20, 100, 100, error_rate=(0.06, 0.16), error_confidence=0.99)
    each = [auc_from_error_count(k, 100, 100) for k in range(12, 33)]
    risk = 1 - 0.95 / 0.99
    low = min(one.estimate - one.standard_error / risk**0.5 for one in each)
    high = max(one.estimate + one.standard_error / risk**0.5 for one in each)
    assert_allclose(given.confidence_interval(0.95), [low, min(high, 1.0)], rtol=1e-9)
    assert given.confidence_interval(0.99) == (0, 1)
    assert_allclose(given.pvalue(null=given.confidence_interval(0.9).low), 0.1, rtol=1e-6)
