"""Pages and files as markdown for language models. Knows nothing of the service beside it (docs/converter.md).

    from webquarry_convert.page import to_markdown
    text = to_markdown("<h1>Hello</h1>", "https://example.com/")

- `page`, `file`: HTML and documents; `fetched`: whatever an address answered
- `verdict`, `marks`: walls and shells, which are no content
- `write`: a tree as markdown; `tree`, `links`, `media`, `words`: what all of them use
- `text`: charsets, bounded markup, escapes, invisible characters, dates
- `errors`
"""
