"""Pictures of the gallery: legible on a phone, and with words for who cannot see them.

``# sphinx_gallery_alt = "..."`` in an example says what its picture shows.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import matplotlib as mpl
from docutils import nodes
from sphinx.application import Sphinx
from sphinx_gallery.scrapers import matplotlib_scraper

PHONE = {"figure.figsize": (5, 4.2), "savefig.dpi": 160}  # narrow, so that letters are large
EXAMPLES = Path(__file__).parents[1] / "examples"


def draw_for_phones(gallery_conf: dict[str, Any], name: str) -> None:
    """Set the size of figures, before each example."""
    mpl.rcParams.update(PHONE)


def described(block: tuple[str, str, int], block_vars: dict[str, Any], gallery_conf: dict[str, Any]) -> str:
    """The figures of a block, with the words in it."""
    shown: str = matplotlib_scraper(block, block_vars, gallery_conf)
    said = _words(block[1])
    return re.sub(r":alt: .*", lambda _: f":alt: {said}", shown) if said else shown


def describe_thumbnails(app: Sphinx, doctree: nodes.document) -> None:
    """The same for the small pictures of the index."""
    for image in doctree.findall(nodes.image):
        if found := re.search(r"sphx_glr_(plot_\w+)_thumb", image["uri"]):
            image["alt"] = _words((EXAMPLES / f"{found[1]}.py").read_text(encoding="utf-8"))


def _words(code: str) -> str:
    """What an example says of its picture."""
    said = re.search(r'^# sphinx_gallery_alt = "(.*)"$', code, re.MULTILINE)
    return said[1] if said else ""


def setup(app: Sphinx) -> dict[str, bool]:
    """Register."""
    app.connect("doctree-read", describe_thumbnails)
    return {"parallel_read_safe": True}
