"""Importance weights that are nearly equal give nearly what no weights do: what no relation asks, and no jumps."""

from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose
from statistics_list import part

import skcostci as sk

RNG = np.random.default_rng(8)
N = 58  # a share of which is no whole number
Y = np.resize([0, 1, 1, 0, 1], N)
S, OTHER = (np.round(RNG.normal(size=N) + 1.3 * Y, 1) for _ in "ab")  # with ties
LABELS = (S > 0.6).astype(int)
P = 1 / (1 + np.exp(-1.5 * (S - 0.6)))
KIND = np.resize([0, 1, 2, 1], N)
TABLE = RNG.dirichlet([1, 1, 1], N) * 0.6 + 0.4 * np.eye(3)[KIND]
HELD, HELD_SCORES = np.resize([[1, 0, 1], [0, 1, 0], [1, 1, 0], [0, 0, 1]], (N, 3)), RNG.random((N, 3))
DEVIATIONS = RNG.uniform(-1, 1, N)
SEVERAL = {"multi_class": "ovr"}
ASKED = {  # which the relations do not ask, and what is asked further below
    "f1": partial(sk.bootstrap_metric, Y, LABELS, "f1"),
    "f1 of each": partial(sk.bootstrap_metric, KIND, TABLE.argmax(1), "f1", average=None),
    "youden of each": partial(sk.bootstrap_metric, KIND, TABLE.argmax(1), "youden", average=None),
    "ranked labels": partial(sk.bootstrap_metric, HELD, HELD_SCORES, "label_ranking_loss"),
    "top lift": partial(sk.bootstrap_metric, Y, S, "lift", positive_rate=0.3),
    "mean": partial(sk.bootstrap_mean, S),
    "auc of classes": partial(sk.bootstrap_auc, KIND, TABLE, **SEVERAL),
    "auc of each class": partial(sk.bootstrap_auc, KIND, TABLE, average=None, **SEVERAL),
    "ap, apart": partial(sk.bootstrap_average_precision_difference, Y, S, OTHER),
    "tpr at fpr": partial(sk.bootstrap_roc_at_fpr, Y, S, fpr=[0.1, 0.25, 0.5]),
    "precision at tpr": partial(sk.bootstrap_roc_at_tpr, Y, OTHER, tpr=0.8),
    "precision at a share": part("precision", sk.bootstrap_roc_at_positive_rate, Y, S, positive_rate=0.33),
    "tpr": part("tpr", sk.bootstrap_roc_at_threshold, Y, S, thresholds=[0.25, 0.65]),
}


def nearly(size):
    return {"sample_weight": 1 + size * DEVIATIONS, "weight_type": "importance"}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ASKED)
def test_nearly_equal_weights_are_nearly_none(name):
    """Estimates, standard errors, and limits to 3 % of the width, two-sided and one-sided."""
    found, plain = ASKED[name](**nearly(1e-9)), ASKED[name]()
    assert_allclose(found.estimate, plain.estimate, atol=1e-8)
    assert_allclose(found.standard_error, plain.standard_error, rtol=0.01, atol=1e-9)
    width = np.subtract(*reversed(plain.confidence_interval()))
    for level, alternative in ((0.95, "two-sided"), (0.8, "less"), (0.99, "greater")):
        limits, known = (np.array(each.confidence_interval(level, alternative=alternative)) for each in (found, plain))
        off = np.where(limits == known, 0.0, limits) - np.where(limits == known, 0.0, known)  # infinite ones too
        assert (np.abs(off) <= 0.03 * width).all()


@pytest.mark.parametrize("name", ["f1", "ap, apart", "auc of classes", "precision at tpr", "top lift", "mean", "tpr"])
def test_between_equal_and_unequal_limits_are_nested_and_pvalues_invert_them(name):
    result = ASKED[name](**nearly(0.15 if "t" in name else 0.05))
    inner, outer = (np.reshape(result.confidence_interval(level), (2, -1))[:, 0] for level in (0.9, 0.95))
    assert outer[0] < inner[0] < inner[1] < outer[1]
    for limit, side in zip(outer, (-1, 1), strict=True):
        inside, outside = (np.ravel(result.pvalue(null=float(limit + step * side)))[0] for step in (-1e-6, 1e-6))
        assert outside < 0.05 < inside


@pytest.mark.parametrize("name", ["f1", "ap, apart", "tpr at fpr", "auc of classes"])
def test_weights_far_from_equal_are_reached_without_a_jump(name):
    """Where the largest deviation squared is 0.05 only the weights count; a single weight as large is enough."""
    weights = np.ones(N)
    weights[7] += np.sqrt(0.05)
    near, far = (
        ASKED[name](sample_weight=weights + np.where(np.arange(N) == 7, step, 0.0), weight_type="importance")
        for step in (-1e-7, 0.005 + 1e-7)
    )
    for one, other in zip(near.confidence_interval(), far.confidence_interval(), strict=True):
        assert_allclose(one, other, atol=0.01)


def test_beside_a_threshold_that_nobody_reaches():
    """The limits between those with and without weights, where a precision has no value at one point of two."""
    weights = {"sample_weight": 1 + 0.1 * (1 + DEVIATIONS), "weight_type": "importance"}
    some, alone = (sk.bootstrap_metric(Y, P, "precision", thresholds=cuts, **weights) for cuts in ([0.5, 2.0], [0.5]))
    for method in alone.methods:
        found, expected = (np.transpose(one.confidence_interval(method=method)) for one in (some, alone))
        assert_allclose(found, [expected[0], [0, 1]], rtol=1e-12)
        assert_allclose(some.pvalue(null=0.4, method=method), [*alone.pvalue(null=0.4, method=method), 1], rtol=1e-12)
