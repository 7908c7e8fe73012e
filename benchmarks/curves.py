"""How much of an unseen case limits of average precision and of the partial AUC need: populations made to break them.

    python benchmarks/curves.py            # ten minutes; writes results/curves.md
    python benchmarks/curves.py --runs 20  # fewer samples a population, nothing written

Populations are mixtures of normal scores: ordinary ones, near separation, c negatives expected above all positives, c
positives below all negatives; of two models, nested ones of which one lifts such negatives. ``OF_CURVES`` in
skcostci/intervals/_unseen.py was chosen among ``UNSEEN`` by half of them ("chosen on"). The others ("judged on") were
run at all three values too, so they can tell whether the choice carries over, but whoever reads the table has seen
both. The populations of _curves_judged.py were written when the constant stood, and are run with it alone.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

import numpy as np
from _clock import machine
from _curves_judged import judged_elsewhere
from numpy.typing import NDArray
from scipy.stats import norm

import skcostci as sk
from skcostci.intervals import _unseen

Floats = NDArray[np.float64]
Mixture = tuple[tuple[float, float, float], ...]  # share, centre, spread
UNSEEN = (0.5, 0.7, 0.92)
LEVELS = (0.9, 0.95, 0.99)
SIZES = ((25, 120), (80, 400))
MAX_FPR = 0.1
RUNS_ELSEWHERE = 120
RESULT = Path(__file__).parent / "results" / "curves.md"


def top(count: float, centre: float, spread: float = 1.0) -> Callable[[int, int], tuple[Mixture, Mixture]]:
    """So many negatives expected above all positives."""
    return lambda m, n: (
        ((1.0, centre, spread),),
        ((1 - count / n, 0.0, 1.0), (count / n, centre + 8 * spread, 0.1)),
    )


def lost(count: float, centre: float) -> Callable[[int, int], tuple[Mixture, Mixture]]:
    """So many positives expected below all negatives."""
    return lambda m, n: (((1 - count / m, centre, 1.0), (count / m, -9.0, 0.1)), ((1.0, 0.0, 1.0),))


CHOSEN_ON = {
    "d = 1": top(0.0, 1.0),
    "d = 5": top(0.0, 5.0),
    "d = 2, 1 negative on top": top(1.0, 2.0),
    "d = 4, 2 negatives on top": top(2.0, 4.0),
    "d = 2, 1 positive lost": lost(1.0, 2.0),
}
JUDGED_ON = {
    "d = 1.5, spread 2": top(0.0, 1.5, 2.0),
    "d = 3.5": top(0.0, 3.5),
    "d = 3, 0.6 negatives on top": top(0.6, 3.0),
    "d = 2.5, 3 negatives on top": top(3.0, 2.5),
    "d = 4, 1.5 positives lost": lost(1.5, 4.0),
}


def drawn(rng: np.random.Generator, mixture: Mixture, size: int) -> Floats:
    shares, centres, spreads = np.array(mixture).T
    part = rng.choice(len(shares), size, p=shares)
    return np.asarray(rng.normal(centres[part], spreads[part]))


@lru_cache
def truths(positives: Mixture, negatives: Mixture, prevalence: float) -> tuple[float, float]:
    """Average precision and the standardized partial AUC of the population."""
    points = [
        (centre + spread * norm.ppf((np.arange(20_000) + 0.5) / 20_000), share) for share, centre, spread in positives
    ]
    scores = np.concatenate([each for each, _ in points])
    weights = np.concatenate([np.full(len(each), share / len(each)) for each, share in points])
    order = np.argsort(-scores)
    scores, weights = scores[order], weights[order]
    above = np.cumsum(weights) - weights / 2
    alarms = sum(share * norm.sf(scores, centre, spread) for share, centre, spread in negatives)
    precision = prevalence * above / (prevalence * above + (1 - prevalence) * alarms)
    area = float(weights @ np.clip(MAX_FPR - alarms, 0, None))
    least = MAX_FPR**2 / 2
    return float(weights @ precision), 0.5 * (1 + (area - least) / (MAX_FPR - least))


Asked = tuple[str, float, sk.results.BootstrapResult]


def of_one(population: Callable[..., tuple[Mixture, Mixture]], m: int, n: int, rng: np.random.Generator) -> list[Asked]:
    positives, negatives = population(m, n)
    y = np.repeat([1, 0], [m, n])
    score = np.concatenate([drawn(rng, positives, m), drawn(rng, negatives, n)])
    precision, area = truths(positives, negatives, m / (m + n))
    return [
        ("average precision", precision, sk.bootstrap_average_precision(y, score)),
        ("partial AUC", area, sk.bootstrap_auc(y, score, max_fpr=MAX_FPR)),
    ]


def of_two(population: Callable[..., tuple[Mixture, Mixture]], m: int, n: int, rng: np.random.Generator) -> list[Asked]:
    """The other model is the same with some noise, and without the cases that the first one throws away."""
    (positives, negatives), y = population(m, n), np.repeat([1, 0], [m, n])
    good, bad = positives[0][1:], negatives[0][1:]
    kinds = [rng.random(size) < mixture[0][0] for size, mixture in ((m, positives), (n, negatives))]
    parts, others = [], []
    for usual, plain, mixture in zip(kinds, (good, bad), (positives, negatives), strict=True):
        base = rng.normal(*plain, len(usual))
        odd = rng.normal(*mixture[-1][1:], len(usual))
        parts.append(np.where(usual, base, odd))
        others.append(base + rng.normal(0, 0.3, len(usual)))
    spread = [np.hypot(plain[1], 0.3) for plain in (good, bad)]
    plain_mixtures = [((1.0, plain[0], float(wide)),) for plain, wide in zip((good, bad), spread, strict=True)]
    of_a, of_b = (truths(*each, m / (m + n)) for each in ((positives, negatives), plain_mixtures))
    a, b = np.concatenate(parts), np.concatenate(others)
    return [
        ("average precision, difference", of_a[0] - of_b[0], sk.bootstrap_average_precision_difference(y, a, b)),
        ("partial AUC, difference", of_a[1] - of_b[1], sk.bootstrap_auc_difference(y, a, b, max_fpr=MAX_FPR)),
    ]


def judged(runs: int) -> Iterator[tuple[tuple[str, str, tuple[int, int], float], str, list[bool], float]]:
    """Of each sample: which intervals held the truth, and how wide that at .95 was beside a Gaussian one."""
    for kind, populations in (("chosen on", CHOSEN_ON), ("judged on", JUDGED_ON)):
        for name, population in populations.items():
            for size in SIZES:
                for run in range(runs):
                    rng = np.random.default_rng([run, *size, *name.encode()])
                    for statistic, truth, result in (*of_one(population, *size, rng), *of_two(population, *size, rng)):
                        gauss = 2 * 1.96 * result.standard_error
                        for unseen in UNSEEN:
                            _unseen.OF_CURVES = unseen
                            limits = [result.confidence_interval(level, method="unseen_case") for level in LEVELS]
                            held = [low - 1e-9 <= truth <= high + 1e-9 for low, high in limits]
                            wide = (limits[1].high - limits[1].low) / gauss if gauss > 0 else np.nan
                            yield (statistic, kind, size, unseen), name, held, wide


def table(runs: int) -> list[str]:
    """The worst population of each kind, and the median width in all."""
    held: dict[tuple[str, str, tuple[int, int], float], dict[str, list[list[bool]]]] = defaultdict(
        lambda: defaultdict(list)
    )
    widths = defaultdict(list)
    for key, name, covered, wide in judged(runs):
        held[key][name].append(covered)
        widths[key].append(wide)
    lines = [
        "| statistic | populations | positives + negatives | U | at .90 | at .95 | at .99 | worst at .95 | width |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for key in sorted(held):
        statistic, kind, (m, n), unseen = key
        shares = {name: np.mean(covered, axis=0) for name, covered in held[key].items()}
        least = np.min(list(shares.values()), axis=0)
        worst = min(shares, key=lambda name: shares[name][1])
        covered = " | ".join(f"{share:.3f}" for share in least)
        lines.append(
            f"| {statistic} | {kind} | {m} + {n} | {unseen} | {covered} | {worst} | {np.nanmedian(widths[key]):.2f} |"
        )
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, help="samples a population; nothing is written")
    options = parser.parse_args()
    runs = options.runs or 150
    lines = table(runs)
    if options.runs:
        print("\n".join(lines))
        return
    words = (
        f"# Limits of average precision and the partial AUC (max_fpr={MAX_FPR})\n\n"
        f"The least share of {runs} samples whose interval held the truth, over five populations of each kind, and the "
        "median width beside a Gaussian interval. U is how much of a case may not have been seen.\n"
    )
    elsewhere = (
        "## Populations written when the constant stood\n\n"
        f"The share of {RUNS_ELSEWHERE} samples whose interval at .95, by an unseen case or group, held the truth "
        "(s.e. .02 at .95), and "
        "its median width. Nothing was chosen on these; groups hold one to five cases, a quarter of them positive.\n"
    )
    made = machine("numpy", "scipy", "skcostci")
    RESULT.write_text("\n".join([words, *lines, "", elsewhere, *judged_elsewhere(RUNS_ELSEWHERE), "", made, ""]))


if __name__ == "__main__":
    main()
