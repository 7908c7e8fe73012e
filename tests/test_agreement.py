"""What other software said to ``benchmarks/agreement.py`` is what this package says, or is not, on purpose."""

import json
import sys
from importlib import import_module
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "benchmarks"
if not FOLDER.is_dir():
    pytest.skip("the benchmarks are not part of a source distribution", allow_module_level=True)
sys.path.insert(0, str(FOLDER))

agreement = import_module("agreement")
ASKED = json.loads(agreement.ANSWERS.read_text(encoding="utf-8"))["asked"]


@pytest.fixture(scope="module")
def names():
    return agreement.ours()


@pytest.mark.parametrize("question", ASKED, ids=lambda each: f"{each['software']}: {each['what']}")
def test_answers_are_those_of_other_software(question, names):
    answer = agreement.numbers(eval(question["ours"], names))
    assert answer == pytest.approx(question["we say"], rel=1e-6), "python benchmarks/agreement.py --ours"
    gap = agreement.largest_gap(question["they say"], answer)
    assert gap > 1e-5 if "why" in question else gap <= question.get("within", agreement.ROUNDING)


def test_the_file_answers_the_questions_that_are_asked():
    keys = ("what", "software", "theirs", "ours", "within", "why")
    written = [{key: question[key] for key in keys if key in question} for question in ASKED]
    assert written == agreement.questions(), "python benchmarks/agreement.py"
