"""Pages and files as markdown.

- `markdown_url`, `markdown_file`: the endpoints
- `model/`: the `data` of their responses
- `sources/page`: the fetched page
- `child/`: the jobs that read pages and files in child processes, and the replies of these jobs
"""

from webquarry.endpoints.declare import Group

GROUP = Group(
    title="Pages and files",
    about="Convert pages and files to markdown for language models.",
    roots=("markdown",),
    place=1,
)
