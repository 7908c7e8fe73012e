"""What fairlearn and confidenceinterval answer on the same data, for the page that puts them beside this package.

``python benchmarks/beside_others.py`` needs ``pip install fairlearn confidenceinterval pandas``; it rewrites
``results/beside_others.txt``.
"""

from __future__ import annotations

import warnings
from importlib.metadata import version
from pathlib import Path
from typing import Any

import confidenceinterval as others
import numpy as np
from fairlearn.metrics import MetricFrame
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import accuracy_score, recall_score

import skcostci as sk

RESULT = Path(__file__).parent / "results" / "beside_others.txt"
EQUAL_SETS, EQUAL_CASES, EQUAL_GROUPS = 20, 400, 4


def shown(limits: Any) -> str:
    """Two limits."""
    return "{:.4f} to {:.4f}".format(*(float(limit) for limit in limits))


def of_fairlearn(y_true: Any, y_pred: Any, **options: Any) -> MetricFrame:
    """Its frame with 95 % intervals from 200 resamples."""
    options = {"sensitive_features": np.zeros(len(y_true)), "n_boot": 200, "random_state": 1, **options}
    metrics = {"recall": recall_score, "accuracy": accuracy_score}
    return MetricFrame(metrics=metrics, y_true=y_true, y_pred=y_pred, ci_quantiles=[0.025, 0.975], **options)


def equal_groups(seed: int) -> bool:
    """Whether the interval of the largest gap leaves out 0, where no group differs from another."""
    rng = np.random.default_rng(seed)
    y_true, group = rng.integers(0, 2, EQUAL_CASES), rng.integers(0, EQUAL_GROUPS, EQUAL_CASES)
    y_pred = np.where(rng.random(EQUAL_CASES) < 0.8, y_true, 1 - y_true)
    return bool(of_fairlearn(y_true, y_pred, sensitive_features=group).difference_ci()[0]["accuracy"] > 0)


def lines() -> list[str]:
    """The answers, each with the question before it."""
    X, target = load_breast_cancer(return_X_y=True)
    malignant, texture = (target == 0).astype(int), X[:, 1]
    labels, perfect = (texture >= 20).astype(int), np.repeat([1, 0], 30)
    auc, recall = sk.bootstrap_auc(malignant, texture), sk.bootstrap_metric(malignant, labels, "recall")
    quantiles = [frame["recall"] for frame in of_fairlearn(malignant, labels).overall_ci]
    all_found = [frame["recall"] for frame in of_fairlearn(perfect, perfect).overall_ci]
    gaps = sum(map(equal_groups, range(EQUAL_SETS)))
    names = ("fairlearn", "confidenceinterval", "scikit-learn")
    return [
        ", ".join(f"{name} {version(name)}" for name in names),
        "",
        "AUC of the texture, DeLong",
        f"  confidenceinterval      {shown(others.roc_auc_score(malignant, texture)[1])}",
        f"  here, method='delong'   {shown(auc.confidence_interval(method='delong'))}",
        f"  here, default           {shown(auc.confidence_interval())}",
        "AUC of 1, 30 + 30 cases",
        f"  confidenceinterval      {shown(others.roc_auc_score(perfect, np.arange(60)[::-1])[1])}",
        f"  here, default           {shown(sk.bootstrap_auc(perfect, np.arange(60)[::-1]).confidence_interval())}",
        "recall at a texture of 20",
        f"  fairlearn               {shown(quantiles)}",
        f"  confidenceinterval      {shown(others.tpr_score(malignant, labels)[1])}",
        f"  here, default           {shown(recall.confidence_interval())}",
        "recall, all of 30 found",
        f"  fairlearn               {shown(all_found)}",
        f"  confidenceinterval      {shown(others.tpr_score(perfect, perfect)[1])}",
        f"  here, default           {shown(sk.bootstrap_metric(perfect, perfect, 'recall').confidence_interval())}",
        "F1, no error in 60 cases",
        f"  confidenceinterval      {shown(others.f1_score(perfect, perfect, average='binary')[1])}",
        f"  here, default           {shown(sk.bootstrap_metric(perfect, perfect, 'f1').confidence_interval())}",
        f"largest gap in accuracy of {EQUAL_GROUPS} equal groups, {EQUAL_SETS} simulated sets of {EQUAL_CASES} cases",
        f"  fairlearn               interval above 0 in {gaps} of {EQUAL_SETS}",
    ]


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        RESULT.write_text("\n".join(lines()) + "\n")
    print(RESULT.read_text())
