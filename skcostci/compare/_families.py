"""Families of contrasts: which combinations of the models' values are compared, and how their errors are counted.

A family is a function of the models' names that returns a matrix with a row a contrast and a column a model.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from skcostci._validation import Floats, check_not_nan, check_option

FAMILIES = ("pairwise", "reference")


def pairwise(names: Sequence[str]) -> Floats:
    """Each model less each that follows it."""
    first, second = np.triu_indices(len(names), 1)
    return _differences(first.tolist(), second.tolist(), len(names))


def against(names: Sequence[str], reference: str) -> Floats:
    """Each other model less the reference."""
    check_option("reference", reference, names)
    fixed = list(names).index(reference)
    others = [i for i in range(len(names)) if i != fixed]
    return _differences(others, [fixed] * len(others), len(names))


def check_contrasts(contrast: ArrayLike, names: Sequence[str]) -> Floats:
    """A matrix of contrasts: finite, a column a model, each row adding up to 0 and not all 0."""
    matrix = check_not_nan("contrast", contrast)
    if matrix.ndim != 2 or matrix.shape[1] != len(names) or not len(matrix):
        raise ValueError(
            f"contrast must be a matrix with a column for each of the {len(names)} models, got shape {matrix.shape}."
        )
    if not np.isfinite(matrix).all():
        raise ValueError("contrast must be finite.")
    largest = np.abs(matrix).max(axis=1)
    wrong = np.flatnonzero((largest == 0) | (np.abs(matrix.sum(axis=1)) > 1e-9 * largest))
    if wrong.size:
        raise ValueError(f"each row of contrast must add up to 0 and not be 0, got row {wrong[0]}: {matrix[wrong[0]]}.")
    return matrix


def contrast_names(matrix: Floats, names: Sequence[str]) -> tuple[str, ...]:
    """What each contrast is called: ``a - b``, with weights where they are not 1."""
    return tuple(_name(row, names) for row in matrix.tolist())


def _name(row: Sequence[float], names: Sequence[str]) -> str:
    """The models with positive weights, then those with negative ones."""
    terms = [(weight, name) for weight, name in zip(row, names, strict=True) if weight]
    ordered = sorted(terms, key=lambda term: term[0] < 0)
    return " ".join(_term(*term) for term in ordered).removeprefix("+ ")


def _term(weight: float, name: str) -> str:
    factor = "" if abs(weight) == 1 else f"{abs(weight):g} "
    return f"{'-' if weight < 0 else '+'} {factor}{name}"


def _differences(plus: Sequence[int], minus: Sequence[int], n: int) -> Floats:
    matrix = np.zeros((len(plus), n))
    rows = np.arange(len(plus))
    matrix[rows, plus], matrix[rows, minus] = 1.0, -1.0
    return matrix
