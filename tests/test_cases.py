"""Cases are checked once and each column is sorted once a class, however many numbers are asked for."""

import json
from collections import Counter

import numpy as np
import pytest
from matplotlib import pyplot as plt
from numpy.testing import assert_array_equal

import skcostci as sk
from skcostci._validation import _labels, _rows
from skcostci.cases import _cases
from skcostci.cases._cases import Cases
from skcostci.cli._inquiry import Inquiry, Model, Origin, Question
from skcostci.cli._picture import draw_report
from skcostci.cli._report import report_on
from skcostci.cli._statistics import STATISTICS, Statistic
from skcostci.cli._text import report_json, report_lines
from skcostci.cuts import cut_by
from skcostci.displays._cost_curve import cost_numbers
from skcostci.statistics._auc import auc_of
from skcostci.statistics._auc_difference import auc_difference_of
from skcostci.statistics._compare import Question as Compared
from skcostci.statistics._cost import cost_of
from skcostci.statistics._cost_difference import cost_difference_of
from skcostci.statistics._roc_fpr import roc_at_fpr_of
from skcostci.statistics._roc_threshold import roc_at_threshold_of
from skcostci.statistics._roc_threshold_difference import roc_difference_at_threshold_of

N_POSITIVE, N_NEGATIVE = 161, 283  # columns are known by their lengths
Y = np.repeat([1, 0], [N_POSITIVE, N_NEGATIVE])
RNG = np.random.default_rng(0)
A, B = (RNG.normal(size=len(Y)).round(1) + shift * Y for shift in (1.5, 0.7))


@pytest.fixture
def work(monkeypatch):
    """How often columns are checked, and sorted, by length."""
    counted = Counter()

    def counting(name, function, size=len):
        def counted_function(*arguments, **options):
            counted[name, size(arguments)] += 1
            return function(*arguments, **options)

        return counted_function

    check = counting("check", _rows.check_binary_data, lambda arguments: len(arguments[0]))
    monkeypatch.setattr(_cases, "check_binary_data", check)
    for name in ("sort", "argsort"):
        sort = counting("sort", getattr(np, name), lambda arguments: len(arguments[0]))
        monkeypatch.setattr(np, name, sort)
    return counted


def sorts(work):
    return {size: times for (kind, size), times in work.items() if kind == "sort" and size in (N_POSITIVE, N_NEGATIVE)}


def checks(work):
    return sum(times for (kind, _), times in work.items() if kind == "check")


def test_predicted_labels_are_checked_once(monkeypatch):
    seen = []
    for module in (_labels, _rows):
        monkeypatch.setattr(module, "as_vector", lambda name, values: seen.append(name) or np.asarray(values))
    sk.bootstrap_metric(Y, A > 1, "f1")
    sk.bootstrap_metric_difference(Y, A > 1, B > 1, "f1")
    assert sorted(seen) == ["y_pred", "y_pred_a", "y_pred_b", "y_true", "y_true"]


@pytest.mark.parametrize("display", [sk.CostCurveDisplay, sk.ROCConfidenceDisplay])
def test_a_picture_checks_once_and_sorts_once_a_class(work, display):
    display.from_predictions(Y, A)
    assert checks(work) == 1
    assert sorts(work) == {N_POSITIVE: 1, N_NEGATIVE: 1}


def test_a_picture_of_a_difference_sorts_each_column_once_a_class_and_computes_what_it_draws(work, monkeypatch):
    drawn = []
    monkeypatch.setattr(
        "skcostci.displays._paired_cost.cost_numbers",
        lambda *arguments, **options: drawn.append(arguments[1]) or cost_numbers(*arguments, **options),
    )
    display = sk.PairedCostDifferenceDisplay.from_predictions(Y, A, B)
    assert checks(work) == 1
    assert sorts(work) == {N_POSITIVE: 2, N_NEGATIVE: 2}
    assert drawn == []
    display.plot(plot_cost_curves=True)
    assert drawn == ["y_score_a", "y_score_b"]
    assert checks(work) == 1
    assert sorts(work) == {N_POSITIVE: 2, N_NEGATIVE: 2}
    _, axes = plt.subplots(2, 1)
    two = sk.PairedCostDifferenceDisplay.from_predictions(Y, A, B, ax=axes)
    assert_array_equal(two.cost_curves[1].cost, sk.bootstrap_cost(Y, B).estimate)


def cases(y, a, weights=None):
    return Cases.check(y, {"a": a}, sample_weight=weights)


def test_cases_add_up():
    parts = [np.arange(len(Y)) % 3 == fold for fold in range(3)]
    together = sum((cases(Y[part], A[part]) for part in parts[1:]), start=cases(Y[parts[0]], A[parts[0]]))
    assert together.sizes == (N_POSITIVE, N_NEGATIVE)
    assert_array_equal(together.counts("a").positive.values, cases(Y, A).counts("a").positive.values)
    assert together.weights is None
    weighted = cases([0, 1], [1.0, 2.0]) + cases([0, 1], [1.0, 3.0], weights=[2, 5])
    assert_array_equal(weighted.weights, [1, 1, 2, 5])
    assert_array_equal(weighted.counts("a").positive.at_least, [6, 5, 0])


def test_cases_of_other_labels_or_columns_do_not_add_up():
    with pytest.raises(ValueError, match="do not add up"):
        cases([0, 1], [1, 2]) + cases([-1, 1], [1, 2])
    with pytest.raises(ValueError, match="do not add up"):
        cases([0, 1], [1, 2]) + Cases.check([0, 1], {"b": [1, 2]})


@pytest.mark.parametrize(
    ("rule", "selected"),
    [("envelope", True), ("probability", False), (0.5, False), ([0.2, 0.4], False), (lambda w: 1 - w, False)],
)
def test_a_cut_knows_whether_it_has_seen_the_cases(rule, selected):
    probabilities = 1 / (1 + np.exp(-A))
    cut = cut_by("thresholds", rule, np.array([0.3, 0.6]), cases(Y, probabilities), "a")
    assert cut.selected is selected
    assert cut.thresholds.shape == (2,)


def test_a_report_with_its_picture_checks_once_and_sorts_each_column_once_a_class(work, tmp_path):
    asked = Inquiry(Origin("file", "ill"), Cases.check(Y, {"a": A, "b": B}), [Model("a"), Model("b")], Question())
    draw_report(str(tmp_path / "report.svg"), report_on(asked))
    assert checks(work) == 1
    assert sorts(work) == {N_POSITIVE: 3, N_NEGATIVE: 3}  # each of two columns, and the pairs of their ranks
    report_on(Inquiry(Origin("file", "ill"), asked.cases, [Model("b"), Model("a")], Question()))
    assert sorts(work) == {N_POSITIVE: 4, N_NEGATIVE: 4}


@pytest.mark.parametrize("weights", [None, np.arange(len(Y)) % 4])
def test_numbers_of_shared_cases_are_those_of_the_public_functions(weights):
    shared = Cases.check(Y, {"a": A, "b": B}, sample_weight=weights)
    options = {"sample_weight": weights}
    auc_difference_of(shared, "a", "b")
    pairs = [
        (auc_of(shared, "b"), sk.bootstrap_auc(Y, B, **options)),
        (auc_difference_of(shared, "b", "a"), sk.bootstrap_auc_difference(Y, B, A, **options)),
        (cost_of(shared, "a"), sk.bootstrap_cost(Y, A, **options)),
        (cost_difference_of(shared, "a", "b"), sk.bootstrap_cost_difference(Y, A, B, **options)),
        (roc_at_fpr_of(shared, "b"), sk.bootstrap_roc_at_fpr(Y, B, **options)),
    ]
    for mine, theirs in pairs:
        assert_array_equal(mine.estimate, theirs.estimate)
        assert_array_equal(mine.standard_error, theirs.standard_error)
        assert_array_equal(mine.confidence_interval(), theirs.confidence_interval())


def test_a_statistic_is_added_to_the_report_by_one_entry(monkeypatch):
    question = Compared(
        "TPR",
        lambda cases, a: roc_at_threshold_of(cases, a, thresholds=1.0).tpr,
        lambda cases, a, b: roc_difference_at_threshold_of(cases, a, b, thresholds_a=1.0, thresholds_b=1.0).tpr,
        greater_is_better=True,
    )
    hits = Statistic("hits", question, lambda asked, point: "Sensitivity at a score of 1")
    monkeypatch.setattr("skcostci.cli._report.STATISTICS", (*STATISTICS, hits))
    data = Cases.check(Y, {"a": A, "b": B})
    report = report_on(Inquiry(Origin("file", "ill"), data, [Model("a"), Model("b")], Question()))
    difference = sk.bootstrap_roc_difference_at_threshold(Y, A, B, thresholds_a=1, thresholds_b=1).tpr
    said = json.loads(report_json(report))
    assert said["methods"]["hits_difference"] == difference.methods[0]
    assert said["models"][1]["hits"]["estimate"] == (B[Y == 1] >= 1).mean()
    assert said["difference"]["hits"]["pvalue"] == difference.pvalue()
    lines = report_lines(report)
    place = next(i for i, line in enumerate(lines) if line.startswith("Sensitivity at a score of 1 "))
    assert [line.split()[0] for line in lines[place + 1 : place + 4]] == ["a", "b", "difference"]
