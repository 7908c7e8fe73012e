"""Tests and examples draw without a screen, leave no figure open and share the cores where several run at once."""

import os

import matplotlib as mpl
import pytest
from threadpoolctl import threadpool_limits

mpl.use("Agg")


@pytest.fixture(autouse=True, scope="session")
def share_cores():
    """Linear algebra on as many threads as a worker of several has cores: with more they wait for each other."""
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    with threadpool_limits(max((os.cpu_count() or 1) // workers, 1) if workers > 1 else None, user_api="blas"):
        yield


@pytest.fixture(autouse=True)
def close_figures():
    """Leave no figure open."""
    yield
    from matplotlib import pyplot as plt

    plt.close("all")
