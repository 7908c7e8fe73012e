"""What comes in: one check of each kind, whatever the kind of list, array or table that it comes in.

What is missing, masked, named, ordered or rounded differently must be noticed wherever it is passed: the kinds are
tried on every parameter that takes them.
"""

from datetime import date, datetime
from decimal import Decimal
from functools import partial
from itertools import product

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from numpy.testing import assert_allclose
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import FixedThresholdClassifier, cross_val_score
from statistics_list import about

import skcostci as sk

RNG = np.random.default_rng(0)
Y = np.arange(60) % 2
S = RNG.random(60) + Y / 3
NAMES = np.array(["a", "b", "c"])[np.arange(60) // 20]

COLUMNS_OF_NAMES = {  # each takes a column of labels, names or ids as the parameter of this name
    "y_true": lambda column: sk.bootstrap_auc(column, S, pos_label="b"),
    "y_pred": lambda column: sk.bootstrap_expected_cost(NAMES, column, np.eye(3)),
    "y_pred_b": lambda column: sk.bootstrap_expected_cost_difference(NAMES, NAMES, column, np.eye(3)),
    "labels": lambda column: sk.bootstrap_expected_cost(NAMES, NAMES, np.eye(60), labels=column),
    "groups": lambda column: sk.bootstrap_auc(Y, S, groups=column),
    "folds": lambda column: sk.bootstrap_auc(Y, S, folds=column),
    "by": lambda column: sk.compare_groups(Y, S, column),
}
MISSING = [None, float("nan"), np.float64("nan"), pd.NA, pd.NaT, np.datetime64("NaT"), Decimal("NaN"), Decimal("sNaN")]
CONTAINERS = {
    "list": list,
    "objects": lambda values: np.array([*values, 0], dtype=object)[:-1],
    "pandas": lambda values: pd.Series(list(values), dtype=object),
}


@pytest.mark.parametrize("name", COLUMNS_OF_NAMES)
@pytest.mark.parametrize("container", CONTAINERS.values(), ids=list(CONTAINERS))
def test_what_is_missing_is_no_name(name, container):
    said = rf"^{name} must not contain NaN, None .*, got 1 among 60.* at position 4"
    for missing, others in product(MISSING, (NAMES.tolist(), list(range(60)))):  # texts, numbers
        column = container([missing if place == 4 else other for place, other in enumerate(others)])
        with about(missing, others[0]), pytest.raises(ValueError, match=said):
            COLUMNS_OF_NAMES[name](column)


@pytest.mark.parametrize("name", COLUMNS_OF_NAMES)
@pytest.mark.parametrize(
    "column",
    [
        pd.Series(["a", None] * 30, dtype="string"),
        pd.Series(["a", None] * 30, dtype="category"),
        pd.Series(pd.to_datetime(["2026-01-01", None] * 30)),
        pl.Series(["a", None] * 30),
        pl.Series([1, None] * 30),
        pa.array(["a", None] * 30),
    ],
    ids=["pandas texts", "pandas categories", "pandas times", "polars texts", "polars numbers", "pyarrow"],
)
def test_what_is_missing_in_a_typed_column_is_no_name(name, column):
    with pytest.raises(ValueError, match=f"^{name} must not contain NaN, None .*, got 30 among 60"):
        COLUMNS_OF_NAMES[name](column)


@pytest.mark.parametrize("name", COLUMNS_OF_NAMES)
def test_infinity_is_no_name(name):
    with pytest.raises(ValueError, match=f"^{name} must hold labels, got the infinite inf"):
        COLUMNS_OF_NAMES[name](np.where(np.arange(60) == 4, np.inf, np.arange(60)))


PAIRS = [
    ("1", 1),
    ("1.0", 1.0),
    ("True", True),
    ("007", "7"),
    ("0e1", "0e2"),
    (2**53, 2**53 + 1),
    (10**400, 10**400 + 1),
]


@pytest.mark.parametrize("pair", [*PAIRS, (2**53 + 1, 0.5 + 2**53)], ids=repr)
def test_ids_that_differ_stay_apart(pair):
    groups = [pair[i % 4 // 2] for i in range(60)]
    assert sk.bootstrap_auc(Y, S, groups=groups).law.n_groups == 2
    if type(pair[0]) is type(pair[1]):  # names of subgroups are texts
        assert len(sk.compare_groups(Y, S, np.array([*groups, 0], dtype=object)[:-1]).models) == 2


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.uint8, np.uint64, bool])
def test_ids_of_few_bits_stay_apart(dtype):
    ends = (0, 1) if dtype is bool else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    groups = np.array([ends[i % 4 // 2] for i in range(60)], dtype)
    assert sk.bootstrap_auc(Y, S, groups=groups).law.n_groups == 2
    several = np.arange(600) % 100
    small = (several - 50).astype(np.int8)
    y, s = np.arange(600) % 7 % 2, RNG.random(600)
    assert sk.bootstrap_auc(y, s, groups=small).standard_error == sk.bootstrap_auc(y, s, groups=several).standard_error


@pytest.mark.parametrize("unit", ["Y", "D", "us", "ns"])
@pytest.mark.parametrize("label", [np.datetime64("2021"), datetime(2021, 1, 1), pd.Timestamp(2021, 1, 1)], ids=type)
def test_times_are_labels(unit, label):
    times = np.array(["2020", "2021"], "datetime64[Y]").astype(f"datetime64[{unit}]")[Y]
    if unit in ("Y", "D") and not isinstance(label, np.datetime64):
        label = np.datetime64(label)
    assert float(sk.bootstrap_auc(times, S, pos_label=label)) == float(sk.bootstrap_auc(Y, S))
    assert float(sk.bootstrap_auc(pd.Series(times), S, pos_label=label)) == float(sk.bootstrap_auc(Y, S))


def test_days_of_polars_are_labels():
    """They come as times; whoever has days names a day."""
    days = pl.Series([date(2020 + label, 1, 1) for label in Y.tolist()])
    assert sk.bootstrap_auc(days, S, pos_label=date(2021, 1, 1)) == sk.bootstrap_auc(days, S, pos_label=days[1])
    assert float(sk.bootstrap_auc(list(days), S, pos_label=date(2021, 1, 1))) == float(sk.bootstrap_auc(Y, S))


def test_nanoseconds_are_labels_everywhere():
    """Python has no times as fine, and numpy takes its own for unlike themselves among objects."""
    times = np.array([0, 1], "datetime64[ns]")[Y]
    hits = times[np.arange(60) // 7 % 2]
    expected = float(sk.bootstrap_metric(times.astype(int), hits.astype(int), "recall"))
    assert float(sk.bootstrap_metric(times, hits, "recall", pos_label=times[1])) == expected
    assert (
        sk.compare_groups(Y, S, hits).estimate.tolist() == sk.compare_groups(Y, S, hits.astype(int)).estimate.tolist()
    )


@pytest.mark.parametrize("missing", [missing for missing in MISSING if missing is not None], ids=repr)
def test_what_is_missing_is_no_label_to_ask_for(missing):
    with pytest.raises(ValueError, match=r"pos_label=.+ is not a valid label. It must be one of \[0, 1\]"):
        sk.bootstrap_auc(Y, S, pos_label=missing)
    with pytest.raises(ValueError, match="reference must be one of 'a', 'b', 'c', got "):
        sk.compare_groups(Y, S, NAMES, reference=missing)


MASKED = np.ma.array(S, mask=Y == 0)


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("y_score", lambda: sk.compare_groups(Y, MASKED, NAMES)),
        ("y_true", lambda: sk.compare_groups(np.ma.array(Y, mask=Y == 0), S, NAMES)),
        ("sample_weight", lambda: sk.compare_groups(Y, S, NAMES, sample_weight=np.ma.array(Y + 1, mask=Y == 0))),
        ("by", lambda: sk.compare_groups(Y, S, np.ma.array(Y, mask=Y == 0))),
        ("folds", lambda: sk.bootstrap_auc(Y, S, folds=np.ma.array(Y, mask=Y == 0))),
        ("groups", lambda: sk.bootstrap_auc(Y, S, groups=np.ma.array(Y, mask=Y == 0))),
        ("contrast", lambda: sk.compare_models(Y, {"a": S, "b": Y}, contrast=np.ma.array([[1, -1]], mask=[[0, 1]]))),
        ("numerator", lambda: sk.Metric(np.ma.array([1, 0, 0, 1], mask=[0, 1, 0, 0]), (1, 1, 1, 1))),
        ("denominator", lambda: sk.Metric((1, 0, 0, 0), np.ma.array([1, 1, 1, 1], mask=[0, 1, 0, 0]))),
        ("share", lambda: sk.Metric((1, 0, 0, 0), (1, 1, 1, 1)).on_rates(np.ma.array([0.1], mask=[1]))),
        ("y_score", lambda: sk.bootstrap_auc(Y, [*S[:-1], np.ma.masked])),
        ("y_score", lambda: sk.bootstrap_auc(NAMES, list(np.ma.array(np.eye(60)[:, :3], mask=1)), multi_class="ovr")),
        ("y", lambda: sk.ROCConfidenceDisplay.from_predictions(np.ma.array(Y, mask=Y == 0), S)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_what_is_masked_is_refused(name, call):
    with pytest.raises(ValueError, match=f"^{name} must not have masked entries"):
        call()


class Counted:
    """A column that counts how often it is converted."""

    def __init__(self, column):
        self.column, self.times = column, 0

    def __array__(self, dtype=None, copy=None):
        self.times += 1
        return np.array(self.column, dtype)


def test_predicted_labels_are_converted_once():
    columns = [Counted(column) for column in (Y, S > 0.5, S > 0.7)]
    sk.bootstrap_metric(columns[0], columns[1], "f1")
    sk.bootstrap_metric_difference(columns[0], *columns[1:], "f1")
    assert [column.times for column in columns] == [2, 2, 1]


# Names in tables

CLASSES = np.array(["x", "a", "m"])
TRUTH = CLASSES[np.arange(60) % 3]
P = RNG.dirichlet([1, 1, 1], 60) + 0.4 * np.eye(3)[np.arange(60) % 3]
P /= P.sum(axis=1, keepdims=True)
IN_ORDER = P[:, [1, 2, 0]]  # of the sorted classes
NAMED = pd.DataFrame(P, columns=CLASSES)
TABLES = {"pandas": NAMED, "polars": pl.from_pandas(NAMED), "pyarrow": pa.Table.from_pandas(NAMED)}


@pytest.mark.parametrize("table", TABLES.values(), ids=list(TABLES))
@pytest.mark.parametrize("multi_class", ["ovr", "ovo"])
def test_columns_named_by_the_classes_are_used_by_name(table, multi_class):
    right = roc_auc_score(TRUTH, IN_ORDER, multi_class=multi_class)
    assert float(sk.bootstrap_auc(TRUTH, table, multi_class=multi_class)) == pytest.approx(right)
    assert float(sk.bootstrap_auc(TRUTH, table, multi_class=multi_class, labels=CLASSES)) == pytest.approx(right)
    difference = sk.bootstrap_auc_difference(TRUTH, table, IN_ORDER, multi_class=multi_class)
    assert float(difference) == pytest.approx(0, abs=1e-12)


def test_displays_use_columns_by_name():
    drawn = sk.ROCConfidenceDisplay.from_predictions(TRUTH, NAMED)
    expected = sk.ROCConfidenceDisplay.from_predictions(TRUTH, IN_ORDER)
    assert len(drawn.line_) == len(expected.line_) == 3
    for line, other in zip(drawn.line_, expected.line_, strict=True):
        assert_allclose(line.get_xydata(), other.get_xydata())
        assert line.get_label() == other.get_label()


@pytest.mark.parametrize(
    ("truth", "table"),
    [
        (np.arange(60) % 3, pd.DataFrame(P)[[2, 0, 1]]),
        (np.arange(60) % 3 + 1.0, pl.DataFrame(P[:, [2, 0, 1]], schema=["3", "1", "2"])),
        ((np.arange(60) % 3).astype(str), pd.DataFrame(P)[[2, 0, 1]]),
    ],
    ids=["numbers", "numbers as texts", "texts as numbers"],
)
def test_names_are_compared_as_they_are_written(truth, table):
    right = roc_auc_score(np.arange(60) % 3, P, multi_class="ovr")
    assert float(sk.bootstrap_auc(truth, table, multi_class="ovr")) == pytest.approx(right)


@pytest.mark.parametrize(
    ("table", "labels"),
    [
        (pd.DataFrame(IN_ORDER), None),
        (pd.DataFrame(IN_ORDER, columns=["p1", "p2", "p3"]), None),
        (pl.DataFrame(IN_ORDER), None),
        (pd.DataFrame(P), CLASSES),
    ],
)
def test_names_that_name_no_class_go_by_position(table, labels):
    right = roc_auc_score(TRUTH, IN_ORDER, multi_class="ovr")
    assert float(sk.bootstrap_auc(TRUTH, table, multi_class="ovr", labels=labels)) == pytest.approx(right)


def test_the_numbers_that_pandas_gives_to_unnamed_columns_say_nothing():
    counted_from_1 = np.arange(60) % 3 + 1
    right = roc_auc_score(counted_from_1, P, multi_class="ovr")
    assert float(sk.bootstrap_auc(counted_from_1, pd.DataFrame(P), multi_class="ovr")) == pytest.approx(right)


@pytest.mark.parametrize(
    ("table", "labels", "message"),
    [
        (NAMED, ["a", "m", "x"], r"y_score's columns are named .'x', 'a', 'm'., which contradicts labels="),
        (NAMED.rename(columns={"a": "b"}), None, r"y_score's columns must be named by the classes .*, got 'b'"),
        (NAMED[["a", "x", "x"]], None, r"y_score's columns must be named by the classes .* each once, .*, got 'x'"),
    ],
)  # fmt: skip
def test_names_that_contradict_are_refused(table, labels, message):
    with pytest.raises(ValueError, match=message):
        sk.bootstrap_auc(TRUTH, table, multi_class="ovr", labels=labels)


GOOD, BAD = ["Good"], ["Bad"]
JUDGED = BAD * 3 + GOOD * 7, BAD * 2 + GOOD * 6 + BAD * 2  # one miss, two alarms
COSTS = pd.DataFrame([[0, 1], [5, 0]], ["Good", "Bad"], ["Good", "Bad"])  # 5 for a bad one that is taken for good
OF_COSTS = {
    "estimate": lambda costs, **options: float(sk.bootstrap_expected_cost(*JUDGED, costs, **options)),
    "difference": lambda costs, **options: float(
        sk.bootstrap_expected_cost_difference(*JUDGED, JUDGED[0], costs, **options)
    ),
    "loss": lambda costs, **options: sk.expected_cost_loss(*JUDGED, cost_matrix=costs, **options),
    "scorer": lambda costs, **options: (
        -sk.make_expected_cost_scorer(costs, **options)(FixedAnswer(JUDGED[1]), np.zeros((10, 1)), JUDGED[0])
    ),
}


class FixedAnswer(DummyClassifier):
    """A fitted classifier that gives these answers."""

    def __init__(self, answers):
        self.answers, self.classes_ = answers, ["Bad", "Good"]

    def predict(self, X):
        return np.array(self.answers)


@pytest.mark.parametrize("call", OF_COSTS.values(), ids=list(OF_COSTS))
def test_labelled_cost_matrices_are_used_by_name(call):
    assert call(COSTS) == pytest.approx(0.7)
    assert call(COSTS[["Bad", "Good"]]) == pytest.approx(0.7)
    assert call(COSTS, labels=["Good", "Bad"]) == pytest.approx(0.7)
    assert call(pl.from_pandas(COSTS), labels=["Good", "Bad"]) == pytest.approx(0.7)
    assert call(pd.DataFrame([[0, 5], [1, 0]])) == pytest.approx(0.7)
    with pytest.raises(ValueError, match=r"cost_matrix's rows are named \['Good', 'Bad'\], which contradicts labels"):
        call(COSTS, labels=["Bad", "Good"])


def test_half_named_cost_matrices_are_refused():
    with pytest.raises(ValueError, match="cost_matrix must have names for its rows too, or labels in the order of its"):
        OF_COSTS["loss"](pl.from_pandas(COSTS))
    with pytest.raises(ValueError, match=r"cost_matrix's columns must be named by the classes .*, got 'bad'"):
        OF_COSTS["loss"](COSTS.rename(columns={"Bad": "bad"}))


def test_a_labelled_cost_matrix_scores_in_cross_validation():
    X, y = S[:, None], np.where(Y, "Good", "Bad")
    scores = [
        cross_val_score(LogisticRegression(), X, y, scoring=sk.make_expected_cost_scorer(costs), error_score="raise")
        for costs in (COSTS, [[0, 5], [1, 0]])
    ]
    assert_allclose(*scores)


# Series in another order

UNSORTED = pd.Series(Y, index=range(100, 160)).iloc[::-1]
ORDERED = pd.Series(S, index=range(100, 160))


@pytest.mark.parametrize(
    ("names", "call"),
    [
        ("y_true and y_score", lambda: sk.bootstrap_auc(UNSORTED, ORDERED)),
        ("y_true and y_score_b", lambda: sk.bootstrap_auc_difference(UNSORTED, S, ORDERED)),
        ("y_true and sample_weight", lambda: sk.bootstrap_auc(UNSORTED, S, sample_weight=ORDERED.round())),
        ("y_score and groups", lambda: sk.bootstrap_auc(Y, ORDERED, groups=UNSORTED)),
        ("y_true and folds", lambda: sk.bootstrap_auc(UNSORTED, S, folds=ORDERED.round())),
        ("y_true and by", lambda: sk.compare_groups(UNSORTED, S, ORDERED.round())),
        ("y_true and y_pred", lambda: sk.bootstrap_metric(UNSORTED, ORDERED.round(), "accuracy")),
        ("y_true and y_pred", lambda: sk.bootstrap_expected_cost(UNSORTED, ORDERED.round(), np.eye(2))),
        ("y_true and y_score", lambda: sk.normalized_cost_loss(UNSORTED, ORDERED, probability_cost=0.5, threshold=0.5)),
        ("y_true and y_score", lambda: sk.bootstrap_auc(
            pd.Series(TRUTH, range(1, 61)).iloc[::-1], NAMED.set_index(np.arange(1, 61)), multi_class="ovr")),
        ("y_true and y_score", lambda: sk.bootstrap_auc(
            pd.Series(Y, index=["x", 1] * 30), pd.Series(S, index=[1, "x"] * 30))),
    ],
)  # fmt: skip
def test_series_of_the_same_cases_in_another_order_are_refused(names, call):
    with pytest.raises(ValueError, match=f"^{names} must hold the cases in one order"):
        call()


def test_series_of_other_indexes_go_by_position():
    right = float(sk.bootstrap_auc(UNSORTED.to_numpy(), S))
    assert float(sk.bootstrap_auc(UNSORTED, pd.Series(S))) == right
    assert float(sk.bootstrap_auc(UNSORTED, pd.Series(S, index=UNSORTED.index))) == right
    assert float(sk.bootstrap_auc(UNSORTED, pl.Series(S))) == right


# Scores in their own precision

RISKS = RNG.integers(0, 101, 200) / 100
ILL = np.arange(200) % 2
THRESHOLDS = np.arange(101) / 100
OTHER = RISKS[::-1].copy()


@pytest.mark.parametrize("dtype", [np.float16, np.float32, ">f4", np.float64])
def test_scores_are_compared_in_their_own_precision(dtype):
    scores = RISKS.astype(dtype)
    hits = np.array([scores >= threshold for threshold in THRESHOLDS.tolist()])  # as NumPy 2 compares them
    assert (hits == (THRESHOLDS[:, None] <= RISKS)).mean() > 0.97
    right = (hits == ILL).mean(axis=1)
    accuracy = partial(sk.bootstrap_metric, ILL, scores, "accuracy", thresholds=THRESHOLDS)
    assert_allclose(accuracy().estimate, right)
    assert_allclose(accuracy(groups=np.arange(200) // 4).estimate, right)
    pair = sk.bootstrap_metric_difference(ILL, scores, OTHER, "accuracy", thresholds=THRESHOLDS)
    assert_allclose(pair.estimate, right - ((THRESHOLDS[:, None] <= OTHER) == ILL).mean(axis=1), atol=1e-12)
    rates = sk.bootstrap_roc_at_threshold(ILL, scores, thresholds=THRESHOLDS)
    assert_allclose(rates.tpr.estimate, hits[:, ILL == 1].mean(axis=1))
    counted = sk.AggregatedScores.from_arrays(ILL, scores)
    again = sk.bootstrap_roc_at_threshold(**counted, thresholds=THRESHOLDS)
    assert_allclose(again.tpr.estimate, rates.tpr.estimate)
    losses = [
        sk.normalized_cost_loss(ILL, scores, probability_cost=0.5, threshold=threshold)
        for threshold in THRESHOLDS.tolist()
    ]
    assert_allclose(losses, 1 - right)


@pytest.mark.parametrize("bins", [None, [0.1, 0.13, 0.7, 0.72], np.linspace(0, 1, 11), [0.7]])
@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_bins_of_float32_scores_are_cut_where_thresholds_are(frame, bins):
    scores = RISKS.astype(np.float32)
    counted = sk.aggregate_scores(frame({"y": ILL, "s": scores}), y_true="y", y_score="s", bins=bins)
    for edge in THRESHOLDS if bins is None else bins:
        right = sk.bootstrap_roc_at_threshold(ILL, scores, thresholds=float(edge))
        binned = sk.bootstrap_roc_at_threshold(**counted, thresholds=float(edge))
        assert (float(binned.tpr), float(binned.fpr)) == (float(right.tpr), float(right.fpr))


def test_a_threshold_decides_as_scikit_learns_classifier_does():
    class OfFloat32(LogisticRegression):
        def predict_proba(self, X):
            return np.column_stack([1 - X[:, 0], X[:, 0]]).astype(np.float32)

    X = RISKS[:, None]
    fixed = FixedThresholdClassifier(OfFloat32().fit(X, ILL), threshold=0.7, response_method="predict_proba").fit(
        X, ILL
    )
    scores = fixed.estimator_.predict_proba(X)[:, 1]
    assert (scores[RISKS == 0.7] < 0.7).sum() == 0
    expected = sk.bootstrap_metric(ILL, fixed.predict(X), "accuracy")
    assert float(sk.bootstrap_metric(ILL, scores, "accuracy", thresholds=0.7)) == float(expected)


# What was passed by mistake

MANY = np.linspace(0.01, 0.99, 60)


@pytest.mark.parametrize(
    ("message", "call"),
    [
        ("y_pred must hold class labels, got numbers such as 0.01. These look like scores",
         lambda: sk.bootstrap_expected_cost(Y, MANY, [[0, 1], [5, 0]])),
        ("y_pred_b must hold class labels, got numbers such as 0.01. These look like scores",
         lambda: sk.bootstrap_expected_cost_difference(Y, Y, MANY, [[0, 1], [5, 0]])),
        ("y_pred holds 0.01, which is not among labels=.0, 1.. These look like scores",
         lambda: sk.expected_cost_loss(Y, MANY, cost_matrix=[[0, 1], [5, 0]], labels=[0, 1])),
        ("y_pred must hold the labels 0 and 1 .*, got 0.01. These look like scores",
         lambda: sk.bootstrap_metric(Y, MANY, "f1")),
        ("got 60 classes .* are y_true and y_score swapped", lambda: sk.bootstrap_auc(MANY, Y)),
        ("got 60 classes .* are y_true and y_score swapped", lambda: sk.bootstrap_auc(np.arange(60), Y)),
        ("got 60 classes .* are y_true and y_pred swapped", lambda: sk.bootstrap_metric(MANY, Y, "f1")),
        ("y_true must hold class labels, got numbers such as 0.01, .* are y_true and y_pred swapped",
         lambda: sk.expected_cost_loss(MANY, Y, cost_matrix=[[0, 1], [5, 0]])),
        ("got 60 classes .* These look like scores", lambda: sk.bootstrap_auc(MANY, MANY)),
        ("got 3 classes .* pass y_true == 0 and the scores for that class",
         lambda: sk.bootstrap_cost(np.arange(60) % 3, S)),
    ],
)  # fmt: skip
def test_messages_say_what_it_may_have_been(message, call):
    with pytest.raises(ValueError, match=message):
        call()


def test_who_asks_about_something_else_is_not_told_about_aucs():
    for call in (
        lambda: sk.bootstrap_cost(np.arange(60) % 3, S),
        lambda: sk.bootstrap_roc_at_fpr(np.arange(60) % 3, S),
        lambda: sk.normalized_cost_loss(np.arange(60) % 3, S, probability_cost=0.5),
        lambda: sk.bootstrap_metric(np.arange(60) % 3, S, "f1", thresholds=0.5),
    ):
        with pytest.raises(ValueError, match="got 3 classes") as error:
            call()
        assert "AUC" not in str(error.value)
    with pytest.raises(ValueError, match=r"got 3 classes .* multi_class='ovr' or 'ovo'"):
        sk.bootstrap_auc(np.arange(60) % 3, S)


def test_labels_with_fractions_are_labels_where_the_truth_has_them():
    grades = np.array([1.0, 1.5, 2.0])[np.arange(60) % 3]
    assert float(sk.bootstrap_expected_cost(grades, grades, np.eye(3))) == 1
    assert float(sk.bootstrap_expected_cost(Y, Y + 0.0, np.eye(2))) == 1
    assert float(sk.bootstrap_expected_cost(Y, Y / 2, np.ones((3, 3)), labels=[0, 0.5, 1])) == 1


@pytest.mark.parametrize("prevalence", [1e-160, 1e-10, 1 - 1e-10])
def test_prevalences_at_which_nothing_can_be_told_apart_are_refused(prevalence):
    with pytest.raises(ValueError, match=r"^prevalence must leave a share of at least 1e-09 to each class, got"):
        sk.bootstrap_metric(Y, S > 0.5, "precision", prevalence=prevalence)
