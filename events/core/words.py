"""Words folded for search (without case, accents and marks, in any script), and their positions in a text."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

MAX_INDEXED_WORD_CHARS = 60
MAX_SEARCH_CHARS = 300
MAX_SEARCH_PHRASES = 12
# Scripts written without spaces: each character is a word, and several together are a phrase.
UNSPACED_SCRIPTS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
UNSPACED_PATTERN = re.compile(f"[{UNSPACED_SCRIPTS}]")
LETTER_CLASS = f"[^\\W_{UNSPACED_SCRIPTS}]"
# The same for a text without unspaced scripts. A pattern with thousands of characters takes milliseconds to compile.
SPACED_LETTER_CLASS = r"[^\W_]"
# A letter with signs is a word of its own: C++ and C# are not C.
SIGNED_LETTERS = {"++": "plusplus", "#": "sharp"}
SIGNED_LETTER_PATTERN = re.compile(f"(?<!{LETTER_CLASS})([a-z])(\\+\\+|#)(?!{LETTER_CLASS})")
SPELLED_SIGN_PATTERN = re.compile("([a-z])(plusplus|sharp)")
WORD_PATTERN = re.compile(f"(?=\\w)[{UNSPACED_SCRIPTS}]|{LETTER_CLASS}+")
# Words that are also written as one: pre-training, J.-B., O'Brien. The hyphen of a folded text may be U+2010.
COMPOUND_PATTERN = re.compile(f"\\b{LETTER_CLASS}+(?:[-\u2010.'’]{{1,2}}{LETTER_CLASS}+)+")
# What every compound has: most texts have none, and this is found sooner.
JOINT = re.compile(f"[-\u2010.'’](?={LETTER_CLASS})")
# The article is a part of the Arabic word; without it the word is another beginning.
ARABIC_ARTICLE_PATTERN = re.compile(r"\b\u0627\u0644(\w{3,})")
# A line of a PDF that ends within a word: "mix- ing".
BROKEN_WORD_PATTERN = re.compile(r"(?<=\w)-\s+(?=\w)")
SOFT_HYPHEN = "\u00ad"
SEARCH_CHUNK_PATTERN = re.compile(r'"([^"]*)"?|([^\s"]+)')
QUOTE_TRANSLATION = str.maketrans(dict.fromkeys("“”„«»〝〞「」『』", '"'))
# Separate letters in one language, missing from the keyboards of others.
LETTER_FOLDINGS = {"ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ł": "l", "ŧ": "t", "æ": "ae", "œ": "oe", "þ": "th"}
SNIPPET_CHARS = 180
# The limit on addresses keeps a text of nothing but beginnings of links from taking quadratic time.
MARKDOWN_SYNTAX_PATTERN = re.compile(r"!?\[([^\]\[]*)\]\([^)\s]{0,500}\)|[*_`#>|~]+")


class _FoldingTable(dict[int, str]):
    """Each character's folded form, computed on first use."""

    def __missing__(self, code: int) -> str:
        folded = self[code] = _fold_character(chr(code))
        return folded


def _fold_character(character: str) -> str:
    bare = "".join(it for it in unicodedata.normalize("NFKD", character) if not _is_dropped(it))
    spelled = "".join(LETTER_FOLDINGS.get(it, str(unicodedata.digit(it, it))) for it in bare.casefold())
    # NFKD splits Hangul syllables, NFC joins them again.
    return unicodedata.normalize("NFC", spelled)


def _is_dropped(character: str) -> bool:
    return character == SOFT_HYPHEN or unicodedata.category(character).startswith("M")


_FOLDING_TABLE = _FoldingTable()


@dataclass(frozen=True, order=True)
class Phrase:
    """Adjacent words; ``is_prefix`` if the last word may continue. What is quoted is searched for exactly."""

    words: tuple[str, ...]
    is_prefix: bool = False
    is_quoted: bool = False

    def __str__(self) -> str:
        return " ".join(self.words)

    @property
    def joined(self) -> str:
        """The words as one, as in "multimodal" for "multi-modal"; "" if they are no parts of a word."""
        is_compound = len(self.words) > 1 and not self.is_quoted
        return "".join(self.words)[:MAX_INDEXED_WORD_CHARS] if is_compound else ""


@dataclass(frozen=True)
class TextPart:
    text: str
    is_match: bool = False


def fold_text(text: str) -> str:
    return text.lower() if text.isascii() else unicodedata.normalize("NFC", text).translate(_FOLDING_TABLE)


def folded_words(text: str) -> list[str]:
    folded = fold_text(text)
    if "+" in folded or "#" in folded:
        folded = SIGNED_LETTER_PATTERN.sub(lambda match: match[1] + SIGNED_LETTERS[match[2]], folded)
    return [word[:MAX_INDEXED_WORD_CHARS] for word in WORD_PATTERN.findall(folded)]


def other_forms(text: str) -> list[str]:
    """Return how words of the text are also written: a compound as one word, an Arabic word without its article."""
    folded = fold_text(text)
    compounds = COMPOUND_PATTERN.findall(folded) if JOINT.search(folded) else ()
    joined = ["".join(WORD_PATTERN.findall(compound)) for compound in compounds]
    return joined if folded.isascii() else [*joined, *ARABIC_ARTICLE_PATTERN.findall(folded)]


def search_phrases(question: str) -> list[Phrase]:
    """Return each word and each quoted phrase of a search; the last word may be unfinished.

    The words contain only letters and digits, so that no database reads them as query syntax.
    """
    question = BROKEN_WORD_PATTERN.sub("-", question[:MAX_SEARCH_CHARS].translate(QUOTE_TRANSLATION))
    phrases = []
    for chunk in SEARCH_CHUNK_PATTERN.finditer(question):
        quoted, typed = chunk.groups()
        if parts := tuple(folded_words(quoted or typed or "")):
            last = chunk.end() == len(question.rstrip())
            phrases.append(Phrase(parts, is_prefix=last and _is_unfinished(typed or "", parts), is_quoted=typed is None))
    return list(dict.fromkeys(phrases))[:MAX_SEARCH_PHRASES]


def _is_unfinished(typed: str, words: Sequence[str]) -> bool:
    """Return whether more letters may follow. A lone ASCII letter is no prefix: it would match half of the index."""
    end, letters = typed.rstrip("*")[-1:] or " ", "".join(words)
    return (end.isalnum() or unicodedata.category(end).startswith("M")) and (len(letters) > 1 or not letters.isascii())


def mark_matches(text: str, wanted: Sequence[Phrase]) -> list[TextPart]:
    text = unicodedata.normalize("NFC", text)
    parts, at = [], 0
    for start, end in _match_offsets(text, tuple(wanted)):
        parts += [TextPart(text[at:start])] * (start > at) + [TextPart(text[start:end], is_match=True)]
        at = end
    return parts + [TextPart(text[at:])] * (at < len(text))


def snippet(text: str, wanted: Sequence[Phrase], length: int = SNIPPET_CHARS) -> list[TextPart]:
    """Return about ``length`` characters around the first match in a Markdown text; [] without a match."""
    line = " ".join(MARKDOWN_SYNTAX_PATTERN.sub(r"\1", unicodedata.normalize("NFC", text)).split())
    match_start, _ = next(_match_offsets(line, tuple(wanted)), (None, None))
    if match_start is None:
        return []
    start, end = _window(line, match_start, length)
    excerpt = ("… " if start else "") + line[start:end].strip() + (" …" if end < len(line) else "")
    return mark_matches(excerpt, wanted)


def _window(line: str, match_start: int, length: int) -> tuple[int, int]:
    start, end = max(0, min(match_start - length // 3, len(line) - length)), len(line)
    if start:
        start = line.find(" ", start, match_start) + 1 or start
    if start + length < len(line):
        space = line.rfind(" ", match_start + 1, start + length)
        end = space if space > 0 else start + length
    return start, end


def _match_offsets(text: str, wanted: tuple[Phrase, ...]) -> Iterator[tuple[int, int]]:
    folded, offsets = _folded_with_offsets(text)
    is_spaced = folded.isascii() or not UNSPACED_PATTERN.search(folded)
    for match in _pattern(wanted, SPACED_LETTER_CLASS if is_spaced else LETTER_CLASS).finditer(folded):
        end = offsets[match.end() - 1] + 1
        # Combining accents come after their letter.
        while end < len(text) and not _FOLDING_TABLE[ord(text[end])] and not text[end].isspace():
            end += 1
        yield offsets[match.start()], end


# A page of results needs one or two. The module re keeps 512 more, so each must be small.
@lru_cache(maxsize=16)
def _pattern(wanted: tuple[Phrase, ...], letter: str) -> re.Pattern[str]:
    longest_first = sorted(wanted, key=lambda phrase: -len(phrase.words))
    # Together as far as their ends are alike: to compile and to try the class of letters for each phrase took most of the time.
    alike = itertools.groupby(longest_first, lambda phrase: (_is_spaced(phrase.words[0]), _is_spaced(phrase.words[-1])))
    return re.compile("|".join(_alike_pattern(list(phrases), letter) for _, phrases in alike) or r"(?!)")


def _alike_pattern(phrases: Sequence[Phrase], letter: str) -> str:
    start = f"(?<!{letter})" if _is_spaced(phrases[0].words[0]) else ""
    # An unfinished word takes all letters that follow.
    end = f"(?!{letter})" if _is_spaced(phrases[0].words[-1]) and not all(it.is_prefix for it in phrases) else ""
    return f"{start}(?:{'|'.join(_phrase_pattern(phrase, letter) for phrase in phrases)}){end}"


def _phrase_pattern(phrase: Phrase, letter: str) -> str:
    """Without the ends of words at both ends; between two words of letters there is something else, unless they may be one."""
    last, are_apart = phrase.words[-1], not phrase.joined
    pattern = _word_pattern(phrase.words[0])
    for before, word in itertools.pairwise(phrase.words):
        pattern += (r"[\W_]+" if are_apart and _is_spaced(before) and _is_spaced(word) else r"[\W_]*") + _word_pattern(word)
    if _is_spaced(last) and (phrase.is_prefix or len(last) == MAX_INDEXED_WORD_CHARS):
        pattern += f"{letter}*"
    return pattern


def _word_pattern(word: str) -> str:
    if signed := SPELLED_SIGN_PATTERN.fullmatch(word):
        sign = next(sign for sign, spelled in SIGNED_LETTERS.items() if spelled == signed[2])
        return f"(?:{re.escape(word)}|{signed[1]}{re.escape(sign)})"
    return re.escape(word)


def _is_spaced(word: str) -> bool:
    return re.match(LETTER_CLASS, word) is not None


def _folded_with_offsets(text: str) -> tuple[str, Sequence[int]]:
    if text.isascii():
        return text.lower(), range(len(text))
    if all(len(_FOLDING_TABLE[ord(it)]) == 1 for it in set(text)):
        return text.translate(_FOLDING_TABLE), range(len(text))
    pieces = [_FOLDING_TABLE[ord(it)] for it in text]
    return "".join(pieces), [index for index, piece in enumerate(pieces) for _ in piece]
