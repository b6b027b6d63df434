"""Search engines, one module each, with its request and the reader of its response."""
