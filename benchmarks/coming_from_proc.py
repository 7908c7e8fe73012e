"""What R's pROC answers on scikit-learn's breast-cancer set, for the page that puts our answers beside it.

``python benchmarks/coming_from_proc.py`` needs Rscript and pROC (Debian: r-cran-proc); it rewrites
``results/coming_from_proc.txt``.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from sklearn.datasets import load_breast_cancer

HERE = Path(__file__).parent


def main() -> None:
    """Write the two scores with all their digits, let R answer, keep what it says."""
    X, target = load_breast_cancer(return_X_y=True)
    rows = zip((target == 0).astype(int), X[:, 1], X[:, 4], strict=True)
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data.csv"
        lines = [f"{label},{texture:.17g},{smoothness:.17g}" for label, texture, smoothness in rows]
        data.write_text("\n".join(["malignant,texture,smoothness", *lines]) + "\n")
        command = ["Rscript", str(HERE / "coming_from_proc.R"), str(data)]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    (HERE / "results" / "coming_from_proc.txt").write_text(said.lstrip())
    print(said)


if __name__ == "__main__":
    main()
