"""Coverage of statistics that are asked for by name: error rates, gaps, agreement, correlations, what is censored.

    python benchmarks/asked.py            # writes results/asked.md
    python benchmarks/asked.py --quick    # 20 samples a population, written nowhere

True values are those of the formula or, where there is none, of a sample of 400,000. Nothing was chosen on these
populations.
"""

import argparse
import warnings
from pathlib import Path

import numpy as np
from _clock import machine
from scipy.stats import norm

import skcostci as sk

RESULT = Path(__file__).parent / "results" / "asked.md"
RUNS, LARGE, LEVEL = 500, 400_000, 0.95


def scored(positives, negatives, kind):
    """Labels and scores of a population of which these many are drawn."""

    def draw(rng, times=1):
        y = np.repeat([1, 0], [positives * times, negatives * times])
        if kind == "heavy tails":
            return y, rng.standard_t(3, len(y)) + 2 * y
        if kind == "exponential":
            return y, rng.exponential(np.where(y, 4.0, 1.0))
        return y, np.floor(2 * (rng.normal(size=len(y)) + 1.2 * y))  # grades of half a deviation

    return draw


def equal_error_rate(draw):
    """The default interval for the equal error rate."""
    return lambda rng: sk.bootstrap_metric(*draw(rng), "eer").confidence_interval(LEVEL)


def large_equal_error_rate(draw):
    """The rate at which both errors are the same, on a large sample."""
    y, scores = draw(np.random.default_rng(0), times=4_000)
    cuts = np.unique(scores)
    misses, hits = (np.searchsorted(np.sort(scores[y == label]), cuts) / (y == label).sum() for label in (1, 0))
    return np.interp(0.0, misses - (1 - hits), misses)


def relative_sensitivity(n, right, both):
    """Two models that find these shares of n positives, and both of them ``both``."""

    def ask(rng):
        cells = rng.choice(4, n, p=[both, right[0] - both, right[1] - both, 1 - sum(right) + both])
        return sk.compare_models(np.ones(n, int), {"a": cells <= 1, "b": cells % 2 == 0}, "recall")

    return ask


def of_groups(sizes, rates, metric="selection_rate"):
    """Subgroups of these sizes, of which such shares are selected, are right, or how far the classes lie apart."""
    by = np.repeat(np.arange(len(sizes)), sizes)

    def ask(rng):
        y, at = np.arange(len(by)) % 2, np.array(rates)[by]
        if metric == "roc_auc":
            return sk.compare_groups(y, rng.normal(size=len(by)) + at * y, by, metric)
        hit = (rng.random(len(by)) < at).astype(int)
        return sk.compare_groups(y, hit if metric == "selection_rate" else np.where(hit, y, 1 - y), by, metric)

    return ask


def of_models(n, rates, shared):
    """Models that are right about these shares of cases, together about some."""

    def ask(rng):
        y, common = np.arange(n) % 2, rng.random(n)
        each = {
            str(k): np.where(np.where(rng.random(n) < shared, common, rng.random(n)) < rate, y, 1 - y)
            for k, rate in enumerate(rates)
        }
        return sk.compare_models(y, each, "accuracy")

    return ask


def ratio(ask):
    """Limits of the only ratio."""
    return lambda rng: [float(end[0]) for end in ask(rng).ratios.confidence_interval(LEVEL)]


def gap(ask, kind="difference"):
    """Limits of the largest less the smallest, or of the smallest over the largest."""
    return lambda rng: ask(rng).gap(kind).confidence_interval(LEVEL)


def raters(items, n_raters, shares, skill):
    """Each rater sees an item's kind with this chance, and says another one else."""

    def draw(rng, n=items):
        kind = rng.choice(len(shares), n, p=shares)
        seen = rng.random((n, n_raters)) < skill
        return np.where(seen, kind[:, None], rng.choice(len(shares), (n, n_raters), p=shares))

    return draw


def agreement(draw):
    """The default interval for Fleiss' kappa."""
    return lambda rng: sk.bootstrap_agreement(draw(rng), "fleiss").confidence_interval(LEVEL)


def imputed(n, share, missing, at_random, times=10):
    """The AUC of two markers, the second missing in some cases, imputed by a regression on the first and the class."""

    def ask(rng):
        y = (rng.random(n) < share).astype(int)
        first = rng.normal(size=n) + y
        second = 0.5 * first + rng.normal(size=n) + y
        gone = rng.random(n) < (missing if at_random else 2 * missing * norm.cdf(first - share))
        known = np.column_stack([np.ones(n), first, y])
        inverse = np.linalg.inv(known[~gone].T @ known[~gone])
        fitted = inverse @ known[~gone].T @ second[~gone]
        freedom = (~gone).sum() - 3
        rest = ((second[~gone] - known[~gone] @ fitted) ** 2).sum()
        results = []
        for _ in range(times):
            spread = (rest / rng.chisquare(freedom)) ** 0.5
            slopes = rng.multivariate_normal(fitted, spread**2 * inverse)
            filled = np.where(gone, known @ slopes + spread * rng.normal(size=n), second)
            results.append(sk.bootstrap_auc(y, first + filled))
        return sk.pool_imputations(results).confidence_interval(LEVEL)

    return ask


def answers(n, grades=None):
    """Whether each answer is right, and how sure two models are of it: the first knows more of the chance."""

    def draw(rng, n=n):
        chance = rng.beta(4, 1, n)
        sure = [chance + spread * rng.normal(size=n) for spread in (0.1, 0.3)]
        return (rng.random(n) < chance).astype(int), *(
            each if grades is None else np.round(grades * each) for each in sure
        )

    return draw


def amounts(n, kind):
    """What people said, and a model."""

    def draw(rng, n=n):
        human = rng.exponential(size=n) if kind == "skewed" else rng.normal(size=n)
        model = human + rng.normal(size=n)
        return (np.floor(2 * human), np.floor(2 * model)) if kind == "grades" else (human, model)

    return draw


def ordered_classes(n, sharp):
    """Three classes in order, and probabilities that are right if ``sharp`` is 1."""

    def draw(rng, n=n):
        true = rng.dirichlet([1.5, 1.5, 1.5], n)
        y = (rng.random(n)[:, None] > np.cumsum(true, axis=1)).sum(axis=1)
        said = true**sharp
        return y, said / said.sum(axis=1, keepdims=True)

    return draw


def graded(items, n_raters, noise):
    """Each rater gives an item a grade from 1 to 5 near its own."""

    def draw(rng, n=items):
        own = rng.normal(size=n)
        return (np.clip(np.rint(3 + own[:, None] + noise * rng.normal(size=(n, n_raters))), 1, 5),)

    return draw


def followed(n, censored):
    """Events, risks of an event by time 1, and times."""

    def draw(rng, n=n):
        x = rng.normal(size=n)
        event, end = rng.exponential(np.exp(-0.7 * x)), rng.exponential(1 / censored, n)
        return (event <= end).astype(int), 1 - np.exp(-np.exp(0.7 * x)), np.minimum(event, end)

    return draw


def named():
    """The function and the options of what is asked of each of these, and populations."""
    shares, lots = {"200 answers": answers(200), "150, in grades": answers(150, 5)}, {}
    yield "area under risk and coverage", lambda y, a, _: sk.bootstrap_metric(y, a, "aurc"), shares
    yield "its difference", lambda y, a, b: sk.bootstrap_metric_difference(y, a, b, "aurc"), shares
    lots = {
        "60, normal": amounts(60, "normal"),
        "100, skewed": amounts(100, "skewed"),
        "80, grades": amounts(80, "grades"),
    }
    for name in ("pearson", "spearman"):
        yield name, lambda *columns, name=name: sk.bootstrap_metric(*columns, name), lots
    lots = {"60, right": ordered_classes(60, 1), "100, too sure": ordered_classes(100, 2)}
    yield "ranked probability score", lambda y, p: sk.bootstrap_loss(y, p, "ranked_probability_score"), lots
    lots = {"60 items, 3 raters": graded(60, 3, 0.7), "100 items, 2 raters": graded(100, 2, 1.2)}
    for level in ("ordinal", "interval"):
        yield f"{level} alpha", lambda r, level=level: sk.bootstrap_agreement(r, "krippendorff", level=level), lots
    lots = {"100, a third censored": followed(100, 0.5), "200, a fifth censored": followed(200, 0.25)}

    def at_horizon(ask, **options):
        return lambda event, risk, time: ask(event, risk, time=time, **options)

    benefit = {"metric": "net_benefit", "thresholds": 0.5, "horizon": 1.0}
    yield "net benefit at a horizon", at_horizon(sk.bootstrap_metric, **benefit), lots
    whole = {"loss": "brier", "horizon": [0.5, 1.0, 1.5], "integrated": True}
    yield "integrated Brier score", at_horizon(sk.bootstrap_loss, **whole), lots
    calibration = at_horizon(sk.bootstrap_calibration, horizon=1.0)
    yield "observed over expected at a horizon", lambda *columns: calibration(*columns).observed_expected, lots


def populations():
    """What is asked, of what, how it is asked, and the true value."""
    for name, draw in {
        "heavy tails, 40:60": scored(40, 60, "heavy tails"),
        "exponential, 30:150": scored(30, 150, "exponential"),
        "grades, 50:50": scored(50, 50, "grades"),
    }.items():
        yield "equal error rate", name, equal_error_rate(draw), large_equal_error_rate(draw)
    for name, ask, true in (
        ("sensitivities .9 and .75 of 60 positives", relative_sensitivity(60, (0.9, 0.75), 0.7), 0.9 / 0.75),
        ("selected .1 of 80 and .2 of 120", of_groups((80, 120), (0.1, 0.2)), 0.1 / 0.2),
        ("accuracy .97 of 60 and .9 of 60", of_groups((60, 60), (0.97, 0.9), "accuracy"), 0.97 / 0.9),
    ):
        yield "ratio", name, ratio(ask), true
    apart = (0.8, 1.6)
    far = (norm.cdf(shift / 2**0.5) for shift in apart)
    for name, ask, true in (
        ("selected .2, .3 and .5 of 60, 60 and 80", of_groups((60, 60, 80), (0.2, 0.3, 0.5)), 0.3),
        ("AUC of 70 and 90", of_groups((70, 90), apart, "roc_auc"), -np.subtract(*far)),
        ("accuracy of four models, 150 cases", of_models(150, (0.7, 0.75, 0.8, 0.85), 0.7), 0.15),
    ):
        yield "gap", name, gap(ask), true
    yield "gap, ratio", "selected .2, .3 and .5", gap(of_groups((60, 60, 80), (0.2, 0.3, 0.5)), "ratio"), 0.4
    for name, ask in (
        ("selected .1 of 40, 60 and 80", of_groups((40, 60, 80), (0.1,) * 3)),
        ("AUC of 60, 80 and 60", of_groups((60, 80, 60), (1.0,) * 3, "roc_auc")),
        ("accuracy of four models, 120 cases", of_models(120, (0.8,) * 4, 0.8)),
    ):
        yield "gap of equals", name, gap(ask), 0.0
    for name, draw in {
        "60 items, 3 raters, 3 kinds": raters(60, 3, (0.5, 0.3, 0.2), 0.7),
        "100 items, 5 raters, a rare kind": raters(100, 5, (0.93, 0.07), 0.6),
        "80 items, 2 raters, 4 kinds": raters(80, 2, (0.25,) * 4, 0.85),
    }.items():
        large = float(sk.bootstrap_agreement(draw(np.random.default_rng(0), LARGE), "fleiss"))
        yield "Fleiss' kappa", name, agreement(draw), large
    auc = norm.cdf(2.5 / (2 * (1.5**2 + 1)) ** 0.5)
    for name, ask in (
        ("100 cases, .3 missing", imputed(100, 0.5, 0.3, True)),
        ("150 cases, .4 missing, most where the other is high", imputed(150, 0.4, 0.4, False)),
        ("120 cases, 24 positive, .2 missing", imputed(120, 0.2, 0.2, True)),
    ):
        yield "AUC, 10 imputations", name, ask, auc


def populations_of_names():
    """The same of ``named``; true values are of large samples."""
    for asked, ask, lots in named():
        for name, draw in lots.items():

            def limits(rng, ask=ask, draw=draw):
                return ask(*draw(rng)).confidence_interval(LEVEL)

            yield asked, name, limits, float(ask(*draw(np.random.default_rng(0), LARGE // 4)).estimate)


def covered(ask, true, runs):
    """The share of samples whose limits contain the true value, and either kind of miss."""
    low, high = np.array([ask(np.random.default_rng(seed + 1)) for seed in range(runs)], dtype=float).T
    above, below = np.mean(low > true + 1e-9), np.mean(high < true - 1e-9)
    return 1 - above - below, above, below, np.median(high - low)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="20 samples a population, written nowhere")
    quick = parser.parse_args().quick
    lines = ["| asked | population | true | covered | too high | too low | median width |", "| --- " * 7 + "|"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for asked, name, ask, true in (*populations(), *populations_of_names()):
            numbers = " | ".join(f"{number:.3f}" for number in (true, *covered(ask, true, 20 if quick else RUNS)))
            lines.append(f"| {asked} | {name} | {numbers} |")
            print(lines[-1], flush=True)
    words = (
        f"# What is asked for by name\n\nThe share of {RUNS} samples whose default interval at {LEVEL} contains the "
        "true value (s.e. .010), how often it lies too high or too low, and its median width. Written by "
        "`python benchmarks/asked.py`.\n"
    )
    if not quick:
        RESULT.write_text("\n".join([words, *lines, "", machine("numpy", "scipy", "skcostci"), ""]))


if __name__ == "__main__":
    main()
