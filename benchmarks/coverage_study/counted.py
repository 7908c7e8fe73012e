"""Costs, rates and cost matrices on grids of populations: every coverage is a sum over all tables of counts.

Error rates go down to .002 and up to 1 less that; pairs of models disagree seldom or often, nested (only one of them
errs where they differ), evenly, or both ways, so that the difference is 0 though each class has one. Beside the grids
there are the papers' binormal populations at their best thresholds.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import Any

import numpy as np

from coverage_study import problems
from coverage_study.designs import CONDITIONS, Design, difference, size, spread
from coverage_study.judging import EXACT, LEVELS, Cell, Row, row
from coverage_study.sums import Population, Problem

RATES = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.85)
DISCORDANCES = (0.002, 0.01, 0.03, 0.1, 0.3)
WEIGHTS = (0.05, 0.2, 0.5, 0.8)
FEW_TABLES = 300  # of more, the methods that take a whole law a table are left out
WHOLE_LAWS = {"percentile", "smoothed"}
TRIED = {(5, 5), (10, 10), (10, 40), (20, 200), (25, 25), (100, 100)}  # class sizes that constants were chosen at
Populations = tuple[list[str], Population]


def rows(makes: Sequence[Callable[[], Problem]], populations: Callable[[Problem], Populations]) -> Iterator[Row]:
    """Of every method, over the populations of all these problems."""
    every = [(make(), populations(make())) for make in makes]
    points = [_point(problem, name, len(makes)) for problem, (names, _) in every for name in names]
    truth = np.concatenate([problem.truth(some) for problem, (_, some) in every])
    for method in asked(every[0][0]):
        parts = [problem.measured(some, method, LEVELS) for problem, (_, some) in every]
        for level, measured in zip(LEVELS, np.concatenate(parts).swapaxes(0, 1), strict=True):
            yield row(method, level, measured, points, np.round(truth, 12))


def _point(problem: Problem, name: str, problems: int) -> str:
    return name if problems == 1 else f"{problem.variant}, {name}"


def asked(problem: Problem) -> list[str]:
    """The methods that can be had in the time there is, the default first."""
    few = np.prod(problem.shape) <= FEW_TABLES
    return [name for name in problem.methods if few or name == problem.methods[0] or name not in WHOLE_LAWS]


# --- Costs of one model -----------------------------------------------------------------------------------------------


def cost_cells() -> Iterator[Cell]:
    tried = [(5, 5), (10, 10), (25, 25), (20, 200), (100, 100)]
    fresh = [(9, 9), (12, 45), (27, 27), (200, 10), (300, 300)]
    for sizes in (*tried, *fresh):
        makes = [partial(_cost, *sizes, w) for w in WEIGHTS]
        yield _cell("cost", "PC(+)", "stratified", "error rates .002 to .85", sizes, makes, error_rates)
    for design in (*spread(10)[:4], *spread(), *size(100), Design(10, 200, 1.5), Design(200, 10, 3.0)):
        measure = partial(_binormal_rows, design)
        yield Cell("cost", "PC(+)", "stratified", design.label, *design.sizes, design.sizes in TRIED, EXACT, measure)
    for fixed, n in itertools.product(("w", "costs", "costs, max"), (8, 12, 20, 40)):
        makes = [partial(_full_cost, n, w, fixed) for w in (0.1, 0.5)]
        name = "error rates .002 to .85, positives .1 to .5"
        yield _cell("cost", f"fixed {fixed}", "full", name, (n // 2, n - n // 2), makes, full_error_rates, n <= 12)


def _cell(
    statistic: str,
    variant: str,
    sampling: str,
    design: str,
    sizes: tuple[int, int],
    makes: Sequence[Callable[[], Problem]],
    populations: Callable[[Problem], Populations],
    fresh: bool | None = None,
) -> Cell:
    untried = sizes not in TRIED if fresh is None else fresh
    return Cell(statistic, variant, sampling, design, *sizes, untried, EXACT, lambda runs: rows(makes, populations))


_cost, _full_cost = cache(problems.cost), cache(problems.full_cost)
_cost_difference = cache(problems.cost_difference)


def _shares(*columns: Sequence[float]) -> np.ndarray:
    """Cells in these shares, and one more for the rest."""
    some = np.column_stack(columns)
    return np.column_stack([some, np.maximum(1 - some.sum(axis=1), 0.0)])


def error_rates(problem: Problem) -> Populations:
    missed, alarm = np.array(list(itertools.product(RATES, RATES))).T
    names = [f"missed {p:g}, alarm {q:g}" for p, q in zip(missed, alarm, strict=True)]
    return names, (_shares(missed), _shares(alarm))


def full_error_rates(problem: Problem) -> Populations:
    prevalence, missed, alarm = np.array(list(itertools.product((0.1, 0.3, 0.5), RATES, RATES))).T
    names = [f"positives {s:g}, missed {p:g}, alarm {q:g}" for s, p, q in zip(prevalence, missed, alarm, strict=True)]
    positive, negative = prevalence[:, None] * _shares(missed), (1 - prevalence[:, None]) * _shares(alarm)
    return names, (np.hstack([positive, negative]),)


def _binormal_rows(design: Design, runs: int) -> Iterator[Row]:
    """At the best threshold of each condition, where that is finite."""
    best = {w: design.optimal_threshold(w) for w in CONDITIONS.tolist()}
    finite = [w for w in best if np.isfinite(best[w])]

    def at_best(problem: Problem) -> Populations:
        hit, alarm = design.rates(best[float(problem.variant.removeprefix("w="))])
        return ["best threshold"], (_shares([1 - hit]), _shares([alarm]))

    return rows([partial(_cost, *design.sizes, w) for w in finite], at_best)


# --- Differences of costs ---------------------------------------------------------------------------------------------


def cost_difference_cells() -> Iterator[Cell]:
    for sizes in ((10, 10), (12, 35), (40, 8), (25, 25), (4, 4), (6, 6), (11, 11), (8, 60), (35, 35), (120, 30)):
        makes = [partial(_cost_difference, *sizes, w) for w in (0.1, 0.5, 0.7)]
        fresh = sizes in {(4, 4), (6, 6), (11, 11), (8, 60), (35, 35), (120, 30)}
        yield _cell("cost_difference", "PC(+)", "stratified", "disagreements", sizes, makes, disagreements, fresh)
    for fixed, n in itertools.product(("w", "costs"), (5, 12)):
        makes = [partial(_full_cost, n, w, fixed, paired=True) for w in (0.1, 0.5)]
        halves = n // 2, n - n // 2
        yield _cell(
            "cost_difference", f"fixed {fixed}", "full", "disagreements", halves, makes, full_disagreements, n == 5
        )
    for design in difference(25, 25, (0.0, 2.0)):
        measure = partial(_binormal_pair_rows, design)
        yield Cell("cost_difference", "PC(+)", "stratified", design.label, 25, 25, False, EXACT, measure)


def full_disagreements(problem: Problem) -> Populations:
    """The same in classes of equal or unequal shares."""
    names, (positive, negative) = disagreements(problem)
    shares = np.repeat([0.2, 0.5], len(names))[:, None]
    parts = shares * np.tile(positive, (2, 1)), (1 - shares) * np.tile(negative, (2, 1))
    return [f"positives {s}: {name}" for s in ("0.2", "0.5") for name in names], (np.hstack(parts),)


def disagreements(problem: Problem) -> Populations:
    """Each class nested, even or agreeing, crossed; and both nested so that the difference is 0."""
    w = float(problem.variant.rpartition("w=")[2])
    kinds = [("agree", 0.0, 0.0)]
    for d in DISCORDANCES:
        kinds += [(f"a {d:g}", d, 0.0), (f"b {d:g}", 0.0, d), (f"even {d:g}", d / 2, d / 2)]
    pairs = list(itertools.product(kinds, kinds))
    pairs += [
        (kind, (f"a {p * w / (1 - w):.3g}", p * w / (1 - w), 0.0))
        for kind in kinds
        if kind[0].startswith("a ") and (p := kind[1]) * w < 1 - w
    ]
    names = [f"positives {p[0]}, negatives {q[0]}" for p, q in pairs]
    positive, negative = ([kind[1:] for kind in part] for part in zip(*pairs, strict=True))
    return names, (_shares(*np.array(positive).T), _shares(*np.array(negative).T))


def _binormal_pair_rows(design: Design, runs: int) -> Iterator[Row]:
    def at_best(problem: Problem) -> Populations:
        w = float(problem.variant.removeprefix("w="))
        shares = design.shares([design.optimal_threshold(w, model) for model in (0, 1)])
        positive, negative = (np.array([[cells[1], cells[2], cells[0] + cells[3]]]) for cells in shares)
        return ["best thresholds"], (positive, negative)

    return rows([partial(_cost_difference, *design.sizes, w) for w in (0.3, 0.5, 0.7)], at_best)


# --- Rates at thresholds ----------------------------------------------------------------------------------------------


def rate_cells() -> Iterator[Cell]:
    for n in (5, 10, 25, 100, 1000, 9, 37, 64, 300):
        make = cache(partial(problems.rate, n))
        fresh = n in (9, 37, 64, 300)
        yield _cell("roc_at_threshold", "rate", "stratified", "rates .002 to .85", (n, 0), [make], rates, fresh)


def rate_difference_cells() -> Iterator[Cell]:
    for n in (10, 25, 100, 7, 12, 40, 250):
        make = cache(partial(problems.rate_difference, n))
        yield _cell(
            "roc_difference_at_threshold",
            "rate",
            "stratified",
            "disagreements",
            (n, 0),
            [make],
            one_class,
            n in (7, 12, 40, 250),
        )


def rates(problem: Problem) -> Populations:
    return [f"rate {rate:g}" for rate in RATES], (_shares(RATES),)


def one_class(problem: Problem) -> Populations:
    """Shares that only a and only b labels positive."""
    pairs = [pair for pair in itertools.product((0.0, *DISCORDANCES, 0.6, 0.95), repeat=2) if 0 < sum(pair) <= 1]
    return [f"only a {a:g}, only b {b:g}" for a, b in pairs], (_shares(*np.array(pairs).T),)


# --- Cost matrices ----------------------------------------------------------------------------------------------------

TABLES: tuple[tuple[int, tuple[float, ...], bool], ...] = (
    (20, (4, 1, 0), True),
    (50, (4, 1, 0), False),
    (50, (20, 1, 0), False),
    (250, (200, 1, 0), False),
    (25, (200, 20, 1, 0), True),
    (100, (1000, 3, 0), True),
)
PAIRED_TABLES: tuple[tuple[int, tuple[float, ...], bool], ...] = (
    (12, (4, -1, 0), True),
    (15, (4, -4, 1, -1, 0), True),
    (30, (4, -1, 1, 0), True),
    (50, (200, -200, 0), False),
    (60, (200, -1, 1, 0), True),
    (250, (20, -20, 0), False),
)


def expected_cost_cells() -> Iterator[Cell]:
    yield from _table_cells("expected_cost", TABLES, paired=False)


def expected_cost_difference_cells() -> Iterator[Cell]:
    yield from _table_cells("expected_cost_difference", PAIRED_TABLES, paired=True)


def _table_cells(statistic: str, tables: Sequence[Any], paired: bool) -> Iterator[Cell]:
    for n, values, fresh in tables:
        make = cache(partial(problems.expected_cost, n, values, paired))
        design = "costs " + " ".join(f"{value:g}" for value in values)
        sizes = n // 2, n - n // 2
        yield _cell(statistic, "table", "full", design, sizes, [make], _cell_shares, fresh)


def _cell_shares(problem: Problem) -> Populations:
    """Every cell but the last, the most frequent, in turn rare, or not there."""
    cells = len(problem.samples[0].cells) - 1
    some = [s for s in itertools.product((0.0, 0.002, 0.01, 0.05, 0.2, 0.6), repeat=cells) if 0 < sum(s) <= 1]
    names = [" ".join(f"{share:g}" for share in shares) for shares in some]
    return names, (_shares(*np.array(some).T),)


# --- Metrics of the confusion table -----------------------------------------------------------------------------------


def metric_cells() -> Iterator[Cell]:
    for name, n in (("f1", 9), ("precision", 9), ("kappa", 6)):
        make = cache(partial(problems.metric, n, name))
        halves = n // 2, n - n // 2
        yield _cell("metric", name, "full", "error rates, positives .1 to .5", halves, [make], _confusions, True)


def _confusions(problem: Problem) -> Populations:
    """Hits and misses, alarms and the rest."""
    names, (shares,) = full_error_rates(problem)
    return names, (shares[:, [1, 0, 2, 3]],)


# --- The AUC of scores on a few values --------------------------------------------------------------------------------


def auc_cells() -> Iterator[Cell]:
    for sizes, values, fresh in (((5, 5), 3, True), ((10, 10), 2, False), ((20, 80), 2, False), ((30, 30), 2, True)):
        make = cache(partial(problems.auc, *sizes, values))
        yield _cell("auc", "area", "stratified", f"{values} values", sizes, [make], _valued, fresh)


def auc_difference_cells() -> Iterator[Cell]:
    for sizes in ((4, 4), (3, 7)):
        make = cache(partial(problems.auc_difference, *sizes))
        yield _cell("auc_difference", "area", "stratified", "2 values", sizes, [make], _labels, True)


def _labels(problem: Problem) -> Populations:
    """Both models say yes to some, and disagree on others, of either class; equal models among them."""
    some = [s for s in itertools.product((0.0, 0.3, 0.7), (0.0, 0.05, 0.3), (0.0, 0.05, 0.3)) if sum(s) <= 1]
    grid = _shares(*np.array(some).T)
    i, j = np.divmod(np.arange(len(grid) ** 2), len(grid))
    names = [f"positives {_text(p)}, negatives {_text(q)}" for p, q in zip(grid[i], grid[j], strict=True)]
    return names, (grid[i], grid[j])


def _valued(problem: Problem) -> Populations:
    """Positives and negatives on the values in all shares of a grid, positives not lower than negatives."""
    values = len(problem.samples[0].cells)
    some = [s for s in itertools.product((0.0, 0.02, 0.1, 0.4, 0.9), repeat=values - 1) if sum(s) <= 1]
    grid = _shares(*np.array(some).T)
    i, j = np.divmod(np.arange(len(grid) ** 2), len(grid))
    names = [f"positives {_text(p)}, negatives {_text(q)}" for p, q in zip(grid[i], grid[j], strict=True)]
    return names, (grid[i], grid[j])


def _text(shares: np.ndarray) -> str:
    return " ".join(f"{share:.3g}" for share in shares)
