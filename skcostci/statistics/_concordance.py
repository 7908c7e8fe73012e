"""Harrell's concordance of risks with censored times: of one model, and of a minus b.

Case i, with an event at t_i, is comparable with j if t_j > t_i, or t_j = t_i and j is censored then: i had the event
first. The pair counts 1 if risk_i > risk_j, 1/2 if they are equal. With D_i the number of comparable pairs of case i,
N_i the sum of their counts, P = sum D / 2 and C = sum N / 2,

    c = C / P,    the influence of a case = (N_i - c D_i) / P.

The least favourable additional case has as many comparable pairs as possible and loses all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcostci._arrays import Booleans, Floats, Integers, Weights
from skcostci._described import described
from skcostci._frozen import cached_property
from skcostci._options import explains_calls
from skcostci._validation._rows import SampleOptions
from skcostci.cases._cases import Cases, has_times
from skcostci.cases._design import Design, Part
from skcostci.laws.influence._first_order import OF_RANKS
from skcostci.results._estimand import Estimand
from skcostci.results._paired_results import ComparedResult
from skcostci.results._results import BootstrapResult
from skcostci.statistics._unit_means import Difference, Ratio
from skcostci.statistics._units import law_of_terms, methods_of_units


@dataclass(frozen=True, repr=False, eq=False)
class ConcordanceResult(BootstrapResult[float]):
    """Harrell's concordance of risks with censored times, with its bootstrap distribution.

    Returned by :func:`bootstrap_concordance`. In addition to what every :class:`BootstrapResult` has:

    Parameters
    ----------
    n_pairs : float
        The number of comparable pairs.
    n_events : float
        The number of cases with an observed event.
    """

    n_pairs: float
    n_events: float


@dataclass(frozen=True, repr=False, eq=False)
class ConcordanceDifferenceResult(ComparedResult[float]):
    """The concordance of model a minus that of model b, with its bootstrap distribution.

    Returned by :func:`bootstrap_concordance_difference`. It has what every :class:`BootstrapResult` has.
    """


@explains_calls
@described(SampleOptions)
def bootstrap_concordance(
    event: ArrayLike,
    time: ArrayLike,
    risk: ArrayLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
) -> ConcordanceResult:
    """Concordance index (Harrell's c) of risks with censored times, with a confidence interval.

    >>> from skcostci import bootstrap_concordance
    >>> event, time = [1, 1, 0, 1, 0, 1, 1, 1], [5, 3, 8, 1, 6, 2, 7, 4]
    >>> bootstrap_concordance(event, time, [0.2, 0.7, 0.1, 0.9, 0.4, 0.3, 0.3, 0.6])
    ConcordanceResult(concordance, estimate=0.7885, standard_error=0.1189, 95 % interval 0.2471 to 0.9814 by
    unseen_case)

    A pair of cases is comparable if one of them is known to have had the event first. The index is the share of
    comparable pairs in which that case has the higher risk. No resample is drawn.

    Parameters
    ----------
    event : array-like of shape (n_samples,)
        Whether the event was observed (1 or True) or the case was censored (0 or False). Or scikit-survival's
        structured array of event and time, which takes the place of both: ``bootstrap_concordance(y, risk)``.
    time : array-like of shape (n_samples,)
        The time of the event or of the censoring, not negative.
    risk : array-like of shape (n_samples,)
        Finite risk scores, higher for an earlier event. Pass predicted survival times with a minus sign.

    Returns
    -------
    ConcordanceResult
        With ``n_pairs`` and ``n_events``. The interval methods:

        - "unseen_case" (default): allows for one additional case that is comparable with as many cases as possible,
          with all of these pairs in the wrong order for the lower limit and in the right order for the upper one. Wide
          with fewer than ten events.
        - "extrapolated" (only with ``groups``, where it is the default): allows for one additional group as extreme as
          those in the sample suggest. Not to be trusted where some groups fail as a whole and the sample may contain
          none: "unseen_group" allows for them; up to twice as wide.
        - "wald": a Gaussian. Not to be trusted with few events or near 1.

    See Also
    --------
    bootstrap_concordance_difference : Two models on the same cases.
    bootstrap_auc : For binary outcomes, or at a horizon.

    Notes
    -----
    The estimate equals scikit-survival's ``concordance_index_censored`` and R's ``survival::concordance``; the standard
    error, of first order in the number of cases, equals R's. Harrell's index depends on the censoring distribution;
    nothing here corrects for that. :doc:`/user_guide/survival` has more.

    References
    ----------
    F. E. Harrell, K. L. Lee and D. B. Mark, Statistics in Medicine 15(4), 1996.
    """
    result: ConcordanceResult = _checked_concordance(event, time, {"risk": risk}, sample_weight, groups)
    return result


@explains_calls
@described(bootstrap_concordance)
def bootstrap_concordance_difference(
    event: ArrayLike,
    time: ArrayLike,
    risk_a: ArrayLike,
    risk_b: ArrayLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
) -> ConcordanceDifferenceResult:
    """The difference in concordance of two models, a - b, on the same cases, with its interval and p-value.

    >>> from skcostci import bootstrap_concordance_difference
    >>> event, time = [1, 1, 0, 1, 0, 1, 1, 1], [5, 3, 8, 1, 6, 2, 7, 4]
    >>> a, b = [0.2, 0.7, 0.1, 0.9, 0.4, 0.3, 0.3, 0.6], [0.3, 0.6, 0.2, 0.8, 0.4, 0.3, 0.1, 0.6]
    >>> bootstrap_concordance_difference(event, time, a, b)
    ConcordanceDifferenceResult(concordance difference, estimate=0.01923, standard_error=0.05269, 95 % interval -0.1236
    to 0.1617 by extrapolated, p=0.87)

    Parameters
    ----------
    risk_a, risk_b : array-like of shape (n_samples,)
        Finite risks of the two models, higher for an earlier event; they need not share a scale.

    Returns
    -------
    ConcordanceDifferenceResult
        The interval methods:

        - "extrapolated" (default): Student's t with one additional case, or group, about as extreme as those in the
          sample. Short where the models resemble each other. Not to be trusted where one model alone may fail on cases
          of a kind that the sample does not contain.
        - "unseen_case": allows for one additional case that one model ranks last and the other first.
        - "unseen_group" (only with ``groups``): the same with an additional group of cases.
        - "wald": a Gaussian. Not to be trusted with few events.

    See Also
    --------
    bootstrap_concordance : One model.
    """
    risks = {"risk_a": risk_a, "risk_b": risk_b}
    result: ConcordanceDifferenceResult = _checked_concordance(event, time, risks, sample_weight, groups)
    return result


def concordance_of(cases: Cases, *columns: str) -> Any:
    order = EventOrder.of(cases.truth["event"], cases.truth["time"], cases.weights)
    if not order.comparable.any():
        raise ValueError(
            "event and time must contain at least one pair to compare: an event that comes before the event, "
            "or the censoring, of another case."
        )
    design, paired = Design(cases.rows), len(columns) == 2
    each = [_concordance(design.parts[0], order, cases.columns[name]) for name in columns]
    one, n_groups = Difference.of(each), cases.n_groups or None
    law = law_of_terms(design, [one], (-1.0 if paired else 0.0, 1.0), OF_RANKS, paired=paired)
    methods = methods_of_units(grouped=cases.groups is not None, paired=paired)
    estimand = Estimand("concordance", difference=paired)
    if paired:
        return ConcordanceDifferenceResult(float(one.value[0]), law, methods, estimand=estimand, n_groups=n_groups)
    counted = each[0].sums[1] / 2, order.n_events
    return ConcordanceResult(float(one.value[0]), law, methods, *counted, estimand=estimand, n_groups=n_groups)


def _checked_concordance(
    event: Any,
    time: Any,
    risks: Mapping[str, Any],
    sample_weight: ArrayLike | None,
    groups: ArrayLike | None,
) -> Any:
    """The concordance from users' arguments; if ``event`` has the times too, the risks come directly after it."""
    names, given = list(risks), list(risks.values())
    if has_times(event):
        if given[-1] is not None:
            raise TypeError("time is already a field of event; pass event and the risk of each model.")
        time, given = None, [time, *given[:-1]]
    elif given[-1] is None:
        raise TypeError("risk is missing: pass event, time and the risk of each model.")
    columns = dict(zip(names, given, strict=True))
    return concordance_of(Cases.check_times(event, time, columns, sample_weight=sample_weight, groups=groups), *names)


@dataclass(frozen=True, repr=False, eq=False)
class EventOrder:
    """Cases by time, events before cases censored at the same time.

    ``order`` sorts the rows. For each row in that order ``first`` and ``last`` are where its place in time begins and
    ends; ``event`` and ``weights`` are sorted too.
    """

    order: Integers
    first: Integers
    last: Integers
    event: Booleans
    weights: Floats

    @classmethod
    def of(cls, event: Booleans, time: Floats, weights: Weights) -> EventOrder:
        """The order of rows, which may be in any order."""
        order = np.lexsort((~event, time))
        event, time = event[order], time[order]
        new = np.append(True, (time[1:] != time[:-1]) | (event[1:] != event[:-1]))
        starts = np.flatnonzero(new)
        which = np.cumsum(new) - 1
        ends = np.append(starts[1:], len(time))
        return cls(order, starts[which], ends[which], event, weights[order].astype(np.float64))

    @property
    def n_events(self) -> float:
        return float(self.events_before[-1])

    @cached_property
    def events_before(self) -> Floats:
        """The number of events among the first 0, 1, ..., n rows."""
        return np.append(0.0, np.cumsum(self.weights * self.event))

    @cached_property
    def cases_from(self) -> Floats:
        """The number of cases after the first 0, 1, ..., n rows."""
        return np.asarray(self.weights.sum() - np.append(0.0, np.cumsum(self.weights)))

    @cached_property
    def comparable(self) -> Floats:
        """D of each row in order: its pairs as the later of two cases and, with an event, as the first."""
        return np.asarray(self.events_before[self.first] + self.event * self.cases_from[self.last])

    @cached_property
    def most(self) -> float:
        return float((self.cases_from + self.events_before)[np.append(self.first, self.last)].max())


class RatioOfPairs(Ratio):
    """A ratio of sums over pairs, where a row has the terms of all of its pairs: each pair is counted twice."""

    @property
    def influences(self) -> Floats:
        return 2 * super().influences


def _concordance(part: Part, order: EventOrder, risk: Floats) -> RatioOfPairs:
    """C / P, as sums of N and of D of the rows of a part."""
    _, ranks = np.unique(risk[order.order], return_inverse=True)
    below, equal = sums_before(order.first, ranks, order.weights * order.event)
    as_later = order.events_before[order.first] - below - equal / 2  # the earlier event has the larger risk
    after_below, after_equal = sums_before(len(ranks) - order.last, ranks, order.weights[::-1], ranks[::-1])
    won = as_later + order.event * (after_below + after_equal / 2)
    # An additional case is in as many pairs as possible, all of them lost or won.
    places, most = np.argsort(order.order), 2 * max(order.most, float(order.weights.sum()))
    return RatioOfPairs(part, won[places], order.comparable[places], ((0.0, most), (most, most)))


def sums_before(
    lengths: Integers, ranks: Integers, weights: Floats, of: NDArray[np.int64] | None = None
) -> tuple[Floats, Floats]:
    """The total weight of points with a smaller rank, and of those with an equal rank, among the first ``lengths``.

    There is one entry for each of ``lengths`` and ``ranks``; the points have ``weights`` and ranks ``of``, by default
    ``ranks``. Points are partitioned by the bits of their ranks, the highest first, those without the bit in front, so
    that the points of a sum stay contiguous, from ``start`` to ``end``.
    """
    points = ranks if of is None else of
    below, start, end = np.zeros(len(lengths)), np.zeros_like(lengths), lengths
    for bit in reversed(range(int(max(points.max(), ranks.max())).bit_length())):
        without, higher = (points >> bit) & 1 == 0, (ranks >> bit) & 1 == 1
        sums = np.append(0.0, np.cumsum(weights * without))
        below += np.where(higher, sums[end] - sums[start], 0.0)
        in_front = np.append(0, np.cumsum(without))
        start, end = (np.where(higher, in_front[-1] + at - in_front[at], in_front[at]) for at in (start, end))
        points, weights = (np.append(each[without], each[~without]) for each in (points, weights))
    sums = np.append(0.0, np.cumsum(weights))
    return below, sums[end] - sums[start]
