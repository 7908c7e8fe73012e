"""Limits of statistics of a curve that are known by their worths: average precision, the partial AUC, differences."""

from __future__ import annotations

import numpy as np

from skcostci._validation import Floats
from skcostci.intervals._unseen import unseen_unit
from skcostci.laws import CurveLaw

# U. In the rows of benchmarks/curves.py .5 covers .90 to .98 of .95 at worst, .7 does .94 to 1.00. With .92 that is up
# to .03 more, and widths grow by 1 to 20 %, most where models are compared.
OF_CURVES = 0.7


def unseen_of_curve(law: CurveLaw, alpha: Floats, side: int) -> Floats:
    """One unit more at the wrong end; of several schemes of resampling the widest limit.

    Limits are about the estimate less its bias, and would leave the estimate itself out where that is all that they
    allow for, at low confidence: they reach to it.
    """
    limits = [unseen_unit(worths, alpha, side, OF_CURVES) for worths in law.worths]
    limits.append(np.broadcast_to(law.estimate, np.shape(alpha)))
    return np.asarray(np.minimum.reduce(limits) if side < 0 else np.maximum.reduce(limits))
