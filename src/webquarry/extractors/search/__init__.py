"""Web search and the answer above its results.

- `search`: the endpoint; `serp/`: its answer, whoever gives it; `engines/`: one module for each upstream
- `ai_overview/`: the answer that an engine writes above its results
"""
