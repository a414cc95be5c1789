"""Words as search compares them: without case, accents and marks, in any script; and where they stand in a text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

LONGEST_WORD = 60
LONGEST_QUESTION = 300
MOST_PHRASES = 12
# Scripts written without spaces: every character is a word, and what is asked for together is a phrase.
UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
LETTER = f"[^\\W_{UNSPACED}]"
WORD = re.compile(f"(?=\\w)[{UNSPACED}]|{LETTER}+")
CHUNK = re.compile(r'"([^"]*)"?|([^\s"]+)')
QUOTES = str.maketrans(dict.fromkeys("“”„«»〝〞「」『』", '"'))
# Letters of their own in one language, and of one's keyboard in another.
LETTERS = {"ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ł": "l", "ŧ": "t", "æ": "ae", "œ": "oe", "þ": "th"}
SNIPPET = 180
# No address is longer, and a text of nothing but beginnings of links is not read again for each.
MARKUP = re.compile(r"!?\[([^\]\[]*)\]\([^)\s]{0,500}\)|[*_`#>|~]+")


class _Folding(dict[int, str]):
    """Every character's folded form, worked out when it is first met."""

    def __missing__(self, code: int) -> str:
        folded = self[code] = _fold_character(chr(code))
        return folded


def _fold_character(character: str) -> str:
    bare = "".join(it for it in unicodedata.normalize("NFKD", character) if not unicodedata.category(it).startswith("M"))
    spelled = "".join(LETTERS.get(it, str(unicodedata.digit(it, it))) for it in bare.casefold())
    # Syllables of Hangul fall apart above, and stay one character here.
    return unicodedata.normalize("NFC", spelled)


_FOLDING = _Folding()


@dataclass(frozen=True)
class Phrase:
    """Words that stand side by side; the last of them may be the beginning of one."""

    words: tuple[str, ...]
    open: bool = False

    def __str__(self) -> str:
        return " ".join(self.words)


@dataclass(frozen=True)
class Part:
    """A piece of a text, and whether it is what was asked for."""

    text: str
    found: bool = False


def fold(text: str) -> str:
    return text.lower() if text.isascii() else unicodedata.normalize("NFC", text).translate(_FOLDING)


def words(text: str) -> list[str]:
    """The words of a text in order, cut where no index would hold them."""
    return [word[:LONGEST_WORD] for word in WORD.findall(fold(text))]


def phrases(question: str) -> list[Phrase]:
    """What somebody asks for: each word, what stands in quotation marks together, and the last word as far as it is typed.

    Nothing but letters and digits comes out, so that no database takes any of it for its own syntax.
    """
    question = question[:LONGEST_QUESTION].translate(QUOTES)
    found = []
    for chunk in CHUNK.finditer(question):
        quoted, typed = chunk.groups()
        if parts := tuple(words(quoted or typed or "")):
            last = chunk.end() == len(question.rstrip())
            found.append(Phrase(parts, open=last and _is_unfinished(typed or "", parts[-1])))
    return list(dict.fromkeys(found))[:MOST_PHRASES]


def _is_unfinished(typed: str, word: str) -> bool:
    """Whether more letters may follow; one letter of ours begins half of everything, one of another script may be a word."""
    end = typed.rstrip("*")[-1:] or " "
    return (end.isalnum() or unicodedata.category(end).startswith("M")) and (len(word) > 1 or not word.isascii())


def marked(text: str, wanted: Sequence[Phrase]) -> list[Part]:
    """The text in pieces, those that were asked for marked; together they are the text."""
    text = unicodedata.normalize("NFC", text)
    parts, at = [], 0
    for start, end in _found(text, tuple(wanted)):
        parts += [Part(text[at:start])] * (start > at) + [Part(text[start:end], found=True)]
        at = end
    return parts + [Part(text[at:])] * (at < len(text))


def snippet(text: str, wanted: Sequence[Phrase], length: int = SNIPPET) -> list[Part]:
    """About ``length`` characters around the first place in a Markdown text that was asked for; nothing if there is none."""
    line = " ".join(MARKUP.sub(r"\1", unicodedata.normalize("NFC", text)).split())
    place, _ = next(_found(line, tuple(wanted)), (None, None))
    if place is None:
        return []
    start, end = _window(line, place, length)
    cut = ("… " if start else "") + line[start:end].strip() + (" …" if end < len(line) else "")
    return marked(cut, wanted)


def _window(line: str, place: int, length: int) -> tuple[int, int]:
    """From a third before the place, at whole words."""
    start, end = max(0, min(place - length // 3, len(line) - length)), len(line)
    if start:
        start = line.find(" ", start, place) + 1 or start
    if start + length < len(line):
        space = line.rfind(" ", place + 1, start + length)
        end = space if space > 0 else start + length
    return start, end


def _found(text: str, wanted: tuple[Phrase, ...]) -> Iterator[tuple[int, int]]:
    """Where in the text the phrases stand, in order and apart."""
    folded, offsets = _folded_with_offsets(text)
    for match in _pattern(wanted).finditer(folded):
        end = offsets[match.end() - 1] + 1
        # Accents that stand behind the letter they belong to.
        while end < len(text) and not _FOLDING[ord(text[end])] and not text[end].isspace():
            end += 1
        yield offsets[match.start()], end


@lru_cache(maxsize=256)
def _pattern(wanted: tuple[Phrase, ...]) -> re.Pattern[str]:
    """Finds the phrases in folded text, at the same words as an index does."""
    longest_first = sorted(wanted, key=lambda it: -len(it.words))
    return re.compile("|".join(_phrase_pattern(phrase) for phrase in longest_first) or r"(?!)")


def _phrase_pattern(phrase: Phrase) -> str:
    *firsts, last = phrase.words
    goes_on = f"{LETTER}*" if phrase.open or len(last) == LONGEST_WORD else ""
    return r"[\W_]*".join([*map(_word_pattern, firsts), _word_pattern(last, goes_on)])


def _word_pattern(word: str, goes_on: str = "") -> str:
    if not re.match(LETTER, word):
        return re.escape(word)
    return f"(?<!{LETTER}){re.escape(word)}{goes_on}(?!{LETTER})"


def _folded_with_offsets(text: str) -> tuple[str, Sequence[int]]:
    """The folded text, and for each of its characters where it comes from."""
    if text.isascii():
        return text.lower(), range(len(text))
    if all(len(_FOLDING[ord(it)]) == 1 for it in set(text)):
        return text.translate(_FOLDING), range(len(text))
    pieces = [_FOLDING[ord(it)] for it in text]
    return "".join(pieces), [index for index, piece in enumerate(pieces) for _ in piece]
