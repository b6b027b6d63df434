"""Strings that identify block pages: values of vendors' headers, fragments of their markup, and complete titles.

All strings are lower case with straight apostrophes and single spaces. A mark must be specific to a vendor or a
language, never to a single site. Phrases in the text of block pages are in `phrases`.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

BlockKind = Literal["login", "captcha", "challenge", "consent", "denied", "shell"]


class Mark(NamedTuple):
    """A mark of a block page.

    sign: the text to search for. kind: the kind of block page. vendor: the vendor that uses the mark, or None if
    several vendors use it.
    """

    sign: str
    kind: BlockKind
    vendor: str | None = None


HEADERS: tuple[tuple[str, str, Mark], ...] = (
    # Names of headers and the beginning of their values. Only block pages have these headers.
    ("cf-mitigated", "challenge", Mark("cf-mitigated: challenge", "challenge", "Cloudflare")),
    ("x-amzn-waf-action", "captcha", Mark("x-amzn-waf-action: captcha", "captcha", "AWS WAF")),
    ("x-amzn-waf-action", "challenge", Mark("x-amzn-waf-action: challenge", "challenge", "AWS WAF")),
    ("x-sucuri-block", "", Mark("x-sucuri-block", "denied", "Sucuri")),
    ("x-vercel-mitigated", "challenge", Mark("x-vercel-mitigated: challenge", "challenge", "Vercel")),
    ("x-vercel-mitigated", "deny", Mark("x-vercel-mitigated: deny", "denied", "Vercel")),
)

GUARD_HEADERS: tuple[tuple[str, str, Mark], ...] = (
    # Names of headers and a part of their values. Every response of a protected site has these headers, so they only
    # identify the vendor that refused the request.
    ("x-datadome", "", Mark("x-datadome", "denied", "DataDome")),
    ("x-kpsdk-ct", "", Mark("x-kpsdk-ct", "challenge", "Kasada")),
    ("x-iinfo", "", Mark("x-iinfo", "denied", "Imperva")),
    ("x-sucuri-id", "", Mark("x-sucuri-id", "denied", "Sucuri")),
    ("server", "ddos-guard", Mark("server: ddos-guard", "denied", "DDoS-Guard")),
    ("server", "akamaighost", Mark("server: AkamaiGHost", "denied", "Akamai")),
    ("server", "qrator", Mark("server: QRATOR", "denied", "Qrator")),
    ("set-cookie", "datadome=", Mark("cookie datadome", "denied", "DataDome")),
    ("set-cookie", "_pxhd=", Mark("cookie _pxhd", "denied", "HUMAN")),
    ("set-cookie", "incap_ses_", Mark("cookie incap_ses", "denied", "Imperva")),
    ("set-cookie", "ak_bmsc=", Mark("cookie ak_bmsc", "denied", "Akamai")),
    ("set-cookie", "__ddg", Mark("cookie __ddg", "denied", "DDoS-Guard")),
)
GUARDED_STATUS = frozenset({401, 403, 405, 406, 418, 429, 430, 503})

SURE: tuple[Mark, ...] = (
    # Marks in the markup of interstitials. The pages that follow an interstitial never contain them.
    Mark("_cf_chl_opt", "challenge", "Cloudflare"),
    Mark("cf-browser-verification", "challenge", "Cloudflare"),
    Mark("/orchestrate/chl_page", "challenge", "Cloudflare"),
    Mark("/orchestrate/jsch/", "challenge", "Cloudflare"),
    Mark("/cdn-cgi/l/chk_jschl", "challenge", "Cloudflare"),
    Mark("/cdn-cgi/l/chk_captcha", "captcha", "Cloudflare"),
    Mark("cf-captcha-container", "captcha", "Cloudflare"),
    Mark("captcha-delivery.com/c", "captcha", "DataDome"),
    Mark("captcha-delivery.com/i", "challenge", "DataDome"),
    Mark('id="px-captcha"', "captcha", "HUMAN"),
    Mark("id='px-captcha'", "captcha", "HUMAN"),
    Mark("captcha.px-cdn.net", "captcha", "HUMAN"),
    Mark("captcha.px-cloud.net", "captcha", "HUMAN"),
    Mark("wudnsai=", "denied", "Imperva"),
    Mark("reeseskipexpirationcheck", "challenge", "Imperva"),
    Mark("incapsula incident id", "denied", "Imperva"),
    Mark("onprotectioninitialized", "challenge", "Imperva"),
    Mark("/_sec/cp_challenge/", "challenge", "Akamai"),
    Mark("sec-if-cpt-container", "challenge", "Akamai"),
    Mark("sec-cpt-if", "challenge", "Akamai"),
    Mark("sec-bc-tile-parent", "challenge", "Akamai"),
    Mark("bm-verify=", "challenge", "Akamai"),
    Mark("errors.edgesuite.net", "denied", "Akamai"),
    Mark("errors&#46;edgesuite&#46;net", "denied", "Akamai"),
    Mark("window.gokuprops", "challenge", "AWS WAF"),
    Mark("awswafcookiedomainlist", "challenge", "AWS WAF"),
    Mark("window.kpsdk={}", "challenge", "Kasada"),
    Mark("kpsdk.start=kpsdk.now()", "challenge", "Kasada"),
    Mark("sucuri_cloudproxy_js", "challenge", "Sucuri"),
    Mark("sucuri website firewall", "denied", "Sucuri"),
    Mark("/.well-known/ddos-guard/js-challenge", "challenge", "DDoS-Guard"),
    Mark("/.well-known/ddos-guard/ddg-captcha-page", "captcha", "DDoS-Guard"),
    Mark("/.well-known/sgcaptcha/", "captcha", "SiteGround"),
    Mark("acw_sc__v2", "challenge", "Alibaba"),
    Mark("$_ts=window['$_ts']", "challenge", "River Security"),
    Mark("/.well-known/vercel/security/", "challenge", "Vercel"),
    Mark('id="anubis_', "challenge", "Anubis"),
    Mark("/_fs-ch-", "challenge", "Fastly"),
    Mark("_wafchallengeid", "challenge"),
    Mark("_____tmd_____/punish", "captcha", "Alibaba"),
    Mark("validate.perfdrive.com", "captcha", "Radware"),
    Mark("distil_r_captcha", "captcha", "Imperva"),
    Mark("/__qrator/qauth", "challenge", "Qrator"),
    Mark("slowaes.decrypt(", "challenge"),
    Mark("/errors/validatecaptcha", "captcha"),
    Mark("/checkcaptcha?", "captcha"),
    Mark("generated by wordfence", "denied", "Wordfence"),
)

LEAKY: tuple[Mark, ...] = (
    # Marks in the markup of interstitials and of the pages that follow them. They count only if the page has no other
    # content.
    Mark("_incapsula_resource?swjiylwa=", "challenge", "Imperva"),
    Mark("token.awswaf.com", "challenge", "AWS WAF"),
    Mark("captcha.awswaf.com", "captcha", "AWS WAF"),
    Mark("/.well-known/ddos-guard/", "challenge", "DDoS-Guard"),
    Mark("challenges.cloudflare.com/turnstile", "captcha", "Cloudflare"),
    Mark("js.hcaptcha.com", "captcha", "hCaptcha"),
    Mark("hcaptcha.com/1/api.js", "captcha", "hCaptcha"),
    Mark("arkoselabs.com/fc/", "captcha", "Arkose"),
    Mark("smartcaptcha.", "captcha", "Yandex"),
    Mark("initgeetest", "captcha", "GeeTest"),
    Mark("secsdk-captcha", "captcha"),
)

TITLES: tuple[Mark, ...] = (
    # Complete titles of block pages, apart from the site's name.
    Mark("just a moment...", "challenge", "Cloudflare"),
    Mark("attention required! | cloudflare", "denied", "Cloudflare"),
    Mark("ddos-guard", "challenge", "DDoS-Guard"),
    Mark("ddos protection", "challenge"),
    Mark("vercel security checkpoint", "challenge", "Vercel"),
    Mark("making sure you're not a bot", "challenge", "Anubis"),
    Mark("client challenge", "challenge"),
    Mark("checking your browser", "challenge"),
    Mark("one moment, please", "challenge"),
    Mark("browser check", "challenge"),
    Mark("radware bot manager captcha", "captcha", "Radware"),
    Mark("captcha", "captcha"),
    Mark("security check", "captcha"),
    Mark("robot check", "captcha"),
    Mark("robot or human", "captcha"),
    Mark("are you a robot", "captcha"),
    Mark("are you human", "captcha"),
    Mark("human verification", "captcha"),
    Mark("bot verification", "captcha"),
    Mark("verify you are human", "captcha"),
    Mark("verification required", "captcha"),
    Mark("access to this page has been denied", "denied", "HUMAN"),
    Mark("pardon our interruption", "denied", "Imperva"),
    Mark("sucuri website firewall", "denied", "Sucuri"),
    Mark("access denied", "denied"),
    Mark("403 forbidden", "denied"),
    Mark("error 403", "denied"),
    Mark("429 too many requests", "denied"),
    Mark("too many requests", "denied"),
    Mark("request rejected", "denied"),
    Mark("request blocked", "denied"),
    Mark("you have been blocked", "denied"),
    Mark("zugriff verweigert", "denied"),
    Mark("accès refusé", "denied"),
    Mark("acceso denegado", "denied"),
    Mark("acesso negado", "denied"),
    Mark("accesso negato", "denied"),
    Mark("toegang geweigerd", "denied"),
    Mark("odmowa dostępu", "denied"),
    Mark("доступ запрещен", "denied"),
    Mark("доступ запрещён", "denied"),
    Mark("访问被拒绝", "denied"),
    Mark("アクセスが拒否", "denied"),
    Mark("액세스가 거부", "denied"),
    Mark("nur einen moment...", "challenge", "Cloudflare"),
    Mark("einen moment...", "challenge", "Cloudflare"),
    Mark("un instant...", "challenge", "Cloudflare"),
    Mark("un momento...", "challenge", "Cloudflare"),
    Mark("um momento...", "challenge", "Cloudflare"),
    Mark("een moment geduld...", "challenge", "Cloudflare"),
    Mark("jeszcze chwila...", "challenge", "Cloudflare"),
    Mark("один момент...", "challenge", "Cloudflare"),
    Mark("请稍候", "challenge", "Cloudflare"),
    Mark("しばらくお待ちください", "challenge", "Cloudflare"),
    Mark("잠시만 기다", "challenge", "Cloudflare"),
    Mark("安全验证", "captcha"),
    Mark("人机验证", "captcha"),
    Mark("вы не робот", "captcha"),
    Mark("проверка браузера", "challenge"),
)


def find_by_header(headers: Mapping[str, str]) -> Mark | None:
    """Return the mark that matches one of the headers, or None if no header is specific to block pages.

    headers: values by lower-case name.
    """
    for name, value, mark in HEADERS:
        if name in headers and headers[name].lower().startswith(value):
            return mark
    return None
