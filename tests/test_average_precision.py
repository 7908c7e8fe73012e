"""Average precision and the partial AUC: scikit-learn's estimates, and what their laws and intervals must keep."""

from fractions import Fraction
from functools import partial

import numpy as np
import oracles
import pytest
from budget import assert_limits, assert_places, assert_standard_errors
from numpy.testing import assert_allclose
from sklearn.metrics import average_precision_score, roc_auc_score

import skcostci as sk

Y = np.array([1, 0, 1, 1, 0, 0, 1, 0, 0, 0])
A = np.array([0.9, 0.8, 0.7, 0.6, 0.55, 0.5, 0.4, 0.3, 0.2, 0.1])
B = np.array([0.9, 0.9, 0.7, 0.6, 0.6, 0.5, 0.4, 0.3, 0.3, 0.1])
RNG = np.random.default_rng(3)
MANY = np.repeat([1, 0], [60, 300])
SCORES = RNG.normal(size=360).round(1) + MANY
TIMES = RNG.integers(0, 4, 360)


@pytest.mark.parametrize(("y", "score"), [(Y, A), (Y, B), (MANY, SCORES)])
def test_estimates_are_scikit_learns(y, score):
    assert_allclose(sk.bootstrap_average_precision(y, score).estimate, average_precision_score(y, score), rtol=1e-13)
    for rate in (0.01, 0.1, 0.2, 0.5, 0.95):
        assert_allclose(sk.bootstrap_auc(y, score, max_fpr=rate).estimate, roc_auc_score(y, score, max_fpr=rate))


def test_estimates_of_weighted_rows_are_scikit_learns():
    weighted = {"sample_weight": TIMES}
    assert_allclose(
        sk.bootstrap_average_precision(MANY, SCORES, **weighted).estimate,
        average_precision_score(MANY, SCORES, **weighted),
    )
    assert_allclose(
        sk.bootstrap_auc(MANY, SCORES, max_fpr=0.2, **weighted).estimate,
        roc_auc_score(MANY, SCORES, max_fpr=0.2, **weighted),
    )


def test_the_whole_area_is_the_auc():
    for standardize in (True, False):
        assert sk.bootstrap_auc(Y, A, max_fpr=1, standardize=standardize) == sk.bootstrap_auc(Y, A)


@pytest.mark.parametrize("score", [A, B])
def test_an_area_and_its_standardized_value_tell_the_same(score):
    area = sk.bootstrap_auc(Y, score, max_fpr=0.5, standardize=False)
    value = sk.bootstrap_auc(Y, score, max_fpr=0.5)
    for number in ("estimate", "mean"):
        assert_allclose(getattr(value, number), 0.5 * (1 + (getattr(area, number) - 0.125) / 0.375))
    for raw, scaled in zip(area.confidence_interval(), value.confidence_interval(), strict=True):
        assert_allclose(scaled, 0.5 * (1 + (raw - 0.125) / 0.375), rtol=1e-10)


def test_a_prevalence_that_is_the_samples_changes_nothing():
    plain, given = sk.bootstrap_average_precision(Y, B), sk.bootstrap_average_precision(Y, B, prevalence=0.4)
    for number in ("estimate", "mean", "standard_error"):
        assert_allclose(getattr(given, number), getattr(plain, number), rtol=1e-12)
    assert_allclose(given.confidence_interval(), plain.confidence_interval(), rtol=1e-12)


def test_the_mean_of_a_difference_is_that_of_all_resamples():
    y, a, b = [1, 1, 1, 0, 0, 0, 0], [3, 2, 2, 2, 1, 0, 0], [1, 2, 3, 1, 0, 2, 0]
    cases = list(zip(y, zip(a, b, strict=True), strict=True))
    for result, value in (
        (sk.bootstrap_average_precision_difference(y, a, b), oracles.average_precision),
        (
            sk.bootstrap_auc_difference(y, a, b, max_fpr=0.5, standardize=False),
            lambda drawn, model: oracles.partial_auc(drawn, Fraction(1, 2), model),
        ),
    ):
        law = oracles.stratified_law(cases, lambda drawn, value=value: value(drawn, model=0) - value(drawn, model=1))
        assert_allclose(result.mean, float(oracles.moment(law, 1)), atol=1e-12)
        assert not result.is_exact
        assert_allclose(result.standard_error, float(oracles.moment(law, 2)) ** 0.5, rtol=0.35)  # of first order


def test_few_scores_are_exact_and_many_nearly():
    few, many = sk.bootstrap_average_precision(Y, A), sk.bootstrap_average_precision(MANY, SCORES.round(8))
    assert few.is_exact  # and enumerated, in test_enumeration
    coarse = sk.bootstrap_average_precision(MANY, SCORES.round(0))
    assert coarse.is_exact
    assert not many.is_exact
    assert not sk.bootstrap_average_precision(Y, A, sampling="full").is_exact
    assert not sk.bootstrap_average_precision(Y, A, groups=np.arange(10) // 2).is_exact


@pytest.mark.parametrize("copies", [3_000, 30_000, 10**6])
@pytest.mark.parametrize("score", [A, np.arange(10) // 3])
def test_of_few_scores_in_many_cases_the_error_falls_with_the_root(copies, score):
    """Standard errors of 3,000 copies were 0 and those of more off by factors: their integral had too few places."""
    few, many = (sk.bootstrap_average_precision(Y, score, sample_weight=np.full(10, k)) for k in (100, copies))
    assert_standard_errors(many.standard_error * np.sqrt(copies / 100), few.standard_error)
    assert_places(many.mean, many.estimate, many.standard_error, half_widths=0.05)
    gaussian = many.estimate + 1.96 * many.standard_error * np.array([-1, 1])
    assert_limits(many.confidence_interval(), gaussian, half_widths=0.08)


def test_positives_that_outnumber_negatives_have_the_error_that_negatives_bring():
    """1 - AP is then the sum over negatives of the a_g / A_g of the scores at or below them, over m."""
    rng, m, n = np.random.default_rng(0), 363_636, 21
    positive, negative = np.round(2 * rng.normal(1, 1, m)) / 2, np.round(2 * rng.normal(size=n)) / 2
    scores, held = np.unique(-positive, return_counts=True)
    below = np.cumsum((held / np.cumsum(held))[::-1])[::-1]
    added = below[np.searchsorted(scores, -negative)] / m
    result = sk.bootstrap_average_precision(np.repeat([1, 0], [m, n]), np.concatenate([positive, negative]))
    assert result.is_exact
    assert_allclose(result.standard_error, added.std() * np.sqrt(n), rtol=0.003)


@pytest.mark.parametrize("score", [Y, -Y, np.zeros(10)])
def test_no_interval_is_a_point(score):
    for result in (sk.bootstrap_average_precision(Y, score), sk.bootstrap_auc(Y, score, max_fpr=0.3)):
        low, high = result.confidence_interval()
        assert high - low > 0.2


def test_a_model_that_throws_away_negatives_is_feared_though_none_was_seen():
    result = sk.bootstrap_average_precision_difference(MANY, MANY + 0.0, MANY + 0.0)
    low, high = result.confidence_interval()
    assert low < -0.02
    assert high > 0.02
    assert result.pvalue() == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_fpr": 0}, r"max_fpr must be a number in \[1e-100, 1\], got 0"),
        ({"max_fpr": 1e-300}, r"max_fpr must be a number in \[1e-100, 1\], got 1e-300"),
        ({"max_fpr": 1.5}, r"max_fpr must be a number in \[1e-100, 1\], got 1.5"),
        ({"max_fpr": float("nan")}, "max_fpr must be a number in"),
        ({"standardize": False}, "standardize=False needs max_fpr"),
    ],
)
def test_what_a_partial_auc_refuses(options, message):
    with pytest.raises(ValueError, match=message):
        sk.bootstrap_auc(Y, A, **options)


def test_full_sampling_has_no_given_prevalence():
    with pytest.raises(ValueError, match="sampling must be 'stratified' with a prevalence, got 'full'"):
        sk.bootstrap_average_precision(Y, A, sampling="full", prevalence=0.1)


def test_partial_aucs_up_to_different_rates_are_not_subtracted():
    a, b = (sk.bootstrap_auc(Y, A, max_fpr=rate) for rate in (0.1, 0.2))
    with pytest.raises(ValueError, match=r"must be at the same max_fpr, got 0\.1 and 0\.2"):
        sk.independent_difference(a, b)


@pytest.mark.parametrize("name", ["bootstrap_average_precision", "bootstrap_auc"])
def test_groups_thrown_together_at_random_say_what_cases_do(name):
    options = {"max_fpr": 0.2} if name == "bootstrap_auc" else {}
    alone = getattr(sk, name)(MANY, SCORES, sampling="full", **options)
    grouped = getattr(sk, name)(MANY, SCORES, groups=np.random.default_rng(0).permutation(360) // 2, **options)
    assert grouped.scheme == ("groups",)
    assert_allclose(grouped.standard_error, alone.standard_error, rtol=0.15)


def test_comparisons_and_scorers_take_them():
    columns = {"a": SCORES, "b": RNG.permutation(SCORES)}
    for statistic, options in (("average_precision", {}), ("auc", {"max_fpr": 0.1})):
        compared = sk.compare_models(MANY, columns, statistic, **options)
        assert compared.may_be_best() == ("a",)
        sites = sk.compare_groups(MANY, SCORES, np.arange(360) % 2, statistic, **options)
        assert len(sites.models) == 2


@pytest.mark.parametrize("statistic", [sk.bootstrap_average_precision, partial(sk.bootstrap_auc, max_fpr=0.3)])
@pytest.mark.parametrize(("m", "n"), [(3, 3), (7, 13), (20, 33), (30, 40)])
def test_perfect_ranks_and_ties_have_no_variance_left(statistic, m, n):
    y = np.repeat([0, 1], [n, m])
    for score in (np.arange(m + n), np.zeros(m + n)):
        result = statistic(y, score)
        assert result.standard_error == 0
        with pytest.warns(sk.DegenerateLawWarning):
            result.confidence_interval(method="wald")
        low, high = result.confidence_interval()
        assert low < high


@pytest.mark.parametrize("level", [0.01, 0.1, 0.5, 0.95])
@pytest.mark.parametrize("sampling", ["stratified", "full"])
def test_intervals_hold_the_estimate_and_p_values_say_so(level, sampling):
    rng = np.random.default_rng(4)
    for m, n in ((4, 9), (10, 20), (30, 60)):
        y = np.repeat([1, 0], [m, n])
        a, b = (shift * y + rng.normal(size=m + n) for shift in (1.5, 0.5))
        for result in (
            sk.bootstrap_average_precision(y, a, sampling=sampling),
            sk.bootstrap_average_precision_difference(y, a, b, sampling=sampling),
            sk.bootstrap_average_precision(y, a, groups=np.arange(m + n) // 2),
        ):
            low, high = result.confidence_interval(level)
            assert low <= result.estimate <= high
            least, most = result.law.support
            for null in np.clip([result.estimate, low - 1e-6, high + 1e-6], least, most):
                assert (result.pvalue(null=null) < 1 - level) == (not low <= null <= high)


HALVES = [0, 0, 0, 0, 1, 1, 1, 1]
SCORE_A, SCORE_B = [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9], [0.6, 0.2, 0.8, 0.1, 0.3, 0.7, 0.4, 0.9]
FIVE = [1] * 5 + [0] * 7
RANKS_A, RANKS_B = [9, 8, 7, 5, 3, 6, 4, 2, 2, 1, 1, 0], [9, 7, 8, 5, 2, 6, 4, 3, 2, 1, 1, 0]
GRADES = [0, 0, 0, 0, 1, 1, 1, 2, 2, 2], [0, 0, 0, 1, 1, 1, 0, 2, 2, 1], [0, 0, 1, 1, 1, 2, 0, 2, 1, 0]


@pytest.mark.parametrize(
    ("ask", "limits", "p"),
    [
        (
            lambda: sk.bootstrap_average_precision_difference(HALVES, SCORE_A, SCORE_B),
            [(-0.2817288917, 0.6254528791), (-0.3980923480, 0.6931471806), (-0.6931471806, 0.6931471806)],
            0.5481429514,
        ),
        (
            lambda: sk.bootstrap_auc_difference(HALVES, SCORE_A, SCORE_B, max_fpr=0.5),
            [(-0.2516339505, 0.6666666667), (-0.3708013009, 0.6666666667), (-0.6666666667, 0.6666666667)],
            0.4221337183,
        ),
        (
            lambda: sk.bootstrap_average_precision_difference(FIVE, RANKS_A, RANKS_B),
            [(-0.0596602986, 0.1197907350), (-0.0753625626, 0.1354929990), (-0.1096319462, 0.1697623826)],
            0.7725311843,
        ),
        (
            lambda: sk.bootstrap_auc_difference(FIVE, RANKS_A, RANKS_B, max_fpr=0.3),
            [(-0.1380873741, 0.1492918559), (-0.1715319453, 0.1827364270), (-0.2544551995, 0.2656596813)],
            1,
        ),
        (
            lambda: sk.bootstrap_metric_difference(*GRADES, "kappa", kappa_weights="quadratic"),
            [(0.0524030649, 0.8999778875), (-0.0371021376, 0.9894830900), (-0.2404327321, 1.1928136845)],
            0.0668413011,
        ),
        (
            lambda: sk.bootstrap_metric_difference(*GRADES, "kappa", kappa_weights="linear"),
            [(0.1215092141, 0.8087233441), (0.0450652311, 0.8851673270), (-0.1311912615, 1.0614238196)],
            0.0330442157,
        ),
    ],
)
def test_limits_that_sharpen_are_those_of_an_independent_program(ask, limits, p):
    result = ask()
    assert result.methods[0] == "extrapolated"
    for level, (low, high) in zip((0.9, 0.95, 0.99), limits, strict=True):
        least, most = result.confidence_interval(level, method="unseen_case")  # never further out than these
        assert_allclose(result.confidence_interval(level), (max(low, least), min(high, most)), atol=2e-10)
    assert_allclose(result.pvalue(), min(p, result.pvalue(method="unseen_case")), atol=1e-9)


def test_they_sharpen_at_a_prevalence_and_with_class_sizes_drawn():
    at = sk.bootstrap_average_precision_difference(FIVE, RANKS_A, RANKS_B, prevalence=0.1)
    assert_allclose(at.confidence_interval(), (-0.0867885524, 0.1081828689), atol=2e-10)
    full = sk.bootstrap_average_precision_difference(FIVE, RANKS_A, RANKS_B, sampling="full")
    assert_allclose(full.confidence_interval(), (-0.0737994979, 0.1336648146), atol=2e-10)


@pytest.mark.parametrize("seed", range(12))
def test_limits_that_sharpen_are_nested_consistent_and_antisymmetric(seed):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat([0, 1], rng.integers(2, 30, 2)))
    a, b = rng.integers(0, rng.integers(2, 40), (2, len(y)))
    weights = rng.integers(1, 4, len(y))
    for ask in (
        sk.bootstrap_average_precision_difference,
        lambda y, a, b, **w: sk.bootstrap_auc_difference(y, a, b, max_fpr=0.4, **w),
        lambda y, a, b, **w: sk.bootstrap_metric_difference(y, a % 2, b % 2, "kappa", kappa_weights="linear", **w),
    ):
        result, exchanged = ask(y, a, b), ask(y, b, a)
        inner = None
        for level in (0.2, 0.5, 0.8, 0.95, 0.999):
            low, high = result.confidence_interval(level)
            assert low <= result.estimate <= high
            assert inner is None or (low <= inner[0] and inner[1] <= high)
            assert_allclose(exchanged.confidence_interval(level), (-high, -low), atol=1e-12)
            null = low + 0.3 * (high - low)
            assert (result.pvalue(null=null) > 1 - level) or np.isclose(result.pvalue(null=null), 1 - level)
            inner = low, high
        counted, repeated = ask(y, a, b, sample_weight=weights), ask(*(np.repeat(c, weights) for c in (y, a, b)))
        assert_allclose(counted.confidence_interval(), repeated.confidence_interval(), atol=1e-12)


def test_average_precision_without_a_case_is_what_is_computed_without_it():
    rng = np.random.default_rng(0)
    y, score = np.repeat([0, 1], [9, 6]), rng.integers(0, 6, 15)
    less = [sk.bootstrap_average_precision(np.delete(y, i), np.delete(score, i)).estimate for i in range(15)]
    here = sk.bootstrap_average_precision(y, score).estimate
    # with one model that ranks all alike, whose average precision is the share of positives whatever is left out
    flat = sk.bootstrap_average_precision_difference(y, score, np.zeros(15), sampling="full")
    expected = 14 * (here - np.array(less)) - 14 * (6 / 15 - np.where(y == 1, 5, 6) / 14)
    cases = flat.law.left_out.strata[0].by_kurtosis()
    assert_allclose(cases.square, np.var(expected), rtol=1e-12)
    assert_allclose(cases.far, np.abs(expected - expected.mean()).max(), rtol=1e-12)
