"""Errors of OAuth, with their standard codes."""


class OAuthError(Exception):
    """An error with a code of RFC 6749, 7591 or 8707. `description` is an ASCII sentence for the client's developer."""

    def __init__(self, code: str, description: str, *, status: int = 400) -> None:
        super().__init__(f"{code}: {description}")
        self.code = code
        self.description = description
        self.status = status
