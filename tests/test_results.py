"""How results print: the same numbers in the repr, the table of a notebook and the DataFrame."""

import copy
import json
import pickle
import sys
from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.linear_model import LogisticRegression

import skcostci as sk
from skcostci import (
    ConfidenceInterval,
    bootstrap_auc,
    bootstrap_cost,
    bootstrap_cost_difference,
    bootstrap_mean,
    bootstrap_roc_at_fpr,
    bootstrap_roc_at_positive_rate,
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
    assert [*header, "confidence_level", "method"] == list(frame)
    assert rows == [[value if isinstance(value, str) else f"{value:.4g}" for value in row[:-2]] for row in frame.values]


def test_a_single_estimate_is_one_row_with_its_level_and_method():
    html = bootstrap_auc(Y_TRUE, Y_SCORE)._repr_html_()
    header, row = cells(html)
    assert header == ["estimate", "standard_error", "low", "high"]
    assert row[0] == "0.8889"
    assert "AUCResult(auc, estimate=0.8889" in html
    assert "pointwise" not in html
    assert "Limits of auc: 95 %, method &#x27;unseen_case&#x27;" in html


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
    assert result.cdf(1).max() == 1


def test_a_limit_is_zero_for_all_the_rounding():
    y_true, y_score = np.tile([0, 1], 10), [-1, 6, 1, -5, 4, 13, 9, -7, -13, -6, 0, -23, -2, -12, -7, -5, -3, 4, 10, -1]
    fpr = bootstrap_roc_at_positive_rate(y_true, y_score, positive_rate=0.1).fpr  # .1 - (.1 - 4e-17) is left
    assert fpr.confidence_interval(0.5).low == 0
    rare = bootstrap_mean([1, 0], sample_weight=[1, 99_999], least=0, most=1)
    assert rare.confidence_interval().low == pytest.approx(0.025 / 100_000, rel=0.02)


@pytest.mark.filterwarnings("ignore::skcostci.DegenerateLawWarning")
@pytest.mark.parametrize("alternative", ["less", "greater"])
def test_no_level_is_so_small_that_all_is_left_outside(alternative):
    for result in (bootstrap_auc(Y_TRUE, Y_SCORE), bootstrap_cost(Y_TRUE, Y_SCORE, probability_cost=0.3)):
        for method in result.methods:
            assert not np.isnan(result.confidence_interval(1e-300, method=method, alternative=alternative)).any()


AUC = bootstrap_auc(Y_TRUE, Y_SCORE)
RATES = bootstrap_roc_at_threshold(Y_TRUE, Y_SCORE, thresholds=0.37)
COSTS = bootstrap_cost(Y_TRUE, Y_SCORE, probability_cost=5)


def test_a_result_prints_its_default_interval():
    low, high = AUC.confidence_interval()
    figures = "estimate=0.8889, standard_error=0.1481"
    assert repr(AUC) == f"AUCResult(auc, {figures}, 95 % interval {low:.4g} to {high:.4g} by unseen_case)"
    low, high = COSTS.confidence_interval()
    assert repr(COSTS).endswith(f"95 % intervals within {low.min():.4g} to {high.max():.4g} by chosen)")
    low, high = RATES.tpr.confidence_interval()
    assert repr(RATES).endswith(f"tpr=0.6667 (95 % interval {low:.4g} to {high:.4g} by clopper_pearson))")


def test_a_single_estimate_rounds_and_formats_as_a_number():
    assert (round(AUC, 2), round(AUC), f"{AUC:.3f}", f"{AUC}") == (0.89, 1, "0.889", repr(AUC))
    with pytest.raises(TypeError, match="can be converted to a number, got 5"):
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


def own(y_true, y_pred, *, sample_weight=None):
    """A function of the user's, which Python prints by its address."""
    return float(np.average(np.asarray(y_true) == y_pred, weights=sample_weight))


TINY = ([0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9])


@pytest.mark.parametrize(
    ("make", "shown"),
    [
        (lambda: sk.make_metric_scorer(own), "metric=own,"),
        (lambda: sk.make_metric_scorer(own, range=(0, 1), bound="worst"), "metric=own,"),
        (lambda: sk.make_metric_scorer("f1", bound="worst"), "name='f1'"),
        (lambda: sk.make_bound_scorer(sk.bootstrap_auc), "bootstrap_function=bootstrap_auc,"),
        (
            lambda: sk.make_bound_scorer(partial(sk.bootstrap_cost, probability_cost=0.3)),
            "bootstrap_function=bootstrap_cost(probability_cost=0.3),",
        ),
        (lambda: sk.make_total_expected_cost_scorer(prior=stats.beta(2, 2)), "prior=beta(2, 2)"),
        (lambda: sk.make_total_expected_cost_scorer(), "prior=None"),
        (lambda: sk.make_normalized_cost_scorer(0.3), "probability_cost=0.3"),
        (lambda: sk.make_expected_cost_scorer([[0, 1], [1, 0]]), "cost_matrix="),
        (lambda: sk.plan_auc(0.8, half_width=0.05), "cases"),
        (lambda: sk.plan_auc_difference(0.8, 0.9, correlation=0.5, power=0.8), "cases"),
        (lambda: sk.plan_rate(0.8, half_width=0.05), "cases"),
        (lambda: sk.bootstrap_calibration(*TINY), "CalibrationResult("),
        (lambda: sk.bootstrap_calibration(*TINY).in_the_large, "Result("),
        (lambda: sk.bootstrap_loss(*TINY, loss=lambda y, p: (y - p) ** 2, most=1.0), "MeanResult("),
        (lambda: sk.bootstrap_metric(TINY[0], [0, 0, 0, 1, 0, 1, 1, 1], metric=own, range=(0, 1)), "MetricResult("),
        (lambda: sk.bootstrap_mean(TINY[1]), "MeanResult("),
        (lambda: sk.bootstrap_ratio(TINY[1], TINY[1]), "RatioResult("),
        (lambda: sk.auc_from_error_count(3, 20, 20), "ErrorCountResult("),
        (lambda: sk.independent_difference(*[sk.bootstrap_auc(*TINY)] * 2), "Result("),
        (lambda: sk.CostCurve.from_predictions(*TINY), "CostCurve"),
        (lambda: sk.aggregate_scores(pd.DataFrame({"y": TINY[0], "s": TINY[1]}), y_true="y", y_score="s"), "Scores"),
        (lambda: sk.report(*TINY), "Report"),
        (lambda: sk.report(["a", "b", "c"] * 4, ["a", "b", "b"] * 4), "Report"),
    ],
)
def test_no_object_prints_its_address(make, shown):
    """Reports would differ from run to run, and say nothing."""
    made = make()
    assert shown in repr(made)
    assert " at 0x" not in repr(made) + str(made) + repr(getattr(made, "estimand", None))


@pytest.mark.parametrize("prior", [stats.beta(2, 2), stats.beta(2, 2, loc=0.25, scale=0.5), stats.uniform(0.1, 0.8)])
def test_scorers_travel_and_score_as_the_loss_does(prior):
    model = LogisticRegression().fit(np.array(TINY[1])[:, None], TINY[0])
    scorer = pickle.loads(pickle.dumps(sk.make_total_expected_cost_scorer(prior=prior)))
    X = np.array(TINY[1])[:, None]
    scores = model.decision_function(X)
    assert scorer(model, X, TINY[0]) == -sk.total_expected_cost_loss(TINY[0], scores, prior=prior)
    bound = pickle.loads(pickle.dumps(sk.make_bound_scorer(sk.bootstrap_auc)))
    assert bound(model, X, TINY[0]) == sk.bootstrap_auc(TINY[0], scores).confidence_interval().low
    accuracy = pickle.loads(pickle.dumps(sk.make_metric_scorer(own)))
    assert accuracy(model, X, TINY[0]) == np.mean(model.predict(X) == TINY[0])


def every_result():
    """An instance of each public class of results, by its name."""
    y, a, b = [0, 0, 1, 0, 1, 1] * 3, np.arange(18.0), np.arange(18.0)[::-1]
    risk, labels, values = (a + 1) / 19, (a > 8).astype(int), np.arange(18) % 2
    rates = {"thresholds": 8.5}
    one, two = sk.bootstrap_cost(y, a, **rates), sk.bootstrap_cost_difference(y, a, b, **rates)
    points, pairs = (
        sk.bootstrap_roc_at_threshold(y, a, thresholds=[3, 8]),
        sk.bootstrap_roc_difference_at_threshold(y, a, b, thresholds=(3, 8)),
    )
    at_tpr, at_tprs = sk.bootstrap_roc_at_tpr(y, a, tpr=0.5), sk.bootstrap_roc_difference_at_tpr(y, a, b, tpr=0.5)
    models, calibration = sk.compare_models(y, {"a": a, "b": b}), sk.bootstrap_calibration(y, risk)
    auc, budget = sk.bootstrap_auc(y, a), sk.bootstrap_roc_at_positive_rate(y, a, positive_rate=0.3)
    costs = 1 - np.eye(2)
    yield from (one, two, two.significant(), points, points.fpr, points.confidence_region(), pairs, pairs.fpr)
    yield from (pairs.dominance(), at_tpr, at_tpr.specificity, at_tprs, at_tprs.specificity, models, models.differences)
    yield from (calibration.slope, calibration.recalibration, *sk.bootstrap_calibration([1] * 9, [0.1] * 9).where()[:1])
    yield from (models.ratios, models.gap(), sk.bootstrap_metric(y, a, "eer"))
    yield from (sk.bootstrap_metric(y, a, "gini"), sk.bootstrap_metric_difference(y, a, b, "gini"))
    yield from (models.omnibus(), calibration, calibration.bins(), auc, auc.estimand, budget, budget.fpr)
    yield from (two.equivalence(-0.1, 0.1), sk.bootstrap_auc_difference(y, a, b), sk.independent_difference(auc, auc))
    yield from (sk.bootstrap_average_precision(y, a), sk.bootstrap_average_precision_difference(y, a, b))
    yield from (sk.bootstrap_auc(y, a, max_fpr=0.3), sk.bootstrap_auc_difference(y, a, b, max_fpr=0.3))
    yield from (sk.bootstrap_roc_at_fpr(y, a, fpr=0.3), sk.bootstrap_roc_difference_at_fpr(y, a, b, fpr=[0.3]))
    yield from (sk.bootstrap_metric(y, labels, "f1"), sk.bootstrap_metric_difference(y, labels, values, "f1"))
    yield sk.bootstrap_metric_difference(y, a, b, "precision", positive_rate=0.3)
    yield from (
        sk.bootstrap_mean(values),
        sk.bootstrap_mean_difference(values, labels),
        sk.bootstrap_ratio(risk, a + 1),
        sk.bootstrap_ratio_difference(risk, a + 1, risk / 2, a + 2),
        sk.bootstrap_concordance(y, a, b),
        sk.bootstrap_concordance_difference(y, a, b, risk),
        sk.bootstrap_agreement([[0, 0, 1], [1, 1, 1], [0, 0, 0], [1, 1, 1]]),
    )
    yield from (sk.pool_imputations([auc, auc]), sk.pool_imputations([sk.bootstrap_auc_difference(y, a, b)] * 2))
    yield from (sk.bootstrap_expected_cost(y, labels, costs), sk.auc_from_error_count(2, 9, 9))
    yield sk.bootstrap_expected_cost_difference(y, labels, values, costs)
    yield from (sk.plan_rate(0.9, n=100), sk.plan_auc(0.8, half_width=0.1), sk.cost_line(0.2, 0.7))
    yield from (
        sk.report(y, {"a": a, "b": b}),
        sk.report(["a", "b", "c"] * 6, ["a", "b", "b"] * 6),
        sk.bootstrap_mean(a, groups=np.arange(18) // 3, crossed=np.arange(18) % 3).variance_parts,
        sk.CostCurve.from_predictions(y, a),
        sk.CostCurve.from_rates([0.1], [0.7]),
    )


EVERY = list(every_result())


def test_every_public_class_of_results_is_tried():
    bases = {"BandedResult", "BootstrapResult"}
    assert {type(each).__name__ for each in EVERY} == {*sk.results.__all__, "CostCurve"} - bases


@pytest.mark.parametrize("result", EVERY, ids=lambda each: type(each).__name__)
def test_every_result_is_a_frame_a_dict_and_a_table(result):
    frame, said, html = result.to_frame(), result.to_dict(), result._repr_html_()
    assert isinstance(frame, pd.DataFrame)
    assert json.loads(json.dumps(said, allow_nan=False)) == said
    assert said
    assert "<table" in html
    assert repr(result).partition("(")[0].split("\n")[0] in html.replace("&#x27;", "'")
    assert "object at 0x" not in html


def test_small_results_hold_their_numbers():
    test, plan, curve = (
        next(each for each in EVERY if type(each).__name__ == name) for name in ("JointTest", "Plan", "CostCurve")
    )
    assert test.to_dict() == {"statistic": test.statistic, "df": test.df, "pvalue": test.pvalue}
    assert test.to_frame().iloc[0].tolist() == list(test)
    assert plan.to_frame()["n"].tolist() == [100]
    assert plan.to_dict()["power"] is None
    frame = curve.to_frame()
    assert list(frame) == ["start", "end", "cost_at_start", "cost_at_end", "fpr", "tpr", "threshold"]
    assert frame["end"].tolist() == [*frame["start"][1:], 1.0]
    assert frame["cost_at_start"].tolist() == curve(frame["start"]).tolist()
    y = np.repeat([0, 1], 50)
    cheaper = sk.bootstrap_cost_difference(y, y, 1 - y, thresholds=0.5).significant()
    assert cheaper.to_frame().values.tolist() == [["a", 0.0, 1.0]]
    assert cheaper[::-1] == (cheaper.b, cheaper.a)  # a tuple still
