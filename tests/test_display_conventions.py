"""Displays behave as scikit-learn's do: who may be drawn, what is said if not, names, styles, folds."""

import re
from functools import cache, partial
from inspect import Parameter, getdoc, signature

import numpy as np
import pandas as pd
import polars as pl
import pytest
from matplotlib import pyplot as plt
from matplotlib.lines import Line2D
from numpy.testing import assert_allclose, assert_array_equal
from public import DISPLAYS
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_iris, make_classification
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import PrecisionRecallDisplay, RocCurveDisplay, auc, roc_curve
from sklearn.model_selection import LeaveOneOut, RepeatedKFold, ShuffleSplit, TimeSeriesSplit, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import skcostci as sk

pytestmark = pytest.mark.usefixtures("no_layout")
X, Y = make_classification(50, n_informative=5, n_redundant=2, flip_y=0.1, class_sep=0.8, random_state=42)
MODEL = LogisticRegression().fit(X, Y)
SCORE = MODEL.predict_proba(X)[:, 1]
CV = cross_validate(LogisticRegression(), X, Y, cv=3, return_estimator=True, return_indices=True)
IRIS, SPECIES = load_iris(return_X_y=True)
SCALED = make_pipeline(StandardScaler(), LogisticRegression())
PIPELINES = [LogisticRegression(), SCALED, SCALED]


class Paired(sk.PairedCostDifferenceDisplay):
    """The paired display as if it were of one model, which it compares with itself."""

    @classmethod
    def from_estimator(cls, estimator, *cases, **options):
        return cls.from_estimators(estimator, estimator, *cases, **options)

    @classmethod
    def from_predictions(cls, y_true, y_score, *other, **options):
        return super().from_predictions(y_true, y_score, *(other or (y_score,)), **options)


SINGLE = [sk.CostCurveDisplay, sk.ROCConfidenceDisplay]
single = pytest.mark.parametrize("display_class", SINGLE)
every = pytest.mark.parametrize("display_class", [*SINGLE, Paired])
USUAL_NAMES = {"from_estimator": "LogisticRegression", "from_predictions": "Classifier", "from_cv_results": None}
constructors = pytest.mark.parametrize("constructor", USUAL_NAMES)
POINTS = {"fpr": np.array([0, 0.5, 1]), "tpr": np.array([0, 0.8, 1])}
answered = partial(pytest.mark.parametrize, ("response_method", "with_strings", "weighted"))


def draw(display_class, constructor, **options):
    """A display of the same model, whatever it is made from."""
    cases = {"from_estimator": (MODEL, X, Y), "from_predictions": (Y, SCORE), "from_cv_results": (CV, X, Y)}
    return getattr(display_class, constructor)(*cases[constructor], **options)


drawn = cache(draw)  # to be looked at


def labelled(with_strings, weighted):
    """Labels that may have names, the positive one if it must be said, and perhaps weights."""
    y, pos_label = (np.array(["c", "b"])[Y], "c") if with_strings else (Y, None)
    return y, pos_label, np.random.default_rng(42).integers(1, 4, len(Y)) if weighted else None


def scores_of(model, response_method, rows):
    response = getattr(model, response_method)(rows)
    return response[:, 1] if response.ndim == 2 else response


def first_line(display):
    return display.line_[0] if isinstance(display.line_, list) else display.line_


def legend_texts(display):
    legend = display.ax_.get_legend()
    return [] if legend is None else [text.get_text().replace("\n", " ") for text in legend.get_texts()]


class Scoreless(ClassifierMixin, BaseEstimator):
    """A classifier that only predicts."""

    def fit(self, X, y):
        self.classes_ = [0, 1]
        return self


TWO = SPECIES < 2
THREE_CLASSES, OF_TWO = (DecisionTreeClassifier().fit(IRIS[rows], SPECIES[rows]) for rows in (SPECIES < 3, TWO))
REGRESSOR, LETTERS = DecisionTreeRegressor().fit(IRIS, SPECIES), np.array(["b", "c"])[Y]
NOTHING = "Scoreless has none of the following attributes: "
RESPONSE = "response_method must be 'auto', 'predict_proba' or 'decision_function'"
BY_MODEL = [  # what from_estimator is called with, and what is said
    ((THREE_CLASSES, IRIS[TWO], SPECIES[TWO]), {}, r"'estimator' to be a binary classifier\. Got 3 classes instead\."),
    ((OF_TWO, IRIS, SPECIES), {}, r"The target y is not binary\. Got multiclass type of target\."),
    ((OF_TWO, IRIS, SPECIES + 0.5), {}, r"The target y is not binary\. Got continuous type of target\."),
    ((REGRESSOR, IRIS, SPECIES), {}, r"a binary classifier\. Got DecisionTreeRegressor instead\."),
    ((MODEL, X, Y), {"response_method": "predict"}, f"{RESPONSE}, got 'predict'"),
    ((MODEL, X[:-2], Y), {}, "Found input variables with inconsistent numbers of samples"),
    ((MODEL, X, Y), {"sample_weight": np.ones(48)}, "Found input variables with inconsistent numbers of samples"),
    ((MODEL, X, Y), {"pos_label": 7}, r"pos_label=7 is not a valid label: It should be one of \[0, 1\]"),
]
SCORELESS = Scoreless().fit(X, Y), X, Y
NO_SCORES = [
    (NotFittedError, (LogisticRegression(), X, Y), {}, "not fitted yet"),
    (AttributeError, SCORELESS, {}, rf"{NOTHING}predict_proba, decision_function\."),
    (AttributeError, SCORELESS, {"response_method": "decision_function"}, rf"{NOTHING}decision_function\."),
    (AttributeError, (MODEL, X, Y), {"response_method": "x"}, f"none of the following attributes: x. {RESPONSE}"),
    (TypeError, (MODEL, X, Y), {"response_method": 3}, RESPONSE),
]
BY_SCORES = [  # what from_predictions is called with
    ((SPECIES, IRIS[:, 0]), {}, r"The target y is not binary\. Got multiclass type of target\."),
    (([0, np.nan], [1, 2]), {}, "Input y contains NaN"),
    ((Y + 10, SCORE), {}, r"y_true takes value in {10, 11} and pos_label is not specified"),
    ((LETTERS, SCORE), {}, r"y_true takes value in {'b', 'c'} and pos_label is not specified"),
]
NO_OPTIONS = [
    ({"curve_kwargs": {"linewidth": 1, "lw": 2}}, "Got both 'linewidth' and 'lw', which are aliases of"),
    ({"fill_between_kwargs": {"fc": "r", "facecolor": "b"}}, "Got both 'fc' and 'facecolor', which are aliases of"),
    ({"curve_kwargs": "r"}, "curve_kwargs must be a dictionary of matplotlib's options by their"),
    ({"fill_between_kwargs": {1: 2}}, "fill_between_kwargs must be a dictionary of matplotlib's options by their"),
]


@every
@pytest.mark.parametrize(
    ("name", "error", "given", "options", "said"),
    [
        *(("from_estimator", ValueError, *each) for each in BY_MODEL),
        *(("from_estimator", *each) for each in NO_SCORES),
        *(("from_predictions", ValueError, *each) for each in BY_SCORES),
        *(("from_predictions", TypeError, (Y, SCORE), *each) for each in NO_OPTIONS),
    ],
)
def test_what_cannot_be_drawn_is_refused(display_class, name, error, given, options, said):
    if given[0] is THREE_CLASSES and display_class is sk.ROCConfidenceDisplay:
        pytest.skip("each class is drawn against the rest")
    with pytest.raises(error, match=said):
        getattr(display_class, name)(*given, **options)


@every
@constructors
def test_spines_of_subclasses_which_stay_what_they_are(display_class, constructor):
    if constructor == "from_cv_results" and display_class is Paired:
        return

    class Mine(display_class):
        pass

    display = draw(Mine, constructor, despine=True)
    assert type(display) is Mine
    sides = ("top", "right")
    assert not any(display.ax_.spines[side].get_visible() for side in sides)
    assert display.ax_.spines["bottom"].get_bounds() == (0, 1)
    if display_class is sk.ROCConfidenceDisplay:
        assert display.ax_.spines["left"].get_bounds() == (0, 1)
    assert all(drawn(display_class, constructor).ax_.spines[side].get_visible() for side in sides)


@single
@pytest.mark.parametrize(("constructor", "usual"), [*USUAL_NAMES.items()])
def test_names_that_nobody_gave_and_those_given(display_class, constructor, usual):
    display = drawn(display_class, constructor)
    assert (display.name, display.pos_label) == (usual, 1)
    told = "3 folds" if display_class is sk.CostCurveDisplay else "AUC = "
    assert (usual or told) in first_line(display).get_label()
    display = draw(display_class, constructor, name="my hand-crafted name")
    assert "my hand-crafted name" in first_line(display).get_label()
    assert "another name" in first_line(display.plot(name="another name")).get_label()
    assert display.name == "my hand-crafted name"


@pytest.mark.parametrize(
    ("display_class", "frame", "estimator"),
    [*zip([*SINGLE, Paired], [pd.DataFrame, pl.DataFrame, np.ndarray.tolist], PIPELINES, strict=True)],
)
def test_frames_and_lists_are_arrays(display_class, frame, estimator):
    table = frame(X)
    labels = Y.tolist() if isinstance(table, list) else table.__class__({"y": Y})["y"]
    model = clone(estimator).fit(table, labels)
    given = display_class.from_estimator(model, table, labels)
    assert type(model).__name__ in given.line_.get_label()
    expected = display_class.from_estimator(model, table, Y)
    assert_array_equal(given.line_.get_xydata(), expected.line_.get_xydata())
    if display_class is not Paired:
        cv_results = cross_validate(model, table, labels, cv=3, return_estimator=True, return_indices=True)
        folds = display_class.from_cv_results(cv_results, table, labels)
        assert len(folds.line_) == 3


@every
def test_short_names_of_options_are_understood(display_class):
    looks = {"curve_kwargs": {"lw": 3, "c": "g", "ls": ":"}}
    filled = {"fill_between_kwargs": {"fc": "red", "alpha": 0.5, "ec": "k"}}
    display = display_class.from_predictions(Y, SCORE, **looks, **filled)
    assert (display.line_.get_linewidth(), display.line_.get_color(), display.line_.get_linestyle()) == (3, "g", ":")
    assert_allclose(display.fill_between_.get_facecolor()[0], [1, 0, 0, 0.5])
    assert_allclose(display.fill_between_.get_edgecolor()[0], [0, 0, 0, 0.5])
    plain = display_class.from_predictions(Y, SCORE, fill_between_kwargs={"color": "red"})
    assert_allclose(plain.fill_between_.get_facecolor()[0], [1, 0, 0, 0.2])


def test_a_display_of_the_users_may_draw_in_a_way_of_its_own():
    class Mine(sk.CostCurveDisplay):
        def plot(self, ax=None, *, title="mine", **options):
            super().plot(ax, **options).ax_.set_title(title)
            return self

    display = Mine.from_predictions(Y, SCORE, curve_kwargs={"color": "red"}, thresholds=0.5)
    assert display.ax_.get_title() == "mine"
    assert display.line_.get_color() == "red"
    assert display.plot(title="again").ax_.get_title() == "again"


@answered([("predict_proba", True, True), ("decision_function", False, False)])
def test_the_roc_curve_is_that_of_scikit_learn(response_method, with_strings, weighted):
    y, pos_label, weights = labelled(with_strings, weighted)
    model = LogisticRegression().fit(X, y)
    sample = {"sample_weight": weights, "pos_label": pos_label}
    display = sk.ROCConfidenceDisplay.from_estimator(model, X, y, response_method=response_method, **sample)
    fpr, tpr, _ = roc_curve(y, scores_of(model, response_method, X), **sample)
    assert_allclose([display.fpr, display.tpr], [fpr, tpr])
    assert display.roc_auc == pytest.approx(auc(fpr, tpr))
    label = f"(Positive label: {1 if pos_label is None else pos_label})"
    assert display.ax_.get_xlabel() == f"False Positive Rate {label}"
    assert display.ax_.get_ylabel() == f"True Positive Rate {label}"
    assert display.line_.get_label().startswith(f"LogisticRegression (AUC = {display.roc_auc:.2f} [")


@pytest.mark.parametrize(
    ("display_class", "usual"),
    [(sk.ROCConfidenceDisplay, RocCurveDisplay), (sk.PrecisionRecallConfidenceDisplay, PrecisionRecallDisplay)],
)
def test_axes_are_those_of_scikit_learn(display_class, usual):
    ax, expected = (each.from_predictions(Y, SCORE).ax_ for each in (display_class, usual))
    for name in ("get_xlim", "get_ylim", "get_aspect", "get_xlabel", "get_ylabel"):
        assert getattr(ax, name)() == getattr(expected, name)()


def test_the_chance_level():
    for constructor in USUAL_NAMES:
        assert drawn(sk.ROCConfidenceDisplay, constructor).chance_level_ is None
        display = drawn(sk.ROCConfidenceDisplay, constructor, plot_chance_level=True)
        line = display.chance_level_
        assert_array_equal(line.get_xydata(), [[0, 0], [1, 1]])
        assert (line.get_color(), line.get_linestyle()) == ("k", "--")
        assert "Chance level (AUC = 0.5)" in legend_texts(display)
    own = display.plot(plot_chance_level=True, chance_level_kw={"c": "red", "ls": "-", "label": None})
    assert (own.chance_level_.get_color(), own.chance_level_.get_linestyle()) == ("red", "-")
    assert not any("Chance" in text for text in legend_texts(own))


def test_a_label_of_the_users():
    for label in ([], ["Test label"]):
        looks = {"alpha": 0.8, "label": label[0] if label else None}
        display = draw(sk.ROCConfidenceDisplay, "from_predictions", curve_kwargs=looks)
        assert display.line_.get_alpha() == 0.8
        assert legend_texts(display) == [*label, "95 % confidence band (pointwise)"]


def test_no_legend_if_there_is_nothing_to_say():
    display = sk.ROCConfidenceDisplay(**POINTS).plot()
    assert display.ax_.get_legend() is None
    assert display.fill_between_ is None
    assert sk.ROCConfidenceDisplay(**POINTS, roc_auc=0.9).plot().line_.get_label() == "AUC = 0.90"
    assert sk.ROCConfidenceDisplay(**POINTS, roc_auc=0.8, name="mine").plot().line_.get_label() == "mine (AUC = 0.80)"
    assert sk.ROCConfidenceDisplay(**POINTS, name=["mine"]).plot(curve_kwargs=[{"lw": 3}]).line_.get_linewidth() == 3


def test_labels_of_several_curves():
    styles, ax = [{"c": "b"}, {"c": "r"}], plt.figure().subplots()
    for roc_auc, name, curve_kwargs, expected in (
        ([0.9, 0.8], None, None, ["AUC = 0.85 +/- 0.05", None]),
        ([0.9, 0.8], "mine", {"color": "red"}, ["mine (AUC = 0.85 +/- 0.05)", None]),
        ([0.8, 0.7], ["one", "two"], styles, ["one (AUC = 0.80)", "two (AUC = 0.70)"]),
        (None, ["one", "two"], styles, ["one", "two"]),
        (None, None, None, [None, None]),
        ([0.8, 0.7], None, styles, ["AUC = 0.80", "AUC = 0.70"]),
    ):
        curves = {name: [rates] * 2 for name, rates in POINTS.items()}
        display = sk.ROCConfidenceDisplay(**curves, roc_auc=roc_auc, name=name).plot(ax, curve_kwargs=curve_kwargs)
        labels = [line.get_label() for line in display.line_]
        assert [None if label.startswith("_") else label for label in labels] == expected


@pytest.mark.parametrize(
    ("n_tpr", "roc_auc", "name", "message"),
    [
        (1, None, None, "^self.fpr and self.tpr from `ROC.*` initialization, .* Got: self.fpr: 2, self.tpr: 1$"),
        (2, [0.8], None, "^self.fpr, self.tpr and self.roc_auc from .* self.tpr: 2, self.roc_auc: 1$"),
        (2, [0.8] * 2, ["x"] * 3, r"'name' \(or self.name\) from .* initialization \(or `plot`\), .*: 3$"),
    ],
)
def test_several_curves_are_lists_of_one_length(n_tpr, roc_auc, name, message):
    curve = np.array([0, 0.5, 1])
    with pytest.raises(ValueError, match=message):
        sk.ROCConfidenceDisplay(fpr=[curve] * 2, tpr=[curve] * n_tpr, roc_auc=roc_auc, name=name).plot()


def test_an_interval_holds_its_estimate_as_it_is_shown():
    for roc_auc, interval, shown in (
        (0.93, (0.9, 0.95), "0.93 [0.90, 0.95]"),
        (0.9996, (0.99, 0.99996), "0.99960 [0.99000, 0.99996]"),
        (0.004, (0.0, 0.02), "0.004 [0.000, 0.020]"),
        (0.985, (0.98, 0.9951), "0.985 [0.980, 0.995]"),
    ):
        display = sk.ROCConfidenceDisplay(**POINTS, roc_auc=roc_auc, roc_auc_interval=interval).plot()
        assert display.line_.get_label() == f"AUC = {shown}"


THREE, RED, LOOKS = ["one", "two", "three"], {"color": "red"}, [{"c": "r"}, {"c": "g"}, {"c": "y"}]


@pytest.mark.parametrize(
    ("name", "curve_kwargs"), [(None, None), ("single", RED), (None, LOOKS), (THREE, LOOKS), (THREE, RED)]
)
@single
def test_names_and_styles_of_folds(display_class, name, curve_kwargs):
    drawn = partial(display_class.from_cv_results, CV, X, Y, name=name, curve_kwargs=curve_kwargs)
    if isinstance(name, list) and not isinstance(curve_kwargs, list):
        with pytest.raises(ValueError, match="To avoid labeling individual curves"):
            drawn()
        return
    display = drawn()
    assert all(isinstance(line, Line2D) for line in display.line_)
    assert all(line.get_alpha() == 0.5 for line in display.line_)
    colors = [line.get_color() for line in display.line_]
    pooled = display.pooled.line_.get_color()
    given = [pooled] if curve_kwargs is None else [s.get("c", "red") for s in np.atleast_1d(curve_kwargs)]
    assert colors == (given * 3)[:3]
    labelled = [line for line in display.line_ if not line.get_label().startswith("_")]
    unnamed = display_class is sk.CostCurveDisplay and name is None
    assert legend_texts(display)[0] == display.pooled.line_.get_label()
    assert len(labelled) == (1 if not isinstance(curve_kwargs, list) else 0 if unnamed else 3)


@single
def test_what_a_cross_validation_must_bring(display_class):
    drawn = display_class.from_cv_results
    for key in ("estimator", "indices"):
        with pytest.raises(ValueError, match="`cv_results` does not contain one of the following required keys"):
            drawn({name: values for name, values in CV.items() if name != key}, X, Y)
    with pytest.raises(ValueError, match=r"`X` does not contain the correct number of samples. Expected 50, got 10"):
        drawn(CV, X[:10], Y)
    ordered = cross_validate(MODEL, X, Y, cv=TimeSeriesSplit(2), return_estimator=True, return_indices=True)
    with pytest.raises(ValueError, match="`X` does not contain the correct number of samples"):
        drawn(ordered, X, Y)
    with pytest.raises(ValueError, match="The target `y` is not binary"):
        drawn(CV, X, np.where(np.arange(50) == 0, 2, Y))
    for cases, options in (((X, Y[:10]), {}), ((X, Y), {"sample_weight": [1, 2]})):
        with pytest.raises(ValueError, match="Found input variables with inconsistent"):
            drawn(CV, *cases, **options)
    with pytest.raises(ValueError, match="`curve_kwargs` must be None, a dictionary or a list of length 3"):
        drawn(CV, X, Y, curve_kwargs=[{"alpha": 1}])
    with pytest.raises(ValueError, match="name must be a string or a list of length 3, got 2 names"):
        drawn(CV, X, Y, name=["one", "two"], curve_kwargs=[{}, {}, {}])
    with pytest.raises(TypeError, match="Got both 'c' and 'color'"):
        drawn(CV, X, Y, curve_kwargs={"c": "blue", "color": "red"})


SPLITTERS = [ShuffleSplit(3, test_size=0.5, random_state=0), RepeatedKFold(n_splits=2, n_repeats=2, random_state=0)]


@pytest.mark.parametrize(("display_class", "splitter"), [*zip(SINGLE, SPLITTERS, strict=True)])
def test_folds_that_share_cases_are_drawn_alone(display_class, splitter):
    repeated = cross_validate(MODEL, X, Y, cv=splitter, return_estimator=True, return_indices=True)
    display = display_class.from_cv_results(repeated, X, Y)
    assert len(display.line_) == len(repeated["estimator"])
    assert display.pooled is None
    assert display.fill_between_ is None
    model, test = repeated["estimator"][0], repeated["indices"]["test"][0]
    first = display_class.from_predictions(Y[test], model.predict_proba(X[test])[:, 1])
    if display_class is sk.ROCConfidenceDisplay:
        assert_allclose(display.line_[0].get_xydata(), first.line_.get_xydata(), rtol=1e-12)
    with pytest.raises(ValueError, match="that tests each case once"):
        display.plot(pooled_kwargs={"c": "red"})


@single
def test_leaving_one_out_gives_the_pooled_curve_alone(display_class):
    few = slice(0, 8)
    left = cross_validate(MODEL, X[few], Y[few], cv=LeaveOneOut(), return_estimator=True, return_indices=True)
    scores = [model.predict_proba(X[case : case + 1])[0, 1] for case, model in enumerate(left["estimator"])]
    display = display_class.from_cv_results(left, X[few], Y[few], pooled_kwargs={"c": "red"}, name="mine")
    expected = display_class.from_predictions(Y[few], scores)
    assert_array_equal(display.pooled.low, expected.low)
    assert display.line_ == []
    assert display.pooled.line_.get_color() == "red"
    assert legend_texts(display)[0].startswith("mine, pooled out-of-fold scores")


def test_the_style_of_a_pooled_curve_needs_one():
    for display_class in SINGLE:
        with pytest.raises(ValueError, match="pooled_kwargs needs a cross-validation"):
            drawn(display_class, "from_predictions").plot(pooled_kwargs={"color": "red"})
    both = {"c": "red", "color": "red"}
    for constructor, options in (
        ("from_cv_results", {"pooled_kwargs": both}),
        ("from_predictions", {"plot_chance_level": True, "chance_level_kw": both}),
    ):
        with pytest.raises(TypeError, match="Got both 'c' and 'color'"):
            draw(sk.ROCConfidenceDisplay, constructor, **options)


@pytest.mark.parametrize(("drop_intermediate", "score"), [(True, SCORE), (False, np.round(SCORE, 1))])
def test_vertices_are_those_of_scikit_learn(drop_intermediate, score):
    display = sk.ROCConfidenceDisplay.from_predictions(Y, score, drop_intermediate=drop_intermediate)
    assert_allclose([display.fpr, display.tpr], roc_curve(Y, score, drop_intermediate=drop_intermediate)[:2])


class OneColumn(ClassifierMixin, BaseEstimator):
    """A classifier whose scores are a column, as some libraries' are."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def decision_function(self, X):
        return np.asarray(X)[:, :1]


@pytest.mark.parametrize(("display_class", "pos_label"), [*zip([*SINGLE, Paired], [0, 1, 0], strict=True)])
def test_scores_may_be_a_column(display_class, pos_label):
    given = display_class.from_estimator(OneColumn().fit(X, Y), X, Y[:, None], pos_label=pos_label)
    sign = 1 if pos_label else -1
    expected = display_class.from_predictions(pd.DataFrame(Y), sign * X[:, :1], pos_label=pos_label)
    assert_array_equal(given.line_.get_xydata(), expected.line_.get_xydata())


@single
def test_folds_must_hold_both_classes_if_some_do(display_class):
    part = np.flatnonzero(Y == 1)
    folds = {"test": [np.arange(20), part], "train": [np.arange(30), np.flatnonzero(Y == 0)]}
    with pytest.raises(ValueError, match="every fold must contain both classes; the test part of fold 1 has one"):
        display_class.from_cv_results({"estimator": [MODEL, MODEL], "indices": folds}, X, Y)


@answered([("predict_proba", False, True), ("decision_function", True, False)])
def test_folds_and_their_scores_together(response_method, with_strings, weighted):
    y, pos_label, weights = labelled(with_strings, weighted)
    cv_results = cross_validate(LogisticRegression(), X, y, cv=3, return_estimator=True, return_indices=True)
    options = {"response_method": response_method, "sample_weight": weights, "pos_label": pos_label}
    roc = sk.ROCConfidenceDisplay.from_cv_results(cv_results, X, y, **options)
    cost = sk.CostCurveDisplay.from_cv_results(cv_results, X, y, thresholds=0.4, **options)
    pooled = np.full(len(y), np.nan)
    for fold, (model, test) in enumerate(zip(cv_results["estimator"], cv_results["indices"]["test"], strict=True)):
        pooled[test] = score = scores_of(model, response_method, X[test])
        sample = {"pos_label": pos_label, "sample_weight": None if weights is None else weights[test]}
        fpr, tpr, _ = roc_curve(y[test], score, **sample)
        assert_allclose([roc.fpr[fold], roc.tpr[fold]], [fpr, tpr])
        assert roc.roc_auc[fold] == pytest.approx(auc(fpr, tpr))
        assert_array_equal(cost.cost[fold], sk.bootstrap_cost(y[test], score, thresholds=0.4, **sample).estimate)
        assert_array_equal(cost.line_[fold].get_ydata(), cost.cost[fold])
    sample = {"pos_label": pos_label, "sample_weight": weights}
    band = sk.bootstrap_roc_at_fpr(y, pooled, fpr=roc.pooled.band_fpr, **sample).confidence_interval()
    assert_array_equal([roc.pooled.low, roc.pooled.high], band)
    expected = sk.bootstrap_cost(y, pooled, thresholds=0.4, **sample)
    assert_array_equal([cost.pooled.cost, cost.pooled.high], [expected.estimate, expected.confidence_interval().high])
    assert roc.line_[0].get_label() == f"AUC = {np.mean(roc.roc_auc):.2f} +/- {np.std(roc.roc_auc):.2f}"
    assert legend_texts(roc)[0].startswith(f"Pooled out-of-fold scores (AUC = {roc.pooled.roc_auc:.2f} [")
    assert legend_texts(cost)[:2] == ["Pooled out-of-fold scores", "3 folds"]


def test_the_positive_label_of_folds_is_that_of_the_models():
    cv_results = cross_validate(LogisticRegression(), X, LETTERS, cv=3, return_estimator=True, return_indices=True)
    for display_class in SINGLE:
        display = display_class.from_cv_results(cv_results, X, LETTERS)
        assert display.pos_label == display.pooled.pos_label == "c"
        assert display.ax_.get_xlabel().endswith("(Positive label: c)")
        assert drawn(display_class, "from_cv_results").pos_label == 1


CONSTRUCTORS = [(each, name) for each in DISPLAYS for name in dir(each) if re.match("from_(?!comparison)", name)]
DRAWN_OTHERWISE = {"name", "curve_kwargs"}  # of folds there may be lists, which ``plot`` takes


def described(function):
    """What a docstring says of each parameter that it describes itself."""
    text = getdoc(function).partition("Parameters\n----------\n")[2].partition("\n\nReturns")[0]
    entries = re.split(r"\n(?=\S)", text)
    found = {}
    for entry in entries:
        names, _, rest = entry.partition(" : ")
        found |= dict.fromkeys(names.split(", "), " ".join(rest.split()))
    return found


@pytest.mark.parametrize(("display", "constructor"), CONSTRUCTORS)
def test_constructors_have_the_options_of_plot_and_of_each_other_under_the_same_defaults(display, constructor):
    shown, drawing = (signature(getattr(display, name)).parameters for name in (constructor, "plot"))
    other = signature(display.from_predictions).parameters
    assert not any(each.kind is Parameter.VAR_KEYWORD for each in (*shown.values(), *drawing.values()))
    assert set(other) - {"y_true", "y_proba", "y_score", "y_score_a", "y_score_b", "y_scores"} <= set(shown)
    of_folds = {"pooled_kwargs"} if constructor != "from_cv_results" else set()
    assert set(drawing) - {"self", "name"} - of_folds <= set(shown)
    for name in drawing.keys() & shown.keys() - DRAWN_OTHERWISE:
        assert shown[name].default == drawing[name].default
        assert shown[name].annotation == drawing[name].annotation
    for name in other.keys() & shown.keys() - {"name_a", "name_b"}:
        assert shown[name].default == other[name].default
    assert set(described(getattr(display, constructor))) == set(shown)


PAIRS = [sk.PairedCostDifferenceDisplay]


def drawn_by_scores(display_class, **options):
    """A display of one model, two, or two that are compared."""
    if display_class is sk.ModelComparisonDisplay:
        return display_class.from_predictions(Y, {"a": SCORE, "b": SCORE**2}, **options)
    return display_class.from_predictions(Y, SCORE, *([SCORE**2] if display_class in PAIRS else []), **options)


@pytest.mark.parametrize(("place", "display_class"), [*enumerate(DISPLAYS)])
def test_what_cannot_be_drawn_on_is_refused_with_the_way_out(place, display_class):
    figure, ax = plt.subplots()
    wrong = (
        ("x", "got 'x'"),
        (figure, r"got a Figure. Axes of a figure are ax=figure.subplots\(\)"),
        ((figure, ax), r"got a tuple. plt.subplots\(\) returns a figure and its axes: .* pass ax"),
        (np.array([ax, ax]), r"got a ndarray. Pass one of them, such as ax=axes\[0\]"),
        ([ax], r"got a list. Pass one of them"),
        ([], "got a list"),
    )
    given, got = wrong[place % len(wrong)]
    with pytest.raises(TypeError, match=f"ax must be a matplotlib Axes.*, or None for a new figure, {got}"):
        drawn_by_scores(display_class, ax=given)


@pytest.mark.parametrize("display_class", sorted({*DISPLAYS} - {sk.ModelComparisonDisplay}, key=str))
def test_names_are_texts(display_class):
    option = "name_b" if display_class in PAIRS else "name"
    for given in (np.nan, ("mine",)):
        with pytest.raises(TypeError, match=f"{option} must be a string, got "):
            drawn_by_scores(display_class, **{option: given})


@pytest.mark.parametrize("display_class", DISPLAYS)
def test_a_class_is_no_model(display_class):
    made_of = getattr(display_class, "from_estimator", None) or display_class.from_estimators
    passed = r"the class LogisticRegression: pass LogisticRegression\(\)"
    for given, got in ((LogisticRegression, passed), (SCORE[:1], "array")):
        models = (MODEL, given) if display_class in PAIRS else (given,)
        models = ({"a": MODEL, "b": given},) if display_class is sk.ModelComparisonDisplay else models
        with pytest.raises(TypeError, match=rf"estimator.* must be a fitted classifier, got {got}"):
            made_of(*models, X, Y)


@single
def test_what_is_no_cross_validation_is_refused(display_class):
    for given in (3, None, [], "x"):
        with pytest.raises(TypeError, match="cv_results must be the dictionary that cross_validate returns, got"):
            display_class.from_cv_results(given, X, Y)
    said = "cv_results must contain as many estimators as there are splits in its indices"
    for given in (
        *({"estimator": 3}, {"estimator": CV["estimator"][:2]}, {"indices": 3}),
        {"indices": {"test": CV["indices"]["test"]}},
        {"indices": {"test": [], "train": []}, "estimator": []},
    ):
        with pytest.raises(ValueError, match=said):
            display_class.from_cv_results({**CV, **given}, X, Y)


def test_options_that_were_met_too_late_are_refused():
    drawn = sk.MetricThresholdDisplay.from_predictions
    for given, message in ((3, "metrics must be a name"), ([], "metrics must name at least one metric")):
        with pytest.raises((TypeError, ValueError), match=message):
            drawn(Y, SCORE, metrics=given)
    for given in ("x", [1, 2]):
        with pytest.raises(TypeError, match=r"chosen must be a number in \(-inf, inf\), got"):
            drawn(Y, SCORE, chosen=given)
    with pytest.raises(TypeError, match="comparison must come from compare_models or compare_groups, got 3"):
        sk.ModelComparisonDisplay.from_comparison(3)
    with pytest.raises(TypeError, match="estimators must be a mapping of names to fitted classifiers"):
        sk.ModelComparisonDisplay.from_estimators([MODEL], X, Y)


def test_a_roc_curve_of_groups_says_which_limits_there_are():
    sample = {"groups": np.arange(50) // 2}
    for options in ({}, {"averaging": "positive_rate"}):
        with pytest.raises(ValueError, match="with groups a simultaneous band needs averaging='threshold'"):
            draw(sk.ROCConfidenceDisplay, "from_predictions", band="simultaneous", **options, **sample)
    with pytest.raises(ValueError, match="groups and together='mean' cannot be combined"):
        draw(sk.ROCConfidenceDisplay, "from_cv_results", together="mean", **sample)
    for options in (
        *({}, {"averaging": "threshold"}, {"averaging": "positive_rate"}, {"band": None}),
        *({"operating_point": {"tpr": 0.9}}, {"operating_point": {"fpr": 0.1}}),
    ):
        assert draw(sk.ROCConfidenceDisplay, "from_predictions", **options, **sample).line_ is not None
