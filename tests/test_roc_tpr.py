"""Rates at a sensitivity, and how sure thresholds are: order statistics, and rules that hold with confidence."""

from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import binom
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_curve
from statistics_list import limits

import skcostci as sk


def sample(seed, n_positive=40, n_negative=60, lead=1.0):
    rng = np.random.default_rng(seed)
    y_true = np.repeat([1, 0], [n_positive, n_negative])
    return y_true, rng.standard_normal(len(y_true)) + lead * y_true


@pytest.mark.parametrize("seed", range(2))
def test_it_is_the_first_point_of_scikit_learns_curve_that_reaches_the_rate(seed):
    y_true, y_score = sample(seed)
    y_score = np.round(y_score, 1 if seed % 2 else 8)
    fpr, tpr, thresholds = roc_curve(y_true, y_score, drop_intermediate=False)
    asked = np.array([0.0, 0.1, 0.33, 0.5, 0.75, 0.95, 1.0])
    found = sk.bootstrap_roc_at_tpr(y_true, y_score, tpr=asked)
    first = [np.flatnonzero(tpr >= rate - 1e-12)[0] for rate in asked]
    assert_allclose(found.estimate, fpr[first])
    assert_allclose(found.threshold, thresholds[first])
    assert_allclose(found.specificity.estimate, 1 - fpr[first])


def test_limits_of_the_rates_are_one_anothers_on_other_scales():
    y_true, y_score = sample(3)
    found = sk.bootstrap_roc_at_tpr(y_true, y_score, tpr=[0.5, 0.8], prevalence=0.1)
    for method in found.methods:
        low, high = found.confidence_interval(0.9, method=method)
        assert_allclose(found.specificity.confidence_interval(0.9, method=method), (1 - high, 1 - low), atol=1e-12)
        upper = found.confidence_interval(0.9, method=method, alternative="less").high
        lower = found.specificity.confidence_interval(0.9, method=method, alternative="greater").low
        assert_allclose(lower, 1 - upper, atol=1e-12)
        if method in ("rank_beta", "percentile"):
            precision = [0.1 * found.tpr / (0.1 * found.tpr + 0.9 * end) for end in (high, low)]
            assert_allclose(found.precision.confidence_interval(0.9, method=method), precision, atol=1e-12)
    grouped = sk.bootstrap_roc_at_tpr(y_true, y_score, tpr=0.8, prevalence=0.1, groups=np.arange(len(y_true)) // 2)
    precision, slope = grouped.precision, 9 * grouped.precision.estimate**2 / 0.8  # of 1 / (1 + 9 FPR / TPR)
    assert precision.mean == precision.estimate
    assert_allclose(precision.standard_error, slope * grouped.standard_error, rtol=1e-9)
    with pytest.raises(ValueError, match="precision is undefined where no case is labelled positive, at tpr=0"):
        _ = sk.bootstrap_roc_at_tpr(y_true, y_score, tpr=[0.0, 0.5]).precision


PAIR = (*sample(1), sample(1)[1] + sample(2)[1])
ONE_OR_TWO = {"one": (PAIR[:2], sk.bootstrap_roc_at_fpr, sk.bootstrap_roc_at_tpr)}
ONE_OR_TWO["two"] = PAIR, sk.bootstrap_roc_difference_at_fpr, sk.bootstrap_roc_difference_at_tpr


@pytest.mark.parametrize("models", ONE_OR_TWO)
def test_specificity_is_another_name_of_the_rate(models):
    data, at_fpr, _ = ONE_OR_TWO[models]
    by_rate, by_name = at_fpr(*data, fpr=[0.05, 0.3]), at_fpr(*data, specificity=[0.95, 0.7])
    assert by_name.fpr.tolist() == [0.05, 0.3]
    renamed, named = by_rate.to_frame().rename(columns={"fpr": "specificity"}), by_name.to_frame()
    assert named.columns.tolist() == renamed.columns.tolist()
    assert named.iloc[:, 1:5].equals(renamed.iloc[:, 1:5])
    assert named["specificity"].tolist() == [0.95, 0.7]
    assert by_name.estimand.statistic == "sensitivity_at_specificity"
    assert by_name.estimand.to_dict()["axis"] == {"specificity": [0.95, 0.7]}


@pytest.mark.parametrize("method", [None, "agresti", "percentile", "wald"])
@pytest.mark.parametrize("models", ONE_OR_TWO)
def test_who_asks_for_a_sensitivity_gets_the_specificity(models, method):
    """One less the rate, of which the same is known from the other end; a difference has the other sign."""
    data, _, at_tpr = ONE_OR_TWO[models]
    whole, rates = float(models == "one"), [0.0, 0.6, 0.9]
    false_alarms, found = at_tpr(*data, tpr=rates), at_tpr(*data, sensitivity=rates)
    for number in ("estimate", "mean"):
        assert_allclose(getattr(found, number), whole - getattr(false_alarms, number), atol=1e-12)
    assert_allclose(found.standard_error, false_alarms.standard_error, atol=1e-9)
    for level in (0.5, 0.999):
        (low, high), turned = limits(false_alarms, level, method=method), limits(found, level, method=method)
        assert_allclose(turned, (whole - high, whole - low), atol=1e-12)
    p = false_alarms.pvalue(alternative="less", null=0.3, method=method)
    assert_allclose(found.pvalue(alternative="greater", null=whole - 0.3, method=method), p, rtol=1e-8)


@pytest.mark.parametrize("models", ONE_OR_TWO)
def test_results_are_called_as_they_were_asked_for(models):
    data, _, at_tpr = ONE_OR_TWO[models]
    of = "" if models == "one" else "difference in "
    words = {"tpr": "FPR at a TPR of 0.9", "sensitivity": "specificity at a sensitivity of 0.9"}
    for held, main in (("tpr", "fpr"), ("sensitivity", "specificity")):
        found = at_tpr(*data, **{held: [0.5, 0.9]})
        assert found.estimand.statistic == f"{main}_at_{held}"
        assert_allclose(found.estimate, getattr(found, main).estimate)
        for rate in ("fpr", "specificity", *(["precision"] if models == "one" else [])):
            of_its_own = getattr(found, rate)
            assert of_its_own.estimand.statistic == f"{rate}_at_{held}"
            assert of_its_own.to_frame()[held].tolist() == of_its_own.to_dict()[held] == [0.5, 0.9]
        assert f"({of}{words[held]}, estimate=" in repr(at_tpr(*data, **{held: 0.9}))
    with pytest.raises(ValueError, match="same statistic, got 'fpr_at_tpr' and 'specificity_at_sensitivity'"):
        sk.independent_difference(at_tpr(*data, tpr=0.9), at_tpr(*data, sensitivity=0.9))


@pytest.mark.parametrize(
    ("place", "held", "message"),
    [
        (2, {}, "tpr or sensitivity must be given"),
        (2, {"tpr": 0.9, "sensitivity": 0.9}, "sensitivity is tpr: give one of them, got both"),
        (2, {"sensitivity": 90}, "sensitivity must be a number in"),
        (1, {"fpr": 0.1, "specificity": 0.9}, "specificity is 1 - fpr: give one of them"),
        (1, {"specificity": 95}, "specificity must"),
        *((1, {"fpr": rates}, "fpr must") for rates in (-0.1, 1.1, [0.2, float("nan")], [], [[0.1]])),
    ],
)
def test_exactly_one_name_of_a_rate_is_given(place, held, message):
    for asked in ONE_OR_TWO.values():
        with pytest.raises(ValueError, match=message):
            asked[place](*asked[0], **held)


RATES = {
    "sensitivity_at_specificity": ("specificity", sk.bootstrap_roc_at_fpr),
    "specificity_at_sensitivity": ("sensitivity", sk.bootstrap_roc_at_tpr),
    "tpr_at_fpr": ("fpr", sk.bootstrap_roc_at_fpr),
    "fpr_at_tpr": ("tpr", sk.bootstrap_roc_at_tpr),
}


@pytest.mark.parametrize("name", RATES)
def test_one_name_asks_for_a_rate_everywhere(name):
    held, function = RATES[name]
    y_true, a, b = PAIR
    asked, by = {held: 0.7}, np.arange(len(y_true)) % 2
    found = function(y_true, a, **asked)
    low, high = found.confidence_interval()
    assert found.estimand.statistic == name
    compared = sk.compare_models(y_true, {"a": a, "b": b}, name, **asked)
    assert compared.results[0] == found
    assert repr(compared).startswith(f"ModelComparison({name}, {held}=0.7: ")
    sign, worst = (-1, high) if name == "fpr_at_tpr" else (1, low)
    assert compared.models[np.argmax(sign * compared.estimate)] in compared.may_be_best(0.5)
    of_groups = sk.compare_groups(y_true, a, by, name, **asked)
    assert of_groups.results[0] == function(y_true[by == 0], a[by == 0], **asked)
    model = LogisticRegression().fit(a[:, None], y_true)
    scored = {None: sign * float(found), "worst": sign * worst, "low": sign * low, "high": sign * high}
    for bound, expected in scored.items():
        scorer = sk.make_metric_scorer(name, bound=bound, **asked)
        assert scorer(model, a[:, None], y_true) == pytest.approx(expected, abs=1e-12)
    assert sk.make_bound_scorer(name, **asked)(model, a[:, None], y_true) == pytest.approx(sign * worst, abs=1e-12)


def test_rates_take_what_is_held_and_nothing_else():
    y_true, a, b = PAIR
    models = {"a": a, "b": b}
    for ask in (partial(sk.compare_models, y_true, models), sk.make_metric_scorer, sk.make_bound_scorer):
        for wrong, message in (
            ({"sensitivity": 0.9}, "'sensitivity'"),
            ({"tpr": 0.9, "fpr": 0.1}, "'fpr'"),
            ({}, "needs tpr=|takes tpr=, one number, got nothing"),
            ({"tpr": [0.8, 0.9]}, "single"),
            ({"tpr": 9}, "tpr must be a number in"),
        ):
            with pytest.raises((ValueError, TypeError), match=message):
                ask("fpr_at_tpr", **wrong)
    with pytest.raises(ValueError, match="average is for metrics of labels"):
        sk.make_metric_scorer("fpr_at_tpr", tpr=0.9, average="macro")
    with pytest.raises(TypeError, match="unexpected keyword argument 'tpr'; it is for 'fpr_at_tpr'"):
        sk.make_metric_scorer("f1", tpr=0.9)
    with pytest.raises(TypeError, match="unexpected keyword argument 'beta'"):
        sk.make_metric_scorer("f1", beta=2)
    with pytest.raises(ValueError, match="Did you mean 'specificity' or 'specificity_at_sens"):
        sk.compare_models(y_true, models, "specificity_at_tpr", tpr=0.9)


@pytest.mark.parametrize(("n", "level"), [(5, 0.5), (28, 0.8), (60, 0.95), (28, 0.999)])
def test_the_interval_of_a_threshold_is_the_narrowest_of_exact_order_statistics(n, level):
    """The ranks, from sums of binomial probabilities; one further in would miss more than it may."""
    y_true, y_score = np.repeat([0, 1], [n, n]), np.tile(np.arange(1.0, n + 1), 2)
    alpha = (1 - level) / 2
    for rate in (0.0, 0.1, 0.37, 0.9, 1.0):
        at_fpr = sk.bootstrap_roc_at_fpr(y_true, y_score, fpr=rate)
        at_tpr = sk.bootstrap_roc_at_tpr(y_true, y_score, tpr=rate)
        assert at_fpr.threshold_interval(level) == at_tpr.threshold_interval(level)
        low, high = at_fpr.threshold_interval(level)
        above = 0 if np.isinf(high) else n + 1 - high
        below = n + 1 if np.isinf(low) else n + 1 - low
        assert binom.cdf(above - 1, n, rate) <= alpha < binom.cdf(above, n, rate)
        assert binom.sf(below - 1, n, rate) <= alpha
        assert below == 1 or binom.sf(below - 2, n, rate) > alpha


def test_published_ranks():
    y_true, y_score = [0] * 60 + [1] * 2, [*range(1, 61), 100, 200]
    assert tuple(sk.bootstrap_roc_at_fpr(y_true, y_score, fpr=0.1).threshold_interval()) == (49, 59)
    assert sk.neyman_pearson_threshold(y_true, y_score, 0.1, confidence=0.95) == 59
    for further, expected in ((0.5, 58), (1, 59)):  # k = 3 of 61; where negatives tie the next score
        assert sk.neyman_pearson_threshold([0, *y_true], [further, *y_score], 0.1, confidence=0.95) == expected
    for n, expected in ((28, np.inf), (29, 29)):  # .9**28 = .0523, .9**29 = .0471
        found = sk.neyman_pearson_threshold([0] * n + [1], [*range(1, n + 1), 100], 0.1, confidence=0.95)
        assert found == expected
    between = [0] * 100 + [1] * 101, [*range(1, 101), *np.arange(0.5, 101)]
    found = [sk.neyman_pearson_threshold(*between, k / 100) for k in range(101)]  # .29 * 100 is a little less than 29
    assert found == [100.5 - k for k in range(101)]


@pytest.mark.parametrize("confidence", [0.5, 0.7, 0.95, 0.999])
@pytest.mark.parametrize("further", [0, 3])
def test_thresholds_with_confidence_break_their_promise_as_seldom_as_they_say(confidence, further):
    """The rank of the threshold is the furthest whose binomial probability says so; one more would break it oftener."""
    scores = np.sort([*range(1, 61), *[3] * further])  # some of them tied
    y_true, n = [0, 0] + [1] * len(scores), len(scores)
    rank = max(k for k in range(n) if binom.cdf(k - 1, n, 0.1) <= 1 - confidence)
    expected = scores[rank - 1] if rank else -np.inf
    assert sk.sensitivity_threshold(y_true, [0, 70, *scores], 0.9, confidence=confidence) == expected
    if not further:
        mirrored = [1 - y for y in y_true], [0, -70, *-scores], 0.1
        assert sk.neyman_pearson_threshold(*mirrored, confidence=confidence) == -expected


def test_the_threshold_of_a_sensitivity():
    y_true, y_score = [0, 0] + [1] * 60, [0, 70, *range(1, 61)]
    assert sk.sensitivity_threshold(y_true, y_score, 0.9) == 7
    assert sk.bootstrap_roc_at_tpr(y_true, y_score, tpr=0.9).threshold == 7
    assert sk.sensitivity_threshold(y_true, y_score, 0.0) == np.inf
    hundred = [0] + [1] * 100, [0, *range(1, 101)]
    found = [sk.sensitivity_threshold(*hundred, k / 100) for k in range(1, 101)]  # .07 * 100 is a little more than 7
    assert found == list(range(100, 0, -1))
    assert sk.sensitivity_threshold(y_true, y_score, 0.99, confidence=0.95) == -np.inf
    for confidence in (0, 1, 95):
        with pytest.raises(ValueError, match=r"confidence must be a number in \(0, 1\)"):
            sk.sensitivity_threshold(y_true, y_score, 0.9, confidence=confidence)
