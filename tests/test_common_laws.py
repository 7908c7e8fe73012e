"""The laws that every statistic keeps, whatever it is about."""

import copy
import inspect
import itertools
import pickle
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import cache
from html import escape

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import expit
from statistics_list import (
    BELONGING,
    COMPARED,
    DRAWN,
    STATISTICS,
    Cases,
    about,
    belonging,
    limits,
    numbers,
    of_swapped_models,
    parts,
    word,
)
from strategies import cases

import skcostci as sk

FEW = settings(max_examples=settings().max_examples // 50)  # 2, of the search 20
LEVELS = [1e-17, 0.3, 0.9, 0.99, 1 - 1e-9, np.nextafter(1, 0)]
Y = np.tile([0, 1, 1, 0, 0, 1, 0, 0], 3)
GIVEN = Cases(Y, tuple(np.random.default_rng(0).integers(-3, 4, (2, 24)) / 2 + [[0.0], [0.0]]))
TIED_TO_NOTHING = Cases(Y, (np.linspace(-1.5, 1.5, 24)[np.argsort(np.argsort(GIVEN.scores[0] + Y))], GIVEN.scores[1]))
WEIGHTED = replace(GIVEN, sample_weight=np.arange(24) % 4)
for column in (Y, *GIVEN.scores, WEIGHTED.sample_weight):
    column.flags.writeable = False  # nothing that is given is changed
SEPARATED = Cases(Y, (Y - 0.5, Y - 0.5))
ONE_POSITIVE = Cases(np.arange(24) // 23, GIVEN.scores)
MIXED = Cases(Y, tuple(np.round(Y + np.sin(np.arange(24) ** 2 * np.array([[1.0], [1.3]])), 1)))
SAMPLES = {"ties": GIVEN, "no ties": TIED_TO_NOTHING, "separated": SEPARATED, "one positive": ONE_POSITIVE}


def over(statistics, keep=lambda statistic: True):
    """A test of each of these."""
    return pytest.mark.parametrize("statistic", list(filter(keep, statistics)), ids=str)


STARTS = itertools.count()  # of the turns, so that a statistic meets other values in each test


def turns(statistics, values, rest=False):
    """Each statistic with one of these values in turn, which thus all meet statistics of every kind; the rest is slow.

    Or it is left out where what the values vary is the same code for all, such as the door.
    """
    start = next(STARTS)
    for place, statistic in enumerate(statistics, start):
        for number, (name, value) in enumerate(values.items()):
            if (asked := (number - place) % len(values) == 0) or rest:
                given = value if isinstance(value, tuple) else (value,)
                marks = () if asked else pytest.mark.slow
                yield pytest.param(statistic, *given, id=f"{statistic}-{name}", marks=marks)


def in_turn(statistics, names, values):
    """A test of these."""
    return pytest.mark.parametrize(("statistic", *names.split()), list(turns(statistics, values)))


BESIDE = [*BELONGING, *COMPARED, *DRAWN]
each_statistic = over(STATISTICS)
OF_SCORES = [statistic for statistic in STATISTICS if statistic.of == "scores"]
RESULTS = [statistic for statistic in STATISTICS if statistic.name.startswith("boot")]
PAIRS = [statistic for statistic in STATISTICS if statistic.models == 2]
PAIRS_OF_GROUPS = [statistic for statistic in BELONGING if statistic.models == 2]
each_sampled = over(STATISTICS, lambda s: s.samplings)
OF_GROUPS_TOO = [*RESULTS, *BELONGING]


def on_samples(statistics, names="", *values):
    """In turn on the samples above, together with one of these values; with groups and folds on two of them.

    Of other samples some groups lack a class.
    """
    more = [(value,) for value in values] or [()]
    plain, whole = (
        {"-".join([name, *map(str, each)]): (sample, *each) for each in more for name, sample in samples.items()}
        for samples in (SAMPLES, {"ties": GIVEN, "mixed": MIXED})
    )
    found = turns([s for s in statistics if not s.membership], plain, rest=True)
    of_members = turns([s for s in statistics if s.membership], whole, rest=True)
    return pytest.mark.parametrize(("statistic", "sample", *names.split()), [*found, *of_members])


def assert_same(got, expected, **tolerance):
    """All numbers of two results agree, to the last bit unless a tolerance is given."""
    assert got.keys() == expected.keys()
    for name in expected:
        if tolerance:
            assert_allclose(got[name], expected[name], err_msg=name, **tolerance)
        else:
            assert_array_equal(got[name], expected[name], err_msg=name)


@cache
def given_result(statistic):
    """What a statistic answers on the given cases."""
    return statistic.of_cases(GIVEN)


@cache
def of_given(statistic, brief=False):
    """What that says, which many answers are held against."""
    return numbers(given_result(statistic), brief=brief)


@cache
def of_weighted(statistic):
    """The same in brief, where cases stand for several or none."""
    return numbers(statistic.of_cases(WEIGHTED), brief=True)


@cache
def of_rough(statistic, signs):
    """In brief, of whole numbers for scores, or of their signs alone."""
    whole = [(2 * column).astype(int) for column in GIVEN.scores]
    return numbers(statistic.of_cases(Cases(Y, tuple(each > 0 if signs else each for each in whole))), brief=True)


def assert_same_cases(statistic, result):
    """These are the given cases in another dress, which only the door sees: the counts behind it are the same."""
    assert_same(numbers(result, brief=True), of_given(statistic, brief=True))


ELSEWHERE = {"report", "aggregate_scores", "compare_models", "compare_groups"}  # the last two ask those listed


def test_no_public_statistic_is_missing():
    functions = [name for name in sk.__all__ if inspect.isfunction(getattr(sk, name))]
    of_cases = {name for name in functions if "y_true" in inspect.signature(getattr(sk, name)).parameters}
    listed, expected = {statistic.name for statistic in STATISTICS}, of_cases - ELSEWHERE | {"CostCurve"}
    assert not expected - listed, f"Give the new statistic {expected - listed} a line in tests/statistics_list.py"
    assert not listed - expected, f"Take the line of {listed - expected} out of tests/statistics_list.py"


def test_parameters_are_those_of_the_contract():
    for statistic in STATISTICS:
        with about(statistic):
            parameters = list(inspect.signature(statistic.function).parameters)
            assert parameters[: 1 + statistic.models] == ["y_true", *statistic.columns]
            assert {"sample_weight", "labels" if statistic.of == "labels" else "pos_label"} <= set(parameters)
            assert "sampling" in parameters or not statistic.samplings


# --- the cases


def odd(weighted):
    """The same cases, with scores that stand out in rows that weigh nothing."""
    seen = weighted.sample_weight > 0
    return replace(weighted, scores=tuple(np.where(seen, column, 1e300) for column in weighted.scores))


def by_rows(weighted, shuffled):
    """Each case as a row of its own."""
    rows = np.repeat(np.arange(len(weighted.y_true)), weighted.sample_weight)
    rows = rows[np.argsort(rows * 7 % 5, kind="stable")] if shuffled else rows
    return replace(weighted, sample_weight=None).rows(rows)


@each_statistic
@FEW
@given(sample=cases(weights=True))
def test_weights_are_repeated_rows(statistic, sample):
    """Whose order means nothing, and rows that weigh nothing are not there."""
    expected = numbers(statistic.of_cases(odd(sample)), brief=True)
    # To the last bit if not shuffled, but where influences of rows are added up in another order.
    added = statistic.weights == "any" or statistic.models == 2
    for shuffled, tolerance in ((False, {}), (True, {"rtol": 1e-13, "atol": 1e-13}))[1 if added else 0 :]:
        assert_same(numbers(statistic.of_cases(by_rows(sample, shuffled)), brief=True), expected, **tolerance)


@over([*STATISTICS, *BESIDE])
def test_rows_that_weigh_nothing_are_not_there_to_the_last_bit(statistic):
    there = WEIGHTED.rows(WEIGHTED.sample_weight > 0)
    assert_same(numbers(statistic.of_cases(odd(WEIGHTED)), brief=True), numbers(statistic.of_cases(there), brief=True))


@in_turn(BESIDE, "sample", {"ties": GIVEN, "none": TIED_TO_NOTHING})
def test_groups_comparisons_and_pictures_know_cases_and_the_order_of_their_scores_only(statistic, sample):
    def rise(column):
        return np.exp2(3 * np.asarray(column)) if statistic.of == "scores" else column

    weighted = replace(sample, sample_weight=np.arange(24) * 7 % 4)
    rows = by_rows(weighted, shuffled=True)
    risen = replace(rows, scores=tuple(rise(column) for column in rows.scores))
    found = numbers(statistic.of_cases(odd(weighted)), brief=True)
    got = numbers(statistic.of_cases(risen, **moved(statistic.thresholds, rise)), brief=True)
    expected = {name: value for name, value in found.items() if "threshold" not in name}
    assert_same({name: got[name] for name in expected}, expected, rtol=1e-10, atol=1e-13)


@on_samples(BESIDE)
def test_groups_comparisons_and_pictures_say_or_refuse_whatever_is_asked(statistic, sample):
    """Also where folds and subgroups lack a class, and scores know all or nothing."""
    found, refused = {}, ""
    try:
        with np.errstate(all="raise"):
            found = numbers(statistic.of_cases(sample), brief=True)
    except ValueError as error:
        refused = str(error)
    unknown = {word(name) for name, value in found.items() if np.isnan(value).any()}
    assert unknown <= {"values", "estimate", "standard_error", "covariance"}  # what a subgroup does not tell
    assert found or re.search("contain both classes|must contain at least two|is undefined", refused)


def one_class_may_do(statistic):
    """What metrics need of the classes is tested in ``test_undefined``."""
    return statistic.name.startswith("bootstrap_metric") or statistic.options.get("statistic") == "f1"


@over(COMPARED)
def test_comparisons_at_every_level(statistic):
    comparison = given_result(statistic)
    for level in LEVELS[::2]:
        low, high = limits(comparison.differences, level)
        alone = limits(comparison.differences, level, simultaneous=False)
        assert np.isfinite([low, high]).all(), level
        assert (low <= alone.low + 1e-9).all(), level
        assert (high >= alone.high - 1e-9).all(), level
        assert set(comparison.may_be_best(level)) >= set(comparison.may_be_best(level / 2)) != set(), level


RISES = {
    "curved": np.exp,
    "huge": lambda scores: scores * 1.1e308,
    "denormal": lambda scores: scores * 2e-323,
    "nearly tied": lambda scores: 1 + 4 * scores * np.spacing(1.0),
    "many magnitudes": lambda scores: np.exp2(200 * scores),
}


@in_turn(OF_SCORES, "rise", RISES)
def test_only_the_order_of_scores_matters(statistic, rise):
    risen = Cases(Y, tuple(rise(column) for column in GIVEN.scores))
    cuts = moved(statistic.thresholds, rise)
    expected = of_given(statistic, brief=True)
    if "threshold" in statistic.name:  # the value is one
        expected = {name: rise(value) if name == "value" else value for name, value in expected.items()}
    expected = {name: rise(value) if "threshold" in name else value for name, value in expected.items()}
    assert_same(numbers(statistic.of_cases(risen, **cuts), brief=True), expected)


KINDS = {kind.__name__: kind for kind in (np.float32, np.float16, np.int8, np.longdouble, object, Fraction, bool)}


@in_turn(OF_SCORES, "kind", KINDS)
def test_scores_of_any_kind_of_number(statistic, kind):
    whole = [(2 * column).astype(int) for column in GIVEN.scores]
    make = {bool: lambda column: column > 0, Fraction: lambda column: [Fraction(int(value)) for value in column]}
    got = statistic(Y, *map(make.get(kind, lambda column: column.astype(kind)), whole))
    assert_same(numbers(got, brief=True), of_rough(statistic, signs=kind is bool))


NAMED = {
    **{"bools": [False, True], "floats": [0.0, 1.0], "signs": [-1, 1], "few bits": np.array([0, 1], np.uint8)},
    **{"texts": ["well", "ill"], "objects": np.array(["well", "ill"], object), "10": [11, 10], "no": [True, False]},
}
CUSTOMARY = {"bools", "floats", "signs", "few bits", "no"}  # need no ``pos_label``


LABELLED = [s for s in BESIDE if not {"together", "average"} & set(s.options)]  # estimators know, averages are of all


@in_turn([*OF_SCORES, *LABELLED], "name", {name: name for name in NAMED})
def test_the_positive_label_is_the_one_asked_for_or_the_customary_one(statistic, name):
    classes = NAMED[name]
    if name not in CUSTOMARY:
        with pytest.raises(ValueError, match=r"y_true takes value in \{.*\} and pos_label is not specified"):
            statistic.of_cases(GIVEN, classes)
    positive = {"pos_label": np.asarray(classes).tolist()[1]} if name not in CUSTOMARY or name == "no" else {}
    assert_same_cases(statistic, statistic.of_cases(GIVEN, classes, **positive))


NAMES = {"bools": [False, True], "texts": ["ill", "well"], "signs": [-1, 1], "numbers": [10, 11]}
NAMES["objects"] = np.array(["a", "b"], object)


@in_turn([statistic for statistic in STATISTICS if statistic.of == "labels"], "classes", NAMES)
def test_labels_are_names(statistic, classes):
    costs = np.array([[0.5, 1], [3, 0]])
    given = {"cost_matrix": costs} if "cost_matrix" in statistic.options else {}
    expected = numbers(statistic.of_cases(GIVEN, **given))
    assert_same(numbers(statistic.of_cases(GIVEN, classes, **given)), expected)
    listed = {"labels": classes[::-1], **{name: matrix[::-1, ::-1] for name, matrix in given.items()}}
    assert_same(numbers(statistic.of_cases(GIVEN, classes, **listed)), expected, rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("statistic", [s for s in STATISTICS if s.other_class], ids=str)
@FEW
@given(sample=cases())
def test_the_classes_change_their_roles(statistic, sample):
    other = Cases(1 - sample.y_true, tuple(-column for column in sample.scores))
    got = numbers(statistic.of_cases(other, **statistic.other_class.options))
    expected = statistic.other_class.expect(numbers(statistic.of_cases(sample)))
    assert_same({name: got[name] for name in expected}, expected, rtol=1e-9, atol=1e-12)


# --- two models


@over(PAIRS)
@FEW
@given(sample=cases())
def test_swapping_the_models_flips_the_sign(statistic, sample):
    swapped = replace(sample, scores=sample.scores[::-1])
    cuts = {k: each[::-1] if isinstance(each, tuple) else each for k, each in statistic.thresholds.items()}
    got, expected = (numbers(statistic.of_cases(each, **more)) for each, more in ((swapped, cuts), (sample, {})))
    expected = of_swapped_models(expected)
    # The lattice that values without a common step are rounded to is not symmetric: quantiles may be a step apart.
    on_lattice = {name for name in expected if "percentile" in name and "loss" in statistic.name}
    for names, tolerance in ((expected.keys() - on_lattice, 1e-9), (on_lattice, 1e-3)):
        of = {name: got[name] for name in names}, {name: expected[name] for name in names}
        assert_same(*of, rtol=tolerance, atol=tolerance / 1000)


def moved(thresholds, rise):
    """Thresholds on another scale, of one model or of a pair."""
    return {
        name: tuple(rise(np.array(each)) for each in cuts) if isinstance(cuts, tuple) else rise(np.array(cuts))
        for name, cuts in thresholds.items()
    }


def for_both(thresholds, rise):
    """The first model's thresholds, and the same on the second one's scale."""
    if "thresholds" not in thresholds:
        return {}
    cuts = thresholds["thresholds"]
    of_a = np.array(cuts[0] if isinstance(cuts, tuple) else cuts)
    return {"thresholds": (of_a, rise(of_a))}


@on_samples(PAIRS, "rise", np.array, np.sinh)
def test_models_that_judge_alike_do_not_differ(statistic, sample, rise):
    """Limits that are 0 but for rounding are 0, and where both are p is 1."""
    rise = np.array if statistic.of == "risks" else rise
    alike = replace(sample, scores=(sample.scores[0], rise(sample.scores[0])))
    for part in parts(statistic.of_cases(alike, **for_both(statistic.thresholds, rise))):
        assert_array_equal(part.estimate, 0)
        for method in part.methods:
            for level in (0.5, 0.9, 1 - 1e-9):
                low, high = (np.atleast_1d(end) for end in limits(part, level, method=method))
                assert ((low == 0) | (low < -1e-9)).all(), (method, low)
                assert ((high == 0) | (high > 1e-9)).all(), (method, high)
            for alternative in ("greater", "two-sided"):
                pvalues = np.atleast_1d(part.pvalue(alternative, method=method))
                known = (low == 0) & (high == 0) | (alternative == "two-sided")
                assert (pvalues[known] == 1).all(), (method, alternative, pvalues)


@on_samples([*PAIRS, *PAIRS_OF_GROUPS], "alternative", "two-sided", "less")  # "greater" is 1 less that
def test_pvalues_are_intervals_turned_round(statistic, sample, alternative):
    nulls = [0.0, 0.2] if sample is GIVEN and alternative == "two-sided" else [0.0]
    for part in parts(statistic.of_cases(sample)):
        for method, null in itertools.product(part.methods, nulls):
            pvalues = np.atleast_1d(part.pvalue(alternative, method=method, null=null))
            assert ((pvalues >= 0) & (pvalues <= 1)).all(), method
            for point, pvalue in enumerate(pvalues.tolist()):
                for alpha, rejected in ((pvalue * (1 - 1e-6), False), (pvalue * (1 + 1e-6), True)):
                    if 1e-4 < alpha < 1:  # limits resolve ties at 1e-12
                        interval = limits(part, 1 - alpha, method=method, alternative=alternative)
                        low, high = (np.atleast_1d(end)[point] for end in interval)
                        assert (low > null or high < null) == rejected, (method, null, point, pvalue)


QUANTILES = {"percentile", "smoothed"}  # of laws with atoms, that both tails hold


@on_samples(OF_GROUPS_TOO)
def test_one_sided_limits_below_one_half_are_those_of_the_other_side(statistic, sample):
    for part in parts(statistic.of_cases(sample)):
        ends = [np.asarray(end) for end in part.law.support]
        for method in set(part.methods) - QUANTILES - {"envelope"}:  # whose two limits are about different numbers
            for level in (0.01, 0.3):
                low, lower = (limits(part, x, method=method, alternative="greater").low for x in (level, 1 - level))
                high, upper = (limits(part, x, method=method, alternative="less").high for x in (level, 1 - level))
                assert_allclose([low, high], np.clip([upper, lower], *ends), rtol=1e-9, atol=1e-9, err_msg=method)


@on_samples([*PAIRS, *PAIRS_OF_GROUPS])
def test_pvalues_of_less_and_greater_add_up_to_one(statistic, sample):
    for part in parts(statistic.of_cases(sample)):
        least, most = (np.asarray(end) for end in part.law.support)
        nulls = [0.05, -0.45] if sample is GIVEN else [0.0]
        for method, null in itertools.product(set(part.methods) - QUANTILES, nulls):
            less, greater = (part.pvalue(side, method=method, null=null) for side in ("less", "greater"))
            point = (np.asarray(part.standard_error) == 0) & (part.estimate == null) & (method in {"wald", "delong"})
            inside = (least < null) & (null < most) & ~point
            assert_allclose(np.where(inside, np.add(less, greater), 1.0), 1.0, atol=1e-9, err_msg=method)


# --- the questions


@each_sampled
def test_sampling_makes_a_difference(statistic):
    by_class, all_together = (statistic.of_cases(GIVEN, sampling=sampling) for sampling in statistic.samplings)
    found, varied = (numbers(result, brief=True) for result in (by_class, all_together))
    # the precision of the cases with the highest scores follows the share of positives, their other rates do not
    precision = {name: value for name, value in varied.items() if name.startswith("precision.")}
    assert_same(found | precision, of_given(statistic, brief=True))
    assert not np.allclose(by_class.standard_error, all_together.standard_error, rtol=1e-6)
    assert not np.allclose(limits(by_class, 0.9), limits(all_together, 0.9), rtol=1e-6)
    with pytest.raises(ValueError, match="sampling must be one of 'stratified', 'full', got 'none'"):
        statistic.of_cases(GIVEN, sampling="none")


def assert_limits_fit_together(part, levels):
    """Of each method they are ordered, nested and in the range, and one-sided ones are those of twice the risk."""
    least, most = np.minimum(part.law.support[0], 0), np.maximum(part.law.support[1], 1)  # of the law, or a rate
    for method in part.methods:
        ends = [limits(part, level, method=method) for level in levels]
        assert_nested(ends, method)
        assert all(np.all((least <= np.asarray(low)) & (np.asarray(high) <= most)) for low, high in ends), method
        low, high = limits(part, 0.9, method=method)
        upper, lower = (limits(part, 0.95, method=method, alternative=side) for side in ("less", "greater"))
        single, both = np.array([lower.low, upper.high]), np.array([low, high])
        if method == "rank_beta":  # an interval's two limits share what they may miss where one is at its end
            at_end = single == np.array([upper.low, lower.high])
            both = np.where(at_end, single, both)
        assert_allclose(single, both, rtol=1e-9, atol=1e-12, err_msg=method)
        assert np.less_equal([upper.low, high], [low, lower.high]).all(), method
        if method == part.methods[0]:
            assert (low <= np.asarray(part.estimate) + 1e-12).all()
            assert (part.estimate <= np.asarray(high) + 1e-12).all()


def assert_nested(ends, method, ordered=True):
    """Limits at rising levels are finite, in order and further apart."""
    low, high = map(np.array, zip(*ends, strict=True))
    assert np.isfinite([low, high]).all(), method
    assert (low <= high).all() or not ordered, method
    assert (np.diff([-low, high], axis=1) >= -1e-9).all(), method


@on_samples(OF_GROUPS_TOO)
def test_intervals_are_ordered_nested_and_in_the_range(statistic, sample):
    for part in parts(statistic.of_cases(sample)):
        assert_limits_fit_together(part, LEVELS[::2])


@pytest.mark.slow
@over(RESULTS)
@settings(max_examples=FEW.max_examples // 2)
@given(sample=cases())
def test_those_of_any_few_cases_are_too(statistic, sample):
    for part in parts(statistic.of_cases(sample)):
        assert_limits_fit_together(part, LEVELS[::2])


@on_samples(OF_GROUPS_TOO, "alternative", "less", "greater")
def test_one_sided_limits_and_bands_are_nested_at_every_level(statistic, sample, alternative):
    for part in parts(statistic.of_cases(sample)):
        with np.errstate(all="raise"):
            for method in part.methods:
                ends = [limits(part, level, method=method, alternative=alternative) for level in LEVELS]
                assert_nested(ends, method, ordered=False)
            for method in getattr(part, "band_methods", ()):
                assert_nested([part.confidence_band(level, method=method) for level in LEVELS], method)


@over(OF_GROUPS_TOO)
def test_frames_have_the_limits_of_the_level_asked_for(statistic):
    result = given_result(statistic)
    for part in parts(result):
        for level in (0.8, np.nextafter(1, 0)):
            frame, (low, high) = part.to_frame(level), limits(part, level)
            assert_array_equal(frame[["low", "high"]].T, [np.atleast_1d(low), np.atleast_1d(high)])
    if hasattr(result, "confidence_region"):
        frame, region = result.to_frame(0.8), result.confidence_region(0.8)
        for name in ("fpr", "tpr"):
            part, rows = getattr(result, name), frame[frame["statistic"].str.startswith(name)]
            for ends, limit in (("", limits(part, 0.8)), ("region_", getattr(region, name))):
                assert_array_equal(rows[[f"{ends}low", f"{ends}high"]].T, np.array(limit).reshape(2, -1))


SAYS = ["statistic", "confidence_level", "method"]


@over([*RESULTS, *BELONGING[::2], *COMPARED])
def test_results_say_what_they_are(statistic):
    """Frames, dictionaries, captions and what is printed name statistic, level and method; values are ``estimate``."""
    result = given_result(statistic)
    compared = [result.differences, result.results[0]] if hasattr(result, "differences") else []
    rates = [] if hasattr(result, "confidence_interval") else parts(result)
    for part in (result, *rates, *compared):
        frame, said, name = part.to_frame(0.9), part.to_dict(0.9), part.estimand.name
        assert {"estimate", "low", "high", *SAYS} <= set(frame.columns)
        assert set(frame["confidence_level"]) == {said["confidence_level"]} == {0.9}
        assert set(frame["method"]) >= set(np.ravel(said["method"]))
        assert not {"difference", "value"} & {*frame.columns, *said}
        text, page = repr(part), part._repr_html_()
        assert re.search(r"95 % intervals? ", text)
        assert "<table>" in page
        assert " at 0x" not in text + page + repr(said)
        for method in np.ravel(said["method"]):
            assert method in page  # its title is what is printed
        if not hasattr(part, "confidence_region"):
            assert name in set(frame["statistic"])
            assert name == said["statistic"]
        # rates say in words what is held: "sensitivity at a specificity"
        for words in name.lower().removesuffix(" difference").split("_at_"):
            assert words in text.lower()
            assert escape(words) in page.lower()
        if isinstance(getattr(part, "estimate", None), float):
            assert f"{part.estimate:.4g}" in text
            assert f"{part:.3f}" == f"{part.estimate:.3f}"
            assert round(part, 2) == round(part.estimate, 2)
            assert float(part) == part.estimate


def test_two_metrics_are_not_printed_alike():
    """Nor two classes, points, losses or averages."""
    y, scores = GIVEN.y_true, GIVEN.scores[0]
    labels, risk = (scores > 0).astype(int), expit(scores)
    alike = [
        *(sk.bootstrap_metric(y, labels, metric) for metric in ("f1", "precision", "recall", "fpr")),
        *(sk.bootstrap_metric(y, labels, "f1", pos_label=label) for label in (0,)),
        *(sk.bootstrap_metric(y, labels, "f1", average=average) for average in ("macro", "micro", "weighted")),
        *(sk.bootstrap_metric(y, scores, "f1", thresholds=cut) for cut in (0.1, 0.2)),
        *(sk.bootstrap_metric(y, labels, "precision", prevalence=share) for share in (0.1, 0.2)),
        *(sk.bootstrap_loss(y, risk, loss) for loss in ("brier", "log_loss")),
        *(sk.bootstrap_roc_at_fpr(y, scores, fpr=rate) for rate in (0.1, 0.2)),
        *(sk.bootstrap_auc(y, scores, max_fpr=rate) for rate in (None, 0.1, 0.2)),
        sk.bootstrap_auc(y, scores, max_fpr=0.1, standardize=False),
        sk.bootstrap_mean(risk),
        sk.bootstrap_ratio(risk, 1 - risk),
    ]
    whats = [repr(result).partition("(")[2].partition(", estimate")[0] for result in alike]
    assert len(set(whats)) == len(whats), whats


@over(OF_GROUPS_TOO)
def test_results_refuse_levels_and_names(statistic):
    for part in parts(given_result(statistic)):
        for level in (0, 1, -0.2, 1.5, np.nan, np.inf, "high"):
            error, said = TypeError if level == "high" else ValueError, r"must be a number in \(0, 1\), got"
            with pytest.raises(error, match=f"confidence_level {said}"):
                part.confidence_interval(level)
        named = f"method must be one of {', '.join(map(repr, part.methods))}, got 'magic'"
        sides = "alternative must be one of 'two-sided', 'less', 'greater', got 'more'"
        for ask in (part.confidence_interval, *([part.pvalue] if hasattr(part, "equivalence") else [])):
            for options, message in (({"method": "magic"}, named), ({"alternative": "more"}, sides)):
                with pytest.raises(ValueError, match=message):
                    ask(**options)


# --- what a program does with it


TRAVELS = {"pickle": lambda result: pickle.loads(pickle.dumps(result)), "deepcopy": copy.deepcopy}


@in_turn([*STATISTICS, *BELONGING, *COMPARED], "travel", TRAVELS)
def test_results_travel_and_stay_read_only(statistic, travel):
    arrived = travel(given_result(statistic))
    assert_same_cases(statistic, arrived)
    for part in parts(arrived):
        for end in travel(part.confidence_interval(0.9)):
            assert isinstance(end, float) or not end.flags.writeable
    for array in numbers_held(arrived) if not isinstance(arrived, float | np.ndarray) else ():
        assert not array.flags.writeable


@over([*RESULTS, *BELONGING, *COMPARED][::6])
def test_a_hash_of_a_result_does_not_know_what_it_was_asked(statistic):
    """joblib.Memory keeps what is made of a result by this hash."""
    result = statistic.of_cases(GIVEN)
    before = joblib.hash(result)
    numbers(result, brief=True)
    repr(result)
    result.to_dict()
    assert joblib.hash(result) == before
    assert result == given_result(statistic)


def numbers_held(result):
    """The arrays among the attributes of a result and of its parts."""
    for part in (result, *(part for part in parts(result) if part is not result)):
        shown = (value for name, value in vars(part).items() if not name.startswith("_"))
        yield from (value for value in shown if isinstance(value, np.ndarray))


# numpy 1 counts open np.errstate without a lock: a thread that leaves one can end that of another, which then warns
IN_THREADS = "ignore::RuntimeWarning" if np.__version__ < "2" else "error"


@pytest.mark.filterwarnings(IN_THREADS)
def test_statistics_run_in_threads():
    tasks = RESULTS[::4] * 2

    def default_limits(statistic):
        return [part.confidence_interval() for part in parts(statistic.of_cases(GIVEN))]

    with ThreadPoolExecutor(4) as pool:
        for statistic, answer in zip(tasks, pool.map(default_limits, tasks), strict=True):
            assert_array_equal(answer, [part.confidence_interval() for part in parts(given_result(statistic))])


@on_samples(STATISTICS)
def test_numpy_may_raise_on_every_floating_point_error(statistic, sample):
    with np.errstate(all="raise"):
        found = numbers(statistic.of_cases(sample))
    assert not any(np.isnan(value).any() for value in found.values())


# --- what is given, and how


CONTAINERS = {
    "list": np.ndarray.tolist,
    "tuple": lambda column: tuple(column.tolist()),
    "pandas": lambda column: pd.Series(column, index=np.arange(len(column))[::-1] * 3),
    "pandas nullable": lambda column: pd.Series(column).convert_dtypes(),
    "polars": pl.Series,
    "every other entry": lambda column: np.repeat(column, 2)[::2],
    "a column vector": lambda column: column[:, None],
    "a column in Fortran's order": lambda column: np.asfortranarray(np.column_stack([column, column]))[:, :1],
    "a pandas frame": lambda column: pd.DataFrame({"column": column}),
    "a polars frame": lambda column: pl.DataFrame({"column": column}),
    "lists in a list": lambda column: column[:, None].tolist(),
    "unmasked": lambda column: np.ma.array(column, mask=False),
}


@in_turn(STATISTICS, "container", CONTAINERS)
def test_containers_are_alike(statistic, container):
    columns = map(container, statistic.judged(GIVEN))
    got = statistic(container(Y), *columns, sample_weight=container(WEIGHTED.sample_weight))
    assert_same(numbers(got, brief=True), of_weighted(statistic))


MISSING, ANY_WEIGHTS = (np.nan, np.inf, -np.inf, None), [s for s in STATISTICS if s.weights == "any"]


def changed(column, position, value):
    other = np.array(column, dtype=object if value is None else float)
    other[position] = value
    return other


REFUSING = [s for s in (*OF_SCORES, *BELONGING, *COMPARED) if s.of == "scores"]


def refused(statistic, labels, *scores):
    """Asked of labels or scores that are wrong."""
    members = {statistic.membership: belonging(GIVEN)} if statistic.membership else {}
    return statistic(labels, *scores, **members)


@pytest.mark.parametrize(
    ("labels", "error", "message"),
    [
        (np.ones(24, int), ValueError, "y_true must contain both classes, got only one: 1"),
        (np.arange(24) % 3, ValueError, r"y_true must be binary: multiclass .* got 3 classes \(0, 1, 2\)"),
        (Y + 10, ValueError, r"y_true takes value in \{10, 11\} and pos_label is not specified"),
        (changed(Y, 2, np.nan), ValueError, "y_true must not contain NaN"),
        (np.array(["a", 1] * 12, object), TypeError, "y_true must contain labels of one kind"),
        (np.eye(24)[:, :2], ValueError, r"y_true must be one-dimen.*\(24, 2\)|must have y_true's shape, \(24, 2\)"),
        ([[0], [1, 1]], ValueError, "y_true must not contain sequences of different lengths"),
        (pl.Series([[1]] * 24), TypeError, "y_true must contain a number or a label for each case, got ndarray values"),
        ([Decimal("NaN")] * 24, ValueError, "y_true must not contain NaN"),
        ([Decimal("sNaN"), 1] * 12, ValueError, "y_true must not contain NaN"),
        (np.ma.array(Y, mask=Y == 0), ValueError, "y_true must not have masked entries"),
        ([], ValueError, "y_true must contain at least one case, got an empty array"),
        (1, ValueError, "y_true must be one-dimensional, with one entry per case, got 1"),
    ],
)
def test_labels_that_are_refused(labels, error, message):
    for statistic in REFUSING:
        if not ("both classes" in message and one_class_may_do(statistic)):
            with about(statistic), pytest.raises(error, match=message):
                refused(statistic, labels, *GIVEN.scores)


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        *((changed(GIVEN.scores[0], 2, value), "must be finite, got .* at position 2") for value in MISSING),
        (np.column_stack([Y, Y]), r"must be one-dimensional.*\(24, 2\)"),
        (Y[:, None, None], r"must be one-dimensional.*\(24, 1, 1\)"),
        (["a"] * 24, "must contain real numbers"),
        (pd.array(["1", "0"] * 12, dtype="string"), "must contain real numbers, got .* values, which are labels"),
        (pl.Series([[1]] * 24), "must contain a number or a label for each case, got ndarray values"),
        (np.full(24, np.finfo(np.longdouble).max), "must be finite|must contain numbers that float64 can represent"),
        ([1j] * 24, "must contain real numbers"),
        ([[0], [1, 1]], "must not contain sequences of different lengths"),
        (np.ma.array(GIVEN.scores[0], mask=Y == 0), "must not have masked entries"),
        (np.array(["2026-01-01"] * 24, "datetime64[D]"), "must contain real numbers"),
        ([], "must contain at least one case, got an empty array"),
    ],
)
def test_scores_that_are_refused(scores, message):
    for statistic in REFUSING:
        for column, name in enumerate(statistic.columns):
            columns = list(GIVEN.scores)
            columns[column] = scores
            named = "y_score.* " if statistic in COMPARED else f"^{name} "
            with about(statistic), pytest.raises((TypeError, ValueError), match=f"{named}({message})"):
                refused(statistic, Y, *columns)


@pytest.mark.parametrize("statistic", DRAWN, ids=str)
def test_pictures_refuse_by_name(statistic):
    members = {statistic.membership: belonging(GIVEN)} if statistic.membership else {}
    for labels, scores, message in (
        (Y, changed(GIVEN.scores[0], 2, np.nan), r"must be finite, got nan at position \d"),
        (Y, ["a"] * 24, "must contain real numbers, got <U1 values"),
        (np.ones(24, int), GIVEN.scores[0], "must contain both classes|Got 1 classes instead"),
        (np.arange(24) % 3, GIVEN.scores[0], "must be binary|is not binary"),
    ):
        with pytest.raises((TypeError, ValueError), match=message):
            statistic(labels, np.array(scores), GIVEN.scores[1], **members)


def test_lengths_must_agree():
    for statistic in STATISTICS:
        said = f"y_true and {statistic.columns[0]}.* inconsistent numbers of samples"
        with about(statistic), pytest.raises(ValueError, match=said):
            statistic(Y, Y[:5], Y)
        with about(statistic), pytest.raises(ValueError, match="sample_weight must have the same length"):
            statistic(Y, Y, Y, sample_weight=[1, 1])


@pytest.mark.parametrize("label", [[1], np.array(1), {1}, pl.Series([1]), pd.Series([1]), pd.array(["1"])], ids=type)
def test_pos_label_is_one_label_that_occurs(label):
    one, valid = r"pos_label must be one label, one of \[0, 1\]", r"is not a valid label. It must be one of \[0, 1\]"
    for statistic in OF_SCORES:
        with about(statistic), pytest.raises(TypeError, match=f"{one}, got .* values"):
            statistic.of_cases(GIVEN, pos_label=label)
        with about(statistic), pytest.raises(ValueError, match=f"pos_label=7 {valid}"):
            statistic.of_cases(GIVEN, pos_label=7)


def taking(option):
    """Statistics with this option, asked as both groups and folds can be."""
    return [s for s in STATISTICS if option in inspect.signature(s.function).parameters and "sampling" not in s.options]


UNGROUPED = [
    (pl.Series([[1]] * 24), "{} must contain a number or a label for each case, got ndarray values"),
    ([Decimal("sNaN")] * 24, "{} must not contain NaN"),
    (changed(Y, 2, np.nan), "{} must not contain NaN"),
    (pd.array([None, *Y[1:]], dtype="Int64"), "{} must not contain NaN"),
    (np.ones(24), "{} must contain (at least two|from 2 to 1,000)"),
]


@pytest.mark.parametrize("option", ["groups", "folds"])
@pytest.mark.parametrize(("given", "message"), UNGROUPED)
def test_groups_and_folds_that_are_refused(given, message, option):
    for statistic in taking(option):
        with about(statistic), pytest.raises((TypeError, ValueError), match=message.format(option)):
            statistic.of_cases(GIVEN, **{option: given})


@over(taking("groups"), lambda s: s.name != "bootstrap_calibration")  # whose band is of cases that stand for themselves
def test_groups_of_all_sizes_are_looked_at_without_floating_point_errors(statistic):
    with np.errstate(all="raise"):
        found = numbers(statistic.of_cases(GIVEN, groups=[10**400, *[1] * 23]))
    assert not any(np.isnan(value).any() for value in found.values())


@over(OF_SCORES, lambda s: not one_class_may_do(s))
def test_rows_that_weigh_nothing_are_no_class(statistic):
    with pytest.raises(ValueError, match="y_true must contain both classes, got only one: 0"):
        statistic.of_cases(replace(GIVEN, sample_weight=1 - Y))


@pytest.mark.parametrize("weight", [0.5, -1.0])
def test_weights_are_whole_and_not_negative(weight):
    said = rf"sample_weight must contain frequencies, .*, got {weight} at position 0"
    for statistic in STATISTICS:
        if statistic.weights == "frequencies":
            with about(statistic), pytest.raises(ValueError, match=said):
                statistic.of_cases(replace(GIVEN, sample_weight=changed(np.ones(24), 0, weight)))


@in_turn(ANY_WEIGHTS * 2, "size", {str(size): size for size in (5e-324, 1e-300, 1e-160, 2.0**100, 1e200, 1.7e308)})
def test_only_the_ratios_of_weights_matter_to_losses(statistic, size):
    weighted = statistic.of_cases(replace(GIVEN, sample_weight=np.full(24, size)))
    assert weighted == pytest.approx(statistic.of_cases(GIVEN), rel=1e-15)


def test_losses_need_weights_that_are_not_negative_and_not_all_0():
    for statistic in ANY_WEIGHTS:
        with about(statistic), pytest.raises(ValueError, match=r"sample_weight must not be negative, got -1.0"):
            statistic.of_cases(replace(GIVEN, sample_weight=changed(np.ones(24), 0, -1)))
        with about(statistic), pytest.raises(ValueError, match="sample_weight must contain at least one positive"):
            statistic.of_cases(replace(GIVEN, sample_weight=np.zeros(24)))
