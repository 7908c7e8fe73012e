"""What results with importance weights have in addition: the effective number of equally weighted cases."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from numpy.typing import ArrayLike

from skcostci._options import WeightType
from skcostci._validation._rows import effective_number


def weighed(result: Any, sample_weight: ArrayLike | None, weight_type: WeightType) -> Any:
    """The result with the effective number of its cases, if weights are importance weights."""
    if weight_type == "counts" or sample_weight is None:
        return result
    return replace(result, effective_cases=effective_number(sample_weight))
