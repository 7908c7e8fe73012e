"""The AUC of several classes: scikit-learn's values, all resamples of small samples, two classes as before, limits."""

import itertools

import numpy as np
import oracles
import pytest
from budget import assert_standard_errors
from numpy.testing import assert_allclose
from scipy.stats import beta
from sklearn.datasets import load_wine
from sklearn.metrics import roc_auc_score
from sklearn.naive_bayes import GaussianNB

from skcostci import DegenerateLawWarning, ROCConfidenceDisplay, bootstrap_auc, bootstrap_auc_difference

AVERAGES = list(itertools.product(("ovr", "ovo"), ("macro", "weighted")))
HOW = "multi_class", "average"
SIZES = [(3, 3, 2), (2, 1, 2, 2)]


def tied_sample(sizes, seed=0):
    """Labels and two models' probabilities, with ties."""
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(len(sizes)), sizes)
    probas = rng.integers(1, 5, (2, len(y), len(sizes))).astype(float)
    probas[0, np.arange(len(y)), y] += 2
    return y, *(proba / proba.sum(axis=1, keepdims=True) for proba in probas)


def values_of_resamples(y, probas, **options):
    """Each model's value in every resample of the classes to their own sizes, and the resamples' probabilities."""
    rows = [[(label, row) for row in np.flatnonzero(y == label).tolist()] for label in np.unique(y).tolist()]
    values, shares = [], []
    for drawn in itertools.product(*(list(oracles.resamples(part, len(part))) for part in rows)):
        cases = [case for part, _ in drawn for case in part]
        tables = [[(label, proba[row].tolist()) for label, row in cases] for proba in probas]
        values.append([float(oracles.auc_of_classes(table, **options)) for table in tables])
        shares.append(float(np.prod([float(share) for _, share in drawn])))
    return np.array(values).T, np.array(shares)


@pytest.fixture(scope="module")
def wine():
    X, y = load_wine(return_X_y=True)
    model = GaussianNB().fit(X[::2, :3], y[::2])
    return model, X[1::2, :3], y[1::2], model.predict_proba(X[1::2, :3])


@pytest.mark.parametrize(("multi_class", "average"), AVERAGES)
@pytest.mark.parametrize("sizes", SIZES)
def test_moments_are_those_of_all_resamples(sizes, multi_class, average):
    """Variances are of first order: with two or three cases a class what single pairs add is missing."""
    y, a, b = tied_sample(sizes)
    options = {"multi_class": multi_class, "average": average}
    (one, two), shares = values_of_resamples(y, (a, b), **options)
    auc, difference = bootstrap_auc(y, a, **options), bootstrap_auc_difference(y, a, b, **options)
    assert_allclose([auc.estimate, auc.mean], shares @ one, rtol=1e-13)
    assert_allclose(difference.estimate, shares @ (one - two), atol=1e-14)
    for result, values in ((auc, one), (difference, one - two)):
        variance = shares @ values**2 - (shares @ values) ** 2
        assert 0.76 * variance <= result.standard_error**2 <= (1 + 1e-12) * variance
    assert_allclose(difference.statistic, difference.estimate / difference.standard_error, rtol=1e-11)


@pytest.mark.parametrize(("multi_class", "average"), AVERAGES)
def test_estimates_are_those_of_scikit_learn(wine, multi_class, average):
    _, _, y, proba = wine
    names, options = np.array(["white", "red", "rosé"]), {"multi_class": multi_class, "average": average}
    expected = roc_auc_score(y, proba, **options)
    assert_allclose(float(oracles.auc_of_classes(list(zip(y, proba.tolist(), strict=True)), **options)), expected)
    assert_allclose(bootstrap_auc(y, proba, **options).estimate, expected, rtol=1e-14)
    assert_allclose(bootstrap_auc(names[y], proba, labels=names, **options).estimate, expected, rtol=1e-14)


@pytest.mark.parametrize(("shift", "how"), [*zip([0.0, 1.5, 4.0, 1.5], AVERAGES, strict=True)])
def test_two_classes_are_the_binary_auc(shift, how):
    rng, y = np.random.default_rng(1), np.repeat([0, 1], [20, 9])
    a, b = ((rng.normal(size=29) + shift * y).round(1) for _ in "ab")
    options, tables = dict(zip(HOW, how, strict=True)), [np.column_stack([-score, score]) for score in (a, b)]
    for binary, several in (
        (bootstrap_auc(y, a), bootstrap_auc(y, tables[0], **options)),
        (bootstrap_auc_difference(y, a, b), bootstrap_auc_difference(y, *tables, **options)),
    ):
        assert_allclose(several.estimate, binary.estimate, atol=1e-15)
        assert_standard_errors(several.standard_error, binary.standard_error, 1.5)
        for level in (1e-3, 0.95, 1 - 1e-9):
            limits = binary.confidence_interval(level, method="unseen_case")
            assert_allclose(several.confidence_interval(level, method="unseen_case"), limits, atol=1e-11)


def test_a_perfect_ranking_is_not_certain():
    y = np.repeat([0, 1, 2], [15, 5, 30])
    auc, worst = bootstrap_auc(y, np.eye(3)[y], multi_class="ovr"), bootstrap_auc(y, -np.eye(3)[y], multi_class="ovo")
    low, high = auc.confidence_interval()
    assert (auc.estimate, auc.standard_error, high) == (1, 0, 1)
    assert 0.5 < low < 0.9
    with pytest.warns(DegenerateLawWarning):
        assert auc.confidence_interval(method="wald") == (1, 1)
    assert worst.estimate == worst.confidence_interval().low == 0
    assert worst.confidence_interval().high > 0.1


def test_one_class_that_errs_all_or_nothing_has_nearly_binomial_limits():
    """Of two classes that are told apart, and a third whose cases have either all their pairs right or none but one.

    Then all that varies is the share of right cases, whose limits are Clopper and Pearson's with .92 of a case. The
    bound's law starts at 0 rather than at the worst that this class alone can do: no narrower, and hardly wider.
    """
    n, wrong = 12, 3
    y = np.repeat([0, 1, 2], [n, 40, 40])
    proba = np.eye(3)[y]
    proba[:wrong] = [-1, 2, 0]  # below all others in its own column, above class 1 in that of class 1
    auc = bootstrap_auc(y, proba, multi_class="ovo")
    low, _ = auc.confidence_interval(0.9)
    binomial = 0.5 + 0.5 * beta.ppf(0.05, n - wrong, wrong + 0.92)
    assert binomial - 0.02 * (auc.estimate - binomial) < low < binomial


def test_one_column_is_binary_whatever_is_said_of_classes():
    assert bootstrap_auc([0, 1, 1], [1, 3, 2], multi_class="ovr") == bootstrap_auc([0, 1, 1], [[1], [3], [2]])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"multi_class": "ovx"}, "multi_class must be one of 'raise', 'ovr', 'ovo', got 'ovx'"),
        ({"multi_class": "ovo", "average": None}, "average=None needs multi_class='ovr': with 'ovo' the AUCs"),
        ({"average": "samples"}, "average must be one of 'macro', 'weighted', 'micro', got 'samples'"),
        ({"sampling": "full"}, "sampling must be one of 'stratified', got 'full'. The class sizes of several"),
        ({"pos_label": 1}, "pos_label must be None with several classes, got 1"),
        ({"labels": [0, 1]}, "y_true contains 2, which is not among labels"),
        ({"labels": [0, 1, 2, 3]}, r"y_score must have a column per class, \[0, 1, 2, 3\], got 3"),
        ({"labels": [0, 1, 2, 3], "y_score": np.ones((8, 4))}, "y_true must contain every class, got no case of 3"),
        ({"y_score": np.full((8, 3), np.nan)}, "y_score must be finite, got nan in row 0, column 0"),
        ({"y_score": np.ones((7, 3))}, "must have the same length"),
        ({"sample_weight": [0.5] * 8}, "sample_weight must contain frequencies"),
        ({"multi_class": "raise", "y_score": np.ones(8), "labels": [0, 1]}, "labels needs multi_class="),
    ],
)
def test_errors_say_what_came_and_what_may_come(change, message):
    y, proba, _ = tied_sample((3, 3, 2))
    given = {"y_true": y, "y_score": proba, "multi_class": "ovr", **change}
    with pytest.raises(ValueError, match=message):
        bootstrap_auc(**given)


def test_each_class_against_the_rest_on_one_pair_of_axes(wine):
    model, X, y, proba = wine
    names = np.array(["barbera", "barolo", "grignolino"])
    together = ROCConfidenceDisplay.from_predictions(names[y], proba, name="Logistic")
    assert len(together.line_) == len(together.fill_between_) == 3
    for label, (name, each) in enumerate(zip(names, together.classes, strict=True)):
        alone = ROCConfidenceDisplay.from_predictions(y == label, proba[:, label])
        for attribute in ("fpr", "tpr", "low", "high"):
            assert_allclose(getattr(each, attribute), getattr(alone, attribute))
        assert together.line_[label].get_label().startswith(f"Logistic, {name} against the rest (AUC = ")
        assert together.roc_auc[label] == alone.roc_auc
    chosen = ROCConfidenceDisplay.from_predictions(names[y], proba, pos_label="grignolino")
    assert_allclose(chosen.tpr, alone.tpr)
    assert chosen.ax_.get_xlabel() == "False Positive Rate (Positive label: grignolino)"
    with pytest.raises(ValueError, match="a list of length 3"):
        together.plot(curve_kwargs=[{}, {}])
    assert_allclose(ROCConfidenceDisplay.from_estimator(model, X, y).roc_auc, together.roc_auc, rtol=1e-13)
    assert ROCConfidenceDisplay.from_estimator(model, X, y, pos_label=2).roc_auc == alone.roc_auc
    with pytest.raises(ValueError, match="pos_label=7 is not a valid label"):
        ROCConfidenceDisplay.from_estimator(model, X, y, pos_label=7)


def grouped_sample(n_classes):
    """Eighteen groups of five cases, of all classes; the scores of a group are shifted together, with ties."""
    rng = np.random.default_rng(n_classes)
    groups, y = np.repeat(np.arange(18), 5), rng.integers(0, n_classes, 90)
    shifts = rng.normal(size=(2, 18, n_classes))[:, groups] / 2
    scores = rng.normal(size=(2, 90, n_classes)) + shifts
    scores[:, np.arange(90), y] += 1.3
    return y, np.round(scores, 1), groups


@pytest.mark.parametrize(("multi_class", "average"), AVERAGES)
def test_standard_errors_in_groups_are_those_of_heavier_groups(multi_class, average):
    """What a group adds is what the AUC gains where its cases count for a thousandth more."""
    y, tables, groups = grouped_sample(3)
    options = {"multi_class": multi_class, "average": average}
    found, without = bootstrap_auc(y, tables[0], groups=groups, **options), bootstrap_auc(y, tables[0], **options)
    assert_allclose(found.estimate, without.estimate, rtol=1e-12)
    assert not found.is_exact
    gains = np.empty((2, 18))
    for model, table in enumerate(tables):
        plain = bootstrap_auc(y, table, **options).estimate
        for group in range(18):
            weights = np.where(groups == group, 1001, 1000)
            gains[model, group] = 1000 * (bootstrap_auc(y, table, sample_weight=weights, **options).estimate - plain)
    assert_standard_errors(found.standard_error, np.sqrt((gains[0] ** 2).sum()))
    difference = bootstrap_auc_difference(y, *tables, groups=groups, **options)
    assert_standard_errors(difference.standard_error, np.sqrt(((gains[0] - gains[1]) ** 2).sum()))
    assert_allclose(difference.covariance, gains[0] @ gains[1], rtol=0.02, atol=1e-7)  # as two standard errors are
    low, high = found.confidence_interval()
    assert low < without.confidence_interval().low < high
