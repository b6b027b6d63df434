"""What an endpoint is: its declaration, its parameters, its sources, and how one of its requests runs.

The endpoints themselves are in `webquarry.extractors`.
"""
