"""Weights that say how much cases count: scikit-learn's values and curves, limits, pictures, refusals."""

import json
from functools import partial

import numpy as np
import pandas as pd
import pytest
import sklearn
import sklearn.metrics as skm
from budget import assert_limits
from numpy.testing import assert_allclose
from scipy.stats import beta
from sklearn.isotonic import isotonic_regression
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate
from statistics_list import part, parts, unplaced

import skcostci as sk
from skcostci.__main__ import main

RNG = np.random.default_rng(3)
N = 60
Y = (RNG.random(N) < 0.5).astype(int)
S, OTHER = (np.round(RNG.normal(size=N) + 1.3 * Y, 1) for _ in "ab")  # with ties
LABELS, OTHERS = (S > 0.6).astype(int), (OTHER > 0.8).astype(int)
P, P_OTHER = (1 / (1 + np.exp(-1.5 * (each - 0.6))) for each in (S, OTHER))
W = RNG.gamma(2.0, size=N)
KIND, GUESS = RNG.integers(0, 3, N), RNG.integers(0, 3, N)
GROUPS = np.arange(N) // 3
KIND = np.where(RNG.random(N) < 0.7, GUESS, KIND)

of_labels = partial(partial, sk.bootstrap_metric, Y, LABELS)
apart = partial(partial, sk.bootstrap_metric_difference, Y, LABELS, OTHERS)


def at(score, *predicted, **options):
    return lambda w: score(Y, *predicted, sample_weight=w, **options)


def two(score, a, b, **options):
    return lambda w: score(Y, a, sample_weight=w, **options) - score(Y, b, sample_weight=w, **options)


def cost(w, positive):
    """What a case costs where positives are 3 in 10, by the rates of errors."""
    missed, alarms = (np.average((positive != Y)[own], weights=w[own]) for own in (Y == 1, Y == 0))
    return 0.3 * missed + 0.7 * alarms


def correlation(c):
    return c[0, 1] / np.sqrt(c[0, 0] * c[1, 1])


def specificity(y, labels, sample_weight):
    return skm.recall_score(y, labels, pos_label=0, sample_weight=sample_weight)


RATIO, MACRO = {"range": ((0, 1), None)}, {"average": "macro"}
CUT, CUTS = {"thresholds": 0.65}, {"thresholds": (0.65, 0.85)}
MATRIX, APS = [[0, 1], [4, 0]], sk.bootstrap_average_precision_difference
RATES = sk.bootstrap_roc_difference_at_threshold
# what is asked, scikit-learn's value, and whether each class is drawn to its own size
STATISTICS = {
    "accuracy": (of_labels("accuracy"), at(skm.accuracy_score, LABELS), False),
    "recall": (of_labels("recall"), at(skm.recall_score, LABELS), False),
    "precision": (of_labels("precision"), at(skm.precision_score, LABELS), False),
    "f1": (of_labels("f1"), at(skm.f1_score, LABELS), False),
    "kappa": (of_labels("kappa"), at(skm.cohen_kappa_score, LABELS), False),
    "mcc": (of_labels("mcc"), at(skm.matthews_corrcoef, LABELS), False),
    "balanced accuracy": (of_labels("balanced_accuracy"), at(skm.balanced_accuracy_score, LABELS), True),
    "macro f1": (of_labels("f1_macro"), at(skm.f1_score, LABELS, **MACRO), False),
    "macro f1 of three": (
        partial(sk.bootstrap_metric, KIND, GUESS, "f1", **MACRO),
        lambda w: skm.f1_score(KIND, GUESS, sample_weight=w, **MACRO),
        False,
    ),
    "a function": (partial(sk.bootstrap_metric, Y, P, skm.brier_score_loss), at(skm.brier_score_loss, P), False),
    "brier": (partial(sk.bootstrap_loss, Y, P), at(skm.brier_score_loss, P), False),
    "log loss": (partial(sk.bootstrap_loss, Y, P, "log_loss"), at(skm.log_loss, P), False),
    "mean": (partial(sk.bootstrap_mean, S), lambda w: np.average(S, weights=w), False),
    "ratio": (partial(sk.bootstrap_ratio, Y, P, **RATIO), lambda w: w @ Y / (w @ P), False),
    "auc": (partial(sk.bootstrap_auc, Y, S), at(skm.roc_auc_score, S), True),
    "ap": (partial(sk.bootstrap_average_precision, Y, S), at(skm.average_precision_score, S), False),
    "gini": (partial(sk.bootstrap_metric, Y, S, "gini"), lambda w: 2 * at(skm.roc_auc_score, S)(w) - 1, True),
    "pearson": (partial(sk.bootstrap_metric, P, S, "pearson"), lambda w: correlation(np.cov(P, S, aweights=w)), False),
    "cost": (partial(sk.bootstrap_cost, Y, S, probability_cost=0.3, **CUT), lambda w: cost(w, LABELS == 1), True),
    "tpr": (part("tpr", sk.bootstrap_roc_at_threshold, Y, S, **CUT), at(skm.recall_score, LABELS), False),
    "expected cost": (
        partial(sk.bootstrap_expected_cost, Y, LABELS, MATRIX, smoothing=0),
        lambda w: w @ np.where(Y == 1, 4 * (LABELS == 0), LABELS) / w.sum(),
        False,
    ),
    "in the large": (part("in_the_large", sk.bootstrap_calibration, Y, P), lambda w: w @ (Y - P) / w.sum(), False),
    "observed/expected": (part("observed_expected", sk.bootstrap_calibration, Y, P), lambda w: w @ Y / (w @ P), False),
    "cost, apart": (
        partial(sk.bootstrap_cost_difference, Y, S, OTHER, probability_cost=0.3, **CUTS),
        lambda w: cost(w, LABELS == 1) - cost(w, OTHERS == 1),
        True,
    ),
    "fpr, apart": (part("fpr", RATES, Y, S, OTHER, **CUTS), two(specificity, OTHERS, LABELS), False),
    "ratio, apart": (
        partial(sk.bootstrap_ratio_difference, Y, P, Y, P_OTHER, **RATIO),
        lambda w: w @ Y / (w @ P) - w @ Y / (w @ P_OTHER),
        False,
    ),
    "accuracy, apart": (apart("accuracy"), two(skm.accuracy_score, LABELS, OTHERS), False),
    "f1, apart": (apart("f1"), two(skm.f1_score, LABELS, OTHERS), False),
    "mcc, apart": (apart("mcc"), two(skm.matthews_corrcoef, LABELS, OTHERS), False),
    "macro f1, apart": (apart("f1_macro"), two(skm.f1_score, LABELS, OTHERS, **MACRO), False),
    "loss, apart": (partial(sk.bootstrap_loss_difference, Y, P, P_OTHER), two(skm.brier_score_loss, P, P_OTHER), False),
    "auc, apart": (partial(sk.bootstrap_auc_difference, Y, S, OTHER), two(skm.roc_auc_score, S, OTHER), True),
    "ap, apart": (partial(APS, Y, S, OTHER), two(skm.average_precision_score, S, OTHER), False),
}
EVERY = pytest.mark.parametrize("name", STATISTICS)


def influences(value, weights, by_class):
    """What weights add to the error, w dT/dw, by small steps; each class about its own mean where it is held fixed."""
    with sklearn.config_context(assume_finite=True, skip_parameter_validation=True):
        found = (np.array([value(weights + step) for step in 1e-6 * np.diag(weights)]) - value(weights)) / 1e-6
    for own in (Y == 0, Y == 1) if by_class else ():
        found[own] -= weights[own] * found[own].sum() / weights[own].sum()
    return found


IMPORTANCE = {"sample_weight": W, "weight_type": "importance"}


@EVERY
def test_estimates_are_scikit_learns_and_errors_those_of_weights(name):
    asked, value, by_class = STATISTICS[name]
    found = asked(**IMPORTANCE)
    assert_allclose(found.estimate, value(W), rtol=1e-12, atol=1e-12)
    error = np.sqrt((influences(value, W, by_class) ** 2).sum())
    assert_allclose(found.standard_error, error, rtol=1e-4)
    assert_allclose(found.effective_cases, W.sum() ** 2 / (W @ W))
    low, high = found.confidence_interval()
    assert low < found.estimate < high


@EVERY
def test_groups_weigh_what_their_cases_do(name):
    """They are what is drawn: whole weights of cases give what counts of them do, but for how many cases there are."""
    asked, value, _ = STATISTICS[name]
    counts = np.ceil(W)
    counted = asked(sample_weight=counts, groups=GROUPS)
    found = asked(sample_weight=0.7 * counts, groups=GROUPS, weight_type="importance")
    assert_allclose(found.estimate, value(counts), rtol=1e-12, atol=1e-12)
    assert (found.n_groups, found.methods[0]) == (counted.n_groups, counted.methods[0])
    assert_allclose(found.standard_error, counted.standard_error, rtol=1e-7)
    width = float(np.ptp(counted.confidence_interval()))  # how a group varies depends on the weights of its cases
    assert_allclose(found.confidence_interval(), counted.confidence_interval(), atol=0.1 * width)


def test_groups_in_folds_of_unequal_size_are_groups_of_cases_with_unequal_weights():
    """A case of a small fold weighs more; how groups vary, and the degrees of freedom, are the same."""
    sizes = np.r_[np.tile([1, 2, 3, 4], 2), 2 * np.tile([1, 2, 3, 4], 2), 10, 2, 8, 10]
    groups = np.repeat(np.arange(20), sizes)
    folds = (groups > 7).astype(int)
    values = np.concatenate([np.random.default_rng(1).permutation(np.arange(k) % 2) for k in np.bincount(folds)])
    ask = partial(sk.bootstrap_mean, values, least=0, most=1, groups=groups)
    in_folds = ask(folds=folds)
    weighed = ask(sample_weight=1 / np.bincount(folds)[folds], weight_type="importance")
    assert_allclose(in_folds.estimate, weighed.estimate, rtol=1e-12)
    assert_allclose(in_folds.standard_error, weighed.standard_error, rtol=1e-12)
    assert_limits(in_folds.confidence_interval(), weighed.confidence_interval())


def test_rates_given_another_weigh_groups_of_one_case_as_cases():
    for ask, more in ((sk.bootstrap_roc_at_fpr, {"fpr": [0.2, 0.3]}), (sk.bootstrap_roc_at_tpr, {"tpr": [0.5, 0.8]})):
        alone = ask(Y, S, sample_weight=np.ceil(W), weight_type="importance", **more)
        groups = ask(Y, S, sample_weight=np.ceil(W), groups=np.arange(N), **more)
        for found, expected in zip(parts(alone), parts(groups), strict=True):
            assert_allclose(found.standard_error, expected.standard_error, rtol=1e-12)


def test_shares_have_the_limits_of_an_effective_number_with_two_more_of_the_rarer_cases():
    found = sk.bootstrap_metric(Y, LABELS, "accuracy", sample_weight=W, weight_type="importance")
    right, kish = Y == LABELS, W @ W / W.sum()
    share = W @ right / W.sum()
    off = (right - share) ** 2
    w, more = np.append(W, [kish, kish]), np.append(off, [off.max()] * 2)
    cases = min(share * (1 - share) * W.sum() ** 2 / (W**2 @ off), W.sum() * (w @ more) / (w**2 @ more), N)
    k = cases * share
    expected = beta.ppf(0.025, k, cases - k + 1), beta.ppf(0.975, k + 1, cases - k)
    assert_allclose(found.confidence_interval(), expected, rtol=1e-9)
    perfect = sk.bootstrap_metric(Y, Y, "accuracy", sample_weight=W, weight_type="importance")
    assert_allclose(perfect.confidence_interval().low, 0.025 ** (1 / perfect.effective_cases), rtol=1e-9)


def test_reference_values():
    y = [1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 1]
    s = np.array([9, 3, 5, 7, 8, 6, 1, 4, 2, 11, 0, 10, 12, -1, -2, 13])
    w = [0.5, 1, 2, 1.5, 0.25, 3, 1, 1, 0.5, 2, 1, 1, 0.75, 1.25, 1, 2]
    weights = {"sample_weight": w, "weight_type": "importance"}
    accuracy = sk.bootstrap_metric(y, (s > 6.5).astype(int), "accuracy", **weights)
    assert_allclose(accuracy.confidence_interval(), (0.6246935032, 0.9932897705), atol=1e-9)
    assert_allclose(sk.bootstrap_auc(y, s, **weights).confidence_interval(), (0.5381628583, 0.9969518661), atol=1e-9)


def test_weights_of_classes_do_not_tell_on_what_is_of_one_class():
    """Of negatives one in ten was drawn: rates of each class, and the AUC, are as they were."""
    drawn = {"sample_weight": np.where(Y == 1, 0.5, 5.0), "weight_type": "importance"}
    for asked in map(of_labels, ("recall", "specificity", "balanced_accuracy")):
        found, plain = asked(**drawn), asked()
        assert_allclose(found.confidence_interval(), plain.confidence_interval(), rtol=1e-9)
    found, plain = sk.bootstrap_auc(Y, S, **drawn), sk.bootstrap_auc(Y, S)
    assert_allclose(found.confidence_interval(), plain.confidence_interval(), atol=2e-3)


def test_points_and_tables():
    several = sk.bootstrap_metric(Y, S, "f1", thresholds=[0.2, 0.6, 9.0], **IMPORTANCE)
    single = sk.bootstrap_metric(Y, S, "f1", thresholds=0.2, **IMPORTANCE)
    assert_allclose(np.array(several.confidence_interval())[:, 0], single.confidence_interval())
    assert len(several.to_frame()) == 3
    of_each = sk.bootstrap_metric(KIND, GUESS, "f1", average=None, **IMPORTANCE)
    assert_allclose(of_each.estimate, skm.f1_score(KIND, GUESS, average=None, sample_weight=W), rtol=1e-12)
    assert 0 < single.pvalue(null=0.5) < 1
    assert "by clopper_pearson" in repr(single)


@pytest.mark.parametrize(
    ("statistic", "models", "alone"),
    [
        ("auc", (S, OTHER), sk.bootstrap_auc),
        ("average_precision", (S, OTHER), sk.bootstrap_average_precision),
        ("f1", (LABELS, OTHERS), partial(sk.bootstrap_metric, metric="f1")),
        ("f1_macro", (LABELS, OTHERS), partial(sk.bootstrap_metric, metric="f1_macro")),
        ("brier", (P, P_OTHER), sk.bootstrap_loss),
    ],
)
def test_comparisons_are_of_the_same(statistic, models, alone):
    found, by = sk.compare_models(Y, dict(zip("ab", models, strict=True)), statistic, **IMPORTANCE), np.arange(N) % 2
    assert 0 < found.differences.pvalue()[0] <= 1
    groups = sk.compare_groups(Y, models[0], by, statistic, **IMPORTANCE)
    for result, scores in zip(found.results, models, strict=True):
        expected = alone(Y, scores, **IMPORTANCE)
        assert result.confidence_interval() == expected.confidence_interval()
        assert result.effective_cases == expected.effective_cases
    for place, result in enumerate(groups.results):
        own = by == place
        expected = alone(Y[own], models[0][own], sample_weight=W[own], weight_type="importance")
        assert_allclose(result.confidence_interval(), expected.confidence_interval(), rtol=1e-9)
        assert_allclose(result.effective_cases, expected.effective_cases)


def test_reports_have_these_numbers():
    metrics = ("roc_auc", "average_precision", "brier", "recall", "f1_macro")
    made = sk.report(Y, {"a": P, "b": P_OTHER}, metrics=metrics, **IMPORTANCE)
    asked = [sk.bootstrap_auc, sk.bootstrap_average_precision, sk.bootstrap_loss]
    expected = [ask(Y, P, **IMPORTANCE) for ask in asked]
    expected += [sk.bootstrap_metric(Y, (P >= 0.5).astype(int), name, **IMPORTANCE) for name in metrics[3:]]
    rows = made.to_frame().query("model == 'a'")
    assert_allclose(rows["estimate"], [float(each) for each in expected], rtol=1e-12)
    assert_allclose(rows[["low", "high"]], [each.confidence_interval() for each in expected], rtol=1e-9)
    assert f"the effective number of cases is {expected[0].effective_cases:.4g}" in str(made)
    assert f"{N} cases, {Y.sum()} positive" in str(made)
    told = made.to_dict()["made"]
    assert (told["n_cases"], told["effective_cases"]) == (N, pytest.approx(expected[0].effective_cases))
    equal = sk.report(Y, P, sample_weight=np.full(N, 0.5), weight_type="importance", metrics="roc_auc").to_dict()
    assert "effective_cases" not in equal["made"]
    with pytest.raises(ValueError, match="not supported for thresholds chosen on the same cases"):
        sk.report(Y, P, metrics="cost", **IMPORTANCE)


def test_the_command_line_takes_them(tmp_path, capsys):
    path = tmp_path / "scores.csv"
    pd.DataFrame({"y": Y, "p": P, "w": W, "g": GROUPS}).to_csv(path, index=False)
    asked = ["compare", str(path), "--y-true", "y", "--score", "p", "--sample-weight", "w", "--json"]
    for more, options in ((["--metrics", "roc_auc", "f1"], {}), (["--groups", "g"], {"groups": GROUPS})):
        main([*asked, "--weight-type", "importance", *more])
        told, area = json.loads(capsys.readouterr().out), sk.bootstrap_auc(Y, P, **options, **IMPORTANCE)
        assert_allclose([told["rows"][0][end] for end in ("low", "high")], area.confidence_interval(), rtol=1e-9)
        if not options:
            assert told["made"]["effective_cases"] == pytest.approx(area.effective_cases)
    with pytest.raises(SystemExit):
        main(asked)
    assert "--weight-type importance" in capsys.readouterr().err


def test_scorers_take_them_by_metadata_routing():
    X = np.column_stack([S, OTHER])
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = sk.make_bound_scorer(sk.bootstrap_auc, weight_type="importance").set_score_request(sample_weight=True)
        model = LogisticRegression().set_fit_request(sample_weight=False)
        found = cross_validate(model, X, Y, scoring=scorer, params={"sample_weight": W}, cv=3, return_indices=True)
    for place, score in enumerate(found["test_score"]):
        fit, own = (found["indices"][part][place] for part in ("train", "test"))
        scores = LogisticRegression().fit(X[fit], Y[fit]).decision_function(X[own])
        expected = sk.bootstrap_auc(Y[own], scores, sample_weight=W[own], weight_type="importance")
        assert_allclose(score, expected.confidence_interval().low, rtol=1e-9)


@pytest.mark.parametrize(
    ("name", "theirs", "response"),
    [
        ("f1", skm.f1_score, "predict"),
        ("f1_macro", partial(skm.f1_score, **MACRO), "predict"),
        ("roc_auc", skm.roc_auc_score, "decision_function"),
        ("average_precision", skm.average_precision_score, "decision_function"),
        ("neg_brier_score", lambda *data, **w: -skm.brier_score_loss(*data, **w), "risks"),
    ],
)
def test_scorers_of_values_take_any_weights_and_bounds_those_of_importance(name, theirs, response):
    X = np.column_stack([S, OTHER])
    model = LogisticRegression().fit(X, Y)
    given = model.predict_proba(X)[:, 1] if response == "risks" else getattr(model, response)(X)
    for weights in ({"sample_weight": W}, {}):
        found = sk.make_metric_scorer(name)(model, X, Y, **weights)
        assert found == pytest.approx(theirs(Y, given, **weights), rel=1e-12)
    limit = sk.make_metric_scorer(name, bound="worst", weight_type="importance")(model, X, Y, sample_weight=W)
    found = sk.bootstrap_metric(Y, given, name, **IMPORTANCE).confidence_interval()
    assert limit == pytest.approx(-found.high if name.startswith("neg_") else found.low, rel=1e-12)
    assert limit == sk.make_bound_scorer(name, weight_type="importance")(model, X, Y, sample_weight=W)
    with pytest.raises(ValueError, match="pass weight_type='importance'"):
        sk.make_metric_scorer(name, bound="worst")(model, X, Y, sample_weight=W)


def test_a_case_or_a_group_that_outweighs_all_others_is_spoken_of():
    accuracy, heavy = partial(of_labels("accuracy"), weight_type="importance"), np.where(np.arange(N) == 3, 2.0 * N, 1)
    with pytest.warns(UserWarning, match="One case has 67% of all sample_weight, at position 3"):
        assert accuracy(sample_weight=heavy).effective_cases < 3
    with pytest.warns(UserWarning, match="One group has 68% of all sample_weight, groups='site 4'"):
        accuracy(sample_weight=np.where(GROUPS == 4, 40.0, 1), groups=[f"site {number}" for number in GROUPS])


@pytest.mark.parametrize("name", ["auc", "ap", "f1", "macro f1", "cost", "mean", "accuracy, apart"])
def test_folds_count_alike_however_heavy_they_are(name):
    folds = np.arange(N) % 3
    ask = partial(STATISTICS[name][0], weight_type="importance", folds=folds)
    found, other = (ask(sample_weight=W * size**folds) for size in (1, 10.0))
    assert_allclose(other.estimate, found.estimate, rtol=1e-12, atol=1e-15)
    assert_allclose(other.standard_error, found.standard_error, rtol=1e-9)
    assert_allclose(other.confidence_interval(), found.confidence_interval(), rtol=1e-9)


NEGATIVE = {"sample_weight": np.where(np.arange(N) == 4, -1.0, W), "weight_type": "importance"}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"sample_weight": W}, r"sample_weight must contain frequencies.* pass weight_type='importance'"),
        ({"weight_type": "importance"}, "weight_type='importance' describes sample_weight, which was not given"),
        ({"sample_weight": W, "weight_type": "frequency"}, "weight_type must be one of 'counts', 'importance'"),
        (NEGATIVE, "sample_weight must not be negative, got -1.0 at position 4"),
        (IMPORTANCE | {"sample_weight": np.where(W > 2, np.nan, W)}, "sample_weight"),
        (IMPORTANCE | {"sample_weight": 0 * W}, "at least one positive weight"),
        (IMPORTANCE | {"sample_weight": W > 1}, "sample_weight must contain numbers"),
        (IMPORTANCE | {"sampling": "full"}, "sampling must be left at"),
    ],
)
@pytest.mark.parametrize("name", ["f1", "auc"])
def test_what_is_wrong_is_said(name, options, said):
    with pytest.raises(ValueError, match=said):
        STATISTICS[name][0](**options)


ONE_HOT, CHOSEN = np.eye(3)[GUESS], "not supported for thresholds chosen on the same cases"
BANDS = "simultaneous bands need whole cases: with importance weights"
EACH_AGAINST_EACH = "not supported for the AUC of each class against each"
CALIBRATION = partial(sk.bootstrap_calibration, Y, P, **IMPORTANCE)
METRIC, AT_FPR = (partial(each, Y, S, **IMPORTANCE) for each in (sk.bootstrap_metric, sk.bootstrap_roc_at_fpr))


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (partial(METRIC, "f1", thresholds="best"), f"weight_type='importance' is {CHOSEN}"),
        (partial(METRIC, "eer"), "weight_type='importance' is not supported for the equal error rate"),
        (lambda: sk.bootstrap_cost(Y, S, **IMPORTANCE), CHOSEN),
        (lambda: sk.compare_models(KIND, {"a": ONE_HOT, "b": ONE_HOT}, "roc_auc_ovo", **IMPORTANCE), EACH_AGAINST_EACH),
        (lambda: sk.bootstrap_auc(KIND, ONE_HOT, multi_class="ovo", **IMPORTANCE), EACH_AGAINST_EACH),
        (lambda: CALIBRATION().confidence_band(), "importance weights use in_the_large"),
        (lambda: CALIBRATION().slope, "importance weights use in_the_large"),
        (lambda: sk.bootstrap_cost(Y, S, thresholds=0.5, **IMPORTANCE).confidence_band(), BANDS),
        (lambda: AT_FPR(fpr=[0.1, 0.2]).confidence_band(), BANDS),
        (lambda: AT_FPR(fpr=0.1).threshold_interval(), "needs independent cases: leave out groups, folds"),
    ],
)
def test_what_knows_no_such_weights_says_so(ask, message):
    with pytest.raises(ValueError, match=message):
        ask()


def test_a_missing_law_is_an_attribute_error_and_a_missing_option_a_type_error():
    with pytest.raises(AttributeError, match="folds, importance weights"):
        of_labels("accuracy")(**IMPORTANCE).cdf(0.5)
    with pytest.raises(TypeError, match="importance weights are not supported"):
        sk.bootstrap_agreement(np.column_stack([LABELS, OTHERS]), **IMPORTANCE)


def test_a_difference_of_lift_has_an_interval_whatever_the_weights():
    """Its law has shares of cases, of which no exact moments are asked."""
    rng = np.random.default_rng(3)
    y, a, b = rng.integers(0, 2, (3, 19))
    for weights in (np.where(np.arange(19) % 7 == 0, 50.0, 1.0), rng.random(19)):
        result = sk.bootstrap_metric_difference(y, a, b, "lift", sample_weight=weights, weight_type="importance")
        low, high = result.confidence_interval()
        assert low < result.estimate < high


# --- along curves

AT = np.array([0.15, 0.25, 0.43])


def curve(y, score, w):
    """scikit-learn's, every vertex of it."""
    return skm.roc_curve(y, score, sample_weight=w, drop_intermediate=False)[:2]


def tpr_at(y, score, w):
    return np.interp(AT, *curve(y, score, w))


def specificity_at(y, score, w):
    """At the first threshold, going down, that reaches the sensitivity."""
    fpr, tpr = curve(y, score, w)
    return 1 - fpr[np.searchsorted(tpr, 1 - AT - 1e-12)]


def tpr_at_budget(y, score, w):
    """Ties in random order: the true-positive rate is a straight line between the shares at the scores."""
    order = np.argsort(-score, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(score[order])), len(order) - 1)
    labelled, hits = np.cumsum(w[order])[ends], np.cumsum((w * y)[order])[ends]
    return np.interp(AT, np.append(0, labelled / labelled[-1]), np.append(0, hits / hits[-1]))


HELD = {  # what is told of one model, what is held, and who is asked of one and of two models
    "fpr": (tpr_at, {"fpr": AT}, sk.bootstrap_roc_at_fpr, sk.bootstrap_roc_difference_at_fpr),
    "tpr": (specificity_at, {"sensitivity": 1 - AT}, sk.bootstrap_roc_at_tpr, sk.bootstrap_roc_difference_at_tpr),
    "budget": (tpr_at_budget, {"positive_rate": AT}, sk.bootstrap_roc_at_positive_rate),
}


@pytest.mark.parametrize("name", HELD)
def test_rates_are_those_of_weighted_curves_and_errors_those_of_resamples(name):
    value, held, *functions = HELD[name]

    def told(rows):
        """Of the first model, and of the difference of both."""
        a, b = (value(Y[rows], score[rows], W[rows]) for score in (S, OTHER))
        return a, a - b

    rng, classes = np.random.default_rng(0), [np.flatnonzero(Y == 1), np.flatnonzero(Y == 0)]
    classes = [np.arange(N)] if name == "budget" else classes  # which says how many are labelled by what all weigh
    drawn = [told(np.concatenate([rng.choice(own, len(own)) for own in classes])) for _ in range(200)]
    for ask, columns, expected, errors in zip(
        functions, ((S,), (S, OTHER)), told(slice(None)), np.std(drawn, axis=0), strict=False
    ):
        found = ask(Y, *columns, **held, **IMPORTANCE)
        assert_allclose(found.estimate, expected, rtol=1e-12, atol=1e-12)
        assert_allclose(found.standard_error, errors, rtol=0.2)
        assert found.effective_cases == pytest.approx(W.sum() ** 2 / (W @ W))
        low, high = found.confidence_interval()
        assert np.all((low < found.estimate) & (found.estimate < high) & (found.confidence_interval(0.8).low > low))


def test_other_rates_at_the_same_threshold():
    found = sk.bootstrap_roc_at_tpr(Y, S, sensitivity=0.8, **IMPORTANCE)
    labels = found.threshold <= S
    sample = W[Y == 1].sum() / W.sum()
    assert_allclose(found.fpr.estimate, W[(Y == 0) & labels].sum() / W[Y == 0].sum(), rtol=1e-12)
    assert_allclose(found.precision.estimate, 1 / (1 + (1 - sample) / sample / 0.8 * found.fpr.estimate), rtol=1e-12)
    assert found.fpr.effective_cases == found.precision.effective_cases == found.effective_cases
    budget = sk.bootstrap_roc_at_positive_rate(Y, S, positive_rate=0.3, **IMPORTANCE)
    assert_allclose(budget.precision.estimate, budget.estimate * sample / 0.3, rtol=1e-12)
    assert budget.positive_rate == pytest.approx(0.3, rel=1e-15)


def test_who_else_asks_for_them():
    name, asked = "sensitivity_at_specificity", {"specificity": 0.8, **IMPORTANCE}
    expected = sk.bootstrap_roc_at_fpr(Y, P, **asked).confidence_interval()
    compared = sk.compare_models(Y, {"a": P, "b": P_OTHER}, name, **asked)
    assert compared.results[0].confidence_interval() == expected
    apart = sk.bootstrap_roc_difference_at_fpr(Y, P, P_OTHER, **asked)
    assert compared.differences.pvalue()[0] == pytest.approx(apart.pvalue())
    by = np.arange(N) % 2
    part = sk.compare_groups(Y, P, by, name, **asked).results[1]
    alone = sk.bootstrap_roc_at_fpr(Y[by == 1], P[by == 1], **asked | {"sample_weight": W[by == 1]})
    assert_allclose(part.confidence_interval(), alone.confidence_interval(), rtol=1e-9)
    row = sk.report(Y, P, metrics=f"{name}:0.8", **IMPORTANCE).to_frame().iloc[0]
    assert_allclose(row[["low", "high"]].tolist(), expected, rtol=1e-12)
    scorer = sk.make_bound_scorer(name, specificity=0.8, weight_type="importance")
    model = LogisticRegression().fit(S[:, None], Y)
    again = sk.bootstrap_roc_at_fpr(Y, model.decision_function(S[:, None]), **asked)
    assert scorer(model, S[:, None], Y, sample_weight=W) == pytest.approx(again.confidence_interval().low)


def test_curves_that_are_drawn_are_scikit_learns():
    def drawn(display, *columns, **options):
        return display.from_predictions(Y, *columns, ax=unplaced(), **options, **IMPORTANCE)

    roc = drawn(sk.ROCConfidenceDisplay, S, drop_intermediate=False)
    assert_allclose((roc.fpr, roc.tpr), curve(Y, S, W), atol=1e-12)
    assert roc.roc_auc == pytest.approx(skm.roc_auc_score(Y, S, sample_weight=W), rel=1e-12)
    limits = sk.bootstrap_roc_at_fpr(Y, S, fpr=roc.band_fpr, **IMPORTANCE).confidence_interval()
    assert_allclose((roc.low, roc.high), limits, rtol=1e-9)
    area = drawn(sk.PrecisionRecallConfidenceDisplay, S)
    precision, recall, _ = skm.precision_recall_curve(Y, S, sample_weight=W)
    assert_allclose((area.precision, area.recall), (precision, recall), atol=1e-12)
    assert area.average_precision == pytest.approx(skm.average_precision_score(Y, S, sample_weight=W), rel=1e-12)
    metrics = drawn(sk.MetricThresholdDisplay, S, thresholds=[0.35, 0.95], metrics="f1")
    assert_allclose(metrics.values[0], [skm.f1_score(Y, cut <= S, sample_weight=W) for cut in (0.35, 0.95)], rtol=1e-12)
    (worth,) = drawn(sk.DecisionCurveDisplay, P, thresholds=[0.4]).net_benefit
    (_, alarms), (_, hits) = skm.confusion_matrix(Y, P >= 0.4, sample_weight=W, normalize="all")
    assert worth == pytest.approx(hits - alarms * 0.4 / 0.6, rel=1e-12)
    chance = drawn(sk.CalibrationConfidenceDisplay, P, band=None)
    risks, place = np.unique(P, return_inverse=True)
    mass = np.bincount(place, W)
    pooled = isotonic_regression(np.bincount(place, W * Y) / mass, sample_weight=mass)
    assert_allclose(np.interp(risks, chance.proba, chance.estimate), pooled, atol=1e-12)


@pytest.fixture(scope="module")
def fitted():
    X = np.column_stack([S, OTHER])
    fits = cross_validate(LogisticRegression(), X, Y, cv=3, return_estimator=True, return_indices=True)
    return X, fits, LogisticRegression().fit(X, Y)


@pytest.mark.parametrize(
    ("display", "options"),
    [
        (sk.ROCConfidenceDisplay, {"averaging": "positive_rate"}),
        (sk.ROCConfidenceDisplay, {"operating_point": {"tpr": 0.8}}),
        (sk.PrecisionRecallConfidenceDisplay, {}),
        (sk.CostCurveDisplay, {"thresholds": "probability"}),
        (sk.CalibrationConfidenceDisplay, {"band": None}),
    ],
)
def test_pictures_of_folds_and_of_estimators(fitted, display, options):
    X, fits, model = fitted
    drawn, plain = (display.from_cv_results(fits, X, Y, ax=unplaced(), **options, **each) for each in (IMPORTANCE, {}))
    assert drawn.caption.startswith(plain.caption[:30])
    given = [IMPORTANCE | {"sample_weight": weights} for weights in (3.7 * W, W, np.full(N, 0.7))]
    of_model = partial(display.from_estimator, model, X, Y, **options)
    scaled, found, equal, plain = (of_model(ax=unplaced(), **weights).low for weights in (*given, {}))
    if plain is not None:
        assert_allclose(scaled, found, atol=1e-9)
        assert_allclose(equal, plain, atol=1e-12)


@pytest.mark.parametrize(
    ("display", "columns", "options", "message"),
    [
        (sk.ROCConfidenceDisplay, (P,), {"band": "simultaneous"}, "with importance weights pass band='pointwise'"),
        (sk.CostCurveDisplay, (P,), {}, "pass thresholds that were chosen beforehand"),
        (sk.CalibrationConfidenceDisplay, (P,), {}, "pass band=None"),
        (sk.PairedCostDifferenceDisplay, (P, P_OTHER), {"thresholds": "probability"}, "use bootstrap_cost_difference"),
    ],
)
def test_pictures_that_cannot_be_had_say_what_can(display, columns, options, message):
    with pytest.raises(ValueError, match=message):
        display.from_predictions(Y, *columns, **options, **IMPORTANCE)
