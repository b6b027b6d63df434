"""Open PageRank's public list of domains in the data folder: `update` fetches it, `rows` reads it, `index` looks up."""
