"""What results with importance weights have in addition, and what they are where weights are nearly equal."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike

from skcostci._options import WeightType
from skcostci._validation._rows import Rows, effective_number
from skcostci.cases._cases import Cases
from skcostci.laws._side_by_side import between_laws
from skcostci.results._banded import RatesResult

CoreT = TypeVar("CoreT", bound=Callable[..., Any])
Parts = tuple[Any, Any, tuple[str, ...]]  # an estimate, its law and its interval methods


def weighed(result: Any, sample_weight: ArrayLike | None, weight_type: WeightType) -> Any:
    if weight_type == "counts" or sample_weight is None:
        return result
    if isinstance(result, RatesResult):
        fpr, tpr = (weighed(rate, sample_weight, weight_type) for rate in (result.fpr, result.tpr))
        return replace(result, fpr=fpr, tpr=tpr)
    return replace(result, effective_cases=effective_number(sample_weight))


def continuous_in_weights(core: CoreT) -> CoreT:
    """A core whose answer, where importance weights are nearly equal, is near that without weights."""

    @wraps(core)
    def answer(*arguments: Any, **options: Any) -> Any:
        found = core(*arguments, **options)
        place, cases = next((i, each) for i, each in enumerate(arguments) if isinstance(each, Cases | Rows))
        if (share := (cases if isinstance(cases, Rows) else cases.rows).inequality) in (0.0, 1.0):
            return found
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the same that the weighted cases have caused
            equal = core(*arguments[:place], cases.unweighted(), *arguments[place + 1 :], **options)
        return _between(equal, found, share)

    return cast(CoreT, answer)


def _between(equal: Any, of_weights: Any, share: float) -> Any:
    """The answer between that of equal weights and that of the weights."""
    if isinstance(of_weights, RatesResult):
        fpr, tpr = (_between(getattr(equal, rate), getattr(of_weights, rate), share) for rate in ("fpr", "tpr"))
        return replace(of_weights, fpr=fpr, tpr=tpr)
    if isinstance(of_weights, tuple):
        return of_weights[0], _law_between(equal, of_weights, share), of_weights[2]
    plain, weighted = ((each.estimate, each.law, each.methods) for each in (equal, of_weights))
    return replace(of_weights, law=_law_between(plain, weighted, share))


def _law_between(equal: Parts, of_weights: Parts, share: float) -> Any:
    """The law between two; a default method takes the place of the other default."""
    (other, plain, others), (estimate, law, methods) = equal, of_weights
    known = {name: name if place and name in others else others[0] for place, name in enumerate(methods)}
    with np.errstate(invalid="ignore"):  # both may be infinite
        shift = np.where(np.equal(estimate, other), 0.0, np.subtract(estimate, other))
    return between_laws(plain, law, share, shift, known)
