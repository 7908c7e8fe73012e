"""Losses and scorers, in scikit-learn's own model selection."""

import math
import pickle
from functools import partial
from itertools import cycle

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.stats import beta
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import cohen_kappa_score, f1_score, fbeta_score, make_scorer, mean_gamma_deviance, roc_auc_score
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    StratifiedKFold,
    TunedThresholdClassifierCV,
    cross_val_score,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from strategies import per_cent, samples

import skcostci as sk

X, Y = (data[::2] for data in load_breast_cancer(return_X_y=True))
X = (X[:, :6] - X[:, :6].mean(axis=0)) / X[:, :6].std(axis=0)
TEXTS = np.where(Y == 1, "well", "ill")
FOLDS = list(StratifiedKFold(3).split(X, Y))
IRIS, KIND = load_iris(return_X_y=True)
TREE = DecisionTreeClassifier(max_depth=3, random_state=0)
BAYES = GaussianNB().fit(X, Y)
COSTS = [[0, 1], [5, 0]]
EITHER = ("accuracy", "balanced_accuracy", "youden", "kappa", "mcc", "diagnostic_odds_ratio")  # class may be positive
ERRORS = ("fdr", "fomr", "lr_negative")
NAMED = (*EITHER, *ERRORS, "precision", "npv", "recall", "specificity", "f1", "jaccard", "lr_positive", "lift")
AT_CONDITION = partial(sk.bootstrap_cost, probability_cost=0.3, thresholds="probability")
EXPECTED = partial(sk.bootstrap_expected_cost, cost_matrix=COSTS)
NET_BENEFIT = partial(sk.bootstrap_metric, metric="net_benefit", thresholds=0.2)
COST_HIGH = partial(sk.bootstrap_cost, probability_cost=0.3, thresholds=0.7)
SCORERS = {
    "normalized": sk.make_normalized_cost_scorer(0.3),
    "expected": sk.make_expected_cost_scorer(COSTS),
    "total": sk.make_total_expected_cost_scorer(prior=beta(2, 2)),
    "auc_low": sk.make_bound_scorer(sk.bootstrap_auc),
    "cost_high": sk.make_bound_scorer(
        COST_HIGH, bound="high", response_method="predict_proba", greater_is_better=False
    ),
}
each_scorer = pytest.mark.parametrize("name", SCORERS)


def interval_end(statistic, y_true, judged, end, level=0.95):
    return getattr(statistic(y_true, judged).confidence_interval(level), end)


# Losses


@per_cent(40)
@given(sample=samples(weights=True), w=st.floats(0, 1), threshold=st.floats(-2, 2))
def test_normalized_cost_loss_is_the_estimate_of_its_law(sample, w, threshold):
    labels, scores, weights = sample
    law = sk.bootstrap_cost(labels, scores, probability_cost=w, thresholds=threshold, sample_weight=weights)
    for each in (weights, np.array(weights) / 7):
        loss = sk.normalized_cost_loss(labels, scores, probability_cost=w, threshold=threshold, sample_weight=each)
        assert type(loss) is float
        assert_allclose(loss, law.estimate, atol=1e-14)


@per_cent(40)
@given(sample=samples(weights=True), prior=st.sampled_from([None, beta(3, 2)]))
def test_total_expected_cost_loss_is_the_area_of_the_curve(sample, prior):
    """Which ``test_cost_curve`` holds against integrals."""
    labels, scores, weights = sample
    curve = sk.CostCurve.from_predictions(labels, scores, sample_weight=weights)
    loss = sk.total_expected_cost_loss(labels, scores, prior=prior, sample_weight=np.array(weights) / 3)
    assert_allclose(loss, curve.expected_cost(prior), atol=1e-14)


MATRICES = st.lists(st.lists(st.integers(-9, 9), min_size=3, max_size=3), min_size=3, max_size=3)
CLASSES = st.lists(st.tuples(*[st.integers(0, 2)] * 2, st.integers(0, 3)), min_size=1, max_size=12)


@given(rows=CLASSES, costs=MATRICES, order=st.permutations(range(3)))
@per_cent(25)
def test_expected_cost_loss_is_the_mean_cost_of_the_cases_whatever_the_order_of_the_classes(rows, costs, order):
    truth, guess, weights = map(np.array, zip((0, 0, 1), *rows, strict=True))
    costs, names = np.array(costs), np.array(["low", "middle", "high"])
    loss = sk.expected_cost_loss(truth, guess, cost_matrix=costs, labels=range(3), sample_weight=weights)
    assert_allclose(loss, np.average(costs[truth, guess], weights=weights), atol=1e-13)
    repeated = np.repeat(truth, weights), np.repeat(guess, weights)
    assert_allclose(sk.expected_cost_loss(*repeated, cost_matrix=costs, labels=range(3)), loss, atol=1e-13)
    reordered = {"cost_matrix": costs[np.ix_(order, order)], "labels": names[list(order)], "sample_weight": weights}
    assert_allclose(sk.expected_cost_loss(names[truth], names[guess], **reordered), loss, atol=1e-13)


# Scorers of costs and bounds


@each_scorer
def test_scorers_give_minus_the_loss_or_the_bound(name):
    score = BAYES.predict_proba(X)[:, 1]
    expected = {
        "normalized": -sk.normalized_cost_loss(Y, score, probability_cost=0.3, threshold=0.7),
        "expected": -sk.expected_cost_loss(Y, BAYES.predict(X), cost_matrix=COSTS),
        "total": -sk.total_expected_cost_loss(Y, score, prior=beta(2, 2)),
        "auc_low": interval_end(sk.bootstrap_auc, Y, score, "low"),
        "cost_high": -interval_end(COST_HIGH, Y, score, "high"),
    }
    got = SCORERS[name](BAYES, X, Y)
    assert type(got) is float
    assert got == expected[name]


OF_A_CLASS = {
    "normalized": partial(sk.make_normalized_cost_scorer, 0.3),
    "total": sk.make_total_expected_cost_scorer,
    "precision": partial(sk.make_metric_scorer, "precision"),
    "recall_low": partial(sk.make_metric_scorer, "recall", bound="low"),
    "auc_high": partial(sk.make_bound_scorer, sk.bootstrap_auc, bound="high", greater_is_better=False),
}


@pytest.mark.parametrize("make", OF_A_CLASS.values(), ids=list(OF_A_CLASS))
def test_scorers_are_of_the_class_they_are_made_for(make):
    """Whatever the labels are called, and whichever of them comes first."""
    for names in (["benign", "malignant"], ["z", "a"], [7, 3]):
        named = np.array(names)[Y]
        for positive in (0, 1):
            plain = make(pos_label=1)(GaussianNB().fit(X, positive == Y), X, (positive == Y).astype(int))
            found = make(pos_label=names[positive])(GaussianNB().fit(X, named), X, named)
            assert found == pytest.approx(plain, rel=1e-12)


BOUND, METRIC = sk.make_bound_scorer, sk.make_metric_scorer
COST, COST_MATRIX = sk.make_normalized_cost_scorer, sk.make_expected_cost_scorer
AUC = partial(BOUND, sk.bootstrap_auc)


def of_loss(**options):
    return BOUND(partial(sk.bootstrap_loss, **options))


@pytest.mark.parametrize(
    ("message", "make"),
    [
        (r"probability_cost must be a number in \[0, 1\], got 2", lambda: COST(2)),
        ("threshold must be a number in .*, got nan", lambda: COST(0.3, threshold=np.nan)),
        ("threshold must be No", lambda: COST(0.3, threshold=0.1, response_method="predict")),
        ("response_method must be one of", lambda: COST(0.3, response_method="score")),
        ("prior must be None or a frozen", lambda: sk.make_total_expected_cost_scorer(prior=3)),
        ("cost_matrix must not contain sequences of different", lambda: COST_MATRIX([[0, 1], [1]])),
        (r"a row and a column per class.* got shape \(1, 3\)", lambda: COST_MATRIX([[0, 1, 2]])),
        ("a row and a column per class", lambda: COST_MATRIX([[0, 1], [1, 0]], labels=[1, 2, 3])),
        ("cost_matrix must be finite", lambda: COST_MATRIX([[0, np.nan], [1, 0]])),
        ("bound must be one of 'worst', 'best', 'low', 'high', got 'middle'", lambda: AUC(bound="middle")),
        (r"confidence_level must be a number in \(0, 1\)", lambda: AUC(confidence_level=95)),
        ("method must be one of 'unseen_case'", lambda: AUC(method="clopper_pearson")),
        ("response_method must be one of", lambda: AUC(response_method="score")),
        ("bootstrap_function must be one of bootstrap_auc, .* or functools.*got 3", lambda: BOUND(3)),
        ("bootstrap_function must be one of .* got <built-in function print>", lambda: BOUND(print)),
        ("bootstrap_function must be one of bootstrap_auc", lambda: BOUND(sk.bootstrap_auc_difference)),
        ("bootstrap_function must be one of bootstrap_auc", lambda: BOUND(sk.bootstrap_calibration)),
        ("bootstrap_function must be one of bootstrap_auc", lambda: BOUND(sk.bootstrap_mean)),
        ("must give a single estimate, got 101 of them", lambda: BOUND(sk.bootstrap_cost)),
        ("sampling must be one of", lambda: BOUND(partial(sk.bootstrap_auc, sampling="x"))),
        ("unexpected keyword argument 'cost'", lambda: BOUND(partial(sk.bootstrap_auc, cost=1))),
        ("options alone, got folds", lambda: BOUND(partial(sk.bootstrap_auc, folds=[1]))),
        ("options alone, got data", lambda: BOUND(partial(sk.bootstrap_auc, [0, 1]))),
        ("one of 'predict', got 'decision_function'", lambda: BOUND(EXPECTED, response_method="decision_function")),
        ("one of 'predict_proba', got 'dec", lambda: BOUND(NET_BENEFIT, response_method="decision_function")),
        ("one of 'predict_proba', got 'pr", lambda: BOUND(sk.bootstrap_loss, response_method="predict")),
        ("argument 'pos_label'", lambda: BOUND(EXPECTED, response_method="predict", pos_label=1)),
        ("'cost_matrix'", lambda: BOUND(sk.bootstrap_expected_cost, response_method="predict")),
        (r"'zero_divison'\. Did you mean 'zero_division'\?$", lambda: METRIC("f1", zero_divison=1)),
        (r"'specificity'; it is for 'sensitivity_at_specificity'\.$", lambda: METRIC("f1", specificity=0.9)),
        ("takes specificity=, one number, got nothing", lambda: METRIC("sensitivity_at_specificity")),
        ("takes specificity=, one number, got 'tpr'", lambda: METRIC("sensitivity_at_specificity", tpr=0.1)),
        ("average=None gives one value per class, but a score is a single", lambda: METRIC("f1", average=None)),
        ("metric='net_benefit' depends on a threshold", lambda: METRIC("net_benefit")),
        ("method needs a bound of the interval, got 'wald'", lambda: METRIC("f1", method="wald")),
        ("method must be one of .*, got 'delong'", lambda: METRIC("f1", bound="low", method="delong")),
        ("Use 'squared_error' for 'mse'", lambda: of_loss(loss="mse")),
        ("losses must lie between least and most", lambda: of_loss(loss="zero_one", most=0.5)),
        ("a function of y_true, y_score and sample_weight", lambda: BOUND(lambda y_true, y_score: 0.5)),
        *(
            (f"got 'specificity', which metric='{name}' does not take", partial(make, name, specificity=0.9))
            for make, name in ((METRIC, "gini"), (BOUND, "eer"))
        ),
    ],
)
def test_options_are_checked_before_a_search_swallows_the_error(message, make):
    with pytest.raises((ValueError, TypeError), match=message):
        make()


@pytest.mark.parametrize(
    ("statistic", "response_method"),
    [
        (AT_CONDITION, "predict_proba"),
        (partial(sk.bootstrap_cost, probability_cost=0.3, sampling="full"), ("decision_function", "predict_proba")),
        (partial(sk.bootstrap_roc_at_fpr, fpr=0.1), "predict_proba"),
        (partial(sk.bootstrap_roc_at_positive_rate, positive_rate=0.2), "predict_proba"),
        (partial(sk.bootstrap_metric, metric="precision", thresholds=0.7), "predict_proba"),
        (partial(sk.bootstrap_metric, metric="kappa"), "predict"),
        (EXPECTED, "predict"),
        (sk.bootstrap_auc, "predict"),
    ],
)
def test_a_bound_is_that_of_the_interval(statistic, response_method):
    options = {"confidence_level": 0.9, "bound": "high", "greater_is_better": True}
    scorer = sk.make_bound_scorer(statistic, response_method=response_method, **options)
    model = TREE.fit(X, Y)
    responses = model.predict(X) if response_method == "predict" else model.predict_proba(X)[:, 1]
    assert scorer(model, X, Y) == interval_end(statistic, Y, responses, "high", 0.9)


def test_a_cost_and_a_bound_of_several_classes():
    three = {"cost_matrix": 1 - np.eye(3)}
    model = GaussianNB().fit(IRIS, KIND)
    error = sk.make_expected_cost_scorer(**three, labels=[0, 1, 2])
    assert error(model, IRIS, KIND) == pytest.approx(model.score(IRIS, KIND) - 1)
    several = partial(sk.bootstrap_auc, multi_class="ovr", labels=[0, 1, 2])
    scorer = sk.make_bound_scorer(several, response_method="predict_proba")
    assert scorer(model, IRIS, KIND) == interval_end(several, KIND, model.predict_proba(IRIS), "low")
    wrong = partial(sk.bootstrap_expected_cost, **three)
    labels = sk.make_bound_scorer(wrong, bound="high", response_method="predict", greater_is_better=False)
    assert labels(model, IRIS, KIND) == -interval_end(wrong, KIND, model.predict(IRIS), "high")


def test_bound_scorers_take_functions_of_users():
    def early(y_true, y_score, sample_weight=None):
        return sk.bootstrap_roc_at_fpr(y_true, y_score, fpr=0.1, sample_weight=sample_weight)

    own, named = map(sk.make_bound_scorer, (early, partial(sk.bootstrap_roc_at_fpr, fpr=0.1)))
    assert own(BAYES, X, Y) == named(BAYES, X, Y)


# In model selection


@each_scorer
def test_scorers_show_public_names_only(name):
    scorer = SCORERS[name]
    assert set(vars(scorer)) - {"_metadata_request"} == set(vars(make_scorer(fbeta_score, beta=2)))
    assert " _" not in str(scorer).replace("(", " ")
    asked = set(scorer.get_metadata_routing().score.requests)
    with config_context(enable_metadata_routing=True):
        assert set(scorer.get_metadata_routing().score.requests) == asked
    assert not any(each.startswith("_") for each in asked)


@each_scorer
def test_weights_reach_the_scorer_through_a_search(name):
    """Where they stand for repeated rows."""
    weights, by_hand = np.where(Y == 1, 2, 1), []
    with config_context(enable_metadata_routing=True):
        scorer = clone(SCORERS[name], safe=False).set_score_request(sample_weight=True)
        model = DecisionTreeClassifier(max_depth=3, random_state=0).set_fit_request(sample_weight=False)
        found = GridSearchCV(model, {"max_depth": [2]}, scoring=scorer, cv=FOLDS, error_score="raise")
        found.fit(X, Y, sample_weight=weights)
    for fit, test in FOLDS:
        fitted, rows = clone(model).set_params(max_depth=2).fit(X[fit], Y[fit]), np.repeat(test, weights[test])
        by_hand.append(SCORERS[name](fitted, X[rows], Y[rows]))
    assert [found.cv_results_[f"split{fold}_test_score"][-1] for fold in range(3)] == by_hand
    assert_allclose(found.cv_results_["mean_test_score"][-1], np.mean(by_hand), rtol=1e-14)


@each_scorer
def test_a_clone_is_independent_and_equal(name):
    with config_context(enable_metadata_routing=True):
        again = clone(SCORERS[name], safe=False).set_score_request(sample_weight=True)
        assert again(BAYES, X, Y) == SCORERS[name](BAYES, X, Y)
        travelled = pickle.loads(pickle.dumps(again))
        weights = np.full(len(Y), 2)
        assert travelled(BAYES, X, Y, sample_weight=weights) == again(BAYES, X, Y, sample_weight=weights)
        assert travelled.get_metadata_routing().score.requests["sample_weight"] is True
        assert SCORERS[name].get_metadata_routing().score.requests.get("sample_weight") is None


@pytest.mark.parametrize(("labels", "positive"), [(TEXTS, "ill"), (2 * Y - 1, -1), (Y + 1, 1), (Y, 0)])
def test_labels_that_a_search_hands_over_are_the_decision(labels, positive):
    """The threshold that is found is the cheapest of its grid for these very decisions."""
    scorer, ill = sk.make_normalized_cost_scorer(0.7, pos_label=positive), labels == positive
    model = TunedThresholdClassifierCV(GaussianNB(), scoring=scorer, cv="prefit", refit=False, thresholds=25)
    model.estimator = GaussianNB().fit(X, labels)
    model.fit(X, labels)
    risks = model.estimator.predict_proba(X)[:, list(model.estimator.classes_).index(positive)]
    grid = np.linspace(risks.min(), risks.max(), 25)
    costs = [sk.normalized_cost_loss(ill, risks, probability_cost=0.7, threshold=cut) for cut in grid]
    assert model.best_score_ == pytest.approx(-min(costs), abs=1e-12)
    assert model.best_threshold_ == grid[np.argmin(costs)]


@pytest.mark.parametrize("make", [sk.make_total_expected_cost_scorer, partial(sk.make_bound_scorer, sk.bootstrap_auc)])
def test_scorers_that_need_scores_say_so_when_they_get_labels(make):
    search = TunedThresholdClassifierCV(BAYES, scoring=make(pos_label="well"), cv="prefit", refit=False)
    search.estimator = GaussianNB().fit(X, TEXTS)
    with pytest.raises(TypeError, match=r"y_score must contain real numbers, got .* labels or names, but numbers"):
        search.fit(X, TEXTS)


@pytest.mark.parametrize("scoring", ["f1", "accuracy"])
def test_routing_of_what_others_ask_for_does_not_concern_a_metric(scoring):
    options = {"cv": GroupKFold(3), "params": {"groups": np.arange(len(Y)) // 3}, "error_score": "raise"}
    with config_context(enable_metadata_routing=True):
        theirs = cross_val_score(TREE, X, Y, scoring=scoring, **options)
        ours = cross_val_score(TREE, X, Y, scoring=sk.make_metric_scorer(scoring), **options)
        assert_allclose(ours, theirs, rtol=1e-13)
        asked = sk.make_metric_scorer(scoring, bound="worst").set_score_request(groups=True)
        assert (cross_val_score(TREE, X, Y, scoring=asked, **options) < theirs).all()


SCORERS_OF_SCORES = {
    "auc": partial(sk.make_bound_scorer, sk.bootstrap_auc),
    "cost": partial(sk.make_normalized_cost_scorer, 0.3),
    "area": sk.make_total_expected_cost_scorer,
    "net_benefit": partial(sk.make_bound_scorer, NET_BENEFIT),
}


@pytest.mark.parametrize("make", SCORERS_OF_SCORES.values(), ids=list(SCORERS_OF_SCORES))
def test_the_positive_class_of_scores_is_the_last_as_in_scikit_learn(make):
    asked = ((TEXTS, make()), (TEXTS, make(pos_label="well")), (Y, make()))
    scores = [cross_val_score(GaussianNB(), X, y, scoring=s, error_score="raise").tolist() for y, s in asked]
    assert scores[0] == scores[1] == scores[2]


# Scorers of metrics


class Said(ClassifierMixin, BaseEstimator):
    """A classifier whose only feature is the class that it predicts, or that predicts one class for all."""

    def __init__(self, label=None):
        self.label = label

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        said = self.classes_[np.asarray(X)[:, 0]]
        return said if self.label is None else np.full_like(said, self.label)


TRUTH, GUESS = np.repeat([0, 1], [9, 7]), np.r_[0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1]
SAID, TIMES = Said().fit(None, TRUTH), np.arange(16) % 3 + 1


@pytest.mark.parametrize(("name", "bound"), [*zip(NAMED, cycle([None])), *zip(NAMED[::2], cycle(["low", "high"]))])
def test_a_scorer_of_each_metric_is_the_metric_of_weighted_and_repeated_rows_and_of_either_class(name, bound):
    def expected(y_true, y_pred, **options):
        result = sk.bootstrap_metric(y_true, y_pred, name, **options)
        found = float(result) if bound is None else getattr(result.confidence_interval(), bound)
        return -found if name in ERRORS else found

    scorer, features = sk.make_metric_scorer(name, bound=bound), GUESS[:, None]
    assert_allclose(scorer(SAID, features, TRUTH), expected(TRUTH, GUESS), rtol=1e-13)
    weighted, rows = scorer(SAID, features, TRUTH, sample_weight=TIMES), np.repeat(np.arange(16), TIMES)
    assert_allclose(weighted, expected(TRUTH, GUESS, sample_weight=TIMES), rtol=1e-13)
    assert_allclose(weighted, scorer(SAID, features[rows], TRUTH[rows]), rtol=1e-13)
    words = np.array(["ill", "well"])[TRUTH]
    of_ill = sk.make_metric_scorer(name, bound=bound, pos_label="ill")(Said().fit(None, words), features, words)
    assert_allclose(of_ill, expected(1 - TRUTH, 1 - GUESS), rtol=1e-13)


@pytest.mark.parametrize("name", NAMED)
def test_a_scorer_of_each_metric_is_greater_where_a_mistake_of_either_kind_is_put_right(name):
    scorer, mistakes = sk.make_metric_scorer(name), np.flatnonzero(GUESS != TRUTH)
    better = [np.where(np.arange(16) == mistake, TRUTH, GUESS) for mistake in mistakes]
    gained = np.array([scorer(SAID, each[:, None], TRUTH) for each in better]) - scorer(SAID, GUESS[:, None], TRUTH)
    assert gained.min() >= -1e-15
    assert gained.max() > 1e-3


@pytest.mark.parametrize(
    ("statistic", "sign", "ends"), [(AT_CONDITION, -1, ("high", "low")), (NET_BENEFIT, 1, ("low", "high"))]
)
def test_a_bound_is_the_worst_one_unless_another_is_asked_for(statistic, sign, ends):
    """Of costs the high one; and what takes risks asks for them, though there are decision values too."""
    model = LogisticRegression().fit(X, Y)
    for options, end in zip(({}, {"bound": "best"}), ends, strict=True):
        expected = sign * interval_end(statistic, Y, model.predict_proba(X)[:, 1], end)
        assert sk.make_bound_scorer(statistic, **options)(model, X, Y) == expected


def test_options_of_a_scorer_and_any_weights_reach_the_statistic():
    guess, risks = BAYES.predict(X), BAYES.predict_proba(X)[:, 1]
    for statistic, judged in ((partial(sk.bootstrap_metric, metric="f1"), guess), (sk.bootstrap_auc, risks)):
        for method in statistic(Y, judged).methods:
            expected = statistic(Y, judged).confidence_interval(method=method).low
            assert sk.make_bound_scorer(statistic, method=method)(BAYES, X, Y) == expected
    macro = sk.make_metric_scorer("f1", average="macro")(GaussianNB().fit(X, TEXTS), X, TEXTS)
    assert macro == pytest.approx(f1_score(Y, guess, average="macro"))
    gini, weights = partial(sk.make_metric_scorer("gini"), BAYES, X, Y), np.where(Y == 1, 2, 1)
    assert gini(sample_weight=0.35 * weights) == pytest.approx(gini(sample_weight=weights))


def test_metrics_have_their_worst_bound_too():
    for name, sign, ends in (("f1", 1, ("low", "high")), ("fdr", -1, ("high", "low"))):
        statistic = partial(sk.bootstrap_metric, metric=name)
        for bound, end in zip(("worst", "best"), ends, strict=True):
            expected = sign * interval_end(statistic, Y, BAYES.predict(X), end)
            assert sk.make_metric_scorer(name, bound=bound)(BAYES, X, Y) == expected
            assert sk.make_bound_scorer(statistic, bound=bound)(BAYES, X, Y) == expected


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@pytest.mark.parametrize(("name", "bound"), list(zip(NAMED, cycle([None, "worst", "best"]))))
def test_no_constant_classifier_wins_because_a_metric_is_undefined(name, bound):
    truth, said = np.tile([0, 0, 0, 1, 1], 12), np.tile([0, 0, 1, 1, 0], 12)
    scorer = sk.make_metric_scorer(name, bound=bound)
    search = GridSearchCV(Said(), {"label": [0, 1, None]}, scoring=scorer, cv=3, error_score="raise")
    found = search.fit(said[:, None], truth)
    scores = found.cv_results_["mean_test_score"]
    assert np.isfinite(scores).all()
    for label, score in zip((0, 1), scores, strict=False):
        try:
            sk.bootstrap_metric(truth, np.full(60, label), name)
        except ValueError:
            assert score < scores[2]
            assert found.best_params_ != {"label": label}


@pytest.mark.parametrize("name", ["lr_positive", "diagnostic_odds_ratio"])
def test_an_infinite_fold_does_not_decide_a_mean(name):
    """One fold without a false alarm among few cases, against a model that is better in all the others."""
    scorer, truth = sk.make_metric_scorer(name), np.repeat([0, 1], 20)
    lucky, good = np.repeat([0, 1], [35, 5]), np.r_[np.zeros(19), np.ones(21)].astype(int)
    assert math.isinf(float(sk.bootstrap_metric(truth, lucky, "lr_positive")))
    assert -np.inf < scorer(SAID, lucky[:, None], truth) < scorer(SAID, good[:, None], truth) < np.inf
    thrice = scorer(SAID, np.repeat(lucky, 3)[:, None], np.repeat(truth, 3))
    assert scorer(SAID, lucky[:, None], truth, sample_weight=np.full(40, 3)) == pytest.approx(thrice)


def test_a_fold_of_one_class_has_what_it_has():
    ones, said = np.ones(10, int), np.r_[np.ones(7), np.zeros(3)].astype(int)
    for name in ("recall", "accuracy", "f1"):
        expected = float(sk.bootstrap_metric(ones, said, name))
        assert sk.make_metric_scorer(name)(SAID, said[:, None], ones) == pytest.approx(expected)
    with pytest.warns(UndefinedMetricWarning, match="specificity is undefined"):
        assert sk.make_metric_scorer("specificity")(SAID, said[:, None], ones) == 0


@pytest.mark.parametrize("bound", [None, "worst", "best", "low", "high"])
def test_an_undefined_metric_of_several_classes_is_the_worst_whichever_end_is_asked_for(bound):
    scorer = sk.make_metric_scorer("kappa", kappa_weights="linear", bound=bound)
    model = DummyClassifier(strategy="constant", constant=1).fit([[0], [0], [0]], [0, 1, 2])
    with pytest.warns(UndefinedMetricWarning, match="the worst possible value"):
        assert scorer(model, [[0]] * 4, [1] * 4) == -1


def test_weights_of_another_length_are_refused_and_columns_of_any_kind_are_read():
    """With several classes, or with an option, a scorer computes the metric from the labels itself."""
    y, guess, weights = np.tile([0, 1, 2], 10), np.tile([0, 1, 1], 10), np.arange(30) % 4
    score = partial(sk.make_metric_scorer("kappa", kappa_weights="linear"), Said().fit(None, y), guess[:, None])
    with pytest.raises(ValueError, match="y_true and y_pred and sample_weight must have the same length"):
        score(y, sample_weight=weights[:20])
    expected = cohen_kappa_score(y, guess, weights="linear", sample_weight=weights)
    for kind in (list, pa.array, pl.Series):
        assert score(kind(y), sample_weight=weights) == pytest.approx(expected, rel=1e-12)


# Scorers of losses and of functions

AMOUNTS = 2.0 * X[:, 0] + np.sin(Y + X[:, 1])


def risks(model, X):
    return model.predict_proba(X)[:, 1]


LOSSES = {  # of an estimator, what it is tried on, what the statistic then judges, and options
    "brier": (GaussianNB(), X, Y, risks, {}),
    "brier of texts": (GaussianNB(), X, np.array(["b", "a"])[Y], risks, {}),
    "log_loss": (TREE, X, Y, risks, {"most": 40.0}),
    "log_loss of three": (GaussianNB(), IRIS, KIND, GaussianNB.predict_proba, {"labels": [0, 1, 2]}),
    "zero_one": (GaussianNB(), IRIS, np.array(["u", "v", "w"])[KIND], GaussianNB.predict, {}),
    "squared_error": (LinearRegression(), X, AMOUNTS, LinearRegression.predict, {}),
    "absolute_error": (LinearRegression(), X, AMOUNTS, LinearRegression.predict, {"most": 100.0}),
}


@pytest.mark.parametrize("name", LOSSES)
def test_a_bound_of_a_loss_is_that_of_its_interval_and_less_is_better(name):
    model, features, truth, judged, options = LOSSES[name]
    statistic = partial(sk.bootstrap_loss, loss=name.partition(" ")[0], **options)
    splits = FOLDS if features is X else list(StratifiedKFold(3).split(features, truth))
    worst, best = (
        cross_val_score(model, features, truth, cv=splits, scoring=sk.make_bound_scorer(statistic, bound=bound))
        for bound in ("worst", "best")
    )
    assert (best > worst).all()
    for (train, test), score in zip(splits, worst, strict=True):
        fitted = clone(model).fit(features[train], truth[train])
        named = {"pos_label": fitted.classes_[1]} if name == "brier of texts" else {}
        expected = statistic(truth[test], judged(fitted, features[test]), **named)
        assert score == -expected.confidence_interval().high


def surprise(y_true, y_pred):
    return np.abs(y_true - y_pred) ** 1.5


@pytest.mark.parametrize(
    ("statistic", "response_method", "sign"),
    [
        (partial(sk.bootstrap_loss, loss=surprise), "predict_proba", -1),
        (partial(sk.bootstrap_loss, loss=surprise), None, -1),
        (partial(sk.bootstrap_metric, metric=roc_auc_score), "decision_function", 1),
        (partial(sk.bootstrap_metric, metric=mean_gamma_deviance), "predict", -1),
    ],
)
def test_functions_of_users_judge_what_they_are_given(statistic, response_method, sign):
    scorer = sk.make_bound_scorer(statistic, response_method=response_method)
    model, x, truth = LogisticRegression(), X[::16], Y[::16]
    if statistic.keywords.get("metric") is mean_gamma_deviance:
        model, truth = DummyRegressor(), (AMOUNTS - AMOUNTS.min() + 1)[::16]
    fitted = model.fit(x, truth)
    judged = getattr(fitted, response_method or "predict")(x)
    end = interval_end(statistic, truth, judged[:, 1] if judged.ndim > 1 else judged, "low" if sign > 0 else "high")
    assert scorer(fitted, x, truth) == sign * end
