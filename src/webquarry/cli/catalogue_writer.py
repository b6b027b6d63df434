"""Generation of `catalogue.json` from the declarations."""

import json
from typing import Any

from webquarry.endpoints.declare import Extractor
from webquarry.endpoints.params import FORMAT, ParamSpec, specs
from webquarry.endpoints.portion import PORTION
from webquarry.endpoints.registry import API_PREFIX, Registry
from webquarry.endpoints.variants import list_specs
from webquarry.endpoints.wording import choices, default, freshness, price


def write_catalogue(registry: Registry) -> str:
    """Return the text of `catalogue.json`, one line for each field.

    The file contains the parameters that all endpoints take, and the endpoints by group.
    """
    rows = [
        _row(extractor, registry.describe_group(group).title)
        for group, members in registry.groups.items()
        for extractor in members
    ]
    common = [_parameter_row(spec) for spec in (FORMAT, *PORTION)]
    return json.dumps({"common_parameters": common, "endpoints": rows}, ensure_ascii=False, indent=1) + "\n"


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


def _bounds(spec: ParamSpec) -> str:
    """Return a parameter's bounds, such as `1 to 100`, or "" if it has none."""
    if spec.min is None:
        return "" if spec.max is None else f"up to {spec.max}"
    return f"{spec.min} or more" if spec.max is None else f"{spec.min} to {spec.max}"


def find_subjects(extractor: Extractor) -> tuple[str, ...]:
    """Return the parameters that a positional argument can set.

    These are the parameters of the first exactly-one-of group or, without such a group, the first parameter. Required
    parameters come first.
    """
    if extractor.params.one_of:
        return extractor.params.one_of[0]
    return tuple(spec.name for spec in sorted(specs(extractor.params), key=lambda spec: not spec.required))[:1]
