/**
 * Questions and answers in the widget: the conversation, the line under the question and its two dialogs, and what is kept
 * of conversations. The widget gives it an engine and settings; it knows neither the library nor the viewer.
 */

import { el } from '../dom/elements.js';
import { icon } from '../dom/icons.js';
import { toPlain } from '../engine/errors.js';
import { describe } from '../strings/errors.js';
import { Conversation } from './conversation.js';
import { describeState, device } from './device.js';
import { PinciteAnswerEvent, PinciteErrorEvent } from './events.js';
import { ConversationHistory } from './history.js';
import { nBeingRead } from './jobs.js';
import { searchedIn, titleOf } from './places.js';
import { ledger } from './settings.js';
import { AnswerCard } from './parts/answer.js';
import { LedgerDialog } from './parts/ledger.js';
import { SettingsDialog } from './parts/settings.js';
import { statusesOf, statusOf } from './parts/citations.js';
import { StatusBar } from './parts/status-bar.js';

/** @typedef {import('../engine/client.js').Engine} Engine */
/** @typedef {import('../remote/joined-engine.js').AskedEngine} AskedEngine */
/** @typedef {import('../engine/protocol.js').Answer} Answer */
/** @typedef {import('../engine/protocol.js').Citation} Citation */
/** @typedef {import('./stored-turn.js').StoredTurn} StoredTurn */

/**
 * @typedef {object} AnsweringHost what answering gets from the widget
 * @property {import('../strings/index.js').Strings} strings
 * @property {import('./settings.js').AnsweringSettings} settings
 * @property {string} library name under which conversations are kept
 * @property {() => AskedEngine} engine with a library on a server, where there is one
 * @property {Pick<import('./parts/filter.js').FilterBar, 'value' | 'scope' | 'nChosen'>} filter where to look
 * @property {(citation: Citation, all: readonly Citation[]) => void} onCite `all` those of its answer
 * @property {(event: Event) => boolean} dispatch sends an event of the widget
 * @property {(text: string, now: boolean) => void} say to screen readers
 * @property {() => void} onNewConversation
 * @property {(answered: import('../evidence/save-dialog.js').Saved[], at: number | null) => void} onSave saves answers of this
 *   conversation with their documents: the one at a place, or all
 * @property {() => void} onShown answers have come that were not asked for now
 * @property {readonly HTMLElement[]} further groups of the settings that are not about answers
 */

export class Answering {
  bar;
  conversation;
  /** Below the answers: saves all of the conversation. */
  foot;
  #host;
  #strings;
  #settings;
  #dialog;
  #ledgerDialog;
  #history;
  /** Ids of the documents when citations were last marked. */
  #marked = '';
  /** @type {AbortController | null} */
  #asking = null;
  /** Card of the question that is being answered. @type {AnswerCard | null} */
  #answered = null;
  #onChange = () => this.#draw();
  #onDevice = () => this.#answered?.pace(describeState(this.#strings, device.state));
  /** The setting of the graphics processor that the engine has from here: what a program sets stays until a person does.
   * @type {import('../engine/gpu/choice.js').GpuSetting} */
  #gpu = 'auto';
  #onSettings = () => {
    const { gpu } = this.#settings;
    if (gpu !== this.#gpu) this.#host.engine().gpu = gpu;
    // It is loaded again as it is set now; and who asks another model needs the memory for other things.
    if (gpu !== this.#gpu || !this.#settings.asksDevice) void device.close();
    this.#gpu = gpu;
    device.gpu = gpu;
    this.#dialog.update(this.#host.engine().snapshot);
    this.#draw();
  };

  /** @param {AnsweringHost} host */
  constructor(host) {
    const { strings, settings, engine, say } = host;
    this.#host = host;
    this.#strings = strings;
    this.#settings = settings;
    this.conversation = new Conversation(strings);
    this.#history = new ConversationHistory({
      strings,
      library: host.library,
      settings,
      show: (turns) => this.#show(turns),
      onDelete: () => this.conversation.clearEarlier(),
    });
    this.#ledgerDialog = new LedgerDialog(strings);
    this.#dialog = new SettingsDialog({
      strings,
      settings,
      profiles: { list: () => engine().profiles(), read: (file) => engine().readProfile(file) },
      state: () => engine().snapshot,
      announce: (text) => say(text, true),
      further: [this.#history.field, ...host.further],
      onOpen: () => this.#history.openSettings(),
    });
    this.bar = new StatusBar(strings, {
      settings: () => this.#dialog.open(),
      ledger: () => this.#ledgerDialog.open(),
      fresh: () => this.#beginAnew(),
      back: () => this.#goBack(),
    });
    this.foot = el(
      'p',
      { class: 'thread-foot', hidden: true },
      el(
        'button',
        {
          type: 'button',
          class: 'quiet',
          'aria-haspopup': 'dialog',
          onclick: () => host.onSave(this.conversation.answered, null),
        },
        icon('save'),
        strings.conversation.save,
      ),
    );
  }

  /** Earlier conversations, to be put below the answers. */
  get earlier() {
    return this.#history.element;
  }

  /** The dialogs, to be put into the shadow root. */
  get dialogs() {
    return [this.#dialog.element, this.#ledgerDialog.element];
  }

  /** Begins to follow the settings and the ledger. */
  open() {
    ledger.addEventListener('change', this.#onChange);
    device.addEventListener('change', this.#onDevice);
    this.#settings.addEventListener('change', this.#onSettings);
    this.#gpu = 'auto';
    this.#onSettings();
    this.#history.open();
    // Which documents are still there is known then.
    this.#host.engine().opened.then(
      () => this.#history.recall(),
      () => {},
    );
  }

  /** Ends what is under way and closes the dialogs, which follow the ledger while they are open. */
  close() {
    this.stop();
    this.#history.close();
    for (const dialog of this.dialogs) dialog.close();
    ledger.removeEventListener('change', this.#onChange);
    device.removeEventListener('change', this.#onDevice);
    this.#settings.removeEventListener('change', this.#onSettings);
  }

  /** Shows how the engine is, where that is on show. @param {import('../engine/client.js').Snapshot} snapshot */
  update(snapshot) {
    this.#dialog.update(snapshot);
    const ids = new Set(snapshot.documents.map(({ id }) => id));
    const marked = [...ids].join();
    if (marked !== this.#marked) this.conversation.markRemoved((id) => ids.has(id));
    this.#marked = marked;
  }

  /** Takes back the question that is being answered. @returns {boolean} false if there was none */
  stop() {
    const asking = this.#asking;
    if (asking === null || asking.signal.aborted) return false;
    asking.abort();
    this.#host.say(this.#strings.answer.stopped, true);
    return true;
  }

  /**
   * Asks, shows the answer and returns it.
   * @param {string} question
   * @returns {Promise<Answer>}
   */
  async ask(question) {
    const { engine, filter, dispatch } = this.#host;
    const strings = this.#strings;
    this.#asking?.abort();
    const asking = new AbortController();
    this.#asking = asking;
    const { servers } = this.#settings;
    const documents = new Set(engine().snapshot.documents.map(({ id }) => id));
    const { nChosen, scope, value } = filter;
    const searched = { n: nChosen, nReading: nBeingRead(engine().snapshot.jobs), scope };
    const { history, nBefore, nRemoved } = this.conversation.carried(servers, (id) => documents.has(id));
    const card = this.#card(question);
    this.#answered = card;
    const conversation = this.#history.id;
    asking.signal.addEventListener('abort', () => card.show({ state: 'cancelled' }), { once: true });
    /** @type {Map<number, unknown>} */
    const faults = new Map();
    const model = this.#settings.model && keepingFaults(this.#settings.model, faults);
    // Taken now, as the model is: the settings may be others when the answer comes.
    const authorOf = this.#settings.authors();
    try {
      const answer = await engine().ask(question, {
        filter: value,
        history,
        profile: this.#settings.profileText,
        glossary: this.#settings.glossary,
        model,
        signal: asking.signal,
        // Without a model the search is over at once; comparing may take seconds.
        onStep: (step) => (model || step === 'compare') && this.#working(card, step),
        onText: (text) => card.draft(text),
        onPace: (content) => card.pace(content),
      });
      if (asking.signal.aborted) return answer;
      const wrote = model && author(answer, authorOf);
      const about = engine().about?.(answer, wrote);
      /** @type {StoredTurn} */
      const turn = {
        question,
        at: Date.now(),
        answer,
        embedding: engine().snapshot.model,
        // Who wrote what of an answer of several libraries stands above it.
        model: about?.isRemote ? null : wrote,
        servers,
        left: { nBefore, nRemoved },
        searched,
      };
      card.show({ state: 'answered', ...turn, faults, notice: about?.notice });
      // Of a library on a server nothing is stored: rights to it may end.
      if (!about?.isRemote) void this.#keep(conversation, turn, card);
      this.#host.say(this.#toldOf(answer, turn), true);
      dispatch(new PinciteAnswerEvent(question, answer));
      return answer;
    } catch (error) {
      if (!asking.signal.aborted) {
        const plain = toPlain(error);
        const { title, hint } = describe(strings, plain);
        const { sentence } = strings.format;
        const told = ['profile-invalid', 'library-failed', 'storage-failed'].includes(plain.code)
          ? sentence(strings.own.english && plain.code === 'profile-invalid' ? plain.message : title)
          : strings.answer.failed;
        const advice =
          told !== strings.answer.failed || (strings.own.english && plain.hint)
            ? hint
            : strings.answer.tryAgain;
        card.show({ state: 'failed', message: told, hint: advice });
        this.#host.say(strings.format.sentences([told, advice]), true);
        dispatch(new PinciteErrorEvent(plain, null));
      }
      throw error;
    } finally {
      if (this.#asking === asking) this.#asking = null;
      this.#draw();
    }
  }

  /** Keeps an answer, and says once that one could not be. @param {string} id @param {StoredTurn} turn @param {AnswerCard} card */
  async #keep(id, turn, card) {
    if (!(await this.#history.keep(id, turn))) return;
    card.notKept();
    const { format, keeping } = this.#strings;
    // What was said before may not have been read yet.
    this.#host.say(format.sentences([this.#toldOf(turn.answer, turn), keeping.failed]), true);
  }

  /** Takes every answer away, and out of storage. */
  async clear() {
    this.conversation.clear();
    this.#draw();
    await this.#history.clear();
  }

  /** A card for a question, as the newest. @param {string} question */
  #card(question) {
    const { engine, onCite, say } = this.#host;
    const card = new AnswerCard({
      strings: this.#strings,
      question,
      previous: this.conversation.carried(null, () => true).history.at(-1)?.question ?? '',
      onCite,
      titleOf: (id) => titleOf(engine().snapshot.documents, id),
      announce: (text) => say(text, true),
      onCancel: () => void this.stop(),
      onSettings: () => this.#dialog.open(),
      onSave: () => this.#save(card),
    });
    this.conversation.add(card);
    return card;
  }

  /** Shows a conversation as it was kept. @param {readonly StoredTurn[]} turns */
  #show(turns) {
    this.stop();
    this.conversation.clear();
    // Why a request failed is known in its session only; that it failed stands in the answer.
    for (const turn of turns)
      this.#card(turn.question).show({ state: 'answered', ...turn, faults: new Map() });
    this.#draw();
    this.#host.onShown();
  }

  #goBack() {
    this.conversation.goBack();
    this.#history.goBack();
    this.#draw();
    this.#host.onNewConversation();
    this.#host.say(this.#strings.conversation.goneBack, true);
  }

  /** Saves an answer with its documents; those of the conversation that it is of may go along. @param {AnswerCard} card */
  #save({ answered }) {
    if (answered === null) return;
    const all = this.conversation.answered;
    const at = all.indexOf(answered);
    this.#host.onSave(at < 0 ? [answered] : all, Math.max(0, at));
  }

  #beginAnew() {
    this.conversation.begin();
    this.#history.begin();
    this.#draw();
    this.#host.onNewConversation();
    this.#host.say(this.#strings.conversation.begun, true);
  }

  /** @param {AnswerCard} card @param {string} step */
  #working(card, step) {
    card.working(step);
    const { steps, spoken } = this.#strings;
    if (Object.hasOwn(steps, step))
      this.#host.say(spoken.step(steps[/** @type {keyof typeof steps} */ (step)]), false);
  }

  /**
   * Words in which an answer is spoken: those that the page shows, where they are short.
   * @param {Answer} answer
   * @param {Pick<StoredTurn, 'left' | 'searched'>} turn earlier turns that did not go along, and what was searched
   */
  #toldOf(
    { sufficient, citations, statements, message, trace, verdict, conflicts, notes },
    { left: { nBefore, nRemoved }, searched },
  ) {
    const unsupported = statements.reduce(
      (sum, each) => sum + each.unsupported.length + each.unknown.length,
      0,
    );
    const failed = verdict && !(verdict.grounded && verdict.consistent && verdict.complete);
    const inForce = notes.filter(({ kind }) => kind !== 'several-cases');
    // An answer that its check found wanting is one still; what was found follows.
    const isAnswered = sufficient || statements.length > 0;
    const { spoken, answer, format } = this.#strings;
    const told = [
      isAnswered
        ? spoken.answered(citations.length, this.#lesser(citations))
        : message || answer.insufficient,
      nBefore > 0 && answer.turnsBefore(nBefore),
      nRemoved > 0 && answer.turnsRemoved(nRemoved),
      searchedIn(this.#strings, searched),
      trace.degraded.length > 0 && spoken.degraded(trace.degraded.length),
      isAnswered && !failed && message,
      failed && spoken.checkFailed,
      unsupported > 0 && spoken.unsupported(unsupported),
      conflicts.length > 0 && spoken.differ,
      notes.length > inForce.length && spoken.severalCases,
      inForce.length > 0 && spoken.inForce(inForce.length),
      isAnswered && statements.map(({ text }) => text).join(' '),
    ];
    return format.sentences(told);
  }

  /** Citations that are not word for word, counted by status and by caveat. @param {Answer['citations']} citations */
  #lesser(citations) {
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const status of citations.flatMap(statusesOf))
      if (status !== 'verified') counts.set(status, (counts.get(status) ?? 0) + 1);
    const { spoken } = this.#strings;
    return [...counts].map(([status, n]) => spoken.lesser(n, statusOf(this.#strings, status).word)).join('');
  }

  #draw() {
    const { status, openServers } = this.#settings;
    this.bar.update(status, this.conversation, openServers);
    this.foot.hidden = this.conversation.answered.length < 2;
  }
}

/**
 * A model that keeps the error of each call that fails, by the number of the call: the engine carries only its code.
 * @param {import('../engine/asking.js').Model} model
 * @param {Map<number, unknown>} faults
 * @returns {import('../engine/asking.js').Model}
 */
function keepingFaults(model, faults) {
  return {
    complete: async (request, options) => {
      try {
        return await model.complete(request, options);
      } catch (error) {
        faults.set(request.call, error);
        throw error;
      }
    },
  };
}

/**
 * Author of an answer: a profile may name another endpoint for that step.
 * @param {Answer} answer @param {ReturnType<import('./settings.js').AnsweringSettings['authors']>} authorOf
 */
function author({ trace }, authorOf) {
  const wrote = trace.calls.filter(({ step, outcome }) => step === 'read' && outcome === 'used').at(-1);
  return authorOf(wrote?.endpoint ?? null, wrote?.model ?? null);
}
