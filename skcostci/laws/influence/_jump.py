"""Jumps of an ROC curve near a fixed rate: where scores tie, the curve may climb straight up by many cases.

One rate is fixed at t (the false-positive rate, say), of the *held* class with n cases (the negatives); the other is
estimated, of the *counted* class with N cases (the positives). Between two scores of the held class, and beyond its
highest and lowest, the curve climbs from h to h + c counted cases: a *step*. With F and L the .005 and .995 quantiles
of Bin(n, t), G = L - F + 1, and R the rise of the curve from rank F to the end of the step at L, the largest step with
ranks in F..L is a jump [h, h + c] / N if

    c >= 4,    q = c / R >= 1/2,    G (1 - q)^(G - 1) <= .05,

and ties cause it: a held score beside it is shared, or at least half of max(c, 4) of its counted cases share one score.
Scores without ties have no jump. The constants were chosen on 16 populations, and judged on others.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import bdtrik

from skcostci._arrays import Floats
from skcostci.laws.exact._vertical import DrawnCurve

FEWEST = 4  # counted cases in a jump
OF_RISE = 0.5  # least q, the share of a jump in the rise over the probable ranks
CHANCE = 0.05  # largest probability that some step is so large if all steps are alike
PROBABLE = 0.005  # probability outside the probable ranks F..L, at either end


class Jump(NamedTuple):
    """The rates where the curve's jump begins and ends, NaN where there is none, at each fixed rate."""

    low: Floats
    high: Floats


def jumps_of(curve: DrawnCurve, held: Floats) -> Jump | None:
    """The jumps at the fixed rates; None where there is no jump at any."""
    if curve.heaps is None:
        return None
    found = np.array([_jump(curve, float(rate)) for rate in held])
    return None if np.isnan(found).all() else Jump(*found.T)


def _jump(curve: DrawnCurve, rate: float) -> tuple[float, float]:
    """The ends of the largest step near a rate if it is a jump, else NaN."""
    n, none = curve.negatives, (np.nan, np.nan)
    first, last = (_quantile(n, rate, level) for level in (PROBABLE, 1 - PROBABLE))
    ranks, low, high = curve.steps
    near = np.flatnonzero((ranks >= first) & (ranks <= last))
    if not len(near):
        return none
    at = near[int(np.argmax(high[near] - low[near]))]
    climbed = float(high[at] - low[at])
    end = near[-1]
    top = float(high[end]) if ranks[end] == last else float(curve.hits(np.array([float(last)]))[0])
    bottom = float(curve.hits(np.array([float(first)]))[0])
    many = last - first + 1
    share = climbed / (top - bottom) if top > bottom else 0.0
    if climbed < FEWEST or share < OF_RISE or many * (1 - share) ** (many - 1) > CHANCE or not _is_tied(curve, at):
        return none
    return float(low[at]) / curve.positives, float(high[at]) / curve.positives


def _quantile(n: int, rate: float, level: float) -> int:
    return int(np.ceil(np.nan_to_num(bdtrik(level, n, rate)) - 1e-9))


def _is_tied(curve: DrawnCurve, step: int) -> bool:
    """Whether a held score beside a step is shared, or many counted cases of the step share a score."""
    assert curve.heaps is not None
    _, low, high = curve.steps
    beside = curve.sizes[max(step - 1, 0) : step + 1]
    return bool((beside > 1).any() or curve.heaps[step] >= max(high[step] - low[step], FEWEST) / 2)
