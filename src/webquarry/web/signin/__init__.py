"""Pages for signing up, in and out, for an account's security, and for consent to apps."""
