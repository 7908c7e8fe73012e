"""Pictures of metrics: what is drawn is what the results say, and the legend says what it is."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from public import legend_texts
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score, precision_recall_curve
from sklearn.model_selection import cross_validate

import skcostci as sk

pytestmark = pytest.mark.usefixtures("no_layout")
rng = np.random.default_rng(3)
Y = np.repeat([0, 1], [60, 30])
SCORES = (rng.normal(size=90) + 1.5 * Y).round(2)
RISKS = 1 / (1 + np.exp(-SCORES))
X = np.column_stack([SCORES, rng.normal(size=90)])
MODEL = LogisticRegression().fit(X, Y)
CV = cross_validate(MODEL, X, Y, return_estimator=True, return_indices=True)


@pytest.mark.parametrize("drop_intermediate", [False, True])
def test_a_precision_recall_curve_is_scikit_learns(drop_intermediate):
    options = {"drop_intermediate": drop_intermediate, "plot_chance_level": True}
    display = sk.PrecisionRecallConfidenceDisplay.from_predictions(Y, SCORES, name="model", **options)
    precision, recall, _ = precision_recall_curve(Y, SCORES, drop_intermediate=drop_intermediate)
    assert_allclose(display.recall, recall, rtol=1e-14)
    assert_allclose(display.precision, precision, rtol=1e-14)
    assert_allclose(display.line_.get_xydata(), np.column_stack([recall, precision]))
    assert display.line_.get_drawstyle() == "steps-post"
    assert_allclose(display.average_precision, average_precision_score(Y, SCORES), rtol=1e-13)
    low, high = sk.bootstrap_average_precision(Y, SCORES).confidence_interval()
    assert_allclose(display.average_precision_interval, (low, high))
    assert legend_texts(display.ax_) == [
        f"model (AP = {display.average_precision:.2f} [{low:.2f}, {high:.2f}])",
        "95 % confidence band (pointwise)",
        "Chance level (AP = 0.33)",
    ]
    assert_allclose(display.chance_level_.get_ydata(), 1 / 3)


def test_a_precision_recall_curve_of_many_scores_has_all_of_them_and_a_band_in_some_steps():
    scores = np.random.default_rng(0).normal(size=1000)
    y, scores = scores + Y.mean() > 0, scores**3 - scores
    display = sk.PrecisionRecallConfidenceDisplay.from_predictions(y, scores)
    assert len(display.recall) == 1001
    assert len(display.low) == len(display.band_recall) == len(display.thresholds) == 200
    each = sk.bootstrap_metric(y, scores, "precision", thresholds=np.sort(scores[y])[::-1]).confidence_interval()
    place = np.searchsorted(display.band_recall, np.arange(1, y.sum() + 1) / y.sum() - 1e-9)
    for limit, drawn, side in zip(each, (display.low, display.high), (1, -1), strict=True):
        wider = side * (limit - drawn[place])
        assert wider.min() > -0.003  # a step is outside the limits within it
        assert np.median(wider) < 0.005


def test_a_precision_recall_display_is_made_of_numbers_as_scikit_learns_is():
    display = sk.PrecisionRecallConfidenceDisplay(np.array([0.5, 1]), np.array([1, 0]), average_precision=0.8).plot()
    assert display.line_.get_label() == "AP = 0.80"
    assert display.fill_between_ is display.chance_level_ is None
    with pytest.raises(ValueError, match="You must provide prevalence_pos_label when constructing"):
        display.plot(plot_chance_level=True)


def test_folds_of_precision_and_recall_have_their_averages_and_prevalences():
    display = sk.PrecisionRecallConfidenceDisplay.from_cv_results(CV, X, Y, plot_chance_level=True)
    assert display.fill_between_ is display.pooled.fill_between_ is not None
    folds = zip(CV["estimator"], CV["indices"]["test"], strict=True)
    averages = [average_precision_score(Y[test], model.decision_function(X[test])) for model, test in folds]
    assert_allclose(display.average_precision, averages)
    assert display.line_[0].get_label() == f"AP = {np.mean(averages):.2f} +/- {np.std(averages):.2f}"
    shares = [Y[test].mean() for test in CV["indices"]["test"]]
    assert_allclose([line.get_ydata()[0] for line in display.chance_level_], shares)
    assert display.chance_level_[0].get_label() == f"Chance level (AP = {np.mean(shares):.2f} +/- {np.std(shares):.2f})"
    assert sum(text.startswith("Chance level") for text in legend_texts(display.ax_)) == 1


def test_a_decision_curve_has_what_takes_no_model():
    thresholds = [0.1, 0.4, 0.7]
    display = sk.DecisionCurveDisplay.from_predictions(Y, RISKS, thresholds=thresholds, confidence_level=0.9)
    everybody = sk.bootstrap_metric(Y, np.ones(90), "net_benefit", thresholds=thresholds)
    all_, none = display.chance_level_
    assert_allclose(all_.get_ydata(), everybody.estimate, atol=1e-14)
    assert_allclose(none.get_ydata(), 0)
    assert legend_texts(display.ax_) == ["Classifier", "90 % confidence band (pointwise)", "Treat all", "Treat none"]
    assert display.ax_.get_ylim()[0] < 0 < display.ax_.get_ylim()[1]
    assert display.ax_.get_xlim() == (0, 0.7)


def test_a_decision_curve_is_standardized_and_judged_at_another_prevalence():
    own = sk.DecisionCurveDisplay.from_predictions(Y, RISKS, standardized=True)
    assert own.threshold_probability[0] == 0.01
    assert own.ax_.get_ylabel() == "Standardized net benefit (Positive label: 1)"
    assert_allclose(own.treat_all[0], 1 - 2 * 0.01 / 0.99, rtol=1e-12)
    rare = sk.DecisionCurveDisplay.from_predictions(Y, RISKS, thresholds=[0.05], prevalence=0.1)
    assert_allclose(rare.treat_all, 0.1 - 0.9 * 0.05 / 0.95, rtol=1e-12)


def test_several_metrics_are_drawn_against_the_threshold_each_with_its_band():
    kinds = ["precision", sk.Metric.fbeta(2), "net_benefit"]
    display = sk.MetricThresholdDisplay.from_predictions(Y, RISKS, metrics=kinds, thresholds=[0.2, 0.5], chosen=0.5)
    assert [line.get_label() for line in display.line_] == ["Precision", "F2", "Net benefit"]
    assert len({line.get_linestyle() for line in display.line_}) == 3
    assert legend_texts(display.ax_)[-2:] == ["95 % confidence band (pointwise)", "Chosen threshold, 0.5"]
    said = "95 % confidence band (pointwise) of Precision and F2 and Net benefit"
    assert display.caption == f"{said}, Clopper-Pearson or unseen case"
    assert list(display.chosen_.get_xdata()) == [0.5, 0.5]
    alone = sk.MetricThresholdDisplay.from_predictions(Y, RISKS, metrics="npv")
    assert alone.ax_.get_ylabel() == "Negative predictive value (Positive label: 1)"
    assert alone.chosen_ is None
    assert legend_texts(alone.ax_) == ["Negative predictive value", "95 % confidence band (pointwise)"]
