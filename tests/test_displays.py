"""Pictures draw the numbers of the results, in scikit-learn's manner."""

import numpy as np
import pytest
from matplotlib import pyplot as plt
from numpy.testing import assert_array_equal
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import roc_curve
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

import skcostci as sk

X, Y = load_breast_cancer(return_X_y=True)
X = X[:, :5]
MODEL = GaussianNB().fit(X, Y)
OTHER = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, Y)
SCORE, OTHER_SCORE = MODEL.predict_proba(X)[:, 1], OTHER.predict_proba(X)[:, 1]

single = pytest.mark.parametrize(
    "draw",
    [
        sk.CostCurveDisplay.from_estimator,
        lambda estimator, *rest, **options: sk.PairedCostDifferenceDisplay.from_estimators(
            estimator, estimator, *rest, **options
        ),
    ],
)


def band(artist):
    """Lower and upper edge of a filled band, over its distinct abscissas."""
    vertices = artist.get_paths()[0].vertices
    size = (len(vertices) - 3) // 2
    return vertices[1 : size + 1, 1], vertices[size + 2 : 2 * size + 2, 1][::-1]


@pytest.mark.parametrize("options", [{}, {"method": "wilson", "confidence_level": 0.8}, {"thresholds": "probability"}])
def test_cost_curve_shows_the_numbers_of_the_result(options):
    display = sk.CostCurveDisplay.from_estimator(MODEL, X, Y, **options)
    law_options = {key: value for key, value in options.items() if key == "thresholds"}
    result = sk.bootstrap_cost(Y, SCORE, **law_options)
    low, high = result.confidence_interval(options.get("confidence_level", 0.95), method=options.get("method"))
    assert_array_equal(display.line_.get_xydata(), np.column_stack([result.probability_cost, result.estimate]))
    drawn_low, drawn_high = band(display.fill_between_)
    assert_array_equal(drawn_low, low)
    assert_array_equal(drawn_high, high)


@pytest.mark.parametrize("options", [{}, {"method": "agresti", "confidence_level": 0.8}, {"fpr": [0.1, 0.5, 0.25]}])
def test_roc_band_shows_the_numbers_of_the_result(options):
    display = sk.ROCConfidenceDisplay.from_estimator(MODEL, X, Y, **options)
    level, method = options.get("confidence_level", 0.95), options.get("method")
    result = sk.bootstrap_roc_at_fpr(Y, SCORE, fpr=options.get("fpr"))
    low, high = result.confidence_interval(level, method=method)
    order = np.argsort(result.fpr)
    drawn_low, drawn_high = band(display.fill_between_)
    assert_array_equal(drawn_low, low[order])
    assert_array_equal(drawn_high, high[order])
    assert_array_equal(display.band_fpr, result.fpr)
    assert_array_equal(display.line_.get_xydata(), np.column_stack(roc_curve(Y, SCORE)[:2]))
    auc = sk.bootstrap_auc(Y, SCORE)
    assert display.roc_auc == auc.estimate
    text = "GaussianNB (AUC = {:.2f} [{:.2f}, {:.2f}])".format(float(auc), *auc.confidence_interval(level))
    assert legend_texts(display) == [text, f"{100 * level:g} % pointwise at fixed FPR, exact bootstrap"]


def test_roc_rectangles_show_the_regions_of_the_result():
    thresholds = [0.9, 0.1, 0.5]
    display = sk.ROCConfidenceDisplay.from_predictions(Y, SCORE, averaging="threshold", thresholds=thresholds)
    region = sk.bootstrap_roc_at_threshold(Y, SCORE, thresholds=thresholds).confidence_region()
    drawn = [path.vertices for path in display.fill_between_.get_paths()]
    assert_array_equal([corners[:, 0].min() for corners in drawn], region.fpr.low)
    assert_array_equal([corners[:, 0].max() for corners in drawn], region.fpr.high)
    assert_array_equal([corners[:, 1].min() for corners in drawn], region.tpr.low)
    assert_array_equal([corners[:, 1].max() for corners in drawn], region.tpr.high)


def test_roc_band_at_budgets_shows_the_limits_of_both_rates():
    display = sk.ROCConfidenceDisplay.from_predictions(Y, SCORE, averaging="positive_rate", positive_rate=[0.6, 0.2])
    result = sk.bootstrap_roc_at_positive_rate(Y, SCORE, positive_rate=[0.2, 0.6])
    (low, high), (fpr_low, fpr_high) = result.confidence_interval(), result.fpr.confidence_interval()
    corners = display.fill_between_.get_paths()[0].vertices[:4]
    assert_array_equal(corners, np.column_stack([[*fpr_high, *fpr_low[::-1]], [*low, *high[::-1]]]))
    assert_array_equal(display.points_.get_xydata()[::-1], np.column_stack([result.fpr.estimate, result.estimate]))


def test_difference_shows_the_numbers_of_the_result():
    display = sk.PairedCostDifferenceDisplay.from_estimators(MODEL, OTHER, X, Y, confidence_level=0.9)
    result = sk.bootstrap_cost_difference(Y, SCORE, OTHER_SCORE)
    low, high = result.confidence_interval(0.9)
    assert_array_equal(display.line_.get_ydata(), result.estimate)
    drawn_low, drawn_high = band(display.fill_between_)
    assert_array_equal(drawn_low, low)
    assert_array_equal(drawn_high, high)
    assert len(display.stretches_) == sum(map(len, result.significant(0.9)))
    assert legend_texts(display)[:2] == ["GaussianNB − Pipeline", "90 % pointwise, exact bootstrap"]


def test_attributes_and_labels():
    display = sk.CostCurveDisplay.from_estimator(MODEL, X, Y)
    assert legend_texts(display) == [
        "GaussianNB",
        "95 % pointwise, exact bootstrap",
        "Ends of the operating range",
        "Nobody / everybody positive",
    ]
    assert display.ax_.get_xlabel() == "Probability cost PC(+) (Positive label: 1)"
    assert display.ax_.get_ylabel() == "Normalized expected cost"
    assert display.figure_ is display.ax_.figure
    assert display.name == "GaussianNB"
    assert sk.CostCurveDisplay.from_predictions(Y, SCORE).name == "Classifier"


def test_parts_can_be_left_out_and_styled():
    _, ax = plt.subplots()
    display = sk.CostCurveDisplay.from_predictions(
        Y,
        SCORE,
        ax=ax,
        name="mine",
        plot_chance_level=False,
        plot_operating_range=False,
        despine=True,
        curve_kwargs={"c": "red", "lw": 3},
        fill_between_kwargs={"alpha": 0.5},
    )
    assert display.ax_ is ax
    assert display.chance_level_ is None
    assert display.operating_range_ is None
    assert display.line_.get_color() == "red"
    assert display.line_.get_linewidth() == 3
    assert display.fill_between_.get_alpha() == 0.5
    assert not ax.spines["top"].get_visible()
    bare = sk.CostCurveDisplay(probability_cost=np.array([0, 1]), cost=np.array([0, 0])).plot()
    assert bare.fill_between_ is None


def test_aliases_of_one_option_clash():
    with pytest.raises(TypeError, match="aliases of one another"):
        sk.CostCurveDisplay.from_predictions(Y, SCORE, curve_kwargs={"c": "red", "color": "blue"})


def test_plot_changes_nothing_but_the_artists():
    display = sk.CostCurveDisplay.from_predictions(Y, SCORE)
    before = {name: np.copy(value) for name, value in vars(display).items() if not name.endswith("_")}
    display.plot(name="again", curve_kwargs={"color": "green"})
    for name, value in before.items():
        assert_array_equal(getattr(display, name), value)


def test_curves_on_one_axis_share_the_legend_and_differ_in_grey():
    first = sk.CostCurveDisplay.from_predictions(Y, SCORE, name="first")
    second = sk.CostCurveDisplay.from_predictions(Y, OTHER_SCORE, name="second", ax=first.ax_)
    assert legend_texts(second)[:3] == ["first", "second", "95 % pointwise, exact bootstrap"]
    assert len(legend_texts(second)) == 5
    assert first.line_.get_linestyle() != second.line_.get_linestyle()


def test_the_legend_stays_clear_of_the_data():
    for display in (
        sk.CostCurveDisplay.from_predictions(Y, SCORE),
        sk.PairedCostDifferenceDisplay.from_predictions(Y, SCORE, X[:, 4]),
    ):
        display.figure_.canvas.draw()
        legend = display.ax_.get_legend().get_window_extent()
        highest = display.ax_.transData.transform((0, display.ax_.dataLim.y1))[1]
        assert highest <= legend.y0 + 1
        assert display.ax_.get_ylim()[0] <= display.ax_.dataLim.y0


def test_the_cheaper_model_is_named():
    worse = np.random.default_rng(0).permutation(SCORE)
    for scores, label in (
        ((SCORE, worse), "good significantly cheaper"),
        ((worse, SCORE), "good significantly cheaper"),
    ):
        names = ("good", "bad") if scores[0] is SCORE else ("bad", "good")
        display = sk.PairedCostDifferenceDisplay.from_predictions(Y, *scores, name_a=names[0], name_b=names[1])
        assert [text for text in legend_texts(display) if "cheaper" in text] == [label]


def test_operating_range_is_marked_where_the_trivial_classifiers_meet_the_envelope():
    display = sk.CostCurveDisplay.from_predictions([1, 1, 1, 1, 0, 0, 0, 0], [1, 5, 6, 7, 2, 3, 4, 8])
    low, high = display.operating_range
    assert 0 < low < high < 1
    assert (low, high) == sk.CostCurve.from_predictions(
        [1, 1, 1, 1, 0, 0, 0, 0], [1, 5, 6, 7, 2, 3, 4, 8]
    ).operating_range()
    assert_array_equal(display.operating_range_.get_xdata(), [low, high])
    assert_array_equal(display.operating_range_.get_ydata(), [min(low, 1 - low), min(high, 1 - high)])
    assert sk.CostCurveDisplay.from_predictions(Y, SCORE, thresholds=0.5).operating_range_ is None


def test_a_curve_needs_two_points():
    with pytest.raises(ValueError, match="probability_cost must hold at least two operating conditions"):
        sk.CostCurveDisplay.from_predictions(Y, SCORE, probability_cost=0.5)
    with pytest.raises(ValueError, match="probability_cost must hold at least two operating conditions"):
        sk.PairedCostDifferenceDisplay.from_predictions(Y, SCORE, OTHER_SCORE, probability_cost=[0.5])


def legend_texts(display):
    return [text.get_text() for text in display.ax_.get_legend().get_texts()]


def test_subclasses_are_kept():
    class Mine(sk.CostCurveDisplay):
        pass

    assert isinstance(Mine.from_estimator(MODEL, X, Y), Mine)
    assert isinstance(Mine.from_predictions(Y, SCORE), Mine)


@pytest.mark.parametrize("pos_label", ["malignant", "benign"])
@pytest.mark.parametrize("model", [GaussianNB(), LinearSVC(random_state=0)])
def test_the_positive_class_can_be_either(model, pos_label):
    labels = np.where(Y == 1, "malignant", "benign")
    fitted = model.fit(X, labels)
    response = fitted.predict_proba(X)[:, 1] if hasattr(fitted, "predict_proba") else fitted.decision_function(X)
    score = response if pos_label == "malignant" else (1 - response if hasattr(fitted, "predict_proba") else -response)
    display = sk.CostCurveDisplay.from_estimator(fitted, X, labels, pos_label=pos_label)
    expected = sk.bootstrap_cost(labels, score, pos_label=pos_label)
    np.testing.assert_allclose(display.cost, expected.estimate, atol=1e-12)
    assert display.ax_.get_xlabel().endswith(f"(Positive label: {pos_label})")


def test_weights_are_repeated_rows():
    weights = np.where(Y == 1, 2, 1)
    weighted = sk.CostCurveDisplay.from_estimator(MODEL, X, Y, sample_weight=weights)
    repeated = sk.CostCurveDisplay.from_estimator(MODEL, np.repeat(X, weights, axis=0), np.repeat(Y, weights))
    assert_array_equal(weighted.low, repeated.low)


@single
def test_estimators_must_be_fitted_binary_classifiers(draw):
    with pytest.raises(NotFittedError):
        draw(GaussianNB(), X, Y)
    with pytest.raises(
        ValueError, match=r"Expected 'estimator' to be a binary classifier. Got LinearRegression instead"
    ):
        draw(LinearRegression().fit(X, Y), X, Y)
    features, species = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match=r"Expected 'estimator' to be a binary classifier. Got 3 classes instead"):
        draw(GaussianNB().fit(features, species), features, species)
    with pytest.raises(ValueError, match=r"pos_label=7 is not a valid label: It should be one of \[0, 1\]"):
        draw(MODEL, X, Y, pos_label=7)
    with pytest.raises(AttributeError, match=r"LinearSVC has none of the following attributes: predict_proba."):
        draw(LinearSVC().fit(X, Y), X, Y, response_method="predict_proba")
    with pytest.raises(ValueError, match=r"response_method must be 'auto', 'predict_proba' or 'decision_function'"):
        draw(MODEL, X, Y, response_method="predict")


@single
def test_targets_must_be_binary(draw):
    with pytest.raises(ValueError, match="The target y is not binary"):
        draw(MODEL, X, np.arange(len(Y)) % 3)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        draw(MODEL, X[:10], Y)
