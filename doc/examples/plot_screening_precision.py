"""
The same screening test at two prevalences
==========================================

Sensitivity and specificity are properties of a test; the probability that a positive result is
correct depends on the test and on the prevalence. It can be computed for another prevalence
than in the study, with its uncertainty.
"""

# %%
# Radius and texture of cell nuclei, a model is fitted on one half of the women and evaluated on
# the other half. Four in ten tumours are malignant here.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcostci import bootstrap_metric

X, target = load_breast_cancer(return_X_y=True)
parts = train_test_split(X[:, :2], target == 0, test_size=0.5, stratify=target, random_state=0)
X_fit, X_test, y_fit, y_test = parts
model = make_pipeline(StandardScaler(), LogisticRegression()).fit(X_fit, y_fit)
found = model.predict(X_test)

# %%
# Where one woman in a hundred has a malignant tumour, most alarms are false. Their share is
# rather uncertain, because it depends on the few false alarms in the study. A negative result
# is almost certainly correct there.

for prevalence in (0.4, 0.01):
    for name in ("precision", "npv"):
        result = bootstrap_metric(y_test, found, name, prevalence=prevalence)
        low, high = result.confidence_interval()
        limits = f"({low:.3f} to {high:.3f})"
        print(f"prevalence {prevalence:4.0%}  {name:9} {float(result):.3f} {limits}")

# %%
# Both follow from the likelihood ratios, which do not depend on the prevalence.

for name in ("lr_positive", "lr_negative"):
    result = bootstrap_metric(y_test, found, name)
    low, high = result.confidence_interval()
    print(f"{name}: {float(result):.2f} ({low:.2f} to {high:.2f})")

# %%
# The probability that a positive result is correct, at every prevalence.

prevalences = np.geomspace(0.001, 0.5, 40)
results = [bootstrap_metric(y_test, found, "precision", prevalence=p) for p in prevalences]
low, high = np.transpose([result.confidence_interval() for result in results])

figure, ax = plt.subplots(figsize=(5, 4), layout="constrained")
ax.plot(prevalences, [float(result) for result in results], label="Positive predictive value")
ax.fill_between(prevalences, low, high, alpha=0.2, label="95 % confidence band (pointwise)")
ax.plot(prevalences, prevalences, color="0.3", linestyle=":", label="Before the test")
ax.set(xlabel="Prevalence", ylabel="Probability of a malignant tumour")
ax.set(xscale="log", ylim=(0, 1))
ax.legend(loc="upper left", fontsize="small", frameon=False)
plt.show()
# sphinx_gallery_alt = "The probability of a malignant tumour after a positive result rises with the prevalence, with a band."

# %%
# **To conclude.** How informative a positive result is where the disease is so rare, provided
# that the sick are as sick, and the healthy as healthy, as in the study.
#
# **Not to conclude.** That this condition is met. Early cases are harder to detect than cases
# in a clinic, and no interval accounts for this.
