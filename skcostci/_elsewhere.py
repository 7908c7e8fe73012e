"""Names of statistics in scikit-learn and elsewhere, and the corresponding calls here."""

from __future__ import annotations

import re
from collections.abc import Callable
from inspect import isfunction, signature

import sklearn.metrics

SHORT = {
    **dict.fromkeys(("auc", "auroc", "roc_auc_score"), "roc_auc"),
    **dict.fromkeys(("ap", "auprc", "pr_auc", "average_precision_score"), "average_precision"),
    **dict.fromkeys(("brier", "brier_score_loss"), "brier_score"),
    **dict.fromkeys(("logloss", "cross_entropy"), "log_loss"),
    **{"mse": "mean_squared_error", "mae": "mean_absolute_error", "rmse": "root_mean_squared_error"},
    **{"mape": "mean_absolute_percentage_error", "zero_one": "zero_one_loss"},
}
RATIO = "(f1|precision|recall|jaccard)"
CALLS = {  # pattern of a whole name, and the call for it
    r"roc_auc": "bootstrap_auc(y_true, y_score)",
    r"roc_auc_(ov[or])": r'bootstrap_auc(y_true, y_score, multi_class="\1")',
    r"roc_auc_(ov[or])_weighted": r'bootstrap_auc(y_true, y_score, multi_class="\1", average="weighted")',
    r"average_precision": "bootstrap_average_precision(y_true, y_score)",
    r"brier_score": 'bootstrap_loss(y_true, y_pred, "brier")',
    r"log_loss": 'bootstrap_loss(y_true, y_pred, "log_loss")',
    r"mean_(squared|absolute)_error": r'bootstrap_loss(y_true, y_pred, "\1_error")',
    r"zero_one_loss": 'bootstrap_loss(y_true, y_pred, "zero_one")',
    rf"{RATIO}(?:_score)?_(macro|micro|weighted)": r'bootstrap_metric(y_true, y_pred, "\1", average="\2")',
    rf"{RATIO}(?:_score)?_samples": r"bootstrap_metric(y_true, y_pred, functools.partial(sklearn.metrics.\1_score, "
    r'average="samples"))',
    r"(f1|precision|recall|jaccard|accuracy|balanced_accuracy)_score": r'bootstrap_metric(y_true, y_pred, "\1")',
    r"f(?:beta|[02-9][\d.]*)(?:_score)?": "bootstrap_metric(y_true, y_pred, Metric.fbeta(2))",
    r"cohen_kappa_score": 'bootstrap_metric(y_true, y_pred, "kappa")',
    r"hamming_loss": 'bootstrap_metric(y_true, y_pred, "hamming")',
    r"(positive|negative)_likelihood_ratio": r'bootstrap_metric(y_true, y_pred, "lr_\1")',
    r"class_likelihood_ratios": 'bootstrap_metric(y_true, y_pred, "lr_positive")',
}
OF_ONE_CASE = ("median_absolute_error", "max_error")  # set by one or two cases, whatever the weights
FUNCTION = re.compile(r"\w+_(score|loss|error|deviance)")
ENDS = ("", "_score", "_loss")  # endings of a function's name that a scorer's name leaves out


def way_to(name: str) -> str:
    """A sentence about the call for a statistic with this name elsewhere, or an empty text."""
    plain = name.lower().removeprefix("neg_")
    plain = SHORT.get(plain, plain)
    if plain in OF_ONE_CASE:
        return ' One or two cases decide it. For the mean error use bootstrap_loss(y_true, y_pred, "absolute_error").'
    matches = ((re.fullmatch(pattern, plain), call) for pattern, call in CALLS.items())
    ways = [f"use {match.expand(call)}" for match, call in matches if match]
    function = next((plain + end for end in ENDS if plain + end in sklearn.metrics.__all__), "")
    if FUNCTION.fullmatch(function):
        if "sample_weight" in signature(getattr(sklearn.metrics, function)).parameters:
            ways.append(f"pass the function sklearn.metrics.{function} itself, which metric= and statistic= accept")
        else:
            ways.append(f"it is not available here, as scikit-learn's {function} has no sample_weight")
    said = ", or ".join(ways)
    return f" {said[:1].upper()}{said[1:]}." if said else ""


def function_named(name: str) -> Callable[..., object] | None:
    """The function of sklearn.metrics with this name, or of the scorer with it; None if it takes no weights."""
    found = next((name + end for end in ENDS if name + end in sklearn.metrics.__all__), "")
    if not found or found in OF_ONE_CASE:
        return None
    function: Callable[..., object] = getattr(sklearn.metrics, found)
    if not isfunction(function):  # classes, and the module of clustering scores
        return None
    takes = signature(function).parameters
    needed = [name for name, each in takes.items() if each.default is each.empty]  # such as the beta of F-beta
    return function if needed[:1] == ["y_true"] and len(needed) <= 2 and "sample_weight" in takes else None


def response_of(name: str) -> str | tuple[str, ...]:
    """The method of an estimator whose output such a function evaluates."""
    if name.startswith("d2_log_loss"):
        return "predict_proba"
    ranks = name.startswith(("top_k", "label_ranking", "coverage", "dcg", "ndcg"))
    return ("decision_function", "predict_proba") if ranks else "predict"


def check_no_scorer(name: str, function: Callable[..., object]) -> None:
    """Raise for a scorer, which evaluates estimators, where a function of truth and predictions is expected."""
    try:
        takes = next(iter(signature(function).parameters), "")
    except (TypeError, ValueError):  # builtins may have no signature
        return
    if takes == "estimator":
        raise TypeError(
            f"{name} must be a function of y_true and y_pred, got {function!r}, a scorer, which takes an "
            "estimator. Pass the function that the scorer was made from, or a name."
        )
