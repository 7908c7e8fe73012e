"""Letters: models that share one are not shown to differ (Piepho 2004)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from string import ascii_letters


def letters(names: Sequence[str], different: Iterable[tuple[int, int]]) -> dict[str, str]:
    """A string of letters for each name, such that two share a letter unless they were found to differ."""
    groups = [frozenset(range(len(names)))]
    for i, j in different:
        parted = [part for group in groups for part in ((group - {i}, group - {j}) if {i, j} <= group else (group,))]
        groups = _largest(parted)
    groups.sort(key=sorted)
    return {name: "".join(_symbol(g) for g, group in enumerate(groups) if i in group) for i, name in enumerate(names)}


def _largest(groups: Sequence[frozenset[int]]) -> list[frozenset[int]]:
    """The groups that no other one holds, each once."""
    distinct = list(dict.fromkeys(groups))
    return [group for group in distinct if not any(group < other for other in distinct)]


def _symbol(number: int) -> str:
    """A to z, A to Z, then numbers in brackets."""
    return ascii_letters[number] if number < len(ascii_letters) else f"[{number + 1}]"
