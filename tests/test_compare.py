"""Several models at once: joint moments, adjusted p-values and intervals, who may be best, subgroups."""

import json
import re
from functools import partial

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy.stats import chi2, norm

import skcostci as sk
from skcostci import compare_groups, compare_models, independent_difference


def scores(k=4, n=60, seed=0, lead=(0.8, 0.8, 1.2, 0.3), shared=0.7, digits=None):
    """Labels and k models' scores, correlated within the classes."""
    rng = np.random.default_rng(seed)
    y_true = np.arange(n) % 2
    common = rng.normal(size=n)
    own = [(1 - shared**2) ** 0.5 * rng.normal(size=n) + lead[i % len(lead)] * y_true for i in range(k)]
    columns = [shared * common + each for each in own]
    return y_true, {f"m{i}": each if digits is None else np.round(each, digits) for i, each in enumerate(columns)}


def delong_covariance(y_true, columns):
    """From the structural components, as DeLong, DeLong and Clarke-Pearson (1988) write them."""
    parts = []
    for label, others in ((1, 0), (0, 1)):
        components = []
        for column in columns.values():
            here, there = column[y_true == label], column[y_true == others]
            wins = (here[:, None] > there) + (here[:, None] == there) / 2
            components.append(wins.mean(axis=1) if label else 1 - wins.mean(axis=1))
        parts.append(np.cov(components) / (y_true == label).sum())
    return sum(parts)


def test_two_models_give_what_the_function_for_two_gives():
    y_true, columns = scores(2)
    both = compare_models(y_true, columns)
    pair = sk.bootstrap_auc_difference(y_true, *columns.values())
    assert both.differences.estimate[0] == pair.estimate
    assert_allclose(both.differences.pvalue()[0], pair.pvalue(), rtol=1e-12)
    assert_allclose(np.ravel(both.differences.confidence_interval(0.9)), pair.confidence_interval(0.9), rtol=1e-9)


@pytest.mark.parametrize(("level", "adjustment"), [(0.5, "max_t"), (0.9, "none"), (0.95, "max_t"), (0.999, "none")])
def test_simultaneous_intervals_agree_with_the_adjusted_pvalues(level, adjustment):
    y_true, columns = scores(3, lead=(0.2, 0.8, 1.4))
    differences = compare_models(y_true, columns, adjustment=adjustment).differences
    low, high = differences.confidence_interval(level)
    assert_allclose((low > 0) | (high < 0), differences.pvalue() < 1 - level)
    single = np.array([part.pvalue() for part in differences.parts])
    assert np.all(differences.pvalue() >= single * (1 - 1e-9))
    assert np.all(differences.pvalue() <= np.minimum(3 * single, 1) * (1 + 1e-9))


def test_equivalence_is_two_adjusted_tests():
    y_true, columns = scores(3, n=400, lead=(1.0, 1.02, 1.0), shared=0.95)
    differences = compare_models(y_true, columns).differences
    found = differences.equivalence(-0.1, 0.1)
    assert_allclose(found.above_low, differences.pvalue("greater", null=-0.1))
    assert_allclose(found.both, np.maximum(found.above_low, found.below_high))
    assert found.both.max() < 0.05
    held = [differences.covariance, differences.contrasts, differences.pvalue(), *found]
    assert not any(array.flags.writeable for array in held)
    with pytest.raises(ValueError, match="low must be less than high"):
        differences.equivalence(0.1, -0.1)


def test_the_omnibus_test_of_aucs_is_delongs():
    y_true, columns = scores(4)
    estimate = np.array([sk.bootstrap_auc(y_true, column).estimate for column in columns.values()])
    contrasts = np.eye(4)[:3] - np.eye(4)[3]
    covariance = contrasts @ delong_covariance(y_true, columns) @ contrasts.T
    statistic = (contrasts @ estimate) @ np.linalg.solve(covariance, contrasts @ estimate)
    test = compare_models(y_true, columns).omnibus()
    assert test.df == 3
    assert_allclose([test.statistic, test.pvalue], [statistic, chi2.sf(statistic, 3)], rtol=1e-9)


def test_the_omnibus_test_of_subgroups_adds_up_independent_deviates():
    """About the precision-weighted mean, with DeLong's variances."""
    y_true, columns = scores(1, n=90)
    by = np.arange(90) // 2 % 3
    parts = [(y_true[by == each], columns["m0"][by == each]) for each in range(3)]
    estimate = np.array([sk.bootstrap_auc(*part).estimate for part in parts])
    variance = np.array([delong_covariance(y, {"m0": column}).item() for y, column in parts])
    expected = np.sum((estimate - np.average(estimate, weights=1 / variance)) ** 2 / variance)
    test = compare_groups(y_true, columns["m0"], by).omnibus()
    assert_allclose(test, [expected, 2, chi2.sf(expected, 2)], rtol=1e-9)


def test_models_that_are_copies_are_not_tested():
    y_true, columns = scores(1)
    copies = compare_models(y_true, {"a": columns["m0"], "b": columns["m0"], "c": columns["m0"]})
    assert copies.omnibus() == (0.0, 0, 1.0)
    assert_allclose(copies.differences.pvalue(), 1.0)
    assert copies.may_be_best() == ("a", "b", "c")
    assert set(copies.letters().values()) == {"a"}


def test_the_omnibus_test_warns_where_models_differ_without_varying():
    y_true = np.repeat([0, 1], 10)
    perfect = compare_models(y_true, {"a": y_true, "b": np.zeros(20), "c": np.ones(20)})
    with pytest.warns(sk.DegenerateLawWarning, match="does not vary in resamples"):
        assert perfect.omnibus() == (np.inf, 2, 0.0)


def test_who_is_best_depends_on_the_statistics_direction():
    y_true, columns = scores(2, n=400, lead=(0.2, 2.0))
    assert compare_models(y_true, columns).may_be_best() == ("m1",)
    cost = compare_models(y_true, columns, "cost", probability_cost=0.5, thresholds=1.0)
    assert cost.estimate[1] < cost.estimate[0]
    assert cost.may_be_best() == ("m1",)


def test_the_best_set_is_that_of_dunnetts_one_sided_point():
    """Of two models the worse is left out where one one-sided comparison says so."""
    y_true, columns = scores(2, lead=(0.4, 1.0))
    p = sk.bootstrap_auc_difference(y_true, columns["m1"], columns["m0"]).pvalue("greater")
    assert compare_models(y_true, columns).may_be_best(1 - p * 1.01) == ("m1",)
    assert compare_models(y_true, columns).may_be_best(1 - p * 0.99) == ("m0", "m1")


@pytest.mark.parametrize("statistic", ["f1", "mcc", "positive_likelihood_ratio"])
def test_pairs_that_are_asked_at_once_have_the_moments_and_pvalues_of_each(statistic):
    """And who may be best follows from comparisons of each model with all others."""
    rng = np.random.default_rng(3)
    y_true = np.arange(90) % 2
    columns = {f"m{i}": np.where(rng.random(90) < 0.7 + i / 30, y_true, 1 - y_true) for i in range(7)}
    found = compare_models(y_true, columns, statistic)
    for (i, j), part in zip(np.transpose(np.triu_indices(7, 1)), found.differences.parts, strict=True):
        of_pair = found.covariance[i, i] + found.covariance[j, j] - 2 * found.covariance[i, j]
        assert_allclose(of_pair, part.standard_error**2, rtol=1e-9)
    against_each = (compare_models(y_true, columns, statistic, reference=name).differences for name in columns)
    least = [differences.pvalue("greater").min() for differences in against_each]
    for level in (0.3, 0.8, 0.95, *(1 - p * off for p in least if 1e-6 < p < 0.4 for off in (0.99, 1.01))):
        assert found.may_be_best(level) == tuple(name for name, p in zip(columns, least, strict=True) if p >= 1 - level)


def test_combined_limits_are_nested_and_hold_the_estimate():
    y_true, columns = scores(3, n=20, digits=1)
    differences = compare_models(y_true, columns, contrast=[[1, -0.5, -0.5]], adjustment="none").differences
    intervals = [differences.confidence_interval(level) for level in (0.01, 0.3, 0.5, 0.8, 0.95, 0.999)]
    low, high = np.array(intervals)[..., 0].T
    assert np.all(np.diff(low) <= 1e-12)
    assert np.all(np.diff(high) >= -1e-12)
    assert low[0] <= differences.estimate[0] <= high[0]


def test_labels_are_compared_by_metrics():
    y_true, columns = scores(3)
    labels = {name: np.where(column > 0.5, "ill", "well") for name, column in columns.items()}
    named = np.where(y_true == 1, "ill", "well")
    comparison = compare_models(named, labels, "precision", pos_label="ill")
    of_scores = compare_models(y_true, columns, "precision", thresholds=0.5)
    assert_allclose(comparison.estimate, of_scores.estimate)
    assert_allclose(comparison.differences.pvalue(), of_scores.differences.pvalue())
    by = np.repeat([0, 1], 30)
    groups = compare_groups(named, labels["m0"], by, "precision", pos_label="ill")
    alone = sk.bootstrap_metric(named[by == 0], labels["m0"][by == 0], "precision", pos_label="ill")
    assert groups.estimate[0] == alone.estimate


def test_each_model_may_have_its_own_threshold():
    y_true, columns = scores(2)
    rules = {"m0": 0.2, "m1": 0.9}
    cost = compare_models(y_true, columns, "cost", probability_cost=0.4, thresholds=rules)
    pair = sk.bootstrap_cost_difference(y_true, *columns.values(), probability_cost=0.4, thresholds=(0.2, 0.9))
    assert cost.differences.estimate[0] == pair.estimate


def test_comparisons_are_shown():
    y_true, columns = scores(3)
    comparison = compare_models(y_true, pd.DataFrame(columns))
    assert comparison == compare_models(y_true, columns)
    assert "(auc: m0 0." in repr(comparison)
    frame = comparison.to_frame()
    assert list(frame.columns)[:7] == ["model", "reference", "estimate", "standard_error", "low", "high", "p"]
    assert frame["statistic"].tolist() == ["auc"] * 3 + ["auc difference"] * 3
    assert frame["method"].tolist() == [comparison.method] * 3 + [comparison.differences.methods[0]] * 3
    assert list(frame["reference"][:3]) == [""] * 3
    np.testing.assert_array_equal(frame["estimate"], [*comparison.estimate, *comparison.differences.estimate])
    np.testing.assert_array_equal(frame["p"][3:], comparison.differences.pvalue())


JUDGES = {
    "auc": sk.bootstrap_auc,
    "tpr": partial(sk.bootstrap_roc_at_fpr, fpr=0.13),
    "f1": lambda y, score: sk.bootstrap_metric(y, score > 0, "f1", pos_label=1),
}


@pytest.mark.parametrize("judge", JUDGES.values(), ids=JUDGES)
def test_independent_samples_add_their_variances(judge):
    y_true, columns = scores(1, n=80)
    half = np.arange(80) < 40
    a, b = (judge(y_true[rows], columns["m0"][rows]) for rows in (half, ~half))
    difference = independent_difference(a, b)
    assert difference.estimate == a.estimate - b.estimate
    assert difference.to_dict()["estimand"]["difference"]
    assert_allclose(difference.standard_error**2, a.standard_error**2 + b.standard_error**2)
    low, high = difference.confidence_interval(0.9)
    assert_allclose([difference.pvalue(null=end) for end in (low, high)], 0.1, rtol=1e-6)
    (low_a, high_a), (low_b, high_b) = a.confidence_interval(0.9), b.confidence_interval(0.9)
    below, above = (a.estimate - low_a, high_b - b.estimate), (high_a - a.estimate, b.estimate - low_b)
    for limit, off in ((low, below), (high, above)):
        assert max(off) < abs(limit - difference.estimate) < sum(off)
    assert_allclose(difference.pvalue("greater") + 0, independent_difference(b, a).pvalue("less"), rtol=1e-9)
    assert (difference.pvalue() < 0.1) == (low > 0 or high < 0)


def test_independent_differences_of_curves_are_pointwise():
    y_true, columns = scores(1, n=80)
    half = np.arange(80) < 40
    a, b = (sk.bootstrap_cost(y_true[rows], columns["m0"][rows], probability_cost=5) for rows in (half, ~half))
    difference = independent_difference(a, b)
    assert difference.estimate.shape == (5,)
    assert list(difference.to_frame().columns[:1]) == ["probability_cost"]
    third = sk.bootstrap_cost(y_true, columns["m0"], probability_cost=[0, 0.1, 0.2, 0.3, 0.4])
    with pytest.raises(ValueError, match="same probability_cost"):
        independent_difference(a, third)


def test_what_is_no_pair_of_results_is_refused():
    y_true, columns = scores(1)
    auc, cost = sk.bootstrap_auc(y_true, columns["m0"]), sk.bootstrap_cost(y_true, columns["m0"], probability_cost=0.5)
    with pytest.raises(ValueError, match="same statistic, got 'auc' and 'cost'"):
        independent_difference(auc, cost)
    with pytest.raises(TypeError, match="result_b must be a result of one statistic, got float"):
        independent_difference(auc, 0.7)


def test_subgroups_are_samples_of_their_own():
    y_true, columns = scores(1, n=90)
    by = np.repeat(["old", "young", "mid"], 30)
    comparison = compare_groups(y_true, columns["m0"], by)
    assert comparison.models == ("mid", "old", "young")
    alone = sk.bootstrap_auc(y_true[by == "old"], columns["m0"][by == "old"])
    assert comparison.estimate[1] == alone.estimate
    assert_allclose(comparison.covariance, np.diag(comparison.standard_error**2), atol=1e-16)


OF_CLASSES = {"y_true": [0, 1, 2, 2], "y_scores": {"a": [0, 1, 2, 1], "b": [0, 1, 1, 2]}}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"y_scores": {"a": [1, 2, 3, 4]}}, "from 2 to 50 models, got 1"),
        ({"y_scores": [[1, 2, 3, 4]] * 2}, "mapping of names to scores or a DataFrame, got list"),
        ({"statistic": "gin"}, "statistic must be one of 'auc', 'average_precision', 'cost'"),
        ({"statistic": "cost"}, "needs probability_cost="),
        ({"statistic": "cost", "probability_cost": [0.1, 0.2]}, "single number, to have one value .*, got shape"),
        ({"statistic": "f1", "average": None, **OF_CLASSES}, "average must give a single number per model, got None"),
        ({"contrast": "reference"}, "needs reference=, the name of a model"),
        ({"reference": "z"}, "reference must be one of 'a', 'b'"),
        ({"adjustment": "tukey"}, "adjustment must be one of 'max_t', 'holm', 'none'"),
    ],
)
def test_what_cannot_be_compared_is_refused_by_name(change, message):
    call = {"y_true": [0, 0, 1, 1], "y_scores": {"a": [1, 2, 3, 4], "b": [4, 1, 2, 3]}, **change}
    with pytest.raises((ValueError, TypeError), match=message):
        compare_models(**call)


@pytest.mark.parametrize(
    ("column", "error", "message"),
    [
        ([1, 2, np.nan, 4], ValueError, r"must be finite, got nan at position 2"),
        ([[1, 2]] * 4, ValueError, r"must be one-dimensional.*shape \(4, 2\)\. Pass one column, such as y_scores"),
    ],
)
def test_which_models_scores_are_refused_is_said_with_the_parameter(column, error, message):
    columns = {name: [1.0, 3.0, 2.0, 4.0] for name in ("north", "south's")}
    for name in columns:
        with pytest.raises(error, match=rf"^{re.escape(f'y_scores[{name!r}]')} {message}"):
            compare_models([0, 0, 1, 1], {**columns, name: column})


ONE_CLASS = {  # in the last of three subgroups, and what of them is left to say there
    "y_true": np.r_[np.arange(60) % 2, np.ones(6, int)],
    "by": np.repeat([0, 1, 2], [30, 30, 6]),
    "labels": np.r_[np.arange(60) // 3 % 2, [1, 1, 1, 1, 0, 0]],
}


@pytest.mark.parametrize(
    ("statistic", "value"), [("recall", 4 / 6), ("accuracy", 4 / 6), ("specificity", None), ("auc", None)]
)
def test_a_subgroup_of_one_class_does_not_stop_the_others(statistic, value):
    y_true, labels, by = (ONE_CLASS[name] for name in ("y_true", "labels", "by"))
    found = compare_groups(y_true, labels, by, statistic)
    without = compare_groups(y_true[:60], labels[:60], by[:60], statistic)
    assert_allclose(found.estimate[:2], without.estimate)
    if value is not None:
        assert_allclose(found.estimate[2], value)
        assert found.defined.all()
        return
    assert found.defined.tolist() == [True, True, False]
    assert found.differences.defined.tolist() == [True, False, False]
    assert "2 undefined (no negatives) [0, 1]" in repr(found)
    assert "0 - 2 undefined [-1, 1], p=1" in repr(found.differences)
    assert list(found.differences.to_frame()["note"]) == ["", *["2 is undefined (no negatives)"] * 2]
    assert "no negatives" in found._repr_html_()
    assert_allclose(found.differences.pvalue(), [*without.differences.pvalue(), 1, 1])
    low, high = found.differences.confidence_interval()
    assert_allclose(np.ravel([low[:1], high[:1]]), np.ravel(without.differences.confidence_interval()))
    assert (low[1:] == -1).all()
    assert (high[1:] == 1).all()
    assert found.may_be_best() == (*without.may_be_best(), "2")
    assert found.omnibus() == without.omnibus()
    assert found.letters()["2"] == found.letters()["0"]


def test_a_model_without_predicted_positives_does_not_stop_the_others():
    y_true = np.arange(80) % 2
    good, fair = np.where(np.arange(80) % 9, y_true, 1 - y_true), np.where(np.arange(80) % 4, y_true, 1 - y_true)
    models = {"good": good, "nobody": np.zeros(80, int), "fair": fair}
    found = compare_models(y_true, models, "precision")
    without = compare_models(y_true, {name: models[name] for name in ("good", "fair")}, "precision")
    assert "nobody undefined (no predicted positives) [0, 1]" in repr(found)
    assert_allclose(found.differences.pvalue(), [1, without.differences.pvalue()[0], 1])
    assert_allclose(found.covariance[np.ix_([0, 2], [0, 2])], without.covariance)
    assert set(found.may_be_best()) == {*without.may_be_best(), "nobody"}
    with pytest.raises(ValueError, match=r"Precision is undefined \(no predicted positives\) of every model"):
        compare_models(y_true, {"a": models["nobody"], "b": models["nobody"]}, "precision")
    with pytest.raises(ValueError, match="AUC is undefined in every subgroup of by: each contains cases of one class"):
        compare_groups(y_true, good, y_true)


@pytest.mark.parametrize("alarms", [True, False])
def test_of_unbounded_metrics_no_number_is_missing_without_a_word(alarms):
    y_true, by = np.arange(40) % 2, np.arange(40) // 20
    labels = np.where(np.arange(40) % 7, y_true, 1 - y_true)
    if not alarms:
        labels = np.where((by == 0) & (y_true == 0), 0, labels)
    found = compare_groups(y_true, labels, by, "lr_positive")
    low, high = found.differences.confidence_interval()
    assert not np.isnan([low, high, found.differences.pvalue()]).any()
    assert (low < high).all()
    if alarms:
        assert np.isfinite(found.differences.estimate).all()
        assert (low <= found.differences.estimate).all()
        assert found.differences.pvalue(null=1e4)[0] < 0.2
    else:
        assert np.isinf(found.estimate[0])
        assert found.differences.notes == ("0 is infinite",)
        assert found.differences.pvalue()[0] == 1


@pytest.mark.parametrize("other", [[1.0, 2.0, 4.0], [2.0, 2.0]])
def test_a_part_of_which_nothing_is_known_leaves_nothing_known(other):
    """Values without a range that do not differ tell nothing of others."""
    results = sk.bootstrap_mean([2.0, 2.0]), sk.bootstrap_mean(other)
    for pair in (results, results[::-1]):
        difference = independent_difference(*pair)
        assert (*difference.confidence_interval(), difference.pvalue()) == (-np.inf, np.inf, 1.0)


def test_groups_of_cases_belong_to_one_subgroup():
    y_true, columns = scores(1, n=80)
    by, patients = np.arange(80) // 40, np.arange(80) // 4
    found = compare_groups(y_true, columns["m0"], by, groups=patients)
    for i in (0, 1):
        alone = sk.bootstrap_auc(y_true[by == i], columns["m0"][by == i], groups=patients[by == i])
        assert_allclose(found.confidence_interval().low[i], alone.confidence_interval().low)
    with pytest.raises(ValueError, match="groups must be in only one subgroup of by"):
        compare_groups(y_true, columns["m0"], by, groups=np.arange(80) % 40)


@pytest.mark.parametrize(
    ("by", "reference", "name"),
    [([0, 1], "0", "0"), ([0, 1], False, "0"), ([1.0, 2.0], 2, "2.0"), (["f", "m"], "m", "m")],
)
def test_the_reference_is_named_by_value_or_by_text(by, reference, name):
    y_true, columns = scores(1, n=80)
    found = compare_groups(y_true, columns["m0"], np.repeat(by, 40), reference=reference)
    assert found.differences.names[0].endswith(f" - {name}")
    with pytest.raises(ValueError, match=r"reference must be one of '.*', got '7'"):
        compare_groups(y_true, columns["m0"], np.repeat(by, 40), reference=7)


@pytest.mark.parametrize("statistic", ["auc", "cost", sk.Metric.fbeta(2), "pearson"], ids=str)
def test_options_are_checked_at_the_entrance(statistic):
    y_true, columns = scores(2)
    asked = {"cost": {"probability_cost": 0.3}, "auc": {}, "pearson": {}}.get(statistic, {"thresholds": 0})
    for compare, cases in ((compare_models, (y_true, columns)), (compare_groups, (y_true, columns["m0"], y_true))):
        said = rf"^{compare.__name__} got 'fold', which statistic=.* does not take: .* it takes ('|no others)"
        with pytest.raises(TypeError, match=said) as error:
            compare(*cases, statistic, **asked, fold=y_true)
        assert "_of" not in str(error.value)


def test_a_normal_deviate_is_read_off_small_pvalues():
    """Far out the adjustment is Bonferroni's bound, without a floor."""
    y_true, columns = scores(3, n=2000, lead=(0.0, 3.0, 6.0), shared=0.0)
    differences = compare_models(y_true, columns).differences
    single = compare_models(y_true, columns, adjustment="none").differences.pvalue()
    assert_allclose(differences.pvalue(), 3 * single, rtol=1e-6)
    assert norm.isf(single.min()) > 8


def test_a_comparison_as_json_says_what_its_frame_says():
    comparison = sk.compare_models(*scores(k=3))
    told, frame = json.loads(json.dumps(comparison.to_dict(0.9), allow_nan=False)), comparison.to_frame(0.9)
    of_models, of_differences = frame[frame["reference"] == ""], frame[frame["reference"] != ""]
    for name in ("model", "estimate", "standard_error", "low", "high"):
        assert told[name] == of_models[name].tolist()
    assert told["differences"]["estimate"] == of_differences["estimate"].tolist()
    for name in ("model", "reference", "standard_error", "low", "high", "p"):
        assert told["differences"][name] == of_differences[name].tolist()
    assert told["differences"] == json.loads(json.dumps(comparison.differences.to_dict(0.9)))
    assert told["may_be_best"] == list(comparison.may_be_best(0.9))
    assert told["estimand"] == {"statistic": "auc", "positive": 1}
    assert told["differences"]["estimand"]["difference"]
    assert told["differences"]["adjustment"] == "max_t"
    assert told["is_exact"]
    assert told["greater_is_better"]


RECALLS = [1] * 40, {"a": [1] * 30 + [0] * 10, "b": [1] * 12 + [0] * 4 + [1] * 12 + [0] * 12, "c": [1] * 20 + [0] * 20}


def test_ratios_are_of_the_pairs_that_were_compared():
    comparison = compare_models(*RECALLS, "recall")
    ratios = comparison.ratios
    assert ratios.names == ("a / b", "a / c", "b / c")
    assert_allclose(ratios.estimate, [30 / 24, 30 / 20, 24 / 20])
    low, high = ratios.confidence_interval()
    assert ((low < ratios.estimate) & (ratios.estimate < high)).all()
    each_low, each_high = ratios.confidence_interval(simultaneous=False)
    assert ((low <= each_low) & (each_high <= high)).all()
    assert_allclose(ratios.pvalue(), comparison.differences.pvalue())
    for level in (0.8, 0.95):
        _, high = ratios.confidence_interval(level, simultaneous=False)
        single = compare_models(*RECALLS, "recall", adjustment="none").ratios
        assert_allclose(single.pvalue(null=float(high[1]))[1], 1 - level, atol=1e-6)
    against = compare_models(*RECALLS, "recall", reference="c").ratios
    assert against.names == ("a / c", "b / c")


def test_ratios_of_independent_groups_are_those_of_two_intervals_and_zero_is_honest():
    y, score = [1, 0] * 100, [1] * 30 + [0] * 70 + [1] * 20 + [0] * 80
    by = ["b"] * 100 + ["a"] * 100
    ratio = compare_groups(y, score, by, "selection_rate").ratios
    assert_allclose(ratio.estimate, [2 / 3])
    low, high = (float(each[0]) for each in ratio.confidence_interval())
    assert 0.3 < low < 2 / 3 < high < 1.2
    none = compare_groups(y, [1] * 30 + [0] * 170, by, "selection_rate").ratios
    assert none.estimate[0] == 0
    low, high = (float(each[0]) for each in none.confidence_interval())
    assert low == 0
    assert 0 < high < 0.5
    turned = compare_groups(y, [0] * 100 + [1] * 30 + [0] * 70, by, "selection_rate").ratios
    assert turned.estimate[0] == np.inf
    assert turned.confidence_interval().high[0] == np.inf
    assert turned.confidence_interval().low[0] > 1
    with pytest.raises(ValueError, match="ratios need a statistic of at least 0; Cohen's kappa may be -1"):
        _ = compare_models([0, 1] * 20, {"a": [1, 0] * 20, "b": [0, 0, 1, 1] * 10}, "kappa").ratios
    with pytest.raises(ValueError, match="each ratio must compare two models"):
        _ = compare_models(*RECALLS, "recall", contrast=[[1, -0.5, -0.5]]).ratios


def test_the_gap_is_of_all_pairs():
    comparison = compare_models(*RECALLS, "recall", reference="b")
    gap = comparison.gap()
    assert (gap.largest, gap.smallest) == ("a", "c")
    assert_allclose(float(gap), 10 / 40)
    low, high = gap.confidence_interval()
    all_low, all_high = compare_models(*RECALLS, "recall").differences.confidence_interval(simultaneous=True)
    assert_allclose([low, high], [max(0, *all_low), max(all_high)])
    ratio = comparison.gap("ratio")
    assert_allclose(ratio.estimate, 20 / 30)
    low, high = ratio.confidence_interval()
    assert 0 < low < ratio.estimate < high <= 1
    with pytest.raises(ValueError, match="kind must be one of 'difference', 'ratio'"):
        comparison.gap("log")


@pytest.mark.slow
@pytest.mark.parametrize("alike", [0.3, 0.8])
def test_ratios_of_models_on_the_same_cases_cover(alike):
    covered = 0
    for seed in range(300):
        rng = np.random.default_rng(seed)
        a = rng.random(60) < 0.7
        b = np.where(rng.random(60) < alike, a, rng.random(60) < 0.5)
        labels = {"a": a.astype(int), "b": b.astype(int)}
        low, high = compare_models(np.ones(60, int), labels, "recall").ratios.confidence_interval()
        covered += low[0] <= 0.7 / (alike * 0.7 + (1 - alike) * 0.5) <= high[0]
    assert covered >= 0.92 * 300


@pytest.mark.slow
@pytest.mark.parametrize(("sizes", "rates"), [((40, 40), (0.5, 0.3)), ((150, 60), (0.1, 0.2)), ((25, 200), (0.9, 0.6))])
def test_ratios_of_rates_cover(sizes, rates):
    covered, true = 0, rates[0] / rates[1]
    for seed in range(250):
        rng = np.random.default_rng(seed)
        score = np.concatenate([rng.random(n) < rate for n, rate in zip(sizes, rates, strict=True)]).astype(int)
        compared = compare_groups(np.arange(len(score)) % 2, score, np.repeat(["a", "b"], sizes), "selection_rate")
        low, high = compared.ratios.confidence_interval()
        covered += low[0] <= true <= high[0]
    assert covered >= 0.93 * 250


@pytest.mark.slow
def test_equal_models_are_seldom_told_apart():
    samples = (scores(4, n=100, seed=seed, lead=(1.0,)) for seed in range(150))
    assert sum((compare_models(*each).differences.pvalue() < 0.05).any() for each in samples) <= 0.09 * 150


@pytest.mark.slow
def test_the_gap_of_equal_groups_may_be_none():
    without, n_groups = 0, 4
    for seed in range(60):
        rng = np.random.default_rng(seed)
        y, by = np.arange(60 * n_groups) % 2, np.repeat(np.arange(n_groups), 60)
        gap = compare_groups(y, (rng.random(len(y)) < 0.3).astype(int), by, "selection_rate").gap()
        without += gap.confidence_interval().low == 0
    assert without >= 0.95 * 60
