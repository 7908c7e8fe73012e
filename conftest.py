"""Tests and examples draw without a screen and leave no figure open."""

import matplotlib as mpl
import pytest

mpl.use("Agg")


@pytest.fixture(autouse=True)
def close_figures():
    """Leave no figure open."""
    yield
    from matplotlib import pyplot as plt

    plt.close("all")
