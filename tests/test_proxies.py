"""Few checked labels beside many of a judge: another programme, all resamples, scikit-learn, and bad input."""

from functools import partial
from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
import sklearn
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.special import expit
from sklearn.metrics import f1_score, roc_auc_score

import skcostci as sk

NONE = float("nan")
CHECKED = [1, 1, 0, 1, 1, 0, 1, 1, 1, 1]
JUDGED = [1, 1, 0, 1, 0, 1, 1, 1, 1, 1]
OTHERS = [1] * 14 + [0] * 6
TRUTH = [1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 0, 1]
PREDICTED = [1, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0]
BY_JUDGE = [1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0, 1]
OTHERS_BY_JUDGE = [1, 0, 1, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0]
OTHERS_PREDICTED = [1, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0]
SCORES = [0.9, 0.8, 0.7, 0.65, 0.6, 0.5, 0.45, 0.4, 0.35, 0.3, 0.2, 0.1]
OTHER_SCORES = [0.95, 0.85, 0.75, 0.7, 0.68, 0.62, 0.55, 0.52, 0.48, 0.42, 0.38, 0.33, 0.28, 0.22, 0.18, 0.15, 0.12]
OTHER_SCORES += [0.08, 0.05, 0.02]


def digits(text):
    return [int(each) for each in text]


def each(*counted):
    return [value for value, many in counted for _ in range(many)]


def mean_of(pairs, others, least=0, most=1):
    """The mean of checked values, of which each has a judge's beside it, and of others."""
    values, judged = zip(*pairs, strict=True)
    return sk.bootstrap_mean([*values, *[NONE] * len(others)], least=least, most=most, proxy=[*judged, *others])


def f1_of(times):
    unknown = [NONE] * len(OTHERS_PREDICTED)
    truth, guess, judged = TRUTH + unknown, PREDICTED + OTHERS_PREDICTED, BY_JUDGE + OTHERS_BY_JUDGE
    return sk.bootstrap_metric(truth * times, guess * times, "f1", proxy=judged * times)


def auc_of(judged):
    truth, others = digits("110110010000"), digits("11101101001000010000")
    return sk.bootstrap_auc((truth + [NONE] * 20) * 4, (SCORES + OTHER_SCORES) * 4, proxy=(digits(judged) + others) * 4)


OF_PROMPTS = {(1, 1): 7, (1, 0): 1, (0, 1): 2, (0, 0): 25, (0, -1): 1, (-1, -1): 3, (-1, 0): 1}
# What an independent prototype of the same formulas gave: weight, estimate, standard error, 95 %, 80 % and 99 % limits.
BY_PROTOTYPE = {
    "mean, few": (
        lambda: mean_of(zip(CHECKED, JUDGED, strict=True), OTHERS),
        (0.0805755396, 0.7919424460, 0.1233091343),
        (0.4447137032, 0.9736968026, 0.5537838548, 0.9410404925, 0.3469166294, 0.9899374898),
    ),
    "mean": (
        lambda: mean_of(each(((1, 1), 26), ((1, 0), 2), ((0, 1), 3), ((0, 0), 9)), each((1, 370), (0, 130))),
        (0.5752584111, 0.7086288762, 0.0541115814),
        (0.5881026108, 0.8148773161, 0.6300813839, 0.7822542583, 0.5481408228, 0.8428771851),
    ),
    "differences of two prompts": (
        lambda: mean_of(each(*OF_PROMPTS.items()), each((1, 60), (0, 120), (-1, 20)), -1),
        (0.4332319100, 0.1324923933, 0.0624089484),
        (-0.0107091182, 0.2709083988, 0.0352464858, 0.2268478074, -0.0534877229, 0.3113776719),
    ),
    "f1, few": (
        lambda: f1_of(1),
        (0.0789885656, 0.7330173502, 0.1471791137),
        (0.3677472165, 0.9706527143, 0.4905438620, 0.9290389013, 0.2603589672, 0.9901306740),
    ),
    "f1": (
        lambda: f1_of(4),
        (0.2079504827, 0.7423963987, 0.0716209607),
        (0.5819552932, 0.8749761454, 0.6394516883, 0.8373453611, 0.5275023297, 0.9046570513),
    ),
    "auc": (
        lambda: auc_of("110100010010"),
        (0.1408483808, 0.8779347610, 0.0480152706),
        (0.7305276891, 0.9585905412, 0.7816003912, 0.9384579037, 0.6798125143, 0.9727411752),
    ),
}


@pytest.mark.parametrize("name", BY_PROTOTYPE)
def test_another_programme_gives_the_same_numbers(name):
    of, (weight, estimate, error), limits = BY_PROTOTYPE[name]
    result = of()
    assert_allclose([result.proxy_weight, result.estimate, result.standard_error], [weight, estimate, error], atol=1e-9)
    found = [end for level in (0.95, 0.8, 0.99) for end in result.confidence_interval(level)]
    assert_allclose(found, limits, atol=1e-8)


def test_where_the_judge_contradicts_the_auc_the_checked_rows_stand_alone():
    result = auc_of("111100010010")
    assert result.proxy_weight == 0
    assert_allclose(result.confidence_interval(), [0.7050523164, 0.9458085126], atol=1e-9)
    assert result.confidence_interval() == result.checked_alone.confidence_interval()


@pytest.mark.parametrize(
    ("ask", "columns", "others", "by_judge"),
    [
        (partial(sk.bootstrap_mean, least=0, most=1), (CHECKED * 2,), (), OTHERS),
        (partial(sk.bootstrap_metric, metric="f1"), (TRUTH, PREDICTED), (OTHERS_PREDICTED,), OTHERS_BY_JUDGE),
    ],
    ids=["mean", "f1"],
)
def test_a_judge_who_contradicts_the_labels_has_no_weight(ask, columns, others, by_judge):
    against = [1 - label for label in columns[0]] + by_judge
    result = ask(*(seen + unseen for seen, unseen in zip(columns, ([NONE] * 20, *others), strict=True)), proxy=against)
    assert result.proxy_weight == 0
    for level in (0.5, 0.95, 0.999):
        assert result.confidence_interval(level) == ask(*columns).confidence_interval(level)


@pytest.mark.parametrize(
    ("checked", "judged", "others"),
    [
        ([1, 1, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0]),
        ([1, 1, 0, 0], [0.97, 0.9, 0.1, 0.02], [0.95, 0.9, 1.0, 0.05]),  # the proxy has more values than the truth
        ([1.0, 0.75, 0.3, 0.1], [1, 1, 0, 0], [1, 1, 1, 0]),  # or fewer
    ],
)
def test_the_distribution_of_a_mean_is_that_of_all_resamples(checked, judged, others):
    """256 resamples of the checked cases times 256 of the others, lam held fixed."""
    result = mean_of(zip(checked, judged, strict=True), others)
    lam = result.proxy_weight
    assert lam > 0
    means = [np.mean([checked[i] - lam * judged[i] for i in drawn]) for drawn in product(range(4), repeat=4)]
    beside = [lam * np.mean([others[i] for i in drawn]) for drawn in product(range(4), repeat=4)]
    every = np.sort(np.add.outer(means, beside).ravel())
    assert_allclose(result.standard_error, every.std(), rtol=1e-12)
    assert_allclose(result.estimate, every.mean(), rtol=1e-12)
    for x in (0.2, 0.5, 0.61, 0.8):
        assert_allclose(result.cdf(x), np.mean(every <= x + 1e-12), atol=1e-12)
    for q in (0.025, 0.3, 0.5, 0.9):
        assert_allclose(result.quantile(q), every[int(np.ceil(q * len(every) - 1e-9)) - 1], atol=1e-9)


def sample(seed, n=60, classes=2):
    """Labels, of which a third are checked, a judge's, two models' predictions, and scores."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, classes, n)
    judged, a, b = (np.where(rng.random(n) < right, truth, rng.integers(0, classes, n)) for right in (0.8, 0.7, 0.6))
    scores = np.round(truth + rng.normal(size=n), 1), np.round(truth + 2 * rng.normal(size=n), 1)
    return truth, np.arange(n) % 3 == 0, judged, (a, b), scores


def macro(truth, guess, weights):
    return f1_score(truth, guess, average="macro", labels=[0, 1, 2], sample_weight=weights)


KINDS = {"labels": (sk.bootstrap_metric, sk.bootstrap_metric_difference)}  # of one model, and of two
KINDS["scores"] = sk.bootstrap_auc, sk.bootstrap_auc_difference
KINDS["risks"] = sk.bootstrap_loss, sk.bootstrap_loss_difference
SKLEARN = {  # how many classes, the value, of what, options
    "f1": (2, lambda y, p, w: f1_score(y, p, sample_weight=w), "labels", {"metric": "f1"}),
    "f1_macro": (3, macro, "labels", {"metric": "f1", "average": "macro"}),
    "accuracy": (3, lambda y, p, w: np.average(y == p, weights=w), "labels", {"metric": "accuracy"}),
    "auc": (2, lambda y, s, w: roc_auc_score(y, s, sample_weight=w), "scores", {}),
    "brier": (2, lambda y, s, w: np.average((y - s) ** 2, weights=w), "risks", {}),
}


def sample_for(name, seed, n=60):
    """As above, with both models' columns of what this statistic takes."""
    classes, _, what, _ = SKLEARN[name]
    truth, checked, judged, guesses, scores = sample(seed, n, classes)
    return truth, checked, judged, {"labels": guesses, "scores": scores, "risks": tuple(map(expit, scores))}[what]


def asked_of(name, truth, checked, judged, columns, **options):
    """One model, or two."""
    _, _, what, how = SKLEARN[name]
    return KINDS[what][len(columns) - 1](np.where(checked, truth, np.nan), *columns, proxy=judged, **how, **options)


@pytest.mark.parametrize("two", [False, True])
@pytest.mark.parametrize("name", SKLEARN)
def test_estimate_and_standard_error_are_what_weighted_cases_say(name, two):
    """T_c + lam (T_o - T_j) by scikit-learn; influences are derivatives by the weight of one case at a time."""
    truth, checked, judged, columns = sample_for(name, 3, 30)
    result, step = asked_of(name, truth, checked, judged, columns[: 1 + two]), 1e-5

    def of(labels, rows, weights):
        found = [SKLEARN[name][1](labels[rows], column[rows], weights) for column in columns[: 1 + two]]
        return found[0] - found[1] if two else found[0]

    values, slopes = [], []
    for labels, rows in ((truth, checked), (judged, checked), (judged, ~checked)):
        moved = np.eye(rows.sum()) * step
        values.append(of(labels, rows, np.ones(rows.sum())))
        with sklearn.config_context(assume_finite=True, skip_parameter_validation=True):
            slopes.append(np.array([of(labels, rows, 1 + m) - of(labels, rows, 1 - m) for m in moved]) / (2 * step))
    (of_truth, of_judge, of_others), lam = slopes, result.proxy_weight
    assert_allclose(result.estimate, values[0] + lam * (values[2] - values[1]), rtol=1e-12)
    error = np.sqrt(((of_truth - lam * of_judge) ** 2).sum() + lam**2 * (of_others**2).sum())
    assert_allclose(result.standard_error, error, rtol=1e-6)
    assert_allclose(result.checked_alone.estimate, values[0], rtol=1e-12)


@pytest.mark.parametrize("name", SKLEARN)
def test_groups_of_one_case_are_cases_and_others_are_drawn_whole(name):
    truth, checked, judged, (column, _) = sample_for(name, 4)
    row = np.arange(len(truth))
    alone = asked_of(name, truth, checked, judged, [column])
    each = asked_of(name, truth, checked, judged, [column], groups=row)
    # Of an AUC, and of averages over classes, each part of an unseen group is at its own worst.
    tolerance = 0.05 if name in ("auc", "f1_macro") else 1e-9
    of_groups = each.confidence_interval(method="unseen_group")
    assert_allclose(of_groups, alone.confidence_interval(method="unseen_case"), atol=tolerance)
    twice = np.concatenate([row, row])
    pairs = asked_of(name, truth[twice], checked[twice], judged[twice], [column[twice]], groups=twice)
    assert (pairs.methods[0], pairs.n_groups) == ("extrapolated", len(truth))
    assert_allclose(pairs.estimate, each.estimate, atol=0.01)
    assert_allclose(pairs.standard_error, each.standard_error, rtol=0.1)  # as many units, of a size of two


def test_groups_with_checked_rows_and_others_are_one_stratum():
    """The standard error of a mean is that of what each group adds: its rows of both kinds together."""
    rng = np.random.default_rng(11)
    group = np.repeat(np.arange(40), 5)
    truth = (rng.random(200) < np.repeat(rng.beta(2, 1, 40), 5)).astype(float)
    judged, checked = np.where(rng.random(200) < 0.9, truth, 1 - truth), np.arange(200) % 5 < 2
    result = sk.bootstrap_mean(np.where(checked, truth, NONE), least=0, most=1, proxy=judged, groups=group)
    lam = result.proxy_weight
    of_checked = (truth - lam * judged)[checked]
    added = np.bincount(group[checked], (of_checked - of_checked.mean()) / checked.sum(), 40)
    added += lam * np.bincount(group[~checked], (judged[~checked] - judged[~checked].mean()) / (~checked).sum(), 40)
    assert 0 < lam < 1
    assert_allclose(result.standard_error, np.sqrt(((added - added.mean()) ** 2).sum()), rtol=1e-9)


@settings(max_examples=10)
@given(seed=st.integers(0, 2**32 - 1), name=st.sampled_from(sorted(SKLEARN)))
def test_levels_nest(seed, name):
    *rows, (column, _) = sample_for(name, seed)
    result = asked_of(name, *rows, [column])
    limits = np.array([result.confidence_interval(level) for level in (0.5, 0.8, 0.95, 0.99, 0.9999)])
    assert (np.diff(limits * [-1, 1], axis=0) >= 0).all()
    assert all(0 <= value <= 1 for value in (*limits.ravel(), result.proxy_weight))


def test_a_judge_who_is_right_leaves_what_all_rows_say():
    truth, checked, _, (a, _), _ = sample(6, n=3000)
    result, every = asked_of("f1", truth, checked, truth, [a]), sk.bootstrap_metric(truth, a, "f1")
    assert_allclose(result.estimate, every.estimate, atol=0.002)
    assert_allclose(result.confidence_interval(), every.confidence_interval(), atol=0.005)


def test_checked_labels_say_what_values_there_are_and_not_the_proxies_probabilities():
    checked = np.arange(60) % 3 == 0
    mean = partial(sk.bootstrap_mean, np.where(checked, 1.0, np.nan), proxy=np.linspace(0.3, 0.9, 60), checked=checked)
    assert_allclose(mean().confidence_interval(), mean(least=0, most=1).confidence_interval(), rtol=1e-12)


def test_labels_may_be_missing_in_any_way_or_be_hidden():
    truth, checked, judged, (a, _), _ = sample(7, classes=3)
    names = np.array(["bird", "cat", "dog"], dtype=object)
    ask = partial(sk.bootstrap_metric, metric="f1", average="macro", proxy=names[judged])
    seen = np.where(checked, names[truth], None)
    expected = ask(seen, names[a])
    for missing in (NONE, pd.NA):
        assert ask([y if look else missing for y, look in zip(seen, checked, strict=True)], names[a]) == expected
    for looked in (checked, checked.astype(int), checked[:, None], checked.tolist()):
        assert ask(names[truth], names[a], checked=looked) == expected
    frame = pd.DataFrame({"y": seen, "p": names[a], "j": names[judged]})
    assert ask(frame.y, frame.p, proxy=frame.j) == expected
    by_number = ask(pd.array(np.where(checked, truth, None), dtype="Int64"), a, proxy=judged)
    assert_allclose(by_number.confidence_interval(), expected.confidence_interval())


def test_models_have_one_weight_so_that_estimates_differ_by_their_differences():
    truth, checked, judged, (a, b), scores = sample(8)
    for statistic, columns in (("f1", {"a": a, "b": b, "c": judged}), ("auc", dict(zip("ab", scores, strict=True)))):
        comparison = sk.compare_models(np.where(checked, truth, np.nan), columns, statistic, proxy=judged)
        pairs = [one - other for one, other in combinations(comparison.estimate, 2)]
        assert_allclose(np.ravel(comparison.differences.estimate), pairs, atol=1e-12)


def test_a_report_says_what_comparisons_do_and_draws_no_curves():
    truth, checked, judged, _, scores = sample(12, n=150)
    unseen, models = np.where(checked, truth, np.nan), {"a": expit(scores[0]), "b": expit(scores[1])}
    found = sk.report(unseen, models, metrics=("roc_auc", "brier", "f1"), proxy=judged)
    frame, labels = found.to_frame(), {name: (values >= 0.5).astype(int) for name, values in models.items()}
    for name, columns in (("auc", models), ("brier", models), ("f1", labels)):
        expected, own = sk.compare_models(unseen, columns, name, proxy=judged), frame[frame.metric == name]
        assert_allclose(own.estimate, [*expected.estimate, *np.ravel(expected.differences.estimate)], rtol=1e-12)
        assert_allclose(own.low[:2], expected.confidence_interval().low, rtol=1e-12)
        assert_allclose(own.p.iloc[-1], float(np.ravel(expected.differences.pvalue())[0]), rtol=1e-9)
    assert "Estimates are for checked labels of\nall cases" in str(found)
    told = found.to_dict()["made"]
    assert (told["n_cases"], told["n_checked"], told["n_positive"]) == (150, 50, int(truth[checked].sum()))
    assert "ROC curves" not in found.to_html()


def test_subgroups_are_what_each_would_be_by_itself():
    truth, checked, judged, (a, _), _ = sample(9)
    by = np.where(np.arange(len(truth)) % 2, "odd", "even")
    comparison = sk.compare_groups(np.where(checked, truth, np.nan), a, by, "f1", proxy=judged)
    for place, name in enumerate(("even", "odd")):
        own = by == name
        alone = asked_of("f1", truth[own], checked[own], judged[own], [a[own]])
        assert_allclose(comparison.estimate[place], alone.estimate, rtol=1e-12)


def test_what_it_is_about_is_said():
    result = f1_of(1)
    assert (result.n_checked, result.estimand.proxy, result.to_dict()["estimand"]["proxy"]) == (12, True, True)
    assert "had every case a checked label; checked cases drawn at random" in result._repr_html_()
    assert sk.bootstrap_metric(TRUTH, PREDICTED, "f1").proxy_weight is None


RANKED = SCORES + OTHER_SCORES
GIVEN = {"y_true": TRUTH + [NONE] * 20, "y_pred": PREDICTED + OTHERS_PREDICTED, "proxy": BY_JUDGE + OTHERS_BY_JUDGE}
F1 = partial(sk.bootstrap_metric, **GIVEN, metric="f1")
AREA = partial(sk.bootstrap_auc, y_true=GIVEN["y_true"], y_score=RANKED, proxy=GIVEN["proxy"])
LOSS = partial(sk.bootstrap_loss, GIVEN["y_true"], RANKED, proxy=GIVEN["proxy"])
MEAN = partial(sk.bootstrap_mean, [0, 1, 1, NONE])
MACRO = partial(sk.bootstrap_metric, [*"abca", None, None], [*"abcaab"], "f1", average="macro")
BY_NAME, PAIR = {"y_true": GIVEN["y_true"], "proxy": [1, 0] * 16}, (TRUTH, PREDICTED, BY_JUDGE)
COMPARE = partial(sk.compare_models, y_scores={"a": [1] * 32, "b": [0, 1] * 16}, **BY_NAME)
REPORT = partial(sk.report, y_scores=[0.5] * 32, **BY_NAME)
EIGHT = [1, 0, 1, 0, 1, NONE, NONE, NONE], [1, 0] * 4, [*"aaaabbba"]


BAD = [
    (F1, {"y_true": [NONE] * 3 + [1] + [NONE] * 28}, r"at least two checked rows, got 1 \(row 3\)"),
    (F1, {"y_true": [None] * 32}, "at least two checked rows, got 0"),
    (F1, {"proxy": [1] * 5 + [None] + [0] * 26}, "missing at position 5"),
    (F1, {"proxy": [1, 0, 1]}, "y_true and proxy must have the same length.*32, 3"),
    (F1, {"checked": [0, 3, 5]}, "checked must be True or False for each of 32 rows"),
    (F1, {"checked": [True] * 32}, "checked is True at position 12, where y_true is missing"),
    (F1, {"proxy": [0.7, *[1, 0] * 15, 0]}, "proxy must contain labels, as y_true does, got 0.7"),
    (F1, {"sample_weight": [1] * 32}, "sample_weight= cannot be combined with proxy="),
    (F1, {"folds": [0, 1] * 16}, "folds= cannot be combined with proxy="),
    (F1, {"groups": [*range(16)] * 2, "crossed": [0] * 16 + [1] * 16}, "crossed= cannot be combined with proxy="),
    (F1, {"prevalence": 0.2}, "prevalence= cannot be combined with proxy="),
    (F1, {"thresholds": "youden", "y_pred": RANKED}, "thresholds='youden' cannot be combined with proxy="),
    (F1, {"sampling": "stratified"}, "sampling must be left at None with proxy="),
    (F1, {"metric": f1_score}, "is for metrics by name, got a function"),
    (F1, {"metric": "lr_positive"}, "metric with a smallest and a largest value"),
    (AREA, {"sampling": "stratified"}, "sampling='stratified' cannot be combined with proxy="),
    (AREA, {"max_fpr": 0.2}, "max_fpr= cannot be combined with proxy="),
    (LOSS, {"loss": "squared_error"}, "needs a loss with a smallest and a largest value, got 'squared_error'"),
    (LOSS, {"loss": "log_loss"}, "needs a loss with a smallest and a largest value, got 'log_loss'"),
    (AREA, {"y_true": [1] * 12 + [NONE] * 20}, "checked rows of both classes; none has class 0"),
    (AREA, {"y_true": [1, 0] * 16, "time": [3] * 32, "horizon": 2}, "proxy cannot be combined with time and horizon"),
    (partial(sk.bootstrap_metric, TRUTH, PREDICTED, "f1"), {"checked": [True] * 12}, "checked= needs proxy="),
    (partial(sk.bootstrap_metric, [1, 0, None], [1, 0, 1]), {"metric": "f1"}, "pass its labels as proxy="),
    (MEAN, {"proxy": [1, 5, 4, 2]}, "lie between the smallest and the largest of the values, 0 and 1, got 5"),
    (partial(sk.bootstrap_mean_difference, [0, 1, NONE], [1, 1, 0]), {"proxy": [1, 0, 1]}, "proxy must be a pair"),
    (partial(sk.bootstrap_metric_difference, *PAIR, "f1"), {"proxy": (TRUTH, TRUTH)}, "proxy must be one-dimensional"),
    (MACRO, {"proxy": [*"abca", "unsure", "a"]}, "proxy contains the label 'unsure'"),
    (COMPARE, {"statistic": "cost", "probability_cost": 0.5}, "not for cost"),
    (REPORT, {"metrics": "cost"}, "proxy= is available for AUCs, Brier scores and metrics of labels, got 'cost'"),
    (partial(sk.compare_groups, *EIGHT, "f1"), {"proxy": [1, 0] * 4}, "in every subgroup of by; 'b' has 1"),
]


@pytest.mark.parametrize(("ask", "options", "message"), BAD)
def test_what_cannot_be_answered_says_why(ask, options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        ask(**options)


def test_warnings_tell_what_a_proxy_did_not_bring():
    with pytest.warns(UserWarning, match="Every row is checked: the proxy was not used"):
        every = sk.bootstrap_metric(TRUTH, PREDICTED, "f1", proxy=BY_JUDGE)
    assert every == sk.bootstrap_metric(TRUTH, PREDICTED, "f1")
    with pytest.warns(UserWarning, match="one class among the other rows"):
        assert AREA(proxy=BY_JUDGE + [0] * 20).proxy_weight == 0
    graded = np.linspace(0, 1, 90)
    rows = ([1] * 30 + [NONE] * 60, [1] * 30 + [0] * 60), (np.where(graded < 0.3, graded, NONE), graded)
    for values, proxy in rows:
        with pytest.warns(UserWarning, match="checked rows differ from the others in proxy"):
            sk.bootstrap_mean(values, least=0, most=1, proxy=proxy)


def refused_with_a_proxy():
    """Calls that take no proxy, by name."""
    rng, row = np.random.default_rng(5), np.arange(60)
    y, classes, score, shares = row % 2, row % 3, rng.random(60), rng.dirichlet([1, 1, 1], 60)
    labels, groups = (rng.random((60, 3)) > 0.5).astype(int), partial(sk.compare_groups, by=row % 5 > 2)

    def models(y, scores, statistic, **options):
        return partial(sk.compare_models, y, {"a": scores, "b": scores[::-1]}, statistic, **options)

    return {
        "auc, classes": partial(sk.bootstrap_auc, classes, shares, multi_class="ovr"),
        "auc, labels": partial(sk.bootstrap_auc, labels, shares),
        "roc_auc_ovr": models(classes, shares, "roc_auc_ovr"),
        "auc, multi_class": models(classes, shares, "auc", multi_class="ovo"),
        "auc, label table": models(labels, shares, "auc"),
        "roc_auc_ovr, groups": partial(groups, classes, shares, statistic="roc_auc_ovr"),
        "auc, labels, groups": partial(groups, labels, shares, statistic="auc"),
        "gini": models(y, score, "gini"),
        "eer": partial(groups, y, score, statistic="eer"),
        "cost": models(y, score, "cost", probability_cost=0.5),
        "mean": models(None, score, "mean"),
        "average_precision": models(y, score, "average_precision"),
        "tpr_at_fpr": models(y, score, "tpr_at_fpr", fpr=0.1),
        "ks": partial(groups, y, score, statistic="ks"),
    }


@pytest.mark.parametrize("name", refused_with_a_proxy())
def test_a_proxy_or_checked_rows_are_never_ignored(name):
    """Where a statistic takes none, both are refused, alone and together."""
    asked, checked = refused_with_a_proxy()[name], np.arange(60) < 40
    with pytest.raises((TypeError, ValueError), match="proxy"):
        asked(proxy=np.arange(60) % 2, checked=checked)
    with pytest.raises((TypeError, ValueError), match=r"proxy|checked"):
        asked(checked=checked)
