/** The lab, as the widget loads it. */

export { Lab } from './lab.js';
