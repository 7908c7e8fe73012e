"""What a user would otherwise run for the same question: other packages, and resampling."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import scipy.stats
from _clock import best, clock, floor, peak_memory
from _resampling import RESAMPLES, Resampler, monte_carlo_error, resamples
from sklearn.metrics import roc_auc_score

import skcostci

SECONDS = 5.0  # for one resampler at one size; what it did not finish is extrapolated
CONDITIONS = np.linspace(0, 1, 101)
THRESHOLDS = np.linspace(3, -2, 101)
RATES = np.arange(1, 100) / 100
AREA, AREAS, SENSITIVITY = "AUC", "difference of AUCs", "sensitivity at 95 % specificity"
RATE, COSTS = "sensitivity at a threshold", "cost curve, 101 conditions"
QUANTILES, PAIRED_COSTS = "cost curve, percentile limits", "difference of cost curves"
PAIRED_RATES = "two models at 99 FPRs"
QUESTIONS = (AREA, AREAS, SENSITIVITY, RATE, COSTS, QUANTILES, PAIRED_COSTS, PAIRED_RATES)
FLOOR = "the floor: a sort a class, a pass"


@dataclass(frozen=True)
class Timing:
    """One tool's answer to one question at one size; errors in standard errors of the statistic."""

    question: str
    tool: str
    n: int
    seconds: float
    bytes: float
    resamples: int = 0  # really drawn; ``seconds`` are those of 2,000
    end_error: float = 0.0


def sample(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two correlated binormal models on half positives, half negatives."""
    rng = np.random.default_rng(0)
    y_true = np.arange(n) % 2
    shared, a, b = rng.normal(size=(3, n))
    return y_true, (shared + a) / 2**0.5 + y_true, (shared + b) / 2**0.5 + 0.9 * y_true


def ours(y_true: np.ndarray, a: np.ndarray, b: np.ndarray) -> dict[str, Callable[[], Any]]:
    """Answers of this library, a 95 % interval each (and a p-value for two models)."""

    def paired(result: Any) -> Any:
        return result.confidence_interval(), result.pvalue()

    return {
        AREA: lambda: skcostci.bootstrap_auc(y_true, a).confidence_interval(),
        AREAS: lambda: paired(skcostci.bootstrap_auc_difference(y_true, a, b)),
        SENSITIVITY: lambda: skcostci.bootstrap_roc_at_fpr(y_true, a, fpr=[0.05]).confidence_interval(),
        RATE: lambda: skcostci.bootstrap_roc_at_threshold(y_true, a, thresholds=[0.5]).tpr.confidence_interval(),
        COSTS: lambda: skcostci.bootstrap_cost(y_true, a, thresholds=THRESHOLDS).confidence_interval(),
        QUANTILES: lambda: skcostci.bootstrap_cost(y_true, a, thresholds=THRESHOLDS).confidence_interval(
            method="percentile"
        ),
        PAIRED_COSTS: lambda: paired(skcostci.bootstrap_cost_difference(y_true, a, b, thresholds=THRESHOLDS)),
        PAIRED_RATES: lambda: paired(skcostci.bootstrap_roc_difference_at_fpr(y_true, a, b, fpr=RATES)),
    }


def formulas(y_true: np.ndarray, a: np.ndarray, b: np.ndarray) -> dict[tuple[str, str], Callable[[], Any]]:
    """What answers without resampling, of packages those installed, and the floor beneath every answer."""
    answers: dict[tuple[str, str], Callable[[], Any]] = {
        (question, FLOOR): lambda scores=(a, b) if question in (AREAS, PAIRED_COSTS, PAIRED_RATES) else (a,): floor(
            y_true, *scores
        )
        for question in QUESTIONS
    }
    if peer := _installed("confidenceinterval"):
        answers[AREA, "confidenceinterval, DeLong"] = lambda: peer.roc_auc_score(y_true, a)
        answers[RATE, "confidenceinterval, Wilson"] = lambda: peer.tpr_score(
            y_true.tolist(), (a >= 0.5).astype(int).tolist()
        )
    if delong := _installed("MLstatkit"):
        answers[AREAS, "MLstatkit, DeLong"] = lambda: delong.Delong_test(y_true, a, b)
    if proportion := _installed("statsmodels.stats.proportion"):
        answers[RATE, "statsmodels, Wilson"] = lambda: proportion.proportion_confint(
            np.count_nonzero(a[y_true == 1] >= 0.5), np.count_nonzero(y_true), method="wilson"
        )
    return answers


def resamplers(y_true: np.ndarray, a: np.ndarray, b: np.ndarray) -> dict[str, Callable[[], Callable[[], Any]]]:
    """A vectorized bootstrap of each question; the inner call draws one batch."""

    def prepared(*scores: np.ndarray) -> Resampler:
        return Resampler(y_true, *scores)

    return {
        AREA: lambda: prepared(a).auc,
        AREAS: lambda: prepared(a, b).auc,
        SENSITIVITY: lambda: _bound(prepared(a).tpr, np.array([0.05])),
        COSTS: lambda: _bound(prepared(a).cost, THRESHOLDS, CONDITIONS),
        QUANTILES: lambda: _bound(prepared(a).cost, THRESHOLDS, CONDITIONS),
        PAIRED_COSTS: lambda: _bound(prepared(a, b).cost, THRESHOLDS, CONDITIONS),
        PAIRED_RATES: lambda: _bound(prepared(a, b).tpr, RATES),
    }


def _bound(function: Callable[..., Any], *arguments: Any) -> Callable[[], Any]:
    return lambda: function(*arguments)


def _installed(module: str) -> Any:
    """The module, or None."""
    try:
        return import_module(module)
    except ImportError:
        return None


def timings(n: int) -> Iterator[Timing]:
    """Every tool on every question at one size."""
    data = sample(n)
    for question, call in ours(*data).items():
        yield Timing(question, "skcostci", n, best(call), peak_memory(call))
    for (question, tool), call in formulas(*data).items():
        yield Timing(question, tool, n, best(call), peak_memory(call))
    for question, prepare in resamplers(*data).items():
        rows, seconds = resamples(prepare, SECONDS)
        memory = peak_memory(prepare())
        yield Timing(question, "numpy, vectorized", n, seconds, memory, len(rows), monte_carlo_error(rows))
    yield _scipy_bootstrap(n, *data[:2])
    yield from _proc(n, *data)


def _scipy_bootstrap(n: int, y_true: np.ndarray, score: np.ndarray) -> Timing:
    """scipy.stats.bootstrap of the AUC, as many resamples as the time allows."""

    def run(count: int) -> Any:
        return scipy.stats.bootstrap(
            (y_true, score),
            roc_auc_score,
            paired=True,
            vectorized=False,
            n_resamples=count,
            batch=1,
            method="percentile",
            rng=np.random.default_rng(0),
        )

    count = int(np.clip(SECONDS / max(clock(lambda: run(2)) / 2, 1e-4), 20, RESAMPLES))
    drawn: list[Any] = []
    seconds = clock(lambda: drawn.append(run(count))) / count * RESAMPLES
    error = monte_carlo_error(drawn[0].bootstrap_distribution)
    return Timing(AREA, "scipy.stats.bootstrap", n, seconds, peak_memory(lambda: run(2)), count, error)


def _proc(n: int, y_true: np.ndarray, a: np.ndarray, b: np.ndarray) -> Iterator[Timing]:
    """R's pROC through Rscript, timed inside R."""
    if shutil.which("Rscript") is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scores.csv"
        np.savetxt(file, np.column_stack([y_true, a, b]), delimiter=",", header="y,a,b", comments="", fmt="%.17g")
        command = ["Rscript", str(Path(__file__).with_name("peers.R")), str(file), str(SECONDS)]
        run = subprocess.run(command, capture_output=True, text=True, check=True)
    for question, tool, seconds, megabytes, count in (line.split("\t") for line in run.stdout.splitlines()):
        error = float("nan") if int(count) else 0.0  # pROC returns the interval, not the resamples
        yield Timing(question, tool, n, float(seconds), float(megabytes) * 2**20, int(count), error)
