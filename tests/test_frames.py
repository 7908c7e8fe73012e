"""Counts of cases grouped by an engine give what the cases themselves give, whatever the engine.

The same tests run on frames in memory, always, and on DuckDB, Dask and Spark with ``pytest -m engines``.
"""

import pickle
import sys
from functools import partial, reduce
from operator import add

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import per_cent, samples

import skcostci as sk
from skcostci import AggregatedScores, aggregate_scores, frames

IN_MEMORY = {
    "pyarrow": pa.table,
    "pandas": lambda columns: pa.table(columns).to_pandas(),
    "pandas_arrow": lambda columns: pa.table(columns).to_pandas(types_mapper=pd.ArrowDtype),
    "polars": lambda columns: pl.from_arrow(pa.table(columns)),
    "polars_lazy": lambda columns: pl.from_arrow(pa.table(columns)).lazy(),
}
quietly = pytest.mark.filterwarnings("ignore::skcostci.DegenerateLawWarning")
KEYS = "y_true", "y_score_a", "y_score_b", "sample_weight"
EVEN, UNEVEN = np.linspace(-1, 2, 31), np.array([-1.0, -0.5, 0.0, 0.1, 0.3, 1.0, 1.5])


@pytest.fixture(scope="module")
def spark():
    sql = pytest.importorskip("pyspark.sql")
    options = {"ui.enabled": "false", "sql.shuffle.partitions": "2", "driver.bindAddress": "127.0.0.1"}
    options = {f"spark.{name}": value for name, value in options.items()}
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


def duckdb(columns, request):
    return pytest.importorskip("duckdb").from_arrow(pa.table(columns))


def spark_frame(columns, request):
    return request.getfixturevalue("spark").createDataFrame(pa.table(columns))


def dask(columns, request, kind="pandas_arrow"):
    request.getfixturevalue("cluster")
    return pytest.importorskip("dask.dataframe").from_pandas(IN_MEMORY[kind](columns), npartitions=3)


ENGINES = {"duckdb": duckdb, "dask": dask, "dask_numpy": partial(dask, kind="pandas"), "spark": spark_frame}


@pytest.fixture(params=[*IN_MEMORY, *(pytest.param(name, marks=pytest.mark.engines) for name in ENGINES)])
def table(request):
    """What turns columns of numpy arrays, or of lists in which None is null, into a frame."""
    name = request.param
    return IN_MEMORY[name] if name in IN_MEMORY else partial(ENGINES[name], request=request)


def two_models(n=300, seed=0):
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


BINS = {"none": None, "number": 40, "even": EVEN, "uneven": UNEVEN, "infinite": np.r_[-np.inf, UNEVEN, np.inf]}


@pytest.mark.parametrize("bins", BINS.values(), ids=list(BINS))
def test_frames_are_counted_as_arrays_are(table, bins):
    y, a, b = two_models()
    frame = table({"label": y, "p": a, "q": b})
    for names, columns in (("p", [a]), (["q"], [b]), (["p", "q"], [a, b])):
        counted = aggregate_scores(frame, y_true="label", y_score=names, bins=bins)
        assert counted == AggregatedScores.from_arrays(y, *columns, bins=bins)


ONE_MODEL = [
    *(sk.bootstrap_auc, partial(sk.bootstrap_cost, probability_cost=5)),
    partial(sk.bootstrap_cost, probability_cost=5, sampling="full"),
    partial(sk.bootstrap_roc_at_fpr, fpr=[0.1, 0.5]),
    partial(sk.bootstrap_roc_at_positive_rate, positive_rate=[0.1, 0.5]),
]


@quietly
@pytest.mark.parametrize("asked", [ONE_MODEL, [sk.bootstrap_auc_difference, sk.bootstrap_cost_difference]])
def test_answers_are_the_same_to_the_last_bit(asked):
    sample = two_models()[: 2 if asked is ONE_MODEL else 3]
    counted = AggregatedScores.from_arrays(*sample)
    *columns, times = dict(counted).values()
    assert times.sum() == len(sample[0])
    assert len(np.unique(np.column_stack(columns), axis=0)) == len(times)
    for ask in asked:
        ours, theirs = ask(**counted), ask(*sample)
        same(ours, theirs)
        assert asked is ONE_MODEL or np.array_equal(ours.pvalue(), theirs.pvalue())
    assert counted.auc_error_bound == (0.0 if asked is ONE_MODEL else (0.0, 0.0))
    if asked is ONE_MODEL:
        assert np.array_equal(*(sk.CostCurve.from_predictions(*a, **k).cost for a, k in (((), counted), (sample, {}))))


@quietly
@pytest.mark.parametrize("edges", [EVEN, UNEVEN, BINS["infinite"]], ids=["even", "uneven", "infinite"])
def test_bins_are_exact_at_their_edges(edges):
    y, a, b = two_models()
    a[100:131], b[100:131] = EVEN, np.nextafter(EVEN, -np.inf)
    counted = AggregatedScores.from_arrays(y, a, b, bins=edges)
    finite, ask = edges[np.isfinite(edges)], partial(sk.bootstrap_roc_difference_at_threshold, thresholds=edges)
    assert set(counted.y_score_a) <= {np.nextafter(finite[0], -np.inf), *finite}
    ours, theirs = ask(**counted), ask(y, a, b)
    same(ours.fpr, theirs.fpr)
    same(ours.tpr, theirs.tpr)
    assert np.array_equal(ours.dominance(), theirs.dominance())
    for name, column, bound in zip(KEYS[1:3], (a, b), counted.auc_error_bound, strict=True):
        binned = sk.bootstrap_auc(counted.y_true, counted[name], sample_weight=counted.sample_weight)
        assert 0 < abs(float(binned) - float(sk.bootstrap_auc(y, column))) <= bound < 0.2


@quietly
def test_a_number_of_bins_is_that_many_of_equal_width():
    y, _, b = two_models()
    counted = AggregatedScores.from_arrays(y, b, bins=40)
    width = (b.max() - b.min()) / 40
    assert np.allclose(counted.edges[0], b.min() + width * np.arange(40))
    assert np.isin(counted.y_score, counted.edges[0]).all()
    ask = partial(sk.bootstrap_cost, probability_cost=np.linspace(0, 1, 40), thresholds=counted.edges[0])
    same(ask(**counted), ask(y, b))


OF_ANY_TYPE = [True, False, True, False, True], list("nyyny"), [-1, 1, 1, -1, 1], [0.0, 1.0, 1.0, 0.0, 1.0]
TYPES = list(zip(OF_ANY_TYPE, ("float32", "int64", "int8", "bool"), strict=True))


@pytest.mark.parametrize(("labels", "dtype"), TYPES)
@pytest.mark.parametrize("bins", [None, np.arange(10) / 10], ids=["equal", "even"])
def test_labels_and_scores_of_any_type(table, labels, dtype, bins):
    score = np.array([0.1, 0.2, 1, 1, 0]).astype(dtype)
    ours = aggregate_scores(table({"y": labels, "p": score}), y_true="y", y_score=["p"], bins=bins)
    theirs = AggregatedScores.from_arrays(labels, score, bins=bins)
    assert all(np.array_equal(ours[key], column) for key, column in dict(theirs).items())
    assert ours.y_true.dtype.kind == np.array(labels).dtype.kind
    assert ours.y_score.dtype == (np.float32 if dtype == "float32" and bins is None else np.float64)  # that of edges
    assert ours.sample_weight.dtype == np.int64


@pytest.mark.parametrize("bins", [None, 3], ids=str)
def test_missing_and_infinite_scores_are_counted_by_the_engine(table, bins):
    for score, kinds in (
        ([0.1, None, 0.2, 0.0, None, 0.0], "2 null or NaN and 0 infinite among 6 cases"),
        ([0.1, np.nan, 0.2, np.inf, None, -np.inf], "2 null or NaN and 2 infinite among 6 cases"),
        ([None] * 6, "6 null or NaN and 0 infinite"),
    ):
        frame = table({"y": [0, 1, 0, 1, 0, 1], "p": np.arange(6.0), "q": pa.array(score, pa.float64())})
        with pytest.raises(ValueError, match=f"y_score column 'q' must contain finite numbers, got {kinds}"):
            aggregate_scores(frame, y_true="y", y_score=["p", "q"], bins=bins)


MISSING = "must contain a label for each case, got 2 null or NaN among 5"


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        *((labels, MISSING) for labels in ([0, None, 1, 1, None], ["a", None, "b", "b", None])),
        ([0.0, None, 1.0, 1.0, np.nan], MISSING),
        ([0, 1, 2, 2, 2], r"must be binary, got 3 labels: 0 \(1 cases\), 1 \(1 cases\), 2 \(3 cases\)."),
    ],
)
def test_missing_labels_and_more_than_two_are_counted_by_the_engine(table, labels, said):
    with pytest.raises(ValueError, match=f"y_true column 'label' {said}"):
        aggregate_scores(table({"label": labels, "p": np.zeros(5)}), y_true="label", y_score="p")


@pytest.mark.skipif(not hasattr(nw, "Float16"), reason="older releases of narwhals do not know them")
@pytest.mark.parametrize("bins", [None, [0, 0.3, 0.7]])
def test_halves_are_compared_as_halves_and_may_be_labels(bins):
    y, p = np.array([0, 0, 1, 1], np.float16), np.array([0.3, 0.1, 0.7, 0.3], np.float16)  # .3 and .7 are rounded
    counted = aggregate_scores(pd.DataFrame({"y": y, "p": p}), y_true="y", y_score="p", bins=bins)
    assert counted == AggregatedScores.from_arrays(y.astype(float), p, bins=bins)
    for threshold, recall in ((0.3, 1.0), (0.7, 0.5)):
        rates = sk.bootstrap_roc_at_threshold(**counted, thresholds=threshold)
        assert float(rates.tpr) == recall


def test_counts_are_equal_when_their_numbers_are():
    one, again, other = (AggregatedScores.from_arrays([0, 0, 1], s) for s in ([1, 2, 2], [2, 1, 2], [0, 1, 2]))
    assert one == again == pickle.loads(pickle.dumps(one))
    assert hash(one) == hash(again)
    assert one != other
    assert one != AggregatedScores.from_arrays([0, 0, 1], [1, 2, 2], bins=[1, 2])


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


NO_CASES = {"label": np.zeros(0), "p": np.zeros(0), "name": np.zeros(0)}


@pytest.mark.parametrize(
    ("message", "columns", "y_true", "y_score"),
    [
        (r"y_true must name a column of the frame \('label', 'p', 'name'\), got 'died'", {}, "died", "p"),
        (r"y_score must name a column of the frame .*, got 'q'", {}, "label", ["p", "q"]),
        ("y_score column 'name' must contain real numbers, got String", {}, "label", "name"),
        ("frame must contain at least one case", NO_CASES, "label", "p"),
    ],
)
def test_columns_that_are_not_there_or_hold_no_numbers(table, message, columns, y_true, y_score):
    frame = table({"label": [0, 1], "p": [0.1, 0.2], "name": ["a", "b"], **columns})
    with pytest.raises(TypeError if y_score == "name" else ValueError, match=message):
        aggregate_scores(frame, y_true=y_true, y_score=y_score)


@pytest.mark.parametrize("bins", [None, 3, [0, 2.0**53]], ids=["equal", "number", "edges"])
def test_whole_numbers_that_float64_would_make_equal_are_refused(table, bins):
    frame = table({"y": np.array([0, 1, 1]), "p": np.array([2**53 + 1, 2**53, 7])})
    with pytest.raises(ValueError, match=r"y_score column 'p' must have whole numbers .*, got 9007199254740993"):
        aggregate_scores(frame, y_true="y", y_score="p", bins=bins)


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


@per_cent(25)
@given(samples(columns=2, weights=True), st.sampled_from([None, [-0.5, 0.5], EVEN]), st.data())
def test_folding_pieces_is_counting_at_once(sample, bins, data):
    y, a, b, weights = (np.array(column) for column in sample)
    for scores in ((a,), (a, b)):
        piece = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(y), max_size=len(y))))

        def count(rows, weights, scores=scores):
            columns = [column[rows] for column in (y, *scores)]
            return AggregatedScores.from_arrays(*columns, bins=bins, sample_weight=weights)

        parts = [np.flatnonzero((piece == k) & (weights > 0)) for k in range(4)]
        pieces = [count(part, weights[part]) for part in parts if part.size]
        at_once = dict(count(np.repeat(np.arange(len(y)), weights), None))
        for folded in (sum(pieces), reduce(add, pieces[::-1])):
            for key, column in at_once.items():
                assert np.array_equal(folded[key], column)
                assert folded[key].dtype == column.dtype


@pytest.mark.parametrize("kind", [object, getattr(np.dtypes, "StringDType", lambda: object)()])
def test_text_is_text_whatever_array_or_table_it_comes_in(kind):
    labels = np.array(["no", "yes"], dtype=kind)
    counted = AggregatedScores.from_arrays(labels, [1, 2]) + AggregatedScores.from_arrays(["no", "yes"], [1, 2])
    assert counted.sample_weight.tolist() == [2, 2]
    table = pd.DataFrame({"y": ["no", "no"], "p": [1.0, 2.0]})  # pieces may have a single label
    counted = aggregate_scores(table, y_true="y", y_score="p") + AggregatedScores.from_arrays(["perhaps"], [1.0])
    assert counted.y_true.tolist() == ["no", "no", "perhaps"]


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ({"bins": [1]}, {}, "must have the same bins to be added: pass the same edges"),
        ({"bins": [1]}, {"bins": [2]}, "same bins to be added"),
        ({"bins": 3}, {"bins": 2}, "same bins to be added"),
        ({}, {"y_scores": ([1, 2], [1, 2])}, "the same number of score columns to be added, got 1 and 2"),
        ({}, {"y_true": ["a", "b"]}, "the same kind to be added, got int64 and <U1 labels"),
        ({}, {"y_true": [2, 3]}, r"y_true must be binary, got 4 labels: 0 \(1 cases\)"),
    ],
)
def test_what_does_not_add_up(a, b, message):
    def count(y_true=(0, 1), y_scores=((1, 2),), bins=None):
        return AggregatedScores.from_arrays(y_true, *y_scores, bins=bins)

    with pytest.raises(TypeError if "kind" in message else ValueError, match=message):
        count(**a) + count(**b)


@pytest.mark.parametrize("other", [1, None])
def test_counts_add_up_with_counts_alone(other):
    counted = AggregatedScores.from_arrays([0, 1], [1, 2])
    for left, right in ((counted, other), (other, counted)):
        with pytest.raises(TypeError, match="unsupported operand"):
            left + right


@pytest.mark.parametrize(
    ("bins", "message"),
    [
        (0, r"must be a whole number in \[1, 30000000\], got 0"),
        (10**9, r"must be a whole number in \[1, 30000000\]"),
        (0.5, "must be None, a whole number or a vector of edges, got 0.5"),
        ([0.2, 0.1], "as edges must be strictly increasing"),
        ([0.1, 0.1], "as edges must be strictly increasing"),
        ([np.nan], "must contain numbers in .*, got nan"),
        ([-np.inf, np.inf], "as edges must contain at least one finite edge"),
        ((1, [2, 3], [1]), "as a tuple must contain an entry for each of 2 models, got 3"),
        ([1, [2, 3]], "must not contain sequences of different"),
        ("ten", "must contain real numbers"),
    ],
)
def test_hostile_bins(bins, message):
    with pytest.raises(TypeError if bins == "ten" else ValueError, match=f"^bins {message}"):
        AggregatedScores.from_arrays([0, 1], [1, 2], [1, 2], bins=bins)
    with pytest.raises(ValueError, match="bins must be given as edges if scores range as widely as"):
        AggregatedScores.from_arrays([0, 1], [-1e308, 1e308], bins=2)


def of_frame(frame, y_true, y_score):
    return aggregate_scores(frame, y_true=y_true, y_score=y_score)


MIX = pd.DataFrame({"y": pd.Series([0, "yes"], dtype=object), "p": [1.0, 2.0]})
of_arrays = AggregatedScores.from_arrays
LISTS, DICTS = (pl.DataFrame({"y": [kind, kind], "p": [0.1, 0.2]}) for kind in ([0], {"a": 0}))


@pytest.mark.parametrize(
    ("error", "message", "count", "given"),
    [
        (ValueError, "y_score must have from one to 26 score columns, got 0", of_arrays, [[0, 1]]),
        (ValueError, "y_score must have from one to 26 score columns, got 27", of_arrays, [[0, 1]] * 28),
        (ValueError, "y_true must not contain NaN", of_arrays, [[0, np.nan], [1, 2]]),
        (TypeError, "y_true must contain labels of one kind", of_arrays, [[0, "a", 1.5], [1, 2, 3]]),
        (ValueError, r"y_true must not contain NaN, .* \(None\) at position 2", of_arrays, [[0, "a", None], [1, 2, 3]]),
        (ValueError, "y_score must be finite", of_arrays, [[0, 1], [1, np.inf]]),
        (ValueError, "y_true and y_score and sample_weight must have the same length", of_arrays, [[0, 1], [1, 2, 3]]),
        (ValueError, "y_score must contain at least one case", of_arrays, [[], []]),
        (TypeError, "frame must be a table for narwhals, got list", of_frame, [[1, 2], "y", "p"]),
        (ValueError, "y_score must have from one to 26 score columns, got 0", of_frame, [None, "y", []]),
        (TypeError, "y_true must be the name of a column, got 0", of_frame, [None, 0, "p"]),
        (TypeError, "y_score must be the name of a column, got None", of_frame, [None, "y", None]),
        (TypeError, "y_score must be the name of a column, got 0", of_frame, [None, "y", [0]]),
        (ValueError, r"y_score must be a name that no engine reads as a pattern, got '\*'", of_frame, [None, "y", "*"]),
        (ValueError, r"y_true must be a name that no engine reads as a pattern, got '\^", of_frame, [None, "^y$", "p"]),
        (TypeError, "y_true column 'y' must contain labels of one kind", of_frame, [MIX, "y", "p"]),
        (TypeError, "y_true column 'y' must contain a label for each case, got List", of_frame, [LISTS, "y", "p"]),
        (TypeError, "y_true column 'y' must contain a label for each case, got Struct", of_frame, [DICTS, "y", "p"]),
    ],
)
def test_hostile_arrays_frames_and_names(error, message, count, given):
    with pytest.raises(error, match=message):
        count(*given)


def test_counts_are_read_only_and_say_what_they_are():
    one = AggregatedScores.from_arrays([0, 1], [1, 2])
    two = AggregatedScores.from_arrays([0, 1], [1, 2], [3, 4], bins=1)
    assert repr(one) == "AggregatedScores(2 cases in 2 groups)"
    assert repr(two) == "AggregatedScores(2 cases in 2 groups, binned)"
    assert tuple(dict(two)) == KEYS
    for array in [*dict(two).values(), *two.edges]:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    with pytest.raises(AttributeError, match="There is no y_score_a: the score columns are y_score"):
        _ = one.y_score_a
    with pytest.raises(KeyError, match="edges"):
        one["edges"]


def test_a_frame_is_grouped_once_and_only_groups_are_collected(monkeypatch):
    collect, collected = pl.LazyFrame.collect, []

    def watching(*arguments, **options):
        collected.append(collect(*arguments, **options))
        return collected[-1]

    monkeypatch.setattr(pl.LazyFrame, "collect", watching)
    y, a, b = two_models()
    frame = pl.LazyFrame({"y": y, "p": a.round(), "q": b.round()})
    counted = aggregate_scores(frame, y_true="y", y_score=["p", "q"])
    assert [len(found) for found in collected] == [len(counted.y_true)]
    with pytest.raises(ValueError, match="1 infinite"):
        aggregate_scores(pl.LazyFrame({"y": [0] * 50, "p": [np.inf] + [1.0] * 49}), y_true="y", y_score="p")
    assert max(len(found) for found in collected[1:]) <= 2


def test_without_narwhals_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "narwhals.stable.v2", None)
    with pytest.raises(ImportError, match=r'pip install "skcostci\[frames\]"'):
        aggregate_scores(None, y_true="y", y_score="p")
