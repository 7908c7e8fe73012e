"""Time and memory of comparing many models at once, beside the functions for two.

    python benchmarks/speed_models.py    # writes results/speed_models.md, under a minute

Twenty models on a hundred thousand cases: the comparison with its adjusted p-values is to take at most 1.3 times as
long as the 190 pairs one by one with theirs.
"""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
from _clock import clock, machine, peak_memory

from skcostci import bootstrap_auc_difference, compare_models

HEAD = """
| models | cases | together, s | pairs one by one, s | ratio | peak memory, inputs |
| --- | --- | --- | --- | --- | --- |
"""
PAGE = Path(__file__).parent / "results" / "speed_models.md"


def models(k: int, n: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Labels and the correlated scores of k models."""
    rng = np.random.default_rng(0)
    y_true = rng.integers(0, 2, n)
    common = rng.normal(size=n) + y_true
    return y_true, {f"m{i}": common + rng.normal(size=n) for i in range(k)}


def row(k: int, n: int) -> str:
    y_true, columns = models(k, n)
    together = clock(lambda: compare_models(y_true, columns).differences.pvalue())
    pairs = clock(
        lambda: [bootstrap_auc_difference(y_true, a, b).pvalue() for a, b in combinations(columns.values(), 2)]
    )
    inputs = y_true.nbytes + sum(column.nbytes for column in columns.values())
    memory = peak_memory(lambda: compare_models(y_true, columns)) / inputs
    return f"| {k} | {n:,} | {together:.2f} | {pairs:.2f} | {together / pairs:.2f} | {memory:.1f} |"


def main() -> None:
    rows = [row(5, 10_000), row(20, 10_000), row(20, 100_000)]
    made = f"`python benchmarks/speed_models.py` on {machine('numpy', 'scipy')}. AUC, all pairs, max-t."
    PAGE.write_text("# Many models at once\n\n" + made + "\n" + HEAD + "\n".join(rows) + "\n")
    print(PAGE.read_text())


if __name__ == "__main__":
    main()
