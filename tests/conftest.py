"""Tests repeat themselves unless HYPOTHESIS_PROFILE=search."""

import os

import pytest
from hypothesis import settings
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

collect_ignore = ["conftest.py"]  # has no doctests, and namesakes
settings.register_profile("fixed", derandomize=True, deadline=None)
settings.register_profile("search", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))


@pytest.fixture
def no_layout(request, monkeypatch):
    """Pictures leave things where they are, but in tests of a layout: to find room takes most of a picture's time."""
    if "layout" not in request.fixturenames:
        monkeypatch.setattr("matplotlib.axes.Axes.get_tightbbox", lambda *_, **__: None)


@pytest.fixture
def undrawn(monkeypatch):
    """Pictures that would be saved; to lay them out and draw their letters takes most of the time of a page."""
    found = []
    monkeypatch.setattr(Figure, "savefig", lambda self, file, **_: found.append(self) or file.write(b"picture"))
    monkeypatch.setattr(ConstrainedLayoutEngine, "execute", lambda *_: None)
    return found
