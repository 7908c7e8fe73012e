"""Means over folds: from the folds' own results, what they are about, and that their limits hold."""

from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit
from scipy.stats import beta, binom
from sklearn import metrics
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import RepeatedStratifiedKFold, cross_validate

import skcostci as sk

OPTIONS = {"return_estimator": True, "return_indices": True}


@pytest.fixture(scope="module")
def cross_validated():
    X, y = load_breast_cancer(return_X_y=True)
    return cross_validate(LogisticRegression(), X[:, 4:6], y, scoring="roc_auc", **OPTIONS), X[:, 4:6], y


@pytest.fixture(scope="module")
def out_of_fold(cross_validated):
    """Labels, two models' scores by the model that has not seen the case, and the folds by name."""
    found, X, y = cross_validated
    scores, folds = np.zeros(len(y)), np.empty(len(y), dtype=object)
    for number, (model, test) in enumerate(zip(found["estimator"], found["indices"]["test"], strict=True)):
        scores[test], folds[test] = model.predict_proba(X[test])[:, 1], f"fold {number}"
    return y, scores, np.round(scores + 0.2 * np.sin(np.arange(len(y))), 2), folds


def each_fold(folds, *columns):
    """The columns' parts, fold by fold."""
    return [[column[folds == name] for column in columns] for name in dict.fromkeys(folds.tolist())]


FIXED, ACCURACY = {"thresholds": 0.5}, {"metric": "accuracy", "thresholds": 0.5}


@pytest.mark.parametrize(
    ("ask", "options"),
    [
        (sk.bootstrap_auc, {}),
        (sk.bootstrap_auc_difference, {}),
        (sk.bootstrap_cost, {"probability_cost": [0.2, 0.5], "thresholds": [0.7, 0.5]}),
        (sk.bootstrap_metric, ACCURACY),
        (sk.bootstrap_metric, ACCURACY | {"sampling": "stratified"}),
    ],
)
def test_means_and_variances_are_those_of_the_folds(out_of_fold, ask, options):
    y, *scores, folds = out_of_fold
    scores = scores if ask is sk.bootstrap_auc_difference else scores[:1]
    mean = ask(y, *scores, folds=folds, **options)
    each = [ask(*part, **options) for part in each_fold(folds, y, *scores)]
    assert_allclose(mean.fold_estimates, [result.estimate for result in each], rtol=1e-14)
    assert_allclose(mean.estimate, np.mean(mean.fold_estimates, axis=0), rtol=1e-13)
    assert_allclose(mean.mean, mean.estimate, rtol=1e-13)
    variance = np.sum([np.square(result.standard_error) for result in each], axis=0) / 25
    assert_allclose(np.square(mean.standard_error), variance, rtol=1e-12)
    inner, outer = (mean.confidence_interval(level) for level in (0.5, 0.95))
    assert np.all(outer.low < inner.low)
    assert np.all((inner.low < mean.estimate) & (mean.estimate < inner.high) & (inner.high < outer.high))
    if ask is sk.bootstrap_auc_difference:
        assert_allclose(mean.covariance, sum(result.covariance for result in each) / 25, rtol=1e-12)
        assert 0 < mean.correlation < 1


def test_the_mean_is_what_cross_validation_reports(cross_validated, out_of_fold):
    (found, *_), (y, scores, _, folds) = cross_validated, out_of_fold
    result = sk.bootstrap_auc(y, scores, folds=folds)
    assert_allclose(result.fold_estimates, found["test_score"], rtol=1e-12)
    assert abs(roc_auc_score(y, scores) - result.estimate) > 1e-4


def test_frames_of_folds_name_the_thresholds_that_there_are(out_of_fold):
    y, a, _, folds = out_of_fold
    frame = sk.bootstrap_metric(y, a, "accuracy", thresholds=[0.3, 0.5], folds=folds).to_frame()
    assert frame["threshold"].tolist() == [0.3, 0.5]
    labels = sk.bootstrap_metric(y, a >= 0.5, "accuracy", folds=folds).to_frame()
    assert "threshold" not in labels.columns


def test_folds_alike_have_limits_like_one_sample_of_all():
    """Where every fold shows the same, the limits are those of as many cases in one."""
    y, hit = np.tile([1, 1, 1, 1, 0, 0, 0, 0], 5), np.tile([1, 1, 1, 0, 0, 0, 0, 1], 5)
    cost, accuracy = {"probability_cost": 0.3, "thresholds": 0.5}, {"metric": "accuracy"}
    for ask, options in ((sk.bootstrap_cost, cost), (sk.bootstrap_metric, accuracy)):
        mean, pooled = ask(y, hit, folds=np.arange(40) // 8, **options), ask(y, hit, **options)
        assert_allclose(mean.standard_error, pooled.standard_error, rtol=1e-12)
        for level in (0.5, 0.95, 1 - 1e-9) if ask is sk.bootstrap_cost else ():
            assert_allclose(mean.confidence_interval(level), pooled.confidence_interval(level), rtol=1e-12)


def test_folds_without_an_error_are_not_certain():
    y, folds = np.tile([0, 0, 0, 1, 1, 1], 5), {"folds": np.arange(30) // 6}
    auc = sk.bootstrap_auc(y, y, **folds)
    low, high = auc.confidence_interval()
    assert (auc.estimate, auc.standard_error, high) == (1, 0, 1)
    assert_allclose(low, sk.bootstrap_auc(y, y).confidence_interval().low, atol=1e-9)
    low, high = sk.bootstrap_auc_difference(y, y, 2 * y, **folds).confidence_interval()
    assert low < -0.1 < 0.1 < high
    low, high = sk.bootstrap_cost(y, y, probability_cost=0.5, thresholds=0.5, **folds).confidence_interval()
    assert low == 0 < 0.1 < high
    low, high = sk.bootstrap_metric(y, y, "accuracy", **folds).confidence_interval()
    assert low < 0.95 < high == 1


HALVES, TWENTY, SCORES = np.repeat([0, 1], 10), np.tile([0, 1], 10), np.arange(20.0)
AT_FPR = partial(sk.bootstrap_roc_at_fpr, fpr=0.2)


@pytest.mark.parametrize(
    ("ask", "scores", "options", "message"),
    [
        (sk.bootstrap_auc, None, {"folds": 0 * HALVES}, "folds must contain from 2 to 1,000 folds, .* got 1 folds of"),
        (sk.bootstrap_auc, None, {"folds": SCORES}, "folds must contain from 2 to 1,000 folds, .*two cases on average"),
        (sk.bootstrap_auc, None, {"folds": TWENTY}, "every fold must contain both classes; fold 0 has one"),
        (sk.bootstrap_auc, None, {"folds": HALVES[1:]}, "must have the same length"),
        (sk.bootstrap_auc, None, {"groups": ["a", "b"] * 10}, "group 'a' is in several folds"),
        (sk.bootstrap_auc, None, {"sampling": "full"}, "left at 'stratified' with folds, got 'full'"),
        (sk.bootstrap_cost, None, {}, "folds need thresholds chosen beforehand"),
        (sk.bootstrap_metric, None, {"metric": "f1", "thresholds": "best"}, "chosen beforehand"),
        (sk.bootstrap_metric, None, {"metric": "recall", "thresholds": "youden"}, "chosen beforehand"),
        (sk.bootstrap_metric, HALVES, {"metric": "precision"}, r"in fold number 1, .* \(no predicted positives\)"),
        (sk.bootstrap_metric, TWENTY, {"metric": "lr_positive"}, "in fold number 1, .* it is infinite"),
        (sk.bootstrap_metric, TWENTY, {"metric": "f1", "groups": SCORES // 3}, "each group must be in one"),
        (sk.bootstrap_metric, TWENTY, {"metric": "f1", "groups": HALVES}, "at least two groups"),
        (sk.bootstrap_cost, None, FIXED | {"groups": HALVES}, "every fold must contain at least two"),
        (lambda *data, **more: AT_FPR(*data, **more).threshold_interval(), None, {}, "leave out groups, folds"),
    ],
)
def test_errors_say_what_came_and_what_may_come(ask, scores, options, message):
    with pytest.raises(ValueError, match=message):
        ask(TWENTY, SCORES if scores is None else scores, **{"folds": HALVES} | options)


def test_roc_curves_have_their_mean_drawn_beside_them(cross_validated, out_of_fold):
    y, score, _, folds = out_of_fold
    display = sk.ROCConfidenceDisplay.from_cv_results(*cross_validated, together="mean", at=[0.1, 0.4])
    each = [sk.bootstrap_roc_at_fpr(t, s, fpr=[0.1, 0.4]) for t, s in each_fold(folds, y, score)]
    mean = display.pooled
    assert_allclose(mean.band_tpr, np.mean([result.estimate for result in each], axis=0), rtol=1e-13)
    limits = [result.confidence_interval() for result in each]
    below = np.sqrt(np.sum([np.square(r.estimate - lim.low) for r, lim in zip(each, limits, strict=True)], axis=0)) / 5
    assert_allclose(mean.low, mean.band_tpr - below, rtol=1e-9)
    auc = sk.bootstrap_auc(y, score, folds=folds)
    assert_allclose([mean.roc_auc, *mean.roc_auc_interval], [auc.estimate, *auc.confidence_interval()], rtol=1e-12)
    assert mean.line_.get_label().startswith("Mean of the folds (AUC = ")


def test_cost_curves_have_their_mean_drawn_beside_them(cross_validated, out_of_fold):
    y, score, _, folds = out_of_fold
    display = sk.CostCurveDisplay.from_cv_results(*cross_validated, together="mean", thresholds="probability")
    expected = sk.bootstrap_cost(y, score, thresholds="probability", folds=folds)
    low, high = expected.confidence_interval()
    assert_allclose(display.pooled.cost, expected.estimate, rtol=1e-12)
    assert_allclose([display.pooled.low, display.pooled.high], [low, high], rtol=1e-9)
    assert_allclose(np.mean(display.cost, axis=0), display.pooled.cost, rtol=1e-12)


@pytest.mark.parametrize(
    ("display", "options", "message"),
    [
        (sk.CostCurveDisplay, {}, "folds need thresholds chosen beforehand"),
        (sk.CostCurveDisplay, FIXED | {"band": "simultaneous"}, "band must be 'pointwise' with together='mean'"),
        (sk.ROCConfidenceDisplay, {"averaging": "threshold"}, "together='mean' needs averaging='fpr'"),
        (sk.ROCConfidenceDisplay, {"band": "both"}, "together='mean' needs averaging='fpr' and band='pointwise'"),
        (sk.DecisionCurveDisplay, {}, "together='mean' is for ROC and cost curves"),
    ],
)
def test_a_mean_that_has_no_band_is_refused(cross_validated, display, options, message):
    with pytest.raises(ValueError, match=message):
        display.from_cv_results(*cross_validated, together="mean", **options)


def test_repeats_do_not_make_a_mean_more_certain(cross_validated):
    _, X, y = cross_validated
    splits = RepeatedStratifiedKFold(n_splits=3, n_repeats=2)
    twice = cross_validate(LogisticRegression(), X, y, cv=splits, **OPTIONS)
    with pytest.raises(ValueError, match="got 1138"):
        sk.ROCConfidenceDisplay.from_cv_results(twice, X, y, together="mean")


def test_folds_may_be_as_small_as_a_case_of_each_class():
    y, scores = np.tile([0, 1], 4), np.array([0.1, 0.7, 0.6, 0.2, 0.5, 0.5, 0.3, 0.8])
    result = sk.bootstrap_auc(y, scores, folds=np.repeat(list("abcd"), 2))
    np.testing.assert_array_equal(result.fold_estimates, [1, 0, 0.5, 1])
    with pytest.raises(ValueError, match="got 5 folds of 9"):
        sk.bootstrap_auc(np.append(y, 0), np.append(scores, 0.4), folds=[*np.repeat(list("abcd"), 2), "e"])


def nested_groups():
    """Twenty groups of four cases in four folds of unequal size."""
    rng = np.random.default_rng(3)
    groups = np.repeat(np.arange(20), 4)
    y_true = np.tile([0, 1], 40)
    return y_true, y_true + rng.normal(size=80) + rng.normal(size=20)[groups], groups, groups * groups % 20 % 7 % 4


def test_folds_need_no_more_than_the_metric_does():
    data, folds = ([1, 1, 1, 0, 1, 0, 0, 0, 1], [1, 0, 1, 0, 1, 0, 1, 0, 1]), {"folds": np.repeat([0, 1, 2], 3)}
    assert sk.bootstrap_metric(*data, "accuracy", **folds).estimate == pytest.approx((2 / 3 + 1 + 2 / 3) / 3)
    with pytest.raises(ValueError, match=r"specificity must have a value in every fold .* number 1, .*no negatives"):
        sk.bootstrap_metric(*data, "specificity", sampling="stratified", **folds)


def found_in_folds(found, negatives=8):
    """Labels and predictions of ten folds, where so many of the positives of each are found, out of how many."""
    y = np.array([[1] * len(each) + [0] * negatives for each in found])
    guess = np.array([[*each, *[0] * negatives] for each in found])
    return y.ravel(), guess.ravel(), np.repeat(np.arange(len(found)), y.shape[1])


@pytest.mark.parametrize("asked", ["recall", metrics.recall_score])
def test_recall_in_folds_of_one_size_is_that_of_the_positives(asked):
    """Both positives missed in two of ten folds: Clopper and Pearson's limits of 16 of 20, whatever the negatives."""
    for negatives in (1, 48) if asked == "recall" else (1,):
        y, guess, folds = found_in_folds([[0, 0]] * 2 + [[1, 1]] * 8, negatives)
        recall = sk.bootstrap_metric(y, guess, asked, folds=folds)
        assert_allclose(recall.confidence_interval(), [beta.ppf(0.025, 16, 5), beta.ppf(0.975, 17, 4)], rtol=1e-6)
        assert recall.standard_error == pytest.approx(np.sqrt(0.8 * 0.2 / 20), rel=1e-6)
    positives = sk.bootstrap_mean(guess[y == 1], folds=folds[y == 1])
    assert_allclose(recall.confidence_interval(), positives.confidence_interval(), rtol=1e-6)


@pytest.mark.parametrize("size", [1, 2])
def test_recall_in_folds_of_few_positives_covers(size):
    """The exact sum over how many are found: a limit depends on their number alone."""

    def limits(positives):
        y, guess, folds = found_in_folds(positives.astype(int).reshape(10, size), 3)
        return sk.bootstrap_metric(y, guess, "recall", folds=folds).confidence_interval()

    case, found = np.arange(10 * size), np.arange(10 * size + 1)
    low, high = np.transpose([limits(case < k) for k in found])  # whole folds are found, and whole folds missed
    assert_allclose(limits(case % 10 < 4), (low[4 * size], high[4 * size]), rtol=1e-9)
    for truth in (0.6, 0.8, 0.9, 0.95):
        assert binom.pmf(found, 10 * size, truth)[(low <= truth) & (truth <= high)].sum() >= 0.96


@pytest.mark.parametrize(
    "call",
    [
        lambda y, a, b, **rows: sk.bootstrap_metric(y, a, "recall", **rows),
        lambda y, a, b, **rows: sk.bootstrap_roc_at_threshold(y, a, thresholds=0.5, **rows).tpr,
        lambda y, a, b, **rows: sk.bootstrap_cost(y, a, probability_cost=0.3, thresholds=0.5, **rows),
        lambda y, a, b, **rows: sk.bootstrap_mean_difference(a, b, least=0, most=1, **rows),
        lambda y, a, b, **rows: sk.bootstrap_metric(np.c_[y, 1 - y], np.c_[a, b], "f1", average="samples", **rows),
    ],
    ids=["recall", "rate", "cost", "difference of means", "label table"],
)
def test_groups_in_folds_of_one_size_are_one_sample_of_groups(call):
    """Whatever the folds differ by: one fails."""
    y, row = np.tile([1, 1, 0, 0], 20), np.arange(80)
    a, b = np.where(row < 16, 1 - y, y), np.where(row % 5 == 0, 1 - y, y)
    inside, whole = call(y, a, b, groups=row // 4, folds=row // 16), call(y, a, b, groups=row // 4)
    assert_allclose(inside.confidence_interval(), whole.confidence_interval(), rtol=2e-3, atol=1e-3)


@pytest.mark.parametrize("ask", [sk.bootstrap_auc, sk.bootstrap_auc_difference])
def test_groups_in_folds_give_the_mean_of_independent_folds(ask):
    y, s, groups, folds = nested_groups()
    columns = (y, s, np.random.default_rng(4).normal(size=80) + y)[: 2 + (ask is sk.bootstrap_auc_difference)]
    found = ask(*columns, groups=groups, folds=folds)
    each = [ask(*part, groups=group) for *part, group in each_fold(folds, *columns, groups)]
    assert_allclose(found.fold_estimates, [one.estimate for one in each], rtol=1e-14)
    assert_allclose([found.estimate, found.mean], np.mean([[x.estimate, x.mean] for x in each], axis=0), rtol=1e-14)
    of_folds = np.sqrt(np.sum([one.standard_error**2 for one in each])) / len(each)
    assert of_folds <= found.standard_error <= 1.3 * of_folds  # made unbiased within folds
    low, high = found.confidence_interval()
    assert (0 if ask is sk.bootstrap_auc else -1) < low < found.estimate < high < 1


@pytest.mark.parametrize("scheme", [(), ("groups",), ("folds",), ("groups", "folds")])
def test_results_answer_the_same_whatever_the_scheme(scheme):
    y, s, groups, folds = nested_groups()
    options = {name: {"groups": groups, "folds": folds}[name] for name in scheme}
    areas = sk.bootstrap_auc(y, s, **options), sk.bootstrap_auc_difference(y, s, s[::-1], **options)
    others = (
        sk.bootstrap_cost(y, s, thresholds=0.5, **options),
        sk.bootstrap_metric(y, s, "accuracy", thresholds=0.5, **options),
        sk.bootstrap_metric(y, s > 0.5, "f1", **options),
        sk.bootstrap_mean(s, **options),
        sk.bootstrap_mean_difference(s, s[::-1], **options),
        sk.bootstrap_loss(y, s > 0.5, "zero_one", **options),
    )
    for result in (*areas, *others):
        assert result.scheme == scheme
        assert result.n_groups == (20 if "groups" in scheme else None)
        assert (result.fold_estimates is not None) == ("folds" in scheme)
        if "folds" in scheme:
            assert_allclose(np.mean(result.fold_estimates, axis=0), result.estimate)
    for result in areas:
        assert result.is_exact == ("groups" not in scheme)
        assert 0 <= result.undefined < 1e-6


def test_rates_and_averages_name_their_scheme_and_resamples_without_a_value_their_share():
    y, s, groups, _ = nested_groups()
    rates = sk.bootstrap_roc_at_threshold(y, s, thresholds=0.5, groups=groups)
    assert (rates.scheme, rates.n_groups) == (rates.fpr.scheme, rates.fpr.n_groups) == (("groups",), 20)
    assert sk.bootstrap_metric(y, y, "f1", average="macro", groups=groups).scheme == ("groups", "multi_class")
    assert_allclose(sk.bootstrap_auc([0, 0, 1], [1, 2, 3], sampling="full").undefined, 9 / 27)


def cases_in_folds(n=240):
    """Two models' scores of cases in four folds, with weights, and in groups of three within the folds."""
    rng = np.random.default_rng(5)
    y = (rng.random(n) < 0.4).astype(int)
    a = y + rng.normal(size=n)
    b, folds = a + 0.8 * rng.normal(size=n), np.arange(n) % 4
    return y, a, b, folds, {"sample_weight": rng.integers(0, 4, n), "groups": 100 * folds + np.arange(n) // 12}


@pytest.mark.parametrize(
    ("name", "function", "given"),
    [
        ("f1", metrics.f1_score, ()),
        ("precision", metrics.precision_score, ()),
        ("npv", partial(metrics.precision_score, pos_label=0), ("sample_weight",)),
        ("jaccard", metrics.jaccard_score, ("groups",)),
        (sk.Metric.fbeta(2), partial(metrics.fbeta_score, beta=2), ("groups", "sample_weight")),
    ],
)
def test_ratios_by_name_are_as_by_function(name, function, given):
    y, a, b, folds, more = cases_in_folds(48)
    options = {"folds": folds, **{each: more[each] for each in given}}
    labels = [(each > 0.5).astype(int) for each in (a, b)]
    asked = [lambda metric: sk.bootstrap_metric(y, labels[0], metric, **options)]
    if name == "f1":  # the difference of recalls is judged at the class sizes seen
        asked.append(lambda metric: sk.bootstrap_metric_difference(y, *labels, metric, **options))
    for ask in asked:
        by_name, by_function = ask(name), ask(function)
        assert_allclose(by_name.fold_estimates, by_function.fold_estimates, rtol=1e-12)
        assert_allclose(by_name.standard_error, by_function.standard_error, rtol=1e-6)
        assert_allclose(by_name.confidence_interval(), by_function.confidence_interval(), rtol=1e-6, atol=1e-7)
        assert by_name.estimate == pytest.approx(by_function.estimate, rel=1e-12)
        assert by_name.scheme == by_function.scheme


def resampled_in_folds(y, guess, folds, metric, *, stratified, prevalence=None, groups=None):
    """The standard deviation over 2000 resamples of the mean of what each fold gives."""
    rng, values, cell = np.random.default_rng(0), [], 2 * (1 - y) + (1 - guess)
    for fold in range(4):
        rows = np.flatnonzero(folds == fold)
        unit = groups[rows] if groups is not None else rows
        strata = [rows[y[rows] == label] for label in (0, 1)] if stratified else [rows]
        cells = 0
        for part in strata:
            units, own = np.unique(unit[np.isin(rows, part)], return_inverse=True)
            held = np.array([np.bincount(own, cell[part] == each, len(units)) for each in range(4)])
            cells = cells + rng.multinomial(len(units), np.full(len(units), 1 / len(units)), 2000) @ held.T
        values.append(metric.at(*cells.T, prevalence))
    return np.std(np.mean(values, axis=0))


@pytest.mark.parametrize(
    ("name", "options"),
    [
        *((name, {}) for name in ("f1", "kappa", "mcc", "youden", "lift", "npv")),
        *((name, {"sampling": "full"}) for name in ("mcc", "balanced_accuracy")),
        *((name, {"sampling": "stratified"}) for name in ("precision", "f1")),
        ("kappa", {"prevalence": 0.1}),
    ],
)
def test_metrics_by_name_have_means_over_folds(name, options):
    y, a, _, folds, more = cases_in_folds()
    guess, judged = (a > 0.5).astype(int), options.get("prevalence")
    result = sk.bootstrap_metric(y, guess, name, folds=folds, **options)
    metric = result.estimand.metric
    by_class = options.get("sampling", "full" if metric.of == "counts" and not options else "stratified") != "full"
    each = [sk.bootstrap_metric(*part, name, **options).estimate for part in each_fold(folds, y, guess)]
    assert_allclose(result.fold_estimates, each, rtol=1e-12)
    assert_allclose(result.estimate, np.mean(each), rtol=1e-12)
    found = resampled_in_folds(y, guess, folds, metric, stratified=by_class, prevalence=judged)
    assert result.standard_error == pytest.approx(found, rel=0.12)
    low, high = result.confidence_interval()
    assert low < result.estimate < high
    if "sampling" not in options:
        grouped = sk.bootstrap_metric(y, guess, name, folds=folds, groups=more["groups"], **options)
        found = resampled_in_folds(y, guess, folds, metric, stratified=False, prevalence=judged, groups=more["groups"])
        assert grouped.standard_error == pytest.approx(found, rel=0.15)
        assert grouped.scheme == ("groups", "folds")


@pytest.mark.parametrize(("name", "grouped"), [("f1", False), ("kappa", True), ("precision", False)])
def test_thresholds_of_folds_are_asked_one_by_one(name, grouped):
    y, a, b, folds, more = cases_in_folds(60)
    options = {"folds": folds} | ({"groups": more["groups"]} if grouped else {})
    cuts, other = [0.6, 0.2], [0.5, 0.3]
    together = sk.bootstrap_metric(y, a, name, thresholds=cuts, **options)
    pair = sk.bootstrap_metric_difference(y, a, b, name, thresholds=(cuts, other), **options)
    for place, (cut, cut_b) in enumerate(zip(cuts, other, strict=True)):
        labels = (a >= cut).astype(int), (b >= cut_b).astype(int)
        labelled = sk.bootstrap_metric(y, labels[0], name, **options)
        assert_allclose(together.estimate[place], labelled.estimate, rtol=1e-12)
        for several, one in ((together, labelled), (pair, sk.bootstrap_metric_difference(y, *labels, name, **options))):
            assert_allclose(several.standard_error[place], one.standard_error, rtol=1e-9)
            assert_allclose(np.array(several.confidence_interval())[:, place], one.confidence_interval(), rtol=1e-9)


def test_a_score_that_cannot_be_is_not_feared_in_folds():
    """No risk is below 0, and no score reaches infinity: nobody can be missed at the one, or found at the other."""
    y, a, _, folds, _ = cases_in_folds()
    everybody = sk.bootstrap_metric(y, expit(a), "standardized_net_benefit", thresholds=0.0, folds=folds)
    assert (everybody.estimate, everybody.standard_error, *everybody.confidence_interval()) == (1, 0, 1, 1)
    for name, expected in (("recall", 1), ("balanced_accuracy", 0.5), ("specificity", 0)):
        found = sk.bootstrap_metric(y, a, name, thresholds=[-np.inf, 0.5], folds=folds, sampling="full")
        low, high = found.confidence_interval()
        assert low[0] == high[0] == expected
        assert low[1] < found.estimate[1] < high[1]


@pytest.mark.parametrize("ask", [sk.bootstrap_metric, sk.bootstrap_metric_difference])
def test_classes_drawn_apart_where_a_fold_lacks_one(ask):
    """The mean of the folds' accuracies; each class of each fold is drawn to its size, which variances add up."""
    row = np.arange(40)
    folds, y, right_a, right_b = row // 10, ((row % 3 == 0) & (row < 10)).astype(int), row % 5 > 0, row % 4 > 0
    paired = ask is sk.bootstrap_metric_difference
    guesses = [np.where(right, y, 1 - y) for right in (right_a, right_b)][: 1 + paired]
    result = ask(y, *guesses, "accuracy", folds=folds, sampling="stratified")
    x = right_a - 1.0 * right_b * paired
    cells = [x[(folds == fold) & (y == label)] for fold in range(4) for label in (0, 1)]
    assert_allclose(result.estimate, x.mean(), rtol=1e-12)  # folds are of one size
    variance = sum(len(cell) * cell.var() for cell in cells if len(cell)) / 40**2
    assert_allclose(result.standard_error, np.sqrt(variance), rtol=0.05)  # of first order
    low, high = result.confidence_interval()
    assert low < result.estimate < high


@pytest.mark.parametrize("name", ["accuracy", "hamming_loss", "selection_rate", "net_benefit"])
def test_the_range_of_a_mean_over_unequal_folds_is_the_mean_of_their_ranges(name):
    """One-sided intervals end there, and no null beyond it has a p-value."""
    y, a, b, _, _ = cases_in_folds()
    folds = np.repeat([0, 1, 2], [len(y) - 30, 20, 10])  # in each another share is positive
    scores = (expit(a), expit(b)) if name == "net_benefit" else ((a >= 0.5).astype(int), (b >= 0.3).astype(int))
    at = {"thresholds": 0.4} if name == "net_benefit" else {}
    rates = np.mean([y[folds == fold].mean() for fold in range(3)])  # the class sizes of folds are fixed
    low, high = {"net_benefit": (-(1 - rates) * 0.4 / 0.6, rates)}.get(name, (0, 1))
    one = sk.bootstrap_metric(y, scores[0], name, folds=folds, sampling="stratified", **at)
    two = sk.bootstrap_metric_difference(y, *scores, name, folds=folds, sampling="stratified", **at)
    for result, least, most in ((one, low, high), (two, low - high, high - low)):
        assert result.confidence_interval(alternative="greater")[1] == pytest.approx(most, abs=1e-12)
        assert result.confidence_interval(alternative="less")[0] == pytest.approx(least, abs=1e-12)
        for null in (least - 0.01, most + 0.01):
            with pytest.raises(ValueError, match="null must be"):
                result.pvalue(null=null)


def test_groups_of_one_class_where_the_other_only_was_predicted():
    """Recall at a prevalence needs no negatives: a class without cases is no stratum."""
    units = {"groups": np.arange(40) // 2, "folds": np.arange(40) // 20}
    found = sk.bootstrap_metric([1] * 40, [0, 1] * 20, "recall", prevalence=0.3, **units)
    low, high = found.confidence_interval()
    assert low < 0.5 == found.estimate < high


def test_areas_of_folds_vary_about_their_own():
    """Where no placement differs from its fold's AUC only the additional case counts, whatever the folds' AUCs."""
    labels, folds = np.arange(60) % 2, np.arange(60) // 30
    apart = sk.bootstrap_auc(labels, np.where(folds == 0, labels, -labels), folds=folds)
    alike = sk.bootstrap_auc(labels, np.zeros(60), folds=folds)
    assert_allclose(apart.confidence_interval(), alike.confidence_interval(), rtol=1e-12)


def test_a_function_needs_not_every_class_in_every_fold():
    y, a, _, folds, _ = cases_in_folds()
    y, predicted = np.where(folds == 0, 1, y), (a > 0.5).astype(int)
    of_folds = [metrics.f1_score(y[own], predicted[own]) for own in (folds == fold for fold in range(4))]
    assert sk.bootstrap_metric(y, predicted, metrics.f1_score, folds=folds).estimate == pytest.approx(np.mean(of_folds))
