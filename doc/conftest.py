"""Pytest runs the examples of the pages; what builds the site, and what the build leaves behind, are not pages."""

import matplotlib as mpl
import pytest

collect_ignore = ["conf.py", "conftest.py", "extensions"]
collect_ignore_glob = ["_build*", "auto_examples*", "examples*", "generated*", "_templates*"]

mpl.use("Agg")


@pytest.fixture(autouse=True)
def close_figures():
    """Leave no figure open."""
    yield
    from matplotlib import pyplot as plt

    plt.close("all")
