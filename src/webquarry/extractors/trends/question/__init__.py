"""What endpoints about one question share: its parameters, its sources, and how an answer repeats it."""
