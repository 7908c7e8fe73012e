"""The bootstrap moments of the AUC against complete enumeration, and its intervals against their definitions."""

import warnings

import numpy as np
import oracles
import pytest
import reference_values as reference
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.stats import norm
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import roc_auc_score
from strategies import samples

import skcostci as sk
from skcostci import DegenerateLawWarning, bootstrap_auc

TIED = [(1, (2,)), (1, (3,)), (1, (2,)), (1, (0,)), (0, (2,)), (0, (1,)), (0, (0,)), (0, (1,))]
UNTIED = [(1, (2,)), (1, (5,)), (1, (3,)), (0, (1,)), (0, (4,)), (0, (0,)), (0, (-1,))]
SKEWED = [(1, (2,)), (1, (2,)), (0, (2,)), (0, (1,)), (0, (0,)), (0, (1,)), (0, (2,))]
METHODS = ("unseen_case", "logit_t", "delong", "wald", "hanley_mcneil", "newcombe", "max_variance")


def columns(cases):
    labels, scores = zip(*cases, strict=True)
    return np.array(labels), *np.array(scores, dtype=float).T


def test_the_methods_of_an_auc_and_of_a_difference():
    assert bootstrap_auc([0, 1], [0, 1]).methods == METHODS
    apart = sk.bootstrap_auc_difference([0, 1], [0, 1], [0, 1]).methods
    assert (apart[0], apart[-1]) == ("extrapolated", "delong")


@pytest.fixture(scope="module")
def breast_cancer():
    data = load_breast_cancer()
    return (data.target == 0).astype(int), {"texture": data.data[:, 1], "smoothness": data.data[:, 4]}


@pytest.fixture
def uneven():
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1], [60, 14])
    return y, (rng.normal(size=74) + 1.4 * y).round(1)


@pytest.mark.parametrize("cases", [TIED, UNTIED, SKEWED])
def test_moments_equal_enumeration_of_stratified_resamples(cases):
    law = oracles.stratified_law(cases, oracles.auc)
    result = bootstrap_auc(*columns(cases))
    assert_allclose(result.estimate, float(oracles.auc(cases)), atol=1e-15)
    assert_allclose(result.mean, float(oracles.moment(law, 1)), atol=1e-14)
    assert_allclose(result.standard_error**2, float(oracles.moment(law, 2)), rtol=1e-12)


@pytest.mark.parametrize("cases", [TIED[:3] + TIED[4:7], UNTIED[:2] + UNTIED[3:], SKEWED])
def test_moments_equal_enumeration_of_full_resamples(cases):
    law = oracles.full_law(cases, oracles.auc, both=True)
    result = bootstrap_auc(*columns(cases), sampling="full")
    assert_allclose(result.mean, float(oracles.moment(law, 1)), atol=1e-14)
    assert_allclose(result.standard_error**2, float(oracles.moment(law, 2)), rtol=1e-12)


@pytest.mark.parametrize("name", ["texture", "smoothness"])
def test_clinical_data_as_in_proc(breast_cancer, name):
    y, scores = breast_cancer
    result, expected = bootstrap_auc(y, scores[name]), reference.PROC[name]
    assert_allclose(result.estimate, expected["auc"], rtol=1e-14)
    assert_allclose(result.confidence_interval(method="delong"), expected["delong_interval"], atol=1e-13)
    assert_allclose(result.standard_error**2, reference.BOOTSTRAP_VARIANCE[name], rtol=1e-12)
    for method, variance in (
        ("delong", expected["delong_variance"]),
        ("hanley_mcneil", reference.HANLEY_MCNEIL_VARIANCE[name]),
    ):
        low, high = result.confidence_interval(0.9, method=method)
        assert_allclose(((high - low) / 2 / norm.ppf(0.95)) ** 2, variance, rtol=1e-12)


def test_delong_relates_to_the_bootstrap_variance(uneven):
    y, score = uneven
    result = bootstrap_auc(y, score)
    m, n, area = y.sum(), (1 - y).sum(), result.estimate
    tied = np.mean(score[y == 1][:, None] == score[y == 0])
    low, high = result.confidence_interval(method="delong")
    delong = ((high - low) / 2 / norm.ppf(0.975)) ** 2
    expected = (1 - 1 / m) * (1 - 1 / n) * delong + (area * (1 - area) - tied / 4) / (m * n)
    assert_allclose(result.standard_error**2, expected, rtol=1e-12)


def test_gaussian_intervals_follow_their_definitions(uneven):
    result = bootstrap_auc(*uneven)
    z, area, error = norm.ppf([0.025, 0.975]), result.estimate, result.standard_error
    assert_allclose(result.confidence_interval(method="wald"), np.clip(area + z * error, 0, 1), rtol=1e-13)
    bound = np.sqrt(area * (1 - area) / 14)
    assert_allclose(result.confidence_interval(method="max_variance"), np.clip(area + z * bound, 0, 1), rtol=1e-13)


def test_newcombe_limits_solve_their_equation(uneven):
    result = bootstrap_auc(*uneven)
    for limit in result.confidence_interval(method="newcombe"):
        others = (14 + 60) / 2 - 1
        spread = limit * (1 - limit) * (1 + others * (1 - limit) / (2 - limit) + others * limit / (1 + limit))
        assert_allclose(abs(result.estimate - limit), norm.ppf(0.975) * np.sqrt(spread / (14 * 60)), rtol=1e-9)


@pytest.mark.parametrize("method", ["wald", "delong", "hanley_mcneil", "max_variance"])
def test_methods_that_collapse_warn_once(method):
    result = bootstrap_auc([0, 0, 1, 1], [1, 2, 3, 4])
    with pytest.warns(DegenerateLawWarning, match="zero width") as caught:
        assert result.confidence_interval(method=method) == (1.0, 1.0)
    assert len(caught) == 1
    assert result.standard_error == 0


@settings(max_examples=60, deadline=None)
@given(samples(), st.sampled_from(METHODS))
def test_classes_swap(sample, method):
    y, score = map(np.array, sample)
    result, swapped = bootstrap_auc(y, score), bootstrap_auc(1 - y, score)
    assert_allclose(swapped.estimate, 1 - result.estimate, atol=1e-15)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateLawWarning)
        (low, high), outer = (each.confidence_interval(method=method) for each in (swapped, result))
    assert_allclose((1 - high, 1 - low), outer, atol=1e-9)


def test_scores_one_rounding_apart_are_not_tied():
    above = np.nextafter(0.3, 1)
    assert bootstrap_auc([0, 1], [0.3, above]).estimate == 1
    assert bootstrap_auc([0, 1], [0.3, 0.3]).estimate == 0.5
    assert bootstrap_auc([0, 1], [0.0, -0.0]).estimate == 0.5


def test_a_million_cases():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 10**6)
    score = rng.normal(size=10**6) + y
    result = bootstrap_auc(y, score)
    assert_allclose(result.estimate, roc_auc_score(y, score), rtol=1e-13)
    ordered, order = np.sort(score[y == 0]), np.sort(score[y == 1])
    g, h = np.searchsorted(ordered, order) / len(ordered), 1 - np.searchsorted(order, ordered) / len(order)
    delong = g.var(ddof=1) / len(g) + h.var(ddof=1) / len(h)
    low, high = result.confidence_interval(method="delong")
    assert_allclose(((high - low) / 2 / norm.ppf(0.975)) ** 2, delong, rtol=1e-10)


def test_almost_perfect_ranking_keeps_its_precision():
    """One lost pair in 2.5e11: everything hangs on 1 - AUC, which is 4e-12."""
    score = np.arange(10**6, dtype=float)
    y = (score >= 500_000).astype(int)
    y[[499_999, 500_000]] = 1, 0
    result = bootstrap_auc(y, score)
    m = n = 500_000
    assert_allclose(result.law.complement, 1 / (m * n), rtol=1e-15)
    zeta = (1 / n) ** 2 * (1 / m) * (1 - 1 / m)
    rest = 1 / (m * n) * (1 - 1 / (m * n))
    assert_allclose(result.standard_error**2, ((n - 1) * zeta + (m - 1) * zeta + rest) / (m * n), rtol=1e-9)


def test_shares_of_uneven_weights_stay_between_zero_and_one():
    labels, scores = [1, 1, 1, 0, 0, 0], [10, 11, 12, 0, 1, 2]
    for weights in (
        [624792478, 651199631, 818371508, 882393768, 675361380, 331579026],
        [78813039, 60944779, 29915842, 45014413, 32155358, 48996516],
    ):
        auc = sk.bootstrap_auc(labels, scores, sample_weight=weights)
        assert float(auc) == 1
        assert auc.confidence_interval().low < 1


def test_newcombe_at_an_auc_of_almost_nothing():
    auc = sk.bootstrap_auc([1, 1, 1, 0, 0], [0, 0, 2, 3, 1], sample_weight=[10**9, 3, 1, 10**9, 1])
    low, high = auc.confidence_interval(method="newcombe")
    assert 0 <= low <= float(auc) <= high < 1e-6
