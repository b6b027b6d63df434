"""Google Maps without a key, through its page's own RPC."""
