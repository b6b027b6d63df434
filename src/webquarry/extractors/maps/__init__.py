"""Places on the map: a search for them, and one of them."""
