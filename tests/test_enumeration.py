"""Every kind of law against all of its resamples: one list of statistics, awkward samples, every scheme of drawing.

Rows stand for several cases; classes are of one case, scores tied, constant or opposed, folds and groups lopsided.
"""

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import product
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
FOLDED: dict[str, list[Row]] = {
    "one a fold": [(1, (2, 1), 1, 0), (0, (2, 2), 1, 0), (0, (1, 3), 2, 0), (1, (1, 1), 1, 1), (0, (3, 1), 1, 1)],
    "uneven": [(1, (3, 1), 2, 0), (1, (1, 2), 1, 0), (0, (2, 2), 1, 0), (1, (2, 3), 1, 1), (0, (2, 1), 2, 1)],
    "three": [(label, ((label + k) % 3, k), 1 + (label + k) % 2, k) for label in (0, 1) for k in range(3)],
}
W = Fraction(3, 10)


def cases_of(rows):
    """Each case by itself."""
    return [(label, scores) for label, scores, times, _ in rows for _ in range(times)]


def merged(drawn):
    """Samples of the same cases as one, with the probability of all."""
    found = defaultdict(Fraction)
    for sample, p in drawn:
        found[tuple(sorted(sample))] += p
    return list(found.items())


@cache
def drawings(design, scheme):
    """Every way to draw, as samples over which a statistic is averaged, with its probability."""
    if scheme == "folds":
        parts = [[row for row in FOLDED[design] if row[3] == part] for part in {row[3] for row in FOLDED[design]}]
        within = [merged(stratified(cases_of(part))) for part in parts]
        return [([drawn for drawn, _ in each], prod(p for _, p in each)) for each in product(*within)]
    cases = cases_of(DESIGNS[design])
    drawn = stratified(cases) if scheme == "stratified" else oracles.resamples(cases, len(cases))
    return [([each], p) for each, p in merged(drawn)]


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
    """What is asked of some rows."""

    rows: list[Row]
    scheme: str

    @property
    def columns(self):
        return oracles.columns(self.rows)

    def alone(self, function, **options):
        """Of a function with one scheme only, which has no name; of differences with both columns of scores."""
        columns = self.columns[: 3 if "difference" in function.__name__ else 2]
        return function(*columns, **options, sample_weight=[times for _, _, times, _ in self.rows])

    def __call__(self, function, **options):
        folds = [part for *_, part in self.rows]
        scheme = {"folds": folds} if self.scheme == "folds" else {"sampling": self.scheme}
        return self.alone(function, **options, **scheme)


def untied(rows):
    """Rows or cases with the scores of positives half a step up: a difference with ties has no known distribution."""
    return [(label, tuple(score + label / 2 for score in scores), *rest) for label, scores, *rest in rows]


COST = {"probability_cost": float(W), "thresholds": 2}
MATRIX = [[-1, 2], [3, 0.5]]


def expected_cost(asked, function):
    labelled = [(label, tuple(int(score >= 2) for score in scores), *rest) for label, scores, *rest in asked.rows]
    return Asked(labelled, asked.scheme).alone(function, cost_matrix=MATRIX, smoothing=0)


def mean_cost(drawn, model=0):
    worth = [Fraction(MATRIX[label][int(scores[model] >= 2)]) for label, scores in drawn]
    return sum(worth) / len(worth)


THIRD, HALF = Fraction(1, 3), Fraction(1, 2)
BOTH, RATES, PAIRED = ("stratified", "full"), sk.bootstrap_roc_at_threshold, sk.bootstrap_roc_difference_at_threshold
AT_TPR, AT_TPRS = sk.bootstrap_roc_at_tpr, sk.bootstrap_roc_difference_at_tpr
AT_FPR, AT_FPRS = sk.bootstrap_roc_at_fpr, sk.bootstrap_roc_difference_at_fpr
METRIC, METRICS = sk.bootstrap_metric, sk.bootstrap_metric_difference
EXPECTED, EXPECTEDS = sk.bootstrap_expected_cost, sk.bootstrap_expected_cost_difference
BALANCED = {"metric": "balanced_accuracy", "thresholds": 2}


def fpr_at(drawn, model, u):
    return oracles.fpr_at_tpr(drawn, u, model)


def specificity(u):
    return lambda drawn, model=0: 1 - oracles.fpr_at_tpr(drawn, u, model)


def precision_at_half(drawn):
    """At the share of positives that was drawn."""
    return oracles.precision_at_tpr(drawn, HALF, Fraction(sum(label for label, _ in drawn), len(drawn)))


STATISTICS = {  # the schemes it is asked for, its result, its value in a resample
    "AUC": ((*BOTH, "folds"), lambda x: x(sk.bootstrap_auc), auc),
    "AUC difference": ((*BOTH, "folds"), lambda x: x(sk.bootstrap_auc_difference), less(auc)),
    "average precision": (BOTH[:1], lambda x: x(sk.bootstrap_average_precision), both(oracles.average_precision)),
    "average precision at a prevalence": (
        BOTH[:1],
        lambda x: x(sk.bootstrap_average_precision, prevalence=0.2),
        both(partial(oracles.average_precision, odds=Fraction(4))),
    ),
    **{
        f"partial AUC to {t}": (
            BOTH[:1],
            lambda x, t=t: x(sk.bootstrap_auc, max_fpr=float(t), standardize=False),
            both(partial(oracles.partial_auc, t=t)),
        )
        for t in (Fraction(1, 4), HALF, Fraction(3, 4))
    },
    "cost": (("stratified", "folds"), lambda x: x(sk.bootstrap_cost, **COST), cost(2)),
    "cost difference": (BOTH[:1], lambda x: x(sk.bootstrap_cost_difference, **COST), less(cost(2))),
    "TPR": (BOTH[:1], lambda x: x.alone(RATES, thresholds=2).tpr, rate(1, 2)),
    "FPR": (BOTH[:1], lambda x: x.alone(RATES, thresholds=3).fpr, rate(0, 3)),
    "TPR difference": (BOTH[:1], lambda x: x.alone(PAIRED, thresholds=(2, 2)).tpr, less(rate(1, 2))),
    "FPR difference": (BOTH[:1], lambda x: x.alone(PAIRED, thresholds=(2, 2)).fpr, less(rate(0, 2))),
    "specificity at a TPR": (BOTH[:1], lambda x: x.alone(AT_TPR, tpr=1 / 2).specificity, specificity(HALF)),
    "precision at a TPR": (BOTH[:1], lambda x: x.alone(AT_TPR, tpr=1 / 2).precision, precision_at_half),
    "FPR difference at a TPR": (BOTH[:1], lambda x: x.alone(AT_TPRS, tpr=1 / 2), less(partial(fpr_at, u=HALF))),
    "specificity difference at a TPR": (
        BOTH[:1],
        *(lambda x: x.alone(AT_TPRS, tpr=1 / 3).specificity, less(specificity(THIRD))),
    ),
    "expected cost": (BOTH[1:], lambda x: expected_cost(x, EXPECTED), mean_cost),
    "expected cost difference": (BOTH[1:], lambda x: expected_cost(x, EXPECTEDS), less(mean_cost)),
    "balanced accuracy": ((*BOTH, "folds"), lambda x: x(METRIC, **BALANCED), metric("balanced_accuracy", 2)),
    "balanced accuracy difference": (BOTH, lambda x: x(METRICS, **BALANCED), less(metric("balanced_accuracy", 2))),
}
for u in (Fraction(1, 10), THIRD, HALF, Fraction(3, 4), Fraction(1)):
    at_fpr, at_tpr = (partial(Asked.alone, function=each) for each in (sk.bootstrap_roc_at_fpr, AT_TPR))
    height = partial(oracles.rate_at_fpr, u=u)
    STATISTICS[f"TPR at an FPR of {u}"] = BOTH[:1], partial(at_fpr, fpr=float(u)), height
    STATISTICS[f"FPR at a TPR of {u}"] = BOTH[:1], partial(at_tpr, tpr=float(u)), partial(oracles.fpr_at_tpr, u=u)
    STATISTICS[f"TPR difference at an FPR of {u}"] = (
        BOTH[:1],
        lambda x, u=float(u): Asked(untied(x.rows), x.scheme).alone(sk.bootstrap_roc_difference_at_fpr, fpr=u),
        less(lambda drawn, model, height=height: height(untied(drawn), model=model)),
    )
IN_TURN = ("accuracy", "f1", "precision", "recall", "kappa", "mcc", "lift", "npv")
for name in IN_TURN:
    for kind, function, value in (("", METRIC, metric(name, 2)), (" difference", METRICS, less(metric(name, 2)))):
        STATISTICS[name + kind] = BOTH, (lambda x, f=function, name=name: x(f, metric=name, thresholds=2)), value
RATIO = {"metric": "lr_positive", "thresholds": 2}
STATISTICS["lr_positive difference"] = BOTH, lambda x: x(METRICS, **RATIO), less(metric("lr_positive", 2))
ASKED = [
    (name, scheme, design)
    for number, (name, (schemes, *_)) in enumerate(STATISTICS.items())
    for scheme in schemes
    for place, design in enumerate(FOLDED if scheme == "folds" else DESIGNS)
    if not name.startswith(IN_TURN) or (number // 2 + place + (scheme == "full")) % 2 == 0
]


def check(result, law, lost):
    """Moments, probabilities and quantiles, and the limits and p-values that are functions of them, are the law's."""
    mean, variance = (float(oracles.moment(law, order)) for order in (1, 2))
    assert_allclose(result.mean, mean, atol=1e-12)
    assert_allclose(np.square(result.standard_error), variance, atol=1e-12)
    if hasattr(result, "undefined"):
        assert_allclose(result.undefined, float(lost), atol=1e-13)
    if hasattr(result, "cdf"):
        atoms = np.array(sorted(law), dtype=float)
        between = (atoms[1:] + atoms[:-1])[np.diff(atoms) > 1e-9] / 2
        asked = [*atoms, *between]
        q = [0.07, 0.31, 0.5, 0.83, 0.97]
        up_to = np.cumsum([float(law[x]) for x in sorted(law)])
        assert_allclose(result.cdf(asked), up_to[np.searchsorted(atoms, np.add(asked, 1e-11)) - 1], atol=1e-10)
        assert_allclose(result.quantile(q), [float(oracles.quantile(law, Fraction(each))) for each in q], atol=1e-9)
    if hasattr(result, "probabilities"):
        signs = [sum(p for x, p in law.items() if keep(x)) for keep in (lambda x: x < -1e-12, lambda x: abs(x) < 1e-12)]
        assert_allclose(result.probabilities()[:2], list(map(float, signs)), atol=1e-10)
    deviation = variance**0.5
    for tail in (0.25, 0.02):
        z = norm.isf(tail)
        gaussian = np.clip([result.mean - z * deviation, result.mean + z * deviation], *result.law.support)
        assert_allclose(limits(result, 1 - 2 * tail, method="wald"), np.ravel(gaussian), atol=1e-9)
        if "percentile" in result.methods:
            ends = [float(oracles.quantile(law, Fraction(q))) for q in (tail, 1 - tail)]
            assert_allclose(limits(result, 1 - 2 * tail, method="percentile"), ends, atol=1e-9)
    if hasattr(result, "equivalence") and "percentile" in result.methods:
        up_to, from_on = (float(sum(p for x, p in law.items() if side * x < 1e-12)) for side in (1, -1))
        assert_allclose(result.pvalue("greater", method="percentile"), up_to, atol=1e-10)
        assert_allclose(result.pvalue("less", method="percentile"), from_on, atol=1e-10)
        assert_allclose(result.pvalue(method="percentile"), min(1.0, 2 * min(up_to, from_on)), atol=1e-10)


@pytest.mark.parametrize(("name", "scheme", "design"), ASKED)
def test_laws_are_those_of_all_resamples(name, scheme, design):
    _, ask, value = STATISTICS[name]
    rows = (FOLDED if scheme == "folds" else DESIGNS)[design]
    here = None if scheme == "folds" else value(cases_of(rows))
    if scheme != "folds" and here is None:
        with pytest.raises(ValueError, match=f"{name.removesuffix(' difference')} is undefined"):
            ask(Asked(rows, scheme))
    else:
        found = ask(Asked(rows, scheme))
        assert here is None or found.estimate == pytest.approx(float(here), abs=1e-14)
        check(found, *law_of(design, scheme, value))


@pytest.mark.parametrize("normalizer", ["mean", "max"])
@pytest.mark.parametrize("design", DESIGNS)
def test_costs_per_case_are_those_of_all_resamples(design, normalizer):
    """Under full sampling a mistake costs the same in each resample: what it does at the share of positives here."""
    asked, value = Asked(DESIGNS[design], "full"), per_case(design, 2)
    largest = max(unit_costs(design)) if normalizer == "max" else 1
    for function, each in ((sk.bootstrap_cost, value), (sk.bootstrap_cost_difference, less(value))):
        law, lost = law_of(design, "full", each)
        check(asked(function, normalizer=normalizer, **COST), {x / largest: p for x, p in law.items()}, lost)


@pytest.mark.parametrize(("design", "thresholds"), [*zip(DESIGNS, [(2, 2), (2, 3), (3, 1)] * 3, strict=False)])
def test_a_model_dominates_in_as_many_resamples(design, thresholds):
    found = Asked(DESIGNS[design], "stratified").alone(PAIRED, thresholds=thresholds).dominance()
    assert_allclose(found, list(map(float, oracles.dominance(cases_of(DESIGNS[design]), *thresholds))), atol=1e-12)


@pytest.mark.parametrize("scheme", ["stratified", "full"])
@pytest.mark.parametrize("design", [design for design in DESIGNS if design != "one of each"])
def test_models_are_correlated_as_over_all_resamples(design, scheme):
    drawn = [(auc(each, 0), auc(each, 1), p) for (each,), p in drawings(design, scheme)]
    a, b, p = np.array([each for each in drawn if each[0] is not None], dtype=float).T
    covariance = np.cov(a, b, aweights=p, ddof=0)[0, 1]
    asked = Asked(DESIGNS[design], scheme)
    assert_allclose(asked(sk.bootstrap_auc_difference).covariance, covariance, atol=1e-12)
    y_true, *scores = asked.columns
    weights = {"sample_weight": [times for _, _, times, _ in asked.rows], "sampling": scheme}
    comparison = sk.compare_models(y_true, dict(zip("ab", scores, strict=True)), **weights)
    assert_allclose(comparison.covariance[0, 1], covariance, atol=1e-12)


def cheapest(drawn, model=0, w=W):
    """The least cost that any threshold has."""
    return min(oracles.normalized_cost(drawn, w, threshold, model) for threshold in (1, 2, 3, np.inf))


@pytest.mark.parametrize("scheme", ["stratified", "full"])
@pytest.mark.parametrize("design", DESIGNS)
def test_costs_at_thresholds_that_the_cases_chose_are_those_of_all_resamples(design, scheme):
    """The threshold is the cheapest of these cases and the same in each resample."""
    found = Asked(DESIGNS[design], scheme)(sk.bootstrap_cost, probability_cost=float(W))
    assert_allclose(found.estimate, float(cheapest(cases_of(DESIGNS[design]))), atol=1e-15)
    assert found.selected
    value = per_case(design, found.thresholds) if scheme == "full" else cost(found.thresholds)
    check(found, *law_of(design, scheme, value))


@pytest.mark.parametrize("rules", [("envelope", "envelope"), ("envelope", 2), (2, "envelope")])
@pytest.mark.parametrize("design", ["one positive", "one negative", "a constant", "opposed", "grades"])
def test_cost_differences_at_thresholds_that_the_cases_chose_are_those_of_all_resamples(design, rules):
    asked, cases = Asked(DESIGNS[design], "stratified"), cases_of(DESIGNS[design])
    found = asked(sk.bootstrap_cost_difference, probability_cost=float(W), thresholds=rules)
    cuts = found.thresholds
    for model, (rule, cut) in enumerate(zip(rules, cuts, strict=True)):
        assert rule == cut or oracles.normalized_cost(cases, W, cut, model) == cheapest(cases, model)
    check(found, *law_of(design, "stratified", less(lambda drawn, model: cost(cuts[model])(drawn, model))))


@pytest.mark.parametrize("scheme", ["stratified", "full"])
@pytest.mark.parametrize(
    ("name", "design"),
    [
        *zip(["recall", "youden", "f1"], ["a constant", "opposed", "grades"], strict=True),
        *zip(["specificity", "precision", "accuracy"], ["opposed", "grades", "a constant"], strict=True),
    ],
)
def test_metrics_at_youdens_threshold_are_those_of_all_resamples(design, name, scheme):
    cases, cut = cases_of(DESIGNS[design]), Asked(DESIGNS[design], "").alone(RATES, thresholds="youden").thresholds
    gain = oracles.rate(cases, 1, cut) - oracles.rate(cases, 0, cut)
    assert gain == 1 - 2 * cheapest(cases, w=HALF)
    found = Asked(DESIGNS[design], scheme)(METRIC, metric=name, thresholds="youden")
    assert found.thresholds == cut
    check(found, *law_of(design, scheme, metric(name, cut)))
