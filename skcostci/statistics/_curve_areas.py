"""Areas under curves: partial AUC, average precision, either by label, risk-coverage; of one model and of a minus b.

To first order the statistic of a resample is T + sum of the influences of the cases drawn (``laws/influence/_areas``);
where positives or rates are few the moments of one model are exact. Limits of average precision are about the estimate
minus its bias. The additional case, or group, is at the least favourable end of the ranking; with two models it
is at the least favourable end for one and at the most favourable end for the other.

**Risk and coverage.** At a coverage k / n only the k most confident of n answers are given; the risk is the share of
these that are wrong. The area is the mean of the risk over k = 1, ..., n (Geifman, Uziel & El-Yaniv 2019), a weighted
mean of the errors e:

    AURC = (1/n) sum_i e_i h_i,    h_i = sum_(k >= i) 1/k = H(n) - H(i - 1),    H(x) = sum_(k <= x) 1/k.

Cases that tie have the mean h of their ranks, as in random order: with N_g cases up to the g-th distinct confidence,
w_g of them at it, E_g of these wrong, and D_g = H(N_g) - H(N_(g-1)),

    h_g = q_g + sum_(g' > g) D_g',    q_g = 1 - N_(g-1) D_g / w_g.

With H(x) = digamma(x + 1) + const the same holds for weights. One more case adds e h and takes the place of others from
its rank on. But for a constant that makes influences add up to 0, its influence is

    ((e - E_g / w_g) q_g + sum_(g' > g) (e - E_g' / w_g') D_g') / n.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import digamma
from sklearn.exceptions import UndefinedMetricWarning

from skcostci._arrays import Booleans, Floats, as_array
from skcostci._described import described
from skcostci._frozen import altered, cached_property, frozen_numbers, read_only
from skcostci._options import Average, Label, Sampling, WeightType, explains_calls
from skcostci._validation._arguments import SMALLEST_COST, Number, SampledShare, check_judged_share, check_option
from skcostci._validation._rows import SampleOptions, row_options
from skcostci._validation._tables import is_multilabel
from skcostci._warnings import warn_caller
from skcostci.cases._cases import Cases
from skcostci.cases._counts import ScoreBins, ScoreCounts, bins_at_positives, bins_down_to
from skcostci.cases._design import Design, Part
from skcostci.laws._rounding import SPREAD_ROUNDING
from skcostci.laws._side_by_side import PartlyDefinedLaw
from skcostci.laws.influence._areas import (
    AveragePrecision,
    Curve,
    PartialAreaLaw,
    PartialAUC,
    bias_of_groups,
    moments_of_resample,
    stepped,
)
from skcostci.laws.influence._first_order import OF_CURVES, OF_RANKS, Ends, FirstOrderLaw, Units, group_strata
from skcostci.laws.influence._ranks import class_sizes
from skcostci.results._estimand import Estimand
from skcostci.results._results import BootstrapResult, MomentDifferenceResult
from skcostci.statistics._any_metric import side_by_side
from skcostci.statistics._contests import area_by_label, one_versus_one, without_area
from skcostci.statistics._units import (
    Difference,
    Statistic,
    law_of_models,
    methods_of_units,
    of_scheme,
    opened,
)
from skcostci.statistics._weight_types import continuous_in_weights, weighed

SHARE_STEP = 1e-6  # of a central difference, relative to a share; if it is halved rounding costs a digit
CLASS_AVERAGES = ("macro", "weighted", "micro")
LABEL_AVERAGES = (*CLASS_AVERAGES, "samples")
NO_DIFFERENCE = 1e-11  # of placements, from 0 to 1: less is rounding of sums
Halves = tuple[Floats, Floats]  # of positives and of negatives
Kinds = tuple[Callable[..., BootstrapResult], Callable[..., BootstrapResult]]  # for one model and for two
NEEDED = {"auc": ("positives and negatives", "AUC"), "average_precision": ("positives", "average precision")}


@dataclass(frozen=True, repr=False, eq=False)
class OfLabels(BootstrapResult[float]):
    labels: NDArray[Any] | None = field(default=None, kw_only=True, repr=False)

    def _axis(self) -> dict[str, Any]:
        return {} if self.labels is None else {"label": self.labels}


@dataclass(frozen=True, repr=False, eq=False)
class PartialAUCResult(BootstrapResult[float]):
    """The area under the ROC curve up to a false-positive rate, with the moments of its bootstrap distribution.

    Returned by :func:`bootstrap_auc` with ``max_fpr=``: McClish's standardized value, or the area itself. In addition
    to what every :class:`BootstrapResult` has:

    Parameters
    ----------
    max_fpr : float
        The upper end of the range of false-positive rates.
    standardize : bool
        Whether the area is standardized (McClish).
    """

    max_fpr: float
    standardize: bool


@dataclass(frozen=True, repr=False, eq=False)
class PartialAUCDifferenceResult(MomentDifferenceResult):
    """The partial AUC of model a minus that of model b, with the moments of the joint bootstrap distribution.

    Returned by :func:`bootstrap_auc_difference` with ``max_fpr=``; positive values favour a. In addition to what every
    :class:`BootstrapResult` has:

    Parameters
    ----------
    max_fpr : float
        The upper end of the range of false-positive rates.
    standardize : bool
        Whether the areas are standardized (McClish).
    """

    max_fpr: float
    standardize: bool


@dataclass(frozen=True, repr=False, eq=False)
class AveragePrecisionResult(OfLabels):
    """Average precision with the moments of its bootstrap distribution.

    Returned by :func:`bootstrap_average_precision`; the estimate is scikit-learn's. In addition to what every
    :class:`BootstrapResult` has:

    Parameters
    ----------
    labels : ndarray of shape (n_labels,), default=None
        With ``average=None`` the class, or the label, of each point; the numbers are then arrays.
    """


@dataclass(frozen=True, repr=False, eq=False)
class AveragePrecisionDifferenceResult(MomentDifferenceResult, OfLabels):
    """The average precision of model a minus that of model b, with the moments of the joint bootstrap distribution.

    Returned by :func:`bootstrap_average_precision_difference`; positive values favour a. In addition to what every
    :class:`BootstrapResult` has:

    Parameters
    ----------
    labels : ndarray of shape (n_labels,), default=None
        With ``average=None`` the label of each point; the numbers are then arrays.
    """


@dataclass(frozen=True, repr=False, eq=False)
class RiskCoverageResult(BootstrapResult[float]):
    """The area under the risk-coverage curve (AURC), with the moments of its bootstrap distribution.

    Returned by :func:`bootstrap_metric` for "aurc". Its default interval, "unseen_case", allows for one more wrong
    answer of the highest confidence; "extrapolated", not to be trusted where such answers may occur and the sample has
    none, is up to half as wide. ``y_true`` is 1 where the answer was right, the scores are confidences in the answers.
    It has what every :class:`BootstrapResult` has.
    """


@dataclass(frozen=True, repr=False, eq=False)
class RiskCoverageDifferenceResult(MomentDifferenceResult):
    """The area under the risk-coverage curve of model a minus that of model b; negative values favour a.

    Returned by :func:`bootstrap_metric_difference` for "aurc". ``y_true`` is 1 where the answer was right,
    for both: two confidences in the same answers are compared. It has what every :class:`BootstrapResult` has.
    """


@explains_calls
@described(SampleOptions)
def bootstrap_average_precision(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    sampling: Sampling = "stratified",
    prevalence: float | tuple[int, int] | None = None,
    average: Average | None = "macro",
    labels: ArrayLike | None = None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
) -> AveragePrecisionResult:
    """Average precision with a confidence interval that allows for one additional, least favourable case.

    >>> from skcostci import bootstrap_average_precision
    >>> y_true, y_score = [1, 0, 1, 1, 0, 0, 1, 0, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.55, 0.5, 0.4, 0.3, 0.2, 0.1]
    >>> bootstrap_average_precision(y_true, y_score)
    AveragePrecisionResult(average_precision, estimate=0.747, standard_error=0.1453, 95 % interval 0.2609 to 0.9653 by
    unseen_case)

    The area under the precision-recall curve in steps, as scikit-learn's ``average_precision_score`` has it.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,) or (n_samples, n_labels)
        Binary labels, both classes present; those of several classes; or a table of several labels per case, 1 where it
        has the label of the column, NaN where nobody read: each label is then evaluated on its own cases.
    y_score : array-like of shape (n_samples,), (n_samples, n_classes) or (n_samples, n_labels)
        Finite scores, higher meaning more positive; for several classes or labels a column for each, by name where
        columns are named after the classes.
    sampling : {"stratified", "full"}, default="stratified"
        Resample each class to its own size, so that the class mix is that of the sample, or all cases together. Leave
        it at its default with ``prevalence``, ``groups`` and importance weights.
    prevalence : float or tuple of 2 ints, default=None
        The share of positives at which average precision is evaluated, in (0, 1); None is the share in the sample. Or
        ``(events, cases)`` of another sample from which the share is estimated; limits allow for its uncertainty. Not
        for several classes or labels.
    average : {"macro", "weighted", "micro", "samples"} or None, default="macro"
        For several classes, each against the rest, or labels: their mean; the mean weighted by how many cases have
        each; the average precision of all pairs of a case and a label; or, for labels only, the mean over cases. None
        returns one value per label, as arrays.
    labels : array-like of shape (n_classes,), default=None
        For several classes, which of them each column is for. None: by their names, else in the order of ordered
        categories of ``y_true`` or of the sorted labels.

    Returns
    -------
    AveragePrecisionResult
        With ``mean`` and ``is_exact``. The interval methods:

        - "unseen_case" (default): allows for one additional case, a negative above all others or a positive below them
          for the lower limit, the reverse for the upper one. Never of zero width. Not to be trusted where no negative
          of the sample scores above all positives although the population has such negatives, so few that a sample of
          this size contains three or fewer on average.
        - "extrapolated" (only with ``groups``, where it is the default): allows for one additional group as extreme as
          those in the sample suggest. Not to be trusted where some groups fail as a whole and the sample may have none.
        - "unseen_group" (only with ``groups``): allows for such groups; up to twice as wide.
        - "wald": a Gaussian with the mean and the variance of the bootstrap distribution. Not to be trusted with few
          positives, near an average precision of 1, nor where a few negatives lie at the top.

        Coverage is in :doc:`/user_guide/interval_methods`.

    Warns
    -----
    UndefinedMetricWarning
        If some cases have no label with ``average="samples"``: they count 0.

    See Also
    --------
    bootstrap_average_precision_difference : Compare two models.
    compare_models : Compare several.

    Notes
    -----
    A resample's average precision is biased upwards: limits are computed around the estimate minus that bias, except
    for several classes or labels; ``mean`` includes it. Mean and variance are exact where positives have at most 24
    distinct scores, the smaller class at most 10,000 cases, and classes are resampled to their own sizes: ``is_exact``.
    A label that no case has is undefined (``defined``). :doc:`/user_guide/average_precision` has more.

    References
    ----------
    K. Boyd, K. H. Eng and C. D. Page, ECML PKDD, 2013.
    """
    rows: SampleOptions = {"sample_weight": sample_weight, "weight_type": weight_type, "groups": groups, "folds": folds}
    rows["pos_label"] = pos_label
    cases = check_ranked(y_true, {"y_score": y_score}, rows, labels=labels)
    found = average_precision_of(cases, "y_score", sampling=sampling, prevalence=prevalence, average=average)
    return weighed(found, rows, AveragePrecisionResult)


@explains_calls
@described(bootstrap_average_precision)
def bootstrap_average_precision_difference(
    y_true: ArrayLike,
    y_score_a: ArrayLike,
    y_score_b: ArrayLike,
    *,
    sampling: Sampling = "stratified",
    prevalence: float | tuple[int, int] | None = None,
    average: Average | None = "macro",
    labels: ArrayLike | None = None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
) -> AveragePrecisionDifferenceResult:
    """The difference in average precision of two models on the same cases, a - b.

    >>> from skcostci import bootstrap_average_precision_difference
    >>> y_true = [1, 0, 1, 1, 0, 0, 1, 0, 0, 0] * 5
    >>> a = [0.9, 0.8, 0.7, 0.6, 0.55, 0.5, 0.4, 0.3, 0.2, 0.1] * 5
    >>> b = [0.1, 0.8, 0.7, 0.3, 0.55, 0.5, 0.4, 0.6, 0.2, 0.9] * 5
    >>> bootstrap_average_precision_difference(y_true, a, b)
    AveragePrecisionDifferenceResult(average_precision difference, estimate=0.3985, standard_error=0.07345, 95 %
    interval 0.2477 to 0.5512 by extrapolated, p=5.2e-06)

    Parameters
    ----------
    y_score_a, y_score_b : array-like of shape (n_samples,), (n_samples, n_classes) or (n_samples, n_labels)
        The scores of the two models, which need not share a scale.

    Returns
    -------
    AveragePrecisionDifferenceResult
        The interval methods:

        - "extrapolated" (default with ``groups``, and without ``folds``): Student's t, with one additional case, or
          group, that changes the difference by little more than the most influential one in the sample does. Short
          where the models resemble each other, and without groups never wider than "unseen_case". Not to be trusted
          where one model alone may rank some positives last, or some negatives first, and the sample contains none of
          these.
        - "unseen_case" (default with ``folds``, unless there are ``groups``): with an additional case that the models
          place at opposite ends. It also covers where one model alone fails on cases that are not in the sample, and is
          2 to 7 times as wide for models that nearly agree.
        - "unseen_group" (only with ``groups``): the same, with an additional group.
        - "wald": a Gaussian. Not to be trusted with few positives or near an average precision of 1.

    See Also
    --------
    bootstrap_average_precision : One model.

    Notes
    -----
    The standard error is of first order. :doc:`/user_guide/average_precision` has more.
    """
    scores = {"y_score_a": y_score_a, "y_score_b": y_score_b}
    rows: SampleOptions = {"sample_weight": sample_weight, "weight_type": weight_type, "groups": groups, "folds": folds}
    rows["pos_label"] = pos_label
    cases = check_ranked(y_true, scores, rows, labels=labels)
    found = average_precision_of(cases, *scores, sampling=sampling, prevalence=prevalence, average=average)
    return weighed(found, rows, AveragePrecisionDifferenceResult)


def check_ranked(
    y_true: ArrayLike,
    scores: Mapping[str, ArrayLike],
    sample: SampleOptions,
    *,
    labels: ArrayLike | None = None,
    **_: object,
) -> Cases:
    """The cases: of several classes if there are more than two columns of scores, or ``labels`` for the columns."""
    table = is_multilabel(y_true)
    shape = () if table else as_array(*next(iter(scores.items()))).shape
    several = not table and (labels is not None or (len(shape) > 1 and shape[1] > 2))
    check = check_of_kind(sample.get("pos_label"), labels, table=table, several=several)
    return check(y_true, scores, **row_options(sample))


def check_of_kind(
    pos_label: Label | None, labels: ArrayLike | None, *, table: bool, several: bool, hint: str = ""
) -> Callable[..., Cases]:
    """How cases are checked: with a ``table`` of labels, of ``several`` classes or of two; options of others raise."""
    if table and labels is not None:
        raise ValueError("labels are for several classes; in a table the labels are the columns. Leave labels out.")
    if table:
        return partial(Cases.check_labels, predicted=False, pos_label=pos_label)
    if not several:
        return partial(Cases.check, hint=hint, pos_label=pos_label)
    if pos_label is not None:
        raise ValueError(f"pos_label must be None with several classes, got {pos_label!r}: there is no positive class.")
    return partial(Cases.check_class_scores, labels=labels)


def check_max_fpr(max_fpr: object, standardize: object) -> float | None:
    """The rate; None for the whole area."""
    if not isinstance(standardize, bool | np.bool_):
        raise TypeError(f"standardize must be True or False, got {standardize!r}.")
    if max_fpr is None:
        if not standardize:
            raise ValueError("standardize=False needs max_fpr, got None: the whole area has only one scale.")
        return None
    rate = Number(SMALLEST_COST, 1)("max_fpr", max_fpr)  # the square of a smaller one is lost in float64
    return None if rate == 1 else rate


@continuous_in_weights
def partial_auc_of(
    cases: Cases, *columns: str, sampling: Sampling = "stratified", max_fpr: float, standardize: bool = True
) -> BootstrapResult:
    """The partial AUC; without groups only scores that resamples, or one more case, may reach have own bins."""
    options: dict[str, Any] = {"max_fpr": max_fpr, "standardize": bool(standardize)}

    def area(part: Cases, counts: ScoreCounts) -> Area:
        reached = max_fpr * part.sizes[1]
        reach = math.inf if part.groups is not None else reached + 10 * math.sqrt(reached) + 100
        return Area(part, bins_down_to(counts, reach), PartialAUC(max_fpr, bool(standardize)))

    kinds = partial(PartialAUCResult, **options), partial(PartialAUCDifferenceResult, **options)
    estimand = Estimand("partial_auc", len(columns) == 2, positive=cases.labels[1], axis=options)
    return _result(kinds, area, cases, columns, sampling, estimand)


@continuous_in_weights
def average_precision_of(
    cases: Cases,
    *columns: str,
    sampling: Sampling = "stratified",
    prevalence: float | tuple[int, int] | None = None,
    average: str | None = "macro",
    labels: ArrayLike | None = None,  # noqa: ARG001  # checked with the cases; statistics by name hand their options on
) -> BootstrapResult:
    """The average precision at a class mix, on which its smallest value depends (Boyd et al. 2012)."""
    check_option("sampling", sampling, Sampling)
    if cases.columns[columns[0]].ndim > 1:
        return _average_precision_of_labels(cases, columns, sampling, prevalence, average)
    single = cases.rows.stand_alone and cases.folds is None
    mix = None if prevalence is None else check_judged_share(prevalence, single=single)
    if mix is not None and sampling == "full":
        raise ValueError(
            f"sampling must be 'stratified' with a prevalence, got 'full' and prevalence={prevalence!r}: full "
            "sampling resamples the class mix, but prevalence fixes it."
        )
    # The class mix varies between resamples of groups, of weighted cases, and of all cases together.
    mix_is_drawn = mix is None and (sampling == "full" or not cases.rows.stand_alone)

    def area(part: Cases, counts: ScoreCounts) -> Area:
        m, n = part.sizes
        odds = n / m if mix is None else (1 - mix) / mix
        least = max(1 - odds * math.log1p(1 / odds), 0.0) if not isinstance(mix, SampledShare) else 0.0
        curve = AveragePrecision(least, None if mix_is_drawn else odds)
        return Area(part, bins_at_positives(counts), curve)

    estimand = Estimand("average_precision", len(columns) == 2, prevalence=mix, positive=cases.labels[1])
    kinds = AveragePrecisionResult, AveragePrecisionDifferenceResult
    return _result(kinds, area, cases, columns, sampling, estimand)


def _average_precision_of_labels(
    cases: Cases, columns: Sequence[str], sampling: Sampling, prevalence: object, average: str | None
) -> BootstrapResult:
    """The average precision of several classes, each against the rest, or of several labels per case."""
    if prevalence is not None:
        raise ValueError(f"prevalence needs two classes, got {prevalence!r}: leave it out for several classes.")
    if not cases.has_labels:
        cases.check_sampling(sampling, "stratified")
    estimand, counted = Estimand("average_precision"), cases.folds is None and not cases.rows.has_importance
    if average is None and len(columns) == 1 and not cases.has_labels and counted:
        return against_rest(cases, columns[0], partial(average_precision_of, sampling=sampling), estimand)
    kinds = AveragePrecisionResult, AveragePrecisionDifferenceResult
    return areas_by_label(kinds, estimand, cases, columns, average, sampling=sampling)


@dataclass(frozen=True, repr=False, eq=False)
class Area:
    """A curve's statistic from the counts in ``bins`` of scores, with cases as rows.

    A cell is a bin of positives or of negatives. ``steps`` keeps the values with additional cases that were computed.
    """

    cases: Cases
    bins: ScoreBins
    curve: Curve
    steps: dict[tuple[float, ...], Floats] = field(default_factory=dict)

    @property
    def counts(self) -> Halves:
        return self.bins.positive, self.bins.negative

    @property
    def rounding(self) -> float:
        """Relative to 1 / (size of the smaller class): each class has the same total weight."""
        return SPREAD_ROUNDING / min(self.cases.sizes)

    @property
    def value(self) -> Floats:
        return self.with_additional(np.zeros(2), 1)

    def with_additional(self, made: Floats, side: int) -> Floats:
        """The value with additional negatives and positives, at the wrong ends (side -1) or at the right ones (1)."""
        y, x = made.tolist()
        if (x, y, side) not in self.steps:
            self.steps[x, y, side] = np.array([stepped(self.curve, *self.counts, x, y, side)])
        return self.steps[x, y, side]

    @cached_property
    def of_cells(self) -> Halves:
        return self.curve.influences(*self.counts)

    @cached_property
    def influences(self) -> Floats:
        return self.in_rows(self.of_cells)[:, None]

    def of_cases(self, of_cells: Halves) -> Halves:
        """What is said of the cells, for each case of a class."""
        (own, other), (_, _, counts, of_positives, of_negatives) = of_cells, self.bins
        return own[of_positives][counts.positive.rank], other[of_negatives][counts.negative.rank]

    def in_rows(self, of_cells: Halves) -> Floats:
        found, positive = np.empty(len(self.cases.truth)), self.cases.positive
        found[positive], found[~positive] = self.of_cases(of_cells)
        return found

    def moments(self, curve: AveragePrecision, *, exact: bool) -> tuple[float, float, float]:
        """The bias that limits allow for, the mean of a resample, and its variance if that is exact, else NaN."""
        value = float(self.value[0])
        known = moments_of_resample(curve, *self.counts) if exact else None
        mean, variance = known or (value, math.nan)
        if known is None:
            mean += curve.bias(*self.counts) if self.cases.groups is None else self._bias_of_groups(curve)
        center, mean = np.clip([2 * value - mean, mean], *curve.support).tolist()
        return value - center, mean, variance

    def _bias_of_groups(self, curve: AveragePrecision) -> float:
        cases, places = self.cases, np.arange(len(self.bins.positive), dtype=np.float64)
        levels, groups = self.in_rows((places, places)).astype(np.int64), np.asarray(cases.groups)
        counted = cases.weights.astype(np.float64)
        positive, negative = counted * cases.positive, counted * ~cases.positive
        return bias_of_groups(levels, positive, negative, groups, curve.odds)


def _result(
    kinds: Kinds,
    area: Callable[[Cases, ScoreCounts], Area],
    cases: Cases,
    columns: Sequence[str],
    sampling: Sampling,
    estimand: Estimand,
) -> BootstrapResult:
    check_option("sampling", sampling, Sampling)
    cases.check_sampling(sampling, "stratified")
    grouped, paired, in_folds = cases.groups is not None, len(columns) == 2, cases.folds is not None
    single = not in_folds and not cases.rows.is_weighted
    by_row = paired or grouped or not single
    models = [[area(part, part.counts(column, ranked=by_row)) for column in columns] for part in cases.parts()]
    support = np.mean([part[0].curve.support for part in models], axis=0).tolist()
    by_class = (grouped or models[0][0].curve.of_rates) and not cases.rows.is_weighted
    if single and not grouped:
        law = _law_of_cases(models[0], support, by_class=by_class)
    else:
        design = cases.design(by_class=by_class)
        # An unseen group that may fail in either class has half of the weight for each.
        mixed = single and len(group_strata(design.class_counts)) == 1
        law = law_of_models(design, models, support, OF_CURVES / 2 if mixed else OF_CURVES)
    if single:
        law = _of_one_sample(law, models[0], sampling, estimand.prevalence)
    methods = methods_of_units(grouped=grouped, paired=paired and not in_folds)
    estimand, scheme = replace(estimand, folds=in_folds), of_scheme(cases, [*map(Difference.of, models)])
    return kinds[paired](float(law.estimate[0]), law, methods, estimand=estimand, **scheme)


def _law_of_drawn(one: Statistic, counts: Halves, g: Halves, support: Ends, *, by_class: bool) -> FirstOrderLaw:
    """From the cells of one model or the rows of two: counts and influences of positives, and of negatives."""
    # The law of terms is for any scheme and would take twice as long.
    (a, b), (own, other), value = counts, g, one.value
    drawn = [(b, other, [(1, 0)]), (a, own, [(0, 1)])]
    if not by_class:
        drawn = [(np.concatenate([b, a]), np.concatenate([other, own]), [(1, 0), (0, 1)])]
    strata = []
    for each, g_i, kinds in drawn:
        k, made = float(each.sum()), np.array(kinds, dtype=np.float64)
        worst, best = (
            (k + 1) * furthest([one.with_additional(unit, side) - value for unit in made], axis=0)
            for side, furthest in ((-1, np.min), (1, np.max))
        )
        x = k * np.compress(each > 0, g_i - np.einsum("i,i", each, g_i) / k)[:, None]
        strata.append(Units.of(x, np.compress(each > 0, each), (worst, best), np.array([k * one.rounding])))
    units, paired = tuple(opened(strata, value, support)), isinstance(one, Difference)
    return FirstOrderLaw(value, support, units, OF_CURVES, bilinear=by_class, paired=paired)


def _law_of_cases(areas: Sequence[Area], support: tuple[float, float], *, by_class: bool) -> FirstOrderLaw:
    law_of = partial(_law_of_drawn, by_class=by_class)
    each = [law_of(one, one.counts, one.of_cells, support) for one in areas]
    if len(each) == 1:
        return each[0]
    (low, high), positive, weights = support, areas[0].cases.positive, areas[0].cases.weights.astype(np.float64)
    counts = np.compress(positive, weights), np.compress(~positive, weights)

    def difference(of_cells: Sequence[Halves]) -> FirstOrderLaw:
        (own_a, other_a), (own_b, other_b) = (one.of_cases(x) for one, x in zip(areas, of_cells, strict=True))
        return law_of(Difference(*areas), counts, (own_a - own_b, other_a - other_b), (low - high, high - low))

    law = replace(difference([one.of_cells for one in areas]), curved=True, a=each[0], b=each[1])
    left_out = [one.curve.left_out(*one.counts) for one in areas if isinstance(one.curve, AveragePrecision)]
    return replace(law, left_out=difference(left_out)) if left_out else law


def _of_one_sample(law: FirstOrderLaw, areas: Sequence[Area], sampling: Sampling, share: float | None) -> FirstOrderLaw:
    """The law with the moments of a resample, drawn with class sizes, and a share of positives, that may vary."""
    exact, signs = sampling == "stratified" and areas[0].cases.groups is None, np.array([1.0, -1.0][: len(areas)])
    partly = [(one.curve, *one.counts) for one in areas if isinstance(one.curve, PartialAUC)]
    if partly:
        return PartialAreaLaw.of(law, *partly) if exact else _as_drawn(law, areas, sampling, share)
    found = [one.moments(one.curve, exact=exact) for one in areas if isinstance(one.curve, AveragePrecision)]
    biases, means, (variance, *_) = np.array(found).T
    if is_exact := len(areas) == 1 and not np.isnan(variance):
        law = replace(law, rest=variance - law.variance)
    law = replace(law, bias=signs @ biases, expected=np.array([signs @ means]), exact=is_exact)
    return _as_drawn(law, areas, sampling, share)


def _as_drawn(law: FirstOrderLaw, areas: Sequence[Area], sampling: Sampling, share: float | None) -> FirstOrderLaw:
    """The law if class sizes vary between resamples, or if the share of positives is estimated from another sample."""
    for name, own in (("a", areas[:1]), ("b", areas[1:]), ("left_out", areas)):
        if (one := getattr(law, name)) is not None:
            law = altered(law, **{name: _as_drawn(one, own, sampling, share)})
    if isinstance(share, SampledShare):
        return replace(law, strata=(*law.strata, _units_of_share(share, areas)), exact=False, bilinear=False)
    if sampling == "full" and areas[0].curve.of_rates:
        (positive, negative), (positives, negatives, pmf) = areas[0].cases.sizes, class_sizes(*areas[0].cases.sizes)
        # The average variance is that of the harmonic means of class sizes.
        thin = [
            min(1 / (size * float(pmf @ (1 / drawn))), 1.0)
            for size, drawn in ((negative, negatives), (positive, positives))
        ]
        return replace(law, strata=tuple(part.thinned(kept) for part, kept in zip(law.strata, thin, strict=True)))
    return law


def _units_of_share(share: SampledShare, areas: Sequence[Area]) -> Units:
    """The units of the sample that estimates the share, by average precision's derivative in the share."""

    def value(of: float) -> float:
        first, *others = (AveragePrecision(0.0, (1 - of) / of).value(*each.counts) for each in areas)
        return first - sum(others)

    k, events, step = float(share.cases), float(share.events), SHARE_STEP * min(share, 1 - share)
    slope = (value(share + step) - value(share - step)) / (2 * step)
    low, high = np.sort([(k + 1) * (value((events + one) / (k + 1)) - value(share)) for one in (0, 1)])
    x, counts = slope * np.array([[1 - share], [-share]]), np.array([events, k - events])
    return Units.of(x, counts, (np.array([low]), np.array([high])), np.array([SPREAD_ROUNDING * k]))


def areas_by_label(
    kinds: Kinds,
    estimand: Estimand,
    cases: Cases,
    columns: Sequence[str],
    average: str | None,
    *,
    sampling: str = "stratified",
) -> BootstrapResult:
    """The area by label, or the average; "stratified" draws each class to its own size, except with several labels."""
    of_classes, paired, of_auc = not cases.has_labels, len(columns) == 2, estimand.statistic == "auc"
    _check_averaged(cases, estimand.statistic, average, sampling)
    truth = cases.truth[:, None] == np.arange(len(cases.labels)) if of_classes else cases.truth
    tables, some = {name: cases.columns[name] for name in columns}, np.ones(truth.shape[1], dtype=bool)
    reasons = () if of_classes else _undefined(cases, truth, estimand.statistic, average)
    if average is None and any(reasons):  # the areas of the other labels are known
        some = np.array([not reason for reason in reasons])
        truth, tables = truth[:, some], {name: table[:, some] for name, table in tables.items()}
    design = cases.design(by_class=sampling == "stratified")

    def statistic(part: Part, name: str) -> Statistic:
        scores = part.of(tables[name])
        if estimand.multi_class == "ovo":
            return one_versus_one(part, scores, str(average))
        options = {"of_classes": of_classes, "fixed": design.by_class and cases.groups is None}
        return area_by_label(part, part.of(truth), scores, estimand.statistic, average, **options)

    models = [[statistic(part, name) for name in columns] for part in design.parts]
    law: Any = law_of_models(design, models, (0.0, 1.0), OF_RANKS if of_auc else OF_CURVES)
    law = replace(law, bilinear=of_auc and len(law.strata) > 1)
    if of_auc and of_classes and paired and average is not None and cases.rows.stand_alone and cases.folds is None:
        law = replace(law, differing=_differing(design.parts[0], Difference(*models[0]), law))
    scheme = of_scheme(cases, [*map(Difference.of, models)], () if average is not None else (-1,))
    if not some.all():
        law = PartlyDefinedLaw(law, some, reasons, (np.full(len(some), -1.0 if paired else 0.0), np.ones(len(some))))
        if (of_folds := scheme["fold_estimates"]) is not None:
            scheme["fold_estimates"] = read_only(law.scattered(of_folds, np.full((len(of_folds), len(some)), np.nan)))
    labels = read_only(np.array(cases.labels)) if average is None else None
    what = replace(
        estimand,
        difference=paired,
        average=average,
        labels=tuple(cases.labels) if of_classes else None,
        axis={} if labels is None else {"label": labels},
        folds=cases.folds is not None,
    )
    methods = methods_of_units(grouped=cases.groups is not None, paired=paired)
    estimate = frozen_numbers(law.estimate, () if labels is None else labels.shape)
    return kinds[paired](estimate, law, methods, estimand=what, labels=labels, **scheme)


def _check_averaged(cases: Cases, statistic: str, average: str | None, sampling: str) -> None:
    if cases.has_labels:
        way = " Cases with several labels are resampled as a whole; leave it out."
        check_option("sampling", sampling, ("stratified",), way)
    if average is not None:
        averages = LABEL_AVERAGES if cases.has_labels else CLASS_AVERAGES
        check_option("average", average, averages, " Or None: one value per label.")
    if cases.has_labels and cases.truth.dtype != bool and average in ("micro", "samples"):
        raise ValueError(f"average={average!r} needs y_true without missing labels: use 'macro', 'weighted' or None.")
    if average == "samples" and statistic != "auc" and (bare := int((~cases.positive.any(axis=1)).sum())):
        warn_caller(
            f"{bare} of {len(cases.positive)} rows have no label: their average precision has no value; 0 is used, as "
            "in scikit-learn.",
            UndefinedMetricWarning,
        )


def _differing(part: Part, one: Statistic, law: FirstOrderLaw) -> tuple[float, ...]:
    """How many cases per class the two models place differently: the means taken from influences are added back."""
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
    labels, found = tuple(cases.labels), []
    for place, scores in enumerate(cases.columns[column].T):
        against = {"labels": (False, True), "truth": cases.truth == place, "columns": {column: scores}}
        found.append(of(replace(cases, **against), column))
    estimand = replace(estimand, labels=labels, folds=cases.folds is not None)
    result: BootstrapResult = side_by_side(found, labels, estimand)
    return result


def _undefined(cases: Cases, truth: Booleans | Floats, kind: str, average: str | None) -> tuple[str, ...]:
    """Why the area of each label, or their average, has no value in the first fold where it has none, or else ""."""
    folds, found = cases.design().parts, []
    each = [without_area(truth[part.rows], kind, average, list(cases.labels)) for part in folds]
    for of_folds in zip(*each, strict=True):
        place = next((place for place, reason in enumerate(of_folds) if reason), 0)
        where = f", in fold number {place + 1} in order of appearance" if len(folds) > 1 else ""
        found.append(of_folds[place] + where * bool(of_folds[place]))
    if all(found):
        by_label = average in ("macro", "weighted")
        micro = ", or 'micro'" * (truth.dtype == bool)
        way = f" Use average=None, which gives one value per label{micro}." if by_label else ""
        needed, name = NEEDED[kind]
        raise ValueError(f"y_true must contain {needed} to rank: the {name} has no value where {found[0]}.{way}")
    return tuple(found)


@dataclass(frozen=True, repr=False, eq=False)
class RiskCoverage:
    """The AURC of a part's cases, as a ``Statistic``; whether answers are wrong, and how confident, of all cases."""

    part: Part
    wrong: Floats
    confidence: Floats
    rounding: float = SPREAD_ROUNDING

    @cached_property
    def levels(self) -> tuple[Floats, NDArray[Any], Floats, Floats]:
        """The e and the level of each row, the most confident first, and the w and E of each level."""
        e, (_, level) = self.part.of(self.wrong), np.unique(-self.part.of(self.confidence), return_inverse=True)
        w, E = (np.bincount(level, each).astype(np.float64) for each in (self.part.weights, self.part.weights * e))
        return e, level, w, E

    @property
    def value(self) -> Floats:
        return self.with_additional(np.zeros(1), 1)

    @property
    def influences(self) -> Floats:
        e, level, w, E = self.levels
        found = e * _from(np.ones_like(w), w)[level] - _from(E / w, w)[level]
        return np.asarray((found - self.part.weights @ found / w.sum())[:, None] / w.sum())

    def with_additional(self, made: Floats, side: int) -> Floats:
        """The additional cases are the most confident of all: all wrong for the upper limit, right for the lower."""
        *_, w, E = self.levels
        if more := float(made.sum()):
            w, E = np.append(more, w), np.append(more * (side > 0), E)
        return np.array([E @ _from(np.ones_like(w), w) / w.sum()])


def _from(share: Floats, w: Floats) -> Floats:
    """share_g q_g + sum_(g' > g) share_g' D_g', which is h where all shares are 1."""
    N = np.cumsum(w)
    D = np.diff(digamma(np.append(0.0, N) + 1))
    return np.asarray(share * (1 - N * D / w) + np.cumsum((share * D)[::-1])[::-1])


@continuous_in_weights
def risk_coverage_of(cases: Cases, *columns: str) -> BootstrapResult:
    """The AURC of a column of confidences, the positive cases being right, or that of the first minus the second."""
    paired, design, wrong = len(columns) == 2, Design(cases.rows), (~cases.positive).astype(np.float64)
    models = [[RiskCoverage(part, wrong, cases.columns[name]) for name in columns] for part in design.parts]
    law = law_of_models(design, models, (0.0, 1.0), OF_CURVES)
    methods = methods_of_units(grouped=cases.groups is not None, paired=True, worst_first=not paired)
    estimand = Estimand("aurc", paired, positive=cases.labels[1], folds=cases.folds is not None)
    scheme = of_scheme(cases, [*map(Difference.of, models)])
    kind = RiskCoverageDifferenceResult if paired else RiskCoverageResult
    return kind(float(law.estimate[0]), law, methods, estimand=estimand, **scheme)
