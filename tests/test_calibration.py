"""Calibration: the band at every probability at once, the diagonal's p-value, averages and bins."""

import itertools
import re
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import beta, binom
from sklearn.calibration import calibration_curve
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

import skcostci as sk

FOUR = ([0, 0, 1, 1], [0.1, 0.2, 0.3, 0.4])
RANDOM = np.random.default_rng(0)
P = RANDOM.beta(1, 3, 200)
Y = (RANDOM.random(200) < P).astype(int)


def band(y_true, y_proba, level=0.95):
    """The limits, also where they say that the chance falls."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return sk.bootstrap_calibration(y_true, y_proba).confidence_band(level)


def slow_band(y_true, y_proba, alpha):
    """By the definition: every interval of a case count in the family, its limits wherever they hold."""
    order = np.argsort(y_proba, kind="stable")
    y, x = np.asarray(y_true)[order], np.asarray(y_proba)[order]
    n, length, found = len(y), 1, set()
    while length <= n:
        for start in range(0, n - length + 1, max(length // 4, 1)):
            ends = x[start], x[start + length - 1]
            found.add(ends)
        length = max(length + 1, int(1.25 * length))
    points = np.unique(x)
    low, high = np.zeros(len(points)), np.ones(len(points))
    for first, last in found:
        inside = (x >= first) & (x <= last)
        s, size = int(y[inside].sum()), int(inside.sum())
        delta = alpha / (2 * len(found))
        lower = beta.ppf(delta, s, size - s + 1) if s else 0.0
        upper = beta.isf(delta, s + 1, size - s) if s < size else 1.0
        low = np.where(points >= last, np.maximum(low, lower), low)
        high = np.where(points <= first, np.minimum(high, upper), high)
    return low, high


def test_reference_values():
    """Ten intervals: .05 / 20 for each limit, and the two ends are the square roots of that."""
    low, high = band(*FOUR)
    assert_allclose([low[-1], high[0]], [0.05, 0.95], rtol=1e-12)
    assert_allclose([low[-2], high[1]], [0.0025, 0.9975], rtol=1e-12)


@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 8)), min_size=1, max_size=30),
    st.sampled_from([0.5, 0.1, 0.01]),
)
def test_the_band_is_that_of_its_definition(cases, alpha):
    y, x = np.array(cases).T
    assert_allclose(band(y, x / 8, 1 - alpha), slow_band(y, x / 8, alpha), rtol=1e-9, atol=1e-12)


SHAPES = {
    "calibrated": lambda x: x,
    "rare": lambda x: x / 20,
    "squares": lambda x: x**2,
    "roots": lambda x: x**0.5,
    "flat": lambda x: np.full(len(x), 0.3),
    "step": lambda x: np.where(x > 0.5, 0.9, 0.1),
    "steep": lambda x: 1 / (1 + np.exp(-20 * (x - 0.5))),
    "never": lambda x: 0 * x,
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=list(SHAPES))
def test_the_whole_band_covers_every_shape(shape):
    generator, held = np.random.default_rng(1), 0
    for run, n in itertools.product(range(60), (20, 100)):
        x = generator.random(n) if run % 2 else generator.integers(0, 9, n) / 8
        y = (generator.random(n) < shape(x)).astype(int)
        low, high = band(y, x, 0.9)
        truth = shape(np.unique(x))
        held += bool(((low <= truth) & (truth <= high)).all())
    assert held / 120 >= 0.95


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 8)), min_size=1, max_size=25))
def test_the_pvalue_is_where_the_band_leaves_out_the_diagonal(cases):
    y, x = np.array(cases).T
    p, points = sk.bootstrap_calibration(y, x / 8).pvalue(), np.unique(x / 8)
    assert 0 <= p <= 1
    for alpha, inside in ((p * (1 - 1e-6), True), (p * (1 + 1e-6), False)):
        if 1e-10 < alpha < 1:
            low, high = band(y, x / 8, 1 - alpha)
            assert ((low <= points) & (points <= high)).all() == inside


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 8)), min_size=1, max_size=25))
def test_each_side_of_the_diagonal_by_itself_has_half_the_pvalue(cases):
    y, x = np.array(cases).T
    result = sk.bootstrap_calibration(y, x / 8)
    greater, less = (result.pvalue(side) for side in ("greater", "less"))
    assert result.pvalue() == min(1, 2 * min(greater, less))
    points = np.unique(x / 8)
    low, high = band(y, x / 8, 0.9)
    assert (greater < 0.05, less < 0.05) == ((low > points).any(), (high < points).any())


def test_the_diagonal_is_the_null_and_the_band_the_method():
    result = sk.bootstrap_calibration(Y, P)
    assert result.pvalue(method="clopper_pearson") == result.pvalue()
    with pytest.raises(ValueError, match=r"null must be None, got 0.5.*in_the_large and observed_expected"):
        result.pvalue(null=0.5)
    with pytest.raises(ValueError, match=r"method must be one of 'clopper_pearson', got 'wald'"):
        result.pvalue(method="wald")


def test_true_probabilities_are_seldom_refused_and_wrong_ones_often():
    generator, refused = np.random.default_rng(2), np.zeros(2)
    for _ in range(100):
        p = generator.random(300)
        y = (generator.random(300) < p).astype(int)
        refused += [sk.bootstrap_calibration(y, each).pvalue() < 0.05 for each in (p, p**3)]
    assert refused[0] <= 5
    assert refused[1] == 100


def test_an_impossible_event_that_happened_has_no_doubt():
    assert sk.bootstrap_calibration([0, 1, 0], [0.0, 0.0, 0.5]).pvalue() == 0.0


def test_a_chance_that_falls_is_said():
    result = sk.bootstrap_calibration(1 - Y, P)
    assert result.pvalue() < 1e-10
    falling = sk.bootstrap_calibration(np.repeat([1, 0], 100), np.arange(200) / 200)
    with pytest.warns(UserWarning, match=r"At \d+ of 200 probabilities the lower limit is above the upper one"):
        falling.confidence_band()


@pytest.mark.parametrize("n", [20_000, 100_000])
def test_many_cases_are_quick_and_their_bands_narrow(n):
    p = np.random.default_rng(3).random(n)
    y = (np.random.default_rng(4).random(n) < p).astype(int)
    low, high = band(y, p)
    assert ((low <= np.unique(p)) & (np.unique(p) <= high)).all()
    assert (high - low).mean() < 20 * n ** (-1 / 3) / 3


def test_the_estimate_is_isotonic_regression():
    result = sk.bootstrap_calibration(Y, np.round(P, 2), sample_weight=1 + Y)
    expected = IsotonicRegression().fit(np.round(P, 2), Y, sample_weight=1 + Y).predict(result.proba)
    assert_allclose(result.estimate, expected, atol=1e-12)
    assert (np.diff(result.estimate) >= 0).all()
    assert_array_equal(result.proba, np.unique(np.round(P, 2)))


def test_averages_are_means_and_ratios_of_the_cases():
    result = sk.bootstrap_calibration(Y, P)
    difference = sk.bootstrap_mean_difference(Y, P)
    assert result.in_the_large.estimate == pytest.approx(np.mean(Y - P))
    assert result.in_the_large.standard_error == pytest.approx(difference.standard_error)
    low, high = result.in_the_large.confidence_interval()
    assert low < difference.confidence_interval().low < difference.confidence_interval().high <= high
    ratio = sk.bootstrap_ratio(Y, P, numerator_range=(0, 1))
    assert result.observed_expected.estimate == pytest.approx(Y.sum() / P.sum())
    assert_allclose(result.observed_expected.confidence_interval(), ratio.confidence_interval(), rtol=1e-9)
    assert "observed/expected" in repr(result)


def test_where_nothing_is_expected_there_is_no_ratio():
    result = sk.bootstrap_calibration([0, 0, 0], [0.0, 0.0, 0.0])
    assert "no event expected" in repr(result)
    with pytest.raises(ValueError, match="observed_expected has no value: every probability is 0"):
        _ = result.observed_expected
    assert_allclose(result.confidence_band(), [[0.0], [1 - 0.025 ** (1 / 3)]])


@pytest.mark.parametrize("strategy", ["uniform", "quantile"])
@pytest.mark.parametrize("n_bins", [1, 3, 5, 40])
@pytest.mark.parametrize("weighted", [False, True])
def test_bins_are_scikit_learns(strategy, n_bins, weighted):
    weights = np.arange(200) % 3 if weighted else np.ones(200, int)
    rows = np.repeat(np.arange(200), weights)
    expected = calibration_curve(Y[rows], P[rows], n_bins=n_bins, strategy=strategy)
    bins = sk.bootstrap_calibration(Y, P, sample_weight=weights).bins(n_bins, strategy=strategy)
    assert_allclose((bins.prob_true, bins.prob_pred), expected, rtol=1e-10, atol=1e-12)
    assert bins.cases.sum() == len(rows)


def test_limits_of_bins_hold_in_all_of_them():
    bins = sk.bootstrap_calibration(Y, P).bins(4, confidence_level=0.9)
    each, events = (1 - 0.9**0.25) / 2, np.rint(bins.prob_true * bins.cases)
    assert_allclose(binom.sf(events[events > 0] - 1, bins.cases[events > 0], bins.low[events > 0]), each, rtol=1e-9)
    assert_allclose(binom.cdf(events, bins.cases, bins.high), each, rtol=1e-9)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: sk.bootstrap_calibration([0, 1], [0.5, 1.2]),
            r"y_proba must hold probabilities, in \[0, 1\], got 1.2",
        ),
        (lambda: sk.bootstrap_calibration([0, 1, 2], [0.5, 0.2, 0.1]), "y_true must be binary"),
        (lambda: sk.bootstrap_calibration([0, 1], [0.5, np.nan]), "y_proba must be finite"),
        (lambda: sk.bootstrap_calibration([0, 1], [[0.5, 0.5], [0.2, 0.8]]), "y_proba must be one-dimensional"),
        (lambda: sk.bootstrap_calibration([0, 1], [0.5]), "y_true and y_proba must have the same length"),
        (lambda: sk.bootstrap_calibration(*FOUR).bins(0), "n_bins must be a whole number, from 1"),
        (
            lambda: sk.bootstrap_calibration(*FOUR).bins(strategy="equal"),
            "strategy must be one of 'uniform', 'quantile'",
        ),
        (
            lambda: sk.bootstrap_calibration(*FOUR).confidence_band(95),
            "confidence_level must lie strictly between 0 and 1",
        ),
    ],
)
def test_refusals_say_what_came(call, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call()


def test_it_prints_and_tabulates():
    result = sk.bootstrap_calibration(Y, P)
    frame = result.to_frame(0.8)
    about = ["statistic", "confidence_level", "method"]
    assert list(frame) == ["proba", "estimate", "cases", "low", "high", *about]
    assert frame[about].drop_duplicates().values.tolist() == [["calibration", 0.8, "clopper_pearson"]]
    assert_array_equal(frame[["low", "high"]].T, result.confidence_band(0.8))
    assert re.search("for all probabilities at once", result._repr_html_())


# --- the picture


def drawn(y_true=Y, y_proba=P, **options):
    """On axes of their own."""
    return sk.CalibrationConfidenceDisplay.from_predictions(y_true, y_proba, **{"ax": Figure().subplots(), **options})


def test_the_picture_has_the_numbers():
    display, result = (
        drawn(confidence_level=0.9, sample_weight=1 + Y),
        sk.bootstrap_calibration(Y, P, sample_weight=1 + Y),
    )
    assert_array_equal(display.estimate, result.estimate)
    assert_array_equal([display.low, display.high], result.confidence_band(0.9))
    assert_array_equal(display.cases, result.cases)
    assert display.ax_.get_xlabel() == "Predicted risk"
    x, y = display.line_.get_data()
    assert_allclose(np.interp(result.proba, x, y), result.estimate, atol=1e-12)


def test_the_shaded_band_is_a_step_between_risks_and_holds_the_limits():
    """Just after a risk the lower limit is its own, the upper one that of the next."""
    display = drawn(*FOUR)
    path = display.fill_between_.get_paths()[0]
    for x, low, high in ((0.15, 0.0, 0.9975), (0.35, 0.0025, 1.0), (0.45, 0.05, 1.0)):
        edge = [path.contains_point((x, y)) for y in np.linspace(0, 1, 2001)]
        inside = np.linspace(0, 1, 2001)[edge]
        assert low - 0.002 <= inside.min() <= low + 0.001
        assert high - 0.001 <= inside.max() <= high + 0.002


def test_the_caption_says_what_is_taken_for_granted():
    display = drawn(name="Model")
    drawn(y_proba=P**2, name="Other", ax=display.ax_)
    texts = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    band = "95 % confidence band (simultaneous)"
    assert texts == ["Model (isotonic)", "Other (isotonic)", band, "Perfectly calibrated"]
    assumed = "at all risks at once, if risk does not fall with the score"
    assert display.caption == f"{band} of the chance of an event {assumed}, Clopper-Pearson"


@pytest.mark.parametrize("size", [(6.4, 4.8), (3.6, 3.0)])
def test_the_legend_is_above_all_that_is_drawn_however_many_displays_there_are(size):
    ax = Figure(figsize=size).subplots()
    drawn(ax=ax)
    room = ax.get_ylim()
    drawn(ax=ax, name="Classifier")
    assert ax.get_ylim()[1] < 1.2 * room[1]
    assert ax.get_ylim()[0] == pytest.approx(room[0])
    assert (min(ax.get_yticks()), max(ax.get_yticks())) == pytest.approx((0, 1))
    ax.figure.draw_without_rendering()
    legend = ax.get_legend().get_window_extent()
    assert legend.y0 > ax.transData.transform((0, 1))[1]
    assert legend.y1 <= ax.get_window_extent().y1


def test_axes_end_where_risks_do():
    assert drawn().ax_.get_xlim() == (0.0, 1.0)
    rare = drawn(y_proba=P / 10)
    assert rare.ax_.get_xlim() == (0.0, P.max() / 10)
    assert max(rare.ax_.get_yticks()) <= 1 + 1e-12  # above is the legend
    assert min(rare.ax_.get_yticks()) == 0
    drawn(ax=rare.ax_)
    assert rare.ax_.get_xlim() == (0.0, 1.0)


def test_what_is_not_wanted_is_not_drawn():
    plain = drawn(ref_line=False, despine=True, curve_kwargs={"c": "red"}, fill_between_kwargs={"hatch": "/"})
    assert plain.chance_level_ is None
    assert not plain.ax_.spines["top"].get_visible()
    assert plain.line_.get_color() == "red"
    assert plain.fill_between_.get_hatch() == "/"
    bare = sk.CalibrationConfidenceDisplay(proba=np.array([0.2, 0.8]), estimate=np.array([0.1, 0.9]))
    bare.plot(Figure().subplots())
    assert bare.fill_between_ is None
    assert bare.histogram_ is None
    assert bare.line_.get_label() == "Isotonic estimate"


def test_an_estimator_is_asked_for_its_probabilities():
    X = np.column_stack([P, Y])
    model = LogisticRegression().fit(X, np.where(Y, "ill", "well"))
    display = sk.CalibrationConfidenceDisplay.from_estimator(
        model, X, np.where(Y, "ill", "well"), pos_label="ill", ax=Figure().subplots()
    )
    expected = sk.bootstrap_calibration(Y, model.predict_proba(X)[:, 0])
    assert_array_equal(display.estimate, expected.estimate)
    assert display.ax_.get_xlabel() == "Predicted risk (Positive label: ill)"
    with pytest.raises(AttributeError, match="predict_proba"):
        sk.CalibrationConfidenceDisplay.from_estimator(LinearSVC().fit(X, Y), X, Y)
    with pytest.raises(ValueError, match="Got 3 classes instead"):
        sk.CalibrationConfidenceDisplay.from_estimator(GaussianNB().fit(X, np.arange(200) % 3), X, Y)
