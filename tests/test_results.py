"""How results print: the same numbers in the repr, the table of a notebook and the DataFrame."""

import sys

import numpy as np
import pytest

from skcostci import bootstrap_auc, bootstrap_cost, bootstrap_roc_at_fpr, bootstrap_roc_at_threshold

Y_TRUE, Y_SCORE = [0, 0, 0, 1, 1, 1], [0.1, 0.3, 0.4, 0.35, 0.8, 0.9]


def cells(html):
    """The rows of an HTML table, header first."""
    rows = html.split("<table>")[1].split("</table>")[0].replace("th>", "td>").split("<tr>")[1:]
    return [[cell.split("</td>")[0] for cell in row.split("<td>")[1:]] for row in rows]


def test_a_notebook_shows_the_numbers_of_the_frame():
    result = bootstrap_roc_at_threshold(Y_TRUE, Y_SCORE, thresholds=[0.2, 0.5])
    header, *rows = cells(result._repr_html_())
    frame = result.to_frame()
    assert header == list(frame)
    assert rows == [[f"{value:.4g}" for value in row] for row in frame.to_numpy()]


def test_a_single_estimate_is_one_row_with_its_level_and_method():
    html = bootstrap_auc(Y_TRUE, Y_SCORE)._repr_html_()
    header, row = cells(html)
    assert header == ["estimate", "standard_error", "low", "high"]
    assert row[0] == "0.8889"
    assert "AUCResult(estimate=0.8889" in html
    assert "pointwise" not in html
    assert "95 %, method &#x27;unseen_case&#x27;" in html


def test_long_tables_leave_out_their_middle():
    result = bootstrap_cost(Y_TRUE, Y_SCORE, probability_cost=101)
    rows = cells(result._repr_html_())[1:]
    assert len(rows) == 11
    assert rows[5] == ["…"] * len(rows[0])
    assert [float(row[0]) for row in rows[:5] + rows[6:]] == [0, 0.01, 0.02, 0.03, 0.04, 0.96, 0.97, 0.98, 0.99, 1]


def test_a_notebook_is_spared_the_warning_about_degenerate_laws():
    assert "nan" not in bootstrap_auc([0, 0, 1], [1, 2, 3])._repr_html_()


def test_without_pandas_the_error_says_what_to_install(monkeypatch):
    result = bootstrap_auc(Y_TRUE, Y_SCORE)
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="to_frame needs pandas: python -m pip install pandas"):
        result.to_frame()


def test_the_frame_holds_the_interval_of_the_level_and_method_asked_for():
    result = bootstrap_auc(Y_TRUE, Y_SCORE)
    frame = result.to_frame(0.8, method="delong")
    low, high = result.confidence_interval(0.8, method="delong")
    assert frame[["low", "high"]].to_numpy().tolist() == [[low, high]]


def test_a_probability_is_at_most_one_for_all_the_rounding():
    rng = np.random.default_rng(0)
    y_true, y_score = rng.integers(0, 2, 34), rng.integers(0, 9, 34)
    result = bootstrap_roc_at_fpr(y_true, y_score, fpr=np.linspace(0, 1, 30))
    assert result.law.cdf(np.ones((1, 30))).max() > 1
    assert result.cdf(1).max() == 1
