"""The report of several classes has scikit-learn's classification report, with the intervals of the functions."""

import json
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn import metrics

import skcostci as sk
from skcostci.__main__ import main

RNG = np.random.default_rng(7)
NAMES = np.array(["cat", "dog", "eel", "fox"])
TRUTH = RNG.choice(NAMES, 40, p=[0.4, 0.3, 0.2, 0.1])
TABLE = RNG.random((40, 4)) + 1.2 * (TRUTH[:, None] == NAMES)
TABLE /= TABLE.sum(axis=1, keepdims=True)
OTHER = RNG.random((40, 4)) + 0.8 * (TRUTH[:, None] == NAMES)
OTHER /= OTHER.sum(axis=1, keepdims=True)
COUNTS = RNG.integers(0, 3, 40)
IMPORTANCE = {"sample_weight": RNG.gamma(2.0, size=40), "weight_type": "importance"}


def of(report, model, metric, label):
    (row,) = [row for row in report.rows if (row["model"], row["metric"], row["label"]) == (model, metric, label)]
    return SimpleNamespace(**row)


@pytest.mark.parametrize("more", [{}, {"sample_weight": COUNTS}, IMPORTANCE], ids=len)
def test_it_is_scikit_learns(more):
    guess, weights = NAMES[TABLE.argmax(axis=1)], more.get("sample_weight")
    report = sk.report(TRUTH, guess, **more)
    expected = metrics.classification_report(TRUTH, guess, output_dict=True, sample_weight=weights, zero_division=0)
    for label in (*NAMES, "macro", "weighted"):
        told = expected[label if label in NAMES else f"{label} avg"]
        for metric, name in (("precision", "precision"), ("recall", "recall"), ("f1", "f1-score")):
            row = of(report, "model", metric, label)
            assert row.estimate == pytest.approx(told[name], rel=1e-12)
            assert row.support == (told["support"] if more is not IMPORTANCE else pytest.approx(told["support"]))
    assert of(report, "model", "accuracy", "all classes").estimate == pytest.approx(expected["accuracy"], rel=1e-12)
    direct = sk.bootstrap_metric(TRUTH, guess, "f1", average="macro", **more)
    row = of(report, "model", "f1", "macro")
    assert (row.low, row.high) == pytest.approx(tuple(direct.confidence_interval()))
    if more is IMPORTANCE:
        effective = report.to_dict()["made"]["effective_cases"]
        assert effective == pytest.approx(weights.sum() ** 2 / (weights @ weights))
        assert f"the effective number of cases is {effective:.4g}" in str(report)


def test_probabilities_have_areas_and_losses_and_two_models_differences():
    report = sk.report(TRUTH, {"a": TABLE, "b": OTHER}, confidence_level=0.9)
    area = sk.bootstrap_auc(TRUTH, TABLE, multi_class="ovr")
    row = of(report, "a", "auc", "all classes")
    assert (row.estimate, row.low, row.high) == pytest.approx((area.estimate, *area.confidence_interval(0.9)))
    assert of(report, "b", "log_loss", "all classes").estimate == pytest.approx(metrics.log_loss(TRUTH, OTHER))
    guesses = [NAMES[table.argmax(axis=1)] for table in (TABLE, OTHER)]
    apart = sk.bootstrap_metric_difference(TRUTH, *guesses, "recall", average="macro")
    row = of(report, "a - b", "recall", "macro")
    assert (row.estimate, row.p) == pytest.approx((apart.estimate, apart.pvalue()))
    apart = sk.bootstrap_auc_difference(TRUTH, TABLE, OTHER, multi_class="ovr")
    assert of(report, "a - b", "auc", "all classes").p == pytest.approx(apart.pvalue())
    text, frame = str(report), report.to_frame()
    assert f"{apart.pvalue():.4f}" in text[text.index("AUC of each class") :]
    assert "Report: 40 cases of 4 classes" in text
    assert max(map(len, text.splitlines())) <= 84
    assert len(frame) == len(report.rows) == 3 * (3 * 6 + 3)
    assert json.loads(json.dumps(report.to_dict()))["made"]["labels"] == NAMES.tolist()
    assert "a - b" in report.to_html()


def test_a_frame_of_the_classes_is_a_table_and_one_of_models_is_labels():
    shuffled = pd.DataFrame(TABLE, columns=NAMES)[["fox", "cat", "eel", "dog"]]
    by_name, by_place = sk.report(TRUTH, shuffled), sk.report(TRUTH, TABLE)
    assert by_name == by_place
    guesses = pd.DataFrame({"a": NAMES[TABLE.argmax(axis=1)], "b": NAMES[OTHER.argmax(axis=1)]})
    assert {row["model"] for row in sk.report(TRUTH, guesses).rows} == {"a", "b", "a - b"}


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        (TABLE, {"thresholds": 0.3}, "thresholds is for two classes, but y_true has more"),
        (TABLE, {"prevalence": 0.3}, "prevalence is for two classes"),
        (TABLE, {"metrics": ("f1", "ks")}, "'ks' is for two classes only"),
        (TABLE, {"metrics": ("auc:0.1",)}, "'auc:0.1' is for two classes only"),
        (TRUTH, {"metrics": ("roc_auc",)}, "'roc_auc' needs a table with a score of each class"),
        (TABLE[:, :3], {}, "y_scores must have a column per class, .*, got 3 columns"),
        ({"a": TABLE, "b": TABLE[:, :3]}, {}, "y_scores\\['b'\\] must have a column per class"),
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


def test_the_command_line_has_the_same_numbers_and_options(tmp_path, capsys):
    guesses = {"a": NAMES[TABLE.argmax(axis=1)], "b": NAMES[OTHER.argmax(axis=1)]}
    weights, groups, site = RNG.gamma(2.0, size=40), np.arange(40) // 2, np.where(np.arange(40) % 2, "x", "y")
    weighted = {"sample_weight": weights, "weight_type": "importance"}
    columns = {"truth": TRUTH, "w": weights, "n": COUNTS, "g": groups, "site": site, **guesses}
    asked = [*written(tmp_path, **columns), "--score", "a"]
    for options, sample in [
        ("--metrics accuracy f1 --confidence-level 0.9", {"metrics": ("accuracy", "f1"), "confidence_level": 0.9}),
        ("--metrics recall --sample-weight n", {"metrics": "recall", "sample_weight": COUNTS}),
        ("--metrics f1_macro --sample-weight w --weight-type importance", {"metrics": "f1_macro", **weighted}),
        ("--metrics accuracy --groups g", {"metrics": "accuracy", "groups": groups}),
    ]:
        main([*asked, "--score", "b", "--json", *options.split()])
        told, expected = json.loads(capsys.readouterr().out), sk.report(TRUTH, guesses, **sample)
        assert_allclose(numbers(told["rows"]), numbers(expected.to_dict()["rows"]), rtol=1e-12)
        assert told["made"].get("effective_cases") == expected.to_dict()["made"].get("effective_cases")
    page = tmp_path / "report.html"
    main([*asked, "--metrics", "kappa", "f1_macro", "--by", "site", "--output", str(page)])
    said = capsys.readouterr().out
    made = str(sk.report(TRUTH, guesses["a"], metrics=("kappa", "f1_macro"), by=site))
    assert said[said.index("Cohen's") : said.index("Made by")] == made[made.index("Cohen's") : made.index("Made by")]
    assert "40 cases of 4 classes (truth)" in said
    assert page.read_text().startswith("<!doctype html>")
    for more, said in {
        "--cost-fn 5": "cost_fn is for two classes, but y_true has more",
        "--weight-type importance": "describes sample_weight, which was not given",
        "--score n": "is a third class, besides",
        f"--metrics accuracy --output {tmp_path / 'report.png'}": "no picture",
    }.items():
        with pytest.raises(SystemExit):
            main([*asked, *more.split()])
        assert said in capsys.readouterr().err


def test_two_classes_and_one_that_is_only_predicted_or_never(tmp_path, capsys):
    main([*written(tmp_path, truth=[0, 1, 1, 0] * 10, guess=[0, 1, 0, 0] * 10), "--score", "guess", "--json"])
    f1 = next(row for row in json.loads(capsys.readouterr().out)["rows"] if row["metric"] == "f1")
    assert f1["estimate"] == metrics.f1_score([0, 1, 1, 0], [0, 1, 0, 0])
    for guess, labels in (("aabdcb", "abcd"), ("aabaab", "abc")):
        truth, guess = np.tile(list("aabbcc"), 9), np.tile(list(guess), 9)
        told = metrics.classification_report(truth, guess, output_dict=True, zero_division=0)
        report = sk.report(truth, guess)
        assert report.labels == tuple(labels)
        for average in ("macro", "weighted"):
            row = of(report, "model", "f1", average)
            assert row.estimate == pytest.approx(told[f"{average} avg"]["f1-score"], rel=1e-12)
        for label in labels:
            assert of(report, "model", "precision", label).estimate == pytest.approx(told[label]["precision"])
    row = of(report, "model", "precision", "c")
    assert (row.estimate, row.low, row.high) == (0, 0, 1)


TWELVE = RNG.integers(0, 12, 150)
GUESS = np.where(RNG.random(150) < 0.7, TWELVE, RNG.integers(0, 12, 150))


@pytest.mark.parametrize("spell", [lambda k: f"class {k}", lambda k: k * 100])
def test_any_number_of_classes_and_kind_of_labels(spell):
    truth, guess = ([spell(int(k)) for k in column] for column in (TWELVE, GUESS))
    report = sk.report(truth, guess)
    assert len(report.labels) == 12
    assert of(report, "model", "accuracy", "all classes").estimate == (TWELVE == GUESS).mean()
    one = sk.bootstrap_metric(truth, guess, "recall", average=None)
    low, high = one.confidence_interval()
    for k, label in enumerate(report.labels):
        row = of(report, "model", "recall", label)
        assert_allclose((row.estimate, row.low, row.high), (one.estimate[k], low[k], high[k]))
        assert row.statistic == ("recall" if label == 1 else f"recall of class {label!r}")


def test_labels_are_in_the_order_that_their_type_tells():
    levels = ["low", "medium", "high"]
    truth = pd.Series(pd.Categorical(np.array(levels)[TWELVE % 3], categories=levels, ordered=True))
    guess = np.array(levels)[GUESS % 3]
    table = pd.DataFrame(0.5 * (guess[:, None] == np.array(levels)) + 0.5 / 3, columns=levels)
    for scores in (guess, table, table[levels[::-1]]):
        report = sk.report(truth, scores)
        assert report.labels == tuple(levels)
        low = of(report, "model", "recall", "low").estimate
        assert low == pytest.approx(metrics.recall_score(truth, guess, labels=["low"], average=None)[0])


def test_metrics_options_and_subgroups_are_those_of_two_classes():
    by, models = np.arange(40) % 2, {"a": TABLE, "b": OTHER, "c": TABLE / 2 + OTHER / 2}
    made = sk.report(TRUTH, models, metrics="kappa")
    guesses = {name: NAMES[table.argmax(axis=1)] for name, table in models.items()}
    compared = sk.compare_models(TRUTH, guesses, "kappa")
    assert [row["p"] for row in made.rows[3:]] == pytest.approx(compared.differences.pvalue().tolist())
    assert_allclose([row["low"] for row in made.rows[:3]], compared.confidence_interval().low)
    assert "may be best (95 %): " in str(made)
    made = sk.report(TRUTH, TABLE, metrics=("top_k_accuracy", "youden"))
    top = sk.bootstrap_metric(TRUTH, TABLE, "top_k_accuracy")
    assert of(made, "model", "top_k_accuracy", "all classes").low == pytest.approx(top.confidence_interval().low)
    each = sk.bootstrap_metric(TRUTH, guesses["a"], "youden", average=None)
    assert of(made, "model", "youden", "dog").estimate == pytest.approx(each.estimate[1])
    parts = sk.report(TRUTH, TABLE, by=by, metrics="accuracy")
    alike = sk.compare_groups(TRUTH, guesses["a"], by, "accuracy")
    assert of(parts, "0 - 1", "accuracy", "all classes").p == pytest.approx(float(alike.differences.pvalue()[0]))
    few = np.where((TRUTH != "fox") & (np.arange(40) < 27), "some", "all")
    lacking = of(sk.report(TRUTH, TABLE, by=few, metrics="roc_auc"), "some", "auc", "all classes")
    assert (np.isnan(lacking.estimate), lacking.note) == (True, "undefined (no fox)")


@pytest.mark.parametrize(
    ("labels", "named"),
    [
        (NAMES.tolist(), lambda names: [f"p{k}" for k in range(len(names))]),
        ([3, 5, 8, 13], lambda names: names[::-1]),
        ([2.0, 3.0, 4.0, 7.0], list),
        (["10", "11", "12", "13"], lambda names: names[::-1]),
    ],
)
def test_named_columns_are_read_as_the_auc_reads_them(labels, named):
    truth = [labels[k] for k in np.searchsorted(NAMES, TRUTH)]
    order = sorted(range(4), key=lambda k: labels[k])
    columns = named([str(labels[k]) for k in order])
    table = pd.DataFrame(TABLE[:, order if columns[0] != str(labels[order[-1]]) else order[::-1]], columns=columns)
    area = sk.bootstrap_auc(truth, table, multi_class="ovr")
    for scores, name in ((table, "model"), ({"m": table}, "m")):
        report = sk.report(truth, scores)
        assert of(report, name, "auc", "all classes").estimate == float(area)
        assert of(report, name, "accuracy", "all classes").estimate == (NAMES[TABLE.argmax(axis=1)] == TRUTH).mean()


def test_text_and_page_name_each_label_apart_and_steer_nothing(undrawn):
    long = [f"carcinoma of the upper outer quadrant of the {side} breast, stage II" for side in ("left", "right")]
    labels = np.array([*long, "\x1b[31mred\u202e", "<b>bold</b>"])
    truth, guess = labels[np.searchsorted(NAMES, TRUTH)], labels[TABLE.argmax(axis=1)]
    report = sk.report(truth, {"a" * 40: guess, "a" * 61: truth})
    lines = str(report)[str(report).index("Precision") : str(report).index("Recall")].splitlines()[1:-1]
    assert len({line[:42] for line in lines}) == len(lines) == 3 * 6
    for text in (str(report), report.to_html(), report._repr_html_()):
        assert not {"\x1b", "\u202e"} & set(text)
        assert "\\x1b[31mred" in text
        assert "References" in text
        assert "When not to trust" in text
    page = report.to_html()
    assert "<style>" in page
    assert "<b>" not in page
    assert page.count("data:image/png") == 0  # predicted labels have no curves
    assert sk.report(TRUTH, TABLE).to_html().count("data:image/png") == 1
