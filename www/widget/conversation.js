/**
 * Questions and answers, newest first. The last ones of a conversation go along with the next question, so that it can
 * refer to them; a new conversation leaves what was said readable, below a line, and refers to none of it.
 */

import { el, fill } from '../dom/elements.js';

/** @typedef {import('./parts/answer.js').AnswerCard} AnswerCard */

/** How many answers stay on the page. */
const maxCards = 30;
/** How many turns go along with a question, and how much of each answer. */
const maxTurns = 4;
const maxAnswer = 2_000;

export class Conversation {
  element = el('div', { class: 'thread', role: 'log', 'aria-label': 'Answers', 'aria-live': 'off' });
  /** @type {AnswerCard[]} */
  #cards = [];
  /** How many of the cards, the newest, are of this conversation. */
  #current = 0;
  #line = el('h2', { class: 'earlier' }, 'Earlier conversation');

  get length() {
    return this.#cards.length;
  }

  /** Whether there is something that a question could refer to. */
  get isUnderWay() {
    return this.#cards.slice(0, this.#current).some(({ turn }) => turn !== null);
  }

  /** What was asked and answered in this conversation, oldest first. @returns {{ question: string, answer: string }[]} */
  get history() {
    const turns = this.#cards.slice(0, this.#current).flatMap(({ turn }) => (turn === null ? [] : [turn]));
    return turns
      .slice(0, maxTurns)
      .reverse()
      .map(({ question, answer }) => ({ question, answer: answer.slice(0, maxAnswer) }));
  }

  /** @param {AnswerCard} card */
  add(card) {
    this.#cards.unshift(card);
    this.#current += 1;
    for (const old of this.#cards.splice(maxCards)) old.element.remove();
    this.element.prepend(card.element);
    this.#draw();
  }

  /** Begins anew; what was said stays. */
  begin() {
    this.#current = 0;
    this.#draw();
  }

  clear() {
    this.#cards = [];
    this.#current = 0;
    fill(this.element);
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
