"""Phrases of block pages in twelve languages.

All phrases are lower case with straight apostrophes and single spaces. A phrase must be specific to a language, never
to a single site.
"""

from collections.abc import Mapping

from webquarry_convert.marks import BlockKind

_CAPTCHA: Mapping[str, str] = {
    "en": (
        "complete the captcha | solve the captcha | solving the above captcha | enter the characters you see | "
        "type the characters you see | i'm not a robot | i am not a robot | are you a robot | "
        "you are not a robot | you're not a robot | you are a human | you're a human | you are human | "
        "you're human | made by a human | press & hold to | press and hold to confirm | "
        "press and hold the button | complete the security check | complete the following challenge | "
        "complete this challenge | slide to verify | drag the slider"
    ),
    "de": (
        "kein roboter sind | kein roboter bist | sind kein roboter | bin kein roboter | dass sie ein mensch sind | "
        "lösen sie das captcha | geben sie die angezeigten zeichen ein | geben sie die zeichen unten ein | "
        "lösen sie bitte das captcha | captcha lösen"
    ),
    "fr": (
        "n'êtes pas un robot | vous êtes humain | vous êtes un humain | ne suis pas un robot | "
        "résoudre le captcha | saisissez les caractères | résolvez le captcha"
    ),
    "es": (
        "no eres un robot | no es un robot | no soy un robot | que eres humano | que es humano | "
        "que es un ser humano | resuelve el captcha | escribe los caracteres que ves | resuelva el captcha"
    ),
    "pt": (
        "não é um robô | não sou um robô | que você é humano | que é humano | você é um robô | resolva o captcha | "
        "digite os caracteres"
    ),
    "it": (
        "non sei un robot | non sono un robot | di essere umano | sei un essere umano | risolvi il captcha | "
        "digita i caratteri | inserisci i caratteri"
    ),
    "nl": "geen robot bent | ik ben geen robot | u een mens bent | je een mens bent | los de captcha op",
    "pl": "nie jesteś robotem | nie jestem robotem | jesteś człowiekiem | rozwiąż captcha",
    "ru": (
        "вы не робот | я не робот | что вы человек | введите символы с картинки | введите код с картинки | "
        "пройдите проверку"
    ),
    "zh": (
        "人机验证 | 安全验证 | 请完成验证 | 请输入验证码 | 拖动滑块 | 滑动验证 | 不是机器人 | 请证明您是人类 | "
        "确认您是真人 | 人機驗證 | 安全驗證 | 不是機器人"
    ),
    "ja": "ロボットではありません | ロボットではないこと | 人間であること | 画像に表示されている文字",
    "ko": "로봇이 아닙니다 | 로봇이 아님 | 사람인지 확인 | 보안문자를 입력",
}
_CHALLENGE: Mapping[str, str] = {
    "en": (
        "checking your browser | checking if the site connection is secure | verifying your browser | "
        "validating your browser | needs to review the security of your connection | "
        "enable javascript and cookies to continue | checking connection | ddos protection by | "
        "this process is automatic | browser integrity check | performing security verification | "
        "we are checking your browser | security service to protect itself | "
        "javascript is required to complete this challenge | making sure you're not a bot | "
        "please wait while we verify | please enable js and disable any ad blocker"
    ),
    "de": (
        "ihr browser wird überprüft | überprüfung ihres browsers | sicherheit ihrer verbindung überprüfen | "
        "überprüfen der sicherheit ihrer verbindung | wir prüfen ihren browser | browser wird geprüft"
    ),
    "fr": (
        "vérification de votre navigateur | vérifions votre navigateur | "
        "vérification de la sécurité de votre connexion | vérifier la sécurité de votre connexion"
    ),
    "es": (
        "comprobando su navegador | comprobando tu navegador | comprobando si la conexión | "
        "verificando su navegador | verificando tu navegador | revisar la seguridad de su conexión"
    ),
    "pt": (
        "verificando seu navegador | verificando o seu navegador | verificando se a conexão | "
        "verificar a segurança da sua conexão"
    ),
    "it": (
        "controllo del browser in corso | verifica del browser | verifica della sicurezza della connessione | "
        "stiamo verificando il tuo browser"
    ),
    "nl": (
        "uw browser wordt gecontroleerd | je browser wordt gecontroleerd | "
        "beveiliging van uw verbinding controleren | we controleren uw browser"
    ),
    "pl": (
        "sprawdzanie przeglądarki | sprawdzamy twoją przeglądarkę | weryfikacja przeglądarki | "
        "sprawdzić bezpieczeństwo połączenia"
    ),
    "ru": (
        "проверка вашего браузера | проверяем ваш браузер | проверка браузера | "
        "проверить безопасность вашего подключения"
    ),
    "zh": (
        "正在检查您的浏览器 | 正在验证您的浏览器 | 检查站点连接是否安全 | 检查您的连接的安全性 | "
        "正在进行安全检查 | 正在檢查您的瀏覽器"
    ),
    "ja": (
        "ブラウザを確認しています | ブラウザをチェックしています | ブラウザーを確認しています | "
        "接続が安全かどうかを確認 | 接続のセキュリティを確認"
    ),
    "ko": "브라우저를 확인하고 | 브라우저 확인 중 | 브라우저를 확인하는 중 | 연결의 보안을 검토",
}
_DENIED: Mapping[str, str] = {
    "en": (
        "unusual traffic | unusual activity from | detected unusual activity | automated requests | "
        "automated queries | automated access to | suspicious activity | malicious activity | too many requests | "
        "rate limit exceeded | you have been rate limited | you are being rate limited | "
        "temporarily rate limited | exceeded the rate limit | sending requests too quickly | "
        "you have been blocked | temporarily blocked | you've been blocked | your ip has been blocked | "
        "your ip address has been blocked | your ip address is blocked | your request has been blocked | "
        "your request was blocked | request blocked | your access has been blocked | "
        "your access to this site has been limited | has banned your ip | has banned you | access denied | "
        "access to this page has been denied | access to this site has been denied | access is denied | "
        "access has been denied | you don't have permission to access | you do not have permission to access | "
        "the requested url was rejected | the request could not be satisfied | request rejected | "
        "request unsuccessful | something about your browser made us think | we think you might be a bot | "
        "we believe you are using automation | blocked by network security | detected that you are a bot | "
        "suspect that you are a bot | server is unable to process automated"
    ),
    "de": (
        "ungewöhnlichen datenverkehr | ungewöhnliche aktivität | automatisierte anfragen | zu viele anfragen | "
        "zugriff verweigert | zugriff wurde verweigert | zugriff wurde blockiert | ihre anfrage wurde blockiert | "
        "ip-adresse wurde gesperrt | sie wurden blockiert"
    ),
    "fr": (
        "trafic inhabituel | activité inhabituelle | trop de requêtes | requêtes automatisées | accès refusé | "
        "accès bloqué | votre accès a été bloqué | vous avez été bloqué | accès à cette page a été refusé | "
        "accès temporairement restreint"
    ),
    "es": (
        "tráfico inusual | actividad inusual | demasiadas solicitudes | demasiadas peticiones | "
        "gran número de solicitudes | solicitudes automatizadas | acceso denegado | acceso bloqueado | "
        "ha sido bloqueado | has sido bloqueado"
    ),
    "pt": (
        "tráfego incomum | atividade incomum | muitas solicitações | muitas requisições | acesso negado | "
        "acesso bloqueado | você foi bloqueado | seu acesso foi bloqueado"
    ),
    "it": (
        "traffico insolito | traffico anomalo | attività insolita | troppe richieste | accesso negato | "
        "accesso bloccato | sei stato bloccato"
    ),
    "nl": (
        "ongebruikelijk verkeer | ongewone activiteit | te veel verzoeken | te veel aanvragen | "
        "toegang geweigerd | toegang is geblokkeerd | u bent geblokkeerd"
    ),
    "pl": (
        "nietypowy ruch | nietypową aktywność | zbyt wiele żądań | zbyt wiele zapytań | odmowa dostępu | "
        "dostęp zabroniony | dostęp zablokowany | zostałeś zablokowany | adres ip został zablokowany"
    ),
    "ru": (
        "подозрительный трафик | необычный трафик | подозрительная активность | автоматические запросы | "
        "запросы, отправленные вами, похожи | запросы с вашего устройства похожи | слишком много запросов | "
        "доступ запрещен | доступ запрещён | доступ ограничен | доступ временно ограничен | доступ заблокирован | "
        "вы заблокированы"
    ),
    "zh": (
        "异常流量 | 访问异常 | 异常访问 | 请求过于频繁 | 访问过于频繁 | 操作过于频繁 | 访问被拒绝 | 拒绝访问 | "
        "禁止访问 | 访问受限 | 您的访问被拦截 | 異常流量 | 存取被拒"
    ),
    "ja": (
        "通常と異なるトラフィック | 不審なアクセス | リクエストが多すぎ | アクセスが拒否 | アクセスが制限 | "
        "アクセスを制限 | アクセスできません"
    ),
    "ko": (
        "비정상적인 트래픽 | 비정상적인 접근 | 비정상적인 요청 | 요청이 너무 많 | 접근이 거부 | 액세스가 거부 | "
        "접속이 차단 | 접근이 차단"
    ),
}
_LOGIN: Mapping[str, str] = {
    "en": (
        "log in to continue | login to continue | sign in to continue | log in to see | sign in to see | "
        "log in to view | login to view | sign in to view | log in to access | login to access | "
        "sign in to access | log in to read | sign in to read | log in to your account | please log in | "
        "please login | please sign in | you must log in | you must login | you must be logged in | "
        "you need to log in | you need to login | you need to be logged in | you need to sign in | "
        "you must sign in | you must be signed in | you have to log in to | login required | login is required | "
        "log in or sign up | sign up or log in | log in or create an account | join to view | sign up to view | "
        'sign in or join | "require_login"'
    ),
    "de": (
        "melden sie sich an, um | melde dich an, um | bitte melden sie sich an | bitte melde dich an | "
        "bitte einloggen | bitte loggen sie sich ein | anmeldung erforderlich | sie müssen angemeldet sein | "
        "sie müssen sich anmelden | einloggen, um"
    ),
    "fr": (
        "connectez-vous pour | veuillez vous connecter | vous devez être connecté | vous devez vous connecter | "
        "identifiez-vous pour | connexion requise"
    ),
    "es": (
        "inicia sesión para | inicie sesión para | debes iniciar sesión | debe iniciar sesión | "
        "por favor, inicia sesión | identifícate para | tienes que iniciar sesión"
    ),
    "pt": (
        "faça login para | faça o login | entre para continuar | você precisa estar logado | "
        "é necessário fazer login | inicia sessão para | inicie sessão para"
    ),
    "it": (
        "accedi per | effettua l'accesso | effettua il login | devi effettuare l'accesso | devi accedere | "
        "è necessario accedere"
    ),
    "nl": ("log in om | meld je aan om | meld u aan om | je moet ingelogd zijn | u moet ingelogd zijn | inloggen om"),
    "pl": ("zaloguj się, aby | zaloguj się, żeby | musisz się zalogować | musisz być zalogowany | wymagane logowanie"),
    "ru": (
        "войдите, чтобы | войдите в аккаунт | необходимо войти | необходимо авторизоваться | "
        "требуется авторизация | авторизуйтесь, чтобы | пожалуйста, войдите"
    ),
    "zh": ("请登录 | 请先登录 | 登录后查看 | 登录后可见 | 登录后继续 | 您需要登录 | 需要登录 | 請登入 | 請先登入"),
    "ja": "ログインしてください | ログインが必要 | ログインして続行 | ログインすると",
    "ko": "로그인이 필요 | 로그인해 주세요 | 로그인 후 이용 | 로그인하세요 | 로그인해야",
}
_CONSENT: Mapping[str, str] = {
    "en": "before you continue to | before you proceed to",
    "de": (
        "bevor sie fortfahren | bevor sie zu | bevor du fortfährst | mit werbung weiterlesen | "
        "mit werbung und tracking | weiter mit werbung | zustimmen oder abonnieren | akzeptieren oder abonnieren"
    ),
    "fr": "avant de continuer | avant d'accéder | accepter ou s'abonner",
    "es": "antes de continuar | antes de ir a",
    "pt": "antes de continuar",
    "it": "prima di continuare | prima di accedere | rifiuta e abbonati",
    "nl": "voordat je verdergaat | voordat u verdergaat",
    "pl": "zanim przejdziesz | zanim rozpoczniesz",
    "ru": "прежде чем продолжить | прежде чем перейти",
    "zh": "在继续之前 | 继续之前 | 继续前往 | 繼續之前",
    "ja": "続行する前に | 進む前に | ご利用の前に",
    "ko": "계속하기 전에 | 계속 진행하기 전에",
}


def _split_phrases(table: Mapping[str, str]) -> Mapping[str, tuple[str, ...]]:
    return {language: tuple(phrases.split(" | ")) for language, phrases in table.items()}


SAYINGS: Mapping[BlockKind, Mapping[str, tuple[str, ...]]] = {
    # The phrases for each kind of block page, in order of precedence.
    "captcha": _split_phrases(_CAPTCHA),
    "challenge": _split_phrases(_CHALLENGE),
    "denied": _split_phrases(_DENIED),
    "login": _split_phrases(_LOGIN),
    "consent": _split_phrases(_CONSENT),
}
_PHRASES: Mapping[BlockKind, tuple[str, ...]] = {
    kind: tuple(phrase for phrases in languages.values() for phrase in phrases) for kind, languages in SAYINGS.items()
}
_ASCII_PHRASES: Mapping[BlockKind, tuple[str, ...]] = {
    kind: tuple(phrase for phrase in phrases if phrase.isascii()) for kind, phrases in _PHRASES.items()
}
"""The phrases that can occur in ASCII text."""
COOKIE_WORDS = (
    *("cookie", "consent", "privacy", "zustimm", "einwillig", "datenschutz", "ciasteczk", "кук", "隐私", "隱私"),
    *("クッキー", "プライバシー", "쿠키", "개인정보"),
)


def find_phrase(text: str, kind: BlockKind) -> str | None:
    """Return the first phrase in `text` that identifies a block page of the given kind."""
    phrases = _ASCII_PHRASES if text.isascii() else _PHRASES
    said = [phrase for phrase in phrases[kind] if phrase in text]
    return said[0] if said else None
