"""How accounts are named, and the results, by platform."""
