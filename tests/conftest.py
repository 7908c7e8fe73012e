"""Tests draw without a screen, leave no figure open, and repeat themselves unless HYPOTHESIS_PROFILE=search."""

import os

import matplotlib as mpl
import pytest
from hypothesis import settings

mpl.use("Agg")
collect_ignore = ["conftest.py"]  # has no doctests, and a namesake in doc/
settings.register_profile("fixed", derandomize=True, deadline=None)
settings.register_profile("search", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))


@pytest.fixture(autouse=True)
def close_figures():
    yield
    from matplotlib import pyplot as plt

    plt.close("all")
