"""Tests repeat themselves unless HYPOTHESIS_PROFILE=search."""

import os

from hypothesis import settings

collect_ignore = ["conftest.py"]  # has no doctests, and namesakes
settings.register_profile("fixed", derandomize=True, deadline=None)
settings.register_profile("search", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))
