"""Pictures of numbers already computed."""

from skcostci.displays._cost_curve import CostCurveDisplay
from skcostci.displays._paired_cost import PairedCostDifferenceDisplay
from skcostci.displays._roc import ROCConfidenceDisplay

__all__ = ["CostCurveDisplay", "PairedCostDifferenceDisplay", "ROCConfidenceDisplay"]
