"""Google Trends, and services that pass it on."""
