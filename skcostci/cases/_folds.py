"""Out-of-fold scores: the cases of each fold, which a model of its own has scored."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike, NDArray

from skcostci._validation import Integers, check_frequency_weights, check_label_column, check_lengths, number_labels
from skcostci.cases._cases import Cases

MOST_FOLDS = 1_000  # each has a law of its own


def split_folds(cases: Cases, folds: ArrayLike, sample_weight: ArrayLike | None) -> list[Cases]:
    """Checked cases fold by fold; ``folds`` and ``sample_weight`` are as a user gave them, a row a case or weight 0."""
    members = check_label_column("folds", folds)
    if sample_weight is not None:
        weights = check_frequency_weights(sample_weight)
        check_lengths({"folds": members, "sample_weight": weights})
        members = members[weights > 0]
    check_lengths({"y_true": cases.truth, "folds": members})
    names, numbers = number_folds(members)
    parts = [cases.part(numbers == number) for number in names]
    for name, part in zip(names.values(), parts, strict=True):
        if 0 in part.sizes:
            raise ValueError(f"every fold must hold both classes; fold {name!r} has one.")
    return parts


def number_folds(members: NDArray[Any]) -> tuple[dict[int, Any], Integers]:
    """What each fold is called, by its number and in the order in which folds turn up, and the number of each row."""
    numbers = number_labels(members)
    names = dict(zip(numbers.tolist(), members.tolist(), strict=True))
    if len(names) == 1:
        raise ValueError(f"folds must name at least two folds, got only {names[0]!r}.")
    if len(names) > MOST_FOLDS:
        raise ValueError(f"folds must name at most {MOST_FOLDS:,} folds, got {len(names):,}.")
    if len(names) > len(members) // 2:
        raise ValueError(
            f"folds must say of each case which model has scored it, got {len(names)} folds of {len(members)} cases."
        )
    return names, numbers
