"""Rates when a fixed share of the cases is labelled positive, simulated.

The truth is the rate at the threshold that this share of the population exceeds; between the grades of a tied
population, where ties are broken at random, it lies on the straight piece of the ROC curve.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from operator import attrgetter
from typing import Any

import numpy as np

from coverage_study.bends import HARD, Bent, known
from coverage_study.designs import SCARCE, TOTAL_POSITIVE_RATES, Design, others, ratio, size, spread
from coverage_study.judging import OTHERS, Cell, Row, Tally
from coverage_study.simulation import generator, simulated
from skcostci import bootstrap_roc_at_positive_rate

RUNS, MANY = 60, 600
BENDS = [Design(n, n, 9.0, 3.0, undetectable=0.4, fresh=True) for n in (15, 60)]  # of the curve, at a share of .3

HARDEST = {  # that searches over populations of straight pieces found
    ("stratified", "tpr"): HARD[5],
    ("full", "tpr"): HARD[3],
    ("full", "fpr"): (0.215, 0.392, 0.386, 0.006, 0.0, 0.452, 0.0, 0.001, 0.547, 0.0, 8, 50, 31),
    ("full", "precision"): (0.005, 0.184, 0.0, 0.8, 0.011, 0.741, 0.002, 0.2, 0.057, 0.0, 60, 100, 84),
}


def cells() -> Iterator[Cell]:
    """Stratified, the three rates are one count on three scales, so that one of them will do."""
    for design in (*size(10), *spread()[:4], *size(100), *ratio(*SCARCE), *others((15, 15)), *BENDS):
        yield _cell(design, "stratified", "tpr", RUNS)
    for rate in ("tpr", "fpr", "precision"):
        for design in (*size(10), *others((15, 15))[1::7], *BENDS[:1]):
            yield _cell(design, "full", rate, RUNS // 2)
        for sizes in SCARCE:
            yield _cell(Design(*sizes, 1.5), "full", rate, RUNS // 2)
    for (sampling, rate), numbers in HARDEST.items():
        population = known(*numbers)
        measure = partial(at_a_bend, population, sampling, rate)
        yield Cell("roc_at_positive_rate", rate, sampling, "bent", *population.sizes, False, MANY, measure)


def _cell(design: Design, sampling: str, rate: str, runs: int) -> Cell:
    measure = partial(coverage, design, sampling, rate)
    return Cell("roc_at_positive_rate", rate, sampling, design.label, *design.sizes, design.fresh, runs, measure)


def coverage(design: Design, sampling: str, rate: str, runs: int) -> Iterator[Row]:
    labelled = np.unique(np.maximum(np.floor(TOTAL_POSITIVE_RATES[::2] * design.n + 1e-9), 1))
    shares = labelled / design.n
    part = attrgetter(rate) if rate != "tpr" else _itself
    names = [f"share {share:.3g}" for share in shares]

    def ask(y_true: np.ndarray, scores: np.ndarray) -> Any:
        return part(bootstrap_roc_at_positive_rate(y_true, scores, positive_rate=shares, sampling=sampling))

    return simulated(design, runs, ask, truths(design, shares)[rate], names, sampling)


def at_a_bend(population: Bent, sampling: str, rate: str, runs: int) -> Iterator[Row]:
    """Of a population of straight pieces, at the budget that was found to be hard."""
    (n, m), labelled, tpr = population.sizes, population.labelled, population.truth
    truth = {"tpr": tpr, "fpr": (labelled - n * tpr) / m, "precision": n * tpr / labelled}[rate]
    share, rng = labelled / (n + m), generator("bent", sampling, rate)
    tally = Tally([f"share {share:.3g}"])
    for i in range(runs):
        drawn = n if sampling == "stratified" else int(np.clip(rng.binomial(n + m, n / (n + m)), 1, n + m - 1))
        (ranked,) = population.draw(rng, 1, drawn)
        result = bootstrap_roc_at_positive_rate(ranked, -np.arange(n + m), positive_rate=[share], sampling=sampling)
        tally.add(result if rate == "tpr" else getattr(result, rate), truth, every=i % OTHERS == 0)
    return tally.rows()


def truths(design: Design, shares: np.ndarray) -> dict[str, np.ndarray]:
    """Found on a fine grid of false-positive rates, of which the share is a straight function between ties."""
    fpr = np.r_[0.0, np.geomspace(1e-9, 0.5, 20_000), 1 - np.geomspace(0.5, 1e-9, 20_000), 1.0]
    tpr = design.tpr_at(fpr)
    tpr[0], tpr[-1] = 0.0, 1.0
    labelled = design.prevalence * tpr + (1 - design.prevalence) * fpr
    fpr, tpr = np.interp(shares, labelled, fpr), np.interp(shares, labelled, tpr)
    return {"tpr": tpr, "fpr": fpr, "precision": design.prevalence * tpr / shares}


def _itself(result: Any) -> Any:
    return result
