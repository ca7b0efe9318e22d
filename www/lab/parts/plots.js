/**
 * Plots of a run: share found by rank, gain of each question, reliability of the answers' probabilities. Each is an SVG with a
 * title and a description, and a table of the same numbers behind it. All axes are shares from 0 to 1 or ranks, so two lines
 * of arithmetic are their scales: a plotting library would be many times the rest of the lab.
 */

import { el, fill } from '../../dom/elements.js';
import { recallByRank } from '../judged.js';

/** @typedef {import('../judged.js').Result} Result */
/** @typedef {{ query: string, before: number | null, after: number | null }} Gain ranks */

/** Size of a plot and of its inner part, in units of its own. */
const box = { width: 360, height: 220, left: 40, right: 12, top: 12, bottom: 34 };
const inner = { width: box.width - box.left - box.right, height: box.height - box.top - box.bottom };
/** Questions whose gain is drawn. */
const mostGains = 200;

/**
 * @param {HTMLElement} element
 * @param {import('../lab.js').PartHost} host
 * @param {object} figures
 * @param {Result[]} figures.after
 * @param {Result[]} figures.before empty without a run before
 * @param {Gain[]} figures.gains
 * @param {number} figures.k
 * @param {import('pincite-lab').ReliabilityReply | null} figures.reliability
 */
export function drawPlots(element, { texts }, { after, before, gains, k, reliability }) {
  fill(
    element,
    byRank(texts, after, before, k),
    gains.some(({ before, after }) => before !== after) && perQuestion(texts, gains),
    reliability && calibration(texts, reliability),
  );
}

/** @param {import('../../strings/lab/en.js').LabStrings} texts @param {Result[]} after @param {Result[]} before @param {number} k */
function byRank(texts, after, before, k) {
  const now = recallByRank(after, k);
  const then = before.length > 0 ? recallByRank(before, k) : null;
  const x = (/** @type {number} */ at) => box.left + (k > 1 ? at / (k - 1) : 0) * inner.width;
  const line = (/** @type {number[]} */ shares, /** @type {string} */ name) =>
    svg('polyline', { class: name, points: shares.map((share, at) => `${x(at)},${y(share)}`).join(' ') });
  return figure({
    title: texts.byRank,
    description: texts.byRankSaid(k, now[0] ?? 0, now.at(-1) ?? 0),
    shapes: [
      ...shareAxis(),
      ...[1, Math.ceil(k / 2), k].map((rank) => label(String(rank), x(rank - 1), box.height - 16, 'middle')),
      label(texts.rankAxis, box.left + inner.width / 2, box.height - 3, 'middle'),
      ...(then ? [line(then, 'plot-before')] : []),
      line(now, 'plot-now'),
    ],
    key: then
      ? [
          ['plot-now', texts.now],
          ['plot-before', texts.before],
        ]
      : [],
    table: table(
      texts,
      [texts.rankAxis, texts.now, ...(then ? [texts.before] : [])],
      now.map((share, at) => [
        String(at + 1),
        share.toFixed(3),
        ...(then ? [(then[at] ?? 0).toFixed(3)] : []),
      ]),
    ),
    texts,
  });
}

/** Difference of one over the rank, question by question. @param {import('../../strings/lab/en.js').LabStrings} texts @param {Gain[]} gains */
function perQuestion(texts, gains) {
  const inverse = (/** @type {number | null} */ rank) => (rank === null ? 0 : 1 / rank);
  const all = gains
    .map((gain) => ({ ...gain, gain: inverse(gain.after) - inverse(gain.before) }))
    .sort((a, b) => b.gain - a.gain);
  const changed = all.filter(({ gain }) => gain !== 0).slice(0, mostGains);
  const largest = Math.max(...changed.map(({ gain }) => Math.abs(gain)));
  const zero = box.top + inner.height / 2;
  const step = inner.width / changed.length;
  const bars = changed.map(({ gain }, at) => {
    const height = (Math.abs(gain / largest) * inner.height) / 2;
    return svg('rect', {
      class: gain > 0 ? 'plot-gain' : 'plot-loss',
      x: box.left + at * step,
      y: gain > 0 ? zero - height : zero,
      width: Math.max(0.5, step * 0.8),
      height,
    });
  });
  const [better, worse] = [
    all.filter(({ gain }) => gain > 0).length,
    all.filter(({ gain }) => gain < 0).length,
  ];
  const rank = (/** @type {number | null} */ value) => (value === null ? '–' : String(value));
  return figure({
    title: texts.gains,
    description: texts.gainsSaid(better, worse, all.length - better - worse),
    shapes: [
      ...[`+${largest.toFixed(2)}`, '0', `−${largest.toFixed(2)}`].map((text, at) =>
        label(text, box.left - 6, box.top + (at * inner.height) / 2 + 4, 'end'),
      ),
      svg('line', { class: 'plot-axis', x1: box.left, x2: box.left + inner.width, y1: zero, y2: zero }),
      ...bars,
      label(texts.gainAxis, box.left + inner.width / 2, box.height - 8, 'middle'),
    ],
    key: [],
    table: table(
      texts,
      [texts.query, texts.before, texts.after],
      changed.map(({ query, before, after }) => [query, rank(before), rank(after)]),
    ),
    texts,
  });
}

/** @param {import('../../strings/lab/en.js').LabStrings} texts @param {import('pincite-lab').ReliabilityReply} reliability */
function calibration(texts, { bins, n, ece }) {
  const filled = bins.flatMap(({ low, high, n, predicted, observed }) =>
    predicted === null || observed === null ? [] : { low, high, n, predicted, observed },
  );
  const x = (/** @type {number} */ share) => box.left + share * inner.width;
  const dots = filled.map((bin) =>
    svg('circle', {
      class: 'plot-dot',
      cx: x(bin.predicted),
      cy: y(bin.observed),
      r: 3 + 9 * Math.sqrt(bin.n / n),
    }),
  );
  return figure({
    title: texts.reliability,
    description: texts.reliabilitySaid(n, ece),
    shapes: [
      ...shareAxis(),
      ...[0, 0.5, 1].map((share) => label(String(share), x(share), box.height - 16, 'middle')),
      label(texts.probabilityAxis, box.left + inner.width / 2, box.height - 3, 'middle'),
      svg('line', { class: 'plot-axis', x1: x(0), y1: y(0), x2: x(1), y2: y(1) }),
      ...dots,
    ],
    key: [],
    table: table(
      texts,
      [texts.probabilityAxis, texts.nAnswers, texts.predicted, texts.observed],
      filled.map(({ low, high, n, predicted, observed }) => [
        `${low.toFixed(1)}–${high.toFixed(1)}`,
        String(n),
        predicted.toFixed(3),
        observed.toFixed(3),
      ]),
    ),
    texts,
  });
}

/** Height of a share. @param {number} share */
const y = (share) => box.top + (1 - share) * inner.height;

function shareAxis() {
  return [0, 0.5, 1].flatMap((share) => [
    svg('line', { class: 'plot-axis', x1: box.left, x2: box.left + inner.width, y1: y(share), y2: y(share) }),
    label(String(share), box.left - 6, y(share) + 4, 'end'),
  ]);
}

let lastId = 0;

/**
 * @param {object} parts
 * @param {string} parts.title
 * @param {string} parts.description
 * @param {SVGElement[]} parts.shapes
 * @param {string[][]} parts.key class and name of each line
 * @param {HTMLElement} parts.table
 * @param {import('../../strings/lab/en.js').LabStrings} parts.texts
 */
function figure({ title, description, shapes, key, table, texts }) {
  lastId += 1;
  const [titleId, descriptionId] = [`pincite-plot-${lastId}`, `pincite-plot-${lastId}-said`];
  const drawing = svg('svg', {
    viewBox: `0 0 ${box.width} ${box.height}`,
    role: 'img',
    'aria-labelledby': `${titleId} ${descriptionId}`,
  });
  const named = [svg('title', { id: titleId }), svg('desc', { id: descriptionId })];
  for (const [at, text] of [title, description].entries()) named[at]?.append(text);
  drawing.append(...named, ...shapes);
  return el(
    'figure',
    { class: 'lab-plot' },
    el('figcaption', { class: 'strong' }, title),
    drawing,
    key.length > 0 &&
      el(
        'p',
        { class: 'fine plot-key' },
        ...key.map(([name, text]) => el('span', { class: `key-${name}` }, text ?? '')),
      ),
    el('p', { class: 'fine' }, description),
    el('details', {}, el('summary', {}, texts.numbers), table),
  );
}

/** @param {import('../../strings/lab/en.js').LabStrings} texts @param {string[]} heads @param {string[][]} rows */
function table(texts, heads, rows) {
  return el(
    'div',
    { class: 'lab-scroll', tabIndex: 0, role: 'group', 'aria-label': texts.numbers },
    el(
      'table',
      { class: 'lab-table' },
      el('thead', {}, el('tr', {}, ...heads.map((head) => el('th', { scope: 'col' }, head)))),
      el('tbody', {}, ...rows.map((row) => el('tr', {}, ...row.map((cell) => el('td', {}, cell))))),
    ),
  );
}

/** @param {string} text @param {number} x @param {number} y @param {'start' | 'middle' | 'end'} anchor */
function label(text, x, y, anchor) {
  const element = svg('text', { class: 'plot-label', x, y, 'text-anchor': anchor });
  element.append(text);
  return element;
}

/** @param {string} name @param {Record<string, string | number>} attributes */
function svg(name, attributes) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}
