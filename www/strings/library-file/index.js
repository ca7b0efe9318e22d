/** Strings of a library as a file, which are loaded when one is saved. */

import { enLibraryFile } from './en.js';
import { zhLibraryFile } from './zh.js';

/** @typedef {import('./en.js').LibraryFileStrings} LibraryFileStrings */

/** @param {string} lang as `Strings.lang` @returns {LibraryFileStrings} */
export const libraryFileStringsOf = (lang) => (lang === 'zh' ? zhLibraryFile : enLibraryFile);
