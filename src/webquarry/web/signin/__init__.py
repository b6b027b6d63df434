"""Signing in: sign-up, sign-in and sign-out, security of an account, consent to apps."""
