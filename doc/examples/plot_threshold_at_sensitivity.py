"""
The threshold for a sensitivity of 90 %, and its uncertainty
============================================================

A test must find 90 % of the malignant tumours. A study of 60 malignant and 60 benign tumours
estimates the threshold that does. What is the specificity at this threshold, how uncertain is
the threshold, and will it find 90 % of other malignant tumours?
"""

# %%
# The texture of cell nuclei separates malignant from benign tumours, with errors.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer

from skcostci import ROCConfidenceDisplay, bootstrap_roc_at_tpr, sensitivity_threshold

data = load_breast_cancer()
malignant, texture = (data.target == 0).astype(int), data.data[:, 1]
rng = np.random.default_rng(1)


def study(n_each):
    """So many cases of each class, and the malignant ones that are left."""
    classes = [rng.permutation(np.flatnonzero(malignant == label)) for label in (1, 0)]
    return np.concatenate([members[:n_each] for members in classes]), classes[0][n_each:]


cases, _ = study(60)
y_true, y_score = malignant[cases], texture[cases]

# %%
# The threshold is the highest at which 90 % of the malignant cases are found. Its interval
# contains, with 95 % confidence, the score that 90 % of all malignant tumours reach; its limits
# are two scores of the study.

found = bootstrap_roc_at_tpr(y_true, y_score, sensitivity=0.9)
print(
    "threshold {:.2f} ({:.2f} to {:.2f})".format(found.threshold, *found.threshold_interval())
)
low, high = found.confidence_interval()
print(f"specificity {float(found):.2f} ({low:.2f} to {high:.2f})")

# %%
# The same point on the ROC curve, with its interval: the sensitivity is fixed, so only the
# specificity is uncertain. The band is for fixed false-positive rates and answers another
# question.

figure, ax = plt.subplots(figsize=(5, 5), layout="constrained")
ROCConfidenceDisplay.from_predictions(
    y_true, y_score, name="Texture", operating_point={"tpr": 0.9}, ax=ax
)
plt.show()
# sphinx_gallery_alt = "A ROC curve with its band; a cross marks a sensitivity of 0.9 and the interval of the specificity."

# %%
# Now the threshold is fixed and used on other cases. In 200 such studies, what share of the
# malignant cases that were not in the study does it find? A threshold can also be chosen to
# reach 90 % with 95 % confidence; it is then lower.

reached = {"as the study has it": None, "with 95 % confidence": 0.95}
sensitivities = {name: [] for name in reached}
for _ in range(200):
    cases, others = study(60)
    for name, confidence in reached.items():
        threshold = sensitivity_threshold(
            malignant[cases], texture[cases], 0.9, confidence=confidence
        )
        sensitivities[name].append(np.mean(texture[others] >= threshold))

figure, ax = plt.subplots(figsize=(6, 3.4), layout="constrained")
for (name, values), line in zip(sensitivities.items(), ("-", "--"), strict=True):
    short = np.mean(np.less(values, 0.9))
    ax.ecdf(values, label=f"{name}: {short:.0%} fall short", linestyle=line)
ax.axvline(0.9, color="0.3", linewidth=1, linestyle=":")
ax.set(xlabel="Sensitivity in other cases", ylabel="Share of the studies")
ax.legend(frameon=False, fontsize="small")
plt.show()
# sphinx_gallery_alt = "Two cumulative distributions of sensitivities; the one with confidence lies mostly above 0.9, the other about it."

# %%
# **To conclude.** The specificity at a sensitivity of 90 %, the threshold, and the uncertainty
# of both. If the 90 % are required, use a threshold with confidence, at the price of more false
# alarms.
#
# **Not to conclude.** That the threshold of the study finds 90 %: about every second threshold
# finds fewer. With 95 % confidence it is one in twenty, if the other cases are many; here only
# 152 are left, and the share found among them varies too.
