"""Time, memory and growth of a call, and the machine it ran on."""

from __future__ import annotations

import os
import platform
import time
import tracemalloc
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np


def clock(call: Callable[[], Any]) -> float:
    """Seconds of this process for one call: what else the machine does in the meantime is not counted."""
    start = time.process_time()
    call()
    return time.process_time() - start


def floor(y_true: np.ndarray, *scores: np.ndarray) -> list[np.ndarray]:
    """What no method that needs ranks can do without: one sort of each class, and a pass through both."""
    ordered = [np.sort(score[y_true == label]) for score in scores for label in (0, 1)]
    return [np.cumsum(part) for part in ordered]


def best(call: Callable[[], Any], seconds: float = 1.0) -> float:
    """The shortest of at least two runs of a call, repeated for about so many seconds, at most 7 times."""
    times = [clock(call), clock(call)]
    while sum(times) < seconds and len(times) < 7:
        times.append(clock(call))
    return min(times)


def median_ratio(ours: Callable[[], Any], theirs: Callable[[], Any], rounds: int = 7) -> tuple[float, float, float]:
    """The median ratio of times taken in turn, and the median times."""
    times = np.array([[clock(ours), clock(theirs)] for _ in range(rounds + 1)][1:])
    return float(np.median(times[:, 0] / times[:, 1])), *np.median(times, axis=0).tolist()


def peak_memory(call: Callable[[], Any]) -> int:
    """Bytes allocated at the peak of a call, beyond what was there before."""
    tracemalloc.start()
    call()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def growth(sizes: Sequence[int], seconds: Sequence[float]) -> float:
    """The exponent of the power of the size that time grows with, by least squares on logarithms."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def machine(*packages: str) -> str:
    """The machine and the versions of Python and these packages, those not installed left out."""
    versions = [f"Python {platform.python_version()}"]
    for package in packages:
        try:
            versions.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    return f"{platform.machine()}, {os.cpu_count()} cores, {', '.join(versions)}"
