"""Counted cases, passed with two stars, answer as their rows do: in every function, with weights and groups."""

import inspect
import warnings
from functools import partial

import numpy as np
import pandas as pd
import pytest
from statistics_list import BELONGING, DRAWN, STATISTICS, Cases, about, numbers

import skcostci as sk

RNG = np.random.default_rng(7)
N = 48
Y = RNG.integers(0, 2, N)
SCORES = tuple(np.clip((RNG.normal(size=N) + Y - 0.5).round(), -2, 2) * 0.5 for _ in range(2))
GROUPS = RNG.integers(0, 12, N)
WEIGHTS = RNG.lognormal(0, 0.8, N)
ROWS = Cases(Y, SCORES)
EVERY = [each for each in [*STATISTICS, *BELONGING, *DRAWN] if each.membership != "folds"]
EVERY = list({(entry.name, entry.membership): entry for entry in EVERY}.values())


def both(entry, **options):
    """The answer from the rows and from counted cases."""
    columns = entry.judged(ROWS)[: entry.models]
    given = options | ({"groups": GROUPS} if entry.membership else {})
    counted = sk.AggregatedScores.from_arrays(Y, *columns, **given)
    if set(options) <= {"sample_weight"}:
        assert len(counted.y_true) < N
    return entry(Y, *columns, **given), entry.function(**counted, **entry.options, **entry.thresholds)


def agree(rows, counted, extrapolated=1e-9):
    """All numbers; where weights are known by their sums of squares, an extrapolated case only nearly."""
    if isinstance(rows, sk.results.CalibrationResult):
        rows, counted = rows.in_the_large, counted.in_the_large
    ours, theirs = numbers(counted, brief=True), numbers(rows, brief=True)
    assert ours.keys() == theirs.keys()
    for name, value in theirs.items():
        nearly = extrapolated if "extrapolated" in name else 1e-9
        np.testing.assert_allclose(ours[name], value, rtol=nearly, atol=1e-9, err_msg=name)


def test_every_function_takes_counted_cases_by_its_own_names():
    for entry in EVERY:
        with about(entry):
            agree(*both(entry))


def test_with_importance_weights_the_answers_are_those_of_the_rows():
    """Sums of weights are not enough: those of their squares tell how many cases there are."""
    weighted, refused = {"sample_weight": WEIGHTS, "weight_type": "importance"}, []
    for entry in EVERY:
        if entry.name.endswith("Display") or "weight_type" not in inspect.signature(entry.function).parameters:
            continue
        with about(entry):
            try:
                rows, counted = both(entry, **weighted)
            except ValueError as error:
                refused.append(str(error))
                continue
            agree(rows, counted, extrapolated=0.003)
            assert getattr(counted, "effective_cases", None) == pytest.approx(getattr(rows, "effective_cases", None))
    assert len(refused) < len(EVERY) / 3
    assert all("importance" in said for said in refused)


def test_several_models_are_compared_and_reported_by_the_names_of_their_columns():
    by_name = {"old": SCORES[0], "new": SCORES[1], "third": RNG.normal(size=N).round()}
    frame, names = pd.DataFrame({"y": Y, **by_name, "site": GROUPS}), list(by_name)
    counted = sk.aggregate_scores(frame, y_true="y", y_score=names, groups="site")
    ours, theirs = sk.compare_models(**counted), sk.compare_models(Y, by_name, groups=GROUPS)
    assert list(ours.models) == names
    np.testing.assert_allclose(ours.differences.confidence_interval(), theirs.differences.confidence_interval())
    brief = {"metrics": ["recall"], "thresholds": 0.0}
    reports = sk.report(**counted, **brief), sk.report(Y, by_name, groups=GROUPS, **brief)
    said, expected = (str(report).splitlines()[:-1] for report in reports)  # without the call, the last line
    assert said == expected
    assert counted.keys() == ("y_true", "y_score_a", "y_score_b", "y_score_c", "sample_weight", "groups")
    with pytest.raises(TypeError, match=r"bootstrap_auc takes y_score, got 3 counted"):
        sk.bootstrap_auc(**counted)
    with pytest.raises(TypeError, match="bootstrap_mean takes no scores, got 3 counted"):
        sk.bootstrap_mean(**counted)


@pytest.mark.parametrize(
    ("kind", "weight_type"), [(pd.DataFrame, "importance"), (pytest.importorskip("polars").LazyFrame, "counts")]
)
def test_frames_are_counted_with_their_weights_and_groups(kind, weight_type):
    weights = WEIGHTS if weight_type == "importance" else np.arange(N) % 4
    weights = np.where(np.arange(N) % 10 == 0, 0, weights)
    site = np.array([f"site {number}" for number in GROUPS])
    frame, asked = kind({"y": Y, "s": SCORES[0], "w": weights, "site": site}), {"weight_type": weight_type}
    for groups in ({}, {"groups": "site"}):
        columns = {"y_true": "y", "y_score": "s", "sample_weight": "w", **groups}
        ours = sk.aggregate_scores(frame, **columns, **asked)
        given = {"sample_weight": weights} | ({"groups": site} if groups else {})
        agree(sk.bootstrap_auc(Y, SCORES[0], **given, **asked), sk.bootstrap_auc(**ours))
        halves = []
        for half in (slice(0, 30), slice(30, None)):
            rows = {name: each[half] for name, each in given.items()}
            halves.append(sk.AggregatedScores.from_arrays(Y[half], SCORES[0][half], **rows, **asked))
        agree(sk.bootstrap_auc(**ours), sk.bootstrap_auc(**sum(halves)))
        assert repr(ours) == repr(sum(halves))


def test_two_cases_and_their_sums():
    """By hand: weights 1 and 3, sum 4, squares 10; equal weights stay equal."""
    count = partial(sk.AggregatedScores.from_arrays, weight_type="importance")
    counted = count([0, 0, 1, 1, 1], [1, 1, 2, 2, 2], sample_weight=[1, 3, 2, 2, 2])
    assert repr(counted) == "AggregatedScores(5 cases in 2 groups, importance weights)"
    assert sorted(counted.sample_weight) == pytest.approx([1, 2, 2, 2, 3])
    assert set(counted["sample_weight"][2:]) == {2.0}
    one_heavy = count([0] * 5, [1] * 5, sample_weight=[1, 1, 1, 1, 1000])
    assert one_heavy.sample_weight.min() >= 0
    assert one_heavy.sample_weight.sum() == pytest.approx(1004)
    assert (one_heavy.sample_weight**2).sum() == pytest.approx(1e6 + 4)


@pytest.mark.parametrize(
    ("column", "options", "error", "message"),
    [
        ([1, -1, 1], {}, ValueError, "column 'w' must contain finite, non-negative whole numbers, got 1 "),
        ([1, 0.5, 1], {}, ValueError, r"got 1 others among 3 cases. For survey .* weight_type='importance'"),
        ([1, np.nan, 0.5], {"weight_type": "importance"}, ValueError, "finite, non-negative numbers, got 1 others"),
        ([0, 0, 0], {}, ValueError, "frame must contain at least one case"),
        (["a", "b", "c"], {}, TypeError, "sample_weight column 'w' must contain real numbers"),
        ([1, 1, 1], {"sample_weight": None, "weight_type": "importance"}, ValueError, "describes sample_weight"),
        ([1, 1, 1], {"weight_type": "survey"}, ValueError, "weight_type must be"),
        ([1, 1, 1], {"groups": "site"}, ValueError, "groups must name a column of the frame"),
        ([1, 1, None], {"sample_weight": None, "groups": "w"}, ValueError, "groups column 'w' must contain a label"),
    ],
)
def test_weights_and_groups_that_cannot_be_counted(column, options, error, message):
    frame = pd.DataFrame({"y": [0, 1, 1], "s": [1.0, 2.0, 2.0], "w": column})
    with pytest.raises(error, match=message):
        sk.aggregate_scores(frame, **{"y_true": "y", "y_score": "s", "sample_weight": "w", **options})


def test_sums_of_importance_weights_are_warned_of():
    """Only rows that look counted: many scores in both classes, none twice in one."""
    score, label = np.tile(np.arange(25.0), 2), np.repeat([0, 1], 25)
    weights = RNG.lognormal(3, 1, 50)
    for function, name in ((sk.bootstrap_auc, "y_score"), (sk.bootstrap_calibration, "y_proba")):
        with pytest.warns(UserWarning, match=r"25 scores are in both classes. Count the cases with aggregate_scores"):
            function(label, **{name: score / 25}, sample_weight=weights, weight_type="importance")
    again = np.append(label, 0), np.append(score, 3), np.append(weights, 1.0)
    for truth, scores, given in ((label, np.arange(50.0), weights), (label, score, np.ones(50)), again):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            sk.bootstrap_auc(truth, scores, sample_weight=given, weight_type="importance")
