"""Sources of data about domains: registries, link indexes and sites' own files."""
