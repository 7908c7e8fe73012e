"""Means, and mean losses, of cases of which some are checked and all have a proxy's value or label: see ``_proxies``.

The unseen case has a value and a proxy's value at the ends; the x of either is its difference from its own mean.
Without groups the distribution is that of two independent sums, known in full.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from skcostci._arrays import Floats
from skcostci._validation._labels import code_labels
from skcostci._validation._proxy_rows import ProxyRows
from skcostci._validation._rows import Rows
from skcostci.cases._design import Design
from skcostci.laws._rounding import settled
from skcostci.laws.exact._two_means import ProxiedMeanLaw
from skcostci.laws.influence._first_order import OF_COUNTS, FirstOrderLaw
from skcostci.statistics._proxies import Influences, n_of_groups, strata_of_cases, strata_of_groups, with_proxy
from skcostci.statistics._unit_means import ClassMeans
from skcostci.statistics._units import methods_of_units

METHODS = ("unseen_case", "percentile", "wald")
Ends = tuple[float, float]


def mean_by_proxy(alone: Any, values: Floats, rows: Rows, proxies: ProxyRows, ends: Ends, rounding: float) -> Any:
    """The mean of ``values`` between ``ends``, of three sets of cases; ``alone`` is the result of the checked ones."""
    values = settled(values, rounding)
    each = [values[some] for some in proxies.rows]
    means = [np.array([part.mean()]) for part in each]
    if rows.groups is None:
        parts = [_reading(part, ends, rounding) for part in each]
        law_at = partial(_known_whole, each, rounding)
        return with_proxy(alone, strata_of_cases(*parts), means, proxies, ends, OF_COUNTS, METHODS, None, law_at)
    design = Design(rows, levels=proxies)
    statistics = [ClassMeans.of_all(part, values[part.rows][:, None], *ends) for part in design.parts]
    strata, n_groups = strata_of_groups(design, *statistics), n_of_groups(rows.groups, proxies)
    return with_proxy(alone, strata, means, proxies, ends, OF_COUNTS, methods_of_units(grouped=True), n_groups)


def _reading(values: Floats, ends: Ends, rounding: float) -> Influences:
    """The influences: per distinct value if these are few, as for labels, else per case."""
    mean, coded = values.mean(), code_labels(values)
    known, rows = (values, np.arange(len(values))) if coded is None else (np.array(coded.names, float), coded.places)
    return Influences(mean[None], (known - mean)[:, None], rounding, [np.reshape(ends, (2, 1, 1)) - mean], rows)


def _known_whole(each: list[Floats], rounding: float, law: FirstOrderLaw, weight: Floats) -> ProxiedMeanLaw:
    """The law known in full, at lam."""
    (checked, judged, others), lam = each, float(weight[0])
    parts = law.estimate, law.ends, law.strata, law.most_unseen
    return ProxiedMeanLaw(*parts, rounding=rounding, checked=checked - lam * judged, others=lam * others)
