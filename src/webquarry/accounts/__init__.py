"""Accounts, keys and people.

`credentials_from` reads a request's headers, `Accounts.identify` finds a key's account, and `People` signs in with
passwords.
"""

from webquarry.accounts.accounts import Accounts
from webquarry.accounts.credentials import credentials_from
from webquarry.accounts.directory import Directory, Listing
from webquarry.accounts.endings import Endings
from webquarry.accounts.history import History, PastCall
from webquarry.accounts.outbox import Outbox
from webquarry.accounts.passkey_records import VerifiedPasskey
from webquarry.accounts.passwords import Passwords
from webquarry.accounts.people import People, RegistrationClosed
from webquarry.accounts.post import Post
from webquarry.accounts.records import Account, ApiKey
from webquarry.accounts.seal import Seal
from webquarry.accounts.session_list import ListedSession, Use
from webquarry.accounts.sessions import Visitor
from webquarry.accounts.shares import Share, Shares
from webquarry.core.caller import Caller

__all__ = [
    "Account",
    "Accounts",
    "ApiKey",
    "Caller",
    "Directory",
    "Endings",
    "History",
    "ListedSession",
    "Listing",
    "Outbox",
    "Passwords",
    "PastCall",
    "People",
    "Post",
    "RegistrationClosed",
    "Seal",
    "Share",
    "Shares",
    "Use",
    "VerifiedPasskey",
    "Visitor",
    "credentials_from",
]
