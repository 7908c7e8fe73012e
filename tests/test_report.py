"""What a file of scores holds, and how a report is written."""

import json
import re
from itertools import cycle

import numpy as np
import pytest

import skcostci as sk
from skcostci.__main__ import main


def cases(n=150, names=("good", "bad"), shifts=(3, 1)):
    rng = np.random.default_rng(0)
    positive = rng.integers(0, 2, n) == 1
    return positive, {name: rng.normal(size=n) + shift * positive for name, shift in zip(names, cycle(shifts))}


RATE = "sensitivity_at_specificity"
USUAL = ("roc_auc", f"{RATE}:0.9", "cost")


@pytest.fixture
def said(tmp_path, monkeypatch, capsys):
    """What the command line says of scores in a file, options by their names."""

    def lines(positive, scores, **options):
        monkeypatch.chdir(tmp_path)
        columns = {"ill": positive.astype(int), **scores}
        quoted = ",".join(f'"{name}"' for name in columns)
        rows = zip(*(np.asarray(column).tolist() for column in columns.values()), strict=True)
        text = "\n".join([quoted, *(",".join(map(repr, row)) for row in rows)]) + "\n"
        (tmp_path / "file").write_text(text, newline="")
        asked = ["compare", "file", "--y-true", "ill", *(part for name in scores for part in ("--score", name))]
        for name, values in {"metrics": USUAL, **options}.items():
            values = values if isinstance(values, tuple) else (values,)
            asked += [f"--{name.replace('_', '-')}", *map(str, values)]
        main(asked)
        printed = capsys.readouterr()
        assert printed.err == ""
        return printed.out.splitlines()

    return lines


def test_the_table_says_what_the_results_say(said):
    y, columns = cases()
    said = said(y, columns, metrics=USUAL, confidence_level=0.9, prevalence=0.3, cost_fn=2, cost_fp=1)
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


def test_of_three_models_each_pair_has_a_row_and_the_best_are_named(said):
    y, columns = cases(120, names=("good", "bad", "as good"), shifts=(3, 1, 2.9))
    said = said(y, columns, metrics=("roc_auc", "f1"))
    comparison = sk.compare_models(y, columns)
    together = comparison.differences
    place = next(i for i, line in enumerate(said) if line.startswith("Area under"))
    found = zip(together.names, together.estimate, *together.confidence_interval(), together.pvalue(), strict=True)
    for row, (name, *numbers, p) in zip(said[place + 4 : place + 7], found, strict=True):
        estimate, low, high = (f"{number:.3f}" for number in numbers)
        assert row.split() == [*name.split(), estimate, low, "to", high, f"{p:.4f}" if p >= 1e-4 else "<0.0001"]
    assert comparison.may_be_best() == ("good", "as good")
    assert said[place + 7] == "  may be best (95 %): good, as good"
    assert not any("Significantly" in line or line.startswith("  difference") for line in said)
    place = next(i for i, line in enumerate(said) if line == "Metrics of labels, on these cases")
    assert said[place + 1].split() == ["good", "positive", "from", "a", "score", "of", "0.5"]


def test_where_a_model_is_cheaper_is_said_in_words(said):
    y, columns = cases()
    said = said(y, columns, prevalence=0.25)
    ((low, high),) = sk.bootstrap_cost_difference(y, *columns.values()).significant(simultaneous=True).a
    assert f"  {'good':<40}PC(+) from {low:.2f} to {high:.2f}" in said
    assert f"  {'bad':<40}nowhere" in said
    ratios = [f"{3 * w / (1 - w):.3g}" for w in (low, high)]
    words = " ".join(" ".join(said).split())
    assert f"At prevalence 0.25: good where a miss costs {' to '.join(ratios)} times a false alarm." in words


@pytest.mark.slow
def test_lines_fit_a_terminal(said):
    names = "a very long name of a column, " * 4 + "1", "another\nname of some length, that is also too long"
    lines = said(*cases(60, names))
    assert max(map(len, lines)) <= 80
    shown = [line[2:42].strip() for line in lines if re.match("  a.*[0-9] to [0-9]", line)]
    assert shown[:2] == ["a very long name...e of a column, 1", "another name of ...is also too long"]
    many = tuple(f"{name} {i}" for i, name in enumerate(names * 2))
    assert max(map(len, said(*cases(60, many), metrics=(*USUAL, "f1")))) <= 80


def counted(tmp_path, capsys, labels, scores=None, *asked):
    """What the report counts of labels in a CSV file: its JSON."""
    path = tmp_path / "scores.csv"
    scores = range(len(labels)) if scores is None else scores
    path.write_text("y,a\n" + "".join(f"{label},{score}\n" for label, score in zip(labels, scores, strict=True)))
    main(["compare", str(path), "--y-true", "y", "--score", "a", "--json", *asked])
    return json.loads(capsys.readouterr().out)


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
def test_labels_are_what_they_mean(tmp_path, capsys, labels, pos_label, positive, called):
    labels = labels.split()
    said = counted(tmp_path, capsys, labels, None, *(() if pos_label is None else ("--pos-label", pos_label)))
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
def test_csv_as_it_comes(tmp_path, capsys, text):
    path = tmp_path / "scores.csv"
    path.write_bytes(text.encode())
    asked = ["compare", str(path), "--y-true", "y", "--score", "a", "--prevalence", "0.2"]
    main([*asked, "--metrics", f"{RATE}:0.01", "cost", "roc_auc"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("3 cases, 1 positive (y = 1)")
    said = [line.split(maxsplit=1) for line in lines if line.startswith("  a  ")]
    assert float(sk.bootstrap_roc_at_fpr([1, 0, 0], [0.5, -2000, 1], fpr=0.99).threshold) == -2000
    assert ["a", "positive from a score of -2000"] in said
    assert ["a", "nobody is positive"] in said
    assert said[-2][1].startswith("0.500 ")


def test_lines_are_counted_across_blocks_blank_lines_and_quoted_breaks(tmp_path, capsys):
    path = tmp_path / "scores.csv"
    rows = ["y,a,note", *(f"{i % 2},{i},x" for i in range(5000)), "", '1,2,"two\nlines"', "0,oops,x"]
    path.write_text("\n".join(["", *rows]))
    wrong = path.read_text().split("\n").index("0,oops,x") + 1
    with pytest.raises(SystemExit):
        main(["compare", str(path), "--y-true", "y", "--score", "a"])
    assert f"line {wrong}, column 'a': 'oops' is not a number" in capsys.readouterr().err


@pytest.mark.parametrize("places", [0, 300])
def test_every_digit_is_read(tmp_path, capsys, places):
    """Scores that differ in the last bit alone are told apart."""
    score = np.random.default_rng(0).random() * 10.0**-places
    said = counted(tmp_path, capsys, [0, 1] * 20, [score, float(np.nextafter(score, 1))] * 20, "--metrics", "roc_auc")
    assert said["rows"][0]["estimate"] == 1
