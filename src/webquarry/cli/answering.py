"""The requests of `webquarry get`: send them, and show or write the responses."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import NoReturn

import click

from webquarry.cli.asking import Asker, Question, Reply
from webquarry.cli.batch import Batch, choose_text, list_errands
from webquarry.cli.choices import Choices
from webquarry.cli.exit_codes import INTERRUPTED
from webquarry.cli.remote import RemoteServer
from webquarry.cli.result_files import name_converted, name_results
from webquarry.cli.screen import Screen, is_terminal
from webquarry.cli.server import read_key
from webquarry.cli.spinner import spin
from webquarry.core.progress import Progress, watch_progress


def answer_one(question: Question, choices: Choices) -> None:
    """Send the request, and show or write the reply. Raises Failure."""

    async def ask() -> Reply:
        async with _open_asker(choices) as asker:
            return await asker.ask(question)

    with spin(partial(describe_running, question, watch_progress())):
        reply = asyncio.run(ask())
    if choices.output is not None:
        _write(Path(choices.output), choose_text(reply, raw=choices.raw))
    elif is_terminal(sys.stdout):
        _show(reply, choices)
    else:
        text = choose_text(reply, raw=choices.raw)
        click.echo(text, nl=not text.endswith(b"\n"))


def describe_running(question: Question, progress: Progress) -> str:
    """Return what the spinner shows: the endpoint, its progress if it reports any, and the subject."""
    return " ".join(filter(None, (question.entry.name, str(progress), question.subject)))


def answer_all(questions: Sequence[Question], directory: Path, choices: Choices) -> NoReturn:
    """Write the replies to files in the directory, print a summary, and exit."""
    subjects = [question.subject or question.entry.name for question in questions]
    name = name_converted if questions[0].entry.upload else name_results
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.ClickException(f"Cannot create {directory}: {error.strerror}.") from error
    errands = list_errands(questions, (directory / each for each in name(subjects, choices.ending)))
    batch = Batch(errands, choices.jobs, choices.raw, choices.force, choices.as_json)

    async def run() -> None:
        async with _open_asker(choices) as asker:
            await batch.run(asker)

    code: int = INTERRUPTED
    try:
        with spin(batch.describe_progress):
            asyncio.run(run())
        code = batch.exit
    except KeyboardInterrupt:
        pass
    finally:
        if not choices.as_json:
            click.echo(f"{directory}: {batch.summary()}", err=True)
    sys.exit(code)


@asynccontextmanager
async def _open_asker(choices: Choices) -> AsyncIterator[Asker]:
    """Yield the remote server or the service in this process. Raises Failure and ClickException."""
    if choices.server is not None:
        yield RemoteServer(choices.server, read_key(choices.key, os.environ))
        return
    from webquarry.cli.common import read_settings  # importing the service takes a second
    from webquarry.cli.local import open_local
    from webquarry.core.settings import SettingsError
    from webquarry.storage import StorageError

    try:
        settings = read_settings(sandbox=choices.sandbox, quiet=True, data_dir=choices.data_dir)
        async with open_local(settings, sandbox=choices.sandbox) as local:
            yield local
    except (SettingsError, StorageError) as error:
        raise click.ClickException(str(error)) from error


def _show(reply: Reply, choices: Choices) -> None:
    """Show a reply, and its price if a server charged for it."""
    screen = Screen()
    if choices.raw:
        screen.show_text(choose_text(reply, raw=True).decode())
    elif choices.as_json:
        screen.show_json(reply.body)
    else:
        screen.show_body(reply.body)
    if choices.server is not None:
        cached = ", cached" if reply.cache == "hit" else ""
        click.echo(f"{reply.credits} credit{'' if reply.credits == 1 else 's'} charged{cached}.", err=True)


def _write(path: Path, text: bytes) -> None:
    try:
        path.write_bytes(text)
    except OSError as error:
        raise click.ClickException(f"Cannot write {path}: {error.strerror}.") from error
