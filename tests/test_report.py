"""What a file of scores holds, and reports that say what the public functions say, of weighted and grouped rows too."""

import json
import re
from itertools import cycle
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from matplotlib.figure import Figure
from numpy.testing import assert_allclose
from sklearn.metrics import f1_score
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
WORDS += ("validation", "calibration_slope", "calibration_intercept", "observed_expected")  # below
WORDS += ("aurc",)  # in test_average_precision
WORDS += ("ranked_probability_score", "mean")  # in test_names
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
    assert [line.get_label() for line in roc.get_lines()].count("Chance level (AUC = 0.5)") == 1
    rules = {"thresholds": ("envelope", "envelope"), "band": "simultaneous"}
    apart = sk.PairedCostDifferenceDisplay.from_predictions(y, a, b, ax=Figure().subplots(), **rules, **options)
    assert_allclose(edges(paired.collections[0]), edges(apart.fill_between_), rtol=1e-11, atol=1e-14)


def edges(band):
    """The outline of a band."""
    return np.concatenate([path.vertices for path in band.get_paths()])


GENERATOR = np.random.default_rng(7)
Y = GENERATOR.integers(0, 2, 60)
A = np.round(1 / (1 + np.exp(-(GENERATOR.normal(size=60) + 1.5 * Y - 0.7))), 3)
B = np.round(1 / (1 + np.exp(-(GENERATOR.normal(size=60) + 0.8 * Y - 0.4))), 3)
SITE = np.where(np.arange(60) < 25, "north", "south")
TWO = {"a": A, "b": B}


def one_row(frame, **where):
    for name, value in where.items():
        frame = frame[frame[name] == value]
    assert len(frame) == 1
    return frame.iloc[0]


def assert_row(row, result, level=0.95):
    low, high = result.confidence_interval(level)
    assert_allclose(
        [row.estimate, row.standard_error, row.low, row.high], [float(result), result.standard_error, low, high]
    )


def test_a_subgroup_of_one_class_is_undefined_where_classes_are_compared_and_answered_where_not(undrawn):
    where = np.where((Y == 1) & (np.arange(60) < 30), "clinic", "home")
    made = sk.report(Y, A, by=where, metrics=("roc_auc", "recall", "cost"))
    frame = made.to_frame()
    clinic = where == "clinic"
    recall = sk.bootstrap_metric(Y[clinic], A[clinic], "recall", thresholds=0.5)
    assert_row(one_row(frame, model="clinic", metric="recall"), recall)
    for metric in ("auc", "cost"):
        row = one_row(frame, model="clinic", metric=metric)
        assert (np.isnan(row.estimate), row.low, row.high, row.note) == (True, 0, 1, "undefined (no negatives)")
        assert one_row(frame, model="clinic - home", metric=metric).p == 1
    assert "undefined (no negatives)" in str(made)
    assert "undefined (no negatives)" in made.to_html()


def test_three_models_and_three_subgroups_are_adjusted_for_their_number():
    models, by, weights = pd.DataFrame({**TWO, "c": A**2 + 0.1 * B}), np.arange(60) % 3, 1 + np.arange(60) // 3 % 3
    frame = sk.report(Y, models, metrics=("roc_auc", "cost")).to_frame()
    for metric, options in (("auc", {}), ("cost", {"probability_cost": Y.mean()})):
        compared = sk.compare_models(Y, models, metric, **options)
        rows = frame[frame.metric == metric]
        assert rows.model.tolist() == ["a", "b", "c", *compared.differences.names]
        assert_allclose(rows.p.to_numpy()[3:], compared.differences.pvalue())
        assert_allclose([rows.low[3:], rows.high[3:]], compared.differences.confidence_interval())
    frame = sk.report(Y, A, by=by, sample_weight=weights, metrics=("roc_auc", "cost")).to_frame()
    w = np.average(Y, weights=weights)  # of all cases, for every subgroup
    compared = sk.compare_groups(Y, A, by, sample_weight=weights)
    assert_allclose(frame.p[frame.metric == "auc"].to_numpy()[3:], compared.differences.pvalue())
    alone = sk.bootstrap_cost(Y[by == 1], A[by == 1], probability_cost=w, sample_weight=weights[by == 1])
    assert_row(one_row(frame, model="1", metric="cost"), alone)


def test_of_one_class_what_needs_both_is_undefined():
    frame = sk.report([1, 1, 1, 1], [0.2, 0.6, 0.7, 0.9], metrics=("roc_auc", "recall")).to_frame()
    assert one_row(frame, metric="auc").note == "undefined (no negatives)"
    assert one_row(frame, metric="recall").estimate == 0.75
    with pytest.raises(ValueError, match=r"AUC: undefined \(no negatives\)"):
        sk.report([1, 1, 1, 1], [0.2, 0.6, 0.7, 0.9], metrics=("roc_auc",))


def test_text_page_notebook_and_dict_say_the_same_and_who_made_it(undrawn):
    made = sk.report(Y, TWO, metrics=("roc_auc", "sensitivity_at_specificity:0.9", "cost"), prevalence=0.2)
    row = made.to_frame().iloc[0]
    interval = f"{row.low:.3f} to {row.high:.3f}"
    for text in (str(made), made.to_html(), made._repr_html_()):
        assert f"{row.estimate:.3f}" in text
        assert interval in text
        assert f"skcostci {sk.__version__} on {made.date}" in text
        assert "prevalence=0.2" in text
        for title in ("extrapolated observation: ", "rank Beta: ", "after choosing: "):  # each with a sentence
            assert title in text
    told = json.loads(json.dumps(made.to_dict(), allow_nan=False))
    assert told["rows"][0]["estimate"] == row.estimate
    assert told["made"]["call"].startswith("skcostci.report(y_true, y_scores, metrics=")
    assert "<html" in made.to_html()
    assert "<html" not in made._repr_html_()


NO_NAME = "metrics must be names or Metrics, got f1_score. bootstrap_metric(y_true, y_pred, f1_score) and"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"metrics": ("rocauc",)}, "Use 'roc_auc' for 'rocauc'. "),
        ({"metrics": ("auc:2",)}, "max_fpr must be a number in [0, 1], got 2"),
        ({"metrics": ("auc:x",)}, "metrics must have a number after the colon of 'auc', got 'auc:x'"),
        ({"metrics": ("sensitivity_at_specificity",)}, "'sensitivity_at_specificity:specificity', got"),
        ({"metrics": ("f1",), "thresholds": None}, "'f1' is a metric of labels: it needs thresholds"),
        ({"thresholds": {"a": 0.5, "b": 0.5, "c": 0.1}}, "thresholds must name models, 'a', 'b', got 'c'."),
        ({"metrics": ()}, "metrics must be a name, a Metric or a sequence of these, got ()."),
        ({"metrics": f1_score}, NO_NAME),
        ({"metrics": ("f1", f1_score)}, NO_NAME),
        ({"metrics": {"f1"}}, "metrics must be a name, a Metric or a sequence of these"),
        ({"by": SITE}, "by compares subgroups for one model"),
        ({"y_true": None}, "metrics: 'roc_auc' needs y_true; metrics='mean', by itself and of values alone, needs"),
        ({"y_true": None, "metrics": ("mean", sk.Metric.fbeta(2))}, "metrics: 'f2' needs y_true; metrics='mean'"),
        ({"metrics": ("mean", "f1")}, "metrics: 'f1' needs y_true; metrics='mean', by itself"),
        ({"metrics": "mean"}, "y_true must be None for 'mean'"),
        ({"y_true": None, "metrics": "mean", "cost_fn": 2}, "cost_fn is for two classes, but means have none: leave"),
        ({"y_true": None, "metrics": "mean", "proxy": Y}, "proxy= is available for AUCs, metrics of labels and losses"),
    ],
)
def test_what_is_wrong_is_said_in_the_callers_words(options, said):
    with pytest.raises(TypeError if "f1_score" in said else ValueError, match=re.escape(said)):
        sk.report(**{"y_true": Y, "y_scores": TWO, **options})


def test_one_metric_may_stand_by_itself_and_several_in_any_sequence():
    for metrics in ("f1", np.array(["f1"]), (each for each in ["f1"]), pd.Series(["f1"])):
        made = sk.report(Y, A, metrics=metrics)
        assert_row(one_row(made.to_frame(), metric="f1"), sk.bootstrap_metric(Y, A, "f1", thresholds=0.5))
        assert made.call == "skcostci.report(y_true, y_scores, metrics=('f1',))"
    half = sk.Metric((1, 0, 0, 0), (1, 1, 0, 0), name="half")
    assert sk.report(Y, A, metrics=half).to_frame().metric.tolist() == ["half"]
    with pytest.raises(ValueError, match="are y_true and y_scores swapped"):
        sk.report(A, Y)


def test_a_page_is_no_file_and_says_how_it_becomes_one():
    way_out = re.escape("use pathlib.Path('report.html').write_text(report.to_html(), encoding='utf-8').")
    with pytest.raises(TypeError, match=rf"writes no file, got 'report\.html': {way_out}"):
        sk.report(Y, A, metrics="f1").to_html("report.html")


@pytest.mark.filterwarnings("ignore:Glyph .* missing from")
def test_letters_that_steer_or_cannot_be_written_are_written_out(undrawn):
    steering = "\x1b[31m\0\x9b\u061c\u200e\u200f\u202a\u202e\u2066\u2069\ud800\udfff"
    names = {f"a{steering}": A, f"{steering}b": B}
    labels = np.where(Y, f"yes{steering}", "no")
    made = sk.report(labels, names, pos_label=f"yes{steering}", metrics=("roc_auc", "cost", "f1"))
    for text in (str(made), made.to_html(), made._repr_html_()):
        assert not set(text) & set(steering.replace("[31m", ""))
        assert "\\x1b[31m\\x00" in text
        assert text.encode()


@pytest.mark.parametrize("command", [["compare", "--help"], ["demo", "--help"]])
def test_help_fits_a_screen_and_has_two_examples(command, capsys):
    with pytest.raises(SystemExit, match="0"):
        main(command)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 80
    examples = lines[lines.index("examples:") :]
    assert sum("python -m skcostci" in line for line in examples) == 2


@pytest.mark.parametrize(
    ("word", "ask"),
    [
        ("auc:0.3", lambda a: sk.bootstrap_auc(Y, a, max_fpr=0.3)),
        ("average_precision", lambda a: sk.bootstrap_average_precision(Y, a)),
        ("specificity_at_sensitivity:0.8", lambda a: sk.bootstrap_roc_at_tpr(Y, a, sensitivity=0.8)),
        ("sensitivity_at_specificity:0.8", lambda a: sk.bootstrap_roc_at_fpr(Y, a, specificity=0.8)),
        ("tpr_at_fpr:0.3", lambda a: sk.bootstrap_roc_at_fpr(Y, a, fpr=0.3)),
        ("fpr_at_tpr:0.8", lambda a: sk.bootstrap_roc_at_tpr(Y, a, tpr=0.8)),
        ("ppv", lambda a: sk.bootstrap_metric(Y, np.asarray(a) >= 0.5, "precision", sampling="full")),
    ],
)
def test_each_word_is_the_librarys_own_number(word, ask):
    made = sk.report(Y, TWO, metrics=(word,))
    for name, found in zip("ab", made.rows, strict=False):
        result = ask(TWO[name])
        assert (found["model"], found["estimate"]) == (name, float(result.estimate))
        assert (found["low"], found["high"]) == tuple(map(float, result.confidence_interval()))
    assert made.to_frame()["p"].notna().sum() == 1  # of the difference


def test_an_external_validation_is_one_table():
    risks, sites = {name: np.clip(each, 0.05, 0.95) for name, each in TWO.items()}, np.arange(len(Y)) % 3
    frame = sk.report(Y, risks, metrics="validation", thresholds=[0.2, 0.4]).to_frame()
    assert frame["metric"].value_counts().tolist() == [6, 3, 3, 2, 2, 2]  # net benefits, with differences; no others
    for name, y_proba in risks.items():
        calibration = sk.bootstrap_calibration(Y, y_proba)
        found = calibration.slope, calibration.intercept, calibration.observed_expected
        for word, result in zip(
            ("calibration_slope", "calibration_intercept", "observed_expected"), found, strict=True
        ):
            assert_row(one_row(frame, model=name, metric=word), result)
            assert sk.bootstrap_metric(Y, y_proba, word) == result
        benefit = sk.bootstrap_metric(Y, y_proba, "net_benefit", thresholds=0.4)
        assert_row(one_row(frame, model=name, metric="net_benefit", at="threshold 0.4"), benefit)
    assert str(sk.report(Y, risks["a"], metrics=("brier", "observed_expected"), by=sites)).count("may be best") == 1
    slopes = sk.compare_groups(Y, risks["a"], sites, "calibration_slope")
    assert slopes.may_be_best(0.01) == slopes.models  # neither more nor less is better
    shown = sk.ModelComparisonDisplay.from_comparison(slopes)
    assert (shown.models, shown.ax_.get_legend(), slopes.to_dict()["may_be_best"]) == (slopes.models, None, None)
    weighted, parts = {"sample_weight": np.ones(len(Y)), "weight_type": "importance"}, np.arange(len(Y)) % 3
    for y_true, scores, how in ((Y, risks["a"], weighted), (parts, parts, {})):
        with pytest.raises(ValueError, match="calibration_slope and calibration_intercept, of 'validation' too"):
            sk.report(y_true, scores, metrics="validation", **how)
    with pytest.raises(ValueError, match=r"calibration_intercept needs .*; with folds use observed_expected"):
        sk.bootstrap_metric(Y, risks["a"], "calibration_intercept", folds=parts)
    with pytest.raises(ValueError, match="Calibration slope: neither more nor less is better, as a scorer needs"):
        sk.make_bound_scorer("calibration_slope")
    with pytest.raises(ValueError, match="available for one model only"):
        sk.compare_models(Y, risks, "calibration_slope")
    with pytest.raises(ValueError, match=r"a: must contain probabilities, in \[0, 1\], got 5"):
        sk.report(Y, {"a": [5, *A[1:]]}, metrics="observed_expected")


def test_a_number_of_a_word_is_said_beside_it():
    made = sk.report(Y, A, metrics=("auc", "auc:0.3", "roc_auc:0.3", "auc:0.5", "specificity_at_sensitivity:0.8"))
    assert made.to_frame()["at"].tolist() == ["", "max_fpr 0.3", "max_fpr 0.5", "sensitivity 0.8"]
    assert "AUC up to FPR 0.3, standardized" in str(made)
    assert "Specificity at sensitivity 0.8" in made.to_html()


def test_other_names_of_a_metric_are_the_metric_and_no_other_statistic():
    made = sk.report(Y, TWO["a"], metrics=("sensitivity_at_specificity:0.7", "sensitivity", "recall", "tpr", "ppv"))
    assert made.to_frame()["metric"].tolist() == ["sensitivity_at_specificity", "recall", "precision"]
    assert made.to_frame()["method"].tolist()[:2] == ["rank_beta", "clopper_pearson"]
    assert "Metrics of labels, on these cases" in str(made)


@pytest.mark.parametrize(
    ("scores", "error", "called"),
    [
        (np.where(np.arange(len(Y)) == 0, np.nan, 0.5), ValueError, "y_scores must be finite"),
        (np.ones((len(Y), 2)), ValueError, "y_scores must be one-dimensional"),
        ({"a": A, "b": list("x" * len(Y))}, TypeError, "y_scores['b'] must contain real numbers"),
        ({1: A, "1": B}, ValueError, "y_scores must have distinct names"),
        ({}, ValueError, "y_scores must contain from 1 to 50 models, got 0"),
    ],
)
def test_scores_are_called_by_the_parameter_and_none_is_lost(scores, error, called):
    with pytest.raises(error, match="^" + re.escape(called)):
        sk.report(Y, scores)
