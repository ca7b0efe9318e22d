/** Strings of a library on a server, which are loaded with it. */

import { enRemote } from './en.js';
import { zhRemote } from './zh.js';

/** @typedef {import('./en.js').RemoteStrings} RemoteStrings */

/** @param {string} lang as `Strings.lang` @returns {RemoteStrings} */
export const remoteStringsOf = (lang) => (lang === 'zh' ? zhRemote : enRemote);
