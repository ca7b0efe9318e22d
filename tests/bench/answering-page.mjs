/**
 * The part of answering.mjs that runs in the page: builds the library, plays the machine through its steps with a
 * scripted model, and keeps the times. All in one thread.
 */

import { started } from './started-page.mjs';
import { Vectors, questionsOf, spread } from './search-page.mjs';

const FINGERPRINT = 'bench: vectors of no model';
/** Questions that warm up and are not counted. */
const N_WARM = 5;

/** @param {import('pincite-wasm').ModelRequest} request @param {{ checks: number }} said */
function scripted(request, said) {
  const task = request.messages.find(({ role }) => role === 'user')?.content ?? '';
  const n = Number(/^Passages: (\d+)$/m.exec(task)?.[1] ?? 0);
  const passages = [...task.matchAll(/^<<<P(\d+) \w+>>>\n\[.*\]\n([\s\S]*?)\n<<<END/gm)].map(
    ([, number, text = '']) => ({
      number: Number(number),
      first: /^[\s\S]{20,}?[.;:](?=\s|$)/.exec(text)?.[0] ?? text.split('\n')[0] ?? '',
    }),
  );
  switch (request.step) {
    case 'rewrite': {
      const question = /Question:\n(.*)$/m.exec(task)?.[1] ?? '';
      return JSON.stringify({
        question,
        rewrites: ['Under the rules, ', 'For a firm, ', 'In this rulebook, '].map(
          (begin) => begin + question,
        ),
      });
    }
    case 'filter':
      return JSON.stringify({ reasoning: '', keep: Array.from({ length: n }, (_, at) => at % 2 === 0) });
    case 'extract':
      return JSON.stringify({ quotes: passages.map(({ number, first }) => ({ p: number, text: first })) });
    case 'read':
      return passages
        .map(({ number, first }) => `- The rule is “${first.replaceAll('\n', ' ')}” [P${number}].`)
        .join('\n');
    default:
      said.checks += 1;
      return JSON.stringify({
        grounded: true,
        consistent: true,
        complete: said.checks > 1,
        problem: '',
        missing: said.checks > 1 ? [] : ['Which records are kept?'],
      });
  }
}

/**
 * @param {{ size: number, books: string[], nQuestions: number }} options
 * @returns {Promise<{ nPassages: number, steps: Record<string, { n: number, p50: number, p95: number, longest: number }> }>}
 */
export async function answering({ size, books, nQuestions }) {
  /** @type {{ glue: typeof import('pincite-wasm') }} */
  const { glue } = await started('pincite_wasm');
  const { glue: ingest } = await started('pincite_ingest');
  const parser = new ingest.Parser();
  const library = new glue.Library();
  const vectors = new Vectors();
  /** @type {string[]} */
  const texts = [];
  for (const book of books) {
    if (texts.length >= size) break;
    const file = new Uint8Array(await (await fetch(book)).arrayBuffer());
    const { segment, info } = parser.parse(file, book, undefined, undefined);
    library.add(segment);
    texts.push(...library.passages(info.id, 0, info.nPassages));
    library.putVectors(info.id, 0, info.nPassages, vectors.rows(info.nPassages), FINGERPRINT);
  }

  /** @type {Record<string, number[]>} */
  const times = {};
  /** @template T @param {string} step @param {() => T} call @returns {T} */
  const timed = (step, call) => {
    const begin = performance.now();
    const value = call();
    (times[step] ??= []).push(performance.now() - begin);
    return value;
  };
  for (const [n, question] of questionsOf(texts, nQuestions + N_WARM).entries()) {
    if (n === N_WARM) for (const step of Object.keys(times)) delete times[step];
    const said = { checks: 0 };
    const asking = timed('begin', () => library.asking(question, { model: true }));
    for (let need = asking.need(); need.kind !== 'nothing'; ) {
      if (need.kind === 'search') {
        const vector = vectors.rows(1);
        need = timed('search', () => {
          asking.search({ vector, fingerprint: FINGERPRINT });
          return asking.need();
        });
      } else if (need.kind === 'compare') {
        throw new Error('nothing is compared where a model answers');
      } else {
        const { step } = need.request;
        const text = scripted(need.request, said);
        need = timed(`after ${step}`, () => {
          asking.replied({ text, finish: 'stop' });
          return asking.need();
        });
      }
    }
    const answer = timed('finish', () => asking.finish());
    if (answer.by !== 'model' || answer.trace.degraded.length > 0)
      throw new Error(`the script does not fit: ${JSON.stringify(answer.trace.degraded)}`);
    const vector = vectors.rows(1);
    timed('without a model', () => library.ask(question, { vector, fingerprint: FINGERPRINT }));
  }
  const steps = Object.fromEntries(
    Object.entries(times).map(([step, list]) => [
      step,
      { n: list.length, ...spread(list), longest: Math.max(...list) },
    ]),
  );
  return { nPassages: texts.length, steps };
}
