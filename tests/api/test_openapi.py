"""The OpenAPI document: valid, complete, and in agreement with the running service."""

import copy
import subprocess
import sys
from pathlib import Path
from typing import Any, Literal

import jsonschema_rs
import pytest
import yaml
from schemathesis.specs.openapi.definitions import OPENAPI_31_VALIDATOR

from support.client import Client
from support.made import Board, MadeResult
from support.sandbox import Sandbox
from webquarry.api.free_operations import OPERATIONS
from webquarry.api.openapi import document
from webquarry.core.errors import ANSWERED, REASONS
from webquarry.endpoints.declare import Params, Result, exactly_one, field, param
from webquarry.endpoints.registry import Registry, load

EXTRACTORS = {extractor.name for extractor in load()}
STREAMS = tuple(operation.name for operation in OPERATIONS if operation.result is None)
OWN = ("conversions", *(operation.name for operation in OPERATIONS))
"""Operations that are not endpoints of the registry."""

OPTIONAL = {"SearchOrganic": {"conversion_id", "excerpts"}}
"""Fields that a response lacks unless a parameter asks for them."""

BODIES = ("CrawlFresh", "CrawlRequest", "Fresh", "JobHead", "JobRequest", "WebhookRequest")
"""Schemas of the bodies that clients send."""

BOUNDS = {400, 401, 405, 414, 431, 500}
"""Possible statuses of every request, whatever its path."""


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


def test_every_reference_in_it_resolves(served: Any) -> None:
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


def operations(item: Any) -> list[Any]:
    """Return the operations of a path, without the parameters that they share."""
    return [operation for method, operation in item.items() if method != "parameters"]


def parameters(document: Any, operation: Any) -> list[Any]:
    """Return the parameters of an operation with references resolved."""
    shared = document["components"]["parameters"]
    return [shared[each["$ref"].rpartition("/")[2]] if "$ref" in each else each for each in operation["parameters"]]


def success(operation: Any) -> Any:
    """Return the response to a request that succeeded."""
    return next(response for status, response in operation["responses"].items() if status.startswith("2"))


def test_its_version_matches_the_contract(served: Any) -> None:
    assert served["info"]["version"] == "1.0.0"


def test_its_server_url_is_the_public_url(served: Any, sandbox: Sandbox) -> None:
    assert served["servers"] == [{"url": sandbox.url}]


def test_both_forms_of_the_key_are_declared(served: Any) -> None:
    schemes = served["components"]["securitySchemes"]
    assert served["security"] == [{name: []} for name in schemes]
    assert {(s["type"], s.get("scheme"), s.get("name")) for s in schemes.values()} == {
        ("http", "bearer", None),
        ("apiKey", None, "x-api-key"),
    }


def test_every_operation_documents_every_error_it_can_have(served: Any) -> None:
    for path, item in served["paths"].items():
        for operation in operations(item):
            fields = {int(status) for status in operation["responses"]}
            assert fields >= BOUNDS | {404, 429}, path
            assert fields & {200, 201, 202}, path
            if operation["operationId"] in EXTRACTORS:
                assert fields >= {402, 422, 503}


def test_every_code_and_reason_is_documented_with_its_status(served: Any) -> None:
    for error in ANSWERED:
        response = served["components"]["responses"][str(error.status)]
        assert f"`{error.code}`" in response["description"]
        reasons = response["headers"].get("X-Error-Reason", {}).get("schema", {}).get("enum", [])
        assert set(REASONS.get(error.code, ())) <= set(reasons)


def test_every_operation_has_an_example_for_what_it_requires(served: Any) -> None:
    for item in served["paths"].values():
        for operation in operations(item):
            for parameter in parameters(served, operation):
                assert parameter["description"]
                if parameter["required"] and parameter["in"] == "query":
                    assert parameter["example"]


def test_every_field_of_data_has_a_description(served: Any) -> None:
    for name, schema in served["components"]["schemas"].items():
        for member, text in schema.get("properties", {}).items():
            described = text.get("description") or "$ref" in text or "const" in text
            assert described, f"{name}.{member}"


class OneOfParams(Params):
    one_of = exactly_one("page_id", "slug", "url")
    page_id: str | None = param("By id.", default=None, pattern=r"^\d+$", rule="must be digits")
    slug: str | None = param("By name.", default=None)
    url: str | None = param("By address.", default=None)
    geo: str = param("Where.", default="US", empty="worldwide")
    size: int = param("How many.", default=3, min_value=1, max_value=10)
    kind: Literal["a", "b"] | None = param("Which.", default=None)


def test_exactly_one_of_is_documented_in_prose_and_for_programs() -> None:
    operation = made(params=OneOfParams)["paths"]["/api/v1/made"]["get"]
    assert operation["x-exactly-one-of"] == [["page_id", "slug", "url"]]
    assert "Exactly one of `page_id`, `slug` and `url` is required." in operation["description"]


def test_the_rules_of_a_parameter_are_its_schema() -> None:
    found = made(params=OneOfParams)
    operation = found["paths"]["/api/v1/made"]["get"]
    schemas = {parameter["name"]: parameter["schema"] for parameter in parameters(found, operation)}
    assert schemas == {
        "page_id": {"type": "string", "pattern": r"^\d+$", "minLength": 1},
        "slug": {"type": "string", "minLength": 1},
        "url": {"type": "string", "minLength": 1},
        "geo": {"type": "string", "default": "US"},
        "size": {"type": "integer", "default": 3, "minimum": 1, "maximum": 10},
        "kind": {"type": "string", "enum": ["a", "b"]},
        "format": {"type": "string", "enum": ["json", "markdown", "both"], "default": "both"},
    }


def test_endpoints_that_share_a_result_have_separate_responses() -> None:
    board = Board()
    registry = Registry((board.extractor("one"), board.extractor("two")))
    schemas = document(registry, base_url="", rate_limit=60)["components"]["schemas"]
    for name in ("One", "Two"):
        answer = schemas[f"{name}Answer"]["allOf"][1]["properties"]
        assert answer["extractor"] == {"type": "string", "const": name.lower()}
        assert answer["data"] == {"$ref": f"#/components/schemas/{name}{MadeResult.__name__}"}


def test_schema_names_only_depend_on_endpoint_and_class() -> None:
    def another() -> type[Result]:
        class MadeResult(Result):
            other: int = field("Something else.")

        return MadeResult

    board = Board()
    one, two = board.extractor("one"), board.extractor("two", result=another())
    for registry in (Registry((one, two)), Registry((two, one)), Registry((one,))):
        schemas = document(registry, base_url="", rate_limit=60)["components"]["schemas"]
        targets = {name: list(schema["properties"]) for name, schema in schemas.items() if "MadeResult" in name}
        assert targets.items() <= {"OneMadeResult": ["key"], "TwoMadeResult": ["other"]}.items()


def test_two_classes_of_one_name_in_one_result_are_refused() -> None:
    def another() -> type[Result]:
        class MadeResult(Result):
            other: int = field("Something else.")

        return MadeResult

    class Both(Result):
        first: MadeResult = field("One.")
        second: another() = field("Another.")  # type: ignore[valid-type]  # made here

    with pytest.raises(ValueError, match="the schema MadeMadeResult is already declared"):
        made(result=Both)


def test_results_of_one_endpoint_are_distinguished_by_a_constant() -> None:
    class First(Result):
        object: Literal["first"] = field("What it is.", default="first")

    class Second(Result):
        object: Literal["second"] = field("What it is.", default="second")

    answer = made(result=First, also={"of another": Second})["components"]["schemas"]["MadeAnswer"]
    data = answer["allOf"][1]["properties"]["data"]
    mapping = {"first": "#/components/schemas/MadeFirst", "second": "#/components/schemas/MadeSecond"}
    assert data["discriminator"] == {"propertyName": "object", "mapping": mapping}
    with pytest.raises(ValueError, match="need a constant field"):
        made(result=First, also={"of another": MadeResult})


def test_a_stored_conversion_has_the_response_of_any_endpoint(served: Any) -> None:
    found = served["components"]["schemas"]["Conversion"]
    assert found["discriminator"]["mapping"].keys() == {extractor.name for extractor in load()}


def test_every_error_has_one_body(served: Any) -> None:
    bodies = [text["content"]["application/json"]["schema"] for text in served["components"]["responses"].values()]
    assert bodies == [{"$ref": "#/components/schemas/ErrorAnswer"}] * len(bodies)


def test_every_group_has_a_description(served: Any) -> None:
    assert all(tag["description"] for tag in served["tags"])
    used = {tag for item in served["paths"].values() for operation in operations(item) for tag in operation["tags"]}
    assert {tag["name"] for tag in served["tags"]} == used
    assert served["info"]["license"]["identifier"] == "Apache-2.0"


def test_every_operation_has_an_example_response_that_matches_its_schema(served: Any) -> None:
    for path, item in served["paths"].items():
        for operation in operations(item):
            if operation["operationId"] not in EXTRACTORS:
                continue
            text = operation["responses"]["200"]["content"]["application/json"]
            schema = {**text["schema"], "components": served["components"]}
            try:
                jsonschema_rs.Draft202012Validator(schema, validate_formats=True).validate(text["example"])
            except jsonschema_rs.ValidationError as error:
                pytest.fail(f"{path}: {error}")


def test_every_example_of_a_parameter_is_a_value_of_its_type(served: Any) -> None:
    for item in served["paths"].values():
        for operation in operations(item):
            for parameter in parameters(served, operation):
                if "example" in parameter:
                    jsonschema_rs.validate(parameter["schema"], parameter["example"])


@pytest.mark.parametrize(
    "amount",
    [
        pytest.param(("--phases=examples,fuzzing", "--max-examples=2"), id="few"),
        pytest.param(("--max-examples=30",), id="many", marks=pytest.mark.long),
    ],
)
def test_generated_requests_get_only_documented_responses(
    sandbox: Sandbox, tmp_path: Path, amount: tuple[str, ...]
) -> None:
    """All checks except one are run, see docs/decisions/0002-exactly-one-of-in-openapi.md."""
    (tmp_path / "schemathesis.toml").write_text(
        "[checks]\nnegative_data_rejection.expected-statuses = [400, 401, 404, 413, 414, 415, 422]\n"
    )
    command = [
        str(Path(sys.executable).with_name("schemathesis")),
        "--no-color",
        "run",
        f"{sandbox.url}/openapi.json",
        f"--header=Authorization: Bearer {sandbox.key}",
        "--checks=all",
        "--exclude-checks=positive_data_acceptance",
        *amount,
        "--generation-deterministic",
        "--continue-on-failure",
        "--warnings=off",
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"Tested: {len(OWN) + len(EXTRACTORS)}" in done.stdout


def test_clients_name_classes_by_the_schema_and_find_every_field_of_data_in_it(served: Any) -> None:
    schemas = served["components"]["schemas"]
    envelopes = {
        "Conversion",
        "Envelope",
        "ErrorAnswer",
        *BODIES,
        *(name for name in schemas if "allOf" in schemas[name]),
    }
    for name, schema in schemas.items():
        assert "title" not in schema, name
        assert not any("title" in text or "default" in text for text in schema.get("properties", {}).values()), name
        if name not in envelopes and "properties" in schema:
            assert set(schema["properties"]) - set(schema["required"]) == OPTIONAL.get(name, set()), name


def test_a_response_has_one_media_type_by_which_clients_type_their_result(served: Any) -> None:
    for item in served["paths"].values():
        for operation in operations(item):
            [media] = success(operation)["content"]
            assert media == "application/json" or operation["operationId"] in STREAMS


def test_the_document_without_examples_differs_in_nothing_else(client: Client, served: Any) -> None:
    whole, smaller = copy.deepcopy(served), client.ask("/openapi.json?examples=false").json
    assert smaller != whole
    for item in whole["paths"].values():
        for operation in operations(item):
            for content in success(operation)["content"].values():
                content.pop("example", None)
    assert smaller == whole
    assert yaml.safe_load(client.ask("/openapi.yaml?examples=false").body) == whole


def test_format_has_its_default_in_one_of_the_two_possible_places(served: Any) -> None:
    operation = served["paths"]["/api/v1/markdown/file"]["post"]
    form = operation["requestBody"]["content"]["multipart/form-data"]["schema"]["properties"]["format"]
    (query,) = (each["schema"] for each in parameters(served, operation) if each["name"] == "format")
    for schema in (form, query):
        assert schema["enum"] == ["json", "markdown", "both"]
    assert "default" not in form
    assert query["default"] == "both"


def test_parameters_of_the_interface_are_declared_once_and_taken_by_every_path(served: Any) -> None:
    declared = served["components"]["parameters"]
    assert list(declared) == ["format", "query", "max_tokens", "fields", "chunks", "pages", "footer"]
    for extractor in load():
        path = served["paths"][f"/api/v1{extractor.path}"]
        form, *others = ({"$ref": f"#/components/parameters/{name}"} for name in declared)
        assert [each for each in path["parameters"] if "$ref" in each] == others
        assert path[extractor.method.lower()]["parameters"][-1] == form


def test_headers_of_responses_are_declared_once(served: Any) -> None:
    declared = served["components"]["headers"]
    for item in served["paths"].values():
        for operation in operations(item):
            headers = success(operation)["headers"]
            assert headers == {name: {"$ref": f"#/components/headers/{name}"} for name in headers}
            assert headers.keys() <= declared.keys()


def test_fields_that_all_responses_share_are_declared_once(served: Any) -> None:
    schemas = served["components"]["schemas"]
    for extractor in load():
        name = served["paths"][f"/api/v1{extractor.path}"][extractor.method.lower()]["responses"]["200"]["content"]
        answer = schemas[name["application/json"]["schema"]["$ref"].rpartition("/")[2]]
        shared, own = answer["allOf"]
        assert shared == {"$ref": "#/components/schemas/Envelope"}
        assert list(own["properties"]) == ["extractor", "data"]


def test_a_response_with_an_unknown_field_breaks_its_schema(served: Any) -> None:
    text = served["paths"]["/api/v1/search"]["get"]["responses"]["200"]["content"]["application/json"]
    validator = jsonschema_rs.Draft202012Validator({**text["schema"], "components": served["components"]})
    assert validator.is_valid(text["example"])
    assert not validator.is_valid({**text["example"], "another": 1})


def test_the_document_is_small(client: Client) -> None:
    """The document with examples is only larger by the examples."""
    assert len(client.ask("/openapi.json?examples=false").body) < 500_000


def test_readers_paths_in_responses_of_providers_are_not_published(served: Any) -> None:
    for schema in served["components"]["schemas"].values():
        assert not any("x-wire" in member for member in schema.get("properties", {}).values())
