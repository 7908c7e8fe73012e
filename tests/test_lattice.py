"""Laws of whole-number sums: exact masses on windows that grow with the standard deviation only."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.stats import binom, multinomial

from skcostci.laws._lattice import IndependentSums, JointSums, Lattice, binomial, multinomial_sum


def dense(lattice, low, high):
    """A lattice's masses from low to high."""
    masses = np.zeros(high - low + 1)
    masses[lattice.start - low : lattice.start - low + len(lattice)] = lattice.pmf
    return masses


@given(draws=st.integers(1, 3000), hits=st.integers(0, 50), misses=st.integers(0, 50))
@settings(deadline=None)
def test_binomial(draws, hits, misses):
    share = hits / max(hits + misses, 1)
    lattice = binomial(draws, share, 1 - share)
    assert_allclose(dense(lattice, 0, draws), binom.pmf(np.arange(draws + 1), draws, share), rtol=1e-9, atol=1e-17)
    assert_allclose(lattice.pmf.sum(), 1, rtol=1e-14)


@pytest.mark.parametrize("share", [1e-7, 0.003, 0.5, 0.999])
def test_windows_grow_like_the_standard_deviation(share):
    for draws in (10**4, 10**6, 10**8):
        deviation = np.sqrt(draws * share * (1 - share))
        assert len(binomial(draws, share, 1 - share)) <= 19 * deviation + 60
        assert len(multinomial_sum(draws, np.array([share, 1 - share]), np.array([1, 0]))) <= 19 * deviation + 60


@given(cells=st.lists(st.integers(0, 9), min_size=3, max_size=3).filter(any), draws=st.integers(1, 60))
@settings(deadline=None)
def test_multinomial_sum_is_the_repeated_convolution(cells, draws):
    probabilities = np.array(cells) / sum(cells)
    hit = probabilities > 0
    weights = np.array([-1, 0, 1])
    law = np.array([1.0])
    for _ in range(draws):
        law = np.convolve(law, probabilities)
    lattice = multinomial_sum(draws, probabilities[hit], weights[hit])
    assert_allclose(dense(lattice, -draws, draws), law, atol=1e-14)


def test_joint_sums_are_the_multinomial():
    probabilities = np.array([0.1, 0.3, 0.05, 0.15, 0.4])
    u, v = np.array([1, -1, 0, 0, 0]), np.array([0, 0, 1, -1, 0])
    joint = JointSums(6, probabilities, u, v, 0.3, 0.7)
    law = multinomial(6, probabilities)
    counts = np.array([c for c in np.ndindex(7, 7, 7, 7) if sum(c) <= 6])
    counts = np.column_stack([counts, 6 - counts.sum(axis=1)])
    values, masses = counts @ (0.3 * u + 0.7 * v), law.pmf(counts)
    for x in np.unique(values.round(9)):
        assert_allclose(joint.cdf(x), masses[values <= x + 1e-9].sum(), atol=1e-14)
        assert_allclose(joint.cdf(x, strict=True), masses[values < x - 1e-9].sum(), atol=1e-14)


@given(q=st.floats(0, 1), start=st.floats(-3, 3), step=st.floats(1e-3, 1e3))
@settings(max_examples=300, deadline=None)
def test_quantile_is_the_smallest_atom_that_reaches_q_wherever_the_search_starts(q, start, step):
    law = IndependentSums(binomial(30, 0.2, 0.8), binomial(2000, 0.1, 0.9), step, 1.0)
    x = law.quantile(q, start * 100)
    assert law.cdf(x) >= q - 1.1e-12
    assert law.cdf(x, strict=True) < max(q, 1e-15)


@pytest.mark.parametrize("small", [1e-17, 1e-9])
def test_a_small_step_beside_a_long_one(small):
    for u in (Lattice(0, np.array([0.5, 0.5])), binomial(10**6, 0.5, 0.5)):
        law = IndependentSums(u, binomial(10**6, 0.5, 0.5), small, 1.0)
        for q in (0.01, 0.5, 0.975):
            assert_allclose(law.quantile(q, 0.0), binom.ppf(q, 10**6, 0.5), atol=1.1 * small * 10**6)
