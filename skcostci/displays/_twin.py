"""What displays share that scikit-learn has too, so that one can stand in for the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from skcostci.displays._base import ModelDisplay
from skcostci.displays._drawing import Style
from skcostci.displays._folds import Names, Styles

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(kw_only=True, eq=False, repr=False)
class TwinDisplay(ModelDisplay):
    """A display of scikit-learn's with what is uncertain; the chance level is drawn if it is asked for."""

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: Names = None,
        curve_kwargs: Styles = None,
        pooled_kwargs: Style = None,
        fill_between_kwargs: Style = None,
        plot_chance_level: bool = False,
        chance_level_kw: Style = None,
        despine: bool = False,
    ) -> Self:
        """Draw the curve; nothing is computed and nothing stored but the artists.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.
        name : str or list of str, default=None
            For the legend; None is the display's own.
        curve_kwargs : dict or list of dict, default=None
            For matplotlib's ``plot``; of several folds one for all or one for each.
        pooled_kwargs : dict, default=None
            For the curve of the folds' scores pooled.
        fill_between_kwargs : dict, default=None
            For what is uncertain: what matplotlib's ``fill_between`` takes.
        plot_chance_level : bool, default=False
            Whether to draw what scores that know nothing have: the diagonal, or the prevalence.
        chance_level_kw : dict, default=None
            For the line of that.
        despine : bool, default=False
            Whether to remove the top and right spines.

        Returns
        -------
        object of this class
            Itself.

        Raises
        ------
        ValueError
            If ``name`` or ``curve_kwargs`` do not fit the number of curves.
        TypeError
            If a style is given under two names, such as ``c`` and ``color``.

        Examples
        --------
        >>> from matplotlib import pyplot as plt
        >>> from skcostci import ROCConfidenceDisplay
        >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
        >>> display = ROCConfidenceDisplay.from_predictions(y_true, y_score)
        >>> figure, ax = plt.subplots()
        >>> display.plot(ax, plot_chance_level=True).chance_level_.get_label()
        'Chance level (AUC = 0.5)'
        """
        return super().plot(
            ax,
            name=name,
            curve_kwargs=curve_kwargs,
            pooled_kwargs=pooled_kwargs,
            fill_between_kwargs=fill_between_kwargs,
            plot_chance_level=plot_chance_level,
            chance_level_kw=chance_level_kw,
            despine=despine,
        )
