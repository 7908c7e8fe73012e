"""What every result says of itself: p against any null, whether it is exact, its estimand, and all of it as JSON."""

import inspect
import json

import numpy as np
import pytest
from scipy.special import expit
from statistics_list import BELONGING, STATISTICS, Cases, limits, parts
from test_pvalues import left_out

import skcostci as sk

RNG = np.random.default_rng(5)
Y = np.repeat([1, 0], [14, 20])
S = np.round(2 * (RNG.normal(size=34) + 1.2 * Y)) / 2
CASES = Cases(Y, (S, np.round(2 * (S + 0.7 * RNG.normal(size=34))) / 2))
MEMBERS = {"groups": np.arange(34) // 2, "folds": np.arange(34) % 2}
RESULTS = tuple(f"bootstrap_{name}" for name in ("auc", "roc", "cost", "expected", "metric", "loss"))


def asked(statistic):
    more = {statistic.membership: MEMBERS[statistic.membership]} if statistic.membership else {}
    return statistic(Y, *statistic.judged(CASES), **more)


OTHER_NAMES = {"sensitivity", "specificity"}  # of what is asked of a tpr or an fpr too
OF_RESULTS = [each for each in (*STATISTICS, *BELONGING) if each.name.startswith(RESULTS)]
OF_RESULTS = [each for each in OF_RESULTS if not OTHER_NAMES & {*each.options}]
each_result = pytest.mark.parametrize(
    "statistic", OF_RESULTS, ids=lambda each: f"{each.name} {each.options} {each.thresholds} {each.membership}"
)


@each_result
def test_p_is_below_alpha_exactly_where_the_interval_leaves_out_the_null(statistic):
    for result in parts(asked(statistic)):
        if hasattr(result, "equivalence"):
            continue  # differences have tests of their own
        least, most = (float(np.max(end)) for end in result.law.support)
        null, method = 0.6, result.methods[0]
        for alternative in ("two-sided", "less", "greater") if least <= null <= most else ():
            p = result.pvalue(alternative, null=null, method=method)
            out = left_out(result, 0.95, alternative, method, null)
            agree = (np.abs(p - 0.05) < 1e-7) | (np.less(p, 0.05) == out)
            assert np.all(agree), (method, alternative, p)


@each_result
def test_what_a_result_says_is_json_and_the_same_numbers(statistic):
    result = asked(statistic)
    told = json.loads(json.dumps(result.to_dict(0.9), allow_nan=False))
    assert told["is_exact"] is result.is_exact
    assert told["method"] == result.methods[0]
    assert told["estimand"]["statistic"] == result.estimand.statistic
    if hasattr(result, "confidence_interval"):
        for name, limit in zip(("low", "high"), limits(result, 0.9), strict=True):
            read = np.array(told[name], dtype=float)  # "Infinity" is a number again
            assert np.array_equal(read, limit, equal_nan=True)


def test_the_null_of_an_auc_is_one_half_and_others_have_none():
    auc = sk.bootstrap_auc(Y, S)
    assert auc.pvalue() == auc.pvalue(null=0.5) < 0.05
    assert auc.pvalue(alternative="greater") + auc.pvalue(alternative="less") == pytest.approx(1)
    with pytest.raises(ValueError, match="null must be given"):
        sk.bootstrap_metric(Y, S, "recall", thresholds=0.5).pvalue()


def test_every_pvalue_is_asked_alike():
    """The claim first, everything else by name; one object to compare signatures with."""
    asked = {
        each: [(p.name, p.kind, p.default) for p in inspect.signature(each.pvalue).parameters.values()][1:]
        for each in (getattr(sk.results, name) for name in sk.results.__all__)
        if callable(getattr(each, "pvalue", None))
    }
    assert len(asked) > 20
    first, named = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
    alike = [("alternative", first, "two-sided"), ("null", named, None), ("method", named, None)]
    assert all(parameters == alike for parameters in asked.values())


@pytest.mark.parametrize("number", [0.6, 0, np.float64(0.6), np.array(0.6)], ids=repr)
def test_a_number_in_the_place_of_the_claim_is_told_its_name(number):
    models = sk.compare_models(Y, {"a": S, "b": -S}).differences
    recall, calibration = sk.bootstrap_metric(Y, S >= 0.5, "recall"), sk.bootstrap_calibration(Y, expit(S))
    for result in (recall, sk.bootstrap_auc(Y, S), sk.bootstrap_auc_difference(Y, S, -S), models, calibration):
        with pytest.raises(ValueError, match=rf"alternative must be one of .*passed by name: null={number}\."):
            result.pvalue(number)


def test_where_nothing_is_known_p_is_one_and_json_says_why():
    precision = sk.bootstrap_metric(Y, S, "precision", thresholds=[0.5, 99.0])
    assert precision.pvalue(null=0.2)[1] == 1
    told = precision.to_dict()
    assert told["estimate"][1] is None
    assert "no predicted positives" in told["note"][1]
    assert told["note"][0] == ""
