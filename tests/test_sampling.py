"""What the kind of resampling does not change, said where it is asked for."""

import inspect
import re

import numpy as np
import pytest
from scipy.special import expit

import skcostci as sk

RNG = np.random.default_rng(3)
Y = np.repeat([1, 0], [15, 31])
A = RNG.normal(size=46) + Y
B = A + 0.7 * RNG.normal(size=46)
W = [0.3, 0.6]
BY_RATES = {"recall", "specificity", "balanced_accuracy", "youden", "lr_positive", "lr_negative"}
BOTH = ("stratified", "full")
BY_NAME = {*BY_RATES, "accuracy", "precision", "npv", "f1", "jaccard", "fdr", "fomr", "diagnostic_odds_ratio", "lift"}
BY_NAME |= {"kappa", "mcc", "net_benefit", "standardized_net_benefit"}


def labels(scores):
    return (scores > 0.5).astype(int)


def unchanged(ask):
    """The methods whose limits are the same either way."""
    one, other = (ask(sampling=sampling) for sampling in BOTH)
    return {
        method
        for method in {*one.methods} & {*other.methods}
        if np.allclose(one.confidence_interval(0.9, method=method), other.confidence_interval(0.9, method=method))
    }


def said_of(function):
    """What the documentation of ``sampling`` says, there or where it refers to."""
    lines = r"\n(?:\w+, )*sampling(?:, \w+)* : [^\n]*\n((?: {4}[^\n]*\n)+)"
    said = re.search(lines, inspect.getdoc(function))[1]
    elsewhere = re.fullmatch(r"\s*As in :func:`(\w+)`\.\s*", said)
    return said_of(getattr(sk, elsewhere[1])) if elsewhere else said


def test_aucs():
    same = unchanged(lambda **options: sk.bootstrap_auc(Y, A, **options))
    assert same == {"delong", "delong_logit", "hanley_mcneil", "newcombe", "max_variance"}
    text = " ".join(inspect.getdoc(sk.bootstrap_auc).split())
    listed = re.search(r'((?:"\w+"(?:, | and | ))+)do not depend on the sampling', text)
    assert set(re.findall(r"\w+(?=\")", listed[1])) == same
    assert unchanged(lambda **options: sk.bootstrap_auc_difference(Y, A, B, **options)) == {"delong"}
    assert '"delong"' in said_of(sk.bootstrap_auc_difference)


@pytest.mark.parametrize("rate", ["tpr", "fpr", "precision"])
def test_nothing_of_rates_under_a_budget(rate):
    def ask(**options):
        result = sk.bootstrap_roc_at_positive_rate(Y, A, positive_rate=0.3, **options)
        return result if rate == "tpr" else getattr(result, rate)

    assert unchanged(ask) == set()


@pytest.mark.parametrize("function", [sk.bootstrap_cost, sk.bootstrap_cost_difference])
def test_only_bands_of_costs_that_are_about_rates(function):
    columns = (A,) if function is sk.bootstrap_cost else (A, B)

    def ask(**options):
        return function(Y, *columns, probability_cost=W, thresholds=0.4, **options)

    assert unchanged(ask) == set()
    for band, same in {"equal_levels": True, "kolmogorov": True, "path": False}.items():
        one, other = (ask(sampling=sampling).confidence_band(0.9, method=band) for sampling in BOTH)
        assert np.allclose(one, other) == same
        assert (f'"{band}"' in said_of(function)) == same


@pytest.mark.parametrize("metric", sorted(BY_NAME))
def test_default_intervals_of_what_depends_on_rates_alone(metric):
    options = {"thresholds": [0.3]} if "benefit" in metric else {}
    y_pred = expit(A) if options else labels(A)
    one, other = (sk.bootstrap_metric(Y, y_pred, metric, sampling=each, **options) for each in BOTH)
    same = np.allclose(one.confidence_interval(0.9), other.confidence_interval(0.9))
    assert same == (metric in BY_RATES)
    assert not np.allclose(one.standard_error, other.standard_error, rtol=1e-6)
