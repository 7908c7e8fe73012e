"""What confidenceinterval and MLstatkit answer on the same data, for the page that puts our answers beside theirs.

``python benchmarks/coming_from_python.py`` needs ``pip install confidenceinterval MLstatkit``; it rewrites
``results/coming_from_python.txt``.
"""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import confidenceinterval
import numpy as np
from MLstatkit import Bootstrapping, Delong_test
from sklearn.datasets import load_breast_cancer

RESULT = Path(__file__).parent / "results" / "coming_from_python.txt"


def main() -> None:
    """Ask, and keep what they say."""
    X, target = load_breast_cancer(return_X_y=True)
    malignant, texture, smoothness = (target == 0).astype(int), X[:, 1], X[:, 4]
    label, risk = (texture >= 20).astype(int), 1 / (1 + np.exp(20 - texture))
    z, p, *_ = Delong_test(malignant, texture, smoothness)
    lines = ["# versions", ", ".join(f"{name} {version(name)}" for name in ("confidenceinterval", "MLstatkit")), ""]
    estimate, (low, high) = confidenceinterval.f1_score(malignant, label, average="binary")
    lines += [
        "# f1_score",
        f"{estimate:.10f}  {low:.4f} to {high:.4f}",
        "",
        "# Delong_test",
        f"z = {z:.6f}  p = {p:.11f}",
        "",
    ]
    for metric in ("f1", "average_precision"):
        lines.append(f"# Bootstrapping {metric}")
        for seed in (1, 2, 3):
            found, low, high = Bootstrapping(malignant, risk, metric, average="binary", random_state=seed)
            lines.append(f"{found:.10f}  {low:.4f} to {high:.4f}   seed {seed}")
        lines.append("")
    RESULT.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
