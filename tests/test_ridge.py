"""What two models that nearly agree find together: the parts of the sum close to the ridge, and the sum."""

import numpy as np
import pytest
from scipy.stats import poisson

from skcostci import bootstrap_roc_difference_at_fpr
from skcostci.laws import _ridge, _ridge_pairs
from skcostci.laws._passed import Passed

RATES = np.array([0.02, 0.05, 0.1, 0.3, 0.5, 0.8, 0.97])


def nearly_agreeing(kind, n_positive, n_negative, seed):
    """Scores of two models, without ties between the classes."""
    rng = np.random.default_rng(seed)
    y_true = np.repeat([1, 0], [n_positive, n_negative])
    a = rng.normal(size=len(y_true)) + y_true
    noise = rng.normal(size=len(y_true))
    if kind == "one in ten differs":
        return y_true, a, np.where(rng.random(len(y_true)) < 0.1, noise + y_true, a)
    if kind == "heavy tails":
        return y_true, a, a + 0.03 * rng.standard_t(1.5, size=len(y_true))
    if kind == "negatives tie":
        return y_true, *(np.where(y_true, b, b.round(1) + 1e-7) for b in (a, a + 0.1 * noise))
    return y_true, a, a + float(kind) * noise


KINDS = ["0.02", "0.1", "0.2", "one in ten differs", "heavy tails", "negatives tie"]


@pytest.mark.parametrize(("u", "v"), [(1, 1), (1, 9), (2, 3), (30, 30), (40, 61), (150, 150), (300, 340), (900, 905)])
def test_moments_where_more_are_drawn_of_one_kind_are_sums_over_both_counts(u, v):
    most = int(v + 12 * v**0.5 + 40)
    count = np.arange(most)
    i, j = np.meshgrid(count, count, indexing="ij")
    weights = np.outer(poisson.pmf(count, u), poisson.pmf(count, v)) * np.maximum(i - j, 0)
    mean = weights.sum()
    drawn = (weights * (i + j)).sum() / mean
    spread = (weights * (i + j - drawn) ** 2).sum() / mean
    square = (weights * (i - j) ** 2).sum() / mean
    same = (poisson.pmf(count, u) * poisson.pmf(count, v)).sum()
    found = np.concatenate(Passed.of(np.array([float(u)]), np.array([float(v)])))
    rtol = 1e-9 if u + v < 200 else 3e-4  # of many the series of Edgeworth
    np.testing.assert_allclose(found, [mean, drawn, spread, square, same], rtol=rtol)


def test_next_to_no_chance_that_more_are_drawn_is_none():
    of = Passed.of(np.array([1.0, 400.0]), np.array([60.0, 700.0]))
    assert of.mean.tolist() == [0.0, 0.0]
    assert np.isfinite(np.array(of)).all()


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("n_positive", "n_negative"), [(500, 500), (40, 900), (900, 250), (5, 300)])
@pytest.mark.parametrize("kind", KINDS)
def test_the_sum_near_the_ridge_has_the_moments_of_the_joint_law(kind, n_positive, n_negative, weighted):
    sample = nearly_agreeing(kind, n_positive, n_negative, seed=n_positive)
    weights = np.random.default_rng(3).integers(1, 3, len(sample[0])) if weighted else None
    joint = bootstrap_roc_difference_at_fpr(*sample, fpr=RATES, sample_weight=weights).law.joint
    narrow = joint._series._ridge.narrow(joint.a.ranks)
    assert narrow.any()
    exact = np.array([joint.pair(point).moments for point in np.flatnonzero(narrow).tolist()]).T
    error = (joint.near[2][1:, narrow] - exact[1:]) / (exact[1:] + 0.5)  # half a case is what a pseudo-case adds
    assert np.abs(error).max() <= 3e-3
    assert np.median(np.abs(error)) <= 3e-4


@pytest.mark.parametrize(
    ("kind", "n_positive", "n_negative", "part"),
    [
        ("0.1", 15_000, 15_000, 0.9),
        ("0.15", 15_000, 15_000, 0.9),
        ("0.2", 1_700, 26_000, 0.95),
        ("one in ten differs", 1_000, 30_000, 0.99),
    ],
)
def test_of_many_steps_some_do(kind, n_positive, n_negative, part, monkeypatch):
    """Positives between them are shared out to the nearest, also where most steps are far apart."""
    sample = nearly_agreeing(kind, n_positive, n_negative, seed=2)
    joint = bootstrap_roc_difference_at_fpr(*sample, fpr=RATES).law.joint
    some, ridge = joint.near[2], joint._series._ridge
    narrow = ridge.narrow(joint.a.ranks)
    assert narrow[1:-1].all()
    assert ridge._pairs.sizes.sum() < part * all_pairs(sample, monkeypatch)
    every = bootstrap_roc_difference_at_fpr(*sample, fpr=RATES).law.joint.near[2]
    np.testing.assert_allclose(some[1:, narrow], every[1:, narrow], rtol=1.5e-3, atol=1e-6)


def all_pairs(sample, monkeypatch):
    """How many there are if all steps are kept, as they are from here on."""
    monkeypatch.setattr(_ridge, "SHORT", 0.0)
    joint = bootstrap_roc_difference_at_fpr(*sample, fpr=RATES).law.joint
    return joint._series._ridge._pairs.sizes.sum()


def test_pairs_are_the_same_in_blocks_of_any_size(monkeypatch):
    sample, found = nearly_agreeing("0.05", 300, 400, seed=1), []
    for held in (1, 10**6):
        monkeypatch.setattr(_ridge_pairs, "HELD", held)
        found.append(bootstrap_roc_difference_at_fpr(*sample, fpr=RATES).law.joint.near[2])
    np.testing.assert_allclose(*found, rtol=1e-10)


@pytest.mark.parametrize(
    "sample",
    [
        nearly_agreeing("0.05", 50, 150, seed=1),
        nearly_agreeing("2.0", 500, 500, seed=1),
        (np.repeat([1, 0], 300), np.arange(600.0), -np.arange(600.0)),
        (np.repeat([1, 0], 300), np.zeros(600), np.zeros(600)),
        (np.repeat([1, 0], 300), np.repeat([1.0, 0.0], 300), np.arange(600.0)),
    ],
    ids=["few negatives", "models differ", "opposite", "no steps", "one has none"],
)
def test_where_it_does_not_do_it_is_not_used(sample):
    joint = bootstrap_roc_difference_at_fpr(*sample, fpr=RATES).law.joint
    assert not joint._series._ridge.narrow(joint.a.ranks).any()
    assert np.isfinite(joint.near[2]).all()
