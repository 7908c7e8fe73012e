"""Every option of every constructor of a display has an effect: none is dropped on the way to the picture."""

import inspect

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.axis import Axis
from matplotlib.collections import PolyCollection
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.lines import Line2D
from scipy.special import expit
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate

import skcostci as sk

X, Y = make_classification(30, n_informative=4, flip_y=0.2, class_sep=0.7, random_state=1)


class TwoScores(LogisticRegression):
    """A model whose two kinds of scores rank cases differently, so that it shows which was asked for."""

    def predict_proba(self, X):
        return np.column_stack([expit(-X[:, 0]), expit(X[:, 0])])


MODEL, OTHER = TwoScores().fit(X, Y), LogisticRegression().fit(X, Y)
SCORE, OTHER_SCORE = (model.predict_proba(X)[:, 1] for model in (MODEL, OTHER))
CV = cross_validate(TwoScores(), X, Y, cv=3, return_estimator=True, return_indices=True)
MODELS, SCORES = {"p": MODEL, "q": OTHER}, {"p": SCORE, "q": OTHER_SCORE}
WEIGHTS = np.arange(30) % 3 + 1
LOOKS = {  # what can be seen in one picture, and what is seen of it
    "chance_level_kw": ({"linewidth": 5.125}, "5.125"),
    "color": ("#123456", "#123456"),
    "curve_kwargs": ({"linewidth": 6.125}, "6.125"),
    "fill_between_kwargs": ({"alpha": 0.12345}, "0.12345"),
    "name": ("Zebra", "Zebra"),
    "name_a": ("Yak", "Yak"),
    "name_b": ("Wombat", "Wombat"),
    "pooled_kwargs": ({"linewidth": 7.125}, "7.125"),
}
GRIDS = {  # few points, which are quick
    "CostCurveDisplay": {"probability_cost": [0.2, 0.5, 0.8]},
    "DecisionCurveDisplay": {"thresholds": [0.3, 0.5]},
    "MetricThresholdDisplay": {"thresholds": [0.3, 0.5], "chosen": 0.37},
    "PairedCostDifferenceDisplay": {"probability_cost": [0.2, 0.5, 0.8]},
    "ROCConfidenceDisplay": {"at": [0.2, 0.5, 0.8]},
}
COST = {"statistic": "cost", "probability_cost": 0.3, "thresholds": 0.5}
CUT = {"thresholds": 0.5}
SHOWN = {  # another value of an option, and what else it needs to be seen; of one display where that differs
    "at": ([0.1, 0.3, 0.7], {}),
    "averaging": ("threshold", {"at": None}),
    "band": (None, {}),
    "chosen": (0.41, {}),
    "confidence_level": (0.6, {}),
    "drop_intermediate": (True, {}),
    "groups": (np.arange(30) // 3, {}),
    "method": ("wald", {}),
    "metrics": (["accuracy"], {}),
    "operating_point": ({"tpr": 0.5}, {}),
    "pos_label": (0, {}),
    "prevalence": (0.2, {}),
    "probability_cost": ([0.2, 0.4, 0.6], {}),
    "response_method": ("decision_function", {"response_method": "predict_proba"}),
    "sample_weight": (WEIGHTS, {}),
    "sampling": ("full", {}),
    "scale": ("det", {}),
    "standardized": (True, {}),
    "statistic": ("average_precision", {}),
    "thresholds": ([0.2, 0.4, 0.6], {}),
    "together": ("mean", CUT),
    "weight_type": ("importance", {"sample_weight": WEIGHTS}),
    ("CostCurveDisplay", "weight_type"): ("importance", {"sample_weight": WEIGHTS, **CUT}),
    ("ModelComparisonDisplay", "fpr"): (0.6, {"statistic": "tpr_at_fpr", "fpr": 0.3}),
    ("ModelComparisonDisplay", "normalizer"): ("max", {**COST, "sampling": "full"}),
    ("ModelComparisonDisplay", "pos_label"): (0, {"statistic": "average_precision"}),
    ("ModelComparisonDisplay", "prevalence"): (0.2, {"statistic": "average_precision"}),
    ("ModelComparisonDisplay", "probability_cost"): (0.6, COST),
    ("ModelComparisonDisplay", "thresholds"): (0.8, {"statistic": "f1", "thresholds": 0.4}),
    ("ROCConfidenceDisplay", "drop_intermediate"): (False, {}),
    ("ROCConfidenceDisplay", "together"): ("mean", {}),
    ("ROCConfidenceDisplay", "band"): (None, {"at": None}),
}
REFUSED = {  # has one value, or is refused in words wherever there is something to draw
    ("CalibrationConfidenceDisplay", "weight_type"),
    ("DecisionCurveDisplay", "together"),
    ("PairedCostDifferenceDisplay", "weight_type"),
    ("PrecisionRecallConfidenceDisplay", "together"),
}
DISPLAYS = [each for name in sk.__all__ if name.endswith("Display") and isinstance(each := getattr(sk, name), type)]
CONSTRUCTORS = [(each, name) for each in DISPLAYS for name in dir(each) if name.startswith("from_")]
each_constructor = pytest.mark.parametrize(
    ("display", "name"), CONSTRUCTORS, ids=[f"{each.__name__}.{name}" for each, name in CONSTRUCTORS]
)


@pytest.fixture(autouse=True)
def no_ticks(no_layout, monkeypatch):
    """Nor ticks, which take most of the rest of a picture's time."""
    monkeypatch.setattr(Axis, "get_children", lambda axis: [axis.label])
    monkeypatch.setattr(ConstrainedLayoutEngine, "execute", lambda self, figure: None)


def data_of(display, name):
    """What a constructor draws."""
    several, paired = display is sk.ModelComparisonDisplay, "Difference" in display.__name__
    if name == "from_comparison":
        return (sk.compare_models(Y, SCORES),)
    if name == "from_predictions":
        return (Y, SCORES) if several else (Y, SCORE, OTHER_SCORE) if paired else (Y, SCORE)
    models = (MODELS,) if several else (MODEL, OTHER)
    return {"from_estimator": (MODEL, X, Y), "from_estimators": (*models, X, Y), "from_cv_results": (CV, X, Y)}[name]


def options_of(display, name):
    """The options of a constructor with their defaults."""
    listed = inspect.signature(getattr(display, name)).parameters.values()
    return {each.name: each.default for each in listed if each.default is not each.empty}


def seen(display, name, /, **options):
    """Positions, looks and texts of all that is in the picture, and what the display says."""
    grid = {key: value for key, value in GRIDS.get(display.__name__, {}).items() if key in options_of(display, name)}
    shown = getattr(display, name)(*data_of(display, name), **{**grid, **options})
    found = [repr(shown)]
    for ax in shown.figure_.axes:
        found.append(str((ax.get_xlim(), ax.get_xscale(), ax.get_xlabel(), ax.get_ylabel())))
        for artist in ax.findobj():
            if isinstance(artist, PolyCollection):
                found += [str(path.vertices.round(9).tolist()) for path in artist.get_paths()]
            if isinstance(artist, Line2D):
                found.append(str(artist.get_xydata().round(9).tolist()))
            looks = ("linewidth", "linestyle", "color", "alpha", "facecolor", "text", "visible")
            found += [str(getattr(artist, f"get_{look}")()) for look in looks if hasattr(artist, f"get_{look}")]
    plt.close("all")
    return found


@each_constructor
def test_looks_names_and_axes_are_seen(display, name):
    options = options_of(display, name)
    looks = {option: LOOKS[option][0] for option in options if option in LOOKS}
    given = {**looks, "plot_chance_level": True} if "plot_chance_level" in options else looks
    found = " ".join(seen(display, name, **given))
    assert {option for option in looks if LOOKS[option][1] not in found} == set()
    ax = plt.figure().subplots()
    assert getattr(display, name)(*data_of(display, name), **GRIDS.get(display.__name__, {}), ax=ax).ax_ is ax


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    ("display", "name"),
    [
        # constructors from estimators hand everything on to those from predictions
        pytest.param(
            *each, id=f"{each[0].__name__}.{each[1]}", marks=pytest.mark.slow if "estimator" in each[1] else ()
        )
        for each in CONSTRUCTORS
    ],
)
def test_every_other_option_changes_what_is_seen(display, name):
    usual, dropped = seen(display, name), []
    for option, default in options_of(display, name).items():
        key = display.__name__, option
        if option in LOOKS or option == "ax" or key in REFUSED:
            continue
        value, more = SHOWN.get(key) or ((not default, {}) if isinstance(default, bool) else SHOWN[option])
        before = seen(display, name, **more) if more else usual
        if seen(display, name, **{**more, option: value}) == before:
            dropped.append(option)
    assert dropped == []
