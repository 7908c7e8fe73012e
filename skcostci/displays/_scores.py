"""Checks of what is drawn: estimators and their scores, targets, and the cases that have these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import is_classifier
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted

from skcostci._arrays import NamedColumns, Scores, as_array
from skcostci._options import Label, ScoreMethod
from skcostci._validation._labels import check_label_column, check_names
from skcostci._validation._rows import UnitOptions
from skcostci.cases._cases import Cases

AUTO = ("predict_proba", "decision_function")  # the methods that "auto" tries, in this order


class ScoredRows(UnitOptions, total=False):
    pos_label: Label | None


def check_target(y: ArrayLike, name: str = "y") -> None:
    with np.errstate(invalid="ignore"):  # scikit-learn checks for whole numbers before it checks for NaN
        kind = type_of_target(as_array(name.strip("`"), y), input_name=name.strip("`"))
    if kind == "unknown":  # scikit-learn's type of infinite labels together with whole ones
        check_label_column(name, y)
    if kind != "binary":
        raise ValueError(f"The target {name} is not binary. Got {kind} type of target.")


def check_estimator(called: str, estimator: object) -> None:
    if isinstance(estimator, type):
        kind = estimator.__name__
        raise TypeError(f"{called} must be a fitted classifier, got the class {kind}: pass {kind}().fit(X, y).")
    if not hasattr(estimator, "fit"):
        raise TypeError(f"{called} must be a fitted classifier, got {estimator!r}.")
    check_is_fitted(estimator)


def score_cases(
    estimator: Any,
    X: object,
    response_method: ScoreMethod = "auto",
    pos_label: Label | None = None,
    called: str = "estimator",
) -> tuple[Scores, Any]:
    """A fitted binary classifier's scores of the positive class, and the label of that class."""
    check_estimator(called, estimator)
    if not is_classifier(estimator):
        raise ValueError(f"Expected 'estimator' to be a binary classifier. Got {type(estimator).__name__} instead.")
    classes = np.asarray(estimator.classes_).tolist()
    if len(classes) != 2:
        raise ValueError(f"Expected 'estimator' to be a binary classifier. Got {len(classes)} classes instead.")
    positive = classes[1] if pos_label is None else pos_label
    if positive not in classes:
        raise ValueError(f"pos_label={positive!r} is not a valid label: It should be one of {classes}.")
    name, response = _response(estimator, X, response_method)
    if name == "decision_function" and response.ndim == 2 and response.shape[1] == 1:
        response = response[:, 0]
    if name == "predict_proba":
        return response[:, classes.index(positive)], positive
    return (response if positive == classes[1] else -response), positive


def score_classes(estimator: Any, X: object, y: ArrayLike, response_method: ScoreMethod = "auto") -> Scores:
    """A fitted classifier's scores per class, in columns named by the classes."""
    check_estimator("estimator", estimator)
    classes = np.asarray(estimator.classes_)
    unknown = [label for label in check_names("y", y)[0] if label not in classes.tolist()]
    if unknown:
        raise ValueError(f"y must have only classes of the estimator, {classes.tolist()}, got {unknown[0]!r}.")
    return NamedColumns.of(_response(estimator, X, response_method)[1], classes.tolist())


def _response(estimator: object, X: object, response_method: ScoreMethod) -> tuple[str, Scores]:
    """The name of the first requested method that the estimator has, one of AUTO, and the scores that it returns."""
    possible = f"response_method must be 'auto', {' or '.join(map(repr, AUTO))}"
    if not isinstance(response_method, str):
        raise TypeError(f"{possible}, got {response_method!r}.")
    names = AUTO if response_method == "auto" else (response_method,)
    for name in names:
        if hasattr(estimator, name):
            if name not in AUTO:
                raise ValueError(f"{possible}, got {name!r}.")
            return name, np.asarray(getattr(estimator, name)(X))
    hint = "" if set(names) <= set(AUTO) else f" {possible}."
    raise AttributeError(f"{type(estimator).__name__} has none of the following attributes: {', '.join(names)}.{hint}")


def check_scores(y_true: ArrayLike, scores: Mapping[str, ArrayLike], **rows: Unpack[ScoredRows]) -> Cases:
    check_target(y_true)
    return Cases.check(y_true, scores, **rows)


def one_vs_rest(
    y_true: ArrayLike, y_score: ArrayLike, pos_label: Label | None = None, **units: Unpack[UnitOptions]
) -> dict[Label, Cases]:
    """Checked cases of each class against the rest, by label; of ``pos_label`` alone if it is given."""
    # Without weights: rows of weight 0 would be left out here, but not from the groups and weights used below.
    checked = Cases.check_class_scores(y_true, {"y_score": y_score})
    if pos_label is not None and pos_label not in checked.labels:
        raise ValueError(f"pos_label={pos_label!r} is not a valid label: It should be one of {list(checked.labels)}.")
    found = {}
    for place, label in enumerate(checked.labels):
        if pos_label is None or label == pos_label:
            scores = {"y_score": checked.columns["y_score"][:, place]}
            cases = check_scores(checked.truth == place, scores, pos_label=True, **units)
            found[label] = replace(cases, labels=("rest", label))
    return found
