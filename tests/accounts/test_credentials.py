import hashlib
import re

import pytest

from webquarry.accounts.credentials import SANDBOX, credentials_from, digest, is_key, new_key
from webquarry.core.errors import Unauthorized

KEY = "wq_live_" + "a" * 32


@pytest.mark.parametrize(
    ("authorization", "x_api_key"),
    [
        ([f"Bearer {KEY}"], []),
        ([f"bearer  {KEY} "], []),
        ([], [KEY]),
        ([], [f" {KEY}"]),
        ([f"Bearer {KEY}"], [KEY]),
        ([f"Bearer {KEY}", f"Bearer {KEY}"], [KEY, KEY]),
        (["Basic dXNlcjpwYXNz"], [KEY]),
        ([""], [KEY]),
        (["Bearer"], [KEY]),
        ([f"Bearer {KEY}"], [""]),
        (["Basic dXNlcjpwYXNz", f"Bearer {KEY}"], []),
    ],
)
def test_a_key_is_read_from_either_header(authorization: list[str], x_api_key: list[str]) -> None:
    assert credentials_from(authorization, x_api_key) == KEY


@pytest.mark.parametrize(
    ("authorization", "x_api_key", "message"),
    [
        ([], [], "has no API key"),
        (["Basic dXNlcjpwYXNz"], [], "must have the form"),
        (["Bearer"], [], "must have the form"),
        ([""], [""], "has no API key"),
        ([f"Bearer {KEY} extra"], [], "must have the form"),
        ([f"Bearer {KEY}"], ["another"], "two different API keys"),
        ([f"Bearer {KEY}", "Bearer another"], [], "two different API keys"),
        ([], [KEY, "another"], "two different API keys"),
        (["Basic dXNlcjpwYXNz", f"Bearer {KEY}"], ["another"], "two different API keys"),
    ],
)
def test_a_missing_or_ambiguous_key_is_refused(authorization: list[str], x_api_key: list[str], message: str) -> None:
    with pytest.raises(Unauthorized, match=message):
        credentials_from(authorization, x_api_key)


def test_a_key_is_derived_from_the_given_random_bytes() -> None:
    assert new_key(bytes) == "wq_live_" + "0" * 32
    assert new_key(lambda n: bytes(range(n))) == new_key(lambda n: bytes(range(62, 62 + n)))


def test_a_sandbox_key_has_its_own_prefix() -> None:
    assert new_key(bytes, SANDBOX) == "wq_test_" + "0" * 32


def test_bytes_that_would_favor_some_letters_are_skipped() -> None:
    rounds = iter([bytes([255] * 32), bytes([248] * 16 + [1] * 16), bytes([2] * 32)])
    assert new_key(lambda _: next(rounds)) == "wq_live_" + "1" * 16 + "2" * 16


def test_a_new_key_has_the_form_of_a_key() -> None:
    assert is_key(new_key(lambda n: hashlib.sha256(b"seed").digest()[:n]))
    assert re.fullmatch(r"[0-9a-f]{64}", digest(KEY))


@pytest.mark.parametrize(
    "text", ["", "wq_live_", KEY[:-1], KEY + "a", KEY + "\n", "wq_else_" + "a" * 32, KEY[:-1] + "é"]
)
def test_other_texts_do_not_have_the_form_of_a_key(text: str) -> None:
    assert not is_key(text)
