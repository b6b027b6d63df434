"""The server that `webquarry serve` starts, and its parts."""

import asyncio
import shlex
import signal
import socket
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import click
import uvloop

from webquarry.accounts.emails import make_sign_in_link
from webquarry.api.addresses import Addresses
from webquarry.api.connections import Connections
from webquarry.api.server import BACKLOG, server
from webquarry.app import assemble
from webquarry.cli.common import read_settings
from webquarry.core import log
from webquarry.core.background import run_background, try_round
from webquarry.core.errors import InvalidParams
from webquarry.core.metrics import Metrics
from webquarry.core.process.descriptors import occupy_standard_streams, raise_file_limit
from webquarry.core.process.interpreter import keep_what_comes, put_the_loop_first
from webquarry.core.settings import Settings, SettingsError
from webquarry.core.tracing import open_tracer, trace_requests
from webquarry.endpoints.snippets import curl
from webquarry.engine import MEGABYTE
from webquarry.net.outbound import Outbound
from webquarry.net.player import Player
from webquarry.net.tape import Exchange, read_exchanges
from webquarry.service import Service
from webquarry.workers import confine

FIRST_ACCOUNT = "owner@localhost.localdomain"
WARM_AFTER_S = 1.0
"""Seconds from the start of serving until child processes for files start, so that they don't delay the start."""
WARM_REST_AFTER_S = 5.0
"""Seconds after `WARM_AFTER_S` until everything else is warmed up. By then, the child processes have started."""


def start(*, sandbox: bool, tapes: Path | None, **options: Any) -> None:
    """Serve until a signal arrives, with settings from the environment and the options.

    Raises SettingsError if a setting is invalid, or if this process can't confine its children.
    """
    settings = prepare(sandbox=sandbox, **options)
    uvloop.run(run(settings, sandbox=sandbox, tapes=tapes))


def prepare(*, sandbox: bool = False, **options: Any) -> Settings:
    """Prepare this process for serving, and return the settings. Raises what `start` raises."""
    occupy_standard_streams()
    if weakness := confine.explain_weakness():
        raise SettingsError(
            f"{weakness} Run webquarry as another user: `docker run --user 1000:1000 …`, User= in its systemd unit, or "
            "`sudo -u`."
        )
    settings = read_settings(sandbox=sandbox, **options)
    if settings.log_file is not None:
        log.set_up(settings.log_level, open_log(settings.log_file, settings), settings.log_format)
    confine.hide()
    return settings


def open_log(path: Path, settings: Settings) -> log.LogFile:
    """Open the server's log file. Raises SettingsError if it cannot be written."""
    try:
        return log.LogFile(path, max_bytes=settings.log_file_mb * MEGABYTE, kept=settings.log_files)
    except OSError as exc:
        raise SettingsError(f"WEBQUARRY_LOG_FILE: {path} can't be written: {exc.strerror}.") from exc


async def run(settings: Settings, *, sandbox: bool = False, tapes: Path | None = None, only_jobs: bool = False) -> None:
    """Serve until a signal arrives. Running requests get a moment to finish and are then refunded.

    tapes: folder of recorded exchanges to use instead of the network. only_jobs: work on jobs, and serve only health
    and metrics.
    """
    transport = None if tapes is None else Player(read_tapes(tapes))
    descriptors = raise_file_limit()
    with open_tracer(settings) as tracer, _listen(settings.host, settings.port) as listener:
        host, port = listener.getsockname()[:2]
        is_guessed = "base_url" not in settings.model_fields_set
        if is_guessed:
            settings = settings.model_copy(update={"base_url": f"http://{find_reachable_host(host)}:{port}"})
        async with assemble(settings, sandbox=sandbox, serving=True, transport=transport) as service:
            connections = Connections.within(descriptors, Addresses(settings.trusted_proxies))
            show_connections(connections, service.metrics)
            app = service.worker_asgi() if only_jobs else service.asgi()
            app = app if tracer is None else trace_requests(app, tracer)
            serving = server(app, host=host, port=port, drain=service.pipeline.close, connections=connections)

            def end(*_: object) -> None:
                serving.should_exit = True

            # These handlers apply before uvicorn's, because a signal right after the greeting must count. They also
            # apply after uvicorn's: when it has stopped, uvicorn raises the signal again, and everything must be closed
            # before that.
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, end)
            with put_the_loop_first():
                # clients that connect right after the greeting must wait instead of being refused
                listener.listen(BACKLOG)
                if only_jobs:
                    click.echo(f"Working on jobs. Health and metrics are at {settings.base_url}/readyz and /metrics.")
                else:
                    is_unknown = is_guessed and _listens_on_all(host)
                    await greet(service, from_tapes=tapes is not None, guesses_address=is_unknown)
                async with run_background(_warm(service, has_pages=not only_jobs)):
                    await serving.serve(sockets=[listener])


async def _warm(service: Service, *, has_pages: bool = True) -> None:
    """Load, in steps, everything that the first callers would otherwise wait for."""
    await asyncio.sleep(WARM_AFTER_S)
    service.workers.warm()
    if not has_pages:
        return
    await asyncio.sleep(WARM_REST_AFTER_S)
    with keep_what_comes():
        await try_round("warm", service.warm())


def show_connections(connections: Connections, metrics: Metrics) -> None:
    metrics.levels(
        "connections",
        "Open connections: silent (waiting for the client) and busy (waiting for a response).",
        ("state",),
        lambda: {("silent",): connections.silent, ("busy",): connections.held - connections.silent},
    )
    metrics.tally(
        "connections_gone",
        "Silent connections closed to make room (displaced), and connections rejected for lack of room (refused).",
        "how",
        lambda: {"displaced": connections.displaced, "refused": connections.refused},
    )


def read_tapes(folder: Path) -> list[Exchange]:
    """Return the exchanges in a folder. Raises SettingsError if an exchange is incomplete."""
    try:
        return read_exchanges(folder)
    except ValueError as exc:
        raise SettingsError(f"--tapes: {exc}") from exc


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # TCP explicitly, not 0: event loops disable Nagle's delay (40 ms per response) only if they see TCP
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as exc:
        listener.close()
        raise SettingsError(f"Can't listen on {host}:{port}: {exc.strerror}. Choose another port with --port.") from exc
    return listener


def find_reachable_host(host: str) -> str:
    """Return the host for the URL at which this machine reaches a server that listens on `host`."""
    if _listens_on_all(host):
        host = "::1" if ":" in host else "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def _listens_on_all(host: str) -> bool:
    return ip_address(host).is_unspecified


async def greet(service: Service, *, from_tapes: bool, guesses_address: bool = False) -> None:
    """Print the service's address and, at the first start, a key and a link to sign in.

    `guesses_address` also prints how to set the address, because other machines, and a container's host, use another
    address.
    """
    settings = service.settings
    click.echo(f"Webquarry listens on {settings.base_url}")
    if guesses_address:
        click.echo("If you open it at another address, or publish another port of a container, set WEBQUARRY_BASE_URL.")
    click.echo(f"Docs: {settings.base_url}/docs. Data directory: {settings.data_dir.absolute()}")
    if service.sandbox:
        click.echo("Sandbox mode: responses are sample data and nothing is fetched.")
    if from_tapes:
        click.echo("Recorded responses: nothing is fetched.")
    if settings.log_file is not None:
        click.echo(f"Log file: {settings.log_file.absolute()}")
    if not service.sandbox and (outbound := Outbound.of(settings)) is not None:
        click.echo(_describe_way_out(outbound))
    for target in settings.egress_allow:
        click.echo(f"Warning: {target} is not public, but the service may connect to it (WEBQUARRY_EGRESS_ALLOW).")
    if service.proxies.remark is not None:
        click.echo(f"Warning: {service.proxies.remark}")
    if await service.accounts.exist():
        return
    credits = max(settings.first_account_credits, settings.new_account_credits)
    try:
        account, key = await service.accounts.create(FIRST_ACCOUNT, credits, is_admin=True)
    except InvalidParams:  # another server that started on this store was first
        return
    click.echo(
        f"\nFirst account {account.email} with {account.balance} credits. Its API key, shown only once:\n\n  {key}\n"
    )
    link = make_sign_in_link(settings.base_url, await service.people.make_sign_in_code(account.email))
    click.echo(
        f"This account administers the service. To sign in, set its password within 24 hours with this link:\n\n  "
        f"{link}\n"
    )
    click.echo(f"Try it:\n\n  {curl(service.registry.by_name['markdown_url'], settings.base_url, key)}\n")
    click.echo(f"More credits: webquarry credits grant {account.email} 1000{_name_store(service)}")
    click.echo(f"A new link: webquarry account sign-in-link {account.email}{_name_store(service)}")


def _name_store(service: Service) -> str:
    """Return the options that other commands need to find this service's store."""
    folder = service.settings.data_dir.absolute()
    if service.sandbox:
        return f" --sandbox --data-dir {shlex.quote(str(folder.parent))}"
    return "" if service.settings.database_url else f" --data-dir {shlex.quote(str(folder))}"


def _describe_way_out(outbound: Outbound) -> str:
    host = f"[{outbound.host}]" if ":" in outbound.host else outbound.host
    names = (
        ", which resolves host names." if outbound.resolves_names else "; host names are resolved and checked locally."
    )
    return f"All requests are sent through {outbound.scheme}://{host}:{outbound.port}{names}"
