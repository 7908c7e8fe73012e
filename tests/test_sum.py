"""The law of a sum of any values: the three routes agree, to the accuracy that they state."""

import numpy as np
import oracles
import pytest
from numpy.testing import assert_allclose
from scipy.special import gammaln
from scipy.stats import binom
from skcostci.laws._atoms import Atoms
from skcostci.laws._clusters import Tables

from skcostci.laws import _sum, pooled_law
from skcostci.laws._sum import RESOLUTION, Mixture, law_of_sum


def design(seed):
    """Draws, probabilities and values of one size, of very different sizes, or whole numbers."""
    generator = np.random.default_rng(seed)
    cells, draws = int(generator.integers(3, 6)), int(generator.choice([3, 5, 12, 30]))
    p = generator.dirichlet(np.full(cells, 0.3)) + 1e-4
    sizes = [np.ones(cells), 10 ** generator.uniform(0, 4, cells), generator.integers(1, 40, cells)][seed % 3]
    values = sizes * (generator.normal(size=cells) if seed % 3 < 2 else generator.choice([-1, 1], cells))
    return draws, p / p.sum(), values / draws


def standard_error(draws, p, y):
    return np.sqrt(draws * (p @ (y - p @ y) ** 2))


@pytest.mark.parametrize("seed", range(24))
def test_fourier_inversion_keeps_its_bound(seed, monkeypatch):
    draws, p, y = design(seed)
    exact = law_of_sum(draws, p, y)
    assert isinstance(exact, Atoms)
    for limit in ("ALL_ATOMS", "FEW_ATOMS", "LONGEST_LATTICE"):
        monkeypatch.setattr(_sum, limit, 0)
    inverted = law_of_sum(draws, p, y)
    assert isinstance(inverted, Mixture)
    error, slack = standard_error(draws, p, y), RESOLUTION * standard_error(draws, p, y) * (1 + 1e-9)
    generator = np.random.default_rng(seed)
    for x in [*generator.choice(exact.values, 40), *(draws * p @ y + error * generator.normal(size=40))]:
        assert exact.cdf(x) - 1e-7 <= inverted.cdf(x) <= exact.cdf(x + slack) + 1e-7
        assert exact.cdf(x - slack, strict=True) - 1e-7 <= inverted.cdf(x, strict=True)
        assert inverted.cdf(x, strict=True) <= exact.cdf(x, strict=True) + 1e-7
    for q in generator.uniform(0.0005, 0.9995, 40):
        low, high = exact.quantile(q - 1e-7), exact.quantile(q + 1e-7)
        assert low - slack / 2 <= inverted.quantile(q) <= high + slack / 2


@pytest.mark.parametrize("draws", [1, 7, 200])
def test_lattices_are_the_repeated_convolution(draws):
    p, weights = np.array([0.05, 0.5, 0.2, 0.15, 0.1]), np.array([-7, 0, 3, 4, 11])
    dense = np.bincount(weights + 7, p, minlength=19)
    masses = np.ones(1)
    for _ in range(draws):
        masses = np.convolve(masses, dense)
    law = law_of_sum(draws, p, 0.3 * weights - 1.7)
    x = 0.3 * (np.arange(len(masses)) - 7 * draws) - 1.7 * draws
    assert_allclose([law.cdf(value) for value in x], np.cumsum(masses), atol=1e-13)
    below = np.concatenate([[0.0], np.cumsum(masses)[:-1]])
    assert_allclose([law.cdf(value, strict=True) for value in x], below, atol=1e-13)


def test_a_lattice_too_long_to_tabulate_is_as_good(monkeypatch):
    generator = np.random.default_rng(5)
    p, weights = generator.dirichlet(np.ones(12)), generator.integers(-500, 900, 12).astype(float)
    monkeypatch.setattr(_sum, "LONGEST_LATTICE", 2**24)
    exact = law_of_sum(10**6, p, weights)
    monkeypatch.undo()
    short = law_of_sum(10**6, p, weights)
    assert isinstance(exact, Atoms)
    assert isinstance(short, Mixture)
    for q in (1e-6, 0.025, 0.5, 0.8, 0.975):
        x = exact.quantile(q)
        assert abs(short.quantile(q) - x) <= 1  # steps, of which a standard error has some 400,000
        assert short.cdf(x) == pytest.approx(exact.cdf(x), abs=1e-8)
        assert short.cdf(x, strict=True) == pytest.approx(exact.cdf(x, strict=True), abs=1e-8)


@pytest.mark.parametrize("draws", [30, 1000, 10**6])
def test_a_rare_and_expensive_cell_leaves_the_others_sharp(draws):
    """Given how often that cell is drawn, the others are a law of their own, far narrower than the whole."""
    generator = np.random.default_rng(draws)
    p, y = np.append(generator.dirichlet(np.ones(15)), 0.1 / draws), np.append(generator.uniform(0, 1, 15), 559125)
    p /= p.sum()
    law = law_of_sum(draws, p, y)
    rest = law_of_sum(draws, p[:-1] / p[:-1].sum(), y[:-1])
    never = (1 - p[-1]) ** draws
    for q in (0.01, 0.4, 0.99):
        assert law.quantile(q * never) == pytest.approx(rest.quantile(q), rel=1e-5)
    assert law.cdf(rest.quantile(0.5) + 559125 / 2) == pytest.approx(never, abs=1e-9)


def test_very_rare_cells_of_any_size():
    """Three cells drawn about once in a million samples: at most one is, to 1e-9."""
    p = np.array([1e-9, 1e-9, 1e-9, 0.5, 0.3, 0.2 - 3e-9])
    law = law_of_sum(1000, p, np.array([1e9, 3e7, -2e8, 0.0, np.sqrt(2), np.pi]))
    assert law.cdf(1e4) - law.cdf(-1e4) == pytest.approx((1 - 3e-9) ** 1000, abs=1e-9)


def test_clusters_of_an_expensive_cell_drawn_often_stay_sharp():
    """Twenty draws of it in a thousand: between two counts the cdf is flat, at a count it has the others' shape."""
    p, y = np.array([0.4, 0.2, 0.2, 0.18, 0.02]), np.array([0.0, 1.0, np.sqrt(3), np.pi, 559125.0])
    law = law_of_sum(1000, p, y)
    counts = np.arange(8, 35)
    between = [law.cdf(559125.0 * (count + 0.5)) for count in counts]
    assert_allclose(between, binom.cdf(counts, 1000, 0.02), atol=1e-9)
    for count in (12, 20, 31):
        rest = law_of_sum(1000 - count, p[:-1] / 0.98, y[:-1])
        x = rest.quantile(0.3)
        expected = binom.cdf(count - 1, 1000, 0.02) + 0.3 * binom.pmf(count, 1000, 0.02)
        assert law.cdf(559125.0 * count + x) == pytest.approx(expected, abs=2e-4 * binom.pmf(count, 1000, 0.02))


def dear(draws):
    """Of two models: six cells next to 9,973 or its opposite, and others."""
    y = np.array([0, 3, -3, 5, -7, 9973, 9970, 9966, -9973, -9970, -9968], dtype=float)
    p = np.array([30, 4, 5, 3, 2, 2, 1, 0.5, 1, 2, 0.2])
    return draws, p / p.sum(), y


@pytest.mark.parametrize("draws", [40, 300, 5000])
def test_clusters_of_several_expensive_cells_keep_the_bound(draws, monkeypatch):
    monkeypatch.setattr(_sum, "LONGEST_LATTICE", 2**24)
    exact = law_of_sum(*dear(draws))
    monkeypatch.setattr(_sum, "LONGEST_LATTICE", 0)
    law = law_of_sum(*dear(draws))
    assert isinstance(exact, Atoms)
    assert isinstance(law.rest, Tables)
    slack = 2 * law.rest.table(0).slack
    assert slack <= RESOLUTION * standard_error(*dear(draws)) * (1 + 1e-9)
    for x in exact.values[np.searchsorted(exact.cumulative, np.linspace(1e-4, 1 - 1e-4, 60))]:
        for value in (x, x + 0.37, x + 4000):
            assert exact.cdf(value) - 1e-9 <= law.cdf(value) <= exact.cdf(value + slack) + 1e-9
            assert exact.cdf(value - slack, strict=True) - 1e-9 <= law.cdf(value, strict=True)
            assert law.cdf(value, strict=True) <= exact.cdf(value, strict=True) + 1e-9
    for q in (1e-9, 1e-4, 0.025, 0.3, 0.975, 1 - 1e-4):
        low, high = exact.quantile(q * (1 - 1e-6) - 1e-12), exact.quantile(q + 1e-7)
        assert low - slack / 2 <= law.quantile(q) <= high + slack / 2


@pytest.mark.parametrize("x", [-0.5, -1.5, -3.0])
def test_small_tails_to_relative_precision(x, monkeypatch):
    """Atoms to all digits, against the listing in extended range; inverted ones to a percent."""
    counts, values = np.array([[70.0, 9, 4, 2]]) * 60 / 85, np.array([[0, -1.3, -np.pi, 2.77]])
    p = counts[0] / counts.sum()
    drawn = np.array([row for row in oracles.compositions(60, 4) if np.dot(row, values[0]) / 60 <= x])
    logs = gammaln(61) - gammaln(drawn + 1).sum(axis=1) + drawn @ np.log(p)
    truth = np.exp(logs).sum()
    assert pooled_law(counts, values, smoothing=0.0).sides(x)[0][0] == pytest.approx(truth, rel=1e-9)
    for limit in ("ALL_ATOMS", "FEW_ATOMS", "LONGEST_LATTICE"):
        monkeypatch.setattr(_sum, limit, 0)
    assert pooled_law(counts, values, smoothing=0.0).sides(x)[0][0] == pytest.approx(truth, rel=0.02)


@pytest.mark.parametrize("draws", [100, 1000, 10**6])
@pytest.mark.parametrize("kind", ["real", "whole", "unequal"])
def test_quantiles_of_sixteen_cells_are_where_the_law_reaches_them(draws, kind):
    generator = np.random.default_rng(draws)
    values = {
        "real": generator.uniform(0, 1000, (4, 4)),
        "whole": generator.integers(0, 100, (4, 4)).astype(float),
        "unequal": generator.uniform(0, 1, (4, 4)),
    }[kind]
    np.fill_diagonal(values, 0)
    if kind == "unequal":
        values[0, 1] = 559125
    p = np.full((4, 4), 0.15 / 12)
    np.fill_diagonal(p, 0.85 / 4)
    p[0, 1] = 0.1 / draws
    law = law_of_sum(draws, (p / p.sum()).ravel(), values.ravel() / draws)
    low = law.quantile(0.025)
    assert law.cdf(low, strict=True) < 0.025 + 1e-9
    assert law.cdf(low) > 0.025 - 1e-9
