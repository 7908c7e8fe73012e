"""``python -m skcostci demo``: two models of a clinical set, judged on cases they have not seen."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from typing import Any

from numpy.typing import NDArray

from skcostci import __version__, cost_minimizing_thresholds
from skcostci._report import Model, draw_comparison, report_lines

PICTURE = "skcostci-demo.png"
INTRODUCTION = """\
Wisconsin breast cancer data (from scikit-learn): {cases} held-out cases, {positives} of them malignant.
Two models were fitted on the other half, from the texture and the smoothness of cell nuclei alone; their
thresholds were chosen there too, by cross-validation.

PC(+) weighs a missed cancer against a false alarm: prevalence times the cost of a miss, over that plus the
rest times the cost of an alarm. Perfect costs 0; treating nobody as positive costs PC(+), everybody 1 - PC(+).
"""


def demo_models() -> tuple[NDArray[Any], list[Model]]:
    """The labels of the held-out half (1 is malignant) and two models fitted on the other half."""
    from sklearn.datasets import load_breast_cancer
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_val_predict, train_test_split

    X, y = load_breast_cancer(return_X_y=True)
    X_fit, X_test, y_fit, y_test = train_test_split(X[:, [1, 4]], 1 - y, test_size=0.5, stratify=y, random_state=0)
    estimators = {
        "Logistic regression": LogisticRegression(C=1e4),
        "Random forest": RandomForestClassifier(100, min_samples_leaf=5, random_state=0),
    }
    models = []
    for name, estimator in estimators.items():
        unseen = cross_val_predict(estimator, X_fit, y_fit, method="predict_proba")[:, 1]
        y_score = estimator.fit(X_fit, y_fit).predict_proba(X_test)[:, 1]
        models.append(Model(name, y_score, partial(cost_minimizing_thresholds, y_fit, unseen)))
    return y_test, models


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m skcostci", description=__doc__)
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="command")
    commands.add_parser("demo", help=f"compare two models on a clinical data set; writes {PICTURE}")
    parser.parse_args(arguments)
    y_true, models = demo_models()
    print(INTRODUCTION.format(cases=len(y_true), positives=int(y_true.sum())))
    print("\n".join(report_lines(y_true, models)))
    draw_comparison(PICTURE, y_true, *models)
    print(f"Picture: {PICTURE}")


if __name__ == "__main__":
    main()
