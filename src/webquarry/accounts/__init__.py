"""Accounts and keys: `credentials_from` reads a request's headers, `Accounts.identify` says who it is."""

from webquarry.accounts.accounts import Accounts
from webquarry.accounts.callers import Caller
from webquarry.accounts.credentials import credentials_from
from webquarry.accounts.records import Account, ApiKey

__all__ = ["Account", "Accounts", "ApiKey", "Caller", "credentials_from"]
