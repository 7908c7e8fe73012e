"""
The same screening test at two prevalences
==========================================

Sensitivity and specificity belong to a test; the probability that a positive result is right
belongs to a test and a population. What a study of patients and controls says about it can be
carried over to another prevalence, with its uncertainty.
"""

# %%
# Radius and texture of cell nuclei, one half of the women fits a model, the other half judges
# it. Four in ten tumours are malignant here.

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
# Where one woman in a hundred has a malignant tumour, most alarms are false, and how many is
# rather uncertain: it hangs on the few false alarms of the study. That a negative result is
# right is nearly sure there.

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
# The probability that a positive result is right, at every prevalence.

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
# **To conclude.** How much a positive result says where the disease is as rare as that,
# provided that the sick are as sick, and the healthy as healthy, as in the study.
#
# **Not to conclude.** That they are. Early cases are harder to find than those of a clinic,
# and no interval knows about that.
