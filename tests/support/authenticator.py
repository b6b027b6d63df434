"""A software authenticator: creates passkeys and signs with them according to WebAuthn, for any site."""

import hashlib
import secrets
from dataclasses import dataclass, field

import orjson
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url, encode_cbor

PRESENT, VERIFIED, HAS_KEY = 0x01, 0x04, 0x40


@dataclass
class Authenticator:
    """One passkey.

    count: number of signatures so far, or None for an authenticator without a counter; verifies: whether it asks for a
    fingerprint or PIN.
    """

    count: int | None = 0
    verifies: bool = True
    id: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    user_handle: bytes = b""

    def make(self, options: str, origin: str) -> str:
        """Return the response that a page at `origin` sends for a new passkey with these options."""
        asked = orjson.loads(options)
        self.user_handle = base64url_to_bytes(asked["user"]["id"])
        point = self.key.public_key().public_numbers()
        public = encode_cbor({1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32), -3: point.y.to_bytes(32)})
        credential = bytes(16) + len(self.id).to_bytes(2) + self.id + public
        data = self._describe(asked["rp"]["id"], HAS_KEY) + credential
        statement = encode_cbor({"fmt": "none", "attStmt": {}, "authData": data})
        client = self._write_client_data("webauthn.create", asked["challenge"], origin)
        return self._answer(clientDataJSON=client, attestationObject=statement)

    def sign(self, options: str, origin: str) -> str:
        """Return the response that a page at `origin` sends for a signature with these options."""
        asked = orjson.loads(options)
        if self.count is not None:
            self.count += 1
        data = self._describe(asked["rpId"], 0)
        client = self._write_client_data("webauthn.get", asked["challenge"], origin)
        signature = self.key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        return self._answer(
            clientDataJSON=client, authenticatorData=data, signature=signature, userHandle=self.user_handle
        )

    def _describe(self, site: str, flags: int) -> bytes:
        flags |= PRESENT | (VERIFIED if self.verifies else 0)
        return hashlib.sha256(site.encode()).digest() + bytes([flags]) + (self.count or 0).to_bytes(4)

    def _write_client_data(self, kind: str, challenge: str, origin: str) -> bytes:
        return orjson.dumps({"type": kind, "challenge": challenge, "origin": origin, "crossOrigin": False})

    def _answer(self, **parts: bytes) -> str:
        id = bytes_to_base64url(self.id)
        response = {name: bytes_to_base64url(value) for name, value in parts.items()}
        return orjson.dumps({"id": id, "rawId": id, "type": "public-key", "response": response}).decode()
