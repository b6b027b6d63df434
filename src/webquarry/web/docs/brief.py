"""One-line descriptions of endpoints, for readers with a limited number of tokens."""

from collections.abc import Iterator, Sequence

from webquarry.api.fields import FieldRow, list_result_fields
from webquarry.endpoints.declare import Extractor
from webquarry.endpoints.params import ParamSpec, specs
from webquarry.endpoints.variants import list_specs

_ASIDE = frozenset(
    {"provider", "degraded", "warnings", "source", "source_url", "fetched_at", "query", "raw", "object", "count"}
    | {"pages_fetched", "statusCode", "status", "asked_region", "database", "category", "property", "scale"}
)
"""Fields that describe the result or the query instead of the requested data."""
_CURSOR = "cursor"
"""Parameter that takes the cursor of the next page. Without this parameter, a result's cursor is useless."""
_BY_NAME = "by name"


def list_parameters(extractor: Extractor) -> str:
    """Return a list such as `q*, gl, num 1-20`. A star marks required parameters, a bar alternatives."""
    groups = {name: "|".join(group) for group in extractor.params.one_of for name in group}
    names = [
        f"({groups[spec.name]})*" if spec.name in groups else f"{spec.name}{'*' if spec.required else _bound(spec)}"
        for spec in list_specs(extractor)
    ]
    return ", ".join(dict.fromkeys(["file*", *names] if extractor.upload else names))


def list_main_fields(extractor: Extractor, room: int) -> str:
    """Return the names of as many fields of `data` as fit into `room` characters, in order.

    Lists and objects are followed by the names of their fields, one level deep, if those names also fit.
    """
    rows = list_result_fields(extractor.result)
    asked = {spec.name for spec in specs(extractor.params)}
    aside = _ASIDE | asked if _CURSOR in asked else _ASIDE | asked | {f"next_{_CURSOR}"}
    tops = [row for row in rows if "." not in row.path and (row.path not in aside or _BY_NAME in row.kind)]
    tops.sort(key=lambda row: "object" not in row.kind)
    names: list[str] = []
    for row in tops:
        whole = _tell(row, rows)
        for text in (whole, _mark(row)):
            if len(", ".join([*names, text])) <= room:
                names.append(text)
                break
    return ", ".join(names)


def _bound(spec: ParamSpec) -> str:
    return f" {spec.min}-{spec.max}" if spec.min is not None and spec.max is not None else ""


def _tell(row: FieldRow, rows: Sequence[FieldRow]) -> str:
    inner = list(_inner(row, rows))
    return f"{_mark(row)}{{{' '.join(inner)}}}" if inner else _mark(row)


def _inner(row: FieldRow, rows: Sequence[FieldRow]) -> Iterator[str]:
    path = f"{_mark(row)}."
    for each in rows:
        name = each.path.removeprefix(path)
        if name != each.path and "." not in name:
            yield name


def _mark(row: FieldRow) -> str:
    if _BY_NAME in row.kind:
        return f"{row.path}.<name>"
    return f"{row.path}[]" if row.kind.startswith("list") else row.path
