"""Every statistic with every unit: groups, folds, and groups in folds."""

from functools import partial
from itertools import cycle

import numpy as np
import pytest
import sklearn
import sklearn.metrics as skm
from numpy.testing import assert_allclose
from statistics_list import part

import skcostci as sk

N_FOLDS, RESAMPLES = 3, 200
COST = [[0, 1], [4, 0]]


def sample():
    """Clusters of some cases, each in one fold."""
    rng = np.random.default_rng(7)
    sizes = rng.integers(2, 7, 75)
    groups = np.repeat(np.arange(75), sizes)
    clump = rng.normal(size=75)[groups]
    y = (rng.random(len(groups)) < 0.4).astype(int)
    a = 1.3 * y + rng.normal(size=len(y)) + 0.6 * clump
    return y, a, groups, groups % N_FOLDS


Y, A, GROUPS, FOLDS = sample()
LABELS, RISKS = (A > 0.6).astype(int), 1 / (1 + np.exp(0.7 - A))
HEAVY = {"sample_weight": np.random.default_rng(8).integers(1, 4, len(Y)), "weight_type": "importance"}
UNITS = {"groups": {"groups": GROUPS}, "folds": {"folds": FOLDS}}
UNITS |= {"groups in folds": {"groups": GROUPS, "folds": FOLDS}, "weights in folds": {"folds": FOLDS, **HEAVY}}


def at_fpr(y, s, fpr=0.23):
    """Along the drawn curve, as scikit-learn has its points."""
    levels = np.unique(s)[::-1]
    counts = [np.sum(y == c) - np.searchsorted(np.sort(s[y == c]), levels) for c in (0, 1)]
    x, height = (np.concatenate([[0], each]) / each[-1] for each in counts)
    return np.interp(fpr, x, height)


def at_tpr(y, s, tpr=0.8):
    """The false-positive rate at the first threshold that reaches the rate."""
    positives = np.sort(s[y == 1])[::-1]
    return np.mean(s[y == 0] >= positives[int(np.ceil(tpr * len(positives) - 1e-9)) - 1])


def at_share(y, s, share=0.3):
    """Of scores without ties."""
    first = np.argsort(-s, kind="stable")[: int(np.floor(share * len(s) + 1e-9))]
    return y[first].sum() / y.sum()


def cost(y, s):
    return 0.3 * np.mean(s[y == 1] < 0.6) + 0.7 * np.mean(s[y == 0] >= 0.6)


def expected(y, label):
    return np.mean(np.asarray(COST)[y, label])


# What is asked, its data, the statistic as others compute it, and by how much a standard error of first order may miss
# that of resampling.
CUT, AT_COST = {"thresholds": 0.6}, {"probability_cost": 0.3, "thresholds": 0.6}
RATE, METRIC, CALIBRATION = sk.bootstrap_roc_at_threshold, sk.bootstrap_metric, sk.bootstrap_calibration
ONE = {
    "auc": (partial(sk.bootstrap_auc, Y, A), A, skm.roc_auc_score, 0.1),
    "partial auc": (partial(sk.bootstrap_auc, Y, A, max_fpr=0.3), A, partial(skm.roc_auc_score, max_fpr=0.3), 0.12),
    "average precision": (partial(sk.bootstrap_average_precision, Y, A), A, skm.average_precision_score, 0.12),
    "tpr at fpr": (partial(sk.bootstrap_roc_at_fpr, Y, A, fpr=0.23), A, at_fpr, 0.12),
    "sensitivity at specificity": (partial(sk.bootstrap_roc_at_fpr, Y, A, specificity=0.77), A, at_fpr, 0.12),
    "fpr at tpr": (partial(sk.bootstrap_roc_at_tpr, Y, A, tpr=0.8), A, at_tpr, 0.15),
    "tpr at share": (partial(sk.bootstrap_roc_at_positive_rate, Y, A, positive_rate=0.3), A, at_share, 0.12),
    "tpr": (part("tpr", RATE, Y, A, **CUT), A, lambda y, s: np.mean(s[y == 1] >= 0.6), 0.1),
    "cost": (partial(sk.bootstrap_cost, Y, A, **AT_COST), A, cost, 0.1),
    "expected cost": (partial(sk.bootstrap_expected_cost, Y, LABELS, COST), LABELS, expected, 0.1),
    "brier": (partial(sk.bootstrap_loss, Y, RISKS, "brier"), RISKS, skm.brier_score_loss, 0.1),
    "mean": (partial(sk.bootstrap_mean, RISKS, least=0, most=1), RISKS, lambda y, s: s.mean(), 0.1),
    "ratio": (partial(sk.bootstrap_ratio, Y, RISKS), RISKS, lambda y, s: y.sum() / s.sum(), 0.1),
    "in the large": (part("in_the_large", CALIBRATION, Y, RISKS), RISKS, lambda y, s: np.mean(y - s), 0.1),
    "f1": (partial(METRIC, Y, LABELS, "f1"), LABELS, skm.f1_score, 0.1),
    "precision": (partial(METRIC, Y, LABELS, "precision"), LABELS, skm.precision_score, 0.1),
    "recall": (partial(METRIC, Y, LABELS, "recall"), LABELS, skm.recall_score, 0.1),
    "kappa": (partial(METRIC, Y, LABELS, "kappa"), LABELS, skm.cohen_kappa_score, 0.1),
}


def weighed(units, rows):
    """Each row as often as it is heavy, where it is drawn once."""
    return np.repeat(rows, units["sample_weight"][rows]) if "sample_weight" in units else rows


def picks(units, rng):
    """Resamples of rows: in each fold as many groups, or cases of each class, as there are."""
    folds = units.get("folds", np.zeros(len(Y), dtype=int))
    held = [np.flatnonzero(folds == fold) for fold in np.unique(folds)]
    if "groups" in units:
        held = [[inside[GROUPS[inside] == name] for name in np.unique(GROUPS[inside])] for inside in held]
    for _ in range(RESAMPLES):
        drawn = [[inside[i] for i in rng.integers(0, len(inside), len(inside))] for inside in held]
        yield [weighed(units, np.hstack(each)) for each in drawn]


PARTS_OF_A_CASE = ("tpr at share", "weights in folds")  # a share of all weight, where the oracle takes whole cases
SECONDS = ["partial auc", "average precision", "f1", "precision", "recall", "kappa", "brier"]  # for resamples
QUICK = [name for name in ONE if name not in SECONDS]
EVERY = [
    *zip(QUICK, cycle(UNITS), strict=False),
    *(pytest.param("auc", units, marks=pytest.mark.slow) for units in UNITS),
    *(pytest.param(name, units, marks=pytest.mark.slow) for name in SECONDS for units in [*UNITS][2:]),
]


@pytest.mark.parametrize(("name", "units"), [pair for pair in EVERY if pair != PARTS_OF_A_CASE])
def test_a_statistic_of_units_is_the_mean_of_folds_and_varies_as_resamples_do(name, units):
    (ask, data, statistic, miss), units = ONE[name], UNITS[units]

    def of_each(parts):
        return [statistic(Y[rows], data[rows]) for rows in parts]

    result, folds = ask(**units), units.get("folds", np.zeros(len(Y), dtype=int))
    each = of_each(weighed(units, np.flatnonzero(folds == k)) for k in np.unique(folds))
    assert_allclose(result.estimate, np.mean(each), rtol=1e-12)
    if "folds" in units:
        assert_allclose(np.sort(result.fold_estimates), np.sort(each), rtol=1e-12)
    low, high = result.confidence_interval()
    assert low < result.estimate < high
    with sklearn.config_context(assume_finite=True, skip_parameter_validation=True):
        drawn = [np.mean(of_each(parts)) for parts in picks(units, np.random.default_rng(1))]
    assert_allclose(result.standard_error, np.std(drawn), rtol=miss + 3 / np.sqrt(2 * RESAMPLES))  # by chance


# By a design of units that was written apart from this one: 16 cases, of which eight groups, two folds.
TRUTH = np.array([1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 1])
SCORE = np.array([9, 3, 5, 7, 8, 6, 1, 4, 2, 11, 0, 10, 12, -1, -2, 13.0])
EIGHT = np.array([0, 0, 1, 1, 1, 2, 3, 3, 4, 5, 5, 6, 6, 7, 7, 7])
PAIR = np.array([0, 0, 1, 1, 1, 0, 1, 1, 0, 1, 1, 0, 0, 1, 1, 1])


def test_standard_errors_of_few_units_are_those_of_influences():
    risks, labels = 1 / (1 + np.exp(-(SCORE - 6) / 3)), (SCORE > 6.5).astype(int)
    nested = {"groups": EIGHT, "folds": PAIR}
    brier = sk.bootstrap_loss(TRUTH, risks, "brier", **nested)
    assert_allclose([brier.estimate, brier.standard_error], [0.1391264547, 0.0425599015], rtol=1e-9)
    f1 = sk.bootstrap_metric(TRUTH, labels, "f1", **nested)
    assert_allclose([f1.estimate, f1.standard_error], [0.8444444444, 0.0880444060], rtol=1e-9)
    precision = sk.bootstrap_average_precision(TRUTH, SCORE, **nested)
    assert_allclose([precision.estimate, precision.standard_error], [0.9, 0.0239727211], rtol=1e-8)


def test_the_share_of_positives_found_in_groups_has_the_other_rates_beside_it():
    found = sk.bootstrap_roc_at_positive_rate(Y, A, positive_rate=0.3, groups=GROUPS)
    n, m = len(Y), Y.sum()
    labelled = found.n_labelled
    assert_allclose(found.precision.estimate * labelled, found.estimate * m)
    assert_allclose(found.fpr.estimate * (n - m), labelled - found.estimate * m)
    at = sk.bootstrap_roc_at_tpr(Y, A, sensitivity=0.8, groups=GROUPS)
    assert_allclose(at.fpr.confidence_interval(), 1 - np.array(at.confidence_interval())[::-1], rtol=1e-12)
    low, high = at.precision.confidence_interval()
    assert low < at.precision.estimate < high


@pytest.mark.parametrize("drawn", ["groups", "weights"])
def test_where_all_positives_are_found_the_lower_limit_is_that_of_the_positives(drawn):
    """Beyond the last positive the threshold no longer matters: the limit is that at a rate of 1, and not 0."""
    rng = np.random.default_rng(0)
    y = (rng.random(200) < 0.4).astype(int)
    scores = 1.5 * y + rng.normal(size=200)
    weights = {"sample_weight": rng.gamma(3, 1, 200), "weight_type": "importance"}
    options = {"groups": 1000 * y + np.arange(200) // 4} if drawn == "groups" else weights
    at_all = sk.bootstrap_roc_at_fpr(y, scores, fpr=1.0, **options).confidence_interval()
    assert at_all.low > 0.8
    last = float((scores[y == 0] >= scores[y == 1].min()).mean())  # of the negatives, above the last positive
    for fpr in (last + 0.01, (1 + last) / 2, 0.999):
        found = sk.bootstrap_roc_at_fpr(y, scores, fpr=fpr, **options)
        assert found.estimate == 1
        assert_allclose(found.confidence_interval(), at_all, rtol=1e-12)
