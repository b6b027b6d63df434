"""Self-checks and attack suites for an installation, run by tests and operators (`webquarry doctor`).

`egress/` tests whether a caller can reach forbidden targets; `content/`, whether content can stall, fill or crash the
server. Responses of hostile sites (`responses`) and the report of findings (`report`) are shared.
"""
