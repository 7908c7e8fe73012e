"""How often every documented interval covers the truth, and how wide it is, for every statistic.

    python benchmarks/coverage.py                      # what is missing in results/coverage/: minutes for everything
    python benchmarks/coverage.py --statistic cost     # one statistic (repeat for more)
    python benchmarks/coverage.py --statistic cost --fresh   # throw its results away and compute them again
    python benchmarks/coverage.py --quick              # one design of each kind, nothing written, under two minutes
    python benchmarks/coverage.py --tune smoothing     # why "smoothed" adds 1.5 pseudo-cases, 2 minutes
    python benchmarks/coverage.py --tune budget        # how little limits under a budget cover at bends, 5 minutes

Where the counts are the data (costs, rates at thresholds, cost matrices) coverage is an exact sum over all data sets;
else it is simulated, seeded, with a standard error. A run may be stopped at any time and goes on where
it was. It ends with the picture results/coverage.png and the table results/which_method.md, made from all results that
are there.
"""

from __future__ import annotations

import argparse
import warnings

from _clock import machine
from coverage_study import drawing, store, tuning, which_method
from coverage_study.registry import STATISTICS, cells, quick

from skcostci import DegenerateLawWarning


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--statistic", action="append", choices=STATISTICS, help="default: all")
    parser.add_argument("--quick", action="store_true", help="one design of each kind, nothing written")
    parser.add_argument("--fresh", action="store_true", help="compute again what is there")
    parser.add_argument("--tune", choices=tuning.TRIALS, help="what a constant was chosen from, nothing else")
    options = parser.parse_args()
    warnings.simplefilter("ignore", DegenerateLawWarning)
    statistics = options.statistic or list(STATISTICS)
    if options.tune:
        tuning.TRIALS[options.tune]()
    elif options.quick:
        rows = [row for cell, runs in store.progress(quick(cells(statistics))) for row in cell.rows(runs)]
        print("\n".join(which_method.table(rows)))
    else:
        complete(statistics, options.fresh)
        everything = store.read(STATISTICS)
        drawing.page(everything)
        which_method.write(everything, machine("numpy", "scipy", "scikit-learn", "skcostci"))


def complete(statistics: list[str], fresh: bool) -> None:
    """Compute the cells that are missing."""
    if fresh:
        for name in statistics:
            store.path(name).unlink(missing_ok=True)
    there = store.done(statistics)
    for cell in store.progress([cell for cell in cells(statistics) if cell.key not in there]):
        store.append(cell, cell.rows(cell.runs))
    for name in statistics:
        store.tidy(name, cells([name]))


if __name__ == "__main__":
    main()
