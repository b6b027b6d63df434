"""WebAuthn ceremonies: options for browsers, and verification of what authenticators return. Pure functions.

Attestation statements, which identify an authenticator's manufacturer, are not requested and not read.
"""

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import orjson
import webauthn
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url, encode_cbor, parse_cbor
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

SITE_NAME = "Webquarry"
CHALLENGE_BYTES = 32
MAX_KEY_BYTES = 2048
"""Maximum size of a stored public key, encoded. RSA keys of 4096 bits need 530 bytes."""
_TIMEOUT_MS = 300_000
_FAULTS = (WebAuthnException, ValueError, TypeError, KeyError, IndexError, AttributeError)
"""Exceptions that the library raises for malformed data."""


class BadCeremony(Exception):
    """An invalid response: malformed, for another site or challenge, or wrongly signed."""


@dataclass(frozen=True, slots=True)
class RelyingParty:
    """The site that passkeys belong to.

    `id` is the site's host name and `origin` is the scheme, host and port of its pages.
    """

    id: str
    origin: str


@dataclass(frozen=True, slots=True)
class NewCredential:
    """A credential created by an authenticator. `id` is base64url, `public_key` is in COSE encoding."""

    id: str
    public_key: bytes
    sign_count: int


@dataclass(frozen=True, slots=True)
class Assertion:
    """A signature from a browser, not yet verified.

    `credential_id` is base64url. `user_handle` is the id of the account that owns the passkey. `fields` is the
    complete response.
    """

    credential_id: str
    user_handle: bytes
    fields: dict[str, Any]


def find_relying_party(base_url: str) -> RelyingParty | None:
    """Return the site at base_url, or None if it lacks https or a host name, which passkeys require."""
    parts = urlsplit(base_url.lower())
    host = parts.hostname or ""
    is_local = host == "localhost" or host.endswith(".localhost")
    if not host or _is_address(host) or (parts.scheme != "https" and not is_local):
        return None
    return RelyingParty(host, f"{parts.scheme}://{parts.netloc}")


def write_creation_options(
    site: RelyingParty, challenge: bytes, account_id: str, email: str, known: Sequence[str]
) -> str:
    """Return the JSON options for creating a passkey in a browser. `known` lists the ids of the account's existing
    passkeys.
    """
    options = webauthn.generate_registration_options(
        rp_id=site.id,
        rp_name=SITE_NAME,
        user_id=account_id.encode(),
        user_name=email,
        challenge=challenge,
        timeout=_TIMEOUT_MS,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.REQUIRED
        ),
        exclude_credentials=[PublicKeyCredentialDescriptor(id=base64url_to_bytes(each)) for each in known],
    )
    return webauthn.options_to_json(options)


def write_request_options(site: RelyingParty, challenge: bytes) -> str:
    """Return the JSON options for signing in a browser with any passkey of the site.

    The options are the same for all accounts, so they reveal nothing about any account.
    """
    options = webauthn.generate_authentication_options(
        rp_id=site.id,
        challenge=challenge,
        timeout=_TIMEOUT_MS,
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    return webauthn.options_to_json(options)


def check_new_credential(site: RelyingParty, challenge: bytes, text: str) -> NewCredential:
    """Return the passkey that a browser has created. Raises BadCeremony for an invalid response."""
    try:
        found = webauthn.verify_registration_response(
            credential=_drop_statement(orjson.loads(text)),
            expected_challenge=challenge,
            expected_rp_id=site.id,
            expected_origin=site.origin,
            require_user_verification=True,
        )
    except _FAULTS as exc:
        raise BadCeremony from exc
    if len(found.credential_public_key) > MAX_KEY_BYTES:
        raise BadCeremony
    return NewCredential(bytes_to_base64url(found.credential_id), found.credential_public_key, found.sign_count)


def read_assertion(text: str) -> Assertion:
    """Parse a browser's response that contains a signature. Raises BadCeremony if it is malformed."""
    try:
        fields = orjson.loads(text)
        handle = base64url_to_bytes(fields["response"]["userHandle"])
        return Assertion(bytes_to_base64url(base64url_to_bytes(fields["rawId"])), handle, fields)
    except _FAULTS as exc:
        raise BadCeremony from exc


def check_assertion(site: RelyingParty, challenge: bytes, assertion: Assertion, public_key: bytes) -> int:
    """Return the authenticator's counter after a signature. Raises BadCeremony for an invalid signature.

    The counter is compared in the database, so that two servers cannot both accept one signature.
    """
    try:
        checked = webauthn.verify_authentication_response(
            credential=assertion.fields,
            expected_challenge=challenge,
            expected_rp_id=site.id,
            expected_origin=site.origin,
            credential_public_key=public_key,
            credential_current_sign_count=0,
            require_user_verification=True,
        )
    except _FAULTS as exc:
        raise BadCeremony from exc
    return checked.new_sign_count


def _drop_statement(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the response without its attestation statement."""
    made = parse_cbor(base64url_to_bytes(fields["response"]["attestationObject"]))
    bare = encode_cbor({"fmt": "none", "attStmt": {}, "authData": made["authData"]})
    return {**fields, "response": {**fields["response"], "attestationObject": bytes_to_base64url(bare)}}


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
