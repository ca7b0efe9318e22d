/**
 * Questions and their answers in the widget: with what they are made, the conversation, the line under the question and
 * its two dialogs. The widget gives it an engine and places; it knows nothing of documents or of the viewer.
 */

import { toPlain } from '../engine/errors.js';
import { Conversation } from './conversation.js';
import { PinciteAnswerEvent, PinciteErrorEvent } from './events.js';
import { ModelSettings, ledger } from './model.js';
import { AnswerCard } from './parts/answer.js';
import { LedgerDialog } from './parts/ledger.js';
import { SettingsDialog } from './parts/settings.js';
import { StatusBar } from './parts/status-bar.js';
import { count, sentence, statusOf, stepText } from './strings.js';

/** @typedef {import('../engine/client.js').Engine} Engine */
/** @typedef {import('../engine/protocol.js').Answer} Answer */

/**
 * @typedef {object} Surroundings
 * @property {() => Engine} engine
 * @property {() => import('../engine/protocol.js').Filter | null} filter where to look
 * @property {(citation: import('../engine/protocol.js').Citation) => void} onCite
 * @property {(event: Event) => void} tell sends an event of the widget
 * @property {(text: string, now: boolean) => void} say to screen readers
 * @property {() => void} onFresh a new conversation begins
 */

export class Answering {
  bar = new StatusBar({
    settings: () => this.#dialog?.open(),
    ledger: () => this.#ledgerDialog.open(),
    fresh: () => this.#beginAnew(),
  });
  conversation = new Conversation();
  #surroundings;
  /** @type {ModelSettings | null} */
  #settings = null;
  /** What the page set; it may come before there are settings. @type {{ llm: import('./model.js').Given | null, profile: string | null }} */
  #given = { llm: null, profile: null };
  /** @type {SettingsDialog | null} */
  #dialog = null;
  #ledgerDialog = new LedgerDialog();
  /** @type {AbortController | null} */
  #asking = null;
  #onChange = () => this.#draw();

  /** @param {Surroundings} surroundings */
  constructor(surroundings) {
    this.#surroundings = surroundings;
  }

  /** Takes up what is remembered for a library. @param {string} library @param {HTMLElement} place of the dialogs */
  open(library, place) {
    ledger.addEventListener('change', this.#onChange);
    if (this.#settings) return;
    const settings = new ModelSettings({ name: `pincite:${library}:model` });
    settings.addEventListener('change', this.#onChange);
    const { engine, say, tell } = this.#surroundings;
    this.#settings = settings;
    this.#dialog = new SettingsDialog({
      settings,
      profiles: { list: () => engine().profiles(), check: (file) => engine().checkProfile(file) },
      announce: (text) => say(text, true),
    });
    place.append(this.#dialog.element, this.#ledgerDialog.element);
    try {
      settings.giveProfile(this.#given.profile);
      settings.give(this.#given.llm);
    } catch (error) {
      tell(new PinciteErrorEvent(toPlain(error), null));
    }
    this.#draw();
  }

  /** Ends what is under way. */
  close() {
    this.stop();
    ledger.removeEventListener('change', this.#onChange);
  }

  /** @returns {import('./model.js').Standing | null} */
  get standing() {
    return this.#settings?.standing ?? null;
  }

  /** @param {import('./model.js').Given | null} given */
  give(given) {
    this.#settings?.give(given);
    this.#given.llm = given;
  }

  get profile() {
    return this.#settings?.profileText ?? this.#given.profile;
  }

  /** @param {string | null} profile */
  giveProfile(profile) {
    this.#given.profile = profile;
    this.#settings?.giveProfile(profile);
  }

  /** Takes back the question that is being answered; whether there was one. */
  stop() {
    const asking = this.#asking;
    if (asking === null || asking.signal.aborted) return false;
    asking.abort();
    this.#surroundings.say('Stopped.', true);
    return true;
  }

  /**
   * Asks, shows the answer and returns it.
   * @param {string} question
   * @returns {Promise<Answer>}
   */
  async ask(question) {
    const { engine, filter, onCite, tell } = this.#surroundings;
    this.#asking?.abort();
    const asking = new AbortController();
    this.#asking = asking;
    const { history } = this.conversation;
    const card = new AnswerCard({
      question,
      onCite,
      onCancel: () => void this.stop(),
      onSettings: () => this.#dialog?.open(),
    });
    this.conversation.add(card);
    asking.signal.addEventListener('abort', () => card.show({ state: 'cancelled' }), { once: true });
    const model = this.#settings?.model ?? null;
    // Taken now, as the model is: the settings may be others when the answer comes.
    const authorOf = this.#settings?.authors();
    try {
      const answer = await engine().ask(question, {
        filter: filter(),
        history,
        profile: this.profile,
        model,
        signal: asking.signal,
        onStep: (step) => model && this.#working(card, step),
        onText: (text) => card.draft(text),
      });
      if (asking.signal.aborted) return answer;
      card.show({
        state: 'answered',
        answer,
        embedding: engine().picture.model,
        model: model && authorOf ? author(answer, authorOf) : null,
        hintOf: (message) => this.#settings?.hintOf(message) ?? '',
      });
      this.#say(answer);
      tell(new PinciteAnswerEvent(question, answer));
      return answer;
    } catch (error) {
      if (!asking.signal.aborted) {
        const plain = toPlain(error);
        const told = plain.message.startsWith('the profile')
          ? sentence(plain.message)
          : 'The question could not be answered.';
        const hint = plain.hint || 'Try it again.';
        card.show({ state: 'failed', message: told, hint });
        this.#surroundings.say(`${told} ${hint}`, true);
        tell(new PinciteErrorEvent(plain, null));
      }
      throw error;
    } finally {
      if (this.#asking === asking) this.#asking = null;
      this.#draw();
    }
  }

  /** Takes every answer away. */
  clear() {
    this.conversation.clear();
    this.#draw();
  }

  #beginAnew() {
    this.conversation.begin();
    this.#draw();
    this.#surroundings.onFresh();
    this.#surroundings.say('A new conversation. What was said before stays below.', true);
  }

  /** @param {AnswerCard} card @param {string} step */
  #working(card, step) {
    card.working(step);
    this.#surroundings.say(`${stepText[/** @type {keyof typeof stepText} */ (step)] ?? step}.`, false);
  }

  /** What the page shows of an answer, in the same words as far as they are short. @param {Answer} answer */
  #say({ sufficient, citations, statements, message, trace, verdict, conflicts, notes }) {
    const unsupported = statements.reduce(
      (sum, each) => sum + each.unsupported.length + each.unknown.length,
      0,
    );
    const failed = verdict && !(verdict.grounded && verdict.consistent && verdict.complete);
    const inForce = notes.filter(({ kind }) => kind !== 'several-cases');
    // An answer that its check found wanting is one still; what was found follows.
    const isAnswered = sufficient || statements.length > 0;
    const told = [
      isAnswered
        ? `Answered with ${count(citations.length, 'citation')}${lesser(citations)}.`
        : message || 'The documents do not say.',
      trace.degraded.length > 0 && `${count(trace.degraded.length, 'step')} did not go as planned.`,
      isAnswered && !failed && message,
      failed && 'The check of this answer failed.',
      unsupported > 0 && `${count(unsupported, 'detail')} not in what is cited.`,
      conflicts.length > 0 && 'Provisions among them differ.',
      notes.length > inForce.length && 'The passages answer this for several cases.',
      inForce.length > 0 && `${count(inForce.length, 'remark')} on what is in force.`,
      isAnswered && statements.map(({ text }) => text).join(' '),
    ];
    this.#surroundings.say(told.filter(Boolean).join(' '), true);
  }

  #draw() {
    if (this.#settings) this.bar.update(this.#settings.standing, this.conversation.isUnderWay);
  }
}

/**
 * Who wrote an answer: a profile may have named another endpoint for that step.
 * @param {Answer} answer @param {ReturnType<ModelSettings['authors']>} authorOf
 */
function author({ trace }, authorOf) {
  const wrote = trace.calls.filter(({ step, outcome }) => step === 'read' && outcome === 'used').at(-1);
  return authorOf(wrote?.endpoint ?? null, wrote?.model ?? null);
}

/** How many citations are not word for word, and what they are. @param {Answer['citations']} citations */
function lesser(citations) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { status } of citations)
    if (status !== 'verified') counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, n]) => `, ${n} ${statusOf(status).word.toLowerCase()}`).join('');
}
