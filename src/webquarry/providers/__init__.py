"""Providers that several groups of endpoints use, and helpers for their responses.

A provider that only one group uses is in the group's package.

- `serpapi`, `serper_api`: search engines through resellers, with the operator's key; `google`: Google's block pages
- `answers`: size limits and refusals of responses; `browser`: a plain browser's headers; `languages`
"""
