"""Errors that name the way out: what came where an array was due, calls that do not fit, names from elsewhere."""

import re
from collections import deque
from functools import partial, reduce
from operator import getitem

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
EVERY = [entry for entry in [*STATISTICS, *BELONGING, *COMPARED] if entry.name not in ("compare_models",)]
BY_SHAPE = list({(entry.name, str(entry)): entry for entry in EVERY}.values())


def columns_of(entry):
    return (LABELS, OTHERS) if entry.of == "labels" else (P, Q)


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
        columns = columns_of(entry)[: entry.models]
        more = {entry.membership: np.arange(60) % 7} if entry.membership else {}
        if entry.membership == "by":
            more = {"by": np.repeat(["u", "v"], 30)}
        for place, name in enumerate(("y_true", *entry.columns)):
            call = [Y, *columns]
            call[place] = value
            message = rf"^{name} must be .*{re.escape(said.format(name))}"
            with about(entry, name), pytest.raises((ValueError, TypeError), match=message):
                entry(*call, **more)


def test_a_file_is_read_first(tmp_path):
    path = tmp_path / "scores.txt"
    path.write_text("0.5\n")
    with path.open() as file, pytest.raises(TypeError, match=r"got a TextIOWrapper\. Read the entries from it first"):
        sk.bootstrap_auc(Y, file)


def test_other_options_and_members_say_what_came_too():
    with pytest.raises(TypeError, match="groups must be an array or a list, got a set"):
        sk.bootstrap_auc(Y, P, groups={1, 2})
    with pytest.raises(TypeError, match=r"thresholds must be an array or a list, got a generator. Pass list\(thresh"):
        sk.bootstrap_metric(Y, P, "f1", thresholds=(t for t in [0.1, 0.2]))
    with pytest.raises(TypeError, match="cost_matrix must be an array or a list, got a dict"):
        sk.bootstrap_expected_cost(Y, LABELS, {0: [0, 1], 1: [1, 0]})
    with pytest.raises(TypeError, match="values must contain real numbers, got generator values"):
        sk.bootstrap_mean([(v for v in [1]) for _ in range(4)])


@pytest.mark.parametrize(
    "kind", [list, tuple, deque, pd.Index, pl.Series, pa.array, pd.Series, np.asarray, pd.DataFrame]
)
def test_what_is_ordered_is_taken(kind):
    assert float(sk.bootstrap_auc(kind(Y), kind(P))) == float(sk.bootstrap_auc(Y, P))


@pytest.mark.parametrize(
    "name", ["bootstrap_auc", "bootstrap_cost", "bootstrap_roc_at_fpr", "neyman_pearson_threshold"]
)
def test_counts_are_unpacked(name):
    with pytest.raises(
        TypeError, match=rf"missing .* Unpack the counted cases with two stars: {name}\(\*\*counted, \.\.\.\)"
    ):
        getattr(sk, name)(COUNTED)


def test_counts_of_other_columns_are_unpacked_too():
    with pytest.raises(TypeError, match=r"bootstrap_auc_difference\(\*\*counted, \.\.\.\)"):
        sk.bootstrap_auc_difference(COUNTED_TWICE)
    with pytest.raises(TypeError, match=r"bootstrap_metric\(\*\*counted, \.\.\.\)"):
        sk.bootstrap_metric(COUNTED, metric="f1", thresholds=0.5)
    with pytest.raises(TypeError, match=r"from_predictions\(\*\*counted, \.\.\.\)"):
        sk.CostCurve.from_predictions(COUNTED)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: sk.bootstrap_metric(Y, P, "f1", threshold=0.5), "'threshold', .* Did you mean 'thresholds'"),
        (lambda: sk.bootstrap_auc(Y, P, max_fp=0.5), "'max_fp'. Did you mean 'max_fpr'"),
        (lambda: sk.bootstrap_auc(Y, P, weights=Y), "'weights'. It takes y_true, y_score, .*sample_weight"),
        (
            lambda: sk.bootstrap_auc(Y, P, confidence_level=0.9),
            "Pass it to the result that is returned, as in .confidence_interval",
        ),
        (lambda: sk.bootstrap_auc(Y, P, n_resamples=99), "Nothing is resampled: leave it out"),
        (
            lambda: sk.bootstrap_auc(Y, P, "full"),
            "2 positional arguments but 3 were given. These are passed by name: sampling",
        ),
        (lambda: sk.bootstrap_auc(Y), r"missing 1 required positional argument: 'y_score'\.$"),
        (lambda: sk.plan_auc(0.8, halfwidth=0.1), "Did you mean 'half_width'"),
        (lambda: sk.compare_models(Y, MODELS, "f1", threshold=0.5), "Did you mean 'thresholds'"),
        (lambda: sk.compare_models(Y, MODELS, refrence="a"), "Did you mean 'reference'"),
        (lambda: sk.compare_models(Y, MODELS, seed=1), "Nothing is resampled"),
        (lambda: sk.compare_groups(Y, P, Y, "f1", threshold=0.5), "Did you mean 'thresholds'"),
    ],
)
def test_calls_that_do_not_fit_say_what_was_meant(call, said):
    with pytest.raises(TypeError, match=said):
        call()


@pytest.mark.parametrize(
    "call",
    [
        lambda: sk.compare_groups(Y, P, Y, crossed=Y, groups=Y),
        lambda: sk.compare_models(Y, MODELS, "f1", thresholds=0.5, time=Y),
    ],
)
def test_no_option_is_meant_by_itself(call):
    with pytest.raises(TypeError, match=r"does not take: .*\.$") as refused:
        call()
    assert "Did you mean" not in str(refused.value)


def test_a_type_error_inside_a_call_is_its_own():
    def broken(y_true, y_pred, sample_weight=None):
        return y_true + None

    with pytest.raises(TypeError, match=r"^metric must be a function .* broken failed: unsupported operand"):
        sk.bootstrap_metric(Y, LABELS, broken)


ASKED_BY_NAME = {
    "bootstrap_metric": lambda name: sk.bootstrap_metric(Y, LABELS, name),
    "bootstrap_metric_difference": lambda name: sk.bootstrap_metric_difference(Y, LABELS, OTHERS, name),
    "compare_models": lambda name: sk.compare_models(Y, {"a": LABELS, "b": OTHERS}, name),
    "compare_groups": lambda name: sk.compare_groups(Y, LABELS, np.repeat(["u", "v"], 30), name),
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
        if instead := re.match(rf"For '{name}' write ('\w+'|Metric\.fbeta)", head):
            assert not instead[1].startswith("'") or is_ours(instead[1].strip("'"))
        else:
            assert re.match(rf"'{name}' is not available: scikit-learn's function has no sample_weight\.", head), head


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("F1", "Did you mean 'f1'"),
        ("acuracy", "Did you mean 'accuracy'"),
        ("mse", "For 'mse' write 'squared_error'"),
        ("dice", "For 'dice' write 'f1'"),
        ("auroc", "For 'auroc' write 'roc_auc'"),
        ("f2", "Metric.fb"),
    ],
)
def test_names_that_are_nearly_ours_are_suggested(name, said):
    with pytest.raises(ValueError, match=said):
        sk.bootstrap_metric(Y, LABELS, name)


def test_names_of_losses_are_answered_too():
    for name, loss in (("neg_brier_score", "brier"), ("neg_log_loss", "log_loss"), ("mae", "absolute_error")):
        with pytest.raises(ValueError, match=rf"For '{name}' write '{loss}'"):
            sk.bootstrap_loss(Y, P, name)
    with pytest.raises(ValueError, match="a single number for all cases, use bootstrap_metric"):
        sk.bootstrap_loss(Y, P, sklearn.metrics.brier_score_loss)


@pytest.mark.parametrize("scorer", [sklearn.metrics.get_scorer("f1_macro"), sk.make_metric_scorer("f1")], ids=repr)
def test_a_scorer_is_no_metric(scorer):
    for ask in (*ASKED_BY_NAME.values(), partial(sk.bootstrap_loss, Y, P)):
        with pytest.raises(TypeError, match="must be a function of y_true and y_pred, got the scorer make_scorer"):
            ask(scorer)


def test_several_metrics_are_for_reports():
    with pytest.raises(TypeError, match=r"got \['f1', 'recall'\]. Use report for several metrics at once"):
        sk.bootstrap_metric(Y, LABELS, ["f1", "recall"])


@pytest.mark.parametrize("average", ["macro", "micro", "weighted"])
def test_averages_say_which_metrics_have_none(average):
    for name in ("lr_positive", "lr_negative", "youden", "lift", "diagnostic_odds_ratio"):
        with (
            about(name),
            pytest.raises(ValueError, match=f"{name} is for two classes. Use average=None to get it for each class"),
        ):
            sk.bootstrap_metric(CLASSES, CLASSES[::-1], name, average=average)
    for name in ("kappa", "accuracy", "mcc", "balanced_accuracy"):
        with about(name), pytest.raises(ValueError, match=f"{name} has a single value for all classes"):
            sk.bootstrap_metric(CLASSES, CLASSES[::-1], name, average=average)


@pytest.mark.parametrize("statistic", [{"statistic": "f1"}, {"statistic": "cost", "probability_cost": 0.3}])
@pytest.mark.parametrize("thresholds", [[0.5, 0.4], (0.5,), np.array([0.5, 0.4]), ["youden", 0.4]], ids=repr)
def test_a_threshold_for_each_model_goes_by_its_name(statistic, thresholds):
    with pytest.raises(ValueError, match=r"thresholds must be one number or rule for all or a mapping .*'a': 0.5"):
        sk.compare_models(Y, MODELS, thresholds=thresholds, **statistic)
    with pytest.raises(ValueError, match=r"thresholds must be one number or rule for all subgroups, got"):
        sk.compare_groups(Y, P, np.repeat(["u", "v"], 30), thresholds=thresholds, **statistic)


def test_thresholds_by_name_are_of_these_models():
    for thresholds in ({"a": 0.5}, {"a": 0.5, "b": 0.4, "c": 0.3}, {}):
        with pytest.raises(
            ValueError,
            match=r"mapping with one for each model by name.*, got thresholds for \[.*\] and models \['a', 'b'\]",
        ):
            sk.compare_models(Y, MODELS, "f1", thresholds=thresholds)
    by_number = sk.compare_models(Y, pd.DataFrame(np.c_[P, Q]), "f1", thresholds={0: 0.5, 1: 0.4})
    assert (
        by_number.estimate.tolist()
        == sk.compare_models(Y, MODELS, "f1", thresholds={"a": 0.5, "b": 0.4}).estimate.tolist()
    )
    with pytest.raises(TypeError, match="fpr must be the same for all models or subgroups, got a mapping"):
        sk.compare_models(Y, MODELS, "tpr_at_fpr", fpr={"a": 0.1, "b": 0.2})


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
    with pytest.raises(
        ValueError,
        match=r"y_true and y_proba must have a ratio that is 0, or whose absolute value is from 1e-100 to .*, got",
    ):
        calibration.observed_expected  # noqa: B018


@pytest.mark.parametrize("tiny", [*TINY, 1e-60, 1e-14])
@pytest.mark.parametrize("some", [slice(None, None, 3), slice(1)], ids=["twenty", "one"])
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
    "values": lambda value: sk.bootstrap_mean(P * value),
    "errors": lambda value: sk.bootstrap_loss(Y, P * value, "absolute_error"),
    "numerator and denominator": lambda value: sk.bootstrap_ratio(P * 1e60, Q / value**0.2),
}


@pytest.mark.parametrize("value", [1e200, 1e307])
@pytest.mark.parametrize("name", BEYOND)
def test_numbers_beyond_what_can_be_computed_with_are_refused_where_they_are_given(name, value):
    with pytest.raises(ValueError, match=f"^{name.partition(' of ')[0]} must .*1e-?\\+?100"):
        BEYOND[name](value)


@pytest.mark.parametrize("result", [sk.bootstrap_ratio(P, Q), sk.bootstrap_metric(Y, LABELS, "lr_positive")], ids=repr)
def test_a_law_holds_nothing_beyond_what_can_be_computed_with(result):
    assert [result.cdf(x) for x in (-1e308, -1e101, 1e101, 1e308)] == [0, 0, 1, 1]


def test_a_capacity_may_be_any_number_of_cases():
    assert sk.workforce_threshold(Y, P, capacity=10**400) == sk.workforce_threshold(Y, P, capacity=60)


def test_shares_at_which_metrics_are_weighed_lie_between_0_and_1():
    with pytest.raises(ValueError, match=r"share must be a number in \[0, 1\], got 2"):
        sk.Metric.fbeta(1).on_rates(2.0)


def deep(depth):
    return reduce(lambda inner, _: [inner], range(depth), 1)


def test_frames_are_counted_or_refused_in_words():
    names = {"y_true": "y", "y_score": "s"}
    whole = np.round(100 * P).astype(int)
    expected = sk.AggregatedScores.from_arrays(Y, whole)
    for kind in (pl.Int128, pl.UInt128):
        frame = pl.DataFrame({"y": Y, "s": whole}).cast(kind)
        for each in (frame, frame.lazy()):
            counted = sk.aggregate_scores(each, **names)
            assert counted.sample_weight.tolist() == expected.sample_weight.tolist()
            assert float(sk.bootstrap_auc(**counted)) == float(sk.bootstrap_auc(**expected))
    for label in ([1], {1}, {"a": 1}, np.array([1]), deep(3)):
        frame = pd.DataFrame({"y": [label] * 60, "s": P})
        with pytest.raises(
            TypeError, match=f"y_true column 'y' must contain a number or a label .*{type(label).__name__}"
        ):
            sk.aggregate_scores(frame, **names)
    for doubled in (["y", "s", "s"], ["y", "s", "y"], ["z", "z", "s"]):
        for frame in (pd.DataFrame(np.c_[Y, P, P], columns=doubled), pa.Table.from_arrays([Y, P, P], names=doubled)):
            with pytest.raises(ValueError, match=r"frame must have column names that differ: .* 2 times"):
                sk.aggregate_scores(frame, **names)
    with pytest.raises(TypeError, match=r"got dict: use from_arrays"):
        sk.aggregate_scores({"y": Y, "s": P}, **names)


def test_tuples_are_labels_of_counts_too():
    tuples = np.empty(60, dtype=object)
    tuples[:] = [("yes", 1) if label else ("no", 0) for label in Y]
    for counted in (
        sk.AggregatedScores.from_arrays(tuples, P),
        sk.aggregate_scores(pd.DataFrame({"y": tuples, "s": P}), y_true="y", y_score="s"),
    ):
        assert float(sk.bootstrap_auc(**counted, pos_label=("yes", 1))) == float(sk.bootstrap_auc(Y, P))
        assert getitem(counted, "y_true")[0] == ("no", 0)
