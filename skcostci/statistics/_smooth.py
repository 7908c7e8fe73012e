"""Whether a function of weighted cases is smooth enough in the weights for a law based on its slopes.

A slope is the effect of a small step of one weight. Resamples move all weights at once, each by about the root of its
count c. So the function T is evaluated there: at weights ``c + s sqrt(c) h``, h being 1 or -1 for each row, and
``c - s sqrt(c) h``, for some h, at a step s and at half of it. Half the difference over s is D(s), and where T has the
slopes g

    D(s) = sum sqrt(c) h g + a s^2 + ...,    (4 D(s / 2) - D(s)) / 3 = sum sqrt(c) h g + b s^4 + ...

If T is smooth the latter hardly differs from the sum of slopes, even if T is strongly curved and cases are few. The
slopes of a median, or of a rate at a threshold chosen on the data, depend on a single case, and T moves differently.
The mean of T at both ends minus T, over s^2, is how far resamples lie above T on average: a small share of the standard
error if T is smooth, one or more for a sum of absolute values near 0, such as a calibration error.

The signs h are rows of a Paley matrix, squares modulo a prime, as those of balanced repeated replications: no seed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

import numpy as np

from skcostci._arrays import Floats

PRIME = 20_011  # the signs are residues modulo this; above the largest number of rows of a function
TINY = np.finfo(np.float64).tiny
DIRECTIONS = 12  # doubled: hardly anything else is found; each takes two evaluations, or four
FEWEST_DIRECTIONS = 4  # or half the number of rows, if more: this is then as fast as the slopes
STEP = 0.7  # of the root of a count: no row loses all of its weight
# In units of the standard error, with more allowed for few cases: MORE_AT_NEAR and MORE_AT_FAR are divided by the
# effective number of cases, MORE_BIAS by its root. Hardly any of scikit-learn's metrics is off by 0.1, or lies 0.5
# above, from 30 cases on; functions that are not smooth are mostly off by 0.3 to 3, and lie 1 to 2 above.
MOST_OFF, MORE_AT_NEAR, MORE_AT_FAR = 0.1, 1.0, 6.0
MOST_BIAS, MORE_BIAS, LARGEST_BIAS = 0.1, 3.0, 1.0
FEWEST = 6.0  # effective cases: with fewer a smooth function may lie anywhere
MOST_ONE_SIDED = 0.75  # sum of slopes over that of their sizes: near 0 but at kinks such as the median of a denominator
SMALLEST = 1e-5  # sum of sizes of slopes relative to the value: less may be curvature within a step
ROUNDING, NOTHING = 1e-7, 1e-9  # of the value, and absolute: rounding of slopes of 0 by small steps


def signs(n_rows: int) -> Floats:
    number = min(DIRECTIONS, max(n_rows // 2, FEWEST_DIRECTIONS))
    square = -np.ones(PRIME)
    square[np.arange(1, PRIME) ** 2 % PRIME] = 1.0
    starts = 1 + np.arange(number) * (PRIME // number)
    return np.asarray(square[(starts[:, None] + np.arange(n_rows)) % PRIME])


def centred(slopes: Floats, counts: Floats) -> Floats:
    """Slopes minus their mean over all cases, which is not 0 at a kink, as where a denominator is at its least."""
    return np.asarray(slopes - counts @ slopes / counts.sum())


def why_not_smooth(ask: Callable[[Floats], Floats], counts: Floats, slopes: Floats, value: Floats) -> str:
    """In words, how changes differ from those by ``slopes``, (n_rows, n_points); "" if not. ``ask`` takes weights."""
    sizes = counts @ np.abs(slopes)
    if (
        (np.abs(counts @ slopes) > MOST_ONE_SIDED * sizes) & (sizes > SMALLEST * np.abs(value).ravel() + NOTHING)
    ).any():
        return "its derivatives with respect to the weights do not add up to 0"
    slopes = centred(slopes, counts)
    spread, directions, value = np.sqrt(counts), signs(len(counts)), np.ravel(value)

    def moved(step: float) -> tuple[Floats, Floats]:
        ends = np.array([[np.ravel(ask(counts + side * step * spread * h)) for h in directions] for side in (1, -1)])
        return (ends[0] - ends[1]) / (2 * step), ((ends[0] + ends[1]) / 2 - value).mean(axis=0) / step**2

    far, bias = moved(STEP)
    said = directions @ (spread[:, None] * slopes)
    squares, rounding = counts @ slopes**2, ROUNDING * np.abs(value) + NOTHING
    error, in_effect = np.sqrt(squares), np.maximum(squares**2 / np.maximum(counts @ slopes**4, TINY), 1.0)
    off = _size(far - said) > MOST_OFF * error + rounding
    if off.any():  # else a second step is not needed
        near, _ = moved(STEP / 2)
        bent = (4 * near - far) / 3 - said
        off = (_size(bent) > (MOST_OFF + MORE_AT_NEAR / in_effect) * error + rounding) | (
            _size(far - said) > (MOST_OFF + MORE_AT_FAR / in_effect) * error + rounding
        )
    if off.any():
        seen, expected = _size(far)[off][0], error[off][0]
        return (
            f"changing the weights as resampling does changes it by {seen:.3g}, but its derivatives predict "
            f"{expected:.3g}"
        )
    most_bias = np.minimum(MOST_BIAS + MORE_BIAS / np.sqrt(in_effect), LARGEST_BIAS)
    if (off := (np.abs(bias) > most_bias * error + rounding) & (in_effect >= FEWEST) & (error > rounding)).any():
        return (
            f"resamples deviate by {abs(bias[off][0]):.3g} to one side of it, compared with a standard error of "
            f"{error[off][0]:.3g}"
        )
    return ""


def _size(values: Floats) -> Floats:
    """The root mean square over the directions, one number per point."""
    return np.asarray(np.sqrt((values**2).mean(axis=0)))


def refuse_unsmooth(name: str, why: str, *, of_scores: bool) -> NoReturn:
    """Raise, and name the functions that may be what the user needs."""
    instead = (
        " Use bootstrap_roc_at_fpr or bootstrap_roc_at_tpr for a rate at a threshold set by another rate, "
        "bootstrap_metric with thresholds for a metric at other thresholds, and bootstrap_calibration for "
        "calibration."
    )
    raise ValueError(
        f"metric must be a smooth function of the sample weights, like means and ratios of means; {name} is "
        f"not: {why}. Medians, quantiles, maxima, sums of absolute means (as calibration errors in bins "
        "are) and values at a threshold that the data choose have no standard error from "
        f"derivatives.{instead * of_scores}"
    )
