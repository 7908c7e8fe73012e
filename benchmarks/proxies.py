"""Few checked labels beside many of a judge: coverage, and width beside the checked alone and beside PPI++.

    python benchmarks/proxies.py    # writes results/proxies.md

PPI++ (Angelopoulos, Duchi, Zrnic, 2023) is the same estimate with the weight of least variance and a normal interval,
written here from what each case adds. The true value of a population is that of a sample of two million. Nothing was
chosen on these populations.
"""

import warnings
from pathlib import Path

import numpy as np
from _clock import machine

import skcostci as sk

RESULT = Path(__file__).parent / "results" / "proxies.md"
RUNS, LARGE, SIZES, Z = 600, 2_000_000, ((40, 1000), (300, 3000)), 1.959964


def flipped(y, rng, of_positives, of_negatives):
    """A judge of pass or fail who errs so often."""
    return np.where(rng.random(len(y)) < np.where(y == 1, of_positives, of_negatives), 1 - y, y)


def passes(share, of_passed, of_failed):
    """Answers that pass, and what a judge says."""

    def draw(n, rng):
        y = (rng.random(n) < share).astype(float)
        return y, flipped(y, rng, of_passed, of_failed), None

    return draw


def grades(spread):
    """Grades from 0 to 1 in steps of a quarter, which a judge sees with an error."""

    def draw(n, rng):
        y = rng.choice(5, n, p=[0.1, 0.1, 0.2, 0.35, 0.25]) / 4
        return y, np.clip(np.round(4 * (y + rng.normal(0.05, spread, n))) / 4, 0, 1), None

    return draw


def labels(share, hits, false, of_positives, of_negatives):
    """Labels, a judge's, and the predictions of a classifier."""

    def draw(n, rng):
        y = (rng.random(n) < share).astype(float)
        predicted = (rng.random(n) < np.where(y == 1, hits, false)).astype(float)
        return y, flipped(y, rng, of_positives, of_negatives), predicted

    return draw


def classes(shares, right, judge_right):
    """Three classes."""

    def draw(n, rng):
        y = rng.choice(3, n, p=shares)
        guess, judge = rng.choice(3, n, p=shares), rng.choice(3, n)
        return y, np.where(rng.random(n) < judge_right, y, judge), np.where(rng.random(n) < right, y, guess)

    return draw


def scores(share, shift, of_positives, of_negatives, leaning=0.0):
    """Scores of a model to which a judge may lean."""

    def draw(n, rng):
        y = (rng.random(n) < share).astype(float)
        score = shift * y + rng.normal(size=n)
        leans = (score > shift / 2) == (y == 0)
        return y, flipped(y, rng, of_positives + leaning * leans, of_negatives + leaning * leans), score

    return draw


MEAN, F1, MACRO, AUC = "mean", "f1", "macro f1", "auc"
POPULATIONS = {
    "generous judge": (MEAN, passes(0.72, 0.02, 0.35)),
    "strict judge": (MEAN, passes(0.85, 0.2, 0.03)),
    "fine judge, rare failures": (MEAN, passes(0.96, 0.01, 0.15)),
    "grades": (MEAN, grades(0.2)),
    "fraud, fair judge": (F1, labels(0.15, 0.75, 0.05, 0.12, 0.04)),
    "even classes, poor judge": (F1, labels(0.5, 0.85, 0.2, 0.3, 0.3)),
    "mostly positive": (F1, labels(0.8, 0.9, 0.4, 0.05, 0.2)),
    "three classes": (MACRO, classes((0.5, 0.3, 0.2), 0.75, 0.85)),
    "three classes, one rare": (MACRO, classes((0.6, 0.3, 0.1), 0.85, 0.9)),
    "plain ranking": (AUC, scores(0.4, 1.2, 0.1, 0.1)),
    "good ranking, rare positives": (AUC, scores(0.2, 2.2, 0.1, 0.02)),
    "judge leans to the model": (AUC, scores(0.5, 1.0, 0.05, 0.05, 0.25)),
}


def computed(kind, y, judged, predicted):
    """Estimate by the package."""
    if kind == MEAN:
        return sk.bootstrap_mean(y, least=0, most=1, proxy=judged)
    if kind == AUC:
        return sk.bootstrap_auc(y, predicted, proxy=judged)
    return sk.bootstrap_metric(y, predicted, "f1", average="macro" if kind == MACRO else "binary", proxy=judged)


def value_and_influences(kind, y, predicted):
    """A statistic, and n times the influence of each case."""
    if kind == MEAN:
        return y.mean(), y - y.mean()
    if kind == AUC:
        below, above = np.sort(predicted[y == 0]), np.sort(predicted[y == 1])
        placed = np.searchsorted(below, predicted) / len(below), 1 - np.searchsorted(above, predicted) / len(above)
        area = placed[0][y == 1].mean()
        return area, len(y) * np.where(y == 1, (placed[0] - area) / len(above), (placed[1] - area) / len(below))
    found = []
    for label in (0, 1, 2) if kind == MACRO else (1,):
        true, guess = y == label, predicted == label
        whole = max(true.sum() + guess.sum(), 1)
        f1 = 2 * (true & guess).sum() / whole
        found.append((f1, len(y) * (2.0 * (true & guess) - f1 * (1.0 * true + guess)) / whole))
    return np.mean([f for f, _ in found]), np.mean([x for _, x in found], axis=0)


def powered(kind, y, judged, predicted):
    """PPI++'s interval."""
    look = ~np.isnan(y)
    of = predicted if predicted is None else predicted[look]
    (t, x), (t_j, x_j) = value_and_influences(kind, y[look], of), value_and_influences(kind, judged[look], of)
    t_o, x_o = value_and_influences(kind, judged[~look], predicted if predicted is None else predicted[~look])
    n, m = len(x), len(x_o)
    weight = np.clip((x @ x_j / n**2) / max(x_j @ x_j / n**2 + x_o @ x_o / m**2, 1e-300), 0, 1)
    center = t + weight * (t_o - t_j)
    reach = Z * np.sqrt(((x - weight * x_j) ** 2).sum() / n**2 + weight**2 * (x_o @ x_o) / m**2)
    return center - reach, center + reach


def judged(kind, draw, truth, n, m, rng):
    """Coverage, misses by side, and widths."""
    rows = []
    for _ in range(RUNS):
        y, judge, predicted = draw(n + m, rng)
        seen = np.where(np.arange(n + m) < n, y, np.nan)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = computed(kind, seen, judge, predicted)
            low, high = result.confidence_interval()
            alone = np.diff(result.checked_alone.confidence_interval())[0]
        ends = powered(kind, seen, judge, predicted)
        rows.append((low > truth, high < truth, high - low, alone, ends[0] <= truth <= ends[1], ends[1] - ends[0]))
    below, above, width, alone, held, other = np.array(rows, dtype=float).T
    beside = f"{np.median(width) / np.median(other):.2f}" if held.mean() >= 0.94 else "-"
    found = f"{1 - below.mean() - above.mean():.3f} | {below.mean():.3f} | {above.mean():.3f} | "
    return f"{found}{width.mean() / alone.mean():.2f} | {held.mean():.3f} | {beside}"


def main():
    """Write the table."""
    lines = [
        "# Checked labels beside a judge's",
        "",
        f"The share of {RUNS} samples whose default 95 % interval contains the true value (s.e. .009), the shares that "
        "miss it",
        "with the true value below and above, the mean width over that of the checked cases alone, PPI++'s coverage, "
        "and",
        'the median width over PPI++\'s where that covers .94 ("/" are ratios of widths).',
        "",
        "| statistic | population | checked, others | covered | below | above | / alone | PPI++ | / PPI++ |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for name, (kind, draw) in POPULATIONS.items():
        y, _, predicted = draw(LARGE, np.random.default_rng(1))
        truth = value_and_influences(kind, y, predicted)[0]
        for n, m in SIZES:
            row = judged(kind, draw, truth, n, m, np.random.default_rng([n, len(name)]))
            lines.append(f"| {kind} | {name} | {n}, {m:,} | {row} |")
            print(lines[-1], flush=True)
    RESULT.write_text("\n".join([*lines, "", machine("numpy", "scipy", "skcostci")]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
