"""The command line."""

import subprocess
import sys

import pytest

import skcostci
from skcostci.__main__ import main


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


def test_version_and_usage(capsys):
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    assert capsys.readouterr().out.strip() == skcostci.__version__
    with pytest.raises(SystemExit, match="2"):
        main([])
    assert "the following arguments are required: command" in capsys.readouterr().err
