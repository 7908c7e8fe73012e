"""A user's function of weighted cases, at distinct pairs of truth and prediction: its slopes, and additional cases.

Slopes are used for a function that has a value, is smooth in the weights (see ``_smooth``), and is the same without
rows of weight 0. A function that emits scikit-learn's UndefinedMetricWarning has no value, unless the warning is about
some labels only: these count as 0, as in the average of a named metric over several classes.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import UndefinedMetricWarning

from skcostci._arrays import Booleans, Floats, as_array
from skcostci._frozen import altered, cached_property
from skcostci._validation._labels import has_fractions
from skcostci.cases._judged import MOST_LABELLED, JudgedCases, distinct_rows
from skcostci.laws._rounding import SPREAD_ROUNDING, rounding_of, without_rounding
from skcostci.statistics._known_functions import SAME_VALUE, FunctionOfMeans, means_of
from skcostci.statistics._of_rows import OfRows, Unit, tables_at_mean
from skcostci.statistics._smooth import centred, refuse_unsmooth, why_not_smooth
from skcostci.tables import WeightedMetric

MOST_ROWS = 20_000  # each needs one evaluation of the function over all rows: minutes
MOST_PREDICTIONS = 100  # tried for an unseen case: those of the most extreme influences
SMALLEST_STEP = 1e-7  # of all weight, moved to one row: derivatives have about seven digits
HARDLY_ANY = 1e-12  # of a row's weight
BEING_SET = re.compile(r" and (is )?being set to \S+")  # the substitute value is not used here
IN_LABELS = "in labels with"  # how scikit-learn says that some classes of an average have no value
NOT_ON_DATA = (
    "on these data, which has no standard error. Let it be finite there, as with shares kept a little from 0 and 1 "
    "before a logarithm or a normal quantile"
)
NOT_WHEN_MOVED = (
    "when the weights of rows are moved, as resampling moves them, though it has a value on these data. Let it be "
    "finite there too: rows of weight 0 count as no rows"
)
ERROR_OF_CALIBRATION = re.compile(r"calibration_error|(^|_)ece(\d|_|$)", re.IGNORECASE)


@contextmanager
def quiet() -> Iterator[None]:
    """Suppress warnings of a function after its first call."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _alike(values: Floats, others: Floats) -> bool:
    """Whether values hardly differ, or cannot be compared: without some rows there may be fewer classes."""
    return values.shape != others.shape or np.allclose(values, others, rtol=1e-4, atol=1e-7)


def _are_equal(truth: NDArray[Any], guess: NDArray[Any]) -> bool:
    """Whether amounts were predicted without errors, up to rounding."""
    if guess.shape != truth.shape or {truth.dtype.kind, guess.dtype.kind} - set("biuf"):
        return False
    return bool(np.abs(truth - guess).max() <= rounding_of(truth, guess))


class FunctionRows(OfRows):
    """The distinct rows of a function; ``undefined`` is why it has no value, ``said`` its warning of some classes."""

    precision = SPREAD_ROUNDING / SMALLEST_STEP  # of a derivative by a small step

    def __init__(
        self, metric: WeightedMetric, cases: JudgedCases, column: str, known: Sequence[Any] | None, *, unit: Unit
    ) -> None:
        """``known`` has a truth of each class, also of those that are not in these cases."""
        self.metric, self.range, self.unit, self.known = metric, metric.range, unit, known
        first, self.rows = distinct_rows(cases.truth, cases.columns[column])
        self.truth, self.guess = cases.truth[first], cases.columns[column][first]
        self.counts = np.bincount(self.rows, cases.weights).astype(np.float64)
        places = None if known is None else {label: place for place, label in enumerate(known)}
        self.classes = None if places is None else np.array([places[label] for label in self.truth.tolist()])
        self.of_scores = self.classes is not None and (self.guess.ndim > 1 or has_fractions(self.guess))
        if ERROR_OF_CALIBRATION.search(metric.name.partition("(")[0]):
            refuse_unsmooth(metric.name, "it is not differentiable for a calibrated model", of_scores=True)
        given, self.undefined, self.said = self._first_call()
        self.shape, self.value = given.shape, given.ravel()
        self.matter: Booleans | None = None  # which classes do
        self.means = self._as_means()
        if self.means is None and len(first) > MOST_ROWS:
            raise ValueError(
                f"y_true and {column} must contain at most {MOST_ROWS:,} distinct pairs where metric is a function, "
                f"which is called once for each, got {len(first):,}. Round the predictions, or pass the metric by "
                "name."
            )
        if not self.undefined and self.means is None:
            self._check_weights()

    def _first_call(self) -> tuple[Floats, str, str]:
        """The value, NaN where the function warns that it is undefined, and its words; other warnings are passed on."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            given = self._given(self.truth, self.guess, self.counts)
        words = [str(each.message) for each in caught if issubclass(each.category, UndefinedMetricWarning)]
        for each in caught:
            if not issubclass(each.category, UndefinedMetricWarning):
                warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)
        if undefined := [each for each in words if IN_LABELS not in each]:
            why = BEING_SET.sub("", undefined[0].partition(". ")[0].rstrip("."))
            return np.full(np.shape(given) if np.ndim(given) < 2 else (), np.nan), why, ""
        return self._checked(given, NOT_ON_DATA), "", words[0] if words else ""

    def _as_means(self) -> FunctionOfMeans | None:
        """The function as a formula of weighted means, if such a formula is known and gives the same value."""
        if self.undefined or self.classes is not None:
            return None
        means = means_of(self.metric, self.truth, self.guess, self.counts)
        with np.errstate(all="ignore"):  # a formula without a value is not used
            same = means is not None and np.isclose(means.value, self.value, rtol=SAME_VALUE, atol=0).all()
        return means if same else None

    def _check_weights(self) -> None:
        """Raise unless weights act as counts: doubling all has no effect, and a row of weight 0 is like no row."""
        with quiet():
            doubled = self._value_with(2 * self.counts)
            if not np.allclose(doubled, self.value, rtol=1e-6, atol=1e-9):
                raise ValueError(
                    "metric must not change when all weights are doubled (means and shares do not change); "
                    f"{self.metric.name} changes from {self.value[0]:g} to {doubled[0]:g}."
                )
            for left_out in self._halves():
                self._check_left_out(left_out)

    def _halves(self) -> Iterator[Booleans]:
        """Two sets of alternate rows to leave out; one row of each class, and of each predicted label, is kept."""
        needed = np.zeros(len(self.counts), dtype=bool)
        if self.classes is not None:
            needed[np.unique(self.classes, return_index=True)[1]] = True
            first = distinct_rows(self.guess)[0]
            needed[first] |= len(first) <= max(MOST_LABELLED, len(needed) // 2) and not self.of_scores
        for odd in (0, 1):
            left_out = ~needed & (np.arange(len(needed)) % 2 == odd)
            if left_out.any() and not left_out.all():
                yield left_out

    def _check_left_out(self, left_out: Booleans) -> None:
        kept = ~left_out
        try:
            given = self.metric(self.truth[kept], self.guess[kept], self.counts[kept])
            without = np.ravel(np.asarray(given, dtype=np.float64))
        except (ArithmeticError, TypeError, ValueError):
            return  # some functions fail with fewer rows
        if not np.isfinite(without).all():
            return  # without a value there is nothing to compare: no false alarm, and its normal quantile is infinite
        none, hardly_any = (
            self._value_with(np.where(kept, self.counts, part * self.counts)) for part in (0.0, HARDLY_ANY)
        )
        name, shown = self.metric.name, without[:1]
        if not _alike(none, without):
            raise ValueError(
                "metric must treat sample_weight as the number of cases in each row, so that rows of weight 0 have "
                f"no effect; {name} is {none[0]:g} with some rows of weight 0 and {shown[0]:g} without them."
            )
        if not _alike(hardly_any, without):
            why = f"with some rows of nearly zero weight it is {hardly_any[0]:g}, and without them {shown[0]:g}"
            refuse_unsmooth(name, why, of_scores=self.of_scores)

    def _given(self, truth: NDArray[Any], guess: NDArray[Any], weights: Floats) -> Any:
        try:
            return self.metric(truth, guess, weights)
        except TypeError as error:
            raise TypeError(
                "metric must be a function metric(y_true, y_pred, sample_weight=w), like functions of scikit-learn "
                f"with sample_weight; {self.metric.name} failed: {error}"
            ) from None

    def _checked(self, given: Any, when: str) -> Floats:
        """The value, after a check that it is a finite number, or one per class."""
        values, name = np.asarray(as_array("metric(y_true, y_pred)", given)), self.metric.name
        if values.ndim > 1 or values.dtype.kind not in "biuf":
            raise ValueError(
                f"metric must return a finite number, or one per class, got {given!r} from {name}. If it has an "
                "average parameter, set it (such as average='macro') with functools.partial."
            )
        if (wrong := ~np.isfinite(values)).any():
            raise ValueError(
                f"metric must return a finite number, or one per class: {name} is {values[wrong].flat[0]} {when}."
            )
        return values.astype(np.float64)

    def _value_with(self, weights: Floats, *more: NDArray[Any]) -> Floats:
        truth, guess = self.truth, self.guess
        if more:
            truth, guess = np.concatenate([truth, more[0]]), np.concatenate([guess, more[1]])
        return self._checked(self._given(truth, guess, weights), NOT_WHEN_MOVED).ravel()

    @classmethod
    def slopes_at_mean(cls, each: Sequence[Self]) -> list[Floats]:
        """Of labels; of scores and amounts the slopes in each fold."""
        truth, guess = (np.concatenate([getattr(model, name) for model in each]) for name in ("truth", "guess"))
        first, numbers = distinct_rows(truth, guess)
        if each[0].classes is None or any(model.of_scores for model in each) or len(first) > MOST_PREDICTIONS:
            return [model.slopes for model in each]
        rows = np.split(numbers, np.cumsum([len(model.counts) for model in each])[:-1])
        classes = np.concatenate([np.asarray(model.classes) for model in each])[first]
        of_class = np.arange(len(each[0].known or ()))[:, None] == classes
        counts = [np.bincount(own, model.counts, len(first)) for own, model in zip(rows, each, strict=True)]
        found = []
        for model, own, table in zip(each, rows, tables_at_mean([of_class * own for own in counts]), strict=True):
            counted = table.sum(axis=0)
            kept = np.flatnonzero(counted)
            at = altered(model, truth=truth[first][kept], guess=guess[first][kept], counts=counted[kept])
            with quiet():
                at.value = at._value_with(at.counts)
            found.append(at.slopes[np.searchsorted(kept, own)])
        return found

    @cached_property
    def slopes(self) -> Floats:
        """The derivatives, by a small step per row: all weights shrink by as much in total as the row gains."""
        whole = self.counts.sum()
        if self.classes is None and _are_equal(self.truth, self.guess):  # all errors are rounding
            return np.zeros((len(self.counts), self.value.size))
        if self.means is not None:
            return centred(self.means.slopes, self.counts)
        step = max(SMALLEST_STEP, 1 / whole) if whole > 0.1 / SMALLEST_STEP else SMALLEST_STEP
        found = []
        with quiet():
            for row in range(len(self.counts)):
                weights = (1 - step) * self.counts
                weights[row] += step * whole
                found.append((self._value_with(weights) - self.value) / (step * whole))
            rounding = self.precision * np.abs(self.value) / whole
            slopes = without_rounding(np.reshape(found, (len(self.counts), -1)).T, rounding).T
            why = why_not_smooth(self._value_with, self.counts, slopes, self.value)
        if why:
            refuse_unsmooth(self.metric.name, why, of_scores=self.of_scores)
        return centred(slopes, self.counts)

    @cached_property
    def imagined(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """A truth of each class, and the predictions that an unseen case of any class may have.

        For labels these are all classes, also one that was never predicted. For more than ``MOST_PREDICTIONS`` scores
        they are those of the least and the greatest influences, and the smallest and largest score.
        """
        truths = np.array(self.known, dtype=self.truth.dtype)
        if self.guess.ndim == 1 and set(self.guess.tolist()) <= set(truths.tolist()):
            return truths, truths
        first, numbers = distinct_rows(self.guess)
        if len(first) > MOST_PREDICTIONS:
            order = np.argsort(self.slopes[:, 0], kind="stable")
            some = [*order[: MOST_PREDICTIONS // 2], *order[-MOST_PREDICTIONS // 2 :]]
            if self.guess.ndim == 1 and self.guess.dtype.kind in "iuf":
                some += [int(self.guess.argmin()), int(self.guess.argmax())]
            first = np.array(sorted({int(first[numbers[row]]) for row in some}))
        return truths, self.guess[first]

    def with_case(self, more: float = 1.0) -> Floats:
        """For amounts at the rows seen, as of one class."""
        with quiet():
            return self._of_amounts(more) if self.classes is None else self._of_labels(more)

    @property
    def counted(self) -> Booleans:
        return super().counted if self.classes is None or self.matter is None else self.matter[self.classes]

    @staticmethod
    def leave_out(each: Sequence[FunctionRows]) -> None:
        """Let cases of one of two classes not count in folds if they matter in none, as in a recall."""
        if len(each[0].known or ()) != 2 or each[0].of_scores:
            return
        matter = np.any([np.abs(one.with_case() - one.value).max(axis=(1, 2)) > 0 for one in each], axis=0)
        for one in each:
            one.matter = matter if matter.any() else None

    def _of_amounts(self, more: float) -> Floats:
        if self.means is not None:
            return self.means.with_case(more)[None]
        return np.array([[self._value_with(self.counts + step) for step in more * np.eye(len(self.counts))]])

    def _of_labels(self, more: float) -> Floats:
        truths, guesses = self.imagined
        found = []
        for place in range(len(truths)):
            own = self.classes == place
            size = self.counts[own].sum()
            kept = size / (size + more) if self.unit == "case of a class" else 1.0
            weights = np.append(np.where(own, kept, 1.0) * self.counts, kept * more)
            case = truths[place : place + 1]
            found.append([self._value_with(weights, case, guesses[j : j + 1]) for j in range(len(guesses))])
        return np.array(found)

    def with_counts(self, added: Floats) -> Floats:
        with quiet():
            if self.classes is None:
                return self._value_with(self.counts + added[0])
            truths, guesses = self.imagined
            i, j = np.nonzero(added)
            return self._value_with(np.append(self.counts, added[i, j]), truths[i], guesses[j])
