"""Makes the tables by which `pincite_text::legibility` tells language from the letters of a broken font.

Each table has, for a letter after two others, the binary logarithm of its probability in language over that of any
letter of its alphabet, in half bits from -4 to 3.5, two values a byte. Probabilities are those of trigrams, smoothed by
bigrams, letters and the even distribution. In Cyrillic and Greek the first of the three letters counts by its class
only (end of a word, vowel, consonant), so that their tables stay small. Of Han characters the table has those that occur
in our texts, as a bitmap of the block from U+4E00.

All texts are ours: `legibility/*.txt`, and the samples of the tests for English. No list of words is kept.

    python3 models/train_legibility.py            # writes crate/text/src/legibility/tables.bin
    python3 models/train_legibility.py --check    # fails if the file is another
"""

import math
import pathlib
import re
import sys
import unicodedata

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLES = ROOT / "crate/text/src/legibility/tables.bin"
TEXTS = ROOT / "models/legibility"
SAMPLES = [ROOT / f"tests/src/samples/{name}.txt" for name in ("contract", "opinion", "rulebook")]

LATIN = "abcdefghijklmnopqrstuvwxyz"
CYRILLIC = "абвгдежзийклмнопрстуфхцчшщъыьэюя"
GREEK = "αβγδεζηθικλμνξοπρστυφχψω"
VOWELS = set("аеийоуыэюяαεηιουω")

# Letters without a decomposition, and those that stand for another of the alphabet.
SAME = str.maketrans(
    {
        "ß": "s", "æ": "a", "ø": "o", "đ": "d", "ł": "l", "ı": "i", "þ": "t", "ð": "d", "œ": "o", "ħ": "h",
        "ё": "е", "і": "и", "ї": "и", "є": "е", "ґ": "г", "ў": "у", "ј": "й", "љ": "л", "њ": "н", "ћ": "ч",
        "ђ": "д", "џ": "ц", "ѓ": "г", "ќ": "к", "ѕ": "з", "қ": "к", "ғ": "г", "ң": "н", "ө": "о", "ұ": "у",
        "ү": "у", "ә": "а", "һ": "х", "ς": "σ",
    }
)
# Share of English in the counts of Latin letters: most of our documents are English, the others decide as much.
ENGLISH = 0.5
# Weight of the shorter context, in occurrences of the longer one.
BACK_OFF = 4.0
# Quantised steps of a bit, and the least value in steps.
STEPS, LEAST = 2, -8


def fold(text: str) -> str:
    """Lower case without accents, й and its like kept."""
    letters = []
    for c in text.lower().translate(SAME):
        base = unicodedata.normalize("NFD", c)[0] if c != "й" else c
        letters.append(base.lower().translate(SAME))
    return "".join(letters)


def words(text: str, alphabet: str) -> list[str]:
    return re.findall(f"[{alphabet}]+", fold(text))


class Counts:
    """Counts of trigrams, bigrams and letters; the end of a word is letter 0."""

    def __init__(self, alphabet: str):
        self.alphabet = alphabet
        self.n = [{}, {}, {}, {}]

    def add(self, text: str, total: float | None = None) -> None:
        found = words(text, self.alphabet)
        weight = 1.0 if total is None else total / sum(len(word) + 1 for word in found)
        for word in found:
            ids = [0, 0] + [1 + self.alphabet.index(c) for c in word] + [0]
            for at in range(2, len(ids)):
                for n in range(4):
                    key = tuple(ids[at - n + 1 : at + 1])
                    self.n[n][key] = self.n[n].get(key, 0.0) + weight

    def probability(self, firsts: list[int], b: int, c: int) -> float:
        """Probability of c after b and any of `firsts`, each level smoothed by the one below."""
        n, size = self.n, len(self.alphabet) + 1
        probability = 1.0 / size
        levels = [
            (n[1].get((c,), 0.0), n[0].get((), 0.0)),
            (n[2].get((b, c), 0.0), sum(n[2].get((b, y), 0.0) for y in range(size))),
            (
                sum(n[3].get((x, b, c), 0.0) for x in firsts),
                sum(n[3].get((x, b, y), 0.0) for x in firsts for y in range(size)),
            ),
        ]
        for count, context in levels:
            probability = (count + BACK_OFF * probability) / (context + BACK_OFF)
        return probability

    def table(self, classes: list[list[int]]) -> bytes:
        """Values for each class of first letter, second and third letter, the least significant half byte first."""
        size = len(self.alphabet) + 1
        values = []
        for firsts in classes:
            for b in range(size):
                for c in range(size):
                    gain = math.log2(self.probability(firsts, b, c) * size)
                    values.append(min(max(round(gain * STEPS), LEAST), LEAST + 15) - LEAST)
        values += [0] * (len(values) % 2)
        return bytes(low | high << 4 for low, high in zip(values[::2], values[1::2]))


def latin() -> bytes:
    counts = Counts(LATIN)
    foreign = "\n".join(own("germanic") + own("romance") + own("slavic-and-others"))
    english = "\n".join([path.read_text("utf-8") for path in SAMPLES] + own("english"))
    total = sum(len(word) + 1 for word in words(foreign, LATIN))
    counts.add(foreign)
    counts.add(english, total * ENGLISH / (1.0 - ENGLISH))
    return counts.table([[first] for first in range(len(LATIN) + 1)])


def by_class(alphabet: str, name: str) -> bytes:
    counts = Counts(alphabet)
    counts.add("\n".join(own(name)))
    vowels = [1 + at for at, c in enumerate(alphabet) if c in VOWELS]
    others = [1 + at for at, c in enumerate(alphabet) if c not in VOWELS]
    return counts.table([[0], vowels, others])


def han() -> bytes:
    bitmap = bytearray(0x5200 // 8)
    for c in "".join(own("han")):
        at = ord(c) - 0x4E00
        if 0 <= at < len(bitmap) * 8:
            bitmap[at // 8] |= 1 << at % 8
    return bytes(bitmap)


def own(name: str) -> list[str]:
    """Lines of one of our texts, without the names of languages."""
    lines = (TEXTS / f"{name}.txt").read_text("utf-8").splitlines()
    return [line for line in lines if not line.startswith("#")]


def main() -> None:
    tables = latin() + by_class(CYRILLIC, "cyrillic") + by_class(GREEK, "greek") + han()
    if "--check" in sys.argv[1:]:
        if TABLES.read_bytes() != tables:
            sys.exit("tables.bin is not what train_legibility.py makes")
        return
    TABLES.parent.mkdir(exist_ok=True)
    TABLES.write_bytes(tables)


if __name__ == "__main__":
    main()
