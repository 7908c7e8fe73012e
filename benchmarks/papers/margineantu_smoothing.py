"""How much the smoothing constant of BCost matters: the table of doc/cost_matrices.md and Margineantu's Figure 2.

python benchmarks/papers/margineantu_smoothing.py --quick      about a minute and a half
python benchmarks/papers/margineantu_smoothing.py
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from margineantu_dietterich import (
    MODELS,
    POPULATION,
    RESULTS,
    bcost_covers,
    confusion_of_tree,
    cost_matrix,
    draw,
    population,
)

import skcostci as sk

CONSTANTS = (0.0, 0.05, 0.1, 0.25, 0.5, 1.0, 3.0)


def expensive_example():
    """A thousand cases of three classes; taking "rare" for "common" would cost 559,125 and never happened."""
    labels = ["common", "other", "rare"]
    costs = [[0, 10, 5], [20, 0, 5], [559125, 100, 0]]
    counts = np.array([[640, 30, 0], [25, 290, 5], [0, 2, 8]])
    truth, guess = np.divmod(np.arange(9), 3)
    lines = ["| smoothing | mean | standard error | 95 % interval |", "|---|---|---|---|"]
    for constant in CONSTANTS:
        result = sk.bootstrap_expected_cost(
            np.array(labels)[truth], np.array(labels)[guess], costs, smoothing=constant, sample_weight=counts.ravel()
        )
        low, high = result.confidence_interval()
        lines.append(f"| {constant} | {result.mean:.4g} | {result.standard_error:.4g} | {low:.4g} to {high:.4g} |")
    return "\n".join([f"Estimate: {float(result):.4g} a case.", "", *lines])


def coverage(options, generator):
    """The share of test sets whose interval holds the truth, by cost model and constant."""
    training, test = population(generator, 1000), population(generator, 200_000 if options.quick else POPULATION)
    matrices, test_sets = (2, 12) if options.quick else (10, 100)
    held = np.zeros((len(MODELS), len(CONSTANTS)))
    for row, model in enumerate(MODELS.values()):
        for _ in range(matrices):
            costs = cost_matrix(model, generator)
            confusion = confusion_of_tree(costs, training, test)
            true_cost = (confusion * costs).sum()
            sets = [draw(confusion, generator) for _ in range(test_sets)]
            held[row] += [sum(bcost_covers(counts, costs, true_cost, c) for counts in sets) for c in CONSTANTS]
    return held / (matrices * test_sets), matrices * test_sets


def draw_figure(held, path):
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, ax = plt.subplots(figsize=(6.5, 4.2), layout="constrained")
    for name, shares in zip(MODELS, held, strict=True):
        ax.plot(CONSTANTS, shares, marker="o", ms=3, label=name)
    ax.axhline(0.95, color="black", lw=1, ls=":")
    ax.set(xlabel="smoothing", ylabel="share of 95 % intervals that hold the true cost", ylim=(0, 1.02))
    ax.legend(ncols=3, fontsize="small")
    figure.savefig(path, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true")
    options, start = parser.parse_args(), time.perf_counter()
    held, trials = coverage(options, np.random.default_rng(2000))
    lines = [
        "# The smoothing constant of BCost",
        "",
        "A cell that costs 559,125 and was never observed, among 1,000 cases:",
        "",
        expensive_example(),
        "",
        f"Coverage of 95 % intervals by cost model, {trials} test sets each ({time.perf_counter() - start:.0f} s; "
        "the domain of margineantu_dietterich.py), as in the paper's Figure 2:",
        "",
        "| model | " + " | ".join(map(str, CONSTANTS)) + " |",
        "|---" * (len(CONSTANTS) + 1) + "|",
        *(
            f"| {name} | " + " | ".join(f"{s:.2f}" for s in shares) + " |"
            for name, shares in zip(MODELS, held, strict=True)
        ),
    ]
    (RESULTS / "margineantu_smoothing.md").write_text("\n".join(lines) + "\n")
    draw_figure(held, RESULTS / "margineantu_smoothing.png")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
