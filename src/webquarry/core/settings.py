"""All settings, read once when a process starts (`Settings.from_environment`).

Every field has a default that works on a plain machine. Its description is printed on the settings page.
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
"""Variable that holds a caller's key in examples. It is not a setting, but may be set in the same environment."""
CLIENT_VARIABLES = frozenset({CALLERS_KEY, "WEBQUARRY_API_KEY", "WEBQUARRY_SERVER"})
"""Variables of clients: `webquarry get --server` reads them, but the server does not."""
PROJECT_URL = "https://webquarry.example"


class SettingsError(Exception):
    """A setting is invalid. The message names the variable and the rule."""


def _list(value: Any) -> Any:
    return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value


MIN_SECRET = 32


def _check_secret(value: str | None) -> str | None:
    if value is not None and len(value) < MIN_SECRET:
        raise ValueError(f"must have at least {MIN_SECRET} characters; you can generate it with `openssl rand -hex 32`")
    return value


def _check_address(value: str) -> str:
    """Validate a base URL and return it without a trailing slash."""
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0 or "?" in value or "#" in value:
        raise ValueError("must start with http:// or https:// and a host, and must not contain ? or #")
    return value.rstrip("/")


def _check_networks(value: tuple[str, ...]) -> tuple[str, ...]:
    for text in value:
        ip_network(text, strict=False)
    return value


TextList = Annotated[tuple[str, ...], BeforeValidator(_list)]


class Settings(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    data_dir: Path = Field(Path("data"), description="Directory that stores all data of the service.")
    database_url: str | None = Field(
        None, description="PostgreSQL URL (postgresql://…). Default: SQLite in the data directory.", repr=False
    )
    redis_url: str | None = Field(
        None,
        description="Redis or Valkey URL. Required to share rate limits and identical requests between servers.",
        repr=False,
    )
    base_url: Annotated[str, AfterValidator(_check_address)] = Field(
        "http://127.0.0.1:8080", description="Public URL of this service, used in all links."
    )
    host: str = Field("127.0.0.1", description="Address to listen on.")
    port: int = Field(8080, ge=0, le=65535, description="Port to listen on; 0 selects a free port.")
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="Minimum log level.")
    log_format: Literal["auto", "json", "text"] = Field(
        "auto", description="Format of log lines. auto: text on a terminal, JSON otherwise."
    )
    log_file: Path | None = Field(
        None, description="Log file to use instead of standard error. Each server needs its own file."
    )
    log_file_mb: int = Field(
        50, ge=1, description="Maximum size in megabytes of the log file before it is rotated (to log.1, log.2, …)."
    )
    log_files: int = Field(5, ge=1, le=1000, description="Number of rotated log files to keep.")

    rate_limit_per_minute: int = Field(60, ge=1, description="Requests that a key can send in any 60 seconds.")
    account_rate_limit_per_minute: int | None = Field(
        None,
        ge=1,
        description="Requests that all keys, apps and sessions of an account together can send in any 60 seconds. "
        "Default: the limit for one key.",
    )
    new_account_credits: int = Field(10, ge=0, description="Credits that a new account gets.")
    registration: Literal["open", "closed"] = Field(
        "open", description="Whether anyone can sign up (open) or only administrators can create accounts (closed)."
    )
    secret: Annotated[str | None, AfterValidator(_check_secret)] = Field(
        None,
        description="Secret that encrypts the secrets of second factors and webhooks in the database. It must have at "
        "least 32 characters and be the same on all servers. Do not store it with backups. Without this setting, these "
        "secrets are stored unencrypted.",
        repr=False,
    )
    smtp_host: str | None = Field(
        None,
        description="SMTP server for outgoing email. Required to confirm addresses and to reset passwords by email.",
    )
    smtp_port: int = Field(
        0, ge=0, le=65535, description="Port of the SMTP server; 0 selects the default, 587 or (with tls) 465."
    )
    smtp_security: Literal["starttls", "tls", "none"] = Field(
        "starttls", description="Encryption of the SMTP connection. Use none only on a private network."
    )
    smtp_user: str | None = Field(None, description="User name for the SMTP server, if it requires one.")
    smtp_password: str | None = Field(None, description="Password for the SMTP server.", repr=False)
    mail_from: str = Field(
        "Webquarry <webquarry@localhost>",
        pattern=r"^[^\r\n]{3,300}$",
        description="Sender of emails: an address, or a name followed by an address in angle brackets.",
    )
    trusted_proxies: Annotated[TextList, AfterValidator(_check_networks)] = Field(
        (),
        description="Addresses or networks of your reverse proxies (10.0.0.0/8, comma-separated). X-Forwarded-For is "
        "trusted only from these.",
    )
    first_account_credits: int = Field(
        1000,
        ge=0,
        description="Credits for the account that is created when a server first starts. This account gets at least as "
        "many credits as any new account.",
    )
    max_runs: int = Field(
        1024,
        ge=1,
        description="Maximum number of concurrent runs. Additional requests get 503, but up to the same number "
        "may start for accounts that use less than an equal share.",
    )
    workers: int = Field(
        0,
        ge=0,
        description="Number of pages and files converted at the same time, each in its own process; 0 uses the number "
        "of processors.",
    )
    jobs: bool = Field(
        True,
        description="Whether this server runs jobs. If false, the server only accepts jobs, for other servers to run.",
    )
    jobs_at_once: int = Field(
        32, ge=1, description="Maximum number of job items that this server runs at the same time."
    )
    jobs_per_account: int = Field(10, ge=1, description="Maximum number of open jobs per account.")
    job_items_per_account: int = Field(
        100_000, ge=1, description="Maximum number of unfinished items in an account's open jobs."
    )
    webhook_days: int = Field(30, ge=2, description="Days for which webhook deliveries are kept.")
    cache_mb: int = Field(64, ge=0, description="Size of the in-memory cache for responses, in megabytes.")
    keep_days: int = Field(30, ge=1, description="Days for which a conversion can be fetched by its ID.")
    audit_days: int = Field(400, ge=1, description="Days for which audit log entries are kept.")
    request_log_days: int = Field(
        30, ge=0, le=366, description="Days for which each account's request log is kept; 0 keeps no log."
    )
    keep_wire_hours: int = Field(
        24, ge=0, description="Hours for which providers' raw responses are kept; 0 keeps no responses."
    )

    user_agent: str = Field(
        f"Webquarry/0.1 (+{PROJECT_URL})", description="User-Agent header sent to the sites that the service reads."
    )
    browser_headers: bool = Field(
        True,
        description="Whether providers that reject other clients receive the User-Agent, Accept, Accept-Language, "
        "Referer and Origin headers of an ordinary browser. If false, all providers receive the service's User-Agent.",
    )
    robots: Literal["ignore", "respect"] = Field(
        "ignore", description="Whether to respect robots.txt when a caller requests a page."
    )
    egress_allow: TextList = Field(
        (), description="Non-public targets that the service may connect to (host:port, comma-separated)."
    )
    egress_ports: Annotated[tuple[int, ...], BeforeValidator(_list)] = Field(
        (), description="Ports that the service may connect to in addition to 80, 443, 8080 and 8443 (comma-separated)."
    )
    proxy_url: str | None = Field(
        None,
        description="Proxy for all outgoing requests, as scheme://user:password@host:port. The scheme is http, socks5 "
        "(host names are resolved and checked locally) or socks5h (the proxy resolves them).",
        repr=False,
    )
    browser_proxy_address: str | None = Field(
        None,
        description="Address (host:port) of this service's proxy for a remote browser. Default: a free "
        "port on loopback.",
    )
    chromium_path: Path | None = Field(
        None,
        description="Path of the Chromium that renders pages which need JavaScript. Default: the installed chromium, "
        "Google Chrome or Playwright's Chromium.",
    )
    browser_pages: int = Field(
        4, ge=1, description="Number of pages rendered at the same time. Up to twice as many can wait per account."
    )
    browser_recycle_pages: int = Field(500, ge=1, description="Number of pages after which the browser is restarted.")
    browser_recycle_mb: int = Field(
        1500, ge=1, description="Memory limit in megabytes; the browser is restarted when it uses more."
    )
    browser_process_mb: int = Field(
        1200,
        ge=200,
        description="Memory limit in megabytes of one browser process. A page that exceeds it is stopped.",
    )
    browser_idle_s: float = Field(120.0, gt=0, description="Seconds of inactivity after which the browser is stopped.")
    browser_cdp_url: str | None = Field(
        None,
        description="DevTools URL (http:// or ws://) of a remote browser to use instead of a local one. Requires "
        "browser_proxy_address.",
        repr=False,
    )
    host_concurrency: int = Field(
        8, ge=1, description="Maximum number of concurrent requests to one host, unless a provider sets its own limit."
    )
    connect_timeout_s: float = Field(5.0, gt=0, description="Timeout in seconds for connecting to a site.")
    page_wire_mb: int = Field(
        10, ge=1, description="Maximum size in megabytes of a provider's response as transferred."
    )
    page_inflated_mb: int = Field(
        20, ge=1, description="Maximum size in megabytes of a provider's response after decompression."
    )
    serper_key: str | None = Field(None, description="API key for Serper (search and maps).", repr=False)
    serpapi_key: str | None = Field(None, description="API key for SerpApi (AI overviews and trends).", repr=False)
    brave_key: str | None = Field(None, description="API key for the Brave Search API.", repr=False)
    searxng_url: Annotated[str, AfterValidator(_check_address)] | None = Field(
        None,
        description="URL of your SearXNG instance with JSON output enabled. If it is not public, set egress_allow too.",
    )
    google_cse_key: str | None = Field(None, description="API key for Google Programmable Search.", repr=False)
    google_cse_id: str | None = Field(None, description="ID (cx) of your Google Programmable Search engine.")
    google_places_key: str | None = Field(
        None, description="API key for the Google Places API (New), for maps.", repr=False
    )
    gemini_key: str | None = Field(
        None, description="API key for the Gemini API. Its grounded answers are used as AI overviews.", repr=False
    )
    gemini_model: str = Field("gemini-flash-latest", description="Gemini model to use.")
    searchengine_browser: bool = Field(
        False, description="Whether to read AI overviews from the search page, rendered in a browser."
    )
    maps_browser: bool = Field(
        False, description="Whether to read a place from its Google Maps page first, rendered in a browser."
    )
    untested_sources: bool = Field(
        False,
        description="Whether to use untested providers that need no key alongside tested ones. If false, they are only "
        "used where no tested provider is configured.",
    )
    bing: bool = Field(False, description="Whether to use Bing's results page as the last provider for search.")
    tikhub_key: str | None = Field(None, description="API key for TikHub (short-video shop).", repr=False)
    scrapecreators_key: str | None = Field(
        None, description="API key for ScrapeCreators (short-video shop).", repr=False
    )
    microblog_fx_base_url: Annotated[str, AfterValidator(_check_address)] = Field(
        "https://api.fxtwitter.com",
        description="URL of the FxTwitter API for microblog posts. If you use your own instance and it is not public, "
        "set egress_allow too.",
    )
    x_api_bearer_token: str | None = Field(
        None, description="Bearer token for the X API (microblog posts). X charges for each request.", repr=False
    )
    youtube_data_key: str | None = Field(None, description="API key for the YouTube Data API v3 (videos).", repr=False)
    similarweb_key: str | None = Field(None, description="API key for Similarweb (traffic).", repr=False)
    traffic_reseller_url: str | None = Field(
        None,
        pattern=r"^https?://[^\s]*\{domain\}[^\s]*$",
        description="URL of a reseller of Similarweb data, with {domain} as the placeholder for the domain.",
    )
    traffic_reseller_header: str = Field(
        "x-api-key", pattern=r"^[A-Za-z0-9-]{1,64}$", description="Header for the reseller's API key."
    )
    traffic_reseller_key: str | None = Field(None, description="API key for the reseller.", repr=False)
    traffic_reseller_pointer: str = Field(
        "",
        pattern=r"^(?:/.*)?$",
        description="JSON pointer such as /data to Similarweb's object in the reseller's response. Default: the object "
        "is searched at the top level and below data, result and response.",
    )
    semrush_key: str | None = Field(None, description="API key for Semrush (SEO metrics).", repr=False)
    dataforseo_login: str | None = Field(None, description="DataForSEO login (SEO metrics).")
    dataforseo_key: str | None = Field(None, description="DataForSEO API password.", repr=False)
    ahrefs_key: str | None = Field(
        None, description="API key for Ahrefs, available for free (domain ratings).", repr=False
    )
    open_pagerank_key: str | None = Field(
        None, description="API key for Open PageRank, available for free (domain ratings).", repr=False
    )
    ranks_url: str = Field(
        "https://openpagerank.keywordseverywhere.com/downloads/top10milliondomains.csv.zip",
        pattern="^https?://",
        description="Download URL of the list of domain ranks for webquarry ranks update.",
    )
    ranks_file: Path | None = Field(
        None,
        description="Local list of domain ranks (CSV or zip) for webquarry ranks update to use instead of a download.",
    )
    ads_socialnet_token: str | None = Field(
        None, description="User access token for the Meta Ad Library API (social-network ads).", repr=False
    )
    ads_socialnet_doc_id: str | None = Field(
        None,
        description="ID (doc_id) of the ad library's query for more ads. Set it if the built-in one stops working.",
    )
    logo_dev_key: str | None = Field(None, description="Publishable key (pk_…) for Logo.dev (logos).", repr=False)
    cors_origins: TextList = Field(
        (),
        description="Origins whose pages may call the API from a browser (https://app.example, comma-separated; * for "
        "any). Visitors can read an API key that a page contains.",
    )
    metrics: Literal["local", "token", "open"] = Field(
        "local",
        description="Who can read /metrics without a token. local: requests from this machine that don't pass through "
        "a proxy, if no token is set. token: nobody. open: everybody.",
    )
    metrics_token: str | None = Field(
        None,
        description="Bearer token for /metrics. Once the token is set, every request needs it.",
        repr=False,
    )
    traces_url: Annotated[str, AfterValidator(_check_address)] | None = Field(
        None,
        description="Address of an OpenTelemetry collector (http://127.0.0.1:4318) to which traces are sent with "
        "OTLP over HTTP. Requires webquarry[otel].",
    )

    @property
    def smtp_port_in_use(self) -> int:
        """The port of the SMTP server: the configured port, or the usual port."""
        return self.smtp_port or (465 if self.smtp_security == "tls" else 587)

    @property
    def requests_per_account(self) -> int:
        """Number of requests that an account may make in any 60 seconds."""
        return self.account_rate_limit_per_minute or self.rate_limit_per_minute

    def in_sandbox(self) -> Self:
        """Return the settings of the sandbox's store, which has a separate folder."""
        return self.model_copy(update={"data_dir": self.data_dir / "sandbox", "database_url": None, "redis_url": None})

    @classmethod
    def from_environment(cls, environment: Mapping[str, str], **overrides: Any) -> Self:
        """Read settings from `WEBQUARRY_*` variables. `overrides` (command-line options) take precedence.

        Empty variables count as unset. Raises SettingsError, which names the variable and the rule, for invalid values
        and unknown variables.
        """
        given: dict[str, Any] = {
            name.removeprefix(PREFIX).lower(): value
            for name, value in environment.items()
            if name.startswith(PREFIX) and name not in CLIENT_VARIABLES and value != ""
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
