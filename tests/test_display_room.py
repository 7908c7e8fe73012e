"""Names and ticks are inside the saved picture, and several models' metrics say whose they are."""

import io
from itertools import cycle

import numpy as np
import pytest
from matplotlib import pyplot as plt

import skcostci as sk

RNG = np.random.default_rng(5)
Y = np.repeat([0, 1], 40)
RISKS = 1 / (1 + np.exp(-(RNG.normal(size=(2, 80)) + 1.2 * Y).round(1)))
LONG = "readmission within thirty days"
LABELS = np.where(Y, LONG, "none")
RARE = {"prevalence": 1e-5, "thresholds": np.linspace(1e-6, 1e-4, 9)}
ONE = {
    "roc": (sk.ROCConfidenceDisplay, {}),
    "det": (sk.ROCConfidenceDisplay, {"scale": "det"}),
    "precision and recall": (sk.PrecisionRecallConfidenceDisplay, {}),
    "cost": (sk.CostCurveDisplay, {}),
    "rare": (sk.DecisionCurveDisplay, RARE),
    "calibration": (sk.CalibrationConfidenceDisplay, {}),
    "metric": (sk.MetricThresholdDisplay, {"metrics": "positive_likelihood_ratio", "name": "two words " * 9}),
    "paired": (sk.PairedCostDifferenceDisplay, {}),
}


def texts(ax):
    """What is written on axes and those beside them: ticks in view, names, title and legend."""
    for axis in (ax.xaxis, ax.yaxis):
        low, high = sorted(axis.get_view_interval())
        yield from (axis.label, axis.offsetText)
        shown = [tick for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
        yield from (label for tick in shown for label in (tick.label1, tick.label2))
    yield ax.title
    yield from ax.get_legend().get_texts() if ax.get_legend() else ()
    for other in ax.child_axes:
        yield from texts(other)


def cut_off(figure):
    """The texts that the edge of a saved figure cuts off."""
    figure.savefig(io.BytesIO())
    whole, found = figure.bbox, []
    for text in (text for ax in figure.axes for text in texts(ax) if text.get_visible() and text.get_text().strip()):
        box = text.get_window_extent()
        if min(box.x0 - whole.x0, box.y0 - whole.y0, whole.x1 - box.x1, whole.y1 - box.y1) < -0.5:
            found.append(text.get_text())
    return found


@pytest.mark.parametrize(("name", "usual"), [*zip(ONE, cycle([True, False]), strict=False)])
def test_nothing_is_cut_off(name, usual):
    """In a figure as wide as a phone with a long label, and every other kind in one of the usual size."""
    display, options = ONE[name]
    scores = RISKS if "Difference" in display.__name__ else RISKS[:1]
    for labels, size in ((LABELS, (3.2, 2.8)), *[(Y, None)] * usual):
        _, ax = plt.subplots(figsize=size)
        positive = {} if labels is Y else {"pos_label": LONG}
        drawn = display.from_predictions(labels, *scores, ax=ax, **positive, **options)
        assert cut_off(drawn.figure_) == []
        assert ax.get_window_extent().width > 50


def test_names_of_models_are_not_cut_off_either():
    models = {"a": RISKS[0], "a model with quite a long name of its own": RISKS[1]}
    for size in (None, (3.2, 2.8)):
        _, ax = plt.subplots(figsize=size)
        assert cut_off(sk.ModelComparisonDisplay.from_predictions(Y, models, ax=ax).figure_) == []


def test_axes_with_room_and_those_of_a_layout_are_left_where_they_are():
    for layout in (None, "constrained"):
        figure, ax = plt.subplots(layout=layout)
        figure.draw_without_rendering()
        before = ax.get_position(original=True).bounds
        sk.CalibrationConfidenceDisplay.from_predictions(Y, RISKS[0], ax=ax)
        assert layout or ax.get_position(original=True).bounds == before
        assert ax.get_in_layout()


def test_metrics_of_several_models_say_whose_they_are():
    _, ax = plt.subplots()
    draw = sk.MetricThresholdDisplay.from_predictions
    draw(Y, RISKS[0], metrics=["precision", "recall"], name="old", chosen=0.4, ax=ax)
    assert ax.get_title() == "old"
    assert [line.get_label() for line in ax.get_lines()] == ["Precision", "Recall", "Chosen threshold, 0.4"]
    draw(Y, RISKS[1], metrics="recall", chosen=0.4, ax=ax)
    shown = [line.get_label() for line in ax.get_lines()]
    assert shown[:3] == ["old: Precision", "old: Recall", "old: Chosen threshold, 0.4"]
    assert shown[3:] == ["Model 2: Recall", "Model 2: Chosen threshold, 0.4"]
    assert {text.get_text() for text in ax.get_legend().get_texts()} >= {*shown}
    assert ax.get_title() == ""
    assert ax.get_ylabel().startswith("Metric")
    draw(Y, RISKS[1], metrics="recall", name="old", curve_kwargs={"label": "mine"}, ax=ax)
    assert ax.get_lines()[-1].get_label() == "mine"
    marks = [line.get_linestyle() for line in ax.get_lines() if "Chosen" in line.get_label()]
    assert len(set(marks)) == 2


def test_two_models_of_one_name_are_numbered():
    _, ax = plt.subplots()
    for scores in RISKS:
        sk.MetricThresholdDisplay.from_predictions(Y, scores, metrics="recall", name="Logistic", ax=ax)
    assert [line.get_label() for line in ax.get_lines()] == ["Logistic (1): Recall", "Logistic (2): Recall"]
    assert ax.get_ylabel() == "Recall (Positive label: 1)"
