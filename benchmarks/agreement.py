"""What equals what: the same question put to other software and to this package, on the same data.

The questions are in ``agreement.toml``. ``python benchmarks/agreement.py`` asks all of them and rewrites
``results/agreement.json`` and ``results/agreement.md``. It needs ``pip install statsmodels dcurves confidenceinterval
MLstatkit lifelines scikit-survival`` and Rscript with pROC, ROCR, multcomp and survival (Debian: r-cran-proc
r-cran-rocr r-cran-multcomp r-cran-survival). With ``--ours`` only this package is asked, beside what the
others said last; ``tests/test_agreement.py`` does the same.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.naive_bayes import GaussianNB

import skcostci as sk

HERE = Path(__file__).parent
ANSWERS, PAGE = HERE / "results" / "agreement.json", HERE / "results" / "agreement.md"
R = ("pROC", "ROCR", "multcomp", "survival")
Expressions = dict[str, Any]
Numbers = list[float]
ROUNDING = 1e-12  # relative, where a question names no other
PREAMBLE = """\
options(digits = 17); set.seed(1)
suppressMessages({library(pROC); library(ROCR); library(multcomp); library(survival)})
d <- read.csv("data.csv")
texture <- roc(d$y, d$texture, direction = "<", levels = c(0, 1))
smoothness <- roc(d$y, d$smoothness, direction = "<", levels = c(0, 1))
p <- prediction(d$texture, d$y)
at20 <- function(measure, ...) {
  m <- performance(p, measure, ...); m@y.values[[1]][m@x.values[[1]] == min(d$texture[d$texture >= 20])]
}
ecost <- function(w) { e <- performance(p, "ecost"); approx(e@x.values[[1]], e@y.values[[1]], w)$y }
curves <- list(texture, smoothness, roc(d$y, d$symmetry, direction = "<", levels = c(0, 1)))
areas <- sapply(curves, function(a) as.numeric(auc(a))); same <- sapply(curves, function(a) sapply(curves, function(b) {
  if (identical(a, b)) var(a) else cov(a, b) }))
contrasts <- rbind(c(1, -1, 0), c(1, 0, -1), c(0, 1, -1))
delong <- glht(parm(coef = areas, vcov = same), linfct = contrasts)
pairs <- glht(parm(coef = areas, vcov = unname(as.matrix(read.csv("covariance.csv")))), linfct = contrasts)
seen <- Surv(d$time, d$event); often_tied <- Surv(d$coarse, d$event)
harrell <- function(...) {
  found <- lapply(list(...), concordance, data = d, reverse = TRUE, influence = 1); k <- c(1, -1)[seq_along(found)]
  c(sum(k * sapply(found, coef)), sqrt(sum((sapply(found, function(each) each$dfbeta) %*% k)^2)))
}
say <- function(...) cat("\\n>", format(c(...), digits = 17), "\\n")
"""


def ours() -> Expressions:
    """The data, and what the expressions of our side are about."""
    data = load_breast_cancer()
    y, texture, smoothness = (data.target == 0).astype(int), data.data[:, 1], data.data[:, 4]
    label, risk = (texture >= 20).astype(int), 1 / (1 + np.exp(20 - texture))
    three = {"texture": texture, "smoothness": smoothness, "symmetry": data.data[:, 8]}
    wine, event = load_wine(), data.target == 0
    return {
        "np": np,
        "sk": sk,
        "y": y,
        "texture": texture,
        "smoothness": smoothness,
        "symmetry": three["symmetry"],
        "label": label,
        "risk": risk,
        "event": event,
        "time": 1000 / data.data[:, 3],
        "later": 1000 / data.data[:, 3] + 1e-9 * ~event,
        "coarse": np.round(1000 / data.data[:, 3], 1),
        "kind": wine.target,
        "proba": GaussianNB().fit(wine.data[::2, :2], wine.target[::2]).predict_proba(wine.data[:, :2]),
        "auc": sk.bootstrap_auc(y, texture),
        "difference": sk.bootstrap_auc_difference(y, texture, smoothness),
        "at": sk.bootstrap_roc_at_fpr(y, texture, fpr=0.2),
        "rates": sk.bootstrap_roc_at_threshold(y, texture, thresholds=20.0),
        "metric": lambda name: sk.bootstrap_metric(y, label, name),
        "models": sk.compare_models(y, three),
        "with_error": lambda result: [result.estimate, result.standard_error],
    }


def theirs(names: Expressions) -> Expressions:
    """The same data for other Python packages, and their functions."""
    import confidenceinterval
    import pandas as pd
    import sklearn.metrics
    from dcurves import dca
    from lifelines.utils import concordance_index
    from MLstatkit import Delong_test
    from sksurv.metrics import brier_score, concordance_index_censored, cumulative_dynamic_auc
    from sksurv.util import Surv
    from statsmodels.stats.nonparametric import rank_compare_2indep
    from statsmodels.stats.proportion import proportion_confint

    y, texture = names["y"], names["texture"]
    fpr, tpr, thresholds = sklearn.metrics.roc_curve(y, texture, drop_intermediate=False)
    return {
        **vars(sklearn.metrics),
        **names,
        "fpr": fpr,
        "tpr": tpr,
        "thresholds": thresholds,
        "hits": int(names["label"][y == 1].sum()),
        "positives": int(y.sum()),
        "frame": pd.DataFrame({"y": y, "risk": names["risk"]}),
        "confidenceinterval": confidenceinterval,
        "dca": dca,
        "Delong_test": Delong_test,
        "concordance_index": concordance_index,
        "concordance_index_censored": concordance_index_censored,
        "brier_score": brier_score,
        "cumulative_dynamic_auc": cumulative_dynamic_auc,
        "seen": lambda times: Surv.from_arrays(names["event"], times),
        "rank_compare_2indep": rank_compare_2indep,
        "proportion_confint": proportion_confint,
    }


def asked_of_r(expressions: list[str], names: Expressions) -> tuple[list[Numbers], str]:
    """What R answers, and its versions."""
    models = names["models"]
    columns = {
        "y": names["y"],
        "texture": names["texture"],
        "smoothness": names["smoothness"],
        "symmetry": names["symmetry"],
        **{name: names[name] for name in ("risk", "event", "time", "coarse")},
    }
    files = {"data.csv": (columns, np.column_stack(list(columns.values())))}
    files["covariance.csv"] = (models.models, models.covariance)
    versions = ", ".join(f"paste('{name}', packageVersion('{name}'))" for name in R)
    script = [
        PREAMBLE,
        *(f"say({each})" for each in expressions),
        f"cat('\\n#', paste(R.version.string, {versions}, sep = ', '))",
    ]
    with tempfile.TemporaryDirectory() as folder:
        for name, (head, rows) in files.items():
            np.savetxt(Path(folder) / name, rows, fmt="%.17g", delimiter=",", header=",".join(head), comments="")
        command = ["Rscript", "-e", "\n".join(script)]
        said = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=folder).stdout
    answers = [[float(word) for word in line[1:].split()] for line in said.splitlines() if line.startswith(">")]
    return answers, said.rpartition("#")[2].strip()


def numbers(value: Any) -> Numbers:
    """What an expression came to."""
    return [float(each) for each in np.ravel(np.asarray(value, dtype=float))]


def largest_gap(one: Numbers, other: Numbers) -> float:
    """Relative to the larger of the two."""
    return max(abs(a - b) / max(abs(a), abs(b)) if a != b else 0.0 for a, b in zip(one, other, strict=True))


def questions() -> list[Expressions]:
    """All of them, in the order of the file."""
    return tomllib.loads((HERE / "agreement.toml").read_text(encoding="utf-8"))["question"]


def answered() -> tuple[list[Expressions], str]:
    """Each question with what the others say, and their versions."""
    asked, names = questions(), ours()
    in_r = [question for question in asked if question["software"] in R]
    said, versions = asked_of_r([question["theirs"] for question in in_r], names)
    for question, answer in zip(in_r, said, strict=True):
        question["they say"] = answer
    others = theirs(names)
    python = [question for question in asked if question["software"] not in R]
    for question in python:
        question["they say"] = numbers(eval(question["theirs"], others))
    installed = sorted({question["software"] for question in python})
    return asked, ", ".join([versions, *(f"{name} {version(name)}" for name in installed)])


def page(asked: list[Expressions], versions: str) -> str:
    """Two tables: what agrees, and what is different on purpose."""
    made = "`python benchmarks/agreement.py`, scikit-learn's breast-cancer and wine data."
    lines = [made, "", "## Asked", "", f"{versions}.", "", "## The same", ""]
    lines += ["| | other software | here | largest difference |", "| --- | --- | --- | --- |"]
    lines += [_row(each, _size(largest_gap(each["they say"], each["we say"]))) for each in asked if "why" not in each]
    lines += ["", "## Different on purpose", "", "| | other software | here | theirs | ours | why |"]
    lines += ["| --- | --- | --- | --- | --- | --- |"]
    lines += [
        _row(each, *(", ".join(f"{x:.5g}" for x in each[who]) for who in ("they say", "we say")), each["why"])
        for each in asked
        if "why" in each
    ]
    return "\n".join(lines) + "\n"


def _row(question: Expressions, *cells: str) -> str:
    """The code of both sides, and what is said of it."""
    code = [f"{question['software']}: `{question['theirs']}`", f"`{question['ours']}`"]
    return "| " + " | ".join([question["what"], *(part.replace("|", "\\|") for part in code), *cells]) + " |"


def _size(gap: float) -> str:
    """A relative difference in one digit."""
    return "none" if gap == 0 else "rounding" if gap < 1e-13 else f"{gap:.0e}"


def main() -> None:
    """Ask, compare, write."""
    if "--ours" in sys.argv:
        asked, versions = json.loads(ANSWERS.read_text(encoding="utf-8")).values()
    else:
        asked, versions = answered()
    names = ours()
    for each in asked:
        each["we say"] = numbers(eval(each["ours"], names))
        gap = largest_gap(each["they say"], each["we say"])
        if "why" not in each and gap > each.get("within", ROUNDING):
            print("differs by", gap, each)
    written = json.dumps({"asked": asked, "versions": versions}, indent=1, ensure_ascii=False)
    ANSWERS.write_text(written + "\n", encoding="utf-8")
    PAGE.write_text(page(asked, versions), encoding="utf-8")


if __name__ == "__main__":
    main()
