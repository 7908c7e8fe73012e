"""Counts of cases grouped by an engine give what the cases themselves give, whatever the engine.

The same tests run on frames in memory, always, and on DuckDB, Dask and Spark with ``pytest -m engines``.
"""

import subprocess
import sys
from functools import reduce
from operator import add

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import samples

import skcostci
from skcostci import AggregatedScores, aggregate_scores, frames

IN_MEMORY = ("pandas", "pandas_arrow", "polars", "polars_lazy", "pyarrow")
ENGINES = ("duckdb", "dask", "dask_numpy", "spark")
quietly = pytest.mark.filterwarnings("ignore::skcostci.DegenerateLawWarning")
EVEN, UNEVEN = np.linspace(-1, 2, 31), np.array([-1.0, -0.5, 0.0, 0.1, 0.3, 1.0, 1.5])


@pytest.fixture(scope="session")
def spark():
    sql = pytest.importorskip("pyspark.sql")
    options = {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.driver.bindAddress": "127.0.0.1",
    }
    session = sql.SparkSession.builder.master("local[2]").config(map=options).getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture(params=[*IN_MEMORY, *(pytest.param(name, marks=pytest.mark.engines) for name in ENGINES)])
def table(request):
    """What turns columns of numpy arrays, or of lists in which None is null, into a frame."""
    return globals()[f"as_{request.param}"](request)


def as_pyarrow(request):
    arrow = pytest.importorskip("pyarrow")
    return arrow.table


def as_pandas(request):
    arrow = as_pyarrow(request)
    return lambda columns: arrow(columns).to_pandas()


def as_pandas_arrow(request):
    arrow, pandas = as_pyarrow(request), pytest.importorskip("pandas")
    return lambda columns: arrow(columns).to_pandas(types_mapper=pandas.ArrowDtype)


def as_polars(request):
    arrow, polars = as_pyarrow(request), pytest.importorskip("polars")
    return lambda columns: polars.from_arrow(arrow(columns))


def as_polars_lazy(request):
    eager = as_polars(request)
    return lambda columns: eager(columns).lazy()


def as_duckdb(request):
    arrow, duckdb = as_pyarrow(request), pytest.importorskip("duckdb")
    return lambda columns: duckdb.from_arrow(arrow(columns))


def as_dask(request):
    pandas, dask = as_pandas_arrow(request), pytest.importorskip("dask.dataframe")
    return lambda columns: dask.from_pandas(pandas(columns), npartitions=3)


def as_dask_numpy(request):
    pandas, dask = as_pandas(request), pytest.importorskip("dask.dataframe")
    return lambda columns: dask.from_pandas(pandas(columns), npartitions=3)


def as_spark(request):
    arrow, spark = as_pyarrow(request), request.getfixturevalue("spark")
    return lambda columns: spark.createDataFrame(arrow(columns))


def two_models(n=600, seed=0):
    """Labels and scores with ties, signed zeros, neighbours that decimal digits would merge, huge and tiny ones."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    a, b = (rng.normal(size=(2, n)) + y).round(2)
    a[:40] = np.tile([0.0, -0.0, 0.1 + 0.2, 0.3, np.nextafter(0.3, 0), 5e-324, 1e300, -1e300], 5)
    b[20:60] = rng.random(40)
    return y, a, b


def same(ours, theirs):
    """Every number a result gives is the same to the last bit."""
    assert np.array_equal(ours.estimate, theirs.estimate)
    assert np.array_equal(ours.standard_error, theirs.standard_error)
    for method in ours.methods:
        assert np.array_equal(ours.confidence_interval(method=method), theirs.confidence_interval(method=method))


@quietly
def test_one_model_is_the_same_to_the_last_bit(table):
    y, a, _ = two_models()
    counted = aggregate_scores(table({"label": y, "p": a}), y_true="label", y_score="p")
    assert counted.sample_weight.sum() == len(y)
    assert len(np.unique(np.column_stack([counted.y_true, counted.y_score]), axis=0)) == len(counted.y_true)
    same(skcostci.bootstrap_auc(**counted), skcostci.bootstrap_auc(y, a))
    for sampling in ("stratified", "full"):
        options = {"sampling": sampling, "probability_cost": 5}
        same(skcostci.bootstrap_cost(**counted, **options), skcostci.bootstrap_cost(y, a, **options))
    same(skcostci.bootstrap_roc_at_fpr(**counted, fpr=[0.1, 0.5]), skcostci.bootstrap_roc_at_fpr(y, a, fpr=[0.1, 0.5]))
    budget = {"positive_rate": [0.1, 0.5]}
    same(
        skcostci.bootstrap_roc_at_positive_rate(**counted, **budget),
        skcostci.bootstrap_roc_at_positive_rate(y, a, **budget),
    )
    assert np.array_equal(
        skcostci.CostCurve.from_predictions(**counted).cost, skcostci.CostCurve.from_predictions(y, a).cost
    )
    assert counted.auc_error_bound == 0.0


@quietly
def test_two_models_are_the_same_to_the_last_bit(table):
    y, a, b = two_models()
    counted = aggregate_scores(table({"label": y, "p": a, "q": b}), y_true="label", y_score=["p", "q"])
    same(skcostci.bootstrap_auc_difference(**counted), skcostci.bootstrap_auc_difference(y, a, b))
    ours, theirs = skcostci.bootstrap_cost_difference(**counted), skcostci.bootstrap_cost_difference(y, a, b)
    same(ours, theirs)
    assert np.array_equal(ours.pvalue(), theirs.pvalue())
    assert counted.auc_error_bound == (0.0, 0.0)


@quietly
@pytest.mark.parametrize("edges", [EVEN, UNEVEN, np.r_[-np.inf, UNEVEN, np.inf]], ids=["even", "uneven", "infinite"])
def test_bins_are_exact_at_their_edges(table, edges):
    y, a, b = two_models()
    a[100:131], b[100:131] = EVEN, np.nextafter(EVEN, -np.inf)
    counted = aggregate_scores(table({"y": y, "p": a, "q": b}), y_true="y", y_score=["p", "q"], bins=edges)
    finite = edges[np.isfinite(edges)]
    assert set(counted.y_score_a) <= {np.nextafter(finite[0], -np.inf), *finite}
    at = {"thresholds_a": edges, "thresholds_b": edges}
    ours, theirs = (
        skcostci.bootstrap_roc_difference_at_threshold(**counted, **at),
        skcostci.bootstrap_roc_difference_at_threshold(y, a, b, **at),
    )
    for rate in ("fpr", "tpr"):
        same(getattr(ours, rate), getattr(theirs, rate))
    assert np.array_equal(ours.dominance(), theirs.dominance())
    bounds = np.array(counted.auc_error_bound)
    for score, column, bound in (("y_score_a", a, bounds[0]), ("y_score_b", b, bounds[1])):
        binned = skcostci.bootstrap_auc(counted.y_true, counted[score], sample_weight=counted.sample_weight)
        assert 0 < abs(float(binned) - float(skcostci.bootstrap_auc(y, column))) <= bound < 0.2


@quietly
def test_a_number_of_bins_is_that_many_of_equal_width(table):
    y, _, b = two_models()
    counted = aggregate_scores(table({"y": y, "q": b}), y_true="y", y_score="q", bins=40)
    width = (b.max() - b.min()) / 40
    assert np.allclose(counted.edges[0], b.min() + width * np.arange(40))
    assert np.isin(counted.y_score, counted.edges[0]).all()
    pc, thresholds = np.linspace(0, 1, 40), counted.edges[0]
    same(
        skcostci.bootstrap_cost(**counted, probability_cost=pc, thresholds=thresholds),
        skcostci.bootstrap_cost(y, b, probability_cost=pc, thresholds=thresholds),
    )


@pytest.mark.parametrize("bins", [None, 3, [0.5]], ids=str)
@pytest.mark.parametrize(
    ("score", "kinds"),
    [
        ([0.1, None, 0.2, 0.0, None, 0.0], "2 null or NaN and 0 infinite among 6 cases"),
        ([0.1, np.nan, 0.2, np.inf, None, -np.inf], "2 null or NaN and 2 infinite among 6 cases"),
        ([None] * 6, "6 null or NaN and 0 infinite"),
    ],
    ids=["null", "infinite", "nothing else"],
)
def test_missing_and_infinite_scores_are_counted_by_the_engine(table, bins, score, kinds):
    import pyarrow as pa

    frame = table({"y": [0, 1, 0, 1, 0, 1], "p": np.arange(6.0), "q": pa.array(score, pa.float64())})
    with pytest.raises(ValueError, match=f"y_score column 'q' must hold finite numbers, got {kinds}"):
        aggregate_scores(frame, y_true="y", y_score=["p", "q"], bins=bins)


@pytest.mark.parametrize("labels", [[0, None, 1, 1, None], ["a", None, "b", "b", None], [0.0, None, 1.0, 1.0, np.nan]])
def test_missing_labels_are_counted_by_the_engine(table, labels):
    with pytest.raises(
        ValueError, match="y_true column 'label' must hold a label for each case, got 2 null or NaN among 5"
    ):
        aggregate_scores(table({"label": labels, "p": np.zeros(5)}), y_true="label", y_score="p")


def test_more_than_two_labels_are_counted_by_the_engine(table):
    frame = table({"label": [0, 1, 2, 2, 2], "p": np.zeros(5)})
    message = r"y_true column 'label' must be binary, got 3 labels: 0 \(1 cases\), 1 \(1 cases\), 2 \(3 cases\)."
    with pytest.raises(ValueError, match=message):
        aggregate_scores(frame, y_true="label", y_score="p")


def test_columns_that_are_not_there_or_hold_no_numbers(table):
    frame = table({"label": [0, 1], "p": [0.1, 0.2], "name": ["a", "b"]})
    with pytest.raises(
        ValueError, match=r"y_true must name a column of the frame \('label', 'p', 'name'\), got 'died'"
    ):
        aggregate_scores(frame, y_true="died", y_score="p")
    with pytest.raises(ValueError, match=r"y_score must name a column of the frame .*, got 'q'"):
        aggregate_scores(frame, y_true="label", y_score=["p", "q"])
    with pytest.raises(TypeError, match="y_score column 'name' must hold real numbers, got String"):
        aggregate_scores(frame, y_true="label", y_score="name")


def test_too_many_groups_suggest_bins(table, monkeypatch):
    monkeypatch.setattr(frames, "MOST_GROUPS", 5)
    columns = {"label": [0, 1, 0, 1, 0, 1], "p": np.arange(6.0), "q": np.zeros(6)}
    with pytest.raises(ValueError, match=r"y_score \('p' and 'q'\) must form at most 5 groups .* got more. Pass bins"):
        aggregate_scores(table(columns), y_true="label", y_score=["p", "q"])
    assert len(aggregate_scores(table(columns), y_true="label", y_score="p", bins=[3]).y_true) == 4
    with pytest.raises(ValueError, match="y_true column 'p' must be binary, got"):
        aggregate_scores(table(columns), y_true="p", y_score="q")
    with pytest.raises(ValueError, match="'q' must hold finite numbers, got 1 null"):
        aggregate_scores(table(columns | {"q": [None, *np.arange(5.0)]}), y_true="label", y_score="q")


def test_no_cases(table):
    with pytest.raises(ValueError, match="frame must hold at least one case"):
        aggregate_scores(table({"label": np.zeros(0), "p": np.zeros(0)}), y_true="label", y_score="p")


@pytest.mark.parametrize("dtype", ["float32", "int64", "int8", "bool"])
@pytest.mark.parametrize("bins", [None, [0.1, 0.5, 1], np.arange(10) / 10], ids=["equal", "uneven", "even"])
def test_scores_of_any_numeric_type(table, dtype, bins):
    y = np.array([0, 1, 1, 0, 1])
    score = np.array([0.1, 0.2, 1, 1, 0]).astype(dtype)
    ours = aggregate_scores(table({"y": y, "p": score}), y_true="y", y_score="p", bins=bins)
    theirs = AggregatedScores.from_arrays(y, score, bins=bins)
    assert all(np.array_equal(ours[key], column) for key, column in dict(theirs).items())
    assert ours.y_score.dtype == np.float64
    assert ours.sample_weight.dtype == np.int64


@pytest.mark.parametrize("labels", [[True, False, True], ["no", "yes", "yes"], [-1, 1, 1], [0.0, 1.0, 1.0]], ids=str)
def test_labels_of_any_type(table, labels):
    ours = aggregate_scores(table({"y": labels, "p": [0.5, 0.5, 0.5]}), y_true="y", y_score="p")
    assert ours.y_true.dtype.kind == np.array(labels).dtype.kind
    assert ours.y_true.tolist() == sorted(set(labels))
