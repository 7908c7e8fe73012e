"""Concordance of censored times: pair by pair, by resampling, as the AUC, and coverage."""

from functools import partial

import numpy as np
import oracles
import pytest
from budget import assert_standard_errors
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from strategies import per_cent
from test_horizon import OTHER, RISK, drawn, in_one

import skcostci as sk

EVENT, TIME = [1, 1, 0, 1, 0, 1, 1, 1], [5, 3, 8, 1, 6, 2, 7, 4]


def test_reference_values():
    """C/P, standard error and interval of an independent program; the estimate is scikit-survival's and R's."""
    found = sk.bootstrap_concordance(EVENT, TIME, RISK)
    assert_allclose([found.estimate, found.standard_error], [20.5 / 26, 0.118882830], rtol=1e-8)
    assert_allclose(found.confidence_interval(), (0.247124, 0.981449), atol=1e-6)
    assert (found.n_pairs, found.n_events) == (26, 6)
    assert (type(found.n_pairs), type(found.n_events)) == (float, float)


CASE = st.tuples(st.integers(0, 1), st.integers(0, 5), st.integers(0, 4), st.integers(0, 4), st.integers(1, 3))


@given(st.lists(CASE, min_size=2, max_size=20))
@per_cent(40)
def test_estimates_are_those_of_all_pairs(cases):
    event, time, a, b, weights = np.array(cases).T
    rows = np.repeat(np.arange(len(event)), weights)
    won, pairs = oracles.concordance(event[rows], time[rows], a[rows])
    if not pairs:
        with pytest.raises(ValueError, match="must contain at least one pair to compare"):
            sk.bootstrap_concordance(event, time, a, sample_weight=weights)
        return
    found = sk.bootstrap_concordance(event, time, a, sample_weight=weights)
    assert_allclose([found.estimate, found.n_pairs], [won / pairs, pairs], rtol=1e-12)
    other, _ = oracles.concordance(event[rows], time[rows], b[rows])
    difference = sk.bootstrap_concordance_difference(event, time, a, b, sample_weight=weights)
    assert_allclose(difference.estimate, (won - other) / pairs, atol=1e-12)


def test_standard_errors_are_those_of_heavier_cases_and_groups():
    event, time, a, b, _ = drawn(60, np.random.default_rng(0), censoring=1.0)
    groups = np.arange(60) // 3

    def gains(risk):
        """What the concordance gains where a case counts for a thousandth more."""
        ask = partial(sk.bootstrap_concordance, event, time, risk)
        heavier = [ask(sample_weight=1000 + one).estimate for one in np.eye(60, dtype=int)]
        return 1000 * (np.array(heavier) - ask().estimate)

    of_a, of_b = gains(a), gains(b)
    by_group = sk.bootstrap_concordance(event, time, a, groups=groups)
    assert by_group.methods[0] == "extrapolated"
    for found, moved in (
        (sk.bootstrap_concordance(event, time, a), of_a),
        (sk.bootstrap_concordance_difference(event, time, a, b), of_a - of_b),
        (by_group, of_a.reshape(20, 3).sum(axis=1)),
    ):
        assert_standard_errors(found.standard_error, np.sqrt(moved @ moved))


def test_events_and_times_in_one_array_are_scikit_survivals():
    y = in_one(EVENT, TIME)
    assert sk.bootstrap_concordance(y, RISK) == sk.bootstrap_concordance(EVENT, TIME, RISK)
    two = sk.bootstrap_concordance_difference(y, RISK, OTHER)
    assert two == sk.bootstrap_concordance_difference(EVENT, TIME, RISK, OTHER)
    with pytest.raises(TypeError, match="time is already a field of event"):
        sk.bootstrap_concordance(y, TIME, RISK)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"event": [0] * 8}, "must contain at least one pair to compare"),
        ({"event": [2, *EVENT[1:]]}, "got 2 at position 0. Competing events need a horizon"),
        ({"time": [np.nan, *TIME[1:]]}, "time must be finite"),
        ({"risk": [np.inf, *RISK[1:]]}, "risk must be finite"),
        ({"risk": RISK[:-1]}, "must have the same length"),
    ],
)
def test_what_does_not_fit_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        sk.bootstrap_concordance(**{"event": EVENT, "time": TIME, "risk": RISK, **change})
    with pytest.raises(TypeError, match="risk is missing"):
        sk.bootstrap_concordance(EVENT, TIME)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "effect", "censoring", "noise"), [(100, 0.0, 1.0, 0.5), (200, 0.5, 5.0, 0.5), (60, 3.0, 0.5, 0.1)]
)
def test_concordance_is_covered(n, effect, censoring, noise):
    options = {"effect": effect, "censoring": censoring, "noise": noise}
    asked = (lambda event, time, a, b: sk.bootstrap_concordance(event, time, a)), sk.bootstrap_concordance_difference
    truth = [ask(*drawn(100_000, np.random.default_rng(0), **options)[:4]).estimate for ask in asked]
    covered = np.zeros(2)
    for seed in range(150):
        cases = drawn(n, np.random.default_rng(seed + 1), **options)[:4]
        intervals = [ask(*cases).confidence_interval() for ask in asked]
        covered += [low <= value <= high for value, (low, high) in zip(truth, intervals, strict=True)]
    assert (covered / 150 >= 0.92).all(), covered / 150
