"""Every warning blames the line of the user's that asked, however deep in the package it is raised."""

import warnings

import numpy as np
import pytest
from matplotlib.figure import Figure
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import cross_val_score

import skcostci as sk

Y, PERFECT = np.repeat([0, 1], 10), np.arange(20.0)
CLASSES = np.arange(20) % 3
NEVER_2 = np.where(CLASSES == 2, 0, CLASSES)
MODELS = {"a": PERFECT, "b": PERFECT[::-1]}
FALLING = np.repeat([1, 0], 100), np.arange(200) / 200
X = np.zeros((20, 1))
NEGATIVE = DummyClassifier(strategy="constant", constant=0).fit(X, Y)
AX = {"ax": Figure().subplots()}


def rates():
    return sk.bootstrap_roc_at_threshold(Y, PERFECT, thresholds=9.5)


def costs():
    return sk.bootstrap_cost_difference(Y, PERFECT, PERFECT, probability_cost=0.5, thresholds=9.5)


WALD = {"method": "wald"}
ASKED = {
    "interval": lambda: sk.bootstrap_auc(Y, PERFECT).confidence_interval(**WALD),
    "frame": lambda: sk.bootstrap_auc(Y, PERFECT).to_frame(**WALD),
    "region": lambda: rates().confidence_region(**WALD),
    "frame of rates": lambda: rates().to_frame(**WALD),
    "significant": lambda: costs().significant(simultaneous=False, **WALD),
    "models": lambda: sk.compare_models(Y, MODELS).confidence_interval(**WALD),
    "differences": lambda: sk.compare_models(Y, MODELS).differences.confidence_interval(**WALD),
    "frame of differences": lambda: sk.compare_models(Y, MODELS).differences.to_frame(**WALD),
    "omnibus": lambda: sk.compare_models(Y, MODELS).omnibus(),
    "calibration": lambda: sk.bootstrap_calibration(*FALLING).confidence_band(),
    "dict of calibration": lambda: sk.bootstrap_calibration(*FALLING).to_dict(),
    "macro": lambda: sk.bootstrap_metric(CLASSES, NEVER_2, "precision", average="macro"),
    "models by macro": lambda: sk.compare_models(CLASSES, {"a": CLASSES, "b": NEVER_2}, "precision", average="macro"),
    "report": lambda: sk.report(Y, {"a": 0 * PERFECT}, metrics=["precision_macro"], thresholds=9.5),
    "cost curve": lambda: sk.CostCurveDisplay.from_predictions(Y, PERFECT, thresholds=9.5, **WALD, **AX),
    "calibration drawn": lambda: sk.CalibrationConfidenceDisplay.from_predictions(*FALLING, **AX),
    "metric scorer": lambda: sk.make_metric_scorer("precision")(NEGATIVE, X, Y),
    "metric scorer in folds": lambda: cross_val_score(NEGATIVE, X, Y, scoring=sk.make_metric_scorer("precision")),
    "a function of ours in one of the user's": lambda: sk.bootstrap_metric(Y, PERFECT > 9, nested),
}


def nested(truth, predicted, sample_weight=None):
    sk.bootstrap_auc(Y, PERFECT).confidence_interval(method="wald")
    return float(np.average(truth == predicted, weights=sample_weight))


@pytest.mark.parametrize("ask", ASKED.values(), ids=list(ASKED))
def test_a_warning_names_the_file_that_asked(ask):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ask()
    assert caught
    assert {each.filename for each in caught} == {__file__}
