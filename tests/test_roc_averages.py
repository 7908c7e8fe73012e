"""Averages of given ROC curves, by the numbers of Drummond and Holte's Figure 14."""

import pytest
from numpy.testing import assert_allclose
from sklearn.metrics import roc_curve

import skcostci as sk

PAIR = [([0.04], [0.4]), ([0.3], [0.8])]


def test_the_curves_of_figure_14():
    """By hand, on the straight lines through (0.04, 0.4) and (0.3, 0.8)."""
    assert_allclose(sk.average_roc_curves(PAIR, fpr=[0.04, 0.3]), [(0.4 + 0.8 * 0.04 / 0.3) / 2, (0.5625 + 0.8) / 2])
    assert_allclose(sk.average_roc_curves(PAIR, tpr=[0.4, 0.8]), [(0.04 + 0.15) / 2, (0.68 + 0.3) / 2])


def test_one_curve_is_its_own_average_at_either_end_of_its_steps():
    y, score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
    fpr, tpr, _ = roc_curve(y, score, drop_intermediate=False)
    assert_allclose(sk.average_roc_curves([(fpr, tpr)], fpr=fpr), [tpr[fpr == x].max() for x in fpr])
    assert_allclose(sk.average_roc_curves([(fpr, tpr)], tpr=tpr), [fpr[tpr == y].min() for y in tpr])
    curve = sk.CostCurve.from_predictions(y, score)
    assert_allclose(sk.average_roc_curves([curve], fpr=[0.125]), [0.75])
    assert isinstance(sk.average_roc_curves([curve, (fpr, tpr)], fpr=0.1), float)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"curves": PAIR}, "pass either fpr, for the vertical average"),
        ({"curves": PAIR, "fpr": 0.1, "tpr": 0.1}, "pass either fpr, for the vertical average"),
        ({"curves": [], "fpr": 0.1}, "must contain at least one curve"),
        ({"curves": [0.1], "fpr": 0.1}, r"curves\[0\] must be a pair"),
        ({"curves": [([0.3, 0.1], [0.2, 0.4])], "fpr": 0.1}, r"fpr of curves\[0\] must not fall, got 0.3"),
        ({"curves": PAIR, "fpr": 1.5}, "fpr"),
    ],
)
def test_what_is_no_curve_is_refused(options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        sk.average_roc_curves(**options)
