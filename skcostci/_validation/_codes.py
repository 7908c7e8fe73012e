"""Labels as places among their distinct names, in a few passes and without a sort.

``labels[i] == names[places[i]]``. Whole numbers that are close together are their own places, once the least is taken
off. Texts are cut into words, which are mixed into one of ``N_BUCKETS`` buckets, and compared with the first text of
their bucket, so that nothing rests on luck. Of objects a dictionary has the places. What none of these serves, such as
fractions and labels of several kinds, is left to sorting.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skcostci._arrays import Integers

N_BUCKETS = 2**16  # a table in cache; of 20 texts two share one in .3 % of columns, of 100 in 7 %: these are sorted
MIXER = np.uint64(0x9E3779B97F4A7C15)  # 2**64 over the golden ratio, odd: neighbouring words fall far apart (Knuth)
MOST_WORDS = 64  # of a text; longer ones are compared as quickly
ONE_KIND = {str, bytes, int}  # whose values are equal where they are the same label


class Coded(NamedTuple):
    """What labels there are and for each case the place of its own among them, in the smallest type that holds it."""

    names: NDArray[Any]
    places: NDArray[Any]


def code_labels(labels: NDArray[Any]) -> Coded | None:
    """The labels that occur, in order, and their places."""
    if (coded := candidate_codes(labels)) is None:
        return None
    occur = np.flatnonzero(np.bincount(coded.places))
    ordered = occur[np.argsort(coded.names[occur], kind="stable")]
    if len(ordered) == len(coded.names) and (ordered[1:] > ordered[:-1]).all():
        return coded
    rank = np.zeros(len(coded.names), dtype=np.min_scalar_type(len(ordered)))
    rank[ordered] = np.arange(len(ordered))
    return Coded(coded.names[ordered], rank[coded.places])


def candidate_codes(labels: NDArray[Any]) -> Coded | None:
    """The same where some names may not occur, in any order; None of labels that only a sort tells apart."""
    if labels.ndim != 1 or not labels.size:
        return None
    kind = labels.dtype.kind
    if kind in "biuf":
        return _whole_numbers(labels)
    if kind in "US" and labels.dtype.isnative:
        return _texts(labels)
    return _objects(labels) if kind in "OT" else None


def _whole_numbers(labels: NDArray[Any]) -> Coded | None:
    """Counters from the least to the most, if there are not many times as many as there are cases."""
    low, high = labels.min(), labels.max()
    if not np.isfinite(low) or not np.isfinite(high):  # NaN is the least and the most wherever it stands
        return None
    least, n_names = int(low), int(high) - int(low) + 1
    if n_names > 4 * len(labels) or max(abs(int(low)), abs(int(high))) >= 2**63:
        return None
    whole = labels.astype(np.int64) if labels.dtype.kind == "f" else labels
    if whole is not labels and not np.array_equal(whole, labels):
        return None
    names = (np.arange(n_names, dtype=np.int64) + least).astype(labels.dtype)
    places = whole.astype(np.min_scalar_type(n_names), copy=False)  # what it cannot hold wraps, and is wrapped back
    return Coded(names, places - places.dtype.type(least % 2 ** (8 * places.itemsize)) if least else places)


def _texts(labels: NDArray[Any]) -> Coded | None:
    """A text of each bucket, if all others in it are the same."""
    size = next(size for size in (8, 4, 1) if labels.itemsize % size == 0)
    n_words = labels.itemsize // size
    if not 0 < n_words <= MOST_WORDS:
        return None
    words = np.ascontiguousarray(labels).view(f"u{size}").reshape(len(labels), n_words)
    mixed = np.zeros(len(labels), dtype=np.uint64)
    for column in words.T:
        mixed ^= column
        mixed *= MIXER
        mixed ^= mixed >> np.uint64(32)
    bucket = (mixed & np.uint64(N_BUCKETS - 1)).astype(np.int64)
    seen = np.flatnonzero(np.bincount(bucket))
    row, place = np.zeros(N_BUCKETS, np.int64), np.zeros(N_BUCKETS, np.min_scalar_type(len(seen)))
    row[bucket] = np.arange(len(labels))
    place[seen] = np.arange(len(seen))
    places, names = place[bucket], words[row[seen]]
    alike = all((names[:, i].take(places) == column).all() for i, column in enumerate(words.T))
    return Coded(labels[row[seen]], places) if alike else None


def _objects(labels: NDArray[Any]) -> Coded | None:
    """Texts or whole numbers as Python has them: of several kinds, 1 and True would be one label."""
    listed = labels.tolist()
    kinds = set(map(type, listed))
    if len(kinds) > 1 or not kinds <= ONE_KIND:
        return None
    known: defaultdict[Any, int] = defaultdict()
    known.default_factory = known.__len__
    places = np.fromiter(map(known.__getitem__, listed), dtype=np.int64, count=len(listed))
    names = np.array([*known, None], dtype=object)[:-1]
    return Coded(names if labels.dtype.kind == "O" else names.astype(labels.dtype), places)


def first_rows(numbers: NDArray[Any]) -> Integers:
    """Where each of the numbers from 0 on first stands."""
    first = np.zeros(int(numbers.max()) + 1, dtype=np.int64)
    first[numbers[::-1]] = np.arange(len(numbers) - 1, -1, -1)  # the last to be written is the first row
    return first
