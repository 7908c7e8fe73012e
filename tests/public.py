"""What tests know of the library by asking its public names: metrics, limits of a law, levels, titles."""

import re
import warnings
from functools import lru_cache

import numpy as np

import skcostci as sk

ANSWER = sk.bootstrap_auc([0, 1], [0, 1])
TITLES = {  # what tables, captions and reports call the interval methods
    "agresti": "Agresti",
    "chebyshev": "Cortes-Mohri, Chebyshev",
    "chosen": "after choosing",
    "clopper_pearson": "Clopper-Pearson",
    "combined": "combined limits",
    "delong": "DeLong",
    "envelope": "least cost at any threshold",
    "exponential": "Cortes-Mohri, exponential",
    "extrapolated": "extrapolated observation",
    "gaussian": "Cortes-Mohri, Gaussian",
    "given_error_rate": "Cortes-Mohri, given error rate",
    "hanley_mcneil": "Hanley-McNeil",
    "logit_t": "Student t, log odds",
    "max_variance": "largest variance",
    "newcombe": "Newcombe",
    "optimal": "Cortes-Mohri",
    "percentile": "exact bootstrap",
    "rank_beta": "rank Beta",
    "rank_mover": "rank Beta, MOVER",
    "rubin": "Rubin's rules",
    "smoothed": "smoothed bootstrap",
    "unseen_case": "unseen case",
    "unseen_group": "unseen group",
    "wald": "Gaussian",
    "wilson": "Wilson score",
}
BAND_TITLES = {"equal_levels": "equal local levels", "kolmogorov": "Kolmogorov", "path": "path length"}
DISPLAYS = tuple(getattr(sk, name) for name in sk.__all__ if name.endswith("Display"))


def every_metric():
    """The names of metrics, which the refusal of any other one lists."""
    try:
        sk.bootstrap_metric([0, 1], [0, 1], "no such metric")
    except ValueError as refused:
        labels = "".join(str(refused).partition("'accuracy'")[1:])  # after what is of scores
        return re.findall(r"'(\w+)'", labels.partition(", got")[0])
    raise AssertionError


def legend_texts(ax):
    """What stands in the legend, with its line breaks."""
    return [text.get_text() for text in ax.get_legend().get_texts()] if ax.get_legend() else []


def asked_plainly(name):
    """A metric of four labels, with the class mix drawn."""
    return sk.bootstrap_metric([1, 1, 0, 0], [1, 0, 1, 0], name, sampling="full")


EVERY_NAME = every_metric()  # some of which are others' names
RISKS = [name for name in EVERY_NAME if "net_benefit" in name]  # that change with the threshold
NAMED = [name for name in EVERY_NAME if name not in RISKS and asked_plainly(name).metric == name]
BY_NAME = [*NAMED, *RISKS]
METRICS = {name: asked_plainly(name).estimand.metric for name in NAMED}


def limit(law, method, alpha, side):
    """The lower (side -1) or the upper limit of a law that leaves this probability outside, inside its range."""
    result = sk.results.BootstrapResult(np.asarray(law.mean), law, (method,), estimand=ANSWER.estimand)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sk.DegenerateLawWarning)
        return result.confidence_interval(1 - alpha, alternative="less" if side > 0 else "greater")[int(side > 0)]


@lru_cache
def local_level(n, alpha):
    """The level of each limit in a band of a rate: of n cases and no hit the upper one is 1 - (level / 2)^(1 / n)."""
    rates = sk.bootstrap_roc_at_threshold([1, 0], [0, 0], thresholds=1, sample_weight=[n, 1])
    return 2 * (1 - rates.tpr.confidence_band(1 - alpha, method="equal_levels").high) ** n
