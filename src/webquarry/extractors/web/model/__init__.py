"""The `data` of pages and documents."""
