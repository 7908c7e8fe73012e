"""
Do twenty more measurements improve a model?
============================================

Each image of cell nuclei gives ten mean values, and with more work the standard errors and
extremes of the same ten quantities. Two models, one with the ten and one with all thirty, are
compared in three pictures: ROC curves, cost curves, and the difference of the costs.
"""

# %%
# Both are fitted on one half of the breast cancer data and evaluated on the other. The
# thresholds of the cost curves are chosen on out-of-fold predictions of the fitting half,
# because thresholds chosen on the test set make costs look lower than they will be.

from functools import partial

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcostci import (
    CostCurveDisplay,
    PairedCostDifferenceDisplay,
    ROCConfidenceDisplay,
    bootstrap_auc,
    bootstrap_auc_difference,
    bootstrap_cost_difference,
    cost_minimizing_thresholds,
)

X, target = load_breast_cancer(return_X_y=True)
malignant = (target == 0).astype(int)
X_fit, X_test, y_fit, y_test = train_test_split(
    X, malignant, test_size=0.5, stratify=malignant, random_state=0
)
scores, chosen = {}, {}
for n_features in (30, 10):
    name, model = (
        f"{n_features} measurements",
        make_pipeline(StandardScaler(), LogisticRegression()),
    )
    out_of_fold = cross_val_predict(
        model, X_fit[:, :n_features], y_fit, method="predict_proba"
    )[:, 1]
    chosen[name] = partial(cost_minimizing_thresholds, y_fit, out_of_fold)
    model.fit(X_fit[:, :n_features], y_fit)
    scores[name] = model.predict_proba(X_test[:, :n_features])[:, 1]
print(f"{y_test.sum()} malignant and {(1 - y_test).sum()} benign test cases")

# %%
# The picture.

diagnosis = np.where(y_test, "malignant", "benign")
figure, (roc, cost, paired) = plt.subplots(3, figsize=(5, 11.5), layout="constrained")
for name, y_score in scores.items():
    ROCConfidenceDisplay.from_predictions(
        diagnosis, y_score, pos_label="malignant", name=name, ax=roc, despine=True
    )
    CostCurveDisplay.from_predictions(
        diagnosis,
        y_score,
        pos_label="malignant",
        thresholds=chosen[name],
        name=name,
        ax=cost,
        plot_chance_level=False,
        despine=True,
    )
PairedCostDifferenceDisplay.from_predictions(
    diagnosis,
    *scores.values(),
    pos_label="malignant",
    thresholds=tuple(chosen.values()),
    name_a="30 measurements",
    name_b="10 measurements",
    ax=paired,
    despine=True,
)
plt.show()
# sphinx_gallery_alt = "ROC curves of two models, their cost curves, and the difference in cost, each with bands."

# %%
# In numbers: the AUCs and their difference, then the difference in cost at three operating
# conditions and where one of the models is significantly cheaper, at all conditions at once.

for name, y_score in scores.items():
    auc = bootstrap_auc(y_test, y_score)
    print(
        "{}: AUC {:.3f} (95 % interval {:.3f} to {:.3f})".format(
            name, float(auc), *auc.confidence_interval()
        )
    )
gain = bootstrap_auc_difference(y_test, *scores.values())
print(
    "Difference in AUC: {:.3f} ({:.3f} to {:.3f})".format(
        float(gain), *gain.confidence_interval()
    )
)

# %%

saving = bootstrap_cost_difference(
    y_test,
    *scores.values(),
    probability_cost=[0.2, 0.5, 0.8],
    thresholds=tuple(chosen.values()),
)
print(
    saving.to_frame()[["probability_cost", "estimate", "standard_error", "low", "high"]]
    .round(3)
    .to_string(index=False)
)

everywhere = bootstrap_cost_difference(
    y_test, *scores.values(), thresholds=tuple(chosen.values())
)
cheaper = everywhere.significant(0.95)
for name, stretches in zip(scores, cheaper, strict=True):
    where = ", ".join(f"{low:.2f} to {high:.2f}" for low, high in stretches)
    print(f"{name} significantly cheaper at PC(+) {where or 'nowhere'}")

# %%
# **To conclude.** These cases do not show that the further measurements help. The interval of
# the difference in AUC contains 0. For costs the evidence is stronger: near PC(+) = 1/2, where
# misses and false alarms have about the same weight after accounting for prevalence, the
# interval ends at 0.
#
# **Not to conclude.** That ten measurements are as good elsewhere: an interval that contains 0
# can mean too few cases as well as no difference. The bands are pointwise, and they are for
# these two fitted models, not for models fitted again on other cases.
