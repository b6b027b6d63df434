import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convert_support.kit import KIT
from support.damage import JUNK, damaged_json
from webquarry.core.errors import ProviderError
from webquarry.core.types import Wire
from webquarry.extractors.domain_intel.registration import Registration, RegistrationParams, find_status, read, render
from webquarry.sandbox.cases import Case, cases

SAMPLES = KIT / "upstreams/samples/registration"
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)

EXPECTED = {  # from the table in the samples' SOURCES.md: registered, expires, updated, registrar, IANA id, DNSSEC
    "abc.xyz.2021": (
        "2014-03-20T12:59:17Z", "2025-03-20T07:00:00Z", "2019-11-07T17:16:24Z", "MarkMonitor Inc.", "292", False),
    "airport.fr.nic_fr_2022-12": (
        "2016-01-27T00:33:10Z", "2023-01-27T00:33:10Z", "2022-01-27T00:35:28Z", "EXCEPTIONNEL", "82909", None),
    "amazon.cyou.2021": (
        "2020-05-14T00:00:00Z", "2021-05-14T00:00:00Z", "2021-03-29T22:55:53Z",
        "NOM-IQ Ltd dba Com Laude", "470", False),
    "bitcoin.org.2021": (
        "2008-08-18T13:19:55Z", "2029-08-18T13:19:55Z", "2019-11-24T13:58:35Z", "NAMECHEAP INC", None, False),
    "example.cz.nic_cz": ("2004-08-30T22:55:00Z", "2019-08-30T12:00:00Z", None, "REG-INTERNET-CZ", None, None),
    "google.com.2021": (
        "1997-09-15T07:00:00Z", "2028-09-13T07:00:00Z", "2019-09-09T15:39:04Z", "MarkMonitor Inc.", "292", False),
    "google.com.verisign_thin": (
        "1997-09-15T04:00:00Z", "2028-09-14T04:00:00Z", None, "MarkMonitor Inc.", "292", True),
    "home.moscow": (
        "2021-10-19T19:28:12Z", "2024-10-19T19:28:12Z", "2023-11-20T18:36:22Z",
        'Limited Liability Company "Registrar of domain names REG.RU"', "1606", False),
    "lemonde.fr.2024": (
        "2005-08-02T14:16:36Z", "2025-06-09T22:08:09Z", "2024-06-12T22:09:39.881923Z", "NAMESHIELD", "1251", None),
    "lookup_with_redaction": (
        "1997-06-03T00:00:00Z", "2021-06-03T04:00:00Z", "2020-05-28T01:35:00Z", "Example Registrar Inc.", "1", False),
    "norid_no_domain": ("2017-01-24T12:09:23Z", None, "2021-01-14T05:16:59Z", "Domeneshop AS", None, None),
    "odd_nameServers_key_no_tz_dates": (
        "2023-07-05T00:00:00Z", "2024-07-05T00:00:00Z", "2023-07-05T00:00:00Z", None, "1250", False),
    "wicar.org.pir_2026-10-07": (
        "2012-11-07T04:14:52.296Z", "2027-11-07T04:14:52.296Z", "2026-09-18T03:40:49.034Z",
        "PDR Ltd. d/b/a PublicDomainRegistry.com", "303", False),
}  # fmt: skip

needs_samples = pytest.mark.skipif(not SAMPLES.exists(), reason="the samples are not here")


def wire(body: Any, name: str = "example.com") -> Wire:
    url = f"https://rdap.registry.example/v1/domain/{name}"
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Wire(body=content, url=url, requested_url=url, status=200, headers={}, fetched_at=NOW)


def read_as(name: str, body: Any) -> Registration:
    return read(wire(body, name), RegistrationParams.model_validate({"domain": name}))


def minimal(**members: Any) -> dict[str, Any]:
    return {"objectClassName": "domain", "ldhName": "example.com", **members}


def registrar(**members: Any) -> dict[str, Any]:
    return minimal(entities=[{"objectClassName": "entity", "roles": ["registrar"], **members}])


def instant(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def domain_bodies() -> Iterator[tuple[str, Any]]:
    """Yield the name and body of every "domain" response: from tapes, and from the samples if they are available."""
    for case in cases("domain_registration"):
        for exchange in case.exchanges:
            if case.data is not None and exchange.answered().status == 200:
                yield case.params["domain"], json.loads(exchange.answered().body)
    for file in sorted(SAMPLES.glob("*.json")):
        body = json.loads(file.read_bytes())
        if body.get("objectClassName") == "domain":
            yield body["ldhName"].rstrip(".").lower(), body


class TestSamples:
    @needs_samples
    @pytest.mark.parametrize("file", EXPECTED)
    def test_sample_has_the_values_in_its_notes(self, file: str) -> None:
        body = json.loads((SAMPLES / f"{file}.json").read_bytes())
        result = read_as(body["ldhName"].rstrip(".").lower(), body)
        found_registrar = (result.registrar.name, result.registrar.iana_id) if result.registrar else None
        registered, expires, updated, name, iana_id, signed = EXPECTED[file]
        assert (result.registered_at, result.expires_at, result.updated_at) == tuple(
            map(instant, (registered, expires, updated))
        )
        assert found_registrar == (name, iana_id)
        assert result.dnssec.signed is signed
        assert result.nameservers == [n.lower().rstrip(".") for n in result.nameservers]
        assert len(result.nameservers) >= 2 or not body["nameservers"]

    @needs_samples
    def test_every_domain_sample_is_expected(self) -> None:
        assert {file.stem for file in SAMPLES.glob("*.json") if is_domain(file)} == EXPECTED.keys()

    @needs_samples
    @pytest.mark.parametrize("file", ["error_400_subdomain_pir_2026-10-07", "error_ripe_net"])
    def test_error_body_is_a_changed_response(self, file: str) -> None:
        with pytest.raises(ProviderError) as caught:
            read_as("example.com", (SAMPLES / f"{file}.json").read_bytes())
        assert caught.value.reason == "changed"

    @needs_samples
    @pytest.mark.parametrize(
        ("file", "email", "phone"),
        [
            ("google.com.verisign_thin", "abusecomplaints@markmonitor.com", "+1.2083895740"),
            ("bitcoin.org.2021", "abuse@namecheap.com", "+1.6613102107"),
            ("home.moscow", "abuse@reg.ru", "5801111"),
            ("lemonde.fr.2024", None, None),
        ],
    )
    def test_abuse_contact_is_read(self, file: str, email: str | None, phone: str | None) -> None:
        body = json.loads((SAMPLES / f"{file}.json").read_bytes())
        found = read_as(body["ldhName"].lower(), body).registrar
        assert found
        assert (found.abuse_email, found.abuse_phone) == (email, phone)

    @needs_samples
    def test_contacts_of_the_registrant_are_not_in_the_result(self) -> None:
        body = json.loads((SAMPLES / "lemonde.fr.2024.json").read_bytes())
        result = read_as("lemonde.fr", body)
        assert "SOCIETE EDITRICE" not in result.model_dump_json() + render(result)


def is_domain(file: Path) -> bool:
    return bool(json.loads(file.read_bytes()).get("objectClassName") == "domain")


class TestTapes:
    @pytest.mark.parametrize("case", [c for c in cases("domain_registration") if c.data], ids=lambda c: c.name)
    def test_tape_has_the_expected_values(self, case: Case) -> None:
        last = case.exchanges[-1].answered()
        params = RegistrationParams.model_validate(case.params)
        answer = Wire(last.body, case.exchanges[-1].request.url, "", 200, last.headers, last.fetched_at)
        result = read(answer, params)
        assert result.model_dump(mode="json") == case.data
        assert render(result) == case.rendering

    @pytest.mark.parametrize("name", ["changed", "another_name"])
    def test_tape_of_a_changed_wire_is_refused(self, name: str) -> None:
        [case] = [c for c in cases("domain_registration") if c.folder.name == name]
        with pytest.raises(ProviderError) as caught:
            read_as(case.params["domain"], case.exchanges[-1].answered().body)
        assert caught.value.reason == case.error["reason"] == "changed"


class TestNames:
    @pytest.mark.parametrize("name", ["EXAMPLE.COM", "example.com.", " Example.com "])
    def test_name_is_normalized(self, name: str) -> None:
        assert read_as("www.example.com", minimal(ldhName=name)).domain == "example.com"

    def test_international_name_is_found_under_either_spelling(self) -> None:
        answer = {"objectClassName": "domain", "unicodeName": "Bücher-Example.de"}
        result = read_as("bücher-example.de", answer)
        assert (result.domain, result.unicode_domain) == ("xn--bcher-example-wob.de", "bücher-example.de")

    @pytest.mark.parametrize("name", ["example.org", "www.example.com", "", "..", "exa mple.com", "xn--\udcff.com"])
    def test_answer_about_another_name_is_never_passed_on(self, name: str) -> None:
        with pytest.raises(ProviderError) as caught:
            read_as("example.com", minimal(ldhName=name))
        assert caught.value.reason == "changed"


class TestEvents:
    def test_database_time_is_not_the_last_change(self) -> None:
        events = [{"eventAction": "last update of RDAP database", "eventDate": "2026-11-20T11:00:00Z"}]
        assert read_as("example.com", minimal(events=events)).updated_at is None

    def test_registrar_expiration_is_the_second_choice(self) -> None:
        events = [
            {"eventAction": "registrar expiration", "eventDate": "2030-01-01"},
            {"eventAction": "Expiration", "eventDate": "2031-01-01"},
        ]
        assert read_as("example.com", minimal(events=events)).expires_at == datetime(2031, 1, 1, tzinfo=UTC)
        assert read_as("example.com", minimal(events=events[:1])).expires_at == datetime(2030, 1, 1, tzinfo=UTC)

    @pytest.mark.parametrize(
        ("registered", "days", "years"),
        [
            ("2026-11-19T12:00:00Z", 1, 0.0),
            ("2026-11-19T12:00:01Z", 0, 0.0),
            ("2016-11-20T12:00:00Z", 3652, 10.0),
            ("2026-11-21T00:00:00Z", 0, 0.0),
        ],
    )
    def test_age_is_whole_days_at_the_fetch(self, registered: str, days: int, years: float) -> None:
        events = [{"eventAction": "registration", "eventDate": registered}]
        result = read_as("example.com", minimal(events=events))
        assert (result.age_days, result.age_years) == (days, years)


def one_of(fn: str, *roles: str, **members: Any) -> dict[str, Any]:
    """Return an entity with this name."""
    return {"roles": roles, "vcardArray": ["vcard", [["fn", {}, "text", fn]]], **members}


class TestRegistrar:
    @pytest.mark.parametrize(
        ("entities", "name"),
        [
            ([one_of("Past", "registrar", status=["inactive"]), one_of("Now", "registrar")], "Now"),
            ([one_of("Past", "registrar", "sponsor", status=["Inactive"]), one_of("Now", "registrar")], "Now"),
            ([one_of("Helper", "registrar"), one_of("Holder", "Sponsor", "registrar")], "Holder"),
            ([one_of("First", "registrar"), one_of("Second", "registrar", status=["active"])], "First"),
            ([one_of("Only", "registrar", status="inactive")], "Only"),
        ],
    )
    def test_current_registrar_is_preferred(self, entities: list[Any], name: str) -> None:
        found = read_as("example.com", minimal(entities=entities)).registrar
        assert found
        assert found.name == name

    def test_handle_equal_to_the_iana_id_is_not_a_name(self) -> None:
        ids = [{"type": "iana registrar id", "identifier": "292"}]
        found = read_as("example.com", registrar(handle="292", publicIds=ids)).registrar
        assert found
        assert (found.name, found.iana_id) == (None, "292")

    def test_registrar_without_data_is_null(self) -> None:
        assert read_as("example.com", registrar()).registrar is None

    @pytest.mark.parametrize(
        ("members", "url"),
        [
            ({"url": "https://a.example/"}, "https://a.example/"),
            ({"vcardArray": ["vcard", [["url", {}, "uri", "http://b.example"]]]}, "http://b.example"),
            ({"links": [{"rel": "about", "type": "text/html", "href": "https://c.example"}]}, "https://c.example"),
            ({"links": [{"rel": "about", "type": "application/rdap+json", "href": "https://d.example"}]}, None),
            ({"links": [{"rel": "self", "href": "https://e.example"}]}, None),
            ({"url": "www.f.example"}, None),
            ({"url": "javascript:alert(1)"}, None),
        ],
    )
    def test_site_is_a_web_address_or_null(self, members: dict[str, Any], url: str | None) -> None:
        found = read_as("example.com", registrar(handle="R", **members)).registrar
        assert found
        assert found.url == url

    @pytest.mark.parametrize(
        ("tel", "phone"),
        [("tel:+1.5555550100;ext=7", "+1.5555550100"), ("fax:+1.5555550100", None), ("tel:495", None), ("none", None)],
    )
    def test_phone_is_a_whole_number_or_null(self, tel: str, phone: str | None) -> None:
        abuse = {"roles": ["abuse"], "vcardArray": ["vcard", [["tel", {}, "uri", tel], ["email", {}, "text", "a@b.c"]]]}
        found = read_as("example.com", registrar(entities=[abuse])).registrar
        assert found
        assert found.abuse_phone == phone


def test_minimal_response_is_mostly_nulls() -> None:
    result = read_as("example.com", minimal())
    assert render(result) == "# example.com: registration\n\nSource: RDAP, https://rdap.registry.example/v1/\n"


BODIES = list(domain_bodies())


@given(st.data())
def test_damaged_responses_are_read_or_are_changed_responses(data: st.DataObject) -> None:
    name, body = data.draw(st.sampled_from(BODIES))
    try:
        result = read_as(name, damaged_json(data, body))
    except ProviderError as exc:
        assert exc.reason == "changed"  # noqa: PT017  # both ways out are right
    else:
        assert json.loads(result.model_dump_json())["domain"] == name
        assert render(result).startswith("# ")


@given(JUNK)
def test_any_json_is_read_or_is_a_changed_response(body: Any) -> None:
    with pytest.raises(ProviderError):
        read_as("example.com", body)


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ("ok", "active"),
        ("linked", "associated"),
        ("autoRenewPeriod", "auto renew period"),
        ("redemptionPeriod", "redemption period"),
        ("clienttransferprohibited", "client transfer prohibited"),
        ("CLIENT_HOLD", "client hold"),
        ("pendingDelete https://icann.org/epp#pendingDelete", "pending delete"),
        ("server delete prohibited", "server delete prohibited"),
        ("Inactive", "inactive"),
        ("someRegistryStatus", "some registry status"),
    ],
)
def test_status_has_the_wording_of_rdap(sent: str, status: str) -> None:
    assert find_status(sent) == status
