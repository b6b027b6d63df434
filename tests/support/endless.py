"""The service with a converter that never ends for some pages.

It represents any page that breaks a converter, whatever the reason.
"""

import sys
import time
from pathlib import Path
from typing import Any

from support.server import Server
from webquarry.cli.main import main
from webquarry.extractors.web import markdown_url
from webquarry.extractors.web.child.page_job import convert
from webquarry.extractors.web.child.page_reply import PageReply
from webquarry.workers.parcel import Parcel

ENDLESS = b"a page without end"
ASLEEP = b"a page that waits for ever"


def job(body: bytes, **options: Any) -> Parcel[PageReply]:
    """Convert as `page_job.convert` does, except for pages with one of the markers."""
    while ENDLESS in body:
        pass
    while ASLEEP in body:
        time.sleep(60)
    return convert(body, **options)


def run() -> None:
    """Run the command `webquarry` with that converter."""
    markdown_url.JOB = "support.endless:job"
    main()


class EndlessServer(Server):
    """A server with that converter."""

    program = (
        sys.executable,
        "-c",
        f"import sys; sys.path.insert(0, {str(Path(__file__).parents[1])!r}); import support.endless as e; e.run()",
    )
