"""The report of several classes is scikit-learn's classification report, with the intervals of the functions."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics

import skcostci as sk

RNG = np.random.default_rng(7)
NAMES = np.array(["cat", "dog", "eel", "fox"])
TRUTH = RNG.choice(NAMES, 90, p=[0.4, 0.3, 0.2, 0.1])
TABLE = RNG.random((90, 4)) + 1.2 * (TRUTH[:, None] == NAMES)
TABLE /= TABLE.sum(axis=1, keepdims=True)
OTHER = RNG.random((90, 4)) + 0.8 * (TRUTH[:, None] == NAMES)
OTHER /= OTHER.sum(axis=1, keepdims=True)
COUNTS = RNG.integers(0, 3, 90)


def of(report, model, metric, label):
    (row,) = [row for row in report.rows if (row.model, row.metric, row.label) == (model, metric, label)]
    return row


@pytest.mark.parametrize("counts", [None, COUNTS])
def test_it_is_scikit_learns(counts):
    guess = NAMES[TABLE.argmax(axis=1)]
    report = sk.report(TRUTH, guess, sample_weight=counts)
    expected = metrics.classification_report(TRUTH, guess, output_dict=True, sample_weight=counts, zero_division=0)
    for label in (*NAMES, "macro", "weighted"):
        told = expected[label if label in NAMES else f"{label} avg"]
        for metric, name in (("precision", "precision"), ("recall", "recall"), ("f1", "f1-score")):
            row = of(report, "model", metric, label)
            assert row.estimate == pytest.approx(told[name], rel=1e-12)
            assert row.support == told["support"]
    assert of(report, "model", "accuracy", "all classes").estimate == pytest.approx(expected["accuracy"], rel=1e-12)
    direct = sk.bootstrap_metric(TRUTH, guess, "f1", average="macro", sample_weight=counts)
    row = of(report, "model", "f1", "macro")
    assert (row.low, row.high) == pytest.approx(tuple(direct.confidence_interval()))


def test_probabilities_have_areas_and_losses_and_two_models_differences():
    report = sk.report(TRUTH, {"a": TABLE, "b": OTHER}, confidence_level=0.9)
    area = sk.bootstrap_auc(TRUTH, TABLE, multi_class="ovr")
    row = of(report, "a", "AUC", "all classes")
    assert (row.estimate, row.low, row.high) == pytest.approx((area.estimate, *area.confidence_interval(0.9)))
    assert of(report, "b", "log loss", "all classes").estimate == pytest.approx(metrics.log_loss(TRUTH, OTHER))
    guesses = [NAMES[table.argmax(axis=1)] for table in (TABLE, OTHER)]
    apart = sk.bootstrap_metric_difference(TRUTH, *guesses, "recall", average="macro")
    row = of(report, "a - b", "recall", "macro")
    assert (row.estimate, row.p) == pytest.approx((apart.estimate, apart.pvalue()))
    text, frame = str(report), report.to_frame()
    assert "Report: 90 cases of 4 classes" in text
    assert max(map(len, text.splitlines())) <= 81
    assert len(frame) == len(report.rows) == 3 * (3 * 6 + 3)
    assert json.loads(json.dumps(report.to_dict()))["labels"] == NAMES.tolist()
    assert "a - b" in report.to_html()


def test_a_frame_of_the_classes_is_a_table_and_one_of_models_is_labels():
    shuffled = pd.DataFrame(TABLE, columns=NAMES)[["fox", "cat", "eel", "dog"]]
    by_name, by_place = sk.report(TRUTH, shuffled), sk.report(TRUTH, TABLE)
    assert [row[:6] for row in by_name.rows if row.metric == "f1"] == [
        row[:6] for row in by_place.rows if row.metric == "f1"
    ]
    guesses = pd.DataFrame({"a": NAMES[TABLE.argmax(axis=1)], "b": NAMES[OTHER.argmax(axis=1)]})
    assert {row.model for row in sk.report(TRUTH, guesses).rows} == {"a", "b", "a - b"}


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        (TABLE, {"thresholds": 0.3}, "thresholds is for two classes, and y_true has more"),
        (TABLE, {"prevalence": 0.3}, "prevalence is for two classes"),
        (TABLE, {"metrics": ("f1",)}, "metrics is for two classes"),
        (TABLE[:, :3], {}, "must have a column for each class of y_true, 'cat', 'dog', 'eel', 'fox', got 3 columns"),
    ],
)
def test_what_does_not_go_together_is_said(scores, options, message):
    with pytest.raises(ValueError, match=message):
        sk.report(TRUTH, scores, **options)
