/** Words of the questions and of the samples, for peers that find words. */

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { getDocument } from '../../../www/node_modules/pdfjs-dist/legacy/build/pdf.mjs';
import { samplesFolder } from '../../browser/harness.mjs';

/** @typedef {import('../user-tasks.mjs').Task} Task */
/** Where words stand: page from 1 on, points from the upper edge of the page. @typedef {{ page: number, top: number }} Place */

/** Words that nobody searches for: articles, pronouns, auxiliaries, words that ask, prepositions, small numbers. */
const stopWords = new Set(
  (
    'a an the they them their us we our you it its one some any someone who what when where which how can may do ' +
    'does did is are be by of in on to for per without with as'
  ).split(' '),
);

/** Most hits of a word that a person looks at before trying the next one. */
export const maxHits = 10;

/** Farthest distance of a hit from the answer, in points, at which both are read at one glance: five lines. */
const glance = 60;

/** Words of a question that carry its content, in order, without its stop words. @param {string} question */
export const contentWords = (question) =>
  (question.toLowerCase().match(/\p{L}+/gu) ?? []).filter((word) => !stopWords.has(word));

/** True if who looks at the hit sees the answer. @param {Place | null} hit @param {Place} answer */
export const isNear = (hit, answer) =>
  hit !== null && hit.page === answer.page && Math.abs(hit.top - answer.top) <= glance;

/** @typedef {{ words: string, top: number }[]} Lines */

/** Lines of each page of a sample. @param {string} file @returns {Promise<Lines[]>} */
export async function linesOf(file) {
  const data = new Uint8Array(await readFile(path.join(samplesFolder, file)));
  const opened = getDocument({ data, verbosity: 0 });
  const document = await opened.promise;
  const pages = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const { height } = page.getViewport({ scale: 1 });
    /** @type {Lines} */
    const lines = [{ words: '', top: 0 }];
    for (const item of (await page.getTextContent()).items) {
      if (!('str' in item)) continue;
      const line = /** @type {Lines[number]} */ (lines.at(-1));
      if (line.words.trim() === '') line.top = height - (item.transform[5] ?? 0);
      line.words += item.str;
      if (item.hasEOL) lines.push({ words: '', top: 0 });
    }
    pages.push(lines.filter(({ words }) => words.trim() !== ''));
  }
  await opened.destroy();
  return pages;
}

/** Place of the answer to a task: of the line in which its words begin. @param {Task} task @returns {Promise<Place>} */
export async function answerPlace({ file, page, holds }) {
  const lines = (await linesOf(file))[page - 1] ?? [];
  const text = lines.map(({ words }) => words).join(' ');
  let at = text.replaceAll(/\s/g, '').indexOf(holds.replaceAll(/\s/g, ''));
  if (at < 0) throw new Error(`${file}, page ${page}: no ${JSON.stringify(holds)}`);
  for (const { words, top } of lines) {
    at -= words.replaceAll(/\s/g, '').length;
    if (at < 0) return { page, top };
  }
  throw new Error('unreachable: the answer begins in a line');
}
