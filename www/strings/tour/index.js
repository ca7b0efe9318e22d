/** Steps of the tour, which are loaded with it. */

import { enTour } from './en.js';
import { zhTour } from './zh.js';

/** @typedef {import('./en.js').TourStrings} TourStrings */

/** @param {string} lang as `Strings.lang` @returns {TourStrings} */
export const tourStringsOf = (lang) => (lang === 'zh' ? zhTour : enTour);
