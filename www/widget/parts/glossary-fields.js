/**
 * The glossary in the settings: a text field with a term a line, a file to load, and one step back. A status tells how
 * many terms are used. A line that cannot be read is named, and nothing changes.
 */

import { el, fill } from '../../dom/elements.js';
import { icon } from '../../dom/icons.js';
import { GlossaryError, glossaryLines, maxGlossaryBytes, maxTerms } from '../glossary.js';
import { field } from './endpoint-fields.js';

export class GlossaryFields {
  element;
  #strings;
  #settings;
  #remember;
  #text;
  #file = el('input', {
    type: 'file',
    accept: '.txt,.json,text/plain,application/json',
    class: 'hidden-input',
    tabIndex: -1,
    'aria-hidden': 'true',
    onchange: () => void this.#load(),
  });
  #undo;
  #result = el('div', { role: 'status' });
  /** The glossary before the last change. @type {string | null} */
  #before = null;

  /**
   * @param {object} options
   * @param {import('../../strings/index.js').Strings} options.strings
   * @param {import('../settings.js').AnsweringSettings} options.settings
   * @param {() => boolean} options.remember true if what is set is to be remembered, as the settings show it
   */
  constructor({ strings, settings, remember }) {
    const texts = strings.glossary;
    this.#strings = strings;
    this.#settings = settings;
    this.#remember = remember;
    this.#text = el('textarea', {
      rows: 4,
      autocomplete: 'off',
      spellcheck: false,
      maxLength: maxGlossaryBytes,
      placeholder: texts.example,
    });
    /** @param {string} name @param {() => void} onclick @param {import('../../dom/elements.js').Child} [drawing] */
    const button = (name, onclick, drawing) =>
      el('button', { type: 'button', class: 'quiet', onclick }, drawing, name);
    this.#undo = button(texts.undo, () => this.#goBack(), icon('undo'));
    this.element = el(
      'div',
      {
        class: 'settings-profile settings-glossary',
        role: 'group',
        'aria-labelledby': 'pincite-glossary-title',
      },
      el('h3', { id: 'pincite-glossary-title' }, texts.title),
      field('pincite-glossary', texts.label, this.#text, texts.help),
      el(
        'div',
        { class: 'dialog-actions' },
        button(texts.use, () => this.#use(this.#text.value)),
        button(texts.load, () => this.#file.click(), icon('upload')),
        this.#file,
        this.#undo,
        button(texts.clear, () => this.#use('')),
      ),
      this.#result,
    );
  }

  /** Shows the glossary that is used. */
  open() {
    this.#before = null;
    this.#show();
  }

  #show(said = this.#strings.glossary.used(Object.keys(this.#settings.glossary).length)) {
    this.#text.value = this.#settings.glossaryText;
    this.#undo.hidden = this.#before === null;
    fill(this.#result, el('p', { class: 'fine' }, said));
  }

  /** @param {string} written lines or JSON */
  #use(written) {
    const before = this.#settings.glossaryText;
    let text = written;
    try {
      text = glossaryLines(written).trim();
      this.#settings.chooseGlossary(text, this.#remember());
    } catch (error) {
      if (!(error instanceof GlossaryError)) throw error;
      this.#text.value = text;
      const { badLine, tooMany } = this.#strings.glossary;
      return this.#complain(error.line === 0 ? tooMany(maxTerms) : badLine(error.line));
    }
    if (before !== text) this.#before = before;
    this.#show();
  }

  #goBack() {
    const { glossaryText } = this.#settings;
    if (this.#before === null) return;
    this.#settings.chooseGlossary(this.#before, this.#remember());
    this.#before = glossaryText;
    this.#show(this.#strings.glossary.undone);
  }

  async #load() {
    const [file] = this.#file.files ?? [];
    this.#file.value = '';
    if (!file) return;
    if (file.size > maxGlossaryBytes) {
      const { settings, format } = this.#strings;
      return this.#complain(format.sentence(settings.tooLarge(maxGlossaryBytes / 1024)));
    }
    this.#use(await file.text());
  }

  /** @param {string} text */
  #complain(text) {
    fill(this.#result, el('div', { class: 'note warning' }, el('p', { class: 'strong' }, text)));
  }
}
