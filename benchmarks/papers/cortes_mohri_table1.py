"""Table 1 of Cortes & Mohri (2005): standard deviations of the AUC from its summary columns.

    python benchmarks/papers/cortes_mohri_table1.py

Writes benchmarks/results/papers/cortes_mohri_table1.md. The columns were printed with two or three digits, so every
number here is a range: over all class sizes, error counts and AUCs that round to what was printed.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from _pages import write_page

from skcostci import auc_from_error_count

RISK = 0.06  # of the interval that fits the printed sigma_indep best; see the page


class Row(NamedTuple):
    """As printed."""

    data: str
    total: int
    share: float  # n / (m + n)
    auc: float
    error_rate: float  # k / (m + n)
    indep: float
    dep: float
    largest: float


TABLE = [
    Row("pima", 368, 0.63, 0.70, 0.24, 0.0297, 0.0269, 0.0392),
    Row("yeast", 700, 0.67, 0.63, 0.26, 0.0277, 0.0215, 0.0317),
    Row("credit", 303, 0.54, 0.87, 0.13, 0.0176, 0.0202, 0.0281),
    Row("internet-ads", 1159, 0.17, 0.85, 0.05, 0.0177, 0.0176, 0.0253),
    Row("page-blocks", 2473, 0.10, 0.84, 0.03, 0.0164, 0.0161, 0.0234),
    Row("ionosphere", 201, 0.37, 0.85, 0.13, 0.0271, 0.0306, 0.0417),
]


def rounds_to(value: float, total: int) -> Iterator[int]:
    """The counts whose share of the total prints as this value."""
    return (count for count in range(total + 1) if abs(count / total - value) <= 0.005 + 1e-12)


def ends(values: list[int]) -> list[int]:
    return [min(values), max(values)]


def areas(row: Row) -> list[float]:
    return [row.auc - 0.005, row.auc + 0.005]


def hanley_mcneil(m: int, n: int, auc: float) -> float:
    """Equation 2 with P_xxy = A / (2 - A), as printed: m is the class that (m - 1) P_xxy belongs to."""
    xxy, xyy = auc / (2 - auc), 2 * auc**2 / (1 + auc)
    pairs = auc * (1 - auc) + (m - 1) * (xxy - auc**2) + (n - 1) * (xyy - auc**2)
    return float(np.sqrt(pairs / (m * n)))


def max_deviation(m: int, n: int, auc: float) -> float:
    return float(np.sqrt(auc * (1 - auc) / min(m, n)))


def over_sizes(row: Row, deviation: Callable[[int, int, float], float]) -> tuple[float, float]:
    """The range over class sizes and AUCs; ``share`` is taken for n's."""
    values = [deviation(row.total - n, n, auc) for n in rounds_to(row.share, row.total) for auc in areas(row)]
    return min(values), max(values)


def over_errors(row: Row, deviation: Callable[[int, int, int], float]) -> tuple[float, float]:
    """The range over class sizes and error counts, at the ends of both."""
    sizes, errors = (ends(list(rounds_to(share, row.total))) for share in (row.share, row.error_rate))
    values = [deviation(k, row.total - n, n) for n, k in itertools.product(sizes, errors)]
    return min(values), max(values)


def at_fixed_errors(k: int, m: int, n: int) -> float:
    return auc_from_error_count(k, m, n).standard_error


def equivalent(k: int, m: int, n: int) -> float:
    """The deviation with which Chebyshev's inequality would give the optimal interval's length."""
    low, high = auc_from_error_count(k, m, n).confidence_interval(1 - RISK)
    return float(np.sqrt(RISK) * (high - low) / 2)


def cell(limits: tuple[float, float], printed: float) -> str:
    """A range, marked where the printed number lies in it."""
    low, high = limits
    mark = "**" if low - 5e-5 <= printed <= high + 5e-5 else ""
    return f"{mark}{low:.4f} to {high:.4f}{mark}"


def lines() -> Iterator[str]:
    """The table."""
    deviations = "max", "printed", "Eq. 2, m and n exchanged", "Eq. 2 as printed", "printed", "fixed k"
    yield f"| data | {' | '.join(deviations)} | interval | printed |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for row in TABLE:
        cells = [
            row.data,
            cell(over_sizes(row, max_deviation), row.largest),
            f"{row.largest:.4f}",
            cell(over_sizes(row, lambda m, n, auc: hanley_mcneil(n, m, auc)), row.dep),
            cell(over_sizes(row, hanley_mcneil), row.dep),
            f"{row.dep:.4f}",
            cell(over_errors(row, at_fixed_errors), row.indep),
            cell(over_errors(row, equivalent), row.indep),
            f"{row.indep:.4f}",
        ]
        yield f"| {' | '.join(cells)} |"


TEXT = """The paper gives m + n, n / (m + n), the AUC and the
error rate to two or three digits; a cell is the range over all class sizes, error counts and AUCs that round to them,
bold where it holds the printed number (rounded to four digits).

{table}

* **sigma_max** (columns 2 and 3): Birnbaum and Klose's bound, sqrt(A (1 - A) / min(m, n)).
* **sigma_dep** (columns 4 to 6): Hanley and McNeil's formula, {dep} of 6 cells with m and n exchanged in Equation 2 and
  {dep_printed} of 6 as printed. Either the column headed n / (m + n) is the share of the other class, or the code had
  them exchanged.
* **sigma_indep** (columns 7 to 9) is not the standard deviation at the measured number of errors, which is smaller by
  a factor of {low_factor:.2f} to {high_factor:.2f} at the middle of the ranges: it allows for the number of errors too.
  Half the length of Theorem 2's interval with the best risk for each number of errors ("optimal" here), times
  sqrt(risk), holds {indep} of 6 cells at a risk of {risk}. This reading, and its risk, were chosen to fit these six
  cells. They show what kind of number was printed and not the recipe.
* **sigma_A** needs the scores, which the paper does not give.
"""


def page() -> str:
    """The table with what it shows counted out."""
    exchanged, as_printed, interval, factors = [], [], [], []
    for row in TABLE:
        exchanged.append("**" in cell(over_sizes(row, lambda m, n, auc: hanley_mcneil(n, m, auc)), row.dep))
        as_printed.append("**" in cell(over_sizes(row, hanley_mcneil), row.dep))
        interval.append("**" in cell(over_errors(row, equivalent), row.indep))
        factors.append(row.indep / np.mean(over_errors(row, at_fixed_errors)))
    return TEXT.format(
        table="\n".join(lines()),
        dep=sum(exchanged),
        dep_printed=sum(as_printed),
        indep=sum(interval),
        risk=RISK,
        low_factor=min(factors),
        high_factor=max(factors),
    )


if __name__ == "__main__":
    write_page("cortes_mohri_table1", "Table 1 of Cortes & Mohri (2005), regenerated", page())
