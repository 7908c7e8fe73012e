"""Relations between answers, which hold for every statistic under every scheme of sampling that it takes.

Rows in another order, other names and types, and another unit of weights change nothing, and models that are exchanged
turn the sign, in whatever containers they come. Counts are repeated rows, importance weights that are equal are none,
and groups of one case are no groups. Each statistic meets every third of its schemes, by one of these in turn.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit, softmax
from statistics_list import PARTS, about, limits

import skcostci as sk

CLASS_COSTS = ((0, 1, 2), (2, 0, 1), (4, 2, 0))
SCHEMES = {
    "plain": {},
    "counts": {"sample_weight": "times"},
    "groups": {"groups": "group"},
    "counted groups": {"groups": "group", "sample_weight": "times"},
    "folds": {"folds": "fold"},
    "groups in folds": {"groups": "group", "folds": "fold_of_group"},
    "importance": {"sample_weight": "weight"},
    "weighted groups": {"groups": "group", "sample_weight": "weight"},
    "weighted folds": {"folds": "fold", "sample_weight": "weight"},
    "weighted groups in folds": {"groups": "group", "folds": "fold_of_group", "sample_weight": "weight"},
    "levels": {"groups": "item", "crossed": "judge"},
    "proxy": {"proxy": "proxy", "checked": "checked"},
    "proxy and groups": {"proxy": "proxy", "checked": "checked", "groups": "group"},
}
ALL = tuple(SCHEMES)
IN_ROWS, COUNTED, UP_TO_LEVELS = ALL[:10], ALL[:4], ALL[:11]
SECOND = dict(zip(["b", "pb", "qs", "l", "T", "Q", "u", "o"], ["a", "pa", "ps", "k", "S", "P", "v", "n"], strict=True))
# model b's columns, and a's


@dataclass(frozen=True, eq=False)
class Question:
    """A statistic of named columns, its options, and the schemes of sampling that it takes."""

    name: str
    schemes: tuple[str, ...]
    function: Callable[..., Any]
    columns: tuple[str, ...]
    options: Mapping[str, Any]

    @property
    def paired(self) -> bool:
        """Whether it is about model a minus model b."""
        return any(column in SECOND for column in self.columns)

    def __call__(self, rows, scheme, **further):
        given = {option: rows[column] for option, column in SCHEMES[scheme].items() if option != "proxy"}
        if SCHEMES[scheme].get("sample_weight") == "weight":
            given["weight_type"] = "importance"
        if "proxy" in SCHEMES[scheme]:
            proxies = [rows[f"proxy_of_{name}"] for name in self.columns if f"proxy_of_{name}" in rows]
            given["proxy"] = tuple(proxies) if len(proxies) > 1 else proxies[0]
        if "horizon" in self.options:
            given["time"] = rows["time"]
        each = [
            {name: rows[name] for name in column} if type(column) is tuple else rows[column] for column in self.columns
        ]
        return self.function(*each, **{**self.options, **given, **further})


def ask(name, schemes, function, *columns, **options):
    return Question(name, schemes, function, columns, options)


ROC, AUC, AUCS = sk.bootstrap_roc_at_threshold, sk.bootstrap_auc, sk.bootstrap_auc_difference
AP, APS = sk.bootstrap_average_precision, sk.bootstrap_average_precision_difference
AGREE, MEAN, MEANS = sk.bootstrap_agreement, sk.bootstrap_mean, sk.bootstrap_mean_difference
METRIC, METRICS = sk.bootstrap_metric, sk.bootstrap_metric_difference
LOSS, LOSSES = sk.bootstrap_loss, sk.bootstrap_loss_difference
EXPECTED, EXPECTEDS = sk.bootstrap_expected_cost, sk.bootstrap_expected_cost_difference
COST, COSTS = sk.bootstrap_cost, sk.bootstrap_cost_difference
RATIO, RATIOS = sk.bootstrap_ratio, sk.bootstrap_ratio_difference
CONCORD, CONCORDS = sk.bootstrap_concordance, sk.bootstrap_concordance_difference
AT_FPR, AT_FPRS = sk.bootstrap_roc_at_fpr, sk.bootstrap_roc_difference_at_fpr
AT_TPR, AT_TPRS = sk.bootstrap_roc_at_tpr, sk.bootstrap_roc_difference_at_tpr
CUTS = {"thresholds": [0.4, -0.3]}
PAIR_OF_CUTS, LABELS = {"thresholds": ([0.4, -0.3], [0.2, 0.1])}, {"labels": (0, 1, 2)}
TOP, TOPS = {"positive_rate": [0.3, 0.7]}, ("precision", "capture")
MACRO, BENEFIT = {"average": "macro"}, {"metric": "net_benefit", "thresholds": [0.2, 0.4]}
KAPPA = {"metric": "kappa", "kappa_weights": "quadratic", **LABELS}


def share_right_squared(y_true, y_pred, sample_weight=None):
    """A function of labels in which all mistakes are alike."""
    return np.average(y_true == y_pred, weights=sample_weight) ** 2


def observed_expected(*columns, **options):
    return sk.bootstrap_calibration(*columns, **options).observed_expected


QUESTIONS = [
    ask("auc", ALL, AUC, "y", "a"),
    ask("auc, full", ("plain", "counts", "proxy", "proxy and groups"), AUC, "y", "a", sampling="full"),
    ask("aucs", ALL, AUCS, "y", "a", "b"),
    ask("partial auc", IN_ROWS, AUC, "y", "a", max_fpr=0.4),
    ask("partial aucs", IN_ROWS, AUCS, "y", "a", "b", max_fpr=0.4),
    ask("auc ovr", IN_ROWS, AUC, "c", "ps", multi_class="ovr"),
    ask("auc ovr, weighted", IN_ROWS, AUC, "c", "ps", multi_class="ovr", average="weighted"),
    ask("auc ovr, micro", IN_ROWS, AUC, "c", "ps", multi_class="ovr", average="micro"),
    ask("aucs ovr", IN_ROWS, AUCS, "c", "ps", "qs", multi_class="ovr"),
    ask("auc ovo", ALL[:6], AUC, "c", "ps", multi_class="ovo"),
    ask("aucs ovo", ALL[:6], AUCS, "c", "ps", "qs", multi_class="ovo"),
    ask("ap", IN_ROWS, AP, "y", "a"),
    ask("aps", IN_ROWS, APS, "y", "a", "b"),
    ask("ap of classes", IN_ROWS, AP, "c", "ps"),
    ask("ap at a prevalence", IN_ROWS, AP, "y", "a", prevalence=0.1),
    ask("auc of labels", IN_ROWS, AUC, "Y", "S"),
    ask("auc of labels read", IN_ROWS, AUC, "L", "S"),
    ask("aucs of labels", IN_ROWS, AUCS, "Y", "S", "T"),
    ask("ap of labels", IN_ROWS, AP, "Y", "S"),
    ask("cost", IN_ROWS, COST, "y", "a", probability_cost=[0.2, 0.5], **CUTS),
    ask("costs", IN_ROWS, COSTS, "y", "a", "b", probability_cost=[0.2, 0.5], **PAIR_OF_CUTS),
    ask("envelope", COUNTED, COST, "y", "a", probability_cost=[0.2, 0.5]),
    ask("expected cost", IN_ROWS, EXPECTED, "c", "k", cost_matrix=CLASS_COSTS, **LABELS),
    ask("costs expected", IN_ROWS, EXPECTEDS, "c", "k", "l", cost_matrix=CLASS_COSTS, **LABELS),
    ask("tpr at fpr", IN_ROWS, AT_FPR, "y", "a", fpr=[0.2, 0.4]),
    ask("tprs at fpr", IN_ROWS, AT_FPRS, "y", "a", "b", fpr=[0.2, 0.4]),
    ask("fpr at tpr", IN_ROWS, AT_TPR, "y", "a", tpr=[0.6, 0.9]),
    ask("specificity at sensitivity", IN_ROWS, AT_TPR, "y", "a", sensitivity=0.75),
    ask("fprs at tpr", IN_ROWS, AT_TPRS, "y", "a", "b", tpr=[0.6, 0.9]),
    ask("rates", IN_ROWS, ROC, "y", "a", **CUTS),
    ask("all rates", IN_ROWS, ROC, "y", "a"),
    ask("differences of rates", IN_ROWS, sk.bootstrap_roc_difference_at_threshold, "y", "a", "b", **PAIR_OF_CUTS),
    ask("rates at a positive rate", IN_ROWS, sk.bootstrap_roc_at_positive_rate, "y", "a", positive_rate=[0.3, 0.7]),
    *(ask(name, ALL, METRIC, "y", "a", metric=name, **CUTS) for name in ("f1", "accuracy", "recall", "kappa")),
    *(ask(name, ALL, METRIC, "y", "a", metric=name, **CUTS) for name in ("precision", "mcc", "balanced_accuracy")),
    *(ask(f"{name}s", ALL, METRICS, "y", "a", "b", metric=name, **PAIR_OF_CUTS) for name in ("f1", "accuracy", "mcc")),
    ask("precision at a prevalence", IN_ROWS, METRIC, "y", "a", metric="precision", prevalence=0.1, **CUTS),
    ask("precision of the top", IN_ROWS, METRIC, "y", "a", metric="precision", positive_rate=0.3),
    *(ask(f"{name}s of the top", IN_ROWS, METRICS, "y", "a", "b", metric=name, **TOP) for name in TOPS),
    ask("aurc", IN_ROWS, METRIC, "y", "a", metric="aurc"),
    ask("aurcs", IN_ROWS, METRICS, "y", "a", "b", metric="aurc"),
    ask("likelihood ratio", COUNTED, METRIC, "y", "a", metric="positive_likelihood_ratio", **CUTS),
    ask("best f1", COUNTED, METRIC, "y", "a", metric="f1", thresholds="best"),
    ask("eer", ALL[:2], METRIC, "y", "a", metric="eer"),
    ask("ks", COUNTED, METRIC, "y", "a", metric="ks"),
    ask("gini", IN_ROWS, METRIC, "y", "a", metric="gini"),
    ask("pearson", IN_ROWS, METRIC, "m", "a", metric="pearson"),
    ask("spearmans", IN_ROWS, METRICS, "m", "a", "b", metric="spearman"),
    ask("a function", UP_TO_LEVELS, METRIC, "c", "k", metric=share_right_squared),
    ask("functions", UP_TO_LEVELS, METRICS, "c", "k", "l", metric=share_right_squared),
    *(ask(f"{name}, macro", ALL, METRIC, "c", "k", metric=name, **MACRO) for name in ("f1", "recall", "jaccard")),
    ask("f1s, macro", ALL, METRICS, "c", "k", "l", metric="f1", average="macro"),
    ask("f1, weighted", ALL, METRIC, "c", "k", metric="f1", average="weighted"),
    ask("f1, micro", ALL, METRIC, "c", "k", metric="f1", average="micro"),
    *(ask(f"{name} of classes", ALL, METRIC, "c", "k", metric=name) for name in ("mcc", "kappa")),
    ask("quadratic kappa", ALL, METRIC, "c", "k", **KAPPA),
    ask("quadratic kappas", ALL, METRICS, "c", "k", "l", **KAPPA),
    *(ask(f"labels, {name}", IN_ROWS, METRIC, "Y", "P", metric="f1", average=name) for name in ("macro", "samples")),
    ask("labels, differences", IN_ROWS, METRICS, "Y", "P", "Q", metric="f1", average="macro"),
    ask("labels, accuracy", IN_ROWS, METRIC, "Y", "P", metric="accuracy"),
    ask("brier", ALL, LOSS, "y", "pa", loss="brier"),
    ask("briers", ALL, LOSSES, "y", "pa", "pb", loss="brier"),
    ask("log loss", UP_TO_LEVELS, LOSS, "y", "pa", loss="log_loss"),
    ask("log losses", UP_TO_LEVELS, LOSSES, "y", "pa", "pb", loss="log_loss"),
    ask("log loss of classes", UP_TO_LEVELS, LOSS, "c", "ps", loss="log_loss"),
    ask("brier of classes", ALL, LOSS, "c", "ps", loss="brier"),
    ask("calibration", IN_ROWS, sk.bootstrap_calibration, "y", "pa"),
    ask("mean", ALL, MEAN, "v", least=0, most=1),
    ask("mean without ends", UP_TO_LEVELS, MEAN, "v"),
    ask("means", ALL, MEANS, "v", "u", least=0, most=1),
    ask("means without ends", UP_TO_LEVELS, MEANS, "v", "u"),
    ask("ratio", IN_ROWS, RATIO, "n", "m"),
    ask("ratios", IN_ROWS, RATIOS, "n", "m", "o", "m"),
    ask("concordance", COUNTED, CONCORD, "event", "time", "a"),
    ask("concordances", COUNTED, CONCORDS, "event", "time", "a", "b"),
    ask("auc at a time", COUNTED, AUC, "event", "a", horizon=1.0),
    ask("O/E at a time", COUNTED, observed_expected, "event", "pa", horizon=1.0),
    ask("brier at times", COUNTED, LOSS, "event", "pa", loss="brier", horizon=[0.6, 1.0]),
    ask("net benefit at a time", COUNTED, METRIC, "event", "pa", **BENEFIT, horizon=1.0),
    ask("aucs over time", COUNTED, AUCS, "event", "a", "b", horizon=[0.5, 0.7, 1.0], integrated=True),
    ask("briers at a time", COUNTED, LOSSES, "event", "pa", "pb", loss="brier", horizon=1.0),
    *(ask(name, COUNTED, AGREE, "R", statistic=name) for name in ("fleiss", "ac1", "brennan_prediger", "krippendorff")),
    *(ask(k, COUNTED, AGREE, "grades", statistic="krippendorff", level=k) for k in ("interval", "ordinal")),
    ask("compared aucs", ALL, sk.compare_models, "y", ("a", "b")),
    ask("compared f1s", ALL, sk.compare_models, "c", ("k", "l"), statistic="f1", average="macro"),
    ask("subgroups", ("plain", "counts", "importance"), sk.compare_groups, "y", "a", "by"),
]


@cache
def drawn(seed, n=60):
    """Columns of cases, many of which tie, and what says which of them belong together."""
    rng = np.random.default_rng(seed)
    y, c = rng.permutation(np.arange(n) % 5 < 2).astype(int), rng.permutation(np.arange(n) % 3)
    a, b = np.round(y + rng.normal(size=(2, n)), 1)
    ps, qs = softmax(np.eye(3)[c] + rng.normal(size=(2, n, 3)), axis=2)
    Y, group = (rng.random((n, 3)) < 0.4).astype(int), rng.integers(0, 20, n)
    S, T = Y + np.round(rng.normal(size=(2, n, 3)), 1)
    v, u = np.round(rng.beta(2, 3, (2, n)), 2)
    said = {"y": np.where(rng.random(n) < 0.85, y, 1 - y), "c": np.where(rng.random(n) < 0.85, c, 0)}
    said |= {name: np.round(np.clip(each + rng.normal(0, 0.1, n), 0, 1), 2) for name, each in (("v", v), ("u", u))}
    found = {"y": y, "a": a, "b": b, "pa": expit(a), "pb": expit(b)}
    found |= {"c": c, "ps": ps, "qs": qs, "k": ps.argmax(axis=1), "l": qs.argmax(axis=1)}
    found |= {"Y": Y, "S": S, "T": T, "P": (S > 0.5).astype(int), "Q": (T > 0.5).astype(int)}
    found |= {"R": (grades := rng.integers(0, 3, (n, 4))), "grades": grades, "v": v, "u": u}
    found |= {"n": rng.poisson(2, n), "o": rng.poisson(2.5, n), "m": 1 + rng.poisson(3, n)}
    found |= {"event": (rng.random(n) < 0.8).astype(int), "time": np.round(rng.exponential(np.exp(-a)), 2) + 0.01}
    found |= {"times": rng.integers(1, 4, n), "weight": rng.gamma(2.0, 0.5, n) + 0.1, "by": rng.integers(0, 2, n)}
    found |= {"group": group, "fold_of_group": group % 3, "fold": rng.permutation(np.arange(n) * 4 // n)}
    found |= {"item": np.arange(n) // 3, "judge": np.arange(n) % 3, "checked": rng.random(n) < 0.5}
    found["L"] = np.where(rng.random((n, 3)) < 0.8, Y, np.nan)  # labels of which some were not read
    return found | {f"proxy_of_{name}": each for name, each in said.items()}


MEMBERS = ("group", "fold", "fold_of_group", "item", "judge")  # subgroups are listed by name
OF_TWO, OF_THREE = ("y", "proxy_of_y"), ("c", "k", "l", "proxy_of_c")


def permuted(rows, question, rng):
    """The rows in another order."""
    order = rng.permutation(len(rows["y"]))
    return {name: column[order] for name, column in rows.items()}, {}


def members_renamed(rows, question, rng):
    """Groups, folds and levels by numbers, texts or categories, which sort the other way round."""
    kind = rng.choice([float, str, object, "category"])
    return rows | {name: pd.Series(99 - rows[name]).astype(kind) for name in MEMBERS}, {}


def classes_renamed(rows, question, rng):
    """Classes by texts, which sort in another order, and labels in other columns."""
    order = rng.permutation(3)
    names, two = np.array(["x", "q", "z"])[order], np.array(["well", "ill"])
    found = {name: two[rows[name]] for name in OF_TWO}
    found |= {name: names[rows[name]] for name in (*OF_THREE, "R")}
    found |= {name: rows[name][:, np.argsort(names)] for name in ("ps", "qs")}
    found |= {name: rows[name][:, order] for name in ("Y", "L", "S", "T", "P", "Q")}
    named = {"pos_label": "ill"} if "y" in question.columns else {}
    return rows | found, named | ({"labels": tuple(names.tolist())} if "labels" in question.options else {})


def typed(rows, question, rng):
    """Columns of labels of other types, of the same values."""
    kinds = [lambda x: x.astype(float), lambda x: x.astype(object), lambda x: pd.Series(x, dtype="category")]
    found = {name: rows[name].astype(bool) for name in (*OF_TWO, "event", "Y", "P", "Q")}
    return rows | found | {name: kinds[rng.integers(3)](rows[name]) for name in OF_THREE}, {}


def reweighted(rows, question, rng):
    """Importance weights in another unit."""
    return rows | {"weight": rows["weight"] * rng.choice([0.7, 1000.0])}, {}


def exchanged(rows, question, rng):
    """Model b for model a."""
    found = {one: rows[other] for pair in SECOND.items() for one, other in (pair, pair[::-1])}
    found |= {"proxy_of_v": rows["proxy_of_u"], "proxy_of_u": rows["proxy_of_v"]}
    cuts = question.options.get("thresholds")
    return rows | found, {"thresholds": cuts[::-1]} if isinstance(cuts, tuple) else {}


def answers(result):
    """Estimates, standard errors, default limits and p-values of a result and its parts, by name."""
    found = {}
    for name, part in {"": result, **{name: getattr(result, name, None) for name in (*PARTS[:2], *PARTS[4:])}}.items():
        if hasattr(part, "confidence_interval"):
            low, high = limits(part, 0.9)
            found |= {(name, "estimate"): part.estimate, (name, "low"): low, (name, "high"): high}
            found[name, "standard_error"] = part.standard_error
            if hasattr(part, "equivalence"):
                found[name, "p"] = part.pvalue()
    return {name: np.asarray(value, dtype=float) for name, value in found.items()}


def mirrored(found):
    """The same of b - a."""
    signs = {"estimate": ("estimate", -1), "low": ("high", -1), "high": ("low", -1)}
    turned = {key: (key[0], *signs.get(key[1], (key[1], 1))) for key in found}
    return {key: sign * found[name, word] for key, (name, word, sign) in turned.items()}


def assert_same(got, expected, **nearly):
    """Equal to rounding, which relates to widths; that of derivatives by steps is larger."""
    for (name, kind), value in expected.items():
        width = expected[name, "high"] - expected[name, "low"]
        unit = np.where(np.isfinite(width) & (width > 0) & (kind != "p"), width, 1.0)
        off = {"rtol": 0, "atol": nearly.get(kind, 1e-7), "err_msg": f"{name} {kind}"}
        assert_allclose(got[name, kind] / unit, value / unit, **off)


@cache
def plainly(question, scheme, seed):
    """The answers about the cases as they are drawn."""
    return answers(question(drawn(seed), scheme))


def change_nothing(question, scheme, seed, **columns):
    """Changes of names, order, units and models, all at once; every second time types of classes, not their names."""
    rng, rows, further = np.random.default_rng(seed), drawn(seed) | columns, {}
    expected = answers(question(rows, scheme)) if columns else plainly(question, scheme, seed)
    of_classes = typed if seed % 2 else classes_renamed
    for change in [permuted, members_renamed, of_classes, reweighted, *[exchanged] * question.paired, dressed]:
        rows, named = change(rows, question, rng)
        further |= named
    assert_same(answers(question(rows, scheme, **further)), mirrored(expected) if question.paired else expected)


CONTAINERS = [np.ndarray.tolist, pd.Series, pl.Series, np.asarray]


def dressed(rows, question, rng):
    """Columns that are arrays as lists and series, of any index; of several columns these would have names."""
    container, last_first = CONTAINERS[rng.integers(4)], np.arange(60)[::-1]
    arrays = {name: column for name, column in rows.items() if isinstance(column, np.ndarray) and column.ndim == 1}
    found = rows | {name: container(column) for name, column in arrays.items()}
    return {k: each.set_axis(last_first) if isinstance(each, pd.Series) else each for k, each in found.items()}, {}


def counts_are_repeated_rows(question, scheme, seed):
    """A case that stands for several is as many rows."""
    rows = drawn(seed)
    repeated = {name: np.repeat(column, rows["times"], axis=0) for name, column in rows.items()}
    assert_same(answers(question(rows, scheme)), answers(question(repeated, UNCOUNTED[scheme])))


NEARLY = {"low": 0.03, "high": 0.03, "p": 0.03, "standard_error": 0.003}  # of the width


def equal_weights_are_none(question, scheme, seed):
    """Whatever they are; every second time also nearly equal, and limits move by less than 3 % of their width."""
    nearly_equal = 1 + 1e-9 * np.sin(np.arange(60))
    for weights, nearly in ((np.full(60, 0.7), {}), (nearly_equal, NEARLY))[: 1 + seed % 2]:
        result = question(drawn(seed) | {"weight": weights}, scheme)
        assert_same(answers(result), plainly(question, UNWEIGHTED[scheme], seed), **nearly)


def groups_of_one_are_none(question, scheme, seed):
    """Within folds too."""
    rows = drawn(seed)
    alone = rows | {"fold_of_group": rows["fold"], "group": np.arange(60)}
    assert_same(answers(question(alone, scheme)), plainly(question, UNGROUPED[scheme], seed))


UNCOUNTED = {"counts": "plain", "counted groups": "groups"}
UNWEIGHTED = {"importance": "plain", **{f"weighted {name}": name for name in ("groups", "folds", "groups in folds")}}
UNGROUPED = {  # not with a proxy, where groups are drawn in one stratum and cases in two, nor of cases counted
    "groups": "plain",
    "groups in folds": "folds",
    "weighted groups": "importance",
    "weighted groups in folds": "weighted folds",
}
RELATIONS = {change_nothing: ALL, counts_are_repeated_rows: tuple(UNCOUNTED)}
RELATIONS |= {equal_weights_are_none: tuple(UNWEIGHTED), groups_of_one_are_none: tuple(UNGROUPED)}
ALWAYS = {  # once, names and order changed these
    **{name: {"groups in folds"} for name in ("auc ovr", "auc ovo", "ap", "partial auc", "cost", "costs")},
    **{"auc": {"levels"}, "aucs": {"levels"}, "means": {"weighted groups"}, "kappa of classes": {"groups"}},
    "ordinal": {"groups"},
}


def design():
    """For each statistic under every third of its schemes the relation that both have met least often."""
    met = Counter()
    for number, question in enumerate(QUESTIONS):
        schemes = sorted(question.schemes, key=lambda scheme: sum(scheme in each for each in RELATIONS.values()))
        for place, scheme in enumerate(schemes):
            kept = scheme in ALWAYS.get(question.name, ())
            if kept or (place + number) % min(3, len(schemes)) == 0:
                fit = [change_nothing] if kept else [each for each in RELATIONS if scheme in RELATIONS[each]]
                relation = min(fit, key=lambda each: 10 * met[question.name, each] + met[scheme, each])
                met[question.name, relation] += 1
                met[scheme, relation] += 1
                yield question, scheme, relation


DESIGN = list(design())


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
def test_relations_hold(question):
    seed = QUESTIONS.index(question) % 6
    for other, scheme, relation in DESIGN:
        if other is question:
            with about(f"{scheme}, {relation.__name__}, seed {seed}"):
                relation(question, scheme, seed)


@pytest.mark.slow
@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
def test_every_relation_holds_under_every_scheme(question):
    for scheme in question.schemes:
        for relation, schemes in RELATIONS.items():
            if scheme in schemes:
                with about(f"{scheme}, {relation.__name__}"):
                    relation(question, scheme, 2)


def test_full_sampling_with_a_proxy_may_be_said_of_groups_too():
    rows, scheme = drawn(0), "proxy and groups"
    said, unsaid = (ask("auc", ALL, AUC, "y", "a", **each)(rows, scheme) for each in ({"sampling": "full"}, {}))
    assert_same(answers(said), answers(unsaid))


def test_no_statistic_scheme_or_relation_is_missing():
    asked = {getattr(question.function, "__name__", "") for question in QUESTIONS}
    named = {name for name in sk.__all__ if name.startswith(("bootstrap_", "compare_"))}
    for name in sorted(named - asked - {"compare_imputations"}):
        pytest.fail(f"Give the new statistic {name} a line in QUESTIONS of tests/test_relations.py")
    for question in QUESTIONS:
        taken = {relation for other, _, relation in DESIGN if other is question}
        assert change_nothing in taken, question.name
    met = {(scheme, relation) for _, scheme, relation in DESIGN}
    assert met == {(scheme, relation) for relation, schemes in RELATIONS.items() for scheme in schemes}


@pytest.mark.parametrize(
    ("name", "scheme"),
    [("f1, macro", "importance"), ("jaccard, macro", "weighted folds"), ("mcc of classes", "importance")],
)
def test_nor_where_all_is_right_and_only_rounding_varies(name, scheme):
    (question,) = (each for each in QUESTIONS if each.name == name)
    for seed in range(4):
        change_nothing(question, scheme, seed, k=drawn(seed)["c"])


def test_a_threshold_that_folds_do_not_share_is_none():
    y, scores, folds = np.tile([0, 1], 6), np.tile([0.1, 0.9, 0.2, 0.8], 3), np.repeat([1, 0], 6)
    same = sk.bootstrap_roc_at_tpr(y, scores, tpr=[0.0, 0.2, 0.9], folds=np.tile([0, 0, 0, 0, 1, 1], 2)).threshold
    other = sk.bootstrap_roc_at_fpr(y, scores + folds, fpr=[0.0, 0.4], folds=folds).threshold
    np.testing.assert_array_equal(same, [np.inf, 0.9, 0.8])
    np.testing.assert_array_equal(other, [np.inf, np.nan])
