"""`webquarry audit`: actions of administrators and account owners."""

from typing import TYPE_CHECKING, Any

import click

from webquarry.cli.console import Console, on_store
from webquarry.logs.audit import ACTIONS, Entry, Filter

if TYPE_CHECKING:
    from webquarry.cli.books import Books


@click.command()
@click.option("--account", "email", metavar="EMAIL", help="Show only events of this account.")
@click.option("--action", type=click.Choice(sorted(ACTIONS)), help="Show only events of this type.")
@click.option("--owners", is_flag=True, help="Include changes by owners to their own accounts.")
@click.option(
    "--limit", type=click.IntRange(1, 10_000), default=50, show_default=True, help="Number of events to print."
)
@on_store
def audit(console: Console, email: str | None, action: str | None, owners: bool, limit: int) -> None:
    """List audit log events, newest first."""

    async def find(books: "Books") -> list[Entry]:
        account_id = "" if email is None else (await books.directory.find(email)).id
        return await books.audit.list_all(Filter(action or "", account_id, owners=owners), batch=limit)

    entries = console.run(find)
    console.tell([_row(entry) for entry in entries], *map(_line, entries))


def _row(entry: Entry) -> dict[str, Any]:
    event = entry.event
    return {
        "at": event.at,
        "action": event.action,
        "account": event.account_id,
        "email": entry.account_email,
        "done_by": event.actor.role,
        "actor": event.actor.account_id,
        "actor_email": entry.actor_email,
        "details": dict(event.details),
    }


def _line(entry: Entry) -> str:
    event = entry.event
    account = entry.account_email or f"{event.account_id} (deleted)"
    actor = entry.actor_email or event.actor.account_id or "command line"
    details = ", ".join(f"{name}: {value}" for name, value in sorted(event.details.items()))
    return f"{event.at:%Y-%m-%d %H:%M:%S}Z  {event.action:<20}  {account}  by {actor}  {details}".rstrip()
