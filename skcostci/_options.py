"""The names that options may have, as type checkers and error messages know them."""

from __future__ import annotations

from typing import Literal, get_args

Sampling = Literal["stratified", "full"]
Normalizer = Literal["mean", "max"]
Alternative = Literal["two-sided", "less", "greater"]
MultiClass = Literal["raise", "ovr", "ovo"]
Average = Literal["macro", "weighted"]
Adjustment = Literal["max_t", "holm", "none"]
MetricOf = Literal["counts", "rates"]
Bound = Literal["worst", "best", "low", "high"]
PointwiseBand = Literal["pointwise"]
Band = Literal["pointwise", "simultaneous"]
Together = Literal["pooled", "mean"]
Averaging = Literal["fpr", "threshold", "positive_rate"]
ScoreMethod = Literal["auto", "predict_proba", "decision_function"]

SAMPLINGS = get_args(Sampling)
NORMALIZERS = get_args(Normalizer)
ALTERNATIVES = get_args(Alternative)
MULTI_CLASS = get_args(MultiClass)
AVERAGES = get_args(Average)
ADJUSTMENTS = get_args(Adjustment)
METRICS_OF = get_args(MetricOf)
BOUNDS = get_args(Bound)
BANDS = get_args(Band)
TOGETHER = get_args(Together)
