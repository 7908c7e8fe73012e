"""The root-finder of the intervals: many functions at once, flat, stepped and infinite ones among them."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from skcostci.intervals._roots import last_inside, level_reached


def test_many_roots_at_once_in_few_steps():
    roots, calls = np.array([0.1, 1.0, 2.7, 4.999]), []

    def function(x):
        calls.append(x)
        return roots**3 - x**3

    assert_allclose(last_inside(function, np.zeros(4), 5.0), roots, rtol=1e-14)
    assert len(calls) < 30  # bisection alone takes 52


@pytest.mark.parametrize("start", [-3.0, 3.0])
def test_the_last_point_before_a_step_is_on_the_side_of_the_start(start):
    def inside(x):
        return np.where(np.sign(start) * x >= 0.3, 1.0, -1e-9)

    found = last_inside(inside, np.array([start]), -start)
    assert inside(found) >= 0
    assert_allclose(found, np.sign(start) * 0.3, atol=4e-15)


def test_a_function_that_is_0_for_a_while_is_followed_to_the_end_of_it():
    found = last_inside(lambda x: np.where(x < 1, 1 - x, np.where(x < 2, 0.0, 2 - x)), np.array([0.0]), 5.0)
    assert_allclose(found, 2.0, rtol=1e-14)
    assert_allclose(last_inside(lambda x: np.minimum(1 - x, 0.0), np.array([0.5]), 5.0), 1.0, rtol=1e-14)


def test_ends_are_the_answer_where_there_is_no_root():
    height = np.array([1.0, -1.0])
    assert last_inside(lambda x: height + 0 * x, np.array([2.0, 2.0]), 7.0).tolist() == [7.0, 2.0]
    assert last_inside(lambda x: -np.abs(x), np.array([0.0]), 7.0).tolist() == [0.0]


def test_infinite_values_are_no_obstacle():
    def inside(x):
        return np.where(x < 0.25, np.inf, np.where(x > 0.75, -np.inf, 0.6 - x))

    assert_allclose(last_inside(inside, np.array([0.0]), 1.0), 0.6, rtol=1e-14)


def test_a_function_without_any_order_is_given_up(monkeypatch):
    monkeypatch.setattr("skcostci.intervals._roots.MOST_STEPS", 3)
    with pytest.raises(RuntimeError, match="no root was found in 3 steps"):
        last_inside(lambda x: 0.3 - x, np.array([0.0]), 1.0, 1e-300)


def test_levels_of_limits_that_never_or_always_leave_out_a_value():
    limits = np.array([-1.0, 1.0, 0.0])
    assert level_reached(lambda alpha: limits + 0 * alpha, 0.0, -1).tolist() == [1.0, 0.0, 1.0]
    assert level_reached(lambda alpha: limits + 0 * alpha, 0.0, 1).tolist() == [0.0, 1.0, 1.0]
