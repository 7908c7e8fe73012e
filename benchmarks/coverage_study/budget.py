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

from coverage_study.designs import SCARCE, TOTAL_POSITIVE_RATES, Design, ratio, size, spread
from coverage_study.judging import Cell, Row
from coverage_study.simulation import simulated
from skcostci import bootstrap_roc_at_positive_rate


def cells() -> Iterator[Cell]:
    """Stratified, the three rates are one count on three scales, so that one of them will do."""
    ties = [Design(25, 25, 3.0, grades=5)]
    for design in (*size(10), *spread(), *size(100), *ratio(*SCARCE), *ties):
        yield _cell(design, "stratified", "tpr", 500)
    yield _cell(Design(1000, 1000, 3.0), "stratified", "tpr", 150)
    for rate in ("tpr", "fpr", "precision"):
        yield _cell(Design(10, 10, 3.0), "full", rate, 300)
        for design in spread()[:4:2]:
            yield _cell(design, "full", rate, 300)
        for sizes in SCARCE:
            yield _cell(Design(*sizes, 1.5), "full", rate, 150)


def _cell(design: Design, sampling: str, rate: str, runs: int) -> Cell:
    measure = partial(coverage, design, sampling, rate)
    return Cell("roc_at_positive_rate", rate, sampling, design.label, *design.sizes, runs, measure)


def coverage(design: Design, sampling: str, rate: str, runs: int) -> Iterator[Row]:
    labelled = np.unique(np.maximum(np.floor(TOTAL_POSITIVE_RATES[::2] * design.n + 1e-9), 1))
    shares = labelled / design.n
    part = attrgetter(rate) if rate != "tpr" else _itself

    def ask(y_true: np.ndarray, scores: np.ndarray) -> Any:
        return part(bootstrap_roc_at_positive_rate(y_true, scores, positive_rate=shares, sampling=sampling))

    return simulated(design, runs, ask, truths(design, shares)[rate], shares.tolist(), sampling)


def truths(design: Design, shares: np.ndarray) -> dict[str, np.ndarray]:
    if design.grades:
        tpr, fpr = (np.r_[0, rate, 1] for rate in design.rates(design.cuts[::-1]))
        tpr = np.interp(shares, design.prevalence * tpr + (1 - design.prevalence) * fpr, tpr)
    else:
        tpr = design.rates(np.array([design.threshold_at(share) for share in shares]))[0]
    fpr = (shares - design.prevalence * tpr) / (1 - design.prevalence)
    return {"tpr": tpr, "fpr": fpr, "precision": design.prevalence * tpr / shares}


def _itself(result: Any) -> Any:
    return result
