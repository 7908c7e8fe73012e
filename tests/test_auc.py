"""The intervals of the AUC against their definitions, its variance against DeLong's, and very many cases."""

import numpy as np
import pytest
import reference_values as reference
from numpy.testing import assert_allclose
from scipy.stats import norm
from sklearn.datasets import load_breast_cancer

import skcostci as sk
from skcostci import DegenerateLawWarning, bootstrap_auc

METHODS = ("unseen_case", "logit_t", "delong", "wald", "hanley_mcneil", "newcombe", "max_variance")


def spread(result, level=0.95, **method):
    """The variance that a Gaussian interval has."""
    low, high = result.confidence_interval(level, **method)
    return ((high - low) / 2 / norm.ppf((1 + level) / 2)) ** 2


def test_the_methods_of_an_auc_and_of_a_difference():
    assert bootstrap_auc([0, 1], [0, 1]).methods == METHODS
    apart = sk.bootstrap_auc_difference([0, 1], [0, 1], [0, 1]).methods
    assert (apart[0], apart[-1]) == ("extrapolated", "delong")


@pytest.fixture
def uneven():
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1], [60, 14])
    return y, (rng.normal(size=74) + 1.4 * y).round(1)


@pytest.mark.parametrize(("name", "column"), [("texture", 1), ("smoothness", 4)])
def test_clinical_data_as_in_proc(name, column):
    data = load_breast_cancer()
    result, expected = bootstrap_auc((data.target == 0).astype(int), data.data[:, column]), reference.PROC[name]
    assert_allclose(result.estimate, expected["auc"], rtol=1e-14)
    assert_allclose(result.confidence_interval(method="delong"), expected["delong_interval"], atol=1e-13)
    assert_allclose(result.standard_error**2, reference.BOOTSTRAP_VARIANCE[name], rtol=1e-12)
    assert_allclose(spread(result, method="delong"), expected["delong_variance"], rtol=1e-12)
    assert_allclose(spread(result, method="hanley_mcneil"), reference.HANLEY_MCNEIL_VARIANCE[name], rtol=1e-12)


def test_delong_relates_to_the_bootstrap_variance(uneven):
    y, score = uneven
    result = bootstrap_auc(y, score)
    m, n, area = y.sum(), (1 - y).sum(), result.estimate
    tied = np.mean(score[y == 1][:, None] == score[y == 0])
    of_means = (1 - 1 / m) * (1 - 1 / n) * spread(result, method="delong")
    assert_allclose(result.standard_error**2, of_means + (area * (1 - area) - tied / 4) / (m * n), rtol=1e-12)


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


def test_methods_that_collapse_warn_once():
    result = bootstrap_auc([0, 0, 1, 1], [1, 2, 3, 4])
    for method in ("wald", "delong", "hanley_mcneil", "max_variance"):
        with pytest.warns(DegenerateLawWarning, match="zero width") as caught:
            assert result.confidence_interval(method=method) == (1.0, 1.0)
        assert len(caught) == 1
    assert result.standard_error == 0


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
    negative, positive = np.sort(score[y == 0]), np.sort(score[y == 1])
    g = np.searchsorted(negative, positive) / len(negative)
    h = 1 - np.searchsorted(positive, negative) / len(positive)
    assert_allclose(result.estimate, g.mean(), rtol=1e-13)
    assert_allclose(spread(result, method="delong"), g.var(ddof=1) / len(g) + h.var(ddof=1) / len(h), rtol=1e-10)


def test_almost_perfect_ranking_keeps_its_precision():
    """One lost pair in 2.5e11: everything hangs on 1 - AUC, which is 4e-12."""
    n, score = 500_000, np.arange(10**6, dtype=float)
    y = (score >= n).astype(int)
    y[[n - 1, n]] = 1, 0
    result, share = bootstrap_auc(y, score), 1 / n**2
    assert_allclose(result.law.complement, share, rtol=1e-15)
    zeta, rest = share / n * (1 - 1 / n), share * (1 - share)
    assert_allclose(result.standard_error**2, (2 * (n - 1) * zeta + rest) * share, rtol=1e-9)


def test_shares_of_uneven_weights_stay_between_zero_and_one():
    weights = [624792478, 651199631, 818371508, 882393768, 675361380, 331579026]
    auc = bootstrap_auc([1, 1, 1, 0, 0, 0], [10, 11, 12, 0, 1, 2], sample_weight=weights)
    assert float(auc) == 1
    assert auc.confidence_interval().low < 1


def test_newcombe_at_an_auc_of_almost_nothing():
    auc = bootstrap_auc([1, 1, 1, 0, 0], [0, 0, 2, 3, 1], sample_weight=[10**9, 3, 1, 10**9, 1])
    low, high = auc.confidence_interval(method="newcombe")
    assert 0 <= low <= float(auc) <= high < 1e-6
