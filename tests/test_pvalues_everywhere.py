"""Every difference that can be asked for: p is below alpha exactly where the interval leaves out the null."""

import itertools

import numpy as np
import pytest
from public import BY_NAME
from scipy.special import expit
from test_pvalues import assert_agree

import skcostci as sk

N, M = 12, 18
Y = np.repeat([1, 0], [N, M])
CASE = np.r_[np.arange(N), np.arange(M)]
WEIGHTS = 1 + CASE % 3
W = {"probability_cost": [0.1, 0.5, 0.8]}
LEVELS = [0.5, 0.9, 0.95, 0.99, 1 - 1e-6]
NULLS = [0.0, -0.0471, 0.113]
ENDLESS = {"lr_positive", "lr_negative", "diagnostic_odds_ratio", "lift"}  # limits of their differences take a second


def scores(separation, n_positive=N, n_negative=M, seed=1):
    rng = np.random.default_rng(seed)
    y = np.repeat([1, 0], [n_positive, n_negative])
    a = rng.normal(size=len(y)) + separation * y
    return y, a, a + 0.6 * rng.normal(size=len(y))


FEW = scores(1)
SAMPLES = {
    "few": (*FEW, {}),
    "ties": (Y, *(np.round(2 * column) / 2 for column in FEW[1:]), {}),
    "ratings": (Y, *(np.clip(np.round(column), -1, 2) for column in FEW[1:]), {}),
    "nested": (Y, np.where(CASE < 4, 1.0, 0.0), np.where(CASE < 7, 1.0, 0.0), {}),
    "lopsided": (*scores(2, 4, 60, seed=2), {}),
    "weights": (*FEW, {"sample_weight": WEIGHTS}),
    "nearly separated": (*scores(7, 15, 15, seed=3), {}),
    "the same": (*FEW[:2], FEW[1], {}),
    "two values": (Y, *((column > 0.5) * 1.0 for column in FEW[1:]), {}),
}


def in_pairs(y):
    return np.arange(len(y)) // 2


def cost(**options):
    return lambda y, a, b, **weights: sk.bootstrap_cost_difference(y, a, b, **W, **options, **weights)


def rate(name, **options):
    asked = {"thresholds": ([0.5, 0, np.inf], [0.5, 0.25, np.inf])}
    return lambda *sample, **weights: getattr(
        sk.bootstrap_roc_difference_at_threshold(*sample, **asked, **options, **weights), name
    )


def expected_cost(matrix, **options):
    return lambda y, a, b, **weights: sk.bootstrap_expected_cost_difference(
        y, (a > 0.5).astype(int), (b > 0.5).astype(int), matrix, **options, **weights
    )


def metric(name, **options):
    def ask(y, *columns, **weights):
        risks = map(expit, columns) if "net_benefit" in name else columns
        return sk.bootstrap_metric_difference(y, *risks, name, **options, **weights)

    return ask


def of_groups(statistic):
    return lambda y, a, b, **weights: statistic(y, a, b, groups=in_pairs(y), **weights)


def of_classes(kind):
    def ask(y, a, b, **weights):
        labels = y + 2 * ((y == 0) & (np.arange(len(y)) % 3 == 0))
        columns = (np.column_stack([-s, s, np.cos(3 * s) + (labels == 2)]) for s in (a, b))
        return sk.bootstrap_auc_difference(labels, *columns, multi_class=kind, **weights)

    return ask


def of_two_samples(one):
    """Model a on these cases, model b on as many others."""
    return lambda y, a, b, **weights: sk.independent_difference(one(y, a, **weights), one(y, b, **weights))


DIFFERENCES = {
    "AUC": sk.bootstrap_auc_difference,
    "AUC, full": lambda *sample, **weights: sk.bootstrap_auc_difference(*sample, sampling="full", **weights),
    "AUC, groups": of_groups(sk.bootstrap_auc_difference),
    "AUC, folds": lambda y, a, b, **weights: sk.bootstrap_auc_difference(
        y, a, b, folds=np.arange(len(y)) % 2, **weights
    ),
    **{f"AUC, {kind}": of_classes(kind) for kind in ("ovr", "ovo")},
    "average precision": sk.bootstrap_average_precision_difference,
    "average precision, groups": of_groups(sk.bootstrap_average_precision_difference),
    "partial AUC": lambda *sample, **weights: sk.bootstrap_auc_difference(*sample, max_fpr=0.3, **weights),
    "cost": cost(thresholds=0.5),
    "cost, full": cost(thresholds=0.5, sampling="full"),
    "cost, max": cost(thresholds=0.5, sampling="full", normalizer="max"),
    "cost, chosen": cost(),
    "cost, chosen, full": cost(sampling="full"),
    "cost, groups": of_groups(cost(thresholds=0.5)),
    "cost, chosen, groups": of_groups(cost()),
    "TPR": rate("tpr"),
    "FPR": rate("fpr"),
    "TPR, groups": of_groups(rate("tpr")),
    "TPR at a rate": lambda *sample, **weights: sk.bootstrap_roc_difference_at_fpr(*sample, fpr=[0.2], **weights),
    "expected cost": expected_cost([[0, 1], [7.5, -1]]),
    "expected cost, smoothed": expected_cost([[0, 1], [7.5, 0]], smoothing=0.1),
    **{name: metric(name, thresholds=[0.3]) for name in BY_NAME},
    **{f"{name}, groups": of_groups(metric(name, thresholds=[0.5])) for name in ("f1", "kappa", "accuracy")},
    **{f"{name}, mix": metric(name, thresholds=[0.5], prevalence=0.2) for name in ("f1", "kappa", "accuracy")},
    "two AUCs": of_two_samples(sk.bootstrap_auc),
    "two average precisions": of_two_samples(sk.bootstrap_average_precision),
    "two costs": of_two_samples(lambda *sample, **weights: sk.bootstrap_cost(*sample, thresholds=0.5, **W, **weights)),
    "two chosen costs": of_two_samples(lambda *sample, **weights: sk.bootstrap_cost(*sample, **W, **weights)),
    "two chosen F1": of_two_samples(
        lambda *sample, **weights: sk.bootstrap_metric(*sample, "f1", thresholds="youden", **weights)
    ),
    "two budgets": of_two_samples(
        lambda *sample, **weights: sk.bootstrap_roc_at_positive_rate(*sample, positive_rate=[0.3], **weights)
    ),
    "two TPRs": of_two_samples(
        lambda *sample, **weights: sk.bootstrap_roc_at_threshold(*sample, thresholds=[0.5], **weights).tpr
    ),
    "two TPRs at a rate": of_two_samples(
        lambda *sample, **weights: sk.bootstrap_roc_at_fpr(*sample, fpr=[0.2], **weights)
    ),
    "two expected costs": of_two_samples(
        lambda y, s, **weights: sk.bootstrap_expected_cost(y, (s > 0.5).astype(int), [[0, 1], [5, 0]], **weights)
    ),
}
INFINITE = {("diagnostic_odds_ratio", "nearly separated"), ("lr_positive", "nearly separated")}
EVERY = [pair for pair in itertools.product(DIFFERENCES, SAMPLES) if pair not in INFINITE]
ONE_EACH = [pair for i, pair in enumerate(EVERY) if i % (len(SAMPLES) + 2) == 0]


def judged(name, sample, methods, nulls, levels):
    *columns, weights = SAMPLES[sample]
    result = DIFFERENCES[name](*columns, **weights)
    least, most = (float(np.ravel(end)[0]) for end in result.law.support)
    for method in result.methods[:methods]:
        for null in nulls:
            if least <= null <= most:
                assert_agree(result, method, null, levels)


@pytest.mark.parametrize(("name", "sample"), ONE_EACH)
def test_default_pvalues_of_differences_of_every_kind(name, sample):
    judged(name, sample, 1, NULLS[:1] if name in ENDLESS else NULLS[:2], [0.95] if name in ENDLESS else [0.5, 0.95])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "sample", "null"),
    [(*pair, NULLS[i % len(NULLS)]) for i, pair in enumerate(EVERY[::4])],  # each with some of the samples
)
def test_pvalues_of_every_difference_by_every_method(name, sample, null):
    nulls, levels = (NULLS[:1], LEVELS[2:3]) if name in ENDLESS else ([null], LEVELS)
    judged(name, sample, None, nulls, levels)
