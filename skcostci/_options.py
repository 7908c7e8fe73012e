"""The names that options may have, as type checkers and error messages know them, and how values are shown there."""

from __future__ import annotations

import re
from functools import partial
from typing import Any, Literal, get_args

import numpy as np

Sampling = Literal["stratified", "full"]
Normalizer = Literal["mean", "max"]
Alternative = Literal["two-sided", "less", "greater"]
MultiClass = Literal["raise", "ovr", "ovo"]
Average = Literal["macro", "weighted"]
Adjustment = Literal["max_t", "holm", "none"]
MetricOf = Literal["counts", "rates"]
Bound = Literal["worst", "best", "low", "high"]
PointwiseBand = Literal["pointwise"]
Band = Literal["pointwise", "simultaneous"]
Together = Literal["pooled", "mean"]
Averaging = Literal["fpr", "threshold", "positive_rate"]
ScoreMethod = Literal["auto", "predict_proba", "decision_function"]

SAMPLINGS = get_args(Sampling)
NORMALIZERS = get_args(Normalizer)
ALTERNATIVES = get_args(Alternative)
MULTI_CLASS = get_args(MultiClass)
AVERAGES = get_args(Average)
ADJUSTMENTS = get_args(Adjustment)
METRICS_OF = get_args(MetricOf)
BOUNDS = get_args(Bound)
BANDS = get_args(Band)
TOGETHER = get_args(Together)

# What steers a terminal, turns the direction of a text or is half a letter, which no encoding has: not the line feed.
STEERING = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ud800-\udfff]")


def visible(text: str) -> str:
    """Letters that are not to be seen but do something, written as Python writes them."""
    return STEERING.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def named_plainly(value: Any) -> str:
    """A metric or a function by its name, anything else as it prints itself."""
    return str(getattr(value, "name", None) or getattr(value, "__name__", None) or without_address(value))


def without_address(value: Any) -> str:
    """How a value prints itself, without the place in memory that differs from run to run."""
    if isinstance(value, np.ndarray | np.generic):
        return repr(value.tolist())  # whole: numpy leaves out the middle of a long one
    if isinstance(value, partial):
        options = [*map(without_address, value.args), *(f"{k}={without_address(v)}" for k, v in value.keywords.items())]
        return f"{named_plainly(value.func)}({', '.join(options)})"
    if hasattr(value, "dist") and hasattr(value, "kwds"):  # a distribution of scipy's with its parameters
        return without_address(partial(value.dist, *value.args, **value.kwds))
    shown = repr(value)
    return str(getattr(value, "__name__", type(value).__name__)) if " at 0x" in shown else shown
