"""The cdf of the cost of many multinomial tables at once, and the artificial domain that they come from.

The library computes one table's law and answers any question about it; a study asks one question, the cdf at the true
cost, of hundreds of thousands of tables. These share the costs, so that one matrix of exponentials serves them all.
"""

from __future__ import annotations

import numpy as np
from sklearn.tree import DecisionTreeClassifier

FREQUENCIES = np.array([0.2102, 0.4473, 0.2568, 0.0016, 0.0841])
K, N_TEST, POPULATION = 5, 1000, 1_000_000
MODELS = {f"M{i}": i for i in range(1, 10)}

# --- The cdf ----------------------------------------------------------------------------------------------------------

LOG_TAIL = 25.0  # what is less probable than exp(-25) is left out of the window
BLOCK, MOST = 256, 4096  # frequencies


def cdf_of_total(x: float, shares: np.ndarray, values: np.ndarray, draws: int) -> np.ndarray:
    """P(total of so many draws <= x), a row of ``shares`` a table, smeared over 1/3500 of the window's length."""
    kept = shares.any(axis=0)
    p, y = shares[:, kept], values[kept] - x / draws
    low, high = -_highest(p, -y, draws), _highest(p, y, draws)
    if low >= 0 or high <= 0:
        return np.full(len(p), float(high <= 0))
    smear = (high - low) / (MOST * 2 * np.pi / 7.4 - 16)
    low, length = low - 8 * smear, high - low + 16 * smear
    cdf = np.full(len(p), -low / length)
    dead = 0
    for first in range(1, MOST, BLOCK):
        t = 2 * np.pi / length * np.arange(first, first + BLOCK)
        logarithm, angle = _log_characteristic_function(p, y, t, draws)
        size = np.exp(logarithm - (smear * t) ** 2 / 2) * 2 / (length * t)
        cdf += (size * (np.sin(angle - t * low) - np.sin(angle))).sum(axis=1)
        dead = dead + 1 if size.max() * length * t[0] < 1e-9 else 0
        if dead == 2:
            break
    return cdf


def _highest(p: np.ndarray, y: np.ndarray, draws: int) -> float:
    """What the total of no table exceeds but with probability exp(-LOG_TAIL), by Chernoff's inequality."""
    top = np.where(p > 0, y, -np.inf).max(axis=1)
    below = np.minimum(y - top[:, None], 0.0)
    low, high = np.full(len(p), -40.0), np.full(len(p), 40.0)  # of log(theta * scale)
    scale = float(np.abs(below).max()) or 1.0
    for _ in range(30):
        middle = (low + high) / 2
        theta = np.exp(middle) / scale
        weights = p * np.exp(theta[:, None] * below)
        sums = weights.sum(axis=1)
        mean = (weights * below).sum(axis=1) / sums
        enough = draws * (theta * mean - np.log(sums)) >= LOG_TAIL
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return draws * float((top + mean).max())


def _log_characteristic_function(
    p: np.ndarray, y: np.ndarray, t: np.ndarray, draws: int
) -> tuple[np.ndarray, np.ndarray]:
    """Log of the modulus and the angle, a row a table; nothing is lost where one draw's is near 1."""
    turn = np.multiply.outer(y, t)
    real, imaginary = p @ (-2 * np.sin(turn / 2) ** 2), p @ np.sin(turn)
    square_less_one = np.maximum(2 * real + real**2 + imaginary**2, -1 + 1e-16)
    return draws / 2 * np.log1p(square_less_one), draws * np.arctan2(imaginary, 1 + real)


# --- The domain -------------------------------------------------------------------------------------------------------


def population(generator: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Uniform points of a square, cut by a wavy coordinate into five classes of the published frequencies."""
    points = generator.random((n, 2)) * 10
    height = points[:, 1] + 2 * np.sin(points[:, 0]) + 0.3 * points[:, 0]
    order = [0, 1, 3, 2, 4]
    edges = np.quantile(height, np.cumsum(FREQUENCIES[order])[:-1])
    return points, np.array(order)[np.searchsorted(edges, height)]


def cost_matrix(model: int, generator: np.random.Generator) -> np.ndarray:
    """One draw of a cost model, Table 4, in our orientation: rows are the truth."""
    predicted_over_true = FREQUENCIES[None, :] / FREQUENCIES[:, None]
    top = {1: 10, 2: 100, 3: 100, 4: 1000, 5: 10_000, 8: 10_000}.get(model)
    if top is None:
        top = {6: 1000, 7: 1000, 9: 2000}[model] * (1 / predicted_over_true if model == 7 else predicted_over_true)
    costs = generator.random((K, K)) * top
    np.fill_diagonal(costs, generator.random(K) * {3: 10, 8: 1000, 9: 1000}.get(model, 0))
    return costs


def confusion_of_tree(costs: np.ndarray, training: tuple, test: tuple) -> np.ndarray:
    """Shares of the cells for a tree whose training cases weigh what their class costs on average."""
    points, labels = training
    off_diagonal = costs.sum(axis=1) - np.diag(costs)
    tree = DecisionTreeClassifier(min_samples_leaf=2, random_state=0)
    tree.fit(points, labels, sample_weight=off_diagonal[labels])
    cells = np.bincount(test[1] * K + tree.predict(test[0]), minlength=K * K)
    return cells.reshape(K, K) / cells.sum()


def pair_of(confusion: np.ndarray, changed: float = 0.0) -> np.ndarray:
    """Truth, classifier 1 and a shuffled copy of it of which a share of the labels is changed at random."""
    given = confusion / confusion.sum(axis=1, keepdims=True)
    other = (1 - changed) * given + changed * (1 - given) / (K - 1)
    return confusion[:, :, None] * other[:, None, :]


def differences(costs: np.ndarray) -> np.ndarray:
    """What classifier 1 pays less what classifier 2 pays, by truth and both their labels."""
    return costs[:, :, None] - costs[:, None, :]


def draw(shares: np.ndarray, generator: np.random.Generator, sets: int) -> np.ndarray:
    """Tables of test sets, a row each."""
    return generator.multinomial(N_TEST, shares.ravel(), size=sets)


# --- The intervals ----------------------------------------------------------------------------------------------------


def cost_cdf(counts: np.ndarray, costs: np.ndarray, true_cost: float, smoothing: float) -> np.ndarray:
    """For each table, BCost's law at the true cost of a case."""
    shares = (counts + smoothing) / (N_TEST + smoothing * counts.shape[1])
    return cdf_of_total(N_TEST * true_cost, shares, costs.ravel(), N_TEST)


def difference_cdf_at_zero(counts: np.ndarray, costs: np.ndarray) -> np.ndarray:
    """For each three-way table, BDeltaCost's law at 0; cells that cost both the same are one."""
    values = differences(costs).ravel()
    merged = np.column_stack([counts[:, values == 0].sum(axis=1), counts[:, values != 0]])
    return cdf_of_total(0.0, merged / N_TEST, np.concatenate([[0.0], values[values != 0]]), N_TEST)
