"""report(): the numbers of the library's functions in one table, the same whether printed, as a frame or as a page."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics import f1_score

import skcostci as sk
from skcostci.__main__ import main

RNG = np.random.default_rng(7)
Y = RNG.integers(0, 2, 60)
A = np.round(1 / (1 + np.exp(-(RNG.normal(size=60) + 1.5 * Y - 0.7))), 3)
B = np.round(1 / (1 + np.exp(-(RNG.normal(size=60) + 0.8 * Y - 0.4))), 3)
SITE = np.where(np.arange(60) < 25, "north", "south")
TWO = {"a": A, "b": B}


def one_row(frame, **where):
    for name, value in where.items():
        frame = frame[frame[name] == value]
    assert len(frame) == 1
    return frame.iloc[0]


def assert_row(row, result, level=0.95):
    low, high = result.confidence_interval(level)
    assert_allclose(
        [row.estimate, row.standard_error, row.low, row.high], [float(result), result.standard_error, low, high]
    )


def test_a_subgroup_of_one_class_is_undefined_where_classes_are_compared_and_answered_where_not(undrawn):
    where = np.where((Y == 1) & (np.arange(60) < 30), "clinic", "home")
    made = sk.report(Y, A, by=where, metrics=("roc_auc", "recall", "cost"))
    frame = made.to_frame()
    clinic = where == "clinic"
    recall = sk.bootstrap_metric(Y[clinic], A[clinic], "recall", thresholds=0.5)
    assert_row(one_row(frame, model="clinic", metric="recall"), recall)
    for metric in ("auc", "cost"):
        row = one_row(frame, model="clinic", metric=metric)
        assert (np.isnan(row.estimate), row.low, row.high, row.note) == (True, 0, 1, "undefined (no negatives)")
        assert one_row(frame, model="clinic - home", metric=metric).p == 1
    assert "undefined (no negatives)" in str(made)
    assert "undefined (no negatives)" in made.to_html()


def test_three_models_and_three_subgroups_are_adjusted_for_their_number():
    models, by, weights = pd.DataFrame({**TWO, "c": A**2 + 0.1 * B}), np.arange(60) % 3, 1 + np.arange(60) // 3 % 3
    frame = sk.report(Y, models, metrics=("roc_auc", "cost")).to_frame()
    for metric, options in (("auc", {}), ("cost", {"probability_cost": Y.mean()})):
        compared = sk.compare_models(Y, models, metric, **options)
        rows = frame[frame.metric == metric]
        assert rows.model.tolist() == ["a", "b", "c", *compared.differences.names]
        assert_allclose(rows.p.to_numpy()[3:], compared.differences.pvalue())
        assert_allclose([rows.low[3:], rows.high[3:]], compared.differences.confidence_interval())
    frame = sk.report(Y, A, by=by, sample_weight=weights, metrics=("roc_auc", "cost")).to_frame()
    w = np.average(Y, weights=weights)  # of all cases, for every subgroup
    compared = sk.compare_groups(Y, A, by, sample_weight=weights)
    assert_allclose(frame.p[frame.metric == "auc"].to_numpy()[3:], compared.differences.pvalue())
    alone = sk.bootstrap_cost(Y[by == 1], A[by == 1], probability_cost=w, sample_weight=weights[by == 1])
    assert_row(one_row(frame, model="1", metric="cost"), alone)


def test_of_one_class_what_needs_both_is_undefined():
    frame = sk.report([1, 1, 1, 1], [0.2, 0.6, 0.7, 0.9], metrics=("roc_auc", "recall")).to_frame()
    assert one_row(frame, metric="auc").note == "undefined (no negatives)"
    assert one_row(frame, metric="recall").estimate == 0.75
    with pytest.raises(ValueError, match=r"AUC: undefined \(no negatives\)"):
        sk.report([1, 1, 1, 1], [0.2, 0.6, 0.7, 0.9], metrics=("roc_auc",))


def test_text_page_notebook_and_dict_say_the_same_and_who_made_it(undrawn):
    made = sk.report(Y, TWO, metrics=("roc_auc", "sensitivity_at_specificity:0.9", "cost"), prevalence=0.2)
    row = made.to_frame().iloc[0]
    interval = f"{row.low:.3f} to {row.high:.3f}"
    for text in (str(made), made.to_html(), made._repr_html_()):
        assert f"{row.estimate:.3f}" in text
        assert interval in text
        assert f"skcostci {sk.__version__} on {made.date}" in text
        assert "prevalence=0.2" in text
        for title in ("extrapolated observation: ", "rank Beta: ", "after choosing: "):  # each with a sentence
            assert title in text
    told = json.loads(json.dumps(made.to_dict(), allow_nan=False))
    assert told["rows"][0]["estimate"] == row.estimate
    assert told["made"]["call"].startswith("skcostci.report(y_true, y_scores, metrics=")
    assert "<html" in made.to_html()
    assert "<html" not in made._repr_html_()


NO_NAME = "metrics must be names or Metrics, got f1_score. bootstrap_metric(y_true, y_pred, f1_score) and"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"metrics": ("rocauc",)}, "Use 'roc_auc' for 'rocauc'. "),
        ({"metrics": ("auc:2",)}, "max_fpr must be a number in [0, 1], got 2"),
        ({"metrics": ("auc:x",)}, "metrics must have a number after the colon of 'auc', got 'auc:x'"),
        ({"metrics": ("sensitivity_at_specificity",)}, "'sensitivity_at_specificity:specificity', got"),
        ({"metrics": ("f1",), "thresholds": None}, "'f1' is a metric of labels: it needs thresholds"),
        ({"thresholds": {"a": 0.5, "b": 0.5, "c": 0.1}}, "thresholds must name models, 'a', 'b', got 'c'."),
        ({"metrics": ()}, "metrics must be a name, a Metric or a sequence of these, got ()."),
        ({"metrics": f1_score}, NO_NAME),
        ({"metrics": ("f1", f1_score)}, NO_NAME),
        ({"metrics": {"f1"}}, "metrics must be a name, a Metric or a sequence of these"),
        ({"by": SITE}, "by compares subgroups for one model"),
    ],
)
def test_what_is_wrong_is_said_in_the_callers_words(options, said):
    with pytest.raises(TypeError if "f1_score" in said else ValueError, match=re.escape(said)):
        sk.report(Y, TWO, **options)


def test_one_metric_may_stand_by_itself_and_several_in_any_sequence():
    for metrics in ("f1", np.array(["f1"]), (each for each in ["f1"]), pd.Series(["f1"])):
        made = sk.report(Y, A, metrics=metrics)
        assert_row(one_row(made.to_frame(), metric="f1"), sk.bootstrap_metric(Y, A, "f1", thresholds=0.5))
        assert made.call == "skcostci.report(y_true, y_scores, metrics=('f1',))"
    half = sk.Metric((1, 0, 0, 0), (1, 1, 0, 0), name="half")
    assert sk.report(Y, A, metrics=half).to_frame().metric.tolist() == ["half"]
    with pytest.raises(ValueError, match="are y_true and y_scores swapped"):
        sk.report(A, Y)


def test_a_page_is_no_file_and_says_how_it_becomes_one():
    way_out = re.escape("use pathlib.Path('report.html').write_text(report.to_html(), encoding='utf-8').")
    with pytest.raises(TypeError, match=rf"writes no file, got 'report\.html': {way_out}"):
        sk.report(Y, A, metrics="f1").to_html("report.html")


@pytest.mark.filterwarnings("ignore:Glyph .* missing from")
def test_letters_that_steer_or_cannot_be_written_are_written_out(undrawn):
    steering = "\x1b[31m\0\x9b\u061c\u200e\u200f\u202a\u202e\u2066\u2069\ud800\udfff"
    names = {f"a{steering}": A, f"{steering}b": B}
    labels = np.where(Y, f"yes{steering}", "no")
    made = sk.report(labels, names, pos_label=f"yes{steering}", metrics=("roc_auc", "cost", "f1"))
    for text in (str(made), made.to_html(), made._repr_html_()):
        assert not set(text) & set(steering.replace("[31m", ""))
        assert "\\x1b[31m\\x00" in text
        assert text.encode()


@pytest.mark.parametrize("command", [["compare", "--help"], ["demo", "--help"]])
def test_help_fits_a_screen_and_has_two_examples(command, capsys):
    with pytest.raises(SystemExit, match="0"):
        main(command)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 80
    examples = lines[lines.index("examples:") :]
    assert sum("python -m skcostci" in line for line in examples) == 2


@pytest.mark.parametrize(
    ("word", "ask"),
    [
        ("auc:0.3", lambda a: sk.bootstrap_auc(Y, a, max_fpr=0.3)),
        ("average_precision", lambda a: sk.bootstrap_average_precision(Y, a)),
        ("specificity_at_sensitivity:0.8", lambda a: sk.bootstrap_roc_at_tpr(Y, a, sensitivity=0.8)),
        ("sensitivity_at_specificity:0.8", lambda a: sk.bootstrap_roc_at_fpr(Y, a, specificity=0.8)),
        ("tpr_at_fpr:0.3", lambda a: sk.bootstrap_roc_at_fpr(Y, a, fpr=0.3)),
        ("fpr_at_tpr:0.8", lambda a: sk.bootstrap_roc_at_tpr(Y, a, tpr=0.8)),
        ("ppv", lambda a: sk.bootstrap_metric(Y, np.asarray(a) >= 0.5, "precision", sampling="full")),
    ],
)
def test_each_word_is_the_librarys_own_number(word, ask):
    made = sk.report(Y, TWO, metrics=(word,))
    for name, found in zip("ab", made.rows, strict=False):
        result = ask(TWO[name])
        assert (found["model"], found["estimate"]) == (name, float(result.estimate))
        assert (found["low"], found["high"]) == tuple(map(float, result.confidence_interval()))
    assert made.to_frame()["p"].notna().sum() == 1  # of the difference


def test_an_external_validation_is_one_table():
    risks, sites = {name: np.clip(each, 0.05, 0.95) for name, each in TWO.items()}, np.arange(len(Y)) % 3
    frame = sk.report(Y, risks, metrics="validation", thresholds=[0.2, 0.4]).to_frame()
    assert frame["metric"].value_counts().tolist() == [6, 3, 3, 2, 2, 2]  # net benefits, with differences; no others
    for name, y_proba in risks.items():
        calibration = sk.bootstrap_calibration(Y, y_proba)
        found = calibration.slope, calibration.intercept, calibration.observed_expected
        for word, result in zip(
            ("calibration_slope", "calibration_intercept", "observed_expected"), found, strict=True
        ):
            assert_row(one_row(frame, model=name, metric=word), result)
            assert sk.bootstrap_metric(Y, y_proba, word) == result
        benefit = sk.bootstrap_metric(Y, y_proba, "net_benefit", thresholds=0.4)
        assert_row(one_row(frame, model=name, metric="net_benefit", at="threshold 0.4"), benefit)
    assert str(sk.report(Y, risks["a"], metrics=("brier", "observed_expected"), by=sites)).count("may be best") == 1
    slopes = sk.compare_groups(Y, risks["a"], sites, "calibration_slope")
    assert slopes.may_be_best(0.01) == slopes.models  # neither more nor less is better
    shown = sk.ModelComparisonDisplay.from_comparison(slopes)
    assert (shown.models, shown.ax_.get_legend(), slopes.to_dict()["may_be_best"]) == (slopes.models, None, None)
    weighted, parts = {"sample_weight": np.ones(len(Y)), "weight_type": "importance"}, np.arange(len(Y)) % 3
    for y_true, scores, how in ((Y, risks["a"], weighted), (parts, parts, {})):
        with pytest.raises(ValueError, match="calibration_slope and calibration_intercept, of 'validation' too"):
            sk.report(y_true, scores, metrics="validation", **how)
    with pytest.raises(ValueError, match=r"calibration_intercept needs .*; with folds use observed_expected"):
        sk.bootstrap_metric(Y, risks["a"], "calibration_intercept", folds=parts)
    with pytest.raises(ValueError, match="Calibration slope: neither more nor less is better, as a scorer needs"):
        sk.make_bound_scorer("calibration_slope")
    with pytest.raises(ValueError, match="available for one model only"):
        sk.compare_models(Y, risks, "calibration_slope")
    with pytest.raises(ValueError, match=r"a: must contain probabilities, in \[0, 1\], got 5"):
        sk.report(Y, {"a": [5, *A[1:]]}, metrics="observed_expected")


def test_a_number_of_a_word_is_said_beside_it():
    made = sk.report(Y, A, metrics=("auc", "auc:0.3", "roc_auc:0.3", "auc:0.5", "specificity_at_sensitivity:0.8"))
    assert made.to_frame()["at"].tolist() == ["", "max_fpr 0.3", "max_fpr 0.5", "sensitivity 0.8"]
    assert "AUC up to FPR 0.3, standardized" in str(made)
    assert "Specificity at sensitivity 0.8" in made.to_html()


def test_other_names_of_a_metric_are_the_metric_and_no_other_statistic():
    made = sk.report(Y, TWO["a"], metrics=("sensitivity_at_specificity:0.7", "sensitivity", "recall", "tpr", "ppv"))
    assert made.to_frame()["metric"].tolist() == ["sensitivity_at_specificity", "recall", "precision"]
    assert made.to_frame()["method"].tolist()[:2] == ["rank_beta", "clopper_pearson"]
    assert "Metrics of labels, on these cases" in str(made)


@pytest.mark.parametrize(
    ("scores", "error", "called"),
    [
        (np.where(np.arange(len(Y)) == 0, np.nan, 0.5), ValueError, "y_scores must be finite"),
        (np.ones((len(Y), 2)), ValueError, "y_scores must be one-dimensional"),
        ({"a": A, "b": list("x" * len(Y))}, TypeError, "y_scores['b'] must contain real numbers"),
        ({1: A, "1": B}, ValueError, "y_scores must have distinct names"),
        ({}, ValueError, "y_scores must contain from 1 to 50 models, got 0"),
    ],
)
def test_scores_are_called_by_the_parameter_and_none_is_lost(scores, error, called):
    with pytest.raises(error, match="^" + re.escape(called)):
        sk.report(Y, scores)
