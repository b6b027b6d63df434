"""Documentation: home page, docs, and pages for agents, all generated from the registry.

- `docs`: the routes
"""
