"""
Does a test set with one positive in twenty need balancing?
===========================================================

Where positives are rare it is common to discard negatives until both classes have the same
size. Intervals show the loss of precision: the uncertainty of an error rate depends on the
number of cases of its class, not on their share.
"""

# %%
# Is a digit an 8? A model is fitted on one half of the digits. In the other half every negative
# is kept and every second 8, which leaves one positive to about twenty negatives. The balanced
# test set has the same positives and as many of the negatives.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcostci import CostCurveDisplay, bootstrap_cost, cost_minimizing_thresholds

X, digit = load_digits(return_X_y=True)
eight = (digit == 8).astype(int)
X_fit, X_test, y_fit, y_test = train_test_split(
    X, eight, test_size=0.5, stratify=eight, random_state=0
)
model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
out_of_fold = cross_val_predict(model, X_fit, y_fit, method="predict_proba")[:, 1]
y_score = model.fit(X_fit, y_fit).predict_proba(X_test)[:, 1]

positives, negatives = np.flatnonzero(y_test)[::2], np.flatnonzero(y_test == 0)
test_sets = {
    f"{len(positives)} positives, {len(negatives)} negatives": np.r_[positives, negatives],
    f"{len(positives)} positives, {len(positives)} negatives": np.r_[
        positives, negatives[: len(positives)]
    ],
}


def chosen(conditions):
    """The threshold that cost least on the fitting half."""
    return cost_minimizing_thresholds(y_fit, out_of_fold, conditions)


# %%
# The cost curve of the same model on both test sets, and below it the widths of the bands.
# Resampling each class to its own size ("stratified", the default) treats the class mix as
# given by PC(+). Resampling all cases together ("full") treats the class mix of the test set as
# random too, as it is when people are sampled first and diagnosed afterwards.

figure, (upper, lower) = plt.subplots(2, figsize=(5, 7.6), layout="constrained")
styles = {"stratified": ("-", "--"), "full": ("-.", ":")}
for i, (name, cases) in enumerate(test_sets.items()):
    sample = {"y_true": y_test[cases], "y_score": y_score[cases], "thresholds": chosen}
    CostCurveDisplay.from_predictions(
        np.where(y_test[cases], "8", "other"),
        y_score[cases],
        pos_label="8",
        thresholds=chosen,
        name=name,
        ax=upper,
        plot_chance_level=False,
        despine=True,
    )
    for sampling in ("stratified", "full"):
        cost = bootstrap_cost(**sample, sampling=sampling)
        low, high = cost.confidence_interval(0.95)
        style = {
            "color": f"C{i}",
            "linestyle": styles[sampling][i],
            "label": f"{name}, {sampling}",
        }
        lower.plot(cost.probability_cost, high - low, **style)
lower.set(
    xlabel="Probability cost PC(+)",
    ylabel="Width of the 95 % interval",
    xlim=(0, 1),
    ylim=(0, 0.26),
)
lower.legend(loc="upper center", fontsize="small", frameon=False)
plt.show()
# sphinx_gallery_alt = "Above, two cost curves; the band of the balanced test set is far wider. Below, the widths of the bands."

# %%
# The effect of discarding negatives on the width, at three conditions.

for condition in (0.1, 0.5, 0.95):
    widths = []
    for cases in test_sets.values():
        cost = bootstrap_cost(
            y_test[cases], y_score[cases], probability_cost=condition, thresholds=chosen
        )
        low, high = cost.confidence_interval(0.95)
        widths.append(high - low)
    print(
        "PC(+) = {:.2f}: width {:.3f} with all negatives, {:.3f} balanced".format(
            condition, *widths
        )
    )

# %%
# **To conclude.** Balancing widens the band wherever false alarms matter, and gains nothing
# anywhere. At the right end only misses count, both test sets have the same positives, and the
# band is as wide with twenty times the negatives: only more positives would make it narrower
# there. The class mix where the model is used belongs on the horizontal axis, not in the test
# set.
#
# **Not to conclude.** That the two sampling schemes differ little in general. They do here
# because both error rates are small; which of them applies follows from how the cases were
# collected, not from which band is narrower.
