/**
 * `licences.txt`: the notices that licences ask for, each text once. A package without a licence file has that of its
 * repository, or the standard text of what it declares with its authors' names.
 */

import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';

/** @typedef {import('./packages.mjs').Package} Package */

const licenceFile = /^(licen[cs]e|copying|notice|unlicense|copyright)/i;
const code = /\.(rs|js|mjs)$/;
const rule = `\n\n${'-'.repeat(100)}\n`;

/** Texts of the licence files of a package; data that it bundles may have its own. @param {Package} each */
async function textsIn(each) {
  if (each.folder === '') return [];
  const entries = await readdir(each.folder, { withFileTypes: true, recursive: each.kind === 'npm' });
  const files = entries
    .filter((entry) => entry.isFile() && licenceFile.test(entry.name) && !code.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
  return Promise.all(files.map((file) => readFile(file, 'utf8')));
}

/** @param {Package} each */
const repository = (each) => each.source?.replace(/(\.git)?(\/tree\/.*)?\/?$/, '') ?? null;

/**
 * The standard text of what a package declares.
 * @param {Package} each @param {{ apache: string, mit: string }} standard
 */
function standardText({ name, licence, authors }, { apache, mit }) {
  if (/\bApache-2\.0\b/.test(licence)) return apache;
  if (!/\bMIT\b/.test(licence)) throw new Error(`${name} (${licence}) has no licence text`);
  return mit.replace(/^Copyright .*$/m, `Copyright (c) ${authors.join(', ') || `the authors of ${name}`}`);
}

/** A text as lines of the same end, so that copies of one licence are one. @param {string} text */
const tidied = (text) => `${text.replaceAll(/[ \t\r]+$/gm, '').replace(/^\n+|\n+$/g, '')}\n`;

/**
 * @param {Package[]} packages
 * @param {{ apache: string, mit: string }} standard texts of our own licences, which are the standard ones
 */
export async function licences(packages, standard) {
  const found = await Promise.all(packages.map(textsIn));
  /** @type {string[]} */
  const texts = [];
  /** @param {string} text */
  const numberOf = (text) => {
    const known = texts.indexOf(tidied(text));
    return known >= 0 ? known + 1 : texts.push(tidied(text));
  };
  const rows = packages.map((each, idx) => {
    const sibling = packages.findIndex(
      (other, at) =>
        (found[at]?.length ?? 0) > 0 && other.folder !== '' && repository(other) === repository(each),
    );
    const own = found[idx] ?? [];
    const lent = repository(each) === null ? [] : (found[sibling] ?? []);
    const used = own.length > 0 ? own : lent.length > 0 ? lent : [standardText(each, standard)];
    const numbers = [...new Set(used.map(numberOf))].map((number) => `[${number}]`).join(' ');
    return `${each.name} ${each.version}, ${each.licence}: ${numbers}\n`;
  });
  const parts = texts.map((text, idx) => `${rule}[${idx + 1}]\n\n${text}`);
  return `Pincite is made of these packages, each with its licence and the numbers of the texts below.\n\n${rows.join('')}${parts.join('')}`;
}
