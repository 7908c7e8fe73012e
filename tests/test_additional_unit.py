"""Limits with one additional group, or case, as extreme as those seen suggest: "extrapolated".

Reference values were computed by a plain form of the formulas, which agreed with a second one to 1e-13.
"""

from functools import partial

import numpy as np
import pytest

from skcostci import bootstrap_auc, bootstrap_loss_difference, bootstrap_mean, bootstrap_mean_difference

LEVELS = 0.9, 0.95, 0.99


def in_groups(*groups):
    values = np.concatenate([np.array(each, float) for each in groups])
    return values, np.repeat(np.arange(len(groups)), [*map(len, groups)])


RIGHT = in_groups((1, 1, 0), (1, 1, 1, 1), (0,), (1, 0, 1), (1, 1), (1, 1, 1, 1, 0), (0, 0), (1, 1, 1))
OF_RIGHT = 0.48753384, 0.92224990, 0.42759733, 0.94818402, 0.28439034, 0.98610732
APART = in_groups((0, 1, 0), (0, 0, 0, 1), (-1,), (0, 0, 1), (0, 0), (1, 0, 0, -1, 0), (0, 1), (0, 0, 0))
OF_APART = -0.06740753, 0.32377266, -0.10890186, 0.36272267, -0.20516176, 0.45123245


def of_right():
    values, groups = RIGHT
    return bootstrap_mean(values, least=0, most=1, groups=groups)


def of_apart():
    values, groups = APART
    return bootstrap_mean_difference(values > 0, values < 0, groups=groups)


def all_right(wrong=0):
    values, groups = in_groups(*[(1,) * 4] * (6 - wrong), *[(0,) * 4] * wrong)
    return bootstrap_mean(values, least=0, most=1, groups=groups)


def auc_of_pure_groups():
    scores, groups = in_groups((3, 2), (2.5,), (1, 4, 2.2), (0, 1.5), (0.5,), (1.2, 2.1), (-0.3,))
    return bootstrap_auc(np.repeat([1, 0], 6), scores, groups=groups)


OF_UNEQUAL_GROUPS = of_right, of_apart, auc_of_pure_groups
SECONDS = [0.8, 1.1, 0.9, 3.2, 1, 0.7, 1.4, 0.9]
A, B = [4, 5, 3, 5, 4, 2, 5, 4, 4, 5], [4, 4, 3, 5, 4, 2, 5, 3, 4, 5]


def shares(*apart, least=0, most=1):
    a = 0.5 + np.array(apart)
    return bootstrap_mean_difference(a, np.full(len(a), 0.5), least=least, most=most)


def brier(y_true):
    """Of two models' risks; where no case has the event none tells how far one may differ."""
    a, b = [0.1, 0.2, 0.05, 0.3, 0.15, 0.1, 0.2, 0.25], [0.2, 0.1, 0.1, 0.2, 0.3, 0.05, 0.1, 0.2]
    return bootstrap_loss_difference(np.array(y_true), a, b, labels=[0, 1])


MEAN, MEANS = partial(bootstrap_mean, SECONDS), bootstrap_mean_difference
GAINS = 0.03, 0.01, -0.02, 0.05, 0.02, 0.04, 0, 0.06, 0.01, 0.03
FOUR_OF_20 = 0.25, -0.25, 0.25, 0.25, 0.5, 0.25, *[0] * 14
NO_DIFFERENCE = partial(MEANS, [0, 3] + [1] * 8, [0, 3] + [1] * 8)  # of a range of 3
BY_A_PLAIN_FORM = [
    (of_right, OF_RIGHT),
    (of_apart, OF_APART),
    (all_right, (0.60696223, 1, 0.54074187, 1, 0.41351855, 1)),
    (partial(all_right, 1), (0.28867265, 0.99996333, 0.18485410, 0.99999966, 0.02708908, 1)),
    (auc_of_pure_groups, (0.61887960, 0.99729, 0.53708621, 0.99953, 0.30779635, 1)),
    (MEAN, (0.64397481, 2.11951763, 0.56407655, 2.34424674, 0.24050803, 2.95925258)),
    (partial(MEANS, A, B), (-0.05293816, 0.54461608, -0.10162096, 0.63166254, -0.23331141, 0.85603681)),
    (NO_DIFFERENCE, (-0.76247562, 0.76247562, -0.93466662, 0.93466662, -1.34402407, 1.34402407)),
    (partial(shares, *GAINS), (0.00775500, 0.03823541, 0.00450214, 0.04148546, -0.00290404, 0.04888420)),
    (partial(shares, *FOUR_OF_20), (-0.00572384, 0.13044205, -0.01891231, 0.14347672, -0.04650023, 0.17065635)),
    (partial(shares, 0.5, *[0] * 11), (-0.08874965, 0.16886103, -0.10770804, 0.18736419, -0.14609612, 0.22483875)),
    (partial(brier, [0] * 8), (-0.04933304, 0.07198040, -0.05577484, 0.08001833, -0.06837415, 0.09561339)),
    (partial(brier, [1] + [0] * 7), (-0.02468998, 0.08358272, -0.03509100, 0.09404547, -0.05833925, 0.11747336)),
]


@pytest.mark.parametrize(("result", "limits"), BY_A_PLAIN_FORM)
def test_limits_are_those_of_a_plain_form(result, limits):
    found = result()
    assert found.methods[0] == "extrapolated"
    off = 2e-4 if result in OF_UNEQUAL_GROUPS else 2e-8
    for level, expected in zip(LEVELS, np.reshape(limits, (3, 2)), strict=True):
        assert found.confidence_interval(level) == pytest.approx(tuple(expected), abs=off)


def test_differences_of_shares_keep_the_least_favourable_case_by_default():
    apart = np.r_[np.ones(6), -1, np.zeros(13)]
    ask = partial(bootstrap_mean_difference, apart > 0, apart < 0)
    weights, folds = {"sample_weight": np.tile([1.0, 3.0], 10), "weight_type": "importance"}, np.arange(20) % 2
    for rows in (weights, {"folds": folds}, {"folds": folds, **weights}, {}):
        assert ask(**rows).methods[:2] == ("unseen_case", "extrapolated")
    limits = (0.01966636, 0.46401860), (-0.02748547, 0.50369913), (-0.12610289, 0.58271033)
    for level, expected in zip(LEVELS, limits, strict=True):
        assert ask().confidence_interval(level, method="extrapolated") == pytest.approx(expected, abs=2e-8)


@pytest.mark.parametrize(
    ("differing", "n", "limits", "p"),
    [(2, 40, (-0.069555, 0.199699), 0.564), (8, 40, (0.070444, 0.355488), 0.0034), (1, 50, None, 1.0)],
)
def test_rare_differences_of_ratings(differing, n, limits, p):
    b = np.r_[[1, 5], [3] * (n - 2)][::-1]  # grades from 1 to 5
    found = bootstrap_mean_difference(b + (np.arange(n) < differing), b)
    assert found.pvalue() == pytest.approx(p, abs=6e-4)
    assert limits is None or found.confidence_interval() == pytest.approx(limits, abs=1e-6)
