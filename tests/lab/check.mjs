/**
 * The figures of the page from its saved files, by others: `pincite eval run` and `ir_measures`, which runs trec_eval's own
 * code. Who is not there is left out and named.
 */

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';

/** Names of the measures in the page, and in `ir_measures`. @type {Readonly<Record<string, string>>} */
const named = {
  'Recall@1': 'R@1',
  'Recall@5': 'R@5',
  'Recall@10': 'R@10',
  'MRR@10': 'RR@10',
  'nDCG@10': 'nDCG@10',
};

/**
 * Holds the measures of a run, as they are shown, to those of its files. Returns who came to the same; throws where one differs.
 * @param {object} options
 * @param {string} options.folder for the files
 * @param {string} options.run
 * @param {string} options.qrels
 * @param {ReadonlyMap<string, string>} options.shown by measure
 * @param {string | undefined} options.command `pincite`
 * @param {string | undefined} options.python with `ir_measures`
 */
export function checked({ folder, run, qrels, shown, command, python }) {
  const [runFile, qrelsFile] = [path.join(folder, 'pincite.run'), path.join(folder, 'pincite.qrels')];
  writeFileSync(runFile, run);
  writeFileSync(qrelsFile, qrels);
  /** @type {string[]} */
  const same = [];
  if (command) {
    const { metrics } = JSON.parse(
      execFileSync(command, [
        ...['eval', 'run', '--run', runFile, '--qrels', qrelsFile],
        ...['--ks', '1,5,10', '--bootstrap', '0', '--json'],
      ]).toString(),
    );
    compare('pincite eval run', shown, (name) => metrics[name.toLowerCase()]);
    same.push('`pincite eval run`');
  }
  if (python) {
    const program = [
      'import ir_measures, json, sys',
      'qrels = list(ir_measures.read_trec_qrels(sys.argv[1]))',
      'run = list(ir_measures.read_trec_run(sys.argv[2]))',
      'measures = [ir_measures.parse_measure(name) for name in sys.argv[3:]]',
      'found = ir_measures.calc_aggregate(measures, qrels, run)',
      'version = __import__("importlib.metadata").metadata.version("ir_measures")',
      'print(json.dumps([version, {str(name): value for name, value in found.items()}]))',
    ].join('\n');
    const out = execFileSync(python, ['-c', program, qrelsFile, runFile, ...Object.values(named)]);
    const [version, found] = JSON.parse(out.toString());
    compare('ir_measures', shown, (name) => found[named[name] ?? name]);
    same.push(`\`ir_measures\` ${version}`);
  }
  return same;
}

/** @param {string} who @param {ReadonlyMap<string, string>} shown @param {(name: string) => number} value */
function compare(who, shown, value) {
  for (const [name, is] of shown) {
    const theirs = Number(value(name)).toFixed(3);
    if (theirs !== is) throw new Error(`${name} is ${is} in the page and ${theirs} by ${who}`);
  }
}
