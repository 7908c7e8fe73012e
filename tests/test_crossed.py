"""Levels that units cross: multi-reader studies, questions and judges, items and seeds."""

from functools import partial
from itertools import product

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import accuracy_score, cohen_kappa_score, f1_score, roc_auc_score

import skcostci as sk

TABLE = "111111/110110/100100/111011"  # judges by questions
ALIKE = "110111/100111/111101/110110"


def rows_of(table):
    """Values, questions and judges of a table of rows of digits."""
    cells = np.array([[*row] for row in table.split("/")], dtype=float)
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


def apart(covariance):
    """The mean variance of levels less their mean covariance."""
    return covariance.diagonal().mean() - covariance[~np.eye(len(covariance), dtype=bool)].mean()


def test_parts_of_the_variance_are_those_of_obuchowski_and_rockette():
    """By the covariances of the judges' estimates over questions, with numpy's divisors."""
    cells = rows_of(TABLE)[0].reshape(4, 6)
    result = mean_of(TABLE)
    assert result.by_level.tolist() == cells.mean(axis=1).tolist()
    assert result.levels == (0, 1, 2, 3)
    levels = (cells.mean(axis=1).var(ddof=1) - apart(np.cov(cells) / 6)) / 4
    assert levels == pytest.approx(0.0125)
    assert result.variance_parts == pytest.approx((cells.mean(axis=0).var() / 6, levels))
    assert result.standard_error == pytest.approx(0.1319809891)
    assert result.standard_error**2 == pytest.approx(sum(result.variance_parts))


def test_the_crossed_bootstrap_counts_the_interaction_three_times():
    """All draws of rows and of columns of a table of three by three, whose variance is not the standard error's."""
    cells, draws = rows_of("110/100/111")[0].reshape(3, 3), list(product(range(3), repeat=3))
    variance = np.var([cells[np.ix_(rows, columns)].mean() for rows in draws for columns in draws])
    rows, columns = cells.mean(axis=1) - cells.mean(), cells.mean(axis=0) - cells.mean()
    rest = cells - cells.mean() - rows[:, None] - columns
    parts = (rows**2).mean() / 3, (columns**2).mean() / 3, (rest**2).mean() / 9
    assert [variance, sum(parts)] == pytest.approx([0.057613168724] * 2)
    result = mean_of("110/100/111")
    assert result.variance_parts.cases == pytest.approx(parts[1])
    assert result.standard_error**2 < variance


def test_levels_that_bring_nothing_leave_the_answer_of_groups_alone():
    values, question, _ = rows_of(ALIKE)
    both, alone = mean_of(ALIKE), sk.bootstrap_mean(values, least=0, most=1, groups=question)
    assert both.variance_parts.levels == 0
    assert both.standard_error == pytest.approx(alone.standard_error, rel=1e-13)
    for level in (0.5, 0.95, 0.999):
        assert both.confidence_interval(level) == pytest.approx(alone.confidence_interval(level), rel=1e-12)


def _own(levels):
    return [levels == level for level in np.unique(levels)]


def _placed(ratings, truth):
    """The share of the other class that each case is put on the right side of."""
    apart = (ratings[:, None] - ratings) * np.where(truth, 1, -1)[:, None]
    return np.array([((d > 0) + (d == 0) / 2)[truth != own].mean() for own, d in zip(truth, apart, strict=True)])


def obuchowski_rockette(truth, first, second, reader):
    """The differences of readers, DeLong's covariances of them, and of their mean what cases bring with divisors k."""
    placed = np.array([_placed(first[own], truth[own]) - _placed(second[own], truth[own]) for own in _own(reader)])
    label = truth[reader == 1]
    classes = [placed[:, label == one] for one in (0, 1)]
    covariance = sum(np.cov(part) / part.shape[1] for part in classes)
    return classes[0].mean(axis=1), covariance, sum(part.mean(axis=0).var() / part.shape[1] for part in classes)


def test_a_study_of_readers_has_obuchowski_and_rockette_s_variance():
    truth, first, second, case, reader = study()
    how = {"groups": case, "crossed": reader}
    result = sk.bootstrap_auc_difference(truth, first, second, **how)
    areas = np.array([[roc_auc_score(truth[own], s[own]) for own in _own(reader)] for s in (first, second)])
    differences, covariance, of_cases = obuchowski_rockette(truth, first, second, reader)
    assert result.by_level == pytest.approx(areas[0] - areas[1])
    assert result.by_level == pytest.approx(differences)
    levels = (np.var(differences, ddof=1) - apart(covariance)) / 5
    assert levels > 0
    assert result.variance_parts == pytest.approx((of_cases, levels))
    for ratings, area in zip((first, second), areas, strict=True):
        assert sk.bootstrap_auc(truth, ratings, **how).estimate == pytest.approx(area.mean())


@pytest.mark.parametrize("seed", range(2))
def test_with_many_cases_limits_are_those_of_hillis(seed):
    """Student's t with Hillis' degrees of freedom is right where cases are many; readers decide then."""
    truth, first, second, case, reader = study(400, seed=seed, spread=0.4)
    result = sk.bootstrap_auc_difference(truth, first, second, groups=case, crossed=reader)
    differences, covariance, _ = obuchowski_rockette(truth, first, second, reader)
    spread, common = np.var(differences, ddof=1), covariance[~np.eye(5, dtype=bool)].mean()
    variance = spread / 5 + max(common, 0)
    half = stats.t.ppf(0.975, 4 * (variance / (spread / 5)) ** 2) * np.sqrt(variance)
    assert np.ptp(result.confidence_interval()) / (2 * half) == pytest.approx(1, abs=0.1)


def test_unbalanced_levels_are_averaged_and_met_units_compared():
    """Questions that some judges did not see: the mean over judges, C over the questions that both met."""
    kept = np.random.default_rng(1).permutation(24) < 20
    values, question, judge = (column[kept] for column in rows_of("111011/110110/100100/111111"))
    result = sk.bootstrap_mean(values, least=0, most=1, groups=question, crossed=judge)
    each, off = [values[own].mean() for own in _own(judge)], np.zeros((4, 6))
    assert result.by_level == pytest.approx(each)
    assert result.estimate == pytest.approx(np.mean(each))
    for row, own in zip(off, _own(judge), strict=True):
        n = own.sum()
        row[question[own]] = (values[own] - values[own].mean()) / n * np.sqrt(n / (n - 1))
    levels = max(np.var(each, ddof=1) - apart(off @ off.T), 0) / 4
    assert result.variance_parts.levels == pytest.approx(levels)


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


@pytest.mark.parametrize("table", [TABLE, "111/110/100"])
def test_wider_levels_contain_narrower_ones(table):
    low, high = np.transpose([mean_of(table).confidence_interval(level) for level in (0.5, 0.9, 0.95, 0.999)])
    assert (np.diff(low) <= 0).all()
    assert (np.diff(high) >= 0).all()


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


IN_TABLE = dict(zip(("groups", "crossed"), rows_of(TABLE)[1:], strict=True))
IN_STUDY = dict(zip(("y_true", "y_score", "groups", "crossed"), [study()[i] for i in (0, 1, 3, 4)], strict=True))
OF_MEANS = partial(sk.bootstrap_mean, rows_of(TABLE)[0], least=0, most=1, **IN_TABLE)
OF_AREAS = partial(sk.bootstrap_auc, **IN_STUDY)
OF_ONE_CLASS = np.where(IN_STUDY["crossed"] == 1, 1, IN_STUDY["y_true"])


@pytest.mark.parametrize(
    ("ask", "change", "message"),
    [
        (OF_MEANS, {"groups": None}, "crossed= needs groups=, which says"),
        (OF_MEANS, {"folds": [0, 1] * 12}, "folds= cannot be combined with crossed=: levels of crossed= are treated"),
        (OF_MEANS, {"sample_weight": [1] * 24}, "sample_weight= cannot be combined with crossed="),
        (OF_MEANS, {"crossed": [0] * 12}, "crossed and groups must have the same length.*12, 24"),
        (OF_MEANS, {"crossed": [None, *[0, 1] * 11, 1]}, "crossed must not contain NaN, None .*at position 0"),
        (OF_MEANS, {"crossed": list(range(24))}, "no more than groups, got 24 and 6 groups: are they swapped"),
        (OF_MEANS, {"groups": list(range(24))}, "each group has one level: pass it as groups="),
        (OF_MEANS, {"crossed": [7, *[0, 1, 2] * 7, 0, 1]}, "needs two groups; 7 has one"),
        (OF_AREAS, {"max_fpr": 0.1}, "max_fpr= cannot be combined with crossed="),
        (OF_AREAS, {"multi_class": "ovr"}, "multi_class= cannot be combined with crossed="),
        (OF_AREAS, {"y_true": OF_ONE_CLASS}, "both classes; level 1 has one"),
    ],
)
def test_what_does_not_go_is_refused_in_words(ask, change, message):
    with pytest.raises(ValueError, match=message):
        ask(**change)


def judged(n_questions=40, n_judges=5, seed=0):
    """Truth, labels of two models, question and judge: the judges disagree about the truth."""
    rng = np.random.default_rng(seed)
    judge, question = np.indices((n_judges, n_questions))
    hard, lenient = rng.normal(size=n_questions), rng.normal(0, 0.5, n_judges)
    truth = hard[question] + lenient[judge] + rng.normal(0, 0.5, judge.shape) > 0
    a, b = (hard + rng.normal(0, spread, n_questions) > 0 for spread in (0.4, 1.2))
    arrays = truth, a[question], b[question], question, judge
    return [each.ravel().astype(int) for each in arrays]


@pytest.mark.parametrize(
    ("metric", "of"), [("f1", f1_score), ("accuracy", accuracy_score), ("kappa", cohen_kappa_score)]
)
def test_metrics_are_means_over_judges(metric, of):
    truth, a, b, question, judge = judged()
    how = {"groups": question, "crossed": judge}
    each, others = ([of(truth[own], labels[own]) for own in _own(judge)] for labels in (a, b))
    result = sk.bootstrap_metric(truth, a, metric, **how)
    assert result.by_level == pytest.approx(each)
    assert result.estimate == pytest.approx(np.mean(each))
    assert result.estimand.crossed
    low, high = result.confidence_interval()
    assert 0 <= low < result.estimate < high <= 1
    difference = sk.bootstrap_metric_difference(truth, a, b, metric, **how)
    assert difference.by_level == pytest.approx(np.subtract(each, others))
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
    ask, loss = (partial(each, groups=question, crossed=judge) for each in (sk.bootstrap_metric, sk.bootstrap_loss))

    def by_judge(of, *columns):
        return pytest.approx([of(*(column[own] for column in columns)) for own in _own(judge)])

    macro, macro_of = ask(truth + a, a + b, "f1", average="macro"), partial(f1_score, average="macro")
    assert macro.by_level == by_judge(macro_of, truth + a, a + b)
    function, named = ask(truth, a, f1_score), ask(truth, a, "f1")
    assert function.by_level == pytest.approx(named.by_level)
    assert function.variance_parts == pytest.approx(named.variance_parts, rel=1e-4)
    score = a + np.random.default_rng(0).normal(0, 0.2, len(a))
    cut = ask(truth, score, "f1", thresholds=[0.5, 0.9])
    assert (cut.by_level.shape, cut.variance_parts.levels.shape) == ((5, 2), (2,))
    assert cut.by_level[:, 0] == by_judge(f1_score, truth, score >= 0.5)
    assert ask(score, score + truth, "r2").methods[0] == "extrapolated"
    risk = np.clip(score, 0, 1)
    assert loss(truth, risk).by_level == by_judge(lambda y, p: np.mean((y - p) ** 2), truth, risk)


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


OF_LABELS = dict(zip(("y_true", "y_pred", "b", "groups", "crossed"), judged(), strict=True))
MODELS = {"a": OF_LABELS["y_pred"], "b": OF_LABELS.pop("b")}
OF_METRICS = partial(sk.bootstrap_metric, **OF_LABELS)
BY_JUDGES = {name: OF_LABELS[name] for name in ("groups", "crossed")}
COMPARE = partial(sk.compare_models, OF_LABELS["y_true"], MODELS, **BY_JUDGES)


@pytest.mark.parametrize(
    ("ask", "options", "message"),
    [
        (OF_METRICS, {"metric": "f1", "sampling": "full"}, "sampling= cannot be combined with crossed="),
        (OF_METRICS, {"metric": "precision", "prevalence": 0.1}, "prevalence= cannot be combined"),
        (OF_METRICS, {"metric": "f1", "thresholds": "best"}, "chosen beforehand"),
        (OF_METRICS, {"metric": "average_precision"}, "'crossed', which metric='average_pre"),
        (OF_METRICS, {"metric": "precision", "positive_rate": 0.1}, "positive_rate= cannot be combined"),
        (OF_METRICS, {"metric": "precision", "y_pred": 0 * MODELS["a"]}, "have a value at every level.*at 0 it"),
        (OF_METRICS, {"metric": "f1", "groups": None}, "crossed= needs groups="),
        (COMPARE, {"statistic": "average_precision"}, "losses and means, not for AP"),
        (COMPARE, {"multi_class": "ovr"}, "multi_class= cannot be combined"),
        (partial(sk.bootstrap_loss, **OF_LABELS), {"sampling": "stratified"}, "sampling must be left at 'full'"),
    ],
)
def test_metrics_refuse_what_is_not_built(ask, options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        ask(**options)
