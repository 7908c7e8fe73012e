"""What the site adds to the pages, which are plain Markdown.

Names become links to the reference, and tests links to their source. What stands in comments, as in
``<!-- {coverage-table} auc, area, stratified -->``, becomes a directive; the repository does not show it.
"""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective, SphinxRole

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))

from coverage_study import adversary, store, which_method

import skcostci

API = ROOT / "doc" / "api.md"
GROUP = re.compile(r"^## ([^\n]+)\n(?:(?!^## ).)*?:nosignatures:\n\n   (\w+)", re.DOTALL | re.MULTILINE)
FENCED = re.compile(r"(^ *```.*?^ *```$)", re.DOTALL | re.MULTILINE)
TEST = re.compile(r"\[test\]\([./]*/(tests/\w+\.py)\s+\"(\w+)\"\)")
NAME = re.compile(rf"(?<![\[`])`({'|'.join(skcostci.__all__)})`(?!`)")
EXAMPLE = re.compile(r"\bexamples/(plot_\w+)\.py\)")
OUTSIDE = re.compile(r"(?<!!)\[([^\]]+)\]\(((?:\.\./)+benchmarks/[^)\s#]+)\)")
COMMENT = re.compile(r"^<!-- (\{[\w-]+\}.*?)\n?-->$", re.DOTALL | re.MULTILINE)


def as_myst(app: Sphinx, docname: str, source: list[str]) -> None:
    """Write the links and directives that plain Markdown cannot have; code stays as it is."""
    if os.fspath(app.env.doc2path(docname, base=False)).endswith(".md"):
        parts = FENCED.split(source[0])
        parts[::2] = [_linked(part) for part in parts[::2]]
        source[0] = COMMENT.sub(r"```\1\n```", "".join(parts))


def _linked(text: str) -> str:
    """Names, tests, results and gallery examples as links to where the site has them."""
    text = NAME.sub(r"{py:obj}`~skcostci.\1`", TEST.sub(r"{test}`\1::\2`", text))
    text = OUTSIDE.sub(r"{download}`\1 <\2>`", text)
    return EXAMPLE.sub(r"auto_examples/\1.rst)", text)


def grouped_sidebar(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Beside the reference, write the headings of its groups, which no sidebar has, above the first name of each."""
    if page == "api" or page.startswith("generated/"):
        groups = GROUP.findall(API.read_text("utf-8"))
        plain = context["generate_toctree_html"]
        context["generate_toctree_html"] = lambda *args, **options: _with_headings(str(plain(*args, **options)), groups)


def _with_headings(sidebar: str, groups: list[tuple[str, str]]) -> str:
    """The list of names with a line for each group."""
    for title, first in groups:
        entry = re.compile(rf'<li class="[^"]*">\s*<a [^>]*>\s*{first}\s*</a>')
        sidebar = entry.sub(lambda found, title=title: f'<li class="group">{title}</li>\n{found[0]}', sidebar, count=1)
    return sidebar


class CoverageTable(SphinxDirective):
    """The methods of a statistic from ``benchmarks/results/coverage``, as in ``cost, PC(+), stratified``."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Write the table where the directive is, and rebuild the page when the results change."""
        statistic, *words, sampling = (part.strip() for part in self.arguments[0].split(","))
        variant = ", ".join(words)
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


class TestName(SphinxRole):
    """A test that checks what is said, without the parts of its name that all have, as a link to its source."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Write it as code of its own style."""
        path, test = self.text.split("::")
        short = self.text.removeprefix("tests/test_").replace(".py::test_", ": ")
        up = "../" * self.env.docname.count("/")
        target = f"{up}{path.removesuffix('.py')}{self.env.app.builder.out_suffix}#{test}"
        link = nodes.reference("", "", internal=True, refuri=target)
        link += nodes.literal(self.text, short, classes=["test"])
        cited = vars(self.env).setdefault("cited_tests", set())
        cited.add(path)
        return [link], []


def sources_of_tests(app: Sphinx) -> Iterator[tuple[str, dict[str, str], str]]:
    """A page for each file of tests that is cited, its tests being places to link to."""
    for path in sorted(vars(app.env).get("cited_tests", ())):
        lines = (ROOT / path).read_text(encoding="utf-8").splitlines()
        shown = highlight("\n".join(lines), PythonLexer(), HtmlFormatter(linespans="line", wrapcode=True))
        for number, line in enumerate(lines, 1):
            if found := re.match(r" *def (test_\w+)\(", line):
                shown = shown.replace(f'<span id="line-{number}">', f'<span id="{found[1]}">')
        yield path.removesuffix(".py"), {"title": path, "body": f"<h1>{path}</h1>{shown}"}, "page.html"


def merge_cited(app: Sphinx, env: BuildEnvironment, docnames: set[str], other: BuildEnvironment) -> None:
    """Bring together what was read side by side."""
    vars(env).setdefault("cited_tests", set()).update(vars(other).get("cited_tests", ()))


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


def outer_name(app: Sphinx, env: BuildEnvironment, node: Any, shown: nodes.Element) -> nodes.Element | None:
    """Link names of the package in docstrings of its results, and the other way round: Sphinx looks in one module."""
    target = node.get("reftarget", "")
    for module, names in (("skcostci", skcostci.__all__), ("skcostci.results", skcostci.results.__all__)):
        if node.get("refdomain") == "py" and target.split(".")[0] in names:
            domain, whole = env.get_domain("py"), f"{module}.{target}"
            return domain.resolve_xref(env, node["refdoc"], app.builder, node["reftype"], whole, node, shown)
    return None


def setup(app: Sphinx) -> dict[str, bool]:
    """Register them."""
    app.setup_extension("sphinx.ext.autodoc")
    app.add_directive("coverage-table", CoverageTable)
    app.add_directive("adversary-table", AdversaryTable)
    app.add_role("test", TestName())
    app.connect("source-read", as_myst)
    app.connect("doctree-read", strip_blocks)
    app.connect("html-page-context", grouped_sidebar, priority=900)  # after the theme
    app.connect("env-merge-info", merge_cited)
    app.connect("html-collect-pages", sources_of_tests)
    app.connect("missing-reference", outer_name)
    app.connect("autodoc-skip-member", skip_fields)
    app.connect("autodoc-process-docstring", keep_initials, priority=400)  # before numpydoc
    return {"parallel_read_safe": True}
