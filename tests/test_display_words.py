"""What displays write and how they look: names as they are, gaps, captions, several bands, the same decimals."""

import warnings
from itertools import cycle

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.backends.backend_agg import RendererAgg
from numpy.testing import assert_array_equal
from public import legend_texts
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate
from sklearn.svm import LinearSVC

import skcostci as sk

RNG = np.random.default_rng(5)
Y = np.repeat([0, 1], 25)
SCORES = (RNG.normal(size=(2, 50)) + 1.2 * Y).round(2)
RISKS = 1 / (1 + np.exp(-SCORES))
X = np.column_stack(SCORES)
MODEL = LogisticRegression().fit(X, Y)
CV = cross_validate(LogisticRegression(), X, Y, cv=3, return_estimator=True, return_indices=True)
ONE = [sk.ROCConfidenceDisplay, sk.CostCurveDisplay, sk.PrecisionRecallConfidenceDisplay, sk.DecisionCurveDisplay]
TWO = [sk.PairedCostDifferenceDisplay]
NAMES = ["$a_{1$", "_hidden", "50 % of $100 for $2", r"\alpha $\frac$", "a_b^c~{d}&#", "x" * 300, "two words " * 20]


def as_seen(text):
    """What a reader sees of a text that is no mathematics."""
    return text.replace(r"\$", "$").lstrip()


@pytest.fixture
def strict():
    """Nothing warns."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", sk.DegenerateLawWarning)
        yield


SHARED = [*zip(cycle([*ONE, *TWO]), NAMES, strict=False)]  # the code is


@pytest.mark.parametrize(("display", "name"), [*SHARED, (TWO[0], NAMES[-2])])
@pytest.mark.usefixtures("strict")
def test_names_are_written_as_they_are(display, name):
    _, ax = plt.subplots(figsize=(3.9, 3.9), layout="constrained")
    named, scores = ({"name_a": name, "name_b": "b"}, RISKS) if display in TWO else ({"name": name}, RISKS[:1])
    drawn = display.from_predictions(Y, *scores, **named, ax=ax)
    label = as_seen(drawn.line_.get_label())
    assert label == f"{name} − b" if display in TWO else label.startswith(name)
    drawn.figure_.canvas.draw()  # mathematics that is none would raise here
    assert len(legend_texts(ax)) >= 2
    seen = as_seen(legend_texts(ax)[0]).replace("\n", "").replace(" ", "")
    assert seen.startswith(name.replace(" ", "")[:20])


@pytest.mark.usefixtures("strict")
def test_names_of_classes_folds_metrics_and_models_in_order_are_written_as_they_are():
    first, other = NAMES[0], NAMES[-2]
    labels = np.array(["other", other], dtype=object)[Y]
    for name, drawn in (
        (other, sk.CostCurveDisplay.from_predictions(labels, SCORES[0], pos_label=other)),
        (first, sk.ROCConfidenceDisplay.from_cv_results(CV, X, Y, name=first)),
        (other, sk.MetricThresholdDisplay.from_predictions(Y, SCORES[0], name=other, metrics="recall")),
        (first, sk.ModelComparisonDisplay.from_predictions(Y, {first: SCORES[0], "b": SCORES[1]})),
    ):
        drawn.figure_.canvas.draw()
        shown = [text.get_text() for text in (*drawn.ax_.get_yticklabels(), drawn.ax_.title, drawn.ax_.xaxis.label)]
        said = " ".join(as_seen(each) for each in (*shown, *legend_texts(drawn.ax_)))
        assert name.replace(" ", "")[:20] in said.replace("\n", "").replace(" ", "")


def test_a_label_that_the_user_writes_may_be_mathematics():
    label = r"$\hat{p} = \frac{1}{1 + \exp(-\beta_0 - \beta_1 x)}$, logistic regression"
    _, ax = plt.subplots(figsize=(3.4, 2.6))
    drawn = sk.ROCConfidenceDisplay.from_predictions(Y, SCORES[0], curve_kwargs={"label": label}, ax=ax)
    assert drawn.line_.get_label() == legend_texts(ax)[0] == label
    ax.figure.canvas.draw()


def test_where_tex_sets_the_text_its_signs_are_escaped(monkeypatch):
    with plt.rc_context({"text.usetex": True}):
        monkeypatch.setattr(RendererAgg, "get_text_width_height_descent", lambda *_, **__: (1, 1, 0))  # else TeX runs
        drawn = sk.CostCurveDisplay(probability_cost=np.array([0, 1]), cost=np.zeros(2), name="50 % of a_b").plot()
    assert drawn.line_.get_label() == r"50 \% of a\_b"


@pytest.mark.usefixtures("strict")
def test_what_is_undefined_is_a_gap_in_the_line_and_in_its_band():
    x, values = np.arange(7) / 6, np.array([0.4, 0.5, np.nan, 0.7, np.nan, np.nan, np.nan])
    low, high = np.where(np.isnan(values), 0.0, values - 0.1), np.where(np.isnan(values), 1.0, values + 0.1)
    drawn = sk.MetricThresholdDisplay(
        thresholds=x, values=values[None], low=low[None], high=high[None], confidence_level=0.95, labels=["Precision"]
    ).plot()
    drawn.figure_.canvas.draw()
    assert_array_equal(drawn.line_[0].get_ydata(), values)
    assert drawn.line_[0].get_markevery() == [3]  # alone between gaps, and yet to be seen
    filled = np.concatenate([path.vertices for path in drawn.fill_between_[0].get_paths()])
    assert set(filled[:, 0]) == set(x[[0, 1, 3]])
    assert len(drawn.fill_between_[0].get_paths()) == 2
    assert drawn.ax_.dataLim.intervaly[1] == pytest.approx(0.8)
    assert legend_texts(drawn.ax_) == ["Precision", "95 % confidence band (pointwise)"]


@pytest.mark.usefixtures("strict")
def test_a_limit_without_an_end_reaches_the_top():
    limits = {"low": np.array([[1.0, 2.0]]), "high": np.array([[4.0, np.inf]]), "confidence_level": 0.95}
    values = np.array([[2.0, 3.0]])
    drawn = sk.MetricThresholdDisplay(thresholds=np.array([0.1, 0.2]), values=values, labels=["LR+"], **limits).plot()
    assert drawn.fill_between_[0].get_paths()[0].vertices[:, 1].max() == 4


@pytest.mark.usefixtures("no_layout")
@pytest.mark.parametrize("display", [*ONE, sk.MetricThresholdDisplay, *TWO])
def test_no_band_is_neither_computed_nor_left_in_the_legend(display, monkeypatch):
    scores = RISKS if display in TWO else RISKS[:1]
    of_legend = sk.ROCConfidenceDisplay, sk.PrecisionRecallConfidenceDisplay  # the intervals of their areas
    if display not in (*of_legend, sk.PairedCostDifferenceDisplay):  # and the strips
        monkeypatch.setattr(sk.results.BootstrapResult, "confidence_interval", None)
    drawn = display.from_predictions(Y, *scores, band=None)
    assert drawn.low is drawn.high is drawn.band is None
    assert drawn.caption == ""
    assert not drawn.fill_between_
    assert not drawn.ax_.collections
    assert not any("band" in text for text in legend_texts(drawn.ax_))


def test_what_a_band_would_be_is_not_asked_without_one():
    for display, options in (
        (sk.CostCurveDisplay, {"method": "wilson"}),
        (sk.ROCConfidenceDisplay, {"method": "agresti"}),
        (sk.ROCConfidenceDisplay, {"at": [0.1]}),
        (sk.MetricThresholdDisplay, {"method": "wilson"}),
    ):
        with pytest.raises(ValueError, match=f"{next(iter(options))} needs a band, got .* and band=None"):
            display.from_predictions(Y, SCORES[0], band=None, **options)


def test_a_band_that_there_is_not_is_refused():
    for display in (sk.PrecisionRecallConfidenceDisplay, sk.DecisionCurveDisplay):
        with pytest.raises(ValueError, match="band must be one of 'pointwise', got 'simultaneous'"):
            display.from_predictions(Y, RISKS[0], band="simultaneous")


@pytest.mark.usefixtures("no_layout")
def test_an_object_never_prints_its_address():
    for display in (ONE[1], *TWO):
        drawn = display.from_predictions(Y, *(RISKS if display in TWO else RISKS[:1]))
        assert " at 0x" not in repr(drawn)
        assert drawn.caption in repr(drawn)
    assert repr(sk.CostCurveDisplay(probability_cost=np.array([0, 1]), cost=np.zeros(2))) == "<CostCurveDisplay>"
    folds = sk.ROCConfidenceDisplay.from_cv_results(CV, X, Y, name="Linear")
    assert repr(folds) == f"<ROCConfidenceDisplay: Linear: {folds.pooled.caption}>"
    compared = sk.ModelComparisonDisplay.from_predictions(Y, {"a": SCORES[0], "b": SCORES[1]})
    assert repr(compared) == f"<ModelComparisonDisplay: AUC of 2 models, {compared.caption}>"
    metric = sk.MetricThresholdDisplay.from_predictions(Y, SCORES[0], metrics="recall", name="Linear")
    assert repr(metric) == f"<MetricThresholdDisplay: Recall of Linear: {metric.caption}>"


def test_the_areas_of_a_legend_have_the_same_decimals():
    curve = {"fpr": np.array([0, 0.5, 1]), "tpr": np.array([0, 0.8, 1])}
    _, ax = plt.subplots()
    sk.ROCConfidenceDisplay(**curve, roc_auc=0.85, roc_auc_interval=(0.8, 0.9), name="one").plot(ax)
    assert legend_texts(ax) == ["one (AUC = 0.85 [0.80, 0.90])"]
    sk.ROCConfidenceDisplay(**curve, roc_auc=0.9992, roc_auc_interval=(0.99, 1.0), name="two").plot(ax)
    said = [text.replace("\n", " ") for text in legend_texts(ax)]
    assert said == ["one (AUC = 0.850 [0.800, 0.900])", "two (AUC = 0.999 [0.990, 1.000])"]
    sk.ROCConfidenceDisplay(**curve, roc_auc=0.9, name="three").plot(ax, curve_kwargs={"label": "mine"})
    assert legend_texts(ax)[2] == "mine"


def test_the_more_bands_the_lighter_their_fills_but_for_the_users():
    _, ax = plt.subplots()
    own = sk.CostCurveDisplay.from_predictions(Y, SCORES[0], ax=ax, fill_between_kwargs={"alpha": 0.5})
    alphas = []
    for scores in (SCORES[0], SCORES[1], SCORES.sum(axis=0)):
        drawn = sk.CostCurveDisplay.from_predictions(Y, scores, ax=ax)
        alphas.append(drawn.fill_between_.get_facecolor()[0][3])
        assert drawn.fill_between_.get_edgecolor()[0][3] == 1
    assert alphas == sorted(alphas, reverse=True)
    assert len(set(alphas)) == 3
    fills = {each.get_facecolor()[0][3] for each in ax.collections if each is not own.fill_between_}
    assert fills == {alphas[-1]}
    assert own.fill_between_.get_facecolor()[0][3] == 0.5


def test_decision_curves_ask_estimators_for_risks():
    machine = LinearSVC().fit(X, Y)
    folds = cross_validate(LinearSVC(), X, Y, cv=3, return_estimator=True, return_indices=True)
    display = sk.DecisionCurveDisplay
    for make, given in ((display.from_estimator, machine), (display.from_cv_results, folds)):
        with pytest.raises(AttributeError, match=r"LinearSVC has none of the following attributes: predict_proba\."):
            make(given, X, Y)


class Unsorted(ClassifierMixin, BaseEstimator):
    """A model whose classes are in an order of its own."""

    def fit(self, X, y):
        self.classes_ = np.array(["c", "a", "b"])
        return self

    def predict_proba(self, X):
        return X


def test_scores_of_several_classes_belong_to_the_classes_of_the_model():
    y = np.array(["a", "b", "c"])[np.arange(60) % 3]
    proba = RNG.dirichlet(np.ones(3), 60)
    plain = sk.ROCConfidenceDisplay.from_predictions(y, proba[:, [1, 2, 0]])
    assert sk.ROCConfidenceDisplay.from_estimator(Unsorted().fit(proba, y), proba, y).roc_auc == plain.roc_auc
    with pytest.raises(ValueError, match=r"y must have only classes of the estimator, .* got 'd'"):
        sk.ROCConfidenceDisplay.from_estimator(Unsorted().fit(proba, y), proba, np.where(y == "a", "d", y))


def test_an_operating_point_is_said_behind_its_curve_in_the_words_of_diagnosis():
    _, ax = plt.subplots(figsize=(9, 9))
    for name, scores, point in zip("ab", SCORES, ({"tpr": 0.9}, {"threshold": 0.5}), strict=True):
        sk.ROCConfidenceDisplay.from_predictions(Y, scores, name=name, operating_point=point, ax=ax)
    found = sk.bootstrap_roc_at_tpr(Y, SCORES[0], tpr=0.9).specificity
    low, high = found.confidence_interval()
    first, at_sensitivity, second, at_threshold, band = (text.replace("\n", " ") for text in legend_texts(ax))
    assert at_sensitivity == f"Sensitivity 0.9: specificity {float(found):.2f} [{low:.2f}, {high:.2f}]"
    assert (first[:6], second[:6], band[:4]) == ("a (AUC", "b (AUC", "95 %")
    rates = sk.bootstrap_roc_at_threshold(Y, SCORES[1], thresholds=0.5)
    (low, high), (most, least) = rates.tpr.confidence_interval(), rates.fpr.confidence_interval()
    assert at_threshold == (
        f"Threshold 0.5: sensitivity {float(rates.tpr):.2f} [{low:.2f}, {high:.2f}], "
        f"specificity {1 - float(rates.fpr):.2f} [{1 - least:.2f}, {1 - most:.2f}]"
    )


def test_an_operating_point_has_room_in_the_legend_of_a_small_figure():
    _, ax = plt.subplots(figsize=(3.4, 3.0), layout="constrained")
    sk.ROCConfidenceDisplay.from_predictions(Y, SCORES[0], operating_point={"threshold": 0.5}, ax=ax)
    legend, frame = ax.get_legend().get_window_extent(), ax.get_window_extent()
    assert legend.width < frame.width
    (entry,) = [text for text in legend_texts(ax) if text.startswith("Threshold")]
    assert [line.split()[0] for line in entry.split("\n")] == ["Threshold", "sensitivity", "specificity"]


@pytest.mark.parametrize(
    ("point", "error", "message"),
    [
        (0.9, ValueError, r"operating_point must be a mapping of one name to one number, got 0\.9"),
        ({"sensitivity": 0.9}, ValueError, "in operating_point must be one of 'tpr', 'fpr', 'threshold', got 'sens"),
        ({"tpr": [0.8, 0.9]}, TypeError, r"operating_point\['tpr'\] must be a number in \[0, 1\]"),
        ({"threshold": "youden"}, TypeError, r"\['threshold'\] must be a number in \(-inf, inf\), got 'youden'"),
    ],
)
def test_an_operating_point_that_is_none_is_refused(point, error, message):
    with pytest.raises(error, match=message):
        sk.ROCConfidenceDisplay.from_predictions(Y, SCORES[0], operating_point=point)


def test_an_operating_point_of_folds_lies_on_the_pooled_curve():
    drawn = sk.ROCConfidenceDisplay.from_cv_results(CV, X, Y, operating_point={"fpr": 0.1})
    assert drawn.operating_point_ is drawn.pooled.operating_point_
    assert drawn.pooled.operating_point["fpr"] == 0.1
    with pytest.raises(ValueError, match=r"together='mean' needs .* cannot be combined with operating_point"):
        sk.ROCConfidenceDisplay.from_cv_results(CV, X, Y, operating_point={"fpr": 0.1}, together="mean")
