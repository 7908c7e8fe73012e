"""What every law that is known whole keeps, over one instance of each kind: atoms listed from its quantiles."""

from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose

import skcostci as sk

Y = np.array([0, 0, 0, 0, 0, 1, 1, 1, 1])
A = np.array([0.1, 0.2, 0.2, 0.5, 0.7, 0.2, 0.6, 0.7, 0.9])
B = np.array([0.3, 0.1, 0.4, 0.2, 0.6, 0.4, 0.1, 0.8, 0.6])
LABELS = (A >= 0.5).astype(int), (B >= 0.4).astype(int)
COSTS = {"probability_cost": [0.2, 0.5], "thresholds": [0.4, 0.6]}
CLASSES = np.repeat(["x", "y", "z"], 3), np.array(["x", "x", "y", "y", "z", "y", "z", "z", "x"])
METRICS = "f1", "recall", "mcc", "accuracy", "kappa"
MATRIX = [[0, 1, 4], [2, 0, 1.5], [3, 1, 0]]
GROUPS = np.array([0, 1, 2, 3, 3, 0, 1, 2, 4])
metric = partial(partial, sk.bootstrap_metric, Y, LABELS[0])


def budget(rate, scheme):
    def ask():
        result = sk.bootstrap_roc_at_positive_rate(Y, A, positive_rate=[0.3, 0.7], sampling=scheme)
        return result if rate == "tpr" else getattr(result, rate)

    return ask


RESULTS = {
    "cost": lambda: sk.bootstrap_cost(Y, A, **COSTS),
    "cost, chosen": lambda: sk.bootstrap_cost(Y, A, probability_cost=[0.3, 0.6]),
    "cost, full": lambda: sk.bootstrap_cost(Y, A, sampling="full", **COSTS),
    "cost, full, max": lambda: sk.bootstrap_cost(Y, A, sampling="full", normalizer="max", **COSTS),
    "cost difference": lambda: sk.bootstrap_cost_difference(Y, A, B, **COSTS),
    "cost difference, full": lambda: sk.bootstrap_cost_difference(Y, A, B, sampling="full", **COSTS),
    "rate": lambda: sk.bootstrap_roc_at_threshold(Y, A, thresholds=[0.15, 0.6]).fpr,
    "rate difference": lambda: (
        sk.bootstrap_roc_difference_at_threshold(Y, A, B, thresholds=([0.15, 0.6], [0.4, 0.3])).tpr
    ),
    "precision at a prevalence": metric("precision", prevalence=0.1),
    "accuracy difference": lambda: sk.bootstrap_metric_difference(Y, *LABELS, "accuracy"),
    "TPR at an FPR": lambda: sk.bootstrap_roc_at_fpr(Y, A, fpr=[0.2, 0.55]),
    "difference at an FPR": lambda: sk.bootstrap_roc_difference_at_fpr(Y, A + Y / 30, B + Y / 30, fpr=[0.4, 0.6]),
    "expected cost": lambda: sk.bootstrap_expected_cost(*CLASSES, MATRIX),
    "expected cost difference": lambda: sk.bootstrap_expected_cost_difference(*CLASSES, CLASSES[1][::-1], MATRIX),
}
for scheme in ("stratified", "full"):
    RESULTS |= {f"{name}, {scheme}": metric(name, sampling=scheme) for name in METRICS}
    RESULTS |= {f"{rate}, {scheme}": budget(rate, scheme) for rate in ("tpr", "fpr", "precision")}
BINNED = 1e-4  # values of a law that is kept in bins, or whose parts of a case are counted, are this exact


def atoms(law, point, n_points):
    """The values at a point and P(<= each), going up from the least."""
    values, reached = [], [0.0]
    while reached[-1] < 1 - 1e-9 and len(values) < 4000:
        q = np.full(n_points, min(reached[-1] + 2e-12, 1.0))
        value = law.quantile(q)[point]
        values.append(value)
        reached.append(float(law.cdf(np.full(n_points, value))[point]))
        assert reached[-1] > reached[-2], "a value that a quantile names must have a mass"
    return np.array(values), np.array(reached[1:])


@pytest.mark.parametrize("name", RESULTS)
def test_moments_are_those_of_the_atoms(name):
    law = RESULTS[name]().law
    n_points = len(law.mean)
    rounding = {"rtol": 1e-7, "atol": 1e-9} if "at an FPR" not in name else {"rtol": BINNED, "atol": BINNED}
    for point in range(n_points):
        values, cumulative = atoms(law, point, n_points)
        assert (np.diff(values) > 0).all()
        masses = np.diff(cumulative, prepend=0.0)
        mean = masses @ values
        assert_allclose(law.mean[point], mean, **rounding)
        assert_allclose(law.variance[point], masses @ (values - mean) ** 2, **rounding)
        least, most = (np.broadcast_to(end, (n_points,))[point] for end in law.support)
        assert least - 1e-9 <= values[0]
        assert values[-1] <= most + 1e-9


@pytest.mark.parametrize("name", RESULTS)
def test_distribution_functions_and_quantiles_belong_together(name):
    law = RESULTS[name]().law
    n_points = len(law.mean)
    places, levels = (
        x[:, None] + np.zeros(n_points) for x in (np.linspace(-1.5, 3.5, 41), np.linspace(0.01, 0.99, 33))
    )
    heights, values = law.cdf(places), law.quantile(levels)
    assert ((heights >= 0) & (heights <= 1 + 1e-12)).all()
    assert (np.diff(heights, axis=0) >= -1e-12).all()
    assert (np.diff(values, axis=0) >= 0).all()
    below, level, above = law.tails(values)
    assert (law.cdf(values) >= levels - 1e-9).all()
    assert (below <= levels + 1e-9).all()
    assert_allclose(below + level + above, 1.0, atol=1e-9)
    assert_allclose(law.cdf(values), below + level, atol=1e-9)
    assert_allclose(law.cdf(places[20]), heights[20], rtol=0)
