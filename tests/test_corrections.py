"""Formulas of the papers as printed, and as the theory pages correct them, against enumeration in exact fractions."""

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import oracles
import pytest
from numpy.testing import assert_allclose

from skcostci import CostCurve, bootstrap_cost

Y = np.array([1, 1, 1, 0, 0, 0, 0, 0])
SCORES = np.array([3.0, 2.0, 0.5, 2.0, 1.0, 0.0, 0.2, 0.1])


def test_the_printed_variance_lacks_the_class_sizes():
    """Equation 5 of the 2008 paper."""
    cases = [(1, (1.0,)), (1, (0.0,)), (1, (1.0,)), (0, (1.0,)), (0, (0.0,))]
    w, p, q = Fraction(1, 3), Fraction(2, 3), Fraction(1, 2)
    true = oracles.moment(oracles.stratified_law(cases, lambda drawn: oracles.normalized_cost(drawn, w, 0.5)), 2)
    parts = w**2 * p * (1 - p), (1 - w) ** 2 * q * (1 - q)
    assert true == parts[0] / 3 + parts[1] / 2
    assert true != sum(parts)


def test_full_sampling_adds_the_term_between_classes():
    w = np.linspace(0, 1, 11)
    costs = [bootstrap_cost(Y, SCORES, probability_cost=w, thresholds=1.5, sampling=x) for x in ("stratified", "full")]
    m, n = 3, 5
    miss, alarm, total = 1 / 3, 1 / 5, m + n
    between = m * n / total**3 * (w * total / m * miss - (1 - w) * total / n * alarm) ** 2
    assert_allclose(costs[0].mean, costs[1].mean, rtol=1e-13)
    assert_allclose(costs[1].standard_error ** 2 - costs[0].standard_error ** 2, between, atol=1e-15)


def test_the_full_variance_does_not_vanish_beyond_the_data():
    """Section 6 of the 2008 paper has equation 10 nearly zero there; with equal costs it is that of the class mix."""
    full = bootstrap_cost(Y, SCORES, probability_cost=3 / 8, thresholds=np.inf, sampling="full", normalizer="max")
    assert_allclose(full.standard_error**2, 3 / 8 * 5 / 8 / 8, rtol=1e-13)
    assert bootstrap_cost(Y, SCORES, probability_cost=3 / 8, thresholds=np.inf).standard_error == 0


def conditional(m, r, b, c, d):
    """Equation 14 of the 2009 paper at l = 2r - m + 1 draws above both thresholds, times the rest's total power."""
    left = m - (2 * r - m + 1)
    low = m - r - 1
    return sum(
        oracles.orderings((x, y, left - x - y)) * b**x * c**y * d ** (left - x - y)
        for x, y in product(range(low, m - r + 1), repeat=2)
        if x + y <= left
    )


@pytest.mark.parametrize("shares", [(2, 1, 1, 1), (3, 1, 2, 1), (1, 2, 2, 3)])
def test_the_bracket_of_equation_17_holds_probabilities_not_counts(shares):
    """A term of the joint threshold law in the 2009 paper."""
    total = sum(shares)
    a, b, c, d = (Fraction(share, total) for share in shares)
    for m in range(2, 7):
        for r in range(m // 2, m):
            ways = oracles.orderings((m - r, m - r - 1, 2 * r - m + 1))
            front = ways * a ** (2 * r - m + 1) * (b * c) ** (m - r - 1)
            term = comb(m, 2 * r - m + 1) * a ** (2 * r - m + 1) * conditional(m, r, b, c, d)
            assert front * ((m - r) * d + b + c) == term
            assert front * total * ((m - r) * d + b + c) != term


def corollary(k, m, n, denominator, garbled):
    """The variance of Corollary 1 of Cortes and Mohri; ``denominator`` gives the sum below the bar of Z_i."""
    total, gap = m + n, m - n
    t = 3 * (gap**2 + total) + 2
    z = [Fraction(sum(comb(total + 1 - i, x) for x in range(k - i + 1)), denominator(i)) for i in range(5)]
    q0 = (total + 1) * t * k**2 + ((-3 * n**2 + 3 * m * n + 3 * m + 1) * t - 12 * (3 * m * n + total) - 8) * k
    q0 += (-3 * m**2 + 7 * m + 10 * n + 3 * n * m + 10) * t - 4 * (3 * m * n + total + 1)
    last = (-3 * m**2 + 7 * m + n + 3 * m * n) if garbled else (-3 * m**2 + 7 * total + 3 * m * n)
    q1 = t * k**3 + 3 * (m - 1) * t * k**2
    q1 += ((-3 * n**2 + 3 * m * n - 3 * m + 8) * t - 6 * (6 * m * n + total)) * k + last * t - 2 * (6 * m * n + total)
    area = m**2 * n**2
    fourth = (total - 2) * z[4] - (2 * m - n + 3 * k - 10) * z[3]
    variance = (total + 1) * total * (total - 1) * t * fourth / (72 * area)
    inner = m**2 - n * m + 3 * k * m - 5 * m + 2 * k**2 - n * k + 12 - 9 * k
    variance += (total + 1) * total * t * inner * z[2] / (48 * area)
    variance -= (total + 1) ** 2 * gap**4 * z[1] ** 2 / (16 * area)
    return variance - (total + 1) * q1 * z[1] / (72 * area) + Fraction(k * q0, 144 * area)


@pytest.mark.parametrize(("m", "n"), [(2, 2), (3, 2), (2, 4), (4, 3), (4, 4)])
def test_two_misprints_of_corollary_1(m, n):
    """Of Cortes and Mohri: what is below the bar of Z_i is the same for every i, and a bracket of Q_1."""
    for k in range(1, min(m, n) + 1):
        true = oracles.moment(oracles.error_count_law(k, m, n), 2)

        def same(i, k=k):
            return sum(comb(m + n + 1, x) for x in range(k + 1))

        def printed(i, k=k):
            return sum(comb(m + n + 1 - i, x) for x in range(k + 1))

        assert corollary(k, m, n, same, garbled=False) == true
        assert corollary(k, m, n, printed, garbled=False) != true
        assert corollary(k, m, n, same, garbled=True) != true


def test_the_rank_of_an_endpoint_needs_exact_arithmetic():
    """Margineantu and Dietterich's floor((1 - level) / 2 * 1000) + 1."""
    assert int((1 - 0.9) / 2 * 1000) + 1 == 50
    assert int((1 - Fraction(9, 10)) / 2 * 1000) + 1 == 51


def test_the_narrowest_place_of_a_band_may_lie_beyond_the_class_share():
    """Section 4.6 of Drummond and Holte: not always towards the rate with the smaller variance."""
    m, n, v_miss, v_alarm = 100, 10, Fraction(1, 4), Fraction(4, 25)
    narrowest = m * v_alarm / (n * v_miss + m * v_alarm)

    def variance(x):
        return x**2 * v_miss / m + (1 - x) ** 2 * v_alarm / n

    assert variance(narrowest) < min(variance(narrowest + Fraction(1, 1000)), variance(narrowest - Fraction(1, 1000)))
    assert v_miss / m < v_alarm / n
    assert narrowest < Fraction(m, m + n)


def test_the_envelope_of_a_resample_is_lower_in_the_mean():
    w = np.linspace(0.1, 0.9, 9)
    cases = [(1, (2.0,)), (1, (0.5,)), (1, (1.0,)), (0, (1.5,)), (0, (0.0,)), (0, (1.0,))]

    def envelope(drawn):
        y, scores = zip(*((label, score[0]) for label, score in drawn), strict=True)
        return tuple(CostCurve.from_predictions(y, scores)(w).tolist())

    law = oracles.stratified_law(cases, envelope)
    mean = sum(float(p) * np.array(costs) for costs, p in law.items())
    assert (mean < np.array(envelope(cases)) - 1e-3).all()
