"""The short-video network: profiles."""
