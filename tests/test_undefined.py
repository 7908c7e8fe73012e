"""What has no value at some points, or with cases of one class, and what is asked for nevertheless."""

import math
from itertools import product

import numpy as np
import oracles
import pytest
from numpy.testing import assert_allclose
from scipy.stats import beta
from sklearn.dummy import DummyClassifier
from sklearn.metrics import balanced_accuracy_score, cohen_kappa_score, matthews_corrcoef

import skcostci as sk

Y = np.repeat([0, 1], [9, 11])
SCORES = np.r_[np.arange(9) / 20, 0.25 + np.arange(11) / 20]
GRID = np.linspace(0, 1, 11)
GROUPS = np.arange(20) % 7
NAMES = ["accuracy", "precision", "npv", "recall", "specificity", "f1", "jaccard", "fdr", "fomr", "balanced_accuracy"]
NAMES += ["youden", "lr_positive", "lr_negative", "diagnostic_odds_ratio", "lift", "kappa", "mcc"]


def by_hand(name: str, tp: int, fn: int, fp: int, tn: int) -> float:
    """The metric of a table as textbooks have it, NaN where a ratio of it is 0 / 0, infinite where only that is 0."""
    found = oracles.metric_of_table(name, (tp, fn, fp, tn))
    if found is None:
        over_none = {"lr_positive": tp, "lr_negative": fn, "diagnostic_odds_ratio": tp * tn}
        return math.inf if over_none.get(name) else math.nan
    return float(found)


def table(y_true, hit):
    return [int(np.sum((y_true == truth) & (hit == label))) for truth, label in ((1, 1), (1, 0), (0, 1), (0, 0))]


def named(part):
    return part if isinstance(part, str) else "cases" if part is None else "groups"


@pytest.mark.parametrize(("name", "groups"), [(name, (None, GROUPS)[i % 2]) for i, name in enumerate(NAMES)], ids=named)
def test_points_without_a_value_say_so_and_leave_the_others_alone(name, groups):
    expected = np.array([by_hand(name, *table(Y, threshold <= SCORES)) for threshold in GRID])
    result = sk.bootstrap_metric(Y, SCORES, name, thresholds=GRID, groups=groups)
    assert_allclose(result.estimate, expected, rtol=1e-12, atol=1e-15)
    assert (result.defined == ~np.isnan(expected)).all()
    low, high = result.confidence_interval()
    assert not np.isnan([low, high]).any()
    assert (np.isnan(result.standard_error) == ~result.defined).all()
    assert (result.undefined[~result.defined] == 1).all()
    for i in np.flatnonzero(result.defined)[::3]:
        one = sk.bootstrap_metric(Y, SCORES, name, thresholds=GRID[i], groups=groups)
        assert one.defined is True
        if not np.isinf(expected).any():
            assert_allclose([low[i], high[i]], one.confidence_interval(), rtol=1e-9, atol=1e-12)
    if not result.defined.all():
        notes = result.to_frame()["note"].tolist()
        assert [note.startswith("undefined (no predicted") for note in notes] == (~result.defined).tolist()
        assert f"undefined at {np.sum(~result.defined)}" in repr(result)
        assert "undefined (no predicted" in result._repr_html_()


LONG = ["kappa", "mcc", "lift", "lr_negative"]  # differences of groups take up to seconds
OF_SAME_RATIOS = {"jaccard", "lift", "fdr", "fomr", "specificity", "lr_negative", "diagnostic_odds_ratio"}  # as others
SOME = GRID[[0, 1, 7]]  # where both models have a value, one alone or, of some metrics, neither


@pytest.mark.parametrize(
    ("name", "groups"),
    [
        *((name, None) for name in NAMES if name not in OF_SAME_RATIOS),
        *((name, GROUPS) for name in ("precision", "f1")),
        *(pytest.param(name, GROUPS, marks=pytest.mark.slow) for name in LONG),
    ],
    ids=named,
)
def test_nor_have_differences_where_either_model_has_none(name, groups):
    ask, other = sk.bootstrap_metric_difference, 0.9 * SCORES[::-1]
    values = [np.array([by_hand(name, *table(Y, s >= t)) for t in SOME]) for s in (SCORES, other)]
    expected = np.isfinite(values).all(axis=0)
    if not expected.any():
        with pytest.raises(ValueError, match=f"the difference in {name} is undefined everywhere: "):
            ask(Y, SCORES, other, name, thresholds=SOME, groups=groups)
        return
    result = ask(Y, SCORES, other, name, thresholds=SOME, groups=groups)
    assert (result.defined == expected).all()
    assert_allclose(result.estimate[expected], (values[0] - values[1])[expected], rtol=1e-12, atol=1e-15)
    two_sided, less = (result.pvalue(alternative) for alternative in ("two-sided", "less"))  # "greater" is 1 - less
    assert not np.isnan([*result.confidence_interval(), two_sided, less]).any()
    assert (two_sided[~expected] == 1).all()


@pytest.mark.filterwarnings("ignore::skcostci.DegenerateLawWarning")  # of the point that has a value, at 1e-6
def test_the_whole_range_is_the_interval():
    result = sk.bootstrap_metric(Y, SCORES, "precision", thresholds=[0.3, 2.0, np.inf])
    for method in result.methods:
        low, high = result.confidence_interval(method=method)
        assert low[1:].tolist() == [0, 0]
        assert high[1:].tolist() == [1, 1]
    for method, level in product(result.methods, (1e-6, 0.3, 0.5, 0.7, 0.999999)):
        assert result.confidence_interval(level, method=method, alternative="greater").low[1:].tolist() == [0, 0]
        assert result.confidence_interval(level, method=method, alternative="less").high[1:].tolist() == [1, 1]
    assert np.isnan(result.cdf(0.5)[1:]).all()
    assert np.isnan(result.quantile(0.5)[1:]).all()
    assert sk.bootstrap_metric(Y, SCORES, "mcc", thresholds=[0.5, 2.0]).confidence_interval().low[1] == -1


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("present", [0, 1])
def test_one_class_will_do_where_it_does_for_the_metric(name, present):
    y_true, y_pred, other = np.full(10, present), (np.arange(10) < 7).astype(int), (np.arange(10) < 5).astype(int)

    def value(labels):
        both_needed = math.nan if name in NAMES[9:] else by_hand(name, *table(y_true, labels == 1))
        return 0.0 if name == "kappa" else both_needed

    if math.isnan(value(y_pred)):
        with pytest.raises(ValueError, match=f"{name} is undefined: no {'negatives' if present else 'positives'}"):
            sk.bootstrap_metric(y_true, y_pred, name)
        return
    result = sk.bootstrap_metric(y_true, y_pred, name)
    low, high = result.confidence_interval()
    assert low <= value(y_pred) <= high
    assert low < high
    difference = sk.bootstrap_metric_difference(y_true, y_pred, other, name)
    assert float(difference) == pytest.approx(value(y_pred) - value(other))
    assert 0 <= difference.pvalue() <= 1
    grouped = sk.bootstrap_metric(y_true, y_pred, name, groups=np.arange(10) // 2)
    assert [float(result), float(grouped)] == pytest.approx([value(y_pred)] * 2)


TRUTHS, GUESSES = [[1] * 9, [0] * 9, [0, 1, 1] * 3], [[1] * 9, [0] * 9, [0, 1, 0] * 3]
REFERENCE = {"kappa": cohen_kappa_score, "mcc": matthews_corrcoef, "balanced_accuracy": balanced_accuracy_score}


@pytest.mark.filterwarnings("ignore:.*(single label|y_pred contains classes|invalid value|only one)")  # of scikit-learn
@pytest.mark.parametrize("name", REFERENCE)
@pytest.mark.parametrize(("truth", "guess"), list(product(TRUTHS, GUESSES)))
def test_degenerate_tables_have_one_answer_however_many_classes_there_are(name, truth, guess):
    """As scores, labels, in the table of two classes that are known and of three, and in functions of scikit-learn."""
    constant = len(set(truth)) == 1, len(set(guess)) == 1
    undefined = {"kappa": truth == guess and all(constant), "mcc": any(constant), "balanced_accuracy": constant[0]}
    asked = [
        ((truth, guess), {}),
        ((truth, guess), {"groups": np.arange(9) // 2}),
        ((truth, np.array(guess) / 2), {"thresholds": 0.5}),
        ((truth, guess), {"labels": [0, 1]}),
        ((np.add(truth, 1), np.add(guess, 1)), {"labels": [0, 1, 2]}),
    ]
    for columns, options in asked:
        if undefined[name]:
            reason = f"{name} is undefined.*: (no (predicted )?(posi|nega)tives|all .* one class)"
            with pytest.raises(ValueError, match=reason):
                sk.bootstrap_metric(*columns, name, **options)
        else:
            result = sk.bootstrap_metric(*columns, name, **options)
            low, high = result.confidence_interval()
            assert float(result) == pytest.approx(REFERENCE[name](truth, guess))
            assert low <= float(result) <= high
            assert low < high


def test_kappa_of_one_class_at_thresholds_and_in_subgroups():
    scores = np.linspace(0, 1, 9)
    result = sk.bootstrap_metric([1] * 9, scores, "kappa", thresholds=[0, 0.5, 2])
    assert result.defined.tolist() == [False, True, True]
    assert result.estimate[1:].tolist() == [0, 0]
    with pytest.raises(ValueError, match="kappa is undefined: no negatives"):
        sk.bootstrap_metric([1] * 9, scores >= 0.5, "kappa", prevalence=0.5)
    found = sk.compare_groups([1] * 9 + [0, 1, 1] * 3, [1, 0, 1] * 6, [0] * 9 + [1] * 9, "kappa")
    assert found.estimate[0] == 0
    nobody = DummyClassifier(strategy="constant", constant=0).fit(np.zeros((2, 1)), [0, 1])
    assert sk.make_metric_scorer("kappa")(nobody, np.zeros((9, 1)), [1] * 9) == 0


@pytest.mark.parametrize("name", ["recall", "accuracy"])
def test_patients_alone_have_clopper_and_pearsons_limits(name):
    y_true = np.ones(10, int)
    y_pred = (np.arange(10) < 7).astype(int)
    right = (beta.ppf(0.025, 7, 4), beta.ppf(0.975, 8, 3))
    assert_allclose(sk.bootstrap_metric(y_true, y_pred, name).confidence_interval(), right)


@pytest.mark.parametrize("name", NAMES)
def test_texts_need_a_positive_class_only_where_it_matters(name):
    y_true, y_pred = np.repeat(["a", "b"], 12), np.tile(["a", "b", "b"], 8)
    of_a, of_b = (float(sk.bootstrap_metric(y_true, y_pred, name, pos_label=label)) for label in "ab")
    by_number = sk.bootstrap_metric((y_true == "b").astype(int), (y_pred == "b").astype(int), name)
    assert float(by_number) == pytest.approx(of_b)
    if name in {"accuracy", "balanced_accuracy", "youden", "kappa", "mcc", "diagnostic_odds_ratio"}:
        assert [of_a, of_b] == pytest.approx([float(sk.bootstrap_metric(y_true, y_pred, name))] * 2)
        if name != "diagnostic_odds_ratio":
            assert float(sk.bootstrap_metric_difference(y_true, y_pred, y_true, name)) <= 0
    else:
        with pytest.raises(ValueError, match="pos_label is not specified"):
            sk.bootstrap_metric(y_true, y_pred, name)


def test_of_scores_it_always_matters():
    texts = np.where(Y, "b", "a")
    with pytest.raises(ValueError, match="pos_label is not specified"):
        sk.bootstrap_metric(texts, SCORES, "accuracy", thresholds=0.5)


@pytest.mark.parametrize("scores", [100 * SCORES, SCORES - 0.5], ids=["percents", "decisions"])
@pytest.mark.parametrize("name", ["net_benefit", "standardized_net_benefit"])
def test_net_benefits_take_risks_alone(name, scores):
    options, curve = {"metric": name, "thresholds": 0.2}, sk.DecisionCurveDisplay.from_predictions
    by_name = {"statistic": name, "thresholds": 0.2}
    for ask in (
        lambda: sk.bootstrap_metric(Y, scores, **options),
        lambda: sk.bootstrap_metric_difference(Y, SCORES, scores, **options),
        lambda: sk.compare_models(Y, {"a": SCORES, "b": scores}, **by_name),
        lambda: sk.compare_groups(Y, scores, np.arange(20) % 2, **by_name),
        lambda: curve(Y, scores, standardized=name.startswith("s")),
    ):
        with pytest.raises(ValueError, match=f"{name} needs scores that are probabilities, in .0, 1., got scores from"):
            ask()


def test_what_is_known_of_risks_beforehand_is_a_point():
    """No risk is below 0: there both models treat everybody, and at PC(+) = 1 the rule "probability" misses nobody."""
    risks, other = SCORES / 2, SCORES[::-1] / 2
    benefit = sk.bootstrap_metric_difference(Y, risks, other, "net_benefit", thresholds=[0.0, 0.1])
    low, high = benefit.confidence_interval()
    assert (low[0], high[0], benefit.standard_error[0]) == (0, 0, 0)
    assert low[1] < high[1]
    options = {"probability_cost": [0.0, 1.0], "thresholds": "probability"}
    for cost in (sk.bootstrap_cost(Y, risks, **options), sk.bootstrap_cost_difference(Y, risks, other, **options)):
        low, high = cost.confidence_interval()
        assert (low[1], high[1]) == (0, 0)
        assert low[0] < high[0]


@pytest.mark.parametrize("sampling", ["full", "stratified"])
def test_what_is_the_same_in_all_resamples_has_no_standard_error(sampling):
    """Every label is right, so that only the class mix varies: 0, not 2e-16."""
    for name in ("accuracy", "precision", "npv", "recall", "f1", "balanced_accuracy", "kappa", "mcc"):
        result = sk.bootstrap_metric(Y, Y, name, sampling=sampling)
        assert result.standard_error == 0
    one, two = (sk.bootstrap_metric_difference(Y, Y, other, "f1", sampling=sampling) for other in (Y, 1 - Y))
    assert one.standard_error == two.standard_error == 0


def test_what_compares_classes_says_which_is_missing():
    risks = np.arange(10) / 10
    for name, options in (("standardized_net_benefit", {}), ("net_benefit", {"prevalence": 0.2})):
        with pytest.raises(ValueError, match=f"{name} is undefined everywhere: no positives"):
            sk.bootstrap_metric(np.zeros(10, int), risks, name, thresholds=[0.2, 0.3], **options)
    with pytest.raises(ValueError, match="thresholds='youden' uses both classes"):
        sk.bootstrap_metric(np.ones(10, int), risks, "recall", thresholds="youden")
    with pytest.raises(ValueError, match=r"y_true and y_pred must contain two labels, got \[0, 1, 2\]"):
        sk.bootstrap_metric([1, 1, 1], [1, 0, 2], "recall")


@pytest.mark.filterwarnings("ignore:One (case|group) has")
@pytest.mark.parametrize("every", [60, 2])
def test_no_warning_of_numpy_is_shown(every):
    """Where one case, or every other one, weighs 1e15 times as much as others, or stands for many millions."""
    truth, scores, row = np.repeat([0, 1], 30), np.random.default_rng(0).random(60).round(1), np.arange(60)
    given = {"sample_weight": np.where((row + 3) % every == 0, 1e15, 1.0), "weight_type": "importance"}
    for metric in ("kappa", "balanced_accuracy", "lift", "f1"):
        sk.bootstrap_metric(truth, scores, metric, thresholds=[0.3, 0.5], **given).confidence_interval()
    sk.bootstrap_auc(truth, scores, max_fpr=0.3, **given).confidence_interval()
    sk.bootstrap_roc_at_threshold(truth, scores, groups=row % 6, **given).tpr.confidence_interval()
    millions = np.where(row % 7, 1, 10**8)
    low, high = sk.bootstrap_roc_at_fpr(truth, scores, fpr=[0.1, 0.5], sample_weight=millions).confidence_interval()
    assert (low < high).all()
