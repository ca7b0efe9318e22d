/**
 * Questions and answers, newest first. The last ones of a conversation are sent along with the next question, which may
 * refer to them: those that went to the same servers, and cite documents that are still there. Others are left out, which
 * the next answer says. A new conversation leaves earlier answers readable below a line, and refers to none of them.
 */

import { el, fill } from '../dom/elements.js';

/** @typedef {import('./parts/answer.js').AnswerCard} AnswerCard */
/** @typedef {import('../engine/asking.js').EarlierTurn} EarlierTurn */
/** @typedef {EarlierTurn & { servers: string | null }} Turn `servers` that the question went to; null without a model */

/**
 * Earlier turns that go along with a question, and how many stay behind: they are from before its model was set, or cite
 * a document that is no longer there.
 * @typedef {{ history: EarlierTurn[], nBefore: number, nRemoved: number }} Carried
 */

/** Maximum number of answers on the page. */
const maxCards = 30;
/** Turns that go along with a question, and characters of each answer. */
const maxTurns = 4;
const maxAnswer = 2_000;

export class Conversation {
  element;
  /** @type {AnswerCard[]} */
  #cards = [];
  /** Number of cards of this conversation; they are the newest. */
  #current = 0;
  /** Number of cards of the conversation before, until this one has a card. */
  #before = 0;
  /** Stands above the cards of an earlier conversation. */
  #line;

  /** @param {import('../strings/index.js').Strings} strings */
  constructor({ conversation }) {
    this.element = el('div', {
      class: 'thread',
      role: 'log',
      'aria-label': conversation.label,
      'aria-live': 'off',
    });
    this.#line = el('h2', { class: 'earlier' }, conversation.earlier);
  }

  get length() {
    return this.#cards.length;
  }

  /** True if this conversation has an answer that a question could refer to. */
  get isUnderWay() {
    return this.#cards.slice(0, this.#current).some(({ turn }) => turn !== null);
  }

  /** Answers of this conversation that cite documents, oldest first. */
  get answered() {
    const answered = this.#cards.slice(0, this.#current).flatMap(({ answered }) => answered ?? []);
    return answered.filter(({ answer }) => answer.citations.length > 0).reverse();
  }

  /**
   * The turns of this conversation that go along with the next question.
   * @param {string | null} servers that it goes to; null without a model: then all of them stay on this device
   * @param {(id: string) => boolean} has whether a document is in the library
   */
  carried(servers, has) {
    const turns = this.#cards.slice(0, this.#current).flatMap(({ turn }) => (turn === null ? [] : [turn]));
    return carriedOf(turns.slice(0, maxTurns).reverse(), servers, has);
  }

  /** True if this conversation has just begun, and the one before can be gone on with instead. */
  get canGoBack() {
    return this.#before > 0;
  }

  /** @param {AnswerCard} card */
  add(card) {
    this.#cards.unshift(card);
    this.#current += 1;
    this.#before = 0;
    for (const old of this.#cards.splice(maxCards)) old.element.remove();
    this.element.prepend(card.element);
    this.#draw();
  }

  /** Begins anew; what was said stays. */
  begin() {
    this.#before = this.#current;
    this.#current = 0;
    this.#draw();
  }

  /** Goes on with the conversation before this one. */
  goBack() {
    this.#current = this.#before;
    this.#before = 0;
    this.#draw();
  }

  clear() {
    this.#cards = [];
    this.#current = 0;
    this.#before = 0;
    fill(this.element);
  }

  /** Takes the cards of earlier conversations away. */
  clearEarlier() {
    this.#before = 0;
    for (const old of this.#cards.splice(this.#current)) old.element.remove();
    this.#draw();
  }

  /** Marks citations of documents that are no longer there. @param {(id: string) => boolean} has */
  markRemoved(has) {
    for (const card of this.#cards) card.markRemoved(has);
  }

  /** Moves the focus to the newest question. */
  focus() {
    this.#cards[0]?.focus();
  }

  /** Marks the citation that the viewer shows, in the card that has the focus. @param {Element | null} focused @param {number | null} id */
  markOpen(focused, id) {
    for (const card of this.#cards) card.markOpen(card.element.contains(focused) ? id : null);
  }

  /** Puts the line above the first card of an earlier conversation. */
  #draw() {
    const earlier = this.#cards[this.#current];
    if (earlier) earlier.element.before(this.#line);
    else this.#line.remove();
  }
}

/**
 * @param {readonly Turn[]} turns oldest first
 * @param {string | null} servers
 * @param {(id: string) => boolean} has
 * @returns {Carried}
 */
export function carriedOf(turns, servers, has) {
  const isThere = (/** @type {Turn} */ { cites = [] }) =>
    cites.every(({ documentId }) => documentId === undefined || has(documentId));
  const known = servers === null ? turns : turns.filter((turn) => turn.servers === servers);
  const kept = servers === null ? known : known.filter(isThere);
  return {
    history: kept.map(({ question, answer, cites = [] }) => ({
      question,
      answer: answer.slice(0, maxAnswer),
      cites,
    })),
    nBefore: turns.length - known.length,
    nRemoved: known.length - kept.length,
  };
}
