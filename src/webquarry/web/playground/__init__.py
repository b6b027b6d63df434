"""The playground: every endpoint as a form, its answer beside it, and the same call as code."""
