"""The areas of ``_contests`` as results: of one model's scores, or of a's minus b's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import UndefinedMetricWarning

from skcostci._arrays import Booleans
from skcostci._frozen import frozen_numbers, read_only
from skcostci._validation._arguments import check_option
from skcostci._warnings import warn_caller
from skcostci.cases._cases import Cases
from skcostci.cases._design import Part
from skcostci.laws._side_by_side import PartlyDefinedLaw
from skcostci.laws.influence._first_order import OF_CURVES, OF_RANKS, FirstOrderLaw
from skcostci.results._estimand import Estimand
from skcostci.results._results import BootstrapResult
from skcostci.statistics._any_metric import side_by_side
from skcostci.statistics._contests import area_by_label, one_versus_one, without_area
from skcostci.statistics._unit_means import Difference, Statistic
from skcostci.statistics._units import law_of_models, methods_of_units, of_scheme

CLASS_AVERAGES = ("macro", "weighted", "micro")
LABEL_AVERAGES = (*CLASS_AVERAGES, "samples")
NO_DIFFERENCE = 1e-11  # of placements, from 0 to 1: less is rounding of sums
Kinds = tuple[Callable[..., BootstrapResult], Callable[..., BootstrapResult]]  # for one model and for two
NEEDED = {"auc": ("positives and negatives", "AUC"), "average_precision": ("positives", "average precision")}


@dataclass(frozen=True, repr=False, eq=False)
class OfLabels(BootstrapResult[float]):
    labels: NDArray[Any] | None = field(default=None, kw_only=True, repr=False)

    def _axis(self) -> dict[str, Any]:
        return {} if self.labels is None else {"label": self.labels}


def areas_by_label(
    kinds: Kinds,
    estimand: Estimand,
    cases: Cases,
    columns: Sequence[str],
    average: str | None,
    *,
    sampling: str = "stratified",
) -> BootstrapResult:
    """The area; ``sampling`` is whether each class is drawn to its own size, never where cases have several labels."""
    if average is not None:
        averages = LABEL_AVERAGES if cases.has_labels else CLASS_AVERAGES
        check_option("average", average, averages, " Or None: one value per label.")
    of_classes, paired, of_auc = not cases.has_labels, len(columns) == 2, estimand.statistic == "auc"
    truth = cases.truth[:, None] == np.arange(len(cases.labels)) if of_classes else cases.positive
    design = cases.design(by_class=sampling == "stratified")
    reasons = () if of_classes else _undefined(cases, truth, estimand.statistic, average)
    if average == "samples" and not of_auc and (bare := int((~truth.any(axis=1)).sum())):
        warn_caller(
            f"{bare} of {len(truth)} rows have no label: their average precision has no value; 0 is used, as in "
            "scikit-learn.",
            UndefinedMetricWarning,
        )
    some = np.ones(truth.shape[1], dtype=bool)
    if reasons and average is None:
        some = np.array([not reason for reason in reasons])
        truth = truth[:, some]
    fixed = design.by_class and cases.groups is None

    def statistic(part: Part, name: str) -> Statistic:
        scores = part.of(cases.columns[name])
        scores = scores if some.all() else scores[:, some]
        if estimand.multi_class == "ovo":
            return one_versus_one(part, scores, str(average))
        known = part, part.of(truth), scores, estimand.statistic, average
        return area_by_label(*known, of_classes=of_classes, fixed=fixed)

    models = [[statistic(part, name) for name in columns] for part in design.parts]
    most = OF_RANKS if of_auc else OF_CURVES
    law: Any = law_of_models(design, models, (0.0, 1.0), most)
    law = replace(law, bilinear=of_auc and len(law.strata) > 1)
    if of_auc and of_classes and paired and average is not None and cases.rows.stand_alone and cases.folds is None:
        law = replace(law, differing=_differing(design.parts[0], Difference(*models[0]), law))
    scheme = of_scheme(cases, [*map(Difference.of, models)], () if average is not None else (-1,))
    if not some.all():
        widest = np.full(len(some), -1.0 if paired else 0.0), np.ones(len(some))
        law = PartlyDefinedLaw(law, some, reasons, widest, first=(None, np.zeros(4)))
        if (of_folds := scheme["fold_estimates"]) is not None:
            scheme["fold_estimates"] = read_only(law.scattered(of_folds, np.full((len(of_folds), len(some)), np.nan)))
    shape: tuple[int, ...] = (len(some),) if average is None else ()
    labels = read_only(np.array(cases.labels)) if average is None else None
    described = replace(
        estimand,
        difference=paired,
        average=average,
        labels=tuple(cases.labels) if of_classes else None,
        axis={} if labels is None else {"label": labels},
        folds=cases.folds is not None,
    )
    methods = methods_of_units(grouped=cases.groups is not None, paired=paired)
    return kinds[paired](
        frozen_numbers(law.estimate, shape),
        law,
        methods,
        estimand=described,
        labels=labels,
        **scheme,
    )


def _differing(part: Part, one: Statistic, law: FirstOrderLaw) -> tuple[float, ...]:
    """On how many cases of each class the placements of two models differ: influences are the rest of their means."""
    found = []
    for own, units in enumerate(law.strata):
        drawn = part.classes == own
        differences = units.number * one.influences[drawn, 0] - (units.worst + units.best) / 2
        found.append(float(part.counts[drawn] @ (np.abs(differences) > NO_DIFFERENCE)))
    return tuple(found)


def against_rest(
    cases: Cases, column: str, of: Callable[[Cases, str], BootstrapResult], estimand: Estimand
) -> BootstrapResult:
    """The areas of each class against the rest, each with the law of two classes, as one result."""
    scores, found, labels = cases.columns[column], [], tuple(cases.labels)
    for place in range(len(labels)):
        against = {"labels": (False, True), "truth": cases.truth == place, "columns": {column: scores[:, place]}}
        found.append(of(replace(cases, **against), column))
    axis, folds = {"label": read_only(np.array(labels))}, cases.folds is not None
    whole = replace(estimand, labels=labels, axis=axis, folds=folds)
    result: BootstrapResult = side_by_side(found, list(labels), whole)
    return result


def _undefined(cases: Cases, truth: Booleans, kind: str, average: str | None) -> tuple[str, ...]:
    """Why the area of each label, or their average, has no value in the first fold where it has none, or else ""."""
    folds, found = cases.design().parts, []
    each = [without_area(truth[part.rows], kind, average, list(cases.labels)) for part in folds]
    for of_folds in zip(*each, strict=True):
        place = next((place for place, reason in enumerate(of_folds) if reason), 0)
        where = f", in fold number {place + 1} in order of appearance" if len(folds) > 1 else ""
        found.append(of_folds[place] + where * bool(of_folds[place]))
    if all(found):
        way = (
            " Use average=None, which gives one value per label, or 'micro'."
            if average in ("macro", "weighted")
            else ""
        )
        needed, name = NEEDED[kind]
        raise ValueError(f"y_true must contain {needed} to rank: the {name} has no value where {found[0]}.{way}")
    return tuple(found)
