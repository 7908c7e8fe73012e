"""The AUC and the Brier score of censored times at a horizon t: risks as predictions of an event by then.

A case is one whose event was seen by t, a control one observed beyond t; one censored before t is neither. To make up
for those that are lost each case has the weight 1 / G(t_i-) and each control 1 / G(t), where G is the Kaplan-Meier
estimate of the chance not to be censored, events before censored cases at a tie. These weights v add up to n:

    AUC(t) = sum over cases i of v_i S_i / sum v_i,     S_i the share of the controls with a lower risk, ties half,
    Brier(t) = (sum over cases of v_i (1 - p_i)^2 + sum over controls of v_i p_i^2) / n.

Either is a sum of v_i times the term L_i of row i. A row also affects it through G. With c(u) rows censored at u, R(u)
observed until then without event, and A(u) the sum of v_i L_i over all rows observed beyond u, row k adds

    A(t_k) / R(t_k) if it was censored at t_k <= t,
    minus the sum over u < t_k, u <= t of A(u) c(u) / (R(u) (R(u) - c(u)))

(the martingale of censoring; Hung and Chiang 2010, Blanche et al. 2013). The least favourable additional observation
has its event at t, with a weight of 1 / G(t), or is a control: with the worst possible risk, or with the largest loss
that any of these probabilities could have.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skcostci._arrays import Booleans, Floats, Integers
from skcostci._frozen import cached_property
from skcostci._validation._arguments import SHARE, Number
from skcostci._validation._rows import SampleOptions
from skcostci.cases._cases import Cases
from skcostci.cases._design import Design
from skcostci.laws._rounding import SPREAD_ROUNDING
from skcostci.laws.influence._first_order import OF_COUNTS, OF_RANKS
from skcostci.results._estimand import Estimand
from skcostci.statistics._auc import AUCDifferenceResult, AUCResult
from skcostci.statistics._mean import MeanDifferenceResult, MeanResult
from skcostci.statistics._units import law_of_models, law_of_terms, methods_of_units

LEFT_ALONE = {"weight_type": "counts"}  # options that are never None, and the value that they then must have


def check_censored(
    y_true: ArrayLike,
    risks: Mapping[str, ArrayLike],
    sample: SampleOptions,
    *,
    left_alone: Mapping[str, object] = LEFT_ALONE,
    horizon: object = None,
    **options: object,
) -> Cases:
    """Cases with censored times; options other than weights and groups must be None, or as ``left_alone`` says."""
    for name, value in {**options, **sample}.items():
        default = left_alone.get(name)
        if name not in ("sample_weight", "groups", "time") and (
            value is not None if default is None else value != default
        ):
            times = "censored times" if horizon is None else "time and horizon"
            raise ValueError(f"{name} cannot be combined with {times}, got {value!r:.60}. Leave it out.")
    belonging = {"sample_weight": sample.get("sample_weight"), "groups": sample.get("groups")}
    return Cases.check_times(y_true, sample.get("time"), risks, called="y_true", **belonging)


def area_at_horizon(cases: Cases, *columns: str, horizon: object) -> Any:
    t, last = _check_horizon(cases, horizon), float(cases.truth["time"].max())
    if t >= last:
        raise ValueError(
            f"horizon must be below the last time, {last:g}, so that some cases are observed longer, got {t:g}."
        )
    if t < (first := cases.truth["time"][cases.truth["event"]].min(initial=np.inf)):
        had = "no event was seen at all" if first == np.inf else f"the first event is at {first:g}"
        raise ValueError(f"horizon must be late enough for at least one event: {had}, got {t:g}.")
    at = AtHorizon.of(cases, t)
    models = [AreaAtHorizon(at, cases.columns[name]) for name in columns]
    law = law_of_models(Design(cases.rows), [models], (0.0, 1.0), OF_RANKS)
    paired = len(columns) == 2
    methods = methods_of_units(grouped=cases.groups is not None, paired=paired)
    estimand = Estimand("auc", paired, axis={"horizon": t})
    kind: Any = AUCDifferenceResult if paired else AUCResult
    return kind(float(law.estimate[0]), law, methods, estimand=estimand, n_groups=cases.n_groups or None)


def brier_at_horizon(cases: Cases, *columns: str, horizon: object) -> Any:
    t, last = _check_horizon(cases, horizon), float(cases.truth["time"].max())
    for name in columns:
        SHARE.all(name, cases.columns[name])
    if t > last:
        raise ValueError(
            f"horizon must be at most the last time, {last:g}, got {t:g}: nothing was observed after that time."
        )
    if t == last and not cases.truth["event"][cases.truth["time"] == last].all():
        raise ValueError(f"horizon must be below the last time, {last:g}, at which cases are censored, got {t:g}.")
    losses = [np.array([(1 - cases.columns[name]) ** 2, cases.columns[name] ** 2]) for name in columns]
    paired = len(columns) == 2
    one = BrierAtHorizon(AtHorizon.of(cases, t), losses[0] - losses[1] if paired else losses[0])
    law = law_of_terms(Design(cases.rows), [one], (-1.0 if paired else 0.0, 1.0), OF_COUNTS, paired=paired)
    methods = methods_of_units(grouped=cases.groups is not None)
    estimand = Estimand("loss", paired, metric="brier", axis={"horizon": t})
    kind: Any = MeanDifferenceResult if paired else MeanResult
    said = {"quantity": "brier", "estimand": estimand, "n_groups": cases.n_groups or None}
    return kind(float(one.value[0]), law, methods, **said)


def _check_horizon(cases: Cases, horizon: object) -> float:
    if horizon is None:
        raise ValueError(
            "horizon is missing: pass the time by which the event is predicted, below the last time, "
            f"{cases.truth['time'].max():g}."
        )
    return Number(0, np.inf, ")")("horizon", horizon)


@dataclass(frozen=True, repr=False, eq=False)
class AtHorizon:
    """Rows at a horizon: who ``had`` the event by then, is ``free`` of it beyond, or ``lost``; ``mass`` are counts.

    ``place`` are the rows' positions among the distinct times, of which the first ``n_until`` are not after the
    horizon; ``risk_set`` and ``later`` are R and R - c there, ``weight`` is v, and ``largest`` is 1 / G(t).
    """

    had: Booleans
    free: Booleans
    lost: Booleans
    mass: Floats
    place: Integers
    n_until: int
    risk_set: Floats
    later: Floats
    weight: Floats
    largest: float

    @classmethod
    def of(cls, cases: Cases, horizon: float) -> AtHorizon:
        """From cases of which some are observed beyond the horizon, or none is censored at the last time."""
        mass, event, time = cases.weights.astype(np.float64), cases.truth["event"], cases.truth["time"]
        times, place = np.unique(time, return_inverse=True)
        n_until = int(np.searchsorted(times, horizon, "right"))
        every = np.bincount(place, mass)
        later = mass.sum() - np.cumsum(every)
        censored = np.bincount(place, mass * ~event)
        risk_set = later + censored
        kept = np.divide(later, risk_set, out=np.ones_like(later), where=censored > 0)
        g = np.append(1.0, np.cumprod(kept[:n_until]))  # before each time, and at the horizon
        free = time > horizon
        had = event & ~free
        weight = np.where(free, 1 / g[-1], 0.0)
        weight[had] = 1 / g[place[had]]
        return cls(had, free, ~(had | free), mass, place, n_until, risk_set, later, weight, float(1 / g[-1]))

    def with_censoring(self, added: Floats) -> Floats:
        """The effect of each row on a sum, given its own term in it: that term, and its effect on the weights."""
        total = np.bincount(self.place, self.mass * added)
        beyond = (total.sum() - np.cumsum(total))[: self.n_until]
        risk_set, later = self.risk_set[: self.n_until], self.later[: self.n_until]
        censored = risk_set - later
        of_one = np.divide(beyond, risk_set, out=np.zeros_like(beyond), where=censored > 0)
        of_all = np.divide(of_one * censored, later, out=np.zeros_like(beyond), where=censored > 0)
        until = np.append(0.0, np.cumsum(of_all))
        moved = added - until[np.minimum(self.place, self.n_until)]
        moved[self.lost] += of_one[self.place[self.lost]]
        return np.asarray(moved)


@dataclass(frozen=True, repr=False, eq=False)
class AreaAtHorizon:
    at: AtHorizon
    risk: Floats

    @cached_property
    def shares(self) -> tuple[Floats, Floats, float, float]:
        """The share of controls below each case, that of cases above each control, and the weights of both."""
        at = self.at
        of_cases, of_controls = (at.mass * at.weight)[at.had], at.mass[at.free]
        cases, controls = self.risk[at.had], self.risk[at.free]
        whole, free = float(of_cases.sum()), float(of_controls.sum())
        below, above = _share_below(cases, controls, of_controls), 1 - _share_below(controls, cases, of_cases)
        return below, above, whole, free

    @cached_property
    def value(self) -> Floats:
        below, _, whole, _ = self.shares
        return np.array([float((self.at.mass * self.at.weight)[self.at.had] @ below) / whole])

    @property
    def influences(self) -> Floats:
        at, (below, above, whole, free) = self.at, self.shares
        of_cases = np.zeros(len(self.risk))
        of_cases[at.had] = at.weight[at.had] * (below - self.value) / whole
        found = at.with_censoring(of_cases)
        found[at.free] += (above - self.value) / free
        return found[:, None]

    @property
    def rounding(self) -> float:
        """Relative to the largest share of a case or of a control in its weights."""
        _, _, whole, free = self.shares
        return SPREAD_ROUNDING * max(self.at.largest / whole, 1 / free)

    def with_additional(self, made: Floats, side: int) -> Floats:
        """The value with additional cases with the event at the horizon, or controls, above or below all others."""
        _, _, whole, free = self.shares
        many = float(made.sum())
        found = [
            (own * self.value + more * (side > 0)) / (own + more)
            for own, more in ((whole, many * self.at.largest), (free, many))
        ]
        return np.asarray(side * np.max(side * np.array(found), axis=0))


@dataclass(frozen=True, repr=False, eq=False)
class BrierAtHorizon:
    """Brier(t), or a's minus b's; ``losses`` are those with the event and those without, shape (2, n_rows)."""

    at: AtHorizon
    losses: Floats

    @cached_property
    def added(self) -> Floats:
        lost = np.where(self.at.had, *self.losses)
        return np.asarray(self.at.weight * lost / self.at.mass.sum())

    @cached_property
    def value(self) -> Floats:
        return np.array([self.at.mass @ self.added])

    @property
    def influences(self) -> Floats:
        return np.asarray(self.at.with_censoring(self.added) - self.value / self.at.mass.sum())[:, None]

    @property
    def rounding(self) -> float:
        """Relative to a loss of 1."""
        return SPREAD_ROUNDING * self.at.largest / float(self.at.mass.sum())

    def with_additional(self, made: Floats, side: int) -> Floats:
        """The value with additional cases at the largest, or least, loss that any row could have; 0 for a lost row."""
        n, many = float(self.at.mass.sum()), float(made.sum())
        end = side * max(0.0, float((side * self.losses).max())) * self.at.largest
        return (n * self.value + many * end) / (n + many)


def _share_below(values: Floats, others: Floats, weights: Floats) -> Floats:
    """The share of the weight of the others that is below each value, ties half."""
    order = np.argsort(others)
    others, sums = others[order], np.append(0.0, np.cumsum(weights[order]))
    places = [np.searchsorted(others, values, side) for side in ("left", "right")]
    return np.asarray((sums[places[0]] + sums[places[1]]) / (2 * sums[-1]))
