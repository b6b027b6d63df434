"""Names of accounts, and results, by platform."""
