"""Limits of statistics of a curve that are known by their worths: average precision, the partial AUC, differences."""

from __future__ import annotations

import numpy as np

from skcostci._validation import Floats
from skcostci.intervals._unseen import unseen_unit
from skcostci.laws import CurveLaw

OF_CURVES = 0.7  # U: benchmarks/curves.py. With .5 coverage at .95 falls to .90, with .92 widths grow by a tenth


def unseen_of_curve(law: CurveLaw, alpha: Floats, side: int) -> Floats:
    """One unit more at the wrong end; of several schemes of resampling the widest limit."""
    limits = [unseen_unit(worths, alpha, side, OF_CURVES) for worths in law.worths]
    return np.asarray(np.minimum.reduce(limits) if side < 0 else np.maximum.reduce(limits))
