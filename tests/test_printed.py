"""What is printed is what is meant: limits, thresholds of each model, cautions."""

import re

import numpy as np
import pytest

import skcostci as sk

RNG = np.random.default_rng(3)
Y = RNG.integers(0, 2, 50)
SCORES = {name: Y * shift + RNG.normal(size=50) for name, shift in (("a", 1.5), ("b", 1.0), ("c", 0.5))}
CUTS = {"a": 0.5, "b": 1.5, "c": 0.0}


@pytest.mark.parametrize(
    ("low", "high", "printed"),
    [
        (-np.inf, -0.00138, "low=-inf, high=-0.00138"),
        (-0.00138, np.inf, "low=-0.00138, high=inf"),
        (0.000004567, np.inf, "low=4.567e-06, high=inf"),
        (12345.678, np.inf, "low=12350.0, high=inf"),
        (-0.0004, 0.61, "low=-0.0004, high=0.61"),
        (-0.61, -0.0004, "low=-0.61, high=-0.0004"),
        (0.0, 0.5678, "low=0.0, high=0.568"),
        (-np.inf, np.inf, "low=-inf, high=inf"),
        (0.776123456, 0.776987654, "low=0.776123, high=0.776988"),
        (-120.4, 3011.2, "low=-120.0, high=3010.0"),
        (1.0, 1.0, "low=1.0, high=1.0"),
        (np.array([0.12345, 0.5]), np.array([0.22345, 0.5]), "low=[0.123, 0.5  ], high=[0.223, 0.5  ]"),
        (np.array([-np.inf, -np.inf]), np.array([-0.00138, 2.0]), "high=[-1.38e-03,  2.00e+00]"),
    ],
)
def test_limits_keep_their_sign_and_their_digits(low, high, printed):
    assert printed in repr(sk.ConfidenceInterval(low, high))


@pytest.mark.parametrize("alternative", ["less", "greater", "two-sided"])
def test_printed_limits_are_the_limits(alternative):
    for scale in (1e-7, 1e-2, 1.0, 1e5):
        limits = sk.bootstrap_mean(scale * RNG.normal(1, 1, 30)).confidence_interval(alternative=alternative)
        printed = [float(x) for x in re.findall(r"=([^,)]+)", repr(limits))]
        for shown, limit in zip(printed, limits, strict=True):
            assert shown == limit or abs(shown / limit - 1) < 0.01


@pytest.mark.parametrize("metric", ["recall", "kappa", "youden"])
def test_thresholds_of_each_model_are_told_with_it(metric):
    compared = sk.compare_models(Y, SCORES, metric, thresholds=CUTS)
    frame, pairs = compared.to_frame(), compared.differences.to_frame()
    for name, cut in CUTS.items():
        assert re.search(rf"\b{name} \S+ \[[^]]*\] at threshold={cut:g}\b", repr(compared))
    assert frame["threshold"].tolist()[:3] == compared.to_dict()["threshold"] == list(CUTS.values())
    assert frame["threshold"].isna().tolist() == [False] * 3 + [True] * 3
    assert pairs["threshold_a"].tolist() == [0.5, 0.5, 1.5]
    assert pairs["threshold_b"].tolist() == [1.5, 0.0, 0.0]
    assert re.search("b - c .*at threshold_a=1.5, threshold_b=0", repr(compared.differences))
    if metric == "recall":  # which cannot be negative
        assert "threshold" not in repr(compared.ratios)


def test_what_all_share_is_told_once():
    compared = sk.compare_models(Y, SCORES, "recall", thresholds=0.5)
    assert repr(compared).startswith("ModelComparison(recall, threshold=0.5: a ")
    assert repr(compared).count("threshold") == 1
    assert (compared.to_frame()["threshold"] == 0.5).all()
    two = {name: SCORES[name] for name in "ab"}
    assert "threshold" not in sk.compare_models(Y, two).to_frame()
    rates = sk.compare_models(Y, two, "sensitivity_at_specificity", specificity=0.8)
    assert (rates.to_frame()["specificity"] == 0.8).all()
    costs = sk.compare_models(Y, SCORES, "cost", probability_cost=0.4, thresholds=CUTS)
    assert costs.to_frame()["threshold"].tolist()[:3] == list(CUTS.values())
    chosen = sk.compare_groups(Y, SCORES["a"], np.arange(50) % 2, "ks")
    cuts = [float(result.thresholds) for result in chosen.results]
    assert repr(chosen).count(" at threshold=") == len(set(cuts)) == 2
    assert chosen.to_frame()["threshold"].tolist()[:2] == cuts


def test_cautions_speak_of_nothing_that_only_some_statistics_have():
    said = " ".join(str(sk.report(Y, SCORES["a"], metrics=("roc_auc", "kappa"))).split())
    assert "could change the estimate far more than" in said
    assert "cell" not in said
