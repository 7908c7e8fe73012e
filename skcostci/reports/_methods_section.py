"""The methods section for a paper: a paragraph to copy, its references, and the cautions of each interval."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from skcostci.intervals import METHODS
from skcostci.reports._blocks import Lines
from skcostci.reports._classes import ClassCases

if TYPE_CHECKING:
    from skcostci.reports._report import Report

GAFFKE = "Gaffke, Mathematical Methods of Statistics 14, 2005, pp. 451-467"
REFERENCES = {
    "unseen_case": GAFFKE,
    "unseen_group": GAFFKE,
    "extrapolated": "Hall, Journal of the Royal Statistical Society B 54, 1992, pp. 221-228",
    "combined": "Xie and Singh, International Statistical Review 81, 2013, pp. 3-39",
    "clopper_pearson": "Clopper and Pearson, Biometrika 26, 1934, pp. 404-413",
    "wilson": "Wilson, Journal of the American Statistical Association 22, 1927, pp. 209-212",
    "wald": "Efron, Annals of Statistics 7, 1979, pp. 1-26",
    "delong": "DeLong, DeLong and Clarke-Pearson, Biometrics 44, 1988, pp. 837-845",
    "rank_mover": "Zou and Donner, Statistics in Medicine 27, 2008, pp. 1693-1702",
    "percentile": "Efron, Annals of Statistics 7, 1979, pp. 1-26",
}
OF_GROUPS = "Bell and McCaffrey, Survey Methodology 28, 2002, pp. 169-181"
NAMES_OF_PEOPLE = ("Brier", "Cohen", "Gini", "Hamming", "Jaccard", "Matthews", "Youden")  # their capitals are kept
POWERED = "Angelopoulos, Duchi and Zrnic, PPI++: Efficient prediction-powered inference, arXiv 2311.01453, 2023"
MAX_T = "Hothorn, Bretz and Westfall, Biometrical Journal 50, 2008, pp. 346-363"


def methods_blocks(report: Report) -> list[Lines]:
    """The paragraph, the references and the cautions."""
    cautions = [f"  {METHODS[name].title}: {METHODS[name].caution}" for name in _used(report)]
    references = Lines("References", [f"  {each}." for each in _references(report)])
    paragraph = Lines("Methods, to copy", [f"  {' '.join(_paragraph(report))}"])
    return [paragraph, references, Lines("When not to trust these intervals", cautions)]


def _paragraph(report: Report) -> Iterator[str]:
    """Sentence by sentence."""
    inquiry, level = report.inquiry, 100 * report.inquiry.confidence_level
    by_class = "cases, within each class for measures that do not follow the share of positives"
    unit = "cases" if isinstance(inquiry.cases, ClassCases) else by_class
    if inquiry.cases.groups is not None:
        unit = f"whole groups ({inquiry.cases.n_groups} of them)"
    if inquiry.cases.proxies is not None:
        each = "cases" if inquiry.cases.groups is None else unit
        unit = f"{each}, in two samples: those with checked labels and those with a proxy's labels alone"
    if inquiry.cases.rows.effective_number is not None:
        unit = "the effective number of equally weighted cases, from the design effect of the importance weights"
    yield (
        f"Two-sided {level:g} % confidence intervals were computed in closed form from the bootstrap distribution of "
        f"{unit}, without drawing resamples (skcostci {report.version})."
    )
    if inquiry.cases.proxies is not None:
        yield (
            "Estimates are prediction-powered: those of the checked cases plus a multiple of the difference between "
            "the proxy's values on the other cases and on the checked ones, the multiple that minimizes the variance. "
            "Checked cases were drawn at random."
        )
    for method, names in _used(report).items():
        yield f"{_listed(names)} ({METHODS[method].title} intervals): {METHODS[method].what}"
    yield from _of_differences(report)


def _of_differences(report: Report) -> Iterator[str]:
    """The differences that are reported, and the number of tests for which p-values are adjusted."""
    if not any(section.comparison for section in report.sections):
        return
    how = "on the same cases" if report.inquiry.subgroups is None else "of independent samples"
    yield f"Differences are {how}; p-values are two-sided and found by inverting the interval of the difference."
    if len(report.pairs) > 1:
        yield f"Intervals and p-values of the {len(report.pairs)} differences of each metric are simultaneous (max-t)."


def _references(report: Report) -> list[str]:
    """Each reference once, in the order of the methods; the package last."""
    known = REFERENCES if report.inquiry.cases.groups is None else REFERENCES | {"extrapolated": OF_GROUPS}
    found = [known[name] for name in _used(report) if name in known]
    several = [POWERED] if report.inquiry.cases.proxies is not None else []
    several += [MAX_T] if len(report.pairs) > 1 else []
    return [*dict.fromkeys(found), *several, f"skcostci {report.version}, its CITATION.cff"]


def _used(report: Report) -> dict[str, list[str]]:
    """The quantities by the method of their intervals."""
    found: dict[str, dict[str, None]] = {}
    for section in report.sections:
        name = section.quantity  # a statistic at several points is named once
        name = name if name.startswith(NAMES_OF_PEOPLE) or not name[1:2].islower() else name[0].lower() + name[1:]
        if method := section.numbers[0]["method"]:
            found.setdefault(method, {})[name] = None
        if section.comparison is not None:
            found.setdefault(section.numbers[-1]["method"], {})[f"difference in {name}"] = None
    return {method: list(names) for method, names in found.items()}


def _listed(names: list[str]) -> str:
    """Names as an English list that begins a sentence."""
    said = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    return f"{said[0].upper()}{said[1:]}"
