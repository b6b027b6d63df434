"""The playground: a form for each endpoint, the result, and the same request as code."""
