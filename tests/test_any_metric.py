"""Metrics of several classes, and functions of truth and predictions that take weights."""

import inspect
import re
import warnings
from functools import partial
from itertools import cycle

import numpy as np
import pytest
from budget import assert_limits, assert_standard_errors
from numpy.testing import assert_allclose
from scipy.stats import binomtest
from sklearn import metrics
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import UndefinedMetricWarning

import skcostci as sk

RNG = np.random.default_rng(7)


def guesses(y, right, classes, rng=RNG):
    """Labels that are right with some probability, else anything."""
    return np.where(rng.random(len(y)) < right, y, rng.integers(0, classes, len(y)))


Y = RNG.integers(0, 4, 160)
A, B = guesses(Y, 0.8, 4), guesses(Y, 0.5, 4)
NEVER = np.where(A == 3, 0, A)  # class 3 is never predicted
BEYOND = np.where(RNG.random(160) < 0.05, 5, A)  # a class that no case has
MACRO = partial(metrics.f1_score, average="macro")
QUADRATIC = partial(metrics.cohen_kappa_score, weights="quadratic")
AVERAGED = {"precision": metrics.precision_score, "f1": metrics.f1_score}


def shown(value):
    """What a test is called by: functions without their addresses, which differ between processes."""
    return re.sub(r" at 0x[0-9a-f]+", "", str(value)) if callable(value) else None


def quietly(function, *given, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*given, **options)


def interval(result, level=0.95):
    return np.array(result.confidence_interval(level))


OF_TWO_CLASSES = ["lr_positive", "lr_negative", "youden", "diagnostic_odds_ratio", "ets", "lift"]


@pytest.mark.parametrize(
    ("metric", "groups"), list(zip(OF_TWO_CLASSES, cycle([None, np.arange(120) // 3]), strict=False)), ids=shown
)
def test_metrics_without_an_average_have_a_point_a_class(metric, groups):
    """Each class against the rest: the result of two classes."""
    y, a, b = Y[:120], A[:120], A[119::-1]
    every = sk.bootstrap_metric(y, a, metric, average=None, groups=groups)
    assert list(every.to_frame())[:-3] == ["label", "estimate", "standard_error", "low", "high"]
    apart = sk.bootstrap_metric_difference(y, a, b, metric, average=None, groups=groups)
    assert every.labels.tolist() == apart.labels.tolist() == [0, 1, 2, 3]
    bounded = metric == "youden"  # where limits do not take seconds
    limits = {id(found): (found.confidence_interval(), found.pvalue(null=0.4)) for found in (every, apart) if bounded}
    for k in range(4):
        one = sk.bootstrap_metric(y == k, a == k, metric, groups=groups)
        pair = sk.bootstrap_metric_difference(y == k, a == k, b == k, metric, groups=groups)
        for found, right in ((every, one), (apart, pair)):
            assert_allclose(found.estimate[k], right.estimate, rtol=1e-12)
            assert_allclose(found.standard_error[k], right.standard_error, rtol=1e-9)
            if bounded and k % 2:
                interval, pvalue = limits[id(found)]
                assert_allclose([end[k] for end in interval], right.confidence_interval(), rtol=1e-9)
                assert_allclose(pvalue[k], right.pvalue(null=0.4), rtol=1e-6)


def test_a_class_without_cases_has_no_likelihood_ratio():
    y, guess = ["a", "b", "a", "b"] * 5, ["a", "b", "b", "a"] * 5
    result = sk.bootstrap_metric(y, guess, "lr_positive", average=None, labels=["a", "z"])
    assert result.defined.tolist() == [True, False]
    assert result.to_frame()["note"].tolist() == ["", "undefined (no positives)"]
    assert [float(end[1]) for end in result.confidence_interval()] == [0, np.inf]
    with pytest.raises(ValueError, match="average=None, one value per class"):
        sk.bootstrap_metric(Y, A, "lr_positive")


@pytest.mark.parametrize(
    ("name", "options", "function", "more"),
    [
        ("f1", {"average": "macro"}, MACRO, {"sampling": "stratified"}),
        (*("kappa", {"kappa_weights": "quadratic"}), QUADRATIC, {"groups": np.arange(32) // 4}),
        ("mcc", {}, metrics.matthews_corrcoef, {"folds": np.arange(32) % 4}),
    ],
    ids=shown,
)
def test_functions_are_as_names(name, options, function, more):
    y, a, b = Y[:32], A[:32], B[:32]
    one, two = partial(sk.bootstrap_metric, y, a), partial(sk.bootstrap_metric_difference, y, a, b)
    for ask, rows in ((one, more), (two, {})):
        by_name, by_function = ask(name, **options, **rows), ask(function, **rows)
        assert_allclose(by_function.estimate, by_name.estimate, rtol=1e-12)
        assert_standard_errors(by_function.standard_error, by_name.standard_error)
        assert_limits(interval(by_function), interval(by_name))


ASKED = {
    "stratified": ("recall", {"average": "macro", "sampling": "stratified"}),
    "each": ("f1", {"average": None}),
    "function": (MACRO, {}),
    "unbounded groups": (metrics.r2_score, {"groups": np.arange(40) // 4}),
}


@pytest.mark.parametrize(("metric", "options"), ASKED.values(), ids=ASKED)
def test_intervals_nest_and_p_values_of_differences_are_intervals(metric, options):
    y, a, b = Y[:40], A[:40], B[:40]
    result = sk.bootstrap_metric(y, a, metric, **options)
    lows, highs = np.array([interval(result, level) for level in (0.1, 0.95, 0.99999)]).swapaxes(0, 1)
    assert (np.diff(lows, axis=0) <= 1e-12).all()
    assert (np.diff(highs, axis=0) >= -1e-12).all()
    assert (lows[0] <= result.estimate).all()
    assert (highs[0] >= result.estimate).all()
    difference = sk.bootstrap_metric_difference(y, a, b, metric, **options)
    assert_allclose(difference.estimate, result.estimate - sk.bootstrap_metric(y, b, metric, **options).estimate)
    null = float(np.mean(difference.estimate)) / 3
    for method in difference.methods:
        for place, p in enumerate(np.atleast_1d(difference.pvalue(null=null, method=method))):
            for off, holds in ((1e-6, True), (-1e-6, False)):
                level = np.clip(1 - p + off * p, 1e-9, 1 - 1e-12)
                low, high = (np.ravel(end)[place] for end in difference.confidence_interval(level, method=method))
                assert (low <= null <= high) == holds or not 1e-9 < p < 1 - 1e-6


def test_the_accuracy_of_several_classes_has_its_exact_law():
    result = sk.bootstrap_metric(Y, A, "accuracy")
    low, high = binomtest(int((Y == A).sum()), len(Y)).proportion_ci()
    assert_allclose(interval(sk.bootstrap_metric(Y, A, "accuracy")), [low, high], rtol=1e-9)
    assert 0.4 < result.cdf(float(result)) < 0.6
    assert_allclose(interval(sk.bootstrap_metric(Y, A, "hamming")), [1 - high, 1 - low], rtol=1e-9)


def test_near_perfection_no_interval_is_a_point():
    for metric, options in (("f1", {"average": "macro"}), ("kappa", {}), (MACRO, {}), ("mcc", {})):
        low, high = sk.bootstrap_metric(Y, Y, metric, **options).confidence_interval()
        assert 0.8 < low < 1 == high
    low, high = sk.bootstrap_metric(Y, Y, metrics.mean_absolute_error).confidence_interval()
    assert (low, high) == (0, np.inf)  # nothing is known of how large an error can be
    low, high = sk.bootstrap_metric(Y, Y, metrics.mean_absolute_error, range=(0, 3)).confidence_interval()
    assert low == 0 < high < 0.2


def test_unbounded_functions_say_what_is_not_held():
    result = sk.bootstrap_metric(Y, A, metrics.mean_squared_error)
    assert result.methods[0] == "extrapolated"
    assert "rare large errors are not allowed for" in repr(result)
    amounts, errors = np.arange(60) / 7, RNG.normal(size=60)
    bounded = sk.bootstrap_metric(amounts, amounts + errors, metrics.mean_squared_error, range=(0, 25))
    assert "not allowed for" not in repr(bounded)
    mean = sk.bootstrap_mean(errors**2, least=0, most=25)
    assert_allclose(interval(bounded), interval(mean), rtol=0.15)  # two bounds with one end


def test_comparisons_of_averages_and_functions():
    y, models = Y[:48], {"a": A[:48], "b": B[:48]}
    by_name = sk.compare_models(y, models, "f1", average="macro")
    by_function = sk.compare_models(y, models, MACRO)
    assert_allclose(by_name.estimate, by_function.estimate)
    assert_allclose(by_name.differences.pvalue()[0], by_function.differences.pvalue()[0], rtol=1e-3)
    assert by_name.may_be_best()[0] == "a"
    errors = sk.compare_models(y, models, metrics.mean_squared_error)
    assert not errors.greater_is_better
    assert errors.may_be_best() == ("a",)
    parts = sk.compare_groups(Y, A, np.arange(160) % 2, "f1", average="macro")
    assert_allclose(parts.estimate, [MACRO(Y[part::2], A[part::2]) for part in (0, 1)])


def test_other_names():
    y, guess = Y % 2, A % 2
    for name, other in (("recall", "hit_rate"), ("specificity", "tnr"), ("precision", "ppv"), ("kappa", "cohen_kappa")):
        assert sk.bootstrap_metric(y, guess, other) == sk.bootstrap_metric(y, guess, name)
    rates = [float(sk.bootstrap_metric(y, guess, name)) for name in ("fpr", "fnr", "selection_rate")]
    assert rates == pytest.approx([np.mean(guess[y == 0]), 1 - np.mean(guess[y == 1]), np.mean(guess)])


def no_weights(y_true, y_pred):
    return 0.5


def total(y_true, y_pred, sample_weight):
    return float(sample_weight.sum())


def no_use_of_weights(y_true, y_pred, sample_weight):
    return float(np.mean(y_true != y_pred))


def not_a_number(y_true, y_pred, sample_weight):
    return float("nan")


WRONG = {  # a metric by name or a function, its options, and what is said of them
    r"got 4 classes .*Or use average='macro', 'micro', 'weighted' or None": ("f1", {}),
    "average must be one of 'binary', .*got 'samples'.*one value per class": ("f1", {"average": "samples"}),
    "thresholds is for two classes.*y_true == label": ("f1", {"average": "macro", "thresholds": 0.5}),
    "prevalence is for two classes": ("f1", {"average": "macro", "prevalence": 0.1}),
    "average='macro' is for ratios of counts.*kappa has a single value": ("kappa", {"average": "macro"}),
    "kappa_weights are for kappa, got 'linear' for f1": ("f1", {"average": "macro", "kappa_weights": "linear"}),
    "kappa_weights must be one of 'linear', 'quadratic', got 'cubic'": ("kappa", {"kappa_weights": "cubic"}),
    r"labels must contain every label that occurs.*missing: \[2, 3\]": ("mcc", {"labels": [0, 1]}),
    "labels need average='macro'": ("f1", {"labels": [0, 1]}),
    "range is for functions": ("f1", {"range": (0, 1)}),
    "got 'sensitivty'. Did you mean 'sensitivity'": ("sensitivty", {}),
    "metric must not change when all weights are doubled.*total changes from 160 to 320": (total, {}),
    "rows of weight 0 have no effect; no_use_of_weights is .* with some rows": (no_use_of_weights, {}),
    "metric must return a finite number.*: not_a_number is nan on these data, which has no sta": (not_a_number, {}),
    "average is for metrics by name.*functools.partial": (MACRO, {"average": "macro"}),
    "thresholds is for two classes": (MACRO, {"thresholds": 0.5}),
    "range of f1_score.* must contain its value on the data": (MACRO, {"range": (0, 0.1)}),
    r"range must be a pair \(smallest, largest\)": (MACRO, {"range": (1, 0)}),
    "at least two groups": (MACRO, {"groups": Y, "folds": Y}),
    "each group must be in one fold": (MACRO, {"groups": np.arange(160) // 4, "folds": Y}),
}
WRONG_TYPES = {
    "weights of disagreements for kappa are kappa_weights": ("kappa", {"weights": "linear"}),
    r"metric must be a function metric\(y_true, y_pred, sample_weight=w\).*no_weights": (no_weights, {}),
}


@pytest.mark.parametrize("message", [*WRONG, *WRONG_TYPES])
def test_wrong_questions_are_told_so(message):
    metric, options = {**WRONG, **WRONG_TYPES}[message]
    with pytest.raises(TypeError if message in WRONG_TYPES else ValueError, match=f"(?s){message}"):
        sk.bootstrap_metric(Y, A, metric, **options)


def log_odds(y_true, y_pred, sample_weight):
    with np.errstate(divide="ignore", invalid="ignore"):
        tp, fn, fp, tn = (sample_weight @ ((y_true == i) & (y_pred == j)) for i in (1, 0) for j in (1, 0))
        return np.log(tp * tn / (fn * fp))


def entropy_of_weights(y_true, y_pred, sample_weight):
    with np.errstate(divide="ignore", invalid="ignore"):
        return -np.sum(sample_weight * (np.log(sample_weight) - np.log(sample_weight.sum()))) / sample_weight.sum()


def test_a_function_may_be_infinite_without_some_rows():
    y_true, y_pred = np.repeat([1, 0], 60), np.repeat([1, 0, 1, 0], [48, 12, 15, 45])
    error = np.sqrt(1 / 48 + 1 / 12 + 1 / 15 + 1 / 45)
    for options in ({}, {"sampling": "stratified"}, {"range": (-9, 9)}):
        result = sk.bootstrap_metric(y_true, y_pred, log_odds, **options)
        assert_allclose([float(result), result.standard_error], [np.log(12), error], rtol=1e-5)
    with pytest.raises(ValueError, match="log_odds is inf on these data"):
        sk.bootstrap_metric(y_true, np.maximum(y_pred, y_true), log_odds)
    with pytest.raises(ValueError, match="entropy_of_weights is nan when the weights of rows are moved"):
        sk.bootstrap_metric(y_true, y_pred, entropy_of_weights)


KNOWN = [
    *(metrics.mean_squared_error, metrics.mean_absolute_error, metrics.mean_absolute_percentage_error),
    *(metrics.mean_squared_log_error, metrics.mean_poisson_deviance, metrics.mean_gamma_deviance),
    *(metrics.r2_score, metrics.explained_variance_score, partial(metrics.r2_score, multioutput="variance_weighted")),
    *(partial(metrics.mean_pinball_loss, alpha=0.8), partial(metrics.mean_tweedie_deviance, power=1.5)),
    *(partial(metrics.mean_tweedie_deviance, power=0), metrics.r2_score),
]
ROWS = [{"sample_weight": np.arange(30) % 3}, {"groups": np.arange(30) // 3}, {"folds": np.arange(30) % 3}]


@pytest.mark.parametrize(("function", "options"), list(zip(KNOWN, cycle(ROWS), strict=False)))
def test_known_functions_of_amounts_are_answered_at_once_as_row_by_row(function, options):
    rng = np.random.default_rng(5)
    y = rng.gamma(3, size=30)
    f, g = y * rng.gamma(20, size=30) / 20, y * rng.gamma(10, size=30) / 10

    def unknown(y_true, y_pred, sample_weight):
        return function(y_true, y_pred, sample_weight=sample_weight)

    how = {"range": (-5, 50), **options}
    known, by_rows = (sk.bootstrap_metric_difference(y, f, g, each, **how) for each in (function, unknown))
    assert_allclose(known.standard_error, by_rows.standard_error, rtol=2e-6)
    assert_allclose(known.confidence_interval(), by_rows.confidence_interval(), rtol=2e-6)


@pytest.mark.parametrize("row", [4, 5])
def test_a_function_is_tried_without_the_even_and_without_the_odd_rows(row):
    def finds_seven(y_true, y_pred, sample_weight):
        return np.average(y_true + y_pred, weights=sample_weight) + (7.0 in y_pred)

    with pytest.raises(ValueError, match="rows of weight 0 have no effect; finds_seven"):
        sk.bootstrap_metric(np.arange(10) / 7, np.where(np.arange(10) == row, 7.0, np.arange(10) / 10), finds_seven)


def test_results_of_functions_with_arrays_as_options_can_be_compared():
    def share(y_true, y_pred, *, of, sample_weight):
        return np.average(np.isin(y_true, of) & (y_true == y_pred), weights=sample_weight)

    found, again = (sk.bootstrap_metric(Y, A, partial(share, of=np.array([1, 2]))) for _ in range(2))
    assert found == again


def test_too_many_rows_and_too_many_classes():
    amounts, many = np.arange(20_001.0) / 7, np.arange(300)
    with pytest.raises(ValueError, match=r"y_true and y_pred must contain at most 20,000 distinct pairs.*got 20,001"):
        sk.bootstrap_metric(amounts, amounts, lambda y, f, sample_weight: sample_weight @ (y - f) ** 2)
    errors = np.arange(20_001) % 7
    known = sk.bootstrap_metric(amounts, amounts + errors, metrics.mean_squared_error)
    expected = (errors**2).mean(), (errors**2).std() / np.sqrt(20_001)
    assert_allclose([known.estimate, known.standard_error], expected, rtol=1e-9)
    with pytest.raises(ValueError, match="y_true and y_pred must contain at most 250 different labels in total, got"):
        sk.bootstrap_metric(many, many, "f1", average="macro")
    with pytest.raises(ValueError, match="kappa is undefined: all cases have one class"):
        sk.bootstrap_metric(["a"] * 5, ["a"] * 5, "kappa", kappa_weights="linear")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options", "function"), [("f1", {"average": "macro"}, MACRO), ("kappa", {}, metrics.cohen_kappa_score)]
)
def test_intervals_cover(name, options, function):
    """Of three classes, the last rare, more of whose cases are wrong."""

    def drawn(n, seed):
        rng = np.random.default_rng(seed)
        y = rng.choice(3, n, p=[0.8, 0.15, 0.05])
        return y, np.where(rng.random(n) < np.array([0.95, 0.8, 0.6])[y], y, (y + rng.integers(1, 3, n)) % 3)

    truth, samples = function(*drawn(2_000_000, 0)), [drawn(100, seed) for seed in range(1, 151)]
    limits = np.array([quietly(sk.bootstrap_metric, *each, name, **options).confidence_interval() for each in samples])
    assert ((limits[:, 0] <= truth) & (truth <= limits[:, 1])).mean() >= 0.915


def test_functions_with_other_options_are_other_estimands():
    y, guess = (Y[:40] > 1).astype(int), (A[:40] > 1).astype(int)
    of = partial(metrics.fbeta_score, labels=np.array([0, 1]))
    two, three, again = (sk.bootstrap_metric(y, guess, partial(of, beta=beta)) for beta in (2, 3, 2))
    assert two.metric == "fbeta_score(beta=2, labels=[0, 1])"
    assert two.estimand == again.estimand
    assert " at 0x" not in repr(two.estimand) + str(two.estimand.to_dict())
    assert float(sk.independent_difference(two, again)) == 0
    results = [sk.bootstrap_metric(y, guess, MACRO, range=ends) for ends in ((0, 1), (0, 2))]
    with pytest.raises(ValueError, match=r"f1_score\(average='macro'\) from 0 to 1 and .* from 0 to 2\.$"):
        sk.independent_difference(*results)
    with pytest.raises(ValueError, match=r"same metric, got fbeta_score\(beta=2, .*\) and fbeta_score\(beta=3, "):
        sk.independent_difference(two, three)


def test_events_that_were_not_seen_are_feared():
    """Of 30 cases at 2.4 % half the samples have no event: the Brier score of one more may be anything up to 1."""
    risks = np.linspace(0.001, 0.1, 30)
    low, high = sk.bootstrap_metric(np.zeros(30, dtype=int), risks, metrics.brier_score_loss).confidence_interval()
    assert low < np.mean(risks**2) < 0.1 < high
    either = sk.bootstrap_metric(np.repeat([0, 1], [29, 1]), risks, metrics.brier_score_loss)
    assert high > 0.9 * (either.confidence_interval().high - either.estimate)


@pytest.mark.parametrize(
    ("average", "sampling"),
    [(None, {}), (None, {"groups": np.arange(160) // 4}), ("macro", {"sampling": "stratified"}), ("micro", {})],
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_a_class_without_cases_has_no_point_for_an_interval(sampling, average):
    result = sk.bootstrap_metric(Y, BEYOND, "recall", average=average, labels=[5, 9], **sampling)
    low, high = result.confidence_interval()
    assert_allclose(result.estimate, 0)
    assert np.all(np.subtract(high, low) > 0.01)


def test_a_report_takes_averages_by_the_names_of_scorers():
    y, scores = (Y > 1).astype(int), np.round((A + B) / 6, 2)
    table = sk.report(y, scores, metrics=("f1_macro", "ppv_weighted"), thresholds=0.5).to_frame()
    for name, metric, average in (("f1_macro", "f1", "macro"), ("ppv_weighted", "precision", "weighted")):
        one = sk.bootstrap_metric(y, (scores >= 0.5).astype(int), metric, average=average)
        (found,) = table[table["metric"] == name][["estimate", "low", "high"]].to_numpy()
        assert_allclose(found, [float(one), *one.confidence_interval()])
    with pytest.raises(ValueError, match="prevalence is for metrics of two classes"):
        sk.report(y, scores, metrics=("f1_macro",), prevalence=0.2)
    with pytest.raises(ValueError, match=r"metrics must be one of .* got 'accuracy_macro'"):
        sk.report(y, scores, metrics=("accuracy_macro",))


LABELS_OF_A_KIND = {
    "int8": lambda code: np.array([-128, 0, 127, 3], np.int8)[code],
    "uint64 far from 0": lambda code: np.array([2**64 - 1, 2**64 - 3, 2**64 - 4, 2**64 - 9], np.uint64)[code],
    "int64 far from 0": lambda code: np.array([-(2**62), 5, 2**62, 7])[code],
    "uint8": lambda code: np.array([11, 10, 13, 12], np.uint8)[code],
    "sparse": lambda code: 1000 * code,
    "float": lambda code: code.astype(np.float32),
    "halves": lambda code: code / 2,
    "text": lambda code: np.array(["b", "a", "dd", "é"])[code],
    "long text": lambda code: np.array([f"{'x' * 9}{i}" for i in range(3, -1, -1)])[code],
    "bytes": lambda code: np.array([b"one", b"two", b"three", b""])[code],
    "objects": lambda code: np.array(["b", "a", "dd", "c"], dtype=object)[code],
    "tuples": lambda code: np.array([(0, 1), (1,), (), (2,), None], dtype=object)[:-1][code],
    "times": lambda code: np.array(["2020-01-02", "2020-01-01", "2021-01-01", "1970-01-01"], "datetime64[D]")[code],
}


@pytest.mark.parametrize(
    ("kind", "metric"), list(zip(LABELS_OF_A_KIND, cycle(["f1", "kappa", "f1", "accuracy"]), strict=False))
)
def test_counts_of_labels_that_are_alike_say_what_rows_one_by_one_do(kind, metric):
    """Every case in a group of its own: rows are then kept apart. The labels are in the order of what they are."""
    rng = np.random.default_rng(3)
    code = rng.integers(0, 4, 120)
    wrong = np.where(rng.random(120) < 0.3, rng.integers(0, 3, 120), code)
    spell = LABELS_OF_A_KIND[kind]
    y, a, b = (spell(each) for each in (code, wrong, code[::-1]))
    how = {"average": "macro" if kind == "tuples" else None} if metric == "f1" else {}
    one = partial(sk.bootstrap_metric, y, a, metric, **how)
    two = partial(sk.bootstrap_metric_difference, y, a, b, metric, **how)
    longer, times = (np.append(each, each[:9]) for each in (y, a)), np.where(np.arange(120) < 9, 2, 1)
    pairs = [(ask(), ask(groups=np.arange(120))) for ask in (one, two)]
    for found, expected in (*pairs, (one(sample_weight=times), sk.bootstrap_metric(*longer, metric, **how))):
        assert_allclose(found.estimate, expected.estimate, rtol=1e-12)
        assert_allclose(found.standard_error, expected.standard_error, rtol=1e-12)
        assert_allclose(found.confidence_interval(), expected.confidence_interval(), rtol=1e-9)
    plain = sk.bootstrap_metric(code, wrong, metric, **how).estimate
    if np.ndim(plain):
        order = np.argsort(spell(np.arange(4)))
        end = 10 if kind == "times" else None  # the day
        assert [str(label)[:end] for label in one().labels] == [str(label)[:end] for label in spell(order)]
        plain = plain[order]
    assert_allclose(one().estimate, plain, rtol=1e-12)


def test_many_texts_are_told_apart():
    names, code = np.array([f"name {i}" for i in range(90)]), np.tile(np.arange(90), 8)
    wrong = np.where(np.arange(len(code)) % 7, code, code[::-1])
    result = sk.bootstrap_metric(names[code], names[wrong], "f1", average="macro")
    assert_allclose(result.estimate, metrics.f1_score(code, wrong, average="macro"), rtol=1e-12)


NOT_ONE_NUMBER = (  # a table, a curve, several numbers, or what takes no truth and prediction of each case
    *("class_likelihood_ratios", "classification_report", "confusion_matrix", "confusion_matrix_at_thresholds"),
    *("det_curve", "multilabel_confusion_matrix", "precision_recall_curve", "precision_recall_fscore_support"),
    *("roc_curve", "coverage_error", "dcg_score", "label_ranking_average_precision_score", "label_ranking_loss"),
    *("ndcg_score", "top_k_accuracy_score", "metric_at_thresholds"),
)
WEIGHTED = {
    name: function
    for name in metrics.__all__
    if callable(function := getattr(metrics, name)) and not isinstance(function, type)
    if "sample_weight" in inspect.signature(function).parameters and name not in NOT_ONE_NUMBER
}
WEIGHTED["fbeta_score"] = partial(metrics.fbeta_score, beta=2)
OF_SCORES = ("average_precision", "roc_auc", "brier", "log_loss", "hinge", "d2_log", "d2_brier")
OF_AMOUNTS = ("_error", "_deviance", "r2", "explained", "d2_", "pinball")
OF_CLASSES = ("accuracy", "balanced", "cohen", "hamming", "matthews", "zero_one")


def data_of(name):
    """Cases of the kind that a metric of scikit-learn takes."""
    of_amounts = any(word in name for word in OF_AMOUNTS) and not name.startswith(OF_SCORES)
    rng, n = np.random.default_rng(0), 60 if of_amounts else 30
    x, noise, uniform = rng.normal(size=n), rng.normal(size=n), rng.random(n)
    risks = 1 / (1 + np.exp(-x))
    y = (uniform < 1 / (1 + np.exp(-1.5 * x))).astype(int)
    if name.startswith(OF_SCORES):
        return y, risks
    if of_amounts:
        return np.exp(2 + 0.5 * x + 0.4 * noise), np.exp(2 + 0.5 * x + 0.2 * rng.normal(size=n))
    return (np.arange(n) % 3, guesses(np.arange(n) % 3, 0.6, 3, rng)) if name.startswith(OF_CLASSES) else (y, x > 0)


@pytest.mark.parametrize("name", WEIGHTED)
def test_scikit_learns_metrics_are_answered_rightly_or_refused(name):
    (y, guess), function = data_of(name), WEIGHTED[name]
    if name == "median_absolute_error":
        said = f"metric must be a smooth function of the sample weights.*; {name} is not"
        with pytest.raises(ValueError, match=said):
            sk.bootstrap_metric(y, guess, function)
        return
    error = quietly(sk.bootstrap_metric, y, guess, function).standard_error
    drawn = np.random.default_rng(0).multinomial(len(y), np.full(len(y), 1 / len(y)), 64)
    assert 0.8 < error / np.std([quietly(function, y, guess, sample_weight=weights) for weights in drawn]) < 1.25


def quantile(y_true, y_pred, sample_weight, level=0.9):
    errors = np.abs(y_true - y_pred)
    order = np.argsort(errors)
    passed = np.cumsum(sample_weight[order])
    return errors[order][np.searchsorted(passed, level * passed[-1])]


def largest(y_true, y_pred, sample_weight):
    return np.abs(y_true - y_pred)[sample_weight > 0].max()


def sensitivity_at_specificity(y_true, y_pred, sample_weight):
    fpr, tpr, _ = metrics.roc_curve(y_true, y_pred, sample_weight=sample_weight)
    return tpr[fpr <= 0.1].max()


def mean_gap(y_true, y_pred, sample_weight, bins=10):
    place = np.minimum((bins * y_pred).astype(int), bins - 1)
    return np.abs(np.bincount(place, sample_weight * (y_true - y_pred))).sum() / sample_weight.sum()


def expected_calibration_error(y_true, y_pred, sample_weight):
    """Smooth, and refused by its name: what is called so has bins."""
    return np.average((y_true - y_pred) ** 2, weights=sample_weight)


CURVES = r"bootstrap_roc_at_fpr or bootstrap_roc_at_tpr.*bootstrap_calibration"
REFUSED = dict.fromkeys([quantile, largest], r"derivatives\.$")
REFUSED |= dict.fromkeys([sensitivity_at_specificity, mean_gap, expected_calibration_error], CURVES)


@pytest.mark.parametrize("function", REFUSED, ids=shown)
def test_what_the_data_choose_is_refused_and_who_answers_is_named(function):
    rng = np.random.default_rng(4)
    y = np.repeat([0, 1], [105, 45])
    risks = 1 / (1 + np.exp(1.6 - 1.5 * y - rng.normal(size=150)))
    y = y if function is sensitivity_at_specificity else (rng.random(150) < risks).astype(int)
    data = data_of("r2_score") if function in (quantile, largest) else (y, risks)
    with pytest.raises(ValueError, match=f"metric must be a smooth function of .*{REFUSED[function]}"):
        sk.bootstrap_metric(*data, function, range=(0, 1) if REFUSED[function] is CURVES else None)


def test_what_is_bent_but_smooth_is_answered_in_few_cases():
    """A sum of slopes to the fourth order: in 20 cases R2 moves by up to a half otherwise than its slopes say."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        y = rng.normal(size=20)
        assert sk.bootstrap_metric(y, y + rng.normal(size=20), metrics.r2_score).standard_error > 0
    wrong = sk.bootstrap_metric([0, 1] * 20, [1, 0] * 20, metrics.cohen_kappa_score)
    assert float(wrong) == -1  # nothing moves to first order at its least
    single = sk.bootstrap_metric([0, 1] * 20, [0] * 39 + [1], metrics.precision_score)
    assert float(single) == 1


def test_a_function_without_a_value_is_undefined():
    y, never = [0, 1] * 20, [0] * 40
    with pytest.raises(ValueError, match="precision_score is undefined: Precision is ill-defined due to no predicted"):
        sk.bootstrap_metric(y, never, metrics.precision_score)
    with pytest.raises(ValueError, match=r"Only one class (is )?present in y_true"):  # scikit-learn < 1.6 raises it
        sk.bootstrap_metric(never, np.arange(40) / 40, metrics.roc_auc_score)
    comparison = sk.compare_models(y, {"a": never, "b": y}, metrics.precision_score)
    assert np.isnan(comparison.estimate[0])
    assert comparison.estimate[1] == 1
    folds = np.arange(40) // 10
    with pytest.raises(ValueError, match=r"precision_score is undefined: .*, in fold number 2 in order of appearance"):
        sk.bootstrap_metric(y, np.where(folds == 1, 0, y), metrics.precision_score, folds=folds)
    scorer = sk.make_bound_scorer(partial(sk.bootstrap_metric, metric=metrics.precision_score))
    model = DummyClassifier(strategy="constant", constant=0).fit(np.zeros((40, 1)), y)
    with pytest.warns(UndefinedMetricWarning, match="precision_score is undefined; the worst possible value"):
        assert scorer(model, np.zeros((40, 1)), y) == 0


@pytest.mark.parametrize(("name", "average"), [("precision", "macro"), ("precision", None), ("f1", "weighted")])
def test_a_class_that_is_never_predicted_counts_by_function_as_by_name(name, average):
    function = partial(AVERAGED[name], average=average)
    y, guess = Y[:40], NEVER[:40]
    by_name = quietly(sk.bootstrap_metric, y, guess, name, average=average)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        by_function = sk.bootstrap_metric(y, guess, function)
    assert [each.category for each in caught] == [UndefinedMetricWarning] * (name == "precision")
    assert_allclose(by_function.estimate, by_name.estimate, rtol=1e-12)
    assert_standard_errors(by_function.standard_error, by_name.standard_error)
    assert_limits(interval(by_function), interval(by_name))
