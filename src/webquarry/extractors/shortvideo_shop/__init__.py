"""A short-video platform's shop: products, videos of them, sellers, their stores, categories."""
