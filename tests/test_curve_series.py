"""The parts of the series for two curves: polynomials of a law's tail, marks, and what one draw does to the hits."""

from itertools import product

import numpy as np
import pytest
from scipy.special import eval_genlaguerre, gammaln
from scipy.stats import binom, gamma, norm

from skcostci.laws._drawn_curve import DrawnCurve
from skcostci.laws._marks import Marks, Slopes
from skcostci.laws._meixner import binomial_tail, gamma_tail, tail_terms
from skcostci.laws._pulls import pulls
from skcostci.laws._vertical import Crossing, Ranks


def terms_of(tail, most):
    return np.array([term.copy() for term in tail_terms(tail, most)])


@pytest.mark.parametrize(("n", "x"), [(12, 3.0), (12, 8.5), (7, 1.0), (30, 28.0)])
def test_terms_of_a_binomial_tail_are_sums_of_orthonormal_polynomials(n, x):
    count = np.arange(n + 1)
    root = np.sqrt(binom.pmf(count, n, x / n))
    polynomials = np.linalg.qr(root[:, None] * (count[:, None] - x) ** np.arange(9.0))[0]
    for rank in range(1, n + 1):
        terms = terms_of(binomial_tail(np.array([x]), np.array([rank]), n), min(n, 8))[:, 0]
        expected = root[:rank] @ polynomials[:rank]
        np.testing.assert_allclose(np.abs(terms), np.abs(expected[1 : len(terms) + 1]), atol=1e-9)


@pytest.mark.parametrize("skew", [0.7, -0.7, 0.05])
@pytest.mark.parametrize("z", [-2.0, 0.3, 2.5])
def test_terms_of_a_gamma_tail_are_integrals_of_laguerre_polynomials(skew, z):
    shape = 4 / skew**2
    terms = terms_of(gamma_tail(np.array([z]), np.array([skew])), 6)[:, 0]
    nodes, weights = np.polynomial.legendre.leggauss(400)
    end = shape + np.sign(skew) * z * np.sqrt(shape)
    s = end * (nodes + 1) / 2
    for m, term in enumerate(terms[: 3 if abs(skew) < 0.1 else 6], 1):
        norming = np.exp((gammaln(m + 1) + gammaln(shape) - gammaln(shape + m)) / 2)
        expected = end / 2 * weights @ (gamma.pdf(s, shape) * eval_genlaguerre(m, shape - 1, s)) * norming
        assert abs(term) == pytest.approx(abs(expected), abs=1e-9)


def test_terms_of_a_tail_without_skewness_are_hermite_polynomials():
    z = np.array([-1.3, 0.0, 0.8])
    first, second, third = terms_of(gamma_tail(z, np.zeros(3)), 3)
    np.testing.assert_allclose(first, norm.pdf(z), rtol=1e-3)
    np.testing.assert_allclose(second, norm.pdf(z) * z / np.sqrt(2), atol=1e-3)
    np.testing.assert_allclose(third, norm.pdf(z) * (z**2 - 1) / np.sqrt(6), atol=1e-3)


def curve(negative, positive, t):
    """Of scores, with ranks that are asked for."""
    scores = np.unique(negative)[::-1]
    reached, before = ((part[:, None] >= scores).sum(axis=0) for part in (negative, positive))
    tied = (positive[:, None] == scores).sum(axis=0)
    return Crossing(DrawnCurve(reached, before - tied, tied, len(positive)), Ranks(np.array(t), len(negative)))


def marks_of(crossing):
    points = np.arange(len(crossing.t))
    return Marks(crossing, points, crossing.ranks.laws(points), 0)


@pytest.mark.parametrize("seed", range(8))
def test_pulls_are_the_mean_hits_given_one_draw(seed):
    rng, n, t = np.random.default_rng(seed), 5, [0.7, 2.0, 2.6, 4.5]
    crossing = curve(rng.integers(0, 3 + 6 * (seed % 2), n), rng.integers(0, 3 + 6 * (seed % 2), 7), t)
    segments = crossing.curve.segments
    sizes, expected = np.diff(segments.ends, prepend=0), np.zeros((4, len(segments.ends)))
    for cell, *others in product(range(len(sizes)), repeat=n):
        drawn = np.bincount([cell, *others], minlength=len(sizes))
        reached = np.cumsum(drawn)
        for i, each in enumerate(t):
            end = int(np.argmax(reached >= each))
            share = 1 - (reached[end] - each) / drawn[end]
            chance = np.prod(sizes[others] / n)
            expected[i, cell] += chance * (segments.before[end] + share * segments.tied[end])
    marks = marks_of(crossing)
    found, seen = pulls(marks)[:, 1:], expected[:, marks.first : marks.first + len(marks.sizes)]
    np.testing.assert_allclose(found - found[:, :1], seen - seen[:, :1], atol=1e-12)


@pytest.mark.parametrize(("start", "size"), [(0, 100), (300, 200), (100, 150), (3, 2), (0, 499), (200, 1)])
def test_marks_are_evenly_apart_in_deviations(start, size):
    slopes = Slopes(np.array([float(start)]), np.array([float(size)]), 500, np.zeros(1, dtype=int))
    parts = int(slopes.parts[0])
    share = slopes.share(np.zeros(parts + 1, dtype=int), np.arange(parts + 1))
    assert share[0] == pytest.approx(0, abs=1e-12)
    assert share[-1] == pytest.approx(1)
    np.testing.assert_allclose(slopes.nth(share[1:2]), 1, rtol=1e-9)
    x = start + share * size
    deviation = np.sqrt(start + share**2 * size - x**2 / 500 + 0.25**2)
    assert np.all(np.diff(x) <= 0.51 * (deviation[1:] + deviation[:-1]) / 2)


def test_positives_are_where_the_curve_climbs():
    rng = np.random.default_rng(0)
    marks = marks_of(curve(rng.integers(0, 6, 90), rng.integers(0, 6, 70), [44.0, 45.5]))
    np.testing.assert_allclose(marks.between(marks.edges[:, None].astype(float))[:, 0], marks.x, atol=1e-9)
    shares = marks.parts.toarray()
    parts = shares.sum(axis=0)
    assert np.all(parts <= 1 + 1e-12)
    np.testing.assert_allclose(parts[1:-1], 1)  # but for the segments in which windows begin and end
    positives = np.insert(marks.tied, slice(1, None), np.diff(marks.before) - marks.tied[:-1])
    np.testing.assert_allclose(marks.jump, shares @ positives, atol=1e-12)
    assert marks.jump.sum() <= marks.before[-1] + marks.tied[-1] - marks.before[0] + 1e-9
    assert np.all(marks.jump >= 0)
