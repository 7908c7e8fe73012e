"""The law of cases whose weights are nearly equal: between the law of equal weights and that of the weights.

Both laws describe the same sample, but allow for an unseen case in different ways, so that limits would jump where
weights become equal. With the share s = min(1, max (w / mean w - 1)**2 / 0.05) of the law of the weights,

    limit - estimate = (1 - s) (limit - estimate of equal weights) + s (limit - estimate of the weights),

and so are variances. Limits are nested, as both are; p-values invert them (``intervals/_method``). The largest
deviation counts, not the mean one: one weight that is far from the others may belong to the only case that matters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from skcostci._arrays import Floats
from skcostci.laws._side_by_side import PartlyDefinedLaw, SideBySide


@dataclass(frozen=True, repr=False, eq=False)
class BetweenLaw:
    """``of_weights`` has this ``share``, its estimate exceeds that of ``equal`` by ``shift``; ``methods`` by name."""

    equal: Any
    of_weights: Any
    share: float
    shift: Any
    methods: Mapping[str, str]

    def between(self, equal: Any, of_weights: Any) -> Any:
        return (1 - self.share) * np.asarray(equal) + self.share * np.asarray(of_weights)

    def limits(self, equal: Floats, of_weights: Floats) -> Floats:
        limits: Floats = np.clip(self.between(equal + self.shift, of_weights), *self.support)
        return limits

    def changed(self, change: Callable[[Any], Any]) -> BetweenLaw:
        equal, of_weights = change(self.equal), change(self.of_weights)
        return replace(self, equal=equal, of_weights=of_weights, shift=of_weights.estimate - equal.estimate)

    @property
    def estimate(self) -> Any:
        return self.of_weights.estimate

    @property
    def mean(self) -> Any:
        return self.between(self.equal.mean + self.shift, self.of_weights.mean)

    @property
    def variance(self) -> Any:
        return self.between(self.equal.variance, self.of_weights.variance)

    @property
    def covariance(self) -> Any:
        return self.between(self.equal.covariance, self.of_weights.covariance)

    @property
    def correlation(self) -> Any:
        return self.between(self.equal.correlation, self.of_weights.correlation)

    @property
    def support(self) -> Any:
        """The range of the parameter, which may depend on how many cases a share holds."""
        low, high = map(self.between, self.equal.support, self.of_weights.support)
        return np.minimum(low, self.estimate), np.maximum(high, self.estimate)

    @property
    def is_exact(self) -> bool:
        return False

    @property
    def undefined(self) -> Any:
        return self.between(getattr(self.equal, "undefined", 0.0), getattr(self.of_weights, "undefined", 0.0))


def between_laws(equal: Any, of_weights: Any, share: float, shift: Any, methods: Mapping[str, str]) -> Any:
    """The law between two, at the points that have a value; laws side by side already are between two each."""
    if isinstance(of_weights, SideBySide):
        return of_weights
    if not isinstance(of_weights, PartlyDefinedLaw):
        return BetweenLaw(equal, of_weights, share, shift, methods)
    if of_weights.law is None:
        return of_weights
    known = of_weights.known(np.ravel(shift))
    return replace(of_weights, law=between_laws(equal.law, of_weights.law, share, known, methods))
