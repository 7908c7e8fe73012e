"""Labels, or values, that were checked in some rows, and a proxy for them (such as a judge's) in every row.

Statistics are needed for three sets of cases: the checked ones with their labels, the same ones with the proxy's
labels, and the others with the proxy's. All three are validated as one sample: first the rows as given, the checked
ones with their labels and the others with the proxy's, then the checked ones again with the proxy's. So labels, classes
and groups are numbered once for all three, and messages name the rows of the user.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import chi2_contingency, mannwhitneyu

from skcostci._arrays import Booleans, Floats, Integers, are_booleans, as_vector, missing_entries, take_rows
from skcostci._validation._arguments import check_lengths, refuse_beside
from skcostci._validation._labels import has_fractions, number_labels
from skcostci._warnings import warn_caller

CHECKED, JUDGED, OTHER = range(3)  # rows with their labels, the same rows with the proxy's, unchecked rows
FEWEST_CHECKED = 2
REFUSED = {
    "folds": "the checked rows must be drawn from one sample",
    "sample_weight": "a row is one case; repeat rows that occur several times",
    "crossed": "only one of the two can be used at a time",
    "prevalence": "the prevalence of the sample is used",
    "max_fpr": "only the whole AUC is implemented",
    "multi_class": "compute the AUC of each class against the rest",
    "y_true": "for a table with a column per label, evaluate each column separately",
    "time": "censored times already show which events were not observed",
}
NOT_NEEDED = "Every row is checked: the proxy was not used."
MOST_KINDS = 20  # distinct labels, beyond which numbers are compared by their ranks
BY_CHANCE = 0.001  # level of the test; with 1,000 rows, rows drawn by the proxy at 3:1 are nearly always noticed
CHOSEN = "The checked rows differ from the others in {0} (p < .001): unless drawn at random, they do not speak for all."


class ProxyRows(NamedTuple):
    """The kind of each row, and the ``weight`` of the proxy if a comparison has fixed it for all models."""

    kinds: Integers
    weight: Floats | None = None

    @property
    def checked(self) -> Booleans:
        return np.asarray(self.kinds[self.kinds != JUDGED] == CHECKED)

    @property
    def rows(self) -> list[Integers]:
        return [np.flatnonzero(self.kinds == kind) for kind in (CHECKED, JUDGED, OTHER)]

    def laid_out(self, column: object) -> Any:
        """A user's column in this layout: checked rows occur twice, for their labels and for the proxy's."""
        if column is None:
            return None
        checked = self.checked
        return take_rows(column, np.concatenate([np.arange(len(checked)), np.flatnonzero(checked)]))

    def of_checked(self, column: object) -> Any:
        return None if column is None else take_rows(column, np.flatnonzero(self.checked))

    def merged(self, name: str, values: ArrayLike, proxy: ArrayLike) -> NDArray[np.generic]:
        """A column of labels or values and its proxy in this layout."""
        own, stand_in, checked = as_vector(name, values), as_vector("proxy", proxy), self.checked
        # numpy would make texts of numbers next to texts: 1 and "1" would be one label.
        if {own.dtype.kind, stand_in.dtype.kind} - set("biuf"):
            own, stand_in = own.astype(object), stand_in.astype(object)
        return np.concatenate([np.where(checked, own, stand_in), stand_in[checked]])


def check_proxies(
    given: Mapping[str, ArrayLike],
    proxies: Mapping[str, ArrayLike],
    checked: ArrayLike | None,
    groups: ArrayLike | None,
    rest: Mapping[str, object],
) -> ProxyRows | None:
    """The layout: checked rows are those with an entry in every column that was ``given``, or some of these.

    None, with a warning, if every row is checked. ``rest`` are options that cannot be combined with a proxy. Without
    groups there is also a warning if the proxy differs between checked rows and others.
    """
    refuse_beside("proxy", rest, REFUSED)
    columns, stand_ins = ({name: as_vector(name, each) for name, each in some.items()} for some in (given, proxies))
    for name, column in stand_ins.items():
        check_lengths({**columns, name: column})
        if (missing := missing_entries(column)).any():
            where = f"it is missing at position {missing.argmax()}: leave the row out, or get it from the judge"
            raise ValueError(f"{name} must have a value in every row; {where}.")
    present = ~np.any([missing_entries(column) for column in columns.values()], axis=0)
    chosen = present if checked is None else _check_checked(checked, present, " and ".join(given))
    if (many := int(np.count_nonzero(chosen))) < FEWEST_CHECKED:
        where = f" (row {int(chosen.argmax())})" if many else ""
        raise ValueError(f"proxy= needs at least two checked rows, got {many}{where}.")
    if chosen.all():
        warn_caller(NOT_NEEDED, UserWarning)
        return None
    for name, column in stand_ins.items():
        # The test takes rows for independent, as those of a group are not.
        if groups is None and _differs_where_checked(column, chosen):
            warn_caller(CHOSEN.format(name), UserWarning)
    return ProxyRows(np.concatenate([np.where(chosen, CHECKED, OTHER), np.full(many, JUDGED)]))


def _differs_where_checked(stand_in: NDArray[np.generic], chosen: Booleans) -> bool:
    numbers = number_labels(stand_in)
    if (kinds := int(numbers.max()) + 1) == 1:
        return False
    if kinds > MOST_KINDS and stand_in.dtype.kind in "biuf":
        return bool(mannwhitneyu(stand_in[chosen], stand_in[~chosen]).pvalue < BY_CHANCE)
    table = np.array([np.bincount(numbers[rows], minlength=kinds) for rows in (chosen, ~chosen)])
    return bool(chi2_contingency(table).pvalue < BY_CHANCE)


def check_proxy_labels(y_true: NDArray[np.generic], proxy: ArrayLike, layout: ProxyRows) -> None:
    stand_in = as_vector("proxy", proxy)
    if has_fractions(stand_in) and not has_fractions(y_true[layout.checked]):
        some = stand_in[stand_in != np.floor(stand_in)][0]
        way = "compare scores with a threshold, or use bootstrap_mean, for which a proxy may be a probability"
        raise ValueError(f"proxy must contain labels, as y_true does, got {some:g}: {way}.")


def _check_checked(checked: ArrayLike, present: Booleans, what: str) -> Booleans:
    """One boolean per row, given as such or as 0 and 1; raises if it is True where the label is missing."""
    column = as_vector("checked", checked)
    flags = are_booleans(column) or (column.dtype.kind in "iu" and np.isin(column, (0, 1)).all())
    if column.shape != present.shape or not flags:
        found = f"{len(column)} {column.dtype} values"
        raise ValueError(f"checked must be True or False for each of {len(present)} rows, got {found}.")
    chosen = column.astype(bool)
    if (wrong := chosen & ~present).any():
        raise ValueError(f"checked is True at position {int(wrong.argmax())}, where {what} is missing.")
    return np.asarray(chosen)


def check_checked_of_each(members: NDArray[np.generic], proxies: ProxyRows) -> None:
    """Check that every subgroup has checked rows and others; ``members`` are laid out as the proxies are."""
    for name in dict.fromkeys(members.tolist()):
        kinds = proxies.kinds[np.asarray(members == name)]
        if (many := int(np.count_nonzero(kinds == CHECKED))) < FEWEST_CHECKED:
            raise ValueError(f"proxy= needs at least two checked rows in every subgroup of by; {name!r} has {many}.")
        if OTHER not in kinds:
            raise ValueError(f"every subgroup of by must have rows that were not checked; {name!r} has none.")
