"""The command line."""

import subprocess
import sys

import numpy as np
import pytest

import skcostci
from skcostci.__main__ import main
from skcostci._report import Model, report_lines


def test_demo_prints_a_report_and_draws_a_picture(tmp_path):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-W", "ignore::DeprecationWarning", "-m", "skcostci", "demo"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Area under the ROC curve (95 % interval)" in done.stdout
    assert "at PC(+) = 0.1" in done.stdout
    assert "Operating range" in done.stdout
    assert done.stderr == ""
    picture = (tmp_path / "skcostci-demo.png").read_bytes()
    assert picture.startswith(b"\x89PNG")
    width, height = (int.from_bytes(picture[start : start + 4], "big") for start in (16, 20))
    assert width > 1.8 * height


def test_the_report_says_what_the_results_say():
    rng = np.random.default_rng(0)
    y_true = rng.integers(0, 2, 400)
    good, bad = Model("good", rng.normal(size=400) + 3 * y_true), Model("bad", rng.normal(size=400) + y_true)
    lines = report_lines(y_true, good, bad)
    auc = skcostci.bootstrap_auc(y_true, good.y_score)
    cost = skcostci.bootstrap_cost(y_true, bad.y_score, probability_cost=0.3)
    assert "  good  {:.3f} ({:.3f} to {:.3f})".format(float(auc), *auc.confidence_interval()) in lines
    bad_costs = next(line for line in lines[4:] if line.startswith("  bad"))
    assert "{:.3f} ({:.3f} to {:.3f})".format(float(cost), *cost.confidence_interval()) in bad_costs
    assert [line for line in lines if "nowhere" in line] == ["  bad   nowhere"]


def test_version_and_usage(capsys):
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    assert capsys.readouterr().out.strip() == skcostci.__version__
    with pytest.raises(SystemExit, match="2"):
        main([])
    assert "the following arguments are required: command" in capsys.readouterr().err
