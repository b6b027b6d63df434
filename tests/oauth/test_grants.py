"""Codes, tokens and grants: their single use, their revocation, and its delay."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from support.apps import REDIRECT, RESOURCE, make_request
from support.clock import ManualClock
from webquarry.core.errors import NotFound, Unauthorized
from webquarry.oauth import OAuthError, Tokens
from webquarry.oauth.grants import ACCESS_LASTS, CODE_LASTS, REFRESH_LASTS
from webquarry.storage.database import query

from .conftest import Replica

VERIFIER = "a" * 43
Open = Callable[[], Awaitable[Replica]]


async def is_known(tokens: Tokens, token: str, resource: str = RESOURCE) -> bool:
    try:
        await tokens.identify_token(token, resource)
    except Unauthorized:
        return False
    return True


async def test_a_code_is_exchanged_for_tokens_of_the_account(replica: Replica) -> None:
    account_id, client = await replica.account(), await replica.register()
    issued = await replica.connect(account_id, client)
    caller = await replica.tokens.identify_token(issued.access_token, RESOURCE)
    (grant,) = await replica.grants.list_grants(account_id)
    assert (caller.account_id, caller.key_id) == (account_id, f"grant:{grant.id}")
    assert (grant.name, grant.client_id, grant.scope) == ("The App", client.id, "tools")
    assert issued.expires_in_s == 3600


async def test_issued_codes_and_tokens_are_not_stored(replica: Replica) -> None:
    account_id, client = await replica.account(), await replica.register()
    code = await replica.grants.approve(account_id, make_request(client))
    issued = await replica.grants.exchange(client, code, VERIFIER, REDIRECT)
    assert issued.refresh_token is not None
    stored = ""
    for table in ("oauth_codes", "oauth_grants", "oauth_tokens"):
        stored += str(await replica.database.read(lambda table=table: query(f"SELECT * FROM {table}", {})))  # type: ignore[misc]
    for secret in (code, issued.access_token, issued.refresh_token):
        assert secret not in stored


@pytest.mark.parametrize("verifier", ["", "b" * 43, "a" * 42, "a" * 44, "a" * 129, "a" * 42 + "é", "a" * 43 + "\n"])
async def test_a_code_needs_the_verifier_of_its_challenge(replica: Replica, verifier: str) -> None:
    client = await replica.register()
    code = await replica.grants.approve(await replica.account(), make_request(client))
    with pytest.raises(OAuthError, match="invalid_grant"):
        await replica.grants.exchange(client, code, verifier, REDIRECT)
    assert await replica.grants.exchange(client, code, VERIFIER, REDIRECT)


async def test_a_challenge_is_not_accepted_as_verifier(replica: Replica) -> None:
    client = await replica.register()
    request = make_request(client, challenge=VERIFIER)  # like a request with the method `plain`
    code = await replica.grants.approve(await replica.account(), request)
    with pytest.raises(OAuthError, match="code_verifier"):
        await replica.grants.exchange(client, code, VERIFIER, REDIRECT)


async def test_a_code_belongs_to_its_client_and_redirect_uri(replica: Replica) -> None:
    client, other = await replica.register(), await replica.register()
    code = await replica.grants.approve(await replica.account(), make_request(client))
    with pytest.raises(OAuthError, match=r"Unknown|invalid"):
        await replica.grants.exchange(other, code, VERIFIER, REDIRECT)
    with pytest.raises(OAuthError, match="redirect_uri"):
        await replica.grants.exchange(client, code, VERIFIER, "http://127.0.0.1:3001/callback")
    assert await replica.grants.exchange(client, code, VERIFIER, None)  # according to OAuth 2.1


async def test_a_code_lasts_two_minutes(replica: Replica, clock: ManualClock) -> None:
    client = await replica.register()
    code = await replica.grants.approve(await replica.account(), make_request(client))
    clock.advance(CODE_LASTS.total_seconds())
    with pytest.raises(OAuthError, match="expired"):
        await replica.grants.exchange(client, code, VERIFIER, REDIRECT)


async def test_a_replayed_code_revokes_its_grant(open_replica: Open, clock: ManualClock) -> None:
    here, there = await open_replica(), await open_replica()
    account_id, client = await here.account(), await here.register()
    code = await here.grants.approve(account_id, make_request(client))
    issued = await here.grants.exchange(client, code, VERIFIER, REDIRECT)
    assert await is_known(here.tokens, issued.access_token)
    with pytest.raises(OAuthError, match="already used"):
        await there.grants.exchange(client, code, VERIFIER, REDIRECT)
    clock.advance(5)
    assert not await is_known(here.tokens, issued.access_token)
    assert await here.grants.list_grants(account_id) == []


async def test_a_code_exchanged_concurrently_on_two_replicas_is_accepted_at_most_once(open_replica: Open) -> None:
    here, there = await open_replica(), await open_replica()
    account_id, client = await here.account(), await here.register()
    code = await here.grants.approve(account_id, make_request(client))
    tries = [replica.grants.exchange(client, code, VERIFIER, REDIRECT) for replica in (here, there, here, there)]
    outcomes = await asyncio.gather(*tries, return_exceptions=True)
    assert sum(not isinstance(outcome, BaseException) for outcome in outcomes) <= 1
    assert all(isinstance(outcome, OAuthError) for outcome in outcomes if isinstance(outcome, BaseException))
    assert await here.grants.list_grants(account_id) == []


async def test_a_refresh_token_is_replaced_by_each_use(replica: Replica, clock: ManualClock) -> None:
    account_id, client = await replica.account(), await replica.register()
    issued = await replica.connect(account_id, client)
    for _ in range(3):
        clock.advance(3600)
        assert not await is_known(replica.tokens, issued.access_token)
        before = issued.refresh_token
        issued = await replica.grants.refresh(client, before or "", RESOURCE)
        assert issued.refresh_token not in (None, before)
        assert await is_known(replica.tokens, issued.access_token)
    (grant,) = await replica.grants.list_grants(account_id)
    assert grant.used_at == clock.now()


async def test_a_refresh_token_used_twice_ends_the_grant_for_both(open_replica: Open, clock: ManualClock) -> None:
    here, there = await open_replica(), await open_replica()
    account_id, client = await here.account(), await here.register()
    stolen = (await here.connect(account_id, client)).refresh_token or ""
    thief = await there.grants.refresh(client, stolen, None)
    assert await is_known(there.tokens, thief.access_token)
    with pytest.raises(OAuthError, match="already used"):
        await here.grants.refresh(client, stolen, None)
    clock.advance(5)
    assert not await is_known(there.tokens, thief.access_token)
    with pytest.raises(OAuthError, match="invalid_grant"):
        await there.grants.refresh(client, thief.refresh_token or "", None)
    assert await here.grants.list_grants(account_id) == []


async def test_a_refresh_token_used_concurrently_on_two_replicas_is_replaced_at_most_once(open_replica: Open) -> None:
    here, there = await open_replica(), await open_replica()
    client = await here.register()
    token = (await here.connect(await here.account(), client)).refresh_token or ""
    tries = [replica.grants.refresh(client, token, None) for replica in (here, there, here, there)]
    outcomes = await asyncio.gather(*tries, return_exceptions=True)
    issued = [outcome for outcome in outcomes if not isinstance(outcome, BaseException)]
    assert len(issued) <= 1
    for each in issued:
        with pytest.raises(OAuthError, match="invalid_grant"):
            await here.grants.refresh(client, each.refresh_token or "", None)


async def test_a_refresh_token_belongs_to_its_client_and_resource(replica: Replica, clock: ManualClock) -> None:
    client, other = await replica.register(), await replica.register()
    issued = await replica.connect(await replica.account(), client)
    token = issued.refresh_token or ""
    for asker, text in ((other, token), (client, issued.access_token), (client, ""), (client, "wqrt_" + "x" * 32)):
        with pytest.raises(OAuthError, match=r"Unknown|invalid"):
            await replica.grants.refresh(asker, text, None)
    with pytest.raises(OAuthError, match="invalid_target"):
        await replica.grants.refresh(client, token, "https://elsewhere.example/mcp")
    assert await is_known(replica.tokens, issued.access_token)
    clock.advance(REFRESH_LASTS.total_seconds())
    with pytest.raises(OAuthError, match="expired"):
        await replica.grants.refresh(client, token, None)


async def test_an_access_token_is_valid_for_its_resource_for_an_hour(replica: Replica, clock: ManualClock) -> None:
    issued = await replica.connect(await replica.account(), await replica.register())
    for other in ("https://elsewhere.example/mcp", RESOURCE + "/", RESOURCE.removesuffix("/mcp"), ""):
        assert not await is_known(replica.tokens, issued.access_token, other)
    clock.advance(ACCESS_LASTS.total_seconds() - 1)
    assert await is_known(replica.tokens, issued.access_token)
    clock.advance(1)
    assert not await is_known(replica.tokens, issued.access_token)


async def test_anything_but_an_access_token_is_refused(replica: Replica) -> None:
    account_id, client = await replica.account(), await replica.register()
    code = await replica.grants.approve(account_id, make_request(client))
    issued = await replica.connect(account_id, client)
    for text in ("", "wqat_", "wqat_" + "x" * 32, code, issued.refresh_token or "", issued.access_token + "x"):
        assert not await is_known(replica.tokens, text)


@pytest.mark.parametrize("kind", ["access", "refresh"])
async def test_revoking_either_token_ends_the_whole_grant(replica: Replica, kind: str) -> None:
    account_id, client = await replica.account(), await replica.register()
    issued = await replica.connect(account_id, client)
    assert await is_known(replica.tokens, issued.access_token)
    await replica.grants.revoke_token(client, (issued.access_token if kind == "access" else issued.refresh_token) or "")
    assert not await is_known(replica.tokens, issued.access_token)
    with pytest.raises(OAuthError, match="invalid_grant"):
        await replica.grants.refresh(client, issued.refresh_token or "", None)
    assert await replica.grants.list_grants(account_id) == []


async def test_an_app_can_revoke_only_its_own_tokens(replica: Replica) -> None:
    client, other = await replica.register(), await replica.register()
    issued = await replica.connect(await replica.account(), client)
    await replica.grants.revoke_token(other, issued.access_token)
    await replica.grants.revoke_token(client, "nonsense")
    assert await is_known(replica.tokens, issued.access_token)
    await replica.grants.revoke_token(None, issued.access_token)
    assert not await is_known(replica.tokens, issued.access_token)


async def test_an_account_disconnects_its_own_apps_everywhere_within_five_seconds(
    open_replica: Open, clock: ManualClock
) -> None:
    here, there = await open_replica(), await open_replica()
    account_id, other_id, client = await here.account(), await here.account("eve@example.com"), await here.register()
    one, two = await here.connect(account_id, client), await here.connect(account_id, client)
    grants = await here.grants.list_grants(account_id)
    assert len(grants) == 2
    assert await is_known(there.tokens, one.access_token)
    assert await is_known(there.tokens, two.access_token)
    with pytest.raises(NotFound):
        await here.grants.revoke_grant(other_id, grants[0].id)
    await here.grants.revoke_grant(account_id, grants[0].id)
    clock.advance(5)
    assert sorted([await is_known(there.tokens, each.access_token) for each in (one, two)]) == [False, True]
    assert len(await there.grants.list_grants(account_id)) == 1


async def test_apps_of_a_disabled_account_lose_access_within_five_seconds(replica: Replica, clock: ManualClock) -> None:
    account_id, client = await replica.account(), await replica.register()
    code = await replica.grants.approve(account_id, make_request(client))
    issued = await replica.connect(account_id, client)
    assert await is_known(replica.tokens, issued.access_token)
    await replica.database.write(lambda: query("UPDATE accounts SET disabled_at = 1", {}))
    clock.advance(5)
    assert not await is_known(replica.tokens, issued.access_token)
    for attempt in (
        replica.grants.refresh(client, issued.refresh_token or "", None),
        replica.grants.exchange(client, code, VERIFIER, REDIRECT),
    ):
        with pytest.raises(OAuthError, match="invalid_grant"):
            await attempt


async def test_expired_codes_and_tokens_are_deleted(replica: Replica, clock: ManualClock) -> None:
    account_id, client = await replica.account(), await replica.register()
    await replica.connect(account_id, client)
    clock.advance(REFRESH_LASTS.total_seconds() - 10)
    kept = await replica.connect(account_id, client)
    clock.advance(30)
    assert not await replica.grants.sweep()
    rows = await replica.database.read(lambda: query("SELECT COUNT(*) FROM oauth_grants", {}))
    assert rows == [(1,)]
    assert await is_known(replica.tokens, kept.access_token)
    await replica.grants.revoke_token(client, kept.access_token)
    clock.advance(31 * 86_400)
    await replica.grants.sweep()
    for table in ("oauth_codes", "oauth_tokens", "oauth_grants"):
        assert await replica.database.read(lambda table=table: query(f"SELECT * FROM {table}", {})) == []  # type: ignore[misc]
