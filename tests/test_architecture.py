"""The rooms of the house import only what they may, and the public names are the documented ones."""

import ast
import inspect
import pickle
import re
from dataclasses import fields
from functools import cache
from graphlib import TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest

import skcostci

PACKAGE = Path(skcostci.__file__).parent
ROOMS = {
    name: set(may.split())
    for name, may in {
        "_arrays": "",
        "_frozen": "",
        "_options": "",
        "_shown": "pandas",
        "_warnings": "os sys sklearn",
        "_elsewhere": "sklearn.metrics",
        "_described": "",
        "_validation": "_validation sklearn.utils scipy.stats",  # are checked rows like the others?
        "cases": "_validation cases",
        "metric": "_elsewhere _validation",
        "laws": "_validation metric laws scipy.special scipy.fft scipy.interpolate scipy.linalg scipy.optimize "
        "scipy.sparse",
        "intervals": "_validation laws intervals scipy.interpolate scipy.optimize scipy.special scipy.stats",
        "results": "_validation intervals results pandas",
        "geometry": "_validation cases geometry scipy.special scipy.integrate scipy.optimize",
        "cuts": "_validation cases geometry",
        "thresholds": "_validation cases cuts intervals",
        "compare": "_validation laws intervals results compare pandas string scipy.special scipy.optimize scipy.stats",
        "statistics": "_elsewhere _validation cases cuts metric laws intervals._method intervals._order_statistics "
        "results compare statistics pandas scipy.optimize scipy.special sklearn.exceptions",
        "planning": "_validation cases laws intervals statistics planning scipy.special scipy.optimize",
        "losses": "_validation cases cuts geometry sklearn.metrics",
        "scorers": "_validation cases intervals losses metric statistics sklearn.exceptions sklearn.metrics",
        # of intervals the titles, of scipy the scale of normal deviates
        "displays": "_validation cases statistics compare geometry cuts metric intervals.__init__ intervals._method "
        "results displays scipy.special sklearn.base sklearn.utils",
        "frames": "_validation cases narwhals",
        # of the package its version
        "reports": "_validation cases metric results compare statistics geometry cuts intervals.__init__ displays "
        "reports base64 io skcostci pandas",
        "cli": "reports cli argparse codecs csv gzip importlib io os shlex shutil tempfile zlib skcostci pathlib sys "
        "narwhals sklearn.ensemble sklearn.datasets sklearn.linear_model sklearn.model_selection",
    }.items()
}
LOWER = "laws", "intervals", "results", "compare", "cases", "geometry", "cuts"
SPINE = (*LOWER, "statistics", "displays", "reports", "cli")
STANDARD = (
    "__future__ abc collections contextlib dataclasses datetime decimal difflib functools html inspect "
    "itertools json math numbers operator re textwrap typing warnings weakref"
)
ANYWHERE = {"numpy", "_arrays", "_described", "_frozen", "_options", "_shown", "_warnings", *STANDARD.split()}
TYPES_ALONE = {"typing_extensions"}  # mypy brings it along
FRONT = {PACKAGE / each for each in ("__init__.py", "__main__.py", "results/__init__.py", "results/_public.py")}
SOURCES = sorted(set(PACKAGE.rglob("*.py")) - FRONT)


@cache
def parsed(source: Path) -> ast.Module:
    return ast.parse(source.read_text())


@cache
def nodes(source: Path) -> list[ast.AST]:
    return list(ast.walk(parsed(source)))


@cache
def imported(source: Path) -> set[str]:
    """The modules a file imports, inside the package by room; matplotlib counts only outside functions."""
    names = set()
    for node in nodes(source):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module)
    inside = {name.removeprefix("skcostci.") for name in names}
    return {f"{name}.__init__" if (PACKAGE / name / "__init__.py").exists() else name for name in inside}


def top_level(source: Path) -> set[str]:
    """The packages that importing a file imports, type checking aside."""
    found = [node for node in parsed(source).body if isinstance(node, ast.Import | ast.ImportFrom)]
    return {(getattr(node, "module", None) or node.names[0].name).split(".")[0] for node in found}


def room(name: str) -> str:
    """The room a module belongs to."""
    return name.split(".")[0]


def name_of(source):
    return str(source.relative_to(PACKAGE))


def room_of(source):
    return source.relative_to(PACKAGE).parts[0].removesuffix(".py")


def test_each_room_imports_only_what_it_may():
    for source in SOURCES:
        here = room_of(source)
        free = ANYWHERE | TYPES_ALONE | ({"matplotlib"} if here in {"displays", "reports"} else set())
        assert here in ROOMS, f"say in ROOMS of this file what the new room {here} may import"
        for name in imported(source):
            permitted = {name, room(name), ".".join(name.split(".")[:2])} & ROOMS[here]
            assert permitted or room(name) in free, f"{name_of(source)}: {here} must not import {name}"


def rooms_imported():
    """For each room the other rooms that its files import."""
    found = {room_of(source): set() for source in SOURCES}
    for source in SOURCES:
        found[room_of(source)] |= {room(name) for name in imported(source)} & set(ROOMS) - {room_of(source)}
    return found


def test_rooms_form_no_circle_and_none_imports_upward():
    graph = rooms_imported()
    assert set(graph) == set(ROOMS)
    assert set(TopologicalSorter(graph).static_order()) == set(ROOMS)
    for here, others in graph.items():
        above = SPINE[SPINE.index(here) + 1 :] if here in SPINE else ()
        assert not others & set(above), f"{here} must not import {others & set(above)}"


def module_of(source):
    return ".".join(source.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")


def test_files_form_no_circle_when_they_are_imported():
    """Which would fail in one order of imports and not in another."""
    graph = {}
    for source in SOURCES:
        here = {node.module for node in parsed(source).body if isinstance(node, ast.ImportFrom)}
        graph[module_of(source)] = {name for name in here if name.startswith("skcostci.")} - {module_of(source)}
    assert list(TopologicalSorter(graph).static_order())


def test_every_room_is_in_the_picture():
    page = Path(__file__).parents[1] / "CONTRIBUTING.md"
    if page.exists():  # it is not in the source distribution
        rows = [line.split("|")[1] for line in page.read_text().splitlines() if line.startswith("| `")]
        named = {name.strip(" `/") for row in rows for name in row.split(",")}
        assert named == set(ROOMS), (
            f"put {named ^ set(ROOMS)} in the table of rooms of CONTRIBUTING.md, or in ROOMS here"
        )


ONE_HOME = {  # what no other file may call or import, by where it lives
    r"warnings\.warn\(": "_warnings.py",
    r"from functools import .*cached_property": "_frozen.py",  # that of functools is pickled with what it keeps
}


def test_warnings_and_caches_have_one_home():
    for used, home in ONE_HOME.items():
        assert [source.name for source in SOURCES if re.search(used, source.read_text())] == [home]


def constants(source: Path) -> list[str]:
    """The names in capitals that a file gives values."""
    body = parsed(source).body
    targets = [each for node in body if isinstance(node, ast.Assign) for each in node.targets]
    names = [node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]
    return [name for name in names if name.isupper()]


def test_a_constant_of_the_laws_has_one_value():
    found = [name for source in (PACKAGE / "laws").rglob("*.py") for name in constants(source)]
    assert len(found) > 100
    assert {name for name in found if found.count(name) > 1} == set(), "say in the name what it is of, or import it"


CONVERTERS = {f"np.{name}" for name in ("asarray", "array", "asanyarray", "atleast_1d", "ravel", "unique", "sort")}
COMPUTED = ("_arrays.py", "_frozen.py", "laws", "intervals", "displays/_drawing.py")  # their array-likes come from us


def names_in(node: ast.AST) -> set[str]:
    """The names that an expression stands for, or lists; what is computed of them is not they."""
    if isinstance(node, ast.Name):
        return {node.id}
    passes = isinstance(node, ast.Attribute | ast.Subscript | ast.List | ast.Tuple | ast.IfExp)
    return {name for child in ast.iter_child_nodes(node) if passes for name in names_in(child)}


def converted(function: ast.FunctionDef) -> set[str]:
    """The array-likes among the arguments of a function that numpy converts there."""
    arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    raw = {each.arg for each in arguments if each.annotation and "ArrayLike" in ast.unparse(each.annotation)}
    calls = [node for node in ast.walk(function) if isinstance(node, ast.Call) and node.args]
    return {name for call in calls if ast.unparse(call.func) in CONVERTERS for name in names_in(call.args[0]) & raw}


def test_what_users_pass_is_converted_by_the_door_alone():
    asked = [source for source in SOURCES if not name_of(source).startswith(COMPUTED)]
    functions = [(source, n) for source in asked for n in nodes(source) if isinstance(n, ast.FunctionDef)]
    wrong = {(name_of(source), each.name): found for source, each in functions if (found := converted(each))}
    assert wrong == {}, "masks, missing values and long numbers are lost outside of _arrays"


def test_a_second_door_would_be_found():
    (function,) = ast.parse("def f(y: ArrayLike | None, x: int): return np.asarray([y, x]), np.asarray(x)").body
    assert converted(function) == {"y"}


def test_drawing_and_tables_are_imported_late_and_scikit_learns_public_modules_alone():
    late = {*["matplotlib", "pandas", "polars", "narwhals", "duckdb", "pyarrow", "dask", "distributed", "pyspark"]}
    assert {name_of(source): found for source in [*SOURCES, *FRONT] if (found := top_level(source) & late)} == {}
    names = {name for source in SOURCES for name in imported(source)}
    assert [name for name in names if name.startswith("sklearn") and "._" in name] == []


@pytest.mark.parametrize("module", [skcostci, skcostci.results], ids=lambda module: module.__name__)
def test_public_names_exist_are_sorted_and_documented(module):
    assert list(module.__all__) == sorted(module.__all__), "HOMES, or _public.py, has its names in this order"
    for name in module.__all__:
        documentation = getattr(module, name).__doc__
        assert documentation, f"{name} needs a docstring"
        assert not documentation.startswith(f"{name}("), f"{name} needs a docstring, this is of dataclasses"
        assert has_example(documentation), f"the docstring of {name} needs an example"


def has_example(documentation):
    """Of its own, or one of the function, or of the larger result, that returns it."""
    returned = re.search(r"(?:Returned by|One of the rates of) :(?:func|class|meth):`(\w+)", documentation)
    if ">>>" in documentation or not returned:
        return ">>>" in documentation
    return has_example((getattr(skcostci, returned[1], None) or getattr(skcostci.results, returned[1])).__doc__)


MOST = 66  # public names


def test_the_surface_can_be_held_in_mind():
    """With what else a new name enters, which the tests say that read these lists."""
    assert len(skcostci.__all__) <= MOST, (
        f"There are {len(skcostci.__all__)} public names, at most {MOST} are agreed: look for one that can go, or say "
        "in the pull request what another is for and raise MOST of tests/test_architecture.py. A new name is entered "
        "in HOMES of skcostci/__init__.py and in doc/api.md, a statistic in tests/statistics_list.py too."
    )
    assert [name for name in dir(skcostci) if inspect.ismodule(getattr(skcostci, name))] == ["results"]
    assert [name for name in skcostci.__all__ if name.endswith("Result")] == []
    assert set(dir(skcostci.results)) == set(skcostci.results.__all__)


def test_public_names_are_imported_from_where_they_are_defined_and_are_what_star_imports():
    for home, names in skcostci.HOMES.items():
        defined = import_module(f"skcostci.{home}")
        assert all(getattr(skcostci, name) is getattr(defined, name) for name in names.split())
        assert {getattr(defined, name).__module__ for name in names.split()} == {defined.__name__}
    for module in (skcostci, skcostci.results):
        found = {}
        exec(f"from {module.__name__} import *", found)
        assert set(module.__all__) <= set(found)
        with pytest.raises(AttributeError, match="has no attribute 'bootstrap_everything'"):
            _ = module.bootstrap_everything
    assert pickle.loads(pickle.dumps(skcostci.results.AUCResult)) is skcostci.results.AUCResult


def test_oracles_never_import_the_package():
    assert "skcostci" not in imported(Path(__file__).parent / "oracles.py")


TESTS = sorted({*Path(__file__).parent.glob("*.py")} - {Path(__file__)})  # which has the examples below
DUALITY = {"cost_line", "cost_point", "roc_line", "roc_point"}  # called by name, and not among the 60
LAWS = [
    each
    for source in sorted((PACKAGE / "laws").rglob("_[a-z]*.py"))
    for each in vars(import_module(".".join(source.relative_to(PACKAGE.parent).with_suffix("").parts))).values()
    if inspect.isclass(each) and each.__name__.endswith("Law") and each.__module__.endswith(source.stem)
]


def test_every_law_says_whether_it_is_exact():
    assert len(LAWS) > 19
    assert [law for law in LAWS if "is_exact" not in {*dir(law), *(field.name for field in fields(law))}] == []


def test_no_name_is_used_twice():
    files = [source.name for source in SOURCES if source.name != "__init__.py"]
    classes = [node.name for source in SOURCES for node in nodes(source) if isinstance(node, ast.ClassDef)]
    for names in (files, classes):
        assert sorted({name for name in names if names.count(name) > 1}) == []


def permitted(module: str, name: str) -> bool:
    """Whether a test may take this name from this module."""
    others = {"__version__", "results", "frames"}  # the last has MOST_GROUPS, of which users are told
    public = {
        "skcostci": {*skcostci.__all__, *DUALITY, *others},
        "skcostci.results": {*skcostci.results.__all__},
        "skcostci.__main__": {"main"},
    }
    if module.startswith("skcostci.laws."):  # each of which is held by itself against enumeration
        return not name.startswith("_")
    return not module.startswith("skcostci") or name in public.get(module, set())


def looks_inside(tree: ast.AST) -> set[str]:
    """What is imported from inner modules, reached for as an attribute of the package, or named by its path."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            module = node.module or ""
            found |= {f"{module}.{each.name}" for each in node.names if not permitted(module, each.name)}
        elif isinstance(node, ast.Import):
            found |= {each.name for each in node.names if each.name.startswith("skcostci.")} - {"skcostci.results"}
        elif isinstance(node, ast.Attribute) and getattr(node.value, "id", "") in ("sk", "skcostci"):
            found |= {node.attr} if not permitted("skcostci", node.attr) and not node.attr.startswith("__") else set()
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            paths = re.findall(r"\bskcostci\.(\w+)\.\w", node.value)  # as of what is monkeypatched
            found |= {path for path in paths if path not in ("laws", "results")}
    return found


def test_tests_ask_public_names_only():
    assert {source.name: found for source in TESTS if (found := looks_inside(parsed(source)))} == {}


INSIDE = (
    *("from skcostci.intervals._unseen import METHODS", "from skcostci.laws.exact._sum import _fitted"),
    *("import skcostci.cuts", "sk.intervals._unseen", "patch('skcostci.cases._cases.Cases.counts')"),
)


@pytest.mark.parametrize("line", INSIDE)
def test_a_look_inside_would_be_found(line):
    assert looks_inside(ast.parse(line))
