"""The directive ``coverage-table``: a table made from the committed results when the site is built."""

import sys
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

import interval_methods


class CoverageTable(SphinxDirective):
    """Show one of the tables of ``benchmarks/interval_methods.py`` by its name."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Write the table where the directive is, and rebuild the page when the results change."""
        name = self.arguments[0]
        self.env.note_dependency(str(interval_methods.RESULTS / interval_methods.SOURCES[name].file))
        return self.parse_text_to_nodes(interval_methods.markdown(name))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("coverage-table", CoverageTable)
    return {"parallel_read_safe": True}
