"""Limits for the rates when the q cases with the highest scores are labelled positive (a budget).

Let I of n positives and J of N negatives be above the population's threshold for the share q / (n + N). Both are
binomial whatever the scores, and given J = j the ranking implies that I lies between h_j, the number of positives above
the j-th negative, and h_(j+1). With x positives and y negatives labelled, the lower limit of the true-positive rate is
the rate p of I, which with the budget determines the rate of J, with

    max(a, b) = min(alpha, KEPT (alpha + ALLOWED)),
    a = P(I >= h_J),    b = P(I >= h'_J),    h'_j = 2 x - h_(2y - j + 1).

By a alone, a rate is too low if h_J or more positives above the threshold would be improbable; where J can be one
number only this is Clopper and Pearson's limit, with the least favourable additional case of each class. But a uses the
observed curve in place of the population's near the threshold. Where the population's curve bends there, the errors of
I and J have the opposite sign, and limits by a miss three times too often. So b is computed with the observed curve
reflected in (x, y): on a straight curve a = b, and the larger of the two is used. As observed bends are random too,
only a part of alpha is used.

Upper limits are 1 minus the lower limits of the positives not labelled. Theory: doc/theory/intervals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from scipy.special import betainc, betaincc, betaincinv, gammaln, ndtr, ndtri, rel_entr

from skcostci._arrays import Floats, Integers
from skcostci.intervals._method import last_inside
from skcostci.laws.exact._ranked import BudgetLaw, RankedCases

PLACES = 128  # so many counts of a law are listed, or blocks of more; doubled: limits move .01 of half a width
REACH = 7.0  # standard deviations to which counts are listed
FAR = 30  # additional counts, for laws that are not Gaussian
ROUNDING = 1e-9  # of counts, in cases
UNLIKELY = 1e-6  # share of alpha: less probable counts are left out
CLOSE = 1e-3  # of the way from an estimate: limits are between rates as close as this, where tails are straight
KEPT, ALLOWED = 0.4, 0.01  # share of alpha, and allowance for misses; chosen by benchmarks/coverage.py --tune budget
LEAST, MOST = 1e-300, 1 - 1e-16  # probabilities, in place of 0 and 1
NODES, NODE_WEIGHTS = np.polynomial.legendre.leggauss(24)
FAR_SCORE, NORMAL = 7.5, np.sqrt(2 * np.pi)  # normal quantile where integrals end; divisor of the normal density


def budget_limit(law: BudgetLaw, alpha: Floats, side: int) -> Floats:
    """Limits of one of three rates; under stratified sampling all are functions of the true-positive rate's."""
    cases, q = law.cases, np.array(law.labelled, dtype=np.float64)
    if cases.sampling == "full":
        if law.rate != "precision":
            return _limit(cases if law.rate == "tpr" else cases.other_class, q, alpha, side)
        return _least_precision(cases, q, alpha) if side < 0 else 1 - _least_precision(cases.other_class, q, alpha)
    if law.rate == "fpr":
        found = _limit(cases, q, alpha, -side)
        return np.asarray((q - cases.draws_positive * found) / cases.draws_negative)
    found = _limit(cases, q, alpha, side)
    return np.asarray(found if law.rate == "tpr" else cases.draws_positive * found / q)


def _limit(cases: RankedCases, q: Floats, alpha: Floats, side: int) -> Floats:
    """An upper limit is 1 minus the lower limit of the share not labelled, with the ranking reversed."""
    if side < 0:
        return _least_share(cases, q, alpha)
    return 1 - _least_share(cases.upside_down, cases.draws - q, alpha)


def _least_share(cases: RankedCases, q: Floats, alpha: Floats) -> Floats:
    n, negatives = cases.draws_positive, cases.draws_negative
    above, found, unlikely = _positives_above(cases), cases.positives_labelled(q), UNLIKELY * np.min(kept(alpha))

    def tail(rate: Floats, at: Integers) -> Floats:
        x, y = found[at, None], (q - found)[at, None]
        mixes, weights, beyond = _false_positive_rates(cases, q[at], rate)
        place, chances = _binomial_places(negatives, mixes, weights)
        reflected = 2 * x - above(np.clip(2 * y - place, 0, negatives) + 1)
        reflected = np.where(place > y, np.maximum(reflected, x), reflected)  # beyond y no fewer than the x found there
        return beyond + _tail(chances, (above(place), reflected), n, rate, unlikely)

    least = np.maximum(q - negatives, 0) / n if cases.sampling == "stratified" else np.zeros(len(q))
    return _least_rates_with(tail, found, n, least, alpha)


def _least_precision(cases: RankedCases, q: Floats, alpha: Floats) -> Floats:
    """Lower limits for the share of positives among the q best: each of K cases above the threshold may be positive."""
    found, unlikely = cases.positives_labelled(q), UNLIKELY * np.min(kept(alpha))
    place, weights = _binomial_places(cases.draws, (q / cases.draws)[:, None], np.ones((len(q), 1)))
    mirrored = np.clip(2 * q[:, None] - place, 0, cases.draws)
    observed = cases.positives_labelled(place), 2 * found[:, None] - cases.positives_labelled(mirrored)

    def tail(rate: Floats, at: Integers) -> Floats:
        return _tail(weights[at], [count[at] for count in observed], place[at], rate, unlikely)

    return _least_rates_with(tail, found, q, np.zeros(len(q)), alpha)


def kept(alpha: Floats) -> Floats:
    """The part of alpha at which one limit misses at most ALLOWED more often than alpha at the worst bends found."""
    return np.minimum(alpha, KEPT * (alpha + ALLOWED))


def _least_rates_with(
    tail: Callable[[Floats, Integers], Floats], found: Floats, n: Floats | int, end: Floats, alpha: Floats
) -> Floats:
    """The lower limits: the smallest rates, from found / n downwards, whose tail is the kept part of alpha.

    ``tail`` has rates, and the positions of their points.
    """
    start, enough, known, tails = found / n, ndtri(kept(alpha)), np.full(end.shape, np.nan), np.zeros(end.shape)

    def excess(rate: Floats) -> Floats:
        moved = np.flatnonzero((rate != known) & (rate != start))  # most steps are those of a few points
        known[moved], tails[moved] = rate[moved], tail(rate[moved], moved)
        # At an estimate only the sign matters, which is known. Elsewhere nearly straight in the rate.
        return np.asarray(ndtri(np.clip(np.where(rate == start, 0.5, tails), LEAST, MOST)) - enough)

    spread = enough**2 / n
    score = (start + spread / 2 - np.sqrt(spread * (start * (1 - start) + spread / 4))) / (1 + spread)
    near = np.clip(score, end, start)
    return last_inside(excess, start, np.where(excess(near) < 0, near, end), CLOSE * (start - near) + 1e-15)


def _tail(weights: Floats, least: Sequence[Floats], draws: Floats | int, rate: Floats, unlikely: float) -> Floats:
    """max(a, b): P(I >= least_j) averaged over j, with the curve, observed or reflected, that gives more."""
    draws, found = np.broadcast_to(draws, weights.shape), []
    for count in least:
        # Most of the time goes into incomplete Beta functions: half of the counts are those of the place before,
        new = np.ones(count.shape, dtype=bool)
        new[:, 1:] = (count[:, 1:] != count[:, :-1]) | (draws[:, 1:] != draws[:, :-1])
        row, place = np.nonzero(new)
        weight = np.add.reduceat(weights.ravel(), np.flatnonzero(new))
        hits, n = count[row, place], draws[row, place]
        left, mean = np.maximum(n - hits, 0), n * rate[row]
        # and of the others a third is too improbable, by Chernoff's bound.
        most = np.exp(-np.where(hits > mean, rel_entr(hits, mean) + rel_entr(left, n - mean), 0.0))
        some = np.flatnonzero((weight * most > unlikely) & (hits <= n + ROUNDING))
        row, weight, hits, left = row[some], weight[some], hits[some], left[some]
        chance = np.where(hits <= 0, 1.0, betainc(np.maximum(hits, ROUNDING), left + 1.0, rate[row]))
        found.append(np.bincount(row, weight * chance, len(rate)))
    return np.asarray(np.max(found, axis=0))


def _false_positive_rates(cases: RankedCases, q: Floats, rate: Floats) -> tuple[Floats, Floats, Floats]:
    """False-positive rates that the budget implies, and their probabilities, both of shape (n_points, n_class_mixes).

    Last, the probability of class mixes at which hits alone exceed the budget, where the tail event is certain.
    """
    share = (q / cases.draws)[:, None]
    rate, mix = rate[:, None], np.full_like(share, cases.prevalence)
    weights, beyond = np.ones_like(share), np.zeros(len(share))
    if cases.sampling == "full":
        more = rate > share
        law = np.where(more, cases.draws_positive + 1, cases.draws_positive), cases.draws_negative + 1 - more
        with np.errstate(divide="ignore", invalid="ignore"):
            most = np.clip(np.where(more, share / rate, (1 - share) / (1 - rate)), 0.0, 1.0)
        half = (np.clip(ndtri(betainc(*law, most)), -FAR_SCORE, FAR_SCORE) + FAR_SCORE) / 2
        scores = half * (NODES + 1) - FAR_SCORE  # normal quantiles of the class mix
        mix, weights = betaincinv(*law, ndtr(scores)), NODE_WEIGHTS * half * np.exp(-(scores**2) / 2) / NORMAL
        beyond = np.where(more, betaincc(*law, most), 0.0)[:, 0]
    return np.clip((share - mix * rate) / (1 - mix), 0.0, 1.0), weights, beyond


def _binomial_places(draws: int, rates: Floats, mixed: Floats) -> tuple[Floats, Floats]:
    """Counts of binomial laws mixed over rates, at most ``PLACES`` per point, and their probabilities."""
    # A normal law's reach, and some more for rates next to 0, where counts are Poisson.
    spread = REACH * np.sqrt(draws * rates * (1 - rates)) + FAR
    low = np.maximum(np.floor((draws * rates - spread).min(axis=1)), 0)
    high = np.minimum(np.ceil((draws * rates + spread).max(axis=1)), draws) + 1
    edges = np.floor(low[:, None] + (high - low)[:, None] * np.arange(PLACES + 1) / PLACES)
    width = np.diff(edges)
    place = edges[:, :-1] + np.maximum(width - 1, 0) / 2
    ways = -gammaln(place + 1) - gammaln(draws - place + 1)
    rates = np.clip(rates, LEAST, MOST)[..., None]
    odds = place[:, None] * np.log(rates) + (draws - place)[:, None] * np.log1p(-rates)
    logs = ways[:, None] + odds + gammaln(draws + 1.0)
    with np.errstate(under="ignore"):
        weights = width * np.einsum("pm,pmk->pk", mixed, np.exp(logs))
    return place, weights * mixed.sum(axis=1, keepdims=True) / np.maximum(weights.sum(axis=1, keepdims=True), LEAST)


def _positives_above(cases: RankedCases) -> Callable[[Floats], Floats]:
    """The mean number of positives above the n-th negative, ties in random order; linear between, all at the end."""
    positive, negative = (np.append(0.0, np.cumsum(counts)) for counts in (cases.positive, cases.negative))
    some = np.flatnonzero(cases.negative > 0)
    tied, met = cases.negative[some], cases.positive[some] / (cases.negative[some] + 1)
    nth = np.column_stack([negative[some] + 1, negative[some] + tied]).ravel()
    above = np.column_stack([positive[some] + met, positive[some] + met * tied]).ravel()
    nth, above = np.concatenate([[0], nth, [negative[-1] + 1]]), np.concatenate([[0], above, [positive[-1]]])
    return lambda place: np.asarray(np.interp(place, nth, above))
