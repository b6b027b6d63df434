"""Google Maps, without a key: by the call of its own page."""
