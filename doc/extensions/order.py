"""The order of the gallery: from the first picture to the special questions."""

from __future__ import annotations

ORDER = (
    "two_models",
    "where_cheaper",
    "screening",
    "screening_precision",
    "average_precision",
    "tuned_f1",
    "decision_curve",
    "calibration",
    "sensitivity_at_specificity",
    "threshold_at_sensitivity",
    "threshold_chosen",
    "budget",
    "class_imbalance",
    "cost_matrix_smoothing",
    "folds",
    "bound_in_grid_search",
    "perfect_auc",
    "coverage",
    "exact_or_resampled",
    "groups",
    "several_classes",
    "any_function",
    "score_counts",
    "coming_from_proc",
)


class TeachingOrder:
    """A sort key as sphinx-gallery wants it; an example that is not listed is an error."""

    def __init__(self, src_dir: str) -> None:
        pass

    def __call__(self, filename: str) -> int:
        """The example's place."""
        return ORDER.index(filename.removeprefix("plot_").removesuffix(".py"))
