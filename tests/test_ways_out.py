"""Errors that name the way out: what came where an array was due, calls that do not fit, names from elsewhere."""

import re
from collections import deque
from functools import partial, reduce
from io import BytesIO, TextIOWrapper
from itertools import cycle

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse
import sklearn.metrics
from statistics_list import BELONGING, COMPARED, STATISTICS, about

import skcostci as sk

RNG = np.random.default_rng(0)
Y = np.arange(60) % 3 // 2
P, Q = (np.clip(0.3 + shift * Y + RNG.normal(0, 0.15, 60), 0.01, 0.99) for shift in (0.3, 0.2))
LABELS, OTHERS = (P > 0.5).astype(int), (Q > 0.5).astype(int)
MODELS = {"a": P, "b": Q}
COUNTED = sk.AggregatedScores.from_arrays(Y, P)
COUNTED_TWICE = sk.AggregatedScores.from_arrays(Y, P, Q)
EVERY = [entry for entry in [*STATISTICS, *BELONGING, *COMPARED] if entry.name != "compare_models"]
BY_SHAPE = {(entry.name, str(entry)): entry for entry in EVERY}.values()
SUBGROUPS = np.repeat(["u", "v"], 30)

CLOSED = [  # what numpy does not open, and the way in
    (scipy.sparse.csr_matrix([[1.0, 0.0]]), "got a csr_matrix. Pass {0}.toarray()"),
    (scipy.sparse.coo_array([1.0, 0.0]), "got a coo_array. Pass {0}.toarray()"),
    ({0, 1}, "got a set. It has no order"),
    (frozenset({0, 1}), "got a frozenset. It has no order"),
    ((value for value in [0, 1]), "got a generator. Pass list({0})"),
    (map(float, [0, 1]), "got a map. Pass list({0})"),
    (zip([0], [1], strict=True), "got a zip. Pass list({0})"),
    ({"a": 0}, "got a dict. Pass its values in order, list({0}.values())"),
    ({"a": 0}.values(), "got a dict_values. Pass list({0})"),
    (enumerate([0]), "got an enumerate. Pass list({0})"),
    (pl.LazyFrame({"a": [0, 1]}), "got a LazyFrame. Pass {0}.collect()"),
    (COUNTED, "got an AggregatedScores. Unpack the counted cases with two stars, as in bootstrap_auc(**counted)"),
    (None, "got None"),
    ("scores.csv", "got 'scores.csv'"),
    (0.5, "got 0.5"),
    (np.array(0.5), "got 0.5"),
    (float, "got <class 'float'>"),
    (object(), "got a single object"),
    (len, "got a single builtin_function_or_method"),
]


@pytest.mark.parametrize("given", CLOSED, ids=lambda given: given[1])
def test_what_came_in_place_of_an_array_is_named_with_the_way_in(given):
    """Of every function, as its labels and as each of its columns."""
    value, said = given
    for entry in BY_SHAPE:
        columns = ((LABELS, OTHERS) if entry.of == "labels" else (P, Q))[: entry.models]
        members = SUBGROUPS if entry.membership == "by" else np.arange(60) % 7
        more = {entry.membership: members} if entry.membership else {}
        for place, name in enumerate(("y_true", *entry.columns)):
            call = [Y, *columns]
            call[place] = value
            message = rf"^{name} must be .*{re.escape(said.format(name))}"
            with about(entry, name), pytest.raises((ValueError, TypeError), match=message):
                entry(*call, **more)


@pytest.mark.parametrize("kind", [list, tuple, deque, pd.Index, pl.Series, pa.array, pd.Series, np.array, pd.DataFrame])
def test_what_is_ordered_is_taken(kind):
    assert float(sk.bootstrap_auc(kind(Y), kind(P))) == float(sk.bootstrap_auc(Y, P))


def broken(y_true, y_pred, sample_weight=None):
    return y_true + None


def deep(depth):
    return reduce(lambda inner, _: [inner], range(depth), 1)


BY_STARS = r"missing .* Unpack the counted cases with two stars: {}\(\*\*counted, \.\.\.\)"
NAMES = {"y_true": "y", "y_score": "s"}
AUC, F1 = partial(sk.bootstrap_auc, Y, P), partial(sk.bootstrap_metric, Y, P, "f1")
OF_LABELS, COMPARE = partial(sk.bootstrap_metric, Y, LABELS), partial(sk.compare_models, Y, MODELS)
OF_COUNTS = ("bootstrap_auc", "bootstrap_cost", "bootstrap_roc_at_fpr", "neyman_pearson_threshold")


@pytest.mark.parametrize(
    ("said", "call"),
    [
        *((BY_STARS.format(name), partial(getattr(sk, name), COUNTED)) for name in OF_COUNTS),
        (BY_STARS.format("bootstrap_auc_difference"), lambda: sk.bootstrap_auc_difference(COUNTED_TWICE)),
        (BY_STARS.format("bootstrap_metric"), lambda: sk.bootstrap_metric(COUNTED, metric="f1", thresholds=0.5)),
        (BY_STARS.format("from_predictions"), lambda: sk.CostCurve.from_predictions(COUNTED)),
        ("groups must be an array or a list, got a set", partial(AUC, groups={1, 2})),
        (r"thresholds must be an array or a list, got a map. Pass list\(thresh", partial(F1, thresholds=map(abs, P))),
        ("cost_matrix must be an array or a list, got a dict", lambda: sk.bootstrap_expected_cost(Y, LABELS, {0: 1})),
        ("values must contain real numbers, got map values", lambda: sk.bootstrap_mean([map(abs, P)] * 4)),
        ("got a TextIOWrapper. Read the entries from it first", lambda: sk.bootstrap_auc(Y, TextIOWrapper(BytesIO()))),
        ("'threshold', .* Did you mean 'thresholds'", partial(F1, threshold=0.5)),
        ("'max_fp'. Did you mean 'max_fpr'", partial(AUC, max_fp=0.5)),
        ("'weights'. It takes y_true, y_score, .*sample_weight", partial(AUC, weights=Y)),
        ("Pass it to the result that is returned, as in .confidence_interval", partial(AUC, confidence_level=0.9)),
        ("Nothing is resampled: leave it out", partial(AUC, n_resamples=99)),
        ("2 positional arguments but 3 were given. These are passed by name: sampling", partial(AUC, "full")),
        (r"missing 1 required positional argument: 'y_score'\.$", lambda: sk.bootstrap_auc(Y)),
        ("Did you mean 'half_width'", lambda: sk.plan_auc(0.8, halfwidth=0.1)),
        ("Did you mean 'thresholds'", partial(COMPARE, "f1", threshold=0.5)),
        ("Did you mean 'reference'", partial(COMPARE, refrence="a")),
        ("Nothing is resampled", partial(COMPARE, seed=1)),
        ("Did you mean 'thresholds'", partial(sk.compare_groups, Y, P, Y, "f1", threshold=0.5)),
        # no option is meant by itself
        (r"^(?!.*Did you mean).*not take: .*\.$", partial(sk.compare_groups, Y, P, Y, crossed=Y, groups=Y)),
        (r"^(?!.*Did you mean).*not take: .*\.$", partial(COMPARE, "f1", thresholds=0.5, time=Y)),
        # an error of the user's function is its own
        ("^metric must be a function .* broken failed: unsupported operand", partial(OF_LABELS, broken)),
        (r"got \['f1'\]. Use report for several metrics at once", partial(OF_LABELS, ["f1"])),
        ("got dict: use from_arrays", lambda: sk.aggregate_scores({"y": Y, "s": P}, **NAMES)),
        ("fpr must be the same for all models or subgroups, got a mapping", partial(COMPARE, "tpr_at_fpr", fpr={})),
    ],
)
def test_calls_that_do_not_fit_say_what_was_meant(said, call):
    with pytest.raises(TypeError, match=f"(?s){said}"):
        call()


ASKED_BY_NAME = {
    "bootstrap_metric": lambda name: sk.bootstrap_metric(Y, LABELS, name),
    "bootstrap_metric_difference": lambda name: sk.bootstrap_metric_difference(Y, LABELS, OTHERS, name),
    "compare_models": lambda name: sk.compare_models(Y, {"a": LABELS, "b": OTHERS}, name),
    "compare_groups": lambda name: sk.compare_groups(Y, LABELS, SUBGROUPS, name),
    "make_metric_scorer": sk.make_metric_scorer,
}
SCORERS = [name for name in sklearn.metrics.get_scorer_names() if name not in ("average_precision", "roc_auc")]
FUNCTIONS = [name for name in sklearn.metrics.__all__ if name.endswith(("_score", "_loss", "_error", "_deviance"))]
CLASSES = np.arange(60) % 3


def is_ours(name):
    try:
        sk.bootstrap_metric(Y, LABELS, name)
    except ValueError as error:
        return "metric must be one of" not in str(error)
    return True


@pytest.mark.parametrize("name", [name for name in sorted({*SCORERS, *FUNCTIONS}) if not is_ours(name)])
def test_a_name_of_scikit_learns_is_answered_at_the_head_of_the_message(name):
    """By what to write here, or by why it cannot be."""
    for where, ask in ASKED_BY_NAME.items():
        with about(where, name), pytest.raises(ValueError, match=f"got '{name}'") as refused:
            ask(name)
        head = str(refused.value)
        if instead := re.match(rf"Use ('\w+'|Metric\.fbeta).* for '{name}'\. ", head):
            assert not instead[1].startswith("'") or is_ours(instead[1].strip("'"))
        else:
            assert re.match(rf"'{name}' is not available: scikit-learn's function has no sample_weight\.", head), head


LOSSES = {"neg_brier_score": "brier", "neg_log_loss": "log_loss", "mae": "absolute_error"}
NEARLY = {"mse": "squared_error", "dice": "f1", "lr-": "lr_negative", "BinaryAUROC": "roc_auc", "macro_f1": "f1_macro"}
NEARLY |= {"bal_accuracy": "balanced_accuracy", "j_index": "youden", "phi_coef": "mcc", "false_positive_rate": "fpr"}
OF_LOSS = partial(sk.bootstrap_loss, Y, P)


@pytest.mark.parametrize(
    ("ask", "name", "said"),
    [
        (OF_LABELS, "F1", "^Use 'f1' for 'F1'"),
        (OF_LABELS, "acuracy", "Did you mean 'accuracy'"),
        (OF_LABELS, "f2", "Metric.fb"),
        *((OF_LABELS, name, f"^Use '{ours}' for '{name}'\\. ") for name, ours in NEARLY.items()),
        *((OF_LOSS, name, f"^Use '{ours}' for '{name}'\\. ") for name, ours in LOSSES.items()),
        (OF_LOSS, sklearn.metrics.brier_score_loss, "a single number for all cases, use bootstrap_metric"),
    ],
)
def test_names_that_are_nearly_ours_are_suggested(ask, name, said):
    with pytest.raises(ValueError, match=said):
        ask(name)


def test_every_door_says_first_what_to_write():
    doors = (*ASKED_BY_NAME.values(), sk.make_bound_scorer, OF_LOSS, lambda name: sk.report(Y, P, metrics=name))
    for name, ours in (("ibs", "'brier', time=time, .*=True"), ("qwk", "'kappa', kappa_weights='quadratic'")):
        for ask in doors:
            with pytest.raises(ValueError, match=f"^Use {ours} for '{name}'\\. "):
                ask(name)


@pytest.mark.parametrize("scorer", [sklearn.metrics.get_scorer("f1_macro"), sk.make_metric_scorer("f1")], ids=repr)
def test_a_scorer_is_no_metric(scorer):
    for ask in (*ASKED_BY_NAME.values(), partial(sk.bootstrap_loss, Y, P)):
        with pytest.raises(TypeError, match="must be a function of y_true and y_pred, got the scorer make_scorer"):
            ask(scorer)


SINGLE = "{} has a single value for all classes"
FOR_TWO = "{} is for two classes. Use average=None to get it for each class"
WITHOUT_AVERAGE = dict.fromkeys(("lr_positive", "lr_negative", "youden", "lift", "diagnostic_odds_ratio"), FOR_TWO)
WITHOUT_AVERAGE |= dict.fromkeys(("kappa", "accuracy", "mcc", "balanced_accuracy"), SINGLE)


@pytest.mark.parametrize("average", ["macro", "micro", "weighted"])
def test_averages_say_which_metrics_have_none(average):
    for name, said in WITHOUT_AVERAGE.items():
        with about(name), pytest.raises(ValueError, match=said.format(name)):
            sk.bootstrap_metric(CLASSES, CLASSES[::-1], name, average=average)


@pytest.mark.parametrize("statistic", [{"statistic": "f1"}, {"statistic": "cost", "probability_cost": 0.3}])
@pytest.mark.parametrize("thresholds", [[0.5, 0.4], (0.5,), np.array([0.5, 0.4]), ["youden", 0.4]], ids=repr)
def test_a_threshold_for_each_model_goes_by_its_name(statistic, thresholds):
    with pytest.raises(ValueError, match=r"thresholds must be one number or rule for all or a mapping .*'a': 0.5"):
        sk.compare_models(Y, MODELS, thresholds=thresholds, **statistic)
    with pytest.raises(ValueError, match=r"thresholds must be one number or rule for all subgroups, got"):
        sk.compare_groups(Y, P, SUBGROUPS, thresholds=thresholds, **statistic)


def test_thresholds_by_name_are_of_these_models():
    said = r"mapping with one for each model by name.*, got thresholds for \[.*\] and models \['a', 'b'\]"
    for thresholds in ({"a": 0.5}, {"a": 0.5, "b": 0.4, "c": 0.3}, {}):
        with about(thresholds), pytest.raises(ValueError, match=said):
            sk.compare_models(Y, MODELS, "f1", thresholds=thresholds)
    by_number = sk.compare_models(Y, pd.DataFrame(np.c_[P, Q]), "f1", thresholds={0: 0.5, 1: 0.4})
    by_name = sk.compare_models(Y, MODELS, "f1", thresholds={"a": 0.5, "b": 0.4})
    assert by_number.estimate.tolist() == by_name.estimate.tolist()


@pytest.mark.parametrize(
    "table",
    [
        *(pa.table(MODELS), pa.record_batch(MODELS), pl.DataFrame(MODELS), pd.DataFrame(MODELS)),
        *(nw.from_native(pl.DataFrame(MODELS)), {name: column.tolist() for name, column in MODELS.items()}),
    ],
    ids=lambda table: f"{type(table).__module__}.{type(table).__name__}",
)
def test_tables_of_any_package_name_models(table):
    compared = sk.compare_models(Y, table)
    assert compared.models == ("a", "b")
    assert compared.estimate.tolist() == sk.compare_models(Y, MODELS).estimate.tolist()


@pytest.mark.parametrize(
    ("models", "said"),
    [
        ({}, "from 2 to 50 models, got 0"),
        ({"a": P}, "got 1. For one model use bootstrap_auc, .* or compare_groups"),
        ([P, Q], r"got list. Pass \{'a': scores_of_a, 'b': scores_of_b\}"),
        (np.c_[P, Q], r"got ndarray. Pass \{'a'"),
        (MODELS.items(), "got dict_items. Pass"),
        (None, "got NoneType. Pass"),
        (pl.LazyFrame(MODELS), "got LazyFrame. Collect it first"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_models_without_names_are_told_how_to_get_them(models, said):
    with pytest.raises((ValueError, TypeError), match=said):
        sk.compare_models(Y, models)


TINY = [1e-310, 5e-324, 1e-200]


@pytest.mark.parametrize("tiny", TINY)
def test_probabilities_next_to_nothing_have_a_calibration_without_a_ratio(tiny):
    with np.errstate(under="ignore"):
        calibration = sk.bootstrap_calibration(Y, P * tiny)
    assert "60 cases" in repr(calibration)
    assert calibration.pvalue() < 1e-6
    assert calibration.in_the_large.estimate == pytest.approx(Y.mean())
    with pytest.raises(ValueError, match=r"y_true and y_proba must have a ratio that is 0, or .* from 1e-100 to "):
        _ = calibration.observed_expected


@pytest.mark.parametrize(
    ("tiny", "some"), list(zip([*TINY, 1e-60, 1e-14], cycle([slice(None, 60, 3), slice(1)]), strict=False))
)
def test_denominators_next_to_nothing_are_as_good_as_0(tiny, some):
    near, none = Q.copy(), Q.copy()
    near[some], none[some] = tiny, 0
    found, expected = sk.bootstrap_ratio(P, near), sk.bootstrap_ratio(P, none)
    for method in found.methods:
        assert found.confidence_interval(method=method) == pytest.approx(expected.confidence_interval(method=method))
    assert found.standard_error == pytest.approx(expected.standard_error)
    assert found.cdf(1.2) == pytest.approx(expected.cdf(1.2), abs=1e-3)


BEYOND = {
    "most": lambda value: sk.bootstrap_mean(P, most=value),
    "least": lambda value: sk.bootstrap_mean(P, least=-value),
    "most of losses": lambda value: sk.bootstrap_loss(Y, P, "squared_error", most=value),
    "range of numerators": lambda value: sk.bootstrap_ratio(P, Q, range=((0, value), None)),
    "range of denominators": lambda value: sk.bootstrap_ratio(P, Q, range=(None, (0, value))),
    "range": lambda value: sk.bootstrap_metric(Y, P, sklearn.metrics.mean_squared_error, range=(0, value)),
    "tp": lambda value: sk.Metric.fbeta(1).at(value, 1, 1, 1),
    "null": lambda value: sk.bootstrap_mean(P).pvalue(null=value),
    "cost_matrix": lambda value: sk.bootstrap_expected_cost(Y, LABELS, [[0, value], [1, 0]]),
    "cost_fn": lambda value: sk.probability_cost(0.3, value, 1),
    "share": lambda value: sk.Metric.fbeta(1).on_rates(value),
    "values": lambda value: sk.bootstrap_mean(P * value),
    "errors": lambda value: sk.bootstrap_loss(Y, P * value, "absolute_error"),
    "numerator and denominator": lambda value: sk.bootstrap_ratio(P * 1e60, Q / value**0.2),
}


@pytest.mark.parametrize("name", BEYOND)
def test_numbers_beyond_what_can_be_computed_with_are_refused_where_they_are_given(name):
    limit = r"\[0, 1\]" if name == "share" else "1e-?\\+?100"
    for value in (1e200, 1e307):
        with about(value), pytest.raises(ValueError, match=f"^{name.partition(' of ')[0]} must .*{limit}"):
            BEYOND[name](value)
    assert sk.workforce_threshold(Y, P, capacity=10**400) == sk.workforce_threshold(Y, P, capacity=60)


@pytest.mark.parametrize("result", [sk.bootstrap_ratio(P, Q), sk.bootstrap_metric(Y, LABELS, "lr_positive")], ids=repr)
def test_a_law_holds_nothing_beyond_what_can_be_computed_with(result):
    assert [result.cdf(x) for x in (-1e308, -1e101, 1e101, 1e308)] == [0, 0, 1, 1]


@pytest.mark.parametrize("kind", [pl.Int128, pl.UInt128])
def test_frames_of_long_whole_numbers_are_counted(kind):
    whole = np.round(100 * P).astype(int)
    frame, expected = pl.DataFrame({"y": Y, "s": whole}).cast(kind), sk.AggregatedScores.from_arrays(Y, whole)
    for each in (frame, frame.lazy()):
        counted = sk.aggregate_scores(each, **NAMES)
        assert counted.sample_weight.tolist() == expected.sample_weight.tolist()
        assert float(sk.bootstrap_auc(**counted)) == float(sk.bootstrap_auc(**expected))


def test_labels_that_are_collections_and_columns_of_one_name_are_refused():
    for label in ([1], {1}, {"a": 1}, np.array([1]), deep(3)):
        said = f"y_true column 'y' must contain a number or a label .*{type(label).__name__}"
        with about(label), pytest.raises(TypeError, match=said):
            sk.aggregate_scores(pd.DataFrame({"y": [label] * 60, "s": P}), **NAMES)
    for doubled in (["y", "s", "s"], ["y", "s", "y"], ["z", "z", "s"]):
        for frame in (pd.DataFrame(np.c_[Y, P, P], columns=doubled), pa.Table.from_arrays([Y, P, P], names=doubled)):
            with about(doubled), pytest.raises(ValueError, match=r"frame must have column names that differ: .* 2"):
                sk.aggregate_scores(frame, **NAMES)


def test_tuples_are_labels_of_counts_too():
    tuples = np.empty(60, dtype=object)
    tuples[:] = [("yes", 1) if label else ("no", 0) for label in Y]
    frame = pd.DataFrame({"y": tuples, "s": P})
    for counted in (sk.AggregatedScores.from_arrays(tuples, P), sk.aggregate_scores(frame, **NAMES)):
        assert float(sk.bootstrap_auc(**counted, pos_label=("yes", 1))) == float(sk.bootstrap_auc(Y, P))
        assert counted["y_true"][0] == ("no", 0)
