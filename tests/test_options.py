"""Every option that a statistic says it takes is taken by what computes it."""

import re

import numpy as np
import pytest

import skcostci as sk

RNG = np.random.default_rng(0)
EVENT = RNG.permutation(np.repeat([0, 1], 40))
SCORES = {name: np.clip(0.3 + 0.3 * EVENT + RNG.normal(0, 0.2, 80), 0.01, 0.99) for name in "ab"}
TIME = RNG.exponential(size=80) + EVENT * 0.1
VALUES = {
    "sampling": "full",
    "max_fpr": 0.5,
    "standardize": False,
    "multi_class": "raise",
    "average": "macro",
    "labels": [0, 1],
    "prevalence": 0.2,
    "probability_cost": 0.3,
    "thresholds": 0.5,
    "normalizer": "mean",
    "least": 0.0,
    "most": 30.0,
    "greater_is_better": False,
    "time": TIME,
    "horizon": 1.0,
    "integrated": False,
}
BESIDE = {
    "standardize": ("max_fpr",),
    "time": ("horizon",),
    "horizon": ("time",),
    "event": ("time", "horizon"),
    "integrated": ("time", "horizon"),
}  # options that need another
STATISTICS = (
    *("auc", "average_precision", "cost", "mean", "pearson", "concordance"),
    *("sensitivity_at_specificity", "specificity_at_sensitivity", "tpr_at_fpr", "fpr_at_tpr"),
    *("brier", "log_loss", "ranked_probability_score", "squared_error", "absolute_error", "zero_one"),
)


def stated(name):
    """The options that a message says a statistic takes."""
    with pytest.raises(TypeError) as raised:
        sk.compare_models(EVENT, SCORES, name, unknown=1)
    return re.findall("'(.*?)'", str(raised.value).split("it takes ")[1].split(".")[0])


STATED = [(name, option) for name in STATISTICS for option in stated(name)]
# The classes of numbers, or of columns with one score per case: the message says so.
OF_CLASSES = {(name, "labels") for name in ("auc", "average_precision", "squared_error", "absolute_error")}


@pytest.mark.parametrize(("name", "option"), STATED)
def test_an_option_that_a_statistic_takes_is_taken(name, option):
    needs = ("probability_cost",) if name == "cost" else ()
    given = {each: VALUES.get(each, 0.6) for each in (option, *needs, *BESIDE.get(option, ()))}
    if name == "concordance":
        given = {"time": TIME}
    y_true = None if name == "mean" else EVENT
    if option == "event":
        y_true, given = None, {**given, "event": EVENT}
    columns = {each: np.round(column) for each, column in SCORES.items()} if name == "zero_one" else SCORES
    if (name, option) in OF_CLASSES:
        with pytest.raises(ValueError, match=r"label|class"):
            sk.compare_models(y_true, columns, name, **given)
    else:
        assert np.isfinite(sk.compare_models(y_true, columns, name, **given).estimate).all()
