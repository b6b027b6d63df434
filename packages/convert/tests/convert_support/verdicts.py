"""Verdicts on the evaluation pages of the sample folder."""

import lzma
from collections.abc import Iterator
from typing import Any, NamedTuple

import orjson

from convert_support.kit import KIT
from webquarry_convert.verdict import BlockPage, Shell, find_block_page, find_shell, measure_page

PAGES = KIT / "evals/web/data"


class Verdicts(NamedTuple):
    """Verdicts on one page. rendered_wall: the verdict on the page as a browser rendered it."""

    block_page: BlockPage | None
    shell: Shell | None
    rendered_wall: BlockPage | None


def judged_pages() -> dict[str, Verdicts]:
    """Return the verdicts by page id."""
    return {record["id"]: _judged(record) for record in _records()}


def _judged(record: dict[str, Any]) -> Verdicts:
    page = measure_page(record["html"])
    url = record["url"] or "https://example.com/"
    return Verdicts(find_block_page(page, url=url), find_shell(page), find_block_page(page, url=url, rendered=True))


def _records() -> Iterator[dict[str, Any]]:
    for path in sorted(PAGES.glob("*.xz")):
        with lzma.open(path) as lines:
            yield from map(orjson.loads, lines)
