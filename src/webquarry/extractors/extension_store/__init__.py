"""Extensions of a browser's store: a listing, and what its users write of it."""
