"""Whether a function of weighted cases is smooth enough in the weights for slopes to answer for it.

A slope says what a small step of one weight does. Resamples move all weights at once, each by about the root of its
count c. So the function T is evaluated there: at weights ``c + s sqrt(c) h``, h being 1 or -1 for each row, and
``c - s sqrt(c) h``, for some h, at a step s and at half of it. Half the difference over s is D(s), and where T has the
slopes g

    D(s) = sum sqrt(c) h g + a s^2 + ...,    (4 D(s / 2) - D(s)) / 3 = sum sqrt(c) h g + b s^4 + ...

The latter hardly differs from the slopes' sum where T is smooth, however bent and however few the cases are. A median,
or a rate at a threshold that the data choose, has slopes that tell of one case, and moves otherwise. The mean of T at
both ends less T, over s^2, is how far resamples lie above T on average. Of smooth functions that is a share of the
standard error that falls with the root of the number of cases; a sum of sizes that are near 0, as a calibration error
is, lies above by a standard error or more however many there are.

The signs h are rows of a Paley matrix, squares modulo a prime, as those of balanced repeated replications: no seed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

import numpy as np

from skcostci._validation import Floats

PRIME = 20_011  # of which the signs are residues: above the number of rows that a function is evaluated at
TINY = np.finfo(np.float64).tiny
DIRECTIONS = 12  # with twice as many hardly anything else is found; each takes two evaluations, or four
FEWEST_DIRECTIONS = 4  # or half as many as there are rows: a table of few cells is evaluated as fast as its slopes are
STEP = 0.7  # of the root of a count: no row loses all of its weight
# In units of the standard error, and more where few cases matter: the latter are over how many there are in effect, or
# over its root. Of scikit-learn's metrics hardly any is off by .1, and lies .5 above, from 30 cases on; what is not
# smooth is mostly off by .3 to 3, and lies 1 to 2 above.
MOST_OFF, MORE_AT_NEAR, MORE_AT_FAR = 0.1, 1.0, 6.0
MOST_BIAS, MORE_BIAS, LARGEST_BIAS = 0.1, 3.0, 1.0
FEWEST = 6.0  # cases in effect: of fewer a smooth function may lie anywhere
MOST_ONE_SIDED = 0.75  # of the sizes of slopes, their sum: next to 0 but at kinks such as the median of a denominator
SMALLEST = 1e-5  # sum of slopes beside the value: less may be half a step's bend
ROUNDING, NOTHING = 1e-7, 1e-9  # of the value, and where that is 0: what small steps leave of slopes of 0


def signs(n_rows: int) -> Floats:
    """Of each direction, whether a row gains or loses."""
    number = min(DIRECTIONS, max(n_rows // 2, FEWEST_DIRECTIONS))
    square = -np.ones(PRIME)
    square[np.arange(1, PRIME) ** 2 % PRIME] = 1.0
    starts = 1 + np.arange(number) * (PRIME // number)
    return np.asarray(square[(starts[:, None] + np.arange(n_rows)) % PRIME])


def centred(slopes: Floats, counts: Floats) -> Floats:
    """Slopes that add up to 0 over all cases, without what a kink leaves, as where a denominator is at its least."""
    return np.asarray(slopes - counts @ slopes / counts.sum())


def why_not_smooth(ask: Callable[[Floats], Floats], counts: Floats, slopes: Floats, value: Floats) -> str:
    """In words, how the function moves otherwise than its slopes say; nothing where it does not.

    ``ask`` takes weights of the rows, ``slopes`` has shape (n_rows, n_points).
    """
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
    if off.any():  # otherwise nothing is to be learned from a second step
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
    """The root mean square over the directions, one number a point."""
    return np.asarray(np.sqrt((values**2).mean(axis=0)))


def refuse_unsmooth(name: str, why: str, *, of_scores: bool) -> NoReturn:
    """Say so, and who answers what may have been the question."""
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
