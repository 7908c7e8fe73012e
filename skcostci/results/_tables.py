"""Columns of numbers as a pandas DataFrame, or as HTML for notebooks."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

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
