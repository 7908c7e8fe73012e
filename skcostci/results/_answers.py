"""Questions that not every law can answer: where it cannot, a result is without the method and says why."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])


class _Where:
    """A method of those results of which ``refusal`` says nothing; ``hasattr`` is False of the others."""

    def __init__(self, method: Callable[..., Any], refusal: Callable[[Any], str]) -> None:
        self.__doc__, self.__name__, self.__wrapped__ = method.__doc__, method.__name__, method
        self.method, self.refusal = method, refusal

    def __get__(self, result: Any, owner: type[Any]) -> Any:
        if result is None:
            return self.method
        if reason := self.refusal(result):
            raise AttributeError(f"{owner.__name__}.{self.method.__name__} {reason}")
        return self.method.__get__(result, owner)


def of_whole_law(method: FunctionT) -> FunctionT:
    """A method that asks the law for more than its moments."""
    return cast("FunctionT", _Where(method, _lacks_whole_law))


def of_single_cases(method: FunctionT) -> FunctionT:
    """A method that takes the classes to be independent, which they are not among groups of both."""
    return cast("FunctionT", _Where(method, _has_groups))


def _lacks_whole_law(result: Any) -> str:
    law = getattr(result.law, "law", result.law)  # of a law with points that have no value that of the others
    if law is None or hasattr(law, "cdf"):
        return ""
    return (
        "needs the whole bootstrap law, of which only the moments are known here, as of most groups and folds, "
        "of several classes and of functions. Ask confidence_interval, standard_error or mean."
    )


def _has_groups(result: Any) -> str:
    if result.n_groups is None:
        return ""
    return "needs independent classes, which groups with cases of both do not leave. Ask fpr and tpr by themselves."
