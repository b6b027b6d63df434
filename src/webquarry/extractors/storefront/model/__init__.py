"""Products and catalogues."""
