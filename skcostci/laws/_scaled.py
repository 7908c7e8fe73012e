"""The law of a statistic on another scale: times a factor above 0, plus a shift.

The Gini coefficient is 2 AUC - 1, a lift is a true-positive rate over the share of cases labelled positive. Limits and
tails of the original statistic are transformed, whatever its interval method (``intervals/_method``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from skcostci._arrays import Floats


@dataclass(frozen=True, repr=False, eq=False)
class ScaledLaw:
    law: Any
    factor: float
    shift: float = 0.0

    def there(self, x: Any) -> Any:
        return (x - self.shift) / self.factor

    def here(self, x: Any) -> Any:
        return self.factor * x + self.shift

    @property
    def mean(self) -> Any:
        return self.here(self.law.mean)

    @property
    def variance(self) -> Any:
        return self.factor**2 * self.law.variance

    @property
    def support(self) -> tuple[Floats | float, Floats | float]:
        low, high = self.law.support
        return self.here(np.asarray(low)), self.here(np.asarray(high))

    @property
    def is_exact(self) -> bool:
        return bool(self.law.is_exact)

    @property
    def covariance(self) -> Any:
        return self.factor**2 * self.law.covariance

    @property
    def correlation(self) -> Any:
        return self.law.correlation

    def cdf(self, x: Floats) -> Floats:
        return np.asarray(self.law.cdf(self.there(x)))

    def quantile(self, q: Floats) -> Floats:
        return np.asarray(self.here(self.law.quantile(q)))
