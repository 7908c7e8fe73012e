"""AUC and average precision of several labels: scikit-learn's values, resampled cases, two classes, limits."""

from functools import partial
from itertools import product

import numpy as np
import pandas as pd
import pytest
import sklearn
from numpy.testing import assert_allclose
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import average_precision_score, roc_auc_score

import skcostci as sk

RNG = np.random.default_rng(0)
TRUTH = (RNG.random((90, 4)) < [0.5, 0.3, 0.2, 0.15]).astype(int)
TRUTH[:, 0] = np.where(TRUTH.sum(axis=1) % 4 == 0, 1 - TRUTH[:, 0], TRUTH[:, 0])  # nobody has all labels, or none
A, B = (np.round(gap * TRUTH + RNG.normal(size=TRUTH.shape), 1) for gap in (1.2, 0.8))  # with ties
WEIGHTS = RNG.integers(0, 4, 90)
KINDS = RNG.choice(["x", "y", "z", "zz"], 90, p=[0.4, 0.3, 0.2, 0.1])
PROBA = np.round(0.5 * (KINDS[:, None] == np.unique(KINDS)) + RNG.random((90, 4)), 1) + 0.1
PROBA = PROBA / PROBA.sum(axis=1, keepdims=True)
OTHER = np.sqrt(PROBA) / np.sqrt(PROBA).sum(axis=1, keepdims=True)
AVERAGES = ["macro", "weighted", "micro", "samples", None]
AREAS = {"auc": roc_auc_score, "average_precision": average_precision_score}


def ask(area, truth, *scores, **options):
    """Of one model, or of the difference of two."""
    if area == "auc" and np.ndim(truth) == 1:
        options = {"multi_class": "ovr", **options}
    return getattr(sk, f"bootstrap_{area}{'_difference' * (len(scores) == 2)}")(truth, *scores, **options)


def values(area, truth, scores, average, weights=None):
    """By scikit-learn."""
    more = {"multi_class": "ovr"} if area == "auc" and np.ndim(truth) == 1 else {}
    return AREAS[area](truth, scores, average=average, sample_weight=weights, **more)


@pytest.mark.parametrize("area", AREAS)
@pytest.mark.parametrize("average", AVERAGES)
def test_estimates_are_scikit_learns_with_any_weights(area, average):
    for truth, *scores in ((TRUTH, A, B), (KINDS, PROBA, OTHER))[: 1 if average == "samples" else 2]:
        for weights, kind in ((WEIGHTS, "counts"), (RNG.gamma(2.0, size=90), "importance")):
            how = {"average": average, "sample_weight": weights, "weight_type": kind}
            expected = [values(area, truth, each, average, weights) for each in scores]
            found = ask(area, truth, scores[0], **how)
            assert_allclose(found.estimate, expected[0], rtol=1e-12)
            assert_allclose(ask(area, truth, *scores, **how).estimate, expected[0] - expected[1], atol=1e-12)
            low, high = found.confidence_interval()
            assert np.all((low < found.estimate) & (found.estimate < high))
            assert kind == "counts" or found.effective_cases < 90
        rows = np.repeat(np.arange(90), WEIGHTS)
        counted = ask(area, truth, *scores, average=average, sample_weight=WEIGHTS)
        repeated = ask(area, *(column[rows] for column in (truth, *scores)), average=average)
        assert_allclose(counted.confidence_interval(), repeated.confidence_interval(), atol=1e-9)


@pytest.mark.parametrize("models", [1, 2])
@pytest.mark.parametrize("area", AREAS)
def test_averages_of_a_label_given_twice_have_its_limits(area, models):
    twice = [np.repeat(table[:20, 1:2], 2, axis=1) for table in (TRUTH, A, B)]
    each = ask(area, *twice[: 1 + models], average=None)
    for average, method in product(("macro", "weighted"), each.methods):
        found = ask(area, *twice[: 1 + models], average=average).confidence_interval(method=method)
        assert_allclose(found, np.array(each.confidence_interval(method=method))[:, 0], rtol=1e-9)


def moves(area, truth, scores, average):
    """How scikit-learn's value moves with each row's weight."""
    at = partial(values, area, truth[:60], scores[:60], average)
    with sklearn.config_context(assume_finite=True, skip_parameter_validation=True):
        whole, *moved = [at(1 + 1e-6 * one) for one in (np.zeros(60), *np.eye(60))]
    return (np.array(moved) - whole) / 1e-6


@pytest.mark.parametrize(("area", "average"), [("auc", "weighted"), ("auc", "micro"), ("average_precision", "macro")])
def test_standard_errors_are_those_of_what_rows_and_groups_move(area, average):
    each, groups = moves(area, TRUTH, A, average), np.arange(60) // 3
    for asked, expected in (({}, each), ({"groups": groups}, each.reshape(20, 3).sum(axis=1))):
        found = ask(area, TRUTH[:60], A[:60], average=average, **asked)
        assert_allclose(found.standard_error, (expected @ expected) ** 0.5, rtol=1e-5)


@pytest.mark.parametrize(("area", "average"), [("auc", "macro"), ("average_precision", "samples")])
def test_folds_and_groups(area, average):
    folds = np.arange(90) % 3
    folded = ask(area, TRUTH, A, average=average, folds=folds)
    expected = [values(area, TRUTH[folds == k], A[folds == k], average) for k in range(3)]
    assert_allclose(folded.fold_estimates, expected, rtol=1e-12)
    groups = 10 * folds + np.arange(90) // 9
    assert ask(area, TRUTH, A, B, average=average, folds=folds, groups=groups).n_groups == len(set(groups))


@pytest.mark.parametrize("average", ["macro", "micro"])
def test_classes_are_drawn_to_their_own_sizes(average):
    each = moves("average_precision", KINDS, PROBA, average)
    own = sum(((part - part.mean()) ** 2).sum() for part in (each[kind == KINDS[:60]] for kind in np.unique(KINDS)))
    found = sk.bootstrap_average_precision(KINDS[:60], PROBA[:60], average=average)
    assert_allclose(found.standard_error, own**0.5, rtol=1e-5)


@pytest.mark.parametrize("groups", [None, np.arange(90) // 3])
@pytest.mark.parametrize("area", AREAS)
def test_each_class_is_that_class_against_the_rest(area, groups):
    each = ask(area, KINDS, PROBA, average=None, groups=groups)
    assert each.labels.tolist() == each.to_frame()["label"].tolist() == ["x", "y", "z", "zz"]
    assert each.n_groups == (None if groups is None else 30)
    for i, kind in enumerate(each.labels):
        alone = getattr(sk, f"bootstrap_{area}")(kind == KINDS, PROBA[:, i], groups=groups)
        assert (each.methods, each.scheme) == (alone.methods, (*alone.scheme, "multi_class"))
        assert_allclose(each.pvalue(null=0.8)[i], alone.pvalue(null=0.8), rtol=1e-6)
        for method in alone.methods:
            limits = np.array(each.confidence_interval(method=method))[:, i]
            assert_allclose(limits, alone.confidence_interval(method=method), rtol=1e-12)
    folds = np.arange(90) % 3
    folded = ask(area, KINDS, PROBA, average=None, folds=folds)
    assert_allclose(folded.fold_estimates.mean(axis=0), folded.estimate)
    assert folded.fold_estimates.shape == (3, 4)


def test_tables_go_by_name_and_points_have_the_names():
    truth, scores = pd.DataFrame(TRUTH, columns=list("abcd")), pd.DataFrame(A, columns=list("abcd"))
    found = sk.bootstrap_auc(truth, scores[list("dbca")], average=None)
    assert found.labels.tolist() == list("abcd")
    assert_allclose(found.estimate, roc_auc_score(TRUTH, A, average=None), rtol=1e-12)
    assert found.pvalue().shape == (4,)
    difference = sk.bootstrap_auc_difference(truth, scores, B, average=None)
    assert difference.correlation.shape == difference.pvalue().shape == (4,)
    assert sk.bootstrap_auc_difference(truth, scores, B).correlation < 1


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning", "ignore:No positive class")
def test_a_label_without_cases():
    truth, scores = np.column_stack([TRUTH, np.zeros(90, int)]), np.column_stack([A, A[:, 0]])
    found = sk.bootstrap_auc(truth, scores, average=None)
    assert "no case has label 4" in found.to_frame()["note"].iloc[-1]
    # older scikit-learn refuses a label without cases; newer weighs it by their number, 0
    weighted, micro = (sk.bootstrap_auc(truth, scores, average=average).estimate for average in ("weighted", "micro"))
    assert_allclose(weighted, roc_auc_score(TRUTH, A, average="weighted"), rtol=1e-12)
    assert_allclose(micro, roc_auc_score(truth.ravel(), scores.ravel()), rtol=1e-12)
    for ask, name in ((sk.bootstrap_auc, "the AUC"), (sk.bootstrap_average_precision, "precision")):
        with pytest.raises(ValueError, match=rf"{name} has no value where no case has label 4\. Use average=None"):
            ask(truth, scores)


READ = np.where(RNG.random(TRUTH.shape) < 0.7, TRUTH, np.nan)


def where_read(area, truth, average, weights):
    """By scikit-learn, label by label."""
    rows = [~np.isnan(column) for column in truth.T]
    each = [AREAS[area](y[r], s[r], sample_weight=weights[r]) for y, s, r in zip(truth.T, A.T, rows, strict=True)]
    shares = np.nansum(truth * weights[:, None], axis=0) if average == "weighted" else None
    return np.array(each) if average is None else np.average(each, weights=shares)


@pytest.mark.parametrize("area", AREAS)
@pytest.mark.parametrize("average", ["macro", "weighted", None])
def test_each_label_is_evaluated_where_it_was_read(area, average):
    expected = where_read(area, READ, average, np.ones(90))
    found = ask(area, READ, A, average=average)
    assert_allclose(found.estimate, expected, rtol=1e-12)
    with sklearn.config_context(assume_finite=True, skip_parameter_validation=True):
        moved = [where_read(area, READ, average, 1 + 1e-6 * one) - expected for one in np.eye(90)]
    error = np.sqrt((np.square(np.array(moved) / 1e-6)).sum(axis=0))
    assert_allclose(found.standard_error, error, rtol=1e-4)
    assert_allclose(ask(area, READ, A, average=average, groups=np.arange(90)).standard_error, error, rtol=1e-4)
    frame = pd.DataFrame(READ).astype("Int64")
    rows = np.repeat(np.arange(90), WEIGHTS)
    weighted, repeated = ask(area, frame, A, average=average, sample_weight=WEIGHTS), (READ[rows], A[rows])
    assert_allclose(weighted.confidence_interval(), ask(area, *repeated, average=average).confidence_interval())
    assert ask(area, READ, A, A, average=average).pvalue() == pytest.approx(1)


def test_labels_that_nobody_read_or_that_have_to_be_read_are_named():
    nobody = np.where(np.arange(4) == 2, np.nan, READ)
    assert list(sk.bootstrap_auc(nobody, A, average=None).defined) == [True, True, False, True]
    for said, call in (
        (
            "no case has label 2. Use average=None, which gives one value per label",
            partial(sk.bootstrap_auc, nobody, A),
        ),
        ("average='micro' needs y_true without missing", partial(sk.bootstrap_auc, READ, A, average="micro")),
        ("y_true must not contain missing labels, got", partial(sk.bootstrap_metric, READ, TRUTH, "f1_macro")),
    ):
        with pytest.raises(ValueError, match=said):
            call()


ABSENT, FULL = TRUTH.copy(), TRUTH.copy()
ABSENT[:, 2], FULL[:, 2] = 0, 1


IN_ROWS = {
    "cases": {},
    "groups": {"groups": np.arange(90) // 3},
    "folds": {"folds": np.arange(90) % 3},
    "importance": {"sample_weight": RNG.gamma(2.0, size=90), "weight_type": "importance"},
}


@pytest.mark.parametrize(("rows", "area"), [*zip(IN_ROWS, [*AREAS] * 2, strict=True)])
@pytest.mark.parametrize("paired", [False, True])
def test_the_area_of_a_label_without_positives_is_undefined(area, paired, rows):
    columns, options = ((A, B) if paired else (A,)), {"average": None, **IN_ROWS[rows]}
    found, rest = (ask(area, truth, *columns, **options) for truth in (ABSENT, TRUTH))
    assert found.defined.tolist() == [True, True, False, True]
    assert_allclose(found.estimate, np.where(found.defined, rest.estimate, np.nan), rtol=1e-12)
    low, high = found.confidence_interval()
    assert (low[2], high[2]) == (-1.0 if paired else 0.0, 1.0)
    assert found.pvalue(null=0.5)[2] == 1
    if rows == "folds":
        assert_allclose(found.fold_estimates.mean(axis=0), found.estimate, rtol=1e-12)


def test_average_precision_needs_no_negatives():
    found = sk.bootstrap_average_precision(FULL, A, average=None)
    assert found.estimate[2] == 1
    assert found.defined.all()
    assert not sk.bootstrap_auc(FULL, A, average=None).defined.all()


def test_a_fold_without_positives_is_named():
    truth = TRUTH.copy()
    truth[60:, 1] = 0
    with pytest.raises(ValueError, match="no case has label 1, in fold number 3"):
        sk.bootstrap_metric(truth, A, "average_precision", folds=np.arange(90) // 30)


def test_cases_without_labels_warn_as_in_scikit_learn():
    truth = TRUTH.copy()
    truth[:7] = 0
    with pytest.warns(UndefinedMetricWarning, match=r"7 of 90 rows have no label.* 0 is used"):
        found = sk.bootstrap_metric(truth, A, "average_precision", average="samples")
    with pytest.warns(UserWarning, match="No positive class"):
        assert_allclose(found.estimate, average_precision_score(truth, A, average="samples"), rtol=1e-12)


def test_comparisons_take_tables():
    found = sk.compare_models(TRUTH, {"a": A, "b": B}, "average_precision", average="samples")
    assert_allclose(found.estimate, [values("average_precision", TRUTH, scores, "samples") for scores in (A, B)])
    by = np.arange(90) % 2
    apart = sk.compare_groups(TRUTH, A, by, "auc", average="micro")
    assert_allclose(apart.estimate[1], values("auc", TRUTH[by == 1], A[by == 1], "micro"))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sk.bootstrap_auc(TRUTH, A, average="binary"), "average must be one of 'macro', .* got 'binary'"),
        (lambda: sk.bootstrap_auc(TRUTH, A, pos_label=1), "pos_label must be None with a table of labels"),
        (lambda: sk.bootstrap_auc(TRUTH, A, max_fpr=0.1), "max_fpr needs one label per case"),
        (lambda: sk.bootstrap_auc(TRUTH, A, sampling="full"), "resampled as a whole"),
        (lambda: sk.bootstrap_auc(TRUTH, A[:, :3]), "y_score must have y_true's shape"),
        (lambda: sk.bootstrap_auc(KINDS, PROBA, multi_class="ovr", average="samples"), "average must be one of"),
        (lambda: sk.bootstrap_average_precision(KINDS, PROBA, prevalence=0.2), "prevalence needs two classes"),
        (lambda: sk.bootstrap_average_precision(KINDS, PROBA, average="samples"), "average must be one of"),
        (lambda: sk.bootstrap_average_precision(KINDS, PROBA, pos_label="x"), "pos_label must be None with several"),
        (
            lambda: sk.bootstrap_average_precision(pd.DataFrame(TRUTH, columns=list("aabc")), A),
            "y_true must have a column for each label, got two called 'a'",
        ),
    ],
)
def test_what_does_not_fit_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
