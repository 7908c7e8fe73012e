"""A parameter renamed in one place fails: in mypy where options are handed on by name, of displays at import."""

import ast
import inspect
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import skcostci as sk

ROOT = Path(__file__).parents[1]
RENAMED = [  # a file, a function there, or a method by its class, and its parameter
    ("_validation/_rows.py", "Rows.given", "groups"),
    ("_validation/_tables.py", "check_label_tables", "pos_label"),
    ("statistics/_auc.py", "auc_of", "sampling"),
    ("statistics/_any_metric.py", "metric_of", "how"),
    ("displays/_roc.py", "roc_numbers", "confidence_level"),
    ("scorers.py", "interval_end", "bound"),
]


def rename(path: Path, function: str, parameter: str) -> None:
    """Call a parameter otherwise, where it is declared and in the body, whose own calls are left alone."""
    source = path.read_text(encoding="utf-8")
    found: ast.AST = ast.parse(source)
    for name in function.split("."):
        found = next(each for each in found.body if getattr(each, "name", "") == name)  # type: ignore[attr-defined]
    lines = source.encode().splitlines(keepends=True)
    named = [each for each in ast.walk(found) if parameter in (getattr(each, "arg", ""), getattr(each, "id", ""))]
    places = [(each.lineno - 1, each.col_offset) for each in named if isinstance(each, ast.arg | ast.Name)]
    assert len(places) > 1, (function, parameter)
    for line, column in sorted(places, reverse=True):
        lines[line] = lines[line][:column] + b"renamed_" + lines[line][column:]
    path.write_bytes(b"".join(lines))


@pytest.fixture(scope="module")
def complaints(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What mypy says of the package with all of the parameters renamed."""
    pytest.importorskip("mypy")
    place = tmp_path_factory.mktemp("renamed")
    shutil.copytree(ROOT / "skcostci", place / "skcostci")
    shutil.copy(ROOT / "pyproject.toml", place)
    if (ROOT / ".mypy_cache").exists():  # of the package as it is, without which it takes a minute
        shutil.copytree(ROOT / ".mypy_cache", place / ".mypy_cache")
    for file, function, parameter in RENAMED:
        rename(place / "skcostci" / file, function, parameter)
    run = [sys.executable, "-m", "mypy", "skcostci"]
    return subprocess.run(run, cwd=place, capture_output=True, text=True, timeout=600).stdout


@pytest.mark.slow
@pytest.mark.parametrize(("file", "function", "parameter"), RENAMED)
def test_a_renamed_parameter_fails_mypy(file: str, function: str, parameter: str, complaints: str) -> None:
    *_, name = function.split(".")
    assert re.search(rf'argument "{parameter}"[^\n]* for "{name}"', complaints), (file, complaints)


CURVE, ROC = sk.DecisionCurveDisplay, sk.ROCConfidenceDisplay
ONE_PLACE = [  # a display, a text that its file has once, what stands there instead, and what is said
    (CURVE, "    standardized: bool\n", "    scaled: bool\n", "nobody takes scaled"),
    (CURVE, "    standardized: bool = False,\n", "    scaled: bool = False,\n", "nobody takes stand"),
    (CURVE, "    standardized : bool\n", "    scaled : bool\n", "nobody describes standardized"),
    (CURVE, "    prevalence: float | None\n", "    prevalence: float\n", r"is taken as float \| None"),
    (ROC, '    scale: Scale = "linear",\n', '    size: Scale = "linear",\n', "nobody describes size of ROC"),
]


@pytest.mark.parametrize(("display", "there", "instead", "said"), ONE_PLACE, ids=lambda each: str(each)[:40].strip())
def test_an_option_that_changes_in_one_place_stops_the_import(
    display: type, there: str, instead: str, said: str
) -> None:
    source = Path(inspect.getfile(display)).read_text(encoding="utf-8")
    assert source.count(there) == 1
    with pytest.raises(TypeError, match=said):
        exec(source.replace(there, instead), {"__name__": display.__module__})
