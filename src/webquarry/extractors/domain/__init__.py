"""Facts about domain names."""
