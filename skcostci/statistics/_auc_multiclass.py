"""The AUC of several classes: one against the rest, or each against each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skcostci._arrays import as_array
from skcostci._options import AVERAGES, MULTI_CLASS, SAMPLINGS
from skcostci._validation import Floats, Integers, check_option
from skcostci.cases._cases import Cases
from skcostci.cases._paired import SortedClasses
from skcostci.laws import ClassesDifferenceLaw, ClassesLaw
from skcostci.results._differences import MomentDifferenceResult
from skcostci.results._estimand import Estimand
from skcostci.results._results import BootstrapResult

METHODS = ("unseen_case", "wald")
DIFFERENCE_METHODS = ("extrapolated", "unseen_case", "wald")


@dataclass(frozen=True, repr=False, eq=False)
class MulticlassAUCResult(BootstrapResult[float]):
    """The AUC of several classes, with the exact moments of its bootstrap law.

    Parameters
    ----------
    estimate : float
        The AUC on the data as given: scikit-learn's.
    law : object
        The bootstrap law: what a new sample could have given.
    methods : tuple of str
        The interval methods, the default first.
    estimand : Estimand
        What it estimates: results of one estimand can be compared.

    See Also
    --------
    bootstrap_auc : Makes one.
    bootstrap_auc_difference : Compare two models.

    Examples
    --------
    >>> from skcostci import bootstrap_auc
    >>> y_score = [[0.7, 0.2, 0.1], [0.5, 0.4, 0.1], [0.1, 0.6, 0.3], [0.4, 0.3, 0.3], [0.1, 0.2, 0.7], [0.2, 0.3, 0.5]]
    >>> bootstrap_auc([0, 0, 1, 1, 2, 2], y_score, multi_class="ovo")
    MulticlassAUCResult(estimate=0.9375, standard_error=0.05984, 95 % interval 0.4966 to 0.998)
    """

    law: ClassesLaw = field(repr=False)


@dataclass(frozen=True, repr=False, eq=False)
class MulticlassAUCDifferenceResult(MomentDifferenceResult):
    """The AUC of several classes of model a less that of model b, with the exact moments of the joint bootstrap law.

    Parameters
    ----------
    estimate : float
        The difference on the data as given; above 0 where a ranks better.
    law : object
        The bootstrap law: what a new sample could have given.
    methods : tuple of str
        The interval methods, the default first.
    estimand : Estimand
        What it estimates: results of one estimand can be compared.

    See Also
    --------
    bootstrap_auc_difference : Makes one.
    independent_difference : Of models on different cases.

    Examples
    --------
    >>> from skcostci import bootstrap_auc_difference
    >>> a = [[0.7, 0.2, 0.1], [0.5, 0.4, 0.1], [0.1, 0.6, 0.3], [0.4, 0.3, 0.3], [0.1, 0.2, 0.7], [0.2, 0.3, 0.5]]
    >>> b = [[0.3, 0.6, 0.1], [0.5, 0.4, 0.1], [0.1, 0.6, 0.3], [0.5, 0.2, 0.3], [0.1, 0.2, 0.7], [0.2, 0.5, 0.3]]
    >>> bootstrap_auc_difference([0, 0, 1, 1, 2, 2], a, b, multi_class="ovo")
    MulticlassAUCDifferenceResult(estimate=0.2083, standard_error=0.1122, 95 % interval -0.3257 to 0.7424)
    """

    law: ClassesDifferenceLaw = field(repr=False)


ALL_CLASSES = (
    " The AUC of all classes is bootstrap_auc's with multi_class='ovr' or 'ovo'."  # hint to who passes several
)


def has_classes(multi_class: str, y_score: ArrayLike) -> bool:
    """Whether several classes are asked about; as in scikit-learn, two with one column of scores are not."""
    if check_option("multi_class", multi_class, MULTI_CLASS) == "raise":
        return False
    return as_array("y_score", y_score).shape[1:] not in ((), (1,))


def check_classes(
    y_true: ArrayLike,
    scores: Mapping[str, ArrayLike],
    sampling: str,
    labels: ArrayLike | None,
    pos_label: Any,
    sample_weight: ArrayLike | None,
) -> Cases:
    """Checked cases of several classes, and options that they do not have."""
    check_option("sampling", sampling, SAMPLINGS[:1], " The class sizes of several classes are held fixed.")
    if pos_label is not None:
        raise ValueError(f"pos_label must be None with several classes, got {pos_label!r}: none of them is positive.")
    return Cases.check_class_scores(y_true, scores, labels=labels, sample_weight=sample_weight)


def check_average(average: str, labels: ArrayLike | None) -> None:
    """Options of several classes where there are two."""
    check_option("average", average, AVERAGES)
    if labels is not None:
        raise ValueError("labels goes with multi_class='ovr' or 'ovo' and a column of scores for each class.")


def multiclass_auc_of(cases: Cases, column: str, *, multi_class: str, average: str) -> MulticlassAUCResult:
    """The AUC of checked cases of several classes, whose column has a score for each."""
    classes, weights = _sorted(cases, (column,), multi_class, average)
    law = ClassesLaw.from_meetings(classes.meetings(), classes.cases, weights, 1)
    estimand = Estimand("auc", labels=tuple(cases.labels), multi_class=multi_class, average=average)
    return MulticlassAUCResult(law.mean, law, METHODS, estimand=estimand)


def multiclass_auc_difference_of(
    cases: Cases, a: str, b: str, *, multi_class: str, average: str
) -> MulticlassAUCDifferenceResult:
    """The AUC of one such column less that of another."""
    classes, weights = _sorted(cases, (a, b), multi_class, average)
    single = [multiclass_auc_of(cases, column, multi_class=multi_class, average=average).law for column in (a, b)]
    each = dict(zip("ab", single, strict=True))
    law = ClassesDifferenceLaw.from_meetings(classes.meetings(), classes.cases, weights, 2, **each)
    estimand = Estimand("auc", True, labels=tuple(cases.labels), multi_class=multi_class, average=average)
    return MulticlassAUCDifferenceResult(law.mean, law, DIFFERENCE_METHODS, estimand=estimand)


def _sorted(cases: Cases, columns: tuple[str, ...], multi_class: str, average: str) -> tuple[SortedClasses, Floats]:
    """The classes under one model's columns or two models', and what each two of them count."""
    check_option("average", average, AVERAGES)
    classes = SortedClasses.of(cases, columns)
    return classes, pair_weights(classes.sizes, multi_class, average)


def pair_weights(sizes: Integers, multi_class: str, average: str) -> Floats:
    """What the AUC of a class (row) against another (column), under the scores for the first, counts in the average.

    One class against the rest is an average over the cases of the rest.
    """
    n, total = len(sizes), sizes.sum()
    if multi_class == "ovr":
        shares = sizes / total if average == "weighted" else np.full(n, 1 / n)
        weights = shares[:, None] * sizes / (total - sizes)[:, None]
    else:
        weights = np.add.outer(sizes, sizes) / 1.0 if average == "weighted" else np.ones((n, n))
    np.fill_diagonal(weights, 0.0)
    return np.asarray(weights / weights.sum())
