"""A model's curve at points that are asked about together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from skcostci._validation import Floats, Integers
from skcostci.laws._drawn_curve import Segments
from skcostci.laws._groups import SMOOTH
from skcostci.laws._threshold import RankLaws
from skcostci.laws._vertical import Crossing


@dataclass(frozen=True, eq=False)
class RankedCurve:
    """A model's curve at points whose ranks ascend; ``laws`` are of those ranks."""

    crossing: Crossing
    points: Integers
    laws: RankLaws

    @property
    def segments(self) -> Segments:
        """Those of the whole curve."""
        return self.crossing.curve.segments

    @property
    def n(self) -> int:
        return self.crossing.ranks.n

    @property
    def t(self) -> Floats:
        return self.crossing.t[self.points]

    @cached_property
    def rank(self) -> Integers:
        return self.crossing.ranks.rank[self.points]

    @cached_property
    def spans(self) -> tuple[Floats, Floats]:
        """The places between which each rank lies."""
        low, high = self.crossing.ranks.spans
        return low[self.points], high[self.points]

    @property
    def smooth(self) -> bool:
        """Whether numbers drawn before any of the ranks are like Gamma laws."""
        return bool(self.crossing.ranks.spread[self.points].min() >= SMOOTH**2)
