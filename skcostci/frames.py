"""Scores counted by their engine: a database or a cluster groups equal scores, and only the groups are returned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from math import isfinite
from operator import and_
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from skcostci._arrays import LARGEST_EXACT, Floats, Scores, as_scores, as_vector, in_precision_of
from skcostci._options import WeightType, explains_calls
from skcostci._validation._rows import IMPORTANT, asks_for_importance
from skcostci.cases._aggregated import (
    AggregatedScores,
    Ranges,
    Sums,
    check_two_labels,
    group,
    plain_labels,
    resolve_bins,
    score_names,
)

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

    Lazy = nw.LazyFrame[Any]
    Table = nw.DataFrame[Any]

MOST_GROUPS = 30_000_000  # the groups have to fit the memory of one process
NUMBERS = "y_score", "sample_weight"  # the parameters whose columns have numbers
HALVES = "Float16", None  # for getattr: the type of half precision, None where a release of narwhals lacks it
SHOWN = 10  # columns, or labels, listed in an error message
NEAR = 2.0**-30  # relative to the width of a bin: scores this close to an edge are placed by numpy
MOST_NEAR = 2.0**-8  # largest such distance, with the rounding of edges to float32; beyond it edges are compared
MOST_EVEN_EDGES = 2**20  # with more of them, rounding could move a score by more than NEAR


@explains_calls
def aggregate_scores(
    frame: object,
    *,
    y_true: str,
    y_score: str | Sequence[str],
    bins: object = None,
    sample_weight: str | None = None,
    weight_type: WeightType = "counts",
    groups: str | None = None,
) -> AggregatedScores:
    """Count the cases of a table by label and score, in the engine that holds it, and fetch only the counts.

    >>> import pandas as pd
    >>> from skcostci import aggregate_scores, bootstrap_auc
    >>> frame = pd.DataFrame({"died": [0, 0, 0, 1, 1], "risk": [0.1, 0.1, 0.4, 0.4, 0.8]})
    >>> counted = aggregate_scores(frame, y_true="died", y_score="risk")
    >>> counted
    AggregatedScores(5 cases in 4 groups)
    >>> round(float(bootstrap_auc(**counted)), 3)
    0.917

    Parameters
    ----------
    frame : a table that narwhals reads
        A DuckDB relation, a PySpark, Dask, Polars (lazy or eager) or pandas DataFrame, a PyArrow or Ibis table, ...
        Lazy frames stay lazy: the engine groups and counts, once, and only the counts are transferred.
    y_true : str
        The column of labels, at most two distinct ones; a piece of a stream may have a single one.
    y_score : str or sequence of str
        The column of finite scores or numeric predictions, or the columns of several models, counted jointly.
    bins : None, int, array-like of shape (n_edges,) or tuple with one of these a model, default=None
        None counts equal scores together, without loss. Ascending edges make bins ``[edge, next edge)``, each
        represented by its lower edge; the last bin is open above, scores below the first edge are represented by a
        value just below it, and infinite edges have no effect. An int is that many bins of equal width between the
        least and the largest score, for which the engine reads the column twice. For several score columns, a tuple has
        each model's bins; anything else applies to all, an int on the range of each.
    sample_weight : str, default=None
        The column of weights: how many cases a row of the frame stands for, in whole numbers. Or see ``weight_type``.
    weight_type : {"counts", "importance"}, default="counts"
        With "importance" weights are how much each case counts, any non-negative numbers. The engine returns their sums
        and the sums of their squares, which effective cases and intervals depend on. What ``**`` passes then has a row
        for each case again.
    groups : str, default=None
        The column of groups, which is kept: cases of different groups are not counted together.

    Returns
    -------
    AggregatedScores
        Labels, scores, weights and groups, named as the parameters of every function here:
        ``bootstrap_auc(**counted)``, ``compare_models(**counted)``. Also ``edges`` and ``auc_error_bound``.

    Raises
    ------
    ValueError
        If there are more than ``skcostci.frames.MOST_GROUPS`` = 30 million distinct combinations of label, score(s) and
        group, as counted by the engine.

    See Also
    --------
    AggregatedScores.from_arrays : Count the cases in arrays.

    Notes
    -----
    Without bins, every result is identical to that from the scores themselves; with importance weights nearly.
    With bins, what is evaluated at the edges is still exact; a threshold between edges acts as the next edge above. In
    the AUC, pairs in one bin count as ties: its error is at most ``auc_error_bound``. :doc:`/scale_out` has more.
    """
    _import_narwhals()
    whole = not asks_for_importance(weight_type, sample_weight)
    columns = _check_columns(y_true, y_score, sample_weight, groups)
    cases = _check_frame(frame, columns)
    scores = [key for key in columns if _parameter(key) == "y_score"]
    _check_exact(cases, {score: columns[score] for score in scores})
    edges = resolve_bins(bins, len(scores), lambda: _ranges(cases, scores))
    placed = [_same_bin(cases, score, limits).alias(score) for score, limits in zip(scores, edges, strict=True)]
    labelled = ["y_true", *(["groups"] if groups is not None else [])]
    weight = nw.col("sample_weight").cast(nw.Float64)
    weights = {} if sample_weight is None else {"sample_weight": weight, "squares": weight * weight}
    sound = reduce(and_, (_is_sound(cases, key, whole=whole) for key in columns))
    faulty = (1 - _one_where(sound)).cast(nw.Int8)  # marked in each row: not every engine has a group for nulls
    rows = cases.select(*labelled, *placed, **weights, faulty=faulty)
    added = {name: nw.col(name).sum() for name in weights} | {"cases": nw.len()}
    # One group more than allowed is enough to see that there are too many.
    found = rows.group_by(*labelled, *scores).agg(nw.col("faulty").max(), **added).head(MOST_GROUPS + 1).collect()
    _check_groups(found, cases, columns, whole=whole)
    given = {score: as_scores(_called(columns, score), _to_numpy(found[score])) for score in scores}
    counted = {score: values.astype(_precision(cases, score)) for score, values in given.items()}
    numbers = _to_numpy(found["cases"]).astype(np.int64, copy=False)
    totals = _to_numpy(found["sample_weight"]).astype(np.float64) if "sample_weight" in columns else numbers
    counted["sample_weight"] = totals.astype(np.int64, copy=False) if whole else totals
    labels = {name: plain_labels(_to_numpy(found[name])) for name in labelled}
    models = tuple(columns[score] for score in scores)
    sums = None if whole else Sums(numbers, _to_numpy(found["squares"]).astype(np.float64))
    return group(_called(columns, "y_true"), {**labels, **counted}, edges, models, sums)


Columns = Mapping[str, str]  # of the frame, by the names that they are selected under: a parameter's, "y_score_a", ...


def _parameter(key: str) -> str:
    """The parameter that named a column."""
    return "y_score" if key.startswith("y_score") else key


def _called(columns: Columns, key: str) -> str:
    return f"{_parameter(key)} column {columns[key]!r}"


def _import_narwhals() -> None:
    """Bind ``nw``, which is not needed until cases of a table are counted, and need not be installed."""
    global nw
    try:
        import narwhals.stable.v2 as nw
    except ImportError:
        raise ImportError('aggregate_scores needs narwhals: pip install "skcostci[frames]"') from None


def _check_columns(y_true: str, y_score: str | Sequence[str], sample_weight: str | None, groups: str | None) -> Columns:
    """The columns to count, by the names that ``AggregatedScores`` has for them."""
    scores = (y_score,) if isinstance(y_score, str) or not isinstance(y_score, Sequence) else tuple(y_score)
    columns = {"y_true": y_true, **dict(zip(score_names(len(scores)), scores, strict=True))}
    given = {"sample_weight": sample_weight, "groups": groups}
    columns |= {key: name for key, name in given.items() if name is not None}
    for key, name in columns.items():
        if not isinstance(name, str):
            raise TypeError(f"{_parameter(key)} must be the name of a column, got {name!r:.60}.")
        if name == "*" or (name.startswith("^") and name.endswith("$")):
            wanted = "a name that no engine reads as a pattern"
            raise ValueError(f"{_parameter(key)} must be {wanted}, got {name!r}: rename it.")
    return columns


def _check_frame(frame: Any, columns: Columns) -> Lazy:
    try:
        lazy: Lazy = nw.from_native(frame).lazy()
        schema = lazy.collect_schema()
    except TypeError:
        raise TypeError(f"frame must be a table for narwhals, got {type(frame).__name__}: use from_arrays.") from None
    except nw.exceptions.DuplicateError as error:
        said = " ".join(str(error).split())
        raise ValueError(f"frame must have column names that differ: {said}. Select the columns to use.") from None
    selected = [_check_column(lazy, schema, columns, key).alias(key) for key in columns]
    rows = lazy.select(*selected)
    if "sample_weight" not in columns:
        return rows
    # Rows of weight 0 are no cases; missing weights stay, so that the check of faults finds them.
    weights = nw.col("sample_weight")
    return rows.filter((weights != 0) | weights.is_null())


def _check_column(lazy: Lazy, schema: Mapping[str, nw.dtypes.DType], columns: Columns, key: str) -> nw.Expr:
    parameter, name, called = _parameter(key), columns[key], _called(columns, key)
    if name not in schema:
        known = ", ".join(map(repr, list(schema)[:SHOWN])) + ", ..." * (len(schema) > SHOWN)
        raise ValueError(f"{parameter} must name a column of the frame ({known}), got {name!r}.")
    dtype = schema[name]
    if parameter in NUMBERS:
        if dtype.is_numeric() or (parameter == "y_score" and dtype == nw.Boolean):
            return nw.col(name)
        raise TypeError(f"{called} must contain real numbers, got {dtype} values.")
    if dtype.is_nested():
        raise TypeError(f"{called} must contain a label for each case, got {dtype} values.")
    if dtype == nw.Object:  # for pandas, where entries may be anything
        as_vector(called, _to_numpy(lazy.select(nw.col(name)).collect()[name]))
    return nw.col(name).cast(nw.Float32) if dtype == getattr(nw, *HALVES) else nw.col(name)


def _finite(score: str) -> nw.Expr:
    return nw.col(score).cast(nw.Float64).is_finite()


def _is_sound(cases: Lazy, key: str, *, whole: bool) -> nw.Expr:
    """Whether an entry may be counted; a missing one is null, in some frames NaN, which in others is a number."""
    dtype = cases.collect_schema()[key]
    if key == "sample_weight":
        weights = nw.col(key).cast(nw.Float64)
        return _finite(key) & (weights >= 0) & ((weights // 1.0 == weights) if whole else True)
    if _parameter(key) == "y_score":
        return _finite(key)
    return ~nw.col(key).is_null() & ~nw.col(key).is_nan() if dtype.is_float() else ~nw.col(key).is_null()


def _one_where(condition: nw.Expr) -> nw.Expr:
    """1 where a condition holds, 0 where it does not or is null."""
    return nw.when(condition.fill_null(False)).then(nw.lit(1)).otherwise(nw.lit(0))


def _check_exact(cases: Lazy, columns: Columns) -> None:
    """Check that long whole numbers are small enough to be distinct in float64, by a pass of the engine per column."""
    schema, short = cases.collect_schema(), (nw.Int8, nw.Int16, nw.Int32, nw.UInt8, nw.UInt16, nw.UInt32)
    for key in columns:
        if schema[key].is_integer() and schema[key] not in short:
            ends = cases.select(low=nw.col(key).min(), high=nw.col(key).max()).collect().row(0)
            large = [end for end in ends if end is not None and abs(int(end)) >= LARGEST_EXACT]
            if large:
                called = _called(columns, key)
                raise ValueError(f"{called} must have whole numbers below 2**53, for float64, got {large[0]}.")


def _ranges(cases: Lazy, scores: Sequence[str]) -> Ranges:
    finite = [nw.when(_finite(score)).then(nw.col(score).cast(nw.Float64)) for score in scores]
    ends = [end for score in finite for end in (score.min(), score.max())]
    found = cases.select(*(end.alias(str(position)) for position, end in enumerate(ends))).collect()
    # Without any finite score there is no range, and an error follows whatever the bins.
    known = [end if isinstance(end, float) and isfinite(end) else 0.0 for end in found.row(0)]
    return list(zip(known[::2], known[1::2], strict=True))


def _same_bin(cases: Lazy, score: str, edges: Floats | None) -> nw.Expr:
    """A value in the same bin as each score, with few distinct values; numpy then finds the bin."""
    column, exact = nw.col(score), nw.col(score).cast(nw.Float64)
    if edges is None:
        dtype = cases.collect_schema()[score]
        # pandas does not group half precision, and not every engine takes -0.0, which becomes 0.0, for equal to it.
        known = column if dtype in (nw.Float32, nw.Float64) else exact
        return known + 0.0 if dtype.is_float() else column
    # In the precision of the scores, in which numpy places them in the end.
    kept = in_precision_of(np.empty(0, _precision(cases, score)), edges)
    # From an array: NumPy 1 makes a single number a double.
    below = float(np.nextafter(kept[:1], -np.inf)[0])
    near = NEAR + float(np.abs(kept - edges).max() / (edges[-1] - edges[0]) * (len(edges) - 1)) if len(edges) > 1 else 1
    by_arithmetic = near < MOST_NEAR and _are_even(edges)
    few = _middle_unless_near(exact, edges, below, near) if by_arithmetic else _by_halving(exact, kept, below)
    return nw.when(exact.is_finite()).then(few).otherwise(nw.lit(0.0))


def _precision(cases: Lazy, score: str) -> type[np.floating[Any]]:
    dtype = cases.collect_schema()[score]
    return np.float16 if dtype == getattr(nw, *HALVES) else np.float32 if dtype == nw.Float32 else np.float64


def _are_even(edges: Floats) -> bool:
    """Whether the edges are equally spaced, within a fraction of NEAR."""
    if not 2 < len(edges) < MOST_EVEN_EDGES:
        return False
    steps = (edges - edges[0]) / ((edges[-1] - edges[0]) / (len(edges) - 1))
    return bool((np.abs(steps - np.arange(len(edges))) < NEAR / 4).all())


def _middle_unless_near(score: nw.Expr, edges: Floats, below: float, near: float) -> nw.Expr:
    """The midpoint of the bin, by arithmetic only, or the score itself next to an edge."""
    first, last = float(edges[0]), float(edges[-1])
    width = (last - first) / (len(edges) - 1)
    within = score.clip(below, last)
    position = (within - first) / width
    bin_ = position // 1.0
    inside = position - bin_
    at_edge = (inside < near) | (inside > 1 - near)
    return nw.when(at_edge).then(within).otherwise(first + (bin_ + 0.5) * width)


def _by_halving(score: nw.Expr, edges: Scores, below: float) -> nw.Expr:
    """The last edge not above the score, ``below`` if there is none, by a tree of comparisons."""
    if not len(edges):
        return nw.lit(below)
    middle = len(edges) // 2
    edge = float(edges[middle])
    upper, lower = _by_halving(score, edges[middle + 1 :], edge), _by_halving(score, edges[:middle], below)
    return nw.when(score >= edge).then(upper).otherwise(lower)


def _check_groups(groups: Table, cases: Lazy, columns: Columns, *, whole: bool) -> None:
    if not len(groups):
        raise ValueError("frame must contain at least one case, got an empty one.")
    too_many = len(groups) > MOST_GROUPS
    if too_many or groups["faulty"].max():
        _check_faults(cases, columns, whole=whole)
    if too_many:
        labels = cases.group_by("y_true").agg(cases=nw.len()).head(SHOWN).collect()
        numbers = _to_numpy(labels["cases"]).astype(np.int64, copy=False)
        check_two_labels(_called(columns, "y_true"), plain_labels(_to_numpy(labels["y_true"])), numbers)
        names = " and ".join(repr(name) for key, name in columns.items() if _parameter(key) == "y_score")
        raise ValueError(f"y_score ({names}) must form at most {MOST_GROUPS:,} groups: pass bins, such as bins=1000.")


def _check_faults(cases: Lazy, columns: Columns, *, whole: bool) -> None:
    """Raise for the first column with missing, infinite or otherwise invalid values, with their number."""
    where = {f"sound {key}": _is_sound(cases, key, whole=whole) for key in columns}
    scores = [key for key in columns if _parameter(key) == "y_score"]
    where |= {f"infinite {key}": nw.col(key).cast(nw.Float64).abs() == float("inf") for key in scores}
    counts = {name: _one_where(condition).sum() for name, condition in where.items()}
    (found,) = cases.select(total=nw.len(), **counts).collect().rows(named=True)
    for key in columns:
        wrong = found["total"] - found[f"sound {key}"]
        if not wrong:
            continue
        kinds, wanted, hint = f"{wrong:,} null or NaN", "a label for each case", ""
        if key in scores:
            infinite = found[f"infinite {key}"]
            kinds, wanted = f"{wrong - infinite:,} null or NaN and {infinite:,} infinite", "finite numbers"
        elif key == "sample_weight":
            kinds, wanted = f"{wrong:,} others", f"finite, non-negative {'whole ' * whole}numbers"
            hint = f" {IMPORTANT}" * whole
        what = f"must contain {wanted}, got {kinds} among {found['total']:,} cases"
        raise ValueError(f"{_called(columns, key)} {what}.{hint}")


def _to_numpy(column: nw.Series[Any]) -> NDArray[np.generic]:
    """A returned column; whole numbers of 128 bits, which numpy lacks, become 64 bits or objects."""
    return np.asarray(column.to_list()) if str(column.dtype).endswith("Int128") else column.to_numpy()
