"""Labels of classes and of groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcostci._arrays import Floats, Integers, Weights, as_vector

Labels = Sequence[Any] | NDArray[Any]

MOST_CLASSES = 1_000


def check_groups(groups: ArrayLike) -> NDArray[Any]:
    """Labels of groups, none of them missing."""
    members = check_label_column("groups", groups)
    if members.dtype == object and any(label is None for label in members.tolist()):
        raise ValueError("groups must name a group for every case, got None.")
    return members


def number_groups(members: NDArray[Any], weights: Weights | None) -> Integers | None:
    """The groups as whole numbers from 0 on; None where each is a single case, which is no group."""
    numbers = number_labels(members)
    sizes = np.bincount(numbers, weights)
    if len(sizes) == 1:
        raise ValueError(
            f"groups must name at least two groups of cases, got only one: {members[:1].tolist()[0]!r}. From a single "
            "one nothing can be learned about how groups differ."
        )
    return None if sizes.max() == 1 else numbers


def is_positive(name: str, column: NDArray[Any], labels: tuple[Any, Any]) -> Floats:
    """1 where a predicted label is the positive one, 0 where it is the other."""
    negative, positive = (np.asarray(column == label, dtype=bool) for label in labels)
    if not (negative | positive).all():
        wrong = column[np.argmin(negative | positive) :][:1].tolist()[0]
        raise ValueError(
            f"{name} must hold the labels {labels[0]!r} and {labels[1]!r} where no thresholds are given, got {wrong!r}."
        )
    return positive.astype(np.float64)


def number_labels(labels: NDArray[Any]) -> Integers:
    """The position of each label among the distinct ones; whole numbers close together cost no sort."""
    if labels.dtype.kind in "iu" and int(labels.max()) - int(labels.min()) < 4 * len(labels):
        places = (labels - labels.min()).astype(np.int64)
        return np.asarray((np.cumsum(np.bincount(places) > 0) - 1)[places], dtype=np.int64)
    try:
        return np.unique(labels, return_inverse=True)[1].ravel().astype(np.int64)
    except (TypeError, ValueError):  # labels of several kinds have no order
        known: dict[Any, int] = {}
        return np.array([known.setdefault(label, len(known)) for label in labels.tolist()], dtype=np.int64)


def check_labels(
    labels: NDArray[Any],
    pos_label: Any = None,
    *,
    predicted: Mapping[str, NDArray[Any]] | None = None,
    both_classes: bool = True,
    either: bool = False,
) -> tuple[Any, Any]:
    """The negative and the positive label, by scikit-learn's rule for ``pos_label``.

    Where not ``both_classes`` need occur, ``predicted`` labels tell what the other is called. ``either`` may be called
    positive where what is asked does not depend on it.
    """
    classes = _two_classes(labels) if both_classes else _known_classes(labels, predicted or {})
    if type(pos_label).__hash__ is None:
        raise TypeError(f"pos_label must be one label, one of {classes}, got {type(pos_label).__name__} values.")
    if pos_label is None:
        conventional = set(classes) <= {0, 1} or set(classes) <= {-1, 1}
        if not conventional and not either:
            raise ValueError(
                f"y_true takes value in {{{', '.join(map(repr, classes))}}} and pos_label is not specified: either "
                "make y_true take value in {0, 1} or {-1, 1} or pass pos_label explicitly."
            )
        pos_label = 1 if conventional else classes[-1]
    if pos_label not in classes and len(classes) == 2:
        raise ValueError(f"pos_label={pos_label!r} is not a valid label. It must be one of {classes}.")
    others = [label for label in classes if label != pos_label]
    return others[0] if others else 0 if pos_label == 1 else None, pos_label


def _known_classes(labels: NDArray[Any], predicted: Mapping[str, NDArray[Any]]) -> list[Any]:
    """One class, or two: those of the cases, and where these are alike the predicted ones too."""
    if len(_distinct("y_true", labels)) > 1:
        return _two_classes(labels)
    known = sorted_labels({"y_true": labels, **predicted})
    if len(known) > 2:
        raise ValueError(
            f"y_true and {' and '.join(predicted)} must hold two labels together, got {len(known)}: "
            f"{shown_labels(known)}."
        )
    return known


def check_label_column(name: str, values: ArrayLike) -> NDArray[Any]:
    """A vector of labels of any kinds, none of them NaN."""
    labels = as_vector(name, values)
    try:
        missing = (labels != labels).any()
    except (TypeError, ArithmeticError):  # pandas.NA and a signalling NaN are neither equal nor unequal
        missing = True
    if missing:
        raise ValueError(f"{name} must not contain NaN.")
    return labels


def _is_numeric(labels: NDArray[Any]) -> bool:
    return labels.dtype.kind in "biuf"


def _two_classes(labels: NDArray[Any]) -> list[Any]:
    """The two distinct labels in order; numbers cost two passes and no sort."""
    if _is_numeric(labels):
        extremes = [labels.min().item(), labels.max().item()]
        if extremes[0] < extremes[1] and np.all((labels == extremes[0]) | (labels == extremes[1])):
            return extremes
    classes = _distinct("y_true", labels)
    if len(classes) == 1:
        raise ValueError(f"y_true must hold both classes, got only one: {classes[0]!r}.")
    if len(classes) > 2:
        shown = ", ".join(map(repr, classes[:5])) + (", ..." if len(classes) > 5 else "")
        raise ValueError(
            f"y_true must be binary: multiclass format is not supported, got {len(classes)} classes ({shown}). For one "
            f"class against the rest pass y_true == {classes[0]!r} and the scores for that class; the AUC of all "
            "classes is bootstrap_auc's with multi_class='ovr' or 'ovo'."
        )
    return classes


def check_number_of_classes(labels: Labels) -> None:
    """Few enough for a table of what is taken for what."""
    if len(labels) > MOST_CLASSES:
        raise ValueError(f"y_true and labels must name at most {MOST_CLASSES:,} classes, got {len(labels):,}.")


def check_label_list(labels: ArrayLike) -> list[Any]:
    """The labels a user lists, in that order."""
    known: list[Any] = as_vector("labels", labels).tolist()
    if len(set(known)) < len(known):
        raise ValueError(f"labels must be distinct, got {shown_labels(known)}.")
    return known


def sorted_labels(columns: Mapping[str, NDArray[Any]]) -> list[Any]:
    """All labels that occur, in order."""
    found: set[Any] = set()
    for name, values in columns.items():
        found |= set(_distinct(name, values))
    try:
        return sorted(found)
    except TypeError:
        raise TypeError(
            f"{' and '.join(columns)} must hold labels of one kind, got a mix of kinds that cannot be ordered."
        ) from None


def _distinct(name: str, values: NDArray[Any]) -> list[Any]:
    """The distinct labels of a column."""
    labels: list[Any] = unique_labels(name, values).tolist()
    if any(label != label for label in labels):
        raise ValueError(f"{name} must not contain NaN.")
    return labels


def unique_labels(name: str, values: NDArray[Any]) -> NDArray[Any]:
    """The distinct labels of a column in order, which those of several kinds do not have."""
    try:
        return np.unique(values)
    except ArithmeticError:  # of decimals that are no numbers
        raise ValueError(f"{name} must not contain NaN.") from None
    except (TypeError, ValueError):
        raise TypeError(
            f"{name} must hold labels of one kind, none of them missing, got some that cannot be ordered."
        ) from None


def label_positions(name: str, values: NDArray[Any], known: list[Any]) -> Integers:
    """Where each value stands among the known labels."""
    distinct = unique_labels(name, values)
    codes = np.searchsorted(distinct, values)
    place = {label: position for position, label in enumerate(known)}
    unknown = [label for label in distinct.tolist() if label not in place]
    if unknown:
        raise ValueError(f"{name} holds {unknown[0]!r}, which is not among labels={known}.")
    return np.array([place[label] for label in distinct.tolist()], dtype=np.int64)[codes]


def shown_labels(labels: Labels) -> str:
    return f"[{', '.join(map(repr, labels[:5]))}{', ...' if len(labels) > 5 else ''}]"
