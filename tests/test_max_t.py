"""The law of the largest deviate against one-dimensional integrals, whatever the order of the models; letters."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import quad
from scipy.stats import norm, studentized_range

import skcostci as sk


def alike(k, errors=3):
    """Truth and k models that are wrong about as many cases each, none about another's: alike under any exchange."""
    y_true = np.arange(2 * k * errors) % 2
    models = {}
    for i in range(k):
        wrong = np.arange(len(y_true)) // errors == i
        models[f"m{i}"] = np.where(wrong, 1 - y_true, y_true)
    return y_true, models


def drawn(k, n=80, seed=0):
    """Truth and k models' scores, correlated as it happens."""
    rng = np.random.default_rng(seed)
    y_true = np.arange(n) % 2
    scores = rng.normal(size=(n, k)) @ rng.normal(size=(k, k)) + rng.uniform(0, 1, k) * y_true[:, None]
    return y_true, {f"m{i}": column for i, column in enumerate(scores.T)}


def critical_values(differences, level, **options):
    """How many standard errors the limits are away."""
    _, high = differences.confidence_interval(level, method="wald", **options)
    return (high - differences.estimate) / differences.standard_error


def dunnett(t, k):
    """P(the largest |Z_i - Z_0| / sqrt(2) > t) of k models against one that is alike."""

    def none_beyond(z):
        return norm.pdf(z) * (norm.cdf(z + np.sqrt(2) * t) - norm.cdf(z - np.sqrt(2) * t)) ** k

    return 1 - quad(none_beyond, -9, 9, epsabs=1e-12)[0]


@pytest.mark.parametrize("k", [2, 3, 10])
def test_all_pairs_of_alike_models_have_tukeys_critical_value(k):
    differences = sk.compare_models(*alike(k), "accuracy").differences
    for alpha in (0.3, 0.05, 0.001)[:: 1 if k < 10 else 2]:
        found, tukey = critical_values(differences, 1 - alpha), studentized_range.isf(alpha, k, np.inf) / np.sqrt(2)
        assert_allclose(found, tukey, atol=1e-3 if k > 2 else 1e-9)


@pytest.mark.parametrize("k", [2, 8])
def test_comparisons_with_a_reference_have_dunnetts_probability(k):
    differences = sk.compare_models(*alike(k + 1), "accuracy", reference="m0").differences
    for t in (0.5, 2.5):
        found = differences.pvalue(null=t * differences.standard_error[0], method="wald")
        assert_allclose(dunnett(t, k), found, atol=4e-3 * norm.pdf(t) * k)


def test_two_models_are_not_adjusted_however_far():
    y_true, models = drawn(2, n=400)
    differences = sk.compare_models(y_true, models).differences
    alone = sk.bootstrap_auc_difference(y_true, *models.values())
    for null in (0.0, 0.2, 0.9):
        assert_allclose(differences.pvalue(null=null), alone.pvalue(null=null), rtol=1e-9)


def test_models_that_are_copies_count_once():
    y_true, models = drawn(2)
    copies = {"a": models["m0"], **{f"b{i}": models["m1"] for i in range(4)}}
    differences = sk.compare_models(y_true, copies, reference="a").differences
    assert_allclose(critical_values(differences, 0.95), norm.isf(0.025), atol=1e-8)


@pytest.mark.parametrize("k", [2, 5])
def test_two_models_share_a_letter_unless_they_differ(k):
    comparison = sk.compare_models(*drawn(k, n=60, seed=k))
    marks = comparison.letters(0.7)
    for name, p in zip(comparison.differences.names, comparison.differences.pvalue(), strict=True):
        a, b = name.split(" - ")
        assert bool(set(marks[a]) & set(marks[b])) == (not p < 1 - 0.7)
