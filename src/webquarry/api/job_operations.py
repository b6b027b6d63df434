"""The endpoints below `/api/v1/jobs`, and the one that starts crawls, as documented."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from webquarry.endpoints.declare import Params, Result
from webquarry.jobs.crawl_request import CrawlRequest
from webquarry.jobs.inputs import JobHead, JobRequest
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


class NoParams(Params):
    """Parameters of an endpoint without a query."""


@dataclass(frozen=True, slots=True)
class JobOperation:
    """One endpoint, as documented. `result` is None for a stream, whose media type is `media`.

    `takes_portion` means that it has the parameters of a response's portion and `format`.
    """

    name: str
    method: Literal["GET", "POST"]
    path: str
    title: str
    description: str
    params: type[Params] = NoParams
    result: type[Result] | None = None
    media: str = "application/json"
    status: int = 200
    body: type[JobHead | CrawlRequest] | None = None
    takes_portion: bool = False


START = JobOperation(
    "jobs_start",
    "POST",
    PATH,
    "Start a job",
    "Runs an endpoint for many inputs. All inputs are checked first; if one is invalid, nothing begins, and the "
    "message lists up to 20 faults. Each item costs as much as a single request, and cached ones are free. A body of "
    "JSON lines (`application/x-ndjson`) can have up to 100,000 inputs: its first line is this object without "
    "`inputs`, and each further line is an input.",
    result=StartedJob,
    status=202,
    body=JobRequest,
)
CRAWL = JobOperation(
    "crawl",
    "POST",
    CRAWL_PATH,
    "Crawl a site",
    "Starts a job that reads the pages of a site with `markdown_url`, and follows their links and the site's sitemaps. "
    "robots.txt is respected. Each page costs as much as a single request, and cached ones are free.",
    result=StartedJob,
    status=202,
    body=CrawlRequest,
)
LIST = JobOperation(
    "jobs", "GET", PATH, "List jobs", "Your jobs, newest first.", params=JobsParams, result=JobsStatement
)
FIND = JobOperation(
    "jobs_get",
    "GET",
    f"{PATH}/{{job_id}}",
    "Get a job",
    "A job's state and counts, without results.",
    result=JobStatement,
)
ITEMS = JobOperation(
    "jobs_items",
    "GET",
    f"{PATH}/{{job_id}}/items",
    "List the items of a job",
    "The items of a job by number, with their state and error, without results.",
    params=ItemsParams,
    result=ItemsStatement,
)
RESULTS = JobOperation(
    "jobs_results",
    "GET",
    f"{PATH}/{{job_id}}/results.ndjson",
    "Get the results of a job",
    "A line for each ended item, in the order of their endings. `result` is the same as in the response to a single "
    "request. Read on from the last line with `after`. Parameters that shorten a response apply to each result.",
    params=ResultsParams,
    media="application/x-ndjson",
    takes_portion=True,
)
ARCHIVE = JobOperation(
    "jobs_archive",
    "GET",
    f"{PATH}/{{job_id}}/results.zip",
    "Get the results of a job as an archive",
    "A zip file with a markdown and a JSON file for each item, and `items.ndjson`, which lists all ended items.",
    media="application/zip",
)
PROGRESS = JobOperation(
    "jobs_events",
    "GET",
    f"{PATH}/{{job_id}}/events",
    "Follow a job",
    "Server-sent events: `job` with the state and counts when they change, at most once a second, and finally `end`.",
    media="text/event-stream",
)
ACTS: Mapping[Action, JobOperation] = {
    action: JobOperation(
        f"jobs_{action}", "POST", f"{PATH}/{{job_id}}/{action}", title, description, result=JobStatement
    )
    for action, (title, description) in ACTIONS.items()
}
OPERATIONS: tuple[JobOperation, ...] = (START, CRAWL, LIST, FIND, ITEMS, RESULTS, ARCHIVE, PROGRESS, *ACTS.values())
OF_JOB: Mapping[str, JobOperation] = {
    operation.path.rpartition("/")[2]: operation for operation in (ITEMS, RESULTS, ARCHIVE, PROGRESS, *ACTS.values())
}
