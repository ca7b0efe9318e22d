/**
 * Questions that are being answered, by number. The page carries each from need to need and ends it; the oldest give
 * way when a page forgets to.
 */

import { EngineError } from './errors.js';

/** @typedef {import('./protocol.js').OwnerRequest} OwnerRequest */
/** @typedef {Extract<OwnerRequest, { type: `ask-${string}` }>} AskRequest */
/** @typedef {import('pincite-wasm').Asking} Asking */

/** Maximum number of questions at a time. */
const maxOpen = 16;

export class OpenQuestions {
  #library;
  /** The oldest first. @type {Map<number, Asking>} */
  #open = new Map();
  #last = 0;

  /** @param {Pick<import('pincite-wasm').Library, 'asking' | 'giveVectors'>} library */
  constructor(library) {
    this.#library = library;
  }

  /** @param {AskRequest} request */
  handle(request) {
    switch (request.type) {
      case 'ask-begin':
        return this.#begin(request);
      case 'ask-wanted':
        return this.#of(request.ask).wanted();
      case 'ask-search': {
        const asking = this.#of(request.ask);
        // Those that it wanted, as far as they came in time.
        this.#library.giveVectors(asking);
        asking.search({ ...request.vector });
        return asking.need();
      }
      case 'ask-compared': {
        const asking = this.#of(request.ask);
        asking.compared(request.matches);
        return asking.need();
      }
      case 'ask-reply': {
        const asking = this.#of(request.ask);
        if (request.reply) asking.replied(request.reply);
        else if (request.fault) asking.failed(request.fault);
        return asking.need();
      }
      case 'ask-end': {
        const asking = this.#of(request.ask);
        this.#open.delete(request.ask);
        return asking.finish();
      }
      case 'ask-drop':
        this.#drop(request.ask);
        return null;
    }
  }

  /** @param {Extract<AskRequest, { type: 'ask-begin' }>} request */
  #begin({ question, history, profile, glossary, model, filter, ann, ranking }) {
    const options = { history, profile, glossary, model, filter, ann, ...ranking };
    const asking = this.#library.asking(question, options);
    this.#last += 1;
    this.#open.set(this.#last, asking);
    for (const ask of this.#open.keys()) {
      if (this.#open.size <= maxOpen) break;
      this.#drop(ask);
    }
    return { ask: this.#last, need: asking.need() };
  }

  /** @param {number} ask */
  #of(ask) {
    const asking = this.#open.get(ask);
    if (!asking)
      throw new EngineError('internal', 'the question is no longer being answered', 'Ask it again.');
    return asking;
  }

  /** @param {number} ask */
  #drop(ask) {
    this.#open.get(ask)?.free();
    this.#open.delete(ask);
  }
}
