"""Columns of numbers as a pandas DataFrame, or as HTML for notebooks."""

from __future__ import annotations

import math
from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from skcostci._options import named_plainly

if TYPE_CHECKING:
    import pandas as pd

    from skcostci._validation import Floats

MOST_ROWS = 10  # of HTML; the middle of a longer table is left out


def as_frame(columns: Mapping[str, Floats]) -> pd.DataFrame:
    """The columns as a DataFrame, one row a point."""
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError("to_frame needs pandas: python -m pip install pandas") from error
    return pd.DataFrame(dict(columns))


def as_html(title: str, columns: Mapping[str, Floats], caption: str) -> str:
    """The columns as an HTML table with the title above and the caption below."""
    rows = list(zip(*columns.values(), strict=True))
    half = MOST_ROWS // 2
    gap = [("…",) * len(columns)]
    shown = rows if len(rows) <= MOST_ROWS else rows[:half] + gap + rows[-half:]
    body = "".join(_row("td", [_text(value) for value in row]) for row in shown)
    return (
        f"<p><strong>{escape(title)}</strong></p>"
        f"<table><thead>{_row('th', list(columns))}</thead><tbody>{body}</tbody></table>"
        f"<p>{escape(caption)}</p>"
    )


def _row(tag: str, cells: list[str]) -> str:
    """One row of the table."""
    return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"


def _text(value: Any) -> str:
    """A number to four digits; an ellipsis as it is."""
    return value if isinstance(value, str) else f"{np.float64(value):.4g}"


def as_json(value: Any) -> Any:
    """Plain Python objects: NaN is None and infinite numbers are "Infinity" and "-Infinity", which JSON lacks."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(key): as_json(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value if value is None or isinstance(value, str | bool | int | float) else named_plainly(value)
