/** Strings of the lab, which are loaded with it. */

import { enLab } from './en.js';
import { zhLab } from './zh.js';

/** @param {string} lang as `Strings.lang` */
export const labStringsOf = (lang) => (lang === 'zh' ? zhLab : enLab);
