"""Hypothesis strategies for small samples with ties."""

from hypothesis import strategies as st


@st.composite
def samples(draw, columns=1, max_cases=12, weights=False):
    """Labels of both classes, score columns on a coarse grid so that ties are common, perhaps frequency weights."""
    size = draw(st.integers(2, max_cases))
    labels = [1, 0, *draw(st.lists(st.integers(0, 1), min_size=size - 2, max_size=size - 2))]
    grid = st.integers(-3, 3).map(lambda step: step / 2)
    scores = [draw(st.lists(grid, min_size=size, max_size=size)) for _ in range(columns)]
    if not weights:
        return labels, *scores
    rest = draw(st.lists(st.integers(0, 3), min_size=size - 2, max_size=size - 2))
    return labels, *scores, [1, 1, *rest]
