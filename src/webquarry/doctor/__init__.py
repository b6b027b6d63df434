"""Attack suites that an installation plays against itself, run by tests and by operators (`webquarry doctor`).

`egress/`: whether a caller reaches what it must not; `content/`: whether what is read stalls, fills or ends the server.
What a hostile site answers (`responses`) and how findings are told (`report`) is shared.
"""
