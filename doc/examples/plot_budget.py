"""
How many of the patients at risk do fifty appointments find?
============================================================

A clinic can see fifty more patients, whatever any model says. The fixed quantity is therefore
the number of cases labelled positive, not a threshold or a false-positive rate; the threshold
is the score of the fiftieth patient of each batch.
"""

# %%
# The diabetes data of scikit-learn contain a measure of disease progression one year after the
# measurements were taken. The patients to find are those in whom it progressed as far as in the
# worst quarter of the fitting half. Scores need not be probabilities: here they are the
# predictions of a regression, fitted on one half of the patients and evaluated on the other.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.linear_model import RidgeCV
from sklearn.model_selection import train_test_split

from skcostci import bootstrap_roc_at_positive_rate

X, progression = load_diabetes(return_X_y=True)
X_fit, X_test, y_fit, y_test = train_test_split(X, progression, test_size=0.5, random_state=0)
at_risk = y_test >= np.quantile(y_fit, 0.75)
y_score = RidgeCV().fit(X_fit, y_fit).predict(X_test)
print(f"{len(at_risk)} patients, {at_risk.sum()} of them at risk")

# %%
# The true-positive rate and the precision under the budget, each with its interval. Both are
# the number of patients at risk who are seen, on two scales.

BUDGET = 50
found = bootstrap_roc_at_positive_rate(at_risk, y_score, positive_rate=BUDGET / len(at_risk))
for name, rate in {
    "at risk who are seen": found,
    "seen who are at risk": found.precision,
}.items():
    print(
        "{}: {:.2f} (95 % interval {:.2f} to {:.2f})".format(
            name, float(rate), *rate.confidence_interval(0.95)
        )
    )

# %%
# The share of patients found under other budgets. The dotted line is the share found by random
# selection.

budgets = np.arange(5, len(at_risk), 3)
curve = bootstrap_roc_at_positive_rate(at_risk, y_score, positive_rate=budgets / len(at_risk))
low, high = curve.confidence_interval(0.95)

figure, ax = plt.subplots(figsize=(5, 4), layout="constrained")
ax.plot(budgets, curve.estimate, label="Ridge regression")
ax.fill_between(budgets, low, high, alpha=0.2, label="95 % confidence band (pointwise)")
ax.plot([0, len(at_risk)], [0, 1], color="0.3", linestyle=":", label="Random patients")
ax.axvline(BUDGET, color="0.3", linewidth=1, linestyle="--", label=f"Budget of {BUDGET}")
ax.set(
    xlabel=f"Patients seen, of {len(at_risk)}",
    ylabel="Share of the patients at risk who are seen",
)
ax.set(xlim=(0, len(at_risk)), ylim=(0, 1))
ax.legend(loc="lower right", fontsize="small", frameon=False)
plt.show()
# sphinx_gallery_alt = "The share of patients found rises with the number seen, inside a band; at fifty it is near 0.6."

# %%
# **To conclude.** The interval is for the share of the patients at risk found with this budget
# among patients like these. It includes the uncertainty of the threshold: the score of the
# fiftieth patient differs from batch to batch.
#
# **Not to conclude.** That the score of the fiftieth patient can be used as a fixed threshold.
# In a batch with more patients at risk it would label more than fifty. For a rule with a fixed
# threshold choose one on validation data (:func:`~skcostci.workforce_threshold`) and use
# :func:`~skcostci.bootstrap_roc_at_threshold`.
