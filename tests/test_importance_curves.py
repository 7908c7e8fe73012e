"""Importance weights along curves: rates where another is held, and displays; scikit-learn's weighted curves."""

import json

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics as skm
from numpy.testing import assert_allclose
from sklearn.isotonic import isotonic_regression
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate

import skcostci as sk
from skcostci.__main__ import main

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


HELD = {
    "fpr": (lambda **w: sk.bootstrap_roc_at_fpr(Y, S, fpr=RATES, **w), lambda y, a, b, w: tpr_at(y, a, w)),
    "tpr": (
        lambda **w: sk.bootstrap_roc_at_tpr(Y, S, sensitivity=1 - RATES, **w),
        lambda y, a, b, w: specificity_at(y, a, w),
    ),
    "budget": (
        lambda **w: sk.bootstrap_roc_at_positive_rate(Y, S, positive_rate=RATES, **w),
        lambda y, a, b, w: tpr_at_budget(y, a, w),
    ),
    "fpr, apart": (
        lambda **w: sk.bootstrap_roc_difference_at_fpr(Y, S, OTHER, fpr=RATES, **w),
        lambda y, a, b, w: tpr_at(y, a, w) - tpr_at(y, b, w),
    ),
    "tpr, apart": (
        lambda **w: sk.bootstrap_roc_difference_at_tpr(Y, S, OTHER, sensitivity=1 - RATES, **w),
        lambda y, a, b, w: specificity_at(y, a, w) - specificity_at(y, b, w),
    ),
}


@pytest.mark.parametrize("name", HELD)
def test_rates_are_those_of_weighted_curves_and_errors_those_of_resamples(name):
    asked, value = HELD[name]
    found = asked(**WEIGHTS)
    assert_allclose(found.estimate, value(Y, S, OTHER, W), rtol=1e-12, atol=1e-12)
    rng, rows = np.random.default_rng(0), [np.flatnonzero(Y == 1), np.flatnonzero(Y == 0)]
    rows = [np.arange(N)] if name == "budget" else rows  # which says how many are labelled by what all weigh
    drawn = [np.concatenate([rng.choice(own, len(own)) for own in rows]) for _ in range(600)]
    errors = np.std([value(Y[each], S[each], OTHER[each], W[each]) for each in drawn], axis=0)
    assert_allclose(found.standard_error, errors, rtol=0.2)
    assert found.effective_cases == pytest.approx(W.sum() ** 2 / (W @ W))
    low, high = found.confidence_interval()
    assert (low < found.estimate).all()
    assert (found.estimate < high).all()
    assert (found.confidence_interval(0.8).low > low).all()
    scaled = asked(sample_weight=3.7 * W, weight_type="importance")
    assert_allclose(scaled.confidence_interval(), (low, high), atol=1e-12)
    plain, equal = asked(), asked(sample_weight=np.full(N, 0.7), weight_type="importance")
    assert_allclose(equal.confidence_interval(), plain.confidence_interval(), rtol=0)


@pytest.mark.parametrize("name", ["fpr", "tpr", "fpr, apart"])
def test_groups_weigh_what_their_cases_do(name):
    asked, counts, groups = HELD[name][0], np.ceil(W), np.arange(N) // 3
    counted = asked(sample_weight=counts, groups=groups)
    found = asked(sample_weight=0.7 * counts, weight_type="importance", groups=groups)
    assert_allclose(found.estimate, counted.estimate, rtol=1e-12)
    assert_allclose(found.confidence_interval(), counted.confidence_interval(), atol=1e-9)


def test_each_rate_has_its_own_number_of_cases():
    several = sk.bootstrap_roc_at_fpr(Y, S, fpr=RATES, **WEIGHTS)
    for place, rate in enumerate(RATES):
        alone = sk.bootstrap_roc_at_fpr(Y, S, fpr=rate, **WEIGHTS)
        assert_allclose(np.array(several.confidence_interval())[:, place], alone.confidence_interval(), rtol=1e-12)
        assert several.threshold[place] == alone.threshold
    fpr, _, thresholds = curve(Y, S, W)
    assert_allclose(several.threshold, thresholds[np.searchsorted(fpr, RATES)])
    assert sk.bootstrap_roc_at_fpr(Y, S, fpr=0.0, **WEIGHTS).threshold == np.inf


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


def test_who_else_asks_for_them(tmp_path, capsys):
    expected = sk.bootstrap_roc_at_fpr(Y, P, specificity=0.8, **WEIGHTS)
    asked = {"specificity": 0.8, **WEIGHTS}
    compared = sk.compare_models(Y, {"a": P, "b": P_OTHER}, "sensitivity_at_specificity", **asked)
    assert compared.results[0].confidence_interval() == expected.confidence_interval()
    apart = sk.bootstrap_roc_difference_at_fpr(Y, P, P_OTHER, specificity=0.8, **WEIGHTS)
    assert compared.differences.pvalue()[0] == pytest.approx(apart.pvalue())
    by = np.arange(N) % 2
    part = sk.compare_groups(Y, P, by, "sensitivity_at_specificity", **asked).results[1]
    own = {"sample_weight": W[by == 1], "weight_type": "importance"}
    alone = sk.bootstrap_roc_at_fpr(Y[by == 1], P[by == 1], specificity=0.8, **own)
    assert_allclose(part.confidence_interval(), alone.confidence_interval(), rtol=1e-9)
    row = sk.report(Y, P, metrics="sensitivity_at_specificity:0.8", **WEIGHTS).to_frame().iloc[0]
    assert_allclose(row[["low", "high"]].tolist(), expected.confidence_interval(), rtol=1e-12)
    path = tmp_path / "scores.csv"
    pd.DataFrame({"y": Y, "p": P, "w": W}).to_csv(path, index=False)
    of_weights = ["--sample-weight", "w", "--weight-type", "importance", "--json"]
    metric = ["--metrics", "sensitivity_at_specificity:0.8"]
    main(["compare", str(path), "--y-true", "y", "--score", "p", *metric, *of_weights])
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    assert_allclose((row["low"], row["high"]), expected.confidence_interval(), rtol=1e-9)
    import sklearn

    with sklearn.config_context(enable_metadata_routing=True):
        scorer = sk.make_bound_scorer("sensitivity_at_specificity", specificity=0.8, weight_type="importance")
        scorer = scorer.set_score_request(sample_weight=True)
        model = LogisticRegression().fit(S[:, None], Y)
        again = sk.bootstrap_roc_at_fpr(Y, model.decision_function(S[:, None]), specificity=0.8, **WEIGHTS)
        assert scorer(model, S[:, None], Y, sample_weight=W) == pytest.approx(again.confidence_interval().low)


def test_curves_that_are_drawn_are_scikit_learns():
    roc = sk.ROCConfidenceDisplay.from_predictions(Y, S, drop_intermediate=False, **WEIGHTS)
    assert_allclose((roc.fpr, roc.tpr), curve(Y, S, W)[:2], atol=1e-12)
    assert roc.roc_auc == pytest.approx(skm.roc_auc_score(Y, S, sample_weight=W), rel=1e-12)
    limits = sk.bootstrap_roc_at_fpr(Y, S, fpr=roc.band_fpr, **WEIGHTS).confidence_interval()
    assert_allclose((roc.low, roc.high), limits, rtol=1e-9)
    area = sk.PrecisionRecallConfidenceDisplay.from_predictions(Y, S, **WEIGHTS)
    precision, recall, _ = skm.precision_recall_curve(Y, S, sample_weight=W)
    assert_allclose((area.precision, area.recall), (precision, recall), atol=1e-12)
    assert area.average_precision == pytest.approx(skm.average_precision_score(Y, S, sample_weight=W), rel=1e-12)
    metrics = sk.MetricThresholdDisplay.from_predictions(Y, S, thresholds=[0.35, 0.95], metrics="f1", **WEIGHTS)
    labels = [(each <= S).astype(int) for each in (0.35, 0.95)]
    assert_allclose(metrics.values[0], [skm.f1_score(Y, each, sample_weight=W) for each in labels], rtol=1e-12)
    asked = {"thresholds": [0.4], **WEIGHTS}
    (worth,) = sk.DecisionCurveDisplay.from_predictions(Y, P, **asked).net_benefit
    (_, alarms), (_, hits) = skm.confusion_matrix(Y, P >= 0.4, sample_weight=W, normalize="all")
    assert worth == pytest.approx(hits - alarms * 0.4 / 0.6, rel=1e-12)
    chance = sk.CalibrationConfidenceDisplay.from_predictions(Y, P, band=None, **WEIGHTS)
    order = np.lexsort((-Y, P))
    assert_allclose(
        np.interp(P[order], chance.proba, chance.estimate),
        isotonic_regression(_pooled(Y, P, W)[order], sample_weight=W[order]),
        atol=1e-12,
    )


def _pooled(y, p, w):
    """The weighted share of positives among those of the same risk."""
    return np.array([np.average(y[p == each], weights=w[p == each]) for each in p])


@pytest.mark.parametrize(
    ("display", "options"),
    [
        (sk.ROCConfidenceDisplay, {"averaging": "threshold"}),
        (sk.ROCConfidenceDisplay, {"averaging": "positive_rate"}),
        (sk.ROCConfidenceDisplay, {"operating_point": {"tpr": 0.8}}),
        (sk.PrecisionRecallConfidenceDisplay, {}),
        (sk.CostCurveDisplay, {"thresholds": "probability"}),
        (sk.DecisionCurveDisplay, {}),
        (sk.CalibrationConfidenceDisplay, {"band": None}),
    ],
)
def test_pictures_of_folds_and_of_estimators(display, options):
    X = np.column_stack([S, OTHER])
    fits = cross_validate(LogisticRegression(), X, Y, cv=3, return_estimator=True, return_indices=True)
    drawn = display.from_cv_results(fits, X, Y, **options, **WEIGHTS)
    plain = display.from_cv_results(fits, X, Y, **options)
    assert drawn.caption.startswith(plain.caption[:30])
    model = LogisticRegression().fit(X, Y)
    found, scaled = (
        display.from_estimator(model, X, Y, sample_weight=c * W, weight_type="importance", **options) for c in (1, 3.7)
    )
    if found.low is not None:
        assert_allclose(scaled.low, found.low, atol=1e-9)
        equal, plain = (
            display.from_estimator(model, X, Y, **options, **each)
            for each in ({"sample_weight": np.full(N, 0.7), "weight_type": "importance"}, {})
        )
        assert_allclose(equal.low, plain.low, atol=1e-12)


def test_pictures_that_cannot_be_had_say_what_can():
    scores = Y, P
    for said, draw in [
        (
            "with importance weights pass band='pointwise'",
            lambda: sk.ROCConfidenceDisplay.from_predictions(*scores, band="simultaneous", **WEIGHTS),
        ),
        (
            "pass thresholds that were chosen beforehand",
            lambda: sk.CostCurveDisplay.from_predictions(*scores, **WEIGHTS),
        ),
        ("pass band=None", lambda: sk.CalibrationConfidenceDisplay.from_predictions(*scores, **WEIGHTS)),
        (
            "use bootstrap_cost_difference",
            lambda: sk.PairedCostDifferenceDisplay.from_predictions(
                *scores, P_OTHER, thresholds="probability", **WEIGHTS
            ),
        ),
    ]:
        with pytest.raises(ValueError, match=said):
            draw()
