/**
 * Strings of the page, one file a language. A widget takes its language when it is put into a page; a language that
 * is not here falls back to English.
 */

import { en } from './en.js';
import { zh } from './zh.js';

/** @typedef {import('./en.js').Strings} Strings */

/** @type {Readonly<Record<string, Strings>>} */
const languages = { en, zh };

/** Strings of a language. @param {string} tag as `lang` has it: `zh`, `zh-CN`, `en-GB` … @returns {Strings} */
export function stringsOf(tag) {
  return languages[tag.toLowerCase().split('-', 1)[0] ?? ''] ?? en;
}
