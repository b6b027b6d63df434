"""Records of the service's operation: audit events, accounts' requests, and daily totals."""
