"""Reference pictures, so that no plot breaks unseen. To draw them anew, then look at them: python tests/test_images.py.

Text is taken away and limits that make room for a legend are fixed, because they differ between versions of matplotlib
and of its fonts; what labels and legends say is tested in words elsewhere.
"""

from functools import partial
from pathlib import Path

import matplotlib as mpl
import pytest
from matplotlib import pyplot as plt
from matplotlib.legend import Legend
from matplotlib.testing.compare import compare_images
from matplotlib.text import Text
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import cross_validate
from sklearn.naive_bayes import GaussianNB

import skcostci as sk

BASELINE = Path(__file__).parent / "baseline"
TOLERANCE = 2.0  # root mean square of 255; versions of matplotlib differ by less, a band or a curve gone by more
SIZE = (4.0, 3.2)  # inches, at 80 dots an inch
SIDES = (("left", 0.2), ("bottom", 0.2), ("right", 0.95), ("top", 0.8))
ROOM = {f"figure.subplot.{side}": place for side, place in SIDES}  # for the names of the axes, which differ too

X, TARGET = load_breast_cancer(return_X_y=True)
X, Y = X[::3], 1 - TARGET[::3]
TEXTURE, SMOOTHNESS = X[:, 1], X[:, 4]


def roc(ax, averaging):
    """Two models, to be told apart in grey, and the chance level."""
    options = {"averaging": averaging, "method": "agresti", "ax": ax}
    sk.ROCConfidenceDisplay.from_predictions(Y, TEXTURE, plot_chance_level=True, **options)
    sk.ROCConfidenceDisplay.from_predictions(Y, SMOOTHNESS, **options)


def roc_points(ax):
    """Operating points of two models, the one at a sensitivity and the other at a threshold."""
    for scores, point in ((TEXTURE, {"tpr": 0.9}), (SMOOTHNESS, {"threshold": 0.1})):
        sk.ROCConfidenceDisplay.from_predictions(Y, scores, operating_point=point, band=None, ax=ax)


def roc_folds(ax):
    """The curves of folds behind the pooled one."""
    columns = X[:, [1, 4]]
    cv_results = cross_validate(GaussianNB(), columns, Y, cv=3, return_estimator=True, return_indices=True)
    sk.ROCConfidenceDisplay.from_cv_results(cv_results, columns, Y, method="agresti", ax=ax, despine=True)


def cost_curves(ax):
    """Two models, one with the lines of its thresholds."""
    sk.CostCurveDisplay.from_predictions(Y, TEXTURE, ax=ax, plot_cost_lines=True)
    sk.CostCurveDisplay.from_predictions(Y, SMOOTHNESS, ax=ax)
    ax.set_ylim(0, 0.7)


def cost_difference(ax):
    """Stretches where the one and, at so low a level, the other is cheaper."""
    sk.PairedCostDifferenceDisplay.from_predictions(Y, X[:, 16], X[:, 28], ax=ax, confidence_level=0.3)
    ax.set_ylim(-0.2, 0.2)


FIGURES = {
    "roc_fpr": partial(roc, averaging="fpr"),
    "roc_threshold": partial(roc, averaging="threshold"),
    "roc_positive_rate": partial(roc, averaging="positive_rate"),
    "roc_points": roc_points,
    "roc_folds": roc_folds,
    "cost_curves": cost_curves,
    "cost_difference": cost_difference,
}


def draw(name, path):
    """Draw one of the figures without text."""
    with plt.style.context("default"), mpl.rc_context({"figure.dpi": 80, "savefig.dpi": 80, **ROOM}):
        figure, ax = plt.subplots(figsize=SIZE)
        FIGURES[name](ax)
        figure.canvas.draw()
        for artist in [*figure.findobj(Text), *figure.findobj(Legend)]:
            artist.set_visible(False)
        figure.savefig(path, metadata={"Software": None})
        plt.close(figure)


@pytest.mark.parametrize("name", FIGURES)
def test_pictures_look_as_they_did(name, tmp_path):
    drawn = tmp_path / f"{name}.png"
    draw(name, drawn)
    assert compare_images(str(BASELINE / drawn.name), str(drawn), TOLERANCE) is None


if __name__ == "__main__":
    mpl.use("Agg")
    for figure_name in FIGURES:
        draw(figure_name, BASELINE / f"{figure_name}.png")
