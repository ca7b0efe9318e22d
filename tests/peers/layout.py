#!/usr/bin/env python3
"""Layout as other readers see it, in the form of `pincite layout --json`: OUT/<document>.json for each PDF.

    python3 tests/peers/layout.py --reader liteparse|pypdf --out FOLDER FILE...

LiteParse gives blocks of a kind, with levels of headings. It drops running heads and does not say which they were, and
has no footnotes. Its texts are Markdown; the signs of emphasis and the escapes are taken out here. pypdf, which LlamaIndex,
PaperQA2 and Haystack read PDFs with, gives the text of a page: one block, of which only order and characters can be scored.
"""

import argparse
import json
import re
import sys
from pathlib import Path

# Signs of Markdown around words, and tags that it borrows from HTML.
EMPHASIS = re.compile(r"(?<!\\)(\*\*|__|~~|\*|`)|</?(?:sup|sub|u|b|i|mark)>")


def plain(text):
    """Text of a piece of Markdown."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)\s]*\)", r"\1", EMPHASIS.sub("", text or ""))
    return re.sub(r"\\([^\w\s])", r"\1", text)


def liteparse_block(block):
    """A block in our form; None for rules and figures."""
    if block.kind == "heading":
        return {"kind": "heading", "level": block.level, "text": plain(block.text)}
    if block.kind == "list_item":
        return {"kind": "list", "text": f"{block.marker or ''} {plain(block.text)}".strip()}
    if block.kind == "table":
        rows = [block.header or [], *(block.rows or [])]
        return {"kind": "table", "text": "\n".join("\t".join(plain(cell.text) for cell in row) for row in rows if row)}
    if block.kind in ("code", "grid_fallback"):
        return {"kind": "paragraph", "text": "\n".join(map(str.strip, block.lines or []))}
    return {"kind": "paragraph", "text": plain(block.text)} if block.kind == "paragraph" else None


def read_by_liteparse(path):
    from liteparse import LiteParse

    read = LiteParse(extract_blocks=True, output_format="markdown", ocr_enabled=False, num_workers=1, quiet=True).parse(path)
    return [[block for block in map(liteparse_block, page.blocks or []) if block] for page in read.pages]


def read_by_pypdf(path):
    import pypdf

    return [[{"kind": "paragraph", "text": page.extract_text()}] for page in pypdf.PdfReader(path).pages]


READERS = {"liteparse": read_by_liteparse, "pypdf": read_by_pypdf}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reader", choices=READERS, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("files", type=Path, nargs="+")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    for path in args.files:
        out = args.out / f"{path.stem}.json"
        if out.exists():
            continue
        try:
            pages = READERS[args.reader](str(path))
        except Exception as error:
            print(f"{path.name} is left out: {error!r}", file=sys.stderr)
            pages = []
        reply = {"pages": [{"page": at, "blocks": blocks} for at, blocks in enumerate(pages, 1)]}
        out.with_suffix(".partial").write_text(json.dumps(reply, ensure_ascii=False), encoding="utf-8")
        out.with_suffix(".partial").replace(out)


if __name__ == "__main__":
    main()
