"""Cases that belong together: whole groups resampled, held against every resample of a few groups."""

import itertools
import json
from functools import partial

import numpy as np
import pytest
import sklearn
from budget import assert_limits, assert_standard_errors
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.stats import beta
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, cross_val_score, cross_validate

import skcostci as sk
from skcostci.__main__ import main

RNG = np.random.default_rng(20)
SIZES = (3, 1, 4, 2, 5)  # of five groups, the second of positives alone
GROUPS = np.repeat(np.arange(5), SIZES)
Y = np.where(GROUPS == 1, 1, RNG.integers(0, 2, len(GROUPS)))
A, B = RNG.normal(size=(2, len(GROUPS))) + Y
CUT_A, CUT_B, W = 0.4, 0.2, 0.3
DRAWN = np.array([np.bincount(drawn, minlength=5) for drawn in itertools.product(range(5), repeat=5)])


def counts(scores, cut, y=Y, groups=GROUPS, drawn=DRAWN):
    """TP, FN, FP and TN of every resample of whole groups."""
    positive, hit = y == 1, scores >= cut
    cells = [positive & hit, positive & ~hit, ~positive & hit, ~positive & ~hit]
    return drawn @ np.array([np.bincount(groups, cell, drawn.shape[1]) for cell in cells]).T


def law(metric, cells):
    """Its values in all resamples; NaN where it has none."""
    with np.errstate(invalid="ignore", divide="ignore"):
        values = metric(*cells.T)
    return np.where(np.isfinite(values), values, np.nan)


def tpr(tp, fn, fp, tn):
    return tp / (tp + fn)


def fpr(tp, fn, fp, tn):
    return fp / (fp + tn)


def cost(tp, fn, fp, tn):
    return W * fn / (tp + fn) + (1 - W) * fp / (fp + tn)


def kappa(tp, fn, fp, tn):
    n = tp + fn + fp + tn
    chance = ((tp + fp) * (tp + fn) + (fn + tn) * (fp + tn)) / n**2
    return ((tp + tn) / n - chance) / (1 - chance)


METRICS = {
    "accuracy": lambda tp, fn, fp, tn: (tp + tn) / (tp + fn + fp + tn),
    "recall": tpr,
    "precision": lambda tp, fn, fp, tn: tp / (tp + fp),
    "f1": lambda tp, fn, fp, tn: 2 * tp / (2 * tp + fp + fn),
    sk.Metric.fbeta(2): lambda tp, fn, fp, tn: 5 * tp / (5 * tp + 4 * fn + fp),
    sk.Metric.net_benefit(0.27): lambda tp, fn, fp, tn: (tp - 0.27 / 0.73 * fp) / (tp + fn + fp + tn),
    sk.Metric.net_benefit(0.2, standardized=True): lambda tp, fn, fp, tn: (tp - 0.25 * fp) / (tp + fn),
}
OF_RATES = {
    "kappa": kappa,
    "mcc": lambda tp, fn, fp, tn: (tp * tn - fp * fn) / np.sqrt((tp + fp) * (tp + fn) * (fp + tn) * (fn + tn)),
    "lift": lambda tp, fn, fp, tn: tp / (tp + fn) / ((tp + fp) / (tp + fn + fp + tn)),
    "lr_positive": lambda tp, fn, fp, tn: tpr(tp, fn, fp, tn) / fpr(tp, fn, fp, tn),
}


TO_FIRST_ORDER = {"kappa": 0.08, "mcc": 0.08, "lift": 0.08, "lr_positive": 0.15}


def check_moments(result, values):
    assert_allclose(result.mean, np.nanmean(values), rtol=1e-12)
    assert_allclose(result.standard_error, np.nanstd(values), rtol=1e-12)


def test_what_is_the_same_in_all_resamples_has_no_standard_error():
    for metric in ("accuracy", "f1", "balanced_accuracy"):
        assert sk.bootstrap_metric(Y, Y, metric, groups=GROUPS).standard_error == 0
        assert sk.bootstrap_metric_difference(Y, A, A, metric, thresholds=CUT_A, groups=GROUPS).standard_error == 0


def many_groups(n_groups=60, seed=3):
    """Labels, two scores and groups of 1 to 8 cases that resemble each other."""
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(n_groups), rng.integers(1, 9, n_groups))
    shared = rng.normal(size=(3, n_groups))[:, groups]
    y, a, b = 0.6 * shared + 0.8 * rng.normal(size=shared.shape)
    y = (y < 0).astype(int)
    return y, a + 1.5 * y, b + y, groups


@pytest.mark.parametrize("metric", [*METRICS, *OF_RATES], ids=lambda metric: getattr(metric, "name", metric))
def test_standard_errors_of_sixty_groups_are_those_of_many_resamples(metric):
    """Simulated: to 2 %, those known to first order to 8 %, a likelihood ratio with its long tail to 15 %."""
    y, a, _, groups = many_groups()
    drawn = np.random.default_rng(0).multinomial(60, np.full(60, 1 / 60), 20_000)
    values = law({**METRICS, **OF_RATES}[metric], counts(a, 0.75, y, groups, drawn))
    result = sk.bootstrap_metric(y, a, metric, thresholds=0.75, groups=groups)
    assert_allclose(result.standard_error, np.nanstd(values), rtol=TO_FIRST_ORDER.get(metric, 0.02))


def balanced(tp, fn, fp, tn):
    return (tpr(tp, fn, fp, tn) + 1 - fpr(tp, fn, fp, tn)) / 2


@pytest.mark.parametrize(
    ("statistic", "ask"),
    [
        (tpr, lambda y, a, b, **at: sk.bootstrap_roc_difference_at_threshold(y, a, b, **at).tpr),
        (fpr, lambda y, a, b, **at: sk.bootstrap_roc_difference_at_threshold(y, a, b, **at).fpr),
        (cost, partial(sk.bootstrap_cost_difference, probability_cost=W)),
        (balanced, partial(sk.bootstrap_metric_difference, metric="balanced_accuracy")),
        (METRICS["f1"], partial(sk.bootstrap_metric_difference, metric="f1")),
        (METRICS["accuracy"], partial(sk.bootstrap_metric_difference, metric="accuracy")),
    ],
    ids=["tpr", "fpr", "cost", "balanced accuracy", "f1", "accuracy"],
)
def test_standard_errors_of_differences_of_sixty_groups_are_those_of_many_resamples(statistic, ask):
    y, a, b, groups = many_groups()
    drawn = np.random.default_rng(0).multinomial(60, np.full(60, 1 / 60), 20_000)
    values = law(statistic, counts(a, 0.75, y, groups, drawn)) - law(statistic, counts(b, 0.4, y, groups, drawn))
    result = ask(y, a, b, thresholds=(0.75, 0.4), groups=groups)
    assert_allclose(result.standard_error, np.nanstd(values), rtol=0.03)
    assert not result.is_exact


def test_groups_have_moments_but_no_whole_distribution():
    result = sk.bootstrap_cost(Y, A, probability_cost=W, thresholds=CUT_A, groups=GROUPS)
    with pytest.raises(
        AttributeError, match="cdf needs the bootstrap distribution, of which only mean and variance are known"
    ):
        result.cdf(0.5)
    rates = sk.bootstrap_roc_difference_at_threshold(Y, A, B, thresholds=(CUT_A, CUT_B), groups=GROUPS)
    with pytest.raises(AttributeError, match="dominance needs independent classes"):
        rates.dominance()


def wins(scores, y=Y, groups=GROUPS):
    """The half wins of the positives of each group over the negatives of each."""
    half = 1 + np.sign(scores[y == 1][:, None] - scores[y == 0])
    members = [np.eye(groups.max() + 1)[groups[y == label]] for label in (1, 0)]
    return members[0].T @ half @ members[1] / 2


def aucs(scores, y=Y, groups=GROUPS, drawn=DRAWN):
    """Of every resample of whole groups; NaN where a class is missing."""
    sizes = [drawn @ np.bincount(groups, y == label, groups.max() + 1) for label in (1, 0)]
    pairs = np.where(sizes[0] * sizes[1], sizes[0] * sizes[1], np.nan)
    return ((drawn @ wins(scores, y, groups)) * drawn).sum(axis=1) / pairs


@pytest.mark.parametrize("n_groups", [60, 200])
def test_standard_errors_of_aucs_are_those_of_many_resamples(n_groups):
    y, a, b, groups = many_groups(n_groups)
    drawn = np.random.default_rng(0).multinomial(n_groups, np.full(n_groups, 1 / n_groups), 20_000)
    values = [aucs(scores, y, groups, drawn) for scores in (a, b)]
    result, difference = sk.bootstrap_auc(y, a, groups=groups), sk.bootstrap_auc_difference(y, a, b, groups=groups)
    for one, of_resamples in ((result, values[0]), (difference, values[0] - values[1])):
        assert_standard_errors(one.standard_error, np.std(of_resamples), 2, resamples=len(drawn))


@pytest.mark.parametrize("statistic", ["auc", "cost", "f1", "accuracy", "kappa"])
def test_models_are_compared_by_their_differences(statistic):
    y, a, b, groups = many_groups(30)
    options = {"auc": {}, "cost": {"probability_cost": W, "thresholds": 0.5}}.get(statistic, {"thresholds": 0.5})
    compared = sk.compare_models(y, {"a": a, "b": b, "c": a + b}, statistic, groups=groups, **options)
    of_two = {"auc": sk.bootstrap_auc_difference, "cost": sk.bootstrap_cost_difference}
    of_metric = partial(sk.bootstrap_metric_difference, metric=statistic)
    difference = of_two.get(statistic, of_metric)(y, a, b, groups=groups, **options)
    assert_allclose(compared.differences.estimate[0], float(difference), atol=1e-14)
    assert_allclose(compared.differences.standard_error[0], difference.standard_error, rtol=1e-12)
    assert compared.differences.pvalue()[0] >= difference.pvalue()


def every_interval(y, a, b, groups):
    """Results of all kinds, by name."""
    cut = {"thresholds": 0.75, "groups": groups}
    rates = sk.bootstrap_roc_at_threshold(y, a, **cut)
    pair = sk.bootstrap_roc_difference_at_threshold(y, a, b, thresholds=(0.75, 0.5), groups=groups)
    metrics = ("accuracy", "precision", "f1", "kappa", "mcc", "balanced_accuracy", sk.Metric.net_benefit(0.2))
    return [
        sk.bootstrap_auc(y, a, groups=groups),
        sk.bootstrap_auc_difference(y, a, b, groups=groups),
        sk.bootstrap_cost(y, a, probability_cost=W, **cut),
        sk.bootstrap_cost_difference(y, a, b, probability_cost=W, **cut),
        *(rates.fpr, rates.tpr, pair.fpr, pair.tpr),
        *(sk.bootstrap_metric(y, a, metric, **cut) for metric in metrics),
        *(sk.bootstrap_metric_difference(y, a, b, metric, **cut) for metric in metrics),
    ]


def test_intervals_hold_the_estimate_and_widen_with_their_level():
    for result in every_interval(*many_groups(25, seed=5)):
        limits = [result.confidence_interval(level) for level in (1e-6, 0.5, 0.9, 0.95, 0.99, 1 - 1e-9)]
        lows, highs = np.array(limits).T
        assert (np.diff(lows) <= 1e-12).all()
        assert (np.diff(highs) >= -1e-12).all()
        assert (lows[1:] < float(result)).all()
        assert (highs[1:] > float(result)).all()
        least, most = result.law.support
        assert (lows >= least).all()
        assert (highs <= most).all()


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_pvalues_are_the_intervals_turned_round(alternative):
    for result in every_interval(*many_groups(25, seed=5)):
        if hasattr(result, "equivalence"):
            p = float(result.pvalue(alternative))
            for level, outside in ((1 - p * 1.02, True), (1 - p * 0.98, False)):
                if 0 < level < 1 and 1e-9 < p < 0.98:
                    low, high = result.confidence_interval(level, alternative=alternative)
                    assert (low > 0 or high < 0) == outside


@pytest.mark.parametrize("n_groups", [2, 5, 20])
def test_intervals_of_models_without_errors_are_no_points(n_groups):
    groups = np.repeat(np.arange(n_groups), 4)
    y = np.tile([0, 1, 0, 1], n_groups)
    for result in every_interval(y, y + 0.25, y + 0.25, groups):
        low, high = result.confidence_interval()
        assert low < high


@pytest.mark.parametrize(
    "name",
    [
        lambda g: g,
        lambda g: g - 7.5,
        lambda g: np.array(list("abcdefghijklmnopqrst"))[g],
        lambda g: [f"p{i:02}" for i in g],
    ],
    ids=["numbers", "fractions", "letters", "list of texts"],
)
def test_groups_go_by_any_labels(name):
    y, a, _, groups = many_groups(20)
    assert sk.bootstrap_auc(y, a, groups=name(groups)) == sk.bootstrap_auc(y, a, groups=groups)


def test_labels_of_groups_may_be_of_several_kinds():
    y, a, _, groups = many_groups(20)
    mixed = np.array([i if i % 2 else f"p{i}" for i in groups], dtype=object)
    assert sk.bootstrap_auc(y, a, groups=mixed) == sk.bootstrap_auc(y, a, groups=groups)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"groups": ["x"] * 15}, "groups must contain at least two groups of cases, got only one: 'x'"),
        ({"groups": [1, 2, 3]}, "y_true and y_score and groups must have the same length"),
        ({"groups": [1.0] * 14 + [np.nan]}, "groups must not contain NaN"),
        ({"groups": ["a"] * 14 + [None]}, "groups must"),
        ({"groups": GROUPS, "sampling": "full"}, "sampling must be left at 'stratified' with groups, got 'full'"),
    ],
)
def test_groups_that_cannot_be_used_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        sk.bootstrap_auc(Y, A, **options)


def test_what_takes_no_groups_says_so():
    with pytest.raises(ValueError, match="sampling must be left at None with groups, got 'stratified'"):
        sk.bootstrap_metric(Y, A, "f1", thresholds=CUT_A, sampling="stratified", groups=GROUPS)


def test_chosen_thresholds_allow_for_the_choice():
    y, a, _, groups = many_groups(30)
    cost = sk.bootstrap_cost(y, a, probability_cost=W, groups=groups)
    at = sk.bootstrap_cost(y, a, probability_cost=W, thresholds=cost.thresholds, groups=groups)
    assert cost.selected
    assert cost.methods[0] == "chosen"
    known = at.confidence_interval(method="unseen_group")
    assert cost.confidence_interval().high > known.high
    assert cost.confidence_interval().low == known.low
    youden = sk.bootstrap_roc_at_threshold(y, a, thresholds="youden", groups=groups)
    at = sk.bootstrap_roc_at_threshold(y, a, thresholds=youden.thresholds, groups=groups)
    assert youden.tpr.confidence_interval().low < at.tpr.confidence_interval(method="unseen_group").low


def test_bands_are_wider_than_intervals():
    y, a, b, groups = many_groups(30)
    for curve in (
        sk.bootstrap_cost(y, a, probability_cost=11, thresholds=0.75, groups=groups),
        sk.bootstrap_cost_difference(y, a, b, probability_cost=11, thresholds=0.75, groups=groups),
        sk.bootstrap_roc_at_threshold(y, a, thresholds=[0.2, 0.5, 1.0], groups=groups).tpr,
    ):
        assert curve.band_methods == ("path",)
        (low, high), (band_low, band_high) = curve.confidence_interval(), curve.confidence_band()
        assert (band_low <= low).all()
        assert (band_high >= high).all()
        assert (band_high - band_low).sum() > (high - low).sum()


@pytest.mark.parametrize(
    ("scorer", "function"),
    [
        (sk.make_bound_scorer(sk.bootstrap_auc), sk.bootstrap_auc),
        (sk.make_metric_scorer("f1", bound="low"), partial(sk.bootstrap_metric, metric="f1")),
    ],
)
def test_scorers_get_groups_by_metadata_routing(scorer, function):
    y, a, b, groups = many_groups(40)
    features = np.column_stack([a, b])
    with sklearn.config_context(enable_metadata_routing=True):
        asked = scorer.set_score_request(groups=True)
        options = {"cv": GroupKFold(3), "params": {"groups": groups}}
        found = cross_validate(
            LogisticRegression(), features, y, scoring=asked, return_estimator=True, return_indices=True, **options
        )
    for test, model, score in zip(found["indices"]["test"], found["estimator"], found["test_score"], strict=True):
        known = (
            model.decision_function(features[test]) if function is sk.bootstrap_auc else model.predict(features[test])
        )
        result = function(y[test], known, groups=groups[test])
        assert score == result.confidence_interval().low
    assert (
        len(cross_val_score(LogisticRegression(), features, y, scoring=scorer, cv=3)) == 3
    )  # without groups as before


@pytest.fixture
def score_file(tmp_path):
    """Scores of two models in groups, as CSV."""
    y, a, b, groups = many_groups(30)
    rows = [f"{label},{x},{z},patient {i},1" for label, x, z, i in zip(y, a, b, groups, strict=True)]
    path = tmp_path / "scores.csv"
    path.write_text("\n".join(["y,a,b,patient,one", *rows]))
    return str(path)


def test_the_command_line_takes_a_column_of_groups(score_file, tmp_path, capsys):
    y, a, b, groups = many_groups(30)
    picture = str(tmp_path / "groups.png")
    asked = ["compare", score_file, "--y-true", "y", "--score", "a", "--score", "b", "--groups", "patient"]
    metric = ["--metrics", "roc_auc", "f1", "sensitivity_at_specificity:0.9", "--thresholds", "0.75"]
    main([*asked, *metric, "--json", "--output", picture])
    report = json.loads(capsys.readouterr().out)
    named = [f"patient {number}" for number in groups]
    auc = sk.bootstrap_auc(y, a, groups=named)
    found = report["rows"][0]
    assert report["made"]["n_groups"] == 30
    assert (found["standard_error"], found["low"]) == (auc.standard_error, auc.confidence_interval().low)
    f1 = sk.bootstrap_metric_difference(y, a, b, "f1", thresholds=0.75, groups=named)
    assert report["rows"][-1]["p"] == f1.pvalue()
    assert {row["metric"] for row in report["rows"]} == {"auc", "f1"}
    main(asked)
    assert "30 groups (clusters) of cases, resampled as a whole." in capsys.readouterr().out


@pytest.mark.filterwarnings("default")
def test_the_command_line_names_a_group_that_outweighs_all_others(tmp_path, capsys):
    y, a, _, groups = many_groups(30)
    path = tmp_path / "scores.csv"
    rows = [f"{label},{x},patient {i},{400 if i == 7 else 1}" for label, x, i in zip(y, a, groups, strict=True)]
    path.write_text("\n".join(["y,a,patient,weight", *rows]))
    asked = ["--sample-weight", "weight", "--weight-type", "importance", "--groups", "patient"]
    main(["compare", str(path), "--y-true", "y", "--score", "a", *asked])
    assert "of all sample_weight, groups='patient 7'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--groups", "one"], "groups must contain at least two groups of cases, got only one"),
        (["--groups", "nobody"], "there is no column 'nobody'"),
        (["--groups", "patient", "--by", "one"], "by must contain from 2 to 50 subgroups, got 1"),
    ],
)
def test_the_command_line_refuses_groups_it_cannot_use(score_file, capsys, options, message):
    with pytest.raises(SystemExit):
        main(["compare", score_file, "--y-true", "y", "--score", "a", *options])
    assert message in capsys.readouterr().err


def test_a_class_of_one_group_says_next_to_nothing():
    groups, y = np.repeat(np.arange(6), 4), np.repeat([1, 0], [3, 21])
    scores = np.arange(24.0)[::-1]
    low, high = sk.bootstrap_auc(y, scores, groups=groups).confidence_interval(method="unseen_group")
    assert low < 0.01
    assert high == 1
    difference = sk.bootstrap_metric_difference(y, scores >= 20, scores % 2 > 0, "kappa", groups=groups)
    low, high = difference.confidence_interval(method="unseen_group")
    assert low < -0.5
    assert high > 0.9


# Two models' scores of 14 cases in six groups, and the limits at .80, .95 and .99 that a separate program found.
FEW_Y = np.array([1, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0])
FEW_A = np.array([0.9, 0.8, 0.3, 0.7, 0.5, 0.6, 0.55, 0.4, 0.65, 0.35, 0.2, 0.75, 0.1, 0.45])
FEW_B = np.array([0.8, 0.6, 0.5, 0.7, 0.3, 0.4, 0.65, 0.45, 0.55, 0.2, 0.1, 0.9, 0.35, 0.25])
FEW_GROUPS = np.array([0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4, 5])
FEW_LIMITS = {
    "auc": ((0.460089, 0.997436), (0.258296, 0.999919), (0.118538, 1.0)),
    "auc difference": ((-0.412492, 0.476451), (-0.621202, 0.650582), (-0.774170, 0.781569)),
    "accuracy": ((0.465161, 0.952546), (0.331452, 0.982528), (0.217963, 0.994963)),
    "recall": ((0.477556, 0.988442), (0.322371, 0.997654), (0.195636, 0.999623)),
    "precision": ((0.455509, 0.932195), (0.326968, 0.968969), (0.214233, 0.987056)),
    "f1": ((0.490497, 0.957510), (0.355289, 0.984673), (0.236500, 0.995661)),
    "cost": ((0.062093, 0.517645), (0.023874, 0.670168), (0.007247, 0.806427)),
    "accuracy difference": ((-0.292395, 0.372701), (-0.428332, 0.483539), (-0.553512, 0.588335)),
    "cost difference": ((-0.301063, 0.238960), (-0.428478, 0.377314), (-0.558024, 0.516415)),
}


def of_few(name):
    """The statistic of that name of these cases."""
    metric, _, pair = name.partition(" ")
    cut = {"thresholds": 0.5, "groups": FEW_GROUPS}
    columns = (FEW_Y, FEW_A, FEW_B) if pair else (FEW_Y, FEW_A)
    if metric == "auc":
        return (sk.bootstrap_auc_difference if pair else sk.bootstrap_auc)(*columns, groups=FEW_GROUPS)
    if metric == "cost":
        return (sk.bootstrap_cost_difference if pair else sk.bootstrap_cost)(*columns, probability_cost=W, **cut)
    return (sk.bootstrap_metric_difference if pair else sk.bootstrap_metric)(*columns, metric, **cut)


@pytest.mark.parametrize("name", FEW_LIMITS)
def test_limits_of_six_groups(name):
    result = of_few(name)
    assert result.methods[:2] == ("extrapolated", "unseen_group")
    for level, limits in zip((0.8, 0.95, 0.99), FEW_LIMITS[name], strict=True):
        within = 0.01 if "auc" in name else 0.05  # counts are linear in the weight of the unseen group
        assert_limits(result.confidence_interval(level, method="unseen_group"), limits, within)


def paired_groups(seed, n_groups, size, alike):
    """Truth, scores of two models whose groups and cases differ by so much, and the groups."""
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(n_groups), size)
    y = rng.integers(0, 2, len(groups))
    a = 1.5 * y + 0.5 * rng.normal(size=n_groups)[groups] + rng.normal(size=len(y))
    return y, a, a + alike * (rng.normal(size=n_groups)[groups] + rng.normal(size=len(y))), groups


def test_grouped_auc_differences_sharpen_as_models_agree():
    results = []
    for alike in (0.5, 0.05, 0.005):
        *columns, groups = paired_groups(0, 30, 8, alike)
        results.append(sk.bootstrap_auc_difference(*columns, groups=groups))
    widths = [np.diff(each.confidence_interval())[0] for each in results]
    gaussian = [np.diff(each.confidence_interval(method="wald"))[0] for each in results]
    assert (np.divide(widths, gaussian) < 1.25).all()
    assert widths[0] > 3 * widths[1] > 9 * widths[2]
    assert np.diff(results[2].confidence_interval(method="unseen_group"))[0] > 20 * widths[2]


def test_grouped_auc_differences_by_the_extrapolated_record_are_what_they_should_be():
    y, a, b, groups = paired_groups(1, 15, 4, 0.5)
    one, other = (sk.bootstrap_auc_difference(y, *pair, groups=groups) for pair in ((a, b), (b, a)))
    limits = np.array([one.confidence_interval(level) for level in (0.5, 0.8, 0.95, 0.99, 0.999)])
    assert (np.diff(limits[:, 0]) < 0).all()
    assert (np.diff(limits[:, 1]) > 0).all()
    assert_allclose(other.confidence_interval(0.95), -limits[2, ::-1], atol=1e-12)
    p = one.pvalue("greater", null=limits[2, 0])
    assert_allclose(p, 0.025, rtol=1e-6)


def test_a_group_that_one_model_alone_fails_in_is_allowed_for_once_it_was_seen():
    """Groups of 8, a sixth of which model b ranks in reverse; 1 sample in 80 holds none of them."""
    covered = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        groups = np.repeat(np.arange(25), 8)
        y, failing = rng.integers(0, 2, len(groups)), rng.random(25) < 0.16
        a = 3 * y + rng.normal(size=len(y))
        b = np.where(failing[groups], 3 - a, a)
        low, high = sk.bootstrap_auc_difference(y, a, b, groups=groups).confidence_interval()
        covered += low <= 0.1543 <= high
    assert covered >= 190


def right_or_wrong(wrong, n_groups=20, size=10):
    """Accuracy of groups with half of their cases in each class, given which cases are labelled wrong."""
    y = np.tile(np.repeat([1, 0], size // 2), n_groups)
    labels = np.where(np.isin(np.arange(len(y)), wrong), 1 - y, y)
    return sk.bootstrap_metric(y, labels, "accuracy", groups=np.repeat(np.arange(n_groups), size))


@pytest.mark.parametrize(
    ("wrong", "limits"),
    [
        ([], [(0.891251, 1), (0.831567, 1), (0.767270, 1)]),
        ([0], [(0.886195, 0.999475), (0.829272, 0.999873), (0.768586, 0.999975)]),
        (range(10), [(0.819039, 0.994746), (0.751267, 0.998735), (0.682858, 0.999749)]),
        (
            [0, 1, 2, 3, 4, *range(10, 15), *range(20, 25)],
            [(0.813498, 0.971791), (0.760158, 0.983965), (0.706304, 0.991179)],
        ),
    ],
    ids=["none", "one case", "one group", "half of three groups"],
)
def test_an_error_seen_does_not_narrow_what_allows_for_groups_that_fail_whole(wrong, limits):
    result = right_or_wrong(list(wrong))
    for level, expected in zip((0.8, 0.95, 0.99), limits, strict=True):
        assert_limits(result.confidence_interval(level, method="unseen_group"), expected)


@pytest.mark.parametrize("failed", [0, 1, 3, 10, 20])
def test_groups_all_right_or_all_wrong_have_clopper_and_pearsons_limits(failed):
    right = 20 - failed
    low, high = right_or_wrong(list(range(10 * failed))).confidence_interval(0.9, method="unseen_group")
    assert_allclose(low, beta.ppf(0.05, right, failed + 1) if right else 0, rtol=1e-9)
    assert_allclose(high, beta.ppf(0.95, right + 1, failed) if failed else 1, rtol=1e-9)


def test_separated_classes_in_groups_are_not_known_to_be_separated():
    y = np.tile([1, 0], 100)
    result = sk.bootstrap_auc(y, y, groups=np.repeat(np.arange(20), 10))
    for level, low in ((0.8, 0.876304), (0.95, 0.774804), (0.99, 0.664319)):
        assert_limits(result.confidence_interval(level, method="unseen_group"), (low, 1))
        assert result.confidence_interval(level).low < 0.9


@pytest.mark.parametrize("seed", range(6))
def test_an_error_more_does_not_raise_a_lower_limit(seed):
    """Of "unseen_group", at .95 with 15 groups or more: a right label made wrong, a positive put below all others."""
    y, a, _, groups = many_groups(15 + 5 * seed, seed)
    labels = (a >= 0.75).astype(int)
    for case in np.flatnonzero(labels == y)[:8]:
        worse = labels.copy()
        worse[case] = 1 - y[case]
        lows = [
            sk.bootstrap_metric(y, each, "accuracy", groups=groups).confidence_interval(method="unseen_group").low
            for each in (labels, worse)
        ]
        assert lows[1] <= lows[0]
    for case in np.flatnonzero(y == 1)[:8]:
        below = a.copy()
        below[case] = a.min() - 1
        results = [sk.bootstrap_auc(y, each, groups=groups) for each in (a, below)]
        lows = [each.confidence_interval(method="unseen_group").low for each in results]
        assert lows[1] <= lows[0]


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10**6), st.integers(4, 30))
def test_intervals_nest_at_all_levels(seed, n_groups):
    y, a, b, groups = many_groups(n_groups, seed)
    if len(set(y.tolist())) < 2:
        return
    levels = 1 - np.concatenate([np.geomspace(1e-9, 0.1, 7), np.linspace(0.15, 0.7, 4)])
    for result in (
        sk.bootstrap_auc(y, a, groups=groups),
        sk.bootstrap_auc_difference(y, a, b, groups=groups),
        sk.bootstrap_metric(y, y ^ (a > 1.5), "accuracy", groups=groups),
        sk.bootstrap_cost_difference(y, a, b, probability_cost=W, thresholds=0.5, groups=groups),
        sk.bootstrap_metric_difference(y, a, b, "mcc", thresholds=0.5, groups=groups),
    ):
        low, high = np.array([result.confidence_interval(level) for level in levels]).T
        assert (np.diff(low) >= -1e-12).all()
        assert (np.diff(high) <= 1e-12).all()
        assert np.isfinite([low, high]).all()
