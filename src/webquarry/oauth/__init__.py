"""OAuth 2.1 for apps that act on behalf of an account: clients, codes, grants and tokens, without HTTP."""

from webquarry.oauth.clients import Client, Clients
from webquarry.oauth.errors import OAuthError
from webquarry.oauth.grants import Grants
from webquarry.oauth.records import Grant
from webquarry.oauth.requests import AuthorizationRequest
from webquarry.oauth.tokens import Tokens

__all__ = ["AuthorizationRequest", "Client", "Clients", "Grant", "Grants", "OAuthError", "Tokens"]
