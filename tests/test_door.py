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
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score
from statistics_list import about

import skcostci as sk

RNG = np.random.default_rng(0)
Y = np.arange(60) % 2
S = RNG.random(60) + Y / 3
NAMES = np.array(["a", "b", "c"])[np.arange(60) // 20]


class FixedAnswer(DummyClassifier):
    """A fitted classifier that gives these answers."""

    def __init__(self, answers, classes=("Bad", "Good")):
        self.answers, self.classes_ = answers, classes

    def predict(self, X):
        return np.array(self.answers)

    def predict_proba(self, X):
        return self.answers


COLUMNS_OF_NAMES = {  # each takes a column of labels, names or ids as the parameter of this name
    "y_true": lambda column: sk.bootstrap_auc(column, S, pos_label="b"),
    "y_pred": lambda column: sk.bootstrap_expected_cost(NAMES, column, np.eye(3)),
    "y_pred_b": lambda column: sk.bootstrap_expected_cost_difference(NAMES, NAMES, column, np.eye(3)),
    "labels": lambda column: sk.bootstrap_expected_cost(NAMES, NAMES, np.eye(60), labels=column),
    "groups": lambda column: sk.bootstrap_auc(Y, S, groups=column),
    "folds": lambda column: sk.bootstrap_auc(Y, S, folds=column),
    "by": lambda column: sk.compare_groups(Y, S, column),
}
NAN = float("nan")
MISSING = [None, NAN, np.float64(NAN), pd.NA, pd.NaT, np.datetime64("NaT", "ns"), Decimal("NaN"), Decimal("sNaN")]
INFINITE = [np.inf, -np.inf, np.float32(np.inf), Decimal("-Infinity")]
CONTAINERS = {
    "list": list,
    "objects": lambda values: np.array([*values, 0], dtype=object)[:-1],
    "pandas": lambda values: pd.Series(list(values), dtype=object),
}
each_name = pytest.mark.parametrize("name", COLUMNS_OF_NAMES)


@each_name
@pytest.mark.parametrize("container", CONTAINERS.values(), ids=list(CONTAINERS))
def test_what_is_missing_or_infinite_is_no_name(name, container):
    missing, infinite = "must not contain NaN, None .*, got 1 among 60.*", "must contain labels, got .*inf.*"
    for odd, others in product([*MISSING, *INFINITE], (NAMES.tolist(), list(range(60)))):  # texts, numbers
        column = container([odd if place == 4 else other for place, other in enumerate(others)])
        said = infinite if any(odd is each for each in INFINITE) else missing
        with about(odd, others[0]), pytest.raises(ValueError, match=f"^{name} {said} at position 4"):
            COLUMNS_OF_NAMES[name](column)


TYPED = {
    "pandas texts": pd.Series(["a", None] * 30, dtype="string"),
    "pandas categories": pd.Series(["a", None] * 30, dtype="category"),
    "pandas times": pd.Series(pd.to_datetime(["2026-01-01", None] * 30)),
    "polars texts": pl.Series(["a", None] * 30),
    "polars numbers": pl.Series([1, None] * 30),
    "pyarrow": pa.array(["a", None] * 30),
}


@each_name
def test_what_is_missing_or_infinite_in_a_typed_column_is_no_name(name):
    for kind, column in TYPED.items():
        with about(kind), pytest.raises(ValueError, match=f"^{name} must not contain NaN, None .*, got 30 among 60"):
            COLUMNS_OF_NAMES[name](column)
    with pytest.raises(ValueError, match=rf"^{name} must contain labels, got .*inf.* at position 4"):
        COLUMNS_OF_NAMES[name](np.where(np.arange(60) == 4, np.inf, np.arange(60)))


@pytest.mark.parametrize("label", [*INFINITE, *MISSING[1:]], ids=repr)
def test_what_is_infinite_or_missing_is_no_label_to_ask_for(label):
    with pytest.raises(ValueError, match=r"pos_label=.+ is not a valid label. It must be one of \[1\]"):
        sk.bootstrap_loss([1] * 9, [0.5] * 9, pos_label=label)
    with pytest.raises(ValueError, match=r"pos_label=.+ is not a valid label. It must be one of \[0, 1\]"):
        sk.bootstrap_auc(Y, S, pos_label=label)
    said = "contain labels, got the infinite" if any(label is each for each in INFINITE) else "not contain NaN, None or"
    with pytest.raises(ValueError, match=f"labels must {said}"):
        sk.bootstrap_metric(Y, Y, "f1", average="macro", labels=[0, 1, label])
    with pytest.raises(ValueError, match="reference must be one of 'a', 'b', 'c', got "):
        sk.compare_groups(Y, S, NAMES, reference=label)


NOT_FINITE = [  # scikit-learn's own tests have the first seven
    *(([0, 1], [a, b]) for a, b in ((np.inf, np.inf), (np.nan, np.nan), (np.nan, np.inf), (np.inf, 1), (np.nan, 1))),
    *(([a, 1, 2], [1, 2, 3]) for a in (np.nan, np.inf)),
    *(([0, 1, 1, 0], [0, a, 1, 0]) for a in (np.nan, np.inf, -np.inf)),
    *(([0, a, 1, 0], [0, 1, 1, 0]) for a in (np.nan, np.inf, -np.inf)),
]


def judged_as(metric):
    """All ways to ask for a metric of labels."""
    yield partial(sk.bootstrap_metric, metric=metric)
    yield lambda y, guess: sk.bootstrap_metric(y, guess, metric, groups=np.arange(len(y)) // 2)
    yield lambda y, guess: sk.bootstrap_metric_difference(y, np.zeros(len(y)), guess, metric)
    yield lambda y, guess: sk.make_metric_scorer(metric)(FixedAnswer(guess), np.zeros((len(y), 1)), y)
    yield lambda y, guess: sk.compare_models(y, {"a": guess, "b": [0, 1, 1, 0][: len(y)]}, metric)
    yield lambda y, guess: sk.compare_groups(y, guess, [0, 1, 1, 0][: len(y)], metric)


JUDGES = {
    **{name: judged_as(name) for name in ("accuracy", "balanced_accuracy", "f1", "kappa", "lift", "mcc", "youden")},
    "macro": [partial(sk.bootstrap_metric, metric=name, average="macro") for name in ("f1", "precision")],
    "weighted kappa": [partial(sk.bootstrap_metric, metric="kappa", kappa_weights="linear")],
    "losses": [partial(sk.bootstrap_loss, loss=loss) for loss in ("zero_one", "brier", "absolute_error")],
    "functions": [  # which would answer
        partial(sk.bootstrap_loss, loss=lambda y, guess: (y != guess) * 1.0),
        partial(sk.bootstrap_metric, metric=lambda y, g, sample_weight: np.average(y == g, weights=sample_weight)),
    ],
    "expected cost": [partial(sk.bootstrap_expected_cost, cost_matrix=np.eye(n)) for n in (2, 3)],
    "displays": [sk.ROCConfidenceDisplay.from_predictions, sk.CalibrationConfidenceDisplay.from_predictions],
    "others": [sk.report, sk.bootstrap_calibration, partial(sk.expected_cost_loss, cost_matrix=np.eye(3))],
}


@pytest.mark.parametrize("judges", JUDGES.values(), ids=list(JUDGES))
def test_what_is_not_finite_is_judged_by_none(judges):
    for judge, (y_true, y_pred) in product(judges, NOT_FINITE):
        with about(judge, y_true, y_pred), pytest.raises(ValueError, match=r"(?i)nan|infini|finite|in \[0, 1\]"):
            judge(y_true, y_pred)


PAIRS = [("1", 1), ("1.0", 1.0), ("True", True), ("007", "7"), ("0e1", "0e2")]
PAIRS += [(2**53, 2**53 + 1), (10**400, 10**400 + 1), (2**53 + 1, 0.5 + 2**53)]


@pytest.mark.parametrize("pair", PAIRS, ids=repr)
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
    y, s = np.arange(600) % 7 % 2, RNG.random(600)
    small, plain = (sk.bootstrap_auc(y, s, groups=each) for each in ((several - 50).astype(np.int8), several))
    assert small.standard_error == plain.standard_error


@pytest.mark.parametrize("unit", ["Y", "D", "us", "ns"])
@pytest.mark.parametrize("label", [np.datetime64("2021"), datetime(2021, 1, 1), pd.Timestamp(2021, 1, 1)], ids=type)
def test_times_are_labels(unit, label):
    times = np.array(["2020", "2021"], "datetime64[Y]").astype(f"datetime64[{unit}]")[Y]
    if unit in ("Y", "D") and not isinstance(label, np.datetime64):
        label = np.datetime64(label)
    for column in (times, pd.Series(times)):
        assert float(sk.bootstrap_auc(column, S, pos_label=label)) == float(sk.bootstrap_auc(Y, S))


def test_days_of_polars_are_labels():
    """They come as times; whoever has days names a day."""
    days = pl.Series([date(2020 + label, 1, 1) for label in Y.tolist()])
    for column, day in ((days, date(2021, 1, 1)), (days, days[1]), (list(days), date(2021, 1, 1))):
        assert float(sk.bootstrap_auc(column, S, pos_label=day)) == float(sk.bootstrap_auc(Y, S))


def test_nanoseconds_are_labels_everywhere():
    """Python has no times as fine, and numpy takes its own for unlike themselves among objects."""
    times = np.array([0, 1], "datetime64[ns]")[Y]
    hits = times[np.arange(60) // 7 % 2]
    expected = float(sk.bootstrap_metric(times.astype(int), hits.astype(int), "recall"))
    assert float(sk.bootstrap_metric(times, hits, "recall", pos_label=times[1])) == expected
    by_time, by_number = (sk.compare_groups(Y, S, by) for by in (hits, hits.astype(int)))
    assert by_time.estimate.tolist() == by_number.estimate.tolist()


MASKED_Y = np.ma.array(Y, mask=Y == 0)
MASKED_COSTS = np.ma.array([[0, 1], [1, 0]], mask=[[0, 1], [0, 0]])


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
    for labels in (None, CLASSES):
        found = sk.bootstrap_auc(TRUTH, table, multi_class=multi_class, labels=labels)
        assert float(found) == pytest.approx(right)
    difference = sk.bootstrap_auc_difference(TRUTH, table, IN_ORDER, multi_class=multi_class)
    assert float(difference) == pytest.approx(0, abs=1e-12)


def each_of_truth(y_true, table):
    """The probability of the truth, from columns in the order of the classes."""
    return table[np.arange(len(y_true)), np.searchsorted(LABELS, y_true)]


def of_truth(y_true, table, sample_weight=None):
    return np.average(each_of_truth(y_true, table), weights=sample_weight)


def brier(y_true, table):
    """brier_score_loss takes several classes from scikit-learn 1.7 on."""
    return ((table - (np.asarray(y_true)[:, None] == LABELS)) ** 2).sum(axis=1).mean()


BY_CLASS = {  # each takes a column a class: what is asked of a table, and what is right
    "brier": (sk.bootstrap_loss, brier),
    "log loss": (partial(sk.bootstrap_loss, loss="log_loss"), log_loss),
    "log loss by fold": (partial(sk.bootstrap_loss, loss="log_loss", folds=np.arange(60) // 20), log_loss),
    "log loss by group": (partial(sk.bootstrap_loss, loss="log_loss", groups=np.arange(60) // 4), log_loss),
    "loss of a function": (partial(sk.bootstrap_loss, loss=each_of_truth), of_truth),
    "loss difference": (lambda y, table: sk.bootstrap_loss_difference(y, table, IN_ORDER), lambda *_: 0),
    "function": (partial(sk.bootstrap_metric, metric=of_truth), of_truth),
    "function of folds": (partial(sk.bootstrap_metric, metric=of_truth, folds=np.arange(60) // 20), of_truth),
    "difference": (lambda y, table: sk.bootstrap_metric_difference(y, IN_ORDER, table, of_truth), lambda *_: 0),
    "models": (lambda y, table: sk.compare_models(y, {"a": table, "b": P}, of_truth).estimate[0], of_truth),
    "subgroups": (lambda y, t: sk.compare_groups(y, t, np.arange(60) // 30, of_truth).estimate.mean(), of_truth),
}
NO_CLASSES = [["a", "m", "b"], ["a", "m", "m"], [1, 5, 7], ["good", "bad", "ugly"], ["p2", "p1", "p0"]]


@pytest.mark.parametrize(("ask", "right"), BY_CLASS.values(), ids=list(BY_CLASS))
def test_columns_named_by_the_classes_are_used_by_name_for_losses_and_functions(ask, right):
    tables = TABLES if ask is sk.bootstrap_loss else {"polars": TABLES["polars"]}
    for table in (*tables.values(), pd.DataFrame(IN_ORDER)):
        assert float(ask(TRUTH, table)) == pytest.approx(right(TRUTH, IN_ORDER), abs=1e-12)
    for names in NO_CLASSES:
        said = r"columns must be named by the classes \['a', 'm', 'x'\] or be an array"
        with about(names), pytest.raises(ValueError, match=said):
            ask(TRUTH, pd.DataFrame(IN_ORDER, columns=names))


PROBA = 0.5 * Y + S / 4
TWO = np.column_stack([PROBA, 1 - PROBA])


SPELLINGS = [[1, 0], [True, False], ["1", "0"], ["True", "False"], ["1.0", "0.0"]]


@pytest.mark.parametrize("labels", [[0, 1], [False, True], [0.0, 1.0], ["0", "1"], ["False", "True"]], ids=str)
def test_two_classes_have_their_names_in_any_spelling(labels):
    y_true, right = np.array(labels)[Y], (brier_score_loss(Y, PROBA), roc_auc_score(Y, PROBA))
    for names in SPELLINGS:
        for table in (pd.DataFrame(TWO, columns=names), pl.DataFrame(TWO, schema=list(map(str, names)))):
            found = sk.bootstrap_loss(y_true, table), sk.bootstrap_auc(y_true, table, multi_class="ovr")
            assert_allclose([float(each) for each in found], right)
            of_ones = sk.bootstrap_metric(
                y_true, table, lambda y, p, sample_weight: np.average(p[:, 1], weights=sample_weight)
            )
            assert float(of_ones) == pytest.approx(PROBA.mean())


def test_labels_that_are_stated_are_the_order_of_names():
    some = Y == 0  # of two classes of three
    told, table = partial(log_loss, labels=[0, 1, 2]), pd.DataFrame(IN_ORDER)[some]
    for ask, expected in (
        (partial(sk.bootstrap_metric, metric=told), told(Y[some], IN_ORDER[some])),
        (partial(sk.bootstrap_loss, loss="log_loss", labels=[0, 1, 2]), told(Y[some], IN_ORDER[some])),
    ):
        assert float(ask(Y[some], table)) == pytest.approx(expected)
        with pytest.raises(ValueError, match=r"y_pred's columns are named \[2, 0, 1\], labels are"):
            ask(Y[some], table[[2, 0, 1]])
    with pytest.raises(ValueError, match=r"y_pred's columns must be named by the classes \[0\].*, got 2"):
        sk.bootstrap_metric(Y[some], table[[2, 0, 1]], lambda y, p, sample_weight: np.average(p[:, 0]))


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
    "AUC": partial(sk.bootstrap_auc, pos_label="ill"),
    "cost": partial(sk.bootstrap_cost, probability_cost=0.5, pos_label="ill"),
    "Brier": partial(sk.bootstrap_loss, pos_label="ill"),
    "labels": partial(sk.bootstrap_loss, labels=["well", "ill"]),
    "calibration": partial(sk.bootstrap_calibration, pos_label="ill"),
    "display": partial(sk.ROCConfidenceDisplay.from_predictions, pos_label="ill"),
    "metric": partial(sk.bootstrap_metric, metric="f1", thresholds=0.5, pos_label="ill"),
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


def test_scorers_and_displays_use_columns_by_name():
    scorer = sk.make_metric_scorer(log_loss, response_method="predict_proba")
    assert scorer(FixedAnswer(NAMED, LABELS), P, TRUTH) == pytest.approx(-log_loss(TRUTH, IN_ORDER))
    lines, others = (sk.ROCConfidenceDisplay.from_predictions(TRUTH, each).line_ for each in (NAMED, IN_ORDER))
    assert len(lines) == len(others) == 3
    for line, other in zip(lines, others, strict=True):
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
    for costs in (COSTS, COSTS[["Bad", "Good"]], pd.DataFrame([[0, 5], [1, 0]])):
        assert call(costs) == pytest.approx(0.7)
    for costs in (COSTS, pl.from_pandas(COSTS)):
        assert call(costs, labels=["Good", "Bad"]) == pytest.approx(0.7)
    wrong = ("rows", "Bad") if call is OF_COSTS["scorer"] else ("columns", "bad")
    for costs, options, message in (
        (COSTS, {"labels": ["Bad", "Good"]}, r"'s rows are named \['Good', 'Bad'\], labels are"),
        (pl.from_pandas(COSTS), {}, " must have names for its rows too, or labels in the order of its"),
        (COSTS.rename(columns={"Bad": "bad"}), {}, "'s {} must be named by the classes .*, got '{}'".format(*wrong)),
    ):
        with pytest.raises(ValueError, match=f"cost_matrix{message}"):
            call(costs, **options)


# Series in another order

UNSORTED = pd.Series(Y, index=range(100, 160)).iloc[::-1]
ORDERED = pd.Series(S, index=range(100, 160))
WHOLE = ORDERED.round()
MIXED = ["x", 1] * 30
REVERSED, IN_TURN = pd.Series(TRUTH, range(1, 61)).iloc[::-1], NAMED.set_index(np.arange(1, 61))


def test_series_of_other_indexes_go_by_position():
    right = float(sk.bootstrap_auc(UNSORTED.to_numpy(), S))
    for scores in (S, pd.Series(S), pd.Series(S, index=UNSORTED.index), pl.Series(S)):
        assert float(sk.bootstrap_auc(UNSORTED, scores)) == right


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
    for groups in (None, np.arange(200) // 4):
        accuracy = sk.bootstrap_metric(ILL, scores, "accuracy", thresholds=THRESHOLDS, groups=groups)
        assert_allclose(accuracy.estimate, right)
    pair = sk.bootstrap_metric_difference(ILL, scores, OTHER, "accuracy", thresholds=THRESHOLDS)
    assert_allclose(pair.estimate, right - ((THRESHOLDS[:, None] <= OTHER) == ILL).mean(axis=1), atol=1e-12)
    counted = sk.AggregatedScores.from_arrays(ILL, scores)
    for given in ({"y_true": ILL, "y_score": scores}, counted):
        rates = sk.bootstrap_roc_at_threshold(**given, thresholds=THRESHOLDS)
        assert_allclose(rates.tpr.estimate, hits[:, ILL == 1].mean(axis=1))
    loss = partial(sk.normalized_cost_loss, ILL, scores, probability_cost=0.5)
    assert_allclose([loss(threshold=threshold) for threshold in THRESHOLDS.tolist()], 1 - right)


@pytest.mark.parametrize("bins", [None, [0.1, 0.13, 0.7, 0.72], np.linspace(0, 1, 11), [0.7]])
@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_bins_of_float32_scores_are_cut_where_thresholds_are(frame, bins):
    scores, edges = RISKS.astype(np.float32), THRESHOLDS if bins is None else bins
    counted = sk.aggregate_scores(frame({"y": ILL, "s": scores}), y_true="y", y_score="s", bins=bins)
    right = sk.bootstrap_roc_at_threshold(ILL, scores, thresholds=edges)
    binned = sk.bootstrap_roc_at_threshold(**counted, thresholds=edges)
    for rate in ("tpr", "fpr"):
        assert getattr(binned, rate).estimate.tolist() == getattr(right, rate).estimate.tolist()


# What was passed by mistake

MANY, THIRDS, MISTAKES = np.linspace(0.01, 0.99, 60), np.arange(60) % 3, [[0, 1], [5, 0]]
LIKE_SCORES = "These look like scores"


def test_labels_with_fractions_are_labels_where_the_truth_has_them():
    grades = np.array([1.0, 1.5, 2.0])[THIRDS]
    assert float(sk.bootstrap_expected_cost(grades, grades, np.eye(3))) == 1
    assert float(sk.bootstrap_expected_cost(Y, Y + 0.0, np.eye(2))) == 1
    assert float(sk.bootstrap_expected_cost(Y, Y / 2, np.ones((3, 3)), labels=[0, 0.5, 1])) == 1


SHARES = np.random.default_rng(1).dirichlet([1, 1, 1], 60)
ONE_HOT = pd.DataFrame(np.eye(3, dtype=int)[THIRDS], columns=["b", "c", "a"])
PLAIN = ONE_HOT.to_numpy()
OTHERS = SHARES[::-1]
OF_PROBABILITIES = {
    "loss": lambda y, table, **rows: sk.bootstrap_loss(y, table, "log_loss", **rows),
    "brier": lambda y, table, **rows: sk.bootstrap_loss(y, table, "brier", **rows),
    "difference": lambda y, table, **rows: sk.bootstrap_loss_difference(y, table, OTHERS, "log_loss", **rows),
    "by name": lambda y, table, **rows: sk.bootstrap_metric(y, table, "neg_log_loss", **rows),
    "models": lambda y, table, **rows: sk.compare_models(y, {"a": table, "b": OTHERS}, "brier", **rows),
    "subgroups": lambda y, table, **rows: sk.compare_groups(y, table, Y, "log_loss", **rows),
}


@pytest.mark.parametrize("name", OF_PROBABILITIES)
def test_losses_read_one_hot_truth(name):
    ask, groups = OF_PROBABILITIES[name], np.arange(60) // 6 * 2 + Y
    right = ask(THIRDS, SHARES)
    for truth in (PLAIN, PLAIN == 1, PLAIN.astype(float), PLAIN.tolist(), ONE_HOT, pl.DataFrame(ONE_HOT)):
        assert_allclose(ask(truth, SHARES).estimate, right.estimate, rtol=1e-12)
    assert_allclose(ask(PLAIN, SHARES, groups=groups).estimate, right.estimate, rtol=1e-12)
    assert_allclose(ask(PLAIN, SHARES).standard_error, right.standard_error, rtol=1e-9)
    refused = [
        ("groups must have the cases in the same order", ONE_HOT, SHARES, pd.Series(groups).iloc[::-1]),
        ("y_true must have a label per case, or be one-hot", PLAIN | np.roll(PLAIN, 1, axis=1), SHARES, None),
    ]
    if name not in ("difference", "models"):
        named = pd.DataFrame(SHARES[:, [2, 0, 1]], columns=["a", "b", "c"])
        assert_allclose(ask(ONE_HOT, named).estimate, right.estimate, rtol=1e-12)
        refused += [("must have the cases in the same order", ONE_HOT, named.iloc[::-1], None)]
        refused += [("columns must be named by the classes", ONE_HOT, named.rename(columns={"a": "other"}), None)]
    for message, truth, table, members in refused:
        with pytest.raises(ValueError, match=message):
            ask(truth, table, groups=members)


def test_labels_name_the_columns_of_one_hot_truth():
    ask = partial(sk.bootstrap_loss, loss="log_loss")
    right, named = ask(THIRDS, SHARES).estimate, pd.DataFrame(SHARES, columns=["x", "y", "z"])
    assert_allclose(ask(PLAIN, named, labels=["x", "y", "z"]).estimate, right)
    assert_allclose(ask(ONE_HOT, SHARES, labels=["b", "c", "a"]).estimate, right)
    with pytest.raises(ValueError, match="labels are"):
        ask(ONE_HOT, SHARES, labels=["a", "b", "c"])
    with pytest.raises(ValueError, match=r"labels must name the 3 columns of y_true, got \['a', 'b'\]"):
        ask(PLAIN, SHARES, labels=["a", "b"])
    assert_allclose(ask(np.eye(2)[Y], PROBA).estimate, ask(Y, PROBA).estimate)


GUESS = np.where(np.arange(60) % 7 == 0, 1 - Y, Y)
AGE = np.array([9, 40, 100])[np.arange(60) // 20]
FRAME = pd.DataFrame({"sex": np.array(["f", "m"])[np.arange(60) // 4 % 2], "age": AGE})
OF_EACH = [(GUESS == Y)[(FRAME["sex"] == one) & (FRAME["age"] == age)].mean() for one in "fm" for age in (9, 40, 100)]


def test_subgroups_of_several_columns_are_combined():
    rows = list(FRAME.itertuples(index=False, name=None))
    for by in (FRAME, pl.DataFrame(FRAME), pa.Table.from_pandas(FRAME), rows, FRAME.to_numpy()):
        found = sk.compare_groups(Y, GUESS, by, "accuracy")
        assert found.models == ("f, 9", "f, 40", "f, 100", "m, 9", "m, 40", "m, 100")
        assert_allclose(found.estimate, OF_EACH)
    ages = ["young", "middle", "old"]
    bands = pd.Categorical(np.array(ages)[np.arange(60) // 20], ages, ordered=True)
    ordered = sk.compare_groups(Y, GUESS, FRAME.assign(age=bands), "accuracy", reference=("f", "young"))
    assert ordered.models[:3] == ("f, young", "f, middle", "f, old")
    assert_allclose(ordered.differences.estimate, np.array(OF_EACH[1:]) - OF_EACH[0])
    assert "f, 100" in str(sk.report(Y, S, by=FRAME, metrics=("f1",), thresholds=0.5))


@pytest.mark.parametrize(
    ("truth", "by", "message"),
    [
        (Y, np.where(Y[:, None] == 1, ["a, b", "c"], ["a", "b, c"]), "combinations have distinct names, got 'a, b, c'"),
        (Y, FRAME.where(FRAME["age"].to_numpy()[:, None] > [9, 9]), r"by\['sex'\] must not contain NaN"),
        (pd.Series(Y), FRAME.iloc[::-1], "y_true and by must have the cases in the same order"),
    ],
)
def test_subgroups_of_several_columns_that_cannot_be_told_apart_are_refused(truth, by, message):
    with pytest.raises(ValueError, match=message):
        sk.compare_groups(truth, GUESS, by, "accuracy")


TWO_COLUMNS = np.column_stack([np.arange(60) // 2, Y])
COMBINE = r"must be one-dim.*combine several columns into one label: \['/'.join\(map\(str, row\)\)"
LOOKS_ONE_HOT = r"y_true must be one-dim.*looks one-hot: pass np.argmax\(np.asarray\(y_true\), axis=1\)"
A_CLASS_PER_CASE = r"got \(60,\). y_true looks one-hot: for a class per case pass np.argmax"
MASKED_PAIR, CUT = np.ma.array([0.1, 0.5], mask=[0, 1]), {"probability_cost": 0.5, "threshold": 0.5}
MASKED, ORDER = "must not have masked entries", "must have the cases in the same order"


@pytest.mark.parametrize(
    ("message", "call"),
    [
        (f"^sample_weight {MASKED}", lambda: sk.compare_groups(Y, S, NAMES, sample_weight=MASKED_Y + 1)),
        (f"^by {MASKED}", lambda: sk.compare_groups(Y, S, MASKED_Y)),
        (f"^folds {MASKED}", lambda: sk.bootstrap_auc(Y, S, folds=MASKED_Y)),
        (f"^groups {MASKED}", lambda: sk.bootstrap_auc(Y, S, groups=MASKED_Y)),
        (f"^contrast {MASKED}", lambda: sk.compare_models(Y, {"a": S, "b": Y}, contrast=MASKED_PAIR[None])),
        (f"^numerator {MASKED}", lambda: sk.Metric(np.ma.array([1, 0, 0, 1], mask=[0, 1, 0, 0]), (1, 1, 1, 1))),
        (f"^denominator {MASKED}", lambda: sk.Metric((1, 0, 0, 0), np.ma.array([1, 1, 1, 1], mask=[0, 1, 0, 0]))),
        (f"^share {MASKED}", lambda: sk.Metric((1, 0, 0, 0), (1, 1, 1, 1)).on_rates(np.ma.array([0.1], mask=[1]))),
        (f"^y_score {MASKED}", lambda: sk.bootstrap_auc(Y, [*S[:-1], np.ma.masked])),
        (f"^y {MASKED}", lambda: sk.ROCConfidenceDisplay.from_predictions(MASKED_Y, S)),
        (f"^cost_matrix {MASKED}", lambda: sk.bootstrap_expected_cost(Y, Y, MASKED_COSTS)),
        (f"^cost_matrix {MASKED}", lambda: sk.expected_cost_loss(Y, Y, cost_matrix=MASKED_COSTS)),
        (f"^probability_cost {MASKED}", lambda: sk.bootstrap_cost(Y, S, probability_cost=MASKED_PAIR)),
        (f"^thresholds {MASKED}", lambda: sk.bootstrap_cost(Y, S, thresholds=np.ma.array([0.1], mask=[1]))),
        (f"^y_true and y_score {ORDER}", lambda: sk.bootstrap_auc(UNSORTED, ORDERED)),
        (f"^y_true and y_score_b {ORDER}", lambda: sk.bootstrap_auc_difference(UNSORTED, S, ORDERED)),
        (f"^y_true and sample_weight {ORDER}", lambda: sk.bootstrap_auc(UNSORTED, S, sample_weight=WHOLE)),
        (f"^y_score and groups {ORDER}", lambda: sk.bootstrap_auc(Y, ORDERED, groups=UNSORTED)),
        (f"^y_true and folds {ORDER}", lambda: sk.bootstrap_auc(UNSORTED, S, folds=WHOLE)),
        (f"^y_true and by {ORDER}", lambda: sk.compare_groups(UNSORTED, S, WHOLE)),
        (f"^y_true and y_pred {ORDER}", lambda: sk.bootstrap_metric(UNSORTED, WHOLE, "accuracy")),
        (f"^y_true and y_pred {ORDER}", lambda: sk.bootstrap_expected_cost(UNSORTED, WHOLE, np.eye(2))),
        (f"^y_true and y_score {ORDER}", lambda: sk.normalized_cost_loss(UNSORTED, ORDERED, **CUT)),
        (f"^y_true and y_score {ORDER}", lambda: sk.bootstrap_auc(REVERSED, IN_TURN, multi_class="ovr")),
        (f"^y_true and y_score {ORDER}", lambda: sk.bootstrap_auc(pd.Series(Y, MIXED), pd.Series(S, MIXED[::-1]))),
        (f"y_pred must contain class labels, got numbers such as 0.01. {LIKE_SCORES}",
         lambda: sk.bootstrap_expected_cost(Y, MANY, MISTAKES)),
        (f"y_pred_b must contain class labels, got numbers such as 0.01. {LIKE_SCORES}",
         lambda: sk.bootstrap_expected_cost_difference(Y, Y, MANY, MISTAKES)),
        (f"y_pred contains 0.01, which is not among labels=.0, 1.. {LIKE_SCORES}",
         lambda: sk.expected_cost_loss(Y, MANY, cost_matrix=MISTAKES, labels=[0, 1])),
        (f"y_pred must have only 0 and 1, got 0.01. {LIKE_SCORES}", lambda: sk.bootstrap_metric(Y, MANY, "f1")),
        ("got 60 classes .* are y_true and y_score swapped", lambda: sk.bootstrap_auc(MANY, Y)),
        ("got 60 classes .* are y_true and y_pred swapped", lambda: sk.bootstrap_metric(MANY, Y, "f1")),
        ("y_true must contain class labels, got 0.01: are y_true and y_pred swapped",
         lambda: sk.expected_cost_loss(MANY, Y, cost_matrix=MISTAKES)),
        (f"got 60 classes .* {LIKE_SCORES}", lambda: sk.bootstrap_auc(MANY, MANY)),
        ("got 3 classes .* multi_class='ovr' or 'ovo'", lambda: sk.bootstrap_auc(THIRDS, S)),
        ("^(?!.*AUC).*got 3 classes .* pass y_true == 0 and the scores for that class",
         lambda: sk.bootstrap_cost(THIRDS, S)),
        ("^(?!.*AUC).*got 3 classes", lambda: sk.normalized_cost_loss(THIRDS, S, probability_cost=0.5)),
        ("^(?!.*AUC).*got 3 classes", lambda: sk.bootstrap_metric(THIRDS, S, "f1", thresholds=0.5)),
        (f"groups {COMBINE}", lambda: sk.bootstrap_mean(S, groups=TWO_COLUMNS)),
        (f"folds {COMBINE}", lambda: sk.bootstrap_auc(Y, S, folds=pd.DataFrame(TWO_COLUMNS))),
        (f"crossed {COMBINE}", lambda: sk.bootstrap_auc(Y, S, groups=Y, crossed=TWO_COLUMNS.tolist())),
        (f"y_true {COMBINE}", lambda: sk.bootstrap_expected_cost(NAMES[TWO_COLUMNS], NAMES, np.eye(3))),
        (f"y_pred {COMBINE}", lambda: sk.bootstrap_metric(NAMES, NAMES[TWO_COLUMNS], "accuracy")),
        (LOOKS_ONE_HOT, lambda: sk.bootstrap_roc_at_fpr(np.eye(2)[Y], S)),
        (A_CLASS_PER_CASE, lambda: sk.bootstrap_auc(ONE_HOT, S)),
        (A_CLASS_PER_CASE, lambda: sk.bootstrap_loss(ONE_HOT, THIRDS, "zero_one")),
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
def test_what_was_passed_by_mistake_is_said(message, call):
    with pytest.raises(ValueError, match=f"(?s){message}"):
        call()
