"""The data of a page, or of a provider's response with the same data: components, and objects at any depth."""

from collections import deque
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, Final, NamedTuple

from webquarry.read import take
from webquarry.read.fields import to_line
from webquarry.read.losses import read_rows

MAX_NODES: Final = 50_000
"""Maximum number of objects and lists that are searched for a node."""
MAX_OUTER: Final = 1_000
"""Maximum number of objects and lists that are searched for a node near the top."""


class Component(NamedTuple):
    """A part of a page.

    node: the provider's object with the part's names and settings. data: the provider's object with its content, or {}
    if scripts fill the part later.
    """

    node: dict[str, Any]
    data: dict[str, Any]

    def is_named(self, name: str) -> bool:
        return name in (self.node.get("component_name"), self.node.get("component_type"))


class ShopData:
    """The data of a page. root: the parsed JSON, or None if the page has no data."""

    def __init__(self, root: Any) -> None:
        self.root = root

    def nodes(self, is_wanted: Callable[[dict[str, Any]], bool], most: int = MAX_NODES) -> Iterator[dict[str, Any]]:
        """Yield objects at any depth, outer ones first. See `list_nodes`."""
        return list_nodes(self.root, is_wanted, most)

    @cached_property
    def config(self) -> dict[str, Any]:
        """The provider's configuration of the page's components, which may also be the top-level data."""
        config = self._route.get("page_config")
        if isinstance(config, dict):
            return config
        return next(self.nodes(lambda node: bool(node.get("components_map")), MAX_OUTER), {})

    @cached_property
    def components(self) -> list[Component]:
        listed = self.config.get("components_map")
        rows = list(listed.values()) if isinstance(listed, dict) else listed if isinstance(listed, list) else []
        return read_rows(rows, _read_component, "components_map[]")

    @property
    def region(self) -> str | None:
        """The region of the visitor, as the shop reports it. The region determines the prices."""
        region = take(self._route, "region_info.real_region", to_line)
        return region.upper() if region else None

    @cached_property
    def _route(self) -> dict[str, Any]:
        """The first object with a `page_config` that has components. It also contains the region."""

        def is_route(node: dict[str, Any]) -> bool:
            config = node.get("page_config")
            return isinstance(config, dict) and bool(config.get("components_map"))

        return next(self.nodes(is_route, MAX_OUTER), {})


def list_nodes(
    root: Any, is_wanted: Callable[[dict[str, Any]], bool], most: int = MAX_NODES
) -> Iterator[dict[str, Any]]:
    """Yield objects at any depth, outer ones first.

    Routes and providers nest the same parts differently, so nodes are found by searching.
    """
    level: deque[Any] = deque([root])
    for _ in range(most):
        if not level:
            return
        node = level.popleft()
        if isinstance(node, dict):
            if is_wanted(node):
                yield node
            level.extend(value for value in node.values() if isinstance(value, dict | list))
        elif isinstance(node, list):
            level.extend(value for value in node if isinstance(value, dict | list))


def _read_component(row: Any) -> Component | None:
    if not isinstance(row, dict) or not row:
        return None
    data = row.get("component_data")
    return Component(row, data if isinstance(data, dict) else {})
