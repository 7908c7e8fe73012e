"""The bias of average precision with groups is half the sum of its second derivatives by the weights of groups."""

import numpy as np
import pytest
from sklearn.metrics import average_precision_score

from skcostci import bootstrap_average_precision

STEP = 1e-3


@pytest.mark.parametrize("prevalence", [None, 0.25])
@pytest.mark.parametrize("seed", range(4))
def test_it_is_that_of_scikit_learns_weighted_estimate(seed, prevalence):
    rng = np.random.default_rng(seed)
    groups, score = rng.integers(0, 12, 60), rng.integers(0, 20, 60)
    truth, counts = rng.random(60) < 0.4, rng.integers(1, 4, 60)

    def average_precision(weights):
        weights = weights * counts
        if prevalence is not None:
            shares = np.where(truth, prevalence / weights[truth].sum(), (1 - prevalence) / weights[~truth].sum())
            weights = weights * shares
        return average_precision_score(truth, score, sample_weight=weights)

    bias = 0.0
    for group in np.unique(groups):
        up, here, down = (average_precision(1 + step * (groups == group)) for step in (STEP, 0, -STEP))
        bias += (up - 2 * here + down) / (2 * STEP**2)
    found = bootstrap_average_precision(truth, score, groups=groups, sample_weight=counts, prevalence=prevalence)
    assert found.mean - found.estimate == pytest.approx(bias, rel=1e-5)
