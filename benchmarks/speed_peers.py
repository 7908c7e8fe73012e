"""Speed, memory and accuracy beside what people use today, for a thousand to a million cases, in one process.

    python benchmarks/speed_peers.py            # 7 minutes; writes results/speed_peers.csv, .md and .png
    python benchmarks/speed_peers.py --quick    # a thousand and ten thousand cases, printed only, a minute

Packages that are not installed keep their rows of an earlier run, which then say so: python -m pip install
confidenceinterval MLstatkit statsmodels, and R with pROC on the path. Resamplers are charged for 2,000 resamples; those
that need longer than five seconds are stopped and extrapolated. A resampler's interval ends are random: their error is
given at 2,000 resamples and for the resamples that fit into the time of the exact answer, because speed at unequal
accuracy means nothing.
"""

from __future__ import annotations

import argparse
import csv
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import astuple, fields
from itertools import groupby
from operator import attrgetter
from pathlib import Path

import matplotlib.pyplot as plt
from _clock import growth, machine
from _peers import FLOOR, QUESTIONS, Timing, timings
from _resampling import RESAMPLES

RESULTS = Path(__file__).parent / "results"
SIZES = (1_000, 10_000, 100_000, 1_000_000)
COLUMNS = ("growth", "peak memory / the inputs", "error of an end, 2,000 resamples", "at equal time")
EARLIER = ", earlier run"
KINDS = {"n": int, "seconds": float, "bytes": float, "resamples": int, "end_error": float}
STYLES = {"skcostci": ("black", "-", "o"), FLOOR: ("0.7", "-", "")}
OTHERS = [("0.25", "--", "s"), ("0.45", ":", "^"), ("0.35", "-.", "D"), ("0.55", (0, (5, 1)), "v"), ("0.6", ":", "x")]


def tables(rows: list[Timing]) -> Iterable[str]:
    """One Markdown table a question, ours first."""
    for question, group in groupby(rows, attrgetter("question")):
        tools = {tool: sorted(mine, key=attrgetter("n")) for tool, mine in _by_tool(group).items()}
        sizes = [row.n for row in tools["skcostci"]]
        yield f"\n### {question[0].upper()}{question[1:]}\n"
        heads = [f"{n:,} cases" for n in sizes]
        yield _cells("", *heads, *COLUMNS)
        yield _cells(*["---"] * (1 + len(heads) + len(COLUMNS)))
        for tool, mine in tools.items():
            yield _line(tool, mine, tools["skcostci"])


def _by_tool(rows: Iterable[Timing]) -> dict[str, list[Timing]]:
    found: dict[str, list[Timing]] = {}
    for row in rows:
        found.setdefault(row.tool, []).append(row)
    return found


def _line(tool: str, mine: list[Timing], exact: list[Timing]) -> str:
    """One tool: seconds for ours, multiples of them for others."""
    seconds = {row.n: row.seconds for row in exact}
    shown = [f"{row.seconds:.2g} s" if mine is exact else f"{row.seconds / seconds[row.n]:.3g} times" for row in mine]
    tail = [row for row in mine if row.n >= 10_000]
    power = f"n^{growth([row.n for row in tail], [row.seconds for row in tail]):.2f}" if len(tail) > 1 else ""
    last = mine[-1]
    columns = 3 if "two" in last.question or "difference" in last.question else 2
    return (
        "| "
        + " | ".join([tool, *shown, power, f"{last.bytes / (8 * columns * last.n):.1f}", *_errors(mine, exact)])
        + " |"
    )


def _cells(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _errors(mine: list[Timing], exact: list[Timing]) -> tuple[str, str]:
    """The Monte Carlo error at the largest size, at 2,000 resamples and at the time of the exact answer."""
    last, ours = mine[-1], exact[-1]
    if not last.resamples:
        return "none", "none"
    affordable = int(RESAMPLES * ours.seconds / last.seconds)
    if last.end_error != last.end_error:
        return "unknown", f"{affordable} resamples"
    if affordable < 40:  # the 2.5 % quantile is then the least of them
        return f"{last.end_error:.3f}", f"no interval: {affordable} resamples"
    return f"{last.end_error:.3f}", f"{last.end_error * (RESAMPLES / affordable) ** 0.5:.3f}"


def earlier(rows: list[Timing]) -> Iterator[Timing]:
    """The rows of the last run for tools that this one has not found."""
    found = {row.tool for row in rows}
    with RESULTS.joinpath("speed_peers.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            tool = row["tool"].removesuffix(EARLIER)
            if tool not in found:
                numbers = (kind(row[name]) for name, kind in KINDS.items())
                yield Timing(row["question"], tool + EARLIER, *numbers)


def draw(rows: list[Timing], file: Path) -> None:
    """Time against size, one panel a question."""
    groups = [(question, list(group)) for question, group in groupby(rows, attrgetter("question"))]
    figure, axes = plt.subplots(2, 4, figsize=(11, 6), sharex=True, sharey=True, layout="constrained")
    for ax, (question, group) in zip(axes.flat, groups, strict=False):
        for position, (tool, mine) in enumerate(_by_tool(group).items()):
            color, line, marker = STYLES.get(tool, OTHERS[(position - 1) % len(OTHERS)])
            n, seconds = [row.n for row in mine], [row.seconds for row in mine]
            ax.loglog(n, seconds, color=color, linestyle=line, marker=marker, markersize=4, label=tool)
        ax.set_title(question, fontsize=9)
        ax.grid(color="0.9")
        ax.legend(fontsize=6.5, loc="upper left")
        ax.set_ylim(1e-5, 1e8)  # room for the longest legend
    for ax in axes.flat[len(groups) :]:
        ax.remove()
    figure.supxlabel("cases")
    figure.supylabel("seconds, the interval included (resampling: 2,000 resamples)")
    figure.savefig(file, dpi=110)


def r_version() -> str:
    """The versions of R and pROC, if they are there."""
    command = ["Rscript", str(Path(__file__).with_name("peers.R"))]
    try:
        return ", " + subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="two sizes, printed only")
    quick = parser.parse_args().quick
    rows = [row for n in SIZES[: 2 if quick else None] for row in timings(n)]
    rows = sorted([*rows, *([] if quick else earlier(rows))], key=_order)
    packages = ("numpy", "scipy", "scikit-learn", "confidenceinterval", "MLstatkit", "statsmodels")
    text = "\n".join([f"{machine(*packages)}{r_version()}.", *tables(rows)])
    print(text)
    if not quick:
        RESULTS.joinpath("speed_peers.md").write_text(HEADING + text + "\n")
        with RESULTS.joinpath("speed_peers.csv").open("w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow([field.name for field in fields(Timing)])
            writer.writerows([[f"{v:.6g}" if isinstance(v, float) else v for v in astuple(row)] for row in rows])
        draw(rows, RESULTS / "speed_peers.png")


HEADING = """# Speed beside other tools

`python benchmarks/speed_peers.py`

Seconds of the process for ours, multiples of ours for the others; below 1 the other is faster. Errors are those of the
lower end of a 95 % interval in standard errors of the statistic, at the largest size; "none" is exact or a formula.
DeLong's and Wilson's formulas are no bootstrap: they answer the same question by another approximation. The floor is a
sort of each class of each model and one pass: no answer that needs ranks can be had for less. Tools of an earlier run
were not installed in this one; their seconds are those of that run.

"""


def _order(row: Timing) -> tuple[int, bool, str, int]:
    return QUESTIONS.index(row.question), row.tool != "skcostci", row.tool, row.n


if __name__ == "__main__":
    main()
