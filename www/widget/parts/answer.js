/**
 * A question and its answer: while it is made, the step and what the model writes, unchecked; then sentences with
 * citation marks, and the citations below, best first. All of it is text nodes. Arrow keys move between citations,
 * Enter opens one in the viewer.
 */

import { copy } from '../../dom/clipboard.js';
import { el, fill } from '../../dom/elements.js';
import { icon } from '../../dom/icons.js';
import { actionOf } from '../../dom/keys.js';
import { copiedAnswer } from '../copied.js';
import { searchedIn } from '../places.js';
import { citationRow, statusesOf } from './citations.js';
import { degradations, differences, insufficient, objections, provenance, remarks } from './notices.js';
import { isAnswered, statementsView } from './statements.js';

/** @typedef {import('../../engine/protocol.js').Answer} Answer */
/** @typedef {import('../../engine/protocol.js').Citation} Citation */

/**
 * @typedef {(
 *   | { state: 'asking' }
 *   | { state: 'answered', answer: Answer, embedding: import('../../engine/embedding.js').ModelState, model: { name: string, where: string } | null, faults: import('./notices.js').Faults, servers: string | null, left: { nBefore: number, nRemoved: number }, searched: import('../places.js').Searched, matches?: Node, notice?: Node | null }
 *   | { state: 'failed', message: string, hint: string }
 *   | { state: 'cancelled' }
 * )} Outcome
 */

export class AnswerCard {
  element;
  /** The question as it was asked, what it was answered with, and where it went. @type {import('../conversation.js').Turn | null} */
  turn = null;
  /** The question and its answer, once it is there, and what was searched. @type {import('../../evidence/save-dialog.js').Saved | null} */
  answered = null;
  #body = el('div', { class: 'answer-body' });
  #step;
  #pace;
  #draft = el('p', { class: 'draft-text' });
  #drafting;
  /** Text of the draft to draw with the next frame. @type {string | null} */
  #pending = null;
  #question;
  #previous;
  #heading;
  #card;
  #onSettings;
  #onSave;

  /**
   * @param {object} options
   * @param {import('../../strings/index.js').Strings} options.strings
   * @param {string} options.question
   * @param {string} [options.previous] the question before it in the conversation; '' of the first
   * @param {(citation: Citation, all: readonly Citation[]) => void} options.onCite `all` those of the answer
   * @param {(documentId: string) => string | null} options.titleOf
   * @param {(text: string) => void} options.announce
   * @param {() => void} options.onCancel
   * @param {() => void} options.onSettings
   * @param {(() => void) | null} [options.onSave] null where the answer is not to be saved with its documents
   */
  constructor({
    strings,
    question,
    previous = '',
    onCite,
    titleOf,
    announce,
    onCancel,
    onSettings,
    onSave = null,
  }) {
    this.#onSave = onSave;
    this.#question = question;
    this.#previous = previous;
    this.#card = { strings, onCite, titleOf, announce };
    this.#step = el('span', { class: 'step' }, strings.answer.reading);
    this.#pace = el('span', { class: 'fine' });
    this.#drafting = el(
      'div',
      { class: 'draft', hidden: true },
      el('p', { class: 'fine' }, icon('info'), strings.answer.draft),
      this.#draft,
    );
    this.#onSettings = onSettings;
    this.#heading = el('h2', { class: 'asked', tabIndex: -1 }, question);
    this.element = el('article', { class: 'answer-card', part: 'answer' }, this.#heading, this.#body);
    this.element.addEventListener('keydown', (event) => this.#arrows(event));
    this.element.dataset['state'] = 'asking';
    fill(
      this.#body,
      el(
        'p',
        { class: 'searching' },
        el('span', { class: 'pulse', 'aria-hidden': 'true' }),
        this.#step,
        this.#pace,
        el('button', { type: 'button', class: 'link', onclick: onCancel }, strings.answer.stop),
      ),
      this.#drafting,
    );
  }

  /** @param {string} step what is being done now */
  working(step) {
    if (this.element.dataset['state'] !== 'asking') return;
    const { answer, steps } = this.#card.strings;
    const known = Object.hasOwn(steps, step) ? steps[/** @type {keyof typeof steps} */ (step)] : null;
    this.#step.textContent = known === null ? answer.working : answer.step(known);
  }

  /** Says how a model on this device, or a library on a server, gets on. @param {import('../../dom/elements.js').Child} content */
  pace(content) {
    fill(this.#pace, content);
  }

  /** Shows what the model has written so far; a frame's worth at a time. @param {string} text */
  draft(text) {
    const waiting = this.#pending !== null;
    this.#pending = text;
    if (!waiting) requestAnimationFrame(() => this.#drawDraft());
  }

  #drawDraft() {
    if (this.#pending === null) return;
    this.#draft.textContent = this.#pending;
    this.#drafting.hidden = this.#pending === '';
    this.#pending = null;
  }

  /** @param {Outcome} outcome */
  show(outcome) {
    this.#drawDraft();
    this.element.dataset['state'] = outcome.state;
    // What had the focus in here (the button that stops) goes; the question stays.
    const root = this.element.getRootNode();
    const held =
      (root instanceof ShadowRoot || root instanceof Document) && this.#body.contains(root.activeElement);
    this.#fill(outcome);
    if (held) this.#heading.focus();
  }

  /** @param {Outcome} outcome */
  #fill(outcome) {
    switch (outcome.state) {
      case 'asking':
        return;
      case 'failed':
        return fill(
          this.#body,
          el(
            'div',
            { class: 'note warning' },
            el('p', {}, outcome.message),
            outcome.hint && el('p', {}, outcome.hint),
          ),
        );
      case 'cancelled': {
        const written = !this.#drafting.hidden;
        return fill(
          this.#body,
          el(
            'p',
            { class: 'fine' },
            written ? this.#card.strings.answer.stoppedDraft : this.#card.strings.answer.stopped,
          ),
          written && el('div', { class: 'draft' }, this.#draft),
        );
      }
      case 'answered':
        return this.#answer(outcome);
    }
  }

  /** Marks the citation that the viewer shows. @param {number | null} id */
  markOpen(id) {
    for (const button of this.element.querySelectorAll('[data-citation]')) {
      const open = button.getAttribute('data-citation') === String(id);
      if (open) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
    }
  }

  /** Says of citations whose document is no longer in the library that it was removed. @param {(id: string) => boolean} has */
  markRemoved(has) {
    for (const mark of this.element.querySelectorAll('[data-removed]')) {
      const isRemoved = !has(mark.getAttribute('data-removed') ?? '');
      if (mark instanceof HTMLElement && mark.hidden === isRemoved) mark.hidden = !isRemoved;
    }
  }

  /** Says of the conversation that it could not be kept, where the answer ends and what copies it begins. */
  notKept() {
    const line = el('p', { class: 'fine vectors' }, icon('info'), this.#card.strings.keeping.failed);
    const copying = this.#body.querySelector('.copy-row');
    if (copying) copying.before(line);
    else this.#body.append(line);
  }

  /** Moves the focus to the question. */
  focus() {
    this.#heading.focus();
  }

  /** @param {Extract<Outcome, { state: 'answered' }>} outcome */
  #answer({ answer, embedding, model, faults, servers, left, searched, notice, matches }) {
    const { strings, onCite, titleOf } = this.#card;
    const texts = strings.answer;
    const { sufficient, statements, citations, message, vectors, supporting, conflicts, notes, verdict } =
      answer;
    /** @type {import('./citations.js').CardContext} */
    const card = { strings, titleOf, onCite: (citation) => onCite(citation, citations) };
    const cites = citations.map(({ document, documentId, page, pageLabel, sectionPath }) => ({
      document,
      documentId,
      page,
      pageLabel,
      sectionPath,
    }));
    this.turn = { question: this.#question, answer: answer.answer || message, cites, servers };
    this.answered = { question: this.#question, answer, searched };
    const where = searchedIn(strings, searched);
    const earlier = earlierQuestion(answer, this.#question, this.#previous);
    fill(
      this.#body,
      notice,
      model === null && earlier !== '' && el('p', { class: 'fine understood' }, texts.understood(earlier)),
      left.nBefore > 0 &&
        el('p', { class: 'fine searched left-out' }, icon('info'), texts.turnsBefore(left.nBefore)),
      left.nRemoved > 0 &&
        el('p', { class: 'fine searched left-out' }, icon('info'), texts.turnsRemoved(left.nRemoved)),
      where !== '' && el('p', { class: 'fine searched' }, icon('info'), where),
      degradations(strings, answer, faults, this.#onSettings),
      // What the check of an answer found is said below it.
      (!sufficient || message) && (statements.length === 0 || !verdict) && insufficient(strings, message),
      statements.length > 0 && statementsView(card, answer),
      objections(strings, verdict),
      ...differences(card, conflicts, citations),
      ...remarks(card, notes, citations),
      statements.length + citations.length > 0 && this.#copyRow(answer, where),
      citations.length > 0 && el('h3', {}, isAnswered(answer) ? texts.sources : texts.nearest),
      citations.length > 0 && (matches ?? matchesOf(strings, answer)),
      citations.length > 0 &&
        el(
          'ol',
          { class: 'citations' },
          ...citations.map((citation) =>
            citationRow(
              card,
              citation,
              supporting.filter(({ by }) => by === citation.id),
            ),
          ),
        ),
      vectors !== 'all' &&
        el(
          'p',
          { class: 'fine vectors' },
          icon('info'),
          embedding === 'missing'
            ? texts.wordsOnlyNoModel
            : vectors === 'none'
              ? texts.wordsOnly
              : vectors === 'candidates'
                ? texts.wordsFirst
                : texts.wordsOnlySome,
        ),
      (model !== null || answer.trace.glossary.length + answer.trace.also.length > 0) &&
        provenance(strings, answer, model),
    );
  }

  /** The buttons that copy the answer and save it with its documents, and what became of copying. @param {Answer} answer @param {string} searched */
  #copyRow(answer, searched) {
    const { strings, titleOf, announce } = this.#card;
    const texts = strings.answer;
    const outcome = el('span', { class: 'fine' });
    const onclick = async () => {
      const told = await copy(copiedAnswer({ strings, titleOf }, this.#question, answer, searched)).then(
        () => texts.copied(answer.citations.length),
        () => texts.notCopied,
      );
      outcome.textContent = told;
      announce(told);
    };
    return el(
      'div',
      { class: 'copy-row' },
      el('button', { type: 'button', class: 'quiet', onclick }, icon('copy'), texts.copy),
      this.#onSave !== null &&
        answer.citations.length > 0 &&
        el(
          'button',
          { type: 'button', class: 'quiet', 'aria-haspopup': 'dialog', onclick: this.#onSave },
          icon('save'),
          texts.saveWithDocuments,
        ),
      outcome,
    );
  }

  /** @param {KeyboardEvent} event */
  #arrows(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    const family = target.matches('.citation')
      ? '.citation'
      : target.matches('button.mark')
        ? 'button.mark'
        : null;
    if (family === null) return;
    const all = /** @type {HTMLElement[]} */ ([...this.element.querySelectorAll(family)]);
    const at = all.indexOf(target);
    const moves = {
      nextCitation: at + 1,
      previousCitation: at - 1,
      firstCitation: 0,
      lastCitation: all.length - 1,
    };
    const action = actionOf('answer', event);
    if (action === null) return;
    event.preventDefault();
    all[Math.min(all.length - 1, Math.max(0, moves[action]))]?.focus();
  }
}

/** Line above the sources: how many of the quotations match, and that this is all that was checked. Above passages that are no
 * sources it says that they may not answer.
 * @param {import('../../strings/index.js').Strings} strings @param {Answer} answer */
function matchesOf({ answer: texts }, answer) {
  const { citations } = answer;
  const nOther = citations.filter((citation) =>
    statusesOf(citation).some((each) => each !== 'verified'),
  ).length;
  return el(
    'p',
    { class: 'fine matches' },
    icon(nOther === 0 && isAnswered(answer) ? 'check' : 'info'),
    isAnswered(answer) ? texts.matches(citations.length, nOther) : texts.mayNotAnswer(nOther),
  );
}

/**
 * The question that this one refers to: without a model both are searched for as one, this one at the end, where a glossary may
 * have put other words into it. '' where it stands alone.
 * @param {{ trace: Pick<Answer['trace'], 'queries'> }} answer
 * @param {string} question
 * @param {string} previous the question before
 */
export function earlierQuestion({ trace }, question, previous) {
  const first = trace.queries[0]?.[0] ?? '';
  const [own, before] = [question.trim(), previous.trim()];
  if (first.endsWith(own)) return first.slice(0, first.length - own.length).trim();
  // A question that begins with the one before does so by itself.
  const isBoth = before !== '' && first.startsWith(`${before} `) && !own.startsWith(`${before} `);
  return isBoth ? before : '';
}
