"""The shop, and services that republish its data."""
