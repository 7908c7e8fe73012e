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
from sklearn import metrics
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score
from sklearn.model_selection import FixedThresholdClassifier, cross_val_score
from statistics_list import about

import skcostci as sk

RNG = np.random.default_rng(0)
Y = np.arange(60) % 2
S = RNG.random(60) + Y / 3
NAMES = np.array(["a", "b", "c"])[np.arange(60) // 20]


def grouped(function, y_true, y_pred, **options):
    return function(y_true, y_pred, groups=np.arange(len(y_true)) // 2, **options)


def against_zeros(function, y_true, y_pred, **options):
    return function(y_true, np.zeros(len(y_true)), y_pred, **options)


class FixedAnswer(DummyClassifier):
    """A fitted classifier that gives these answers."""

    def __init__(self, answers):
        self.answers, self.classes_ = answers, ["Bad", "Good"]

    def predict(self, X):
        return np.array(self.answers)


def scored(name, y_true, y_pred):
    return sk.make_metric_scorer(name)(FixedAnswer(y_pred), np.zeros((len(y_true), 1)), y_true)


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
    infinite, others = [np.inf, -np.inf, np.float32(np.inf), Decimal("-Infinity")], (NAMES.tolist(), list(range(60)))
    columns = [[each if i == 4 else other for i, other in enumerate(row)] for each, row in product(infinite, others)]
    dressed = [container(column) for container, column in product(CONTAINERS.values(), columns)]
    for column in (*dressed, np.where(np.arange(60) == 4, np.inf, np.arange(60))):
        said = rf"^{name} must contain labels, got .*inf.* at position 4"
        with about(column[4]), pytest.raises(ValueError, match=said):
            COLUMNS_OF_NAMES[name](column)


def test_whole_numbers_beyond_all_floats_are_names():
    assert sk.bootstrap_auc(Y, S, groups=[10**400 + i // 4 for i in range(60)]).n_groups == 15


@pytest.mark.parametrize("label", [np.inf, -np.inf, np.float32(np.inf), Decimal("Infinity")], ids=repr)
def test_infinity_is_no_label_to_ask_for(label):
    with pytest.raises(ValueError, match=r"pos_label=.+ is not a valid label. It must be one of \[1\]"):
        sk.bootstrap_loss([1] * 9, [0.5] * 9, pos_label=label)
    with pytest.raises(ValueError, match=r"labels must contain labels, got the infinite"):
        sk.bootstrap_metric(Y, Y, "f1", average="macro", labels=[0, 1, label])


NOT_FINITE = [  # scikit-learn's own tests have the first seven
    *(([0, 1], [a, b]) for a, b in ((np.inf, np.inf), (np.nan, np.nan), (np.nan, np.inf), (np.inf, 1), (np.nan, 1))),
    *(([a, 1, 2], [1, 2, 3]) for a in (np.nan, np.inf)),
    *(([0, 1, 1, 0], [0, a, 1, 0]) for a in (np.nan, np.inf, -np.inf)),
    *(([0, a, 1, 0], [0, 1, 1, 0]) for a in (np.nan, np.inf, -np.inf)),
]
COUNTED = ("accuracy", "balanced_accuracy", "f1", "fomr", "hamming", "kappa", "lift", "mcc", "precision", "youden")
BY_FUNCTION = (
    metrics.accuracy_score,
    metrics.mean_absolute_error,
    lambda y, guess, sample_weight: np.average(y == guess, weights=sample_weight),
)
JUDGES = {
    **{name: partial(sk.bootstrap_metric, metric=name) for name in COUNTED},
    **{f"{name} in groups": partial(grouped, sk.bootstrap_metric, metric=name) for name in COUNTED},
    **{f"{name} difference": partial(against_zeros, sk.bootstrap_metric_difference, metric=name) for name in COUNTED},
    **{f"{name} scorer": partial(scored, name) for name in COUNTED},
    **{f"macro {name}": partial(sk.bootstrap_metric, metric=name, average="macro") for name in ("f1", "precision")},
    **{f"{name} loss": partial(sk.bootstrap_loss, loss=name) for name in ("zero_one", "brier", "absolute_error")},
    "loss of a function": partial(sk.bootstrap_loss, loss=lambda y, guess: (y != guess) * 1.0),
    **{f"function {i}": partial(sk.bootstrap_metric, metric=function) for i, function in enumerate(BY_FUNCTION)},
    "weighted kappa": partial(sk.bootstrap_metric, metric="kappa", kappa_weights="linear"),
    "expected cost": partial(sk.bootstrap_expected_cost, cost_matrix=np.eye(3)),
    "expected cost of two": partial(sk.bootstrap_expected_cost, cost_matrix=np.eye(2)),
    "expected cost loss": partial(sk.expected_cost_loss, cost_matrix=np.eye(3)),
    "cost": partial(sk.bootstrap_cost, probability_cost=0.5),
    "cost loss": partial(sk.normalized_cost_loss, probability_cost=0.5, threshold=0.5),
    "total cost loss": sk.total_expected_cost_loss,
    "auc": sk.bootstrap_auc,
    "average precision": sk.bootstrap_average_precision,
    "calibration": sk.bootstrap_calibration,
    "report": sk.report,
    "ROC": sk.ROCConfidenceDisplay.from_predictions,
    "calibration display": sk.CalibrationConfidenceDisplay.from_predictions,
    "models": lambda y, guess: sk.compare_models(y, {"a": guess, "b": [0, 1, 1, 0][: len(y)]}, "kappa"),
    "subgroups": lambda y, guess: sk.compare_groups(y, guess, [0, 1, 1, 0][: len(y)], "accuracy"),
}


@pytest.mark.parametrize("judge", JUDGES.values(), ids=list(JUDGES))
def test_what_is_not_finite_is_judged_by_none(judge):
    for y_true, y_pred in NOT_FINITE:
        with about(y_true, y_pred), pytest.raises(ValueError, match=r"(?i)nan|infini|finite|in \[0, 1\]"):
            judge(y_true, y_pred)


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
    assert sk.bootstrap_auc(Y, S, groups=groups).n_groups == 2
    if type(pair[0]) is type(pair[1]):  # names of subgroups are texts
        assert len(sk.compare_groups(Y, S, np.array([*groups, 0], dtype=object)[:-1]).models) == 2


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.uint8, np.uint64, bool])
def test_ids_of_few_bits_stay_apart(dtype):
    ends = (0, 1) if dtype is bool else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    groups = np.array([ends[i % 4 // 2] for i in range(60)], dtype)
    assert sk.bootstrap_auc(Y, S, groups=groups).n_groups == 2
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
LABELS = np.sort(CLASSES)
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


def of_truth(y_true, table, sample_weight=None):
    """The mean probability of the truth, from columns in the order of the classes."""
    return np.average(table[np.arange(len(y_true)), np.searchsorted(LABELS, y_true)], weights=sample_weight)


def each_of_truth(y_true, table):
    return table[np.arange(len(y_true)), np.searchsorted(LABELS, y_true)]


def brier(y_true, table):
    """brier_score_loss takes several classes from scikit-learn 1.7 on."""
    return ((table - (np.asarray(y_true)[:, None] == LABELS)) ** 2).sum(axis=1).mean()


BY_CLASS = {  # each takes a column a class: what is asked of a table, and what is right
    "brier": (sk.bootstrap_loss, brier),
    "log loss": (partial(sk.bootstrap_loss, loss="log_loss"), log_loss),
    "log loss by fold": (partial(sk.bootstrap_loss, loss="log_loss", folds=np.arange(60) // 20), log_loss),
    "log loss by group": (partial(sk.bootstrap_loss, loss="log_loss", groups=np.arange(60) // 4), log_loss),
    "loss of a function": (partial(sk.bootstrap_loss, loss=each_of_truth), of_truth),
    "loss difference": (lambda y, table: sk.bootstrap_loss_difference(y, table, IN_ORDER), lambda y, table: 0),
    "function": (partial(sk.bootstrap_metric, metric=log_loss), log_loss),
    "function of folds": (partial(sk.bootstrap_metric, metric=of_truth, folds=np.arange(60) // 20), of_truth),
    "difference": (lambda y, table: sk.bootstrap_metric_difference(y, IN_ORDER, table, of_truth), lambda y, table: 0),
    "models": (lambda y, table: sk.compare_models(y, {"a": table, "b": P}, of_truth).estimate[0], of_truth),
    "subgroups": (
        lambda y, table: sk.compare_groups(y, table, np.arange(60) // 30, of_truth).estimate.mean(),
        of_truth,
    ),
}


@pytest.mark.parametrize("table", TABLES.values(), ids=list(TABLES))
@pytest.mark.parametrize(("ask", "right"), BY_CLASS.values(), ids=list(BY_CLASS))
def test_columns_named_by_the_classes_are_used_by_name_for_losses_and_functions(ask, right, table):
    assert float(ask(TRUTH, table)) == pytest.approx(right(TRUTH, IN_ORDER), abs=1e-12)
    assert float(ask(TRUTH, pd.DataFrame(IN_ORDER))) == pytest.approx(right(TRUTH, IN_ORDER), abs=1e-12)


@pytest.mark.parametrize(("ask", "right"), BY_CLASS.values(), ids=list(BY_CLASS))
@pytest.mark.parametrize(
    "names", [["a", "m", "b"], ["a", "m", "m"], [1, 5, 7], ["good", "bad", "ugly"], ["p2", "p1", "p0"]]
)
def test_names_of_anything_else_are_refused(ask, right, names):
    with pytest.raises(ValueError, match=r"columns must be named by the classes \['a', 'm', 'x'\] or be an array"):
        ask(TRUTH, pd.DataFrame(IN_ORDER, columns=names))


PROBA = 0.5 * Y + S / 4
TWO = np.column_stack([PROBA, 1 - PROBA])


@pytest.mark.parametrize("names", [[1, 0], [True, False], ["1", "0"], ["True", "False"], ["1.0", "0.0"]], ids=str)
@pytest.mark.parametrize("labels", [[0, 1], [False, True], [0.0, 1.0], ["0", "1"], ["False", "True"]], ids=str)
def test_two_classes_have_their_names_in_any_spelling(names, labels):
    y_true = np.array(labels)[Y]
    for table in (pd.DataFrame(TWO, columns=names), pl.DataFrame(TWO, schema=list(map(str, names)))):
        assert float(sk.bootstrap_loss(y_true, table)) == pytest.approx(brier_score_loss(Y, PROBA))
        if names in ([1, 0], ["1.0", "0.0"]):
            assert float(sk.bootstrap_metric(y_true, table, log_loss)) == pytest.approx(log_loss(Y, PROBA))
        assert float(sk.bootstrap_auc(y_true, table, multi_class="ovr")) == pytest.approx(roc_auc_score(Y, PROBA))


@pytest.mark.parametrize(("names", "named"), [([2, 3], "2"), (["1", "2"], "'2'"), (["yes", "no"], "'yes'")])
def test_numbers_that_are_no_classes_name_other_ones(names, named):
    with pytest.raises(ValueError, match=rf"y_pred's columns must be named by the classes \[0, 1\].*, got {named}"):
        sk.bootstrap_loss(Y, pd.DataFrame(TWO, columns=names))


def test_labels_that_are_stated_are_the_order_of_names():
    some = Y == 0  # of two classes of three
    told, table = partial(log_loss, labels=[0, 1, 2]), pd.DataFrame(IN_ORDER)
    right = told(Y[some], IN_ORDER[some])
    assert float(sk.bootstrap_metric(Y[some], table[some], told)) == pytest.approx(right)
    assert float(sk.bootstrap_loss(Y[some], table[some], "log_loss", labels=[0, 1, 2])) == pytest.approx(right)
    swapped = table[[2, 0, 1]][some]
    for ask in (partial(sk.bootstrap_metric, metric=told), partial(sk.bootstrap_loss, labels=[0, 1, 2])):
        with pytest.raises(ValueError, match=r"y_pred's columns are named \[2, 0, 1\], labels are"):
            ask(Y[some], swapped)
    with pytest.raises(ValueError, match=r"y_pred's columns must be named by the classes \[0\].*, got 2"):
        sk.bootstrap_metric(Y[some], swapped, lambda y, table, sample_weight: np.average(table[:, 0]))


def test_columns_that_are_no_classes_are_passed_on_as_they_are():
    counts = RNG.poisson(3, 60)
    quantiles = pd.DataFrame(np.sort(P, axis=1), columns=["q10", "q50", "q90"])
    loss = sk.bootstrap_loss(counts, quantiles, lambda y, table: np.abs(y - table[:, 1]))
    assert float(loss) == pytest.approx(np.abs(counts - quantiles["q50"]).mean())


def test_several_truths_a_case_have_names_too():
    truths = pd.DataFrame(P, columns=["a", "b", "c"])
    for guesses in (truths[["c", "a", "b"]], truths.set_axis(["x", "y", "z"], axis=1), truths.to_numpy()):
        assert float(sk.bootstrap_metric(truths, guesses, metrics.mean_squared_error)) == 0


ONE_COLUMN = {
    "AUC": lambda y, table: sk.bootstrap_auc(y, table, pos_label="ill"),
    "cost": lambda y, table: sk.bootstrap_cost(y, table, probability_cost=0.5, pos_label="ill"),
    "Brier": lambda y, table: sk.bootstrap_loss(y, table, pos_label="ill"),
    "labels": lambda y, table: sk.bootstrap_loss(y, table, labels=["well", "ill"]),
    "calibration": lambda y, table: sk.bootstrap_calibration(y, table, pos_label="ill"),
    "display": lambda y, table: sk.ROCConfidenceDisplay.from_predictions(y, table, pos_label="ill"),
    "metric": lambda y, table: sk.bootstrap_metric(y, table, "f1", thresholds=0.5, pos_label="ill"),
    "report": lambda y, table: sk.report(y, {"a": table}, pos_label="ill"),
}


@pytest.mark.parametrize("ask", ONE_COLUMN.values(), ids=list(ONE_COLUMN))
def test_a_single_column_is_not_that_of_the_other_class(ask):
    y_true = np.where(Y, "ill", "well")
    for table in (pd.DataFrame({"ill": PROBA}), pl.DataFrame({"ill": PROBA}), pd.DataFrame(PROBA)):
        ask(y_true, table)
    with pytest.raises(ValueError, match=r"is named 'well', but 'ill' is the positive class"):
        ask(y_true, pl.DataFrame({"well": 1 - PROBA}))


def test_a_column_a_class_is_none_a_model():
    for ask in (sk.report, sk.compare_models):
        ask(Y, pd.DataFrame({0: PROBA, 1: PROBA**2}))
        with pytest.raises(ValueError, match=r"y_scores must have a column per model, got one per class, \[1, 0"):
            ask(Y, pd.DataFrame(TWO, columns=[1, 0]))
    with pytest.raises(ValueError, match=r"y_proba must be one-dim.*Pass one column, such as y_proba\['0'\] for that"):
        sk.bootstrap_calibration(Y, pl.DataFrame(TWO, schema=["1", "0"]))


class Tables(FixedAnswer):
    """A classifier that predicts tables."""

    def predict_proba(self, X):
        return self.answers


def test_scorers_use_tables_of_estimators_by_name():
    estimator = Tables(NAMED)
    estimator.classes_ = LABELS
    scorer = sk.make_metric_scorer(log_loss, response_method="predict_proba")
    assert scorer(estimator, P, TRUTH) == pytest.approx(-log_loss(TRUTH, IN_ORDER))


def test_displays_use_columns_by_name():
    drawn = sk.ROCConfidenceDisplay.from_predictions(TRUTH, NAMED)
    expected = sk.ROCConfidenceDisplay.from_predictions(TRUTH, IN_ORDER)
    assert len(drawn.line_) == len(expected.line_) == 3
    for line, other in zip(drawn.line_, expected.line_, strict=True):
        assert_allclose(line.get_xydata(), other.get_xydata())
        assert line.get_label() == other.get_label()


NUMBERS, ORDERED_P = np.arange(60) % 3, P[:, [2, 0, 1]]
READ = {  # truth and a table, labels if they are stated, and the table in the order of the classes
    "numbers": (NUMBERS, pd.DataFrame(P)[[2, 0, 1]], None, P),
    "numbers as texts": (NUMBERS + 1.0, pl.DataFrame(ORDERED_P, schema=["3", "1", "2"]), None, P),
    "texts as numbers": (NUMBERS.astype(str), pd.DataFrame(P)[[2, 0, 1]], None, P),
    "places": (TRUTH, pd.DataFrame(IN_ORDER), None, IN_ORDER),
    "names of no class": (TRUTH, pd.DataFrame(IN_ORDER, columns=["p1", "p2", "p3"]), None, IN_ORDER),
    "names that polars gives": (TRUTH, pl.DataFrame(IN_ORDER), None, IN_ORDER),
    "places in the order of labels": (TRUTH, pd.DataFrame(P), CLASSES, IN_ORDER),
    "numbers that pandas gives to unnamed columns": (NUMBERS + 1, pd.DataFrame(P), None, P),
}


@pytest.mark.parametrize(("truth", "table", "labels", "in_order"), READ.values(), ids=READ)
def test_names_are_compared_as_they_are_written_and_those_of_no_class_go_by_position(truth, table, labels, in_order):
    right = roc_auc_score(truth, in_order, multi_class="ovr")
    assert float(sk.bootstrap_auc(truth, table, multi_class="ovr", labels=labels)) == pytest.approx(right)


@pytest.mark.parametrize(
    ("table", "labels", "message"),
    [
        (NAMED, ["a", "m", "x"], r"y_score's columns are named .'x', 'a', 'm'., labels are"),
        (NAMED.rename(columns={"a": "b"}), None, r"y_score's columns must be named by the classes .*, got 'b'"),
        (NAMED[["a", "x", "x"]], None, r"y_score's columns must be named by the classes .* or be an array, got 'x'"),
    ],
)  # fmt: skip
def test_names_that_contradict_are_refused(table, labels, message):
    with pytest.raises(ValueError, match=message):
        sk.bootstrap_auc(TRUTH, table, multi_class="ovr", labels=labels)


GOOD, BAD = ["Good"], ["Bad"]
JUDGED = BAD * 3 + GOOD * 7, BAD * 2 + GOOD * 6 + BAD * 2  # one miss, two alarms
COSTS = pd.DataFrame([[0, 1], [5, 0]], ["Good", "Bad"], ["Good", "Bad"])  # 5 for a bad one that is taken for good
OF_COSTS = {
    "estimate": lambda costs, **more: float(sk.bootstrap_expected_cost(*JUDGED, costs, **more)),
    "difference": lambda costs, **more: float(sk.bootstrap_expected_cost_difference(*JUDGED, JUDGED[0], costs, **more)),
    "loss": lambda costs, **more: sk.expected_cost_loss(*JUDGED, cost_matrix=costs, **more),
    "scorer": lambda costs, **more: (
        -sk.make_expected_cost_scorer(costs, **more)(FixedAnswer(JUDGED[1]), np.zeros((10, 1)), JUDGED[0])
    ),
}


@pytest.mark.parametrize("call", OF_COSTS.values(), ids=list(OF_COSTS))
def test_labelled_cost_matrices_are_used_by_name(call):
    assert call(COSTS) == pytest.approx(0.7)
    assert call(COSTS[["Bad", "Good"]]) == pytest.approx(0.7)
    assert call(COSTS, labels=["Good", "Bad"]) == pytest.approx(0.7)
    assert call(pl.from_pandas(COSTS), labels=["Good", "Bad"]) == pytest.approx(0.7)
    assert call(pd.DataFrame([[0, 5], [1, 0]])) == pytest.approx(0.7)
    with pytest.raises(ValueError, match=r"cost_matrix's rows are named \['Good', 'Bad'\], labels are"):
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
    with pytest.raises(ValueError, match=f"^{names} must have the cases in the same order"):
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
    loss = partial(sk.normalized_cost_loss, ILL, scores, probability_cost=0.5)
    assert_allclose([loss(threshold=threshold) for threshold in THRESHOLDS.tolist()], 1 - right)


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

    X, model = RISKS[:, None], OfFloat32().fit(RISKS[:, None], ILL)
    fixed = FixedThresholdClassifier(model, threshold=0.7, response_method="predict_proba").fit(X, ILL)
    scores = fixed.estimator_.predict_proba(X)[:, 1]
    assert (scores[RISKS == 0.7] < 0.7).sum() == 0
    expected = sk.bootstrap_metric(ILL, fixed.predict(X), "accuracy")
    assert float(sk.bootstrap_metric(ILL, scores, "accuracy", thresholds=0.7)) == float(expected)


# What was passed by mistake

MANY = np.linspace(0.01, 0.99, 60)


@pytest.mark.parametrize(
    ("message", "call"),
    [
        ("y_pred must contain class labels, got numbers such as 0.01. These look like scores",
         lambda: sk.bootstrap_expected_cost(Y, MANY, [[0, 1], [5, 0]])),
        ("y_pred_b must contain class labels, got numbers such as 0.01. These look like scores",
         lambda: sk.bootstrap_expected_cost_difference(Y, Y, MANY, [[0, 1], [5, 0]])),
        ("y_pred contains 0.01, which is not among labels=.0, 1.. These look like scores",
         lambda: sk.expected_cost_loss(Y, MANY, cost_matrix=[[0, 1], [5, 0]], labels=[0, 1])),
        ("y_pred must have only 0 and 1, got 0.01. These look like scores",
         lambda: sk.bootstrap_metric(Y, MANY, "f1")),
        ("got 60 classes .* are y_true and y_score swapped", lambda: sk.bootstrap_auc(MANY, Y)),
        ("got 60 classes .* are y_true and y_score swapped", lambda: sk.bootstrap_auc(np.arange(60), Y)),
        ("got 60 classes .* are y_true and y_pred swapped", lambda: sk.bootstrap_metric(MANY, Y, "f1")),
        ("y_true must contain class labels, got 0.01: are y_true and y_pred swapped",
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
    with pytest.raises(ValueError, match=r"^prevalence must be a number in \[1e-09, 0\.999999999\], got"):
        sk.bootstrap_metric(Y, S > 0.5, "precision", prevalence=prevalence)


THIRDS = np.arange(60) % 3
SHARES = np.random.default_rng(1).dirichlet([1, 1, 1], 60)
ONE_HOT = pd.DataFrame(np.eye(3, dtype=int)[THIRDS], columns=["b", "c", "a"])
OTHERS = SHARES[::-1]
OF_PROBABILITIES = {
    "loss": lambda y, table, **rows: sk.bootstrap_loss(y, table, "log_loss", **rows),
    "brier": lambda y, table, **rows: sk.bootstrap_loss(y, table, "brier", **rows),
    "difference": lambda y, table, **rows: sk.bootstrap_loss_difference(y, table, OTHERS, "log_loss", **rows),
    "by name": lambda y, table, **rows: sk.bootstrap_metric(y, table, "neg_log_loss", **rows),
    "models": lambda y, table, **rows: sk.compare_models(y, {"a": table, "b": OTHERS}, "brier", **rows),
    "subgroups": lambda y, table, **rows: sk.compare_groups(y, table, np.arange(60) % 2, "log_loss", **rows),
}


@pytest.mark.parametrize("name", OF_PROBABILITIES)
def test_losses_read_one_hot_truth(name):
    ask, groups = OF_PROBABILITIES[name], {"groups": np.arange(60) // 6 * 2 + np.arange(60) % 2}
    right = ask(THIRDS, SHARES)
    plain = ONE_HOT.to_numpy()
    for truth in (plain, plain == 1, plain.astype(float), plain.tolist(), ONE_HOT, pl.DataFrame(ONE_HOT)):
        for found in (ask(truth, SHARES), ask(truth, SHARES, **groups)):
            assert_allclose(found.estimate, right.estimate, rtol=1e-12)
    assert_allclose(ask(plain, SHARES).standard_error, right.standard_error, rtol=1e-9)
    if name not in ("difference", "models"):
        named = pd.DataFrame(SHARES[:, [2, 0, 1]], columns=["a", "b", "c"])
        assert_allclose(ask(ONE_HOT, named).estimate, right.estimate, rtol=1e-12)
        with pytest.raises(ValueError, match="must have the cases in the same order"):
            ask(ONE_HOT, named.iloc[::-1])
        with pytest.raises(ValueError, match="columns must be named by the classes"):
            ask(ONE_HOT, named.rename(columns={"a": "other"}))
    with pytest.raises(ValueError, match="groups must have the cases in the same order"):
        ask(ONE_HOT, SHARES, groups=pd.Series(np.arange(60) // 2).iloc[::-1])
    with pytest.raises(ValueError, match="y_true must have a label per case, or be one-hot"):
        ask(np.maximum(plain, np.roll(plain, 1, axis=1)), SHARES)


def test_labels_name_the_columns_of_one_hot_truth():
    ask = partial(sk.bootstrap_loss, loss="log_loss")
    right, plain = ask(THIRDS, SHARES).estimate, ONE_HOT.to_numpy()
    named = pd.DataFrame(SHARES, columns=["x", "y", "z"])
    assert_allclose(ask(plain, named, labels=["x", "y", "z"]).estimate, right)
    assert_allclose(ask(ONE_HOT, SHARES, labels=["b", "c", "a"]).estimate, right)
    with pytest.raises(ValueError, match="labels are"):
        ask(ONE_HOT, SHARES, labels=["a", "b", "c"])
    with pytest.raises(ValueError, match=r"labels must name the 3 columns of y_true, got \['a', 'b'\]"):
        ask(plain, SHARES, labels=["a", "b"])
    assert_allclose(ask(np.eye(2)[Y], PROBA).estimate, ask(Y, PROBA).estimate)


def test_subgroups_of_several_columns_are_combined():
    sex, age = np.array(["f", "m"])[np.arange(60) // 4 % 2], np.array([9, 40, 100])[np.arange(60) // 20]
    guess = np.where(np.arange(60) % 7 == 0, 1 - Y, Y)
    frame = pd.DataFrame({"sex": sex, "age": age})
    right = [(guess == Y)[(sex == one) & (age == years)].mean() for one in "fm" for years in (9, 40, 100)]
    rows = list(zip(sex, age, strict=True))
    for by in (frame, pl.DataFrame(frame), pa.Table.from_pandas(frame), rows, frame.to_numpy()):
        found = sk.compare_groups(Y, guess, by, "accuracy")
        assert found.models == ("f, 9", "f, 40", "f, 100", "m, 9", "m, 40", "m, 100")
        assert_allclose(found.estimate, right)
    ages = ["young", "middle", "old"]
    bands = pd.Categorical(np.array(ages)[np.arange(60) // 20], ages, ordered=True)
    ordered = sk.compare_groups(Y, guess, frame.assign(age=bands), "accuracy", reference=("f", "young"))
    assert ordered.models[:3] == ("f, young", "f, middle", "f, old")
    assert_allclose(ordered.differences.estimate, np.array(right[1:]) - right[0])
    assert "f, 100" in str(sk.report(Y, S, by=frame))
    alike = np.where(Y[:, None] == 1, ["a, b", "c"], ["a", "b, c"])
    with pytest.raises(ValueError, match="combinations have distinct names, got 'a, b, c' twice"):
        sk.compare_groups(Y, guess, alike, "accuracy")
    with pytest.raises(ValueError, match=r"by\['sex'\] must not contain NaN"):
        sk.compare_groups(Y, guess, frame.where(age[:, None] > [9, 9]), "accuracy")
    with pytest.raises(ValueError, match="y_true and by must have the cases in the same order"):
        sk.compare_groups(pd.Series(Y), guess, frame.iloc[::-1], "accuracy")


TWO_COLUMNS = np.column_stack([np.arange(60) // 2, np.arange(60) % 2])


@pytest.mark.parametrize(
    ("message", "call"),
    [
        *(
            (rf"{name} must be one-dim.*combine several columns into one label: \['/'.join\(map\(str, row\)\)", call)
            for name, call in {
                "groups": lambda: sk.bootstrap_mean(S, groups=TWO_COLUMNS),
                "folds": lambda: sk.bootstrap_auc(Y, S, folds=pd.DataFrame(TWO_COLUMNS)),
                "crossed": lambda: sk.bootstrap_auc(Y, S, groups=Y, crossed=TWO_COLUMNS.tolist()),
                "y_true": lambda: sk.bootstrap_expected_cost(NAMES[TWO_COLUMNS], NAMES, np.eye(3)),
                "y_pred": lambda: sk.bootstrap_metric(NAMES, NAMES[TWO_COLUMNS], "accuracy"),
            }.items()
        ),
        *(
            (r"y_true must be one-dim.*looks one-hot: pass np.argmax\(np.asarray\(y_true\), axis=1\)", call)
            for call in (
                lambda: sk.bootstrap_expected_cost(ONE_HOT, THIRDS, np.eye(3)),
                lambda: sk.bootstrap_calibration(np.eye(2)[Y], PROBA),
                lambda: sk.bootstrap_roc_at_fpr(np.eye(2)[Y], S),
            )
        ),
        *(
            (r"got \(60,\). y_true looks one-hot: for a class per case pass np.argmax", call)
            for call in (
                lambda: sk.bootstrap_auc(ONE_HOT, S),
                lambda: sk.bootstrap_metric(ONE_HOT, THIRDS, "accuracy"),
                lambda: sk.bootstrap_loss(ONE_HOT, THIRDS, "zero_one"),
            )
        ),
        ("for kappa, got a table.*Of a one-hot table pass", lambda: sk.bootstrap_metric(ONE_HOT, ONE_HOT, "kappa")),
        ("y_pred must contain 1 .* thresholds first, .* np.argmax",
         lambda: sk.bootstrap_metric(ONE_HOT, SHARES, "hamming")),
        (r"y_pred must be one-dim.*probabilities pass np.argmax\(np.asarray\(y_pred\), axis=1\).*thresholds=",
         lambda: sk.bootstrap_metric(THIRDS, SHARES, "accuracy")),
        (r"y_pred_b must be one-dim.*probabilities pass np.argmax\(np.asarray\(y_pred_b\)",
         lambda: sk.bootstrap_metric_difference(THIRDS, THIRDS, SHARES, "accuracy")),
        (r"y_scores\['a'\] must be one-dim.*For predicted labels pass np.argmax",
         lambda: sk.compare_models(THIRDS, {"a": SHARES, "b": SHARES}, "accuracy")),
        ("y_pred must contain class labels, .*thresholds=", lambda: sk.bootstrap_metric(Y, PROBA, "accuracy")),
        ("sample_weight must be one-dim.*Pass one column of weights",
         lambda: sk.bootstrap_mean(S, sample_weight=TWO_COLUMNS)),
        (r"values must be one-dim.*such as values\[:, k\].$", lambda: sk.bootstrap_mean(SHARES)),
        (r"y_score must be one-dim.*such as y_score\[:, k\] for class k against the rest.$",
         lambda: sk.bootstrap_auc(Y, SHARES)),
    ],
)  # fmt: skip
def test_messages_on_shapes_know_the_parameter(message, call):
    with pytest.raises(ValueError, match=message):
        call()
