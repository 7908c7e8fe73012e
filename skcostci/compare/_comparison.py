"""Several models on the same cases, or one in several subgroups: all differences, and which may be best."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from string import ascii_letters
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import chdtrc, ndtr, ndtri

from skcostci._arrays import Floats
from skcostci._frozen import cached_property, read_only
from skcostci._options import Adjustment
from skcostci._shown import Shown, as_json
from skcostci._validation._arguments import LEVEL, check_option
from skcostci._warnings import warn_caller
from skcostci.compare._contrasts import NO_VARIANCE, LargestDeviate, against, combination, correlation, pairwise
from skcostci.compare._differences import (
    HIGHEST,
    GapKind,
    ModelDifferences,
    ModelGap,
    ModelRatio,
    ModelRatios,
    Several,
    column,
    in_words,
    points_of,
)
from skcostci.intervals._combined import CombinedLaw
from skcostci.intervals._method import ConfidenceInterval, Law
from skcostci.intervals._quantiles import delong
from skcostci.laws.exact._metric_law import pairs_at_once
from skcostci.laws.influence._ranks import AUCLaw
from skcostci.results._estimand import DegenerateLawWarning
from skcostci.results._results import BootstrapResult, ComparedResult

Pairs = Callable[[int, int], ComparedResult]  # the difference of two results by their positions
NUMBERS = ("estimate", "standard_error", "low", "high", "p", "note")


class JointTest(Shown, NamedTuple("_JointTest", [("statistic", float), ("df", int), ("pvalue", float)])):
    """A test that no model differs from another.

    Returned by :meth:`ModelComparison.omnibus`.

    Parameters
    ----------
    statistic : float
        The quadratic form of the differences with the inverse of their covariance.
    df : int
        The degrees of freedom: the rank of that covariance.
    pvalue : float
        The probability that a chi-square variable exceeds the statistic.

    Examples
    --------
    >>> from skcostci import compare_models
    >>> y_true, scores = [0, 0, 0, 0, 1, 1, 1, 1], {"a": [1, 2, 3, 7, 4, 6, 8, 9], "b": [6, 2, 8, 1, 3, 7, 4, 9]}
    >>> test = compare_models(y_true, scores).omnibus()
    >>> test.df, round(test.pvalue, 2)
    (1, 0.53)
    """


@dataclass(frozen=True, repr=False, eq=False)
class ModelComparison(Several):
    """Several models on the same cases, or one model in several subgroups.

    Returned by :func:`compare_models` and :func:`compare_groups`, drawn by :class:`ModelComparisonDisplay`.

    Parameters
    ----------
    models : tuple of str
        Their names.
    results : tuple of BootstrapResult
        Each model's own result.
    differences : ModelDifferences
        The differences of the pairs, with limits and p-values; ``ratios`` has the ratios of the same pairs.
    covariance : ndarray of shape (n_models, n_models)
        Covariance of the models' values in the joint bootstrap distribution.
    pairs : callable
        A function that returns the result for the difference of two models, given their positions.
    greater_is_better : bool or None
        Whether larger values are better; None if neither are, as for a calibration slope: any model may be best.
    title : str
        What is compared, in words.

    Attributes
    ----------
    estimate, standard_error : ndarray of shape (n_models,)
        Each model's value on the data as given, and the standard deviation of its bootstrap distribution.

    Examples
    --------
    >>> from skcostci import compare_models
    >>> y_true, scores = [0, 0, 0, 0, 1, 1, 1, 1], {"a": [1, 2, 3, 7, 4, 6, 8, 9], "b": [6, 2, 8, 1, 3, 7, 4, 9]}
    >>> comparison = compare_models(y_true, scores)
    >>> comparison.models, comparison.estimate.round(3), comparison.confidence_interval(0.9).low.round(3)
    (('a', 'b'), array([0.875, 0.688]), array([0.403, 0.255]))
    >>> comparison.may_be_best(), comparison.letters(), comparison.gap().estimate, round(comparison.omnibus().pvalue, 3)
    (('a', 'b'), {'a': 'a', 'b': 'a'}, 0.1875, 0.535)
    >>> comparison.ratios.estimate.round(3)
    array([1.273])
    """

    models: tuple[str, ...]
    results: tuple[BootstrapResult, ...] = field(repr=False)
    differences: ModelDifferences = field(repr=False)
    covariance: Floats = field(repr=False)
    pairs: Pairs = field(repr=False, compare=False)
    greater_is_better: bool | None = field(repr=False)
    title: str = field(repr=False)

    @property
    def method(self) -> str:
        """The default interval method of each model's own result."""
        return self.results[0].methods[0]

    @property
    def _parts(self) -> tuple[BootstrapResult, ...]:
        return self.results

    @property
    def is_exact(self) -> bool:
        """Whether the distributions, or the known moments, of all models and differences are exact."""
        return super().is_exact and self.differences.is_exact

    @cached_property
    def ratios(self) -> ModelRatios:
        """The ratios of the pairs in ``differences``, such as relative sensitivities or parity ratios.

        Raises
        ------
        ValueError
            If the statistic can be negative, as kappa can, or a contrast involves more than two models.
        """
        least = min(float(np.asarray(result.law.support[0]).min()) for result in self.results)
        if least < 0:
            raise ValueError(f"ratios need a statistic of at least 0; {self.title} may be {least:g}. Use differences.")
        together, ratios, names = correlation(self.covariance), [], []
        of = self.differences
        for name, row, part in zip(of.names, of.contrasts, of.parts, strict=True):
            if sorted(row[row != 0].tolist()) != [-1, 1]:
                raise ValueError(f"each ratio must compare two models, got the contrast {name!r}.")
            i, j = int(row.argmax()), int(row.argmin())
            ratios.append(ModelRatio(self.results[i], self.results[j], part, float(together[i, j])))
            names.append(f"{self.models[i]} / {self.models[j]}")
        return ModelRatios(tuple(names), tuple(ratios), of)

    def gap(self, kind: GapKind = "difference") -> ModelGap:
        """The largest value minus the smallest, over all models or subgroups, with an interval that may start at 0.

        Parameters
        ----------
        kind : {"difference", "ratio"}, default="difference"
            "ratio" is the smallest over the largest, at most 1: the four-fifths rule requires at least 0.8.

        Returns
        -------
        ModelGap
            With ``estimate``, ``largest``, ``smallest``, ``confidence_interval`` and ``to_frame``.

        Notes
        -----
        The limits follow from simultaneous intervals for all pairs, so that the lower limit is 0 (for a ratio the upper
        limit is 1) unless two models are shown to differ. No interval from resamples of the gap itself should be
        trusted: resampled groups always differ, so that it excludes 0 whatever the data.
        """
        check_option("kind", kind, GapKind)
        if not np.isfinite(self.estimate).any():
            raise ValueError(f"gap needs at least one model with a value; {self.title} is undefined for all models.")
        how = self.differences.adjustment, self.greater_is_better, self.title
        every = compare(self.models, self.results, self.pairs, pairwise(self.models), *how)
        values = np.where(np.isfinite(self.estimate), self.estimate, np.nan)
        most, least = int(np.nanargmax(values)), int(np.nanargmin(values))
        largest, smallest = values[[most, least]].tolist()
        estimate = largest - smallest if kind == "difference" else smallest / largest if largest > 0 else np.nan
        pairs = every.differences if kind == "difference" else every.ratios
        return ModelGap(kind, estimate, self.models[most], self.models[least], pairs)

    def confidence_interval(self, confidence_level: float = 0.95, *, method: str | None = None) -> ConfidenceInterval:
        """A separate interval for each model.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1), of each interval separately.
        method : str, default=None
            An interval method of the statistic; None is its default.

        Returns
        -------
        ConfidenceInterval
            ``low`` and ``high``, arrays with one entry per model. To compare models use ``differences``: overlapping
            intervals do not show that models are alike, because the models were evaluated on the same cases.
        """
        return self._limits(confidence_level, method)

    def may_be_best(self, confidence_level: float = 0.95) -> tuple[str, ...]:
        """The models that may be the best: a set that contains the best model with the given confidence.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1): the confidence that the best model is in the set.

        Returns
        -------
        tuple of str
            In the order of ``models``; never empty.

        Notes
        -----
        A model is left out if another one is better by a one-sided test, adjusted by "max_t" for the number of others,
        whatever the ``contrast`` and ``adjustment`` (Hsu 1984; for ROC curves Hsu, Qiu, Hin, Mutti & Zadnik 2004). That
        is fewer tests than for all pairs, so more models are left out than :meth:`letters` would show to differ. A
        model without a value is not compared: it stays in the set.
        """
        alpha = min(1 - LEVEL("confidence_level", confidence_level), HIGHEST)
        return tuple(name for i, name in enumerate(self.models) if not self._is_beaten(i, alpha))

    def omnibus(self) -> JointTest:
        """The joint test of the hypothesis that no model differs from another.

        Returns
        -------
        JointTest
            ``statistic``, ``df`` and ``pvalue``, from the chi-square distribution. For AUCs the covariance is DeLong's,
            which makes it the test of DeLong, DeLong and Clarke-Pearson (1988); otherwise the covariance of the
            bootstrap distribution is used. Not to be trusted with few cases or values near the ends of their range,
            where the chi-square approximation is poor: use the adjusted p-values of ``differences`` there.

        Warns
        -----
        DegenerateLawWarning
            If models differ in a way that does not vary in resamples, as AUCs of 1 and 1/2 of constant scores do: the
            statistic is then infinite.
        """
        known = np.flatnonzero(np.isfinite(self.estimate)).tolist()
        if len(known) < 2:
            return JointTest(0.0, 0, 1.0)
        of_known = [self.results[i] for i in known]
        tested = joint_covariance(of_known, lambda i, j: self.pairs(known[i], known[j]), tested_variance)
        contrasts = against(len(known), 0)
        # Where models always agree the covariance is singular, and has no inverse.
        values, vectors = np.linalg.eigh(contrasts @ tested @ contrasts.T)
        along = (vectors.T @ (contrasts @ self.estimate[known])) ** 2
        kept = values > max(NO_VARIANCE * values[-1], np.finfo(float).tiny)
        if (along[~kept] > NO_VARIANCE * along.sum()).any():
            what = "Some difference does not vary in resamples, so that the statistic is infinite"
            warn_caller(f"{what}: use differences.pvalue().", DegenerateLawWarning)
            return JointTest(np.inf, len(values), 0.0)
        statistic, df = float((along[kept] / values[kept]).sum()), int(kept.sum())
        return JointTest(statistic, df, float(chdtrc(df, statistic)) if df else 1.0)

    def letters(self, confidence_level: float = 0.95) -> dict[str, str]:
        """A compact letter display: models that share a letter were not shown to differ.

        Parameters
        ----------
        confidence_level : float, default=0.95
            1 minus the significance level of the adjusted two-sided p-values.

        Returns
        -------
        dict of str
            The letters by model. They differ from :meth:`may_be_best`, as they concern all pairs, in both directions.

        Raises
        ------
        ValueError
            If not all pairs were compared.
        """
        alpha = min(1 - LEVEL("confidence_level", confidence_level), HIGHEST)
        rows = [tuple(np.flatnonzero(row).tolist()) for row in self.differences.contrasts]
        k = len(self.models)
        if len(set(rows)) != k * (k - 1) // 2 or any(len(row) != 2 for row in rows):
            raise ValueError("letters need the comparisons of all pairs of models: use contrast='pairwise'.")
        pairs = zip(rows, (self.differences.pvalue() < alpha).tolist(), strict=True)
        return share_letters(self.models, [(i, j) for (i, j), differ in pairs if differ])

    def __repr__(self) -> str:
        low, high = self.confidence_interval()
        what, at = in_words(self.results)
        words = (result._undefined_because()[0] or f"{float(result):.3g}" for result in self.results)
        rows = zip(self.models, words, np.ravel(low), np.ravel(high), at, strict=True)
        listed = ", ".join(f"{name} {word} [{a:.3g}, {b:.3g}]{own}" for name, word, a, b, own in rows)
        return f"{type(self).__name__}({what}: {listed}; {self._by_methods})"

    @property
    def _caption(self) -> str:
        return self.differences._caption

    def _printed(self) -> Mapping[str, ArrayLike]:
        """In notebooks only the differences are printed; the models are in the title."""
        return self.differences._printed()

    def _columns(self, level: float, method: str | None) -> Mapping[str, ArrayLike]:
        points, pairs = points_of(self.results), self.differences
        shared = {name: values[0] if (values == values[0]).all() else np.nan for name, values in points.items()}
        unset: Mapping[str, ArrayLike] = {"reference": "", "p": np.nan, "note": ""}
        of_models = {**unset, **self._of_models(level, method), **self._about(level, method)}
        of_pairs = {**unset, **shared, **pairs._columns(level, method), **pairs._about(level, method)}
        parts = (of_models, len(self.models)), (of_pairs, len(pairs.names))
        names = ("model", "reference", *points, *NUMBERS, "statistic", "confidence_level", "method")
        both = {name: np.concatenate([np.broadcast_to(part[name], n) for part, n in parts]) for name in names}
        return {name: values for name, values in both.items() if name != "note" or any(values)}

    def _entries(self, level: float) -> Mapping[str, object]:
        each = {name: as_json(values) for name, values in self._of_models(level, None).items()}
        best = None if self.greater_is_better is None else list(self.may_be_best(level))
        differences = self.differences.to_dict(level)
        return {"greater_is_better": self.greater_is_better, **each, "may_be_best": best, "differences": differences}

    def _of_models(self, level: float, method: str | None) -> Mapping[str, ArrayLike]:
        notes = tuple(result._undefined_because()[0] for result in self.results)
        limits = self.confidence_interval(level, method=method)._asdict()
        return {"model": self.models, **self._figures(), **limits, **({"note": notes} if any(notes) else {})}

    @cached_property
    def _p_beaten(self) -> Floats:
        """Each model's least one-sided p-value of the claim that another is better; 1 if estimates contradict it."""
        p = np.ones(len(self.models))
        gain = self.estimate if self.greater_is_better else -self.estimate
        order = [i for i in np.argsort(gain).tolist() if np.isfinite(gain[i])]
        pairs = list(combinations(order, 2))
        # In this order the second is estimated to be better: half of the two-sided p-value is that of the claim.
        each = [self.pairs(min(pair), max(pair)) for pair in pairs]
        if (law := pairs_at_once([pair.law for pair in each])) is not None:
            both = np.asarray(replace(each[0], estimate=law.estimate, law=law).pvalue())
        else:
            both = column(pair.pvalue() for pair in each)
        np.minimum.at(p, [i for i, _ in pairs], both / 2)
        return p

    def _is_beaten(self, i: int, alpha: float) -> bool:
        known = np.flatnonzero(np.isfinite(self.estimate)).tolist()
        if self.greater_is_better is None or i not in known or len(known) < 2:
            return False
        if not alpha / (len(known) - 1) <= (p := self._p_beaten[i]) < alpha:
            return bool(p < alpha)  # whatever the correlations
        others = against(len(known), known.index(i))
        covariance = others @ self.covariance[np.ix_(known, known)] @ others.T
        law = LargestDeviate(correlation(covariance), two_sided=False)
        return law.surely_exceeds(-ndtri(p)) < alpha and bool(p < ndtr(-law.critical_value(alpha)))


def compare(
    models: Sequence[str],
    results: Sequence[BootstrapResult],
    pairs: Pairs,
    contrasts: Floats,
    adjustment: Adjustment,
    greater_is_better: bool | None,
    title: str,
) -> ModelComparison:
    """All contrasts of the results; ``pairs(i, j)`` is the difference of two of them."""
    covariance = read_only(joint_covariance(results, pairs, variance_of))
    rows = contrasts / np.abs(contrasts).max(axis=1, keepdims=True)  # multiples of a contrast are the same
    parts = tuple(of_contrast(row, results, pairs, covariance) for row in rows)
    names = tuple(contrast_name(row, models) for row in contrasts.tolist())
    joint, notes = read_only(contrast_covariance(rows, covariance)), _notes(rows, models, results)
    differences = ModelDifferences(names, parts, read_only(contrasts.copy()), joint, adjustment, notes)
    return ModelComparison(tuple(models), tuple(results), differences, covariance, pairs, greater_is_better, title)


def contrast_name(row: Sequence[float], names: Sequence[str]) -> str:
    """The name of a contrast: ``a - b``, with weights where they are not 1."""
    terms = [(weight, name) for weight, name in zip(row, names, strict=True) if weight]
    ordered = sorted(terms, key=lambda term: term[0] < 0)
    factors = {1.0: "+ ", -1.0: "- "}
    signed = (factors.get(weight, f"{'-' if weight < 0 else '+'} {abs(weight):g} ") + name for weight, name in ordered)
    return " ".join(signed).removeprefix("+ ")


def of_contrast(row: Floats, results: Sequence[BootstrapResult], pairs: Pairs, covariance: Floats) -> ComparedResult:
    """A pair's own difference if the contrast is a pair, else a combination of the models' limits."""
    if sorted(row[row != 0].tolist()) == [-1, 1]:
        return pairs(int(row.argmax()), int(row.argmin()))
    return combination(results, row, covariance)


def variance_of(law: Law) -> float:
    return float(np.asarray(law.variance).item())


def joint_covariance(results: Sequence[BootstrapResult], pairs: Pairs, variance: Callable[[Law], float]) -> Floats:
    """The covariance of the models' values; of a pair a, b it is (var(a) + var(b) - var(a - b)) / 2."""
    own, (i, j) = column(variance(result.law) for result in results), np.triu_indices(len(results), 1)
    laws = [pairs(*pair).law for pair in zip(i.tolist(), j.tolist(), strict=True)]
    of_pairs = column(map(variance, laws)) if (law := pairs_at_once(laws)) is None else law.variance
    covariance: Floats = np.diag(own)
    with np.errstate(invalid="ignore"):  # of infinite values
        covariance[i, j] = covariance[j, i] = (own[i] + own[j] - of_pairs) / 2
    return covariance


def tested_variance(law: Law) -> float:
    """The variance used in a chi-square test: DeLong's for AUCs, else that of the bootstrap law."""
    if isinstance(law, AUCLaw):
        return delong(law)[1].item()
    if isinstance(law, CombinedLaw):  # a difference of independent samples
        return sum(part.weight**2 * tested_variance(part.law) for part in law.parts)
    return variance_of(law)


def contrast_covariance(rows: Floats, covariance: Floats) -> Floats:
    """The covariance of contrasts; NaN where a model with weight has none, whatever models of weight 0 have."""
    unknown = np.isnan(np.diag(covariance))
    known = np.where(unknown | unknown[:, None], 0.0, covariance)
    # Infinite ratios have infinite variances, and these times a weight of 0 are NaN.
    with np.errstate(invalid="ignore"):
        products = rows @ known @ rows.T
    lost = (rows[:, unknown] != 0).any(axis=1)
    products[lost | lost[:, None]] = np.nan
    return np.asarray(products)


def _notes(rows: Floats, models: Sequence[str], results: Sequence[BootstrapResult]) -> tuple[str, ...]:
    """Per contrast the reason why it is undefined: a model with weight has no value, or an infinite one."""
    lacking = {i for i, result in enumerate(results) if not np.isfinite(result.estimate)}
    why = {i: f"{models[i]} is {results[i]._undefined_because()[0] or 'infinite'}" for i in lacking}
    return tuple("; ".join(why[i] for i in np.flatnonzero(row).tolist() if i in why) for row in rows)


def share_letters(names: Sequence[str], different: Iterable[tuple[int, int]]) -> dict[str, str]:
    """A string of letters per name, such that two names share a letter unless they were found to differ."""
    groups = [frozenset(range(len(names)))]
    for i, j in different:
        parted = [part for group in groups for part in ((group - {i}, group - {j}) if {i, j} <= group else (group,))]
        # Those that are contained in no other, each once.
        groups = [part for part in dict.fromkeys(parted) if not any(part < other for other in parted)]
    symbols = [*ascii_letters, *(f"[{place + 1}]" for place in range(len(ascii_letters), len(groups)))]
    lettered = list(zip(symbols, sorted(groups, key=sorted), strict=False))
    return {name: "".join(symbol for symbol, group in lettered if i in group) for i, name in enumerate(names)}
