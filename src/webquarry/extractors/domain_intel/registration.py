"""Domain registration: when a name was registered and expires, its registrar, and its delegation.

Upstream: RDAP; the registry is found in IANA's table. Response format: docs/upstreams/rdap.md. A top-level domain
without an RDAP service raises EmptyResult; an unregistered name raises Absent. Some registries send the registrant's
contacts; the result never includes them.
"""

import re
from datetime import datetime
from typing import Any, Final, Literal

from webquarry.core.errors import ProviderError
from webquarry.core.types import Domain
from webquarry.core.urls import normalise_host, normalise_url
from webquarry.endpoints.declare import Extractor, Params, Result, Source, days, field, param
from webquarry.extractors.domain_intel.sources import rdap
from webquarry.read import JsonObject, Wire, at, instant, must, read_each, texts
from webquarry.read.losses import read_rows
from webquarry.render import Md

DAYS_A_YEAR = 365.2425
_PHONE = re.compile(r"\+?[\d .()/-]+", re.ASCII)
_MIN_PHONE_DIGITS = 7
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])", re.ASCII)
_LETTERS: Final = re.compile(r"[^a-z]+", re.ASCII)
RDAP_STATUSES: Final = (
    *(f"{who} {what} prohibited" for who in ("client", "server") for what in ("delete", "renew", "transfer", "update")),
    *("client hold", "server hold", "inactive", "active", "associated"),
    *(f"pending {what}" for what in ("create", "delete", "renew", "restore", "transfer", "update")),
    *(f"{what} period" for what in ("add", "auto renew", "renew", "transfer", "redemption")),
)
"""RDAP status values that have an EPP equivalent in RFC 8056."""
_EPP: Final = {"ok": "active", "linked": "associated", **{text.replace(" ", ""): text for text in RDAP_STATUSES}}


class RegistrationParams(Params):
    domain: Domain = param(
        "Bare domain or full URL. The registrable domain is looked up, such as example.co.uk.",
        example="example.com",
    )


class Registrar(Result):
    name: str | None = field("Display name.", wire="entities[registrar].vcardArray.fn")
    iana_id: str | None = field("IANA registrar ID.", wire="entities[registrar].publicIds[].identifier")
    url: str | None = field("URL of the registrar's website.", wire="entities[registrar].url")
    abuse_email: str | None = field("Email address for abuse reports.", wire="entities[abuse].vcardArray.email")
    abuse_phone: str | None = field("Phone number for abuse reports.", wire="entities[abuse].vcardArray.tel")


class Dnssec(Result):
    signed: bool | None = field("Whether the delegation is signed; null if unknown.", wire="secureDNS.delegationSigned")
    ds_records: int = field("DS records at the registry.", wire="secureDNS.dsData[]")


class Registration(Result):
    domain: str = field("Registered domain, in lower case and A-label form.", wire="ldhName")
    unicode_domain: str | None = field("Domain in Unicode, if the registry provides it.", wire="unicodeName")
    registered_at: datetime | None = field("Registration time, UTC.", wire="events[registration]")
    expires_at: datetime | None = field("Expiry time, UTC.", wire="events[expiration]")
    updated_at: datetime | None = field("Time of the last update, UTC.", wire="events[last changed]")
    age_days: int | None = field("Full days since registration.", unit="days")
    age_years: float | None = field("Age in years, with one decimal place.", unit="years")
    registrar: Registrar | None = field("The registrar.", wire="entities[registrar]")
    nameservers: list[str] = field(
        "Nameservers in lower case, in the order of the response.", wire="nameservers[].ldhName"
    )
    dnssec: Dnssec = field("DNSSEC status.", wire="secureDNS")
    status: list[str] = field("RDAP status values (RFC 8056), in lower case.", wire="status[]")
    rdap_server: str = field("URL of the RDAP service.")
    source: Literal["rdap"] = field("Type of the provider.")


def read(wire: Wire, params: RegistrationParams) -> Registration:
    answer = rdap.find_domain(wire)
    when = _read_events(answer)
    created = when.get("registration")
    age_days = max(0, (wire.fetched_at - created).days) if created else None
    return Registration(
        domain=_read_name(answer, params.domain),
        unicode_domain=_bare(at(answer, "unicodeName", str) or "") or None,
        registered_at=created,
        expires_at=when.get("expiration") or when.get("registrar expiration"),
        updated_at=when.get("last changed") or when.get("last update"),
        age_days=age_days,
        age_years=None if age_days is None else round(age_days / DAYS_A_YEAR, 1),
        registrar=_read_registrar(answer),
        nameservers=_read_nameservers(answer),
        dnssec=_read_dnssec(at(answer, "secureDNS", dict) or {}),
        status=list(dict.fromkeys(read_rows(texts(answer, "status[]"), _read_status, "status[]"))),
        rdap_server=wire.url.rpartition("domain/")[0] or wire.url,
        source="rdap",
    )


def _read_name(answer: JsonObject, requested: Domain) -> str:
    """Return the name in the response. Raises ProviderError "changed" if it is not the requested name."""
    name = must(answer, "unicodeName" if answer.get("ldhName") is None else "ldhName", str)
    try:
        found = normalise_host(_bare(name))
    except ValueError:
        found = name
    if found != requested.registrable:
        raise ProviderError(f"The registry returned a different name than {requested.registrable}.", reason="changed")
    return found


def _read_events(answer: JsonObject) -> dict[str, datetime]:
    """Return the first time of each kind of event, by the event's action in lower case."""
    when: dict[str, datetime] = {}
    for action, happened in read_each(answer, "events[]", _read_event):
        when.setdefault(action, happened)
    return when


def _read_event(event: JsonObject) -> tuple[str, datetime] | None:
    action, happened = at(event, "eventAction", str), instant(event, "eventDate")
    return (action.strip().lower(), happened) if action and happened else None


def find_status(text: str) -> str:
    """Return a status in RDAP's wording, in lower case.

    Some registries send EPP names (`clientTransferProhibited`, `ok`) followed by a URL. A name that is missing from RFC
    8056 is split into words.
    """
    words = " ".join(word for word in text.split() if "://" not in word)
    known = _EPP.get(_LETTERS.sub("", words.lower()))
    return known or " ".join(_HUMP.sub(" ", words).replace("_", " ").lower().split())


def _read_status(text: str) -> str | None:
    return find_status(text) or None


def _read_registrar(answer: JsonObject) -> Registrar | None:
    entity = rdap.find_entity(answer, "registrar")
    if entity is None:
        return None
    abuse = rdap.find_entity(entity, "abuse") or rdap.find_entity(answer, "abuse")
    card, abuse_card = rdap.read_card(entity), rdap.read_card(abuse) if abuse else {}
    iana_id = _read_iana_id(entity)
    handle = (at(entity, "handle", str) or "").strip()
    names = [*card.get("fn", []), *card.get("org", []), handle if handle != iana_id else ""]
    registrar = Registrar(
        name=next(filter(None, names), None),
        iana_id=iana_id,
        url=_read_website(entity, card),
        abuse_email=next((email for email in abuse_card.get("email", []) if "@" in email), None),
        abuse_phone=next(filter(None, map(_read_phone, abuse_card.get("tel", []))), None),
    )
    return registrar if any(registrar.model_dump().values()) else None


def _read_iana_id(entity: JsonObject) -> str | None:
    for public_id in rdap.list_objects(entity, "publicIds"):
        if (at(public_id, "type", str) or "").lower() == "iana registrar id":
            return (at(public_id, "identifier", str) or "").strip() or None
    return None


def _read_website(entity: JsonObject, card: dict[str, list[str]]) -> str | None:
    about = (link for link in rdap.list_objects(entity, "links") if at(link, "rel", str) == "about")
    # the link to a registrar's RDAP service also has rel "about", but is not the registrar's website
    pages = [link for link in about if at(link, "type", str) != "application/rdap+json"]
    for url in [*texts(entity, "url"), *card.get("url", []), *texts(pages, "[].href")]:
        try:
            normalise_url(url)
        except ValueError:
            continue
        return url
    return None


def _read_phone(text: str) -> str | None:
    """Return a phone number that can be dialed.

    Return None for a fax, and for the parts of a number that some servers split.
    """
    number = text.removeprefix("tel:").partition(";")[0].strip()
    digits = sum(character.isdigit() for character in number)
    return number if _PHONE.fullmatch(number) and digits >= _MIN_PHONE_DIGITS else None


def _read_nameservers(answer: JsonObject) -> list[str]:
    member = "nameservers" if "nameservers" in answer else "nameServers"
    names = read_rows(at(answer, member, list) or [], _read_nameserver, f"{member}[]")
    return list(dict.fromkeys(names))


def _read_nameserver(item: Any) -> str | None:
    return _bare(item if isinstance(item, str) else at(item, "ldhName", str) or "") or None


def _read_dnssec(secure_dns: JsonObject) -> Dnssec:
    return Dnssec(
        signed=at(secure_dns, "delegationSigned", bool),
        ds_records=len(rdap.list_objects(secure_dns, "dsData")),
    )


def _bare(name: str) -> str:
    return name.strip().rstrip(".").lower()


def render(r: Registration) -> str:
    return (
        Md(f"{r.domain}: registration")
        .facts(
            [
                ("Unicode", r.unicode_domain if r.unicode_domain != r.domain else None),
                ("Registered", r.registered_at),
                ("Expires", r.expires_at),
                ("Updated", r.updated_at),
                ("Age", None if r.age_days is None else f"{r.age_years} years ({r.age_days} days)"),
                *(_registrar_facts(r.registrar) if r.registrar else ()),
                ("DNSSEC", {True: "signed", False: "not signed", None: None}[r.dnssec.signed]),
            ]
        )
        .bullets("Nameservers", r.nameservers)
        .bullets("Status", r.status)
        .source(f"RDAP, {r.rdap_server}")
        .text()
    )


def _registrar_facts(registrar: Registrar) -> list[tuple[str, str | None]]:
    iana_id = f"IANA id {registrar.iana_id}" if registrar.iana_id else None
    return [
        ("Registrar", f"{registrar.name} ({iana_id})" if registrar.name and iana_id else registrar.name or iana_id),
        ("Registrar's site", registrar.url),
        ("Abuse contact", ", ".join(filter(None, (registrar.abuse_email, registrar.abuse_phone)))),
    ]


extractor = Extractor(
    name="domain_registration",
    path="/domain/registration",
    version=3,
    group="domain_intel",
    title="Domain registration",
    description=(
        "Returns the registration, update and expiry dates of a domain, its age, registrar, nameservers, DNSSEC and "
        "status from the registry's RDAP service. A top-level domain without an RDAP service returns `empty_result`."
    ),
    params=RegistrationParams,
    identity=lambda params: {"domain": params.domain.registrable},
    result=Registration,
    credits=1,
    fresh=days(7),
    sources=(Source(rdap.RDAP, rdap.lookup, read),),
    render=render,
    ends={
        "not_found": "The name is not registered.",
        "empty_result": "The top-level domain has no RDAP service.",
    },
    example={"domain": "example.com"},
)
