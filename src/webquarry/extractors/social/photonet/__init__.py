"""The photo network: profiles."""
