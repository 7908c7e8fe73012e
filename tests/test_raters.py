"""Agreement of several raters, and differences of ratios: by formulas of others, and by drawing all resamples."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

import skcostci as sk

LEVELS = [{"statistic": "krippendorff", "level": level} for level in ("ordinal", "interval")]
STATISTICS = [*({"statistic": name} for name in ("fleiss", "ac1", "brennan_prediger", "krippendorff")), *LEVELS]
RNG = np.random.default_rng(7)
LETTERS, TRUTH = np.array(["a", "b", "c"]), RNG.integers(0, 3, 60)
RATINGS = np.where(RNG.random((60, 4)) < 0.8, TRUTH[:, None], RNG.integers(0, 3, (60, 4)))
# statsmodels 0.14: fleiss_kappa(aggregate_raters(ratings)[0]) of the table below
TABLE = [[0, 0, 0], [1, 1, 0], [2, 2, 2], [0, 1, 2], [1, 1, 1], [0, 0, 1], [2, 2, 0], [1, 1, 1]]
# krippendorff 0.8: alpha(reliability_data=GAPS.T, level_of_measurement="nominal")
GAPS = np.array([[1, 1, np.nan], [2, 2, 3], [3, 3, 3], [np.nan, 1, 2], [1, np.nan, np.nan], [2, 2, 2], [3, 1, 3]])


# Krippendorff (2011), "Computing Krippendorff's alpha-reliability": .743, .815, .849; the digits are those of
# krippendorff 0.9: alpha(reliability_data=PUBLISHED.T, level_of_measurement=level)
BY_RATER = ("1 2 3 3 2 1 4 1 2 - - -", "1 2 3 3 2 2 4 1 2 5 - 3", "- 3 3 3 2 3 4 2 2 5 1 -", "1 2 3 3 2 4 4 1 2 5 1 -")
PUBLISHED = np.array([row.replace("-", "nan").split() for row in BY_RATER], dtype=float).T
IN_WORDS = (
    pd.DataFrame(PUBLISHED).replace(dict(enumerate("-dcabe"))).astype(pd.CategoricalDtype([*"dcabe"], ordered=True))
)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_alpha_of_each_level_is_the_published_one(level):
    right = {"nominal": 0.743421052631579, "ordinal": 0.8153875037548814, "interval": 0.8491071428571428}[level]
    assert_allclose(sk.bootstrap_agreement(PUBLISHED, "krippendorff", level=level).estimate, right, rtol=1e-13)
    if level == "ordinal":
        assert_allclose(sk.bootstrap_agreement(IN_WORDS, "krippendorff", level=level).estimate, right, rtol=1e-13)


def test_coefficients_are_those_of_other_packages():
    # statsmodels 0.14: fleiss_kappa(aggregate_raters(TABLE)[0], method="randolph")
    assert_allclose(sk.bootstrap_agreement(TABLE, "brennan_prediger").estimate, 0.4375, rtol=1e-13)
    for statistic in STATISTICS:  # labels in rows of weight 0 alone are no categories
        found = sk.bootstrap_agreement([[9, 9], *RATINGS[:, :2]], sample_weight=[0] + [1] * 60, **statistic)
        assert found.estimate == sk.bootstrap_agreement(RATINGS[:, :2], **statistic).estimate
    assert_allclose(sk.bootstrap_agreement(TABLE).estimate, 0.425531914893617, rtol=1e-13)
    assert_allclose(sk.bootstrap_agreement(GAPS, "krippendorff").estimate, 0.4642857142857143, rtol=1e-13)
    two = sk.bootstrap_agreement(np.column_stack([[1, 1, 0, 0, 1], [1, 0, 0, 0, 1]]), "ac1")
    assert_allclose(two.estimate, (0.8 - 0.5) / (1 - 0.5), rtol=1e-13)
    limits = sk.bootstrap_agreement(TABLE).confidence_interval()  # of an additional item too, whatever it may be
    assert_allclose(limits, (-0.0900814, 0.8259801), atol=1e-6)


@pytest.mark.parametrize("statistic", STATISTICS)
def test_standard_errors_groups_and_full_agreement(statistic):
    alone = sk.bootstrap_agreement(RATINGS, **statistic)
    moved = [sk.bootstrap_agreement(np.delete(RATINGS, i, axis=0), **statistic).estimate for i in range(60)]
    assert_allclose(alone.standard_error, np.sqrt(59) * np.std(moved), rtol=0.03)  # the jackknife's
    grouped = sk.bootstrap_agreement(np.repeat(RATINGS, 2, axis=0), groups=np.repeat(np.arange(60), 2), **statistic)
    assert grouped.methods[:2] == ("extrapolated", "unseen_group")
    assert grouped.n_groups == 60
    assert_allclose(grouped.standard_error, alone.standard_error, rtol=0.02)
    low, high = sk.bootstrap_agreement(np.repeat([[0, 0, 0], [1, 1, 1]], 15, axis=0), **statistic).confidence_interval()
    assert 0.6 < low < 0.95
    assert high == 1


@pytest.mark.parametrize(
    ("ratings", "statistic", "message"),
    [
        ([1, 0, 1], "fleiss", "a row for each item and a column for each"),
        ([[1], [0]], "fleiss", "two or more raters"),
        ([[np.nan, np.nan]], "krippendorff", "only missing values"),
        ([[1, np.nan], [np.nan, 0]], "krippendorff", "one item with two or more ratings"),
        ([[1, 1], [1, 1]], "fleiss", "at least two categories"),
        (np.arange(400).reshape(200, 2), "fleiss", "at most 100 categories"),
        (TABLE, "scott", "statistic"),
        (TABLE, {"statistic": "fleiss", "level": "ordinal"}, "level is for statistic='krippendorff', got 'ordinal'"),
        (LETTERS[TABLE], LEVELS[0], "level='ordinal' needs the order of the labels, .*: pass numbers or"),
        (LETTERS[TABLE], LEVELS[1], r"level='interval' needs ratings that are finite numbers, got \['a', 'b'"),
        ([[0, 1], [1, np.inf]], LEVELS[1], r"finite numbers, got \[inf\]"),
    ],
)
def test_ratings_that_do_not_fit_are_refused(ratings, statistic, message):
    with pytest.raises(ValueError, match=message):
        sk.bootstrap_agreement(ratings, **(statistic if isinstance(statistic, dict) else {"statistic": statistic}))


WORDS = RNG.integers(5, 25, 60)
ERRORS_A, ERRORS_B = RNG.poisson(0.12 * WORDS), RNG.poisson(0.15 * WORDS)
SPEAKERS = np.arange(60) // 6


def test_a_difference_of_ratios_is_that_of_sums_and_its_error_that_of_resamples():
    found = sk.bootstrap_ratio_difference(ERRORS_A, WORDS, ERRORS_B, WORDS)
    assert_allclose(found.estimate, (ERRORS_A.sum() - ERRORS_B.sum()) / WORDS.sum(), rtol=1e-12)
    by_speaker = sk.bootstrap_ratio_difference(ERRORS_A, WORDS, ERRORS_B, WORDS, groups=SPEAKERS)
    rng = np.random.default_rng(2)
    for result, units, off in ((found, 60, 0.05), (by_speaker, 10, 0.06)):
        rows = np.repeat(rng.multinomial(units, np.full(units, 1 / units), 4000), 60 // units, axis=1)
        assert_allclose(result.standard_error, np.std(rows @ (ERRORS_A - ERRORS_B) / (rows @ WORDS)), rtol=off)


def test_a_range_of_the_ratio_bounds_it():
    matches = np.minimum(RNG.integers(0, 9, 30), 8)
    found = matches * 2 + RNG.integers(0, 3, 30)
    without = sk.bootstrap_ratio(2 * matches, found + 1e-9)
    within = sk.bootstrap_ratio(2 * matches, found + 1e-9, range=(0, 1))
    assert within.confidence_interval().high <= 1
    assert (within.methods[0], without.methods[0]) == ("unseen_case", "extrapolated")
    assert_allclose(within.standard_error, without.standard_error, rtol=1e-12)
    heavy = {"sample_weight": 1 / (1 + matches), "weight_type": "importance"}
    assert sk.bootstrap_ratio(2 * matches, found + 1e-9, **heavy).methods == ("extrapolated", "wald")
    worse = sk.bootstrap_ratio_difference(2 * matches, found + 1e-9, matches, found + 1e-9, range=(0, 1))
    assert worse.methods[0] == "unseen_case"
    assert worse.confidence_interval().high <= 1
    for groups in (None, np.arange(30) // 3):
        hits = np.array([0, 1, 1] * 10)
        ratio = pickle.loads(pickle.dumps(sk.bootstrap_ratio(hits, np.ones(30), range=(0, 1), groups=groups)))
        mean = sk.bootstrap_mean(hits, least=0, most=1, groups=groups)
        assert_allclose(ratio.confidence_interval(), mean.confidence_interval(), atol=1e-6)


@pytest.mark.parametrize(
    ("columns", "range", "error", "message"),
    [
        (([1, 3], [2, 2]), (0, 1), ValueError, r"numerator must lie within range=\(0, 1\) times its denom.*, got 3"),
        (([1, 1], [2, 2], [3, 1], [2, 2]), (0, 1), ValueError, "numerator_b must lie within range"),
        (([1, 1], [2, 2]), (1, 0), ValueError, "smallest < largest"),
        (([1, 1], [2, 2]), 1, TypeError, "pair of numbers"),
        (([1, 1], [2, 2], [1, 1], [2, -2]), None, ValueError, "denominator_b must be non-negative"),
    ],
)
def test_ratios_beyond_their_range_are_refused(columns, range, error, message):
    with pytest.raises(error, match=message):
        (sk.bootstrap_ratio if len(columns) == 2 else sk.bootstrap_ratio_difference)(*columns, range=range)


def test_raters_may_be_in_rows():
    for statistic in STATISTICS:
        weights = {"sample_weight": [1, 2, 1, 1, 1, 1, 1]}
        right = sk.bootstrap_agreement(GAPS, **statistic, **weights)
        for turned in (GAPS.T, pd.DataFrame(GAPS).T, GAPS.T.tolist()):
            found = sk.bootstrap_agreement(turned, layout="raters_in_rows", **statistic, **weights)
            assert (found.estimate, found.standard_error) == (right.estimate, right.standard_error)
    with pytest.raises(ValueError, match="layout must be one of 'cases_in_rows', 'raters_in_rows', got 'rows'"):
        sk.bootstrap_agreement(GAPS, layout="rows")


def test_more_raters_than_items_are_warned_of():
    with pytest.warns(UserWarning, match="more columns, 7, than rows, 3: .*layout='raters_in_rows'"):
        found = sk.bootstrap_agreement(GAPS.T, "krippendorff")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert sk.bootstrap_agreement(GAPS.T, "krippendorff", layout="cases_in_rows").estimate == found.estimate


def test_counts_of_ratings_are_no_ratings():
    # Fleiss (1971), as statsmodels' fleiss_kappa takes them: 14 raters, kappa .210
    rows = ("0 0 0 0 14", "0 2 6 4 2", "0 0 3 5 6", "0 3 9 2 0", "2 2 8 1 1", "7 7 0 0 0", "3 2 6 3 0", "2 5 3 2 2")
    counts = np.array([row.split() for row in (*rows, "6 5 2 1 0", "0 2 2 3 7")], dtype=int)
    for table in (counts, counts.astype(float), pd.DataFrame(counts), counts.tolist()):
        with pytest.raises(ValueError, match=r"look like counts of ratings in each category, .* adds up to 14"):
            sk.bootstrap_agreement(table)
    labels = [np.repeat(range(5), row) for row in np.asarray(counts)]  # as the message says
    assert_allclose(sk.bootstrap_agreement(labels, layout="cases_in_rows").estimate, 0.20993070442195522, rtol=1e-12)
    assert sk.bootstrap_agreement(counts, layout="cases_in_rows").categories == (*range(10), 14)


def test_columns_that_are_no_raters_are_warned_of():
    named = [[f"item {i}", *row] for i, row in enumerate(LETTERS[RATINGS])]
    by_rating = [(f"rater {j}", f"item {i}", "abc"[RATINGS[i, j]]) for i in range(20) for j in range(4)]
    for table in (named, by_rating):
        with pytest.warns(UserWarning, match="Column 0 of ratings uses only labels that no other column uses"):
            sk.bootstrap_agreement(table)
