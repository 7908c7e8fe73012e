"""Sums of what draws are worth, from whole numbers to any values: exact where they say so, else to what they state."""

import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.stats import binom, multinomial

from skcostci.laws.exact._lattice import WholeSums, binomial
from skcostci.laws.exact._linear import LinearLaw, linear_law, pooled_law

RESOLUTION, CLOSE = 0.01, 0.002  # standard errors, and of a cdf: sums of values without a common step


def law_of_sum(draws, p, y):
    """The law of the sum of y over so many draws, asked about one number at a time."""
    p, y = np.asarray(p, dtype=float), np.asarray(y, dtype=float)
    return OneLaw(pooled_law(p[None] * draws, y[None] * draws, smoothing=0.0))


class OneLaw:
    def __init__(self, law):
        self.law, self.deviation = law, float(np.sqrt(law.variance[0]))

    def cdf(self, x, strict=False):
        below, level, _ = self.law.tails(np.array([x], dtype=float))
        return float(below[0] + (0 if strict else level[0]))

    def quantile(self, q):
        return float(self.law.quantile(np.array([q]))[0])


class Listed:
    """Values with their probabilities, the truth that laws are held against."""

    def __init__(self, values, masses):
        order = np.argsort(values)
        self.values, self.cumulative = values[order], np.cumsum(masses[order])

    def cdf(self, x, strict=False):
        side = ("left", -1e-9) if strict else ("right", 1e-9)
        reached = np.searchsorted(self.values, x + side[1], side[0])
        return float(self.cumulative[reached - 1]) if reached else 0.0

    def quantile(self, q):
        return float(self.values[min(np.searchsorted(self.cumulative, q - 1e-12), len(self.values) - 1)])


def enumerated(draws, p, y):
    """Every outcome, cell by cell, less likely ones than 1e-15 left out."""
    left, total, mass = np.array([draws]), np.zeros(1), np.ones(1)
    for j, value in enumerate(y[:-1]):
        k = np.arange(draws + 1)
        chance = binom.pmf(k, left[:, None], p[j] / sum(p[j:])) * mass[:, None]
        row, count = np.nonzero(chance > 1e-15)
        left, total, mass = left[row] - count, total[row] + count * value, chance[row, count]
    return Listed(total + left * y[-1], mass)


def transformed(draws, p, weights):
    """Of whole numbers, by a transform of all that lies within 14 standard errors."""
    mean, error = draws * (p @ weights), np.sqrt(draws * (p @ (weights - p @ weights) ** 2))
    low, length = int(mean - 14 * error), 2 ** int(np.ceil(np.log2(28 * error)))
    turns = 2j * np.pi / length * np.arange(length // 2 + 1)
    cf = np.zeros(len(turns), dtype=complex)
    for chance, weight in zip(p, weights, strict=True):
        cf += chance * np.exp(-turns * int(weight))
    masses = np.fft.irfft(cf**draws * np.exp(turns * low), length)
    return Listed(low + np.arange(length, dtype=float), masses)


def keeps_its_bound(law, exact, points, levels):
    """The cdf at each point is the exact one within RESOLUTION standard errors, but for CLOSE; so are quantiles."""
    slack = RESOLUTION * law.deviation
    for x in points:
        least, most = exact.cdf(x - slack, strict=True) - CLOSE, exact.cdf(x + slack) + CLOSE
        assert least <= law.cdf(x, strict=True) <= law.cdf(x) <= most
    for q in levels:
        low, high = exact.quantile(max(q - CLOSE, 0.0)), exact.quantile(min(q + CLOSE, 1.0))
        assert low - slack <= law.quantile(q) <= high + slack


@given(draws=st.integers(1, 3000), hits=st.integers(0, 50), misses=st.integers(0, 50))
def test_binomial(draws, hits, misses):
    share = hits / max(hits + misses, 1)
    values, pmf = binomial(draws, share, 1 - share)
    whole = np.zeros(max(draws, values[-1]) + 1)
    whole[values] = pmf
    assert_allclose(whole, binom.pmf(np.arange(len(whole)), draws, share), rtol=1e-9, atol=1e-17)
    assert_allclose(pmf.sum(), 1, rtol=1e-14)


@pytest.mark.parametrize("share", [1e-7, 0.003, 0.5, 0.999])
def test_windows_grow_like_the_standard_deviation(share):
    for draws in (10**4, 10**6, 10**8):
        deviation = np.sqrt(draws * share * (1 - share))
        assert len(binomial(draws, share, 1 - share)[0]) <= 19 * deviation + 60


@given(cells=st.lists(st.integers(0, 9), min_size=3, max_size=3).filter(any), draws=st.integers(1, 60))
def test_sums_of_ups_and_downs_are_the_repeated_convolution(cells, draws):
    fall, idle, rise = np.array(cells)[:, None] / sum(cells)
    law = np.array([1.0])
    for _ in range(draws):
        law = np.convolve(law, np.array(cells) / sum(cells))
    (start,), (pmf,) = WholeSums(np.array([draws]), rise, fall, idle, np.ones(1)).laws()
    found = np.zeros(4 * draws + 1 + len(pmf))
    found[start + 2 * draws + np.arange(len(pmf))] = pmf
    assert_allclose(found[draws : 3 * draws + 1], law, atol=1e-14)


def multinomial_law(draws, probabilities, values):
    """Every outcome of a multinomial: what it adds up to, and its probability."""
    counts = np.array(list(oracles.compositions(draws, len(values))))
    return Listed(counts @ np.asarray(values), multinomial(draws, probabilities).pmf(counts))


P = [((0.1, 0.3), (0.05, 0.15)), ((0.5, 0.0), (0.4, 0.0)), ((0.25, 0.25), (0.3, 0.2)), ((0.6, 0.0), (0.0, 0.4))]


@pytest.mark.parametrize(("p", "q"), P, ids=["mixed", "up", "nothing idle", "opposite"])
def test_joint_sums_are_the_multinomial(p, q):
    chances, values = [*p, *q, max(1 - sum(p) - sum(q), 0.0)], [0.3, -0.3, 0.7, -0.7, 0.0]
    law, exact = law_of_sum(6, chances, values), multinomial_law(6, chances, values)
    for x in np.unique(exact.values.round(9)):
        assert_allclose([law.cdf(x), law.cdf(x, True)], [exact.cdf(x), exact.cdf(x, True)], atol=1e-13)
    for q in (0.01, 0.3, 0.5, 0.9, 0.999):
        assert_allclose(law.quantile(q), exact.quantile(q), atol=1e-12)


@pytest.mark.parametrize(("draws", "p", "q"), [(2000, 0.3, 0.2), (10**5, 0.45, 0.001), (10**4, 0.3, 0.6)])
def test_given_the_steps_of_one_kind_the_others_are_binomial(draws, p, q):
    law, step = law_of_sum(draws, [p, q, 1 - p - q], [0.37, 1.0, 0.0]), 0.37
    v = np.arange(draws + 1)
    for z in (-8, -3, -0.1, 0.05, 2, 6):
        x = law.law.mean[0] + z * law.deviation + 1e-7 / np.pi
        expected = binom.pmf(v, draws, q) @ binom.cdf(np.floor((x - v) / step), draws - v, p / (1 - q))
        assert_allclose(law.cdf(x), expected, atol=2e-12)


@given(q=st.floats(1e-9, 1), w=st.floats(0.001, 0.999))
@settings(max_examples=30)
def test_quantile_is_the_smallest_atom_that_reaches_q(q, w):
    law = linear_law(np.array([[6, 24, 1800, 200]]), np.array([[0.0, w, 1 - w, 0.0]]), np.ones((1, 4), dtype=bool))
    below, level, _ = law.tails(law.quantile(np.array([q])))
    assert below + level >= q - 1.1e-12
    assert below < max(q, 1e-15)


@pytest.mark.parametrize("small", [1e-17, 1e-9])
@pytest.mark.parametrize("draws", [2, 10**6])
def test_a_small_step_beside_a_long_one(small, draws):
    cells, values = np.array([[draws // 2] * 2 + [5 * 10**5] * 2]), np.array([[small, 0.0, 1.0, 0.0]])
    law = linear_law(cells, values, np.ones((1, 4), dtype=bool))
    for q in (0.01, 0.5, 0.975):
        assert_allclose(law.quantile(np.array([q])), binom.ppf(q, 10**6, 0.5) / 10**6, atol=1.1 * small)


@pytest.mark.parametrize("sampling", ["stratified", "full"])
@pytest.mark.parametrize("n_cells", [4, 8])
def test_points_side_by_side_are_points_by_themselves(sampling, n_cells):
    """Of all kinds: with steps of one size and of two, without any, lopsided, and so many that there are blocks."""
    rng = np.random.default_rng(0)
    n, half = 300, n_cells // 2
    shares = rng.dirichlet(np.full(half, 0.3), size=(n, 2))
    counts = np.array([np.hstack([rng.multinomial(n, p) for n, p in zip((40, 700), x, strict=True)]) for x in shares])
    w = rng.choice([0.0, 1 / 3, 0.5, 0.77, 1.0], n)
    one = np.column_stack([0 * w, w, 1 - w, 0 * w])
    cells = [0, 1, 2, 3] if n_cells == 4 else [0, 1, 1, 0, 2, 3, 3, 2]
    values = one[:, cells] * ([1] * 4 if n_cells == 4 else [1, -1, 1, 1, 1, -1, 1, 1])
    law = linear_law(counts, values, np.ones(counts.shape, dtype=bool), sampling)
    q, x = rng.uniform(size=(2, n)), law.mean + rng.normal(size=(3, n)) * np.sqrt(law.variance)
    quantiles, cdf = law.quantile(q), law.cdf(x)
    for i in range(0, n, 7):
        strata = tuple(at(stratum, i) for stratum in law.strata)
        alone = LinearLaw(strata, law.agresti)
        assert_allclose(quantiles[:, i], alone.quantile(q[:, [i]])[:, 0], atol=1e-15)
        assert_allclose(cdf[:, i], alone.cdf(x[:, [i]])[:, 0], atol=1e-14)


def at(stratum, i):
    rows = slice(i, i + 1)
    parts = (stratum.counts, stratum.values, stratum.prior)
    return type(stratum)(*(part[rows] for part in parts), stratum.draws, stratum.observed[rows])


@pytest.mark.parametrize("seed", [*(pytest.param(each, marks=pytest.mark.slow) for each in (0, 1)), 2])
def test_sums_of_any_values_keep_their_bound(seed):
    """Of values of one size, of very different ones, and of two models: more atoms than are listed."""
    generator = np.random.default_rng(seed)
    p, draws = generator.dirichlet(np.full(7, 2.0)), 26
    y = generator.normal(size=7) * [np.ones(7), 10 ** generator.uniform(0, 3, 7), [1, 1, 1, 1, 1, 900, 900]][seed]
    law, exact = law_of_sum(draws, p, y), enumerated(draws, p, y)
    points = [*generator.choice(exact.values, 25), *(law.law.mean[0] + law.deviation * generator.normal(size=25))]
    keeps_its_bound(law, exact, points, generator.uniform(0.0005, 0.9995, 25))


@pytest.mark.parametrize("draws", [1, 7, 200])
def test_lattices_are_the_repeated_convolution(draws):
    p, weights = np.array([0.05, 0.5, 0.2, 0.15, 0.1]), np.array([-7, 0, 3, 4, 11])
    dense = np.bincount(weights + 7, p, minlength=19)
    masses = np.ones(1)
    for _ in range(draws):
        masses = np.convolve(masses, dense)
    law = law_of_sum(draws, p, 0.3 * weights - 1.7).law
    x = (0.3 * (np.arange(len(masses)) - 7 * draws) - 1.7 * draws)[:, None]
    assert_allclose(law.cdf(x)[:, 0], np.cumsum(masses), atol=1e-13)
    assert_allclose(law.tails(x)[0][:, 0], np.concatenate([[0.0], np.cumsum(masses)[:-1]]), atol=1e-13)


@pytest.mark.slow
def test_a_lattice_too_long_to_tabulate_is_as_good():
    generator = np.random.default_rng(5)
    p, weights = generator.dirichlet(np.ones(12)), generator.integers(-500, 900, 12).astype(float)
    law, exact = law_of_sum(10**5, p, weights), transformed(10**5, p, weights)
    for q in (1e-6, 0.025, 0.5, 0.8, 0.975):
        x = exact.quantile(q)
        assert law.quantile(q) == pytest.approx(x, abs=1e-3 * law.deviation)
        assert law.cdf(x) == pytest.approx(exact.cdf(x), abs=1e-4)


@pytest.mark.parametrize("draws", [30, 1000, 10**6])
def test_a_rare_and_expensive_cell_is_drawn_as_often_as_its_probability_says(draws):
    generator = np.random.default_rng(draws)
    p, y = np.append(generator.dirichlet(np.ones(15)), 0.1 / draws), np.append(generator.uniform(0, 1, 15), 559125)
    p /= p.sum()
    law = law_of_sum(draws, p, y)
    never = (1 - p[-1]) ** draws
    assert law.cdf(draws * (p[:-1] @ y[:-1]) + 559125 / 2) == pytest.approx(never, abs=1e-9)


def test_very_rare_cells_of_any_size():
    """Three cells drawn about once in a million samples: at most one is, to 1e-9."""
    p, y = [1e-9] * 3 + [0.5, 0.3, 0.2 - 3e-9], [1e9, 3e7, -2e8, 0.0, np.sqrt(2), np.pi]
    law = law_of_sum(1000, p, y)
    assert law.cdf(1e4) - law.cdf(-1e4) == pytest.approx((1 - 3e-9) ** 1000, abs=1e-9)


def test_clusters_of_several_expensive_cells_keep_the_bound():
    """Of two models: six cells next to 9,973 or its opposite, and others."""
    y = np.array([0, 3, -3, 5, -7, 9973, 9970, 9966, -9973, -9970, -9968], dtype=float)
    p = np.array([30, 4, 5, 3, 2, 2, 1, 0.5, 1, 2, 0.2]) / 50.7
    law, exact = law_of_sum(300, p, y), transformed(300, p, y)
    atoms = exact.values[np.searchsorted(exact.cumulative, np.linspace(1e-4, 1 - 1e-4, 6))]
    keeps_its_bound(law, exact, np.add.outer(atoms, [0, 0.37, 4000]).ravel(), (1e-4, 0.025, 0.3, 0.975, 1 - 1e-4))
