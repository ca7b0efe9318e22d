#!/usr/bin/env python3
"""The measures of two papers as their authors' programs compute them, beside ours, over answers that `pincite eval table` kept.

    python3 -m venv target/authors
    target/authors/bin/pip install --require-hashes -r tests/judge/requirements-authors.txt
    target/authors/bin/python tests/judge/authors.py legaldc OUT data/legaldc/dev.queries.jsonl
    python3 tests/judge/authors.py obliqa OUT

OUT is the directory of a table that was answered and judged. The programs themselves are not here: their formulas are written anew, and
`authors_test.py` holds them to what the programs printed of the same inputs. Chinese words are cut by jieba; the rest is the standard library.
"""

import csv
import json
import re
import sys
from collections import Counter
from math import exp, log, nextafter
from pathlib import Path
from statistics import mean

# Legal-DC's qa_Accuracy.py: an answer whose ROUGE-L is over this is right.
RIGHT_OVER = 0.6
# The share at which `eval table` and `eval answers` count an answer as right where nothing is calibrated.
OURS_FROM = 0.5
CANDIDATES = 5
SEED = 7


def json_lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


# Formulas.


def rouge_l(answer, reference):
    """F1 of the longest common subsequence of two lists of tokens."""
    row = [0] * (len(reference) + 1)
    for token in answer:
        left = diagonal = 0
        for at, other in enumerate(reference, 1):
            above = row[at]
            row[at] = diagonal + 1 if token == other else max(above, left)
            left, diagonal = row[at], above
    return 2 * row[-1] / (len(answer) + len(reference)) if row[-1] else 0.0


def bleu_2(answer, reference):
    """BLEU of one answer over single tokens and pairs, weights .6 and .4, not smoothed: Legal-DC's."""
    total = 0.0
    for n, weight in [(1, 0.6), (2, 0.4)]:
        grams = [Counter(zip(*(tokens[at:] for at in range(n)))) for tokens in (answer, reference)]
        matched = sum((grams[0] & grams[1]).values())
        if not matched:
            return 0.0
        total += weight * log(matched / max(sum(grams[0].values()), 1))
    return exp(total + min(0.0, 1 - len(reference) / len(answer)))


def all_found(hits):
    """1 if each piece of evidence is in one of the passages: Legal-DC's recall. `hits` has a row for a piece, a column for a passage."""
    return int(all(any(row) for row in hits))


def reciprocal_ranks(hits):
    """Sum of 1 / rank over all passages that hold a piece of evidence, averaged over the pieces: Legal-DC's MRR of a question."""
    return mean(sum(hit / rank for rank, hit in enumerate(row, 1)) for row in hits)


def selected(hits):
    """1 if the passages chosen are the evidence, one for each piece and none besides: Legal-DC's selection of a question."""
    free = list(range(len(hits[0])))
    for row in hits:
        match = next((at for at in free if row[at]), None)
        if match is None:
            return 0
        free.remove(match)
    return int(not free)


def repass(entailment, contradiction, covered):
    """Parts and composite of RePASs: matrices with a row for each passage sentence and a column for each answer sentence; `covered` has a
    truth for each obligation."""
    best = lambda matrix: mean(max(column) for column in zip(*matrix)) if matrix and matrix[0] else 0.0
    parts = best(entailment), best(contradiction), mean(covered) if covered else 0.0
    return *parts, (parts[0] - parts[1] + parts[2] + 1) / 3


# A threshold of ROUGE-L by verdicts, as `evaluate::calibration` has it.


def calibrates(question, seed=SEED):
    """True if a question belongs to the half that chooses the threshold."""
    value = 0xCBF29CE484222325
    for byte in seed.to_bytes(8, "little") + question.encode():
        value = ((value ^ byte) * 0x100000001B3) & (1 << 64) - 1
    return (value ^ value >> 32).bit_count() % 2 == 0


def agreement(judged, threshold):
    """Share of the pairs (score, is right) on which the threshold says the same."""
    return mean((score >= threshold) == right for score, right in judged)


def best_threshold(judged):
    """The lowest threshold with the highest agreement, midway between two scores."""
    scores = sorted({score for score, _ in judged})
    between = [0.0, *((low + high) / 2 for low, high in zip(scores, scores[1:])), max(1.0, scores[-1]) + 1e-9]
    return max(between, key=lambda at: (agreement(judged, at), -at))


# The files of `eval table`.


def rows_of(out, table):
    """Figures of the CSV by row and measure, rows in their order."""
    rows = {}
    with (out / f"{table}.csv").open(encoding="utf-8", newline="") as file:
        for line in csv.DictReader(file):
            if line["group"] in ("ranking", "answers") and line["state"] == "measured":
                rows.setdefault(line["row"], {})[line["measure"]] = float(line["value"])
    return {name: figures for name, figures in rows.items() if (out / f"answers-{name}-1.jsonl").is_file()}


def answers_of(out, row):
    """Answers of the first run, a refusal without its text."""
    answers = json_lines(out / f"answers-{row}-1.jsonl")[1:]
    return [{**answer, "text": answer["text"] if answer["sufficient"] else ""} for answer in answers]


def judged_as(answer, by_passages):
    """Key of a request to the judge, all that it follows from: equal ones are asked once, under the first row that has them."""
    return answer["id"], answer["text"], *(answer["read"] if by_passages else [])


def replies_of(out, step, answers, by_passages):
    """Replies of a judge, by what they were asked of."""
    asked = {f"{row}/{answer['id']}": judged_as(answer, by_passages) for row, some in answers.items() for answer in some}
    replies = {}
    for line in json_lines(out / "judge.replies.jsonl"):
        if line["step"] == step and "reply" in line and line["id"] in asked:
            replies[asked[line["id"]]] = json.loads(line["reply"][line["reply"].index("{") : line["reply"].rindex("}") + 1])
    return replies


def is_complete(said):
    return all(claim["status"] == "present" for claim in said["claims"])


def hits_of(evidence, passages):
    """Pieces of evidence against passages, each a list of the articles that it holds."""
    return [[piece in places for places in passages] for piece in evidence]


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    cell = lambda value: f"{value:.3f}" if isinstance(value, float) else str(value)
    return "\n".join(lines + ["| " + " | ".join(map(cell, row)) + " |" for row in rows])


def score_of(answer, question, cut, said):
    """One answer of Legal-DC by all measures; `said` is the judge's reply about it, if it gave one."""
    evidence = list(dict.fromkeys(unit for units in question["ev_units"] for unit in units))
    hits = hits_of(evidence, [one["places"] for one in answer["found"][:CANDIDATES]])
    cited = list(dict.fromkeys(place for place, _ in answer["cited"]))
    words, reference = cut(answer["text"]), cut(question["answer"])
    characters = [[c for c in text if not c.isspace()] for text in (answer["text"], question["answer"])]
    return {
        "id": answer["id"],
        "found": all_found(hits),
        "ranks": reciprocal_ranks(hits),
        "selected": selected(hits_of(evidence, [[place] for place in cited])) if all_found(hits) else None,
        "words": rouge_l(words, reference),
        "bleu": bleu_2(words, reference) if words else 0.0,
        "characters": rouge_l(*characters),
        "complete": None if answer["text"] and not said else bool(answer["text"]) and is_complete(said),
    }


def mean_of(scores, measure):
    values = [float(score[measure]) for score in scores if score[measure] is not None]
    return mean(values), len(values)


def retrieval_table(figures, scores):
    head = ["row", "recall_all@5", "Recall", "mrr@5", "MRR@5", "document_selection", "DSA", "n of DSA"]
    lines = []
    for row, ours in figures.items():
        found, ranks, chosen = (mean_of(scores[row], measure) for measure in ("found", "ranks", "selected"))
        lines.append([row, ours["recall_all@5"], found[0], ours["mrr@5"], ranks[0], ours["document_selection"], *chosen])
    return table(head, lines)


def writing_table(figures, scores, threshold):
    head = ["row", "rouge_l", "ROUGE-L", "bleu", "BLEU", "accuracy", "Accuracy", "calibrated", "judged complete"]
    lines = []
    for row, ours in figures.items():
        assert abs(mean_of(scores[row], "characters")[0] - ours["rouge_l"]) < 1e-9, f"{row}: ROUGE-L is not that of the CSV"
        right = mean(float(score["words"] > RIGHT_OVER) for score in scores[row])
        held = [score for score in scores[row] if not calibrates(score["id"])]
        calibrated = mean(float(score["characters"] >= threshold) for score in held)
        theirs = mean_of(scores[row], "words")[0], mean_of(scores[row], "bleu")[0]
        lines.append([row, ours["rouge_l"], theirs[0], ours["bleu"], theirs[1], ours["accuracy"], right, calibrated, mean_of(held, "complete")[0]])
    return table(head, lines)


def threshold_table(halves, threshold):
    """Agreement of thresholds with the judge, for the half of the questions that chooses one and for the other."""
    counts = [f"{len({score['id'] for score in half})} questions, {len(half)} answers" for half in halves]
    lines = []
    for name, unit, at in [
        ("ours, not calibrated", "characters", OURS_FROM),
        ("the program's, exclusive", "words", nextafter(RIGHT_OVER, 1)),
        ("ours, calibrated", "characters", threshold),
    ]:
        shares = [agreement([(score[unit], score["complete"]) for score in half], at) for half in halves]
        lines.append([name, f"{at:.3f}", unit, *shares])
    lines.append(["every answer is right", "", "", *(mean_of(half, "complete")[0] for half in halves)])
    head = ["threshold", "at", "of", f"agreement, the half that chooses ({counts[0]})", f"agreement, the other half ({counts[1]})"]
    return table(head, lines)


def legaldc(out, queries):
    import jieba

    jieba.setLogLevel(60)
    # The program takes out punctuation and white space before it cuts.
    cut = lambda text: list(jieba.cut(re.sub(r"[^\w]", "", text)))
    gold = {question["qid"]: question for question in json_lines(queries)}
    figures = rows_of(out, "legaldc")
    answers = {row: answers_of(out, row) for row in figures}
    replies = replies_of(out, "judge-coverage", answers, by_passages=False)
    said = lambda answer: replies.get(judged_as(answer, by_passages=False))
    scores = {row: [score_of(answer, gold[answer["id"]], cut, said(answer)) for answer in some] for row, some in answers.items()}
    judged = [score for some in scores.values() for score in some if score["complete"] is not None]
    halves = [[score for score in judged if calibrates(score["id"]) == half] for half in (True, False)]
    threshold = best_threshold([(score["characters"], score["complete"]) for score in halves[0]])
    return "\n\n".join([retrieval_table(figures, scores), writing_table(figures, scores, threshold), threshold_table(halves, threshold)])


def obliqa(out):
    figures = rows_of(out, "obliqa")
    answers = {row: answers_of(out, row) for row in figures}
    replies = replies_of(out, "judge-inference", answers, by_passages=True)
    lines = []
    for row, ours in figures.items():
        parts = []
        for answer in answers[row]:
            said = replies.get(judged_as(answer, by_passages=True))
            if said and answer["text"]:
                flags = lambda name: [[float(state == name) for state in said["sentences"]]]
                parts.append(repass(flags("entailed"), flags("contradicted"), said["obligations"]))
        means = [mean(part[at] for part in parts) for at in range(4)]
        n_silent = sum(not answer["text"] for answer in answers[row])
        all_of_them = (sum(part[3] for part in parts) + n_silent / 3) / (len(parts) + n_silent)
        assert abs(all_of_them - ours["repass"]) < 1e-9, f"{row}: RePASs is not that of the CSV: {all_of_them}"
        lines.append([row, len(parts), *means[:3], ours["repass"], means[3]])
    return table(["row", "answers", "entailment", "contradiction", "obligation coverage", "repass, of all", "RePASs, of answers"], lines)


def main():
    match sys.argv[1:]:
        case ["legaldc", out, queries]:
            print(legaldc(Path(out), Path(queries)))
        case ["obliqa", out]:
            print(obliqa(Path(out)))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
