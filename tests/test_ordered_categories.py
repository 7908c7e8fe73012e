"""The order of labels: that of labels=, of a type that tells one, of numbers, and of texts where they have one.

Expected values are those of the same cases with 0, 1, 2 for the labels, whose order is never in doubt.
"""

import warnings
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from numpy.testing import assert_allclose
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import cohen_kappa_score, log_loss, roc_auc_score, top_k_accuracy_score
from statistics_list import about

import skcostci as sk

LEVELS = ["low", "medium", "high"]  # sorted as texts: high, low, medium
RNG = np.random.default_rng(3)
A = RNG.integers(0, 3, 90)
B = np.clip(A + RNG.choice([-1, 0, 0, 0, 1], 90), 0, 2)
C = np.clip(A + RNG.choice([-1, 0, 1], 90), 0, 2)
P = RNG.dirichlet([1, 1, 1], 90) * 0.8 + 0.2 * np.eye(3)[A]
Q = RNG.dirichlet([1, 1, 1], 90)
STEPS = np.abs(np.subtract.outer(range(3), range(3)))
PART = np.arange(90) % 2


TEXTS = np.array(LEVELS)


def categories(codes, levels=LEVELS):
    return pd.Categorical(TEXTS[codes], categories=levels, ordered=True)


def series(codes, levels=LEVELS):
    return pd.Series(categories(codes, levels))


def enum(codes, levels=LEVELS):
    return pl.Series("grade", TEXTS[codes].tolist(), dtype=pl.Enum(levels))


def arrow(codes):
    return pa.array(categories(codes))


def wide(codes):
    """With categories that do not occur."""
    return series(codes, ["none", *LEVELS, "all"])


TYPES = {
    "pandas": series,
    "polars": enum,
    "wide": wide,
    "pandas array": categories,
    "pandas index": lambda codes: pd.CategoricalIndex(categories(codes)),
    "pandas frame": lambda codes: series(codes).to_frame(),
    "polars frame": lambda codes: enum(codes).to_frame(),
    "pyarrow": arrow,
    "pyarrow chunks": lambda codes: pa.chunked_array([arrow(codes[:40]), arrow(codes[40:])]),
    "pandas of pyarrow": lambda codes: pd.Series(pd.arrays.ArrowExtensionArray(pa.chunked_array([arrow(codes)]))),
    "numbers": lambda codes: pd.Series(pd.Categorical(np.array([3, 1, 2])[codes], categories=[3, 1, 2], ordered=True)),
}
LINEAR = {"kappa_weights": "linear"}
kappa = partial(sk.bootstrap_metric, metric="kappa", **LINEAR)
PAIRS = np.arange(90) // 2
ORDERED = {  # each depends on the order of labels
    "kappa": lambda typed: kappa(typed(A), typed(B)),
    "kappa, weights": lambda typed: kappa(typed(A), typed(B), sample_weight=np.arange(90) % 3),
    "kappa, groups": lambda typed: kappa(typed(A), typed(B), groups=PAIRS, kappa_weights="quadratic"),
    "kappa, folds": lambda typed: kappa(typed(A), typed(B), folds=PART),
    "kappa, difference": lambda typed: sk.bootstrap_metric_difference(typed(A), typed(B), typed(C), "kappa", **LINEAR),
    "kappa, models": lambda typed: sk.compare_models(typed(A), {"b": typed(B), "c": typed(C)}, "kappa", **LINEAR),
    "kappa, subgroups": lambda typed: sk.compare_groups(typed(A), typed(B), PART, "kappa", **LINEAR),
    "auc, by name": lambda typed: sk.bootstrap_metric(typed(A), P, "roc_auc_ovo"),
    "auc, difference": lambda typed: sk.bootstrap_auc_difference(typed(A), P, Q, multi_class="ovo"),
    "auc, each": lambda typed: sk.bootstrap_auc(typed(A), P, multi_class="ovr", average=None),
    "auc, models": lambda typed: sk.compare_models(typed(A), {"p": P, "q": Q}, "roc_auc_ovr"),
    "auc, subgroups": lambda typed: sk.compare_groups(typed(A), P, PART, "roc_auc_ovr"),
    "average precision": lambda typed: sk.bootstrap_average_precision(typed(A), P),
    "log loss": lambda typed: sk.bootstrap_loss(typed(A), P, "log_loss"),
    "log loss, by name": lambda typed: sk.bootstrap_metric(typed(A), P, "neg_log_loss"),
    "brier, difference": lambda typed: sk.bootstrap_loss_difference(typed(A), P, Q, "brier", groups=PAIRS),
    "brier, models": lambda typed: sk.compare_models(typed(A), {"p": P, "q": Q}, "brier"),
    "top k, by name": lambda typed: sk.bootstrap_metric(typed(A[:45]), P[:45], partial(top_k_accuracy_score, k=1)),
    "expected cost": lambda typed: sk.bootstrap_expected_cost(typed(A), typed(B), STEPS**2),
    "costs expected": lambda typed: sk.bootstrap_expected_cost_difference(typed(A), typed(B), typed(C), STEPS),
    "expected cost as a number": lambda typed: sk.expected_cost_loss(typed(A), typed(B), cost_matrix=STEPS),
    "f1 of each class": lambda typed: sk.bootstrap_metric(typed(A), typed(B), "f1", average=None),
}


def answer(ask, typed):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*columns have no names")
        found = ask(typed)
    return getattr(found, "estimate", found), getattr(found, "standard_error", 0.0)


@pytest.mark.parametrize("place", range(len(ORDERED)), ids=list(ORDERED))
def test_the_order_of_a_type_is_the_order_of_labels(place):
    """All questions meet one of the first three types, and two of the others."""
    question, names = list(ORDERED.values())[place], list(TYPES)
    plain = answer(question, lambda codes: codes)
    for name in (names[place % 3], names[3 + place % 8], names[3 + (place + 3) % 8]):
        with about(name):
            found = answer(question, TYPES[name])
            assert_allclose(found[0], plain[0], rtol=1e-12)
            assert_allclose(found[1], plain[1], rtol=1e-3 if name == "wide" else 1e-9)


def test_the_order_may_be_told_of_one_column_only():
    right = cohen_kappa_score(A, B, weights="linear")
    for columns in ((series(A), TEXTS[B]), (TEXTS[A], enum(B)), (TEXTS[A].tolist(), series(B))):
        assert_allclose(kappa(*columns).estimate, right)


def test_the_order_is_told_with_a_proxy_too():
    some = np.arange(90) < 50
    checked, whole = series(A).where(some), np.where(some, A, None)
    plain = kappa(whole, B, proxy=C)
    assert_allclose(kappa(checked, series(B), proxy=series(C)).estimate, plain.estimate)
    assert_allclose(kappa(checked, TEXTS[B], proxy=TEXTS[C]).estimate, plain.estimate)
    plain = sk.bootstrap_loss(whole, P, "brier", proxy=C)
    with pytest.warns(UserWarning, match="columns have no names"):
        assert_allclose(sk.bootstrap_loss(checked, P, "brier", proxy=series(C)).estimate, plain.estimate)


def test_categories_that_do_not_occur_lie_between_others():
    ends = np.array([0, 2, 2, 0, 2, 0, 0, 2, 1, 0])
    codes = np.where(ends == 1, 0, ends), ends
    with_middle = kappa(*(series(each) for each in codes))
    assert_allclose(with_middle.estimate, cohen_kappa_score(*codes, labels=[0, 1, 2], weights="linear"))
    two = np.where(A == 1, 0, A), np.where(B == 1, 2, B)
    found = sk.bootstrap_expected_cost(*(series(each) for each in two), STEPS)
    assert_allclose(found.estimate, STEPS[two].mean())
    assert found.labels == tuple(LEVELS)
    assert sk.bootstrap_expected_cost(*(series(each) for each in two), [[0, 1], [3, 0]]).labels == ("low", "high")


def test_labels_that_are_listed_win():
    order = ["high", "low", "medium"]
    right = cohen_kappa_score(TEXTS[A], TEXTS[B], weights="linear", labels=order)
    assert_allclose(kappa(series(A), enum(B, LEVELS[::-1]), labels=order).estimate, right)
    turned = P[:, [2, 0, 1]]
    for ask, expected in zip(OF_PROBABILITIES, (roc_auc_score(A, P, multi_class="ovr"), log_loss(A, P)), strict=False):
        assert_allclose(ask(series(A), turned, labels=order).estimate, expected)


RPS: dict = {"loss": "ranked_probability_score"}
OF_PROBABILITIES = [
    partial(sk.bootstrap_auc, multi_class="ovr"),
    partial(sk.bootstrap_loss, loss="log_loss"),
    partial(sk.bootstrap_metric, metric="brier"),
    sk.bootstrap_average_precision,
]


def test_the_ranked_probability_score_needs_the_order_of_the_classes():
    losses = ((np.cumsum(P, axis=1) - (A[:, None] <= np.arange(3))) ** 2).sum(axis=1)
    named, two = pd.DataFrame(P, columns=LEVELS)[["high", "low", "medium"]], {"p": P, "q": Q}
    for found in (
        sk.bootstrap_loss(A, P, **RPS),
        sk.bootstrap_loss(np.eye(3, dtype=int)[A], P, **RPS),
        sk.bootstrap_loss(series(A), named, **RPS),
        sk.bootstrap_metric(TEXTS[A], P, "rps", labels=LEVELS),
        sk.compare_models(TEXTS[A], two, "rps", labels=LEVELS).results[0],
        sk.compare_models(A, two, "rps").results[0],
        sk.compare_models(TEXTS[A], {"p": named, "q": named}, "rps", labels=LEVELS).results[0],
        sk.bootstrap_loss(pd.get_dummies(TEXTS[A]).astype(int), named, labels=LEVELS, **RPS),
    ):
        assert_allclose([found.estimate, found.standard_error], [losses.mean(), losses.std() / len(A) ** 0.5])
    assert sk.bootstrap_loss(A, np.eye(3)[2 - A], **RPS).confidence_interval().high <= 2
    assert sk.report(A, two, metrics="rps").rows[0]["estimate"] == sk.bootstrap_metric(A, P, "rps").estimate
    two_classes = A > 0, P[:, 0]
    assert_allclose(sk.bootstrap_loss(*two_classes, **RPS).estimate, sk.bootstrap_loss(*two_classes).estimate)
    for ask in (
        lambda: sk.bootstrap_loss(TEXTS[A], P, **RPS),
        lambda: sk.bootstrap_loss(pd.get_dummies(TEXTS[A]).astype(int), P[:, [1, 2, 0]], **RPS),
        lambda: sk.compare_models(TEXTS[A], two, "rps"),
        lambda: sk.report(TEXTS[A], two, metrics="rps"),
    ):
        with pytest.raises(ValueError, match=r"needs the order of the labels, and that of \['high', 'low', 'medium'\]"):
            ask()
    with pytest.raises(ValueError, match=r"labels must be in the order of y_true's type .* name the columns"):
        sk.bootstrap_loss(series(A), P, labels=["high", "low", "medium"], **RPS)


def test_names_of_columns_are_stronger_than_the_order():
    named = pd.DataFrame(P[:45, [2, 0, 1]], columns=["high", "low", "medium"])
    for ask in (*OF_PROBABILITIES, partial(sk.bootstrap_metric, metric=partial(top_k_accuracy_score, k=1))):
        assert_allclose(float(ask(series(A[:45]), named)), float(ask(A[:45], P[:45])), rtol=1e-12)
    costs = pd.DataFrame(STEPS, LEVELS, LEVELS).loc[["high", "low", "medium"], ["medium", "high", "low"]]
    assert_allclose(float(sk.bootstrap_expected_cost(series(A), series(B), costs)), STEPS[A, B].mean())


@pytest.mark.parametrize("question", ["kappa", "f1 of each class", "expected cost", "kappa, models"])
def test_types_that_contradict_are_refused(question):
    made = iter([series, partial(enum, levels=LEVELS[::-1]), series])
    with pytest.raises(ValueError, match=r"categories in the same order, got .*\['high', 'medium', 'low'\]"):
        ORDERED[question](lambda codes: next(made)(codes))


def test_a_type_with_fewer_categories_contradicts_nothing():
    fewer = pd.Categorical(TEXTS[np.where(B == 1, 2, B)], categories=["low", "high"], ordered=True)
    right = cohen_kappa_score(A, np.where(B == 1, 2, B), weights="linear")
    assert_allclose(kappa(series(A), fewer).estimate, right)
    assert_allclose(kappa(fewer, series(A)).estimate, right)


UNSURE = LEVELS, ["1", "2", "10"], ["grade 9", "grade 10", "grade 11"], ["1-5", "6-10", "11-15"], [b"1", b"2", b"10"]
UNSURE = [*map(np.array, UNSURE)]


@pytest.mark.parametrize("texts", UNSURE, ids=lambda texts: str(texts[2]))
def test_distances_of_texts_need_an_order(texts):
    unordered = pd.Series(texts[A]).astype("category")
    for truth in (texts[A], texts.astype(object)[A], unordered, texts[A].tolist()):
        with about(truth), pytest.raises(ValueError, match=r"kappa_weights need the .* is not known: pass labels"):
            kappa(truth, texts[B])
    ordered = kappa(texts[A], texts[B], labels=texts)
    assert_allclose(ordered.estimate, cohen_kappa_score(A, B, weights="linear"))
    if texts.dtype.kind == "U":  # as scikit-learn's estimators need it
        scorer = sk.make_metric_scorer("kappa", kappa_weights="linear")
        with pytest.raises(ValueError, match="pass labels"):
            scorer(LogisticRegression().fit(P, texts[A]), P, texts[A])
    kappa(texts[A], texts[B], kappa_weights=None)  # nothing depends on the order


def test_two_texts_and_numbers_in_order_have_an_order():
    for texts in (["1", "2", "3"], ["0.5", "1.5", "9"], ["grade 1", "grade 2", "grade 3"], ["-1", "0", "1"]):
        with about(texts):
            found = kappa(np.array(texts)[A], np.array(texts)[B])
            assert_allclose(found.estimate, cohen_kappa_score(A, B, weights="linear"))
    both = np.array(["high", "low"])
    assert_allclose(kappa(both[A // 2], both[B // 2]).estimate, cohen_kappa_score(A // 2, B // 2))


def test_a_label_beyond_the_categories_has_no_place():
    other = np.array(LEVELS, dtype=object)[B]
    other[3] = "unknown"
    with pytest.raises(ValueError, match=r"that of \['unknown'\] is not known"):
        kappa(series(A), other)
    with pytest.raises(ValueError, match=r"y_pred contains 'unknown'"):
        sk.bootstrap_expected_cost(series(A), other, STEPS)
    found = sk.bootstrap_metric(series(A), other, "recall", average=None, zero_division=0)
    assert list(found.labels) == [*LEVELS, "unknown"]


@pytest.mark.parametrize("texts", UNSURE[1:], ids=lambda texts: str(texts[2]))
def test_columns_of_texts_that_sort_otherwise_than_their_numbers_need_names(texts):
    named = pd.DataFrame(P, columns=[text.decode() if isinstance(text, bytes) else text for text in texts])
    for ask in OF_PROBABILITIES:
        with pytest.raises(ValueError, match=r"have no names, and the order of .* is not sure: pass labels"):
            ask(texts[A], P)
        assert_allclose(float(ask(texts[A], named)), float(ask(A, P)))
    for cost in (sk.bootstrap_expected_cost, partial(sk.expected_cost_loss)):
        with pytest.raises(ValueError, match=r"have no names, and the order of .* is not sure"):
            cost(texts[A], texts[B], cost_matrix=STEPS)
        assert_allclose(float(cost(texts[A], texts[B], cost_matrix=STEPS, labels=texts)), STEPS[A, B].mean())
    with pytest.raises(ValueError, match="is not sure"):
        sk.compare_models(texts[A], {"p": P, "q": Q}, "brier")


def test_columns_without_names_are_warned_of_where_estimators_would_sort_them():
    for ask in OF_PROBABILITIES[:2]:
        with pytest.warns(UserWarning, match=r"\['low', 'medium', 'high'\].*columns=estimator.classes_"):
            ask(series(A), P)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sk.bootstrap_auc(pd.Categorical(np.array(["a", "b", "c"])[A], ordered=True), P, multi_class="ovr")
        sk.bootstrap_auc(TEXTS[A], P, multi_class="ovr")


def test_scorers_and_displays_use_the_order_of_the_estimator():
    X = np.column_stack([A + RNG.normal(size=90), RNG.normal(size=90)])
    for typed in (series, wide, lambda codes: np.array(["1", "2", "10"])[codes]):
        model, plain = LogisticRegression().fit(X, np.asarray(typed(A))), LogisticRegression().fit(X, A)
        for ask in OF_PROBABILITIES[:2]:
            scorer = sk.make_bound_scorer(ask)
            assert_allclose(scorer(model, X, typed(A)), scorer(plain, X, A), atol=1e-3)
    shown = sk.ROCConfidenceDisplay.from_estimator(LogisticRegression().fit(X, series(A)), X, series(A))
    words = [text.get_text() for text in shown.ax_.get_legend().get_texts()]
    assert [level for each in words for level in LEVELS if level in each] == LEVELS


def test_results_reports_and_subgroups_are_in_order():
    assert list(sk.bootstrap_metric(series(A), enum(B), "f1", average=None).labels) == LEVELS
    assert sk.bootstrap_agreement(pd.DataFrame({"a": series(A), "b": series(B)})).categories == tuple(LEVELS)
    assert sk.report(series(A), series(B)).labels == tuple(LEVELS)
    with pytest.warns(UserWarning, match="columns have no names"):
        found = sk.report(series(A), P)
    assert [row["estimate"] for row in found.rows if row["metric"] == "accuracy"] == [np.mean(P.argmax(axis=1) == A)]
    assert sk.compare_groups(PART, P[:, 0], series(A)).models == tuple(LEVELS)
    turned = pd.DataFrame({"a": series(A), "b": series(B, LEVELS[::-1])})
    with pytest.raises(ValueError, match=r"ratings\['a'\] and ratings\['b'\] must have categories in the same"):
        sk.bootstrap_agreement(turned)


def test_a_function_of_ones_own_sees_the_columns_of_an_array_as_they_came():
    """Only those of scikit-learn, which sort labels, get them in that order."""

    def first_column(_, table, sample_weight=None):
        return np.average(table[:, 0], weights=sample_weight)

    found = sk.bootstrap_metric(categories(A), P, first_column, range=(0, 1))
    assert found.estimate == pytest.approx(P[:, 0].mean())
