"""Average precision and the partial AUC: scikit-learn's estimates, and what their laws and intervals must keep."""

from fractions import Fraction
from functools import partial
from itertools import permutations

import numpy as np
import oracles
import pytest
from budget import assert_limits, assert_places, assert_standard_errors
from numpy.testing import assert_allclose

import skcostci as sk

Y = np.array([1, 0, 1, 1, 0, 0, 1, 0, 0, 0])
A = np.array([0.9, 0.8, 0.7, 0.6, 0.55, 0.5, 0.4, 0.3, 0.2, 0.1])
B = np.array([0.9, 0.9, 0.7, 0.6, 0.6, 0.5, 0.4, 0.3, 0.3, 0.1])
BOTH = sk.bootstrap_average_precision, partial(sk.bootstrap_auc, max_fpr=0.3)


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
    partial_area = sk.bootstrap_auc_difference(y, a, b, max_fpr=0.5, standardize=False)
    for result, value in (
        (sk.bootstrap_average_precision_difference(y, a, b), oracles.average_precision),
        (partial_area, partial(oracles.partial_auc, t=Fraction(1, 2))),
    ):
        law = oracles.stratified_law(cases, lambda drawn, value=value: value(drawn, model=0) - value(drawn, model=1))
        assert_allclose(result.mean, float(oracles.moment(law, 1)), atol=1e-12)
        assert not result.is_exact
        assert_allclose(result.standard_error, float(oracles.moment(law, 2)) ** 0.5, rtol=0.35)  # of first order


@pytest.mark.parametrize("copies", [3_000, 10**6])
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
    for ask in BOTH:
        low, high = ask(Y, score).confidence_interval()
        assert high - low > 0.2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        *(({"max_fpr": rate}, rf"max_fpr must be a number in \[1e-100, 1\], got {rate}") for rate in (0, 1e-300, 1.5)),
        ({"max_fpr": float("nan")}, "max_fpr must be a number in"),
        ({"standardize": False}, "standardize=False needs max_fpr"),
    ],
)
def test_what_a_partial_auc_refuses(options, message):
    with pytest.raises(ValueError, match=message):
        sk.bootstrap_auc(Y, A, **options)


@pytest.mark.parametrize("ask", BOTH)
def test_perfect_ranks_and_ties_have_no_variance_left(ask):
    for m, n in ((3, 3), (7, 13), (30, 40)):
        for score in (np.arange(m + n), np.zeros(m + n)):
            result = ask(np.repeat([0, 1], [n, m]), score)
            assert result.standard_error == 0
            with pytest.warns(sk.DegenerateLawWarning):
                result.confidence_interval(method="wald")
            low, high = result.confidence_interval()
            assert low < high


HALVES = [0, 0, 0, 0, 1, 1, 1, 1]
SCORE_A, SCORE_B = [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9], [0.6, 0.2, 0.8, 0.1, 0.3, 0.7, 0.4, 0.9]
FIVE = [1] * 5 + [0] * 7
RANKS_A, RANKS_B = [9, 8, 7, 5, 3, 6, 4, 2, 2, 1, 1, 0], [9, 7, 8, 5, 2, 6, 4, 3, 2, 1, 1, 0]
GRADES = [0, 0, 0, 0, 1, 1, 1, 2, 2, 2], [0, 0, 0, 1, 1, 1, 0, 2, 2, 1], [0, 0, 1, 1, 1, 2, 0, 2, 1, 0]


EIGHT, TWELVE = (HALVES, SCORE_A, SCORE_B), (FIVE, RANKS_A, RANKS_B)
AP_8, AP_12 = (partial(sk.bootstrap_average_precision_difference, *cases) for cases in (EIGHT, TWELVE))
HALF_8, LESS_12 = (partial(sk.bootstrap_auc_difference, *c, max_fpr=u) for c, u in ((EIGHT, 0.5), (TWELVE, 0.3)))
KAPPA = partial(sk.bootstrap_metric_difference, *GRADES, "kappa")
KAPPA_2, KAPPA_1 = (partial(KAPPA, kappa_weights=weights) for weights in ("quadratic", "linear"))
BY_ANOTHER_PROGRAM = [  # p, and limits at .9, .95 and .99
    (AP_8, 0.5481429514, [-0.2817288917, 0.6254528791, -0.3980923480, 0.6931471806, -0.6931471806, 0.6931471806]),
    (HALF_8, 0.4221337183, [-0.2516339505, 0.6666666667, -0.3708013009, 0.6666666667, -0.6666666667, 0.6666666667]),
    (AP_12, 0.7725311843, [-0.0596602986, 0.1197907350, -0.0753625626, 0.1354929990, -0.1096319462, 0.1697623826]),
    (LESS_12, 1, [-0.1380873741, 0.1492918559, -0.1715319453, 0.1827364270, -0.2544551995, 0.2656596813]),
    (KAPPA_2, 0.0668413011, [0.0524030649, 0.8999778875, -0.0371021376, 0.9894830900, -0.2404327321, 1.1928136845]),
    (KAPPA_1, 0.0330442157, [0.1215092141, 0.8087233441, 0.0450652311, 0.8851673270, -0.1311912615, 1.0614238196]),
]


@pytest.mark.parametrize(("ask", "p", "limits"), BY_ANOTHER_PROGRAM)
def test_limits_that_sharpen_are_those_of_an_independent_program(ask, p, limits):
    result = ask()
    assert result.methods[0] == "extrapolated"
    for level, (low, high) in zip((0.9, 0.95, 0.99), np.reshape(limits, (3, 2)), strict=True):
        least, most = result.confidence_interval(level, method="unseen_case")  # never further out than these
        assert_allclose(result.confidence_interval(level), (max(low, least), min(high, most)), atol=2e-10)
    assert_allclose(result.pvalue(), min(p, result.pvalue(method="unseen_case")), atol=1e-9)


def test_they_sharpen_at_a_prevalence_and_with_class_sizes_drawn():
    at = sk.bootstrap_average_precision_difference(FIVE, RANKS_A, RANKS_B, prevalence=0.1)
    assert_allclose(at.confidence_interval(), (-0.0867885524, 0.1081828689), atol=2e-10)
    full = sk.bootstrap_average_precision_difference(FIVE, RANKS_A, RANKS_B, sampling="full")
    assert_allclose(full.confidence_interval(), (-0.0737994979, 0.1336648146), atol=2e-10)


def risk_coverage(right, confidence):
    """The mean over the orders of ties of the mean over k of the share of the k most confident that is wrong."""
    orders = [each for each in permutations(range(len(right))) if (np.diff(confidence[[*each]]) <= 0).all()]
    return np.mean([np.cumsum(1 - right[[*each]]) / np.arange(1, len(right) + 1) for each in orders])


@pytest.mark.parametrize("confidence", [[5, 3, 3, 3, 2, 2, 1.0], [1, 2, 3, 4, 5, 6, 7.0], [1.0] * 7])
def test_risk_coverage_is_the_mean_over_coverages_with_ties_in_random_order(confidence):
    right, confidence = np.array([1, 0, 1, 1, 0, 1, 0]), np.array(confidence)
    found = sk.bootstrap_metric(right, confidence, "aurc").estimate
    assert found == pytest.approx(risk_coverage(right, confidence), rel=1e-12)
    kept = sk.bootstrap_roc_at_positive_rate(right, confidence, positive_rate=np.arange(1, 8) / 7)
    assert found == pytest.approx(1 - kept.precision.estimate.mean(), rel=1e-12)
    for all_alike in (np.ones(7, int), np.zeros(7, int)):  # the order does not matter then
        alone = sk.bootstrap_metric(all_alike, confidence, "aurc")
        assert (alone.estimate, alone.standard_error) == pytest.approx((1 - all_alike[0], 0), abs=1e-12)
        assert np.ptp(alone.confidence_interval()) > 0.1


@pytest.mark.parametrize("groups", [None, np.arange(300) // 4])
def test_risk_coverage_varies_as_resamples_do(groups):
    rng = np.random.default_rng(1)
    a = np.round(rng.random(300), 1)
    right, b = (rng.random(300) < 0.5 + 0.4 * a).astype(int), a + rng.random(300)
    units = np.arange(300) if groups is None else groups
    held = [np.flatnonzero(units == each) for each in np.unique(units)]
    drawn = [np.hstack([held[i] for i in rng.integers(0, len(held), len(held))]) for _ in range(300)]
    ask, options = partial(sk.bootstrap_metric, metric="aurc"), {"groups": groups}
    each = [[float(ask(right[rows], score[rows])) for score in (a, b)] for rows in drawn]
    two = sk.bootstrap_metric_difference(right, a, b, "aurc", **options)
    found = [ask(right, a, **options).standard_error, ask(right, b, **options).standard_error, two.standard_error]
    assert_allclose(found, [*np.std(each, axis=0), np.std(np.subtract(*np.transpose(each)))], rtol=0.13)
    assert two.methods[0] == "extrapolated"
