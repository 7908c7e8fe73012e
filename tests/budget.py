"""The accuracy budget of CONTRIBUTING: how far off numbers may be that are approximate by design.

Exact laws are held to rounding, by the tests that ask them. All else is judged in what users can use: limits and places
of laws in half widths of an interval, standard errors in per cent, distribution functions in parts of 1. What many
resamples say has errors of its own, which are known: four of its standard errors are allowed on top.
"""

import numpy as np

HALF_WIDTHS = 0.01  # that limits may be off
TIED_HALF_WIDTHS = 0.05  # where scores tie across the classes, and one of these has fewer than 30 cases
PER_CENT = 1.0  # that standard errors may be off
CDF = 0.005


def assert_limits(got, expected, half_widths=HALF_WIDTHS):
    """Lower and upper limits, the two ends first."""
    low, high = expected
    off = np.abs(np.subtract(got, expected)) / np.where(np.equal(low, high), 1.0, np.subtract(high, low) / 2)
    assert (off <= half_widths + 1e-12).all(), f"limits are off by {np.max(off):.3g} half widths, not {half_widths}"


def assert_places(got, expected, standard_error, half_widths=HALF_WIDTHS):
    """Means or quantiles, in half widths of a Gaussian interval."""
    off = np.abs(np.subtract(got, expected))
    allowed = half_widths * 1.96 * np.asarray(standard_error) + 1e-12
    assert (off <= allowed).all(), f"off by {np.max(off / allowed) * half_widths:.3g} half widths, not {half_widths}"


def assert_standard_errors(got, expected, per_cent=PER_CENT, resamples=np.inf):
    """Standard errors, of so many resamples if expected ones are counted."""
    allowed = per_cent + 400 / np.sqrt(2 * resamples)
    off = 100 * np.abs(np.subtract(got, expected)) / np.where(np.equal(expected, 0), 1.0, expected)
    assert (off <= allowed).all(), f"standard errors are off by {np.max(off):.3g} %, not {allowed:.3g}"


def assert_cdf(got, expected, within=CDF, resamples=np.inf):
    """Distribution functions, of so many resamples if expected shares are counted."""
    allowed = within + 2 / np.sqrt(resamples)
    off = np.abs(np.subtract(got, expected))
    assert (off <= allowed).all(), f"distribution functions are off by {np.max(off):.3g}, not {allowed:.3g}"
