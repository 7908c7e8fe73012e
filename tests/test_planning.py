"""Plans hold what they promise: against sums over all outcomes, enumerated samples and simulated studies."""

import json
from functools import partial
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statistics_list import about

import skcostci as sk


def clopper_pearson(n, level):
    """Half the width at each number of hits, from the quantiles that the limits are."""
    tail, hits = (1 - level) / 2, np.arange(n + 1)
    low = np.r_[0.0, stats.beta.ppf(tail, hits[1:], n - hits[1:] + 1)]
    high = np.r_[stats.beta.ppf(1 - tail, hits[:-1] + 1, n - hits[:-1]), 1.0]
    return (high - low) / 2


def chance(rate, n, half_width, level):
    """The probability that the interval of a rate is that narrow, summed over all numbers of hits."""
    return stats.binom.pmf(np.arange(n + 1), n, rate)[clopper_pearson(n, level) <= half_width].sum()


@pytest.mark.parametrize(
    ("rate", "half_width", "level", "assurance"),
    [(0.9, 0.1, 0.95, 0.9), (0.02, 0.08, 0.9, 0.95), (1.0, 0.1, 0.95, 0.9), (0.7, 0.2, 0.8, 0.8)],
)
def test_cases_for_a_rate_are_the_least_from_which_on_it_holds(rate, half_width, level, assurance):
    plan = sk.plan_rate(rate, half_width=half_width, confidence_level=level, assurance=assurance)
    held = [chance(rate, n, half_width, level) >= assurance - 1e-9 for n in range(1, plan.n + 30)]
    assert plan.n == 1 + (len(held) - held[::-1].index(False))
    average = stats.binom.pmf(np.arange(plan.n + 1), plan.n, rate) @ clopper_pearson(plan.n, level)
    assert plan.expected_half_width == pytest.approx(average, rel=1e-9)


@pytest.mark.parametrize(("cases", "rate"), [(200_000, 0.01), (30_000, 0.5)])
def test_half_widths_of_many_outcomes_are_those_of_each(cases, rate):
    """Far more than are looked at one by one: all numbers of hits within eight standard errors of the mean."""
    law, plan = stats.binom(cases, rate), sk.plan_rate(rate, n=cases, assurance=0.7)
    hits = np.arange(int(law.mean() - 8 * law.std()), int(law.mean() + 8 * law.std()) + 1)
    low, high = stats.beta.ppf(0.025, hits, cases - hits + 1), stats.beta.isf(0.025, hits + 1, cases - hits)
    widths, chances = (high - low) / 2, law.pmf(hits)
    assert plan.expected_half_width == pytest.approx(widths @ chances, rel=1e-9)
    order = np.argsort(widths)
    reached = widths[order][np.cumsum(chances[order]) >= 0.7]
    assert plan.half_width == pytest.approx(reached[0], rel=1e-9)


def spread(size):
    """Normal scores, evenly spread."""
    return stats.norm.ppf((np.arange(size) + 0.5) / size)


def as_expected(auc, m, n):
    """A sample that comes out as is expected of normal scores with this AUC."""
    return np.repeat([1, 0], [m, n]), np.r_[spread(m) + np.sqrt(2) * stats.norm.ppf(auc), spread(n)]


@pytest.mark.parametrize(("auc", "sizes"), [(0.8, (40, 40)), (0.9, (40, 120)), (0.65, (150, 50))])
def test_the_expected_half_width_is_that_of_a_sample_that_comes_out_as_expected(auc, sizes):
    sample, given = as_expected(auc, *sizes), {"n_positive": sizes[0], "n_negative": sizes[1]}
    half_width = np.ptp(sk.bootstrap_auc(*sample).confidence_interval()) / 2
    plan = sk.plan_auc(auc, **given)
    assert plan.expected_half_width == pytest.approx(half_width, rel=0.04)
    assert plan.half_width > half_width
    assert sk.plan_auc(**given, pilot=sample).expected_half_width == pytest.approx(half_width, rel=0.02)


def binormal(rng, aucs, correlation, m, n):
    """Scores of two models, normal in each class."""
    z = rng.multivariate_normal([0, 0], [[1, correlation], [correlation, 1]], m + n)
    z[:m] += np.sqrt(2) * stats.norm.ppf(aucs)
    return np.repeat([1, 0], [m, n]), *z.T


def count(times, plan, aucs, correlation, holds):
    """How many of so many simulated studies of the planned sizes it holds in, of their labels and two scores."""
    rng = np.random.default_rng(11)
    sizes = plan.n_positive, plan.n_negative
    return sum(bool(holds(*binormal(rng, aucs, correlation, *sizes))) for _ in range(times))


@pytest.mark.parametrize(
    ("auc", "half_width", "ratio"),
    [
        (0.7, 0.12, 1.0),
        *(pytest.param(*each, marks=pytest.mark.slow) for each in [(0.8, 0.07, 2.0), (0.95, 0.05, 1.0)]),
    ],
)
def test_intervals_are_as_narrow_as_promised(auc, half_width, ratio):
    def narrow(y, score, _):
        return np.ptp(sk.bootstrap_auc(y, score).confidence_interval()) / 2 <= half_width

    seen = count(300, sk.plan_auc(auc, half_width=half_width, ratio=ratio), [auc, auc], 0.0, narrow)
    assert stats.binomtest(seen, 300, 0.9, alternative="less").pvalue > 0.01
    assert seen <= 297  # and no more cases than it takes


def test_differences_are_seen_as_often_as_promised():
    plan = sk.plan_auc_difference(0.9, 0.75, correlation=0.4, power=0.8)
    seen = count(300, plan, [0.9, 0.75], 0.4, lambda *data: sk.bootstrap_auc_difference(*data).pvalue() < 0.05)
    assert stats.binomtest(seen, 300, 0.8).pvalue > 0.01


def auc_beyond(null, y, score, _):
    return sk.bootstrap_auc(y, score).pvalue(null=null) < 0.05


def not_inferior(margin, *data):
    return sk.bootstrap_auc_difference(*data).pvalue("greater", null=-margin) < 0.025


PAIR, SHOWN = partial(sk.plan_auc_difference, correlation=0.6, power=0.85), partial(sk.plan_auc, power=0.85)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("plan", "aucs", "holds"),
    [
        *((partial(SHOWN, a, null=0.8), (a, a), partial(auc_beyond, 0.8)) for a in (0.9, 0.7)),
        (partial(SHOWN, 0.75, null=0.6, ratio=3), (0.75, 0.75), partial(auc_beyond, 0.6)),
        (partial(PAIR, 0.8, 0.8, margin=0.05), (0.8, 0.8), partial(not_inferior, 0.05)),
        (partial(PAIR, 0.75, 0.77, margin=0.1), (0.75, 0.77), partial(not_inferior, 0.1)),
    ],
)
def test_what_is_planned_is_shown_as_often_as_promised(plan, aucs, holds):
    assert 0.85 - 0.05 < count(400, plan(), aucs, 0.6, holds) / 400 < 0.85 + 0.07


@settings(max_examples=5)
@given(positive=st.integers(2, 100), ratio=st.floats(0.01, 100))
def test_one_size_gives_the_other(positive, ratio):
    negative = max(int(np.ceil(positive * ratio * (1 - 1e-12))), 2)
    plan = sk.plan_auc(0.8, n_positive=positive, ratio=ratio)
    assert (plan.n_negative, plan.n) == (negative, positive + negative)
    assert sk.plan_auc(0.8, n_positive=positive, n_negative=7, ratio=ratio).n_negative == 7


@pytest.mark.slow
def test_a_pilot_of_normal_scores_plans_as_normal_scores_do():
    """One in which a tenth of the positives looks like nothing asks for more."""
    (y, a), order = as_expected(0.8, 400, 400), np.random.default_rng(0).permutation(400)
    b = np.r_[spread(400)[order] + 0.8, spread(400)[order]]
    lost = np.where(np.arange(800) < 40, -5.0, as_expected(0.92, 400, 400)[1])
    of_a, of_b, of_lost = (float(sk.bootstrap_auc(y, each)) for each in (a, b, lost))
    for auc, asked in ((of_a, {}), (0.7, {"auc": 0.7})):
        stated = sk.plan_auc(auc, half_width=0.05).n_positive
        assert sk.plan_auc(**asked, half_width=0.05, pilot=(y, a)).n_positive == pytest.approx(stated, rel=0.02)
    both = sk.plan_auc_difference(of_a, of_b, correlation=0.0, power=0.8).n_positive
    assert sk.plan_auc_difference(power=0.8, pilot=(y, a, b)).n_positive == pytest.approx(both, rel=0.1)
    stated = sk.plan_auc(of_lost, half_width=0.04).n_positive
    assert sk.plan_auc(half_width=0.04, pilot=(y, lost)).n_positive > 1.2 * stated


def test_plans_are_made_without_floating_point_errors():
    with np.errstate(all="raise"):
        assert sk.plan_rate(np.nextafter(1, 0), half_width=0.1).n > 0
        assert sk.plan_auc(np.nextafter(1, 0), n_positive=20, n_negative=20).half_width > 0


@pytest.mark.parametrize(
    ("auc", "half_width", "ratio", "level", "assurance"),
    [
        (0.7, 0.35, 1.5, 0.95, 0.9),
        pytest.param(0.97, 0.08, 3.0, 0.95, 0.8, marks=pytest.mark.slow),
        pytest.param(0.3, 0.15, 1.7, 0.8, 0.6, marks=pytest.mark.slow),
    ],
)
def test_no_smaller_study_of_an_auc_is_narrow_enough(auc, half_width, ratio, level, assurance):
    """Of all sizes from 2 on, each asked by itself, the plan's is the first that is, and larger ones are too."""
    options = {"ratio": ratio, "confidence_level": level, "assurance": assurance}
    plan = sk.plan_auc(auc, half_width=half_width, **options)
    studies = {m: sk.plan_auc(auc, n_positive=m, **options) for m in range(2, plan.n_positive + 8)}
    assert [m for m, study in studies.items() if study.half_width <= half_width] == [*studies][plan.n_positive - 2 :]
    again = studies[plan.n_positive]
    assert (again.n_negative, again.expected_half_width) == (plan.n_negative, plan.expected_half_width)


@pytest.mark.parametrize(
    ("aucs", "correlation", "power", "ratio", "alpha"),
    [((0.9, 0.6), 0.5, 0.8, 1.0, 0.05), ((0.6, 0.95), -0.3, 0.9, 0.5, 0.01), ((0.8, 0.6), 0.9, 0.7, 2.0, 0.2)],
)
def test_no_smaller_study_of_a_difference_has_the_power(aucs, correlation, power, ratio, alpha):
    options = {"correlation": correlation, "ratio": ratio, "alpha": alpha}
    plan = sk.plan_auc_difference(*aucs, power=power, **options)
    sizes = range(2, plan.n_positive + 8)
    found = [sk.plan_auc_difference(*aucs, n_positive=m, **options).power for m in sizes]
    assert [m for m, each in zip(sizes, found, strict=True) if each >= power] == [*sizes][plan.n_positive - 2 :]
    assert plan.power == found[plan.n_positive - 2]


SIZES, INSIDE = st.integers(2, 60), st.floats(0.05, 0.95)


@settings(max_examples=8)
@given(
    a=INSIDE, gap=st.floats(0.02, 0.3), correlation=st.floats(-0.9, 0.8), m=SIZES, n=SIZES, alpha=st.floats(0.01, 0.3)
)
def test_planned_power_rises_with_alpha_and_cases_whichever_class_is_larger(a, gap, correlation, m, n, alpha):
    b = a * (1 - gap)

    def power(b, m, n, correlation=correlation, alpha=alpha):
        options = {"correlation": correlation, "alpha": alpha, "n_positive": m, "n_negative": n}
        return sk.plan_auc_difference(a, b, **options).power

    here = power(b, m, n)
    assert 0 <= here <= 1
    assert power(b, 2 * m, 2 * n) >= here - 1e-9
    assert power(b, m, n, alpha=min(2 * alpha, 0.5)) >= here - 1e-9
    assert power(b, n, m) == pytest.approx(here, rel=1e-6, abs=1e-9)
    mirrored = sk.plan_auc_difference(b, a, correlation=correlation, alpha=alpha, n_positive=m, n_negative=n)
    assert mirrored.power == pytest.approx(here, rel=1e-6, abs=1e-9)


NUMBERS = {
    sk.plan_rate: ({"rate": 0.9, "half_width": 0.1}, ("rate", "half_width", "confidence_level", "assurance")),
    sk.plan_auc: ({"auc": 0.8, "half_width": 0.1}, ("auc", "half_width", "ratio", "confidence_level", "assurance")),
}
TWO_AUCS = {"auc_a": 0.8, "auc_b": 0.7, "correlation": 0.5, "power": 0.8}
TWO_RATES = {"rate_a": 0.8, "rate_b": 0.7, "discordant": 0.2, "power": 0.8}
NUMBERS |= {sk.plan_auc_difference: (TWO_AUCS, (*TWO_AUCS, "ratio", "alpha"))}
NUMBERS |= {sk.plan_rate_difference: (TWO_RATES, (*TWO_RATES, "alpha"))}
EVERY_NUMBER = [(function, name) for function, (_, names) in NUMBERS.items() for name in names]
EVERY_SIZE = [(sk.plan_rate, "n"), (sk.plan_rate_difference, "n")]
EVERY_SIZE += [*product((sk.plan_auc, sk.plan_auc_difference), ("n_positive", "n_negative"))]


def test_every_number_and_size_of_a_plan_is_refused_by_name():
    for (function, name), value in product(EVERY_NUMBER, [np.nan, np.inf, -1, 10**400, "0.5", [0.5], 1j]):
        with about(function, name, value), pytest.raises((ValueError, TypeError), match=rf"^{name}\b"):
            function(**{**NUMBERS[function][0], name: value})
    for (function, name), value in product(EVERY_SIZE, [np.nan, 2.5, "20", -3, 10**11, [20]]):
        asked = {key: each for key, each in NUMBERS[function][0].items() if key not in ("half_width", "power")}
        message = rf"^{name} must be a whole number"
        with about(function, name, value), pytest.raises((ValueError, TypeError), match=message):
            function(**asked, **{name: value})


def power_of_a_rate(n, rate, null, level=0.95):
    """The chance of hits whose limit leaves null out, by listing all of them."""
    hits, tail = np.arange(n + 1), (1 - level) / 2
    beyond = stats.binom.sf(hits - 1, n, null) if rate > null else stats.binom.cdf(hits, n, null)
    seen = beyond < tail  # so many hits, or more, would be that rare at null
    return stats.binom.pmf(hits, n, rate)[seen].sum()


@pytest.mark.parametrize(
    ("rate", "null", "power"), [(0.9, 0.8, 0.9), (0.1, 0.2, 0.9), (0.5, 0.3, 0.8), (1.0, 0.9, 0.99)]
)
def test_a_rate_is_shown_to_be_beyond_null_from_the_planned_cases_on(rate, null, power):
    plan = sk.plan_rate(rate, null=null, power=power)
    assert power_of_a_rate(plan.n - 1, rate, null) < power
    for n in range(plan.n, plan.n + 30):
        assert power_of_a_rate(n, rate, null) >= power - 1e-9
    assert plan.power == pytest.approx(power_of_a_rate(plan.n, rate, null), rel=1e-9)
    assert sk.plan_rate(rate, null=null, n=37).power == pytest.approx(power_of_a_rate(37, rate, null), abs=1e-12)


@pytest.mark.parametrize(
    ("n", "only_a", "only_b", "alpha"), [(11, 0.5, 0.1, 0.05), (9, 0.1, 0.7, 0.1), (8, 0.8, 0, 0.05)]
)
def test_the_power_of_a_pair_is_the_chance_of_samples_whose_p_value_is_small(n, only_a, only_b, alpha):
    cells = [(x, z) for x in range(n + 1) for z in range(n + 1 - x)]
    found = [sk.bootstrap_mean_difference(np.arange(n) < x, np.arange(n)[::-1] < z).pvalue() for x, z in cells]
    chances = [stats.multinomial.pmf([x, z, n - x - z], n, [only_a, only_b, 1 - only_a - only_b]) for x, z in cells]
    plan = partial(sk.plan_rate_difference, only_a, only_b, discordant=only_a + only_b, alpha=alpha)
    assert plan(n=n).power == pytest.approx(np.array(chances)[np.array(found) < alpha].sum(), abs=1e-12)
    assert plan(power=0.9).power >= 0.9 > plan(n=plan(power=0.9).n - 1).power


def test_sizes_to_show_an_auc_are_the_least():
    for auc, null in ((0.95, 0.8), (0.6, 0.8)):
        plan = sk.plan_auc(auc, null=null, power=0.8, ratio=2)
        assert plan.n_negative == 2 * plan.n_positive
        assert plan.power >= 0.8 > sk.plan_auc(auc, null=null, n_positive=plan.n_positive - 1, ratio=2).power
        where = "above" if auc > null else "below"
        assert f"the 95 % interval of an AUC of {auc} lies {where} 0.8" in str(plan)


def test_without_a_margin_the_power_is_as_before_and_a_margin_adds_to_it():
    asked = {"correlation": 0.6, "n_positive": 90}
    assert sk.plan_auc_difference(0.85, 0.8, **asked, margin=0.0) == sk.plan_auc_difference(0.85, 0.8, **asked)
    powers = [sk.plan_auc_difference(0.8, 0.8, **asked, margin=margin).power for margin in (0.02, 0.05, 0.1)]
    assert powers == sorted(powers)
    shifted = sk.plan_auc_difference(0.8, 0.8, correlation=0.6, power=0.8, margin=0.05)
    assert 0.8 <= shifted.power < 0.82
    assert "is not lower than one of 0.8 by 0.05 or more" in str(shifted)


@pytest.mark.parametrize(
    ("message", "plan"),
    [
        ("either half_width", lambda: sk.plan_auc(0.8)),
        ("either half_width", lambda: sk.plan_auc(0.8, half_width=0.1, n_positive=10)),
        ("Give the expected auc", lambda: sk.plan_auc(half_width=0.1)),
        (r"auc must be a number in \(1e-12, 1\), got 1.0", lambda: sk.plan_auc(1.0, half_width=0.1)),
        (r"half_width must be a number in \(0, 0\.5\)", lambda: sk.plan_auc(0.8, half_width=0.5)),
        (r"n_positive must be a whole number in \[2, ", lambda: sk.plan_auc(0.8, n_positive=1)),
        (r"ratio must be a number in \(0, 1000000\)", lambda: sk.plan_auc(0.8, half_width=0.1, ratio=1e6)),
        (r"assurance must be a number in \(0, 1\)", lambda: sk.plan_auc(0.8, half_width=0.1, assurance=1.0)),
        ("The pilot needs 2 cases", lambda: sk.plan_auc(half_width=0.1, pilot=([0, 0, 1, 1], [1, 2, 3, 4]))),
        ("2 cases of each class", lambda: sk.plan_auc(half_width=0.1, pilot=([0, 1, 1], [3, 2, 4]))),
        (r"pilot must be a tuple \(y_true, y_score\)", lambda: sk.plan_auc(half_width=0.1, pilot=[[0, 1]] * 3)),
        ("differ, got 0.7 twice", lambda: sk.plan_rate_difference(0.7, 0.7, discordant=0.1, n=9)),
        ("discordant must be .* 0.1 to 0.5, got 0.6", lambda: sk.plan_rate_difference(0.8, 0.7, discordant=0.6, n=9)),
        ("give null too", lambda: sk.plan_auc(0.9, power=0.8)),
        ("Give either power, for the number of cases", lambda: sk.plan_auc(0.9, null=0.8)),
        ("a plan has a single goal", lambda: sk.plan_auc(0.9, null=0.8, power=0.8, half_width=0.1)),
        ("null must differ from the expected auc", lambda: sk.plan_auc(0.9, null=0.9, power=0.8)),
        ("Give auc_a, auc_b and the correlation", lambda: sk.plan_auc_difference(0.8, 0.7, power=0.8)),
        ("auc_a and auc_b must differ", lambda: PAIR(0.8, 0.8)),
        ("correlation must be", lambda: PAIR(0.8, 0.7, correlation=1)),
        ("either power", lambda: PAIR(0.8, 0.7, power=None)),
        ("not both", lambda: PAIR(pilot=([0, 1], [1, 2], [3, 4]))),
        ("auc_a must be above auc_b - margin", lambda: PAIR(0.7, 0.8, margin=0.05)),
        ("margin must be", lambda: PAIR(0.8, 0.8, margin=-0.1)),
        ("either half_width", lambda: sk.plan_rate(0.9)),
        (r"rate must be a number in \[0, 1\], got 1.5", lambda: sk.plan_rate(1.5, n=10)),
        (r"n must be a whole number in \[1, ", lambda: sk.plan_rate(0.9, n=0)),
        ("more than 4,000,000,000", lambda: sk.plan_rate(0.5, half_width=1e-7)),
        ("null must differ from the expected rate", lambda: sk.plan_rate(0.9, null=0.9, power=0.8)),
        ("null must be", lambda: sk.plan_rate(0.9, null=1.5, power=0.8)),
        ("Give either power", lambda: sk.plan_rate(0.9, null=0.8, n=50, power=0.8)),
    ],
)
def test_what_cannot_be_planned_is_said(message, plan):
    with pytest.raises(TypeError if "tuple" in message else ValueError, match=message):
        plan()


HALF_WIDTH = "the 95 % interval of a rate of 0.9 has a half width of at most"


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        (sk.plan_rate(0.9, n=100), f"100 cases: {HALF_WIDTH} 0.0725 with probability 0.9 (0.0628 on average)."),
        (sk.plan_auc(0.8, n_positive=40, n_negative=50), "40 positive and 50 negative cases: the 95 % interval"),
        (PAIR(0.9, 0.8, n_positive=91, power=None), "91 positive and 91 negative cases: power 0.9"),
    ],
    ids=repr,
)
def test_plans_are_told_in_a_sentence_and_as_plain_objects(plan, said):
    told = json.loads(json.dumps(plan.to_dict(), allow_nan=False))
    assert str(plan) == repr(plan)
    assert said == str(plan) if said.endswith(".") else str(plan).startswith(said)
    assert repr(plan).endswith(told["purpose"])
    assert all(getattr(plan, name) == value for name, value in told.items() if name != "purpose")
    assert told["n"] == plan.n
