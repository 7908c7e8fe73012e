"""What a result estimates: results of one estimand are subtracted, others are refused with what differs."""

import itertools
import pickle
from functools import partial

import numpy as np
import pytest
from statistics_list import BELONGING, COMPARED, STATISTICS, Cases, parts

import skcostci as sk

Y = np.tile([0, 1, 1, 0, 0, 1, 0, 0], 3)
SAMPLE = Cases(Y, tuple(np.random.default_rng(0).integers(-3, 4, (2, 24)) / 2 + [[0.0], [0.0]]))
RESULTS = [
    (f"{statistic}, {i}", part)
    for statistic in [*STATISTICS, *BELONGING]
    if statistic.name.startswith("boot")
    for i, part in enumerate(parts(statistic.of_cases(SAMPLE)))
]
SCORES = SAMPLE.scores[0]
LABELS = (SCORES > 0).astype(int)
CLASSES = np.arange(24) % 5 % 3
RISKS = (SCORES + 2) / 5
SHARES = [(np.full((24, q), 1 / q), q) for q in (3, 4)]
TABLE = np.column_stack([-SCORES, SCORES, np.sin(np.arange(24))])


metric = partial(sk.bootstrap_metric, Y, LABELS)
of_classes = partial(sk.bootstrap_auc, CLASSES, TABLE)
cost = partial(sk.bootstrap_cost, Y, SCORES, probability_cost=0.3, thresholds=0.5)
rates = partial(sk.bootstrap_roc_at_threshold, Y, SCORES, thresholds=0.5)
DIFFERENT = {
    "metric": [metric("precision"), metric("npv"), metric("precision", prevalence=0.1), metric("f1"), metric("lift")],
    "prevalence": [metric("precision", prevalence=share) for share in (0.1, 0.2)],
    "weights": [metric(sk.Metric((1, 0, 0, 0), (1, 0, weight, 0), name="mine")) for weight in (1, 2)],
    "net benefit": [sk.bootstrap_metric(Y, 1 / (1 + np.exp(-SCORES)), "net_benefit", thresholds=x) for x in (0.1, 0.2)],
    "costs": [sk.bootstrap_expected_cost(Y, LABELS, [[0, 1], [dear, 0]]) for dear in (1, 5)],
    "labels": [sk.bootstrap_expected_cost(Y, LABELS, [[0, 1], [5, 0]], labels=order) for order in ([0, 1], [1, 0])],
    "normalizer": [cost(sampling="full", normalizer=name) for name in ("mean", "max")],
    "condition": [cost(probability_cost=w) for w in (0.3, 0.4, [0.3, 0.4])],
    "choice": [cost(), cost(thresholds="envelope")],
    "rate": [rates().tpr, rates().fpr, metric("recall")],
    "fpr": [sk.bootstrap_roc_at_fpr(Y, SCORES, fpr=rate) for rate in (0.2, 0.3)],
    "max_fpr": [sk.bootstrap_auc(Y, SCORES, max_fpr=rate) for rate in (0.1, 0.2)],
    "share": [sk.bootstrap_roc_at_positive_rate(Y, SCORES, positive_rate=0.5), rates().tpr],
    "several classes": [
        sk.bootstrap_auc(Y, SCORES),
        *(of_classes(multi_class=kind, average=each) for kind in ("ovr", "ovo") for each in ("macro", "weighted")),
    ],
    "positive class": [sk.bootstrap_auc(Y, SCORES, pos_label=label) for label in (0, 1)],
    "folds": [sk.bootstrap_auc(Y, SCORES), sk.bootstrap_auc(Y, SCORES, folds=np.arange(24) % 3)],
    "difference": [sk.bootstrap_auc(Y, SCORES), sk.bootstrap_auc_difference(Y, SCORES, SAMPLE.scores[1])],
    "loss": [
        *(sk.bootstrap_loss(Y, RISKS, loss) for loss in ("brier", "log_loss", np.hypot, np.subtract)),
        sk.bootstrap_loss(Y, RISKS, folds=np.arange(24) % 3),
        sk.bootstrap_loss_difference(Y, RISKS, RISKS / 2),
        sk.bootstrap_mean(RISKS),
        sk.bootstrap_ratio(RISKS, RISKS + 1),
    ],
    "classes": [sk.bootstrap_loss(CLASSES, table, "ranked_probability_score", labels=range(q)) for table, q in SHARES],
    "level": [sk.bootstrap_agreement(TABLE > 0, "krippendorff", level=each) for each in ("nominal", "ordinal")],
    "calibration": [
        getattr(sk.bootstrap_calibration(Y, RISKS, pos_label=label), name)
        for label, name in itertools.product((0, 1), ("in_the_large", "observed_expected"))
    ],
    "error count": [sk.bootstrap_auc(Y, SCORES), sk.auc_from_error_count(3, 12, 12)],
}


@pytest.mark.parametrize("kind", DIFFERENT)
def test_different_questions_are_not_subtracted(kind):
    for a, b in itertools.product(DIFFERENT[kind], repeat=2):
        if a is b:
            assert np.all(sk.independent_difference(a, b).estimate == 0)
        else:
            with pytest.raises(ValueError, match=r"^result_a and result_b must be (of|at) the same .+, got .+ and .+"):
                sk.independent_difference(a, b)


def over(named):
    return pytest.mark.parametrize("result", [result for _, result in named], ids=[name for name, _ in named])


@over(RESULTS)
def test_of_all_statistics_only_the_same_are_subtracted(result):
    for _, other in RESULTS:
        if result.estimand == other.estimand and np.shape(result.estimate) == np.shape(other.estimate):
            difference = sk.independent_difference(result, other)
            np.testing.assert_allclose(difference.estimate, np.subtract(result.estimate, other.estimate), atol=1e-15)
        else:
            assert result is not other
            with pytest.raises(ValueError, match=r"result_b must (be (of|at) the same|have the same points)"):
                sk.independent_difference(result, other)


def test_the_list_holds_few_that_are_the_same():
    """Of one function they differ in how cases are resampled, and in nothing else."""
    same = [
        {name.split("-")[0].split(",")[0] for name, result in RESULTS if result.estimand == each}
        for each in {result.estimand for _, result in RESULTS}
    ]
    assert all(len(functions) == 1 for functions in same)


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        (metric("precision"), metric("npv"), "of the same metric, got precision and npv"),
        (*DIFFERENT["prevalence"], "of the same prevalence, got 0.1 and 0.2"),
        (*DIFFERENT["fpr"], "at the same fpr, got 0.2 and 0.3"),
        (*DIFFERENT["max_fpr"], "at the same max_fpr, got 0.1 and 0.2"),
        (rates().tpr, rates().fpr, "of the same statistic, got 'tpr' and 'fpr'"),
        (*DIFFERENT["positive class"], "of the same positive class, got 0 and 1"),
        (*DIFFERENT["weights"], r"of the same metric, got Metric\(numerator=.*\) and Metric\(numerator="),
    ],
)
def test_what_differs_is_said(a, b, message):
    with pytest.raises(ValueError, match=message):
        sk.independent_difference(a, b)


def test_where_the_labels_are_called_otherwise_accuracy_is_the_same():
    words = np.array(["no", "yes"])
    there = sk.bootstrap_metric(words[Y], words[LABELS], "accuracy")
    assert sk.independent_difference(metric("accuracy"), there).estimate == 0


def test_the_samples_may_differ():
    some = np.arange(24) < 17
    here, there = (sk.bootstrap_roc_at_positive_rate(Y[i], SCORES[i], positive_rate=0.3) for i in (some, ~some))
    assert np.isfinite(sk.independent_difference(here, there).estimate)


@pytest.mark.parametrize("method", ["wald", "delong"])
def test_limits_of_a_method_are_combined(method):
    """Of normal limits, far from the ends of the range, distances add in squares."""
    a, b = (sk.bootstrap_auc(np.tile(Y, 20), np.tile(column, 20)) for column in SAMPLE.scores)
    low = sk.independent_difference(a, b, method=method).confidence_interval().low
    assert low != sk.independent_difference(a, b).confidence_interval().low
    below, above = (each.confidence_interval(method=method) for each in (a, b))
    assert low == pytest.approx(float(a) - float(b) - np.hypot(float(a) - below.low, above.high - float(b)), abs=1e-5)
    with pytest.raises(ValueError, match=r"method must be one of 'unseen_case', .* got 'none'"):
        sk.independent_difference(a, b, method="none")


EVERY_METHOD = {method for _, result in RESULTS for method in result.methods}


def asked_alike():
    """Results of all kinds, comparisons and pairs of rates among them."""
    yield from RESULTS
    for statistic in [*STATISTICS, *BELONGING, *COMPARED]:
        if "threshold" in statistic.name or statistic.name.startswith("compare"):
            result = statistic.of_cases(SAMPLE)
            yield str(statistic), result
            if hasattr(result, "differences"):
                yield f"{statistic} differences", result.differences


ASKED = [(name, result) for name, result in asked_alike() if hasattr(result, "estimand")]


@over([(name, result) for name, result in ASKED if hasattr(result, "methods")])
@pytest.mark.filterwarnings("ignore::skcostci.DegenerateLawWarning")
def test_methods_lists_what_works_and_nothing_else_does(result):
    ask = getattr(result, "confidence_region", None) or result.confidence_interval
    for method in result.methods:
        assert np.isfinite(np.array(ask(0.9, method=method))).all()
    for method in EVERY_METHOD - {*result.methods}:
        with pytest.raises(ValueError, match=f"method must be one of .*, got '{method}'"):
            ask(0.9, method=method)


@over(ASKED[::5])
def test_results_are_equal_when_what_they_estimate_and_their_numbers_are(result):
    again = pickle.loads(pickle.dumps(result))
    assert (again, hash(again), again.estimand) == (result, hash(result), result.estimand)
    assert result != "something else"
    assert any(result != other for _, other in ASKED)


def test_comparisons_and_curves_of_other_numbers_differ():
    y_true, (a, b) = SAMPLE.y_true, SAMPLE.scores
    one, same, other = (sk.compare_models(y_true, {"a": a, "b": each}) for each in (b, b.copy(), -b))
    assert one == same
    assert one != other
    assert one.differences == same.differences
    assert one.differences != other.differences
    assert one != sk.compare_models(y_true, {"a": a, "b": b}, adjustment="holm")
    curve, again, turned = (sk.CostCurve.from_predictions(y_true, each) for each in (a, a.copy(), -a))
    assert curve == again
    assert hash(curve) == hash(again)
    assert curve != turned
