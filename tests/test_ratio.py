"""Ratios of counts: where they are up to a value, and their moments, against every resample."""

from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import binom
from skcostci.laws._columns import RatioColumns, RisingColumns, Sheet
from skcostci.laws._ratio_moments import Draws, pair_moments, ratio_moments

from skcostci.laws._lattice import binomial
from skcostci.laws._metric_point import NODES, binomial_nodes
from skcostci.laws._points import at_points, split_at
from skcostci.metric import NAMED, Metric

WEIGHT = st.sampled_from([0.0, 0.25, 0.5, 1.0, 2.0, 3.0])
SIGNED = st.sampled_from([-2.0, -1.0, -0.25, 0.0, 0.5, 1.0, 3.0])
COLUMN = st.tuples(st.integers(1, 7), st.tuples(SIGNED, SIGNED), st.tuples(WEIGHT, WEIGHT))
TABLE = st.tuples(*[st.integers(0, 5)] * 4).filter(lambda table: table[0] + table[1] and table[2] + table[3])


def every_value(columns):
    """The metric at each count of each column, NaN where the denominator is 0."""
    return [columns.values(np.full(n + 1, i), np.arange(n + 1)) for i, n in enumerate(columns.draws.tolist())]


@given(st.lists(COLUMN, min_size=1, max_size=4), st.sampled_from([-1.0, 0.0, 0.5, 1.0, 2.0]))
@settings(deadline=None)
def test_columns_know_where_they_are_up_to_a_value(parts, x):
    draws, numerators, denominators = (np.array(part) for part in zip(*parts, strict=True))
    columns = RatioColumns(draws, tuple(numerators.T), tuple(denominators.T))
    with np.errstate(invalid="ignore", divide="ignore"):
        values = every_value(columns)
    for strict in (False, True):
        low, high = columns.up_to(x, strict)
        for i, each in enumerate(values):
            defined = np.isfinite(each)
            up_to = np.flatnonzero(defined & ((each < x - 1e-12) if strict else (each <= x + 1e-12)))
            found = np.arange(low[i], high[i] + 1)
            assert_array_equal(found if len(found) else [], up_to)
    for i, each in enumerate(values):
        assert_array_equal(np.arange(columns.first[i], columns.last[i] + 1), np.flatnonzero(np.isfinite(each)))


@given(COLUMN, st.sampled_from([-1.137, -0.1037, 0.0]), st.sampled_from([0.1013, 0.517, 1.139]))
@settings(deadline=None)
def test_columns_know_what_lies_between_two_values(part, low, high):
    draws, numerator, denominator = part
    columns = RatioColumns(np.array([draws]), *(tuple(map(np.atleast_1d, ends)) for ends in (numerator, denominator)))
    start, size = columns.between(low, high)
    with np.errstate(invalid="ignore", divide="ignore"):
        (each,) = every_value(columns)
    inside = np.flatnonzero(np.isfinite(each) & (each > low) & (each <= high))
    assert_array_equal(np.arange(start[0], start[0] + size[0]), inside)


@pytest.mark.parametrize("name", ["mcc", "diagnostic_odds_ratio"])
@pytest.mark.parametrize("x", [-0.5, 0.0, 0.3, 1.0, 4.0])
def test_rising_columns_are_searched(name, x):
    value = partial(NAMED[name].at)
    columns = RisingColumns(value, 5, 4, np.arange(5))
    for strict in (False, True):
        low, high = columns.up_to(x, strict)
        for alarms in range(5):
            hits = np.arange(6.0)
            each = value(hits, 5 - hits, np.full(6, alarms), np.full(6, 4 - alarms))
            inside = np.isfinite(each) & (each < x if strict else each <= x)
            assert_array_equal(np.arange(low[alarms], high[alarms] + 1), np.flatnonzero(inside))


def test_a_sheet_lists_its_atoms_and_adds_them_up():
    draws = np.full(4, 5)
    alarms, hits = binomial(3, 0.4, 0.6), binomial(5, 0.3, 0.7)
    numerator, denominator = (np.zeros(4), np.full(4, 5.0)), (np.arange(4.0), np.arange(4.0) + 5)  # precision
    sheet = Sheet(RatioColumns(draws, numerator, denominator), alarms.pmf, hits)
    exact = {}
    for fp, tp in product(range(4), range(6)):
        p = binom.pmf(fp, 3, 0.4) * binom.pmf(tp, 5, 0.3)
        key = tp / (tp + fp) if tp + fp else None
        exact[key] = exact.get(key, 0) + p
    assert_allclose(sheet.undefined, exact[None], rtol=1e-12)
    assert_allclose(sheet.defined, 1 - exact.pop(None), rtol=1e-12)
    for x in (0.0, 0.4, 0.5, 0.75, 1.0):
        total = sum(p for value, p in exact.items() if value <= x + 1e-12)
        assert_allclose(sheet.mass(sheet.columns.up_to(x)), total, atol=1e-14)
    values, masses = sheet.atoms(0.3, 0.8)
    for value in np.unique(values.round(12)):
        assert_allclose(masses[np.abs(values - value) < 1e-9].sum(), exact[min(exact, key=lambda v: abs(v - value))])
    assert_allclose(masses.sum(), sum(p for value, p in exact.items() if 0.3 < value <= 0.8))
    one_rate = Sheet(sheet.columns, alarms.pmf, 0.3)  # binomials in place of a common lattice
    assert_allclose(one_rate.mass(sheet.columns.up_to(0.5)), sheet.mass(sheet.columns.up_to(0.5)), rtol=1e-12)
    assert_allclose(one_rate.undefined, sheet.undefined, rtol=1e-12)
    assert_allclose(np.sort(one_rate.atoms(0.3, 0.8)[1]), np.sort(masses), rtol=1e-10)


def moments_of(pairs):
    """P(undefined), and mean and variance given the rest, of values with their probabilities."""
    undefined = sum(p for value, p in pairs if value is None)
    defined = [(value, p / (1 - undefined)) for value, p in pairs if value is not None]
    mean = sum(value * p for value, p in defined)
    return float(undefined), float(mean), float(sum((value - mean) ** 2 * p for value, p in defined))


def ratio(numerator, denominator, table):
    below = sum(w * n for w, n in zip(denominator, table, strict=True))
    return None if below == 0 else sum(w * n for w, n in zip(numerator, table, strict=True)) / Fraction(below)


@pytest.mark.parametrize("full", [False, True], ids=["stratified", "full"])
@pytest.mark.parametrize(
    ("numerator", "denominator"),
    [((1, 0, 0, 0), (1, 0, 1, 0)), ((2, 0, 0, 0), (2, 1, 1, 0)), ((1, -3, 2, 0), (0, 1, 2, 4))],
)
def test_moments_of_a_ratio(full, numerator, denominator):
    counts = (2, 1, 1, 3)
    exact = moments_of([(ratio(numerator, denominator, table), p) for table, p in oracles.tables(counts, full)])
    parts = []
    for part in [slice(0, 4)] if full else [slice(0, 2), slice(2, 4)]:
        each = np.array([counts[part]], dtype=float)
        sides = (np.array([side[part]], dtype=float) for side in (numerator, denominator))
        parts.append(Draws(int(each.sum()), each / each.sum(), *sides))
    found = [float(moment[0]) for moment in ratio_moments(parts)]
    assert_allclose(found, exact, rtol=1e-10, atol=1e-13)


def test_moments_of_a_ratio_that_is_never_defined_are_infinite():
    none = Draws(3, np.array([[0.0, 1.0]]), np.array([[1.0, 0.0]]), np.array([[1.0, 0.0]]))
    undefined, mean, variance = ratio_moments([none])
    assert_array_equal([undefined[0], mean[0], variance[0]], [1.0, np.inf, np.inf])


def test_points_are_worked_on_in_blocks():
    p = np.linspace(0.1, 0.9, 150)
    cells = np.column_stack([p, 1 - p])
    weights = np.broadcast_to([1.0, 0.0], cells.shape), np.broadcast_to([1.0, 1.0], cells.shape)
    _, mean, variance = ratio_moments([Draws(7, cells, *weights)])
    assert_allclose(mean, p, rtol=1e-10)
    assert_allclose(variance, p * (1 - p) / 7, rtol=1e-9)


@pytest.mark.parametrize("full", [False, True], ids=["stratified", "full"])
def test_moments_of_the_difference_of_two_ratios(full):
    """Precision of a less that of b: both, a, b and neither hit, of the positives and then of the negatives."""
    counts = (1, 1, 0, 1, 0, 1, 1, 1)
    a, b = np.array([1, 1, 0, 0] * 2), np.array([1, 0, 1, 0] * 2)
    positive = np.array([1] * 4 + [0] * 4)
    weights = np.array([a * positive, a, b * positive, b], dtype=float)
    parts = [counts] if full else [counts[:4], counts[4:]]
    pairs = []
    for drawn in product(*(list(oracles.compositions(sum(part), len(part))) for part in parts)):
        p = Fraction(1)
        for part, times in zip(parts, drawn, strict=True):
            p *= oracles.orderings(times)
            for count, number in zip(part, times, strict=True):
                p *= Fraction(count, sum(part)) ** number
        table = sum(drawn, ())
        values = [ratio(weights[i].astype(int).tolist(), weights[i + 1].astype(int).tolist(), table) for i in (0, 2)]
        pairs.append((None if None in values else values[0] - values[1], p))
    exact = moments_of(pairs)
    shares = []
    for part in [slice(0, 8)] if full else [slice(0, 4), slice(4, 8)]:
        each = np.zeros((1, 8))
        each[0, part] = counts[part]
        shares.append((int(each.sum()), each / each.sum()))
    found = [float(moment[0]) for moment in pair_moments(shares, weights[:, None])]
    assert_allclose(found, exact, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("draws", "hit"), [(10, 0.3), (NODES - 2, 0.5), (1000, 0.02), (10**5, 0.7)])
def test_nodes_have_the_moments_of_the_binomial(draws, hit):
    nodes, weights = binomial_nodes(draws, hit, 1 - hit)
    assert len(nodes) <= NODES
    assert_allclose(weights.sum(), 1, rtol=1e-12)
    exact = binom(draws, hit)
    off = nodes - exact.mean()
    assert_allclose(weights @ off, 0, atol=1e-9 * draws)
    assert_allclose(weights @ off**2, exact.var(), rtol=1e-9)
    skewness, kurtosis = (float(moment) for moment in exact.stats("sk"))
    assert_allclose(weights @ off**3, skewness * exact.var() ** 1.5, rtol=1e-6, atol=1e-6 * exact.var() ** 1.5)
    assert_allclose(weights @ off**4, (kurtosis + 3) * exact.var() ** 2, rtol=1e-7)


def test_each_point_answers_about_its_own_values():
    asked = []

    def answers(i, column):
        asked.append(i)
        return [[value + 10 * i, -value] for value in column]

    x = np.arange(12.0).reshape(2, 2, 3)
    found = at_points(x, answers)
    assert asked == [0, 1, 2]
    assert_array_equal(found[..., 0], x + 10 * np.arange(3))
    assert_array_equal(found[..., 1], -x)
    assert_array_equal(at_points(x, lambda i, column: column * i), x * np.arange(3))
    below, level, above = split_at(np.array([0.25, 0.5]), np.array([0.75, 0.5 - 1e-17]))
    assert_array_equal([below, level, above], [[0.25, 0.5], [0.5, 0.0], [0.25, 0.5]])


@given(TABLE, st.sampled_from(sorted(NAMED)))
@settings(deadline=None)
def test_metrics_of_counts_are_the_textbooks(table, name):
    metric, exact = NAMED[name], oracles.metric_of_table(name, table)
    found = float(metric.at(*table))
    if exact is None:
        assert not np.isfinite(found)
    else:
        assert_allclose(found, float(exact), rtol=1e-12, atol=1e-14)
    if isinstance(metric, Metric):
        tp, fn, fp, tn = map(float, table)
        rates = np.array([tp / (tp + fn), fn / (tp + fn), fp / (fp + tn), tn / (fp + tn)])
        numerator, denominator = metric.on_rates((tp + fn) / sum(table))
        with np.errstate(invalid="ignore", divide="ignore"):
            assert_allclose(rates @ numerator / (rates @ denominator), found, rtol=1e-12, atol=1e-14)
