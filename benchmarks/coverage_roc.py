"""Coverage of the intervals of ROC curves at fixed thresholds and at fixed budgets, nominal 90 % and 95 %.

The designs of Dugas & Gadoury (2009): binormal scores at 21 total positive rates. At fixed thresholds the counts are
the data, so that every data set is summed over and nothing is simulated. Budgets are simulated, with a seed.
``python benchmarks/coverage_roc.py`` writes the tables to benchmarks/results/, in about five minutes.
"""

from __future__ import annotations

import csv
import functools
import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from scipy.optimize import brentq
from scipy.special import gammaln, xlogy
from scipy.stats import binom, multivariate_normal, norm

from skcostci._intervals import METHODS as LIMITS
from skcostci.laws import BudgetLaw, LinearLaw, RankedCases, class_law
from skcostci.statistics._roc_positive_rate import METHODS as BUDGET_METHODS
from skcostci.statistics._roc_threshold import METHODS, PAIRED_METHODS

RESULTS = Path(__file__).parent / "results"
TOTAL_POSITIVE_RATES = np.array([0.01, *np.arange(1, 20) / 20, 0.99])
LEVEL = 0.9  # of the rectangles; a rate alone is looked at there and at .95
SCALES = 3.75, 3.0  # positives, negatives
Row = dict[str, object]


def interval(law: LinearLaw, method: str, level: float) -> tuple[np.ndarray, np.ndarray]:
    """Both limits, clipped to the range of the parameter."""
    q = np.array([[(1 - level) / 2], [(1 + level) / 2]])
    low, high = np.clip(LIMITS[method](law, q), *law.support)
    return low, high


def threshold_at(theta: float, rate: float, lead: float = 0.0) -> float:
    """Where so many of the cases score higher, the classes being equally large, positives at theta + lead."""

    def excess(threshold: float) -> float:
        return float(norm.sf(threshold, (theta + lead, -theta), SCALES).mean() - rate)

    return brentq(excess, -60, 60, xtol=1e-12)


# --- One model --------------------------------------------------------------------------------------------------------


def rate_law(n: int) -> LinearLaw:
    """The laws of a rate for each number of cases, 0 to n, that reach the threshold."""
    reached = np.arange(n + 1)
    counts, possible = np.column_stack([reached, n - reached]), np.ones((n + 1, 2), dtype=bool)
    return class_law(((counts, np.array([1.0, 0.0]), possible),), agresti=4.0)


def rate_coverage(n: int, method: str, level: float, truth: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Coverage and mean width at each true rate."""
    low, high = interval(rate_law(n), method, level)
    weights = binom.pmf(np.arange(n + 1)[:, None], n, truth)
    covers = (low[:, None] <= truth) & (truth <= high[:, None])
    return (weights * covers).sum(axis=0), weights.T @ (high - low)


def single_designs() -> Iterator[Row]:
    for n, theta, method in itertools.product((25, 250, 1000), (0.75, 1.5, 3.0, 5.0), METHODS):
        thresholds = np.array([threshold_at(theta, rate) for rate in TOTAL_POSITIVE_RATES])
        tpr, fpr = norm.sf(thresholds, theta, SCALES[0]), norm.sf(thresholds, -theta, SCALES[1])
        sides = [rate_coverage(n, method, LEVEL**0.5, truth) for truth in (fpr, tpr)]
        covered, area = np.prod(sides, axis=0)
        rates = np.concatenate([fpr, tpr])
        yield {
            "n_per_class": n,
            "theta": theta,
            "method": method,
            **summary("region_90", covered, area, "area"),
            **summary("rate_90", *rate_coverage(n, method, 0.9, rates)),
            **summary("rate_95", *rate_coverage(n, method, 0.95, rates)),
        }


# --- Two models on the same cases -------------------------------------------------------------------------------------


def difference_law(n: int) -> tuple[np.ndarray, LinearLaw]:
    """Both, only a's, only b's, neither: the laws of a difference for every count of the discordant cases."""
    only = np.array([(a, b) for a in range(n + 1) for b in range(n + 1 - a)])
    concordant = n - only.sum(axis=1)
    counts = np.column_stack([concordant, only, np.zeros(len(only), dtype=np.int64)])
    possible = np.ones(counts.shape, dtype=bool)
    return only, class_law(((counts, np.array([0.0, 1.0, -1.0, 0.0]), possible),), agresti=2.0)


def discordant_shares(
    thresholds: tuple[float, float], means: tuple[float, float], scale: float, rho: float
) -> np.ndarray:
    """How probable it is that only model a, and only model b, labels a case positive."""
    cov = scale**2 * np.array([[1.0, rho], [rho, 1.0]])
    neither = multivariate_normal.cdf(thresholds, means, cov, abseps=1e-10, releps=1e-10)
    below = norm.cdf(thresholds, means, scale)
    return np.array([below[1] - neither, below[0] - neither])


def difference_coverage(
    only: np.ndarray, low: np.ndarray, high: np.ndarray, shares: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Coverage and mean width at each true pair of discordant shares."""
    n = only.max()
    rest = n - only.sum(axis=1)
    ways = gammaln(n + 1) - gammaln(only + 1).sum(axis=1) - gammaln(rest + 1)
    covered, width = np.empty((2, len(shares)))
    for i, (a, b) in enumerate(shares):
        weights = np.exp(ways + xlogy(only[:, 0], a) + xlogy(only[:, 1], b) + xlogy(rest, 1 - a - b))
        covered[i] = weights @ ((low <= a - b + 1e-12) & (a - b - 1e-12 <= high))
        width[i] = weights @ (high - low)
    return covered, width


def paired_designs() -> Iterator[Row]:
    """The paper's paired design: model b's positives lie 2 higher; each model at its own threshold for the rate."""
    for n, method in itertools.product((25, 100), PAIRED_METHODS):
        only, law = difference_law(n)
        limits = {level: interval(law, method, level) for level in (LEVEL**0.5, 0.9, 0.95)}
        for theta, rho in itertools.product((1.0, 3.0), (0.3, 0.6, 0.9)):
            shares = paired_shares(theta, rho)
            sides = [difference_coverage(only, *limits[LEVEL**0.5], part) for part in shares]
            covered, area = np.prod(sides, axis=0)
            yield {
                "n_per_class": n,
                "theta": theta,
                "rho": rho,
                "method": method,
                **summary("region_90", covered, area, "area"),
                **summary("difference_90", *difference_coverage(only, *limits[0.9], np.vstack(shares))),
                **summary("difference_95", *difference_coverage(only, *limits[0.95], np.vstack(shares))),
            }


@functools.cache
def paired_shares(theta: float, rho: float) -> tuple[np.ndarray, np.ndarray]:
    """For the positives, then the negatives: the discordant shares at each total positive rate."""
    positive, negative = [], []
    for rate in TOTAL_POSITIVE_RATES:
        pair = threshold_at(theta, rate), threshold_at(theta, rate, lead=2.0)
        positive.append(discordant_shares(pair, (theta, theta + 2), SCALES[0], rho))
        negative.append(discordant_shares(pair, (-theta, -theta), SCALES[1], rho))
    return np.maximum(positive, 0.0), np.maximum(negative, 0.0)


# --- A fixed budget ---------------------------------------------------------------------------------------------------

BUDGET_DESIGNS = ((25, 25, 0.75), (25, 25, 3.0), (10, 200, 1.5), (200, 10, 1.5))  # positives, negatives, theta
TAILS = np.array([[0.05], [0.025], [0.95], [0.975]])
DATA_SETS = {"stratified": 500, "full": 120}  # standard error of a coverage near .9: .013 and .027


def true_rates(n_positive: int, n_negative: int, theta: float, q: np.ndarray) -> dict[str, np.ndarray]:
    """The rates at the thresholds that q of the cases exceed in the mean."""
    weights = np.array([n_positive, n_negative])

    def excess(threshold: float, labelled: int) -> float:
        return float(weights @ norm.sf(threshold, (theta, -theta), SCALES) - labelled)

    thresholds = np.array([brentq(excess, -60, 60, args=(labelled,), xtol=1e-12) for labelled in q])
    tpr, fpr = norm.sf(thresholds, theta, SCALES[0]), norm.sf(thresholds, -theta, SCALES[1])
    return {"tpr": tpr, "fpr": fpr, "precision": n_positive * tpr / q}


def ranked_cases(
    rng: np.random.Generator, n_positive: int, n_negative: int, theta: float, sampling: str
) -> RankedCases:
    """A data set; under full sampling its class sizes vary too."""
    n = n_positive + n_negative
    drawn = n_positive if sampling == "stratified" else int(np.clip(rng.binomial(n, n_positive / n), 1, n - 1))
    scores = np.concatenate([rng.normal(theta, SCALES[0], drawn), rng.normal(-theta, SCALES[1], n - drawn)])
    positive = (np.argsort(-scores) < drawn).astype(float)
    return RankedCases(positive, 1 - positive, drawn, n - drawn, sampling)


def budget_designs() -> Iterator[Row]:
    for (n_positive, n_negative, theta), sampling in itertools.product(BUDGET_DESIGNS, DATA_SETS):
        n = n_positive + n_negative
        q = np.unique(np.maximum(np.floor(TOTAL_POSITIVE_RATES[::2] * n + 1e-9).astype(int), 1))
        truth = true_rates(n_positive, n_negative, theta, q)
        # Stratified, the three rates are one statistic on three scales.
        rates = ("tpr",) if sampling == "stratified" else ("tpr", "fpr", "precision")
        found = {key: np.zeros((2, 2, len(q))) for key in itertools.product(rates, BUDGET_METHODS)}
        rng = np.random.default_rng(20090829)
        for _ in range(DATA_SETS[sampling]):
            cases = ranked_cases(rng, n_positive, n_negative, theta, sampling)
            for rate, method in found:
                law = BudgetLaw(cases, tuple(q.tolist()), rate)
                low, high = np.clip(LIMITS[method](law, TAILS), *law.support).reshape(2, 2, -1)
                covers = (low <= truth[rate] + 1e-12) & (truth[rate] - 1e-12 <= high)
                found[rate, method] += np.stack([covers, high - low], axis=1) / DATA_SETS[sampling]
        for (rate, method), (at_90, at_95) in found.items():
            yield {
                "n_positive": n_positive,
                "n_negative": n_negative,
                "theta": theta,
                "sampling": sampling,
                "rate": rate,
                "method": method,
                **summary("rate_90", *at_90),
                **summary("rate_95", *at_95),
            }


# --- Tables -----------------------------------------------------------------------------------------------------------


def summary(name: str, covered: np.ndarray, size: np.ndarray, size_name: str = "width") -> Row:
    """Worst and mean coverage over the total positive rates, and the mean size."""
    return {
        f"{name}_worst": f"{covered.min():.4f}",
        f"{name}_mean": f"{covered.mean():.4f}",
        f"{name}_{size_name}": f"{size.mean():.5f}",
    }


def write(name: str, designs: Callable[[], Iterator[Row]]) -> None:
    rows = list(designs())
    with (RESULTS / name).open("w", newline="") as file:
        table = csv.DictWriter(file, rows[0], lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


if __name__ == "__main__":
    RESULTS.mkdir(exist_ok=True)
    write("coverage_roc_threshold.csv", single_designs)
    write("coverage_roc_threshold_paired.csv", paired_designs)
    write("coverage_roc_budget.csv", budget_designs)
