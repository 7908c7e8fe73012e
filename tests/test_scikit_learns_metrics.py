"""What scikit-learn's metric tests ask, asked of ours: the same estimates, over weights, averages, labels and formats.

The cases are those of ``sklearn/metrics/tests/test_common.py`` and ``test_classification.py``: labels as numbers, texts
and booleans; lists, arrays, columns and frames; classes that are never predicted, never true or not asked for; tables
of several labels, one of which nobody is given; ties among scores; and weights that count or say how much.
"""

import warnings

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics as skm

import skcostci as sk

RNG = np.random.default_rng(0)
N = 60
Y = RNG.integers(0, 2, N)
S = np.round(RNG.normal(size=N) + Y, 1)
P, LABELS = 1 / (1 + np.exp(-S)), (S > 0.5).astype(int)
KIND = RNG.integers(0, 4, N)
GUESS = np.minimum(np.where(RNG.random(N) < 0.6, KIND, RNG.integers(0, 4, N)), 2)  # the last is never predicted
SHARES = np.round(RNG.dirichlet(np.ones(4), N) + np.eye(4)[KIND], 1)
SHARES /= SHARES.sum(axis=1, keepdims=True)
TAGS = RNG.integers(0, 2, (N, 4))
GIVEN = np.where(RNG.random((N, 4)) < 0.7, TAGS, 1 - TAGS) * [1, 1, 0, 1]
RANKS = np.round(RNG.normal(size=(N, 4)) + TAGS, 1)
AMOUNT, TOLD = S, np.round(S + RNG.normal(size=N), 2)
WEIGHTS = {
    "none": ({}, {}),
    "counts": ({"sample_weight": RNG.integers(0, 4, N)},) * 2,
    "importance": (
        {"sample_weight": (W := RNG.gamma(1.0, size=N)), "weight_type": "importance"},
        {"sample_weight": W},
    ),
}
RATIOS = {
    "precision": skm.precision_score,
    "recall": skm.recall_score,
    "f1": skm.f1_score,
    "jaccard": skm.jaccard_score,
    "fbeta": lambda *data, **options: skm.fbeta_score(*data, beta=2, **options),
}
OF_ALL = {
    "accuracy": skm.accuracy_score,
    "balanced_accuracy": skm.balanced_accuracy_score,
    "kappa": skm.cohen_kappa_score,
    "mcc": skm.matthews_corrcoef,
    "zero_one_loss": skm.zero_one_loss,
    "hamming_loss": skm.hamming_loss,
}
NAMES = np.array(["dog", "ant", "cat", "bee"])
FORMATS = {
    "arrays": (KIND, GUESS),
    "lists": (KIND.tolist(), GUESS.tolist()),
    "columns": (KIND[:, None], GUESS[:, None]),
    "texts": (NAMES[KIND], NAMES[GUESS]),
    "objects": (NAMES[KIND].astype(object), NAMES[GUESS].astype(object)),
    "series": (pd.Series(KIND), pd.Series(GUESS)),
    "negative": (KIND - 2, GUESS - 2),
    "floats": (KIND.astype(float), GUESS.astype(np.float32)),
}
SCALES = {
    "roc_auc": (skm.roc_auc_score, Y, S),
    "average_precision": (skm.average_precision_score, Y, S),
    "log_loss": (skm.log_loss, Y, P),
    "neg_brier_score": (skm.brier_score_loss, Y, P),
    "d2_log_loss_score": (skm.d2_log_loss_score, Y, P),
    "roc_auc_ovr": (lambda *data, **w: skm.roc_auc_score(*data, multi_class="ovr", **w), KIND, SHARES),
    "roc_auc_ovr_weighted": (
        lambda *data, **w: skm.roc_auc_score(*data, multi_class="ovr", average="weighted", **w),
        KIND,
        SHARES,
    ),
    "neg_log_loss": (skm.log_loss, KIND, SHARES),
    "top_k_accuracy": (skm.top_k_accuracy_score, KIND, SHARES),
    "label_ranking_loss": (skm.label_ranking_loss, TAGS, RANKS),
    "coverage_error": (skm.coverage_error, TAGS, RANKS),
    "label_ranking_average_precision_score": (skm.label_ranking_average_precision_score, TAGS, RANKS),
    "dcg_score": (skm.dcg_score, TAGS, RANKS),
    "r2": (skm.r2_score, AMOUNT, TOLD),
    "explained_variance": (skm.explained_variance_score, AMOUNT, TOLD),
    "neg_mean_absolute_error": (skm.mean_absolute_error, AMOUNT, TOLD),
    "neg_mean_squared_error": (skm.mean_squared_error, AMOUNT, TOLD),
    "neg_root_mean_squared_error": (skm.root_mean_squared_error, AMOUNT, TOLD),
}
EACH_WEIGHT = pytest.mark.parametrize("kind", WEIGHTS)


@pytest.fixture(autouse=True)
def quiet():
    """Both warn of what has no value."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def same(ours, theirs, *data, name, kind, theirs_only=None, **options):
    """The same number, and limits around it."""
    of_ours, of_theirs = WEIGHTS[kind]
    found = ours(*data, *([name] if name else []), **options, **of_ours)
    expected = theirs(*data, **{**options, **(theirs_only or {})}, **of_theirs)
    np.testing.assert_allclose(found.estimate, expected, rtol=1e-12, atol=1e-12)
    low, high = found.confidence_interval()
    assert (np.asarray(low) <= np.nan_to_num(found.estimate) + 1e-9).all()
    assert (np.asarray(high) >= np.nan_to_num(found.estimate) - 1e-9).all()


def by_name(name):
    return sk.Metric.fbeta(2) if name == "fbeta" else name


@EACH_WEIGHT
@pytest.mark.parametrize("name", RATIOS)
@pytest.mark.parametrize("zero_division", [0, 1, np.nan, "warn"])
def test_ratios_of_counts(name, zero_division, kind):
    asked = {"name": by_name(name), "kind": kind}
    if name != "jaccard" or zero_division is not np.nan:
        asked["zero_division"] = zero_division
    for guess in (LABELS, 0 * LABELS):
        same(sk.bootstrap_metric, RATIOS[name], Y, guess, **asked)
    averages = ["micro", "macro", "weighted", None]
    averages = averages[:3] if zero_division is np.nan else averages
    for average in averages:
        same(sk.bootstrap_metric, RATIOS[name], KIND, GUESS, average=average, **asked)
        same(
            sk.bootstrap_metric,
            RATIOS[name],
            NAMES[KIND],
            NAMES[GUESS],
            average=average,
            labels=["bee", "ant"],
            **asked,
        )
    for average in ("samples", *averages):
        same(sk.bootstrap_metric, RATIOS[name], TAGS, GIVEN, average=average, **asked)


@EACH_WEIGHT
@pytest.mark.parametrize("name", OF_ALL)
@pytest.mark.parametrize("form", FORMATS)
def test_metrics_of_all_classes_in_every_format(name, form, kind):
    flat = [np.ravel(column) for column in FORMATS[form]]
    of_ours, of_theirs = WEIGHTS[kind]
    found = sk.bootstrap_metric(*FORMATS[form], name, **of_ours).estimate
    assert found == pytest.approx(OF_ALL[name](*flat, **of_theirs), abs=1e-12)


@EACH_WEIGHT
def test_options_of_single_metrics(kind):
    for weights in ("linear", "quadratic"):
        same(
            lambda *data, weights, **rest: sk.bootstrap_metric(*data, kappa_weights=weights, **rest),
            skm.cohen_kappa_score,
            KIND,
            GUESS,
            name="kappa",
            kind=kind,
            weights=weights,
        )
    same(sk.bootstrap_metric, skm.cohen_kappa_score, KIND, GUESS, name="kappa", kind=kind, labels=[0, 1, 2])
    same(
        sk.bootstrap_metric,
        skm.balanced_accuracy_score,
        KIND,
        GUESS,
        name="balanced_accuracy",
        kind=kind,
        adjusted=True,
    )
    if kind != "importance":  # of which there are no counts
        for name, theirs in (("accuracy", skm.accuracy_score), ("zero_one_loss", skm.zero_one_loss)):
            same(sk.bootstrap_metric, theirs, KIND, GUESS, name=name, kind=kind, normalize=False)
        same(sk.bootstrap_metric, skm.log_loss, KIND, SHARES, name="log_loss", kind=kind, normalize=False)
    for name in ("accuracy", "hamming_loss", "zero_one_loss"):
        same(sk.bootstrap_metric, OF_ALL[name], TAGS, GIVEN, name=name, kind=kind)
        frames = pd.DataFrame(TAGS, columns=list("abcd")), pd.DataFrame(GIVEN, columns=list("abcd"))
        same(sk.bootstrap_metric, OF_ALL[name], *frames, name=name, kind=kind)


@pytest.mark.parametrize("form", FORMATS)
def test_chance_is_that_of_classes_with_weight(form):
    flat = [np.ravel(column) for column in FORMATS[form]]
    weights = np.where(KIND == 3, 0, 1 + np.arange(N) % 3)
    for of_ours in ({}, {"sample_weight": weights}, {"sample_weight": 0.3 * weights, "weight_type": "importance"}):
        found = sk.bootstrap_metric(*FORMATS[form], "balanced_accuracy", adjusted=True, **of_ours).estimate
        expected = skm.balanced_accuracy_score(*flat, adjusted=True, sample_weight=of_ours.get("sample_weight"))
        assert found == pytest.approx(expected, abs=1e-12)


def test_skill_of_tables():
    table = np.eye(4)[KIND]
    of_rows = sk.bootstrap_metric(KIND, SHARES, "brier_skill")
    found = sk.bootstrap_metric(table, SHARES, "brier_skill")
    assert found.estimate == pytest.approx(of_rows.estimate, rel=1e-12)
    assert found.standard_error == pytest.approx(of_rows.standard_error, rel=1e-6)


@pytest.mark.parametrize("average", ["micro", "macro", "weighted", "samples"])
def test_where_nothing_has_a_value_it_is_said(average):
    with pytest.raises(ValueError, match="f1 has no value: its denominator is 0 for every label or case"):
        sk.bootstrap_metric(0 * TAGS, 0 * TAGS, "f1", average=average, zero_division=np.nan)


@EACH_WEIGHT
@pytest.mark.parametrize("name", SCALES)
def test_scores_probabilities_and_amounts(name, kind):
    theirs, *data = SCALES[name]
    same(sk.bootstrap_metric, theirs, *data, name=name, kind=kind)


@EACH_WEIGHT
def test_areas_with_averages(kind):
    for rate in (0.1, 0.4, 1.0):
        same(sk.bootstrap_auc, skm.roc_auc_score, Y, S, name=None, kind=kind, max_fpr=rate)
    for average in ("macro", "weighted", "micro", None):
        several = {"multi_class": "ovr", "average": average}
        same(sk.bootstrap_auc, skm.roc_auc_score, KIND, SHARES, name=None, kind=kind, **several)
        same(
            sk.bootstrap_average_precision,
            skm.average_precision_score,
            KIND,
            SHARES,
            name=None,
            kind=kind,
            average=average,
        )
        same(sk.bootstrap_auc, skm.roc_auc_score, TAGS, RANKS, name=None, kind=kind, average=average)
        same(
            sk.bootstrap_average_precision,
            skm.average_precision_score,
            TAGS,
            RANKS,
            name=None,
            kind=kind,
            average=average,
        )


@pytest.mark.parametrize("average", ["micro", "macro", "weighted", "samples"])
@pytest.mark.parametrize("zero_division", [1, np.nan])
def test_errors_of_tables_with_nothing_to_divide_by(average, zero_division):
    """By small steps of the weights; a label that nobody is given has no precision."""
    weights = RNG.gamma(1.0, size=N)

    def value(w):
        asked = {"average": average, "zero_division": zero_division, "sample_weight": w}
        return skm.precision_score(TAGS, GIVEN, **asked)

    steps = 1e-5 * np.diag(weights)
    added = [(value(weights + step) - value(weights - step)) / 2e-5 for step in steps]
    asked = {"average": average, "zero_division": zero_division, "weight_type": "importance"}
    found = sk.bootstrap_metric(TAGS, GIVEN, "precision", sample_weight=weights, **asked)
    assert found.standard_error == pytest.approx(np.sqrt(np.square(added).sum()), rel=1e-4)
