"""The page on engines says what happens."""

import doctest
from pathlib import Path

import pytest


@pytest.mark.engines
def test_the_page_on_ten_million_cases():
    page = Path(__file__).parents[1] / "doc" / "scale_out.md"
    failed, tried = doctest.testfile(str(page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert tried > 30
    assert failed == 0
