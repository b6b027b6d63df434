"""Pages of the audit log: all events for administrators, and an account's events for its owner."""

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from webquarry.accounts import Directory, Visitor
from webquarry.api.addresses import show_network
from webquarry.core.errors import InvalidParams, NotFound
from webquarry.logs.audit import ACTIONS, AuditLog, Entry, Filter
from webquarry.logs.audit.log import PAGE
from webquarry.logs.audit.records import NEWEST
from webquarry.web.gate import Gate

AUDIT = "/admin/audit"
EVENTS = "/account/security/events"
FILTER = ("account", "actor", "action", "owners")


class EventPages:
    """Routes of `/admin/audit` and `/account/security/events`."""

    def __init__(self, gate: Gate, audit: AuditLog, directory: Directory) -> None:
        self._gate = gate
        self._audit = audit
        self._directory = directory

    def routes(self) -> Sequence[BaseRoute]:
        return (
            Route(AUDIT, self._gate.page(self.show_all, admin=True), methods=["GET"]),
            Route(EVENTS, self._gate.page(self.show_own), methods=["GET"]),
        )

    async def show_all(self, request: Request, _visitor: Visitor) -> Response:
        """Show actions of administrators and the command line; with `owners`, also actions of account owners."""
        given = {name: text for name in FILTER if (text := request.query_params.get(name, "").strip())}
        before, fault = read_place(request.query_params.get("before", "")), ""
        try:
            entries = await self._audit.list_all(await self._read_filter(given), before=before, batch=PAGE + 1)
        except InvalidParams as error:
            entries, fault = [], error.message
        return await self._gate.show(
            request,
            "admin/audit.html",
            status=400 if fault else 200,
            entries=entries[:PAGE],
            describe=describe,
            actions=ACTIONS,
            values={**dict.fromkeys(FILTER, ""), **given},
            fault=fault,
            newer=link(AUDIT, given) if before != NEWEST else "",
            older=link(AUDIT, {**given, "before": str(entries[PAGE - 1].seq)}) if len(entries) > PAGE else "",
        )

    async def show_own(self, request: Request, visitor: Visitor) -> Response:
        """Show the account's security events, and who caused them."""
        before = read_place(request.query_params.get("before", ""))
        entries = await self._audit.list_of_account(visitor.account_id, before=before, batch=PAGE + 1)
        return await self._gate.show(
            request,
            "account/events.html",
            entries=entries[:PAGE],
            describe=describe,
            actions=ACTIONS,
            newer=EVENTS if before != NEWEST else "",
            older=link(EVENTS, {"before": str(entries[PAGE - 1].seq)}) if len(entries) > PAGE else "",
        )

    async def _read_filter(self, given: Mapping[str, str]) -> Filter:
        """Return the filter of a form. Raises InvalidParams for an unknown account or action."""
        action = given.get("action", "")
        if action and action not in ACTIONS:
            raise InvalidParams("Unknown action. Choose one from the list.")
        return Filter(
            action=action,
            account_id=await self._find(given.get("account", "")),
            actor_id=await self._find(given.get("actor", "")),
            owners="owners" in given,
        )

    async def _find(self, text: str) -> str:
        """Return an account's id for its address. An id, even of a deleted account, is returned unchanged."""
        if not text or text.startswith("ac_"):
            return text
        try:
            return (await self._directory.find(text)).id
        except NotFound as exc:
            raise InvalidParams(f"No account matches {text}. Enter an email address or an account ID.") from exc


def read_place(text: str) -> int:
    """Parse the position before which a page begins. Return the newest position if the text is not a position."""
    is_place = text.isascii() and text.isdigit() and len(text) < len(str(NEWEST))
    return int(text) if is_place else NEWEST


def link(path: str, query: Mapping[str, str]) -> str:
    return f"{path}?{urlencode(query)}" if query else path


def describe(entry: Entry) -> str:
    """Return the details of an event as one line, such as `name: batch, key: key_1f…`."""
    shown = {name: show_network(str(value)) if name == "network" else value for name, value in _details(entry)}
    return ", ".join(f"{name.replace('_', ' ')}: {value}" for name, value in shown.items() if value != "")


def _details(entry: Entry) -> list[tuple[str, str | int | bool]]:
    return sorted(entry.event.details.items())
