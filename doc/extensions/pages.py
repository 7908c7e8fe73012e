"""What the pages need beyond Markdown: tables made from the committed results, and names of tests set small."""

import re
import sys
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective, SphinxRole

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from coverage_study import adversary, store, which_method

from skcostci.intervals._methods import METHODS


class CoverageTable(SphinxDirective):
    """The methods of a statistic from ``benchmarks/results/coverage``, as in ``cost, PC(+), stratified``."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Write the table where the directive is, and rebuild the page when the results change."""
        statistic, variant, sampling = (part.strip() for part in self.arguments[0].split(","))
        self.env.note_dependency(str(store.path(statistic)))
        rows = [row for row in store.read([statistic]) if (row["variant"], row["sampling"]) == (variant, sampling)]
        _, *lines = which_method.table(rows)  # without its heading
        return self.parse_text_to_nodes("\n".join(lines))


class AdversaryTable(SphinxDirective):
    """What ``benchmarks/adversary.py`` found for each default, at the sizes where it covers least."""

    def run(self) -> list[nodes.Node]:
        """Write the table where the directive is, and rebuild the page when the results change."""
        self.env.note_dependency(str(adversary.TABLE))
        return self.parse_text_to_nodes("\n".join(adversary.leasts(adversary.read())))


class MethodTable(SphinxDirective):
    """The records of the methods named, or of all of them."""

    optional_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Write the table where the directive is."""
        names = self.arguments[0].split() if self.arguments else list(METHODS)
        records = [METHODS[name] for name in names]
        lines = ["| method | in legends | when not to trust it |", "| --- | --- | --- |"]
        lines += [f'| `"{record.name}"` | {record.title} | {record.caution} |' for record in records]
        return self.parse_text_to_nodes("\n".join(lines))


class TestName(SphinxRole):
    """A test that checks what is said, without the parts of its name that all have."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Write it as code of its own style."""
        short = self.text.removeprefix("tests/test_").replace(".py::test_", ": ")
        return [nodes.literal(self.text, short, classes=["test"])], []


def strip_blocks(app: Sphinx, doctree: nodes.document) -> None:
    """Take the last line off code blocks where it is blank, as doctest in Markdown wants it."""
    for block in doctree.findall(nodes.literal_block):
        text = block.astext()
        if block.rawsource == text:
            block.rawsource = text.rstrip()
            block.children = [nodes.Text(text.rstrip())]


def skip_fields(app: Sphinx, what: str, name: str, obj: object, skip: bool, options: object) -> bool | None:
    """Leave out the fields of named tuples, of which Python has nothing to say but their number."""
    return True if type(obj).__name__ == "_tuplegetter" else None


def keep_initials(app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]) -> None:
    """Let a reference begin with an author's initial, which would else begin an enumeration."""
    lines[:] = [re.sub(r"^(\s*[A-Z])\. ", r"\1\\. ", line) for line in lines]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register them."""
    app.setup_extension("sphinx.ext.autodoc")
    app.add_directive("coverage-table", CoverageTable)
    app.add_directive("adversary-table", AdversaryTable)
    app.add_directive("method-table", MethodTable)
    app.add_role("test", TestName())
    app.connect("doctree-read", strip_blocks)
    app.connect("autodoc-skip-member", skip_fields)
    app.connect("autodoc-process-docstring", keep_initials, priority=400)  # before numpydoc
    return {"parallel_read_safe": True}
