"""A curve lies in its own band, between the places where limits were computed too, however rare the positives are."""

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.cbook import STEP_LOOKUP_MAP
from matplotlib.figure import Figure
from numpy.testing import assert_allclose
from scipy.special import expit
from statistics_list import of_folds

import skcostci as sk

pytestmark = pytest.mark.usefixtures("no_layout")
ROUNDING = 1e-9
SOME = settings(max_examples=settings().max_examples // 20)  # 5, of the search 50
AREA_CURVES = [
    (sk.ROCConfidenceDisplay, {}),
    (sk.ROCConfidenceDisplay, {"band": "simultaneous"}),
    (sk.ROCConfidenceDisplay, {"at": [0.5, 0.1]}),
    (sk.ROCConfidenceDisplay, {"method": "agresti"}),
    (sk.PrecisionRecallConfidenceDisplay, {}),
    (sk.PrecisionRecallConfidenceDisplay, {"method": "unseen_case", "drop_intermediate": True}),
]
ONE = [
    *AREA_CURVES,
    (sk.CostCurveDisplay, {}),
    (sk.CostCurveDisplay, {"thresholds": "probability"}),
    (sk.CostCurveDisplay, {"thresholds": 0.4, "band": "simultaneous"}),
    (sk.DecisionCurveDisplay, {}),
    (sk.MetricThresholdDisplay, {}),
    (sk.CalibrationConfidenceDisplay, {}),
]
TWO = [
    (sk.PairedCostDifferenceDisplay, {}),
    (sk.PairedCostDifferenceDisplay, {"thresholds": "probability"}),
    (sk.PairedCostDifferenceDisplay, {"thresholds": 0.4, "band": "simultaneous"}),
]
FOLDED = [
    *((sk.ROCConfidenceDisplay, {"together": together}) for together in ("pooled", "mean")),
    (sk.PrecisionRecallConfidenceDisplay, {}),
    *((sk.CostCurveDisplay, {"together": together, "thresholds": 0.4}) for together in ("pooled", "mean")),
]


GROUPED = [sk.PrecisionRecallConfidenceDisplay, sk.CostCurveDisplay, sk.MetricThresholdDisplay]


class Sample(NamedTuple):
    """Labels, risks by two models, and how many cases a row stands for."""

    y_true: np.ndarray
    risks: tuple[np.ndarray, np.ndarray]
    sample_weight: np.ndarray | None


@st.composite
def samples(draw, most_cases=3000):
    """Rare positives and frequent ones, models of every strength, ties, and weights."""
    n, prevalence = draw(st.integers(20, most_cases)), draw(st.floats(0.002, 0.5))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    y = np.zeros(n, dtype=int)
    y[: max(2, round(prevalence * n))] = 1
    strength, decimals = draw(st.floats(-1, 4)), draw(st.sampled_from([1, 2, 16]))
    risks = expit(np.log(prevalence) + strength * y + rng.normal(size=(2, n))).round(decimals)
    weights = rng.integers(1, 4, n) if draw(st.booleans()) else None
    return Sample(y, tuple(risks), weights)


def named(value):
    """A display, and its options, in the name of a test."""
    return "-".join(map(str, value)) if isinstance(value, dict) else value.__name__


def section(band, x):
    """Between which heights a filled band lies at each x: where any of its edges meet the upright line there."""
    order = np.argsort(x)
    low, high = np.full(len(x), np.inf), np.full(len(x), -np.inf)
    edges = np.concatenate([np.stack([path.vertices[:-1], path.vertices[1:]], axis=1) for path in band.get_paths()])
    begins = np.searchsorted(x[order], edges[:, :, 0].min(axis=1) - ROUNDING)
    ends = np.searchsorted(x[order], edges[:, :, 0].max(axis=1) + ROUNDING, "right")
    for ((x0, y0), (x1, y1)), begin, end in zip(edges, begins, ends, strict=True):
        met = order[begin:end]
        heights = y0 + np.clip((x[met] - x0) / (x1 - x0), 0, 1) * (y1 - y0) if x0 != x1 else np.array([y0, y1])[:, None]
        low[met] = np.minimum(low[met], heights.min(axis=0) if x0 == x1 else heights)
        high[met] = np.maximum(high[met], heights.max(axis=0) if x0 == x1 else heights)
    return low, high


def along(line):
    """Points of a line as it is drawn: its vertices, and others between them."""
    x, y = line.get_data(orig=False)
    steps = line.get_drawstyle()
    if steps != "default":
        x, y = STEP_LOOKUP_MAP[steps](x, y)
    shares = np.linspace(0, 1, 5)[:-1, None]
    drawn = [(each[:-1] + shares * np.diff(each)).ravel() for each in map(np.asarray, (x, y))]
    known = np.isfinite(drawn).all(axis=0)
    return drawn[0][known], drawn[1][known]


def assert_inside(line, band):
    x, y = along(line)
    low, high = section(band, x)
    assert (low <= y + ROUNDING).all()
    assert (y <= high + ROUNDING).all()


def pairs(display):
    """Each curve that has a band, with it."""
    display = getattr(display, "pooled", None) or display
    lines, bands = (each if isinstance(each, list) else [each] for each in (display.line_, display.fill_between_))
    return zip(lines, bands, strict=True)


@pytest.mark.parametrize(("display", "options"), [*ONE, *TWO], ids=named)
@SOME
@given(sample=samples())
def test_a_curve_lies_in_its_band(display, options, sample):
    scores = sample.risks if (display, options) in TWO else sample.risks[:1]
    weighted = {"sample_weight": sample.sample_weight, "ax": Figure().subplots()}
    drawn = display.from_predictions(sample.y_true, *scores, **options, **weighted)
    for line, band in pairs(drawn):
        assert_inside(line, band)


@pytest.mark.parametrize(("display", "options"), FOLDED, ids=named)
@SOME
@given(sample=samples(most_cases=600))
def test_the_curve_of_all_folds_lies_in_its_band(display, options, sample):
    y, (risks, _), weights = sample
    folds = np.arange(len(y)) % 2  # both hold both classes
    drawn = of_folds(display, y, risks, folds=folds, sample_weight=weights, **options)
    for line, band in pairs(drawn):
        assert_inside(line, band)


@pytest.mark.parametrize("display", GROUPED)
@SOME
@given(sample=samples(most_cases=600))
def test_a_curve_of_groups_lies_in_its_band(display, sample):
    y, (risks, _), weights = sample
    groups = np.arange(len(y)) // 2
    drawn = display.from_predictions(y, risks, sample_weight=weights, groups=groups, ax=Figure().subplots())
    for line, band in pairs(drawn):
        assert_inside(line, band)


@pytest.mark.parametrize("display", [sk.ROCConfidenceDisplay, sk.PrecisionRecallConfidenceDisplay])
def test_a_curve_of_many_cases_that_leaps_lies_in_its_narrow_band(display):
    rng = np.random.default_rng(0)
    y = (rng.random(50_000) < 0.3).astype(int)
    risks = rng.normal(size=len(y)).round(4) + y
    risks[(risks > 0.7103) & (risks < 0.8104) & (y == 1)] = 0.7703  # a leap of both curves, beside no hundredth
    drawn = display.from_predictions(y, risks, ax=Figure().subplots())
    assert_inside(drawn.line_, drawn.fill_between_)
    assert len(drawn.low) <= 400


def test_the_bands_begin_where_the_curves_do():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [20_000, 200])
    scores = rng.normal(size=len(y)) + 2 * y
    roc = sk.ROCConfidenceDisplay.from_predictions(y, scores, ax=Figure().subplots())
    assert roc.band_fpr[0] == 1 / 20_000
    assert np.count_nonzero(roc.band_fpr < 0.01) > 20  # where the curve rises most
    again = sk.bootstrap_roc_at_fpr(y, scores, fpr=roc.band_fpr)
    assert_allclose([roc.low, roc.high], again.confidence_interval(), rtol=1e-12)
    assert_allclose(section(roc.fill_between_, np.array([0.0, 1.0])), [[0, roc.low[-1]], [roc.high[0], 1]])
    curve = sk.PrecisionRecallConfidenceDisplay.from_predictions(y, scores, ax=Figure().subplots())
    assert len(np.unique(curve.band_recall)) >= 200
    again = sk.bootstrap_metric(y, scores, "precision", thresholds=curve.thresholds)
    assert_allclose([curve.low, curve.high], again.confidence_interval(), rtol=1e-12)


@SOME
@given(sample=samples(most_cases=40))
def test_the_steps_of_a_precision_recall_band_are_those_of_the_curve(sample):
    """Between two recalls both are at the first threshold that reaches the upper one."""
    y, (risks, _), weights = sample
    weighted = {"sample_weight": weights, "ax": Figure().subplots()}
    drawn = sk.PrecisionRecallConfidenceDisplay.from_predictions(y, risks, **weighted)
    recalls = np.unique(np.append(0, drawn.recall))
    low, high = section(drawn.fill_between_, (recalls[:-1] + recalls[1:]) / 2)
    first = np.unique(risks[y == 1])[::-1]  # each lower score of a positive reaches a higher recall
    expected = sk.bootstrap_metric(y, risks, "precision", thresholds=first, sample_weight=weights).confidence_interval()
    assert_allclose([low, high], expected, rtol=1e-9)
