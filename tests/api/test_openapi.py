"""The OpenAPI document: valid, complete, and what the running service does."""

import subprocess
import sys
from pathlib import Path
from typing import Any, Literal

import jsonschema_rs
import pytest
from schemathesis.specs.openapi.definitions import OPENAPI_31_VALIDATOR

from support.client import Client
from support.made import Board, MadeResult
from support.sandbox import Sandbox
from webquarry.api.openapi import document
from webquarry.declare import Params, Result, exactly_one, field, param
from webquarry.errors import ANSWERED, REASONS
from webquarry.registry import Registry, load

BOUNDS = {400, 401, 405, 414, 431, 500}
"""What every request may be answered, whatever its path."""


def made(*, name: str = "made", **changes: Any) -> Any:
    registry = Registry((Board().extractor(name, **changes),))
    return document(registry, base_url="https://webquarry.example", rate_limit=60)


@pytest.fixture(scope="module")
def served(client: Client) -> Any:
    return client.ask("/openapi.json").json


def test_the_document_is_valid_openapi(served: Any) -> None:
    OPENAPI_31_VALIDATOR.validate(served)


def test_every_schema_in_it_is_valid(served: Any) -> None:
    for schema in served["components"]["schemas"].values():
        jsonschema_rs.meta.validate({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema})


def test_every_reference_in_it_leads_somewhere(served: Any) -> None:
    def walk(value: Any) -> None:
        if isinstance(value, dict):
            if isinstance(target := value.get("$ref"), str):
                found = served
                for part in target.removeprefix("#/").split("/"):
                    found = found[part]
            for member in value.values():
                walk(member)
        elif isinstance(value, list):
            for member in value:
                walk(member)

    walk(served)


def test_its_version_is_that_of_the_contract(served: Any) -> None:
    assert served["info"]["version"] == "1.0.0"


def test_its_address_is_the_public_one(served: Any, sandbox: Sandbox) -> None:
    assert served["servers"] == [{"url": sandbox.url}]


def test_both_forms_of_the_key_are_declared(served: Any) -> None:
    schemes = served["components"]["securitySchemes"]
    assert served["security"] == [{name: []} for name in schemes]
    assert {(s["type"], s.get("scheme"), s.get("name")) for s in schemes.values()} == {
        ("http", "bearer", None),
        ("apiKey", None, "x-api-key"),
    }


def test_every_operation_tells_every_error_it_can_have(served: Any) -> None:
    for path, item in served["paths"].items():
        for operation in item.values():
            told = {int(status) for status in operation["responses"]}
            assert told >= BOUNDS | {200, 404, 429}, path
            if path != "/api/v1/conversions/{id}":
                assert told >= {402, 422, 503}


def test_every_code_and_reason_stands_with_its_status(served: Any) -> None:
    for error in ANSWERED:
        response = served["components"]["responses"][str(error.status)]
        assert f"`{error.code}`" in response["description"]
        reasons = response["headers"].get("X-Error-Reason", {}).get("schema", {}).get("enum", [])
        assert set(REASONS.get(error.code, ())) <= set(reasons)


def test_every_operation_has_an_example_for_what_it_requires(served: Any) -> None:
    for item in served["paths"].values():
        for operation in item.values():
            for parameter in operation["parameters"]:
                assert parameter["description"]
                if parameter["required"] and parameter["in"] == "query":
                    assert parameter["example"]


def test_every_field_of_data_says_what_it_means(served: Any) -> None:
    for name, schema in served["components"]["schemas"].items():
        for member, said in schema.get("properties", {}).items():
            described = said.get("description") or "$ref" in said or "const" in said
            assert described, f"{name}.{member}"


class OneOfParams(Params):
    one_of = exactly_one("page_id", "slug", "url")
    page_id: str | None = param("By id.", default=None, pattern=r"^\d+$", rule="must be digits")
    slug: str | None = param("By name.", default=None)
    url: str | None = param("By address.", default=None)
    geo: str = param("Where.", default="US", empty="worldwide")
    size: int = param("How many.", default=3, min_value=1, max_value=10)
    kind: Literal["a", "b"] | None = param("Which.", default=None)


def test_exactly_one_of_is_told_in_prose_and_for_programs() -> None:
    operation = made(params=OneOfParams)["paths"]["/api/v1/made"]["get"]
    assert operation["x-exactly-one-of"] == [["page_id", "slug", "url"]]
    assert "Exactly one of `page_id`, `slug` and `url` is to be given." in operation["description"]


def test_the_rules_of_a_parameter_are_its_schema() -> None:
    operation = made(params=OneOfParams)["paths"]["/api/v1/made"]["get"]
    schemas = {parameter["name"]: parameter["schema"] for parameter in operation["parameters"]}
    assert schemas == {
        "page_id": {"type": "string", "pattern": r"^\d+$", "minLength": 1},
        "slug": {"type": "string", "minLength": 1},
        "url": {"type": "string", "minLength": 1},
        "geo": {"type": "string", "default": "US"},
        "size": {"type": "integer", "default": 3, "minimum": 1, "maximum": 10},
        "kind": {"type": "string", "enum": ["a", "b"]},
        "format": {"type": "string", "enum": ["json", "markdown", "both"], "default": "both"},
    }


def test_endpoints_that_share_a_result_each_have_their_answer() -> None:
    board = Board()
    registry = Registry((board.extractor("one"), board.extractor("two")))
    schemas = document(registry, base_url="", rate_limit=60)["components"]["schemas"]
    assert schemas["OneAnswer"]["properties"]["extractor"] == {"const": "one"}
    assert schemas["TwoAnswer"]["properties"]["extractor"] == {"const": "two"}
    assert schemas["OneAnswer"]["properties"]["data"] == {"$ref": f"#/components/schemas/{MadeResult.__name__}"}


def test_results_of_one_name_are_told_apart() -> None:
    def another() -> type[Result]:
        class MadeResult(Result):
            other: int = field("Something else.")

        return MadeResult

    board = Board()
    registry = Registry((board.extractor("one"), board.extractor("two", result=another())))
    schemas = document(registry, base_url="", rate_limit=60)["components"]["schemas"]
    targets = [schemas[name]["properties"]["data"]["$ref"].rpartition("/")[2] for name in ("OneAnswer", "TwoAnswer")]
    assert [list(schemas[target]["properties"]) for target in targets] == [["key"], ["other"]]


def test_generated_calls_find_nothing_that_the_document_does_not_say(sandbox: Sandbox, tmp_path: Path) -> None:
    """Every check but one, see docs/decisions/0002-exactly-one-of-in-openapi.md."""
    command = [
        str(Path(sys.executable).with_name("schemathesis")),
        "--no-color",
        "run",
        f"{sandbox.url}/openapi.json",
        f"--header=Authorization: Bearer {sandbox.key}",
        "--checks=all",
        "--exclude-checks=positive_data_acceptance",
        "--max-examples=30",
        "--generation-deterministic",
        "--continue-on-failure",
        "--warnings=off",
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"Tested: {len(load()) + 1}" in done.stdout
