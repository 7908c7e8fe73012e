"""From estimators to scores: of a fitted classifier, and of those that cross-validation left behind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import is_classifier
from sklearn.utils import check_consistent_length
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted

from skcostci._options import ScoreMethod
from skcostci._validation import as_array, as_vector, check_label_column, check_names
from skcostci.cases._cases import Cases

AUTO = ("predict_proba", "decision_function")


def check_target(y: ArrayLike, name: str = "y") -> None:
    """Two classes at most, in scikit-learn's words."""
    with np.errstate(invalid="ignore"):  # scikit-learn looks for whole numbers before it looks for NaN
        kind = type_of_target(as_array(name.strip("`"), y), input_name=name.strip("`"))
    if kind != "binary":
        raise ValueError(f"The target {name} is not binary. Got {kind} type of target.")


def score_cases(estimator: Any, X: Any, response_method: ScoreMethod, pos_label: Any) -> tuple[NDArray[Any], Any]:
    """A fitted binary classifier's scores of the positive class, and which class that is."""
    check_is_fitted(estimator)
    if not is_classifier(estimator):
        raise ValueError(f"Expected 'estimator' to be a binary classifier. Got {type(estimator).__name__} instead.")
    classes = np.asarray(estimator.classes_).tolist()
    if len(classes) != 2:
        raise ValueError(f"Expected 'estimator' to be a binary classifier. Got {len(classes)} classes instead.")
    positive = classes[1] if pos_label is None else pos_label
    if positive not in classes:
        raise ValueError(f"pos_label={positive!r} is not a valid label: It should be one of {classes}.")
    name = _response_method(estimator, AUTO if response_method == "auto" else (response_method,))
    response = np.asarray(getattr(estimator, name)(X))
    if name == "decision_function" and response.ndim == 2 and response.shape[1] == 1:
        response = response[:, 0]
    if name == "predict_proba":
        return response[:, classes.index(positive)], positive
    return (response if positive == classes[1] else -response), positive


def score_classes(estimator: Any, X: Any, y: ArrayLike, response_method: ScoreMethod) -> NDArray[Any]:
    """A fitted classifier's scores of each of several classes, these in order, as those of labels are taken to be."""
    check_is_fitted(estimator)
    classes = np.asarray(estimator.classes_)
    unknown = [label for label in check_names("y", y)[0] if label not in classes.tolist()]
    if unknown:
        raise ValueError(
            f"y must hold classes that the estimator was fitted to, {classes.tolist()}, got {unknown[0]!r}."
        )
    name = _response_method(estimator, AUTO if response_method == "auto" else (response_method,))
    response: NDArray[Any] = np.asarray(getattr(estimator, name)(X))[:, np.argsort(classes)]
    return response


def score_two(
    estimators: tuple[Any, Any],
    X: Any,
    response_method: ScoreMethod,
    pos_label: Any,
    names: tuple[str | None, str | None],
) -> tuple[tuple[NDArray[Any], NDArray[Any]], Any, tuple[str, str]]:
    """The scores that two fitted binary classifiers give, the positive class of the first, and what they are called."""
    score_a, positive = score_cases(estimators[0], X, response_method, pos_label)
    score_b, _ = score_cases(estimators[1], X, response_method, positive)
    a, b = (type(each).__name__ for each in estimators)
    if a == b:
        a, b = f"{a} (a)", f"{b} (b)"
    return (score_a, score_b), positive, (a if names[0] is None else names[0], b if names[1] is None else names[1])


def one_vs_rest(
    y_true: ArrayLike,
    y_score: ArrayLike,
    pos_label: Any,
    sample_weight: ArrayLike | None,
    groups: ArrayLike | None,
) -> dict[Any, Cases]:
    """Checked cases of a class against the rest by its label, or of each class."""
    checked = Cases.check_class_scores(y_true, {"y_score": y_score})  # weights would drop rows that groups still have
    if pos_label is not None and pos_label not in checked.labels:
        raise ValueError(f"pos_label={pos_label!r} is not a valid label: It should be one of {list(checked.labels)}.")
    found = {}
    for place, label in enumerate(checked.labels):
        if pos_label is None or label == pos_label:
            one = {"y_score": checked.columns["y_score"][:, place]}
            cases = check_scores(checked.truth == place, one, True, sample_weight, groups)
            found[label] = replace(cases, labels=["rest", label])
    return found


def _response_method(estimator: Any, names: Sequence[str]) -> str:
    """The first of these methods that the estimator has, if it is one that gives scores."""
    for name in names:
        if hasattr(estimator, name):
            if name not in AUTO:
                raise ValueError(f"response_method must be 'auto', {' or '.join(map(repr, AUTO))}, got {name!r}.")
            return name
    raise AttributeError(f"{type(estimator).__name__} has none of the following attributes: {', '.join(names)}.")


def check_scores(
    y_true: ArrayLike,
    scores: Mapping[str, ArrayLike],
    pos_label: Any,
    sample_weight: ArrayLike | None,
    groups: ArrayLike | None,
) -> Cases:
    """Checked cases, the target in scikit-learn's words first."""
    check_target(y_true)
    return Cases.check(y_true, scores, pos_label=pos_label, sample_weight=sample_weight, groups=groups)


def score_folds(
    cv_results: Mapping[str, Any],
    X: Any,
    y: ArrayLike,
    sample_weight: ArrayLike | None,
    groups: ArrayLike | None,
    response_method: ScoreMethod,
    pos_label: Any,
) -> tuple[list[Cases], Cases]:
    """The cases of each fold, scored by the estimator that has not seen them, and all tested cases with mean scores.

    If no fold holds both classes, there are none to be looked at by themselves.
    """
    _check_cv_results(cv_results, X, y, sample_weight, groups)
    labels = check_label_column("y", y)
    weights = None if sample_weight is None else as_vector("sample_weight", sample_weight)
    members = None if groups is None else as_vector("groups", groups)
    tests = [np.asarray(test) for test in cv_results["indices"]["test"]]
    scored = [
        score_cases(estimator, _rows(X, test), response_method, pos_label)
        for estimator, test in zip(cv_results["estimator"], tests, strict=True)
    ]
    positive = scored[0][1]

    def checked(cases: NDArray[Any], scores: NDArray[Any]) -> Cases:
        part, group = (None if each is None else each[cases] for each in (weights, members))
        return Cases.check(labels[cases], {"y_score": scores}, pos_label=positive, sample_weight=part, groups=group)

    whole = [len(np.unique(labels[test])) == 2 for test in tests]
    if any(whole) and not all(whole):
        raise ValueError(f"every fold must hold both classes; the test part of fold {whole.index(False)} has one.")
    folds = [checked(test, scores) for test, (scores, _) in zip(tests, scored, strict=True) if whole[0]]
    return folds, checked(*_mean_scores(tests, [scores for scores, _ in scored]))


def check_apart(folds: Sequence[Cases], pool: Cases) -> None:
    """Folds that are samples of their own: no case in two of them, none that belongs with others, both classes each."""
    if not folds:
        raise ValueError("together='mean' needs folds whose test parts hold both classes, got none. Pass 'pooled'.")
    if pool.groups is not None:
        raise ValueError("groups and together='mean' are not combined: cases of a group may be in several folds.")
    if tested_again(folds, pool):
        raise ValueError(
            f"together='mean' needs folds of their own cases, each tested once, got {len(pool.truth)} cases tested "
            f"{_tested(folds)} times: repeats make the mean over folds no more certain. Pass one repeat."
        )


def tested_again(folds: Sequence[Cases], pool: Cases) -> bool:
    """Whether some case is in several folds, as in repeated and shuffled splits."""
    return _tested(folds) > len(pool.truth)


def _tested(folds: Sequence[Cases]) -> int:
    """How often cases are tested."""
    return sum(len(fold.truth) for fold in folds)


def _mean_scores(tests: Sequence[NDArray[Any]], scores: Sequence[NDArray[Any]]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Each case that was tested, and the mean of the scores it was given."""
    cases, place = np.unique(np.concatenate(tests), return_inverse=True)
    return cases, np.bincount(place, np.concatenate(scores)) / np.bincount(place)


def _check_cv_results(cv_results: Mapping[str, Any], X: Any, y: ArrayLike, *others: ArrayLike | None) -> None:
    """What scikit-learn checks of its own cross-validation's results, in its words."""
    if not {"estimator", "indices"} <= set(cv_results):
        raise ValueError(
            "`cv_results` does not contain one of the following required keys: {'estimator', 'indices'}. "
            "Set explicitly the parameters `return_estimator=True` and `return_indices=True` to the function "
            "`cross_validate`."
        )
    expected = sum(len(cv_results["indices"][part][0]) for part in ("train", "test"))
    given = X.shape[0] if hasattr(X, "shape") else len(X)
    if given != expected:
        raise ValueError(f"`X` does not contain the correct number of samples. Expected {expected}, got {given}.")
    check_target(y, "`y`")
    check_consistent_length(X, y, *others)


def _rows(X: Any, rows: NDArray[Any]) -> Any:
    """Some rows of a frame, a table, an array, a sparse matrix or a list."""
    if hasattr(X, "iloc"):
        return X.iloc[rows]
    if hasattr(X, "column_names"):
        return X.take(rows)  # pyarrow's, whose brackets are for columns
    return X[rows] if hasattr(X, "shape") else [X[row] for row in rows]
