"""
Intervals for several lesions per patient
=========================================

Lesions of one patient resemble each other. Counting each lesion as an independent case
overstates the information in the data.
"""

# %%
# The data are simulated: 40 patients with one to eight lesions each. Whether a lesion is
# malignant, and how the model scores it, depends on the patient as much as on the lesion, so
# that two lesions of a patient have a correlation of one half.

import matplotlib.pyplot as plt
import numpy as np

from skcostci import bootstrap_auc, bootstrap_cost, bootstrap_metric

rng = np.random.default_rng(3)
patient = np.repeat(np.arange(40), rng.integers(1, 9, 40))
of_patient = rng.normal(size=(2, 40))[:, patient]
of_lesion = rng.normal(size=of_patient.shape)
label, noise = (of_patient + of_lesion) / np.sqrt(2)
malignant = label > 0.3
score = noise + 1.5 * malignant
print(f"{len(patient)} lesions of 40 patients, {malignant.sum()} malignant")

# %%
# Each interval twice: as if all lesions were of different patients, and with whole patients
# resampled.

CUT = 0.75
questions = {
    "AUC": lambda **known: bootstrap_auc(malignant, score, **known),
    "Accuracy": lambda **known: bootstrap_metric(
        malignant, score, "accuracy", thresholds=CUT, **known
    ),
    "Sensitivity": lambda **known: bootstrap_metric(
        malignant, score, "recall", thresholds=CUT, **known
    ),
    "Precision": lambda **known: bootstrap_metric(
        malignant, score, "precision", thresholds=CUT, **known
    ),
    "Cost at PC(+) = 0.3": lambda **known: bootstrap_cost(
        malignant, score, probability_cost=0.3, thresholds=CUT, **known
    ),
}

figure, ax = plt.subplots(figsize=(5, 3.6), layout="constrained")
for place, (name, ask) in enumerate(questions.items()):
    for offset, color, known in ((-0.12, "0.6", {}), (0.12, "C0", {"groups": patient})):
        result = ask(**known)
        low, high = result.confidence_interval()
        ax.plot([low, high], [place + offset] * 2, color=color, linewidth=3)
        ax.plot(float(result), place + offset, "o", color=color)
        print(f"{name:20} {'patients' if known else 'lesions':9} {low:.3f} to {high:.3f}")
ax.set_yticks(range(len(questions)), questions)
ax.invert_yaxis()
ax.set(xlim=(0, 1), xlabel="95 % interval")
for label, color in {"Each lesion by itself": "0.6", "Whole patients": "C0"}.items():
    ax.plot([], [], color=color, linewidth=3, label=label)
ax.legend(frameon=False, fontsize="small")
plt.show()
# sphinx_gallery_alt = "Intervals of five numbers, two for each: those of whole patients are wider than those of lesions by themselves."
# sphinx_gallery_alt = "Of five measures of a model the intervals with whole patients are wider than those without."

# %%
# **To conclude.** With another forty patients these numbers would vary within the blue
# intervals.
#
# **Not to conclude.** That more lesions of the same patients would make the intervals much
# narrower: more patients are needed. Nor that groups always give wider intervals: where two
# models are compared on the same patients, or each patient has cases of both classes, a part of
# the shared variation cancels.
