"""Who is asked for results of a web search, and for the answer above them."""
