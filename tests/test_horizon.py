"""AUC, Brier score, net benefit and O/E at a horizon: pair by pair, by small steps, as without censoring, coverage."""

import pickle
from functools import partial
from itertools import product

import numpy as np
import oracles
import pandas as pd
import pytest
from numpy.testing import assert_allclose

import skcostci as sk

EVENT, TIME = [1, 1, 0, 1, 0, 1, 1, 1], [5, 3, 8, 1, 2, 2, 7, 4]
RISK = [0.2, 0.7, 0.1, 0.9, 0.4, 0.3, 0.3, 0.6]
OTHER = [0.3, 0.6, 0.2, 0.8, 0.4, 0.3, 0.1, 0.6]


def asked(event, time, risk, horizon, **options):
    """All, of one model."""
    how = {"time": time, "horizon": horizon, **options}
    benefit = sk.bootstrap_metric(event, risk, "net_benefit", thresholds=0.3, **how)
    ratio = sk.bootstrap_calibration(event, risk, **how).observed_expected
    return sk.bootstrap_auc(event, risk, **how), sk.bootstrap_loss(event, risk, "brier", **how), benefit, ratio


def compared(event, time, a, b, horizon, **options):
    """All that compare two models."""
    how = {"time": time, "horizon": horizon, **options}
    benefits = sk.bootstrap_metric_difference(event, a, b, "net_benefit", thresholds=0.3, **how)
    return sk.bootstrap_auc_difference(event, a, b, **how), sk.bootstrap_loss_difference(event, a, b, **how), benefits


def in_one(event, time):
    """As scikit-survival has them."""
    return np.array(list(zip(np.array(event, bool), time, strict=True)), dtype=[("event", "?"), ("time", "f8")])


def drawn(n, rng, effect=1.0, censoring=1.5, noise=0.5):
    """Times, of which some are censored, two models' risks, and the times that nobody would have seen."""
    x = rng.normal(size=n)
    time, censored = rng.exponential(np.exp(-effect * x)), rng.exponential(censoring, n)
    a, b = (x + noise * rng.normal(size=n) for _ in "ab")
    return time <= censored, np.minimum(time, censored), a, b, time


def test_reference_values():
    """``cumulative_dynamic_auc``, ``brier_score`` and ``integrated_brier_score`` of scikit-survival 0.28.0.

    The censored case at 2.5 is there for that at 2.
    """
    area, brier, *_ = asked(EVENT, [5, 3, 8, 1, 2.5, 2, 7, 4], RISK, 4)
    assert_allclose([area.estimate, brier.estimate], [0.962121212121212, 0.121], rtol=1e-12)
    integrated = sk.bootstrap_loss(EVENT, RISK, time=[5, 3, 8, 1, 2.5, 2, 7, 4], horizon=[3, 4, 6], integrated=True)
    assert_allclose(integrated.estimate, 0.156, rtol=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_estimates_are_those_of_all_pairs_and_standard_errors_those_of_small_steps(seed):
    """Any ties, of an event with a censored case too; the weights of censoring move with the rows' own.

    At the first seed there is no competing event.
    """
    rng = np.random.default_rng(seed)
    event, time, weights = rng.integers(0, 2 + bool(seed), 25), rng.integers(1, 9, 25), rng.integers(1, 4, 25)
    (a, b), groups = rng.integers(0, 11, (2, 25)) / 10, rng.integers(0, 9, 25)

    def told(risk):
        """The statistics, and how they move with each row's weight."""
        at = partial(oracles.at_horizon, event, time, risk, horizon=5)
        steps = 1e-5 * np.eye(25)
        moves = [np.subtract(at(weights=weights + h), at(weights=weights - h)) / 2e-5 for h in steps]
        return np.array(at(weights=weights)), np.array(moves)

    (of_a, moves_a), (of_b, moves_b) = told(a), told(b)
    for found, values, moves in (
        (asked(event, time, a, 5, sample_weight=weights), of_a, moves_a),
        (compared(event, time, a, b, 5, sample_weight=weights), (of_a - of_b)[:3], (moves_a - moves_b)[:, :3]),
    ):
        assert_allclose([each.estimate for each in found], values, atol=1e-12)
        assert_allclose([each.standard_error**2 for each in found], weights @ moves**2, rtol=2e-6)
    together = np.array([(weights[:, None] * moves_a)[groups == g].sum(axis=0) for g in range(9)])
    grouped = asked(event, time, a, 5, sample_weight=weights, groups=groups)
    assert_allclose([each.standard_error**2 for each in grouped], (together**2).sum(axis=0), rtol=2e-6)
    assert [each.methods[0] for each in grouped] == ["extrapolated"] * 4


def test_several_horizons_are_answered_as_each_is():
    """With a column of risks for each, or the same for all; by name where columns are named after horizons."""
    event, time, a, b, _ = drawn(60, np.random.default_rng(3))
    tables = [np.column_stack([each, each**2]) for each in (1 / (1 + np.exp(-a)), 1 / (1 + np.exp(-b)))]
    how = {"sample_weight": np.arange(60) % 3 + 1, "groups": np.arange(60) // 2}
    for (one, two), options in product(((a, b), tables), ({}, how)):
        calls = [(sk.bootstrap_auc, (one,)), (sk.bootstrap_auc_difference, (one, two))]
        calls += [(sk.bootstrap_loss, (one,)), (sk.bootstrap_loss_difference, (one, two))] if one is not a else []
        for function, columns in calls:
            found = function(event, *columns, time=time, horizon=[0.6, 0.3], **options)
            for place, horizon in enumerate((0.6, 0.3)):
                own = [column if column.ndim == 1 else column[:, place] for column in columns]
                each = function(event, *own, time=time, horizon=horizon, **options)
                at_each = (found.estimate[place], *np.transpose(found.confidence_interval())[place])
                assert_allclose(at_each, (each.estimate, *each.confidence_interval()), rtol=1e-9)
    named = pd.DataFrame(tables[0], columns=[0.3, 0.6])
    found = sk.bootstrap_loss(event, named, time=time, horizon=[0.6, 0.3])
    assert found.estimate[1] == sk.bootstrap_loss(event, named[0.3], time=time, horizon=0.3).estimate
    assert "horizon 0.3 to 0.6" in repr(found)


def test_integrated_over_time_they_are_means_by_trapezoids():
    """Estimates are from those at each horizon, standard errors from small steps of each row's weight."""
    event, time, *models, _ = drawn(40, np.random.default_rng(5))
    risks, times = [1 / (1 + np.exp(-each)) for each in models], [0.2, 0.3, 0.7]

    def mean_of(weights):
        """AUC and Brier score of both models: scikit-survival divides the area by the length of time."""
        each = [[oracles.at_horizon(event, time, p, weights, t)[:2] for t in times] for p in risks]
        return np.array([np.diff(times) @ (np.array(of)[1:] + of[:-1]) / 2 / 0.5 for of in each])

    (a, b), steps = mean_of(np.ones(40)), 1e-5 * np.eye(40)
    moves = np.array([mean_of(1 + h) - mean_of(1 - h) for h in steps]) / 2e-5
    moves_a, moves_b = np.moveaxis(moves, 1, 0)
    how = {"time": time, "horizon": times, "integrated": True}
    for columns, values, moved in ((risks[:1], a, moves_a), (risks, a - b, moves_a - moves_b)):
        ending = "_difference" * (len(columns) - 1)
        found = [getattr(sk, f"bootstrap_{name}{ending}")(event, *columns, **how) for name in ("auc", "loss")]
        assert_allclose([each.estimate for each in found], values, rtol=1e-12)
        assert_allclose([each.standard_error**2 for each in found], (moved**2).sum(axis=0), rtol=2e-6)
    assert "integrated_brier difference, from=0.2, to=0.7, estimate" in repr(found[1])
    compared = sk.compare_models(event, dict(zip("ab", risks, strict=True)), "brier", **how)
    assert_allclose([*compared.estimate, compared.differences.estimate[0]], [a[1], b[1], a[1] - b[1]])
    assert sk.bootstrap_auc(event, risks[0], **how).pvalue() < 0.2  # of 1/2
    for wrong in ({"horizon": 0.3}, {"horizon": [0.3, 0.2]}, {"horizon": None}, {"horizon": None, "time": None}):
        for function in (sk.bootstrap_auc, sk.bootstrap_loss):
            with pytest.raises(ValueError, match="integrated=True needs horizon, two or more times in ascending order"):
                function(event, risks[0], **{**how, **wrong})


def test_calibration_at_a_horizon_is_observed_over_expected_alone():
    """Observed events are Kaplan and Meier's."""
    event, time, a, *_ = drawn(60, np.random.default_rng(3))
    risk = 1 / (1 + np.exp(-a))
    found = sk.bootstrap_calibration(event, risk, time=time, horizon=0.5)
    survival = np.prod([1 - 1 / (time >= t).sum() for t in time[event] if t <= 0.5])
    assert_allclose(found.observed_expected.estimate, (1 - survival) / risk.mean(), rtol=1e-12)
    assert found == sk.bootstrap_calibration(in_one(event, time), risk, horizon=0.5)
    assert (found.is_exact, found.band_methods, found.to_dict()["method"]) == (False, (), "")  # it has no band
    limits = found.observed_expected.confidence_interval()
    assert pickle.loads(pickle.dumps(found)).observed_expected.confidence_interval() == limits
    for name in ("in_the_large", "slope", "pvalue", "where"):
        with pytest.raises(ValueError, match="with a horizon"):
            getattr(found, name)()
    for wrong, message in (
        ({"horizon": [0.3, 0.5]}, "horizon must be a number, got"),
        ({"y_proba": 0 * risk}, "y_proba must not be all 0"),
        ({"horizon": None}, "horizon is missing"),
        ({"y_true": in_one(event, time), "time": None, "horizon": None}, "horizon is missing"),
        ({"folds": np.arange(60) % 2}, "folds cannot be combined with time and horizon"),
    ):
        with pytest.raises(ValueError, match=message):
            sk.bootstrap_calibration(**{"y_true": event, "y_proba": risk, "time": time, "horizon": 0.5, **wrong})


def test_thresholds_are_points_of_a_net_benefit():
    """Of each model its own, at one horizon, or one threshold at several; no one at or above it is no certainty."""
    event, time, a, b, _ = drawn(60, np.random.default_rng(3))
    models = {"a": 1 / (1 + np.exp(-a)), "b": 1 / (1 + np.exp(-b))}
    ask = partial(sk.bootstrap_metric, event, models["a"], "net_benefit", time=time)
    found = ask(thresholds=[0.2, 0.5, 1 - 1e-9], horizon=0.5)
    assert found.estimate.tolist() == [ask(thresholds=q, horizon=0.5).estimate for q in found.thresholds]
    assert found.estimate[2] == 0 < found.confidence_interval().high[2]
    assert ask(thresholds=0.5, horizon=[0.3, 0.5]).estimate[1] == found.estimate[1]
    how = {"time": time, "horizon": 0.5}
    two = sk.bootstrap_metric_difference(event, *models.values(), "net_benefit", thresholds=(0.2, 0.5), **how)
    compared = sk.compare_models(event, models, "net_benefit", thresholds={"a": 0.2, "b": 0.5}, **how)
    assert_allclose(two.estimate, compared.differences.estimate[0])
    assert_allclose(compared.estimate[0], found.estimate[0])
    for wrong, message in (
        ({"thresholds": [0.2, 0.5], "horizon": [0.3, 0.5]}, "horizon must be a single number with several thresholds"),
        ({"thresholds": 0.5}, "horizon is missing"),
        ({"horizon": 0.5}, "thresholds are missing"),
        ({"horizon": 0.5, "thresholds": "youden"}, "thresholds must be numbers with time and horizon, got 'youden'"),
        ({"thresholds": 0.5, "horizon": 0.5, "fpr": 1}, "metric='net_benefit' does not take"),
        ({"thresholds": 1.0, "horizon": 0.5}, r"must be a number in \[0, 1\), got 1"),
    ):
        with pytest.raises((ValueError, TypeError), match=message):
            ask(**wrong)


def test_without_censoring_they_are_those_of_who_had_the_event():
    """The AUC's placements are its influences: DeLong's variance, with n in place of n - 1."""
    score, y = np.random.default_rng(1).integers(0, 12, 50) / 11, np.repeat([1, 0], [20, 30])
    area, brier, benefit, ratio = asked(np.ones(50, int), 2.0 - y, score, 1.0)
    assert_allclose(area.estimate, sk.bootstrap_auc(y, score).estimate, rtol=1e-12)
    wins = oracles.wins(y, score)
    assert_allclose(area.standard_error**2, wins.mean(axis=1).var() / 20 + wins.mean(axis=0).var() / 30, rtol=2e-9)
    known = sk.bootstrap_metric(y, score, "net_benefit", thresholds=0.3)
    exact = sk.bootstrap_calibration(y, score).observed_expected  # others, like those at a horizon, are of first order
    for found, plain in ((brier, sk.bootstrap_loss(y, score)), (benefit, known), (ratio, exact)):
        assert_allclose(found.estimate, plain.estimate, rtol=1e-9)
        assert_allclose(found.standard_error, plain.standard_error, rtol=0.02 if plain is exact else 1e-9)
        assert_allclose(found.confidence_interval(), plain.confidence_interval(), atol=0.04 if plain is exact else 0.02)
    for risk in (0 * score, score > 0.8):  # what one model alone labels may be wrong, at the odds of .9; equal models
        a, b = 0.95 * (score > 0.8), 0.95 * risk
        ask = partial(sk.bootstrap_metric_difference, metric="net_benefit", thresholds=0.9)
        found, plain = ask(np.ones(50), a, b, time=2.0 - y, horizon=1), ask(y, a, b).confidence_interval()
        assert_allclose(found.confidence_interval(), plain, atol=0.15 * np.diff(plain).item())


def test_perfect_risks_have_an_interval():
    area, brier, *_ = asked([1, 1, 1, 0, 0, 0], [1, 2, 3, 4, 5, 6], [1, 1, 1, 0, 0, 0], 3)
    assert (area.estimate, brier.estimate, area.standard_error, brier.standard_error) == (1, 0, 0, 0)
    assert area.confidence_interval().low < 0.6
    assert brier.confidence_interval().high > 0.3


def test_events_and_times_in_one_array_are_scikit_survivals():
    y = in_one(EVENT, TIME)
    assert asked(y, None, RISK, 4) == asked(EVENT, TIME, RISK, 4)
    assert compared(y, None, RISK, OTHER, 4) == compared(EVENT, TIME, RISK, OTHER, 4)
    with pytest.raises(TypeError, match="time is already a field of y_true"):
        sk.bootstrap_auc(y, RISK, time=TIME, horizon=4)


def test_results_say_at_which_horizon():
    area, *others = asked(EVENT, TIME, RISK, 4)
    assert all("horizon=4" in repr(each) for each in (area, *others))
    assert area.to_dict()["estimand"]["axis"] == {"horizon": 4.0}
    with pytest.raises(ValueError, match="at the same horizon"):
        sk.independent_difference(area, asked(EVENT, TIME, RISK, 5)[0])


def test_competing_events_make_another_estimand_but_not_of_a_subgroup_without_any():
    other = np.where(np.arange(8) == 1, 2, EVENT)
    for alone, competing in zip(asked(EVENT, TIME, RISK, 4), asked(other, TIME, RISK, 4), strict=True):
        with pytest.raises(ValueError, match=r"same kind \(with or without competing events\), got False and True"):
            sk.independent_difference(alone, competing)
    by, both = np.repeat([0, 1], 8), {"event": [*EVENT, *other], "time": TIME * 2, "horizon": 4}
    found = sk.compare_groups(None, RISK * 2, by, "brier", **both)
    assert found.estimate.tolist() == [asked(each, TIME, RISK, 4)[1].estimate for each in (EVENT, other)]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"y_true": [0] * 8}, "no event was seen at all"),
        ({"y_true": [3, *EVENT[1:]]}, r"1 or True .* 0 or False \(censored\), or 2 \(competing\), got 3 at position 0"),
        ({"y_true": np.add(EVENT, 1)}, r"not both 0 \(censored\) and 1 .* If 2 is the event, pass y_true == 2"),
        ({"time": [5, -3, *TIME[2:]]}, "time must not be negative, got -3 at position 1"),
        ({"horizon": 8}, "horizon must be below the last time, 8"),
        ({"horizon": [2, 4], "y_score": np.ones((8, 3))}, "or a column per horizon, got 3 columns and 2 horizons"),
        ({"y_score": np.ones((8, 2))}, "y_score must have one column of risks, or .* got 2 columns and 1 horizon"),
        ({"horizon": [2, 4], "y_score": pd.DataFrame({"a": RISK, "b": OTHER})}, r"named by the horizons \[2.0, 4.0\]"),
        ({"horizon": 0.5}, "the first event is at 1, got 0.5"),
        ({"sampling": "full"}, "sampling cannot be combined with time and horizon, got 'full'"),
        ({"sample_weight": [0.5] * 8}, r"weight_type='importance' \(not with time\)"),
        ({"folds": [0, 1] * 4}, "folds cannot be combined with time"),
    ],
)
def test_what_does_not_fit_is_refused(change, message):
    given = {"y_true": EVENT, "y_score": RISK, "time": TIME, "horizon": 4, **change}
    with pytest.raises(ValueError, match=message):
        sk.bootstrap_auc(**given)


@pytest.mark.parametrize(
    ("risk", "options", "message"),
    [
        (RISK, {"time": TIME, "horizon": 9}, "at most the last time, 8"),
        (RISK, {"time": TIME, "horizon": 8}, "below the last time, 8, at which cases are censored"),
        ([1.2, *RISK[1:]], {"time": TIME, "horizon": 4}, "y_pred must contain probabilities, .*1.2 at position 0"),
        (RISK, {"loss": "log_loss", "time": TIME, "horizon": 4}, "loss must be 'brier' with time"),
        (RISK, {"horizon": 4}, "time is missing"),
    ],
)
def test_what_does_not_fit_a_brier_score_is_refused(risk, options, message):
    with pytest.raises(TypeError if message == "time is missing" else ValueError, match=message):
        sk.bootstrap_loss(EVENT, risk, **options)


def test_models_and_subgroups_are_compared():
    event, time, a, b, _ = drawn(80, np.random.default_rng(7))
    y, models, at = in_one(event, time), {"a": a, "b": b, "less": a / 2}, {"time": time, "horizon": 0.5}
    one = sk.compare_models(event, models, "concordance", time=time)
    assert one == sk.compare_models(y, models, "concordance")
    assert one == sk.compare_models(None, models, "concordance", event=event, time=time)
    assert sk.compare_models(event, models, horizon=None, integrated=False) == sk.compare_models(event, models)
    assert_allclose(one.estimate[0], sk.bootstrap_concordance(event, time, a).estimate)
    assert sk.bootstrap_metric(y, a, "concordance").estimate == one.estimate[0]
    assert sk.bootstrap_metric(event, a, "concordance", time=time).estimate == one.estimate[0]
    expected = sk.bootstrap_concordance_difference(event, time, a, b)
    assert_allclose(one.differences.estimate, [expected.estimate, 0, -expected.estimate], atol=1e-12)
    assert sk.compare_models(event, models, **at).estimate[1] == sk.bootstrap_auc(event, b, **at).estimate
    two = sk.compare_models(y, {"a": a, "b": b}, horizon=0.5).differences
    expected = sk.bootstrap_auc_difference(event, a, b, **at)
    assert_allclose([two.estimate[0], two.pvalue()[0]], [expected.estimate, expected.pvalue()])
    apart = sk.compare_groups(event, a, np.arange(80) % 2, "concordance", time=time)
    assert_allclose(apart.estimate[1], sk.bootstrap_concordance(event[1::2], time[1::2], a[1::2]).estimate)
    risk = 1 / (1 + np.exp(-a))
    brier = sk.compare_models(event, {"a": risk, "b": risk / 2}, "brier", **at)
    assert_allclose(brier.estimate[0], sk.bootstrap_loss(event, risk, **at).estimate)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"statistic": "concordance"}, "time is missing"),
        ({"time": TIME, "horizon": 4, "max_fpr": 0.1}, "max_fpr cannot be combined with time and horizon"),
        ({"event": EVENT, "time": TIME, "horizon": 4}, "event replaces y_true"),
        ({"time": TIME, "horizon": [3, 4]}, "horizon must be a single number, to have one value per model, got shape"),
        ({"time": TIME, "statistic": "auc"}, "horizon is missing"),
        ({"time": TIME, "statistic": sk.Metric.net_benefit(0.2)}, "with thresholds=, 'net_benefit', by these"),
    ],
)
def test_comparisons_refuse_what_does_not_fit(options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        sk.compare_models(EVENT, {"a": RISK, "b": OTHER}, **options)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "horizon", "options"),
    [(80, 1.0, {"effect": 0.7, "censoring": 1.0}), (150, 0.1, {"effect": 1.5, "censoring": 2.0, "noise": 0.3})],
)
def test_both_are_covered(n, horizon, options):
    """The truth is what nobody censored would have told."""

    def chance(risk):
        return 1 - np.exp(-horizon * np.exp(options["effect"] * risk))

    _, _, a, b, time = drawn(400_000, np.random.default_rng(0), **options)
    had = (time <= horizon).astype(int)
    truth = np.array([[sk.bootstrap_auc(had, risk).estimate, np.mean((had - chance(risk)) ** 2)] for risk in (a, b)])
    covered = np.zeros(4)
    for seed in range(150):
        event, time, a, b, _ = drawn(n, np.random.default_rng(seed + 1), **options)
        how = {"time": time, "horizon": horizon}
        results = [sk.bootstrap_auc(event, a, **how), sk.bootstrap_loss(event, chance(a), **how)]
        results.append(sk.bootstrap_auc_difference(event, a, b, **how))
        results.append(sk.bootstrap_loss_difference(event, chance(a), chance(b), **how))
        low, high = np.array([result.confidence_interval() for result in results]).T
        values = np.r_[truth[0], truth[0] - truth[1]]
        covered += (low <= values) & (values <= high)
    assert (covered / 150 >= 0.92).all(), covered / 150
