#!/usr/bin/env python3
"""What each criterion of a judge tells apart, by the labels of the hundred verdicts: the table of README.md.

    python3 tests/judge/told_apart.py [VERDICTS]

VERDICTS, other-criteria.jsonl if left out, are those of `pincite eval judge --criteria score,claims,repass` over verdicts.jsonl.
Standard library only.
"""

import json
import sys
from pathlib import Path
from statistics import mean

HERE = Path(__file__).resolve().parent
LABELS = ["complete", "partial", "incorrect"]


def json_lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def auroc(higher, lower):
    """Share of the pairs in which the first has the higher value; ties count half."""
    return mean((a > b) + 0.5 * (a == b) for a in higher for b in lower)


def implied(claims):
    """The label that the claims of a reference imply: one is wrong, else one is missing, else all are there."""
    states = {claim["status"] for claim in claims}
    return "incorrect" if "incorrect" in states else "partial" if "missing" in states else "complete"


def main():
    label_of = {row["id"]: row["label"] for row in json_lines(HERE / "verdicts.jsonl")}
    verdicts = json_lines(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "other-criteria.jsonl")
    for criterion in ["score", "claims", "repass"]:
        own = [row for row in verdicts if row["criterion"] == criterion]
        by = {label: [row["value"] for row in own if label_of[row["id"]] == label] for label in LABELS}
        means = " / ".join(f"{mean(by[label]):.3f}" for label in LABELS)
        complete = auroc(by["complete"], by["partial"] + by["incorrect"])
        incorrect = auroc(by["complete"] + by["partial"], by["incorrect"])
        print(f"{criterion}: mean {means}, complete told {complete:.3f}, incorrect told {incorrect:.3f}")
        if criterion == "claims":
            same = sum(implied(row["claims"]) == label_of[row["id"]] for row in own)
            print(f"  labels that claims imply: {same} of {len(own)} as by hand")


if __name__ == "__main__":
    main()
