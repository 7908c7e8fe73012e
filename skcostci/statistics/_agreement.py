"""Agreement of several raters beyond chance: Fleiss' kappa, Gwet's AC1, Brennan and Prediger's, Krippendorff's alpha.

Item i has m_i ratings, n_ic of them in category c of q. The items rated at least twice agree in a share

    A_i = sum_c n_ic (n_ic - 1) / (m_i (m_i - 1)),          P = mean of A_i,

and categories are used in the shares p_c = mean over all items of n_ic / m_i. Agreement expected by chance is E:

    Fleiss (1971)        E = sum_c p_c^2,                       (P - E) / (1 - E)
    Gwet (2008), AC1     E = sum_c p_c (1 - p_c) / (q - 1),     (P - E) / (1 - E)
    Brennan, Prediger (1981)   E = 1 / q,                      (P - E) / (1 - E)
    Krippendorff (1970)  alpha = 1 - (N - 1) sum_cd O_cd delta_cd / sum_cd N_c N_d delta_cd,

with N_c = sum_i n_ic, N their sum, and O_cd = sum_i n_ic n_id / (m_i - 1), over the items rated at least twice. The
distance delta_cd is 1 for nominal labels, (v_c - v_d)^2 for numbers v ("interval"), and for "ordinal" ones the same of
their mean ranks R_c = sum_{g < c} N_g + N_c / 2, which adds to the gradient of alpha

    sum_c (d alpha / d R_c) (d R_c / d N_g),   d R_c / d N_g = 1 for g < c, 1 / 2 for g = c.

Influences are the gradients of these functions of sums over items. The least favourable additional item has as many
ratings as any item has: all in one category, split evenly between two, or among all. Names: ``counts`` n_ic, ``m`` m_i,
``observed`` P, ``chance`` E, ``distances`` delta_cd, ``together`` O_cd.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcostci._arrays import Booleans, Floats, Weights, as_array, missing_entries, table_columns
from skcostci._options import explains_calls
from skcostci._validation._arguments import check_option
from skcostci._validation._labels import check_order, label_positions, shown_labels, sorted_labels, typed_labels
from skcostci._validation._rows import Rows
from skcostci._warnings import warn_caller
from skcostci.cases._design import Design, Part
from skcostci.laws._rounding import SPREAD_ROUNDING
from skcostci.laws.influence._first_order import OF_COUNTS
from skcostci.results._estimand import Estimand
from skcostci.results._results import BootstrapResult
from skcostci.statistics._units import Computed, Statistic, law_of_terms, methods_of_units

Coefficient = Literal["fleiss", "ac1", "brennan_prediger", "krippendorff"]
Level = Literal["nominal", "ordinal", "interval"]
Layout = Literal["cases_in_rows", "raters_in_rows"]
FEWEST_COUNTED = 5  # rows; with as many, equal sums of all rows are hardly a coincidence
Features = Callable[[Floats], Floats]  # what each item adds to the sums
Coefficients = Callable[[Floats], tuple[float, Floats]]  # a coefficient of the sums, and its gradient
BLOCK = 1_000  # items whose features, up to 5,000 each, are in memory at once
MOST_CATEGORIES = 100  # all pairs of them are tried for the additional item


@dataclass(frozen=True, repr=False, eq=False)
class AgreementResult(BootstrapResult[float]):
    """The agreement of several raters beyond chance, with its bootstrap distribution.

    Returned by :func:`bootstrap_agreement`. It has what every :class:`BootstrapResult` has, and:

    Parameters
    ----------
    categories : tuple
        The labels that occur, in order.
    """

    categories: tuple[object, ...]


@explains_calls
def bootstrap_agreement(
    ratings: ArrayLike,
    statistic: Coefficient = "fleiss",
    *,
    level: Level = "nominal",
    layout: Layout | None = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
) -> AgreementResult:
    """Agreement of two or more raters (Fleiss' kappa, AC1, Krippendorff's alpha, ...) with a confidence interval.

    >>> from skcostci import bootstrap_agreement
    >>> ratings = [["yes", "yes", "yes"], ["no", "no", "no"], ["no", "yes", "no"], ["yes", "yes", "yes"]] * 10
    >>> bootstrap_agreement(ratings)
    AgreementResult(fleiss, estimate=0.6571, standard_error=0.08982, 95 % interval 0.446 to 0.8224 by unseen_case)

    Items are resampled with all their ratings; the raters are taken as they are. No resample is drawn.

    Parameters
    ----------
    ratings : array-like of shape (n_items, n_raters)
        The label that each rater gave to each item, of any kind; None or NaN where a rater gave none. Different items
        may have different raters: a column need not be one person throughout.
    statistic : {"fleiss", "ac1", "brennan_prediger", "krippendorff"}, default="fleiss"
        "fleiss": Fleiss' kappa. "ac1": Gwet's coefficient, which stays high where raters agree and nearly all items are
        of one category. "brennan_prediger": with the same chance of each category that occurs, also called Randolph's
        kappa. "krippendorff": Krippendorff's alpha, which allows for missing ratings.
    level : {"nominal", "ordinal", "interval"}, default="nominal"
        How far apart labels are for Krippendorff's alpha: all alike, by their ranks, or by the squared differences of
        numbers. An order is known of numbers and of ordered categories of pandas or Polars.
    layout : {"cases_in_rows", "raters_in_rows"}, default=None
        What the rows are: items, or raters, as in the package krippendorff. None is "cases_in_rows", after a check of
        whether the table looks otherwise.
    sample_weight : array-like of shape (n_items,), default=None
        Frequency weights, whole numbers: how many items each row stands for.
    groups : array-like of shape (n_items,), default=None
        Which items belong together, such as the images of a patient; whole groups are then resampled.

    Returns
    -------
    AgreementResult
        With ``categories``. The interval methods:

        - "unseen_case" (default): allows for one additional item: for the lower limit one on which the raters are
          split, for the upper one an item on which they all agree, in the categories that change the coefficient most.
          Wide with few items, also where the raters agree on all of them.
        - "extrapolated" (only with ``groups``, where it is the default): allows for one additional group of items as
          extreme as those in the sample suggest. Not to be trusted where raters disagree on whole groups and the sample
          may contain none of these: "unseen_group" allows for them; up to twice as wide.
        - "wald": a Gaussian. Not to be trusted where the raters agree on nearly all items.

    Warns
    -----
    UserWarning
        If there are more raters than items, or one uses labels that no other uses, and ``layout`` is None.

    See Also
    --------
    bootstrap_metric : "kappa", Cohen's kappa of two raters.

    Notes
    -----
    Standard errors are of first order in the number of items. Where items have different numbers of ratings, "fleiss"
    and "ac1" are Gwet's generalization: every item has the same weight in the shares of the categories.

    References
    ----------
    J. L. Fleiss, Psychological Bulletin 76(5), 1971; K. L. Gwet, British Journal of Mathematical and Statistical
    Psychology 61(1), 2008; R. L. Brennan and D. J. Prediger, Educational and Psychological Measurement 41(3), 1981; K.
    Krippendorff, "Content Analysis: An Introduction to Its Methodology", Sage, 2019, chapter 12.
    """
    check_option("statistic", statistic, Coefficient)
    if check_option("level", level, Level) != "nominal" and statistic != "krippendorff":
        raise ValueError(f"level is for statistic='krippendorff', got {level!r} with {statistic!r}. Leave it out.")
    counts, categories = _counted(ratings, layout, level)
    given = {} if layout == "raters_in_rows" else {"ratings": ratings}  # whose index is that of items
    rows = Rows.given(given, {"ratings": counts}, sample_weight=sample_weight, groups=groups)
    design, counts = Design(rows), rows.of(counts)
    occur = np.flatnonzero(counts.any(axis=0)).tolist()
    counts, categories = counts[:, occur], tuple(categories[place] for place in occur)
    _check_rated(counts, categories)
    part = design.parts[0]
    kind: tuple[Features, Coefficients] = _agreed_and_shares, partial(_chance_corrected, statistic=statistic)
    if statistic == "krippendorff":
        kind = _of_level(level, categories)
    agreement = _agreement(part, counts, *kind)
    law = law_of_terms(design, [agreement], (-1.0, 1.0), OF_COUNTS)
    n_groups = None if rows.groups is None else len(part.class_counts)
    methods = methods_of_units(grouped=rows.groups is not None)
    estimand = Estimand(statistic if level == "nominal" else f"{level} {statistic}")
    estimate = float(agreement.value[0])
    return AgreementResult(estimate, law, methods, categories, estimand=estimand, n_groups=n_groups)


def _counted(ratings: ArrayLike, layout: Layout | None, level: Level) -> tuple[Floats, tuple[object, ...]]:
    """How often each item was put into each category, and the categories in order."""
    table = as_array("ratings", ratings)
    if layout is not None and check_option("layout", layout, Layout) == "raters_in_rows":
        table = table.T
    if table.ndim != 2 or table.shape[1] < 2 or not len(table):
        raise ValueError(
            f"ratings must have a row for each item and a column for each of two or more raters, got shape "
            f"{as_array('ratings', ratings).shape}."
        )
    given = ~missing_entries(table)
    if not given.any():
        raise ValueError("ratings must contain labels, got only missing values.")
    labels: NDArray[np.generic] = table[given]
    columns = {f"ratings[{name!r}]": column for name, column in table_columns(ratings).items()}
    order = typed_labels(columns)
    known = sorted_labels({"ratings": labels}, order)
    if level == "ordinal":
        check_order("level='ordinal' needs", known, len({*order}.intersection(known)), "pass numbers or")
    if len(known) > MOST_CATEGORIES:
        raise ValueError(
            f"ratings must contain at most {MOST_CATEGORIES} categories, got {len(known)}; measured numbers "
            "need another measure of agreement."
        )
    if layout is None:
        _check_layout(table, given)
    cells = np.nonzero(given)[0] * len(known) + label_positions("ratings", labels, known)
    counts = np.bincount(cells, minlength=len(table) * len(known)).reshape(len(table), len(known))
    return counts.astype(np.float64), tuple(known)


def _check_layout(table: NDArray[np.generic], given: Booleans) -> None:
    """Refuse counts of ratings by category; warn of what looks like raters in rows, or columns that are no raters."""
    n_items, n_raters = table.shape
    if n_items >= FEWEST_COUNTED and given.all() and _are_counts(table):
        raise ValueError(
            "ratings must contain a label per rater; these look like counts of ratings in each category, as every row "
            f"adds up to {table[0].sum():g}. For labels use [np.repeat(range({n_raters}), row) for row in "
            "np.asarray(ratings)], or layout='cases_in_rows' if they are labels."
        )
    if n_raters > n_items:
        warn_caller(
            f"ratings has more columns, {n_raters}, than rows, {n_items}: rows are taken to be items and columns "
            "raters. Pass layout='raters_in_rows' if rows are raters, else layout='cases_in_rows'.",
            UserWarning,
        )
    used = [set(column[rated].tolist()) for column, rated in zip(table.T, given.T, strict=True)]
    users = Counter(chain.from_iterable(used))
    alone = (place for place, labels in enumerate(used) if len(labels) > 1 and all(users[each] == 1 for each in labels))
    if (place := next(alone, None)) is not None:
        warn_caller(
            f"Column {place} of ratings uses only labels that no other column uses: each column must be a rater, not "
            "a name of items or raters. Pass layout='cases_in_rows' if it is one.",
            UserWarning,
        )


def _are_counts(table: NDArray[Any]) -> bool:
    """Whether rows of whole numbers, 0 among them, all add up to the same number of ratings, as by category."""
    if table.dtype.kind not in "iuf" or not (table >= 0).all() or not (table == np.floor(table)).all():
        return False
    sums = table.sum(axis=1)
    return bool((table == 0).any() and sums[0] >= 2 and (sums == sums[0]).all())


def _check_rated(counts: Floats, categories: Sequence[object]) -> None:
    """Raise unless some item has two ratings and two categories occur."""
    if not (counts.sum(axis=1) >= 2).any():
        raise ValueError("ratings must contain at least one item with two or more ratings.")
    if (counts.sum(axis=0) > 0).sum() < 2:
        raise ValueError(
            f"ratings must contain at least two categories, got only {categories[0]!r}: with a single category "
            "agreement beyond chance is not defined."
        )


def _agreed_and_shares(counts: Floats) -> Floats:
    """For Fleiss and Gwet, of each item: if it is rated twice or more, A_i, if it is rated at all, n_ic / m_i."""
    m = counts.sum(axis=1)
    twice, rated = m >= 2, m >= 1
    agreed = (counts * (counts - 1)).sum(axis=1) / np.where(twice, m * (m - 1), 1)
    shares = counts / np.where(rated, m, 1)[:, None]
    return np.column_stack([twice, agreed, rated, shares])


def _chance_corrected(sums: Floats, *, statistic: Coefficient) -> tuple[float, Floats]:
    """(P - E) / (1 - E) and its gradient: d/dP = 1 / (1 - E), d/dE = (P - 1) / (1 - E)^2, and the chain rule."""
    observed, p = sums[1] / sums[0], sums[3:] / sums[2]
    if statistic == "ac1":
        chance, slope = (p @ (1 - p)) / (len(p) - 1), (1 - 2 * p) / (len(p) - 1)
    elif statistic == "fleiss":
        chance, slope = p @ p, 2 * p
    else:
        chance, slope = 1 / len(p), np.zeros_like(p)
    by_observed, by_chance = 1 / (1 - chance), (observed - 1) / (1 - chance) ** 2
    of_agreed = by_observed * np.array([-observed, 1.0]) / sums[0]
    of_shares = by_chance * np.append(-(slope @ p), slope) / sums[2]
    return float((observed - chance) / (1 - chance)), np.concatenate([of_agreed, of_shares])


def _of_level(level: Level, categories: Sequence[object]) -> tuple[Features, Coefficients]:
    """For Krippendorff, what items add up to, and alpha of the sums."""
    if level == "ordinal":
        return _coincidences, _ordinal_alpha
    distances = 1 - np.eye(len(categories))
    if level == "interval":
        numbers = np.array(categories)
        wrong = categories if numbers.dtype.kind not in "biuf" else numbers[~np.isfinite(numbers)].tolist()
        if wrong:
            what = f"level='interval' needs ratings that are finite numbers, got {shown_labels(wrong)}."
            raise ValueError(f"{what} Numbers in texts become such by np.asarray(ratings, dtype=float).")
        values = (numbers.astype(np.float64) - min(numbers)) / (float(max(numbers)) - min(numbers))  # in any unit
        distances = np.subtract.outer(values, values) ** 2
    return partial(_pairable, distances=distances), partial(_alpha, distances=distances)


def _pairable(counts: Floats, distances: Floats) -> Floats:
    """Of each item: sum_cd n_ic n_id delta_cd / (m_i - 1), and n_ic; an item with a single rating adds nothing."""
    m = counts.sum(axis=1)
    pairable = counts * (m >= 2)[:, None]
    disagreement = (pairable * (pairable @ distances)).sum(axis=1) / np.maximum(m - 1, 1)
    return np.column_stack([disagreement, pairable])


def _coincidences(counts: Floats) -> Floats:
    """Of each item: what it adds to O_cd + O_dc of each pair of categories c < d, and n_ic."""
    m = counts.sum(axis=1)
    pairable, (c, d) = counts * (m >= 2)[:, None], np.triu_indices(counts.shape[1], 1)
    return np.column_stack([2 * pairable[:, c] * pairable[:, d] / np.maximum(m - 1, 1)[:, None], pairable])


def _alpha(sums: Floats, distances: Floats) -> tuple[float, Floats]:
    """Krippendorff's alpha and its gradient, for given distances."""
    disagreement, of_each = sums[0], sums[1:]
    n, to_others = of_each.sum(), distances @ of_each
    unlike_pairs = of_each @ to_others
    if unlike_pairs == 0:  # a single category: no disagreement is possible
        return 1.0, np.zeros_like(sums)
    ratio = disagreement / unlike_pairs
    of_counts = -ratio + (n - 1) * ratio * 2 * to_others / unlike_pairs
    return float(1 - (n - 1) * ratio), np.append(-(n - 1) / unlike_pairs, of_counts)


def _ordinal_alpha(sums: Floats) -> tuple[float, Floats]:
    """Krippendorff's alpha and its gradient, for distances of mean ranks, which depend on all counts."""
    q = math.isqrt(2 * len(sums))
    c, d = np.triu_indices(q, 1)
    together, of_each = sums[: len(c)], sums[len(c) :]
    ranks = np.cumsum(of_each) - of_each / 2
    apart = np.subtract.outer(ranks, ranks)
    value, gradient = _alpha(np.append(together @ apart[c, d] ** 2, of_each), apart**2)
    of_distances = np.zeros((q, q))
    of_distances[c, d] = gradient[0] * (together - (1 - value) / (of_each.sum() - 1) * 2 * of_each[c] * of_each[d])
    of_ranks = 2 * ((of_distances + of_distances.T) * apart).sum(axis=1)  # adds up to 0
    return value, np.append(gradient[0] * apart[c, d] ** 2, gradient[1:] - np.cumsum(of_ranks) + of_ranks / 2)


def _agreement(part: Part, counts: Floats, features: Features, coefficient: Coefficients) -> Statistic:
    """A coefficient of the items of a part.

    ``features`` are what each item adds to the sums on which the ``coefficient`` depends, which has a gradient too.
    """
    weights, kinds = part.weights, features(_additional_items(counts, part.weights))
    blocks = np.array_split(np.arange(len(counts)), 1 + len(counts) // BLOCK)
    sums = np.sum([weights[block] @ features(counts[block]) for block in blocks], axis=0)
    value, gradient = coefficient(sums)
    added = np.concatenate([features(counts[block]) @ gradient for block in blocks])
    # Centred, as alpha depends on the number of ratings and its influences need not add up to 0.
    influences = added - weights @ added / weights.sum()

    def with_additional(made: Floats, side: int) -> Floats:
        """The smallest (side -1) or largest coefficient with made.sum() additional items, all of the same kind."""
        found = [coefficient(sums + made.sum() * item)[0] for item in kinds]
        return np.array([min(found) if side < 0 else max(found)])

    # An influence is rounded relative to 1 / (number of items).
    return Computed(np.array([value]), influences[:, None], SPREAD_ROUNDING / float(weights.sum()), with_additional)


def _additional_items(counts: Floats, weights: Weights) -> Floats:
    """Each kind of item: all ratings in one category, halved, or spread over all categories."""
    q, m = counts.shape[1], int(counts.sum(axis=1).max())
    unanimous = m * np.eye(q)
    rarest = np.argsort(weights @ counts, kind="stable")  # where halves are unequal the commoner category has more
    halves = [m // 2 * np.eye(q)[a] + (m - m // 2) * np.eye(q)[b] for a, b in combinations(rarest, 2)]
    even = m // q + (np.arange(q) < m % q)[np.argsort(rarest)]
    return np.vstack([unanimous, *halves, even])
