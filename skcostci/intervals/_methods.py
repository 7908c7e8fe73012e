"""All interval methods: which of them each kind of law can be asked for, held against its type, and all by name."""

from __future__ import annotations

from typing import Any

from skcostci.intervals import (
    _auc,
    _budget,
    _chosen,
    _combined,
    _error_count,
    _extrapolated,
    _grouped,
    _quantiles,
    _rank_beta,
    _rates,
    _unseen,
    _unseen_case,
)
from skcostci.intervals._method import Method
from skcostci.laws import (
    AUCDifferenceLaw,
    AUCLaw,
    BudgetLaw,
    ChosenCostLaw,
    ChosenMetricLaw,
    ClassesDifferenceLaw,
    ClassesLaw,
    CurveLaw,
    ErrorCountLaw,
    FallingLaw,
    FirstOrderLaw,
    FlatteredLaw,
    FoldedAUCDifferenceLaw,
    FoldedLaw,
    GroupedAUCDifferenceLaw,
    GroupedAUCLaw,
    GroupedLaw,
    GroupedRatioLaw,
    KernelLaw,
    LinearLaw,
    MetricLaw,
    MetricPairLaw,
    PairedVerticalLaw,
    RatioLaw,
    VerticalLaw,
)

(unseen_case,) = _unseen_case.METHODS
_unseen_case.unseen_case.register(BudgetLaw, _budget.budget_unseen_case)
_unseen_case.unseen_case.register(KernelLaw, _unseen.unseen_pair)
_unseen_case.unseen_case.register(CurveLaw, _unseen.unseen_of_curve)
_grouped.unseen_group.register(CurveLaw, _unseen.unseen_of_curve)
_unseen_case.unseen_case.register(ClassesLaw, _unseen.unseen_of_classes)
_unseen_case.unseen_case.register(FirstOrderLaw, _unseen.unseen_worth)
_grouped.unseen_group.register(FirstOrderLaw, _unseen.unseen_worth)
wald, agresti, bonett_price = _quantiles.GAUSSIAN
percentile, smoothed, bca = _quantiles.METHODS
wilson, clopper_pearson = _rates.METHODS
rank_beta, rank_mover = _rank_beta.METHODS
unseen_group, effective_size = _grouped.METHODS
(extrapolated,) = _extrapolated.METHODS
logit, delong, *_ = _auc.METHODS

LINEAR: tuple[Method[LinearLaw], ...] = (
    *(unseen_case, wilson, clopper_pearson, wald, agresti, bonett_price, percentile, smoothed, bca),
)
CHOSEN: tuple[Method[ChosenCostLaw | FlatteredLaw], ...] = (*_chosen.METHODS, *LINEAR)
METRIC: tuple[Method[MetricLaw], ...] = (unseen_case, clopper_pearson, percentile, wald)
CHOSEN_METRIC: tuple[Method[ChosenMetricLaw], ...] = (*_chosen.METHODS, *METRIC)
RATIO: tuple[Method[RatioLaw], ...] = (unseen_case, percentile, wald)
METRIC_PAIR: tuple[Method[MetricPairLaw], ...] = (unseen_case, wald)
VERTICAL: tuple[Method[VerticalLaw | FallingLaw], ...] = (rank_beta, agresti, percentile, wald)
PAIRED_VERTICAL: tuple[Method[PairedVerticalLaw], ...] = (rank_mover, agresti, percentile, wald)
GROUPED: tuple[Method[GroupedLaw], ...] = (unseen_group, effective_size, wald, *_chosen.METHODS)
GROUPED_RATIO: tuple[Method[GroupedRatioLaw], ...] = (*GROUPED, percentile)
GROUPED_AUC: tuple[Method[GroupedAUCLaw], ...] = (unseen_group, wald)
GROUPED_AUC_DIFFERENCE: tuple[Method[GroupedAUCDifferenceLaw], ...] = (extrapolated, unseen_group, wald)
BUDGET: tuple[Method[BudgetLaw], ...] = (unseen_case, smoothed, percentile, agresti, wald)
AUC: tuple[Method[AUCLaw], ...] = (unseen_case, wald, *_auc.METHODS)
AUC_DIFFERENCE: tuple[Method[AUCDifferenceLaw], ...] = (extrapolated, unseen_case, wald, delong)
CURVE: tuple[Method[CurveLaw], ...] = (unseen_case, unseen_group, wald)
CLASSES: tuple[Method[ClassesLaw], ...] = (unseen_case, wald)
FOLDED_AUC_DIFFERENCE: tuple[Method[FoldedAUCDifferenceLaw], ...] = (extrapolated, unseen_case, wald)
FOLDED: tuple[Method[FoldedLaw], ...] = (unseen_case, wald)
CLASSES_DIFFERENCE: tuple[Method[ClassesDifferenceLaw], ...] = (extrapolated, unseen_case, wald)
FIRST_ORDER: tuple[Method[FirstOrderLaw], ...] = (unseen_case, unseen_group, extrapolated, wald)
ERROR_COUNT: tuple[Method[ErrorCountLaw], ...] = _error_count.METHODS

# A name is looked up for a result, which has the law that its names were listed for above: what law is not in its type.
METHODS: dict[str, Method[Any]] = {
    method.name: method
    for methods in (
        CHOSEN,
        CHOSEN_METRIC,
        METRIC_PAIR,
        RATIO,
        GROUPED_RATIO,
        GROUPED_AUC,
        VERTICAL,
        PAIRED_VERTICAL,
        BUDGET,
        AUC,
        AUC_DIFFERENCE,
        CURVE,
        CLASSES,
        FIRST_ORDER,
        FOLDED,
        ERROR_COUNT,
    )
    for method in methods
} | {method.name: method for method in _combined.METHODS}
