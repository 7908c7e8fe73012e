"""Figures 16 to 20 of Drummond & Holte (2006): confidence intervals of cost lines, from confusion matrices.

    python benchmarks/papers/drummond_holte.py           # seconds

Only Figure 16's matrix is given in words; the others are in pictures we could not read. Ours are chosen so that every
sentence about Figures 17, 19 and 20 holds.
"""

from __future__ import annotations

import numpy as np
from _pages import DOTTED, SOLID, panels, save, table, write_page

from skcostci import CostCurveDisplay, PairedCostDifferenceDisplay, bootstrap_cost, bootstrap_cost_difference

LEVEL = 0.9
W = np.linspace(0, 1, 101)
DRAWS = 100  # of the paper's pictures
POSITIVES, NEGATIVES = 100, 50
UPPER, LOWER = (13, 16), (7, 13)  # errors among the positives and among the negatives
BOTH = {"high": (7, 13), "low": (0, 0), "medium": (4, 3)}  # of them, errors that both classifiers make
SENTENCES = {
    "high": "does not contain zero: significant for all operating points (Figure 19 a)",
    "low": "much wider and includes zero: not significant (Figure 19 b)",
    "medium": "significant only if PC(+) > 0.7 (Figure 20)",
}


def one_classifier(positives: int, missed: int, negatives: int, alarms: int) -> tuple[np.ndarray, np.ndarray]:
    """Truth and 0/1 scores of cases with this confusion matrix."""
    errors = [missed, positives - missed, alarms, negatives - alarms]
    return np.repeat([1, 1, 0, 0], errors), np.repeat([0, 1, 1, 0], errors)


def layer(cases: int, upper: int, lower: int, both: int) -> np.ndarray:
    """A class's cells: both err, the upper only, the lower only, neither."""
    return np.array([both, upper - both, lower - both, cases - upper - lower + both])


def two_classifiers(both: tuple[int, int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Truth and 0/1 scores of both classifiers, which share so many errors among the positives and the negatives."""
    positive, negative = layer(POSITIVES, UPPER[0], LOWER[0], both[0]), layer(NEGATIVES, UPPER[1], LOWER[1], both[1])
    upper, lower = np.tile([1, 1, 0, 0], 2), np.tile([1, 0, 1, 0], 2)
    truth, cells = np.repeat([1, 0], 4), np.concatenate([positive, negative])
    return np.repeat(truth, cells), np.repeat(truth ^ upper, cells), np.repeat(truth ^ lower, cells)


# --- Figure 16 --------------------------------------------------------------------------------------------------------


def resampled_lines(rng: np.random.Generator, draws: int) -> np.ndarray:
    """The paper's recipe: cost lines of resampled confusion matrices, a row each."""
    fnr, fpr = rng.binomial(20, 4 / 20, draws) / 20, rng.binomial(10, 4 / 10, draws) / 10
    return np.multiply.outer(fnr, W) + np.multiply.outer(fpr, 1 - W)


def figure_16() -> tuple[str, str]:
    """100 resampled lines and their 5th from either side, over the exact interval; and their ends."""
    y_true, y_score = one_classifier(20, 4, 10, 4)
    lines = np.sort(resampled_lines(np.random.default_rng(16), DRAWS), axis=0)
    figure, axes = panels(1, 1, width=5.6, height=3.6)
    axes[0].plot(W, resampled_lines(np.random.default_rng(16), DRAWS).T, color="0.85", linewidth=0.5, zorder=0)
    for row, label in ((4, f"5th lowest and highest of {DRAWS} resamples"), (-5, None)):
        axes[0].plot(W, lines[row], label=label, **DOTTED)
    given = {"thresholds": 0.5, "method": "percentile", "confidence_level": LEVEL, "name": "16 of 20, 6 of 10 right"}
    CostCurveDisplay.from_predictions(y_true, y_score, ax=axes[0], plot_chance_level=False, **given, curve_kwargs=SOLID)
    axes[0].axvline(2 / 3, color="0.4", linewidth=0.8)
    axes[0].text(0.655, 0.02, "class distribution\nof the test set", ha="right", fontsize=8)
    axes[0].set_ylim(0, 0.9)
    return save(figure, "drummond_holte_figure16"), ends(y_true, y_score, lines)


def ends(y_true: np.ndarray, y_score: np.ndarray, lines: np.ndarray) -> str:
    """The intervals at a few operating conditions."""
    result = bootstrap_cost(y_true, y_score, thresholds=0.5, probability_cost=W)
    columns = [(lines[4], lines[-5])]
    default = result.methods[0]
    columns += [result.confidence_interval(LEVEL, method=method) for method in ("percentile", default)]
    rows = []
    for i in (0, 25, 50, 67, 75, 100):
        cells = [f"{low[i]:.3f} to {high[i]:.3f}" for low, high in columns]
        rows.append([f"{W[i]:.2f}", f"{result.estimate[i]:.3f}", f"{result.standard_error[i]:.4f}", *cells])
    names = f"5th of {DRAWS} resamples", "exact percentile", f'"{default}" (our default)'
    return table(["PC(+)", "cost", "standard error", *names], rows)


def narrowest() -> float:
    """Where the standard error of Figure 16's cost is least."""
    grid = np.linspace(0, 1, 2001)
    result = bootstrap_cost(*one_classifier(20, 4, 10, 4), thresholds=0.5, probability_cost=grid)
    return float(grid[np.argmin(result.standard_error)])


# --- Figures 17 to 20 -------------------------------------------------------------------------------------------------


def figure_17() -> str:
    """The intervals of both classifiers, whose shades add up where they overlap."""
    figure, axes = panels(1, 2, width=4.2, height=3.0)
    y_true, upper, lower = two_classifiers(BOTH["high"])
    given = {"thresholds": 0.5, "method": "percentile", "confidence_level": LEVEL, "plot_chance_level": False}
    for ax, title in zip(axes, ("(a) interval of the upper", "(b) both intervals, overlap dark"), strict=True):
        CostCurveDisplay.from_predictions(y_true, upper, ax=ax, name="upper", **given, curve_kwargs=SOLID)
        if title.startswith("(a)"):
            result = bootstrap_cost(y_true, lower, thresholds=0.5)
            CostCurveDisplay(
                probability_cost=result.probability_cost, cost=result.estimate, name="lower", pos_label=1
            ).plot(ax, plot_chance_level=False, curve_kwargs={"color": "0.0"})
        else:
            look = {"color": "0.0", "linestyle": "--"}
            CostCurveDisplay.from_predictions(y_true, lower, ax=ax, name="lower", **given, curve_kwargs=look)
        ax.set_title(title)
        ax.set_ylim(0, 0.7)
        ax.label_outer()
    return save(figure, "drummond_holte_figure17")


def figure_19_20() -> str:
    """The difference of the same two classifiers as their errors coincide more or less."""
    figure, axes = panels(1, 3, width=3.7, height=3.0)
    for ax, (correlation, both) in zip(axes, BOTH.items(), strict=True):
        given = {"thresholds": 0.5, "method": "percentile", "confidence_level": LEVEL}
        names = {"name_a": "upper", "name_b": "lower"}
        PairedCostDifferenceDisplay.from_predictions(
            *two_classifiers(both), ax=ax, **given, **names, curve_kwargs={"color": "0.0"}
        )
        ax.set_title(f"{correlation} correlation")
        ax.set_ylim(-0.3, 0.5)
        ax.label_outer()
    return save(figure, "drummond_holte_figure19_20")


def stretches(found: np.ndarray) -> str:
    return ", ".join(f"{low:.2f} to {high:.2f}" for low, high in found) or "nowhere"


def differences() -> str:
    """The sentences, and where the intervals leave out 0."""
    rows = []
    for correlation, both in BOTH.items():
        result = bootstrap_cost_difference(*two_classifiers(both), thresholds=0.5, probability_cost=W)
        default = result.methods[0]
        each = [result.significant(LEVEL, method=method, simultaneous=False) for method in ("percentile", default)]
        rows.append([correlation, SENTENCES[correlation], *(stretches(found.b) for found in each)])
    return table(["correlation", "the paper on the interval", "exact percentile", f'"{default}" (our default)'], rows)


def matrices() -> str:
    """Figure 18: the two layers."""
    rows = []
    for correlation, (positive, negative) in BOTH.items():
        for name, cells in (
            ("positives", layer(POSITIVES, UPPER[0], LOWER[0], positive)),
            ("negatives", layer(NEGATIVES, UPPER[1], LOWER[1], negative)),
        ):
            rows.append([correlation, name, *cells])
    return table(["correlation", "layer", "both err", "upper only", "lower only", "neither"], rows)


def sentence_17() -> str:
    """Where the upper interval includes the lower line, and whether the intervals overlap everywhere."""
    y_true, upper, lower = two_classifiers(BOTH["high"])
    a, b = (bootstrap_cost(y_true, score, thresholds=0.5, probability_cost=W) for score in (upper, lower))
    low, _ = a.confidence_interval(LEVEL, method="percentile")
    _, high = b.confidence_interval(LEVEL, method="percentile")
    return f"up to {W[low <= b.estimate].max():.2f}, and they overlap at {np.mean(high >= low):.0%} of the conditions"


TEXT = """## Figure 16: one classifier

{fig16}

{ends}

Agrees: a band that is broad at each end, and at PC(+) = 0 costs that are multiples of 1/10, at 1 of 1/20. The exact
interval is what the paper's converges to as the number of resamples grows; with {draws} the ends are off by up to
{noise:.2f}, a step of the lattice. The standard error (8) is least at PC(+) = {narrowest:.2f}: not at the class
distribution, .67, but, as the paper has it, between that and the rate with the smaller variance. (That sentence is
right for the variances P (1 - P) of a case, and wrong in general for the variances of the rates, P (1 - P) / m, which
it names.)

## Figure 17: two intervals

{fig17}

Upper classifier: {upper[0]} of {positives} positives and {upper[1]} of {negatives} negatives wrong; lower: {lower[0]}
and {lower[1]}. The paper: the upper interval includes the lower line for PC(+) < 0.5, and the intervals overlap
everywhere. Here it does {sentence17}.

## Figure 18: the three-dimensional confusion matrices

{matrices}

## Figures 19 and 20: the interval of the difference

{fig19}

{differences}

Agrees, with matrices made to. All three have the same two cost lines, so that no comparison of two intervals can tell
them apart; the law of the difference can. Our default asks for more, since it allows for a case that
was not seen: near PC(+) = 0 {discordant} discordant negatives, all in favour of the lower classifier, are the only
evidence.

The intervals are drawn by `CostCurveDisplay` and `PairedCostDifferenceDisplay`. What they lack for these pictures:
the vertical axis is rescaled by hand, a curve without an interval needs a display made by hand (Figure 17 a), and in
a row of panels their labels must be taken off the inner axes.
"""


def main() -> None:
    fig16, ends_16 = figure_16()
    y_true, y_score = one_classifier(20, 4, 10, 4)
    lines = np.sort(resampled_lines(np.random.default_rng(16), DRAWS), axis=0)
    exact = bootstrap_cost(y_true, y_score, thresholds=0.5, probability_cost=W)
    low, high = exact.confidence_interval(LEVEL, method="percentile")
    body = TEXT.format(
        fig16=fig16,
        ends=ends_16,
        draws=DRAWS,
        noise=max(np.abs(lines[4] - low).max(), np.abs(lines[-5] - high).max()),
        narrowest=narrowest(),
        fig17=figure_17(),
        upper=UPPER,
        lower=LOWER,
        positives=POSITIVES,
        negatives=NEGATIVES,
        sentence17=sentence_17(),
        matrices=matrices(),
        fig19=figure_19_20(),
        differences=differences(),
        discordant=UPPER[1] - LOWER[1],
    )
    write_page("drummond_holte", "Drummond & Holte (2006), Figures 16 to 20", body)


if __name__ == "__main__":
    main()
