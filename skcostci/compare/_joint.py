"""What several results have in common: their covariance, from pairs; columns of their numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from skcostci._frozen import frozen_numbers
from skcostci._validation import Floats
from skcostci.intervals._auc import delong_variance
from skcostci.intervals._combined import CombinedLaw
from skcostci.intervals._method import Law
from skcostci.laws import KernelLaw
from skcostci.results._differences import ComparedResult
from skcostci.results._results import BootstrapResult

NO_VARIANCE = 1e-12  # relative: a variance this small is rounding


def joint_covariance(
    results: Sequence[BootstrapResult],
    pairs: Callable[[int, int], ComparedResult],
    variance: Callable[[Law], float] = lambda law: float(np.asarray(law.variance).item()),
) -> Floats:
    """Of the models' values: each pair's covariance is half of what the variance of their difference lacks."""
    variances = [variance(result.law) for result in results]
    covariance: Floats = np.diag(variances).astype(np.float64)
    for i, j in combinations(range(len(results)), 2):
        covariance[i, j] = (variances[i] + variances[j] - variance(pairs(i, j).law)) / 2
        covariance[j, i] = covariance[i, j]
    return covariance


def tested_variance(law: Law) -> float:
    """The variance that a chi-square test takes: DeLong's for AUCs, else that of the bootstrap law."""
    if isinstance(law, KernelLaw):
        return delong_variance(law)
    if isinstance(law, CombinedLaw):  # of independent samples
        return sum(part.weight**2 * tested_variance(part.law) for part in law.parts)
    return float(np.asarray(law.variance).item())


def correlation(covariance: Floats) -> Floats:
    """The correlations; what has no variance is taken as independent of the rest."""
    variance = np.diag(covariance)
    some = variance > NO_VARIANCE * variance.max()
    scale = np.where(some, 1 / np.sqrt(np.where(some, variance, 1.0)), 0.0)
    matrix: Floats = covariance * np.outer(scale, scale)
    np.fill_diagonal(matrix, 1.0)
    return matrix


def column(values: Iterable[Any]) -> Floats:
    """One number a row, read-only."""
    return np.asarray(frozen_numbers(numbers := list(map(float, values)), (len(numbers),)))
