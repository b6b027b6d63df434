"""Products and catalogs."""
