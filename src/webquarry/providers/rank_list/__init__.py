"""Open PageRank's public list of domains in the data folder: `update` fetches, `rows` parses, `index` looks up."""
