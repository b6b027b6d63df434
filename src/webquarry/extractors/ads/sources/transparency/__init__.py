"""The search engine's Ads Transparency Center."""
