"""The formulas of `authors.py` beside the authors' programs, on inputs made here: `python3 -m unittest discover tests/judge -p "*_test.py"`.

Expected values are what the programs printed: RegNLP/RePASs `scripts/evaluate_model.py` at b9f67fb, its three models replaced by the tables
below; legal-dc/Legal-DC `src/evaluate.py` and `evaluate/llm_retrieval_eval.py` at 1f4422e, with jieba 0.42.1, rouge-chinese 1.0.3 and nltk
3.10.4. Words are those that jieba cut, so that nothing needs to be installed.
"""

import csv
import json
import tempfile
import unittest
from pathlib import Path

import authors

# Of each pair of a passage's and an answer's sentence: entailment, contradiction. Of each obligation and answer sentence: entailment.
RETENTION = {
    "entailment": [[0.33, 0.38], [0.37, 0.23]],
    "contradiction": [[0.32, 0.28], [0.41, 0.49]],
    "obligations": [[0.01, 0.30]],
    "states_obligation": [True, False],
}
LOSSES = {
    "entailment": [[0.67, 0.71, 0.23], [0.73, 0.02, 0.56], [0.20, 0.23, 0.31]],
    "contradiction": [[0.10, 0.28, 0.69], [0.18, 0.45, 0.13], [0.25, 0.61, 0.29]],
    "obligations": [[0.64, 0.95, 0.29], [0.79, 0.52, 0.23]],
    "states_obligation": [True, False, True],
}


def article(number):
    return f"第{number}条　企业应当在{number}日内办理登记。"


# Evidence, passages found, numbers of those chosen; the script's recall, MRR and selection, which it has of questions with recall alone.
SELECTIONS = [
    (["二"], ["二", "三", "四", "五", "六"], [1], (1, 1.0, 1)),
    (["七", "八"], ["二", "三", "七", "四", "八"], [3, 1], (1, 4 / 15, 0)),
    (["七", "八"], ["七八", "八", "二", "三", "四"], [1, 2], (1, 1.25, 1)),
    (["七", "九"], ["七", "二", "三", "四", "五"], [1], (0, 0.5, None)),
]

# Words of an answer and of its reference; the script's ROUGE-L, BLEU and if the answer is right.
WORDS = [
    ("企业 应当 在 二日 内 办理 登记 参考 检索 结果 1", "企业 应当 在 二日 内 办理 登记", (0.777778, 0.621561, True)),
    (
        "应当 自 收到 申请 之日起 十日 内 书面 答复 逾期 视为 同意 参考 检索 结果 31",
        "自 收到 申请 之日起 十日 内 董事会 应当 书面 答复 申请人",
        (0.592593, 0.490792, False),
    ),
    (
        "不得 转让 许可证 参考 检索 结果 12",
        "申请人 不得 转让 出租 或者 出借 许可证 违者 处 一万元 以下 罚款",
        (0.315789, 0.143795, False),
    ),
    ("文件 没有 说明 参考 检索 结果 1", "经营者 违反规定 的 由 市场 监督管理 部门 责令 改正", (0.0, 0.0, False)),
]


class Scripts(unittest.TestCase):
    def test_repass_is_that_of_the_script(self):
        for case, expected in [(RETENTION, (0.375, 0.45, 0.0, 0.30833)), (LOSSES, (0.66667, 0.51667, 0.5, 0.55))]:
            # An obligation is covered by a sentence of the answer that is an obligation itself: "It may destroy records" covers none.
            own = [at for at, obliges in enumerate(case["states_obligation"]) if obliges]
            covered = [max(row[at] for at in own) > 0.7 for row in case["obligations"]]
            for found, wanted in zip(authors.repass(case["entailment"], case["contradiction"], covered), expected):
                self.assertAlmostEqual(found, wanted, places=5)

    def test_without_that_rule_any_sentence_of_an_answer_would_cover(self):
        covered = [max(row) > 0.7 for row in LOSSES["obligations"]]
        self.assertEqual(authors.repass(LOSSES["entailment"], LOSSES["contradiction"], covered)[2], 1.0)

    def test_recall_ranks_and_selection_are_those_of_the_script(self):
        for evidence, passages, chosen, (recall, ranks, selection) in SELECTIONS:
            texts = ["".join(map(article, numbers)) for numbers in passages]
            hits = [[article(piece) in text for text in texts] for piece in evidence]
            self.assertEqual(authors.all_found(hits), recall)
            self.assertAlmostEqual(authors.reciprocal_ranks(hits), ranks)
            if recall:
                self.assertEqual(authors.selected([[row[at - 1] for at in chosen] for row in hits]), selection)

    def test_words_are_compared_as_by_the_script(self):
        for answer, reference, (rouge, bleu, is_right) in WORDS:
            answer, reference = answer.split(), reference.split()
            self.assertAlmostEqual(authors.rouge_l(answer, reference), rouge, places=6)
            self.assertAlmostEqual(authors.bleu_2(answer, reference), bleu, places=6)
            self.assertEqual(authors.rouge_l(answer, reference) > authors.RIGHT_OVER, is_right)


class Threshold(unittest.TestCase):
    def test_it_is_the_lowest_that_agrees_most(self):
        self.assertEqual(authors.best_threshold([(0.2, False), (0.8, True), (0.4, False), (0.6, True)]), 0.5)
        self.assertEqual(authors.best_threshold([(0.2, True), (0.9, True)]), 0.0)
        self.assertGreater(authors.best_threshold([(1.0, False)]), 1.0)

    def test_about_half_of_the_questions_choose_it(self):
        self.assertTrue(430 <= sum(authors.calibrates(f"question {n}") for n in range(1000)) <= 570)


class Tables(unittest.TestCase):
    def test_refusals_count_in_ours_and_not_in_the_script(self):
        said = {"sentences": ["entailed", "neutral"], "obligations": [True, False, False, False]}
        answers = [
            {"id": "1", "text": "A firm must keep records. It may not.", "sufficient": True, "read": ["R."]},
            {"id": "2", "text": "Nothing is said.", "sufficient": False, "read": ["R."]},
        ]
        of_the_answer = (0.5 - 0 + 0.25 + 1) / 3
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder)
            with (out / "obliqa.csv").open("w", newline="") as file:
                lines = csv.writer(file)
                lines.writerow(["row", "group", "measure", "value", "state"])
                lines.writerow(["ours", "answers", "repass", (of_the_answer + 1 / 3) / 2, "measured"])
            lines = [{"identity": "x"}, *answers]
            (out / "answers-ours-1.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
            reply = {"id": "ours/1", "step": "judge-inference", "reply": json.dumps(said)}
            (out / "judge.replies.jsonl").write_text(json.dumps(reply) + "\n")
            printed = authors.obliqa(out)
        self.assertIn("| ours | 1 | 0.500 | 0.000 | 0.250 | 0.458 | 0.583 |", printed)


if __name__ == "__main__":
    unittest.main()
