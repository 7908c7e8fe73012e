"""The threshold at which a rate of one class is what was asked, and how sure it is: order statistics of that class."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from skcostci._validation import Floats, Integers, check_confidence_level
from skcostci.intervals._method import ConfidenceInterval
from skcostci.intervals._order_statistics import rank_above, rank_below
from skcostci.results._results import BootstrapResult


class RankedScores(Protocol):
    """The scores of a class."""

    @property
    def total(self) -> int: ...

    def score_of(self, rank: Integers) -> Floats: ...


@dataclass(frozen=True, repr=False, eq=False)
class ThresholdFound(BootstrapResult):
    """A result at the threshold where a share of one class, the first of its axis, is labelled positive."""

    scores: RankedScores = field(kw_only=True, repr=False)

    def threshold_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Two scores between which the population's threshold lies: the one that the share asked for reaches.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1), that the threshold lies between them.

        Returns
        -------
        ConfidenceInterval
            ``low`` and ``high``, scores of the class whose rate was asked for; infinite where so few cases exclude
            nothing on that side. Pointwise.

        Raises
        ------
        ValueError
            For a level outside (0, 1).

        Notes
        -----
        Exact order statistics. With the n scores of the class going down and B ~ Bin(n, rate), ``high`` is the l-th, l
        the largest with P(B <= l - 1) <= alpha / 2, and ``low`` the u-th, u the smallest with P(B >= u) <= alpha / 2.
        Each is missed with at most that probability, whatever the distribution of scores, ties included.

        References
        ----------
        H. A. David and H. N. Nagaraja, "Order Statistics", 3rd edition, 2003, section 7.1.

        Examples
        --------
        >>> from skcostci import bootstrap_roc_at_fpr
        >>> y_true, y_score = [0] * 60 + [1] * 3, [*range(1, 61), 50, 55, 65]
        >>> bootstrap_roc_at_fpr(y_true, y_score, fpr=0.1).threshold_interval()
        ConfidenceInterval(low=49.0, high=59.0)
        """
        alpha = (1 - check_confidence_level(confidence_level)) / 2
        (rate,) = (np.ravel(values) for values in self._axis().values())
        n = self.scores.total
        low, high = (self.scores.score_of(rank(n, rate, alpha)) for rank in (rank_below, rank_above))
        return ConfidenceInterval(self._shaped(low), self._shaped(high))
