"""What scikit-learn's metric tests ask, asked of ours: the same estimates, over weights, averages, labels and formats.

The cases are those of ``sklearn/metrics/tests/test_common.py`` and ``test_classification.py``: labels as numbers, texts
and booleans; lists, arrays, columns and frames; classes that are never predicted, never true or not asked for; tables
of several labels, one of which nobody is given; ties among scores; and weights that count or say how much."""

import math
import warnings
from functools import partial
from itertools import cycle, product

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics as skm
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import UndefinedMetricWarning

import skcostci as sk

RNG = np.random.default_rng(0)
N = 60
Y = RNG.integers(0, 2, N)
S = np.round(RNG.normal(size=N) + Y, 1)
P, LABELS = 1 / (1 + np.exp(-S)), (S > 0.5).astype(int)
KIND = RNG.integers(0, 4, N)
GUESS = np.minimum(np.where(RNG.random(N) < 0.6, KIND, RNG.integers(0, 4, N)), 2)  # the last is never predicted
GUESS[::20] = 4  # which no case is
SHARES = np.round(RNG.dirichlet(np.ones(4), N) + np.eye(4)[KIND], 1)
SHARES /= SHARES.sum(axis=1, keepdims=True)
TAGS = RNG.integers(0, 2, (N, 4))
GIVEN = np.where(RNG.random((N, 4)) < 0.7, TAGS, 1 - TAGS) * [1, 1, 0, 1]
RANKS = np.round(RNG.normal(size=(N, 4)) + TAGS, 1)
AMOUNT, TOLD = S, np.round(S + RNG.normal(size=N), 2)
WEIGHTS = {"none": {}, "counts": {"sample_weight": RNG.integers(0, 4, N)}}
WEIGHTS["importance"] = {"sample_weight": RNG.gamma(1.0, size=N), "weight_type": "importance"}
RATIOS = {name: getattr(skm, f"{name}_score") for name in ("precision", "recall", "f1", "jaccard")}
RATIOS["fbeta"] = partial(skm.fbeta_score, beta=2)
OF_ALL = {name: getattr(skm, f"{name}_score") for name in ("accuracy", "balanced_accuracy")}
OF_ALL |= {"kappa": skm.cohen_kappa_score, "mcc": skm.matthews_corrcoef}
OF_ALL |= {"zero_one_loss": skm.zero_one_loss, "hamming_loss": skm.hamming_loss}
NAMES = np.array(["dog", "ant", "cat", "bee", "emu"])
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
OVR = {"multi_class": "ovr"}
SCALES = {
    "roc_auc": (skm.roc_auc_score, Y, S),
    "average_precision": (skm.average_precision_score, Y, S),
    "log_loss": (skm.log_loss, Y, P),
    "neg_brier_score": (skm.brier_score_loss, Y, P),
    "d2_log_loss_score": (skm.d2_log_loss_score, Y, P),
    "roc_auc_ovr": (partial(skm.roc_auc_score, **OVR), KIND, SHARES),
    "roc_auc_ovr_weighted": (partial(skm.roc_auc_score, average="weighted", **OVR), KIND, SHARES),
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


def in_turn(*lists):
    """All of these together, the kinds of weights by turns."""
    kinds = cycle(WEIGHTS)
    return [(*each, next(kinds)) for each in product(*lists)]


@pytest.fixture(autouse=True)
def quiet():
    """Both warn of what has no value."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def same(kind, theirs, *data, ours=sk.bootstrap_metric, renamed=None, **options):
    """The same number, and limits around it."""
    found = ours(*data, **options, **WEIGHTS[kind])
    asked = {(renamed or {}).get(name, name): value for name, value in options.items() if name != "metric"}
    expected = theirs(*data, **asked, sample_weight=WEIGHTS[kind].get("sample_weight"))
    np.testing.assert_allclose(found.estimate, expected, rtol=1e-12, atol=1e-12)
    low, high = found.confidence_interval()
    assert (np.asarray(low) <= np.nan_to_num(found.estimate) + 1e-9).all()
    assert (np.asarray(high) >= np.nan_to_num(found.estimate) - 1e-9).all()


@pytest.mark.parametrize(("name", "empty", "kind"), in_turn(RATIOS, [0, 1, np.nan, "warn"]))
def test_ratios_of_counts(name, empty, kind):
    asked = {"metric": sk.Metric.fbeta(2) if name == "fbeta" else name}
    if name != "jaccard" or empty is not np.nan:  # which scikit-learn's has not
        asked["zero_division"] = empty
    for guess in (LABELS, 0 * LABELS):
        same(kind, RATIOS[name], Y, guess, **asked)
    averages = ["micro", "macro", "weighted", *([None] if empty is not np.nan else [])]
    for average in averages:
        same(kind, RATIOS[name], KIND, GUESS, average=average, **asked)
        same(kind, RATIOS[name], NAMES[KIND], NAMES[GUESS], average=average, labels=["bee", "ant"], **asked)
    for average in ("samples", *averages):
        same(kind, RATIOS[name], TAGS, GIVEN, average=average, **asked)


@pytest.mark.parametrize(("name", "form", "kind"), in_turn(OF_ALL, FORMATS))
def test_metrics_of_all_classes_in_every_format(name, form, kind):
    truth, guess = FORMATS[form]
    found = sk.bootstrap_metric(truth, guess, name, **WEIGHTS[kind]).estimate
    expected = OF_ALL[name](np.ravel(truth), np.ravel(guess), sample_weight=WEIGHTS[kind].get("sample_weight"))
    assert found == pytest.approx(expected, abs=1e-12)


@EACH_WEIGHT
def test_options_of_single_metrics(kind):
    for weights in ("linear", "quadratic"):
        asked = {"metric": "kappa", "kappa_weights": weights}
        same(kind, skm.cohen_kappa_score, KIND, GUESS, renamed={"kappa_weights": "weights"}, **asked)
    same(kind, skm.cohen_kappa_score, KIND, GUESS, metric="kappa", labels=[0, 1, 2])
    same(kind, skm.balanced_accuracy_score, KIND, GUESS, metric="balanced_accuracy", adjusted=True)
    if kind != "importance":  # of which there are no counts
        for name, theirs in (("accuracy", skm.accuracy_score), ("zero_one_loss", skm.zero_one_loss)):
            same(kind, theirs, KIND, GUESS, metric=name, normalize=False)
        same(kind, skm.log_loss, KIND, SHARES, metric="log_loss", normalize=False)
    for name in ("accuracy", "hamming_loss", "zero_one_loss"):
        for table in (np.asarray, pd.DataFrame):
            same(kind, OF_ALL[name], table(TAGS), table(GIVEN), metric=name)


@pytest.mark.parametrize("form", ["texts", "columns"])
def test_chance_is_that_of_classes_with_weight(form):
    weights = np.where(KIND == 3, 0, 1 + np.arange(N) % 3)
    for rows in ({}, {"sample_weight": weights}, {"sample_weight": 0.3 * weights, "weight_type": "importance"}):
        found = sk.bootstrap_metric(*FORMATS[form], "balanced_accuracy", adjusted=True, **rows).estimate
        asked = {"adjusted": True, "sample_weight": rows.get("sample_weight")}
        assert found == pytest.approx(skm.balanced_accuracy_score(*map(np.ravel, FORMATS[form]), **asked), abs=1e-12)


def test_skill_of_tables():
    of_rows = sk.bootstrap_metric(KIND, SHARES, "brier_skill")
    found = sk.bootstrap_metric(np.eye(4)[KIND], SHARES, "brier_skill")
    assert found.estimate == pytest.approx(of_rows.estimate, rel=1e-12)
    assert found.standard_error == pytest.approx(of_rows.standard_error, rel=1e-6)


@pytest.mark.parametrize("average", ["micro", "macro", "weighted", "samples"])
def test_where_nothing_has_a_value_it_is_said(average):
    with pytest.raises(ValueError, match="f1 has no value: its denominator is 0 for every label or case"):
        sk.bootstrap_metric(0 * TAGS, 0 * TAGS, "f1", average=average, zero_division=np.nan)


@pytest.mark.parametrize(("name", "kind"), [(name, kind) for name in SCALES for kind in ("counts", "importance")])
def test_scores_probabilities_and_amounts(name, kind):
    theirs, *data = SCALES[name]
    same(kind, theirs, *data, metric=name)


@EACH_WEIGHT
def test_areas_with_averages(kind):
    area = partial(same, kind, skm.roc_auc_score, ours=sk.bootstrap_auc)
    precision = partial(same, kind, skm.average_precision_score, ours=sk.bootstrap_average_precision)
    precision(Y, S)
    for rate in (0.01, 0.1, 0.4, 0.95, 1.0):
        area(Y, S, max_fpr=rate)
    for average in ("macro", "weighted", "micro", None):
        area(KIND, SHARES, average=average, **OVR)
        area(TAGS, RANKS, average=average)
        precision(KIND, SHARES, average=average)
        precision(TAGS, RANKS, average=average)


@pytest.mark.parametrize(("average", "empty"), [("micro", 1), ("macro", np.nan), ("weighted", 1), ("samples", np.nan)])
def test_errors_of_tables_with_nothing_to_divide_by(average, empty):
    """By small steps of the weights; a label that nobody is given has no precision."""
    truth, given, asked = TAGS[:30], GIVEN[:30], {"average": average, "zero_division": empty}
    weights = RNG.gamma(1.0, size=30)
    steps = 1e-5 * np.diag(weights)
    ask = partial(skm.precision_score, truth, given, **asked)
    values = [[ask(sample_weight=moved) for moved in weights + side * steps] for side in (1, -1)]
    added = np.subtract(*values) / 2e-5
    found = sk.bootstrap_metric(truth, given, "precision", sample_weight=weights, weight_type="importance", **asked)
    assert found.standard_error == pytest.approx(np.sqrt(np.square(added).sum()), rel=1e-4)


TRUTH, COUNTS = RNG.integers(0, 3, 60), WEIGHTS["counts"]["sample_weight"]
SAID = np.minimum(np.where(RNG.random(60) < 0.6, TRUTH, RNG.integers(0, 2, 60)), 1)  # never class 2
OTHER = np.where(RNG.random(60) < 0.5, TRUTH, 0)


@pytest.mark.parametrize("zero_division", [0, 1, math.nan])
def test_two_classes_without_a_prediction(zero_division):
    truth, nobody = [0, 1, 1, 0, 0], [0, 0, 0, 0, 0]
    found = sk.bootstrap_metric(truth, nobody, "precision", zero_division=zero_division)
    expected = skm.precision_score(truth, nobody, zero_division=zero_division)
    assert found.estimate == pytest.approx(expected, nan_ok=True)
    assert tuple(found.confidence_interval()) == (0, 1)
    plain = sk.bootstrap_metric(TRUTH > 0, SAID > 0, "precision")  # has a value, and nothing changes
    assert sk.bootstrap_metric(TRUTH > 0, SAID > 0, "precision", zero_division=zero_division) == plain
    with pytest.warns(UndefinedMetricWarning, match="precision has no value: 0 is used"):
        assert sk.bootstrap_metric(truth, nobody, "precision", zero_division="warn").estimate == 0
    with pytest.raises(ValueError, match="precision is undefined: no predicted positives"):
        sk.bootstrap_metric(truth, nobody, "precision")


@pytest.mark.parametrize("name", ["accuracy", "zero_one"])
@pytest.mark.parametrize("counts", [None, COUNTS], ids=["cases", "counts"])
def test_numbers_of_cases(name, counts):
    weights, cases = {"sample_weight": counts}, 60 if counts is None else counts.sum()
    share, number = (sk.bootstrap_metric(TRUTH, SAID, name, normalize=each, **weights) for each in (True, False))
    assert number.estimate == pytest.approx(cases * share.estimate, rel=1e-12)
    assert number.standard_error == pytest.approx(cases * share.standard_error, rel=1e-12)
    np.testing.assert_allclose(number.confidence_interval(), cases * np.array(share.confidence_interval()))
    ask = sk.bootstrap_metric_difference
    share, number = (ask(TRUTH, SAID, OTHER, name, normalize=each, **weights) for each in (True, False))
    assert number.estimate == pytest.approx(cases * share.estimate)
    assert number.pvalue() == pytest.approx(share.pvalue())


@pytest.mark.parametrize("classes", [2, 3])
def test_balanced_accuracy_beyond_chance(classes):
    truth, guess, other = (np.minimum(each, classes - 1) for each in (TRUTH, SAID, OTHER))
    plain, found = (sk.bootstrap_metric(truth, guess, "balanced_accuracy", adjusted=each) for each in (False, True))
    low, high = plain.confidence_interval()
    expected = [(each - 1 / classes) / (1 - 1 / classes) for each in (low, high)]
    np.testing.assert_allclose(found.confidence_interval(), expected)
    difference = sk.bootstrap_metric_difference(truth, guess, other, "balanced_accuracy", adjusted=True)
    each = [skm.balanced_accuracy_score(truth, model, adjusted=True) for model in (guess, other)]
    assert difference.estimate == pytest.approx(each[0] - each[1], rel=1e-12)


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
def test_kappa_among_some_labels(weights):
    truth, guess = RNG.integers(0, 4, (2, 80))
    expected = skm.cohen_kappa_score(truth, guess, labels=[3, 1, 0], weights=weights)
    found = sk.bootstrap_metric(truth, guess, "kappa", labels=[3, 1, 0], kappa_weights=weights)
    assert found.estimate == pytest.approx(expected, rel=1e-12)
    kept = np.isin(truth, [0, 1, 3]) & np.isin(guess, [0, 1, 3])
    alone = sk.bootstrap_metric(truth[kept], guess[kept], "kappa", labels=[3, 1, 0], kappa_weights=weights)
    assert found.confidence_interval() == alone.confidence_interval()
    with pytest.raises(ValueError, match="labels must contain every label that occurs"):
        sk.bootstrap_metric_difference(truth, guess, truth, "kappa", labels=[3, 1, 0], kappa_weights=weights)
    with pytest.raises(ValueError, match="labels must include the true and the predicted label"):
        sk.bootstrap_metric([0, 1, 2], [1, 2, 0], "kappa", labels=[0], kappa_weights=weights)


@pytest.mark.parametrize(
    ("metric", "options", "message"),
    [
        ("precision", {"zero_division": 0.5}, "zero_division must be 0, 1, nan or 'warn', got 0.5"),
        ("f1", {"zero_division": math.nan, "average": None}, "zero_division=nan is for averages"),
        ("accuracy", {"zero_division": 0}, "zero_division is for ratios of counts, such as precision and f1, not for"),
        ("f1", {"normalize": False, "average": "macro"}, "normalize=False is available for shares of cases"),
        ("accuracy", {"normalize": False, "folds": np.arange(60) % 3}, "leave folds out"),
        ("f1", {"adjusted": True, "average": "macro"}, "adjusted=True is available for balanced_accuracy, not for f1"),
    ],
)
def test_what_does_not_go_together_is_said(metric, options, message):
    with pytest.raises(ValueError, match=message):
        sk.bootstrap_metric(TRUTH, SAID, metric, **options)


def test_costs_of_all_cases_together():
    costs = [[0, 1, 2], [4, 0, 1], [2, 7, 0]]
    asked = {"sample_weight": COUNTS}
    of_one, of_all = (sk.bootstrap_expected_cost(TRUTH, SAID, costs, normalize=n, **asked) for n in (True, False))
    table = skm.confusion_matrix(TRUTH, SAID, sample_weight=COUNTS)
    assert of_all.estimate == pytest.approx((table * costs).sum(), rel=1e-12)
    for method in of_one.methods:
        each, together = (result.confidence_interval(method=method) for result in (of_one, of_all))
        np.testing.assert_allclose(together, COUNTS.sum() * np.array(each), rtol=1e-9)
    apart = sk.bootstrap_expected_cost_difference(TRUTH, SAID, TRUTH, costs, normalize=False)
    assert apart.estimate == pytest.approx((skm.confusion_matrix(TRUTH, SAID) * costs).sum(), rel=1e-12)
    weights = {"sample_weight": COUNTS / 2, "weight_type": "importance"}
    with pytest.raises(ValueError, match="normalize=False needs whole-number counts"):
        sk.bootstrap_expected_cost(TRUTH, SAID, costs, normalize=False, **weights)
    with pytest.raises(TypeError, match="normalize must be True or False"):
        sk.bootstrap_expected_cost(TRUTH, SAID, costs, normalize="all")


@pytest.mark.parametrize("empty", [0, 1])
def test_scorers_take_zero_division(empty):
    tags = np.eye(4, dtype=int)[TRUTH] * [1, 0, 1, 0]
    asked = [("precision", TRUTH > 0, False), ("precision_macro", TRUTH, 0), ("f1_samples", tags, [0] * 4)]
    for name, truth, guess in asked:
        model = DummyClassifier(strategy="constant", constant=guess).fit(truth, truth)
        metric, average = f"{name}_binary".split("_")[:2]
        options = {"average": average, "zero_division": empty}
        expected = getattr(skm, f"{metric}_score")(truth, model.predict(truth), **options)
        found = sk.make_metric_scorer(name, zero_division=empty)(model, truth, truth)
        assert found == pytest.approx(expected, abs=1e-12)
    with pytest.raises(ValueError, match="zero_division must be 0, 1, nan or 'warn'"):
        sk.make_metric_scorer("f1", zero_division=2)
