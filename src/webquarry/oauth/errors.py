"""The errors of OAuth, by the codes that the standards give them."""


class OAuthError(Exception):
    """code: as in RFC 6749, 7591 and 8707; description: a sentence in ASCII for the developer of a client."""

    def __init__(self, code: str, description: str, *, status: int = 400) -> None:
        super().__init__(f"{code}: {description}")
        self.code = code
        self.description = description
        self.status = status
