"""Data sets as scores, drawn with a seed that depends on the design alone, so that methods meet the same ones."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from coverage_study.designs import Design
from coverage_study.judging import OTHERS, Row, Tally

SEED = 20080705


def generator(*names: object) -> np.random.Generator:
    """The random numbers that belong to these names."""
    return np.random.default_rng([SEED, zlib.crc32(repr(names).encode())])


def data_sets(design: Design, runs: int, sampling: str = "stratified") -> Iterator[tuple[np.ndarray, list[np.ndarray]]]:
    """Labels and scores; under full sampling the class sizes vary too, both classes being there."""
    rng = generator(design.label, *design.sizes, sampling)
    for _ in range(runs):
        drawn = design.n_positive
        if sampling == "full":
            drawn = int(np.clip(rng.binomial(design.n, design.prevalence), 1, design.n - 1))
        yield design.draw(rng, drawn)


def simulated(
    design: Design,
    runs: int,
    ask: Callable[..., Any],
    truth: np.ndarray | float,
    points: Sequence[str] = ("",),
    sampling: str = "stratified",
) -> Iterator[Row]:
    """Coverage of the result of ``ask(y_true, *scores)``, which has these points."""
    tally = Tally(points)
    for i, (y_true, scores) in enumerate(data_sets(design, runs, sampling)):
        tally.add(ask(y_true, *scores), truth, every=i % OTHERS == 0)
    return tally.rows()
