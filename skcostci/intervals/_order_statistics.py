"""Distribution-free limits from the order of scores: limits of a score, and of rates at all scores at once.

Let q be the score that a share t of the class reaches: P(score >= q) >= t >= P(score > q). With scores in descending
order, Y_(1) >= Y_(2) >= ..., fewer than l of n reach q with probability at most P(Bin(n, t) <= l - 1), and u or more
exceed it with probability at most P(Bin(n, t) >= u). So q <= Y_(l) and q >= Y_(u) fail with at most these
probabilities, and with exactly these for continuous scores; nothing is approximated.

**All thresholds at once.** Uniform order statistics are Beta(i, n - i + 1), the i-th smallest of n. Limits that leave
out eta / 2 on either side of each are, inverted, the Clopper-Pearson limits of a share k / n at the level 1 - eta. All
of them hold at once if an empirical distribution function stays between two boundaries, whose probability is an exact
sum. The eta at which they miss with a given probability, :func:`local_level`, is solved for with up to ``EXACT`` cases;
for more it is taken from a surface fitted to exact values.

**A chance that does not fall with the score.** Let s of the L cases with scores from x to y have the event. No case
among them has a larger chance than a case at y. So s is stochastically no larger than a binomial number with the chance
at y, and Clopper and Pearson's lower limit holds for y and all higher scores; their upper limit holds for x and all
lower scores. With a share of alpha for each limit of J intervals the lower limits' running maximum and the upper ones'
running minimum hold everywhere. This is proved for every sample size and all scores, ties included.

Intervals of about 1.5 n^(2/3) cases matter most. The lengths are L = n, n / 1.5, n / 1.5^2, ... down to 4 cases, starts
a quarter of a length apart, and each length has a share of alpha in proportion to

    1 / (1 + log2(L / (1.5 n^(2/3)))^2),

divided among its intervals. Bands are 8 to 14 % narrower than with equal shares of lengths that grow by a quarter (200
to 5,000 cases); all n (n + 1) / 2 intervals would give much the same width.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.polynomial.chebyshev import chebvander2d
from scipy.optimize import brentq
from scipy.special import betaincinv, gammaln, xlogy
from scipy.stats import binom

from skcostci._arrays import Floats, Integers
from skcostci.intervals._unseen_case import least_rate

TINY = np.finfo(np.float64).tiny
EXACT = 100  # cases; for more, the exact level is taken from a surface fitted to it
FITTED = 1_000_000  # cases; beyond, the surface is extrapolated
LEAST, MOST = 1e-10, 0.8  # the surface was fitted to alphas between these
SMALLEST = 1e-100  # at levels below, scipy gives NaN for some quantiles of Beta distributions
SAFETY = 3e-5  # relative; the surface errs by less up to `FITTED` cases
DEGREES = 7, 12  # in the size and in the level
TERMS = np.add.outer(np.arange(8) / 7, np.arange(13) / 12) <= 1.25  # pairs of degrees that have a coefficient
COEFFICIENTS = np.array(  # by benchmarks/fit_local_level.py
    [
        -4.26228465, -0.96859684, 0.01495436, 0.05064024, -0.03172096, 0.00911812, 0.00081216, -0.00186848,
        0.00065304, 0.00004865, -0.00011833, 0.00004409, -0.00000216, -0.87104363, -0.19973776, 0.00943392,
        -0.02061309, 0.00856218, -0.00131528, -0.00099691, 0.00080876, -0.00021318, -0.00004773, 0.00006854,
        -0.00002692, 0.00000616, 0.03869042, 0.04259829, 0.00018342, 0.00055713, 0.00013833, -0.00015574, 0.00010329,
        -0.00005745, 0.00002872, -0.00000165, -0.00000413, 0.00000482, 0.0001243, -0.00133393, -0.00008482,
        0.0002601, -0.00006967, 0.00000943, 0.00000562, 0.00000446, -0.00000613, 0.00000377, -0.00107583,
        -0.00093109, -0.00014374, -0.00002169, -0.00000915, 0.00000286, -0.00000008, -0.00000058, 0.00000035,
        0.00014095, 0.00014067, 0.00002661, -0.00000314, 0.00000208, 0.00000053, -0.00000055, 0.00001672, 0.00001544,
        0.00000273, 0.00000064, 0.00000026, -0.00000495, -0.00000477, -0.00000095, 0.00000019,
    ]
)  # fmt: skip
Spans = tuple[Integers, Integers, Floats]  # of each interval the first and the last score, and its share of alpha
SHORTEST = 5000  # intervals have at least n / SHORTEST cases: with so many cases shorter ones are uninformative


def rank_above(n: int, share: Floats, alpha: float) -> Integers:
    """The largest l with P(Bin(n, share) <= l - 1) <= alpha; 0 if there is none."""
    # scipy returns -1 where alpha is 0.
    count = np.maximum(binom.ppf(alpha, n, share), 0.0)
    return np.asarray(np.where(binom.cdf(count, n, share) <= alpha, count + 1, count)).astype(np.int64)


def rank_below(n: int, share: Floats, alpha: float) -> Integers:
    """The smallest u with P(Bin(n, share) >= u) <= alpha; n + 1 if there is none."""
    return n + 1 - rank_above(n, 1 - share, alpha)


def local_level(n: int, alpha: float) -> float:
    """The eta at which two-sided limits for all n order statistics miss one of them with probability alpha.

    Exact to 1e-10 up to 100 cases; relative errors, always low, below 5e-5 up to a million and 2 % beyond.
    """
    # Outside the fitted range the union bound, and MOST for a larger alpha, err towards wide limits.
    if alpha < (SMALLEST if n <= EXACT else LEAST):
        return alpha / n
    if n <= EXACT:
        return solved_level(n, alpha)
    # The fitted level falls about as 1 / (log n log log n); it is extrapolated to fall slightly faster.
    size, exponent = np.array([float(min(n, FITTED))]), -np.log1p([-min(alpha, MOST)])
    beyond = (np.log(n) * np.log(np.log(n)) / (np.log(size) * np.log(np.log(size)))) ** 1.1
    ratio = np.exp(surface_terms(size, exponent) @ COEFFICIENTS)
    return float(((1 - SAFETY) * exponent * ratio / beyond)[0])


def surface_terms(n: Floats, exponent: Floats) -> Floats:
    """Chebyshev terms in log log n and in log(5 - log exponent), exponent = -log(1 - alpha), scaled to [-1, 1]."""
    size = (np.log(np.log(n)) - 2.0) / 0.5
    level = (np.log(5 - np.log(exponent)) - 2.4) / 1.05
    return np.asarray(chebvander2d(size, level, DEGREES)[..., TERMS.ravel()])


@lru_cache(maxsize=1024)
def solved_level(n: int, alpha: float) -> float:
    """The exact level: at least alpha / n, by the union bound, and at most alpha, the level of a single limit."""
    if n == 1:
        return alpha
    target = np.log(-np.log1p(-alpha))

    def excess(log_eta: float) -> float:
        return float(np.log(staying_exponent(n, np.exp(log_eta))) - target)

    return float(np.exp(brentq(excess, np.log(alpha / n) - 1e-6, np.log(alpha), xtol=1e-13, rtol=1e-13)))


def staying_exponent(n: int, eta: float) -> float:
    """Minus the log of the probability that all n uniform order statistics keep within their limits at level eta."""
    low = betaincinv(np.arange(1, n + 1), np.arange(n, 0, -1), eta / 2)
    with np.errstate(under="ignore"):  # underflows do not matter in the sums
        leaving, staying = crossing_probability(low, low[::-1])
    return float(-np.log1p(-leaving) if leaving < 0.5 else -np.log(max(staying, TINY)))


def crossing_probability(low: Floats, above: Floats) -> tuple[float, float]:
    """The probabilities that uniform order statistics leave ``low <= U <= 1 - above``, and that they stay within.

    Moscovich and Nadler (2017): counts of a Poisson process, cut off at each limit; all terms are positive.
    """
    n = len(low)
    time, left = np.concatenate([low, 1 - above]), np.concatenate([1 - low, above])
    order = np.argsort(time, kind="stable")
    time, left = time[order], left[order]
    # Differences are taken from the nearer end, to keep their digits.
    since = np.where(time < 0.5, np.diff(time, prepend=0.0), -np.diff(left, prepend=1.0))
    allowed, least, leaving = np.ones(1), 0, 0.0
    for limit, step, remaining in zip(order.tolist(), since.tolist(), left.tolist(), strict=True):
        count = np.arange(int(n * step + 12 * np.sqrt(n * step) + 25))  # beyond, jumps have a negligible probability
        jumps = np.exp(xlogy(count, n * step) - n * step - gammaln(count + 1.0))
        allowed = np.convolve(allowed, jumps)[: n + 1 - least]
        if limit < n:  # the lower one of order statistic limit + 1: at most `limit` jumps until then
            kept, cut, first = *np.split(allowed, [limit + 1 - least]), limit + 1
        else:  # an upper one: at least limit - n + 1 jumps
            cut, kept, first = *np.split(allowed, [limit - n + 1 - least]), least
            least = limit - n + 1
        if not len(kept):  # the limits cross
            return 1.0, 0.0
        leaving += float(cut @ _completed(n, first, len(cut), remaining))
        allowed = kept
    return leaving, float(allowed @ _completed(n, least, len(allowed), left[-1]))


def _completed(n: int, first: int, length: int, left: float) -> Floats:
    """Probabilities that counts from ``first`` on become n in the time left, relative to 0 becoming n in all of it."""
    missing = n - np.arange(first, first + length)
    log_all = n * np.log(n) - n - gammaln(n + 1.0)
    return np.asarray(np.exp(xlogy(missing, n * left) - n * left - gammaln(missing + 1.0) - log_all))


def spans(sizes: Integers) -> Spans:
    """First and last distinct score, and share of alpha, of each interval; ``sizes`` are the cases at each score."""
    ends = np.cumsum(sizes)
    n, seen = int(ends[-1]), np.zeros(0, dtype=np.int64)
    found: list[Integers] = []
    shares: list[float] = []
    length, shortest = float(n), max(4.0, n / SHORTEST)
    while length >= shortest or not found:
        k = round(length)
        start = np.append(np.arange(0, n - k + 1, max(k // 4, 1)), n - k)
        first, last = np.searchsorted(ends, [start, start + k - 1], side="right")
        new = np.setdiff1d(np.unique(first * len(sizes) + last), seen)
        seen = np.concatenate([seen, new])
        if len(new):
            found.append(new)
            shares.append(1 / (1 + np.log2(length / (1.5 * n ** (2 / 3))) ** 2))
        length /= 1.5
    every, each = np.concatenate(found), [share / len(new) for share, new in zip(shares, found, strict=True)]
    weights = np.repeat(each, [len(new) for new in found]) / sum(shares)
    return every // len(sizes), every % len(sizes), weights


def monotone_band(events: Integers, cases: Integers, spanned: Spans, alpha: float) -> tuple[Floats, Floats]:
    """Limits at ascending scores that all hold at once with a probability of 1 - alpha, if risks do not fall."""
    first, last, shares = spanned
    low, high = np.zeros(len(cases)), np.ones(len(cases))
    sums = [np.concatenate([[0], np.cumsum(part)]) for part in (events, cases)]
    events, cases = (part[last + 1] - part[first] for part in sums)
    np.maximum.at(low, last, least_rate(events, cases, alpha / 2 * shares))
    np.minimum.at(high, first, 1 - least_rate(cases - events, cases, alpha / 2 * shares))
    return np.maximum.accumulate(low), np.minimum.accumulate(high[::-1])[::-1]


def binomial_limits(events: Integers, cases: Integers, alpha: float) -> tuple[Floats, Floats]:
    """Clopper and Pearson's limits for all shares at once, each at alpha over the number of shares.

    Not at Sidak's larger level: if chances differ (one .0253, 99 of 0) a .025 limit at one event fails with .0253.
    """
    each = alpha / (2 * len(cases))
    return least_rate(events, cases, each), 1 - least_rate(cases - events, cases, each)
