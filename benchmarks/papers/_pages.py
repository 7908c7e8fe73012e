"""What the scripts of this folder share: the look of the figures, and the pages that go with them."""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING, Any

import _path  # noqa: F401
import matplotlib as mpl
import numpy as np
from _clock import machine
from PIL import Image

mpl.use("Agg")
from matplotlib import pyplot as plt

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

QUICK = "--quick" in sys.argv
RESULTS = Path(gettempdir()) / "skcostci-papers" if QUICK else Path(__file__).parents[1] / "results" / "papers"
PACKAGES = "numpy", "scipy", "scikit-learn", "matplotlib", "skcostci"
LIMIT = 150_000  # bytes of a picture
START = time.perf_counter()

# Curves are told apart by their dashes and their width; colour only helps.
SOLID = {"color": "0.0", "linestyle": "-", "linewidth": 1.3}
DOTTED = {"color": "tab:red", "linestyle": (0, (1, 1.2)), "linewidth": 1.9}
DASHED = {"color": "tab:blue", "linestyle": (0, (6, 2)), "linewidth": 1.2}
DASH_DOTTED = {"color": "tab:green", "linestyle": (0, (7, 2, 1, 2)), "linewidth": 1.4}
OURS = {"color": "0.72", "linestyle": "-", "linewidth": 4.0, "zorder": 1}

plt.rcParams.update({"font.size": 9, "axes.titlesize": 9, "axes.spines.top": False, "axes.spines.right": False})


def panels(
    rows: int, columns: int, *, width: float = 3.0, height: float = 2.3, **options: Any
) -> tuple[Figure, list[Axes]]:
    """Small multiples on common axes, unless the options say otherwise."""
    options = {"sharex": True, "sharey": True, "layout": "constrained", **options}
    figure, axes = plt.subplots(rows, columns, figsize=(width * columns, height * rows + 0.4), squeeze=False, **options)
    return figure, list(axes.ravel())


def label_edges(figure: Figure, xlabel: str, ylabel: str) -> None:
    """The labels of the axes, once."""
    figure.supxlabel(xlabel, fontsize=10)
    figure.supylabel(ylabel, fontsize=10)


def draw_coverage(ax: Axes, title: str, x: Any, curves: Mapping[str, tuple[Any, dict[str, Any]]], level: float) -> None:
    """Coverage curves, each with its look, over the nominal level."""
    ax.axhline(level, color="0.5", linewidth=0.7)
    for label, (coverage, look) in curves.items():
        ax.plot(x[: len(coverage)] if np.ndim(x) else x, coverage, label=label, **look)
    ax.set(title=title, xlim=(0, 1), ylim=(0, 1.02), yticks=(0, 0.2, 0.4, 0.6, 0.8, level, 1))


def one_legend(figure: Figure, ax: Axes, columns: int = 4) -> None:
    """One legend for all panels, above them."""
    handles, labels = ax.get_legend_handles_labels()
    figure.legend(
        handles, labels, loc="outside upper center", ncols=columns, frameon=False, handlelength=3, columnspacing=1.2
    )


def save(figure: Figure, name: str, dpi: int = 110) -> str:
    """Write a picture with a palette, small, and return the Markdown that shows it; a quick one goes elsewhere."""
    buffer = io.BytesIO()
    figure.savefig(buffer, dpi=dpi)
    plt.close(figure)
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.png"
    Image.open(buffer).convert("RGB").quantize(48, dither=Image.Dither.NONE).save(path, optimize=True)
    if path.stat().st_size > LIMIT:
        raise ValueError(f"{path} has {path.stat().st_size} bytes, more than {LIMIT}.")
    print(f"{path}, {time.perf_counter() - START:.0f} s", file=sys.stderr, flush=True)
    return f"![{name}]({name}.png)"


def table(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def worst(x: Any, coverage: Any) -> str:
    """The least coverage and where it is."""
    least = int(np.argmin(coverage))
    return f"{coverage[least]:.3f} at {x[least]:.2f}"


def on_target(x: Any, coverage: Any, level: float, within: float = 0.02) -> str:
    """The widest stretch around the middle where the coverage is within so much of the level."""
    good = np.abs(np.asarray(coverage) - level) <= within
    runs = list(runs_of(good))
    if not runs:
        return "nowhere"
    first, last = max(runs, key=lambda run: run[1] - run[0])
    return f"{x[first]:.2f} to {x[last]:.2f}"


def runs_of(flags: Any) -> Iterator[tuple[int, int]]:
    """The first and the last index of each unbroken run."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], flags, [0]])))
    yield from zip(edges[::2], edges[1::2] - 1, strict=True)


def write_page(name: str, title: str, body: str) -> None:
    """A page of results: what made it and how long that took, then the body."""
    command = f"python benchmarks/papers/{Path(sys.argv[0]).name} {' '.join(sys.argv[1:])}".rstrip()
    made = f"`{command}`, {time.perf_counter() - START:.0f} s on {machine(*PACKAGES)}."
    page = f"# {title}\n\n{made}\n\n{body.strip()}\n"
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.md").write_text(page)
    print(page)
