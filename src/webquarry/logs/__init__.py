"""What a service writes down about its own operation: audit events, requests of accounts, and totals of days."""
