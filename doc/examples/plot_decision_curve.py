"""
The decision curves of two models
=================================

Whether a model should be used depends on the weight of a missed case relative to a needless
treatment. A decision curve shows the net benefit for every such weight, together with treating
everybody and treating nobody.
"""

# %%
# Two models that predict risks for the same cases.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

from skcostci import DecisionCurveDifferenceDisplay, bootstrap_metric_difference

X, y = make_classification(
    1200, weights=[0.8], flip_y=0.1, n_informative=4, class_sep=0.8, random_state=1
)
X_fit, X_test, y_fit, y_test = train_test_split(X, y, test_size=0.4, random_state=0)
models = {
    "Logistic regression": LogisticRegression(),
    "Random forest": RandomForestClassifier(min_samples_leaf=10, random_state=0),
}
risks = {
    name: model.fit(X_fit, y_fit).predict_proba(X_test)[:, 1] for name, model in models.items()
}

# %%
# Above, both curves; below, the difference, which is paired and therefore has less uncertainty
# than either curve. The relevant threshold probabilities are those that a clinician might
# choose, here up to one half.

thresholds = np.arange(1, 51) / 100
(name_a, risk_a), (name_b, risk_b) = risks.items()
outcome = np.where(y_test, "ill", "well")
display = DecisionCurveDifferenceDisplay.from_predictions(
    outcome,
    risk_a,
    risk_b,
    thresholds=thresholds,
    pos_label="ill",
    name_a=name_a,
    name_b=name_b,
)
plt.show()
# sphinx_gallery_alt = "Above, net benefit of two models with bands and of treating all; below, their difference with its band."

# %%
# At a threshold of one fifth, a needless treatment weighs a quarter of a missed case.

one = bootstrap_metric_difference(y_test, *risks.values(), "net_benefit", thresholds=0.2)
low, high = one.confidence_interval()
print(f"difference {float(one):.3f}, 95 % interval {low:.3f} to {high:.3f}")
print(f"p = {one.pvalue():.1g}")

# %%
# **To conclude.** For which weights one model would have served patients like these better, and
# by how many true positives per case.
#
# **Not to conclude.** That a model is useful where its curve lies above both lines but the band
# does not. Bands are pointwise: at some of many thresholds they exclude 0 by chance.
