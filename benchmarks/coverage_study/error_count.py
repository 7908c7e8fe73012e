"""What the number of errors says about the AUC, under its own model and under the papers' populations.

"own model": cases come in any order, and are cut anywhere, that makes the number of errors of another sample, each such
pair of order and cut weighing the same; the interval from one sample is to hold the AUC of the other. "population":
binormal scores, cut midway between the classes; the interval is to hold the population's AUC, a sum over all counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import Any

import numpy as np
from scipy.special import betaln
from scipy.stats import binom

from coverage_study.designs import SCARCE, Design, size, spread
from coverage_study.judging import EXACT, Cell, Row, Tally
from coverage_study.simulation import generator
from skcostci import auc_from_error_count

STATISTIC = "auc_from_error_count"


def cells() -> Iterator[Cell]:
    for sizes in ((25, 25), (100, 100), (250, 250), *SCARCE):
        for rate in (0.02, 0.05, 0.1, 0.2):
            measure = partial(own_model, sizes, rate)
            label = f"error_rate={rate:g}"
            yield Cell(STATISTIC, "own model", "stratified", label, *sizes, False, 1000, measure)
    for design in (*spread(), *size(100, 400)):
        measure = partial(population, design)
        yield Cell(STATISTIC, "population", "stratified", design.label, *design.sizes, False, EXACT, measure)


def own_model(sizes: tuple[int, int], rate: float, runs: int) -> Iterator[Row]:
    rng, tally = generator(STATISTIC, sizes, rate), Tally([""])
    seen, others = rng.binomial(sum(sizes), rate, (2, runs))
    areas = np.array([random_auc(rng, other, *sizes) for other in others.tolist()])
    results = {count: AskedOnce(auc_from_error_count(count, *sizes)) for count in np.unique(seen).tolist()}
    for count, area in zip(seen.tolist(), areas.tolist(), strict=True):
        tally.add(results[count], area)
    return tally.rows()


class AskedOnce:
    """A result that keeps its intervals."""

    def __init__(self, result: Any) -> None:
        self.methods = result.methods
        self.confidence_interval = cache(result.confidence_interval)


def population(design: Design, runs: int) -> Iterator[Row]:
    tpr, fpr = design.rates(0.0)
    missed = binom.pmf(np.arange(design.n_positive + 1), design.n_positive, 1 - tpr)
    errors = np.convolve(missed, binom.pmf(np.arange(design.n_negative + 1), design.n_negative, fpr))
    tally = Tally([""])
    for count in np.flatnonzero(errors > 1e-7).tolist():
        tally.add(auc_from_error_count(count, *design.sizes), design.auc(), float(errors[count]))
    return tally.rows(exact=True)


def random_auc(rng: np.random.Generator, errors: int, n_positive: int, n_negative: int) -> float:
    """The AUC of an order and a cut with so many errors, all being equally probable."""
    alarms = np.arange(max(0, errors - n_positive), min(errors, n_negative) + 1)
    above = n_positive - errors + 2 * alarms
    below = n_positive + n_negative - above
    ways = _log_choose(above, alarms) + _log_choose(below, errors - alarms)
    i = rng.choice(len(alarms), p=np.exp(ways - ways.max()) / np.exp(ways - ways.max()).sum())
    labels = np.repeat([1, 0], [above[i] - alarms[i], alarms[i]])
    rest = np.repeat([1, 0], [errors - alarms[i], below[i] - errors + alarms[i]])
    order = np.concatenate([rng.permutation(labels), rng.permutation(rest)])
    worse = (np.cumsum(1 - order) * order).sum()  # negatives ahead of each positive
    return float(1 - worse / (n_positive * n_negative))


def _log_choose(n: np.ndarray, k: np.ndarray) -> np.ndarray:
    return -np.log(n + 1) - betaln(n - k + 1, k + 1)
