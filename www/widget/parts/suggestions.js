/**
 * Questions to begin with, as buttons: those of samples that are in the library, and those made from the person's own documents
 * by `examples.js`, which is loaded when there are some. Until a question has been asked.
 */

import { el } from '../../dom/elements.js';
import { isOver } from '../../engine/ingest.js';

/** @typedef {import('../../engine/client.js').Snapshot} Snapshot */

/** Most questions on show, where the samples have more. */
const maxShown = 6;
/** Milliseconds for which the documents must be the same before examples are made of them. */
const rest = 300;
/** Times that making examples is tried of the same documents. */
const maxTries = 3;

export class Suggestions {
  element = el('div', { class: 'suggestion-slot' });
  #host;
  /** Null until it is known which there are. @type {import('./welcome.js').Sample[] | null} */
  #samples = null;
  /** @type {import('../examples.js').Example[]} */
  #examples = [];
  /** Ids of the documents that the examples are made from. */
  #sources = '';
  #nFailed = 0;
  /** Ends the making of examples. @type {AbortController | null} */
  #making = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** What is on show, by question. @type {Map<string, HTMLElement>} */
  #buttons = new Map();
  #group;

  /**
   * @param {object} host
   * @param {import('../../strings/index.js').Strings} host.strings
   * @param {() => import('../../engine/client.js').Engine} host.engine of this browser's documents
   * @param {() => boolean} host.isWanted false where something has been asked
   * @param {() => import('../../engine/protocol.js').Filter | null} host.filter where a question is looked for
   * @param {(question: string) => void} host.onAsk
   */
  constructor(host) {
    this.#host = host;
    const { suggestions, try: label } = host.strings.welcome;
    this.#group = el(
      'div',
      { class: 'suggestions', role: 'group', 'aria-label': suggestions },
      el('span', { class: 'fine' }, label),
    );
  }

  /** @param {import('./welcome.js').Sample[]} samples that the site has */
  offer(samples) {
    this.#samples = samples;
  }

  /** @param {Pick<Snapshot, 'state' | 'documents' | 'jobs'>} snapshot */
  update({ state, documents, jobs }) {
    const isWanted = this.#host.isWanted();
    if (!isWanted) this.#end();
    // Of many documents that come, each is the newest for a moment.
    else if (this.#samples !== null && state === 'open' && jobs.every(isOver))
      this.#renew(documents, this.#samples);
    this.#draw(isWanted ? this.#questions(documents) : []);
  }

  /** Questions that can be asked now, with the filter as it is. @param {Snapshot['documents']} documents */
  #questions(documents) {
    const { documents: chosen, ...narrower } = this.#host.filter() ?? {};
    const asked = documents.filter(({ id }) => !chosen || chosen.includes(id));
    const ids = new Set(asked.map(({ id }) => id));
    const names = new Set(asked.map(({ name }) => name));
    // Examples were tried in all of a document.
    const examples = Object.keys(narrower).length > 0 ? [] : this.#examples;
    const own = examples.filter(({ document }) => ids.has(document)).map(({ question }) => question);
    const ofSamples = (this.#samples ?? [])
      .filter(({ file }) => names.has(file))
      .flatMap((sample) => sample.questions.slice(0, 2));
    // What is on show stays until its document goes.
    const shown = ofSamples.filter((question) => this.#buttons.has(question));
    const others = ofSamples.filter((question) => !shown.includes(question));
    return [...own, ...shown, ...others.slice(0, Math.max(0, maxShown - own.length - shown.length))];
  }

  /** Has examples made when the newest documents of the person are others.
   * @param {Snapshot['documents']} documents @param {import('./welcome.js').Sample[]} samples */
  #renew(documents, samples) {
    const own = documents
      .filter(
        ({ name, problem, library }) => !problem && !library && !samples.some(({ file }) => file === name),
      )
      .sort((a, b) => b.addedAt - a.addedAt)
      .slice(0, 3);
    const sources = own.map(({ id }) => id).join();
    if (sources === this.#sources) return;
    this.#end();
    this.#sources = sources;
    if (own.length === 0) return;
    const making = new AbortController();
    this.#making = making;
    this.#timer = setTimeout(() => void this.#make(own, documents.length > 1, making), rest);
  }

  /** Ends the making of examples. They are made when they are wanted again. */
  close() {
    this.#end();
  }

  #end() {
    if (this.#making === null) return;
    clearTimeout(this.#timer);
    this.#making.abort();
    this.#making = null;
    this.#sources = '';
    this.#nFailed = 0;
  }

  /** @param {Snapshot['documents']} own @param {boolean} areMany @param {AbortController} making */
  async #make(own, areMany, making) {
    const { engine } = this.#host;
    try {
      const { exampleQuestions } = await import('../examples.js');
      const examples = await exampleQuestions(engine(), own, areMany, making.signal);
      if (making.signal.aborted) return;
      this.#making = null;
      this.#nFailed = 0;
      this.#examples = examples;
      this.update(engine().snapshot);
    } catch {
      // Questions can be asked without examples. They are tried again with the next change.
      if (making.signal.aborted) return;
      this.#making = null;
      this.#nFailed += 1;
      if (this.#nFailed < maxTries) this.#sources = '';
    }
  }

  /** Buttons that stay are left as they are, under the focus and the pointer; new ones come behind. @param {string[]} questions */
  #draw(questions) {
    for (const [question, button] of this.#buttons) {
      if (questions.includes(question)) continue;
      this.#buttons.delete(question);
      button.remove();
    }
    for (const question of questions) {
      if (this.#buttons.has(question)) continue;
      const button = el(
        'button',
        {
          type: 'button',
          class: 'suggestion',
          lang: /\p{Script=Han}/u.test(question) ? 'zh' : 'en',
          onclick: () => this.#host.onAsk(question),
        },
        question,
      );
      this.#buttons.set(question, button);
      this.#group.append(button);
    }
    if (this.#buttons.size === 0) this.#group.remove();
    else if (this.#group.parentNode === null) this.element.append(this.#group);
  }
}
