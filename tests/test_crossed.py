"""Levels that units cross: multi-reader studies, questions and judges, items and seeds."""

from itertools import pairwise, product

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import accuracy_score, cohen_kappa_score, f1_score, roc_auc_score

import skcostci as sk

TABLE = "111111/110110/100100/111011"  # judges by questions
ALIKE = "110111/100111/111101/110110"


def rows_of(table):
    """Values, questions and judges of a table of rows of digits."""
    cells = np.array([[int(digit) for digit in row] for row in table.split("/")], dtype=float)
    judges, questions = np.indices(cells.shape)
    return cells.ravel(), questions.ravel(), judges.ravel()


def mean_of(table, **options):
    values, question, judge = rows_of(table)
    return sk.bootstrap_mean(values, least=0, most=1, groups=question, crossed=judge, **options)


def study(n_cases=60, n_readers=5, seed=0, spread=0.5):
    """Truth, five-point ratings with two techniques, cases and readers of a made study; readers differ."""
    rng = np.random.default_rng(seed)
    truth = np.arange(n_cases) % 5 < 2
    seen = rng.normal(1.4 * truth, 1.0)[None] + rng.normal(0, 0.7, (2, n_readers, n_cases))
    seen += (spread * rng.normal(size=(2, n_readers, 1)) + [[[0.0]], [[0.4]]]) * truth
    ratings = (np.digitize(seen, [-0.5, 0.3, 1.0, 1.8]) + 1).reshape(2, -1)
    reader, case = np.indices((n_readers, n_cases)).reshape(2, -1)
    return np.tile(truth.astype(int), n_readers), *ratings, case, reader + 1


@pytest.mark.parametrize(
    ("table", "level", "low", "high"),
    [
        (TABLE, 0.95, 0.1617592411, 0.9999784432),
        (TABLE, 0.8, 0.3863671590, 0.9565947737),
        (TABLE, 0.99, 0.0053137559, 1.0),
        ("11111111/11011110/10010010", 0.95, 0.0073881234, 1.0),
        ("11111111/11011110/10010010", 0.8, 0.2679661716, 0.9947336000),
        (ALIKE, 0.95, 0.3952300216, 0.9379221521),
        ("110111/110111/110111/110111", 0.95, 0.3587654210, 0.9957892555),
    ],
)
def test_means_have_the_limits_of_a_prototype(table, level, low, high):
    found = mean_of(table).confidence_interval(level, method="unseen_group")
    assert found == pytest.approx((low, high), abs=1e-9)


def test_parts_of_the_variance_are_those_of_obuchowski_and_rockette():
    """By the covariances of the judges' estimates over questions, with numpy's divisors."""
    cells = rows_of(TABLE)[0].reshape(4, 6)
    covariance = np.cov(cells) / 6
    apart = covariance.diagonal().mean() - covariance[~np.eye(4, dtype=bool)].mean()
    result = mean_of(TABLE)
    assert result.by_level.tolist() == cells.mean(axis=1).tolist()
    assert result.levels == (0, 1, 2, 3)
    assert result.variance_parts.levels == pytest.approx((cells.mean(axis=1).var(ddof=1) - apart) / 4)
    assert result.variance_parts.levels == pytest.approx(0.0125)
    assert result.variance_parts.cases == pytest.approx(cells.mean(axis=0).var() / 6)
    assert result.standard_error == pytest.approx(0.1319809891)
    assert result.standard_error**2 == pytest.approx(sum(result.variance_parts))


def test_the_crossed_bootstrap_counts_the_interaction_three_times():
    """All draws of rows and of columns of a table of three by three, whose variance is not the standard error's."""
    cells = rows_of("110/100/111")[0].reshape(3, 3)
    means = [
        cells[np.ix_(rows, columns)].mean()
        for rows in product(range(3), repeat=3)
        for columns in product(range(3), repeat=3)
    ]
    assert np.var(means) == pytest.approx(0.057613168724)
    rows, columns = cells.mean(axis=1) - cells.mean(), cells.mean(axis=0) - cells.mean()
    rest = cells - cells.mean() - rows[:, None] - columns
    parts = (rows**2).mean() / 3, (columns**2).mean() / 3, (rest**2).mean() / 9
    assert np.var(means) == pytest.approx(sum(parts))
    result = mean_of("110/100/111")
    assert result.variance_parts.cases == pytest.approx(parts[1])
    assert result.standard_error**2 < np.var(means)


def test_levels_that_bring_nothing_leave_the_answer_of_groups_alone():
    values, question, _ = rows_of(ALIKE)
    alone = sk.bootstrap_mean(values, least=0, most=1, groups=question)
    both = mean_of(ALIKE)
    assert both.variance_parts.levels == 0
    assert both.standard_error == pytest.approx(alone.standard_error, rel=1e-13)
    for level in (0.5, 0.95, 0.999):
        assert both.confidence_interval(level) == pytest.approx(alone.confidence_interval(level), rel=1e-12)


def _own(levels):
    return [levels == level for level in np.unique(levels)]


def _placed(ratings, truth):
    """The share of the other class that each case is put on the right side of."""
    apart = (ratings[:, None] - ratings) * np.where(truth, 1, -1)[:, None]
    return np.array(
        [((each > 0) + (each == 0) / 2)[truth != own].mean() for own, each in zip(truth, apart, strict=True)]
    )


def obuchowski_rockette(truth, first, second, reader):
    """The differences of readers, DeLong's covariances of them, and of their mean what cases bring with divisors k."""
    placed = np.array([_placed(first[own], truth[own]) - _placed(second[own], truth[own]) for own in _own(reader)])
    label = truth[reader == 1]
    classes = [placed[:, label == one] for one in (0, 1)]
    covariance = sum(np.cov(part) / part.shape[1] for part in classes)
    return classes[0].mean(axis=1), covariance, sum(part.mean(axis=0).var() / part.shape[1] for part in classes)


def test_a_study_of_readers_has_obuchowski_and_rockette_s_variance():
    truth, first, second, case, reader = study()
    result = sk.bootstrap_auc_difference(truth, first, second, groups=case, crossed=reader)
    each = [roc_auc_score(truth[own], first[own]) - roc_auc_score(truth[own], second[own]) for own in _own(reader)]
    differences, covariance, of_cases = obuchowski_rockette(truth, first, second, reader)
    assert result.by_level == pytest.approx(each)
    assert differences == pytest.approx(each)
    apart = covariance.diagonal().mean() - covariance[~np.eye(5, dtype=bool)].mean()
    assert result.variance_parts.levels == pytest.approx((np.var(each, ddof=1) - apart) / 5)
    assert result.variance_parts.levels > 0
    assert result.variance_parts.cases == pytest.approx(of_cases)
    for ratings in (first, second):
        alone = sk.bootstrap_auc(truth, ratings, groups=case, crossed=reader)
        assert alone.estimate == pytest.approx(
            np.mean([roc_auc_score(truth[own], ratings[own]) for own in _own(reader)])
        )


@pytest.mark.parametrize("seed", range(3))
def test_with_many_cases_limits_are_those_of_hillis(seed):
    """Student's t with Hillis' degrees of freedom is right where cases are many; readers decide then."""
    truth, first, second, case, reader = study(400, seed=seed, spread=0.4)
    result = sk.bootstrap_auc_difference(truth, first, second, groups=case, crossed=reader)
    differences, covariance, _ = obuchowski_rockette(truth, first, second, reader)
    spread, common = np.var(differences, ddof=1), covariance[~np.eye(5, dtype=bool)].mean()
    variance = spread / 5 + max(common, 0)
    freedom = 4 * (variance / (spread / 5)) ** 2
    half = stats.t.ppf(0.975, freedom) * np.sqrt(variance)
    assert np.subtract(*result.confidence_interval()[::-1]) / (2 * half) == pytest.approx(1, abs=0.1)


def test_rows_may_come_in_any_order_and_levels_by_any_name():
    truth, first, second, case, reader = study()
    order = np.random.default_rng(0).permutation(len(truth))
    names = np.array(["", "Ann", "Bo", "Cy", "Di", "Ed"], dtype=object)
    a = sk.bootstrap_auc_difference(truth, first, second, groups=case, crossed=reader)
    rows, levels = (each[order] for each in (truth, first, second)), names[reader][order]
    b = sk.bootstrap_auc_difference(*rows, groups=case[order], crossed=levels)
    assert b.levels == ("Ann", "Bo", "Cy", "Di", "Ed")
    assert b.by_level == pytest.approx(a.by_level)
    assert b.confidence_interval() == pytest.approx(a.confidence_interval(), rel=1e-12)


def test_unbalanced_levels_are_averaged_and_met_units_compared():
    """Questions that some judges did not see: the mean over judges, C over the questions that both met."""
    values, question, judge = rows_of("111011/110110/100100/111111")
    kept = np.array([True] * 20 + [False] * 4)[np.random.default_rng(1).permutation(24)]
    values, question, judge = values[kept], question[kept], judge[kept]
    result = sk.bootstrap_mean(values, least=0, most=1, groups=question, crossed=judge)
    each = [values[own].mean() for own in _own(judge)]
    assert result.by_level == pytest.approx(each)
    assert result.estimate == pytest.approx(np.mean(each))
    off = np.zeros((4, 6))
    for row, own in zip(off, _own(judge), strict=True):
        n = own.sum()
        row[question[own]] = (values[own] - values[own].mean()) / n * np.sqrt(n / (n - 1))
    covariance = off @ off.T
    apart = covariance.diagonal().mean() - covariance[~np.eye(4, dtype=bool)].mean()
    assert result.variance_parts.levels == pytest.approx(max(np.var(each, ddof=1) - apart, 0) / 4)


def test_differences_of_means_are_means_of_differences():
    a, question, judge = rows_of(TABLE)
    b = rows_of(ALIKE)[0]
    pair = sk.bootstrap_mean_difference(a, b, least=0, most=1, groups=question, crossed=judge)
    one = sk.bootstrap_mean(a - b, least=-1, most=1, groups=question, crossed=judge)
    assert pair.estimate == pytest.approx(one.estimate)
    limits = [each.confidence_interval(method="unseen_group") for each in (pair, one)]
    assert limits[0] == pytest.approx(limits[1])
    assert pair.variance_parts == pytest.approx(one.variance_parts)
    one_sided = pair.confidence_interval(1 - pair.pvalue("less", null=0.3), alternative="less")
    assert one_sided.high == pytest.approx(0.3, abs=1e-6)


def test_wider_levels_contain_narrower_ones():
    for result in (mean_of(TABLE), mean_of("111/110/100")):
        limits = [result.confidence_interval(level) for level in (0.5, 0.8, 0.9, 0.95, 0.99, 0.999)]
        assert all(out.low <= into.low and into.high <= out.high for into, out in pairwise(limits))


def test_results_say_of_whom_they_are():
    result = mean_of(TABLE)
    assert result.scheme == ("groups", "crossed")
    assert result.estimand.crossed
    assert "other cases and other levels" in result._caption
    with pytest.raises(ValueError, match="with or without crossed="):
        sk.independent_difference(result, sk.bootstrap_mean([0, 1, 1], least=0, most=1))


def test_one_level_is_groups_alone_and_two_are_warned_of():
    values, question, _ = rows_of("110111")
    values, question = np.tile(values, 2), np.tile(question, 2)
    with pytest.warns(UserWarning, match="one level, 'Ann'"):
        one = sk.bootstrap_mean(values, least=0, most=1, groups=question, crossed=["Ann"] * 12)
    assert one == sk.bootstrap_mean(values, least=0, most=1, groups=question)
    with pytest.warns(UserWarning, match=r"two levels, 0 and 1.*covered the true value in 64 to 89 %"):
        mean_of("110111/011011")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"groups": None}, "crossed= needs groups=, which says"),
        ({"folds": [0, 1] * 12}, "folds= cannot be combined with crossed=: levels of crossed= are treated as a random"),
        ({"sample_weight": [1] * 24}, "sample_weight= cannot be combined with crossed="),
        ({"crossed": [0] * 12}, "crossed and groups must have the same length.*12, 24"),
        ({"crossed": [None, *[0, 1] * 11, 1]}, "crossed must not contain NaN, None .*at position 0"),
        ({"crossed": list(range(24))}, "no more than groups, got 24 and 6 groups: are they swapped"),
        ({"groups": list(range(24))}, "each group has one level: pass it as groups="),
        ({"crossed": [7, *[0, 1, 2] * 7, 0, 1]}, "needs two groups; 7 has one"),
    ],
)
def test_what_does_not_go_is_refused_in_words(change, message):
    values, question, judge = rows_of(TABLE)
    with pytest.raises(ValueError, match=message):
        sk.bootstrap_mean(values, least=0, most=1, **{"groups": question, "crossed": judge, **change})


def test_areas_refuse_what_is_not_built():
    truth, first, _, case, reader = study()
    how = {"groups": case, "crossed": reader}
    with pytest.raises(ValueError, match="max_fpr= cannot be combined with crossed="):
        sk.bootstrap_auc(truth, first, max_fpr=0.1, **how)
    with pytest.raises(ValueError, match="multi_class= cannot be combined with crossed="):
        sk.bootstrap_auc(truth, first, multi_class="ovr", **how)
    with pytest.raises(ValueError, match="every level of crossed= must contain both classes; level 1 has one"):
        sk.bootstrap_auc(np.where(reader == 1, 1, truth), first, **how)


def judged(n_questions=40, n_judges=5, seed=0):
    """Truth, labels of two models, question and judge: the judges disagree about the truth."""
    rng = np.random.default_rng(seed)
    judge, question = np.indices((n_judges, n_questions))
    hard, lenient = rng.normal(size=n_questions), rng.normal(0, 0.5, n_judges)
    truth = hard[question] + lenient[judge] + rng.normal(0, 0.5, judge.shape) > 0
    a, b = (hard + rng.normal(0, spread, n_questions) > 0 for spread in (0.4, 1.2))
    arrays = truth, a[question], b[question], question, judge
    return [each.ravel().astype(int) for each in arrays]


def test_metrics_are_means_over_judges():
    truth, a, b, question, judge = judged()
    how = {"groups": question, "crossed": judge}
    for metric, of in (("f1", f1_score), ("accuracy", accuracy_score), ("kappa", cohen_kappa_score)):
        each = [of(truth[own], a[own]) for own in _own(judge)]
        result = sk.bootstrap_metric(truth, a, metric, **how)
        assert result.by_level == pytest.approx(each)
        assert result.estimate == pytest.approx(np.mean(each))
        assert result.estimand.crossed
        low, high = result.confidence_interval()
        assert 0 <= low < result.estimate < high <= 1
        difference = sk.bootstrap_metric_difference(truth, a, b, metric, **how)
        assert difference.by_level == pytest.approx(
            [x - of(truth[own], b[own]) for x, own in zip(each, _own(judge), strict=True)]
        )
        comparison = sk.compare_models(truth, {"a": a, "b": b}, metric, **how)
        assert comparison.differences.estimate[0] == pytest.approx(difference.estimate)
        assert comparison.results[0].confidence_interval() == pytest.approx((low, high))


def test_accuracy_and_zero_one_loss_are_means():
    truth, a, b, question, judge = judged()
    how = {"groups": question, "crossed": judge}
    right = sk.bootstrap_mean(a == truth, **how)
    accuracy = sk.bootstrap_metric(truth, a, "accuracy", **how)
    loss = sk.bootstrap_loss(truth, a, "zero_one", **how)
    assert accuracy.variance_parts == pytest.approx(right.variance_parts)
    assert loss.variance_parts == pytest.approx(right.variance_parts)
    assert loss.confidence_interval() == pytest.approx([1 - x for x in right.confidence_interval()[::-1]])
    # of an accuracy the question feared is one of a truth at a time, of a mean of any: the same where all may be wrong
    assert accuracy.confidence_interval() == pytest.approx(right.confidence_interval(), abs=1e-3)
    between = sk.compare_models(truth, {"a": a, "b": b}, "zero_one", **how)
    assert between.differences.estimate[0] == pytest.approx((b == truth).mean() - (a == truth).mean())


def test_macro_averages_functions_scores_and_amounts():
    truth, a, b, question, judge = judged()
    how = {"groups": question, "crossed": judge}
    three = a + b
    macro = sk.bootstrap_metric(truth + a, three, "f1", average="macro", **how)
    assert macro.by_level == pytest.approx(
        [f1_score((truth + a)[own], three[own], average="macro") for own in _own(judge)]
    )
    function = sk.bootstrap_metric(truth, a, f1_score, **how)
    named = sk.bootstrap_metric(truth, a, "f1", **how)
    assert function.by_level == pytest.approx(named.by_level)
    assert function.variance_parts == pytest.approx(named.variance_parts, rel=1e-4)
    score = a + np.random.default_rng(0).normal(0, 0.2, len(a))
    cut = sk.bootstrap_metric(truth, score, "f1", thresholds=[0.5, 0.9], **how)
    assert cut.by_level.shape == (5, 2)
    assert cut.by_level[:, 0] == pytest.approx([f1_score(truth[own], score[own] >= 0.5) for own in _own(judge)])
    assert cut.variance_parts.levels.shape == (2,)
    amounts = sk.bootstrap_metric(score, score + truth, "r2", **how)
    assert amounts.methods[0] == "extrapolated"
    brier = sk.bootstrap_loss(truth, np.clip(score, 0, 1), **how)
    assert brier.by_level == pytest.approx([np.mean((truth - np.clip(score, 0, 1))[own] ** 2) for own in _own(judge)])


def test_a_metric_of_equal_levels_has_the_interval_of_groups_alone():
    """Judges who agree: one judge's labels, case by case, say it all."""
    truth, a, _, question, judge = judged()
    truth = truth[judge == 0][question]
    result = sk.bootstrap_metric(truth, a, "f1", groups=question, crossed=judge)
    alone = sk.bootstrap_metric(truth, a, "f1", groups=question)
    assert result.variance_parts.levels == 0
    assert result.estimate == pytest.approx(alone.estimate)
    assert result.standard_error == pytest.approx(alone.standard_error, rel=0.05)  # to first order; the other is exact
    assert result.confidence_interval() == pytest.approx(alone.confidence_interval(), abs=0.01)


def asked(name, **options):
    return lambda y, a, how: sk.bootstrap_metric(y, a, name, **options, **how)


def compared(*statistic, **options):
    return lambda y, a, how: sk.compare_models(y, {"a": a, "b": y}, *statistic, **options, **how)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (asked("f1", sampling="full"), "sampling= cannot be combined with crossed="),
        (asked("precision", prevalence=0.1), "prevalence= cannot be combined"),
        (asked("f1", thresholds="best"), "chosen beforehand"),
        (asked("average_precision"), "'crossed', which metric='average_pre"),
        (asked("precision", positive_rate=0.1), "positive_rate= cannot be combined"),
        (lambda y, a, how: asked("precision")(y, 0 * a, how), "must have a value at every level.*at 0 it"),
        (lambda y, a, how: asked("f1")(y, a, {"crossed": how["crossed"]}), "crossed= needs groups="),
        (compared("average_precision"), "losses and means, not for AP"),
        (compared(multi_class="ovr"), "multi_class= cannot be combined"),
        (lambda y, a, how: sk.bootstrap_loss(y, a, sampling="stratified", **how), "sampling must be left at 'full'"),
    ],
)
def test_metrics_refuse_what_is_not_built(ask, message):
    truth, a, _, question, judge = judged()
    with pytest.raises((ValueError, TypeError), match=message):
        ask(truth, a, {"groups": question, "crossed": judge})
