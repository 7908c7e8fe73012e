"""What a file of scores holds, and reports that say what the public functions say, of weighted and grouped rows too."""

import json
import re
from itertools import cycle
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from matplotlib.figure import Figure
from numpy.testing import assert_allclose
from test_main import ONE, Page, compare, folder, numbers, refused, write  # noqa: F401 -- folder is for every test

import skcostci as sk
from skcostci.__main__ import main


def cases(n=150, names=("good", "bad"), shifts=(3, 1)):
    rng = np.random.default_rng(0)
    positive = rng.integers(0, 2, n) == 1
    return positive, {name: rng.normal(size=n) + shift * positive for name, shift in zip(names, cycle(shifts))}


RATE = "sensitivity_at_specificity"
USUAL = ("roc_auc", f"{RATE}:0.9", "cost")


def told(capsys, positive, scores, **options):
    """What the command line says of scores in a file, options by their names."""
    path = write("file", {"ill": positive.astype(int), **{f'"{name}"': column for name, column in scores.items()}})
    asked = [path, "--y-true", "ill", *(part for name in scores for part in ("--score", name))]
    for name, values in {"metrics": USUAL, **options}.items():
        asked += [f"--{name.replace('_', '-')}", *(values if isinstance(values, tuple) else (values,))]
    return compare(capsys, *asked).splitlines()


def test_the_table_says_what_the_results_say(capsys):
    y, columns = cases()
    said = told(capsys, y, columns, metrics=USUAL, confidence_level=0.9, prevalence=0.3, cost_fn=2, cost_fp=1)
    w = sk.probability_cost(0.3, 2, 1)
    results = []
    for name, at, options in (("auc", "", {}), ("roc", "_at_fpr", {"fpr": 0.1}), ("cost", "", {"probability_cost": w})):
        results += [getattr(sk, f"bootstrap_{name}{at}")(y, score, **options) for score in columns.values()]
        results += [getattr(sk, f"bootstrap_{name}_difference{at}")(y, *columns.values(), **options)]
    rows = [line for line in said if re.match("  (good|bad|difference) .* to ", line) and "PC(+)" not in line]
    for name, row, found in zip(["good", "bad", "difference"] * 3, rows, results, strict=True):
        low, high = found.confidence_interval(0.9)
        p = [f"{p:.4f}" if (p := found.pvalue()) >= 1e-4 else "<0.0001"] if name == "difference" else []
        assert row.split() == [name, f"{float(found):.3f}", f"{low:.3f}", "to", f"{high:.3f}", *p]
    assert said[0] == f"file: 150 cases, {y.sum()} positive (ill = 1)"
    assert said[1].startswith("90 % intervals")
    assert "Prevalence 0.3 (as stated), a miss costs 2, a false alarm 1." in said
    assert "Normalized cost: 1 is everything wrong, 1.3 a case in these units." in said
    thresholds = [f"{cost.thresholds:.4g}" for cost in results[-3:-1]]
    assert [line.split()[-1] for line in said if "positive from a score" in line][-2:] == thresholds


def test_of_three_models_each_pair_has_a_row_and_the_best_are_named(capsys):
    y, columns = cases(120, names=("good", "bad", "as good"), shifts=(3, 1, 2.9))
    said = told(capsys, y, columns, metrics=("roc_auc", "f1"))
    comparison = sk.compare_models(y, columns)
    together = comparison.differences
    place = next(i for i, line in enumerate(said) if line.startswith("Area under"))
    found = zip(together.names, together.estimate, *together.confidence_interval(), together.pvalue(), strict=True)
    for row, (name, *ends, p) in zip(said[place + 4 : place + 7], found, strict=True):
        estimate, low, high = (f"{number:.3f}" for number in ends)
        assert row.split() == [*name.split(), estimate, low, "to", high, f"{p:.4f}" if p >= 1e-4 else "<0.0001"]
    assert comparison.may_be_best() == ("good", "as good")
    assert said[place + 7] == "  may be best (95 %): good, as good"
    assert not any("Significantly" in line or line.startswith("  difference") for line in said)
    place = next(i for i, line in enumerate(said) if line == "Metrics of labels, on these cases")
    assert said[place + 1].split() == ["good", "positive", "from", "a", "score", "of", "0.5"]


def test_where_a_model_is_cheaper_is_said_in_words(capsys):
    y, columns = cases()
    said = told(capsys, y, columns, prevalence=0.25)
    ((low, high),) = sk.bootstrap_cost_difference(y, *columns.values()).significant(simultaneous=True).a
    assert f"  {'good':<40}PC(+) from {low:.2f} to {high:.2f}" in said
    assert f"  {'bad':<40}nowhere" in said
    ratios = [f"{3 * w / (1 - w):.3g}" for w in (low, high)]
    words = " ".join(" ".join(said).split())
    assert f"At prevalence 0.25: good where a miss costs {' to '.join(ratios)} times a false alarm." in words


@pytest.mark.slow
def test_lines_fit_a_terminal(capsys):
    names = "a very long name of a column, " * 4 + "1", "another\nname of some length, that is also too long"
    lines = told(capsys, *cases(60, names))
    assert max(map(len, lines)) <= 80
    shown = [line[2:42].strip() for line in lines if re.match("  a.*[0-9] to [0-9]", line)]
    assert shown[:2] == ["a very long name...e of a column, 1", "another name of ...is also too long"]
    many = tuple(f"{name} {i}" for i, name in enumerate(names * 2))
    assert max(map(len, told(capsys, *cases(60, many), metrics=(*USUAL, "f1")))) <= 80


@pytest.mark.parametrize(
    ("labels", "pos_label", "positive", "called"),
    [
        ("1.0 0 1 0.0 1e0", None, "1.0 1 1e0", 1),
        ("-1 1 1 -1 -1.0", None, "1", 1),
        ("TRUE false true False false", None, "TRUE true", 1),
        ("1 0 1 0 0.0", "0.0", "0 0.0", 0),
        ("1 0 1 0 0", "true", "1", 1),
        ("x y x y y", "y", "y", "y"),
        ("1 2 1 2 2", "2", "2", 2),
        ("0.5 1 0.5 1 1", "0.5", "0.5", 0.5),
        ("inf x inf x x", "inf", "inf", "inf"),
        ("None x None x x", "None", "None", "None"),
    ],
)
def test_labels_are_what_they_mean(capsys, labels, pos_label, positive, called):
    path = write("scores.csv", {"outcome": (labels := labels.split()), "a": range(len(labels))})
    said = numbers(capsys, path, *ONE, *(() if pos_label is None else ("--pos-label", pos_label)))
    made, which = said["made"], np.isin(labels, positive.split())
    assert (made["pos_label"], type(made["pos_label"])) == (called, type(called))
    assert made["n_positive"] == which.sum()
    assert said["rows"][0]["estimate"] == float(sk.bootstrap_auc(which, np.arange(len(labels))))


PLAIN = "y,a,note\n1,0.5,x\n0,-2e3,z\n0,1,z\n"


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        "\ufeff" + PLAIN,
        PLAIN.replace("\n", "\r\n"),
        "\n\n" + PLAIN.replace("\n", "\n\n") + "\n  \n",
        PLAIN.replace(",", ";"),
        PLAIN.replace(",", ", "),
        'note,"y","a"\n"x, ""or"" \n\ny",1,"0.5"\n"",0,"-2000"\n,0,1',
        "note,a;b,y,a\n;,2,1,0.5\n,2,0,-2000\n,,0,1\n",
    ],
)
def test_csv_as_it_comes(capsys, text):
    Path("scores.csv").write_bytes(text.encode())
    asked = ("scores.csv", "--y-true", "y", "--score", "a", "--prevalence", 0.2)
    lines = compare(capsys, *asked, "--metrics", f"{RATE}:0.01", "cost", "roc_auc").splitlines()
    assert lines[0].endswith("3 cases, 1 positive (y = 1)")
    said = [line.split(maxsplit=1) for line in lines if line.startswith("  a  ")]
    assert float(sk.bootstrap_roc_at_fpr([1, 0, 0], [0.5, -2000, 1], fpr=0.99).threshold) == -2000
    assert ["a", "positive from a score of -2000"] in said
    assert ["a", "nobody is positive"] in said
    assert said[-2][1].startswith("0.500 ")


def test_lines_are_counted_across_blocks_blank_lines_and_quoted_breaks(capsys):
    rows = ["", "outcome,a,note", *(f"{i % 2},{i},x" for i in range(5000)), "", '1,2,"two\nlines"', "0,oops,x"]
    Path("scores.csv").write_text("\n".join(rows))
    assert "line 5006, column 'a': 'oops' is not a number" in refused(capsys, "scores.csv", *ONE)


@pytest.mark.parametrize("places", [0, 300])
def test_every_digit_is_read(capsys, places):
    """Scores that differ in the last bit alone are told apart."""
    score = np.random.default_rng(0).random() * 10.0**-places
    path = write("scores.csv", {"outcome": [0, 1] * 20, "a": [score, float(np.nextafter(score, 1))] * 20})
    assert numbers(capsys, path, *ONE, "--metrics", "roc_auc")["rows"][0]["estimate"] == 1


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
    said, lines, shown = made.to_dict(), str(made).splitlines(), Page(made.to_html())
    below = dict(zip(shown.headings, shown.rows, strict=True))
    headings = [heading for heading, table in below.items() if table]
    asked = list(dict.fromkeys(row["metric"] for row in said["rows"]))
    assert len(headings) == len(asked)
    for heading, name in zip(headings, asked, strict=True):
        place = next(i for i, line in enumerate(lines) if line.startswith(heading + " "))
        ours = [row for row in said["rows"] if row["metric"] == name]
        for offset, (row, each) in enumerate(zip(("a", "b", "difference"), ours, strict=True), 1):
            assert below[heading][offset] == [row, *rounded(each)], name
            assert lines[place + offset].split() == [row, *" ".join(rounded(each)).split()], name


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
        for ax, display in ((roc, sk.ROCConfidenceDisplay), (cost, sk.CostCurveDisplay)):
            more = {"averaging": averaging} if ax is roc else {}
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
