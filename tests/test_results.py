"""How results print: the same numbers in the repr, the table of a notebook and the DataFrame."""

import copy
import pickle
import sys

import numpy as np
import pytest

from skcostci import (
    ConfidenceInterval,
    bootstrap_auc,
    bootstrap_cost,
    bootstrap_cost_difference,
    bootstrap_roc_at_fpr,
    bootstrap_roc_at_threshold,
    bootstrap_roc_difference_at_threshold,
)

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


AUC = bootstrap_auc(Y_TRUE, Y_SCORE)
RATES = bootstrap_roc_at_threshold(Y_TRUE, Y_SCORE, thresholds=0.37)
COSTS = bootstrap_cost(Y_TRUE, Y_SCORE, probability_cost=5)


def test_a_result_prints_its_default_interval():
    low, high = AUC.confidence_interval()
    assert repr(AUC) == f"AUCResult(estimate=0.8889, standard_error=0.1481, 95 % interval {low:.4g} to {high:.4g})"
    low, high = COSTS.confidence_interval()
    assert repr(COSTS).endswith(f"95 % intervals within {low.min():.4g} to {high.max():.4g})")
    low, high = RATES.tpr.confidence_interval()
    assert repr(RATES).endswith(f"tpr=0.6667 (95 % interval {low:.4g} to {high:.4g}))")


def test_a_single_estimate_rounds_and_formats_as_a_number():
    assert (round(AUC, 2), round(AUC), f"{AUC:.3f}", f"{AUC}") == (0.89, 1, "0.889", repr(AUC))
    with pytest.raises(TypeError, match="only a single estimate is a number; this result has 5"):
        round(COSTS, 3)


@pytest.mark.parametrize("result", [AUC, RATES, COSTS])
def test_results_are_equal_when_their_numbers_are(result):
    again = pickle.loads(pickle.dumps(result))
    assert result == again
    assert hash(result) == hash(again)
    assert result != bootstrap_auc(Y_TRUE, Y_SCORE, sampling="full")
    assert result != bootstrap_cost(Y_TRUE, Y_SCORE, probability_cost=[0, 0.25, 0.5, 0.75, 0.9])
    assert result != 1


DIFFERENCES = bootstrap_roc_difference_at_threshold(Y_TRUE, Y_SCORE, Y_SCORE[::-1], thresholds=([0.3, 0.5], [0.5, 0.5]))


@pytest.mark.parametrize(
    "make",
    [
        COSTS.confidence_interval,
        COSTS.confidence_band,
        RATES.confidence_region,
        bootstrap_cost_difference(Y_TRUE, Y_SCORE, Y_SCORE[::-1]).significant,
        lambda: DIFFERENCES.tpr.equivalence(-0.5, 0.5),
        DIFFERENCES.dominance,
    ],
)
def test_so_are_the_tuples_that_results_hand_out(make):
    first = make()
    assert first == make() == pickle.loads(pickle.dumps(first)) == copy.deepcopy(first)
    assert (first != make()) is False  # tuples have a != of their own
    assert first != first[:1]


@pytest.mark.parametrize(
    ("low", "high", "printed"),
    [
        (0.30546, 0.99934, "low=0.305, high=0.999"),
        (0.776123456, 0.776987654, "low=0.776123, high=0.776988"),
        (-120.4, 3011.2, "low=-120.0, high=3010.0"),
        (1.0, 1.0, "low=1.0, high=1.0"),
        (0.5, np.inf, "low=0.5, high=inf"),
        (np.array([0.12345, 0.5]), np.array([0.22345, 0.5]), "low=[0.123, 0.5  ], high=[0.223, 0.5  ]"),
    ],
)
def test_intervals_print_as_short_as_their_precision_deserves(low, high, printed):
    assert repr(ConfidenceInterval(low, high)) == f"ConfidenceInterval({printed})"
