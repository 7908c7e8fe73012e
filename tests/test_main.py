"""The command line: what it prints and draws, and what it says when something is wrong."""

import gzip
import io
import json
import os
import re
import runpy
import subprocess
import sys
from contextlib import nullcontext, suppress
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from matplotlib.figure import Figure

import skcostci as sk
from skcostci.__main__ import main

PAGE = Path(__file__).parent.parent / "doc" / "command_line.md"
ONE = ("--y-true", "outcome", "--score", "a")
TWO = (*ONE, "--score", "b")
SENSITIVITY = "sensitivity_at_specificity"
USUAL = ("--metrics", "roc_auc", f"{SENSITIVITY}:0.9", "cost")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Files are read from and written to a folder of the test's own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def table(cases=120, seed=0):
    rng = np.random.default_rng(seed)
    outcome = rng.integers(0, 2, cases)
    scores = {name: (rng.normal(size=cases) + shift * outcome).round(1) for name, shift in (("a", 1.5), ("b", 0.7))}
    return {"outcome": outcome, **scores}


def write(path, columns, delimiter=","):
    if path.lower().endswith((".parquet", ".pq")):
        pl.DataFrame(columns).write_parquet(path)
    else:
        rows = zip(*columns.values(), strict=True)
        lines = [delimiter.join(columns), *(delimiter.join(map(str, row)) for row in rows)]
        Path(path).write_text("\n".join(lines) + "\n", errors="surrogateescape")
    return path


def compare(capsys, *arguments):
    main(["compare", *map(str, arguments)])
    printed = capsys.readouterr()
    assert printed.err == ""
    return printed.out


def numbers(capsys, *arguments):
    def refuse(constant):
        raise AssertionError(f"{constant} is not JSON")

    said = json.loads(compare(capsys, *arguments, "--json"), parse_constant=refuse)
    assert said["made"]["version"] == sk.__version__
    assert said["made"].pop("call").startswith("python -m skcostci compare ")
    return said


def row(said, model, metric, at=""):
    """The numbers of a model, or of a difference."""
    (found,) = (row for row in said["rows"] if (row["model"], row["metric"], row["at"]) == (model, metric, at))
    return found


def message(capsys, *arguments):
    """What is said of wrong usage: one line, with exit status 2 and nothing on standard output."""
    with pytest.raises(SystemExit) as stopped:
        main(list(map(str, arguments)))
    assert stopped.value.code == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    return printed.err


def refused(capsys, *arguments):
    return message(capsys, "compare", *arguments)


# --- numbers


def test_what_is_infinite_and_what_is_undefined(capsys):
    path = write("scores.csv", {"outcome": [0, 0, 0, 1, 1, 1], "a": [1, 2, 3, 2, 4, 5]})
    asked = (path, *ONE, "--metrics", "lr_positive", "--thresholds", 4)
    (ratio,) = numbers(capsys, *asked)["rows"]
    assert (ratio["estimate"], ratio["high"]) == ("Infinity", "Infinity")
    assert ratio["low"] > 0
    assert any(line.split()[:2] == ["a", "inf"] for line in compare(capsys, *asked).splitlines())
    asked = (path, *ONE, "--metrics", "precision", "--thresholds", 1, 9)
    assert [row["estimate"] for row in numbers(capsys, *asked)["rows"]] == [0.5, None]
    lines = [line.split() for line in compare(capsys, *asked).splitlines()]
    assert ["a", "undefined", "0.000", "to", "1.000"] in lines
    assert ["a", "undefined", "(no", "predicted", "positives)"] in lines


def test_subgroups_are_those_of_the_library(capsys):
    data, names = table(40), ["north", "south"]
    site, n = np.array(names)[np.arange(40) % 2], 1 + np.arange(40) % 4
    asked = (write("scores.csv", {**data, "site": site, "n": n}), *ONE, "--by", "site", "--sample-weight", "n")
    said = numbers(capsys, *asked, *USUAL)
    made = sk.report(data["outcome"], data["a"], by=site, sample_weight=n, metrics=USUAL[1:])
    assert (said["made"]["by"], said["rows"]) == ("site", made.to_dict()["rows"])
    text = compare(capsys, *asked, "--metrics", "accuracy")
    for name in names:
        cases = f"{n[site == name].sum()} cases, {n[(site == name) & (data['outcome'] == 1)].sum()} positive"
        assert f"  {name:<40}{cases}\n" in text
    assert "Scores a in the subgroups of site" in text
    assert "cheaper (" not in text


def test_a_model_has_thresholds_or_labels_nobody(capsys):
    data = table()
    y, a, _ = data.values()
    path = write("scores.csv", data)
    threshold = sk.bootstrap_roc_at_fpr(y, a, fpr=0.2).threshold
    lines = compare(capsys, path, *ONE, "--metrics", f"{SENSITIVITY}:0.8", f"{SENSITIVITY}:1", "cost").splitlines()
    for rate, said in ((0.8, f"positive from a score of {threshold:.4g}"), (1, "nobody is positive")):
        place = next(i for i, line in enumerate(lines) if line.startswith(f"Sensitivity at specificity {rate} "))
        assert lines[place + 2].split() == ["a", *said.split()]
    both = compare(capsys, path, *TWO, "--metrics", f"{SENSITIVITY}:0.8", "--metrics", "cost")
    assert both.count("positive from a score") == 4  # there, and where the cost is least
    reversed_ = write("reversed.csv", {"outcome": [0, 1, 0, 1], "a": [3, 1, 2, 0]})
    assert "nobody is positive" in compare(capsys, reversed_, *ONE, "--prevalence", 0.2, "--metrics", "cost")


# --- files


def packed(content):
    return gzip.compress(content, mtime=0)  # the same in each process that runs tests


ENDINGS = ["csv", "parquet"]
UMLAUT = "outcome,modèle,b\n" + "".join(f"{i % 2},{i * 7 % 20},{i}\n" for i in range(40))


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        *((UMLAUT.encode("utf-8-sig"), None), (UMLAUT.encode("utf-8-sig"), "UTF8")),
        *((UMLAUT.encode("utf-16"), None), (UMLAUT.encode("utf-16"), "utf-16-le")),
        *((UMLAUT.encode("cp1252"), "cp1252"), (UMLAUT.encode("utf-16-be"), "utf-16-be")),
        *((packed(UMLAUT.encode("cp1252")), "cp1252"), (packed(UMLAUT.encode("utf-16")), None)),
        (b"sep=;\r\n" + UMLAUT.replace(",", ";").encode(), None),
        (b'"sep=;"\n' + UMLAUT.replace(",", ";").encode(), None),
        (b"\xef\xbb\xbfSEP=\t\n\n" + UMLAUT.replace(",", "\t").encode(), None),
    ],
)
def test_encodings_gzip_and_a_stated_delimiter_say_the_same(capsys, content, encoding):
    Path("plain.csv").write_text(UMLAUT, encoding="utf-8")
    Path("other.csv").write_bytes(content)
    columns = ("--y-true", "outcome", "--score", "modèle", "--metrics", "roc_auc")
    asked = () if encoding is None else ("--encoding", encoding)
    plain = numbers(capsys, "plain.csv", *columns)
    assert numbers(capsys, "other.csv", *columns, *asked)["rows"] == plain["rows"]


def test_decimal_commas_say_the_same(capsys):
    data, risk = table(40), np.random.default_rng(1).random(40)
    data |= {"a": data["a"] + 5, "b": risk}
    plain = numbers(capsys, write("scores.csv", data), *TWO)["rows"]

    def commas(column, digits=3):
        return [f"{value:.{digits}f}".replace(".", ",") for value in column]

    for delimiter in ";\t|":
        written = {**data, "a": commas(data["a"]), "b": commas(risk, 17)}  # b shows how the file writes decimals
        assert numbers(capsys, write("commas.csv", written, delimiter), *TWO)["rows"] == plain
        written["a"] = [*commas(data["a"], 1)[:-1], "0.5"]
        said = refused(capsys, write("commas.csv", written, delimiter), *TWO)
        assert "line 41, column 'a': '0.5' has a decimal point, unlike earlier numbers." in said
    alone = write("alone.csv", {**data, "a": commas(data["a"], 2)}, ";")
    area = float(sk.bootstrap_auc(data["outcome"], data["a"]))
    assert numbers(capsys, alone, *ONE, "--metrics", "roc_auc")["rows"][0]["estimate"] == pytest.approx(area)


def test_parquet_has_no_encoding_and_is_the_file_of_that_name(capsys):
    for name, auc in (("x[1].PQ", 0), ("x*.parquet", 0.5), ("x1.PQ", 1), ("x1.parquet", 1)):  # to a shell two and more
        write(name, {"outcome": [0, 0, 1, 1], "a": {1: [1, 2, 3, 4], 0: [4, 3, 2, 1], 0.5: [1, 4, 2, 3]}[auc]})
    for name, auc in (("x[1].PQ", 0), ("x*.parquet", 0.5)):
        said = numbers(capsys, name, *ONE, "--metrics", "roc_auc")
        assert (said["made"]["n_cases"], said["rows"][0]["estimate"]) == (4, auc)
    said = refused(capsys, "x1.parquet", *ONE, "--encoding", "cp1252")
    assert "--encoding is for text files, not for Parquet; leave it out." in said


def test_standard_input_says_the_same_to_a_terminal_of_few_letters(capsys, monkeypatch):
    Path("scores.csv").write_text(UMLAUT, encoding="utf-8")
    asked = ("--y-true", "outcome", "--score", "modèle", "--score", "b", "--metrics", "roc_auc")
    plain = compare(capsys, "scores.csv", *asked).replace("modèle", "mod\\xe8le")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(UMLAUT.encode())))
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    main(["compare", "-", *asked])
    said, _, made = sys.stdout.buffer.getvalue().decode("ascii").partition("\nMade by")
    assert said == plain.replace("scores.csv", "standard input").partition("\nMade by")[0]
    assert "python -m skcostci compare - --y-true outcome" in " ".join(made.split())


def test_rows_with_a_missing_value_are_left_out_if_asked(capsys):
    path = write("holes.csv", {"outcome": [0, 1, "NA", 0, 1], "a": [1, 2, 3, "", 4]})
    asked = (path, *ONE, "--metrics", "roc_auc", "--drop-missing")
    said = numbers(capsys, *asked)
    assert (said["made"]["n_cases"], said["made"]["n_rows_dropped"], said["rows"][0]["estimate"]) == (3, 2, 1)
    assert "Left out, because a value is missing: 2 rows." in compare(capsys, *asked)
    none = write("none.csv", {"outcome": [1, 0], "a": ["", ""]})
    assert "there is a header but no row without a missing value" in refused(capsys, none, *asked[1:])


LIKE_NUMBERS = [("007", "7"), ("0e1", "0e2"), ("1.0", "1"), ("true", "True"), ("01", "true")]


@pytest.mark.parametrize(("ids", "ending"), [*zip(LIKE_NUMBERS, ENDINGS * 3, strict=False)])
def test_groups_and_subgroups_are_what_is_written(capsys, ids, ending):
    path = write(f"scores.{ending}", {**table(60), "id": np.repeat(ids, 30)})
    asked = (path, *ONE, "--metrics", "accuracy")
    assert numbers(capsys, *asked, "--groups", "id")["made"]["n_groups"] == len(ids)
    text = compare(capsys, *asked, "--by", "id")
    assert re.findall(r"^  (\S+) +30 cases, ", text, re.MULTILINE) == sorted(ids)


def test_subgroups_that_are_numbers_are_in_their_order(capsys):
    path = write("scores.csv", {**table(60), "age": np.array(["10", "100", "9.5"])[np.arange(60) % 3]})
    rows = numbers(capsys, path, *ONE, "--by", "age", "--metrics", "accuracy")["rows"]
    assert [row["model"] for row in rows][:3] == ["9.5", "10", "100"]


def test_a_line_is_as_long_as_it_is(capsys):
    data, asked = table(40), (*TWO, "--metrics", "accuracy")
    long = write("long.csv", {"note": ["x" * 200_000] * 40, **data, "y" * 200_000: range(40)})
    assert numbers(capsys, long, *asked)["rows"] == numbers(capsys, write("scores.csv", data), *asked)["rows"]


# --- pictures and pages


@pytest.mark.slow
def test_demo_prints_a_report_and_draws_a_picture_over_another_if_asked(capsys, undrawn):
    Path("skcostci-demo.png").write_text("mine")
    main(["demo", "--overwrite"])
    said = capsys.readouterr()
    assert said.out.endswith("Picture: skcostci-demo.png\n")
    for part in ("Area under the ROC curve", "PC(+) = 0.357", "Significantly cheaper (95 %"):
        assert part in said.out
    assert max(map(len, said.out.splitlines())) <= 80
    assert said.err == ""
    assert Path("skcostci-demo.png").read_text() == "picture"
    width, height = undrawn[0].get_size_inches()
    assert height > 2 * width  # the panels are one below the other


def test_demo_replaces_a_file_only_if_asked(capsys):
    Path("skcostci-demo.png").write_text("mine")
    assert "skcostci-demo.png: this file exists; pass --overwrite to replace it." in message(capsys, "demo")
    assert Path("skcostci-demo.png").read_text() == "mine"


@pytest.mark.parametrize(("ending", "start"), [("png", b"\x89PNG"), ("PDF", b"%PDF"), ("svg", b"<?xml")])
def test_pictures_are_saved_as_their_names_say(capsys, ending, start):
    data = table(20)
    data["outcome"] = np.where(data["outcome"], "sick", "well")
    asked = (write("scores.csv", data), *ONE, "--pos-label", "sick", "--metrics", "accuracy")
    text = compare(capsys, *asked, "--output", f"report.{ending}")
    assert "(outcome = sick)" in text
    assert text.endswith(f"Picture: report.{ending}\n")
    saved = Path(f"report.{ending}").read_bytes()
    assert saved.startswith(start)
    assert ending != "svg" or b"(Positive label: sick)" in saved


def test_the_picture_of_several_models_or_subgroups_orders_them(capsys, undrawn):
    data, sites = table(60), ["north", "south", "_$d^$", "west"]
    path = write("scores.csv", {**data, "site": np.array(sites)[np.arange(60) // 2 % 4]})
    options = ("--metrics", "roc_auc", "cost", "--output", "report.png", "--overwrite")
    said = numbers(capsys, path, *ONE, "--by", "site", *options)
    compare(capsys, path, *TWO, *options)
    roc, cost, auc, at = undrawn[0].axes
    names = "AUC", f"Cost at PC(+) = {data['outcome'].mean():.3f}"
    for ax, name, label, best in zip((auc, at), ("auc", "cost"), names, (-1, 1), strict=True):
        assert ax.get_xlabel().split(" (95")[0] == label
        found = sorted(sites, key=lambda site: best * row(said, site, name)["estimate"])
        assert [tick.get_text().strip().replace("\\$", "$") for tick in ax.get_yticklabels()] == found
    assert not any(band.get_visible() for ax in (roc, cost) for band in ax.collections)  # four would hide each other
    assert all(band.get_visible() for ax in undrawn[1].axes[:2] for band in ax.collections)


class Page(HTMLParser):
    """Its words, pictures and whatever else it would load, headings, and the rows of the table below each."""

    def __init__(self, page):
        super().__init__()
        self.texts, self.images, self.loaded, self.headings, self.rows, self.tag = [], [], [], [], [], None
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tag, given = tag, dict(attributes)
        self.loaded += [given[name] for name in ("src", "href") if name in given]
        if tag == "img":
            self.images.append(given)
        if tag == "h2":
            self.rows.append([])
        if tag == "tr":
            self.rows[-1].append([])

    def handle_endtag(self, tag):
        self.tag = None

    def handle_data(self, data):
        self.texts += data.split()
        if self.tag == "h2":
            self.headings.append(data)
        if self.tag == "td":
            self.rows[-1][-1].append(data)


@pytest.mark.parametrize(("models", "panels"), [("a", 2), ("ab", 3), (("a", "b", "<c>"), 4)])
def test_the_page_holds_the_report_and_its_pictures(capsys, undrawn, models, panels):
    path = write("scores\udcff.csv" if sys.platform == "linux" else "s.csv", {**table(40), "<c>": table(40, 1)["b"]})
    scores = [part for model in models for part in ("--score", model)]
    text = compare(capsys, path, *ONE[:2], *scores, "--metrics", "roc_auc", "cost", "--output", "report.html")
    page = Path("report.html").read_text(encoding="utf-8")
    assert sys.platform != "linux" or "scores\\udcff.csv" in page
    said, shown = Page(page), text.split("Report: report.html")[0]
    assert set(shown.split()) <= set(said.texts)
    assert all(image["alt"] and image["src"].startswith("data:image/png;base64,") for image in said.images)
    assert said.loaded == [image["src"] for image in said.images]  # and nothing from elsewhere
    assert len(said.images) == len(undrawn) == panels


def test_the_scores_are_never_replaced(monkeypatch, capsys):
    scores = Path(write("scores.html", table(20)))
    content = scores.read_text()
    os.symlink("scores.html", "link.html")
    os.link("scores.html", "second.html")
    Path("folder").mkdir()
    outputs = ("scores.html", "./scores.html", "scores.html/", "folder/../scores.html", scores.absolute())
    for output, overwrite in zip((*outputs, "link.html", "second.html"), ([], ["--overwrite"]) * 4, strict=False):
        said = refused(capsys, "scores.html", *TWO, "--output", output, *overwrite)
        assert "this is the file of the scores, which a report must not replace" in said
    with open(scores) as piped:
        monkeypatch.setattr(sys, "stdin", piped)
        for source in ("link.html", "-"):
            said = refused(capsys, source, *TWO, "--output", "scores.html", "--overwrite")
            assert "this is the file of the scores" in said
    assert (scores.read_text(), Path("link.html").is_symlink()) == (content, True)


def test_a_report_is_saved_where_a_link_points_with_the_rights_that_the_file_had(capsys, undrawn, folder):
    asked = (write("scores.csv", table(20)), *ONE, "--metrics", "accuracy", "--output", "link.html")
    Path("old.html").write_text("old")
    Path("old.html").chmod(0o640)
    Path("link.html").symlink_to("old.html")
    assert "this file exists" in refused(capsys, *asked)
    compare(capsys, *asked, "--overwrite")
    assert Path("old.html").read_text().startswith("<!doctype html>")
    assert Path("link.html").is_symlink()
    assert Path("old.html").stat().st_mode & 0o777 == 0o640
    assert sorted(os.listdir(folder)) == ["link.html", "old.html", "scores.csv"]


@pytest.mark.parametrize("name", ["old.html", "new.png"])
def test_a_report_that_cannot_be_written_whole_leaves_what_was_there(capsys, undrawn, folder, monkeypatch, name):
    resource = pytest.importorskip("resource")
    Path("old.html").write_text("old")
    asked = (write("scores.csv", table(20)), *ONE, "--metrics", "accuracy", "--output", name, "--overwrite")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # what is compiled would be cut off at that size too
    resource.setrlimit(resource.RLIMIT_FSIZE, (5, before[1]))
    try:
        said = refused(capsys, *asked)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert said.endswith(f"error: {name}: cannot be written (File too large).\n")
    assert Path("old.html").read_text() == "old"
    assert sorted(os.listdir(folder)) == ["old.html", "scores.csv"]


def test_what_comes_while_the_report_is_computed_is_not_replaced(monkeypatch, capsys):
    path, page = write("scores.csv", table(20)), Path("report.html")
    monkeypatch.setattr(Figure, "savefig", lambda *_, **__: page.write_text("new"))
    said = refused(capsys, path, *ONE, "--metrics", "accuracy", "--output", page)
    assert "cannot be written (File exists)" in said
    assert page.read_text() == "new"


def test_a_picture_that_cannot_be_written(capsys):
    path = write("scores.csv", table(20))
    Path("report.png").mkdir()
    said = refused(capsys, path, *TWO, "--output", "report.png", "--overwrite")
    assert "report.png: cannot be written (Is a directory)" in said
    said = refused(capsys, path, *TWO, "--output", f"{'a' * 300}.html")
    assert "cannot be written" in said
    assert len(said) < 400
    if sys.platform != "win32":  # which has no pipes with a name
        os.mkfifo("pipe.png")
        said = refused(capsys, path, *TWO, "--output", "pipe.png", "--overwrite")
        assert "pipe.png: cannot be written" in said


# --- what is wrong

GOOD = "outcome,a,b\n1,0.9,0.4\n0,0.1,0.3\n1,0.8,0.9\n0,0.3,0.2\n"
NO_TEXT = "this is not UTF-8 text; save a workbook as CSV, unpack an archive, or pass its --encoding, such as cp1252"
NO_ENCODING = "--encoding must name an encoding, such as utf-8, cp1252"
THOUSANDS = "has separators of thousands"
WITH_B = ("--score", "b")
WITH_N = ("--sample-weight", "n")


@pytest.mark.parametrize(
    ("content", "asked", "said"),
    [
        (None, (), "scores.csv: cannot be read (No such file or directory)."),
        ("\n\n", (), "scores.csv: the file is empty."),
        ("outcome,a\n", (), "scores.csv: there is a header but no row."),
        ("outcome,ab\n1,2\n", (), "there is no column 'a', only 'outcome', 'ab'."),
        (GOOD, ("--score", "B"), "there is no column 'B', only 'outcome', 'a', 'b'. Did you mean 'b'?"),
        ("outcome,a,a\n1,2,3\n", (), "2 columns are named 'a'."),
        (GOOD.replace("0.8", "high"), (), "scores.csv, line 4, column 'a': 'high' is not a number."),
        (GOOD.replace("0.8", "1_0"), (), "'1_0' is not a number."),
        (GOOD.replace("0.8", '"0,8"'), (), "'0,8' is not a number (where commas separate"),
        (GOOD.replace("0.8", ""), (), "scores.csv, line 4, column 'a': the score is missing (--drop-missing"),
        (GOOD.replace("0.8", "NaN"), (), "scores.csv, line 4, column 'a': the score is missing (--drop-missing"),
        (GOOD.replace("0.8", "-inf"), (), "scores.csv, line 4, column 'a': '-inf' is not finite."),
        (GOOD + "\n2,1,1\n", (), "scores.csv, line 7, column 'outcome': 2 is a third class, besides 1, 0, and"),
        (GOOD + ",1,1\n", (), "scores.csv, line 6, column 'outcome': the label is missing (--drop-missing"),
        (GOOD + "1,1\n", (), "scores.csv, line 6: 2 field(s) where the header has 3."),
        (GOOD + '1,"0.3,4\n', (), "this is not CSV (unexpected end of data)."),
        ("outcome,a\nsick,2\nwell,3\n", ("--pos-label", "ill"), "pos_label='ill' is not a valid label."),
        (GOOD, ("--sample-weight", "b"), "line 2, column 'b': '0.4' is not a frequency (a whole number"),
        ("outcome,a,n\n1,2,0\n0,2,3\n", (*WITH_N, *USUAL), "undefined (no positives); recall and"),
        (GOOD, ("--cost-fn", "-5"), "cost_fn must be a number in [0, 1e+100], got -5.0."),
        (GOOD, ("--cost-fp", "cheap"), "argument --cost-fp: invalid float value: 'cheap'"),
        (GOOD, ("--thresholds", "b=1"), "thresholds must contain a score for each model, got none for 'a'"),
        (GOOD, ("--score", "a"), "--score a is already the column of --score; pass another."),
        (GOOD, ("--score", "outcome"), "--score outcome is already the column of --y-true; pass another."),
        (GOOD, ("--by", "outcome"), "--by outcome is already the column of --y-true; pass another."),
        (GOOD, ("--groups", "outcome"), "--groups outcome is already the column of --y-true; pass another."),
        ("outcome,a,s\n1,2,x\n0,3,\n", ("--by", "s"), "line 3, column 's': the group is missing (--drop-missing"),
        ("outcome,a,s\n" + "".join(f"{i % 2},{i},{i // 2}\n" for i in range(102)), ("--by", "s"),
         "by must contain from 2 to 50 subgroups, got 51."),
        ("outcome,a\n0,0.10000000000000000001\n1,0.10000000000000000002\n", (),
         "column 'a': '0.10000000000000000002' differs from '0.10000000000000000001' only in digits"),
        ("outcome,a\n" + "9007199254740993,2\n9007199254740992,3\n1,4\n", (), "1 is a third class, besides 900"),
        (GOOD, ("--output", "report.xlsx"), "--output must end in .png, .pdf, .svg, .html, .htm, got 'report.xlsx'."),
        (GOOD, ("--output", "nowhere/report.png"), "error: nowhere/report.png: there is no folder 'nowhere'."),
        (GOOD, ("--metrics", "mean"), "for all metrics but mean, which is of values alone and must not have it."),
        (GOOD, ("--metrics", "mean", "f1"), "metrics: 'f1' needs y_true; metrics='mean', by itself"),
        # bytes that are no text
        (UMLAUT.encode("cp1252"), (), NO_TEXT),
        (UMLAUT.encode("utf-16-le"), (), "--encoding, such as cp1252 (Windows) or utf-16-le"),
        (b"PK\3\4" + bytes(99), (), NO_TEXT),
        (packed(packed(GOOD.encode())), (), NO_TEXT),
        (UMLAUT.encode(), ("--encoding", "ascii"), "this is not ascii text"),
        (UMLAUT.encode(), ("--encoding", "utf-16"), "this is not utf-16 text"),
        (UMLAUT.encode(), ("--encoding", "latin-one"), NO_ENCODING),
        (UMLAUT.encode(), ("--encoding", "a\0b"), NO_ENCODING),
        (packed(GOOD.encode())[:-9], (), "the gzip data are damaged (Compressed file ended before"),
        (packed(GOOD.encode())[:20] + bytes(40), (), "the gzip data are damaged"),
        (b"sep=^\n" + GOOD.replace(",", "^").encode(), (), "line 1: columns must be separated by one of ',', ';'"),
        # commas that may be those of thousands
        ("outcome;a\n0;1,234\n1;999", (), "line 2, column 'a': '1,234' may be 1.234 or 1234"),
        ("outcome;a\n0;-1,234\n1;1,000,000", (), f"line 3, column 'a': '1,000,000' {THOUSANDS}"),
        ("outcome;a\n0;0,5\n1;1.234,5", (), f"line 3, column 'a': '1.234,5' {THOUSANDS}, or is not a number"),
        ("outcome;a;b\n0;1.234;0,5\n1;0;0,7", WITH_B, "line 2, column 'a': '1.234' may be 1.234 or 1234"),
        ("outcome;a;n\n0;0,5;1,000\n1;0,7;1,000", WITH_N, "line 2, column 'n': '1,000' may be 1.000 or 1000"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_one_line(capsys, content, asked, said):
    if content is not None:
        Path("scores.csv").write_bytes(content if isinstance(content, bytes) else content.encode())
    assert said in refused(capsys, "scores.csv", *ONE, *asked)


def test_wrong_files(capsys, monkeypatch):
    Path("folder.parquet").mkdir()
    Path("junk.parquet").write_bytes(b"junk" * 100)
    write("holes.parquet", {"outcome": ["x", "y", None], "a": [1.0, None, 2.0], "b": ["1", "2", "c"]})
    write("lists.parquet", {"outcome": [[0], [1]], "a": [[1.0], [2.0]], "b": [0, 1]})
    write("empty.parquet", {"outcome": [], "a": []})
    missing = "holes.parquet, row 3, column 'outcome': the label is missing (--drop-missing"
    for name, asked, said in (
        ("folder.parquet", ONE, "folder.parquet: cannot be read (Is a directory)"),
        ("two\nlines.csv", ONE, "two lines.csv: cannot be read (No such file"),
        ("lost.parquet", ONE, "lost.parquet: cannot be read (No such file"),
        ("junk.parquet", ONE, "junk.parquet: this is not Parquet that can be read"),
        ("holes.parquet", ONE, missing),
        ("holes.parquet", ("--y-true", "b", "--score", "outcome"), missing),
        ("holes.parquet", ("--y-true", "b", "--score", "lost"), "no column 'lost', only 'outcome', 'a', 'b'."),
        ("lists.parquet", ONE, "row 1, column 'outcome': [0] is neither a number"),
        ("lists.parquet", ("--y-true", "b", "--score", "a"), "row 1, column 'a': [1.0] is neither a number"),
        ("empty.parquet", ONE, "there is a header but no row"),
        ("a\0b", ONE, "cannot be the name of a file"),
        ("a\ud800b", ONE, "cannot be the name of a file"),
        ("lists.parquet", (*ONE, "--output", "a\0b.html"), "cannot be the name of a file"),
    ):
        assert said in refused(capsys, name, *asked)
    monkeypatch.setattr(sys, "stdin", None)
    assert "standard input: there is none." in refused(capsys, "-", *ONE)


@pytest.mark.parametrize("missing", [("polars", "pandas"), ("narwhals.stable.v2",)])
def test_parquet_without_a_reader_says_what_to_install(capsys, monkeypatch, missing):
    path = write("scores.parquet", table(20))
    for name in missing:
        monkeypatch.setitem(sys.modules, name, None)
    said = "Parquet needs Polars, or pandas with pyarrow: python -m pip install polars narwhals"
    assert said in refused(capsys, path, *ONE)


# --- the terminal


either = pytest.mark.parametrize("asked", [["compare", "scores.csv", *ONE], ["--help"]], ids=" ".join)


def print_to(target, asked, monkeypatch):
    """Close what is printed to, at which nothing is left to write."""
    write("scores.csv", table(20))
    with open(target, "w") as stream, monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", stream)
        try:
            main(asked)
        except SystemExit as stopped:
            return stopped.code
    return 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk to write to")
@either
def test_a_full_disk_is_said_in_one_line(capsys, monkeypatch, asked):
    assert print_to("/dev/full", asked, monkeypatch) == 2
    said = capsys.readouterr().err
    assert said.endswith(f" {asked[0]}: error: the output cannot be written (No space left on device).\n")
    assert said.count("\n") == 1


@either
def test_whoever_stops_reading_hears_nothing_more(capsys, monkeypatch, asked):
    read, written = os.pipe()
    os.close(read)
    assert print_to(written, asked, monkeypatch) == 0
    assert capsys.readouterr().err == ""


STEERING = "\x1b]0;title\x07\x1b[31m\x9b2J\u202e\u200f\u061c"
YES, A, B = (STEERING + name for name in ("yes", "a", "b"))


@pytest.mark.parametrize(
    ("asked", "wrong"), [((), True), ((), False), (("--output", "report.html"), False), (("--by", B), False)]
)
@pytest.mark.filterwarnings("ignore:Glyph .* missing from")  # "current font" in old releases
def test_what_a_file_holds_does_not_steer_the_terminal(capsys, asked, wrong):
    data = table(40)
    named = {"outcome": np.where(data["outcome"], YES, "no"), A: data["a"], B: np.where(data["b"] > 0, YES, "no")}
    command = ["compare", write("scores.csv", named), "--y-true", "outcome", "--score", A, "--metrics", "accuracy"]
    with pytest.raises(SystemExit) if wrong else nullcontext():
        main([*command, *asked, *([] if wrong else ["--pos-label", YES])])
    said, page = capsys.readouterr(), Path("report.html")
    for text in (*said, page.read_text(encoding="utf-8") if page.exists() else ""):
        assert not set(text) & set("\x1b\x07\x9b\u202e\u200f\u061c")
    assert "\\x1b" in said.out + said.err


def test_whoever_interrupts_sees_no_traceback(folder, capsys, monkeypatch):
    def interrupt():
        raise KeyboardInterrupt

    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=SimpleNamespace(read=interrupt)))
    with pytest.raises(SystemExit, match="130"):
        main(["compare", "-", *ONE])
    assert capsys.readouterr() == ("", "")
    slow = "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(60)\n"
    Path("numpy.py").write_text(slow)  # the first that takes time to load
    path = os.pathsep.join([str(folder), str(Path(sk.__file__).parent.parent)])
    command, environment = [sys.executable, "-m", "skcostci", "demo"], {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


@pytest.mark.skipif(not PAGE.exists(), reason="the pages are not in the source distribution")
def test_the_page_shows_what_is_printed(capsys, undrawn):
    page = PAGE.read_text(encoding="utf-8")
    for block in page.split("```python\n")[1:]:
        Path("block.py").write_text(block.split("```")[0])
        runpy.run_path("block.py")
    for shown in page.split("```console\n$ python -m skcostci ")[1:]:
        lines = shown.split("```")[0].replace("\\\n", " ").splitlines()
        with suppress(SystemExit):
            main(lines[0].split())
        printed = capsys.readouterr()
        said = re.sub(r" on \d{4}-\d\d-\d\d:", " on 2026-11-25:", printed.out + printed.err)
        said = said.split(" error: ")[-1].splitlines()
        assert said == "\n".join(lines[1:]).split(" error: ")[-1].splitlines()


def test_version_help_and_usage(capsys):
    example, about = "--metrics roc_auc cost --cost-fn 5", "judge one model, or compare several"
    for asked, part in ((["compare", "--help"], example), ([], about), (["--version"], sk.__version__)):
        with pytest.raises(SystemExit, match="0"):
            main(asked)
        assert part in (said := capsys.readouterr().out)
    assert said == f"{sk.__version__}\n"
    assert "the following arguments are required: FILE, --score" in refused(capsys)
    assert "--y-true is needed for all metrics but mean" in refused(capsys, "scores.csv", "--score", "a")
    assert "invalid choice: 'predict'" in message(capsys, "predict")
