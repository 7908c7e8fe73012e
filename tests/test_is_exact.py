"""What results say of their laws: exact, or of first order, normal, or within .005 of a cdf."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose
from statistics_list import BELONGING, STATISTICS, Cases, parts

import skcostci as sk

SMALL = np.array([0, 0, 0, 0, 0, 1, 1, 1, 1])
A = np.array([0.1, 0.2, 0.25, 0.5, 0.7, 0.3, 0.6, 0.75, 0.9])
B = np.array([0.3, 0.1, 0.4, 0.2, 0.6, 0.45, 0.15, 0.8, 0.65])
GRADES = np.array([1, 2, 2, 3, 4, 2, 3, 4, 4])
CLASSES = np.repeat([0, 1, 2], 3)
TABLE = np.full((9, 3), 1 / 3) + 0.1 * np.eye(3)[CLASSES] * np.arange(-3, 6)[:, None] / 5 * [1, 0.5, -1.5]
GROUPS = [0, 0, 1, 2, 3, 3, 0, 1, 2]
rng = np.random.default_rng(3)
Y = np.repeat([0, 1], [3000, 3000])
SCORES = rng.normal(size=(2, 6000)) + Y
COARSE = np.rint(SCORES)  # many tie, across the classes
LABELS, MILLIONS = SCORES > 0.5, {"sample_weight": [10**6] * 9}

CALLS = {
    "auc": (sk.bootstrap_auc, (SMALL, A), {}, True),
    "auc, full": (sk.bootstrap_auc, (SMALL, A), {"sampling": "full"}, True),
    "auc, folds": (sk.bootstrap_auc, (Y, SCORES[0]), {"folds": np.arange(6000) % 3}, True),
    "auc, few groups": (sk.bootstrap_auc, (SMALL, A), {"groups": GROUPS}, False),
    "auc, many groups": (sk.bootstrap_auc, (Y, SCORES[0]), {"groups": np.arange(6000) // 2}, False),
    "auc, few groups, folds": (sk.bootstrap_auc, (SMALL, A), {"groups": GROUPS, "folds": np.array(GROUPS) // 2}, False),
    "auc difference": (sk.bootstrap_auc_difference, (SMALL, A, B), {}, True),
    "partial auc, many": (sk.bootstrap_auc, (Y, SCORES[0]), {"max_fpr": 0.1}, False),
    "average precision": (sk.bootstrap_average_precision, (SMALL, A), {}, True),
    "average precision, many": (sk.bootstrap_average_precision, (Y, SCORES[0]), {}, False),
    "average precision, groups": (sk.bootstrap_average_precision, (SMALL, A), {"groups": GROUPS}, False),
    "cost": (sk.bootstrap_cost, (SMALL, A), {"probability_cost": 0.3}, True),
    "tpr": (sk.bootstrap_roc_at_fpr, (SMALL, A), {"fpr": [0.2, 0.5]}, True),
    "tpr, few ties": (sk.bootstrap_roc_at_fpr, (SMALL, GRADES), {"fpr": [0.2, 0.5]}, True),
    "tpr, large tied groups": (sk.bootstrap_roc_at_fpr, (Y, COARSE[0]), {"fpr": 0.2}, False),
    "fpr, ties": (sk.bootstrap_roc_at_tpr, (Y, COARSE[0]), {"tpr": 0.5}, True),  # where nothing is interpolated
    "tpr difference": (sk.bootstrap_roc_difference_at_fpr, (SMALL, A, B), {"fpr": 0.4}, True),
    "tpr difference, many": (sk.bootstrap_roc_difference_at_fpr, (Y, *SCORES), {"fpr": 0.4}, False),
    "tpr difference, ties": (sk.bootstrap_roc_difference_at_fpr, (Y, *COARSE), {"fpr": 0.4}, False),
    "tpr difference, same": (sk.bootstrap_roc_difference_at_fpr, (Y, SCORES[0], SCORES[0]), {"fpr": 0.4}, True),
    "f1": (sk.bootstrap_metric, (SMALL, A > 0.5, "f1"), {}, True),
    "mcc": (sk.bootstrap_metric, (SMALL, A > 0.5, "mcc"), {}, True),
    "mcc, full, many": (sk.bootstrap_metric, (Y, LABELS[0], "mcc"), {"sampling": "full"}, False),
    "f1 difference": (sk.bootstrap_metric_difference, (SMALL, A > 0.5, B > 0.4, "f1"), {}, True),
    "mcc difference": (sk.bootstrap_metric_difference, (SMALL, A > 0.5, B > 0.4, "mcc"), {}, True),
    "f1, groups": (sk.bootstrap_metric, (SMALL, A > 0.5, "f1"), {"groups": GROUPS}, False),
    "mcc, groups": (sk.bootstrap_metric, (SMALL, A > 0.5, "mcc"), {"groups": GROUPS}, False),
    "average precision, of millions": (sk.bootstrap_average_precision, (SMALL, GRADES), MILLIONS, False),
    "mean": (sk.bootstrap_mean, (np.arange(24) * 1e16 / 7,), {}, True),
}


@pytest.mark.parametrize("name", CALLS)
def test_results_say_whether_their_law_is_exact(name):
    function, data, options, expected = CALLS[name]
    assert function(*data, **options).is_exact is expected


def test_combinations_and_comparisons_are_as_exact_as_their_parts():
    exact, rough = (sk.bootstrap_metric(*CALLS[name][1], **CALLS[name][2]) for name in ("mcc", "mcc, groups"))
    assert sk.independent_difference(exact, exact).is_exact
    assert not sk.independent_difference(exact, rough).is_exact
    assert sk.compare_models(SMALL, {"a": A, "b": B}).is_exact
    assert not sk.compare_models(Y, dict(zip("ab", SCORES, strict=True)), "tpr_at_fpr", fpr=0.4).is_exact


SAMPLE = Cases(np.array([0, 0, 1, 0, 1, 1, 0, 1]), (np.linspace(-1.4, 1.3, 8) ** 3, np.arange(8) * 3 % 8 / 4 - 0.9))


def atoms(law, point, n_points):
    """The values at a point and P(<= each), going up from the least."""
    values, reached = [], [0.0]
    while reached[-1] < 1 - 1e-9 and len(values) < 4000:
        values.append(law.quantile(np.full(n_points, min(reached[-1] + 2e-12, 1.0)))[point])
        reached.append(float(law.cdf(np.full(n_points, values[-1]))[point]))
        assert reached[-1] > reached[-2], "a value that a quantile names must have a mass"
    return np.array(values), np.array(reached[1:])


ASKED = [
    (f"{statistic} {sampling}", {"sampling": sampling} if sampling else {}, statistic)
    for statistic in [*STATISTICS, *BELONGING]
    for sampling in (statistic.samplings or ("",) if statistic.name.startswith("boot") else ())
]
PARTS = [(f"{name} {i}", part) for name, given, s in ASKED for i, part in enumerate(parts(s.of_cases(SAMPLE, **given)))]
WITH_LAWS = [pytest.param(name, part, id=name) for name, part in PARTS if hasattr(part, "quantile")]


@pytest.mark.parametrize(("name", "result"), WITH_LAWS)
def test_distribution_functions_quantiles_tails_and_moments_belong_together(name, result):
    """Losses have too many values to name all."""
    law, n_points = result.law, len(result.law.mean)
    for point in range(n_points if result.is_exact and not re.search("loss|calibration", name) else 0):
        values, cumulative = atoms(law, point, n_points)
        assert (np.diff(values) > 0).all()
        masses = np.diff(cumulative, prepend=0.0)
        mean = masses @ values
        assert_allclose(law.mean[point], mean, rtol=1e-7, atol=1e-9)
        assert_allclose(law.variance[point], masses @ (values - mean) ** 2, rtol=1e-7, atol=1e-9)
        least, most = (np.broadcast_to(end, (n_points,))[point] for end in law.support)
        assert least - 1e-9 <= values[0] <= values[-1] <= most + 1e-9
    spread = np.zeros(n_points)
    places, levels = (np.linspace(*ends)[:, None] + spread for ends in ((-1.5, 3.5, 41), (0.0, 1.0, 41)))
    heights, values = law.cdf(places), law.quantile(levels)
    assert ((heights >= 0) & (heights <= 1 + 1e-12)).all()
    assert (np.diff(heights, axis=0) >= -1e-12).all()
    assert (np.diff(values, axis=0) >= 0).all()
    below, level, above = law.tails(values)
    assert (law.cdf(values) >= levels - 1e-12).all()
    assert (below <= levels + 1e-9).all()
    assert_allclose(below + level + above, 1.0, atol=1e-9)
    assert_allclose(law.cdf(values), below + level, atol=1e-9)
    assert_allclose(law.cdf(places[20]), heights[20], rtol=0)
