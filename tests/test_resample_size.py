"""Resamples of another size than the sample: their distribution by enumeration, and what they leave as it is."""

from fractions import Fraction
from functools import partial

import numpy as np
import oracles
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import norm
from test_cost import UNEVEN, agree

import skcostci as sk

OF_DISTRIBUTION = {"percentile", "wald", "smoothed", "agresti"}
SIZES = [(1, 1), (2, 5), (4, 6)]


@pytest.mark.parametrize("size", SIZES)
def test_costs_of_so_many_of_either_class(size):
    y_true, a, b = oracles.columns(UNEVEN)
    w, at = Fraction(3, 10), (2, 3)
    law = oracles.stratified_law(UNEVEN, lambda drawn: oracles.normalized_cost(drawn, w, 2), size)
    how = {"probability_cost": float(w), "resample_size": size}
    agree(sk.bootstrap_cost(y_true, a, thresholds=2, **how), law)

    def difference(drawn):
        return oracles.normalized_cost(drawn, w, at[0]) - oracles.normalized_cost(drawn, w, at[1], 1)

    law = oracles.stratified_law(UNEVEN, difference, size)
    agree(sk.bootstrap_cost_difference(y_true, a, b, thresholds=at, **how), law)


@pytest.mark.parametrize("size", [1, 7])
def test_costs_of_so_many_in_all_under_full_sampling(size):
    w = Fraction(6, 7)
    costs = 3 * w, 3 * (1 - w) / 2  # those that amount to w, as a third are positive
    law = oracles.full_law(UNEVEN, lambda drawn: oracles.total_cost(drawn, *costs, 2), draws=size)
    how = {"probability_cost": float(w), "thresholds": 2, "sampling": "full", "resample_size": size}
    agree(sk.bootstrap_cost(*oracles.columns(UNEVEN)[:2], **how), law)


@pytest.mark.parametrize("size", SIZES)
def test_rates_of_so_many_of_either_class(size):
    y_true, a, b = oracles.columns(UNEVEN)
    one = sk.bootstrap_roc_at_threshold(y_true, a, thresholds=2, resample_size=size)
    two = sk.bootstrap_roc_difference_at_threshold(y_true, a, b, thresholds=(2, 1), resample_size=size)
    for label, name in ((1, "tpr"), (0, "fpr")):
        law = oracles.stratified_law(UNEVEN, lambda drawn, label=label: oracles.rate(drawn, label, 2), size)
        agree(getattr(one, name), law)

        def gap(drawn, label=label):
            return oracles.rate(drawn, label, 2, 0) - oracles.rate(drawn, label, 1, 1)

        agree(getattr(two, name), oracles.stratified_law(UNEVEN, gap, size))


def test_a_number_is_shared_out_in_the_proportions_of_the_sample():
    ask = partial(sk.bootstrap_cost, *oracles.columns(UNEVEN)[:2])
    in_all, of_each = ask(resample_size=9), ask(resample_size=(3, 6))
    assert_array_equal(in_all.standard_error, of_each.standard_error)
    assert_allclose(in_all.standard_error, ask().standard_error * (6 / 9) ** 0.5)


def test_agresti_as_algorithm_1_prints_it_at_any_m():
    result = sk.bootstrap_roc_at_threshold(*oracles.columns(UNEVEN)[:2], thresholds=1, resample_size=(20, 40))
    p = (3 + 2) / (4 + 4)  # of the negatives 2, 1, 0 and 3 three score 1 or more
    half = norm.ppf(0.5 + 0.9**0.5 / 2) * np.sqrt(p * (1 - p) / (40 + 4))
    assert_allclose(result.confidence_region(0.9, method="agresti").fpr, [p - half, p + half])


@pytest.mark.parametrize("two", [False, True])
def test_what_is_about_the_cases_seen_stays_as_it_is(two):
    rng = np.random.default_rng(0)
    y_true = np.repeat([0, 1], [40, 20])
    scores = [y_true + rng.normal(size=60) for _ in range(1 + two)]
    cost = sk.bootstrap_cost_difference if two else sk.bootstrap_cost
    rates = sk.bootstrap_roc_difference_at_threshold if two else sk.bootstrap_roc_at_threshold

    def ask(**size):
        yield cost(y_true, *scores, probability_cost=[0.2, 0.5], **size)  # at thresholds that these cases choose
        yield cost(y_true, *scores, probability_cost=[0.2, 0.5], thresholds=0.5, **size)
        yield rates(y_true, *scores, thresholds=[0.5, 1.0], **size).tpr

    for own, larger in zip(ask(), ask(resample_size=6_000), strict=True):
        assert_array_equal(own.estimate, larger.estimate)
        assert_allclose(larger.standard_error, own.standard_error / 10)
        assert_array_equal(own.confidence_band(), larger.confidence_band())
        for method in own.methods:
            same = np.array_equal(*(each.confidence_interval(method=method) for each in (own, larger)))
            assert same == (method not in OF_DISTRIBUTION), method
        assert_array_equal(own.pvalue(null=0.1), larger.pvalue(null=0.1))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"resample_size": 10}, r"resample_size=10 does not give a whole number .* 2 positive to 4 negative.*\(3, 7\)"),
        ({"resample_size": 0}, r"resample_size must be a whole number in \[1, 4000000000\], got 0"),
        ({"resample_size": (3, 0)}, r"each number of resample_size must be a whole number in \[1, "),
        ({"resample_size": (1, 2, 3)}, r"must be a number or a pair \(positives, negatives\)"),
        ({"resample_size": (2, 4), "sampling": "full"}, "must be one number, of all cases, with sampling='full'"),
        ({"resample_size": 6, "groups": [0, 1, 2, 0, 1, 2]}, "drawn one by one: leave it out, or leave out groups"),
        ({"resample_size": 6, "folds": [0, 1, 0, 0, 1, 1]}, "leave it out, or leave out folds"),
        (
            {"resample_size": 6, "sample_weight": [0.5, 1, 1, 1, 1, 1], "weight_type": "importance"},
            "or leave out weight_type='importance'",
        ),
    ],
)
def test_sizes_that_are_refused(options, message):
    y_true, y_score, _ = oracles.columns(UNEVEN)
    with pytest.raises(ValueError, match=message):
        sk.bootstrap_cost(y_true, y_score, thresholds=2, **options)
