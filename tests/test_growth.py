"""What growth costs: a metric is one line, and an interval method cannot be forgotten."""

import inspect
import re
import warnings
from functools import partial

import numpy as np
import pytest
import sklearn.metrics
from numpy.testing import assert_allclose
from public import TITLES
from scipy.stats import norm
from sklearn.linear_model import LogisticRegression
from statistics_list import BELONGING, STATISTICS, Cases, about, parts

import skcostci as sk

THREAT = sk.Metric((1, 0, 0, 0), (1, 2, 1, 0), name="threat")  # in no list of the library
RNG = np.random.default_rng(3)
Y = np.repeat([0, 1], [40, 25])
SCORES = {name: RNG.normal(size=65) + shift * Y for name, shift in (("a", 1.8), ("b", 1.0), ("c", 0.3))}
LABELS = {name: (scores > 0.7).astype(int) for name, scores in SCORES.items()}


def threat(y_true, y_pred):
    hits, misses = (y_pred[y_true == 1] == 1).sum(), (y_pred[y_true == 1] == 0).sum()
    return hits / (hits + 2 * misses + (y_pred[y_true == 0] == 1).sum())


def test_a_metric_of_one_line_has_all_that_others_have():
    result = sk.bootstrap_metric(Y, LABELS["a"], THREAT)
    low, high = result.confidence_interval(0.9)
    assert_allclose(float(result), threat(Y, LABELS["a"]), rtol=1e-14)
    assert low < float(result) < high
    assert 0.05 < result.cdf(float(result)) < 0.95
    difference = sk.bootstrap_metric_difference(Y, LABELS["a"], LABELS["c"], THREAT)
    assert_allclose(float(difference), threat(Y, LABELS["a"]) - threat(Y, LABELS["c"]), rtol=1e-13)
    low, high = difference.confidence_interval()
    assert low < float(difference) < high
    assert (difference.pvalue() < 0.05) == (low > 0 or high < 0)
    compared = sk.compare_models(Y, LABELS, THREAT)
    assert_allclose(compared.estimate, [threat(Y, labels) for labels in LABELS.values()], rtol=1e-13)
    assert compared.differences.pvalue().shape == (3,)
    features = SCORES["a"][:, None]
    model = LogisticRegression().fit(features, Y)
    assert_allclose(sk.make_metric_scorer(THREAT)(model, features, Y), threat(Y, model.predict(features)), rtol=1e-14)
    display = sk.MetricThresholdDisplay.from_predictions(Y, SCORES["a"], metrics=THREAT)
    assert display.labels == ["Threat"]
    assert (display.low <= display.values).all()


NO_NAMES = "rand|mutual|homogen|complet|v_measure|fowlkes|median|max_error|samples|percentage"
NAMES = [name for name in sklearn.metrics.get_scorer_names() if not re.search(NO_NAMES, name)]
CLASSES = np.arange(65) % 3
TABLE = np.eye(3)[(CLASSES + (RNG.random(65) < 0.3)) % 3] + RNG.random((65, 3))
RISKS = (1 + np.tanh(SCORES["a"] - 1)) / 2
DATA = {
    "probabilities": (CLASSES, TABLE / TABLE.sum(axis=1, keepdims=True)),
    "labels": (Y, LABELS["a"]),
    "risks": (Y, RISKS),
    "amounts": (RISKS + 0.1, RISKS**2 + 0.1),
    "labels of three": (CLASSES, TABLE.argmax(axis=1)),
}
DATA = {kind: (truth[::2], guess[::2]) for kind, (truth, guess) in DATA.items()}


def theirs(name, truth, guess):
    """What scikit-learn says, or nothing of other data."""
    scorer = sklearn.metrics.get_scorer(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return scorer._score_func(truth, guess, **scorer._kwargs)
        except ValueError:
            return np.nan


def answered(name):
    """The data of which scikit-learn has a finite value, by their kind; of probabilities alone for the last name."""
    kinds = ["probabilities"] if name == "top_k_accuracy" else DATA
    values = {kind: theirs(name, *DATA[kind]) for kind in kinds}
    return {kind: value for kind, value in values.items() if np.isfinite(value)}


@pytest.mark.parametrize("name", NAMES)
def test_names_of_scorers_are_answered_with_scikit_learns_values(name):
    expected = answered(name)
    assert expected
    for kind, value in expected.items():
        with about(kind), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = sk.bootstrap_metric(*DATA[kind], name)
            assert_allclose(float(found), value, rtol=1e-12, atol=1e-12)
            low, high = found.confidence_interval()
            assert low <= value <= high


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", NAMES)
def test_names_are_the_same_everywhere(name):
    truth, guess = (column[::2] for column in DATA[next(iter(answered(name)))])
    other, by, half = guess[::-1], np.arange(17) % 2, slice(None, None, 2)
    one, two = (float(sk.bootstrap_metric(truth, each, name)) for each in (guess, other))
    compared = sk.compare_models(truth, {"a": guess, "b": other}, name)
    assert_allclose(compared.estimate, [one, two], atol=1e-12)
    if np.isfinite([one, two]).all():
        assert_allclose(float(sk.bootstrap_metric_difference(truth, guess, other, name)), one - two, atol=1e-12)
    apart = sk.compare_groups(truth, guess, by, name)
    assert_allclose(apart.estimate[0], float(sk.bootstrap_metric(truth[half], guess[half], name)), atol=1e-12)
    for scorer in (sk.make_metric_scorer(name), sk.make_bound_scorer(name)):
        assert ("greater_is_better=False" in repr(scorer)) == name.startswith("neg_")


def test_forecasts_are_verified_by_name():
    """Finley's tornadoes: scores as in Murphy, "The Finley affair", Weather and Forecasting 1996."""
    table = {"y_true": [1, 1, 0, 0], "y_pred": [1, 0, 1, 0], "sample_weight": [28, 23, 72, 2680]}
    known = {"csi": 28 / 123, "threat_score": 28 / 123, "hss": 0.3553, "ets": 0.2160, "gilbert": 0.2160, "pss": 0.5229}
    for name, value in {**known, "bias": 100 / 51}.items():
        assert_allclose(float(sk.bootstrap_metric(**table, metric=name)), value, atol=6e-5)
    low, high = sk.bootstrap_metric(**table, metric="ets").confidence_interval()
    assert 0.1 < low < 0.216 < high < 0.35


def test_kappa_at_even_chances_is_one_line_of_the_registry():
    pabak, accuracy = (sk.bootstrap_metric(Y, LABELS["a"], name) for name in ("pabak", "accuracy"))
    assert_allclose(float(pabak), 2 * float(accuracy) - 1, rtol=1e-14)
    assert_allclose(pabak.confidence_interval(), 2 * np.array(accuracy.confidence_interval()) - 1, atol=1e-9)
    assert "PABAK" in str(sk.report(Y, SCORES["a"], metrics=("pabak",), thresholds=0.7))


@pytest.mark.parametrize(("decimals", "seed"), [(0, 0), (1, 1), (1, 2), (9, 3)])
def test_the_equal_error_rate_is_where_both_errors_are_as_frequent(decimals, seed):
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], rng.integers(10, 60, 2))
    scores = np.round(rng.normal(size=len(y)) + y, decimals)
    fpr, tpr, _ = sklearn.metrics.roc_curve(y, scores, drop_intermediate=False)
    x = np.linspace(0, 1, 400_001)
    found = sk.bootstrap_metric(y, scores, "eer")
    assert_allclose(found.estimate, x[np.argmin(np.abs(x - (1 - np.interp(x, fpr, tpr))))], atol=5e-6)
    (low, high), inner = found.confidence_interval(), found.confidence_interval(0.5)
    assert 0 <= low < inner.low <= found.estimate <= inner.high < high <= 1
    assert low < found.estimate < high
    assert_allclose(sk.bootstrap_metric(1 - y, -scores, "eer").estimate, found.estimate, atol=1e-12)
    cuts = [*np.unique(scores), found.threshold]
    apart = [abs(np.mean(scores[y == 0] >= s) - np.mean(scores[y == 1] < s)) for s in cuts]
    assert_allclose(apart[-1], min(apart), atol=1e-12)


@pytest.mark.parametrize(
    ("sizes", "shift", "decimals"), [((50, 50), 1, 9), ((500, 40), 1.5, 1), ((3, 200), 1, 2), ((5, 5), -9, 3)]
)
def test_limits_of_the_equal_error_rate_are_where_limits_of_the_curve_meet_the_line(sizes, shift, decimals):
    y = np.repeat([0, 1], sizes)
    scores = np.round(np.random.default_rng(6).normal(size=len(y)) + shift * y, decimals)
    found, step = sk.bootstrap_metric(y, scores, "eer"), 2e-8
    for level in (0.2, 0.95, 0.9999):
        for limit, other in zip(found.confidence_interval(level), ("high", "low"), strict=True):
            # Where the curve jumps its limit is below the line on one side, and above it on the other.
            rates = np.clip([limit - step, limit + step], 0, 1)
            curve = sk.bootstrap_roc_at_fpr(y, scores, fpr=rates).confidence_interval(level)
            below, above = getattr(curve, other) + rates - 1
            assert below <= 0 <= above or limit == found.estimate or limit in (0, 1), (level, other)


def test_the_equal_error_rate_is_of_one_model_and_of_independent_cases():
    y, scores = Y, SCORES["a"]
    assert sk.bootstrap_metric([0, 0, 1, 1], [1, 2, 3, 4], "equal_error_rate").estimate == 0
    with pytest.raises(ValueError, match="Equal error rate is available for one model only"):
        sk.bootstrap_metric_difference(y, scores, -scores, "eer")
    with pytest.raises(ValueError, match="equal error rate needs independent cases"):
        sk.bootstrap_metric(y, scores, "eer", groups=np.arange(len(y)) // 2)
    assert "greater_is_better=False" in repr(sk.make_metric_scorer("eer"))
    assert sk.compare_groups(y, scores, np.arange(len(y)) % 2, "eer").results[0].methods == ("rank_beta",)


@pytest.mark.slow
@pytest.mark.parametrize(("sizes", "shift"), [((40, 40), 1.0), ((30, 100), 2.0)])
def test_the_equal_error_rate_is_covered(sizes, shift):
    true, covered = norm.cdf(-shift / 2), 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        y = np.repeat([0, 1], sizes)
        low, high = sk.bootstrap_metric(y, rng.normal(size=len(y)) + shift * y, "eer").confidence_interval()
        covered += low <= true <= high
    assert 92 <= covered <= 99


def test_gini_is_the_auc_on_another_scale():
    auc, gini = sk.bootstrap_auc(Y, SCORES["a"]), sk.bootstrap_metric(Y, SCORES["a"], "gini")
    assert_allclose(gini.estimate, 2 * auc.estimate - 1)
    assert_allclose(gini.standard_error, 2 * auc.standard_error)
    for method in auc.methods:
        for level in (0.5, 0.999):
            expected = 2 * np.array(auc.confidence_interval(level, method=method)) - 1
            assert_allclose(gini.confidence_interval(level, method=method), expected, atol=1e-12)
        assert_allclose(gini.pvalue(method=method), auc.pvalue(method=method), rtol=1e-6)
        assert_allclose(gini.pvalue("greater", null=0.2), auc.pvalue("greater", null=0.6), rtol=1e-6)
    pair = Y, SCORES["a"], SCORES["b"]
    difference, of_areas = sk.bootstrap_metric_difference(*pair, "gini"), sk.bootstrap_auc_difference(*pair)
    assert_allclose(difference.confidence_interval(), 2 * np.array(of_areas.confidence_interval()), atol=1e-12)
    assert_allclose(difference.covariance, 4 * of_areas.covariance)
    compared, areas = sk.compare_models(Y, SCORES, "gini"), sk.compare_models(Y, SCORES)
    assert_allclose(compared.differences.pvalue(), areas.differences.pvalue(), rtol=1e-6)
    assert compared.may_be_best() == areas.may_be_best()
    grouped = sk.bootstrap_metric(Y, SCORES["a"], "gini", groups=np.arange(65) // 3)
    assert grouped.methods[:2] == ("extrapolated", "unseen_group")


def test_lift_and_capture_at_the_top():
    at_top = partial(sk.bootstrap_metric, Y, SCORES["a"], positive_rate=0.2)
    found = sk.bootstrap_roc_at_positive_rate(Y, SCORES["a"], positive_rate=0.2)
    capture, lift, precision = (at_top(name) for name in ("capture", "lift", "precision"))
    top = np.argsort(-SCORES["a"])[:13]
    expected = [Y[top].sum() / 25, Y[top].mean() / Y.mean(), Y[top].mean()]
    assert_allclose([capture.estimate, lift.estimate, precision.estimate], expected)
    assert capture == found
    held = at_top("lift", sampling="stratified")
    assert_allclose(held.confidence_interval(), np.array(found.confidence_interval()) * 65 / 13)
    assert lift.standard_error > 1.2 * held.standard_error
    with pytest.raises(ValueError, match="lift is undefined where no case is labelled positive"):
        at_top("lift", positive_rate=0)


def test_options_of_other_statistics_by_name():
    ask, folds = partial(sk.bootstrap_metric, Y, SCORES["a"]), np.arange(len(Y)) // 2 % 2
    at = ask("sensitivity_at_specificity", specificity=0.9)
    assert at == sk.bootstrap_roc_at_fpr(Y, SCORES["a"], specificity=0.9)
    assert ask("roc_auc", max_fpr=0.2) == sk.bootstrap_auc(Y, SCORES["a"], max_fpr=0.2)
    ks, youden = ask("ks"), ask("youden", thresholds="youden")
    assert (float(ks), ks.confidence_interval()) == (float(youden), youden.confidence_interval())
    assert (ks.metric, youden.metric) == ("ks", "youden")
    for call, message in (
        (partial(ask, "roc_auc", thresholds=0.5), "'thresholds', which metric='roc_auc' does not take"),
        (partial(ask, "cost"), "needs probability_cost="),
        (partial(ask, "f1_macro", average="micro"), "average is already part of the name 'f1_macro'"),
        (partial(sk.compare_models, Y, SCORES, "ks"), "KS is available for one model only"),
        (partial(ask, "ks", folds=folds), "folds= cannot be combined with KS, whose threshold is chosen"),
        (partial(sk.compare_groups, Y, SCORES["a"], folds, "ks", folds=folds), "folds= cannot be combined with KS"),
    ):
        with pytest.raises(TypeError if "does not take" in message else ValueError, match=message):
            call()


def answers():
    """What the public statistics that give intervals return on a small sample, by name."""
    y = np.repeat([0, 1], [9, 8])
    a, b = np.arange(17.0) % 7 + 3 * y, np.arange(17.0) % 5 + y
    found = [("auc_from_error_count", sk.auc_from_error_count(4, 9, 8))]
    found += [("bootstrap_metric", sk.bootstrap_metric(y, a, name, thresholds="youden")) for name in ("f1", "recall")]
    asked = [entry for entry in [*STATISTICS, *BELONGING] if entry.name.startswith("bootstrap")]
    cases = Cases(y, ((a - 5) / 4, (b - 2) / 4))
    found += [(entry.name, part) for entry in asked for part in parts(entry.of_cases(cases))]
    return found


ANSWERS = answers()
OFFERED = {name: {method for other, part in ANSWERS if other == name for method in part.methods} for name, _ in ANSWERS}
PAIRS = [(statistic, method) for statistic, methods in OFFERED.items() for method in sorted(methods)]


def docstrings(statistic):
    """Its own, and by name those of the functions whose methods it says it has."""
    own = inspect.getdoc(getattr(sk, statistic))
    others = re.findall(r"(?:methods|those) of\s+:func:`(\w+)`", own)
    return {name: inspect.getdoc(getattr(sk, name)) for name in (statistic, *others)}


def test_each_method_serves_some_statistic_and_is_in_its_docstring():
    of_several_results = {"combined", "rubin", "given_error_rate"}
    served = set().union(*OFFERED.values()) | of_several_results
    assert served == set(TITLES), f"Give {served ^ set(TITLES)} a title in tests/public.py, or take it out there."
    texts = {statistic: " ".join(docstrings(statistic).values()) for statistic in OFFERED}
    assert [(statistic, method) for statistic, method in PAIRS if f'"{method}"' not in texts[statistic]] == []
