"""Laws of whole-number sums: exact masses on windows that grow with the standard deviation only."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.stats import binom
from skcostci.laws._whole_sums import WholeSums

from skcostci.laws._lattice import Lattice, binomial


def dense(lattice, low, high):
    """A lattice's masses from low to high."""
    masses = np.zeros(max(high, lattice.start + len(lattice) - 1) - low + 1)
    masses[lattice.start - low : lattice.start - low + len(lattice)] = lattice.pmf
    return masses[: high - low + 1]


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
        hit = np.array([share])
        assert WholeSums(np.array([draws]), hit, 0 * hit, 1 - hit, np.ones(1)).length <= 19 * deviation + 60


@given(cells=st.lists(st.integers(0, 9), min_size=3, max_size=3).filter(any), draws=st.integers(1, 60))
@settings(deadline=None)
def test_sums_of_ups_and_downs_are_the_repeated_convolution(cells, draws):
    fall, idle, rise = np.array(cells)[:, None] / sum(cells)
    law = np.array([1.0])
    for _ in range(draws):
        law = np.convolve(law, np.array(cells) / sum(cells))
    sums = WholeSums(np.array([draws]), rise, fall, idle, np.ones(1)).laws()
    found = Lattice(int(sums.start[0]), sums.pmf[0])
    assert_allclose(dense(found, min(-draws, found.start), draws)[-2 * draws - 1 :], law, atol=1e-14)
