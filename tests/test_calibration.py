"""Calibration: the band at every probability at once, the diagonal's p-value, averages and bins."""

import itertools
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize_scalar
from scipy.special import expit, logit
from scipy.stats import beta, binom, f, t
from sklearn.calibration import calibration_curve
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from strategies import per_cent

import skcostci as sk

bootstrap = sk.bootstrap_calibration
FOUR = ([0, 0, 1, 1], [0.1, 0.2, 0.3, 0.4])
RANDOM = np.random.default_rng(0)
P = RANDOM.beta(1, 3, 200)
Y = (RANDOM.random(200) < P).astype(int)


def band(y_true, y_proba, level=0.95):
    """The limits, also where they say that the chance falls."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return bootstrap(y_true, y_proba).confidence_band(level)


def slow_band(y_true, y_proba, alpha):
    """By the definition: intervals of lengths n / 1.5^l with shares of alpha, and their limits wherever they hold."""
    order = np.argsort(y_proba, kind="stable")
    y, x = np.asarray(y_true)[order], np.asarray(y_proba)[order]
    n, points, seen, levels = len(y), np.unique(x), set(), []
    for place in range(100):
        length = n / 1.5**place
        if length < 4 and place:
            break
        k = round(length)
        starts = [*range(0, n - k + 1, max(k // 4, 1)), n - k]
        new = sorted({(x[start], x[start + k - 1]) for start in starts} - seen)
        seen |= set(new)
        if new:
            levels.append((1 / (1 + np.log2(length / (1.5 * n ** (2 / 3))) ** 2), new))
    low, high = np.zeros(len(points)), np.ones(len(points))
    for share, intervals in levels:
        for first, last in intervals:
            inside = (x >= first) & (x <= last)
            s, size = int(y[inside].sum()), int(inside.sum())
            delta = alpha / 2 * share / sum(each for each, _ in levels) / len(intervals)
            lower = beta.ppf(delta, s, size - s + 1) if s else 0.0
            upper = beta.isf(delta, s + 1, size - s) if s < size else 1.0
            low = np.where(points >= last, np.maximum(low, lower), low)
            high = np.where(points <= first, np.minimum(high, upper), high)
    return low, high


FORTY = (np.arange(1, 41) - 0.5) / 40
OF_FORTY = ((7 * np.arange(40)) % 40 < 40 * FORTY**2).astype(int)  # 14 events
FOURS = np.tile([0.01, 0.03, 0.08, 0.2], 25)
OF_FOURS = (np.arange(100) % 11 == 3).astype(int)  # 9 events
SIX = ([0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.4, 0.6, 0.9])


@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 8)), min_size=1, max_size=30),
    st.sampled_from([0.5, 0.1, 0.01]),
)
@per_cent(40)
def test_the_band_is_that_of_its_definition(cases, alpha):
    y, x = np.array(cases).T
    assert_allclose(band(y, x / 8, 1 - alpha), slow_band(y, x / 8, alpha), rtol=1e-9, atol=1e-12)


SHAPES = {
    "calibrated": lambda x: x,
    "rare": lambda x: x / 20,
    "squares": lambda x: x**2,
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


def pvalue(y_true, y_proba, **belonging):
    return bootstrap(y_true, y_proba, **belonging).pvalue()


def test_reference_values_of_the_pvalue():
    assert pvalue([0, 1, 0], [0.0, 0.0, 0.5]) == 0.0  # an impossible event that happened
    assert_allclose(pvalue(*FOUR), 0.1972, rtol=1e-12)
    assert_allclose(pvalue(np.ones(20, int), np.full(20, 0.5)), 2.0**-19, rtol=1e-12)
    assert_allclose(pvalue(OF_FORTY, FORTY), 0.0735456491, rtol=1e-9)
    assert_allclose(pvalue(OF_FOURS, FOURS), 0.0113094404, rtol=1e-8)


RIGHT = {
    "even": np.arange(1, 7) / 7,
    "grades": np.repeat([0.05, 0.3, 0.6], 2),
    "extremes": np.array([0.001, 0.02, 0.1, 0.1, 0.5, 0.99, 1.0]),
    "one case": np.array([0.5]),
}


@pytest.mark.parametrize("risks", RIGHT.values(), ids=RIGHT)
def test_right_risks_are_rejected_no_more_often_than_said(risks):
    """Of all outcomes, each with its chance."""
    outcomes = np.array(list(itertools.product([0, 1], repeat=len(risks))))
    chances = np.where(outcomes == 1, risks, 1 - risks).prod(axis=1)
    found = np.array([pvalue(y, risks) for y in outcomes[chances > 0]])
    chances = chances[chances > 0]
    for level in np.unique(found):
        assert chances[found <= level].sum() <= level * (1 + 1e-9)


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 8), st.integers(1, 4)), min_size=1, max_size=25))
@per_cent(25)
def test_a_weight_is_so_many_cases_and_the_other_class_has_the_same_pvalue(cases):
    y, x, weights = np.array(cases).T
    found = pvalue(y, x / 8, sample_weight=weights)
    assert 0 <= found <= 1
    assert_allclose(pvalue(np.repeat(y, weights), np.repeat(x / 8, weights)), found, rtol=1e-10)
    assert_allclose(found, pvalue(1 - y, 1 - x / 8, sample_weight=weights), rtol=0.35, atol=1e-6)


def test_where_risks_are_wrong_is_named():
    rng = np.random.default_rng(5)
    p = rng.random(1200)
    y = (rng.random(1200) < np.where((p > 0.5) & (p < 0.75), np.minimum(p + 0.2, 1), p)).astype(int)
    result = bootstrap(y, p)
    named = result.where()
    assert named
    assert named[0].pvalue == min(each.pvalue for each in named)
    for low, high, direction, adjusted in named:
        assert direction == "more"
        assert low < 0.75
        assert high > 0.5
        assert result.pvalue() <= adjusted <= 0.05
    assert any(each.low > 0.4 and each.high < 0.8 for each in named)
    assert str(named[0]).startswith("risks from ")
    assert len(result.where(0.999)) < len(named)
    assert bootstrap((rng.random(1200) < p).astype(int), p).where() == []


def test_groups_have_a_test_of_their_sums():
    rng, rejected, groups = np.random.default_rng(8), 0, np.repeat(np.arange(30), 6)
    nodes, weights = np.polynomial.hermite_e.hermegauss(40)
    for _ in range(200):
        shift, x = np.repeat(rng.normal(0, 0.8, 30), 6), rng.normal(-0.5, 1, 180)
        chance = expit(x + shift)
        y = (rng.random(180) < chance).astype(int)
        marginal = expit(x[:, None] + 0.8 * nodes) @ weights / weights.sum()
        rejected += pvalue(y, marginal, groups=groups) < 0.05
    assert rejected <= 24  # .05 of 200 by chance in .97 of such tests is 16, to first order in 30 groups
    wrong = bootstrap(y, chance**2, groups=groups)
    assert wrong.pvalue(method="hotelling") < 0.01
    near = np.tanh(x)  # no logit so far out that it is drawn in
    sums = np.array([np.bincount(groups, (y - expit(near)) * each) for each in (np.ones(180), near)])
    square = 30 * sums.mean(axis=1) @ np.linalg.solve(np.cov(sums), sums.mean(axis=1))
    assert pvalue(y, expit(near), groups=groups) == pytest.approx(f.sf(28 / (2 * 29) * square, 2, 28), rel=1e-9)
    with pytest.raises(ValueError, match="at least 8 groups, got 5"):
        pvalue(y, chance, groups=np.arange(180) % 5)
    with pytest.raises(ValueError, match="where needs independent cases"):
        wrong.where()
    assert wrong.slope.methods[0] == wrong.intercept.methods[0] == "extrapolated"
    assert wrong.recalibration.n_groups == 30


def test_slope_and_intercept_are_those_of_logistic_regression():
    """statsmodels 0.14: GLM(y, [1, logit p], Binomial()); with offset logit p for the intercept given slope 1."""
    for data, joint, given_slope in (
        ((OF_FORTY, FORTY), (-0.8443293482, 0.8200077153), -0.9252894230),
        ((OF_FOURS, FOURS), (-1.9154746516, 0.1375284537), 0.1396345807),
        (SIX, (1.2285237325, 2.1702243294), 0.4695330711),
    ):
        result = bootstrap(*data)
        assert_allclose(result.recalibration.estimate, joint, rtol=1e-9)
        assert_allclose(result.slope.estimate, joint[1], rtol=1e-9)
        assert_allclose(result.intercept.estimate, given_slope, rtol=1e-9)
    exact = bootstrap(OF_FORTY, FORTY).intercept.confidence_interval()
    assert_allclose(exact, (-1.8178755365, -0.0725888957), atol=1e-9)
    exact = bootstrap(OF_FOURS, FOURS).intercept.confidence_interval()
    assert_allclose(exact, (-0.7049202705, 0.8650164701), atol=1e-9)


def of_forty():
    """What calibration says of forty cases, the fitted chances, and the inverse of the information, by hand."""
    x = np.column_stack([np.ones(40), logit(FORTY)])
    result = bootstrap(OF_FORTY, FORTY)
    m = expit(x @ result.recalibration.estimate)
    inverse = np.linalg.inv(x.T @ (x * (m * (1 - m))[:, None]))
    return result, x, m, inverse, np.einsum("ij,jk,ik->i", x, inverse, x)


def test_the_slope_has_the_larger_of_two_standard_errors():
    result, x, m, inverse, spread = of_forty()
    hc3 = inverse @ (x.T * ((OF_FORTY - m) / (1 - m * (1 - m) * spread)) ** 2) @ x @ inverse
    error = np.sqrt(np.maximum(np.diag(inverse), np.diag(hc3)))
    assert_allclose(result.recalibration.standard_error, error, rtol=1e-8)
    half = error[1] * t.ppf(0.975, 38)
    assert_allclose(result.slope.confidence_interval(), result.slope.estimate + half * np.array([-1, 1]), rtol=1e-8)
    assert_allclose(result.slope.pvalue(), 2 * t.sf(abs(result.slope.estimate - 1) / error[1], 38), rtol=1e-6)
    assert_allclose(result.recalibration.pvalue()[1], result.slope.pvalue(), rtol=1e-9)


def test_the_intercept_of_many_cases_is_that_of_the_exact_distribution():
    rng = np.random.default_rng(3)
    p = np.maximum(np.round(rng.beta(1, 4, 2001), 1), 0.05)
    y = (rng.random(2001) < p).astype(int)
    many, fewer = bootstrap(y, p).intercept, bootstrap(y[1:], p[1:]).intercept
    width = np.diff(fewer.confidence_interval())[0]
    one = abs(many.estimate - fewer.estimate)
    assert_allclose(many.confidence_interval(), fewer.confidence_interval(), atol=2 * one + 2e-3 * width)


def test_classes_that_do_not_overlap_have_an_infinite_slope():
    up = bootstrap(*FOUR).slope
    assert up.estimate == np.inf
    low, high = up.confidence_interval()
    assert 0 < low < 1
    assert high == np.inf
    assert_allclose(2 * -profile(low, *FOUR), 1.959963984540054**2, rtol=1e-6)
    down = bootstrap([1, 1, 0, 0], FOUR[1]).slope
    assert_allclose(down.confidence_interval(), (-np.inf, -low), rtol=1e-6)
    assert not np.any(bootstrap(*FOUR).recalibration.defined)
    one = bootstrap([1, 1], [0.5, 0.6])
    assert not one.slope.defined
    assert "events only" in repr(one.slope)
    assert one.intercept.confidence_interval().high == np.inf


def profile(b, y, p):
    """The largest log likelihood at a slope."""
    y, x = np.array(y), logit(np.array(p))
    return -minimize_scalar(lambda a: np.logaddexp(0, a + b * x).sum() - y @ (a + b * x)).fun


STEPS = np.round(np.clip(expit(1.5 * logit(np.clip(P, 0.01, 0.99))), 0, 1) * 20) / 20  # a fifth of them are 0, some 1
STEPS[:4] = 1
INSIDE = (STEPS > 0) & (STEPS < 1)
PEOPLE = np.arange(200) // 4


@pytest.mark.parametrize("rows", [{}, {"groups": PEOPLE}, {"sample_weight": np.arange(200) % 3}], ids=str)
def test_risks_of_0_and_1_are_left_out_of_what_needs_logits(rows):
    whole = bootstrap(Y, STEPS, **rows)
    inside = bootstrap(Y[INSIDE], STEPS[INSIDE], **{name: each[INSIDE] for name, each in rows.items()})
    n = (~INSIDE).sum() if "sample_weight" not in rows else rows["sample_weight"][~INSIDE].sum()
    for coefficient in ("slope", "intercept", "recalibration"):
        expected = getattr(inside, coefficient)
        with pytest.warns(UserWarning, match=rf"exactly 0 or 1 .*\({n} of .*left out") as caught:
            found = getattr(whole, coefficient)
        assert caught[0].filename == __file__
        assert found.left_out == whole.left_out == n
        assert expected.left_out == 0
        assert_allclose(found.estimate, expected.estimate, rtol=1e-12)
        assert_allclose(found.confidence_interval(), expected.confidence_interval(), rtol=1e-12)
        assert f"without {n} cases with risks of 0 or 1" in repr(found)
        assert f"without {n} cases with risks of 0 or 1" in found._repr_html_()
        assert "risks of 0 or 1" not in repr(expected)
    assert f"{n} with risks of 0 or 1" in repr(whole)
    assert "risks of 0 or 1" not in repr(inside)


def test_the_logistic_band_leaves_out_risks_of_0_and_1():
    expected = bootstrap(Y[INSIDE], STEPS[INSIDE]).confidence_band(method="logistic")
    with pytest.warns(UserWarning, match="exactly 0 or 1"):
        low, high = bootstrap(Y, STEPS).confidence_band(method="logistic")
    assert_allclose((low[1:-1], high[1:-1]), expected, rtol=1e-12)
    assert low[[0, -1]].tolist() == [0, 0]
    assert high[[0, -1]].tolist() == [1, 1]
    with pytest.warns(UserWarning, match="exactly 0 or 1"):
        display = drawn(Y, STEPS, band="logistic")
    assert f"without {(~INSIDE).sum()} cases with risks of 0 or 1" in display.caption
    assert_allclose(display.fill_between_.get_paths()[0].vertices[:, 0].max(), STEPS[INSIDE].max())
    assert "without" not in drawn(Y, STEPS).caption


def test_risks_that_are_all_0_or_1_have_no_slope():
    found = bootstrap([0, 1, 0, 1], [0, 0, 1, 1])
    with pytest.warns(UserWarning, match="4 of 4"):
        of_logits = found.slope, found.intercept, found.recalibration
    for each in of_logits:
        assert np.isnan(each.estimate).all()
        assert "all risks are 0 or 1" in repr(each)
        assert each.left_out == 4
    with pytest.raises(ValueError, match="two groups or more with risks between 0 and 1"):
        bootstrap([0, 1, 0, 1], [0, 0.5, 0.4, 1], groups=[0, 1, 1, 2]).slope  # noqa: B018


def test_risks_near_0_are_taken_as_they_are():
    tiny = np.where(np.arange(200) < 20, 1e-30, P)
    found = bootstrap(Y, tiny)
    a, b = found.recalibration.estimate
    m = expit(a + b * logit(tiny))
    assert_allclose([(Y - m).sum(), (Y - m) @ logit(tiny)], 0, atol=1e-7)


def test_the_logistic_band_is_scheffes():
    result, _, m, _, spread = of_forty()
    half = np.sqrt(5.9914645471 * spread)
    limits = result.confidence_band(method="logistic")
    assert_allclose(logit(limits), [logit(m) - half, logit(m) + half], rtol=1e-8)
    frame = result.to_frame(0.8, method="logistic")
    assert_array_equal(frame[["low", "high"]].T, result.confidence_band(0.8, method="logistic"))


def test_a_chance_that_falls_is_said():
    result = bootstrap(1 - Y, P)
    assert result.pvalue() < 1e-10
    falling = bootstrap(np.repeat([1, 0], 100), np.arange(200) / 200)
    with pytest.warns(UserWarning, match=r"At \d+ of 200 probabilities the lower limit is above the upper one"):
        falling.confidence_band()


def test_the_estimate_is_isotonic_regression():
    result = bootstrap(Y, np.round(P, 2), sample_weight=1 + Y)
    expected = IsotonicRegression().fit(np.round(P, 2), Y, sample_weight=1 + Y).predict(result.proba)
    assert_allclose(result.estimate, expected, atol=1e-12)
    assert (np.diff(result.estimate) >= 0).all()
    assert_array_equal(result.proba, np.unique(np.round(P, 2)))


def test_averages_are_means_and_ratios_of_the_cases():
    result = bootstrap(Y, P)
    difference = sk.bootstrap_mean_difference(Y, P)
    assert result.in_the_large.estimate == pytest.approx(np.mean(Y - P))
    assert result.in_the_large.standard_error == pytest.approx(difference.standard_error)
    low, high = result.in_the_large.confidence_interval()
    known = sk.bootstrap_mean(Y - P, least=-P.max(), most=1 - P.min())
    assert_allclose((low, high), known.confidence_interval(), rtol=1e-12)
    assert low < difference.confidence_interval().low < difference.confidence_interval().high <= high
    ratio = sk.bootstrap_ratio(Y, P, range=((0, 1), (P.min(), P.max())))
    assert result.observed_expected.estimate == pytest.approx(Y.sum() / P.sum())
    assert_allclose(result.observed_expected.confidence_interval(), ratio.confidence_interval(), rtol=1e-9)
    assert "observed/expected" in repr(result)


def test_where_nothing_is_expected_there_is_no_ratio():
    result = bootstrap([0, 0, 0], [0.0, 0.0, 0.0])
    assert "no event expected" in repr(result)
    with pytest.raises(ValueError, match="observed_expected has no value: every probability is 0"):
        _ = result.observed_expected
    assert_allclose(result.confidence_band(), [[0.0], [1 - 0.025 ** (1 / 3)]])


@pytest.mark.parametrize("strategy", ["uniform", "quantile"])
@pytest.mark.parametrize("weights", [np.ones(200, int), np.arange(200) % 3], ids=["equal", "weighted"])
def test_bins_are_scikit_learns(strategy, weights):
    rows = np.repeat(np.arange(200), weights)
    for n_bins in (1, 3, 5, 40):
        expected = calibration_curve(Y[rows], P[rows], n_bins=n_bins, strategy=strategy)
        bins = bootstrap(Y, P, sample_weight=weights).bins(n_bins, strategy=strategy)
        assert_allclose((bins.prob_true, bins.prob_pred), expected, rtol=1e-10, atol=1e-12)
        assert bins.cases.sum() == len(rows)


def test_limits_of_bins_hold_in_all_of_them():
    bins = bootstrap(Y, P).bins(4, confidence_level=0.9)
    each, events = 0.1 / 4 / 2, np.rint(bins.prob_true * bins.cases)
    assert_allclose(binom.sf(events[events > 0] - 1, bins.cases[events > 0], bins.low[events > 0]), each, rtol=1e-9)
    assert_allclose(binom.cdf(events, bins.cases, bins.high), each, rtol=1e-9)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: bootstrap([0, 1], [0.5, 1.2]), r"y_proba must contain probabilities, in \[0, 1\], got 1.2"),
        (lambda: bootstrap([0, 1], [0.5, np.nan]), "y_proba must be finite"),
        (lambda: bootstrap(*FOUR).bins(0), r"n_bins must be a whole number in \[1, "),
        (lambda: bootstrap(*FOUR).bins(strategy="equal"), "strategy must be one of 'uniform', 'quantile'"),
        (lambda: bootstrap(*FOUR).confidence_band(95), r"confidence_level must be a number in \(0, 1\)"),
        (lambda: bootstrap(*FOUR).confidence_band(method="logistic"), "needs a slope, which cannot be estimated from"),
        (lambda: bootstrap(*FOUR).pvalue(null=0.5), "null must be None, got 0.5.*in_the_large, observed_expected or s"),
        (lambda: bootstrap(*FOUR).pvalue(method="wald"), "method must be one of 'exact', got 'wald'"),
        (lambda: bootstrap(*FOUR).pvalue("less"), r"alternative must be 'two-sided', got 'less'.*in_the_large.pvalue"),
        (lambda: sk.bootstrap_metric([0, 0], P[:2], "calibration_slope"), "calibration_slope is undefined: no events"),
        (lambda: drawn(band="pointwise"), "band must be one of 'simultaneous', 'logistic', got 'pointwise'"),
    ],
)
def test_refusals_say_what_came(call, message):
    with pytest.raises(ValueError, match=message):
        call()


# --- the picture


def drawn(y_true=Y, y_proba=P, **options):
    """On axes of their own."""
    return sk.CalibrationConfidenceDisplay.from_predictions(y_true, y_proba, **{"ax": Figure().subplots(), **options})


def test_the_picture_has_the_numbers():
    display = drawn(confidence_level=0.9, sample_weight=1 + Y)
    result = bootstrap(Y, P, sample_weight=1 + Y)
    assert_array_equal([display.estimate, display.cases], [result.estimate, result.cases])
    assert_array_equal([display.low, display.high], result.confidence_band(0.9))
    assert display.ax_.get_xlabel() == "Predicted risk"
    x, y = display.line_.get_data()
    assert_allclose(np.interp(result.proba, x, y), result.estimate, atol=1e-12)
    bare = sk.CalibrationConfidenceDisplay(proba=np.array([0.2, 0.8]), estimate=np.array([0.1, 0.9]))
    bare.plot(Figure().subplots())
    assert bare.fill_between_ is bare.histogram_ is None
    assert bare.line_.get_label() == "Isotonic estimate"


def test_the_shaded_band_is_a_step_between_risks_and_holds_the_limits():
    """Just after a risk the lower limit is its own, the upper one that of the next."""
    eight = [0, 0, 1, 1] * 2, [0.1, 0.2, 0.3, 0.4] * 2
    low, high = bootstrap(*eight).confidence_band()
    path, heights = drawn(*eight).fill_between_.get_paths()[0], np.linspace(0, 1, 2001)
    for x, least, most in ((0.15, low[0], high[1]), (0.45, low[3], 1.0)):
        inside = heights[[path.contains_point((x, y)) for y in heights]]
        assert least - 0.002 <= inside.min() <= least + 0.001
        assert most - 0.001 <= inside.max() <= most + 0.002


def test_the_caption_says_what_is_taken_for_granted():
    display = drawn(name="Model")
    room = display.ax_.get_ylim()
    drawn(y_proba=P**2, name="Other", ax=display.ax_)
    assert display.ax_.get_ylim() == pytest.approx(room)
    texts = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    band = "95 % confidence band (simultaneous)"
    assert texts == ["Model (isotonic)", "Other (isotonic)", band, "Perfectly calibrated"]
    assumed = "at all risks at once, if it does not fall as the risk rises"
    assert display.caption == f"{band} of the chance of an event {assumed}, Clopper-Pearson"


def test_axes_end_where_risks_do():
    rare = drawn(y_proba=P / 10).ax_
    assert rare.get_xlim() == (0.0, P.max() / 10)
    assert 0 == min(rare.get_yticks()) < max(rare.get_yticks()) <= 1
    drawn(ax=rare)
    assert rare.get_xlim() == (0.0, 1.0)


def test_an_estimator_is_asked_for_its_probabilities():
    X, named = np.column_stack([P, Y]), np.where(Y, "ill", "well")
    draw, model = sk.CalibrationConfidenceDisplay.from_estimator, LogisticRegression().fit(X, named)
    display = draw(model, X, named, pos_label="ill", ax=Figure().subplots())
    assert_array_equal(display.estimate, bootstrap(Y, model.predict_proba(X)[:, 0]).estimate)
    assert display.ax_.get_xlabel() == "Predicted risk (Positive label: ill)"
    with pytest.raises(AttributeError, match="predict_proba"):
        draw(LinearSVC().fit(X, Y), X, Y)
    with pytest.raises(ValueError, match="Got 3 classes instead"):
        draw(GaussianNB().fit(X, np.arange(200) % 3), X, Y)


def test_folds_are_drawn_together():
    X, y = np.column_stack([P, Y, RANDOM.random(200)]), (RANDOM.random(200) < P).astype(int)
    results = cross_validate(LogisticRegression(), X, y, cv=2, return_estimator=True, return_indices=True)
    display = sk.CalibrationConfidenceDisplay.from_cv_results(results, X, y, band="logistic", ax=Figure().subplots())
    risks = np.empty(200)
    for model, test in zip(results["estimator"], results["indices"]["test"], strict=True):
        risks[test] = model.predict_proba(X[test])[:, 1]
    expected = bootstrap(y, risks)
    assert_allclose(display.proba, expected.proba)
    assert_allclose(display.low, expected.confidence_band(method="logistic").low)
    assert "logistic curve of intercept and slope" in display.caption
    assert [text.get_text() for text in display.ax_.texts] == ["distribution of risks"]
    none = drawn(band=None)
    assert none.fill_between_ is None
    assert none.caption == ""
