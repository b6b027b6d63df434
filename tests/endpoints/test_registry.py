"""Every interface agrees with the registry: the same operations, parameters, prices and limits."""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from selectolax.lexbor import LexborHTMLParser

from convert_support.kit import KIT
from support.client import Client
from support.made import Board
from support.sandbox import Sandbox
from webquarry.api.free_operations import OPERATIONS
from webquarry.cli import main
from webquarry.endpoints.declare import DeclarationError, Extractor
from webquarry.endpoints.params import FORMAT, ParamSpec, specs
from webquarry.endpoints.registry import API_PREFIX, Registry, collect, load
from webquarry.endpoints.variants import list_specs
from webquarry.endpoints.wording import price
from webquarry.web.texts import to_cell

CONTRACT = KIT / "contract"
EXTRACTORS = {extractor.name: extractor for extractor in load()}
RULES = {"default": "default", "min": "minimum", "max": "maximum", "max_length": "maxLength", "enum": "enum"}

needs_contract = pytest.mark.skipif(not CONTRACT.exists(), reason="the contract lies beside the repository")


def params(extractor: Extractor) -> tuple[ParamSpec, ...]:
    return (*specs(extractor.params), FORMAT)


def fresh_s(extractor: Extractor) -> int | None:
    return None if extractor.fresh is None else int(extractor.fresh.total_seconds())


def facts(spec: ParamSpec) -> list[str]:
    """Return the facts that any text about a parameter must contain."""
    default = str(spec.default).lower() if isinstance(spec.default, bool) else str(spec.default)
    found = [spec.type, "required" if spec.required else "", default if spec.default is not None else ""]
    found += [str(bound) for bound in (spec.min, spec.max, spec.max_length) if bound is not None]
    found += [*(spec.enum or ()), spec.empty or "", spec.rule or ""]
    return [fact for fact in found if fact]


@pytest.fixture(scope="module", params=EXTRACTORS)
def extractor(request: pytest.FixtureRequest) -> Extractor:
    return EXTRACTORS[request.param]


@pytest.fixture(scope="module")
def served(client: Client) -> Any:
    return client.ask("/openapi.json").json


@pytest.fixture(scope="module")
def listed() -> dict[str, Any]:
    printed = CliRunner().invoke(main, ["endpoints", "--json"], catch_exceptions=False).output
    return {row["name"]: row for row in json.loads(printed)}


@pytest.fixture(scope="module")
def agreed() -> dict[str, Any]:
    return yaml.safe_load((CONTRACT / "endpoints.yaml").read_text())  # type: ignore[no-any-return]  # of the contract's shape


# the registry itself


def test_every_endpoint_is_listed_once() -> None:
    board = Board()
    with pytest.raises(DeclarationError, match="the name made is already declared"):
        Registry((board.extractor(), board.extractor()))


def test_every_example_is_valid(extractor: Extractor) -> None:
    assert set(extractor.example) <= {spec.name for spec in specs(extractor.params)}
    assert all(spec.name in extractor.example for spec in specs(extractor.params) if spec.required)


def test_every_declaration_has_descriptions_in_sentences(extractor: Extractor) -> None:
    assert extractor.description.strip().endswith(".")
    assert not extractor.title.endswith(".")
    assert all(spec.description.endswith((".", ":")) for spec in params(extractor))


PLANTED = """
from typing import Literal

from webquarry.endpoints.declare import Extractor, Params, Result, Source, Upload, field, hours, param
from webquarry.core.types import File, Politeness, Provider

class MadeParams(Params):
    key: str = param("A key.", example="a", max_length=3)

class Made(Result):
    key: str = field("As asked.")

async def fetch(params, net): ...
async def run(params, ctx): ...
def read(wire, params): ...
def render(result): ...

MADE = Provider("made", "Made", needs=("brave_key",))
{before}
given = dict(
    name="maps_made", path="/maps/made", version=1, group="made", title="Made", description="Made.", params=MadeParams,
    result=Made, credits=1, fresh=hours(1), render=render, example={{"key": "a"}}, sources=(Source(MADE, fetch, read),),
)
extractor = Extractor(**{{**given, **dict({changes})}})
"""
GROUPED = """
from webquarry.endpoints.declare import Group

GROUP = Group("Made", "Made.", ("maps",), 1)
"""
UPLOAD = "upload=Upload('Any.', {size}, 'a:b', File('a', b'four')), fresh=None"


def planted(changes: str = "", before: str = "") -> str:
    return PLANTED.format(changes=changes, before=before)


@pytest.fixture
def plant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Registry]]:
    """Loads families of files given by path. Their folders are packages except for `without`."""

    def load_planted(files: Mapping[str, str], without: str = "") -> Registry:
        for name, text in {"__init__.py": "", "made/__init__.py": GROUPED, **files}.items():
            (tmp_path / "planted" / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "planted" / name).write_text(text)
        if without:
            (tmp_path / "planted" / without).unlink()
        return collect("planted")

    monkeypatch.syspath_prepend(tmp_path)
    yield load_planted
    for name in [name for name in sys.modules if name.partition(".")[0] == "planted"]:
        del sys.modules[name]


def test_groups_are_found_by_walking_the_packages(plant: Callable[..., Registry]) -> None:
    other = planted("name='maps_deep', path='/maps/deep'")
    assert list(plant({"made/one.py": planted(), "made/deep/__init__.py": other}).by_name) == ["maps_deep", "maps_made"]


def test_package_without_a_group_is_named_in_the_error(plant: Callable[..., Registry]) -> None:
    with pytest.raises(DeclarationError, match=r"^planted/made/one\.py: its family made declares no GROUP "):
        plant({"made/__init__.py": "", "made/one.py": planted()})


@pytest.mark.parametrize("missing", ["made/__init__.py", "made/deep/__init__.py"])
def test_folder_that_is_not_a_package_is_named_in_the_error(plant: Callable[..., Registry], missing: str) -> None:
    with pytest.raises(DeclarationError, match=f"^planted/{missing} is missing, "):
        plant({"made/deep/__init__.py": "", "made/deep/one.py": planted()}, without=missing)


@pytest.mark.parametrize(
    ("changes", "before", "fault"),
    [
        ("group='maps2'", "", "its group is maps2, but its family is made"),
        ("path='/maps/Made', name='maps_Made'", "", "the path /maps/Made must consist of segments"),
        ("path='maps/made'", "", "the path maps/made must consist of segments"),
        ("path='/maps/made/'", "", "the path /maps/made/ must consist of segments"),
        ("path='/mapsmade', name='mapsmade'", "", "the path /mapsmade must start with /maps"),
        ("name='made'", "", "made: the name must be the path"),
        ("", "MADE = Provider('made', 'Made', needs=('brave_kee',))", "made needs the unknown setting brave_kee"),
        ("", "MADE = Provider('made', 'Made', uses=('brave_kee',))", "made needs the unknown setting brave_kee"),
        ("example={}", "", "its example is invalid: Parameter 'key' is required"),
        ("example={'key': 'four'}", "", "its example is invalid: .* at most 3 characters"),
        ("example={'key': 'a', 'kee': 'b'}", "", "its example is invalid: Unknown parameter 'kee'"),
        (
            "",
            "MadeParams = type('P', (Params,), {'format': 'a', '__annotations__': {'format': str}})",
            "name format is reserved",
        ),
        (UPLOAD.format(size=4), "", "must declare run, not sources"),
        (UPLOAD.format(size=3), "", "the example a is larger than 3 bytes"),
        ("sources=()", "", "declare either sources or run"),
        ("sources=(), run=fetch, upload=Upload('Any.', 4, 'a:b', File('a', b''))", "", "can't be cached"),
        ("sources=(), run=lambda params: None", "", r"it must accept the call run\(params, ctx\)"),
        ("render=lambda result, params: ''", "", r"it must accept the call render\(result\)"),
        ("", "def read(wire): ...", r"made: it must accept the call read\(wire, params\)"),
        ("", "read = lambda wire, params: None", "the reader of made must be a function of a module"),
        ("also={'of another': MadeParams}", "", "its results need a constant field that distinguishes them"),
        ("deadline_s=121", "", "the deadline must be at most 120 seconds"),
        (
            "further=Further('made', len, len)",
            "from webquarry.endpoints.declare import Further",
            "parts that depend on other parts need such parts",
        ),
        (
            "variants={'more': other}",
            "from webquarry.extractors.search.search import extractor as other",
            "a variant must have its endpoint's name, path, parameters and result",
        ),
    ],
)
def test_invalid_declaration_is_reported_in_one_sentence_with_its_file(
    plant: Callable[..., Registry], changes: str, before: str, fault: str
) -> None:
    with pytest.raises(DeclarationError, match=fault) as caught:
        plant({"made/one.py": planted(changes, before)})
    assert re.fullmatch(r"planted/made/one\.py: [^\n]+[^.]\.", str(caught.value))


@pytest.mark.parametrize(
    ("changes", "before", "fault"),
    [
        ("", "", "the name maps_made is already declared"),
        ("name='maps_two', path='/maps/two'", "MADE = Provider('made', 'Made')", "the source made is already declared"),
        (
            "name='maps_two', path='/maps/two'",
            "MADE = Provider('made', 'Made', Politeness(1.0), needs=('brave_key',))",
            "the source made is already declared",
        ),
        (
            "name='maps', path='/maps', result=MadeMade",
            "class MadeMade(Result):\n    key: str = field('As asked.')",
            "the schema MapsMadeMade is already declared",
        ),
        (
            "name='maps', path='/maps', result=MadeAnswer",
            "class MadeAnswer(Result):\n    key: str = field('As asked.')",
            "the schema MapsMadeAnswer is already declared",
        ),
    ],
)
def test_declarations_with_the_same_name_are_reported_with_both_files(
    plant: Callable[..., Registry], changes: str, before: str, fault: str
) -> None:
    with pytest.raises(DeclarationError, match=fault) as caught:
        plant({"made/one.py": planted(), "made/two.py": planted(changes, before)})
    assert {"planted/made/one.py", "planted/made/two.py"} == set(re.findall(r"planted/made/\w+\.py", str(caught.value)))


def test_value_that_is_not_an_extractor_is_reported(plant: Callable[..., Registry]) -> None:
    with pytest.raises(DeclarationError, match=r"^planted/made/one\.py: the value extractor must be an Extractor\.$"):
        plant({"made/one.py": planted() + "extractor = (extractor,)"})


# the interfaces


def test_openapi_has_exactly_these_operations(served: Any) -> None:
    fields = {(path, method) for path, item in served["paths"].items() for method in item if method != "parameters"}
    declared = {(API_PREFIX + e.path, e.method.lower()) for e in EXTRACTORS.values()}
    own = {(API_PREFIX + each.path, each.method.lower()) for each in OPERATIONS}
    assert fields == declared | own | {(f"{API_PREFIX}/conversions/{{id}}", "get")}


def test_openapi_matches_the_registry(served: Any, extractor: Extractor) -> None:
    operation = served["paths"][API_PREFIX + extractor.path][extractor.method.lower()]
    assert (operation["operationId"], operation["tags"]) == (extractor.name, [extractor.group])
    assert (operation["x-credits"], operation["x-fresh-seconds"]) == (extractor.credits, fresh_s(extractor))
    assert operation["x-deadline-seconds"] == extractor.deadline_s
    own, format_ = operation["parameters"][:-1], operation["parameters"][-1]
    assert format_ == {"$ref": "#/components/parameters/format"}
    told = [*own, served["components"]["parameters"]["format"]]
    assert [parameter["name"] for parameter in told] == [spec.name for spec in params(extractor)]
    for parameter, spec in zip(told, params(extractor), strict=True):
        schema = parameter["schema"]
        assert (parameter["required"], schema["type"]) == (spec.required, spec.type)
        for key, openapi_key in RULES.items():
            declared = getattr(spec, key)
            assert schema.get(openapi_key) == (list(declared) if key == "enum" and declared else declared)


def test_openapi_states_the_limit_of_a_key(served: Any) -> None:
    assert served["x-rate-limit"] == {"requests": 100_000, "window_s": 60, "per": "key"}


def test_the_command_line_lists_exactly_these_operations(listed: dict[str, Any]) -> None:
    assert list(listed) == list(EXTRACTORS)


def test_the_command_line_matches_the_registry(listed: dict[str, Any], extractor: Extractor) -> None:
    row = listed[extractor.name]
    assert (row["method"], row["path"]) == (extractor.method, API_PREFIX + extractor.path)
    assert (row["credits"], row["fresh_s"], row["group"]) == (extractor.credits, fresh_s(extractor), extractor.group)
    assert row["example"] == dict(extractor.example)
    assert row["providers"] == [provider.name for provider in extractor.all_providers]
    assert [found["name"] for found in row["params"]] == [spec.name for spec in params(extractor)]
    for found, spec in zip(row["params"], params(extractor), strict=True):
        assert (found["type"], found["required"], found["description"]) == (spec.type, spec.required, spec.description)
        for key in ("default", "min", "max", "max_length", "empty"):
            assert found.get(key) == getattr(spec, key)
        assert tuple(found.get("enum", ())) == (spec.enum or ())


def test_the_help_of_a_command_has_each_parameter_as_an_option(extractor: Extractor) -> None:
    text = CliRunner().invoke(main, ["get", extractor.name, "--help"], catch_exceptions=False).output
    for spec in params(extractor):
        assert f"--{spec.name} {spec.type.upper()}" in text
    assert f"{extractor.credits} credit" in text


def test_the_page_as_markdown_matches_the_registry(client: Client, extractor: Extractor) -> None:
    text = client.ask(f"/docs/api/{extractor.name}.md").text
    assert f"`{extractor.method} {API_PREFIX}{extractor.path}`: {price(extractor)}" in text
    assert f"{extractor.deadline_s:.0f} seconds" in text
    _, _, table = text.partition("\n## Parameters\n")
    for spec in specs(extractor.params):
        line = next(line for line in table.splitlines() if line.startswith(f"| `{spec.name}` |"))
        assert to_cell(spec.description) in line
        assert all(to_cell(fact) in line for fact in facts(spec))


def test_llms_txt_has_exactly_these_operations(client: Client) -> None:
    found = re.findall(r"^- (?:POST )?`(/[^`]+)` ", client.ask("/llms.txt").text, flags=re.MULTILINE)
    assert sorted(found) == sorted(extractor.path for extractor in EXTRACTORS.values())


def test_the_price_list_has_exactly_these_operations(client: Client) -> None:
    tree = LexborHTMLParser(client.ask("/docs").text)
    rows = [[cell.text() for cell in row.css("td")] for row in tree.css("tr") if row.css_first("a[href^='/docs/']")]
    fields = {row[0]: (row[1], row[2].split(" credit")[0]) for row in rows if row[0].startswith("/")}
    assert {path: found for path, found in fields.items() if not path.startswith(API_PREFIX)} == {
        e.path: (e.title, price(e).split(" credit")[0]) for e in EXTRACTORS.values()
    }


def test_the_reference_page_matches_the_registry(client: Client, extractor: Extractor) -> None:
    tree = LexborHTMLParser(client.ask(f"/docs/api/{extractor.name}").text)
    rows = {row.css("code")[0].text(): row.text() for row in tree.css("li[id^='param-']")}
    file = ["file"] if extractor.upload else []
    assert list(rows) == [*file, *(spec.name for spec in list_specs(extractor)), FORMAT.name]
    for spec in params(extractor):
        assert all(fact in rows[spec.name] for fact in facts(spec))
    head = " ".join(tree.css_first("main").text(separator=" ").split())  # type: ignore[union-attr]
    assert f"{extractor.method} {API_PREFIX}{extractor.path}" in head
    assert price(extractor) in head


def test_the_reference_page_has_every_field_of_data(client: Client, extractor: Extractor) -> None:
    tree = LexborHTMLParser(client.ask(f"/docs/api/{extractor.name}").text)
    found = [row.css("code")[0].text() for row in tree.css("li[id^='field-']")]
    for result in extractor.results.values():
        assert {name for name, field in result.model_fields.items() if not field.exclude} <= set(found)


# the contract


@needs_contract
def test_an_endpoint_matches_the_contract(agreed: dict[str, Any], extractor: Extractor) -> None:
    rows = {row["path"]: row for row in agreed["endpoints"]}
    row = rows.get(API_PREFIX + extractor.path)
    if row is None:
        pytest.skip("the contract does not have this endpoint")
    assert (row["method"], row["credits"]) == (extractor.method, extractor.credits)
    assert (extractor.upload is None) == ("multipart" not in row)
    if extractor.fresh is None:
        assert "fresh_s" not in row
    else:
        low, high = row["fresh_s"] if isinstance(row["fresh_s"], list) else (row["fresh_s"], row["fresh_s"])
        assert low <= extractor.fresh.total_seconds() <= high
    assert [list(group) for group in extractor.params.one_of] == ([row["one_of"]] if "one_of" in row else [])
    declared = {spec.name: spec for spec in specs(extractor.params)}
    if not row.get("open"):
        assert set(declared) == set(row["params"])
    for name, rule in row["params"].items():
        spec = declared[name]
        assert (spec.type, spec.required) == (rule["type"], rule.get("required", False))
        for key in ("default", "min", "max", "max_length"):
            assert getattr(spec, key) == rule.get(key, getattr(spec, key) if key == "max_length" else None)
        assert set(spec.enum or ()) == set(rule.get("enum", ()))
        assert (spec.empty is not None) == ("empty" in rule)


@needs_contract
def test_no_endpoint_of_the_contract_is_missing(agreed: dict[str, Any]) -> None:
    assert {row["path"] for row in agreed["endpoints"]} <= {API_PREFIX + extractor.path for extractor in load()}


@needs_contract
def test_the_contract_holds_on_the_running_service(sandbox: Sandbox) -> None:
    command = [sys.executable, str(CONTRACT / "check.py"), "--base", sandbox.url, "--key", sandbox.key]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    *findings, summary = done.stdout.splitlines()
    assert findings == []
    assert re.fullmatch(r"\d{3,} of \d{3,} checks hold", summary)
