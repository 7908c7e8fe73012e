"""Every statistic with every unit: groups, folds, and groups in folds, for one model and for two."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics import (
    average_precision_score,
    brier_score_loss,
    cohen_kappa_score,
    f1_score,
    precision_score,
    recall_score,
    roc_auc_score,
)

import skcostci as sk

N_FOLDS, RESAMPLES = 3, 200
COST = [[0, 1], [4, 0]]


def sample():
    """Clusters of some cases, each in one fold; three classes with a column each, and two models."""
    rng = np.random.default_rng(7)
    sizes = rng.integers(2, 7, 75)
    groups = np.repeat(np.arange(75), sizes)
    clump = rng.normal(size=75)[groups]
    y = (rng.random(len(groups)) < 0.4).astype(int)
    a = 1.3 * y + rng.normal(size=len(y)) + 0.6 * clump
    b = 0.7 * a + 0.4 * y + 0.6 * rng.normal(size=len(y))
    kind = rng.integers(0, 3, len(y))
    tables = [rng.random((len(y), 3)) + 0.6 * np.eye(3)[kind] for _ in range(2)]
    return y, a, b, groups, groups % N_FOLDS, kind, *(table / table.sum(axis=1, keepdims=True) for table in tables)


Y, A, B, GROUPS, FOLDS, KIND, TABLE_A, TABLE_B = sample()
LABELS_A, LABELS_B = (A > 0.6).astype(int), (B > 0.6).astype(int)
RISKS_A, RISKS_B = 1 / (1 + np.exp(0.7 - A)), 1 / (1 + np.exp(0.7 - B))
HEAVY = {"sample_weight": np.random.default_rng(8).integers(1, 4, len(Y)), "weight_type": "importance"}
UNITS = {
    "groups": {"groups": GROUPS},
    "folds": {"folds": FOLDS},
    "groups in folds": {"groups": GROUPS, "folds": FOLDS},
    "weights in folds": {"folds": FOLDS, **HEAVY},
}


def at_fpr(y, s, fpr=0.23):
    """Along the drawn curve, as scikit-learn has its points."""
    levels = np.unique(s)[::-1]
    counts = [np.array([np.sum(s[y == c] >= level) for level in levels]) for c in (0, 1)]
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


def of_roc(function, **options):
    return lambda *data, **units: function(*data, **options, **units)


# What is asked, its data of model a and of b, the statistic as others compute it, and by how much a standard error of
# first order may miss that of resampling.
ONE = {
    "auc": (sk.bootstrap_auc, (A,), roc_auc_score, 0.1),
    "partial auc": (of_roc(sk.bootstrap_auc, max_fpr=0.3), (A,), lambda y, s: roc_auc_score(y, s, max_fpr=0.3), 0.12),
    "average precision": (sk.bootstrap_average_precision, (A,), average_precision_score, 0.12),
    "tpr at fpr": (of_roc(sk.bootstrap_roc_at_fpr, fpr=0.23), (A,), at_fpr, 0.12),
    "sensitivity at specificity": (of_roc(sk.bootstrap_roc_at_fpr, specificity=0.77), (A,), at_fpr, 0.12),
    "fpr at tpr": (of_roc(sk.bootstrap_roc_at_tpr, tpr=0.8), (A,), at_tpr, 0.15),
    "tpr at share": (of_roc(sk.bootstrap_roc_at_positive_rate, positive_rate=0.3), (A,), at_share, 0.12),
    "tpr": (lambda *d, **u: sk.bootstrap_roc_at_threshold(*d, thresholds=0.6, **u).tpr, (A,), None, 0.1),
    "cost": (of_roc(sk.bootstrap_cost, probability_cost=0.3, thresholds=0.6), (A,), cost, 0.1),
    "expected cost": (
        lambda y, label, **u: (
            sk.bootstrap_expected_cost(y, label, COST, smoothing=0, **u)
            if not u
            else sk.bootstrap_expected_cost(y, label, COST, **u)
        ),
        (LABELS_A,),
        expected,
        0.1,
    ),
    "brier": (of_roc(sk.bootstrap_loss, loss="brier"), (RISKS_A,), brier_score_loss, 0.1),
    "mean": (lambda y, s, **u: sk.bootstrap_mean(s, least=0, most=1, **u), (RISKS_A,), lambda y, s: s.mean(), 0.1),
    "ratio": (lambda y, s, **u: sk.bootstrap_ratio(y, s, **u), (RISKS_A,), lambda y, s: y.sum() / s.sum(), 0.1),
    "in the large": (
        lambda *d, **u: sk.bootstrap_calibration(*d, **u).in_the_large,
        (RISKS_A,),
        lambda y, s: np.mean(y - s),
        0.1,
    ),
    "f1": (of_roc(sk.bootstrap_metric, metric="f1"), (LABELS_A,), f1_score, 0.1),
    "precision": (of_roc(sk.bootstrap_metric, metric="precision"), (LABELS_A,), precision_score, 0.1),
    "recall": (of_roc(sk.bootstrap_metric, metric="recall"), (LABELS_A,), recall_score, 0.1),
    "kappa": (of_roc(sk.bootstrap_metric, metric="kappa"), (LABELS_A,), cohen_kappa_score, 0.1),
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
SECONDS = {"auc", "partial auc", "average precision", "f1", "precision", "recall", "kappa", "brier"}  # for resamples


@pytest.mark.parametrize(
    ("name", "units"),
    [
        *((name, units) for name in ONE if name not in SECONDS for units in UNITS if (name, units) != PARTS_OF_A_CASE),
        *(pytest.param("auc", units, marks=pytest.mark.slow) for units in UNITS),
        *(
            pytest.param(name, units, marks=pytest.mark.slow)
            for name in sorted(SECONDS - {"auc"})
            for units in ("groups in folds", "weights in folds")
        ),
    ],
)
def test_a_statistic_of_units_is_the_mean_of_folds_and_varies_as_resamples_do(name, units):
    ask, data, statistic, miss = ONE[name]
    result = ask(Y, *data, **UNITS[units])
    statistic = statistic or (lambda y, s: np.mean(s[y == 1] >= 0.6))
    folds = UNITS[units].get("folds", np.zeros(len(Y), dtype=int))
    parts = [weighed(UNITS[units], np.flatnonzero(folds == k)) for k in np.unique(folds)]
    each = [statistic(Y[rows], *(column[rows] for column in data)) for rows in parts]
    assert_allclose(result.estimate, np.mean(each), rtol=1e-12)
    if "folds" in UNITS[units]:
        assert_allclose(np.sort(result.fold_estimates), np.sort(each), rtol=1e-12)
    low, high = result.confidence_interval()
    assert low < result.estimate < high
    drawn = [
        np.mean([statistic(Y[rows], *(column[rows] for column in data)) for rows in each])
        for each in picks(UNITS[units], np.random.default_rng(1))
    ]
    by_chance = 3 / np.sqrt(2 * RESAMPLES)
    assert_allclose(result.standard_error, np.std(drawn), rtol=miss + by_chance)


TWO = {
    "auc": lambda **u: sk.bootstrap_auc_difference(Y, A, B, **u),
    "partial auc": lambda **u: sk.bootstrap_auc_difference(Y, A, B, max_fpr=0.3, **u),
    "several classes": lambda **u: sk.bootstrap_auc_difference(KIND, TABLE_A, TABLE_B, multi_class="ovr", **u),
    "average precision": lambda **u: sk.bootstrap_average_precision_difference(Y, A, B, **u),
    "tpr at fpr": lambda **u: sk.bootstrap_roc_difference_at_fpr(Y, A, B, fpr=0.2, **u),
    "specificity": lambda **u: sk.bootstrap_roc_difference_at_tpr(Y, A, B, sensitivity=0.8, **u),
    "fpr": lambda **u: sk.bootstrap_roc_difference_at_tpr(Y, A, B, tpr=0.8, **u),
    "tpr": lambda **u: sk.bootstrap_roc_difference_at_threshold(Y, A, B, thresholds=0.6, **u).tpr,
    "cost": lambda **u: sk.bootstrap_cost_difference(Y, A, B, probability_cost=0.3, thresholds=0.6, **u),
    "expected cost": lambda **u: sk.bootstrap_expected_cost_difference(Y, LABELS_A, LABELS_B, COST, **u),
    "brier": lambda **u: sk.bootstrap_loss_difference(Y, RISKS_A, RISKS_B, "brier", **u),
    "mean": lambda **u: sk.bootstrap_mean_difference(RISKS_A, RISKS_B, **u),
    "f1": lambda **u: sk.bootstrap_metric_difference(Y, LABELS_A, LABELS_B, "f1", **u),
    "accuracy": lambda **u: sk.bootstrap_metric_difference(Y, LABELS_A, LABELS_B, "accuracy", **u),
    "macro f1": lambda **u: sk.bootstrap_metric_difference(
        KIND, TABLE_A.argmax(axis=1), TABLE_B.argmax(axis=1), "f1", average="macro", **u
    ),
}


@pytest.mark.parametrize("units", UNITS)
@pytest.mark.parametrize("name", TWO)
def test_a_difference_of_units_has_an_interval_and_a_p_value_that_agree(name, units):
    result = TWO[name](**UNITS[units])
    low, high = result.confidence_interval(0.9)
    wide_low, wide_high = result.confidence_interval(0.99)
    assert wide_low < low < result.estimate < high < wide_high
    p = result.pvalue()
    assert (p < 0.1) == (low > 0 or high < 0)
    assert 0 < result.standard_error < (high - low) / 2
    if "folds" in UNITS[units]:
        assert_allclose(np.mean(result.fold_estimates), result.estimate, rtol=1e-12)


@pytest.mark.parametrize("units", UNITS)
@pytest.mark.parametrize(
    ("statistic", "options"),
    [
        ("auc", {}),
        ("average_precision", {}),
        ("auc", {"max_fpr": 0.3}),
        ("cost", {"probability_cost": 0.3, "thresholds": 0.6}),
        ("sensitivity_at_specificity", {"specificity": 0.8}),
        ("specificity_at_sensitivity", {"sensitivity": 0.8}),
        ("f1", {"thresholds": 0.6}),
        ("recall", {"thresholds": 0.6}),
    ],
)
def test_comparisons_take_every_unit(statistic, options, units):
    comparison = sk.compare_models(Y, {"a": A, "b": B}, statistic, **options, **UNITS[units])
    swapped = sk.compare_models(Y, {"b": B, "a": A}, statistic, **options, **UNITS[units])
    assert_allclose(comparison.estimate, swapped.estimate[::-1], rtol=1e-12)
    assert_allclose(comparison.differences.pvalue(), swapped.differences.pvalue(), rtol=1e-9)


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


def test_groups_of_one_are_no_groups_and_one_row_a_case_or_many_are_the_same():
    alone = {"groups": np.arange(len(Y))}
    for ask in (
        lambda **u: sk.bootstrap_roc_at_fpr(Y, A, fpr=0.2, **u),
        lambda **u: sk.bootstrap_ratio(Y, RISKS_A, **u),
        lambda **u: sk.bootstrap_calibration(Y, RISKS_A, **u).observed_expected,
    ):
        assert ask(**alone).confidence_interval() == ask().confidence_interval()
    weights = np.random.default_rng(3).integers(0, 3, len(Y))
    rows = np.repeat(np.arange(len(Y)), weights)
    for ask in (
        lambda r, **u: sk.bootstrap_roc_at_tpr(Y[r], A[r], tpr=0.8, **u),
        lambda r, **u: sk.bootstrap_average_precision(Y[r], A[r], **u),
        lambda r, **u: sk.bootstrap_ratio(Y[r], RISKS_A[r], **u),
        lambda r, **u: sk.bootstrap_metric(Y[r], LABELS_A[r], "f1", **u),
        lambda r, **u: sk.bootstrap_cost(Y[r], A[r], probability_cost=0.3, thresholds=0.6, **u),
    ):
        every = np.arange(len(Y))
        weighted = ask(every, groups=GROUPS, folds=FOLDS, sample_weight=weights)
        repeated = ask(rows, groups=GROUPS[rows], folds=FOLDS[rows])
        assert_allclose(weighted.standard_error, repeated.standard_error, rtol=1e-9)
        assert_allclose(weighted.confidence_interval(), repeated.confidence_interval(), rtol=1e-9)


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


@pytest.mark.parametrize(
    "drawn",
    [{"groups": "by class"}, {"sample_weight": "gamma", "weight_type": "importance"}],
    ids=["groups", "weights"],
)
def test_where_all_positives_are_found_the_lower_limit_is_that_of_the_positives(drawn):
    """Beyond the last positive the threshold no longer matters: the limit is that at a rate of 1, and not 0."""
    rng = np.random.default_rng(0)
    y = (rng.random(200) < 0.4).astype(int)
    scores = 1.5 * y + rng.normal(size=200)
    given = {"by class": 1000 * y + np.arange(200) // 4, "gamma": rng.gamma(3, 1, 200)}
    options = {name: given.get(value, value) for name, value in drawn.items()}
    last = float((scores[y == 0] >= scores[y == 1].min()).mean())  # of the negatives, above the last positive
    for fpr in (last + 0.01, (1 + last) / 2, 0.999):
        found = sk.bootstrap_roc_at_fpr(y, scores, fpr=fpr, **options)
        assert found.estimate == 1
        at_all = sk.bootstrap_roc_at_fpr(y, scores, fpr=1.0, **options)
        assert_allclose(found.confidence_interval(), at_all.confidence_interval(), rtol=1e-12)
        assert at_all.confidence_interval().low > 0.8
