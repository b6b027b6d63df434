"""Jobs of child processes that parse a shop's responses, and their replies."""
