"""Fit the surface that stands for the exact simultaneous level of more than 100 cases; prints its coefficients.

    python benchmarks/fit_local_level.py

Exact probabilities at chosen local levels need no root; about ten minutes, of which the largest sizes are the most.
"""

import numpy as np

from skcostci.intervals._order_statistics import DEGREES, EXACT, TERMS, staying_exponent, surface_terms

LARGEST = 100_000
EXPONENTS = 1e-11, 3.0  # -log(1 - alpha)


def chebyshev(low, high, n_nodes, ends):
    """Nodes from low to high, the ends among them or not."""
    angle = np.arange(n_nodes) / (n_nodes - 1) if ends else (np.arange(n_nodes) + 0.5) / n_nodes
    return (low + high) / 2 + (high - low) / 2 * np.cos(np.pi * angle)


def exact_points():
    """Sizes, local levels and exponents of the exact probability, spread over the range of the fit."""
    sizes = np.exp(np.exp(chebyshev(*np.log(np.log([EXACT, LARGEST])), 10, True)))
    roots = chebyshev(*np.sqrt(2 - np.log(EXPONENTS)), 14, False)
    for n in np.rint(sizes).astype(int).tolist():
        for exponent in np.exp(2 - roots**2):
            eta = min(0.3 * exponent / (np.log(n) * np.log(np.log(n))), 0.5)
            yield n, eta, staying_exponent(n, eta)


def main():
    n, eta, exponent = np.array(list(exact_points())).T
    terms = surface_terms(n, exponent)
    coefficients = np.linalg.lstsq(terms, np.log(eta / exponent), rcond=None)[0]
    error = np.abs(terms @ coefficients - np.log(eta / exponent)).max()
    print(f"degrees {DEGREES}, {TERMS.sum()} terms, largest relative error {error:.1e}")
    print(np.array2string(coefficients, precision=8, suppress_small=True, separator=", ", max_line_width=118))


if __name__ == "__main__":
    main()
