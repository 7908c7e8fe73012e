"""
How coarsely may a database count the scores?
=============================================

Scores are often stored in a database or in files. Every function here takes counts: a label, a
score, and the number of cases with both. The database engine can therefore count the cases, and
only the counts are transferred. When nearly all scores differ there are as many counts as
cases, unless scores are counted in bins; how much does this change the AUC?
"""

# %%
# Out-of-fold scores of all 1,797 digits, for the question whether a digit is an 8: the score of
# each digit comes from the one of five models that was not fitted on it. The scores are written
# to a Parquet file, which DuckDB reads.

import tempfile
from pathlib import Path

import duckdb
import matplotlib.pyplot as plt
import pandas as pd
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcostci import aggregate_scores, bootstrap_auc

X, digit = load_digits(return_X_y=True)
model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
log_odds = cross_val_predict(model, X, digit == 8, method="decision_function")

folder = tempfile.TemporaryDirectory()
path = Path(folder.name) / "predictions.parquet"
pd.DataFrame({"digit": digit, "log_odds": log_odds}).to_parquet(path)
cases = duckdb.sql(f"""
    SELECT digit = 8 AS is_eight, log_odds, 1 / (1 + exp(-log_odds)) AS probability
    FROM '{path.as_posix()}'
""")

# %%
# Without bins the counts give the same result as the scores, to the last bit. But as nearly all
# scores differ, nothing is saved.

counted = aggregate_scores(cases, y_true="is_eight", y_score="log_odds")
exact = bootstrap_auc(**counted)
low, high = exact.confidence_interval(0.95)
print(counted)
print(f"AUC {float(exact):.4f}, 95 % interval {low:.4f} to {high:.4f}")
print(
    "equal to the AUC of the scores:",
    float(exact) == float(bootstrap_auc(digit == 8, log_odds)),
)

# %%
# Now in 2 to 1,000 bins of equal width, of the log odds and of the probabilities. Pairs of
# cases that share a bin become ties, so the AUC changes, at most by ``auc_error_bound``, which
# is computed from the counts.

figure, ax = plt.subplots(figsize=(5, 4), layout="constrained")
for column, style in (("log_odds", "o-"), ("probability", "s--")):
    binned = [
        aggregate_scores(cases, y_true="is_eight", y_score=column, bins=bins)
        for bins in (2, 5, 10, 20, 50, 100, 200, 500, 1000)
    ]
    groups = [len(counts.y_true) for counts in binned]
    auc = [float(bootstrap_auc(**counts)) for counts in binned]
    bounds = [counts.auc_error_bound for counts in binned]
    label = f"Bins of {column.replace('_', ' ')}, with error bound"
    ax.errorbar(groups, auc, bounds, fmt=style, markersize=4, capsize=3, label=label)
    print(f"Bins of {column}")
    table = pd.DataFrame({"groups": groups, "AUC": auc, "error bound": bounds})
    print(table.round(4).to_string(index=False))
ax.axhline(float(exact), color="0.3", linewidth=1, label="All scores")
ax.axhspan(low, high, color="0.85", zorder=0, label="Its 95 % interval")
ax.set(xscale="log", xlabel="Groups that leave the database", ylabel="AUC", ylim=(0.6, 1.02))
ax.xaxis.set_major_formatter("{x:g}")
ax.legend(loc="lower right", fontsize="small", frameon=False)
plt.show()
# sphinx_gallery_alt = "The AUC from binned scores approaches that of all scores as the number of bins grows."
folder.cleanup()

# %%
# **To conclude.** Bins are fine enough if the error bound is small beside the width of the
# interval. Bins of equal width suit scores that are spread out, as log odds are:
# probabilities of a good model crowd near 0 and 1, where most pairs then share a bin.
#
# **Not to conclude.** That costs and rates have similar errors. At thresholds that are edges of
# bins they are exact however few the bins are. The 1,797 digits would have fitted into memory;
# the same query works for a table that does not, and returns no more counts.
