"""The shop, and services that pass its data on."""
