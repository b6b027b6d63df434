"""The converter (`webquarry_convert`) as the service runs it.

`page` converts HTML in this process; `file` converts files in workers, as the endpoint does.
"""
