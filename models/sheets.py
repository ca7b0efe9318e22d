"""Questions over sheets of passages of one document each, sheets.jsonl, and the documents as Word files.

They are over other kinds of documents than the lay questions, and no encoder here has learned them.
"""

import json
import zipfile
from pathlib import Path
from xml.sax.saxutils import escape

SHEETS = Path(__file__).resolve().parent / "sheets.jsonl"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
WORDS = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
MAIN_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
# The parts of a package beside the text (ECMA-376 part 2).
PARTS = {
    "[Content_Types].xml": f'{HEAD}<Types xmlns="{PACKAGE}/content-types">'
    f'<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    f'<Override PartName="/word/document.xml" ContentType="{MAIN_TYPE}"/></Types>',
    "_rels/.rels": f'{HEAD}<Relationships xmlns="{PACKAGE}/relationships">'
    f'<Relationship Id="r1" Type="{OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>',
}


def sheets():
    """Rows of sheets.jsonl: `id`, `name` of the document, `passages`, `answered` questions with the words that answer (`says`),
    and `unanswered` ones, which come near and which no passage answers."""
    return [json.loads(line) for line in SHEETS.read_text(encoding="utf-8").splitlines()]


def write_document(sheet, folder):
    """The passages of a sheet as paragraphs of a Word file, headed by the name of its document; the file's path."""
    run = lambda text: f'<w:r><w:t xml:space="preserve">{escape(text)}</w:t></w:r>'
    title = f'<w:p><w:pPr><w:pStyle w:val="Title"/></w:pPr>{run(sheet["name"])}</w:p>'
    body = title + "".join(f"<w:p>{run(text)}</w:p>" for text in sheet["passages"])
    path = folder / f"{sheet['id']}.docx"
    document = f'{HEAD}<w:document xmlns:w="{WORDS}"><w:body>{body}</w:body></w:document>'
    with zipfile.ZipFile(path, "w") as package:
        # Entries without a time: the same sheet gives the same bytes, and so the same document.
        for name, text in {**PARTS, "word/document.xml": document}.items():
            package.writestr(zipfile.ZipInfo(name), text)
    return path
