"""What pages and documents give as `data`."""
