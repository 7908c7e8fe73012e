"""
How good is F1 at a threshold that was tuned elsewhere?
=======================================================

``TunedThresholdClassifierCV`` finds the threshold at which F1 is best. On the cases used for
tuning, that F1 is optimistic. On other cases it is unbiased, and has an interval.
"""

# %%
# One case in ten is positive. The threshold is tuned by cross-validation on the fitting part;
# the test part is not used.

import matplotlib.pyplot as plt
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import TunedThresholdClassifierCV, train_test_split

from skcostci import MetricThresholdDisplay, bootstrap_metric, make_metric_scorer

X, y = make_classification(2500, weights=[0.9], flip_y=0.05, class_sep=0.6, random_state=1)
X_fit, X_test, y_fit, y_test = train_test_split(X, y, stratify=y, random_state=0)
tuned = TunedThresholdClassifierCV(LogisticRegression(), scoring=make_metric_scorer("f1"))
tuned.fit(X_fit, y_fit)
print(f"threshold {tuned.best_threshold_:.2f}, F1 where it was tuned {tuned.best_score_:.2f}")

# %%
# F1 on the test part, at the tuned threshold and at the usual threshold of one half.

y_score = tuned.predict_proba(X_test)[:, 1]
for threshold in (tuned.best_threshold_, 0.5):
    f1 = bootstrap_metric(y_test, y_score, "f1", thresholds=threshold)
    low, high = f1.confidence_interval()
    print(f"at {threshold:.2f}: F1 {float(f1):.2f}, 95 % interval {low:.2f} to {high:.2f}")

# %%
# The curve of F1 is flat around its maximum: the threshold cannot be determined to two digits,
# and this does not matter.

figure, ax = plt.subplots(figsize=(5, 4), layout="constrained")
MetricThresholdDisplay.from_estimator(
    tuned.estimator_, X_test, y_test, ax=ax, chosen=tuned.best_threshold_
)
plt.show()
# sphinx_gallery_alt = "Precision, recall and F1 over the threshold with bands; F1 is flat around the chosen one."

# %%
# **To conclude.** The F1 to expect on new cases like the test cases, at this threshold.
#
# **Not to conclude.** That no other threshold is better on the test part: a threshold chosen by
# looking at this picture would depend on the test cases, and its interval would be invalid.
