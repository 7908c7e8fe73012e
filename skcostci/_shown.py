"""Numbers by name, converted to a frame, a table for notebooks, and plain objects for JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from skcostci._options import named_plainly

if TYPE_CHECKING:
    import pandas as pd

MOST_ROWS = 10  # rows of HTML; the middle of a longer table is left out


class Shown:
    """Small results with a frame and a dict of their numbers, and a table in notebooks."""

    def _columns(self) -> Mapping[str, ArrayLike]:
        """The numbers by name, one entry per row, or a single number; for a named tuple its fields."""
        fields: Mapping[str, ArrayLike] = self._asdict()  # type: ignore[attr-defined]
        return fields

    def to_frame(self) -> pd.DataFrame:
        """The numbers as a pandas DataFrame.

        Returns
        -------
        pandas.DataFrame
            A column for each number, by name; one row if each is a single number.

        Examples
        --------
        >>> from skcostci import cost_line
        >>> cost_line(fpr=0.25, tpr=0.5).to_frame()
           slope  intercept
        0   0.25       0.25
        """
        return as_frame({name: np.atleast_1d(values) for name, values in self._columns().items()})

    def to_dict(self) -> dict[str, Any]:
        """The numbers as plain Python objects that ``json.dumps`` accepts.

        Returns
        -------
        dict
            The columns of :meth:`to_frame`: a number each if they are single numbers, else lists. Infinite numbers are
            the texts "Infinity" and "-Infinity".

        Examples
        --------
        >>> from skcostci import cost_line
        >>> cost_line(fpr=0.25, tpr=0.5).to_dict()
        {'slope': 0.25, 'intercept': 0.25}
        """
        return {name: as_json(values) for name, values in self._columns().items()}

    def _repr_html_(self) -> str:
        columns = {name: np.atleast_1d(values) for name, values in self._columns().items()}
        return as_html(repr(self), columns, "")


def as_frame(columns: Mapping[str, ArrayLike]) -> pd.DataFrame:
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError("to_frame needs pandas: python -m pip install pandas") from error
    return pd.DataFrame(dict(columns))


def as_html(title: str, columns: Mapping[str, ArrayLike], caption: str) -> str:
    """The columns as an HTML table with the title above and the caption below."""
    rows = list(zip(*columns.values(), strict=True))
    half, gap = MOST_ROWS // 2, [("…",) * len(columns)]
    shown = rows if len(rows) <= MOST_ROWS else rows[:half] + gap + rows[-half:]
    texts = [[f"{x:.4g}" if isinstance(x, float | np.floating) else str(x) for x in row] for row in shown]
    head, *body = (
        "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"
        for tag, cells in [("th", list(columns)), *(("td", row) for row in texts)]
    )
    below = f"<p>{escape(caption)}</p>" if caption else ""
    table = f"<table><thead>{head}</thead><tbody>{''.join(body)}</tbody></table>"
    return f"<p><strong>{escape(title)}</strong></p>{table}{below}"


def as_json(value: object) -> Any:
    """Plain Python objects: NaN becomes None, infinite numbers become "Infinity" and "-Infinity", which JSON lacks."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(key): as_json(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value if value is None or isinstance(value, str | bool | int | float) else named_plainly(value)
