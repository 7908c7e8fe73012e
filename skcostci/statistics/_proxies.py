"""Any statistic of labels of which some are checked, with a proxy's labels (a judge's) in all rows.

With T_c the statistic of the n checked cases under their labels, T_j that of the same cases under the proxy's labels
and T_o that of the N others under the proxy's labels, the estimate is that of prediction-powered inference
(Angelopoulos and others, 2023; "PPI++"):

    e = T_c + lam (T_o - T_j).

Let x_c, x_j and x_o be the influences of a case on the three statistics, times n, n and N. Then e has two independent
strata, the checked cases with x_c - lam x_j and the others with lam x_o, and its variance is least at the slope

    lam = (sum x_c x_j + sum a b) / (sum x_j^2 + sum b^2 + (sum x_o^2 + sum c^2) n^2 / N^2),    clipped to [0, 1].

The sums of a, b and c are over the least favourable additional cases, one for either limit: (a, b) are x_c and x_j of a
checked one, where a - b is least and greatest, c is x_o of another. Without them the proxy would count as perfect if
both labels agree on a few rows. An additional case has a label, a proxy's label and a prediction or score of its own.

With whole groups, each of x_c, x_j and x_o of an additional group is at its own end. Groups with checked rows and
groups without are two strata; if some group has rows of both kinds, all groups are one stratum.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from skcostci._arrays import Floats, Integers
from skcostci._frozen import cached_property, frozen_numbers
from skcostci._validation._proxy_rows import CHECKED, ProxyRows
from skcostci._validation._rows import Rows
from skcostci._warnings import warn_caller
from skcostci.cases._cases import Cases
from skcostci.cases._design import Design, Part
from skcostci.laws._rounding import settled, shares_of_greatest
from skcostci.laws.exact._means_and_ratios import ProxiedMeanLaw
from skcostci.laws.influence._first_order import OF_COUNTS, OF_RANKS, FirstOrderLaw, Units, typical
from skcostci.results._results import ProxyUse, ResultT
from skcostci.statistics._contests import ranks_of_two
from skcostci.statistics._units import ClassMeans, Difference, Statistic, methods_of_units, opened

Ends = tuple[float, float]
SETS = ("the checked rows", "the checked rows with the proxy's labels", "the others")


class ProxyStratum(NamedTuple):
    """Units that are drawn together: x = ``truth`` + lam ``proxy`` of each, shape (n_units, n_points).

    ``ends(lam, side)`` are both parts of the unit for which x is least (side -1) or greatest (1).
    """

    truth: Floats
    proxy: Floats
    rounding: Floats
    sizes: Floats | None
    ends: Callable[[Floats | float, int], tuple[Floats, Floats]]


@dataclass(frozen=True, repr=False, eq=False)
class ThreeSets:
    """A statistic of three sets of rows, T_c, T_j and T_o: ``each`` of them, of the parts of a design.

    Rows without groups are groups of one case; T_j has the checked rows again, with the proxy's labels.
    """

    design: Design
    each: Sequence[Statistic]
    support: Ends
    most_unseen: float
    grouped: bool

    @staticmethod
    def design_of(rows: Rows, proxies: ProxyRows, classes: Integers | None = None) -> Design:
        groups = proxies.laid_out(np.arange(len(proxies.checked))) if rows.groups is None else rows.groups
        return Design(replace(rows, groups=groups), classes, levels=proxies)

    @cached_property
    def strata(self) -> list[ProxyStratum]:
        """Units with checked rows and those without, or all units if some group has rows of both kinds."""
        n, points = self.design.rows.n_groups, len(self.each[0].value)
        sizes, added = np.zeros((3, n)), np.zeros((3, n, points))
        for place, (part, one) in enumerate(zip(self.design.parts, self.each, strict=True)):
            x, units = part.added(one.influences), np.asarray(self.design.rows.groups)[part.rows]
            added[place, : len(x)], sizes[place] = x, np.bincount(units, minlength=n)  # all weights are 1
        rounding = sizes.max() * np.max([np.broadcast_to(one.rounding, points) for one in self.each], axis=0)
        checked, others, found = sizes[0] > 0, sizes[2] > 0, []
        for drawn in [checked | others] if (checked & others).any() else [checked, others]:
            k, has = int(drawn.sum()), (bool(checked[drawn].any()), bool(others[drawn].any()))
            ends = partial(self._ends, *has, k)
            truth, proxy = k * added[0, drawn], k * (added[2, drawn] - added[1, drawn])
            of_groups = (sizes[0] + sizes[2])[drawn] if self.grouped else None
            found.append(ProxyStratum(truth, proxy, k * rounding, of_groups, ends))
        return found

    @cached_property
    def _steps(self) -> list[dict[int, Floats]]:
        """How far the least favourable additional group, of the worst typical size, moves each statistic."""
        parts = zip(self.design.parts, self.each, strict=True)
        return [{side: _step(part, one, side) for side in (-1, 1)} for part, one in parts]

    @cached_property
    def _case_steps(self) -> list[list[Floats]]:
        """How far an additional case moves each model, by label and prediction, (n_labels, n_predictions, n_points)."""
        each: list[list[Any]] = [[one.a, one.b] if isinstance(one, Difference) else [one] for one in self.each]
        return [[model.with_case() - model.value for model in models] for models in each]

    def _ends(self, checked: bool, others: bool, k: int, weight: Floats | float, side: int) -> tuple[Floats, Floats]:
        """x_c and x_o - x_j of the additional unit: a case of any label and predictions, or a group of three parts."""
        if self.grouped:  # each part is least favourable by itself, so that lam does not matter
            (truth, judged, proxy), nothing = self._steps, np.zeros(len(self.each[0].value))
            moved = (proxy[side] if others else nothing) - (judged[-side] if checked else nothing)
            return (k + 1) * (truth[side] if checked else nothing), (k + 1) * moved
        of_truth, of_proxy, of_others = ([(k + 1) * step for step in steps] for steps in self._case_steps)
        if checked:
            return _worst_together(of_truth, of_proxy, weight, side)
        return _worst_together([np.zeros_like(x) for x in of_others], [-x for x in of_others], weight, side)

    @cached_property
    def terms(self) -> tuple[Floats, Floats]:
        """Numerator and denominator of lam; the additional units are the least favourable ones for lam = 1."""
        above, below = 0.0, 0.0
        for stratum in self.strata:
            ends = zip(*(stratum.ends(1.0, side) for side in (-1, 1)), strict=True)
            truth, proxy = (np.vstack([seen, *end]) for seen, end in zip(stratum[:2], ends, strict=True))
            squares = len(stratum.truth) ** 2
            above, below = above - (truth * proxy).sum(axis=0) / squares, below + (proxy**2).sum(axis=0) / squares
        return np.asarray(above), np.asarray(below)

    def law_at(self, weight: Floats) -> FirstOrderLaw:
        checked, judged, others = (one.value for one in self.each)
        value, units = np.clip(checked + weight * (others - judged), *self.support), []
        for stratum in self.strata:
            ends = [truth + weight * proxy for truth, proxy in (stratum.ends(weight, side) for side in (-1, 1))]
            x, sizes = stratum.truth + weight * stratum.proxy, stratum.sizes
            units.append(Units.of(x, np.ones(len(x)), (ends[0], ends[1]), stratum.rounding, sizes, sizes))
        return FirstOrderLaw(value, self.support, tuple(opened(units, value, self.support)), self.most_unseen)


def _step(part: Part, one: Statistic, side: int) -> Floats:
    class_counts = part.class_counts[part.class_counts.any(axis=1)]
    made = [typical(class_counts, each) for each in (class_counts.sum(axis=1), *class_counts.T) if each.any()]
    return np.asarray(side * np.max([side * (one.with_additional(each, side) - one.value) for each in made], axis=0))


def _worst_together(
    of_truth: Sequence[Floats], of_proxy: Sequence[Floats], weight: Floats | float, side: int
) -> tuple[Floats, Floats]:
    """x_c and -x_j of the case for which x_c - lam x_j is least (side -1) or greatest (1), of all labels and scores."""
    found = []
    for label in range(len(of_truth[0])):
        truth, proxy = np.zeros(()), np.zeros(())
        for sign, one, other in zip((1, -1), of_truth, of_proxy, strict=False):
            shares = shares_of_greatest(side * sign * (one[label] - weight * other), 1)  # by the proxy's label
            truth = truth + sign * (shares * one[label]).sum(axis=1)
            proxy = proxy - sign * (shares * other).sum(axis=1)
        found.append((truth, proxy))
    truths, proxies = (np.concatenate(parts) for parts in zip(*found, strict=True))
    shares = shares_of_greatest(side * (truths + weight * proxies), 0)
    return (shares * truths).sum(axis=0), (shares * proxies).sum(axis=0)


def weight_of(above: Floats, below: Floats) -> Floats:
    """lam, 0 where the proxy is the same in all rows."""
    return np.clip(np.divide(above, below, out=np.zeros_like(below), where=below > 0), 0.0, 1.0)


def with_proxy(
    alone: ResultT,
    whole: ThreeSets,
    proxies: ProxyRows,
    methods: tuple[str, ...],
    law_at: Callable[[FirstOrderLaw, Floats], FirstOrderLaw] = lambda law, _: law,
) -> ResultT:
    """The result for all cases from that of the checked ones, ``alone``; ``law_at`` adds what else is known."""
    terms = whole.terms
    weight = weight_of(*terms) if proxies.weight is None else np.broadcast_to(proxies.weight, np.shape(terms[0]))
    if not weight.any():
        return _recorded(alone, proxies, weight, terms)
    law, n_groups = replace(whole.law_at(weight), paired=alone.estimand.difference), whole.design.rows.n_groups
    found = replace(
        _recorded(alone, proxies, weight, terms), methods=methods, n_groups=n_groups * whole.grouped or None
    )
    estimate = frozen_numbers(law.mean, np.shape(alone.estimate))
    return replace(found, estimate=estimate, law=law_at(law, weight))


def _recorded(alone: ResultT, proxies: ProxyRows, weight: Floats, terms: tuple[Floats, Floats]) -> ResultT:
    n_checked = int(np.count_nonzero(proxies.kinds == CHECKED))
    use = ProxyUse(frozen_numbers(weight, np.shape(alone.estimate)), n_checked, alone, terms)
    return replace(alone, proxy=use, estimand=replace(alone.estimand, proxy=True))


def mean_by_proxy(
    alone: ResultT, values: Floats, rows: Rows, proxies: ProxyRows, ends: Ends, rounding: float
) -> ResultT:
    """The mean of ``values`` between ``ends``, of three sets of cases; ``alone`` is the result of the checked ones."""
    values, design, grouped = settled(values, rounding), ThreeSets.design_of(rows, proxies), rows.groups is not None
    each = [ClassMeans.of_all(part, values[part.rows][:, None], *ends) for part in design.parts]
    whole = ThreeSets(design, each, ends, OF_COUNTS, grouped)
    if grouped:
        return with_proxy(alone, whole, proxies, methods_of_units(grouped=True))
    checked, judged, others = (values[some] for some in proxies.rows)

    def law_at(law: FirstOrderLaw, weight: Floats) -> ProxiedMeanLaw:
        """The law known in full, at lam."""
        parts, lam = (law.estimate, law.ends, law.strata, law.most_unseen), float(weight[0])
        return ProxiedMeanLaw(*parts, rounding=rounding, checked=checked - lam * judged, others=lam * others)

    return with_proxy(alone, whole, proxies, ("unseen_case", "percentile", "wald"), law_at)


def metric_with_proxy(cases: Cases, alone: ResultT, each: Sequence[Statistic], support: Ends) -> ResultT:
    """A metric of labels; ``each`` is of the checked cases, of these with the proxy's labels, and of the others."""
    proxies, grouped = cases.proxies, cases.groups is not None
    assert proxies is not None
    for one, where in zip(each, SETS, strict=True):
        if np.isnan(one.value).any():
            raise ValueError(
                f"proxy= needs a value of the metric in the checked rows and in the others; it has none in {where}."
            )
    if not np.isfinite(support).all():
        raise ValueError(f"proxy= needs a metric with a smallest and a largest value; {alone.estimand.name} has none.")
    design = replace(ThreeSets.design_of(cases.rows, proxies, cases.truth), n_classes=len(cases.labels))
    whole = ThreeSets(design, each, support, OF_COUNTS, grouped)
    return with_proxy(alone, whole, proxies, methods_of_units(grouped=grouped))


def auc_by_proxy(alone: ResultT, cases: Cases, columns: Sequence[str]) -> ResultT:
    """The AUC of all cases, or a's minus b's; without groups cases, also of ``alone``, keep their classes."""
    proxies, nothing, sizes = cases.proxies, np.zeros(1), [part.sizes for part in cases.parts()]
    assert proxies is not None
    if 0 in sizes[1] or 0 in sizes[2]:
        where = "the checked rows" if 0 in sizes[1] else "the other rows"
        warn_caller(
            f"proxy has only one class among {where}, so that it contains no information about the AUC and is "
            "not used.",
            UserWarning,
        )
        return _recorded(alone, proxies, nothing, (nothing, nothing + 1.0))
    positive, grouped = cases.positive, cases.groups is not None
    methods = methods_of_units(grouped=grouped, paired=len(columns) == 2)
    design = ThreeSets.design_of(cases.rows, proxies, positive.astype(np.int64))
    models = [
        [ranks_of_two(part, part.of(positive), part.of(cases.columns[column])) for part in design.parts]
        for column in columns
    ]
    each = [ThreeSets(design, one, (0.0, 1.0), OF_RANKS, grouped) for one in models]
    pairs = [Difference.of(pair) for pair in zip(*models, strict=True)]
    whole = each[0] if len(each) == 1 else ThreeSets(design, pairs, (-1.0, 1.0), OF_RANKS, grouped)

    def law_at(law: FirstOrderLaw, weight: Floats) -> FirstOrderLaw:
        return law if len(each) == 1 else replace(law, paired=True, a=each[0].law_at(weight), b=each[1].law_at(weight))

    if not grouped:
        alone = replace(alone, law=law_at(whole.law_at(nothing), nothing), methods=methods)
    return with_proxy(alone, whole, proxies, methods, law_at)
