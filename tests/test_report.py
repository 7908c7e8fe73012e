"""What a file of scores holds, and how a report is written."""

import re
from dataclasses import replace
from itertools import cycle

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import skcostci as sk
from skcostci.cases._cases import Cases
from skcostci.cli._files import as_label, read_scores
from skcostci.cli._inquiry import Inquiry, Model, Origin, Question
from skcostci.cli._layout import short
from skcostci.cli._report import report_on
from skcostci.cli._text import report_json, report_lines

ORIGIN = Origin("file", "ill")


def cases(n=400, names=("good", "bad"), shifts=(3, 1)):
    rng = np.random.default_rng(0)
    positive = rng.integers(0, 2, n) == 1
    return positive, {name: rng.normal(size=n) + shift * positive for name, shift in zip(names, cycle(shifts))}


def report(positive, scores, question=None, weights=None):
    data = Cases.check(positive, scores, sample_weight=weights)
    models = [Model(name, metric_threshold=0.5) for name in scores]
    return report_on(Inquiry(ORIGIN, data, models, question or Question()))


def lines(*arguments):
    return report_lines(report(*arguments))


def test_the_table_says_what_the_results_say():
    y, columns = cases()
    said = lines(y, columns, Question(0.9, (0.8,), 0.3, 2, 1))
    w = sk.probability_cost(0.3, 2, 1)
    scores = tuple(columns.values())
    results = [
        *(sk.bootstrap_auc(y, score) for score in scores),
        sk.bootstrap_auc_difference(y, *scores),
        *(sk.bootstrap_roc_at_fpr(y, score, fpr=0.2) for score in scores),
        sk.bootstrap_roc_difference_at_fpr(y, *scores, fpr=0.2),
        *(sk.bootstrap_cost(y, score, probability_cost=w) for score in scores),
        sk.bootstrap_cost_difference(y, *scores, probability_cost=w),
    ]
    rows = [line for line in said if " to " in line and "PC(+)" not in line and "prevalence" not in line]
    for name, row, result in zip(["good", "bad", "difference"] * 3, rows, results, strict=True):
        low, high = result.confidence_interval(0.9)
        words = [name, f"{float(result):.3f}", f"{low:.3f}", "to", f"{high:.3f}"]
        p = [f"{result.pvalue():.4f}" if result.pvalue() >= 1e-4 else "<0.0001"] if name == "difference" else []
        assert row.split() == [*words, *p]
    assert said[0] == f"file: 400 cases, {y.sum()} positive (ill = 1)"
    assert said[1].startswith("90 % intervals")
    assert "Prevalence 0.3 (as stated), a miss costs 2, a false alarm 1." in said
    assert "Normalized cost: 1 is everything wrong, 1.3 a case in these units." in said
    thresholds = [f"{sk.bootstrap_cost(y, score, probability_cost=w).thresholds:.4g}" for score in scores]
    assert [line.split()[-1] for line in said if "positive from a score" in line][-2:] == thresholds


def test_of_three_models_each_pair_has_a_row_and_the_best_are_named():
    y, columns = cases(names=("good", "bad", "as good"), shifts=(3, 1, 2.9))
    said = lines(y, columns, Question(metrics=["f1"]))
    comparison = sk.compare_models(y, columns)
    together = comparison.differences
    low, high = together.confidence_interval()
    place = next(i for i, line in enumerate(said) if line.startswith("Area under"))
    for row, name, *numbers, p in zip(
        said[place + 4 : place + 7], together.names, together.estimate, low, high, together.pvalue(), strict=True
    ):
        estimate, least, most = (f"{x:.3f}" for x in numbers)
        assert row.split() == [*name.split(), estimate, least, "to", most, f"{p:.4f}" if p >= 1e-4 else "<0.0001"]
    assert comparison.may_be_best() == ("good", "as good")
    assert said[place + 7] == "  may be best (95 %): good, as good"
    assert not any("Significantly" in line or line.startswith("  difference") for line in said)
    place = next(i for i, line in enumerate(said) if line == "Metrics of labels, on these cases")
    assert said[place + 1].split() == ["good", "positive", "from", "a", "score", "of", "0.5"]


def test_where_a_model_is_cheaper_is_said_in_words():
    y, columns = cases()
    said = lines(y, columns, Question(prevalence=0.25))
    ((low, high),) = sk.bootstrap_cost_difference(y, *columns.values()).significant(simultaneous=True).a
    assert f"  {'good':<40}PC(+) from {low:.2f} to {high:.2f}" in said
    assert f"  {'bad':<40}nowhere" in said
    ratios = [f"{3 * w / (1 - w):.3g}" for w in (low, high)]
    words = " ".join(" ".join(said[-2:]).split())
    assert words.endswith(f"At prevalence 0.25: good where a miss costs {' to '.join(ratios)} times a false alarm.")


def test_at_most_two_stretches_a_model_are_shown():
    y, columns = cases()
    many = ((0.1, 0.11), (0.3, 0.5), (0.6, 0.62), (0.7, 0.9))
    said = report_lines(replace(report(y, columns), cheaper=(many, many[:2])))
    place = next(i for i, line in enumerate(said) if line.startswith("Significantly"))
    shown = [line.split("  ")[-1].strip() for line in said[place + 1 : place + 6]]
    assert shown == [
        "PC(+) from 0.30 to 0.50",
        "PC(+) from 0.70 to 0.90",
        "and 2 shorter stretches",
        "PC(+) from 0.10 to 0.11",
        "PC(+) from 0.30 to 0.50",
    ]


def test_one_model_has_no_difference():
    y, columns = cases()
    said = lines(y, {"good": columns["good"]})
    assert not any("ifference" in line or "Significantly" in line or line.endswith("  p") for line in said)


def test_weights_are_cases():
    weights = np.arange(400) % 3
    y, columns = cases()
    repeated = np.repeat(y, weights), {name: np.repeat(score, weights) for name, score in columns.items()}
    assert to_rounding(report_json(report(y, columns, weights=weights))) == to_rounding(report_json(report(*repeated)))


def to_rounding(text):
    """Numbers to twelve digits: sums over rows and over cases differ in the last."""
    return re.sub(r"-?\d+\.\d+(e-?\d+)?", lambda number: f"{float(number[0]):.12g}", text)


def test_few_negatives_have_a_sensitivity_at_any_specificity():
    y = np.array([False] * 4 + [True] * 6)
    written = lines(y, {"perfect": np.arange(10.0)}, Question(specificity=(0.7, 0.9)))
    place = next(i for i, line in enumerate(written) if line.startswith("Sensitivity at specificity 0.9"))
    assert written[place + 1].split()[:2] == ["perfect", "1.000"]


def test_lines_fit_a_terminal():
    names = "a very long name of a column, " * 4, "another\nname of some length, that is also too long"
    assert max(map(len, lines(*cases(60, names)))) <= 80
    many = tuple(f"{name} {i}" for i, name in enumerate(names * 3))
    assert max(map(len, lines(*cases(60, many), Question(metrics=["f1"])))) <= 80
    assert short("short\n name") == "short name"
    assert short("x" * 50 + "y", 11) == "xxxx...xxxy"


@pytest.mark.parametrize(
    ("written", "label"),
    [("1", 1), ("1.0", 1), (" 1e0", 1), (1.0, 1), ("True", True), ("false", False), ("0.5", 0.5), ("sick", "sick"),
     ("-1", -1), ("inf", "inf"), (np.bool_(True), True), ("None", "None")],
)  # fmt: skip
def test_labels_are_what_they_mean(written, label):
    found = as_label(written)
    assert found == label
    assert type(found) is type(label)


@pytest.mark.parametrize(
    ("labels", "pos_label", "expected"),
    [
        ("1.0 0 1 0.0", None, (0, 1)),
        ("-1 1 1 -1", None, (-1, 1)),
        ("TRUE false true False", None, (False, True)),
        ("1 0 1 0", "0.0", (1, 0)),
        ("1 0 1 0", "true", (0, 1)),
        ("x y x y", "y", ("x", "y")),
        ("2 x 2 x", "2", ("x", "2")),
        ("1 2 1 2", "2", (1, 2)),
    ],
)
def test_which_cases_are_positive(tmp_path, labels, pos_label, expected):
    path = tmp_path / "scores.csv"
    path.write_text("y,a\n" + "".join(f"{label},{i}\n" for i, label in enumerate(labels.split())))
    data = read_scores(str(path), y_true="y", scores=["a"], pos_label=pos_label).cases
    assert tuple(data.labels) == expected
    assert_array_equal(
        data.positive, [as_label(label) in (expected[1], as_label(expected[1])) for label in labels.split()]
    )
    assert_array_equal(data.columns["a"], [0, 1, 2, 3])


PLAIN = "y,a,note\n1,0.5,x\n0,-2e3,z\n"


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        "\ufeff" + PLAIN,
        PLAIN.replace("\n", "\r\n"),
        PLAIN.replace("\n", "\r"),
        "\n\n" + PLAIN.replace("\n", "\n\n") + "\n  \n",
        PLAIN.replace(",", ";"),
        PLAIN.replace(",", "\t"),
        PLAIN.replace(",", ", "),
        'note,"y","a"\n"x, ""or"" \n\ny",1,"0.5"\n"",0,"-2000"',
        "note,a;b,y,a\n;,2,1,0.5\n,2,0,-2000\n",
    ],
)
def test_csv_as_it_comes(tmp_path, text):
    path = tmp_path / "scores.csv"
    path.write_bytes(text.encode())
    data = read_scores(str(path), y_true="y", scores=["a"]).cases
    assert_array_equal(data.positive, [True, False])
    assert_array_equal(data.columns["a"], [0.5, -2000])


def test_subgroups_are_in_order_numbers_first(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("y,a,age\n" + "".join(f"{i % 2},{i},{('10', 'old', '9.0')[i // 2]}\n" for i in range(6)))
    everyone, parts, _ = read_scores(str(path), y_true="y", scores=["a"], by="age")
    assert list(parts) == ["9.0", "10", "old"]
    assert_array_equal(everyone.columns["a"], np.arange(6))
    assert_array_equal(parts["9.0"].columns["a"], [4, 5])
    assert_array_equal(parts["9.0"].positive, [False, True])


def test_lines_are_counted_across_blocks_blank_lines_and_quoted_breaks(tmp_path):
    path = tmp_path / "scores.csv"
    rows = ["y,a,note", *(f"{i % 2},{i},x" for i in range(5000)), "", '1,2,"two\nlines"', "0,oops,x"]
    path.write_text("\n".join(["", *rows]))
    wrong = path.read_text().split("\n").index("0,oops,x") + 1
    with pytest.raises(Exception, match=f"line {wrong}, column 'a': 'oops' is not a number"):
        read_scores(str(path), y_true="y", scores=["a"])


def test_every_digit_is_read(tmp_path):
    scores = np.random.default_rng(0).normal(size=200) * 10.0 ** np.arange(-100, 100)
    path = tmp_path / "scores.csv"
    path.write_text("y,a\n" + "".join(f"{i % 2},{score!r}\n" for i, score in enumerate(scores.tolist())))
    assert_array_equal(read_scores(str(path), y_true="y", scores=["a"]).cases.columns["a"], scores)
