"""Two ways in which others check quotations, written anew from what they say and do; neither is published to a registry.

`method_of_mike`: open-legal-products/mike (AGPL-3.0; backend/src/lib/chat/verifyCitations.ts, read on 2026-11-24). The
quotation is looked up in the text of the document that it names: as it is; then without case and with white space collapsed;
then without punctuation too. Each counts as verified. At an ellipsis the quotation is split, and each part is looked up.

`method_of_lq_ai`: LegalQuants/lq-ai (docs/citation-engine.md, stages 1 and 2, read on 2026-11-24). The quotation is
located in the passage that it names, else in the document: exactly, or by the best partial alignment of rapidfuzz at 85
or more. It is verified if it equals the words found there, or if both, with straight quotation marks and white space
collapsed, have a ratio of 95 or more. Stages 3 and 4, which ask a language model, are left out.

Both take a quotation, the passage that it names and the text of the document, and say whether it is verified.
"""

import re

LOCATED, VERIFIED = 85.0, 95.0


def method_of_mike(quote, _passage, document):
    if re.search(r"\.{3}|…", quote):
        parts = [part.strip() for part in re.split(r"\.{3}|…", quote) if re.search(r"[^\W_]", part)]
        return bool(parts) and all(is_found(part, document) for part in parts)
    return is_found(quote, document)


def is_found(quote, document):
    folded = lambda text, drop: re.sub(r"\s+", " ", re.sub(r"[^\w\s]|_", "", text) if drop else text).lower().strip()
    return quote in document or any(folded(quote, drop) and folded(quote, drop) in folded(document, drop) for drop in [False, True])


def method_of_lq_ai(quote, passage, document):
    from rapidfuzz import fuzz

    for text in [passage, document]:
        words = located(quote, text)
        if words is not None:
            return words == quote or fuzz.ratio(straight(words), straight(quote)) >= VERIFIED
    return False


def located(quote, text):
    from rapidfuzz import fuzz

    if quote in text:
        return quote
    best = fuzz.partial_ratio_alignment(quote, text)
    return text[best.dest_start : best.dest_end] if best and best.score >= LOCATED else None


def straight(text):
    return re.sub(r"\s+", " ", text.translate(str.maketrans("‘’“”", "''\"\""))).strip()


METHODS = {"method of mike": method_of_mike, "method of LQ.AI": method_of_lq_ai}
