"""The HTTP interface.

- `endpoint`: every endpoint of `/api/v1`; `upload`: the file in a request; `responses`: sending responses
- `negotiation`, `cors`: the preferences of callers and their browsers
- `openapi`: the OpenAPI document, generated from the registry
- `server`: uvicorn with additional limits
"""
