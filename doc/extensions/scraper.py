"""Pictures of the gallery with words for who cannot see them."""

from __future__ import annotations

import re
from typing import Any

from sphinx_gallery.scrapers import matplotlib_scraper


def described(block: tuple[str, str, int], block_vars: dict[str, Any], gallery_conf: dict[str, Any]) -> str:
    """The figures of a block; ``# sphinx_gallery_alt = "..."`` in it says what they show."""
    shown: str = matplotlib_scraper(block, block_vars, gallery_conf)
    said = re.search(r'^# sphinx_gallery_alt = "(.*)"$', block[1], re.MULTILINE)
    return shown if said is None else re.sub(r":alt: .*", lambda _: f":alt: {said[1]}", shown)
