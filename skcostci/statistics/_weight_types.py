"""What results with importance weights have in addition, and what they are where weights are nearly equal."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np

from skcostci._validation._rows import Rows, UnitOptions, effective_number
from skcostci.cases._cases import Cases
from skcostci.laws._side_by_side import between_laws
from skcostci.results._banded import BandedResult, RatesResult

Options = ParamSpec("Options")
AnswerT = TypeVar("AnswerT")


def weighed(result: Any, rows: UnitOptions, kind: type[AnswerT]) -> AnswerT:
    """The result, which is of this kind: with importance weights it has an effective number of cases."""
    weights, found = rows.get("sample_weight"), result
    if rows.get("weight_type", "counts") != "counts" and weights is not None:
        if isinstance(result, RatesResult):
            fpr, tpr = (weighed(each, rows, BandedResult) for each in (result.fpr, result.tpr))
            found = replace(result, fpr=fpr, tpr=tpr)
        else:
            found = replace(result, effective_cases=effective_number(weights))
    assert isinstance(found, kind)
    return found


def continuous_in_weights(core: Callable[Options, AnswerT]) -> Callable[Options, AnswerT]:
    """A core whose answer, where importance weights are nearly equal, is near that without weights."""

    @wraps(core)
    def answer(*arguments: Options.args, **options: Options.kwargs) -> AnswerT:
        found = core(*arguments, **options)
        place, cases = next((i, each) for i, each in enumerate(arguments) if isinstance(each, Cases | Rows))
        if (share := (cases if isinstance(cases, Rows) else cases.rows).inequality) in (0.0, 1.0):
            return found
        others: Any = *arguments[:place], cases.unweighted(), *arguments[place + 1 :]
        with warnings.catch_warnings(action="ignore"):  # the same that the weighted cases have caused
            equal = core(*others, **options)
        between: AnswerT = _between(equal, found, share)
        return between

    return answer


def _between(equal: Any, of_weights: Any, share: float) -> Any:
    """The estimate of the weights; its law is between those of equal weights (share 0) and the weights (share 1)."""
    if isinstance(of_weights, RatesResult):
        fpr, tpr = (_between(getattr(equal, rate), getattr(of_weights, rate), share) for rate in ("fpr", "tpr"))
        return replace(of_weights, fpr=fpr, tpr=tpr)
    (other, plain, others), (estimate, law, methods) = (
        each if isinstance(each, tuple) else (each.estimate, each.law, each.methods) for each in (equal, of_weights)
    )
    at_equal = {name: name if place and name in others else others[0] for place, name in enumerate(methods)}
    with np.errstate(invalid="ignore"):  # both may be infinite
        shift = np.where(np.equal(estimate, other), 0.0, np.subtract(estimate, other))
    between = between_laws(plain, law, share, shift, at_equal)  # the first method is the default, on either side
    return (estimate, between, methods) if isinstance(of_weights, tuple) else replace(of_weights, law=between)
