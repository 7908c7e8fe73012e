"""Every difference that can be asked for: p is below alpha exactly where the interval leaves out the null."""

import itertools
from functools import partial

import numpy as np
import pytest
from public import BY_NAME
from scipy.special import expit
from statistics_list import part
from test_pvalues import assert_agree, scores

import skcostci as sk

N, M = 12, 18
Y = np.repeat([1, 0], [N, M])
CASE = np.r_[np.arange(N), np.arange(M)]
WEIGHTS = 1 + CASE % 3
W = {"probability_cost": [0.1, 0.5, 0.8]}
LEVELS = [0.5, 0.9, 0.95, 0.99, 1 - 1e-6]
NULLS = [0.0, -0.0471, 0.113]
ENDLESS = {"lr_positive", "lr_negative", "diagnostic_odds_ratio", "lift"}  # limits of their differences take a second


FEW = scores(1, N, M, seed=1)
SAMPLES = {
    "few": FEW,
    "ties": (Y, *(np.round(2 * column) / 2 for column in FEW[1:])),
    "ratings": (Y, *(np.clip(np.round(column), -1, 2) for column in FEW[1:])),
    "nested": (Y, CASE < 4, CASE < 7),
    "lopsided": scores(2, 4, 60, seed=2),
    "weights": FEW,
    "nearly separated": scores(7, 15, 15, seed=3),
    "the same": (*FEW[:2], FEW[1]),
    "two values": (Y, *(column > 0.5 for column in FEW[1:])),
}


def of_labels(function, *costs, **options):
    """Of what is scored above 0.5."""
    return lambda y, *columns, **more: function(y, *(column > 0.5 for column in columns), *costs, **options, **more)


def of_risks(name, **options):
    return lambda y, *columns, **more: METRICS(y, *map(expit, columns), name, **options, **more)


def of_groups(statistic):
    return lambda y, *columns, **more: statistic(y, *columns, groups=np.arange(len(y)) // 2, **more)


def of_classes(kind):
    def ask(y, a, b, **weights):
        labels = y + 2 * ((y == 0) & (np.arange(len(y)) % 3 == 0))
        columns = (np.column_stack([-1.0 * s, s, np.cos(3 * s) + (labels == 2)]) for s in (a, b))
        return AUCS(labels, *columns, multi_class=kind, **weights)

    return ask


def of_two_samples(one, **options):
    """Model a on these cases, model b on as many others."""
    return lambda y, *columns, **more: sk.independent_difference(*(one(y, s, **options, **more) for s in columns))


AUCS, APS, COSTS = sk.bootstrap_auc_difference, sk.bootstrap_average_precision_difference, sk.bootstrap_cost_difference
METRICS, RATES = sk.bootstrap_metric_difference, sk.bootstrap_roc_difference_at_threshold
EXPECTED = sk.bootstrap_expected_cost_difference
COST, CHOSEN, FULL = partial(COSTS, thresholds=0.5, **W), partial(COSTS, **W), {"sampling": "full"}
CUTS = {"thresholds": ([0.5, 0, np.inf], [0.5, 0.25, np.inf])}
DIFFERENCES = {
    "AUC": AUCS,
    "AUC, full": partial(AUCS, **FULL),
    "AUC, groups": of_groups(AUCS),
    "AUC, folds": lambda y, *columns, **more: AUCS(y, *columns, folds=np.arange(len(y)) % 2, **more),
    **{f"AUC, {kind}": of_classes(kind) for kind in ("ovr", "ovo")},
    "average precision": APS,
    "average precision, groups": of_groups(APS),
    "partial AUC": partial(AUCS, max_fpr=0.3),
    "cost": COST,
    "cost, full": partial(COST, **FULL),
    "cost, max": partial(COST, normalizer="max", **FULL),
    "cost, chosen": CHOSEN,
    "cost, chosen, full": partial(CHOSEN, **FULL),
    "cost, groups": of_groups(COST),
    "cost, chosen, groups": of_groups(CHOSEN),
    "TPR": part("tpr", RATES, **CUTS),
    "FPR": part("fpr", RATES, **CUTS),
    "TPR, groups": of_groups(part("tpr", RATES, **CUTS)),
    "TPR at a rate": partial(sk.bootstrap_roc_difference_at_fpr, fpr=[0.2]),
    "expected cost": of_labels(EXPECTED, [[0, 1], [7.5, -1]]),
    "expected cost, smoothed": of_labels(EXPECTED, [[0, 1], [7.5, 0]], smoothing=0.1),
    **{name: of_risks(name, thresholds=[expit(0.3)]) for name in BY_NAME},
    **{f"{name}, groups": of_groups(of_risks(name, thresholds=[0.6])) for name in ("f1", "kappa", "accuracy")},
    **{f"{name}, mix": of_risks(name, thresholds=[0.6], prevalence=0.2) for name in ("f1", "kappa", "accuracy")},
    "two AUCs": of_two_samples(sk.bootstrap_auc),
    "two average precisions": of_two_samples(sk.bootstrap_average_precision),
    "two costs": of_two_samples(sk.bootstrap_cost, thresholds=0.5, **W),
    "two chosen costs": of_two_samples(sk.bootstrap_cost, **W),
    "two chosen F1": of_two_samples(sk.bootstrap_metric, metric="f1", thresholds="youden"),
    "two budgets": of_two_samples(sk.bootstrap_roc_at_positive_rate, positive_rate=[0.3]),
    "two TPRs": of_two_samples(part("tpr", sk.bootstrap_roc_at_threshold, thresholds=[0.5])),
    "two TPRs at a rate": of_two_samples(sk.bootstrap_roc_at_fpr, fpr=[0.2]),
    "two expected costs": of_two_samples(of_labels(sk.bootstrap_expected_cost, [[0, 1], [5, 0]])),
}
INFINITE = {("diagnostic_odds_ratio", "nearly separated"), ("lr_positive", "nearly separated")}
EVERY = [pair for pair in itertools.product(DIFFERENCES, SAMPLES) if pair not in INFINITE]
ONE_EACH = [pair for i, pair in enumerate(EVERY) if i % (len(SAMPLES) + 2) == 0 and pair[0] != "diagnostic_odds_ratio"]


def judged(name, sample, methods, nulls, levels, **alternatives):
    result = DIFFERENCES[name](*SAMPLES[sample], **({"sample_weight": WEIGHTS} if sample == "weights" else {}))
    least, most = (float(np.ravel(end)[0]) for end in result.law.support)
    for method in result.methods[:methods]:
        for null in nulls:
            if least <= null <= most:
                assert_agree(result, method, null, levels, **alternatives)


@pytest.mark.parametrize(("name", "sample"), ONE_EACH)
def test_default_pvalues_of_differences_of_every_kind(name, sample):
    if name in ENDLESS:
        judged(name, sample, 1, NULLS[:1], [0.95], alternatives=["two-sided"])
    else:
        judged(name, sample, 1, [NULLS[ONE_EACH.index((name, sample)) % 2]], [0.5, 0.95])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "sample", "null"),
    [(*pair, NULLS[i % len(NULLS)]) for i, pair in enumerate(EVERY[::4])],  # each with some of the samples
)
def test_pvalues_of_every_difference_by_every_method(name, sample, null):
    nulls, levels = (NULLS[:1], LEVELS[2:3]) if name in ENDLESS else ([null], LEVELS)
    judged(name, sample, None, nulls, levels)
