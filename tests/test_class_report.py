"""The report of several classes is scikit-learn's classification report, with the intervals of the functions."""

import json

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn import metrics

import skcostci as sk
from skcostci.__main__ import main

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
    assert max(map(len, text.splitlines())) <= 84
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
        (TABLE, {"thresholds": 0.3}, "thresholds is for two classes, but y_true has more"),
        (TABLE, {"prevalence": 0.3}, "prevalence is for two classes"),
        (TABLE, {"metrics": ("f1",)}, "metrics is for two classes"),
        (TABLE[:, :3], {}, "must have a column for each class of y_true, 'cat', 'dog', 'eel', 'fox', got 3 columns"),
    ],
)
def test_what_does_not_go_together_is_said(scores, options, message):
    with pytest.raises(ValueError, match=message):
        sk.report(TRUTH, scores, **options)


def written(tmp_path, **columns):
    path = tmp_path / "classes.csv"
    pd.DataFrame(columns).to_csv(path, index=False)
    return ["compare", str(path), "--y-true", "truth"]


def numbers(rows):
    return [[row[name] for name in ("support", "estimate", "low", "high")] for row in rows]


def test_the_command_line_has_the_same_numbers(tmp_path, capsys):
    guesses = {"a": NAMES[TABLE.argmax(axis=1)], "b": NAMES[OTHER.argmax(axis=1)]}
    weights, groups = RNG.gamma(2.0, size=90), np.arange(90) // 2
    asked = [*written(tmp_path, truth=TRUTH, w=weights, n=COUNTS, g=groups, **guesses), "--predicted", "a"]
    for options, sample in [
        ([], {}),
        (["--weight", "n"], {"sample_weight": COUNTS}),
        (["--weight", "w", "--weight-type", "importance"], {"sample_weight": weights, "weight_type": "importance"}),
        (["--group", "g"], {"groups": groups}),
    ]:
        main([*asked, "--predicted", "b", "--json", "--confidence-level", "0.9", *options])
        told, expected = json.loads(capsys.readouterr().out), sk.report(TRUTH, guesses, confidence_level=0.9, **sample)
        assert_allclose(numbers(told["rows"]), numbers(expected.to_dict()["rows"]), rtol=1e-12)
        assert told.get("effective_cases") == expected.effective_cases
    page = tmp_path / "report.html"
    main([*asked, "--output", str(page)])
    assert "90 cases of 4 classes (truth)" in capsys.readouterr().out
    assert page.read_text().startswith("<!doctype html>")
    for more, said in [
        (["--score", "b"], "--score and --predicted cannot be combined"),
        (["--prevalence", "0.1"], "--prevalence is for --score"),
        (["--cost-fn", "5"], "--cost-fn is for --score"),
        (["--weight-type", "importance"], "needs --weight"),
        (["--predicted", "a"], "column a was given twice"),
        (["--output", str(tmp_path / "report.png")], "--output must end in .html with --predicted"),
    ]:
        with pytest.raises(SystemExit):
            main([*asked, *more])
        assert said in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(asked[:-2])
    assert "pass --score" in capsys.readouterr().err


def test_two_classes_and_one_that_is_only_predicted(tmp_path, capsys):
    main([*written(tmp_path, truth=[0, 1, 1, 0] * 10, guess=[0, 1, 0, 0] * 10), "--predicted", "guess", "--json"])
    f1 = next(row for row in json.loads(capsys.readouterr().out)["rows"] if (row["metric"], row["label"]) == ("f1", 1))
    assert f1["estimate"] == metrics.f1_score([0, 1, 1, 0], [0, 1, 0, 0])
    truth, guess = np.tile(list("aabbcc"), 9), np.tile(list("aabdcb"), 9)
    told = metrics.classification_report(truth, guess, output_dict=True, zero_division=0)
    report = sk.report(truth, guess)
    assert report.labels == ("a", "b", "c", "d")
    for average in ("macro", "weighted"):
        assert of(report, "model", "f1", average).estimate == pytest.approx(
            told[f"{average} avg"]["f1-score"], rel=1e-12
        )


def test_weights_of_importance():
    weights = RNG.gamma(2.0, size=90)
    report = sk.report(TRUTH, TABLE, sample_weight=weights, weight_type="importance")
    guess = NAMES[TABLE.argmax(axis=1)]
    expected = metrics.classification_report(TRUTH, guess, output_dict=True, sample_weight=weights, zero_division=0)
    for label in NAMES:
        assert of(report, "model", "f1", label).estimate == pytest.approx(expected[label]["f1-score"], rel=1e-12)
        assert of(report, "model", "f1", label).support == pytest.approx(expected[label]["support"])
    assert report.effective_cases == pytest.approx(weights.sum() ** 2 / (weights @ weights))
    assert f"the effective number of cases is {report.effective_cases:.4g}" in str(report)
