"""Importance weights along curves: rates where another is held, and displays; scikit-learn's weighted curves."""

import numpy as np
import pytest
import sklearn
import sklearn.metrics as skm
from numpy.testing import assert_allclose
from sklearn.isotonic import isotonic_regression
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate
from statistics_list import unplaced

import skcostci as sk

RNG = np.random.default_rng(4)
N = 120
Y = (RNG.random(N) < 0.45).astype(int)
S, OTHER = (np.round(RNG.normal(size=N) + 1.3 * Y, 1) for _ in "ab")  # with ties
P, P_OTHER = (1 / (1 + np.exp(-1.5 * (each - 0.6))) for each in (S, OTHER))
W = RNG.gamma(2.0, size=N)
WEIGHTS = {"sample_weight": W, "weight_type": "importance"}
RATES = np.array([0.07, 0.2, 0.43])


def curve(y, score, w):
    """scikit-learn's, every vertex of it."""
    fpr, tpr, thresholds = skm.roc_curve(y, score, sample_weight=w, drop_intermediate=False)
    return fpr, tpr, thresholds


def tpr_at(y, score, w):
    fpr, tpr, _ = curve(y, score, w)
    return np.interp(RATES, fpr, tpr)


def specificity_at(y, score, w):
    """At the first threshold, going down, that reaches the sensitivity."""
    fpr, tpr, _ = curve(y, score, w)
    return 1 - fpr[np.searchsorted(tpr, 1 - RATES - 1e-12)]


def tpr_at_budget(y, score, w):
    """Ties in random order: the true-positive rate is a straight line between the shares at the scores."""
    order = np.argsort(-score, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(score[order])), len(order) - 1)
    labelled, hits = np.cumsum(w[order])[ends], np.cumsum((w * y)[order])[ends]
    return np.interp(RATES, np.append(0, labelled / labelled[-1]), np.append(0, hits / hits[-1]))


HELD = {  # what is told of one model, what is held, and who is asked of one and of two models
    "fpr": (tpr_at, {"fpr": RATES}, sk.bootstrap_roc_at_fpr, sk.bootstrap_roc_difference_at_fpr),
    "tpr": (specificity_at, {"sensitivity": 1 - RATES}, sk.bootstrap_roc_at_tpr, sk.bootstrap_roc_difference_at_tpr),
    "budget": (tpr_at_budget, {"positive_rate": RATES}, sk.bootstrap_roc_at_positive_rate),
}


@pytest.mark.parametrize("name", HELD)
def test_rates_are_those_of_weighted_curves_and_errors_those_of_resamples(name):
    value, held, *functions = HELD[name]

    def told(rows):
        """Of the first model, and of the difference of both."""
        a, b = (value(Y[rows], score[rows], W[rows]) for score in (S, OTHER))
        return a, a - b

    rng, classes = np.random.default_rng(0), [np.flatnonzero(Y == 1), np.flatnonzero(Y == 0)]
    classes = [np.arange(N)] if name == "budget" else classes  # which says how many are labelled by what all weigh
    drawn = [told(np.concatenate([rng.choice(own, len(own)) for own in classes])) for _ in range(200)]
    for ask, columns, expected, errors in zip(
        functions, ((S,), (S, OTHER)), told(slice(None)), np.std(drawn, axis=0), strict=False
    ):
        found = ask(Y, *columns, **held, **WEIGHTS)
        assert_allclose(found.estimate, expected, rtol=1e-12, atol=1e-12)
        assert_allclose(found.standard_error, errors, rtol=0.2)
        assert found.effective_cases == pytest.approx(W.sum() ** 2 / (W @ W))
        low, high = found.confidence_interval()
        assert np.all((low < found.estimate) & (found.estimate < high) & (found.confidence_interval(0.8).low > low))


def test_other_rates_at_the_same_threshold():
    found = sk.bootstrap_roc_at_tpr(Y, S, sensitivity=0.8, **WEIGHTS)
    labels = found.threshold <= S
    sample = W[Y == 1].sum() / W.sum()
    assert_allclose(found.fpr.estimate, W[(Y == 0) & labels].sum() / W[Y == 0].sum(), rtol=1e-12)
    assert_allclose(found.precision.estimate, 1 / (1 + (1 - sample) / sample / 0.8 * found.fpr.estimate), rtol=1e-12)
    assert found.fpr.effective_cases == found.precision.effective_cases == found.effective_cases
    budget = sk.bootstrap_roc_at_positive_rate(Y, S, positive_rate=0.3, **WEIGHTS)
    assert_allclose(budget.precision.estimate, budget.estimate * sample / 0.3, rtol=1e-12)
    assert budget.positive_rate == pytest.approx(0.3, rel=1e-15)


def test_who_else_asks_for_them():
    name, asked = "sensitivity_at_specificity", {"specificity": 0.8, **WEIGHTS}
    expected = sk.bootstrap_roc_at_fpr(Y, P, **asked).confidence_interval()
    compared = sk.compare_models(Y, {"a": P, "b": P_OTHER}, name, **asked)
    assert compared.results[0].confidence_interval() == expected
    apart = sk.bootstrap_roc_difference_at_fpr(Y, P, P_OTHER, **asked)
    assert compared.differences.pvalue()[0] == pytest.approx(apart.pvalue())
    by = np.arange(N) % 2
    part = sk.compare_groups(Y, P, by, name, **asked).results[1]
    alone = sk.bootstrap_roc_at_fpr(Y[by == 1], P[by == 1], **asked | {"sample_weight": W[by == 1]})
    assert_allclose(part.confidence_interval(), alone.confidence_interval(), rtol=1e-9)
    row = sk.report(Y, P, metrics=f"{name}:0.8", **WEIGHTS).to_frame().iloc[0]
    assert_allclose(row[["low", "high"]].tolist(), expected, rtol=1e-12)
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = sk.make_bound_scorer(name, specificity=0.8, weight_type="importance")
        scorer = scorer.set_score_request(sample_weight=True)
        model = LogisticRegression().fit(S[:, None], Y)
        again = sk.bootstrap_roc_at_fpr(Y, model.decision_function(S[:, None]), **asked)
        assert scorer(model, S[:, None], Y, sample_weight=W) == pytest.approx(again.confidence_interval().low)


def test_curves_that_are_drawn_are_scikit_learns():
    def drawn(display, *columns, **options):
        return display.from_predictions(Y, *columns, ax=unplaced(), **options, **WEIGHTS)

    roc = drawn(sk.ROCConfidenceDisplay, S, drop_intermediate=False)
    assert_allclose((roc.fpr, roc.tpr), curve(Y, S, W)[:2], atol=1e-12)
    assert roc.roc_auc == pytest.approx(skm.roc_auc_score(Y, S, sample_weight=W), rel=1e-12)
    limits = sk.bootstrap_roc_at_fpr(Y, S, fpr=roc.band_fpr, **WEIGHTS).confidence_interval()
    assert_allclose((roc.low, roc.high), limits, rtol=1e-9)
    area = drawn(sk.PrecisionRecallConfidenceDisplay, S)
    precision, recall, _ = skm.precision_recall_curve(Y, S, sample_weight=W)
    assert_allclose((area.precision, area.recall), (precision, recall), atol=1e-12)
    assert area.average_precision == pytest.approx(skm.average_precision_score(Y, S, sample_weight=W), rel=1e-12)
    metrics = drawn(sk.MetricThresholdDisplay, S, thresholds=[0.35, 0.95], metrics="f1")
    assert_allclose(metrics.values[0], [skm.f1_score(Y, cut <= S, sample_weight=W) for cut in (0.35, 0.95)], rtol=1e-12)
    (worth,) = drawn(sk.DecisionCurveDisplay, P, thresholds=[0.4]).net_benefit
    (_, alarms), (_, hits) = skm.confusion_matrix(Y, P >= 0.4, sample_weight=W, normalize="all")
    assert worth == pytest.approx(hits - alarms * 0.4 / 0.6, rel=1e-12)
    chance = drawn(sk.CalibrationConfidenceDisplay, P, band=None)
    risks, place = np.unique(P, return_inverse=True)
    mass = np.bincount(place, W)
    pooled = isotonic_regression(np.bincount(place, W * Y) / mass, sample_weight=mass)
    assert_allclose(np.interp(risks, chance.proba, chance.estimate), pooled, atol=1e-12)


@pytest.fixture(scope="module")
def fitted():
    X = np.column_stack([S, OTHER])
    fits = cross_validate(LogisticRegression(), X, Y, cv=3, return_estimator=True, return_indices=True)
    return X, fits, LogisticRegression().fit(X, Y)


@pytest.mark.parametrize(
    ("display", "options"),
    [
        (sk.ROCConfidenceDisplay, {"averaging": "positive_rate"}),
        (sk.ROCConfidenceDisplay, {"operating_point": {"tpr": 0.8}}),
        (sk.PrecisionRecallConfidenceDisplay, {}),
        (sk.CostCurveDisplay, {"thresholds": "probability"}),
        (sk.CalibrationConfidenceDisplay, {"band": None}),
    ],
)
def test_pictures_of_folds_and_of_estimators(fitted, display, options):
    X, fits, model = fitted
    drawn, plain = (display.from_cv_results(fits, X, Y, ax=unplaced(), **options, **each) for each in (WEIGHTS, {}))
    assert drawn.caption.startswith(plain.caption[:30])
    scaled, found, equal, plain = (
        display.from_estimator(model, X, Y, ax=unplaced(), **options, **weights).low
        for weights in (WEIGHTS | {"sample_weight": 3.7 * W}, WEIGHTS, WEIGHTS | {"sample_weight": np.full(N, 0.7)}, {})
    )
    if plain is not None:
        assert_allclose(scaled, found, atol=1e-9)
        assert_allclose(equal, plain, atol=1e-12)


@pytest.mark.parametrize(
    ("display", "columns", "options", "message"),
    [
        (sk.ROCConfidenceDisplay, (P,), {"band": "simultaneous"}, "with importance weights pass band='pointwise'"),
        (sk.CostCurveDisplay, (P,), {}, "pass thresholds that were chosen beforehand"),
        (sk.CalibrationConfidenceDisplay, (P,), {}, "pass band=None"),
        (sk.PairedCostDifferenceDisplay, (P, P_OTHER), {"thresholds": "probability"}, "use bootstrap_cost_difference"),
    ],
)
def test_pictures_that_cannot_be_had_say_what_can(display, columns, options, message):
    with pytest.raises(ValueError, match=message):
        display.from_predictions(Y, *columns, **options, **WEIGHTS)
