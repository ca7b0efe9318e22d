/** Findings of the connection check in words, which are loaded with it. */

import { describeFault } from '../errors.js';
import { enCheck } from './en.js';
import { zhCheck } from './zh.js';

/** @typedef {import('./en.js').CheckStrings} CheckStrings */

/** @param {string} lang as `Strings.lang` @returns {CheckStrings} */
export const checkStringsOf = (lang) => (lang === 'zh' ? zhCheck : enCheck);

/**
 * A finding of the connection check: a sentence and what to do.
 * @param {import('../index.js').Strings} strings
 * @param {Pick<import('../../llm/check.js').CheckResult, 'finding' | 'values' | 'error'>} found
 * @returns {{ message: string, fix: string }}
 */
export function describeCheck(strings, { finding, values, error }) {
  const { message: said, hint } = error === null ? { message: '', hint: '' } : describeFault(strings, error);
  const [message, fix] = checkStringsOf(strings.lang)[finding];
  return { message: message({ ...values, said, hint }), fix: fix({ ...values, said, hint }) };
}
