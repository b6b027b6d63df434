"""Pages of an account for who has it: overview, keys, usage, receipts, connected apps; and for administrators."""
