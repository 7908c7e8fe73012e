"""The report says what the public functions say: each statistic, of weighted and grouped rows, from any file."""

import json
import re
from html.parser import HTMLParser

import numpy as np
import polars as pl
import pytest
from matplotlib.figure import Figure
from numpy.testing import assert_allclose

import skcostci as sk
from skcostci.__main__ import main

WORDS = ("roc_auc", "auc", "average_precision", "cost", "brier", "log_loss")  # those with a number end in a colon
WORDS += ("gini", "ks", "eer", "squared_error", "absolute_error", "zero_one", "brier_skill")  # in test_names
WORDS += ("validation", "calibration_slope", "calibration_intercept", "observed_expected")  # in test_report_function
WORDS += ("aurc",)  # in test_average_precision
WORDS += ("ranked_probability_score",)  # in test_names
WORDS += ("pearson", "spearman")  # in test_correlation


def metrics_there_are():
    """The names that the report says there are."""
    with pytest.raises(ValueError, match="none-of-them") as said:
        sk.report([0, 1], [0, 1], metrics="none-of-them")
    found = re.findall(r"'(\w+)'", str(said.value).partition(", got ")[0])
    return [name for name in found[: found.index("sensitivity")] if name not in WORDS]  # other names of these follow


METRICS = metrics_there_are()
LATE = ("lr_positive", "lr_negative", "diagnostic_odds_ratio", "lift")  # their differences take a second
SOME = [name for name in METRICS if name not in LATE][::5]
QUICK = [name for name in METRICS if name not in LATE]
LOSSES = ("brier", "log_loss")  # of scores that are risks
RNG = np.random.default_rng(4)
RATE = "sensitivity_at_specificity"
N, LEVEL, CUTS, SPECIFICITY = 27, 0.9, (0.543, 0.471), 0.7
OUTCOME = RNG.integers(0, 2, N)


def as_risks(scores):
    """From 0 to 1, which net benefits take."""
    return ((scores + 3) / 7).round(3)


TABLE = {
    "outcome": OUTCOME,
    "a": as_risks((RNG.normal(size=N) + 1.2 * OUTCOME).round(1)),
    "b": as_risks((RNG.normal(size=N) + 0.6 * OUTCOME).round(1)),
    "times": RNG.integers(0, 4, N),
    "patient": np.arange(N) // 3,
}
MISSING = np.arange(N) % 11 == 5
ASKED = {  # what is asked of the command line, and what that means for the rows
    "plain": ((), {}),
    "weights": (("--sample-weight", "times"), {"sample_weight": "times"}),
    "groups": (("--groups", "patient"), {"groups": "patient"}),
    "both": (("--sample-weight", "times", "--groups", "patient"), {"sample_weight": "times", "groups": "patient"}),
}


def written(path, columns, holes=False):
    """A file of the table; the scores of some rows may be missing."""
    frame = pl.DataFrame(columns).with_columns(
        pl.when(pl.Series(MISSING & holes)).then(None).otherwise(pl.col("b")).alias("b")
    )
    getattr(frame, f"write_{path.suffix[1:]}")(path)
    return str(path)


def report(capsys, path, *more):
    main(["compare", path, "--y-true", "outcome", "--score", "a", "--score", "b", *map(str, more)])
    printed = capsys.readouterr()
    assert printed.err == ""
    return printed.out


def asked_for(metrics):
    words = ("roc_auc", "cost", f"{RATE}:{SPECIFICITY}", *metrics, *LOSSES)
    return ("--metrics", *words, "--thresholds", f"a={CUTS[0]}", f"b={CUTS[1]}")


def expected(result):
    """The numbers of a result, infinite ones as texts."""
    low, high = result.confidence_interval(LEVEL)
    found = {"estimate": float(result), "standard_error": result.standard_error, "low": low, "high": high}
    found["p"] = result.pvalue() if hasattr(result, "equivalence") else None
    return {name: "Infinity" if value == np.inf else value for name, value in found.items()}


def results(kind, rows, condition, metrics):
    """Of each statistic the results of both models and of their difference, from the public functions."""
    sample = {name: TABLE[column][rows] for name, column in ASKED[kind][1].items()}
    y, a, b = (TABLE[name][rows] for name in ("outcome", "a", "b"))
    found = {"auc": (sk.bootstrap_auc, sk.bootstrap_auc_difference, (), [{}] * 3)}
    found["cost"] = (sk.bootstrap_cost, sk.bootstrap_cost_difference, (), [{"probability_cost": condition}] * 3)
    if "groups" not in sample:
        at = [{"specificity": SPECIFICITY}] * 3
        found[RATE] = (sk.bootstrap_roc_at_fpr, sk.bootstrap_roc_difference_at_fpr, (), at)
    for name in metrics:
        cuts = [{"thresholds": cut} for cut in (*CUTS, CUTS)]
        found[name] = (sk.bootstrap_metric, sk.bootstrap_metric_difference, (name,), cuts)
    for name in LOSSES:
        found[name] = (sk.bootstrap_loss, sk.bootstrap_loss_difference, (name,), [{}] * 3)
    for name, (of_one, of_two, kinds, options) in found.items():
        of_a, of_b = (of_one(y, each, *kinds, **asked, **sample) for each, asked in zip((a, b), options, strict=False))
        yield name, of_a, of_b, of_two(y, a, b, *kinds, **options[2], **sample)


@pytest.mark.parametrize(
    ("kind", "ending", "holes", "metrics"),
    [
        ("plain", "csv", False, QUICK[::2]),
        ("both", "parquet", True, QUICK[1::2]),
        pytest.param("groups", "csv", True, METRICS, marks=pytest.mark.slow),
        pytest.param("weights", "parquet", False, SOME, marks=pytest.mark.slow),
    ],
    ids=lambda part: f"{len(part)} metrics" if isinstance(part, list) else None,
)
def test_every_statistic_of_the_report_is_that_of_the_library(tmp_path, capsys, kind, ending, holes, metrics):
    path = written(tmp_path / f"scores.{ending}", TABLE, holes)
    options = (*ASKED[kind][0], *asked_for(metrics), "--confidence-level", LEVEL)
    said = json.loads(report(capsys, path, *options, *["--drop-missing"] * holes, "--json"))
    rows, made = ~(MISSING & holes), said["made"]
    assert made["n_rows_dropped"] == (MISSING & holes).sum()
    weights = TABLE["times"][rows] if "sample_weight" in ASKED[kind][1] else np.ones(rows.sum())
    assert made["n_cases"] == weights.sum()
    assert made["n_positive"] == weights[TABLE["outcome"][rows] == 1].sum()
    met = set()
    for name, *found in results(kind, rows, made["n_positive"] / made["n_cases"], metrics):
        ours = [row for row in said["rows"] if row["metric"] == name]
        for row, model, result in zip(ours, ("a", "b", "a - b"), found, strict=True):
            assert (row["model"], row["method"]) == (model, result.methods[0])
            wanted = {end: each for end, each in expected(result).items() if each is not None}
            assert {end: row[end] for end in wanted} == pytest.approx(wanted, rel=1e-12, abs=1e-15)
        met.add(name)
    assert met == {row["metric"] for row in said["rows"]}
    assert met | {RATE} == {"auc", "cost", RATE, *metrics, *LOSSES}
    assert len(METRICS) > 10


class Tables(HTMLParser):
    """The headings of a page and the rows of the table below each."""

    def __init__(self, page):
        super().__init__()
        self.headings, self.rows, self.tag = [], [], None
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tag = tag
        if tag == "h2":
            self.rows.append([])
        if tag == "tr":
            self.rows[-1].append([])

    def handle_endtag(self, tag):
        self.tag = None

    def handle_data(self, data):
        if self.tag == "h2":
            self.headings.append(data)
        if self.tag == "td":
            self.rows[-1][-1].append(data)


def rounded(numbers):
    """As tables have them: three decimals."""
    estimate, low, high = (float(numbers[k]) for k in ("estimate", "low", "high"))
    p = [] if numbers["p"] is None else ["<0.0001" if numbers["p"] < 1e-4 else f"{numbers['p']:.4f}"]
    return [f"{estimate:.3f}".replace("-0.000", "0.000"), f"{low:.3f} to {high:.3f}".replace("-0.000", "0.000"), *p]


def test_text_and_page_have_the_numbers_of_the_json_below_the_heading_of_each_statistic(undrawn):
    words = ("roc_auc", "cost", f"{RATE}:{SPECIFICITY}", *SOME, *LOSSES)
    cuts = dict(zip("ab", CUTS, strict=True))
    scores = {name: TABLE[name] for name in cuts}
    made = sk.report(OUTCOME, scores, metrics=words, thresholds=cuts, sample_weight=TABLE["times"])
    said, lines, shown = made.to_dict(), str(made).splitlines(), Tables(made.to_html())
    below = dict(zip(shown.headings, shown.rows, strict=True))
    headings = [heading for heading, table in below.items() if table]
    asked = list(dict.fromkeys(row["metric"] for row in said["rows"]))
    assert len(headings) == len(asked)
    for heading, name in zip(headings, asked, strict=True):
        place = next(i for i, line in enumerate(lines) if line.startswith(heading + " "))
        ours = [row for row in said["rows"] if row["metric"] == name]
        for offset, (row, numbers) in enumerate(zip(("a", "b", "difference"), ours, strict=True), 1):
            assert below[heading][offset] == [row, *rounded(numbers)], name
            assert lines[place + offset].split() == [row, *" ".join(rounded(numbers)).split()], name


@pytest.mark.parametrize("kind", ["weights", "groups"])
def test_the_picture_has_the_curves_and_bands_of_the_library(tmp_path, capsys, undrawn, kind):
    path = written(tmp_path / "scores.csv", TABLE)
    asked = ("--metrics", "cost", "--confidence-level", LEVEL, "--output", tmp_path / "report.png")
    report(capsys, path, *ASKED[kind][0], *asked)
    roc, cost, paired = undrawn[0].axes
    sample = {name: TABLE[column] for name, column in ASKED[kind][1].items()}
    y, a, b = (TABLE[name] for name in ("outcome", "a", "b"))
    averaging = "threshold" if "groups" in sample else "fpr"
    options = {"confidence_level": LEVEL, **sample}
    for place, scores in enumerate((a, b)):
        for ax, display, more in (
            (roc, sk.ROCConfidenceDisplay, {"averaging": averaging}),
            (cost, sk.CostCurveDisplay, {}),
        ):
            alone = display.from_predictions(y, scores, ax=Figure().subplots(), **more, **options)
            drawn = [line for line in ax.get_lines() if line.get_label().lstrip().startswith("ab"[place])]
            assert_allclose(drawn[0].get_xydata(), alone.line_.get_xydata(), rtol=1e-13)
            assert_allclose(edges(ax.collections[place]), edges(alone.fill_between_), rtol=1e-11, atol=1e-14)
    rules = {"thresholds": ("envelope", "envelope"), "band": "simultaneous"}
    apart = sk.PairedCostDifferenceDisplay.from_predictions(y, a, b, ax=Figure().subplots(), **rules, **options)
    assert_allclose(edges(paired.collections[0]), edges(apart.fill_between_), rtol=1e-11, atol=1e-14)


def edges(band):
    """The outline of a band."""
    return np.concatenate([path.vertices for path in band.get_paths()])
