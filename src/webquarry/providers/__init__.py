"""What several families ask, and what answers of upstreams have in common. An upstream of one family lives there.

- `serpapi`, `serper_api`: search engines passed on, by the operator's key; `google`: Google's walls
- `answers`: how much of an answer is read, how a refusal is told; `browser`: a plain browser's headers; `languages`
"""
