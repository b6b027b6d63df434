"""Online shops, by the catalogue that they keep public."""
