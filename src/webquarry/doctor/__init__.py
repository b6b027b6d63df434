"""Self-checks and attack suites for an installation, run by tests and operators (`webquarry doctor`).

`egress/` tests whether a caller can reach forbidden targets; `isolation/` tests whether code in a child process can
escape. Both use the responses of hostile sites (`responses`) and the report of findings (`report`).
"""
