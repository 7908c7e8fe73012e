"""Ticks that leave the room of a legend alone. It subclasses matplotlib, and so is itself imported late."""

from typing import Any

from matplotlib.ticker import AutoLocator


class TicksWithin(AutoLocator):
    """The usual ticks from the lowest to the highest value drawn: a share has none above 1."""

    def __init__(self, lowest: float, highest: float) -> None:
        super().__init__()
        self.lowest, self.highest = lowest, highest

    def tick_values(self, vmin: float, vmax: float) -> Any:
        """Those that matplotlib would set, without those beyond."""
        rounding = 1e-9 * abs(vmax - vmin)
        ticks = super().tick_values(vmin, vmax)
        return [tick for tick in ticks if self.lowest - rounding <= tick <= self.highest + rounding]
