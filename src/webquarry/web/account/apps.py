"""Pages on which a user sees connected apps, their access and their spending, and disconnects them."""

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from webquarry.accounts import Visitor
from webquarry.core.errors import NotFound
from webquarry.ledger import Ledger
from webquarry.logs.audit import act_as_owner
from webquarry.oauth import Grants
from webquarry.web.gate import Gate, go_to
from webquarry.web.session import Fields

APPS = "/account/apps"


class AppPages:
    """Routes of `/account/apps`."""

    def __init__(self, gate: Gate, grants: Grants, ledger: Ledger) -> None:
        self._gate = gate
        self._grants = grants
        self._ledger = ledger

    def routes(self) -> Sequence[BaseRoute]:
        gate = self._gate
        return (
            Route(APPS, gate.page(self.show), methods=["GET"]),
            Route(f"{APPS}/{{id}}/revoke", gate.page(self.show_revoke), methods=["GET"]),
            Route(f"{APPS}/{{id}}/revoke", gate.form(self.revoke, fresh=True), methods=["POST"]),
        )

    async def show(self, request: Request, visitor: Visitor) -> Response:
        return await self._gate.show(
            request,
            "account/apps.html",
            section="apps",
            apps=await self._grants.list_grants(visitor.account_id),
            spent=await self._ledger.spending(visitor.account_id),
        )

    async def show_revoke(self, request: Request, visitor: Visitor) -> Response:
        """Show the page that asks whether to disconnect an app, for browsers without scripts."""
        apps = await self._grants.list_grants(visitor.account_id)
        app = next((app for app in apps if app.id == request.path_params["id"]), None)
        if app is None:
            raise NotFound("App not found.")
        heading = "Disconnect this app?"
        return await self._gate.show(
            request, "account/change.html", section="apps", change="disconnect", heading=heading, subject=app
        )

    async def revoke(self, request: Request, visitor: Visitor, _fields: Fields) -> Response:
        by = act_as_owner(visitor.account_id)
        await self._grants.revoke_grant(visitor.account_id, request.path_params["id"], by=by)
        return go_to(APPS)
