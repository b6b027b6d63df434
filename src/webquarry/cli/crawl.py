"""`webquarry crawl`: the pages of a site, each as a markdown file."""

from pathlib import Path
from typing import Any

import click
import orjson

from webquarry.cli.catalogue import read_crawl_fields
from webquarry.cli.job import list_access_options, list_output_options, take_access
from webquarry.cli.jobs.operations import CRAWL
from webquarry.cli.jobs.running import Order, Output, make_body, run_job
from webquarry.cli.subcommands import make_field_option


def _crawl(urls: tuple[str, ...], out: Path, retry: bool, as_json: bool, **options: Any) -> None:
    access = take_access(options)
    starts = {"url": urls[0]} if len(urls) == 1 else {"urls": list(urls)}
    body = orjson.dumps({**starts, **make_body(read_crawl_fields(), options)})
    query = [("format", "markdown")]
    output = Output(out, True, as_json, query, lambda given: str(given.get("url", "")), retry)
    run_job(access, Order(CRAWL, body, "application/json"), output)


crawl = click.Command(
    "crawl",
    callback=_crawl,
    params=[
        click.Argument(["urls"], nargs=-1, required=True, metavar="URL [URL]..."),
        *list_output_options(),
        *map(make_field_option, read_crawl_fields()),
        *list_access_options(),
    ],
    help="Read the pages of a site, and write each as a markdown file.\n\nThe crawl begins at each URL, and follows "
    "links and sitemaps, and respects robots.txt. To continue a crawl that was interrupted, run the same command "
    "again. Without --server, the crawl runs in this process and is free.",
)
