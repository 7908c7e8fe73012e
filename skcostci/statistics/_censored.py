"""Statistics of risks and censored times: AUC, Brier score and net benefit at a horizon t, and Harrell's concordance.

**At a horizon** risks are predictions of an event by then. A case is one whose event was seen by t, a control one
observed beyond t or, with competing events, with one of these by t; one censored before t is neither. To make up for
those that are lost each row with an event by t has the weight 1 / G(t_i-) and each one beyond t has 1 / G(t), where G
is the Kaplan-Meier estimate of the chance not to be censored, events before censored cases at a tie. These weights v
add up to n (for competing events Blanche et al. 2013):

    AUC(t) = sum over cases i of v_i S_i / sum v_i,     S_i the weighted share of controls of lower risk, ties half,
    Brier(t) = (sum over cases of v_i (1 - p_i)^2 + sum over controls of v_i p_i^2) / n,
    net benefit(t) = (sum of v_i over cases with p_i >= q, minus q / (1 - q) times that of controls) / n, q a threshold

(Vickers et al. 2008, with the Kaplan-Meier estimate of those with p_i >= q, where G is that of all rows here). Each is
a sum of v_i times the term L_i of row i. So are the observed events, sum of v_i over cases, n times the Kaplan-Meier
(with competing events the Aalen-Johansen) estimate at t. Over the expected ones, sum p_i, they have as limits the x for
which a limit of the mean of v_i L_i - x p_i is 0. A row also affects a sum through G. With c(u) rows censored at u,
R(u) observed until then without event, and A(u) the sum of v_i L_i over all rows observed beyond u, row k adds

    A(t_k) / R(t_k) if it was censored at t_k <= t,
    minus the sum over u < t_k, u <= t of A(u) c(u) / (R(u) (R(u) - c(u)))

(the martingale of censoring; Hung and Chiang 2010, Blanche et al. 2013). The least favourable additional observation
has its event at t, with a weight of 1 / G(t), or is a control: with the worst possible risk, with the largest loss that
any of these probabilities could have or, for the net benefit, on either side of the threshold of each model. Integrated
over time, a mean over horizons by the trapezoidal rule, each quantity is the same mean of those at the horizons; the
additional observation is the worst at each of them.

**Concordance.** Case i, with an event at t_i, is comparable with j if t_j > t_i, or t_j = t_i and j is censored then: i
had the event first. The pair counts 1 if risk_i > risk_j, 1/2 if they are equal. With D_i the number of comparable
pairs of case i, N_i the sum of their counts, P = sum D / 2 and C = sum N / 2,

    c = C / P,    the influence of a case = (N_i - c D_i) / P.

The least favourable additional case has as many comparable pairs as possible and loses all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcostci._arrays import Booleans, Floats, Integers, Weights, reached
from skcostci._described import described
from skcostci._frozen import altered, frozen_numbers, read_only
from skcostci._options import explains_calls
from skcostci._validation._arguments import ANY, Number, check_proba
from skcostci._validation._rows import GivenRows, Rows, SampleOptions
from skcostci.cases._cases import Cases, has_times
from skcostci.cases._design import Design, Part
from skcostci.cuts import Cut, check_risks, threshold_pair
from skcostci.laws._rounding import SPREAD_ROUNDING
from skcostci.laws.influence._first_order import OF_COUNTS, OF_RANKS, FirstOrderLaw
from skcostci.metric import Metric
from skcostci.results._estimand import Estimand
from skcostci.results._results import BootstrapResult, ComparedResult
from skcostci.statistics._auc import AREAS, AUCDifferenceResult, AUCResult
from skcostci.statistics._mean import MeanDifferenceResult, MeanResult, RatioResult
from skcostci.statistics._metric import MetricDifferenceResult, MetricResult
from skcostci.statistics._units import (
    Computed,
    Difference,
    Ratio,
    Statistic,
    law_of_models,
    law_of_terms,
    methods_of_units,
)

LEFT_ALONE = {"weight_type": "counts"}  # options that are never None, and the default that they must have
OF_TIMES = ("sample_weight", "groups", "time", "thresholds", "integrated")  # options that go with times
Points = Sequence[tuple["AtHorizon", list[Floats]]]  # the rows at each horizon, and the terms L of each model there
OF_EVENTS = np.array([[1.0], [0.0]])  # the terms whose mean is the share with the event


def check_censored(
    y_true: ArrayLike,
    risks: Mapping[str, ArrayLike],
    sample: SampleOptions,
    *,
    left_alone: Mapping[str, object] = LEFT_ALONE,
    horizon: Floats | None = None,
    **options: object,
) -> Cases:
    """Cases with censored times; options other than weights and groups must be None, or as ``left_alone`` says."""
    for name, value in {**options, **sample}.items():
        default = left_alone.get(name)
        if name not in OF_TIMES and (value is not None if default is None else value != default):
            times = "censored times" if horizon is None else "time and horizon"
            raise ValueError(f"{name} cannot be combined with {times}, got {value!r:.60}. Leave it out.")
    belonging: GivenRows = {"sample_weight": sample.get("sample_weight"), "groups": sample.get("groups")}
    return Cases.check_times(y_true, sample.get("time"), risks, called="y_true", horizons=horizon, **belonging)


def check_horizons(horizon: ArrayLike | None, *, integrated: bool = False) -> Floats:
    """The horizon, or several; users' functions call this, and what they call takes what it returns."""
    if not isinstance(integrated, bool | np.bool_):
        raise TypeError(f"integrated must be True or False, got {integrated!r:.60}.")
    horizons = None if horizon is None else Number(0, np.inf, ")").points("horizon", horizon)
    if integrated and (horizons is None or horizons.size < 2 or (np.diff(horizons) <= 0).any()):
        raise ValueError(f"integrated=True needs horizon, two or more times in ascending order, got {horizon!r:.60}.")
    if horizons is None:
        raise ValueError("horizon is missing: pass the time by which the event is predicted.")
    return horizons


def area_at_horizon(
    cases: Cases, *columns: str, horizon: Floats, integrated: bool = False
) -> AUCResult | AUCDifferenceResult:
    last = float(cases.truth["time"].max())
    if (t := horizon.max()) >= last:
        raise ValueError(
            f"horizon must be below the last time, {last:g}, so that some cases are observed longer, got {t:g}."
        )
    first = cases.truth["time"][cases.truth["event"] == 1].min(initial=np.inf)
    if (t := horizon.min()) < first:
        had = "no event was seen at all" if first == np.inf else f"the first event is at {first:g}"
        raise ValueError(f"horizon must be late enough for at least one event: {had}, got {t:g}.")
    each = _at_horizons(cases, horizon, columns)
    name, shape, axis, weights = _over_time("auc", horizon, integrated=integrated)
    models = [_together([_area(at, risks[model]) for at, risks in each], weights) for model in range(len(columns))]
    law, paired = law_of_models(Design(cases.rows), [models], (0.0, 1.0), OF_RANKS), len(columns) == 2
    methods = methods_of_units(grouped=cases.groups is not None, paired=paired)
    estimand, n_groups = Estimand(name, paired, axis=axis, competing=2 in cases.labels), cases.n_groups or None
    estimate: Any = frozen_numbers(law.estimate, shape)
    return AREAS[paired](estimate, law, methods, estimand=estimand, n_groups=n_groups)


def brier_at_horizon(
    cases: Cases, *columns: str, horizon: Floats, integrated: bool = False
) -> MeanResult | MeanDifferenceResult:
    _check_observed(cases, horizon)
    for name in columns:
        check_proba(name, cases.columns[name])
    each = _at_horizons(cases, horizon, columns)
    points = [(at, [np.array([(1 - p) ** 2, p**2]) for p in map(np.float64, risks)]) for at, risks in each]
    name, shape, axis, weights = _over_time("brier", horizon, integrated=integrated)
    ends = np.array([-1.0 if len(columns) == 2 else 0.0]), np.ones(1)
    law, methods = _law_of_means(cases, points, ends, weights=weights)
    estimand = Estimand("loss", len(columns) == 2, metric=name, axis=axis, competing=2 in cases.labels)
    kind, n_groups = MeanDifferenceResult if len(columns) == 2 else MeanResult, cases.n_groups or None
    estimate: Any = frozen_numbers(law.estimate, shape)
    return kind(estimate, law, methods, quantity=name, estimand=estimand, n_groups=n_groups)


def net_benefit_at_horizon(
    cases: Cases, *columns: str, horizon: Floats, thresholds: Any = None
) -> MetricResult | MetricDifferenceResult:
    if thresholds is None or isinstance(thresholds, str):
        given = "are missing" if thresholds is None else f"must be numbers with time and horizon, got {thresholds!r}"
        raise ValueError(f"thresholds {given}: pass the risks from which on cases are treated.")
    _check_observed(cases, horizon)
    paired = len(columns) == 2
    cuts = threshold_pair("thresholds", thresholds) if paired else [Cut(ANY.points("thresholds", thresholds))]
    values = [cut.thresholds for cut in cuts]
    if horizon.size > 1 and values[0].size > 1:
        raise ValueError(f"horizon must be a single number with several thresholds, got {horizon.size} of them.")
    metrics = [tuple(map(Metric.net_benefit, each.ravel().tolist())) for each in values]
    for name in columns:
        check_risks("net_benefit", cases.columns[name])
    of_points = np.array([each.ravel() for each in values]).T
    points = [
        (at, [np.array([hit := reached(p, q), -q / (1 - q) * hit]) for p, q in zip(risks, of_models, strict=True)])
        for (at, risks), of_models in product(_at_horizons(cases, horizon, columns), of_points)
    ]
    # One model alone may label an additional case positive: a - b is least if a does so without event, or b with event.
    odds = np.tile((of_points / (1 - of_points)).T, horizon.size)
    ends = (-np.maximum(1.0, odds[0]), np.maximum(1.0, odds[1])) if paired else (-odds[0], np.ones_like(odds[0]))
    law, methods = _law_of_means(cases, points, ends, any_term=True)
    estimate = frozen_numbers(law.estimate, np.broadcast_shapes(horizon.shape, values[0].shape))
    shown: Any = tuple(map(read_only, values)) if paired else read_only(values[0])
    axis: Any = {"horizon": horizon}
    estimand = Estimand("metric", paired, metric=metrics[0], axis=axis, competing=2 in cases.labels)
    kind, n_groups = MetricDifferenceResult if paired else MetricResult, cases.n_groups or None
    return kind(estimate, law, methods, "net_benefit", shown, estimand=estimand, n_groups=n_groups)


def calibration_at_horizon(
    cases: Cases, column: str, horizon: Floats
) -> tuple[tuple[Floats, Floats, Rows], RatioResult]:
    """The v of rows with the event (0 of others), their risks and the rows; and observed over expected events."""
    _check_observed(cases, horizon)
    risk = check_proba(column, cases.columns[column])
    if horizon.ndim or not risk.any():
        wrong = f"horizon must be a number, got {horizon!r:.60}" if horizon.ndim else f"{column} must not be all 0"
        raise ValueError(f"{wrong}, for calibration at a horizon.")
    at, design = AtHorizon.of(cases, horizon.item()), Design(cases.rows)
    observed, expected = at.weight * at.had, at.mass @ risk / at.mass.sum()
    ratio = float(at.mass @ observed / (at.mass @ risk))
    one = _mean(at, OF_EVENTS, -ratio * risk)
    one = Computed(np.array([ratio]), one.influences / expected, one.rounding / expected, one.with_additional)
    at_ratio = partial(_law_of_excess, at, risk, design)
    law: Any = replace(law_of_terms(design, [one], (0.0, np.inf), OF_COUNTS), mean_at=at_ratio)
    methods, n_groups = methods_of_units(grouped=cases.groups is not None), cases.n_groups or None
    estimand = Estimand("observed_expected", axis={"horizon": horizon}, competing=2 in cases.labels)
    return (observed, risk, cases.rows), RatioResult(ratio, law, methods, estimand=estimand, n_groups=n_groups)


def _law_of_excess(at: AtHorizon, risk: Floats, design: Design, x: float) -> FirstOrderLaw:
    """The law of the mean of v_i - x p_i, with v_i of cases only; x is not below 0."""
    ends = (-x * risk.max(), 1.0 - x * risk.min())
    return law_of_terms(design, [_mean(at, OF_EVENTS, -x * risk)], ends, OF_COUNTS)


def _law_of_means(
    cases: Cases, points: Points, ends: tuple[Floats, Floats], *, weights: Floats | None = None, any_term: bool = False
) -> tuple[Any, tuple[str, ...]]:
    """The law of means of v_i L_i, with terms L of each model, a minus b, with the event and without.

    The ``ends`` of the means are those of L, of which an additional case can have ``any_term``, or those of rows alone.
    """
    paired = len(points[0][1]) == 2
    extremes = np.transpose(ends) if any_term else np.zeros((len(points), 1))
    each = []
    for (at, terms), others in zip(points, extremes, strict=True):
        each.append(_mean(at, terms[0] - terms[1] if paired else terms[0], others=others))
    law = law_of_terms(Design(cases.rows), [_together(each, weights)], ends, OF_COUNTS, paired=paired)
    return law, methods_of_units(grouped=cases.groups is not None)


def _check_observed(cases: Cases, horizon: Floats) -> None:
    last = float(cases.truth["time"].max())
    if (t := horizon.max()) > last:
        raise ValueError(
            f"horizon must be at most the last time, {last:g}, got {t:g}: nothing was observed after that time."
        )
    if t == last and not cases.truth["event"][cases.truth["time"] == last].all():
        raise ValueError(f"horizon must be below the last time, {last:g}, at which cases are censored, got {t:g}.")


def _over_time(
    name: str, horizons: Floats, *, integrated: bool
) -> tuple[str, tuple[int, ...], dict[str, Any], Floats | None]:
    """The name, shape and axis of a result, and the weights of horizons where it is ``integrated``, by trapezoids."""
    axis: dict[str, Any] = {"horizon": horizons}
    if not integrated:
        return name, horizons.shape, axis, None
    gaps = np.diff(horizons)
    weights = (np.append(gaps, 0.0) + np.append(0.0, gaps)) / (2 * gaps.sum())
    return f"integrated_{name}", (), axis | {"from": horizons[0], "to": horizons[-1]}, weights


def _at_horizons(cases: Cases, horizons: Floats, columns: Sequence[str]) -> list[tuple[AtHorizon, list[Floats]]]:
    """The rows at each horizon, and each model's risks there: those of its own column, or the same at all."""
    shape = horizons.size, len(cases.truth)
    by_model = zip(*(np.broadcast_to(cases.columns[name].T, shape) for name in columns), strict=True)
    times = horizons.ravel().tolist()
    return [(AtHorizon.of(cases, t), list(risks)) for t, risks in zip(times, by_model, strict=True)]


def _together(each: Sequence[Computed], weights: Floats | None) -> Statistic:
    """Statistics of one point each as one of as many points or, with weights, as their sum."""

    def joined(parts: Sequence[Floats]) -> Floats:
        values = np.concatenate(parts, axis=-1)
        return values if weights is None else (values @ weights)[..., None]

    def with_additional(made: Floats, side: int) -> Floats:
        return joined([one.with_additional(made, side) for one in each])

    value, influences = joined([one.value for one in each]), joined([one.influences for one in each])
    return Computed(value, influences, max(one.rounding for one in each), with_additional)


class AtHorizon(NamedTuple):
    """Rows at a horizon: who ``had`` the event by then, or is known to be ``free`` of it; the others are lost.

    ``mass`` are counts, ``weight`` is v, and ``largest`` is 1 / G(t). ``place`` are the rows' positions among the
    distinct times; ``risk_set`` and ``later`` are R and R - c at those of the times that are not after the horizon.
    """

    had: Booleans
    free: Booleans
    mass: Floats
    weight: Floats
    largest: float
    place: Integers
    risk_set: Floats
    later: Floats

    @classmethod
    def of(cls, cases: Cases, horizon: float) -> AtHorizon:
        """From cases: some beyond the horizon, or none censored at the last time, as 1 / G would be infinite."""
        mass, event, time = cases.weights.astype(np.float64), cases.truth["event"], cases.truth["time"]
        times, place = np.unique(time, return_inverse=True)
        until = slice(np.searchsorted(times, horizon, "right"))
        later = (mass.sum() - np.cumsum(np.bincount(place, mass)))[until]
        censored = np.bincount(place, mass * (event == 0))[until]
        risk_set = later + censored
        kept = np.divide(later, risk_set, out=np.ones_like(later), where=censored > 0)
        g = np.append(1.0, np.cumprod(kept))  # before each time, and at the horizon
        beyond = time > horizon
        seen = (event > 0) & ~beyond
        weight = np.where(beyond, 1 / g[-1], 0.0)
        weight[seen] = 1 / g[place[seen]]
        had = seen & (event == 1)
        return cls(had, beyond | (seen & ~had), mass, weight, float(1 / g[-1]), place, risk_set, later)

    def with_censoring(self, added: Floats) -> Floats:
        """The effect of each row on a sum, given its own term in it: that term, and its effect on the weights."""
        total, n_until = np.bincount(self.place, self.mass * added), len(self.later)
        beyond, censored = (total.sum() - np.cumsum(total))[:n_until], self.risk_set - self.later
        of_one = np.divide(beyond, self.risk_set, out=np.zeros_like(beyond), where=censored > 0)
        of_all = np.divide(of_one * censored, self.later, out=np.zeros_like(beyond), where=censored > 0)
        until, lost = np.append(0.0, np.cumsum(of_all)), ~(self.had | self.free)
        moved = added - until[np.minimum(self.place, n_until)]
        moved[lost] += of_one[self.place[lost]]
        return np.asarray(moved)


def _area(at: AtHorizon, risk: Floats) -> Computed:
    """AUC(t); additional cases have the event at the horizon or are controls, with risks above or below all others."""
    weights, controls = (at.mass * at.weight)[at.had], (at.mass * at.weight)[at.free]
    whole, of_controls = float(weights.sum()), float(controls.sum())
    below = _share_below(risk[at.had], risk[at.free], controls)
    above = 1 - _share_below(risk[at.free], risk[at.had], weights)
    value = weights @ below / whole
    added = np.zeros(len(risk))
    added[at.had] = at.weight[at.had] * (below - value) / whole
    added[at.free] = at.weight[at.free] * (above - value) / of_controls

    def with_additional(made: Floats, side: int) -> Floats:
        more = made.sum() * at.largest
        found = [(own * value + more * (side > 0)) / (own + more) for own in (whole, of_controls)]
        return np.array([min(found) if side < 0 else max(found)])

    # An influence is rounded relative to the largest share of a case or of a control in its weights.
    rounding = SPREAD_ROUNDING * at.largest / min(whole, of_controls)
    return Computed(np.array([value]), at.with_censoring(added)[:, None], rounding, with_additional)


def _mean(at: AtHorizon, terms: Floats, rest: Floats | float = 0.0, others: ArrayLike = (0.0,)) -> Computed:
    """The mean of v_i L_i, from the terms L of rows with the event and without, shape (2, n_rows), plus the ``rest``.

    An additional case has the largest, or least, term that any row could have, or one of the ``others``, such as 0, as
    a lost row.
    """
    n = at.mass.sum()
    added = at.weight * np.where(at.had, *terms) / n
    value = np.array([at.mass @ (added + rest / n)])
    possible = at.largest * np.concatenate([terms, np.add.outer(others, 0 * terms[0])]) + rest

    def with_additional(made: Floats, side: int) -> Floats:
        many, end = made.sum(), side * (side * possible).max()
        return np.asarray((n * value + many * end) / (n + many))

    influences = at.with_censoring(added) + (rest - value) / n
    # An influence is rounded relative to the largest weight of a term.
    rounding = SPREAD_ROUNDING * max(at.largest, float(np.abs(rest).max())) / n
    return Computed(value, influences[:, None], rounding, with_additional)


def _share_below(values: Floats, others: Floats, weights: Floats) -> Floats:
    """The share of the weight of the others that is below each value, ties half."""
    order = np.argsort(others)
    others, sums = others[order], np.append(0.0, np.cumsum(weights[order]))
    places = [np.searchsorted(others, values, side) for side in ("left", "right")]
    return np.asarray((sums[places[0]] + sums[places[1]]) / (2 * sums[-1]))


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
    order = EventOrder.of(cases.truth["event"] == 1, cases.truth["time"], cases.weights)
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
    counted = each[0].sums[1].item(), order.events_before[-1].item()
    return ConcordanceResult(float(one.value[0]), law, methods, *counted, estimand=estimand, n_groups=n_groups)


def _checked_concordance(
    event: ArrayLike, time: Any, risks: Mapping[str, Any], sample_weight: ArrayLike | None, groups: ArrayLike | None
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


class EventOrder(NamedTuple):
    """Cases by time, events before cases censored at the same time.

    ``order`` sorts the rows. For each row in that order ``first`` and ``last`` are where its place in time begins and
    ends; ``event`` and ``weights`` are sorted too. Among the first 0, 1, ..., n rows there are ``events_before``, and
    after them ``cases_from``. ``comparable`` is the D of each row in order: its pairs as the later of two cases and,
    with an event, as the first.
    """

    order: Integers
    first: Integers
    last: Integers
    event: Booleans
    weights: Floats
    events_before: Floats
    cases_from: Floats
    comparable: Floats

    @classmethod
    def of(cls, event: Booleans, time: Floats, weights: Weights) -> EventOrder:
        """From rows in any order."""
        order = np.lexsort((~event, time))
        event, time, sizes = event[order], time[order], weights[order].astype(np.float64)
        new = np.append(True, (time[1:] != time[:-1]) | (event[1:] != event[:-1]))
        starts, which = np.flatnonzero(new), np.cumsum(new) - 1
        first, last = starts[which], np.append(starts[1:], len(time))[which]
        events_before = np.append(0.0, np.cumsum(sizes * event))
        cases_from = sizes.sum() - np.append(0.0, np.cumsum(sizes))
        comparable = events_before[first] + event * cases_from[last]
        return cls(order, first, last, event, sizes, events_before, cases_from, comparable)


def _concordance(part: Part, order: EventOrder, risk: Floats) -> Ratio:
    """C / P, as half the sums of N and of D of the rows of a part: each pair is counted in two rows."""
    _, ranks = np.unique(risk[order.order], return_inverse=True)
    below, equal = sums_before(order.first, ranks, order.weights * order.event)
    as_later = order.events_before[order.first] - below - equal / 2  # the earlier event has the larger risk
    # The same of the cases after it, counted from the end.
    after_below, after_equal = sums_before(len(ranks) - order.last, ranks, order.weights[::-1], ranks[::-1])
    won = as_later + order.event * (after_below + after_equal / 2)
    # An additional case is in as many pairs as possible, all of them lost or won.
    places, ends = np.argsort(order.order), np.append(order.first, order.last)
    most = float((order.cases_from + order.events_before)[ends].max())
    ratio = Ratio(part, won[places], order.comparable[places], ((0.0, most), (most, most)))
    return altered(ratio, sums=(ratio.sums[0] / 2, ratio.sums[1] / 2))


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
