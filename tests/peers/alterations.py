"""Quotations of which it is known what is true in them: the kinds of `tests/tests/suite/citations/answers.rs`, again.

`make(kind, passages, lot)` draws words of one of several passages of a document, alters them as the kind says, and writes
them as models, viewers and people hand words on (`handed_on`); only `printed` keeps them to the letter. `stands` is a
naive twin of "stands there word for word": it is asked of what was altered, since an alteration may hit on other words
of the document. Standard library only.
"""

import re
import unicodedata

PRINTED, TRUE, MISATTRIBUTED = "as printed", "as handed on", "of another passage"
# Alterations after which the words stand nowhere in the document as one range.
WRONG = ["stitched", "shuffled", "figure", "modal", "denied", "word", "cut"]
# A word replaced by an ellipsis: an omission that says of itself that it is one.
OMITTED = "word omitted"
KINDS = [PRINTED, TRUE, MISATTRIBUTED, OMITTED, *WRONG]

MODALS = [("must", "may"), ("shall", "may"), ("may", "must"), ("should", "shall"), ("can", "must"), ("will", "may")]
DENIALS = [("not ", ""), ("no ", "any "), ("must", "must not"), ("shall", "shall not"), ("may", "may not"), ("is", "is not")]
# Marks that close a quotation, open another or mean an omission.
MARKS = re.compile(r"[“”„«»\"「」『』‘`>\[…]|\.\.\.|\. \. \.|\(P")


def make(kind, passages, lot):
    """(quotation, place of the passage named); None where what was drawn has nothing to alter."""
    at = lot.randrange(len(passages))
    span = draw(passages[at], lot)
    elsewhere = (at + 1 + lot.randrange(len(passages) - 1)) % len(passages)
    more = draw(passages[elsewhere], lot) if kind == "stitched" else None
    if span is None or (kind == "stitched" and more is None):
        return None
    altered = {
        "stitched": lambda: f"{span} {more}",
        "shuffled": lambda: " ".join(lot.sample(span.split(), len(span.split()))),
        "figure": lambda: other_figure(span, lot),
        "modal": lambda: replaced(span, MODALS, lot),
        "denied": lambda: replaced(span, DENIALS, lot),
        "word": lambda: other_word(span, lot),
        "cut": lambda: cut(span, lot),
        OMITTED: lambda: omitted(span, lot),
    }.get(kind, lambda: span)()
    if altered is None:
        return None
    named = elsewhere if kind == MISATTRIBUTED else at
    return (altered if kind == PRINTED else handed_on(altered, lot)), altered, named


def draw(text, lot):
    """3 to 40 words of a passage as they are printed, without marks that would close the quotation."""
    words = text.split()
    start = lot.randrange(len(words))
    span = words[start : start + 3 + lot.randrange(38)]
    joined = " ".join(span)
    fits = len(span) >= 3 and not MARKS.search(joined) and sum(map(str.isalpha, joined)) > 8
    return joined if fits else None


def replaced(span, pairs, lot):
    """One of the words that occur, whole, replaced."""
    places = [(found, new) for old, new in pairs for found in re.finditer(rf"(?<!\w){re.escape(old)}" + ("" if old.endswith(" ") else r"(?!\w)"), span)]
    if not places:
        return None
    found, new = lot.choice(places)
    return span[: found.start()] + new + span[found.end() :]


def other_figure(span, lot):
    digits = [found.start() for found in re.finditer("[0-9]", span)]
    if not digits:
        return None
    at = lot.choice(digits)
    return f"{span[:at]}{(int(span[at]) + 1 + lot.randrange(8)) % 10}{span[at + 1 :]}"


def other_word(span, lot):
    """The words with one left out, put in or replaced."""
    words = span.split()
    at, how = lot.randrange(len(words)), lot.randrange(3)
    if how == 0 and len(words) > 3:
        return " ".join(words[:at] + words[at + 1 :])
    return " ".join(words[:at] + ["reasonable"] + words[at + (how == 2) :])


def omitted(span, lot):
    words = span.split()
    gap = 1 + lot.randrange(len(words) - 2)
    head, tail = " ".join(words[:gap]), " ".join(words[gap + 1 :])
    return f"{head} … {tail}" if re.search(r"\w", head) and re.search(r"\w", tail) else None


def cut(span, lot):
    """The words without a part of the first or the last of them."""
    first, last = span.split(" ")[0], span.split(" ")[-1]
    if lot.randrange(2) == 0 and re.fullmatch("[a-z]{5,}", first):
        return span[1 + lot.randrange(len(first) - 2) :]
    return span[: len(span) - 1 - lot.randrange(len(last) - 2)] if re.fullmatch("[a-z]{5,}", last) else None


def handed_on(words, lot):
    """Ligatures, plain apostrophes and dashes, soft and line-end hyphens, other white space, the case of the first letter."""
    text, once_in = words, lambda n: lot.randrange(n) == 0
    if once_in(3):
        text = text.replace("fi", "\ufb01").replace("ffl", "\ufb04")
    elif once_in(3):
        text = text.replace("\ufb01", "fi").replace("\ufb02", "fl").replace("\ufb00", "ff")
    if once_in(3):
        text = text.replace("’", "'").replace("—", "–")
    if once_in(4):
        text = text.replace("-", "\u2011")
    for mark in ["\u00ad", "-\n"]:
        long = [found.start() + 2 + len(found.group()) // 3 for found in re.finditer(r"(?<!\S)[a-z]{7,}(?!\S)", text)]
        if once_in(3) and long:
            at = lot.choice(long)
            text = text[:at] + mark + text[at:]
    spaces = [" ", "\n", "  ", "\u00a0", " \n ", "\u2009"]
    text = re.sub(" ", lambda _: lot.choice(spaces) if once_in(4) else " ", text)
    turn = lot.randrange(6)
    if "a" <= text[0].lower() <= "z" and turn < 2:
        turned = text[0].swapcase()
        text = f"[{turned}]{text[1:]}" if turn == 1 and text[1:2].isalpha() else turned + text[1:]
    return text


def stands(quote, text):
    """True if the words stand in the text as one range, between words; hyphens are left out on both sides."""
    wanted, within = plain(quote), plain(text)
    first = f"[{re.escape(wanted[0].lower())}{re.escape(wanted[0].upper())}]" if wanted else "$^"
    return bool(re.search(rf"(?<!\w){first}{re.escape(wanted[1:])}(?!\w)", within))


def plain(text):
    text = unicodedata.normalize("NFKC", text).replace("\u00ad", "")
    text = re.sub("[“”„«»‘’‚\"′´`]", "'", re.sub("[‐‑‒–—―−]", "-", text))
    return re.sub(r"-\s*", "", " ".join(text.split()))
