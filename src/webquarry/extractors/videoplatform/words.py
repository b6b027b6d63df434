"""Words that the platform uses for counts in lists, by language. Words for times are in `read.time_words`.

The words are lower case and separated by spaces. `*` matches any ending, and `_` is a space within a phrase. For
languages without spaces, an entry is the whole text next to the number.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a language.

    starts: words before the time at which something will begin. upcoming: badges with the same meaning. units: the
    language's abbreviations of large numbers, if they differ in meaning from the English ones.
    """

    views: str = ""
    viewers: str = ""
    waiting: str = ""
    subscribers: str = ""
    videos: str = ""
    starts: str = ""
    upcoming: str = ""
    units: Mapping[str, str] = field(default_factory=dict)


LANGUAGES: Final[Mapping[str, Words]] = {
    "en": Words(
        views="view views",
        viewers="watching viewer viewers",
        waiting="waiting",
        subscribers="subscriber subscribers",
        videos="video videos episode episodes lesson lessons",
        starts="premieres scheduled",
        upcoming="upcoming",
    ),
    "de": Words(
        views="aufruf aufrufe",
        viewers="zuschauer schauen sieht sehen",
        waiting="wartet warten wartende*",
        subscribers="abonnent abonnenten",
        videos="video videos folge folgen",
        starts="premiere geplant",
        upcoming="demnächst",
    ),
    "fr": Words(
        views="vue vues",
        viewers="spectateur spectateurs regardent regarde",
        waiting="attente attend attendent",
        subscribers="abonné abonnés",
        videos="vidéo vidéos épisode épisodes",
        starts="première planifié* programmé*",
        upcoming="à_venir prochainement bientôt",
    ),
    "es": Words(
        views="visualización visualizaciones vista vistas visita visitas reproducciones",
        viewers="espectador espectadores usuario usuarios viendo mirando",
        waiting="espera esperando",
        subscribers="suscriptor suscriptores",
        videos="vídeo vídeos video videos episodio episodios",
        starts="estrena estreno programado* programada*",
        upcoming="próximamente próximo",
        units={"mil m": "bn"},
    ),
    "pt": Words(
        views="visualização visualizações exibições",
        viewers="espectador espectadores assistindo a_ver",
        waiting="aguardando espera",
        subscribers="inscrito inscritos subscritor subscritores",
        videos="vídeo vídeos episódio episódios",
        starts="estreia estreará programado* agendad*",
        upcoming="em_breve brevemente",
    ),
    "it": Words(
        views="visualizzazione visualizzazioni",
        viewers="spettatore spettatori guardando",
        waiting="attesa",
        subscribers="iscritto iscritti",
        videos="video episodio episodi",
        starts="anteprima programma programmato* première",
        upcoming="in_arrivo prossimamente",
    ),
    "nl": Words(
        views="weergave weergaven weergaves",
        viewers="kijker kijkers kijken kijkt",
        waiting="wachten wacht wachtende*",
        subscribers="abonnee abonnees abonnee's",
        videos="video video's videos aflevering afleveringen",
        starts="première gepland",
        upcoming="binnenkort aankomend",
    ),
    "pl": Words(
        views="wyświetleni* wyświetleń",
        viewers="ogląda oglądają oglądających widz widzów widzowie",
        waiting="czeka czekają oczekuje oczekują oczekujących",
        subscribers="subskrybent subskrybenci subskrybentów subskrybenta subskrypcji",
        videos="film filmy filmów wideo odcinek odcinki odcinków",
        starts="premiera zaplanowano zaplanowane",
        upcoming="nadchodzące wkrótce",
    ),
    "ru": Words(
        views="просмотр просмотра просмотров просмотры",
        viewers="зритель зрителя зрителей смотрят смотрит",
        waiting="ожидает ожидают ждут ждёт ждет",
        subscribers="подписчик подписчика подписчиков",
        videos="видео серия серии серий выпуск выпуска выпусков",
        starts="премьера запланировано запланирована начнется начнётся",
        upcoming="скоро предстоящий",
    ),
    "uk": Words(
        views="перегляд перегляда перегляди переглядів",
        viewers="глядач глядача глядачі глядачів дивляться дивиться",
        waiting="очікує очікують чекає чекають",
        subscribers="підписник підписника підписники підписників",
        videos="відео серія серії серій",
        starts="прем'єра заплановано",
        upcoming="незабаром очікується",
    ),
    "bg": Words(
        views="показване показвания гледания",
        viewers="зрители гледат гледа",
        waiting="чака чакат чакащи",
        subscribers="абонат абонати абоната",
        videos="видеоклип видеоклипа видеоклипове",
        starts="премиера насрочено",
        upcoming="предстоящо",
    ),
    "sr": Words(
        views="преглед прегледа pregled pregleda",
        viewers="гледа гледају gleda gledaju gledalaca",
        waiting="чека чекају čeka čekaju",
        subscribers="пратилац пратилаца pratilac pratilaca pretplatnik pretplatnika",
        videos="видео видео-снимак видео-снимака videozapisa videozapis",
        starts="премијера premijera zakazano заказано",
        upcoming="uskoro ускоро",
    ),
    "sl": Words(
        views="ogled ogleda ogledi ogledov",
        viewers="gledalec gledalci gledalcev gleda",
        waiting="čaka čakajo",
        subscribers="naročnik naročnika naročnikov",
        videos="videoposnetek videoposnetki videoposnetkov",
        starts="premiera načrtovano",
        upcoming="kmalu",
    ),
    "cs": Words(
        views="zhlédnutí zhliadnutí zhliadnutie zhliadnutia",
        viewers="sleduje sledují sledujú diváků divákov divák diváci",
        waiting="čeká čekají čakajú",
        subscribers="odběratel odběratelé odběratelů odberateľ odberatelia odberateľov",
        videos="video videa videí videá díl díly dílů",
        starts="premiéra naplánováno naplánované",
        upcoming="připravované nadcházející čoskoro již_brzy",
        units={"mil": "m", "tis": "k"},
    ),
    "hu": Words(
        views="megtekintés",
        viewers="néző nézi nézik",
        waiting="várakozik várakozók vár",
        subscribers="feliratkozó",
        videos="videó",
        starts="premier ütemezve",
        upcoming="hamarosan közelgő",
        units={"e": "k"},
    ),
    "ro": Words(
        views="vizionare vizionări afișări",
        viewers="urmăresc urmărește spectatori vizionează",
        waiting="așteaptă așteptare",
        subscribers="abonat abonați",
        videos="videoclip videoclipuri",
        starts="premiera premieră programat*",
        upcoming="în_curând urmează",
        units={"mil": "m"},
    ),
    "sv": Words(
        views="visning visningar",
        viewers="tittar tittare",
        waiting="väntar väntande",
        subscribers="prenumerant prenumeranter",
        videos="video videor videoklipp",
        starts="premiär schemalagd* schemalagt",
        upcoming="kommande",
        units={"tn": "k", "t": "k"},
    ),
    "da": Words(
        views="visning visninger",
        viewers="ser seere seer",
        waiting="venter ventende",
        subscribers="abonnent abonnenter",
        videos="video videoer",
        starts="premiere planlagt",
        upcoming="kommende",
        units={"t": "k"},
    ),
    "fi": Words(
        views="näyttökerta näyttökertaa katselukerta katselukertaa",
        viewers="katsojaa katsoja katselee katsoo",
        waiting="odottaa odottavaa",
        subscribers="tilaaja tilaajaa",
        videos="video videota videoa jakso jaksoa",
        starts="ensi-ilta ajastettu",
        upcoming="tulossa",
        units={"t": "k"},
    ),
    "el": Words(
        views="προβολή προβολές",
        viewers="παρακολουθούν παρακολουθεί θεατές",
        waiting="αναμένουν περιμένουν αναμονή",
        subscribers="εγγεγραμμένος εγγεγραμμένοι εγγεγραμμένους",
        videos="βίντεο",
        starts="πρεμιέρα προγραμματισμένο*",
        upcoming="προσεχώς επερχόμενο",
    ),
    "tr": Words(
        views="görüntüleme görüntülenme izlenme",
        viewers="izliyor izleyici",
        waiting="bekliyor",
        subscribers="abone",
        videos="video bölüm",
        starts="prömiyer planlandı galası gösterim",
        upcoming="yakında yaklaşan",
        units={"b": "k", "mn": "m", "mr": "bn"},
    ),
    "id": Words(
        views="ditonton tontonan penayangan",
        viewers="menonton penonton",
        waiting="menunggu",
        subscribers="subscriber pelanggan",
        videos="video",
        starts="tayang perdana dijadwalkan ditayangkan",
        upcoming="mendatang segera",
        units={"m": "bn", "rb": "k", "jt": "m"},
    ),
    "vi": Words(
        views="lượt_xem",
        viewers="đang_xem",
        waiting="đang_chờ",
        subscribers="người_đăng_ký",
        videos="video",
        starts="công_chiếu lên_lịch",
        upcoming="sắp_tới sắp_công_chiếu sắp_diễn_ra",
        units={"n": "k", "tr": "m", "t": "bn"},
    ),
    "fil": Words(
        views="panonood",
        viewers="nanonood",
        waiting="naghihintay",
        subscribers="subscriber",
        videos="video",
        starts="magpe-premiere nakaiskedyul",
        upcoming="paparating",
    ),
    "th": Words(
        views="ครั้ง การดู",
        viewers="กำลังดู",
        waiting="กำลังรอ รอ",
        subscribers="ผู้ติดตาม",
        videos="วิดีโอ รายการ",
        starts="รอบปฐมทัศน์ กำหนดเวลา",
        upcoming="เร็วๆ_นี้",
    ),
    "hi": Words(
        views="व्यू बार_देखा_गया",
        viewers="देख_रहे_हैं दर्शक",
        waiting="इंतज़ार_कर_रहे_हैं इंतज़ार",
        subscribers="सदस्य सब्सक्राइबर",
        videos="वीडियो",
        starts="प्रीमियर शेड्यूल",
        upcoming="आने_वाला",
    ),
    "ar": Words(
        views="مشاهدة مشاهدات",
        viewers="مشاهد مشاهدًا مشاهدين يشاهدون يشاهد",
        waiting="انتظار ينتظر ينتظرون الانتظار",
        subscribers="مشترك مشتركًا مشتركين",
        videos="فيديو فيديوهات",
        starts="العرض_الأول مجدول مجدولة",
        upcoming="قريبًا قادم",
    ),
    "he": Words(
        views="צפיות צפייה",
        viewers="צופים צופה",
        waiting="ממתינים ממתין",
        subscribers="מנויים מנוי רשומים",
        videos="סרטונים סרטון",
        starts="בכורה מתוזמן",
        upcoming="בקרוב",
    ),
    "ja": Words(
        views="回視聴 視聴回数 回 回再生",
        viewers="人が視聴中 人視聴中 視聴中",
        waiting="人が待機中 人が待機しています 人待機中 待機中",
        subscribers="チャンネル登録者数 人 人登録",
        videos="本 本の動画 動画 話",
        starts="プレミア公開* に公開予定 公開予定* 配信予定* に配信予定",
        upcoming="近日公開 近日配信 今後の予定",
    ),
    "ko": Words(
        views="조회수 회 조회",
        viewers="명_시청_중 시청_중",
        waiting="명_대기_중 대기_중",
        subscribers="구독자 명",
        videos="동영상 개 개의_동영상",
        starts="최초_공개 공개_예정 예정",
        upcoming="예정 공개_예정",
    ),
    "zh": Words(
        views="次观看 观看次数 次 觀看次數 收看次數 次觀看 播放次数 次播放 播放",
        viewers="人正在观看 人正在觀看 位觀眾 位观众 人在看",
        waiting="人正在等待 人正在等候 人在等候 人等待中 人正在等待中",
        subscribers="位订阅者 位訂閱者 位訂閱人數 订阅者",
        videos="个视频 部影片 個影片 集",
        starts="首播* 首播时间 首播時間 预定* 預定* 已排定* 排定*",
        upcoming="即将开始 即將開始 即将直播 即將直播 即将推出 即將推出",
    ),
}

FILLERS: Final = (
    "de في d' di of x × na on in en em ei a à y il the zu zum zur gerade jetzt mal now right currently live nu nå just "
    "på att för og et un una uno aktuell så tällä hetkellä ora persone personas pessoas personer personen osób "
    "osoby από personnes personne человек чел человек людей осіб сейчас зараз now. nyní most şu anda kişi orang "
    "người ng đã kali yang ketika ini ang mga ngayon คน क़रीब लोग अभी शخص شخصًا أشخاص الآن كم עכשיו אנשים 現在 目前 "
    "共 有 约 約 más plus uživatelů streamed gestreamt live-übertragung diffusé diffusée emitido transmitido "
    "trasmesso gestreamd transmisja трансляция транслировалось strömmades streamades streamet premiered premiär "
    "updated"
)
"""Words that may occur together with the other words and do not affect the kind."""
NONE: Final = (
    "no keine aucun aucune sin ningún ninguna ninguno nenhum nenhuma sem nessuna nessun geen нет нема немає brak "
    "inga ingen ingenting žádné žádná žádný nincs fără καμία không belum ไม่มี कोई_नहीं لا ללא אין 無 没有 없음 yok "
    "ei"
)
"""Words that mean no items: the count is 0."""
