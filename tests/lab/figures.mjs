/** Figures that the person saw, in Markdown: `figures.md`. */

import { cpus, loadavg } from 'node:os';

/** @typedef {string[][]} Table its head first */
/**
 * @typedef {object} Seen
 * @property {string} chromium version
 * @property {readonly string[]} documents
 * @property {string} loaded sentence of the page about the questions
 * @property {Table} measures of the run
 * @property {{ outcome: string, n: number, why: string }[]} looked hits and misses, and how the best passage of one was scored
 * @property {readonly string[]} same who came to the same figures by the files
 * @property {readonly { heldOut: string, told: string, rows: Table, verdict: string }[]} trained
 * @property {ReadonlyMap<string, number>} seconds by step
 */

/** @param {Seen} seen */
export function figures({ chromium, documents, loaded, measures, looked, same, trained, seconds }) {
  const processor = cpus();
  return [
    '# The lab, as a new user goes through it',
    '',
    'Written by `node tests/lab/run.mjs`, which says what is done; not edited by hand. Questions in lay words of `tests/answers`',
    'over documents of `legal-dev`, none of those set aside. All figures are read off the page.',
    '',
    `Chromium ${chromium}, ${processor[0]?.model.trim()}, ${processor.length} cores.`,
    `${documents.length} documents: ${documents.map((name) => `\`${name}\``).join(', ')}. ${loaded}`,
    '',
    '## All questions searched',
    '',
    'With the settings that the lab begins with: the ranking of answers, but for the comparison word by word.',
    '',
    ...table(measures),
    ...looked.map(({ outcome, n, why }) => `- ${outcome}: ${n}. The best passage of the first: “${why}”.`),
    ...(same.length > 0
      ? [`- The files of run and judgments give these figures by ${same.join(' and by ')}, too.`]
      : []),
    '',
    ...trained.flatMap(({ heldOut, told, rows, verdict }) => [
      `## A ranker trained, held out: ${heldOut}`,
      '',
      told,
      '',
      ...table(rows),
      verdict,
      '',
    ]),
    '## Seconds',
    '',
    `As a person waited, beside whatever else the machine did: its load over the last 15 minutes was ${loadavg()[2]?.toFixed(1)}.`,
    '',
    ...table([['step', 's'], ...[...seconds].map(([step, each]) => [step, each.toFixed(1)])]),
  ].join('\n');
}

/** @param {Table} rows */
const table = ([head = [], ...rows]) => [
  `| ${head.join(' | ')} |`,
  `${'|---'.repeat(head.length)}|`,
  ...rows.map((row) => `| ${row.join(' | ')} |`),
  '',
];
