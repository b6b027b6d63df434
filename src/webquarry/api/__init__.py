"""The HTTP interface.

- `endpoint`: every operation of `/api/v1`, `upload`: the file of a request, `responses`: what goes out
- `negotiation`, `cors`: what callers and their browsers ask for
- `openapi`: the document, read from the registry
- `server`: uvicorn, with the bounds that it lacks
"""
