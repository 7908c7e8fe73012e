"""Ticks that leave the room of a legend alone. It subclasses matplotlib, and so is itself imported late."""

from typing import Any

from matplotlib.ticker import AutoLocator


class TicksBelow(AutoLocator):
    """The usual ticks up to the highest value drawn: a share has none above 1."""

    def __init__(self, highest: float) -> None:
        super().__init__()
        self._highest = highest

    def tick_values(self, vmin: float, vmax: float) -> Any:
        """Those that matplotlib would set, without those above."""
        ticks = super().tick_values(vmin, vmax)
        return [tick for tick in ticks if tick <= self._highest or abs(tick - self._highest) < 1e-9 * abs(vmax - vmin)]
