"""Warnings that refer to the line of the user's call, however many internal calls lie in between."""

from __future__ import annotations

import os
import sys
import warnings

import sklearn

PASSED_OVER = tuple(os.path.join(os.path.dirname(each), "") for each in (__file__, sklearn.__file__))


def warn_caller(message: str, category: type[Warning]) -> None:
    """Warn at the line that called the package, or scikit-learn if that did; functools or joblib may be between."""
    frame, depth, entered = sys._getframe(), 1, 1
    while (outer := frame.f_back) is not None:
        depth += 1
        if frame.f_code.co_filename.startswith(PASSED_OVER):
            entered = depth
        frame = outer
    warnings.warn(message, category, stacklevel=entered)
