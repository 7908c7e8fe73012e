"""The law of the largest deviate against Tukey's and Dunnett's constants, and letters against their definition."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import multivariate_normal, norm, studentized_range

from skcostci.compare._families import against, check_contrasts, contrast_names, pairwise
from skcostci.compare._letters import letters
from skcostci.compare._max_t import LargestDeviate


def correlation(matrix, covariance=None):
    products = matrix @ (np.eye(matrix.shape[1]) if covariance is None else covariance) @ matrix.T
    deviation = np.sqrt(np.diag(products))
    return products / np.outer(deviation, deviation)


def names(k):
    return [f"m{i}" for i in range(k)]


@pytest.mark.parametrize(("k", "tolerance"), [(2, 1e-12), (3, 1e-3), (5, 2e-3), (10, 5e-3), (20, 1e-2)])
def test_all_pairs_of_alike_models_have_tukeys_critical_value(k, tolerance):
    law = LargestDeviate(correlation(pairwise(names(k))))
    for alpha in (0.1, 0.05, 0.01):
        t = law.critical_value(alpha)
        slope = (studentized_range.sf((t + 0.01) * np.sqrt(2), k, np.inf) - alpha) / 0.01
        excess = studentized_range.sf(t * np.sqrt(2), k, np.inf) - alpha
        assert abs(excess / slope) < tolerance  # so far off is the critical value


@pytest.mark.parametrize("k", [3, 5, 8])
def test_comparisons_with_a_reference_have_dunnetts_probability(k):
    table = correlation(against(names(k), "m0"), np.diag(np.arange(1.0, k + 1)))
    law = LargestDeviate(table, two_sided=False)
    for t in (-1.0, 0.5, 1.0, 2.0):
        dunnett = 1 - multivariate_normal.cdf(np.full(k - 1, t), cov=table, abseps=1e-5)
        assert float(law.exceeds(np.array(t))) == pytest.approx(dunnett, abs=2e-3)


def test_one_deviate_is_the_normal_law_however_far():
    t = np.array([0.0, 1.0, 5.0, 30.0])
    np.testing.assert_allclose(LargestDeviate(np.eye(1)).exceeds(t), 2 * norm.sf(t), rtol=1e-12)


@settings(max_examples=25)
@given(st.integers(2, 7), st.integers(0, 10**6))
def test_probabilities_fall_and_lie_between_one_deviates_and_bonferronis(k, seed):
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(k, rng.integers(1, k + 1)))
    law = LargestDeviate(correlation(pairwise(names(k)), root @ root.T + 1e-3 * np.eye(k)))
    t = np.linspace(0, 12, 100)
    exceeds = law.exceeds(t)
    assert np.all(np.diff(exceeds) <= 1e-15)
    assert np.all(exceeds >= 2 * norm.sf(t) * (1 - 1e-9))
    assert np.all(exceeds <= np.minimum(k * (k - 1) * norm.sf(t), 1) * (1 + 1e-9))
    alpha = float(rng.uniform(1e-4, 0.5))
    assert float(law.exceeds(np.array(law.critical_value(alpha)))) == pytest.approx(alpha, rel=1e-6)


def test_deviates_that_are_copies_count_once():
    assert LargestDeviate(np.ones((3, 3))).critical_value(0.05) == pytest.approx(norm.isf(0.025), abs=1e-8)


def test_contrasts_are_named():
    matrix = check_contrasts([[1, -1, 0], [0.5, 0.5, -1]], names(3))
    assert contrast_names(matrix, names(3)) == ("m0 - m1", "0.5 m0 + 0.5 m1 - m2")


@pytest.mark.parametrize(
    ("matrix", "message"),
    [([[1, -1]], "column for each of the 3"), ([[1, 1, 0]], "add up to 0"), ([[np.nan, 0, 0]], "finite")],
)
def test_matrices_that_compare_nothing_are_refused(matrix, message):
    with pytest.raises(ValueError, match=message):
        check_contrasts(matrix, names(3))


@given(st.integers(1, 7), st.data())
def test_two_models_share_a_letter_unless_they_differ(k, data):
    pairs = list(combinations(range(k), 2))
    different = data.draw(st.sets(st.sampled_from(pairs))) if pairs else set()
    marks = letters(names(k), different)
    for i, j in pairs:
        assert bool(set(marks[f"m{i}"]) & set(marks[f"m{j}"])) == ((i, j) not in different)
