"""The scorer and the tables of the comparison, on rankings and verdicts made here: `python3 -m unittest discover tests/peers -p "*_test.py"`."""

import json
import random
import tempfile
import unittest
from pathlib import Path

import alterations
import answers
import quotation_checks
import tables
from exchange import read_lines
from scoring import judge_ranking

QUESTION = {"id": "lay/a-1", "document": "a.pdf", "pages": [3], "says": r"ten\s+days"}


def passage(document, pages, text="", n=1):
    return [{"document": document, "pages": pages, "text": text}] * n


class Scorer(unittest.TestCase):
    def test_a_ranking_is_judged_by_document_page_and_words(self):
        right, other = passage("a.pdf", [3], "within ten\ndays"), passage("b.pdf", [3], "within ten days")
        cases = [
            ("the first passage", right + other, (1, 1, 1, 1)),
            ("the same page of another document", other, (0, 0, 0, 0)),
            ("the fifth passage", passage("a.pdf", [1], n=4) + right, (0, 1, 1, 1)),
            ("the sixth passage, on the second page met", passage("a.pdf", [1], n=5) + right, (0, 0, 1, 0)),
            ("pages that are spent before the right one", passage("a.pdf", [4, 5, 6]) + passage("a.pdf", [7, 8, 3], "ten days"), (0, 1, 0, 1)),
            ("a passage of six pages", passage("a.pdf", [3, 4, 5, 6, 7, 8], "ten days"), (0, 0, 1, 0)),
            ("the right page without the words", passage("a.pdf", [2, 3], "soon"), (1, 1, 1, 0)),
            ("nothing", [], (0, 0, 0, 0)),
        ]
        for name, ranking, expected in cases:
            self.assertEqual(tuple(judge_ranking(QUESTION, ranking).values()), expected, name)

    def test_a_question_that_names_no_words_has_no_figure_for_them(self):
        question = {key: value for key, value in QUESTION.items() if key != "says"}
        self.assertIsNone(judge_ranking(question, passage("a.pdf", [3]))["quoted"])


class Tables(unittest.TestCase):
    def test_rankings_that_are_whole_have_a_row_each_and_others_none(self):
        with tempfile.TemporaryDirectory() as folder:
            for home, name, lines in [
                ("pincite", "passages", [passage("a.pdf", [3], "ten days")]),
                ("orama", "vectors", [passage("a.pdf", [2], "soon")]),
                ("orama", "hybrid", []),
            ]:
                file = Path(folder) / home / f"{name}-all.jsonl"
                file.parent.mkdir(exist_ok=True)
                file.write_text("".join(json.dumps({"id": "lay/a-1", "passages": found}) + "\n" for found in lines))
            rows = [line for line in tables.ranking_tables([QUESTION], Path(folder)) if line.startswith("| ")][1:]
        self.assertEqual(rows[0], "| Pincite | passages | 1.000 [1.00, 1.00] | 1.000 [1.00, 1.00] | 1.000 [1.00, 1.00] | 1.000 [1.00, 1.00] | 8 |  |")
        self.assertEqual(rows[1].split(" | ")[:4], ["| Orama", "vectors", "0.000 [0.00, 0.00]", "0.000 [0.00, 0.00]"])
        self.assertIn("+1.000", rows[1])
        self.assertEqual(len(rows), 2)

    def test_quotations_are_counted_by_kind(self):
        verdict = lambda kind, ours, theirs: {"kind": kind, "status": "", "Pincite": ours, "method of mike": theirs}
        lines = [{"quotations": [verdict("as printed", True, True), verdict("figure", False, True), verdict("modal", False, False)]}, {"quotations": None}]
        text = "\n".join(tables.quotation_table(lines))
        self.assertIn("| **false**, all of the following | 0 of 2 | 1 of 2 |", text)
        self.assertIn("| figure | 0 of 1 | 1 of 1 |", text)

    def test_tables_are_put_between_their_marks(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "README.md"
            path.write_text(f"a\n{tables.BEGIN}\nold\n{tables.END}\nb\n")
            tables.write("new", path)
            self.assertEqual(path.read_text(), f"a\n{tables.BEGIN}\n\nnew\n{tables.END}\nb\n")

    def test_the_committed_answers_have_their_verdicts(self):
        lines = read_lines(tables.HERE / "answers.jsonl")
        self.assertTrue(lines)
        self.assertTrue(all(line["right"] in (0, 1) and line["refused"] in (0, 1) for line in lines))
        self.assertEqual(len({line["id"] for line in lines}) * len({line["peer"] for line in lines}), len(lines))


class Answers(unittest.TestCase):
    def test_every_document_is_asked_once_before_one_is_asked_again(self):
        drawn = [{"id": name, "document": name[0]} for name in ["b1", "b2", "b3", "a1", "c1", "c2"]]
        self.assertEqual([question["id"] for question in answers.round_the_documents(drawn)], ["b1", "a1", "c1", "b2", "c2", "b3"])

    def test_an_answer_is_scored_by_what_it_cites_and_keeps_its_verdicts(self):
        cited = passage("a.pdf", [3], "within ten\ndays")
        line = answers.scored("pincite", QUESTION, "lay/a-1", cited, {"right": 1, "refused": 0, "first": 0})
        self.assertEqual(line, {"peer": "pincite", "id": "lay/a-1", "right": 1, "refused": 0, "first": 1, "five": 1, "quoted": 1, "characters": 15})
        self.assertIsNone(answers.scored("pincite", QUESTION, "lay/a-1", cited, {})["right"])


class Alterations(unittest.TestCase):
    PASSAGES = [
        "A firm must notify the Authority in writing within 10 days of any material change, unless the change is temporary and no client is affected by it.",
        "The annual fee shall be paid on 31 July of each year; an exempt firm is not required to pay the annual fee unless it has asked to be treated otherwise.",
    ]

    def test_wrong_quotations_stand_nowhere_and_true_ones_stand(self):
        lot, seen = random.Random(1), set()
        for kind in alterations.KINDS * 40:
            made = alterations.make(kind, self.PASSAGES, lot)
            if made:
                seen.add(kind)
                quote, words, _ = made
                everything = "\n".join(self.PASSAGES)
                if kind in (alterations.PRINTED, alterations.TRUE, alterations.MISATTRIBUTED):
                    self.assertTrue(alterations.stands(words, everything), (kind, quote))
                elif kind in ("figure", "cut"):
                    self.assertFalse(alterations.stands(words, everything), (kind, quote))
        self.assertEqual(seen, set(alterations.KINDS))

    def test_the_method_of_mike_forgives_case_space_and_punctuation_alone(self):
        text = self.PASSAGES[0]
        for quote, expected in [("a firm  must NOTIFY", True), ("material change unless the", True), ("A firm … 10 days", True), ("within 12 days", False)]:
            self.assertEqual(quotation_checks.method_of_mike(quote, text, text), expected, quote)


if __name__ == "__main__":
    unittest.main()
