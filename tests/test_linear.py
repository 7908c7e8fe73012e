"""Laws of weighted sums of counted cells: sums over all resamples of a confusion table."""

from fractions import Fraction

import numpy as np
import oracles
import pytest
from budget import assert_cdf
from numpy.testing import assert_allclose
from scipy.stats import norm
from test_roc_fpr import assert_law

import skcostci as sk

COUNTS = 3, 1, 2, 2
LABELS = [1, 1, 0, 0], [1, 0, 1, 0]


def law_of(sampling, value):
    law = {}
    for table, p in oracles.tables(COUNTS, sampling == "full"):
        law[value(table)] = law.get(value(table), 0) + p
    return law


def summed(weights):
    """What cases add, each by its cell."""
    exact = [Fraction(weight) for weight in weights]
    return lambda table: sum(w * n for w, n in zip(exact, table, strict=True)) / sum(table)


@pytest.mark.parametrize("sampling", ["stratified", "full"])
@pytest.mark.parametrize("weights", [(1.0, 0.0, 0.0, 1.0), (0.5, -1.0, 0.5, 2.0), (1.0, 2.0, 10.0, 0.0)])
def test_weighted_counts(weights, sampling):
    metric, value = sk.Metric(weights, (1, 1, 1, 1)), summed(weights)
    found = sk.bootstrap_metric(*LABELS, metric, sampling=sampling, sample_weight=COUNTS)
    assert_law(found, law_of(sampling, value), value(COUNTS), 1e-12)


@pytest.mark.parametrize("w", [0.0, 0.3, 1.0])
def test_a_class_that_is_worth_nothing_is_left_out(w):
    def value(table):
        tp, fn, fp, tn = table
        return Fraction(w) * Fraction(fn, tp + fn) + Fraction(1 - w) * Fraction(fp, fp + tn)

    found = sk.bootstrap_cost(*LABELS, probability_cost=w, thresholds=1, sample_weight=COUNTS)
    assert_law(found, law_of("stratified", value), value(COUNTS), 1e-12)


@pytest.mark.parametrize("smoothing", [0.0, 0.5])
def test_pooled_cells_are_drawn_with_their_smoothing(smoothing):
    values = [0, 3, 1, 0.25]
    cells = [Fraction(count) + Fraction(smoothing) for count in COUNTS]
    law = oracles.pooled_law(cells, values, 8)
    matrix = [[values[3], values[2]], [values[1], values[0]]]
    found = sk.bootstrap_expected_cost(*LABELS, matrix, smoothing=smoothing, sample_weight=COUNTS)
    assert_allclose(found.mean, float(oracles.moment(law, 1)), rtol=1e-12)
    assert_allclose(found.standard_error**2, float(oracles.moment(law, 2)), rtol=1e-12)
    places = np.array(sorted(law), dtype=float)
    assert_allclose(found.cdf(places), [float(oracles.cdf(law, x)) for x in sorted(law)], atol=1e-12)


def test_sums_of_hundreds_of_different_values_are_nearly_normal():
    found, z = sk.bootstrap_mean(np.random.default_rng(0).beta(2, 3, 300)), np.array([-1.5, -0.5, 0.0, 0.7])
    assert_cdf(found.cdf(found.mean + z * found.standard_error), norm.cdf(z))
