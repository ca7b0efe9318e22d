/**
 * Questions of the lab: read from files, written in the page, edited, taken out and put back, and saved.
 */

import { el, fill } from '../../dom/elements.js';
import { icon, iconButton } from '../../dom/icons.js';
import { save } from '../../dom/save.js';
import { askedOf } from '../judged.js';
import { limits, placeId, readQuestions, writeQuestions } from '../questions.js';
import { QuestionForm } from './question-form.js';

/** @typedef {import('../questions.js').Question} Question */

/** @typedef {{ question: Question, at: number }} Taken */

/** Questions that are listed at once. */
const listed = 20;
/** Faults of a file that are named. */
const named = 5;

export class QuestionsPart {
  element;
  #texts;
  #state;
  #host;
  #form;
  #shown = listed;
  /** Questions that were taken out last, each with its position. @type {readonly Taken[]} */
  #taken = [];
  #status = el('div', { class: 'lab-note', role: 'status' });
  #list = el('ol', { class: 'lab-questions' });
  #foot = el('div', { class: 'dialog-actions' });
  #file = el('input', {
    type: 'file',
    accept: '.csv,.tsv,.jsonl,.ndjson,text/csv,application/jsonl',
    class: 'hidden-input',
    tabIndex: -1,
    'aria-hidden': 'true',
    onchange: () => this.#chosen(),
  });

  /** @param {import('../lab.js').PartHost} host */
  constructor(host) {
    const { texts, state } = host;
    this.#texts = texts;
    this.#state = state;
    this.#host = host;
    this.#form = new QuestionForm(host, (question, before) => this.#put(question, before));
    this.element = el(
      'section',
      { 'aria-labelledby': 'pincite-lab-questions' },
      el('h2', { id: 'pincite-lab-questions' }, texts.questions),
      el('p', { class: 'fine' }, texts.questionsHelp),
      el(
        'div',
        { class: 'dialog-actions' },
        el(
          'button',
          { type: 'button', class: 'quiet', onclick: () => this.#file.click() },
          icon('upload'),
          texts.load,
        ),
        this.#file,
        el(
          'button',
          { type: 'button', class: 'quiet', onclick: () => this.#form.open(null) },
          icon('add'),
          texts.write,
        ),
      ),
      this.#form.element,
      this.#status,
      this.#list,
      this.#foot,
    );
    this.#takeDrops(host.element);
  }

  update() {
    const { texts, questions } = { texts: this.#texts, questions: this.#state.questions };
    const names = new Set(this.#state.engine.documents.map(({ name }) => name));
    fill(this.#list, ...questions.slice(0, this.#shown).map((question) => this.#row(question, names)));
    this.#list.hidden = questions.length === 0;
    fill(
      this.#foot,
      el('span', { class: 'fine' }, texts.nQuestions(questions.length)),
      questions.length > this.#shown &&
        el('button', { type: 'button', class: 'quiet', onclick: () => this.#more() }, texts.more),
      questions.length > 0 &&
        el(
          'button',
          { type: 'button', class: 'quiet', onclick: () => this.#save() },
          icon('save'),
          texts.saveQuestions,
        ),
      questions.length > 0 &&
        el(
          'button',
          { type: 'button', class: 'quiet danger', onclick: () => void this.#attempt(this.#clear()) },
          texts.removeAll,
        ),
    );
  }

  /** Ends marking. */
  close() {
    this.#form.close();
  }

  /** @param {Question} question @param {ReadonlySet<string>} names of the documents */
  #row(question, names) {
    const texts = this.#texts;
    const places = question.places.map((place) =>
      el(
        'li',
        {},
        names.has(place.document)
          ? el(
              'button',
              { type: 'button', class: 'link', onclick: () => this.#host.showPlace(place) },
              this.#host.nameOf(place),
            )
          : texts.notThere(placeId(place)),
        place.quote !== '' &&
          el('q', {}, place.quote.length > 160 ? `${place.quote.slice(0, 160)}…` : place.quote),
      ),
    );
    return el(
      'li',
      {},
      el(
        'div',
        { class: 'lab-question' },
        el('p', { class: 'strong', dir: 'auto' }, question.query),
        question.answer !== '' && el('p', { class: 'fine', dir: 'auto' }, question.answer),
        el('ul', { class: 'fine' }, ...places),
      ),
      iconButton('tools', texts.edit(question.query), () => this.#form.open(question)),
      iconButton('remove', texts.remove(question.query), () => void this.#attempt(this.#remove(question))),
    );
  }

  #more() {
    const at = this.#shown;
    this.#shown += 5 * listed;
    this.update();
    const next = this.#list.children[at]?.querySelector('button');
    if (next instanceof HTMLElement) next.focus();
  }

  #chosen() {
    const files = [...(this.#file.files ?? [])];
    this.#file.value = '';
    void this.#readAll(files);
  }

  /** @param {HTMLElement} target files of questions that are dropped on it are read here; others are documents */
  #takeDrops(target) {
    target.addEventListener('drop', (event) => {
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0 || !files.every(({ name }) => /\.(csv|tsv|jsonl|ndjson)$/i.test(name))) return;
      event.preventDefault();
      event.stopPropagation();
      target.dispatchEvent(new DragEvent('dragleave', { bubbles: true }));
      void this.#readAll(files);
    });
  }

  /** @param {readonly File[]} files */
  async #readAll(files) {
    for (const file of files) await this.#attempt(this.#read(file), `${file.name}: `);
  }

  /** Shows why something failed. @param {Promise<void>} work @param {string} [file] whose name stands before it */
  async #attempt(work, file = '') {
    try {
      await work;
    } catch (error) {
      this.#say([file + this.#texts.failed(this.#host.describe(error))], true);
    }
  }

  /** @param {File} file */
  async #read(file) {
    const texts = this.#texts;
    if (file.size > limits.bytes)
      return this.#say([texts.fileTooLarge(file.name, limits.bytes / 1_000_000)], true);
    const text = await file.text();
    const isJson = /\.(jsonl|ndjson)$/i.test(file.name) || text.trimStart().startsWith('{');
    const { questions, faults, nFaults, nUnread } = readQuestions(text, isJson);
    let nAdded = 0;
    await this.#state.changeQuestions((before) => {
      const added = renamed(questions.slice(0, Math.max(0, limits.questions - before.length)), before);
      nAdded = added.length;
      return [...before, ...added];
    });
    const told = faults.slice(0, named).map(({ line, code }) => texts.fault(line, this.#host.faults[code]));
    if (nFaults > told.length) told.push(texts.moreFaults(nFaults - told.length));
    if (nUnread > 0) told.push(texts.givenUp(nUnread));
    if (nAdded < questions.length) told.push(this.#host.faults['too-many']);
    this.#say([texts.loaded(file.name, nAdded), ...told], told.length > 0);
  }

  /**
   * @param {Question} question
   * @param {Question | null} before the one that it takes the place of
   * @returns {Promise<string>} why it is not kept; nothing where it is
   */
  async #put(question, before) {
    let isFull = false;
    try {
      await this.#state.changeQuestions((questions) => {
        const at = before === null ? -1 : questions.findIndex((each) => isSame(each, before));
        if (at >= 0) return questions.map((each, place) => (place === at ? question : each));
        // New, or another one meanwhile: another tab has changed it.
        isFull = questions.length >= limits.questions;
        return isFull ? questions : [...questions, ...renamed([question], questions)];
      });
    } catch (error) {
      return this.#texts.failed(this.#host.describe(error));
    }
    if (isFull) return this.#host.faults['too-many'];
    this.#say([this.#texts.kept], false);
    return '';
  }

  /** @param {Question} question */
  async #remove(question) {
    await this.#takeOut((each) => isSame(each, question));
  }

  #clear() {
    return this.#takeOut(() => true);
  }

  /** @param {(question: Question) => boolean} isTaken */
  async #takeOut(isTaken) {
    /** @type {Taken[]} */
    let taken = [];
    await this.#state.changeQuestions((questions) => {
      taken = questions.flatMap((question, at) => (isTaken(question) ? { question, at } : []));
      return questions.filter((question) => !isTaken(question));
    });
    // Another tab was faster, or the same button was pressed twice.
    if (taken.length === 0) return;
    this.#taken = taken;
    const told = this.#texts.removed(taken.length);
    this.#say([told], false);
    this.#host.announce(told);
    this.#status.querySelector('button')?.focus();
  }

  async #putBack() {
    const taken = this.#taken;
    let nBack = 0;
    await this.#state.changeQuestions((questions) => {
      const back = taken.slice(0, Math.max(0, limits.questions - questions.length));
      nBack = back.length;
      return withTaken(questions, back);
    });
    this.#taken = taken.slice(nBack);
    const isDone = this.#taken.length === 0;
    this.#say([isDone ? this.#texts.putBackDone : this.#host.faults['too-many']], !isDone);
    this.#host.focus();
  }

  #save() {
    save('questions.jsonl', writeQuestions(this.#state.questions), 'application/jsonl');
  }

  /** Says something, with the button that puts back what was taken out. @param {readonly string[]} lines @param {boolean} isWarning */
  #say(lines, isWarning) {
    fill(
      this.#status,
      el('div', { class: isWarning ? 'note warning' : 'note' }, ...lines.map((line) => el('p', {}, line))),
      this.#taken.length > 0 &&
        el(
          'button',
          { type: 'button', class: 'quiet', onclick: () => void this.#attempt(this.#putBack()) },
          icon('undo'),
          this.#texts.putBackQuestions,
        ),
    );
  }
}

/** True for a question that is as it was. @param {Question} question @param {Question} before */
const isSame = (question, before) =>
  question.id === before.id && question.answer === before.answer && askedOf(question) === askedOf(before);

/** Questions with those that were taken out where they were. @param {readonly Question[]} questions @param {readonly Taken[]} taken */
function withTaken(questions, taken) {
  const all = [...questions];
  // A question that came meanwhile may have the id of one of them.
  for (const { question, at } of taken) all.splice(at, 0, ...renamed([question], all));
  return all;
}

/** Questions with ids that the others do not have. @param {readonly Question[]} questions @param {readonly Question[]} others */
function renamed(questions, others) {
  const taken = new Set(others.map(({ id }) => id));
  return questions.map((question) => {
    let id = question.id;
    for (let n = 2; taken.has(id); n += 1) id = `${question.id}-${n}`;
    taken.add(id);
    return { ...question, id };
  });
}
