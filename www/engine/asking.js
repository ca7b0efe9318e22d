/**
 * One question, from the first search to the answer. The machine in the worker states its needs, and this module
 * carries them: a query to the embedding and back as a search, passages to those that compare them and back as their
 * matches, a request to a language model and back as its reply. It never looks into any.
 */

import { cancelled } from './errors.js';

/** @typedef {import('./protocol.js').Answer} Answer */
/** @typedef {import('./protocol.js').Need} Need */
/** @typedef {import('./protocol.js').ModelRequest} ModelRequest */
/** @typedef {import('./protocol.js').QueryVector} QueryVector */
/** @typedef {import('./protocol.js').TokenMatches} TokenMatches */
/** @typedef {import('pincite-wasm').WantedPassage} WantedPassage */
/** @typedef {import('./channel.js').Channel} Channel */

/**
 * A request whose passages are all that is in it of documents, earlier turns included.
 * @typedef {Omit<ModelRequest, 'passages' | 'turns'> & { passages: import('../llm/ledger.js').SentPassage[], turns?: number }} CarriedRequest
 */

/**
 * Something that has a model's reply to a request. `onText` is called with what has come so far.
 * @typedef {object} Model
 * @property {(request: CarriedRequest, options: { signal?: AbortSignal, onText?: (text: string) => void }) => Promise<{ text: string, finish: string }>} complete
 */

/**
 * An earlier question with its answer, and the passages that the answer cites.
 * @typedef {{ question: string, answer: string, cites?: readonly import('../llm/ledger.js').SentPassage[] }} EarlierTurn
 */

/**
 * @typedef {object} AskSettings
 * @property {readonly EarlierTurn[]} [history] what was asked and answered before, oldest first
 * @property {string | null} [profile] the name of one that ships, or the TOML of another
 * @property {import('./protocol.js').Glossary} [glossary] other words for terms of the question, besides those of the profile
 * @property {Model | null} [model] a language model; without one the answer is extracted
 * @property {import('./protocol.js').Filter | null} [filter]
 * @property {import('./protocol.js').Ann} [ann] how vectors are searched
 * @property {import('./protocol.js').AnswerRanking} [ranking] parameters instead of those kept of the library
 * @property {AbortSignal} [signal]
 * @property {(step: string) => void} [onStep] a step begins: `search`, `compare`, or that of a request
 * @property {(text: string) => void} [onText] the answer so far, as the model writes it; unchecked
 * @property {(content: Node | string) => void} [onPace] how a library on a server gets on, where there is one
 */

/**
 * @param {Pick<Channel, 'request'>} owner
 * @param {object} embedding
 * @param {(query: string) => Promise<QueryVector | null>} embedding.embed
 * @param {(list: () => Promise<WantedPassage[]>) => Promise<void>} [embedding.prepare] embeds the passages that a search
 *   would have vectors of, as far as there is time
 * @param {(query: string, passages: string[][]) => Promise<(TokenMatches | null)[]>} [embedding.compare] compares passages
 *   with a query token by token, as far as there is time
 * @param {string} question
 * @param {AskSettings} settings
 * @returns {Promise<Answer>}
 */
export async function ask(
  owner,
  { embed, prepare = async () => {}, compare = async () => [] },
  question,
  {
    history = [],
    profile = null,
    glossary = {},
    model = null,
    filter = null,
    ann = 'auto',
    ranking,
    signal,
    onStep,
    onText,
  },
) {
  if (signal?.aborted) throw cancelled();
  const { ask, need: first } = await owner.request({
    type: 'ask-begin',
    question,
    history: history.map(({ question, answer }) => ({ question, answer })),
    profile,
    glossary,
    model: model !== null,
    filter,
    ann,
    ...(ranking ? { ranking } : {}),
  });
  /** @type {Need} */
  let need = first;
  try {
    while (need.kind !== 'nothing') {
      if (signal?.aborted) throw cancelled();
      if (need.kind === 'search') {
        onStep?.('search');
        const vector = await embed(need.query);
        if (vector) await prepare(() => owner.request({ type: 'ask-wanted', ask }));
        need = await owner.request({ type: 'ask-search', ask, vector });
      } else if (need.kind === 'compare') {
        onStep?.('compare');
        // Without matches the passages keep the order of the search.
        const matches = await compare(need.query, need.passages).catch(() => []);
        if (signal?.aborted) throw cancelled();
        need = await owner.request({ type: 'ask-compared', ask, matches });
      } else if (model === null) {
        break;
      } else {
        onStep?.(need.request.step);
        need = await owner.request({
          type: 'ask-reply',
          ask,
          ...(await reply(model, carrying(need.request, history), signal, onText)),
        });
      }
    }
    if (signal?.aborted) throw cancelled();
  } catch (error) {
    await owner.request({ type: 'ask-drop', ask }).catch(() => {});
    throw error;
  }
  return owner.request({ type: 'ask-end', ask });
}

/**
 * A request whose passages are all that is in it of documents: earlier turns quote some too.
 * @param {ModelRequest} request
 * @param {readonly EarlierTurn[]} history
 * @returns {CarriedRequest}
 */
function carrying(request, history) {
  const carried = request.turns > 0 ? history.slice(-request.turns) : [];
  const cited = carried.flatMap(({ cites = [] }) => cites);
  return { ...request, passages: [...request.passages, ...cited] };
}

/**
 * @param {Model} model
 * @param {CarriedRequest} request
 * @param {AbortSignal | undefined} signal
 * @param {((text: string) => void) | undefined} onText
 * @returns {Promise<{ reply: { text: string, finish: string } } | { fault: { code: string, message: string, lasts: boolean } }>}
 */
async function reply(model, request, signal, onText) {
  try {
    const { text, finish } = await model.complete(request, {
      signal,
      onText: request.step === 'read' ? onText : undefined,
    });
    return { reply: { text, finish } };
  } catch (error) {
    if (signal?.aborted) throw cancelled();
    const { code, message, lasts } = /** @type {{ code?: string, message?: string, lasts?: boolean }} */ (
      error
    );
    return { fault: { code: code ?? 'unknown', message: message ?? String(error), lasts: lasts ?? false } };
  }
}
