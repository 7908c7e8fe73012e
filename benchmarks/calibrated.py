"""The exact p-value that every risk is right: how often it rejects right risks, and wrong ones.

    python benchmarks/calibrated.py    # writes results/calibrated.md

Beside it Cox's likelihood-ratio test of intercept and slope, by the chi-square distribution of two degrees of freedom.
None of the shapes and distributions of risks was used to choose anything.
"""

from pathlib import Path

import numpy as np
from _clock import machine
from scipy.special import expit, logit
from scipy.stats import chi2

import skcostci as sk
from skcostci.laws.exact._calibrated import Risks

RESULT = Path(__file__).parent / "results" / "calibrated.md"
RUNS_RIGHT, RUNS_WRONG, LEVEL = 400, 60, 0.05
RISKS = {
    "beta(2, 5)": lambda rng, n: rng.beta(2, 5, n),
    "logits normal(-2, 1)": lambda rng, n: expit(rng.normal(-2, 1, n)),
    "logits t(4), to two digits": lambda rng, n: np.clip(np.round(expit(rng.standard_t(4, n) - 0.5), 2), 0.01, 0.99),
    "five grades": lambda rng, n: rng.choice([0.05, 0.15, 0.3, 0.55, 0.8], n, p=[0.3, 0.3, 0.2, 0.1, 0.1]),
    "near 0 and 1": lambda rng, n: np.where(rng.random(n) < 0.6, rng.beta(1, 15, n), rng.beta(15, 1, n)),
}
SHAPES = {
    "all risks .7 of the truth": lambda p: np.minimum(p / 0.7, 1),
    "all risks 1.4 times too high": lambda p: p / 1.4,
    "half a logit too low": lambda p: expit(logit(p) + 0.5),
    "slope .65": lambda p: expit(0.65 * logit(p)),
    "slope 1.5": lambda p: expit(1.5 * logit(p)),
    "wave": lambda p: np.clip(p + 0.12 * np.sin(4 * np.pi * p) * np.minimum(1, 4 * p * (1 - p)), 0, 1),
    "hump": lambda p: np.clip(p + 0.15 * np.exp(-(((p - 0.35) / 0.12) ** 2)), 0, 1),
    "largest tenth 1.6 times too high": lambda p: np.where(p >= np.quantile(p, 0.9), p / 1.6, p),
    "lowest third twice too low": lambda p: np.where(p <= np.quantile(p, 1 / 3), np.minimum(2 * p, 1), p),
}


def cox(y, p):
    """The p-value of the likelihood-ratio test; 1 where there is no line."""
    risks = Risks(logit(p), np.ones(len(p)), y.astype(float))
    if risks.reason or risks.separated:
        return 1.0
    ratio = 2 * (risks.likelihood(*risks.fitted()) - risks.likelihood(0.0, 1.0))
    return float(chi2.sf(ratio, 2))


def rejected(draw, shape, n, runs, seed):
    """The shares of samples that either test rejects."""
    found = np.zeros(2)
    for run in range(runs):
        rng = np.random.default_rng([seed, run])
        p = np.clip(draw(rng, n), 1e-6, 1 - 1e-6)
        y = (rng.random(n) < shape(p)).astype(int)
        found += [sk.bootstrap_calibration(y, p).pvalue() < LEVEL, cox(y, p) < LEVEL]
    return found / runs


def main():
    lines = [
        "# The p-value that every risk is right\n",
        f"## Right risks\n\nThe share of {RUNS_RIGHT} samples with p < {LEVEL} (s.e. .011).\n",
        "| risks | n | exact | Cox |",
        "| --- | --- | --- | --- |",
    ]
    for place, (name, draw) in enumerate(RISKS.items()):
        for n in (50, 100, 300, 1000):
            exact, ratio = rejected(draw, lambda p: p, n, RUNS_RIGHT, 100 * place + n)
            lines.append(f"| {name} | {n} | {exact:.3f} | {ratio:.3f} |")
    lines += [
        f"\n## Wrong risks\n\nThe share of samples with p < {LEVEL}, {RUNS_WRONG} of each of the five distributions.\n",
        "| the truth | n 200: exact | Cox | n 1000: exact | Cox |",
        "| --- | --- | --- | --- | --- |",
    ]
    means = []
    for name, shape in SHAPES.items():
        row = []
        for n in (200, 1000):
            each = [rejected(draw, shape, n, RUNS_WRONG, 7 + place) for place, draw in enumerate(RISKS.values())]
            row += np.mean(each, axis=0).tolist()
        means.append(row)
        lines.append(f"| {name} | {' | '.join(f'{value:.2f}' for value in row)} |")
    lines.append(f"| **mean** | {' | '.join(f'{value:.2f}' for value in np.mean(means, axis=0))} |")
    RESULT.write_text("\n".join([*lines, "", machine("numpy", "scipy", "skcostci"), ""]))


if __name__ == "__main__":
    main()
