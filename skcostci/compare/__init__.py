"""Many comparisons at once: contrasts, their joint law, and which models may be best."""

from skcostci.compare._comparison import JointTest, ModelComparison
from skcostci.compare._contrasts import CombinedResult, independent_difference
from skcostci.compare._differences import ModelDifferences
from skcostci.compare._imputations import pool_imputations

__all__ = [
    "CombinedResult",
    "JointTest",
    "ModelComparison",
    "ModelDifferences",
    "independent_difference",
    "pool_imputations",
]
