"""Options declared once: a display's constructors show those of its numbers and of its ``plot`` as their own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import wraps
from inspect import Parameter, getdoc, signature
from typing import Any

DRAWING = ("ax", "curve_kwargs", "plot_chance_level", "chance_level_kw", "despine")  # as scikit-learn's displays have


def keywords(function: Callable[..., Any]) -> dict[str, Parameter]:
    """The keyword-only parameters of a function, and ``ax``."""
    every = signature(function).parameters
    return {name: each for name, each in every.items() if each.kind is Parameter.KEYWORD_ONLY or name == "ax"}


def spelled_out(constructor: Callable[..., Any], display: type, *, refer: bool) -> Callable[..., Any]:
    """A constructor that shows the options it hands on as ``**options``; ``refer`` to where they are described.

    Its example is one of this display.
    """
    numbers, plot = display._numbers, display.plot  # type: ignore[attr-defined]

    @wraps(constructor)
    def shown(*arguments: Any, **options: Any) -> Any:
        return constructor(*arguments, **options)

    own = [each for each in signature(constructor).parameters.values() if each.kind is not Parameter.VAR_KEYWORD]
    named = {each.name for each in own}
    asked, drawn = ({k: v for k, v in keywords(of).items() if k not in named} for of in (numbers, plot))
    shared = [each.replace(kind=Parameter.KEYWORD_ONLY) for name, each in drawn.items() if name in DRAWING]
    first = [each for each in own if each.kind is not Parameter.KEYWORD_ONLY]
    last = [each for each in own if each.kind is Parameter.KEYWORD_ONLY]
    rest = Parameter("plot_options", Parameter.VAR_KEYWORD)
    shown.__signature__ = signature(constructor).replace(  # type: ignore[attr-defined]
        parameters=[*first, *asked.values(), *last, *shared, rest]
    )
    described = _referred(asked, numbers, "from_predictions") if refer else _parameters(numbers)
    others = ", ".join(name for name in drawn if name not in DRAWING)
    drawing = _referred([each.name for each in shared], plot, "plot")
    drawing += f"\n**plot_options : dict\n    As in :meth:`plot`: {others}."
    text = re.sub(r"\b[A-Z]\w+Display\b", display.__name__, getdoc(constructor) or "")
    text = text.replace("{question}", described).replace("{drawing}", drawing)
    shown.__doc__ = text + "\n"
    return shown


def _referred(names: Iterable[str], function: Callable[..., Any], method: str) -> str:
    """The types of some parameters, and where they are described."""
    types = dict(re.findall(r"^(\w+) : (.*)$", _parameters(function), re.MULTILINE))
    return "\n".join(f"{name} : {types.get(name, 'object')}\n    As in :meth:`{method}`." for name in names)


def _parameters(function: Callable[..., Any]) -> str:
    """What a docstring says of the parameters, its last section."""
    described = (getdoc(function) or "").partition("Parameters\n----------\n")[2]
    return re.split(r"\n\n\w+\n-+\n", described)[0]
