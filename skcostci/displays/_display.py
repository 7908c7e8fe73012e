"""What all displays share: fields, options, axes and a band."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import signature, unwrap
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from numpy.typing import ArrayLike

from skcostci._options import Band
from skcostci._validation import Floats
from skcostci.cases._cases import Cases
from skcostci.displays._drawing import Style, band_label, draw_band
from skcostci.displays._signatures import keywords, spelled_out

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PolyCollection
    from matplotlib.figure import Figure, SubFigure


AnyDisplay = TypeVar("AnyDisplay", bound="CurveDisplay")


class Drawn:
    """What ``plot`` leaves behind."""

    line_: Any  # one curve, or a list of them
    fill_between_: PolyCollection | None
    chance_level_: Any
    ax_: Axes
    figure_: Figure | SubFigure


@dataclass(kw_only=True, eq=False, repr=False)
class CurveDisplay(Drawn):
    """A picture on one pair of axes; what it shows is given to ``__init__`` and stored as it is.

    A display says which function computes its numbers, a dictionary of its fields from checked cases and options, and
    how to ``plot`` them. The constructors hand on the options of both, which are declared nowhere else.
    """

    low: Floats | None = None
    high: Floats | None = None
    confidence_level: float | None = None
    band: Band = "pointwise"
    method: str | Sequence[str] | None = None
    pos_label: Any = None

    _numbers: ClassVar[Callable[..., dict[str, Any]]]
    _constructors: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        """Show the options of a new kind of display."""
        if "_numbers" in vars(cls):
            for name in cls._constructors:
                function = unwrap(getattr(cls, name).__func__)
                setattr(cls, name, classmethod(spelled_out(function, cls, refer=name != "from_predictions")))

    def plot(self, ax: Any = None) -> Self:
        """Draw; nothing is computed and nothing stored but the artists."""
        raise NotImplementedError

    @classmethod
    def _divided(cls, options: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """The options of the numbers and those of the drawing, refused before anything is computed."""
        question = {name: value for name, value in options.items() if name in keywords(cls._numbers)}
        drawing = {name: value for name, value in options.items() if name not in question}
        signature(cls.plot).bind(None, **drawing)
        return question, drawing

    def _start(self, ax: Axes | None) -> None:
        """Draw on these axes, or on new ones."""
        if ax is None:
            from matplotlib import pyplot as plt

            ax = plt.subplots()[1]
        self.ax_ = ax
        self.figure_ = ax.figure

    def _draw_band(self, x: ArrayLike, what: str, given: Style) -> PolyCollection | None:
        """Shade what is between the limits, if there are any."""
        if self.low is None or self.high is None:
            return None
        label = band_label(self.confidence_level, what, self.method)
        return draw_band(self.ax_, self.line_, x, (self.low, self.high), label, given)


def draw_cases(
    display: type[AnyDisplay], cases: Cases, columns: Sequence[str], names: Mapping[str, Any], **options: Any
) -> AnyDisplay:
    """A display of one column of checked cases, or of two, drawn."""
    question, drawing = display._divided(options)
    return display(**display._numbers(cases, *columns, **question), **names).plot(**drawing)
