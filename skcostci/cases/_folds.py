"""Out-of-fold scores: the cases of each fold, which a model of its own has scored."""

from __future__ import annotations

from numpy.typing import ArrayLike

from skcostci._validation import check_frequency_weights, check_indexes, check_lengths, check_names, row_names
from skcostci.cases._cases import Cases

MOST_FOLDS = 1_000  # each has a law of its own


def split_folds(cases: Cases, folds: ArrayLike, sample_weight: ArrayLike | None) -> list[Cases]:
    """Checked cases fold by fold; ``folds`` and ``sample_weight`` are as a user gave them, a row a case or weight 0."""
    names, numbers = check_names("folds", folds)
    check_indexes({"y_true": cases.index, "folds": row_names(folds)})
    if sample_weight is not None:
        weights = check_frequency_weights(sample_weight)
        check_lengths({"folds": numbers, "sample_weight": weights})
        numbers = numbers[weights > 0]
    check_lengths({"y_true": cases.truth, "folds": numbers})
    present = list(dict.fromkeys(numbers.tolist()))  # in the order in which they turn up
    if len(present) == 1:
        raise ValueError(f"folds must name at least two folds, got only {names[present[0]]!r}.")
    if len(present) > MOST_FOLDS:
        raise ValueError(f"folds must name at most {MOST_FOLDS:,} folds, got {len(present):,}.")
    if len(present) > len(numbers) // 2:
        raise ValueError(
            f"folds must say of each case which model has scored it, got {len(present)} folds of {len(numbers)} cases."
        )
    parts = [cases.part(numbers == number) for number in present]
    for number, part in zip(present, parts, strict=True):
        if 0 in part.sizes:
            raise ValueError(f"every fold must hold both classes; fold {names[number]!r} has one.")
    return parts
