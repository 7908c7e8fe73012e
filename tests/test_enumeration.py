"""Every kind of law against all of its resamples: one list of statistics, awkward samples, every scheme of drawing.

Rows stand for several cases; classes are of one case, scores tied, constant or opposed, folds and groups lopsided.
"""

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import pairwise, product
from math import prod

import numpy as np
import oracles
import pytest
from numpy.testing import assert_allclose
from scipy.stats import norm
from statistics_list import limits

import skcostci as sk

Row = tuple[int, tuple[int, int], int, int]  # label, both models' scores, how many cases, which group or fold
DESIGNS: dict[str, list[Row]] = {
    "one positive": [(1, (2, 1), 1, 0), (0, (2, 2), 1, 0), (0, (1, 3), 1, 1), (0, (3, 1), 2, 2)],
    "one negative": [(0, (2, 1), 1, 2), (1, (2, 2), 1, 0), (1, (1, 3), 2, 1), (1, (3, 1), 1, 2)],
    "one of each": [(1, (2, 1), 1, 0), (0, (2, 2), 1, 1)],
    "a constant": [(1, (2, 1), 2, 0), (1, (2, 3), 1, 1), (0, (2, 2), 1, 0), (0, (2, 1), 2, 1)],
    "opposed": [(1, (1, 3), 1, 0), (1, (2, 2), 2, 1), (0, (3, 1), 1, 2), (0, (2, 2), 1, 1), (0, (1, 3), 1, 0)],
    "separated": [(1, (3, 3), 2, 0), (1, (2, 3), 1, 1), (0, (1, 1), 2, 0), (0, (1, 2), 1, 1)],
    "grades": [(1, (1, 2), 1, 0), (1, (3, 3), 2, 1), (0, (1, 1), 1, 0), (0, (2, 3), 1, 1), (0, (3, 2), 1, 2)],
}
FOLDED = {
    "one positive a fold": [
        (1, (2, 1), 1, 0),
        (0, (2, 2), 1, 0),
        (0, (1, 3), 2, 0),
        (1, (1, 1), 1, 1),
        (0, (3, 1), 1, 1),
    ],
    "uneven": [(1, (3, 1), 2, 0), (1, (1, 2), 1, 0), (0, (2, 2), 1, 0), (1, (2, 3), 1, 1), (0, (2, 1), 2, 1)],
    "three": [(label, ((label + k) % 3, k), 1 + (label + k) % 2, k) for label in (0, 1) for k in range(3)],
}
W = Fraction(3, 10)


def cases_of(rows):
    """Each case by itself."""
    return [(label, scores) for label, scores, times, _ in rows for _ in range(times)]


@cache
def drawings(design, scheme):
    """Every way to draw, as samples over which a statistic is averaged, with its probability."""
    rows = FOLDED[design] if scheme == "folds" else DESIGNS[design]
    parts = [[row for row in rows if row[3] == part] for part in sorted({row[3] for row in rows})]
    if scheme == "folds":
        within = [list(stratified(cases_of(part))) for part in parts]
        return [([drawn for drawn, _ in each], prod(p for _, p in each)) for each in product(*within)]
    if scheme == "groups":
        chosen = product(range(len(parts)), repeat=len(parts))
        share = Fraction(1, len(parts) ** len(parts))
        return [([[case for g in groups for case in cases_of(parts[g])]], share) for groups in chosen]
    drawn = (
        stratified(cases_of(rows)) if scheme == "stratified" else oracles.resamples(cases_of(rows), len(cases_of(rows)))
    )
    return [([each], p) for each, p in drawn]


def stratified(cases):
    """Each class to its own size."""
    classes = [[case for case in cases if case[0] == label] for label in (1, 0)]
    for (positive, p), (negative, q) in product(*(list(oracles.resamples(part, len(part))) for part in classes)):
        yield positive + negative, p * q


def law_of(design, scheme, value):
    """The law of a statistic over the drawings where it has a value, and the probability of the others."""
    law, lost = defaultdict(Fraction), Fraction(0)
    for samples, p in drawings(design, scheme):
        values = [value(drawn) for drawn in samples]
        if None in values:
            lost += p
        else:
            law[sum(values) / len(values)] += p
    return {x: p / (1 - lost) for x, p in law.items()}, lost


def both(value):
    """A statistic that needs cases of both classes."""
    return lambda drawn: value(drawn) if len({label for label, _ in drawn}) == 2 else None


def less(value):
    """Of model 0 less that of model 1; ``value`` takes a resample and a model."""

    def difference(drawn):
        a, b = value(drawn, 0), value(drawn, 1)
        return None if None in (a, b) else a - b

    return difference


def confusion(drawn, model, threshold):
    """TP, FN, FP, TN."""
    counts = [0, 0, 0, 0]
    for label, scores in drawn:
        counts[2 * (1 - label) + (scores[model] < threshold)] += 1
    return counts


def metric(name, threshold):
    """A textbook's metric of labels at a threshold."""
    return lambda drawn, model=0: oracles.metric_of_table(name, confusion(drawn, model, threshold))


def rate(label, threshold):
    """The share of a class that is labelled positive, if it was drawn."""

    def value(drawn, model=0):
        return oracles.rate(drawn, label, threshold, model) if any(each == label for each, _ in drawn) else None

    return value


def cost(threshold):
    return lambda drawn, model=0: both(lambda part: oracles.normalized_cost(part, W, threshold, model))(drawn)


def unit_costs(design):
    """What a miss and a false alarm cost if W is meant at the share of positives of these cases."""
    cases = cases_of(DESIGNS[design])
    share = Fraction(sum(label for label, _ in cases), len(cases))
    return W / share, (1 - W) / (1 - share)


def per_case(design, threshold):
    """The cost per case of a resample."""
    return lambda drawn, model=0: oracles.total_cost(drawn, *unit_costs(design), threshold, model)


def auc(drawn, model=0):
    return oracles.auc(drawn, model) if len({label for label, _ in drawn}) == 2 else None


@dataclass(frozen=True)
class Asked:
    """A result and, for some resample, the value whose law it has."""

    rows: list[Row]
    scheme: str

    @property
    def columns(self):
        labels, scores, *_ = zip(*self.rows, strict=True)
        return np.array(labels), *np.array(scores).T

    @property
    def options(self):
        _, _, times, parts = zip(*self.rows, strict=True)
        scheme = {self.scheme: parts} if self.scheme in ("groups", "folds") else {"sampling": self.scheme}
        return {"sample_weight": times, **scheme}

    def one(self, function, **options):
        return function(*self.columns[:2], **options, **self.options)

    def two(self, function, **options):
        return function(*self.columns, **options, **self.options)


def rates_at(asked, threshold):
    """Of one scheme only, which has no name."""
    options = {name: given for name, given in asked.options.items() if name != "sampling"}
    return sk.bootstrap_roc_at_threshold(*asked.columns[:2], thresholds=threshold, **options)


def rates_apart(asked, *thresholds):
    options = {name: given for name, given in asked.options.items() if name != "sampling"}
    return sk.bootstrap_roc_difference_at_threshold(*asked.columns, thresholds=thresholds, **options)


def at_fpr(asked, function, u):
    return function(
        *asked.columns[: 3 if "difference" in function.__name__ else 2],
        fpr=u,
        sample_weight=asked.options["sample_weight"],
    )


def untied(rows):
    """Rows or cases with the scores of positives half a step up: a difference with ties has no known distribution."""
    return [(label, tuple(score + label / 2 for score in scores), *rest) for label, scores, *rest in rows]


def at_tpr(asked, function, u):
    return function(
        *asked.columns[: 3 if "difference" in function.__name__ else 2],
        tpr=u,
        sample_weight=asked.options["sample_weight"],
    )


COST = {"probability_cost": float(W), "thresholds": 2}
MATRIX = [[-1, 2], [3, 0.5]]


def expected_cost(asked, function):
    labels = [(column >= 2).astype(int) for column in asked.columns[1 : 3 if "difference" in function.__name__ else 2]]
    return function(asked.columns[0], *labels, MATRIX, sample_weight=asked.options["sample_weight"], smoothing=0)


def mean_cost(drawn, model=0):
    worth = [Fraction(MATRIX[label][int(scores[model] >= 2)]) for label, scores in drawn]
    return sum(worth) / len(worth)


RATES_U = Fraction(1, 3), Fraction(1, 2)
ALL = ("stratified", "full", "groups")
STATISTICS = {  # the schemes it is asked for, its result, its value in a resample
    "AUC": ((*ALL[:2], "folds"), lambda x: x.one(sk.bootstrap_auc), auc),
    "AUC difference": ((*ALL[:2], "folds"), lambda x: x.two(sk.bootstrap_auc_difference), less(auc)),
    "average precision": (
        ("stratified",),
        lambda x: x.one(sk.bootstrap_average_precision),
        both(oracles.average_precision),
    ),
    "average precision at a prevalence": (
        ("stratified",),
        lambda x: x.one(sk.bootstrap_average_precision, prevalence=0.2),
        both(partial(oracles.average_precision, odds=Fraction(4))),
    ),
    **{
        f"partial AUC to {t}": (
            ("stratified",),
            lambda x, t=t: x.one(sk.bootstrap_auc, max_fpr=float(t), standardize=False),
            both(partial(oracles.partial_auc, t=t)),
        )
        for t in (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))
    },
    "cost": (("stratified", "folds"), lambda x: x.one(sk.bootstrap_cost, **COST), cost(2)),
    "cost difference": (
        ("stratified",),
        lambda x: x.two(sk.bootstrap_cost_difference, **COST),
        less(cost(2)),
    ),
    "TPR": (("stratified",), lambda x: rates_at(x, 2).tpr, rate(1, 2)),
    "FPR": (("stratified",), lambda x: rates_at(x, 3).fpr, rate(0, 3)),
    "TPR difference": (("stratified",), lambda x: rates_apart(x, 2, 2).tpr, less(rate(1, 2))),
    "FPR difference": (("stratified",), lambda x: rates_apart(x, 2, 2).fpr, less(rate(0, 2))),
    "TPR at an FPR": (
        ("stratified",),
        lambda x: at_fpr(x, sk.bootstrap_roc_at_fpr, 1 / 3),
        lambda drawn: oracles.rate_at_fpr(drawn, RATES_U[0]),
    ),
    "TPR difference at an FPR": (
        ("stratified",),
        lambda x: at_fpr(Asked(untied(x.rows), x.scheme), sk.bootstrap_roc_difference_at_fpr, 1 / 2),
        less(lambda drawn, model: oracles.rate_at_fpr(untied(drawn), RATES_U[1], model)),
    ),
    "FPR at a TPR": (
        ("stratified",),
        lambda x: at_tpr(x, sk.bootstrap_roc_at_tpr, 1 / 3),
        lambda drawn: oracles.fpr_at_tpr(drawn, RATES_U[0]),
    ),
    "specificity at a TPR": (
        ("stratified",),
        lambda x: at_tpr(x, sk.bootstrap_roc_at_tpr, 1 / 2).specificity,
        lambda drawn: 1 - oracles.fpr_at_tpr(drawn, RATES_U[1]),
    ),
    "precision at a TPR": (
        ("stratified",),
        lambda x: at_tpr(x, sk.bootstrap_roc_at_tpr, 1 / 2).precision,
        lambda drawn: oracles.precision_at_tpr(
            drawn, RATES_U[1], Fraction(sum(label for label, _ in drawn), len(drawn))
        ),
    ),
    "FPR difference at a TPR": (
        ("stratified",),
        lambda x: at_tpr(x, sk.bootstrap_roc_difference_at_tpr, 1 / 2),
        less(lambda drawn, model: oracles.fpr_at_tpr(drawn, RATES_U[1], model)),
    ),
    "specificity difference at a TPR": (
        ("stratified",),
        lambda x: at_tpr(x, sk.bootstrap_roc_difference_at_tpr, 1 / 3).specificity,
        less(lambda drawn, model: -oracles.fpr_at_tpr(drawn, RATES_U[0], model)),
    ),
    "expected cost": (("full",), lambda x: expected_cost(x, sk.bootstrap_expected_cost), mean_cost),
    "expected cost difference": (
        ("full",),
        lambda x: expected_cost(x, sk.bootstrap_expected_cost_difference),
        less(mean_cost),
    ),
    "balanced accuracy": (
        ("stratified", "full", "folds"),
        lambda x: x.one(sk.bootstrap_metric, metric="balanced_accuracy", thresholds=2),
        metric("balanced_accuracy", 2),
    ),
    "balanced accuracy difference": (
        ("stratified", "full"),
        lambda x: x.two(sk.bootstrap_metric_difference, metric="balanced_accuracy", thresholds=2),
        less(metric("balanced_accuracy", 2)),
    ),
}
for name in ("accuracy", "f1", "precision", "recall", "kappa", "mcc", "lift"):
    ask = {"metric": name, "thresholds": 2}
    schemes = ALL[:2]  # with groups counts are of first order
    STATISTICS[name] = schemes, lambda x, ask=ask: x.one(sk.bootstrap_metric, **ask), metric(name, 2)
    apart = lambda x, ask=ask: x.two(sk.bootstrap_metric_difference, **ask)  # noqa: E731
    STATISTICS[f"{name} difference"] = schemes, apart, less(metric(name, 2))
ASKED = [
    (name, scheme, design)
    for name, (schemes, *_) in STATISTICS.items()
    for scheme in schemes
    for design in (FOLDED if scheme == "folds" else DESIGNS)
    if scheme != "groups" or design != "one of each"  # groups of one case each are no groups
]


def check(result, law, lost):
    """Its moments are those of the law and, where it has them, its probabilities and quantiles."""
    mean, variance = (float(oracles.moment(law, order)) for order in (1, 2))
    assert_allclose(result.mean, mean, atol=1e-12)
    assert_allclose(np.square(result.standard_error), variance, atol=1e-12)
    if hasattr(result, "undefined"):
        assert_allclose(result.undefined, float(lost), atol=1e-13)
    if hasattr(result, "cdf"):
        atoms = sorted(map(Fraction, law))
        between = [float(a + b) / 2 for a, b in pairwise(atoms) if b - a > 1e-9]
        asked, q = [*map(float, atoms), *between], [0.07, 0.31, 0.5, 0.83, 0.97]
        expected = [float(oracles.cdf(law, Fraction(x) + Fraction(1, 10**11))) for x in asked]
        assert_allclose(result.cdf(asked), expected, atol=1e-10)
        assert_allclose(result.quantile(q), [float(oracles.quantile(law, Fraction(each))) for each in q], atol=1e-9)
    if hasattr(result, "probabilities"):
        signs = [sum(p for x, p in law.items() if keep(x)) for keep in (lambda x: x < -1e-12, lambda x: abs(x) < 1e-12)]
        assert_allclose(result.probabilities()[:2], list(map(float, signs)), atol=1e-10)


def check_methods(result, law):
    """The interval methods that are functions of the law, and their p-values, are those of the enumerated one."""
    deviation = float(oracles.moment(law, 2)) ** 0.5
    for tail in (0.25, 0.05, 0.02):
        z = norm.isf(tail)
        gaussian = np.clip([result.mean - z * deviation, result.mean + z * deviation], *result.law.support)
        assert_allclose(limits(result, 1 - 2 * tail, method="wald"), np.ravel(gaussian), atol=1e-9)
        if "percentile" in result.methods:
            ends = [float(oracles.quantile(law, Fraction(q))) for q in (tail, 1 - tail)]
            assert_allclose(limits(result, 1 - 2 * tail, method="percentile"), ends, atol=1e-9)
    if hasattr(result, "equivalence") and "percentile" in result.methods:
        up_to, from_on = (float(sum(p for x, p in law.items() if keep(x))) for keep in (below_null, above_null))
        assert_allclose(result.pvalue("greater", method="percentile"), up_to, atol=1e-10)
        assert_allclose(result.pvalue("less", method="percentile"), from_on, atol=1e-10)
        assert_allclose(result.pvalue(method="percentile"), min(1.0, 2 * min(up_to, from_on)), atol=1e-10)


def below_null(x):
    return x < 1e-12


def above_null(x):
    return x > -1e-12


@pytest.mark.parametrize(("name", "scheme", "design"), ASKED)
def test_laws_are_those_of_all_resamples(name, scheme, design):
    _, ask, value = STATISTICS[name]
    rows = (FOLDED if scheme == "folds" else DESIGNS)[design]
    if scheme != "folds" and value(cases_of(rows)) is None:
        with pytest.raises(ValueError, match=f"{name.removesuffix(' difference')} is undefined"):
            ask(Asked(rows, scheme))
    else:
        law, lost = law_of(design, scheme, value)
        result = ask(Asked(rows, scheme))
        check(result, law, lost)
        check_methods(result, law)


@pytest.mark.parametrize("normalizer", ["mean", "max"])
@pytest.mark.parametrize("design", DESIGNS)
def test_costs_per_case_are_those_of_all_resamples(design, normalizer):
    """Under full sampling a mistake costs the same in each resample: what it does at the share of positives here."""
    asked, value = Asked(DESIGNS[design], "full"), per_case(design, 2)
    law, lost = law_of(design, "full", value)
    apart, _ = law_of(design, "full", less(value))
    largest = max(unit_costs(design)) if normalizer == "max" else 1
    for found, enumerated in (
        (asked.one(sk.bootstrap_cost, normalizer=normalizer, **COST), law),
        (asked.two(sk.bootstrap_cost_difference, normalizer=normalizer, **COST), apart),
    ):
        scaled = {x / largest: p for x, p in enumerated.items()}
        check(found, scaled, lost)
        check_methods(found, scaled)


@pytest.mark.parametrize("thresholds", [(2, 2), (2, 3), (3, 1)])
@pytest.mark.parametrize("design", DESIGNS)
def test_a_model_dominates_in_as_many_resamples(design, thresholds):
    found = rates_apart(Asked(DESIGNS[design], "stratified"), *thresholds).dominance()
    assert_allclose(found, list(map(float, oracles.dominance(cases_of(DESIGNS[design]), *thresholds))), atol=1e-12)


@pytest.mark.parametrize("scheme", ["stratified", "full"])
@pytest.mark.parametrize("design", [design for design in DESIGNS if design != "one of each"])
def test_models_are_correlated_as_over_all_resamples(design, scheme):
    drawn = [(auc(each, 0), auc(each, 1), p) for (each,), p in drawings(design, scheme)]
    a, b, p = np.array([each for each in drawn if each[0] is not None], dtype=float).T
    p = p / p.sum()
    covariance = p @ (a * b) - (p @ a) * (p @ b)
    asked = Asked(DESIGNS[design], scheme)
    assert_allclose(asked.two(sk.bootstrap_auc_difference).covariance, covariance, atol=1e-12)
    y_true, *scores = asked.columns
    comparison = sk.compare_models(y_true, dict(zip("ab", scores, strict=True)), **asked.options)
    assert_allclose(comparison.covariance[0, 1], covariance, atol=1e-12)


def cheapest(drawn, model=0, w=W):
    """The least cost that any threshold has."""
    return min(oracles.normalized_cost(drawn, w, threshold, model) for threshold in (1, 2, 3, np.inf))


@pytest.mark.parametrize("scheme", ["stratified", "full"])
@pytest.mark.parametrize("design", DESIGNS)
def test_costs_at_thresholds_that_the_cases_chose_are_those_of_all_resamples(design, scheme):
    """The threshold is the cheapest of these cases and the same in each resample."""
    asked, cases = Asked(DESIGNS[design], scheme), cases_of(DESIGNS[design])
    found = asked.one(sk.bootstrap_cost, probability_cost=float(W))
    assert_allclose(found.estimate, float(cheapest(cases)), atol=1e-15)
    assert found.selected
    value = per_case(design, found.thresholds) if scheme == "full" else cost(found.thresholds)
    law, lost = law_of(design, scheme, value)
    check(found, law, lost)
    check_methods(found, law)


@pytest.mark.parametrize("rules", [("envelope", "envelope"), ("envelope", 2), (2, "envelope")])
@pytest.mark.parametrize("design", [design for design in DESIGNS if design != "one of each"])
def test_cost_differences_at_thresholds_that_the_cases_chose_are_those_of_all_resamples(design, rules):
    asked, cases = Asked(DESIGNS[design], "stratified"), cases_of(DESIGNS[design])
    found = asked.two(sk.bootstrap_cost_difference, probability_cost=float(W), thresholds=rules)
    cuts = found.thresholds
    for model, (rule, cut) in enumerate(zip(rules, cuts, strict=True)):
        assert rule == cut or oracles.normalized_cost(cases, W, cut, model) == cheapest(cases, model)
    law, lost = law_of(design, "stratified", less(lambda drawn, model: cost(cuts[model])(drawn, model)))
    check(found, law, lost)
    check_methods(found, law)


@pytest.mark.parametrize("scheme", ["stratified", "full"])
@pytest.mark.parametrize("name", ["recall", "specificity", "youden", "accuracy", "f1", "precision"])
@pytest.mark.parametrize("design", ["a constant", "opposed", "grades"])
def test_metrics_at_youdens_threshold_are_those_of_all_resamples(design, name, scheme):
    asked, cases = Asked(DESIGNS[design], scheme), cases_of(DESIGNS[design])
    roc = rates_at(Asked(DESIGNS[design], "stratified"), "youden")
    gain = oracles.rate(cases, 1, roc.thresholds) - oracles.rate(cases, 0, roc.thresholds)
    assert gain == 1 - 2 * cheapest(cases, w=Fraction(1, 2))
    if metric(name, roc.thresholds)(cases) is None:
        return
    found = asked.one(sk.bootstrap_metric, metric=name, thresholds="youden")
    assert found.thresholds == roc.thresholds
    law, lost = law_of(design, scheme, metric(name, roc.thresholds))
    check(found, law, lost)
    check_methods(found, law)
