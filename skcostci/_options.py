"""Valid names of options, for type checkers and error messages, and the display of values in messages."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from difflib import get_close_matches
from functools import partial, wraps
from inspect import signature
from typing import Any, Literal, NamedTuple, TypeVar, cast

import numpy as np

Sampling = Literal["stratified", "full"]
Normalizer = Literal["mean", "max"]
Alternative = Literal["two-sided", "less", "greater"]
MultiClass = Literal["raise", "ovr", "ovo"]
Average = Literal["macro", "weighted", "micro", "samples"]
Adjustment = Literal["max_t", "holm", "none"]
WeightType = Literal["counts", "importance"]
MetricOf = Literal["counts", "rates"]
Bound = Literal["worst", "best", "low", "high"]
PointwiseBand = Literal["pointwise"]
Band = Literal["pointwise", "simultaneous"]
Together = Literal["pooled", "mean"]
Averaging = Literal["fpr", "threshold", "positive_rate"]
ScoreMethod = Literal["auto", "predict_proba", "decision_function"]
Label = Hashable  # the name of a class: a text, a number, a boolean, of Python or of numpy

AVERAGES: tuple[Average, ...] = ("macro", "weighted")  # of several classes, with the exact law of their AUCs

# Control characters of terminals and of text direction, and lone surrogates, but not the line feed.
STEERING = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ud800-\udfff]")


def visible(text: str) -> str:
    return STEERING.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


class RateAt(NamedTuple):
    """A rate where another one is ``held``, which is the name of the option with its value."""

    rate: str
    held: str

    @property
    def name(self) -> str:
        """The name in comparisons, reports, scorers and on the command line, and in estimands."""
        return f"{self.rate}_at_{self.held}"

    @property
    def holds_negatives(self) -> bool:
        """Whether the threshold is set by the share of negatives above it, rather than of positives."""
        return self.held in ("fpr", "specificity")

    def title(self, value: float | None = None) -> str:
        """In words, at a value or at any: "specificity at a sensitivity of 0.9"."""
        rate, held = self.words
        article = "an" if held == "FPR" else "a"
        return f"{rate} at {article} {held}" + ("" if value is None else f" of {value:.12g}")

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(_IN_WORDS.get(word, word.replace("_", " ")) for word in self)


_IN_WORDS = {"tpr": "TPR", "fpr": "FPR"}
_PAIRS = ("sensitivity", "specificity"), ("tpr", "fpr")
RATES_AT = {each.name: each for pair in _PAIRS for each in (RateAt(*pair), RateAt(*pair[::-1]))}


def named_plainly(value: object) -> str:
    return str(getattr(value, "name", None) or getattr(value, "__name__", None) or without_address(value))


def without_address(value: Any) -> str:
    """The repr of a value without its address in memory, which differs from run to run."""
    if isinstance(value, np.ndarray | np.generic):
        return repr(value.tolist())  # in full: numpy leaves out the middle of a long one
    if isinstance(value, partial):
        options = [*map(without_address, value.args), *(f"{k}={without_address(v)}" for k, v in value.keywords.items())]
        return f"{named_plainly(value.func)}({', '.join(options)})"
    if hasattr(value, "dist") and hasattr(value, "kwds"):  # a scipy distribution with its parameters
        return without_address(partial(value.dist, *value.args, **value.kwds))
    shown = repr(value)
    return str(getattr(value, "__name__", type(value).__name__)) if " at 0x" in shown else shown


Function = TypeVar("Function", bound=Callable[..., object])


OF_INTERVALS = ("confidence_level", "method", "alternative", "alpha")
OF_TIMES = " Censored times are for 'auc', 'brier', 'concordance' and, with thresholds=, 'net_benefit', by these names."
OF_RESAMPLING = ("n_resamples", "n_bootstraps", "n_bootstrap", "n_boot", "random_state", "rng", "seed", "n_jobs")


def option_meant(name: str, known: Collection[str]) -> str:
    """A hint at where an option that is not among the known ones belongs."""
    if name in OF_INTERVALS:
        return " Pass it to the result that is returned, as in .confidence_interval(confidence_level=0.9)."
    if name == "weights" and "kappa_weights" in known:
        return " The weights of disagreements for kappa are kappa_weights; the weights of cases are sample_weight."
    if name in ("event", "time", "horizon"):
        return OF_TIMES
    if name == "weight_type":
        return " Its sample_weight counts cases, in whole numbers: importance weights are not supported."
    return " Nothing is resampled: leave it out." if name in OF_RESAMPLING else did_you_mean(name, known)


def did_you_mean(word: object, known: Collection[str]) -> str:
    near = get_close_matches(str(word).lower(), known, n=2, cutoff=0.7)
    return f" Did you mean {' or '.join(map(repr, near))}?" if near else ""


class CountedColumn(str):
    """The name of a column of counted cases; functions take the column under their own name for it, or by model."""

    model: str

    def __new__(cls, name: str, model: str) -> CountedColumn:
        self = super().__new__(cls, name)
        self.model = model
        return self


def explains_calls(function: Function) -> Function:
    """Name columns of counted cases as the function does, and add hints to errors of calls that do not fit it."""

    @wraps(function)
    def called(*args: object, **options: object) -> object:
        given = of_counted_columns(function, options)
        try:
            return function(*args, **given)
        except TypeError as error:
            if error.__traceback__ is None or error.__traceback__.tb_next is not None:  # not of this very call
                raise
            said = str(error).partition(". Did you mean")[0]  # Python itself adds the question from 3.13 on
            raise TypeError(f"{said}.{way_to_call(function, args, options)}") from None

    return cast(Function, called)


def of_counted_columns(function: Callable[..., object], options: Mapping[str, Any]) -> Mapping[str, Any]:
    """The options, with the columns of counted cases under the names that the function has for them."""
    counted = [name for name in options if isinstance(name, CountedColumn)]
    if not counted:
        return options
    rest = {name: value for name, value in options.items() if name not in counted}
    own = [name for name in signature(function).parameters if name.startswith("y_") and name != "y_true"]
    if own == ["y_scores"]:
        return {"y_scores": {name.model: options[name] for name in counted}, **rest}
    if len(own) != len(counted):
        raise TypeError(f"{function.__name__} takes {' and '.join(own) or 'no scores'}, got {len(counted)} counted.")
    return {**{name: options[column] for name, column in zip(own, counted, strict=True)}, **rest}


def way_to_call(function: Callable[..., object], args: Sequence[object], options: Mapping[str, object]) -> str:
    takes = {name: each for name, each in signature(function).parameters.items() if name not in ("cls", "self")}
    if any(type(each).__name__ == "AggregatedScores" for each in args):
        return f" Unpack the counted cases with two stars: {function.__name__}(**counted, ...)."
    if unknown := [name for name in options if name not in takes]:
        return f"{option_meant(unknown[0], takes)} It takes {', '.join(takes)}."
    by_name = [name for name, each in takes.items() if each.kind is each.KEYWORD_ONLY]
    return f" These are passed by name: {', '.join(by_name)}." if len(args) > len(takes) - len(by_name) else ""
