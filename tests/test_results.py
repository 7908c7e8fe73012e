"""How results print: the same numbers in the repr, the table of a notebook and the DataFrame, and what is meant."""

import copy
import json
import pickle
import re
import sys
from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import skcostci as sk

Y_TRUE, Y_SCORE = [0, 0, 0, 1, 1, 1], [0.1, 0.3, 0.4, 0.35, 0.8, 0.9]
OTHER = Y_SCORE[::-1]
AUC = sk.bootstrap_auc(Y_TRUE, Y_SCORE)
RATES = sk.bootstrap_roc_at_threshold(Y_TRUE, Y_SCORE, thresholds=0.37)
COSTS = sk.bootstrap_cost(Y_TRUE, Y_SCORE, probability_cost=5)


def cells(html):
    """The rows of an HTML table, header first."""
    rows = html.split("<table>")[1].split("</table>")[0].replace("th>", "td>").split("<tr>")[1:]
    return [[cell.split("</td>")[0] for cell in row.split("<td>")[1:]] for row in rows]


def test_a_notebook_shows_the_numbers_of_the_frame():
    result = sk.bootstrap_roc_at_threshold(Y_TRUE, Y_SCORE, thresholds=[0.2, 0.5])
    header, *rows = cells(result._repr_html_())
    frame = result.to_frame()
    assert [*header, "confidence_level", "method"] == list(frame)
    assert rows == [[value if isinstance(value, str) else f"{value:.4g}" for value in row[:-2]] for row in frame.values]
    html = AUC._repr_html_()
    header, row = cells(html)
    assert header == ["estimate", "standard_error", "low", "high"]
    assert row[0] == "0.8889"
    assert "AUCResult(auc, estimate=0.8889" in html
    assert "pointwise" not in html
    assert "Limits of auc: 95 %, method &#x27;unseen_case&#x27;" in html


def test_long_tables_leave_out_their_middle():
    result = sk.bootstrap_cost(Y_TRUE, Y_SCORE, probability_cost=101)
    rows = cells(result._repr_html_())[1:]
    assert len(rows) == 11
    assert rows[5] == ["…"] * len(rows[0])
    assert [float(row[0]) for row in rows[:5] + rows[6:]] == [0, 0.01, 0.02, 0.03, 0.04, 0.96, 0.97, 0.98, 0.99, 1]


def test_a_notebook_is_spared_the_warning_about_degenerate_laws():
    assert "nan" not in sk.bootstrap_auc([0, 0, 1], [1, 2, 3])._repr_html_()


def test_without_pandas_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="to_frame needs pandas: python -m pip install pandas"):
        AUC.to_frame()


def test_a_probability_is_at_most_one_for_all_the_rounding():
    rng = np.random.default_rng(0)
    y_true, y_score = rng.integers(0, 2, 34), rng.integers(0, 9, 34)
    result = sk.bootstrap_roc_at_fpr(y_true, y_score, fpr=np.linspace(0, 1, 30)[2::5])
    assert result.cdf(1).max() == 1


def test_a_limit_is_zero_for_all_the_rounding():
    y_true, y_score = np.tile([0, 1], 10), [-1, 6, 1, -5, 4, 13, 9, -7, -13, -6, 0, -23, -2, -12, -7, -5, -3, 4, 10, -1]
    fpr = sk.bootstrap_roc_at_positive_rate(y_true, y_score, positive_rate=0.1).fpr  # .1 - (.1 - 4e-17) is left
    assert fpr.confidence_interval(0.5).low == 0
    rare = sk.bootstrap_mean([1, 0], sample_weight=[1, 99_999], least=0, most=1)
    assert rare.confidence_interval().low == pytest.approx(0.025 / 100_000, rel=0.02)


def test_a_result_prints_its_default_interval():
    low, high = AUC.confidence_interval()
    figures = "estimate=0.8889, standard_error=0.1481"
    assert repr(AUC) == f"AUCResult(auc, {figures}, 95 % interval {low:.4g} to {high:.4g} by unseen_case)"
    low, high = COSTS.confidence_interval()
    assert repr(COSTS).endswith(f"95 % intervals within {low.min():.4g} to {high.max():.4g} by chosen)")
    low, high = RATES.tpr.confidence_interval()
    assert repr(RATES).endswith(f"tpr=0.6667 (95 % interval {low:.4g} to {high:.4g} by clopper_pearson))")


CUTS = {"thresholds": ([0.3, 0.5], [0.5, 0.5])}
DIFFERENCES = sk.bootstrap_roc_difference_at_threshold(Y_TRUE, Y_SCORE, OTHER, **CUTS)
TUPLES = [COSTS.confidence_interval, COSTS.confidence_band, RATES.confidence_region, DIFFERENCES.dominance]
TUPLES += [sk.bootstrap_cost_difference(Y_TRUE, Y_SCORE, OTHER).significant]
TUPLES += [partial(DIFFERENCES.tpr.equivalence, -0.5, 0.5)]


@pytest.mark.parametrize("make", TUPLES)
def test_tuples_that_results_hand_out_are_equal_when_their_numbers_are(make):
    first = make()
    assert first == make() == pickle.loads(pickle.dumps(first)) == copy.deepcopy(first)
    assert (first != make()) is False  # tuples have a != of their own
    assert first != first[:1]


def own(y_true, y_pred, *, sample_weight=None):
    """A function of the user's, which Python prints by its address."""
    return float(np.average(np.asarray(y_true) == y_pred, weights=sample_weight))


LABELS = [0, 0, 0, 1, 0, 1]


@pytest.mark.parametrize(
    ("shown", "made"),
    [
        ("metric=own,", sk.make_metric_scorer(own)),
        ("metric=own,", sk.make_metric_scorer(own, range=(0, 1), bound="worst")),
        ("name='f1'", sk.make_metric_scorer("f1", bound="worst")),
        ("bootstrap_function=bootstrap_auc,", sk.make_bound_scorer(sk.bootstrap_auc)),
        ("=bootstrap_auc(max_fpr=0.3),", sk.make_bound_scorer(partial(sk.bootstrap_auc, max_fpr=0.3))),
        ("prior=beta(2, 2)", sk.make_total_expected_cost_scorer(prior=stats.beta(2, 2))),
        ("prior=None", sk.make_total_expected_cost_scorer()),
        ("probability_cost=0.3", sk.make_normalized_cost_scorer(0.3)),
        ("cost_matrix=", sk.make_expected_cost_scorer([[0, 1], [1, 0]])),
        ("MeanResult(", sk.bootstrap_loss(Y_TRUE, Y_SCORE, loss=lambda y, p: (y - p) ** 2, most=1.0)),
        ("MetricResult(", sk.bootstrap_metric(Y_TRUE, LABELS, metric=own, range=(0, 1))),
        ("Scores", sk.AggregatedScores.from_arrays(Y_TRUE, Y_SCORE)),
    ],
)
def test_no_object_prints_its_address(shown, made):
    """Reports would differ from run to run, and say nothing."""
    assert shown in repr(made)
    assert " at 0x" not in repr(made) + str(made) + repr(getattr(made, "estimand", None))


def every_result():
    """An instance of each public class of results, by its name."""
    y, a, b = [0, 0, 1, 0, 1, 1] * 3, np.arange(18.0), np.arange(18.0)[::-1]
    risk, labels, values, costs = (a + 1) / 19, (a > 8).astype(int), np.arange(18) % 2, 1 - np.eye(2)
    models, calibration = sk.compare_models(y, {"a": a, "b": b}), sk.bootstrap_calibration(y, risk)
    auc, budget = sk.bootstrap_auc(y, a), sk.bootstrap_roc_at_positive_rate(y, a, positive_rate=0.3)
    one, two = sk.bootstrap_cost(y, a, thresholds=8.5), sk.bootstrap_cost_difference(y, a, b, thresholds=8.5)
    points = sk.bootstrap_roc_at_threshold(y, a, thresholds=[3, 8])
    pairs = sk.bootstrap_roc_difference_at_threshold(y, a, b, thresholds=(3, 8))
    at_tpr, at_tprs = sk.bootstrap_roc_at_tpr(y, a, tpr=0.5), sk.bootstrap_roc_difference_at_tpr(y, a, b, tpr=0.5)
    return [
        *(one, two, two.significant(), two.equivalence(-0.1, 0.1)),
        *(points, points.fpr, points.confidence_region(), pairs, pairs.fpr, pairs.dominance()),
        *(at_tpr, at_tpr.specificity, at_tprs, at_tprs.specificity, budget, budget.fpr),
        *(models, models.differences, models.ratios, models.gap(), models.omnibus()),
        *(calibration, calibration.slope, calibration.recalibration, calibration.bins()),
        sk.bootstrap_calibration([1] * 9, [0.1] * 9).where()[0],
        *(auc, auc.estimand, sk.bootstrap_auc_difference(y, a, b), sk.independent_difference(auc, auc)),
        *(sk.bootstrap_auc(y, a, max_fpr=0.3), sk.bootstrap_auc_difference(y, a, b, max_fpr=0.3)),
        *(sk.bootstrap_average_precision(y, a), sk.bootstrap_average_precision_difference(y, a, b)),
        *(sk.bootstrap_roc_at_fpr(y, a, fpr=0.3), sk.bootstrap_roc_difference_at_fpr(y, a, b, fpr=[0.3])),
        *(sk.bootstrap_metric(y, a, "eer"), sk.bootstrap_metric(y, a, "gini")),
        *(sk.bootstrap_metric_difference(y, a, b, "gini"), sk.bootstrap_metric(y, labels, "f1")),
        sk.bootstrap_metric_difference(y, labels, values, "f1"),
        sk.bootstrap_metric_difference(y, a, b, "precision", positive_rate=0.3),
        *(sk.bootstrap_metric(y, a, "aurc"), sk.bootstrap_metric_difference(y, a, b, "aurc")),
        *(sk.bootstrap_mean(values), sk.bootstrap_mean_difference(values, labels)),
        *(sk.bootstrap_ratio(risk, a + 1), sk.bootstrap_ratio_difference(risk, a + 1, risk / 2, a + 2)),
        *(sk.bootstrap_concordance(y, a, b), sk.bootstrap_concordance_difference(y, a, b, risk)),
        sk.bootstrap_agreement([[0, 0, 1], [1, 1, 1], [0, 0, 0], [1, 1, 1]]),
        *(sk.pool_imputations([auc, auc]), sk.pool_imputations([sk.bootstrap_auc_difference(y, a, b)] * 2)),
        *(sk.bootstrap_expected_cost(y, labels, costs), sk.auc_from_error_count(2, 9, 9)),
        sk.bootstrap_expected_cost_difference(y, labels, values, costs),
        *(sk.plan_rate(0.9, n=100), sk.plan_auc(0.8, half_width=0.2), sk.cost_line(0.2, 0.7)),
        *(sk.report(y, {"a": a, "b": b}, metrics=["roc_auc"]), sk.report(["a", "b", "c"] * 6, ["a", "b", "b"] * 6)),
        sk.bootstrap_mean(a, groups=np.arange(18) // 3, crossed=np.arange(18) % 3).variance_parts,
        *(sk.CostCurve.from_predictions(y, a), sk.CostCurve.from_rates([0.1], [0.7])),
    ]


EVERY = every_result()


def test_every_public_class_of_results_is_tried():
    tried, named = {type(each).__name__ for each in EVERY}, {*sk.results.__all__, "CostCurve"}
    missing, unknown = named - tried - {"BandedResult", "BootstrapResult"}, tried - named
    assert not missing, f"Give every_result in tests/test_results.py a call that returns {missing}."
    assert not unknown, f"Give skcostci/results/_public.py the class {unknown}, which a call returns."


@pytest.mark.parametrize("result", EVERY, ids=lambda each: type(each).__name__)
def test_every_result_is_a_frame_a_dict_and_a_table(result):
    frame, said, html = result.to_frame(), result.to_dict(), result._repr_html_()
    assert isinstance(frame, pd.DataFrame)
    assert json.loads(json.dumps(said, allow_nan=False)) == said
    assert said
    assert "<table" in html
    assert repr(result).partition("(")[0].split("\n")[0] in html.replace("&#x27;", "'")
    assert " at 0x" not in html + repr(result) + str(result) + repr(getattr(result, "estimand", None))


def test_small_results_hold_their_numbers():
    test, plan, curve = (
        next(each for each in EVERY if type(each).__name__ == name) for name in ("JointTest", "Plan", "CostCurve")
    )
    assert test.to_dict() == {"statistic": test.statistic, "df": test.df, "pvalue": test.pvalue}
    assert test.to_frame().iloc[0].tolist() == list(test)
    assert plan.to_frame()["n"].tolist() == [100]
    assert plan.to_dict()["power"] is None
    assert sk.bootstrap_metric([0, 0, 1, 1], [0, 0, 1, 1], "lr_positive").to_dict()["estimate"] == "Infinity"
    frame = curve.to_frame()
    assert list(frame) == ["start", "end", "cost_at_start", "cost_at_end", "fpr", "tpr", "threshold"]
    assert frame["end"].tolist() == [*frame["start"][1:], 1.0]
    assert frame["cost_at_start"].tolist() == curve(frame["start"]).tolist()
    y = np.repeat([0, 1], 50)
    cheaper = sk.bootstrap_cost_difference(y, y, 1 - y, thresholds=0.5).significant()
    assert cheaper.to_frame().values.tolist() == [["a", 0.0, 1.0]]
    assert cheaper[::-1] == (cheaper.b, cheaper.a)  # a tuple still


RNG = np.random.default_rng(3)
TRUTH = RNG.integers(0, 2, 50)
SCORES = {name: TRUTH * shift + RNG.normal(size=50) for name, shift in (("a", 1.5), ("b", 1.0), ("c", 0.5))}
CUT_OF = {"a": 0.5, "b": 1.5, "c": 0.0}


@pytest.mark.parametrize(
    ("low", "high", "printed"),
    [
        (-np.inf, -0.00138, "low=-inf, high=-0.00138"),
        (-0.00138, np.inf, "low=-0.00138, high=inf"),
        (0.000004567, np.inf, "low=4.567e-06, high=inf"),
        (12345.678, np.inf, "low=12350.0, high=inf"),
        (-0.0004, 0.61, "low=-0.0004, high=0.61"),
        (-0.61, -0.0004, "low=-0.61, high=-0.0004"),
        (0.0, 0.5678, "low=0.0, high=0.568"),
        (-np.inf, np.inf, "low=-inf, high=inf"),
        (0.776123456, 0.776987654, "low=0.776123, high=0.776988"),
        (-120.4, 3011.2, "low=-120.0, high=3010.0"),
        (1.0, 1.0, "low=1.0, high=1.0"),
        (np.array([0.12345, 0.5]), np.array([0.22345, 0.5]), "low=[0.123, 0.5  ], high=[0.223, 0.5  ]"),
        (np.array([-np.inf, -np.inf]), np.array([-0.00138, 2.0]), "high=[-1.38e-03,  2.00e+00]"),
    ],
)
def test_limits_keep_their_sign_and_their_digits(low, high, printed):
    assert printed in repr(sk.ConfidenceInterval(low, high))


@pytest.mark.parametrize("alternative", ["less", "greater", "two-sided"])
def test_printed_limits_are_the_limits(alternative):
    for scale in (1e-7, 1e-2, 1.0, 1e5):
        limits = sk.bootstrap_mean(scale * RNG.normal(1, 1, 30)).confidence_interval(alternative=alternative)
        printed = [float(x) for x in re.findall(r"=([^,)]+)", repr(limits))]
        for shown, limit in zip(printed, limits, strict=True):
            assert shown == limit or abs(shown / limit - 1) < 0.01


@pytest.mark.parametrize("metric", ["recall", "kappa", "youden"])
def test_thresholds_of_each_model_are_told_with_it(metric):
    compared = sk.compare_models(TRUTH, SCORES, metric, thresholds=CUT_OF)
    frame, pairs = compared.to_frame(), compared.differences.to_frame()
    for name, cut in CUT_OF.items():
        assert re.search(rf"\b{name} \S+ \[[^]]*\] at threshold={cut:g}\b", repr(compared))
    assert frame["threshold"].tolist()[:3] == compared.to_dict()["threshold"] == list(CUT_OF.values())
    assert frame["threshold"].isna().tolist() == [False] * 3 + [True] * 3
    assert pairs["threshold_a"].tolist() == [0.5, 0.5, 1.5]
    assert pairs["threshold_b"].tolist() == [1.5, 0.0, 0.0]
    assert re.search("b - c .*at threshold_a=1.5, threshold_b=0", repr(compared.differences))
    if metric == "recall":  # which cannot be negative
        assert "threshold" not in repr(compared.ratios)


def test_what_all_share_is_told_once():
    compared = sk.compare_models(TRUTH, SCORES, "recall", thresholds=0.5)
    assert repr(compared).startswith("ModelComparison(recall, threshold=0.5: a ")
    assert repr(compared).count("threshold") == 1
    assert (compared.to_frame()["threshold"] == 0.5).all()
    two = {name: SCORES[name] for name in "ab"}
    assert "threshold" not in sk.compare_models(TRUTH, two).to_frame()
    rates = sk.compare_models(TRUTH, two, "sensitivity_at_specificity", specificity=0.8)
    assert (rates.to_frame()["specificity"] == 0.8).all()
    costs = sk.compare_models(TRUTH, SCORES, "cost", probability_cost=0.4, thresholds=CUT_OF)
    assert costs.to_frame()["threshold"].tolist()[:3] == list(CUT_OF.values())
    chosen = sk.compare_groups(TRUTH, SCORES["a"], np.arange(50) % 2, "ks")
    cuts = [float(result.thresholds) for result in chosen.results]
    assert repr(chosen).count(" at threshold=") == len(set(cuts)) == 2
    assert chosen.to_frame()["threshold"].tolist()[:2] == cuts


def test_cautions_speak_of_nothing_that_only_some_statistics_have():
    said = " ".join(str(sk.report(TRUTH, SCORES["a"], metrics=("roc_auc", "kappa"))).split())
    assert "could change the estimate far more than" in said
    assert "cell" not in said
