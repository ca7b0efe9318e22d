/**
 * Icons: line drawings on a 20 × 20 grid, and buttons that show one.
 */

import { el } from './elements.js';

const paths = {
  add: 'M10 4v12M4 10h12',
  close: 'M5 5l10 10M15 5L5 15',
  help: 'M10 2.8a7.2 7.2 0 1 0 0 14.4a7.2 7.2 0 0 0 0-14.4M7.8 8a2.2 2.2 0 1 1 3.3 1.9c-.8.5-1.1.9-1.1 1.8M10 13.9v.4',
  document: 'M5 2.5h6.5L15 6v11.5H5zM11.5 2.5V6H15M7.5 10h5M7.5 13h5',
  lock: 'M5.5 9h9v8h-9zM7.5 9V6.5a2.5 2.5 0 0 1 5 0V9',
  remove: 'M4 6h12M8 6V4h4v2M5.5 6l.7 10.5h7.6L14.5 6M8.5 9v5M11.5 9v5',
  search: 'M9 3.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 0 0 0-11M13 13l4 4',
  ask: 'M4 10h11M10.5 5.5L15 10l-4.5 4.5',
  previous: 'M12 5l-5 5 5 5',
  next: 'M8 5l5 5-5 5',
  up: 'M5 12l5-5 5 5',
  down: 'M5 8l5 5 5-5',
  smaller: 'M5 10h10',
  larger: 'M5 10h10M10 5v10',
  width: 'M3 4v12M17 4v12M6 10h8M8 8l-2 2 2 2M12 8l2 2-2 2',
  whole: 'M5 2.5h10v15H5zM10 5v3M8.7 6.2L10 5l1.3 1.2M10 15v-3M8.7 13.8L10 15l1.3-1.2',
  copy: 'M7 6.5h9.5V17H7zM7 13.5H3.5V3H13v3.5',
  save: 'M10 3v9.5M6 9L10 13l4-4M3.5 13.5v3h13v-3',
  info: 'M10 3a7 7 0 1 0 0 14a7 7 0 0 0 0-14M10 9v4.5M10 6.2v.6',
  warning: 'M10 3.5L17.5 16.5h-15zM10 8.5v4M10 14.2v.4',
  check: 'M4.5 10.5l3.5 3.5 7.5-8',
  undo: 'M7 5L3.5 8.5L7 12M4 8.5h8a4 4 0 0 1 0 8H8',
  shield: 'M10 2.8l6 2.2v4.5c0 3.7-2.5 6.4-6 7.7c-3.5-1.3-6-4-6-7.7V5zM7.3 9.8l2 2l3.6-4',
  talk: 'M3.5 4h13v9.5H9l-3.5 3v-3h-2zM10 6.3v5M7.5 8.8h5',
  tools: 'M3.5 6h8M15 6h1.5M3.5 14h2M9 14h7.5M13.2 3.8v4.4M7.2 11.8v4.4',
  pages: 'M3.5 3.5H9v6.2H3.5zM11 3.5h5.5v6.2H11zM3.5 12H9v5H3.5zM11 12h5.5v5H11z',
  print: 'M6 7V3h8v4M6 14H3.5V7h13v7H14M6 11h8v6H6z',
  list: 'M4 5.5h12M4 10h12M4 14.5h12',
  repair: 'M4.5 15.5l7-7M11 5.5a3 3 0 0 1 4-1.5l-2 2 1 2 2 1 1.6-2',
  moved: 'M3.5 6h6a4 4 0 0 1 4 4v5.5M10 12.5l3.5 3.5 3.5-3.5',
  pieces: 'M3.5 4h5.5v5.5H3.5zM11 10.5h5.5V16H11zM6.2 12v3.2h3',
  quote: 'M4 8.5h4V13H4zM4 8.5C4 6 5 4.8 7 4.5M11.5 8.5h4V13h-4zM11.5 8.5c0-2.5 1-3.7 3-4',
  upload: 'M10 13.5V4M6 7.5L10 3.5l4 4M3.5 13.5v3h13v-3',
};

/** @typedef {keyof typeof paths} IconName */

/** @param {IconName} name @returns {SVGSVGElement} */
export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 20 20');
  svg.setAttribute('aria-hidden', 'true');
  svg.classList.add('icon');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', paths[name]);
  svg.append(path);
  return svg;
}

/**
 * A button that shows an icon and says what it does: its tooltip is its name. With a label besides, screen readers would say
 * the tooltip once more, as a description.
 * @param {IconName} name
 * @param {string} label
 * @param {(event: Event) => void} onclick
 * @param {Record<string, unknown>} [props]
 */
export function iconButton(name, label, onclick, props = {}) {
  return el('button', { type: 'button', class: 'icon-button', title: label, onclick, ...props }, icon(name));
}
