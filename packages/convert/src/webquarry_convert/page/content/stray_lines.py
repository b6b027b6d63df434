"""Lines that belong to the page's user interface rather than its text: labels of advertisements, loading notices, login
prompts, and buttons next to code. They are recognized by their complete wording, because they occur between texts of
the content.
"""

import re

_ADVERTISEMENT_LINES = (
    "advertisement | advertisement. scroll to continue reading | advertisement - scroll to continue | "
    "advertisement. article continues below | advertisement - story continues below | advertisement continue reading | "
    "article continues below advertisement | article continues after advertisement | article continues after ad | "
    "story continues below advertisement | story continues below | scroll to continue with content | "
    "scroll to continue reading | continue reading below | anzeige | werbung | weiterlesen nach der anzeige | "
    "publicité | la suite après cette publicité | publicidad | publicidade | "
    "continua após a publicidade | pubblicità | continua a leggere dopo la pubblicità | advertentie | annons | "
    "annonce | reklama | реклама | 广告 | 廣告 | 広告 | 광고"
)
_CODE_BUTTON_LINES = "copy code | copy to clipboard | copied | copied to clipboard | copy snippet"
_LOADING_LINES = (
    "loading | please wait | one moment | one moment please | just a moment | fetching data | wird geladen | lädt | "
    "daten werden geladen | bitte warten | chargement | chargement en cours | veuillez patienter | cargando | "
    "espere por favor | carregando | a carregar | aguarde | caricamento | caricamento in corso | attendere prego | "
    "bezig met laden | ładowanie | proszę czekać | загрузка | идёт загрузка | идет загрузка | подождите | načítání | "
    "načítám | yükleniyor | indlæser | laddar | laster inn | ladataan | betöltés | se încarcă | φόρτωση | đang tải | "
    "memuat | 加载中 | 正在加载 | 载入中 | 加載中 | 載入中 | 读取中 | 読み込み中 | ロード中 | "
    "로딩 중 | 로딩중 | 불러오는 중 | "
    "جار التحميل | جاري التحميل | טוען"
)
_LOADING = tuple(_LOADING_LINES.split(" | "))
_WORDS = frozenset((*_ADVERTISEMENT_LINES.split(" | "), *_CODE_BUTTON_LINES.split(" | "), *_LOADING))
MAX_CHARS = max(map(len, _WORDS)) + 8
"""Maximum length of such a line, in characters, including the punctuation around its words."""
MAX_WAITING = 5
"""Maximum number of words in a line that begins with a word for loading and ends with dots: `Loading comments…`."""
MAX_LOGIN = 120
"""Maximum length, in characters, of a line that asks visitors to log in before they write."""
_AROUND = " \n.…!-–—*•[]()|▼↓"
_DOTS = ("…", "...")
_PLAIN = frozenset({"div", "p", "section", "aside", "article", "main", "center", "figure", "figcaption", "body"})
"""Elements in which a single word is a stray line. In headings, list items and cells, the word may be the subject."""
_CODE = frozenset({"pre", "code"})
_LOGIN_STARTS = (
    "please", "you", "log", "sign", "regist", "join", "bitte", "du ", "sie ", "melde", "um zu", "zum ", "veuillez",
    "vous", "connect", "identifi", "debes", "inici", "por favor", "tienes", "regístr",
)  # fmt: skip
_LOGIN = re.compile(
    r"""(?:please\ |you\ (?:must|need\ to|have\ to)\ (?:be\ )?)?
        (?:log(?:ged)?[\ -]?in|sign(?:ed)?[\ -]?(?:in|up)|register|join)
        \b.{0,60}\bto\ (?:(?:be\ able\ to\ )?(?:post|reply|comment|answer|vote|participate|react)\b|leave\ (?:a|your)\b
        |create\ (?:an?\ |new\ )?(?:posts?|topics?|threads?)\b|join\ the\ (?:conversation|discussion)
        |write\ an?\ (?:review|comment|answer))
    |(?=.{0,80}(?:anmelde|angemeldet|einlogg|eingeloggt|registrier|melde\ dich))
        (?:bitte|du\ musst|sie\ müssen|melde|um\ zu|zum\ ).{0,80}(?:antwort|komment|beitr|schreib|posten)
    |(?:veuillez|vous\ devez|connectez|identifiez).{0,60}
        \bpour\ (?:répondre|commenter|publier|poster|laisser|participer|créer)
    |(?:debes?|inici[ae]|por\ favor|tienes|regístr).{0,60}\bpara\ (?:responder|comentar|publicar|dejar|participar|crear)
    """,
    re.VERBOSE,
)


def is_stray_line(text: str, tag: str) -> bool:
    """Return whether a text is a stray line. tag: the tag of its element."""
    if len(text) > MAX_LOGIN or tag in _CODE:
        return False
    low = text.lower()
    if low.startswith(_LOGIN_STARTS) and _LOGIN.match(" ".join(low.split())) is not None:
        return True
    if len(text) > MAX_CHARS:
        return False
    if tag in _PLAIN and " ".join(low.split()).strip(_AROUND) in _WORDS:
        return True
    return low.endswith(_DOTS) and is_waiting_line(low)


def is_waiting_line(text: str) -> bool:
    """Return whether a text announces that something is being loaded: `Loading`, `Loading comments…`."""
    words = text.lower().split()
    if len(words) > MAX_WAITING:
        return False
    line = " ".join(words)
    bare = line.strip(_AROUND)
    return bare in _LOADING or (line.endswith(_DOTS) and bare.startswith(_LOADING))
