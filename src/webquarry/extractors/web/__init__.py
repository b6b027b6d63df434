"""Pages and files as markdown.

- `markdown_url`, `markdown_file`, `map`: the endpoints
- `survey`: the requests of `map`
- `model/`: the `data` of their responses
- `sources/`: the fetched page, and sitemaps and feeds
- `child/`: the jobs that read pages, files and sitemaps in child processes, and the replies of these jobs
"""

from webquarry.endpoints.declare import Group

GROUP = Group(
    title="Pages and files",
    about="Convert pages and files to markdown for language models.",
    roots=("markdown", "map"),
    place=1,
)
