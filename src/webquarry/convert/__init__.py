"""The converter (`webquarry_convert`) as the service runs it.

`page` converts HTML at once; `file` converts files in workers, as the endpoint does.
"""
