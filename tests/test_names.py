"""Names of statistics mean the same wherever they are taken; options that a statistic says it takes are taken."""

import json
import pickle
import re

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics
from numpy.testing import assert_allclose

import skcostci as sk
from skcostci.__main__ import main

RNG = np.random.default_rng(5)
N = 40
Y = RNG.integers(0, 2, N)
A, B = (np.round(1 / (1 + np.exp(-(RNG.normal(size=N) + shift * Y))), 3) for shift in (1.5, 0.8))
CLUSTERING = [name for name in sklearn.metrics.__all__ if hasattr(sklearn.metrics.cluster, name)]
OF_SCORES = {  # a name, and the public call that it stands for
    "gini": lambda s: sk.bootstrap_metric(Y, s, "gini"),
    "ks": lambda s: sk.bootstrap_metric(Y, s, "ks"),
    "eer": lambda s: sk.bootstrap_metric(Y, s, "eer"),
    "brier_skill": lambda s: sk.bootstrap_metric(Y, s, "brier_skill"),
    "d2_log_loss_score": lambda s: sk.bootstrap_metric(Y, s, "d2_log_loss_score"),
    "neg_brier_score": lambda s: sk.bootstrap_loss(Y, s, "brier"),
    "rps": lambda s: sk.bootstrap_loss(Y, s, "ranked_probability_score"),
    "squared_error": lambda s: sk.bootstrap_loss(Y, s, "squared_error"),
    "neg_mean_absolute_error": lambda s: sk.bootstrap_loss(Y, s, "absolute_error"),
    "zero_one_loss": lambda s: sk.bootstrap_loss(Y, s >= 0.5, "zero_one"),
    "roc_auc_ovr": lambda s: sk.bootstrap_auc(Y, s),
    "roc_auc_ovo_weighted": lambda s: sk.bootstrap_auc(Y, s),
    "r2": lambda s: sk.bootstrap_metric(Y, s, "r2"),
}


def numbers(result):
    return [float(result), result.standard_error, *result.confidence_interval()]


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """A file of scores."""
    found = tmp_path_factory.mktemp("scores") / "scores.csv"
    pd.DataFrame({"y": Y, "a": A}).to_csv(found, index=False)
    return found


def told(path, name):
    """Which the command line is asked of."""
    main(["compare", str(path), "--y-true", "y", "--score", "a", "--metrics", name])


@pytest.mark.parametrize("name", OF_SCORES)
def test_a_report_takes_every_name_of_scores(name, path, capsys):
    made = sk.report(Y, {"a": A, "b": B}, metrics=name)
    frame, direct = made.to_frame(), [numbers(OF_SCORES[name](scores)) for scores in (A, B)]
    assert_allclose(frame[["estimate", "standard_error", "low", "high"]].to_numpy()[:2], direct)
    assert len(frame) == (2 if name in ("ks", "eer") else 3)  # these two are of one model
    assert pickle.loads(pickle.dumps(made)) == made
    if name in ("gini", "ks", "neg_brier_score"):
        told(path, name)
        assert "{:.3f} to {:.3f}".format(*direct[0][2:]) in capsys.readouterr().out
        both = sk.report(Y, A, metrics=name, by=Y[::-1] + np.arange(N) % 2).to_frame()
        assert len(both) == 6  # subgroups are compared by all of them


@pytest.mark.parametrize(
    ("name", "way"),
    [
        ("concordance", "compare_models(event, y_scores, 'concordance', time=time)"),
        ("f1_samples", "bootstrap_metric(y_true, y_pred, 'f1_samples')"),
        ("v_measure_score", "scikit-learn's function has no sample_weight"),
        ("gin", "Did you mean 'gini'"),
    ],
)
def test_what_a_report_has_not_is_told_where_it_is(name, way, path, capsys):
    with pytest.raises(ValueError, match=re.escape(way)):
        sk.report(Y, A, metrics=name)
    with pytest.raises(SystemExit):
        told(path, name)
    assert way in capsys.readouterr().err


@pytest.mark.parametrize(
    "take",
    [
        lambda name: sk.bootstrap_metric(Y, A > 0.5, name),
        lambda name: sk.compare_models(Y, {"a": A > 0.5, "b": B > 0.5}, name),
        sk.make_metric_scorer,
        lambda name: sk.report(Y, A, metrics=name),
    ],
)
def test_scores_of_clusterings_are_no_metrics_of_labels(take):
    assert "v_measure_score" in CLUSTERING
    for name in (*CLUSTERING, *(name.removesuffix("_score") for name in CLUSTERING), "DistanceMetric"):
        with pytest.raises(ValueError, match="must be"):
            take(name)


def test_an_ending_is_cut_off_where_it_says_what_the_metric_is():
    guess = A > 0.5
    better, worse = ("precision", "recall", "npv", "mcc", "kappa", "youden"), ("hamming", "fpr", "fnr", "fdr", "fomr")
    for name, right, wrong in [(name, "score", "loss") for name in better] + [(n, "loss", "score") for n in worse]:
        assert sk.bootstrap_metric(Y, guess, f"{name}_{right}") == sk.bootstrap_metric(Y, guess, name)
        with pytest.raises(ValueError, match=f"got '{name}_{wrong}'"):
            sk.bootstrap_metric(Y, guess, f"{name}_{wrong}")


VALUES = {"a": RNG.beta(8, 2, N), "b": RNG.beta(7, 2, N), "c": RNG.beta(6, 3, N)}
GROUPS, FOLDS, WEIGHTS = np.arange(N) // 2, np.arange(N) // 10, 1 + np.arange(N) % 3
SAMPLES = [
    {},
    {"groups": GROUPS},
    {"folds": FOLDS},
    {"groups": GROUPS, "folds": FOLDS},
    {"sample_weight": WEIGHTS},
    {"sample_weight": WEIGHTS / 2, "weight_type": "importance"},
]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: ", ".join(sample) or "plain")
def test_means_of_models_and_of_subgroups_are_those_of_the_functions(sample):
    by = np.where(np.arange(N) % 10 < 4, "x", "y")
    parts = {name: {k: v if isinstance(v, str) else v[by == name] for k, v in sample.items()} for name in ("x", "y")}
    for ends in ({}, {"least": 0, "most": 1}):
        compared = sk.compare_models(None, VALUES, "mean", **sample, **ends)
        for result, values in zip(compared.results, VALUES.values(), strict=True):
            assert numbers(result) == numbers(sk.bootstrap_mean(values, **sample, **ends))
        apart = sk.bootstrap_mean_difference(VALUES["a"], VALUES["b"], **sample, **ends)
        assert numbers(compared.differences.parts[0]) == numbers(apart)
        assert compared == sk.compare_models(np.zeros(N), VALUES, "mean", **sample, **ends)
        subgroups = sk.compare_groups(None, VALUES["a"], by, "mean", **sample, **ends)
        for (name, own), result in zip(parts.items(), subgroups.results, strict=True):
            expected = sk.bootstrap_mean(VALUES["a"][by == name], **own, **ends)
            assert_allclose(numbers(result), numbers(expected))


@pytest.mark.parametrize("sample", [each for each in SAMPLES if "folds" not in each], ids=", ".join)
def test_means_are_reported_as_they_are_compared(sample, tmp_path, capsys, undrawn):
    by, path = np.array(list("xyz"))[np.arange(N) // 2 % 3], tmp_path / "values.csv"
    pd.DataFrame({**VALUES, "by": by, "g": GROUPS, "w": sample.get("sample_weight", 1)}).to_csv(path, index=False)
    options = {"groups": "--groups g", "sample_weight": "--sample-weight w", "weight_type": "--weight-type importance"}
    typed, wide = " ".join(options[name] for name in sample), {"metrics": "mean", **sample}
    of_models = sk.compare_models(None, VALUES, "mean", **sample), sk.report(None, VALUES, **wide)
    of_parts = sk.compare_groups(None, VALUES["a"], by, "mean", **sample), sk.report(None, VALUES["a"], by=by, **wide)
    for (compared, made), asked in ((of_models, "--score a --score b --score c"), (of_parts, "--score a --by by")):
        frame, apart = made.to_frame(), compared.differences
        assert frame.estimate.tolist() == [*compared.estimate, *apart.estimate]
        limits = [each.confidence_interval() for each in compared.results]
        limits += zip(*apart.confidence_interval(), strict=True)
        assert frame[["low", "high"]].to_numpy().tolist() == [*map(list, limits)]
        assert frame.p.tolist()[3:] == apart.pvalue().tolist()
        assert f"may be best (95 %): {', '.join(compared.may_be_best())}\n" in str(made)
        assert "ROC" not in made.to_html()
        assert undrawn[-1].axes[0].get_xlabel().startswith("Mean (95 %")
        main(["compare", str(path), *asked.split(), *typed.split(), "--metrics", "mean", "--json"])
        assert json.loads(capsys.readouterr().out)["rows"] == made.to_dict()["rows"]
    row = sk.report(None, VALUES["a"], **wide).to_frame().iloc[0]
    assert [row.estimate, row.standard_error, row.low, row.high] == numbers(sk.bootstrap_mean(VALUES["a"], **sample))


def test_means_of_booleans_are_shares_and_of_levels_are_crossed():
    passed = pd.DataFrame({name: values > 0.8 for name, values in VALUES.items()})
    crossed = {"groups": np.arange(N) % 10, "crossed": FOLDS, "least": 0, "most": 1}
    for result, expected in (
        (sk.compare_models(None, passed, "mean").results[1], sk.bootstrap_mean(passed["b"])),
        (sk.compare_groups(None, passed["a"], FOLDS, "mean").results[0], sk.bootstrap_mean(passed["a"][:10])),
        (sk.compare_models(None, VALUES, "mean", **crossed).results[0], sk.bootstrap_mean(VALUES["a"], **crossed)),
    ):
        assert numbers(result) == numbers(expected)


def test_means_have_the_direction_that_is_given_and_no_truth():
    worst = sk.compare_models(None, VALUES, "mean", greater_is_better=False)
    assert sk.compare_models(None, VALUES, "mean").may_be_best()[0] == "a"
    assert worst.may_be_best() == ("c",)
    with pytest.raises(ValueError, match="y_true must be None for 'mean'"):
        sk.compare_models(Y, VALUES, "mean")
    with pytest.raises(ValueError, match="pos_label is for labels"):
        sk.compare_models(None, VALUES, "mean", pos_label=1)
    frame = pd.DataFrame(VALUES)
    with pytest.raises(ValueError, match="in the same order"):
        sk.compare_groups(None, frame["a"], frame["b"].round(0).iloc[::-1], "mean")


def test_ks_is_called_ks():
    found = sk.bootstrap_metric(Y, A, "ks")
    told = [repr(found), found.estimand.name, found.to_frame()["statistic"][0], json.dumps(found.to_dict())]
    assert not any("youden" in each for each in told)
    told += [repr(sk.make_metric_scorer("ks", bound="low")), repr(sk.compare_groups(Y, A, FOLDS % 2, "ks"))]
    assert all("ks" in each for each in told)


EVENT = RNG.permutation(np.repeat([0, 1], 40))
SCORES = {name: np.clip(0.3 + 0.3 * EVENT + RNG.normal(0, 0.2, 80), 0.01, 0.99) for name in "ab"}
TIME = RNG.exponential(size=80) + EVENT * 0.1
GIVEN = {
    "sampling": "full",
    "max_fpr": 0.5,
    "standardize": False,
    "multi_class": "raise",
    "average": "macro",
    "labels": [0, 1],
    "prevalence": 0.2,
    "probability_cost": 0.3,
    "thresholds": 0.5,
    "normalizer": "mean",
    "least": 0.0,
    "most": 30.0,
    "greater_is_better": False,
    "time": TIME,
    "horizon": 1.0,
    "integrated": False,
}
BESIDE = {
    "standardize": ("max_fpr",),
    "time": ("horizon",),
    "horizon": ("time",),
    "event": ("time", "horizon"),
    "integrated": ("time", "horizon"),
}  # options that need another
STATISTICS = (
    *("auc", "average_precision", "cost", "mean", "pearson", "concordance"),
    *("sensitivity_at_specificity", "specificity_at_sensitivity", "tpr_at_fpr", "fpr_at_tpr"),
    *("brier", "log_loss", "ranked_probability_score", "squared_error", "absolute_error", "zero_one"),
)


def stated(name):
    """The options that a message says a statistic takes."""
    with pytest.raises(TypeError) as raised:
        sk.compare_models(EVENT, SCORES, name, unknown=1)
    return re.findall("'(.*?)'", str(raised.value).split("it takes ")[1].split(".")[0])


STATED = [(name, option) for name in STATISTICS for option in stated(name)]
# The classes of numbers, or of columns with one score per case: the message says so.
OF_CLASSES = {(name, "labels") for name in ("auc", "average_precision", "squared_error", "absolute_error")}


@pytest.mark.parametrize(("name", "option"), STATED)
def test_an_option_that_a_statistic_takes_is_taken(name, option):
    needs = ("probability_cost",) if name == "cost" else ()
    given = {each: GIVEN.get(each, 0.6) for each in (option, *needs, *BESIDE.get(option, ()))}
    if name == "concordance":
        given = {"time": TIME}
    y_true = None if name == "mean" else EVENT
    if option == "event":
        y_true, given = None, {**given, "event": EVENT}
    columns = {each: np.round(column) for each, column in SCORES.items()} if name == "zero_one" else SCORES
    if (name, option) in OF_CLASSES:
        with pytest.raises(ValueError, match=r"label|class"):
            sk.compare_models(y_true, columns, name, **given)
    else:
        assert np.isfinite(sk.compare_models(y_true, columns, name, **given).estimate).all()
