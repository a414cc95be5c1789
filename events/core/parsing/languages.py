"""Languages as files and people write them, read as tags of BCP 47: “german”, “DE” and “ger” are de, “pt_br” is pt-BR."""

from __future__ import annotations

import re

MAX_LANGUAGE_CHARS = 35
"""The length that RFC 5646 (4.4.1) asks programs to accept."""
# Language, a second language part, script, region, variants; extensions and private tags name no language that people choose.
_TAG_PATTERN = re.compile(
    r"([a-z]{2,3})(-[a-z]{3})?(-[a-z]{4})?(-(?:[a-z]{2}|[0-9]{3}))?((?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*)"
)
_SEPARATOR = re.compile(r"\s*[,;/|+&]\s*|\s+(?:and|und|or|et)\s+", re.IGNORECASE)
# ISO 639-1. Common mistakes are not in it: “jp”, “cz”, “gr”.
_TWO_LETTER_CODES = frozenset(
    "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et "
    "eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl "
    "km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj "
    "om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to "
    "tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu".split()
)
# Three letters that are words of forms, or codes for "no language" and "several".
_NO_LANGUAGES = frozenset("all any mis mul nil non not off tba tbc tbd und yes zxx".split())
_WORDS = {
    "ar": "arabic ara العربية",
    "bg": "bulgarian bul български",
    "ca": "catalan cat català",
    "cs": "czech ces cze čeština cesky česky",
    "da": "danish dan dansk",
    "de": "german deu ger deutsch allemand",
    "el": "greek ell gre ελληνικά",
    "en": "english eng englisch anglais inglés ingles",
    "es": "spanish spa español espanol castellano spanisch espagnol",
    "et": "estonian est eesti",
    "eu": "basque eus baq euskara",
    "fa": "persian farsi fas per فارسی",
    "fi": "finnish fin suomi",
    "fr": "french fra fre français francais französisch",
    "ga": "irish gle gaeilge",
    "gl": "galician glg galego",
    "he": "hebrew heb עברית",
    "hi": "hindi hin हिन्दी",
    "hr": "croatian hrv hrvatski",
    "hu": "hungarian hun magyar",
    "id": "indonesian ind",
    "is": "icelandic isl ice íslenska",
    "it": "italian ita italiano italienisch",
    "ja": "japanese jpn 日本語",
    "ko": "korean kor 한국어",
    "lt": "lithuanian lit lietuvių",
    "lv": "latvian lav latviešu",
    "nb": "nob bokmål",
    "nl": "dutch nld dut nederlands",
    "no": "norwegian nor norsk",
    "pl": "polish pol polski",
    "pt": "portuguese por português portugues",
    "ro": "romanian ron rum română",
    "ru": "russian rus русский",
    "sk": "slovak slk slo slovenčina",
    "sl": "slovenian slovene slv slovenščina",
    "sr": "serbian srp српски",
    "sv": "swedish swe svenska",
    "th": "thai tha ไทย",
    "tr": "turkish tur türkçe",
    "uk": "ukrainian ukr українська",
    "vi": "vietnamese vie",
    "zh": "chinese zho chi mandarin 中文",
}
_CODES_BY_WORD = {word: code for code, words in _WORDS.items() for word in words.split()}


def language_tag(text: str) -> str:
    """Return the tag in its usual spelling, "" if the text names no language.

    >>> language_tag("German"), language_tag("PT_br"), language_tag("zh-hans-cn"), language_tag("Klingon")
    ('de', 'pt-BR', 'zh-Hans-CN', '')
    """
    if len(text) > MAX_LANGUAGE_CHARS:
        return ""
    written = text.strip().casefold()
    if written in _CODES_BY_WORD:
        return _CODES_BY_WORD[written]
    match = _TAG_PATTERN.fullmatch(written.replace("_", "-"))
    if not match or not match[1].isascii():
        return ""
    language, more, script, region, variants = match.groups(default="")
    code = _CODES_BY_WORD.get(language, language)
    if code in _NO_LANGUAGES or (len(code) == 2 and code not in _TWO_LETTER_CODES):
        return ""
    return f"{code}{more}{script.title()}{region.upper()}{variants}"


def language_tags(text: str) -> list[str]:
    """Return the tags of a text that may name several languages, as “de, en”; without those that cannot be read."""
    parts = _SEPARATOR.split(text[: 4 * MAX_LANGUAGE_CHARS])
    return list(dict.fromkeys(filter(None, map(language_tag, parts))))
