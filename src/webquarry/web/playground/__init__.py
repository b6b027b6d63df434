"""The playground: a form for each endpoint, its result, and the same request as code."""
