"""The command line: what it prints and draws, and what it says when something is wrong."""

import gzip
import json
import os
import re
import signal
import subprocess
import sys
from contextlib import nullcontext, suppress
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from matplotlib.figure import Figure

import skcostci as sk
from skcostci.__main__ import main

PAGE = Path(__file__).parent.parent / "doc" / "command_line.md"
GOOD = "outcome,model_a,model_b\n1,0.9,0.4\n0,0.1,0.3\n1,0.8,0.9\n0,0.3,0.2\n"


def table(cases=120, seed=0):
    rng = np.random.default_rng(seed)
    outcome = rng.integers(0, 2, cases)
    scores = {name: (rng.normal(size=cases) + shift * outcome).round(1) for name, shift in (("a", 1.5), ("b", 0.7))}
    return {"outcome": outcome, **scores}


def write(path, columns, delimiter=","):
    rows = zip(*columns.values(), strict=True)
    lines = [delimiter.join(columns), *(delimiter.join(map(str, row)) for row in rows)]
    Path(path).write_text("\n".join(lines) + "\n")
    return str(path)


def compare(capsys, *arguments):
    main(["compare", *map(str, arguments)])
    printed = capsys.readouterr()
    assert printed.err == ""
    return printed.out


def numbers(capsys, *arguments):
    def refuse(constant):
        raise AssertionError(f"{constant} is not JSON")

    said = json.loads(compare(capsys, *arguments, "--json"), parse_constant=refuse)
    made = said["made"]
    assert made["version"] == sk.__version__
    assert made.pop("call").startswith("python -m skcostci compare ")
    return said


def row(said, model, metric, at=""):
    """The numbers of a model, or of a difference."""
    (found,) = (row for row in said["rows"] if (row["model"], row["metric"], row["at"]) == (model, metric, at))
    return found


SENSITIVITY = "sensitivity_at_specificity"
USUAL = ("--metrics", "roc_auc", f"{SENSITIVITY}:0.9", f"{SENSITIVITY}:0.95", "cost")


def message(capsys, *arguments):
    """What is said of wrong usage: one line, with exit status 2 and nothing on standard output."""
    with pytest.raises(SystemExit) as stopped:
        main(list(map(str, arguments)))
    assert stopped.value.code == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    return printed.err


TWO = ("--y-true", "outcome", "--score", "a", "--score", "b")


@pytest.mark.slow
def test_demo_prints_a_report_and_draws_a_picture_over_another_if_asked(tmp_path):
    (tmp_path / "skcostci-demo.png").write_text("mine")
    done = subprocess.run(
        [sys.executable, "-W", "error", "-W", "ignore::DeprecationWarning", "-m", "skcostci", "demo", "--overwrite"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.endswith("Picture: skcostci-demo.png\n")
    assert "Area under the ROC curve" in done.stdout
    assert "PC(+) = 0.357" in done.stdout
    assert "Significantly cheaper (95 %" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert done.stderr == ""
    picture = (tmp_path / "skcostci-demo.png").read_bytes()
    assert picture.startswith(b"\x89PNG")
    width, height = (int.from_bytes(picture[start : start + 4], "big") for start in (16, 20))
    assert height > 2 * width  # the panels are one below the other


def test_demo_replaces_a_file_only_if_asked(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("skcostci-demo.png").write_text("mine")
    assert "skcostci-demo.png: this file exists; pass --overwrite to replace it." in message(capsys, "demo")
    assert Path("skcostci-demo.png").read_text() == "mine"


@pytest.mark.parametrize("level", [0.95, 0.8])
def test_json_numbers_are_those_of_the_library(tmp_path, capsys, level):
    data = table()
    y, a, b = data.values()
    path = write(tmp_path / "scores.csv", data)
    words = ("--metrics", "roc_auc", f"{SENSITIVITY}:0.8", "cost", "--cost-fn", 5, "--prevalence", 0.1)
    said = numbers(capsys, path, *TWO, *words, "--confidence-level", level)
    w = sk.probability_cost(0.1, 5, 1)
    assert set(said) == {"made", "rows"}
    assert (said["made"]["n_cases"], said["made"]["n_positive"]) == (120, int(y.sum()))
    for model, score in (("a", a), ("b", b)):
        agree(row(said, model, "auc"), sk.bootstrap_auc(y, score), level)
        agree(row(said, model, "cost"), sk.bootstrap_cost(y, score, probability_cost=w), level)
        agree(row(said, model, SENSITIVITY, "specificity 0.8"), sk.bootstrap_roc_at_fpr(y, score, fpr=0.2), level)
    agree(row(said, "a - b", "auc"), sk.bootstrap_auc_difference(y, a, b), level)
    agree(row(said, "a - b", "cost"), sk.bootstrap_cost_difference(y, a, b, probability_cost=w), level)
    roc = sk.bootstrap_roc_difference_at_fpr(y, a, b, fpr=0.2)
    agree(row(said, "a - b", SENSITIVITY, "specificity 0.8"), roc, level)


def agree(said, result, level):
    low, high = result.confidence_interval(level)
    expected = {"estimate": float(result), "standard_error": result.standard_error, "low": low, "high": high}
    expected["p"] = result.pvalue() if hasattr(result, "equivalence") else None
    expected |= {"note": "", "confidence_level": level, "method": result.methods[0]}
    assert {name: said[name] for name in expected} == expected


CUTS = ("--thresholds", "a=0.5", "b=0.2")


@pytest.mark.parametrize("stated", [None, 0.1])
def test_metrics_are_those_of_the_library(tmp_path, capsys, stated):
    data = {name: 1 / (1 + np.exp(-np.asarray(each))) if name in "ab" else each for name, each in table().items()}
    y, a, b = data.values()
    more = () if stated is None else ("--prevalence", stated)
    names = ("kappa", "f1", "net_benefit")
    said = numbers(capsys, write(tmp_path / "scores.csv", data), *TWO, "--metrics", *names, *CUTS, *more)
    for name in names:
        for model, score, cut in (("a", a, 0.5), ("b", b, 0.2)):
            result = sk.bootstrap_metric(y, score, name, thresholds=cut, prevalence=stated)
            agree(row(said, model, name, f"threshold {cut}"), result, 0.95)
        pair = sk.bootstrap_metric_difference(y, a, b, name, thresholds=(0.5, 0.2), prevalence=stated)
        agree(row(said, "a - b", name), pair, 0.95)
    assert len(said["rows"]) == 9


def test_an_infinite_metric_is_so_in_json(tmp_path, capsys):
    path = write(tmp_path / "scores.csv", {"y": [0, 0, 0, 1, 1, 1], "a": [1, 2, 3, 2, 4, 5]})
    asked = (path, "--y-true", "y", "--score", "a", "--metrics", "lr_positive", "--thresholds", 4)
    (ratio,) = numbers(capsys, *asked)["rows"]
    assert (ratio["estimate"], ratio["high"]) == ("Infinity", "Infinity")
    assert ratio["low"] > 0
    assert any(line.split()[:2] == ["a", "inf"] for line in compare(capsys, *asked).splitlines())


def test_a_metric_without_a_value_is_undefined(tmp_path, capsys):
    path = write(tmp_path / "scores.csv", {"y": [0, 0, 0, 1, 1, 1], "a": [1, 2, 3, 2, 4, 5]})
    asked = (path, "--y-true", "y", "--score", "a", "--metrics", "precision", "--thresholds", 9)
    assert numbers(capsys, *asked)["rows"][0]["estimate"] is None
    lines = [line.split() for line in compare(capsys, *asked).splitlines()]
    assert ["a", "undefined", "0.000", "to", "1.000"] in lines
    assert ["a", "undefined", "(no", "predicted", "positives)"] in lines


def test_of_three_models_all_differences_hold_at_once(tmp_path, capsys):
    data = {**table(), "c": table(seed=1)["b"]}
    y, *scores = data.values()
    columns = dict(zip("abc", scores, strict=True))
    path = write(tmp_path / "scores.csv", data)
    said = numbers(capsys, path, *TWO, "--score", "c", *USUAL, "f1", "--confidence-level", 0.9)
    w = y.mean()
    for metric, at, expected in (
        ("auc", "", sk.compare_models(y, columns)),
        ("cost", "", sk.compare_models(y, columns, "cost", probability_cost=w)),
        (SENSITIVITY, "specificity 0.95", sk.compare_models(y, columns, "tpr_at_fpr", fpr=0.05)),
        ("f1", "threshold 0.5", sk.compare_models(y, columns, "f1", thresholds=0.5)),
    ):
        assert_compared(said, metric, at, expected, 0.9)


def assert_compared(said, metric, at, comparison, level):
    together = comparison.differences
    low, high = together.confidence_interval(level)
    expected = {"estimate": together.estimate, "low": low, "high": high, "p": together.pvalue()}
    for name, values in expected.items():
        assert [row(said, pair, metric, at)[name] for pair in together.names] == values.tolist()


@pytest.mark.parametrize(
    ("names", "weighted"),
    [
        (("north", "south"), False),
        (("north", "south"), True),
        (("north", "south", "west"), True),
        pytest.param(("north", "south", "west"), False, marks=pytest.mark.slow),
    ],
)
def test_subgroups_are_compared_as_the_library_does(tmp_path, capsys, names, weighted):
    data = table(150)
    site = np.array(names)[np.arange(150) % len(names)]
    n = np.arange(150) % 4 if weighted else np.ones(150, dtype=int)
    path = write(tmp_path / "scores.csv", {**data, "site": site, "n": n})
    asked = (path, *TWO[:4], "--by", "site", "--sample-weight", "n", *USUAL, "f1")
    said = numbers(capsys, *asked)
    assert said["made"]["by"] == "site"
    assert list(dict.fromkeys(row["model"] for row in said["rows"]))[: len(names)] == list(names)
    w = n[data["outcome"] == 1].sum() / n.sum()  # of all cases, for every subgroup
    y, a = data["outcome"], data["a"]
    text = compare(capsys, *asked)
    for name in names:
        rows = site == name
        part = {"sample_weight": n[rows]}
        counts = f"{n[rows].sum()} cases, {n[rows & (y == 1)].sum()} positive"
        assert f"  {name:<40}{counts}\n" in text
        agree(row(said, name, "auc"), sk.bootstrap_auc(y[rows], a[rows], **part), 0.95)
        agree(row(said, name, "cost"), sk.bootstrap_cost(y[rows], a[rows], probability_cost=w, **part), 0.95)
        f1 = sk.bootstrap_metric(y[rows], a[rows], "f1", thresholds=0.5, **part)
        agree(row(said, name, "f1", "threshold 0.5"), f1, 0.95)
    if len(names) == 2:
        north, south = (sk.bootstrap_auc(y[site == s], a[site == s], sample_weight=n[site == s]) for s in names)
        agree(row(said, "north - south", "auc"), sk.independent_difference(north, south), 0.95)
        assert "Scores a in the subgroups of site" in text
        assert "cheaper (" not in text
    else:
        assert_compared(said, "auc", "", sk.compare_groups(y, a, site, sample_weight=n), 0.95)


def test_a_single_model_has_a_threshold_at_a_specificity(tmp_path, capsys):
    data = table()
    y, a, _ = data.values()
    path = write(tmp_path / "scores.csv", data)
    threshold = sk.bootstrap_roc_at_fpr(y, a, fpr=0.2).threshold
    words = ("--metrics", f"{SENSITIVITY}:0.8", f"{SENSITIVITY}:1", "cost")
    lines = compare(capsys, path, *TWO[:4], *words).splitlines()
    for rate, said in ((0.8, f"positive from a score of {threshold:.4g}"), (1, "nobody is positive")):
        place = next(i for i, line in enumerate(lines) if line.startswith(f"Sensitivity at specificity {rate} "))
        assert lines[place + 2].split() == ["a", *said.split()]
    both = compare(capsys, path, *TWO, "--metrics", f"{SENSITIVITY}:0.8", "--metrics", "cost")
    assert both.count("positive from a score") == 4  # there, and where the cost is least


def test_the_prevalence_is_that_of_the_cases_unless_stated(tmp_path, capsys):
    data = table()
    asked = (write(tmp_path / "scores.csv", data), *TWO[:4], "--metrics", "cost")
    assert f"Prevalence {data['outcome'].mean():.3g} (that of these cases)" in compare(capsys, *asked)
    assert "Prevalence 0.2 (as stated)" in compare(capsys, *asked, "--prevalence", 0.2)


def test_without_options_it_is_the_report_of_the_library(tmp_path, capsys):
    y, a, b = (data := table()).values()
    path = write(tmp_path / "scores.csv", data)
    assert numbers(capsys, path, *TWO)["rows"] == sk.report(y, {"a": a, "b": b}).to_dict()["rows"]
    twice = numbers(capsys, path, *TWO, "--thresholds", 0.2, 0.5)["rows"]
    assert twice == sk.report(y, {"a": a, "b": b}, thresholds=[0.2, 0.5]).to_dict()["rows"]


def test_nobody_positive_is_said(tmp_path, capsys):
    path = write(tmp_path / "scores.csv", {"y": [0, 1, 0, 1], "a": [3, 1, 2, 0]})
    arguments = (path, "--y-true", "y", "--score", "a", "--prevalence", 0.2, "--metrics", "cost")
    assert "nobody is positive" in compare(capsys, *arguments)


def test_csv_parquet_and_weighted_rows_say_the_same(tmp_path, capsys):
    data = table(300)
    rows = np.column_stack(list(data.values()))
    distinct, times = np.unique(rows, axis=0, return_counts=True)
    assert times.max() > 1
    grouped = {**dict(zip(data, distinct.T, strict=True)), "n": times}
    pl.DataFrame(data).write_parquet(tmp_path / "scores.parquet")
    pl.DataFrame(grouped).write_parquet(tmp_path / "grouped.PQ")
    plain = numbers(capsys, write(tmp_path / "scores.csv", data), *TWO)
    others = [
        numbers(capsys, tmp_path / "scores.parquet", *TWO),
        numbers(capsys, write(tmp_path / "grouped.csv", grouped), *TWO, "--sample-weight", "n"),
        numbers(capsys, tmp_path / "grouped.PQ", *TWO, "--sample-weight", "n"),
    ]
    for other in others:
        assert other["rows"] == plain["rows"]
        assert other["made"] == {**plain["made"], "source": other["made"]["source"]}


@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
def test_decimal_commas_say_the_same(tmp_path, capsys, delimiter):
    data = table()
    plain = compare(capsys, write(tmp_path / "scores.csv", data), *TWO)
    written = {name: [str(value).replace(".", ",") for value in values] for name, values in data.items()}
    path = write(tmp_path / "commas.csv", written, delimiter)
    assert compare(capsys, path, *TWO).replace("commas.csv", "scores.csv") == plain
    written["a"][-1] = "0.5"
    said = message(capsys, "compare", write(path, written, delimiter), *TWO)
    assert "line 121, column 'a': '0.5' has a decimal point, unlike earlier numbers." in said
    written["a"][-1] = "1.234,5"
    assert "'1.234,5' has separators of thousands, or is not a number" in message(
        capsys, "compare", write(path, written, delimiter), *TWO
    )


def packed(content):
    return gzip.compress(content, mtime=0)  # the same in each process that runs tests


UMLAUT = "outcome,modèle,b\n" + "".join(f"{i % 2},{i * 7 % 20},{i}\n" for i in range(40))


@pytest.mark.parametrize(
    ("content", "asked"),
    [
        (UMLAUT.encode("utf-8-sig"), ()),
        (UMLAUT.encode("utf-8-sig"), ("--encoding", "UTF8")),
        (UMLAUT.encode("utf-16"), ()),
        (UMLAUT.encode("utf-16"), ("--encoding", "utf-16-le")),
        (UMLAUT.encode("cp1252"), ("--encoding", "cp1252")),
        (UMLAUT.encode("utf-16-be"), ("--encoding", "utf-16-be")),
        (packed(UMLAUT.encode()), ()),
        (packed(UMLAUT.encode("cp1252")), ("--encoding", "cp1252")),
        (packed(UMLAUT.encode("utf-16")), ()),
        (b"sep=;\r\n" + UMLAUT.replace(",", ";").encode(), ()),
        (b'"sep=;"\n' + UMLAUT.replace(",", ";").encode(), ()),
        (b"\xef\xbb\xbfSEP=\t\n\n" + UMLAUT.replace(",", "\t").encode(), ()),
    ],
)
def test_encodings_gzip_and_a_stated_delimiter_say_the_same(tmp_path, capsys, content, asked):
    (tmp_path / "plain.csv").write_text(UMLAUT, encoding="utf-8")
    (tmp_path / "other.csv").write_bytes(content)
    columns = ("--y-true", "outcome", "--score", "modèle")
    plain = numbers(capsys, tmp_path / "plain.csv", *columns)
    assert numbers(capsys, tmp_path / "other.csv", *columns, *asked)["rows"] == plain["rows"]


def test_a_line_that_states_the_delimiter_is_counted(tmp_path, capsys):
    (tmp_path / "scores.csv").write_text("sep=;\noutcome;a\n1;high\n")
    said = message(capsys, "compare", tmp_path / "scores.csv", *TWO[:4])
    assert "line 3, column 'a': 'high' is not a number" in said


@pytest.mark.parametrize(
    ("content", "asked", "expected"),
    [
        (UMLAUT.encode("cp1252"), (), "this is not UTF-8 text; save a workbook as CSV, unpack an archive, or pass its"),
        (GOOD.encode() + b"1,2,\xe9\n", (), "this is not UTF-8 text"),
        (UMLAUT.encode("utf-16-le"), (), "this is not UTF-8 text; save a workbook as CSV, unpack an archive, or"),
        (UMLAUT.encode("utf-16-be"), (), "--encoding, such as cp1252 (Windows) or utf-16-le"),
        (UMLAUT.encode(), ("--encoding", "ascii"), "this is not ascii text"),
        (UMLAUT.encode(), ("--encoding", "utf-16"), "this is not utf-16 text"),
        (UMLAUT.encode(), ("--encoding", "latin-one"), "--encoding must name an encoding, such as utf-8, cp1252"),
        (UMLAUT.encode(), ("--encoding", "base64"), "--encoding must name an encoding, such as utf-8, cp1252"),
        (UMLAUT.encode(), ("--encoding", "a\0b"), "--encoding must name an encoding, such as utf-8, cp1252"),
        (b"PK\3\4" + bytes(99), (), "this is not UTF-8 text; save a workbook as CSV, unpack an archive"),
        (packed(packed(GOOD.encode())), (), "this is not UTF-8 text"),
        (packed(GOOD.encode())[:-9], (), "the gzip data are damaged (Compressed file ended before"),
        (packed(GOOD.encode())[:20] + bytes(40), (), "the gzip data are damaged"),
        (packed(b""), (), "the file is empty"),
        (b"sep=^\n" + GOOD.replace(",", "^").encode(), (), "line 1: columns must be separated by one of ',', ';'"),
        (b"sep=;\n", (), "the file is empty"),
    ],
)  # fmt: skip
def test_what_is_no_text_is_named_with_the_way_out(tmp_path, capsys, content, asked, expected):
    (tmp_path / "scores.csv").write_bytes(content)
    assert expected in message(capsys, "compare", tmp_path / "scores.csv", *TWO[:4], *asked)


def test_parquet_has_no_encoding_and_is_the_file_of_that_name(tmp_path, capsys):
    for name, scores in (("x1", [1.0, 2.0, 3.0, 4.0]), ("x[1]", [4.0, 3.0, 2.0, 1.0]), ("x*", [1.0, 4.0, 2.0, 3.0])):
        pl.DataFrame({"outcome": [0, 0, 1, 1], "a": scores}).write_parquet(tmp_path / f"{name}.parquet")
    for name, auc in (("x[1]", 0), ("x*", 0.5)):  # to a shell these would be x1, and all three
        said = numbers(capsys, tmp_path / f"{name}.parquet", *TWO[:4], "--metrics", "roc_auc")
        assert (said["made"]["n_cases"], said["rows"][0]["estimate"]) == (4, auc)
    said = message(capsys, "compare", tmp_path / "x1.parquet", *TWO[:4], "--encoding", "cp1252")
    assert "--encoding is for text files, not for Parquet; leave it out." in said


def test_standard_input_says_the_same(tmp_path, capsys):
    path = write(tmp_path / "scores.csv", table())
    plain = compare(capsys, path, *TWO)
    done = subprocess.run(
        [sys.executable, "-m", "skcostci", "compare", "-", *TWO],
        input=Path(path).read_bytes(),
        capture_output=True,
        check=True,
    )
    said = done.stdout.decode().partition("\nMade by")
    assert said[0] == plain.replace(path, "standard input").partition("\nMade by")[0]
    assert f"python -m skcostci compare - {' '.join(TWO)}" in " ".join(said[2].split())


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_rows_with_a_missing_value_are_left_out_if_asked(tmp_path, capsys, ending):
    data = {name: list(values) for name, values in table().items()}
    holes = {name: [None if row % 17 == place else value for row, value in enumerate(values)]
             for place, (name, values) in enumerate(data.items())}  # fmt: skip
    whole = [row for row in range(120) if row % 17 > 2]
    kept = {name: [values[row] for row in whole] for name, values in data.items()}
    plain = numbers(capsys, write(tmp_path / "kept.csv", kept), *TWO)
    path = str(tmp_path / f"holes.{ending}")
    if ending == "csv":
        write(path, {name: ["NA" if value is None else value for value in values] for name, values in holes.items()})
    else:
        pl.DataFrame(holes).write_parquet(path)
    said = numbers(capsys, path, *TWO, "--drop-missing")
    assert said["made"]["n_rows_dropped"] == 120 - len(whole)
    assert plain["made"]["n_rows_dropped"] == 0
    assert said["rows"] == plain["rows"]
    text = compare(capsys, path, *TWO, "--drop-missing")
    assert f"Left out, because a value is missing: {120 - len(whole)} rows." in text
    none = write(tmp_path / "none.csv", {name: ["" if name == "a" else 1] * 3 for name in data})
    said = message(capsys, "compare", none, *TWO, "--drop-missing")
    assert "there is a header but no row without a missing value" in said


@pytest.mark.parametrize("ending", ["png", *(pytest.param(each, marks=pytest.mark.slow) for each in ("PDF", "svg"))])
def test_the_picture_has_the_displays(tmp_path, capsys, monkeypatch, ending):
    figures = []
    save = Figure.savefig
    monkeypatch.setattr(Figure, "savefig", lambda self, *args, **kw: figures.append(self) or save(self, *args, **kw))
    path = write(tmp_path / "scores.csv", {**table(), "_$x^$": table(seed=1)["b"]})
    picture = tmp_path / f"report.{ending}"
    text = compare(capsys, path, *TWO[:4], "--score", "_$x^$", *USUAL, "--output", picture)
    assert text.endswith(f"Picture: {picture}\n")
    start = {"png": b"\x89PNG", "PDF": b"%PDF", "svg": b"<?xml"}[ending]
    assert picture.read_bytes().startswith(start)
    roc, cost, paired = figures[0].axes
    assert [ax.get_ylabel().split(" (")[0] for ax in (roc, cost, paired)] == [
        "True Positive Rate",
        "Normalized expected cost",
        "Difference in normalized cost",
    ]
    assert any(r"_\$x^\$" in text.get_text() for text in cost.get_legend().get_texts())
    assert "this file exists; pass --overwrite" in message(capsys, "compare", path, *TWO, "--output", picture)
    json.loads(compare(capsys, path, *TWO[:4], *USUAL, "--output", picture, "--overwrite", "--json"))
    assert len(figures[1].axes) == 2


class Page(HTMLParser):
    """The texts, the pictures and whatever else a page would load."""

    def __init__(self, page):
        super().__init__()
        self.texts, self.images, self.loaded = [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "img":
            self.images.append(given)
        self.loaded += [given[name] for name in ("src", "href") if name in given]

    def handle_data(self, data):
        self.texts += data.split()


def test_the_page_holds_the_report_and_its_pictures(tmp_path, capsys):
    data = {**table(), "<c>": table(seed=1)["b"]}
    path, page = write(tmp_path / "scores.csv", data), tmp_path / "report.html"
    for scores in (("--score", "a"), TWO[2:], (*TWO[2:], "--score", "<c>")):
        text = compare(capsys, path, *TWO[:2], *scores, *USUAL, "--output", page, "--overwrite")
        said, shown = Page(page.read_text(encoding="utf-8")), text.split(f"Report: {page}")[0]
        assert set(shown.split()) <= set(said.texts)
        assert all(image["alt"] and image["src"].startswith("data:image/png;base64,") for image in said.images)
        assert said.loaded == [image["src"] for image in said.images]  # and nothing from elsewhere
        assert len(said.images) == {2: 2, 4: 3, 6: 4}[len(scores)]


@pytest.mark.slow
def test_the_picture_of_several_models_orders_them(tmp_path, capsys, monkeypatch):
    figures = []
    monkeypatch.setattr(Figure, "savefig", lambda self, *args, **kw: figures.append(self))
    data = {**table(), **{name: table(seed=seed)["b"] for seed, name in enumerate(("c", "_$d^$"), 1)}}
    path = write(tmp_path / "scores.csv", data)
    options = (*USUAL, "--output", tmp_path / "report.png", "--overwrite")
    asked = (path, *TWO, "--score", "c", "--score", "_$d^$", *options)
    said = numbers(capsys, *asked)
    roc, cost, auc, at = figures[0].axes
    assert [ax.get_xlabel().split(" (95")[0] for ax in (auc, at)] == [
        "AUC",
        f"Cost at PC(+) = {data['outcome'].mean():.3f}",
    ]
    for ax, name, best in ((auc, "auc", -1), (at, "cost", 1)):
        found = sorted(("a", "b", "c", "_$d^$"), key=lambda model: best * row(said, model, name)["estimate"])
        shown = [label.get_text().strip().replace("\\$", "$") for label in ax.get_yticklabels()]
        assert shown == found
    assert not any(band.get_visible() for ax in (roc, cost) for band in ax.collections)  # four would hide each other
    compare(capsys, path, *TWO, "--score", "c", *options)
    assert all(band.get_visible() for ax in figures[1].axes[:2] for band in ax.collections)
    data["site"] = np.array(["north", "south"])[np.arange(120) % 2]
    compare(capsys, write(tmp_path / "scores.csv", data), *TWO[:4], "--by", "site", *options)
    assert {label.get_text() for label in figures[2].axes[2].get_yticklabels()} == {"north", "south"}


def test_the_picture_names_the_positive_label(tmp_path, capsys):
    data = table()
    data["outcome"] = np.where(data["outcome"], "sick", "well")
    path, picture = write(tmp_path / "scores.csv", data), tmp_path / "report.svg"
    text = compare(capsys, path, *TWO, "--pos-label", "sick", "--output", picture)
    assert "(outcome = sick)" in text
    assert "(Positive label: sick)" in picture.read_text()


@pytest.mark.parametrize(
    ("content", "arguments", "expected"),
    [
        (None, (), "scores.csv: cannot be read (No such file or directory)."),
        ("", (), "scores.csv: the file is empty."),
        ("\n\n", (), "scores.csv: the file is empty."),
        ("outcome,model_a\n", (), "scores.csv: there is a header but no row."),
        ("outcome,model_b\n1,2\n", (), "no column 'model_a', only 'outcome', 'model_b'. Did you mean 'model_b'?"),
        ("outcome,model_a,model_a\n1,2,3\n", (), "2 columns are named 'model_a'."),
        (GOOD.replace("0.8", "high"), (), "scores.csv, line 4, column 'model_a': 'high' is not a number."),
        (GOOD.replace("0.8", "1_0"), (), "'1_0' is not a number."),
        (GOOD.replace("0.8", '"0,8"'), (), "'0,8' is not a number (where commas separate"),
        (GOOD.replace("0.8", ""), (), "scores.csv, line 4, column 'model_a': the score is missing (--drop-missing"),
        (GOOD.replace("0.8", "NaN"), (), "scores.csv, line 4, column 'model_a': the score is missing (--drop-missing"),
        (GOOD.replace("0.8", "-inf"), (), "scores.csv, line 4, column 'model_a': '-inf' is not finite."),
        (GOOD + "\n2,1,1\n", (), "scores.csv, line 7, column 'outcome': 2 is a third class, besides 1, 0, and"),
        (GOOD + ",1,1\n", (), "scores.csv, line 6, column 'outcome': the label is missing (--drop-missing"),
        (GOOD + "1,1\n", (), "scores.csv, line 6: 2 field(s) where the header has 3."),
        ("outcome,model_a\n1,2\n1.0,3\n", ("--metrics", "roc_auc"), "undefined (no negatives); recall and"),
        ("outcome,model_a\nsick,2\nwell,3\n", (), "y_true takes value in {'sick', 'well'} and pos_label is not"),
        ("outcome,model_a\nsick,2\nwell,3\n", ("--pos-label", "ill"), "pos_label='ill' is not a valid label."),
        (GOOD, ("--sample-weight", "model_b"), "line 2, column 'model_b': '0.4' is not a frequency (a whole number"),
        ("outcome,model_a,n\n1,2,0\n0,2,0\n", ("--sample-weight", "n"), "sample_weight must contain at least one"),
        ("outcome,model_a,n\n1,2,0\n0,2,3\n", ("--sample-weight", "n", *USUAL), "undefined (no positives); recall and"),
        (GOOD + '1,"0.3,4\n', (), "this is not CSV (unexpected end of data)."),
        (b"\x89PNG\r\n\x1a\n\x00\x00", (), "this is not UTF-8 text"),
        (b"PAR1\x15\x04\x15\x00\n", (), "this is not UTF-8 text"),
        (b"outcome,model_a\n1,\xff\n", (), "this is not UTF-8 text"),
        (GOOD, ("--prevalence", "1.5", *USUAL), "prevalence must be a number in [0, 1], got 1.5."),
        (GOOD, ("--prevalence", "nan", *USUAL), "prevalence must be a number in [0, 1], got nan."),
        (GOOD, ("--cost-fn", "0", "--cost-fp", "0"), "must not make every cost 0"),
        (GOOD, ("--cost-fn", "0", "--prevalence", "1", *USUAL), "must not make every cost 0"),
        (GOOD, ("--cost-fn", "-5"), "cost_fn must be a number in [0, 1e+100], got -5.0."),
        (GOOD, ("--cost-fp", "inf"), "cost_fp must be a number in [0, 1e+100], got inf."),
        (GOOD, ("--cost-fp", "cheap"), "argument --cost-fp: invalid float value: 'cheap'"),
        (GOOD, ("--confidence-level", "95"), "confidence_level must be a number in (0, 1), got 95.0."),
        (GOOD, ("--metrics", f"{SENSITIVITY}:2"), "specificity must be a number in [0, 1], got 2.0."),
        (GOOD, ("--score", "model_a"), "--score model_a is already the column of --score; pass another."),
        ("outcome,model_a," + ",".join(f"m{i}" for i in range(50)) + "\n1" + ",1" * 51 + "\n0" + ",0" * 51 + "\n",
         [part for i in range(50) for part in ("--score", f"m{i}")], "y_scores must contain from 1 to 50 models"),
        (GOOD + "1,1,2\n", ("--score", "model_b", "--by", "outcome"), "--by outcome is already the column of --y-true"),
        ("outcome,model_a,b,s\n1,2,1,x\n0,3,2,y\n", ("--score", "b", "--by", "s"), "by compares subgroups for one"),
        (GOOD, ("--by", "site"), "there is no column 'site', only 'outcome', 'model_a', 'model_b'."),
        ("outcome,model_a,s\n1,2,x\n0,3,x\n", ("--by", "s"), "by must contain from 2 to 50 subgroups, got 1."),
        ("outcome,model_a,s\n1,2,x\n0,3,\n", ("--by", "s"), "line 3, column 's': the group is missing (--drop-missing"),
        ("outcome,model_a,s\n" + "".join(f"{i % 2},{i},{i // 2}\n" for i in range(102)), ("--by", "s"),
         "by must contain from 2 to 50 subgroups, got 51."),
        (GOOD, ("--metrics", "f2"), "For 'f2' write Metric.fbeta(2). "),
        (GOOD, ("--thresholds", "model_b=1"), "thresholds must contain a score for each model, got none for 'model_a'"),
        (GOOD, ("--thresholds", "high"), "argument --thresholds: invalid threshold value: 'high'"),
        (GOOD, ("--thresholds", "inf"), "thresholds must be a number in"),
        (GOOD, ("--metrics", "f1", "--prevalence", "0"), "prevalence must be a number in [1e-09, 0.999999999]"),
        (
            "outcome,model_a\n0,0.10000000000000000001\n1,0.10000000000000000002\n",
            (),
            "line 3, column 'model_a': '0.10000000000000000002' differs from '0.10000000000000000001' only in digits",
        ),
        ("outcome,model_a\n" + "9007199254740993,2\n9007199254740992,3\n1,4\n", (), "1 is a third class, besides 900"),
        ("outcome,model_a," + "x" * 200_000 + "\n1,2,3\n", USUAL, "undefined (no negatives); recall and"),
        (GOOD, ("--output", "report.xlsx"), "--output must end in .png, .pdf, .svg, .html, .htm, got 'report.xlsx'."),
        (GOOD, ("--output", "nowhere/report.png"), "error: nowhere/report.png: there is no folder 'nowhere'."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_one_line(tmp_path, monkeypatch, capsys, content, arguments, expected):
    monkeypatch.chdir(tmp_path)
    if content is not None:
        Path("scores.csv").write_bytes(content if isinstance(content, bytes) else content.encode())
    said = message(capsys, "compare", "scores.csv", "--y-true", "outcome", "--score", "model_a", *arguments)
    assert expected in said


def test_other_wrong_files(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rest = "--y-true", "outcome", "--score", "model_a"
    Path("folder.parquet").mkdir()
    assert "folder.parquet: cannot be read (Is a directory)" in message(capsys, "compare", "folder.parquet", *rest)
    assert "two lines.csv: cannot be read (No such file" in message(capsys, "compare", "two\nlines.csv", *rest)
    assert ".: cannot be read (Is a directory)" in message(capsys, "compare", ".", *rest)
    assert "lost.parquet: cannot be read (No such file" in message(capsys, "compare", "lost.parquet", *rest)
    Path("junk.parquet").write_bytes(b"junk" * 100)
    assert "junk.parquet: this is not Parquet that can be read" in message(capsys, "compare", "junk.parquet", *rest)
    columns = {"outcome": ["x", "y", None], "model_a": [1.0, None, 2.0], "model_b": ["1", "2", "c"]}
    pl.DataFrame(columns).write_parquet("holes.parquet")
    said = message(capsys, "compare", "holes.parquet", *rest)
    assert "holes.parquet, row 3, column 'outcome': the label is missing (--drop-missing" in said
    said = message(capsys, "compare", "holes.parquet", "--y-true", "model_b", "--score", "outcome")
    assert "holes.parquet, row 3, column 'outcome': the label is missing (--drop-missing" in said
    said = message(capsys, "compare", "holes.parquet", "--y-true", "outcome", "--score", "lost")
    assert "there is no column 'lost', only 'outcome', 'model_a', 'model_b'." in said
    pl.DataFrame({"outcome": [[0], [1]], "model_a": [[1.0], [2.0]]}).write_parquet("lists.parquet")
    assert "row 1, column 'outcome': [0] is neither a number" in message(capsys, "compare", "lists.parquet", *rest)
    pl.DataFrame({"outcome": [0, 1], "model_a": [[1.0], [2.0]]}).write_parquet("lists.parquet")
    assert "row 1, column 'model_a': [1.0] is neither a number" in message(capsys, "compare", "lists.parquet", *rest)
    pl.DataFrame({"outcome": [], "model_a": []}).write_parquet("empty.parquet")
    assert "there is a header but no row" in message(capsys, "compare", "empty.parquet", *rest)


@pytest.mark.parametrize("missing", [("polars", "pandas"), ("narwhals.stable.v2",)])
def test_parquet_without_a_reader_says_what_to_install(tmp_path, capsys, monkeypatch, missing):
    pl.DataFrame({"outcome": [0, 1], "model_a": [1.0, 2.0]}).write_parquet(tmp_path / "scores.parquet")
    for name in missing:
        monkeypatch.setitem(sys.modules, name, None)
    said = message(capsys, "compare", tmp_path / "scores.parquet", "--y-true", "outcome", "--score", "model_a")
    assert "Parquet needs Polars, or pandas with pyarrow: python -m pip install polars narwhals" in said


def test_a_picture_that_cannot_be_written(tmp_path, capsys):
    path = write(tmp_path / "scores.csv", table())
    (tmp_path / "report.png").mkdir()
    said = message(capsys, "compare", path, *TWO, "--output", tmp_path / "report.png", "--overwrite")
    assert "report.png: cannot be written (Is a directory)" in said
    said = message(capsys, "compare", path, *TWO, "--output", tmp_path / f"{'a' * 300}.html")
    assert "cannot be written" in said
    assert len(said) < 400


def test_the_scores_are_never_replaced(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    scores = Path(write("scores.html", table()))
    content = scores.read_text()
    os.symlink("scores.html", "link.html")
    os.link("scores.html", "second.html")
    Path("folder").mkdir()
    for output in ("scores.html", "./scores.html", "scores.html/", "folder/../scores.html", scores.absolute(),
                   "link.html", "second.html"):  # fmt: skip
        for overwrite in ((), ("--overwrite",)):
            said = message(capsys, "compare", "scores.html", *TWO, "--output", output, *overwrite)
            assert "this is the file of the scores, which a report must not replace" in said
    said = message(capsys, "compare", "link.html", *TWO, "--output", "scores.html", "--overwrite")
    assert "this is the file of the scores" in said
    with open(scores) as piped, monkeypatch.context() as patched:
        patched.setattr(sys, "stdin", piped)
        said = message(capsys, "compare", "-", *TWO, "--output", "scores.html", "--overwrite")
        assert "this is the file of the scores" in said
    assert (scores.read_text(), Path("link.html").is_symlink()) == (content, True)


def test_a_report_is_saved_where_a_link_points_with_the_rights_that_the_file_had(tmp_path, capsys):
    path = write(tmp_path / "scores.csv", table())
    (tmp_path / "old.html").write_text("old")
    (tmp_path / "old.html").chmod(0o640)
    (tmp_path / "link.html").symlink_to("old.html")
    assert "this file exists" in message(capsys, "compare", path, *TWO[:4], "--output", tmp_path / "link.html")
    compare(capsys, path, *TWO[:4], "--output", tmp_path / "link.html", "--overwrite")
    assert (tmp_path / "old.html").read_text().startswith("<!doctype html>")
    assert (tmp_path / "link.html").is_symlink()
    assert (tmp_path / "old.html").stat().st_mode & 0o777 == 0o640
    assert sorted(os.listdir(tmp_path)) == ["link.html", "old.html", "scores.csv"]


@pytest.mark.parametrize("name", ["old.html", pytest.param("new.png", marks=pytest.mark.slow)])
def test_a_report_that_cannot_be_written_whole_leaves_what_was_there(tmp_path, name):
    resource = pytest.importorskip("resource")
    write(tmp_path / "scores.csv", table())
    (tmp_path / "old.html").write_text("old")
    done = subprocess.run(
        [sys.executable, "-m", "skcostci", "compare", "scores.csv", *TWO[:4], "--output", name, "--overwrite"],
        # What Python compiles would be cut off at that size too, and found so by whatever runs next.
        cwd=tmp_path, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)),
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(f"error: {name}: cannot be written (File too large).\n")
    assert (tmp_path / "old.html").read_text() == "old"
    assert sorted(os.listdir(tmp_path)) == ["old.html", "scores.csv"]


def test_what_comes_while_the_report_is_computed_is_not_replaced(tmp_path, monkeypatch, capsys):
    path, page = write(tmp_path / "scores.csv", table()), tmp_path / "report.html"
    save = Figure.savefig
    monkeypatch.setattr(Figure, "savefig", lambda self, *args, **kw: page.write_text("new") and save(self, *args, **kw))
    assert "cannot be written (File exists)" in message(capsys, "compare", path, *TWO[:4], "--output", page)
    assert page.read_text() == "new"


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pipes with a name")
def test_a_pipe_is_not_replaced(tmp_path, capsys):
    path = write(tmp_path / "scores.csv", table())
    os.mkfifo(tmp_path / "pipe.png")
    said = message(capsys, "compare", path, *TWO, "--output", tmp_path / "pipe.png", "--overwrite")
    assert "pipe.png: cannot be written" in said


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (("--score", "outcome"), "--score outcome is already the column of --y-true; pass another."),
        (("--sample-weight", "a"), "--score a is already the column of --sample-weight; pass another."),
        (("--by", "outcome"), "--by outcome is already the column of --y-true; pass another."),
        (("--groups", "outcome"), "--groups outcome is already the column of --y-true; pass another."),
        (("--score", "B"), "there is no column 'B', only 'outcome', 'a', 'b'. Did you mean 'b'?"),
        (("--sample-weight", "n"), "there is no column 'n', only 'outcome', 'a', 'b'."),
    ],
)
def test_columns_that_are_two_things_or_none(tmp_path, capsys, asked, expected):
    assert expected in message(capsys, "compare", write(tmp_path / "scores.csv", table()), *TWO[:4], *asked)


@pytest.mark.parametrize("name", ["a\0b", "a\ud800b"])
def test_what_is_no_name_of_a_file(tmp_path, capsys, name):
    path = write(tmp_path / "scores.csv", table())
    assert "cannot be the name of a file" in message(capsys, "compare", name, *TWO)
    assert "cannot be the name of a file" in message(capsys, "compare", path, *TWO, "--output", f"{name}.html")


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are texts")
def test_a_page_of_a_file_whose_name_is_no_text(tmp_path, capsys):
    path = write(tmp_path / "scores\udcff.csv", table())
    compare(capsys, path, *TWO, "--output", tmp_path / "report.html")
    assert "scores\\udcff.csv" in (tmp_path / "report.html").read_text()


def test_without_standard_input_there_is_nothing_to_read(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", None)
    assert "standard input: there is none." in message(capsys, "compare", "-", *TWO)


OUTPUTS = [
    ["compare", "scores.csv", *TWO],
    pytest.param(["--help"], marks=pytest.mark.slow),
]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk to write to")
@pytest.mark.parametrize("asked", OUTPUTS, ids=" ".join)
def test_a_full_disk_is_said_in_one_line(tmp_path, asked):
    write(tmp_path / "scores.csv", table())
    command = [sys.executable, "-m", "skcostci", *asked]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.endswith(f" {asked[0]}: error: the output cannot be written (No space left on device).\n")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("asked", OUTPUTS, ids=" ".join)
def test_whoever_stops_reading_hears_nothing_more(tmp_path, asked):
    write(tmp_path / "scores.csv", table())
    command = [sys.executable, "-m", "skcostci", *asked]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path)
    running.stdout.close()
    assert running.stderr.read() == b""
    running.stderr.close()
    assert running.wait() == 0


def test_names_that_a_terminal_cannot_show(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    path = tmp_path / "scores.csv"
    path.write_text("outcome,mod\u00e8le\n1,2\n0,1\n1,0\n", encoding="utf-8")
    command = [sys.executable, "-m", "skcostci", "compare", str(path), "--y-true", "outcome", "--score", "mod\u00e8le"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "mod\\xe8le" in done.stdout


LIKE_NUMBERS = [("007", "7"), ("0e1", "0e2"), ("1.0", "1"), ("true", "True"), ("01", "true")]


@pytest.mark.parametrize("ids", LIKE_NUMBERS, ids=" ".join)
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_groups_and_subgroups_are_what_is_written(tmp_path, capsys, ending, ids):
    cases = 120 // len(ids)
    columns = {**table(), "id": np.repeat(ids, cases)}
    path = str(tmp_path / f"scores.{ending}")
    if ending == "csv":
        write(path, columns)
    else:
        pl.DataFrame(columns).write_parquet(path)
    assert numbers(capsys, path, *TWO[:4], "--groups", "id")["made"]["n_groups"] == len(ids)
    text = compare(capsys, path, *TWO[:4], "--by", "id")
    assert re.findall(rf"^  (\S+) +{cases} cases, ", text, re.MULTILINE) == sorted(ids)


@pytest.mark.slow
def test_subgroups_that_are_numbers_are_in_their_order(tmp_path, capsys):
    path = write(tmp_path / "scores.csv", {**table(), "age": np.array(["10", "100", "9.5"])[np.arange(120) % 3]})
    rows = numbers(capsys, path, *TWO[:4], "--by", "age", "--metrics", "roc_auc")["rows"]
    assert [row["model"] for row in rows][:3] == ["9.5", "10", "100"]


def commas(column, digits=3):
    return [f"{value:.{digits}f}".replace(".", ",") for value in column]


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"a": ["1,234", "999"] * 60}, "line 2, column 'a': '1,234' may be 1.234 or 1234"),
        ({"a": ["-1,234", "0"] * 60}, "'-1,234' may be -1.234 or -1234"),
        ({"a": ["-1,234", "1,000,000"] * 60}, "line 3, column 'a': '1,000,000' has separators of thousands"),
        ({"a": ["0,5", "1.234,5"] * 60}, "line 3, column 'a': '1.234,5' has separators of thousands"),
        ({"a": ["1.234", "0"] * 60, "b": ["0,5", "0,7"] * 60}, "line 2, column 'a': '1.234' may be 1.234 or 1234"),
        ({"a": ["0,5", "0,7"] * 60, "n": ["1,000"] * 120}, "line 2, column 'n': '1,000' may be 1.000 or 1000"),
    ],
)
def test_a_comma_that_may_be_one_of_thousands_is_refused(tmp_path, capsys, columns, said):
    path = write(tmp_path / "scores.csv", {"outcome": np.arange(120) // 2 % 2, **columns}, ";")
    asked = [part for name in columns for part in ("--sample-weight" if name == "n" else "--score", name)]
    assert said in message(capsys, "compare", path, "--y-true", "outcome", *asked)


def test_decimal_commas_that_leave_no_doubt(tmp_path, capsys):
    data = table()
    risk = np.random.default_rng(1).random(120)
    plain = {"outcome": data["outcome"], "a": data["a"] + 5, "b": risk}
    expected = numbers(capsys, write(tmp_path / "plain.csv", plain), *TWO)
    written = {**plain, "a": commas(plain["a"]), "b": commas(risk, 17)}  # b shows how the file writes decimals
    said = numbers(capsys, write(tmp_path / "commas.csv", written, ";"), *TWO)
    assert said["rows"] == expected["rows"]
    one = {"outcome": data["outcome"], "a": commas(data["a"], 2)}
    asked = (write(tmp_path / "one.csv", one, ";"), *TWO[:4], "--metrics", "roc_auc")
    area = float(sk.bootstrap_auc(data["outcome"], data["a"]))
    assert numbers(capsys, *asked)["rows"][0]["estimate"] == pytest.approx(area)


def test_a_line_is_as_long_as_it_is(tmp_path, capsys):
    data = table()
    plain = write(tmp_path / "scores.csv", data)
    path = write(tmp_path / "long.csv", {"note": ["x" * 200_000] * 120, **data, "y" * 200_000: range(120)})
    assert numbers(capsys, path, *TWO)["rows"] == numbers(capsys, plain, *TWO)["rows"]


STEERING = "\x1b]0;title\x07\x1b[31m\x9b2J\u202e\u200f\u061c"
NASTY = {"yes": STEERING + "yes", "a": STEERING + "a", "b": STEERING + "b"}


@pytest.mark.parametrize("wrong", [False, True])
@pytest.mark.parametrize(
    "asked",
    [
        (),
        ("--output", "report.html"),
        *(pytest.param(each, marks=pytest.mark.slow) for each in [("--by", NASTY["b"]), ("--output", "report.png")]),
    ],
)
@pytest.mark.filterwarnings("ignore:Glyph .* missing from")  # "current font" in old releases
def test_what_a_file_holds_does_not_steer_the_terminal(tmp_path, monkeypatch, capsys, asked, wrong):
    data = table()
    columns = {
        "outcome": np.where(data["outcome"], NASTY["yes"], "no"),
        NASTY["a"]: data["a"],
        NASTY["b"]: np.where(data["b"] > 0, NASTY["yes"], "no") if "--by" in asked else data["b"],
    }
    path = write(tmp_path / "scores.csv", columns)
    command = ["compare", path, "--y-true", "outcome", "--score", NASTY["a"], *asked]
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) if wrong else nullcontext():
        main([*command, *([] if wrong else ["--pos-label", NASTY["yes"]])])
    said = capsys.readouterr()
    page = tmp_path / "report.html"
    for text in (*said, page.read_text(encoding="utf-8") if page.exists() else ""):
        assert not set(text) & set("\x1b\x07\x9b\u202e\u200f\u061c")
    assert "\\x1b" in said.out + said.err


def test_whoever_interrupts_sees_no_traceback(tmp_path):
    command = [sys.executable, "-m", "skcostci", "compare", "-", "--y-true", "outcome", "--score", "a"]
    running = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    running.stdin.write(b"outcome,a\n" + b"0,1\n1,2\n" * 10_000)  # more than a pipe holds: it is being read
    running.stdin.flush()
    running.send_signal(signal.SIGINT)
    out, err = running.communicate()
    assert (running.returncode, out, err) == (130, b"", b"")


def test_whoever_interrupts_while_it_is_loading_sees_no_traceback(tmp_path):
    slow = "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(60)\n"
    (tmp_path / "numpy.py").write_text(slow)  # the first that takes time
    path = os.pathsep.join([str(tmp_path), str(Path(sk.__file__).parent.parent)])
    done = subprocess.run(
        [sys.executable, "-m", "skcostci", "demo"],
        env={**os.environ, "PYTHONPATH": path}, cwd=tmp_path, capture_output=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


@pytest.mark.skipif(not PAGE.exists(), reason="the pages are not in the source distribution")
def test_the_page_shows_what_is_printed(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    page = PAGE.read_text(encoding="utf-8")
    for block in page.split("```python\n")[1:]:
        exec(block.split("```")[0], {})
    for shown in page.split("```console\n$ python -m skcostci ")[1:]:
        lines = shown.split("```")[0].replace("\\\n", " ").splitlines()
        with suppress(SystemExit):
            main(lines[0].split())
        printed = capsys.readouterr()
        said = re.sub(r" on \d{4}-\d\d-\d\d:", " on 2026-11-25:", printed.out + printed.err)
        said = said.split(" error: ")[-1].splitlines()
        assert said == "\n".join(lines[1:]).split(" error: ")[-1].splitlines()


def test_version_help_and_usage(capsys):
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    assert capsys.readouterr().out.strip() == sk.__version__
    with pytest.raises(SystemExit, match="0"):
        main(["compare", "--help"])
    assert "--metrics roc_auc cost --cost-fn 5" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="0"):
        main([])
    assert "judge one model, or compare several" in capsys.readouterr().out
    assert "the following arguments are required: FILE, --y-true" in message(capsys, "compare")
    assert "invalid choice: 'predict'" in message(capsys, "predict")
