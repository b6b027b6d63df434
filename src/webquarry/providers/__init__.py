"""Upstreams shared by several families, and helpers for their responses. An upstream of one family is in its package.

- `serpapi`, `serper_api`: search engines through resellers, with the operator's key; `google`: Google's block pages
- `answers`: size limits and refusals of responses; `browser`: a plain browser's headers; `languages`
"""
