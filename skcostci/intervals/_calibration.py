"""A band for the chance of an event at every score at once, if that does not fall with the score.

Let s of the L cases whose scores are from u to v have the event. No case among them has a larger chance than one at v:
s is at most as large, stochastically, as a binomial number with the chance at v, so that Clopper and Pearson's lower
limit holds for v and all beyond; likewise their upper limit for u and all before. With a share of alpha for each limit
of J intervals the lower limits' running maximum and the upper ones' running minimum hold everywhere: a theorem, for
every size, whatever the scores are, ties included.

J is kept to some tens of intervals a case, and to 100,000, by lengths that grow by a quarter and starts a quarter of a
length apart; all n (n + 1) / 2 would give the same width.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import betainc, betaincc, betainccinv, betaincinv

from skcostci._validation import Floats, Integers

SHORTEST = (
    5000  # of the cases, one in so many is the least that an interval holds: shorter ones tell nothing of so many
)


def spans(sizes: Integers) -> tuple[Integers, Integers]:
    """The first and the last score of each interval, which holds all cases at its scores; ``sizes`` are how many.

    Scores are ascending. Ties are not divided: which of them have the event is not known beforehand.
    """
    ends, n_scores = np.cumsum(sizes), len(sizes)
    n, found = int(ends[-1]), []
    length = max(1, n // SHORTEST)
    while length <= n:
        start = np.arange(0, n - length + 1, max(length // 4, 1))
        first, last = np.searchsorted(ends, [start, start + length - 1], side="right")
        found.append(np.unique(first * n_scores + last))
        length = max(length + 1, int(1.25 * length))
    every = np.unique(np.concatenate(found))
    return every // n_scores, every % n_scores


@dataclass(frozen=True)
class MonotoneRisk:
    """Events and cases at ascending scores, the chance of an event not falling with the score."""

    events: Integers
    cases: Integers

    @cached_property
    def spans(self) -> tuple[Integers, Integers]:
        """First and last scores of the intervals."""
        return spans(self.cases)

    @cached_property
    def counted(self) -> tuple[Integers, Integers]:
        """Events and other cases in each interval."""
        first, last = self.spans
        sums = [np.concatenate([[0], np.cumsum(part)]) for part in (self.events, self.cases)]
        events, cases = (part[last + 1] - part[first] for part in sums)
        return events, cases - events

    def band(self, alpha: float) -> tuple[Floats, Floats]:
        """Limits at each score that all hold with a probability of 1 - alpha."""
        (first, last), (events, others) = self.spans, self.counted
        share = alpha / (2 * len(first))
        lower = np.where(events > 0, betaincinv(np.maximum(events, 1), others + 1, share), 0.0)
        upper = np.where(others > 0, betainccinv(events + 1, np.maximum(others, 1), share), 1.0)
        low, high = np.zeros(len(self.cases)), np.ones(len(self.cases))
        np.maximum.at(low, last, lower)
        np.minimum.at(high, first, upper)
        return np.maximum.accumulate(low), np.minimum.accumulate(high[::-1])[::-1]

    def pvalue(self, chances: Floats) -> float:
        """The least alpha whose band leaves out these chances, which do not fall, at some score; 1 if none does."""
        (first, last), (events, others) = self.spans, self.counted
        above = np.where(events > 0, betainc(np.maximum(events, 1), others + 1, chances[last]), 1.0)
        below = np.where(others > 0, betaincc(events + 1, np.maximum(others, 1), chances[first]), 1.0)
        return float(min(1.0, 2 * len(first) * min(above.min(), below.min())))


def binomial_limits(events: Integers, cases: Integers, alpha: float) -> tuple[Floats, Floats]:
    """Clopper and Pearson's limits for all shares at once, at the level that Sidak gives each."""
    each = -np.expm1(np.log1p(-alpha) / len(cases)) / 2
    others = cases - events
    low = np.where(events > 0, betaincinv(np.maximum(events, 1), others + 1, each), 0.0)
    return low, np.where(others > 0, betainccinv(events + 1, np.maximum(others, 1), each), 1.0)
