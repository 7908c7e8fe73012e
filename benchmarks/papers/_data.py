"""The real data of Dugas & Gadoury (2009), prepared as their appendix C says, scored by logistic regression."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

DATA = Path(__file__).parents[1] / "data"


class Pool(NamedTuple):
    """The scores of the cases that were not trained on, descending order not implied."""

    name: str
    positive: np.ndarray
    negative: np.ndarray
    trained_on: tuple[int, int]  # positives and negatives


def columns(name: str) -> dict[str, np.ndarray]:
    """A data set's columns, as strings."""
    with gzip.open(DATA / f"{name}.csv.gz", "rt", newline="") as file:
        header, *rows = csv.reader(file)
    return dict(zip(header, np.array(rows).T, strict=True))


def one_hot(values: np.ndarray) -> np.ndarray:
    """A column for each category but the first."""
    return (values[:, None] == np.unique(values)[1:]).astype(float)


def features(data: dict[str, np.ndarray], categorical: set[str]) -> np.ndarray:
    """Numbers as they are, categories one-hot."""
    return np.column_stack([one_hot(v) if k in categorical else v.astype(float) for k, v in data.items()])


def abalone() -> tuple[np.ndarray, np.ndarray]:
    data = columns("abalone")
    young = data.pop("Rings").astype(int) < 10
    return features(data, {"Sex"}), young


def adult() -> tuple[np.ndarray, np.ndarray]:
    data = columns("adult_train32561")
    rich = np.char.find(data.pop("income"), ">50K") >= 0
    numbers = {"age", "fnlwgt", "education_num", "capital_gain", "capital_loss", "hours_per_week"}
    return features(data, set(data) - numbers), rich


def chess() -> tuple[np.ndarray, np.ndarray]:
    data = columns("krkopt")
    win = data.pop("Game") != "draw"
    return features(data, set(data)), win


def credit() -> tuple[np.ndarray, np.ndarray]:
    data = columns("german_credit_numeric")
    good = data.pop("class") == "1"
    return features(data, set()), good


def telescope() -> tuple[np.ndarray, np.ndarray]:
    data = columns("magic_telescope")
    gamma = data.pop("class") == "g"
    return features(data, set()), gamma


def breast_cancer() -> tuple[np.ndarray, np.ndarray]:
    """Bundled with scikit-learn; in the place of Covertype."""
    X, y = load_breast_cancer(return_X_y=True)
    return X, y == 1


SETS: dict[str, tuple[Callable, int, bool]] = {  # how many cases to train on, and whether to shuffle first
    "Abalone": (abalone, 1000, False),
    "Adult": (adult, 16_280, False),
    "Chess": (chess, 5000, True),
    "Credit": (credit, 500, False),
    "Telescope": (telescope, 1000, True),
    "Breast cancer": (breast_cancer, 200, True),
}


def pool(name: str) -> Pool:
    """Train on the first cases and score the others."""
    load, size, shuffled = SETS[name]
    X, y = load()
    if shuffled:
        order = np.random.default_rng(2009).permutation(len(y))
        X, y = X[order], y[order]
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000)).fit(X[:size], y[:size])
    scores, rest = model.decision_function(X[size:]), y[size:]
    return Pool(name, scores[rest], scores[~rest], (int(y[:size].sum()), int((~y[:size]).sum())))
