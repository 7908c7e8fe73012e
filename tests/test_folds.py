"""Means over folds: from the folds' own results, what they are about, and that their limits hold."""

from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit
from scipy.stats import beta, binom, norm
from sklearn import metrics
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import RepeatedStratifiedKFold, StratifiedKFold, cross_val_score, cross_validate

from skcostci import (
    CostCurveDisplay,
    DecisionCurveDisplay,
    Metric,
    ROCConfidenceDisplay,
    bootstrap_auc,
    bootstrap_auc_difference,
    bootstrap_cost,
    bootstrap_loss,
    bootstrap_mean,
    bootstrap_mean_difference,
    bootstrap_metric,
    bootstrap_metric_difference,
    bootstrap_roc_at_fpr,
    bootstrap_roc_at_threshold,
)


@pytest.fixture(scope="module")
def out_of_fold():
    """Labels, two models' scores by the model that has not seen the case, and the folds by name."""
    X, y = load_breast_cancer(return_X_y=True)
    scores, folds = np.zeros((2, len(y))), np.empty(len(y), dtype=object)
    for number, (train, test) in enumerate(StratifiedKFold(5).split(X, y)):
        for model in (0, 1):
            columns = slice(0, 2) if model else slice(4, 6)
            fitted = LogisticRegression().fit(X[train, columns], y[train])
            scores[model, test] = fitted.predict_proba(X[test, columns])[:, 1]
        folds[test] = f"fold {number}"
    return y, *scores, folds


def each_fold(folds, *columns):
    """The columns' parts, fold by fold."""
    return [[column[folds == name] for column in columns] for name in dict.fromkeys(folds.tolist())]


def test_means_and_variances_are_those_of_the_folds(out_of_fold):
    y, a, b, folds = out_of_fold
    parts = each_fold(folds, y, a, b)
    options = {"probability_cost": [0.2, 0.5], "thresholds": [0.7, 0.5]}
    asked = [
        (bootstrap_auc(y, a, folds=folds), [bootstrap_auc(t, s) for t, s, _ in parts]),
        (bootstrap_auc_difference(y, a, b, folds=folds), [bootstrap_auc_difference(*part) for part in parts]),
        (bootstrap_cost(y, a, folds=folds, **options), [bootstrap_cost(t, s, **options) for t, s, _ in parts]),
        (
            bootstrap_metric(y, a, "accuracy", thresholds=0.5, folds=folds),
            [bootstrap_metric(t, s, "accuracy", thresholds=0.5) for t, s, _ in parts],
        ),
        (
            bootstrap_metric(y, a, "accuracy", thresholds=0.5, sampling="stratified", folds=folds),
            [bootstrap_metric(t, s, "accuracy", thresholds=0.5, sampling="stratified") for t, s, _ in parts],
        ),
    ]
    for mean, each in asked:
        assert_allclose(mean.estimate, np.mean([result.estimate for result in each], axis=0), rtol=1e-13)
        assert_allclose(mean.mean, mean.estimate, rtol=1e-13)
        variance = np.sum([np.square(result.standard_error) for result in each], axis=0) / 25
        assert_allclose(np.square(mean.standard_error), variance, rtol=1e-12)
        assert_allclose(mean.fold_estimates, [result.estimate for result in each], rtol=1e-14)
        inner, outer = (mean.confidence_interval(level) for level in (0.5, 0.95))
        assert np.all(outer.low < inner.low)
        assert np.all((inner.low < mean.estimate) & (mean.estimate < inner.high) & (inner.high < outer.high))
    covariances = sum(bootstrap_auc_difference(*part).covariance for part in parts) / 25
    assert_allclose(asked[1][0].covariance, covariances, rtol=1e-12)
    assert 0 < asked[1][0].correlation < 1


def test_the_mean_is_what_cross_validation_reports(out_of_fold):
    X, y = load_breast_cancer(return_X_y=True)
    _, a, _, folds = out_of_fold
    scores = cross_val_score(LogisticRegression(), X[:, 4:6], y, cv=StratifiedKFold(5), scoring="roc_auc")
    result = bootstrap_auc(y, a, folds=folds)
    assert_allclose(result.fold_estimates, scores, rtol=1e-12)
    assert_allclose(result.estimate, scores.mean(), rtol=1e-12)
    assert abs(roc_auc_score(y, a) - scores.mean()) > 1e-4


def test_frames_of_folds_name_the_thresholds_that_there_are(out_of_fold):
    y, a, _, folds = out_of_fold
    frame = bootstrap_metric(y, a, "accuracy", thresholds=[0.3, 0.5], folds=folds).to_frame()
    assert frame["threshold"].tolist() == [0.3, 0.5]
    labels = bootstrap_metric(y, a >= 0.5, "accuracy", folds=folds).to_frame()
    assert "threshold" not in labels.columns


def test_folds_alike_have_limits_like_one_sample_of_all():
    """Where every fold shows the same, the limits are those of as many cases in one."""
    y, hit = np.tile([1, 1, 1, 1, 0, 0, 0, 0], 5), np.tile([1, 1, 1, 0, 0, 0, 0, 1], 5)
    folds = np.repeat(np.arange(5), 8)
    for level in (0.5, 0.95, 1 - 1e-9):
        mean = bootstrap_cost(y, hit, probability_cost=0.3, thresholds=0.5, folds=folds)
        pooled = bootstrap_cost(y, hit, probability_cost=0.3, thresholds=0.5)
        assert_allclose(mean.confidence_interval(level), pooled.confidence_interval(level), rtol=1e-12)
        assert_allclose(mean.standard_error, pooled.standard_error, rtol=1e-12)
        mean, pooled = bootstrap_metric(y, hit, "accuracy", folds=folds), bootstrap_metric(y, hit, "accuracy")
        assert_allclose(mean.standard_error, pooled.standard_error, rtol=1e-12)


def test_folds_without_an_error_are_not_certain():
    y = np.tile([0, 0, 0, 1, 1, 1], 5)
    folds = np.repeat(np.arange(5), 6)
    auc = bootstrap_auc(y, y, folds=folds)
    low, high = auc.confidence_interval()
    assert (auc.estimate, auc.standard_error, high) == (1, 0, 1)
    assert_allclose(low, bootstrap_auc(y, y).confidence_interval().low, atol=1e-9)
    difference = bootstrap_auc_difference(y, y, 2 * y, folds=folds).confidence_interval()
    assert difference.low < -0.1 < 0.1 < difference.high
    cost = bootstrap_cost(y, y, probability_cost=0.5, thresholds=0.5, folds=folds).confidence_interval()
    assert cost.low == 0
    assert cost.high > 0.1
    accuracy = bootstrap_metric(y, y, "accuracy", folds=folds).confidence_interval()
    assert accuracy.low < 0.95
    assert accuracy.high == 1


def test_rows_that_stand_for_many_and_for_none(out_of_fold):
    y, a, _, folds = out_of_fold
    times = np.arange(len(y)) % 4
    weighted = bootstrap_auc(y, a, folds=folds, sample_weight=times)
    repeated = bootstrap_auc(*(np.repeat(column, times) for column in (y, a)), folds=np.repeat(folds, times))
    assert_allclose(weighted.estimate, repeated.estimate, rtol=1e-13)
    assert_allclose(weighted.confidence_interval(), repeated.confidence_interval(), rtol=1e-10)


def mean_auc_of_models(rng, n, n_features, n_folds, auc):
    """A cross-validated linear discriminant: the data, out-of-fold scores and the mean of the models' true AUCs."""
    distance = norm.ppf(auc) * np.sqrt(2)
    y = np.repeat([1, 0], n // 2)
    X = rng.normal(size=(n, n_features))
    X[y == 1, 0] += distance
    scores, truths, folds = np.zeros(n), [], np.zeros(n, dtype=int)
    for fold, (train, test) in enumerate(StratifiedKFold(n_folds).split(X, y)):
        centers = [X[train][y[train] == label].mean(axis=0) for label in (0, 1)]
        inside = np.cov((X[train] - np.take(centers, y[train], axis=0)).T)
        weights = np.linalg.solve(inside, centers[1] - centers[0])
        scores[test], folds[test] = X[test] @ weights, fold
        truths.append(norm.cdf(weights[0] * distance / np.sqrt(2 * weights @ weights)))
    return y, scores, folds, np.mean(truths)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "auc", "n_folds"), [(60, 0.8, 5), pytest.param(60, 0.8, 10, marks=pytest.mark.slow), (60, 0.99, 5)]
)
def test_the_interval_covers_the_mean_of_the_models(n, auc, n_folds):
    rng, covered = np.random.default_rng(0), 0
    for _ in range(300):
        y, scores, folds, truth = mean_auc_of_models(rng, n, 5, n_folds, auc)
        low, high = bootstrap_auc(y, scores, folds=folds).confidence_interval()
        covered += low <= truth <= high
    assert covered >= 0.925 * 300  # two deviations below .95


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda y, s, f: bootstrap_auc(y, s, folds=np.zeros(len(y))),
            "folds must contain from 2 to 1,000 folds, .* got 1 folds of",
        ),
        (
            lambda y, s, f: bootstrap_auc(y, s, folds=np.arange(len(y))),
            "folds must contain from 2 to 1,000 folds, of two cases on average",
        ),
        (lambda y, s, f: bootstrap_auc(y, s, folds=y), "every fold must contain both classes; fold 0 has one"),
        (lambda y, s, f: bootstrap_auc(y, s, folds=f[1:]), "must have the same length"),
        (
            lambda y, s, f: bootstrap_auc(y, s, folds=f, groups=["a", "b"] * (len(y) // 2)),
            "group 'a' is in several folds",
        ),
        (
            lambda y, s, f: bootstrap_auc(y, s, folds=f, sampling="full"),
            "left at 'stratified' with folds, got 'full'",
        ),
        (lambda y, s, f: bootstrap_cost(y, s, folds=f), "folds need thresholds chosen beforehand"),
        (lambda y, s, f: bootstrap_metric(y, s, "f1", thresholds="best", folds=f), "chosen beforehand"),
        (
            lambda y, s, f: bootstrap_metric(y, s > 10, "precision", folds=f),
            r"in fold number 1, .* \(no predicted positives\)",
        ),
        (lambda y, s, f: bootstrap_metric(y, y, "lr_positive", folds=f), r"in fold number 1, .* it is infinite"),
        (lambda y, s, f: bootstrap_metric(y, y, "f1", folds=f, groups=s // 3), "each group must be in one"),
        (lambda y, s, f: bootstrap_metric(y, y, "f1", folds=f, groups=f), "at least two groups"),
        (lambda y, s, f: bootstrap_metric(y, s, "recall", thresholds="youden", folds=f), "chosen beforehand"),
        (
            lambda y, s, f: bootstrap_cost(y, s, thresholds=0.5, folds=f, groups=f),
            "every fold must contain at least two",
        ),
        (
            lambda y, s, f: bootstrap_roc_at_fpr(y, s, fpr=0.2, folds=f).threshold_interval(),
            "leave out groups, folds",
        ),
    ],
)
def test_errors_say_what_came_and_what_may_come(call, message):
    y, s = np.tile([0, 1], 10), np.arange(20.0)
    with pytest.raises(ValueError, match=message):
        call(y, s, np.repeat([0, 1], 10))


@pytest.fixture(scope="module")
def cross_validated():
    X, y = load_breast_cancer(return_X_y=True)
    model = LogisticRegression()
    return cross_validate(model, X[:, 4:6], y, return_estimator=True, return_indices=True), X[:, 4:6], y


def test_roc_curves_have_their_mean_drawn_beside_them(cross_validated, out_of_fold):
    y, score, _, folds = out_of_fold
    display = ROCConfidenceDisplay.from_cv_results(*cross_validated, together="mean", at=[0.1, 0.4])
    each = [bootstrap_roc_at_fpr(t, s, fpr=[0.1, 0.4]) for t, s in each_fold(folds, y, score)]
    mean = display.pooled
    assert_allclose(mean.band_tpr, np.mean([result.estimate for result in each], axis=0), rtol=1e-13)
    limits = [result.confidence_interval() for result in each]
    below = np.sqrt(np.sum([np.square(r.estimate - lim.low) for r, lim in zip(each, limits, strict=True)], axis=0)) / 5
    assert_allclose(mean.low, mean.band_tpr - below, rtol=1e-9)
    auc = bootstrap_auc(y, score, folds=folds)
    assert_allclose([mean.roc_auc, *mean.roc_auc_interval], [auc.estimate, *auc.confidence_interval()], rtol=1e-12)
    assert mean.line_.get_label().startswith("Mean of the folds (AUC = ")


def test_cost_curves_have_their_mean_drawn_beside_them(cross_validated, out_of_fold):
    y, score, _, folds = out_of_fold
    display = CostCurveDisplay.from_cv_results(*cross_validated, together="mean", thresholds="probability")
    expected = bootstrap_cost(y, score, thresholds="probability", folds=folds)
    low, high = expected.confidence_interval()
    assert_allclose(display.pooled.cost, expected.estimate, rtol=1e-12)
    assert_allclose([display.pooled.low, display.pooled.high], [low, high], rtol=1e-9)
    assert_allclose(np.mean(display.cost, axis=0), display.pooled.cost, rtol=1e-12)


@pytest.mark.parametrize(
    ("display", "options", "message"),
    [
        (CostCurveDisplay, {}, "folds need thresholds chosen beforehand"),
        (
            CostCurveDisplay,
            {"thresholds": 0.5, "band": "simultaneous"},
            "band must be 'pointwise' with together='mean'",
        ),
        (ROCConfidenceDisplay, {"averaging": "threshold"}, "together='mean' needs averaging='fpr'"),
        (ROCConfidenceDisplay, {"band": "both"}, "together='mean' needs averaging='fpr' and band='pointwise'"),
        (ROCConfidenceDisplay, {"groups": np.arange(569) // 2}, "groups and together='mean' cannot be combined"),
        (DecisionCurveDisplay, {}, "together='mean' is for ROC and cost curves"),
    ],
)
def test_a_mean_that_has_no_band_is_refused(cross_validated, display, options, message):
    with pytest.raises(ValueError, match=message):
        display.from_cv_results(*cross_validated, together="mean", **options)


def test_repeats_do_not_make_a_mean_more_certain():
    X, y = load_breast_cancer(return_X_y=True)
    splits = RepeatedStratifiedKFold(n_splits=3, n_repeats=2)
    twice = cross_validate(LogisticRegression(), X[:, :2], y, cv=splits, return_estimator=True, return_indices=True)
    with pytest.raises(ValueError, match="got 1138"):
        ROCConfidenceDisplay.from_cv_results(twice, X[:, :2], y, together="mean")


def test_folds_may_be_as_small_as_a_case_of_each_class():
    y, scores = np.tile([0, 1], 4), np.array([0.1, 0.7, 0.6, 0.2, 0.5, 0.5, 0.3, 0.8])
    result = bootstrap_auc(y, scores, folds=np.repeat(list("abcd"), 2))
    np.testing.assert_array_equal(result.fold_estimates, [1, 0, 0.5, 1])
    with pytest.raises(ValueError, match="got 5 folds of 9"):
        bootstrap_auc(np.append(y, 0), np.append(scores, 0.4), folds=[*np.repeat(list("abcd"), 2), "e"])


def nested_groups():
    """Twenty groups of four cases in four folds of unequal size."""
    rng = np.random.default_rng(3)
    groups = np.repeat(np.arange(20), 4)
    y_true = np.tile([0, 1], 40)
    return y_true, y_true + rng.normal(size=80) + rng.normal(size=20)[groups], groups, groups * groups % 20 % 7 % 4


def test_folds_need_no_more_than_the_metric_does():
    y_true, y_pred = [1, 1, 1, 0, 1, 0, 0, 0, 1], [1, 0, 1, 0, 1, 0, 1, 0, 1]
    folds = np.repeat([0, 1, 2], 3)
    assert bootstrap_metric(y_true, y_pred, "accuracy", folds=folds).estimate == pytest.approx((2 / 3 + 1 + 2 / 3) / 3)
    with pytest.raises(
        ValueError, match=r"specificity must have a value in every fold .* number 1, .* \(no negatives\)"
    ):
        bootstrap_metric(y_true, y_pred, "specificity", folds=folds, sampling="stratified")


def test_groups_nested_in_folds_give_the_mean_of_independent_folds():
    y, s, groups, folds = nested_groups()
    found = bootstrap_auc(y, s, groups=groups, folds=folds)
    each = [bootstrap_auc(y[rows], s[rows], groups=groups[rows]) for rows in (folds == f for f in np.unique(folds))]
    assert_allclose(found.estimate, np.mean([one.estimate for one in each]))
    assert_allclose(found.mean, np.mean([one.mean for one in each]))
    of_folds = np.sqrt(np.sum([one.standard_error**2 for one in each])) / len(each)
    assert of_folds <= found.standard_error <= 1.3 * of_folds  # made unbiased within folds
    low, high = found.confidence_interval()
    assert 0 < low < found.estimate < high < 1
    of_cases = bootstrap_auc(y, s, groups=np.arange(80), folds=folds)
    assert of_cases.confidence_interval() == bootstrap_auc(y, s, folds=folds).confidence_interval()


def found_in_folds(found, negatives=8):
    """Labels and predictions of ten folds, where so many of the positives of each are found, out of how many."""
    y = np.array([[1] * len(each) + [0] * negatives for each in found])
    guess = np.array([[*each, *[0] * negatives] for each in found])
    return y.ravel(), guess.ravel(), np.repeat(np.arange(len(found)), y.shape[1])


@pytest.mark.parametrize("asked", ["recall", metrics.recall_score])
def test_recall_in_folds_of_one_size_is_that_of_the_positives(asked):
    """Both positives missed in two of ten folds: Clopper and Pearson's limits of 16 of 20, whatever the negatives."""
    for negatives in (1, 48):
        y, guess, folds = found_in_folds([[0, 0]] * 2 + [[1, 1]] * 8, negatives)
        recall = bootstrap_metric(y, guess, asked, folds=folds)
        assert_allclose(recall.confidence_interval(), [beta.ppf(0.025, 16, 5), beta.ppf(0.975, 17, 4)], rtol=1e-6)
        assert recall.standard_error == pytest.approx(np.sqrt(0.8 * 0.2 / 20), rel=1e-6)
    positives = bootstrap_mean(guess[y == 1], folds=folds[y == 1])
    assert_allclose(recall.confidence_interval(), positives.confidence_interval(), rtol=1e-6)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_recall_in_folds_of_few_positives_covers(size):
    """The exact sum over how many are found: a limit depends on their number alone."""
    found = np.arange(10 * size + 1)
    limits = []
    for k in found:  # whole folds are found, and whole folds missed
        y, guess, folds = found_in_folds((np.arange(10 * size) < k).astype(int).reshape(-1, size), 3)
        limits.append(bootstrap_metric(y, guess, "recall", folds=folds).confidence_interval())
    low, high = np.transpose(limits)
    scattered = (np.arange(10 * size) % 10 < 4).astype(int).reshape(10, size)
    y, guess, folds = found_in_folds(scattered, 3)
    same = bootstrap_metric(y, guess, "recall", folds=folds).confidence_interval()
    assert_allclose(same, (low[4 * size], high[4 * size]), rtol=1e-9)
    for truth in (0.6, 0.7, 0.8, 0.9, 0.95):
        assert binom.pmf(found, 10 * size, truth)[(low <= truth) & (truth <= high)].sum() >= 0.96


@pytest.mark.parametrize(
    "call",
    [
        lambda y, a, b, **rows: bootstrap_metric(y, a, "recall", **rows),
        lambda y, a, b, **rows: bootstrap_roc_at_threshold(y, a, thresholds=0.5, **rows).tpr,
        lambda y, a, b, **rows: bootstrap_cost(y, a, probability_cost=0.3, thresholds=0.5, **rows),
        lambda y, a, b, **rows: bootstrap_mean_difference(a, b, least=0, most=1, **rows),
        lambda y, a, b, **rows: bootstrap_metric(np.c_[y, 1 - y], np.c_[a, b], "f1", average="samples", **rows),
    ],
    ids=["recall", "rate", "cost", "difference of means", "label table"],
)
def test_groups_in_folds_of_one_size_are_one_sample_of_groups(call):
    """Whatever the folds differ by."""
    y = np.tile([1, 1, 0, 0], 20)
    a, b = y.copy(), y.copy()
    a[:16], b[::5] = 1 - a[:16], 1 - b[::5]  # one fold fails
    groups, folds = np.arange(80) // 4, np.arange(80) // 16
    inside, whole = call(y, a, b, groups=groups, folds=folds), call(y, a, b, groups=groups)
    assert_allclose(inside.confidence_interval(), whole.confidence_interval(), rtol=2e-3, atol=1e-3)


def test_alike_folds_of_groups_are_as_one_sample():
    """Of folds that hold the same, with many groups each, the interval is nearly that of all groups together."""
    y, s, groups, _ = nested_groups()
    y, s = np.tile(y, 3), np.tile(s, 3)
    groups, folds = np.r_[groups, groups + 20, groups + 40], np.repeat([0, 1, 2], 80)
    nested = bootstrap_auc(y, s, groups=groups, folds=folds).confidence_interval()
    together = bootstrap_auc(y, s, groups=groups).confidence_interval()
    assert_allclose(nested, together, atol=0.1 * (together.high - together.low))


def test_a_difference_with_groups_in_folds_is_the_mean_of_the_folds():
    y, s, groups, folds = nested_groups()
    other = np.random.default_rng(4).normal(size=80) + y
    found = bootstrap_auc_difference(y, s, other, groups=groups, folds=folds)
    each = [
        bootstrap_auc_difference(y[rows], s[rows], other[rows], groups=groups[rows])
        for rows in (folds == fold for fold in dict.fromkeys(folds.tolist()))
    ]
    assert_allclose(found.fold_estimates, [one.estimate for one in each], rtol=1e-14)
    assert_allclose(found.estimate, np.mean([one.estimate for one in each]), rtol=1e-14)
    of_folds = np.sqrt(np.sum([one.standard_error**2 for one in each])) / len(each)
    assert of_folds <= found.standard_error <= 1.3 * of_folds  # made unbiased within folds
    turned = bootstrap_auc_difference(y, other, s, groups=groups, folds=folds)
    assert_allclose(turned.confidence_interval(), [-limit for limit in found.confidence_interval()[::-1]], atol=1e-12)
    single = bootstrap_auc_difference(y, s, other, groups=np.arange(80), folds=folds).confidence_interval()
    assert single == bootstrap_auc_difference(y, s, other, folds=folds).confidence_interval()


def test_results_answer_the_same_whatever_the_scheme():
    y, s, groups, folds = nested_groups()
    asked = {(): {}, ("groups",): {"groups": groups}, ("folds",): {"folds": folds}}
    asked["groups", "folds"] = {"groups": groups, "folds": folds}
    for scheme, options in asked.items():
        for result in (bootstrap_auc(y, s, **options), bootstrap_auc_difference(y, s, s[::-1], **options)):
            assert result.scheme == scheme
            assert result.is_exact == ("groups" not in scheme)
            assert 0 <= result.undefined < 1e-6
            assert (result.fold_estimates is not None) == ("folds" in scheme)
            assert result.n_groups == (20 if "groups" in scheme else None)
    drawn = bootstrap_auc([0, 0, 1], [1, 2, 3], sampling="full")
    assert_allclose(drawn.undefined, 9 / 27)


def test_every_result_names_its_scheme():
    y, s, groups, folds = nested_groups()
    asked = {(): {}, ("groups",): {"groups": groups}, ("folds",): {"folds": folds}}
    for scheme, options in asked.items():
        for result in (
            bootstrap_cost(y, s, thresholds=0.5, **options),
            bootstrap_metric(y, s, "accuracy", thresholds=0.5, **options),
            bootstrap_metric(y, s > 0.5, "f1", **{name: value for name, value in options.items() if name != "folds"}),
            bootstrap_mean(s, **options),
            bootstrap_mean_difference(s, s[::-1], **options),
            bootstrap_loss(y, s > 0.5, "zero_one", **options),
        ):
            held = tuple(name for name in scheme if name != "folds" or result.estimand.folds)
            assert result.scheme == held
            assert result.n_groups == (20 if "groups" in scheme else None)
            assert (result.fold_estimates is not None) == ("folds" in held)
            if "folds" in held:
                assert_allclose(np.mean(result.fold_estimates, axis=0), result.estimate)
    rates = bootstrap_roc_at_threshold(y, s, thresholds=0.5, groups=groups)
    assert (rates.scheme, rates.n_groups) == (rates.fpr.scheme, rates.fpr.n_groups) == (("groups",), 20)
    assert bootstrap_metric(y, y, "f1", average="macro", groups=groups).scheme == ("groups", "multi_class")


def cases_in_folds():
    """Two models' scores of 240 cases in four folds, with weights, and in groups of three within the folds."""
    rng = np.random.default_rng(5)
    y = (rng.random(240) < 0.4).astype(int)
    a = y + rng.normal(size=240)
    b = a + 0.8 * rng.normal(size=240)
    folds = np.arange(240) % 4
    return y, a, b, folds, {"sample_weight": rng.integers(0, 4, 240), "groups": 100 * folds + np.arange(240) // 12}


@pytest.mark.parametrize(
    ("name", "function", "given"),
    [
        ("f1", metrics.f1_score, ()),
        ("f1", metrics.f1_score, ("sample_weight",)),
        ("f1", metrics.f1_score, ("groups",)),
        ("precision", metrics.precision_score, ()),
        ("recall", metrics.recall_score, ("groups",)),
        ("npv", partial(metrics.precision_score, pos_label=0), ("sample_weight",)),
        ("jaccard", metrics.jaccard_score, ("groups",)),
        (Metric.fbeta(2), partial(metrics.fbeta_score, beta=2), ("groups", "sample_weight")),
    ],
)
def test_ratios_by_name_are_as_by_function(name, function, given):
    y, a, b, folds, more = cases_in_folds()
    options = {"folds": folds, **{each: more[each] for each in given}}
    a, b = (a > 0.5).astype(int), (b > 0.5).astype(int)
    pairs = [(bootstrap_metric(y, a, asked, **options) for asked in (name, function))]
    if name != "recall" and not given:  # whose difference is judged at the class sizes seen
        pairs.append(bootstrap_metric_difference(y, a, b, asked, **options) for asked in (name, function))
    for by_name, by_function in pairs:
        assert_allclose(by_name.estimate, by_function.estimate, rtol=1e-12)
        assert_allclose(by_name.fold_estimates, by_function.fold_estimates, rtol=1e-12)
        assert_allclose(by_name.standard_error, by_function.standard_error, rtol=1e-6)
        assert_allclose(by_name.confidence_interval(), by_function.confidence_interval(), rtol=1e-6, atol=1e-7)
        assert by_name.scheme == by_function.scheme


def resampled_in_folds(y, guess, folds, metric, *, stratified, prevalence=None, groups=None):
    """The standard deviation over 250 resamples of the mean of what each fold gives."""
    rng, means = np.random.default_rng(0), []
    for _ in range(250):
        values = []
        for fold in range(4):
            rows = np.flatnonzero(folds == fold)
            parts = [rows[y[rows] == label] for label in (0, 1)] if stratified else [rows]
            drawn = [rng.choice(part, len(part)) for part in parts]
            if groups is not None:
                drawn = [rows[groups[rows] == each] for each in rng.choice(np.unique(groups[rows]), 20)]
            each = np.concatenate(drawn)
            cells = [((y[each] == truth) & (guess[each] == said)).sum() for truth, said in [(1, 1), (1, 0), (0, 1)]]
            values.append(float(metric.at(*cells, len(each) - sum(cells), prevalence)))
        means.append(np.mean(values))
    return np.std(means)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        *((name, {}) for name in ("f1", "kappa", "mcc", "youden", "lift", "npv", "jaccard")),
        *((name, {"sampling": "full"}) for name in ("kappa", "mcc", "balanced_accuracy")),
        *((name, {"sampling": "stratified"}) for name in ("precision", "f1", "fdr")),
        ("kappa", {"prevalence": 0.1}),
    ],
)
def test_metrics_by_name_have_means_over_folds(name, options):
    y, a, _, folds, more = cases_in_folds()
    guess = (a > 0.5).astype(int)
    result = bootstrap_metric(y, guess, name, folds=folds, **options)
    metric = result.estimand.metric
    stratified = options.get("sampling", "full" if metric.of == "counts" and not options else "stratified") != "full"
    each = [bootstrap_metric(y[folds == fold], guess[folds == fold], name, **options).estimate for fold in range(4)]
    assert_allclose(result.fold_estimates, each, rtol=1e-12)
    assert_allclose(result.estimate, np.mean(each), rtol=1e-12)
    judged = options.get("prevalence")
    found = resampled_in_folds(y, guess, folds, metric, stratified=stratified, prevalence=judged)
    assert result.standard_error == pytest.approx(found, rel=0.12)
    low, high = result.confidence_interval()
    assert low < result.estimate < high
    if "sampling" not in options:
        groups = more["groups"]
        grouped = bootstrap_metric(y, guess, name, folds=folds, groups=groups, **options)
        found = resampled_in_folds(y, guess, folds, metric, stratified=False, prevalence=judged, groups=groups)
        assert grouped.standard_error == pytest.approx(found, rel=0.15)
        assert grouped.scheme == ("groups", "folds")


@pytest.mark.parametrize("name", ["f1", "kappa", "lr_positive", "precision"])
def test_thresholds_of_folds_are_asked_one_by_one(name):
    y, a, b, folds, more = cases_in_folds()
    for options in ({}, {"groups": more["groups"]}):
        together = bootstrap_metric(y, a, name, thresholds=[0.6, 0.2], folds=folds, **options)
        limits = np.array(together.confidence_interval())
        for place, threshold in enumerate([0.6, 0.2]):
            labelled = bootstrap_metric(y, (a >= threshold).astype(int), name, folds=folds, **options)
            assert_allclose(together.estimate[place], labelled.estimate, rtol=1e-12)
            assert_allclose(together.standard_error[place], labelled.standard_error, rtol=1e-9)
            assert_allclose(limits[:, place], labelled.confidence_interval(), rtol=1e-9)
        pair = bootstrap_metric_difference(y, a, b, name, thresholds=([0.6, 0.2], [0.5, 0.3]), folds=folds, **options)
        labels = (a >= 0.2).astype(int), (b >= 0.3).astype(int)
        labelled = bootstrap_metric_difference(y, *labels, name, folds=folds, **options)
        assert_allclose(pair.standard_error[1], labelled.standard_error, rtol=1e-9)
        assert_allclose(np.array(pair.confidence_interval())[:, 1], labelled.confidence_interval(), rtol=1e-9)


def test_a_score_that_cannot_be_is_not_feared_in_folds():
    """No risk is below 0, and no score reaches infinity: nobody can be missed at the one, or found at the other."""
    y, a, _, folds, _ = cases_in_folds()
    risks = 1 / (1 + np.exp(-a))
    everybody = bootstrap_metric(y, risks, "standardized_net_benefit", thresholds=0.0, folds=folds)
    assert (everybody.estimate, everybody.standard_error) == (1, 0)
    assert everybody.confidence_interval() == (1, 1)
    for name, expected in (("recall", 1), ("balanced_accuracy", 0.5), ("specificity", 0)):
        found = bootstrap_metric(y, a, name, thresholds=[-np.inf, 0.5], folds=folds, sampling="full")
        low, high = found.confidence_interval()
        assert low[0] == high[0] == expected
        assert low[1] < found.estimate[1] < high[1]


@pytest.mark.parametrize("paired", [False, True])
def test_classes_drawn_apart_where_a_fold_lacks_one(paired):
    """The mean of the folds' accuracies; each class of each fold is drawn to its size, which variances add up."""
    folds, y = np.arange(40) // 10, (np.arange(40) % 3 == 0) & (np.arange(40) < 10)
    right_a, right_b = np.arange(40) % 5 > 0, np.arange(40) % 4 > 0
    guesses = [np.where(right, y, ~y).astype(int) for right in (right_a, right_b)][: 1 + paired]
    asked = bootstrap_metric_difference if paired else bootstrap_metric
    result = asked(y.astype(int), *guesses, "accuracy", folds=folds, sampling="stratified")
    x = right_a - 1.0 * right_b if paired else 1.0 * right_a
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
    one = bootstrap_metric(y, scores[0], name, folds=folds, sampling="stratified", **at)
    two = bootstrap_metric_difference(y, *scores, name, folds=folds, sampling="stratified", **at)
    for result, least, most in ((one, low, high), (two, low - high, high - low)):
        assert result.confidence_interval(alternative="greater")[1] == pytest.approx(most, abs=1e-12)
        assert result.confidence_interval(alternative="less")[0] == pytest.approx(least, abs=1e-12)
        for null in (least - 0.01, most + 0.01):
            with pytest.raises(ValueError, match="null must be"):
                result.pvalue(null=null)


def test_groups_of_one_class_where_the_other_only_was_predicted():
    """Recall at a prevalence needs no negatives: a class without cases is no stratum."""
    found = bootstrap_metric(
        [1] * 40, [0, 1] * 20, "recall", prevalence=0.3, groups=np.arange(40) // 2, folds=np.arange(40) // 20
    )
    assert found.estimate == 0.5
    low, high = found.confidence_interval()
    assert low < 0.5 < high
