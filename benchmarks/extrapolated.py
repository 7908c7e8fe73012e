"""One more unit as extreme as those seen suggest: coverage, width and power beside Student's t and Korn-Graubard.

    python benchmarks/extrapolated.py           # writes results/extrapolated.md
    python benchmarks/extrapolated.py --quick   # twenty samples a row, printed

Nothing was chosen on these populations. The truth is the statistic of a million cases that share no group.
"""

from __future__ import annotations

import re
import sys
import warnings
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from _clock import machine
from scipy.special import betaincinv, expit, ndtri, stdtrit
from scipy.stats import rankdata

import skcostci as sk

RESULT = Path(__file__).parent / "results" / "extrapolated.md"
RUNS, LARGE, SURE, FAR = 800, 1_000_000, 0.93, 2.8
METHODS = ("extrapolated", "unseen_group", "t", "Korn-Graubard")
Columns = tuple[np.ndarray, ...]
Random = np.random.Generator
Draw = Callable[..., Columns]  # the columns of cases, from the groups that they are in, a generator and numbers
Law = Callable[[Random, int], np.ndarray]
Found = tuple[float, np.ndarray]  # an estimate, and to first order what every case adds to it
SIZES: dict[str, Callable[[Random, int, int], np.ndarray]] = {
    "": lambda rng, k, size: np.full(k, size),
    "geometric": lambda rng, k, size: rng.geometric(1 / size, k),
    "one third": lambda rng, k, size: np.r_[np.full(k - 1, size), (k - 1) * size // 2],  # of all cases in one group
}


def share(groups: np.ndarray, rng: Random, p: float, icc: float, failing: float = 0.0) -> Columns:
    """Right answers, beta-binomial within groups; a fraction of the groups fails whole."""
    k, scale = groups[-1] + 1, (1 - icc) / icc
    of_group = rng.beta(p * scale, (1 - p) * scale, k) if p < 1 else np.ones(k)
    of_group *= rng.random(k) >= failing
    return ((rng.random(len(groups)) < of_group[groups]).astype(int),)


def latent(groups: np.ndarray, rng: Random, icc: float, alike: float = 0.5) -> np.ndarray:
    """Two models' normal variables, which share the part of a group and some of that of a case."""
    of_group, of_case = rng.normal(size=groups[-1] + 1), rng.normal(size=len(groups))
    rest = np.sqrt(alike) * of_case + np.sqrt(1 - alike) * rng.normal(size=(2, len(groups)))
    return np.sqrt(icc) * of_group[groups] + np.sqrt(1 - icc) * rest


def passes(groups: np.ndarray, rng: Random, a: float, b: float, icc: float, failing: float = 0.0) -> Columns:
    """Right answers of two models; b alone fails whole in a fraction of the groups."""
    (first, second), sound = latent(groups, rng, icc), rng.random(groups[-1] + 1) >= failing
    return (first < ndtri(a)).astype(int), ((second < ndtri(b)) & sound[groups]).astype(int)


def scored(groups: np.ndarray, rng: Random, shift: float, drop: float = 0.3) -> Columns:
    """Labels, beta-binomial within groups, and two models' scores; groups lie apart by exponential steps."""
    y = (rng.random(len(groups)) < rng.beta(1.6, 2.4, groups[-1] + 1)[groups]).astype(int)
    a, b = np.sqrt(0.2) * rng.exponential(size=groups[-1] + 1)[groups] + latent(groups, rng, 0.0) + shift * y
    return y, a, b - drop * y


def risks(groups: np.ndarray, rng: Random, odds: float, dull: float) -> Columns:
    """Labels, and two models' probabilities: nearly the right ones, and another signal's that are nearer the mean."""
    signal, other = 1.3 * latent(groups, rng, 0.3, 0.8)
    y = (rng.random(len(groups)) < expit(np.log(odds) + signal)).astype(int)
    return y, expit(np.log(odds) + 0.9 * signal), expit(np.log(odds) + dull * other)


def values(groups: np.ndarray, rng: Random, law: Law, models: int = 1, spread: float = 0.0) -> Columns:
    """Values of a law, or two models' that differ by it; times, or plus, what a group has in common."""
    x, k = law(rng, len(groups)), groups[-1] + 1
    if models == 1:
        return (x * (rng.gamma(1 / spread, spread, k)[groups] if spread else 1),)
    other = 3 * rng.normal(size=len(groups))
    return other + x + spread * rng.laplace(size=k)[groups], other


def ratings(groups: np.ndarray, rng: Random) -> Columns:
    """Two models' grades from 1 to 5; the second differs by one, either way, in a third of the middle ones."""
    first = rng.choice([1, 2, 3, 4, 5], len(groups), p=[0.05, 0.1, 0.2, 0.3, 0.35])
    moved = (first > 1) & (first < 5) & (rng.random(len(groups)) < 1 / 3)
    return first, first + moved * rng.choice([-1, 1], len(groups))


def mean(first: np.ndarray, *second: np.ndarray) -> Found:
    x = first - second[0] if second else first
    return float(x.mean()), (x - x.mean()) / len(x)


def brier(y: np.ndarray, a: np.ndarray, b: np.ndarray) -> Found:
    return mean((y - a) ** 2, (y - b) ** 2)


def ask_brier(*columns: np.ndarray, **how: Any) -> Any:
    return sk.bootstrap_loss_difference(*columns, "brier", **how)


def auc(y: np.ndarray, scores: np.ndarray) -> Found:
    within, sizes = np.empty(len(y)), np.bincount(y, minlength=2)
    for label in (0, 1):
        within[y == label] = rankdata(scores[y == label])
    below = rankdata(scores) - within
    placed = np.where(y == 1, below, sizes[1] - below) / sizes[1 - y]
    return float(placed[y == 1].mean()), (placed - placed[y == 1].mean()) / sizes[y]


def cost(y: np.ndarray, scores: np.ndarray) -> Found:
    """At a probability cost of .3 and a threshold of 1."""
    wrong, parts, sizes = (scores >= 1) != y, np.array([0.7, 0.3]), np.bincount(y)
    rates = np.array([wrong[y == label].mean() for label in (0, 1)])
    return float(parts @ rates), parts[y] * (wrong - rates[y]) / sizes[y]


def less(of: Callable[..., Found]) -> Callable[..., Found]:
    """The first model's less the second's."""
    return lambda y, a, b: (of(y, a)[0] - of(y, b)[0], of(y, a)[1] - of(y, b)[1])


def first(of: Callable[..., Any], **given: Any) -> Callable[..., Any]:
    """Of the first model alone."""
    return lambda y, a, b, **how: of(y, a, **given, **how)


class Population(NamedTuple):
    """A row: how cases are drawn, and in which groups."""

    name: str
    draw: Draw
    sizes: Callable[[Random], np.ndarray]
    grouped: bool


class Question(NamedTuple):
    """A table: a statistic, by hand and as the package is asked for it, and its populations."""

    title: str
    of: Callable[..., Found]
    ask: Callable[..., Any]
    rows: list[Population]
    in_unit: bool = False  # between 0 and 1, so that Korn and Graubard's limits can be asked


def several(name: str, draw: Draw, designs: str) -> list[Population]:
    """From designs such as "0.8 0.1 15x10 geometric": the numbers of ``draw``, groups, their size and their sizes."""
    found = []
    for design in designs.split(";"):
        made, k, size, kind = re.fullmatch(r"(.*?)(\d+)x(\d+) ?(.*)", design.strip()).groups()  # type: ignore[union-attr]
        title = name.format(*made.split()) + (f", {k} groups of {size} {kind}".rstrip() if size != "1" else f", n {k}")
        numbers, sizes = [float(each) for each in made.split()], partial(SIZES[kind], k=int(k), size=int(size))
        found.append(Population(title, lambda *on, numbers=numbers: draw(*on, *numbers), sizes, size != "1"))
    return found


def of_laws(models: int, names: str, designs: str, spread: float = 0.0) -> list[Population]:
    found = []
    for name in names.split(", "):
        found += several(name, partial(values, law=LAWS[name], models=models, spread=spread), designs)
    return found


LAWS: dict[str, Law] = {
    "gamma": lambda rng, n: rng.gamma(2, size=n),
    "t5": lambda rng, n: rng.standard_t(5, n),
    "uniform": lambda rng, n: rng.random(n) - 0.5,
    "0.1 differ": lambda rng, n: (rng.random(n) < 0.1) * rng.normal(size=n),
    "0.05 differ": lambda rng, n: (rng.random(n) < 0.05) * rng.normal(size=n),
}
AT: dict[str, Any] = {"probability_cost": 0.3, "thresholds": 1.0}


QUESTIONS = [
    Question("Shares", mean, sk.bootstrap_mean, several("{}, ICC {}", share, """
        0.8 0.1 10x12; 0.93 0.15 15x8; 0.97 0.05 25x6; 0.8 0.3 30x5; 0.93 0.1 30x10; 0.97 0.1 30x12; 0.97 0.2 45x10;
        0.8 0.1 10x8 geometric; 0.93 0.2 25x8 geometric; 0.97 0.1 45x6 geometric;
        0.8 0.1 15x10 one third; 0.97 0.05 25x10 one third; 0.93 0.1 45x6 one third"""), True),
    Question("Shares where a fraction of groups fails whole", mean, sk.bootstrap_mean,
        several("{}, ICC {}, {} fail", share, """
        0.93 0.05 0.04 15x10; 0.97 0.05 0.04 25x10; 0.93 0.05 0.04 45x10; 1 0.05 0.04 45x10;
        0.93 0.05 0.08 15x10; 0.97 0.05 0.08 25x10; 0.93 0.05 0.08 45x10; 1 0.05 0.08 25x10"""), True),
    Question("Pass differences", mean, sk.bootstrap_mean_difference, several("{} less {}, ICC {}", passes, """
        0.8 0.8 0.2 10x12; 0.93 0.85 0.1 15x8; 0.97 0.93 0.1 25x10; 0.8 0.7 0.3 45x6; 0.8 0.8 0.1 10x8 geometric;
        0.93 0.88 0.2 25x8 geometric; 0.8 0.75 0.1 45x6 geometric; 0.8 0.7 0.1 15x10 one third;
        0.93 0.93 0.2 45x6 one third""")),
    Question("Pass differences where b fails whole in a fraction of groups", mean, sk.bootstrap_mean_difference,
        several("{} less {}, ICC {}, {} fail", passes, """0.93 0.93 0.1 0.04 15x10; 0.97 0.97 0.1 0.04 45x10;
        0.93 0.93 0.1 0.08 25x10; 0.97 0.93 0.1 0.08 45x10""")),
    Question("Brier differences", brier, ask_brier, several("odds {}, dull {}", risks, """
        1 0.5 10x12; 1 0.8 15x10; 0.1 0.5 25x8; 0.1 0.8 45x8; 0.5 0.7 15x8 geometric; 0.5 0.7 45x6 geometric;
        1 0.5 15x10 one third; 0.2 0.7 45x6 one third; 1 0.5 12x1; 1 0.8 40x1; 0.3 0.7 100x1""")),
    Question("AUC", first(auc), first(sk.bootstrap_auc), several("shift {}", scored, """
        1 10x12; 1.6 15x8; 2.5 25x8; 3.2 45x8; 2.5 15x10; 1.6 25x8 geometric; 1 15x10 one third; 1.6 45x6 one third
        """), True),
    Question("AUC differences", less(auc), sk.bootstrap_auc_difference, several("shifts {}, {} less", scored, """
        1 0 10x12; 1.6 0.3 15x8; 2.5 0.5 25x8; 1.6 0.3 45x6; 1.6 0.3 25x8 geometric; 1 0.3 15x10 one third;
        1.6 0 45x6 one third""")),
    Question("Costs at a threshold", first(cost), first(sk.bootstrap_cost, **AT), several("shift {}", scored, """
        1.6 15x10; 3.2 25x10; 1.6 45x6 geometric; 1.6 25x8 one third"""), True),
    Question("Cost differences", less(cost), partial(sk.bootstrap_cost_difference, **AT),
        several("shifts {}, {} less", scored, """1.6 0.3 15x10; 2.5 0.5 25x10; 1.6 0 45x6 geometric;
        1.6 0.3 25x8 one third""")),
    Question("Means without known ends", mean, sk.bootstrap_mean, [
        *of_laws(1, "gamma, t5, uniform", "4x1; 12x1; 40x1"),
        *of_laws(1, "gamma", "5x8; 10x6; 25x8 geometric; 45x6 one third", 0.2)]),
    Question("Mean differences without known ends", mean, sk.bootstrap_mean_difference, [
        *of_laws(2, "t5, uniform, gamma, 0.1 differ", "4x1; 12x1; 40x1"), *of_laws(2, "0.05 differ", "40x1; 100x1"),
        *several("ratings", ratings, "4x1; 12x1; 40x1"),
        *of_laws(2, "t5, uniform", "5x8; 10x6; 25x8 geometric; 45x6 one third", 0.5)]),
]  # fmt: skip


def beside(estimate: float, x: np.ndarray, cases: int, in_unit: bool) -> Iterator[tuple[float, float]]:
    """Student's t over groups and, of what lies between 0 and 1, Korn and Graubard's limits."""
    k = len(x)
    variance, reach = k / (k - 1) * float(x @ x), float(stdtrit(k - 1, 0.975))
    yield estimate - reach * variance**0.5, estimate + reach * variance**0.5
    if in_unit:
        told = estimate * (1 - estimate) / variance if variance > 0 else np.inf
        n = min(cases, told * (stdtrit(cases - 1, 0.975) / reach) ** 2)
        right, wrong = n * estimate, n * (1 - estimate)
        low = betaincinv(right, wrong + 1, 0.025) if right > 0 else 0.0
        yield float(low), float(betaincinv(right + 1, wrong, 0.975)) if wrong > 0 else 1.0


def sample(question: Question, population: Population, truth: float, seed: list[int]) -> tuple[Any, ...]:
    """The estimate, every method's limits and, where it is in closed form, the default's p-value of the truth."""
    rng, limits = np.random.default_rng(seed), np.full((len(METHODS), 2), np.nan)
    sizes = population.sizes(rng)
    groups = np.repeat(np.arange(len(sizes)), sizes)
    columns = population.draw(groups, rng)
    estimate, x = question.of(*columns)
    result = question.ask(*columns, **({"groups": groups} if population.grouped else {}))
    for place, method in enumerate(METHODS[:2]):
        if method in result.methods:
            limits[place] = result.confidence_interval(method=method)
    for place, each in enumerate(beside(estimate, np.bincount(groups, x), len(groups), question.in_unit)):
        limits[2 + place] = each
    return estimate, limits, result.pvalue(null=truth) if "without" in question.title else np.nan


def row(question: Question, population: Population, runs: int) -> list[str]:
    """What the table says of a population."""
    seed = zlib.crc32(f"{question.title}: {population.name}".encode())
    truth = question.of(*population.draw(np.arange(LARGE), np.random.default_rng(seed)))[0]
    drawn = zip(*(sample(question, population, truth, [seed, run]) for run in range(runs)), strict=True)
    estimates, limits, p = (np.array(each) for each in drawn)
    low, high = limits[..., 0], limits[..., 1]
    far = FAR * estimates.std()
    cover = np.where(np.isnan(low[0]), np.nan, ((low <= truth) & (truth <= high)).mean(axis=0))
    width = (high - low).mean(axis=0)
    best = min(width[2:][cover[2:] >= SURE], default=np.nan)
    below, above = (low > truth - far).mean(axis=0), (high < truth + far).mean(axis=0)
    power = [f"{a:.2f} / {b:.2f}" * bool(c == c) for a, b, c in zip(below, above, cover, strict=True)]
    ratios = number(width[0] / width[2]), number(width[0] / best), number(width[1] / width[2])
    rejected = number(np.where(np.isnan(p), np.nan, p < 0.05).mean())
    return [population.name, number(truth), *map(number, cover), *ratios, *power, rejected]


def number(value: float) -> str:
    return "" if np.isnan(value) else f"{value:.3f}"


TEXT = f"""# One more unit as extreme as those seen suggest

Written by `python benchmarks/extrapolated.py`: the default with groups, of differences in a known range and of what has
no known ends, "extrapolated", beside "unseen_group", Student's t over groups (without groups: over cases) and Korn and
Graubard's interval (1998), at 95 %, {RUNS} samples a row (s.e. .008 near .95). *Width / best* is over the narrower of
those of t and Korn-Graubard that cover {SURE:g}, empty where neither does. *Power*: how often a value {FAR:g} true
standard errors below / above the truth lies outside the interval. *p < .05*: how often the truth has such a p-value.
Groups are of one size, of geometric sizes, or one has a third of all cases. Where groups fail whole a sample may have
none that does: "unseen_group" allows for that, nothing else here.
"""


def main() -> None:
    runs = 20 if "--quick" in sys.argv else RUNS
    titles = ["population", "truth", *METHODS, "width / t", "width / best", "unseen_group / t"]
    titles += [*(f"power, {method}" for method in METHODS), "p < .05"]
    head = [f"| {' | '.join(titles)} |", "| --- " * len(titles) + "|"]
    lines = [TEXT]
    for question in QUESTIONS:
        rows = [f"| {' | '.join(row(question, each, runs))} |" for each in question.rows]
        lines += [f"## {question.title}", "", *head, *rows, ""]
    text = "\n".join([*lines, machine("numpy", "scipy", "skcostci"), ""])
    if runs == RUNS:
        RESULT.write_text(text)
    else:
        print(text)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
