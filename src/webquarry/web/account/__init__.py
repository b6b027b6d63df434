"""Pages of an account for its owner (overview, keys, usage, receipts, connected apps) and for administrators."""
