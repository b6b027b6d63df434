"""Documentation: home page, docs, and texts for agents, all generated from the registry.

- `docs`: the routes
"""
