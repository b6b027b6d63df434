"""Runs the converter (`webquarry_convert`) for the service.

`page` converts HTML in this process; `file` converts files in workers, like the endpoint.
"""
