/**
 * Questions in lay words as a person keeps them: a table in CSV, one place to a line, with the columns that the lab asks for.
 * Which documents are set aside is decided in one place, `tests/answers/scoring.py`.
 */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** @typedef {{ id: string, document: string, question: string, answer: string, pages: number[], parts?: number[][] }} LayQuestion */

const scoring = fileURLToPath(new URL('../answers/scoring.py', import.meta.url));

/**
 * Questions of a file of `tests/answers` that some documents answer. Throws where a document is one of those set aside.
 * @param {string} file @param {readonly string[]} documents
 * @returns {LayQuestion[]}
 */
export function layQuestions(file, documents) {
  const dev = execFileSync('python3', [scoring, 'lay', 'dev'], { encoding: 'utf8', maxBuffer: 2 ** 26 });
  const ids = new Set(lines(dev).map(({ qid }) => qid));
  const asked = lines(readFileSync(file, 'utf8')).filter(
    ({ document, pages }) => documents.includes(document) && pages?.length > 0,
  );
  const aside = asked.find(({ id }) => !ids.has(id));
  if (aside) throw new Error(`${aside.document} is set aside; nothing is tried on it`);
  return asked;
}

/** As a spreadsheet saves it. Of a place with several pages any one answers. @param {readonly LayQuestion[]} questions */
export function asCsv(questions) {
  const rows = questions.flatMap(({ id, question, answer, document, pages, parts }) =>
    (parts ?? [pages]).map((part) => [id, question, answer, document, part.join(', ')]),
  );
  return [['id', 'question', 'answer', 'document', 'page'], ...rows]
    .map((row) => `${row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`)
    .join('');
}

/** @param {string} text JSON lines @returns {any[]} */
const lines = (text) => text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line)]));
