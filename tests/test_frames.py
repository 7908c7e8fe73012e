"""Counts of cases grouped by an engine give what the cases themselves give, whatever the engine.

The same tests run on frames in memory, always, and on DuckDB, Dask and Spark with ``pytest -m engines``.
"""

import pickle
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


@pytest.fixture(scope="module")
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


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip("distributed")
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0"}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster):
        yield cluster


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
    request.getfixturevalue("cluster")
    pandas, dask = as_pandas_arrow(request), pytest.importorskip("dask.dataframe")
    return lambda columns: dask.from_pandas(pandas(columns), npartitions=3)


def as_dask_numpy(request):
    request.getfixturevalue("cluster")
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


SLOW = {"percentile"}  # takes seconds at a false-positive rate among tied scores; it asks nothing of the counting


def same(ours, theirs):
    """Every number a result gives is the same to the last bit."""
    assert np.array_equal(ours.estimate, theirs.estimate)
    assert np.array_equal(ours.standard_error, theirs.standard_error)
    for method in set(ours.methods) - SLOW:
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
    at = {"thresholds": edges}
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


@pytest.mark.parametrize("bins", [None, 3], ids=str)
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
    with pytest.raises(ValueError, match=f"y_score column 'q' must contain finite numbers, got {kinds}"):
        aggregate_scores(frame, y_true="y", y_score=["p", "q"], bins=bins)


@pytest.mark.parametrize("labels", [[0, None, 1, 1, None], ["a", None, "b", "b", None], [0.0, None, 1.0, 1.0, np.nan]])
def test_missing_labels_are_counted_by_the_engine(table, labels):
    with pytest.raises(
        ValueError, match="y_true column 'label' must contain a label for each case, got 2 null or NaN among 5"
    ):
        aggregate_scores(table({"label": labels, "p": np.zeros(5)}), y_true="label", y_score="p")


def test_more_than_two_labels_are_counted_by_the_engine(table):
    frame = table({"label": [0, 1, 2, 2, 2], "p": np.zeros(5)})
    message = r"y_true column 'label' must be binary, got 3 labels: 0 \(1 cases\), 1 \(1 cases\), 2 \(3 cases\)."
    with pytest.raises(ValueError, match=message):
        aggregate_scores(frame, y_true="label", y_score="p")


def test_scores_of_half_precision_are_counted():
    if not hasattr(pytest.importorskip("narwhals"), "Float16"):
        pytest.skip("older releases of narwhals do not know them")
    frame = pytest.importorskip("pandas").DataFrame({"y": [0, 0, 1, 1], "p": np.array([0.25, 0.5, 0.5, 1], np.float16)})
    counted = aggregate_scores(frame, y_true="y", y_score="p")
    assert counted.y_score.tolist() == [0.25, 0.5, 0.5, 1]


@pytest.mark.parametrize("bins", [None, [0, 0.3, 0.7]])
def test_halves_are_compared_as_halves_and_may_be_labels(bins):
    if not hasattr(pytest.importorskip("narwhals"), "Float16"):
        pytest.skip("older releases of narwhals do not know them")
    y, p = np.array([0, 0, 1, 1], np.float16), np.array([0.3, 0.1, 0.7, 0.3], np.float16)  # .3 and .7 are rounded
    frame = pytest.importorskip("pandas").DataFrame({"y": y, "p": p})
    counted = aggregate_scores(frame, y_true="y", y_score="p", bins=bins)
    assert counted == AggregatedScores.from_arrays(y.astype(float), p, bins=bins)
    for threshold, recall in ((0.3, 1.0), (0.7, 0.5)):
        rates = skcostci.bootstrap_roc_at_threshold(**counted, thresholds=threshold)
        assert float(rates.tpr) == recall


def test_counts_are_equal_when_their_numbers_are():
    counts = [
        AggregatedScores.from_arrays([0, 0, 1], scores) for scores in ([0.1, 0.2, 0.2], [0.2, 0.1, 0.2], [0, 1, 2])
    ]
    assert counts[0] == counts[1] == pickle.loads(pickle.dumps(counts[0]))
    assert hash(counts[0]) == hash(counts[1])
    assert counts[0] != counts[2]
    assert counts[0] != AggregatedScores.from_arrays([0, 0, 1], [0.1, 0.2, 0.2], bins=[0.1, 0.2])


@pytest.mark.parametrize("labels", [[[0], [1]], [{"a": 0}, {"a": 1}]])
def test_labels_are_no_collections(labels):
    frame = pytest.importorskip("polars").DataFrame({"y": labels, "p": [0.1, 0.2]})
    with pytest.raises(TypeError, match=r"y_true column 'y' must contain a label for each case, got (List|Struct)"):
        aggregate_scores(frame, y_true="y", y_score="p")


def test_columns_that_are_not_there_or_hold_no_numbers(table):
    frame = table({"label": [0, 1], "p": [0.1, 0.2], "name": ["a", "b"]})
    with pytest.raises(
        ValueError, match=r"y_true must name a column of the frame \('label', 'p', 'name'\), got 'died'"
    ):
        aggregate_scores(frame, y_true="died", y_score="p")
    with pytest.raises(ValueError, match=r"y_score must name a column of the frame .*, got 'q'"):
        aggregate_scores(frame, y_true="label", y_score=["p", "q"])
    with pytest.raises(TypeError, match="y_score column 'name' must contain real numbers, got String"):
        aggregate_scores(frame, y_true="label", y_score="name")


def test_too_many_groups_suggest_bins(table, monkeypatch):
    monkeypatch.setattr(frames, "MOST_GROUPS", 5)
    columns = {"label": [0, 1, 0, 1, 0, 1], "p": np.arange(6.0), "q": np.zeros(6)}
    with pytest.raises(ValueError, match=r"y_score \('p' and 'q'\) must form at most 5 groups: pass bins"):
        aggregate_scores(table(columns), y_true="label", y_score=["p", "q"])
    assert len(aggregate_scores(table(columns), y_true="label", y_score="p", bins=[3]).y_true) == 4
    with pytest.raises(ValueError, match="y_true column 'p' must be binary, got"):
        aggregate_scores(table(columns), y_true="p", y_score="q")
    with pytest.raises(ValueError, match="'q' must contain finite numbers, got 1 null"):
        aggregate_scores(table(columns | {"q": [None, *np.arange(5.0)]}), y_true="label", y_score="q")


def test_no_cases(table):
    with pytest.raises(ValueError, match="frame must contain at least one case"):
        aggregate_scores(table({"label": np.zeros(0), "p": np.zeros(0)}), y_true="label", y_score="p")


@pytest.mark.parametrize("bins", [None, 3, [0, 2.0**53]], ids=["equal", "number", "edges"])
def test_whole_numbers_that_float64_would_make_equal_are_refused(table, bins):
    frame = table({"y": np.array([0, 1, 1]), "p": np.array([2**53 + 1, 2**53, 7])})
    with pytest.raises(ValueError, match=r"y_score column 'p' must have whole numbers .*, got 9007199254740993"):
        aggregate_scores(frame, y_true="y", y_score="p", bins=bins)


@pytest.mark.parametrize("dtype", ["float32", "int64", "int8", "bool"])
@pytest.mark.parametrize("bins", [None, np.arange(10) / 10], ids=["equal", "even"])
def test_scores_of_any_numeric_type(table, dtype, bins):
    y = np.array([0, 1, 1, 0, 1])
    score = np.array([0.1, 0.2, 1, 1, 0]).astype(dtype)
    ours = aggregate_scores(table({"y": y, "p": score}), y_true="y", y_score="p", bins=bins)
    theirs = AggregatedScores.from_arrays(y, score, bins=bins)
    assert all(np.array_equal(ours[key], column) for key, column in dict(theirs).items())
    precision = np.float32 if dtype == "float32" and bins is None else np.float64  # their own, and that of edges
    assert ours.y_score.dtype == precision
    assert ours.sample_weight.dtype == np.int64


@pytest.mark.parametrize("labels", [[True, False, True], ["no", "yes", "yes"], [-1, 1, 1], [0.0, 1.0, 1.0]], ids=str)
def test_labels_of_any_type(table, labels):
    ours = aggregate_scores(table({"y": labels, "p": [0.5, 0.5, 0.5]}), y_true="y", y_score="p")
    assert ours.y_true.dtype.kind == np.array(labels).dtype.kind
    assert ours.y_true.tolist() == sorted(set(labels))


def test_one_score_column_may_come_in_a_list(table):
    counted = aggregate_scores(table({"y": [0, 1], "p": [0.5, 0.5]}), y_true="y", y_score=["p"], bins=(0.1, 0.2))
    assert counted.y_score.tolist() == [0.2, 0.2]


def test_each_model_may_have_bins_of_its_own():
    y, a, b = [0, 1, 1], [0.1, 0.2, 0.3], [5, 5, 7]
    counted = AggregatedScores.from_arrays(y, a, b, bins=(2, None))
    assert counted.y_score_a.tolist() == [0.1, 0.2, 0.2]
    assert counted.y_score_b.tolist() == [5, 5, 7]
    assert counted.edges[1] is None
    assert counted.auc_error_bound == (0.0, 0.0)


def test_the_bound_is_half_the_share_of_pairs_that_share_a_bin():
    counted = AggregatedScores.from_arrays([0, 0, 0, 1, 1], [0.1, 0.2, 0.6, 0.3, 0.7], bins=[0, 0.5])
    assert counted.auc_error_bound == (2 * 1 + 1 * 1) / 6 / 2
    with pytest.raises(ValueError, match="auc_error_bound needs cases with both labels, got 1 only"):
        _ = AggregatedScores.from_arrays([1, 1], [0.1, 0.2], bins=1).auc_error_bound


@given(samples(columns=2, weights=True), st.sampled_from([None, [-0.5, 0.5], EVEN]), st.data())
def test_folding_pieces_is_counting_at_once(sample, bins, data):
    y, a, b, weights = (np.array(column) for column in sample)
    for scores in ((a,), (a, b)):
        piece = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(y), max_size=len(y))))
        pieces = [
            AggregatedScores.from_arrays(
                y[part], *(column[part] for column in scores), bins=bins, sample_weight=weights[part]
            )
            for part in (piece == k for k in range(4))
            if weights[part].any()
        ]
        at_once = AggregatedScores.from_arrays(
            np.repeat(y, weights), *(np.repeat(column, weights) for column in scores), bins=bins
        )
        for folded in (sum(pieces), reduce(add, pieces[::-1])):
            for key, column in dict(at_once).items():
                assert np.array_equal(folded[key], column)
                assert folded[key].dtype == column.dtype


def test_pieces_of_one_label_add_up_and_tables_add_up_with_arrays():
    import pandas as pd

    table = pd.DataFrame({"y": ["no", "no"], "p": [1.0, 2.0]})
    counted = aggregate_scores(table, y_true="y", y_score="p") + AggregatedScores.from_arrays(["perhaps"], [1.0])
    assert counted.y_true.tolist() == ["no", "no", "perhaps"]


@pytest.mark.parametrize("kind", [object, getattr(np.dtypes, "StringDType", lambda: object)()])
def test_text_is_text_whatever_array_it_comes_in(kind):
    labels = np.array(["no", "yes"], dtype=kind)
    counted = AggregatedScores.from_arrays(labels, [1, 2]) + AggregatedScores.from_arrays(["no", "yes"], [1, 2])
    assert counted.sample_weight.tolist() == [2, 2]


def test_numbers_among_texts_are_refused():
    import pandas as pd

    table = pd.DataFrame({"y": pd.Series([0, "yes"], dtype=object), "p": [1.0, 2.0]})
    with pytest.raises(TypeError, match="y_true column 'y' must contain labels of one kind"):
        aggregate_scores(table, y_true="y", y_score="p")


@pytest.mark.parametrize(
    ("a", "b", "error", "message"),
    [
        ({"bins": [1]}, {}, ValueError, "must have the same bins to be added: pass the same edges"),
        ({"bins": [1]}, {"bins": [2]}, ValueError, "same bins to be added"),
        ({"bins": 3}, {"bins": 2}, ValueError, "same bins to be added"),
        ({}, {"y_scores": ([1, 2], [1, 2])}, ValueError, r"the same number of score columns to be added, got 1 and 2"),
        ({}, {"y_true": ["a", "b"]}, TypeError, "the same kind to be added, got int64 and <U1 labels"),
        ({}, {"y_true": [2, 3]}, ValueError, r"y_true must be binary, got 4 labels: 0 \(1 cases\)"),
    ],
)
def test_what_does_not_add_up(a, b, error, message):
    def count(y_true=(0, 1), y_scores=((1, 2),), bins=None):
        return AggregatedScores.from_arrays(y_true, *y_scores, bins=bins)

    with pytest.raises(error, match=message):
        count(**a) + count(**b)


def test_counts_add_up_with_counts_alone():
    counted = AggregatedScores.from_arrays([0, 1], [1, 2])
    for other in (1, None):
        with pytest.raises(TypeError, match="unsupported operand"):
            counted + other
        with pytest.raises(TypeError, match="unsupported operand"):
            other + counted


@pytest.mark.parametrize(
    ("bins", "error", "message"),
    [
        (0, ValueError, r"bins must be a whole number in \[1, 30000000\], got 0"),
        (0.5, ValueError, "bins must be None, a whole number or a vector of edges, got 0.5"),
        ([0.2, 0.1], ValueError, "bins as edges must be strictly increasing"),
        ([0.1, 0.1], ValueError, "bins as edges must be strictly increasing"),
        ([np.nan], ValueError, "bins must contain numbers in .*, got nan"),
        ([-np.inf, np.inf], ValueError, "at least one finite edge"),
        ("ten", TypeError, "bins must contain real numbers"),
        ((1, 2, 3), ValueError, "bins as a tuple must contain an entry for each of 2 models, got 3"),
    ],
)
def test_hostile_bins(bins, error, message):
    with pytest.raises(error, match=message):
        AggregatedScores.from_arrays([0, 1], [1, 2], [1, 2], bins=bins)
    with pytest.raises(ValueError, match="bins must be given as edges if scores range as widely as"):
        AggregatedScores.from_arrays([0, 1], [-1e308, 1e308], bins=2)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (([0, 1],), ValueError, "y_score must have from one to 26 score columns, got 0"),
        (([0, 1], *[[1, 2]] * 27), ValueError, "y_score must have from one to 26 score columns, got 27"),
        (([0, np.nan], [1, 2]), ValueError, "y_true must not contain NaN"),
        (([0, "a", 1.5], [1, 2, 3]), TypeError, "y_true must contain labels of one kind"),
        (([0, "a", None], [1, 2, 3]), ValueError, r"y_true must not contain NaN, None or .* \(None\) at position 2"),
        (([0, 1], [1, np.inf]), ValueError, "y_score must be finite"),
        (([0, 1], [1, 2, 3]), ValueError, "y_true and y_score and sample_weight must have the same length"),
        (([], []), ValueError, "y_score must contain at least one case"),
    ],
)
def test_hostile_arrays(arguments, error, message):
    with pytest.raises(error, match=message):
        AggregatedScores.from_arrays(*arguments)


@pytest.mark.parametrize(
    ("frame", "y_true", "y_score", "error", "message"),
    [
        ([1, 2], "y", "p", TypeError, "frame must be a table for narwhals, got list"),
        (None, "y", [], ValueError, "y_score must have from one to 26 score columns, got 0"),
        (None, 0, "p", TypeError, "y_true must be the name of a column, got 0"),
        (None, "y", None, TypeError, "y_score must be the name of a column, got None"),
        (None, "y", [0], TypeError, "y_score must be the name of a column, got 0"),
        (None, "y", "*", ValueError, r"y_score must be a name that no engine reads as a pattern, got '\*'"),
        (None, "^y.*$", "p", ValueError, r"y_true must be a name that no engine reads as a pattern, got '\^y"),
    ],
)
def test_hostile_frames_and_names(frame, y_true, y_score, error, message):
    with pytest.raises(error, match=message):
        aggregate_scores(frame, y_true=y_true, y_score=y_score)


def test_counts_are_read_only_and_say_what_they_are():
    one, two = (
        AggregatedScores.from_arrays([0, 1], [1, 2]),
        AggregatedScores.from_arrays([0, 1], [1, 2], [3, 4], bins=1),
    )
    assert repr(one) == "AggregatedScores(2 cases in 2 groups)"
    assert repr(two) == "AggregatedScores(2 cases in 2 groups, binned)"
    assert list(dict(two)) == ["y_true", "y_score_a", "y_score_b", "sample_weight"]
    for array in [*dict(two).values(), *two.edges]:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    with pytest.raises(AttributeError, match="There is no y_score_a: the score columns are y_score"):
        _ = one.y_score_a
    with pytest.raises(KeyError, match="edges"):
        one["edges"]


def test_a_frame_is_grouped_once_and_only_groups_are_collected(monkeypatch):
    polars = pytest.importorskip("polars")
    collected = []
    monkeypatch.setattr(polars.LazyFrame, "collect", watched(polars.LazyFrame.collect, collected))
    y, a, b = two_models()
    frame = polars.LazyFrame({"y": y, "p": a.round(), "q": b.round()})
    counted = aggregate_scores(frame, y_true="y", y_score=["p", "q"])
    assert [len(found) for found in collected] == [len(counted.y_true)]
    with pytest.raises(ValueError, match="1 infinite"):
        aggregate_scores(polars.LazyFrame({"y": [0] * 50, "p": [np.inf] + [1.0] * 49}), y_true="y", y_score="p")
    assert max(len(found) for found in collected[1:]) <= 2


def watched(collect, collected):
    def watching(*arguments, **options):
        collected.append(collect(*arguments, **options))
        return collected[-1]

    return watching


def test_importing_the_package_imports_neither_narwhals_nor_an_engine_nor_matplotlib():
    code = """
import sys, sklearn.metrics  # imports some of them itself
before = set(sys.modules)
import skcostci
late = "narwhals duckdb polars pandas pyarrow dask distributed pyspark matplotlib".split()
sys.exit(any(name.split(".")[0] in late for name in set(sys.modules) - before))
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_without_narwhals_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "narwhals.stable.v2", None)
    with pytest.raises(ImportError, match=r'pip install "skcostci\[frames\]"'):
        aggregate_scores(None, y_true="y", y_score="p")
