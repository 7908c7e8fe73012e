"""Pearson's and Spearman's correlation with human scores, against scipy, the jackknife and plain resampling."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import pearsonr, spearmanr
from sklearn.linear_model import LinearRegression

import skcostci as sk

RNG = np.random.default_rng(5)
N = 60
HUMAN = RNG.normal(size=N)
A, B = 0.6 * HUMAN + 0.8 * RNG.normal(size=N), 0.4 * HUMAN + 0.9 * RNG.normal(size=N)
NAMES = {"pearson": pearsonr, "spearman": spearmanr}
HALF = np.arange(N) < 30
EACH = pytest.mark.parametrize("name", NAMES)


def apart(name, human, a, b):
    return NAMES[name](human, a)[0] - NAMES[name](human, b)[0]


@EACH
@pytest.mark.parametrize("digits", [None, 0])  # with ties
def test_values_are_scipys_and_errors_those_of_the_jackknife_and_of_resamples(name, digits):
    human, a, b = (x if digits is None else np.round(x, digits) for x in (HUMAN, A, B))
    one = sk.bootstrap_metric(human, a, name)
    two = sk.bootstrap_metric_difference(human, a, b, name)
    assert_allclose([one.estimate, two.estimate], [NAMES[name](human, a)[0], apart(name, human, a, b)], rtol=1e-12)
    of_one, of_two = lambda i: NAMES[name](human[i], a[i])[0], lambda i: apart(name, human[i], a[i], b[i])
    for found, of in ((one, of_one), (two, of_two)):
        left = np.array([of(np.arange(N) != i) for i in range(N)])
        jackknife = np.sqrt((N - 1) / N * ((left - left.mean()) ** 2).sum())
        assert_allclose(found.standard_error, jackknife, rtol=0.07)
        assert_allclose(found.standard_error, np.std([of(RNG.integers(0, N, N)) for _ in range(500)]), rtol=0.13)


@EACH
def test_it_is_by_name_wherever_names_are_taken(name):
    one, two = sk.bootstrap_metric(HUMAN, A, f"{name}r"), sk.bootstrap_metric_difference(HUMAN, A, B, name)
    compared = sk.compare_models(HUMAN, {"a": A, "b": B, "same": np.ones(N)}, name)
    assert compared.results[0] == one
    assert_allclose(compared.differences.estimate[0], two.estimate)
    assert list(compared.defined) == [True, True, False]
    first = sk.compare_groups(HUMAN, A, ~HALF, name).results[0]
    assert first == sk.bootstrap_metric(HUMAN[HALF], A[HALF], name)
    assert sk.report(HUMAN > 0, A, metrics=name).rows[0]["estimate"] == sk.bootstrap_metric(HUMAN > 0, A, name).estimate
    grades, whole = np.round(2 * HUMAN), np.round(2 * A)
    assert sk.report(grades, whole, metrics=name).rows[0]["estimate"] == float(sk.bootstrap_metric(grades, whole, name))
    X = A[:, None]  # predictions by a line correlate as they do
    low = sk.make_bound_scorer(name)(LinearRegression().fit(X, HUMAN), X, HUMAN)
    assert_allclose(low, one.confidence_interval().low)
    assert sk.bootstrap_metric(1e6 + 1e-3 * HUMAN, -1e200 * A, name).estimate == pytest.approx(-one.estimate, abs=1e-6)


@EACH
def test_limits_are_in_the_range_and_apart_where_ranks_are_perfect(name):
    for n in (2, 12, 40):
        x = np.arange(n)
        low, high = sk.bootstrap_metric(x, 3 * x, name).confidence_interval()
        assert -1 <= low < 0.95
        assert high == 1
        assert_allclose(sk.bootstrap_metric(x, -x, name).confidence_interval(), (-1, -low), atol=1e-9)
    assert sk.bootstrap_metric(HUMAN, A, name).confidence_interval(method="unseen_case").low < 0.5
    same = sk.bootstrap_metric_difference(HUMAN, A, A, name)
    assert same.confidence_interval().low < 0 < same.confidence_interval().high


@pytest.mark.parametrize(
    ("error", "message", "columns", "options"),
    [
        (ValueError, "pearson is undefined: y_pred is constant", (HUMAN, np.ones(N)), {}),
        (ValueError, "undefined: y_true is constant, in fold number 2", (HUMAN * HALF, A), {"folds": HALF}),
        (TypeError, "y_true must contain real numbers", (np.where(HUMAN > 0, "good", "bad"), A), {}),
        (ValueError, "pos_label is for labels", (HUMAN, A), {"pos_label": 1}),
        (ValueError, "crossed= is .*, not for Pearson correlation", (HUMAN, A), {"groups": HUMAN, "crossed": A}),
    ],
)
def test_what_has_no_correlation_is_refused(error, message, columns, options):
    with pytest.raises(error, match=message):
        sk.bootstrap_metric(*columns, "pearson", **options)
