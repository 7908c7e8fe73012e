"""Cases with a proxy's label each, such as that of a language model as a judge, and some with a checked label.

With n checked cases and N others, an estimate that uses both (prediction-powered inference) combines a statistic T of
three sets of rows, which are stored one after another in one sample:

    CHECKED   T of the n checked cases, with their checked labels
    JUDGED    T of the same n cases, with the proxy's labels
    OTHER     T of the N unchecked cases, with the proxy's labels

The rows as the user gave them are CHECKED and OTHER; the n checked rows follow once more as JUDGED. ``ProxyRows`` (in
``_validation._proxy_rows``) has the set of each row, and ``statistics._proxies`` combines the three.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from numpy.typing import ArrayLike

from skcostci._arrays import as_vector
from skcostci._validation._proxy_rows import check_proxies, check_proxy_labels
from skcostci._validation._rows import SampleOptions, check_row_order
from skcostci.cases._cases import Cases
from skcostci.cases._judged import JudgedCases

CasesT = TypeVar("CasesT", Cases, JudgedCases, Cases | JudgedCases)


def check_proxied(
    check: Callable[[ArrayLike, Mapping[str, ArrayLike], ArrayLike | None], CasesT],
    y_true: ArrayLike,
    columns: Mapping[str, ArrayLike],
    sample: SampleOptions,
    others: Mapping[str, object],
    *,
    of_labels: bool = True,
) -> CasesT:
    """Cases by ``check``, with a proxy of all three sets; ``of_labels`` False where y_true may be an amount."""
    proxy, groups = sample.get("proxy"), sample.get("groups")
    if proxy is None:
        raise ValueError("checked= needs proxy=, the labels to use in rows that were not checked.")
    layout = check_proxies({"y_true": y_true}, {"proxy": proxy}, sample.get("checked"), groups, {**sample, **others})
    if layout is None:
        return check(y_true, columns, groups)
    if of_labels:
        check_proxy_labels(as_vector("y_true", y_true), proxy, layout)
    check_row_order({"y_true": y_true, **columns, "proxy": proxy, "groups": groups})
    truth = layout.merged("y_true", y_true, proxy)
    repeated = {name: layout.laid_out(column) for name, column in columns.items()}
    return check(truth, repeated, layout.laid_out(groups)).with_rows(proxies=layout)
