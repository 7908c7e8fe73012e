"""Coverage of default intervals with importance weights: accuracy, F1, AUC, average precision and the Brier score.

    python benchmarks/importance.py            # writes results/importance.md
    python benchmarks/importance.py --quick    # 20 samples a population, written nowhere

Cases are drawn as they come into a sample, with the weights that undo how they were drawn. True values are those of a
weighted sample of two millions. Nothing was chosen on these populations.
"""

import argparse
import warnings
from pathlib import Path

import numpy as np
import sklearn.metrics as skm
from _clock import machine
from scipy.special import expit
from scipy.stats import beta

import skcostci as sk

RESULT = Path(__file__).parent / "results" / "importance.md"
RUNS, LARGE, SIZES = 500, 2_000_000, (100, 300)


def judged(rng, logit, noise, cut=0.5):
    """Labels, risks that are told with some noise, and the predicted labels."""
    y = (rng.random(len(logit)) < expit(logit)).astype(int)
    risk = expit(logit + noise * rng.normal(size=len(logit)))
    return y, risk, (risk >= cut).astype(int)


def shifted(rng, n):
    """Another population's cases, with the ratio of densities as weights."""
    x = rng.normal(size=n)
    return *judged(rng, 1.5 * x - 1, 0.7), np.exp(0.7 * x)


def unlike(rng, n):
    """Weights that have nothing to do with the cases, log-normal of deviation 0.9."""
    x = rng.normal(size=n)
    return *judged(rng, 2 * x - 0.5, 0.8), np.exp(0.9 * rng.normal(size=n))


def three_in_ten(rng, n):
    """Three in ten cases stand for six each, the others for one."""
    heavy = rng.random(n) < 0.3
    return *judged(rng, 1.8 * rng.normal(size=n), 0.8), np.where(heavy, 6.0, 1.0)


def heavy_errors(rng, n):
    """Risks are worse the more a case weighs."""
    w = rng.gamma(1.5, size=n) + 0.2
    return *judged(rng, 2 * rng.normal(size=n) - 0.5, 0.3 + 0.5 * w), w


def light_errors(rng, n):
    """Risks are worse the less a case weighs."""
    w = rng.gamma(1.5, size=n) + 0.2
    return *judged(rng, 2 * rng.normal(size=n) - 0.5, 1.2 / w), w


def case_control(rng, n):
    """Half of the cases are positive, of a population in which a tenth are."""
    y = rng.integers(0, 2, n)
    score = rng.normal(size=n) + 1.8 * y
    risk = expit(1.8 * score - 1.62 - np.log(9))
    return y, risk, (risk >= 0.3).astype(int), np.where(y, 0.2, 1.8)


def post_stratified(rng, n):
    """Five strata whose shares in the population are known: weights are made of the sample."""
    drawn, shares = np.array([0.45, 0.25, 0.15, 0.1, 0.05]), np.array([0.2, 0.25, 0.25, 0.15, 0.15])
    stratum = np.append(rng.choice(5, n - 5, p=drawn), np.arange(5))
    w = (shares / (np.bincount(stratum) / n))[stratum]
    return *judged(rng, 1.5 * rng.normal(size=n) + 0.4 * stratum - 1, 0.3 * (1 + stratum)), w


def nearly_right(rng, n):
    """Few errors, and weights by a gamma law."""
    y = (rng.random(n) < 0.4).astype(int)
    risk = expit(4 * (rng.normal(size=n) + 4 * y - 2))
    return y, risk, (risk >= 0.5).astype(int), rng.gamma(1.2, size=n) + 0.1


POPULATIONS = (
    shifted,
    unlike,
    three_in_ten,
    heavy_errors,
    light_errors,
    case_control,
    post_stratified,
    nearly_right,
)
TRUTHS = {
    "accuracy": lambda y, p, labels, w: skm.accuracy_score(y, labels, sample_weight=w),
    "F1": lambda y, p, labels, w: skm.f1_score(y, labels, sample_weight=w),
    "AUC": lambda y, p, labels, w: skm.roc_auc_score(y, p, sample_weight=w),
    "average precision": lambda y, p, labels, w: skm.average_precision_score(y, p, sample_weight=w),
    "Brier": lambda y, p, labels, w: skm.brier_score_loss(y, p, sample_weight=w),
}
ASKED = {
    "accuracy": lambda y, p, labels, **w: sk.bootstrap_metric(y, labels, "accuracy", **w),
    "F1": lambda y, p, labels, **w: sk.bootstrap_metric(y, labels, "f1", **w),
    "AUC": lambda y, p, labels, **w: sk.bootstrap_auc(y, p, **w),
    "average precision": lambda y, p, labels, **w: sk.bootstrap_average_precision(y, p, **w),
    "Brier": lambda y, p, labels, **w: sk.bootstrap_loss(y, p, **w),
}


def korn_and_graubard(y, labels, w):
    """The width of their interval for the weighted share of right labels."""
    hit, w = y == labels, w / w.sum()
    share, some = w @ hit, 0 < hit.sum() < len(hit)
    n = min(share * (1 - share) / (w**2 @ (hit - share) ** 2), len(y)) if some else 1 / (w @ w)
    low = beta.ppf(0.025, n * share, n * (1 - share) + 1) if hit.any() else 0.0
    high = beta.ppf(0.975, n * share + 1, n * (1 - share)) if not hit.all() else 1.0
    return high - low


def covered(draw, n, runs, truth):
    """The shares of samples whose intervals hold the truth; the effective share of cases; the width beside theirs."""
    held, told = dict.fromkeys(truth, 0), np.zeros(3)
    for run in range(runs):
        y, p, labels, w = draw(np.random.default_rng([n, run]), n)
        for name, true in truth.items():
            found = ASKED[name](y, p, labels, sample_weight=w, weight_type="importance")
            low, high = found.confidence_interval()
            held[name] += low <= true <= high
            if name == "accuracy":
                told += found.effective_cases / n, high - low, korn_and_graubard(y, labels, w)
    effective, width, theirs = told
    return [held[name] / runs for name in truth], effective / runs, width / theirs


def rows_of(draw, runs):
    """A row a size: the number of cases, what is effective of them, the width beside theirs and coverage."""
    large = draw(np.random.default_rng(0), LARGE)
    truth = {name: true(*large) for name, true in TRUTHS.items()}
    return [[draw.__name__.replace("_", " "), n, *covered(draw, n, runs, truth)] for n in SIZES]


def table(rows, runs):
    """The page."""
    lines = [
        "# Coverage with importance weights\n",
        f"Of 95 %, {runs:,} samples each (s.e. {np.sqrt(0.95 * 0.05 / runs):.3f}). *Effective*: Kish's effective "
        "number over that of cases, on average. *Width*: of the accuracy's interval, over Korn and Graubard's.\n",
        f"| population | n | effective | width | {' | '.join(TRUTHS)} |",
        "|" + " --- |" * (4 + len(TRUTHS)),
    ]
    for name, n, rates, effective, width in rows:
        shown = " | ".join(f"{rate:.3f}" for rate in rates)
        lines.append(f"| {name} | {n} | {effective:.2f} | {width:.2f} | {shown} |")
    worst = np.min([rates for _, _, rates, *_ in rows], axis=0)
    lines.append(f"| worst | | | | {' | '.join(f'{rate:.3f}' for rate in worst)} |")
    return "\n".join([*lines, f"\n{machine('numpy', 'scipy')}.", ""])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    runs = 20 if parser.parse_args().quick else RUNS
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        page = table([row for draw in POPULATIONS for row in rows_of(draw, runs)], runs)
    print(page)
    if runs == RUNS:
        RESULT.write_text(page)


if __name__ == "__main__":
    main()
