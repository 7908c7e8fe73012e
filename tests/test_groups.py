"""Cases that belong together: whole groups resampled, held against every resample of a few groups."""

import json
from functools import cache, partial

import numpy as np
import pandas as pd
import pytest
from budget import assert_limits, assert_standard_errors
from numpy.testing import assert_allclose
from scipy.stats import beta
from sklearn.metrics import average_precision_score
from statistics_list import part

import skcostci as sk
from skcostci.__main__ import main

W, METRIC_DIFFERENCE = 0.3, sk.bootstrap_metric_difference


@cache
def many_groups(n_groups=60, seed=3):
    """Labels, two scores and groups of 1 to 8 cases that resemble each other."""
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(n_groups), rng.integers(1, 9, n_groups))
    shared = rng.normal(size=(3, n_groups))[:, groups]
    y, a, b = 0.6 * shared + 0.8 * rng.normal(size=shared.shape)
    y = (y < 0).astype(int)
    return y, a + 1.5 * y, b + y, groups


Y, A, B, GROUPS = many_groups()
DRAWN = np.random.default_rng(0).multinomial(60, np.full(60, 1 / 60), 20_000)


def counts(scores, cut):
    """TP, FN, FP and TN of every resample of whole groups."""
    positive, hit = Y == 1, scores >= cut
    cells = [positive & hit, positive & ~hit, ~positive & hit, ~positive & ~hit]
    return (DRAWN @ np.array([np.bincount(GROUPS, cell, 60) for cell in cells]).T).T


def tpr(tp, fn, fp, tn):
    return tp / (tp + fn)


def fpr(tp, fn, fp, tn):
    return fp / (fp + tn)


def kappa(tp, fn, fp, tn):
    n = tp + fn + fp + tn
    chance = ((tp + fp) * (tp + fn) + (fn + tn) * (fp + tn)) / n**2
    return ((tp + tn) / n - chance) / (1 - chance)


METRICS = {  # and by how much a standard error may miss that of resamples, whose own error is 0.5 %
    "accuracy": (lambda tp, fn, fp, tn: (tp + tn) / (tp + fn + fp + tn), 0.02),
    "recall": (tpr, 0.02),
    "precision": (lambda tp, fn, fp, tn: tp / (tp + fp), 0.02),
    "f1": (lambda tp, fn, fp, tn: 2 * tp / (2 * tp + fp + fn), 0.02),
    sk.Metric.fbeta(2): (lambda tp, fn, fp, tn: 5 * tp / (5 * tp + 4 * fn + fp), 0.02),
    sk.Metric.net_benefit(0.27): (lambda tp, fn, fp, tn: (tp - 0.27 / 0.73 * fp) / (tp + fn + fp + tn), 0.02),
    sk.Metric.net_benefit(0.2, standardized=True): (lambda tp, fn, fp, tn: (tp - 0.25 * fp) / (tp + fn), 0.02),
    "kappa": (kappa, 0.08),
    "mcc": (lambda tp, fn, fp, tn: (tp * tn - fp * fn) / np.sqrt((tp + fp) * (tp + fn) * (fp + tn) * (fn + tn)), 0.08),
    "lift": (lambda tp, fn, fp, tn: tp / (tp + fn) / ((tp + fp) / (tp + fn + fp + tn)), 0.08),
    "lr_positive": (lambda *cells: tpr(*cells) / fpr(*cells), 0.15),  # with a long tail
}


@pytest.mark.parametrize("metric", ["accuracy", "f1", "balanced_accuracy"])
def test_what_is_the_same_in_all_resamples_has_no_standard_error(metric):
    assert sk.bootstrap_metric(Y, Y, metric, groups=GROUPS).standard_error == 0
    assert sk.bootstrap_metric_difference(Y, A, A, metric, thresholds=0.4, groups=GROUPS).standard_error == 0


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: getattr(metric, "name", metric))
def test_standard_errors_of_sixty_groups_are_those_of_many_resamples(metric):
    of_cells, tolerance = METRICS[metric]
    result = sk.bootstrap_metric(Y, A, metric, thresholds=0.75, groups=GROUPS)
    assert_allclose(result.standard_error, np.std(of_cells(*counts(A, 0.75))), rtol=tolerance)


@pytest.mark.parametrize(
    ("of_cells", "ask"),
    [
        *((rate, part(rate.__name__, sk.bootstrap_roc_difference_at_threshold)) for rate in (tpr, fpr)),
        (
            lambda *cells: W * (1 - tpr(*cells)) + (1 - W) * fpr(*cells),
            partial(sk.bootstrap_cost_difference, probability_cost=W),
        ),
        (lambda *cells: (tpr(*cells) + 1 - fpr(*cells)) / 2, partial(METRIC_DIFFERENCE, metric="balanced_accuracy")),
        *((METRICS[name][0], partial(METRIC_DIFFERENCE, metric=name)) for name in ("f1", "accuracy")),
    ],
    ids=["tpr", "fpr", "cost", "balanced accuracy", "f1", "accuracy"],
)
def test_so_are_those_of_differences(of_cells, ask):
    result = ask(Y, A, B, thresholds=(0.75, 0.4), groups=GROUPS)
    assert_allclose(result.standard_error, np.std(of_cells(*counts(A, 0.75)) - of_cells(*counts(B, 0.4))), rtol=0.03)
    assert not result.is_exact


def test_groups_have_moments_but_no_whole_distribution():
    result = sk.bootstrap_cost(Y, A, probability_cost=W, thresholds=0.4, groups=GROUPS)
    with pytest.raises(AttributeError, match="cdf needs the bootstrap distribution, of which only mean and varian"):
        result.cdf(0.5)
    rates = sk.bootstrap_roc_difference_at_threshold(Y, A, B, thresholds=(0.4, 0.2), groups=GROUPS)
    with pytest.raises(AttributeError, match="dominance needs independent classes"):
        rates.dominance()


def aucs(scores):
    """Of every resample of whole groups."""
    half = (1 + np.sign(scores[Y == 1][:, None] - scores[Y == 0])) / 2
    members = [np.eye(60)[GROUPS[label == Y]] for label in (1, 0)]
    n_pairs = np.prod([DRAWN @ of_class.sum(axis=0) for of_class in members], axis=0)
    return ((DRAWN @ (members[0].T @ half @ members[1])) * DRAWN).sum(axis=1) / n_pairs


def test_so_are_those_of_aucs():
    drawn = [aucs(scores) for scores in (A, B)]
    result, difference = sk.bootstrap_auc(Y, A, groups=GROUPS), sk.bootstrap_auc_difference(Y, A, B, groups=GROUPS)
    for one, of_resamples in ((result, drawn[0]), (difference, drawn[0] - drawn[1])):
        assert_standard_errors(one.standard_error, np.std(of_resamples), 2, resamples=len(DRAWN))


def every_interval(y, a, b, groups):
    """Results of all kinds, by name."""
    cut = {"thresholds": 0.75, "groups": groups}
    rates = sk.bootstrap_roc_at_threshold(y, a, **cut)
    pair = sk.bootstrap_roc_difference_at_threshold(y, a, b, thresholds=(0.75, 0.5), groups=groups)
    metrics = ("accuracy", "precision", "f1", "kappa", "mcc", "balanced_accuracy", sk.Metric.net_benefit(0.2))
    return [
        sk.bootstrap_auc(y, a, groups=groups),
        sk.bootstrap_auc_difference(y, a, b, groups=groups),
        sk.bootstrap_cost(y, a, probability_cost=W, **cut),
        sk.bootstrap_cost_difference(y, a, b, probability_cost=W, **cut),
        *(rates.fpr, rates.tpr, pair.fpr, pair.tpr),
        *(sk.bootstrap_metric(y, a, metric, **cut) for metric in metrics),
        *(sk.bootstrap_metric_difference(y, a, b, metric, **cut) for metric in metrics),
    ]


@pytest.mark.parametrize("n_groups", [2, 20])
def test_intervals_of_models_without_errors_are_no_points(n_groups):
    y, groups = np.tile([0, 1, 0, 1], n_groups), np.repeat(np.arange(n_groups), 4)
    for result in every_interval(y, y, y + 0.25, groups):
        low, high = result.confidence_interval()
        assert low < high


def test_labels_of_groups_may_be_of_several_kinds():
    mixed = np.array([i if i % 2 else f"p{i}" for i in GROUPS], dtype=object)
    assert sk.bootstrap_auc(Y, A, groups=mixed) == sk.bootstrap_auc(Y, A, groups=GROUPS)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"groups": ["x"] * len(Y)}, "groups must contain at least two groups of cases, got only one: 'x'"),
        ({"groups": [1, 2, 3]}, "y_true and y_score and groups must have the same length"),
        ({"groups": [1.0] * (len(Y) - 1) + [np.nan]}, "groups must not contain NaN"),
        ({"groups": ["a"] * (len(Y) - 1) + [None]}, "groups must not contain NaN, None"),
        ({"sampling": "full"}, "sampling must be left at 'stratified' with groups, got 'full'"),
        ({"metric": "f1", "sampling": "stratified"}, "sampling must be left at None with groups, got 'stratified'"),
    ],
)
def test_groups_that_cannot_be_used_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        (sk.bootstrap_metric if "metric" in options else sk.bootstrap_auc)(Y, Y, **{"groups": GROUPS} | options)


def test_chosen_thresholds_allow_for_the_choice():
    y, a, _, groups = many_groups(30)
    cost = sk.bootstrap_cost(y, a, probability_cost=W, groups=groups)
    at = sk.bootstrap_cost(y, a, probability_cost=W, thresholds=cost.thresholds, groups=groups)
    known = at.confidence_interval(method="unseen_group")
    assert (cost.selected, cost.methods[0]) == (True, "chosen")
    assert cost.confidence_interval().high > known.high
    assert cost.confidence_interval().low == known.low
    youden = sk.bootstrap_roc_at_threshold(y, a, thresholds="youden", groups=groups)
    at = sk.bootstrap_roc_at_threshold(y, a, thresholds=youden.thresholds, groups=groups)
    assert youden.tpr.confidence_interval().low < at.tpr.confidence_interval(method="unseen_group").low


@pytest.mark.filterwarnings("default")
def test_the_command_line_takes_a_column_of_groups(tmp_path, capsys):
    y, a, b, groups = many_groups(30)
    named, path = [f"patient {number}" for number in groups], tmp_path / "scores.csv"
    columns = {"y": y, "a": a, "b": b, "patient": named, "weight": np.where(groups == 7, 400, 1)}
    pd.DataFrame(columns).to_csv(path, index=False)
    asked = ["compare", str(path), "--y-true", "y", "--groups", "patient", "--score", "a"]
    main([*asked, "--score", "b", "--metrics", "roc_auc", "f1", "--thresholds", "0.75", "--json"])
    report = json.loads(capsys.readouterr().out)
    auc = sk.bootstrap_auc(y, a, groups=named)
    found, *_, last = report["rows"]
    assert report["made"]["n_groups"] == 30
    assert (found["standard_error"], found["low"]) == (auc.standard_error, auc.confidence_interval().low)
    f1 = sk.bootstrap_metric_difference(y, a, b, "f1", thresholds=0.75, groups=named)
    assert (last["metric"], last["p"]) == ("f1", f1.pvalue())
    main([*asked, "--metrics", "roc_auc", "--sample-weight", "weight", "--weight-type", "importance"])
    said = capsys.readouterr()
    assert "30 groups (clusters) of cases, resampled as a whole." in said.out
    assert "of all sample_weight, groups='patient 7'" in said.err


def test_a_class_of_one_group_says_next_to_nothing():
    groups, y, scores = np.repeat(np.arange(6), 4), np.repeat([1, 0], [3, 21]), np.arange(24.0)[::-1]
    low, high = sk.bootstrap_auc(y, scores, groups=groups).confidence_interval(method="unseen_group")
    assert low < 0.01 < 1 == high
    difference = sk.bootstrap_metric_difference(y, scores >= 20, scores % 2 > 0, "kappa", groups=groups)
    low, high = difference.confidence_interval(method="unseen_group")
    assert low < -0.5 < 0.9 < high


# Two models' scores of 14 cases in six groups, and the limits at .80, .95 and .99 that a separate program found.
FEW_Y = np.array([1, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0])
FEW_A = np.array([0.9, 0.8, 0.3, 0.7, 0.5, 0.6, 0.55, 0.4, 0.65, 0.35, 0.2, 0.75, 0.1, 0.45])
FEW_B = np.array([0.8, 0.6, 0.5, 0.7, 0.3, 0.4, 0.65, 0.45, 0.55, 0.2, 0.1, 0.9, 0.35, 0.25])
FEW_GROUPS = np.array([0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4, 5])
FEW_LIMITS = {
    "auc": ((0.460089, 0.997436), (0.258296, 0.999919), (0.118538, 1.0)),
    "auc difference": ((-0.412492, 0.476451), (-0.621202, 0.650582), (-0.774170, 0.781569)),
    "accuracy": ((0.465161, 0.952546), (0.331452, 0.982528), (0.217963, 0.994963)),
    "recall": ((0.477556, 0.988442), (0.322371, 0.997654), (0.195636, 0.999623)),
    "precision": ((0.455509, 0.932195), (0.326968, 0.968969), (0.214233, 0.987056)),
    "f1": ((0.490497, 0.957510), (0.355289, 0.984673), (0.236500, 0.995661)),
    "cost": ((0.062093, 0.517645), (0.023874, 0.670168), (0.007247, 0.806427)),
    "accuracy difference": ((-0.292395, 0.372701), (-0.428332, 0.483539), (-0.553512, 0.588335)),
    "cost difference": ((-0.301063, 0.238960), (-0.428478, 0.377314), (-0.558024, 0.516415)),
}


def of_few(name):
    """The statistic of that name of these cases."""
    metric, _, pair = name.partition(" ")
    columns, cut = (FEW_Y, FEW_A, FEW_B) if pair else (FEW_Y, FEW_A), {"groups": FEW_GROUPS}
    ask = getattr(sk, f"bootstrap_{metric if metric in ('auc', 'cost') else 'metric'}{'_difference' if pair else ''}")
    options = {"auc": {}, "cost": {"probability_cost": W, "thresholds": 0.5}}
    return ask(*columns, **options.get(metric, {"metric": metric, "thresholds": 0.5}), **cut)


@pytest.mark.parametrize("name", FEW_LIMITS)
def test_limits_of_six_groups(name):
    result = of_few(name)
    assert result.methods[:2] == ("extrapolated", "unseen_group")
    for level, limits in zip((0.8, 0.95, 0.99), FEW_LIMITS[name], strict=True):
        within = 0.01 if "auc" in name else 0.05  # counts are linear in the weight of the unseen group
        assert_limits(result.confidence_interval(level, method="unseen_group"), limits, within)


def paired_groups(seed, n_groups, size, alike):
    """Truth, scores of two models whose groups and cases differ by so much, and the groups."""
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(n_groups), size)
    y = rng.integers(0, 2, len(groups))
    a = 1.5 * y + 0.5 * rng.normal(size=n_groups)[groups] + rng.normal(size=len(y))
    return y, a, a + alike * (rng.normal(size=n_groups)[groups] + rng.normal(size=len(y))), groups


def test_grouped_auc_differences_sharpen_as_models_agree():
    results = []
    for alike in (0.5, 0.05, 0.005):
        *columns, groups = paired_groups(0, 30, 8, alike)
        results.append(sk.bootstrap_auc_difference(*columns, groups=groups))
    widths = [np.diff(each.confidence_interval())[0] for each in results]
    gaussian = [np.diff(each.confidence_interval(method="wald"))[0] for each in results]
    assert (np.divide(widths, gaussian) < 1.25).all()
    assert widths[0] > 3 * widths[1] > 9 * widths[2]
    assert np.diff(results[2].confidence_interval(method="unseen_group"))[0] > 20 * widths[2]


def test_a_group_that_one_model_alone_fails_in_is_allowed_for_once_it_was_seen():
    """Groups of 8, a sixth of which model b ranks in reverse; 1 sample in 80 holds none of them."""
    covered = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        groups = np.repeat(np.arange(25), 8)
        y, failing = rng.integers(0, 2, len(groups)), rng.random(25) < 0.16
        a = 3 * y + rng.normal(size=len(y))
        b = np.where(failing[groups], 3 - a, a)
        low, high = sk.bootstrap_auc_difference(y, a, b, groups=groups).confidence_interval()
        covered += low <= 0.1543 <= high
    assert covered >= 95


def right_or_wrong(wrong, n_groups=20, size=10):
    """Accuracy of groups with half of their cases in each class, given which cases are labelled wrong."""
    y = np.tile(np.repeat([1, 0], size // 2), n_groups)
    labels = np.where(np.isin(np.arange(len(y)), wrong), 1 - y, y)
    return sk.bootstrap_metric(y, labels, "accuracy", groups=np.repeat(np.arange(n_groups), size))


@pytest.mark.parametrize(
    ("wrong", "limits"),
    [
        ([], [(0.891251, 1), (0.831567, 1), (0.767270, 1)]),
        ([0], [(0.886195, 0.999475), (0.829272, 0.999873), (0.768586, 0.999975)]),
        (range(10), [(0.819039, 0.994746), (0.751267, 0.998735), (0.682858, 0.999749)]),
        (
            [*range(5), *range(10, 15), *range(20, 25)],
            [(0.813498, 0.971791), (0.760158, 0.983965), (0.706304, 0.991179)],
        ),
    ],
    ids=["none", "one case", "one group", "half of three groups"],
)
def test_an_error_seen_does_not_narrow_what_allows_for_groups_that_fail_whole(wrong, limits):
    result = right_or_wrong(list(wrong))
    for level, expected in zip((0.8, 0.95, 0.99), limits, strict=True):
        assert_limits(result.confidence_interval(level, method="unseen_group"), expected)


@pytest.mark.parametrize("failed", [0, 1, 3, 10, 20])
def test_groups_all_right_or_all_wrong_have_clopper_and_pearsons_limits(failed):
    right = 20 - failed
    low, high = right_or_wrong(list(range(10 * failed))).confidence_interval(0.9, method="unseen_group")
    assert_allclose(low, beta.ppf(0.05, right, failed + 1) if right else 0, rtol=1e-9)
    assert_allclose(high, beta.ppf(0.95, right + 1, failed) if failed else 1, rtol=1e-9)


def test_separated_classes_in_groups_are_not_known_to_be_separated():
    y = np.tile([1, 0], 100)
    result = sk.bootstrap_auc(y, y, groups=np.repeat(np.arange(20), 10))
    for level, low in ((0.8, 0.876304), (0.95, 0.774804), (0.99, 0.664319)):
        assert_limits(result.confidence_interval(level, method="unseen_group"), (low, 1))
        assert result.confidence_interval(level).low < 0.9


@pytest.mark.parametrize("seed", range(3))
def test_an_error_more_does_not_raise_a_lower_limit(seed):
    """Of "unseen_group", at .95 with 15 groups or more: a right label made wrong, a positive put below all others."""
    y, a, _, groups = many_groups(15 + 10 * seed, seed)
    labels = (a >= 0.75).astype(int)

    def low(function, *columns):
        return function(y, *columns, groups=groups).confidence_interval(method="unseen_group").low

    of_labels, of_scores = low(sk.bootstrap_metric, labels, "accuracy"), low(sk.bootstrap_auc, a)
    for case in np.flatnonzero(labels == y)[:8]:
        worse = np.where(np.arange(len(y)) == case, 1 - y, labels)
        assert low(sk.bootstrap_metric, worse, "accuracy") <= of_labels
    for case in np.flatnonzero(y == 1)[:8]:
        below = np.where(np.arange(len(y)) == case, a.min() - 1, a)
        assert low(sk.bootstrap_auc, below) <= of_scores


@pytest.mark.parametrize("name", ["lr_positive", "diagnostic_odds_ratio"])
def test_limits_of_a_ratio_of_rates_are_ratios_again(name):
    """They are found as those of a share, in [0, 1]."""
    y, a, _, groups = many_groups()
    found = sk.bootstrap_metric(y, (a >= 0.75).astype(int), name, groups=groups)
    for method in found.methods[:2]:
        low, high = found.confidence_interval(method=method)
        assert 1 < low < found.estimate < high


@pytest.mark.parametrize("prevalence", [None, 0.25])
@pytest.mark.parametrize("seed", range(4))
def test_the_bias_of_average_precision_is_that_of_scikit_learns_weighted_estimate(seed, prevalence):
    """Half the sum of its second derivatives by the weights of groups."""
    rng = np.random.default_rng(seed)
    groups, score = rng.integers(0, 12, 60), rng.integers(0, 20, 60)
    truth, counts = rng.random(60) < 0.4, rng.integers(1, 4, 60)

    def average_precision(weights):
        weights = weights * counts
        if prevalence is not None:
            shares = np.where(truth, prevalence / weights[truth].sum(), (1 - prevalence) / weights[~truth].sum())
            weights = weights * shares
        return average_precision_score(truth, score, sample_weight=weights)

    bias = 0.0
    for group in np.unique(groups):
        up, here, down = (average_precision(1 + step * (groups == group)) for step in (1e-3, 0, -1e-3))
        bias += (up - 2 * here + down) / 2e-6
    found = sk.bootstrap_average_precision(truth, score, groups=groups, sample_weight=counts, prevalence=prevalence)
    assert found.mean - found.estimate == pytest.approx(bias, rel=1e-5)
