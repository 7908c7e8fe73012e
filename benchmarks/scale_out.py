"""Scored cases in Parquet files, counted by DuckDB, beside reading them into memory: time and peak memory.

    pip install ".[frames]" duckdb pyarrow
    python benchmarks/scale_out.py           # twenty million rows, two or three minutes
    python benchmarks/scale_out.py --write   # and writes benchmarks/results/scale_out.md

Each line is a process of its own, from opening the files to a 95 % interval for the AUC and for the cost at 101
operating conditions. Its peak memory is all of it, Python and the libraries included.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from _clock import machine

RESULTS = Path(__file__).parent / "results" / "scale_out.md"
ROWS, FILES = 20_000_000, 20
SECONDS, BYTES = 60, 2**31  # the goal, on two cores


def write_files(folder: Path) -> None:
    """Cases with probabilities of all digits, and rounded to four."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(0)
    for number in range(FILES):
        died = rng.random(ROWS // FILES) < 0.1
        risk = 1 / (1 + np.exp(2.5 - rng.normal(size=len(died)) - died))
        columns = {"died": died.astype(np.int8), "risk": risk, "risk_rounded": risk.round(4)}
        pq.write_table(pa.table(columns), folder / f"{number:02}.parquet")


def count(folder: Path, score: str, bins: int | None = None) -> dict[str, Any]:
    """The groups, from DuckDB."""
    import duckdb

    from skcostci import aggregate_scores

    cases = duckdb.read_parquet(f"{folder}/*.parquet")
    return dict(aggregate_scores(cases, y_true="died", y_score=score, bins=bins))


def read(folder: Path, score: str) -> dict[str, Any]:
    """All the rows."""
    import pyarrow.parquet as pq

    table = pq.read_table(folder, columns=["died", score])
    return {"y_true": table["died"].to_numpy(), "y_score": table[score].to_numpy()}


CASES: dict[str, Callable[[Path], dict[str, Any]]] = {
    "four digits, counted by DuckDB": lambda folder: count(folder, "risk_rounded"),
    "four digits, read into memory": lambda folder: read(folder, "risk_rounded"),
    "all digits, in 1,000 bins, counted by DuckDB": lambda folder: count(folder, "risk", 1000),
    "all digits, counted by DuckDB": lambda folder: count(folder, "risk"),
    "all digits, read into memory": lambda folder: read(folder, "risk"),
}


def run(name: str, folder: Path) -> None:
    """One line of the table."""
    from skcostci import bootstrap_auc, bootstrap_cost

    start = time.perf_counter()
    data = CASES[name](folder)
    counted = time.perf_counter() - start
    auc, cost = bootstrap_auc(**data), bootstrap_cost(**data)
    low, high = auc.confidence_interval()
    cost.confidence_interval()
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    met = "yes" if seconds < SECONDS and peak < BYTES else "no"
    figures = f"{float(auc):.6f} | {low:.6f} to {high:.6f} | {counted:.1f} | {seconds:.1f} | {peak / 2**30:.2f}"
    print(f"| {name} | {len(data['y_true']):,} | {figures} | {met} |")


def report(folder: Path) -> list[str]:
    """The table, as Markdown."""
    size = sum(file.stat().st_size for file in folder.iterdir())
    lines = [
        f"{ROWS:,} rows in {FILES} Parquet files of {size / 2**20:.0f} MiB in all, "
        f"{machine('duckdb', 'narwhals', 'pyarrow', 'numpy', 'scipy')}.",
        "",
        f"| scores | arrays of | AUC | 95 % interval | counting or reading, s | in all, s | peak memory, GiB | under "
        f"{SECONDS} s and {BYTES / 2**30:.0f} GiB |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for name in CASES:
        command = [sys.executable, __file__, "--run", name, str(folder)]
        lines.append(subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip())
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help=f"write {RESULTS.name} too")
    parser.add_argument("--run", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.run:
        run(arguments.run[0], Path(arguments.run[1]))
        return
    with tempfile.TemporaryDirectory() as folder:
        write_files(Path(folder))
        lines = report(Path(folder))
    print("\n".join(lines))
    if arguments.write:
        RESULTS.write_text("# Scale-out\n\n`python benchmarks/scale_out.py --write`\n\n" + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
