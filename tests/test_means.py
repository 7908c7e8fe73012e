"""Means, losses and ratios of numbers that cases have: against all resamples, scikit-learn and published values."""

import itertools
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pytest
from budget import assert_cdf, assert_places
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.stats import beta
from sklearn.metrics import log_loss, mean_absolute_error, r2_score
from strategies import per_cent

import skcostci as sk

MEAN, MEANS, RATIO = sk.bootstrap_mean, sk.bootstrap_mean_difference, sk.bootstrap_ratio
LOSS, LOSSES, METRIC = sk.bootstrap_loss, sk.bootstrap_loss_difference, sk.bootstrap_metric
Y = np.array([1, 0, 1, 1, 0, 0, 1, 0, 0, 0])
P = np.array([0.9, 0.8, 0.7, 0.6, 0.55, 0.5, 0.4, 0.3, 0.2, 0.1])
Q = np.array([0.7, 0.6, 0.9, 0.5, 0.4, 0.5, 0.3, 0.4, 0.1, 0.1])
FIVE = np.array([0.1, 2.0, np.pi, -0.7, np.e])
DOZEN = np.sin(np.arange(12.0) ** 2)


def enumerated(statistic, *choices):
    """The law of a statistic of resamples; of each list of parts as many are drawn as there are."""
    law = {}
    for drawn in itertools.product(*(itertools.product(parts, repeat=len(parts)) for parts in choices)):
        value = statistic(*drawn)
        law[value] = law.get(value, 0) + 1
    values = np.array(sorted(law))
    return values, np.cumsum([law[value] for value in values.tolist()]) / sum(law.values())


def assert_law(result, values, cumulative, rtol=1e-9):
    """Moments, cdf and quantiles are those of an enumerated law."""
    masses = np.diff(cumulative, prepend=0.0)
    mean = masses @ values
    assert result.mean == pytest.approx(mean, rel=rtol)
    assert result.standard_error == pytest.approx(np.sqrt(masses @ (values - mean) ** 2), rel=rtol)
    last = np.append(np.diff(values) > 1e-9, True)
    assert_allclose(result.cdf(values[last]), cumulative[last], atol=1e-9)
    assert_allclose(result.cdf(values[last] + 1e-8), cumulative[last], atol=1e-9)
    middle = (cumulative[last] + np.append(0.0, cumulative[last][:-1])) / 2
    assert_allclose(result.quantile(middle), values[last], rtol=1e-5, atol=1e-7)


# --- the law


def test_means_against_all_resamples():
    """Of any values, and of values with a step."""
    for values in (FIVE, [0, 1, 1, 0, 1], [3, 3, 3, 0, 7, 7]):
        assert_law(MEAN(values), *enumerated(np.mean, list(values)))
    assert_law(MEANS(FIVE, FIVE[::-1]), *enumerated(np.mean, (FIVE - FIVE[::-1]).tolist()))


def test_classes_and_folds_that_are_resampled_apart_against_all_resamples():
    result = LOSS(Y[:7], P[:7], "log_loss", sampling="stratified")
    losses = -np.log(np.where(Y == 1, P, 1 - P))[:7]
    classes = [losses[Y[:7] == label].tolist() for label in (1, 0)]
    assert_law(result, *enumerated(lambda a, b: (sum(a) + sum(b)) / 7, *classes))
    folds = np.array([0, 1, 0, 1, 1, 0, 0])
    parts = [DOZEN[:7][folds == fold].tolist() for fold in (0, 1)]
    assert_law(MEAN(DOZEN[:7], folds=folds), *enumerated(lambda a, b: (np.mean(a) + np.mean(b)) / 2, *parts))


def ratio_of(drawn):
    above, below = np.sum(drawn, axis=0)
    return float(above / below) if below else np.inf


@pytest.mark.parametrize("pairs", [[(0.1, 0.5), (2.0, 0.7), (np.pi, 0.1)], [(1.0, 0.0), (0.3, 0.4), (-0.5, 0.0)]])
def test_ratios_against_all_resamples(pairs):
    """Of those that have one."""
    values, cumulative = enumerated(ratio_of, pairs)
    known = np.isfinite(values)
    assert_law(RATIO(*zip(*pairs, strict=True)), values[known], cumulative[known] / cumulative[known][-1])


@pytest.mark.parametrize("spread", [lambda x: x, np.exp, lambda x: np.where(x == x.max(), 1e3, x)])
def test_laws_on_a_grid_are_those_of_their_neighbours_with_a_step(spread):
    """Values with a step are counted exactly; those that nearly have one, but none in common, are put on a grid."""
    whole = np.round(spread(np.random.default_rng(1).normal(size=400)) * 50) / 50
    nearly = whole + 1e-7 * np.sin(np.arange(400.0) ** 2)
    exact, grid = MEAN(whole), MEAN(nearly)
    x = exact.mean + exact.standard_error * np.linspace(-3, 3, 61)
    between = (np.round(x * 400 * 50) + 0.5) / 400 / 50  # away from the values of the exact law
    assert_cdf(grid.cdf(between), exact.cdf(between))
    q = [0.001, 0.025, 0.5, 0.975, 0.999]
    assert_places(grid.quantile(q), exact.quantile(q), exact.standard_error)


def test_small_tails_of_a_grid_are_those_of_their_neighbours_with_a_step():
    whole = np.round(np.random.default_rng(2).normal(0.08, 0.3, 1000) * 40) / 40
    nearly = whole + 1e-8 * np.sin(np.arange(1000.0) ** 2)
    found = [MEANS(v, 0 * v).pvalue("greater", method="percentile") for v in (whole, nearly)]
    assert 1e-18 < found[0] < 1e-12
    assert found[1] == pytest.approx(found[0], rel=0.05)


# --- limits


def test_reference_values():
    """Of a prototype that was checked against enumeration."""
    by_prototype = {"brier": ((0.08447763, 0.41252110), (0.0900, 0.32125))}
    by_prototype["log_loss"] = (0.30336732, 1.15193832), (0.32268846, 0.86021630)
    for loss, (limits, percentile) in by_prototype.items():
        result = LOSS(Y, P, loss)
        assert_allclose(result.confidence_interval(), limits, atol=1e-8)
        assert_allclose(result.confidence_interval(method="percentile"), percentile, atol=1e-8)


@pytest.mark.parametrize(("n", "k"), [(1, 0), (1, 1), (7, 0), (30, 4), (1000, 1000)])
def test_of_values_0_and_1_limits_are_clopper_and_pearsons(n, k):
    values = np.arange(n) < k
    low, high = MEAN(values, least=0, most=1).confidence_interval(0.9)
    assert low == pytest.approx(beta.ppf(0.05, k, n - k + 1) if k else 0.0)
    assert high == pytest.approx(beta.ppf(0.95, k + 1, n - k) if k < n else 1.0)
    assert LOSS(values, np.zeros(n, bool), "zero_one").confidence_interval(0.9) == (low, high)


@per_cent(40)
@given(
    values=st.lists(st.integers(-5, 5), min_size=1, max_size=12),
    scale=st.sampled_from([1e-14, 0.37, 1.0, 1e9]),
    shift=st.sampled_from([0.0, 3.0]),
)
def test_units_and_origins_are_free(values, scale, shift):
    """And intervals hold the estimate, are never a point, and turn round with the values."""
    plain = MEAN(values, least=-6, most=6)
    other = MEAN((np.array(values) + shift) * scale, least=(shift - 6) * scale, most=(shift + 6) * scale)
    low, high = plain.confidence_interval()
    assert low <= plain.estimate <= high
    assert low < high
    expected = (np.array([low, high]) + shift) * scale
    assert_allclose(other.confidence_interval(), expected, rtol=1e-9, atol=1e-9 * scale)
    turned = MEAN(-np.array(values), least=-6, most=6).confidence_interval()
    assert_allclose(turned, (-high, -low), rtol=1e-12, atol=1e-12)


def test_of_one_value_alone_nothing_is_known():
    """Unless its bounds are."""
    for values in ([3.0], [3.0] * 8):
        result = MEAN(values)
        assert result.confidence_interval() == (-np.inf, np.inf)
        assert "3" in repr(result)
        low, high = MEAN(values, least=0, most=5).confidence_interval()
        assert 0 < low < 3 < high < 5
    same = MEANS([1.0, 2.0, 4.0], [0.5, 1.5, 3.5])
    low, high = same.confidence_interval()  # another case may differ by the whole range of both models' values
    assert -3.5 < low < 0 < 0.5 < high < 3.5
    errors = LOSS([1.0, 2.0], [1.0, 2.0], "absolute_error")
    assert errors.confidence_interval() == (0.0, np.inf)


def test_the_dearest_label_is_what_one_more_case_may_lose():
    """All right, one of them at .999: the other label there would lose .998. One half loses as much under either."""
    low, high = LOSS([1, 1, 0, 0], [0.999, 0.9, 0.1, 0.2]).confidence_interval()
    assert low < beta.ppf(0.975, 1, 4) * 0.9 < high
    assert LOSS([1, 1, 0, 0], [0.999, 0.9, 0.1, 0.2], most=0.05).confidence_interval().high < 0.05
    low, high = LOSS(Y, np.full(10, 0.5)).confidence_interval()
    assert 0 < low < 0.25 < high < 1


@pytest.mark.parametrize("shift", [0.0, 0.3])
def test_limits_of_ratios_are_where_the_mean_of_the_difference_may_be_0(shift):
    ratio = RATIO(Y, P + shift, range=((0, 1), (shift, 1 + shift)))
    for side, alternative in ((0, "greater"), (1, "less")):
        x = ratio.confidence_interval(0.9, alternative=alternative)[side]
        difference = MEAN(Y - x * (P + shift), least=-x * (1 + shift), most=1 - x * shift)
        assert difference.confidence_interval(0.9, alternative=alternative)[side] == pytest.approx(0.0, abs=1e-7)


def test_what_is_known_of_the_parts_of_a_ratio_bounds_it():
    shares = [1, 0, 1], [0.5, 0.1, 0.9]
    near, far = (RATIO(*shares, range=((0, 1), ends)).confidence_interval() for ends in ((0.1, 0.9), (0, 1)))
    assert 0 < far.low < near.low < 4 / 3 < near.high < far.high < np.inf
    never = RATIO([-1, 0, -1], [1, 1, 2], range=((-1, 0), None))
    assert never.law.support[1] == 0
    assert never.confidence_interval().high <= 0
    for half in ([0.5] * 9, [2.0] * 9):
        alone, known = RATIO(half, [1.0] * 9), RATIO(half, [1.0] * 9, range=((0, 2), (1, 1)))
        assert tuple(alone.confidence_interval()) == (-np.inf, np.inf)
        assert alone.pvalue(null=1.0) == 1.0
        assert 0 < np.diff(known.confidence_interval()) < 2
    ones = RATIO(np.ones(10), np.ones(10), range=((0, 1), None))
    assert min(ones.confidence_interval(level).high for level in (0.1, 0.5, 0.95)) >= ones.estimate == 1


def test_the_law_of_an_upper_limit_starts_no_lower_than_the_least_value_seen():
    """Of skewness to the left, which no Beta law from there has: it has the mean and the variance alone."""
    values = np.array([0.0] * 10 + [0.4] * 40 + [1.0])  # the last was not seen
    mean, n = values.mean(), len(values)
    variance = ((values - mean) ** 2).sum() / (n * (n + 1))
    size = mean * (1 - mean) / variance - 1
    high = MEAN(values[:-1], least=0, most=1).confidence_interval().high
    assert high == pytest.approx(beta.ppf(0.975, mean * size, (1 - mean) * size), rel=1e-9)


# --- as scikit-learn's


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_probabilities_of_0_and_1_cost_what_they_cost_there(kind):
    given_cases = [0, 1, 1, 0], np.array([0, 1, 0.5, 1], dtype=kind)
    assert LOSS(*given_cases, "log_loss").estimate == pytest.approx(log_loss(*given_cases), rel=1e-6)


def test_one_class_will_do():
    assert LOSS([0, 0, 0], [0.1, 0.2, 0.1]).estimate == pytest.approx(0.02)
    assert LOSS(["no"] * 3, [0.1, 0.2, 0.1], pos_label="yes").estimate == pytest.approx(0.02)
    with pytest.raises(ValueError, match=r"y_true takes value in \{'no'\} and pos_label is not specified"):
        LOSS(["no"] * 3, [0.1, 0.2, 0.1])


# --- functions of the user's


def test_a_function_of_classes_is_asked_about_the_other_label_too():
    def brier(y_true, y_proba):
        return (y_true - y_proba) ** 2

    assert LOSS(Y, P, brier).quantity == "brier"
    for found, named in ((LOSS(Y, P, brier), LOSS(Y, P)), (LOSSES(Y, P, Q, brier), LOSSES(Y, P, Q))):
        assert_allclose(found.confidence_interval(), named.confidence_interval(), rtol=1e-12)


def test_a_function_of_numbers_is_a_mean():
    pinball = LOSS(DOZEN, np.zeros(12), lambda y, q: np.maximum(0.9 * (y - q), -0.1 * (y - q)), least=0)
    values = np.maximum(0.9 * DOZEN, -0.1 * DOZEN)
    assert pinball.confidence_interval() == MEAN(values, least=0).confidence_interval()


# --- what is refused


RANGE = "have a largest absolute value from 1e-100"
FOLDS = "folds must contain from 2 to 1,000 folds, of two cases on average"
TABLE = [[0.5, 0.5], [0.8, 0.2]]
REFUSED = [
    (lambda: MEAN([1, np.nan]), "values must be finite, got nan"),
    (lambda: MEAN([1e200, 0]), f"values must be all 0, or {RANGE}"),
    (lambda: LOSS([1e200], [0], "squared_error"), f"errors must be all 0, or {RANGE}"),
    (lambda: MEAN([]), "values must contain at least one case"),
    (lambda: MEAN([0, 1.5, 7], most=1), "values must lie between least and most, got 1.5 at position 1, beyond most=1"),
    (lambda: MEAN([9, 0.2, -1], least=0, sample_weight=[0, 1, 1]), "got -1 at position 2, beyond least=0"),
    (lambda: MEAN([1, 2], least=3, most=2), "least must be below most, got least=3 and most=2"),
    (lambda: MEAN([1, 2], most=np.inf), "most must be a number in .*, got inf"),
    (lambda: MEAN([1, 2, 3], groups=[1, 1]), "values and groups must have the same length"),
    (lambda: MEAN([1, 2], groups=[1, 2], folds=[1, 2]), FOLDS),
    (lambda: MEAN([1, 2, 3], folds=[1, 2, 3]), FOLDS),
    (lambda: LOSS(Y, P + 0.2), r"y_pred must contain probabilities, in \[0, 1\], got 1.1 at position 0"),
    (lambda: LOSS([0, 1], [[0.5, 0.6], [0.2, 0.8]]), "y_pred must have rows that add up to 1, got 1.1"),
    (lambda: LOSS([0, 2], [[0.5, 0.2, 0.3]] * 2), "y_pred has 3 columns, for 3 classes, but the classes"),
    (lambda: LOSS([0, 1, 2], [0.1, 0.2, 0.3]), "y_true must be binary"),
    (lambda: LOSS(Y, P, "hinge"), "loss must be a function or one of 'brier'"),
    (lambda: LOSS(Y, P, "squared_error", pos_label=1), "pos_label is for probabilities"),
    (lambda: LOSS(Y, P, "squared_error", labels=[0, 1]), "labels are for classes"),
    (lambda: LOSS(P, P, "squared_error", sampling="stratified"), "sampling='stratified' needs classes"),
    (lambda: LOSS(Y, P, sampling="stratified", folds=Y), "sampling must be left at 'full'"),
    (lambda: LOSS(Y, P, "log_loss", most=0.5), "losses must lie between least and most, got"),
    (lambda: LOSS(Y, P, lambda y, p: 1.0), r"must return a number per case, shape \(10,\), got shape"),
    (lambda: LOSS(Y, P, lambda y, p: p * np.nan), r"loss\(y_true, y_pred\) must be finite"),
    (lambda: LOSS(["a", "b"], ["a", "c"], "zero_one", labels=["a", "b"]), "y_pred contains 'c'"),
    (lambda: LOSSES([0, 1], [0.5, 0.2], TABLE), "y_pred_a and y_pred_b must have the same number of columns"),
    (lambda: RATIO([1, 2], [1, -2]), "denominator must be non-negative and not all 0, got -2 at position 1"),
    (lambda: RATIO([1, 2], [0, 0]), "not all 0"),
    (lambda: RATIO([1, 2], [1, 1], range=((0, 1), None)), r"numerator must lie in .*, got 2 at position 1"),
    (lambda: RATIO([1, 2], [1, 1], range=(None, (-1, 1))), "must not contain negative numbers"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_refusals_say_what_came(call, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call()


@pytest.mark.parametrize(("models", "ends"), [(1, (0, 1)), (2, (0, 1)), (1, (-3, 4))])
def test_means_with_known_ends_allow_for_a_group_that_was_not_seen(models, ends):
    """As shares of right labels do, whose ends are 0 and 1."""
    groups, right = np.repeat(np.arange(20), 4), np.random.default_rng(4).integers(0, 2, (2, 80))[:models]
    low, high = ends
    of_means, of_shares = (MEAN, METRIC) if models == 1 else (MEANS, sk.bootstrap_metric_difference)
    mean = of_means(*(low + (high - low) * right), groups=groups, least=low, most=high)
    share = of_shares(np.ones(80, dtype=int), *right, "accuracy", groups=groups)
    assert mean.methods[:2] == share.methods[:2] == ("extrapolated", "unseen_group")
    shift = low if models == 1 else 0
    assert_allclose(mean.confidence_interval(), shift + (high - low) * np.array(share.confidence_interval()), rtol=1e-9)


def test_groups_with_unknown_ends():
    values = np.linspace(0.1, 0.8, 12)
    pairs = np.repeat(np.arange(6), 2)
    unknown = "extrapolated", "wald"
    assert MEAN(values, groups=pairs).methods == unknown
    assert MEAN(values, most=1, groups=pairs).methods == unknown
    assert LOSS([1, 0] * 6, values, groups=pairs).methods[:2] == ("extrapolated", "unseen_group")
    assert LOSS(values, values[::-1], "squared_error", groups=pairs).methods == unknown


# --- rounding is not information; true and false have ends

SQUARES = DOZEN[2:] ** 2
UP = np.nextafter(P, 1)  # one unit in the last place
THIRDS = np.where(np.arange(10) % 3, 0.1 + 0.2, 0.3)
TENTHS = np.repeat(np.arange(4), [1, 2, 3, 4])
SCHEMES_OF_TEN = [{}, {"sampling": "stratified"}, {"groups": np.arange(10) // 2}, {"folds": np.arange(10) % 2}]


def alike(exact, scale=1.0):
    """Ten numbers that are alike but for rounding."""
    return scale * (np.full(10, 0.3) if exact else THIRDS)


def r2s(exact, **rows):
    return sk.bootstrap_metric_difference(DOZEN[2:], SQUARES, SQUARES if exact else SQUARES + 7 - 7, r2_score, **rows)


ROUNDED = {  # what differs by rounding alone, and the same without it
    "mean": lambda exact: MEAN(alike(exact)),
    "least": lambda exact: MEAN(alike(exact), least=0),
    "both ends": lambda exact: MEAN(alike(exact), least=0, most=1),
    "large": lambda exact: MEAN(alike(exact, 1e10)),
    "small": lambda exact: MEAN(alike(exact, 1e-15)),
    "groups": lambda exact: MEAN(alike(exact), groups=TENTHS),
    "groups with ends": lambda exact: MEAN(alike(exact), groups=TENTHS, least=0, most=1),
    "folds": lambda exact: MEAN(alike(exact), folds=np.arange(10) % 2),
    "difference": lambda exact: MEANS(Y if exact else P, (Y if exact else P) + 1),
    "same": lambda exact: MEANS(P, P if exact else UP),
    "ratio": lambda exact: RATIO(alike(exact), np.ones(10)),
    "proportional": lambda exact: RATIO((1.5 if exact else 1.1) / 1.1 * P, P / (1.1 if exact else 1.5)),
    "errors": lambda exact: LOSS(P, (0.0 if exact else 0.2) + P, "absolute_error", least=0, most=1),
    "no error": lambda exact: LOSS(P, P if exact else UP, "squared_error"),
    **{
        f"{loss} {rows}": lambda exact, loss=loss, rows=rows: LOSSES(Y, P, P if exact else 1 - (1 - P), loss, **rows)
        for loss in ("brier", "log_loss")
        for rows in SCHEMES_OF_TEN
    },
    "constant probabilities": lambda exact: LOSS(Y, np.where(Y, 0.7, 0.3 if exact else 1 - 0.7)),
    "calibration": lambda exact: sk.bootstrap_calibration(Y, Y if exact else np.abs(Y - 1e-17)).in_the_large,
    "costs": lambda exact: sk.bootstrap_expected_cost_difference(
        Y, Y[::-1], P > 0.4, [[0.3, 0.3], [0.3 if exact else 0.1 + 0.2, 0.3]]
    ),
    "R2": r2s,
    "R2 of groups": lambda exact: r2s(exact, groups=TENTHS),
    "mean error": lambda exact: METRIC(P, P if exact else UP, mean_absolute_error),
}


@pytest.mark.filterwarnings("ignore::skcostci.DegenerateLawWarning")
@pytest.mark.parametrize("name", [name for name in ROUNDED if name not in ("difference", "proportional", "errors")])
def test_what_differs_by_rounding_alone_is_as_what_does_not_differ(name):
    rounded, exact = (ROUNDED[name](which) for which in (False, True))
    scale = max(abs(exact.estimate), np.finfo(float).tiny) if exact.estimate else 1.0
    assert rounded.standard_error == exact.standard_error == 0
    assert rounded.estimate == pytest.approx(exact.estimate, rel=1e-14, abs=1e-15)
    for method in exact.methods:
        for level in (0.5, 0.95, 1 - 1e-9):
            expected = exact.confidence_interval(level, method=method)
            assert_allclose(rounded.confidence_interval(level, method=method), expected, rtol=1e-9, atol=1e-15 * scale)


@pytest.mark.parametrize("name", [name for name in ROUNDED if name != "costs"])
def test_what_differs_by_rounding_alone_excludes_nothing_without_a_reason(name):
    """Limits nest, and p-values are intervals turned round, near the estimate and far from it."""
    result = ROUNDED[name](False)
    assert result.standard_error == 0
    least, most = (float(np.ravel(end)[0]) for end in result.law.support)
    size = abs(result.estimate) or 0.01
    levels = np.array([0.5, 0.8, 0.95, 0.99, 1 - 1e-6, 1 - 1e-9])
    limits = np.array([result.confidence_interval(level) for level in levels])
    assert np.all(limits[:, 0] < limits[:, 1])
    if "percentile" in result.methods and name != "proportional":  # whose quantiles take a minute
        middle = result.quantile(0.5)
        assert middle == pytest.approx(result.estimate, rel=1e-12, abs=1e-15)
        assert result.pvalue(null=middle, method="percentile") == 1
    assert np.all(limits[1:, 0] <= limits[:-1, 0])
    assert np.all(limits[1:, 1] >= limits[:-1, 1])
    for null in result.estimate + size * np.array([-0.5, -0.01, -1e-9, 0.0, 1e-9, 0.01, 0.5]):
        if least <= null <= most:
            p = result.pvalue(null=null)
            assert ((p < 1 - levels) == ((null < limits[:, 0]) | (null > limits[:, 1]))).all(), null


@pytest.mark.parametrize("constant", [0.3, 0.7, 1 / 3])
def test_a_function_that_no_case_moves_says_nothing(constant):
    def same(y_true, y_pred, sample_weight):
        return np.average(np.full(len(y_true), constant), weights=sample_weight)

    result = METRIC(Y, P > 0.5, same, range=(0, 1), sample_weight=np.arange(1, 11))
    assert result.standard_error == 0
    low, high = result.confidence_interval()
    assert low < constant - 0.01 < constant + 0.01 < high


@pytest.mark.parametrize("scale", [1e-60, 1e-12, 1e9])
def test_a_spread_that_is_small_beside_nothing_else_stays(scale):
    """Of values, of differences, of errors, and as a function has it."""
    values = scale * DOZEN
    asked = [
        lambda unit: MEAN(unit * DOZEN),
        lambda unit: MEANS(unit * DOZEN, unit * DOZEN[::-1]),
        lambda unit: MEAN(unit * DOZEN, groups=np.arange(12) // 2),
        lambda unit: LOSS(unit * DOZEN, unit * DOZEN[::-1], "absolute_error"),
        lambda unit: METRIC(unit * DOZEN, unit * DOZEN[::-1], mean_absolute_error),
    ]
    for ask in asked:
        found, plain = ask(scale), ask(1.0)
        assert found.standard_error == pytest.approx(scale * plain.standard_error, rel=1e-6)
        expected = scale * np.array(plain.confidence_interval())
        assert_allclose(found.confidence_interval(), expected, rtol=1e-5, atol=1e-9 * scale)
    alike = MEAN(np.full(5, 0.3 * scale))
    assert alike.pvalue(null=0.3 * scale, method="percentile") == 1
    assert alike.pvalue(null=0.2 * scale, method="percentile") == 0
    counted = [MEAN(unit * (np.arange(12) % 5)) for unit in (scale, 1.0)]
    assert counted[0].cdf(1.5 * scale) == pytest.approx(counted[1].cdf(1.5), rel=1e-9)
    low, high = MEAN(1e3 * scale + 1e-6 * values).confidence_interval()
    assert 0 < high - low < 2e-6 * scale


def test_groups_whose_sums_differ_by_rounding_are_alike():
    """The cases of each are those of any other, in another order."""
    rng = np.random.default_rng(0)
    values = np.concatenate([rng.permutation([0.1, 0.2, 0.3, 0.7]) for _ in range(8)])
    result = MEAN(values, groups=np.arange(32) // 4, least=0, most=1)
    alike = MEAN(np.full(32, 0.325), groups=np.arange(32) // 4, least=0, most=1)
    assert len(np.unique(values.reshape(8, 4).sum(axis=1))) > 1
    assert result.standard_error == 0
    assert_allclose(result.confidence_interval(), alike.confidence_interval(), rtol=1e-9)


KINDS = {  # columns of 0 and 1
    "booleans": lambda values: values,
    "a list": np.ndarray.tolist,
    "whole numbers": lambda values: values.astype(np.int8),
    "floats": lambda values: values.astype(float),
    "objects": lambda values: values.astype(object),
    "numbers as objects": lambda values: values.astype(int).astype(object),
    "pandas": pd.Series,
    "nullable booleans": lambda values: pd.Series(values, dtype="boolean"),
    "nullable numbers": lambda values: pd.Series(values, dtype="Int64"),
    "polars": pl.Series,
    "floats of polars": lambda values: pl.Series(values.astype(float)),
}
A, B = np.arange(12) < 12, np.arange(12) < 11  # all right, and one wrong
SCHEMES = [
    {},
    {"sample_weight": np.arange(12) % 3 + 1},
    {"sample_weight": 1 / (1 + np.arange(12.0)), "weight_type": "importance"},
    {"groups": np.arange(12) // 3},
    {"folds": np.arange(12) % 3},
    {"groups": np.arange(12) // 2, "folds": np.arange(12) // 6},
    {"groups": np.arange(12) // 3, "crossed": np.arange(12) % 3},
]
ENDS, RATIOS = {"least": 0, "most": 1}, sk.bootstrap_ratio_difference


def wrong(kind, truth, guess):
    return kind(np.asarray(truth != guess, bool))


OF_0_AND_1 = {  # the call, and the options that say what is known of 0 and 1
    "mean": (lambda kind, **rows: MEAN(kind(A), **rows), ENDS),
    "difference": (lambda kind, **rows: MEANS(kind(A), kind(B), **rows), ENDS),
    "to a constant": (lambda kind, **rows: MEANS(kind(B), np.ones(12), **rows), ENDS),
    "errors": (lambda kind, **rows: LOSS(kind(B), kind(A), "absolute_error", **rows), ENDS),
    "no errors": (lambda kind, **rows: LOSS(kind(A), kind(A), "squared_error", **rows), ENDS),
    "a function": (lambda kind, **rows: LOSSES(kind(B), kind(A), kind(B), partial(wrong, kind), **rows), ENDS),
    "ratio": (lambda kind, crossed=None, **rows: RATIO(kind(B), kind(A), **rows), {"range": ((0, 1), (0, 1))}),
    "difference of ratios": (
        lambda kind, crossed=None, **rows: RATIOS(kind(A), np.arange(1, 13.0), kind(B), np.arange(1, 13.0), **rows),
        {"range": ((0, 1), None)},
    ),
}


@pytest.mark.parametrize("place", range(len(SCHEMES)))
@pytest.mark.parametrize("name", OF_0_AND_1)
def test_values_of_0_and_1_are_shares_whatever_their_type(name, place):
    """All right: the other end is known, as those of differences are -1 and 1. Types and schemes go by turns."""
    call, known = OF_0_AND_1[name]
    kinds, scheme = list(KINDS), SCHEMES[place]
    expected = call(KINDS["floats"], **scheme, **known)
    for kind in ("booleans", kinds[(place + list(OF_0_AND_1).index(name)) % len(kinds)]):
        found = call(KINDS[kind], **scheme)
        assert_allclose(found.confidence_interval(), expected.confidence_interval(), rtol=1e-12)
        assert found.methods == expected.methods
        assert found.law.support == expected.law.support


@pytest.mark.parametrize("kind", KINDS)
def test_checked_values_of_0_and_1_are_shares_whatever_their_type(kind):
    """A judge may say 0 and 1 or a probability."""
    options = [{}, {"groups": np.arange(24) // 3}][list(KINDS).index(kind) % 2]
    checked, right = np.arange(24) % 4 < 2, np.arange(24) > 2
    for proxy in (KINDS[kind](np.arange(24) % 2 == 0), np.arange(24) // 4 / 6):
        values = [value if seen else None for value, seen in zip(list(KINDS[kind](right)), checked, strict=True)]
        found = MEAN(values, proxy=proxy, **options)
        expected = MEAN(np.where(checked, right, np.nan), proxy=proxy, least=0, most=1, **options)
        assert found.confidence_interval() == expected.confidence_interval()


def test_other_values_than_0_and_1_are_possible_where_ends_are_given():
    for values in (B, B.astype(int)):
        found = MEAN(values, least=0, most=5)
        assert found.confidence_interval().high > MEAN(values).confidence_interval().high
        with pytest.raises(ValueError, match=r"beyond most=0\.5"):
            MEAN(values, most=0.5)
    # Both models decide what differences may be. McNemar's exact p-value of one discordant pair is 1.
    assert MEANS(np.ones(50, int), np.append(np.ones(49, int), 0)).pvalue() == 1
    halves = np.ones(50), np.append(np.ones(49), 0.5)
    assert MEANS(*halves).law.support != MEANS(*halves, least=0, most=1).law.support
