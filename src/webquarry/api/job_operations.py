"""Declarations of the endpoints below `/api/v1/jobs` and of the endpoint that starts crawls."""

from collections.abc import Mapping
from typing import Final

from webquarry.api.operations import Operation
from webquarry.jobs.crawl_request import CrawlRequest
from webquarry.jobs.inputs import JobRequest
from webquarry.jobs.statements import (
    ACTIONS,
    Action,
    ItemsParams,
    ItemsStatement,
    JobsParams,
    JobsStatement,
    JobStatement,
    ResultsParams,
    StartedJob,
)

PATH: Final = "/jobs"
CRAWL_PATH: Final = "/crawl"


START = Operation(
    "jobs_start",
    "POST",
    PATH,
    "Start a job",
    "Runs an endpoint for many inputs. All inputs are checked first; if one is invalid, no item runs, and the "
    "message lists up to 20 errors. Each item costs as much as a single request. Cached items are free. A body of "
    "JSON lines (`application/x-ndjson`) can have up to 100,000 inputs: its first line is this object without "
    "`inputs`, and each further line is an input.",
    "jobs",
    result=StartedJob,
    status=202,
    body=JobRequest,
    takes_lines=True,
    takes_key=True,
)
CRAWL = Operation(
    "crawl",
    "POST",
    CRAWL_PATH,
    "Crawl a site",
    "Starts a job that reads the pages of a site with `markdown_url`, and follows their links and the site's sitemaps. "
    "robots.txt is respected. Each page costs as much as a single request, and cached ones are free.",
    "jobs",
    result=StartedJob,
    status=202,
    body=CrawlRequest,
    takes_key=True,
)
LIST = Operation(
    "jobs", "GET", PATH, "List jobs", "Your jobs, newest first.", "jobs", params=JobsParams, result=JobsStatement
)
FIND = Operation(
    "jobs_get",
    "GET",
    f"{PATH}/{{job_id}}",
    "Get a job",
    "A job's state and counts, without results.",
    "jobs",
    result=JobStatement,
)
ITEMS = Operation(
    "jobs_items",
    "GET",
    f"{PATH}/{{job_id}}/items",
    "List a job's items",
    "A job's items by number, with their state and error, but without results.",
    "jobs",
    params=ItemsParams,
    result=ItemsStatement,
)
RESULTS = Operation(
    "jobs_results",
    "GET",
    f"{PATH}/{{job_id}}/results.ndjson",
    "Get a job's results",
    "A line for each ended item, in the order of their endings. `result` is the same as in the response to a single "
    "request. Read on from the last line with `after`. Parameters that shorten a response apply to each result.",
    "jobs",
    params=ResultsParams,
    media="application/x-ndjson",
    takes_portion=True,
)
ARCHIVE = Operation(
    "jobs_archive",
    "GET",
    f"{PATH}/{{job_id}}/results.zip",
    "Get a job's results as an archive",
    "A zip file with a markdown and a JSON file for each item, and `items.ndjson`, which lists all ended items.",
    "jobs",
    media="application/zip",
)
PROGRESS = Operation(
    "jobs_events",
    "GET",
    f"{PATH}/{{job_id}}/events",
    "Follow a job",
    "Server-sent events: `job` with the state and counts when they change, at most once a second, and finally `end`.",
    "jobs",
    media="text/event-stream",
)
ACTS: Mapping[Action, Operation] = {
    action: Operation(
        f"jobs_{action}", "POST", f"{PATH}/{{job_id}}/{action}", title, description, "jobs", result=JobStatement
    )
    for action, (title, description) in ACTIONS.items()
}
OPERATIONS: tuple[Operation, ...] = (START, CRAWL, LIST, FIND, ITEMS, RESULTS, ARCHIVE, PROGRESS, *ACTS.values())
