"""Losses and scorers, in scikit-learn's own model selection."""

import math
import pickle
from functools import partial

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.stats import beta
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import cohen_kappa_score, fbeta_score, make_scorer, mean_gamma_deviance, roc_auc_score
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    HalvingGridSearchCV,
    StratifiedKFold,
    TunedThresholdClassifierCV,
    cross_val_score,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from strategies import samples

import skcostci as sk

X, Y = load_breast_cancer(return_X_y=True)
X = X[:, :6]
TREE = DecisionTreeClassifier(max_depth=3, random_state=0)
COSTS = [[0, 1], [5, 0]]
EITHER = ("accuracy", "balanced_accuracy", "youden", "kappa", "mcc", "diagnostic_odds_ratio")  # class may be positive
ERRORS = ("fdr", "fomr", "lr_negative")
NAMED = (*EITHER, *ERRORS, "precision", "npv", "recall", "specificity", "f1", "jaccard", "lr_positive", "lift")
EXPECTED = partial(sk.bootstrap_expected_cost, cost_matrix=COSTS)
NET_BENEFIT = partial(sk.bootstrap_metric, metric="net_benefit", thresholds=0.2)
SCORERS = {
    "normalized": sk.make_normalized_cost_scorer(0.3),
    "expected": sk.make_expected_cost_scorer(COSTS),
    "total": sk.make_total_expected_cost_scorer(prior=beta(2, 2)),
    "auc_low": sk.make_bound_scorer(sk.bootstrap_auc),
    "cost_high": sk.make_bound_scorer(
        partial(sk.bootstrap_cost, probability_cost=0.3, thresholds=0.7),
        bound="high",
        response_method="predict_proba",
        greater_is_better=False,
    ),
}


@given(sample=samples(weights=True), w=st.floats(0, 1), threshold=st.floats(-2, 2))
@settings(deadline=None)
def test_normalized_cost_loss_is_the_estimate_of_its_law(sample, w, threshold):
    labels, scores, weights = sample
    loss = sk.normalized_cost_loss(labels, scores, probability_cost=w, threshold=threshold, sample_weight=weights)
    law = sk.bootstrap_cost(labels, scores, probability_cost=w, thresholds=threshold, sample_weight=weights)
    assert type(loss) is float
    assert_allclose(loss, law.estimate, atol=1e-14)
    scaled = np.array(weights) / 7
    assert_allclose(
        loss,
        sk.normalized_cost_loss(labels, scores, probability_cost=w, threshold=threshold, sample_weight=scaled),
        atol=1e-14,
    )


@given(sample=samples(weights=True))
@settings(deadline=None)
def test_total_expected_cost_loss_is_the_area_of_the_curve(sample):
    labels, scores, weights = sample
    curve = sk.CostCurve.from_predictions(labels, scores, sample_weight=weights)
    for prior in (None, beta(3, 2)):
        loss = sk.total_expected_cost_loss(labels, scores, prior=prior, sample_weight=np.array(weights) / 3)
        assert_allclose(loss, curve.expected_cost(prior), atol=1e-14)


def test_expected_cost_loss_by_hand():
    truth, guess = ["a", "b", "c", "b"], ["a", "c", "a", "b"]
    costs = [[0, 1, 2], [3, -1, 5], [6, 7, 0]]
    assert sk.expected_cost_loss(truth, guess, cost_matrix=costs) == (0 + 5 + 6 - 1) / 4
    assert sk.expected_cost_loss(truth, guess, cost_matrix=costs, sample_weight=[0, 1, 0, 0.5]) == (5 - 0.5) / 1.5
    order = sk.expected_cost_loss(["a"], ["b"], cost_matrix=[[0, 9], [4, 0]], labels=["b", "a"])
    assert order == 4


def test_expected_cost_loss_where_a_fold_lacks_a_class():
    assert sk.expected_cost_loss([0, 0], [0, 2], cost_matrix=np.arange(9).reshape(3, 3), labels=[0, 1, 2]) == 1.0


@pytest.mark.parametrize("name", SCORERS)
def test_scorers_give_minus_the_loss_or_the_bound(name):
    model = GaussianNB().fit(X, Y)
    score = model.predict_proba(X)[:, 1]
    expected = {
        "normalized": -sk.normalized_cost_loss(Y, score, probability_cost=0.3),
        "expected": -sk.expected_cost_loss(Y, model.predict(X), cost_matrix=COSTS),
        "total": -sk.total_expected_cost_loss(Y, score, prior=beta(2, 2)),
        "auc_low": sk.bootstrap_auc(Y, score).confidence_interval().low,
        "cost_high": -sk.bootstrap_cost(Y, score, probability_cost=0.3, thresholds=0.7).confidence_interval().high,
    }
    got = SCORERS[name](model, X, Y)
    assert type(got) is float
    assert got == expected[name]


AUC_HIGH = partial(sk.make_bound_scorer, sk.bootstrap_auc, bound="high", greater_is_better=False)
OF_A_CLASS = {
    "normalized": partial(sk.make_normalized_cost_scorer, 0.3),
    "total": sk.make_total_expected_cost_scorer,
    "precision": partial(sk.make_metric_scorer, "precision"),
    "recall_low": partial(sk.make_metric_scorer, "recall", bound="low"),
    "auc_high": AUC_HIGH,
}


@pytest.mark.parametrize("names", [["benign", "malignant"], ["z", "a"], [7, 3]])
@pytest.mark.parametrize("make", OF_A_CLASS.values(), ids=list(OF_A_CLASS))
def test_scorers_are_of_the_class_they_are_made_for(make, names):
    """Whatever the labels are called, and whichever of them comes first."""
    named = np.array(names)[Y]
    for positive in (0, 1):
        plain = make(pos_label=1)(GaussianNB().fit(X, positive == Y), X, (positive == Y).astype(int))
        assert make(pos_label=names[positive])(GaussianNB().fit(X, named), X, named) == pytest.approx(plain, rel=1e-12)


@pytest.mark.parametrize("name", SCORERS)
def test_scorers_do_not_know_the_order_of_the_rows(name):
    model, order = TREE.fit(X, Y), np.argsort(np.arange(len(Y)) * 7 % 5, kind="stable")
    assert SCORERS[name](model, X[order], Y[order]) == pytest.approx(SCORERS[name](model, X, Y), rel=1e-13)


@pytest.mark.parametrize("routing", [False, True])
def test_model_selection(routing):
    with config_context(enable_metadata_routing=routing):
        results = cross_validate(TREE, X, Y, scoring=SCORERS)
        assert all(np.isfinite(results[f"test_{name}"]).all() for name in SCORERS)
        for scorer in SCORERS.values():
            for search in (GridSearchCV, HalvingGridSearchCV):
                found = search(TREE, {"max_depth": [1, 4]}, scoring=scorer, cv=3, error_score="raise").fit(X, Y)
                assert np.isfinite(found.best_score_)


def test_weights_are_routed():
    with config_context(enable_metadata_routing=True):
        weights = np.where(Y == 1, 2, 1)
        model = TREE.fit(X, Y)
        for name in ("normalized", "expected", "total", "auc_low"):
            scorer = SCORERS[name].set_score_request(sample_weight=True)
            assert scorer(model, X, Y, sample_weight=weights) == SCORERS[name](
                model, np.repeat(X, weights, axis=0), np.repeat(Y, weights)
            )


def test_the_threshold_can_be_tuned_for_a_cost_matrix():
    model = LogisticRegression(max_iter=5000)
    plain = TunedThresholdClassifierCV(model, scoring=SCORERS["expected"]).fit(X, Y)
    strict = TunedThresholdClassifierCV(model, scoring=sk.make_expected_cost_scorer([[0, 20], [1, 0]])).fit(X, Y)
    assert plain.best_threshold_ < strict.best_threshold_


def test_text_labels():
    labels = np.where(Y == 1, "benign", "malignant")
    for make in (
        partial(sk.make_normalized_cost_scorer, 0.3),
        sk.make_total_expected_cost_scorer,
        partial(sk.make_bound_scorer, sk.bootstrap_auc),
    ):
        text = cross_val_score(GaussianNB(), X, labels, scoring=make(pos_label="malignant"), error_score="raise")
        number = cross_val_score(GaussianNB(), X, 1 - Y, scoring=make(), error_score="raise")
        assert_allclose(text, number)
    text = sk.make_expected_cost_scorer([[0, 5], [1, 0]], labels=["malignant", "benign"])
    number = sk.make_expected_cost_scorer([[0, 1], [5, 0]])
    fitted = GaussianNB().fit(X, labels), GaussianNB().fit(X, 1 - Y)
    assert text(fitted[0], X, labels) == number(fitted[1], X, 1 - Y)


def test_more_than_two_classes():
    features, species = load_iris(return_X_y=True)
    scorer = sk.make_expected_cost_scorer(np.ones((3, 3)) - np.eye(3), labels=[0, 1, 2])
    assert_allclose(
        cross_val_score(GaussianNB(), features, species, scoring=scorer),
        cross_val_score(GaussianNB(), features, species, scoring="accuracy") - 1,
    )


@pytest.mark.parametrize("name", SCORERS)
def test_scorers_travel(name):
    model = GaussianNB().fit(X, Y)
    again = pickle.loads(pickle.dumps(SCORERS[name]))
    assert again(model, X, Y) == SCORERS[name](model, X, Y)
    search = clone(GridSearchCV(TREE, {"max_depth": [1]}, scoring=SCORERS[name]))
    assert search.fit(X, Y).best_score_ is not None


def test_bound_is_one_of_four():
    with pytest.raises(ValueError, match="bound must be one of 'worst', 'best', 'low', 'high', got 'middle'"):
        sk.make_bound_scorer(sk.bootstrap_auc, bound="middle")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: sk.make_normalized_cost_scorer(2), r"probability_cost must be a number in \[0, 1\], got 2"),
        (lambda: sk.make_normalized_cost_scorer(0.3, threshold=np.nan), "threshold must be a number in .*, got nan"),
        (lambda: sk.make_total_expected_cost_scorer(prior=3), "prior must be None or a frozen"),
        (
            lambda: sk.make_bound_scorer(sk.bootstrap_auc, confidence_level=95),
            r"confidence_level must be a number in \(0, 1\)",
        ),
        (lambda: sk.make_bound_scorer(3), "bootstrap_function must be one of bootstrap_auc, .* or functools.*got 3"),
        (lambda: sk.make_bound_scorer(print), "bootstrap_function must be one of .* got <built-in function print>"),
        (lambda: sk.make_bound_scorer(sk.bootstrap_auc_difference), "bootstrap_function must be one of bootstrap_auc"),
        (lambda: sk.make_bound_scorer(sk.bootstrap_cost), "must give a single estimate, got 101 of them"),
        (lambda: sk.make_bound_scorer(sk.bootstrap_roc_at_fpr), "must give a single estimate, got"),
        (lambda: sk.make_bound_scorer(partial(sk.bootstrap_auc, sampling="x")), "sampling must be one of"),
        (lambda: sk.make_bound_scorer(partial(sk.bootstrap_auc, cost=1)), "unexpected keyword argument 'cost'"),
        (
            lambda: sk.make_bound_scorer(partial(sk.bootstrap_auc, folds=[1])),
            "options alone, got folds",
        ),
        (lambda: sk.make_bound_scorer(partial(sk.bootstrap_auc, [0, 1])), "options alone, got data"),
        (
            lambda: sk.make_bound_scorer(sk.bootstrap_auc, method="clopper_pearson"),
            "method must be one of 'unseen_case'",
        ),
        (lambda: sk.make_bound_scorer(sk.bootstrap_auc, response_method="score"), "response_method must be one of"),
        (
            lambda: sk.make_bound_scorer(EXPECTED, response_method="decision_function"),
            "response_method must be one of 'predict', got 'decision_function'",
        ),
        (
            lambda: sk.make_bound_scorer(NET_BENEFIT, response_method="decision_function"),
            "response_method must be one of 'predict_proba', got 'decision_function'",
        ),
        (lambda: sk.make_bound_scorer(EXPECTED, response_method="predict", pos_label=1), "argument 'pos_label'"),
        (lambda: sk.make_bound_scorer(sk.bootstrap_expected_cost, response_method="predict"), "'cost_matrix'"),
        (lambda: sk.make_metric_scorer("f1", method="wald"), "method needs a bound of the interval, got 'wald'"),
        (lambda: sk.make_metric_scorer("f1", bound="low", method="delong"), "method must be one of .*, got 'delong'"),
        (lambda: sk.make_bound_scorer(sk.bootstrap_auc, method="magic"), "method must be one of .*, got 'magic'"),
        (lambda: sk.make_metric_scorer("f1", bound="low", method="magic"), "method must be one of .*, got 'magic'"),
        (lambda: sk.make_normalized_cost_scorer(0.3, response_method="score"), "response_method must be one of"),
        (lambda: sk.make_normalized_cost_scorer(0.3, threshold=0.1, response_method="predict"), "threshold must be No"),
        (lambda: sk.make_expected_cost_scorer([[0, 1], [1]]), "cost_matrix must not contain sequences of different"),
        (
            lambda: sk.make_expected_cost_scorer([[0, 1, 2]]),
            r"cost_matrix must have a row and a column per class.* got shape \(1, 3\)",
        ),
        (
            lambda: sk.make_expected_cost_scorer([[0, 1], [1, 0]], labels=[1, 2, 3]),
            "cost_matrix must have a row and a column per class",
        ),
        (lambda: sk.make_expected_cost_scorer([[0, np.nan], [1, 0]]), "cost_matrix must be finite"),
    ],
)
def test_options_are_checked_before_a_search_swallows_the_error(make, message):
    with pytest.raises((ValueError, TypeError), match=message):
        make()


THREE = partial(sk.bootstrap_expected_cost, cost_matrix=1 - np.eye(3))


@pytest.mark.parametrize(
    ("statistic", "response_method"),
    [
        (partial(sk.bootstrap_cost, probability_cost=0.3, thresholds="probability"), "predict_proba"),
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
    assert scorer(model, X, Y) == statistic(Y, responses).confidence_interval(0.9).high


def test_a_bound_of_several_classes():
    wine, kind = load_iris(return_X_y=True)
    model = GaussianNB().fit(wine, kind)
    several = partial(sk.bootstrap_auc, multi_class="ovr", labels=[0, 1, 2])
    scorer = sk.make_bound_scorer(several, response_method="predict_proba")
    assert scorer(model, wine, kind) == several(kind, model.predict_proba(wine)).confidence_interval().low
    labels = sk.make_bound_scorer(THREE, bound="high", response_method="predict", greater_is_better=False)
    assert labels(model, wine, kind) == -THREE(kind, model.predict(wine)).confidence_interval().high


@pytest.mark.parametrize("name", SCORERS)
def test_scorers_show_public_names_only(name):
    scorer = SCORERS[name]
    assert set(vars(scorer)) - {"_metadata_request"} == set(vars(make_scorer(fbeta_score, beta=2)))
    assert " _" not in str(scorer).replace("(", " ")
    asked = set(scorer.get_metadata_routing().score.requests)
    with config_context(enable_metadata_routing=True):
        assert set(scorer.get_metadata_routing().score.requests) == asked
    assert not any(each.startswith("_") for each in asked)


@pytest.mark.parametrize("routing", [False, True])
@pytest.mark.parametrize("name", SCORERS)
def test_cross_val_score_is_the_scorer_on_each_fold(name, routing):
    folds = list(StratifiedKFold(3).split(X, Y))
    by_hand = [SCORERS[name](clone(TREE).fit(X[fit], Y[fit]), X[test], Y[test]) for fit, test in folds]
    with config_context(enable_metadata_routing=routing):
        assert cross_val_score(TREE, X, Y, scoring=SCORERS[name], cv=folds).tolist() == by_hand
        together = cross_validate(TREE, X, Y, scoring=SCORERS, cv=folds)
    assert together[f"test_{name}"].tolist() == by_hand


@pytest.mark.parametrize("search", [GridSearchCV, HalvingGridSearchCV])
@pytest.mark.parametrize("name", SCORERS)
def test_weights_reach_the_scorer_through_a_search(name, search):
    weights = np.where(Y == 1, 2, 1)
    folds = list(StratifiedKFold(3).split(X, Y))
    with config_context(enable_metadata_routing=True):
        scorer = clone(SCORERS[name], safe=False).set_score_request(sample_weight=True)
        model = DecisionTreeClassifier(max_depth=3, random_state=0).set_fit_request(sample_weight=False)
        options = {} if search is GridSearchCV else {"min_resources": len(Y)}
        found = search(model, {"max_depth": [2]}, scoring=scorer, cv=folds, error_score="raise", **options)
        found.fit(X, Y, sample_weight=weights)
        by_hand = []
        for fit, test in folds:
            fitted = clone(model).set_params(max_depth=2).fit(X[fit], Y[fit])
            by_hand.append(scorer(fitted, X[test], Y[test], sample_weight=weights[test]))
    assert_allclose(found.cv_results_["mean_test_score"][-1], np.mean(by_hand), rtol=1e-14)


def test_weights_are_not_routed_unasked():
    with config_context(enable_metadata_routing=True):
        scorer = clone(SCORERS["total"], safe=False).set_score_request(sample_weight=False)
        weights = np.where(Y == 1, 2, 1)
        options = {"scoring": scorer, "cv": 3, "params": {"sample_weight": weights}}
        model = clone(TREE).set_fit_request(sample_weight=True)
        asked = cross_val_score(model, X, Y, **options)
        by_hand = [
            scorer(clone(TREE).fit(X[fit], Y[fit], sample_weight=weights[fit]), X[test], Y[test])
            for fit, test in StratifiedKFold(3).split(X, Y)
        ]
    assert asked.tolist() == by_hand


@pytest.mark.parametrize("routing", [False, True])
def test_a_tuned_threshold_is_the_cheapest_of_its_grid(routing):
    scorer = sk.make_expected_cost_scorer([[0, 1], [5, 0]])
    with config_context(enable_metadata_routing=routing):
        model = GaussianNB().fit(X, Y)
        tuned = TunedThresholdClassifierCV(model, scoring=scorer, cv="prefit", refit=False, store_cv_results=True)
        tuned.fit(X, Y)
    positive = tuned.estimator_.predict_proba(X)[:, 1]
    costs = [
        -sk.expected_cost_loss(Y, (positive >= threshold).astype(int), cost_matrix=COSTS)
        for threshold in tuned.cv_results_["thresholds"]
    ]
    assert_allclose(tuned.cv_results_["scores"], costs)
    assert tuned.best_score_ == max(costs)


@pytest.mark.parametrize("name", SCORERS)
def test_a_clone_is_independent_and_equal(name):
    with config_context(enable_metadata_routing=True):
        again = clone(SCORERS[name], safe=False).set_score_request(sample_weight=True)
        model = GaussianNB().fit(X, Y)
        assert again(model, X, Y) == SCORERS[name](model, X, Y)
        travelled = pickle.loads(pickle.dumps(again))
        weights = np.full(len(Y), 2)
        assert travelled(model, X, Y, sample_weight=weights) == again(model, X, Y, sample_weight=weights)
        assert travelled.get_metadata_routing().score.requests["sample_weight"] is True


def test_the_threshold_can_be_tuned_for_an_operating_condition_whatever_the_labels():
    tuned = {}
    for labels, options in ((Y, {}), (np.where(Y == 1, "yes", "no"), {"pos_label": "yes"})):
        scorer = sk.make_normalized_cost_scorer(0.8, response_method="predict", **options)
        model = TunedThresholdClassifierCV(TREE, scoring=scorer, cv=3).fit(X, labels)
        tuned[model.best_threshold_] = model.best_score_
        judged = sk.normalized_cost_loss(Y, model.predict(X) == labels[Y == 1][0], probability_cost=0.8, threshold=0.5)
        assert scorer(model, X, labels) == -judged
    assert len(tuned) == 1


@pytest.mark.parametrize(
    "scorer",
    [
        sk.make_total_expected_cost_scorer(pos_label="yes"),
        sk.make_bound_scorer(sk.bootstrap_auc, pos_label="yes"),
    ],
)
def test_scorers_that_need_scores_say_so_when_they_get_labels(scorer):
    assert " _" not in str(scorer).replace("(", " ")
    with pytest.raises(
        TypeError, match=r"y_score must contain real numbers, got .* which are labels or names, but numbers are needed"
    ):
        scorer._score_func(np.array(["no", "yes"]), np.array(["no", "yes"]), **scorer._kwargs)


def test_bound_scorers_take_functions_of_users():
    def early(y_true, y_score, sample_weight=None):
        return sk.bootstrap_roc_at_fpr(y_true, y_score, fpr=0.1, sample_weight=sample_weight)

    own = sk.make_bound_scorer(early)
    named = sk.make_bound_scorer(partial(sk.bootstrap_roc_at_fpr, fpr=0.1))
    model = GaussianNB().fit(X, Y)
    assert own(model, X, Y) == named(model, X, Y)
    with pytest.raises(TypeError, match="a function of y_true, y_score and sample_weight"):
        sk.make_bound_scorer(lambda y_true, y_score: early(y_true, y_score))


@given(sample=samples(weights=True), density=st.sampled_from([None, beta(2, 1)]))
@settings(deadline=None, max_examples=50)
def test_total_expected_cost_loss_is_the_integral_of_the_least_cost(sample, density):
    """Between the crossings of any two thresholds' lines one of them is cheapest, and the integrand a polynomial."""
    labels, scores, weights = (np.array(column) for column in sample)
    lines = []
    for threshold in (*np.unique(scores), np.inf):
        positive = scores >= threshold
        lines.append([np.average(positive[labels == k] != k, weights=weights[labels == k]) for k in (0, 1)])
    fpr, fnr = np.array([*lines, [1.0, 0.0]]).T
    rise = np.subtract.outer(fnr - fpr, fnr - fpr)
    apart = rise != 0
    crossings = np.subtract.outer(fpr, fpr)[apart] / -rise[apart]
    ends = np.unique([0.0, 1.0, *crossings[(crossings > 0) & (crossings < 1)]])
    nodes, shares = np.polynomial.legendre.leggauss(3)
    w = (ends[:-1, None] + ends[1:, None] + nodes * np.diff(ends)[:, None]) / 2
    cost = (w[..., None] * fnr + (1 - w[..., None]) * fpr).min(axis=-1)
    height = 1.0 if density is None else density.pdf(w)
    area = (cost * height * shares * np.diff(ends)[:, None] / 2).sum()
    loss = sk.total_expected_cost_loss(labels, scores, prior=density, sample_weight=weights)
    assert_allclose(loss, area, atol=1e-12)


MATRICES = st.lists(st.lists(st.integers(-9, 9), min_size=3, max_size=3), min_size=3, max_size=3)
CLASSES = st.lists(st.tuples(*[st.integers(0, 2)] * 2, st.integers(0, 3)), min_size=1, max_size=12)


@given(rows=CLASSES, costs=MATRICES, order=st.permutations(range(3)))
@settings(deadline=None)
def test_expected_cost_loss_is_the_mean_cost_of_the_cases_whatever_the_order_of_the_classes(rows, costs, order):
    truth, guess, weights = map(np.array, zip((0, 0, 1), *rows, strict=True))
    costs, names = np.array(costs), np.array(["low", "middle", "high"])
    loss = sk.expected_cost_loss(truth, guess, cost_matrix=costs, labels=range(3), sample_weight=weights)
    assert_allclose(loss, np.average(costs[truth, guess], weights=weights), atol=1e-13)
    repeated = np.repeat(truth, weights), np.repeat(guess, weights)
    assert_allclose(sk.expected_cost_loss(*repeated, cost_matrix=costs, labels=range(3)), loss, atol=1e-13)
    reordered = {"cost_matrix": costs[np.ix_(order, order)], "labels": names[list(order)], "sample_weight": weights}
    assert_allclose(sk.expected_cost_loss(names[truth], names[guess], **reordered), loss, atol=1e-13)


class Said(ClassifierMixin, BaseEstimator):
    """A classifier whose only feature is the class that it predicts."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return self.classes_[np.asarray(X)[:, 0]]


TRUTH, GUESS, TIMES = (
    np.repeat([0, 1], [9, 7]),
    np.r_[0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1],
    np.arange(16) % 3 + 1,
)


@pytest.mark.parametrize("bound", [None, "low", "high"])
@pytest.mark.parametrize("name", NAMED)
def test_a_scorer_of_each_metric_is_the_metric_of_weighted_and_repeated_rows_and_of_either_class(name, bound):
    sign = -1 if name in ERRORS else 1
    model = Said().fit(None, TRUTH)

    def expected(y_true, y_pred, **options):
        result = sk.bootstrap_metric(y_true, y_pred, name, **options)
        return sign * (float(result) if bound is None else getattr(result.confidence_interval(), bound))

    scorer, features = sk.make_metric_scorer(name, bound=bound), GUESS[:, None]
    assert_allclose(scorer(model, features, TRUTH), expected(TRUTH, GUESS), rtol=1e-13)
    weighted = scorer(model, features, TRUTH, sample_weight=TIMES)
    repeated = np.repeat(TRUTH, TIMES), np.repeat(GUESS, TIMES)
    assert_allclose(weighted, expected(TRUTH, GUESS, sample_weight=TIMES), rtol=1e-13)
    assert_allclose(weighted, scorer(model, repeated[1][:, None], repeated[0]), rtol=1e-13)
    words = np.array(["ill", "well"])[TRUTH]
    of_ill = sk.make_metric_scorer(name, bound=bound, pos_label="ill")(Said().fit(None, words), features, words)
    assert_allclose(of_ill, expected(1 - TRUTH, 1 - GUESS), rtol=1e-13)


@pytest.mark.parametrize("name", NAMED)
def test_a_scorer_of_each_metric_is_greater_where_a_mistake_of_either_kind_is_put_right(name):
    scorer, model = sk.make_metric_scorer(name), Said().fit(None, TRUTH)
    before = scorer(model, GUESS[:, None], TRUTH)
    after = []
    for mistake in np.flatnonzero(GUESS != TRUTH):
        better = GUESS.copy()
        better[mistake] = TRUTH[mistake]
        after.append(scorer(model, better[:, None], TRUTH) - before)
    assert min(after) >= -1e-15
    assert max(after) > 1e-3


TEXTS = np.where(Y == 1, "well", "ill")
AT_CONDITION = partial(sk.bootstrap_cost, probability_cost=0.3, thresholds="probability")


@pytest.mark.parametrize(
    ("scorer", "loss"),
    [
        (
            sk.make_bound_scorer(AT_CONDITION),
            lambda y, p: (
                sk.bootstrap_cost(y, p, probability_cost=0.3, thresholds="probability").confidence_interval().high
            ),
        ),
        (
            sk.make_bound_scorer(AT_CONDITION, bound="best"),
            lambda y, p: (
                sk.bootstrap_cost(y, p, probability_cost=0.3, thresholds="probability").confidence_interval().low
            ),
        ),
        (sk.make_bound_scorer(NET_BENEFIT), lambda y, p: -NET_BENEFIT(y, p).confidence_interval().low),
        (sk.make_bound_scorer(NET_BENEFIT, bound="best"), lambda y, p: -NET_BENEFIT(y, p).confidence_interval().high),
    ],
)
def test_a_bound_is_the_worst_one_unless_another_is_asked_for(scorer, loss):
    """Of costs the high one; and what takes risks asks for them, though there are decision values too."""
    model = LogisticRegression(max_iter=5000).fit(X, Y)
    assert scorer(model, X, Y) == -loss(Y, model.predict_proba(X)[:, 1])


def test_metrics_have_their_worst_bound_too():
    model = GaussianNB().fit(X, Y)
    for name, worst, best in (("f1", "low", "high"), ("fdr", "high", "low")):
        interval = sk.bootstrap_metric(Y, model.predict(X), name).confidence_interval()
        for bound, end in (("worst", worst), ("best", best)):
            expected = getattr(interval, end) * (1 if name == "f1" else -1)
            assert sk.make_metric_scorer(name, bound=bound)(model, X, Y) == expected
            statistic = partial(sk.bootstrap_metric, metric=name)
            assert sk.make_bound_scorer(statistic, bound=bound)(model, X, Y) == expected


SCORERS_OF_SCORES = {
    "auc": lambda **options: sk.make_bound_scorer(sk.bootstrap_auc, **options),
    "cost": lambda **options: sk.make_normalized_cost_scorer(0.3, **options),
    "area": sk.make_total_expected_cost_scorer,
    "net_benefit": lambda **options: sk.make_bound_scorer(NET_BENEFIT, **options),
}


@pytest.mark.parametrize("make", SCORERS_OF_SCORES.values(), ids=list(SCORERS_OF_SCORES))
def test_the_positive_class_of_scores_is_the_last_as_in_scikit_learn(make):
    scores = cross_val_score(GaussianNB(), X, TEXTS, scoring=make(), error_score="raise")
    assert scores.tolist() == cross_val_score(GaussianNB(), X, TEXTS, scoring=make(pos_label="well")).tolist()
    assert scores.tolist() == cross_val_score(GaussianNB(), X, Y, scoring=make()).tolist()


@pytest.mark.parametrize("name", NAMED)
def test_of_labels_it_is_asked_for_where_it_matters(name):
    model = GaussianNB().fit(X, TEXTS)
    if name not in EITHER:
        with pytest.raises(ValueError, match="pos_label is not specified"):
            sk.make_metric_scorer(name)(model, X, TEXTS)
    else:
        expected = sk.make_metric_scorer(name)(GaussianNB().fit(X, Y), X, Y)
        assert sk.make_metric_scorer(name)(model, X, TEXTS) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("labels", "positive"), [(TEXTS, "ill"), (2 * Y - 1, -1), (Y + 1, 1), (Y, 0)])
def test_labels_that_a_search_hands_over_are_the_decision(labels, positive):
    """The threshold that is found is the cheapest of its grid for these very decisions."""
    scorer = sk.make_normalized_cost_scorer(0.7, pos_label=positive)
    model = TunedThresholdClassifierCV(GaussianNB(), scoring=scorer, cv="prefit", refit=False, thresholds=25)
    model.estimator = GaussianNB().fit(X, labels)
    model.fit(X, labels)
    risks = model.estimator.predict_proba(X)[:, list(model.estimator.classes_).index(positive)]
    grid = np.linspace(risks.min(), risks.max(), 25)
    ill = labels == positive
    costs = [sk.normalized_cost_loss(ill, risks, probability_cost=0.7, threshold=cut) for cut in grid]
    assert model.best_score_ == pytest.approx(-min(costs), abs=1e-12)
    assert model.best_threshold_ == grid[np.argmin(costs)]


class Constant(Said):
    """Labels everybody, or nobody, or those that the first feature says."""

    def __init__(self, label=None):
        self.label = label

    def predict(self, X):
        said = super().predict(X)
        return said if self.label is None else np.full_like(said, self.label)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@pytest.mark.parametrize("bound", [None, "worst", "best"])
@pytest.mark.parametrize("name", NAMED)
def test_no_constant_classifier_wins_because_a_metric_is_undefined(name, bound):
    truth, said = np.tile([0, 0, 0, 1, 1], 12), np.tile([0, 0, 1, 1, 0], 12)
    scorer = sk.make_metric_scorer(name, bound=bound)
    search = GridSearchCV(Constant(), {"label": [0, 1, None]}, scoring=scorer, cv=3, error_score="raise")
    found = search.fit(said[:, None], truth)
    scores = found.cv_results_["mean_test_score"]
    assert np.isfinite(scores).all()
    for label, score in zip((0, 1), scores, strict=False):
        try:
            sk.bootstrap_metric(truth, np.full(60, label), name)
        except ValueError:
            assert score < scores[2]
            assert found.best_params_ != {"label": label}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@pytest.mark.parametrize("bound", [None, "worst"])
@pytest.mark.parametrize("name", ["precision", "npv", "fdr", "fomr", "lr_positive", "lr_negative", "mcc", "lift"])
def test_nor_is_a_threshold_at_which_it_is(name, bound):
    scorer = sk.make_metric_scorer(name, bound=bound)
    found = TunedThresholdClassifierCV(GaussianNB(), scoring=scorer, cv=3, thresholds=[-1.0, 0.3, 0.5, 0.7, 2.0])
    labels = found.fit(X, Y).predict(X)
    assert 0 < labels.sum() < len(labels)


@pytest.mark.parametrize("name", ["lr_positive", "diagnostic_odds_ratio"])
def test_an_infinite_fold_does_not_decide_a_mean(name):
    """One fold without a false alarm among few cases, against a model that is better in all the others."""
    model = Said().fit(None, TRUTH)
    scorer = sk.make_metric_scorer(name)
    truth, lucky = np.repeat([0, 1], 20), np.repeat([0, 1], [35, 5])
    assert math.isinf(float(sk.bootstrap_metric(truth, lucky, "lr_positive")))
    good = np.r_[np.zeros(19), np.ones(21)].astype(int)
    assert np.isfinite(scorer(model, lucky[:, None], truth))
    assert scorer(model, lucky[:, None], truth) < scorer(model, good[:, None], truth)


@pytest.mark.parametrize("scoring", ["f1", "accuracy"])
def test_routing_of_what_others_ask_for_does_not_concern_a_metric(scoring):
    groups = np.arange(len(Y)) // 3
    options = {"cv": GroupKFold(3), "params": {"groups": groups}, "error_score": "raise"}
    with config_context(enable_metadata_routing=True):
        theirs = cross_val_score(TREE, X, Y, scoring=scoring, **options)
        ours = cross_val_score(TREE, X, Y, scoring=sk.make_metric_scorer(scoring), **options)
        assert_allclose(ours, theirs, rtol=1e-13)
        asked = sk.make_metric_scorer(scoring, bound="worst").set_score_request(groups=True)
        assert (cross_val_score(TREE, X, Y, scoring=asked, **options) < theirs).all()


def test_a_fold_of_one_class_has_what_it_has():
    model = Said().fit(None, [0, 1])
    ones, said = np.ones(10, int), np.r_[np.ones(7), np.zeros(3)].astype(int)[:, None]
    for name in ("recall", "accuracy", "f1"):
        assert sk.make_metric_scorer(name)(model, said, ones) == pytest.approx(
            float(sk.bootstrap_metric(ones, said.ravel(), name))
        )
    with pytest.warns(UndefinedMetricWarning, match="specificity is undefined"):
        assert sk.make_metric_scorer("specificity")(model, said, ones) == 0


@pytest.mark.parametrize("bound", [None, "worst", "best", "low", "high"])
def test_an_undefined_metric_of_several_classes_is_the_worst_whichever_end_is_asked_for(bound):
    scorer = sk.make_metric_scorer("kappa", kappa_weights="linear", bound=bound)
    model = DummyClassifier(strategy="constant", constant=1).fit([[0], [0], [0]], [0, 1, 2])
    with pytest.warns(UndefinedMetricWarning, match="the worst possible value"):
        assert scorer(model, [[0]] * 4, [1] * 4) == -1


AMOUNTS = 2.0 * X[:, 0] + np.sin(Y + X[:, 1])
IRIS, KIND = load_iris(return_X_y=True)
LOSSES = {  # of an estimator, what it is tried on, what the statistic then judges, and options
    "brier": (GaussianNB(), X, Y, lambda model, X: model.predict_proba(X)[:, 1], {}),
    "brier of texts": (GaussianNB(), X, np.array(["b", "a"])[Y], lambda m, X: m.predict_proba(X)[:, 1], {}),
    "log_loss": (TREE, X, Y, lambda model, X: model.predict_proba(X)[:, 1], {"most": 40.0}),
    "log_loss of three": (GaussianNB(), IRIS, KIND, lambda m, X: m.predict_proba(X), {"labels": [0, 1, 2]}),
    "zero_one": (GaussianNB(), IRIS, np.array(["u", "v", "w"])[KIND], lambda model, X: model.predict(X), {}),
    "squared_error": (LinearRegression(), X, AMOUNTS, lambda model, X: model.predict(X), {}),
    "absolute_error": (LinearRegression(), X, AMOUNTS, lambda model, X: model.predict(X), {"most": 100.0}),
}


@pytest.mark.parametrize("name", LOSSES)
def test_a_bound_of_a_loss_is_that_of_its_interval_and_less_is_better(name):
    model, features, truth, judged, options = LOSSES[name]
    loss = name.partition(" ")[0]
    statistic = partial(sk.bootstrap_loss, loss=loss, **options)
    splits = list(StratifiedKFold(3).split(X, Y) if truth is AMOUNTS else StratifiedKFold(3).split(features, truth))
    scores = cross_val_score(model, features, truth, cv=splits, scoring=sk.make_bound_scorer(statistic))
    for (train, test), score in zip(splits, scores, strict=True):
        fitted = clone(model).fit(features[train], truth[train])
        named = {"pos_label": fitted.classes_[1]} if name == "brier of texts" else {}
        expected = statistic(truth[test], judged(fitted, features[test]), **named)
        assert score == -expected.confidence_interval().high
    best = cross_val_score(model, features, truth, cv=splits, scoring=sk.make_bound_scorer(statistic, bound="best"))
    assert (best > scores).all()


def test_a_search_chooses_by_the_bound_of_a_loss():
    scorer = sk.make_bound_scorer(sk.bootstrap_loss)
    search = GridSearchCV(TREE, {"max_depth": [1, 3, 12]}, scoring=scorer, cv=3, error_score="raise").fit(X, Y)
    assert search.best_params_ == {"max_depth": 3}
    assert (search.cv_results_["mean_test_score"] < 0).all()


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
    model, x, truth = LogisticRegression(max_iter=5000), X[::8], Y[::8]
    if statistic.keywords.get("metric") is mean_gamma_deviance:
        model, truth = DummyRegressor(), (AMOUNTS - AMOUNTS.min() + 1)[::8]
    fitted = model.fit(x, truth)
    judged = getattr(fitted, response_method or "predict")(x)
    interval = statistic(truth, judged[:, 1] if judged.ndim > 1 else judged).confidence_interval()
    assert scorer(fitted, x, truth) == (interval.low if sign > 0 else -interval.high)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: sk.make_bound_scorer(sk.bootstrap_loss, response_method="predict"), "one of 'predict_proba', got 'pr"),
        (
            lambda: sk.make_bound_scorer(partial(sk.bootstrap_loss, loss="mse")),
            "For 'mse' write 'squared_error'",
        ),
        (
            lambda: sk.make_bound_scorer(partial(sk.bootstrap_loss, loss="zero_one", most=0.5)),
            "losses must lie between least and most",
        ),
        (lambda: sk.make_bound_scorer(sk.bootstrap_calibration), "bootstrap_function must be one of bootstrap_auc"),
        (lambda: sk.make_bound_scorer(sk.bootstrap_mean), "bootstrap_function must be one of bootstrap_auc"),
    ],
)
def test_losses_are_checked_when_a_scorer_is_made(make, message):
    with pytest.raises((ValueError, TypeError), match=message):
        make()


@pytest.mark.parametrize("make", [sk.make_metric_scorer, sk.make_bound_scorer])
@pytest.mark.parametrize("name", ["gini", "eer"])
def test_a_statistic_by_name_ignores_no_option(make, name):
    with pytest.raises(TypeError, match=f"got 'specificity', which metric='{name}' does not take"):
        make(name, specificity=0.9)


def test_weights_of_another_length_are_refused_and_columns_of_any_kind_are_read():
    """With several classes, or with an option, a scorer computes the metric from the labels itself."""
    y, guess, weights = np.tile([0, 1, 2], 10), np.tile([0, 1, 1], 10), np.arange(30) % 4
    score = partial(sk.make_metric_scorer("kappa", kappa_weights="linear"), Said().fit(None, y), guess[:, None])
    with pytest.raises(ValueError, match="y_true and y_pred and sample_weight must have the same length"):
        score(y, sample_weight=weights[:20])
    expected = cohen_kappa_score(y, guess, weights="linear", sample_weight=weights)
    for kind in (list, pa.array, pl.Series):
        assert score(kind(y), sample_weight=weights) == pytest.approx(expected, rel=1e-12)
