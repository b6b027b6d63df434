"""Generation of `catalogue.json` from the declarations."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from webquarry.endpoints.declare import Extractor
from webquarry.endpoints.params import FORMAT, ParamSpec, specs
from webquarry.endpoints.portion import PORTION
from webquarry.endpoints.registry import API_PREFIX, Registry
from webquarry.endpoints.variants import list_specs
from webquarry.endpoints.wording import choices, default, freshness, price
from webquarry.jobs.crawl_request import CrawlRequest
from webquarry.jobs.inputs import JobHead


def write_catalogue(registry: Registry) -> str:
    """Return the text of `catalogue.json`, one line for each field.

    It has the parameters that all endpoints take, the fields of requests for jobs and crawls, and a list of the
    endpoints by group.
    """
    rows = [
        _row(extractor, registry.describe_group(group).title)
        for group, members in registry.groups.items()
        for extractor in members
    ]
    common = [_parameter_row(spec) for spec in (FORMAT, *PORTION)]
    catalogue = {
        "common_parameters": common,
        "job_fields": _list_fields(JobHead, without=("operation", "shared")),
        "crawl_fields": _list_fields(CrawlRequest, without=("url", "urls")),
        "endpoints": rows,
    }
    return json.dumps(catalogue, ensure_ascii=False, indent=1) + "\n"


def _row(extractor: Extractor, section: str) -> dict[str, Any]:
    costs = f"Over HTTP: {price(extractor)}; {freshness(extractor)}."
    row: dict[str, Any] = {
        "name": extractor.name,
        "path": API_PREFIX + extractor.path,
        "title": extractor.title,
        "section": section,
        "notes": [note for note in (extractor.description.strip(), choices(extractor), costs) if note],
        "parameters": [_parameter_row(spec) for spec in list_specs(extractor)],
        "subjects": list(find_subjects(extractor)),
        "providers": [provider.name for provider in extractor.all_providers],
        "deadline_s": extractor.deadline_s,
    }
    if extractor.upload is not None:
        row |= {"upload": extractor.upload.describe(), "upload_max_bytes": extractor.upload.max_bytes}
    return row


def _parameter_row(spec: ParamSpec) -> dict[str, Any]:
    row: dict[str, Any] = {"name": spec.name, "type": spec.type, "description": spec.description}
    if spec.required:
        row["required"] = True
    if rules := "; ".join(filter(None, (_bounds(spec), "" if spec.default is None else default(spec)))):
        row["rules"] = rules
    if spec.enum:
        row["choices"] = list(spec.enum)
    return row


def _list_fields(model: type[BaseModel], without: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Return the fields of a request's body. The fields of an object are listed in place of the object."""
    rows: list[dict[str, Any]] = []
    for name, field in model.model_fields.items():
        kind = field.annotation
        if name in without:
            continue
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            rows += ({**row, "within": name} for row in _list_fields(kind))
        else:
            rows.append(_field_row(name, field.description or "", model.model_json_schema()["properties"][name]))
    return rows


def _field_row(name: str, description: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    schema = {**schema, **next((each for each in schema.get("anyOf", ()) if each["type"] != "null"), {})}
    row: dict[str, Any] = {"name": name, "type": schema["type"], "description": description}
    low, high, given = schema.get("minimum"), schema.get("maximum"), schema.get("default")
    rules = [_write_bounds(low, high), f"default {given}" if given and schema["type"] != "array" else ""]
    if any(rules):
        row["rules"] = "; ".join(filter(None, rules))
    if "enum" in schema:
        row["choices"] = list(schema["enum"])
    return row


def _bounds(spec: ParamSpec) -> str:
    """Return a parameter's bounds, such as `1 to 100`, or "" if it has none."""
    return _write_bounds(spec.min, spec.max)


def _write_bounds(low: float | None, high: float | None) -> str:
    if low is None:
        return "" if high is None else f"up to {high}"
    return f"{low} or more" if high is None else f"{low} to {high}"


def find_subjects(extractor: Extractor) -> tuple[str, ...]:
    """Return the parameters that a positional argument can set.

    These are the parameters of the first exactly-one-of group or, without such a group, the first parameter. Required
    parameters come first.
    """
    if extractor.params.one_of:
        return extractor.params.one_of[0]
    return tuple(spec.name for spec in sorted(specs(extractor.params), key=lambda spec: not spec.required))[:1]
