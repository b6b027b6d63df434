"""`webquarry endpoints`: the list of them, for people, for programs and as the table of the documents."""

from collections.abc import Mapping
from typing import Any

import click

from webquarry.cli.common import json_option, print_json, read_settings, tell_errors
from webquarry.core.settings import PREFIX, Settings
from webquarry.core.types import Grade, Provider, best_grade
from webquarry.endpoints.chain import missing_settings, remedy
from webquarry.endpoints.declare import Extractor
from webquarry.endpoints.params import FORMAT, ParamSpec, specs
from webquarry.endpoints.registry import API_PREFIX, GROUPS, Registry, load
from webquarry.endpoints.wording import freshness, price

_CONTRACT_KEYS = ("type", "required", "default", "enum", "min", "max", "max_length", "empty")

_TABLE_HEAD = """# Endpoints

Made by `webquarry endpoints --markdown`; a test holds it to the registry. Sources are asked in order until one answers;
one that needs a setting is left out without it. Often walled: asked without a key, but many addresses of data centres
are refused. Unproven: its reader was written after descriptions, since no whole recorded answer was at hand. A source
with none of these notes is open. As a browser: asked with a plain browser's headers (`WEBQUARRY_BROWSER_HEADERS`).
"""
_NOTED: Mapping[Grade, str] = {"often_walled": "often walled", "unproven": "unproven"}
_COLUMNS = "| Operation | Gives | Price | Kept | Sources |\n| --- | --- | --- | --- | --- |\n"


@click.command()
@json_option
@click.option("--markdown", "as_markdown", is_flag=True, help="As the table of docs/endpoints.md.")
@tell_errors
def endpoints(as_json: bool, as_markdown: bool) -> None:
    """List the endpoints with prices, freshness, parameters and sources."""
    if as_markdown:
        click.echo(write_table(load()), nl=False)
        return
    rows = list_endpoints(load(), read_settings())
    if as_json:
        print_json(rows)
        return
    for row in rows:
        note = "" if row["available"] else f"  ({row['remedy']})"
        click.echo(f"{row['name']:32} {row['credits']} credit{'' if row['credits'] == 1 else 's'}  {row['path']}{note}")


def list_endpoints(registry: Registry, settings: Settings) -> list[dict[str, Any]]:
    """The registry as `endpoints --json` prints it (DESIGN section 9)."""
    return [_row(extractor, settings) for extractor in registry]


def write_table(registry: Registry) -> str:
    """The endpoints by group as markdown: price, freshness, and the sources in the order in which they are asked."""
    parts = [_TABLE_HEAD]
    for group, about in GROUPS.items():
        rows = [_table_row(extractor) for extractor in registry if extractor.group == group]
        if rows:
            parts.append(f"## {group}\n\n{about.about}\n\n{_COLUMNS}{''.join(rows)}")
    return "\n".join(parts)


def _table_row(extractor: Extractor) -> str:
    sources = ", ".join(_describe_source(provider) for provider in extractor.all_providers) or "none"
    cells = (
        f"`{extractor.method} {API_PREFIX}{extractor.path}`",
        extractor.title,
        price(extractor),
        freshness(extractor).removeprefix("answers are ").removeprefix("cached for "),
        sources,
    )
    return f"| {' | '.join(cells)} |\n"


def _describe_source(provider: Provider) -> str:
    needs = " and ".join(f"`{PREFIX}{name.upper()}`" for name in provider.needs)
    notes = (
        f"needs {needs}" if needs else "",
        _NOTED.get(provider.grade, ""),
        "as a browser" if provider.browser_headers else "",
    )
    notice = "; ".join(filter(None, notes))
    return f"`{provider.name}`{f' ({notice})' if notice else ''}"


def _row(extractor: Extractor, settings: Settings) -> dict[str, Any]:
    providers = extractor.all_providers
    todo = remedy(providers, settings)
    return {
        "name": extractor.name,
        "method": extractor.method,
        "path": API_PREFIX + extractor.path,
        "params": [_param_row(spec) for spec in (*specs(extractor.params), FORMAT)],
        "credits": extractor.credits,
        "fresh_s": None if extractor.fresh is None else int(extractor.fresh.total_seconds()),
        "group": extractor.group,
        "providers": [provider.name for provider in providers],
        "grade": best_grade(providers),
        "grades": {provider.name: provider.grade for provider in providers},
        "unproven": [provider.name for provider in providers if provider.unproven],
        "browser_headers": {p.name: dict(p.browser_headers) for p in providers if p.browser_headers},
        "unconfigured": {p.name: missing for p in providers if (missing := list(missing_settings(p, settings)))},
        "available": todo is None,
        "remedy": todo,
        "example": dict(extractor.example),
    }


def _param_row(spec: ParamSpec) -> dict[str, Any]:
    row = {key: getattr(spec, key) for key in _CONTRACT_KEYS}
    return {
        "name": spec.name,
        "description": spec.description,
        **{key: value for key, value in row.items() if value is not None},
    }
