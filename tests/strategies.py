"""Hypothesis strategies for small samples with ties."""

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from statistics_list import Cases


def per_cent(n):
    """Settings of so many examples in each hundred of the profile's."""
    return settings(max_examples=settings().max_examples * n // 100)


@st.composite
def samples(draw, columns=1, max_cases=12, weights=False, min_cases=2):
    """Labels of both classes, score columns on a coarse grid so that ties are common, perhaps frequency weights."""
    size = draw(st.integers(min_cases, max_cases))
    labels = [1, 0, *draw(st.lists(st.integers(0, 1), min_size=size - 2, max_size=size - 2))]
    grid = st.integers(-3, 3).map(lambda step: step / 2)
    scores = [draw(st.lists(grid, min_size=size, max_size=size)) for _ in range(columns)]
    if not weights:
        return labels, *scores
    rest = draw(st.lists(st.integers(0, 3), min_size=size - 2, max_size=size - 2))
    return labels, *scores, [1, 1, *rest]


@st.composite
def cases(draw, weights=False):
    """Cases of both classes with two models' scores, few enough to tie, and perhaps frequencies."""
    y_true, a, b, *frequencies = map(np.array, draw(samples(columns=2, max_cases=14, weights=weights, min_cases=8)))
    return Cases(y_true, (a, b), *(frequency + 4 * (np.arange(len(y_true)) < 2) for frequency in frequencies))
