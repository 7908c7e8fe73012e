"""Pictures draw the numbers of the results, in scikit-learn's manner."""

import pickle
from functools import partial
from inspect import Parameter, signature

import numpy as np
import pytest
from matplotlib import pyplot as plt
from numpy.testing import assert_allclose, assert_array_equal
from public import DISPLAYS, legend_texts
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_curve
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import skcostci as sk

pytestmark = pytest.mark.usefixtures("no_layout")
X, Y = load_breast_cancer(return_X_y=True)
X, Y = X[::5, :5], Y[::5]
MODEL = GaussianNB().fit(X, Y)
OTHER = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, Y)
SCORE, OTHER_SCORE = MODEL.predict_proba(X)[:, 1], OTHER.predict_proba(X)[:, 1]


def band(artist):
    """Lower and upper edge of a filled band, over its distinct abscissas."""
    vertices = artist.get_paths()[0].vertices
    size = (len(vertices) - 3) // 2
    return vertices[1 : size + 1, 1], vertices[size + 2 : 2 * size + 2, 1][::-1]


def test_roc_band_shows_the_numbers_of_the_result():
    display = sk.ROCConfidenceDisplay.from_estimator(MODEL, X, Y, confidence_level=0.8, at=[0.1, 0.5, 0.25])
    result = sk.bootstrap_roc_at_fpr(Y, SCORE, fpr=[0.1, 0.5, 0.25])
    low, high = result.confidence_interval(0.8)
    assert_array_equal([display.low, display.high, display.band_fpr], [low, high, result.fpr])
    order = np.argsort(result.fpr)
    until_the_next_rate, from_the_rate_before = np.repeat([0, *low[order]], 2), np.repeat([*high[order], 1], 2)
    assert_array_equal(band(display.fill_between_), [until_the_next_rate, from_the_rate_before])
    assert_array_equal(display.line_.get_xydata(), np.column_stack(roc_curve(Y, SCORE)[:2]))
    auc = sk.bootstrap_auc(Y, SCORE)
    text = "GaussianNB (AUC = {:.2f} [{:.2f}, {:.2f}])".format(float(auc), *auc.confidence_interval(0.8))
    assert legend_texts(display.ax_) == [text, "80 % confidence band (pointwise)"]


def test_roc_rectangles_show_the_regions_of_the_result():
    thresholds = [0.9, 0.1, 0.5]
    display = sk.ROCConfidenceDisplay.from_predictions(Y, SCORE, averaging="threshold", at=thresholds)
    region = sk.bootstrap_roc_at_threshold(Y, SCORE, thresholds=thresholds).confidence_region()
    drawn = [path.vertices for path in display.fill_between_.get_paths()]
    assert_array_equal([corners[:, 0].min() for corners in drawn], region.fpr.low)
    assert_array_equal([corners[:, 0].max() for corners in drawn], region.fpr.high)
    assert_array_equal([corners[:, 1].min() for corners in drawn], region.tpr.low)
    assert_array_equal([corners[:, 1].max() for corners in drawn], region.tpr.high)


def test_roc_band_at_budgets_shows_the_limits_of_both_rates():
    display = sk.ROCConfidenceDisplay.from_predictions(Y, SCORE, averaging="positive_rate", at=[0.6, 0.2])
    result = sk.bootstrap_roc_at_positive_rate(Y, SCORE, positive_rate=[0.2, 0.6])
    (low, high), (fpr_low, fpr_high) = result.confidence_interval(), result.fpr.confidence_interval()
    ends = np.array([path.vertices[:2] for path in display.fill_between_.get_paths()])[::-1]
    assert_array_equal(ends[:, 0], np.column_stack([fpr_high, low]))
    assert_array_equal(ends[:, 1], np.column_stack([fpr_low, high]))
    assert_array_equal(display.points_.get_xydata()[::-1], np.column_stack([result.fpr.estimate, result.estimate]))


def test_rectangles_are_few_and_spread():
    y = np.repeat([0, 1], [9900, 100])
    score = np.random.default_rng(0).normal(2 * y, 1)
    display = sk.ROCConfidenceDisplay.from_predictions(y, score, averaging="threshold")
    way = (display.band_fpr + display.band_tpr) / 2
    np.testing.assert_allclose(way, np.arange(1, 9) / 9, atol=0.01)
    coarse = sk.ROCConfidenceDisplay.from_predictions(y, score > 1, averaging="threshold")
    assert len(coarse.low) == 2


def test_places_of_an_averaging_are_checked_under_the_name_that_users_give():
    draw = partial(sk.ROCConfidenceDisplay.from_predictions, Y, SCORE)
    for averaging, at in (("fpr", [0.5, 2]), ("threshold", np.nan), ("positive_rate", [0.5, 2])):
        with pytest.raises(ValueError, match=r"^at must .* in "):
            draw(averaging=averaging, at=at)
    with pytest.raises(ValueError, match="averaging must be one of 'fpr', 'threshold', 'positive_rate', got 'down'"):
        draw(averaging="down")


def test_a_single_point_is_drawn_and_named():
    for averaging, label in (
        ("fpr", "95 % confidence band (pointwise)"),
        ("threshold", "95 % confidence regions (each threshold)"),
        ("positive_rate", "95 % confidence limits (each share positive)"),
    ):
        display = sk.ROCConfidenceDisplay.from_predictions(Y, SCORE, averaging=averaging, at=0.5)
        assert display.fill_between_.get_label() == label
        assert len(display.fill_between_.get_paths()) == 1


def test_grids_are_drawn_from_left_to_right():
    grid = np.array([0.5, 0.1, 0.9, 0.3])
    of_pairs = partial(sk.PairedCostDifferenceDisplay.from_predictions, Y, SCORE, OTHER_SCORE)
    for display, x in (
        (sk.CostCurveDisplay.from_predictions(Y, SCORE, probability_cost=grid), "probability_cost"),
        (sk.ROCConfidenceDisplay.from_predictions(Y, SCORE, at=grid), "band_fpr"),
        (of_pairs(probability_cost=grid), "probability_cost"),
    ):
        vertices = display.fill_between_.get_paths()[0].vertices[1:5, 0]
        assert_array_equal(vertices, np.sort(vertices))
        assert_array_equal(np.argsort(getattr(display, x)), np.argsort(grid))
        assert (np.diff(display.line_.get_xdata()) >= 0).all()


def test_lines_of_single_thresholds():
    """A threshold's cost is its false-positive rate at PC(+) = 0 and its false-negative rate at 1."""
    display = sk.CostCurveDisplay.from_predictions(Y, SCORE, plot_cost_lines=True)
    rates = sk.bootstrap_roc_at_threshold(Y, SCORE)
    drawn = np.array(display.cost_lines_.get_segments())
    assert_array_equal(drawn[:, :, 0], np.tile([0.0, 1.0], (len(drawn), 1)))
    assert_array_equal(drawn[:, :, 1], np.column_stack([rates.fpr.estimate, 1 - rates.tpr.estimate]))
    assert "Single thresholds" in legend_texts(display.ax_)
    assert display.ax_.get_ylim()[1] < 1
    assert display.plot(plot_cost_lines=False).cost_lines_ is None


def test_a_figure_that_was_pickled_has_the_same_ticks():
    axes = sk.DecisionCurveDisplay.from_predictions(Y, SCORE).ax_
    (again,) = pickle.loads(pickle.dumps(axes.figure)).axes
    assert list(again.get_yticks()) == list(axes.get_yticks())


def test_two_models_of_one_class_have_names_of_their_own():
    display = sk.PairedCostDifferenceDisplay.from_estimators(MODEL, MODEL, X, Y)
    assert (display.name_a, display.name_b) == ("GaussianNB (a)", "GaussianNB (b)")


def test_the_legend_of_a_difference_names_both_models():
    display = sk.PairedCostDifferenceDisplay.from_estimators(MODEL, OTHER, X, Y, confidence_level=0.9)
    found = sk.bootstrap_cost_difference(Y, SCORE, OTHER_SCORE).significant(0.9, simultaneous=True)
    assert len(display.stretches_) == sum(map(len, found))
    assert legend_texts(display.ax_)[:2] == ["GaussianNB − Pipeline", "90 % confidence band (pointwise)"]
    assert display.caption == "90 % confidence band (pointwise) of the difference in normalized cost, after choosing"


def test_attributes_and_labels():
    display = sk.CostCurveDisplay.from_estimator(MODEL, X, Y)
    ends = ["Ends of the operating range", "Nobody / everybody positive"]
    assert legend_texts(display.ax_) == ["GaussianNB", "95 % confidence band (pointwise)", *ends]
    assert display.ax_.get_xlabel() == "Probability cost PC(+) (Positive label: 1)"
    assert display.ax_.get_ylabel() == "Normalized expected cost"
    assert display.figure_ is display.ax_.figure
    assert display.name == "GaussianNB"
    assert sk.CostCurveDisplay.from_predictions(Y, SCORE).name == "Classifier"


def test_plot_computes_and_changes_nothing_but_the_artists(monkeypatch):
    displays = (
        sk.CostCurveDisplay.from_predictions(Y, SCORE, probability_cost=[0.4, 0.2]),
        sk.ROCConfidenceDisplay.from_predictions(Y, SCORE, averaging="threshold"),
        sk.PairedCostDifferenceDisplay.from_predictions(Y, SCORE, OTHER_SCORE),
    )
    monkeypatch.setattr(sk.results.BootstrapResult, "confidence_interval", None)
    for drawn in displays:
        before = {name: np.copy(value) for name, value in vars(drawn).items() if not name.endswith("_")}
        drawn.plot(name="again", curve_kwargs={"color": "green"})
        for name, value in before.items():
            assert_array_equal(getattr(drawn, name), value)


@pytest.mark.parametrize(
    ("display", "layout", "width", "height"),
    [
        (sk.ROCConfidenceDisplay, None, 6.4, 4.8),
        (sk.CostCurveDisplay, None, 3.4, 3.4),
        (sk.ROCConfidenceDisplay, "constrained", 3.4, 3.4),
    ],
)
def test_legends_lie_within_their_axes_at_column_width_too(display, layout, width, height):
    figure, ax = plt.subplots(figsize=(width, height), layout=layout)
    display.from_predictions(Y, SCORE, name="GaussianNB", ax=ax, plot_chance_level=True)
    display.from_predictions(Y, OTHER_SCORE, name="RandomForestClassifier", ax=ax)
    figure.canvas.draw()
    legend, inside = ax.get_legend().get_window_extent(), ax.get_window_extent()
    assert inside.x0 <= legend.x0 < legend.x1 <= inside.x1
    assert inside.y0 <= legend.y0 < legend.y1 <= inside.y1


def test_the_costs_of_a_second_model_are_in_view():
    _, ax = plt.subplots()
    for score in (SCORE, np.round(SCORE)):
        display = sk.CostCurveDisplay.from_predictions(Y, score, ax=ax, plot_chance_level=False)
        assert ax.get_ylim() == (0, pytest.approx(1.05 * ax.dataLim.y1))
        assert ax.get_ylim()[1] > display.high.max()
    perfect = sk.CostCurveDisplay.from_predictions(Y, Y, band=None, plot_chance_level=False)
    assert perfect.ax_.get_ylim()[1] > 0


def test_curves_on_one_axis_share_the_legend_and_differ_in_grey():
    first = sk.CostCurveDisplay.from_predictions(Y, SCORE, name="first")
    second = sk.CostCurveDisplay.from_predictions(Y, OTHER_SCORE, name="second", ax=first.ax_)
    assert legend_texts(second.ax_)[:3] == ["first", "second", "95 % confidence band (pointwise)"]
    assert len(legend_texts(second.ax_)) == 5
    assert first.line_.get_linestyle() != second.line_.get_linestyle()


def test_the_cheaper_model_is_named():
    worse = np.random.default_rng(0).permutation(SCORE)
    for scores, names in (((SCORE, worse), ("good", "bad")), ((worse, SCORE), ("bad", "good"))):
        display = sk.PairedCostDifferenceDisplay.from_predictions(Y, *scores, name_a=names[0], name_b=names[1])
        cheaper = [text for text in legend_texts(display.ax_) if "cheaper" in text]
        assert cheaper == ["good significantly cheaper (95 %, simultaneous)"]


def test_operating_range_is_marked_where_the_trivial_classifiers_meet_the_envelope():
    cases = [1, 1, 1, 1, 0, 0, 0, 0], [1, 5, 6, 7, 2, 3, 4, 8]
    display = sk.CostCurveDisplay.from_predictions(*cases)
    low, high = display.operating_range
    assert 0 < low < high < 1
    assert (low, high) == sk.CostCurve.from_predictions(*cases).operating_range()
    assert_array_equal(display.operating_range_.get_xdata(), [low, high])
    assert_array_equal(display.operating_range_.get_ydata(), [min(low, 1 - low), min(high, 1 - high)])
    assert sk.CostCurveDisplay.from_predictions(Y, SCORE, thresholds=0.5).operating_range_ is None


def test_a_curve_needs_two_points():
    with pytest.raises(ValueError, match="probability_cost must contain at least two operating conditions"):
        sk.CostCurveDisplay.from_predictions(Y, SCORE, probability_cost=0.5)
    with pytest.raises(ValueError, match="probability_cost must contain at least two operating conditions"):
        sk.PairedCostDifferenceDisplay.from_predictions(Y, SCORE, OTHER_SCORE, probability_cost=[0.5])


SCIKIT_LEARNS = {"ax", "name", "curve_kwargs", "plot_chance_level", "chance_level_kw", "despine", "drop_intermediate"}
SAMPLE = {"sample_weight", "weight_type", "groups", "pos_label", "name_a", "name_b"}


@pytest.mark.parametrize("display", DISPLAYS)
def test_displays_have_few_options_of_their_own(display):
    drawn, asked = (
        {name for name, each in signature(function).parameters.items() if each.kind is Parameter.KEYWORD_ONLY}
        for function in (display.plot, display.from_predictions)
    )
    assert len(drawn - SCIKIT_LEARNS) <= 8
    assert len(asked - drawn - SCIKIT_LEARNS - SAMPLE) <= 11
    assert len(DISPLAYS) > 7


def test_a_detection_error_trade_off_has_both_errors_on_normal_deviates():
    from scipy.stats import norm

    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [60, 40])
    display = sk.ROCConfidenceDisplay.from_predictions(y, rng.normal(size=100) + y, scale="det", plot_chance_level=True)
    ax = display.ax_
    assert ax.get_ylabel().startswith("False Negative Rate")
    places = ax.transData.transform([(0.1, 0.9), (0.2, 0.9), (0.1, 0.8), (0.5, 0.5)])
    per_deviate = (places[1] - places[0])[0] / (norm.ppf(0.2) - norm.ppf(0.1))
    assert_allclose((places[2] - places[0])[1], per_deviate * (norm.ppf(0.2) - norm.ppf(0.1)), rtol=1e-6)
    assert places[2, 1] > places[0, 1]  # more missed is further up
    assert_allclose(ax.transData.inverted().transform(places), [(0.1, 0.9), (0.2, 0.9), (0.1, 0.8), (0.5, 0.5)])
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert_allclose([float(label) for label in labels], 1 - np.array(ax.get_yticks()))
    with pytest.raises(ValueError, match="scale must be one of 'linear', 'det', got 'log'"):
        display.plot(scale="log")
    plt.close("all")
