"""Means, and mean losses, of cases of which some are checked and all have a proxy's value or label: see ``_proxies``.

The unseen case has a value and a proxy's value at the ends; the x of either is its difference from its own mean.
Without groups the distribution is that of two independent sums, known in full.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from skcostci._arrays import Floats
from skcostci._validation._proxy_rows import ProxyRows
from skcostci._validation._rows import Rows
from skcostci.laws._rounding import settled
from skcostci.laws.exact._two_means import ProxiedMeanLaw
from skcostci.laws.influence._first_order import OF_COUNTS, FirstOrderLaw
from skcostci.statistics._proxies import ThreeSets, with_proxy
from skcostci.statistics._unit_means import ClassMeans
from skcostci.statistics._units import methods_of_units

METHODS = ("unseen_case", "percentile", "wald")
Ends = tuple[float, float]


def mean_by_proxy(alone: Any, values: Floats, rows: Rows, proxies: ProxyRows, ends: Ends, rounding: float) -> Any:
    """The mean of ``values`` between ``ends``, of three sets of cases; ``alone`` is the result of the checked ones."""
    values, design, grouped = settled(values, rounding), ThreeSets.design_of(rows, proxies), rows.groups is not None
    each = [ClassMeans.of_all(part, values[part.rows][:, None], *ends) for part in design.parts]
    whole = ThreeSets(design, each, ends, OF_COUNTS, grouped)
    if grouped:
        return with_proxy(alone, whole, proxies, methods_of_units(grouped=True))
    law_at = partial(_known_whole, [values[some] for some in proxies.rows], rounding)
    return with_proxy(alone, whole, proxies, METHODS, law_at)


def _known_whole(each: list[Floats], rounding: float, law: FirstOrderLaw, weight: Floats) -> ProxiedMeanLaw:
    """The law known in full, at lam."""
    (checked, judged, others), lam = each, float(weight[0])
    parts = law.estimate, law.ends, law.strata, law.most_unseen
    return ProxiedMeanLaw(*parts, rounding=rounding, checked=checked - lam * judged, others=lam * others)
