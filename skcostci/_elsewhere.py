"""Names of statistics in scikit-learn and elsewhere, and what they are called here."""

from __future__ import annotations

from collections.abc import Callable
from inspect import isfunction, signature

import sklearn.metrics

OTHER_NAMES = {  # names of scikit-learn and others that are accepted, and the names here
    **dict.fromkeys(("roc_auc", "roc_auc_score"), "auc"),
    **dict.fromkeys(("brier_score", "brier_score_loss"), "brier"),
    **{"average_precision_score": "average_precision", "zero_one_loss": "zero_one", "equal_error_rate": "eer"},
    **{"mean_squared_error": "squared_error", "mean_absolute_error": "absolute_error"},
}
MEANT = {  # names typed from memory, and what to write instead
    **{name: f"'{ours}'" for name, ours in OTHER_NAMES.items()},
    **dict.fromkeys(("auroc", "auc_roc", "aucroc"), "'roc_auc'"),
    **dict.fromkeys(("ap", "auprc", "pr_auc", "auc_pr"), "'average_precision'"),
    **dict.fromkeys(("logloss", "cross_entropy", "log_loss"), "'log_loss'"),
    **{"mse": "'squared_error'", "rmse": "'root_mean_squared_error'", "mape": "'mean_absolute_percentage_error'"},
    **dict.fromkeys(("mae", "median_absolute_error", "max_error"), "'absolute_error'"),
    **{"dice": "'f1'", "iou": "'jaccard'", "informedness": "'youden'", "qwk": "'kappa', kappa_weights='quadratic'"},
    **{"true_positive_rate": "'recall'", "true_negative_rate": "'specificity'"},
    **{"false_positive_rate": "'fpr'", "false_negative_rate": "'fnr'"},
    **{"f2": "Metric.fbeta(2)", "f0.5": "Metric.fbeta(0.5)", "fbeta": "Metric.fbeta(beta)"},
    "fbeta_score": "Metric.fbeta(beta)",
}
OF_ONE_CASE = ("median_absolute_error", "max_error")  # set by one or two cases, whatever the weights
ENDS = ("", "_score", "_loss")  # endings of a function's name that a scorer's name leaves out


def meant_by(name: str) -> str:
    """The head of a message about a name that is used elsewhere, or an empty text."""
    plain = name.lower().removeprefix("neg_")
    if plain in MEANT:
        return f"For {name!r} write {MEANT[plain]}. "
    functions = filter(isfunction, (getattr(sklearn.metrics, plain + end, None) for end in ENDS))
    unweighted = any("sample_weight" not in signature(function).parameters for function in functions)
    return f"{name!r} is not available: scikit-learn's function has no sample_weight. " if unweighted else ""


def function_named(name: str) -> Callable[..., object] | None:
    """The function of sklearn.metrics, or of a scorer, of this name; None if arguments or OF_ONE_CASE exclude it."""
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
    """The method of an estimator (several: the first it has) whose output the function of this name evaluates."""
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
            f"{name} must be a function of y_true and y_pred, got the scorer {function!r}: pass its function."
        )
