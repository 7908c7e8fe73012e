"""What a type checker knows of the public names: mypy reads this file as strictly as a careful user's.

Each ``assert_type`` is a test of mypy's, each ``type: ignore`` too, since one that is not needed is an error; pytest
sees that what is said of types is true of values.
"""

from pathlib import Path
from typing import assert_type

import numpy as np
import pytest
from numpy.typing import NDArray

import skcostci as sk

Y = [0, 0, 0, 0, 1, 1, 1, 1]
SCORE = [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
LABELS = [0, 0, 0, 1, 0, 1, 1, 1]
Numbers = float | NDArray[np.float64]


def test_single_estimates_are_floats() -> None:
    auc = sk.bootstrap_auc(Y, SCORE)
    difference = sk.bootstrap_auc_difference(Y, SCORE, LABELS)
    cost = sk.bootstrap_expected_cost(Y, LABELS, [[0, 1], [5, 0]])
    both = sk.bootstrap_expected_cost_difference(Y, LABELS, Y, [[0, 1], [5, 0]])
    errors = sk.auc_from_error_count(3, 20, 30)
    apart = sk.independent_difference(auc, auc)
    assert_type(auc, sk.results.AUCResult | sk.results.PartialAUCResult)
    assert_type(auc.estimate, float)
    assert_type(auc.standard_error, float)
    assert_type(auc.confidence_interval(), sk.ConfidenceInterval[float])
    assert_type(auc.confidence_interval(0.9, alternative="greater").low, float)
    assert_type(difference.pvalue("less", null=0.1), float)
    assert_type(difference.equivalence(-0.1, 0.1).both, float)
    assert_type(difference.statistic, float)
    assert_type(both.probabilities(), tuple[float, float, float])
    assert_type(apart.estimate, float)
    assert_type(sk.pool_imputations([auc, auc]).confidence_interval().low, float)
    assert_type(errors.mean, float)
    assert_type(sk.bootstrap_loss(Y, SCORE, "log_loss").estimate, float)
    assert_type(sk.bootstrap_mean(SCORE).confidence_interval(), sk.ConfidenceInterval[float])
    assert_type(sk.bootstrap_loss_difference(Y, SCORE, SCORE).pvalue(), float)
    assert_type(sk.bootstrap_calibration(Y, SCORE).confidence_band().low, NDArray[np.float64])
    estimates = [auc.estimate, difference.estimate, cost.estimate, both.estimate, errors.estimate, apart.estimate]
    more = [*auc.confidence_interval(), *both.probabilities(), cost.cdf(0.5), difference.pvalue(), errors.mean]
    assert {type(value) for value in [*estimates, *more, sk.probability_cost(0.1, 5, 1)]} == {float}


def test_curves_are_floats_or_arrays() -> None:
    cost = sk.bootstrap_cost(Y, SCORE)
    assert_type(cost, sk.results.CostResult)
    assert_type(cost.estimate, Numbers)
    assert_type(cost.confidence_band(0.9), sk.ConfidenceInterval[Numbers])
    assert_type(sk.bootstrap_roc_at_threshold(Y, SCORE).tpr.estimate, Numbers)
    assert_type(sk.bootstrap_expected_cost(Y, LABELS, [[0, 1], [1, 0]]).cdf([0.2, 0.5]), Numbers)
    assert_type(sk.probability_thresholds(0.3), Numbers)
    assert_type(sk.cost_minimizing_thresholds(Y, SCORE, [0.3, 0.5]), Numbers)
    assert isinstance(cost.estimate, np.ndarray)
    assert isinstance(cost, sk.results.BootstrapResult)


def test_options_are_known_by_name() -> None:
    def levels(result: sk.results.BootstrapResult, other: sk.results.BootstrapResult) -> list[sk.ConfidenceInterval]:
        return [each.confidence_interval(level) for each in (result, other) for level in (0.5, 0.9)]

    assert len(levels(sk.bootstrap_cost(Y, SCORE, normalizer="mean"), sk.bootstrap_auc(Y, SCORE, sampling="full"))) == 4
    with pytest.raises(ValueError, match="sampling must be one of"):
        sk.bootstrap_auc(Y, SCORE, sampling="none")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="alternative must be one of"):
        sk.bootstrap_auc(Y, SCORE).confidence_interval(alternative="more")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="probability_cots"):
        sk.bootstrap_metric(Y, SCORE, "cost", probability_cots=0.3)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="specificty"):
        sk.compare_models(Y, {"a": SCORE, "b": LABELS}, "sensitivity_at_specificity", specificty=0.9)  # type: ignore[call-arg]


def test_mistyped_options_of_displays_are_known_before_anything_runs() -> None:
    with pytest.raises(TypeError, match="confidence_levle"):
        sk.ROCConfidenceDisplay.from_predictions(Y, SCORE, confidence_levle=0.9)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="plot_cost_lnes"):
        sk.CostCurveDisplay.from_estimator(None, [[1]], Y, plot_cost_lnes=True)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="standardised"):
        sk.DecisionCurveDisplay.from_cv_results({}, [[1]], Y, standardised=True)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="response_method"):  # risks are asked for, and nothing else
        sk.DecisionCurveDisplay.from_estimator(None, [[1]], Y, response_method="auto")  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="band must be one of"):
        sk.ROCConfidenceDisplay.from_predictions(Y, SCORE, band="everywhere")  # type: ignore[arg-type]


def test_displays_stay_what_they_are() -> None:
    class Mine(sk.ROCConfidenceDisplay):
        """A display of the user's."""

    assert_type(Mine.from_predictions(Y, SCORE), Mine)
    assert_type(sk.CostCurveDisplay.from_predictions(Y, SCORE, band=None).plot(), sk.CostCurveDisplay)
    assert (Path(sk.__file__).parent / "py.typed").exists()
