"""The pages that explain: home, docs, and texts for agents; all read from the registry.

- `docs`: the room with its addresses
"""
