"""The population in which each default covers least, searched for by an optimizer, where coverage is an exact sum.

    python benchmarks/adversary.py                     # all statistics, some minutes; writes results/adversary.md
    python benchmarks/adversary.py --statistic cost    # one statistic (repeat for more), the others' rows kept
    python benchmarks/adversary.py --quick             # one problem of each statistic, a short search, nothing written

For class sizes from 5 to 300 every table of counts has its interval, so that the coverage in a population is a sum. The
search (coverage_study/search.py) is seeded; what it finds is an upper bound of the least coverage there is.
"""

from __future__ import annotations

import argparse
import warnings

from _clock import machine
from coverage_study import adversary, store

from skcostci import DegenerateLawWarning


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--statistic", action="append", choices=adversary.PROBLEMS, help="default: all")
    parser.add_argument("--quick", action="store_true", help="one problem of each statistic, nothing written")
    options = parser.parse_args()
    warnings.simplefilter("ignore", DegenerateLawWarning)
    statistics = options.statistic or list(adversary.PROBLEMS)
    if options.quick:
        first = [adversary.PROBLEMS[name][0] for name in statistics]
        rows = [row for make in store.progress(first) for row in adversary.rows(make(), starts=100, rounds=3)]
        print("\n".join(adversary.tables(rows)))
    else:
        for name in statistics:
            adversary.search(name)
        adversary.write(machine("numpy", "scipy", "scikit-learn", "skcostci"))


if __name__ == "__main__":
    main()
