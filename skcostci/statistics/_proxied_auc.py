"""The AUC of cases of which some are checked and all have a proxy's label: see ``_proxies``.

For one set of cases, with the AUC A, P positives and N negatives, n cases in all, let F be the share of the negatives
below a score and G the share of the positives above it, ties counting 1/2. Then x is

    n (F - A) / P  for a positive,    n (G - A) / N  for a negative,

and for an additional case (n + 1) (F - A) / (P + 1) and (n + 1) (G - A) / (N + 1), at any score that was seen, between
two of them and beyond all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from skcostci._arrays import Booleans, Floats
from skcostci._frozen import cached_property
from skcostci._validation._proxy_rows import ProxyRows
from skcostci._warnings import warn_caller
from skcostci.cases._cases import Cases
from skcostci.laws._rounding import SPREAD_ROUNDING
from skcostci.laws.influence._first_order import OF_RANKS, FirstOrderLaw
from skcostci.statistics._proxies import (
    Influences,
    ProxyStratum,
    law_of_strata,
    n_of_groups,
    strata_of_cases,
    strata_of_groups,
    with_proxy,
    without_proxy,
)
from skcostci.statistics._unit_means import Difference, RanksOfTwo, Statistic

Ends = tuple[float, float]


def auc_by_proxy(
    alone: Any,
    cases: Cases,
    columns: Sequence[str],
    parts: Sequence[Cases],
    proxies: ProxyRows,
    methods: tuple[str, ...],
) -> Any:
    """The AUC of all ``parts``, or a's minus b's; without groups cases, also of ``alone``, keep their classes."""
    if any(0 in part.sizes for part in parts[1:]):
        where = "the checked rows" if 0 in parts[1].sizes else "the other rows"
        warn_caller(
            f"proxy has only one class among {where}, so that it contains no information about the AUC and is "
            "not used.",
            UserWarning,
        )
        return without_proxy(alone, proxies)
    whole = OfColumns(cases, parts, proxies, columns)
    models = [OfColumns(cases, parts, proxies, [column]) for column in columns]

    def law_at(law: FirstOrderLaw, weight: Floats) -> FirstOrderLaw:
        if len(models) == 1:
            return law
        a, b = (each.law_at(weight) for each in models)
        return replace(law, paired=True, a=a, b=b)

    if cases.groups is None:
        nothing = np.zeros(1)
        alone = replace(alone, law=law_at(whole.law_at(nothing), nothing), methods=methods)
    n_groups = n_of_groups(cases.groups, proxies)
    return with_proxy(alone, whole.strata, whole.values, proxies, whole.support, OF_RANKS, methods, n_groups, law_at)


@dataclass(frozen=True, repr=False, eq=False)
class OfColumns:
    """The AUC of a column of scores, or of a minus b, for the three sets of cases."""

    cases: Cases
    parts: Sequence[Cases]
    proxies: ProxyRows
    columns: Sequence[str]

    @cached_property
    def statistics(self) -> list[Statistic]:
        return [Difference.of([RanksOfTwo(part, column) for column in self.columns]) for part in self.parts]

    @cached_property
    def values(self) -> list[Floats]:
        return [one.value for one in self.statistics]

    @cached_property
    def strata(self) -> list[ProxyStratum]:
        if self.cases.groups is None:
            return strata_of_cases(*(ranks_of(part, self.columns) for part in self.parts))
        return strata_of_groups(replace(self.cases.design(), levels=self.proxies), *self.statistics)

    @property
    def support(self) -> Ends:
        return (-1.0, 1.0) if len(self.columns) == 2 else (0.0, 1.0)

    def law_at(self, weight: Floats) -> FirstOrderLaw:
        return law_of_strata(self.strata, self.values, weight, self.support, OF_RANKS)


def ranks_of(cases: Cases, columns: Sequence[str]) -> Influences:
    """The influences of one model, or of a minus b, where cases are drawn without regard to class."""
    each = [_of_column(cases.columns[column].astype(np.float64), cases.positive) for column in columns]
    value, added = each[0][:2]
    if len(each) > 1:
        value, added = value - each[1][0], added - each[1][1]
    rounding = SPREAD_ROUNDING * len(cases.truth) / min(cases.sizes)
    return Influences(np.array([value]), added[:, None], rounding, [steps for *_, steps in each], np.arange(len(added)))


def _of_column(scores: Floats, positive: Booleans) -> tuple[float, Floats, Floats]:
    """A, the x of each row, and the x of an additional case: (2, n_scores, 1), first for a negative."""
    above, below, n = np.sort(scores[positive]), np.sort(scores[~positive]), len(scores)
    known, place = np.unique(scores, return_inverse=True)
    under, over = (_share_below(below, known), 1 - _share_below(above, known))
    area = float(under[0, place[positive]].mean())
    x = np.where(positive, (under[0, place] - area) / len(above), (over[0, place] - area) / len(below))
    steps = [(n + 1) * (share.ravel() - area) / (size + 1) for share, size in ((over, len(below)), (under, len(above)))]
    return area, n * x, np.array(steps)[:, :, None]


def _share_below(ordered: Floats, scores: Floats) -> Floats:
    """The share of ordered scores below each score, ties half; and below points just under and just above it."""
    first, beyond = (np.searchsorted(ordered, scores, side) for side in ("left", "right"))
    return np.asarray(np.array([(first + beyond) / 2, first, beyond]) / len(ordered))
