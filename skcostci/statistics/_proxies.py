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

With whole groups, each of x_c, x_j and x_o of an additional group is at its own end (``_each_at_its_end``). Groups with
checked rows and groups without are two strata; if some group has rows of both kinds, all groups are one stratum.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from skcostci._arrays import Floats, Integers
from skcostci._frozen import frozen_numbers
from skcostci._validation._proxy_rows import CHECKED, JUDGED, ProxyRows
from skcostci.cases._cases import Cases
from skcostci.cases._design import Design, Part
from skcostci.cases._judged import JudgedCases
from skcostci.laws._rounding import shares_of_greatest
from skcostci.laws.influence._first_order import OF_COUNTS, FirstOrderLaw, Units, typical
from skcostci.results._results import ProxyUse
from skcostci.statistics._crossed import AtLevel
from skcostci.statistics._unit_means import Statistic
from skcostci.statistics._units import methods_of_units, opened
from skcostci.statistics._worths import Sample

Ends = tuple[float, float]


class Influences(NamedTuple):
    """T_c, T_j or T_o, of one model or of a minus b, with its influences.

    ``value`` is T; ``added`` are the x of each kind of row, (n_kinds, n_points); ``rounding`` is how large an x may be
    by rounding alone; ``steps`` has for each model the x of an additional case, by its label and by its prediction or
    score, (n_labels, n_predictions, n_points); ``rows`` is the kind of each row.
    """

    value: Floats
    added: Floats
    rounding: Floats | float
    steps: Sequence[Floats]
    rows: Integers


class ProxyStratum(NamedTuple):
    """Units that are drawn together: x = ``truth`` + lam ``proxy`` of each kind, shape (n_kinds, n_points).

    ``counts`` are how many units are of each kind; ``ends(lam, side)`` are both parts of the unit for which x is least
    (side -1) or greatest (1).
    """

    truth: Floats
    proxy: Floats
    counts: Floats
    rounding: Floats | float
    ends: Callable[[Floats | float, int], tuple[Floats, Floats]]
    sizes: Floats | None = None


def strata_of_cases(checked: Influences, judged: Influences, others: Influences) -> list[ProxyStratum]:
    rounding = np.maximum(checked.rounding, judged.rounding)
    joint = partial(_worst_together, checked.steps, judged.steps)
    nothing = [np.zeros_like(step) for step in others.steps]
    of_others = partial(_worst_together, nothing, [-step for step in others.steps])
    first, second, counts = _pairs(checked, judged)
    every = np.bincount(others.rows, minlength=len(others.added))
    return [
        ProxyStratum(checked.added[first], -judged.added[second], counts, rounding, joint),
        ProxyStratum(np.zeros_like(others.added), others.added, every.astype(np.float64), others.rounding, of_others),
    ]


def _pairs(checked: Influences, judged: Influences) -> tuple[Integers, Integers, Floats]:
    """The kinds of row under labels and under the proxy's that occur together, and how often."""
    width = len(judged.added)
    codes, counts = np.unique(checked.rows.astype(np.int64) * width + judged.rows, return_counts=True)
    first, second = np.divmod(codes, width)
    return first, second, counts.astype(np.float64)


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


def strata_of_groups(design: Design, checked: Statistic, judged: Statistic, others: Statistic) -> list[ProxyStratum]:
    """The strata where whole groups are drawn: two, or one if some group has checked rows and others."""
    each, n = (checked, judged, others), design.rows.n_groups
    parts = design.parts
    sizes_of, added = np.zeros((3, n)), np.zeros((3, n, len(checked.value)))
    for place, (part, one) in enumerate(zip(parts, each, strict=True)):
        sizes_of[place, : len(part.class_counts)] = part.class_counts.sum(axis=1)
        added[place, : len(part.class_counts)] = part.added(one.influences)
    steps = [{side: _step(part, one, side) for side in (-1, 1)} for part, one in zip(parts, each, strict=True)]
    rounding = sizes_of.max() * np.max([np.broadcast_to(one.rounding, checked.value.shape) for one in each], axis=0)
    has_checked, has_others = sizes_of[0] > 0, sizes_of[2] > 0
    if (has_checked & has_others).any():
        truth, proxy, sizes = n * added[0], n * (added[2] - added[1]), sizes_of[0] + sizes_of[2]
        whole = partial(
            _each_at_its_end, (n + 1) * _ends(steps[0]), (n + 1) * (_ends(steps[2]) - _ends(steps[1])[::-1])
        )
        return [ProxyStratum(truth, proxy, np.ones(n), n * rounding, whole, sizes)]
    n_first, n_second = int(has_checked.sum()), int(has_others.sum())
    nothing = np.zeros((n_second, len(checked.value)))
    return [
        ProxyStratum(
            n_first * added[0, has_checked],
            -n_first * added[1, has_checked],
            np.ones(n_first),
            n_first * rounding,
            partial(_each_at_its_end, (n_first + 1) * _ends(steps[0]), -(n_first + 1) * _ends(steps[1])[::-1]),
            sizes_of[0, has_checked],
        ),
        ProxyStratum(
            nothing,
            n_second * added[2, has_others],
            np.ones(n_second),
            n_second * rounding,
            partial(_each_at_its_end, np.zeros((2, nothing.shape[1])), (n_second + 1) * _ends(steps[2])),
            sizes_of[2, has_others],
        ),
    ]


def _step(part: Part, one: Statistic, side: int) -> Floats:
    """How far an additional group moves a statistic: least favourable, and of the typical size that moves it most."""
    class_counts = part.class_counts[part.class_counts.any(axis=1)]
    made = [typical(class_counts, each) for each in (class_counts.sum(axis=1), *class_counts.T) if each.any()]
    return np.asarray(side * np.max([side * (one.with_additional(each, side) - one.value) for each in made], axis=0))


def _ends(steps: dict[int, Floats]) -> Floats:
    """The two steps as one array: the one for the lower limit first."""
    return np.array([steps[-1], steps[1]])


def _each_at_its_end(truth: Floats, proxy: Floats, _weight: Floats | float, side: int) -> tuple[Floats, Floats]:
    """x_c and -x_j of an additional group, each least favourable by itself, so that lam does not matter."""
    return truth[int(side > 0)], proxy[int(side > 0)]


def terms_of_weight(strata: Sequence[ProxyStratum]) -> tuple[Floats, Floats]:
    """Numerator and denominator of lam; the additional units are the least favourable ones for lam = 1."""
    above, below = 0.0, 0.0
    for stratum in strata:
        ends = [stratum.ends(1.0, side) for side in (-1, 1)]
        truth, proxy = (np.vstack([seen, *end]) for seen, end in zip(stratum[:2], zip(*ends, strict=True), strict=True))
        counts, squares = np.append(stratum.counts, (1.0, 1.0)), stratum.counts.sum() ** 2
        above, below = above - counts @ (truth * proxy) / squares, below + counts @ (proxy * proxy) / squares
    return np.asarray(above), np.asarray(below)


def weight_of(above: Floats, below: Floats) -> Floats:
    """lam, 0 where the proxy is the same in all rows."""
    return np.clip(np.divide(above, below, out=np.zeros_like(below), where=below > 0), 0.0, 1.0)


def law_of_strata(
    strata: Sequence[ProxyStratum], values: Sequence[Floats], weight: Floats, support: Ends, most_unseen: float
) -> FirstOrderLaw:
    """The distribution of e; ``values`` are T_c, T_j and T_o."""
    checked, judged, others = values
    value = np.clip(checked + weight * (others - judged), *support)
    units = []
    for stratum in strata:
        ends = [truth + weight * proxy for truth, proxy in (stratum.ends(weight, side) for side in (-1, 1))]
        x, rounding = stratum.truth + weight * stratum.proxy, np.broadcast_to(stratum.rounding, value.shape)
        units.append(Units.of(x, stratum.counts, (ends[0], ends[1]), rounding, stratum.sizes, stratum.sizes))
    return FirstOrderLaw(value, support, tuple(opened(units, value, support)), most_unseen)


def with_proxy(
    alone: Any,
    strata: Sequence[ProxyStratum],
    values: Sequence[Floats],
    proxies: ProxyRows,
    support: Ends,
    most_unseen: float,
    methods: tuple[str, ...],
    n_groups: int | None,
    law_at: Callable[[FirstOrderLaw, Floats], FirstOrderLaw] = lambda law, _: law,
) -> Any:
    """The result for all cases from that of the checked ones, ``alone``; ``law_at`` gives a law known in full."""
    terms = terms_of_weight(strata)
    weight = weight_of(*terms) if proxies.weight is None else np.broadcast_to(proxies.weight, np.shape(terms[0]))
    if not weight.any():
        return without_proxy(alone, proxies, terms)
    law, shape = law_of_strata(strata, values, weight, support, most_unseen), np.shape(alone.estimate)
    law = replace(law, paired=alone.estimand.difference)
    found = replace(_recorded(alone, proxies, weight, terms), methods=methods, n_groups=n_groups)
    return replace(found, estimate=frozen_numbers(law.mean, shape), law=law_at(law, weight))


def without_proxy(alone: Any, proxies: ProxyRows, terms: tuple[Floats, Floats] | None = None) -> Any:
    """The result of the checked cases alone, where the proxy has no weight."""
    nothing = np.zeros(np.size(alone.estimate))
    return _recorded(alone, proxies, nothing, (nothing, nothing + 1.0) if terms is None else terms)


def _recorded(alone: Any, proxies: ProxyRows, weight: Floats, terms: tuple[Floats, Floats]) -> Any:
    n_checked = int(np.count_nonzero(proxies.kinds == CHECKED))
    use = ProxyUse(frozen_numbers(weight, np.shape(alone.estimate)), n_checked, alone, terms)
    return replace(alone, proxy=use, estimand=replace(alone.estimand, proxy=True))


def influences_of(sample: Sample) -> Influences:
    (x, _, rows), steps = sample.added(), [model.with_case() - np.ravel(model.value) for model in sample.models]
    return Influences(np.ravel(sample.value), x, sample.rounding, [(sample.size + 1) * step for step in steps], rows)


def metric_with_proxy(cases: Cases | JudgedCases, alone: Any, samples: Sequence[Sample], support: Ends) -> Any:
    """A metric of labels; ``samples`` are of the checked cases, of these with the proxy's labels, and of the others."""
    proxies = cases.proxies
    assert proxies is not None
    for sample, where in zip(
        samples, ("the checked rows", "the checked rows with the proxy's labels", "the others"), strict=True
    ):
        if np.isnan(sample.value).any():
            raise ValueError(
                f"proxy= needs a value of the metric in the checked rows and in the others; it has none in {where}."
            )
    if not np.isfinite(support).all():
        raise ValueError(f"proxy= needs a metric with a smallest and a largest value; {alone.estimand.name} has none.")
    values = [np.ravel(sample.value) for sample in samples]
    grouped = cases.groups is not None
    if grouped:
        classes = cases.classes() if isinstance(cases, JudgedCases) else cases.positive.astype(np.int64)
        design = Design(cases.rows, classes, levels=proxies)
        strata = strata_of_groups(design, *map(AtLevel, samples))
    else:
        strata = strata_of_cases(*map(influences_of, samples))
    methods, n_groups = methods_of_units(grouped=grouped), n_of_groups(cases.groups, proxies)
    return with_proxy(alone, strata, values, proxies, support, OF_COUNTS, methods, n_groups)


def n_of_groups(groups: object, proxies: ProxyRows) -> int | None:
    return None if groups is None else len(np.unique(np.asarray(groups)[proxies.kinds != JUDGED]))
