"""Scores become integers: what is counted against the count of cases, or of pairs of cases, one by one."""

import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose, assert_array_equal
from oracles import covariance_of_pairs, wins
from sklearn.metrics import roc_curve
from strategies import per_cent, samples

import skcostci as sk

PLACES = np.array([-np.inf, -9.0, *np.arange(-8, 9) / 4, 9.0, np.inf])


def repeated(weights, *columns):
    return (np.repeat(column, weights) for column in columns)


@per_cent(40)
@given(samples(weights=True))
def test_rates_and_points_of_the_curve(sample):
    y, a, weights = map(np.asarray, sample)
    rates = sk.bootstrap_roc_at_threshold(y, a, thresholds=PLACES, sample_weight=weights)
    curve = sk.bootstrap_roc_at_threshold(y, a, sample_weight=weights)
    y, a = repeated(weights, y, a)
    for label, rate in ((1, rates.tpr), (0, rates.fpr)):
        assert_allclose(rate.estimate, [(a[y == label] >= place).mean() for place in PLACES], rtol=1e-15)
    fpr, tpr, thresholds = roc_curve(y, a, drop_intermediate=False)
    assert_array_equal(curve.thresholds, thresholds[1:])
    assert_allclose([curve.tpr.estimate, curve.fpr.estimate], [tpr[1:], fpr[1:]], rtol=1e-15)


@pytest.mark.parametrize("n", [99, 100, 101, 102, 350])
def test_many_scores_are_thinned_to_those_at_even_ranks(n):
    found = sk.bootstrap_roc_at_threshold(np.arange(n) % 2, np.arange(n, dtype=float)).thresholds
    if n <= 101:
        assert_array_equal(found, np.arange(n)[::-1])
        return
    assert len(found) == 101
    labelled = n - found  # how many cases reach each
    assert_array_equal(labelled, [max(int(np.ceil(k * n / 100)), 1) for k in range(101)])


@pytest.mark.parametrize(
    "scores",
    [
        1 + np.random.default_rng(5).normal(size=900) * 1e-13,  # alike in their leading bits
        np.random.default_rng(6).choice([0.0, -0.0, -1.0, 1e-300, -1e-300, 1e300], 900),
    ],
    ids=["close", "zeros"],
)
def test_scores_that_differ_little_are_told_apart_by_case(scores):
    y, other = np.arange(900) % 2, np.random.default_rng(8).normal(size=900)
    ranks = np.unique(scores, return_inverse=True)[1]
    for difference in (sk.bootstrap_auc_difference, sk.bootstrap_average_precision_difference):
        found, expected = difference(y, scores, other), difference(y, ranks, other)
        assert (found.estimate, found.standard_error) == (expected.estimate, expected.standard_error)


def assert_pairs_are_counted(y, a, b, **options):
    """The AUC, its standard error and that of the difference, from all pairs of cases."""
    weights = options.get("sample_weight", np.ones(len(y), dtype=int))
    one, both = sk.bootstrap_auc(y, a, **options), sk.bootstrap_auc_difference(y, a, b, **options)
    y, a, b = repeated(weights, y, a, b)
    of_a, of_b = wins(y, a), wins(y, b)
    assert_allclose(float(one), of_a.mean(), rtol=1e-14)
    assert_allclose(one.standard_error**2, covariance_of_pairs(of_a, of_a), atol=1e-15)
    assert_allclose(float(both), of_a.mean() - of_b.mean(), atol=1e-15)
    variance = covariance_of_pairs(of_a, of_a) - 2 * covariance_of_pairs(of_a, of_b) + covariance_of_pairs(of_b, of_b)
    assert_allclose(both.standard_error**2, variance, atol=1e-15)


SIZES = [(300, 300), (40, 900), (900, 40), (1500, 1500)]
LEVELS = [(10**6, 10**6), (10**6, 30), (600, 600), (3, 10**6)]


@pytest.mark.parametrize(("sizes", "levels"), list(zip(SIZES + SIZES[::-1], LEVELS * 2, strict=True)))
def test_many_pairs_of_scores(sizes, levels):
    """Few ties are counted by halving the ranks, many in a table of all pairs of scores, in blocks."""
    rng = np.random.default_rng(sum(sizes))
    y = np.repeat([1, 0], sizes)
    a, b = (np.floor((rng.random(len(y)) + 0.2 * y) * level) for level in levels)
    assert_pairs_are_counted(y, a, (a / levels[0] + b / levels[1]).round(6))
    assert_pairs_are_counted(y, a, b, sample_weight=1 + rng.integers(0, 2, len(y)))


def assert_cells_are_counted(y, a, b, at_a, at_b, **options):
    """Who reaches both thresholds, only a's, only b's: from them come the estimate and its standard error."""
    found = sk.bootstrap_roc_difference_at_threshold(y, a, b, thresholds=(at_a, at_b), **options)
    weights = options.get("sample_weight", np.ones(len(y), dtype=int))
    y, a, b = repeated(weights, y, a, b)
    for label, rate in ((1, found.tpr), (0, found.fpr)):
        ahead = (a[y == label, None] >= at_a) * 1.0 - (b[y == label, None] >= at_b)
        assert_allclose(rate.estimate, ahead.mean(axis=0), atol=1e-15)
        assert_allclose(rate.standard_error, ahead.std(axis=0) / np.sqrt(len(ahead)), atol=1e-12)


def test_pairs_of_thresholds_go_in_blocks():
    rng = np.random.default_rng(0)
    y, a, b, weights = (rng.integers(0, level, 90) for level in (2, 40, 30, 4))
    at_a, at_b = (rng.integers(-1, level, 1700).astype(float) for level in (42, 32))
    assert_cells_are_counted(y, a, b, at_a, at_b, sample_weight=weights)


# Work that is done once

N_POSITIVE, N_NEGATIVE = 161, 283  # columns are known by their lengths
Y = np.repeat([1, 0], [N_POSITIVE, N_NEGATIVE])
RNG = np.random.default_rng(0)
A, B = (RNG.normal(size=len(Y)).round(1) + shift * Y for shift in (1.5, 0.7))


@pytest.fixture
def sorts(monkeypatch):
    """How often numpy has sorted as many numbers as a class has cases."""
    counted = {N_POSITIVE: 0, N_NEGATIVE: 0}

    def counting(function):
        def counted_function(column, *arguments, **options):
            if len(column) in counted:
                counted[len(column)] += 1
            return function(column, *arguments, **options)

        return counted_function

    for name in ("sort", "argsort"):
        monkeypatch.setattr(np, name, counting(getattr(np, name)))
    return counted


@pytest.mark.parametrize(
    ("display", "columns"),
    [(sk.CostCurveDisplay, [A]), (sk.ROCConfidenceDisplay, [A]), (sk.PairedCostDifferenceDisplay, [A, B])],
)
def test_a_picture_sorts_each_column_once_a_class(sorts, display, columns):
    display.from_predictions(Y, *columns)
    assert sorts == {N_POSITIVE: len(columns), N_NEGATIVE: len(columns)}


def test_a_report_with_its_pictures_sorts_each_column_once_a_class(sorts, tmp_path, capsys):
    from skcostci.__main__ import main

    path = tmp_path / "scores.csv"
    rows = zip(Y.tolist(), A.tolist(), B.tolist(), strict=True)
    path.write_text("y,a,b\n" + "".join(f"{y},{a!r},{b!r}\n" for y, a, b in rows))
    output = str(tmp_path / "report.html")
    main(["compare", str(path), "--y-true", "y", "--score", "a", "--score", "b", "--output", output])
    assert sorts == {N_POSITIVE: 3, N_NEGATIVE: 3}  # each of two columns, and the pairs of their ranks
