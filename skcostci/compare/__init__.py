"""Many comparisons at once: contrasts, their joint law, who may be best."""

from skcostci.compare._comparison import JointTest, ModelComparison
from skcostci.compare._contrasts import CombinedResult, independent_difference
from skcostci.compare._differences import ModelDifferences

__all__ = ["CombinedResult", "JointTest", "ModelComparison", "ModelDifferences", "independent_difference"]
