/**
 * Questions to begin with, as buttons: those of samples that are in the library, and those made from the person's own documents
 * by `examples.js`, which is loaded when there are some. Until a question has been asked.
 */

import { el, fill } from '../../dom/elements.js';
import { isOver } from '../../engine/ingest.js';

/** @typedef {import('../../engine/client.js').Snapshot} Snapshot */

/** Most questions on show. */
const maxShown = 6;

export class Suggestions {
  element = el('div', { class: 'suggestion-slot' });
  #host;
  /** Null until it is known which there are. @type {import('./welcome.js').Sample[] | null} */
  #samples = null;
  /** @type {import('../examples.js').Example[]} */
  #examples = [];
  /** Ids of the documents that the examples are made from. */
  #sources = '';
  #face = '';

  /**
   * @param {object} host
   * @param {import('../../strings/index.js').Strings} host.strings
   * @param {() => import('../../engine/client.js').Engine} host.engine of this browser's documents
   * @param {() => boolean} host.isWanted false where something has been asked
   * @param {(question: string) => void} host.onAsk
   */
  constructor(host) {
    this.#host = host;
  }

  /** @param {import('./welcome.js').Sample[]} samples that the site has */
  offer(samples) {
    this.#samples = samples;
  }

  /** @param {Pick<Snapshot, 'documents' | 'jobs'>} snapshot */
  update({ documents, jobs }) {
    const isWanted = this.#host.isWanted();
    if (isWanted && this.#samples !== null) this.#renew(documents, jobs, this.#samples);
    const ids = new Set(documents.map(({ id }) => id));
    const names = new Set(documents.map(({ name }) => name));
    const questions = isWanted
      ? [
          ...this.#examples.filter(({ document }) => ids.has(document)).map(({ question }) => question),
          ...(this.#samples ?? [])
            .filter(({ file }) => names.has(file))
            .flatMap((sample) => sample.questions.slice(0, 2)),
        ].slice(0, maxShown)
      : [];
    const face = questions.join('\n');
    if (this.#face === face) return;
    this.#face = face;
    fill(this.element, questions.length > 0 && this.#draw(questions));
  }

  /** Has examples made when the newest documents of the person are others; not of every file of many that are on their way.
   * @param {Snapshot['documents']} documents @param {Snapshot['jobs']} jobs @param {import('./welcome.js').Sample[]} samples */
  #renew(documents, jobs, samples) {
    const own = documents
      .filter(
        ({ name, problem, library }) => !problem && !library && !samples.some(({ file }) => file === name),
      )
      .sort((a, b) => b.addedAt - a.addedAt)
      .slice(0, 3);
    const sources = own.map(({ id }) => id).join();
    if (sources === this.#sources) return;
    if (this.#examples.length > 0 && jobs.some((job) => !isOver(job))) return;
    this.#sources = sources;
    void this.#make(own, documents.length > 1, () => this.#sources === sources && this.#host.isWanted());
  }

  /** @param {Snapshot['documents']} own @param {boolean} areMany @param {() => boolean} isWanted */
  async #make(own, areMany, isWanted) {
    const { engine } = this.#host;
    try {
      const { exampleQuestions } = await import('../examples.js');
      const examples = await exampleQuestions(engine(), own, areMany, isWanted);
      if (isWanted()) this.#examples = examples;
      // They are made when there is no conversation any more.
      else if (!this.#host.isWanted()) this.#sources = '';
      this.update(engine().snapshot);
    } catch {
      // Questions can be asked without examples.
    }
  }

  /** @param {string[]} questions */
  #draw(questions) {
    const { strings, onAsk } = this.#host;
    return el(
      'div',
      { class: 'suggestions', role: 'group', 'aria-label': strings.welcome.suggestions },
      el('span', { class: 'fine' }, strings.welcome.try),
      ...questions.map((question) =>
        el(
          'button',
          {
            type: 'button',
            class: 'suggestion',
            lang: /\p{Script=Han}/u.test(question) ? 'zh' : 'en',
            onclick: () => onAsk(question),
          },
          question,
        ),
      ),
    );
  }
}
