"""All public statistics: how to call each on given cases, and what of its answer can be compared."""

import dataclasses
import re
import warnings
from collections.abc import Callable, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.layout_engine import PlaceHolderLayoutEngine
from public import DISPLAYS
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin

import skcostci as sk

PARTS = ("fpr", "tpr", "specificity", "precision", "in_the_large")  # of a result, that have intervals of their own
BINARY = ((0, 1), (1, 0))  # a cost matrix: mistakes cost 1


@dataclasses.dataclass(frozen=True, eq=False)
class Cases:
    """Labels 0 and 1, two models' scores, and how many cases a row stands for."""

    y_true: np.ndarray
    scores: tuple[np.ndarray, np.ndarray]
    sample_weight: np.ndarray | None = None

    def rows(self, which):
        """Some of the rows, some of them several times, in a given order."""
        weights = None if self.sample_weight is None else self.sample_weight[which]
        return Cases(self.y_true[which], tuple(column[which] for column in self.scores), weights)


@dataclasses.dataclass(frozen=True, eq=False)
class Statistic:
    """One way to call an exported function of cases.

    ``thresholds`` are the options on the scale of the scores, ``samplings`` those it can be asked for (the first is the
    default), ``other_class`` says what becomes of it when the classes change their roles.
    """

    name: str
    options: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    thresholds: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    models: int = 1
    of: str = "scores"  # or "labels", the predicted ones, or "risks", probabilities
    called: str = ""  # what the columns are called, if not after what they are
    samplings: tuple[str, ...] = ()
    weights: str = "frequencies"  # or "any"
    membership: str = ""  # what says which cases belong together: "groups", "folds" or "by"
    other_class: "OtherClass | None" = None

    @property
    def function(self) -> Callable[..., Any]:
        """What is exported, or its constructor; several models, and folds, are two columns here too."""
        if self.name == "compare_models":
            return compare_two
        exported = getattr(sk, self.name)
        if self.options.get("together"):
            return partial(of_folds, exported)
        return exported.from_predictions if isinstance(exported, type) else exported

    @property
    def columns(self) -> tuple[str, ...]:
        """The parameters that take the scores or predictions."""
        name = self.called or ("y_score" if self.of == "scores" else "y_pred")
        return (name,) if self.models == 1 else (f"{name}_a", f"{name}_b")

    def __call__(self, y_true, *columns, **options):
        """Call it with other columns or further options."""
        given = columns if self.models == 2 else columns[:1]
        if self.name.endswith("Display") and "together" not in self.options:
            options = {"ax": unplaced(), **options}
        return self.function(y_true, *given, **{**self.options, **self.thresholds, **options})

    def judged(self, cases, names=(0, 1)):
        """The columns of scores as this statistic takes them."""
        if self.of == "labels":
            return tuple(np.asarray(names)[(s >= 0).astype(int)] for s in cases.scores)
        return cases.scores if self.of == "scores" else tuple(expit(s) for s in cases.scores)

    def of_cases(self, cases, classes=(0, 1), **options):
        """Call it on cases whose classes go by other names."""
        names = np.asarray(classes)
        weights = {} if cases.sample_weight is None else {"sample_weight": cases.sample_weight}
        columns = self.judged(cases, names)
        members = {self.membership: belonging(cases)} if self.membership else {}
        return self(names[cases.y_true], *columns, **weights, **members, **options)

    def __str__(self):
        options = {**self.options, **self.thresholds}
        plain = [f"{key}={value}" for key, value in options.items() if isinstance(value, str | float | int)]
        return "-".join([self.name, *plain, *filter(None, [self.membership])])


@contextmanager
def about(*asked):
    """Where one test asks many alike what costs nothing, a failure says which of them it is about."""
    try:
        yield
    except BaseException as error:
        error.add_note(f"asked of {' and '.join(map(str, asked))}")
        raise


def belonging(cases):
    """Which of two groups, folds or subgroups a case is in, known by the order of the second scores."""
    scores = cases.scores[1]
    seen = scores if cases.sample_weight is None else scores[cases.sample_weight > 0]
    return np.searchsorted(np.unique(seen), scores) % 2


def compare_two(y_true, y_score_a, y_score_b, **options):
    """Two models compared as several are."""
    return sk.compare_models(y_true, {"a": y_score_a, "b": y_score_b}, **options)


def unplaced():
    """Axes that a layout engine leaves where they are: what is drawn in them takes half the time."""
    return Figure(layout=PlaceHolderLayoutEngine(False, False)).subplots()


class Reader(ClassifierMixin, BaseEstimator):
    """A fitted model whose scores are given."""

    def __init__(self, classes_=None):
        self.classes_ = classes_

    def fit(self, X, y):
        return self

    def decision_function(self, X):
        return np.asarray(X)[:, 0]


def of_folds(display, y_true, y_score, *, folds, **options):
    """A display of folds whose scores are given."""
    tested = [np.flatnonzero(folds == each) for each in np.unique(folds)]
    indices = {"test": tested, "train": [np.flatnonzero(~np.isin(np.arange(len(folds)), part)) for part in tested]}
    given = {"estimator": [Reader(np.unique(y_true))] * len(tested), "indices": indices}
    return display.from_cv_results(given, np.reshape(y_score, (-1, 1)), y_true, ax=unplaced(), **options)


@dataclasses.dataclass(frozen=True)
class OtherClass:
    """What to ask for when the classes change their roles, and what the answer is then expected to be."""

    options: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    expect: Callable[[dict[str, np.ndarray]], dict[str, np.ndarray]] = lambda numbers: numbers


OPPOSITES = [("low", "high"), ("less", "greater"), ("below", "above"), ("fpr", "tpr")]
OPPOSITE = {word: other for pair in OPPOSITES for word, other in (pair, pair[::-1])}
VALUES = {"estimate", "mean", "low", "high"}
SIGNED = {*VALUES, "statistic"}


def word(name):
    """What a number is, without whose it is and by which method."""
    return name.rpartition(".")[2].partition("[")[0]


def renamed(name, names):
    """The name with its words, those of its path too, exchanged."""
    return re.sub(r"\b[a-z_]+\b", lambda found: names.get(found[0], found[0]), name)


def of_minus(numbers):
    """The same of minus a quantity: signs turn, and limits, tails and p-values change places."""
    names = {name: other for name, other in OPPOSITE.items() if name not in {"fpr", "tpr"}}
    return {renamed(name, names): -value if word(name) in SIGNED else value for name, value in numbers.items()}


def of_swapped_models(numbers):
    """The same of b - a, with each model's own numbers exchanged."""
    names = {"a": "b", "b": "a", "thresholds_a": "thresholds_b", "thresholds_b": "thresholds_a"}
    kept = without("median", "cdf")(numbers)  # with atoms they are not symmetric
    return {renamed(name, names): value for name, value in of_minus(kept).items()}


def of_other_rates(numbers, whole=1):
    """Rates seen from the other class: each is 1 less the other one (their differences: 0 less)."""
    found = {}
    for name, value in of_minus(without(*AXES)(numbers)).items():
        other = renamed(name, {"fpr": "tpr", "tpr": "fpr"})
        found[other] = value + whole if word(name) in VALUES else value
    return found


def of_reversed_curve(numbers):
    """The cost curve of the other class runs the other way."""
    ends = {"probability_cost": 1 - numbers["probability_cost"][::-1], "cost": numbers["cost"][::-1]}
    return ends | {"fpr": 1 - numbers["tpr"][::-1], "tpr": 1 - numbers["fpr"][::-1]}


def numbers(result, level=0.9, brief=False):
    """All that a result says, by name; in brief its estimate, moments and default limits."""
    if isinstance(result, float | np.ndarray):
        return {"value": np.asarray(result)}
    if isinstance(result, sk.CostCurve):
        return {field.name: getattr(result, field.name) for field in dataclasses.fields(result)}
    if isinstance(result, DISPLAYS):
        return dict(numbers_drawn(result))
    if isinstance(result, sk.results.ModelComparison):
        return of_comparison(result, level)
    found = {name: np.asarray(value, dtype=float) for name, value in plain_fields(result).items()}
    found.pop("fold_estimates", None)  # in the order of the rows, which is a user's
    found |= laws_answers(result, level, brief) if hasattr(result, "confidence_interval") else {}
    if hasattr(result, "bins"):
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "At .* the lower limit is above", UserWarning)
            low, high = result.confidence_band(level)
        found |= {"band.low": low, "band.high": high, "diagonal": result.pvalue()}
        found |= {f"bins.{name}": each for name, each in result.bins(3)._asdict().items()}
    for name in PARTS:
        part = getattr(result, name, None)
        if hasattr(part, "confidence_interval"):
            found |= {f"{name}.{key}": value for key, value in numbers(part, level, brief).items()}
    if hasattr(result, "dominance") and not brief:
        found |= {f"dominance.{key}": value for key, value in result.dominance()._asdict().items()}
    return {name: np.asarray(value) for name, value in found.items()}


def of_comparison(comparison, level):
    """What is said of all models together, and of each."""
    found = {f"of each.{name}": getattr(comparison, name) for name in ("estimate", "standard_error", "covariance")}
    differences = comparison.differences
    for said in (comparison, differences):
        low, high = limits(said, level)
        name = "of each" if said is comparison else "of all"
        found |= {f"{name}.low": low, f"{name}.high": high}
    found |= {f"of all.{name}": getattr(differences, name) for name in ("estimate", "standard_error", "covariance")}
    found["of all.p"] = differences.pvalue()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sk.DegenerateLawWarning)
        test = comparison.omnibus()
    found |= {"omnibus.square": test.statistic, "omnibus.df": test.df, "omnibus.pvalue": test.pvalue}
    best = comparison.may_be_best(level)
    found |= {f"best.{name}": name in best for name in comparison.models}
    return {name: np.asarray(value, dtype=float) for name, value in found.items()}


def numbers_drawn(display):
    """The fields that are numbers, of one curve or of those of the folds, and of the curves beside them."""
    for field in dataclasses.fields(display):
        value = getattr(display, field.name)
        value = value() if callable(value) else value
        each = value if isinstance(value, list | tuple) else [value]
        for place, one in enumerate(each):
            if isinstance(one, DISPLAYS):
                yield from ((f"{field.name}[{place}].{name}", number) for name, number in numbers_drawn(one))
            elif isinstance(one, float | np.ndarray | tuple):
                yield f"{field.name}[{place}]", np.asarray(one, dtype=float)


def plain_fields(result):
    """The numbers that a result was made with."""
    values = {field.name: getattr(result, field.name) for field in dataclasses.fields(result)}
    if isinstance(pair := values.get("thresholds"), tuple):
        values |= {"thresholds_a": pair[0], "thresholds_b": pair[1]}
    found = {name: value for name, value in values.items() if isinstance(value, float | np.ndarray)}
    if "fold_estimates" in found:  # in the order in which rows have the folds
        found["fold_estimates"] = np.sort(found["fold_estimates"], axis=0)
    return found


def laws_answers(result, level, brief):
    """Moments, limits by method, quantiles, probabilities and p-values."""
    found = {name: getattr(result, name) for name in ("estimate", "mean", "standard_error")}
    for name in ("covariance", "correlation", "statistic"):
        if hasattr(result, name):
            found[name] = getattr(result, name)
    for method in result.methods[:1] if brief else result.methods:
        low, high = limits(result, level, method=method)
        found |= {f"low[{method}]": low, f"high[{method}]": high}
    if brief:
        return found
    if hasattr(result, "quantile"):
        found |= {"median": result.quantile(0.5), "cdf": result.cdf(result.estimate)}
    if hasattr(result, "probabilities"):
        found |= dict(zip(("below", "zero", "above"), result.probabilities(), strict=True))
    if hasattr(result, "equivalence"):
        found["p"] = result.pvalue()  # twice the smaller of the two others
    return found


def limits(result, level, **options):
    """An interval, whether its width is zero or not."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sk.DegenerateLawWarning)
        return result.confidence_interval(level, **options)


def parts(result):
    """The results that have intervals of their own, in what a statistic returns."""
    if hasattr(result, "confidence_interval"):
        yield result
    for name in PARTS:
        if hasattr(getattr(result, name, None), "confidence_interval"):
            yield getattr(result, name)


def part(name, function, *data, **options):
    """What asks for one of several results."""
    return lambda *more, **others: getattr(function(*data, *more, **options, **others), name)


def only(*names):
    """Keep the numbers whose last names are among these."""
    return lambda numbers: {key: value for key, value in numbers.items() if key.rpartition(".")[2] in names}


def without(*names):
    """Leave out numbers that have no counterpart."""
    return lambda numbers: {key: value for key, value in numbers.items() if key.rpartition(".")[2] not in names}


W = [0.21, 0.47, 0.83]
CUTS = [0.25, -0.75, 0.75]  # between the scores of all cases, half steps from -1.5 to 1.5
RATES = [0.125, 0.5, 0.75]
SAMPLINGS, FULL_FIRST = ("stratified", "full"), ("full", "stratified")
mirrored = [1 - w for w in W]
negated = {"thresholds": [-cut for cut in CUTS]}
AXES = ("probability_cost", "thresholds", "thresholds_a", "thresholds_b", "median", "cdf")
same = OtherClass()
aucs = OtherClass({}, without("low[hanley_mcneil]", "high[hanley_mcneil]"))  # it takes the classes for different
envelopes = OtherClass({"probability_cost": mirrored}, only("estimate"))  # at infinity costs are known
costs_at_cuts = OtherClass({"probability_cost": mirrored, **negated}, without(*AXES))
CUT, PAIR_OF_CUTS, AT_W = {"thresholds": CUTS}, {"thresholds": (CUTS, CUTS[::-1])}, {"probability_cost": W}
AT_ONE = {"probability_cost": W, "sampling": "full", "normalizer": "max"}
PAIRED, BOTH = {"models": 2, "samplings": SAMPLINGS}, {"samplings": SAMPLINGS}
other_rates = OtherClass(negated, of_other_rates)
above = negated["thresholds"]
other_pairs = OtherClass({"thresholds": (above, above[::-1])}, partial(of_other_rates, whole=0))
MACRO = {"metric": "f1", "average": "macro"}
kappas = OtherClass(negated, without("thresholds"))

STATISTICS = [
    Statistic("bootstrap_auc", samplings=SAMPLINGS, other_class=aucs),
    Statistic("bootstrap_auc", {"sampling": "full"}, other_class=aucs),
    Statistic("bootstrap_auc_difference", models=2, samplings=SAMPLINGS, other_class=same),
    Statistic("bootstrap_auc_difference", {"sampling": "full"}, models=2, other_class=same),
    Statistic("bootstrap_auc", {"max_fpr": 0.3}, samplings=SAMPLINGS),
    Statistic("bootstrap_auc_difference", {"max_fpr": 0.3}, models=2, samplings=SAMPLINGS),
    Statistic("bootstrap_average_precision", samplings=SAMPLINGS),
    Statistic("bootstrap_average_precision", {"prevalence": 0.2}),
    Statistic("bootstrap_average_precision_difference", models=2, samplings=SAMPLINGS),
    Statistic("bootstrap_roc_at_fpr", {"fpr": RATES}),
    Statistic("bootstrap_roc_difference_at_fpr", {"fpr": RATES[:2]}, models=2),
    Statistic("bootstrap_roc_at_fpr", {"specificity": RATES}),
    Statistic("bootstrap_roc_difference_at_fpr", {"specificity": RATES[1:2]}, models=2),
    Statistic("bootstrap_roc_at_tpr", {"tpr": [0.125, 0.5, 0.875]}),
    Statistic("bootstrap_roc_at_tpr", {"sensitivity": [0.125, 0.5, 0.875]}),
    Statistic("bootstrap_roc_difference_at_tpr", {"tpr": RATES[:2]}, models=2),
    Statistic("bootstrap_roc_difference_at_tpr", {"sensitivity": RATES[1:2]}, models=2),
    Statistic("bootstrap_roc_at_threshold", {}, CUT, other_class=other_rates),
    Statistic("bootstrap_roc_at_threshold"),
    Statistic("bootstrap_roc_difference_at_threshold", {}, PAIR_OF_CUTS, models=2, other_class=other_pairs),
    Statistic("bootstrap_roc_at_positive_rate", {"positive_rate": RATES}, **BOTH),
    Statistic("bootstrap_cost", AT_W, other_class=envelopes, **BOTH),
    Statistic("bootstrap_cost", AT_W, CUT, other_class=costs_at_cuts, **BOTH),
    Statistic("bootstrap_cost", AT_ONE, CUT, other_class=costs_at_cuts),
    Statistic("bootstrap_cost_difference", AT_W, other_class=envelopes, **PAIRED),
    Statistic("bootstrap_cost_difference", AT_W, CUT, other_class=costs_at_cuts, **PAIRED),
    Statistic("bootstrap_expected_cost", {"cost_matrix": BINARY}, of="labels"),
    Statistic("bootstrap_expected_cost_difference", {"cost_matrix": BINARY}, of="labels", models=2),
    Statistic("bootstrap_metric", {"metric": "f1"}, CUT, called="y_pred", samplings=FULL_FIRST),
    Statistic("bootstrap_metric", {"metric": "kappa"}, CUT, called="y_pred", samplings=FULL_FIRST, other_class=kappas),
    Statistic("bootstrap_metric", {"metric": "balanced_accuracy"}, CUT, called="y_pred", other_class=kappas),
    Statistic("bootstrap_metric_difference", {"metric": "f1"}, CUT, models=2, called="y_pred"),
    Statistic("bootstrap_metric_difference", {"metric": "accuracy"}, CUT, models=2, called="y_pred"),
    Statistic("bootstrap_metric", {"metric": sk.Metric.fbeta(2)}, CUT, called="y_pred"),
    Statistic("bootstrap_metric", MACRO, of="labels", called="y_pred", samplings=FULL_FIRST),
    Statistic("bootstrap_metric_difference", MACRO, models=2, of="labels", called="y_pred"),
    Statistic("bootstrap_metric", {"metric": "aurc"}, called="y_pred"),
    Statistic("bootstrap_metric_difference", {"metric": "aurc"}, models=2, called="y_pred"),
    Statistic("bootstrap_loss", of="risks", called="y_pred", samplings=FULL_FIRST, other_class=same),
    Statistic("bootstrap_loss", {"loss": "log_loss", "most": 30.0}, of="risks", called="y_pred", other_class=same),
    Statistic("bootstrap_loss", {"loss": "ranked_probability_score"}, of="risks", called="y_pred", other_class=same),
    Statistic("bootstrap_loss_difference", models=2, of="risks", called="y_pred", samplings=FULL_FIRST),
    Statistic("bootstrap_calibration", of="risks", called="y_proba"),
    Statistic("CostCurve", other_class=OtherClass({}, of_reversed_curve)),
    Statistic("cost_minimizing_thresholds", {"probability_cost": W}),
    Statistic("neyman_pearson_threshold", {"max_fpr": 0.3}),
    Statistic("neyman_pearson_threshold", {"max_fpr": 0.3, "confidence": 0.7}),
    Statistic("sensitivity_threshold", {"min_tpr": 0.6}),
    Statistic("sensitivity_threshold", {"min_tpr": 0.6, "confidence": 0.7}),
    Statistic("workforce_threshold", {"capacity": 0.4}),
    Statistic("normalized_cost_loss", {"probability_cost": 0.3}, {"threshold": 0.25}, weights="any"),
    Statistic("total_expected_cost_loss", weights="any", other_class=same),
    Statistic("expected_cost_loss", {"cost_matrix": BINARY}, of="labels", weights="any"),
]

BELONGING = [
    Statistic("bootstrap_auc", membership="groups"),
    Statistic("bootstrap_auc", membership="folds"),
    Statistic("bootstrap_auc_difference", models=2, membership="groups"),
    Statistic("bootstrap_auc", {"max_fpr": 0.3}, membership="groups"),
    Statistic("bootstrap_average_precision", membership="groups"),
    Statistic("bootstrap_average_precision_difference", models=2, membership="groups"),
    Statistic("bootstrap_auc_difference", models=2, membership="folds"),
    Statistic("bootstrap_roc_at_threshold", {}, CUT, membership="groups"),
    Statistic("bootstrap_roc_difference_at_threshold", {}, PAIR_OF_CUTS, models=2, membership="groups"),
    Statistic("bootstrap_cost", AT_W, membership="groups"),
    Statistic("bootstrap_cost", AT_W, CUT, membership="groups"),
    Statistic("bootstrap_cost", AT_W, CUT, membership="folds"),
    Statistic("bootstrap_cost_difference", AT_W, CUT, models=2, membership="groups"),
    Statistic("bootstrap_metric", {"metric": "f1"}, CUT, called="y_pred", membership="groups"),
    Statistic("bootstrap_metric", {"metric": "balanced_accuracy"}, CUT, called="y_pred", membership="folds"),
    Statistic("bootstrap_metric_difference", {"metric": "f1"}, CUT, models=2, called="y_pred", membership="groups"),
    Statistic("bootstrap_metric", MACRO, of="labels", called="y_pred", membership="groups"),
    Statistic("bootstrap_metric", MACRO, of="labels", called="y_pred", membership="folds"),
    Statistic("bootstrap_metric_difference", MACRO, models=2, of="labels", called="y_pred", membership="groups"),
    Statistic("bootstrap_loss", of="risks", called="y_pred", membership="groups"),
    Statistic("bootstrap_loss", of="risks", called="y_pred", membership="folds"),
    Statistic("bootstrap_loss", {"loss": "ranked_probability_score"}, of="risks", called="y_pred", other_class=same),
    Statistic("bootstrap_loss_difference", models=2, of="risks", called="y_pred", membership="groups"),
    Statistic("bootstrap_loss", {"loss": "ranked_probability_score"}, of="risks", called="y_pred", other_class=same),
    Statistic("bootstrap_loss_difference", models=2, of="risks", called="y_pred", membership="folds"),
]  # asked of groups and of folds

COMPARED = [
    Statistic("compare_models", models=2),
    Statistic("compare_models", {"adjustment": "holm", "statistic": "tpr_at_fpr", "fpr": 0.3}, models=2),
    Statistic("compare_models", {"statistic": "specificity_at_sensitivity", "sensitivity": 0.6}, models=2),
    Statistic("compare_models", {"statistic": "cost", "probability_cost": 0.3}, models=2),
    Statistic("compare_models", {"adjustment": "none", "statistic": "f1"}, {"thresholds": 0.25}, models=2),
    Statistic("compare_models", {"statistic": "average_precision"}, models=2),
    Statistic("compare_models", {"statistic": "auc", "max_fpr": 0.3}, models=2),
    Statistic("compare_models", models=2, membership="groups"),
    Statistic("compare_groups", membership="by"),
    Statistic("compare_groups", {"statistic": "f1"}, {"thresholds": 0.25}, membership="by"),
]

DRAWN = [
    Statistic("ROCConfidenceDisplay", {"at": RATES}),
    Statistic("ROCConfidenceDisplay", {"averaging": "threshold", "band": "simultaneous"}),
    Statistic("ROCConfidenceDisplay", {"averaging": "threshold"}, {"at": CUTS}, membership="groups"),
    Statistic("ROCConfidenceDisplay", {"together": "pooled", "at": RATES}, membership="folds"),
    Statistic("ROCConfidenceDisplay", {"together": "mean", "at": RATES}, membership="folds"),
    Statistic("PrecisionRecallConfidenceDisplay"),
    Statistic("PrecisionRecallConfidenceDisplay", {"together": "pooled"}, membership="folds"),
    Statistic("CostCurveDisplay", {"probability_cost": W, "band": "simultaneous"}),
    Statistic("CostCurveDisplay", {"together": "mean", **AT_W}, {"thresholds": 0.25}, membership="folds"),
    Statistic("PairedCostDifferenceDisplay", {"probability_cost": W}, models=2),
    Statistic("MetricThresholdDisplay", {}, CUT),
]
