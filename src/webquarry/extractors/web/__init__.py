"""Pages and files as markdown.

- `markdown_url`, `markdown_file`: the endpoints; `page`: the fetched page
- `page_job`, `document_job`: what children do with them; `page_data`, `document`: what they give as `data`
"""
