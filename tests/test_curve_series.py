"""The parts of the series for two curves: polynomials of a law's tail, marks, and what one draw does to the hits."""

from itertools import product

import numpy as np
import pytest
from scipy.special import eval_genlaguerre, gammaln
from scipy.stats import binom, gamma, norm

from skcostci import bootstrap_roc_difference_at_fpr
from skcostci.laws._drawn_curve import DrawnCurve
from skcostci.laws._gamma_terms import gamma_tail
from skcostci.laws._marks import Marks
from skcostci.laws._meixner import binomial_tail, tail_terms
from skcostci.laws._pulls import pulls
from skcostci.laws._series import FINE, ROUGH
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


def marks_of(crossing, precision=ROUGH):
    points = np.arange(len(crossing.t))
    return Marks(crossing, points, crossing.ranks.laws(points), 0, precision)


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


@pytest.mark.parametrize("precision", [ROUGH, FINE])
@pytest.mark.parametrize(("grades", "n"), [(6, 90), (200, 90), (300, 900)])
def test_positives_are_where_the_curve_climbs(grades, n, precision):
    rng = np.random.default_rng(0)
    marks = marks_of(curve(rng.integers(0, grades, n), rng.integers(0, grades, 700), [n * 0.49, n * 0.51]), precision)
    which, shares = marks.parts
    assert np.all(shares >= 0)
    assert np.all(shares.sum(axis=1) <= 1 + 1e-12)
    positives = np.insert(marks.tied, slice(1, None), np.diff(marks.before) - marks.tied[:-1])
    some = positives > 0
    some[[0, -1]] = False  # of the segments in which windows begin and end a half may be beyond
    np.testing.assert_allclose(shares[some].sum(axis=1), 1)
    expected = np.zeros(len(marks.jump))
    np.add.at(expected, which, shares * positives[:, None])
    np.testing.assert_allclose(marks.jump, expected, atol=1e-12)
    assert marks.jump.sum() <= marks.before[-1] + marks.tied[-1] - marks.before[0] + 1e-9
    assert np.all(marks.jump > 0)
    starts = np.concatenate([kind.groups.start for kind, _ in marks.kinds])
    assert len(starts) == len(marks.jump)
    told = [kind.told(marks.edges[None].astype(float))[0, 0] for kind, _ in marks.kinds]
    before = [kind.groups.turned[0, :2] for kind, _ in marks.kinds]  # all negatives are counted where they lie
    for kind, each, (first, within) in zip((k for k, _ in marks.kinds), told, before, strict=True):
        beyond = kind.groups.turned[0, 2]
        start, end = kind.groups.ends
        np.testing.assert_allclose(
            each + beyond * n, first * start + within * (end - start) + beyond * (n - end), atol=1e-9
        )


def any_ranking(seed):
    """Models that differ much or hardly, and rates down to a thousandth."""
    rng = np.random.default_rng(seed)
    n_negative, n_positive = int(10 ** rng.uniform(2.5, 3)), int(10 ** rng.uniform(1.5, 4.2))
    y, n = np.repeat([0, 1], [n_negative, n_positive]), n_negative + n_positive
    a = rng.normal(size=n) * rng.choice([1, 1, 2]) + y * rng.uniform(-0.5, 2.5)
    noise = 10 ** rng.uniform(-2.5, 0.5) * rng.normal(size=n)
    return y, a, a * rng.choice([1, 0, 0.6, -1]) + noise + y * rng.uniform(0, 1)


@pytest.mark.parametrize(
    ("seed", "rate"), [(1600, 0.9987), (2455, 0.006), (4289, 0.011), (6415, 0.0028), (7343, 0.0015)]
)
def test_first_and_last_ranks(seed, rate):
    """Laws fall off slowly there, and a series whose terms swing may have two in a row that are next to nothing."""
    y, a, b = any_ranking(seed)
    joint = bootstrap_roc_difference_at_fpr(y, a, b, fpr=rate).law.joint
    (_, ends, squares), (_, near_ends, near_squares) = joint.moments[:, 0], joint.near[2][:, 0]
    assert near_ends + near_squares == pytest.approx(ends + squares, rel=1e-3)
