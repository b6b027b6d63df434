"""The mutations of a module, the tests that cover it, and the verdict on a mutation, on a small repository."""

from pathlib import Path

import pytest

from mutants.covering import list_stages
from mutants.mutations import find_mutations
from mutants.trial import Tree

MODULE = Path("src/webquarry/ledger/caps.py")
TEST = """from webquarry.ledger import caps

def test_cap() -> None:
    assert caps.is_over(6, 5)
    assert not caps.is_over(4, 5)
"""


def mutate(source: str) -> list[str]:
    return [mutation.apply(source.encode()).decode() for mutation in find_mutations(source.encode())]


@pytest.mark.parametrize(
    ("source", "mutants"),
    [
        ("x = a < b", ["x = a <= b"]),
        ("x = a <= b > c", ["x = a < b > c", "x = a <= b >= c"]),
        ("x = a is  not b", ["x = a is b"]),
        ("x = a not in b", ["x = a in b"]),
        ("x = a and (b or c)", ["x = a or (b or c)", "x = a and (b and c)"]),
        ("x = not a", ["x = a"]),
        ("x = 'é' == b", ["x = 'é' != b"]),
        ("x = 10", ["x = 11", "x = 9"]),
        ("x = -1", ["x = -0", "x = -2"]),
        ("def f():\n    return True", ["def f():\n    return False"]),
        ("def f():\n    return a", ["def f():\n    return None"]),
    ],
)
def test_each_position_is_mutated_separately(source: str, mutants: list[str]) -> None:
    assert mutate(source) == mutants


@pytest.mark.parametrize(
    "source",
    [
        "x: Literal[1, 2] = a",
        "def f(a: Literal[1]) -> Literal[2]: ...",
        "@cache(maxsize=256)\ndef f(): ...",
        "x = f'{a < 1}'",
        "if TYPE_CHECKING:\n    x = 1",
        f"x = [{', '.join(map(str, range(20)))}]",
        "def f():\n    return None",
        '"""one < two"""',
    ],
)
def test_code_that_no_test_can_observe_is_not_mutated(source: str) -> None:
    assert mutate(source) == []


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return root


def test_nearest_tests_come_first_and_each_once(tmp_path: Path) -> None:
    root = write(
        tmp_path,
        {
            "tests/ledger/test_caps.py": TEST,
            "tests/ledger/test_other.py": "",
            "tests/api/test_account.py": "from webquarry.ledger.caps import is_over",
            "tests/proofs/test_all.py": "from webquarry.ledger import caps",
        },
    )
    assert list_stages(root, MODULE) == [
        ["tests/ledger/test_caps.py"],
        ["tests/api/test_account.py"],
        ["tests/ledger/test_other.py"],
    ]


def test_readers_of_upstreams_are_covered_by_tapes(tmp_path: Path) -> None:
    root = write(tmp_path, {"tests/read/test_values.py": "", "tests/sandbox/test_tapes.py": ""})
    assert list_stages(root, Path("src/webquarry/read/values.py"))[-1] == ["tests/sandbox/test_tapes.py"]


@pytest.mark.parametrize(
    ("test", "outcome"),
    [
        (TEST, "survived"),
        (TEST.replace("(4, 5)", "(5, 5)"), "killed"),
        pytest.param("def test_failing() -> None:\n    raise AssertionError", "survived", marks=pytest.mark.long),
    ],
)
def test_a_mutation_is_killed_by_a_test_that_passes_without_it(tmp_path: Path, test: str, outcome: str) -> None:
    root = write(
        tmp_path / "repository",
        {
            "pyproject.toml": "[tool.pytest.ini_options]\naddopts = '--import-mode=importlib'\n",
            "src/webquarry/__init__.py": "",
            "src/webquarry/ledger/__init__.py": "",
            MODULE.as_posix(): "def is_over(spent, cap):\n    return spent > cap\n",
            "tests/ledger/test_caps.py": test,
        },
    )
    write(root, {"data/store": "", "src/webquarry/ledger/data/list": ""})
    (tmp_path / "copy").mkdir()
    tree = Tree(root, tmp_path / "copy")
    assert (tree.root / "src/webquarry/ledger/data/list").exists()
    assert not (tree.root / "data").exists()
    before = (tree.root / MODULE).read_bytes()
    mutation = next(mutation for mutation in find_mutations(before) if mutation.after == b">=")
    assert tree.try_mutation(MODULE, mutation, 120).outcome == outcome
    assert (tree.root / MODULE).read_bytes() == (root / MODULE).read_bytes() == before
