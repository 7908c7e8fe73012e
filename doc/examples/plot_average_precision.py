"""
The uncertainty of an average precision
=======================================

The area under the precision-recall curve depends on the few cases at the top of the ranking.
With 30 positives it is far less certain than it looks, and a normal interval is too narrow.
"""

# %%
# A rare disease, 30 sick among 630, and a score that separates them well, except that one
# healthy person in two hundred scores higher than all the sick.

import matplotlib.pyplot as plt
import numpy as np

import skcostci as sk

rng = np.random.default_rng(0)


def study(sick=30, healthy=600):
    """Labels and scores."""
    y = np.repeat([1, 0], [sick, healthy])
    score = rng.normal(3 * y)
    score[(y == 0) & (rng.random(len(y)) < 1 / 200)] += 20
    return y, score


y_true, score = study()
result = sk.bootstrap_average_precision(y_true, score)
print(result)

# %%
# The curve, and the average precision with its interval in the legend.

sk.PrecisionRecallConfidenceDisplay.from_predictions(y_true, score, name="Score")
plt.show()
# sphinx_gallery_alt = "A precision-recall curve with a band, widest at low recall; the legend has the average precision and its interval."

# %%
# Forty such studies, and the average precision of a very large study. An interval that does not
# contain it is orange.

truth = float(sk.bootstrap_average_precision(*study(20_000, 400_000)))
studies = [sk.bootstrap_average_precision(*study()) for _ in range(40)]

methods = ("unseen_case", "wald")
figure, axes = plt.subplots(1, 2, figsize=(8, 4), sharey=True, layout="constrained")
for ax, method, title in zip(axes, methods, ("Default", "Gaussian"), strict=True):
    limits = [result.confidence_interval(method=method) for result in studies]
    held = [low <= truth <= high for low, high in limits]
    for place, ((low, high), good) in enumerate(zip(limits, held, strict=True)):
        ax.plot([place, place], [low, high], color="C0" if good else "C1")
    ax.axhline(truth, color="0.3", linestyle=":")
    ax.set(title=f"{title}: {sum(held)} of {len(held)} contain it", xlabel="Study", xticks=[])
axes[0].set(ylabel="Average precision")
plt.show()
# sphinx_gallery_alt = "Intervals of forty studies by two methods beside the true average precision; more of the Gaussian ones miss it."

# %%
# **To conclude.** An average precision depends strongly on whether a healthy person with the
# highest score of all is in the sample. An interval has to account for this.
#
# **Not to conclude.** That these scores are bad: the part of the curve that matters to you may
# be at another recall. Compute the precision at that recall.
