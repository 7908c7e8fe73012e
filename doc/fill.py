"""Write into the pages what they hold of the package and of committed results, and draw their pictures.

``python doc/fill.py`` for all pages, ``python doc/fill.py start`` for those whose names begin so. The pages are plain
Markdown: they read in the repository as they do on the site. What stands between ``<!-- methods: ... -->`` (or
``output``, ``lines``, ``defaults``, ``options``, ``names``) and ``<!-- end -->`` is made here, and a test holds it to
its source. A picture is what the page's code draws before ``plt.show()``; its file is the image that follows.
"""

from __future__ import annotations

import doctest
import io
import os
import re
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from importlib import import_module
from inspect import isfunction, signature
from math import isnan
from pathlib import Path

DOC = Path(__file__).parent
ROOT = DOC.parent
PHONE = {"figure.figsize": (5, 4.2), "figure.constrained_layout.use": True, "savefig.dpi": 100}  # letters are large
MADE = re.compile(r"(<!-- (methods|defaults|output|lines|options|names): (.*?) -->\n).*?(<!-- end -->)", re.DOTALL)
PICTURE = re.compile(r"!\[[^\]]+\]\(([^)]*images/\w+\.png)\)")


def pages() -> list[Path]:
    """The pages that are written by hand."""
    made = {"_build", "auto_examples", "generated"}
    return [page for page in sorted(DOC.rglob("*.md")) if not made & set(page.relative_to(DOC).parts)]


def filled(page: Path) -> str:
    """The page as it should read."""
    return MADE.sub(lambda made: f"{made[1]}\n{_content(made[2], made[3], page)}\n\n{made[4]}", page.read_text("utf-8"))


def _content(kind: str, what: str, page: Path) -> str:
    """What belongs between two comments."""
    if kind in _TABLES:
        return _TABLES[kind](what)
    path, after, before = (part.strip() for part in what.split("|"))
    text = _part((ROOT / path).read_text("utf-8"), after, before)
    folder = os.path.relpath((ROOT / path).parent, page.parent)
    return f"```text\n{text}\n```" if kind == "output" else re.sub(r"\]\((?!https?:|#)", f"]({folder}/", text)


def _methods(what: str) -> str:
    """Methods or bands, the default first: a statistic's (``_auc``, ``_cost.BANDS``), or those named.

    ``all`` are all methods, with what they compute.
    """
    from skcostci.intervals import BANDS, METHODS

    if what == "all":
        lines = ["| method | in captions | what is computed | when not to trust it |", "| --- | --- | --- | --- |"]
        lines += [f'| `"{each.name}"` | {each.title} | {each.what} | {each.caution} |' for each in METHODS.values()]
    else:
        records = {**METHODS, **BANDS}
        lines = ["| method | in captions | when not to trust it |", "| --- | --- | --- |"]
        lines += [
            f'| `"{each.name}"` | {each.title} | {each.caution} |' for each in (records[name] for name in _listed(what))
        ]
    return "\n".join(lines)


def _listed(what: str) -> Sequence[str]:
    """Names with commas between, or those that a module of statistics lists; of several samplings, the stratified.

    ``of units, paired`` are the methods of what has influence values, under the conditions named.
    """
    if what.startswith("of units"):
        from skcostci.statistics._units import methods_of_units

        return methods_of_units(**{"grouped": False, **dict.fromkeys(what.split(", ")[1:], True)})
    if not what.startswith("_"):
        return what.split(", ")
    module, _, name = what.partition(".")
    listed = getattr(import_module(f"skcostci.statistics.{module}"), name or "METHODS")
    return listed["stratified"] if isinstance(listed, dict) else listed


def _defaults(what: str) -> str:
    """What defaults cover in the study, beside the bootstrap's own intervals: ``AUC = auc, area, stratified; ...``."""
    sys.path.insert(0, str(ROOT / "benchmarks"))
    from coverage_study import store, summary

    lines = [
        "| quantity | default | covers at worst | on average | width over the narrowest that covers: ordinary | hard "
        "| the bootstrap's own | covers at worst | its width |"
    ]
    lines += ["| --- | --- | --- | --- | --- | --- | --- | --- | --- |"]
    for name, kind in (entry.split(" = ") for entry in what.split("; ")):
        statistic, variant, sampling = kind.split(", ")
        rows = [row for row in store.read([statistic]) if (row["variant"], row["sampling"]) == (variant, sampling)]
        (found,) = summary.summaries(rows)
        own = next(method for method in summary.PAPERS if method in found.methods)
        default, other = found.columns[found.default, 0.95], found.columns[own, 0.95]
        cells = [name, f'`"{found.default}"`', f"{default.least:.2f}", f"{default.mean:.2f}"]
        cells += [
            "-" if isnan(ratio) else f"{ratio:.2f}"
            for ratio in (found.over_narrowest(hard=hard) for hard in (False, True))
        ]
        cells += [f'`"{own}"`', f"{other.least:.2f}", f"{found.relative_width(own):.2f}"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _options(what: str) -> str:
    """What each function whose name begins so (``bootstrap_``) takes by name, with a column for what many take."""
    import skcostci

    lines = ["| " + " | ".join(["", *(f"`{option}`" for option in OPTIONS), "several classes", "and"]) + " |"]
    lines += ["| " + " | ".join(["---"] * (len(OPTIONS) + 3)) + " |"]
    for name in skcostci.__all__:
        if name.startswith(tuple(what.split(", "))) and isfunction(function := getattr(skcostci, name)):
            parameters = signature(function).parameters.values()
            named = [each.name for each in parameters if each.kind is each.KEYWORD_ONLY and each.name != "pos_label"]
            yes = ["yes" if option in named else "" for option in OPTIONS]
            classes = [option for option in OF_CLASSES if option in named]
            others = [option for option in named if option not in (*OPTIONS, *OF_CLASSES)]
            listed = (", ".join(f"`{option}`" for option in options) for options in (classes, others))
            lines.append("| " + " | ".join([f"`{name}`", *yes, *listed]) + " |")
    return "\n".join(lines)


def _names(what: str) -> str:
    """The names that ask for metrics of labels, or for rates at a fixed value of another."""
    from skcostci._options import RATES_AT
    from skcostci.metric import ALIASES, BY_NAME

    known = {"metrics": BY_NAME, "aliases": ALIASES, "rates": RATES_AT}[what]
    return ", ".join(f"`{name}`" for name in known)


OPTIONS = ("sample_weight", "groups", "folds", "sampling", "prevalence", "thresholds")  # that many functions have
OF_CLASSES = ("multi_class", "average", "labels")
_TABLES = {"methods": _methods, "defaults": _defaults, "options": _options, "names": _names}


def _part(text: str, after: str, before: str) -> str:
    """The lines after one that ends so and before one that begins so; from the first, to the last without these."""
    text = text.split(f"{after}\n", 1)[1] if after else text
    return (re.split(rf"^{re.escape(before)}", text, maxsplit=1, flags=re.MULTILINE)[0] if before else text).strip("\n")


def draw(page: Path) -> None:
    """Run the page, and write what it shows as the picture that follows."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    text = page.read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    variables: dict[str, object] = {}
    with mpl.rc_context(PHONE), redirect_stdout(io.StringIO()):
        for example in doctest.DocTestParser().get_examples(text):
            exec(compile(example.source, page.name, "single", dont_inherit=True), variables)
            if example.source.strip() == "plt.show()":
                following = PICTURE.search("".join(lines[example.lineno :]))
                assert following, f"no picture follows plt.show() in line {example.lineno + 1} of {page}"
                _save((page.parent / following[1]).resolve())
                plt.close("all")


def _save(path: Path) -> None:
    """The current figure in few colours: a third of the bytes, for a repository that keeps every version."""
    from matplotlib import pyplot as plt
    from PIL import Image

    drawn = io.BytesIO()
    plt.savefig(drawn)
    Image.open(drawn).convert("RGB").quantize(64, dither=Image.Dither.NONE).save(path, optimize=True)


if __name__ == "__main__":
    for page in pages():
        if page.stem.startswith(tuple(sys.argv[1:]) or ""):
            text = page.read_text(encoding="utf-8")
            page.write_text(filled(page), encoding="utf-8")
            if "plt.show()" in text:
                draw(page)
