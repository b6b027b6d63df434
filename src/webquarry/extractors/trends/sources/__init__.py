"""Google Trends, and services that republish its data."""
