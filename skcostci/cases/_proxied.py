"""Cases of which some are checked and all have a proxy's label, laid out as ``_validation._proxy_rows`` says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from numpy.typing import ArrayLike

from skcostci._validation import as_vector
from skcostci._validation._proxy_rows import check_proxies, check_proxy_labels
from skcostci._validation._rows import check_row_order
from skcostci.cases._cases import Cases
from skcostci.cases._judged import JudgedCases

CasesT = TypeVar("CasesT", Cases, JudgedCases, Cases | JudgedCases)


def check_proxied(
    check: Callable[..., CasesT],
    y_true: ArrayLike,
    columns: Mapping[str, ArrayLike],
    proxy: ArrayLike | None,
    checked: ArrayLike | None,
    groups: ArrayLike | None,
    rest: Mapping[str, Any],
    *,
    of_labels: bool = True,
) -> CasesT:
    """What ``check`` makes of labels, columns and groups; with a proxy it is laid out for three sets of cases.

    ``rest`` are options of the design, which do not go with a proxy. A loss may be of amounts, not ``of_labels``.
    """
    if proxy is None:
        if checked is not None:
            raise ValueError("checked= goes with proxy=: what stands in for y_true where nobody looked.")
        return check(y_true, columns, groups=groups, **rest)
    layout = check_proxies({"y_true": y_true}, {"proxy": proxy}, checked, groups, rest)
    if layout is None:
        return check(y_true, columns, groups=groups, **rest)
    if of_labels:
        check_proxy_labels(as_vector("y_true", y_true), proxy, layout)
    check_row_order({"y_true": y_true, **columns, "proxy": proxy, "groups": groups})
    truth = layout.merged("y_true", y_true, proxy)
    cases = check(
        truth, {name: layout.laid_out(each) for name, each in columns.items()}, groups=layout.laid_out(groups)
    )
    return replace(cases, proxies=layout)
