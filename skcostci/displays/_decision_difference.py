"""The picture of two decision curves and of their difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from skcostci._validation import Floats
from skcostci.cases._cases import Cases
from skcostci.displays._decision_curve import DecisionCurveDisplay
from skcostci.displays._drawing import Style, despine_axes, legend_above, two_axes
from skcostci.displays._metric_numbers import decision_difference_numbers
from skcostci.displays._pair import PairDisplay

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(kw_only=True, eq=False, repr=False)
class DecisionCurveDifferenceDisplay(PairDisplay):
    """Net benefit of two models against threshold probability and, below, their difference with a band.

    Use :meth:`from_estimators` or :meth:`from_predictions` to make one; everything given here is stored as it is.

    Parameters
    ----------
    low, high : ndarray of shape (n_points,), default=None
        The band; None draws none.
    confidence_level : float, default=None
        Of the band, for the legend.
    band : {"pointwise"}, default="pointwise"
        Limits hold at each point, for the legend.
    method : str, default=None
        How the limits were found, for the legend.
    pos_label : int, float, bool or str, default=None
        The positive label, for the axis.
    difference : ndarray of shape (n_points,)
        The net benefit of a less that of b.
    name_a, name_b : str, default="a" and "b"
        Of the models.
    threshold_probability : ndarray of shape (n_points,)
        The risks at which one is as well treated as not.
    standardized : bool, default=False
        Whether it is divided by the share of positives, for the axis.
    models : tuple of two DecisionCurveDisplay, default=None
        The curves of a and of b, drawn above; None draws the difference alone.

    Attributes
    ----------
    line_ : matplotlib Line2D
        The difference.
    fill_between_ : matplotlib PolyCollection or None
        The band.
    chance_level_ : matplotlib Line2D
        The line of no difference.
    ax_ : matplotlib Axes
        Where the difference is drawn.
    curve_ax_ : matplotlib Axes or None
        Where the decision curves are drawn.
    figure_ : matplotlib Figure
        The figure of the axes.

    See Also
    --------
    DecisionCurveDisplay : One model, and what treating all or none would bring.
    bootstrap_metric_difference : The numbers, as "net_benefit".

    Notes
    -----
    Scores are risks, those of both models on the same scale. The bands are pointwise: read as wholes they are
    wrong more often than they say.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import train_test_split
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skcostci import DecisionCurveDifferenceDisplay
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> X_train, X_test, y_train, y_test = train_test_split(X[:, :4] / 100, y, random_state=0)
    >>> models = LogisticRegression().fit(X_train, y_train), GaussianNB().fit(X_train, y_train)
    >>> display = DecisionCurveDifferenceDisplay.from_estimators(*models, X_test, y_test)
    >>> display.line_.get_label()
    'LogisticRegression − GaussianNB'
    """

    threshold_probability: Floats
    standardized: bool = False
    models: tuple[DecisionCurveDisplay, DecisionCurveDisplay] | None = None

    _numbers = staticmethod(decision_difference_numbers)

    def _add_models(self, cases: Cases, question: Mapping[str, Any], drawing: Mapping[str, Any]) -> None:
        """The curve of each."""
        if drawing.get("ax") is None or np.size(drawing["ax"]) == 2:
            own = {**question, "method": None}
            names = zip(cases.columns, (self.name_a, self.name_b), strict=True)
            a, b = (DecisionCurveDisplay(**DecisionCurveDisplay._numbers(cases, c, **own), name=n) for c, n in names)
            self.models = a, b

    def plot(
        self,
        ax: Axes | Sequence[Axes] | None = None,
        *,
        name: str | None = None,
        curve_kwargs: Style = None,
        fill_between_kwargs: Style = None,
        plot_chance_level: bool = True,
        despine: bool = False,
    ) -> Self:
        """Draw the curves and their difference; nothing is computed and nothing stored but the artists.

        Parameters
        ----------
        ax : matplotlib Axes or two of them, default=None
            Where to draw; two are for the decision curves and, below them, the difference, one for the difference
            alone. None makes a new figure.
        name : str, default=None
            For the legend; None is "name_a − name_b".
        curve_kwargs : dict, default=None
            For matplotlib's ``plot``, of the difference.
        fill_between_kwargs : dict, default=None
            For matplotlib's ``fill_between``, of its band.
        plot_chance_level : bool, default=True
            Whether to draw treating all and treating none with the curves.
        despine : bool, default=False
            Whether to remove the top and right spines.

        Returns
        -------
        DecisionCurveDifferenceDisplay
            Itself.

        Raises
        ------
        ValueError
            If there are two axes and no curves to draw.
        TypeError
            If a style is given under two names, such as ``c`` and ``color``.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from skcostci import DecisionCurveDifferenceDisplay
        >>> X, y = load_breast_cancer(return_X_y=True)
        >>> risks = X[:, [1, 4]] / X[:, [1, 4]].max(axis=0)
        >>> display = DecisionCurveDifferenceDisplay.from_predictions(y, *risks.T, pos_label=0, thresholds=[0.2, 0.4])
        >>> display.plot(name="gained", curve_kwargs={"marker": "o"}).line_.get_label()
        'gained'
        >>> display.curve_ax_.get_ylabel()
        'Net benefit (Positive label: 0)'
        """
        self.curve_ax_, lower = two_axes(ax, ax is None and self.models is not None)
        self._start(lower)
        if self.curve_ax_ is not None:
            self._draw_models(self.curve_ax_, plot_chance_level, despine)
        x = self.threshold_probability
        self._draw_difference(x, name, curve_kwargs, fill_between_kwargs)
        unit = "standardized net benefit" if self.standardized else "net benefit"
        self.ax_.set(xlabel="Threshold probability", ylabel=f"Difference in {unit}")
        if self.curve_ax_ is None:
            self.ax_.set_xlim(0, 1.0 if np.max(x) > 0.9 else float(np.max(x)))
        legend_above(self.ax_, strip=0.0)
        if despine:
            despine_axes(self.ax_, ())
        return self

    def _draw_models(self, ax: Axes, plot_chance_level: bool, despine: bool) -> None:
        """The net benefits whose difference is drawn below."""
        if self.models is None:
            raise ValueError("there are no decision curves to draw: this display was made without models.")
        for model in self.models:
            model.plot(ax, plot_chance_level=plot_chance_level, despine=despine)
        ax.set_xlabel("")
        self.ax_.set_xlim(ax.get_xlim())
