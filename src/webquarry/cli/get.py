"""`webquarry get`: sends requests to an endpoint, which this process or a server answers."""

import sys
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import click

from webquarry.cli.asking import Failure, exit_with
from webquarry.cli.catalogue import Entry, read_common_parameters
from webquarry.cli.choices import Choices, check_choices, choose_directory, list_server_options
from webquarry.cli.exit_codes import INTERRUPTED, MEANINGS
from webquarry.cli.questions import list_questions
from webquarry.cli.subcommands import Endpoints, make_option, write_help


def _make_options(entry: Entry) -> list[click.Parameter]:
    special = (
        click.Option(["--file"], metavar="FILE", help=entry.upload)
        if entry.upload
        else click.Option(["--fresh"], is_flag=True, help="Don't use a cached response.")
    )
    return [
        special,
        click.Option(["--json", "as_json"], is_flag=True, help="Print the response as JSON, and errors too."),
        click.Option(["--raw"], is_flag=True, help="Print only the markdown, unchanged."),
        click.Option(
            ["-o", "--output"],
            metavar="FILE|DIR",
            help="Write the response to this file. If there are several responses or the name ends in /, write them to "
            "a directory.",
        ),
        click.Option(["--force"], is_flag=True, help="Replace existing files in the directory."),
        click.Option(
            ["-j", "--jobs"],
            type=click.IntRange(1, 32),
            metavar="N",
            default=4,
            show_default=True,
            help="Maximum number of requests sent at the same time.",
        ),
        *list_server_options("Send the request to this Webquarry server.", sandbox="sample data and separate accounts"),
    ]


def _make_get(entry: Entry) -> click.Command:
    def run(subjects: tuple[str, ...] = (), **options: Any) -> None:
        from webquarry.cli.answering import answer_all, answer_one  # the help does not need these modules

        shared = {each.name: options.pop(each.name) for each in fields(Choices) if each.name in options}
        choices = check_choices(Choices(**shared))
        try:
            query = [(name, value) for name, value in options.items() if value is not None]
            if choices.raw:
                _refuse_with_raw(options)
                query.append(("format", "markdown"))
            questions = list_questions(entry, query, subjects, file=choices.file, fresh=choices.fresh)
            directory = choose_directory(choices, len(questions))
            if directory is None:
                answer_one(questions[0], choices)
            else:
                answer_all(questions, directory, choices)
        except Failure as failure:
            exit_with(failure, as_json=choices.as_json)
        except KeyboardInterrupt:
            sys.exit(INTERRUPTED)

    subject = "FILE" if entry.upload else (entry.subjects[0].upper() if entry.subjects else "")
    params: list[click.Parameter] = [
        *([click.Argument(["subjects"], nargs=-1, metavar=f"[{subject}]...")] if subject else []),
        *map(make_option, (*entry.parameters, *read_common_parameters())),
        *_make_options(entry),
    ]
    return click.Command(entry.name, callback=run, params=params, help=write_help(entry), short_help=entry.title)


def _refuse_with_raw(options: Mapping[str, Any]) -> None:
    """Raise UsageError for an option whose result does not appear in the markdown."""
    for name in ("format", "fields", "chunks"):
        if options.get(name) is not None:
            raise click.UsageError(f"--raw prints the markdown. Use it without --{name}.")


get = Endpoints(
    _make_get,
    name="get",
    help="Send a request to an endpoint, with or without a server.\n\nWithout --server, the request is sent from this "
    "machine. It is free and has no rate limit. With --server, a running Webquarry server answers and charges the "
    "account of the key.",
    epilog="\b\n" + "\n".join(["Exit codes:", *(f"  {code.value}  {meaning}" for code, meaning in MEANINGS.items())]),
)
