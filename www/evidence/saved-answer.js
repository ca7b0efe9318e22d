/**
 * A saved answer: the card of the widget, with every citation unmarked until it was compared here, and above the sources
 * what came of that.
 */

import { el, fill } from '../dom/elements.js';
import { icon } from '../dom/icons.js';
import { AnswerCard } from '../widget/parts/answer.js';
import { statusesOf, statusOf } from '../widget/parts/citations.js';
import { isAnswered } from '../widget/parts/statements.js';

/** @typedef {import('../engine/protocol.js').Answer} Answer */
/** @typedef {import('../engine/protocol.js').Citation} Citation */
/** @typedef {import('./check.js').Checker} Checker */
/** @typedef {import('./check.js').CheckedCitation} CheckedCitation */
/** @typedef {import('./contents.js').SavedAnswer} SavedAnswer */
/** @typedef {import('./contents.js').Searched} Searched */

/** Fields of an answer that are not saved. @type {Pick<Answer, 'answer' | 'probability' | 'missing' | 'vectors' | 'trace'>} */
const unsaved = {
  answer: '',
  probability: 0,
  missing: [],
  vectors: 'all',
  trace: {
    question: '',
    rewrites: [],
    passage: null,
    queries: [],
    glossary: [],
    also: [],
    kept: [],
    extracts: [],
    selected: [],
    reflection: [],
    calls: [],
    degraded: [],
    onDemand: { embedded: 0, left: 0 },
    compared: 0,
    diags: [],
  },
};

export class SavedAnswerView {
  element;
  #strings;
  #answer;
  #searched;
  #card;
  /** Findings of each citation that could be compared, by id. @type {Map<number, CheckedCitation>} */
  #checked = new Map();
  /** @type {string[]} */
  #ofStatements = [];
  #line = el('div', { class: 'evidence-check' });
  /** The citation that the viewer shows. @type {number | null} */
  #open = null;

  /**
   * @param {object} options
   * @param {import('../strings/index.js').Strings} options.strings
   * @param {string} options.question
   * @param {SavedAnswer} options.answer
   * @param {Searched} options.searched
   * @param {(documentId: string) => string | null} options.titleOf
   * @param {(id: number) => void} options.onCite
   * @param {(text: string) => void} options.announce
   */
  constructor({ strings, question, answer, searched, titleOf, onCite, announce }) {
    this.#strings = strings;
    this.#answer = answer;
    this.#searched = searched;
    this.#card = new AnswerCard({
      strings,
      question,
      onCite: ({ id }) => onCite(id),
      titleOf,
      announce,
      onCancel: () => {},
      onSettings: () => {},
    });
    this.element = this.#card.element;
    this.#draw();
  }

  /** Marks the citation that the viewer shows. @param {number | null} id null where it is one of another answer */
  markOpen(id) {
    this.#open = id;
    this.#card.markOpen(id);
  }

  /** The element that a former one of this card was, which may have been drawn anew. @param {HTMLElement} former */
  now(former) {
    if (former.isConnected) return former;
    const id = former.dataset['citation'];
    const kind = former.classList.contains('citation') ? '.citation' : 'button.mark';
    return /** @type {HTMLElement | null} */ (this.element.querySelector(`${kind}[data-citation="${id}"]`));
  }

  /**
   * Compares the citations of documents that are read and have not been compared.
   * @param {Checker} checker
   * @param {ReadonlySet<string>} read
   * @returns {Promise<string | null>} what to announce; null where nothing is new
   */
  async check(checker, read) {
    const { citations, statements } = this.#answer;
    const due = citations.filter(({ id, documentId }) => read.has(documentId) && !this.#checked.has(id));
    if (due.length === 0) {
      this.#draw();
      return null;
    }
    for (const [at, citation] of due.entries()) {
      fill(this.#line, el('p', { class: 'fine' }, this.#strings.evidence.checking(at + 1, due.length)));
      this.#checked.set(citation.id, await checker.citation(citation));
    }
    this.#ofStatements = [];
    for (const statement of statements) {
      const isRead = citations
        .filter(({ id }) => statement.citations.includes(id))
        .every(({ documentId }) => read.has(documentId));
      const found = isRead ? await checker.statement(statement, this.#answer) : null;
      if (found) this.#ofStatements.push(...this.#sentencesOf(found));
    }
    this.#draw();
    return this.#strings.format.sentences([this.#summary, ...this.#findings]);
  }

  /** Citations as they are shown: with what was computed here, or unmarked. @returns {Citation[]} */
  get shown() {
    return this.#answer.citations.map((citation) => {
      const { id } = citation;
      const unchecked = /** @type {Citation} */ (
        /** @type {unknown} */ ({ ...citation, status: 'unchecked', caveats: [] })
      );
      return this.#checked.get(id)?.citation ?? unchecked;
    });
  }

  #draw() {
    const { evidence: texts } = this.#strings;
    const isChecked = this.#checked.size > 0;
    fill(
      this.#line,
      el(
        'p',
        { class: 'fine matches' },
        icon(this.#findings.length === 0 && isChecked && isAnswered(this.#answer) ? 'check' : 'info'),
        this.#summary,
      ),
      isChecked &&
        el(
          this.#findings.length === 0 ? 'p' : 'div',
          { class: this.#findings.length === 0 ? 'fine' : 'note warning' },
          texts.nothingFound(this.#findings.length),
          this.#findings.length > 0 &&
            el('ul', { class: 'evidence-findings' }, ...this.#findings.map((text) => el('li', {}, text))),
        ),
      el('p', { class: 'fine' }, this.#answer.by === 'model' ? texts.byModel : texts.byExtraction),
    );
    const root = this.element.getRootNode();
    const active = root instanceof ShadowRoot ? root.activeElement : null;
    const held = active instanceof HTMLElement && this.element.contains(active) ? active : null;
    this.#card.show({
      state: 'answered',
      answer: { ...unsaved, ...this.#named, citations: this.shown },
      embedding: 'ready',
      model: null,
      faults: new Map(),
      servers: null,
      left: { nBefore: 0, nRemoved: 0 },
      searched: this.#searched,
      matches: this.#line,
    });
    this.#card.markOpen(this.#open);
    if (held) this.now(held)?.focus();
  }

  /** The answer, with words for a document that is not in the file. */
  get #named() {
    const notes = this.#answer.notes.map((note) =>
      note.kind === 'later-edition' && note.later === ''
        ? { ...note, later: this.#strings.evidence.laterElsewhere }
        : note,
    );
    return { ...this.#answer, notes };
  }

  get #summary() {
    const { citations } = this.#answer;
    if (this.#checked.size === 0) return this.#strings.evidence.notYet;
    const checked = [...this.#checked.values()].map(({ citation }) => citation);
    const nMatching = checked.filter((citation) =>
      statusesOf(citation).every((each) => each === 'verified'),
    ).length;
    return this.#strings.evidence.checked(nMatching, citations.length, citations.length - checked.length);
  }

  /** Differences from what was saved, in sentences. */
  get #findings() {
    const { evidence: texts, format } = this.#strings;
    const word = (/** @type {string} */ status) => statusOf(this.#strings, status).word;
    const ofCitations = this.#answer.citations.flatMap((saved) => {
      const { citation, findings } = this.#checked.get(saved.id) ?? { citation: saved, findings: [] };
      return findings.map((finding) => {
        switch (finding) {
          case 'moved':
            return texts.foundMoved(saved.id, format.page(saved), format.page(citation));
          case 'unplaced':
            return texts.foundUnplaced(saved.id);
          default:
            return texts.foundWorse(saved.id, word(saved.status), word(citation.status));
        }
      });
    });
    return [...ofCitations, ...this.#ofStatements];
  }

  /** @param {import('./check.js').CheckedStatement} found */
  #sentencesOf({ statement, quotation, unsupported }) {
    const { evidence: texts, answer } = this.#strings;
    const short = statement.length > 120 ? `${statement.slice(0, 120)}…` : statement;
    const words = unsupported.map(({ text }) => answer.quotation(text));
    return [
      ...(quotation ? [texts.foundQuotation(short)] : []),
      ...(words.length > 0 ? [texts.foundUnsupported(short, words)] : []),
    ];
  }
}
