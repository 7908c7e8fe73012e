"""Means of a number per case, and ratios of two such means: mean losses, pass rates; O/E, skill scores, error rates.

Limits of a ratio x of two means come from the mean of ``numerator - x * denominator``. In a difference of ratios the
influence of a case is (n_a - R_a d_a) / sum d_a - (n_b - R_b d_b) / sum d_b with R = sum n / sum d, so that what the
models share cancels. The least favourable additional case is extreme for both models at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from skcostci._arrays import Floats, Integers
from skcostci._described import described
from skcostci._frozen import read_only
from skcostci._options import WeightType, explains_calls
from skcostci._validation._arguments import LARGEST_COST, RANGE_END, SMALLEST_COST
from skcostci._validation._proxy_rows import ProxyRows, check_proxies
from skcostci._validation._rows import GivenRows, Rows, SampleOptions, check_row_order
from skcostci.cases._cases import Cases
from skcostci.cases._design import Design
from skcostci.laws._rounding import SPREAD_ROUNDING, rounding_of, settled, without_rounding
from skcostci.laws.exact._means_and_ratios import NOTHING_KNOWN, About, Draw, Ends, Extremes, mean_law, ratio_law
from skcostci.laws.influence._first_order import OF_COUNTS, FirstOrderLaw
from skcostci.laws.influence._weighted import weighted_rows
from skcostci.results._estimand import Estimand
from skcostci.results._results import DifferenceResult, ExactResult, ResultT
from skcostci.statistics._proxies import mean_by_proxy
from skcostci.statistics._units import ClassMeans, Difference, Ratio, law_of_terms, methods_of_units, of_scheme
from skcostci.statistics._weight_types import continuous_in_weights, weighed

Given = tuple[float | None, float | None]  # the ends that the user gave
Columns = Mapping[str, ArrayLike]
UNKNOWN = (-np.inf, np.inf)
SHARE = (0.0, 1.0)
# Numerators and denominators of one model or of two, the extreme pairs of the two, the ends of the ratio (infinite if
# unknown), and whether the range of both numbers is known, so that the least favourable additional case is.
CheckedRatios = tuple[Rows, list[tuple[Floats, Floats]], Extremes, Ends, bool]
RatioRange = Ends | tuple[Ends | None, Ends | None]  # of the ratio, or of numerators and of denominators


@dataclass(frozen=True, repr=False, eq=False)
class MeanResult(ExactResult[float]):
    """The mean of a number that each case has, such as its loss, with the bootstrap distribution of that mean.

    Returned by :func:`bootstrap_mean` and :func:`bootstrap_loss`; with folds the mean of the folds' means. In addition
    to what every :class:`BootstrapResult` has:

    Parameters
    ----------
    quantity : str
        What is averaged: "mean" for given values, or the name of a loss.
    """

    quantity: str


@dataclass(frozen=True, repr=False, eq=False)
class MeanDifferenceResult(DifferenceResult[float]):
    """The mean difference, a - b, of a number that each case has under two models.

    Returned by :func:`bootstrap_mean_difference` and :func:`bootstrap_loss_difference`; with folds the mean of the
    folds' means. In addition to what every :class:`BootstrapResult` has:

    Parameters
    ----------
    quantity : str
        What is averaged: "mean" for given values, or the name of a loss.
    """

    quantity: str


@explains_calls
@described(SampleOptions)
def bootstrap_mean(
    values: ArrayLike,
    *,
    least: float | None = None,
    most: float | None = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    groups: ArrayLike | None = None,
    crossed: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    proxy: ArrayLike | None = None,
    checked: ArrayLike | None = None,
) -> MeanResult:
    """The mean of a number per case, with a confidence interval that allows for one additional, extreme case.

    >>> from skcostci import bootstrap_mean
    >>> bootstrap_mean([0.8, 1.1, 0.9, 3.2, 1.0, 0.7, 1.4, 0.9], least=0, most=10)
    MeanResult(mean, estimate=1.25, standard_error=0.2698, 95 % interval 0.6345 to 4.501 by unseen_case)

    For pass rates, costs that differ from case to case, pass@k, any score per case.

    Parameters
    ----------
    values : array-like of shape (n_samples,)
        A finite number per case.
    least, most : float, default=None
        The least and the most that a value can be in the population. None: not known, except that values that are all 0
        or 1 are taken for a rate, whatever their type; where others are possible pass ``most``.

    Returns
    -------
    MeanResult
        With ``crossed`` also ``by_level`` and ``variance_parts``, with ``proxy`` ``proxy_weight`` and
        ``checked_alone``. The interval methods:

        - "unseen_case" (default where both ends are known, without ``groups``): allows for one additional case, at
          ``most`` for the upper limit and at ``least`` for the lower one.
        - "extrapolated" (default elsewhere): allows for one additional value, or group, as extreme as those in the
          sample suggest. Where an end is not known it allows for skewness too, and is never narrower than Student's t.
          **Not to be trusted** with few, very skewed values, where the limit on the long side is too near (give
          ``most``; without ends no interval covers always), nor where some groups fail as a whole and the sample may
          contain none: if a share q does, ``(1 - q)^groups`` of samples contain none.
        - "unseen_group" (only with ``groups`` and both ends): allows for such groups; up to twice as wide.
        - "percentile" (not with groups): bootstrap quantiles; "wald": a Gaussian with its mean and variance. Not to
          be trusted where a few cases make up most of the mean.

        Coverage is in :doc:`/user_guide/interval_methods`, the formulas in :doc:`/theory/means_and_metrics`.

    See Also
    --------
    bootstrap_mean_difference : Two models on the same cases.

    Notes
    -----
    **"unseen_case"** gives the cases random (Dirichlet) weights, and among them is one additional case (Gaffke). Of
    values 0 and 1 the limits are Clopper and Pearson's.

    With ``crossed`` the estimate is the mean over levels (judges, seeds, readers). One additional group is allowed for,
    **and no additional level**: where one judge in five is harsh, a sample of five judges often contains no harsh one.
    If the levels are fixed rather than a random sample, leave ``crossed`` out.

    With ``proxy`` the estimate is the mean of the checked rows, plus a multiple of the difference of the proxy's means
    in the other rows and in the checked ones, whatever the proxy's errors. From 40 checked rows on coverage is nominal.

    References
    ----------
    N. Gaffke, Mathematical Methods of Statistics 14(4), 2005.
    """
    sample: GivenRows = {"sample_weight": sample_weight, "weight_type": weight_type, "groups": groups, "folds": folds}
    sample["crossed"] = crossed
    proxies = None if proxy is None else {"proxy": proxy}
    result: MeanResult = _mean_of({"values": values}, (least, most), proxies, checked, sample)
    return result


@explains_calls
@described(SampleOptions)
def bootstrap_mean_difference(
    values_a: ArrayLike,
    values_b: ArrayLike,
    *,
    least: float | None = None,
    most: float | None = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    groups: ArrayLike | None = None,
    crossed: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    proxy: tuple[ArrayLike, ArrayLike] | None = None,
    checked: ArrayLike | None = None,
) -> MeanDifferenceResult:
    """The mean difference, a - b, of a number that each case has under two models, with its interval and p-value.

    >>> from skcostci import bootstrap_mean_difference
    >>> passed_a, passed_b = [1, 1, 1, 1, 0, 1, 1, 1, 1, 1], [0, 1, 0, 1, 0, 1, 1, 0, 0, 1]
    >>> bootstrap_mean_difference(passed_a, passed_b, least=0, most=1)
    MeanDifferenceResult(mean difference, estimate=0.4, standard_error=0.1549, 95 % interval -0.09131 to 0.7376 by
    unseen_case, p=0.14)

    Parameters
    ----------
    values_a, values_b : array-like of shape (n_samples,)
        A finite number per case, for each of the two models.
    least, most : float, default=None
        The least and the most that a value of either can be, so that differences lie within ``most - least`` of 0.
        None: not known, except that they are 0 and 1 where all values of both are 0 or 1.
    proxy : tuple of two array-likes of shape (n_samples,), default=None
        What stands in for ``values_a`` and for ``values_b`` in every row, such as a judge's scores. A row with a
        missing value under either model is not checked. Not with ``sample_weight``, ``folds`` or ``crossed``.

    Returns
    -------
    MeanDifferenceResult
        The interval methods:

        - "extrapolated" (default, except for values 0 and 1 without ``groups``): allows for one additional case, or
          group, as extreme as the differences in the sample suggest. It sharpens as the models resemble each other.
          **Not to be trusted** where one model fails badly on rare cases, or groups, of which the sample may contain
          none: if a share q fails, ``(1 - q)^n`` of samples of n do not show it.
        - "unseen_case" (with both ends known, without ``groups``; default for values 0 and 1): allows for such cases:
          one additional case with the largest difference possible.
        - "unseen_group" (only with ``groups`` and both ends known): allows for groups that one model alone fails as a
          whole; up to three times as wide.
        - "percentile" (not with groups): bootstrap quantiles; "wald": a Gaussian. Not to be trusted where a few cases
          make up most of the difference.

        Coverage is in :doc:`/user_guide/interval_methods`, the formulas in :doc:`/theory/means_and_metrics`.

    See Also
    --------
    bootstrap_mean : One model.
    bootstrap_loss_difference : The difference of two losses, from labels and predictions.
    """
    columns = {"values_a": values_a, "values_b": values_b}
    sample: GivenRows = {"sample_weight": sample_weight, "weight_type": weight_type, "groups": groups, "folds": folds}
    sample["crossed"] = crossed
    pair: object = proxy
    if pair is not None and (not isinstance(pair, tuple) or len(pair) != 2):
        raise ValueError("proxy must be a pair, (proxy_a, proxy_b): the proxy of values_a and the proxy of values_b.")
    proxies = None if proxy is None else {"proxy_a": proxy[0], "proxy_b": proxy[1]}
    result: MeanDifferenceResult = _mean_of(columns, (least, most), proxies, checked, sample)
    return result


def _mean_of(
    columns: Columns, given: Given, proxies: Columns | None, checked: ArrayLike | None, sample: GivenRows
) -> Any:
    """The mean, with a proxy's values in rows that were not checked."""
    if proxies is None and checked is not None:
        raise ValueError("checked= needs proxy=, the values to use in rows that were not checked.")
    groups = sample.get("groups")
    layout = None if proxies is None else check_proxies(columns, proxies, checked, groups, sample)
    if proxies is None or layout is None:
        return mean_result(_checked_values(columns, given, sample), sample, "mean", "mean")
    check_row_order({**columns, **proxies, "groups": groups})
    looked = {name: layout.of_checked(column) for name, column in columns.items()}
    alone = _mean_of(looked, given, None, None, {"groups": layout.of_checked(groups)})
    pairs = zip(columns.items(), proxies.values(), strict=True)
    merged = {name: layout.merged(name, column, proxy) for (name, column), proxy in pairs}
    values = _checked_values(merged, given, {"groups": layout.laid_out(groups)})
    values = values.where_shares(values.models[:, layout.rows[0]])  # a proxy's may be probabilities
    _check_scale(values, layout, list(proxies))
    return result_by_proxy(alone, values, layout)


def mean_of(cases: Cases, *columns: str, least: float | None = None, most: float | None = None) -> Any:
    values = {column: cases.columns[column] for column in columns}
    return _mean_of(values, (least, most), None, None, cases.rows.options)


def _check_scale(values: CaseValues, proxies: ProxyRows, names: Sequence[str]) -> None:
    """Raise unless a proxy is on the scale of the values: within the ends given, or those of the checked values."""
    checked, judged, others = proxies.rows
    seen = ends_of(values.models[:, checked]) if values.bounds == UNKNOWN else values.bounds
    low, high = values.within(seen)
    for name, column in zip(names, values.models, strict=True):
        stand_in = column[np.concatenate([judged, others])]
        wrong = (stand_in < low) | (stand_in > high)
        if wrong.any():
            raise ValueError(
                f"{name} must lie between the smallest and the largest of the values, {low:g} and {high:g}, got "
                f"{stand_in[wrong][0]:g}. Rescale it, for example by (score - 1) / 4 for scores from 1 to 5 and "
                "values from 0 to 1, or pass least and most."
            )


def _checked_values(columns: Columns, given: Given, sample: GivenRows) -> CaseValues:
    ends = check_range(*given)
    cases = Cases.check_numbers(None, columns, **sample)
    rows, models = cases.rows, np.array([*cases.columns.values()])
    for name, each in cases.columns.items():
        check_sizes(name, each)
        check_within(name, each, rows, ends)
    seen, differences = ends_of(models), ends_of(models[0] - models[-1])
    found = CaseValues(rows, models, None, [seen], [differences], UNKNOWN, rounding_of(models), ends)
    return found.where_shares(models)


class CaseValues(NamedTuple):
    """A number per case for one model or two, its ends by class, and its possible range.

    ``models`` has a row per model. ``seen`` are the ends of a value and ``differences`` those of a difference between
    the two models, one pair per class, or a single one if there are no classes (``truth`` None). Values, or
    differences, count as equal if they differ by no more than ``rounding``.
    """

    rows: Rows
    models: Floats
    truth: Integers | None
    seen: list[Ends]
    differences: list[Ends]
    bounds: Ends
    rounding: float
    given: Given = (None, None)

    def within(self, seen: Ends) -> Ends:
        """The ends that the user gave, or else those ``seen``."""
        low, high = self.given
        return seen[0] if low is None else low, seen[1] if high is None else high

    def where_shares(self, every: Floats) -> CaseValues:
        """The same; if ``every`` entry is 0 or 1, values are shares, and any case may be 0 or 1 under either model."""
        if not are_shares(every):
            return self
        n = len(self.seen)
        return self._replace(seen=[SHARE] * n, differences=[(-1.0, 1.0)] * n, bounds=SHARE)

    def between(self) -> tuple[Floats, list[Ends], Ends]:
        """The values, or a's minus b's, the ends of each class, and those of the mean."""
        each, ends, (low, high) = self.models[0], [*map(self.within, self.seen)], self.within(self.bounds)
        if len(self.models) == 1:
            return each, ends, (low, high)
        least, most = min(pair[0] for pair in ends), max(pair[1] for pair in ends)
        of_labels = self.truth is not None and self.given == (None, None)
        ends = self.differences if of_labels else [(least - most, most - least)] * len(self.differences)
        return each - self.models[1], ends, (low - high, high - low)

    def about(self, bounds: Ends, quantity: str) -> About:
        """What is known of the mean; with labels its ends are, by the losses of predictions seen under every label."""
        known, shares = self.truth is not None or bool(np.isfinite(bounds).all()), are_shares(self.models)
        worst_first = quantity == "log_loss" or (shares and bounds == (-1.0, 1.0))
        if self.truth is None or shares:
            return About(len(self.models) == 2, known, worst_first=worst_first)
        classes = np.bincount(self.truth, self.rows.weights)
        return About(len(self.models) == 2, known, float(classes.sum() - classes.max()), worst_first)


def result_by_proxy(alone: ResultT, values: CaseValues, proxies: ProxyRows) -> ResultT:
    """The mean of checked values, with a proxy's for the others; ``alone`` is the result of the checked values."""
    each, ends, bounds = values.between()
    whole = min(low for low, _ in ends), max(high for _, high in ends)
    low, high = (b if np.isfinite(b) else end for b, end in zip(bounds, whole, strict=True))
    return mean_by_proxy(alone, each, values.rows, proxies, (low, high), values.rounding)


def mean_result(
    values: CaseValues,
    sample: GivenRows,
    statistic: str,
    quantity: str,
    strata: Integers | None = None,
    metric: object = None,
    axis: object = (),
) -> Any:
    paired, (each, ends, bounds) = len(values.models) == 2, values.between()
    rows, kind = values.rows, MeanDifferenceResult if paired else MeanResult
    folds, crossed = rows.folds is not None, rows.levels is not None
    estimand = Estimand(statistic, paired, metric=metric, axis=axis, folds=folds, crossed=crossed)
    about = values.about(bounds, quantity)
    mean, law, methods = law_of_means(each, rows, ends, bounds, values.rounding, strata, about)
    found = kind(mean, law, methods, quantity=quantity, estimand=estimand, **scheme_of(each, rows))
    return weighed(found, sample, kind)


def ends_of(values: Floats) -> Ends:
    return float(values.min()), float(values.max())


def are_shares(values: Floats) -> bool:
    return bool(((values == 0) | (values == 1)).all())


def check_range(least: object, most: object) -> Given:
    low = None if least is None else RANGE_END("least", least)
    high = None if most is None else RANGE_END("most", most)
    if low is not None and high is not None and not low < high:
        raise ValueError(f"least must be below most, got least={least!r} and most={most!r}.")
    return low, high


def check_within(name: str, values: Floats, rows: Rows, given: Given) -> None:
    for bound, end, side in zip(("least", "most"), given, (-1, 1), strict=True):
        if end is not None and (outside := side * values > side * end).any():
            first = int(np.argmax(outside))
            raise ValueError(
                f"{name} must lie between least and most, got {values[first]:g} at position {rows.place(first)}, "
                f"beyond {bound}={end:g}."
            )


def check_sizes(name: str, values: Floats) -> None:
    """Raise unless the third power of the largest number can be computed, as for costs."""
    size = float(np.abs(values).max())
    if size and not SMALLEST_COST <= size <= LARGEST_COST:
        raise ValueError(
            f"{name} must be all 0, or have a largest absolute value from {SMALLEST_COST:g} to "
            f"{LARGEST_COST:g}, got {size:g}."
        )


@continuous_in_weights
def law_of_means(
    values: Floats,
    rows: Rows,
    ends: Sequence[Ends],
    bounds: Ends,
    rounding: float,
    strata: Integers | None = None,
    about: About = NOTHING_KNOWN,
) -> tuple[float, Any, tuple[str, ...]]:
    """The estimate, the law and the interval methods; ``ends`` has a pair for each stratum (class), or one for all."""
    values, whole = settled(values, rounding), (min(low for low, _ in ends), max(high for _, high in ends))
    grouped, in_folds = rows.groups is not None, rows.folds is not None
    by_units = grouped or (in_folds and rows.is_weighted)
    bounded = bool(np.isfinite(bounds).all()) if by_units else about.has_ends
    methods = methods_of_units(grouped=grouped, bounded=bounded, paired=about.paired, worst_first=about.worst_first)
    if by_units:
        units = _law_by_units(Draw.of(values, rows.weights, whole, rounding, bounds), rows, bounds, paired=about.paired)
        return float(units.estimate[0]), units, methods
    if strata is not None:
        parts = [(strata == place, ends[place]) for place in np.unique(strata).tolist()]
    else:
        folds = rows.folds if rows.folds is not None else np.zeros(len(values), dtype=np.int64)
        parts = [(folds == k, whole) for k in range(int(folds.max()) + 1)]
    draws = [Draw.of(values[some], rows.weights[some], pair, rounding, bounds) for some, pair in parts]
    law = mean_law(draws, bounds, by_fold=in_folds, about=about)
    mean = float(law.mean[0])
    if rows.is_weighted:
        influence = without_rounding(values - mean, SPREAD_ROUNDING * float(np.abs(values).max()))
        influence = influence / rows.weights.sum()
        return mean, weighted_rows(law, influence, rows.weights, about.most_informative), methods
    return mean, law, (*methods[:-1], "percentile", "wald")


def _law_by_units(draw: Draw, rows: Rows, bounds: Ends, *, paired: bool) -> FirstOrderLaw:
    """The mean of all, folds or levels where groups or cases of unequal weight are drawn; any may be at either end.

    Where the range has no end that of a difference is taken from the values seen, and that of a single mean is NaN.
    """
    low, high = (end if paired or np.isfinite(bound) else np.nan for end, bound in zip(draw.ends, bounds, strict=True))
    support = bounds if np.isfinite(bounds).all() else (float(draw.values[0]),) * 2  # finite, so that ends are computed
    rows, (values,) = by_group(rows, draw.values)
    design = Design(rows, levels=rows.levels)
    each = [ClassMeans.of_all(part, values[part.rows][:, None], low, high) for part in design.parts]
    return replace(law_of_terms(design, each, support, OF_COUNTS, paired=paired), ends=bounds)


def by_group(rows: Rows, *columns: Floats) -> tuple[Rows, list[Floats]]:
    """A row per group, with the means of its cases, which is all that limits need where rows count cases."""
    if rows.groups is None or rows.has_importance or not (rows.folds is None and rows.levels is None):
        return rows, list(columns)
    sizes = np.bincount(rows.groups, rows.weights)
    means = [np.bincount(rows.groups, rows.weights * each) / sizes for each in columns]
    return Rows(sizes.astype(np.int64), np.arange(len(sizes))), means


def scheme_of(above: Floats, rows: Rows, below: Floats | float = 1.0) -> dict[str, Any]:
    found: dict[str, Any] = {"n_groups": rows.n_groups or None}
    if rows.levels is not None:
        found["levels"] = rows.levels.names
    if rows.folds is not None:
        sums, sizes = np.bincount(rows.folds, rows.weights * above), np.bincount(rows.folds, rows.weights * below)
        found["fold_estimates"] = read_only(np.asarray(sums / sizes))
    return found


@dataclass(frozen=True, repr=False, eq=False)
class RatioResult(ExactResult[float]):
    """The ratio of the means of two numbers that each case has, with the bootstrap distribution of that ratio.

    Returned by :func:`bootstrap_ratio`. It has what every :class:`BootstrapResult` has.
    """


@dataclass(frozen=True, repr=False, eq=False)
class RatioDifferenceResult(DifferenceResult[float]):
    """The ratio of two means under model a minus that under model b, with its bootstrap distribution.

    Returned by :func:`bootstrap_ratio_difference`. It has what every :class:`BootstrapResult` has.
    """


@explains_calls
@described(SampleOptions)
def bootstrap_ratio(
    numerator: ArrayLike,
    denominator: ArrayLike,
    *,
    range: RatioRange | None = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
) -> RatioResult:
    """The ratio of two means over the same cases, with an interval that allows for one additional, extreme case.

    >>> from skcostci import bootstrap_ratio
    >>> observed, expected = [1, 0, 1, 0, 0, 1, 0, 1], [0.8, 0.3, 0.6, 0.2, 0.4, 0.7, 0.1, 0.5]
    >>> bootstrap_ratio(observed, expected)
    RatioResult(ratio, estimate=1.111, standard_error=0.2592, 95 % interval 0.4852 to 1.737 by extrapolated)

    For observed to expected events (labels over probabilities), skill scores (1 minus the ratio of a model's loss to
    that of a reference), cost per success. No resample is drawn.

    Parameters
    ----------
    numerator : array-like of shape (n_samples,)
        A finite number per case.
    denominator : array-like of shape (n_samples,)
        A finite number per case, none negative, one of them positive.
    range : (float, float) or pair of (float, float) or None, default=None
        Two numbers are the least and the most that the numerator of a case over its denominator can be, and so the
        ratio: (0, 1) for the F1 of a corpus, where twice the matches are at most the number found plus the number to be
        found. Two pairs, ``((0, 1), (0.1, 2))``, are the least and the most that numerators, and that denominators, can
        be; either may be None. What is not given is not known, except that values that are all 0 or 1 have (0, 1),
        whatever their type (denominators of 1 throughout only where the numerator's range is known).

    Returns
    -------
    RatioResult
        With folds the distribution is known by its moments, to first order. The interval methods:

        - "unseen_case" (default where ``range`` bounds the ratio or both of its parts, with ``folds`` only
          where they bound the ratio; not with ``groups``): allows for one additional case, for the upper limit one with
          the greatest numerator and the least denominator possible, for the lower limit the opposite. Wide where a
          denominator may be close to 0.
        - "extrapolated" (default elsewhere): allows for one additional case, or group, as extreme as those in the
          sample suggest; where ranges are not known never narrower than Student's t. Not to be trusted with few, very
          skewed values (give ranges), nor where groups may be of a kind of which the sample contains none.
        - "unseen_group" (only with ``groups`` and known ranges): allows for such groups.
        - "percentile" (not with groups): bootstrap quantiles; "wald": a Gaussian with its moments. Not to be trusted
          with few cases, nor where the denominator is near 0.

    See Also
    --------
    bootstrap_mean : A single mean.

    Notes
    -----
    At the true ratio x the mean of ``numerator - x * denominator`` is 0, so the limits are the x at which the limits of
    this mean are 0. :doc:`/theory/means_and_metrics` has the rest.
    """
    columns = {"numerator": numerator, "denominator": denominator}
    sample: GivenRows = {"sample_weight": sample_weight, "weight_type": weight_type, "groups": groups, "folds": folds}
    rows, ((above, below),), extremes, bounds, has_ends = check_ratios(columns, range, sample)
    ratio = ratio_of(above, below, rows, extremes, bounds, Estimand("ratio"), has_ends=has_ends)
    return weighed(ratio, sample, RatioResult)


@explains_calls
@described(SampleOptions)
def bootstrap_ratio_difference(
    numerator_a: ArrayLike,
    denominator_a: ArrayLike,
    numerator_b: ArrayLike,
    denominator_b: ArrayLike,
    *,
    range: RatioRange | None = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
) -> RatioDifferenceResult:
    """The difference, a - b, of two ratios of means on the same cases, with its interval and p-value.

    >>> from skcostci import bootstrap_ratio_difference
    >>> words = [12, 8, 20, 15, 9, 11]
    >>> bootstrap_ratio_difference([1, 0, 4, 2, 1, 0], words, [2, 1, 4, 3, 1, 2], words)
    RatioDifferenceResult(ratio difference, estimate=-0.06667, standard_error=0.02667, 95 % interval -0.144 to 0.01526
    by extrapolated, p=0.093)

    For word error rates of two recognizers, the F1 of a corpus, or observed over expected events of two models.

    Parameters
    ----------
    numerator_a, denominator_a : array-like of shape (n_samples,)
        Two finite numbers per case under model a; no denominator is negative, and one is positive.
    numerator_b, denominator_b : array-like of shape (n_samples,)
        The same under model b; the denominators are often the same column.
    range : (float, float) or pair of (float, float) or None, default=None
        The least and the most that a numerator over its own denominator can be, and so either ratio; or two pairs,
        ``((0, 1), (0.1, 2))``, for the numerators and the denominators of either model. What is not given is (0, 1)
        where all values are 0 or 1, and else the least and the most in the sample.

    Returns
    -------
    RatioDifferenceResult
        Standard errors are of first order. The interval methods:

        - "unseen_case" (default where the ranges bound both ratios, without ``groups``): allows for one additional case
          with the extreme values of both models.
        - "extrapolated" (default elsewhere): allows for one additional case, or group, as extreme as those in the
          sample suggest. Not to be trusted where rare, far larger values are possible: give ``range`` if known.
        - "unseen_group" (only with ``groups`` and such ranges): allows for groups of a kind that the sample lacks.
        - "wald": a Gaussian. Not to be trusted with few cases or groups.

    See Also
    --------
    bootstrap_ratio : One model.
    """
    columns = {"numerator_a": numerator_a, "denominator_a": denominator_a}
    columns |= {"numerator_b": numerator_b, "denominator_b": denominator_b}
    sample: GivenRows = {"sample_weight": sample_weight, "weight_type": weight_type, "groups": groups, "folds": folds}
    rows, models, extremes, (low, high), _ = check_ratios(columns, range, sample)
    design = Design(rows)
    each = [
        Difference(*(Ratio(part, above[part.rows], below[part.rows], extremes) for above, below in models))
        for part in design.parts
    ]
    for name, (_, below) in zip("ab", models, strict=True):
        if any(not below[part.rows].any() for part in design.parts):
            raise ValueError(f"denominator_{name} must not be all 0 in a fold.")
    law: Any = law_of_terms(design, each, (low - high, high - low), OF_COUNTS, paired=True)
    methods = methods_of_units(grouped=rows.groups is not None, bounded=bool(np.isfinite((low, high)).all()))
    estimand, scheme = Estimand("ratio", True, folds=rows.folds is not None), of_scheme(rows, each)
    found = RatioDifferenceResult(float(law.estimate[0]), law, methods, estimand=estimand, **scheme)
    return weighed(found, sample, RatioDifferenceResult)


def check_ratios(given: Mapping[str, ArrayLike], range: Any, sample: GivenRows) -> CheckedRatios:
    """The numerator and the denominator of each model in turn, by parameter name."""
    cases = Cases.check_numbers(None, given, **sample)
    rows, kept = cases.rows, cases.columns
    for name, values in kept.items():
        check_sizes(name, values)
    above, below = ({name: kept[name] for name in names} for names in ([*kept][::2], [*kept][1::2]))
    is_pair = isinstance(range, tuple | list) and len(range) == 2
    of_parts = is_pair and all(each is None or np.ndim(each) for each in range)
    of_ratio, (of_above, of_below) = (None, range) if of_parts else (range, (None, None))
    if of_above is None and all(map(are_shares, above.values())):
        of_above = SHARE
    if of_below is None and of_above is not None and all(map(are_shares, below.values())):
        of_below = SHARE  # of 1 throughout only beside numerators that are bounded: it counts cases
    above_ends, below_ends = _ends("numerator", above, rows, of_above), _ends("denominator", below, rows, of_below)
    for name, values in below.items():
        if values.min() < 0 or not values.any():
            first = rows.place(int(np.argmin(values)))
            raise ValueError(f"{name} must be non-negative and not all 0, got {values.min():g} at position {first}.")
    if below_ends[0] < 0:
        raise ValueError(f"range must not contain negative numbers for denominators, got {range!r}.")
    models = list(zip(above.values(), below.values(), strict=True))
    extremes = tuple((n, d) for n in above_ends for d in below_ends)
    bounds = _bounds(of_above, of_below)
    known = of_above is not None and (of_below is not None or below_ends[0] == below_ends[1])
    if of_ratio is None:
        return rows, models, extremes, bounds, known
    low, high = _check_ratio_range(of_ratio, above, models, rows)
    within = max(bounds[0], low), min(bounds[1], high)
    return rows, models, _extreme_pairs(above_ends, below_ends, (low, high)), within, known


def _check_ratio_range(given: Any, names: Iterable[str], models: Sequence[tuple[Floats, Floats]], rows: Rows) -> Ends:
    """The ends of a ratio; raise unless every numerator over its denominator is between them, up to rounding."""
    low, high = _pair(given, "be None or a pair of numbers")
    if not low < high:
        raise ValueError(f"range must be a pair (smallest, largest) of ratios with smallest < largest, got {given!r}.")
    for (above, below), name in zip(models, names, strict=True):
        rounding = rounding_of(above, high * below, low * below)
        outside = (above > high * below + rounding) | (above < low * below - rounding)
        if outside.any():
            first = int(np.argmax(outside))
            raise ValueError(
                f"{name} must lie within range={given!r} times its denominator, got {above[first]:g} over "
                f"{below[first]:g} at position {rows.place(first)}."
            )
    return low, high


def _extreme_pairs(above: Ends, below: Ends, ratio: Ends) -> Extremes:
    """The corners of the region of numerators and denominators whose ratio is within given ends."""
    corners = [(n, d) for n in above for d in below]
    along = [(end * d, d) for end in ratio for d in below]
    across = [(n, n / end) for end in ratio for n in above if end]
    rounding = rounding_of(np.array(above), np.array(ratio) * below[1])
    found = [
        (n, d)
        for n, d in [*corners, *along, *across]
        if above[0] - rounding <= n <= above[1] + rounding
        and below[0] * (1 - 1e-12) <= d <= below[1] * (1 + 1e-12)
        and ratio[0] * d - rounding <= n <= ratio[1] * d + rounding
    ]
    return tuple(dict.fromkeys(found))


@continuous_in_weights
def ratio_of(
    numerator: Floats,
    denominator: Floats,
    rows: Rows,
    extremes: Extremes,
    bounds: Ends,
    estimand: Estimand,
    names: tuple[str, str] = ("numerator", "denominator"),
    *,
    has_ends: bool = False,
) -> RatioResult:
    with np.errstate(over="ignore"):
        ratio = float((rows.weights @ numerator) / (rows.weights @ denominator))
    if ratio and not SMALLEST_COST <= abs(ratio) <= LARGEST_COST:
        raise ValueError(
            f"{' and '.join(names)} must have a ratio that is 0, or whose absolute value is from "
            f"{SMALLEST_COST:g} to {LARGEST_COST:g}, got {ratio:g}."
        )
    scheme, known = scheme_of(numerator, rows, denominator), has_ends or bool(np.isfinite(bounds).all())
    if not (rows.groups is None and rows.folds is None):
        found, methods = _ratio_by_units(numerator, denominator, rows, extremes, bounds, known=known)
        of_folds = replace(estimand, folds=rows.folds is not None)
        return RatioResult(float(found.estimate[0]), found, methods, estimand=of_folds, **scheme)
    law = ratio_law(numerator, denominator, rows.weights, extremes, bounds)
    methods = "unseen_case" if known else "extrapolated", "percentile", "wald"
    if rows.is_weighted:
        rounding = SPREAD_ROUNDING * max(float(np.abs(each).max()) for each in (numerator, ratio * denominator))
        off = without_rounding(numerator - ratio * denominator, rounding)
        of_weights: Any = weighted_rows(law, off / float(rows.weights @ denominator), rows.weights)
        return RatioResult(ratio, of_weights, (methods[0], methods[-1]), estimand=estimand)
    return RatioResult(float(law.estimate[0]), law, methods, estimand=estimand)


def _ratio_by_units(
    numerator: Floats, denominator: Floats, rows: Rows, extremes: Extremes, bounds: Ends, *, known: bool
) -> tuple[Any, tuple[str, ...]]:
    """The law of a ratio, or of the mean of the folds' ratios, where cases or groups are drawn, and the methods."""
    rows, (numerator, denominator) = by_group(rows, numerator, denominator)
    design = Design(rows)
    each = [Ratio(part, numerator[part.rows], denominator[part.rows], extremes) for part in design.parts]
    for place, one in enumerate(each, 1):
        if one.sums[1] == 0:
            raise ValueError(
                f"denominator must not be all 0 in a fold; it is in fold number {place}, in order of appearance."
            )
    law = law_of_terms(design, each, bounds, OF_COUNTS)
    bounded = bool(np.isfinite(bounds).all())
    if rows.folds is None and known:
        law, bounded = replace(law, mean_at=partial(_law_of_excess, design, numerator, denominator, extremes)), True
    return law, methods_of_units(grouped=rows.groups is not None, bounded=bounded)


def _law_of_excess(design: Design, n: Floats, d: Floats, extremes: Extremes, x: float) -> FirstOrderLaw:
    """The law of the mean of n - x d."""
    ends = ends_of(np.array([above - x * below for above, below in extremes]))
    mean = ClassMeans.of_all(design.parts[0], (n - x * d)[:, None], *ends)
    return law_of_terms(design, [mean], ends, OF_COUNTS)


def _ends(kind: str, columns: Mapping[str, Floats], rows: Rows, given: object) -> Ends:
    """The least and the greatest value ``given`` as possible, or else those of the sample."""
    if given is None:
        return ends_of(np.array([*columns.values()]))
    least, most = _pair(given, f"have None or a pair of numbers for {kind}s")
    for name, values in columns.items():
        outside = (values < least) | (values > most)
        if least > most or outside.any():
            first = int(np.argmax(outside))
            where = f"{values[first]:g} at position {rows.place(first)}" if outside.any() else "no values"
            raise ValueError(f"{name} must lie in the range of {kind}s, {given!r}, got {where}.")
    return least, most


def _pair(given: Any, wanted: str) -> Ends:
    try:
        low, high = given
    except (TypeError, ValueError):
        raise TypeError(f"range must {wanted}, got {given!r}.") from None
    return RANGE_END("range", low), RANGE_END("range", high)


def _bounds(numerator: Ends | None, denominator: Ends | None) -> Ends:
    """The least and the greatest ratio that the ranges allow; a denominator is at least 0."""
    (least, most), (low, high) = numerator or (-np.inf, np.inf), denominator or (0.0, np.inf)

    def over(value: float, divisor: float) -> float:
        """The quotient, also for 0 and infinite numbers."""
        return value / divisor if divisor > 0 and np.isfinite(divisor) else 0.0 if np.isinf(divisor) else np.inf * value

    down = over(least, high if least >= 0 else low)
    up = over(most, low) if most > 0 else over(most, high)
    return float(down), float(up)
