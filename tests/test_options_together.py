"""Any two options of any statistic: the answer is whole, or what cannot be answered is refused by a line of ours.

An error that numpy, scipy or Python raises inside is a fault, whatever it says: nobody thought of these together.
"""

import inspect
import linecache
import re
import traceback
import warnings
from functools import partial
from itertools import combinations

import numpy as np
import pytest
from statistics_list import COMPARED, STATISTICS, Cases, Statistic

import skcostci as sk

N = 48
RNG = np.random.default_rng(3)
Y = np.tile([0, 1, 1, 0, 0, 1], N // 6)
GIVEN = Cases(Y, tuple(np.round(Y - 0.5 + RNG.normal(size=(2, N)), 1)))
WEIGHTS, GROUPS, FOLDS = RNG.integers(1, 4, N), np.arange(N) // 4, np.arange(N) // 16
CHECKED = {"checked": np.arange(N) % 2 == 0}
WAYS = {
    "counts": {"sample_weight": WEIGHTS},
    "importance": {"sample_weight": WEIGHTS + RNG.random(N), "weight_type": "importance"},
    "groups": {"groups": GROUPS},
    "folds": {"folds": FOLDS},
    "crossed": {"crossed": np.arange(N) % 4, "groups": GROUPS},
    "a judge's labels": {"proxy": np.where(np.arange(N) % 7 == 0, 1 - Y, Y), **CHECKED},
    "a judge's probabilities": {"proxy": 0.8 * Y + 0.2 * RNG.random(N), **CHECKED},
    "full": {"sampling": "full"},
    "stratified": {"sampling": "stratified"},
    "prevalence": {"prevalence": 0.2},
    "sampled prevalence": {"prevalence": (5, 40)},
    "youden": {"thresholds": "youden"},
    "best": {"thresholds": "best"},
    "resample_size": {"resample_size": 20},
    "partial": {"max_fpr": 0.3},
    "horizon": {"time": 0.1 + 5 * RNG.random(N), "horizon": 3.0},
    "counted": {"normalize": False},
    "least and most": {"least": -9.0, "most": 9.0},
    "zero_division": {"zero_division": 0},
}
NAMED = [Statistic("bootstrap_metric", {"metric": name}, of="labels") for name in ("recall", "mcc", "lr_positive")]
NAMED += [Statistic("bootstrap_metric", {"metric": name}, of="risks") for name in ("log_loss", "ks", "brier_skill")]
SAMPLES = {"": GIVEN, "reversed ": Cases(Y, (0.5 - Y, Y - 0.5))}
SAMPLES["one positive "] = Cases((np.arange(N) == 29).astype(int), GIVEN.scores)
HOSTILE = ("reversed ", "one positive ")
CALLS = {
    f"{sample}{each} {place}": (each.function, partial(each.of_cases, cases), set(each.options))
    for sample, cases in SAMPLES.items()
    for place, each in enumerate([*STATISTICS, *COMPARED, *NAMED])
}
AMOUNTS = {
    "bootstrap_mean of labels": (sk.bootstrap_mean, (Y,)),
    "bootstrap_mean": (sk.bootstrap_mean, GIVEN.scores[:1]),
    "bootstrap_mean_difference": (sk.bootstrap_mean_difference, GIVEN.scores),
    "bootstrap_ratio": (sk.bootstrap_ratio, (Y, 1 + Y + WEIGHTS)),
    "bootstrap_agreement": (sk.bootstrap_agreement, (np.stack([Y, *(GIVEN.scores > np.zeros((2, 1)))], axis=1),)),
}
CALLS |= {name: (function, partial(function, *given), set()) for name, (function, given) in AMOUNTS.items()}


def answers(result):
    """All that a result says, at the default and by each method."""
    if hasattr(result, "to_frame"):
        repr(result), result.to_frame()
    if not callable(getattr(result, "confidence_interval", None)):
        return
    low, high = result.confidence_interval()
    estimate = np.asarray(result.estimate, dtype=float)
    assert ((low <= estimate) & (estimate <= high) | np.isnan(estimate)).all()
    for method in getattr(result, "methods", ()):
        result.confidence_interval(0.9, method=method)
    if hasattr(result, "pvalue"):
        null = {} if "difference" in type(result).__name__.lower() else {"null": 0.5}
        p = np.asarray(result.pvalue(**null), dtype=float)
        assert ((p >= 0) & (p <= 1) | np.isnan(p)).all()
    if hasattr(result, "cdf"):
        result.cdf(0.4), result.quantile(0.3)


def is_ours(error):
    """Whether a ``raise`` of ours made the error."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return "skcostci" in last.filename and "raise" in linecache.getline(last.filename, last.lineno)


@pytest.mark.slow
@pytest.mark.parametrize("name", CALLS)
def test_two_options_are_answered_or_refused_in_our_words(name):
    function, call, given = CALLS[name]
    taken = set(inspect.signature(function).parameters) - given
    ways = [way for way, options in WAYS.items() if set(options) <= taken]
    pairs = [pair for pair in combinations(ways, 2) if "folds" in pair or not name.startswith(HOSTILE)]
    for chosen in [(), *((way,) for way in ways), *pairs]:
        options = {key: value for way in chosen for key, value in WAYS[way].items()}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                answers(call(**options))
            except (ValueError, TypeError) as error:
                if not is_ours(error):
                    raise AssertionError(f"{chosen}: {error}") from error


def refusals():
    """What docstrings say that a parameter does not go with, of the parameters above."""
    by_parameter = {parameter: name for name, way in WAYS.items() for parameter in way}
    for name, (function, _, given) in CALLS.items():
        if name.startswith(HOSTILE):  # the same refusals
            continue
        free = {parameter: way for parameter, way in by_parameter.items() if parameter not in given}
        for parameter, text in re.findall(r"^(\w+) : .*\n((?: +\S.*\n)+)", inspect.getdoc(function), re.MULTILINE):
            refused = " ".join(re.findall(r"Not with ([^.]*)", re.sub(r"\s+", " ", text)))
            others = [free[other] for other in re.findall(r"``(\w+)``", refused) if other in free]
            yield from ((name, free[parameter], other) for other in others if parameter in free)


@pytest.mark.parametrize(("name", "way", "other"), list(refusals()))
def test_what_docstrings_say_does_not_go_together_is_refused(name, way, other):
    with pytest.raises((ValueError, TypeError)) as caught:
        CALLS[name][1](**WAYS[way], **WAYS[other])
    assert is_ours(caught.value)
