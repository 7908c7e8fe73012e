"""The names that options may have, as type checkers and error messages know them, and how values are shown there."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal, NamedTuple, get_args

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


class RateAt(NamedTuple):
    """A rate where another one is ``held``, which is the name of the option that says at which value."""

    rate: str
    held: str

    @property
    def name(self) -> str:
        """What comparisons, reports, the command line and scorers are asked for, and what estimands say."""
        return f"{self.rate}_at_{self.held}"

    @property
    def holds_negatives(self) -> bool:
        """Whether the threshold is set by the share of negatives above it, else by that of positives."""
        return self.held in ("fpr", "specificity")

    @property
    def greater_is_better(self) -> bool:
        """Of all rates but the false-positive rate."""
        return self.rate != "fpr"

    def title(self, value: float | None = None) -> str:
        """In words, at a value or at any: "specificity at a sensitivity of 0.9"."""
        rate, held = self.words
        article = "an" if held == "FPR" else "a"
        return f"{rate} at {article} {held}" + ("" if value is None else f" of {value:.12g}")

    @property
    def words(self) -> tuple[str, ...]:
        """Both rates in words."""
        return tuple(_IN_WORDS.get(word, word.replace("_", " ")) for word in self)


_IN_WORDS = {"tpr": "TPR", "fpr": "FPR"}
_RATES_AT = (
    RateAt("sensitivity", "specificity"),
    RateAt("specificity", "sensitivity"),
    RateAt("tpr", "fpr"),
    RateAt("fpr", "tpr"),
)
RATES_AT = {each.name: each for each in _RATES_AT}


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
