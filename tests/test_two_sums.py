"""Sums of two whole-number sums at many points side by side: each row as if it were alone, and as it is drawn."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import binom, multinomial
from skcostci.laws._whole_sums import WholeSums, binomials

from skcostci import bootstrap_cost_difference
from skcostci.laws import LinearLaw, linear_law
from skcostci.laws._lattice import binomial
from skcostci.laws._two_sums import ProductSums, TrinomialSums

FIRST = np.array([0])


def whole(draws, up, down=0.0, step=1.0):
    draws = np.atleast_1d(draws)
    up, down, step = (np.broadcast_to(np.asarray(part, dtype=float), draws.shape) for part in (up, down, step))
    return WholeSums(draws, up, down, 1 - up - down, step)


def masses(lattices, row, low, high):
    """A row's masses from low to high."""
    found = dict(zip(lattices.support[row].tolist(), lattices.pmf[row].tolist(), strict=True))
    return [found.get(value, 0.0) for value in range(low, high + 1)]


def drawn(draws, probabilities, values):
    """Every outcome of a multinomial: what it adds up to, and its probability."""
    n_cells = len(probabilities)
    counts = np.array([c for c in np.ndindex(*(draws + 1,) * (n_cells - 1)) if sum(c) <= draws])
    counts = np.column_stack([counts, draws - counts.sum(axis=1)])
    return counts @ np.asarray(values), multinomial(draws, probabilities).pmf(counts)


def agrees(law, values, chances):
    """The distribution function at every value, of less and of no more, and quantiles in between."""
    for x in np.unique(values.round(9)):
        assert_allclose(law.cdf(FIRST, np.array([x])), chances[values <= x + 1e-9].sum(), atol=1e-13)
        assert_allclose(law.cdf(FIRST, np.array([x]), strict=True), chances[values < x - 1e-9].sum(), atol=1e-13)
    order = np.argsort(values)
    cumulative = np.cumsum(chances[order])
    for q in (0.01, 0.3, 0.5, 0.9, 0.999):
        expected = values[order][np.searchsorted(cumulative, q - 1e-12)]
        assert_allclose(law.quantile(FIRST, np.array([q]), np.zeros(1), np.ones(1)), expected, atol=1e-12)


def test_binomials_are_those_of_one_row_each():
    draws, hits = np.array([3, 3000, 10**6, 50, 7]), np.array([0.2, 0.001, 0.5, 0.0, 1.0])
    laws = binomials(draws, hits, 1 - hits)
    for row, (n, p) in enumerate(zip(draws.tolist(), hits.tolist(), strict=True)):
        alone = binomial(n, p, 1 - p)
        ends = alone.start, alone.start + len(alone) - 1
        assert_allclose(masses(laws, row, *ends), alone.pmf, rtol=1e-12)
        assert_allclose(laws.pmf[row].sum(), 1, rtol=1e-14)


def test_sums_of_ups_and_downs_are_those_of_one_row_each():
    up, down = np.array([0.1, 0.0, 0.3, 0.01, 0.0]), np.array([0.2, 0.4, 0.7, 0.01, 0.0])
    sums = whole([40] * 5, up, down)
    laws = sums.laws()
    for row in range(5):
        alone = sums[np.array([row])].laws()
        ends = int(alone.start[0]), int(alone.start[0]) + alone.pmf.shape[1] - 1
        assert_allclose(masses(laws, row, *ends), alone.pmf[0], atol=1e-14)


@pytest.mark.parametrize(
    ("p", "q"),
    [((0.1, 0.3), (0.05, 0.15)), ((0.5, 0.0), (0.4, 0.0)), ((0.25, 0.25), (0.3, 0.2)), ((0.6, 0.0), (0.0, 0.4))],
    ids=["mixed", "up", "nothing idle", "opposite"],
)
@pytest.mark.parametrize("tilt", [0.0, -0.4])
def test_joint_sums_are_the_multinomial(p, q, tilt):
    law = ProductSums.joint(whole(6, *p, 0.3), whole(6, *q, 0.7), np.array([tilt]))
    idle = max(1 - sum(p) - sum(q), 0.0)
    values, chances = drawn(6, [*p, *q, idle], [0.3, -0.3, 0.7, -0.7, 0.0])
    if not tilt:
        agrees(law, values, chances)
    weights = chances * np.exp(-tilt * (values - chances @ values))
    for x in np.unique(values.round(9)):
        assert_allclose(law.total(FIRST, np.array([x])), weights[values <= x + 1e-9].sum(), rtol=1e-12, atol=1e-14)


@given(p=st.floats(1e-6, 0.9), q=st.floats(1e-6, 1), step=st.floats(1e-3, 1), draws=st.integers(1, 7))
@settings(max_examples=60, deadline=None)
def test_trinomial_sums_are_the_multinomial(p, q, step, draws):
    q *= (1 - p) * 0.999
    law = TrinomialSums(whole(draws, p, step=step), whole(draws, q), np.array([1 - p - q]))
    u, v = (drawn(draws, [p, q, 1 - p - q], values)[0] for values in ([1, 0, 0], [0, 1, 0]))
    chances = drawn(draws, [p, q, 1 - p - q], [0, 0, 0])[1]
    for x in np.unique((step * u + v).round(9)):
        assert_allclose(
            law.cdf(FIRST, np.array([x])), chances[step * u + v <= x + 1e-9 * step + 1e-13].sum(), atol=1e-12
        )


@pytest.mark.parametrize(("draws", "p", "q"), [(2000, 0.3, 0.2), (10**5, 0.45, 0.001), (10**6, 0.3, 0.6)])
def test_trinomial_sums_are_sums_of_products(draws, p, q):
    u, v = whole(draws, p, step=0.37), whole(draws, q)
    one, other = TrinomialSums(u, v, np.array([1 - p - q])), ProductSums.joint(u, v, np.zeros(1))
    mean, scale = draws * (0.37 * p + q), np.sqrt(draws * (0.37**2 * p + q - (0.37 * p + q) ** 2))
    for z in (-8, -3, -0.1, 0, 2, 6):
        x = np.array([mean + z * scale])
        assert_allclose(one.cdf(FIRST, x), other.cdf(FIRST, x), atol=2e-12)
        values = [law.quantile(FIRST, binom.cdf(0, 1, 0.5 - z / 20) + 0 * x, x, scale + 0 * x) for law in (one, other)]
        assert_array_equal(*values)


@given(q=st.floats(1e-9, 1), start=st.floats(-3, 3), step=st.floats(1e-3, 1e3))
@settings(max_examples=300, deadline=None)
def test_quantile_is_the_smallest_atom_that_reaches_q_wherever_the_search_starts(q, start, step):
    law = ProductSums.independent(whole(30, 0.2, step=step), whole(2000, 0.1), np.zeros(1))
    x = law.quantile(FIRST, np.array([q]), np.array([start * 100]), np.ones(1))
    assert law.cdf(FIRST, x) >= q - 1.1e-12
    assert law.cdf(FIRST, x, strict=True) < max(q, 1e-15)


@pytest.mark.parametrize("small", [1e-17, 1e-9])
@pytest.mark.parametrize("draws", [1, 10**6])
def test_a_small_step_beside_a_long_one(small, draws):
    law = ProductSums.independent(whole(draws, 0.5, step=small), whole(10**6, 0.5), np.zeros(1))
    for q in (0.01, 0.5, 0.975):
        found = law.quantile(FIRST, np.array([q]), np.zeros(1), np.array([500.0]))
        assert_allclose(found, binom.ppf(q, 10**6, 0.5), atol=1.1 * small * 10**6)


@pytest.mark.parametrize("sampling", ["stratified", "full"])
@pytest.mark.parametrize("n_cells", [4, 8])
def test_points_side_by_side_are_points_by_themselves(sampling, n_cells):
    """Of all kinds: with steps of one size and of two, without any, lopsided, and so many that there are blocks."""
    rng = np.random.default_rng(0)
    n, half = 300, n_cells // 2
    shares = rng.dirichlet(np.full(half, 0.3), size=(n, 2))
    counts = np.array(
        [np.hstack([rng.multinomial(size, p) for size, p in zip((40, 700), row, strict=True)]) for row in shares]
    )
    w = rng.choice([0.0, 1 / 3, 0.5, 0.77, 1.0], n)
    one = np.column_stack([0 * w, w, 1 - w, 0 * w])
    cells = [0, 1, 2, 3] if n_cells == 4 else [0, 1, 1, 0, 2, 3, 3, 2]
    values = one[:, cells] * ([1] * 4 if n_cells == 4 else [1, -1, 1, 1, 1, -1, 1, 1])
    law = linear_law(counts, values, np.ones(counts.shape, dtype=bool), sampling)
    q, x = rng.uniform(size=(2, n)), law.mean + rng.normal(size=(3, n)) * np.sqrt(law.variance)
    quantiles, cdf = law.quantile(q), law.cdf(x)
    for i in range(0, n, 7):
        strata = tuple(_at(stratum, i) for stratum in law.strata)
        alone = LinearLaw(strata, law.agresti)
        assert_allclose(quantiles[:, i], alone.quantile(q[:, [i]])[:, 0], atol=1e-15)
        assert_allclose(cdf[:, i], alone.cdf(x[:, [i]])[:, 0], atol=1e-14)


def _at(stratum, i):
    rows = slice(i, i + 1)
    parts = (stratum.counts, stratum.values, stratum.prior)
    return type(stratum)(*(part[rows] for part in parts), stratum.draws, stratum.observed[rows])


def difference(cells, w):
    """Of costs in full resamples; negatives, then positives, that cost b more, either the same, and a more."""
    y_true, error = np.repeat([0, 0, 0, 1, 1, 1], cells), np.repeat([-1, 0, 1, -1, 0, 1], cells)
    a, b = (np.where(y_true == 1, error != wrong, error == wrong).astype(float) for wrong in (1, -1))
    return bootstrap_cost_difference(y_true, a, b, probability_cost=w, thresholds=0.5, sampling="full")


@pytest.mark.parametrize("cells", [(40, 0, 324, 35, 0, 1), (68, 0, 27, 87, 0, 218), (113, 0, 92, 100, 0, 95)])
def test_models_that_never_agree(cells):
    n, w, result = sum(cells), 0.3, difference(cells, 0.3)
    positives, negatives = sum(cells[3:]), sum(cells[:3])
    atoms, masses = [], []
    for drawn in range(n + 1):  # positives
        u, v = np.arange(drawn + 1), np.arange(n - drawn + 1)
        cost_u, cost_v = w / positives * (2 * u - drawn), (1 - w) / negatives * (2 * v - (n - drawn))
        law_u, law_v = binom.pmf(u, drawn, cells[5] / positives), binom.pmf(v, n - drawn, cells[2] / negatives)
        atoms.append(np.add.outer(cost_u, cost_v).ravel())
        masses.append(binom.pmf(drawn, n, positives / n) * np.multiply.outer(law_u, law_v).ravel())
    atoms, masses = np.concatenate(atoms), np.concatenate(masses)
    x = np.linspace(result.mean - 2 * result.standard_error, result.mean + 2 * result.standard_error, 9) + 1e-7 / np.pi
    assert_allclose(result.cdf(x), [masses[atoms <= each].sum() for each in x], atol=1e-11)


@pytest.mark.parametrize("cells", [(339, 13, 0, 0, 3, 45), (300, 40, 0, 0, 20, 40), (340, 5, 0, 0, 2, 53)])
def test_models_that_seldom_agree(cells):
    n, w, result = sum(cells), 1 / 3, difference(cells, 1 / 3)
    positives, negatives = sum(cells[3:]), sum(cells[:3])
    u = np.arange(n + 1)
    x = np.linspace(result.mean - 2 * result.standard_error, result.mean + 2 * result.standard_error, 9) + 1e-7 / np.pi
    least = np.ceil((w / positives * u - x[:, None]) / ((1 - w) / negatives))
    expected = (binom.pmf(u, n, cells[5] / n) * binom.sf(least - 1, n - u, cells[0] / (n - cells[5]))).sum(axis=1)
    assert_allclose(result.cdf(x), expected, atol=1e-11)
