"""All settings, read once when a process starts (`Settings.from_environment`).

Every field works untouched on a bare machine; its description is the sentence that the settings page prints.
"""

from collections.abc import Mapping
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from webquarry.core.setting_rules import state_rule
from webquarry.core.spelling import find_meant

PREFIX = "WEBQUARRY_"
CALLERS_KEY = "WEBQUARRY_KEY"
"""What examples call a caller's key: it may stand in the same environment, and is no setting."""
PROJECT_URL = "https://webquarry.example"


class SettingsError(Exception):
    """A setting cannot be used; the message names the variable and the rule."""


def _list(value: Any) -> Any:
    return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value


MIN_SECRET = 32


def _check_secret(value: str | None) -> str | None:
    if value is not None and len(value) < MIN_SECRET:
        raise ValueError(f"must have at least {MIN_SECRET} characters, such as those of `openssl rand -hex 32`")
    return value


def _check_address(value: str) -> str:
    """An address that paths are put behind, without the slash at its end."""
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0 or "?" in value or "#" in value:
        raise ValueError("must begin with http:// or https:// and a host, and end without ? and #")
    return value.rstrip("/")


def _check_networks(value: tuple[str, ...]) -> tuple[str, ...]:
    for text in value:
        ip_network(text, strict=False)
    return value


TextList = Annotated[tuple[str, ...], BeforeValidator(_list)]


class Settings(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    data_dir: Path = Field(Path("data"), description="Folder that holds everything the service keeps.")
    database_url: str | None = Field(
        None, description="PostgreSQL address (postgresql://…); without it SQLite in the data folder.", repr=False
    )
    redis_url: str | None = Field(
        None, description="Redis or Valkey address that shares limits and flights between replicas.", repr=False
    )
    base_url: Annotated[str, AfterValidator(_check_address)] = Field(
        "http://127.0.0.1:8080", description="Public address of this service, used in every link."
    )
    host: str = Field("127.0.0.1", description="Address to listen on.")
    port: int = Field(8080, ge=0, le=65535, description="Port to listen on; 0 takes a free one.")
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="Least level that is logged.")

    log_file: Path | None = Field(
        None, description="File that the server logs to in place of standard error; each server needs one of its own."
    )
    log_file_mb: int = Field(
        50, ge=1, description="Megabytes at which that file is set aside (as log.1, log.2, …) and a new one begun."
    )
    log_files: int = Field(5, ge=1, le=1000, description="Files set aside that are kept; older ones are deleted.")

    rate_limit_per_minute: int = Field(60, ge=1, description="Requests per key in any 60 seconds.")
    account_rate_limit_per_minute: int | None = Field(
        None,
        ge=1,
        description="Requests per account in any 60 seconds, by all its keys, apps and sessions together; without it, "
        "as many as one key may make.",
    )
    new_account_credits: int = Field(10, ge=0, description="Credits a new account starts with.")
    registration: Literal["open", "closed"] = Field(
        "open", description="Whether people may make accounts for themselves; closed, the operator makes them."
    )
    secret: Annotated[str | None, AfterValidator(_check_secret)] = Field(
        None,
        description="Encrypts secrets of authenticator apps in the database; 32 characters or more, the same for all "
        "replicas, kept apart from backups. Without it they are stored as they are.",
        repr=False,
    )
    smtp_host: str | None = Field(
        None,
        description="Server that takes mail to be sent; with it addresses are confirmed and passwords reset by mail, "
        "without it an address is only a name to sign in by.",
    )
    smtp_port: int = Field(0, ge=0, le=65535, description="Its port; 0 takes the usual one, 587 or (tls) 465.")
    smtp_security: Literal["starttls", "tls", "none"] = Field(
        "starttls", description="How the connection to it is kept secret; none only within a network of yours."
    )
    smtp_user: str | None = Field(None, description="User name at that server, where it asks for one.")
    smtp_password: str | None = Field(None, description="Password of that user.", repr=False)
    mail_from: str = Field(
        "Webquarry <webquarry@localhost>",
        pattern=r"^[^\r\n]{3,300}$",
        description="Sender of letters: an address, or a name before it in angle brackets.",
    )
    trusted_proxies: Annotated[TextList, AfterValidator(_check_networks)] = Field(
        (),
        description="Addresses or networks (10.0.0.0/8, comma-separated) of your reverse proxies, whose "
        "X-Forwarded-For tells who visits; it is believed of nobody else.",
    )
    first_account_credits: int = Field(
        1000,
        ge=0,
        description="Credits of the account that the first start of a server makes for its owner; never fewer than "
        "those of a new account.",
    )
    max_runs: int = Field(
        1024,
        ge=1,
        description="Runs in flight at once; above it new ones are answered 503. Up to as many again begin for "
        "accounts that have less than an equal part of them.",
    )
    workers: int = Field(
        0,
        ge=0,
        description="Pages and files converted at once, each in a process of its own; 0 takes as many as there are "
        "processors.",
    )
    cache_mb: int = Field(64, ge=0, description="Megabytes of ready answers kept in memory.")
    keep_days: int = Field(30, ge=1, description="Days for which a conversion can be fetched again by its id.")
    audit_days: int = Field(
        400, ge=1, description="Days for which the audit log keeps what administrators and owners of accounts did."
    )
    keep_wire_hours: int = Field(24, ge=0, description="Hours for which raw upstream answers are kept; 0 keeps none.")

    user_agent: str = Field(
        f"Webquarry/0.1 (+{PROJECT_URL})", description="How the service names itself to the sites it reads."
    )
    browser_headers: bool = Field(
        True,
        description="Whether sources that answer browsers only are asked with a plain browser's User-Agent, Accept, "
        "Accept-Language, Referer and Origin; off, all are asked by this service's own name.",
    )
    robots: Literal["ignore", "respect"] = Field(
        "ignore", description="Whether robots.txt is consulted for a single page that its caller names."
    )
    egress_allow: TextList = Field(
        (), description="Targets (host:port, comma-separated) that may be visited although they are not public."
    )
    egress_ports: Annotated[tuple[int, ...], BeforeValidator(_list)] = Field(
        (), description="Ports that may be visited beside 80, 443, 8080 and 8443 (comma-separated)."
    )
    proxy_url: str | None = Field(
        None,
        description="Proxy that everything leaves through: http://, socks5:// (names are resolved and judged here) or "
        "socks5h://, as scheme://user:password@host:port.",
        repr=False,
    )
    browser_proxy_address: str | None = Field(
        None,
        description="Address (host:port) of this machine at which a remote browser reaches this service's proxy; "
        "without it a free port on loopback.",
    )
    chromium_path: Path | None = Field(
        None,
        description="The Chromium that renders pages which give no text without scripts; without it the installed one: "
        "chromium, Google Chrome, or Playwright's own.",
    )
    browser_pages: int = Field(
        4, ge=1, description="Pages rendered at once; of one account, twice as many more wait for their turn."
    )
    browser_recycle_pages: int = Field(500, ge=1, description="Pages after which a browser makes way for a new one.")
    browser_recycle_mb: int = Field(
        1500, ge=1, description="Megabytes of its own at which a browser makes way for a new one."
    )
    browser_process_mb: int = Field(
        1200,
        ge=200,
        description="Megabytes that one process of a browser may have for itself; a page that takes more is ended.",
    )
    browser_idle_s: float = Field(120.0, gt=0, description="Seconds without a page after which the browser ends.")
    browser_cdp_url: str | None = Field(
        None,
        description="Remote browser (http:// or ws:// address of its DevTools protocol) used in place of a local one; "
        "needs browser_proxy_address.",
        repr=False,
    )
    host_concurrency: int = Field(8, ge=1, description="Requests to one host at once, unless a source says otherwise.")
    connect_timeout_s: float = Field(5.0, gt=0, description="Seconds for a connection to a site to stand.")
    page_wire_mb: int = Field(10, ge=1, description="Megabytes of one answer as transferred; more is an error.")
    page_inflated_mb: int = Field(20, ge=1, description="Megabytes of one answer once decompressed; more is an error.")
    serper_key: str | None = Field(None, description="Key of Serper, for search and maps.", repr=False)
    serpapi_key: str | None = Field(None, description="Key of SerpApi, for AI overviews and trends.", repr=False)
    brave_key: str | None = Field(None, description="Key of the Brave Search API.", repr=False)
    searxng_url: Annotated[str, AfterValidator(_check_address)] | None = Field(
        None,
        description="Address of a SearXNG instance of yours that answers in JSON; one that is not public needs "
        "egress_allow too.",
    )
    google_cse_key: str | None = Field(None, description="Key of Google's Programmable Search.", repr=False)
    google_cse_id: str | None = Field(None, description="Your engine (cx) of Google's Programmable Search.")
    google_places_key: str | None = Field(None, description="Key of Google's Places API (New), for maps.", repr=False)
    gemini_key: str | None = Field(
        None, description="Key of the Gemini API, whose grounded answers stand in for AI overviews.", repr=False
    )
    gemini_model: str = Field("gemini-flash-latest", description="Which Gemini model is asked.")
    searchengine_browser: bool = Field(
        False, description="Whether AI overviews are looked for on the search page itself, as a browser shows it."
    )
    maps_browser: bool = Field(
        False, description="Whether a place is first read from its page on Google Maps, as a browser shows it."
    )
    bing: bool = Field(False, description="Whether Bing's page of results may be asked, as the last source of search.")
    tikhub_key: str | None = Field(None, description="Key of TikHub, for the short-video shop.", repr=False)
    scrapecreators_key: str | None = Field(
        None, description="Key of ScrapeCreators, for the short-video shop.", repr=False
    )
    microblog_fx_base_url: Annotated[str, AfterValidator(_check_address)] = Field(
        "https://api.fxtwitter.com",
        description="Address of the FxTwitter API that microblog posts are read from; of an instance of your own, one "
        "that is not public needs egress_allow too.",
    )
    x_api_bearer_token: str | None = Field(
        None, description="Bearer token of the X API, for microblog posts; each call is paid for there.", repr=False
    )
    youtube_data_key: str | None = Field(None, description="Key of YouTube's Data API (v3), for videos.", repr=False)
    similarweb_key: str | None = Field(None, description="Key of Similarweb's API, for traffic.", repr=False)
    traffic_reseller_url: str | None = Field(
        None,
        pattern=r"^https?://[^\s]*\{domain\}[^\s]*$",
        description="Address at which a reseller answers with Similarweb's object, with {domain} where the name goes.",
    )
    traffic_reseller_header: str = Field(
        "x-api-key", pattern=r"^[A-Za-z0-9-]{1,64}$", description="Header in which the reseller takes its key."
    )
    traffic_reseller_key: str | None = Field(
        None, description="What is sent in that header: the reseller's key.", repr=False
    )
    traffic_reseller_pointer: str = Field(
        "",
        pattern=r"^(?:/.*)?$",
        description="JSON pointer such as /data to Similarweb's object in the reseller's answer; without it the object "
        "is looked for at the top and below data, result and response.",
    )
    semrush_key: str | None = Field(None, description="Key of Semrush's API, for SEO figures.", repr=False)
    dataforseo_login: str | None = Field(None, description="Your login at DataForSEO, for SEO figures.")
    dataforseo_key: str | None = Field(None, description="DataForSEO's password for its API.", repr=False)
    ahrefs_key: str | None = Field(None, description="Key of Ahrefs, which is free, for domain ratings.", repr=False)
    open_pagerank_key: str | None = Field(
        None, description="Key of Open PageRank, which is free, for domain ratings.", repr=False
    )
    ranks_url: str = Field(
        "https://openpagerank.keywordseverywhere.com/downloads/top10milliondomains.csv.zip",
        pattern="^https?://",
        description="Where webquarry ranks update fetches the list of domain ranks.",
    )
    ranks_file: Path | None = Field(
        None,
        description="A list of domain ranks (CSV or zip) that webquarry ranks update takes in place of fetching it.",
    )
    ads_socialnet_token: str | None = Field(
        None, description="Access token of a user for Meta's Ad Library API, for ads of the social network.", repr=False
    )
    ads_socialnet_doc_id: str | None = Field(
        None,
        description="Number (doc_id) of the query by which the ad library's page asks for more ads, where the known "
        "one no longer holds.",
    )
    logo_dev_key: str | None = Field(None, description="Publishable key (pk_…) of Logo.dev, for logos.", repr=False)
    cors_origins: TextList = Field(
        (),
        description="Origins (https://app.example, comma-separated; * for any) whose pages may call the API from a "
        "browser; a key in a page is known to all its visitors.",
    )
    metrics: Literal["local", "token", "open"] = Field(
        "local",
        description="Who may read /metrics without a token: local lets in who asks on this machine itself, with no "
        "proxy in between, where no token is set; token lets in nobody; open lets in everybody.",
    )
    metrics_token: str | None = Field(
        None,
        description="Bearer token for /metrics; once it is set, everybody needs it.",
        repr=False,
    )

    @property
    def requests_per_account(self) -> int:
        """Requests that an account may make in any 60 seconds."""
        return self.account_rate_limit_per_minute or self.rate_limit_per_minute

    def in_sandbox(self) -> Self:
        """Return the settings of the sandbox's store, which is a folder of its own."""
        return self.model_copy(update={"data_dir": self.data_dir / "sandbox", "database_url": None, "redis_url": None})

    @classmethod
    def from_environment(cls, environment: Mapping[str, str], **overrides: Any) -> Self:
        """Settings of `WEBQUARRY_*` variables; `overrides` (command-line options) win. Empty variables count as unset.

        SettingsError names the variable and the rule, also for a variable that no setting has.
        """
        given: dict[str, Any] = {
            name.removeprefix(PREFIX).lower(): value
            for name, value in environment.items()
            if name.startswith(PREFIX) and name != CALLERS_KEY and value != ""
        }
        given.update({name: value for name, value in overrides.items() if value is not None})
        try:
            return cls.model_validate(given)
        except ValidationError as exc:
            fault = exc.errors(include_url=False, include_input=False)[0]
            name = str(fault["loc"][0])
            field = cls.model_fields.get(name)
            rule = f"is not a setting{_guess(name)}" if field is None else state_rule(fault, field)
            raise SettingsError(f"{_name_variable(name)}: {rule}") from exc


def _name_variable(name: str) -> str:
    return PREFIX + name.upper()


def _guess(name: str) -> str:
    meant = find_meant(name, [*Settings.model_fields])
    return f"; did you mean {_name_variable(meant)}?" if meant else ""
